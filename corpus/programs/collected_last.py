# pypto.program: Orchard
import pypto.language as pl

@pl.program
class Orchard:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def pick(tree__ssa_v0: pl.Tensor[[48, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 4608)], at__idx_v0: pl.Scalar[pl.INDEX], basket__ssa_v0: pl.Out[pl.Tensor[[48, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 4608)]]) -> pl.Tensor[[48, 24], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1536)
        t__ssa_v0: pl.Tile[[16, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1536), pl.Mem.Vec] = pl.tile.load(tree__ssa_v0, [at__idx_v0 * 16, 0], [16, 24], [16, 24], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[16, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1536), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        basket__ssa_v1: pl.Tensor[[48, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 4608)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 16, 0], basket__ssa_v0)
        return basket__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def press(basket__ssa_v0: pl.Tensor[[48, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 4608)], juice__ssa_v0: pl.Out[pl.Tensor[[48, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 4608)]]) -> pl.Tensor[[48, 24], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 4608)
        t__ssa_v0: pl.Tile[[48, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 4608), pl.Mem.Vec] = pl.tile.load(basket__ssa_v0, [0, 0], [48, 24], [48, 24], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[48, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 4608), pl.Mem.Vec] = pl.tile.recip(t__ssa_v0)
        juice__ssa_v1: pl.Tensor[[48, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 4608)] = pl.tile.store(r__ssa_v0, [0, 0], juice__ssa_v0)
        return juice__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def autumn(self, tree__ssa_v0: pl.Tensor[[48, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 4608)], juice__ssa_v0: pl.Out[pl.Tensor[[48, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 4608)]]) -> pl.Tensor[[48, 24], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            basket__ssa_v0: pl.Tensor[[48, 24], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 4608)] = pl.tensor.create([48, 24], dtype=pl.FP32, layout=pl.TensorLayout.ND)
            last__ssa_v0: pl.Scalar[pl.TASK_ID] = pl.system.task_invalid()
            for row__idx_v0, (basket__iter_v1, last__iter_v1) in pl.parallel(3, init_values=(basket__ssa_v0, last__ssa_v0)):
                hand__ssa_v0: pl.Tuple[pl.Tensor[[48, 24], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.pick, tree__ssa_v0, row__idx_v0, basket__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
                basket__ssa_v3: pl.Tensor[[48, 24], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 4608)] = hand__ssa_v0[0]
                last__ssa_v3: pl.Scalar[pl.TASK_ID] = hand__ssa_v0[1]
                basket__rv_v2, last__rv_v2 = pl.yield_(basket__ssa_v3, last__ssa_v3)
            mill__ssa_v0: pl.Tuple[pl.Tensor[[48, 24], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.press, basket__rv_v2, juice__ssa_v0, deps=[last__rv_v2], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            juice__ssa_v1: pl.Tensor[[48, 24], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 4608)] = mill__ssa_v0[0]
            pressed__ssa_v0: pl.Scalar[pl.TASK_ID] = mill__ssa_v0[1]
        return juice__ssa_v1
