/* What the tests of the laws share: generated Scores, and the oracle's word. */
#ifndef TESTS_LAWS_H
#define TESTS_LAWS_H

#include "oracle/judge.h"
#include "sonata/memory.h"

enum { LAWS_TASKS = 9, LAWS_ARGS = 4, LAWS_KEYS = 8 };

typedef struct laws_score {
    sonata_score score; /* points into what follows */
    sonata_task tasks[LAWS_TASKS];
    sonata_value args[LAWS_TASKS][LAWS_ARGS];
    sonata_text directions[LAWS_TASKS][LAWS_ARGS];
    sonata_value keys[LAWS_TASKS][LAWS_ARGS];
    sonata_shape shape;
    sonata_value dims[2];
} laws_score;

/* The n-th random number of a seed, below a bound. */
uint32_t laws_random(uint64_t *state, uint32_t below);

/*
 * A Score whose ids are unique and in any order, without dependencies. A plain
 * one has a direction for each argument, input, output or inout, and storage
 * keys that do not alias, which are written before they are read when they are
 * of "alloc:"; one that is not plain has everything else, too.
 */
void laws_generate(laws_score *s, uint64_t seed, bool is_plain);

/* The oracle's word on a Score with or without a memory plan; freed with
 * oracle_judgement_free. */
void laws_judge(oracle_judgement *judgement, const sonata_score *score,
                const sonata_memory_plan *plan);

/* How many findings of severity error begin with this rule. */
uint32_t laws_errors(const oracle_judgement *judgement, const char *rule);

/*
 * Generated Scores, planned by a policy: greedy_dag has no memory finding, and
 * greedy_v0 has one exactly when the definition is broken, each with a witness
 * that the checker takes.
 */
void laws_check_memory(uint64_t first_seed, uint32_t count);

#endif
