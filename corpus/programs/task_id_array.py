# pypto.program: TeaHouse
import pypto.language as pl

@pl.program
class TeaHouse:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def brew(leaf__ssa_v0: pl.Tensor[[9, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2304)], pot__ssa_v0: pl.Out[pl.Tensor[[9, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2304)]]) -> pl.Tensor[[9, 64], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2304)
        t__ssa_v0: pl.Tile[[9, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2304), pl.Mem.Vec] = pl.tile.load(leaf__ssa_v0, [0, 0], [9, 64], [9, 64], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[9, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2304), pl.Mem.Vec] = pl.tile.exp(t__ssa_v0)
        pot__ssa_v1: pl.Tensor[[9, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2304)] = pl.tile.store(r__ssa_v0, [0, 0], pot__ssa_v0)
        return pot__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def serve(green__ssa_v0: pl.Tensor[[9, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2304)], black__ssa_v0: pl.Tensor[[9, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2304)], tray__ssa_v0: pl.Out[pl.Tensor[[9, 64], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2304)]]) -> pl.Tensor[[9, 64], pl.FP32]:
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2304)
        mem_vec_4: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2304)
        p__ssa_v0: pl.Tile[[9, 64], pl.FP32, pl.MemRef(mem_vec_3, pl.const(0, pl.INT64), 2304), pl.Mem.Vec] = pl.tile.load(green__ssa_v0, [0, 0], [9, 64], [9, 64], target_memory=pl.Mem.Vec)
        q__ssa_v0: pl.Tile[[9, 64], pl.FP32, pl.MemRef(mem_vec_4, pl.const(2304, pl.INT64), 2304), pl.Mem.Vec] = pl.tile.load(black__ssa_v0, [0, 0], [9, 64], [9, 64], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[9, 64], pl.FP32, pl.MemRef(mem_vec_3, pl.const(0, pl.INT64), 2304), pl.Mem.Vec] = pl.tile.sub(p__ssa_v0, q__ssa_v0)
        tray__ssa_v1: pl.Tensor[[9, 64], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2304)] = pl.tile.store(r__ssa_v0, [0, 0], tray__ssa_v0)
        return tray__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def ceremony(self, sencha__ssa_v0: pl.Tensor[[9, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2304)], assam__ssa_v0: pl.Tensor[[9, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2304)], tray__ssa_v0: pl.Out[pl.Tensor[[9, 64], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2304)]], second_tray__ssa_v0: pl.Out[pl.Tensor[[9, 64], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2304)]]) -> tuple[pl.Tensor[[9, 64], pl.FP32], pl.Tensor[[9, 64], pl.FP32]]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            green__ssa_v0: pl.Tensor[[9, 64], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2304)] = pl.tensor.create([9, 64], dtype=pl.FP32, layout=pl.TensorLayout.ND)
            black__ssa_v0: pl.Tensor[[9, 64], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 2304)] = pl.tensor.create([9, 64], dtype=pl.FP32, layout=pl.TensorLayout.ND)
            kettle__ssa_v0: pl.Array[3, pl.TASK_ID] = pl.array.create(3, dtype=pl.TASK_ID)
            pot__ssa_v0: pl.Tuple[pl.Tensor[[9, 64], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.brew, sencha__ssa_v0, green__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            green__ssa_v1: pl.Tensor[[9, 64], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 2304)] = pot__ssa_v0[0]
            green_done__ssa_v0: pl.Scalar[pl.TASK_ID] = pot__ssa_v0[1]
            kettle__ssa_v1: pl.Array[3, pl.TASK_ID] = pl.array.update_element(kettle__ssa_v0, 0, green_done__ssa_v0)
            pot_1: pl.Tuple[pl.Tensor[[9, 64], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.brew, assam__ssa_v0, black__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            black__ssa_v1: pl.Tensor[[9, 64], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 2304)] = pot_1[0]
            black_done__ssa_v0: pl.Scalar[pl.TASK_ID] = pot_1[1]
            kettle__ssa_v2: pl.Array[3, pl.TASK_ID] = pl.array.update_element(kettle__ssa_v1, 2, black_done__ssa_v0)
            tea__ssa_v0: pl.Tuple[pl.Tensor[[9, 64], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.serve, green__ssa_v1, black__ssa_v1, tray__ssa_v0, deps=[kettle__ssa_v2], attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.output_existing]})
            tray__ssa_v1: pl.Tensor[[9, 64], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 2304)] = tea__ssa_v0[0]
            served__ssa_v0: pl.Scalar[pl.TASK_ID] = tea__ssa_v0[1]
            kettle__ssa_v3: pl.Array[3, pl.TASK_ID] = pl.array.update_element(kettle__ssa_v2, 1, served__ssa_v0)
            last__ssa_v0: pl.Scalar[pl.TASK_ID] = pl.array.get_element(kettle__ssa_v3, 1)
            tea_1: pl.Tuple[pl.Tensor[[9, 64], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.serve, tray__ssa_v1, black__ssa_v1, second_tray__ssa_v0, deps=[last__ssa_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.output_existing]})
            second_tray__ssa_v1: pl.Tensor[[9, 64], pl.FP32, pl.MemRef("mem_ddr_9", pl.const(0, pl.INT64), 2304)] = tea_1[0]
            finished__ssa_v0: pl.Scalar[pl.TASK_ID] = tea_1[1]
        return tray__ssa_v1, second_tray__ssa_v1
