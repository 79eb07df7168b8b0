/* Where the bytes of a scene lie: with the memory plan, and each storage in a
 * place of its own, as a run in program order means it. */
#include "scene_work.h"

#include <stdlib.h>

#include "fault.h"

#define ALIGN 64
#define UNKNOWN_BYTES 256
#define MOST_VIEWS ((int64_t)1 << 46) /* addresses have some bits more */

/* --- Sizes --- */

static void extend(int64_t *extent, int64_t end)
{
    *extent = *extent < end ? end : *extent;
}

/* A storage of unknown size is as large as what is touched in it; where only
 * all of it is, that may be anything. */
static void measure(scene_work *work)
{
    const replay_program *p = work->program;
    int64_t unknown = work->options->unknown_bytes;
    for (uint32_t c = 0; c < p->cell_count; c++) {
        extend(&work->extents[p->cell_storage[c]], p->cell_end[c]);
    }
    for (uint32_t i = 0; i < work->d->buffer_count; i++) {
        const oracle_buffer *b = &work->d->buffers[i];
        int64_t *extent = &work->extents[b->storage];
        if (b->storage == i && b->has_bytes) {
            *extent = b->bytes;
        } else if (b->storage == i && *extent <= 1) {
            *extent = unknown > 0 ? unknown : UNKNOWN_BYTES;
        }
    }
    for (uint32_t i = 0; i < work->d->buffer_count; i++) {
        const oracle_buffer *b = &work->d->buffers[i];
        int64_t end;
        if (b->has_bytes && !work->d->buffers[b->storage].has_bytes &&
            !__builtin_add_overflow(b->storage_at, b->bytes, &end)) {
            extend(&work->extents[b->storage], end);
        }
    }
}

/* --- Storages --- */

static void add_storage(scene_work *work, uint32_t buffer, int64_t place,
                        bool torn)
{
    const oracle_buffer *b = &work->d->buffers[buffer];
    int64_t bytes = work->extents[b->storage];
    if (torn) {
        bytes -= b->storage_at;
        bytes = b->has_bytes && b->bytes < bytes ? b->bytes : bytes;
    }
    work->storage[work->storage_count] = (scene_storage){
        .place = place,
        .bytes = bytes < 0 ? 0 : bytes,
        .buffer = buffer,
        .init = !torn && (b->external || b->init),
        .external = !torn && b->external,
    };
    work->buffers[buffer].storage = work->storage_count++;
    work->buffers[buffer].origin = torn ? b->storage_at : 0;
}

/* Places of the plan by buffer; -1: it has none. */
static int64_t *planned(const scene_work *work)
{
    const oracle_document *d = work->d;
    int64_t *places = malloc((d->buffer_count + 1) * sizeof *places);
    for (uint32_t i = 0; places != NULL && i < d->buffer_count; i++) {
        places[i] = -1;
    }
    for (uint32_t i = 0;
         places != NULL && work->program->planned && i < d->allocation_count;
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
    const oracle_document *d = work->d;
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
        work->buffers[i] = work->buffers[b->storage];
        if (root < 0 && places[i] >= b->storage_at) {
            work->storage[work->buffers[i].storage].place =
                places[i] - b->storage_at;
        }
    }
}

/* --- Places --- */

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

static bool put_own(scene_work *work, scene_storage *s, int64_t most)
{
    const oracle_buffer *b = &work->d->buffers[s->buffer];
    if (b->storage == s->buffer) {
        s->own = work->own;
        return advance(&work->own, s->bytes, most);
    }
    s->own =
        work->storage[work->buffers[b->storage].storage].own + b->storage_at;
    return true;
}

/* Views of cells that are scaled down are of nothing: the runtime compares
 * addresses, and reads what they name for predicates alone, which have their
 * own. */
static replay_status put_views(scene_work *work)
{
    int64_t at = work->memory;
    for (uint32_t i = 0; i < work->storage_count; i++) {
        scene_storage *s = &work->storage[i];
        s->view = work->scene->scaled ? at : s->place;
        if (work->scene->scaled && !advance(&at, s->view_bytes, MOST_VIEWS)) {
            return too_much(work, MOST_VIEWS);
        }
    }
    return REPLAY_OK;
}

static replay_status put(scene_work *work)
{
    int64_t most = work->options->max_bytes;
    most = most > 0 ? most : REPLAY_SCENE_BYTES;
    for (uint32_t i = 0; i < work->storage_count; i++) {
        const scene_storage *s = &work->storage[i];
        int64_t end = s->place < 0 ? 0 : s->place;
        if (s->place >= 0 && !advance(&end, s->bytes, most)) {
            return too_much(work, most);
        }
        extend(&work->memory, end);
    }
    for (uint32_t i = 0; i < work->storage_count; i++) {
        scene_storage *s = &work->storage[i];
        bool free_place = s->place < 0;
        s->place = free_place ? work->memory : s->place;
        if (!put_own(work, s, most) ||
            (free_place && !advance(&work->memory, s->bytes, most))) {
            return too_much(work, most);
        }
    }
    return put_views(work);
}

/* --- Who made a buffer --- */

typedef struct maker {
    int64_t id;
    uint32_t task;
} maker;

static int by_id(const void *a, const void *b)
{
    const maker *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static replay_status find_owners(scene_work *work)
{
    const replay_program *p = work->program;
    maker *makers = malloc(((size_t)p->task_count + 1) * sizeof *makers);
    if (makers == NULL) {
        return replay_fail_memory(work->error);
    }
    for (uint32_t i = 0; i < p->task_count; i++) {
        makers[i] = (maker){p->tasks[i].id, i};
    }
    qsort(makers, p->task_count, sizeof *makers, by_id);
    for (uint32_t i = 0; i < work->d->buffer_count; i++) {
        maker key = {.id = work->d->buffers[i].creator};
        const maker *found = key.id < 0 ? NULL
                                        : bsearch(&key, makers, p->task_count,
                                                  sizeof *makers, by_id);
        work->buffers[i].owner = found == NULL ? REPLAY_NONE : found->task;
    }
    free(makers);
    return REPLAY_OK;
}

replay_status scene_places(scene_work *work)
{
    int64_t *places = planned(work);
    if (places == NULL) {
        return replay_fail_memory(work->error);
    }
    measure(work);
    make_storages(work, places);
    free(places);
    replay_status status = scene_cells(work);
    if (status == REPLAY_OK) {
        status = put(work);
    }
    return status == REPLAY_OK ? find_owners(work) : status;
}
