/*
 * Footprints: what one task's kernels read and write, as boxes per argument
 * (spec 08, Footprints).
 */
#ifndef SONATA_DUMP_FOOTPRINT_H
#define SONATA_DUMP_FOOTPRINT_H

#include "affine.h"
#include "graph.h"
#include "view.h"

typedef struct foot_box {
    uint32_t arg;
    graph_mode mode;
    bool must, exact;
    bool all; /* the whole view of the argument; place is unused */
    view place;
} foot_box;

/*
 * A box that the running body has surely stored: no later load of it counts.
 * Those of a branch are at rest while the other branch runs.
 */
typedef struct foot_store {
    view from;  /* what the store named */
    view place; /* the part of it, symbols left in */
    bool all;
    bool rests;
} foot_store;

/* A load: it counts once its tile is used (or when nothing ever names it). */
typedef struct foot_load {
    foot_box box;
    bool used, sure; /* by a statement that may run; that surely does */
    uint32_t name;   /* of the tile */
    uint32_t stmt;   /* where it is loaded */
} foot_load;

typedef struct footprint {
    foot_box *boxes;
    uint32_t count, capacity;
    foot_store *stores;
    uint32_t store_count, store_capacity;
    foot_load *loads;
    uint32_t load_count, load_capacity;
    view *own; /* the view of each argument that has one */
    uint32_t own_count, own_capacity;
    bool failed; /* out of memory */
} footprint;

/* How a box comes to be, and what surrounds it. */
typedef struct foot_touch {
    graph_mode mode;
    const view *view;   /* what the operation names, with its argument */
    const affine *at;   /* per dimension, in elements */
    const affine *size; /* per dimension, in elements */
    bool certain;       /* no undecided branch or loop around it */
    uint32_t local;     /* symbols from here on belong to the call */
    bool lanes;         /* both lanes of a cluster run the body */
} foot_touch;

void footprint_free(footprint *f);
/* Begins a task: no boxes, no arguments. */
void footprint_clear(footprint *f);
/* The view of the next argument (anything when it has none). */
void footprint_add_own(footprint *f, const view *own);

/* A box of the operation's view: hull, clipped, merged with the others. */
void footprint_touch(footprint *f, affine_pool *pool, const foot_touch *touch);

/*
 * A load into a named tile, kept apart until it is used. Gives its index
 * behind 1, or 0 when the body has stored those bytes before.
 */
uint32_t footprint_load(footprint *f, affine_pool *pool,
                        const foot_touch *touch, uint32_t name, uint32_t stmt);

/* Adds the box of a load. */
void footprint_use(footprint *f, affine_pool *pool, const foot_load *load);

/*
 * The ends of blocks, which began with `first` stores known. A loop that runs
 * at least once keeps the stores that its own symbols (from touch->local on)
 * cover without holes. Of two branches, what both store is stored, and is
 * touched as `touch` says; the stores of the first branch lie in front of
 * `second`.
 */
void footprint_end_loop(footprint *f, affine_pool *pool, uint32_t first,
                        const foot_touch *touch);
void footprint_end_first(footprint *f, uint32_t first);
void footprint_end_second(footprint *f, affine_pool *pool, uint32_t first,
                          uint32_t second, const foot_touch *touch);

/* The whole view of an argument. */
void footprint_touch_all(footprint *f, uint32_t arg, graph_mode mode, bool must,
                         bool exact);

#endif
