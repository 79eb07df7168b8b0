# pypto.program: Lamplighter
import pypto.language as pl

@pl.program
class Lamplighter:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def light(oil__ssa_v0: pl.Tensor[[36, 18], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2592)], at__idx_v0: pl.Scalar[pl.INDEX], street__ssa_v0: pl.Out[pl.Tensor[[36, 18], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2592)]]) -> pl.Tensor[[36, 18], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 648)
        t__ssa_v0: pl.Tile[[9, 18], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 648), pl.Mem.Vec] = pl.tile.load(oil__ssa_v0, [at__idx_v0 * 9, 0], [9, 18], [9, 18], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[9, 18], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 648), pl.Mem.Vec] = pl.tile.sqrt(t__ssa_v0)
        street__ssa_v1: pl.Tensor[[36, 18], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2592)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 9, 0], street__ssa_v0)
        return street__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def stroll(street__ssa_v0: pl.Tensor[[36, 18], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2592)], night__ssa_v0: pl.Out[pl.Tensor[[36, 18], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2592)]]) -> pl.Tensor[[36, 18], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2592)
        t__ssa_v0: pl.Tile[[36, 18], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2592), pl.Mem.Vec] = pl.tile.load(street__ssa_v0, [0, 0], [36, 18], [36, 18], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[36, 18], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2592), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        night__ssa_v1: pl.Tensor[[36, 18], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2592)] = pl.tile.store(r__ssa_v0, [0, 0], night__ssa_v0)
        return night__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def evening(self, oil__ssa_v0: pl.Tensor[[36, 18], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2592)], night__ssa_v0: pl.Out[pl.Tensor[[36, 18], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2592)]]) -> pl.Tensor[[36, 18], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            street__ssa_v0: pl.Tensor[[36, 18], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2592)] = pl.tensor.create([36, 18], dtype=pl.FP32, layout=pl.TensorLayout.ND)
            match__ssa_v0: pl.Tuple[pl.Tensor[[36, 18], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.light, oil__ssa_v0, 0, street__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
            street__ssa_v1: pl.Tensor[[36, 18], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2592)] = match__ssa_v0[0]
            lit__ssa_v0: pl.Scalar[pl.TASK_ID] = match__ssa_v0[1]
            for post__idx_v0, (lit__iter_v1,) in pl.range(1, 4, init_values=(lit__ssa_v0,)):
                pole__ssa_v0: pl.Tuple[pl.Tensor[[36, 18], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.light, oil__ssa_v0, post__idx_v0, street__ssa_v1, deps=[lit__iter_v1], attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout]})
                street__ssa_v2: pl.Tensor[[36, 18], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2592)] = pole__ssa_v0[0]
                lit__ssa_v2: pl.Scalar[pl.TASK_ID] = pole__ssa_v0[1]
                lit__rv_v3: pl.Scalar[pl.TASK_ID] = pl.yield_(lit__ssa_v2)
            walk__ssa_v0: pl.Tuple[pl.Tensor[[36, 18], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.stroll, street__ssa_v2, night__ssa_v0, deps=[lit__ssa_v2], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            night__ssa_v1: pl.Tensor[[36, 18], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 2592)] = walk__ssa_v0[0]
            home__ssa_v0: pl.Scalar[pl.TASK_ID] = walk__ssa_v0[1]
        return night__ssa_v1
