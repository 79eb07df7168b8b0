/* The oracle against its brute-force twin. */
#include "../../scripts/testing/harness.h"

#include "forward.h"
#include "twin.h"

#include <string.h>

/* A seeded 1% of all forward graphs; long_twin.c takes all. */
static void sample_forward(bool external)
{
    uint64_t wrong = 0, right = 0;
    for (uint32_t n = 1; n <= 4; n++) {
        uint64_t count = forward_count(n);
        for (uint64_t number = 0; number < count; number++) {
            if (n == 4 && maker_random(4, number) % 100 != 0) {
                continue;
            }
            maker m;
            uint32_t errors;
            forward_make(&m, n, number, external);
            assert_true(forward_agree(&m, &errors));
            wrong += errors > 0;
            right += errors == 0;
        }
    }
    assert_true(wrong > 20000);
    assert_true(right > 1000);
}

static void forward_external(void **state)
{
    (void)state;
    sample_forward(true);
}

static void forward_internal(void **state)
{
    (void)state;
    sample_forward(false);
}

typedef struct shape {
    uint64_t seed;
    uint32_t tasks; /* up to */
    bool regions;   /* partial, strided ones too */
    bool accumulate;
    bool predicates; /* and accesses that need not happen */
    bool reversed;   /* edges against program order */
    bool aliases;
    bool bounds;  /* accesses that are not exact, edges that may be missing */
    bool several; /* some arguments have two accesses */
} shape;

static uint64_t draw(const shape *s, uint64_t *index, uint64_t below)
{
    return maker_random(s->seed, (*index)++) % below;
}

static void random_place(maker *m, const shape *s, uint64_t *index,
                         oracle_access *access)
{
    if (s->regions && draw(s, index, 4) != 0) {
        int64_t stride = 1 + (int64_t)draw(s, index, 2);
        int64_t begin = (int64_t)draw(s, index, 5);
        int64_t most = (5 - begin) / stride + 1;
        int64_t count = 1 + (int64_t)draw(s, index, (uint64_t)most);
        access->region = maker_region(m, begin, count, stride);
    }
    if (s->predicates && draw(s, index, 6) == 0) {
        access->must = false;
    }
    if (s->bounds && draw(s, index, 5) == 0) {
        access->exact = false;
    }
}

static void random_access(maker *m, const shape *s, uint64_t *index,
                          uint32_t buffer)
{
    oracle_mode mode = (oracle_mode)draw(s, index, s->accumulate ? 4 : 3);
    random_place(m, s, index, maker_access(m, buffer, mode, WHOLE, WHOLE));
    if (s->several && draw(s, index, 2) == 0) {
        oracle_access *access = &m->accesses[m->document.access_count];
        *access = access[-1];
        access->region = ORACLE_NONE;
        access->must = access->exact = true;
        m->args[m->document.arg_count - 1].accesses++;
        m->document.access_count++;
        random_place(m, s, index, access);
    }
}

static void random_edges(maker *m, const shape *s, uint64_t *index, uint32_t n)
{
    uint64_t rarely = 1 + draw(s, index, 4);
    uint32_t order[MAKER_TASKS];
    for (uint32_t t = 0; t < n; t++) {
        order[t] = t;
    }
    if (s->reversed) {
        for (uint32_t t = n; t-- > 1;) {
            uint32_t other = (uint32_t)draw(s, index, t + 1), kept = order[t];
            order[t] = order[other];
            order[other] = kept;
        }
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

static void random_graph(maker *m, const shape *s, uint64_t number)
{
    uint64_t index = number << 12;
    uint32_t n = 2 + (uint32_t)draw(s, &index, s->tasks - 1);
    maker_start(m);
    maker_buffer(m, "param:a", 6, true);
    maker_buffer(m, "alloc:b", 9, draw(s, &index, 2) == 0);
    if (s->aliases) {
        uint32_t view = maker_buffer(m, "alloc:v", 6, false);
        m->buffers[view].alias_of = 1;
        m->buffers[view].alias_bytes = 3;
        m->buffers[view].storage = 1;
        m->buffers[view].storage_at = 3;
    }
    for (uint32_t t = 0; t < n; t++) {
        uint32_t task = maker_task(m);
        for (uint32_t b = 0; b < m->document.buffer_count; b++) {
            if (draw(s, &index, 3) != 0) {
                random_access(m, s, &index, b);
            }
        }
        if (s->predicates && draw(s, &index, 4) == 0) {
            maker_predicate(m, task, (uint32_t)draw(s, &index, 2),
                            (int64_t)draw(s, &index, 6));
        }
    }
    random_edges(m, s, &index, n);
}

static void sample_random(const shape *s, uint64_t count)
{
    uint64_t wrong = 0;
    for (uint64_t number = 0; number < count; number++) {
        maker m;
        uint32_t errors;
        random_graph(&m, s, number);
        if (!forward_agree(&m, &errors)) {
            fail_msg("graph %d", (int)number);
        }
        wrong += errors > 0;
    }
    assert_true(wrong > count / 20);
    assert_true(wrong < count);
}

static void random_regions(void **state)
{
    (void)state;
    sample_random(&(shape){.seed = 11, .tasks = 6, .regions = true}, 5000);
}

static void random_accumulations(void **state)
{
    (void)state;
    sample_random(
        &(shape){.seed = 12, .tasks = 6, .regions = true, .accumulate = true},
        5000);
}

static void random_predicates(void **state)
{
    (void)state;
    sample_random(
        &(shape){
            .seed = 13, .tasks = 4, .accumulate = true, .predicates = true},
        5000);
}

static void random_reversed(void **state)
{
    (void)state;
    sample_random(&(shape){.seed = 14, .tasks = 5, .reversed = true}, 5000);
}

static void random_aliases(void **state)
{
    (void)state;
    sample_random(
        &(shape){.seed = 15, .tasks = 5, .regions = true, .aliases = true},
        3000);
}

static void random_everything(void **state)
{
    (void)state;
    sample_random(&(shape){.seed = 16,
                           .tasks = 4,
                           .regions = true,
                           .accumulate = true,
                           .predicates = true,
                           .reversed = true},
                  5000);
}

static bool has_doubt(const oracle_judgement *judgement)
{
    for (uint32_t i = 0; i < judgement->count; i++) {
        const oracle_finding *f = &judgement->findings[i];
        if (strcmp(f->rule, "hazard.unknown-access") == 0 ||
            (strcmp(f->rule, "hazard.uninitialised") == 0 &&
             f->severity == ORACLE_WARNING)) {
            return true;
        }
    }
    return false;
}

/* The order of every error shows a wrong value, whatever is touched. */
static void check_orders(const maker *m, const oracle_judgement *judgement,
                         uint64_t set, uint32_t number)
{
    for (uint32_t i = 0; i < judgement->count; i++) {
        const oracle_finding *f = &judgement->findings[i];
        twin_options with = {.inexact = set};
        char reason[160];
        if (f->severity == ORACLE_ERROR &&
            !twin_shows(&m->document, f, &with, reason)) {
            fail_msg("graph %d, set %d: %s: %s", (int)number, (int)set, reason,
                     f->json);
        }
    }
}

static uint32_t count_inexact(const maker *m)
{
    uint32_t inexact = 0;
    for (uint32_t i = 0; i < m->document.access_count; i++) {
        inexact += !m->accesses[i].exact;
    }
    return inexact;
}

/*
 * A bound may be touched or not, an uncertain edge may be there or not: an
 * error is wrong whichever way, and so is the order that shows it; what has
 * neither error nor doubt is right whichever way (an edge of a pair whose views
 * meet is there).
 */
static void sample_bounds(const shape *s, uint32_t graphs, uint64_t least)
{
    uint64_t errors = 0, doubts = 0, right = 0;
    for (uint32_t number = 0; number < graphs; number++) {
        maker m;
        oracle_judgement judgement;
        random_graph(&m, s, number);
        assert_int_equal(oracle_judge_document(&judgement, &m.document, NULL),
                         ORACLE_OK);
        bool wrong = twin_errors(&judgement) > 0;
        bool clean = !wrong && !has_doubt(&judgement);
        uint32_t inexact = count_inexact(&m);
        for (uint64_t set = 0; set < UINT64_C(1) << inexact; set++) {
            twin_options with = {.inexact = set};
            twin_options without = {.without_uncertain = true, .inexact = set};
            bool any = twin_wrong(&m.document, &with);
            if ((wrong && !(any && twin_wrong(&m.document, &without))) ||
                (clean && any)) {
                fail_msg("graph %d, set %d: %s", (int)number, (int)set,
                         judgement.count > 0 ? judgement.findings[0].json : "");
            }
            check_orders(&m, &judgement, set, number);
        }
        errors += wrong;
        doubts += !wrong && !clean;
        right += clean;
        oracle_judgement_free(&judgement);
    }
    assert_true(errors > least && doubts > least && right > least / 4);
}

static void random_bounds(void **state)
{
    (void)state;
    sample_bounds(&(shape){.seed = 17, .tasks = 4, .bounds = true}, 20000,
                  2000);
}

/* Arguments with an exact place and a bound, in parts of the storage. */
static void random_bounds_beside(void **state)
{
    (void)state;
    sample_bounds(&(shape){.seed = 18,
                           .tasks = 4,
                           .regions = true,
                           .bounds = true,
                           .several = true},
                  4000, 300);
    sample_bounds(&(shape){.seed = 19,
                           .tasks = 3,
                           .regions = true,
                           .accumulate = true,
                           .predicates = true,
                           .bounds = true,
                           .several = true},
                  2000, 100);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(forward_external),  cmocka_unit_test(forward_internal),
    cmocka_unit_test(random_regions),    cmocka_unit_test(random_accumulations),
    cmocka_unit_test(random_predicates), cmocka_unit_test(random_reversed),
    cmocka_unit_test(random_aliases),    cmocka_unit_test(random_everything),
    cmocka_unit_test(random_bounds),     cmocka_unit_test(random_bounds_beside),
};

TEST_MAIN(tests)
