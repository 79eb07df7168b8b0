/* Order: two methods that must agree with a third, plain one. */
#include "../../scripts/testing/harness.h"

#include "../order_chains.h"
#include "maker.h"

#include <stdlib.h>
#include <string.h>

/* A graph of tasks and edges alone. */
typedef struct graph {
    oracle_document document;
    bool *present;
    oracle_arena *arena;
} graph;

static void graph_start(graph *g, uint32_t tasks, uint32_t edges)
{
    *g = (graph){.arena = oracle_arena_create()};
    assert_non_null(g->arena);
    g->document.task_count = tasks;
    g->document.tasks =
        oracle_arena_array(g->arena, tasks, sizeof *g->document.tasks);
    g->document.edges =
        oracle_arena_array(g->arena, edges, sizeof *g->document.edges);
    g->present = oracle_arena_alloc(g->arena, tasks);
    assert_non_null(g->present);
    memset(g->present, 1, tasks);
}

static void graph_edge(graph *g, uint32_t from, uint32_t to)
{
    g->document.edges[g->document.edge_count++] =
        (oracle_edge){.from = from, .to = to, .certain = true};
}

static void graph_end(graph *g)
{
    oracle_arena_free(g->arena);
}

/* Plain reachability: what can be reached from one task. */
static void mark_reached(const graph *g, uint32_t from, bool *reached)
{
    memset(reached, 0, g->document.task_count);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t e = 0; e < g->document.edge_count; e++) {
            const oracle_edge *edge = &g->document.edges[e];
            bool both = g->present[edge->from] && g->present[edge->to];
            if (both && edge->from != edge->to && !reached[edge->to] &&
                (edge->from == from || reached[edge->from])) {
                reached[edge->to] = true;
                more = true;
            }
        }
    }
}

/* A random graph without cycles, its numbers shuffled when `reversed`. */
static void graph_random(graph *g, uint64_t seed, uint32_t n, bool reversed)
{
    uint64_t index = 0;
    uint32_t *name = malloc(n * sizeof *name);
    assert_non_null(name);
    graph_start(g, n, 3 * n);
    for (uint32_t t = 0; t < n; t++) {
        name[t] = t;
        g->present[t] = maker_random(seed, index++) % 8 != 0;
    }
    for (uint32_t t = n; reversed && t-- > 1;) {
        uint32_t other = (uint32_t)(maker_random(seed, index++) % (t + 1));
        uint32_t kept = name[t];
        name[t] = name[other];
        name[other] = kept;
    }
    for (uint32_t i = 0; i < 3 * n / 2; i++) {
        uint32_t a = (uint32_t)(maker_random(seed, index++) % n);
        uint32_t b = (uint32_t)(maker_random(seed, index++) % n);
        if (a != b) {
            graph_edge(g, name[a < b ? a : b], name[a < b ? b : a]);
        }
    }
    free(name);
}

/* With one method, or with both, which must not differ. */
static void compare_all(const graph *g, oracle_method method)
{
    oracle_asking asking = {.method = method};
    uint32_t n = g->document.task_count, kept = 0;
    oracle_order order;
    oracle_closure closure;
    uint32_t *tasks = malloc(n * sizeof *tasks);
    oracle_pair *pairs = malloc((size_t)n * n * sizeof *pairs);
    bool *reached = malloc(n);
    assert_true(tasks != NULL && pairs != NULL && reached != NULL);
    assert_true(oracle_order_build(&order, &g->document, NULL, g->present, true,
                                   g->arena));
    assert_true(oracle_order_use(&order, &asking, g->arena));
    assert_int_equal(order.cycle_count, 0);
    for (uint32_t t = 0; t < n; t++) {
        if (g->present[t]) {
            tasks[kept++] = t;
        }
    }
    closure.row = oracle_arena_array(g->arena, n, sizeof(uint32_t));
    assert_true(oracle_closure_build(&closure, &order, tasks, kept, g->arena));
    for (uint32_t i = 0; i < kept * kept; i++) {
        pairs[i] = (oracle_pair){tasks[i / kept], tasks[i % kept], false};
    }
    assert_true(oracle_order_query(&order, pairs, kept * kept));
    for (uint32_t a = 0; a < kept; a++) {
        mark_reached(g, tasks[a], reached);
        for (uint32_t b = 0; b < kept; b++) {
            bool before = oracle_closure_before(&closure, tasks[a], tasks[b]);
            assert_int_equal(before, reached[tasks[b]]);
            assert_int_equal(pairs[a * kept + b].ordered, before);
        }
    }
    assert_false(asking.disagree || asking.wide);
    free(tasks);
    free(pairs);
    free(reached);
}

static void random_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        graph g;
        graph_random(&g, seed, 5 + (uint32_t)seed, seed % 2 == 1);
        compare_all(&g, ORACLE_METHOD_BLOCKS);
        compare_all(&g, ORACLE_METHOD_CHAINS);
        compare_all(&g, ORACLE_METHOD_BOTH);
        graph_end(&g);
    }
}

/* More than one block of 512 sources. */
static void many_blocks(void **state)
{
    graph g;
    (void)state;
    graph_random(&g, 99, 1300, true);
    compare_all(&g, ORACLE_METHOD_BLOCKS);
    compare_all(&g, ORACLE_METHOD_BOTH);
    graph_end(&g);
}

/* The order of fewer tasks: no path leads through one that is not there. */
static void fewer_tasks(void **state)
{
    (void)state;
    for (uint64_t seed = 100; seed < 140; seed++) {
        graph g;
        oracle_order whole;
        oracle_asking asking = {.method = ORACLE_METHOD_BOTH};
        oracle_pair pairs[40];
        bool reached[40], there[40];
        graph_random(&g, seed, 40, false);
        memset(g.present, 1, 40);
        assert_true(oracle_order_build(&whole, &g.document, NULL, g.present,
                                       true, g.arena));
        for (uint32_t t = 0; t < 40; t++) {
            there[t] = maker_random(seed, 1000 + t) % 4 != 0;
        }
        there[0] = true;
        oracle_order order = oracle_order_of(&whole, there);
        assert_true(oracle_order_use(&order, &asking, g.arena));
        for (uint32_t t = 0; t < 40; t++) {
            g.present[t] = there[t];
            pairs[t] = (oracle_pair){0, there[t] ? t : 0, false};
        }
        assert_true(oracle_order_query(&order, pairs, 40));
        mark_reached(&g, 0, reached);
        for (uint32_t t = 0; t < 40; t++) {
            assert_int_equal(pairs[t].ordered, there[t] && reached[t]);
        }
        assert_false(asking.disagree || asking.wide);
        graph_end(&g);
    }
}

/* A chain with one position that is wrong is seen, by either question. */
static void planted_fault(void **state)
{
    (void)state;
    for (uint32_t question = 0; question < 2; question++) {
        graph g;
        oracle_order order;
        oracle_closure closure;
        uint32_t tasks[3] = {0, 1, 2}, row[3];
        oracle_asking asking = {.method = ORACLE_METHOD_BOTH};
        oracle_pair pairs[2] = {{0, 1, false}, {1, 2, false}};
        graph_start(&g, 3, 2);
        graph_edge(&g, 0, 1);
        graph_edge(&g, 0, 2);
        assert_true(oracle_order_build(&order, &g.document, NULL, g.present,
                                       false, g.arena));
        assert_true(oracle_order_use(&order, &asking, g.arena));
        assert_true(oracle_order_query(&order, pairs, 2));
        assert_false(asking.disagree || pairs[1].ordered);
        /* 0 and 1 are on chain 0, 2 on chain 1: now 1 comes before 2. */
        order.chains->reach[2][0] = 2;
        if (question == 0) {
            assert_true(oracle_order_query(&order, pairs, 2));
        } else {
            closure.row = row;
            assert_true(
                oracle_closure_build(&closure, &order, tasks, 3, g.arena));
            assert_false(asking.disagree);
            assert_true(oracle_closure_before(&closure, 0, 1));
            assert_false(asking.disagree);
            oracle_closure_before(&closure, 1, 2);
        }
        assert_true(asking.disagree && asking.by_chains && !asking.by_blocks);
        assert_true(asking.from == 1 && asking.to == 2);
        graph_end(&g);
    }
}

/* Tasks without an order are a chain each: beyond the limit blocks answer. */
static void too_many_chains(void **state)
{
    (void)state;
    for (uint32_t last = 0; last < 2; last++) {
        uint32_t n = 11584 + 2 * last; /* n * (n + 1) / 2 passes 2^26 */
        graph g;
        oracle_order order;
        oracle_asking asking = {.method = ORACLE_METHOD_CHAINS};
        oracle_pair pairs[2] = {{0, 1, false}, {n - 2, n - 1, false}};
        graph_start(&g, n, 1);
        graph_edge(&g, 0, 1);
        assert_true(oracle_order_build(&order, &g.document, NULL, g.present,
                                       false, g.arena));
        assert_true(oracle_order_use(&order, &asking, g.arena));
        assert_true(oracle_order_query(&order, pairs, 2));
        assert_true(pairs[0].ordered && !pairs[1].ordered);
        assert_int_equal(asking.wide, last);
        graph_end(&g);
    }
}

static void sequence_is_program_order(void **state)
{
    graph g;
    oracle_order order;
    (void)state;
    graph_start(&g, 4, 3);
    graph_edge(&g, 0, 3);
    graph_edge(&g, 0, 3);
    graph_edge(&g, 1, 2);
    assert_true(oracle_order_build(&order, &g.document, NULL, g.present, false,
                                   g.arena));
    assert_true(order.forward);
    assert_int_equal(order.first[4], 2);
    for (uint32_t t = 0; t < 4; t++) {
        assert_int_equal(order.sequence[t], t);
    }
    graph_end(&g);
}

static void cycles(void **state)
{
    graph g;
    oracle_order order;
    (void)state;
    graph_start(&g, 6, 6);
    graph_edge(&g, 1, 2);
    graph_edge(&g, 2, 4);
    graph_edge(&g, 4, 1);
    graph_edge(&g, 4, 5);
    graph_edge(&g, 0, 1);
    assert_true(oracle_order_build(&order, &g.document, NULL, g.present, false,
                                   g.arena));
    assert_int_equal(order.cycle_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(oracle_order_direct(&order, order.cycle[i],
                                        order.cycle[(i + 1) % 3]));
    }
    g.present[4] = false;
    assert_true(oracle_order_build(&order, &g.document, NULL, g.present, false,
                                   g.arena));
    assert_int_equal(order.cycle_count, 0);
    assert_int_equal(order.present, 5);
    graph_end(&g);
}

static void uncertain(void **state)
{
    graph g;
    oracle_order order;
    (void)state;
    graph_start(&g, 2, 1);
    graph_edge(&g, 0, 1);
    g.document.edges[0].certain = false;
    assert_true(oracle_order_build(&order, &g.document, NULL, g.present, false,
                                   g.arena));
    assert_false(oracle_order_direct(&order, 0, 1));
    assert_true(oracle_order_build(&order, &g.document, NULL, g.present, true,
                                   g.arena));
    assert_true(oracle_order_direct(&order, 0, 1));
    graph_end(&g);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_graphs),
    cmocka_unit_test(many_blocks),
    cmocka_unit_test(fewer_tasks),
    cmocka_unit_test(planted_fault),
    cmocka_unit_test(too_many_chains),
    cmocka_unit_test(sequence_is_program_order),
    cmocka_unit_test(cycles),
    cmocka_unit_test(uncertain),
};

TEST_MAIN(tests)
