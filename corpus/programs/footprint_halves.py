# pypto.program: Duplex
import pypto.language as pl

@pl.program
class Duplex:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def furnish_top(lorry__ssa_v0: pl.Tensor[[32, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 8192)], house__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 16384)]]) -> pl.Tensor[[64, 64], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 8192)
        t__ssa_v0: pl.Tile[[32, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 8192), pl.Mem.Vec] = pl.tile.load(lorry__ssa_v0, [0, 0], [32, 64], [32, 64], target_memory=pl.Mem.Vec)
        house__ssa_v1: pl.Tensor[[64, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 16384)] = pl.tile.store(t__ssa_v0, [0, 0], house__ssa_v0)
        return house__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def furnish_low(lorry__ssa_v0: pl.Tensor[[32, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 8192)], house__ssa_v0: pl.Out[pl.Tensor[[128, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 16384)]]) -> pl.Tensor[[128, 32], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 8192)
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 8192)
        t__ssa_v0: pl.Tile[[64, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 8192), pl.Mem.Vec] = pl.tile.full([64, 32], dtype=pl.FP32, value=3.0)
        s__ssa_v0: pl.Tile[[32, 64], pl.FP32, pl.MemRef(mem_vec_3, pl.const(8192, pl.INT64), 8192), pl.Mem.Vec] = pl.tile.load(lorry__ssa_v0, [0, 0], [32, 64], [32, 64], target_memory=pl.Mem.Vec)
        house__ssa_v1: pl.Tensor[[128, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 16384)] = pl.tile.store(t__ssa_v0, [64, 0], house__ssa_v0)
        return house__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def visit(house__ssa_v0: pl.Tensor[[4096], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 16384)], guest__ssa_v0: pl.Out[pl.Tensor[[4096], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 16384)]]) -> pl.Tensor[[4096], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
        t__ssa_v0: pl.Tile[[4096], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.load(house__ssa_v0, [0], [4096], [4096], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[4096], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        guest__ssa_v1: pl.Tensor[[4096], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 16384)] = pl.tile.store(r__ssa_v0, [0], guest__ssa_v0)
        return guest__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def move_in(self, lorry__ssa_v0: pl.Tensor[[32, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 8192)], guest__ssa_v0: pl.Out[pl.Tensor[[4096], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 16384)]]) -> pl.Tensor[[4096], pl.FP32]:
        house__ssa_v0: pl.Tensor[[4096], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 16384)] = pl.tensor.create([4096], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        top__ssa_v0: pl.Tensor[[64, 64], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 16384)] = pl.tensor.reshape(house__ssa_v0, [64, 64])
        top__ssa_v1: pl.Tensor[[64, 64], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 16384)] = self.furnish_top(lorry__ssa_v0, top__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        low__ssa_v0: pl.Tensor[[128, 32], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 16384)] = pl.tensor.reshape(house__ssa_v0, [128, 32])
        low__ssa_v1: pl.Tensor[[128, 32], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 16384)] = self.furnish_low(lorry__ssa_v0, low__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        guest__ssa_v1: pl.Tensor[[4096], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 16384)] = self.visit(house__ssa_v0, guest__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return guest__ssa_v1
