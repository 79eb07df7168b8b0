# pypto.program: Forge
import pypto.language as pl


@pl.program
class Forge:
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def smelt_aic(
        ore__ssa_v0: pl.Tensor[[48, 48], pl.FP16, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 4608)],
        coal__ssa_v0: pl.Tensor[[48, 48], pl.FP16, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 4608)],
        flux__ssa_v0: pl.Tensor[[48, 48], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 9216)],
        ingot__ssa_v0: pl.Out[pl.Tensor[[48, 48], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 9216)]],
        __gm_pipe_buffer: pl.Out[pl.Tensor[[1], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 4)]],
    ):
        pl.func_attr({"split": pl.SplitMode.NONE})
        mem_mat_5: pl.Ptr = pl.tile.alloc(pl.Mem.Mat, 4608)
        mem_mat_6: pl.Ptr = pl.tile.alloc(pl.Mem.Mat, 4608)
        mem_left_7: pl.Ptr = pl.tile.alloc(pl.Mem.Left, 4608)
        mem_right_8: pl.Ptr = pl.tile.alloc(pl.Mem.Right, 4608)
        mem_acc_9: pl.Ptr = pl.tile.alloc(pl.Mem.Acc, 9216)
        port__ssa_v0: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name="smelt_c2v", peer_func="smelt_aiv")
        pl.system.aic_initialize_pipe(port__ssa_v0, pl.const(0, pl.INT32), dir_mask=1, slot_size=9216, slot_num=2)
        a__ssa_v0: pl.Tile[[48, 48], pl.FP16, pl.MemRef(mem_mat_5, pl.const(0, pl.INT64), 4608), pl.Mem.Mat] = pl.tile.load(ore__ssa_v0, [0, 0], [48, 48], [48, 48], target_memory=pl.Mem.Mat)
        b__ssa_v0: pl.Tile[[48, 48], pl.FP16, pl.MemRef(mem_mat_6, pl.const(4608, pl.INT64), 4608), pl.Mem.Mat] = pl.tile.load(coal__ssa_v0, [0, 0], [48, 48], [48, 48], target_memory=pl.Mem.Mat)
        a_left__ssa_v0: pl.Tile[[48, 48], pl.FP16, pl.MemRef(mem_left_7, pl.const(9216, pl.INT64), 4608), pl.Mem.Left] = pl.tile.move(a__ssa_v0, target_memory=pl.Mem.Left)
        b_right__ssa_v0: pl.Tile[[48, 48], pl.FP16, pl.MemRef(mem_right_8, pl.const(13824, pl.INT64), 4608), pl.Mem.Right] = pl.tile.move(b__ssa_v0, target_memory=pl.Mem.Right)
        m__ssa_v0: pl.Tile[[48, 48], pl.FP32, pl.MemRef(mem_acc_9, pl.const(18432, pl.INT64), 9216), pl.Mem.Acc] = pl.tile.matmul(a_left__ssa_v0, b_right__ssa_v0)
        pl.tile.tpush_to_aiv(m__ssa_v0, split=0)

    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def smelt_aiv(
        ore__ssa_v0: pl.Tensor[[48, 48], pl.FP16, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 4608)],
        coal__ssa_v0: pl.Tensor[[48, 48], pl.FP16, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 4608)],
        flux__ssa_v0: pl.Tensor[[48, 48], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 9216)],
        ingot__ssa_v0: pl.Out[pl.Tensor[[48, 48], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 9216)]],
        __gm_pipe_buffer: pl.Out[pl.Tensor[[1], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 4)]],
    ) -> pl.Tensor[[48, 48], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.NONE})
        mem_vec_5: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 9216)
        slots__ssa_v0: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name="smelt_c2v", size=18432, base=0)
        pl.system.aiv_initialize_pipe(slots__ssa_v0, pl.const(0, pl.INT32), dir_mask=1, slot_size=9216, slot_num=2)
        f__ssa_v0: pl.Tile[[48, 48], pl.FP32, pl.MemRef(mem_vec_5, pl.const(0, pl.INT64), 9216), pl.Mem.Vec] = pl.tile.load(flux__ssa_v0, [0, 0], [48, 48], [48, 48], target_memory=pl.Mem.Vec)
        m_vec: pl.Tile[[48, 48], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=0)
        s__ssa_v0: pl.Tile[[48, 48], pl.FP32, pl.MemRef(mem_vec_5, pl.const(0, pl.INT64), 9216), pl.Mem.Vec] = pl.tile.add(m_vec, f__ssa_v0)
        pl.system.tfree_to_aic(m_vec, split=0)
        ingot__ssa_v1: pl.Tensor[[48, 48], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 9216)] = pl.tile.store(s__ssa_v0, [0, 0], ingot__ssa_v0)
        return ingot__ssa_v0

    @pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)
    def smelt(
        ore__ssa_v0: pl.Tensor[[48, 48], pl.FP16, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 4608)],
        coal__ssa_v0: pl.Tensor[[48, 48], pl.FP16, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 4608)],
        flux__ssa_v0: pl.Tensor[[48, 48], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 9216)],
        ingot__ssa_v0: pl.Out[pl.Tensor[[48, 48], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 9216)]],
        __gm_pipe_buffer: pl.Out[pl.Tensor[[1], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 4)]],
    ) -> pl.Tensor[[48, 48], pl.FP32]:
        self.smelt_aic(
            ore__ssa_v0,
            coal__ssa_v0,
            flux__ssa_v0,
            ingot__ssa_v0,
            __gm_pipe_buffer,
            attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.input, pl.adir.output_existing, pl.adir.output_existing]},
        )
        ingot__ssa_v1: pl.Tensor[[48, 48], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 9216)] = self.smelt_aiv(
            ore__ssa_v0, coal__ssa_v0, flux__ssa_v0, ingot__ssa_v0, __gm_pipe_buffer, attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.input, pl.adir.inout, pl.adir.inout]}
        )
        return ingot__ssa_v1

    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def temper(
        ingot__ssa_v0: pl.Tensor[[48, 48], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 9216)],
        blade__ssa_v0: pl.Out[pl.Tensor[[48, 48], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 9216)]],
    ) -> pl.Tensor[[48, 48], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 9216)
        t__ssa_v0: pl.Tile[[48, 48], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 9216), pl.Mem.Vec] = pl.tile.load(ingot__ssa_v0, [0, 0], [48, 48], [48, 48], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[48, 48], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 9216), pl.Mem.Vec] = pl.tile.tanh(t__ssa_v0)
        blade__ssa_v1: pl.Tensor[[48, 48], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 9216)] = pl.tile.store(r__ssa_v0, [0, 0], blade__ssa_v0)
        return blade__ssa_v0

    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def smithy(
        self,
        ore__ssa_v0: pl.Tensor[[48, 48], pl.FP16, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 4608)],
        coal__ssa_v0: pl.Tensor[[48, 48], pl.FP16, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 4608)],
        flux__ssa_v0: pl.Tensor[[48, 48], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 9216)],
        blade__ssa_v0: pl.Out[pl.Tensor[[48, 48], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 9216)]],
    ) -> pl.Tensor[[48, 48], pl.FP32]:
        ingot__ssa_v0: pl.Tensor[[48, 48], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 9216)] = pl.tensor.create([48, 48], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        gm_pipe_buffer_0: pl.Tensor[[1], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 4)] = pl.tensor.create([1], dtype=pl.FP32, layout=pl.TensorLayout.ND, manual_dep=True)
        ingot__ssa_v1: pl.Tensor[[48, 48], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 9216)] = self.smelt(
            ore__ssa_v0,
            coal__ssa_v0,
            flux__ssa_v0,
            ingot__ssa_v0,
            gm_pipe_buffer_0,
            attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.input, pl.adir.output_existing, pl.adir.output_existing]},
        )
        blade__ssa_v1: pl.Tensor[[48, 48], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 9216)] = self.temper(
            ingot__ssa_v1, blade__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]}
        )
        return blade__ssa_v1
