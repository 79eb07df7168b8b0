/* The parts of an evaluation, for the worker, who has many under way. */
#ifndef CLI_FUZZ_EVALUATE_WORK_H
#define CLI_FUZZ_EVALUATE_WORK_H

#include "evaluate.h"
#include "pipe.h"

/* Empties it, keeps memory. */
void cli_evaluation_clear(cli_evaluation *e);

/* Adds the line of the request that asks the planner. */
void cli_question_put(cli_text *line, int64_t id, const cli_question *q);

/* Bytes of the memory that a judged plan is for, by its options; 0: any. */
int64_t cli_question_capacity(const cli_question *q);

/* Takes the reply to a question into a cleared evaluation. */
void cli_evaluation_take(cli_evaluation *e, const cli_question *q,
                         const cli_reply *reply,
                         const oracle_judge_options *options);

/* Adds how the planner failed: planner.* */
void cli_evaluation_fail(cli_evaluation *e, const cli_reply *reply);

/*
 * Adds that there were lines that answer nothing (cli_pipe_rest). `label`: the
 * case that has some alone, or "".
 */
void cli_evaluation_unasked(cli_evaluation *e, const char *label);

/* Judges a question that is not asked. */
void cli_evaluation_judge(cli_evaluation *e, const cli_question *q,
                          const oracle_judge_options *options);

#endif
