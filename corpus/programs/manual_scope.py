# pypto.program: Quarry
import pypto.language as pl

@pl.program
class Quarry:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def cut(rock__ssa_v0: pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 10240)], block__ssa_v0: pl.Out[pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 10240)]]) -> pl.Tensor[[64, 40], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 10240)
        t__ssa_v0: pl.Tile[[64, 40], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 10240), pl.Mem.Vec] = pl.tile.load(rock__ssa_v0, [0, 0], [64, 40], [64, 40], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[64, 40], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 10240), pl.Mem.Vec] = pl.tile.rsqrt(t__ssa_v0)
        block__ssa_v1: pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 10240)] = pl.tile.store(r__ssa_v0, [0, 0], block__ssa_v0)
        return block__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def polish(block__ssa_v0: pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 10240)], slab__ssa_v0: pl.Out[pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 10240)]]) -> pl.Tensor[[64, 40], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 10240)
        t__ssa_v0: pl.Tile[[64, 40], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 10240), pl.Mem.Vec] = pl.tile.load(block__ssa_v0, [0, 0], [64, 40], [64, 40], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[64, 40], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 10240), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        slab__ssa_v1: pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 10240)] = pl.tile.store(r__ssa_v0, [0, 0], slab__ssa_v0)
        return slab__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def join(left__ssa_v0: pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 10240)], right__ssa_v0: pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 10240)], floor__ssa_v0: pl.Out[pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 10240)]]) -> pl.Tensor[[64, 40], pl.FP32]:
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 10240)
        mem_vec_4: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 10240)
        p__ssa_v0: pl.Tile[[64, 40], pl.FP32, pl.MemRef(mem_vec_3, pl.const(0, pl.INT64), 10240), pl.Mem.Vec] = pl.tile.load(left__ssa_v0, [0, 0], [64, 40], [64, 40], target_memory=pl.Mem.Vec)
        q__ssa_v0: pl.Tile[[64, 40], pl.FP32, pl.MemRef(mem_vec_4, pl.const(10240, pl.INT64), 10240), pl.Mem.Vec] = pl.tile.load(right__ssa_v0, [0, 0], [64, 40], [64, 40], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[64, 40], pl.FP32, pl.MemRef(mem_vec_3, pl.const(0, pl.INT64), 10240), pl.Mem.Vec] = pl.tile.mul(p__ssa_v0, q__ssa_v0)
        floor__ssa_v1: pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 10240)] = pl.tile.store(r__ssa_v0, [0, 0], floor__ssa_v0)
        return floor__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def build(self, north__ssa_v0: pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 10240)], south__ssa_v0: pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 10240)], floor__ssa_v0: pl.Out[pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 10240)]]) -> pl.Tensor[[64, 40], pl.FP32]:
        stone__ssa_v0: pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 10240)] = pl.tensor.create([64, 40], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            slab__ssa_v0: pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 10240)] = pl.tensor.create([64, 40], dtype=pl.FP32, layout=pl.TensorLayout.ND)
            work__ssa_v0: pl.Tuple[pl.Tensor[[64, 40], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.cut, north__ssa_v0, stone__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            stone__ssa_v1: pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 10240)] = work__ssa_v0[0]
            cut_done__ssa_v0: pl.Scalar[pl.TASK_ID] = work__ssa_v0[1]
            work_1: pl.Tuple[pl.Tensor[[64, 40], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.polish, stone__ssa_v1, slab__ssa_v0, deps=[cut_done__ssa_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            slab__ssa_v1: pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 10240)] = work_1[0]
            polished__ssa_v0: pl.Scalar[pl.TASK_ID] = work_1[1]
            work_2: pl.Tuple[pl.Tensor[[64, 40], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.cut, south__ssa_v0, stone__ssa_v1, deps=[polished__ssa_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
            stone__ssa_v2: pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 10240)] = work_2[0]
            cut_again__ssa_v0: pl.Scalar[pl.TASK_ID] = work_2[1]
            work_3: pl.Tuple[pl.Tensor[[64, 40], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.join, slab__ssa_v1, stone__ssa_v2, floor__ssa_v0, deps=[polished__ssa_v0, cut_again__ssa_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.output_existing]})
            floor__ssa_v1: pl.Tensor[[64, 40], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 10240)] = work_3[0]
            laid__ssa_v0: pl.Scalar[pl.TASK_ID] = work_3[1]
        return floor__ssa_v1
