# pypto.program: Sieve
import pypto.language as pl

@pl.program
class Sieve:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def sift(grain__ssa_v0: pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 5824)], fine__ssa_v0: pl.Out[pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 5824)]], coarse__ssa_v0: pl.Out[pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 5824)]]) -> tuple[pl.Tensor[[28, 52], pl.FP32], pl.Tensor[[28, 52], pl.FP32]]:
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 5824)
        mem_vec_4: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 5824)
        mem_vec_5: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 5824)
        t__ssa_v0: pl.Tile[[28, 52], pl.FP32, pl.MemRef(mem_vec_3, pl.const(0, pl.INT64), 5824), pl.Mem.Vec] = pl.tile.load(grain__ssa_v0, [0, 0], [28, 52], [28, 52], target_memory=pl.Mem.Vec)
        lo__ssa_v0: pl.Tile[[28, 52], pl.FP32, pl.MemRef(mem_vec_4, pl.const(5824, pl.INT64), 5824), pl.Mem.Vec] = pl.tile.mins(t__ssa_v0, 1.0)
        hi__ssa_v0: pl.Tile[[28, 52], pl.FP32, pl.MemRef(mem_vec_5, pl.const(11648, pl.INT64), 5824), pl.Mem.Vec] = pl.tile.maxs(t__ssa_v0, 1.0)
        fine__ssa_v1: pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 5824)] = pl.tile.store(lo__ssa_v0, [0, 0], fine__ssa_v0)
        coarse__ssa_v1: pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 5824)] = pl.tile.store(hi__ssa_v0, [0, 0], coarse__ssa_v0)
        return fine__ssa_v0, coarse__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def bake(flour__ssa_v0: pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 5824)], bread__ssa_v0: pl.Out[pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 5824)]]) -> pl.Tensor[[28, 52], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 5824)
        t__ssa_v0: pl.Tile[[28, 52], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 5824), pl.Mem.Vec] = pl.tile.load(flour__ssa_v0, [0, 0], [28, 52], [28, 52], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[28, 52], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 5824), pl.Mem.Vec] = pl.tile.exp(t__ssa_v0)
        bread__ssa_v1: pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 5824)] = pl.tile.store(r__ssa_v0, [0, 0], bread__ssa_v0)
        return bread__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def feed(husk__ssa_v0: pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 5824)], hen__ssa_v0: pl.Out[pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 5824)]]) -> pl.Tensor[[28, 52], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 5824)
        t__ssa_v0: pl.Tile[[28, 52], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 5824), pl.Mem.Vec] = pl.tile.load(husk__ssa_v0, [0, 0], [28, 52], [28, 52], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[28, 52], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 5824), pl.Mem.Vec] = pl.tile.log(t__ssa_v0)
        hen__ssa_v1: pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 5824)] = pl.tile.store(r__ssa_v0, [0, 0], hen__ssa_v0)
        return hen__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def mill(self, grain__ssa_v0: pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 5824)], bread__ssa_v0: pl.Out[pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 5824)]], hen__ssa_v0: pl.Out[pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 5824)]]) -> tuple[pl.Tensor[[28, 52], pl.FP32], pl.Tensor[[28, 52], pl.FP32]]:
        flour__ssa_v0: pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 5824)] = pl.tensor.create([28, 52], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        husk__ssa_v0: pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 5824)] = pl.tensor.create([28, 52], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        parted: pl.Tuple[pl.Tensor[[28, 52], pl.FP32], pl.Tensor[[28, 52], pl.FP32]] = self.sift(grain__ssa_v0, flour__ssa_v0, husk__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing, pl.adir.output_existing]})
        flour__ssa_v1: pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 5824)] = parted[0]
        husk__ssa_v1: pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 5824)] = parted[1]
        bread__ssa_v1: pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 5824)] = self.bake(flour__ssa_v1, bread__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        hen__ssa_v1: pl.Tensor[[28, 52], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 5824)] = self.feed(husk__ssa_v1, hen__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return bread__ssa_v1, hen__ssa_v1
