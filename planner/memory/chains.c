#include "chains.h"

#include <stdlib.h>

#include "../json/text.h"
#include "../score/ids.h"
#include "order.h"

#define SEARCH 256 /* tasks that are looked at for the end of a chain */

typedef struct arc {
    uint32_t from, to;
} arc;

void sonata_chains_free(sonata_chains *c)
{
    free(c->first_pred);
    free(c->preds);
    free(c->first_succ);
    free(c->succs);
    free(c->order);
    free(c->chain_of);
    free(c->place);
    free(c->length);
    *c = (sonata_chains){0};
}

static uint32_t *numbers(size_t count)
{
    return calloc(count + 1, sizeof(uint32_t));
}

/* Task of an id, as a place in the Score; per rank. */
static sonata_status map_ids(uint32_t **task_of, sonata_ids *ids,
                             const sonata_score *score, sonata_error *error)
{
    sonata_status status = sonata_ids_build(ids, score, error);
    if (status != SONATA_OK)
        return status;
    if (ids->count != score->task_count)
        return sonata_fail(error, SONATA_REJECTED, "score_validation_failed",
                           "task ids must be unique");
    *task_of = numbers(ids->count);
    if (*task_of == NULL)
        return sonata_fail_memory(error);
    for (size_t i = 0; i < score->task_count; i++)
        (*task_of)[sonata_ids_rank(ids, score->tasks[i].id)] = (uint32_t)i;
    return SONATA_OK;
}

static size_t collect_arcs(arc *arcs, const sonata_score *score,
                           const sonata_ids *ids, const uint32_t *task_of)
{
    size_t count = 0;
    for (size_t i = 0; i < score->dependency_count; i++) {
        const sonata_dependency *edge = &score->dependencies[i];
        uint32_t from = sonata_ids_rank(ids, edge->producer);
        uint32_t to = sonata_ids_rank(ids, edge->consumer);
        if (from != SONATA_NO_RANK && to != SONATA_NO_RANK && from != to)
            arcs[count++] = (arc){task_of[from], task_of[to]};
    }
    return count;
}

/* The arcs by one end: where each task's begin, and the other ends. */
static void bucket(uint32_t *first, uint32_t *ends, const arc *arcs,
                   size_t count, uint32_t tasks, bool by_to)
{
    for (size_t i = 0; i < count; i++)
        first[by_to ? arcs[i].to : arcs[i].from]++;
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= tasks; i++) {
        sum += first[i];
        first[i] = sum;
    }
    for (size_t i = count; i-- > 0;) {
        uint32_t at = by_to ? arcs[i].to : arcs[i].from;
        ends[--first[at]] = by_to ? arcs[i].from : arcs[i].to;
    }
}

static sonata_status build_arcs(sonata_chains *c, const sonata_score *score,
                                sonata_error *error)
{
    if (score->dependency_count >= UINT32_MAX)
        return sonata_fail(error, SONATA_RANGE, "doc.range",
                           "too many dependencies: %zu",
                           score->dependency_count);
    sonata_ids ids = {0};
    uint32_t *task_of = NULL;
    arc *arcs = reallocarray(NULL, score->dependency_count + 1, sizeof *arcs);
    sonata_status status = map_ids(&task_of, &ids, score, error);
    if (status == SONATA_OK) {
        c->tasks = ids.count;
        c->first_pred = numbers((size_t)c->tasks + 1);
        c->first_succ = numbers((size_t)c->tasks + 1);
        c->preds = numbers(score->dependency_count);
        c->succs = numbers(score->dependency_count);
        if (arcs == NULL || c->first_pred == NULL || c->first_succ == NULL ||
            c->preds == NULL || c->succs == NULL)
            status = sonata_fail_memory(error);
    }
    if (status == SONATA_OK) {
        size_t count = collect_arcs(arcs, score, &ids, task_of);
        bucket(c->first_pred, c->preds, arcs, count, c->tasks, true);
        bucket(c->first_succ, c->succs, arcs, count, c->tasks, false);
    }
    sonata_ids_free(&ids);
    free(task_of);
    free(arcs);
    return status;
}

/* Tasks whose predecessors are all there, first come, first served. */
static sonata_status sort_tasks(sonata_chains *c, sonata_error *error)
{
    uint32_t *waiting = numbers(c->tasks);
    c->order = numbers(c->tasks);
    if (waiting == NULL || c->order == NULL) {
        free(waiting);
        return sonata_fail_memory(error);
    }
    uint32_t ready = 0;
    for (uint32_t t = 0; t < c->tasks; t++) {
        waiting[t] = c->first_pred[t + 1] - c->first_pred[t];
        if (waiting[t] == 0)
            c->order[ready++] = t;
    }
    for (uint32_t i = 0; i < ready; i++) {
        uint32_t t = c->order[i];
        for (uint32_t k = c->first_succ[t]; k < c->first_succ[t + 1]; k++)
            if (--waiting[c->succs[k]] == 0)
                c->order[ready++] = c->succs[k];
    }
    free(waiting);
    if (ready != c->tasks)
        return sonata_fail(error, SONATA_REJECTED, "score_validation_failed",
                           "dependency graph must be acyclic");
    return SONATA_OK;
}

/* How many tasks the longest path from a task has, itself included. */
static void find_heights(const sonata_chains *c, uint32_t *height)
{
    for (uint32_t i = c->tasks; i-- > 0;) {
        uint32_t t = c->order[i];
        uint32_t most = 0;
        for (uint32_t k = c->first_succ[t]; k < c->first_succ[t + 1]; k++)
            if (height[c->succs[k]] > most)
                most = height[c->succs[k]];
        height[t] = most + 1;
    }
}

/* The successor that goes on longest: it has the first claim to come next. */
static uint32_t heir_of(const sonata_chains *c, const uint32_t *height,
                        uint32_t t)
{
    uint32_t best = SONATA_NO_CHAIN;
    for (uint32_t k = c->first_succ[t]; k < c->first_succ[t + 1]; k++) {
        uint32_t s = c->succs[k];
        if (best == SONATA_NO_CHAIN || height[s] > height[best] ||
            (height[s] == height[best] && s < best))
            best = s;
    }
    return best;
}

/* Chains that grow, task by task in an order that follows all edges. */
typedef struct growth {
    sonata_chains *chains;
    uint32_t *tail;  /* per chain */
    uint32_t *heir;  /* per task */
    uint32_t *since; /* per task: its place in the order */
    uint32_t *mark;  /* per task: the last search that met it */
    uint32_t *queue; /* SEARCH tasks */
} growth;

/* Whether a task may come behind another that leads to it: as its heir, or
 * when the heir has gone elsewhere. So what leads nowhere ends no chain that
 * could go on. */
static bool may_follow(const growth *g, uint32_t last, uint32_t t)
{
    uint32_t chain = g->chains->chain_of[last];
    if (g->tail[chain] != last)
        return false;
    return g->heir[last] == t ||
           g->chains->chain_of[g->heir[last]] != SONATA_NO_CHAIN;
}

/* A task just before `t` whose heir it is, or none. */
static uint32_t find_legator(const growth *g, uint32_t t)
{
    const sonata_chains *c = g->chains;
    for (uint32_t k = c->first_pred[t]; k < c->first_pred[t + 1]; k++) {
        uint32_t p = c->preds[k];
        if (g->heir[p] == t && g->tail[c->chain_of[p]] == p)
            return p;
    }
    return SONATA_NO_CHAIN;
}

/* Else the end of a chain among a few tasks before: of the chain that waits
 * longest, since it will soon be out of sight. */
static uint32_t find_last(growth *g, uint32_t t)
{
    const sonata_chains *c = g->chains;
    uint32_t oldest = find_legator(g, t);
    uint32_t count = 0;
    if (oldest == SONATA_NO_CHAIN)
        g->queue[count++] = t;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = g->queue[i];
        for (uint32_t k = c->first_pred[at]; k < c->first_pred[at + 1]; k++) {
            uint32_t p = c->preds[k];
            if (g->mark[p] == t + 1)
                continue;
            g->mark[p] = t + 1;
            if (may_follow(g, p, t) &&
                (oldest == SONATA_NO_CHAIN || g->since[p] < g->since[oldest]))
                oldest = p;
            if (count < SEARCH)
                g->queue[count++] = p;
        }
    }
    return oldest;
}

static void grow_chains(growth *g)
{
    sonata_chains *c = g->chains;
    for (uint32_t t = 0; t < c->tasks; t++)
        c->chain_of[t] = SONATA_NO_CHAIN;
    for (uint32_t i = 0; i < c->tasks; i++) {
        uint32_t t = c->order[i];
        g->since[t] = i;
        uint32_t last = find_last(g, t);
        uint32_t chain =
            last == SONATA_NO_CHAIN ? c->count++ : c->chain_of[last];
        c->chain_of[t] = chain;
        c->place[t] = c->length[chain]++;
        g->tail[chain] = t;
    }
}

/* Numbers the chains anew, longest first. */
static bool sort_chains(sonata_chains *c, uint32_t *renamed)
{
    sonata_sort_item *items =
        reallocarray(NULL, (size_t)c->count + 1, sizeof *items);
    sonata_sort_item *other =
        reallocarray(NULL, (size_t)c->count + 1, sizeof *other);
    bool ok = items != NULL && other != NULL;
    for (uint32_t i = 0; i < c->count && ok; i++)
        items[i] = (sonata_sort_item){UINT32_MAX - c->length[i], i};
    if (ok)
        sonata_radix_sort(items, other, c->count);
    for (uint32_t i = 0; i < c->count && ok; i++) {
        c->length[i] = (uint32_t)(UINT32_MAX - items[i].key);
        renamed[items[i].index] = i;
    }
    for (uint32_t t = 0; t < c->tasks && ok; t++)
        c->chain_of[t] = renamed[c->chain_of[t]];
    free(items);
    free(other);
    return ok;
}

static sonata_status split(sonata_chains *c, sonata_error *error)
{
    growth g = {.chains = c};
    uint32_t *height = numbers(c->tasks);
    g.tail = numbers(c->tasks);
    g.heir = numbers(c->tasks);
    g.since = numbers(c->tasks);
    g.mark = numbers(c->tasks);
    g.queue = numbers(SEARCH);
    c->chain_of = numbers(c->tasks);
    c->place = numbers(c->tasks);
    c->length = numbers(c->tasks);
    bool ok = height != NULL && g.tail != NULL && g.heir != NULL &&
              g.since != NULL && g.mark != NULL && g.queue != NULL &&
              c->chain_of != NULL && c->place != NULL && c->length != NULL;
    if (ok) {
        find_heights(c, height);
        for (uint32_t t = 0; t < c->tasks; t++)
            g.heir[t] = heir_of(c, height, t);
        grow_chains(&g);
        ok = sort_chains(c, g.mark); /* whose room it takes */
    }
    free(height);
    free(g.tail);
    free(g.heir);
    free(g.since);
    free(g.mark);
    free(g.queue);
    return ok ? SONATA_OK : sonata_fail_memory(error);
}

sonata_status sonata_chains_build(sonata_chains *chains,
                                  const sonata_score *score,
                                  sonata_error *error)
{
    *chains = (sonata_chains){0};
    sonata_status status = build_arcs(chains, score, error);
    if (status == SONATA_OK)
        status = sort_tasks(chains, error);
    if (status == SONATA_OK)
        status = split(chains, error);
    return status;
}

static void reach_up(uint32_t *up, const sonata_chains *c, uint32_t chain)
{
    for (uint32_t i = 0; i < c->tasks; i++) {
        uint32_t t = c->order[i];
        uint32_t most = 0;
        for (uint32_t k = c->first_pred[t]; k < c->first_pred[t + 1]; k++) {
            uint32_t p = c->preds[k];
            uint32_t here = c->chain_of[p] == chain ? c->place[p] + 1 : up[p];
            most = here > most ? here : most;
        }
        up[t] = most;
    }
}

static void reach_down(uint32_t *down, const sonata_chains *c, uint32_t chain)
{
    for (uint32_t i = c->tasks; i-- > 0;) {
        uint32_t t = c->order[i];
        uint32_t least = c->length[chain];
        for (uint32_t k = c->first_succ[t]; k < c->first_succ[t + 1]; k++) {
            uint32_t s = c->succs[k];
            uint32_t here = c->chain_of[s] == chain ? c->place[s] : down[s];
            least = here < least ? here : least;
        }
        down[t] = least;
    }
}

void sonata_chains_reach(uint32_t *up, uint32_t *down,
                         const sonata_chains *chains, uint32_t chain)
{
    reach_up(up, chains, chain);
    reach_down(down, chains, chain);
}
