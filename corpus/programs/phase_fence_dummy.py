# pypto.program: Terraces
import pypto.language as pl

@pl.program
class Terraces:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def flood(paddy__ssa_v0: pl.InOut[pl.Tensor[[48, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3072)]], level__idx_v0: pl.Scalar[pl.INDEX], plot__idx_v0: pl.Scalar[pl.INDEX]) -> pl.Tensor[[48, 16], pl.FP32]:
        mem_vec_1: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 768)
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 256)
        t__ssa_v0: pl.Tile[[12, 16], pl.FP32, pl.MemRef(mem_vec_1, pl.const(0, pl.INT64), 768), pl.Mem.Vec] = pl.tile.load(paddy__ssa_v0, [level__idx_v0 * 12, 0], [12, 16], [12, 16], target_memory=pl.Mem.Vec)
        s__ssa_v0: pl.Tile[[4, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(768, pl.INT64), 256), pl.Mem.Vec] = pl.tile.load(paddy__ssa_v0, [level__idx_v0 * 12 + plot__idx_v0 * 4, 0], [4, 16], [4, 16], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[4, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(768, pl.INT64), 256), pl.Mem.Vec] = pl.tile.muls(s__ssa_v0, 0.5)
        paddy__ssa_v1: pl.Tensor[[48, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3072)] = pl.tile.store(r__ssa_v0, [level__idx_v0 * 12 + 12 + plot__idx_v0 * 4, 0], paddy__ssa_v0)
        return paddy__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def hillside(self, paddy__ssa_v0: pl.InOut[pl.Tensor[[48, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3072)]]) -> pl.Tensor[[48, 16], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            above__ssa_v0: pl.Array[3, pl.TASK_ID] = pl.array.create(3, dtype=pl.TASK_ID)
            for level__idx_v0, (above__iter_v1, paddy__iter_v1) in pl.range(3, init_values=(above__ssa_v0, paddy__ssa_v0)):
                dam__ssa_v0: pl.Scalar[pl.TASK_ID] = pl.system.task_dummy(deps=[above__iter_v1])
                filled__ssa_v0: pl.Array[3, pl.TASK_ID] = pl.array.create(3, dtype=pl.TASK_ID)
                for plot__idx_v0, (filled__iter_v1, paddy__iter_v3) in pl.parallel(3, init_values=(filled__ssa_v0, paddy__iter_v1)):
                    sluice__ssa_v0: pl.Tuple[pl.Tensor[[48, 16], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.flood, paddy__iter_v3, level__idx_v0, plot__idx_v0, deps=[dam__ssa_v0], attrs={"arg_directions": [pl.adir.inout, pl.adir.scalar, pl.adir.scalar]})
                    paddy__ssa_v5: pl.Tensor[[48, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3072)] = sluice__ssa_v0[0]
                    wet__ssa_v0: pl.Scalar[pl.TASK_ID] = sluice__ssa_v0[1]
                    filled__ssa_v3: pl.Array[3, pl.TASK_ID] = pl.array.update_element(filled__iter_v1, plot__idx_v0, wet__ssa_v0)
                    filled__rv_v2, paddy__rv_v4 = pl.yield_(filled__ssa_v3, paddy__ssa_v5)
                above__rv_v2, paddy__rv_v2 = pl.yield_(filled__rv_v2, paddy__rv_v4)
        return paddy__rv_v2
