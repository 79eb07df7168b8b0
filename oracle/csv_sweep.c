/*
 * All overlaps of a plan at once. Time is swept; of the pieces alive now those
 * that begin before an address, less those that end at or before another, are
 * counted by two sums over ranks, and found by the largest end below a node of
 * a tree over the begins. So counting costs O(log n) a piece, however many
 * overlap, and finding as much for each that is listed.
 */
#include "csv.h"

#include <stdlib.h>
#include <string.h>

/* --- Pieces --- */

static int compare_piece(const void *a, const void *b)
{
    const oracle_csv_piece *x = a, *y = b;
    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    if (x->row != y->row) {
        return x->row < y->row ? -1 : 1;
    }
    return 0;
}

static void add_piece(oracle_csv_sweep *s, const oracle_csv_row *row,
                      oracle_csv_piece piece)
{
    int64_t end;
    if (piece.from >= piece.to || piece.begin >= piece.end) {
        return;
    }
    piece.placed = row->placed && row->offset >= 0 &&
                   !__builtin_add_overflow(row->offset, row->size, &end);
    if (piece.placed) {
        piece.begin += row->offset;
        piece.end += row->offset;
    }
    s->pieces[s->count++] = piece;
}

/* A life falls apart at its gaps. */
static void cut_row(oracle_csv_sweep *s, const oracle_csv *csv, uint32_t i)
{
    const oracle_csv_row *row = &csv->rows[i];
    int64_t at = row->lower;
    for (uint32_t g = row->first_gap; g < row->first_gap + row->gaps; g++) {
        const oracle_csv_gap *gap = &csv->gaps[g];
        add_piece(s, row,
                  (oracle_csv_piece){at, gap->lower, 0, row->size, i, false});
        add_piece(s, row,
                  (oracle_csv_piece){gap->lower, gap->upper, gap->from, gap->to,
                                     i, false});
        at = gap->upper;
    }
    add_piece(s, row,
              (oracle_csv_piece){at, row->upper, 0, row->size, i, false});
}

/* --- Sorted numbers and sums over their ranks --- */

typedef struct edge {
    int64_t value;
    uint32_t piece;
} edge;

static int compare_edge(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    if (x->value != y->value) {
        return x->value < y->value ? -1 : 1;
    }
    return (x->piece > y->piece) - (x->piece < y->piece);
}

typedef struct ranks {
    edge *sorted;
    uint32_t *rank; /* by piece */
    uint32_t *sums;
    uint32_t count;
} ranks;

typedef int64_t (*value_of)(const oracle_csv_piece *piece);

static int64_t begin_of(const oracle_csv_piece *piece)
{
    return piece->begin;
}

static int64_t end_of(const oracle_csv_piece *piece)
{
    return piece->end;
}

static int64_t last_of(const oracle_csv_piece *piece)
{
    return piece->to;
}

static bool make_ranks(ranks *r, const oracle_csv_sweep *s, value_of value,
                       oracle_arena *arena)
{
    r->count = s->count;
    r->sorted = oracle_arena_array(arena, s->count, sizeof *r->sorted);
    r->rank = oracle_arena_array(arena, s->count, sizeof *r->rank);
    r->sums = oracle_arena_array(arena, (size_t)s->count + 1, sizeof *r->sums);
    if (r->sorted == NULL || r->rank == NULL || r->sums == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        r->sorted[i] = (edge){value(&s->pieces[i]), i};
    }
    qsort(r->sorted, s->count, sizeof *r->sorted, compare_edge);
    for (uint32_t i = 0; i < s->count; i++) {
        r->rank[r->sorted[i].piece] = i;
    }
    return true;
}

/* How many of all are below the value (or, `equal`, at it). */
static uint32_t rank_below(const ranks *r, int64_t value, bool equal)
{
    uint32_t low = 0, high = r->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int64_t at = r->sorted[middle].value;
        if (at < value || (equal && at == value)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void add_sum(ranks *r, uint32_t rank, uint32_t change)
{
    for (uint32_t i = rank + 1; i <= r->count; i += i & -i) {
        r->sums[i] += change; /* taking away is adding modulo 2^32 */
    }
}

static uint32_t sum_below(const ranks *r, uint32_t rank)
{
    uint32_t sum = 0;
    for (uint32_t i = rank; i > 0; i -= i & -i) {
        sum += r->sums[i];
    }
    return sum;
}

/* --- The sweep --- */

typedef struct work {
    oracle_csv_sweep *sweep;
    ranks begins, ends, lasts;
    int64_t *largest; /* a tree over the ranks of the begins: ends of those */
    uint32_t leaves;  /* alive, INT64_MIN of the others */
    uint32_t *hits, hit_count;
    uint32_t limit;
    int64_t alive;
    oracle_arena *arena;
} work;

static void set_end(work *w, uint32_t rank, int64_t end)
{
    uint32_t node = w->leaves + rank;
    w->largest[node] = end;
    for (node /= 2; node > 0; node /= 2) {
        int64_t a = w->largest[2 * node], b = w->largest[2 * node + 1];
        w->largest[node] = a > b ? a : b;
    }
}

/* The pieces alive among the first `below` begins that end behind `after`. */
static void find_hits(work *w, uint32_t below, int64_t after)
{
    struct {
        uint32_t node, first, size;
    } stack[66];
    uint32_t depth = 0;
    w->hit_count = 0;
    stack[depth].node = 1;
    stack[depth].first = 0;
    stack[depth++].size = w->leaves;
    while (depth > 0) {
        uint32_t node = stack[--depth].node;
        uint32_t first = stack[depth].first, size = stack[depth].size;
        if (first >= below || w->largest[node] <= after) {
            continue;
        }
        if (size == 1) {
            w->hits[w->hit_count++] = w->begins.sorted[first].piece;
            continue;
        }
        for (uint32_t i = 0; i < 2; i++) {
            stack[depth].node = 2 * node + i;
            stack[depth].first = first + i * (size / 2);
            stack[depth++].size = size / 2;
        }
    }
}

static int compare_hit(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool list_pair(work *w, oracle_csv_pair pair)
{
    oracle_csv_sweep *s = w->sweep;
    oracle_csv_pair *grown =
        oracle_arena_push(w->arena, s->list, s->listed, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    s->list = grown;
    grown[s->listed++] = pair;
    return true;
}

static bool count_overlaps(work *w, uint32_t i)
{
    oracle_csv_sweep *s = w->sweep;
    const oracle_csv_piece *piece = &s->pieces[i];
    uint32_t below = rank_below(&w->begins, piece->end, false);
    uint32_t over = rank_below(&w->ends, piece->begin, true);
    uint32_t found = sum_below(&w->begins, below) - sum_below(&w->ends, over);
    s->overlaps += found;
    if (found == 0 || s->listed == w->limit) {
        return true;
    }
    find_hits(w, below, piece->begin);
    qsort(w->hits, w->hit_count, sizeof *w->hits, compare_hit);
    for (uint32_t h = 0; h < w->hit_count && s->listed < w->limit; h++) {
        if (!list_pair(w, (oracle_csv_pair){w->hits[h], i})) {
            return false;
        }
    }
    return true;
}

/* Once it passes 64 bits it is no longer followed. */
static void count_alive(work *w, const oracle_csv_piece *piece)
{
    oracle_csv_sweep *s = w->sweep;
    if (s->more) {
        return;
    }
    if (__builtin_add_overflow(w->alive, piece->end - piece->begin,
                               &w->alive)) {
        s->more = true;
        w->alive = INT64_MAX;
    }
    if (w->alive > s->lower || s->more) {
        s->lower = w->alive;
        s->lower_at = piece->from;
    }
}

static bool enter(work *w, uint32_t i)
{
    const oracle_csv_piece *piece = &w->sweep->pieces[i];
    count_alive(w, piece);
    if (!piece->placed) {
        return true;
    }
    if (!count_overlaps(w, i)) {
        return false;
    }
    add_sum(&w->begins, w->begins.rank[i], 1);
    add_sum(&w->ends, w->ends.rank[i], 1);
    set_end(w, w->begins.rank[i], piece->end);
    return true;
}

static void leave(work *w, uint32_t i)
{
    const oracle_csv_piece *piece = &w->sweep->pieces[i];
    w->alive -= w->sweep->more ? 0 : piece->end - piece->begin;
    if (piece->placed) {
        add_sum(&w->begins, w->begins.rank[i], UINT32_MAX);
        add_sum(&w->ends, w->ends.rank[i], UINT32_MAX);
        set_end(w, w->begins.rank[i], INT64_MIN);
    }
}

static bool prepare(work *w, const oracle_csv *csv)
{
    oracle_arena *arena = w->arena;
    oracle_csv_sweep *s = w->sweep;
    size_t room = (size_t)csv->count + 2 * (size_t)csv->gap_count;
    s->pieces = oracle_arena_array(arena, room, sizeof *s->pieces);
    if (s->pieces == NULL || room > UINT32_MAX / 4) {
        return false;
    }
    for (uint32_t i = 0; i < csv->count; i++) {
        cut_row(s, csv, i);
    }
    qsort(s->pieces, s->count, sizeof *s->pieces, compare_piece);
    for (w->leaves = 1; w->leaves < s->count;) {
        w->leaves *= 2;
    }
    w->largest =
        oracle_arena_array(arena, 2 * (size_t)w->leaves, sizeof *w->largest);
    w->hits = oracle_arena_array(arena, s->count, sizeof *w->hits);
    if (w->largest == NULL || w->hits == NULL) {
        return false;
    }
    for (size_t i = 0; i < 2 * (size_t)w->leaves; i++) {
        w->largest[i] = INT64_MIN;
    }
    return make_ranks(&w->begins, s, begin_of, arena) &&
           make_ranks(&w->ends, s, end_of, arena) &&
           make_ranks(&w->lasts, s, last_of, arena);
}

bool oracle_csv_look(oracle_csv_sweep *sweep, const oracle_csv *csv,
                     uint32_t limit, oracle_arena *arena)
{
    *sweep = (oracle_csv_sweep){0};
    work w = {.sweep = sweep, .limit = limit, .arena = arena};
    if (!prepare(&w, csv)) {
        return false;
    }
    uint32_t gone = 0;
    for (uint32_t i = 0; i < sweep->count; i++) {
        const edge *last = w.lasts.sorted;
        while (last[gone].value <= sweep->pieces[i].from) {
            leave(&w, last[gone++].piece);
        }
        if (!enter(&w, i)) {
            return false;
        }
    }
    return true;
}
