#include "joins.h"

#include "order.h"

#include <stdlib.h>
#include <string.h>

/* A predecessor above, its source below: sorts by predecessor. */
typedef uint64_t entry;

static uint8_t edge_source(const oracle_edge *edge)
{
    static const uint8_t of[] = {
        [ORACLE_EXPLICIT] = ORACLE_JOIN_WRITTEN,
        [ORACLE_AUTOMATIC] = ORACLE_JOIN_AUTOMATIC,
        [ORACLE_RECORDED] = ORACLE_JOIN_RECORDED,
        [ORACLE_POLICY] = ORACLE_JOIN_POLICY,
    };
    return edge->certain ? of[edge->source] : ORACLE_JOIN_MAYBE;
}

static void take(uint32_t *cursor, entry *into, uint32_t from, uint32_t to,
                 uint8_t source)
{
    if (from == ORACLE_NONE || from == to) {
        return;
    }
    if (into != NULL) {
        into[cursor[to]] = (entry)from << 8 | source;
    }
    cursor[to]++;
}

/* Two passes over it, counting and filling, build the lists. */
static void each_edge(const oracle_document *d, uint32_t *cursor, entry *into)
{
    for (uint32_t t = 0; t < d->task_count; t++) {
        for (uint32_t i = 0; i < d->tasks[t].deps; i++) {
            const oracle_dep *dep = &d->deps[d->tasks[t].first_dep + i];
            take(cursor, into, dep->task, t,
                 dep->whens > 0 ? ORACLE_JOIN_WRITTEN_IF : ORACLE_JOIN_WRITTEN);
        }
    }
    for (uint32_t e = 0; e < d->edge_count; e++) {
        const oracle_edge *edge = &d->edges[e];
        take(cursor, into, edge->from, edge->to, edge_source(edge));
    }
}

static int compare_entry(const void *a, const void *b)
{
    entry x = *(const entry *)a, y = *(const entry *)b;
    return (x > y) - (x < y);
}

static void sort_entries(entry *list, uint32_t count)
{
    bool sorted = true;
    for (uint32_t i = 1; i < count; i++) {
        sorted = sorted && list[i - 1] <= list[i];
    }
    if (!sorted) {
        qsort(list, count, sizeof *list, compare_entry);
    }
}

/* One entry for a predecessor, with all of its sources. */
static void merge(oracle_joins *j, entry *list)
{
    uint32_t to = 0;
    for (uint32_t t = 0; t < j->count; t++) {
        uint32_t begin = j->first[t], end = j->first[t + 1];
        sort_entries(list + begin, end - begin);
        j->first[t] = to;
        for (uint32_t i = begin; i < end; i++) {
            uint32_t from = (uint32_t)(list[i] >> 8);
            if (to == j->first[t] || j->from[to - 1] != from) {
                j->from[to] = from;
                j->by[to++] = 0;
            }
            j->by[to - 1] |= (uint8_t)list[i];
        }
    }
    j->first[j->count] = to;
}

static bool is_forward(const oracle_joins *j)
{
    for (uint32_t t = 0; t < j->count; t++) {
        for (uint32_t i = j->first[t]; i < j->first[t + 1]; i++) {
            if (j->from[i] >= t && (j->by[i] & ORACLE_JOIN_CERTAIN) != 0) {
                return false;
            }
        }
    }
    return true;
}

static bool put_in_sequence(oracle_joins *j, const oracle_document *d,
                            oracle_arena *arena)
{
    oracle_order order;
    if (is_forward(j)) {
        uint32_t *same = oracle_arena_array(arena, j->count, sizeof *same);
        for (uint32_t t = 0; same != NULL && t < j->count; t++) {
            same[t] = t;
        }
        j->sequence = same;
        j->rank = same;
        return same != NULL;
    }
    bool *present = oracle_arena_alloc(arena, j->count);
    if (present == NULL) {
        return false;
    }
    memset(present, true, j->count);
    if (!oracle_order_build(&order, d, NULL, present, false, arena)) {
        return false;
    }
    if (order.cycle_count == 0) {
        j->sequence = order.sequence;
        j->rank = order.rank;
    }
    return true;
}

bool oracle_joins_build(oracle_joins *joins, const oracle_document *document,
                        oracle_arena *arena)
{
    uint32_t n = document->task_count;
    *joins = (oracle_joins){.count = n};
    joins->first = oracle_arena_array(arena, (size_t)n + 1, sizeof(uint32_t));
    uint32_t *cursor = calloc((size_t)n + 1, sizeof *cursor);
    if (joins->first == NULL || cursor == NULL) {
        free(cursor);
        return false;
    }
    each_edge(document, cursor, NULL);
    for (uint32_t t = 0; t < n; t++) {
        joins->first[t + 1] = joins->first[t] + cursor[t];
        cursor[t] = joins->first[t];
    }
    size_t total = joins->first[n];
    entry *list = malloc((total + 1) * sizeof *list);
    joins->from = oracle_arena_array(arena, total, sizeof *joins->from);
    joins->by = oracle_arena_alloc(arena, total);
    bool ok = list != NULL && joins->from != NULL && joins->by != NULL;
    if (ok) {
        each_edge(document, cursor, list);
        merge(joins, list);
    }
    free(list);
    free(cursor);
    return ok && put_in_sequence(joins, document, arena);
}

uint32_t oracle_joins_find(const oracle_joins *joins, uint32_t from,
                           uint32_t to)
{
    uint32_t low = joins->first[to], high = joins->first[to + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (joins->from[middle] < from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < joins->first[to + 1] && joins->from[low] == from ? low
                                                                  : ORACLE_NONE;
}
