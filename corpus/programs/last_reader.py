# pypto.program: Scriptorium
import pypto.language as pl

@pl.program
class Scriptorium:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def write_book(ink__ssa_v0: pl.Tensor[[36, 20], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2880)], book__ssa_v0: pl.Out[pl.Tensor[[36, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2880)]]) -> pl.Tensor[[36, 20], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2880)
        t__ssa_v0: pl.Tile[[36, 20], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2880), pl.Mem.Vec] = pl.tile.load(ink__ssa_v0, [0, 0], [36, 20], [36, 20], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[36, 20], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2880), pl.Mem.Vec] = pl.tile.exp(t__ssa_v0)
        book__ssa_v1: pl.Tensor[[36, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2880)] = pl.tile.store(r__ssa_v0, [0, 0], book__ssa_v0)
        return book__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def copy_page(book__ssa_v0: pl.Tensor[[36, 20], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2880)], at__idx_v0: pl.Scalar[pl.INDEX], notes__ssa_v0: pl.Out[pl.Tensor[[36, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2880)]]) -> pl.Tensor[[36, 20], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 960)
        t__ssa_v0: pl.Tile[[12, 20], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 960), pl.Mem.Vec] = pl.tile.load(book__ssa_v0, [at__idx_v0 * 12, 0], [12, 20], [12, 20], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[12, 20], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 960), pl.Mem.Vec] = pl.tile.neg(t__ssa_v0)
        notes__ssa_v1: pl.Tensor[[36, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2880)] = pl.tile.store(r__ssa_v0, [at__idx_v0 * 12, 0], notes__ssa_v0)
        return notes__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def abbey(self, ink__ssa_v0: pl.Tensor[[36, 20], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 2880)], dye__ssa_v0: pl.Tensor[[36, 20], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 2880)], notes__ssa_v0: pl.Out[pl.Tensor[[36, 20], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 2880)]], shelf__ssa_v0: pl.Out[pl.Tensor[[36, 20], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 2880)]]) -> tuple[pl.Tensor[[36, 20], pl.FP32], pl.Tensor[[36, 20], pl.FP32]]:
        book__ssa_v0: pl.Tensor[[36, 20], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 2880)] = pl.tensor.create([36, 20], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        book__ssa_v1: pl.Tensor[[36, 20], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 2880)] = self.write_book(ink__ssa_v0, book__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        last__ssa_v0: pl.Scalar[pl.TASK_ID] = pl.system.task_invalid()
        for monk__idx_v0, (last__iter_v1, notes__iter_v1) in pl.parallel(3, init_values=(last__ssa_v0, notes__ssa_v0)):
            desk__ssa_v0: pl.Tuple[pl.Tensor[[36, 20], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.copy_page, book__ssa_v1, monk__idx_v0, notes__iter_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.scalar, pl.adir.output_existing]})
            notes__ssa_v3: pl.Tensor[[36, 20], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 2880)] = desk__ssa_v0[0]
            last__ssa_v3: pl.Scalar[pl.TASK_ID] = desk__ssa_v0[1]
            last__rv_v2, notes__rv_v2 = pl.yield_(last__ssa_v3, notes__ssa_v3)
        pen__ssa_v0: pl.Tuple[pl.Tensor[[36, 20], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.write_book, dye__ssa_v0, book__ssa_v1, deps=[last__rv_v2], attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
        book__ssa_v2: pl.Tensor[[36, 20], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 2880)] = pen__ssa_v0[0]
        written__ssa_v0: pl.Scalar[pl.TASK_ID] = pen__ssa_v0[1]
        shelf__ssa_v1: pl.Tensor[[36, 20], pl.FP32, pl.MemRef("mem_ddr_9", pl.const(0, pl.INT64), 2880)] = self.write_book(book__ssa_v2, shelf__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return notes__rv_v2, shelf__ssa_v1
