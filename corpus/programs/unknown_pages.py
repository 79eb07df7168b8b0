# pypto.program: Printer
import pypto.language as pl

PAPER = pl.dynamic("PAPER")

@pl.program
class Printer:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def print_page(type__ssa_v0: pl.Tensor[[8, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 512)], page__ssa_v0: pl.Scalar[pl.INDEX], slot__ssa_v0: pl.Scalar[pl.INDEX], roll__ssa_v0: pl.Out[pl.Tensor[[PAPER, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)]]) -> pl.Tensor[[PAPER, 16], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 512)
        t__ssa_v0: pl.Tile[[8, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 512), pl.Mem.Vec] = pl.tile.load(type__ssa_v0, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
        roll__ssa_v1: pl.Tensor[[PAPER, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)] = pl.tile.store(t__ssa_v0, [page__ssa_v0 * 32 + slot__ssa_v0 * 8, 0], roll__ssa_v0)
        return roll__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def press_room(self, type__ssa_v0: pl.Tensor[[8, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 512)], roll__ssa_v0: pl.Out[pl.Tensor[[PAPER, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)]], sheets__ssa_v0: pl.Scalar[pl.INDEX]) -> pl.Tensor[[PAPER, 16], pl.FP32]:
        for sheet__idx_v0, (roll__iter_v1,) in pl.parallel(sheets__ssa_v0, init_values=(roll__ssa_v0,)):
            page__ssa_v0: pl.Scalar[pl.INDEX] = sheet__idx_v0 // 4
            slot__ssa_v0: pl.Scalar[pl.INDEX] = sheet__idx_v0 % 4
            roll__ssa_v3: pl.Tensor[[PAPER, 16], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 0)] = self.print_page(type__ssa_v0, page__ssa_v0, slot__ssa_v0, roll__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.scalar, pl.adir.output_existing]})
            roll__rv_v2: pl.Tensor[[PAPER, 16], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 0)] = pl.yield_(roll__ssa_v3)
        return roll__rv_v2
