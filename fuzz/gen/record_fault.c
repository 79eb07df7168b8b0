/* Faults of the record of a run. */
#include "record.h"

#include "make.h"

#define TRIES 64

static uint32_t pick(record *w, uint32_t n)
{
    return (uint32_t)fuzz_below(&w->r, n);
}

/* --- Where --- */

static bool any_task(record *w)
{
    w->at = pick(w, w->g.task_count);
    return true;
}

/* A task that is not alone: an edge leads to it. */
static bool awaited(record *w)
{
    if (w->g.edge_count == 0)
        return false;
    w->at = w->g.edges[pick(w, w->g.edge_count)].to;
    return true;
}

static bool any_edge(record *w)
{
    w->at = w->g.edge_count == 0 ? 0 : pick(w, w->g.edge_count);
    return w->g.edge_count > 0;
}

static bool with_args(record *w)
{
    uint32_t first = pick(w, w->g.task_count);
    for (uint32_t i = 0; i < w->g.task_count; i++) {
        w->at = (first + i) % w->g.task_count;
        const graph_task *task = &w->g.tasks[w->at];
        for (uint32_t k = 0; k < task->args; k++) {
            if (w->g.args[task->first_arg + k].buffer != GRAPH_NONE)
                return true;
        }
    }
    return false;
}

static bool two_tasks(record *w)
{
    return w->g.task_count > 1;
}

static bool traced(record *w)
{
    return w->times != NULL && any_task(w);
}

/* --- Edges and times --- */

/* An edge that is the only path between two that meet in this way alone. */
static graph_edge *only_edge(record *w, unsigned kinds)
{
    graph *g = &w->g;
    uint32_t first = g->edge_count == 0 ? 0 : pick(w, g->edge_count);
    for (uint32_t i = 0, tried = 0; i < g->edge_count && tried < 24; i++) {
        uint32_t at = (first + i) % g->edge_count;
        graph_edge *e = &g->edges[at];
        if (e->kinds != kinds)
            continue;
        tried++;
        if (fuzz_graph_meet(g, e->from, e->to) == kinds &&
            !fuzz_graph_path(g, e->from, e->to, at))
            return e;
    }
    return NULL;
}

static bool lose(record *w, unsigned kinds)
{
    graph_edge *e = w->plan ? NULL : only_edge(w, kinds);
    if (e != NULL)
        e->form = GRAPH_GONE;
    return e != NULL;
}

static bool lost_raw(record *w)
{
    return lose(w, GRAPH_DATA);
}

static bool lost_war(record *w)
{
    return lose(w, GRAPH_WAR);
}

/* The consumer starts while its producer runs. */
static void start_within(record *w, const graph_edge *e)
{
    record_time *early = &w->times[e->from], *late = &w->times[e->to];
    int64_t length = late->end - late->begin;
    late->begin = (early->begin + early->end) / 2;
    late->end = late->begin + length;
}

static bool broken_order(record *w)
{
    if (w->times == NULL || !any_edge(w))
        return false;
    start_within(w, &w->g.edges[w->at]);
    return true;
}

static bool race(record *w)
{
    graph_edge *e =
        w->times == NULL || w->plan ? NULL : only_edge(w, GRAPH_DATA);
    if (e == NULL)
        return false;
    start_within(w, e);
    e->form = GRAPH_GONE;
    return true;
}

/* The plan asks for the edge, and the run does not have it. */
static bool not_kept(record *w)
{
    if (!w->plan)
        return false;
    graph_edge *e = only_edge(w, GRAPH_DATA);
    if (e == NULL)
        return false;
    w->g.lost = (uint32_t)(e - w->g.edges) + 1;
    e->form = GRAPH_GONE;
    return true;
}

/* --- Fields --- */

typedef struct damage {
    const char *object, *field, *value;
} damage;

static const damage schema[] = {
    {"task", "task_id", NULL},        {"task", "task_id", "\"x\""},
    {"task", "task_id", "-1"},        {"task", "task_id", "null"},
    {"task", "early_dispatch", "1"},  {"task", "kernel_ids", "3"},
    {"task", "block_num", "\"2\""},   {"task", "args", "{}"},
    {"task", "args", "[3]"},          {"arg", "type", "1"},
    {"arg", "type", "null"},          {"arg", "shape", "3"},
    {"arg", "shape", "[\"x\"]"},      {"arg", "strides", "3"},
    {"arg", "start_offset", "\"\""},  {"arg", "idx", "\"x\""},
    {"tensor", "tensor_id", NULL},    {"tensor", "tensor_id", "true"},
    {"tensor", "buffer_addr", NULL},  {"tensor", "dtype", NULL},
    {"tensor", "buffer_numel", NULL}, {"tensor", "buffer_numel", "\"1e3\""},
    {"edge", "pred", NULL},           {"edge", "succ", NULL},
    {"edge", "source", NULL},         {"edge", "pred", "\"-3\""},
    {"edge", "succ", "[]"},           {"root", "tasks", "3"},
    {"root", "tasks", "[3]"},         {"root", "tensors", "{}"},
    {"root", "edges", "\"none\""},
};

static const damage range[] = {
    {"task", "task_id", "\"9223372036854775808\""},
    {"task", "task_id", "18446744073709551616"},
    {"task", "block_num", "0"},
    {"task", "block_num", "9223372036854775808"},
    {"tensor", "buffer_addr", "\"18446744073709551616\""},
    {"tensor", "buffer_numel", "\"18446744073709551615\""},
    {"edge", "pred", "\"9223372036854775808\""},
    {"edge", "succ", "\"99999999999999999999\""},
};

static const damage unknown[] = {
    {"task", "ring", "3"},       {"arg", "offset", "[1]"},
    {"tensor", "name", "\"x\""}, {"edge", "reason", "null"},
    {"root", "schema", "{}"},
};

static bool damage_one(record *w, const damage *list, uint32_t count)
{
    const damage *d = &list[pick(w, count)];
    w->object = d->object;
    w->field = d->field;
    w->value = d->value;
    if (strcmp(d->object, "arg") == 0)
        return with_args(w);
    if (strcmp(d->object, "edge") == 0)
        return any_edge(w);
    w->at = pick(w, strcmp(d->object, "tensor") == 0 ? w->g.buffer_count
                                                     : w->g.task_count);
    return true;
}

static bool damage_schema(record *w)
{
    return damage_one(w, schema, sizeof schema / sizeof *schema);
}

static bool damage_range(record *w)
{
    return damage_one(w, range, sizeof range / sizeof *range);
}

static bool damage_unknown(record *w)
{
    return damage_one(w, unknown, sizeof unknown / sizeof *unknown);
}

/* --- The choice --- */

static const struct {
    const char *name, *rule;
    uint32_t weight;
    record_flaw flaw;
    bool (*find)(record *w);
} faults[] = {
    {"never-submitted", "runtime.lost-edge", 3, RECORD_NEVER_SUBMITTED,
     any_task},
    {"not-yet", "runtime.lost-edge", 2, RECORD_NOT_YET, two_tasks},
    {"not-kept", "runtime.lost-edge", 3, RECORD_FLAWLESS, not_kept},
    {"lost-raw", "hazard.raw", 3, RECORD_FLAWLESS, lost_raw},
    {"lost-war", "hazard.war", 3, RECORD_FLAWLESS, lost_war},
    {"broken-order", "trace.order", 8, RECORD_FLAWLESS, broken_order},
    {"race", "trace.race", 10, RECORD_FLAWLESS, race},
    {"no-row", "doc.incomplete", 2, RECORD_NO_ROW, awaited},
    {"no-list", "doc.incomplete", 1, RECORD_NO_LIST, any_task},
    {"dropped", "doc.incomplete", 2, RECORD_DROPPED, traced},
    {"half-row", "doc.incomplete", 2, RECORD_HALF_ROW, traced},
    {"scope", "doc.unsupported", 1, RECORD_SCOPE, any_task},
    {"type", "doc.unsupported", 1, RECORD_TYPE, with_args},
    {"dtype", "doc.unsupported", 1, RECORD_DTYPE, with_args},
    {"source", "doc.unsupported", 2, RECORD_SOURCE, any_edge},
    {"memory", "doc.unsupported", 1, RECORD_MEMORY, any_task},
    {"syntax", "doc.syntax", 2, RECORD_SYNTAX, any_task},
    {"trace-syntax", "doc.syntax", 1, RECORD_TRACE_SYNTAX, traced},
    {"schema", "doc.schema", 3, RECORD_FIELD, damage_schema},
    {"range", "doc.range", 2, RECORD_FIELD, damage_range},
    {"unknown-field", "doc.unknown-field", 2, RECORD_FIELD, damage_unknown},
};
#define FAULTS ((uint32_t)(sizeof faults / sizeof *faults))

void fuzz_record_break(record *w)
{
    uint32_t weights = 0;
    for (uint32_t i = 0; i < FAULTS; i++)
        weights += faults[i].weight;
    for (uint32_t i = 0; i < TRIES; i++) {
        uint32_t drawn = pick(w, weights), at = 0;
        while (drawn >= faults[at].weight)
            drawn -= faults[at++].weight;
        if (!faults[at].find(w))
            continue;
        w->flaw = faults[at].flaw;
        w->g.c->fault = faults[at].name;
        fuzz_case_expect(w->g.c, faults[at].rule);
        return;
    }
}
