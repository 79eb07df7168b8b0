# pypto.program: EmptyWell
import pypto.language as pl

@pl.program
class EmptyWell:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def rain(cloud__ssa_v0: pl.Tensor[[20, 50], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 4000)], well__ssa_v0: pl.Out[pl.Tensor[[60, 50], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 12000)]]) -> pl.Tensor[[60, 50], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 4000)
        t__ssa_v0: pl.Tile[[20, 50], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 4000), pl.Mem.Vec] = pl.tile.load(cloud__ssa_v0, [0, 0], [20, 50], [20, 50], target_memory=pl.Mem.Vec)
        well__ssa_v1: pl.Tensor[[60, 50], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 12000)] = pl.tile.store(t__ssa_v0, [0, 0], well__ssa_v0)
        return well__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def draw(well__ssa_v0: pl.Tensor[[60, 50], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 12000)], bucket__ssa_v0: pl.Out[pl.Tensor[[60, 50], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 12000)]]) -> pl.Tensor[[60, 50], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 12000)
        t__ssa_v0: pl.Tile[[60, 50], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 12000), pl.Mem.Vec] = pl.tile.load(well__ssa_v0, [0, 0], [60, 50], [60, 50], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[60, 50], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 12000), pl.Mem.Vec] = pl.tile.muls(t__ssa_v0, 2.0)
        bucket__ssa_v1: pl.Tensor[[60, 50], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 12000)] = pl.tile.store(r__ssa_v0, [0, 0], bucket__ssa_v0)
        return bucket__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def village(self, cloud__ssa_v0: pl.Tensor[[20, 50], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 4000)], bucket__ssa_v0: pl.Out[pl.Tensor[[60, 50], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 12000)]]) -> pl.Tensor[[60, 50], pl.FP32]:
        well__ssa_v0: pl.Tensor[[60, 50], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 12000)] = pl.tensor.create([60, 50], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        well__ssa_v1: pl.Tensor[[60, 50], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 12000)] = self.rain(cloud__ssa_v0, well__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        bucket__ssa_v1: pl.Tensor[[60, 50], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 12000)] = self.draw(well__ssa_v1, bucket__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return bucket__ssa_v1
