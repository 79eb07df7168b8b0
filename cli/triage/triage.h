/* What the words of `triage` share. */
#ifndef CLI_TRIAGE_TRIAGE_H
#define CLI_TRIAGE_TRIAGE_H

#include "../command.h"
#include "../day.h"
#include "../text.h"
#include "reports/triage.h"

typedef struct cli_triage {
    const cli_options *options;
    const char *db;
    const char *const *words; /* behind the database */
    report_store *store;
    report_known_list known;
    char today[CLI_DAY_LENGTH + 1];
    bool color;
    cli_text out; /* printed at the end, whatever the status is */
} cli_triage;

/* Each word of the verb; an exit status, told where it is trouble. */
int cli_triage_list(cli_triage *t);
int cli_triage_since(cli_triage *t);
int cli_triage_compare(cli_triage *t);
int cli_triage_show(cli_triage *t);
int cli_triage_why(cli_triage *t);
int cli_triage_set(cli_triage *t);
int cli_triage_join(cli_triage *t);
int cli_triage_split(cli_triage *t);
int cli_triage_rerun(cli_triage *t);
int cli_triage_speed(cli_triage *t);

/* Tells what the store says; the exit status of it. */
int cli_triage_fail(const cli_triage *t, const report_error *error);
int cli_triage_no_memory(void);

/* A run that a word names; else a status, told. */
int cli_triage_run(int64_t *run, const char *word);
/* The bucket that a word names. */
int cli_triage_named(int64_t *bucket, int64_t *head, const cli_triage *t,
                     const char *word);
/* The bucket of the first word; `head` is what it is shown as. */
int cli_triage_bucket(int64_t *bucket, int64_t *head, const cli_triage *t);

/* An issue in a few lines (`whole`: with all that people say of it), or as one
   line of JSON. `state`: as it is called here, NULL: its own. */
void cli_issue_put_text(cli_text *out, const report_issue *issue,
                        const char *state, bool color, bool whole);
void cli_issue_put_json(cli_text *out, const report_issue *issue,
                        const char *state);
/* ',"name":' and a string, or null where it is empty. */
void cli_issue_put_member(cli_text *out, const char *name, const char *value);

/* "run 7 (4f2e91c)". */
void cli_run_put(cli_text *out, const report_run_info *run);

/*
 * Options of a run, which are JSON: a number (0 where there is none), a text
 * ("" where it is null or missing), whether one is true.
 */
int64_t cli_run_number(cli_span options, const char *name);
void cli_run_text(cli_text *out, cli_span options, const char *name);
bool cli_run_is(cli_span options, const char *name);

/* Why the text of a case alone never shows its finding; NULL: it may. */
const char *cli_triage_beside(const report_example *e);

/* The options of a run, added; else a status, told. */
int cli_run_options(cli_text *out, const cli_triage *t, int64_t run);

/* A run that a word of triage adds; `started` is filled. */
#define CLI_TRIAGE_NOW 32
report_run cli_triage_begin_run(char started[CLI_TRIAGE_NOW],
                                const cli_triage *t, const char *options);

#endif
