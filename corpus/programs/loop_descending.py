# pypto.program: Countdown
import pypto.language as pl

@pl.program
class Countdown:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def call_out(fuse__ssa_v0: pl.Tensor[[24, 20], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1920)], at__idx_v0: pl.Scalar[pl.INDEX], board__ssa_v0: pl.Out[pl.Tensor[[24, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1920)]]) -> pl.Tensor[[24, 20], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 480)
        t__ssa_v0: pl.Tile[[6, 20], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 480), pl.Mem.Vec] = pl.tile.load(fuse__ssa_v0, [at__idx_v0 * 6, 0], [6, 20], [6, 20], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[6, 20], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 480), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        board__ssa_v1: pl.Tensor[[24, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1920)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 6, 0], board__ssa_v0)
        return board__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def launch(board__ssa_v0: pl.Tensor[[24, 20], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1920)], sky__ssa_v0: pl.Out[pl.Tensor[[6, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 480)]]) -> pl.Tensor[[6, 20], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 480)
        t__ssa_v0: pl.Tile[[6, 20], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 480), pl.Mem.Vec] = pl.tile.load(board__ssa_v0, [6, 0], [6, 20], [6, 20], target_memory=pl.Mem.Vec)
        sky__ssa_v1: pl.Tensor[[6, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 480)] = pl.tile.store(t__ssa_v0, [0, 0], sky__ssa_v0)
        return sky__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def pad(self, fuse__ssa_v0: pl.Tensor[[24, 20], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1920)], sky__ssa_v0: pl.Out[pl.Tensor[[6, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 480)]]) -> pl.Tensor[[6, 20], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            board__ssa_v0: pl.Tensor[[24, 20], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 1920)] = pl.tensor.create([24, 20], dtype=pl.FP32, layout=pl.TensorLayout.ND)
            last__ssa_v0: pl.Scalar[pl.TASK_ID] = pl.system.task_invalid()
            for at__idx_v0, (board__iter_v1, last__iter_v1) in pl.parallel(3, 0, -1, init_values=(board__ssa_v0, last__ssa_v0)):
                voice__ssa_v0: pl.Tuple[pl.Tensor[[24, 20], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.call_out, fuse__ssa_v0, at__idx_v0, board__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
                board__ssa_v3: pl.Tensor[[24, 20], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 1920)] = voice__ssa_v0[0]
                last__ssa_v3: pl.Scalar[pl.TASK_ID] = voice__ssa_v0[1]
                board__rv_v2, last__rv_v2 = pl.yield_(board__ssa_v3, last__ssa_v3)
            fire__ssa_v0: pl.Tuple[pl.Tensor[[6, 20], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.launch, board__rv_v2, sky__ssa_v0, deps=[last__rv_v2], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            sky__ssa_v1: pl.Tensor[[6, 20], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 480)] = fire__ssa_v0[0]
            gone__ssa_v0: pl.Scalar[pl.TASK_ID] = fire__ssa_v0[1]
        return sky__ssa_v1
