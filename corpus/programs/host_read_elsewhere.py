# pypto.program: TownElsewhere
import pypto.language as pl

@pl.program
class TownElsewhere:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def knock(street__ssa_v0: pl.Tensor[[12, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 768)], heads__ssa_v0: pl.Out[pl.Tensor[[1, 8], pl.INT32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 32)]]) -> pl.Tensor[[1, 8], pl.INT32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 768)
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 32)
        t__ssa_v0: pl.Tile[[12, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 768), pl.Mem.Vec] = pl.tile.load(street__ssa_v0, [0, 0], [12, 16], [12, 16], target_memory=pl.Mem.Vec)
        c__ssa_v0: pl.Tile[[1, 8], pl.INT32, pl.MemRef(mem_vec_3, pl.const(768, pl.INT64), 32), pl.Mem.Vec] = pl.tile.full([1, 8], dtype=pl.INT32, value=3)
        heads__ssa_v1: pl.Tensor[[1, 8], pl.INT32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 32)] = pl.tile.store(c__ssa_v0, [0, 0], heads__ssa_v0)
        return heads__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def enrol(street__ssa_v0: pl.Tensor[[12, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 768)], house__idx_v0: pl.Scalar[pl.INDEX], roll__ssa_v0: pl.Out[pl.Tensor[[64, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 4096)]]) -> pl.Tensor[[64, 16], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 256)
        t__ssa_v0: pl.Tile[[4, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 256), pl.Mem.Vec] = pl.tile.load(street__ssa_v0, [0, 0], [4, 16], [4, 16], target_memory=pl.Mem.Vec)
        roll__ssa_v1: pl.Tensor[[64, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 4096)] = pl.tile.store(t__ssa_v0, [house__idx_v0 * 4, 0], roll__ssa_v0)
        return roll__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def town(self, street__ssa_v0: pl.Tensor[[12, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 768)], known__ssa_v0: pl.Tensor[[1, 8], pl.INT32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 32)], heads__ssa_v0: pl.Out[pl.Tensor[[1, 8], pl.INT32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 32)]], roll__ssa_v0: pl.Out[pl.Tensor[[64, 16], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 4096)]]) -> tuple[pl.Tensor[[1, 8], pl.INT32], pl.Tensor[[64, 16], pl.FP32]]:
        size__ssa_v0: pl.Scalar[pl.INT32] = pl.tensor.read(known__ssa_v0, [0, 0])
        if size__ssa_v0 > 2:
            heads__ssa_v1: pl.Tensor[[1, 8], pl.INT32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 32)] = self.knock(street__ssa_v0, heads__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            heads__phi_v2: pl.Tensor[[1, 8], pl.INT32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 32)] = pl.yield_(heads__ssa_v1)
        else:
            count__ssa_v0: pl.Scalar[pl.INT32] = pl.tensor.read(heads__ssa_v0, [0, 5])
            roll__ssa_v3: pl.Tensor[[64, 16], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 4096)] = self.enrol(street__ssa_v0, count__ssa_v0, roll__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
            heads__phi_v2: pl.Tensor[[1, 8], pl.INT32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 32)] = pl.yield_(heads__ssa_v0)
        return heads__phi_v2, roll__ssa_v0
