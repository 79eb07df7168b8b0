# pypto.program: Tally
import pypto.language as pl

@pl.program
class Tally:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def add_votes(votes__ssa_v0: pl.Tensor[[36, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2304)], ward__idx_v0: pl.Scalar[pl.INDEX], sum__ssa_v0: pl.InOut[pl.Tensor[[12, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 768)]]) -> pl.Tensor[[12, 16], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 768)
        t__ssa_v0: pl.Tile[[12, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 768), pl.Mem.Vec] = pl.tile.load(votes__ssa_v0, [ward__idx_v0 * 12, 0], [12, 16], [12, 16], target_memory=pl.Mem.Vec)
        sum__ssa_v1: pl.Tensor[[12, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 768)] = pl.tile.store(t__ssa_v0, [0, 0], sum__ssa_v0, atomic=pl.AtomicType.Add)
        return sum__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def election(self, votes__ssa_v0: pl.Tensor[[36, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2304)], sum__ssa_v0: pl.InOut[pl.Tensor[[12, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 768)]]) -> pl.Tensor[[12, 16], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            for ward__idx_v0, (sum__iter_v1,) in pl.parallel(3, init_values=(sum__ssa_v0,)):
                sum__ssa_v3: pl.Tensor[[12, 16], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 768)] = self.add_votes(votes__ssa_v0, ward__idx_v0, sum__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout]})
                sum__rv_v2: pl.Tensor[[12, 16], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 768)] = pl.yield_(sum__ssa_v3)
        return sum__rv_v2
