# pypto.program: Spiders
import pypto.language as pl

@pl.program
class Spiders:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def spin(silk__ssa_v0: pl.Tensor[[8, 20], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 640)], ring__idx_v0: pl.Scalar[pl.INDEX], web__ssa_v0: pl.Out[pl.Tensor[[40, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3200)]]) -> pl.Tensor[[40, 20], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 640)
        t__ssa_v0: pl.Tile[[8, 20], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 640), pl.Mem.Vec] = pl.tile.load(silk__ssa_v0, [0, 0], [8, 20], [8, 20], target_memory=pl.Mem.Vec)
        web__ssa_v1: pl.Tensor[[40, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3200)] = pl.tile.store(t__ssa_v0, [ring__idx_v0 * 8 + 8, 0], web__ssa_v0)
        return web__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def feel(web__ssa_v0: pl.Tensor[[40, 20], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3200)], old__ssa_v0: pl.Scalar[pl.INDEX], ring__idx_v0: pl.Scalar[pl.INDEX], prey__ssa_v0: pl.Out[pl.Tensor[[32, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2560)]]) -> pl.Tensor[[32, 20], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 640)
        t__ssa_v0: pl.Tile[[8, 20], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 640), pl.Mem.Vec] = pl.tile.load(web__ssa_v0, [old__ssa_v0 * 8, 0], [8, 20], [8, 20], target_memory=pl.Mem.Vec)
        prey__ssa_v1: pl.Tensor[[32, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2560)] = pl.tile.store(t__ssa_v0, [ring__idx_v0 * 8, 0], prey__ssa_v0)
        return prey__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def corner(self, silk__ssa_v0: pl.Tensor[[8, 20], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 640)], web__ssa_v0: pl.InOut[pl.Tensor[[40, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3200)]], prey__ssa_v0: pl.Out[pl.Tensor[[32, 20], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2560)]]) -> tuple[pl.Tensor[[40, 20], pl.FP32], pl.Tensor[[32, 20], pl.FP32]]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            for ring__idx_v0, (prey__iter_v1, web__iter_v1) in pl.range(4, init_values=(prey__ssa_v0, web__ssa_v0)):
                old__ssa_v0: pl.Scalar[pl.INDEX] = pl.max(ring__idx_v0 - 1, 0)
                prey__ssa_v3: pl.Tensor[[32, 20], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2560)] = self.feel(web__iter_v1, old__ssa_v0, ring__idx_v0, prey__iter_v1, attrs={"arg_directions": [pl.adir.no_dep, pl.adir.scalar, pl.adir.scalar, pl.adir.inout], "compiler_manual_dep_edges": [web__iter_v1]})
                web__ssa_v3: pl.Tensor[[40, 20], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 3200)] = self.spin(silk__ssa_v0, ring__idx_v0, web__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout]})
                prey__rv_v2, web__rv_v2 = pl.yield_(prey__ssa_v3, web__ssa_v3)
        return web__rv_v2, prey__rv_v2
