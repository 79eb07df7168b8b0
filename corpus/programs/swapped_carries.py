# pypto.program: Pendulum
import pypto.language as pl

@pl.program
class Pendulum:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def swing(from__ssa_v0: pl.Tensor[[15, 50], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3000)], to__ssa_v0: pl.Out[pl.Tensor[[15, 50], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3000)]]) -> pl.Tensor[[15, 50], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3000)
        t__ssa_v0: pl.Tile[[15, 50], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3000), pl.Mem.Vec] = pl.tile.load(from__ssa_v0, [0, 0], [15, 50], [15, 50], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[15, 50], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3000), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        to__ssa_v1: pl.Tensor[[15, 50], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3000)] = pl.tile.store(r__ssa_v0, [0, 0], to__ssa_v0)
        return to__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def clock(self, seed__ssa_v0: pl.Tensor[[15, 50], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3000)], chime__ssa_v0: pl.Out[pl.Tensor[[15, 50], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3000)]]) -> pl.Tensor[[15, 50], pl.FP32]:
        left__ssa_v0: pl.Tensor[[15, 50], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 3000)] = pl.tensor.create([15, 50], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        right__ssa_v0: pl.Tensor[[15, 50], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 3000)] = pl.tensor.create([15, 50], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        left__ssa_v1: pl.Tensor[[15, 50], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 3000)] = self.swing(seed__ssa_v0, left__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        for beat__idx_v0, (from__iter_v1, to__iter_v1) in pl.range(3, init_values=(left__ssa_v1, right__ssa_v0)):
            to__ssa_v3: pl.Tensor[[15, 50], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 3000)] = self.swing(from__iter_v1, to__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
            from__rv_v2, to__rv_v2 = pl.yield_(to__ssa_v3, from__iter_v1)
        chime__ssa_v1: pl.Tensor[[15, 50], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 3000)] = self.swing(from__rv_v2, chime__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return chime__ssa_v1
