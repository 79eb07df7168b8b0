/* greedy_v0: byte for byte what the plain method of spec 03 gives. */
#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sonata/memory.h"

#include "../memory/gaps.h"

#define MOST 400

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Lifetimes "k000", "k001", ... and their sizes, side by side. */
typedef struct buffers {
    char names[MOST][32];
    sonata_lifetime lives[MOST];
    sonata_buffer_size sizes[MOST];
    size_t count;
} buffers;

static void add_buffer(buffers *b, int64_t birth, int64_t death, int64_t bytes)
{
    size_t at = b->count++;
    snprintf(b->names[at], sizeof b->names[at], "k%03zu", at);
    sonata_value key = {SONATA_STRING, {b->names[at], 4}};
    b->lives[at] = (sonata_lifetime){key, birth, death};
    b->sizes[at] = (sonata_buffer_size){key, bytes};
}

static sonata_status plan_of(sonata_memory_plan *plan, buffers *b,
                             sonata_overlap_rule rule, sonata_error *error)
{
    sonata_liveness liveness = {.items = b->lives, .count = b->count};
    return sonata_plan_greedy_v0(plan, &liveness, b->sizes, b->count, rule,
                                 error);
}

/* The plain method, quadratic: what spec 03 says, word by word. */
typedef struct plain {
    int64_t offset[MOST];
    size_t placed[MOST]; /* in the order of their offsets */
    size_t placed_count;
} plain;

static void place_plainly(plain *p, const buffers *b, size_t at,
                          sonata_overlap_rule rule)
{
    int64_t size = b->sizes[at].bytes;
    int64_t start = 0;
    for (size_t i = 0; i < p->placed_count; i++) {
        size_t other = p->placed[i];
        if (!sonata_lifetimes_overlap(&b->lives[at], &b->lives[other], rule))
            continue;
        if (p->offset[other] >= start + size)
            break;
        int64_t end = p->offset[other] + b->sizes[other].bytes;
        start = end > start ? end : start;
    }
    p->offset[at] = start;
    size_t to = p->placed_count++;
    for (; to > 0 && p->offset[p->placed[to - 1]] > start; to--)
        p->placed[to] = p->placed[to - 1];
    p->placed[to] = at;
}

static void plan_plainly(plain *p, const buffers *b, sonata_overlap_rule rule)
{
    bool done[MOST] = {false};
    *p = (plain){.placed_count = 0};
    for (size_t i = 0; i < b->count; i++) {
        size_t best = MOST;
        for (size_t k = 0; k < b->count; k++)
            if (!done[k] &&
                (best == MOST || b->sizes[k].bytes > b->sizes[best].bytes))
                best = k;
        done[best] = true;
        if (b->sizes[best].bytes > 0)
            place_plainly(p, b, best, rule);
    }
}

static void expect_plain(buffers *b, sonata_overlap_rule rule)
{
    static plain p;
    sonata_memory_plan plan;
    plan_plainly(&p, b, rule);
    assert_int_equal(plan_of(&plan, b, rule, NULL), SONATA_OK);
    assert_int_equal(plan.count, b->count);
    int64_t peak = 0;
    for (size_t i = 0; i < b->count; i++) {
        assert_string_equal(plan.items[i].key.text.text, b->names[i]);
        assert_int_equal(plan.items[i].size, b->sizes[i].bytes);
        assert_int_equal(plan.items[i].offset, p.offset[i]);
        int64_t end = p.offset[i] + b->sizes[i].bytes;
        peak = end > peak ? end : peak;
    }
    assert_int_equal(plan.peak, peak);
    sonata_memory_plan_free(&plan);
}

/* Random lives of a shape: short, any length, inverted too, all or nothing. */
static void random_life(int64_t *birth, int64_t *death, uint32_t shape,
                        uint32_t span, uint32_t *seed)
{
    *birth = next_random(seed) % span;
    *death = *birth + next_random(seed) % 6;
    if (shape % 4 > 0)
        *death = next_random(seed) % span;
    if (shape % 4 == 1 && *death < *birth) {
        int64_t swapped = *birth;
        *birth = *death;
        *death = swapped;
    }
    if (shape % 4 == 3 && next_random(seed) % 2 == 0) {
        *birth = 0;
        *death = span;
    }
}

static int64_t random_size(uint32_t shape, uint32_t *seed)
{
    static const uint32_t most[] = {4, 40, 1000, 100000};
    uint32_t value = next_random(seed);
    if (shape % 5 == 4)
        return (int64_t)1 << (value % 40);
    return value % most[shape % 5];
}

static void random_cases(uint32_t seed, int rounds, size_t most)
{
    static buffers b;
    for (int round = 0; round < rounds; round++) {
        uint32_t shape = next_random(&seed);
        uint32_t span = 1 + next_random(&seed) % (2 * (uint32_t)most);
        size_t count = next_random(&seed) % most;
        b.count = 0;
        for (size_t i = 0; i < count; i++) {
            int64_t birth = 0;
            int64_t death = 0;
            random_life(&birth, &death, shape, span, &seed);
            int64_t shift = shape % 3 == 0 ? INT64_MIN : -5;
            add_buffer(&b, birth + shift, death + shift,
                       random_size(shape / 4, &seed));
        }
        expect_plain(&b, SONATA_OVERLAP_INCLUSIVE);
        expect_plain(&b, SONATA_OVERLAP_STRICT);
    }
}

static void agrees_with_the_plain_method_when_small(void **state)
{
    (void)state;
    random_cases(1, 20000, 12);
}

/* Large enough for both ways of searching. */
static void agrees_with_the_plain_method_when_large(void **state)
{
    (void)state;
    random_cases(2, 400, MOST);
}

static void expect_offsets(buffers *b, sonata_overlap_rule rule,
                           const int64_t *offsets, int64_t peak)
{
    sonata_memory_plan plan;
    assert_int_equal(plan_of(&plan, b, rule, NULL), SONATA_OK);
    for (size_t i = 0; i < b->count; i++)
        assert_int_equal(plan.items[i].offset, offsets[i]);
    assert_int_equal(plan.peak, peak);
    sonata_memory_plan_free(&plan);
}

static void touching_lives_share_only_by_the_strict_rule(void **state)
{
    (void)state;
    static buffers b;
    b.count = 0;
    add_buffer(&b, 0, 1, 100);
    add_buffer(&b, 1, 2, 100);
    add_buffer(&b, 2, 3, 0);
    const int64_t apart[] = {0, 100, 0};
    const int64_t shared[] = {0, 0, 0};
    expect_offsets(&b, SONATA_OVERLAP_INCLUSIVE, apart, 200);
    expect_offsets(&b, SONATA_OVERLAP_STRICT, shared, 100);
}

static void a_smaller_buffer_fills_a_gap(void **state)
{
    (void)state;
    static buffers b;
    b.count = 0;
    add_buffer(&b, 0, 4, 100); /* 0 */
    add_buffer(&b, 0, 1, 60);  /* 100 to 160 */
    add_buffer(&b, 0, 4, 50);  /* 160 */
    add_buffer(&b, 3, 4, 60);  /* 100: the life of the second is over */
    add_buffer(&b, 2, 2, 40);  /* 100 */
    const int64_t offsets[] = {0, 100, 160, 100, 100};
    expect_offsets(&b, SONATA_OVERLAP_INCLUSIVE, offsets, 210);
    b.count = 0;
    const int64_t none[] = {0};
    expect_offsets(&b, SONATA_OVERLAP_INCLUSIVE, none, 0);
}

static void expect_refused(buffers *b, sonata_status status, const char *code)
{
    sonata_memory_plan plan;
    sonata_error error = {0};
    assert_int_equal(plan_of(&plan, b, SONATA_OVERLAP_INCLUSIVE, &error),
                     status);
    assert_string_equal(error.code, code);
    assert_null(plan.items);
    assert_null(plan.memory);
    assert_int_equal(plan.count, 0);
}

static void sizes_that_are_refused(void **state)
{
    (void)state;
    static buffers b;
    b.count = 0;
    add_buffer(&b, 0, 1, 10);
    add_buffer(&b, 0, 1, -1);
    expect_refused(&b, SONATA_REJECTED, "memory.negative-size");
    b.sizes[1].bytes = INT64_MAX - 10;
    const int64_t fits[] = {INT64_MAX - 10, 0};
    expect_offsets(&b, SONATA_OVERLAP_INCLUSIVE, fits, INT64_MAX);
    b.sizes[1].bytes = INT64_MAX - 9;
    expect_refused(&b, SONATA_RANGE, "memory.range");
    b.sizes[1].key = (sonata_value){SONATA_NESTED, SONATA_TEXT("[]")};
    expect_refused(&b, SONATA_REJECTED, "memory.key");
}

/* The last size of a key counts, a key without one has 0, others nobody. */
static void sizes_go_by_key(void **state)
{
    (void)state;
    sonata_lifetime lives[] = {
        {{SONATA_BOOL, SONATA_TEXT("true")}, 0, 1},
        {{SONATA_INT, SONATA_TEXT("2")}, 0, 1},
    };
    sonata_buffer_size sizes[] = {
        {{SONATA_INT, SONATA_TEXT("1")}, 7},
        {{SONATA_FLOAT, SONATA_TEXT("1.0")}, 9},
        {{SONATA_STRING, SONATA_TEXT("2")}, 50},
    };
    sonata_liveness liveness = {.items = lives, .count = 2};
    sonata_memory_plan plan;
    assert_int_equal(sonata_plan_greedy_v0(&plan, &liveness, sizes, 3,
                                           SONATA_OVERLAP_INCLUSIVE, NULL),
                     SONATA_OK);
    assert_int_equal(plan.items[0].size, 9);
    assert_int_equal(plan.items[1].size, 0);
    assert_int_equal(plan.peak, 9);
    sonata_memory_plan_free(&plan);
}

static void the_document(void **state)
{
    (void)state;
    static buffers b;
    b.count = 0;
    add_buffer(&b, 0, 1, 8);
    sonata_memory_plan plan;
    char *json = NULL;
    size_t length = 0;
    assert_int_equal(plan_of(&plan, &b, SONATA_OVERLAP_INCLUSIVE, NULL),
                     SONATA_OK);
    assert_int_equal(
        sonata_memory_plan_json(&json, &length, &plan, false, NULL), SONATA_OK);
    assert_string_equal(
        json, "{\"allocations\":[{\"offset\":0,\"size\":8,\"storage_key\":"
              "\"k000\"}],\"kind\":\"memory_plan\",\"peak_memory\":8,"
              "\"policy\":\"greedy_v0\",\"version\":1}");
    assert_int_equal(length, strlen(json));
    free(json);
    sonata_memory_plan_free(&plan);
    sonata_memory_plan_free(&plan);
}

/* Gap sets against a map of bytes. */
#define BYTES 300

static uint64_t find_plainly(const bool *taken, uint64_t from, uint64_t size)
{
    uint64_t run = 0;
    for (uint64_t at = from;; at++) {
        run = at < BYTES && taken[at] ? 0 : run + 1;
        if (run == size)
            return at + 1 - size;
    }
}

static void expect_runs(const sonata_gap_pool *pool, const sonata_gap_set *set,
                        const bool *taken, uint64_t from)
{
    sonata_gap_walk walk = sonata_gaps_walk(pool, set, from);
    uint64_t start = 0;
    uint64_t end = 0;
    uint64_t at = from;
    while (sonata_gaps_run(&start, &end, &walk)) {
        assert_true(start < end);
        for (; at < end; at++)
            assert_int_equal(at >= start, taken[at]);
    }
    for (; at < BYTES; at++)
        assert_false(taken[at]);
}

static void gap_sets_agree_with_a_map(void **state)
{
    (void)state;
    uint32_t seed = 3;
    for (int round = 0; round < 1500; round++) {
        sonata_gap_pool pool = {.smallest = 1};
        sonata_gap_set set = SONATA_EMPTY_GAP_SET;
        bool taken[BYTES] = {false};
        uint32_t most = 1 + next_random(&seed) % 40;
        for (int i = 0; i < 40; i++) {
            uint64_t start = next_random(&seed) % (BYTES - 40);
            uint64_t end = start + 1 + next_random(&seed) % most;
            assert_true(sonata_gaps_take(&pool, &set, start, end));
            memset(taken + start, true, end - start);
            uint64_t from = next_random(&seed) % BYTES;
            uint64_t size = 1 + next_random(&seed) % 20;
            assert_int_equal(sonata_gaps_find(&pool, &set, from, size),
                             find_plainly(taken, from, size));
            expect_runs(&pool, &set, taken, from);
        }
        sonata_gap_pool_free(&pool);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(agrees_with_the_plain_method_when_small),
    cmocka_unit_test(agrees_with_the_plain_method_when_large),
    cmocka_unit_test(touching_lives_share_only_by_the_strict_rule),
    cmocka_unit_test(a_smaller_buffer_fills_a_gap),
    cmocka_unit_test(sizes_that_are_refused),
    cmocka_unit_test(sizes_go_by_key),
    cmocka_unit_test(the_document),
    cmocka_unit_test(gap_sets_agree_with_a_map),
};

TEST_MAIN(tests)
