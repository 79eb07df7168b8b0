# pypto.program: Ledger
import pypto.language as pl

@pl.program
class Ledger:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def book(entry__ssa_v0: pl.Tensor[[18, 88], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6336)], account__ssa_v0: pl.InOut[pl.Tensor[[18, 88], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6336)]]) -> pl.Tensor[[18, 88], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 6336)
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 6336)
        p__ssa_v0: pl.Tile[[18, 88], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 6336), pl.Mem.Vec] = pl.tile.load(account__ssa_v0, [0, 0], [18, 88], [18, 88], target_memory=pl.Mem.Vec)
        q__ssa_v0: pl.Tile[[18, 88], pl.FP32, pl.MemRef(mem_vec_3, pl.const(6336, pl.INT64), 6336), pl.Mem.Vec] = pl.tile.load(entry__ssa_v0, [0, 0], [18, 88], [18, 88], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[18, 88], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 6336), pl.Mem.Vec] = pl.tile.add(p__ssa_v0, q__ssa_v0)
        account__ssa_v1: pl.Tensor[[18, 88], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6336)] = pl.tile.store(r__ssa_v0, [0, 0], account__ssa_v0)
        return account__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def audit(account__ssa_v0: pl.Tensor[[18, 88], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6336)], summary__ssa_v0: pl.Out[pl.Tensor[[18, 88], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6336)]]) -> pl.Tensor[[18, 88], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 6336)
        t__ssa_v0: pl.Tile[[18, 88], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 6336), pl.Mem.Vec] = pl.tile.load(account__ssa_v0, [0, 0], [18, 88], [18, 88], target_memory=pl.Mem.Vec)
        r__ssa_v0: pl.Tile[[18, 88], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 6336), pl.Mem.Vec] = pl.tile.abs(t__ssa_v0)
        summary__ssa_v1: pl.Tensor[[18, 88], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6336)] = pl.tile.store(r__ssa_v0, [0, 0], summary__ssa_v0)
        return summary__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def quarter(self, april__ssa_v0: pl.Tensor[[18, 88], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 6336)], may__ssa_v0: pl.Tensor[[18, 88], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 6336)], june__ssa_v0: pl.Tensor[[18, 88], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 6336)], account__ssa_v0: pl.InOut[pl.Tensor[[18, 88], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 6336)]], summary__ssa_v0: pl.Out[pl.Tensor[[18, 88], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 6336)]]) -> tuple[pl.Tensor[[18, 88], pl.FP32], pl.Tensor[[18, 88], pl.FP32]]:
        account__ssa_v1: pl.Tensor[[18, 88], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 6336)] = self.book(april__ssa_v0, account__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
        account__ssa_v2: pl.Tensor[[18, 88], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 6336)] = self.book(may__ssa_v0, account__ssa_v1, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
        account__ssa_v3: pl.Tensor[[18, 88], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 6336)] = self.book(june__ssa_v0, account__ssa_v2, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})
        summary__ssa_v1: pl.Tensor[[18, 88], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 6336)] = self.audit(account__ssa_v3, summary__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return account__ssa_v3, summary__ssa_v1
