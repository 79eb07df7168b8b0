/* What the files of reports/ share. */
#ifndef REPORTS_INTERNAL_H
#define REPORTS_INTERNAL_H

#include <sqlite3.h>

#include "reports/store.h"

typedef enum report_statement {
    STATEMENT_BEGIN,
    STATEMENT_COMMIT,
    STATEMENT_RUN,
    STATEMENT_UUID,
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
 * Whether run `run` could not have shown what run `last` had in `bucket`: one
 * of its inputs crashed or timed out, or the run did not look at the input of
 * its first case. `run`, `bucket` and `last` are SQL; `there` is a test of
 * b.path that `run` looked at it, which is asked where the input has another
 * number. A case of `fuzz` is there as long as the program makes the same.
 * CASE, since OR of a column evaluates both sides.
 */
#define REPORT_UNJUDGED "v.verdict IN ('crashed', 'timed_out')"
#define REPORT_COULD_NOT(run, bucket, last, there)                             \
    " CASE WHEN EXISTS (SELECT 1 FROM verdicts AS v INDEXED BY unjudged"       \
    " WHERE v.run = " run " AND " REPORT_UNJUDGED ") AND ("                    \
    "EXISTS (SELECT 1 FROM run_buckets AS b JOIN verdicts AS v"                \
    " INDEXED BY unjudged ON v.run = " run " AND v.path = b.path"              \
    " WHERE b.run = " last " AND b.bucket = " bucket " AND " REPORT_UNJUDGED   \
    ") OR EXISTS (SELECT 1 FROM findings AS f CROSS JOIN verdicts AS w"        \
    " USING(run, number) CROSS JOIN verdicts AS v INDEXED BY unjudged"         \
    " WHERE f.bucket = " bucket " AND f.run = " last " AND v.run = " run       \
    " AND v.path = w.path AND " REPORT_UNJUDGED ")) THEN 1"                    \
    " ELSE NOT EXISTS (SELECT 1 FROM run_buckets AS b, runs AS g, runs AS o"   \
    " WHERE b.run = " last " AND b.bucket = " bucket " AND g.run = " run       \
    " AND o.run = " last " AND CASE WHEN json_valid(g.options) AND"            \
    " json_extract(g.options, '$.verb') = 'fuzz' THEN g.tool = o.tool"         \
    " WHEN EXISTS (SELECT 1 FROM verdicts AS v WHERE v.run = g.run"            \
    " AND v.number = b.number AND v.path = b.path) THEN 1"                     \
    " ELSE " there " END) END"

/*
 * At the end of run ?1: what the last run with the same options had and this
 * one has not is gone, unless this one could not have shown it.
 */
#define REPORT_GONE(table)                                                     \
    "UPDATE " table " AS t SET gone_run = ?1 WHERE gone_run IS NULL"           \
    " AND last_run IN (SELECT o.run FROM runs AS o JOIN runs AS r"             \
    " ON o.options = r.options WHERE r.run = ?1 AND o.run < ?1"                \
    " AND r.digest IS NOT NULL) AND NOT" REPORT_COULD_NOT(                     \
        "?1", "t.bucket", "t.last_run",                                        \
        "b.path IN (SELECT path FROM verdicts WHERE run = ?1)")

/*
 * Run ?1, or with 0 the last: what `triage rerun` and `triage speed` record is
 * none that anybody means.
 */
#define REPORT_MEANT                                                           \
    " WHERE iif(?1 = 0, coalesce(iif(json_valid(options),"                     \
    " json_extract(options, '$.verb'), ''), '') NOT IN ('bench', 'rerun'),"    \
    " run = ?1) ORDER BY run DESC LIMIT 1"

/* 0 error, 1 warning, 2 anything else. */
#define REPORT_RANK(severity)                                                  \
    "CASE " severity " WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END"

/*
 * The worst first, in every list of buckets (docs/reports.md). All are SQL:
 * `behind` is 0, of what is known 1, of what is fixed 2; `fresh` whether it is
 * new or has come back; `n` how many findings.
 */
#define REPORT_WORST_FIRST(behind, rank, fresh, n)                             \
    " ORDER BY " behind ", " rank ", NOT (" fresh "), " n                      \
    " DESC, rule, signature, part, bucket"

/* Of a bucket `b` in run ?1. */
#define REPORT_FRESH "(b.first_run = ?1 OR coalesce(b.back_run = ?1, 0))"

struct report_store {
    sqlite3 *db;
    sqlite3_stmt *statements[STATEMENTS];
    report_mode mode;
    bool in_transaction;
    int64_t run; /* that is recorded, by this number and this uuid; 0: none */
    char uuid[128];
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
 * run_buckets, run after run. O(summary rows).
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
