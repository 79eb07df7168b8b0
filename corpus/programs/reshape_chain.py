# pypto.program: Origami
import pypto.language as pl

@pl.program
class Origami:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def fold(sheet__ssa_v0: pl.Tensor[[4, 12, 20], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3840)], bird__ssa_v0: pl.Out[pl.Tensor[[4, 12, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)]]) -> pl.Tensor[[4, 12, 20], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3840)
        t__ssa_v0: pl.Tile[[4, 12, 20], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.load(sheet__ssa_v0, [0, 0, 0], [4, 12, 20], [4, 12, 20], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[4, 12, 20], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.muls(t__ssa_v0, 0.5)
        bird__ssa_v1: pl.Tensor[[4, 12, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)] = pl.tile.store(r__ssa_v0, [0, 0, 0], bird__ssa_v0)
        return bird__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def crease(bird__ssa_v0: pl.Tensor[[48, 20], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3840)], wing__ssa_v0: pl.Out[pl.Tensor[[48, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)]]) -> pl.Tensor[[48, 20], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3840)
        t__ssa_v0: pl.Tile[[48, 20], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.load(bird__ssa_v0, [0, 0], [48, 20], [48, 20], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[48, 20], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.adds(t__ssa_v0, 0.1)
        wing__ssa_v1: pl.Tensor[[48, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)] = pl.tile.store(r__ssa_v0, [0, 0], wing__ssa_v0)
        return wing__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def open_up(wing__ssa_v0: pl.Tensor[[960], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3840)], lamp__ssa_v0: pl.Out[pl.Tensor[[960], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)]]) -> pl.Tensor[[960], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3840)
        t__ssa_v0: pl.Tile[[960], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.load(wing__ssa_v0, [0], [960], [960], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[960], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.exp(t__ssa_v0)
        lamp__ssa_v1: pl.Tensor[[960], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)] = pl.tile.store(r__ssa_v0, [0], lamp__ssa_v0)
        return lamp__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def craft(self, sheet__ssa_v0: pl.Tensor[[4, 12, 20], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3840)], lamp__ssa_v0: pl.Out[pl.Tensor[[960], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)]]) -> pl.Tensor[[960], pl.FP32]:
        bird__ssa_v0: pl.Tensor[[4, 12, 20], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 3840)] = pl.tensor.create([4, 12, 20], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        bird__ssa_v1: pl.Tensor[[4, 12, 20], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 3840)] = self.fold(sheet__ssa_v0, bird__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        strip__ssa_v0: pl.Tensor[[960], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 3840)] = pl.tensor.reshape(bird__ssa_v1, [960])
        grid__ssa_v0: pl.Tensor[[48, 20], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 3840)] = pl.tensor.reshape(strip__ssa_v0, [48, 20])
        wing__ssa_v0: pl.Tensor[[2, 480], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 3840)] = pl.tensor.create([2, 480], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        wing_grid__ssa_v0: pl.Tensor[[48, 20], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 3840)] = pl.tensor.reshape(wing__ssa_v0, [48, 20])
        wing__ssa_v1: pl.Tensor[[48, 20], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 3840)] = self.crease(grid__ssa_v0, wing_grid__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        wing_flat__ssa_v0: pl.Tensor[[960], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 3840)] = pl.tensor.reshape(wing__ssa_v1, [960])
        lamp__ssa_v1: pl.Tensor[[960], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 3840)] = self.open_up(wing_flat__ssa_v0, lamp__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return lamp__ssa_v1
