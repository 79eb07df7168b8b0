/*
 * The stages of a program: all NN_after_PASS.py beside its dump are planned,
 * and each that can be is compared with the one before it. What differs is a
 * finding of the rule diff.stage: an error from the last Simplify on, where
 * the program is what will run, and a warning before.
 */
#ifndef CLI_LINT_STAGES_H
#define CLI_LINT_STAGES_H

#include "batch.h"
#include "options.h"

/* What came of the stages of one program. */
typedef struct lint_stages_result {
    cli_case changes; /* its findings alone are filled */
    cli_text text;    /* the same for people, a block each */
    size_t stages;    /* 0: the dump is none of a passes_dump */
    size_t unplanned; /* stages that could not be planned */
    cli_text why;     /* ... which was the first, and why not */
} lint_stages_result;

typedef struct lint_stages {
    lint_stages_result *results; /* one per program */
    size_t count;
} lint_stages;

/* False when the batch failed (result says why). To be freed in any case. */
bool lint_stages_make(lint_stages *stages, const cli_search *programs,
                      const cli_options *options, bool color,
                      cli_batch_result *result);
void lint_stages_free(lint_stages *stages);

#endif
