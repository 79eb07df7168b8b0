/* Proofs of a judgement: witnesses, certificates, two methods that agree. */
#ifndef CLI_FUZZ_PROVE_H
#define CLI_FUZZ_PROVE_H

#include "evaluate.h"

/*
 * Checks the judgement of an evaluation, which is of `text`, and adds
 * diff.expected (cause `witness`, `certificate`, `method`) where a proof is
 * refused: a fault of the judge. O(findings x (tasks + edges)).
 */
void cli_prove(cli_evaluation *e, cli_span text);

#endif
