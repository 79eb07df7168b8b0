#include "placement.h"

#include <stdlib.h>

#include "../json/array.h"
#include "../json/text.h"
#include "by_offset.h"
#include "order.h"

#define LIMIT ((uint64_t)INT64_MAX)
#define MIXED UINT32_MAX /* leaves of several lines */
#define PATIENT 64       /* runs that are always collected */
#define FEW 32           /* runs that are sorted by insertion */
#define DEEPEST 64       /* a tree of 2^31 leaves has 32 levels */

typedef struct node {
    sonata_gap_set taken;
    uint32_t line;
    uint32_t max_first, min_last;
    uint32_t min_start, max_end;
} node;

typedef struct run {
    uint64_t start, end;
} run;

/* nodes[1] is the root, the children of n are 2n and 2n + 1. */
struct sonata_placement {
    node *nodes;
    uint32_t leaves;   /* a power of two */
    uint32_t *leaf_of; /* per buffer */
    uint32_t *buffer_of;
    const sonata_span *spans;
    sonata_gap_pool pool;
    sonata_gap_set apart; /* bytes that nothing else shares */
    uint64_t peak;
    sonata_conflict_source source;
    sonata_by_offset placed;
    run *runs; /* collected by the present search */
    size_t run_count, run_capacity;
    uint32_t patience; /* searches left before the tree is tried again */
    uint32_t penalty;  /* how many these were after the last failure */
};

/* The bits of a number spread to every second place. */
static uint64_t spread(uint32_t value)
{
    uint64_t v = value;
    v = (v | v << 16) & 0x0000ffff0000ffffu;
    v = (v | v << 8) & 0x00ff00ff00ff00ffu;
    v = (v | v << 4) & 0x0f0f0f0f0f0f0f0fu;
    v = (v | v << 2) & 0x3333333333333333u;
    return (v | v << 1) & 0x5555555555555555u;
}

/* Along a curve through the plane of (first, last), line by line. */
static bool choose_leaves(sonata_placement *p, const sonata_span *spans,
                          size_t count)
{
    sonata_sort_item *items = reallocarray(NULL, count + 1, sizeof *items);
    sonata_sort_item *other = reallocarray(NULL, count + 1, sizeof *other);
    bool ok = items != NULL && other != NULL;
    for (size_t i = 0; i < count && ok; i++)
        items[i] = (sonata_sort_item){
            spread(spans[i].start) << 1 | spread(spans[i].end), (uint32_t)i};
    if (ok)
        sonata_radix_sort(items, other, count);
    for (size_t i = 0; i < count && ok; i++)
        items[i].key = spans[items[i].index].line;
    if (ok)
        sonata_radix_sort(items, other, count);
    for (size_t i = 0; i < count && ok; i++) {
        p->leaf_of[items[i].index] = (uint32_t)i;
        p->buffer_of[i] = items[i].index;
    }
    free(items);
    free(other);
    return ok;
}

static node join(const node *a, const node *b)
{
    return (node){
        .taken = SONATA_EMPTY_GAP_SET,
        .line = a->line == b->line ? a->line : MIXED,
        .max_first = a->max_first > b->max_first ? a->max_first : b->max_first,
        .min_last = a->min_last < b->min_last ? a->min_last : b->min_last,
        .min_start = a->min_start < b->min_start ? a->min_start : b->min_start,
        .max_end = a->max_end > b->max_end ? a->max_end : b->max_end,
    };
}

static void build(sonata_placement *p, const sonata_span *spans, size_t count)
{
    for (size_t i = 0; i < p->leaves; i++) {
        /* The leaves that fill up the tree are like the last; never placed. */
        const sonata_span *s = &spans[p->buffer_of[i < count ? i : count - 1]];
        p->nodes[p->leaves + i] = (node){
            .taken = SONATA_EMPTY_GAP_SET,
            .line = s->line,
            .max_first = s->first,
            .min_last = s->last,
            .min_start = s->start,
            .max_end = s->end,
        };
    }
    for (size_t i = p->leaves - 1; i > 0; i--)
        p->nodes[i] = join(&p->nodes[2 * i], &p->nodes[2 * i + 1]);
}

sonata_placement *sonata_placement_new(const sonata_span *spans, size_t count,
                                       uint64_t smallest,
                                       sonata_conflict_source source)
{
    sonata_placement *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->apart = SONATA_EMPTY_GAP_SET;
    p->source = source;
    p->spans = spans;
    p->pool.smallest = smallest;
    p->leaves = 1;
    while (p->leaves < count)
        p->leaves *= 2;
    p->nodes = reallocarray(NULL, 2 * (size_t)p->leaves, sizeof *p->nodes);
    p->leaf_of = reallocarray(NULL, count + 1, sizeof *p->leaf_of);
    p->buffer_of = reallocarray(NULL, count + 1, sizeof *p->buffer_of);
    if (p->nodes == NULL || p->leaf_of == NULL || p->buffer_of == NULL ||
        !choose_leaves(p, spans, count)) {
        sonata_placement_free(p);
        return NULL;
    }
    if (count > 0)
        build(p, spans, count);
    else
        p->nodes[1] = (node){.taken = SONATA_EMPTY_GAP_SET};
    return p;
}

void sonata_placement_free(sonata_placement *p)
{
    if (p == NULL)
        return;
    free(p->nodes);
    free(p->leaf_of);
    free(p->buffer_of);
    free(p->runs);
    sonata_by_offset_free(&p->placed);
    sonata_gap_pool_free(&p->pool);
    free(p);
}

/* Whether a part of the tree conflicts with a buffer. */
typedef enum verdict { NONE_OF_IT, ALL_OF_IT, SOME_OF_IT } verdict;

static verdict judge(const sonata_placement *p, uint32_t at, uint32_t buffer)
{
    const node *n = &p->nodes[at];
    if (n->line == MIXED)
        return SOME_OF_IT;
    sonata_query q = p->source.query(p->source.context, buffer, n->line);
    if (n->min_start >= q.below || n->max_end < q.from)
        return NONE_OF_IT;
    if (n->max_first < q.below && n->min_last >= q.from)
        return ALL_OF_IT;
    if (at < p->leaves)
        return SOME_OF_IT;
    return p->source.conflict(p->source.context, buffer,
                              p->buffer_of[at - p->leaves])
               ? ALL_OF_IT
               : NONE_OF_IT;
}

/* Adds the runs of a part of the tree; false when there are too many or no
 * memory is left for them. */
static bool collect_runs(sonata_placement *p, uint32_t at, uint64_t from,
                         size_t limit)
{
    sonata_gap_walk walk =
        sonata_gaps_walk(&p->pool, &p->nodes[at].taken, from);
    uint64_t start = 0;
    uint64_t end = 0;
    while (sonata_gaps_run(&start, &end, &walk)) {
        if (p->run_count == limit)
            return false;
        run *runs =
            sonata_grow(p->runs, &p->run_capacity, p->run_count, sizeof *runs);
        if (runs == NULL)
            return false;
        p->runs = runs;
        p->runs[p->run_count++] = (run){start, end};
    }
    return true;
}

/* Collects all that conflicts above `*floor`, which rises over solid parts. */
static bool collect(sonata_placement *p, uint32_t buffer, uint64_t *floor,
                    size_t limit)
{
    uint32_t open[DEEPEST];
    size_t depth = 0;
    size_t visits = 0;
    open[depth++] = 1;
    p->run_count = 0;
    while (depth > 0) {
        uint32_t at = open[--depth];
        const sonata_gap_set *taken = &p->nodes[at].taken;
        if (taken->tail <= *floor)
            continue;
        if (visits++ > 4 * limit)
            return false;
        verdict v = judge(p, at, buffer);
        if (v == NONE_OF_IT)
            continue;
        if (v == SOME_OF_IT) {
            open[depth++] = 2 * at + 1;
            open[depth++] = 2 * at;
        } else if (taken->root == SONATA_NO_GAP && taken->head <= *floor) {
            *floor = taken->tail;
        } else if (!collect_runs(p, at, *floor, limit)) {
            return false;
        }
    }
    return true;
}

static int compare_runs(const void *a, const void *b)
{
    const run *left = a;
    const run *right = b;
    return (left->start > right->start) - (left->start < right->start);
}

static void sort_runs(run *runs, size_t count)
{
    if (count > FEW) {
        qsort(runs, count, sizeof *runs, compare_runs);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        run moved = runs[i];
        size_t at = i;
        for (; at > 0 && runs[at - 1].start > moved.start; at--)
            runs[at] = runs[at - 1];
        runs[at] = moved;
    }
}

/* The lowest place from `place` on between the collected runs. */
static uint64_t fit_between_runs(const sonata_placement *p, uint64_t size,
                                 uint64_t place)
{
    sort_runs(p->runs, p->run_count);
    place = sonata_gaps_find(&p->pool, &p->apart, place, size);
    for (size_t i = 0; i < p->run_count; i++) {
        if (p->runs[i].start >= place && p->runs[i].start - place >= size)
            break;
        if (p->runs[i].end > place)
            place = sonata_gaps_find(&p->pool, &p->apart, p->runs[i].end, size);
    }
    return place;
}

/* One line, and spans that tell: without a branch that cannot be foretold.
 * False when the end was found within the block. */
static bool scan_line(uint64_t *place, const sonata_offset_block *block,
                      sonata_query q, uint64_t size)
{
    uint64_t at = *place;
    for (size_t i = 0; i < block->count; i++) {
        const sonata_placed *item = &block->items[i];
        bool hit = (item->first < q.below) & (item->last >= q.from);
        if (hit & (item->offset >= at + size)) {
            *place = at;
            return false;
        }
        uint64_t end = hit ? item->end : 0;
        at = end > at ? end : at;
    }
    *place = at;
    return true;
}

static bool scan_lines(uint64_t *place, const sonata_placement *p,
                       const sonata_offset_block *block, uint32_t buffer,
                       uint64_t size)
{
    for (size_t i = 0; i < block->count; i++) {
        const sonata_placed *item = &block->items[i];
        if (item->end <= *place ||
            judge(p, p->leaves + p->leaf_of[item->buffer], buffer) ==
                NONE_OF_IT)
            continue;
        if (item->offset >= *place + size)
            return false;
        *place = sonata_gaps_find(&p->pool, &p->apart, item->end, size);
    }
    return true;
}

/* The same from all placed buffers in the order of their offsets. */
static uint64_t fit_between_all(const sonata_placement *p, uint32_t buffer,
                                uint64_t size, uint64_t place)
{
    bool tells = p->source.conflict == NULL && p->apart.tail == 0;
    sonata_query q = {0, 0};
    if (tells)
        q = p->source.query(p->source.context, buffer, 0);
    place = sonata_gaps_find(&p->pool, &p->apart, place, size);
    bool more = true;
    for (size_t i = 0; i < p->placed.count && more; i++) {
        const sonata_offset_block *block = p->placed.blocks[i];
        if (block->end <= place)
            continue;
        more = tells ? scan_line(&place, block, q, size)
                     : scan_lines(&place, p, block, buffer, size);
    }
    return place;
}

/*
 * Tries the tree first, unless it failed lately: after each failure it is left
 * alone for twice as many searches as before, so that a crowd of buffers for
 * which it is of no use costs little.
 */
static uint64_t search(sonata_placement *p, uint32_t buffer, uint64_t size)
{
    uint64_t floor = 0;
    if (p->patience > 0) {
        p->patience--;
        return fit_between_all(p, buffer, size, 0);
    }
    /* As much as going through all would cost, where spans do not tell more. */
    size_t placed = p->placed.count * SONATA_OFFSET_BLOCK;
    size_t limit = PATIENT + placed / (p->source.conflict == NULL ? 64 : 8);
    if (collect(p, buffer, &floor, limit)) {
        p->penalty /= 2;
        return fit_between_runs(p, size, floor);
    }
    p->penalty = p->penalty < 64 ? 2 * p->penalty + 1 : p->penalty;
    p->patience = p->penalty;
    return fit_between_all(p, buffer, size, floor);
}

static sonata_status check_end(uint64_t offset, uint64_t size,
                               sonata_error *error)
{
    if (size <= LIMIT && offset <= LIMIT - size)
        return SONATA_OK;
    return sonata_fail(error, SONATA_RANGE, "memory.range",
                       "the memory plan ends beyond 2^63 - 1 bytes");
}

static bool take(sonata_placement *p, uint32_t buffer, uint64_t place,
                 uint64_t end)
{
    const sonata_span *s = &p->spans[buffer];
    sonata_placed item = {place, end, s->first, s->last, s->line, buffer};
    bool ok = sonata_by_offset_add(&p->placed, &item);
    for (uint32_t at = p->leaves + p->leaf_of[buffer]; at > 0 && ok; at /= 2)
        ok = sonata_gaps_take(&p->pool, &p->nodes[at].taken, place, end);
    p->peak = end > p->peak ? end : p->peak;
    return ok;
}

sonata_status sonata_placement_add(uint64_t *offset, sonata_placement *p,
                                   uint32_t buffer, uint64_t size,
                                   sonata_error *error)
{
    uint64_t place = search(p, buffer, size);
    sonata_status status = check_end(place, size, error);
    if (status != SONATA_OK)
        return status;
    *offset = place;
    return take(p, buffer, place, place + size) ? SONATA_OK
                                                : sonata_fail_memory(error);
}

sonata_status sonata_placement_add_apart(uint64_t *offset, sonata_placement *p,
                                         uint64_t size, sonata_error *error)
{
    sonata_status status = check_end(p->peak, size, error);
    if (status != SONATA_OK)
        return status;
    *offset = p->peak;
    p->peak += size;
    return sonata_gaps_take(&p->pool, &p->apart, *offset, p->peak)
               ? SONATA_OK
               : sonata_fail_memory(error);
}
