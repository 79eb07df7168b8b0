/*
 * First-fit placement of buffers among those already placed that they conflict
 * with.
 *
 * Each buffer is a span of a line (time, or a chain of tasks). A query asks for
 * the span [from, below) of a line. A buffer on it conflicts surely when
 * first < below and last >= from, and surely not when start >= below or
 * end < from, where start <= first and last <= end; what lies between is asked
 * for.
 *
 * The buffers are the leaves of a binary tree, in an order that brings near
 * ones together. Every node knows the outermost ends of its leaves, and which
 * bytes they have taken, as runs. A search collects the runs of the parts of
 * the tree that conflict as a whole, and takes the lowest place between them:
 * its cost is that of the runs, few where buffers live shortly or lie tightly
 * packed. Where there are many, as with long lives of random lengths, it goes
 * through all placed buffers in the order of their offsets instead.
 */
#ifndef SONATA_PLACEMENT_H
#define SONATA_PLACEMENT_H

#include "gaps.h"

#include "sonata/error.h"

typedef struct sonata_span {
    uint32_t line;
    uint32_t first, last;
    uint32_t start, end;
} sonata_span;

typedef struct sonata_query {
    uint32_t from, below;
} sonata_query;

/* What is to be placed asks about others by their number. */
typedef struct sonata_conflict_source {
    /* The query of a buffer for a line. */
    sonata_query (*query)(const void *context, uint32_t buffer, uint32_t line);
    /* Whether two buffers conflict; NULL when spans always tell. */
    bool (*conflict)(const void *context, uint32_t buffer, uint32_t other);
    const void *context;
} sonata_conflict_source;

typedef struct sonata_placement sonata_placement;

/*
 * A placement of `count` buffers (below 2^31); buffer b has the span spans[b].
 * `smallest` is the size of the smallest that will be placed. NULL when out of
 * memory. O(count).
 */
sonata_placement *sonata_placement_new(const sonata_span *spans, size_t count,
                                       uint64_t smallest,
                                       sonata_conflict_source source);

void sonata_placement_free(sonata_placement *placement);

/*
 * Places a buffer of `size` bytes (at least 1) at the lowest offset where it
 * meets no placed buffer that it conflicts with. Errors: SONATA_RANGE when its
 * end is beyond 2^63 - 1, SONATA_NO_MEMORY.
 */
sonata_status sonata_placement_add(uint64_t *offset,
                                   sonata_placement *placement, uint32_t buffer,
                                   uint64_t size, sonata_error *error);

/*
 * Places a buffer whose bytes nothing else shares, before it or after: behind
 * all others, since together they leave no gap.
 */
sonata_status sonata_placement_add_apart(uint64_t *offset,
                                         sonata_placement *placement,
                                         uint64_t size, sonata_error *error);

#endif
