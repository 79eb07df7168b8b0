# pypto.program: Sandcastle
import pypto.language as pl

@pl.program
class Sandcastle:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def build(sand__ssa_v0: pl.Tensor[[30, 30], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3600)], castle__ssa_v0: pl.Out[pl.Tensor[[30, 30], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3600)]]) -> pl.Tensor[[30, 30], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3600)
        t__ssa_v0: pl.Tile[[30, 30], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3600), pl.Mem.Vec] = pl.tile.load(sand__ssa_v0, [0, 0], [30, 30], [30, 30], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[30, 30], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3600), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        castle__ssa_v1: pl.Tensor[[30, 30], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3600)] = pl.tile.store(r__ssa_v0, [0, 0], castle__ssa_v0)
        return castle__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def beach(self, sand__ssa_v0: pl.Tensor[[30, 30], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3600)], shells__ssa_v0: pl.Tensor[[30, 30], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3600)], photo__ssa_v0: pl.Out[pl.Tensor[[30, 30], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 3600)]]) -> pl.Tensor[[30, 30], pl.FP32]:
        castle__ssa_v0: pl.Tensor[[900], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 3600)] = pl.tensor.create([900], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        keep__ssa_v0: pl.Tensor[[30, 30], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 3600)] = pl.tensor.reshape(castle__ssa_v0, [30, 30])
        keep__ssa_v1: pl.Tensor[[30, 30], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 3600)] = self.build(sand__ssa_v0, keep__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        moat__ssa_v0: pl.Tensor[[30, 30], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 3600)] = pl.tensor.reshape(castle__ssa_v0, [30, 30])
        moat__ssa_v1: pl.Tensor[[30, 30], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 3600)] = self.build(shells__ssa_v0, moat__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        photo__ssa_v1: pl.Tensor[[30, 30], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 3600)] = self.build(shells__ssa_v0, photo__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return photo__ssa_v1
