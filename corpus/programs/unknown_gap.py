# pypto.program: Estate
import pypto.language as pl

LAND = pl.dynamic("LAND")

@pl.program
class Estate:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def build(brick__ssa_v0: pl.Tensor[[16, 8], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 512)], house__ssa_v0: pl.Out[pl.Tensor[[16, 8], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 512)]]) -> pl.Tensor[[16, 8], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 512)
        t__ssa_v0: pl.Tile[[16, 8], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 512), pl.Mem.Vec] = pl.tile.load(brick__ssa_v0, [0, 0], [16, 8], [16, 8], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[16, 8], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 512), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        house__ssa_v1: pl.Tensor[[16, 8], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 512)] = pl.tile.store(r__ssa_v0, [0, 0], house__ssa_v0)
        return house__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def village(self, brick__ssa_v0: pl.Tensor[[16, 8], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 512)], land__ssa_v0: pl.Out[pl.Tensor[[LAND, 8], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)]], houses__ssa_v0: pl.Scalar[pl.INDEX], gap__ssa_v0: pl.Scalar[pl.INDEX]) -> pl.Tensor[[LAND, 8], pl.FP32]:
        for plot__idx_v0, (land__iter_v1,) in pl.parallel(houses__ssa_v0, init_values=(land__ssa_v0,)):
            at__ssa_v0: pl.Scalar[pl.INDEX] = plot__idx_v0 * gap__ssa_v0
            house__ssa_v0: pl.Tensor[[16, 8], pl.FP32, pl.MemRef("mem_ddr_1", at__ssa_v0 * 32, 512)] = pl.tensor.slice(land__iter_v1, [16, 8], [at__ssa_v0, 0])
            house__ssa_v1: pl.Tensor[[16, 8], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 512)] = self.build(brick__ssa_v0, house__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            land__ssa_v3: pl.Tensor[[LAND, 8], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)] = pl.tensor.assemble(land__iter_v1, house__ssa_v1, [at__ssa_v0, 0])
            land__rv_v2: pl.Tensor[[LAND, 8], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 0)] = pl.yield_(land__ssa_v3)
        return land__rv_v2
