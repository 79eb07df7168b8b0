# pypto.program: Bakery
import pypto.language as pl

@pl.program
class Bakery:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def knead(flour__ssa_v0: pl.Tensor[[15, 60], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3600)], dough__ssa_v0: pl.Out[pl.Tensor[[15, 60], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3600)]]) -> pl.Tensor[[15, 60], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3600)
        t__ssa_v0: pl.Tile[[15, 60], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3600), pl.Mem.Vec] = pl.tile.load(flour__ssa_v0, [0, 0], [15, 60], [15, 60], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[15, 60], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3600), pl.Mem.Vec] = pl.tile.muls(t__ssa_v0, 1.1)
        dough__ssa_v1: pl.Tensor[[15, 60], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3600)] = pl.tile.store(r__ssa_v0, [0, 0], dough__ssa_v0)
        return dough__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def prove(dough__ssa_v0: pl.Tensor[[15, 60], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3600)], loaf__ssa_v0: pl.Out[pl.Tensor[[15, 60], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3600)]]) -> pl.Tensor[[15, 60], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3600)
        t__ssa_v0: pl.Tile[[15, 60], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3600), pl.Mem.Vec] = pl.tile.load(dough__ssa_v0, [0, 0], [15, 60], [15, 60], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[15, 60], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3600), pl.Mem.Vec] = pl.tile.adds(t__ssa_v0, 0.7)
        loaf__ssa_v1: pl.Tensor[[15, 60], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3600)] = pl.tile.store(r__ssa_v0, [0, 0], loaf__ssa_v0)
        return loaf__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def morning(self, flour__ssa_v0: pl.Tensor[[15, 60], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3600)], loaf__ssa_v0: pl.Out[pl.Tensor[[15, 60], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3600)]]) -> pl.Tensor[[15, 60], pl.FP32]:
        dough__ssa_v0: pl.Tensor[[15, 60], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 3600)] = pl.tensor.create([15, 60], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        hand__ssa_v0: pl.Tuple[pl.Tensor[[15, 60], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.knead, flour__ssa_v0, dough__ssa_v0, allow_early_resolve=True, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        dough__ssa_v1: pl.Tensor[[15, 60], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 3600)] = hand__ssa_v0[0]
        kneaded__ssa_v0: pl.Scalar[pl.TASK_ID] = hand__ssa_v0[1]
        hand_1: pl.Tuple[pl.Tensor[[15, 60], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.prove, dough__ssa_v1, loaf__ssa_v0, deps=[kneaded__ssa_v0], allow_early_resolve=True, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        loaf__ssa_v1: pl.Tensor[[15, 60], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 3600)] = hand_1[0]
        proved__ssa_v0: pl.Scalar[pl.TASK_ID] = hand_1[1]
        return loaf__ssa_v1
