/* Regions against the bytes that they name, one by one. */
#include "../../scripts/testing/harness.h"
#include "../region.h"

#include <string.h>

#define SPACE 16384 /* bytes of the test's storage */
#define MIDDLE 8192
#define MAX_DIMS 3
#define SYMBOLS 4 /* free, not free, block, free with steps */

typedef struct bytes {
    uint8_t in[SPACE];
    int64_t low, high; /* in[] is 0 outside [low, high) */
} bytes;

typedef struct world {
    oracle_document document;
    oracle_symbol symbols[SYMBOLS];
    oracle_buffer buffers[2];
    oracle_region regions[2];
    oracle_dim dims[2 * MAX_DIMS];
    oracle_term terms[64];
    uint64_t random;
} world;

static uint64_t next(world *w)
{
    w->random += 0x9e3779b97f4a7c15u;
    uint64_t z = w->random;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int64_t pick(world *w, int64_t low, int64_t high)
{
    return low + (int64_t)(next(w) % (uint64_t)(high - low + 1));
}

static void make_world(world *w, uint64_t seed)
{
    memset(w, 0, sizeof *w);
    w->random = seed;
    w->document.symbols = w->symbols;
    w->document.buffers = w->buffers;
    w->document.buffer_count = 2;
    w->document.regions = w->regions;
    w->document.dims = w->dims;
    w->document.terms = w->terms;
    w->document.symbol_count = SYMBOLS;
    w->buffers[1].storage = 1;
}

static oracle_affine random_affine(world *w, int64_t low, int64_t high,
                                   bool symbolic)
{
    oracle_affine a = {.c = pick(w, low, high),
                       .first = w->document.term_count};
    for (uint32_t s = 0; symbolic && s < SYMBOLS; s++) {
        if (pick(w, 0, 3) == 0) {
            int64_t coef = pick(w, 0, 1) == 0 ? pick(w, 1, 3) : pick(w, -2, 8);
            if (coef != 0) {
                w->terms[w->document.term_count++] = (oracle_term){coef, s};
                a.count++;
            }
        }
    }
    return a;
}

static void random_region(world *w, uint32_t index, bool symbolic)
{
    static const int64_t strides[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, -4, 0};
    oracle_region *r = &w->regions[index];
    *r = (oracle_region){.elem = pick(w, 1, 4),
                         .base = random_affine(w, 0, 40, symbolic),
                         .first = index * MAX_DIMS,
                         .count = (uint32_t)pick(w, 0, MAX_DIMS)};
    for (uint32_t i = 0; i < r->count; i++) {
        bool counted = symbolic && pick(w, 0, 5) == 0;
        w->dims[r->first + i] = (oracle_dim){random_affine(w, 0, 6, counted),
                                             strides[pick(w, 0, 11)],
                                             random_affine(w, -1, 4, symbolic)};
    }
}

static void random_symbols(world *w)
{
    for (uint32_t s = 0; s < SYMBOLS; s++) {
        w->symbols[s] = (oracle_symbol){.has_min = true,
                                        .has_max = true,
                                        .min = pick(w, -1, 1),
                                        .step = 1,
                                        .free = s != 1,
                                        .block = s == 2};
        w->symbols[s].max = w->symbols[s].min + pick(w, 0, 3);
    }
    w->symbols[2].min = 0;
    w->symbols[2].max = pick(w, 0, 2);
    w->symbols[3].step = pick(w, 1, 2);
}

static int64_t value_of(const world *w, const oracle_affine *a,
                        const int64_t *point)
{
    int64_t v = a->c;
    for (uint32_t i = 0; i < a->count; i++) {
        const oracle_term *term = &w->terms[a->first + i];
        v += term->coef * point[term->symbol];
    }
    return v;
}

static void clear(bytes *b)
{
    if (b->high > b->low) {
        memset(b->in + b->low, 0, (size_t)(b->high - b->low));
    }
    b->low = SPACE;
    b->high = 0;
}

static void add_bytes(const world *w, uint32_t index, const int64_t *point,
                      bytes *b)
{
    const oracle_region *r = &w->regions[index];
    int64_t x[MAX_DIMS] = {0};
    int64_t count[MAX_DIMS];
    for (uint32_t i = 0; i < r->count; i++) {
        count[i] = value_of(w, &w->dims[r->first + i].count, point);
        if (count[i] <= 0) {
            return;
        }
    }
    for (;;) {
        int64_t at = MIDDLE + value_of(w, &r->base, point);
        for (uint32_t i = 0; i < r->count; i++) {
            const oracle_dim *dim = &w->dims[r->first + i];
            at += (value_of(w, &dim->offset, point) + x[i]) * dim->stride;
        }
        assert_true(at >= 0 && at + r->elem <= SPACE);
        memset(b->in + at, 1, (size_t)r->elem);
        b->low = at < b->low ? at : b->low;
        b->high = at + r->elem > b->high ? at + r->elem : b->high;
        uint32_t d = 0;
        while (d < r->count && ++x[d] == count[d]) {
            x[d++] = 0;
        }
        if (d == r->count) {
            return;
        }
    }
}

static bool common_bytes(const bytes *a, const bytes *b, oracle_span *span)
{
    *span = (oracle_span){0};
    for (int64_t i = a->low; i < a->high; i++) {
        if (a->in[i] != 0 && b->in[i] != 0) {
            if (!span->bounded) {
                span->begin = i - MIDDLE;
            }
            span->bounded = true;
            span->end = i + 1 - MIDDLE;
        }
    }
    return span->bounded;
}

static bool all_within(const bytes *inner, const bytes *outer)
{
    for (int64_t i = inner->low; i < inner->high; i++) {
        if (inner->in[i] != 0 && outer->in[i] == 0) {
            return false;
        }
    }
    return true;
}

static void check_span(const world *w, uint32_t index, const bytes *b)
{
    oracle_span span =
        oracle_place_span(&w->document, (oracle_place){0, index});
    if (b->low < b->high) {
        assert_true(span.bounded);
        assert_true(span.begin <= b->low - MIDDLE);
        assert_true(span.end >= b->high - MIDDLE);
    }
}

static const oracle_place A = {0, 0};
static const oracle_place B = {0, 1};

static void test_constant_regions_are_exact(void **state)
{
    (void)state;
    static world w;
    static bytes a;
    static bytes b;
    make_world(&w, 1);
    clear(&a);
    clear(&b);
    for (int i = 0; i < 300000; i++) {
        w.document.term_count = 0;
        random_region(&w, 0, false);
        random_region(&w, 1, false);
        clear(&a);
        clear(&b);
        add_bytes(&w, 0, NULL, &a);
        add_bytes(&w, 1, NULL, &b);
        oracle_span want;
        oracle_span got;
        bool meet = common_bytes(&a, &b, &want);
        assert_int_equal(oracle_places_meet(&w.document, A, B),
                         meet ? ORACLE_MEET_SURELY : ORACLE_MEET_NEVER);
        assert_int_equal(oracle_places_common(&w.document, A, B, &got), meet);
        assert_int_equal(got.begin, want.begin);
        assert_int_equal(got.end, want.end);
        assert_int_equal(oracle_place_covers(&w.document, A, B),
                         all_within(&b, &a));
        check_span(&w, 0, &a);
    }
}

/* Counts over all values: per choice of the free ones, whether they meet for
 * all others, and so on. */
typedef struct truth {
    bool ever, always, surely, covers;
} truth;

static bool meets_at(const world *w, int64_t *point, bytes *a, bytes *b,
                     bool *covers)
{
    oracle_span span;
    int64_t blocks = w->symbols[2].max;
    clear(a);
    clear(b);
    for (int64_t k = 0; k <= blocks; k++) {
        point[2] = k;
        add_bytes(w, 0, point, a);
        add_bytes(w, 1, point, b);
    }
    *covers = all_within(b, a);
    return common_bytes(a, b, &span);
}

static truth find_truth(const world *w, bytes *a, bytes *b, bytes *reach)
{
    truth t = {.always = true, .covers = true};
    int64_t point[SYMBOLS];
    const oracle_symbol *s = w->symbols;
    for (point[0] = s[0].min; point[0] <= s[0].max; point[0]++) {
        for (point[3] = s[3].min; point[3] <= s[3].max; point[3] += s[3].step) {
            bool surely = true;
            for (point[1] = s[1].min; point[1] <= s[1].max; point[1]++) {
                bool covers;
                bool meet = meets_at(w, point, a, b, &covers);
                surely &= meet;
                t.ever |= meet;
                t.covers &= covers;
                reach->low = a->low < reach->low ? a->low : reach->low;
                reach->high = a->high > reach->high ? a->high : reach->high;
            }
            t.surely |= surely;
            t.always &= surely;
        }
    }
    return t;
}

static void check_symbolic(const world *w, const truth *t, uint64_t *decided)
{
    oracle_relation relation = oracle_places_relate(&w->document, A, B);
    switch (relation) {
    case ORACLE_RELATION_NEVER:
        assert_false(t->ever);
        break;
    case ORACLE_RELATION_SURELY:
        assert_true(t->surely);
        break;
    case ORACLE_RELATION_ALWAYS:
        assert_true(t->always);
        break;
    case ORACLE_RELATION_PERHAPS:
        break;
    }
    *decided += relation != ORACLE_RELATION_PERHAPS;
    if (oracle_place_covers(&w->document, A, B)) {
        assert_true(t->covers);
    }
}

static void test_symbolic_regions_are_never_wrong(void **state)
{
    (void)state;
    static world w;
    static bytes a;
    static bytes b;
    static bytes reach;
    uint64_t decided = 0;
    make_world(&w, 2);
    clear(&a);
    clear(&b);
    for (int i = 0; i < 60000; i++) {
        w.document.term_count = 0;
        random_symbols(&w);
        random_region(&w, 0, true);
        random_region(&w, 1, true);
        reach.low = SPACE;
        reach.high = 0;
        truth t = find_truth(&w, &a, &b, &reach);
        check_symbolic(&w, &t, &decided);
        check_span(&w, 0, &reach);
    }
    print_message("decided %u of 60000\n", (unsigned)decided);
    assert_true(decided > 30000);
}

/* A run that is followed by a dimension of single bytes is one with it. */
static void test_counts_of_single_bytes_add_up(void **state)
{
    (void)state;
    static world w;
    make_world(&w, 3);
    random_symbols(&w);
    w.symbols[0].min = -1;
    w.symbols[0].max = 1;
    w.terms[0] = (oracle_term){6, 0};
    w.regions[0] = (oracle_region){.elem = 1, .base = {.c = 20}};
    w.regions[1] = (oracle_region){.elem = 2, .first = 0, .count = 3};
    w.dims[0] = (oracle_dim){{.c = 3}, 24, {0}};
    w.dims[1] = (oracle_dim){{.c = 6}, 1, {.c = 4}};
    w.dims[2] = (oracle_dim){{.c = 2, .count = 1}, 1, {.c = 3}};
    assert_int_equal(oracle_places_relate(&w.document, A, B),
                     ORACLE_RELATION_SURELY);
}

/* A run of whole steps of the other's stride is rows of it. */
static void test_runs_of_whole_rows(void **state)
{
    (void)state;
    static world w;
    make_world(&w, 4);
    random_symbols(&w);
    w.symbols[1].min = 4;
    w.symbols[1].max = 6;
    w.terms[0] = (oracle_term){48, 1};
    w.regions[0] = (oracle_region){.elem = 1, .first = 0, .count = 1};
    w.dims[0] = (oracle_dim){{.count = 1}, 1, {0}};
    w.regions[1] =
        (oracle_region){.elem = 1, .base = {.c = 107}, .first = 1, .count = 2};
    w.dims[1] = (oracle_dim){{.c = 9}, 48, {0}};
    w.dims[2] = (oracle_dim){{.c = 16}, 1, {0}};
    assert_int_equal(oracle_places_relate(&w.document, A, B),
                     ORACLE_RELATION_ALWAYS);
    assert_int_equal(oracle_places_relate(&w.document, B, A),
                     ORACLE_RELATION_ALWAYS);
    w.regions[1].base.c += 48 * 3;
    assert_int_not_equal(oracle_places_relate(&w.document, A, B),
                         ORACLE_RELATION_NEVER);
    assert_int_not_equal(oracle_places_relate(&w.document, A, B),
                         ORACLE_RELATION_ALWAYS);
}

/*
 * Rows that are apart in their columns, wherever these begin, are apart; not
 * those of other strides, be it the first one.
 */
static void test_apart_in_columns_of_one_stride(void **state)
{
    (void)state;
    static world w;
    make_world(&w, 5);
    random_symbols(&w);
    w.symbols[1].min = 0;
    w.symbols[1].max = 20;
    w.terms[0] = w.terms[1] = (oracle_term){6, 1};
    for (uint32_t i = 0; i < 2; i++) {
        w.regions[i] = (oracle_region){.elem = 1, .first = 2 * i, .count = 2};
        w.dims[2 * i] = (oracle_dim){{.c = 4}, 48, {0}};
        w.dims[2 * i + 1] =
            (oracle_dim){{.c = 6}, 1, {.c = 6 * i, .first = i, .count = 1}};
    }
    assert_int_equal(oracle_places_relate(&w.document, A, B),
                     ORACLE_RELATION_NEVER);
    w.dims[2].stride = 42;
    assert_int_equal(oracle_places_relate(&w.document, A, B),
                     ORACLE_RELATION_ALWAYS);
    w.dims[0].stride = w.dims[2].stride = 0;
    w.dims[3].offset.c = 5;
    assert_int_equal(oracle_places_relate(&w.document, A, B),
                     ORACLE_RELATION_ALWAYS);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_apart_in_columns_of_one_stride),
    cmocka_unit_test(test_runs_of_whole_rows),
    cmocka_unit_test(test_counts_of_single_bytes_add_up),
    cmocka_unit_test(test_constant_regions_are_exact),
    cmocka_unit_test(test_symbolic_regions_are_never_wrong),
};

TEST_MAIN(tests)
