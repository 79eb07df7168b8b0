# pypto.program: Ferry
import pypto.language as pl

@pl.program
class Ferry:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def load_up(quay__ssa_v0: pl.Tensor[[14, 26], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1456)], hold__ssa_v0: pl.Out[pl.Tensor[[14, 26], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1456)]]) -> pl.Tensor[[14, 26], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1456)
        t__ssa_v0: pl.Tile[[14, 26], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1456), pl.Mem.Vec] = pl.tile.load(quay__ssa_v0, [0, 0], [14, 26], [14, 26], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[14, 26], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1456), pl.Mem.Vec] = pl.tile.sqrt(t__ssa_v0)
        hold__ssa_v1: pl.Tensor[[14, 26], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1456)] = pl.tile.store(r__ssa_v0, [0, 0], hold__ssa_v0)
        return hold__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def unload(hold__ssa_v0: pl.Tensor[[14, 26], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1456)], shore__ssa_v0: pl.Out[pl.Tensor[[14, 26], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1456)]]) -> pl.Tensor[[14, 26], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1456)
        t__ssa_v0: pl.Tile[[14, 26], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1456), pl.Mem.Vec] = pl.tile.load(hold__ssa_v0, [0, 0], [14, 26], [14, 26], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[14, 26], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1456), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        shore__ssa_v1: pl.Tensor[[14, 26], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1456)] = pl.tile.store(r__ssa_v0, [0, 0], shore__ssa_v0)
        return shore__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def harbour(self, quay__ssa_v0: pl.Tensor[[14, 26], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1456)], shore__ssa_v0: pl.Out[pl.Tensor[[14, 26], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1456)]], waves__ssa_v0: pl.Scalar[pl.INDEX]) -> pl.Tensor[[14, 26], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            hold__ssa_v0: pl.Tensor[[14, 26], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 1456)] = pl.tensor.create([14, 26], dtype=pl.FP32, layout=pl.TensorLayout.ND)
            crane__ssa_v0: pl.Tuple[pl.Tensor[[14, 26], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.load_up, quay__ssa_v0, hold__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            hold__ssa_v1: pl.Tensor[[14, 26], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 1456)] = crane__ssa_v0[0]
            loaded__ssa_v0: pl.Scalar[pl.TASK_ID] = crane__ssa_v0[1]
            if waves__ssa_v0 < 3:
                calm__ssa_v0: pl.Scalar[pl.TASK_ID] = pl.system.task_dummy(deps=[loaded__ssa_v0])
                wait__phi_v0: pl.Scalar[pl.TASK_ID] = pl.yield_(calm__ssa_v0)
            else:
                none__ssa_v0: pl.Scalar[pl.TASK_ID] = pl.system.task_invalid()
                wait__phi_v0: pl.Scalar[pl.TASK_ID] = pl.yield_(none__ssa_v0)
            winch__ssa_v0: pl.Tuple[pl.Tensor[[14, 26], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.unload, hold__ssa_v1, shore__ssa_v0, deps=[wait__phi_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            shore__ssa_v1: pl.Tensor[[14, 26], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 1456)] = winch__ssa_v0[0]
            landed__ssa_v0: pl.Scalar[pl.TASK_ID] = winch__ssa_v0[1]
        return shore__ssa_v1
