# pypto.program: Couriers
import pypto.language as pl

@pl.program
class Couriers:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def seal(wax__ssa_v0: pl.Tensor[[11, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1408)], letter__ssa_v0: pl.Out[pl.Tensor[[11, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1408)]]) -> pl.Tensor[[11, 32], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1408)
        t__ssa_v0: pl.Tile[[11, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1408), pl.Mem.Vec] = pl.tile.load(wax__ssa_v0, [0, 0], [11, 32], [11, 32], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[11, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1408), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        letter__ssa_v1: pl.Tensor[[11, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1408)] = pl.tile.store(r__ssa_v0, [0, 0], letter__ssa_v0)
        return letter__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def wrap(wax__ssa_v0: pl.Tensor[[11, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1408)], parcel__ssa_v0: pl.Out[pl.Tensor[[11, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1408)]]) -> pl.Tensor[[11, 32], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1408)
        t__ssa_v0: pl.Tile[[11, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1408), pl.Mem.Vec] = pl.tile.load(wax__ssa_v0, [0, 0], [11, 32], [11, 32], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[11, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1408), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        parcel__ssa_v1: pl.Tensor[[11, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1408)] = pl.tile.store(r__ssa_v0, [0, 0], parcel__ssa_v0)
        return parcel__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def deliver(letter__ssa_v0: pl.Tensor[[11, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1408)], door__ssa_v0: pl.Out[pl.Tensor[[11, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1408)]]) -> pl.Tensor[[11, 32], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 1408)
        t__ssa_v0: pl.Tile[[11, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1408), pl.Mem.Vec] = pl.tile.load(letter__ssa_v0, [0, 0], [11, 32], [11, 32], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[11, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 1408), pl.Mem.Vec] = pl.tile.exp(t__ssa_v0)
        door__ssa_v1: pl.Tensor[[11, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1408)] = pl.tile.store(r__ssa_v0, [0, 0], door__ssa_v0)
        return door__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def morning(self, wax__ssa_v0: pl.Tensor[[11, 32], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 1408)], parcel__ssa_v0: pl.InOut[pl.Tensor[[11, 32], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 1408)]], door__ssa_v0: pl.Out[pl.Tensor[[11, 32], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 1408)]], load__ssa_v0: pl.Scalar[pl.INDEX]) -> tuple[pl.Tensor[[11, 32], pl.FP32], pl.Tensor[[11, 32], pl.FP32]]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            letter__ssa_v0: pl.Tensor[[11, 32], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 1408)] = pl.tensor.create([11, 32], dtype=pl.FP32, layout=pl.TensorLayout.ND)
            desk__ssa_v0: pl.Tuple[pl.Tensor[[11, 32], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.seal, wax__ssa_v0, letter__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            letter__ssa_v1: pl.Tensor[[11, 32], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 1408)] = desk__ssa_v0[0]
            sealed__ssa_v0: pl.Scalar[pl.TASK_ID] = desk__ssa_v0[1]
            if 2 < load__ssa_v0:
                bench__ssa_v0: pl.Tuple[pl.Tensor[[11, 32], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.wrap, wax__ssa_v0, parcel__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
                parcel__ssa_v1: pl.Tensor[[11, 32], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 1408)] = bench__ssa_v0[0]
                wrapped__ssa_v0: pl.Scalar[pl.TASK_ID] = bench__ssa_v0[1]
                go__phi_v0, parcel__phi_v2 = pl.yield_(wrapped__ssa_v0, parcel__ssa_v1)
            else:
                go__phi_v0, parcel__phi_v2 = pl.yield_(sealed__ssa_v0, parcel__ssa_v0)
            horse__ssa_v0: pl.Tuple[pl.Tensor[[11, 32], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.deliver, letter__ssa_v1, door__ssa_v0, deps=[go__phi_v0], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            door__ssa_v1: pl.Tensor[[11, 32], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 1408)] = horse__ssa_v0[0]
            home__ssa_v0: pl.Scalar[pl.TASK_ID] = horse__ssa_v0[1]
        return door__ssa_v1, parcel__phi_v2
