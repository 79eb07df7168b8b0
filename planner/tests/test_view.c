/* Views that are no plain slices: declared strides, dropped dimensions. */
#include "../dump/view.h"
#include "dump_support.h"

#define ROW "pl.Tensor[[64], pl.FP32]"
/* Writes 64 elements in a row. */
#define FILL                                                                   \
    AIV "    def fill(o: pl.Out[" ROW "]):\n"                                  \
        "        t: pl.Tile[[64], pl.FP32, pl.Mem.Vec] = "                     \
        "pl.tile.full([64], 0.0)\n"                                            \
        "        r: " ROW " = pl.tile.store(t, [0], o)\n"

static planned plan_good(const char *text)
{
    planned p = plan_text(text);
    if (p.status != SONATA_OK)
        fail_msg("line %llu: %s", (unsigned long long)p.error.line,
                 p.error.message);
    return p;
}

static void assert_view(const planned *p, int task, const char *expected)
{
    assert_json(cJSON_GetObjectItem(arg_of(p, task, 0), "view"), expected);
}

#define SLICED(drop)                                                           \
    HEAD FILL ORCH "    def main(self, b: pl.Out[" T64 "]):\n"                 \
                   "        h: " ROW                                           \
                   " = pl.tensor.slice(b, [1, 64], [3, 0], [], " drop ")\n"    \
                   "        self.fill(h, " DIRS(OUT) ")\n"

/* What is dropped has one place, which goes into the base: 3 x 256 bytes. */
static void a_dropped_dimension_moves_the_base(void **state)
{
    (void)state;
    planned p = plan_good(SLICED("[0]"));
    assert_view(&p, 0,
                "{\"base\":768,\"dims\":[[64,4,0]],\"dtype\":\"fp32\","
                "\"elem\":4}");
    plan_free(&p);
    /* There is no dimension 7, and none below 0. */
    p = plan_good(SLICED("[7, -1]"));
    assert_view(&p, 0,
                "{\"base\":0,\"dims\":[[1,256,3],[64,4,0]],"
                "\"dtype\":\"fp32\",\"elem\":4}");
    plan_free(&p);
}

#define STRIDED(strides)                                                       \
    HEAD FILL ORCH "    def main(self, b: pl.Out[pl.Tensor[[8, 64], pl.FP32, " \
                   "pl.TensorView(stride=" strides ")]]):\n"                   \
                   "        h: " ROW                                           \
                   " = pl.tensor.slice(b, [1, 64], [2, 0], [], [0])\n"         \
                   "        self.fill(h, " DIRS(OUT) ")\n"

/* Rows 128 elements apart: the third begins at byte 1024. */
static void declared_strides_are_taken(void **state)
{
    (void)state;
    planned p = plan_good(STRIDED("[128, 1]"));
    assert_view(&p, 0,
                "{\"base\":1024,\"dims\":[[64,4,0]],\"dtype\":\"fp32\","
                "\"elem\":4}");
    plan_free(&p);
}

/* As many strides as dimensions, or they say nothing. */
static void strides_of_another_rank_say_nothing(void **state)
{
    (void)state;
    planned p = plan_good(STRIDED("[128]"));
    assert_view(&p, 0,
                "{\"base\":512,\"dims\":[[64,4,0]],\"dtype\":\"fp32\","
                "\"elem\":4}");
    plan_free(&p);
}

/* Where a stride is too large to be counted, so many elements are somewhere. */
static void a_stride_beyond_all_bytes_is_not_known(void **state)
{
    (void)state;
    planned p = plan_good(STRIDED("[4611686018427387904, 1]"));
    assert_view(&p, 0,
                "{\"base\":0,\"dims\":[[{\"c\":0,\"t\":[[1,\"%1\"]]},4,"
                "{\"c\":0,\"t\":[[1,\"%0\"]]}]],\"dtype\":\"fp32\","
                "\"elem\":4}");
    plan_free(&p);
}

/* Two elements in a byte: extents and places of the last dimension halve. */
static void a_part_of_halved_elements(void **state)
{
    (void)state;
    affine_pool pool;
    affine_init(&pool);
    const affine shape[] = {affine_const(6), affine_const(40)};
    const affine sizes[] = {affine_const(2), affine_const(12)};
    const affine offsets[] = {affine_const(3), affine_const(10)};
    const view_type *type = view_type_find("INT4", 4);
    assert_true(type != NULL && type->halved);
    view all = view_of_buffer(&pool, 0, type, shape, 2);
    view part = view_slice(&pool, &all, sizes, offsets, 2);
    assert_int_equal(all.dim[0].stride, 20);
    assert_int_equal(part.dim[0].offset.c, 3);
    assert_int_equal(part.dim[0].count.c, 2);
    assert_int_equal(part.dim[1].offset.c, 5);
    assert_int_equal(part.dim[1].count.c, 6);
    affine_free(&pool);
}

/* An index ends where its loop does, be that a symbol. */
static void an_index_is_at_most_its_limit(void **state)
{
    (void)state;
    affine_pool pool;
    affine_init(&pool);
    affine n = affine_symbol_new(&pool, AFFINE_DIMENSION, "n", 1);
    affine i = affine_symbol_new(&pool, AFFINE_INDEX, "i", 1);
    affine limit = affine_sub(&pool, i, n);
    affine_symbol *index = affine_symbol_of(&pool, i);
    index->has_limit = true;
    index->limit = limit;
    for (int64_t k = 1; k < 4; k++) {
        affine scaled = affine_mul(&pool, affine_const(k), limit);
        affine above = affine_add(&pool, scaled, affine_const(1));
        assert_true(affine_never_above(&pool, scaled));
        assert_false(affine_never_above(&pool, above));
    }
    affine_free(&pool);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_part_of_halved_elements),
    cmocka_unit_test(an_index_is_at_most_its_limit),
    cmocka_unit_test(a_dropped_dimension_moves_the_base),
    cmocka_unit_test(declared_strides_are_taken),
    cmocka_unit_test(strides_of_another_rank_say_nothing),
    cmocka_unit_test(a_stride_beyond_all_bytes_is_not_known),
};

TEST_MAIN(tests)
