/* The makers of the kinds: each fills a case that is cleared but for its name.
 */
#ifndef FUZZ_MAKE_H
#define FUZZ_MAKE_H

#include "fuzz/case.h"

typedef fuzz_status (*fuzz_maker)(fuzz_case *c, const fuzz_limits *limits);

fuzz_status fuzz_make_graph(fuzz_case *c, const fuzz_limits *limits);
fuzz_status fuzz_make_bundle(fuzz_case *c, const fuzz_limits *limits);
fuzz_status fuzz_make_record(fuzz_case *c, const fuzz_limits *limits);
fuzz_status fuzz_make_score(fuzz_case *c, const fuzz_limits *limits);
fuzz_status fuzz_make_ir(fuzz_case *c, const fuzz_limits *limits);
fuzz_status fuzz_make_memory(fuzz_case *c, const fuzz_limits *limits);

/* Draws how many tasks to make: from 2 to the lesser of `most` and the limit,
   log-uniform. Seven of eight cases stay between 8 and 64, which is where
   faults live, and one case of 256 tasks costs as much as ten of 25. */
uint32_t fuzz_task_count(fuzz_random *random, const fuzz_limits *limits,
                         uint32_t most);

/* Empties it, and keeps its memory; false: there is none. */
bool fuzz_case_clear(fuzz_case *c);

/* Adds a rule that must be found. */
void fuzz_case_expect(fuzz_case *c, const char *rule);

#endif
