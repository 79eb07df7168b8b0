# pypto.program: MintHanded
import pypto.language as pl

@pl.program
class MintHanded:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def strike(bar__ssa_v0: pl.Tensor[[20, 36], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2880)], at__idx_v0: pl.Scalar[pl.INDEX], coins__ssa_v0: pl.Out[pl.Tensor[[20, 36], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2880)]]) -> pl.Tensor[[20, 36], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1440)
        t__ssa_v0: pl.Tile[[10, 36], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1440), pl.Mem.Vec] = pl.tile.load(bar__ssa_v0, [at__idx_v0 * 10, 0], [10, 36], [10, 36], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[10, 36], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1440), pl.Mem.Vec] = pl.tile.rsqrt(t__ssa_v0)
        coins__ssa_v1: pl.Tensor[[20, 36], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2880)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 10, 0], coins__ssa_v0)
        return coins__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def count_coins(coins__ssa_v0: pl.Tensor[[20, 36], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2880)], ledger__ssa_v0: pl.Out[pl.Tensor[[20, 36], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2880)]]) -> pl.Tensor[[20, 36], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2880)
        t__ssa_v0: pl.Tile[[20, 36], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2880), pl.Mem.Vec] = pl.tile.load(coins__ssa_v0, [0, 0], [20, 36], [20, 36], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[20, 36], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2880), pl.Mem.Vec] = pl.tile.adds(t__ssa_v0, 2.0)
        ledger__ssa_v1: pl.Tensor[[20, 36], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2880)] = pl.tile.store(r__ssa_v0, [0, 0], ledger__ssa_v0)
        return ledger__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def treasury(self, bar__ssa_v0: pl.Tensor[[20, 36], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2880)], ledger__ssa_v0: pl.Out[pl.Tensor[[20, 36], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2880)]]) -> pl.Tensor[[20, 36], pl.FP32]:
        coins__ssa_v0: pl.Tensor[[20, 36], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2880)] = pl.tensor.create([20, 36], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            struck__ssa_v0: pl.Array[2, pl.TASK_ID] = pl.array.create(2, dtype=pl.TASK_ID)
            for die__idx_v0, (coins__iter_v1, struck__iter_v1) in pl.parallel(2, init_values=(coins__ssa_v0, struck__ssa_v0)):
                blow__ssa_v0: pl.Tuple[pl.Tensor[[20, 36], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.strike, bar__ssa_v0, die__idx_v0, coins__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
                coins__ssa_v3: pl.Tensor[[20, 36], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2880)] = blow__ssa_v0[0]
                one__ssa_v0: pl.Scalar[pl.TASK_ID] = blow__ssa_v0[1]
                struck__ssa_v3: pl.Array[2, pl.TASK_ID] = pl.array.update_element(struck__iter_v1, die__idx_v0, one__ssa_v0)
                coins__rv_v2, struck__rv_v2 = pl.yield_(coins__ssa_v3, struck__ssa_v3)
        tally__ssa_v0: pl.Tuple[pl.Tensor[[20, 36], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.count_coins, coins__rv_v2, ledger__ssa_v0, deps=[struck__rv_v2], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        ledger__ssa_v1: pl.Tensor[[20, 36], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 2880)] = tally__ssa_v0[0]
        counted__ssa_v0: pl.Scalar[pl.TASK_ID] = tally__ssa_v0[1]
        return ledger__ssa_v1
