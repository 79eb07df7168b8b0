/* Writing runs, cases and findings. */
#include <stdio.h>
#include <string.h>

#include "internal.h"

/* Binds and runs one statement; a failed bind shows when it is run. */
typedef struct step {
    report_store *store;
    sqlite3_stmt *statement;
    int next;
    int failed;
} step;

static step begin(report_store *store, report_statement which)
{
    return (step){store, store->statements[which], 1, SQLITE_OK};
}

static void keep(step *s, int code)
{
    if (s->failed == SQLITE_OK)
        s->failed = code;
    s->next++;
}

static void put_int(step *s, int64_t value)
{
    keep(s, sqlite3_bind_int64(s->statement, s->next, value));
}

/* NULL text is NULL in the table. The text lives until the step has run. */
static void put_text(step *s, const char *text)
{
    keep(s, sqlite3_bind_text(s->statement, s->next, text, -1, SQLITE_STATIC));
}

static void put_text_n(step *s, const char *text, size_t length)
{
    keep(s, sqlite3_bind_text64(s->statement, s->next, text, length,
                                SQLITE_STATIC, SQLITE_UTF8));
}

static void put_bytes(step *s, const char *data, size_t length)
{
    keep(s, sqlite3_bind_blob64(s->statement, s->next, length ? data : "",
                                length, SQLITE_STATIC));
}

static void put_line(step *s, int64_t line)
{
    if (line > 0)
        put_int(s, line);
    else
        keep(s, sqlite3_bind_null(s->statement, s->next));
}

/* A full disk ends the transaction by itself, other failures do not. */
static void roll_back(report_store *store)
{
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    store->in_transaction = false;
}

/* A failure drops the transaction. */
static report_status end(step *s, bool ok, report_error *error)
{
    static const char what[] = "the database cannot be written";
    report_status status = REPORT_OK;
    if (!ok)
        status = report_fail_sql(error, s->store, what);
    sqlite3_reset(s->statement);
    sqlite3_clear_bindings(s->statement);
    if (status != REPORT_OK)
        roll_back(s->store);
    return status;
}

static report_status run(step *s, report_error *error)
{
    bool ok =
        s->failed == SQLITE_OK && sqlite3_step(s->statement) == SQLITE_DONE;
    return end(s, ok, error);
}

static report_status begin_transaction(report_store *store, report_error *error)
{
    if (store->in_transaction)
        return REPORT_OK;
    step s = begin(store, STATEMENT_BEGIN);
    report_status status = run(&s, error);
    store->in_transaction = status == REPORT_OK;
    return status;
}

/* Another program may have merged between two transactions, which gives runs
   other numbers. */
static report_status check_run(report_store *store, int64_t number,
                               report_error *error)
{
    char uuid[sizeof store->uuid] = "";
    step s = begin(store, STATEMENT_UUID);
    put_int(&s, number);
    int code = s.failed == SQLITE_OK ? sqlite3_step(s.statement) : s.failed;
    if (code == SQLITE_ROW)
        snprintf(uuid, sizeof uuid, "%s",
                 (const char *)sqlite3_column_text(s.statement, 0));
    report_status status =
        end(&s, code == SQLITE_ROW || code == SQLITE_DONE, error);
    if (status != REPORT_OK)
        return status;
    bool other = store->run == number && strcmp(store->uuid, uuid) != 0;
    if (code == SQLITE_DONE || other) {
        roll_back(store);
        return report_fail(error, REPORT_FAILED,
                           "the database cannot be written: a merge has given "
                           "its runs other numbers meanwhile");
    }
    store->run = number;
    memcpy(store->uuid, uuid, sizeof uuid);
    return REPORT_OK;
}

/* Goes on with a run. */
static report_status go_on(report_store *store, int64_t number,
                           report_error *error)
{
    bool within = store->in_transaction && store->run == number;
    report_status status = begin_transaction(store, error);
    return status == REPORT_OK && !within ? check_run(store, number, error)
                                          : status;
}

report_status report_commit(report_store *store, report_error *error)
{
    if (!store->in_transaction)
        return REPORT_OK;
    step s = begin(store, STATEMENT_COMMIT);
    report_status status = run(&s, error);
    store->in_transaction = false;
    return status;
}

static report_status add_start(report_store *store, int64_t number,
                               const char *started, report_error *error)
{
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(store->db, "INSERT INTO times VALUES(?, ?, NULL, NULL)",
                       -1, &statement, NULL);
    step s = {store, statement, 1, SQLITE_OK};
    put_int(&s, number);
    put_text(&s, started);
    report_status status = run(&s, error);
    sqlite3_finalize(statement);
    return status;
}

report_status report_begin_run(int64_t *number, report_store *store,
                               const report_run *what, report_error *error)
{
    report_status status = begin_transaction(store, error);
    if (status != REPORT_OK)
        return status;
    step s = begin(store, STATEMENT_RUN);
    put_text(&s, what->tool);
    put_text(&s, what->options);
    put_text(&s, what->revision);
    status = run(&s, error);
    *number = sqlite3_last_insert_rowid(store->db);
    store->run = 0;
    if (status == REPORT_OK)
        status = check_run(store, *number, error);
    if (status == REPORT_OK)
        status = add_start(store, *number, what->started, error);
    if (status == REPORT_OK)
        status = report_commit(store, error);
    return status;
}

static report_status add_end(report_store *store, int64_t number,
                             const char *finished, int64_t milliseconds,
                             report_error *error)
{
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(store->db,
                       "UPDATE times SET finished = ?, milliseconds = ?"
                       " WHERE run = ?",
                       -1, &statement, NULL);
    step s = {store, statement, 1, SQLITE_OK};
    put_text(&s, finished);
    put_int(&s, milliseconds);
    put_int(&s, number);
    report_status status = run(&s, error);
    sqlite3_finalize(statement);
    return status;
}

static report_status mark_gone(report_store *store, int64_t number,
                               report_error *error)
{
    step s = begin(store, STATEMENT_GONE);
    put_int(&s, number);
    return run(&s, error);
}

report_status report_finish_run(report_store *store, int64_t number,
                                const char *digest, const char *finished,
                                int64_t milliseconds, report_error *error)
{
    report_status status = go_on(store, number, error);
    if (status != REPORT_OK)
        return status;
    step s = begin(store, STATEMENT_FINISH);
    put_int(&s, number);
    put_text(&s, digest);
    status = run(&s, error);
    if (status == REPORT_OK)
        status = mark_gone(store, number, error);
    if (status == REPORT_OK)
        status = add_end(store, number, finished, milliseconds, error);
    if (status == REPORT_OK)
        status = report_commit(store, error);
    return status;
}

static report_status add_count(report_store *store, int64_t number,
                               const char *what, const char *key, int64_t n,
                               report_error *error)
{
    step s = begin(store, STATEMENT_COUNT);
    put_int(&s, number);
    put_text(&s, what);
    put_text(&s, key);
    put_int(&s, n);
    return run(&s, error);
}

static report_status add_input(report_store *store, const report_case *c,
                               report_error *error)
{
    if (c->sha256 == NULL)
        return REPORT_OK;
    step s = begin(store, STATEMENT_INPUT);
    put_text(&s, c->sha256);
    put_text(&s, c->kind);
    put_int(&s, (int64_t)c->length);
    put_bytes(&s, c->text, c->length);
    return run(&s, error);
}

static report_status add_verdict(report_store *store, int64_t number,
                                 const report_case *c, report_error *error)
{
    step s = begin(store, STATEMENT_VERDICT);
    put_int(&s, number);
    put_int(&s, c->number);
    put_text(&s, c->path);
    put_text(&s, c->name);
    put_text(&s, c->kind);
    put_text(&s, c->sha256);
    put_text(&s, c->verdict);
    put_text(&s, c->reason);
    put_text(&s, c->details);
    put_int(&s, c->partial);
    put_int(&s, c->total);
    report_status status = run(&s, error);
    if (status != REPORT_OK || c->counted)
        return status;
    status = add_count(store, number, "verdict", c->verdict, 1, error);
    if (status == REPORT_OK && c->partial)
        status = add_count(store, number, "partial", "partial", 1, error);
    if (status == REPORT_OK && c->group != NULL)
        status = add_count(store, number, "reason", c->group, 1, error);
    return status;
}

/* --- Buckets --- */

/* A bucket is known by these. */
static void put_key(step *s, const report_finding *f)
{
    put_text(s, f->signature);
    put_int(s, REPORT_SIGNATURE_VERSION);
    put_text(s, f->rule);
}

/* The part of the bucket that this case belongs to, '' for the whole. */
static report_status find_part(char part[REPORT_PART], report_store *store,
                               const report_case *c, const report_finding *f,
                               report_error *error)
{
    step s = begin(store, STATEMENT_PART);
    put_key(&s, f);
    put_text(&s, c->path);
    part[0] = '\0';
    int code = s.failed == SQLITE_OK ? sqlite3_step(s.statement) : s.failed;
    if (code == SQLITE_ROW)
        snprintf(part, REPORT_PART, "%s",
                 (const char *)sqlite3_column_text(s.statement, 0));
    return end(&s, code == SQLITE_ROW || code == SQLITE_DONE, error);
}

/* Counts the finding in its bucket, which is made where there is none. */
static report_status count_in_bucket(int64_t *bucket, report_store *store,
                                     int64_t number, const report_case *c,
                                     const report_finding *f,
                                     report_error *error)
{
    char part[REPORT_PART];
    report_status status = find_part(part, store, c, f, error);
    if (status != REPORT_OK)
        return status;
    step s = begin(store, STATEMENT_BUCKET);
    put_key(&s, f);
    put_text(&s, part);
    put_text(&s, f->severity);
    put_text(&s, f->cause);
    put_text(&s, f->message);
    put_int(&s, number);
    put_int(&s, c->number);
    put_int(&s, c->sha256 == NULL ? INT64_MAX : (int64_t)c->length);
    int64_t head = 0;
    int code = s.failed == SQLITE_OK ? sqlite3_step(s.statement) : s.failed;
    if (code == SQLITE_ROW) {
        *bucket = sqlite3_column_int64(s.statement, 0);
        head = sqlite3_column_int64(s.statement, 1);
        code = sqlite3_step(s.statement);
    }
    status = end(&s, code == SQLITE_DONE, error);
    if (status != REPORT_OK || head != 0)
        return status;
    s = begin(store, STATEMENT_HEAD);
    put_int(&s, *bucket);
    return run(&s, error);
}

static report_status add_to_bucket(int64_t *bucket, report_store *store,
                                   int64_t number, const report_case *c,
                                   const report_finding *f, report_error *error)
{
    report_status status = count_in_bucket(bucket, store, number, c, f, error);
    if (status != REPORT_OK)
        return status;
    step s = begin(store, STATEMENT_RUN_BUCKET);
    put_int(&s, number);
    put_int(&s, *bucket);
    put_int(&s, c->number);
    put_text(&s, c->path);
    put_line(&s, f->line);
    put_text(&s, f->message);
    return run(&s, error);
}

static report_status add_finding(report_store *store, int64_t number,
                                 const report_case *c, size_t n,
                                 report_error *error)
{
    const report_finding *f = &c->findings[n];
    int64_t bucket = 0;
    report_status status = add_to_bucket(&bucket, store, number, c, f, error);
    if (status != REPORT_OK)
        return status;
    step s = begin(store, STATEMENT_FINDING);
    put_int(&s, number);
    put_int(&s, c->number);
    put_int(&s, (int64_t)n);
    put_int(&s, bucket);
    put_text(&s, f->rule);
    put_text(&s, f->severity);
    put_text(&s, f->cause);
    put_text(&s, f->signature);
    put_text(&s, f->message);
    put_line(&s, f->line);
    put_text_n(&s, f->json, f->json_length);
    status = run(&s, error);
    if (status == REPORT_OK)
        status = add_count(store, number, "severity", f->severity, 1, error);
    if (status == REPORT_OK)
        status = add_count(store, number, "rule", f->rule, 1, error);
    return status;
}

report_status report_add_case(report_store *store, int64_t number,
                              const report_case *c, report_error *error)
{
    report_status status = go_on(store, number, error);
    if (status == REPORT_OK)
        status = add_input(store, c, error);
    if (status == REPORT_OK)
        status = add_verdict(store, number, c, error);
    for (size_t n = 0; status == REPORT_OK && n < c->count; n++)
        status = add_finding(store, number, c, n, error);
    return status;
}

/* --- Blocks --- */

report_status report_add_block(report_store *store, int64_t number,
                               const report_block *block, report_error *error)
{
    report_status status = go_on(store, number, error);
    if (status != REPORT_OK)
        return status;
    step s = begin(store, STATEMENT_BLOCK);
    put_int(&s, number);
    put_int(&s, block->block);
    put_int(&s, block->first);
    put_int(&s, block->cases);
    put_text(&s, block->digest);
    put_text(&s, block->counts);
    return run(&s, error);
}

report_status report_add_count(report_store *store, int64_t number,
                               const char *what, const char *key, int64_t n,
                               report_error *error)
{
    report_status status = go_on(store, number, error);
    if (status == REPORT_OK)
        status = add_count(store, number, what, key, n, error);
    return status;
}
