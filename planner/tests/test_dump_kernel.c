/* What kernels do to their arguments: places, sizes, results. */
#include "dump_support.h"

#define T3 "pl.Tensor[[2, 8, 16], pl.FP32]"
#define T2 "pl.Tensor[[64, 32], pl.FP32]"
#define DIRECTIONS_2 "attrs={\"arg_directions\": [" IN ", " OUT "]}"

static planned plan_good(const char *text)
{
    planned p = plan_text(text);
    if (p.status != SONATA_OK)
        fail_msg("%s (line %llu)", p.error.message,
                 (unsigned long long)p.error.line);
    return p;
}

/* k(x, o) of these tensors loads as told, and writes nothing but o. */
#define LOADS(tensor, statements)                                              \
    HEAD AIV "    def k(x: " tensor ", o: pl.Out[" T2 "]):\n" statements       \
             "        z: pl.Tile[[64, 32], pl.FP32, pl.Mem.Vec] = "            \
             "pl.tile.full([64, 32], 0.0)\n"                                   \
             "        r: " T2 " = pl.tile.store(z, [0, 0], o)\n" ORCH          \
             "    def main(self, a: " tensor ", b: pl.Out[" T2 "]):\n"         \
             "        self.k(a, b, " DIRECTIONS_2 ")\n"
#define LOAD(tile, from, at, size)                                             \
    "        t: " tile " = pl.tile.load(" from ", " at ", " size ", " size ")" \
    "\n"

static void assert_loads(const char *text, const char *json)
{
    planned p = plan_good(text);
    assert_json(cJSON_GetObjectItem(arg_of(&p, 0, 0), "access"), json);
    plan_free(&p);
}

/* Dimensions count from 0, or from the end; of others nothing is known. */
static void dimensions_of_a_tensor(void **state)
{
    (void)state;
#define AT_DIM(number)                                                         \
    LOADS(T2, "        n: pl.Scalar[pl.INDEX] = pl.tensor.dim(x, " number      \
              ")\n" LOAD("pl.Tile[[8, 8], pl.FP32, pl.Mem.Vec]", "x",          \
                         "[n - 24, 0]", "[8, 8]"))
#define EXACT(row)                                                             \
    "[{\"exact\":true,\"mode\":\"read\",\"must\":true,\"region\":{\"base\":0," \
    "\"dims\":[[8,128," row "],[8,4,0]],\"elem\":4}}]"
#define ANY_ROW                                                                \
    "[{\"exact\":false,\"mode\":\"read\",\"must\":false,\"region\":{\"base\":" \
    "0,"                                                                       \
    "\"dims\":[[64,128,0],[8,4,0]],\"elem\":4}}]"
    assert_loads(AT_DIM("0"), EXACT("40"));
    assert_loads(AT_DIM("1"), EXACT("8"));
    assert_loads(AT_DIM("-1"), EXACT("8"));
    assert_loads(AT_DIM("-2"), EXACT("40"));
    assert_loads(AT_DIM("2"), ANY_ROW);
    assert_loads(AT_DIM("-3"), ANY_ROW);
}

/*
 * A bound of a view whose dimensions changed places is none of the argument's
 * box: the ends of one are not those of the other.
 */
static void bounds_of_a_turned_view(void **state)
{
    (void)state;
#define EVERY_SECOND(from, rows, size)                                         \
    "        for i in pl.range(0, " rows ", 2):\n    " LOAD(                   \
        "pl.Tile[" size ", pl.FP32, pl.Mem.Vec]", from, "[0, i, 0]", size)
    assert_loads(
        LOADS(T3, EVERY_SECOND("x", "8", "[1, 1, 16]")),
        "[{\"exact\":true,\"mode\":\"read\",\"must\":true,\"region\":{"
        "\"base\":0,\"dims\":[[1,512,0],[1,64,0],[16,4,0]],\"elem\":4}},"
        "{\"exact\":false,\"mode\":\"read\",\"must\":false,\"region\":{"
        "\"base\":0,\"dims\":[[1,512,0],[5,64,2],[16,4,0]],\"elem\":4}}]");
    assert_loads(
        LOADS(T3, "        v: pl.Tensor[[2, 16, 8], pl.FP32] = "
                  "pl.tensor.transpose(x, 1, 2)\n" EVERY_SECOND("v", "16",
                                                                "[1, 1, 8]")),
        "[{\"exact\":true,\"mode\":\"read\",\"must\":true,\"region\":{"
        "\"base\":0,\"dims\":[[1,512,0],[1,4,0],[8,64,0]],\"elem\":4}},"
        "{\"exact\":false,\"mode\":\"read\",\"must\":false}]");
    assert_loads(
        LOADS(T3, "        v: pl.Tensor[[8, 2, 16], pl.FP32] = "
                  "pl.tensor.transpose(x, 0, 1)\n" EVERY_SECOND("v", "2",
                                                                "[8, 1, 16]")),
        "[{\"exact\":true,\"mode\":\"read\",\"must\":true,\"region\":{"
        "\"base\":0,\"dims\":[[8,64,0],[1,512,0],[16,4,0]],\"elem\":4}}]");
}

/* A result is known where all returns that may be reached agree. */
static void returns_that_agree(void **state)
{
    (void)state;
#define RETURNS(first, second)                                                 \
    HEAD COPY AIV "    def k(n: pl.Scalar[pl.INDEX], o: pl.Out[" T64           \
                  "], p: pl.Out[" T64 "]) -> " T64 ":\n"                       \
                  "        t: " TILE " = pl.tile.full([64, 64], 0.0)\n"        \
                  "        q: " T64 " = pl.tile.store(t, [0, 0], o)\n"         \
                  "        r: " T64 " = pl.tile.store(t, [0, 0], p)\n"         \
                  "        if n > 3:\n"                                        \
                  "            return " first "\n"                             \
                  "        return " second "\n" ORCH                           \
                  "    def main(self, n: pl.Scalar[pl.INDEX], a: pl.Out[" T64  \
                  "], b: pl.Out[" T64 "]):\n"                                  \
                  "        s: " T64 " = self.k(n, a, b, attrs={"               \
                  "\"arg_directions\": [pl.adir.scalar, " OUT ", " OUT "]})\n" \
                  "        u: " T64                                            \
                  " = self.copy(s, b, " DIRS(IN ", " OUT) ")\n"
    planned p = plan_good(RETURNS("q", "o"));
    assert_key(&p, 1, 0, "param:a");
    plan_free(&p);
    p = plan_good(RETURNS("p", "r"));
    assert_key(&p, 1, 0, "param:b");
    plan_free(&p);
    p = plan_text(RETURNS("r", "q"));
    assert_int_equal(p.status, SONATA_UNSUPPORTED);
    assert_non_null(strstr(p.error.message, "does not say which parameter"));
    p = plan_text(RETURNS("q", "r"));
    assert_int_equal(p.status, SONATA_UNSUPPORTED);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(dimensions_of_a_tensor),
    cmocka_unit_test(bounds_of_a_turned_view),
    cmocka_unit_test(returns_that_agree),
};

TEST_MAIN(tests)
