# pypto.program: Combs
import pypto.language as pl

@pl.program
class Combs:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def groom(hair__ssa_v0: pl.Tensor[[4, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 256)], tooth__idx_v0: pl.Scalar[pl.INDEX], mane__ssa_v0: pl.Out[pl.Tensor[[24, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1536)]]) -> pl.Tensor[[24, 16], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 256)
        t__ssa_v0: pl.Tile[[4, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 256), pl.Mem.Vec] = pl.tile.load(hair__ssa_v0, [0, 0], [4, 16], [4, 16], target_memory=pl.Mem.Vec)
        for k__idx_v0, (mane__iter_v1,) in pl.range(3, init_values=(mane__ssa_v0,)):
            mane__ssa_v3: pl.Tensor[[24, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1536)] = pl.tile.store(t__ssa_v0, [tooth__idx_v0 * 4 + k__idx_v0 * 8, 0], mane__iter_v1)
            mane__rv_v2: pl.Tensor[[24, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1536)] = pl.yield_(mane__ssa_v3)
        return mane__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def stable(self, hair__ssa_v0: pl.Tensor[[4, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 256)], mane__ssa_v0: pl.Out[pl.Tensor[[24, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1536)]]) -> pl.Tensor[[24, 16], pl.FP32]:
        for tooth__idx_v0, (mane__iter_v1,) in pl.parallel(2, init_values=(mane__ssa_v0,)):
            mane__ssa_v3: pl.Tensor[[24, 16], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 1536)] = self.groom(hair__ssa_v0, tooth__idx_v0, mane__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
            mane__rv_v2: pl.Tensor[[24, 16], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 1536)] = pl.yield_(mane__ssa_v3)
        return mane__rv_v2
