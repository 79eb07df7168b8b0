/* All forward graphs of up to 4 tasks over 2 buffers, by number. */
#ifndef ORACLE_TESTS_FORWARD_H
#define ORACLE_TESTS_FORWARD_H

#include "maker.h"
#include "oracle/judge.h"

/* How many there are of n tasks: sets of edges times access patterns. */
uint64_t forward_count(uint32_t n);

/* Makes the graph of that number; the buffers are external or internal. */
void forward_make(maker *m, uint32_t n, uint64_t number, bool external);

/*
 * Whether the oracle and the twin say the same, and the checker accepts the
 * witness of each error; else says what is wrong on stderr. *errors gets the
 * number of errors that the oracle found.
 */
bool forward_agree(maker *m, uint32_t *errors);

/* Prints the graph and the findings to stderr. */
void forward_show(const maker *m, const oracle_judgement *judgement);

/* Whether the checker accepts every witness; each error has one. */
bool forward_witnesses(const maker *m, const oracle_judgement *judgement);

#endif
