# pypto.program: Bakery
import pypto.language as pl

@pl.program
class Bakery:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def knead(flour__ssa_v0: pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1056)], dough__ssa_v0: pl.Out[pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1056)]]) -> pl.Tensor[[22, 12], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1056)
        t__ssa_v0: pl.Tile[[22, 12], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1056), pl.Mem.Vec] = pl.tile.load(flour__ssa_v0, [0, 0], [22, 12], [22, 12], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[22, 12], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1056), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        dough__ssa_v1: pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1056)] = pl.tile.store(r__ssa_v0, [0, 0], dough__ssa_v0)
        return dough__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def bake(dough__ssa_v0: pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1056)], at__idx_v0: pl.Scalar[pl.INDEX], bread__ssa_v0: pl.Out[pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1056)]]) -> pl.Tensor[[22, 12], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 528)
        t__ssa_v0: pl.Tile[[11, 12], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 528), pl.Mem.Vec] = pl.tile.load(dough__ssa_v0, [at__idx_v0 * 11, 0], [11, 12], [11, 12], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[11, 12], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 528), pl.Mem.Vec] = pl.tile.exp(t__ssa_v0)
        bread__ssa_v1: pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1056)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 11, 0], bread__ssa_v0)
        return bread__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def toast(dough__ssa_v0: pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1056)], at__idx_v0: pl.Scalar[pl.INDEX], rusk__ssa_v0: pl.Out[pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1056)]]) -> pl.Tensor[[22, 12], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 528)
        t__ssa_v0: pl.Tile[[11, 12], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 528), pl.Mem.Vec] = pl.tile.load(dough__ssa_v0, [at__idx_v0 * 11, 0], [11, 12], [11, 12], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[11, 12], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 528), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        rusk__ssa_v1: pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1056)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 11, 0], rusk__ssa_v0)
        return rusk__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def slice_up(bread__ssa_v0: pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1056)], at__idx_v0: pl.Scalar[pl.INDEX], plate__ssa_v0: pl.Out[pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1056)]]) -> pl.Tensor[[22, 12], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 528)
        t__ssa_v0: pl.Tile[[11, 12], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 528), pl.Mem.Vec] = pl.tile.load(bread__ssa_v0, [at__idx_v0 * 11, 0], [11, 12], [11, 12], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[11, 12], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 528), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        plate__ssa_v1: pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1056)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 11, 0], plate__ssa_v0)
        return plate__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def kitchen(self, flour__ssa_v0: pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1056)], bread__ssa_v0: pl.Out[pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1056)]], rusk__ssa_v0: pl.Out[pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 1056)]], plate__ssa_v0: pl.Out[pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 1056)]]) -> tuple[pl.Tensor[[22, 12], pl.FP32], pl.Tensor[[22, 12], pl.FP32], pl.Tensor[[22, 12], pl.FP32]]:
        dough__ssa_v0: pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 1056)] = pl.tensor.create([22, 12], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        dough__ssa_v1: pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 1056)] = self.knead(flour__ssa_v0, dough__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        for oven__idx_v0, (bread__iter_v1,) in pl.range(2, init_values=(bread__ssa_v0,)):
            bread__ssa_v3: pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 1056)] = self.bake(dough__ssa_v1, oven__idx_v0, bread__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout], "__compiler_auto_manual_scope_candidate": True})
            bread__rv_v2: pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 1056)] = pl.yield_(bread__ssa_v3)
        for rack__idx_v0, (plate__iter_v1, rusk__iter_v1) in pl.range(2, init_values=(plate__ssa_v0, rusk__ssa_v0)):
            rusk__ssa_v3: pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 1056)] = self.toast(dough__ssa_v1, rack__idx_v0, rusk__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout], "__compiler_auto_manual_scope_candidate": True})
            plate__ssa_v3: pl.Tensor[[22, 12], pl.FP32, pl.MemRef("mem_ddr_9", pl.const(0, pl.INT64), 1056)] = self.slice_up(rusk__ssa_v3, rack__idx_v0, plate__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout]})
            plate__rv_v2, rusk__rv_v2 = pl.yield_(plate__ssa_v3, rusk__ssa_v3)
        return bread__rv_v2, rusk__rv_v2, plate__rv_v2
