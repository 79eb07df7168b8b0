# pypto.program: LockkeepersFirst
import pypto.language as pl

@pl.program
class LockkeepersFirst:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def raise_water(spring__ssa_v0: pl.Tensor[[30, 14], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1680)], at__idx_v0: pl.Scalar[pl.INDEX], locks__ssa_v0: pl.Out[pl.Tensor[[30, 14], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1680)]]) -> pl.Tensor[[30, 14], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 560)
        t__ssa_v0: pl.Tile[[10, 14], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 560), pl.Mem.Vec] = pl.tile.load(spring__ssa_v0, [at__idx_v0 * 10, 0], [10, 14], [10, 14], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[10, 14], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 560), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        locks__ssa_v1: pl.Tensor[[30, 14], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1680)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 10, 0], locks__ssa_v0)
        return locks__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def pass_boat(locks__ssa_v0: pl.Tensor[[30, 14], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1680)], at__idx_v0: pl.Scalar[pl.INDEX], sea__ssa_v0: pl.Out[pl.Tensor[[30, 14], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1680)]]) -> pl.Tensor[[30, 14], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 560)
        t__ssa_v0: pl.Tile[[10, 14], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 560), pl.Mem.Vec] = pl.tile.load(locks__ssa_v0, [at__idx_v0 * 10, 0], [10, 14], [10, 14], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[10, 14], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 560), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        sea__ssa_v1: pl.Tensor[[30, 14], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1680)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 10, 0], sea__ssa_v0)
        return sea__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def river(self, spring__ssa_v0: pl.Tensor[[30, 14], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1680)], sea__ssa_v0: pl.Out[pl.Tensor[[30, 14], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1680)]]) -> pl.Tensor[[30, 14], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            locks__ssa_v0: pl.Tensor[[30, 14], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 1680)] = pl.tensor.create([30, 14], dtype=pl.FP32, layout=pl.TensorLayout.ND)
            full__ssa_v0: pl.Array[3, pl.TASK_ID] = pl.array.create(3, dtype=pl.TASK_ID)
            for lock__idx_v0, (full__iter_v1, locks__iter_v1) in pl.parallel(3, init_values=(full__ssa_v0, locks__ssa_v0)):
                pump__ssa_v0: pl.Tuple[pl.Tensor[[30, 14], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.raise_water, spring__ssa_v0, lock__idx_v0, locks__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
                locks__ssa_v3: pl.Tensor[[30, 14], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 1680)] = pump__ssa_v0[0]
                high__ssa_v0: pl.Scalar[pl.TASK_ID] = pump__ssa_v0[1]
                full__ssa_v3: pl.Array[3, pl.TASK_ID] = pl.array.update_element(full__iter_v1, lock__idx_v0, high__ssa_v0)
                full__rv_v2, locks__rv_v2 = pl.yield_(full__ssa_v3, locks__ssa_v3)
            for boat__idx_v0, (sea__iter_v1,) in pl.parallel(3, init_values=(sea__ssa_v0,)):
                mine__ssa_v0: pl.Scalar[pl.TASK_ID] = pl.array.get_element(full__rv_v2, 0)
                horn__ssa_v0: pl.Tuple[pl.Tensor[[30, 14], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.pass_boat, locks__rv_v2, boat__idx_v0, sea__iter_v1, deps=[mine__ssa_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
                sea__ssa_v3: pl.Tensor[[30, 14], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 1680)] = horn__ssa_v0[0]
                away__ssa_v0: pl.Scalar[pl.TASK_ID] = horn__ssa_v0[1]
                sea__rv_v2: pl.Tensor[[30, 14], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 1680)] = pl.yield_(sea__ssa_v3)
        return sea__rv_v2
