/* The lower bound of a plan: what must be alive together. */
#include "reuse.h"

#include <stdlib.h>
#include <string.h>

/* Twice the task, one more where it writes. */
typedef struct life {
    uint64_t begin, end; /* alive at both */
    uint32_t storage;
} life;

typedef struct event {
    uint64_t at;
    int64_t bytes; /* below 0: it ends, behind that time */
} event;

static int compare_event(const void *a, const void *b)
{
    const event *x = a, *y = b;
    if (x->at != y->at) {
        return x->at < y->at ? -1 : 1;
    }
    return (x->bytes < 0) - (y->bytes < 0);
}

/* The caller reads behind the last task. */
static uint64_t time_of(const oracle_reuse_work *w, const oracle_item *item)
{
    uint64_t task = item->task == ORACLE_NONE
                        ? w->execution->document->task_count
                        : item->task;
    return 2 * task + oracle_item_writes(item);
}

static life life_of(const oracle_reuse_work *w, uint32_t storage)
{
    const oracle_items *items = &w->execution->items;
    const oracle_buffer *b = &w->execution->document->buffers[storage];
    const uint32_t *list = items->by_storage + items->storage_first[storage];
    uint32_t n =
        items->storage_first[storage + 1] - items->storage_first[storage];
    life found = {time_of(w, &items->items[list[0]]),
                  time_of(w, &items->items[list[n - 1]]), storage};
    /* The caller's, by itself or by a view. */
    bool external =
        b->external || items->items[list[n - 1]].task == ORACLE_NONE;
    if (external || b->init) {
        found.begin = 0;
    }
    if (external) {
        found.end = UINT64_C(2) * w->execution->document->task_count;
    }
    return found;
}

/* Keeps who is alive at the time that was found. */
static bool keep(oracle_reuse_work *w, const life *lives, int64_t bytes,
                 uint64_t at)
{
    oracle_alive *alive = &w->reuses->alive;
    oracle_arena *arena = w->reuses->arena;
    const oracle_document *d = w->execution->document;
    uint32_t last = d->task_count == 0 ? 0 : d->task_count - 1;
    *alive = (oracle_alive){
        .bytes = bytes,
        .task = at / 2 > last ? last : (uint32_t)(at / 2),
        .writing = at % 2 != 0,
        .storages =
            oracle_arena_array(arena, w->count, sizeof *alive->storages),
        .choices = oracle_arena_alloc(arena, d->choice_count),
    };
    if (alive->storages == NULL || alive->choices == NULL) {
        return false;
    }
    memcpy(alive->choices, w->execution->choices, d->choice_count);
    for (uint32_t r = 0; r < w->count; r++) {
        if (lives[r].begin <= at && at <= lives[r].end) {
            alive->storages[alive->count++] = lives[r].storage;
        }
    }
    return true;
}

bool oracle_reuse_lower(oracle_reuse_work *work)
{
    const oracle_document *d = work->execution->document;
    size_t n = work->count;
    if (n == 0 || !work->execution->certain.forward ||
        work->reuses->alive.bytes < 0) {
        return true;
    }
    life *lives = oracle_arena_array(work->arena, n, sizeof *lives);
    event *events = oracle_arena_array(work->arena, 2 * n, sizeof *events);
    if (lives == NULL || events == NULL) {
        return false;
    }
    for (size_t r = 0; r < n; r++) {
        int64_t bytes = d->buffers[work->storages[r]].bytes;
        lives[r] = life_of(work, work->storages[r]);
        events[2 * r] = (event){lives[r].begin, bytes};
        events[2 * r + 1] = (event){lives[r].end, -bytes};
    }
    qsort(events, 2 * n, sizeof *events, compare_event);
    int64_t now = 0, most = 0;
    uint64_t at = 0;
    for (size_t i = 0; i < 2 * n; i++) {
        if (__builtin_add_overflow(now, events[i].bytes, &now)) {
            work->reuses->alive.bytes = -1;
            return true;
        }
        if (now > most) {
            most = now;
            at = events[i].at;
        }
    }
    return most <= work->reuses->alive.bytes || keep(work, lives, most, at);
}
