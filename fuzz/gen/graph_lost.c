/*
 * Edges that are not there, or not as they should be. What is lost is the only
 * path of a pair that meets, so what must be found follows from how it meets.
 */
#include "graph_fault.h"

#define TRIES 24

static bool derives(const graph *g)
{
    return g->rules == GRAPH_RULES_CONSERVATIVE ||
           g->rules == GRAPH_RULES_TENSORMAP;
}

/*
 * An edge without which its pair is in no order. Rule sets may have edges that
 * are not drawn: in a plain graph only between pairs that have a path anyway.
 */
static bool is_only(const graph *g, uint32_t index)
{
    const graph_edge *e = &g->edges[index];
    return e->form != GRAPH_GIVEN && (g->plain || !derives(g)) &&
           !fuzz_graph_path(g, e->from, e->to, index);
}

/* Whether it is submitted, and does what it does, in every execution. */
static bool is_sure(const graph_task *t)
{
    return t->choice == GRAPH_NONE && t->predicate == GRAPH_NONE;
}

/*
 * Such an edge whose tasks meet in this way and no other, of the first few from
 * `*at` on that are of these kinds at all; GRAPH_NONE: none.
 */
static uint32_t next_only(const graph *g, unsigned kinds, uint32_t *at)
{
    for (uint32_t i = 0, tried = 0; i < g->edge_count && tried < TRIES; i++) {
        uint32_t e = (*at + i) % g->edge_count;
        const graph_edge *edge = &g->edges[e];
        bool operand = kinds == GRAPH_OPERAND;
        if (edge->kinds != kinds || !is_sure(&g->tasks[edge->from]) ||
            g->tasks[edge->to].choice != GRAPH_NONE ||
            is_sure(&g->tasks[edge->to]) == operand)
            continue;
        tried++;
        if (fuzz_graph_meet(g, edge->from, edge->to) == (operand ? 0 : kinds) &&
            is_only(g, e)) {
            *at = e + 1;
            return e;
        }
    }
    return GRAPH_NONE;
}

static uint32_t only_edge(graph_breaker *b, unsigned kinds)
{
    uint32_t at =
        b->g->edge_count == 0 ? 0 : fuzz_graph_pick(b, b->g->edge_count);
    return next_only(b->g, kinds, &at);
}

static bool lose(graph_breaker *b, uint32_t edge)
{
    if (edge != GRAPH_NONE)
        b->g->edges[edge].form = GRAPH_GONE;
    return edge != GRAPH_NONE;
}

static bool lost_raw(graph_breaker *b)
{
    return lose(b, only_edge(b, GRAPH_DATA));
}

static bool lost_war(graph_breaker *b)
{
    return lose(b, only_edge(b, GRAPH_WAR));
}

/* Nobody writes behind task `last` what it and `arg` write. */
static bool stays(const graph *g, const graph_arg *arg, uint32_t last)
{
    for (uint32_t t = last + 1; t < g->task_count; t++) {
        const graph_task *task = &g->tasks[t];
        for (uint32_t i = 0; i < task->args; i++) {
            const graph_arg *other = &g->args[task->first_arg + i];
            if (other->buffer != GRAPH_NONE && other->mode != GRAPH_READ &&
                fuzz_graph_boxes_meet(g, other, arg))
                return false;
        }
    }
    return true;
}

/* Two writes whose order shows: accumulations commute. */
static bool are_writes(const graph_arg *x, const graph_arg *y)
{
    return x->mode != GRAPH_READ && y->mode != GRAPH_READ &&
           (x->mode != GRAPH_ACCUMULATE || y->mode != GRAPH_ACCUMULATE);
}

/* The caller reads, at the end, bytes that both have written. */
static bool caller_reads(const graph *g, const graph_edge *e)
{
    const graph_task *from = &g->tasks[e->from], *to = &g->tasks[e->to];
    for (uint32_t i = from->first_arg; i < from->first_arg + from->args; i++) {
        const graph_arg *x = &g->args[i];
        if (x->buffer == GRAPH_NONE || !g->buffers[x->buffer].external)
            continue;
        for (uint32_t k = to->first_arg; k < to->first_arg + to->args; k++) {
            const graph_arg *y = &g->args[k];
            if (y->buffer != GRAPH_NONE && are_writes(x, y) &&
                fuzz_graph_boxes_meet(g, x, y) && stays(g, y, e->to))
                return true;
        }
    }
    return false;
}

static bool lost_waw(graph_breaker *b)
{
    uint32_t count = b->g->edge_count;
    uint32_t at = count == 0 ? 0 : fuzz_graph_pick(b, count);
    for (uint32_t i = 0; i < TRIES / 4; i++) {
        uint32_t e = next_only(b->g, GRAPH_STORAGE, &at);
        if (e == GRAPH_NONE || caller_reads(b->g, &b->g->edges[e]))
            return lose(b, e);
    }
    return false;
}

/* The other way round: the read cannot but come first. */
static bool reversed(graph_breaker *b)
{
    uint32_t index = only_edge(b, GRAPH_DATA);
    if (index == GRAPH_NONE)
        return false;
    graph_edge *e = &b->g->edges[index];
    uint32_t from = e->from;
    e->from = e->to;
    e->to = from;
    e->label = 0;
    return true;
}

/* Bytes that are only a bound of what is touched. */
static bool lost_bound(graph_breaker *b)
{
    uint32_t index = only_edge(b, GRAPH_DATA);
    if (index == GRAPH_NONE)
        return false;
    const graph_task *t = &b->g->tasks[b->g->edges[index].to];
    for (uint32_t i = 0; i < t->args; i++)
        b->g->args[t->first_arg + i].bound = true;
    return lose(b, index);
}

/* Only the operand of a predicate meets. */
static bool stale(graph_breaker *b)
{
    return lose(b, only_edge(b, GRAPH_OPERAND));
}

/* --- Edges that say something else --- */

static uint8_t listed_form(graph_breaker *b)
{
    static const uint8_t forms[] = {GRAPH_EXPLICIT, GRAPH_POLICY, GRAPH_DEP};
    return forms[fuzz_graph_pick(b, 3)];
}

static bool add(graph_breaker *b, uint32_t from, uint32_t to, uint8_t form)
{
    graph_edge *e = fuzz_graph_edge(b->g, from, to, 0);
    if (e != NULL)
        e->form = form;
    return e != NULL;
}

static bool ring(graph_breaker *b)
{
    const graph *g = b->g;
    for (uint32_t i = 0; i < TRIES && g->edge_count > 0; i++) {
        const graph_edge *e = &g->edges[fuzz_graph_pick(b, g->edge_count)];
        if (e->form != GRAPH_GIVEN && g->tasks[e->from].choice == GRAPH_NONE &&
            g->tasks[e->to].choice == GRAPH_NONE)
            return add(b, e->to, e->from, listed_form(b));
    }
    return false;
}

static bool no_end(graph_breaker *b)
{
    uint32_t t = fuzz_graph_pick(b, b->g->task_count);
    bool from = fuzz_chance(&b->r, 1, 2);
    uint8_t form = from ? listed_form(b) : (uint8_t)GRAPH_EXPLICIT;
    uint32_t none = b->g->task_count;
    return add(b, from ? none : t, from ? t : none, form);
}

static bool self(graph_breaker *b)
{
    uint32_t t = fuzz_graph_pick(b, b->g->task_count);
    return add(b, t, t, listed_form(b));
}

static bool twice(graph_breaker *b)
{
    const graph *g = b->g;
    for (uint32_t i = 0; i < TRIES && g->edge_count > 0; i++) {
        graph_edge e = g->edges[fuzz_graph_pick(b, g->edge_count)];
        if (e.form == GRAPH_GIVEN || e.form == GRAPH_RECORDED ||
            (e.form == GRAPH_AUTOMATIC && derives(g)))
            continue;
        graph_edge *again = fuzz_graph_edge(b->g, e.from, e.to, e.kinds);
        if (again != NULL)
            *again = e;
        return again != NULL;
    }
    return false;
}

static bool dead_dep(graph_breaker *b)
{
    b->g->tasks[fuzz_graph_pick(b, b->g->task_count)].dead_dep = true;
    return true;
}

static bool adds_up(const graph *g, uint32_t t)
{
    const graph_task *task = &g->tasks[t];
    for (uint32_t i = 0; i < task->args; i++) {
        if (g->args[task->first_arg + i].buffer != GRAPH_NONE &&
            g->args[task->first_arg + i].mode == GRAPH_ACCUMULATE)
            return true;
    }
    return false;
}

static bool wrong_label(graph_breaker *b)
{
    static const uint8_t bits[] = {0, GRAPH_DATA, GRAPH_STORAGE, GRAPH_WAR};
    graph *g = b->g;
    for (uint32_t i = 0; i < TRIES && g->edge_count > 0; i++) {
        graph_edge *e = &g->edges[fuzz_graph_pick(b, g->edge_count)];
        uint8_t label = (uint8_t)(1 + fuzz_graph_pick(b, 3));
        if (e->form == GRAPH_GIVEN || !is_sure(&g->tasks[e->from]) ||
            !is_sure(&g->tasks[e->to]) || adds_up(g, e->from) ||
            adds_up(g, e->to) ||
            (fuzz_graph_meet(g, e->from, e->to) & bits[label]) != 0)
            continue;
        e->form = fuzz_chance(&b->r, 1, 2) ? GRAPH_POLICY : GRAPH_EXPLICIT;
        e->label = label;
        return true;
    }
    return false;
}

static bool has_edge(const graph *g, uint32_t from, uint32_t to)
{
    for (uint32_t i = g->first_edge[to]; i < g->first_edge[to + 1]; i++) {
        if (g->edges[i].from == from)
            return true;
    }
    return false;
}

/* What two edges say together is said once more. */
static bool redundant(graph_breaker *b)
{
    const graph *g = b->g;
    for (uint32_t i = 0; i < TRIES && g->edge_count > 0 && !derives(g); i++) {
        graph_edge late = g->edges[fuzz_graph_pick(b, g->edge_count)];
        uint32_t first = g->first_edge[late.from];
        uint32_t count = g->first_edge[late.from + 1] - first;
        if (count == 0 || g->choices > 0)
            continue;
        uint32_t from = g->edges[first + fuzz_graph_pick(b, count)].from;
        if (!has_edge(g, from, late.to))
            return add(b, from, late.to,
                       fuzz_chance(&b->r, 1, 2) ? GRAPH_DEP : GRAPH_POLICY);
    }
    return false;
}

static bool touches(const graph *g, uint32_t t)
{
    const graph_task *task = &g->tasks[t];
    for (uint32_t i = 0; i < task->args; i++) {
        if (g->args[task->first_arg + i].buffer != GRAPH_NONE)
            return true;
    }
    return false;
}

/* A policy's edge between two that share nothing. */
static bool needless(graph_breaker *b)
{
    const graph *g = b->g;
    for (uint32_t i = 0; i < TRIES && g->task_count > 1 && !derives(g); i++) {
        uint32_t to = 1 + fuzz_graph_pick(b, g->task_count - 1);
        uint32_t from = fuzz_graph_pick(b, to);
        if (g->choices == 0 && is_sure(&g->tasks[from]) &&
            is_sure(&g->tasks[to]) && touches(g, from) && touches(g, to) &&
            !adds_up(g, from) && !adds_up(g, to) &&
            fuzz_graph_meet(g, from, to) == 0 && !has_edge(g, from, to))
            return add(b, from, to, GRAPH_POLICY);
    }
    return false;
}

const graph_fault fuzz_graph_edges[] = {
    {"lost-raw", "hazard.raw", 24, lost_raw},
    {"lost-waw", "hazard.waw", 48, lost_waw},
    {"lost-war", "hazard.war", 56, lost_war},
    {"reversed", "hazard.raw", 8, reversed},
    {"lost-bound", "hazard.unknown-access", 8, lost_bound},
    {"stale-operand", "predicate.stale", 8, stale},
    {"ring", "graph.cycle", 8, ring},
    {"no-end", "graph.edge-end", 8, no_end},
    {"self-edge", "graph.self-edge", 8, self},
    {"twice", "graph.duplicate-edge", 16, twice},
    {"dead-dep", "graph.dead-dep", 8, dead_dep},
    {"wrong-label", "edge.kind", 16, wrong_label},
    {"redundant", "edge.redundant", 4, redundant},
    {"needless", "edge.false", 4, needless},
};
const uint32_t fuzz_graph_edge_faults =
    sizeof fuzz_graph_edges / sizeof *fuzz_graph_edges;
