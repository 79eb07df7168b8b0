/*
 * Blocks: what a worker of `fuzz` is asked for, a request each
 * (docs/formats.md). A block is a run of consecutive cases of a batch.
 */
#ifndef CLI_FUZZ_BLOCK_H
#define CLI_FUZZ_BLOCK_H

#include "../json.h"
#include "fuzz/case.h"

#define CLI_BLOCK_CASES 1024

/* The cases of a batch, and how they are worked on. */
typedef struct cli_batch_plan {
    int64_t seed;
    fuzz_kind kinds[FUZZ_KINDS]; /* case n is of kind n mod kind_count */
    uint32_t kind_count;
    bool full;
    uint32_t tasks;      /* of the largest case */
    const char *planner; /* command; NULL: ours */
    int64_t timeout_ms;  /* per request to the planner, and per judgement */
    int64_t memory;      /* bytes resident, of the planner */
    int64_t replay;      /* random orders of large graphs; 0: no replay */
} cli_batch_plan;

typedef struct cli_block {
    int64_t id;
    int64_t first, count; /* cases first to first + count - 1 */
    bool digests;         /* the answer has that of each case */
    bool all;             /* ... and each case, found or not, with its text */
} cli_block;

/* The name of case n of a batch. */
fuzz_name cli_batch_name(const cli_batch_plan *plan, int64_t n);

/* "score:17" */
void cli_case_label(char label[40], const fuzz_name *name);
/* False: it is none. */
bool cli_case_label_read(fuzz_name *name, const char *label);

/* "score,ir", all different; false: it is no such list. */
bool cli_kinds_read(cli_batch_plan *plan, const char *list);
/* Those for which there are cases. */
void cli_kinds_all(cli_batch_plan *plan);

/* Adds the line of a request. */
void cli_block_put(cli_text *line, const cli_batch_plan *plan,
                   const cli_block *block);
/* `planner` gets the text of the command. False: the line is no request. */
bool cli_block_read(cli_batch_plan *plan, cli_block *block, cli_text *planner,
                    cli_span line);

#endif
