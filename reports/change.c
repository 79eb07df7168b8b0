/* What people say of buckets: notes, labels, joins, splits, reruns. */
#include <stdio.h>
#include <string.h>

#include "internal.h"
#include "reports/speed.h"
#include "reports/triage.h"

static const char cannot[] = "the database cannot be written";

/* --- Statements --- */

/* Binds up to three values, a text behind numbers, and runs the statement;
 * *changed gets how many rows it changed, where it is not NULL. */
static report_status run(int64_t *changed, report_store *store, const char *sql,
                         int64_t first, int64_t second, const char *text,
                         report_error *error)
{
    sqlite3_stmt *statement = NULL;
    report_status status = REPORT_OK;
    bool ok =
        sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK;
    if (ok) {
        sqlite3_bind_int64(statement, 1, first);
        sqlite3_bind_int64(statement, 2, second);
        sqlite3_bind_text(statement, 3, text, -1, SQLITE_STATIC);
        ok = sqlite3_step(statement) == SQLITE_DONE;
    }
    if (!ok)
        status = report_fail_sql(error, store, cannot);
    else if (changed != NULL)
        *changed = sqlite3_changes64(store->db);
    sqlite3_finalize(statement);
    return status;
}

/* One number; 0 where there is no row, or NULL. */
static report_status ask(int64_t *value, report_store *store, const char *sql,
                         int64_t first, const char *text, report_error *error)
{
    sqlite3_stmt *row = NULL;
    report_status status = REPORT_OK;
    int code = sqlite3_prepare_v2(store->db, sql, -1, &row, NULL);
    if (code == SQLITE_OK) {
        sqlite3_bind_int64(row, 1, first);
        sqlite3_bind_text(row, 3, text, -1, SQLITE_STATIC);
        code = sqlite3_step(row);
    }
    *value = code == SQLITE_ROW ? sqlite3_column_int64(row, 0) : 0;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = report_fail_sql(error, store, cannot);
    sqlite3_finalize(row);
    return status;
}

static report_status begin(report_store *store, report_error *error)
{
    return report_run_sql(store, "BEGIN IMMEDIATE", cannot, error);
}

/* Makes all of it last, or nothing. */
static report_status end(report_store *store, report_status status,
                         report_error *error)
{
    if (status == REPORT_OK)
        status = report_run_sql(store, "COMMIT", cannot, error);
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_exec(store->db, "DROP TABLE IF EXISTS temp.moved", NULL, NULL,
                 NULL);
    return status;
}

/* --- Notes, labels, joins --- */

static report_status say(report_store *store, int64_t bucket,
                         const report_saying *what, report_error *error)
{
    const char *note =
        what->note == NULL || *what->note == '\0' ? NULL : what->note;
    report_status status = REPORT_OK;
    if (what->note != NULL)
        status =
            run(NULL, store, "UPDATE buckets SET note = ?3 WHERE bucket = ?1",
                bucket, 0, note, error);
    if (status == REPORT_OK && what->label != NULL)
        status = run(NULL, store, "INSERT OR IGNORE INTO labels VALUES(?1, ?3)",
                     bucket, 0, what->label, error);
    if (status == REPORT_OK && what->unlabel != NULL)
        status = run(NULL, store,
                     "DELETE FROM labels WHERE bucket = ?1 AND label = ?3",
                     bucket, 0, what->unlabel, error);
    return status;
}

report_status report_say(report_store *store, int64_t bucket,
                         const report_saying *what, report_error *error)
{
    report_status status = begin(store, error);
    if (status == REPORT_OK)
        status = say(store, bucket, what, error);
    return end(store, status, error);
}

static report_status join(report_store *store, int64_t bucket, int64_t to,
                          report_error *error)
{
    int64_t others = 0;
    report_status status = ask(&others, store,
                               "SELECT count(*) FROM buckets WHERE head = ?1"
                               " AND bucket <> ?1",
                               bucket, NULL, error);
    if (status == REPORT_OK && others > 0)
        return report_fail(error, REPORT_MISSING,
                           "other buckets are joined to bucket %lld: join "
                           "bucket %lld to it instead, or take them away "
                           "first",
                           (long long)bucket, (long long)to);
    if (status != REPORT_OK)
        return status;
    return run(NULL, store,
               "UPDATE buckets SET head = iif(?2 = ?1, ?1, (SELECT head FROM"
               " buckets WHERE bucket = ?2)) WHERE bucket = ?1",
               bucket, to, NULL, error);
}

report_status report_join(report_store *store, int64_t bucket, int64_t to,
                          report_error *error)
{
    report_status status = begin(store, error);
    if (status == REPORT_OK)
        status = join(store, bucket, to, error);
    return end(store, status, error);
}

/* --- Splits --- */

/* Buckets of the same cause as ?1, and the part that a path belongs to, as
 * the insertion of a finding chooses it. */
#define CAUSE                                                                  \
    "(SELECT bucket FROM buckets WHERE (signature, version, rule) ="           \
    " (SELECT signature, version, rule FROM buckets WHERE bucket = ?1))"
/* Of a finding of verdict `v`. */
#define PART                                                                   \
    "coalesce((SELECT s.part FROM splits AS s JOIN buckets AS b"               \
    " USING(signature, version, rule) WHERE b.bucket = ?1"                     \
    " AND v.path GLOB s.part ORDER BY length(s.part) DESC, s.part LIMIT 1),"   \
    " '')"
/* What has another part now than its bucket has; of pruned runs too, ?2. */
#define MOVED                                                                  \
    "CREATE TEMP TABLE moved AS SELECT * FROM (SELECT f.run, f.number, f.n,"   \
    " f.bucket AS old, b.part AS was, " PART " AS part FROM findings AS f"     \
    " JOIN buckets AS b USING(bucket) JOIN verdicts AS v USING(run, number)"   \
    " JOIN runs AS g USING(run)"                                               \
    " WHERE f.bucket IN " CAUSE " AND (?2 OR NOT g.pruned))"                   \
    " WHERE part <> was"

/* The bucket that a moved finding belongs to. */
#define TO                                                                     \
    "(SELECT t.bucket FROM buckets AS t JOIN buckets AS o"                     \
    " USING(signature, version, rule) WHERE o.bucket = m.old"                  \
    " AND t.part = m.part)"

#define RANK REPORT_RANK("severity")
/* Buckets that are not there yet; history and smallest case come later. */
static const char make_buckets[] =
    "INSERT INTO buckets SELECT NULL, b.signature, b.version, b.rule, m.part,"
    " 0, (SELECT severity FROM temp.moved AS q"
    " JOIN findings USING(run, number, n)"
    " WHERE q.part = m.part ORDER BY " RANK " LIMIT 1),"
    " f.cause, f.message, 0, 0, 0, 0, NULL, NULL, run, number, 0, NULL"
    " FROM (SELECT *, row_number() OVER (PARTITION BY part"
    " ORDER BY run, number, n) AS place FROM temp.moved) AS m"
    " JOIN findings AS f USING(run, number, n)"
    " JOIN buckets AS b ON b.bucket = m.old"
    " WHERE m.place = 1 ON CONFLICT DO NOTHING";
static const char head_buckets[] =
    "UPDATE buckets SET head = bucket WHERE head = 0";
static const char move_findings[] =
    "UPDATE findings AS f SET bucket = " TO
    " FROM temp.moved AS m WHERE f.run = m.run AND f.number = m.number"
    " AND f.n = m.n";

/* The rows of runs and buckets that were touched are counted again. */
#define TOUCHED                                                                \
    "(SELECT m.run, m.old FROM temp.moved AS m JOIN runs AS g USING(run)"      \
    " WHERE NOT g.pruned UNION SELECT m.run, " TO                              \
    " FROM temp.moved AS m JOIN runs AS g USING(run) WHERE NOT g.pruned)"
static const char drop_touched[] =
    "DELETE FROM run_buckets WHERE (run, bucket) IN " TOUCHED;
static const char count_touched[] =
    "INSERT INTO run_buckets SELECT run, bucket, many, number, path, line,"
    " message FROM (SELECT f.run, f.bucket, f.number, v.path, f.line,"
    " f.message, count(*) OVER (PARTITION BY f.run, f.bucket) AS many,"
    " row_number() OVER (PARTITION BY f.run, f.bucket ORDER BY f.number, f.n)"
    " AS place FROM findings AS f JOIN verdicts AS v USING(run, number)"
    " WHERE (f.run, f.bucket) IN " TOUCHED ") WHERE place = 1";
static const char count_smallest[] =
    "UPDATE buckets AS b SET (smallest_run, smallest_number, smallest_bytes) ="
    " (SELECT f.run, f.number, coalesce(i.bytes, 0x7fffffffffffffff)"
    " FROM findings AS f JOIN verdicts AS v USING(run, number) LEFT JOIN"
    " inputs AS i USING(input) WHERE f.bucket = b.bucket"
    " ORDER BY 3, f.run, f.number LIMIT 1) WHERE bucket IN " CAUSE
    " AND EXISTS (SELECT 1 FROM findings AS f WHERE f.bucket = b.bucket)";

static report_status move(report_store *store, int64_t bucket,
                          report_error *error)
{
    static const char *const steps[] = {
        make_buckets, head_buckets,  move_findings,
        drop_touched, count_touched, count_smallest,
    };
    report_status status = REPORT_OK;
    for (size_t i = 0; status == REPORT_OK && i < sizeof steps / sizeof *steps;
         i++)
        status = run(NULL, store, steps[i], bucket, 0, NULL, error);
    return status;
}

/* A bucket without a run would have no history. */
static report_status refuse_empty(report_store *store, int64_t bucket,
                                  const char *pattern, report_error *error)
{
    int64_t empty = 0;
    report_status status =
        ask(&empty, store,
            "SELECT min(bucket) FROM buckets WHERE bucket IN " CAUSE
            " AND NOT EXISTS (SELECT 1 FROM findings AS f"
            " WHERE f.bucket = buckets.bucket)",
            bucket, NULL, error);
    if (status == REPORT_OK && empty > 0)
        return report_fail(error, REPORT_MISSING,
                           "all findings of bucket %lld are in inputs like "
                           "'%s': nothing is left to be split from",
                           (long long)empty, pattern);
    return status;
}

static report_status add_split(report_store *store, int64_t bucket,
                               const char *pattern, report_error *error)
{
    int64_t added = 0;
    report_status status =
        run(&added, store,
            "INSERT OR IGNORE INTO splits SELECT signature, version, rule, ?3"
            " FROM buckets WHERE bucket = ?1",
            bucket, 0, pattern, error);
    if (status == REPORT_OK && added == 0)
        return report_fail(error, REPORT_MISSING,
                           "inputs like '%s' are split out already", pattern);
    return status;
}

static report_status split(int64_t *part, int64_t *moved, report_store *store,
                           int64_t bucket, const char *pattern,
                           report_error *error)
{
    report_status status = add_split(store, bucket, pattern, error);
    if (status == REPORT_OK)
        status = run(NULL, store, MOVED, bucket, 0, NULL, error);
    if (status == REPORT_OK)
        status = ask(moved, store, "SELECT count(*) FROM temp.moved", 0, NULL,
                     error);
    if (status == REPORT_OK && *moved == 0)
        return report_fail(error, REPORT_MISSING,
                           "no finding of bucket %lld is in an input like "
                           "'%s'",
                           (long long)bucket, pattern);
    if (status == REPORT_OK)
        status = move(store, bucket, error);
    if (status == REPORT_OK)
        status = refuse_empty(store, bucket, pattern, error);
    if (status == REPORT_OK)
        status = report_count_history(store, false, error);
    if (status == REPORT_OK)
        status = ask(part, store,
                     "SELECT bucket FROM buckets WHERE part = ?3 AND bucket"
                     " IN " CAUSE,
                     bucket, pattern, error);
    return status;
}

report_status report_split(int64_t *part, int64_t *moved, report_store *store,
                           int64_t bucket, const char *pattern,
                           report_error *error)
{
    if (strlen(pattern) >= REPORT_PART)
        return report_fail(error, REPORT_MISSING,
                           "a pattern has at most %d bytes", REPORT_PART - 1);
    report_status status = begin(store, error);
    if (status == REPORT_OK)
        status = split(part, moved, store, bucket, pattern, error);
    return end(store, status, error);
}

/* --- The way back --- */

/* ?1 is the part, ?2 the whole. */
static const char *const give_back[] = {
    /* Of pruned runs the counts alone are there. */
    "INSERT INTO run_buckets SELECT run, ?2, n, number, path, line, message"
    " FROM run_buckets WHERE bucket = ?1 ON CONFLICT DO UPDATE"
    " SET n = n + excluded.n",
    "DELETE FROM run_buckets WHERE bucket = ?1",
    "UPDATE findings SET bucket = ?2 WHERE bucket = ?1",
    "INSERT OR IGNORE INTO labels SELECT ?2, label FROM labels"
    " WHERE bucket = ?1",
    "DELETE FROM labels WHERE bucket = ?1",
    "UPDATE buckets SET note = (SELECT note FROM buckets WHERE bucket = ?1)"
    " WHERE bucket = ?2 AND note IS NULL",
    "DELETE FROM reruns WHERE bucket = ?1",
    "UPDATE buckets SET head = (SELECT head FROM buckets WHERE bucket = ?2)"
    " WHERE head = ?1 AND bucket <> ?1",
    "DELETE FROM buckets WHERE bucket = ?1",
};

/* First what has rows goes where it belongs now, then the rest to the whole. */
static report_status give_all_back(report_store *store, int64_t part,
                                   int64_t whole, report_error *error)
{
    report_status status = run(NULL, store, MOVED, part, 1, NULL, error);
    if (status == REPORT_OK)
        status = move(store, part, error);
    for (size_t i = 0;
         status == REPORT_OK && i < sizeof give_back / sizeof *give_back; i++)
        status = run(NULL, store, give_back[i], part, whole, NULL, error);
    if (status == REPORT_OK)
        status = run(NULL, store, count_smallest, whole, 0, NULL, error);
    return status == REPORT_OK ? report_count_history(store, false, error)
                               : status;
}

static report_status unsplit(int64_t *whole, report_store *store,
                             int64_t bucket, report_error *error)
{
    int64_t removed = 0;
    report_status status =
        run(&removed, store,
            "DELETE FROM splits WHERE (signature, version, rule, part) ="
            " (SELECT signature, version, rule, part FROM buckets"
            " WHERE bucket = ?1)",
            bucket, 0, NULL, error);
    if (status == REPORT_OK && removed == 0)
        return report_fail(error, REPORT_MISSING,
                           "bucket %lld is not split out of another",
                           (long long)bucket);
    if (status == REPORT_OK)
        status = ask(whole, store,
                     "SELECT bucket FROM buckets WHERE part = '' AND bucket"
                     " IN " CAUSE,
                     bucket, NULL, error);
    if (status == REPORT_OK && *whole == 0)
        return report_fail(error, REPORT_MISSING,
                           "what bucket %lld was split from is not there",
                           (long long)bucket);
    return status == REPORT_OK ? give_all_back(store, bucket, *whole, error)
                               : status;
}

report_status report_unsplit(int64_t *whole, report_store *store,
                             int64_t bucket, report_error *error)
{
    report_status status = begin(store, error);
    if (status == REPORT_OK)
        status = unsplit(whole, store, bucket, error);
    return end(store, status, error);
}

/* --- Reruns --- */

static report_status add_run(int64_t *number, report_store *store,
                             const report_run *what, const char *digest,
                             report_error *error)
{
    static const char sql[] =
        "INSERT INTO runs(uuid, tool, options, revision, digest, pruned)"
        " VALUES(lower(hex(randomblob(16))), ?, ?, ?, ?, 0)";
    const char *const texts[] = {what->tool, what->options, what->revision,
                                 digest};
    sqlite3_stmt *statement = NULL;
    report_status status = REPORT_OK;
    bool ok =
        sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK;
    for (int i = 0; ok && i < 4; i++)
        sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_STATIC);
    if (!ok || sqlite3_step(statement) != SQLITE_DONE)
        status = report_fail_sql(error, store, cannot);
    *number = sqlite3_last_insert_rowid(store->db);
    sqlite3_finalize(statement);
    if (status == REPORT_OK)
        status = run(NULL, store, "INSERT INTO times VALUES(?1, ?3, ?3, ?2)",
                     *number, 0, what->started, error);
    return status;
}

static report_status add_rerun(report_store *store, int64_t number,
                               const report_rerun *rerun, report_error *error)
{
    char sql[128];
    snprintf(sql, sizeof sql, "INSERT INTO reruns VALUES(?1, ?2, %lld, %lld)",
             (long long)rerun->times, (long long)rerun->shown);
    return run(NULL, store, sql, number, rerun->bucket, NULL, error);
}

report_status report_add_reruns(int64_t *number, report_store *store,
                                const report_run *what, const char *digest,
                                const report_rerun *reruns, size_t count,
                                report_error *error)
{
    report_status status = begin(store, error);
    if (status == REPORT_OK)
        status = add_run(number, store, what, digest, error);
    for (size_t i = 0; status == REPORT_OK && i < count; i++)
        status = add_rerun(store, *number, &reruns[i], error);
    if (status == REPORT_OK)
        status = report_count_history(store, false, error);
    return end(store, status, error);
}

/* --- Speeds --- */

static report_status add_speed(report_store *store, int64_t number,
                               const report_speed *speed, report_error *error)
{
    sqlite3_stmt *statement = NULL;
    report_status status = REPORT_OK;
    bool ok =
        sqlite3_prepare_v2(store->db, "INSERT INTO speeds VALUES(?, ?, ?)", -1,
                           &statement, NULL) == SQLITE_OK;
    if (ok) {
        sqlite3_bind_int64(statement, 1, number);
        sqlite3_bind_text(statement, 2, speed->name, -1, SQLITE_STATIC);
        sqlite3_bind_double(statement, 3, speed->ratio);
    }
    if (!ok || sqlite3_step(statement) != SQLITE_DONE)
        status = report_fail_sql(error, store, cannot);
    sqlite3_finalize(statement);
    return status;
}

report_status report_add_speeds(int64_t *number, report_store *store,
                                const report_run *what, const char *digest,
                                const report_speed *speeds, size_t count,
                                report_error *error)
{
    report_status status = begin(store, error);
    if (status == REPORT_OK)
        status = add_run(number, store, what, digest, error);
    for (size_t i = 0; status == REPORT_OK && i < count; i++)
        status = add_speed(store, *number, &speeds[i], error);
    return end(store, status, error);
}
