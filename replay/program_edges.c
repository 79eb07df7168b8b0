/* What must wait for what, and an order that does. */
#include "program_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_TASKS 8 /* of a cycle, in a message */

typedef struct pair {
    uint32_t from, to;
} pair;

/*
 * Deps, and the edges that count: one that is not certain does when its views
 * meet, as they are here. `pairs` has room for all.
 */
static replay_status list_edges(replay_maker *maker, pair *pairs,
                                uint32_t *listed)
{
    const oracle_document *d = maker->d;
    uint32_t count = 0;
    for (uint32_t t = 0; t < d->task_count; t++) {
        for (uint32_t i = 0; i < d->tasks[t].deps; i++) {
            uint32_t from = d->deps[d->tasks[t].first_dep + i].task;
            if (from != ORACLE_NONE && from != t) {
                pairs[count++] = (pair){from, t};
            }
        }
    }
    for (uint32_t i = 0; i < d->edge_count; i++) {
        const oracle_edge *e = &d->edges[i];
        bool there = e->certain || maker->choice->perhaps;
        if (!there) {
            replay_status status = replay_views_meet(&there, maker, e);
            if (status != REPLAY_OK) {
                return status;
            }
        }
        if (there && e->from != e->to) {
            pairs[count++] = (pair){e->from, e->to};
        }
    }
    *listed = count;
    return REPLAY_OK;
}

/*
 * Sorts into lists by one end: `at` is by task and one more, list[at[t] ..] the
 * other ends in the order of the pairs.
 */
static void sort_by(const pair *pairs, uint32_t count, uint32_t tasks,
                    bool by_to, uint32_t *at, uint32_t *list)
{
    memset(at, 0, ((size_t)tasks + 2) * sizeof *at);
    for (uint32_t i = 0; i < count; i++) {
        at[(by_to ? pairs[i].to : pairs[i].from) + 2]++;
    }
    for (uint32_t t = 0; t < tasks; t++) {
        at[t + 2] += at[t + 1];
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t key = by_to ? pairs[i].to : pairs[i].from;
        list[at[key + 1]++] = by_to ? pairs[i].from : pairs[i].to;
    }
}

/* Sorted by (from, to), each once; returns how many. */
static uint32_t make_unique(pair *pairs, uint32_t count, uint32_t tasks,
                            uint32_t *at, uint32_t *list)
{
    uint32_t kept = 0;
    sort_by(pairs, count, tasks, true, at, list);
    for (uint32_t t = 0, i = 0; t < tasks; t++) {
        for (; i < at[t + 1]; i++) {
            pairs[i] = (pair){list[i], t};
        }
    }
    sort_by(pairs, count, tasks, false, at, list);
    for (uint32_t t = 0, i = 0; t < tasks; t++) {
        for (; i < at[t + 1]; i++) {
            if (kept == 0 || pairs[kept - 1].from != t ||
                pairs[kept - 1].to != list[i]) {
                pairs[kept++] = (pair){t, list[i]};
            }
        }
    }
    return kept;
}

static void make_lists(replay_program *p, const pair *pairs, uint32_t count,
                       uint32_t *at)
{
    p->edge_count = count;
    sort_by(pairs, count, p->task_count, false, at, p->after);
    for (uint32_t t = 0; t < p->task_count; t++) {
        p->tasks[t].first_after = at[t];
        p->tasks[t].afters = at[t + 1] - at[t];
    }
    sort_by(pairs, count, p->task_count, true, at, p->before);
    for (uint32_t t = 0; t < p->task_count; t++) {
        p->tasks[t].first_before = at[t];
        p->tasks[t].befores = at[t + 1] - at[t];
    }
}

/* --- The legal order --- */

/* A heap of task indexes, the least on top. */
static void heap_push(uint32_t *heap, uint32_t count, uint32_t item)
{
    uint32_t at = count;
    for (; at > 0 && heap[(at - 1) / 2] > item; at = (at - 1) / 2) {
        heap[at] = heap[(at - 1) / 2];
    }
    heap[at] = item;
}

static uint32_t heap_pop(uint32_t *heap, uint32_t count)
{
    uint32_t top = heap[0], item = heap[--count], at = 0;
    for (uint32_t child = 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && heap[child + 1] < heap[child];
        if (heap[child] >= item) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
    return top;
}

/* Of the tasks that are ready the first; returns how many ran. */
static uint32_t sort_tasks(const replay_program *p, uint32_t *waiting,
                           uint32_t *heap)
{
    uint32_t ready = 0, done = 0;
    for (uint32_t t = 0; t < p->task_count; t++) {
        waiting[t] = p->tasks[t].befores;
        if (waiting[t] == 0) {
            heap_push(heap, ready++, t);
        }
    }
    while (ready > 0) {
        uint32_t t = heap_pop(heap, ready--);
        p->legal[done++] = t;
        for (uint32_t i = 0; i < p->tasks[t].afters; i++) {
            uint32_t next = p->after[p->tasks[t].first_after + i];
            if (--waiting[next] == 0) {
                heap_push(heap, ready++, next);
            }
        }
    }
    return done;
}

/*
 * Names the tasks of a cycle: goes back from one that waits to one that it
 * waits for until one comes again. `step` and `path` have room for all tasks.
 */
static replay_status tell_cycle(const replay_maker *maker,
                                const uint32_t *waiting, uint32_t *step,
                                uint32_t *path)
{
    const replay_program *p = maker->program;
    uint32_t t = 0, steps = 0;
    char shown[SHOWN_TASKS * 24] = "";
    while (waiting[t] == 0) {
        t++;
    }
    memset(step, 0, (size_t)p->task_count * sizeof *step);
    while (step[t] == 0) {
        const uint32_t *from = &p->before[p->tasks[t].first_before];
        path[steps++] = t;
        step[t] = steps;
        while (waiting[*from] == 0) {
            from++;
        }
        t = *from;
    }
    uint32_t length = steps - step[t] + 1;
    for (uint32_t i = 0; i < length && i < SHOWN_TASKS; i++) {
        size_t at = strlen(shown);
        snprintf(shown + at, sizeof shown - at, "%s%lld", i == 0 ? "" : ", ",
                 (long long)p->tasks[path[steps - 1 - i]].id);
    }
    return replay_fail(maker->error, REPLAY_STUCK, p->tasks[t].id,
                       "nothing can run: %u tasks wait for each other in a "
                       "circle, %s%s",
                       length, shown, length > SHOWN_TASKS ? ", ..." : "");
}

/* Program order where no edge stands against it. */
static replay_status make_legal(replay_maker *maker, uint32_t *waiting,
                                uint32_t *heap, uint32_t *path)
{
    replay_program *p = maker->program;
    bool forward = true;
    for (uint32_t t = 0; t < p->task_count; t++) {
        const replay_task *task = &p->tasks[t];
        p->legal[t] = t;
        forward =
            forward && (task->befores == 0 ||
                        p->before[task->first_before + task->befores - 1] < t);
    }
    if (forward || sort_tasks(p, waiting, heap) == p->task_count) {
        return REPLAY_OK;
    }
    return tell_cycle(maker, waiting, heap, path);
}

/* `list` has room for all pairs and three numbers per task. */
static replay_status make_edges(replay_maker *maker, pair *pairs,
                                uint32_t *list, size_t most)
{
    replay_program *p = maker->program;
    size_t n = p->task_count;
    uint32_t *at = list + most, count = 0;
    replay_status status = list_edges(maker, pairs, &count);
    if (status != REPLAY_OK) {
        return status;
    }
    count = make_unique(pairs, count, p->task_count, at, list);
    p->before = replay_arena_array(p->arena, count, sizeof *p->before);
    p->after = replay_arena_array(p->arena, count, sizeof *p->after);
    p->legal = replay_arena_array(p->arena, n, sizeof *p->legal);
    if (p->before == NULL || p->after == NULL || p->legal == NULL) {
        return replay_fail_memory(maker->error);
    }
    make_lists(p, pairs, count, at);
    return make_legal(maker, at, at + n + 2, at + 2 * (n + 2));
}

replay_status replay_edges_make(replay_maker *maker)
{
    const oracle_document *d = maker->d;
    size_t most = (size_t)d->edge_count + d->dep_count, n = d->task_count;
    pair *pairs = malloc((most + 1) * sizeof *pairs);
    uint32_t *list = malloc((most + 3 * (n + 2)) * sizeof *list);
    replay_status status = pairs == NULL || list == NULL
                               ? replay_fail_memory(maker->error)
                               : make_edges(maker, pairs, list, most);
    free(pairs);
    free(list);
    return status;
}
