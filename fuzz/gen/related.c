/*
 * Related inputs: the graph of a case, drawn again and told in another way.
 * What changes is put between the drawing and the writing (graph.c).
 */
#include "related.h"

#include <stdlib.h>

#include "make.h"

static const char *const names[FUZZ_RELATIONS] = {
    [FUZZ_RENAME] = "rename",       [FUZZ_RENUMBER] = "renumber",
    [FUZZ_DEAD_TASK] = "dead-task", [FUZZ_PERMUTE] = "permute",
    [FUZZ_EARLY] = "early",         [FUZZ_DUMMY_JOIN] = "dummy-join",
    [FUZZ_DECLARE] = "declare",     [FUZZ_SCALE] = "scale",
    [FUZZ_ALONE] = "alone",
};

const char *fuzz_relation_name(fuzz_relation relation)
{
    return names[relation];
}

void fuzz_map_free(fuzz_map *map)
{
    for (uint32_t i = 0; i < map->keys; i++) {
        free(map->key_to[i]);
        free(map->key_from[i]);
    }
    free(map->task_to);
    free(map->task_from);
    free(map->key_to);
    free(map->key_from);
    *map = (fuzz_map){0};
}

/* --- The map --- */

bool fuzz_map_task(fuzz_map *map, int64_t to, int64_t from)
{
    size_t count = map->tasks + 1u;
    int64_t *grown = reallocarray(map->task_to, count, sizeof *grown);
    if (grown != NULL)
        map->task_to = grown;
    int64_t *other = reallocarray(map->task_from, count, sizeof *other);
    if (other != NULL)
        map->task_from = other;
    if (grown == NULL || other == NULL)
        return false;
    map->task_to[map->tasks] = to;
    map->task_from[map->tasks++] = from;
    return true;
}

bool fuzz_map_room(fuzz_map *map, uint32_t keys)
{
    map->key_to = calloc(keys + 1u, sizeof *map->key_to);
    map->key_from = calloc(keys + 1u, sizeof *map->key_from);
    return map->key_to != NULL && map->key_from != NULL;
}

bool fuzz_map_key(fuzz_map *map, const char *to, const char *from)
{
    map->key_to[map->keys] = strdup(to);
    map->key_from[map->keys] = strdup(from);
    map->keys++;
    return map->key_to[map->keys - 1] != NULL &&
           map->key_from[map->keys - 1] != NULL;
}

static bool map_keys(fuzz_map *map, graph *g)
{
    bool ok = fuzz_map_room(map, g->buffer_count);
    for (uint32_t b = 0; ok && b < g->buffer_count; b++) {
        char from[GRAPH_NAME], to[GRAPH_NAME];
        g->relation = FUZZ_RELATIONS;
        fuzz_graph_key(g, b, from);
        g->relation = FUZZ_RENAME;
        fuzz_graph_key(g, b, to);
        ok = fuzz_map_key(map, to, from);
    }
    return ok;
}

/* --- Changes; FUZZ_NO_SUCH: there is no place for one --- */

static fuzz_status status_of(bool ok)
{
    return ok ? FUZZ_OK : FUZZ_NO_MEMORY;
}

static fuzz_status renumber(graph *g, fuzz_map *map)
{
    bool ok = true;
    for (uint32_t t = 0; ok && t < g->task_count; t++) {
        int64_t id = 5000 + 3 * (int64_t)(g->task_count - t);
        ok = fuzz_map_task(map, id, g->tasks[t].id);
        g->tasks[t].id = id;
    }
    ok = ok && fuzz_map_task(map, 17, g->no_task);
    g->no_task = 17;
    return status_of(ok);
}

/* An edge to or from a task that is not there, or of one to itself. */
static bool has_odd_edge(const graph *g)
{
    for (uint32_t i = 0; i < g->edge_count; i++) {
        const graph_edge *e = &g->edges[i];
        if (e->from >= g->task_count || e->to >= g->task_count ||
            e->from == e->to)
            return true;
    }
    return false;
}

static fuzz_status dead_task(graph *g, fuzz_map *map, fuzz_random *r)
{
    graph_breaker b = {.g = g, .r = *r};
    if (has_odd_edge(g) || g->externals >= 250)
        return FUZZ_NO_SUCH;
    bool ok =
        fuzz_graph_add_task(&b, fuzz_graph_fresh(&b, true, 1), GRAPH_WRITE) &&
        fuzz_map_task(map, g->tasks[g->task_count - 1].id, -1);
    return status_of(ok);
}

static bool share_storage(const graph *g, uint32_t a, uint32_t b)
{
    const graph_task *x = &g->tasks[a], *y = &g->tasks[b];
    for (uint32_t i = x->first_arg; i < x->first_arg + x->args; i++) {
        for (uint32_t k = y->first_arg; k < y->first_arg + y->args; k++) {
            if (g->args[i].buffer != GRAPH_NONE &&
                g->args[k].buffer != GRAPH_NONE &&
                g->buffers[g->args[i].buffer].root ==
                    g->buffers[g->args[k].buffer].root)
                return true;
        }
    }
    return false;
}

static bool are_joined(const graph *g, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < g->edge_count; i++) {
        const graph_edge *e = &g->edges[i];
        if ((e->from == a && e->to == b) || (e->from == b && e->to == a))
            return true;
    }
    return false;
}

static bool are_free(const graph *g, uint32_t t)
{
    const graph_task *x = &g->tasks[t], *y = &g->tasks[t + 1];
    return x->scope == y->scope && x->predicate == GRAPH_NONE &&
           y->predicate == GRAPH_NONE && !share_storage(g, t, t + 1) &&
           !are_joined(g, t, t + 1);
}

static uint32_t swapped(uint32_t task, uint32_t t)
{
    return task == t ? t + 1 : task == t + 1 ? t : task;
}

/* The edges to both, which stand one behind the other (first_edge). */
static bool swap_edges(graph *g, uint32_t t)
{
    if (g->first_edge == NULL || g->edge_count == 0)
        return true;
    uint32_t first = g->first_edge[t], second = g->first_edge[t + 1];
    uint32_t own = second - first, next = g->first_edge[t + 2] - second;
    graph_edge *kept = fuzz_arena_get(g->arena, own + 1u, sizeof *kept);
    if (kept == NULL)
        return false;
    memcpy(kept, g->edges + first, own * sizeof *kept);
    memmove(g->edges + first, g->edges + second, next * sizeof *kept);
    memcpy(g->edges + first + next, kept, own * sizeof *kept);
    g->first_edge[t + 1] = first + next;
    return true;
}

static fuzz_status permute(graph *g, fuzz_random *r)
{
    uint32_t pairs = g->task_count - 1;
    if (g->task_count < 2 || g->host_count > 0 || has_odd_edge(g))
        return FUZZ_NO_SUCH;
    uint32_t first = (uint32_t)fuzz_below(r, pairs);
    for (uint32_t i = 0; i < 32 && i < pairs; i++) {
        uint32_t t = (first + i) % pairs;
        if (!are_free(g, t))
            continue;
        graph_task task = g->tasks[t];
        g->tasks[t] = g->tasks[t + 1];
        g->tasks[t + 1] = task;
        for (uint32_t e = 0; e < g->edge_count; e++) {
            g->edges[e].from = swapped(g->edges[e].from, t);
            g->edges[e].to = swapped(g->edges[e].to, t);
        }
        return status_of(swap_edges(g, t));
    }
    return FUZZ_NO_SUCH;
}

static bool has_dep(const graph *g, uint32_t t)
{
    for (uint32_t i = 0; i < g->edge_count; i++) {
        if (g->edges[i].to == t && g->edges[i].form == GRAPH_DEP)
            return true;
    }
    return false;
}

/* Makes room for a task before task t. */
static bool insert_task(graph *g, uint32_t t)
{
    graph_task *grown =
        fuzz_arena_get(g->arena, g->task_count + 1u, sizeof *grown);
    if (grown == NULL)
        return false;
    memcpy(grown, g->tasks, t * sizeof *grown);
    memcpy(grown + t + 1, g->tasks + t, (g->task_count - t) * sizeof *grown);
    grown[t] = (graph_task){.number = g->task_count,
                            .blocks = 1,
                            .scope = GRAPH_NONE,
                            .choice = GRAPH_NONE,
                            .predicate = GRAPH_NONE,
                            .core = 3,
                            .dummy = true,
                            .id = g->no_task++};
    g->tasks = grown;
    g->task_count++;
    for (uint32_t i = 0; i < g->edge_count; i++) {
        g->edges[i].from += g->edges[i].from >= t;
        g->edges[i].to += g->edges[i].to >= t;
    }
    for (uint32_t i = 0; i < g->host_count; i++)
        g->hosts[i].after +=
            g->hosts[i].after != GRAPH_NONE && g->hosts[i].after >= t;
    return true;
}

static fuzz_status dummy_join(graph *g, fuzz_map *map, fuzz_random *r)
{
    if (has_odd_edge(g))
        return FUZZ_NO_SUCH;
    uint32_t first = (uint32_t)fuzz_below(r, g->task_count);
    for (uint32_t i = 0; i < 32 && i < g->task_count; i++) {
        uint32_t t = (first + i) % g->task_count;
        if (g->tasks[t].choice != GRAPH_NONE || !has_dep(g, t))
            continue;
        if (!insert_task(g, t))
            return FUZZ_NO_MEMORY;
        for (uint32_t e = 0; e < g->edge_count; e++) {
            if (g->edges[e].to == t + 1 && g->edges[e].form == GRAPH_DEP)
                g->edges[e].to = t;
        }
        graph_edge *e = fuzz_graph_edge(g, t, t + 1, 0);
        if (e == NULL)
            return FUZZ_NO_MEMORY;
        e->form = GRAPH_DEP;
        return status_of(fuzz_map_task(map, g->tasks[t].id, -1));
    }
    return FUZZ_NO_SUCH;
}

/*
 * What the tensor map gives between views that one of them tells backwards is
 * there perhaps: no tensor is told so. A predicate's operand, which no edge is
 * for, shows whether it is.
 */
static bool shows_perhaps(const graph *g)
{
    bool predicates = false;
    for (uint32_t i = 0; i < g->task_count; i++)
        predicates |= g->tasks[i].predicate != GRAPH_NONE;
    return predicates && g->rules == GRAPH_RULES_TENSORMAP;
}

static fuzz_status declare(graph *g, fuzz_random *r)
{
    if (g->edge_count == 0)
        return FUZZ_NO_SUCH;
    bool given = !shows_perhaps(g);
    uint32_t first = (uint32_t)fuzz_below(r, g->edge_count);
    for (uint32_t i = 0; i < g->edge_count; i++) {
        graph_edge e = g->edges[(first + i) % g->edge_count];
        /* Among doubts the runtime may not know whether views meet: then the
           edge is perhaps there, and declaring it settles that. */
        bool automatic = e.form == GRAPH_AUTOMATIC && !e.doubtful && !g->doubts;
        if (!(e.form == GRAPH_GIVEN && given) && !automatic)
            continue;
        graph_edge *added = fuzz_graph_edge(g, e.from, e.to, e.kinds);
        if (added == NULL)
            return FUZZ_NO_MEMORY;
        added->form = GRAPH_DEP;
        return FUZZ_OK;
    }
    return FUZZ_NO_SUCH;
}

fuzz_status fuzz_graph_relate(graph *g, fuzz_map *map, fuzz_relation relation)
{
    fuzz_random r = fuzz_random_of(&g->c->name, GRAPH_FOR_RELATION);
    if (g->spoiled || g->damage.field != NULL || g->task_count == 0)
        return FUZZ_NO_SUCH;
    switch (relation) {
    case FUZZ_RENAME:
        return status_of(map_keys(map, g));
    case FUZZ_RENUMBER:
        return renumber(g, map);
    case FUZZ_DEAD_TASK:
        return dead_task(g, map, &r);
    case FUZZ_PERMUTE:
        return permute(g, &r);
    case FUZZ_EARLY:
        g->relation = FUZZ_EARLY;
        return FUZZ_OK;
    case FUZZ_DUMMY_JOIN:
        return dummy_join(g, map, &r);
    case FUZZ_DECLARE:
        return declare(g, &r);
    case FUZZ_SCALE: /* a graph is in no memory; its plan is drawn apart */
    case FUZZ_ALONE:
    case FUZZ_RELATIONS:
        break;
    }
    return FUZZ_NO_SUCH;
}

static fuzz_status (*const makers[FUZZ_KINDS])(fuzz_case *c,
                                               const fuzz_limits *limits,
                                               fuzz_map *map,
                                               fuzz_relation relation) = {
    [FUZZ_SCORE] = fuzz_make_score_related,
    [FUZZ_IR] = fuzz_make_ir_related,
    [FUZZ_MEMORY] = fuzz_make_memory_related,
    [FUZZ_GRAPH] = fuzz_make_graph_related,
    [FUZZ_BUNDLE] = fuzz_make_bundle_related,
    [FUZZ_RECORD] = fuzz_make_record_related,
};

static fuzz_status make_changed(fuzz_case *c, fuzz_map *map,
                                const fuzz_name *name,
                                const fuzz_limits *limits, uint32_t change)
{
    if (!fuzz_case_clear(c))
        return FUZZ_NO_MEMORY;
    c->name = *name;
    fuzz_status status =
        makers[name->stream](c, limits, map, (fuzz_relation)change);
    if (c->input.failed || c->options.failed || fuzz_arena_failed(c->work))
        return FUZZ_NO_MEMORY;
    return status;
}

fuzz_status fuzz_case_relate(fuzz_case *c, fuzz_map *map, const fuzz_name *name,
                             const fuzz_limits *limits, fuzz_relation relation)
{
    fuzz_map_free(map);
    if (name->stream >= FUZZ_KINDS || makers[name->stream] == NULL ||
        relation >= FUZZ_RELATIONS)
        return FUZZ_NO_SUCH;
    return make_changed(c, map, name, limits, relation);
}

fuzz_status fuzz_case_ablate(fuzz_case *c, const fuzz_name *name,
                             const fuzz_limits *limits, fuzz_ablation ablation)
{
    if (name->stream > FUZZ_MEMORY || ablation >= FUZZ_ABLATIONS)
        return FUZZ_NO_SUCH;
    return make_changed(c, NULL, name, limits, FUZZ_ABLATED + ablation);
}
