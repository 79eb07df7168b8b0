/* What the files of a worker share. */
#ifndef CLI_FUZZ_WORK_H
#define CLI_FUZZ_WORK_H

#include "block.h"
#include "evaluate_work.h"
#include "fuzz/related.h"
#include "tally.h"

/*
 * Findings of one rule and severity that a case has written out: some broken
 * plans have thousands, of which all but the first are the same again.
 */
#define CLI_EACH 4u
/* ... in the full mode: lists of related inputs are compared when whole. */
#define CLI_EACH_RELATED 64u

/* What a case waits for; a lean one for the first alone. */
typedef enum cli_step {
    CLI_STEP_FIRST,    /* the answer that is judged */
    CLI_STEP_DOCUMENT, /* its text, written again */
    CLI_STEP_AGAIN,    /* that, read and written again */
    CLI_STEP_REPEAT,   /* the answer to the first question, again */
    CLI_STEP_RELATED   /* the answer to a related question */
} cli_step;

/* A case under way. */
typedef struct cli_work {
    fuzz_case c;
    int64_t n; /* within its block, from 0 */
    cli_question question;
    cli_evaluation e;
    size_t bytes; /* of its text: what is under way is bounded */
    cli_step step;
    int64_t id;               /* of the question that is under way */
    cli_text first, document; /* answers that are compared with later ones */
    fuzz_case related;        /* another case that goes with it */
    fuzz_map map;             /* from there back */
    const char *hangs_on;     /* what its disagreement does; NULL: unknown */
} cli_work;

/* A case that is told: one with a disagreement. */
typedef struct cli_told {
    int64_t n;
    cli_text json;
} cli_told;

typedef struct cli_worker {
    cli_batch_plan plan;
    cli_block block;
    cli_text planner;            /* the text of plan.planner */
    char name[CLI_PLANNER_NAME]; /* of the planner, in signatures */
    cli_child_spec spec;
    cli_pipe *pipe;
    int64_t next; /* of the block, begun next */
    cli_work slots[CLI_PIPE_ROOM];
    cli_work *idle[CLI_PIPE_ROOM];
    size_t idle_count;
    /* The last one that was asked: the planner may have more to say of it. */
    cli_work *held;
    size_t bytes;
    char (*digests)[65]; /* of the cases of the block */
    cli_text scratch;
    cli_evaluation other; /* of an answer to a related question */
    cli_pipe *second;     /* is asked about cases that differ (hang.h) */
    fuzz_case ablated;
    cli_tally tally;
    cli_told *told;
    size_t told_count, told_room;
    char problem[192]; /* empty: none */
    bool hopeless;     /* it is none of the case: no block can be done */
} cli_worker;

/* Keeps the first problem. */
void cli_worker_fail(cli_worker *w, const char *problem);

/* Gives the work on a case its time, anew. */
void cli_worker_alarm(const cli_worker *w);

/* Counts, digests and tells of a case whose evaluation is complete. */
void cli_work_finish(cli_worker *w, cli_work *work);

/* The line of the answer. */
void cli_worker_put(cli_text *out, cli_worker *w);

#endif
