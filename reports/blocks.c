/* What a run has so far, for who goes on with it. */
#include "internal.h"

static report_status prepare(sqlite3_stmt **statement, report_store *store,
                             const char *sql, report_error *error)
{
    if (sqlite3_prepare_v2(store->db, sql, -1, statement, NULL) != SQLITE_OK)
        return report_fail_sql(error, store, "the database cannot be read");
    return REPORT_OK;
}

static const char *column(sqlite3_stmt *row, int index)
{
    const unsigned char *text = sqlite3_column_text(row, index);
    return text == NULL ? "" : (const char *)text;
}

report_status report_find_unfinished(int64_t *run, report_store *store,
                                     const char *tool, const char *options,
                                     report_error *error)
{
    sqlite3_stmt *row = NULL;
    report_status status =
        prepare(&row, store,
                "SELECT coalesce(max(run), 0) FROM runs"
                " WHERE digest IS NULL AND tool = ? AND options = ?",
                error);
    if (status != REPORT_OK)
        return status;
    sqlite3_bind_text(row, 1, tool, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 2, options, -1, SQLITE_STATIC);
    if (sqlite3_step(row) == SQLITE_ROW)
        *run = sqlite3_column_int64(row, 0);
    else
        status = report_fail_sql(error, store, "the database cannot be read");
    sqlite3_finalize(row);
    return status;
}

/* Calls `see` for each row of a run, until it gives false. */
static report_status each(report_store *store, int64_t run, const char *sql,
                          bool (*see)(void *context, sqlite3_stmt *row),
                          void *context, report_error *error)
{
    sqlite3_stmt *row = NULL;
    int code = SQLITE_DONE;
    bool goes_on = true;
    report_status status = prepare(&row, store, sql, error);
    if (status != REPORT_OK)
        return status;
    sqlite3_bind_int64(row, 1, run);
    while (goes_on && (code = sqlite3_step(row)) == SQLITE_ROW)
        goes_on = see(context, row);
    if (goes_on && code != SQLITE_DONE)
        status = report_fail_sql(error, store, "the database cannot be read");
    sqlite3_finalize(row);
    return status;
}

typedef struct block_call {
    report_see_block *see;
    void *context;
} block_call;

static bool see_block(void *context, sqlite3_stmt *row)
{
    block_call *call = context;
    report_block block = {
        .block = sqlite3_column_int64(row, 0),
        .first = sqlite3_column_int64(row, 1),
        .cases = sqlite3_column_int64(row, 2),
        .digest = column(row, 3),
        .counts = column(row, 4),
    };
    return call->see(call->context, &block);
}

report_status report_each_block(report_store *store, int64_t run,
                                report_see_block *see, void *context,
                                report_error *error)
{
    block_call call = {see, context};
    return each(store, run,
                "SELECT block, first, cases, digest, counts FROM blocks"
                " WHERE run = ? ORDER BY block",
                see_block, &call, error);
}

typedef struct bucket_call {
    report_see_bucket *see;
    void *context;
} bucket_call;

static bool see_bucket(void *context, sqlite3_stmt *row)
{
    bucket_call *call = context;
    report_bucket bucket = {
        .signature = column(row, 0),
        .rule = column(row, 1),
        .cause = column(row, 2),
        .path = column(row, 3),
        .message = column(row, 4),
        .number = sqlite3_column_int64(row, 5),
        .n = sqlite3_column_int64(row, 6),
    };
    return call->see(call->context, &bucket);
}

report_status report_each_bucket(report_store *store, int64_t run,
                                 report_see_bucket *see, void *context,
                                 report_error *error)
{
    bucket_call call = {see, context};
    return each(store, run,
                "SELECT signature, rule, cause, path, message, number, r.n"
                " FROM run_buckets AS r JOIN buckets USING(bucket)"
                " WHERE run = ? ORDER BY number, signature, rule",
                see_bucket, &call, error);
}
