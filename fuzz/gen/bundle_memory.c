/*
 * Places in memory. A buffer takes the place of another one only where every
 * use of that comes before its first write along the edges of the Score or of
 * the graph, whichever counts; and all else of it comes behind that write.
 */
#include "bundle.h"

#include <stdlib.h>

#define SEARCHES 12 /* buffers that look for a place that is free again */

uint32_t fuzz_bundle_user(const bundle *b, uint32_t buffer, uint32_t from)
{
    const graph *g = &b->g;
    for (uint32_t t = from; t < g->task_count; t++) {
        const graph_task *task = &g->tasks[t];
        for (uint32_t i = 0; i < task->args; i++) {
            if (g->args[task->first_arg + i].buffer == buffer)
                return t;
        }
    }
    return GRAPH_NONE;
}

bundle_place *fuzz_bundle_place_of(bundle *b, uint32_t buffer)
{
    for (uint32_t i = 0; i < b->place_count; i++) {
        if (b->places[i].buffer == buffer)
            return &b->places[i];
    }
    return NULL;
}

typedef struct placing {
    bundle *b;
    bundle_use *uses;
    bool *before; /* by task: a path leads from it to the task in question */
    uint32_t *next_user, *last_user; /* by argument, by buffer: lists, + 1 */
    uint32_t *owner;                 /* by argument: its task */
} placing;

static bool start(placing *p, bundle *b)
{
    const graph *g = &b->g;
    *p = (placing){.b = b};
    p->uses = fuzz_arena_get(g->arena, g->buffer_count + 1, sizeof *p->uses);
    p->before = fuzz_arena_get(g->arena, g->task_count + 1, 1);
    p->next_user = fuzz_arena_get(g->arena, g->arg_count + 1, sizeof(uint32_t));
    p->last_user =
        fuzz_arena_get(g->arena, g->buffer_count + 1, sizeof(uint32_t));
    p->owner = fuzz_arena_get(g->arena, g->arg_count + 1, sizeof(uint32_t));
    b->places =
        fuzz_arena_get(g->arena, g->buffer_count + 1, sizeof *b->places);
    if (p->uses == NULL || p->before == NULL || p->next_user == NULL ||
        p->last_user == NULL || p->owner == NULL || b->places == NULL)
        return false;
    b->uses = p->uses;
    for (uint32_t t = 0; t < g->task_count; t++) {
        const graph_task *task = &g->tasks[t];
        for (uint32_t i = task->first_arg; i < task->first_arg + task->args;
             i++) {
            uint32_t buffer = g->args[i].buffer;
            if (buffer == GRAPH_NONE)
                continue;
            bundle_use *u = &p->uses[buffer];
            if (!u->any)
                *u = (bundle_use){t, t, true, g->args[i].mode == GRAPH_WRITE};
            u->last = t;
            p->owner[i] = t;
            p->next_user[i] = p->last_user[buffer];
            p->last_user[buffer] = i + 1;
        }
    }
    return true;
}

/* Which tasks come before `task` along the graph's edges, itself apart. */
static void find_before(placing *p, uint32_t task)
{
    const graph *g = &p->b->g;
    memset(p->before, 0, g->task_count);
    p->before[task] = true;
    for (uint32_t t = task + 1; t-- > 0;) {
        if (!p->before[t])
            continue;
        for (uint32_t e = g->first_edge[t]; e < g->first_edge[t + 1]; e++)
            p->before[g->edges[e].from] = true;
    }
    p->before[task] = false;
}

static bool all_before(const placing *p, uint32_t buffer)
{
    for (uint32_t i = p->last_user[buffer]; i != 0; i = p->next_user[i - 1]) {
        if (!p->before[p->owner[i - 1]])
            return false;
    }
    return true;
}

static int64_t align_up(int64_t offset, int64_t align)
{
    return align > 1 ? (offset + align - 1) / align * align : offset;
}

/* Takes the place of a buffer that is done; false: there is none. */
static bool reuse(placing *p, uint32_t buffer, int64_t size)
{
    bundle *b = p->b;
    const graph_buffer *own = &b->g.buffers[buffer];
    find_before(p, p->uses[buffer].first);
    for (uint32_t i = 0; i < b->place_count; i++) {
        bundle_place *place = &b->places[i];
        const graph_buffer *other = &b->g.buffers[place->buffer];
        if (other->external || own->align > 1 || place->size < size ||
            !all_before(p, place->buffer))
            continue;
        /* Only the last one of a place may be followed. */
        bool followed = false;
        for (uint32_t k = i + 1; k < b->place_count; k++)
            followed |= b->places[k].offset == place->offset;
        if (followed)
            continue;
        b->places[b->place_count++] =
            (bundle_place){buffer, place->offset, size};
        return true;
    }
    return false;
}

bool fuzz_bundle_place(bundle *b)
{
    placing p;
    int64_t end = 0;
    uint32_t searches = 0;
    bool externals =
        (b->members & BUNDLE_GRAPH) == 0 || fuzz_chance(&b->r, 1, 2);
    if (!start(&p, b))
        return false;
    for (uint32_t i = 0; i < b->g.buffer_count; i++) {
        const graph_buffer *buffer = &b->g.buffers[i];
        int64_t size = fuzz_graph_bytes(buffer);
        if (!p.uses[i].any || (buffer->external && !externals))
            continue;
        if (!buffer->external && p.uses[i].written_first &&
            searches < SEARCHES) {
            searches++;
            if (reuse(&p, i, size))
                continue;
        }
        end = align_up(end, buffer->align);
        b->places[b->place_count++] = (bundle_place){i, end, size};
        end += size;
    }
    b->peak = end;
    return true;
}
