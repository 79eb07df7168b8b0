# pypto.program: Example
import pypto.language as pl

@pl.program
class Example:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def fill(a: pl.Tensor[[8, 16], pl.FP32], out: pl.Out[pl.Tensor[[8, 16], pl.FP32]]) -> pl.Tensor[[8, 16], pl.FP32]:
        t: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [0, 0], [8, 16], [8, 16])
        out_1: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(t, [0, 0], out)
        return out
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def main(self, x: pl.Tensor[[8, 16], pl.FP32], y: pl.Out[pl.Tensor[[8, 16], pl.FP32]]) -> pl.Tensor[[8, 16], pl.FP32]:
        t: pl.Tensor[[8, 16], pl.FP32] = pl.tensor.create([8, 16], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        a_t: pl.Tuple[pl.Tensor[[8, 16], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.fill, x, t, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        a: pl.Tensor[[8, 16], pl.FP32] = a_t[0]
        i: pl.Scalar[pl.TASK_ID] = a_t[1]
        b_t: pl.Tuple[pl.Tensor[[8, 16], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.fill, x, y, deps=[None], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        b: pl.Tensor[[8, 16], pl.FP32] = b_t[0]
        return y
