/* Counting the answers of a batch, and the exit status they give. */
#ifndef CLI_TOTALS_H
#define CLI_TOTALS_H

#include "batch.h"

typedef struct cli_reason {
    char *text;
    int64_t count;
} cli_reason;

typedef struct cli_totals {
    int64_t inputs;
    int64_t verdicts[CLI_VERDICTS];
    int64_t partial;
    int64_t unreadable;
    int64_t unopened; /* of these: named on the command line */
    int64_t findings[CLI_SEVERITIES];
    char rules[CLI_SEVERITIES][32]; /* the first found of each; empty: none */
    int64_t compared, left_out;     /* files beside dumps: diff.frontend */
    int64_t runs, witnesses, shown, unplayed; /* as of a case */
    cli_reason *reasons;                      /* sorted by text */
    size_t reason_count;
    cli_reason *assumptions; /* of the clean ones, sorted by text */
    size_t assumption_count;
} cli_totals;

enum {
    CLI_EXIT_FINE = 0,
    CLI_EXIT_FINDINGS = 1,
    CLI_EXIT_USAGE = 2,
    CLI_EXIT_FAULT = 3,
    CLI_EXIT_NOTHING = 4,
    CLI_EXIT_GOLDEN = 5
};

/* False when memory ran out. */
bool cli_totals_add(cli_totals *totals, const cli_case *c);
/* The findings alone, of what is no input. */
void cli_totals_add_findings(cli_totals *totals, const cli_case *c);
void cli_totals_free(cli_totals *totals);

int64_t cli_totals_judged(const cli_totals *totals);

/* The object that ends `run --json`, with a newline. */
void cli_totals_json(cli_text *out, const cli_totals *totals,
                     const char *digest);
/* The same for people, a few lines. */
void cli_totals_text(cli_text *out, const cli_totals *totals,
                     const char *digest, cli_severity fail_on);
/* How many inputs came to what, a line. */
void cli_totals_put_verdicts(cli_text *out, const cli_totals *totals);
/* What the clean verdicts rest on, a line each, and how many do. */
void cli_totals_put_assumptions(cli_text *out, const cli_totals *totals);
/* The line of the findings, which says when none of them fails. */
void cli_totals_put_findings(cli_text *out, const cli_totals *totals,
                             cli_severity fail_on);

/*
 * Where more is told of the first of the gravest findings, when there are any
 * of at least this severity: a line.
 */
void cli_totals_put_page(cli_text *out, const cli_totals *totals,
                         cli_severity least);

/* The status for wrong usage, or a fault, whatever was found; else 0. */
int cli_totals_trouble(const cli_totals *totals,
                       const cli_batch_result *result);

/* `fail_on` is the least severity that fails. */
int cli_totals_exit(const cli_totals *totals, const cli_batch_result *result,
                    cli_severity fail_on);

#endif
