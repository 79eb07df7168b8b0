# pypto.program: Bricks
import pypto.language as pl

@pl.program
class Bricks:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def lay(clay__ssa_v0: pl.Tensor[[40, 12], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1920)], at__idx_v0: pl.Scalar[pl.INDEX], wall__ssa_v0: pl.Out[pl.Tensor[[40, 12], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1920)]]) -> pl.Tensor[[40, 12], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 960)
        t__ssa_v0: pl.Tile[[20, 12], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 960), pl.Mem.Vec] = pl.tile.load(clay__ssa_v0, [at__idx_v0 * 20, 0], [20, 12], [20, 12], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[20, 12], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 960), pl.Mem.Vec] = pl.tile.log(t__ssa_v0)
        wall__ssa_v1: pl.Tensor[[40, 12], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1920)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 20, 0], wall__ssa_v0)
        return wall__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def smooth(wall__ssa_v0: pl.Tensor[[40, 12], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1920)], at__idx_v0: pl.Scalar[pl.INDEX], face__ssa_v0: pl.Out[pl.Tensor[[40, 12], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1920)]]) -> pl.Tensor[[40, 12], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 960)
        t__ssa_v0: pl.Tile[[20, 12], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 960), pl.Mem.Vec] = pl.tile.load(wall__ssa_v0, [at__idx_v0 * 20, 0], [20, 12], [20, 12], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[20, 12], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 960), pl.Mem.Vec] = pl.tile.exp(t__ssa_v0)
        face__ssa_v1: pl.Tensor[[40, 12], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1920)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 20, 0], face__ssa_v0)
        return face__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def mason(self, clay__ssa_v0: pl.Tensor[[40, 12], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1920)], face__ssa_v0: pl.Out[pl.Tensor[[40, 12], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1920)]]) -> pl.Tensor[[40, 12], pl.FP32]:
        wall__ssa_v0: pl.Tensor[[40, 12], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 1920)] = pl.tensor.create([40, 12], dtype=pl.FP32, layout=pl.TensorLayout.ND, manual_dep=True)
        laid__ssa_v0: pl.Scalar[pl.TASK_ID] = pl.system.task_invalid()
        for course__idx_v0, (face__iter_v1, laid__iter_v1, wall__iter_v1) in pl.range(2, init_values=(face__ssa_v0, laid__ssa_v0, wall__ssa_v0)):
            trowel__ssa_v0: pl.Tuple[pl.Tensor[[40, 12], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.lay, clay__ssa_v0, course__idx_v0, wall__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout]})
            wall__ssa_v3: pl.Tensor[[40, 12], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 1920)] = trowel__ssa_v0[0]
            laid__ssa_v3: pl.Scalar[pl.TASK_ID] = trowel__ssa_v0[1]
            sponge__ssa_v0: pl.Tuple[pl.Tensor[[40, 12], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.smooth, wall__ssa_v3, course__idx_v0, face__iter_v1, deps=[laid__iter_v1], attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout]})
            face__ssa_v3: pl.Tensor[[40, 12], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 1920)] = sponge__ssa_v0[0]
            smoothed__ssa_v0: pl.Scalar[pl.TASK_ID] = sponge__ssa_v0[1]
            face__rv_v2, laid__rv_v2, wall__rv_v2 = pl.yield_(face__ssa_v3, laid__ssa_v3, wall__ssa_v3)
        return face__rv_v2
