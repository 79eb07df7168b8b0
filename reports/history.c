/* The history of buckets, counted again from the summary rows of runs. */
#include "internal.h"

static const char all_runs[] =
    "SELECT run, digest IS NOT NULL FROM runs ORDER BY run";

/* What a run adds, first what it shows, then what it shows to be gone. */
#define SHOWS(table)                                                           \
    "UPDATE " table " AS t SET n = t.n + r.n, runs = runs + 1,"                \
    " first_run = iif(first_run = 0, ?1, first_run), last_run = ?1,"           \
    " back_run = iif(gone_run IS NULL, back_run, ?1), gone_run = NULL"         \
    " FROM run_buckets AS r WHERE r.run = ?1 AND r.bucket = t.bucket"
/* Asked again: shown at no time it is gone, shown at some it is there. */
#define RERUN(table)                                                           \
    "UPDATE " table " AS t SET"                                                \
    " back_run = iif(shown > 0 AND gone_run IS NOT NULL, ?1, back_run),"       \
    " gone_run = iif(shown = 0, coalesce(gone_run, ?1), NULL)"                 \
    " FROM reruns AS q WHERE q.run = ?1 AND q.bucket = t.bucket"
enum { STEPS = 3, GONE_STEP = 1 };

static report_status prepare(sqlite3_stmt **statement, report_store *store,
                             const char *sql, report_error *error)
{
    if (sqlite3_prepare_v2(store->db, sql, -1, statement, NULL) == SQLITE_OK)
        return REPORT_OK;
    return report_fail_sql(error, store, "the database cannot be read");
}

static report_status run_step(report_store *store, sqlite3_stmt *statement,
                              int64_t run, report_error *error)
{
    sqlite3_bind_int64(statement, 1, run);
    bool ok = sqlite3_step(statement) == SQLITE_DONE;
    report_status status =
        ok ? REPORT_OK
           : report_fail_sql(error, store, "buckets cannot be counted");
    sqlite3_reset(statement);
    return status;
}

static report_status go_through(report_store *store, sqlite3_stmt *runs,
                                sqlite3_stmt *const steps[STEPS],
                                report_error *error)
{
    report_status status = REPORT_OK;
    int code = SQLITE_DONE;
    while (status == REPORT_OK && (code = sqlite3_step(runs)) == SQLITE_ROW) {
        int64_t run = sqlite3_column_int64(runs, 0);
        bool ended = sqlite3_column_int(runs, 1) != 0;
        for (int i = 0; status == REPORT_OK && i < STEPS; i++)
            if (ended || i != GONE_STEP)
                status = run_step(store, steps[i], run, error);
    }
    if (status == REPORT_OK && code != SQLITE_DONE)
        status = report_fail_sql(error, store, "the database cannot be read");
    return status;
}

report_status report_count_history(report_store *store, bool again,
                                   report_error *error)
{
    static const char *const texts[2][STEPS] = {
        {SHOWS("main.buckets"), REPORT_GONE("main.buckets"),
         RERUN("main.buckets")},
        {SHOWS("temp.again"), REPORT_GONE("temp.again"), RERUN("temp.again")},
    };
    sqlite3_stmt *runs = NULL, *steps[STEPS] = {NULL};
    report_status status =
        report_run_sql(store,
                       again ? "UPDATE temp.again SET" REPORT_NO_HISTORY
                             : "UPDATE main.buckets SET" REPORT_NO_HISTORY,
                       "buckets cannot be counted", error);
    if (status == REPORT_OK)
        status = prepare(&runs, store, all_runs, error);
    for (int i = 0; status == REPORT_OK && i < STEPS; i++)
        status = prepare(&steps[i], store, texts[again][i], error);
    if (status == REPORT_OK)
        status = go_through(store, runs, steps, error);
    sqlite3_finalize(runs);
    for (int i = 0; i < STEPS; i++)
        sqlite3_finalize(steps[i]);
    return status;
}
