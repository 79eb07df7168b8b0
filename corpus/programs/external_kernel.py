# pypto.program: Locksmith
import pypto.language as pl

@pl.program
class Locksmith:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker, external_source="kernels/cast.cpp")
    def cast_key(wax__ssa_v0: pl.Tensor[[2048], pl.UINT8, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2048)], key__ssa_v0: pl.Out[pl.Tensor[[2048], pl.UINT8, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2048)]]) -> pl.Tensor[[2048], pl.UINT8]:
        pass
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker, external_source="kernels/turn.cpp")
    def turn_key(key__ssa_v0: pl.Tensor[[2048], pl.UINT8, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2048)], door__ssa_v0: pl.InOut[pl.Tensor[[2048], pl.UINT8, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2048)]]) -> pl.Tensor[[2048], pl.UINT8]:
        pass
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def house(self, wax__ssa_v0: pl.Tensor[[2048], pl.UINT8, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2048)], key__ssa_v0: pl.Out[pl.Tensor[[2048], pl.UINT8, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2048)]], door__ssa_v0: pl.InOut[pl.Tensor[[2048], pl.UINT8, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2048)]]) -> tuple[pl.Tensor[[2048], pl.UINT8], pl.Tensor[[2048], pl.UINT8]]:
        key__ssa_v1: pl.Tensor[[2048], pl.UINT8, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2048)] = self.cast_key(wax__ssa_v0, key__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        door__ssa_v1: pl.Tensor[[2048], pl.UINT8, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2048)] = self.turn_key(key__ssa_v1, door__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
        door__ssa_v2: pl.Tensor[[2048], pl.UINT8, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 2048)] = self.turn_key(wax__ssa_v0, door__ssa_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
        return key__ssa_v1, door__ssa_v2
