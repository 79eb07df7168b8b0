/* Task graphs with so many pairs that nobody lists them, as text. */
#ifndef ORACLE_TESTS_WIDE_H
#define ORACLE_TESTS_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum wide_kind {
    WIDE_APART,        /* tasks that share nothing, no edges */
    WIDE_CHAIN,        /* each task after the one before, on one buffer */
    WIDE_LAYERS,       /* half of the tasks before each of the other half */
    WIDE_READ_SLICES,  /* readers of a buffer, then writers of slices of it */
    WIDE_SLICES_READ,  /* writers of slices, then readers of all */
    WIDE_OVERLAPPING,  /* as READ_SLICES, each slice half over the next */
    WIDE_WRITE_SLICES, /* writers of all, then of slices */
    WIDE_SLICES_WRITE, /* the other way round */
    WIDE_READ_WRITE    /* readers of all, then writers of all */
} wide_kind;

typedef struct wide {
    wide_kind kind;
    uint32_t tasks;  /* of each half; of APART and CHAIN all */
    bool external;   /* the buffer is the caller's, who reads it at the end */
    bool joined;     /* every second of the first half before all of the other,
                        through a task between them */
    bool predicates; /* the writers may not run */
    bool lines;      /* each half is a loop of one line */
} wide;

/* The text of a task graph, to be freed; NULL: no memory. */
char *wide_text(const wide *w, size_t *length);

#endif
