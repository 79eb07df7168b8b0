/*
 * Regions as sets of bytes: base + sum of x * stride over dimensions with
 * 0 <= x < count; an element is a dimension of single bytes. Offsets are
 * folded into the base, strides are positive.
 */
#ifndef ORACLE_REGION_H
#define ORACLE_REGION_H

#include "affine.h"

#define ORACLE_MAX_DIMS 16

typedef enum oracle_extent {
    ORACLE_EXTENT_CONSTANT,
    ORACLE_EXTENT_SYMBOLIC,
    ORACLE_EXTENT_UNKNOWN, /* a whole buffer without a size */
    ORACLE_EXTENT_OVERFLOW /* constant, and beyond 64 bits */
} oracle_extent;

oracle_extent oracle_place_extent(const oracle_document *document,
                                  oracle_place place);

/* Whether bytes of the place lie outside the span for all values. */
bool oracle_place_outside(const oracle_document *document, oracle_place place,
                          oracle_span within);

typedef struct oracle_box_dim {
    int64_t stride;
    oracle_form count;
} oracle_box_dim;

/* Dimensions by falling stride, all different; the last is of single bytes. */
typedef struct oracle_box {
    oracle_form base;
    uint32_t count;
    oracle_box_dim dim[ORACLE_MAX_DIMS];
    uint32_t conditions; /* forms that are at least 0 unless it is empty */
    oracle_form condition[ORACLE_MAX_DIMS];
    bool empty;
} oracle_box;

typedef enum oracle_made {
    ORACLE_MADE,
    ORACLE_MADE_WHOLE, /* a whole buffer of unknown size: no box */
    ORACLE_MADE_NOT    /* too many dimensions or variables, or overflow */
} oracle_made;

oracle_made oracle_box_make(oracle_frame *frame, uint32_t side,
                            oracle_place place, oracle_box *box);

/* What is known of two places in one storage. */
typedef enum oracle_relation {
    ORACLE_RELATION_NEVER,
    ORACLE_RELATION_PERHAPS,
    ORACLE_RELATION_SURELY, /* for some values of the free symbols */
    ORACLE_RELATION_ALWAYS  /* for all values of all symbols */
} oracle_relation;

oracle_relation oracle_places_relate(const oracle_document *document,
                                     oracle_place a, oracle_place b);

oracle_relation oracle_boxes_relate(oracle_frame *frame, oracle_box *a,
                                    oracle_box *b);
bool oracle_boxes_cover(oracle_frame *frame, oracle_box *a, oracle_box *b);

/* Whether no variable is left in it, as when blocks became dimensions. */
bool oracle_box_constant(const oracle_box *box);

/* Whether the box has bytes for all values of all symbols. */
bool oracle_box_filled(const oracle_frame *frame, const oracle_box *box);

/*
 * Constant boxes, by their rows (runs of bytes), up to 65,536 of each.
 * False: too many rows, or no memory.
 */
bool oracle_rows_meet(const oracle_box *a, const oracle_box *b, bool *meet,
                      oracle_span *common);
bool oracle_rows_cover(const oracle_box *a, const oracle_box *b, bool *covers);

/*
 * Whether constant places of one storage together have all bytes of another.
 * False also where one is not constant, has too many rows, or there is no
 * memory. O(rows log rows).
 */
bool oracle_places_fill(const oracle_document *document,
                        const oracle_place *parts, uint32_t count,
                        oracle_place whole);

#endif
