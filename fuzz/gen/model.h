/*
 * What a maker of planned inputs draws before anything is written: tasks, what
 * they touch, and edges. It keeps its memory from case to case.
 */
#ifndef FUZZ_MODEL_H
#define FUZZ_MODEL_H

#include "fuzz/case.h"

#define FUZZ_NONE UINT32_MAX
/* Behind what kinds of keys begin with, so that their order stays. */
#define FUZZ_MARK "~"

/* Parts of a case that draw by themselves (fuzz_random_of). */
enum {
    FUZZ_FOR_SHAPE = 1,
    FUZZ_FOR_USES,
    FUZZ_FOR_NAMES,
    FUZZ_FOR_OPTIONS,
    FUZZ_FOR_FAULT,
    FUZZ_FOR_LAYOUT,
    FUZZ_FOR_RELATION
};

typedef enum fuzz_mode {
    FUZZ_READS,
    FUZZ_WRITES,
    FUZZ_UPDATES,
    FUZZ_SCALAR,
    FUZZ_NO_DEP,
    FUZZ_UNKNOWN, /* a direction that nobody knows */
    FUZZ_MODES
} fuzz_mode;

/* In the order of strength (spec 02), weakest first. */
typedef enum fuzz_dep {
    FUZZ_ORDERING,
    FUZZ_WAR,
    FUZZ_STORAGE,
    FUZZ_DATA
} fuzz_dep;

/* How the key of a buffer is spelled. */
typedef enum fuzz_spelling {
    FUZZ_KEY_PLAIN,  /* alloc:b7, param:b7 */
    FUZZ_KEY_AGAIN,  /* alloc:tmp@7 */
    FUZZ_KEY_DOTTED, /* alloc:main.b7 */
    FUZZ_KEY_ODD,    /* with escapes, controls and beyond ASCII */
    FUZZ_KEY_INT,    /* 7: external, as all that are no strings */
    FUZZ_KEY_FLOAT,  /* 7.5 */
    FUZZ_KEY_BOOL
} fuzz_spelling;

typedef struct fuzz_arg {
    uint32_t buffer; /* FUZZ_NONE: a plain value */
    uint8_t mode;
    uint8_t token; /* which spelling of the direction */
    uint8_t value; /* which of the plain values; of a buffer 1: key as value */
} fuzz_arg;

typedef struct fuzz_task {
    int64_t id;
    uint32_t func, first_arg, args;
    bool no_directions, no_keys; /* the list is empty */
} fuzz_task;

typedef struct fuzz_buffer {
    bool internal; /* has no value before its first write */
    bool written;
    bool met;    /* some task has it, and not as a scalar */
    bool marked; /* its key, if it is a text, has FUZZ_MARK in it */
    uint8_t spelling;
    uint32_t number;
    uint32_t last_task, writer, readers; /* of the walk, or FUZZ_NONE */
    int64_t size;                        /* -1: unknown */
} fuzz_buffer;

typedef struct fuzz_edge {
    uint32_t from, to; /* tasks */
    uint8_t kind;      /* a fuzz_dep */
    bool dropped;
} fuzz_edge;

typedef struct fuzz_link {
    uint32_t task, next;
} fuzz_link;

struct fuzz_model {
    fuzz_task *tasks;
    fuzz_arg *args;
    fuzz_buffer *buffers;
    fuzz_edge *edges;
    fuzz_link *links; /* readers of a buffer, in lists */
    uint32_t *marks;  /* by task: 1 + its edge to the task that is walked */
    uint32_t task_count, task_room, arg_count, arg_room;
    uint32_t buffer_count, buffer_room, edge_count, edge_room;
    uint32_t link_count, link_room, mark_room;
    uint32_t want;   /* how many tasks there are to be */
    uint32_t funcs;  /* how many there are to call */
    uint32_t shared; /* external buffers that many tasks read, at most 8 */
    uint32_t shared_buffers[8];
    bool untold; /* of some arguments nobody says what is done with them */
    fuzz_random shape, uses;
    bool failed; /* memory ran out: what was added since is not there */
};
typedef struct fuzz_model fuzz_model;

/* The model of a case, emptied, with the size drawn; NULL: no memory. */
fuzz_model *fuzz_model_start(fuzz_case *c, const fuzz_limits *limits);
void fuzz_model_free(fuzz_model *m);

/* A buffer with the next number. */
uint32_t fuzz_add_buffer(fuzz_model *m, bool internal);
/* A task behind all others, which takes the arguments that follow. */
void fuzz_add_task(fuzz_model *m);
/*
 * An argument of the last task. What has no value yet is written, whatever the
 * mode, and what the task touches already is touched again only if both read.
 */
void fuzz_use(fuzz_model *m, uint32_t buffer, fuzz_mode mode);
/* An argument that is no access: a value, or a buffer that is opted out. */
void fuzz_add_plain(fuzz_model *m, uint32_t buffer, fuzz_mode mode);

/*
 * The edges that accesses ask for (spec 02, dataflow), one for a pair, with the
 * strongest kind, by consumer.
 */
void fuzz_draw_edges(fuzz_model *m);
/* By the ids of their ends, as policies have them. */
void fuzz_sort_edges(fuzz_model *m);
/* Each task has arguments, and a direction for each. */
bool fuzz_has_directions(const fuzz_model *m);
/* Adds an edge as it is told. */
void fuzz_add_edge(fuzz_model *m, uint32_t from, uint32_t to, fuzz_dep kind);

#endif
