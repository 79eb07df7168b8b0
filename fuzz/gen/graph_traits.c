/*
 * What a graph has beside tasks and bytes: opt-outs, scopes, predicates,
 * choices, blocks; the rule set, and in which form each edge is written.
 */
#include "graph.h"

static uint32_t pick(fuzz_random *r, uint32_t n)
{
    return (uint32_t)fuzz_below(r, n);
}

/* --- Of tasks --- */

static void scopes(graph *g, fuzz_random *r)
{
    uint32_t count = fuzz_chance(r, 1, 16) ? 60 + pick(r, 5) : 1 + pick(r, 5);
    bool deep = count > 8;
    g->scopes = fuzz_arena_get(g->arena, count, sizeof *g->scopes);
    if (g->scopes == NULL)
        return;
    g->scope_count = count;
    for (uint32_t i = 0; i < count; i++) {
        graph_scope *s = &g->scopes[i];
        s->parent = i == 0 ? GRAPH_NONE : deep ? i - 1 : pick(r, i);
        s->manual = fuzz_chance(r, 1, deep ? 60 : 3);
        s->in_manual = s->manual || (i > 0 && g->scopes[s->parent].in_manual);
    }
    uint32_t at = 0;
    for (uint32_t t = 0; t < g->task_count; t++) {
        if (fuzz_chance(r, 1, 4))
            at = pick(r, count + 1);
        g->tasks[t].scope = at == count ? GRAPH_NONE : at;
    }
}

static void choices(graph *g, fuzz_random *r)
{
    g->choices = 1 + pick(r, 3);
    g->all_pairs = true;
    for (uint32_t t = 0; t < g->task_count; t++) {
        if (!fuzz_chance(r, 1, 3))
            continue;
        g->tasks[t].choice = pick(r, g->choices);
        g->tasks[t].is = fuzz_chance(r, 1, 2);
    }
}

/* The operand is an argument behind those of all tasks. */
static void predicate(graph *g, fuzz_random *r, graph_task *task)
{
    uint32_t b = pick(r, g->buffer_count);
    const graph_buffer *buffer = &g->buffers[b];
    if (buffer->moving)
        return;
    graph_arg *grown = fuzz_arena_grow(g->arena, g->args, g->arg_count,
                                       &g->arg_room, sizeof *grown);
    if (grown == NULL)
        return;
    g->args = grown;
    uint32_t row = pick(r, buffer->rows);
    graph_box cell = {{row, 1, 1}, {pick(r, buffer->cols), 1, 1}};
    grown[g->arg_count] =
        (graph_arg){.buffer = b, .box = cell, .view = cell, .mode = GRAPH_READ};
    task->predicate = g->arg_count++;
}

void fuzz_graph_predicates(graph *g, fuzz_random *r)
{
    for (uint32_t t = 0; t < g->task_count && g->buffer_count > 0; t++) {
        if (fuzz_chance(r, 1, 6))
            predicate(g, r, &g->tasks[t]);
    }
}

/* Rows of one writing argument, dealt to the blocks of the task. */
static void deal(graph *g, fuzz_random *r, graph_task *task)
{
    for (uint32_t i = 0; i < task->args && task->blocks > 1; i++) {
        graph_arg *arg = &g->args[task->first_arg + i];
        if (arg->buffer == GRAPH_NONE || g->buffers[arg->buffer].moving ||
            arg->box.rows.step != 1 || arg->box.rows.count < 2 ||
            arg->box.rows.count % task->blocks != 0)
            continue;
        if (fuzz_chance(r, 2, 3))
            arg->blocks = task->blocks;
    }
}

static void cores(graph *g, fuzz_random *r)
{
    static const uint32_t blocks[] = {1, 1, 1, 1, 2, 2, 3, 4, 8, 24, 0, 10922};
    bool told = fuzz_chance(r, 3, 4), spmd = fuzz_chance(r, 1, 3);
    bool early = fuzz_chance(r, 1, 4);
    for (uint32_t t = 0; t < g->task_count; t++) {
        graph_task *task = &g->tasks[t];
        task->core = told ? (uint8_t)pick(r, 3) : 3;
        task->early = early && fuzz_chance(r, 1, 3);
        if (!spmd)
            continue;
        task->blocks = blocks[pick(r, 12)];
        task->sync_start =
            task->blocks > 0 && task->blocks <= 16 && fuzz_chance(r, 1, 6);
        deal(g, r, task);
    }
}

/* --- Of arguments --- */

static void opt_out(graph *g, fuzz_random *r, uint32_t part)
{
    for (uint32_t i = 0; i < g->arg_count; i++) {
        graph_arg *arg = &g->args[i];
        if (arg->buffer == GRAPH_NONE || !fuzz_chance(r, 1, part))
            continue;
        if (fuzz_chance(r, 1, 2))
            arg->dispatch = GRAPH_NO_DEP;
        else
            arg->manual_dep = true;
    }
    for (uint32_t b = 0; b < g->buffer_count; b++)
        g->buffers[b].manual_dep = fuzz_chance(r, 1, 2 * part);
}

/* What a front end does not know: sizes, whether, and how much. */
static void doubts(graph *g, fuzz_random *r)
{
    g->doubts = true;
    for (uint32_t i = 0; i < g->arg_count; i++) {
        graph_arg *arg = &g->args[i];
        arg->may = fuzz_chance(r, 1, 6);
        arg->bound = fuzz_chance(r, 1, 8);
        arg->unknown = fuzz_chance(r, 1, 12);
    }
    for (uint32_t b = 0; b < g->buffer_count; b++)
        g->buffers[b].sized = !fuzz_chance(r, 1, 4);
}

/* --- The orchestration --- */

/* Whether a task up to the last one writes it or, with `reads`, reads it. */
static bool is_touched(const graph *g, uint32_t root, uint32_t last, bool reads)
{
    for (uint32_t t = 0; t <= last && t < g->task_count; t++) {
        const graph_task *task = &g->tasks[t];
        if (reads && task->predicate != GRAPH_NONE &&
            g->buffers[g->args[task->predicate].buffer].root == root)
            return true;
        for (uint32_t i = 0; i < task->args; i++) {
            const graph_arg *arg = &g->args[task->first_arg + i];
            if (arg->buffer != GRAPH_NONE &&
                g->buffers[arg->buffer].root == root &&
                (reads || arg->mode != GRAPH_READ || arg->unknown))
                return true;
        }
    }
    return false;
}

static void hosts(graph *g, fuzz_random *r)
{
    uint32_t count = 1 + pick(r, 3);
    g->hosts = fuzz_arena_get(g->arena, count + 1, sizeof *g->hosts);
    for (uint32_t i = 0; i < count && g->hosts != NULL; i++) {
        uint32_t b = pick(r, g->buffer_count);
        uint32_t after = pick(r, g->task_count + 1);
        if (!g->buffers[b].external)
            continue;
        bool writes = fuzz_chance(r, 1, 4);
        if (after == g->task_count)
            after = GRAPH_NONE;
        else if (is_touched(g, g->buffers[b].root, after, writes))
            continue;
        g->hosts[g->host_count++] = (graph_host){after, b, writes};
    }
}

static graph_rules draw_rules(fuzz_random *r)
{
    static const graph_rules rules[] = {
        GRAPH_RULES_NONE,         GRAPH_RULES_NONE,
        GRAPH_RULES_NONE,         GRAPH_RULES_UNTOLD,
        GRAPH_RULES_CONSERVATIVE, GRAPH_RULES_CONSERVATIVE,
        GRAPH_RULES_TENSORMAP,    GRAPH_RULES_TENSORMAP};
    return rules[pick(r, 8)];
}

void fuzz_graph_few_traits(graph *g)
{
    fuzz_random r = fuzz_random_of(&g->c->name, GRAPH_FOR_TRAITS);
    g->rules = draw_rules(&r);
    for (uint32_t t = 0; t < g->task_count; t++)
        g->tasks[t].core = (uint8_t)pick(&r, 3);
}

void fuzz_graph_traits(graph *g)
{
    fuzz_random r = fuzz_random_of(&g->c->name, GRAPH_FOR_TRAITS);
    g->rules = draw_rules(&r);
    if (g->task_count == 0 || g->buffer_count == 0)
        return;
    if (fuzz_chance(&r, 1, 4))
        scopes(g, &r);
    if (fuzz_chance(&r, 1, 8) && (!g->dense || g->task_count <= 24))
        choices(g, &r);
    if (fuzz_chance(&r, 1, 6))
        fuzz_graph_predicates(g, &r);
    cores(g, &r);
    if (fuzz_chance(&r, 1, 3))
        opt_out(g, &r, 2 + pick(&r, 10));
    if (!g->broken && fuzz_chance(&r, 1, 5))
        doubts(g, &r);
    if (fuzz_chance(&r, 1, 8))
        hosts(g, &r);
}

/* --- Edges --- */

static bool is_out(const graph *g, const graph_task *task, const graph_arg *arg)
{
    return arg->dispatch == GRAPH_NO_DEP || arg->dispatch == GRAPH_UNTOLD ||
           arg->manual_dep || g->buffers[arg->buffer].manual_dep ||
           g->buffers[g->buffers[arg->buffer].root].manual_dep ||
           (task->scope != GRAPH_NONE && g->scopes[task->scope].in_manual);
}

/* Of a single one no step is taken. */
static bool same_range(const graph_range *a, const graph_range *b)
{
    return a->from == b->from && a->count == b->count &&
           (a->step == b->step || a->count == 1);
}

static bool same_box(const graph_box *a, const graph_box *b)
{
    return same_range(&a->rows, &b->rows) && same_range(&a->cols, &b->cols);
}

/* Whether the rule set looks from `later` at `earlier` and has an edge. */
static bool is_seen(const graph *g, const graph_arg *earlier,
                    const graph_arg *later)
{
    bool conservative = g->rules == GRAPH_RULES_CONSERVATIVE;
    bool registers = earlier->dispatch == GRAPH_OUTPUT_EXISTING ||
                     earlier->dispatch == GRAPH_UPDATE;
    bool looks =
        later->dispatch == GRAPH_INPUT || later->dispatch == GRAPH_UPDATE;
    if (conservative)
        return earlier->dispatch != GRAPH_INPUT ||
               later->dispatch != GRAPH_INPUT;
    return registers && looks;
}

/*
 * The rule set gives the edge for sure: two arguments that are both told to it,
 * over one view. (Of other views it may give one; that does no harm.)
 */
static bool is_given(const graph *g, const graph_edge *e)
{
    const graph_task *from = &g->tasks[e->from], *to = &g->tasks[e->to];
    if (g->rules != GRAPH_RULES_CONSERVATIVE &&
        g->rules != GRAPH_RULES_TENSORMAP)
        return false;
    for (uint32_t i = from->first_arg; i < from->first_arg + from->args; i++) {
        const graph_arg *x = &g->args[i];
        if (x->buffer == GRAPH_NONE || is_out(g, from, x))
            continue;
        for (uint32_t k = to->first_arg; k < to->first_arg + to->args; k++) {
            const graph_arg *y = &g->args[k];
            if (y->buffer == x->buffer && !is_out(g, to, y) &&
                same_box(&x->view, &y->view) && is_seen(g, x, y))
                return true;
        }
    }
    return false;
}

/* A label that is true, or none. */
static uint8_t label_of(const graph_edge *e, fuzz_random *r)
{
    uint8_t n = 0, labels[4];
    if ((e->kinds & GRAPH_DATA) != 0)
        labels[n++] = 1;
    if ((e->kinds & GRAPH_STORAGE) != 0)
        labels[n++] = 2;
    if ((e->kinds & GRAPH_WAR) != 0)
        labels[n++] = 3;
    labels[n] = 4;
    if (fuzz_chance(r, 1, 4))
        return 0;
    return labels[n == 0 || fuzz_chance(r, 1, 8) ? n : pick(r, n)];
}

void fuzz_graph_forms(graph *g)
{
    static const uint8_t forms[] = {GRAPH_DEP, GRAPH_EXPLICIT, GRAPH_AUTOMATIC,
                                    GRAPH_RECORDED, GRAPH_POLICY};
    fuzz_random r = fuzz_random_of(&g->c->name, GRAPH_FOR_TRAITS);
    r.counter = UINT64_C(1) << 32; /* behind the traits of before */
    uint8_t one = forms[pick(&r, 5)];
    bool mixed = fuzz_chance(&r, 1, 3), labels = fuzz_chance(&r, 2, 3);
    for (uint32_t i = 0; i < g->edge_count; i++) {
        graph_edge *e = &g->edges[i];
        e->form = is_given(g, e) ? (uint8_t)GRAPH_GIVEN
                  : mixed        ? forms[pick(&r, 5)]
                                 : one;
        if (labels)
            e->label = label_of(e, &r);
        e->doubtful =
            g->doubts && e->form >= GRAPH_EXPLICIT && fuzz_chance(&r, 1, 16);
    }
}
