/*
 * What the record of a run (deps.json, spec 07) says beside the task graph
 * that is made of it, with the times of its trace where there is one.
 */
#ifndef ORACLE_RECORD_H
#define ORACLE_RECORD_H

#include "reader.h"

/* The kernels of a task: on the cube core, on the two vector cores. */
typedef struct oracle_kernels {
    bool known;
    int64_t id[3]; /* -1: none */
} oracle_kernels;

/* From the start of the first row of a task to the end of the last. */
typedef struct oracle_task_time {
    uint32_t rows; /* 0: not in the trace */
    bool complete; /* as many rows as blocks and lanes */
    int64_t begin, end;
    uint64_t spent; /* of all rows together; saturates */
} oracle_task_time;

/* An explicit edge that the run does not enforce. */
typedef struct oracle_lost_edge {
    int64_t from_id;
    uint32_t from;   /* ORACLE_NONE: no task of that id was submitted before */
    uint32_t to;     /* the task that was to wait */
    bool is_planned; /* of the plan, else listed in the record */
} oracle_lost_edge;

typedef struct oracle_run {
    bool is_cut; /* rows or edges are missing: order cannot be judged */
    oracle_kernels *kernels; /* by task */
    int64_t *allocators;     /* ids of tasks without a row, ascending */
    uint32_t allocator_count;
    bool may_allocate; /* ids that nothing names may be allocating tasks */
    oracle_lost_edge *lost;
    uint32_t lost_count;
    oracle_task_time *times; /* by task; NULL: there is no trace */
    int64_t clock;           /* cycles in a second; 0: not known */
    bool has_plan;           /* it was held against a plan */
    const char **open;       /* lines for what is undecided */
    uint32_t open_count;
} oracle_run;

/*
 * Reads a deps.json into the document: a task for each row, in the order of
 * submission; buffers by address; the edges that the run enforces. Tasks that
 * only allocate are left out: they touch nothing and wait for nothing. What is
 * missing becomes remarks (doc.incomplete). O(n log n).
 */
bool oracle_read_record(oracle_reader *reader, uint32_t root);

/*
 * Reads a chip_swimlane_records.json: the times of the document's tasks, or,
 * where no record was read before, its form alone. O(n log n).
 */
bool oracle_read_trace(oracle_reader *reader, uint32_t root);

/* A number of 64 bits without sign, as text (spec 07) or as an integer. */
bool oracle_read_unsigned(oracle_reader *reader, uint32_t node,
                          uint64_t *value);
/* ... as the id of a task: at most 2^63 - 1. */
bool oracle_read_task_id(oracle_reader *reader, uint32_t node, int64_t *id);

/* Adds a line to what is undecided. */
bool oracle_run_open(oracle_run *run, oracle_arena *arena, const char *line);

/* doc.incomplete at a path; `format` as of printf. */
bool oracle_record_missing(oracle_reader *reader, uint32_t node,
                           const char *path, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/*
 * Whether the tasks of a plan (a task graph, a Score) are those of the record,
 * one by one in the order of submission. *why says where not; NULL: no memory.
 */
bool oracle_run_matches(const oracle_document *record,
                        const oracle_document *plan, oracle_arena *arena,
                        const char **why);

/*
 * Adds the explicit edges of a plan that matches, and that the edges of the
 * record do not give, to the lost ones of the run. False: no memory.
 */
bool oracle_run_compare(oracle_document *record, const oracle_document *plan);

/* Takes the edges and the run of a record into a plan that matches. */
bool oracle_run_join(oracle_document *plan, const oracle_document *record);

#endif
