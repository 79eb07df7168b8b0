# pypto.program: ParadeStraggler
import pypto.language as pl

@pl.program
class ParadeStraggler:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def march(crowd__ssa_v0: pl.Tensor[[32, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2048)], at__idx_v0: pl.Scalar[pl.INDEX], line__ssa_v0: pl.Out[pl.Tensor[[32, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2048)]]) -> pl.Tensor[[32, 16], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2048)
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 512)
        t__ssa_v0: pl.Tile[[32, 16], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2048), pl.Mem.Vec] = pl.tile.load(crowd__ssa_v0, [0, 0], [32, 16], [32, 16], target_memory=pl.Mem.Vec)
        s__ssa_v0: pl.Tile[[8, 16], pl.FP32, pl.MemRef(mem_vec_3, pl.const(2048, pl.INT64), 512), pl.Mem.Vec] = pl.tile.load(crowd__ssa_v0, [at__idx_v0 * 8, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[8, 16], pl.FP32, pl.MemRef(mem_vec_3, pl.const(2048, pl.INT64), 512), pl.Mem.Vec] = pl.tile.neg(s__ssa_v0)
        line__ssa_v1: pl.Tensor[[32, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2048)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 8, 0], line__ssa_v0)
        return line__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def square(self, crowd__ssa_v0: pl.Tensor[[32, 16], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2048)], plaza__ssa_v0: pl.Out[pl.Tensor[[32, 16], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2048)]]) -> pl.Tensor[[32, 16], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            line__ssa_v0: pl.Tensor[[32, 16], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2048)] = pl.tensor.create([32, 16], dtype=pl.FP32, layout=pl.TensorLayout.ND)
            here__ssa_v0: pl.Array[4, pl.TASK_ID] = pl.array.create(4, dtype=pl.TASK_ID)
            for rank__idx_v0, (here__iter_v1, line__iter_v1) in pl.parallel(4, init_values=(here__ssa_v0, line__ssa_v0)):
                drum__ssa_v0: pl.Tuple[pl.Tensor[[32, 16], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.march, crowd__ssa_v0, rank__idx_v0, line__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
                line__ssa_v3: pl.Tensor[[32, 16], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2048)] = drum__ssa_v0[0]
                stepped__ssa_v0: pl.Scalar[pl.TASK_ID] = drum__ssa_v0[1]
                here__ssa_v3: pl.Array[4, pl.TASK_ID] = pl.array.update_element(here__iter_v1, pl.min(rank__idx_v0, 2), stepped__ssa_v0)
                here__rv_v2, line__rv_v2 = pl.yield_(here__ssa_v3, line__ssa_v3)
            for file__idx_v0, (plaza__iter_v1,) in pl.parallel(2, init_values=(plaza__ssa_v0,)):
                pipe__ssa_v0: pl.Tuple[pl.Tensor[[32, 16], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.march, line__rv_v2, file__idx_v0, plaza__iter_v1, deps=[here__rv_v2], attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
                plaza__ssa_v3: pl.Tensor[[32, 16], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 2048)] = pipe__ssa_v0[0]
                turned__ssa_v0: pl.Scalar[pl.TASK_ID] = pipe__ssa_v0[1]
                plaza__rv_v2: pl.Tensor[[32, 16], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 2048)] = pl.yield_(plaza__ssa_v3)
        return plaza__rv_v2
