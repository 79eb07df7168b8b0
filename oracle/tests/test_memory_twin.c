/* Memory plans of small graphs against the twin, which runs every order. */
#include "../../scripts/testing/harness.h"

#include "forward.h"
#include "twin.h"

#include <string.h>

typedef struct shape {
    uint64_t seed;
    bool regions, accumulate, predicates, reversed, aliases;
} shape;

static uint64_t draw(const shape *s, uint64_t *index, uint64_t below)
{
    return maker_random(s->seed, (*index)++) % below;
}

/* Mostly the first one writes all of it: then it has a value. */
static bool first_access(maker *m, const shape *s, uint64_t *index,
                         uint32_t buffer)
{
    const oracle_document *d = &m->document;
    for (uint32_t a = 0; a < d->arg_count; a++) {
        if (d->buffers[d->args[a].buffer].storage ==
            d->buffers[buffer].storage) {
            return false;
        }
    }
    if (d->buffers[buffer].alias_of != ORACLE_NONE || draw(s, index, 8) == 0) {
        return false;
    }
    maker_access(m, buffer, ORACLE_WRITE, WHOLE, WHOLE);
    return true;
}

static void random_access(maker *m, const shape *s, uint64_t *index,
                          uint32_t buffer)
{
    oracle_mode mode = (oracle_mode)draw(s, index, s->accumulate ? 4 : 3);
    oracle_access *access = maker_access(m, buffer, mode, WHOLE, WHOLE);
    if (s->regions && draw(s, index, 3) == 0) {
        int64_t stride = 1 + (int64_t)draw(s, index, 2);
        int64_t begin = (int64_t)draw(s, index, 3);
        access->region =
            maker_region(m, begin, 1 + (3 - begin) / stride, stride);
    }
    access->must = !s->predicates || draw(s, index, 6) != 0;
}

static void random_edges(maker *m, const shape *s, uint64_t *index, uint32_t n)
{
    uint64_t often = draw(s, index, 2) == 0 ? 6 : 3 + draw(s, index, 3);
    bool back = s->reversed && draw(s, index, 2) == 0;
    for (uint32_t to = 1; to < n; to++) {
        for (uint32_t from = 0; from < to; from++) {
            if (draw(s, index, 6) < often) {
                maker_edge(m, back ? to : from, back ? from : to);
            }
        }
    }
}

static void random_plan(maker *m, const shape *s, uint64_t number)
{
    uint64_t index = number << 12;
    uint32_t n = 2 + (uint32_t)draw(s, &index, 4);
    maker_start(m);
    maker_buffer(m, "alloc:a", 5, false);
    maker_buffer(m, "alloc:b", 4, false);
    maker_buffer(m, "param:c", 4, draw(s, &index, 3) == 0);
    m->buffers[2].init = draw(s, &index, 3) == 0;
    for (uint32_t b = 0; b < 3; b++) {
        maker_place(m, b, (int64_t)draw(s, &index, 14));
    }
    if (s->aliases) {
        uint32_t view = maker_buffer(m, "alloc:v", 4, false);
        m->buffers[view].alias_of = 0;
        m->buffers[view].alias_bytes = 1;
        m->buffers[view].storage = 0;
        m->buffers[view].storage_at = 1;
    }
    for (uint32_t t = 0; t < n; t++) {
        uint32_t task = maker_task(m);
        for (uint32_t b = 0; b < m->document.buffer_count; b++) {
            if (draw(s, &index, 2) == 0 && !first_access(m, s, &index, b)) {
                random_access(m, s, &index, b);
            }
        }
        if (s->predicates && draw(s, &index, 5) == 0) {
            maker_predicate(m, task, 2, (int64_t)draw(s, &index, 4));
        }
    }
    random_edges(m, s, &index, n);
}

static bool has_rule(const oracle_judgement *judgement, const char *rule)
{
    for (uint32_t i = 0; i < judgement->count; i++) {
        if (strcmp(judgement->findings[i].rule, rule) == 0) {
            return true;
        }
    }
    return false;
}

static void sample(const shape *s, uint64_t count)
{
    static const char *const rules[] = {
        "memory.overlap", "memory.parallel-reuse", "memory.external",
        "memory.interleaved"};
    uint64_t wrong = 0, seen[4] = {0};
    for (uint64_t number = 0; number < count; number++) {
        maker m;
        uint32_t errors;
        oracle_judgement judgement;
        random_plan(&m, s, number);
        if (!forward_agree(&m, &errors)) {
            fail_msg("plan %d", (int)number);
        }
        wrong += errors > 0;
        assert_int_equal(oracle_judge_document(&judgement, &m.document, NULL),
                         ORACLE_OK);
        for (uint32_t r = 0; r < 4; r++) {
            seen[r] += has_rule(&judgement, rules[r]);
        }
        oracle_judgement_free(&judgement);
    }
    print_message("%d of %d wrong, overlap %d, parallel %d, external %d, "
                  "interleaved %d\n",
                  (int)wrong, (int)count, (int)seen[0], (int)seen[1],
                  (int)seen[2], (int)seen[3]);
    assert_true(wrong > count / 20);
    assert_true(wrong < count);
    for (uint32_t r = 0; r < 4; r++) {
        assert_true(seen[r] > 0);
    }
}

static void whole(void **state)
{
    (void)state;
    sample(&(shape){.seed = 31}, 6000);
}

static void regions(void **state)
{
    (void)state;
    sample(&(shape){.seed = 32, .regions = true, .aliases = true}, 6000);
}

static void accumulations(void **state)
{
    (void)state;
    sample(&(shape){.seed = 33, .regions = true, .accumulate = true}, 6000);
}

static void predicates(void **state)
{
    (void)state;
    sample(&(shape){.seed = 34, .accumulate = true, .predicates = true}, 4000);
}

static void reversed(void **state)
{
    (void)state;
    sample(&(shape){.seed = 35, .reversed = true}, 6000);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(whole),         cmocka_unit_test(regions),
    cmocka_unit_test(accumulations), cmocka_unit_test(predicates),
    cmocka_unit_test(reversed),
};

TEST_MAIN(tests)
