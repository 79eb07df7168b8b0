/* Buckets over all runs as issues, each in its state. */
#include "reports/triage.h"

#include <stdlib.h>
#include <string.h>

#include "internal.h"

static const char unreadable[] = "the database cannot be read";

static const char *const state_names[REPORT_STATES] = {
    [REPORT_STATE_NEW] = "new",     [REPORT_STATE_REAPPEARED] = "reappeared",
    [REPORT_STATE_OPEN] = "open",   [REPORT_STATE_FLAKY] = "flaky",
    [REPORT_STATE_NAMED] = "known", [REPORT_STATE_FIXED] = "fixed",
};

const char *report_state_name(report_state state)
{
    return state_names[state];
}

static report_status prepare(sqlite3_stmt **statement, report_store *store,
                             const char *sql, report_error *error)
{
    if (sqlite3_prepare_v2(store->db, sql, -1, statement, NULL) != SQLITE_OK)
        return report_fail_sql(error, store, unreadable);
    return REPORT_OK;
}

static const char *column(sqlite3_stmt *row, int index)
{
    const unsigned char *text = sqlite3_column_text(row, index);
    return text == NULL ? "" : (const char *)text;
}

/* --- Known issues --- */

report_status report_make_known(report_store *store, report_error *error)
{
    return report_run_sql(store,
                          "PRAGMA temp_store = MEMORY;"
                          "CREATE TEMP TABLE IF NOT EXISTS known("
                          "signature TEXT PRIMARY KEY, until TEXT, owner TEXT,"
                          " reason TEXT, expired INTEGER) WITHOUT ROWID",
                          unreadable, error);
}

report_status report_name_known(report_store *store, report_error *error)
{
    return report_run_sql(store,
                          "CREATE TEMP TABLE IF NOT EXISTS named("
                          "head INTEGER PRIMARY KEY, until TEXT, owner TEXT,"
                          " reason TEXT, expired INTEGER);"
                          "DELETE FROM temp.named;"
                          "INSERT INTO temp.named SELECT head, max(until),"
                          " owner, reason, expired FROM temp.known"
                          " JOIN buckets USING(signature) GROUP BY head",
                          unreadable, error);
}

static report_status add_known(report_store *store, sqlite3_stmt *statement,
                               const report_known *known, const char *today,
                               report_error *error)
{
    const char *const texts[] = {known->signature, known->until, known->owner,
                                 known->reason};
    for (int i = 0; i < 4; i++)
        sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_STATIC);
    sqlite3_bind_int(statement, 5, strcmp(known->until, today) < 0);
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? REPORT_OK
                               : report_fail_sql(error, store, unreadable);
}

report_status report_triage(report_store *store, const report_known_list *known,
                            const char *today, report_error *error)
{
    sqlite3_stmt *statement = NULL;
    store->has_known = known != NULL;
    report_status status = report_make_known(store, error);
    if (status == REPORT_OK)
        status =
            report_run_sql(store, "DELETE FROM temp.known", unreadable, error);
    if (status == REPORT_OK)
        status = prepare(&statement, store,
                         "INSERT INTO temp.known VALUES(?, ?, ?, ?, ?)", error);
    for (size_t i = 0; status == REPORT_OK && known != NULL && i < known->count;
         i++)
        status = add_known(store, statement, &known->items[i], today, error);
    sqlite3_finalize(statement);
    return status;
}

/* --- Issues --- */

#define RANK REPORT_RANK("severity")
/*
 * `heads` sums up what was joined: it is gone when all of it is; `stayed` tells
 * that some of it is there without having been gone. `asked` is the last rerun,
 * `named` what the known issues say.
 */
#define SUMS                                                                   \
    "WITH heads AS (SELECT head, min(first_run) AS first_run,"                 \
    " max(last_run) AS last_run, sum(n) AS n, min(" RANK ") AS rank,"          \
    " iif(count(gone_run) = count(*), max(gone_run), NULL) AS gone_run,"       \
    " max(back_run) AS back_run, max(gone_run IS NULL AND"                     \
    " coalesce(back_run, 0) < last_run) AS stayed"                             \
    " FROM buckets GROUP BY head),"                                            \
    " asks AS (SELECT head, run, sum(times) AS times, sum(shown) AS shown,"    \
    " max(shown > 0 AND shown < times) AS flaky"                               \
    " FROM reruns JOIN buckets USING(bucket) GROUP BY head, run),"             \
    " asked AS (SELECT head, max(run), times, shown, flaky"                    \
    " FROM asks GROUP BY head),"                                               \
    " named AS (SELECT head, max(until) AS until, owner, reason, expired"      \
    " FROM temp.known JOIN buckets USING(signature) GROUP BY head)"

#define COLUMNS(n, missed)                                                     \
    " AS state, s.rank, h.bucket, h.rule, h.cause, h.signature, h.part,"       \
    " h.title, " n " AS n, s.first_run, s.last_run, s.gone_run, s.back_run,"   \
    " a.times, a.shown, r.path, r.line, r.message, k.until, k.owner,"          \
    " k.reason, k.expired, (SELECT group_concat(label, ', ') FROM (SELECT"     \
    " label FROM labels AS l JOIN buckets AS m USING(bucket)"                  \
    " WHERE m.head = h.bucket GROUP BY label ORDER BY label)) AS labels,"      \
    " h.note, (SELECT group_concat(bucket, ', ') FROM buckets AS m"            \
    " WHERE m.head = h.bucket AND m.bucket <> h.bucket) AS joined, " missed
#define BESIDE                                                                 \
    " JOIN buckets AS h ON h.bucket = s.head"                                  \
    " LEFT JOIN asked AS a ON a.head = s.head"                                 \
    " LEFT JOIN named AS k ON k.head = s.head"

/* Which of them, in which order; the numbers are those of report_state. */
#define CHOSEN                                                                 \
    " SELECT * FROM told WHERE (?5 IS NULL OR state = ?5) AND (?6 IS NULL OR " \
    "rule = ?6)"                                                               \
    " AND (state <> 5 OR ?5 = 5 OR ?7 <> 0 OR ?8 <> 0)" REPORT_WORST_FIRST(    \
        "max(state - 3, 0)", "rank", "state < 2", "n")

#define NOW_COLUMNS COLUMNS("s.n", "0")

/* ?4: since, ?8: a bucket. */
static const char as_of_now[] =
    SUMS ", newest AS (SELECT max(run) AS run FROM runs"
         " GROUP BY json_remove(options, '$.seed')),"
         " told AS MATERIALIZED (SELECT CASE"
         " WHEN s.gone_run IS NOT NULL AND NOT coalesce(a.flaky, 0) THEN 5"
         " WHEN k.expired = 0 THEN 4 WHEN a.flaky THEN 3"
         " WHEN s.first_run = s.last_run AND s.back_run IS NULL"
         " AND s.first_run IN (SELECT run FROM newest) THEN 0"
         " WHEN s.back_run >= s.last_run AND NOT s.stayed THEN 1 ELSE 2 "
         "END" NOW_COLUMNS " FROM heads AS s" BESIDE
         " LEFT JOIN run_buckets AS r ON r.run = s.last_run"
         " AND r.bucket = (SELECT m.bucket FROM buckets AS m"
         " WHERE m.head = s.head AND +m.last_run = s.last_run"
         " ORDER BY m.bucket LIMIT 1)"
         " WHERE (?4 = 0 OR s.first_run > ?4 OR s.back_run > ?4)"
         " AND (?8 = 0 OR s.head = ?8))" CHOSEN;

/* Of what is shown as a bucket: whether `run` could not have shown some of what
 * `last` has of it. */
#define ANY_COULD_NOT(run, last, there)                                        \
    " EXISTS (SELECT 1 FROM buckets AS m CROSS JOIN run_buckets AS q"          \
    " WHERE m.head = s.head AND q.bucket = m.bucket AND q.run = " last         \
    " AND" REPORT_COULD_NOT(run, "m.bucket", last, there) ")"
#define GAP_COULD_NOT                                                          \
    ANY_COULD_NOT("gaps.gap", "r.before",                                      \
                  "(gaps.gap, b.path) IN (SELECT run, path FROM verdicts"      \
                  " WHERE run IN (SELECT gap FROM gaps))")
#define MISSED                                                                 \
    "CASE WHEN ?2 <> 0 AND NOT ?3 THEN" ANY_COULD_NOT(                         \
        "?2", "?1",                                                            \
        "b.path IN (SELECT path FROM verdicts WHERE run = ?2)") " ELSE 0 END"
#define THEN_COLUMNS COLUMNS("r.n", MISSED)

/*
 * ?1: the run, ?2: the other one, ?3: whether that has to have it. `here` is
 * what the run has, `prior` the last run before that has it, too, and `gaps`
 * those between. It is back when one of these could have shown it.
 */
static const char as_of_then[] = SUMS
    ", here AS (SELECT head, sum(q.n) AS n, min(q.number), path, line, message"
    " FROM run_buckets AS q JOIN buckets USING(bucket) WHERE q.run = ?1"
    " GROUP BY head),"
    " prior AS MATERIALIZED (SELECT head, n, path, line, message, (SELECT"
    " max((SELECT max(q.run) FROM run_buckets AS q"
    " WHERE q.bucket = m.bucket AND q.run < ?1)) FROM buckets AS m"
    " WHERE m.head = here.head) AS before FROM here),"
    " gaps AS MATERIALIZED (SELECT p.run, g.run AS gap FROM runs AS p"
    " JOIN runs AS g USING(options) WHERE p.run IN (SELECT before FROM prior)"
    " AND g.run > p.run AND g.run < ?1 AND g.digest IS NOT NULL),"
    " told AS MATERIALIZED (SELECT CASE WHEN k.expired = 0 THEN 4"
    " WHEN a.flaky THEN 3 WHEN r.before IS NULL THEN 0"
    " WHEN s.back_run = ?1 THEN 1"
    " WHEN EXISTS (SELECT 1 FROM gaps WHERE gaps.run = r.before"
    " AND NOT" GAP_COULD_NOT ") THEN 1 ELSE 2 END" THEN_COLUMNS
    " FROM prior AS r JOIN heads AS s USING(head)" BESIDE
    " WHERE ?2 = 0 OR EXISTS (SELECT 1 FROM buckets AS m"
    " CROSS JOIN run_buckets AS q WHERE m.head = s.head"
    " AND q.bucket = m.bucket AND q.run = ?2) = ?3)" CHOSEN;

static void take_issue(report_issue *issue, sqlite3_stmt *row)
{
    static const char *const severities[] = {"error", "warning", "note"};
    *issue = (report_issue){
        .state = (report_state)sqlite3_column_int(row, 0),
        .severity = severities[sqlite3_column_int(row, 1)],
        .bucket = sqlite3_column_int64(row, 2),
        .rule = column(row, 3),
        .cause = column(row, 4),
        .signature = column(row, 5),
        .part = column(row, 6),
        .title = column(row, 7),
        .n = sqlite3_column_int64(row, 8),
        .first_run = sqlite3_column_int64(row, 9),
        .last_run = sqlite3_column_int64(row, 10),
        .gone_run = sqlite3_column_int64(row, 11),
        .back_run = sqlite3_column_int64(row, 12),
        .times = sqlite3_column_int64(row, 13),
        .shown = sqlite3_column_int64(row, 14),
        .path = column(row, 15),
        .line = sqlite3_column_int64(row, 16),
        .message = column(row, 17),
        .until = column(row, 18),
        .owner = column(row, 19),
        .reason = column(row, 20),
        .expired = sqlite3_column_int(row, 21) != 0,
        .labels = column(row, 22),
        .note = column(row, 23),
        .joined = column(row, 24),
        .missed = sqlite3_column_int(row, 25) != 0,
    };
}

static int state_number(const char *name)
{
    int i = 0;
    while (i < REPORT_STATES && strcmp(state_names[i], name) != 0)
        i++;
    return i;
}

static void bind_question(sqlite3_stmt *row, const report_question *q)
{
    sqlite3_bind_int64(row, 1, q->run);
    sqlite3_bind_int64(row, 2, q->other);
    sqlite3_bind_int(row, 3, q->both);
    sqlite3_bind_int64(row, 4, q->since);
    if (q->state != NULL)
        sqlite3_bind_int(row, 5, state_number(q->state));
    sqlite3_bind_text(row, 6, q->rule, -1, SQLITE_STATIC);
    sqlite3_bind_int(row, 7, q->all);
    sqlite3_bind_int64(row, 8, q->bucket);
}

report_status report_each_issue(report_store *store,
                                const report_question *question,
                                report_see_issue *see, void *context,
                                report_error *error)
{
    sqlite3_stmt *row = NULL;
    int code = SQLITE_DONE;
    bool goes_on = true;
    const char *sql = question->run == 0 ? as_of_now : as_of_then;
    report_status status = prepare(&row, store, sql, error);
    if (status != REPORT_OK)
        return status;
    bind_question(row, question);
    while (goes_on && (code = sqlite3_step(row)) == SQLITE_ROW) {
        report_issue issue;
        take_issue(&issue, row);
        goes_on = see(context, &issue);
    }
    if (goes_on && code != SQLITE_DONE)
        status = report_fail_sql(error, store, unreadable);
    sqlite3_finalize(row);
    return status;
}

/* --- One bucket --- */

static report_status find_by_number(int64_t *bucket, int64_t *head,
                                    report_store *store, int64_t number,
                                    report_error *error)
{
    sqlite3_stmt *row = NULL;
    report_status status =
        prepare(&row, store,
                "SELECT bucket, head FROM buckets WHERE bucket = ?", error);
    if (status != REPORT_OK)
        return status;
    sqlite3_bind_int64(row, 1, number);
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW) {
        *bucket = sqlite3_column_int64(row, 0);
        *head = sqlite3_column_int64(row, 1);
    } else if (code != SQLITE_DONE) {
        status = report_fail_sql(error, store, unreadable);
    }
    sqlite3_finalize(row);
    return status;
}

/* Several buckets of one signature, as words that tell them apart. */
static report_status refuse_several(const char *word, const char *list,
                                    report_error *error)
{
    return report_fail(error, REPORT_MISSING,
                       "several buckets begin with %s: name one of %s", word,
                       list);
}

static report_status find_by_signature(int64_t *bucket, int64_t *head,
                                       report_store *store, const char *word,
                                       report_error *error)
{
    static const char sql[] =
        "SELECT min(bucket), min(head), max(head), (SELECT"
        " group_concat(bucket || ' (' || rule || iif(part = '', '', ' of ')"
        " || part || ')', ', ') FROM (SELECT bucket, rule, part FROM buckets"
        " WHERE signature >= ?1 AND signature < ?1 || 'g'"
        " ORDER BY bucket LIMIT 8))"
        " FROM buckets WHERE signature >= ?1 AND signature < ?1 || 'g'";
    sqlite3_stmt *row = NULL;
    report_status status = prepare(&row, store, sql, error);
    if (status != REPORT_OK)
        return status;
    sqlite3_bind_text(row, 1, word, -1, SQLITE_STATIC);
    if (sqlite3_step(row) != SQLITE_ROW) {
        status = report_fail_sql(error, store, unreadable);
    } else if (sqlite3_column_int64(row, 1) != sqlite3_column_int64(row, 2)) {
        status = refuse_several(word, column(row, 3), error);
    } else {
        *bucket = sqlite3_column_int64(row, 0);
        *head = sqlite3_column_int64(row, 1);
    }
    sqlite3_finalize(row);
    return status;
}

report_status report_find_bucket(int64_t *bucket, int64_t *head,
                                 report_store *store, const char *word,
                                 report_error *error)
{
    enum { LEAST = 4, MOST = 16 };
    size_t length = strlen(word);
    size_t hex = strspn(word, "0123456789abcdef");
    report_status status = REPORT_OK;
    *bucket = *head = 0;
    if (strspn(word, "0123456789") == length && length > 0 && length < MOST)
        status =
            find_by_number(bucket, head, store, strtoll(word, NULL, 10), error);
    if (status == REPORT_OK && *bucket == 0 && hex == length &&
        length >= LEAST && length <= MOST)
        status = find_by_signature(bucket, head, store, word, error);
    if (status == REPORT_OK && *bucket == 0)
        status = report_fail(error, REPORT_MISSING,
                             "there is no bucket '%s': name one by its number, "
                             "or by four or more digits of its signature",
                             word);
    return status;
}

/* --- Runs --- */

#define RUN_COLUMNS                                                            \
    "SELECT g.run, json_extract(g.options, '$.verb'), g.tool, g.options,"      \
    " g.revision, g.digest"

static bool give_run(report_see_run *see, void *context, sqlite3_stmt *row)
{
    report_run_info info = {
        .run = sqlite3_column_int64(row, 0),
        .verb = column(row, 1),
        .tool = column(row, 2),
        .options = column(row, 3),
        .revision = column(row, 4),
        .digest = column(row, 5),
        .n = sqlite3_column_int64(row, 6),
        .path = column(row, 7),
        .line = sqlite3_column_int64(row, 8),
    };
    return see(context, &info);
}

report_status report_each_run_of(report_store *store, int64_t bucket,
                                 int64_t most, report_see_run *see,
                                 void *context, report_error *error)
{
    static const char sql[] = RUN_COLUMNS
        ", sum(q.n), q.path, q.line, min(q.number) FROM buckets AS m"
        " JOIN run_buckets AS q USING(bucket) JOIN runs AS g USING(run)"
        " WHERE m.head = ?1 GROUP BY g.run ORDER BY g.run DESC LIMIT ?2";
    sqlite3_stmt *row = NULL;
    int code = SQLITE_DONE;
    bool goes_on = true;
    report_status status = prepare(&row, store, sql, error);
    if (status != REPORT_OK)
        return status;
    sqlite3_bind_int64(row, 1, bucket);
    sqlite3_bind_int64(row, 2, most);
    while (goes_on && (code = sqlite3_step(row)) == SQLITE_ROW)
        goes_on = give_run(see, context, row);
    if (goes_on && code != SQLITE_DONE)
        status = report_fail_sql(error, store, unreadable);
    sqlite3_finalize(row);
    return status;
}

report_status report_see_one_run(report_store *store, int64_t run,
                                 report_see_run *see, void *context,
                                 report_error *error)
{
    static const char sql[] =
        RUN_COLUMNS ", 0, '', 0 FROM runs AS g" REPORT_MEANT;
    sqlite3_stmt *row = NULL;
    report_status status = prepare(&row, store, sql, error);
    if (status != REPORT_OK)
        return status;
    sqlite3_bind_int64(row, 1, run);
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW)
        (void)give_run(see, context, row);
    else if (code != SQLITE_DONE)
        status = report_fail_sql(error, store, unreadable);
    else if (run == 0)
        status = report_fail(error, REPORT_MISSING, "the database has no run");
    else
        status = report_fail(error, REPORT_MISSING,
                             "the database has no run %lld", (long long)run);
    sqlite3_finalize(row);
    return status;
}

report_status report_compare_options(char **differs, report_store *store,
                                     int64_t first, int64_t second,
                                     report_error *error)
{
#define OPTIONS_OF(run)                                                        \
    "SELECT key, value FROM json_each((SELECT options FROM runs"               \
    " WHERE run = " run "))"
#define ONLY_OF(a, b)                                                          \
    "SELECT key FROM (" OPTIONS_OF(a) " EXCEPT " OPTIONS_OF(b) ")"
    static const char sql[] =
        "SELECT group_concat(word, ', ') FROM (SELECT key AS word FROM"
        " (" ONLY_OF("?1", "?2") " UNION " ONLY_OF(
            "?2", "?1") ") UNION ALL SELECT 'version' FROM runs AS a, runs AS b"
                        " WHERE a.run = ?1 AND b.run = ?2 AND a.tool <> b.tool"
                        " AND json_extract(a.options, '$.verb') = 'fuzz'"
                        " UNION ALL SELECT 'interrupted' FROM runs"
                        " WHERE run = ?2 AND digest IS NULL)";
    sqlite3_stmt *row = NULL;
    report_status status = prepare(&row, store, sql, error);
    if (status != REPORT_OK)
        return status;
    sqlite3_bind_int64(row, 1, first);
    sqlite3_bind_int64(row, 2, second);
    if (sqlite3_step(row) != SQLITE_ROW)
        status = report_fail_sql(error, store, unreadable);
    else if ((*differs = strdup(column(row, 0))) == NULL)
        status = report_fail(error, REPORT_NO_MEMORY, "out of memory");
    sqlite3_finalize(row);
    return status;
}

/* --- The smallest case --- */

static char *copy(sqlite3_stmt *row, int index)
{
    return strdup(column(row, index));
}

static report_status take_example(report_example *e, report_store *store,
                                  sqlite3_stmt *row, report_error *error)
{
    e->bucket = sqlite3_column_int64(row, 0);
    e->run = sqlite3_column_int64(row, 1);
    e->number = sqlite3_column_int64(row, 2);
    e->rule = copy(row, 3);
    e->signature = copy(row, 4);
    e->severity = copy(row, 5);
    e->path = copy(row, 6);
    e->sha256 = copy(row, 7);
    e->bytes = sqlite3_column_type(row, 8) == SQLITE_NULL
                   ? -1
                   : sqlite3_column_int64(row, 8);
    e->tool = copy(row, 9);
    e->message = copy(row, 10);
    e->json = copy(row, 11);
    if (e->rule == NULL || e->signature == NULL || e->severity == NULL ||
        e->path == NULL || e->sha256 == NULL || e->tool == NULL ||
        e->message == NULL || e->json == NULL)
        return report_fail(error, REPORT_NO_MEMORY, "out of memory");
    report_status status =
        report_find_case(&e->stored, store, e->run, e->number, NULL, error);
    return status == REPORT_MISSING ? REPORT_OK : status;
}

report_status report_find_example(report_example *example, report_store *store,
                                  int64_t bucket, bool joined,
                                  report_error *error)
{
#define FINDING(column)                                                        \
    "(SELECT " column " FROM findings AS f WHERE f.run = b.smallest_run"       \
    " AND f.number = b.smallest_number AND f.bucket = b.bucket"                \
    " ORDER BY f.n LIMIT 1)"
    static const char sql[] =
        "SELECT b.bucket, b.smallest_run, b.smallest_number, b.rule,"
        " b.signature, b.severity, v.path, i.sha256, i.bytes, g.tool,"
        " coalesce(" FINDING("message") ", b.title), " FINDING(
            "json") " FROM buckets AS b LEFT JOIN verdicts AS v"
                    " ON v.run = b.smallest_run"
                    " AND v.number = b.smallest_number"
                    " LEFT JOIN inputs AS i USING(input)"
                    " LEFT JOIN runs AS g ON g.run = b.smallest_run"
                    " WHERE b.head = (SELECT head FROM buckets WHERE bucket = "
                    "?1) AND (?2 OR b.bucket = ?1) ORDER BY b.smallest_bytes,"
                    " b.smallest_run, b.smallest_number, b.bucket LIMIT 1";
    sqlite3_stmt *row = NULL;
    *example = (report_example){0};
    report_status status = prepare(&row, store, sql, error);
    if (status != REPORT_OK)
        return status;
    sqlite3_bind_int64(row, 1, bucket);
    sqlite3_bind_int(row, 2, joined);
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW)
        status = take_example(example, store, row, error);
    else if (code == SQLITE_DONE)
        status = report_fail(error, REPORT_MISSING, "there is no such bucket");
    else
        status = report_fail_sql(error, store, unreadable);
    sqlite3_finalize(row);
    if (status != REPORT_OK)
        report_example_free(example);
    return status;
}

void report_example_free(report_example *e)
{
    free(e->path);
    free(e->sha256);
    free(e->message);
    free(e->json);
    free(e->tool);
    free(e->rule);
    free(e->signature);
    free(e->severity);
    report_stored_free(&e->stored);
    *e = (report_example){0};
}

/* --- Since when --- */

/* ?1: the bucket. `here` is its first case of the first run that has it. */
static const char range_sql[] =
    "WITH streak AS (SELECT min(q.run) AS run FROM buckets AS m"
    " JOIN run_buckets AS q USING(bucket) WHERE m.head = ?1 AND q.run >="
    " (SELECT coalesce(max(back_run), 0) FROM buckets WHERE head = ?1)),"
    " here AS (SELECT q.run, min(q.number) AS number, q.path FROM buckets AS m"
    " JOIN run_buckets AS q USING(bucket) WHERE m.head = ?1"
    " AND q.run = (SELECT run FROM streak)),"
    " could AS (SELECT g.run, h.number, h.path FROM here AS h JOIN runs AS b"
    " USING(run) JOIN runs AS g USING(options) WHERE g.run < b.run"
    " AND g.digest IS NOT NULL AND NOT EXISTS (SELECT 1 FROM buckets AS m"
    " CROSS JOIN run_buckets AS q WHERE m.head = ?1 AND q.bucket = m.bucket"
    " AND q.run = g.run) AND NOT EXISTS (SELECT 1 FROM verdicts AS v"
    " INDEXED BY unjudged WHERE v.run = g.run AND v.path = h.path"
    " AND v.verdict IN ('crashed', 'timed_out'))"
    /* A run of a verb that keeps each case has to have looked at the file. */
    " AND (g.pruned OR json_extract(g.options, '$.verb') = 'fuzz'"
    " OR EXISTS (SELECT 1 FROM verdicts AS v WHERE v.run = g.run"
    " AND v.number = h.number AND v.path = h.path)"
    " OR EXISTS (SELECT 1 FROM verdicts AS v WHERE v.run = g.run"
    " AND v.path = h.path)) ORDER BY g.run DESC LIMIT 1)"
    " SELECT (SELECT run FROM streak), (SELECT run FROM could),"
    " (SELECT v.input <> w.input FROM could AS c JOIN verdicts AS v"
    " ON v.run = c.run AND v.number = c.number AND v.path = c.path"
    " JOIN here AS h JOIN verdicts AS w ON w.run = h.run"
    " AND w.number = h.number)";

report_status report_find_range(report_range *range, report_store *store,
                                int64_t bucket, report_error *error)
{
    sqlite3_stmt *row = NULL;
    *range = (report_range){0};
    report_status status = prepare(&row, store, range_sql, error);
    if (status != REPORT_OK)
        return status;
    sqlite3_bind_int64(row, 1, bucket);
    if (sqlite3_step(row) == SQLITE_ROW) {
        range->bad = sqlite3_column_int64(row, 0);
        range->good = sqlite3_column_int64(row, 1);
        range->changed = sqlite3_column_int(row, 2) != 0;
    } else {
        status = report_fail_sql(error, store, unreadable);
    }
    sqlite3_finalize(row);
    return status;
}
