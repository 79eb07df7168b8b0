# pypto.program: OpenWindowMended
import pypto.language as pl

@pl.program
class OpenWindowMended:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def lay(brick__ssa_v0: pl.Tensor[[64, 48], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 12288)], course__ssa_v0: pl.Out[pl.Tensor[[64, 48], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 12288)]]) -> pl.Tensor[[64, 48], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 12288)
        t__ssa_v0: pl.Tile[[64, 48], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 12288), pl.Mem.Vec] = pl.tile.load(brick__ssa_v0, [0, 0], [64, 48], [64, 48], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[64, 48], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 12288), pl.Mem.Vec] = pl.tile.recip(t__ssa_v0)
        course__ssa_v1: pl.Tensor[[64, 48], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 12288)] = pl.tile.store(r__ssa_v0, [0, 0], course__ssa_v0)
        return course__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def inspect(span__ssa_v0: pl.Tensor[[64, 48], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 12288)], report__ssa_v0: pl.Out[pl.Tensor[[64, 48], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 12288)]]) -> pl.Tensor[[64, 48], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 12288)
        t__ssa_v0: pl.Tile[[64, 48], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 12288), pl.Mem.Vec] = pl.tile.load(span__ssa_v0, [0, 0], [64, 48], [64, 48], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[64, 48], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 12288), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        report__ssa_v1: pl.Tensor[[64, 48], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 12288)] = pl.tile.store(r__ssa_v0, [0, 0], report__ssa_v0)
        return report__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def tower(self, lower__ssa_v0: pl.Tensor[[64, 48], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 12288)], upper__ssa_v0: pl.Tensor[[64, 48], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 12288)], report__ssa_v0: pl.Out[pl.Tensor[[64, 48], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 12288)]]) -> pl.Tensor[[64, 48], pl.FP32]:
        tower__ssa_v0: pl.Tensor[[128, 48], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 24576)] = pl.tensor.create([128, 48], dtype=pl.FP32, layout=pl.TensorLayout.ND, manual_dep=True)
        foot__ssa_v0: pl.Tensor[[64, 48], pl.FP32, pl.MemRef("mem_ddr_3", 0, 12288)] = pl.tensor.slice(tower__ssa_v0, [64, 48], [0, 0])
        laid__ssa_v0: pl.Tuple[pl.Tensor[[64, 48], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.lay, lower__ssa_v0, foot__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        foot__ssa_v1: pl.Tensor[[64, 48], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 12288)] = laid__ssa_v0[0]
        foot_done__ssa_v0: pl.Scalar[pl.TASK_ID] = laid__ssa_v0[1]
        head__ssa_v0: pl.Tensor[[64, 48], pl.FP32, pl.MemRef("mem_ddr_3", 12288, 12288)] = pl.tensor.slice(tower__ssa_v0, [64, 48], [64, 0])
        laid_1: pl.Tuple[pl.Tensor[[64, 48], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.lay, upper__ssa_v0, head__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        head__ssa_v1: pl.Tensor[[64, 48], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 12288)] = laid_1[0]
        head_done__ssa_v0: pl.Scalar[pl.TASK_ID] = laid_1[1]
        belt__ssa_v0: pl.Tensor[[64, 48], pl.FP32, pl.MemRef("mem_ddr_3", 6144, 12288)] = pl.tensor.slice(tower__ssa_v0, [64, 48], [32, 0])
        look__ssa_v0: pl.Tuple[pl.Tensor[[64, 48], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.inspect, belt__ssa_v0, report__ssa_v0, deps=[foot_done__ssa_v0, head_done__ssa_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        report__ssa_v1: pl.Tensor[[64, 48], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 12288)] = look__ssa_v0[0]
        seen__ssa_v0: pl.Scalar[pl.TASK_ID] = look__ssa_v0[1]
        return report__ssa_v1
