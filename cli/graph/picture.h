/*
 * What is drawn: the tasks of a derived document, the lines between them (an
 * edge, or several of one pair, or a pair that the oracle reports), and the
 * manual scopes as boxes. The writers and the layout know nothing else.
 */
#ifndef CLI_GRAPH_PICTURE_H
#define CLI_GRAPH_PICTURE_H

#include "../case.h"
#include "oracle/document.h"

#define PICTURE_NONE UINT32_MAX
/* More tasks than these are drawn without redundant edges being found. */
#define PICTURE_REDUCED ((uint32_t)8192)

/* Why a line is there; of several reasons the first one counts. */
typedef enum picture_class {
    PICTURE_EXPLICIT,
    PICTURE_RECORDED,
    PICTURE_POLICY,
    PICTURE_DATA,    /* automatic: a read after a write */
    PICTURE_STORAGE, /* automatic: any other order of accesses */
    PICTURE_CREATOR, /* automatic: behind the task that made the buffer */
    PICTURE_ERROR,   /* a hazard: no order, and a wrong value */
    PICTURE_DOUBT,   /* a hazard that could not be decided */
    PICTURE_CLASSES
} picture_class;

/* One reason of a line: an edge, a dep, or a finding. */
typedef struct picture_reason {
    uint32_t from, to; /* task indexes of the document */
    size_t number;     /* the order in which they came */
    picture_class class;
    bool certain;
    /* One of them: */
    const oracle_edge *edge;
    const oracle_dep *dep;
    const cli_finding *finding;
} picture_reason;

typedef struct picture_line {
    uint32_t from, to; /* nodes */
    picture_class class;
    bool certain;
    bool redundant;        /* another path orders its ends as well */
    uint32_t first, count; /* reasons[] */
} picture_line;

typedef struct picture_node {
    uint32_t task; /* of the document */
    uint32_t box;  /* the innermost one, or PICTURE_NONE */
    bool is_centre;
    /* What the oracle reports of this task alone. */
    bool is_wrong, is_doubtful;
    uint32_t first_remark, remarks; /* remarks[] */
} picture_node;

/* A manual scope with a task that is drawn in it, or in one within. */
typedef struct picture_box {
    int64_t id;
    uint32_t parent; /* a box before this one, or PICTURE_NONE */
    uint32_t depth;  /* of its parent + 1, from 0 */
} picture_box;

typedef struct picture_remark {
    uint32_t task; /* of the document */
    const cli_finding *finding;
} picture_remark;

typedef struct picture {
    const oracle_document *document;
    picture_node *nodes; /* in program order */
    uint32_t node_count;
    picture_line *lines; /* by from, to, hazards behind edges */
    uint32_t line_count;
    picture_box *boxes;
    uint32_t box_count;
    picture_reason *reasons;
    size_t reason_count;
    picture_remark *remarks; /* by task */
    size_t remark_count;
    bool is_reduced; /* redundant lines are marked */
    /* Of the lines: */
    uint32_t edges, redundant, errors, doubts;
    /* Beyond the neighbourhood: */
    uint32_t tasks_left_out, edges_left_out, findings_left_out;
    int64_t findings_unlisted;   /* that the judge did not list */
    uint32_t redundant_left_out; /* by draw_fits */
} picture;

/*
 * Makes the picture of a derived document, with the findings about it. With
 * `around` (a task index, or PICTURE_NONE) only the tasks that are at most
 * `depth` lines away from that task. The picture borrows from both. False when
 * memory ran out. O(n log n) in tasks and edges; the redundant lines take
 * lines * tasks / 64 steps.
 */
bool picture_make(picture *p, const oracle_document *document,
                  const cli_case *c, uint32_t around, int64_t depth);
void picture_free(picture *p);

/* Marks what follows from other lines; false when memory ran out. */
bool picture_reduce(picture *p);

/* Keeps the manual scopes of the nodes as boxes; false: out of memory. */
bool picture_find_boxes(picture *p);

#endif
