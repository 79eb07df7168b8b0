/*
 * What the maker of task graphs draws before anything is written: tasks in
 * program order, what they touch, and the edges that this asks for.
 *
 * The bytes of a storage are a grid of cells, and what is touched is a box of
 * them, with steps: rows and columns that both meet are the whole geometry.
 * Text is made of boxes in as many ways as the format has (graph_region.c).
 */
#ifndef FUZZ_GRAPH_H
#define FUZZ_GRAPH_H

#include <string.h>

#include "arena.h"
#include "fuzz/case.h"
#include "fuzz/related.h"

#define GRAPH_NONE UINT32_MAX

/* Parts of a case that draw by themselves. */
enum {
    GRAPH_FOR_SHAPE = 1,
    GRAPH_FOR_USES,
    GRAPH_FOR_TRAITS,
    GRAPH_FOR_FAULT,
    GRAPH_FOR_NAMES,
    GRAPH_FOR_LAYOUT,
    GRAPH_FOR_REGIONS,
    GRAPH_FOR_RELATION,
    GRAPH_FOR_DAMAGE
};

/* from, from + step, ... */
typedef struct graph_range {
    uint32_t from, count, step;
} graph_range;

typedef struct graph_box {
    graph_range rows, cols;
} graph_box;

/*
 * Of a buffer with `moving` rows row 0 stands for the row of the loop's index,
 * row 1 for that of a later iteration, and row 2 for all others.
 */
typedef struct graph_buffer {
    uint32_t rows, cols;   /* cells */
    uint32_t width;        /* elements in a cell, one behind the other */
    uint32_t elem;         /* bytes */
    uint32_t root, row_at; /* an alias: its first row in the root */
    uint32_t under;        /* an alias: what it is a part of; else itself */
    uint32_t first_cell;   /* of a root, in the cells of all */
    uint32_t number;       /* in its key */
    int64_t align;         /* 0: not declared */
    bool external, init, manual_dep, moving, sized;
} graph_buffer;

typedef enum graph_mode {
    GRAPH_READ,
    GRAPH_WRITE,
    GRAPH_INOUT,
    GRAPH_ACCUMULATE,
    GRAPH_MODES
} graph_mode;

typedef enum graph_dispatch {
    GRAPH_INPUT,
    GRAPH_OUTPUT,
    GRAPH_OUTPUT_EXISTING,
    GRAPH_UPDATE,
    GRAPH_NO_DEP,
    GRAPH_UNTOLD /* the field is left out */
} graph_dispatch;

typedef struct graph_arg {
    uint32_t buffer;  /* GRAPH_NONE: a scalar */
    graph_box box;    /* what is touched */
    graph_box view;   /* what is dispatched: all of the box and more */
    uint8_t mode;     /* graph_mode */
    uint8_t dispatch; /* graph_dispatch */
    uint8_t declared; /* 0: not told, 1 in, 2 out, 3 inout */
    bool manual_dep;  /* the argument is opted out */
    bool may, bound;  /* not must, not exact */
    bool unknown;     /* nothing is told of what it touches */
    uint32_t blocks;  /* its rows are dealt to so many blocks; 0: not */
    bool lies;        /* `declared` is written, since it is wrong */
    bool six;         /* its view has as many dimensions */
    bool overlapping; /* one row too many to each block */
    uint32_t scalar;  /* of a scalar: which value */
} graph_arg;

typedef struct graph_task {
    uint32_t first_arg, args;
    uint32_t number;    /* in the order in which tasks were drawn */
    uint32_t name;      /* of the callee */
    uint32_t blocks;    /* 0: unknown */
    uint32_t scope;     /* or GRAPH_NONE */
    uint32_t choice;    /* or GRAPH_NONE */
    uint32_t predicate; /* the argument that it stands as, or GRAPH_NONE */
    uint8_t core;       /* 0 aiv, 1 aic, 2 mixed, 3 not told */
    bool is;            /* the value of its choice */
    bool bare;          /* nothing but its id */
    bool dummy, early, sync_start, formless, dead_dep;
    int64_t id;
} graph_task;

typedef struct graph_scope {
    uint32_t parent; /* or GRAPH_NONE */
    bool manual, in_manual;
} graph_scope;

/* What an edge is for, as bits; none: nobody's bytes. */
enum { GRAPH_DATA = 1, GRAPH_STORAGE = 2, GRAPH_WAR = 4, GRAPH_OPERAND = 8 };

typedef enum graph_form {
    GRAPH_GIVEN, /* not written: the rules give it */
    GRAPH_DEP,
    GRAPH_EXPLICIT,
    GRAPH_AUTOMATIC,
    GRAPH_RECORDED,
    GRAPH_POLICY,
    GRAPH_GONE /* taken away */
} graph_form;

typedef struct graph_edge {
    uint32_t from, to; /* tasks; their number stands for no task */
    uint8_t kinds;     /* GRAPH_DATA, ... */
    uint8_t form;      /* graph_form */
    uint8_t label;     /* 0 none, 1 data, 2 storage, 3 war, 4 ordering */
    bool doubtful;     /* certain: false */
    uint32_t when;     /* of a dep: 1 + 2 * choice + is; 0: always */
} graph_edge;

typedef struct graph_host {
    uint32_t after; /* task, or GRAPH_NONE: before all */
    uint32_t buffer;
    bool writes;
} graph_host;

typedef enum graph_rules {
    GRAPH_RULES_UNTOLD,
    GRAPH_RULES_NONE,
    GRAPH_RULES_CONSERVATIVE,
    GRAPH_RULES_TENSORMAP
} graph_rules;

/* Objects of the text. */
typedef enum graph_object {
    GRAPH_OF_ROOT,
    GRAPH_OF_BUFFER,
    GRAPH_OF_SCOPE,
    GRAPH_OF_TASK,
    GRAPH_OF_ARG,
    GRAPH_OF_SCALAR,
    GRAPH_OF_ACCESS,
    GRAPH_OF_DEP,
    GRAPH_OF_PREDICATE,
    GRAPH_OF_EDGE,
    GRAPH_OF_HOST,
    GRAPH_OBJECTS
} graph_object;

/* A damaged object of the text: graph_damage.c. */
typedef struct graph_damage {
    uint8_t object;    /* graph_object */
    uint32_t index;    /* which of its kind, in the order of the text */
    const char *field; /* set to `value`; taken away where that is NULL */
    const char *value; /* JSON */
} graph_damage;

typedef struct graph {
    fuzz_case *c;
    fuzz_arena *arena;
    const char *shape;
    graph_task *tasks;
    graph_arg *args; /* behind those of the tasks: operands of predicates */
    graph_buffer *buffers;
    graph_scope *scopes;
    graph_edge *edges; /* by consumer */
    graph_host *hosts;
    uint32_t *first_edge;           /* by task: the edges that lead to it */
    uint32_t *first_dep, *next_dep; /* deps of a task: edges, from 1 */
    int64_t no_task;                /* an id that no task has */
    uint32_t task_count, task_room, arg_count, arg_room;
    uint32_t buffer_count, buffer_room, scope_count, scope_room;
    uint32_t edge_count, edge_room, host_count, first_room;
    uint32_t cells, choices, externals;
    uint32_t style; /* of names */
    graph_rules rules;
    bool plain;     /* all is over whole buffers, and waits as it is told */
    bool doubts;    /* not all is told of what tasks do */
    bool all_pairs; /* an edge for each pair, not only for neighbours */
    bool moving;    /* some buffer has moving rows */
    bool dense;     /* few buffers, shared by all tasks */
    int64_t most;   /* bytes of a buffer; 0: as many as it gets */
    graph_damage damage;
    uint32_t lost; /* 1 + an edge that is gone, but not from the text: a dep */
    bool spoiled;  /* its bytes will be damaged: fuzz_damage */
    bool broken;   /* it gets a fault: all else is then as sure as can be */
    fuzz_relation relation; /* FUZZ_RELATIONS: the case itself */
    fuzz_random shape_random, uses;
} graph;

/* graph_shape.c: tasks and accesses. */
void fuzz_graph_shape(graph *g, uint32_t tasks);
/* One without aliases and symbols. */
void fuzz_graph_flat_shape(graph *g, uint32_t tasks);
/* One whose tasks touch whole buffers, and none that is two of its arguments.
 */
void fuzz_graph_whole_shape(graph *g, uint32_t tasks);
uint32_t fuzz_graph_buffer(graph *g, bool external, uint32_t rows,
                           uint32_t cols);
/* Makes its cells smaller until it has at most g->most bytes. */
void fuzz_graph_fit(const graph *g, graph_buffer *buffer);
uint32_t fuzz_graph_task(graph *g);
graph_box fuzz_graph_whole(const graph *g, uint32_t buffer);
graph_box fuzz_graph_rows(const graph *g, uint32_t buffer, uint32_t from,
                          uint32_t count);
/* An access of the last task; not taken where it has one of these bytes. */
bool fuzz_graph_use(graph *g, uint32_t buffer, graph_box box, graph_mode mode);

/* graph_order.c: what the accesses ask for. */
bool fuzz_graph_ranges_meet(graph_range a, graph_range b);
/* Boxes in the cells of their storage. */
bool fuzz_graph_boxes_meet(const graph *g, const graph_arg *a,
                           const graph_arg *b);
/* Gives a value to what is read before it is written. */
void fuzz_graph_initialise(graph *g);
/* An edge for every pair that meets and writes, over others or itself. */
void fuzz_graph_order(graph *g);
/* How two tasks meet: GRAPH_DATA, ... */
unsigned fuzz_graph_meet(const graph *g, uint32_t from, uint32_t to);
/* Whether a path leads there that does not use edge `without`. */
bool fuzz_graph_path(const graph *g, uint32_t from, uint32_t to,
                     uint32_t without);
/* Adds an edge behind those that are there; it has no place in first_edge. */
graph_edge *fuzz_graph_edge(graph *g, uint32_t from, uint32_t to,
                            unsigned kinds);

/* graph_traits.c: opt-outs, scopes, predicates, rules and what edges are. */
void fuzz_graph_traits(graph *g);
/* One task of six runs only when a cell says so. */
void fuzz_graph_predicates(graph *g, fuzz_random *r);
/* The rule set and what cores run on, without what a Score cannot say. */
void fuzz_graph_few_traits(graph *g);
void fuzz_graph_forms(graph *g);

/* graph_fault.c: one fault, whose rule is known. */
void fuzz_graph_break(graph *g);

/* graph_names.c: at most GRAPH_NAME bytes, as a text. */
#define GRAPH_NAME 96
/* Draws the style of the names of a case. */
void fuzz_graph_style(graph *g);
void fuzz_graph_key(const graph *g, uint32_t buffer, char *key);
void fuzz_graph_callee(const graph *g, uint32_t name, char *callee);

/* graph_region.c: how a box is told. */
typedef struct graph_regions {
    const graph *g;
    fuzz_text *text;
    fuzz_random random;
    bool same_elem; /* elements keep their size */
} graph_regions;
/* `task`: whose blocks it is dealt to, where `arg` is by block; `dtype` too. */
void fuzz_graph_region(graph_regions *r, const graph_arg *arg, graph_box box,
                       bool view);
/* Bytes of a buffer, and of a row of it. */
int64_t fuzz_graph_row_bytes(const graph_buffer *buffer);
int64_t fuzz_graph_bytes(const graph_buffer *buffer);

/* graph_text.c */
void fuzz_graph_write(graph *g, fuzz_text *text);
fuzz_layout fuzz_graph_layout(fuzz_random *random);

/* A value as a graph has it, and as an argument of a Score. */
typedef struct graph_scalar {
    const char *graph, *score;
} graph_scalar;
const graph_scalar *fuzz_graph_scalar(uint32_t which);

/* graph.c: an empty graph for the case; the ids of its tasks. */
void fuzz_graph_start(graph *g, fuzz_case *c);
void fuzz_graph_number(graph *g);

#endif
