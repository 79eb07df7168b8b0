# pypto.program: Dunes
import pypto.language as pl

SAND = pl.dynamic("SAND")

@pl.program
class Dunes:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def blow_over(dune__ssa_v0: pl.InOut[pl.Tensor[[SAND, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 0)]], wind__idx_v0: pl.Scalar[pl.INDEX], ridge__idx_v0: pl.Scalar[pl.INDEX]) -> pl.Tensor[[SAND, 16], pl.FP32]:
        mem_vec_1: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 768)
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 256)
        t__ssa_v0: pl.Tile[[12, 16], pl.FP32, pl.MemRef(mem_vec_1, pl.const(0, pl.INT64), 768), pl.Mem.Vec] = pl.tile.load(dune__ssa_v0, [wind__idx_v0 * 12, 0], [12, 16], [12, 16], target_memory=pl.Mem.Vec)
        s__ssa_v0: pl.Tile[[4, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(768, pl.INT64), 256), pl.Mem.Vec] = pl.tile.load(dune__ssa_v0, [wind__idx_v0 * 12 + ridge__idx_v0 * 4, 0], [4, 16], [4, 16], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[4, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(768, pl.INT64), 256), pl.Mem.Vec] = pl.tile.muls(s__ssa_v0, 0.5)
        dune__ssa_v1: pl.Tensor[[SAND, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 0)] = pl.tile.store(r__ssa_v0, [wind__idx_v0 * 12 + 12 + ridge__idx_v0 * 4, 0], dune__ssa_v0)
        return dune__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def shore(self, dune__ssa_v0: pl.InOut[pl.Tensor[[SAND, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 0)]], storms__ssa_v0: pl.Scalar[pl.INDEX]) -> pl.Tensor[[SAND, 16], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            before__ssa_v0: pl.Array[3, pl.TASK_ID] = pl.array.create(3, dtype=pl.TASK_ID)
            for wind__idx_v0, (before__iter_v1, dune__iter_v1) in pl.range(storms__ssa_v0, init_values=(before__ssa_v0, dune__ssa_v0)):
                after__ssa_v0: pl.Array[3, pl.TASK_ID] = pl.array.create(3, dtype=pl.TASK_ID)
                for ridge__idx_v0, (after__iter_v1, dune__iter_v3) in pl.parallel(3, init_values=(after__ssa_v0, dune__iter_v1)):
                    gust__ssa_v0: pl.Tuple[pl.Tensor[[SAND, 16], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.blow_over, dune__iter_v3, wind__idx_v0, ridge__idx_v0, deps=[before__iter_v1], attrs={"arg_directions": [pl.adir.inout, pl.adir.scalar, pl.adir.scalar]})
                    dune__ssa_v5: pl.Tensor[[SAND, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)] = gust__ssa_v0[0]
                    blown__ssa_v0: pl.Scalar[pl.TASK_ID] = gust__ssa_v0[1]
                    after__ssa_v3: pl.Array[3, pl.TASK_ID] = pl.array.update_element(after__iter_v1, ridge__idx_v0, blown__ssa_v0)
                    after__rv_v2, dune__rv_v4 = pl.yield_(after__ssa_v3, dune__ssa_v5)
                before__rv_v2, dune__rv_v2 = pl.yield_(after__rv_v2, dune__rv_v4)
        return dune__rv_v2
