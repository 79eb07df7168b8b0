/* The tables, and how those of older versions become those of this one. */
#include "internal.h"

#include <stdio.h>

/* "CPNT": marks the file as one of this program's. */
#define APPLICATION_ID 0x43504e54

/* What version 2 has more than version 1. */
#define BLOCKS                                                                 \
    "CREATE TABLE blocks(run INTEGER NOT NULL, block INTEGER NOT NULL,"        \
    " first INTEGER NOT NULL, cases INTEGER NOT NULL, digest TEXT NOT NULL,"   \
    " counts TEXT NOT NULL, PRIMARY KEY(run, block)) WITHOUT ROWID;"

#define RUNS                                                                   \
    "CREATE TABLE runs(run INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE,"    \
    " tool TEXT NOT NULL, options TEXT NOT NULL, revision TEXT,"               \
    " digest TEXT, pruned INTEGER NOT NULL);"
#define FINDINGS                                                               \
    "CREATE TABLE findings(run INTEGER NOT NULL, number INTEGER NOT NULL,"     \
    " n INTEGER NOT NULL, bucket INTEGER NOT NULL, rule TEXT NOT NULL,"        \
    " severity TEXT NOT NULL, cause TEXT, signature TEXT NOT NULL,"            \
    " message TEXT NOT NULL, line INTEGER, json TEXT NOT NULL,"                \
    " PRIMARY KEY(run, number, n)) WITHOUT ROWID;"

/*
 * `part` is '' but for what `triage split` took out of a bucket, and `head` is
 * the bucket to which `triage join` has put it (itself: none). `gone_run` is
 * the run that showed it gone, NULL when it is there; `back_run` the last run
 * in which it came back. The numbers of runs are their order: a run that begins
 * gets the next one, and a merge numbers all of them by their start.
 */
#define BUCKETS                                                                \
    "CREATE TABLE buckets(bucket INTEGER PRIMARY KEY,"                         \
    " signature TEXT NOT NULL, version INTEGER NOT NULL, rule TEXT NOT NULL,"  \
    " part TEXT NOT NULL, head INTEGER NOT NULL, severity TEXT NOT NULL,"      \
    " cause TEXT, title TEXT NOT NULL, first_run INTEGER NOT NULL,"            \
    " last_run INTEGER NOT NULL, runs INTEGER NOT NULL, n INTEGER NOT NULL,"   \
    " gone_run INTEGER, back_run INTEGER, smallest_run INTEGER NOT NULL,"      \
    " smallest_number INTEGER NOT NULL, smallest_bytes INTEGER NOT NULL,"      \
    " note TEXT, UNIQUE(signature, version, rule, part));"                     \
    "CREATE INDEX buckets_by_head ON buckets(head);"                           \
    "CREATE INDEX buckets_by_last ON buckets(last_run);"                       \
    "CREATE TABLE run_buckets(run INTEGER NOT NULL, bucket INTEGER NOT NULL,"  \
    " n INTEGER NOT NULL, number INTEGER NOT NULL, path TEXT NOT NULL,"        \
    " line INTEGER, message TEXT NOT NULL,"                                    \
    " PRIMARY KEY(run, bucket)) WITHOUT ROWID;"
#define TRIAGE                                                                 \
    "CREATE INDEX run_buckets_by_bucket ON run_buckets(bucket, run);"          \
    "CREATE INDEX findings_by_bucket ON findings(bucket, run);"                \
    "CREATE INDEX unjudged ON verdicts(run, path)"                             \
    " WHERE verdict IN ('crashed', 'timed_out');"                              \
    "CREATE TABLE labels(bucket INTEGER NOT NULL, label TEXT NOT NULL,"        \
    " PRIMARY KEY(bucket, label)) WITHOUT ROWID;"                              \
    "CREATE TABLE splits(signature TEXT NOT NULL, version INTEGER NOT NULL,"   \
    " rule TEXT NOT NULL, part TEXT NOT NULL, PRIMARY KEY(signature, version," \
    " rule, part)) WITHOUT ROWID;"                                             \
    "CREATE TABLE reruns(run INTEGER NOT NULL, bucket INTEGER NOT NULL,"       \
    " times INTEGER NOT NULL, shown INTEGER NOT NULL,"                         \
    " PRIMARY KEY(bucket, run)) WITHOUT ROWID;"                                \
    "CREATE TABLE speeds(run INTEGER NOT NULL, name TEXT NOT NULL,"            \
    " ratio REAL NOT NULL, PRIMARY KEY(name, run)) WITHOUT ROWID;"

/* For who looks with sqlite3. */
#define VIEWS                                                                  \
    "CREATE VIEW run_list AS SELECT run, tool,"                                \
    " coalesce(json_extract(options, '$.verb'), 'run') AS verb,"               \
    " json_extract(options, '$.seed') AS seed, revision, started, finished,"   \
    " milliseconds / 1000.0 AS seconds, (SELECT coalesce(sum(n), 0) FROM"      \
    " counts AS c WHERE c.run = r.run AND what = 'verdict') AS inputs,"        \
    " (SELECT coalesce(sum(n), 0) FROM counts AS c WHERE c.run = r.run"        \
    " AND what = 'severity') AS findings, digest, options"                     \
    " FROM runs AS r LEFT JOIN times USING(run);"                              \
    "CREATE VIEW finding_list AS SELECT f.run, v.path, f.line, f.severity,"    \
    " f.rule, f.cause, b.head AS bucket, f.signature, f.message, f.number,"    \
    " f.n, i.sha256 FROM findings AS f JOIN verdicts AS v USING(run, number)"  \
    " JOIN buckets AS b USING(bucket) LEFT JOIN inputs AS i USING(input);"     \
    "CREATE VIEW input_list AS SELECT v.run, v.number, v.path, v.kind,"        \
    " v.verdict, v.reason, v.findings, i.bytes, i.sha256, i.text"              \
    " FROM verdicts AS v LEFT JOIN inputs AS i USING(input);"                  \
    "CREATE VIEW bucket_list AS SELECT h.bucket, h.severity, h.rule,"          \
    " h.cause, h.signature, h.part, h.title, min(b.first_run) AS first_run,"   \
    " max(b.last_run) AS last_run, sum(b.n) AS findings, CASE"                 \
    " WHEN count(b.gone_run) = count(*) THEN 'fixed'"                          \
    " WHEN max(b.gone_run IS NULL AND b.back_run >= b.last_run)"               \
    " THEN 'reappeared' ELSE 'open' END AS state, h.note, (SELECT "            \
    "group_concat(label, ', ')"                                                \
    " FROM labels AS l WHERE l.bucket = h.bucket) AS labels"                   \
    " FROM buckets AS h JOIN buckets AS b ON b.head = h.bucket"                \
    " GROUP BY h.bucket;"                                                      \
    "CREATE VIEW bucket_history AS SELECT b.head AS bucket, r.run,"            \
    " sum(r.n) AS findings, r.path, r.line FROM run_buckets AS r"              \
    " JOIN buckets AS b USING(bucket) GROUP BY b.head, r.run;"

/*
 * Times stand in `times`, apart from the answers. `counts`, `buckets` and
 * `run_buckets` are the summary rows. `counts` is by what ('verdict',
 * 'severity', 'rule', 'reason', 'partial'; of fuzz more).
 */
static const char schema[] = RUNS
    "CREATE TABLE times(run INTEGER PRIMARY KEY, started TEXT NOT NULL,"
    " finished TEXT, milliseconds INTEGER);"
    "CREATE TABLE inputs(input INTEGER PRIMARY KEY,"
    " sha256 TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,"
    " bytes INTEGER NOT NULL, text BLOB NOT NULL);"
    "CREATE TABLE verdicts(run INTEGER NOT NULL, number INTEGER NOT NULL,"
    " path TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,"
    " input INTEGER, verdict TEXT NOT NULL, reason TEXT,"
    " details TEXT NOT NULL, partial INTEGER NOT NULL,"
    " findings INTEGER NOT NULL, PRIMARY KEY(run, number)) WITHOUT "
    "ROWID;" FINDINGS
    "CREATE TABLE counts(run INTEGER NOT NULL, what TEXT NOT NULL,"
    " key TEXT NOT NULL, n INTEGER NOT NULL,"
    " PRIMARY KEY(run, what, key)) WITHOUT ROWID;" BLOCKS BUCKETS TRIAGE VIEWS;

#define OLD                                                                    \
    " FROM old_buckets AS o WHERE o.signature = b.signature"                   \
    " AND o.rule = b.rule)"

/*
 * To version 3: the buckets of each run become those of all runs. A run of
 * before gets an identity that is the same whenever this is done.
 */
static const char to_3[] =
    "ALTER TABLE runs RENAME TO old_runs;"
    "ALTER TABLE findings RENAME TO old_findings;"
    "ALTER TABLE buckets RENAME TO old_buckets;" RUNS FINDINGS BUCKETS
    "INSERT INTO runs SELECT run, printf('%s/%s/%d', started, coalesce(digest,"
    " '-'), run), tool, options, NULL, digest, 0 FROM old_runs LEFT JOIN times"
    " USING(run);"
    "CREATE INDEX old_by_signature ON old_buckets(signature, rule, run);"
    "INSERT INTO buckets SELECT NULL, signature, 1, rule, '', 0, severity,"
    " cause, message, run, (SELECT max(run)" OLD ", (SELECT count(*)" OLD
    ", (SELECT sum(n)" OLD ", NULL, NULL, run, number,"
    " coalesce((SELECT bytes FROM verdicts AS v JOIN inputs USING(input)"
    " WHERE v.run = b.run AND v.number = b.number), 0x7fffffffffffffff), NULL"
    " FROM old_buckets AS b WHERE run = (SELECT min(run)" OLD
    " ORDER BY run, number, signature, rule;"
    "UPDATE buckets SET head = bucket;"
    "INSERT INTO run_buckets SELECT o.run, b.bucket, o.n, o.number, o.path,"
    " o.line, o.message FROM old_buckets AS o JOIN buckets AS b"
    " USING(signature, rule);"
    "INSERT INTO findings SELECT f.run, f.number, f.n, b.bucket, f.rule,"
    " f.severity, f.cause, f.signature, f.message, f.line, f.json"
    " FROM old_findings AS f JOIN buckets AS b USING(signature, rule);"
    "DROP TABLE old_runs; DROP TABLE old_findings; DROP TABLE "
    "old_buckets;" TRIAGE VIEWS;

/* What leads from version i + 1 to version i + 2. */
static const char *const steps[REPORT_SCHEMA_VERSION - 1] = {BLOCKS, to_3};

static report_status read_int(int64_t *value, report_store *store,
                              const char *sql, report_error *error)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        *value = sqlite3_column_int64(statement, 0);
    report_status status = REPORT_OK;
    if (code != SQLITE_ROW)
        status = report_fail_sql(error, store, "the database cannot be read");
    sqlite3_finalize(statement);
    return status;
}

report_status report_check_version(report_store *store, int64_t *version,
                                   report_error *error)
{
    int64_t id = 0, tables = 0;
    report_status status = read_int(&id, store, "PRAGMA application_id", error);
    if (status == REPORT_OK)
        status = read_int(version, store, "PRAGMA user_version", error);
    if (status == REPORT_OK)
        status = read_int(&tables, store, "SELECT count(*) FROM sqlite_master",
                          error);
    if (status != REPORT_OK || (tables == 0 && id == 0 && *version == 0))
        return status;
    if (id != APPLICATION_ID)
        return report_fail(error, REPORT_FOREIGN,
                           "the database is not one of counterpoint's");
    if (*version < 1 || *version > REPORT_SCHEMA_VERSION)
        return report_fail(error, REPORT_FOREIGN,
                           "the database has schema version %lld, this "
                           "program reads versions up to %d",
                           (long long)*version, REPORT_SCHEMA_VERSION);
    return REPORT_OK;
}

static report_status make_tables(report_store *store, int64_t version,
                                 report_error *error)
{
    char pragmas[96];
    report_status status = REPORT_OK;
    if (version == 0)
        status =
            report_run_sql(store, schema, "the tables cannot be made", error);
    else
        for (int64_t i = version;
             status == REPORT_OK && i < REPORT_SCHEMA_VERSION; i++)
            status = report_run_sql(store, steps[i - 1],
                                    "the tables cannot be brought up to date",
                                    error);
    snprintf(pragmas, sizeof pragmas,
             "PRAGMA application_id = %d; PRAGMA user_version = %d",
             APPLICATION_ID, REPORT_SCHEMA_VERSION);
    return status == REPORT_OK
               ? report_run_sql(store, pragmas, "the tables cannot be made",
                                error)
               : status;
}

report_status report_make_tables(report_store *store, report_error *error)
{
    int64_t version = 0;
    report_status status = report_run_sql(
        store, "BEGIN IMMEDIATE", "the database cannot be written", error);
    if (status == REPORT_OK)
        status = report_check_version(store, &version, error);
    if (status == REPORT_OK && version < REPORT_SCHEMA_VERSION)
        status = make_tables(store, version, error);
    if (status == REPORT_OK)
        status =
            report_run_sql(store, "COMMIT", "the tables cannot be made", error);
    return status;
}

report_status report_copy_up_to_date(report_store *store, report_error *error)
{
    static const char what[] = "the database cannot be read";
    report_store copy = {.mode = REPORT_READ};
    if (sqlite3_open(":memory:", &copy.db) != SQLITE_OK) {
        sqlite3_close_v2(copy.db);
        return report_fail(error, REPORT_NO_MEMORY, "out of memory");
    }
    sqlite3_backup *backup =
        sqlite3_backup_init(copy.db, "main", store->db, "main");
    report_status status = REPORT_OK;
    if (backup == NULL || sqlite3_backup_step(backup, -1) != SQLITE_DONE)
        status = report_fail_sql(error, &copy, what);
    sqlite3_backup_finish(backup);
    if (status == REPORT_OK)
        status = report_make_tables(&copy, error);
    if (status != REPORT_OK) {
        sqlite3_close_v2(copy.db);
        return status;
    }
    sqlite3_close_v2(store->db);
    store->db = copy.db;
    store->copied = true;
    return REPORT_OK;
}
