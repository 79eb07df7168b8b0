# pypto.program: Bellows
import pypto.language as pl

@pl.program
class Bellows:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def draw_air(room__ssa_v0: pl.Tensor[[72, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 18432)], turn__idx_v0: pl.Scalar[pl.INDEX], bag__ssa_v0: pl.Out[pl.Tensor[[24, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)]]) -> pl.Tensor[[24, 64], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 6144)
        t__ssa_v0: pl.Tile[[24, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 6144), pl.Mem.Vec] = pl.tile.load(room__ssa_v0, [turn__idx_v0 * 24, 0], [24, 64], [24, 64], target_memory=pl.Mem.Vec)
        bag__ssa_v1: pl.Tensor[[24, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)] = pl.tile.store(t__ssa_v0, [0, 0], bag__ssa_v0)
        return bag__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def blow(bag__ssa_v0: pl.Tensor[[24, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6144)], turn__idx_v0: pl.Scalar[pl.INDEX], tune__ssa_v0: pl.Out[pl.Tensor[[72, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 18432)]]) -> pl.Tensor[[72, 64], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 6144)
        t__ssa_v0: pl.Tile[[24, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 6144), pl.Mem.Vec] = pl.tile.load(bag__ssa_v0, [0, 0], [24, 64], [24, 64], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[24, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 6144), pl.Mem.Vec] = pl.tile.muls(t__ssa_v0, 0.75)
        tune__ssa_v1: pl.Tensor[[72, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 18432)] = pl.tile.store(r__ssa_v0, [turn__idx_v0 * 24, 0], tune__ssa_v0)
        return tune__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def organ(self, room__ssa_v0: pl.Tensor[[72, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 18432)], tune__ssa_v0: pl.Out[pl.Tensor[[72, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 18432)]]) -> pl.Tensor[[72, 64], pl.FP32]:
        bag__ssa_v0: pl.Tensor[[24, 64], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 6144)] = pl.tensor.create([24, 64], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        for turn__idx_v0, (bag__iter_v1, tune__iter_v1) in pl.range(3, init_values=(bag__ssa_v0, tune__ssa_v0)):
            bag__ssa_v3: pl.Tensor[[24, 64], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 6144)] = self.draw_air(room__ssa_v0, turn__idx_v0, bag__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout]})
            tune__ssa_v3: pl.Tensor[[72, 64], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 18432)] = self.blow(bag__ssa_v3, turn__idx_v0, tune__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout]})
            bag__rv_v2, tune__rv_v2 = pl.yield_(bag__ssa_v3, tune__ssa_v3)
        return tune__rv_v2
