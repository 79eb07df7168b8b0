/* Two cases that belong together: what shows where both are judged. */
#ifndef CLI_FUZZ_SECOND_H
#define CLI_FUZZ_SECOND_H

#include "work.h"

/*
 * Of the second case of a pair (fuzz/case.h), with its judgement: makes and
 * judges the first again, wherever it stands, and adds score.identity where
 * both have one fingerprint and two meanings.
 */
void cli_second_compare(cli_worker *w, cli_work *work);

#endif
