/*
 * Faults that bring what they need: tasks behind all others, with buffers of
 * their own, that wait for nobody and that nobody waits for.
 */
#include "graph_fault.h"

static uint32_t pick(graph_breaker *b, uint32_t n)
{
    return fuzz_graph_pick(b, n);
}

uint32_t fuzz_graph_fresh(graph_breaker *b, bool external, uint32_t rows)
{
    uint32_t buffer = fuzz_graph_buffer(b->g, external, rows, 1);
    if (buffer < b->g->buffer_count)
        b->g->buffers[buffer].external = external;
    return buffer;
}

/* The last task, with its id, and without an edge. */
static bool close_task(graph *g)
{
    if (g->task_count == 0 || g->first_edge == NULL)
        return false;
    uint32_t *grown = fuzz_arena_grow(g->arena, g->first_edge, g->task_count,
                                      &g->first_room, sizeof *grown);
    if (grown == NULL)
        return false;
    g->first_edge = grown;
    grown[g->task_count] = g->edge_count;
    g->tasks[g->task_count - 1].id = g->no_task++;
    return true;
}

bool fuzz_graph_add_task(graph_breaker *b, uint32_t buffer, graph_mode mode)
{
    graph *g = b->g;
    fuzz_graph_task(g);
    bool ok = fuzz_graph_use(g, buffer, fuzz_graph_whole(g, buffer), mode);
    if (ok)
        g->args[g->arg_count - 1].dispatch =
            mode == GRAPH_READ ? GRAPH_INPUT : GRAPH_OUTPUT_EXISTING;
    return ok && close_task(g);
}

static graph_task *last(graph_breaker *b)
{
    return &b->g->tasks[b->g->task_count - 1];
}

static graph_arg *last_arg(graph_breaker *b)
{
    return &b->g->args[b->g->arg_count - 1];
}

/* --- Hazards --- */

/* Two writes that nobody puts in order; the caller reads what is external. */
static bool two_writes(graph_breaker *b, bool external)
{
    if (b->g->rules == GRAPH_RULES_CONSERVATIVE)
        return false;
    uint32_t buffer = fuzz_graph_fresh(b, external, 1);
    return fuzz_graph_add_task(b, buffer, GRAPH_WRITE) &&
           fuzz_graph_add_task(b, buffer, GRAPH_WRITE);
}

static bool waw(graph_breaker *b)
{
    return two_writes(b, true);
}

static bool dead_write(graph_breaker *b)
{
    return two_writes(b, false);
}

static bool uninitialised(graph_breaker *b)
{
    return fuzz_graph_add_task(b, fuzz_graph_fresh(b, false, 1), GRAPH_READ);
}

/* What the second does with the buffer is not told. */
static bool untold(graph_breaker *b)
{
    uint32_t buffer = fuzz_graph_fresh(b, pick(b, 2) == 0, 1);
    if (!fuzz_graph_add_task(b, buffer, GRAPH_WRITE) ||
        !fuzz_graph_add_task(b, buffer, GRAPH_READ))
        return false;
    last_arg(b)->unknown = true;
    last_arg(b)->dispatch = GRAPH_NO_DEP;
    return true;
}

/* A predicate on what the task before writes. */
static bool stale(graph_breaker *b)
{
    graph *g = b->g;
    uint32_t buffer = fuzz_graph_fresh(b, true, 1);
    if (!fuzz_graph_add_task(b, buffer, GRAPH_WRITE) ||
        !fuzz_graph_add_task(b, fuzz_graph_fresh(b, true, 1), GRAPH_WRITE))
        return false;
    graph_arg *grown = fuzz_arena_grow(g->arena, g->args, g->arg_count,
                                       &g->arg_room, sizeof *grown);
    if (grown == NULL)
        return false;
    g->args = grown;
    graph_box cell = {{0, 1, 1}, {0, 1, 1}};
    grown[g->arg_count] = (graph_arg){
        .buffer = buffer, .box = cell, .view = cell, .mode = GRAPH_READ};
    last(b)->predicate = g->arg_count++;
    return true;
}

static bool formless(graph_breaker *b)
{
    if (!stale(b))
        return false;
    last(b)->formless = true;
    graph_edge *e = fuzz_graph_edge(b->g, b->g->task_count - 2,
                                    b->g->task_count - 1, GRAPH_OPERAND);
    if (e != NULL)
        e->form = GRAPH_DEP;
    return e != NULL;
}

/* --- One task --- */

static bool self_overlap(graph_breaker *b)
{
    graph *g = b->g;
    if (!fuzz_graph_add_task(b, fuzz_graph_fresh(b, true, 1), GRAPH_WRITE))
        return false;
    graph_arg *grown = fuzz_arena_grow(g->arena, g->args, g->arg_count,
                                       &g->arg_room, sizeof *grown);
    if (grown == NULL)
        return false;
    g->args = grown;
    grown[g->arg_count] = grown[g->arg_count - 1];
    g->arg_count++;
    last(b)->args++;
    return true;
}

static bool block_race(graph_breaker *b)
{
    uint32_t blocks = 2 + pick(b, 6), each = 1 + pick(b, 3);
    uint32_t buffer = fuzz_graph_fresh(b, true, blocks * each + 1);
    if (!fuzz_graph_add_task(b, buffer, GRAPH_WRITE))
        return false;
    last(b)->blocks = blocks;
    last_arg(b)->box.rows.count--;
    last_arg(b)->blocks = blocks;
    last_arg(b)->overlapping = true;
    return true;
}

static bool host(graph_breaker *b)
{
    graph *g = b->g;
    bool internal = pick(b, 4) == 0;
    uint32_t buffer = fuzz_graph_fresh(b, !internal, 1);
    bool over = !internal && pick(b, 3) == 0; /* what the task reads */
    if (!fuzz_graph_add_task(b, buffer, over ? GRAPH_READ : GRAPH_WRITE))
        return false;
    graph_host *grown =
        fuzz_arena_get(g->arena, g->host_count + 1, sizeof *grown);
    if (grown == NULL)
        return false;
    if (g->host_count > 0)
        memcpy(grown, g->hosts, g->host_count * sizeof *grown);
    g->hosts = grown;
    grown[g->host_count++] =
        (graph_host){internal ? GRAPH_NONE : g->task_count - 1, buffer,
                     over || pick(b, 3) == 0};
    return true;
}

/* The parameter is called an In, and the callee writes it. */
static bool direction(graph_breaker *b)
{
    if (!fuzz_graph_add_task(b, fuzz_graph_fresh(b, true, 1), GRAPH_WRITE))
        return false;
    last_arg(b)->declared = 1;
    last_arg(b)->lies = true;
    return true;
}

/* --- More than the runtime takes --- */

static bool add_args(graph_breaker *b, uint32_t count, graph_arg arg)
{
    graph *g = b->g;
    fuzz_graph_task(g);
    for (uint32_t i = 0; i < count; i++) {
        graph_arg *grown = fuzz_arena_grow(g->arena, g->args, g->arg_count,
                                           &g->arg_room, sizeof *grown);
        if (grown == NULL)
            return false;
        g->args = grown;
        grown[g->arg_count++] = arg;
        last(b)->args++;
    }
    return close_task(g);
}

static bool tensors(graph_breaker *b)
{
    uint32_t buffer = fuzz_graph_fresh(b, true, 1);
    graph_box whole = fuzz_graph_whole(b->g, buffer);
    return add_args(b, 33 + pick(b, 4),
                    (graph_arg){.buffer = buffer, .box = whole, .view = whole});
}

static bool scalars(graph_breaker *b)
{
    return add_args(b, 17 + pick(b, 4), (graph_arg){.buffer = GRAPH_NONE});
}

static bool bare_tasks(graph_breaker *b, uint32_t count, bool named)
{
    for (uint32_t i = 0; i < count; i++) {
        fuzz_graph_task(b->g);
        if (b->g->task_count == 0 || !close_task(b->g))
            return false;
        last(b)->bare = !named;
        last(b)->name = 1000 + i;
    }
    return true;
}

static bool functions(graph_breaker *b)
{
    return bare_tasks(b, 1025 + pick(b, 8), true);
}

static bool externals(graph_breaker *b)
{
    for (uint32_t i = 0; i < 257; i++)
        fuzz_graph_fresh(b, true, 1);
    return true;
}

static bool scopes(graph_breaker *b)
{
    graph *g = b->g;
    uint32_t more = 65 + pick(b, 3);
    graph_scope *grown =
        fuzz_arena_get(g->arena, g->scope_count + more, sizeof *grown);
    if (grown == NULL)
        return false;
    if (g->scope_count > 0)
        memcpy(grown, g->scopes, g->scope_count * sizeof *grown);
    for (uint32_t i = 0; i < more; i++)
        grown[g->scope_count + i].parent =
            i == 0 ? GRAPH_NONE : g->scope_count + i - 1;
    g->scopes = grown;
    g->scope_count += more;
    fuzz_graph_task(g);
    last(b)->scope = g->scope_count - 1;
    return close_task(g);
}

static bool dimensions(graph_breaker *b)
{
    if (!fuzz_graph_add_task(b, fuzz_graph_fresh(b, true, 1), GRAPH_READ))
        return false;
    last_arg(b)->six = true;
    return true;
}

static bool blocks(graph_breaker *b)
{
    fuzz_graph_task(b->g);
    last(b)->core = (uint8_t)pick(b, 3);
    last(b)->blocks = (last(b)->core == 2 ? 10923 : 32768) + pick(b, 9);
    return close_task(b->g);
}

static bool sync_start(graph_breaker *b)
{
    fuzz_graph_task(b->g);
    last(b)->core = (uint8_t)pick(b, 3);
    last(b)->blocks = (last(b)->core == 0 ? 49 : 25) + pick(b, 9);
    last(b)->sync_start = true;
    return close_task(b->g);
}

static bool ready(graph_breaker *b)
{
    return bare_tasks(b, 8193, false);
}

static bool tasks(graph_breaker *b)
{
    return bare_tasks(b, 16385, false);
}

/* A dummy that waits for more than the runtime lets it. */
static bool fan_in(graph_breaker *b)
{
    graph *g = b->g;
    uint32_t first = g->task_count, count = 129 + pick(b, 4);
    if (!bare_tasks(b, count + 1, true))
        return false;
    last(b)->dummy = pick(b, 2) == 0;
    for (uint32_t i = 0; i < count; i++) {
        graph_edge *e = fuzz_graph_edge(g, first + i, g->task_count - 1, 0);
        if (e == NULL)
            return false;
        e->form = GRAPH_DEP;
    }
    return true;
}

/* What takes thousands of tasks is rare, and still raised often enough. */
const graph_fault fuzz_graph_extras[] = {
    {"two-writes", "hazard.waw", 12, waw},
    {"dead-write", "hazard.dead-write", 12, dead_write},
    {"no-value", "hazard.uninitialised", 8, uninitialised},
    {"untold", "hazard.unknown-access", 4, untold},
    {"stale-predicate", "predicate.stale", 12, stale},
    {"formless", "predicate.form", 8, formless},
    {"self-overlap", "task.self-overlap", 8, self_overlap},
    {"block-race", "task.block-race", 8, block_race},
    {"host-access", "host.stale-read", 8, host},
    {"direction", "direction.mismatch", 8, direction},
    {"tensors", "limit.tensors", 8, tensors},
    {"scalars", "limit.scalars", 8, scalars},
    {"functions", "limit.functions", 3, functions},
    {"externals", "limit.externals", 8, externals},
    {"scopes", "limit.scopes", 8, scopes},
    {"dimensions", "limit.dimensions", 8, dimensions},
    {"blocks", "limit.blocks", 8, blocks},
    {"sync-start", "limit.sync-start", 8, sync_start},
    {"ready", "limit.ready", 2, ready},
    {"tasks", "limit.tasks", 1, tasks},
    {"fan-in", "edge.fan-in", 8, fan_in},
};
const uint32_t fuzz_graph_extra_count =
    sizeof fuzz_graph_extras / sizeof *fuzz_graph_extras;
