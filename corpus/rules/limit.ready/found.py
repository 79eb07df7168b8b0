# pypto.program: Mosaic
import pypto.language as pl

@pl.program
class Mosaic:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def set_tile(glass__ssa_v0: pl.Tensor[[1, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 64)], row__ssa_v0: pl.Out[pl.Tensor[[1, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 64)]]) -> pl.Tensor[[1, 16], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 64)
        t__ssa_v0: pl.Tile[[1, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 64), pl.Mem.Vec] = pl.tile.load(glass__ssa_v0, [0, 0], [1, 16], [1, 16], target_memory=pl.Mem.Vec)
        row__ssa_v1: pl.Tensor[[1, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 64)] = pl.tile.store(t__ssa_v0, [0, 0], row__ssa_v0)
        return row__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def floor(self, glass__ssa_v0: pl.Tensor[[1, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 64)], hall__ssa_v0: pl.Out[pl.Tensor[[8193, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 524352)]]) -> pl.Tensor[[8193, 16], pl.FP32]:
        for step__idx_v0, (hall__iter_v1,) in pl.parallel(8193, init_values=(hall__ssa_v0,)):
            row__ssa_v0: pl.Tensor[[1, 16], pl.FP32, pl.MemRef("mem_ddr_1", step__idx_v0 * 64, 64)] = pl.tensor.slice(hall__iter_v1, [1, 16], [step__idx_v0, 0])
            row__ssa_v1: pl.Tensor[[1, 16], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 64)] = self.set_tile(glass__ssa_v0, row__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            hall__ssa_v3: pl.Tensor[[8193, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 524352)] = pl.tensor.assemble(hall__iter_v1, row__ssa_v1, [step__idx_v0, 0])
            hall__rv_v2: pl.Tensor[[8193, 16], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 524352)] = pl.yield_(hall__ssa_v3)
        return hall__rv_v2
