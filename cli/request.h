/*
 * The lines between the batch and its processes: requests out, answers in.
 * docs/formats.md describes them.
 */
#ifndef CLI_REQUEST_H
#define CLI_REQUEST_H

#include "batch.h"

/* Each adds one line with its newline. */
void cli_request_plan(cli_text *line, int64_t id, const cli_case *c,
                      const cli_batch_options *options);
/* For the members that a case is still without; takes no part in judging. */
void cli_request_members(cli_text *line, int64_t id, const cli_case *c,
                         const cli_batch_options *options);
void cli_request_judge(cli_text *line, int64_t id, const cli_case *c,
                       const cli_batch_options *options);
/* With the texts that lie beside the dump. */
void cli_request_frontend(cli_text *line, int64_t id, const cli_case *c);

typedef enum cli_answer {
    CLI_ANSWER_TAKEN,
    CLI_ANSWER_WRONG, /* not what the protocol asks for */
    CLI_ANSWER_NO_MEMORY
} cli_answer;

/* Takes an answer into the case and moves its state on. */
cli_answer cli_answer_plan(cli_case *c, cli_span answer,
                           const cli_batch_options *options);
cli_answer cli_answer_judge(cli_case *c, cli_span answer,
                            const cli_batch_options *options);

#endif
