/*
 * Small plans, for voices that try every order: a task graph with regions,
 * predicates, choices and optional deps, with a memory plan in which buffers
 * share bytes. Made from a name as the cases of case.h, but no kind of a batch:
 * all of it is so small that it can be gone through whole.
 */
#ifndef FUZZ_PLAN_H
#define FUZZ_PLAN_H

#include "fuzz/case.h"

#define FUZZ_PLAN 32       /* the stream of their names */
#define FUZZ_PLAN_TASKS 12 /* the most there are */
#define FUZZ_PLAN_BYTES 64 /* the largest buffer */
#define FUZZ_PLAN_BOUNDS 5 /* accesses of which only a bound is known */

/*
 * The plan of a name (stream FUZZ_PLAN), as a bundle of graph and memory plan.
 * About half of them have one change: mostly a fault whose rule follows from
 * how the plan was built (`expects`), sometimes one of which nobody knows
 * beforehand what it does (`open`). The others are right by construction, in
 * every execution. O(size of the plan); errors as fuzz_case_make.
 */
fuzz_status fuzz_plan_make(fuzz_case *c, const fuzz_name *name);

#endif
