/* Which values of the choices are judged (spec 08, "Judge executions"). */
#ifndef ORACLE_EXECUTION_H
#define ORACLE_EXECUTION_H

#include "arena.h"
#include "oracle/document.h"

/* How many executions there are: 1 without choices. */
uint64_t oracle_execution_count(const oracle_document *document);

/* By choice, the exclusions that name it. */
typedef struct oracle_executions {
    const oracle_document *document;
    uint32_t *first, *clashes;
} oracle_executions;

/* False: no memory. The lists are from the arena. */
bool oracle_executions_start(oracle_executions *executions,
                             const oracle_document *document,
                             oracle_arena *arena);

/*
 * The choices of execution `number`: 0 all true, 1 all false, then each alone
 * turned over from the first. Where the document says that values exclude each
 * other, a choice that does not fit to those before it takes its other value,
 * and each choice is turned over from what it was in the first, the others
 * following; so every value that fits anywhere is judged. O(choices +
 * the exclusions' values times their lengths).
 */
void oracle_execution_choices(const oracle_executions *executions,
                              uint32_t number, bool *choices);

#endif
