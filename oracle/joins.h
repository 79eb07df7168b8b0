/*
 * The direct predecessors of each task, with where each edge stands: an order
 * may stand in a dep, in what the runtime derives and in a policy's list at
 * once, and is gone only with all of them.
 */
#ifndef ORACLE_JOINS_H
#define ORACLE_JOINS_H

#include "arena.h"
#include "oracle/document.h"

enum {
    ORACLE_JOIN_WRITTEN = 1,    /* a dep without conditions, an explicit edge */
    ORACLE_JOIN_WRITTEN_IF = 2, /* a dep under conditions */
    ORACLE_JOIN_AUTOMATIC = 4,
    ORACLE_JOIN_MAYBE = 8, /* an edge that may be missing */
    ORACLE_JOIN_RECORDED = 16,
    ORACLE_JOIN_POLICY = 32,
    /* It is an order in every execution with both tasks. */
    ORACLE_JOIN_CERTAIN = ORACLE_JOIN_WRITTEN | ORACLE_JOIN_AUTOMATIC |
                          ORACLE_JOIN_RECORDED | ORACLE_JOIN_POLICY,
    ORACLE_JOIN_ANY_WRITTEN = ORACLE_JOIN_WRITTEN | ORACLE_JOIN_WRITTEN_IF
};

typedef struct oracle_joins {
    uint32_t count;  /* tasks */
    uint32_t *first; /* count + 1; predecessors of t: */
    uint32_t *from;  /* from[first[t] .. first[t + 1]), ascending, once each */
    uint8_t *by;     /* beside: in which sources it stands */
    /* A legal sequence by the certain edges and its inverse; program order
       where that is legal. NULL: these edges have a cycle. */
    const uint32_t *sequence, *rank;
} oracle_joins;

/*
 * Collects deps and edges; those of a task to itself are left out. False: no
 * memory. O(tasks + edges), times the logarithm of the tasks when edges go
 * against program order.
 */
bool oracle_joins_build(oracle_joins *joins, const oracle_document *document,
                        oracle_arena *arena);

/* The edge in `from` and `by`, or ORACLE_NONE. O(log predecessors). */
uint32_t oracle_joins_find(const oracle_joins *joins, uint32_t from,
                           uint32_t to);

#endif
