# pypto.program: GlacierLost
import pypto.language as pl

DEPTH = pl.dynamic("DEPTH")

@pl.program
class GlacierLost:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def creep(ice__ssa_v0: pl.InOut[pl.Tensor[[DEPTH, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 0)]], year__idx_v0: pl.Scalar[pl.INDEX]) -> pl.Tensor[[DEPTH, 16], pl.FP32]:
        mem_vec_1: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 640)
        t__ssa_v0: pl.Tile[[10, 16], pl.FP32, pl.MemRef(mem_vec_1, pl.const(0, pl.INT64), 640), pl.Mem.Vec] = pl.tile.load(ice__ssa_v0, [year__idx_v0 * 10, 0], [10, 16], [10, 16], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[10, 16], pl.FP32, pl.MemRef(mem_vec_1, pl.const(0, pl.INT64), 640), pl.Mem.Vec] = pl.tile.muls(t__ssa_v0, 0.9)
        ice__ssa_v1: pl.Tensor[[DEPTH, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 0)] = pl.tile.store(r__ssa_v0, [year__idx_v0 * 10 + 10, 0], ice__ssa_v0)
        return ice__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def valley(self, ice__ssa_v0: pl.InOut[pl.Tensor[[DEPTH, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 0)]], years__ssa_v0: pl.Scalar[pl.INDEX]) -> pl.Tensor[[DEPTH, 16], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            past__ssa_v0: pl.Scalar[pl.TASK_ID] = pl.system.task_invalid()
            for year__idx_v0, (ice__iter_v1,) in pl.range(years__ssa_v0, init_values=(ice__ssa_v0,)):
                flow__ssa_v0: pl.Tuple[pl.Tensor[[DEPTH, 16], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.creep, ice__iter_v1, year__idx_v0, deps=[past__ssa_v0], attrs={"arg_directions": [pl.adir.inout, pl.adir.scalar]})
                ice__ssa_v3: pl.Tensor[[DEPTH, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)] = flow__ssa_v0[0]
                past__ssa_v0_1: pl.Scalar[pl.TASK_ID] = flow__ssa_v0[1]
                ice__rv_v2: pl.Tensor[[DEPTH, 16], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 0)] = pl.yield_(ice__ssa_v3)
        return ice__rv_v2
