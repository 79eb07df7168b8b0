/* A run of `fuzz` in the database: a transaction for each block. */
#ifndef CLI_FUZZ_RECORD_H
#define CLI_FUZZ_RECORD_H

#include "../case.h"
#include "campaign.h"
#include "reports/store.h"

typedef struct cli_recorder {
    const char *path;     /* NULL: nothing is recorded */
    const char *revision; /* of what is tested, or NULL */
    report_store *store;  /* NULL: nothing is recorded any more */
    int64_t run;
    int64_t began; /* ms */
    bool quiet;
    bool lost; /* it could not be written */
} cli_recorder;

/*
 * Begins a run, or with `resume` goes on with the last one of the same options
 * that has no end: then `sums` has all that it has found. Returns the exit
 * status that ends the command, or 0.
 */
int cli_recorder_open(cli_recorder *recorder, cli_sums *sums,
                      const cli_campaign *campaign, bool resume);

/*
 * Begins the transaction of a block. A full disk ends no run; false when
 * memory ran out.
 */
bool cli_recorder_block(cli_recorder *recorder, cli_block_result *result);
/* A case of it that has something to tell. */
void cli_recorder_case(cli_recorder *recorder, const cli_told_case *told,
                       const cli_case *c, const char *kind);
void cli_recorder_commit(cli_recorder *recorder);

/* `ended`: the run is complete. Returns false when something was lost. */
bool cli_recorder_close(cli_recorder *recorder, const cli_sums *sums,
                        bool ended);

#endif
