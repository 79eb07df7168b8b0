/* What the disagreement of a case hangs on (docs/fuzz.md, Signatures). */
#ifndef CLI_FUZZ_HANG_H
#define CLI_FUZZ_HANG_H

#include "work.h"

/*
 * Where the answer differs, asks the planner about the case without one thing
 * after the other (fuzz/related.h) until its first difference is gone, and
 * marks the findings with what that was: two causes may have one symptom, and
 * seldom hang on the same. Nothing where no answer differs. At most one answer
 * for each ablation, one after the other.
 */
void cli_hang_find(cli_worker *w, cli_work *work);

#endif
