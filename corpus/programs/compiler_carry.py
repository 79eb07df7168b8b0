# pypto.program: Beehive
import pypto.language as pl

@pl.program
class Beehive:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def gather(flowers__ssa_v0: pl.Tensor[[24, 30], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2880)], at__idx_v0: pl.Scalar[pl.INDEX], comb__ssa_v0: pl.Out[pl.Tensor[[24, 30], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2880)]]) -> pl.Tensor[[24, 30], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 960)
        t__ssa_v0: pl.Tile[[8, 30], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 960), pl.Mem.Vec] = pl.tile.load(flowers__ssa_v0, [at__idx_v0 * 8, 0], [8, 30], [8, 30], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[8, 30], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 960), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        comb__ssa_v1: pl.Tensor[[24, 30], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2880)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 8, 0], comb__ssa_v0)
        return comb__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def taste(comb__ssa_v0: pl.Tensor[[24, 30], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2880)], spoon__ssa_v0: pl.Out[pl.Tensor[[24, 30], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2880)]]) -> pl.Tensor[[24, 30], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2880)
        t__ssa_v0: pl.Tile[[24, 30], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2880), pl.Mem.Vec] = pl.tile.load(comb__ssa_v0, [0, 0], [24, 30], [24, 30], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[24, 30], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2880), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        spoon__ssa_v1: pl.Tensor[[24, 30], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2880)] = pl.tile.store(r__ssa_v0, [0, 0], spoon__ssa_v0)
        return spoon__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def meadow(self, flowers__ssa_v0: pl.Tensor[[24, 30], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2880)], comb__ssa_v0: pl.Out[pl.Tensor[[24, 30], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2880)]], spoon__ssa_v0: pl.Out[pl.Tensor[[24, 30], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2880)]]) -> tuple[pl.Tensor[[24, 30], pl.FP32], pl.Tensor[[24, 30], pl.FP32]]:
        pl.func_attr({"__compiler_auto_manual_layer_candidate": True})
        for bee__idx_v0, (comb__iter_v1,) in pl.parallel(3, init_values=(comb__ssa_v0,)):
            comb__ssa_v3: pl.Tensor[[24, 30], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2880)] = self.gather(flowers__ssa_v0, bee__idx_v0, comb__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
            comb__rv_v2: pl.Tensor[[24, 30], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2880)] = pl.yield_(comb__ssa_v3)
        spoon__ssa_v1: pl.Tensor[[24, 30], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 2880)] = self.taste(comb__rv_v2, spoon__ssa_v0, attrs={"arg_directions": [pl.adir.no_dep, pl.adir.output_existing], "compiler_manual_dep_edges": [comb__rv_v2], "__compiler_auto_manual_scope_candidate": True})
        return comb__rv_v2, spoon__ssa_v1
