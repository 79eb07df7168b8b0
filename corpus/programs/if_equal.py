# pypto.program: Tollgate
import pypto.language as pl

@pl.program
class Tollgate:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def pay(purse__ssa_v0: pl.Tensor[[21, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1344)], gold__ssa_v0: pl.Out[pl.Tensor[[21, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1344)]]) -> pl.Tensor[[21, 16], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1344)
        t__ssa_v0: pl.Tile[[21, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1344), pl.Mem.Vec] = pl.tile.load(purse__ssa_v0, [0, 0], [21, 16], [21, 16], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[21, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1344), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        gold__ssa_v1: pl.Tensor[[21, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1344)] = pl.tile.store(r__ssa_v0, [0, 0], gold__ssa_v0)
        return gold__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def spend(gold__ssa_v0: pl.Tensor[[21, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1344)], feast__ssa_v0: pl.Out[pl.Tensor[[21, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1344)]]) -> pl.Tensor[[21, 16], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1344)
        t__ssa_v0: pl.Tile[[21, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1344), pl.Mem.Vec] = pl.tile.load(gold__ssa_v0, [0, 0], [21, 16], [21, 16], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[21, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1344), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        feast__ssa_v1: pl.Tensor[[21, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1344)] = pl.tile.store(r__ssa_v0, [0, 0], feast__ssa_v0)
        return feast__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def bridge(self, purse__ssa_v0: pl.Tensor[[21, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1344)], feast__ssa_v0: pl.InOut[pl.Tensor[[21, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1344)]], guests__ssa_v0: pl.Scalar[pl.INDEX]) -> pl.Tensor[[21, 16], pl.FP32]:
        gold__ssa_v0: pl.Tensor[[21, 16], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 1344)] = pl.tensor.create([21, 16], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        if 4 < guests__ssa_v0:
            gold__ssa_v1: pl.Tensor[[21, 16], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 1344)] = self.pay(purse__ssa_v0, gold__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            gold__phi_v2: pl.Tensor[[21, 16], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 1344)] = pl.yield_(gold__ssa_v1)
        else:
            gold__phi_v2: pl.Tensor[[21, 16], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 1344)] = pl.yield_(gold__ssa_v0)
        if 4 < guests__ssa_v0:
            feast__ssa_v1: pl.Tensor[[21, 16], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 1344)] = self.spend(gold__phi_v2, feast__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
            feast__phi_v2: pl.Tensor[[21, 16], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 1344)] = pl.yield_(feast__ssa_v1)
        else:
            feast__phi_v2: pl.Tensor[[21, 16], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 1344)] = pl.yield_(feast__ssa_v0)
        return feast__phi_v2
