/*
 * One level of a layout: items (tasks, and boxes that are laid out already) in
 * rows, with the links between them and to the level's upper and lower border.
 */
#ifndef CLI_GRAPH_LEVEL_H
#define CLI_GRAPH_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The ends of a link that leaves the level. */
#define LEVEL_TOP (UINT32_MAX - 1)
#define LEVEL_BOTTOM (UINT32_MAX - 2)

typedef struct level_link {
    uint32_t group; /* links of one group run together where they can */
    uint32_t a, b;  /* upper and lower item, or LEVEL_TOP, LEVEL_BOTTOM */
    int64_t key;    /* where it begins, before anything else is known */
    int64_t weight; /* how much it wants to be straight */
    int64_t a_shift, b_shift; /* from the middle of the item */
} level_link;

/* An item, or a bend: where the links of a group pass through a row. */
typedef struct level_node {
    int64_t w, h;   /* even widths; 0 high for a bend */
    int64_t key;    /* program order */
    int64_t x;      /* of its middle, from the level's left border */
    uint32_t layer; /* row */
    uint32_t group; /* of a bend */
    uint32_t place; /* within its row */
} level_node;

/* A part of links between two rows that follow each other. */
typedef struct level_segment {
    uint32_t upper, lower, group;
    int64_t upper_shift, lower_shift, weight;
} level_segment;

/* Set by the caller: nodes[0 .. item_count) by ascending key, links. */
typedef struct level {
    level_node *nodes; /* items, then bends by (layer, group) */
    uint32_t item_count, node_count;
    level_link *links; /* by group, a, b; no two are the same */
    uint32_t link_count;

    level_segment *segments; /* by upper, lower, group */
    size_t segment_count;
    uint32_t *below;     /* by lower: indexes of segments */
    size_t *downs, *ups; /* of node n: from downs[n] in segments, from */
                         /* ups[n] in `below` */
    uint32_t layer_count;
    uint32_t *rows;          /* nodes by layer and place */
    uint32_t *starts;        /* of layer k in rows */
    int64_t *tops, *heights; /* of layers */
    bool has_top, has_bottom;
    int64_t width, height; /* the width is even */
} level;

/* False when memory ran out. */
bool level_make(level *l);
/* All but nodes and links, which the caller gave. */
void level_free(level *l);

/* The node of a link in a row that it touches or passes. */
uint32_t level_node_at(const level *l, const level_link *link, uint32_t layer);
uint32_t level_first_layer(const level *l, const level_link *link);
uint32_t level_last_layer(const level *l, const level_link *link);

/* Where the links of a group cross the border, from the level's middle. */
int64_t level_port(const level *l, uint32_t group, bool is_top);

/* Inner parts: order within rows, then places. */
bool level_order(level *l);
bool level_place(level *l);
/* The room between the middles of two neighbours in a row. */
int64_t level_distance(const level *l, uint32_t left, uint32_t right);

#endif
