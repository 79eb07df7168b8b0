#include "results.h"

#include <stdlib.h>
#include <string.h>

#include "reports/command.h"
#include "text.h"

#define UNREADABLE "the database cannot be read"

static report_status prepare(sqlite3_stmt **statement, report_store *store,
                             const char *sql, int64_t run, report_error *error)
{
    if (sqlite3_prepare_v2(store->db, sql, -1, statement, NULL) != SQLITE_OK ||
        sqlite3_bind_int64(*statement, 1, run) != SQLITE_OK)
        return report_fail_sql(error, store, UNREADABLE);
    return REPORT_OK;
}

static const char *column(sqlite3_stmt *row, int index)
{
    const unsigned char *text = sqlite3_column_text(row, index);
    return text == NULL ? "" : (const char *)text;
}

static const char *column_or_null(sqlite3_stmt *row, int index)
{
    return (const char *)sqlite3_column_text(row, index);
}

report_status report_ask(int64_t *value, report_store *store, const char *sql,
                         int64_t run, report_error *error)
{
    sqlite3_stmt *row = NULL;
    report_status status = prepare(&row, store, sql, run, error);
    int code = status == REPORT_OK ? sqlite3_step(row) : SQLITE_DONE;
    *value = code == SQLITE_ROW ? sqlite3_column_int64(row, 0) : 0;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = report_fail_sql(error, store, UNREADABLE);
    sqlite3_finalize(row);
    return status;
}

/* --- The run --- */

static const char run_sql[] =
    "SELECT run, tool, options, digest, iif(json_valid(options),"
    " options ->> '$.verb', NULL), pruned FROM runs" REPORT_MEANT;

static report_status no_memory(report_error *error)
{
    return report_fail(error, REPORT_NO_MEMORY, "out of memory");
}

static report_status take_run(report_subject *s, report_store *store,
                              sqlite3_stmt *row, report_error *error)
{
    const char *digest = column_or_null(row, 3);
    s->run = sqlite3_column_int64(row, 0);
    s->tool = strdup(column(row, 1));
    s->options = strdup(column(row, 2));
    s->digest = digest == NULL ? NULL : strdup(digest);
    s->fuzz = strcmp(column(row, 4), "fuzz") == 0;
    s->pruned = sqlite3_column_int(row, 5) != 0;
    if (s->tool == NULL || s->options == NULL ||
        (digest != NULL && s->digest == NULL))
        return no_memory(error);
    return report_command_ends(&s->before, &s->behind, store, s->options,
                               error);
}

report_status report_subject_read(report_subject *s, report_store *store,
                                  int64_t run, report_error *error)
{
    sqlite3_stmt *row = NULL;
    *s = (report_subject){0};
    report_status status = prepare(&row, store, run_sql, run, error);
    int code = status == REPORT_OK ? sqlite3_step(row) : SQLITE_DONE;
    if (code == SQLITE_ROW)
        status = take_run(s, store, row, error);
    else if (code != SQLITE_DONE)
        status = report_fail_sql(error, store, UNREADABLE);
    else if (status == REPORT_OK && run == 0)
        status = report_fail(error, REPORT_MISSING, "the database has no run");
    else if (status == REPORT_OK)
        status = report_fail(error, REPORT_MISSING,
                             "the database has no run %lld", (long long)run);
    sqlite3_finalize(row);
    return status;
}

void report_subject_free(report_subject *s)
{
    free(s->tool);
    free(s->options);
    free(s->digest);
    free(s->before);
    free(s->behind);
    *s = (report_subject){0};
}

char *report_subject_command(report_status *status, const report_subject *s,
                             const char *path, report_error *error)
{
    char *command = NULL;
    *status = REPORT_OK;
    if (strcmp(path, "-") == 0)
        return NULL;
    char *word = report_shell_word(path);
    /* A path that looks like an option. */
    const char *mark = *path == '-' ? "./" : "";
    if (word == NULL ||
        asprintf(&command, "%s%s%s%s", s->before, mark, word, s->behind) < 0) {
        command = NULL;
        *status = no_memory(error);
    }
    free(word);
    return command;
}

char *report_subject_place(const report_subject *subject,
                           const report_view *view, const char *path)
{
    if (strcmp(path, "-") == 0)
        return strdup("stdin");
    return report_place(path, subject->fuzz ? NULL : view->folder);
}

/* --- Results --- */

/* What the file of known issues says (report_name_known). */
#define NAMED                                                                  \
    " LEFT JOIN buckets AS b ON b.bucket = f.bucket"                           \
    " LEFT JOIN temp.named AS k ON k.head = b.head"
#define NAMED_COLUMNS ", k.until, k.owner, k.reason, k.expired"

/*
 * `seen` has the lowest rank of the findings that are listed, then that of
 * those that are no known issue, then their number. What is not decided has its
 * parts in `details`.
 */
#define FINDING_RANK REPORT_RANK("f.severity")
#define SEEN                                                                   \
    " coalesce((SELECT min(" FINDING_RANK                                      \
    ") + 4 * min(iif(k.expired = 0, 3, " FINDING_RANK                          \
    ")) + 16 * count(*) FROM findings AS f" NAMED                              \
    " WHERE f.run = v.run AND f.number = v.number), 15)"
#define CASE_COLUMNS(seen)                                                     \
    "v.number, v.path, v.kind, v.verdict, v.findings," seen ","                \
    " coalesce(v.reason, iif(v.verdict = 'undecided'"                          \
    " AND json_valid(v.details), v.details ->> '$.undecided[0]', '')),"        \
    " iif(v.verdict = 'undecided' AND json_valid(v.details),"                  \
    " coalesce(json_array_length(v.details, '$.undecided'), 0), 0)"
#define CASE_WIDTH 8
#define FINDING_WIDTH 12
#define FINDING_COLUMNS                                                        \
    "f.n, f.rule, f.severity, f.signature, f.message, f.cause, f.line,"        \
    " f.json" NAMED_COLUMNS

static const char by_number[] =
    "SELECT " CASE_COLUMNS(SEEN) " FROM verdicts AS v"
                                 " WHERE v.run = ?1 ORDER BY v.number";
static const char one_number[] =
    "SELECT " CASE_COLUMNS(SEEN) " FROM verdicts AS v"
                                 " WHERE v.run = ?1 AND v.number = ?2";
static const char keys_by_kind[] =
    "SELECT number FROM verdicts WHERE run = ?1 ORDER BY kind, path, number";
static const char of_case[] =
    "SELECT " FINDING_COLUMNS " FROM findings AS f" NAMED
    " WHERE f.run = ?1 AND f.number = ?2 ORDER BY f.n";
static const char by_rank[] =
    "SELECT " CASE_COLUMNS("15") ", " FINDING_COLUMNS
                                 " FROM findings AS f CROSS JOIN verdicts AS v "
                                 "USING(run, number)" NAMED
                                 " WHERE f.run = ?1 AND " FINDING_RANK
                                 " = ?2 ORDER BY f.number, f.n"
                                 " LIMIT ?3";

#define BUCKET_RANK REPORT_RANK("b.severity")
static const char by_bucket[] =
    "SELECT n, rule, severity, signature, message, cause, line, '{}', until,"
    " owner, reason, expired, path, bucket FROM (SELECT r.n, rule, severity,"
    " signature, part, r.message, cause, r.line, until, owner, reason, expired,"
    " r.path, bucket, iif(k.expired = 0, 1, 0) AS known, " BUCKET_RANK
    " AS rank, " REPORT_FRESH " AS fresh"
    " FROM run_buckets AS r JOIN buckets AS b USING(bucket)"
    " LEFT JOIN temp.named AS k ON k.head = b.head WHERE r.run = ?1)"
    " WHERE ?2 = 3 OR iif(known, 2, rank) = ?2" REPORT_WORST_FIRST(
        "known", "rank", "fresh", "n") " LIMIT ?3";

int report_rank(const char *severity)
{
    return strcmp(severity, "error") == 0     ? 0
           : strcmp(severity, "warning") == 0 ? 1
                                              : 2;
}

report_status report_cases_open(report_cursor *c, report_store *store,
                                int64_t run, const report_view *view,
                                report_order order, report_error *error)
{
    bool sorted = order == REPORT_BY_KIND;
    *c = (report_cursor){
        .store = store,
        .run = run,
        .fail_rank = view->fail_on == NULL ? 0 : report_rank(view->fail_on),
        .has_case = true,
    };
    report_status status =
        prepare(&c->rows, store, sorted ? one_number : by_number, run, error);
    if (status == REPORT_OK && sorted)
        status = prepare(&c->keys, store, keys_by_kind, run, error);
    return status;
}

report_status report_findings_open(report_cursor *c, report_store *store,
                                   int64_t run, report_error *error)
{
    *c = (report_cursor){.store = store, .run = run, .has_finding = true};
    return prepare(&c->rows, store, of_case, run, error);
}

void report_findings_of(report_cursor *c, int64_t number)
{
    sqlite3_reset(c->rows);
    sqlite3_bind_int64(c->rows, 2, number);
}

report_status report_ranked_open(report_cursor *c, report_store *store,
                                 int64_t run, int rank, int64_t most,
                                 report_error *error)
{
    *c = (report_cursor){
        .store = store, .run = run, .has_case = true, .has_finding = true};
    report_status status = prepare(&c->rows, store, by_rank, run, error);
    if (status == REPORT_OK) {
        sqlite3_bind_int(c->rows, 2, rank);
        sqlite3_bind_int64(c->rows, 3, most);
    }
    return status;
}

report_status report_worst_open(report_cursor *c, report_store *store,
                                int64_t run, int rank, int64_t most,
                                report_error *error)
{
    *c = (report_cursor){.store = store, .run = run, .has_bucket = true};
    report_status status = prepare(&c->rows, store, by_bucket, run, error);
    if (status == REPORT_OK) {
        sqlite3_bind_int(c->rows, 2, rank);
        sqlite3_bind_int64(c->rows, 3, most);
    }
    return status;
}

/*
 * Red is what the exit status of the run is not 0 for. What is not decided,
 * not judged for want of meaning, or not listed whole, is neither.
 */
static report_outcome outcome_by(const report_result *r, int fail_rank)
{
    bool refused = strcmp(r->verdict, "refused") == 0;
    if (strcmp(r->verdict, "crashed") == 0 ||
        strcmp(r->verdict, "timed_out") == 0)
        return REPORT_ERRS;
    if (refused && (r->worst <= fail_rank || r->worst == REPORT_NO_RANK))
        return REPORT_ERRS;
    if (r->worst <= fail_rank)
        return REPORT_FAILS;
    return refused || strcmp(r->verdict, "undecided") == 0 ||
                   r->total > r->listed
               ? REPORT_SKIPPED
               : REPORT_PASSES;
}

/*
 * A case whose findings that make it red are all known is known; what is not
 * listed is not.
 */
static report_outcome outcome_of(const report_result *r, int fail_rank)
{
    report_outcome outcome = outcome_by(r, fail_rank);
    bool red = outcome == REPORT_FAILS || outcome == REPORT_ERRS;
    return red && r->worst <= fail_rank && r->worst_new > fail_rank &&
                   r->total <= r->listed
               ? REPORT_KNOWN
               : outcome;
}

static void take_case(report_result *r, sqlite3_stmt *row, int fail_rank)
{
    int64_t seen = sqlite3_column_int64(row, 5);
    *r = (report_result){
        .number = sqlite3_column_int64(row, 0),
        .path = column(row, 1),
        .kind = column(row, 2),
        .verdict = column(row, 3),
        .total = sqlite3_column_int64(row, 4),
        .reason = column(row, 6),
        .reasons = sqlite3_column_int64(row, 7),
        .worst = (int)(seen & 3),
        .worst_new = (int)(seen >> 2 & 3),
        .listed = seen >> 4,
    };
    r->outcome = outcome_of(r, fail_rank);
}

static void take_finding(report_result *r, sqlite3_stmt *row, int from)
{
    r->n = sqlite3_column_int64(row, from);
    r->rule = column(row, from + 1);
    r->severity = column(row, from + 2);
    r->signature = column(row, from + 3);
    r->message = column(row, from + 4);
    r->cause = column_or_null(row, from + 5);
    r->line = sqlite3_column_int64(row, from + 6);
    r->line = r->line < 0 ? 0 : r->line;
    r->json = column(row, from + 7);
    r->until = column_or_null(row, from + 8);
    r->owner = column(row, from + 9);
    r->why = column(row, from + 10);
    r->expired = sqlite3_column_int(row, from + 11) != 0;
}

/* The number of the next case; SQLITE_ROW where there is one. */
static int next_key(report_cursor *c)
{
    int code = sqlite3_step(c->keys);
    if (code != SQLITE_ROW)
        return code;
    sqlite3_reset(c->rows);
    sqlite3_bind_int64(c->rows, 2, sqlite3_column_int64(c->keys, 0));
    return code;
}

report_status report_cursor_next(bool *more, report_result *result,
                                 report_cursor *c, report_error *error)
{
    int code = c->keys == NULL ? SQLITE_ROW : next_key(c);
    if (code == SQLITE_ROW)
        code = sqlite3_step(c->rows);
    *more = code == SQLITE_ROW;
    *result =
        (report_result){.worst = REPORT_NO_RANK, .worst_new = REPORT_NO_RANK};
    if (code == SQLITE_DONE)
        return REPORT_OK;
    if (code != SQLITE_ROW)
        return report_fail_sql(error, c->store, UNREADABLE);
    if (c->has_case)
        take_case(result, c->rows, c->fail_rank);
    if (c->has_finding)
        take_finding(result, c->rows, c->has_case ? CASE_WIDTH : 0);
    if (c->has_bucket) {
        take_finding(result, c->rows, 0);
        result->path = column(c->rows, FINDING_WIDTH);
        result->bucket = sqlite3_column_int64(c->rows, FINDING_WIDTH + 1);
    }
    return REPORT_OK;
}

void report_cursor_close(report_cursor *c)
{
    sqlite3_finalize(c->keys);
    sqlite3_finalize(c->rows);
    *c = (report_cursor){0};
}

/* --- What all writers do --- */

report_status report_count(int64_t *n, report_store *store, int64_t run,
                           const char *what, const char *key,
                           report_error *error)
{
    sqlite3_stmt *row = NULL;
    report_status status =
        prepare(&row, store,
                "SELECT sum(n) FROM counts WHERE run = ?1 AND what = ?2"
                " AND (?3 IS NULL OR key = ?3)",
                run, error);
    *n = 0;
    if (status == REPORT_OK) {
        sqlite3_bind_text(row, 2, what, -1, SQLITE_STATIC);
        sqlite3_bind_text(row, 3, key, -1, SQLITE_STATIC);
        if (sqlite3_step(row) == SQLITE_ROW)
            *n = sqlite3_column_int64(row, 0);
        else
            status = report_fail_sql(error, store, UNREADABLE);
    }
    sqlite3_finalize(row);
    return status;
}

report_status report_unlisted_cases(int64_t *count, report_store *store,
                                    int64_t run, report_error *error)
{
    return report_ask(count, store,
                      "SELECT coalesce((SELECT sum(n) FROM counts"
                      " WHERE run = ?1 AND what = 'verdict'), 0)"
                      " - (SELECT count(*) FROM verdicts WHERE run = ?1)",
                      run, error);
}

/* Without its rows a run would look green. */
static report_status check_rows(const report_writing *w)
{
    return w->subject.pruned
               ? report_fail(
                     w->error, REPORT_MISSING,
                     "the results of run %lld were taken away (report "
                     "gc): the formats text, json, markdown, github and html "
                     "tell what was counted",
                     (long long)w->subject.run)
               : REPORT_OK;
}

report_status report_write(FILE *out, report_store *store,
                           const report_view *view, report_error *error,
                           bool rows, report_status (*body)(report_writing *w))
{
    report_writing w = {
        .out = out, .store = store, .view = view, .error = error};
    /* Somebody's own transaction is a moment, too. */
    bool own = sqlite3_get_autocommit(store->db) != 0;
    report_status status = report_make_known(store, error);
    if (status == REPORT_OK && own)
        status = report_run_sql(store, "BEGIN", UNREADABLE, error);
    if (status != REPORT_OK)
        return status;
    status = report_name_known(store, error);
    if (status == REPORT_OK)
        status = report_subject_read(&w.subject, store, view->run, error);
    if (status == REPORT_OK && rows)
        status = check_rows(&w);
    if (status == REPORT_OK)
        status = body(&w);
    report_subject_free(&w.subject);
    if (own)
        sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
    return status;
}

report_status report_put_command(report_writing *w, report_form form,
                                 const char *before, const char *behind,
                                 const char *path)
{
    report_status status;
    char *command =
        report_subject_command(&status, &w->subject, path, w->error);
    if (command != NULL) {
        fputs(before, w->out);
        report_put(w->out, form, command);
        fputs(behind, w->out);
    }
    free(command);
    return status;
}

report_status report_put_verb(report_writing *w, report_form form,
                              const char *verb)
{
    const char *name = w->view->database;
    char *db = report_shell_word(name == NULL ? "DB" : name);
    if (db == NULL)
        return no_memory(w->error);
    fprintf(w->out, "counterpoint %s ", verb);
    report_put(w->out, form, db);
    free(db);
    return REPORT_OK;
}

bool report_is_known(const report_result *finding)
{
    return finding->until != NULL && !finding->expired;
}

void report_put_known(FILE *out, report_form form, const report_result *r)
{
    if (r->until == NULL)
        return;
    fputs(r->expired ? "EXPIRED: was known until " : "known until ", out);
    report_put(out, form, r->until);
    fputs(", ", out);
    report_put(out, form, r->owner);
    fputs(": ", out);
    report_put(out, form, r->why);
}

void report_put_reason(FILE *out, report_form form, const report_result *r)
{
    char more[64] = "";
    if (*r->reason == '\0' && r->total > r->listed)
        snprintf(more, sizeof more, "%lld findings are not listed",
                 (long long)(r->total - r->listed));
    else if (*r->reason == '\0')
        snprintf(more, sizeof more, "%s", r->verdict);
    else if (r->reasons > 1)
        snprintf(more, sizeof more, " (and %lld more)",
                 (long long)r->reasons - 1);
    report_put(out, form, r->reason);
    report_put(out, form, more);
}
