/* Small task graphs made in memory, for tests: no text between. */
#ifndef ORACLE_TESTS_MAKER_H
#define ORACLE_TESTS_MAKER_H

#include "oracle/document.h"

#include <stdint.h>

#define MAKER_TASKS 12
#define MAKER_ITEMS 256
#define WHOLE (-1)

typedef struct maker {
    oracle_document document;
    oracle_task tasks[MAKER_TASKS];
    oracle_buffer buffers[MAKER_TASKS];
    oracle_arg args[MAKER_ITEMS];
    oracle_access accesses[MAKER_ITEMS];
    oracle_region regions[MAKER_ITEMS];
    oracle_dim dims[MAKER_ITEMS];
    oracle_edge edges[MAKER_ITEMS];
    oracle_dep deps[MAKER_ITEMS];
    oracle_scope scopes[MAKER_TASKS];
    oracle_choice choices[MAKER_TASKS];
    oracle_when whens[MAKER_ITEMS];
    oracle_symbol symbols[MAKER_TASKS];
    oracle_term terms[MAKER_ITEMS];
    oracle_allocation allocations[MAKER_TASKS];
} maker;

void maker_start(maker *m);
/* A copy that shares nothing. */
void maker_copy(maker *to, const maker *from);
uint32_t maker_buffer(maker *m, const char *key, int64_t bytes, bool external);
/* A task named "t"; arguments that follow are its own. */
uint32_t maker_task(maker *m);
/* `count` bytes from `begin`, `stride` apart when it is not 1. */
uint32_t maker_region(maker *m, int64_t begin, int64_t count, int64_t stride);
/* A free symbol of the values min..max; its index. */
uint32_t maker_symbol(maker *m, const char *name, int64_t min, int64_t max);
/* Adds coef * symbol to a number; once for each number. */
void maker_term(maker *m, oracle_affine *number, int64_t coef, uint32_t symbol);
/* One argument with one access of bytes [begin, end), or WHOLE; all exact. */
oracle_access *maker_access(maker *m, uint32_t buffer, oracle_mode mode,
                            int64_t begin, int64_t end);
void maker_predicate(maker *m, uint32_t task, uint32_t buffer, int64_t byte);
oracle_edge *maker_edge(maker *m, uint32_t from, uint32_t to);

/* A place in the memory plan, which the document then has; peak as it is. */
void maker_place(maker *m, uint32_t buffer, int64_t offset);

/* A counter-based random number: the same for the same arguments. */
uint64_t maker_random(uint64_t seed, uint64_t index);

#endif
