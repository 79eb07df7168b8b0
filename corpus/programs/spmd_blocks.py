# pypto.program: Looms
import pypto.language as pl

@pl.program
class Looms:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def weave_rows(yarn__ssa_v0: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 24576)], cloth__ssa_v0: pl.Out[pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 24576)]]) -> pl.Tensor[[96, 64], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 4096)
        lane__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()
        row__ssa_v0: pl.Scalar[pl.INDEX] = lane__ssa_v0 * 16
        t__ssa_v0: pl.Tile[[16, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 4096), pl.Mem.Vec] = pl.tile.load(yarn__ssa_v0, [row__ssa_v0, 0], [16, 64], [16, 64], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[16, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 4096), pl.Mem.Vec] = pl.tile.muls(t__ssa_v0, 1.25)
        cloth__ssa_v1: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 24576)] = pl.tile.store(r__ssa_v0, [row__ssa_v0, 0], cloth__ssa_v0)
        return cloth__ssa_v0
    @pl.function(type=pl.FunctionType.Spmd)
    def weave(self, yarn__ssa_v0: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 24576)], cloth__ssa_v0: pl.Out[pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 24576)]]) -> pl.Tensor[[96, 64], pl.FP32]:
        cloth__ssa_v1: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 24576)] = self.weave_rows(yarn__ssa_v0, cloth__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return cloth__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def dye(cloth__ssa_v0: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 24576)], coat__ssa_v0: pl.Out[pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 24576)]]) -> pl.Tensor[[96, 64], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 24576)
        t__ssa_v0: pl.Tile[[96, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 24576), pl.Mem.Vec] = pl.tile.load(cloth__ssa_v0, [0, 0], [96, 64], [96, 64], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[96, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 24576), pl.Mem.Vec] = pl.tile.adds(t__ssa_v0, 0.3)
        coat__ssa_v1: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 24576)] = pl.tile.store(r__ssa_v0, [0, 0], coat__ssa_v0)
        return coat__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def mill(self, yarn__ssa_v0: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 24576)], cloth__ssa_v0: pl.Out[pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 24576)]], coat__ssa_v0: pl.Out[pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 24576)]]) -> tuple[pl.Tensor[[96, 64], pl.FP32], pl.Tensor[[96, 64], pl.FP32]]:
        roll__ssa_v0: pl.Tuple[pl.Tensor[[96, 64], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.spmd_submit(self.weave, yarn__ssa_v0, cloth__ssa_v0, core_num=6, sync_start=True, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        cloth__ssa_v1: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 24576)] = roll__ssa_v0[0]
        woven__ssa_v0: pl.Scalar[pl.TASK_ID] = roll__ssa_v0[1]
        coat__ssa_v1: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 24576)] = self.dye(cloth__ssa_v1, coat__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        lining__ssa_v0: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 24576)] = pl.tensor.create([96, 64], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        lining__ssa_v1: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 24576)] = self.weave(coat__ssa_v1, lining__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing], "core_num": 6})
        cloth__ssa_v2: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 24576)] = self.dye(lining__ssa_v1, cloth__ssa_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
        return cloth__ssa_v2, coat__ssa_v1
