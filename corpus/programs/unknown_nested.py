# pypto.program: Allotments
import pypto.language as pl

PLOTS = pl.dynamic("PLOTS")

@pl.program
class Allotments:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def dig(spade__ssa_v0: pl.Tensor[[8, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 512)], row__ssa_v0: pl.Scalar[pl.INDEX], column__ssa_v0: pl.Scalar[pl.INDEX], soil__ssa_v0: pl.Out[pl.Tensor[[PLOTS, 256], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)]]) -> pl.Tensor[[PLOTS, 256], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 512)
        t__ssa_v0: pl.Tile[[8, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 512), pl.Mem.Vec] = pl.tile.load(spade__ssa_v0, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
        soil__ssa_v1: pl.Tensor[[PLOTS, 256], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)] = pl.tile.store(t__ssa_v0, [row__ssa_v0 * 8, column__ssa_v0 * 16], soil__ssa_v0)
        return soil__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def commons(self, spade__ssa_v0: pl.Tensor[[8, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 512)], soil__ssa_v0: pl.Out[pl.Tensor[[PLOTS, 256], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)]], rows__ssa_v0: pl.Scalar[pl.INDEX], columns__ssa_v0: pl.Scalar[pl.INDEX]) -> pl.Tensor[[PLOTS, 256], pl.FP32]:
        for row__idx_v0, (soil__iter_v1,) in pl.parallel(rows__ssa_v0, init_values=(soil__ssa_v0,)):
            for column__idx_v0, (soil__iter_v3,) in pl.parallel(columns__ssa_v0, init_values=(soil__iter_v1,)):
                soil__ssa_v5: pl.Tensor[[PLOTS, 256], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 0)] = self.dig(spade__ssa_v0, row__idx_v0, column__idx_v0, soil__iter_v3, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.scalar, pl.adir.output_existing]})
                soil__rv_v4: pl.Tensor[[PLOTS, 256], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 0)] = pl.yield_(soil__ssa_v5)
            soil__rv_v2: pl.Tensor[[PLOTS, 256], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 0)] = pl.yield_(soil__rv_v4)
        return soil__rv_v2
