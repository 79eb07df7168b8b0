# pypto.program: Veil
import pypto.language as pl

@pl.program
class Veil:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def dye(cloth: pl.Tensor[[4, 8], pl.FP32], veil: pl.Out[pl.Tensor[[4, 8], pl.FP32]]) -> pl.Tensor[[4, 8], pl.FP32]:
        pass
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def colour(self, cloth: pl.Tensor[[4, 8], pl.FP32], veil: pl.Out[pl.Tensor[[4, 8], pl.FP32]]) -> pl.Tensor[[4, 8], pl.FP32]:
        veil_1: pl.Tensor[[4, 8], pl.FP32] = self.dye(cloth, veil, attrs={"arg_directions": [pl.adir.scalar, pl.adir.output_existing]})
        return veil_1
