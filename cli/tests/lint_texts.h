/* Dumps for the tests of lint: kernels that read, write, or do both. */
#ifndef TESTS_LINT_TEXTS_H
#define TESTS_LINT_TEXTS_H

#define T "pl.Tensor[[8, 16], pl.FP32]"
#define TASK "pl.Tuple[" T ", pl.Scalar[pl.TASK_ID]]"
#define KERNEL                                                                 \
    "    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, "          \
    "role=pl.Role.SubWorker)\n"
#define LOAD(t) "pl.tile.load(" t ", [0, 0], [8, 16], [8, 16])"
#define TILE "pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec]"

/* Lines 1 to 12: fill(a, out), which reads a and writes all of out. */
#define HEAD                                                                   \
    "# pypto.program: Mill\n"                                                  \
    "import pypto.language as pl\n"                                            \
    "\n"                                                                       \
    "@pl.program\n"                                                            \
    "class Mill:\n" KERNEL "    def fill(a: " T ", out: pl.Out[" T "]) -> " T  \
    ":\n"                                                                      \
    "        t: " TILE                                                         \
    " = " LOAD("a") "\n"                                                       \
                    "        out_1: " T " = pl.tile.store(t, [0, 0], out)\n"   \
                    "        return out\n"                                     \
                    "    @pl.function(type=pl.FunctionType.Orchestration, "    \
                    "level=pl.Level.CHIP, role=pl.Role.Orchestrator)\n"        \
                    "    def mill(self, x: " T ", y: " T ", r: pl.Out[" T      \
                    "], s: pl.Out[" T "]) -> " T ":\n"

/* Line 13 on. */
#define CREATE(name)                                                           \
    "        " name ": " T " = pl.tensor.create([8, 16], dtype=pl.FP32, "      \
    "layout=pl.TensorLayout.ND)\n"
#define CALL(to, from, out, how)                                               \
    "        " to ": " T " = self.fill(" from ", " out                         \
    ", attrs={\"arg_directions\": [pl.adir.input, pl.adir." how "]})\n"
/* `more` begins with a comma, or is empty. Three lines. */
#define SUBMIT_IN(indent, to, id, from, out, how, more)                        \
    indent to "_t: " TASK " = pl.submit(self.fill, " from ", " out more        \
              ", attrs={\"arg_directions\": [pl.adir.input, pl.adir." how      \
              "]})\n" indent to ": " T " = " to "_t[0]\n" indent id            \
              ": pl.Scalar[pl.TASK_ID] = " to "_t[1]\n"
#define SUBMIT(to, id, from, out, how, more)                                   \
    SUBMIT_IN("        ", to, id, from, out, how, more)
#define RETURN(what) "        return " what "\n"

#endif
