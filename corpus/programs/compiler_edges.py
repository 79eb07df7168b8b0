# pypto.program: Signalbox
import pypto.language as pl

@pl.program
class Signalbox:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def raise_arm(lever__ssa_v0: pl.Tensor[[19, 38], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2888)], arm__ssa_v0: pl.Out[pl.Tensor[[19, 38], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2888)]]) -> pl.Tensor[[19, 38], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2888)
        t__ssa_v0: pl.Tile[[19, 38], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2888), pl.Mem.Vec] = pl.tile.load(lever__ssa_v0, [0, 0], [19, 38], [19, 38], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[19, 38], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2888), pl.Mem.Vec] = pl.tile.sign(t__ssa_v0)
        arm__ssa_v1: pl.Tensor[[19, 38], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2888)] = pl.tile.store(r__ssa_v0, [0, 0], arm__ssa_v0)
        return arm__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def depart(arm__ssa_v0: pl.Tensor[[19, 38], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2888)], train__ssa_v0: pl.Out[pl.Tensor[[19, 38], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2888)]]) -> pl.Tensor[[19, 38], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2888)
        t__ssa_v0: pl.Tile[[19, 38], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2888), pl.Mem.Vec] = pl.tile.load(arm__ssa_v0, [0, 0], [19, 38], [19, 38], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[19, 38], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2888), pl.Mem.Vec] = pl.tile.sqrt(t__ssa_v0)
        train__ssa_v1: pl.Tensor[[19, 38], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2888)] = pl.tile.store(r__ssa_v0, [0, 0], train__ssa_v0)
        return train__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator, auto_scope=False)
    def junction(self, lever__ssa_v0: pl.Tensor[[19, 38], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2888)], train__ssa_v0: pl.Out[pl.Tensor[[19, 38], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2888)]]) -> pl.Tensor[[19, 38], pl.FP32]:
        arm__ssa_v0: pl.Tensor[[19, 38], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2888)] = pl.tensor.create([19, 38], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        with pl.scope():
            arm__ssa_v1: pl.Tensor[[19, 38], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2888)] = self.raise_arm(lever__ssa_v0, arm__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            train__ssa_v1: pl.Tensor[[19, 38], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2888)] = self.depart(arm__ssa_v1, train__ssa_v0, attrs={"arg_directions": [pl.adir.no_dep, pl.adir.output_existing], "arg_direction_overrides": [0], "compiler_manual_dep_edges": [arm__ssa_v1]})
        return train__ssa_v1
