# pypto.program: CanalHeeded
import pypto.language as pl

@pl.program
class CanalHeeded:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def gauge(river__ssa_v0: pl.Tensor[[8, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1024)], at__idx_v0: pl.Scalar[pl.INDEX], marks__ssa_v0: pl.Out[pl.Tensor[[4, 16], pl.INT32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 256)]]) -> pl.Tensor[[4, 16], pl.INT32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1024)
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 64)
        t__ssa_v0: pl.Tile[[8, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1024), pl.Mem.Vec] = pl.tile.load(river__ssa_v0, [0, 0], [8, 32], [8, 32], target_memory=pl.Mem.Vec)
        m__ssa_v0: pl.Tile[[1, 16], pl.INT32, pl.MemRef(mem_vec_3, pl.const(1024, pl.INT64), 64), pl.Mem.Vec] = pl.tile.full([1, 16], dtype=pl.INT32, value=1)
        marks__ssa_v1: pl.Tensor[[4, 16], pl.INT32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 256)] = pl.tile.store(m__ssa_v0, [at__idx_v0, 0], marks__ssa_v0)
        return marks__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def open_lock(river__ssa_v0: pl.Tensor[[8, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1024)], at__idx_v0: pl.Scalar[pl.INDEX], basin__ssa_v0: pl.Out[pl.Tensor[[16, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2048)]]) -> pl.Tensor[[16, 32], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1024)
        t__ssa_v0: pl.Tile[[8, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1024), pl.Mem.Vec] = pl.tile.load(river__ssa_v0, [0, 0], [8, 32], [8, 32], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[8, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1024), pl.Mem.Vec] = pl.tile.muls(t__ssa_v0, 0.25)
        basin__ssa_v1: pl.Tensor[[16, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2048)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 8, 0], basin__ssa_v0)
        return basin__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def waterway(self, river__ssa_v0: pl.Tensor[[8, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1024)], basin__ssa_v0: pl.InOut[pl.Tensor[[16, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2048)]]) -> pl.Tensor[[16, 32], pl.FP32]:
        marks__ssa_v0: pl.Tensor[[4, 16], pl.INT32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 256)] = pl.tensor.create([4, 16], dtype=pl.INT32, layout=pl.TensorLayout.ND)
        for lock__idx_v0, (basin__iter_v1, marks__iter_v1) in pl.range(2, init_values=(basin__ssa_v0, marks__ssa_v0)):
            look__ssa_v0: pl.Tuple[pl.Tensor[[4, 16], pl.INT32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.gauge, river__ssa_v0, lock__idx_v0, marks__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout]})
            marks__ssa_v3: pl.Tensor[[4, 16], pl.INT32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 256)] = look__ssa_v0[0]
            seen__ssa_v0: pl.Scalar[pl.TASK_ID] = look__ssa_v0[1]
            gate__ssa_v0: pl.Tuple[pl.Tensor[[16, 32], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.open_lock, river__ssa_v0, lock__idx_v0, basin__iter_v1, deps=[seen__ssa_v0], predicate=(0 < pl.cast(pl.tensor.read(marks__ssa_v3, [lock__idx_v0, 2]), pl.INDEX)), attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout]})
            basin__ssa_v3: pl.Tensor[[16, 32], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2048)] = gate__ssa_v0[0]
            opened__ssa_v0: pl.Scalar[pl.TASK_ID] = gate__ssa_v0[1]
            basin__rv_v2, marks__rv_v2 = pl.yield_(basin__ssa_v3, marks__ssa_v3)
        return basin__rv_v2
