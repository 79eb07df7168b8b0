/* The record of a run (deps.json), its trace, and the plan beside them. */
#ifndef FUZZ_RECORD_H
#define FUZZ_RECORD_H

#include "graph.h"

typedef enum record_flaw {
    RECORD_FLAWLESS,
    RECORD_NEVER_SUBMITTED, /* an explicit edge from nowhere */
    RECORD_NOT_YET,         /* ... from a task behind */
    RECORD_NO_ROW,          /* of task `at` */
    RECORD_NO_LIST,
    RECORD_SCOPE,
    RECORD_TYPE,
    RECORD_DTYPE,
    RECORD_SOURCE,
    RECORD_MEMORY,   /* a member that is not judged beside it */
    RECORD_DROPPED,  /* the trace says that it lacks records */
    RECORD_HALF_ROW, /* the trace lacks a row of one list */
    RECORD_SYNTAX,
    RECORD_TRACE_SYNTAX,
    RECORD_FIELD /* `field` of an object has another value */
} record_flaw;

typedef struct record_time {
    int64_t begin, end;
} record_time;

typedef struct record {
    graph g;
    fuzz_random r;
    record_time *times;         /* by task; NULL: there is no trace */
    bool plan;                  /* the graph stands beside it */
    bool creators;              /* internal buffers have one */
    int64_t tensors, addresses; /* before the first: they are but names */
    record_flaw flaw;
    uint32_t at;
    const char *object, *field, *value; /* JSON; NULL: it is not there */
} record;

/* record_text.c */
void fuzz_record_write(record *w, fuzz_text *text);
/* Where a buffer lies. */
int64_t fuzz_record_address(const record *w, uint32_t buffer);
/* Kernels of a task, and rows that the trace has of it. */
uint32_t fuzz_record_lanes(const graph_task *task);

/* record_fault.c */
void fuzz_record_break(record *w);

/* record_csv.c: a memory plan as CSV. */
fuzz_status fuzz_make_csv(fuzz_case *c, const fuzz_limits *limits);

#endif
