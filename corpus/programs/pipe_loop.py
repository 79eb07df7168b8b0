# pypto.program: Furnace
import pypto.language as pl

@pl.program
class Furnace:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def pour_glass(sand__ssa_v0: pl.Tensor[[20, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1280)], at__idx_v0: pl.Scalar[pl.INDEX], glass__ssa_v0: pl.Out[pl.Tensor[[20, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1280)]], __gm_pipe_buffer: pl.Out[pl.Tensor[[1], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 4)]]) -> pl.Tensor[[20, 16], pl.FP32]:
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 640)
        t__ssa_v0: pl.Tile[[10, 16], pl.FP32, pl.MemRef(mem_vec_3, pl.const(0, pl.INT64), 640), pl.Mem.Vec] = pl.tile.load(sand__ssa_v0, [at__idx_v0 * 10, 0], [10, 16], [10, 16], target_memory=pl.Mem.Vec)
        glass__ssa_v1: pl.Tensor[[20, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1280)] = pl.tile.store(t__ssa_v0, [at__idx_v0 * 10, 0], glass__ssa_v0)
        return glass__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def glassworks(self, sand__ssa_v0: pl.Tensor[[20, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1280)], glass__ssa_v0: pl.Out[pl.Tensor[[20, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1280)]]) -> pl.Tensor[[20, 16], pl.FP32]:
        for at__idx_v0, (glass__iter_v1,) in pl.parallel(2, init_values=(glass__ssa_v0,)):
            gm_pipe_buffer_0: pl.Tensor[[1], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 4)] = pl.tensor.create([1], dtype=pl.FP32, layout=pl.TensorLayout.ND, manual_dep=True)
            glass__ssa_v3: pl.Tensor[[20, 16], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 1280)] = self.pour_glass(sand__ssa_v0, at__idx_v0, glass__iter_v1, gm_pipe_buffer_0, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing, pl.adir.output_existing]})
            glass__rv_v2: pl.Tensor[[20, 16], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 1280)] = pl.yield_(glass__ssa_v3)
        return glass__rv_v2
