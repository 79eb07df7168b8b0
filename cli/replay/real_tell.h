/* What real runs came to: lines for people, JSON, findings. */
#ifndef CLI_REPLAY_REAL_TELL_H
#define CLI_REPLAY_REAL_TELL_H

#include "real_judge.h"
#include "scenes.h"

typedef struct cli_real_told {
    const cli_scenes_of *what;
    const replay_scene *scene;
    const cli_real_cases *run;
    const cli_real_record *records; /* of its first two cases */
    const char *commit;             /* of simpler, or empty */
} cli_real_told;

/* Whether what a case does is what the document means: what the runtime derives
 * is of those under its own rules alone. */
bool cli_real_claims(const cli_real_told *told, const cli_real_case *c);

/*
 * Adds all three. A case that left other bytes than program order, or edges
 * that are not those of the program, contradict a judgement that has neither an
 * error about bytes nor a doubt: replay.disagrees. Else other bytes are
 * replay.differs. What the runtime derives is no claim about a program under
 * other rules than tensormap; such cases are told in lines and JSON alone.
 */
void cli_real_tell(cli_scenes *out, const cli_real_told *told);

#endif
