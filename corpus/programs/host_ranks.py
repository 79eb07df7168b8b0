# pypto.program: Orchestra
import pypto.language as pl

@pl.program
class Orchestra:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def play_part(score__ssa_v0: pl.Tensor[[8, 20], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 640)], sound__ssa_v0: pl.Out[pl.Tensor[[8, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 640)]]) -> pl.Tensor[[8, 20], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 640)
        t__ssa_v0: pl.Tile[[8, 20], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 640), pl.Mem.Vec] = pl.tile.load(score__ssa_v0, [0, 0], [8, 20], [8, 20], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[8, 20], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 640), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        sound__ssa_v1: pl.Tensor[[8, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 640)] = pl.tile.store(r__ssa_v0, [0, 0], sound__ssa_v0)
        return sound__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def player(self, score__ssa_v0: pl.Tensor[[8, 20], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 640)], sound__ssa_v0: pl.Out[pl.Tensor[[8, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 640)]]) -> pl.Tensor[[8, 20], pl.FP32]:
        sound__ssa_v1: pl.Tensor[[8, 20], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 640)] = self.play_part(score__ssa_v0, sound__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return sound__ssa_v1
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def concert(self, score__ssa_v0: pl.Tensor[[4, 8, 20], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2560)], sound__ssa_v0: pl.Out[pl.Tensor[[4, 8, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2560)]]) -> pl.Tensor[[4, 8, 20], pl.FP32]:
        players__tmp_v0: pl.Scalar[pl.INT64] = pld.system.world_size()
        for seat__idx_v0 in pl.range(players__tmp_v0):
            score__tmp_v1: pl.Tensor[[8, 20], pl.FP32, pl.MemRef("mem_ddr_0", seat__idx_v0 * 160 * 4, 640)] = pl.tensor.slice(score__ssa_v0, [1, 8, 20], [seat__idx_v0, 0, 0], [], [0])
            sound__tmp_v1: pl.Tensor[[8, 20], pl.FP32, pl.MemRef("mem_ddr_1", seat__idx_v0 * 160 * 4, 640)] = pl.tensor.slice(sound__ssa_v0, [1, 8, 20], [seat__idx_v0, 0, 0], [], [0])
            self.player(score__tmp_v1, sound__tmp_v1, device=seat__idx_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
        return sound__ssa_v0
