# pypto.program: HarbourLow
import pypto.language as pl

@pl.program
class HarbourLow:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def moor(boat__ssa_v0: pl.Tensor[[1, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 96)], berth__ssa_v0: pl.Scalar[pl.INDEX], quay__ssa_v0: pl.Out[pl.Tensor[[40, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)]]) -> pl.Tensor[[40, 24], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 96)
        t__ssa_v0: pl.Tile[[1, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 96), pl.Mem.Vec] = pl.tile.load(boat__ssa_v0, [0, 0], [1, 24], [1, 24], target_memory=pl.Mem.Vec)
        quay__ssa_v1: pl.Tensor[[40, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)] = pl.tile.store(t__ssa_v0, [berth__ssa_v0, 0], quay__ssa_v0)
        return quay__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def port(self, boat__ssa_v0: pl.Tensor[[1, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 96)], quay__ssa_v0: pl.Out[pl.Tensor[[40, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)]], tide__ssa_v0: pl.Scalar[pl.INDEX]) -> pl.Tensor[[40, 24], pl.FP32]:
        quay__ssa_v1: pl.Tensor[[40, 24], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 3840)] = self.moor(boat__ssa_v0, 2, quay__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
        if tide__ssa_v0 < 5:
            quay__ssa_v2: pl.Tensor[[40, 24], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 3840)] = self.moor(boat__ssa_v0, tide__ssa_v0, quay__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
            quay__phi_v3: pl.Tensor[[40, 24], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 3840)] = pl.yield_(quay__ssa_v2)
        else:
            quay__phi_v3: pl.Tensor[[40, 24], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 3840)] = pl.yield_(quay__ssa_v1)
        return quay__phi_v3
