#include "cycle.h"

#include <stdlib.h>
#include <string.h>

#include "../json/text.h"

/* Successors of rank r: next[first[r]] .. next[first[r + 1] - 1], ascending. */
typedef struct graph {
    uint32_t nodes;
    uint32_t *first;
    uint32_t *next;
} graph;

typedef struct arc {
    uint32_t from, to;
} arc;

static void free_graph(graph *g)
{
    free(g->first);
    free(g->next);
}

/* The arcs that count; their number. */
static size_t collect_arcs(arc *arcs, const sonata_ids *ids,
                           const sonata_score *score)
{
    size_t count = 0;
    for (size_t i = 0; i < score->dependency_count; i++) {
        const sonata_dependency *edge = &score->dependencies[i];
        uint32_t from = sonata_ids_rank(ids, edge->producer);
        uint32_t to = sonata_ids_rank(ids, edge->consumer);
        if (from != SONATA_NO_RANK && to != SONATA_NO_RANK && from != to)
            arcs[count++] = (arc){from, to};
    }
    return count;
}

/* Turns counts (stored one further) into starts. */
static void sum_up(uint32_t *first, uint32_t nodes)
{
    for (uint32_t i = 0; i < nodes; i++)
        first[i + 1] += first[i];
}

/* Counting sort by `to`, then, stable, by `from` into the graph. */
static void sort_arcs(graph *g, arc *sorted, uint32_t *place, const arc *arcs,
                      size_t count)
{
    size_t bytes = ((size_t)g->nodes + 1) * sizeof *place;
    memset(place, 0, bytes);
    for (size_t i = 0; i < count; i++)
        place[arcs[i].to + 1]++;
    sum_up(place, g->nodes);
    for (size_t i = 0; i < count; i++)
        sorted[place[arcs[i].to]++] = arcs[i];
    for (size_t i = 0; i < count; i++)
        g->first[arcs[i].from + 1]++;
    sum_up(g->first, g->nodes);
    memcpy(place, g->first, bytes);
    for (size_t i = 0; i < count; i++)
        g->next[place[sorted[i].from]++] = sorted[i].to;
}

static sonata_status build_graph(graph *g, const sonata_ids *ids,
                                 const sonata_score *score, sonata_error *error)
{
    size_t edges = score->dependency_count;
    size_t nodes = (size_t)ids->count + 1;
    *g = (graph){.nodes = ids->count};
    if (edges >= UINT32_MAX)
        return sonata_fail(error, SONATA_RANGE, "doc.range",
                           "too many dependencies: %zu", edges);
    arc *arcs = reallocarray(NULL, edges + 1, sizeof *arcs);
    arc *sorted = reallocarray(NULL, edges + 1, sizeof *sorted);
    uint32_t *place = reallocarray(NULL, nodes, sizeof *place);
    g->first = calloc(nodes, sizeof *g->first);
    g->next = reallocarray(NULL, edges + 1, sizeof *g->next);
    sonata_status status = SONATA_OK;
    if (arcs == NULL || sorted == NULL || place == NULL || g->first == NULL ||
        g->next == NULL)
        status = sonata_fail_memory(error);
    else
        sort_arcs(g, sorted, place, arcs, collect_arcs(arcs, ids, score));
    free(arcs);
    free(sorted);
    free(place);
    return status;
}

/* The path of the search: nodes open now; each one's next arc to follow. */
typedef struct search {
    uint32_t *path;
    uint32_t *arc_at;
    uint8_t *state; /* 0 new, 1 on the path, 2 done */
    size_t depth;
} search;

static void enter(search *s, const graph *g, uint32_t node)
{
    s->state[node] = 1;
    s->arc_at[node] = g->first[node];
    s->path[s->depth++] = node;
}

/* Searches from one node; true with *from when a node on the path is met. */
static bool search_from(search *s, const graph *g, uint32_t start,
                        uint32_t *from)
{
    enter(s, g, start);
    while (s->depth > 0) {
        uint32_t node = s->path[s->depth - 1];
        if (s->arc_at[node] == g->first[node + 1]) {
            s->state[node] = 2;
            s->depth--;
            continue;
        }
        uint32_t next = g->next[s->arc_at[node]++];
        if (s->state[next] == 1) {
            *from = next;
            return true;
        }
        if (s->state[next] == 0)
            enter(s, g, next);
    }
    return false;
}

/* Leaves the cycle at the front of s->path; its length, 0 when none. */
static size_t search_all(search *s, const graph *g)
{
    uint32_t from = 0;
    for (uint32_t node = 0; node < g->nodes; node++) {
        if (s->state[node] != 0 || !search_from(s, g, node, &from))
            continue;
        size_t start = 0;
        while (s->path[start] != from)
            start++;
        size_t length = s->depth - start;
        memmove(s->path, s->path + start, length * sizeof *s->path);
        return length;
    }
    return 0;
}

sonata_status sonata_find_cycle(uint32_t **cycle, size_t *length,
                                const sonata_ids *ids,
                                const sonata_score *score, sonata_error *error)
{
    *cycle = NULL;
    *length = 0;
    graph g;
    sonata_status status = build_graph(&g, ids, score, error);
    search s = {0};
    if (status == SONATA_OK) {
        size_t nodes = (size_t)ids->count + 1;
        s.path = reallocarray(NULL, nodes, sizeof *s.path);
        s.arc_at = reallocarray(NULL, nodes, sizeof *s.arc_at);
        s.state = calloc(nodes, 1);
        if (s.path == NULL || s.arc_at == NULL || s.state == NULL)
            status = sonata_fail_memory(error);
        else
            *length = search_all(&s, &g);
    }
    if (*length > 0)
        *cycle = s.path;
    else
        free(s.path);
    free(s.arc_at);
    free(s.state);
    free_graph(&g);
    return status;
}
