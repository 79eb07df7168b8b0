/* Small plans whose buffers may be one memory, as the twin is asked of them. */
#ifndef CLI_TESTS_VOICES_UNITED_H
#define CLI_TESTS_VOICES_UNITED_H

#include "fuzz/plan.h"
#include "oracle/document.h"
#include "replay/program.h"

#define UNITED_MOST 3 /* buffers that may be */
#define UNITED_WAYS 4 /* of 3: each pair, and all */

/* Says of some plans, by number, that 2 or 3 of the caller's buffers may be
 * one memory: `may_alias` is put into the text. */
void united_say(fuzz_case *c);

/* The buffers that may be one memory, and how many. */
uint32_t united_list(uint32_t list[UNITED_MOST], const oracle_document *d);

/*
 * The document in which some of these are one memory. `buffers` has room for
 * its buffers. The same as pairs, for the simulator. False: there is no such
 * way.
 */
bool united_make(oracle_document *united, oracle_buffer *buffers,
                 replay_pairs *pairs, const oracle_document *d, uint32_t way);

#endif
