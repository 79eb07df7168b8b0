#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../scripts/testing/harness.h"
#include "reports/write.h"

#define DIGEST "0123456789abcdef"

typedef struct place {
    char folder[40];
    char path[64];
} place;

static place make_place(void)
{
    place p = {.folder = "/tmp/counterpoint-store-XXXXXX"};
    assert_non_null(mkdtemp(p.folder));
    snprintf(p.path, sizeof p.path, "%s/x.db", p.folder);
    return p;
}

static void remove_place(const place *p)
{
    char path[80];
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(path, sizeof path, "%s%s", p->path, endings[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(p->folder), 0);
}

/* What a writer writes of a run (0: the last). free() it. */
static char *write_of(report_writer *write, report_store *store, int64_t run)
{
    char *text = NULL;
    size_t length = 0;
    report_error error = {0};
    report_view view = {.run = run};
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    report_status status = write(out, store, &view, &error);
    assert_int_equal(fclose(out), 0);
    if (status != REPORT_OK)
        fail_msg("%s", error.message);
    return text;
}

static bool exists(const place *p, const char *ending)
{
    char path[80];
    snprintf(path, sizeof path, "%s%s", p->path, ending);
    return access(path, F_OK) == 0;
}

static report_store *open_store(const place *p, report_mode mode)
{
    report_store *store = NULL;
    report_error error = {0};
    if (report_open(&store, p->path, mode, &error) != REPORT_OK)
        fail_msg("%s", error.message);
    return store;
}

static int64_t begin_run(report_store *store)
{
    int64_t run = 0;
    report_error error;
    report_run what = {"0.0.1", "{\"rules\":null}", NULL,
                       "2026-01-01T00:00:00Z"};
    assert_int_equal(report_begin_run(&run, store, &what, &error), REPORT_OK);
    return run;
}

static const report_finding raw = {
    .rule = "hazard.raw",
    .severity = "error",
    .cause = "manual-dep",
    .signature = "00112233aabbccdd",
    .message = "a and b are not ordered",
    .line = 12,
    .json = "{\"rule\":\"hazard.raw\"}",
    .json_length = 21,
};

static void add_case(report_store *store, int64_t run, int64_t number,
                     const report_finding *finding)
{
    report_error error;
    char sha[65];
    snprintf(sha, sizeof sha, "%064lld", (long long)(number % 3));
    report_case c = {
        .number = number,
        .path = "folder/a.py",
        .name = "a.py",
        .sha256 = sha,
        .kind = "dump",
        .text = "text\0more",
        .length = 9,
        .verdict = finding == NULL ? "clean" : "findings",
        .details = "{}",
        .findings = finding,
        .count = finding != NULL,
        .total = finding != NULL,
    };
    assert_int_equal(report_add_case(store, run, &c, &error), REPORT_OK);
}

static int64_t ask(const place *p, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(p->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return value;
}

static void close_store(report_store *store)
{
    report_error error;
    assert_int_equal(report_close(store, &error), REPORT_OK);
}

static void finish_run(report_store *store, int64_t run)
{
    report_error error;
    assert_int_equal(report_finish_run(store, run, DIGEST,
                                       "2026-01-01T00:00:01Z", 1000, &error),
                     REPORT_OK);
}

/* What is written is there, once per text, and one file is left. */
static void keeps(void **state)
{
    (void)state;
    place p = make_place();
    report_store *store = open_store(&p, REPORT_WRITE);
    int64_t run = begin_run(store);
    assert_int_equal(run, 1);
    for (int64_t n = 1; n <= 6; n++)
        add_case(store, run, n, n % 2 == 0 ? &raw : NULL);
    finish_run(store, run);
    close_store(store);
    assert_true(exists(&p, ""));
    assert_false(exists(&p, "-wal"));
    assert_false(exists(&p, "-shm"));
    assert_int_equal(ask(&p, "SELECT count(*) FROM verdicts"), 6);
    assert_int_equal(ask(&p, "SELECT count(*) FROM inputs"), 3);
    assert_int_equal(ask(&p, "SELECT count(*) FROM findings"), 3);
    assert_int_equal(ask(&p, "SELECT sum(length(text)) FROM inputs"), 27);
    assert_int_equal(ask(&p, "SELECT count(*) FROM inputs WHERE"
                             " text = CAST('text' || char(0) || 'more'"
                             " AS BLOB)"),
                     3);
    assert_int_equal(ask(&p, "SELECT n FROM buckets"), 3);
    assert_int_equal(ask(&p, "SELECT n FROM counts WHERE what = 'rule'"), 3);
    assert_int_equal(ask(&p, "PRAGMA user_version"), REPORT_SCHEMA_VERSION);
    remove_place(&p);
}

/* The summary rows say what the rows themselves say. */
static void summaries_agree(void **state)
{
    (void)state;
    place p = make_place();
    report_store *store = open_store(&p, REPORT_WRITE);
    for (int r = 1; r <= 2; r++) {
        int64_t run = begin_run(store);
        for (int64_t n = 1; n <= 50 * r; n++)
            add_case(store, run, n, n % 3 == 0 ? &raw : NULL);
        finish_run(store, run);
    }
    close_store(store);
    assert_int_equal(
        ask(&p, "SELECT count(*) FROM (SELECT run, verdict, count(*) AS n"
                " FROM verdicts GROUP BY run, verdict) v JOIN counts c ON"
                " c.run = v.run AND c.what = 'verdict' AND c.key = v.verdict"
                " AND c.n = v.n"),
        4);
    assert_int_equal(ask(&p,
                         "SELECT count(*) FROM (SELECT run, rule, count(*) AS n"
                         " FROM findings GROUP BY run, rule) f JOIN counts c ON"
                         " c.run = f.run AND c.what = 'rule' AND c.key = f.rule"
                         " AND c.n = f.n"),
                     2);
    remove_place(&p);
}

static void appends_runs(void **state)
{
    (void)state;
    place p = make_place();
    for (int64_t r = 1; r <= 3; r++) {
        report_store *store = open_store(&p, REPORT_WRITE);
        int64_t run = begin_run(store);
        assert_int_equal(run, r);
        add_case(store, run, 1, &raw);
        finish_run(store, run);
        close_store(store);
    }
    assert_int_equal(ask(&p, "SELECT count(*) FROM runs"), 3);
    assert_int_equal(ask(&p, "SELECT count(*) FROM inputs"), 1);
    remove_place(&p);
}

/* The process is gone without a word; what was committed is there. */
static void survives_kill(void **state)
{
    (void)state;
    place p = make_place();
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        report_error error;
        report_store *store = open_store(&p, REPORT_WRITE);
        int64_t run = begin_run(store);
        for (int64_t n = 1; n <= 100; n++)
            add_case(store, run, n, &raw);
        report_commit(store, &error);
        for (int64_t n = 101; n <= 150; n++)
            add_case(store, run, n, &raw);
        kill(getpid(), SIGKILL);
    }
    int status;
    waitpid(pid, &status, 0);
    assert_true(WIFSIGNALED(status));
    assert_true(exists(&p, "-wal"));
    report_store *store = open_store(&p, REPORT_READ);
    char *text = write_of(report_write_text, store, 0);
    assert_non_null(strstr(text, "interrupted"));
    assert_non_null(strstr(text, "     100  findings"));
    free(text);
    close_store(store);
    assert_int_equal(ask(&p, "SELECT count(*) FROM verdicts"), 100);
    assert_int_equal(ask(&p, "SELECT n FROM counts WHERE what = 'rule'"), 100);
    remove_place(&p);
}

/* What an input calls itself may be anything; people see it on a terminal. */
static void nothing_moves_a_terminal(void **state)
{
    (void)state;
    place p = make_place();
    report_store *store = open_store(&p, REPORT_WRITE);
    report_finding finding = raw;
    finding.message = "first\nsecond\x7f";
    finding.cause = "\x1b[2J";
    add_case(store, begin_run(store), 1, &finding);
    char *text = write_of(report_write_text, store, 0);
    assert_non_null(strstr(text, "hazard.raw (\\x1B[2J) ["));
    assert_non_null(strstr(text, "folder/a.py:12: first\\x0Asecond\\x7F\n"));
    free(text);
    close_store(store);
    remove_place(&p);
}

static void expect_refused(const place *p, report_mode mode,
                           report_status status, const char *words)
{
    report_store *store = NULL;
    report_error error = {0};
    assert_int_equal(report_open(&store, p->path, mode, &error), status);
    assert_non_null(strstr(error.message, words));
    assert_null(store);
}

static void run_sql(const place *p, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(p->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void refuses_foreign(void **state)
{
    (void)state;
    place p = make_place();
    expect_refused(&p, REPORT_READ, REPORT_OPEN, "No such file");
    run_sql(&p, "CREATE TABLE mine(x)");
    expect_refused(&p, REPORT_WRITE, REPORT_FOREIGN, "not one of");
    expect_refused(&p, REPORT_READ, REPORT_FOREIGN, "not one of");
    assert_int_equal(ask(&p, "SELECT count(*) FROM sqlite_master"), 1);
    remove_place(&p);
}

static void refuses_newer(void **state)
{
    (void)state;
    place p = make_place();
    close_store(open_store(&p, REPORT_WRITE));
    run_sql(&p, "PRAGMA user_version = 99");
    expect_refused(&p, REPORT_WRITE, REPORT_FOREIGN, "schema version 99");
    remove_place(&p);
}

static void refuses_no_database(void **state)
{
    (void)state;
    place p = make_place();
    FILE *out = fopen(p.path, "w");
    for (int i = 0; i < 1000; i++)
        fputs("this is a text and no database\n", out);
    fclose(out);
    expect_refused(&p, REPORT_WRITE, REPORT_FOREIGN, "no SQLite database");
    unlink(p.path);
    assert_int_equal(mkdir(p.path, 0777), 0);
    expect_refused(&p, REPORT_WRITE, REPORT_OPEN, "open");
    rmdir(p.path);
    remove_place(&p);
}

static char *text_report(const place *p, int64_t run, bool json)
{
    report_store *store = open_store(p, REPORT_READ);
    char *text =
        write_of(json ? report_write_json : report_write_text, store, run);
    close_store(store);
    return text;
}

static void reports(void **state)
{
    (void)state;
    place p = make_place();
    report_store *store = open_store(&p, REPORT_WRITE);
    int64_t run = begin_run(store);
    add_case(store, run, 1, &raw);
    add_case(store, run, 2, NULL);
    finish_run(store, run);
    close_store(store);
    char *text = text_report(&p, 0, false);
    assert_non_null(strstr(text, "digest " DIGEST "\n"));
    assert_non_null(strstr(text, "       1  clean\n"));
    assert_non_null(strstr(text, "error hazard.raw (manual-dep) "
                                 "[00112233aabbccdd]\n"));
    assert_non_null(strstr(text, "folder/a.py:12: a and b"));
    assert_null(strstr(text, "2026"));
    assert_null(strstr(text, p.folder));
    free(text);
    text = text_report(&p, 1, true);
    assert_non_null(strstr(text, "\"rules\":{\"hazard.raw\":1}"));
    assert_non_null(strstr(text, "\"verdicts\":{\"clean\":1,\"findings\":1}"));
    free(text);
    remove_place(&p);
}

static void missing_run(void **state)
{
    (void)state;
    place p = make_place();
    report_error error;
    report_view view = {0};
    FILE *out = fopen("/dev/null", "w");
    assert_non_null(out);
    report_store *store = open_store(&p, REPORT_WRITE);
    assert_int_equal(report_write_text(out, store, &view, &error),
                     REPORT_MISSING);
    begin_run(store);
    view.run = 7;
    assert_int_equal(report_write_text(out, store, &view, &error),
                     REPORT_MISSING);
    assert_non_null(strstr(error.message, "no run 7"));
    fclose(out);
    close_store(store);
    remove_place(&p);
}

/* By number and by signature, of the last run and of an earlier one. */
static void cases_are_found(void **state)
{
    (void)state;
    place p = make_place();
    report_error error;
    report_stored stored;
    report_store *store = open_store(&p, REPORT_WRITE);
    int64_t first = begin_run(store);
    add_case(store, first, 1, NULL);
    add_case(store, first, 2, &raw);
    int64_t second = begin_run(store);
    add_case(store, second, 3, &raw);
    assert_int_equal(report_commit(store, &error), REPORT_OK);
    assert_int_equal(report_find_case(&stored, store, first, 2, NULL, &error),
                     REPORT_OK);
    assert_int_equal(stored.number, 2);
    assert_int_equal(stored.length, 9); /* with a NUL in it */
    assert_true(stored.length > 0);
    assert_int_equal(stored.details[0], '{');
    report_stored_free(&stored);
    assert_int_equal(
        report_find_case(&stored, store, 0, 0, raw.signature, &error),
        REPORT_OK);
    assert_int_equal(stored.number, 3);
    report_stored_free(&stored);
    assert_int_equal(report_find_case(&stored, store, 0, 2, NULL, &error),
                     REPORT_MISSING);
    assert_null(stored.text);
    assert_int_equal(
        report_find_case(&stored, store, first, 0, "0000000000000000", &error),
        REPORT_MISSING);
    assert_int_equal(report_close(store, &error), REPORT_OK);
    remove_place(&p);
}

/* --- Buckets over runs --- */

/* A run of one case each, found or not; `options` say what was looked at. */
static int64_t run_of(report_store *store, const char *options,
                      const report_finding *finding, const char *verdict)
{
    int64_t run = 0;
    report_error error;
    report_run what = {"0.0.1", options, "c0ffee", "2026-01-01T00:00:00Z"};
    assert_int_equal(report_begin_run(&run, store, &what, &error), REPORT_OK);
    report_case c = {
        .number = 1,
        .path = "a.py",
        .name = "a.py",
        .sha256 = finding == NULL ? NULL : finding->signature,
        .kind = "dump",
        .text = "some text",
        .length = finding == NULL ? 0 : (size_t)(finding->line % 10),
        .verdict = verdict,
        .details = "{}",
        .findings = finding,
        .count = finding != NULL,
        .total = finding != NULL,
    };
    assert_int_equal(report_add_case(store, run, &c, &error), REPORT_OK);
    finish_run(store, run);
    return run;
}

static void bucket_is(const place *p, const char *state, int64_t first,
                      int64_t last, int64_t n)
{
    char sql[256];
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM bucket_list WHERE state = '%s' AND"
             " first_run = %lld AND last_run = %lld AND findings = %lld",
             state, (long long)first, (long long)last, (long long)n);
    assert_int_equal(ask(p, sql), 1);
}

static void buckets_have_a_history(void **state)
{
    (void)state;
    place p = make_place();
    report_store *store = open_store(&p, REPORT_WRITE);
    run_of(store, "{\"a\":1}", &raw, "findings");
    bucket_is(&p, "open", 1, 1, 1);
    run_of(store, "{\"a\":2}", NULL, "clean"); /* other inputs say nothing */
    bucket_is(&p, "open", 1, 1, 1);
    run_of(store, "{\"a\":1}", NULL, "timed_out"); /* nor who did not look */
    bucket_is(&p, "open", 1, 1, 1);
    run_of(store, "{\"a\":1}", NULL, "clean");
    bucket_is(&p, "fixed", 1, 1, 1);
    run_of(store, "{\"a\":1}", &raw, "findings");
    bucket_is(&p, "reappeared", 1, 5, 2);
    run_of(store, "{\"a\":1}", &raw, "findings");
    bucket_is(&p, "open", 1, 6, 3);
    assert_int_equal(ask(&p, "SELECT runs FROM buckets"), 3);
    assert_int_equal(ask(&p, "SELECT count(*) FROM bucket_history"), 3);
    assert_int_equal(ask(&p, "SELECT count(*) FROM run_list WHERE revision ="
                             " 'c0ffee' AND inputs = 1"),
                     6);
    assert_int_equal(ask(&p, "SELECT count(*) FROM finding_list"), 3);
    assert_int_equal(ask(&p, "SELECT count(*) FROM input_list"), 6);
    close_store(store);
    remove_place(&p);
}

/* The smallest input that shows it, the gravest that it was. */
static void buckets_keep_the_smallest(void **state)
{
    (void)state;
    place p = make_place();
    report_store *store = open_store(&p, REPORT_WRITE);
    report_finding finding = raw;
    static const int lines[] = {7, 4, 9};
    static const char *const severities[] = {"note", "warning", "note"};
    for (size_t i = 0; i < 3; i++) {
        finding.line = lines[i];
        finding.severity = severities[i];
        run_of(store, "{}", &finding, "findings");
    }
    assert_int_equal(ask(&p, "SELECT smallest_run FROM buckets"), 2);
    assert_int_equal(ask(&p, "SELECT smallest_bytes FROM buckets"), 4);
    assert_int_equal(
        ask(&p, "SELECT count(*) FROM buckets WHERE severity = 'warning'"), 1);
    close_store(store);
    remove_place(&p);
}

/* What triage has asked and measured is no run that anybody means. */
static void the_last_run_is_one_of_people(void **state)
{
    (void)state;
    place p = make_place();
    report_error error;
    report_stored stored;
    report_store *store = open_store(&p, REPORT_WRITE);
    run_of(store, "{\"verb\":\"run\"}", &raw, "findings");
    run_of(store, "{\"verb\":\"rerun\"}", NULL, "clean");
    run_of(store, "{\"verb\":\"bench\"}", NULL, "clean");
    assert_int_equal(
        report_find_case(&stored, store, 0, 0, raw.signature, &error),
        REPORT_OK);
    report_stored_free(&stored);
    close_store(store);
    char *text = text_report(&p, 0, false);
    assert_non_null(strstr(text, "Run 1, counterpoint"));
    free(text);
    text = text_report(&p, 2, false);
    assert_non_null(strstr(text, "Run 2, counterpoint"));
    free(text);
    remove_place(&p);
}

/* --- Older versions --- */

#define OLD_TABLES                                                             \
    "PRAGMA application_id = 0x43504e54;"                                      \
    "CREATE TABLE runs(run INTEGER PRIMARY KEY, tool TEXT NOT NULL,"           \
    " options TEXT NOT NULL, digest TEXT);"                                    \
    "CREATE TABLE times(run INTEGER PRIMARY KEY, started TEXT NOT NULL,"       \
    " finished TEXT, milliseconds INTEGER);"                                   \
    "CREATE TABLE inputs(input INTEGER PRIMARY KEY,"                           \
    " sha256 TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,"                        \
    " bytes INTEGER NOT NULL, text BLOB NOT NULL);"                            \
    "CREATE TABLE verdicts(run INTEGER NOT NULL, number INTEGER NOT NULL,"     \
    " path TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,"             \
    " input INTEGER, verdict TEXT NOT NULL, reason TEXT,"                      \
    " details TEXT NOT NULL, partial INTEGER NOT NULL,"                        \
    " findings INTEGER NOT NULL, PRIMARY KEY(run, number)) WITHOUT ROWID;"     \
    "CREATE TABLE findings(run INTEGER NOT NULL, number INTEGER NOT NULL,"     \
    " n INTEGER NOT NULL, rule TEXT NOT NULL, severity TEXT NOT NULL,"         \
    " cause TEXT, signature TEXT NOT NULL, message TEXT NOT NULL,"             \
    " line INTEGER, json TEXT NOT NULL,"                                       \
    " PRIMARY KEY(run, number, n)) WITHOUT ROWID;"                             \
    "CREATE TABLE counts(run INTEGER NOT NULL, what TEXT NOT NULL,"            \
    " key TEXT NOT NULL, n INTEGER NOT NULL,"                                  \
    " PRIMARY KEY(run, what, key)) WITHOUT ROWID;"                             \
    "CREATE TABLE buckets(run INTEGER NOT NULL, signature TEXT NOT NULL,"      \
    " rule TEXT NOT NULL, severity TEXT NOT NULL, cause TEXT,"                 \
    " n INTEGER NOT NULL, number INTEGER NOT NULL, path TEXT NOT NULL,"        \
    " line INTEGER, message TEXT NOT NULL,"                                    \
    " PRIMARY KEY(run, signature, rule)) WITHOUT ROWID;"
#define OLD_ROWS                                                               \
    "INSERT INTO runs VALUES(1, '0.0.1', '{}', 'd1'), (2, '0.0.1', '{}',"      \
    " 'd2');"                                                                  \
    "INSERT INTO times VALUES(1, 'then', 'later', 5), (2, 'then', 'l', 5);"    \
    "INSERT INTO inputs VALUES(9, 'aa', 'dump', 3, 'abc');"                    \
    "INSERT INTO verdicts VALUES(1, 1, 'a', 'a', 'dump', 9, 'findings', NULL," \
    " '{}', 0, 2), (2, 1, 'a', 'a', 'dump', 9, 'findings', NULL, '{}', 0, 1);" \
    "INSERT INTO findings VALUES(1, 1, 0, 'r', 'error', NULL, 's', 'm', 4,"    \
    " '{}'), (1, 1, 1, 'r', 'error', NULL, 's', 'm', 5, '{}'), (2, 1, 0, 'r'," \
    " 'error', NULL, 's', 'm', 4, '{}');"                                      \
    "INSERT INTO counts VALUES(1, 'verdict', 'findings', 1), (2, 'verdict',"   \
    " 'findings', 1);"                                                         \
    "INSERT INTO buckets VALUES(1, 's', 'r', 'error', NULL, 2, 1, 'a', 4,"     \
    " 'm'), (2, 's', 'r', 'error', NULL, 1, 1, 'a', 4, 'm');"
#define OLD_BLOCKS                                                             \
    "CREATE TABLE blocks(run INTEGER NOT NULL, block INTEGER NOT NULL,"        \
    " first INTEGER NOT NULL, cases INTEGER NOT NULL, digest TEXT NOT NULL,"   \
    " counts TEXT NOT NULL, PRIMARY KEY(run, block)) WITHOUT ROWID;"

/* Read as they are, up to date when they are written, with all they had. */
static void older_versions(void **state)
{
    (void)state;
    static const char *const made[] = {
        OLD_TABLES OLD_ROWS "PRAGMA user_version = 1",
        OLD_TABLES OLD_ROWS OLD_BLOCKS "PRAGMA user_version = 2",
    };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        place p = make_place();
        run_sql(&p, made[i]);
        char *text = text_report(&p, 0, false);
        assert_non_null(strstr(text, "digest d2\n"));
        assert_non_null(strstr(text, "       1  error r [s]\n"));
        free(text);
        assert_int_equal(ask(&p, "PRAGMA user_version"), (int64_t)i + 1);
        report_store *store = open_store(&p, REPORT_WRITE);
        assert_int_equal(ask(&p, "PRAGMA user_version"), REPORT_SCHEMA_VERSION);
        bucket_is(&p, "open", 1, 2, 3);
        assert_int_equal(ask(&p, "SELECT smallest_bytes FROM buckets"), 3);
        assert_int_equal(ask(&p, "SELECT count(DISTINCT uuid) FROM runs"), 2);
        assert_int_equal(ask(&p, "SELECT sum(bucket = 1) FROM findings"), 3);
        assert_int_equal(begin_run(store), 3);
        close_store(store);
        remove_place(&p);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(buckets_have_a_history),
    cmocka_unit_test(buckets_keep_the_smallest),
    cmocka_unit_test(older_versions),
    cmocka_unit_test(the_last_run_is_one_of_people),
    cmocka_unit_test(keeps),
    cmocka_unit_test(summaries_agree),
    cmocka_unit_test(appends_runs),
    cmocka_unit_test(survives_kill),
    cmocka_unit_test(refuses_foreign),
    cmocka_unit_test(refuses_newer),
    cmocka_unit_test(refuses_no_database),
    cmocka_unit_test(reports),
    cmocka_unit_test(missing_run),
    cmocka_unit_test(nothing_moves_a_terminal),
    cmocka_unit_test(cases_are_found),
};

TEST_MAIN(tests)
