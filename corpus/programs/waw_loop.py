# pypto.program: Fresco
import pypto.language as pl

@pl.program
class Fresco:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def daub(pigment__ssa_v0: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6144)], patch__ssa_v0: pl.Out[pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)]]) -> pl.Tensor[[48, 32], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 6144)
        t__ssa_v0: pl.Tile[[48, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 6144), pl.Mem.Vec] = pl.tile.load(pigment__ssa_v0, [0, 0], [48, 32], [48, 32], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[48, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 6144), pl.Mem.Vec] = pl.tile.maxs(t__ssa_v0, 0.0)
        patch__ssa_v1: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)] = pl.tile.store(r__ssa_v0, [0, 0], patch__ssa_v0)
        return patch__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def chapel(self, pigment__ssa_v0: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6144)], wall__ssa_v0: pl.Out[pl.Tensor[[136, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 17408)]]) -> pl.Tensor[[136, 32], pl.FP32]:
        for day__idx_v0, (wall__iter_v1,) in pl.parallel(3, init_values=(wall__ssa_v0,)):
            patch__ssa_v0: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_1", day__idx_v0 * 44 * 128, 6144)] = pl.tensor.slice(wall__iter_v1, [48, 32], [day__idx_v0 * 44, 0])
            patch__ssa_v1: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 6144)] = self.daub(pigment__ssa_v0, patch__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            wall__ssa_v3: pl.Tensor[[136, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 17408)] = pl.tensor.assemble(wall__iter_v1, patch__ssa_v1, [day__idx_v0 * 44, 0])
            wall__rv_v2: pl.Tensor[[136, 32], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 17408)] = pl.yield_(wall__ssa_v3)
        return wall__rv_v2
