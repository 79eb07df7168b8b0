# pypto.program: Postcard
import pypto.language as pl

@pl.program
class Postcard:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def write_text(pen__ssa_v0: pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2312)], card__ssa_v0: pl.Out[pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2312)]]) -> pl.Tensor[[17, 34], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2312)
        t__ssa_v0: pl.Tile[[17, 34], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2312), pl.Mem.Vec] = pl.tile.load(pen__ssa_v0, [0, 0], [17, 34], [17, 34], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[17, 34], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2312), pl.Mem.Vec] = pl.tile.muls(t__ssa_v0, 0.4)
        card__ssa_v1: pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2312)] = pl.tile.store(r__ssa_v0, [0, 0], card__ssa_v0)
        return card__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def frank(card__ssa_v0: pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2312)], mail__ssa_v0: pl.Out[pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2312)]]) -> pl.Tensor[[17, 34], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2312)
        t__ssa_v0: pl.Tile[[17, 34], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2312), pl.Mem.Vec] = pl.tile.load(card__ssa_v0, [0, 0], [17, 34], [17, 34], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[17, 34], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2312), pl.Mem.Vec] = pl.tile.adds(t__ssa_v0, 9.0)
        mail__ssa_v1: pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2312)] = pl.tile.store(r__ssa_v0, [0, 0], mail__ssa_v0)
        return mail__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def holiday(self, pen__ssa_v0: pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2312)], card__ssa_v0: pl.InOut[pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2312)]], mail__ssa_v0: pl.Out[pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2312)]]) -> tuple[pl.Tensor[[17, 34], pl.FP32], pl.Tensor[[17, 34], pl.FP32]]:
        draft__ssa_v0: pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2312)] = pl.tensor.create([17, 34], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        sent__ssa_v0: pl.Tuple[pl.Tensor[[17, 34], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.write_text, pen__ssa_v0, draft__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        draft__ssa_v1: pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2312)] = sent__ssa_v0[0]
        wrote__ssa_v0: pl.Scalar[pl.TASK_ID] = sent__ssa_v0[1]
        sent_1: pl.Tuple[pl.Tensor[[17, 34], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.frank, draft__ssa_v1, mail__ssa_v0, deps=[wrote__ssa_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        mail__ssa_v1: pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 2312)] = sent_1[0]
        franked__ssa_v0: pl.Scalar[pl.TASK_ID] = sent_1[1]
        card__ssa_v1: pl.Tensor[[17, 34], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 2312)] = self.frank(mail__ssa_v1, card__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
        return card__ssa_v1, mail__ssa_v1
