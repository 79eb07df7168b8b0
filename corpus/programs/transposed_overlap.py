# pypto.program: TapestryCrossed
import pypto.language as pl

@pl.program
class TapestryCrossed:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def warp(thread__ssa_v0: pl.Tensor[[16, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1536)], strip__ssa_v0: pl.Out[pl.Tensor[[40, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)]]) -> pl.Tensor[[40, 24], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1536)
        t__ssa_v0: pl.Tile[[16, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1536), pl.Mem.Vec] = pl.tile.load(thread__ssa_v0, [0, 0], [16, 24], [16, 24], target_memory=pl.Mem.Vec)
        strip__ssa_v1: pl.Tensor[[40, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)] = pl.tile.store(t__ssa_v0, [0, 0], strip__ssa_v0)
        return strip__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def weft(yarn__ssa_v0: pl.Tensor[[24, 26], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2496)], side__ssa_v0: pl.Out[pl.Tensor[[24, 26], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2496)]]) -> pl.Tensor[[24, 26], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2496)
        t__ssa_v0: pl.Tile[[24, 26], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2496), pl.Mem.Vec] = pl.tile.load(yarn__ssa_v0, [0, 0], [24, 26], [24, 26], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[24, 26], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2496), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        side__ssa_v1: pl.Tensor[[24, 26], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2496)] = pl.tile.store(r__ssa_v0, [0, 0], side__ssa_v0)
        return side__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def loom(self, thread__ssa_v0: pl.Tensor[[16, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1536)], yarn__ssa_v0: pl.Tensor[[24, 26], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2496)], cloth__ssa_v0: pl.Out[pl.Tensor[[24, 40], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 3840)]]) -> pl.Tensor[[24, 40], pl.FP32]:
        turned__ssa_v0: pl.Tensor[[40, 24], pl.FP32, pl.TensorView(stride=[1, 40], layout=pl.TensorLayout.DN), pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 3840)] = pl.tensor.transpose(cloth__ssa_v0, 0, 1)
        turned__ssa_v1: pl.Tensor[[40, 24], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 3840)] = self.warp(thread__ssa_v0, turned__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        side__ssa_v0: pl.Tensor[[24, 26], pl.FP32, pl.MemRef("mem_ddr_2", 56, 2496)] = pl.tensor.slice(cloth__ssa_v0, [24, 26], [0, 14])
        side__ssa_v1: pl.Tensor[[24, 26], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 2496)] = self.weft(yarn__ssa_v0, side__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return cloth__ssa_v0
