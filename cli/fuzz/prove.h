/* Proofs of a judgement: witnesses, certificates, two methods that agree. */
#ifndef CLI_FUZZ_PROVE_H
#define CLI_FUZZ_PROVE_H

#include "evaluate.h"

/*
 * Checks the judgement of an evaluation, which is of `text` for a memory of
 * `capacity` bytes (0: any), and adds
 * diff.expected (cause `witness`, `method`) where a proof is
 * refused: a fault of the judge. O(findings x (tasks + edges)).
 */
void cli_prove(cli_evaluation *e, cli_span text, int64_t capacity);

#endif
