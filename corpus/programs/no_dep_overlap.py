# pypto.program: Trenches
import pypto.language as pl

@pl.program
class Trenches:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def dig(plan__ssa_v0: pl.Tensor[[56, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 7168)], ground__ssa_v0: pl.Out[pl.Tensor[[56, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 7168)]]) -> pl.Tensor[[56, 32], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 7168)
        t__ssa_v0: pl.Tile[[56, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 7168), pl.Mem.Vec] = pl.tile.load(plan__ssa_v0, [0, 0], [56, 32], [56, 32], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[56, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 7168), pl.Mem.Vec] = pl.tile.maxs(t__ssa_v0, 0.0)
        ground__ssa_v1: pl.Tensor[[56, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 7168)] = pl.tile.store(r__ssa_v0, [0, 0], ground__ssa_v0)
        return ground__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def flood(ground__ssa_v0: pl.Tensor[[96, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 12288)], lake__ssa_v0: pl.Out[pl.Tensor[[96, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 12288)]]) -> pl.Tensor[[96, 32], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 12288)
        t__ssa_v0: pl.Tile[[96, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 12288), pl.Mem.Vec] = pl.tile.load(ground__ssa_v0, [0, 0], [96, 32], [96, 32], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[96, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 12288), pl.Mem.Vec] = pl.tile.exp(t__ssa_v0)
        lake__ssa_v1: pl.Tensor[[96, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 12288)] = pl.tile.store(r__ssa_v0, [0, 0], lake__ssa_v0)
        return lake__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def canal(self, west__ssa_v0: pl.Tensor[[56, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 7168)], east__ssa_v0: pl.Tensor[[56, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 7168)], lake__ssa_v0: pl.Out[pl.Tensor[[96, 32], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 12288)]]) -> pl.Tensor[[96, 32], pl.FP32]:
        ground__ssa_v0: pl.Tensor[[96, 32], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 12288)] = pl.tensor.create([96, 32], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        left__ssa_v0: pl.Tensor[[56, 32], pl.FP32, pl.MemRef("mem_ddr_3", 0, 7168)] = pl.tensor.slice(ground__ssa_v0, [56, 32], [0, 0])
        dug__ssa_v0: pl.Tuple[pl.Tensor[[56, 32], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.dig, west__ssa_v0, left__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.no_dep], "arg_direction_overrides": [1]})
        left__ssa_v1: pl.Tensor[[56, 32], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 7168)] = dug__ssa_v0[0]
        west_done__ssa_v0: pl.Scalar[pl.TASK_ID] = dug__ssa_v0[1]
        right__ssa_v0: pl.Tensor[[56, 32], pl.FP32, pl.MemRef("mem_ddr_3", 5120, 7168)] = pl.tensor.slice(ground__ssa_v0, [56, 32], [40, 0])
        dug_1: pl.Tuple[pl.Tensor[[56, 32], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.dig, east__ssa_v0, right__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.no_dep], "arg_direction_overrides": [1]})
        right__ssa_v1: pl.Tensor[[56, 32], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 7168)] = dug_1[0]
        east_done__ssa_v0: pl.Scalar[pl.TASK_ID] = dug_1[1]
        fill__ssa_v0: pl.Tuple[pl.Tensor[[96, 32], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.flood, ground__ssa_v0, lake__ssa_v0, deps=[west_done__ssa_v0, east_done__ssa_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        lake__ssa_v1: pl.Tensor[[96, 32], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 12288)] = fill__ssa_v0[0]
        filled__ssa_v0: pl.Scalar[pl.TASK_ID] = fill__ssa_v0[1]
        return lake__ssa_v1
