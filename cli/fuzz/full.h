/*
 * What the full mode asks and checks of a case besides: documents read and
 * written again, the same question twice, proofs.
 */
#ifndef CLI_FUZZ_FULL_H
#define CLI_FUZZ_FULL_H

#include "work.h"

/*
 * How the judge answers about a case. In the full mode chains answer beside
 * blocks, but for a wide graph, where they could take hundreds of MB.
 */
void cli_full_options(oracle_judge_options *options, const cli_worker *w,
                      const cli_work *work);

/*
 * Takes the reply to a question of a case (NULL: the case was judged and not
 * asked), checks, and writes the next question into `line`. False: there is
 * none, the evaluation is complete.
 */
bool cli_full_next(cli_worker *w, cli_work *work, const cli_reply *reply);

/* Of the same reply the proofs alone, and the replay. */
void cli_full_prove(cli_worker *w, cli_work *work, const cli_reply *reply);

#endif
