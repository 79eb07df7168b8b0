# pypto.program: Stairwell
import pypto.language as pl

@pl.program
class Stairwell:
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def turn(step__ssa_v0: pl.Tensor[[32, 32], pl.BF16, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2048)], rail__ssa_v0: pl.Tensor[[32, 32], pl.BF16, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2048)], landing__ssa_v0: pl.Out[pl.Tensor[[32, 32], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 4096)]]) -> pl.Tensor[[32, 32], pl.FP32]:
        mem_mat_3: pl.Ptr = pl.tile.alloc(pl.Mem.Mat, 2048)
        mem_mat_4: pl.Ptr = pl.tile.alloc(pl.Mem.Mat, 2048)
        mem_left_5: pl.Ptr = pl.tile.alloc(pl.Mem.Left, 2048)
        mem_right_6: pl.Ptr = pl.tile.alloc(pl.Mem.Right, 2048)
        mem_acc_7: pl.Ptr = pl.tile.alloc(pl.Mem.Acc, 4096)
        a__ssa_v0: pl.Tile[[32, 32], pl.BF16, pl.MemRef(mem_mat_3, pl.const(0, pl.INT64), 2048), pl.Mem.Mat] = pl.tile.load(step__ssa_v0, [0, 0], [32, 32], [32, 32], target_memory=pl.Mem.Mat)
        b__ssa_v0: pl.Tile[[32, 32], pl.BF16, pl.MemRef(mem_mat_4, pl.const(2048, pl.INT64), 2048), pl.Mem.Mat] = pl.tile.load(rail__ssa_v0, [0, 0], [32, 32], [32, 32], target_memory=pl.Mem.Mat)
        a_left__ssa_v0: pl.Tile[[32, 32], pl.BF16, pl.MemRef(mem_left_5, pl.const(4096, pl.INT64), 2048), pl.Mem.Left] = pl.tile.move(a__ssa_v0, target_memory=pl.Mem.Left)
        b_right__ssa_v0: pl.Tile[[32, 32], pl.BF16, pl.MemRef(mem_right_6, pl.const(6144, pl.INT64), 2048), pl.Mem.Right] = pl.tile.move(b__ssa_v0, target_memory=pl.Mem.Right)
        acc__ssa_v0: pl.Tile[[32, 32], pl.FP32, pl.MemRef(mem_acc_7, pl.const(8192, pl.INT64), 4096), pl.Mem.Acc] = pl.tile.matmul(a_left__ssa_v0, b_right__ssa_v0)
        landing__ssa_v1: pl.Tensor[[32, 32], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 4096)] = pl.tile.store(acc__ssa_v0, [0, 0], landing__ssa_v0)
        return landing__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def rest(landing__ssa_v0: pl.Tensor[[32, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 4096)], step__ssa_v0: pl.Out[pl.Tensor[[32, 32], pl.BF16, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2048)]]) -> pl.Tensor[[32, 32], pl.BF16]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 4096)
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2048)
        t__ssa_v0: pl.Tile[[32, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 4096), pl.Mem.Vec] = pl.tile.load(landing__ssa_v0, [0, 0], [32, 32], [32, 32], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[32, 32], pl.BF16, pl.MemRef(mem_vec_3, pl.const(4096, pl.INT64), 2048), pl.Mem.Vec] = pl.tile.cast(t__ssa_v0, target_type=pl.BF16, mode='round')
        step__ssa_v1: pl.Tensor[[32, 32], pl.BF16, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2048)] = pl.tile.store(r__ssa_v0, [0, 0], step__ssa_v0)
        return step__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def climb(self, door__ssa_v0: pl.Tensor[[32, 32], pl.BF16, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2048)], rail__ssa_v0: pl.Tensor[[32, 32], pl.BF16, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2048)], roof__ssa_v0: pl.Out[pl.Tensor[[32, 32], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 4096)]]) -> pl.Tensor[[32, 32], pl.FP32]:
        f1__ssa_v0: pl.Tensor[[32, 32], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 4096)] = pl.tensor.create([32, 32], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        f1__ssa_v1: pl.Tensor[[32, 32], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 4096)] = self.turn(door__ssa_v0, rail__ssa_v0, f1__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.output_existing]})
        s1__ssa_v0: pl.Tensor[[32, 32], pl.BF16, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 2048)] = pl.tensor.create([32, 32], dtype=pl.BF16, layout=pl.TensorLayout.ND)
        s1__ssa_v1: pl.Tensor[[32, 32], pl.BF16, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 2048)] = self.rest(f1__ssa_v1, s1__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        f2__ssa_v0: pl.Tensor[[32, 32], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 4096)] = pl.tensor.create([32, 32], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        f2__ssa_v1: pl.Tensor[[32, 32], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 4096)] = self.turn(s1__ssa_v1, rail__ssa_v0, f2__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.output_existing]})
        s2__ssa_v0: pl.Tensor[[32, 32], pl.BF16, pl.MemRef("mem_ddr_9", pl.const(0, pl.INT64), 2048)] = pl.tensor.create([32, 32], dtype=pl.BF16, layout=pl.TensorLayout.ND)
        s2__ssa_v1: pl.Tensor[[32, 32], pl.BF16, pl.MemRef("mem_ddr_10", pl.const(0, pl.INT64), 2048)] = self.rest(f2__ssa_v1, s2__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        roof__ssa_v1: pl.Tensor[[32, 32], pl.FP32, pl.MemRef("mem_ddr_11", pl.const(0, pl.INT64), 4096)] = self.turn(s2__ssa_v1, rail__ssa_v0, roof__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.output_existing]})
        return roof__ssa_v1
