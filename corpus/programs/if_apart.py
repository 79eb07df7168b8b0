# pypto.program: Seasons
import pypto.language as pl

@pl.program
class Seasons:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def snow(cloud__ssa_v0: pl.Tensor[[13, 40], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2080)], hill__ssa_v0: pl.Out[pl.Tensor[[13, 40], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2080)]]) -> pl.Tensor[[13, 40], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2080)
        t__ssa_v0: pl.Tile[[13, 40], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2080), pl.Mem.Vec] = pl.tile.load(cloud__ssa_v0, [0, 0], [13, 40], [13, 40], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[13, 40], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2080), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        hill__ssa_v1: pl.Tensor[[13, 40], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2080)] = pl.tile.store(r__ssa_v0, [0, 0], hill__ssa_v0)
        return hill__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def bloom(cloud__ssa_v0: pl.Tensor[[13, 40], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2080)], hill__ssa_v0: pl.Out[pl.Tensor[[13, 40], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2080)]]) -> pl.Tensor[[13, 40], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2080)
        t__ssa_v0: pl.Tile[[13, 40], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2080), pl.Mem.Vec] = pl.tile.load(cloud__ssa_v0, [0, 0], [13, 40], [13, 40], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[13, 40], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2080), pl.Mem.Vec] = pl.tile.exp(t__ssa_v0)
        hill__ssa_v1: pl.Tensor[[13, 40], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2080)] = pl.tile.store(r__ssa_v0, [0, 0], hill__ssa_v0)
        return hill__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def year(self, cloud__ssa_v0: pl.Tensor[[13, 40], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2080)], hill__ssa_v0: pl.InOut[pl.Tensor[[13, 40], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2080)]], month__ssa_v0: pl.Scalar[pl.INDEX]) -> pl.Tensor[[13, 40], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            if month__ssa_v0 < 4:
                cold__ssa_v0: pl.Tuple[pl.Tensor[[13, 40], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.snow, cloud__ssa_v0, hill__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
                hill__ssa_v1: pl.Tensor[[13, 40], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2080)] = cold__ssa_v0[0]
                white__ssa_v0: pl.Scalar[pl.TASK_ID] = cold__ssa_v0[1]
                hill__phi_v2: pl.Tensor[[13, 40], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2080)] = pl.yield_(hill__ssa_v1)
            else:
                hill__phi_v2: pl.Tensor[[13, 40], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2080)] = pl.yield_(hill__ssa_v0)
            if 8 < month__ssa_v0:
                warm__ssa_v0: pl.Tuple[pl.Tensor[[13, 40], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.bloom, cloud__ssa_v0, hill__phi_v2, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
                hill__ssa_v3: pl.Tensor[[13, 40], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 2080)] = warm__ssa_v0[0]
                green__ssa_v0: pl.Scalar[pl.TASK_ID] = warm__ssa_v0[1]
                hill__phi_v4: pl.Tensor[[13, 40], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 2080)] = pl.yield_(hill__ssa_v3)
            else:
                hill__phi_v4: pl.Tensor[[13, 40], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 2080)] = pl.yield_(hill__phi_v2)
        return hill__phi_v4
