# pypto.program: Caravan
import pypto.language as pl

CAMELS = pl.dynamic("CAMELS")

@pl.program
class Caravan:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def load_up(sacks__ssa_v0: pl.Tensor[[CAMELS, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 0)], herd__ssa_v0: pl.Out[pl.Tensor[[CAMELS, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)]], camels__ssa_v0: pl.Scalar[pl.INDEX]) -> pl.Tensor[[CAMELS, 64], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2048)
        t__ssa_v0: pl.Tile[[8, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2048), pl.Mem.Vec] = pl.tile.load(sacks__ssa_v0, [0, 0], [8, 64], [8, 64], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[8, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2048), pl.Mem.Vec] = pl.tile.adds(t__ssa_v0, 1.0)
        herd__ssa_v1: pl.Tensor[[CAMELS, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)] = pl.tile.store(r__ssa_v0, [0, 0], herd__ssa_v0)
        return herd__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def march(herd__ssa_v0: pl.Tensor[[CAMELS, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 0)], oasis__ssa_v0: pl.Out[pl.Tensor[[CAMELS, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)]]) -> pl.Tensor[[CAMELS, 64], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2048)
        t__ssa_v0: pl.Tile[[8, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2048), pl.Mem.Vec] = pl.tile.load(herd__ssa_v0, [0, 0], [8, 64], [8, 64], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[8, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2048), pl.Mem.Vec] = pl.tile.muls(t__ssa_v0, 0.9)
        oasis__ssa_v1: pl.Tensor[[CAMELS, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)] = pl.tile.store(r__ssa_v0, [0, 0], oasis__ssa_v0)
        return oasis__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def desert(self, sacks__ssa_v0: pl.Tensor[[CAMELS, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 0)], herd__ssa_v0: pl.Out[pl.Tensor[[CAMELS, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)]], oasis__ssa_v0: pl.Out[pl.Tensor[[CAMELS, 64], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 0)]]) -> tuple[pl.Tensor[[CAMELS, 64], pl.FP32], pl.Tensor[[CAMELS, 64], pl.FP32]]:
        count__ssa_v0: pl.Scalar[pl.INDEX] = pl.tensor.dim(sacks__ssa_v0, 0)
        herd__ssa_v1: pl.Tensor[[CAMELS, 64], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 0)] = self.load_up(sacks__ssa_v0, herd__ssa_v0, count__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing, pl.adir.scalar]})
        oasis__ssa_v1: pl.Tensor[[CAMELS, 64], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 0)] = self.march(herd__ssa_v1, oasis__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return herd__ssa_v1, oasis__ssa_v1
