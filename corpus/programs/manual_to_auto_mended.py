# pypto.program: HandOverMended
import pypto.language as pl

@pl.program
class HandOverMended:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def pour(jug__ssa_v0: pl.Tensor[[32, 80], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 10240)], cup__ssa_v0: pl.Out[pl.Tensor[[32, 80], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 10240)]]) -> pl.Tensor[[32, 80], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 10240)
        t__ssa_v0: pl.Tile[[32, 80], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 10240), pl.Mem.Vec] = pl.tile.load(jug__ssa_v0, [0, 0], [32, 80], [32, 80], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[32, 80], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 10240), pl.Mem.Vec] = pl.tile.relu(t__ssa_v0)
        cup__ssa_v1: pl.Tensor[[32, 80], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 10240)] = pl.tile.store(r__ssa_v0, [0, 0], cup__ssa_v0)
        return cup__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def drink(cup__ssa_v0: pl.Tensor[[32, 80], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 10240)], guest__ssa_v0: pl.Out[pl.Tensor[[32, 80], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 10240)]]) -> pl.Tensor[[32, 80], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 10240)
        t__ssa_v0: pl.Tile[[32, 80], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 10240), pl.Mem.Vec] = pl.tile.load(cup__ssa_v0, [0, 0], [32, 80], [32, 80], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[32, 80], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 10240), pl.Mem.Vec] = pl.tile.log(t__ssa_v0)
        guest__ssa_v1: pl.Tensor[[32, 80], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 10240)] = pl.tile.store(r__ssa_v0, [0, 0], guest__ssa_v0)
        return guest__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def table(self, jug__ssa_v0: pl.Tensor[[32, 80], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 10240)], guest__ssa_v0: pl.Out[pl.Tensor[[32, 80], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 10240)]]) -> pl.Tensor[[32, 80], pl.FP32]:
        cup__ssa_v0: pl.Tensor[[32, 80], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 10240)] = pl.tensor.create([32, 80], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            poured__ssa_v0: pl.Tuple[pl.Tensor[[32, 80], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.pour, jug__ssa_v0, cup__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            cup__ssa_v1: pl.Tensor[[32, 80], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 10240)] = poured__ssa_v0[0]
            full__ssa_v0: pl.Scalar[pl.TASK_ID] = poured__ssa_v0[1]
        drunk__ssa_v0: pl.Tuple[pl.Tensor[[32, 80], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.drink, cup__ssa_v1, guest__ssa_v0, deps=[full__ssa_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        guest__ssa_v1: pl.Tensor[[32, 80], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 10240)] = drunk__ssa_v0[0]
        empty__ssa_v0: pl.Scalar[pl.TASK_ID] = drunk__ssa_v0[1]
        return guest__ssa_v1
