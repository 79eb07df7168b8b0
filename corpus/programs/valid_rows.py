# pypto.program: Roofers
import pypto.language as pl

@pl.program
class Roofers:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def tile_roof(slate__ssa_v0: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6144)], row__idx_v0: pl.Scalar[pl.INDEX], roof__ssa_v0: pl.Out[pl.Tensor[[36, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 4608)]]) -> pl.Tensor[[36, 32], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2048)
        t__ssa_v0: pl.Tile[[16, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2048), pl.Mem.Vec, pl.TileView(valid_shape=[12, 32])] = pl.tile.load(slate__ssa_v0, [row__idx_v0 * 12, 0], [16, 32], [12, 32], target_memory=pl.Mem.Vec)
        roof__ssa_v1: pl.Tensor[[36, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 4608)] = pl.tile.store(t__ssa_v0, [row__idx_v0 * 12, 0], roof__ssa_v0)
        return roof__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def gable(self, slate__ssa_v0: pl.Tensor[[48, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6144)], roof__ssa_v0: pl.Out[pl.Tensor[[36, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 4608)]]) -> pl.Tensor[[36, 32], pl.FP32]:
        for row__idx_v0, (roof__iter_v1,) in pl.parallel(3, init_values=(roof__ssa_v0,)):
            roof__ssa_v3: pl.Tensor[[36, 32], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 4608)] = self.tile_roof(slate__ssa_v0, row__idx_v0, roof__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
            roof__rv_v2: pl.Tensor[[36, 32], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 4608)] = pl.yield_(roof__ssa_v3)
        return roof__rv_v2
