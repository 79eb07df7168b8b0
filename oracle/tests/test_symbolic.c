/*
 * Storages that have no atoms, because regions have symbols or too many rows,
 * against the brute-force twin, which takes every value of the symbols, or one
 * row. An error is wrong for some values; what has neither error nor doubt is
 * right for all.
 */
#include "../../scripts/testing/harness.h"

#include "forward.h"
#include "twin.h"

#include <stdio.h>

#define ROWS 70000
#define SYMBOLS 3

typedef struct shape {
    uint64_t seed;
    uint32_t tasks; /* up to */
    bool rows;      /* many rows, not symbols */
    bool predicates;
    bool reversed;
    bool external; /* all buffers are */
    bool wide;     /* a symbol of more values than are tried */
    bool bounds;   /* edges that may be missing */
} shape;

typedef struct tally {
    uint64_t wrong, right; /* so judged */
    uint64_t open;         /* wrong for some values, or right, and not told */
} tally;

static uint64_t draw(const shape *s, uint64_t *index, uint64_t below)
{
    return maker_random(s->seed, (*index)++) % below;
}

/* Columns [begin, begin + count) of every row of 8 bytes. */
static uint32_t columns(maker *m, int64_t rows, int64_t begin, int64_t count)
{
    uint32_t r = m->document.region_count++;
    uint32_t d = m->document.dim_count;
    m->document.dim_count += 2;
    m->dims[d] = (oracle_dim){.count = {rows, 0, 0}, .stride = 8};
    m->dims[d + 1] = (oracle_dim){.count = {count, 0, 0}, .stride = 1};
    m->regions[r] = (oracle_region){1, {begin, 0, 0}, d, 2};
    return r;
}

/* Bytes within 6, for all values of the symbols, 0 and 1 or 0 to 2. */
static uint32_t symbolic(maker *m, const shape *s, uint64_t *index)
{
    int64_t stride = 1 + (int64_t)draw(s, index, 2);
    int64_t count = 1 + (int64_t)draw(s, index, 2);
    int64_t last = 5 - (count - 1) * stride;
    uint32_t r = maker_region(m, 0, count, stride);
    oracle_region *region = &m->regions[r];
    oracle_dim *dim = &m->dims[region->first];
    uint32_t symbol = (uint32_t)draw(s, index, 2);
    int64_t most = symbol == 0 ? 1 : 2;
    int64_t way = (int64_t)draw(s, index, 4);
    if (way == 1) {
        int64_t coef = 1 + (int64_t)draw(s, index, (uint64_t)(last / most));
        maker_term(m, &region->base, coef, symbol);
        last -= coef * most;
    } else if (way == 2 && last >= most * stride) {
        maker_term(m, &dim->offset, 1, symbol);
        last -= most * stride;
    } else if (way == 3 && last >= most * stride) {
        maker_term(m, &dim->count, 1, symbol);
        last -= most * stride;
    }
    if (s->wide && draw(s, index, 2) == 0) {
        /* Many values that all are the same place. */
        oracle_dim *other = &m->dims[m->document.dim_count++];
        *other = (oracle_dim){.count = {1, 0, 0}};
        maker_term(m, &other->offset, 1, 2);
        region->count = 2;
    }
    region->base.c = (int64_t)draw(s, index, (uint64_t)last + 1);
    return r;
}

static void add_access(maker *m, const shape *s, uint64_t *index,
                       uint32_t buffer, int64_t rows)
{
    oracle_mode mode = (oracle_mode)draw(s, index, 4);
    oracle_access *access = maker_access(m, buffer, mode, WHOLE, WHOLE);
    if (draw(s, index, 3) != 0) {
        int64_t begin = (int64_t)draw(s, index, 6);
        int64_t count = 1 + (int64_t)draw(s, index, (uint64_t)(7 - begin));
        access->region =
            s->rows ? columns(m, rows, begin, count) : symbolic(m, s, index);
    } else if (s->rows) {
        access->region = columns(m, rows, 0, 7);
    }
    access->must = !s->predicates || draw(s, index, 6) != 0;
}

static void add_edges(maker *m, const shape *s, uint64_t *index, uint32_t n)
{
    uint64_t rarely = 1 + draw(s, index, 4);
    uint32_t order[MAKER_TASKS];
    for (uint32_t t = 0; t < n; t++) {
        order[t] = t;
    }
    for (uint32_t t = n; s->reversed && t-- > 1;) {
        uint32_t other = (uint32_t)draw(s, index, t + 1), kept = order[t];
        order[t] = order[other];
        order[other] = kept;
    }
    for (uint32_t to = 1; to < n; to++) {
        for (uint32_t from = 0; from < to; from++) {
            if (draw(s, index, 5) >= rarely) {
                maker_edge(m, order[from], order[to])->certain =
                    !s->bounds || draw(s, index, 5) != 0;
            }
        }
    }
}

static void make(maker *m, const shape *s, uint64_t number, int64_t rows)
{
    uint64_t index = number << 12;
    uint32_t n = 2 + (uint32_t)draw(s, &index, s->tasks - 1);
    int64_t bytes = s->rows ? 8 * rows : 6;
    maker_start(m);
    maker_symbol(m, "i", 0, 1);
    maker_symbol(m, "j", 0, 2);
    maker_symbol(m, "k", 0, 99);
    maker_buffer(m, "param:a", bytes, true);
    maker_buffer(m, "alloc:b", bytes, s->external || draw(s, &index, 4) == 0);
    m->buffers[1].init = draw(s, &index, 2) == 0;
    for (uint32_t t = 0; t < n; t++) {
        uint32_t task = maker_task(m);
        for (uint32_t b = 0; b < 2; b++) {
            if (draw(s, &index, 4) != 0) {
                add_access(m, s, &index, b, rows);
            }
        }
        if (s->predicates && draw(s, &index, 4) == 0) {
            maker_predicate(m, task, (uint32_t)draw(s, &index, 2),
                            (int64_t)draw(s, &index, 6));
        }
    }
    add_edges(m, s, &index, n);
}

static bool has_doubt(const oracle_judgement *judgement)
{
    bool doubt = judgement->undecided_count > 0;
    for (uint32_t i = 0; i < judgement->count; i++) {
        doubt = doubt || judgement->findings[i].severity == ORACLE_WARNING;
    }
    return doubt;
}

/* Wrong for some values. An edge of a pair that meets is there. */
static bool wrong_somehow(const maker *m, bool without)
{
    bool wrong = false;
    for (int64_t v = 0; v < 6 && !wrong; v++) {
        int64_t values[SYMBOLS] = {v % 2, v / 2, 0};
        twin_options options = {.without_uncertain = without, .values = values};
        wrong = twin_wrong(&m->document, &options);
    }
    return wrong;
}

static void compare(const shape *s, uint64_t number, tally *count)
{
    maker m, twin;
    oracle_judgement judgement;
    make(&m, s, number, s->rows ? ROWS : 1);
    make(&twin, s, number, 1);
    assert_int_equal(oracle_judge_document(&judgement, &m.document, NULL),
                     ORACLE_OK);
    bool errors = twin_errors(&judgement) > 0;
    bool doubt = has_doubt(&judgement);
    bool wrong = wrong_somehow(&twin, false);
    if ((errors && !(wrong && wrong_somehow(&twin, true))) ||
        (!errors && !doubt && wrong) || !forward_witnesses(&m, &judgement)) {
        fprintf(stderr, "twin: %s\n", wrong ? "wrong" : "right");
        forward_show(&m, &judgement);
        fail_msg("graph %d", (int)number);
    }
    count->wrong += errors;
    count->right += !errors && !doubt;
    count->open += !errors && doubt;
    oracle_judgement_free(&judgement);
}

static tally sample(const shape *s, uint64_t graphs)
{
    tally count = {0};
    for (uint64_t number = 0; number < graphs; number++) {
        compare(s, number, &count);
    }
    return count;
}

static void symbols(void **state)
{
    (void)state;
    tally count = sample(&(shape){.seed = 31, .tasks = 4}, 20000);
    assert_true(count.wrong > 10000 && count.right > 5000);
    assert_int_equal(count.wrong + count.right + count.open, 20000);
    assert_true(count.open < 300); /* not surely written */
}

static void symbols_external(void **state)
{
    (void)state;
    tally count =
        sample(&(shape){.seed = 32, .tasks = 5, .external = true}, 10000);
    assert_true(count.wrong > 5000 && count.right > 3000);
    assert_int_equal(count.open, 0);
}

static void symbols_reversed(void **state)
{
    (void)state;
    tally count = sample(
        &(shape){.seed = 33, .tasks = 4, .predicates = true, .reversed = true},
        10000);
    assert_true(count.wrong > 5000 && count.right > 1000);
}

static void symbols_bounds(void **state)
{
    (void)state;
    tally count =
        sample(&(shape){.seed = 34, .tasks = 4, .bounds = true}, 10000);
    assert_true(count.wrong > 5000 && count.right > 3000);
}

static void symbols_wide(void **state)
{
    (void)state;
    tally count = sample(&(shape){.seed = 36, .tasks = 5, .wide = true}, 20000);
    assert_true(count.wrong > 10000 && count.right > 5000);
    assert_true(count.open < 400);
}

static void many_rows(void **state)
{
    (void)state;
    tally count = sample(&(shape){.seed = 35, .tasks = 5, .rows = true}, 20000);
    assert_true(count.wrong > 3000 && count.right > 5000);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(symbols),          cmocka_unit_test(symbols_external),
    cmocka_unit_test(symbols_reversed), cmocka_unit_test(symbols_bounds),
    cmocka_unit_test(symbols_wide),     cmocka_unit_test(many_rows),
};

TEST_MAIN(tests)
