# pypto.program: Footrace
import pypto.language as pl

@pl.program
class Footrace:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def run_lap(field__ssa_v0: pl.Tensor[[60, 48], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 11520)], at__idx_v0: pl.Scalar[pl.INDEX], track__ssa_v0: pl.Out[pl.Tensor[[60, 48], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 11520)]]) -> pl.Tensor[[60, 48], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3840)
        t__ssa_v0: pl.Tile[[20, 48], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.load(field__ssa_v0, [at__idx_v0 * 20, 0], [20, 48], [20, 48], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[20, 48], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.sqrt(t__ssa_v0)
        track__ssa_v1: pl.Tensor[[60, 48], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 11520)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 20, 0], track__ssa_v0)
        return track__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def relay(self, field__ssa_v0: pl.Tensor[[60, 48], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 11520)], track__ssa_v0: pl.Out[pl.Tensor[[60, 48], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 11520)]]) -> pl.Tensor[[60, 48], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            gone__ssa_v0: pl.Scalar[pl.TASK_ID] = pl.system.task_invalid()
            for lap__idx_v0, (track__iter_v1,) in pl.range(3, init_values=(track__ssa_v0,)):
                leg__ssa_v0: pl.Tuple[pl.Tensor[[60, 48], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.run_lap, field__ssa_v0, lap__idx_v0, track__iter_v1, deps=[gone__ssa_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout]})
                track__ssa_v3: pl.Tensor[[60, 48], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 11520)] = leg__ssa_v0[0]
                gone__ssa_v0_1: pl.Scalar[pl.TASK_ID] = leg__ssa_v0[1]
                track__rv_v2: pl.Tensor[[60, 48], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 11520)] = pl.yield_(track__ssa_v3)
        return track__rv_v2
