/* Cells: what the borders of all accesses leave whole. */
#include "program_work.h"

#include <stdlib.h>
#include <string.h>

#define FEW_ITEMS 24

static int by_number(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void sort(int64_t *items, uint32_t count)
{
    uint32_t sorted = 1;
    while (sorted < count && items[sorted - 1] <= items[sorted]) {
        sorted++;
    }
    if (sorted >= count) {
        return;
    }
    if (count > FEW_ITEMS) {
        qsort(items, count, sizeof *items, by_number);
        return;
    }
    for (uint32_t i = sorted; i < count; i++) {
        int64_t item = items[i];
        uint32_t at = i;
        for (; at > 0 && items[at - 1] > item; at--) {
            items[at] = items[at - 1];
        }
        items[at] = item;
    }
}

uint32_t replay_sort_unique(int64_t *items, uint32_t count)
{
    uint32_t kept = 0;
    sort(items, count);
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || items[kept - 1] != items[i]) {
            items[kept++] = items[i];
        }
    }
    return kept;
}

uint32_t replay_border_find(const int64_t *at, uint32_t from, uint32_t to,
                            int64_t value)
{
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (at[middle] < value) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/* --- What each buffer is --- */

static void widen(replay_row *range, replay_row by)
{
    range->begin = by.begin < range->begin ? by.begin : range->begin;
    range->end = by.end > range->end ? by.end : range->end;
}

static bool range_buffers(replay_maker *maker)
{
    const replay_program *p = maker->program;
    for (uint32_t b = 0; b < p->buffer_count; b++) {
        const oracle_buffer *buffer = &maker->d->buffers[b];
        replay_row *range = &maker->ranges[b];
        *range = (replay_row){buffer->storage_at, buffer->storage_at};
        if (__builtin_add_overflow(range->begin,
                                   buffer->has_bytes ? buffer->bytes : 1,
                                   &range->end)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < p->access_count; i++) {
        const replay_access *x = &p->accesses[i];
        for (uint32_t k = 0; k < x->count; k++) {
            replay_row row = maker->rows.rows[x->first + k];
            if (row.begin < row.end) {
                widen(&maker->ranges[x->buffer], row);
            }
        }
    }
    return true;
}

/* A storage without a size is as large as its views. */
static void range_wholes(replay_maker *maker)
{
    for (uint32_t b = 0; b < maker->program->buffer_count; b++) {
        uint32_t root = maker->d->buffers[b].storage;
        if (!maker->d->buffers[root].has_bytes) {
            widen(&maker->ranges[root], maker->ranges[b]);
        }
    }
    for (uint32_t i = 0; i < maker->whole_count; i++) {
        const replay_access *x = &maker->program->accesses[maker->wholes[i]];
        maker->rows.rows[x->first] = maker->ranges[x->buffer];
    }
}

/* --- Borders --- */

static bool is_whole(const replay_maker *maker, const replay_access *x,
                     uint32_t row)
{
    replay_row range = maker->ranges[x->buffer];
    replay_row r = maker->rows.rows[row];
    return r.begin == range.begin && r.end == range.end;
}

/* How many borders each storage is given: at first[storage + 1]. */
static uint64_t count_borders(const replay_maker *maker, uint32_t *first)
{
    const replay_program *p = maker->program;
    uint64_t total = 0;
    for (uint32_t b = 0; b < p->buffer_count; b++) {
        first[maker->d->buffers[b].storage + 1] += 2;
        total += 2;
    }
    for (uint32_t i = 0; i < p->access_count; i++) {
        const replay_access *x = &p->accesses[i];
        uint32_t storage = maker->d->buffers[x->buffer].storage;
        for (uint32_t k = 0; k < x->count; k++) {
            uint32_t two = is_whole(maker, x, x->first + k) ? 0 : 2;
            first[storage + 1] += two;
            total += two;
        }
    }
    return total;
}

/* first[] has the starts, and is moved on. */
static void put_borders(const replay_maker *maker, uint32_t *first, int64_t *at)
{
    const replay_program *p = maker->program;
    for (uint32_t b = 0; b < p->buffer_count; b++) {
        uint32_t *next = &first[maker->d->buffers[b].storage];
        at[(*next)++] = maker->ranges[b].begin;
        at[(*next)++] = maker->ranges[b].end;
    }
    for (uint32_t i = 0; i < p->access_count; i++) {
        const replay_access *x = &p->accesses[i];
        uint32_t *next = &first[maker->d->buffers[x->buffer].storage];
        for (uint32_t k = 0; k < x->count; k++) {
            if (!is_whole(maker, x, x->first + k)) {
                at[(*next)++] = maker->rows.rows[x->first + k].begin;
                at[(*next)++] = maker->rows.rows[x->first + k].end;
            }
        }
    }
}

/* Back from the ends to the starts, each border once. */
void replay_borders_pack(replay_borders *borders, uint32_t storages)
{
    uint32_t kept = 0, from = 0;
    for (uint32_t s = 0; s < storages; s++) {
        uint32_t end = borders->first[s];
        uint32_t count = replay_sort_unique(borders->at + from, end - from);
        memmove(borders->at + kept, borders->at + from,
                count * sizeof *borders->at);
        borders->first[s] = kept;
        kept += count;
        from = end;
    }
    borders->first[storages] = kept;
}

static replay_status find_borders(replay_maker *maker, replay_borders *borders)
{
    uint32_t n = maker->program->buffer_count;
    borders->first = calloc((size_t)n + 2, sizeof *borders->first);
    if (borders->first == NULL) {
        return replay_fail_memory(maker->error);
    }
    uint64_t total = count_borders(maker, borders->first);
    if (total > REPLAY_MOST_ROWS * 2) {
        return replay_fail(maker->error, REPLAY_RANGE, -1,
                           "the regions have more than 16,777,216 rows");
    }
    borders->at = malloc((total + 1) * sizeof *borders->at);
    if (borders->at == NULL) {
        return replay_fail_memory(maker->error);
    }
    for (uint32_t s = 0; s < n; s++) {
        borders->first[s + 1] += borders->first[s];
    }
    put_borders(maker, borders->first, borders->at);
    if (replay_stopped(maker->program)) {
        return replay_fail_stopped(maker->error);
    }
    replay_borders_pack(borders, n);
    return REPLAY_OK;
}

/* --- Cells --- */

static void fill_cells(replay_program *p, const replay_borders *borders)
{
    uint32_t cell = 0;
    for (uint32_t s = 0; s < p->buffer_count; s++) {
        for (uint32_t i = borders->first[s]; i + 1 < borders->first[s + 1];
             i++) {
            p->cell_begin[cell] = borders->at[i];
            p->cell_end[cell] = borders->at[i + 1];
            p->cell_storage[cell++] = s;
        }
    }
}

/* The cell that begins with the border. */
static uint32_t cell_at(const replay_maker *maker,
                        const replay_borders *borders, uint32_t storage,
                        int64_t border)
{
    uint32_t from = borders->first[storage];
    return maker->first_cell[storage] - from +
           replay_border_find(borders->at, from, borders->first[storage + 1],
                              border);
}

static void fill_buffers(const replay_maker *maker,
                         const replay_borders *borders)
{
    replay_program *p = maker->program;
    for (uint32_t b = 0; b < p->buffer_count; b++) {
        const oracle_buffer *from = &maker->d->buffers[b];
        replay_row range = maker->ranges[b];
        replay_buffer *to = &p->buffers[b];
        to->storage = from->storage;
        to->first = cell_at(maker, borders, from->storage, range.begin);
        to->count =
            cell_at(maker, borders, from->storage, range.end) - to->first;
        to->external = from->external;
        to->init = from->init;
        for (uint32_t c = 0; c < to->count && (to->init || to->external); c++) {
            p->cell_start[to->first + c] = REPLAY_STARTS;
        }
    }
}

static void fill_runs(const replay_maker *maker, const replay_borders *borders)
{
    replay_program *p = maker->program;
    for (uint32_t i = 0; i < p->access_count && !replay_stopped(p); i++) {
        const replay_access *x = &p->accesses[i];
        const replay_buffer *buffer = &p->buffers[x->buffer];
        for (uint32_t k = x->first; k < x->first + x->count; k++) {
            replay_row row = maker->rows.rows[k];
            if (is_whole(maker, x, k)) {
                p->runs[k] = (replay_cells){buffer->first, buffer->count};
                continue;
            }
            uint32_t begin =
                cell_at(maker, borders, buffer->storage, row.begin);
            uint32_t end = cell_at(maker, borders, buffer->storage, row.end);
            p->runs[k] = (replay_cells){begin, end - begin};
        }
    }
    p->run_count = maker->rows.count;
}

static replay_status make_arrays(replay_maker *maker, uint64_t cells)
{
    replay_program *p = maker->program;
    if (cells > REPLAY_MOST_ROWS) {
        return replay_fail(maker->error, REPLAY_RANGE, -1,
                           "regions and memory plan cut the buffers into more "
                           "than 16,777,216 pieces");
    }
    p->cell_count = (uint32_t)cells;
    p->cell_begin = replay_arena_array(p->arena, cells, sizeof(int64_t));
    p->cell_end = replay_arena_array(p->arena, cells, sizeof(int64_t));
    p->cell_storage = replay_arena_array(p->arena, cells, sizeof(uint32_t));
    p->cell_start = replay_arena_array(p->arena, cells, 1);
    p->runs = replay_arena_array(p->arena, maker->rows.count, sizeof *p->runs);
    return p->cell_begin == NULL || p->cell_end == NULL ||
                   p->cell_storage == NULL || p->cell_start == NULL ||
                   p->runs == NULL
               ? replay_fail_memory(maker->error)
               : REPLAY_OK;
}

static replay_status number_cells(replay_maker *maker,
                                  const replay_borders *borders)
{
    uint32_t n = maker->program->buffer_count;
    uint64_t cells = 0;
    maker->first_cell = calloc((size_t)n + 1, sizeof *maker->first_cell);
    if (maker->first_cell == NULL) {
        return replay_fail_memory(maker->error);
    }
    for (uint32_t s = 0; s < n; s++) {
        uint32_t count = borders->first[s + 1] - borders->first[s];
        maker->first_cell[s] = (uint32_t)cells;
        cells += count > 1 ? count - 1 : 0;
    }
    replay_status status = make_arrays(maker, cells);
    if (status == REPLAY_OK) {
        fill_cells(maker->program, borders);
        fill_buffers(maker, borders);
        fill_runs(maker, borders);
        status = replay_stopped(maker->program)
                     ? replay_fail_stopped(maker->error)
                     : status;
    }
    return status;
}

replay_status replay_cells_make(replay_maker *maker)
{
    replay_program *p = maker->program;
    replay_borders borders = {0};
    replay_addresses addresses = {0};
    p->buffer_count = maker->d->buffer_count;
    p->buffers =
        replay_arena_array(p->arena, p->buffer_count, sizeof *p->buffers);
    maker->ranges = malloc(((size_t)p->buffer_count + 1) * sizeof(replay_row));
    if (p->buffers == NULL || maker->ranges == NULL) {
        return replay_fail_memory(maker->error);
    }
    if (!range_buffers(maker)) {
        return replay_fail(maker->error, REPLAY_RANGE, -1,
                           "a buffer ends beyond 64 bits");
    }
    range_wholes(maker);
    replay_status status = find_borders(maker, &borders);
    if (status == REPLAY_OK && maker->choice->plan && maker->d->has_plan) {
        status = replay_places_cut(&addresses, maker, &borders);
    }
    status = status == REPLAY_OK ? number_cells(maker, &borders) : status;
    if (status == REPLAY_OK) {
        replay_places_number(maker, &addresses, &borders);
    }
    free(addresses.at);
    free(addresses.placed);
    free(addresses.base);
    free(borders.at);
    free(borders.first);
    return status;
}
