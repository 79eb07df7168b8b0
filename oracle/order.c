#include "order.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK 512
#define FEW 16 /* tasks of a closure, so that one word is enough */

typedef struct edge_list {
    const oracle_document *document;
    const bool *choices; /* or NULL */
    const bool *present;
    bool uncertain;
} edge_list;

static bool counts(const edge_list *list, uint32_t from, uint32_t to)
{
    return from != to && from < list->document->task_count &&
           list->present[from] && list->present[to];
}

/* A dep counts under all its conditions. */
static bool is_taken(const edge_list *list, const oracle_dep *dep)
{
    for (uint32_t i = 0; i < dep->whens; i++) {
        const oracle_when *when = &list->document->whens[dep->first_when + i];
        if (list->choices == NULL || list->choices[when->choice] != when->is) {
            return false;
        }
    }
    return true;
}

/* Calls for every edge that counts; two passes over it build the lists. */
static void each_edge(const edge_list *list, uint32_t *cursor, uint32_t *into)
{
    const oracle_document *d = list->document;
    for (uint32_t t = 0; t < d->task_count; t++) {
        const oracle_task *task = &d->tasks[t];
        for (uint32_t i = 0; i < task->deps; i++) {
            const oracle_dep *dep = &d->deps[task->first_dep + i];
            uint32_t from = dep->task;
            if (counts(list, from, t) && is_taken(list, dep)) {
                if (into != NULL) {
                    into[cursor[t]] = from;
                }
                cursor[t]++;
            }
        }
    }
    for (uint32_t e = 0; e < d->edge_count; e++) {
        const oracle_edge *edge = &d->edges[e];
        if ((edge->certain || list->uncertain) &&
            counts(list, edge->from, edge->to)) {
            if (into != NULL) {
                into[cursor[edge->to]] = edge->from;
            }
            cursor[edge->to]++;
        }
    }
}

static int compare_index(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the predecessors of each task and drops repeats. */
static void tidy(oracle_order *order)
{
    uint32_t to = 0;
    order->forward = true;
    for (uint32_t t = 0; t < order->count; t++) {
        uint32_t begin = order->first[t], end = order->first[t + 1];
        bool sorted = true;
        for (uint32_t i = begin + 1; i < end; i++) {
            sorted = sorted && order->before[i - 1] <= order->before[i];
        }
        if (!sorted) {
            qsort(order->before + begin, end - begin, sizeof(uint32_t),
                  compare_index);
        }
        order->first[t] = to;
        for (uint32_t i = begin; i < end; i++) {
            uint32_t from = order->before[i];
            if (i == begin || from != order->before[i - 1]) {
                order->forward = order->forward && from < t;
                order->before[to++] = from;
            }
        }
    }
    order->first[order->count] = to;
}

static bool build_lists(oracle_order *order, const edge_list *list,
                        oracle_arena *arena)
{
    uint32_t n = order->count;
    order->first = oracle_arena_array(arena, (size_t)n + 2, sizeof(uint32_t));
    uint32_t *cursor = oracle_arena_array(arena, n, sizeof(uint32_t));
    if (order->first == NULL || cursor == NULL) {
        return false;
    }
    each_edge(list, cursor, NULL);
    for (uint32_t t = 0; t < n; t++) {
        order->first[t + 1] = order->first[t] + cursor[t];
        cursor[t] = order->first[t];
    }
    order->before =
        oracle_arena_array(arena, order->first[n], sizeof(uint32_t));
    if (order->before == NULL) {
        return false;
    }
    each_edge(list, cursor, order->before);
    tidy(order);
    return true;
}

/* A heap of task indexes, smallest first. */
static void heap_push(uint32_t *heap, uint32_t *count, uint32_t value)
{
    uint32_t i = (*count)++;
    while (i > 0 && heap[(i - 1) / 2] > value) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i] = value;
}

static uint32_t heap_pop(uint32_t *heap, uint32_t *count)
{
    uint32_t top = heap[0], value = heap[--*count], i = 0;
    for (uint32_t child = 1; child < *count; child = 2 * i + 1) {
        if (child + 1 < *count && heap[child + 1] < heap[child]) {
            child++;
        }
        if (heap[child] >= value) {
            break;
        }
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = value;
    return top;
}

/*
 * Every task that is left has a predecessor that is left: walking back must
 * come round.
 */
static bool find_cycle(oracle_order *order, const uint32_t *waiting,
                       oracle_arena *arena)
{
    uint32_t n = order->count, at = 0, steps = 0;
    uint32_t *seen = oracle_arena_array(arena, n, sizeof(uint32_t));
    uint32_t *path = oracle_arena_array(arena, n, sizeof(uint32_t));
    order->cycle = oracle_arena_array(arena, n, sizeof(uint32_t));
    if (seen == NULL || path == NULL || order->cycle == NULL) {
        return false;
    }
    while (waiting[at] == 0 || order->rank[at] != ORACLE_NONE) {
        at++;
    }
    while (seen[at] == 0) {
        path[steps++] = at;
        seen[at] = steps;
        uint32_t i = order->first[at];
        while (order->rank[order->before[i]] != ORACLE_NONE) {
            i++;
        }
        at = order->before[i];
    }
    for (uint32_t i = steps; i >= seen[at]; i--) {
        order->cycle[order->cycle_count++] = path[i - 1];
    }
    return true;
}

typedef struct successors {
    uint32_t *first, *after;
} successors;

static bool build_successors(successors *s, const oracle_order *order,
                             oracle_arena *arena)
{
    uint32_t n = order->count, edges = order->first[n];
    s->first = oracle_arena_array(arena, (size_t)n + 2, sizeof(uint32_t));
    s->after = oracle_arena_array(arena, edges, sizeof(uint32_t));
    if (s->first == NULL || s->after == NULL) {
        return false;
    }
    for (uint32_t e = 0; e < edges; e++) {
        s->first[order->before[e] + 2]++;
    }
    for (uint32_t t = 1; t <= n; t++) {
        s->first[t + 1] += s->first[t];
    }
    for (uint32_t t = 0; t < n; t++) {
        for (uint32_t e = order->first[t]; e < order->first[t + 1]; e++) {
            s->after[s->first[order->before[e] + 1]++] = t;
        }
    }
    return true;
}

/* Kahn's algorithm, the earliest ready task first. */
static bool sort_tasks(oracle_order *order, const bool *present,
                       oracle_arena *arena)
{
    uint32_t n = order->count, ready = 0, done = 0;
    successors s;
    uint32_t *heap = oracle_arena_array(arena, n, sizeof(uint32_t));
    uint32_t *waiting = oracle_arena_array(arena, n, sizeof(uint32_t));
    if (heap == NULL || waiting == NULL ||
        !build_successors(&s, order, arena)) {
        return false;
    }
    for (uint32_t t = 0; t < n; t++) {
        order->rank[t] = ORACLE_NONE;
        waiting[t] = order->first[t + 1] - order->first[t];
        if (present[t] && waiting[t] == 0) {
            heap_push(heap, &ready, t);
        }
    }
    while (ready > 0) {
        uint32_t t = heap_pop(heap, &ready);
        order->rank[t] = done;
        order->sequence[done++] = t;
        for (uint32_t e = s.first[t]; e < s.first[t + 1]; e++) {
            if (--waiting[s.after[e]] == 0) {
                heap_push(heap, &ready, s.after[e]);
            }
        }
    }
    return done == order->present || find_cycle(order, waiting, arena);
}

bool oracle_order_build(oracle_order *order, const oracle_document *document,
                        const bool *choices, const bool *present,
                        bool uncertain, oracle_arena *arena)
{
    edge_list list = {document, choices, present, uncertain};
    uint32_t n = document->task_count;
    *order = (oracle_order){.count = n};
    order->sequence = oracle_arena_array(arena, n, sizeof(uint32_t));
    order->rank = oracle_arena_array(arena, n, sizeof(uint32_t));
    if (order->sequence == NULL || order->rank == NULL ||
        !build_lists(order, &list, arena)) {
        return false;
    }
    for (uint32_t t = 0; t < n; t++) {
        order->rank[t] = present[t] ? order->present : ORACLE_NONE;
        if (present[t]) {
            order->sequence[order->present++] = t;
        }
    }
    return order->forward || sort_tasks(order, present, arena);
}

oracle_order oracle_order_of(const oracle_order *whole, const bool *present)
{
    oracle_order order = *whole;
    order.there = present;
    return order;
}

bool oracle_order_direct(const oracle_order *order, uint32_t from, uint32_t to)
{
    uint32_t low = order->first[to], high = order->first[to + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (order->before[middle] < from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < order->first[to + 1] && order->before[low] == from;
}

/*
 * Bit vectors of the tasks from rank `low` to `high`: which of the block's
 * sources come before each, itself included.
 */
static void sweep(const oracle_order *order, const uint32_t *sources,
                  uint32_t count, uint32_t high, uint64_t *bits)
{
    uint32_t low = order->rank[sources[0]], words = (count + 63) / 64;
    uint32_t next = 0;
    memset(bits, 0, (size_t)(high - low + 1) * words * sizeof *bits);
    for (uint32_t rank = low; rank <= high; rank++) {
        uint32_t task = order->sequence[rank];
        uint64_t *own = bits + (size_t)(rank - low) * words;
        if (order->there != NULL && !order->there[task]) {
            continue; /* no path goes through it */
        }
        for (uint32_t e = order->first[task]; e < order->first[task + 1]; e++) {
            uint32_t earlier = order->rank[order->before[e]];
            if (earlier < low) {
                continue;
            }
            const uint64_t *other = bits + (size_t)(earlier - low) * words;
            for (uint32_t w = 0; w < words; w++) {
                own[w] |= other[w];
            }
        }
        if (next < count && sources[next] == task) {
            own[next / 64] |= UINT64_C(1) << (next % 64);
            next++;
        }
    }
}

/* Tasks, and edges of theirs, that are looked at for one pair, at most. */
#define NEAR 24
#define NEAR_EDGES 96

typedef enum reach { UNREACHED, REACHED, UNKNOWN } reach;

static bool is_among(const uint32_t *tasks, uint32_t count, uint32_t task)
{
    uint32_t i = 0;
    while (i < count && tasks[i] != task) {
        i++;
    }
    return i < count;
}

/*
 * The way back from `to` over the tasks between the two: for most pairs they
 * are few, and no block has to be swept.
 */
static reach look_back(const oracle_order *order, uint32_t from, uint32_t to)
{
    uint32_t seen[NEAR], count = 1, edges = 0, low = order->rank[from];
    const bool *there = order->there;
    seen[0] = to;
    if (there != NULL && !there[from]) {
        return UNREACHED;
    }
    for (uint32_t next = 0; next < count; next++) {
        uint32_t task = seen[next];
        if (there != NULL && !there[task]) {
            continue;
        }
        edges += order->first[task + 1] - order->first[task];
        if (edges > NEAR_EDGES) {
            return UNKNOWN;
        }
        for (uint32_t e = order->first[task]; e < order->first[task + 1]; e++) {
            uint32_t before = order->before[e];
            if (before == from) {
                return REACHED;
            }
            if (order->rank[before] < low || is_among(seen, count, before)) {
                continue;
            }
            if (count == NEAR) {
                return UNKNOWN;
            }
            seen[count++] = before;
        }
    }
    return UNREACHED;
}

int oracle_compare_pair(const void *a, const void *b)
{
    const oracle_pair *x = a, *y = b;
    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    return (x->to > y->to) - (x->to < y->to);
}

typedef struct question {
    uint32_t from, to; /* ranks */
    uint32_t pair;
} question;

static int compare_question(const void *a, const void *b)
{
    const question *x = a, *y = b;
    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    return (x->to > y->to) - (x->to < y->to);
}

/* The questions that neither an edge nor the sequence answers, by source. */
static uint32_t open_questions(const oracle_order *order, oracle_pair *pairs,
                               uint32_t count, question *questions)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = order->rank[pairs[i].from];
        uint32_t to = order->rank[pairs[i].to];
        pairs[i].ordered = false;
        if (from == ORACLE_NONE || to == ORACLE_NONE || from >= to) {
            continue;
        }
        if (oracle_order_direct(order, pairs[i].from, pairs[i].to)) {
            pairs[i].ordered = true;
            continue;
        }
        reach found = look_back(order, pairs[i].from, pairs[i].to);
        pairs[i].ordered = found == REACHED;
        if (found != UNKNOWN) {
            continue;
        }
        questions[open++] = (question){from, to, i};
    }
    qsort(questions, open, sizeof *questions, compare_question);
    return open;
}

static void answer(oracle_pair *pairs, const question *questions,
                   uint32_t count, uint32_t words, const uint64_t *bits)
{
    uint32_t low = questions[0].from, source = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && questions[i].from != questions[i - 1].from) {
            source++;
        }
        size_t row = (size_t)(questions[i].to - low) * words;
        pairs[questions[i].pair].ordered =
            bits[row + source / 64] >> (source % 64) & 1;
    }
}

/* Tasks of an order that one sweep may answer for: 512 KiB of bits. */
#define WHOLE 2048u

/* Whether a sweep from all tasks is less work than a look at each pair. */
static bool is_small(const oracle_order *order, uint32_t count)
{
    uint64_t words = (order->present + UINT64_C(63)) / 64;
    uint64_t steps = (uint64_t)order->present + order->first[order->count];
    return order->there == NULL && order->present > 0 &&
           order->present <= WHOLE && steps * words <= UINT64_C(16) * count;
}

static bool ask_whole(const oracle_order *order, oracle_pair *pairs,
                      uint32_t count)
{
    uint32_t n = order->present, words = (n + 63) / 64;
    uint64_t *bits = malloc((size_t)n * words * sizeof *bits);
    if (bits == NULL) {
        return false;
    }
    sweep(order, order->sequence, n, n - 1, bits);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = order->rank[pairs[i].from];
        uint32_t to = order->rank[pairs[i].to];
        pairs[i].ordered =
            from != ORACLE_NONE && to != ORACLE_NONE && from < to &&
            bits[(size_t)to * words + from / 64] >> (from % 64) & 1;
    }
    free(bits);
    return true;
}

bool oracle_blocks_query(const oracle_order *order, oracle_pair *pairs,
                         uint32_t count)
{
    if (is_small(order, count)) {
        return ask_whole(order, pairs, count);
    }
    question *questions = malloc((count + (size_t)1) * sizeof *questions);
    uint64_t *bits = NULL;
    size_t room = 0;
    bool ok = questions != NULL;
    uint32_t open = ok ? open_questions(order, pairs, count, questions) : 0;
    for (uint32_t begin = 0, end = 0; ok && begin < open; begin = end) {
        uint32_t sources[BLOCK], n = 0, high = 0;
        for (end = begin; end < open; end++) {
            uint32_t task = order->sequence[questions[end].from];
            if (n == 0 || sources[n - 1] != task) {
                if (n == BLOCK) {
                    break;
                }
                sources[n++] = task;
            }
            high = questions[end].to > high ? questions[end].to : high;
        }
        uint32_t words = (n + 63) / 64;
        size_t need = (size_t)(high - questions[begin].from + 1) * words;
        if (need > room) {
            free(bits);
            bits = malloc(need * sizeof *bits);
            room = need;
        }
        ok = bits != NULL;
        if (ok) {
            sweep(order, sources, n, high, bits);
            answer(pairs, questions + begin, end - begin, words, bits);
        }
    }
    free(bits);
    free(questions);
    return ok;
}

/* Copies a block's columns into the rows of the closure. */
static void store_block(oracle_closure *closure, const uint32_t *ranks,
                        uint32_t begin, uint32_t count, const uint64_t *bits)
{
    uint32_t words = (count + 63) / 64, low = ranks[begin];
    for (uint32_t row = begin; row < closure->rows; row++) {
        const uint64_t *from = bits + (size_t)(ranks[row] - low) * words;
        uint64_t *to =
            closure->bits + (size_t)row * closure->words + begin / 64;
        memcpy(to, from, words * sizeof *to);
    }
}

/* The same of a few tasks that lie near each other; false: they do not. */
static bool close_near(oracle_closure *closure, const oracle_order *order,
                       const uint32_t *ranks, uint32_t count)
{
    for (uint32_t row = 0; row < count; row++) {
        for (uint32_t column = 0; column < row; column++) {
            reach found = look_back(order, order->sequence[ranks[column]],
                                    order->sequence[ranks[row]]);
            if (found == UNKNOWN) {
                return false;
            }
            closure->bits[row] |= (uint64_t)(found == REACHED) << column;
        }
    }
    return true;
}

bool oracle_blocks_closure(oracle_closure *closure, const oracle_order *order,
                           const uint32_t *tasks, uint32_t count,
                           oracle_arena *arena)
{
    uint32_t words = (count + 63) / 64;
    closure->rows = count;
    closure->words = words;
    closure->bits =
        oracle_arena_array(arena, (size_t)count * words, sizeof(uint64_t));
    uint32_t *ranks = oracle_arena_array(arena, count, sizeof(uint32_t));
    if (closure->bits == NULL || ranks == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        ranks[i] = order->rank[tasks[i]];
    }
    qsort(ranks, count, sizeof *ranks, compare_index);
    for (uint32_t i = 0; i < count; i++) {
        closure->row[order->sequence[ranks[i]]] = i;
    }
    if (count <= FEW && close_near(closure, order, ranks, count)) {
        return true;
    }
    uint32_t high = count == 0 ? 0 : ranks[count - 1];
    for (uint32_t begin = 0; begin < count; begin += BLOCK) {
        uint32_t sources[BLOCK], n = 0;
        for (; n < BLOCK && begin + n < count; n++) {
            sources[n] = order->sequence[ranks[begin + n]];
        }
        size_t need = (size_t)(high - ranks[begin] + 1) * ((n + 63) / 64);
        uint64_t *bits = malloc(need * sizeof *bits);
        if (bits == NULL) {
            return false;
        }
        sweep(order, sources, n, high, bits);
        store_block(closure, ranks, begin, n, bits);
        free(bits);
    }
    return true;
}
