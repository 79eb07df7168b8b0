# pypto.program: RainGate
import pypto.language as pl

@pl.program
class RainGate:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def probe(field__ssa_v0: pl.Tensor[[8, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2048)], sign__ssa_v0: pl.Out[pl.Tensor[[1, 16], pl.INT32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 64)]]) -> pl.Tensor[[1, 16], pl.INT32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2048)
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 64)
        t__ssa_v0: pl.Tile[[8, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2048), pl.Mem.Vec] = pl.tile.load(field__ssa_v0, [0, 0], [8, 64], [8, 64], target_memory=pl.Mem.Vec)
        c__ssa_v0: pl.Tile[[1, 16], pl.INT32, pl.MemRef(mem_vec_3, pl.const(2048, pl.INT64), 64), pl.Mem.Vec] = pl.tile.full([1, 16], dtype=pl.INT32, value=1)
        sign__ssa_v1: pl.Tensor[[1, 16], pl.INT32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 64)] = pl.tile.store(c__ssa_v0, [0, 0], sign__ssa_v0)
        return sign__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def water(field__ssa_v0: pl.Tensor[[8, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2048)], crop__ssa_v0: pl.Out[pl.Tensor[[8, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2048)]]) -> pl.Tensor[[8, 64], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2048)
        t__ssa_v0: pl.Tile[[8, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2048), pl.Mem.Vec] = pl.tile.load(field__ssa_v0, [0, 0], [8, 64], [8, 64], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[8, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2048), pl.Mem.Vec] = pl.tile.muls(t__ssa_v0, 2.0)
        crop__ssa_v1: pl.Tensor[[8, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2048)] = pl.tile.store(r__ssa_v0, [0, 0], crop__ssa_v0)
        return crop__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def farm(self, field__ssa_v0: pl.Tensor[[8, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2048)], crop__ssa_v0: pl.InOut[pl.Tensor[[8, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2048)]]) -> pl.Tensor[[8, 64], pl.FP32]:
        sign__ssa_v0: pl.Tensor[[1, 16], pl.INT32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 64)] = pl.tensor.create([1, 16], dtype=pl.INT32, layout=pl.TensorLayout.ND)
        look__ssa_v0: pl.Tuple[pl.Tensor[[1, 16], pl.INT32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.probe, field__ssa_v0, sign__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        sign__ssa_v1: pl.Tensor[[1, 16], pl.INT32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 64)] = look__ssa_v0[0]
        seen__ssa_v0: pl.Scalar[pl.TASK_ID] = look__ssa_v0[1]
        rain__ssa_v0: pl.Tuple[pl.Tensor[[8, 64], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.water, field__ssa_v0, crop__ssa_v0, predicate=(0 < pl.cast(pl.tensor.read(sign__ssa_v1, [0, 3]), pl.INDEX)), attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
        crop__ssa_v1: pl.Tensor[[8, 64], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2048)] = rain__ssa_v0[0]
        wet__ssa_v0: pl.Scalar[pl.TASK_ID] = rain__ssa_v0[1]
        return crop__ssa_v1
