/* greedy_dag: plans that no order of the graph can break. */
#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sonata/memory.h"

#include "../memory/greedy_dag.h"

#define TASKS 60
#define KEYS 40
#define ARGS 4

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* A Score with room of its own; ids are places unless changed. */
typedef struct graph {
    sonata_task tasks[TASKS];
    sonata_value args[TASKS][ARGS];
    sonata_value keys[TASKS][ARGS];
    sonata_text directions[TASKS][ARGS];
    sonata_dependency edges[TASKS * 8];
    char names[KEYS][32];
    sonata_buffer_size sizes[KEYS];
    size_t size_count;
    sonata_score score;
} graph;

static void begin(graph *g, size_t tasks)
{
    memset(g, 0, sizeof *g);
    g->score.tasks = g->tasks;
    g->score.task_count = tasks;
    g->score.dependencies = g->edges;
    for (size_t i = 0; i < tasks; i++)
        g->tasks[i] = (sonata_task){.id = (int64_t)i,
                                    .args = g->args[i],
                                    .keys = g->keys[i],
                                    .directions = g->directions[i]};
}

static void add_edge(graph *g, int64_t producer, int64_t consumer)
{
    g->edges[g->score.dependency_count++] =
        (sonata_dependency){producer, consumer, SONATA_TEXT("data")};
}

static sonata_value text_value(const char *text)
{
    return (sonata_value){SONATA_STRING, {text, strlen(text)}};
}

static void add_arg(graph *g, size_t task, const char *direction,
                    const char *key)
{
    sonata_task *t = &g->tasks[task];
    size_t at = t->arg_count++;
    t->args[at] = text_value("arg");
    t->keys[at] = text_value(key);
    t->directions[at] = text_value(direction).text;
    t->direction_count = t->key_count = t->arg_count;
}

static void add_size(graph *g, const char *key, int64_t bytes)
{
    g->sizes[g->size_count++] = (sonata_buffer_size){text_value(key), bytes};
}

static sonata_status plan_dag(sonata_memory_plan *plan, const graph *g,
                              sonata_dag_report *report, sonata_error *error)
{
    return sonata_plan_greedy_dag(plan, report, &g->score, g->sizes,
                                  g->size_count, SONATA_SHARE_ALLOC, error);
}

static void plan_v0(sonata_memory_plan *plan, sonata_liveness *lives,
                    const graph *g)
{
    assert_int_equal(sonata_find_lifetimes(lives, &g->score, NULL), SONATA_OK);
    assert_int_equal(sonata_plan_greedy_v0(plan, lives, g->sizes, g->size_count,
                                           SONATA_OVERLAP_INCLUSIVE, NULL),
                     SONATA_OK);
}

/* The judge: all pairs of tasks by transitive closure, all pairs of buffers,
 * all pairs of accesses. Nothing here is the planner's. */
typedef struct judge {
    bool reaches[TASKS][TASKS];
} judge;

static void close_over(judge *j, const graph *g)
{
    memset(j, 0, sizeof *j);
    size_t n = g->score.task_count;
    for (size_t e = 0; e < g->score.dependency_count; e++)
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                if (a != b && g->tasks[a].id == g->edges[e].producer &&
                    g->tasks[b].id == g->edges[e].consumer)
                    j->reaches[a][b] = true;
    for (size_t k = 0; k < n; k++)
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                if (j->reaches[a][k] && j->reaches[k][b])
                    j->reaches[a][b] = true;
}

static bool touches(const graph *g, size_t task, const sonata_value *key)
{
    const sonata_task *t = &g->tasks[task];
    for (size_t i = 0; i < t->arg_count; i++) {
        const sonata_value *v =
            i < t->key_count && t->keys[i].kind != SONATA_NULL ? &t->keys[i]
                                                               : &t->args[i];
        if (strcmp(t->directions[i].text, "Scalar") != 0 &&
            v->text.length == key->text.length &&
            memcmp(v->text.text, key->text.text, key->text.length) == 0)
            return true;
    }
    return false;
}

static bool all_before(const judge *j, const graph *g, const sonata_value *a,
                       const sonata_value *b)
{
    for (size_t s = 0; s < g->score.task_count; s++)
        for (size_t t = 0; t < g->score.task_count; t++)
            if (touches(g, s, a) && touches(g, t, b) && !j->reaches[s][t])
                return false;
    return true;
}

/* Whether two buffers may share bytes at all. */
static bool may_share(const judge *j, const graph *g, const sonata_value *a,
                      const sonata_value *b)
{
    if (strncmp(a->text.text, "alloc:", 6) != 0 ||
        strncmp(b->text.text, "alloc:", 6) != 0)
        return false;
    return all_before(j, g, a, b) || all_before(j, g, b, a);
}

static bool meet(const sonata_allocation *a, const sonata_allocation *b)
{
    return a->size > 0 && b->size > 0 && a->offset < b->offset + b->size &&
           b->offset < a->offset + a->size;
}

/* How many pairs of a plan break the sufficient rule. */
static int broken_pairs(const graph *g, const sonata_memory_plan *plan)
{
    static judge j;
    int broken = 0;
    close_over(&j, g);
    for (size_t a = 0; a < plan->count; a++)
        for (size_t b = a + 1; b < plan->count; b++)
            if (meet(&plan->items[a], &plan->items[b]) &&
                !may_share(&j, g, &plan->items[a].key, &plan->items[b].key))
                broken++;
    return broken;
}

/* The plain method: first-fit over all placed conflicting buffers. */
static int64_t lowest_fit(const judge *j, const graph *g,
                          const sonata_memory_plan *plan, const bool *placed,
                          size_t at)
{
    const sonata_allocation *item = &plan->items[at];
    int64_t best = INT64_MAX;
    for (size_t c = 0; c <= plan->count; c++) {
        if (c < plan->count && !placed[c])
            continue;
        const sonata_allocation *other = &plan->items[c];
        sonata_allocation moved = *item;
        moved.offset = c == plan->count ? 0 : other->offset + other->size;
        bool fits = moved.offset < best;
        for (size_t k = 0; k < plan->count && fits; k++)
            if (placed[k] && meet(&moved, &plan->items[k]) &&
                !may_share(j, g, &item->key, &plan->items[k].key))
                fits = false;
        if (fits)
            best = moved.offset;
    }
    return best;
}

/* Every buffer lies where first-fit, largest first, puts it. */
static void expect_first_fit(const graph *g, const sonata_memory_plan *plan)
{
    static judge j;
    bool placed[KEYS] = {false};
    close_over(&j, g);
    for (;;) {
        size_t next = plan->count;
        for (size_t i = 0; i < plan->count; i++)
            if (!placed[i] && plan->items[i].size > 0 &&
                (next == plan->count ||
                 plan->items[i].size > plan->items[next].size))
                next = i;
        if (next == plan->count)
            return;
        assert_int_equal(plan->items[next].offset,
                         lowest_fit(&j, g, plan, placed, next));
        placed[next] = true;
    }
}

static void expect_safe(const graph *g)
{
    sonata_memory_plan plan;
    sonata_dag_report report;
    assert_int_equal(plan_dag(&plan, g, &report, NULL), SONATA_OK);
    assert_int_equal(broken_pairs(g, &plan), 0);
    assert_true(report.exact);
    expect_first_fit(g, &plan);
    int64_t sum = 0;
    int64_t peak = 0;
    for (size_t i = 0; i < plan.count; i++) {
        int64_t end = plan.items[i].offset + plan.items[i].size;
        sum += plan.items[i].size;
        peak = end > peak ? end : peak;
    }
    assert_int_equal(plan.peak, peak);
    assert_int_equal(report.peak, peak);
    assert_int_equal(report.sum_of_sizes, sum);
    assert_true(peak <= sum);
    sonata_memory_plan_free(&plan);
}

/* With room for a few chains only, some reuse is missed, never a conflict. */
static bool expect_safe_within(const graph *g, size_t cells)
{
    sonata_memory_plan plan;
    sonata_dag_report report;
    assert_int_equal(sonata_plan_greedy_dag_within(
                         &plan, &report, &g->score, g->sizes, g->size_count,
                         SONATA_SHARE_ALLOC, cells, NULL),
                     SONATA_OK);
    assert_int_equal(broken_pairs(g, &plan), 0);
    assert_true(plan.peak <= report.sum_of_sizes);
    sonata_memory_plan_free(&plan);
    return report.exact;
}

/* Edges between random pairs, all in one order of the tasks. */
static void random_edges(graph *g, uint32_t *seed)
{
    size_t n = g->score.task_count;
    size_t most = next_random(seed) % (3 * n);
    uint32_t reach = 1 + next_random(seed) % 20;
    bool backwards = next_random(seed) % 3 == 0;
    for (size_t i = 0; i < most && n > 1; i++) {
        size_t from = next_random(seed) % (n - 1);
        size_t to = from + 1 + next_random(seed) % reach;
        if (to >= n)
            continue;
        add_edge(g, g->tasks[backwards ? to : from].id,
                 g->tasks[backwards ? from : to].id);
    }
    if (next_random(seed) % 8 == 0) {
        add_edge(g, 0, 0);
        add_edge(g, 100000, 0);
    }
}

static void random_graph(graph *g, uint32_t *seed)
{
    static const char *const words[] = {"Input",  "Output", "InOut", "NoDep",
                                        "Scalar", "Input",  "odd"};
    begin(g, 1 + next_random(seed) % (TASKS - 1));
    size_t keys = 1 + next_random(seed) % (KEYS - 1);
    uint32_t kinds = 1 + next_random(seed) % 8;
    int64_t most = 1 + next_random(seed) % 50;
    for (size_t i = 0; i < keys; i++) {
        snprintf(g->names[i], sizeof g->names[i], "%s:%zu",
                 next_random(seed) % 8 < kinds ? "alloc" : "param", i);
        add_size(g, g->names[i], next_random(seed) % most);
    }
    for (size_t t = 0; t < g->score.task_count; t++) {
        g->tasks[t].id = (int64_t)(t * 7919 % 1009); /* in any order */
        size_t args = next_random(seed) % ARGS;
        /* Few tasks per buffer, near each other, so that there is reuse. */
        for (size_t i = 0; i < args; i++)
            add_arg(
                g, t, words[next_random(seed) % 7],
                g->names[(t * keys / TASKS + next_random(seed) % 3) % keys]);
    }
    random_edges(g, seed);
}

static void random_plans_are_safe(void **state)
{
    (void)state;
    static graph g;
    uint32_t seed = 1;
    int unsafe_v0 = 0;
    int inexact = 0;
    for (int round = 0; round < 1500; round++) {
        random_graph(&g, &seed);
        expect_safe(&g);
        inexact += !expect_safe_within(&g, 1);
        inexact += !expect_safe_within(&g, 100);
        sonata_memory_plan plan;
        sonata_liveness lives;
        plan_v0(&plan, &lives, &g);
        unsafe_v0 += broken_pairs(&g, &plan) > 0;
        sonata_memory_plan_free(&plan);
        sonata_liveness_free(&lives);
    }
    assert_true(unsafe_v0 > 100); /* the judge can tell */
    assert_true(inexact > 100);
}

/* Two tasks without a path between them run at once: greedy_v0 puts their
 * buffers on the same bytes, since their ids differ. */
static void parallel_tasks_do_not_share(void **state)
{
    (void)state;
    static graph g;
    begin(&g, 2);
    add_arg(&g, 0, "Output", "alloc:a");
    add_arg(&g, 1, "Output", "alloc:b");
    add_size(&g, "alloc:a", 64);
    add_size(&g, "alloc:b", 64);
    sonata_memory_plan plan;
    sonata_liveness lives;
    plan_v0(&plan, &lives, &g);
    assert_int_equal(plan.peak, 64);
    assert_int_equal(broken_pairs(&g, &plan), 1);
    sonata_memory_plan_free(&plan);
    sonata_liveness_free(&lives);
    sonata_dag_report report;
    assert_int_equal(plan_dag(&plan, &g, &report, NULL), SONATA_OK);
    assert_int_equal(plan.peak, 128);
    assert_int_equal(report.greedy_peak, 64);
    assert_int_equal(report.sum_of_sizes, 128);
    assert_int_equal(report.chains, 2);
    sonata_memory_plan_free(&plan);
    add_edge(&g, 0, 1); /* with a path they share */
    assert_int_equal(plan_dag(&plan, &g, &report, NULL), SONATA_OK);
    assert_int_equal(plan.peak, 64);
    assert_string_equal(plan.policy.text, "greedy_dag");
    sonata_memory_plan_free(&plan);
}

/* So many chains as tasks are side by side, however often the graph narrows:
 * `layers` times that many tasks, between one before and one behind. */
static void expect_chains(int64_t layers, int64_t wide)
{
    static graph g;
    sonata_memory_plan plan;
    sonata_dag_report report;
    begin(&g, (size_t)(layers * (wide + 1) + 1));
    for (int64_t i = 0; i < layers; i++)
        for (int64_t k = 1; k <= wide; k++) {
            add_edge(&g, i * (wide + 1), i * (wide + 1) + k);
            add_edge(&g, i * (wide + 1) + k, (i + 1) * (wide + 1));
        }
    assert_int_equal(plan_dag(&plan, &g, &report, NULL), SONATA_OK);
    assert_int_equal(report.chains, wide);
    sonata_memory_plan_free(&plan);
}

static void chains_go_on_behind_a_join(void **state)
{
    (void)state;
    expect_chains(1, 1);
    expect_chains(10, 4);
    expect_chains(6, 8);
    expect_chains(2, 25);
}

static int64_t peak_of(const graph *g, sonata_sharing sharing)
{
    sonata_memory_plan plan;
    assert_int_equal(sonata_plan_greedy_dag(&plan, NULL, &g->score, g->sizes,
                                            g->size_count, sharing, NULL),
                     SONATA_OK);
    int64_t peak = plan.peak;
    sonata_memory_plan_free(&plan);
    return peak;
}

static void parameters_share_with_nothing(void **state)
{
    (void)state;
    static graph g;
    begin(&g, 3);
    add_arg(&g, 0, "Output", "alloc:a");
    add_arg(&g, 1, "Output", "param:p");
    add_arg(&g, 2, "Output", "other");
    add_edge(&g, 0, 1);
    add_edge(&g, 1, 2);
    add_size(&g, "alloc:a", 10);
    add_size(&g, "param:p", 20);
    add_size(&g, "other", 5);
    assert_int_equal(peak_of(&g, SONATA_SHARE_ALLOC), 35);
    assert_int_equal(peak_of(&g, SONATA_SHARE_NOT_PARAM), 30);
}

/* A buffer whose size nobody told counts as such; one of 0 bytes does not. */
static void sizes_that_nobody_told(void **state)
{
    (void)state;
    static graph g;
    sonata_memory_plan plan;
    sonata_dag_report report;
    begin(&g, 1);
    add_arg(&g, 0, "Output", "alloc:a");
    add_arg(&g, 0, "Output", "alloc:b");
    add_arg(&g, 0, "Output", "alloc:c");
    add_size(&g, "alloc:b", 0);
    assert_int_equal(plan_dag(&plan, &g, &report, NULL), SONATA_OK);
    assert_int_equal(report.unknown_sizes, 2);
    assert_int_equal(plan.peak, 0);
    sonata_memory_plan_free(&plan);
    add_size(&g, "alloc:a", 7);
    add_size(&g, "alloc:c", 1);
    assert_int_equal(plan_dag(&plan, &g, &report, NULL), SONATA_OK);
    assert_int_equal(report.unknown_sizes, 0);
    assert_int_equal(plan.peak, 8);
    sonata_memory_plan_free(&plan);
}

static void outputs_of_one_task_are_alive_together(void **state)
{
    (void)state;
    static graph g;
    begin(&g, 1);
    add_arg(&g, 0, "Output", "alloc:a");
    add_arg(&g, 0, "Output", "alloc:b");
    add_size(&g, "alloc:a", 10);
    add_size(&g, "alloc:b", 10);
    assert_int_equal(peak_of(&g, SONATA_SHARE_ALLOC), 20);
}

/* An access is one whatever its direction says, except a scalar; an argument
 * without a storage key may name a buffer. */
static void opted_out_accesses_count(void **state)
{
    (void)state;
    static graph g;
    begin(&g, 3);
    add_arg(&g, 0, "Output", "alloc:a");
    add_arg(&g, 1, "Output", "alloc:b");
    add_arg(&g, 2, "NoDep", "alloc:a");
    add_edge(&g, 0, 1);
    add_size(&g, "alloc:a", 10);
    add_size(&g, "alloc:b", 10);
    assert_int_equal(peak_of(&g, SONATA_SHARE_ALLOC), 20);
    g.directions[2][0] = text_value("Scalar").text;
    assert_int_equal(peak_of(&g, SONATA_SHARE_ALLOC), 10);
    g.directions[2][0] = text_value("Input").text;
    g.args[2][0] = text_value("alloc:a");
    g.tasks[2].key_count = 0;
    assert_int_equal(peak_of(&g, SONATA_SHARE_ALLOC), 20);
}

static void expect_refused(const graph *g, sonata_status status,
                           const char *code)
{
    sonata_memory_plan plan;
    sonata_dag_report report;
    sonata_error error = {0};
    assert_int_equal(plan_dag(&plan, g, &report, &error), status);
    assert_string_equal(error.code, code);
    assert_null(plan.items);
    assert_int_equal(report.buffers, 0);
}

static void graphs_that_are_refused(void **state)
{
    (void)state;
    static graph g;
    begin(&g, 2);
    add_arg(&g, 0, "Output", "alloc:a");
    add_edge(&g, 0, 1);
    add_edge(&g, 1, 0);
    expect_refused(&g, SONATA_REJECTED, "score_validation_failed");
    g.score.dependency_count = 1;
    g.tasks[1].id = 0;
    expect_refused(&g, SONATA_REJECTED, "score_validation_failed");
    g.tasks[1].id = 1;
    add_size(&g, "alloc:a", -1);
    expect_refused(&g, SONATA_REJECTED, "memory.negative-size");
    g.sizes[0].bytes = 5;
    add_arg(&g, 1, "Input", "x");
    g.keys[1][0] = (sonata_value){SONATA_INT, SONATA_TEXT("3")};
    expect_refused(&g, SONATA_REJECTED, "memory.mixed-keys");
    g.keys[1][0] = (sonata_value){SONATA_NESTED, SONATA_TEXT("[]")};
    expect_refused(&g, SONATA_REJECTED, "memory.key");
    begin(&g, 0);
    sonata_memory_plan plan;
    assert_int_equal(plan_dag(&plan, &g, NULL, NULL), SONATA_OK);
    assert_int_equal(plan.count, 0);
    assert_int_equal(plan.peak, 0);
    sonata_memory_plan_free(&plan);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_plans_are_safe),
    cmocka_unit_test(parallel_tasks_do_not_share),
    cmocka_unit_test(chains_go_on_behind_a_join),
    cmocka_unit_test(parameters_share_with_nothing),
    cmocka_unit_test(sizes_that_nobody_told),
    cmocka_unit_test(outputs_of_one_task_are_alive_together),
    cmocka_unit_test(opted_out_accesses_count),
    cmocka_unit_test(graphs_that_are_refused),
};

TEST_MAIN(tests)
