# pypto.program: QuiltApart
import pypto.language as pl

@pl.program
class QuiltApart:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def sew(cloth__ssa_v0: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6144)], at__idx_v0: pl.Scalar[pl.INDEX], quilt__ssa_v0: pl.Out[pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)]]) -> pl.Tensor[[48, 32], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2048)
        t__ssa_v0: pl.Tile[[16, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2048), pl.Mem.Vec] = pl.tile.load(cloth__ssa_v0, [at__idx_v0 * 16, 0], [16, 32], [16, 32], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[16, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2048), pl.Mem.Vec] = pl.tile.relu(t__ssa_v0)
        quilt__ssa_v1: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 16, 0], quilt__ssa_v0)
        return quilt__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def parlour(self, cloth__ssa_v0: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6144)], quilt__ssa_v0: pl.Out[pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)]]) -> pl.Tensor[[48, 32], pl.FP32]:
        for seam__idx_v0, (quilt__iter_v1,) in pl.parallel(3, init_values=(quilt__ssa_v0,)):
            quilt__ssa_v3: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 6144)] = self.sew(cloth__ssa_v0, seam__idx_v0, quilt__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.no_dep], "arg_direction_overrides": [2]})
            quilt__rv_v2: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 6144)] = pl.yield_(quilt__ssa_v3)
        return quilt__rv_v2
