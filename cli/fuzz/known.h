/* What is known of a case by its construction, against what was found. */
#ifndef CLI_FUZZ_KNOWN_H
#define CLI_FUZZ_KNOWN_H

#include "evaluate.h"
#include "fuzz/case.h"

/*
 * Adds diff.expected where the two differ. A Score is judged itself where its
 * plan has not what is expected.
 */
void cli_known_compare(cli_evaluation *e, const fuzz_case *c,
                       const cli_question *question);

/* What differs first in the answer, of which all else comes; or NULL. */
const oracle_finding *cli_first_difference(const cli_evaluation *e);

/* The rules that are disagreements, and no judgement: diff.*, planner.* */
bool cli_is_disagreement(const char *rule);

#endif
