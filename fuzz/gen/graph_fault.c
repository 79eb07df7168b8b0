/*
 * Faults whose rule follows from how the graph was built. Each gives false
 * where the graph has no place for it.
 */
#include "graph.h"

#include "make.h"

#define TRIES 24

typedef struct breaker {
    graph *g;
    fuzz_random r;
} breaker;

static uint32_t pick(breaker *b, uint32_t n)
{
    return (uint32_t)fuzz_below(&b->r, n);
}

/* --- One edge less --- */

/*
 * An edge without which its pair is in no order. Rule sets may have edges that
 * are not drawn: where every view is its whole buffer, none but between pairs
 * that have one anyway.
 */
static bool is_only(const graph *g, uint32_t index)
{
    const graph_edge *e = &g->edges[index];
    bool derived = g->rules == GRAPH_RULES_CONSERVATIVE ||
                   g->rules == GRAPH_RULES_TENSORMAP;
    return e->form != GRAPH_GIVEN && (g->plain || !derived) &&
           !fuzz_graph_path(g, e->from, e->to, index);
}

static bool is_sure(const graph_task *t)
{
    return t->choice == GRAPH_NONE && t->predicate == GRAPH_NONE;
}

/* Such an edge whose tasks meet in this way and no other; GRAPH_NONE: none. */
static uint32_t only_edge(breaker *b, unsigned kinds)
{
    const graph *g = b->g;
    for (uint32_t i = 0; i < TRIES && g->edge_count > 0; i++) {
        uint32_t e = pick(b, g->edge_count);
        const graph_edge *edge = &g->edges[e];
        if (edge->kinds == kinds && is_sure(&g->tasks[edge->from]) &&
            is_sure(&g->tasks[edge->to]) &&
            fuzz_graph_meet(g, edge->from, edge->to) == kinds && is_only(g, e))
            return e;
    }
    return GRAPH_NONE;
}

static bool lose(breaker *b, unsigned kinds)
{
    uint32_t e = only_edge(b, kinds);
    if (e != GRAPH_NONE)
        b->g->edges[e].form = GRAPH_GONE;
    return e != GRAPH_NONE;
}

static bool raw(breaker *b)
{
    return lose(b, GRAPH_DATA);
}

static bool war(breaker *b)
{
    return lose(b, GRAPH_WAR);
}

/* --- Tasks and buffers of their own --- */

static uint32_t fresh(breaker *b, bool external)
{
    uint32_t buffer = fuzz_graph_buffer(b->g, external, 1, 1);
    if (buffer < b->g->buffer_count)
        b->g->buffers[buffer].external = external;
    return buffer;
}

/* Edges of the last task are none: it waits for nobody. */
static bool close_task(graph *g)
{
    uint32_t *first =
        fuzz_arena_get(g->arena, g->task_count + 1, sizeof *first);
    if (first == NULL)
        return false;
    memcpy(first, g->first_edge, g->task_count * sizeof *first);
    first[g->task_count] = g->edge_count;
    g->first_edge = first;
    g->tasks[g->task_count - 1].id = g->no_task++;
    return true;
}

static bool add_task(breaker *b, uint32_t buffer, graph_mode mode)
{
    graph *g = b->g;
    fuzz_graph_task(g);
    bool ok = fuzz_graph_use(g, buffer, fuzz_graph_whole(g, buffer), mode);
    if (ok)
        g->args[g->arg_count - 1].dispatch =
            mode == GRAPH_WRITE ? GRAPH_OUTPUT_EXISTING : GRAPH_INPUT;
    return ok && close_task(g);
}

/* Two writes that nobody puts in order; the caller reads what is external. */
static bool two_writes(breaker *b, bool external)
{
    if (b->g->rules == GRAPH_RULES_CONSERVATIVE)
        return false;
    uint32_t buffer = fresh(b, external);
    return add_task(b, buffer, GRAPH_WRITE) && add_task(b, buffer, GRAPH_WRITE);
}

static bool waw(breaker *b)
{
    return two_writes(b, true);
}

static bool dead_write(breaker *b)
{
    return two_writes(b, false);
}

static bool uninitialised(breaker *b)
{
    return add_task(b, fresh(b, false), GRAPH_READ);
}

/* --- The choice --- */

void fuzz_graph_break(graph *g)
{
    static const struct {
        const char *name, *rule;
        bool (*make)(breaker *b);
    } faults[] = {
        {"lost-raw", "hazard.raw", raw},
        {"lost-war", "hazard.war", war},
        {"two-writes", "hazard.waw", waw},
        {"dead-write", "hazard.dead-write", dead_write},
        {"no-value", "hazard.uninitialised", uninitialised},
    };
    enum { FAULTS = sizeof faults / sizeof *faults };
    breaker b = {g, fuzz_random_of(&g->c->name, GRAPH_FOR_FAULT)};
    uint32_t first = pick(&b, FAULTS);
    for (uint32_t i = 0; i < FAULTS; i++) {
        uint32_t at = (first + i) % FAULTS;
        if (faults[at].make(&b)) {
            g->c->fault = faults[at].name;
            fuzz_case_expect(g->c, faults[at].rule);
            return;
        }
    }
}
