/* What `fuzz` prints. */
#ifndef CLI_FUZZ_PRINT_H
#define CLI_FUZZ_PRINT_H

#include "campaign.h"

/* The object that ends --json, with a newline. */
void cli_fuzz_put_json(cli_text *out, const cli_sums *sums, bool interrupted);

/* The same for people. `plan` and `cases` say how to make a case again. */
void cli_fuzz_put_text(cli_text *out, const cli_sums *sums,
                       const cli_batch_plan *plan);

/* How to make a case again: "counterpoint fuzz --case ..." */
void cli_fuzz_put_command(cli_text *out, const cli_batch_plan *plan,
                          const char *label);

/* The line of progress on standard error; shown when it is time. */
typedef struct cli_fuzz_progress {
    bool on, visible;
    int64_t next;          /* ms: when it is shown again */
    int64_t began;         /* ms */
    int64_t before, cases; /* done before this run, in all; cases INT64_MAX: */
                           /* there is no end */
    int64_t deadline;      /* ms; 0: none */
} cli_fuzz_progress;

void cli_fuzz_progress_show(cli_fuzz_progress *progress, const cli_sums *sums);
void cli_fuzz_progress_clear(cli_fuzz_progress *progress);

#endif
