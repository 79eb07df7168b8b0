# pypto.program: Shingles
import pypto.language as pl

EAVES = pl.dynamic("EAVES")

@pl.program
class Shingles:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def nail(wood__ssa_v0: pl.Tensor[[16, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1536)], at__ssa_v0: pl.Scalar[pl.INDEX], rows__ssa_v0: pl.Scalar[pl.INDEX], eaves__ssa_v0: pl.Out[pl.Tensor[[EAVES, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)]]) -> pl.Tensor[[EAVES, 24], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1536)
        t__ssa_v0: pl.Tile[[16, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1536), pl.Mem.Vec, pl.TileView(valid_shape=[rows__ssa_v0, 24])] = pl.tile.load(wood__ssa_v0, [0, 0], [16, 24], [rows__ssa_v0, 24], target_memory=pl.Mem.Vec)
        eaves__ssa_v1: pl.Tensor[[EAVES, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)] = pl.tile.store(t__ssa_v0, [at__ssa_v0, 0], eaves__ssa_v0)
        return eaves__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def cabin(self, wood__ssa_v0: pl.Tensor[[16, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1536)], eaves__ssa_v0: pl.Out[pl.Tensor[[EAVES, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)]]) -> pl.Tensor[[EAVES, 24], pl.FP32]:
        height__ssa_v0: pl.Scalar[pl.INDEX] = pl.tensor.dim(eaves__ssa_v0, 0)
        for at__idx_v0, (eaves__iter_v1,) in pl.parallel(0, height__ssa_v0, 16, init_values=(eaves__ssa_v0,)):
            rows__ssa_v0: pl.Scalar[pl.INDEX] = pl.min(16, height__ssa_v0 - at__idx_v0)
            eaves__ssa_v3: pl.Tensor[[EAVES, 24], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 0)] = self.nail(wood__ssa_v0, at__idx_v0, rows__ssa_v0, eaves__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.scalar, pl.adir.output_existing]})
            eaves__rv_v2: pl.Tensor[[EAVES, 24], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 0)] = pl.yield_(eaves__ssa_v3)
        return eaves__rv_v2
