# pypto.program: TwoFaces
import pypto.language as pl

@pl.program
class TwoFaces:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def blank(paper__ssa_v0: pl.Out[pl.Tensor[[6144], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 24576)]]) -> pl.Tensor[[6144], pl.FP32]:
        mem_vec_1: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 24576)
        z__ssa_v0: pl.Tile[[6144], pl.FP32, pl.MemRef(mem_vec_1, pl.const(0, pl.INT64), 24576), pl.Mem.Vec] = pl.tile.full([6144], dtype=pl.FP32, value=0.0)
        paper__ssa_v1: pl.Tensor[[6144], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 24576)] = pl.tile.store(z__ssa_v0, [0], paper__ssa_v0)
        return paper__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def stamp(seal__ssa_v0: pl.Tensor[[24, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6144)], paper__ssa_v0: pl.Out[pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 24576)]]) -> pl.Tensor[[96, 64], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 6144)
        t__ssa_v0: pl.Tile[[24, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 6144), pl.Mem.Vec] = pl.tile.load(seal__ssa_v0, [0, 0], [24, 64], [24, 64], target_memory=pl.Mem.Vec)
        paper__ssa_v1: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 24576)] = pl.tile.store(t__ssa_v0, [8, 0], paper__ssa_v0)
        return paper__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def post(letter__ssa_v0: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 24576)], box__ssa_v0: pl.Out[pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 24576)]]) -> pl.Tensor[[96, 64], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 24576)
        t__ssa_v0: pl.Tile[[96, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 24576), pl.Mem.Vec] = pl.tile.load(letter__ssa_v0, [0, 0], [96, 64], [96, 64], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[96, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 24576), pl.Mem.Vec] = pl.tile.sqrt(t__ssa_v0)
        box__ssa_v1: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 24576)] = pl.tile.store(r__ssa_v0, [0, 0], box__ssa_v0)
        return box__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def letter(self, seal__ssa_v0: pl.Tensor[[24, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6144)], box__ssa_v0: pl.Out[pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 24576)]]) -> pl.Tensor[[96, 64], pl.FP32]:
        sheet__ssa_v0: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 24576)] = pl.tensor.create([96, 64], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        flat__ssa_v0: pl.Tensor[[6144], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 24576)] = pl.tensor.reshape(sheet__ssa_v0, [6144])
        flat__ssa_v1: pl.Tensor[[6144], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 24576)] = self.blank(flat__ssa_v0, attrs={"arg_directions": [pl.adir.output_existing]})
        face__ssa_v0: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 24576)] = pl.tensor.reshape(sheet__ssa_v0, [96, 64])
        face__ssa_v1: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 24576)] = self.stamp(seal__ssa_v0, face__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        box__ssa_v1: pl.Tensor[[96, 64], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 24576)] = self.post(sheet__ssa_v0, box__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return box__ssa_v1
