# pypto.program: Ferry
import pypto.language as pl

@pl.program
class Ferry:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def board(queue__ssa_v0: pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3840)], deck__ssa_v0: pl.Out[pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)]]) -> pl.Tensor[[6, 160], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3840)
        t__ssa_v0: pl.Tile[[6, 160], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.load(queue__ssa_v0, [0, 0], [6, 160], [6, 160], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[6, 160], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        deck__ssa_v1: pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)] = pl.tile.store(r__ssa_v0, [0, 0], deck__ssa_v0)
        return deck__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def sail(port__ssa_v0: pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3840)], middle__ssa_v0: pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)], starboard__ssa_v0: pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 3840)], shore__ssa_v0: pl.Out[pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 3840)]]) -> pl.Tensor[[6, 160], pl.FP32]:
        mem_vec_4: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3840)
        mem_vec_5: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3840)
        mem_vec_6: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 3840)
        a__ssa_v0: pl.Tile[[6, 160], pl.FP32, pl.MemRef(mem_vec_4, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.load(port__ssa_v0, [0, 0], [6, 160], [6, 160], target_memory=pl.Mem.Vec)
        b__ssa_v0: pl.Tile[[6, 160], pl.FP32, pl.MemRef(mem_vec_5, pl.const(3840, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.load(middle__ssa_v0, [0, 0], [6, 160], [6, 160], target_memory=pl.Mem.Vec)
        c__ssa_v0: pl.Tile[[6, 160], pl.FP32, pl.MemRef(mem_vec_6, pl.const(7680, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.load(starboard__ssa_v0, [0, 0], [6, 160], [6, 160], target_memory=pl.Mem.Vec)
        d__ssa_v0: pl.Tile[[6, 160], pl.FP32, pl.MemRef(mem_vec_4, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.add(a__ssa_v0, b__ssa_v0)
        e__ssa_v0: pl.Tile[[6, 160], pl.FP32, pl.MemRef(mem_vec_4, pl.const(0, pl.INT64), 3840), pl.Mem.Vec] = pl.tile.mul(d__ssa_v0, c__ssa_v0)
        shore__ssa_v1: pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 3840)] = pl.tile.store(e__ssa_v0, [0, 0], shore__ssa_v0)
        return shore__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def crossing(self, cars__ssa_v0: pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 3840)], carts__ssa_v0: pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 3840)], feet__ssa_v0: pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 3840)], shore__ssa_v0: pl.Out[pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 3840)]]) -> pl.Tensor[[6, 160], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            p__ssa_v0: pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 3840)] = pl.tensor.create([6, 160], dtype=pl.FP32, layout=pl.TensorLayout.ND)
            m__ssa_v0: pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 3840)] = pl.tensor.create([6, 160], dtype=pl.FP32, layout=pl.TensorLayout.ND)
            s__ssa_v0: pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 3840)] = pl.tensor.create([6, 160], dtype=pl.FP32, layout=pl.TensorLayout.ND)
            b__ssa_v0: pl.Tuple[pl.Tensor[[6, 160], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.board, cars__ssa_v0, p__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            p__ssa_v1: pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 3840)] = b__ssa_v0[0]
            p_on__ssa_v0: pl.Scalar[pl.TASK_ID] = b__ssa_v0[1]
            b_1: pl.Tuple[pl.Tensor[[6, 160], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.board, carts__ssa_v0, m__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            m__ssa_v1: pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 3840)] = b_1[0]
            m_on__ssa_v0: pl.Scalar[pl.TASK_ID] = b_1[1]
            b_2: pl.Tuple[pl.Tensor[[6, 160], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.board, feet__ssa_v0, s__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            s__ssa_v1: pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_9", pl.const(0, pl.INT64), 3840)] = b_2[0]
            s_on__ssa_v0: pl.Scalar[pl.TASK_ID] = b_2[1]
            ramp_up__ssa_v0: pl.Scalar[pl.TASK_ID] = pl.system.task_dummy(deps=[p_on__ssa_v0, m_on__ssa_v0, s_on__ssa_v0])
            b_3: pl.Tuple[pl.Tensor[[6, 160], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.sail, p__ssa_v1, m__ssa_v1, s__ssa_v1, shore__ssa_v0, deps=[ramp_up__ssa_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.input, pl.adir.output_existing]})
            shore__ssa_v1: pl.Tensor[[6, 160], pl.FP32, pl.MemRef("mem_ddr_10", pl.const(0, pl.INT64), 3840)] = b_3[0]
            landed__ssa_v0: pl.Scalar[pl.TASK_ID] = b_3[1]
        return shore__ssa_v1
