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

/* A box that the running body has surely stored: no later load of it counts. */
typedef struct foot_store {
    view place;
    bool all;
} foot_store;

typedef struct footprint {
    foot_box *boxes;
    uint32_t count, capacity;
    foot_store *stores;
    uint32_t store_count, store_capacity;
    bool failed; /* out of memory */
} footprint;

/* How a box comes to be, and what surrounds it. */
typedef struct foot_touch {
    graph_mode mode;
    const view *view;   /* what the operation names, with its argument */
    const view *own;    /* the view of that argument itself */
    const affine *at;   /* per dimension, in elements */
    const affine *size; /* per dimension, in elements */
    bool certain;       /* no undecided branch or loop around it */
    uint32_t local;     /* symbols from here on belong to the call */
    bool lanes;         /* both lanes of a cluster run the body */
} foot_touch;

void footprint_free(footprint *f);
void footprint_clear(footprint *f);

/* A box of the operation's view: hull, clipped, merged with the others. */
void footprint_touch(footprint *f, affine_pool *pool, const foot_touch *touch);

/* The whole view of an argument. */
void footprint_touch_all(footprint *f, uint32_t arg, graph_mode mode, bool must,
                         bool exact);

#endif
