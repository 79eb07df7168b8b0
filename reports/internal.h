/* What the files of reports/ share. */
#ifndef REPORTS_INTERNAL_H
#define REPORTS_INTERNAL_H

#include <sqlite3.h>

#include "reports/store.h"

typedef enum report_statement {
    STATEMENT_BEGIN,
    STATEMENT_COMMIT,
    STATEMENT_RUN,
    STATEMENT_FINISH,
    STATEMENT_GONE,
    STATEMENT_INPUT,
    STATEMENT_VERDICT,
    STATEMENT_FINDING,
    STATEMENT_COUNT,
    STATEMENT_PART,
    STATEMENT_BUCKET,
    STATEMENT_HEAD,
    STATEMENT_RUN_BUCKET,
    STATEMENT_BLOCK,
    STATEMENTS
} report_statement;

/*
 * At the end of run ?1: what the last run with the same options had and this
 * one has not is gone, unless its input could not be judged this time.
 */
#define REPORT_GONE(table)                                                     \
    "UPDATE " table " AS t SET gone_run = ?1 WHERE gone_run IS NULL"           \
    " AND last_run IN (SELECT o.run FROM runs AS o JOIN runs AS r"             \
    " ON o.options = r.options WHERE r.run = ?1 AND o.run <> ?1"               \
    " AND r.digest IS NOT NULL)"                                               \
    " AND NOT EXISTS (SELECT 1 FROM run_buckets AS b JOIN verdicts AS v"       \
    " ON v.run = ?1 AND v.path = b.path WHERE b.run = t.last_run"              \
    " AND b.bucket = t.bucket AND v.verdict IN ('crashed', 'timed_out'))"

/*
 * Run ?1, or with 0 the last: what `triage rerun` and `triage speed` record is
 * none that anybody means.
 */
#define REPORT_MEANT                                                           \
    " WHERE iif(?1 = 0, coalesce(iif(json_valid(options),"                     \
    " json_extract(options, '$.verb'), ''), '') NOT IN ('bench', 'rerun'),"    \
    " run = ?1) ORDER BY run DESC LIMIT 1"

struct report_store {
    sqlite3 *db;
    sqlite3_stmt *statements[STATEMENTS];
    report_mode mode;
    bool in_transaction;
    bool copied;    /* in memory, since the file is of an older version */
    bool has_known; /* report_triage was given known issues */
};

/* Fills the record with a message and gives its status back. */
report_status report_fail(report_error *error, report_status status,
                          const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for what SQLite says is wrong with `store`. */
report_status report_fail_sql(report_error *error, const report_store *store,
                              const char *what);

/* Runs SQL text without results. */
report_status report_run_sql(report_store *store, const char *sql,
                             const char *what, report_error *error);

/* *version is 0 for a file without anything in it; it is checked. */
report_status report_check_version(report_store *store, int64_t *version,
                                   report_error *error);

/*
 * Makes the tables, or brings those of an older version up to date, in a
 * transaction; under its lock it looks again, since another may have been
 * first.
 */
report_status report_make_tables(report_store *store, report_error *error);

/* What is set before the history of buckets is counted. */
#define REPORT_NO_HISTORY                                                      \
    " n = 0, runs = 0, first_run = 0, last_run = 0, gone_run = NULL,"          \
    " back_run = NULL"

/*
 * Counts the history of `buckets`, or of the copy in temp.again, once more from
 * run_buckets, run after run in the order of their start. O(summary rows).
 */
report_status report_count_history(report_store *store, bool again,
                                   report_error *error);

/*
 * temp.known, what the file of known issues says; empty where nobody gave one.
 * No effect when it is there.
 */
report_status report_make_known(report_store *store, report_error *error);

/*
 * temp.named: of each head of buckets what temp.known says of it, or of what
 * was joined to it, the latest day. O(known issues).
 */
report_status report_name_known(report_store *store, report_error *error);

/* Goes on with a copy in memory that is up to date: for files that are read. */
report_status report_copy_up_to_date(report_store *store, report_error *error);

#endif
