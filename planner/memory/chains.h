/*
 * The dependency graph of a Score, and its split into chains: tasks of
 * which each leads to the next (over others, perhaps). For a chain, what
 * reaches a task is a beginning of it and what a task reaches is an end of it,
 * so two numbers per task and chain tell every order between the two.
 */
#ifndef SONATA_CHAINS_H
#define SONATA_CHAINS_H

#include "sonata/score.h"

#define SONATA_NO_CHAIN UINT32_MAX

/* Tasks by their place in the Score. */
typedef struct sonata_chains {
    uint32_t tasks;
    uint32_t *first_pred, *preds; /* of task t: preds[first_pred[t]] .. */
    uint32_t *first_succ, *succs;
    uint32_t *order;    /* the tasks so that all edges go forward */
    uint32_t *chain_of; /* longest chains first */
    uint32_t *place;    /* of a task in its chain, from 0 */
    uint32_t *length;   /* per chain */
    uint32_t count;     /* chains */
} sonata_chains;

/*
 * Errors: SONATA_REJECTED ("score_validation_failed") when ids repeat or there
 * is a cycle, SONATA_RANGE (more than 2^32 - 2 tasks or dependencies),
 * SONATA_NO_MEMORY. Self-edges and edges with an unknown end are passed over.
 * O(tasks + dependencies), and a sort of ids that do not ascend. Freed by the
 * caller also on failure.
 */
sonata_status sonata_chains_build(sonata_chains *chains,
                                  const sonata_score *score,
                                  sonata_error *error);

void sonata_chains_free(sonata_chains *chains);

/*
 * For every task how many tasks of a chain happen before it (up), and the
 * place of the first that happens after it, or the chain's length (down).
 * Neither counts the task itself. O(tasks + dependencies).
 */
void sonata_chains_reach(uint32_t *up, uint32_t *down,
                         const sonata_chains *chains, uint32_t chain);

#endif
