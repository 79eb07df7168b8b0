/* What is old goes; summary rows, the smallest cases of buckets and what the
 * history of buckets is counted from stay. */
#include "internal.h"
#include "reports/upkeep.h"

static const char cannot[] = "the database cannot be pruned";

/* `old` has the runs whose rows go, `kept` the cases that stay of them. */
static const char choose[] =
    "CREATE TEMP TABLE old AS SELECT run FROM (SELECT run, pruned,"
    " row_number() OVER (PARTITION BY json_extract(options, '$.verb')"
    " ORDER BY run DESC) AS back FROM runs) WHERE back > ?1 AND NOT pruned;";
#define UNJUDGED                                                               \
    "(SELECT path FROM verdicts AS v INDEXED BY unjudged "                     \
    "WHERE " REPORT_UNJUDGED ")"
static const char prune[] =
    "CREATE TEMP TABLE kept AS SELECT DISTINCT smallest_run AS run,"
    " smallest_number AS number FROM buckets;"
    "CREATE UNIQUE INDEX temp.kept_case ON kept(run, number);"
    /* What REPORT_COULD_NOT asks for, without texts: which inputs were not
       judged, what was found in such, and that those of first cases were. */
    "CREATE TEMP TABLE looked AS SELECT run, number, path IN " UNJUDGED
    " AS found FROM verdicts WHERE run IN (SELECT run FROM old)"
    " AND (path IN " UNJUDGED " OR path IN (SELECT path FROM run_buckets"
    " JOIN runs USING(run)"
    " WHERE json_extract(options, '$.verb') IS NOT 'fuzz'));"
    "CREATE UNIQUE INDEX temp.looked_case ON looked(run, number);"
    "DELETE FROM findings WHERE run IN (SELECT run FROM old)"
    " AND (run, number) NOT IN (SELECT run, number FROM kept"
    " UNION ALL SELECT run, number FROM looked WHERE found);"
    "DELETE FROM verdicts WHERE run IN (SELECT run FROM old)"
    " AND (run, number) NOT IN (SELECT run, number FROM kept"
    " UNION ALL SELECT run, number FROM looked);"
    "UPDATE verdicts SET input = NULL WHERE run IN (SELECT run FROM old)"
    " AND (run, number) NOT IN (SELECT run, number FROM kept);"
    "DELETE FROM blocks WHERE run IN (SELECT run FROM old);"
    "UPDATE runs SET pruned = 1 WHERE run IN (SELECT run FROM old);"
    "DELETE FROM inputs WHERE input NOT IN"
    " (SELECT input FROM verdicts WHERE input IS NOT NULL);";
static const char drop[] =
    "DROP TABLE IF EXISTS temp.old; DROP TABLE IF EXISTS temp.kept;"
    "DROP TABLE IF EXISTS temp.looked;";

static report_status choose_runs(report_store *store, int64_t keep,
                                 report_error *error)
{
    sqlite3_stmt *statement = NULL;
    report_status status = REPORT_OK;
    if (sqlite3_prepare_v2(store->db, choose, -1, &statement, NULL) !=
            SQLITE_OK ||
        sqlite3_bind_int64(statement, 1, keep) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_DONE)
        status = report_fail_sql(error, store, cannot);
    sqlite3_finalize(statement);
    return status;
}

/* How many there are; added to `counts`, or taken from them. */
static report_status count_rows(report_pruned *pruned, report_store *store,
                                int sign, report_error *error)
{
    sqlite3_stmt *row = NULL;
    report_status status = REPORT_OK;
    if (sqlite3_prepare_v2(store->db,
                           "SELECT (SELECT count(*) FROM temp.old),"
                           " (SELECT count(*) FROM findings),"
                           " (SELECT count(*) FROM inputs)",
                           -1, &row, NULL) != SQLITE_OK ||
        sqlite3_step(row) != SQLITE_ROW) {
        status = report_fail_sql(error, store, cannot);
    } else {
        pruned->runs = sqlite3_column_int64(row, 0);
        pruned->findings += sign * sqlite3_column_int64(row, 1);
        pruned->inputs += sign * sqlite3_column_int64(row, 2);
    }
    sqlite3_finalize(row);
    return status;
}

report_status report_gc(report_pruned *pruned, report_store *store,
                        int64_t keep, report_error *error)
{
    *pruned = (report_pruned){0};
    report_status status =
        report_run_sql(store, "BEGIN IMMEDIATE", cannot, error);
    if (status == REPORT_OK)
        status = choose_runs(store, keep, error);
    if (status == REPORT_OK)
        status = count_rows(pruned, store, 1, error);
    if (status == REPORT_OK)
        status = report_run_sql(store, prune, cannot, error);
    if (status == REPORT_OK)
        status = count_rows(pruned, store, -1, error);
    if (status == REPORT_OK)
        status = report_run_sql(store, "COMMIT", cannot, error);
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_exec(store->db, drop, NULL, NULL, NULL);
    if (status == REPORT_OK)
        status = report_run_sql(store, "VACUUM",
                                "the rows are gone, but the file cannot be "
                                "made smaller",
                                error);
    return status;
}
