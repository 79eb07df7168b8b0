/* A replay in a database of results, as a run of one case. */
#ifndef CLI_REPLAY_KEPT_H
#define CLI_REPLAY_KEPT_H

#include "../keep.h"

typedef struct cli_kept {
    report_store *store; /* NULL: nothing is kept */
    int64_t run;
} cli_kept;

/* Opens the file of --db, if there is one, and begins the run. An exit
 * status; 0 is fine, else it was complained. */
int cli_kept_open(cli_kept *kept, const cli_options *options);

/* Adds the case with what was found about it, and ends the run; `details` is a
 * JSON object. An exit status, as above. */
int cli_kept_add(cli_kept *kept, const cli_options *options, const cli_case *c,
                 const char *details);

/* A run to which nothing was added stays unfinished. */
void cli_kept_close(cli_kept *kept);

#endif
