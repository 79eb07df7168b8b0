# pypto.program: Crossroads
import pypto.language as pl

@pl.program
class Crossroads:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def part(cart__ssa_v0: pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3872)], west__ssa_v0: pl.Out[pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3872)]], east__ssa_v0: pl.Out[pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 3872)]]) -> tuple[pl.Tensor[[22, 44], pl.FP32], pl.Tensor[[22, 44], pl.FP32]]:
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3872)
        mem_vec_4: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3872)
        t__ssa_v0: pl.Tile[[22, 44], pl.FP32, pl.MemRef(mem_vec_3, pl.const(0, pl.INT64), 3872), pl.Mem.Vec] = pl.tile.load(cart__ssa_v0, [0, 0], [22, 44], [22, 44], target_memory=pl.Mem.Vec)
        n__ssa_v0: pl.Tile[[22, 44], pl.FP32, pl.MemRef(mem_vec_4, pl.const(3872, pl.INT64), 3872), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        west__ssa_v1: pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3872)] = pl.tile.store(t__ssa_v0, [0, 0], west__ssa_v0)
        east__ssa_v1: pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 3872)] = pl.tile.store(n__ssa_v0, [0, 0], east__ssa_v0)
        return east__ssa_v1, west__ssa_v1
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def visit(road__ssa_v0: pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3872)], town__ssa_v0: pl.Out[pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3872)]]) -> pl.Tensor[[22, 44], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3872)
        t__ssa_v0: pl.Tile[[22, 44], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3872), pl.Mem.Vec] = pl.tile.load(road__ssa_v0, [0, 0], [22, 44], [22, 44], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[22, 44], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3872), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        town__ssa_v1: pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3872)] = pl.tile.store(r__ssa_v0, [0, 0], town__ssa_v0)
        return town__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def journey(self, cart__ssa_v0: pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3872)], mule__ssa_v0: pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3872)], town__ssa_v0: pl.Out[pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 3872)]], city__ssa_v0: pl.Out[pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 3872)]]) -> tuple[pl.Tensor[[22, 44], pl.FP32], pl.Tensor[[22, 44], pl.FP32]]:
        west__ssa_v0: pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 3872)] = pl.tensor.create([22, 44], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        east__ssa_v0: pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 3872)] = pl.tensor.create([22, 44], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        roads: pl.Tuple[pl.Tensor[[22, 44], pl.FP32], pl.Tensor[[22, 44], pl.FP32]] = self.part(cart__ssa_v0, west__ssa_v0, east__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing, pl.adir.output_existing]})
        east__ssa_v1: pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 3872)] = roads[0]
        west__ssa_v1: pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 3872)] = roads[1]
        town__ssa_v1: pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 3872)] = self.visit(east__ssa_v1, town__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        west__ssa_v2: pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_9", pl.const(0, pl.INT64), 3872)] = self.visit(mule__ssa_v0, west__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
        city__ssa_v1: pl.Tensor[[22, 44], pl.FP32, pl.MemRef("mem_ddr_10", pl.const(0, pl.INT64), 3872)] = self.visit(west__ssa_v2, city__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return town__ssa_v1, city__ssa_v1
