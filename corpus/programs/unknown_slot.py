# pypto.program: Pigeonholes
import pypto.language as pl

@pl.program
class Pigeonholes:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def file_letter(letter__ssa_v0: pl.Tensor[[16, 12], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 768)], slot__ssa_v0: pl.Scalar[pl.INDEX], holes__ssa_v0: pl.Out[pl.Tensor[[128, 12], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)]]) -> pl.Tensor[[128, 12], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 768)
        t__ssa_v0: pl.Tile[[16, 12], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 768), pl.Mem.Vec] = pl.tile.load(letter__ssa_v0, [0, 0], [16, 12], [16, 12], target_memory=pl.Mem.Vec)
        holes__ssa_v1: pl.Tensor[[128, 12], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)] = pl.tile.store(t__ssa_v0, [slot__ssa_v0 * 16, 0], holes__ssa_v0)
        return holes__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def post_office(self, letter__ssa_v0: pl.Tensor[[16, 12], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 768)], table__ssa_v0: pl.Tensor[[8], pl.INT32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 32)], holes__ssa_v0: pl.Out[pl.Tensor[[128, 12], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 6144)]]) -> pl.Tensor[[128, 12], pl.FP32]:
        for mail__idx_v0, (holes__iter_v1,) in pl.parallel(2, init_values=(holes__ssa_v0,)):
            slot__ssa_v0: pl.Scalar[pl.INT32] = pl.tensor.read(table__ssa_v0, [mail__idx_v0])
            at__ssa_v0: pl.Scalar[pl.INDEX] = pl.cast(slot__ssa_v0, pl.INDEX)
            holes__ssa_v3: pl.Tensor[[128, 12], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 6144)] = self.file_letter(letter__ssa_v0, at__ssa_v0, holes__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
            holes__rv_v2: pl.Tensor[[128, 12], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 6144)] = pl.yield_(holes__ssa_v3)
        return holes__rv_v2
