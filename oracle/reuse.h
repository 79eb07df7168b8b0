/*
 * Storages that share addresses (spec 06, Memory plans).
 *
 * For each elementary address interval the occupants stand in the order of
 * their first accesses. Where all accesses of each come before all accesses of
 * the next, no read sees another storage's value. Where they do not, the
 * definition decides each pair of storages: a read of w's value is right when
 * every write of the other storage to the byte happens before w or after the
 * read.
 */
#ifndef ORACLE_REUSE_H
#define ORACLE_REUSE_H

#include "hazard.h"
#include "memory.h"

typedef enum oracle_reuse_kind {
    ORACLE_REUSE_FINE,        /* ordered, or no byte in common */
    ORACLE_REUSE_INTERLEAVED, /* not ordered, and nobody sees it */
    ORACLE_REUSE_DOUBTFUL,    /* it cannot be decided */
    ORACLE_REUSE_EXTERNAL,    /* on a parameter's bytes, and nobody sees it */
    ORACLE_REUSE_PARALLEL,    /* a read sees it in some legal order */
    ORACLE_REUSE_START,  /* both have a value from the start that is read */
    ORACLE_REUSE_OVERLAP /* a read sees it in program order */
} oracle_reuse_kind;

typedef struct oracle_reuse {
    oracle_reuse_kind kind;
    uint32_t first, second; /* storages, by their first accesses */
    bool external;          /* one of them is */
    /* PARALLEL and OVERLAP: the read that sees `intruder`, not `writer`. */
    oracle_item reader, writer, intruder;
    bool initial;         /* `writer` is what was there before */
    oracle_item *skipped; /* accesses that do not happen in that execution */
    uint32_t skip_count;
    uint32_t expected;     /* the task whose write is last in program order */
    oracle_interval where; /* addresses that show it */
    uint32_t execution;
} oracle_reuse;

/* Storages alive together, in program order: no plan needs less. */
typedef struct oracle_alive {
    int64_t bytes; /* together; 0: nothing was found, -1: past 64 bits */
    uint32_t task;
    bool writing;              /* ... when it writes, else when it reads */
    uint32_t *storages, count; /* by their first accesses */
    bool *choices;             /* of the execution */
} oracle_alive;

/* Everything found in all executions of a document. */
typedef struct oracle_reuses {
    oracle_reuse *list;
    uint32_t count;
    oracle_id_table by_pair;
    uint64_t steps;
    bool exhausted;     /* there were too many pairs to look at all */
    oracle_alive alive; /* the most, over the executions */
    oracle_arena *arena;
} oracle_reuses;

/* One execution's placed storages, while pairs of them are looked at. */
typedef struct oracle_reuse_work {
    oracle_reuses *reuses;
    const oracle_memory *memory;
    oracle_execution *execution;
    uint32_t *storages, count; /* with addresses and accesses, by rank */
    uint32_t *rank;            /* by buffer */
    /* By rank, one more: the distinct tasks that touch it, ascending. */
    uint32_t *first_task, *tasks;
    uint32_t *local;       /* by item: its task in that list */
    oracle_touch *touches; /* by item: bytes of the storage */
    bool *bound;           /* by item: its bytes are only known to lie there */
    bool *unknown;         /* by rank: its bytes cannot be listed */
    oracle_arena *arena;
} oracle_reuse_work;

/* Two storages and the order between their tasks: bits by local tasks. */
typedef struct oracle_reuse_pair {
    uint32_t a, b; /* ranks, a < b */
    /* pairs[x * tasks of b + y]: x before y; behind them y before x. */
    const oracle_pair *certain, *all;
} oracle_reuse_pair;

/* Looks at all that share addresses in an execution. False: no memory. */
bool oracle_reuses_find(oracle_reuses *reuses, const oracle_memory *memory,
                        oracle_execution *execution, oracle_arena *arena);

/*
 * The most bytes that are alive together, into reuses->alive where it is more
 * than in the executions before: a storage from its first access to its last,
 * a parameter all the time. Inside a task reads come before writes. Only where
 * edges follow program order. O(storages log storages). False: no memory.
 */
bool oracle_reuse_lower(oracle_reuse_work *work);

/* Decides one pair by the definition. False: no memory. */
bool oracle_reuse_decide(oracle_reuse_work *work,
                         const oracle_reuse_pair *pair);

/* Keeps the strongest of one pair of storages. False: no memory. */
bool oracle_reuse_keep(oracle_reuses *reuses, const oracle_reuse *reuse);

#endif
