# pypto.program: Quilt
import pypto.language as pl

@pl.program
class Quilt:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def sew(cloth__ssa_v0: pl.Tensor[[25, 36], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3600)], patch__ssa_v0: pl.Out[pl.Tensor[[25, 36], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3600)]]) -> pl.Tensor[[25, 36], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3600)
        t__ssa_v0: pl.Tile[[25, 36], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3600), pl.Mem.Vec] = pl.tile.load(cloth__ssa_v0, [0, 0], [25, 36], [25, 36], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[25, 36], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3600), pl.Mem.Vec] = pl.tile.ceil(t__ssa_v0)
        patch__ssa_v1: pl.Tensor[[25, 36], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3600)] = pl.tile.store(r__ssa_v0, [0, 0], patch__ssa_v0)
        return patch__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def press(quilt__ssa_v0: pl.Tensor[[100, 36], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 14400)], bed__ssa_v0: pl.Out[pl.Tensor[[100, 36], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 14400)]]) -> pl.Tensor[[100, 36], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 14400)
        t__ssa_v0: pl.Tile[[100, 36], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 14400), pl.Mem.Vec] = pl.tile.load(quilt__ssa_v0, [0, 0], [100, 36], [100, 36], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[100, 36], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 14400), pl.Mem.Vec] = pl.tile.floor(t__ssa_v0)
        bed__ssa_v1: pl.Tensor[[100, 36], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 14400)] = pl.tile.store(r__ssa_v0, [0, 0], bed__ssa_v0)
        return bed__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def stitch(self, silk__ssa_v0: pl.Tensor[[25, 36], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3600)], wool__ssa_v0: pl.Tensor[[25, 36], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3600)], bed__ssa_v0: pl.Out[pl.Tensor[[100, 36], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 14400)]]) -> pl.Tensor[[100, 36], pl.FP32]:
        quilt__ssa_v0: pl.Tensor[[100, 36], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 14400)] = pl.tensor.create([100, 36], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        p0__ssa_v0: pl.Tensor[[25, 36], pl.FP32, pl.MemRef("mem_ddr_3", 0, 3600)] = pl.tensor.slice(quilt__ssa_v0, [25, 36], [0, 0])
        p0__ssa_v1: pl.Tensor[[25, 36], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 3600)] = self.sew(silk__ssa_v0, p0__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        p1__ssa_v0: pl.Tensor[[25, 36], pl.FP32, pl.MemRef("mem_ddr_3", 3600, 3600)] = pl.tensor.slice(quilt__ssa_v0, [25, 36], [25, 0])
        p1__ssa_v1: pl.Tensor[[25, 36], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 3600)] = self.sew(wool__ssa_v0, p1__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        p2__ssa_v0: pl.Tensor[[25, 36], pl.FP32, pl.MemRef("mem_ddr_3", 7200, 3600)] = pl.tensor.slice(quilt__ssa_v0, [25, 36], [50, 0])
        p2__ssa_v1: pl.Tensor[[25, 36], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 3600)] = self.sew(silk__ssa_v0, p2__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        p3__ssa_v0: pl.Tensor[[25, 36], pl.FP32, pl.MemRef("mem_ddr_3", 10800, 3600)] = pl.tensor.slice(quilt__ssa_v0, [25, 36], [75, 0])
        p3__ssa_v1: pl.Tensor[[25, 36], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 3600)] = self.sew(wool__ssa_v0, p3__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        bed__ssa_v1: pl.Tensor[[100, 36], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 14400)] = self.press(quilt__ssa_v0, bed__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return bed__ssa_v1
