# pypto.program: Burglar
import pypto.language as pl

@pl.program
class Burglar:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker, external_source="kernels/copy.cpp")
    def copy_key(key__ssa_v0: pl.Tensor[[2048], pl.UINT8, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2048)], safe__ssa_v0: pl.Out[pl.Tensor[[2048], pl.UINT8, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2048)]]) -> pl.Tensor[[2048], pl.UINT8]:
        pass
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def night(self, wax__ssa_v0: pl.Tensor[[2048], pl.UINT8, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2048)], key__ssa_v0: pl.InOut[pl.Tensor[[2048], pl.UINT8, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2048)]], safe__ssa_v0: pl.Out[pl.Tensor[[2048], pl.UINT8, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2048)]]) -> tuple[pl.Tensor[[2048], pl.UINT8], pl.Tensor[[2048], pl.UINT8]]:
        safe__ssa_v1: pl.Tensor[[2048], pl.UINT8, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2048)] = self.copy_key(key__ssa_v0, safe__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        key__ssa_v1: pl.Tensor[[2048], pl.UINT8, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2048)] = self.copy_key(wax__ssa_v0, key__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
        return key__ssa_v1, safe__ssa_v1
