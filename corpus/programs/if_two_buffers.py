# pypto.program: Fork
import pypto.language as pl

@pl.program
class Fork:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def ladle_out(pot__ssa_v0: pl.Tensor[[10, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 960)], bowl__ssa_v0: pl.Out[pl.Tensor[[10, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 960)]]) -> pl.Tensor[[10, 24], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 960)
        t__ssa_v0: pl.Tile[[10, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 960), pl.Mem.Vec] = pl.tile.load(pot__ssa_v0, [0, 0], [10, 24], [10, 24], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[10, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 960), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        bowl__ssa_v1: pl.Tensor[[10, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 960)] = pl.tile.store(r__ssa_v0, [0, 0], bowl__ssa_v0)
        return bowl__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def supper(self, pot__ssa_v0: pl.Tensor[[10, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 960)], mouth__ssa_v0: pl.Out[pl.Tensor[[10, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 960)]], guests__ssa_v0: pl.Scalar[pl.INDEX]) -> pl.Tensor[[10, 24], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            soup__ssa_v0: pl.Tensor[[10, 24], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 960)] = pl.tensor.create([10, 24], dtype=pl.FP32, layout=pl.TensorLayout.ND)
            stew__ssa_v0: pl.Tensor[[10, 24], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 960)] = pl.tensor.create([10, 24], dtype=pl.FP32, layout=pl.TensorLayout.ND)
            first__ssa_v0: pl.Tuple[pl.Tensor[[10, 24], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.ladle_out, pot__ssa_v0, soup__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            soup__ssa_v1: pl.Tensor[[10, 24], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 960)] = first__ssa_v0[0]
            hot__ssa_v0: pl.Scalar[pl.TASK_ID] = first__ssa_v0[1]
            second__ssa_v0: pl.Tuple[pl.Tensor[[10, 24], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.ladle_out, pot__ssa_v0, stew__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            stew__ssa_v1: pl.Tensor[[10, 24], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 960)] = second__ssa_v0[0]
            thick__ssa_v0: pl.Scalar[pl.TASK_ID] = second__ssa_v0[1]
            if guests__ssa_v0 < 3:
                meal__phi_v0: pl.Tensor[[10, 24], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 960)] = pl.yield_(soup__ssa_v1)
            else:
                meal__phi_v0: pl.Tensor[[10, 24], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 960)] = pl.yield_(stew__ssa_v1)
            spoon__ssa_v0: pl.Tuple[pl.Tensor[[10, 24], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.ladle_out, meal__phi_v0, mouth__ssa_v0, deps=[hot__ssa_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            mouth__ssa_v1: pl.Tensor[[10, 24], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 960)] = spoon__ssa_v0[0]
            eaten__ssa_v0: pl.Scalar[pl.TASK_ID] = spoon__ssa_v0[1]
        return mouth__ssa_v1
