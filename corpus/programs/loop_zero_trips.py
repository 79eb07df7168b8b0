# pypto.program: Siding
import pypto.language as pl

@pl.program
class Siding:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def couple(yard__ssa_v0: pl.Tensor[[40, 14], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2240)], at__idx_v0: pl.Scalar[pl.INDEX], train__ssa_v0: pl.Out[pl.Tensor[[40, 14], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2240)]]) -> pl.Tensor[[40, 14], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 448)
        t__ssa_v0: pl.Tile[[8, 14], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 448), pl.Mem.Vec] = pl.tile.load(yard__ssa_v0, [at__idx_v0 * 8, 0], [8, 14], [8, 14], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[8, 14], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 448), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        train__ssa_v1: pl.Tensor[[40, 14], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2240)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 8, 0], train__ssa_v0)
        return train__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def shunt(yard__ssa_v0: pl.Tensor[[40, 14], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2240)], train__ssa_v0: pl.Out[pl.Tensor[[40, 14], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2240)]]) -> pl.Tensor[[40, 14], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2240)
        t__ssa_v0: pl.Tile[[40, 14], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2240), pl.Mem.Vec] = pl.tile.load(yard__ssa_v0, [0, 0], [40, 14], [40, 14], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[40, 14], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2240), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        train__ssa_v1: pl.Tensor[[40, 14], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2240)] = pl.tile.store(r__ssa_v0, [0, 0], train__ssa_v0)
        return train__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def inspect(train__ssa_v0: pl.Tensor[[40, 14], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2240)], list__ssa_v0: pl.Out[pl.Tensor[[16, 14], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 896)]]) -> pl.Tensor[[16, 14], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 448)
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 448)
        t__ssa_v0: pl.Tile[[8, 14], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 448), pl.Mem.Vec] = pl.tile.load(train__ssa_v0, [0, 0], [8, 14], [8, 14], target_memory=pl.Mem.Vec)
        list__ssa_v1: pl.Tensor[[16, 14], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 896)] = pl.tile.store(t__ssa_v0, [0, 0], list__ssa_v0)
        u__ssa_v0: pl.Tile[[8, 14], pl.FP32, pl.MemRef(mem_vec_3, pl.const(448, pl.INT64), 448), pl.Mem.Vec] = pl.tile.load(train__ssa_v0, [32, 0], [8, 14], [8, 14], target_memory=pl.Mem.Vec)
        list__ssa_v2: pl.Tensor[[16, 14], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 896)] = pl.tile.store(u__ssa_v0, [8, 0], list__ssa_v1)
        return list__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def depot(self, yard__ssa_v0: pl.Tensor[[40, 14], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2240)], list__ssa_v0: pl.Out[pl.Tensor[[16, 14], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 896)]]) -> pl.Tensor[[16, 14], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            train__ssa_v0: pl.Tensor[[40, 14], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2240)] = pl.tensor.create([40, 14], dtype=pl.FP32, layout=pl.TensorLayout.ND)
            first__ssa_v0: pl.Tuple[pl.Tensor[[40, 14], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.couple, yard__ssa_v0, 0, train__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
            train__ssa_v1: pl.Tensor[[40, 14], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2240)] = first__ssa_v0[0]
            ready__ssa_v0: pl.Scalar[pl.TASK_ID] = first__ssa_v0[1]
            for night__idx_v0, (ready__iter_v1, train__iter_v2) in pl.range(5, 5, init_values=(ready__ssa_v0, train__ssa_v1)):
                extra__ssa_v0: pl.Tuple[pl.Tensor[[40, 14], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.shunt, yard__ssa_v0, train__iter_v2, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
                train__ssa_v4: pl.Tensor[[40, 14], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2240)] = extra__ssa_v0[0]
                ready__ssa_v3: pl.Scalar[pl.TASK_ID] = extra__ssa_v0[1]
                ready__rv_v2, train__rv_v3 = pl.yield_(ready__ssa_v3, train__ssa_v4)
            for day__idx_v0, (ready__iter_v4, train__iter_v5) in pl.range(4, 5, init_values=(ready__rv_v2, train__rv_v3)):
                more__ssa_v0: pl.Tuple[pl.Tensor[[40, 14], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.couple, yard__ssa_v0, day__idx_v0, train__iter_v5, deps=[ready__iter_v4], attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout]})
                train__ssa_v7: pl.Tensor[[40, 14], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 2240)] = more__ssa_v0[0]
                ready__ssa_v6: pl.Scalar[pl.TASK_ID] = more__ssa_v0[1]
                ready__rv_v5, train__rv_v6 = pl.yield_(ready__ssa_v6, train__ssa_v7)
            check__ssa_v0: pl.Tuple[pl.Tensor[[16, 14], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.inspect, train__rv_v6, list__ssa_v0, deps=[ready__rv_v5], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            list__ssa_v1: pl.Tensor[[16, 14], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 896)] = check__ssa_v0[0]
            checked__ssa_v0: pl.Scalar[pl.TASK_ID] = check__ssa_v0[1]
        return list__ssa_v1
