# pypto.program: LockersShared
import pypto.language as pl

@pl.program
class LockersShared:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def stow(bag__ssa_v0: pl.Tensor[[16, 12], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 768)], place__ssa_v0: pl.Scalar[pl.INDEX], rack__ssa_v0: pl.Out[pl.Tensor[[128, 12], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)]]) -> pl.Tensor[[128, 12], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 768)
        t__ssa_v0: pl.Tile[[16, 12], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 768), pl.Mem.Vec] = pl.tile.load(bag__ssa_v0, [0, 0], [16, 12], [16, 12], target_memory=pl.Mem.Vec)
        rack__ssa_v1: pl.Tensor[[128, 12], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)] = pl.tile.store(t__ssa_v0, [place__ssa_v0 * 16, 0], rack__ssa_v0)
        return rack__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def station(self, bag__ssa_v0: pl.Tensor[[16, 12], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 768)], table__ssa_v0: pl.Tensor[[8], pl.INT32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 32)], rack__ssa_v0: pl.Out[pl.Tensor[[128, 12], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 6144)]]) -> pl.Tensor[[128, 12], pl.FP32]:
        one__ssa_v0: pl.Scalar[pl.INT32] = pl.tensor.read(table__ssa_v0, [3])
        left__ssa_v0: pl.Scalar[pl.INDEX] = pl.cast(one__ssa_v0, pl.INDEX)
        rack__ssa_v1: pl.Tensor[[128, 12], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 6144)] = self.stow(bag__ssa_v0, left__ssa_v0 * 2, rack__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
        two__ssa_v0: pl.Scalar[pl.INT32] = pl.tensor.read(table__ssa_v0, [3])
        right__ssa_v0: pl.Scalar[pl.INDEX] = pl.cast(two__ssa_v0, pl.INDEX)
        rack__ssa_v2: pl.Tensor[[128, 12], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 6144)] = self.stow(bag__ssa_v0, right__ssa_v0 * 2, rack__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
        return rack__ssa_v2
