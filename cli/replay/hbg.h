/*
 * The host_build_graph plan of a bundle that has a Score, too. Where the two
 * do not say the same, the plan is what the runtime follows (spec 07), so it is
 * what is run.
 */
#ifndef CLI_REPLAY_HBG_H
#define CLI_REPLAY_HBG_H

#include "../case.h"

/* Whether the judge has found that a plan and its Score contradict each other.
 */
bool cli_hbg_differs(const cli_case *c);

/*
 * Adds the bundle without what is no part of the plan: its graph and its Score.
 * False: it is no bundle with such a plan.
 */
bool cli_hbg_alone(cli_text *out, cli_span bundle);

#endif
