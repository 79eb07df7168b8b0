/*
 * Where everything in a picture stands: layers from top to bottom. Each manual
 * scope is laid out by itself and is one item in what is around it, so that no
 * box holds what is not in it; rows that grow too wide go on in the next. All
 * numbers are pixels, all arithmetic is in integers: the same everywhere.
 */
#ifndef CLI_GRAPH_LAYOUT_H
#define CLI_GRAPH_LAYOUT_H

#include "picture.h"

typedef struct layout_point {
    int64_t x, y;
} layout_point;

typedef struct layout_rect {
    int64_t x, y, w, h; /* the left upper corner, and the size */
} layout_rect;

/* Points in pairs: a curve between the two of a pair, a straight line down
 * from a pair to the next. None for a line from a task to itself. */
typedef struct layout_route {
    size_t first, count;
} layout_route;

typedef struct layout {
    layout_rect *nodes;   /* as picture.nodes */
    layout_rect *boxes;   /* as picture.boxes */
    layout_route *routes; /* as picture.lines */
    layout_point *points;
    size_t point_count;
    int64_t width, height;
} layout;

/*
 * Lays out a picture; `sizes` has the width and height of each node, and
 * `box_widths` the least width of each box. False when memory ran out. For
 * pictures of some hundred tasks: the cost grows with lines * layers.
 */
bool layout_make(layout *out, const picture *p, const layout_rect *sizes,
                 const int64_t *box_widths);
void layout_free(layout *out);

#endif
