# pypto.program: Tides
import pypto.language as pl

@pl.program
class Tides:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def ebb(moon__ssa_v0: pl.Tensor[[17, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1632)], beach__ssa_v0: pl.Out[pl.Tensor[[17, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1632)]]) -> pl.Tensor[[17, 24], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1632)
        t__ssa_v0: pl.Tile[[17, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1632), pl.Mem.Vec] = pl.tile.load(moon__ssa_v0, [0, 0], [17, 24], [17, 24], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[17, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1632), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        beach__ssa_v1: pl.Tensor[[17, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1632)] = pl.tile.store(r__ssa_v0, [0, 0], beach__ssa_v0)
        return beach__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def flow(moon__ssa_v0: pl.Tensor[[17, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1632)], beach__ssa_v0: pl.Out[pl.Tensor[[17, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1632)]]) -> pl.Tensor[[17, 24], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1632)
        t__ssa_v0: pl.Tile[[17, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1632), pl.Mem.Vec] = pl.tile.load(moon__ssa_v0, [0, 0], [17, 24], [17, 24], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[17, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1632), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        beach__ssa_v1: pl.Tensor[[17, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1632)] = pl.tile.store(r__ssa_v0, [0, 0], beach__ssa_v0)
        return beach__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def walk(beach__ssa_v0: pl.Tensor[[17, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1632)], prints__ssa_v0: pl.Out[pl.Tensor[[17, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1632)]]) -> pl.Tensor[[17, 24], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1632)
        t__ssa_v0: pl.Tile[[17, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1632), pl.Mem.Vec] = pl.tile.load(beach__ssa_v0, [0, 0], [17, 24], [17, 24], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[17, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1632), pl.Mem.Vec] = pl.tile.exp(t__ssa_v0)
        prints__ssa_v1: pl.Tensor[[17, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1632)] = pl.tile.store(r__ssa_v0, [0, 0], prints__ssa_v0)
        return prints__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def coast(self, moon__ssa_v0: pl.Tensor[[17, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1632)], prints__ssa_v0: pl.Out[pl.Tensor[[17, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1632)]], hour__ssa_v0: pl.Scalar[pl.INDEX]) -> pl.Tensor[[17, 24], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            beach__ssa_v0: pl.Tensor[[17, 24], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 1632)] = pl.tensor.create([17, 24], dtype=pl.FP32, layout=pl.TensorLayout.ND)
            none__ssa_v0: pl.Scalar[pl.TASK_ID] = pl.system.task_invalid()
            if hour__ssa_v0 < 6:
                out__ssa_v0: pl.Tuple[pl.Tensor[[17, 24], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.ebb, moon__ssa_v0, beach__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
                beach__ssa_v1: pl.Tensor[[17, 24], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 1632)] = out__ssa_v0[0]
                low__ssa_v0: pl.Scalar[pl.TASK_ID] = out__ssa_v0[1]
                beach__phi_v2, low__phi_v1 = pl.yield_(beach__ssa_v1, low__ssa_v0)
            else:
                beach__phi_v2, low__phi_v1 = pl.yield_(beach__ssa_v0, none__ssa_v0)
            if 6 <= hour__ssa_v0:
                into__ssa_v0: pl.Tuple[pl.Tensor[[17, 24], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.flow, moon__ssa_v0, beach__phi_v2, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
                beach__ssa_v3: pl.Tensor[[17, 24], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 1632)] = into__ssa_v0[0]
                high__ssa_v0: pl.Scalar[pl.TASK_ID] = into__ssa_v0[1]
                beach__phi_v4, high__phi_v1 = pl.yield_(beach__ssa_v3, high__ssa_v0)
            else:
                beach__phi_v4, high__phi_v1 = pl.yield_(beach__phi_v2, none__ssa_v0)
            foot__ssa_v0: pl.Tuple[pl.Tensor[[17, 24], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.walk, beach__phi_v4, prints__ssa_v0, deps=[low__phi_v1, high__phi_v1], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            prints__ssa_v1: pl.Tensor[[17, 24], pl.FP32, pl.MemRef("mem_ddr_9", pl.const(0, pl.INT64), 1632)] = foot__ssa_v0[0]
            gone__ssa_v0: pl.Scalar[pl.TASK_ID] = foot__ssa_v0[1]
        return prints__ssa_v1
