/* Where the bytes of a scene lie: with the memory plan, and each storage in a
 * place of its own, as a run in program order means it. */
#include "scene_work.h"

#include <stdlib.h>

#include "fault.h"

#define ALIGN 64

static replay_status extend(scene_work *work, uint32_t buffer, uint32_t region)
{
    scene_box box;
    if (region == ORACLE_NONE) {
        return REPLAY_OK;
    }
    replay_status status = scene_box_make(&box, work, buffer, region);
    if (status == REPLAY_OK && box.end > work->extents[buffer]) {
        work->extents[buffer] = box.end;
    }
    return status;
}

static replay_status extend_arg(scene_work *work, const oracle_arg *arg)
{
    const oracle_document *d = work->document;
    replay_status status = extend(work, arg->buffer, arg->view);
    for (uint32_t i = 0; status == REPLAY_OK && i < arg->accesses; i++) {
        status = extend(work, arg->buffer,
                        d->accesses[arg->first_access + i].region);
    }
    return status;
}

/* A buffer of unknown size is as large as what is touched in it. Regions by
 * block are looked at in the last block, where they reach the furthest. */
static replay_status measure(scene_work *work)
{
    const oracle_document *d = work->document;
    int64_t unknown = work->options->unknown_bytes;
    replay_status status = REPLAY_OK;
    for (uint32_t i = 0; i < d->symbol_count; i++) {
        if (d->symbols[i].block && d->symbols[i].has_max) {
            work->values[i] = d->symbols[i].max;
        }
    }
    status = scene_symbols_follow(work);
    for (uint32_t i = 0; i < d->arg_count && status == REPLAY_OK; i++) {
        const oracle_arg *arg = &d->args[i];
        if (arg->kind == ORACLE_ARG_BUFFER &&
            !d->buffers[arg->buffer].has_bytes) {
            status = extend_arg(work, arg);
        }
    }
    for (uint32_t i = 0; i < d->symbol_count; i++) {
        if (d->symbols[i].block) {
            work->values[i] = 0;
        }
    }
    for (uint32_t i = 0; i < d->buffer_count; i++) {
        if (d->buffers[i].has_bytes) {
            work->extents[i] = d->buffers[i].bytes;
        } else if (work->extents[i] <= 0) {
            work->extents[i] = unknown > 0 ? unknown : 256;
        }
    }
    return status == REPLAY_OK ? scene_symbols_follow(work) : status;
}

/* An alias lies in its storage, which then is as large as both need. */
static replay_status extend_storages(scene_work *work)
{
    const oracle_document *d = work->document;
    for (uint32_t i = 0; i < d->buffer_count; i++) {
        const oracle_buffer *b = &d->buffers[i];
        int64_t end;
        if (b->storage_at < 0 ||
            __builtin_add_overflow(b->storage_at, work->extents[i], &end)) {
            return replay_fail(work->error, REPLAY_UNSUPPORTED, -1,
                               "the buffer %.100s begins before its storage",
                               b->key.data);
        }
        if (end > work->extents[b->storage] &&
            !d->buffers[b->storage].has_bytes) {
            work->extents[b->storage] = end;
        }
    }
    return REPLAY_OK;
}

static bool add_storage(scene_work *work, uint32_t buffer, int64_t place,
                        bool torn)
{
    const oracle_buffer *b = &work->document->buffers[buffer];
    work->storage[work->storage_count] = (scene_storage){
        .place = place,
        .bytes = work->extents[buffer],
        .own = -1,
        .buffer = buffer,
        .init = !torn && (b->external || b->init),
        .external = !torn && b->external,
    };
    work->storages[buffer] = work->storage_count++;
    return true;
}

/* Places of the plan by buffer; -1: it has none. */
static int64_t *planned(scene_work *work)
{
    const oracle_document *d = work->document;
    int64_t *places = malloc((d->buffer_count + 1) * sizeof *places);
    for (uint32_t i = 0; places != NULL && i < d->buffer_count; i++) {
        places[i] = -1;
    }
    for (uint32_t i = 0; places != NULL && work->options->plan && d->has_plan &&
                         i < d->allocation_count;
         i++) {
        const oracle_allocation *a = &d->allocations[i];
        if (a->buffer != ORACLE_NONE && a->offset >= 0) {
            places[a->buffer] = a->offset;
        }
    }
    return places;
}

/* Storages first, then the aliases that the plan has put elsewhere. */
static void make_storages(scene_work *work, const int64_t *places)
{
    const oracle_document *d = work->document;
    for (uint32_t i = 0; i < d->buffer_count; i++) {
        if (d->buffers[i].storage == i) {
            add_storage(work, i, places[i], false);
        }
    }
    for (uint32_t i = 0; i < d->buffer_count; i++) {
        const oracle_buffer *b = &d->buffers[i];
        int64_t root = places[b->storage];
        if (b->storage == i) {
            continue;
        }
        if (places[i] >= 0 && root >= 0 && places[i] - root != b->storage_at) {
            add_storage(work, i, places[i], true);
            continue;
        }
        work->storages[i] = work->storages[b->storage];
        work->shifts[i] = b->storage_at;
        if (places[i] >= b->storage_at && root < 0) {
            work->storage[work->storages[i]].place = places[i] - b->storage_at;
        }
    }
}

static replay_status too_much(scene_work *work, int64_t most)
{
    return replay_fail(work->error, REPLAY_RANGE, -1,
                       "the program needs more than %lld bytes of memory, "
                       "which is the most of a scene",
                       (long long)most);
}

/* The end of `bytes` at `*at`, aligned. */
static bool advance(int64_t *at, int64_t bytes, int64_t most)
{
    return !__builtin_add_overflow(*at, bytes, at) && *at <= most - ALIGN &&
           (*at = (*at + ALIGN - 1) / ALIGN * ALIGN) <= most;
}

static replay_status put(scene_work *work)
{
    const oracle_document *d = work->document;
    int64_t most = work->options->max_bytes;
    most = most > 0 ? most : REPLAY_SCENE_BYTES;
    for (uint32_t i = 0; i < work->storage_count; i++) {
        scene_storage *s = &work->storage[i];
        int64_t end = s->place;
        if (s->place >= 0 && !advance(&end, s->bytes, most)) {
            return too_much(work, most);
        }
        work->memory = end > work->memory ? end : work->memory;
    }
    for (uint32_t i = 0; i < work->storage_count; i++) {
        scene_storage *s = &work->storage[i];
        const oracle_buffer *b = &d->buffers[s->buffer];
        if (b->storage != s->buffer) {
            s->own =
                work->storage[work->storages[b->storage]].own + b->storage_at;
        } else {
            s->own = work->own;
            if (!advance(&work->own, s->bytes, most)) {
                return too_much(work, most);
            }
        }
        if (s->place < 0) {
            s->place = work->memory;
            if (!advance(&work->memory, s->bytes, most)) {
                return too_much(work, most);
            }
        }
    }
    return REPLAY_OK;
}

typedef struct maker {
    int64_t id;
    uint32_t task;
} maker;

static int by_id(const void *a, const void *b)
{
    const maker *x = a, *y = b;
    return x->id != y->id ? (x->id > y->id) - (x->id < y->id)
                          : (x->task > y->task) - (x->task < y->task);
}

static int is_id(const void *key, const void *item)
{
    const maker *x = key, *y = item;
    return (x->id > y->id) - (x->id < y->id);
}

static replay_status find_owners(scene_work *work)
{
    const oracle_document *d = work->document;
    maker *makers = malloc((d->task_count + 1) * sizeof *makers);
    if (makers == NULL) {
        return replay_fail_memory(work->error);
    }
    for (uint32_t i = 0; i < d->task_count; i++) {
        makers[i] = (maker){d->tasks[i].id, i};
    }
    qsort(makers, d->task_count, sizeof *makers, by_id);
    for (uint32_t i = 0; i < d->buffer_count; i++) {
        maker key = {.id = d->buffers[i].creator};
        const maker *found = key.id < 0 ? NULL
                                        : bsearch(&key, makers, d->task_count,
                                                  sizeof *makers, is_id);
        work->owners[i] = found == NULL ? REPLAY_NONE : found->task;
    }
    free(makers);
    return REPLAY_OK;
}

replay_status scene_places(scene_work *work)
{
    replay_status status = find_owners(work);
    if (status == REPLAY_OK) {
        status = measure(work);
    }
    if (status == REPLAY_OK) {
        status = extend_storages(work);
    }
    if (status != REPLAY_OK) {
        return status;
    }
    int64_t *places = planned(work);
    if (places == NULL) {
        return replay_fail_memory(work->error);
    }
    make_storages(work, places);
    free(places);
    return put(work);
}
