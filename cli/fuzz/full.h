/*
 * What the full mode asks and checks of a case besides: documents read and
 * written again, the same question twice, proofs.
 */
#ifndef CLI_FUZZ_FULL_H
#define CLI_FUZZ_FULL_H

#include "work.h"

/*
 * How the judge answers in this mode, about a case of so many tasks: where the
 * chains of a wide graph could take hundreds of MB, blocks answer alone.
 */
void cli_full_options(oracle_judge_options *options, bool full, uint32_t tasks);

/*
 * Takes the reply to a question of a case (NULL: the case was judged and not
 * asked), checks, and writes the next question into `line`. False: there is
 * none, the evaluation is complete.
 */
bool cli_full_next(cli_worker *w, cli_work *work, const cli_reply *reply);

#endif
