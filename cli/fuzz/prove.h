/* Proofs of a judgement: witnesses, certificates, methods, runs. */
#ifndef CLI_FUZZ_PROVE_H
#define CLI_FUZZ_PROVE_H

#include "evaluate.h"

/*
 * Checks the judgement of an evaluation, which is of `text` for a memory of
 * `capacity` bytes (0: any), and adds
 * diff.expected (cause `witness`, `method`) where a proof is
 * refused: a fault of the judge. With seeds (0: not) the document is replayed
 * (cli/replay/judged.h), which adds replay.disagrees. O(findings x (tasks +
 * edges)).
 */
void cli_prove(cli_evaluation *e, cli_span text, int64_t capacity,
               int64_t seeds);

#endif
