# pypto.program: BorrowedScratch
import pypto.language as pl

@pl.program
class BorrowedScratch:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def soften(raw__ssa_v0: pl.Tensor[[48, 96], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 18432)], scratch__ssa_v0: pl.Out[pl.Tensor[[48, 96], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 18432)]]) -> pl.Tensor[[48, 96], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 18432)
        t__ssa_v0: pl.Tile[[48, 96], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 18432), pl.Mem.Vec] = pl.tile.load(raw__ssa_v0, [0, 0], [48, 96], [48, 96], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[48, 96], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 18432), pl.Mem.Vec] = pl.tile.muls(t__ssa_v0, 0.25)
        scratch__ssa_v1: pl.Tensor[[48, 96], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 18432)] = pl.tile.store(r__ssa_v0, [0, 0], scratch__ssa_v0)
        return scratch__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def harvest(scratch__ssa_v0: pl.Tensor[[48, 96], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 18432)], yield_row__ssa_v0: pl.Out[pl.Tensor[[48, 96], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 18432)]]) -> pl.Tensor[[48, 96], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 18432)
        t__ssa_v0: pl.Tile[[48, 96], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 18432), pl.Mem.Vec] = pl.tile.load(scratch__ssa_v0, [0, 0], [48, 96], [48, 96], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[48, 96], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 18432), pl.Mem.Vec] = pl.tile.exp(t__ssa_v0)
        yield_row__ssa_v1: pl.Tensor[[48, 96], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 18432)] = pl.tile.store(r__ssa_v0, [0, 0], yield_row__ssa_v0)
        return yield_row__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def season(self, spring__ssa_v0: pl.Tensor[[48, 96], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 18432)], autumn__ssa_v0: pl.Tensor[[48, 96], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 18432)], early__ssa_v0: pl.Out[pl.Tensor[[48, 96], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 18432)]], late__ssa_v0: pl.Out[pl.Tensor[[48, 96], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 18432)]]) -> tuple[pl.Tensor[[48, 96], pl.FP32], pl.Tensor[[48, 96], pl.FP32]]:
        bed__ssa_v0: pl.Tensor[[48, 96], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 18432)] = pl.tensor.create([48, 96], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        bed__ssa_v1: pl.Tensor[[48, 96], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 18432)] = self.soften(spring__ssa_v0, bed__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        early__ssa_v1: pl.Tensor[[48, 96], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 18432)] = self.harvest(bed__ssa_v1, early__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        bed__ssa_v2: pl.Tensor[[48, 96], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 18432)] = self.soften(autumn__ssa_v0, bed__ssa_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
        late__ssa_v1: pl.Tensor[[48, 96], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 18432)] = self.harvest(bed__ssa_v2, late__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return early__ssa_v1, late__ssa_v1
