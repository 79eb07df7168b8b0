/* Places: where the memory plan puts the cells of its buffers. */
#include "program_work.h"

#include <stdlib.h>
#include <string.h>

/* Aliases that are placed apart cut each other again and again. */
#define MOST_ROUNDS 64

/* Where a buffer has its own place, that; else where its storage has one. One
 * of unknown size shares no byte for certain: it has a place of its own. */
static bool find_bases(replay_addresses *a, const replay_maker *maker)
{
    const oracle_document *d = maker->d;
    int64_t *base = a->base + d->buffer_count; /* by storage */
    bool *placed = a->placed + d->buffer_count;
    for (uint32_t i = 0; i < d->allocation_count; i++) {
        uint32_t b = d->allocations[i].buffer;
        if (b == ORACLE_NONE || a->placed[b] || !d->buffers[b].has_bytes) {
            continue;
        }
        if (__builtin_sub_overflow(d->allocations[i].offset,
                                   d->buffers[b].storage_at, &a->base[b])) {
            return false;
        }
        a->placed[b] = true;
        if (!placed[d->buffers[b].storage]) {
            placed[d->buffers[b].storage] = true;
            base[d->buffers[b].storage] = a->base[b];
        }
    }
    for (uint32_t b = 0; b < d->buffer_count; b++) {
        uint32_t storage = d->buffers[b].storage;
        if (!a->placed[b] && placed[storage]) {
            a->placed[b] = true;
            a->base[b] = base[storage];
        }
        int64_t end;
        if (a->placed[b] &&
            (__builtin_add_overflow(a->base[b], maker->ranges[b].begin, &end) ||
             __builtin_add_overflow(a->base[b], maker->ranges[b].end, &end))) {
            return false;
        }
    }
    return true;
}

/* All storages lie in one piece: cutting once is enough. */
static bool in_one_piece(const replay_addresses *a, const oracle_document *d)
{
    for (uint32_t b = 0; b < d->buffer_count; b++) {
        uint32_t root = d->buffers[b].storage;
        if (a->placed[b] && a->base[b] != a->base[d->buffer_count + root]) {
            return false;
        }
    }
    return true;
}

/* The borders of a storage within a buffer: from, to. */
static void borders_of(const replay_borders *borders, const replay_maker *maker,
                       uint32_t b, uint32_t *from, uint32_t *to)
{
    uint32_t s = maker->d->buffers[b].storage;
    replay_row range = maker->ranges[b];
    uint32_t last = borders->first[s + 1];
    *from =
        replay_border_find(borders->at, borders->first[s], last, range.begin);
    *to = replay_border_find(borders->at, *from, last, range.end);
    *to += *to < last && borders->at[*to] == range.end;
}

static replay_status find_addresses(replay_addresses *a,
                                    const replay_maker *maker,
                                    const replay_borders *borders)
{
    uint32_t from, to, count = 0;
    uint64_t total = 0;
    for (uint32_t b = 0; b < maker->d->buffer_count; b++) {
        if (a->placed[b]) {
            borders_of(borders, maker, b, &from, &to);
            total += to - from;
        }
    }
    free(a->at);
    a->at =
        total > REPLAY_MOST_ROWS ? NULL : malloc((total + 1) * sizeof *a->at);
    if (a->at == NULL) {
        return replay_fail_memory(maker->error);
    }
    for (uint32_t b = 0; b < maker->d->buffer_count; b++) {
        if (a->placed[b]) {
            borders_of(borders, maker, b, &from, &to);
            for (uint32_t i = from; i < to; i++) {
                a->at[count++] = borders->at[i] + a->base[b];
            }
        }
    }
    a->count = replay_sort_unique(a->at, count);
    return REPLAY_OK;
}

/* The addresses that lie in a buffer: from, to. */
static void addresses_of(const replay_addresses *a, const replay_maker *maker,
                         uint32_t b, uint32_t *from, uint32_t *to)
{
    replay_row range = maker->ranges[b];
    *from = replay_border_find(a->at, 0, a->count, range.begin + a->base[b]);
    *to = replay_border_find(a->at, *from, a->count, range.end + a->base[b]);
}

/* Room for each storage: by how much it grows at most. */
static uint64_t count_cuts(const replay_addresses *a, const replay_maker *maker,
                           const replay_borders *borders, uint32_t *first)
{
    const oracle_document *d = maker->d;
    uint64_t total = 0;
    memset(first, 0, ((size_t)d->buffer_count + 1) * sizeof *first);
    for (uint32_t b = 0; b < d->buffer_count; b++) {
        uint32_t from = 0, to = 0;
        if (a->placed[b]) {
            addresses_of(a, maker, b, &from, &to);
        }
        uint32_t own = borders->first[b + 1] - borders->first[b];
        first[b + 1] += own;
        first[d->buffers[b].storage + 1] += to - from;
        total += (uint64_t)own + to - from;
        if (total > REPLAY_MOST_ROWS) {
            break;
        }
    }
    return total;
}

static void put_cuts(const replay_addresses *a, const replay_maker *maker,
                     const replay_borders *borders, uint32_t *first,
                     int64_t *at)
{
    const oracle_document *d = maker->d;
    for (uint32_t b = 0; b < d->buffer_count; b++) {
        uint32_t own = borders->first[b + 1] - borders->first[b];
        memcpy(at + first[b], borders->at + borders->first[b],
               own * sizeof *at);
        first[b] += own;
    }
    for (uint32_t b = 0; b < d->buffer_count; b++) {
        uint32_t from = 0, to = 0, *next = &first[d->buffers[b].storage];
        if (a->placed[b]) {
            addresses_of(a, maker, b, &from, &to);
        }
        for (uint32_t i = from; i < to; i++) {
            at[(*next)++] = a->at[i] - a->base[b];
        }
    }
}

/* Cuts the storages at the addresses; *grown tells whether that did something.
 */
static replay_status cut(const replay_addresses *a, const replay_maker *maker,
                         replay_borders *borders, bool *grown)
{
    uint32_t n = maker->d->buffer_count, before = borders->first[n];
    uint32_t *first = calloc((size_t)n + 2, sizeof *first);
    uint64_t total = first == NULL ? 0 : count_cuts(a, maker, borders, first);
    int64_t *at = first == NULL || total > REPLAY_MOST_ROWS
                      ? NULL
                      : malloc((total + 1) * sizeof *at);
    if (at == NULL) {
        free(first);
        return total <= REPLAY_MOST_ROWS
                   ? replay_fail_memory(maker->error)
                   : replay_fail(maker->error, REPLAY_RANGE, -1,
                                 "the memory plan cuts the buffers into more "
                                 "than 16,777,216 pieces");
    }
    for (uint32_t s = 0; s < n; s++) {
        first[s + 1] += first[s];
    }
    put_cuts(a, maker, borders, first, at);
    free(borders->at);
    free(borders->first);
    *borders = (replay_borders){at, first};
    replay_borders_pack(borders, n);
    *grown = borders->first[n] > before;
    return REPLAY_OK;
}

replay_status replay_places_cut(replay_addresses *a, replay_maker *maker,
                                replay_borders *borders)
{
    size_t n = maker->d->buffer_count;
    a->placed = calloc(2 * n + 1, sizeof *a->placed);
    a->base = calloc(2 * n + 1, sizeof *a->base);
    if (a->placed == NULL || a->base == NULL) {
        return replay_fail_memory(maker->error);
    }
    if (!find_bases(a, maker)) {
        return replay_fail(maker->error, REPLAY_RANGE, -1,
                           "the memory plan has a place beyond 64 bits");
    }
    bool grown = true, once = in_one_piece(a, maker->d);
    replay_status status = find_addresses(a, maker, borders);
    for (uint32_t round = 0; status == REPLAY_OK && grown; round++) {
        if (round == MOST_ROUNDS) {
            return replay_fail(maker->error, REPLAY_UNSUPPORTED, -1,
                               "the memory plan places aliases apart so that "
                               "they cut each other more than %d times",
                               MOST_ROUNDS);
        }
        status = cut(a, maker, borders, &grown);
        if (status == REPLAY_OK && grown && !once) {
            status = find_addresses(a, maker, borders);
        }
        grown = grown && !once;
    }
    return status;
}

void replay_places_number(replay_maker *maker, const replay_addresses *a,
                          const replay_borders *borders)
{
    replay_program *p = maker->program;
    uint32_t next = a->count;
    p->planned = a->count > 0;
    p->place_count = p->cell_count;
    if (!p->planned) {
        return;
    }
    for (uint32_t b = 0; b < p->buffer_count; b++) {
        replay_buffer *buffer = &p->buffers[b];
        uint32_t count = borders->first[b + 1] - borders->first[b];
        if (a->placed[b]) {
            uint32_t place = replay_border_find(
                a->at, 0, a->count, maker->ranges[b].begin + a->base[b]);
            buffer->shift = (int64_t)place - buffer->first;
        } else if (count > 1) {
            buffer->shift = (int64_t)next - maker->first_cell[b];
            next += count - 1;
        }
    }
    for (uint32_t b = 0; b < p->buffer_count; b++) {
        if (!a->placed[b]) {
            p->buffers[b].shift = p->buffers[p->buffers[b].storage].shift;
        }
    }
    p->place_count = next;
}
