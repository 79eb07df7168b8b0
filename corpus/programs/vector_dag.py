# pypto.program: Orchard
import pypto.language as pl

@pl.program
class Orchard:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def graft(stem__ssa_v0: pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3840)], branch__ssa_v0: pl.Out[pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)]]) -> pl.Tensor[[20, 48], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3840)
        t__ssa_v0: pl.Tile[[20, 48], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.load(stem__ssa_v0, [0, 0], [20, 48], [20, 48], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[20, 48], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.adds(t__ssa_v0, 2.0)
        branch__ssa_v1: pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)] = pl.tile.store(r__ssa_v0, [0, 0], branch__ssa_v0)
        return branch__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def cross(father__ssa_v0: pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3840)], mother__ssa_v0: pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)], child__ssa_v0: pl.Out[pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 3840)]]) -> pl.Tensor[[20, 48], pl.FP32]:
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3840)
        mem_vec_4: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3840)
        p__ssa_v0: pl.Tile[[20, 48], pl.FP32, pl.MemRef(mem_vec_3, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.load(father__ssa_v0, [0, 0], [20, 48], [20, 48], target_memory=pl.Mem.Vec)
        q__ssa_v0: pl.Tile[[20, 48], pl.FP32, pl.MemRef(mem_vec_4, pl.const(3840, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.load(mother__ssa_v0, [0, 0], [20, 48], [20, 48], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[20, 48], pl.FP32, pl.MemRef(mem_vec_3, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.maximum(p__ssa_v0, q__ssa_v0)
        child__ssa_v1: pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 3840)] = pl.tile.store(r__ssa_v0, [0, 0], child__ssa_v0)
        return child__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def prune(tree__ssa_v0: pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3840)], factor__ssa_v0: pl.Scalar[pl.FP32], crown__ssa_v0: pl.Out[pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)]]) -> pl.Tensor[[20, 48], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3840)
        t__ssa_v0: pl.Tile[[20, 48], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.load(tree__ssa_v0, [0, 0], [20, 48], [20, 48], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[20, 48], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.muls(t__ssa_v0, factor__ssa_v0)
        crown__ssa_v1: pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)] = pl.tile.store(r__ssa_v0, [0, 0], crown__ssa_v0)
        return crown__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def grow(self, quince__ssa_v0: pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3840)], pear__ssa_v0: pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)], fruit__ssa_v0: pl.Out[pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 3840)]]) -> pl.Tensor[[20, 48], pl.FP32]:
        a__ssa_v0: pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 3840)] = pl.tensor.create([20, 48], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        a__ssa_v1: pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 3840)] = self.graft(quince__ssa_v0, a__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        b__ssa_v0: pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 3840)] = pl.tensor.create([20, 48], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        b__ssa_v1: pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 3840)] = self.prune(pear__ssa_v0, 0.75, b__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
        c__ssa_v0: pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 3840)] = pl.tensor.create([20, 48], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        c__ssa_v1: pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 3840)] = self.cross(a__ssa_v1, b__ssa_v1, c__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.output_existing]})
        d__ssa_v0: pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_9", pl.const(0, pl.INT64), 3840)] = pl.tensor.create([20, 48], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        d__ssa_v1: pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_10", pl.const(0, pl.INT64), 3840)] = self.cross(c__ssa_v1, a__ssa_v1, d__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.output_existing]})
        fruit__ssa_v1: pl.Tensor[[20, 48], pl.FP32, pl.MemRef("mem_ddr_11", pl.const(0, pl.INT64), 3840)] = self.prune(d__ssa_v1, 1.5, fruit__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
        return fruit__ssa_v1
