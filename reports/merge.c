/* Runs of another database join those that are here. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "reports/upkeep.h"

/* To the new number by way of the negative one, which no run has. */
#define MOVED(run) "(SELECT new FROM moved WHERE old = " run ")"
#define MOVE(table)                                                            \
    "UPDATE main." table                                                       \
    " SET run = -" MOVED("run") " WHERE run IN (SELECT"                        \
                                " old FROM moved);UPDATE main." table          \
                                " SET run = -run WHERE run < 0"

/* Of two cases the smaller, then the earlier one; but for those that come the
   target has chosen before. */
#define SMALLEST(column)                                                       \
    ", " column " = iif(excluded.smallest_run IN (SELECT new FROM run_map)"    \
    " AND (excluded.smallest_bytes, excluded.smallest_run,"                    \
    " excluded.smallest_number) < (smallest_bytes, smallest_run,"              \
    " smallest_number), excluded." column ", " column ")"

/*
 * The other database is attached as `source`. `moved` has the runs that are
 * here and get another number, `run_map` those that come, `run_all` these and
 * the others that both have, by their old and new number; `bucket_map` the
 * buckets.
 */
static const char *const steps[] = {
    /* A run that ended there and was interrupted here is taken anew. */
    "CREATE TEMP TABLE anew AS SELECT m.run, uuid FROM main.runs AS m"
    " JOIN source.runs AS s USING(uuid)"
    " WHERE m.digest IS NULL AND s.digest IS NOT NULL;"
    "DELETE FROM main.verdicts WHERE run IN (SELECT run FROM anew);"
    "DELETE FROM main.findings WHERE run IN (SELECT run FROM anew);"
    "DELETE FROM main.blocks WHERE run IN (SELECT run FROM anew);"
    "DELETE FROM main.counts WHERE run IN (SELECT run FROM anew);"
    "DELETE FROM main.run_buckets WHERE run IN (SELECT run FROM anew);"
    "DELETE FROM main.reruns WHERE run IN (SELECT run FROM anew);"
    "DELETE FROM main.speeds WHERE run IN (SELECT run FROM anew);"
    "DELETE FROM main.times WHERE run IN (SELECT run FROM anew);"
    "DELETE FROM main.runs WHERE run IN (SELECT run FROM anew);",

    /* All runs by their start: so are their numbers, whoever is the target. */
    "CREATE TEMP TABLE by_start AS SELECT here, there,"
    " row_number() OVER (ORDER BY started, number, uuid) AS new FROM ("
    "SELECT uuid, run AS here, NULL AS there, run AS number, started"
    " FROM main.runs LEFT JOIN main.times USING(run)"
    " UNION ALL SELECT uuid, a.run, s.run, s.run, started FROM source.runs"
    " AS s LEFT JOIN source.times AS t USING(run) LEFT JOIN anew AS a"
    " USING(uuid) WHERE uuid NOT IN (SELECT uuid FROM main.runs));"
    "CREATE TEMP TABLE moved AS SELECT here AS old, new FROM by_start"
    " WHERE here <> new;"
    "CREATE UNIQUE INDEX temp.moved_old ON moved(old);",
    MOVE("runs"),
    MOVE("times"),
    MOVE("verdicts"),
    MOVE("findings"),
    MOVE("blocks"),
    MOVE("counts"),
    MOVE("run_buckets"),
    MOVE("reruns"),
    MOVE("speeds"),
    "UPDATE main.buckets SET smallest_run = " MOVED(
        "smallest_run") " WHERE smallest_run IN (SELECT old FROM moved);",

    "CREATE TEMP TABLE run_map AS SELECT there AS old, new FROM by_start"
    " WHERE there IS NOT NULL;"
    "CREATE UNIQUE INDEX temp.run_map_old ON run_map(old);"
    "INSERT INTO main.runs SELECT new, uuid, tool, options, revision, digest,"
    " pruned FROM source.runs JOIN run_map ON run = old ORDER BY new;"
    "INSERT INTO main.times SELECT new, started, finished, milliseconds"
    " FROM source.times JOIN run_map ON run = old;"
    "CREATE TEMP TABLE run_all AS SELECT s.run AS old, m.run AS new"
    " FROM source.runs AS s JOIN main.runs AS m USING(uuid);"
    "CREATE UNIQUE INDEX temp.run_all_old ON run_all(old);",

    "INSERT INTO main.inputs(sha256, kind, bytes, text)"
    " SELECT sha256, kind, bytes, text FROM source.inputs"
    " WHERE input IN (SELECT input FROM source.verdicts JOIN run_map"
    " ON run = old) ORDER BY input ON CONFLICT DO NOTHING;"
    "INSERT INTO main.verdicts SELECT new, v.number, v.path, v.name, v.kind,"
    " m.input, v.verdict, v.reason, v.details, v.partial, v.findings"
    " FROM source.verdicts AS v JOIN run_map ON v.run = old"
    " LEFT JOIN source.inputs AS s ON s.input = v.input"
    " LEFT JOIN main.inputs AS m ON m.sha256 = s.sha256;"
    "INSERT INTO main.blocks SELECT new, block, first, cases, digest, counts"
    " FROM source.blocks JOIN run_map ON run = old;"
    "INSERT INTO main.counts SELECT new, what, key, n"
    " FROM source.counts JOIN run_map ON run = old;",

    /* Counted again at the end: first_run to back_run. */
    "INSERT INTO main.buckets SELECT NULL, signature, version, rule, part, 0,"
    " severity, cause, title, 0, 0, 0, 0, NULL, NULL, new, smallest_number,"
    " smallest_bytes, note FROM source.buckets"
    " JOIN run_all ON smallest_run = old WHERE bucket IN (SELECT bucket"
    " FROM source.run_buckets JOIN run_map ON run = old) ORDER BY bucket"
    " ON CONFLICT DO UPDATE SET"
    " severity = iif(excluded.severity = 'error' OR severity = 'note',"
    " excluded.severity, severity), note = coalesce(note, "
    "excluded.note)" SMALLEST("smallest_run") SMALLEST("smallest_number")
        SMALLEST("smallest_bytes"),

    "CREATE TEMP TABLE bucket_map AS SELECT s.bucket AS old, s.head AS head,"
    " m.bucket AS new FROM source.buckets AS s JOIN main.buckets AS m"
    " USING(signature, version, rule, part);"
    "CREATE UNIQUE INDEX temp.bucket_map_old ON bucket_map(old);"
    "CREATE INDEX temp.bucket_map_new ON bucket_map(new);"
    /* What is joined there is joined here, unless it is part of another join
       here. */
    "UPDATE main.buckets SET head = bucket WHERE head = 0;"
    "UPDATE main.buckets AS t SET head = (SELECT m.head FROM bucket_map AS b"
    " JOIN bucket_map AS h ON h.old = b.head JOIN main.buckets AS m"
    " ON m.bucket = h.new WHERE b.new = t.bucket) WHERE bucket IN"
    " (SELECT new FROM bucket_map WHERE head <> old) AND head = bucket AND"
    " NOT EXISTS (SELECT 1 FROM main.buckets AS o WHERE o.head = t.bucket"
    " AND o.bucket <> t.bucket);",

    "INSERT INTO main.run_buckets SELECT r.new, b.new, n, number, path, line,"
    " message FROM source.run_buckets JOIN run_map AS r ON run = r.old"
    " JOIN bucket_map AS b ON bucket = b.old;"
    "INSERT INTO main.findings SELECT r.new, number, n, b.new, rule, severity,"
    " cause, signature, message, line, json FROM source.findings"
    " JOIN run_map AS r ON run = r.old JOIN bucket_map AS b"
    " ON bucket = b.old;"
    "INSERT OR IGNORE INTO main.labels SELECT new, label FROM source.labels"
    " JOIN bucket_map ON bucket = old;"
    "INSERT OR IGNORE INTO main.splits SELECT * FROM source.splits;"
    "INSERT OR IGNORE INTO main.reruns SELECT r.new, b.new, times, shown"
    " FROM source.reruns JOIN run_all AS r ON run = r.old"
    " JOIN bucket_map AS b ON bucket = b.old;"
    "INSERT OR IGNORE INTO main.speeds SELECT new, name, ratio"
    " FROM source.speeds JOIN run_all ON run = old;",
};

/* The title of a bucket is the message of its first finding. */
static const char name_buckets[] =
    "UPDATE main.buckets AS b SET title = coalesce((SELECT message"
    " FROM main.run_buckets AS r WHERE r.run = b.first_run"
    " AND r.bucket = b.bucket), title)";

static const char drop_maps[] =
    "DROP TABLE IF EXISTS temp.by_start; DROP TABLE IF EXISTS temp.moved;"
    "DROP TABLE IF EXISTS temp.anew; DROP TABLE IF EXISTS temp.run_map;"
    "DROP TABLE IF EXISTS temp.run_all; DROP TABLE IF EXISTS temp.bucket_map;";
static const char cannot[] = "the databases cannot be merged";

static report_status count(int64_t *value, report_store *store, const char *sql,
                           report_error *error)
{
    sqlite3_stmt *statement = NULL;
    report_status status = REPORT_OK;
    if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        *value = sqlite3_column_int64(statement, 0);
    else
        status = report_fail_sql(error, store, cannot);
    sqlite3_finalize(statement);
    return status;
}

static report_status take(report_merged *merged, report_store *store,
                          report_error *error)
{
    report_status status =
        report_run_sql(store, "BEGIN IMMEDIATE", cannot, error);
    for (size_t i = 0; status == REPORT_OK && i < sizeof steps / sizeof *steps;
         i++)
        status = report_run_sql(store, steps[i], cannot, error);
    if (status == REPORT_OK)
        status = count(&merged->runs, store,
                       "SELECT count(*) FROM temp.run_map", error);
    if (status == REPORT_OK)
        status = count(&merged->findings, store,
                       "SELECT coalesce(sum(n), 0) FROM main.counts"
                       " JOIN temp.run_map ON run = new"
                       " WHERE what = 'severity'",
                       error);
    if (status == REPORT_OK)
        status = count(&merged->moved, store, "SELECT count(*) FROM temp.moved",
                       error);
    if (status == REPORT_OK)
        status = report_count_history(store, false, error);
    if (status == REPORT_OK)
        status = report_run_sql(store, name_buckets, cannot, error);
    if (status == REPORT_OK)
        status = report_run_sql(store, "COMMIT", cannot, error);
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_exec(store->db, drop_maps, NULL, NULL, NULL);
    return status;
}

/* Statements may not be open on a database that is detached. */
static report_status attach(report_store *store, const char *path,
                            report_error *error)
{
    sqlite3_stmt *statement = NULL;
    report_status status = REPORT_OK;
    if (sqlite3_prepare_v2(store->db, "ATTACH ? AS source", -1, &statement,
                           NULL) != SQLITE_OK ||
        sqlite3_bind_text(statement, 1, path, -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_DONE)
        status = report_fail_sql(error, store, "the database cannot be opened");
    sqlite3_finalize(statement);
    return status;
}

/* A copy of an older database, brought up to date. */
static report_status copy_older(report_store *from, const char *path,
                                report_error *error)
{
    report_store *copy = NULL;
    report_status status = report_open(&copy, path, REPORT_WRITE, error);
    if (status != REPORT_OK)
        return status;
    sqlite3_backup *backup =
        sqlite3_backup_init(copy->db, "main", from->db, "main");
    if (backup == NULL || sqlite3_backup_step(backup, -1) != SQLITE_DONE)
        status = report_fail_sql(error, copy, cannot);
    sqlite3_backup_finish(backup);
    report_error closing;
    report_status closed = report_close(copy, &closing);
    if (status == REPORT_OK && closed != REPORT_OK) {
        *error = closing;
        status = closed;
    }
    return status;
}

static bool is_same_file(const report_store *store, const char *path)
{
    struct stat a, b;
    return stat(sqlite3_db_filename(store->db, "main"), &a) == 0 &&
           stat(path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

report_status report_merge(report_merged *merged, report_store *store,
                           const char *path, report_error *error)
{
    report_store *source = NULL;
    char copy[4096];
    *merged = (report_merged){0};
    if (is_same_file(store, path))
        return report_fail(error, REPORT_FAILED,
                           "a database cannot be merged into itself");
    report_status status = report_open(&source, path, REPORT_READ, error);
    if (status != REPORT_OK)
        return status;
    merged->opened = true;
    bool older = source->copied;
    int length = snprintf(copy, sizeof copy, "%s.older",
                          sqlite3_db_filename(store->db, "main"));
    if (older && length >= (int)sizeof copy)
        status = report_fail(error, REPORT_OPEN, "the path is too long");
    if (older && status == REPORT_OK)
        status = copy_older(source, copy, error);
    report_error ignored;
    report_close(source, &ignored);
    if (status == REPORT_OK)
        status = attach(store, older ? copy : path, error);
    if (status == REPORT_OK) {
        status = take(merged, store, error);
        sqlite3_exec(store->db, "DETACH source", NULL, NULL, NULL);
    }
    if (older)
        unlink(copy);
    return status;
}
