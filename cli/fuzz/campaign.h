/*
 * The run of `fuzz`: hands out blocks to workers, takes what they answer in
 * the order of the blocks, and adds it up. It looks at no content.
 */
#ifndef CLI_FUZZ_CAMPAIGN_H
#define CLI_FUZZ_CAMPAIGN_H

#include "../child.h"
#include "block.h"
#include "tally.h"

/* Disagreements of one signature. */
typedef struct cli_bucket {
    char *rule, *cause, *signature, *message; /* cause: "" for none */
    char *label;                              /* of the first case */
    int64_t number;                           /* of it */
    int64_t n;
} cli_bucket;

/* What is known after so many blocks. Zero-initialise. */
typedef struct cli_sums {
    int64_t blocks, cases;
    cli_tally tally;
    cli_bucket *buckets;
    size_t bucket_count, bucket_room;
    cli_text digests; /* of the blocks, 32 bytes each */
} cli_sums;

void cli_sums_free(cli_sums *sums);
/* Of the blocks so far; empty when memory ran out. */
void cli_sums_digest(char hex[65], const cli_sums *sums);
/* False: out of memory. */
bool cli_sums_add_digest(cli_sums *sums, const char hex[65]);
bool cli_sums_add_bucket(cli_sums *sums, const cli_bucket *bucket);
/* Puts them into the order of their first cases. */
void cli_sums_sort(cli_sums *sums);
/* Disagreements in all, and the cases that have one. */
int64_t cli_sums_findings(const cli_sums *sums);
int64_t cli_sums_disagreeing(const cli_sums *sums);

/* A case of an answer; spans are within it. */
typedef struct cli_told_case {
    char label[40];
    int64_t number;
    char verdict[16];
    cli_text text; /* the input, byte for byte */
    char sha256[65];
    cli_text reason; /* or empty */
    cli_span details, undecided, findings;
} cli_told_case;

void cli_told_case_free(cli_told_case *c);
/* False: it is none, or memory ran out. */
bool cli_told_case_read(cli_told_case *c, cli_span json);

/* What a worker, or several halves of a block, have answered. */
typedef struct cli_block_result {
    int64_t block, first, cases;
    char digest[65];
    cli_tally tally;
    cli_text told; /* JSON: a list of cases */
} cli_block_result;

typedef struct cli_campaign_calls {
    /* Each block once, in order; false ends the run as failed. */
    bool (*done)(void *context, cli_block_result *result);
    /* Now and then; false: no further block is begun, and none waited for. */
    bool (*idle)(void *context);
    void *context;
} cli_campaign_calls;

typedef struct cli_campaign {
    cli_batch_plan plan;
    int64_t first;    /* the number of its first case, mostly 0 */
    int64_t cases;    /* of the whole run */
    int64_t done;     /* cases that were done before: whole blocks */
    int64_t deadline; /* ms of cli_now: no block is begun then; 0: none */
    int64_t jobs;
    bool all; /* tell of each case */
} cli_campaign;

typedef enum cli_campaign_end {
    CLI_CAMPAIGN_DONE,
    CLI_CAMPAIGN_STOPPED, /* by `idle`: not all blocks were done */
    CLI_CAMPAIGN_FAILED
} cli_campaign_end;

/* `problem` says why it failed, where that is known; else it is empty. */
cli_campaign_end cli_campaign_run(char problem[CLI_PROBLEM],
                                  const cli_campaign *campaign,
                                  const cli_campaign_calls *calls);

#endif
