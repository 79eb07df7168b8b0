#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

#define WAIT_MS 10000

/* The part of a bucket that a path belongs to: `triage split`. */
#define PART                                                                   \
    "SELECT part FROM splits WHERE signature = ?1 AND version = ?2"            \
    " AND rule = ?3 AND ?4 GLOB part ORDER BY length(part) DESC, part LIMIT 1"

/*
 * A finding counts in its bucket. Where a later run than the one that showed
 * it gone has it, it is back. Its smallest input may have been found.
 */
#define BUCKET                                                                 \
    "INSERT INTO buckets VALUES(NULL, ?1, ?2, ?3, ?4, 0, ?5, ?6, ?7, ?8, ?8,"  \
    " 1, 1, NULL, NULL, ?8, ?9, ?10, NULL)"                                    \
    " ON CONFLICT DO UPDATE SET n = n + 1,"                                    \
    " severity = iif(?5 = 'error' OR severity = 'note', ?5, severity),"        \
    " runs = runs + NOT EXISTS (SELECT 1 FROM run_buckets AS r"                \
    " WHERE r.run = ?8 AND r.bucket = buckets.bucket),"                        \
    " first_run = min(first_run, ?8), last_run = max(last_run, ?8),"           \
    " back_run = iif(gone_run < ?8, ?8, back_run),"                            \
    " gone_run = iif(gone_run < ?8, NULL, gone_run),"                          \
    " smallest_run = iif(?10 < smallest_bytes, ?8, smallest_run),"             \
    " smallest_number = iif(?10 < smallest_bytes, ?9, smallest_number),"       \
    " smallest_bytes = min(?10, smallest_bytes)"                               \
    " RETURNING bucket, head"

static const char *const statement_texts[STATEMENTS] = {
    [STATEMENT_BEGIN] = "BEGIN IMMEDIATE",
    [STATEMENT_COMMIT] = "COMMIT",
    [STATEMENT_RUN] = "INSERT INTO runs VALUES(NULL,"
                      " lower(hex(randomblob(16))), ?, ?, ?, NULL, 0)",
    [STATEMENT_UUID] = "SELECT uuid FROM runs WHERE run = ?",
    [STATEMENT_FINISH] = "UPDATE runs SET digest = ?2 WHERE run = ?1",
    [STATEMENT_GONE] = REPORT_GONE("buckets"),
    [STATEMENT_INPUT] =
        "INSERT INTO inputs(sha256, kind, bytes, text) VALUES(?, ?, ?, ?)"
        " ON CONFLICT(sha256) DO NOTHING",
    [STATEMENT_VERDICT] =
        "INSERT INTO verdicts VALUES(?1, ?2, ?3, ?4, ?5, (SELECT input FROM"
        " inputs WHERE sha256 = ?6), ?7, ?8, ?9, ?10, ?11)",
    [STATEMENT_FINDING] =
        "INSERT INTO findings VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [STATEMENT_COUNT] = "INSERT INTO counts VALUES(?, ?, ?, ?)"
                        " ON CONFLICT DO UPDATE SET n = n + excluded.n",
    [STATEMENT_PART] = PART,
    [STATEMENT_BUCKET] = BUCKET,
    [STATEMENT_HEAD] = "UPDATE buckets SET head = bucket WHERE bucket = ?",
    [STATEMENT_RUN_BUCKET] =
        "INSERT INTO run_buckets VALUES(?1, ?2, 1, ?3, ?4, ?5, ?6)"
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

#define LOCKED "another program has locked it: try again when it has ended"
#define DAMAGED                                                                \
    "the file is damaged: take a copy of before, or what sqlite3's .recover "  \
    "reads of it"

/* What SQLite's codes mean for a file; its own words where none are here. */
static const struct {
    int code;
    report_status status;
    const char *text;
} failures[] = {
    {SQLITE_BUSY, REPORT_OPEN, LOCKED},
    {SQLITE_LOCKED, REPORT_OPEN, LOCKED},
    {SQLITE_CANTOPEN, REPORT_OPEN, NULL},
    {SQLITE_CONSTRAINT_PRIMARYKEY, REPORT_FAILED,
     "another process records the same run"},
    {SQLITE_CORRUPT, REPORT_FOREIGN, DAMAGED},
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

/* A database is made whole or not at all, also when two start at once. */
static report_status prepare_file(report_store *store, report_error *error)
{
    int64_t version = 0;
    report_status status = report_check_version(store, &version, error);
    if (status != REPORT_OK || version == REPORT_SCHEMA_VERSION)
        return status;
    if (store->mode == REPORT_WRITE)
        return report_make_tables(store, error);
    return version > 0
               ? report_copy_up_to_date(store, error)
               : report_fail(error, REPORT_FOREIGN, "the database is empty");
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

/* Why no file can be made there: an error number, 0 where one can. SQLite
   tells that of its last attempt, which is to read it. */
static int folder_problem(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL   ? strdup(".")
                   : slash == path ? strdup("/")
                                   : strndup(path, (size_t)(slash - path));
    int problem = folder == NULL                     ? ENOMEM
                  : access(folder, W_OK | X_OK) == 0 ? 0
                                                     : errno;
    free(folder);
    return problem;
}

/* A FIFO would be waited for, and a device is no database. */
static report_status check_file(const report_store *store, const char *path,
                                report_error *error)
{
    struct stat info;
    bool writes = store->mode == REPORT_WRITE;
    if (stat(path, &info) != 0) {
        int problem = errno;
        if (writes && problem == ENOENT)
            problem = folder_problem(path);
        return problem == 0
                   ? REPORT_OK
                   : report_fail(error, REPORT_OPEN, "cannot be opened: %s",
                                 strerror(problem));
    }
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
    /* Refused while another program reads: then the log stays beside it. Where
     * nothing was read or written the change to a log still reads: what reads
     * again ends that. */
    if (store->mode == REPORT_WRITE)
        sqlite3_exec(store->db,
                     "SELECT count(*) FROM sqlite_master;"
                     "PRAGMA wal_checkpoint(TRUNCATE);"
                     "PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE",
                     NULL, NULL, NULL);
    free_store(store);
    return status;
}
