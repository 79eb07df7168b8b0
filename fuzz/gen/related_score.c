/*
 * Related Scores: the model of a case, changed behind all that is drawn of it
 * and before it is written (score.c). Ids keep their order, and so do keys, of
 * which the places in a memory plan depend.
 */
#include "related.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static fuzz_status rename_buffers(fuzz_model *m, fuzz_map *map)
{
    for (uint32_t i = 0; i < m->buffer_count; i++)
        m->buffers[i].marked = true;
    map->mark = FUZZ_MARK;
    return FUZZ_OK;
}

static int compare_id(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int64_t id_of_rank(uint32_t rank)
{
    return 11 + 3 * (int64_t)rank;
}

static uint32_t rank_of(const int64_t *ids, uint32_t count, int64_t id)
{
    const int64_t *at = bsearch(&id, ids, count, sizeof *ids, compare_id);
    return (uint32_t)(at - ids);
}

static fuzz_status renumber(fuzz_model *m, fuzz_map *map)
{
    int64_t *ids = calloc(m->task_count + 1u, sizeof *ids);
    bool ok = ids != NULL;
    for (uint32_t i = 0; ok && i < m->task_count; i++)
        ids[i] = m->tasks[i].id;
    if (ok && m->task_count > 1)
        qsort(ids, m->task_count, sizeof *ids, compare_id);
    for (uint32_t i = 0; ok && i < m->task_count; i++)
        ok = fuzz_map_task(map, id_of_rank(i), ids[i]);
    for (uint32_t i = 0; ok && i < m->task_count; i++)
        m->tasks[i].id =
            id_of_rank(rank_of(ids, m->task_count, m->tasks[i].id));
    free(ids);
    return ok ? FUZZ_OK : FUZZ_NO_MEMORY;
}

/* --- One more task, which takes a number --- */

/* Puts it before task t; behind all others where t is their number. */
static fuzz_status insert_task(fuzz_model *m, fuzz_map *map, uint32_t t)
{
    int64_t last = -1;
    for (uint32_t i = 0; i < m->task_count; i++)
        last = m->tasks[i].id > last ? m->tasks[i].id : last;
    if (last == INT64_MAX)
        return FUZZ_NO_SUCH;
    fuzz_add_task(m);
    fuzz_add_plain(m, FUZZ_NONE, FUZZ_SCALAR);
    if (m->failed)
        return FUZZ_NO_MEMORY;
    m->args[m->arg_count - 1].value = 0; /* a plain number */
    fuzz_task added = m->tasks[m->task_count - 1];
    added.id = last + 1;
    memmove(&m->tasks[t + 1], &m->tasks[t],
            (m->task_count - 1 - t) * sizeof *m->tasks);
    m->tasks[t] = added;
    for (uint32_t i = 0; i < m->edge_count; i++) {
        m->edges[i].from += m->edges[i].from >= t;
        m->edges[i].to += m->edges[i].to >= t;
    }
    return fuzz_map_task(map, added.id, -1) ? FUZZ_OK : FUZZ_NO_MEMORY;
}

/* The edges to a task lead to one before it, and one leads from there. */
static fuzz_status join(fuzz_model *m, fuzz_map *map, fuzz_random *random)
{
    if (m->edge_count == 0)
        return FUZZ_NO_SUCH;
    const fuzz_edge *e = &m->edges[fuzz_below(random, m->edge_count)];
    uint32_t t = e->to;
    if (e->dropped)
        return FUZZ_NO_SUCH;
    fuzz_status status = insert_task(m, map, t);
    if (status != FUZZ_OK)
        return status;
    for (uint32_t i = 0; i < m->edge_count; i++)
        if (m->edges[i].to == t + 1)
            m->edges[i].to = t;
    fuzz_add_edge(m, t, t + 1, FUZZ_ORDERING);
    return FUZZ_OK;
}

/* --- Two neighbours --- */

static bool are_joined(const fuzz_model *m, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < m->edge_count; i++) {
        const fuzz_edge *e = &m->edges[i];
        if ((e->from == a && e->to == b) || (e->from == b && e->to == a))
            return true;
    }
    return false;
}

static bool share_buffer(const fuzz_model *m, uint32_t a, uint32_t b)
{
    const fuzz_task *x = &m->tasks[a], *y = &m->tasks[b];
    for (uint32_t i = 0; i < x->args; i++)
        for (uint32_t k = 0; k < y->args; k++)
            if (m->args[x->first_arg + i].buffer != FUZZ_NONE &&
                m->args[x->first_arg + i].buffer ==
                    m->args[y->first_arg + k].buffer)
                return true;
    return false;
}

static uint32_t swapped(uint32_t task, uint32_t t)
{
    return task == t ? t + 1 : task == t + 1 ? t : task;
}

static fuzz_status permute(fuzz_model *m, fuzz_random *random)
{
    if (m->task_count < 2)
        return FUZZ_NO_SUCH;
    uint32_t pairs = m->task_count - 1;
    uint32_t first = (uint32_t)fuzz_below(random, pairs);
    for (uint32_t i = 0; i < 32 && i < pairs; i++) {
        uint32_t t = (first + i) % pairs;
        if (are_joined(m, t, t + 1) || share_buffer(m, t, t + 1))
            continue;
        fuzz_task task = m->tasks[t];
        m->tasks[t] = m->tasks[t + 1];
        m->tasks[t + 1] = task;
        for (uint32_t e = 0; e < m->edge_count; e++) {
            m->edges[e].from = swapped(m->edges[e].from, t);
            m->edges[e].to = swapped(m->edges[e].to, t);
        }
        return FUZZ_OK;
    }
    return FUZZ_NO_SUCH;
}

/* --- An edge that two others imply --- */

static fuzz_status declare(fuzz_model *m, fuzz_random *random)
{
    if (m->edge_count == 0)
        return FUZZ_NO_SUCH;
    fuzz_edge e = m->edges[fuzz_below(random, m->edge_count)];
    for (uint32_t i = 0; i < m->edge_count && !e.dropped; i++) {
        fuzz_edge next = m->edges[i];
        if (next.dropped || next.from != e.to || next.to == e.from ||
            are_joined(m, e.from, next.to))
            continue;
        fuzz_add_edge(m, e.from, next.to, FUZZ_ORDERING);
        return FUZZ_OK;
    }
    return FUZZ_NO_SUCH;
}

/* --- What lies in memory --- */

/* Sizes are those of the request; a plan of them is as many times as large. */
static fuzz_status scale(fuzz_model *m, fuzz_map *map)
{
    for (uint32_t i = 0; i < m->buffer_count; i++)
        if (m->buffers[i].size > INT64_MAX / FUZZ_SCALED / m->buffer_count)
            return FUZZ_NO_SUCH;
    for (uint32_t i = 0; i < m->buffer_count; i++)
        if (m->buffers[i].size > 0)
            m->buffers[i].size *= FUZZ_SCALED;
    map->scale = FUZZ_SCALED;
    return FUZZ_OK;
}

/* Something lies in memory, and nothing does all the time, as the caller's. */
static bool has_places(const fuzz_model *m)
{
    bool any = false;
    for (uint32_t i = 0; i < m->buffer_count; i++) {
        const fuzz_buffer *b = &m->buffers[i];
        if (b->size > 0 && !b->internal)
            return false;
        any = any || (b->met && b->size > 0);
    }
    return any;
}

/*
 * Where all tasks go one after the other, a last one with a byte of its own:
 * it lies where nothing is any more, and moves nothing.
 */
static fuzz_status add_alone(fuzz_model *m, fuzz_map *map)
{
    if (!has_places(m))
        return FUZZ_NO_SUCH;
    fuzz_status status = insert_task(m, map, m->task_count);
    if (status != FUZZ_OK)
        return status;
    uint32_t buffer = fuzz_add_buffer(m, true);
    fuzz_use(m, buffer, FUZZ_WRITES);
    if (m->failed)
        return FUZZ_NO_MEMORY;
    m->buffers[buffer].size = 1;
    (void)snprintf(map->added, sizeof map->added, "alloc:b%u",
                   (unsigned)m->buffers[buffer].number);
    return FUZZ_OK;
}

/* --- Which --- */

/* The text says nothing that is not in the model. */
static bool is_whole(const fuzz_breaking *b)
{
    return b->patch.place == FUZZ_AT_NONE && !b->c->open &&
           (b->c->fault == NULL || b->keep_edges);
}

/* Edges are in the order of the program, if not all that there should be. */
static bool is_ordered(const fuzz_case *c)
{
    return c->fault == NULL || strncmp(c->fault, "lost-", 5) == 0;
}

/* Whether edges follow from what tasks touch alone, or are those of the text.
 */
static bool by_accesses(const fuzz_request *request)
{
    return request->policy == NULL ||
           strcmp(request->policy, "dataflow_v0") == 0;
}

fuzz_status fuzz_score_relate(fuzz_breaking *b, const fuzz_request *request,
                              fuzz_map *map, fuzz_relation relation)
{
    fuzz_random r = fuzz_random_of(&b->c->name, FUZZ_FOR_RELATION);
    if (relation >= FUZZ_ABLATED)
        return fuzz_score_ablate(b, (fuzz_ablation)(relation - FUZZ_ABLATED));
    bool told = b->style->metadata != NULL; /* what edges are */
    bool free = is_ordered(b->c) && !told;
    if (!is_whole(b))
        return FUZZ_NO_SUCH;
    switch (relation) {
    case FUZZ_RENAME:
        return rename_buffers(b->m, map);
    case FUZZ_RENUMBER:
        return renumber(b->m, map);
    case FUZZ_DEAD_TASK:
        /* Its directions may be the first that a Score has, so that what is
           told of a fallback is not so any more. */
        return by_accesses(request) && !told
                   ? insert_task(b->m, map, b->m->task_count)
                   : FUZZ_NO_SUCH;
    case FUZZ_PERMUTE:
        return free && by_accesses(request) ? permute(b->m, &r) : FUZZ_NO_SUCH;
    case FUZZ_DUMMY_JOIN:
        return free ? join(b->m, map, &r) : FUZZ_NO_SUCH;
    case FUZZ_DECLARE:
        return free ? declare(b->m, &r) : FUZZ_NO_SUCH;
    case FUZZ_SCALE:
        return request->sizes && request->more == NULL ? scale(b->m, map)
                                                       : FUZZ_NO_SUCH;
    case FUZZ_ALONE:
        return b->c->name.stream == FUZZ_MEMORY && request->sizes &&
                       request->policy != NULL && !told &&
                       strcmp(request->policy, "sequential_v0") == 0
                   ? add_alone(b->m, map)
                   : FUZZ_NO_SUCH;
    case FUZZ_EARLY: /* no Score says it */
    case FUZZ_RELATIONS:
        break;
    }
    return FUZZ_NO_SUCH;
}
