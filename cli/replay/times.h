/* What a run on the machine tells: times, the timeline, what edges cost. */
#ifndef CLI_REPLAY_TIMES_H
#define CLI_REPLAY_TIMES_H

#include "../case.h"
#include "../options.h"
#include "replay/machine.h"

/* Edges whose cost is told; of more the first. */
#define CLI_COSTS_MOST 64

typedef struct cli_cost {
    int64_t from, to; /* task ids */
    int64_t ticks;    /* shorter without the edge */
    bool is_false;    /* edge.false; else edge.redundant */
} cli_cost;

/* Zero-initialise; free with cli_times_told_free. */
typedef struct cli_times_told {
    bool ran;
    bool stuck; /* on this machine a task never starts */
    uint64_t makespan, sequential, critical, busy, cores;
    int64_t *path; /* ids of the critical path */
    uint32_t path_count;
    char digest[65];
    cli_cost costs[CLI_COSTS_MOST];
    uint32_t cost_count;
    cli_text problem; /* why it did not run */
} cli_times_told;

/* Whether the options fit together: an exit status, 0 is fine. */
int cli_times_options(const cli_options *options);

/*
 * Runs the document, all choices true, on the machine of the options, writes
 * the timeline where -o names a file, and asks what the edges of
 * edge.redundant and edge.false among `records` cost. An exit status; 0 also
 * where it cannot run (`problem`).
 */
int cli_times_make(cli_times_told *told, const oracle_document *derived,
                   const cli_span *records, size_t count,
                   const cli_options *options, const cli_case *c,
                   const replay_stop *stop);
void cli_times_told_free(cli_times_told *told);

/* Members of the object that ends --json, each with a comma behind. */
void cli_times_put_json(cli_text *out, const cli_times_told *told);
void cli_times_put_text(cli_text *out, const cli_times_told *told,
                        const char *path);

#endif
