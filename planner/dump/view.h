/*
 * Views of a buffer: what a tensor variable of a dump names (spec 08,
 * "Storage by data flow"). Offsets, counts and strides lie in the frame of the
 * buffer, so a view of a view needs no reference to its source.
 */
#ifndef SONATA_DUMP_VIEW_H
#define SONATA_DUMP_VIEW_H

#include "affine.h"

enum { VIEW_RANK = 8 };
#define VIEW_NO_ARG UINT32_MAX

typedef struct view_dim {
    affine count;
    affine offset;  /* in steps of stride, behind base */
    int64_t stride; /* in bytes; meaningful when the view is known */
} view_dim;

typedef struct view_type {
    const char *name; /* lower case: "fp32" */
    int64_t elem;     /* bytes of an element; of two elements when halved */
    bool halved;      /* two elements in a byte: the innermost extent halves */
} view_type;

typedef struct view {
    uint32_t buffer;
    uint32_t arg; /* argument of the task it came through, or VIEW_NO_ARG */
    const view_type *type;
    affine base; /* in bytes */
    uint32_t rank;
    bool whole;    /* exactly all bytes of its buffer */
    bool permuted; /* a transpose lies between it and its buffer's order */
    bool known;    /* base, offsets and strides say where it lies; otherwise it
                      lies somewhere in the buffer, unless whole */
    view_dim dim[VIEW_RANK];
} view;

/* The type of a name such as "FP32"; NULL when it is none. */
const view_type *view_type_find(const char *name, size_t length);

/* The whole of a buffer with this shape; rank at most VIEW_RANK. */
view view_of_buffer(affine_pool *pool, uint32_t buffer, const view_type *type,
                    const affine *shape, uint32_t rank);

/* Sets constant strides (in elements), as a TensorView declares them. */
void view_set_strides(view *v, const affine *strides, uint32_t rank);

/* The bytes of all elements as a number; false when not constant. */
bool view_bytes(const view *v, int64_t *bytes);

/* A part: sizes are clipped to the source. A rank unlike v's: unknown. */
view view_slice(affine_pool *pool, const view *v, const affine *sizes,
                const affine *offsets, uint32_t rank);

/* The same elements in a new row-major shape (reshape and view). */
view view_reshape(affine_pool *pool, const view *v, const affine *shape,
                  uint32_t rank);

/* Two dimensions exchanged; a negative one counts from the end. */
view view_transpose(const view *v, int64_t i, int64_t j);

/* One element, taken to be inside; at has v's rank. */
view view_element(affine_pool *pool, const view *v, const affine *at);

/* Drops dimension i, which has one element. */
void view_drop(affine_pool *pool, view *v, uint32_t i);

/* Somewhere in the same buffer, through the same argument. */
view view_unknown(const view *v);

/* The number of units of dimension i that n elements take. */
affine view_units(affine_pool *pool, const view *v, uint32_t i, affine n);

bool view_same(const affine_pool *pool, const view *a, const view *b);

#endif
