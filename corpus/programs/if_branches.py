# pypto.program: Crossroads
import pypto.language as pl

@pl.program
class Crossroads:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def go_left(cart__ssa_v0: pl.Tensor[[18, 22], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1584)], inn__ssa_v0: pl.Out[pl.Tensor[[18, 22], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1584)]]) -> pl.Tensor[[18, 22], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1584)
        t__ssa_v0: pl.Tile[[18, 22], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1584), pl.Mem.Vec] = pl.tile.load(cart__ssa_v0, [0, 0], [18, 22], [18, 22], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[18, 22], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1584), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        inn__ssa_v1: pl.Tensor[[18, 22], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1584)] = pl.tile.store(r__ssa_v0, [0, 0], inn__ssa_v0)
        return inn__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def go_right(cart__ssa_v0: pl.Tensor[[18, 22], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1584)], inn__ssa_v0: pl.Out[pl.Tensor[[18, 22], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1584)]]) -> pl.Tensor[[18, 22], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1584)
        t__ssa_v0: pl.Tile[[18, 22], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1584), pl.Mem.Vec] = pl.tile.load(cart__ssa_v0, [0, 0], [18, 22], [18, 22], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[18, 22], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1584), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        inn__ssa_v1: pl.Tensor[[18, 22], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1584)] = pl.tile.store(r__ssa_v0, [0, 0], inn__ssa_v0)
        return inn__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def rest(inn__ssa_v0: pl.Tensor[[18, 22], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1584)], dawn__ssa_v0: pl.Out[pl.Tensor[[18, 22], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1584)]]) -> pl.Tensor[[18, 22], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1584)
        t__ssa_v0: pl.Tile[[18, 22], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1584), pl.Mem.Vec] = pl.tile.load(inn__ssa_v0, [0, 0], [18, 22], [18, 22], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[18, 22], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1584), pl.Mem.Vec] = pl.tile.exp(t__ssa_v0)
        dawn__ssa_v1: pl.Tensor[[18, 22], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1584)] = pl.tile.store(r__ssa_v0, [0, 0], dawn__ssa_v0)
        return dawn__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def road(self, cart__ssa_v0: pl.Tensor[[18, 22], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1584)], dawn__ssa_v0: pl.Out[pl.Tensor[[18, 22], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1584)]], miles__ssa_v0: pl.Scalar[pl.INDEX]) -> pl.Tensor[[18, 22], pl.FP32]:
        inn__ssa_v0: pl.Tensor[[18, 22], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 1584)] = pl.tensor.create([18, 22], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        if 4 < miles__ssa_v0:
            inn__ssa_v1: pl.Tensor[[18, 22], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 1584)] = self.go_left(cart__ssa_v0, inn__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            inn__phi_v2: pl.Tensor[[18, 22], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 1584)] = pl.yield_(inn__ssa_v1)
        else:
            inn__ssa_v3: pl.Tensor[[18, 22], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 1584)] = self.go_right(cart__ssa_v0, inn__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            inn__phi_v2: pl.Tensor[[18, 22], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 1584)] = pl.yield_(inn__ssa_v3)
        dawn__ssa_v1: pl.Tensor[[18, 22], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 1584)] = self.rest(inn__phi_v2, dawn__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return dawn__ssa_v1
