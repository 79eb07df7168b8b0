# pypto.program: Postcard
import pypto.language as pl

@pl.program
class Postcard:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def write_text(pen__ssa_v0: pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2312)], card__ssa_v0: pl.Out[pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2312)]]) -> pl.Tensor[[17, 34], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2312)
        t__ssa_v0: pl.Tile[[17, 34], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2312), pl.Mem.Vec] = pl.tile.load(pen__ssa_v0, [0, 0], [17, 34], [17, 34], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[17, 34], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2312), pl.Mem.Vec] = pl.tile.muls(t__ssa_v0, 0.4)
        card__ssa_v1: pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2312)] = pl.tile.store(r__ssa_v0, [0, 0], card__ssa_v0)
        return card__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def holiday(self, pen__ssa_v0: pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2312)], card__ssa_v0: pl.InOut[pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2312)]], mail__ssa_v0: pl.Out[pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2312)]]) -> tuple[pl.Tensor[[17, 34], pl.FP32], pl.Tensor[[17, 34], pl.FP32]]:
        mail__ssa_v1: pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2312)] = self.write_text(pen__ssa_v0, mail__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        card__ssa_v1: pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2312)] = self.write_text(mail__ssa_v1, card__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
        return card__ssa_v1, mail__ssa_v1
