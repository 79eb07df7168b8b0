/*
 * What can go wrong in a small graph, by trying: every legal order of its
 * tasks, for every choice of what happens (spec 06, What right means). Nothing
 * of the room's methods is used: bytes are bytes, orders are permutations.
 *
 * Regions have at most one dimension and no symbols; buffers end within 32
 * bytes of their storage, the plan within 64; at most 24 accesses.
 */
#ifndef REPLAY_TESTS_BRUTE_H
#define REPLAY_TESTS_BRUTE_H

#include "sim.h"

#define BRUTE_ARGS 8
#define BRUTE_COINS 8

/* Who reads something wrong: by task and argument + 1 (0: the operand), and by
 * buffer what the caller reads. */
typedef struct brute_answer {
    bool task[SIM_TASKS][BRUTE_ARGS];
    bool caller[SIM_TASKS];
} brute_answer;

typedef struct brute_answers {
    /* Whatever part of their bounds accesses touch, for some choice of what
       else happens; and for some choice of which bounds are touched whole. */
    brute_answer sure, some;
    uint32_t coins;
} brute_answers;

/* False: there are too many choices. */
bool brute_find(brute_answers *answers, const sim_graph *graph);

/*
 * What one order shows when no access that `without` lists happens (by task
 * index and argument, both NONE: none): the same as `sure`.
 */
void brute_run(brute_answer *answer, const sim_graph *graph,
               const uint32_t *order, bool planned, const bool *without);

#endif
