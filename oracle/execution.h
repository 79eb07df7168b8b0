/* Which values of the choices are judged (spec 08, "Judge executions"). */
#ifndef ORACLE_EXECUTION_H
#define ORACLE_EXECUTION_H

#include "oracle/document.h"

/* How many executions there are: 1 without choices. */
uint64_t oracle_execution_count(const oracle_document *document);

/*
 * The choices of execution `number`: 0 all true, 1 all false, then each alone
 * turned over from the first. Where the document says that values exclude each
 * other, a choice that does not fit to those before it takes its other value,
 * and each choice is turned over from what it was in the first, the others
 * following; so every value that fits anywhere is judged. O(choices +
 * exclusions) without, times the choices with exclusions.
 */
void oracle_execution_choices(const oracle_document *document, uint32_t number,
                              bool *choices);

#endif
