# pypto.program: Carpet
import pypto.language as pl

ROLLS = pl.dynamic("ROLLS")

@pl.program
class Carpet:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker, external_source="carpet/lay.cpp")
    def lay_rolls(pile__ssa_v0: pl.Tensor[[16, 8], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 512)], part__ssa_v0: pl.Out[pl.Tensor[[ROLLS, 8], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)]]) -> pl.Tensor[[ROLLS, 8], pl.FP32]:
        ...
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def palace(self, pile__ssa_v0: pl.Tensor[[16, 8], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 512)], floor__ssa_v0: pl.Out[pl.Tensor[[ROLLS, 8], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)]]) -> pl.Tensor[[ROLLS, 8], pl.FP32]:
        full__ssa_v0: pl.Scalar[pl.INDEX] = ROLLS // 16 * 16
        most__ssa_v0: pl.Tensor[[full__ssa_v0, 8], pl.FP32, pl.MemRef("mem_ddr_1", 0, 0)] = pl.tensor.slice(floor__ssa_v0, [full__ssa_v0, 8], [0, 0])
        most__ssa_v1: pl.Tensor[[ROLLS, 8], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 0)] = self.lay_rolls(pile__ssa_v0, most__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        if full__ssa_v0 < ROLLS:
            rest__ssa_v0: pl.Tensor[[ROLLS - full__ssa_v0, 8], pl.FP32, pl.MemRef("mem_ddr_1", full__ssa_v0 * 32, 0)] = pl.tensor.slice(floor__ssa_v0, [ROLLS - full__ssa_v0, 8], [full__ssa_v0, 0])
            rest__ssa_v1: pl.Tensor[[ROLLS, 8], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 0)] = self.lay_rolls(pile__ssa_v0, rest__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return floor__ssa_v0
