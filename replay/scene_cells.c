/*
 * What the cells of a program are in a scene: their own bytes, or, of a program
 * that needs much memory, a few bytes for each. No access touches a cell in
 * part, so that a few show all that it can show.
 */
#include "scene_work.h"

#include <stdlib.h>

#include "fault.h"

#define PLENTY ((int64_t)16 << 20) /* bytes that are never made less */
#define CELL 8                     /* of one that is */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Where a storage is stretched (scene_places.c), what touched all of it still
 * does. */
static int64_t end_of(const scene_work *work, uint32_t cell)
{
    const replay_program *p = work->program;
    uint32_t root = p->cell_storage[cell];
    bool stretched = !work->d->buffers[root].has_bytes &&
                     p->cell_begin[cell] == 0 && p->cell_end[cell] == 1 &&
                     p->buffers[root].count == 1;
    return stretched ? work->extents[root] : p->cell_end[cell];
}

/* Whether the storages have more than so many bytes together. */
static bool is_more(const scene_work *work, int64_t most)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < work->storage_count; i++) {
        if (__builtin_add_overflow(sum, work->storage[i].bytes, &sum)) {
            return true;
        }
    }
    return sum > most;
}

/* Cells, and what lies between them, become short; each storage begins with
 * what it began with. */
static void scale(scene_work *work, scene_storage *s)
{
    const replay_buffer *b = &work->program->buffers[s->buffer];
    int64_t at = 0, real = 0;
    for (uint32_t c = b->first; c < b->first + b->count; c++) {
        int64_t begin = work->cell_begin[c], end = work->cell_end[c];
        work->cell_begin[c] = at += least(begin - real, CELL);
        work->cell_end[c] = at += least(end - begin, CELL);
        real = end;
    }
    s->bytes = s->bytes < real ? at - 1 : at + least(s->bytes - real, CELL);
}

replay_status scene_cells(scene_work *work)
{
    const replay_program *p = work->program;
    size_t size = ((size_t)p->cell_count + 1) * sizeof *work->cell_begin;
    int64_t most = work->options->max_bytes;
    work->cell_begin = malloc(size);
    work->cell_end = malloc(size);
    if (work->cell_begin == NULL || work->cell_end == NULL) {
        return replay_fail_memory(work->error);
    }
    for (uint32_t c = 0; c < p->cell_count; c++) {
        work->cell_begin[c] = p->cell_begin[c];
        work->cell_end[c] = end_of(work, c);
    }
    work->scene->scaled =
        !p->planned && is_more(work, most > 0 ? least(most, PLENTY) : PLENTY);
    for (uint32_t i = 0; i < work->storage_count; i++) {
        scene_storage *s = &work->storage[i];
        s->view_bytes = s->bytes;
        if (work->scene->scaled) {
            scale(work, s);
        }
    }
    return REPLAY_OK;
}
