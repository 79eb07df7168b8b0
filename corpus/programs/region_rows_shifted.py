# pypto.program: MosaicShifted
import pypto.language as pl

@pl.program
class MosaicShifted:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def set_stones(stones__ssa_v0: pl.Tensor[[16, 40], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2560)], at__idx_v0: pl.Scalar[pl.INDEX], floor__ssa_v0: pl.Out[pl.Tensor[[16, 40], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2560)]]) -> pl.Tensor[[16, 40], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1280)
        t__ssa_v0: pl.Tile[[8, 40], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1280), pl.Mem.Vec] = pl.tile.load(stones__ssa_v0, [at__idx_v0, 0], [8, 40], [8, 40], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[8, 40], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1280), pl.Mem.Vec] = pl.tile.muls(t__ssa_v0, 3.0)
        floor__ssa_v1: pl.Tensor[[16, 40], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2560)] = pl.tile.store(r__ssa_v0, [at__idx_v0, 0], floor__ssa_v0)
        return floor__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def villa(self, stones__ssa_v0: pl.Tensor[[16, 40], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2560)], floor__ssa_v0: pl.Out[pl.Tensor[[16, 40], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2560)]]) -> pl.Tensor[[16, 40], pl.FP32]:
        for strip__idx_v0, (floor__iter_v1,) in pl.parallel(3, init_values=(floor__ssa_v0,)):
            floor__ssa_v3: pl.Tensor[[16, 40], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2560)] = self.set_stones(stones__ssa_v0, strip__idx_v0, floor__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
            floor__rv_v2: pl.Tensor[[16, 40], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2560)] = pl.yield_(floor__ssa_v3)
        return floor__rv_v2
