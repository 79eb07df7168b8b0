# pypto.program: Foundry
import pypto.language as pl

@pl.program
class Foundry:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def melt(ore__ssa_v0: pl.Tensor[[16, 34], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2176)], ladle__ssa_v0: pl.Out[pl.Tensor[[16, 34], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2176)]]) -> pl.Tensor[[16, 34], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2176)
        t__ssa_v0: pl.Tile[[16, 34], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2176), pl.Mem.Vec] = pl.tile.load(ore__ssa_v0, [0, 0], [16, 34], [16, 34], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[16, 34], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2176), pl.Mem.Vec] = pl.tile.exp(t__ssa_v0)
        ladle__ssa_v1: pl.Tensor[[16, 34], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2176)] = pl.tile.store(r__ssa_v0, [0, 0], ladle__ssa_v0)
        return ladle__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def cast_bell(ladle__ssa_v0: pl.Tensor[[16, 34], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2176)], bell__ssa_v0: pl.Out[pl.Tensor[[16, 34], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2176)]]) -> pl.Tensor[[16, 34], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2176)
        t__ssa_v0: pl.Tile[[16, 34], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2176), pl.Mem.Vec] = pl.tile.load(ladle__ssa_v0, [0, 0], [16, 34], [16, 34], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[16, 34], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2176), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        bell__ssa_v1: pl.Tensor[[16, 34], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2176)] = pl.tile.store(r__ssa_v0, [0, 0], bell__ssa_v0)
        return bell__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def works(self, ore__ssa_v0: pl.Tensor[[16, 34], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2176)], bell__ssa_v0: pl.Out[pl.Tensor[[16, 34], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2176)]]) -> pl.Tensor[[16, 34], pl.FP32]:
        pl.func_attr({"__compiler_auto_manual_layer_candidate": True})
        ladle__ssa_v0: pl.Tensor[[16, 34], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2176)] = pl.tensor.create([16, 34], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        ladle__ssa_v1: pl.Tensor[[16, 34], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2176)] = self.melt(ore__ssa_v0, ladle__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        bell__ssa_v1: pl.Tensor[[16, 34], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2176)] = self.cast_bell(ladle__ssa_v1, bell__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing], "__compiler_auto_manual_scope_candidate": True})
        return bell__ssa_v1
