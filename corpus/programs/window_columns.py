# pypto.program: Blinds
import pypto.language as pl

@pl.program
class Blinds:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def hang(slat__ssa_v0: pl.Tensor[[16, 8], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 512)], gap__ssa_v0: pl.Out[pl.Tensor[[16, 8], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 512)]]) -> pl.Tensor[[16, 8], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 512)
        t__ssa_v0: pl.Tile[[16, 8], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 512), pl.Mem.Vec] = pl.tile.load(slat__ssa_v0, [0, 0], [16, 8], [16, 8], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[16, 8], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 512), pl.Mem.Vec] = pl.tile.relu(t__ssa_v0)
        gap__ssa_v1: pl.Tensor[[16, 8], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 512)] = pl.tile.store(r__ssa_v0, [0, 0], gap__ssa_v0)
        return gap__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def window(self, slat__ssa_v0: pl.Tensor[[16, 8], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 512)], pane__ssa_v0: pl.Out[pl.Tensor[[16, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1536)]]) -> pl.Tensor[[16, 24], pl.FP32]:
        for cord__idx_v0, (pane__iter_v1,) in pl.parallel(3, init_values=(pane__ssa_v0,)):
            gap__ssa_v0: pl.Tensor[[16, 8], pl.FP32, pl.MemRef("mem_ddr_1", cord__idx_v0 * 8 * 4, 512)] = pl.tensor.slice(pane__iter_v1, [16, 8], [0, cord__idx_v0 * 8])
            gap__ssa_v1: pl.Tensor[[16, 8], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 512)] = self.hang(slat__ssa_v0, gap__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            pane__ssa_v3: pl.Tensor[[16, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1536)] = pl.tensor.assemble(pane__iter_v1, gap__ssa_v1, [0, cord__idx_v0 * 8])
            pane__rv_v2: pl.Tensor[[16, 24], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 1536)] = pl.yield_(pane__ssa_v3)
        return pane__rv_v2
