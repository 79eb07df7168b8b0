/*
 * The batch: planners that crash, hang, grow or talk nonsense, the order of
 * the answers, the digest, the database after kill -9, expectations.
 */
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../scripts/testing/harness.h"
#include "tool.h"

#define PROGRAMS "corpus/programs/"
/* A planner in shell: answers what `body` prints, `$id` being the request. */
#define PLANNER(body)                                                          \
    "while IFS= read -r line; do id=${line#*\\\"id\\\":}; id=${id%%,*}; " body \
    "; done"
#define REFUSE                                                                 \
    "printf '{\"id\":%s,\"error\":{\"code\":\"doc.unsupported\","              \
    "\"message\":\"not today\",\"line\":7,\"column\":1}}\\n' $id"

static const char *const refusing = PLANNER(REFUSE);

/* `count` dumps, of which those with a number in `marked` hold MARK. */
static char *make_dumps(int count, const char *marked)
{
    char *folder = tool_folder();
    char name[32], text[160], number[16];
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%04d.py", i);
        snprintf(number, sizeof number, " %d ", i);
        snprintf(text, sizeof text,
                 "# pypto.program: p%d %s\n"
                 "import pypto.language as pl\n"
                 "@pl.program\nclass p:\n    pass\n",
                 i, strstr(marked, number) != NULL ? "MARK" : "");
        tool_write(folder, name, text);
    }
    return folder;
}

static void run_json(tool_result *result, const char *folder,
                     const char *planner, const char *jobs)
{
    tool_run(result, NULL, "run", "--json", "--jobs", jobs, "--planner",
             planner, folder, NULL);
}

static void expect_counts(const tool_result *result, int inputs, int refused,
                          int crashed, int timed_out)
{
    const char *out = result->out;
    if (tool_number(out, "inputs") != inputs ||
        tool_number(out, "refused") != refused ||
        tool_number(out, "crashed") != crashed ||
        tool_number(out, "timed_out") != timed_out)
        fail_msg("status %d\n%s%s", result->status, out, result->error);
}

static long long ask(const char *path, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *statement = NULL;
    long long value = -1;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        value = (long long)sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return value;
}

static void expect_same_digest(const char *folder, const char *planner)
{
    static const char *const jobs[] = {"1", "2", "7"};
    char first[65] = "", digest[65];
    for (size_t i = 0; i < 3; i++) {
        tool_result result;
        run_json(&result, folder, planner, jobs[i]);
        tool_string(digest, sizeof digest, result.out, "digest");
        assert_int_equal(strlen(digest), 64);
        if (i > 0)
            assert_string_equal(digest, first);
        strcpy(first, digest);
        tool_free(&result);
    }
}

/* A large file is read where it is, standard input is sent: one answer. */
static void large_inputs(void **state)
{
    (void)state;
    const size_t size = (size_t)3 << 20;
    char *folder = tool_folder(), *text = malloc(size);
    assert_non_null(text);
    size_t at = (size_t)sprintf(text, "{\"kind\":\"task_graph\",\"version\":1,"
                                      "\"tasks\":[{\"id\":0}");
    for (int id = 1; at < size - 200; id++)
        at += (size_t)sprintf(text + at, ",\n{\"id\":%d,\"name\":\"\u00e9\"}",
                              id);
    strcpy(text + at, "],\"edges\":[{\"from\":0,\"to\":-5}]}");
    tool_write(folder, "large.json", text);
    tool_result file, sent;
    tool_run(&file, NULL, "check", "--json", tool_path(folder, "large.json"),
             NULL);
    tool_run(&sent, text, "check", "--json", "-", NULL);
    assert_int_equal(file.status, 1);
    assert_int_equal(sent.status, 1);
    assert_non_null(strstr(file.out, "graph.edge-end"));
    char *end = strstr(file.out, "{\"verdict\""); /* the path is behind */
    assert_non_null(end);
    assert_memory_equal(file.out, sent.out, (size_t)(end - file.out));
    tool_free(&file);
    tool_free(&sent);
    tool_remove(folder);
    free(text);
}

/* Each failure is a finding; the other inputs are answered all the same. */
static void crash(void **state)
{
    (void)state;
    char *folder = make_dumps(20, " 3 4 19 ");
    tool_result result;
    run_json(
        &result, folder,
        PLANNER("case $line in *MARK*) kill -SEGV $$;; *) " REFUSE ";; esac"),
        "2");
    assert_int_equal(result.status, 1);
    expect_counts(&result, 20, 17, 3, 0);
    assert_int_equal(tool_number(result.out, "error"), 3);
    assert_non_null(strstr(result.out, "\"planner.crash: the planner was "
                                       "ended by signal\":3"));
    tool_free(&result);
    tool_remove(folder);
}

static void exits(void **state)
{
    (void)state;
    char *folder = make_dumps(4, " 1 ");
    tool_result result;
    run_json(&result, folder,
             PLANNER("case $line in *MARK*) exit 7;; *) " REFUSE ";; esac"),
             "1");
    assert_int_equal(result.status, 1);
    expect_counts(&result, 4, 3, 1, 0);
    tool_free(&result);
    run_json(&result, folder, "exit 0", "2");
    expect_counts(&result, 4, 0, 4, 0);
    tool_free(&result);
    tool_remove(folder);
}

/* One that ends behind each answer is only slow: nobody is blamed. */
static void one_shot(void **state)
{
    (void)state;
    char *folder = make_dumps(10, "");
    tool_result result;
    run_json(&result, folder, PLANNER(REFUSE "; exit 1"), "2");
    expect_counts(&result, 10, 10, 0, 0);
    tool_free(&result);
    tool_remove(folder);
}

static void hang(void **state)
{
    (void)state;
    char *folder = make_dumps(5, " 2 ");
    tool_result result;
    tool_run(&result, NULL, "run", "--json", "--timeout", "1", "--planner",
             PLANNER("case $line in *MARK*) sleep 1000;; *) " REFUSE ";; esac"),
             folder, NULL);
    assert_int_equal(result.status, 1);
    expect_counts(&result, 5, 4, 0, 1);
    assert_non_null(strstr(result.out, "\"planner.timeout: the planner did "
                                       "not answer\":1"));
    tool_free(&result);
    tool_remove(folder);
}

static void memory(void **state)
{
    (void)state;
    char *folder = make_dumps(5, " 0 ");
    tool_result result;
    tool_run(&result, NULL, "run", "--json", "--memory", "64", "--planner",
             PLANNER("case $line in *MARK*) exec tail </dev/zero;; *) " REFUSE
                     ";; esac"),
             folder, NULL);
    assert_int_equal(result.status, 1);
    expect_counts(&result, 5, 4, 1, 0);
    assert_non_null(strstr(result.out, "\"planner.memory: "));
    tool_free(&result);
    tool_remove(folder);
}

/* A planner that gives each of these is no planner. */
static void nonsense(void **state)
{
    (void)state;
    static const char *const planners[] = {
        PLANNER("echo hello"),
        PLANNER("echo"),
        PLANNER("echo '{}'"),
        PLANNER("echo '{\"id\":99,\"bundle\":{}}'"),
        PLANNER("printf '{\"id\":%s}\\n' $id"),
        PLANNER("printf '{\"id\":%s,\"bundle\":7}\\n' $id"),
        PLANNER("printf '{\"id\":%s,\"bundle\":{}\\n' $id"),
        PLANNER("printf '{\"id\":%s,\"error\":\"no\"}\\n' $id"),
        PLANNER("printf '{\"id\":%s,\"error\":{}}\\n{}\\n' $id"),
    };
    char *folder = make_dumps(2, "");
    for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
        tool_result result;
        run_json(&result, folder, planners[i], "1");
        expect_counts(&result, 2, 0, 2, 0);
        assert_non_null(strstr(result.out, "\"planner.protocol: "));
        tool_free(&result);
    }
    tool_remove(folder);
}

/* Says of dumps with MARK in them `again` behind the answer, after a while. */
#define LATE(again)                                                            \
    PLANNER(REFUSE "; case $line in *MARK*) sleep 0.05; " again ";; esac")

/*
 * A line behind an answer counts against the input that it is behind, not
 * against the next one, whether it comes before or after that is asked for.
 */
static void late_answers(void **state)
{
    (void)state;
    static const char *const planners[] = {
        LATE(REFUSE),
        LATE("echo hello"),
        LATE("printf '{\"id\":%s}\\n' $id"),
        LATE("printf '{\"id\":%s}\\n{\"id\":%s}\\n' $id $id"),
        PLANNER(REFUSE "; case $line in *MARK*) " REFUSE ";; esac"),
    };
    static const char *const jobs[] = {"1", "2"};
    char *folder = make_dumps(5, " 1 4 ");
    char db[64];
    snprintf(db, sizeof db, "%s/x.db", folder);
    for (size_t i = 0; i < 2 * sizeof planners / sizeof *planners; i++) {
        tool_result result;
        unlink(db);
        tool_run(&result, NULL, "run", "--json", "--jobs", jobs[i % 2],
                 "--planner", planners[i / 2], "--db", db, folder, NULL);
        expect_counts(&result, 5, 3, 2, 0);
        assert_int_equal(ask(db, "SELECT count(*) FROM findings WHERE rule ="
                                 " 'planner.protocol' AND number IN (2, 5)"),
                         2);
        tool_free(&result);
    }
    tool_remove(folder);
}

static void late_answers_have_one_digest(void **state)
{
    (void)state;
    char *folder = make_dumps(30, " 3 4 5 9 20 29 ");
    expect_same_digest(folder, LATE(REFUSE));
    tool_remove(folder);
}

/* An answer without an end costs no more than a process may. */
static void endless(void **state)
{
    (void)state;
    char *folder = make_dumps(1, "");
    tool_result result;
    tool_run(&result, NULL, "run", "--json", "--memory", "32", "--planner",
             "exec cat /dev/zero", folder, NULL);
    assert_int_equal(result.status, 1);
    expect_counts(&result, 1, 0, 1, 0);
    assert_non_null(strstr(result.out, "\"planner.protocol: the planner gave "
                                       "a line that\":1"));
    tool_free(&result);
    tool_remove(folder);
}

/* A bundle of another planner goes to the judge, who reads it strictly. */
static void foreign_bundle(void **state)
{
    (void)state;
    char *folder = make_dumps(2, "");
    tool_result result;
    run_json(&result, folder,
             PLANNER("printf '{\"bundle\":{\"kind\":\"bundle\","
                     "\"members\":[{]}},\"id\":%s}\\n' $id"),
             "1");
    assert_int_equal(result.status, 1);
    expect_counts(&result, 2, 2, 0, 0);
    tool_free(&result);
    tool_remove(folder);
}

/* --- The digest --- */

static void same_digest(void **state)
{
    (void)state;
    char *folder = make_dumps(60, " 3 4 5 6 7 8 9 30 31 ");
    expect_same_digest(
        folder,
        PLANNER("case $line in *MARK*) kill -SEGV $$;; *) " REFUSE ";; esac"));
    tool_remove(folder);
}

static void get_digest(char digest[65], const char *path)
{
    tool_result result;
    tool_run(&result, NULL, "run", "--json", path, NULL);
    tool_string(digest, 65, result.out, "digest");
    tool_free(&result);
}

/* The digest says what was answered, not where the folder lies. */
static void digest_of_content(void **state)
{
    (void)state;
    char a[65], b[65];
    char *one = tool_folder(), *two = tool_folder();
    tool_copy(one, "x.py", PROGRAMS "loop.py");
    tool_copy(one, "y.py", PROGRAMS "chain.py");
    tool_copy(two, "y.py", PROGRAMS "chain.py");
    tool_copy(two, "x.py", PROGRAMS "loop.py");
    get_digest(a, one);
    get_digest(b, two);
    assert_string_equal(a, b);
    tool_copy(two, "x.py", PROGRAMS "in_place.py");
    get_digest(b, two);
    assert_string_not_equal(a, b);
    tool_copy(two, "x.py", PROGRAMS "loop.py");
    tool_copy(two, "z.py", PROGRAMS "chain.py");
    get_digest(b, two);
    assert_string_not_equal(a, b);
    tool_remove(one);
    tool_remove(two);
}

/* More cases than one block of the digest. */
static void many_cases(void **state)
{
    (void)state;
    char *folder = make_dumps(2100, "");
    expect_same_digest(folder, refusing);
    tool_remove(folder);
}

/* --- The database --- */

static void records(void **state)
{
    (void)state;
    char *folder = make_dumps(3, " 1 ");
    char db[64];
    snprintf(db, sizeof db, "%s/x.db", folder);
    for (int i = 0; i < 2; i++)
        tool_expect(
            1, NULL, "run", "--db", db, "--planner",
            PLANNER("case $line in *MARK*) kill -9 $$;; *) " REFUSE ";; esac"),
            folder, NULL);
    assert_int_equal(ask(db, "SELECT count(*) FROM runs"), 2);
    assert_int_equal(ask(db, "SELECT count(*) FROM inputs"), 3);
    assert_int_equal(ask(db, "SELECT count(*) FROM verdicts"), 6);
    assert_int_equal(ask(db, "SELECT count(DISTINCT digest) FROM runs"), 1);
    assert_int_equal(ask(db, "SELECT count(*) FROM inputs i JOIN verdicts v"
                             " USING(input) WHERE verdict = 'crashed' AND"
                             " instr(text, CAST('MARK' AS BLOB)) > 0"),
                     2);
    tool_result result;
    tool_run(&result, NULL, "report", "--json", "--run", "1", db, NULL);
    assert_int_equal(result.status, 0);
    assert_int_equal(tool_number(result.out, "planner.crash"), 1);
    assert_int_equal(tool_number(result.out, "crashed"), 1);
    tool_free(&result);
    tool_expect(0, NULL, "report", db, NULL);
    tool_expect(2, NULL, "report", "--run", "3", db, NULL);
    tool_expect(2, NULL, "report", tool_path(folder, "0001.py"), NULL);
    tool_expect(2, NULL, "run", "--db", tool_path(folder, "0001.py"), folder,
                NULL);
    tool_remove(folder);
}

/*
 * A database that takes no more, as on a full disk: one message, exit status
 * 2, and the run goes on without it. What was committed is kept.
 */
static void lost_database(void **state)
{
    (void)state;
    char *folder = make_dumps(5, "");
    const char *path = tool_path(folder, "x.db");
    tool_expect(4, NULL, "run", "--db", path, "--planner", refusing, folder,
                NULL);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db,
                     "CREATE TRIGGER full BEFORE INSERT ON verdicts WHEN"
                     " NEW.number = 3 BEGIN SELECT RAISE(ROLLBACK,"
                     " 'no room'); END",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    tool_result result;
    tool_run(&result, NULL, "run", "--json", "--db", path, "--planner",
             refusing, folder, NULL);
    assert_int_equal(result.status, 2);
    expect_counts(&result, 5, 5, 0, 0);
    assert_non_null(strstr(result.error, "no room\n"));
    assert_ptr_equal(strchr(result.error, '\n') + 1,
                     result.error + strlen(result.error));
    assert_int_equal(ask(path, "SELECT count(*) FROM verdicts"), 5);
    tool_free(&result);
    tool_remove(folder);
}

/* Killed in the middle: what was committed is there and makes sense. */
static void kill_in_the_middle(void **state)
{
    (void)state;
    char *folder = make_dumps(300, "");
    char db[64];
    snprintf(db, sizeof db, "%s/x.db", folder);
    const char *arguments[] = {
        "counterpoint", "run", "--db",      db,
        "--jobs",       "1",   "--planner", PLANNER("sleep 0.05; " REFUSE),
        folder,         NULL};
    pid_t pid = tool_start(arguments);
    while (ask(db, "SELECT count(*) FROM verdicts") < 5) {
        assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
        usleep(20000);
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    long long cases = ask(db, "SELECT count(*) FROM verdicts");
    assert_true(cases >= 5 && cases < 300);
    assert_int_equal(ask(db, "SELECT count(*) FROM pragma_integrity_check"
                             " WHERE integrity_check = 'ok'"),
                     1);
    assert_int_equal(ask(db, "SELECT max(number) FROM verdicts"), cases);
    assert_int_equal(ask(db, "SELECT n FROM counts WHERE what = 'verdict'"),
                     cases);
    assert_int_equal(ask(db, "SELECT count(*) FROM inputs"), cases);
    tool_result result;
    tool_run(&result, NULL, "report", db, NULL);
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.out, "interrupted"));
    tool_free(&result);
    tool_remove(folder);
}

/* --- Expectations --- */

static void expect(const char *folder, const char *lines, int status)
{
    tool_write(folder, "expect.txt", lines);
    tool_result result;
    tool_run(&result, NULL, "run", "--expect", tool_path(folder, "expect.txt"),
             "--planner",
             PLANNER("case $line in *MARK*) kill -9 $$;; *) " REFUSE ";; esac"),
             tool_path(folder, "in"), NULL);
    if (result.status != status)
        fail_msg("status %d of\n%s%s%s", result.status, lines, result.out,
                 result.error);
    assert_true(status == 0 || *result.error != '\0');
    const char *told =
        strstr(result.out, "\nas expected: 2 findings in 2 inputs (");
    assert_int_equal(told != NULL, status == 0);
    tool_free(&result);
}

static void expectations(void **state)
{
    (void)state;
    char *dumps = make_dumps(2, " 1 ");
    char *folder = tool_folder();
    tool_copy(folder, "in/0000.py", tool_path(dumps, "0000.py"));
    tool_copy(folder, "in/0001.py", tool_path(dumps, "0001.py"));
    tool_remove(dumps);
    expect(folder,
           "# both paths are good\n\n"
           "0000.py doc.unsupported 1\n"
           "in/./0001.py   planner.crash 1 # why\n",
           0);
    expect(folder, "0000.py doc.unsupported 1\n", 1);
    expect(folder, "0000.py doc.unsupported 2\n0001.py planner.crash 1\n", 1);
    expect(folder,
           "0000.py doc.unsupported 1\n0001.py planner.crash 1\n"
           "0001.py hazard.raw 0\n",
           0);
    expect(folder,
           "0000.py doc.unsupported 1\n0001.py planner.crash 1\n"
           "0002.py hazard.raw 1\n",
           1);
    expect(folder, "0000.py doc.unsupported\n", 2);
    expect(folder, "0000.py doc.unsupported one\n", 2);
    tool_expect(2, NULL, "run", "--expect", "/nowhere", folder, NULL);
    tool_remove(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(large_inputs),
    cmocka_unit_test(crash),
    cmocka_unit_test(exits),
    cmocka_unit_test(one_shot),
    cmocka_unit_test(hang),
    cmocka_unit_test(memory),
    cmocka_unit_test(nonsense),
    cmocka_unit_test(late_answers),
    cmocka_unit_test(late_answers_have_one_digest),
    cmocka_unit_test(endless),
    cmocka_unit_test(foreign_bundle),
    cmocka_unit_test(same_digest),
    cmocka_unit_test(digest_of_content),
    cmocka_unit_test(many_cases),
    cmocka_unit_test(records),
    cmocka_unit_test(lost_database),
    cmocka_unit_test(kill_in_the_middle),
    cmocka_unit_test(expectations),
};

TEST_MAIN(tests)
