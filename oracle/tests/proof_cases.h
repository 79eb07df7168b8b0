/* Random graphs and corrupted proofs, for the tests of what checks proofs. */
#ifndef ORACLE_TESTS_PROOF_CASES_H
#define ORACLE_TESTS_PROOF_CASES_H

#include "maker.h"

#define PROOF_MOST 4096 /* bytes of a proof */

/* Numbers drawn one after the other. */
typedef struct proof_draws {
    uint64_t seed, index;
} proof_draws;

/*
 * Up to 5 tasks over two or three buffers of 4 bytes, with accumulations,
 * predicates, choices, a memory plan, edges that go back: by seed.
 */
void proof_graph(maker *m, uint64_t seed);

/*
 * One change of a JSON text of less than PROOF_MOST bytes: a number is another,
 * two change places, an item of a list goes or comes twice, a word is another.
 */
void proof_corrupt(char *out, const char *text, proof_draws *r);

#endif
