# pypto.program: GhostTrain
import pypto.language as pl

@pl.program
class GhostTrain:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def couple(wagon__ssa_v0: pl.Tensor[[11, 70], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3080)], train__ssa_v0: pl.Out[pl.Tensor[[11, 70], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3080)]]) -> pl.Tensor[[11, 70], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3080)
        t__ssa_v0: pl.Tile[[11, 70], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3080), pl.Mem.Vec] = pl.tile.load(wagon__ssa_v0, [0, 0], [11, 70], [11, 70], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[11, 70], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3080), pl.Mem.Vec] = pl.tile.adds(t__ssa_v0, 4.0)
        train__ssa_v1: pl.Tensor[[11, 70], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3080)] = pl.tile.store(r__ssa_v0, [0, 0], train__ssa_v0)
        return train__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def line(self, wagon__ssa_v0: pl.Tensor[[11, 70], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3080)], yard__ssa_v0: pl.Out[pl.Tensor[[11, 70], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3080)]], train__ssa_v0: pl.Out[pl.Tensor[[11, 70], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 3080)]]) -> tuple[pl.Tensor[[11, 70], pl.FP32], pl.Tensor[[11, 70], pl.FP32]]:
        signal__ssa_v0: pl.Scalar[pl.TASK_ID] = pl.system.task_invalid()
        run__ssa_v0: pl.Tuple[pl.Tensor[[11, 70], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.couple, wagon__ssa_v0, yard__ssa_v0, deps=[None], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        yard__ssa_v1: pl.Tensor[[11, 70], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 3080)] = run__ssa_v0[0]
        first__ssa_v0: pl.Scalar[pl.TASK_ID] = run__ssa_v0[1]
        run_1: pl.Tuple[pl.Tensor[[11, 70], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.couple, yard__ssa_v1, train__ssa_v0, deps=[signal__ssa_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        train__ssa_v1: pl.Tensor[[11, 70], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 3080)] = run_1[0]
        second__ssa_v0: pl.Scalar[pl.TASK_ID] = run_1[1]
        return yard__ssa_v1, train__ssa_v1
