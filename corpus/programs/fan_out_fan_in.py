# pypto.program: Choir
import pypto.language as pl

@pl.program
class Choir:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def tune(fork__ssa_v0: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2240)], pitch__ssa_v0: pl.Out[pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2240)]]) -> pl.Tensor[[10, 56], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2240)
        t__ssa_v0: pl.Tile[[10, 56], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2240), pl.Mem.Vec] = pl.tile.load(fork__ssa_v0, [0, 0], [10, 56], [10, 56], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[10, 56], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2240), pl.Mem.Vec] = pl.tile.sin(t__ssa_v0)
        pitch__ssa_v1: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2240)] = pl.tile.store(r__ssa_v0, [0, 0], pitch__ssa_v0)
        return pitch__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def sing(pitch__ssa_v0: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2240)], voice__ssa_v0: pl.Out[pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2240)]]) -> pl.Tensor[[10, 56], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2240)
        t__ssa_v0: pl.Tile[[10, 56], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2240), pl.Mem.Vec] = pl.tile.load(pitch__ssa_v0, [0, 0], [10, 56], [10, 56], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[10, 56], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2240), pl.Mem.Vec] = pl.tile.cos(t__ssa_v0)
        voice__ssa_v1: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2240)] = pl.tile.store(r__ssa_v0, [0, 0], voice__ssa_v0)
        return voice__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def blend(soprano__ssa_v0: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2240)], alto__ssa_v0: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2240)], tenor__ssa_v0: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2240)], bass__ssa_v0: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2240)], chord__ssa_v0: pl.Out[pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2240)]]) -> pl.Tensor[[10, 56], pl.FP32]:
        mem_vec_5: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2240)
        mem_vec_6: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2240)
        mem_vec_7: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2240)
        mem_vec_8: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2240)
        a__ssa_v0: pl.Tile[[10, 56], pl.FP32, pl.MemRef(mem_vec_5, pl.const(0, pl.INT64), 2240), pl.Mem.Vec] = pl.tile.load(soprano__ssa_v0, [0, 0], [10, 56], [10, 56], target_memory=pl.Mem.Vec)
        b__ssa_v0: pl.Tile[[10, 56], pl.FP32, pl.MemRef(mem_vec_6, pl.const(2240, pl.INT64), 2240), pl.Mem.Vec] = pl.tile.load(alto__ssa_v0, [0, 0], [10, 56], [10, 56], target_memory=pl.Mem.Vec)
        c__ssa_v0: pl.Tile[[10, 56], pl.FP32, pl.MemRef(mem_vec_7, pl.const(4480, pl.INT64), 2240), pl.Mem.Vec] = pl.tile.load(tenor__ssa_v0, [0, 0], [10, 56], [10, 56], target_memory=pl.Mem.Vec)
        d__ssa_v0: pl.Tile[[10, 56], pl.FP32, pl.MemRef(mem_vec_8, pl.const(6720, pl.INT64), 2240), pl.Mem.Vec] = pl.tile.load(bass__ssa_v0, [0, 0], [10, 56], [10, 56], target_memory=pl.Mem.Vec)
        e__ssa_v0: pl.Tile[[10, 56], pl.FP32, pl.MemRef(mem_vec_5, pl.const(0, pl.INT64), 2240), pl.Mem.Vec] = pl.tile.add(a__ssa_v0, b__ssa_v0)
        f__ssa_v0: pl.Tile[[10, 56], pl.FP32, pl.MemRef(mem_vec_7, pl.const(4480, pl.INT64), 2240), pl.Mem.Vec] = pl.tile.add(c__ssa_v0, d__ssa_v0)
        g__ssa_v0: pl.Tile[[10, 56], pl.FP32, pl.MemRef(mem_vec_5, pl.const(0, pl.INT64), 2240), pl.Mem.Vec] = pl.tile.add(e__ssa_v0, f__ssa_v0)
        chord__ssa_v1: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2240)] = pl.tile.store(g__ssa_v0, [0, 0], chord__ssa_v0)
        return chord__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def concert(self, fork__ssa_v0: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2240)], chord__ssa_v0: pl.Out[pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2240)]]) -> pl.Tensor[[10, 56], pl.FP32]:
        pitch__ssa_v0: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2240)] = pl.tensor.create([10, 56], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        pitch__ssa_v1: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2240)] = self.tune(fork__ssa_v0, pitch__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        s__ssa_v0: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2240)] = pl.tensor.create([10, 56], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        s__ssa_v1: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 2240)] = self.sing(pitch__ssa_v1, s__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        a__ssa_v0: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 2240)] = pl.tensor.create([10, 56], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        a__ssa_v1: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 2240)] = self.sing(pitch__ssa_v1, a__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        t__ssa_v0: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 2240)] = pl.tensor.create([10, 56], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        t__ssa_v1: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_9", pl.const(0, pl.INT64), 2240)] = self.sing(pitch__ssa_v1, t__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        b__ssa_v0: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_10", pl.const(0, pl.INT64), 2240)] = pl.tensor.create([10, 56], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        b__ssa_v1: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_11", pl.const(0, pl.INT64), 2240)] = self.sing(pitch__ssa_v1, b__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        chord__ssa_v1: pl.Tensor[[10, 56], pl.FP32, pl.MemRef("mem_ddr_12", pl.const(0, pl.INT64), 2240)] = self.blend(s__ssa_v1, a__ssa_v1, t__ssa_v1, b__ssa_v1, chord__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.input, pl.adir.input, pl.adir.output_existing]})
        return chord__ssa_v1
