# pypto.program: Joinery
import pypto.language as pl

@pl.program
class Joinery:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def plane(log__ssa_v0: pl.Tensor[[26, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1664)], plank__ssa_v0: pl.Out[pl.Tensor[[26, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1664)]]) -> pl.Tensor[[26, 16], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1664)
        t__ssa_v0: pl.Tile[[26, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1664), pl.Mem.Vec] = pl.tile.load(log__ssa_v0, [0, 0], [26, 16], [26, 16], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[26, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1664), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        plank__ssa_v1: pl.Tensor[[26, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1664)] = pl.tile.store(r__ssa_v0, [0, 0], plank__ssa_v0)
        return plank__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def saw(plank__ssa_v0: pl.Tensor[[26, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1664)], at__idx_v0: pl.Scalar[pl.INDEX], piece__ssa_v0: pl.Out[pl.Tensor[[26, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1664)]]) -> pl.Tensor[[26, 16], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 832)
        t__ssa_v0: pl.Tile[[13, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 832), pl.Mem.Vec] = pl.tile.load(plank__ssa_v0, [at__idx_v0 * 13, 0], [13, 16], [13, 16], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[13, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 832), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        piece__ssa_v1: pl.Tensor[[26, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1664)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 13, 0], piece__ssa_v0)
        return piece__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def glue(piece__ssa_v0: pl.Tensor[[26, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1664)], at__idx_v0: pl.Scalar[pl.INDEX], chair__ssa_v0: pl.Out[pl.Tensor[[26, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1664)]]) -> pl.Tensor[[26, 16], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 832)
        t__ssa_v0: pl.Tile[[13, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 832), pl.Mem.Vec] = pl.tile.load(piece__ssa_v0, [at__idx_v0 * 13, 0], [13, 16], [13, 16], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[13, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 832), pl.Mem.Vec] = pl.tile.exp(t__ssa_v0)
        chair__ssa_v1: pl.Tensor[[26, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1664)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 13, 0], chair__ssa_v0)
        return chair__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def workshop(self, log__ssa_v0: pl.Tensor[[26, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1664)], chair__ssa_v0: pl.Out[pl.Tensor[[26, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1664)]]) -> pl.Tensor[[26, 16], pl.FP32]:
        plank__ssa_v0: pl.Tensor[[26, 16], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 1664)] = pl.tensor.create([26, 16], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        piece__ssa_v0: pl.Tensor[[26, 16], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 1664)] = pl.tensor.create([26, 16], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        plank__ssa_v1: pl.Tensor[[26, 16], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 1664)] = self.plane(log__ssa_v0, plank__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        for leg__idx_v0, (chair__iter_v1, piece__iter_v1) in pl.range(2, init_values=(chair__ssa_v0, piece__ssa_v0)):
            teeth__ssa_v0: pl.Tuple[pl.Tensor[[26, 16], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.saw, plank__ssa_v1, leg__idx_v0, piece__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout], "__compiler_auto_manual_scope_candidate": True})
            piece__ssa_v3: pl.Tensor[[26, 16], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 1664)] = teeth__ssa_v0[0]
            sawn__ssa_v0: pl.Scalar[pl.TASK_ID] = teeth__ssa_v0[1]
            with pl.scope(mode=pl.ScopeMode.MANUAL):
                brush__ssa_v0: pl.Tuple[pl.Tensor[[26, 16], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.glue, piece__ssa_v3, leg__idx_v0, chair__iter_v1, deps=[sawn__ssa_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.inout], "__compiler_auto_manual_scope_candidate": True})
                chair__ssa_v3: pl.Tensor[[26, 16], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 1664)] = brush__ssa_v0[0]
                stuck__ssa_v0: pl.Scalar[pl.TASK_ID] = brush__ssa_v0[1]
            chair__rv_v2, piece__rv_v2 = pl.yield_(chair__ssa_v3, piece__ssa_v3)
        return chair__rv_v2
