/* What a change between two stages is called, as a record and as a text. */
#ifndef CLI_LINT_CHANGE_H
#define CLI_LINT_CHANGE_H

#include "case.h"
#include "lint_compare.h"
#include "lint_source.h"

/* A stage that was planned. */
typedef struct lint_stage {
    const cli_found *found;
    int64_t number;
    cli_span pass;
    char sha256[65];
    cli_text text;
    lint_source source; /* of the text */
    lint_order order;
} lint_stage;

void lint_stage_free(lint_stage *stage);

/* Adds a record of diff.stage to a case; false when out of memory. */
bool lint_change_record(cli_case *c, const lint_change *change,
                        const lint_stage *before, const lint_stage *after,
                        cli_severity severity);

/* Adds the last record of a case as a block, with the lines of both stages. */
void lint_change_print(cli_text *out, const cli_case *c,
                       const lint_change *change, const lint_stage *before,
                       const lint_stage *after, bool color);

#endif
