# pypto.program: Tram
import pypto.language as pl

@pl.program
class Tram:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def board_tram(queue__ssa_v0: pl.Tensor[[10, 30], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1200)], car__ssa_v0: pl.InOut[pl.Tensor[[10, 30], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1200)]], first__ssa_v0: pl.Scalar[pl.INDEX]) -> pl.Tensor[[10, 30], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1200)
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1200)
        t__ssa_v0: pl.Tile[[10, 30], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1200), pl.Mem.Vec] = pl.tile.load(queue__ssa_v0, [0, 0], [10, 30], [10, 30], target_memory=pl.Mem.Vec)
        u__ssa_v0: pl.Tile[[10, 30], pl.FP32, pl.MemRef(mem_vec_3, pl.const(1200, pl.INT64), 1200), pl.Mem.Vec] = pl.tile.load(car__ssa_v0, [0, 0], [10, 30], [10, 30], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[10, 30], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1200), pl.Mem.Vec] = pl.tile.add(t__ssa_v0, u__ssa_v0)
        car__ssa_v1: pl.Tensor[[10, 30], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1200)] = pl.tile.store(r__ssa_v0, [0, 0], car__ssa_v0)
        return car__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def clean_car(soap__ssa_v0: pl.Tensor[[10, 30], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1200)], car__ssa_v0: pl.Out[pl.Tensor[[10, 30], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1200)]]) -> pl.Tensor[[10, 30], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1200)
        t__ssa_v0: pl.Tile[[10, 30], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1200), pl.Mem.Vec] = pl.tile.load(soap__ssa_v0, [0, 0], [10, 30], [10, 30], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[10, 30], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1200), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        car__ssa_v1: pl.Tensor[[10, 30], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1200)] = pl.tile.store(r__ssa_v0, [0, 0], car__ssa_v0)
        return car__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def journey(self, queue__ssa_v0: pl.Tensor[[10, 30], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1200)], plan__ssa_v0: pl.Tensor[[8], pl.INT32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 32)], home__ssa_v0: pl.Out[pl.Tensor[[10, 30], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 1200)]]) -> pl.Tensor[[10, 30], pl.FP32]:
        car__ssa_v0: pl.Tensor[[10, 30], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 1200)] = pl.tensor.create([10, 30], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        car__ssa_v1: pl.Tensor[[10, 30], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 1200)] = self.clean_car(queue__ssa_v0, car__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        stops__ssa_v0: pl.Scalar[pl.INT32] = pl.tensor.read(plan__ssa_v0, [0])
        for stop__idx_v0, (car__iter_v2,) in pl.range(pl.cast(stops__ssa_v0, pl.INDEX), init_values=(car__ssa_v1,)):
            if stop__idx_v0 == 0:
                first__phi_v0: pl.Scalar[pl.INDEX] = pl.yield_(1)
            else:
                first__phi_v0: pl.Scalar[pl.INDEX] = pl.yield_(0)
            car__ssa_v4: pl.Tensor[[10, 30], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 1200)] = self.board_tram(queue__ssa_v0, car__iter_v2, first__phi_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.inout, pl.adir.scalar]})
            car__rv_v3: pl.Tensor[[10, 30], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 1200)] = pl.yield_(car__ssa_v4)
        home__ssa_v1: pl.Tensor[[10, 30], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 1200)] = self.clean_car(car__rv_v3, home__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return home__ssa_v1
