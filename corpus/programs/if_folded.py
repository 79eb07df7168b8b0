# pypto.program: Kiln
import pypto.language as pl

@pl.program
class Kiln:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def shape(clay__ssa_v0: pl.Tensor[[12, 33], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1584)], pot__ssa_v0: pl.Out[pl.Tensor[[12, 33], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1584)]]) -> pl.Tensor[[12, 33], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1584)
        t__ssa_v0: pl.Tile[[12, 33], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1584), pl.Mem.Vec] = pl.tile.load(clay__ssa_v0, [0, 0], [12, 33], [12, 33], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[12, 33], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1584), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        pot__ssa_v1: pl.Tensor[[12, 33], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1584)] = pl.tile.store(r__ssa_v0, [0, 0], pot__ssa_v0)
        return pot__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def glaze(pot__ssa_v0: pl.InOut[pl.Tensor[[12, 33], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1584)]]) -> pl.Tensor[[12, 33], pl.FP32]:
        mem_vec_1: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1584)
        t__ssa_v0: pl.Tile[[12, 33], pl.FP32, pl.MemRef(mem_vec_1, pl.const(0, pl.INT64), 1584), pl.Mem.Vec] = pl.tile.load(pot__ssa_v0, [0, 0], [12, 33], [12, 33], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[12, 33], pl.FP32, pl.MemRef(mem_vec_1, pl.const(0, pl.INT64), 1584), pl.Mem.Vec] = pl.tile.muls(t__ssa_v0, 1.5)
        pot__ssa_v1: pl.Tensor[[12, 33], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1584)] = pl.tile.store(r__ssa_v0, [0, 0], pot__ssa_v0)
        return pot__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def sell(pot__ssa_v0: pl.Tensor[[12, 33], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1584)], shop__ssa_v0: pl.Out[pl.Tensor[[12, 33], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1584)]]) -> pl.Tensor[[12, 33], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1584)
        t__ssa_v0: pl.Tile[[12, 33], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1584), pl.Mem.Vec] = pl.tile.load(pot__ssa_v0, [0, 0], [12, 33], [12, 33], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[12, 33], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1584), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        shop__ssa_v1: pl.Tensor[[12, 33], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1584)] = pl.tile.store(r__ssa_v0, [0, 0], shop__ssa_v0)
        return shop__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def pottery(self, clay__ssa_v0: pl.Tensor[[12, 33], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1584)], shop__ssa_v0: pl.Out[pl.Tensor[[12, 33], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1584)]]) -> pl.Tensor[[12, 33], pl.FP32]:
        pot__ssa_v0: pl.Tensor[[12, 33], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 1584)] = pl.tensor.create([12, 33], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        for coat__idx_v0, (pot__iter_v1,) in pl.range(3, init_values=(pot__ssa_v0,)):
            if coat__idx_v0 == 0:
                pot__ssa_v3: pl.Tensor[[12, 33], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 1584)] = self.shape(clay__ssa_v0, pot__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
                pot__phi_v4: pl.Tensor[[12, 33], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 1584)] = pl.yield_(pot__ssa_v3)
            else:
                pot__ssa_v5: pl.Tensor[[12, 33], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 1584)] = self.glaze(pot__iter_v1, attrs={"arg_directions": [pl.adir.inout]})
                pot__phi_v4: pl.Tensor[[12, 33], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 1584)] = pl.yield_(pot__ssa_v5)
            pot__rv_v2: pl.Tensor[[12, 33], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 1584)] = pl.yield_(pot__phi_v4)
        shop__ssa_v1: pl.Tensor[[12, 33], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 1584)] = self.sell(pot__rv_v2, shop__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return shop__ssa_v1
