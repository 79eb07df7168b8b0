# pypto.program: Tributaries
import pypto.language as pl

@pl.program
class Tributaries:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def merge(left__ssa_v0: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2240)], right__ssa_v0: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2240)], river__ssa_v0: pl.Out[pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2240)]]) -> pl.Tensor[[14, 40], pl.FP32]:
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2240)
        mem_vec_4: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2240)
        p__ssa_v0: pl.Tile[[14, 40], pl.FP32, pl.MemRef(mem_vec_3, pl.const(0, pl.INT64), 2240), pl.Mem.Vec] = pl.tile.load(left__ssa_v0, [0, 0], [14, 40], [14, 40], target_memory=pl.Mem.Vec)
        q__ssa_v0: pl.Tile[[14, 40], pl.FP32, pl.MemRef(mem_vec_4, pl.const(2240, pl.INT64), 2240), pl.Mem.Vec] = pl.tile.load(right__ssa_v0, [0, 0], [14, 40], [14, 40], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[14, 40], pl.FP32, pl.MemRef(mem_vec_3, pl.const(0, pl.INT64), 2240), pl.Mem.Vec] = pl.tile.add(p__ssa_v0, q__ssa_v0)
        river__ssa_v1: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2240)] = pl.tile.store(r__ssa_v0, [0, 0], river__ssa_v0)
        return river__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def basin(self, springs__ssa_v0: pl.Tensor[[112, 40], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 17920)], sea__ssa_v0: pl.Out[pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2240)]]) -> pl.Tensor[[14, 40], pl.FP32]:
        w0__ssa_v0: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_0", 0, 2240)] = pl.tensor.slice(springs__ssa_v0, [14, 40], [0, 0])
        w1__ssa_v0: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_0", 2240, 2240)] = pl.tensor.slice(springs__ssa_v0, [14, 40], [14, 0])
        w2__ssa_v0: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_0", 4480, 2240)] = pl.tensor.slice(springs__ssa_v0, [14, 40], [28, 0])
        w3__ssa_v0: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_0", 6720, 2240)] = pl.tensor.slice(springs__ssa_v0, [14, 40], [42, 0])
        w4__ssa_v0: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_0", 8960, 2240)] = pl.tensor.slice(springs__ssa_v0, [14, 40], [56, 0])
        w5__ssa_v0: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_0", 11200, 2240)] = pl.tensor.slice(springs__ssa_v0, [14, 40], [70, 0])
        w6__ssa_v0: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_0", 13440, 2240)] = pl.tensor.slice(springs__ssa_v0, [14, 40], [84, 0])
        w7__ssa_v0: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_0", 15680, 2240)] = pl.tensor.slice(springs__ssa_v0, [14, 40], [98, 0])
        brook0__ssa_v0: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2240)] = pl.tensor.create([14, 40], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        brook0__ssa_v1: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2240)] = self.merge(w0__ssa_v0, w1__ssa_v0, brook0__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.output_existing]})
        brook1__ssa_v0: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2240)] = pl.tensor.create([14, 40], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        brook1__ssa_v1: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 2240)] = self.merge(w2__ssa_v0, w3__ssa_v0, brook1__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.output_existing]})
        brook2__ssa_v0: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 2240)] = pl.tensor.create([14, 40], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        brook2__ssa_v1: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 2240)] = self.merge(w4__ssa_v0, w5__ssa_v0, brook2__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.output_existing]})
        brook3__ssa_v0: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 2240)] = pl.tensor.create([14, 40], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        brook3__ssa_v1: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_9", pl.const(0, pl.INT64), 2240)] = self.merge(w6__ssa_v0, w7__ssa_v0, brook3__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.output_existing]})
        river0__ssa_v0: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_10", pl.const(0, pl.INT64), 2240)] = pl.tensor.create([14, 40], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        river0__ssa_v1: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_11", pl.const(0, pl.INT64), 2240)] = self.merge(brook0__ssa_v1, brook1__ssa_v1, river0__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.output_existing]})
        river1__ssa_v0: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_12", pl.const(0, pl.INT64), 2240)] = pl.tensor.create([14, 40], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        river1__ssa_v1: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_13", pl.const(0, pl.INT64), 2240)] = self.merge(brook2__ssa_v1, brook3__ssa_v1, river1__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.output_existing]})
        sea__ssa_v1: pl.Tensor[[14, 40], pl.FP32, pl.MemRef("mem_ddr_14", pl.const(0, pl.INT64), 2240)] = self.merge(river0__ssa_v1, river1__ssa_v1, sea__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.output_existing]})
        return sea__ssa_v1
