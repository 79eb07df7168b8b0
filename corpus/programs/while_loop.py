# pypto.program: Waltz
import pypto.language as pl

@pl.program
class Waltz:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def ride(seat__ssa_v0: pl.Tensor[[13, 26], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1352)], horse__ssa_v0: pl.Out[pl.Tensor[[13, 26], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1352)]]) -> pl.Tensor[[13, 26], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1352)
        t__ssa_v0: pl.Tile[[13, 26], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1352), pl.Mem.Vec] = pl.tile.load(seat__ssa_v0, [0, 0], [13, 26], [13, 26], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[13, 26], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1352), pl.Mem.Vec] = pl.tile.adds(t__ssa_v0, 1.0)
        horse__ssa_v1: pl.Tensor[[13, 26], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1352)] = pl.tile.store(r__ssa_v0, [0, 0], horse__ssa_v0)
        return horse__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def fair(self, seat__ssa_v0: pl.Tensor[[13, 26], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1352)], horse__ssa_v0: pl.Out[pl.Tensor[[13, 26], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1352)]]) -> pl.Tensor[[13, 26], pl.FP32]:
        while 1 < 2:
            horse__ssa_v3: pl.Tensor[[13, 26], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 1352)] = self.ride(seat__ssa_v0, horse__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
            break
        return horse__ssa_v0
