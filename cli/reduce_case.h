/* The case that is reduced, and how it is looked at. */
#ifndef CLI_REDUCE_CASE_H
#define CLI_REDUCE_CASE_H

#include "command.h"
#include "fuzz/case.h"
#include "fuzz/evaluate.h"
#include "reduce.h"
#include "reports/store.h"

/* Zero-initialise; free with cli_reduce_case_free. */
typedef struct cli_reduce_case {
    cli_text text;
    cli_view view;
    const char *signature; /* that is wanted, or NULL */
    char planner[CLI_PLANNER_NAME];
    fuzz_case made;       /* holds the options of a generated one */
    report_stored stored; /* of one of a database */
} cli_reduce_case;

/* Takes what the options name; the exit status, told, or 0. */
int cli_reduce_take(cli_reduce_case *c, const cli_options *options);
void cli_reduce_case_free(cli_reduce_case *c);

/* 16 small hex digits. */
bool cli_reduce_is_signature(const char *word);

/* What a file is, or was said to be. */
cli_kind cli_reduce_kind(const cli_reduce_case *c);

#endif
