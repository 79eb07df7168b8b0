# pypto.program: Tally
import pypto.language as pl

@pl.program
class Tally:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def notch(stick__ssa_v0: pl.InOut[pl.Tensor[[1, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 64)]]) -> pl.Tensor[[1, 16], pl.FP32]:
        mem_vec_1: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 64)
        t__ssa_v0: pl.Tile[[1, 16], pl.FP32, pl.MemRef(mem_vec_1, pl.const(0, pl.INT64), 64), pl.Mem.Vec] = pl.tile.load(stick__ssa_v0, [0, 0], [1, 16], [1, 16], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[1, 16], pl.FP32, pl.MemRef(mem_vec_1, pl.const(0, pl.INT64), 64), pl.Mem.Vec] = pl.tile.adds(t__ssa_v0, 1.0)
        stick__ssa_v1: pl.Tensor[[1, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 64)] = pl.tile.store(r__ssa_v0, [0, 0], stick__ssa_v0)
        return stick__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def harvest(self, stick__ssa_v0: pl.InOut[pl.Tensor[[1, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 64)]]) -> pl.Tensor[[1, 16], pl.FP32]:
        for sack__idx_v0, (stick__iter_v1,) in pl.range(16384, init_values=(stick__ssa_v0,)):
            stick__ssa_v2: pl.Tensor[[1, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 64)] = self.notch(stick__iter_v1, attrs={"arg_directions": [pl.adir.inout]})
            stick__rv_v3: pl.Tensor[[1, 16], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 64)] = pl.yield_(stick__ssa_v2)
        return stick__rv_v3
