/* The maker of records of runs; one case of four is a memory plan as CSV. */
#include "record.h"

#include <inttypes.h>
#include <stdio.h>

#include "damage.h"
#include "make.h"
#include "related.h"

#define MOST_TASKS 200

/* Additions that a runtime orders as it orders updates. */
static void update_instead(graph *g)
{
    for (uint32_t i = 0; i < g->arg_count; i++) {
        graph_arg *arg = &g->args[i];
        if (arg->buffer != GRAPH_NONE && arg->mode == GRAPH_ACCUMULATE)
            arg->mode = GRAPH_INOUT;
    }
}

/* All memory is the caller's: who allocates is told by creator edges alone. */
static void draw_traits(record *w)
{
    graph *g = &w->g;
    static const uint32_t blocks[] = {1, 1, 1, 1, 2, 3};
    g->rules = GRAPH_RULES_NONE;
    for (uint32_t i = 0; i < g->buffer_count; i++)
        g->buffers[i].external = true;
    for (uint32_t t = 0; t < g->task_count; t++) {
        g->tasks[t].core = (uint8_t)(g->tasks[t].name % 3);
        g->tasks[t].blocks = blocks[fuzz_below(&w->r, 6)];
        g->tasks[t].early = fuzz_chance(&w->r, 1, 8);
    }
}

/* Ids of one ring count submissions. */
static void number(graph *g, fuzz_random *r)
{
    int64_t ring = (int64_t)fuzz_below(r, 4) << 32;
    for (uint32_t t = 0; t < g->task_count; t++)
        g->tasks[t].id = ring + t;
    g->no_task = ring + g->task_count;
}

/* Each task starts behind all that it waits for. */
static bool schedule(record *w)
{
    const graph *g = &w->g;
    w->times = fuzz_arena_get(g->arena, g->task_count + 1, sizeof *w->times);
    if (w->times == NULL)
        return false;
    for (uint32_t t = 0; t < g->task_count; t++) {
        int64_t begin = 10 + fuzz_between(&w->r, 0, 5);
        for (uint32_t e = g->first_edge[t]; e < g->first_edge[t + 1]; e++) {
            int64_t end = w->times[g->edges[e].from].end;
            begin = end > begin ? end : begin;
        }
        begin += fuzz_between(&w->r, 0, 3);
        w->times[t] = (record_time){begin, begin + fuzz_between(&w->r, 4, 40)};
    }
    return true;
}

/* --- Related records --- */

/* Ids of another ring, in the same order. */
static fuzz_status renumber(graph *g, fuzz_map *map)
{
    int64_t other = INT64_C(5) << 32;
    bool ok = true;
    for (uint32_t t = 0; ok && t < g->task_count; t++) {
        ok = fuzz_map_task(map, g->tasks[t].id + other, g->tasks[t].id);
        g->tasks[t].id += other;
    }
    g->no_task += other;
    return ok ? FUZZ_OK : FUZZ_NO_MEMORY;
}

/* Other numbers of tensors, and other memory, in the same order. */
static fuzz_status rename_tensors(record *w, fuzz_map *map)
{
    record own = *w;
    bool ok = fuzz_map_room(map, w->g.buffer_count);
    w->tensors = 7000;
    w->addresses = INT64_C(1) << 40;
    for (uint32_t b = 0; ok && b < w->g.buffer_count; b++) {
        char to[32], from[32];
        (void)snprintf(to, sizeof to, "param:%" PRId64,
                       fuzz_record_address(w, b));
        (void)snprintf(from, sizeof from, "param:%" PRId64,
                       fuzz_record_address(&own, b));
        ok = fuzz_map_key(map, to, from);
    }
    return ok ? FUZZ_OK : FUZZ_NO_MEMORY;
}

static fuzz_status relate(record *w, fuzz_map *map, fuzz_relation relation)
{
    if (w->flaw != RECORD_FLAWLESS)
        return FUZZ_NO_SUCH;
    if (relation == FUZZ_RENUMBER)
        return renumber(&w->g, map);
    if (relation == FUZZ_RENAME && !w->plan)
        return rename_tensors(w, map);
    if (relation != FUZZ_EARLY)
        return FUZZ_NO_SUCH;
    for (uint32_t t = 0; t < w->g.task_count; t++)
        w->g.tasks[t].early = !w->g.tasks[t].early;
    return FUZZ_OK;
}

fuzz_status fuzz_make_record(fuzz_case *c, const fuzz_limits *limits)
{
    return fuzz_make_record_related(c, limits, NULL, FUZZ_RELATIONS);
}

fuzz_status fuzz_make_record_related(fuzz_case *c, const fuzz_limits *limits,
                                     fuzz_map *map, fuzz_relation relation)
{
    record w = {.r = fuzz_random_of(&c->name, GRAPH_FOR_TRAITS)};
    graph *g = &w.g;
    fuzz_status status = FUZZ_OK;
    if (fuzz_chance(&w.r, 1, 4))
        return relation == FUZZ_RELATIONS ? fuzz_make_csv(c, limits)
                                          : FUZZ_NO_SUCH;
    fuzz_graph_start(g, c);
    g->broken = fuzz_chance(&g->shape_random, 1, 3);
    fuzz_graph_flat_shape(
        g, fuzz_task_count(&g->shape_random, limits, MOST_TASKS));
    update_instead(g);
    draw_traits(&w);
    number(g, &w.r);
    fuzz_graph_order(g);
    if (fuzz_arena_failed(g->arena))
        return FUZZ_NO_MEMORY;
    fuzz_graph_forms(g);
    w.plan = fuzz_chance(&w.r, 1, 3);
    if (fuzz_chance(&w.r, 1, 2) && !schedule(&w))
        return FUZZ_NO_MEMORY;
    w.r = fuzz_random_of(&c->name, GRAPH_FOR_FAULT);
    if (g->broken)
        fuzz_record_break(&w);
    if (relation != FUZZ_RELATIONS)
        status = relate(&w, map, relation);
    if (status != FUZZ_OK)
        return status;
    c->shape = g->shape;
    c->tasks = g->task_count;
    fuzz_record_write(&w, &c->input);
    if (w.flaw == RECORD_SYNTAX)
        fuzz_damage(&c->input, &w.r);
    return FUZZ_OK;
}
