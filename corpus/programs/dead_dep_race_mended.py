# pypto.program: StaircaseCarried
import pypto.language as pl

@pl.program
class StaircaseCarried:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def climb(stair__ssa_v0: pl.InOut[pl.Tensor[[40, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2560)]], step__idx_v0: pl.Scalar[pl.INDEX]) -> pl.Tensor[[40, 16], pl.FP32]:
        mem_vec_1: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 640)
        t__ssa_v0: pl.Tile[[10, 16], pl.FP32, pl.MemRef(mem_vec_1, pl.const(0, pl.INT64), 640), pl.Mem.Vec] = pl.tile.load(stair__ssa_v0, [step__idx_v0 * 10, 0], [10, 16], [10, 16], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[10, 16], pl.FP32, pl.MemRef(mem_vec_1, pl.const(0, pl.INT64), 640), pl.Mem.Vec] = pl.tile.adds(t__ssa_v0, 0.5)
        stair__ssa_v1: pl.Tensor[[40, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2560)] = pl.tile.store(r__ssa_v0, [step__idx_v0 * 10 + 10, 0], stair__ssa_v0)
        return stair__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def tower(self, stair__ssa_v0: pl.InOut[pl.Tensor[[40, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2560)]]) -> pl.Tensor[[40, 16], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            below__ssa_v0: pl.Scalar[pl.TASK_ID] = pl.system.task_invalid()
            for step__idx_v0, (below__iter_v1, stair__iter_v1) in pl.range(3, init_values=(below__ssa_v0, stair__ssa_v0)):
                foot__ssa_v0: pl.Tuple[pl.Tensor[[40, 16], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.climb, stair__iter_v1, step__idx_v0, deps=[below__iter_v1], attrs={"arg_directions": [pl.adir.inout, pl.adir.scalar]})
                stair__ssa_v3: pl.Tensor[[40, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2560)] = foot__ssa_v0[0]
                below__ssa_v3: pl.Scalar[pl.TASK_ID] = foot__ssa_v0[1]
                below__rv_v2, stair__rv_v2 = pl.yield_(below__ssa_v3, stair__ssa_v3)
        return stair__rv_v2
