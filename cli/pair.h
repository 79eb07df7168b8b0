/* Two documents held against each other, in a process of its own. */
#ifndef CLI_PAIR_H
#define CLI_PAIR_H

#include "batch.h"

/* What is kept of a case to compare it later. */
typedef struct cli_kept {
    const cli_found *found;
    cli_kind kind;
    char sha256[65];
    cli_text text; /* the bundle that the planner made, else the file's bytes */
    bool is_bundle;
} cli_kept;

/* Takes a copy; false: out of memory. Nothing is kept of what was refused. */
bool cli_kept_take(cli_kept *kept, const cli_case *c);
void cli_kept_free(cli_kept *kept);

/* A request to a judge about two: "compare" or "meaning" (formats.md). */
void cli_pair_request(cli_text *line, const char *kind, const cli_kept *first,
                      const cli_kept *second, bool same,
                      const cli_batch_options *options);

/*
 * Asks a judge for diff.plan of the two. The answer is a judgement, taken into
 * *c, whose file is that of the first: lines are of it. False, with `problem`
 * (at least 128 bytes), when the process failed. Free the case with
 * cli_case_clear.
 */
bool cli_pair_compare(cli_case *c, const cli_kept *first,
                      const cli_kept *second, bool same,
                      const cli_batch_options *options, char *problem,
                      size_t size);

#endif
