# pypto.program: AcresWide
import pypto.language as pl

ACRES = pl.dynamic("ACRES")

@pl.program
class AcresWide:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def sow(seed__ssa_v0: pl.Tensor[[65, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 4160)], at__idx_v0: pl.Scalar[pl.INDEX], crop__ssa_v0: pl.Out[pl.Tensor[[ACRES, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)]]) -> pl.Tensor[[ACRES, 16], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 4160)
        t__ssa_v0: pl.Tile[[65, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 4160), pl.Mem.Vec] = pl.tile.load(seed__ssa_v0, [0, 0], [65, 16], [65, 16], target_memory=pl.Mem.Vec)
        crop__ssa_v1: pl.Tensor[[ACRES, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)] = pl.tile.store(t__ssa_v0, [at__idx_v0 * 64, 0], crop__ssa_v0)
        return crop__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def reap(crop__ssa_v0: pl.Tensor[[ACRES, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 0)], barn__ssa_v0: pl.Out[pl.Tensor[[64, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 4096)]]) -> pl.Tensor[[64, 16], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 4096)
        t__ssa_v0: pl.Tile[[64, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 4096), pl.Mem.Vec] = pl.tile.load(crop__ssa_v0, [0, 0], [64, 16], [64, 16], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[64, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 4096), pl.Mem.Vec] = pl.tile.exp(t__ssa_v0)
        barn__ssa_v1: pl.Tensor[[64, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 4096)] = pl.tile.store(r__ssa_v0, [0, 0], barn__ssa_v0)
        return barn__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def season(self, seed__ssa_v0: pl.Tensor[[65, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 4160)], crop__ssa_v0: pl.Out[pl.Tensor[[ACRES, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 0)]], barn__ssa_v0: pl.Out[pl.Tensor[[64, 16], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 4096)]], fields__ssa_v0: pl.Scalar[pl.INDEX]) -> tuple[pl.Tensor[[ACRES, 16], pl.FP32], pl.Tensor[[64, 16], pl.FP32]]:
        for field__idx_v0, (crop__iter_v1,) in pl.parallel(fields__ssa_v0, init_values=(crop__ssa_v0,)):
            crop__ssa_v3: pl.Tensor[[ACRES, 16], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 0)] = self.sow(seed__ssa_v0, field__idx_v0, crop__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
            crop__rv_v2: pl.Tensor[[ACRES, 16], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 0)] = pl.yield_(crop__ssa_v3)
        barn__ssa_v1: pl.Tensor[[64, 16], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 4096)] = self.reap(crop__rv_v2, barn__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return crop__rv_v2, barn__ssa_v1
