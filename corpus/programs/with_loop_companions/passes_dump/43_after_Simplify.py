# pypto.program: Lighthouse
import pypto.language as pl

@pl.program
class Lighthouse:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def sweep(sea__ssa_v0: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6144)], row__ssa_v0: pl.Scalar[pl.INDEX], beam__ssa_v0: pl.Out[pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)]]) -> pl.Tensor[[48, 32], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1024)
        t__ssa_v0: pl.Tile[[8, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1024), pl.Mem.Vec] = pl.tile.load(sea__ssa_v0, [row__ssa_v0, 0], [8, 32], [8, 32], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[8, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1024), pl.Mem.Vec] = pl.tile.muls(t__ssa_v0, 3.0)
        beam__store: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)] = pl.tile.store(r__ssa_v0, [row__ssa_v0, 0], beam__ssa_v0)
        return beam__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def log_watch(beam__ssa_v0: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6144)], book__ssa_v0: pl.Out[pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)]]) -> pl.Tensor[[48, 32], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 6144)
        t__ssa_v0: pl.Tile[[48, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 6144), pl.Mem.Vec] = pl.tile.load(beam__ssa_v0, [0, 0], [48, 32], [48, 32], target_memory=pl.Mem.Vec)
        book__store: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)] = pl.tile.store(t__ssa_v0, [0, 0], book__ssa_v0)
        return book__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def night(self, sea__ssa_v0: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6144)], book__ssa_v0: pl.Out[pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)]]) -> pl.Tensor[[48, 32], pl.FP32]:
        beam__ssa_v0: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 6144)] = pl.tensor.create([48, 32], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        watch__ssa_v0: pl.Array[6, pl.TASK_ID] = pl.array.create(6, dtype=pl.TASK_ID)
        dusk__ssa_v0: pl.Scalar[pl.TASK_ID] = pl.system.task_invalid()
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            for lamp__idx_v0, (dusk__iter_v1, watch__iter_v1) in pl.range(2, -1, -1, init_values=(dusk__ssa_v0, watch__ssa_v0)):
                for turn__idx_v0, (watch__iter_v3,) in pl.parallel(2, init_values=(watch__iter_v1,)):
                    at__ssa_v0: pl.Scalar[pl.INDEX] = lamp__idx_v0 * 2 + turn__idx_v0
                    row__ssa_v0: pl.Scalar[pl.INDEX] = at__ssa_v0 * 8
                    swept__ssa_v0: pl.Tuple[pl.Tensor[[48, 32], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.sweep, sea__ssa_v0, row__ssa_v0, beam__ssa_v0, deps=[dusk__iter_v1], attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout]})
                    beam__ssa_v1: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 6144)] = swept__ssa_v0[0]
                    tid__ssa_v0: pl.Scalar[pl.TASK_ID] = swept__ssa_v0[1]
                    watch__ssa_v5: pl.Array[6, pl.TASK_ID] = pl.array.update_element(watch__iter_v3, at__ssa_v0, tid__ssa_v0)
                    watch__rv_v4 = pl.yield_(watch__ssa_v5)
                if lamp__idx_v0 == 2:
                    fence__ssa_v0: pl.Scalar[pl.TASK_ID] = pl.system.task_dummy(deps=[watch__rv_v4])
                    dusk__phi_v3: pl.Scalar[pl.TASK_ID] = pl.yield_(fence__ssa_v0)
                else:
                    dusk__phi_v3: pl.Scalar[pl.TASK_ID] = pl.yield_(dusk__iter_v1)
                dusk__rv_v2, watch__rv_v2 = pl.yield_(dusk__phi_v3, watch__rv_v4)
            logged__ssa_v0: pl.Tuple[pl.Tensor[[48, 32], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.log_watch, beam__ssa_v1, book__ssa_v0, deps=[dusk__rv_v2, watch__rv_v2], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            book__ssa_v1: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 6144)] = logged__ssa_v0[0]
            tid__ssa_v1: pl.Scalar[pl.TASK_ID] = logged__ssa_v0[1]
        return book__ssa_v1
