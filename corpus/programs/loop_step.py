# pypto.program: Ladder
import pypto.language as pl

@pl.program
class Ladder:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def rung(wood__ssa_v0: pl.Tensor[[20, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2560)], at__idx_v0: pl.Scalar[pl.INDEX], ladder__ssa_v0: pl.Out[pl.Tensor[[20, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2560)]]) -> pl.Tensor[[20, 32], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 640)
        t__ssa_v0: pl.Tile[[5, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 640), pl.Mem.Vec] = pl.tile.load(wood__ssa_v0, [at__idx_v0, 0], [5, 32], [5, 32], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[5, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 640), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        ladder__ssa_v1: pl.Tensor[[20, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2560)] = pl.tile.store(r__ssa_v0, [at__idx_v0, 0], ladder__ssa_v0)
        return ladder__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def lean(ladder__ssa_v0: pl.Tensor[[20, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2560)], roof__ssa_v0: pl.Out[pl.Tensor[[15, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1920)]]) -> pl.Tensor[[15, 32], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1920)
        t__ssa_v0: pl.Tile[[15, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1920), pl.Mem.Vec] = pl.tile.load(ladder__ssa_v0, [2, 0], [15, 32], [15, 32], target_memory=pl.Mem.Vec)
        roof__ssa_v1: pl.Tensor[[15, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1920)] = pl.tile.store(t__ssa_v0, [0, 0], roof__ssa_v0)
        return roof__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def barn(self, wood__ssa_v0: pl.Tensor[[20, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2560)], roof__ssa_v0: pl.Out[pl.Tensor[[15, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1920)]]) -> pl.Tensor[[15, 32], pl.FP32]:
        ladder__ssa_v0: pl.Tensor[[20, 32], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2560)] = pl.tensor.create([20, 32], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        for at__idx_v0, (ladder__iter_v1,) in pl.parallel(2, 17, 5, init_values=(ladder__ssa_v0,)):
            ladder__ssa_v3: pl.Tensor[[20, 32], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2560)] = self.rung(wood__ssa_v0, at__idx_v0, ladder__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
            ladder__rv_v2: pl.Tensor[[20, 32], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2560)] = pl.yield_(ladder__ssa_v3)
        roof__ssa_v1: pl.Tensor[[15, 32], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 1920)] = self.lean(ladder__rv_v2, roof__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return roof__ssa_v1
