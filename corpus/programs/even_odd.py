# pypto.program: Zebra
import pypto.language as pl

@pl.program
class Zebra:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def paint(ink__ssa_v0: pl.Tensor[[128, 1], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 512)], stripe__ssa_v0: pl.Out[pl.Tensor[[128, 1], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 512)]]) -> pl.Tensor[[128, 1], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 512)
        t__ssa_v0: pl.Tile[[128, 1], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 512), pl.Mem.Vec] = pl.tile.load(ink__ssa_v0, [0, 0], [128, 1], [128, 1], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[128, 1], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 512), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        stripe__ssa_v1: pl.Tensor[[128, 1], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 512)] = pl.tile.store(r__ssa_v0, [0, 0], stripe__ssa_v0)
        return stripe__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def savanna(self, black__ssa_v0: pl.Tensor[[128, 1], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 512)], white__ssa_v0: pl.Tensor[[128, 1], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 512)], hide__ssa_v0: pl.Out[pl.Tensor[[32, 8], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 1024)]]) -> pl.Tensor[[32, 8], pl.FP32]:
        pairs__ssa_v0: pl.Tensor[[128, 2], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 1024)] = pl.tensor.reshape(hide__ssa_v0, [128, 2])
        even__ssa_v0: pl.Tensor[[128, 1], pl.FP32, pl.MemRef("mem_ddr_2", 0, 512)] = pl.tensor.slice(pairs__ssa_v0, [128, 1], [0, 0])
        even__ssa_v1: pl.Tensor[[128, 1], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 512)] = self.paint(black__ssa_v0, even__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        odd__ssa_v0: pl.Tensor[[128, 1], pl.FP32, pl.MemRef("mem_ddr_2", 4, 512)] = pl.tensor.slice(pairs__ssa_v0, [128, 1], [0, 1])
        odd__ssa_v1: pl.Tensor[[128, 1], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 512)] = self.paint(white__ssa_v0, odd__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return hide__ssa_v0
