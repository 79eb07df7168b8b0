/* The results of one run, in order, as every writer reads them. */
#ifndef REPORTS_RESULTS_H
#define REPORTS_RESULTS_H

#include "internal.h"
#include "reports/write.h"
#include "text.h"

/* A run, and how one of its results is seen again. */
typedef struct report_subject {
    int64_t run;
    char *tool, *options;
    char *digest;          /* NULL: the run was interrupted */
    bool fuzz;             /* paths are names of generated cases, not files */
    bool pruned;           /* most of its rows are gone, the counts are there */
    char *before, *behind; /* the command, around the path */
} report_subject;

report_status report_subject_read(report_subject *subject, report_store *store,
                                  int64_t run, report_error *error);
void report_subject_free(report_subject *subject);

/*
 * The command that shows a result again: one line for a shell. free() it;
 * NULL with *status REPORT_OK: there is none (standard input).
 */
char *report_subject_command(report_status *status, const report_subject *s,
                             const char *path, report_error *error);

/*
 * What stands before and behind the path in that command (reports/command.h),
 * by the options of a run; from malloc, also after a failure.
 */
report_status report_command_ends(char **before, char **behind,
                                  report_store *store, const char *options,
                                  report_error *error);

/* Whether a member of the options of a run is as without such an option. */
report_status report_is_usual(bool *usual, report_store *store,
                              const char *options, const char *member,
                              report_error *error);

/* Where a result is, as report_place; of a generated case its name. */
char *report_subject_place(const report_subject *subject,
                           const report_view *view, const char *path);

typedef enum report_outcome {
    REPORT_PASSES,
    REPORT_SKIPPED, /* not decided, or not all is known */
    REPORT_KNOWN,   /* it would fail, or err, by known issues alone */
    REPORT_FAILS,
    REPORT_ERRS, /* it could not be judged */
    REPORT_OUTCOMES
} report_outcome;

/* A case, a finding with its case, or a finding alone. Texts live until the
 * cursor moves; none is NULL but where it says so. */
typedef struct report_result {
    int64_t number;
    const char *path, *kind, *verdict;
    const char *reason; /* of what is not decided: the first part */
    int64_t reasons;    /* how many parts there are in all */
    int64_t total, listed;
    int worst;     /* rank of its gravest finding, REPORT_NO_RANK: none */
    int worst_new; /* of those that are no known issue, as `worst` */
    report_outcome outcome;

    int64_t n;
    const char *rule, *severity, *signature, *message;
    const char *cause; /* or NULL */
    int64_t line;      /* 0: none */
    const char *json;
    int64_t bucket; /* of report_worst_open alone */
    /* What the file of known issues says of it; NULL: nothing. */
    const char *until, *owner, *why;
    bool expired;
} report_result;

#define REPORT_NO_RANK 3

/* 0 error, 1 warning, 2 anything else. */
int report_rank(const char *severity);

/* By kind: of a kind by path, then number. */
typedef enum report_order { REPORT_BY_NUMBER, REPORT_BY_KIND } report_order;

/* Zero-initialise; free with report_cursor_close, also after a failure. */
typedef struct report_cursor {
    report_store *store;
    sqlite3_stmt *keys; /* of REPORT_BY_KIND: numbers in order */
    sqlite3_stmt *rows;
    int64_t run;
    int fail_rank;
    bool has_case, has_finding, has_bucket;
} report_cursor;

/* The cases of a run. */
report_status report_cases_open(report_cursor *c, report_store *store,
                                int64_t run, const report_view *view,
                                report_order order, report_error *error);

/* Findings of a case; asked for one by one with report_findings_of. */
report_status report_findings_open(report_cursor *c, report_store *store,
                                   int64_t run, report_error *error);
void report_findings_of(report_cursor *c, int64_t number);

/* Findings of a rank with their cases, by number; at most `most`. */
report_status report_ranked_open(report_cursor *c, report_store *store,
                                 int64_t run, int rank, int64_t most,
                                 report_error *error);

/* Whether a finding is a known issue that has not expired. */
bool report_is_known(const report_result *finding);

/*
 * Buckets of the run, the worst first, those of a rank (REPORT_NO_RANK: of
 * any): as a finding, the first, with its path; `n` is how many there are. A
 * known issue has the lowest rank here, and stands behind all others.
 */
report_status report_worst_open(report_cursor *c, report_store *store,
                                int64_t run, int rank, int64_t most,
                                report_error *error);

/* The next one; *more is false at the end. */
report_status report_cursor_next(bool *more, report_result *result,
                                 report_cursor *c, report_error *error);
void report_cursor_close(report_cursor *c);

/* A number from SQL with the run as ?1; 0 where there is none. */
report_status report_ask(int64_t *value, report_store *store, const char *sql,
                         int64_t run, report_error *error);

/* What a summary row of the run counts; key NULL: all of `what`. */
report_status report_count(int64_t *n, report_store *store, int64_t run,
                           const char *what, const char *key,
                           report_error *error);

/* Of a run of `fuzz`: cases that were judged and are not listed. */
report_status report_unlisted_cases(int64_t *count, report_store *store,
                                    int64_t run, report_error *error);

/* --- What all writers do --- */

typedef struct report_writing {
    FILE *out;
    report_store *store;
    const report_view *view;
    report_error *error;
    report_subject subject;
} report_writing;

/*
 * Calls `body` for the run. All that it reads is of one moment, also while
 * somebody records. With `rows` a run that `report gc` has pruned is refused.
 */
report_status report_write(FILE *out, report_store *store,
                           const report_view *view, report_error *error,
                           bool rows, report_status (*body)(report_writing *w));

/* Writes the command that shows a case again, between two texts; or nothing. */
report_status report_put_command(report_writing *w, report_form form,
                                 const char *before, const char *behind,
                                 const char *path);

/* Writes "counterpoint VERB DB", DB being the database of the view. */
report_status report_put_verb(report_writing *w, report_form form,
                              const char *verb);

/*
 * "known until 2027-03-31, @kernels: it waits", or that it has expired; in the
 * words of `triage list`. Nothing for what the file does not name.
 */
void report_put_known(FILE *out, report_form form, const report_result *r);

/* So many bytes of a message are told where there is little room. */
#define REPORT_MESSAGE ((size_t)1000)

/* Why a case is not green: what was left open, or what is not listed. */
void report_put_reason(FILE *out, report_form form, const report_result *r);

#endif
