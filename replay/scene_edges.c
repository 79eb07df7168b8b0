/* What waits for what: all edges, and those that the program names. */
#include "scene_work.h"

#include <stdlib.h>

#include "fault.h"

/* Edges by their later task: count, then place. */
typedef struct sorter {
    scene_work *work;
    uint32_t *next; /* of the tasks: where the next predecessor goes */
    bool placing;
    bool named; /* those that the program names alone */
    replay_status status;
} sorter;

static void add_edge(sorter *s, uint32_t from, uint32_t to)
{
    const oracle_document *d = s->work->document;
    if (from >= to && s->status == REPLAY_OK) {
        s->status = replay_fail(
            s->work->error, REPLAY_UNSUPPORTED, d->tasks[to].id,
            "task %lld waits for task %lld, which is submitted later: the "
            "runtime has no such edges",
            (long long)d->tasks[to].id, (long long)d->tasks[from].id);
    }
    if (s->status != REPLAY_OK) {
        return;
    }
    if (s->placing) {
        s->work->before[s->next[to]] = from;
    }
    s->next[to]++;
}

/* Views decide about an edge that is not certain. */
static bool is_there(scene_work *work, const oracle_edge *e, bool counting)
{
    const oracle_document *d = work->document;
    if (e->certain || e->from_arg == ORACLE_NONE || e->to_arg == ORACLE_NONE) {
        return true;
    }
    const oracle_arg *a = &d->args[d->tasks[e->from].first_arg + e->from_arg];
    const oracle_arg *b = &d->args[d->tasks[e->to].first_arg + e->to_arg];
    oracle_meet meet = oracle_places_meet(d, (oracle_place){a->buffer, a->view},
                                          (oracle_place){b->buffer, b->view});
    work->scene->uncertain += counting && meet != ORACLE_MEET_NEVER;
    return meet != ORACLE_MEET_NEVER;
}

static void add_all(sorter *s)
{
    const oracle_document *d = s->work->document;
    for (uint32_t t = 0; t < d->task_count; t++) {
        for (uint32_t i = 0; i < d->tasks[t].deps; i++) {
            const oracle_dep *dep = &d->deps[d->tasks[t].first_dep + i];
            if (dep->cause == ORACLE_DEP_TASK && dep->task != ORACLE_NONE) {
                add_edge(s, dep->task, t);
            }
        }
    }
    for (uint32_t i = 0; i < d->edge_count; i++) {
        const oracle_edge *e = &d->edges[i];
        if ((!s->named || e->source == ORACLE_EXPLICIT) &&
            is_there(s->work, e, s->placing && !s->named)) {
            add_edge(s, e->from, e->to);
        }
    }
}

static int by_index(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t sort_unique(uint32_t *list, uint32_t count)
{
    uint32_t kept = 0;
    qsort(list, count, sizeof *list, by_index);
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || list[kept - 1] != list[i]) {
            list[kept++] = list[i];
        }
    }
    return kept;
}

/* Lists behind what before[] has already, of all edges or the named ones. */
static replay_status list(scene_work *work, uint32_t *next, bool named)
{
    uint32_t tasks = work->document->task_count;
    size_t start = work->before_count, total = start;
    sorter s = {.work = work, .next = next, .named = named};
    for (uint32_t t = 0; t < tasks; t++) {
        next[t] = 0;
    }
    add_all(&s);
    for (uint32_t t = 0; t < tasks && s.status == REPLAY_OK; t++) {
        uint32_t count = next[t];
        next[t] = (uint32_t)total;
        total += count;
        if (total > UINT32_MAX) {
            return replay_fail_memory(work->error);
        }
    }
    if (s.status != REPLAY_OK) {
        return s.status;
    }
    uint32_t *more = realloc(work->before, (total + 1) * sizeof *more);
    if (more == NULL) {
        return replay_fail_memory(work->error);
    }
    work->before = more;
    work->before_count = total;
    s.placing = true;
    add_all(&s);
    for (uint32_t t = 0; t < tasks; t++) {
        scene_task *task = &work->tasks[t];
        uint32_t first = t == 0 ? (uint32_t)start : next[t - 1];
        uint32_t count = next[t] - first;
        count = count == 0 ? 0 : sort_unique(&work->before[first], count);
        *(named ? &task->first_explicit : &task->first_before) = first;
        *(named ? &task->explicits : &task->befores) = count;
    }
    return REPLAY_OK;
}

replay_status scene_edges(scene_work *work)
{
    uint32_t *next = malloc((work->document->task_count + 1) * sizeof *next);
    if (next == NULL) {
        return replay_fail_memory(work->error);
    }
    replay_status status = list(work, next, false);
    if (status == REPLAY_OK) {
        status = list(work, next, true);
    }
    free(next);
    return status;
}
