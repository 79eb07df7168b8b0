/*
 * The accesses of a document as one flat list, for checkers: nothing is
 * judged here. The oracle's own list (access.h) is made apart from it.
 */
#ifndef ORACLE_WITNESS_ACCESSES_H
#define ORACLE_WITNESS_ACCESSES_H

#include "arena.h"
#include "oracle/document.h"

typedef struct oracle_access_of {
    uint32_t task, arg, storage; /* arg ORACLE_NONE: a predicate's operand */
    oracle_place place;
    bool reads, writes;
    bool adds;  /* writes, and the order among such does not matter */
    bool fills; /* writes plainly, of a task without a predicate */
    bool sure;  /* fills, and touches all of the place */
} oracle_access_of;

/*
 * All accesses in program order; an argument of unknown accesses reads and
 * writes its view. False: no memory (*list is NULL), or more than
 * `most`.
 */
bool oracle_accesses_list(oracle_access_of **list, uint32_t *count,
                          const oracle_document *document, uint32_t most,
                          oracle_arena *arena);

#endif
