# pypto.program: HaloRowsMended
import pypto.language as pl

@pl.program
class HaloRowsMended:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def paint(coat__ssa_v0: pl.Tensor[[40, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 10240)], wall__ssa_v0: pl.Out[pl.Tensor[[40, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 10240)]]) -> pl.Tensor[[40, 64], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 10240)
        t__ssa_v0: pl.Tile[[40, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 10240), pl.Mem.Vec] = pl.tile.load(coat__ssa_v0, [0, 0], [40, 64], [40, 64], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[40, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 10240), pl.Mem.Vec] = pl.tile.adds(t__ssa_v0, 1.0)
        wall__ssa_v1: pl.Tensor[[40, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 10240)] = pl.tile.store(r__ssa_v0, [0, 0], wall__ssa_v0)
        return wall__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def frame(wall__ssa_v0: pl.Tensor[[56, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 14336)], picture__ssa_v0: pl.Out[pl.Tensor[[56, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 14336)]]) -> pl.Tensor[[56, 64], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 14336)
        t__ssa_v0: pl.Tile[[56, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 14336), pl.Mem.Vec] = pl.tile.load(wall__ssa_v0, [0, 0], [56, 64], [56, 64], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[56, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 14336), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        picture__ssa_v1: pl.Tensor[[56, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 14336)] = pl.tile.store(r__ssa_v0, [0, 0], picture__ssa_v0)
        return picture__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def mural(self, red__ssa_v0: pl.Tensor[[40, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 10240)], blue__ssa_v0: pl.Tensor[[40, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 10240)], wall__ssa_v0: pl.Out[pl.Tensor[[56, 64], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 14336)]], picture__ssa_v0: pl.Out[pl.Tensor[[56, 64], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 14336)]]) -> tuple[pl.Tensor[[56, 64], pl.FP32], pl.Tensor[[56, 64], pl.FP32]]:
        top__ssa_v0: pl.Tensor[[40, 64], pl.FP32, pl.MemRef("mem_ddr_2", 0, 10240)] = pl.tensor.slice(wall__ssa_v0, [40, 64], [0, 0])
        coat__ssa_v0: pl.Tuple[pl.Tensor[[40, 64], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.paint, red__ssa_v0, top__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        top__ssa_v1: pl.Tensor[[40, 64], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 10240)] = coat__ssa_v0[0]
        dry__ssa_v0: pl.Scalar[pl.TASK_ID] = coat__ssa_v0[1]
        low__ssa_v0: pl.Tensor[[40, 64], pl.FP32, pl.MemRef("mem_ddr_2", 4096, 10240)] = pl.tensor.slice(wall__ssa_v0, [40, 64], [16, 0])
        coat_1: pl.Tuple[pl.Tensor[[40, 64], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.paint, blue__ssa_v0, low__ssa_v0, deps=[dry__ssa_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        low__ssa_v1: pl.Tensor[[40, 64], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 10240)] = coat_1[0]
        picture__ssa_v1: pl.Tensor[[56, 64], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 14336)] = self.frame(wall__ssa_v0, picture__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return wall__ssa_v0, picture__ssa_v1
