# pypto.program: Doubles
import pypto.language as pl

@pl.program
class Doubles:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def fetch(well__ssa_v0: pl.Tensor[[32, 28], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3584)], turn__idx_v0: pl.Scalar[pl.INDEX], bucket__ssa_v0: pl.Out[pl.Tensor[[16, 28], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1792)]]) -> pl.Tensor[[16, 28], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 896)
        t__ssa_v0: pl.Tile[[8, 28], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 896), pl.Mem.Vec] = pl.tile.load(well__ssa_v0, [turn__idx_v0 * 8, 0], [8, 28], [8, 28], target_memory=pl.Mem.Vec)
        bucket__ssa_v1: pl.Tensor[[16, 28], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1792)] = pl.tile.store(t__ssa_v0, [turn__idx_v0 % 2 * 8, 0], bucket__ssa_v0)
        return bucket__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def empty(bucket__ssa_v0: pl.Tensor[[16, 28], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1792)], turn__idx_v0: pl.Scalar[pl.INDEX], tank__ssa_v0: pl.Out[pl.Tensor[[32, 28], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3584)]]) -> pl.Tensor[[32, 28], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 896)
        t__ssa_v0: pl.Tile[[8, 28], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 896), pl.Mem.Vec] = pl.tile.load(bucket__ssa_v0, [turn__idx_v0 % 2 * 8, 0], [8, 28], [8, 28], target_memory=pl.Mem.Vec)
        tank__ssa_v1: pl.Tensor[[32, 28], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3584)] = pl.tile.store(t__ssa_v0, [turn__idx_v0 * 8, 0], tank__ssa_v0)
        return tank__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def farmyard(self, well__ssa_v0: pl.Tensor[[32, 28], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3584)], tank__ssa_v0: pl.Out[pl.Tensor[[32, 28], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3584)]]) -> pl.Tensor[[32, 28], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            bucket__ssa_v0: pl.Tensor[[16, 28], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 1792)] = pl.tensor.create([16, 28], dtype=pl.FP32, layout=pl.TensorLayout.ND)
            free__ssa_v0: pl.Array[2, pl.TASK_ID] = pl.array.create(2, dtype=pl.TASK_ID)
            for turn__idx_v0, (bucket__iter_v1, free__iter_v1, tank__iter_v1) in pl.range(4, init_values=(bucket__ssa_v0, free__ssa_v0, tank__ssa_v0)):
                ready__ssa_v0: pl.Scalar[pl.TASK_ID] = pl.array.get_element(free__iter_v1, turn__idx_v0 % 2)
                rope__ssa_v0: pl.Tuple[pl.Tensor[[16, 28], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.fetch, well__ssa_v0, turn__idx_v0, bucket__iter_v1, deps=[ready__ssa_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout]})
                bucket__ssa_v3: pl.Tensor[[16, 28], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 1792)] = rope__ssa_v0[0]
                full__ssa_v0: pl.Scalar[pl.TASK_ID] = rope__ssa_v0[1]
                tilt__ssa_v0: pl.Tuple[pl.Tensor[[32, 28], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.empty, bucket__ssa_v3, turn__idx_v0, tank__iter_v1, deps=[full__ssa_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout]})
                tank__ssa_v3: pl.Tensor[[32, 28], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 3584)] = tilt__ssa_v0[0]
                poured__ssa_v0: pl.Scalar[pl.TASK_ID] = tilt__ssa_v0[1]
                free__ssa_v3: pl.Array[2, pl.TASK_ID] = pl.array.update_element(free__iter_v1, turn__idx_v0 % 2, poured__ssa_v0)
                bucket__rv_v2, free__rv_v2, tank__rv_v2 = pl.yield_(bucket__ssa_v3, free__ssa_v3, tank__ssa_v3)
        return tank__rv_v2
