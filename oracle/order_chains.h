/*
 * Happens-before by chains: the tasks of a legal sequence stand on chains,
 * each task behind one that happens before it, and for each task is known the
 * last one of every chain that happens before it. A question is one look-up.
 * Nothing is shared with the blocks of order.c but the graph.
 */
#ifndef ORACLE_ORDER_CHAINS_H
#define ORACLE_ORDER_CHAINS_H

#include "order.h"

/* Positions that are kept at most (4 bytes each), and steps to find them. */
#define ORACLE_CHAINS_POSITIONS (UINT64_C(1) << 26)
#define ORACLE_CHAINS_STEPS (UINT64_C(1) << 33)

typedef struct oracle_chains {
    uint32_t width;     /* chains */
    uint32_t *chain;    /* by task */
    uint32_t *position; /* by task, on its chain, from 1; 0: not there */
    /* By task: reach[t][c], c < wide[t], the last position of chain c that
       happens before t or is t itself; 0 and beyond: none. */
    uint32_t *wide, **reach;
} oracle_chains;

typedef enum oracle_chains_result {
    ORACLE_CHAINS_MADE,
    ORACLE_CHAINS_WIDE, /* more than the limits above */
    ORACLE_CHAINS_NO_MEMORY
} oracle_chains_result;

/*
 * One pass over the sequence of an order without a cycle: each task goes on
 * the first chain whose end happens before it, else on a new one. O(edges x
 * chains).
 */
oracle_chains_result oracle_chains_build(oracle_chains *chains,
                                         const oracle_order *order,
                                         oracle_arena *arena);

/* Whether a happens before b; false for a task and itself. O(1). */
bool oracle_chains_before(const oracle_chains *chains, uint32_t a, uint32_t b);

#endif
