#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

/* "CPNT": marks the file as one of this program's. */
#define APPLICATION_ID 0x43504e54
#define WAIT_MS 10000

/* What version 2 has more than version 1. */
#define BLOCKS                                                                 \
    "CREATE TABLE blocks(run INTEGER NOT NULL, block INTEGER NOT NULL,"        \
    " first INTEGER NOT NULL, cases INTEGER NOT NULL, digest TEXT NOT NULL,"   \
    " counts TEXT NOT NULL, PRIMARY KEY(run, block)) WITHOUT ROWID;"

/*
 * Times stand in `times`, apart from the answers. `counts` and `buckets` are
 * the summary rows: what ('verdict', 'severity', 'rule', 'reason', 'partial';
 * of fuzz more).
 */
static const char schema[] =
    "CREATE TABLE runs(run INTEGER PRIMARY KEY, tool TEXT NOT NULL,"
    " options TEXT NOT NULL, digest TEXT);"
    "CREATE TABLE times(run INTEGER PRIMARY KEY, started TEXT NOT NULL,"
    " finished TEXT, milliseconds INTEGER);"
    "CREATE TABLE inputs(input INTEGER PRIMARY KEY,"
    " sha256 TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,"
    " bytes INTEGER NOT NULL, text BLOB NOT NULL);"
    "CREATE TABLE verdicts(run INTEGER NOT NULL, number INTEGER NOT NULL,"
    " path TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,"
    " input INTEGER, verdict TEXT NOT NULL, reason TEXT,"
    " details TEXT NOT NULL, partial INTEGER NOT NULL,"
    " findings INTEGER NOT NULL, PRIMARY KEY(run, number)) WITHOUT ROWID;"
    "CREATE TABLE findings(run INTEGER NOT NULL, number INTEGER NOT NULL,"
    " n INTEGER NOT NULL, rule TEXT NOT NULL, severity TEXT NOT NULL,"
    " cause TEXT, signature TEXT NOT NULL, message TEXT NOT NULL,"
    " line INTEGER, json TEXT NOT NULL,"
    " PRIMARY KEY(run, number, n)) WITHOUT ROWID;"
    "CREATE TABLE counts(run INTEGER NOT NULL, what TEXT NOT NULL,"
    " key TEXT NOT NULL, n INTEGER NOT NULL,"
    " PRIMARY KEY(run, what, key)) WITHOUT ROWID;"
    "CREATE TABLE buckets(run INTEGER NOT NULL, signature TEXT NOT NULL,"
    " rule TEXT NOT NULL, severity TEXT NOT NULL, cause TEXT,"
    " n INTEGER NOT NULL, number INTEGER NOT NULL, path TEXT NOT NULL,"
    " line INTEGER, message TEXT NOT NULL,"
    " PRIMARY KEY(run, signature, rule)) WITHOUT ROWID;" BLOCKS;

static const char *const statement_texts[STATEMENTS] = {
    [STATEMENT_BEGIN] = "BEGIN IMMEDIATE",
    [STATEMENT_COMMIT] = "COMMIT",
    [STATEMENT_RUN] = "INSERT INTO runs(tool, options) VALUES(?, ?)",
    [STATEMENT_FINISH] = "UPDATE runs SET digest = ?2 WHERE run = ?1",
    [STATEMENT_INPUT] =
        "INSERT INTO inputs(sha256, kind, bytes, text) VALUES(?, ?, ?, ?)"
        " ON CONFLICT(sha256) DO NOTHING",
    [STATEMENT_VERDICT] =
        "INSERT INTO verdicts VALUES(?1, ?2, ?3, ?4, ?5, (SELECT input FROM"
        " inputs WHERE sha256 = ?6), ?7, ?8, ?9, ?10, ?11)",
    [STATEMENT_FINDING] =
        "INSERT INTO findings VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [STATEMENT_COUNT] = "INSERT INTO counts VALUES(?, ?, ?, ?)"
                        " ON CONFLICT DO UPDATE SET n = n + excluded.n",
    [STATEMENT_BUCKET] =
        "INSERT INTO buckets VALUES(?1, ?2, ?3, ?4, ?5, 1, ?6, ?7, ?8, ?9)"
        " ON CONFLICT DO UPDATE SET n = n + 1",
    [STATEMENT_BLOCK] = "INSERT INTO blocks VALUES(?, ?, ?, ?, ?, ?)",
};

report_status report_fail(report_error *error, report_status status,
                          const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    error->status = status;
    return status;
}

/* What SQLite's codes mean for a file; its own words where none are here. */
static const struct {
    int code;
    report_status status;
    const char *text;
} failures[] = {
    {SQLITE_BUSY, REPORT_OPEN, "another program has locked it"},
    {SQLITE_LOCKED, REPORT_OPEN, "another program has locked it"},
    {SQLITE_CANTOPEN, REPORT_OPEN, NULL},
    {SQLITE_CONSTRAINT_PRIMARYKEY, REPORT_FAILED,
     "another process records the same run"},
    {SQLITE_CORRUPT, REPORT_FOREIGN, "the file is damaged"},
    {SQLITE_ERROR, REPORT_FOREIGN, NULL}, /* it has other tables */
    {SQLITE_FULL, REPORT_FAILED, "the disk is full"},
    {SQLITE_IOERR, REPORT_FAILED, NULL},
    {SQLITE_NOMEM, REPORT_NO_MEMORY, "out of memory"},
    {SQLITE_NOTADB, REPORT_FOREIGN, "the file is no SQLite database"},
    {SQLITE_READONLY, REPORT_OPEN, "it may only be read"},
};
#define FAILURES (sizeof failures / sizeof *failures)

/*
 * Why the system refused a file. SQLite does not always keep it; then the last
 * thing that failed was what it tells of, when that is about writing.
 */
static const char *system_reason(const report_store *store, int last)
{
    int code = sqlite3_system_errno(store->db);
    if (code == 0 && (last == EFBIG || last == ENOSPC || last == EDQUOT))
        code = last;
    return code == 0 ? NULL : strerror(code);
}

report_status report_fail_sql(report_error *error, const report_store *store,
                              const char *what)
{
    int last = errno;
    int whole = sqlite3_extended_errcode(store->db);
    size_t i = 0;
    while (i < FAILURES && failures[i].code != whole &&
           failures[i].code != (whole & 0xff))
        i++;
    report_status status = i < FAILURES ? failures[i].status : REPORT_FAILED;
    const char *text = i < FAILURES ? failures[i].text : NULL;
    bool by_system =
        (whole & 0xff) == SQLITE_CANTOPEN || (whole & 0xff) == SQLITE_IOERR;
    if (text == NULL && by_system)
        text = system_reason(store, last);
    return report_fail(error, status, "%s: %s", what,
                       text == NULL ? sqlite3_errmsg(store->db) : text);
}

report_status report_run_sql(report_store *store, const char *sql,
                             const char *what, report_error *error)
{
    if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return REPORT_OK;
    return report_fail_sql(error, store, what);
}

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

static report_status make_schema(report_store *store, report_error *error)
{
    char pragmas[96];
    snprintf(pragmas, sizeof pragmas,
             "PRAGMA application_id = %d; PRAGMA user_version = %d",
             APPLICATION_ID, REPORT_SCHEMA_VERSION);
    report_status status =
        report_run_sql(store, schema, "the tables cannot be made", error);
    if (status != REPORT_OK)
        return status;
    return report_run_sql(store, pragmas, "the tables cannot be made", error);
}

/* *version is 0 for a file without anything in it. */
static report_status check_version(report_store *store, int64_t *version,
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

static report_status bring_up_to_date(report_store *store, report_error *error)
{
    static const char what[] = "the tables cannot be brought up to date";
    char pragma[64];
    snprintf(pragma, sizeof pragma, "PRAGMA user_version = %d",
             REPORT_SCHEMA_VERSION);
    report_status status = report_run_sql(store, BLOCKS, what, error);
    return status == REPORT_OK ? report_run_sql(store, pragma, what, error)
                               : status;
}

/* In a transaction, and again under its lock: another may have been first. */
static report_status prepare_tables(report_store *store, report_error *error)
{
    int64_t version = 0;
    report_status status = report_run_sql(
        store, "BEGIN IMMEDIATE", "the database cannot be written", error);
    if (status == REPORT_OK)
        status = check_version(store, &version, error);
    if (status == REPORT_OK && version == 0)
        status = make_schema(store, error);
    else if (status == REPORT_OK && version < REPORT_SCHEMA_VERSION)
        status = bring_up_to_date(store, error);
    if (status == REPORT_OK)
        status =
            report_run_sql(store, "COMMIT", "the tables cannot be made", error);
    return status;
}

/* A database is made whole or not at all, also when two start at once. */
static report_status prepare_file(report_store *store, report_error *error)
{
    int64_t version = 0;
    report_status status = check_version(store, &version, error);
    if (status != REPORT_OK)
        return status;
    if (store->mode == REPORT_READ)
        return version > 0 ? REPORT_OK
                           : report_fail(error, REPORT_FOREIGN,
                                         "the database is empty");
    return version < REPORT_SCHEMA_VERSION ? prepare_tables(store, error)
                                           : REPORT_OK;
}

static report_status prepare_writing(report_store *store, report_error *error)
{
    report_status status = report_run_sql(
        store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL",
        "the database cannot be written", error);
    for (int i = 0; status == REPORT_OK && i < STATEMENTS; i++)
        if (sqlite3_prepare_v3(store->db, statement_texts[i], -1,
                               SQLITE_PREPARE_PERSISTENT, &store->statements[i],
                               NULL) != SQLITE_OK)
            status =
                report_fail_sql(error, store, "the database cannot be written");
    return status;
}

/* A FIFO would be waited for, and a device is no database. */
static report_status check_file(const report_store *store, const char *path,
                                report_error *error)
{
    struct stat info;
    bool writes = store->mode == REPORT_WRITE;
    if (stat(path, &info) != 0)
        return writes && errno == ENOENT
                   ? REPORT_OK
                   : report_fail(error, REPORT_OPEN, "cannot be opened: %s",
                                 strerror(errno));
    if (!S_ISREG(info.st_mode))
        return report_fail(error, REPORT_OPEN,
                           "cannot be opened: it is no file");
    if (writes && access(path, W_OK) != 0)
        return report_fail(error, REPORT_OPEN,
                           "the database cannot be written: %s",
                           strerror(errno));
    return REPORT_OK;
}

static report_status open_file(report_store *store, const char *path,
                               report_error *error)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    if (store->mode == REPORT_WRITE)
        flags |= SQLITE_OPEN_CREATE;
    report_status status = check_file(store, path, error);
    if (status != REPORT_OK)
        return status;
    if (sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK)
        return report_fail_sql(error, store, "the database cannot be opened");
    if (store->mode == REPORT_WRITE && sqlite3_db_readonly(store->db, "main"))
        return report_fail(error, REPORT_OPEN,
                           "the database cannot be written: it may only be "
                           "read");
    sqlite3_busy_timeout(store->db, WAIT_MS);
    return REPORT_OK;
}

static void finalize(report_store *store)
{
    for (int i = 0; i < STATEMENTS; i++) {
        sqlite3_finalize(store->statements[i]);
        store->statements[i] = NULL;
    }
}

static void free_store(report_store *store)
{
    finalize(store);
    sqlite3_close_v2(store->db);
    free(store);
}

report_status report_open(report_store **store, const char *path,
                          report_mode mode, report_error *error)
{
    report_store *made = calloc(1, sizeof *made);
    if (made == NULL)
        return report_fail(error, REPORT_NO_MEMORY, "out of memory");
    made->mode = mode;
    report_status status = open_file(made, path, error);
    if (status == REPORT_OK)
        status = prepare_file(made, error);
    if (status == REPORT_OK && mode == REPORT_WRITE)
        status = prepare_writing(made, error);
    if (status == REPORT_OK) {
        *store = made;
        return REPORT_OK;
    }
    free_store(made);
    return status;
}

report_status report_close(report_store *store, report_error *error)
{
    if (store == NULL)
        return REPORT_OK;
    report_status status = report_commit(store, error);
    finalize(store);
    /* Refused while another program reads: then the log stays beside it. */
    if (store->mode == REPORT_WRITE)
        sqlite3_exec(store->db,
                     "PRAGMA wal_checkpoint(TRUNCATE);"
                     "PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE",
                     NULL, NULL, NULL);
    free_store(store);
    return status;
}
