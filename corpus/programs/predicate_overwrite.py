# pypto.program: SpareTyre
import pypto.language as pl

@pl.program
class SpareTyre:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def fit(tyre__ssa_v0: pl.Tensor[[12, 72], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3456)], axle__ssa_v0: pl.Out[pl.Tensor[[12, 72], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3456)]]) -> pl.Tensor[[12, 72], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3456)
        t__ssa_v0: pl.Tile[[12, 72], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3456), pl.Mem.Vec] = pl.tile.load(tyre__ssa_v0, [0, 0], [12, 72], [12, 72], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[12, 72], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3456), pl.Mem.Vec] = pl.tile.adds(t__ssa_v0, 0.5)
        axle__ssa_v1: pl.Tensor[[12, 72], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3456)] = pl.tile.store(r__ssa_v0, [0, 0], axle__ssa_v0)
        return axle__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def drive(axle__ssa_v0: pl.Tensor[[12, 72], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3456)], road__ssa_v0: pl.Out[pl.Tensor[[12, 72], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3456)]]) -> pl.Tensor[[12, 72], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3456)
        t__ssa_v0: pl.Tile[[12, 72], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3456), pl.Mem.Vec] = pl.tile.load(axle__ssa_v0, [0, 0], [12, 72], [12, 72], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[12, 72], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3456), pl.Mem.Vec] = pl.tile.tanh(t__ssa_v0)
        road__ssa_v1: pl.Tensor[[12, 72], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3456)] = pl.tile.store(r__ssa_v0, [0, 0], road__ssa_v0)
        return road__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def trip(self, old__ssa_v0: pl.Tensor[[12, 72], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3456)], spare__ssa_v0: pl.Tensor[[12, 72], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3456)], flat__ssa_v0: pl.Tensor[[1, 8], pl.INT32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 32)], road__ssa_v0: pl.Out[pl.Tensor[[12, 72], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 3456)]]) -> pl.Tensor[[12, 72], pl.FP32]:
        axle__ssa_v0: pl.Tensor[[12, 72], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 3456)] = pl.tensor.create([12, 72], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        axle__ssa_v1: pl.Tensor[[12, 72], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 3456)] = self.fit(old__ssa_v0, axle__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        swap__ssa_v0: pl.Tuple[pl.Tensor[[12, 72], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.fit, spare__ssa_v0, axle__ssa_v1, predicate=(pl.tensor.read(flat__ssa_v0, [0, 0]) == 1), attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
        axle__ssa_v2: pl.Tensor[[12, 72], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 3456)] = swap__ssa_v0[0]
        swapped__ssa_v0: pl.Scalar[pl.TASK_ID] = swap__ssa_v0[1]
        road__ssa_v1: pl.Tensor[[12, 72], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 3456)] = self.drive(axle__ssa_v2, road__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return road__ssa_v1
