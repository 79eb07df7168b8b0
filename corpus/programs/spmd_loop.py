# pypto.program: Weavers
import pypto.language as pl

@pl.program
class Weavers:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def weave_block(yarn__ssa_v0: pl.Tensor[[64, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6144)], base__ssa_v0: pl.Scalar[pl.INDEX], rug__ssa_v0: pl.Out[pl.Tensor[[64, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)]]) -> pl.Tensor[[64, 24], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 768)
        lane__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()
        row__ssa_v0: pl.Scalar[pl.INDEX] = base__ssa_v0 + lane__ssa_v0 * 8
        t__ssa_v0: pl.Tile[[8, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 768), pl.Mem.Vec] = pl.tile.load(yarn__ssa_v0, [row__ssa_v0, 0], [8, 24], [8, 24], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[8, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 768), pl.Mem.Vec] = pl.tile.adds(t__ssa_v0, 0.125)
        rug__ssa_v1: pl.Tensor[[64, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)] = pl.tile.store(r__ssa_v0, [row__ssa_v0, 0], rug__ssa_v0)
        return rug__ssa_v0
    @pl.function(type=pl.FunctionType.Spmd)
    def weave(self, yarn__ssa_v0: pl.Tensor[[64, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6144)], base__ssa_v0: pl.Scalar[pl.INDEX], rug__ssa_v0: pl.Out[pl.Tensor[[64, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)]]) -> pl.Tensor[[64, 24], pl.FP32]:
        rug__ssa_v9: pl.Tensor[[64, 24], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 6144)] = self.weave_block(yarn__ssa_v0, base__ssa_v0, rug__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
        return rug__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def unroll(rug__ssa_v0: pl.Tensor[[64, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6144)], hall__ssa_v0: pl.Out[pl.Tensor[[64, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)]]) -> pl.Tensor[[64, 24], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 6144)
        t__ssa_v0: pl.Tile[[64, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 6144), pl.Mem.Vec] = pl.tile.load(rug__ssa_v0, [0, 0], [64, 24], [64, 24], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[64, 24], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 6144), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        hall__ssa_v1: pl.Tensor[[64, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)] = pl.tile.store(r__ssa_v0, [0, 0], hall__ssa_v0)
        return hall__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def bazaar(self, yarn__ssa_v0: pl.Tensor[[64, 24], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6144)], hall__ssa_v0: pl.Out[pl.Tensor[[64, 24], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6144)]]) -> pl.Tensor[[64, 24], pl.FP32]:
        rug__ssa_v0: pl.Tensor[[64, 24], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 6144)] = pl.tensor.create([64, 24], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        for loom__idx_v0, (rug__iter_v1,) in pl.parallel(2, init_values=(rug__ssa_v0,)):
            base__ssa_v0: pl.Scalar[pl.INDEX] = loom__idx_v0 * 32
            beam__ssa_v0: pl.Tuple[pl.Tensor[[64, 24], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.spmd_submit(self.weave, yarn__ssa_v0, base__ssa_v0, rug__iter_v1, core_num=4, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
            rug__ssa_v3: pl.Tensor[[64, 24], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 6144)] = beam__ssa_v0[0]
            woven__ssa_v0: pl.Scalar[pl.TASK_ID] = beam__ssa_v0[1]
            rug__rv_v2: pl.Tensor[[64, 24], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 6144)] = pl.yield_(rug__ssa_v3)
        hall__ssa_v1: pl.Tensor[[64, 24], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 6144)] = self.unroll(rug__rv_v2, hall__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return hall__ssa_v1
