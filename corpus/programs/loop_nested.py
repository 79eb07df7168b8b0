# pypto.program: Chessboard
import pypto.language as pl

@pl.program
class Chessboard:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def place(box__ssa_v0: pl.Tensor[[4, 8], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 128)], cell__idx_v0: pl.Scalar[pl.INDEX], board__ssa_v0: pl.Out[pl.Tensor[[8, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 768)]]) -> pl.Tensor[[8, 24], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 128)
        t__ssa_v0: pl.Tile[[4, 8], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 128), pl.Mem.Vec] = pl.tile.load(box__ssa_v0, [0, 0], [4, 8], [4, 8], target_memory=pl.Mem.Vec)
        board__ssa_v1: pl.Tensor[[8, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 768)] = pl.tile.store(t__ssa_v0, [cell__idx_v0 // 3 * 4, cell__idx_v0 % 3 * 8], board__ssa_v0)
        return board__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def play(board__ssa_v0: pl.Tensor[[8, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 768)], game__ssa_v0: pl.Out[pl.Tensor[[8, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 768)]]) -> pl.Tensor[[8, 24], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 768)
        t__ssa_v0: pl.Tile[[8, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 768), pl.Mem.Vec] = pl.tile.load(board__ssa_v0, [0, 0], [8, 24], [8, 24], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[8, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 768), pl.Mem.Vec] = pl.tile.log(t__ssa_v0)
        game__ssa_v1: pl.Tensor[[8, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 768)] = pl.tile.store(r__ssa_v0, [0, 0], game__ssa_v0)
        return game__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def club(self, box__ssa_v0: pl.Tensor[[4, 8], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 128)], game__ssa_v0: pl.Out[pl.Tensor[[8, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 768)]]) -> pl.Tensor[[8, 24], pl.FP32]:
        board__ssa_v0: pl.Tensor[[8, 24], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 768)] = pl.tensor.create([8, 24], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        for rank__idx_v0, (board__iter_v1,) in pl.parallel(2, init_values=(board__ssa_v0,)):
            for file__idx_v0, (board__iter_v3,) in pl.parallel(3, init_values=(board__iter_v1,)):
                cell__ssa_v0: pl.Scalar[pl.INDEX] = rank__idx_v0 * 3 + file__idx_v0
                board__ssa_v5: pl.Tensor[[8, 24], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 768)] = self.place(box__ssa_v0, cell__ssa_v0, board__iter_v3, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
                board__rv_v4: pl.Tensor[[8, 24], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 768)] = pl.yield_(board__ssa_v5)
            board__rv_v2: pl.Tensor[[8, 24], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 768)] = pl.yield_(board__rv_v4)
        game__ssa_v1: pl.Tensor[[8, 24], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 768)] = self.play(board__rv_v2, game__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return game__ssa_v1
