/*
 * A surrounding that is not as it should be: closed streams, limits of the
 * system, places that cannot be written, databases that cannot be used.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../scripts/testing/harness.h"
#include "built.h"
#include "tool.h"

#define PROGRAM "corpus/programs/war_scratch.py"
#define EXAMPLE "corpus/rules/hazard.raw/found.json"

/* Runs shell words, in which $CP is the program; what both streams said. */
static char *shell(int status, const char *words)
{
    static char text[1 << 16];
    setenv("CP", tool_program(), 1);
    FILE *out = popen(words, "re");
    assert_non_null(out);
    size_t length = fread(text, 1, sizeof text - 1, out);
    text[length] = '\0';
    int ended = pclose(out);
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != status)
        fail_msg("%s\nended with %d, not %d:\n%s", words,
                 WIFEXITED(ended) ? WEXITSTATUS(ended) : -1, status, text);
    return text;
}

static void expect_part(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("not found: %s\nin: %s", part, text);
}

static size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

/* The document in docs/task-graph.md is one, and nothing is wrong with it. */
static void task_graph_of_the_page(void **state)
{
    (void)state;
    char *said = shell(0, "sed -n '/^    {$/,/^    }$/p' docs/task-graph.md | "
                          "$CP check --json - 2>&1");
    assert_null(strstr(said, "\"rule\":"));
    expect_part(said, "\"kind\":\"task_graph\"");
    expect_part(said, "{\"verdict\":\"clean\"");
}

/* --- Closed streams --- */

/* Whoever needs no input gives the same answer without one. */
static void standard_input_closed(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *words;
    } verbs[] = {
        {1, "check " PROGRAM},
        {0, "plan " PROGRAM},
        {1, "run --json " PROGRAM},
        {1, "lint " PROGRAM},
        {0, "graph " PROGRAM},
        {0, "fuzz --cases 200 --seed 1"},
        {0, "fuzz --cases 20 --seed 1 --planner \"$CP serve\""},
        {0, "reduce " EXAMPLE " --rule hazard.raw"},
        {0, "gate " PROGRAM},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        char words[256];
        snprintf(words, sizeof words, "$CP %s 2>&1 </dev/null", verbs[i].words);
        char *open_ = strdup(shell(verbs[i].status, words));
        snprintf(words, sizeof words, "$CP %s 2>&1 <&-", verbs[i].words);
        assert_string_equal(shell(verbs[i].status, words), open_);
        free(open_);
    }
    expect_part(shell(2, "$CP fingerprint - 2>&1 <&-"), "cannot be read");
}

/* Files that are opened do not take the place of a stream. */
static void output_closed(void **state)
{
    (void)state;
    char words[256];
    char *folder = tool_folder();
    shell(3, "$CP version >&-");
    shell(3, "$CP version <&- >&- 2>&-");
    expect_part(shell(3, "$CP plan " PROGRAM " 2>&1 >&-"),
                "standard output cannot be written");
    expect_part(shell(3, "$CP explain 2>&1 >/dev/full"),
                "standard output cannot be written: No space left on device");
    shell(1, "$CP check " PROGRAM " 2>&- >/dev/null");
    snprintf(words, sizeof words,
             "$CP run " PROGRAM " --quiet --db %s/x.db <&- >&- 2>&-", folder);
    shell(1, words);
    snprintf(words, sizeof words, "$CP report %s/x.db", folder);
    expect_part(shell(0, words), "hazard.war");
    tool_remove(folder);
}

/* --- Places --- */

static void places_of_results(void **state)
{
    (void)state;
    expect_part(shell(2, "$CP reduce " EXAMPLE " --into /nowhere/x 2>&1"),
                "counterpoint: /nowhere/x cannot be written: No such file");
    expect_part(shell(2, "$CP reduce " EXAMPLE " --into /dev/null 2>&1"),
                "/dev/null cannot be written: ");
    expect_part(shell(2, "$CP reduce " EXAMPLE " -o /nowhere/x 2>&1"),
                "counterpoint: /nowhere/x cannot be written: No such file");
    expect_part(shell(2, "$CP reduce " EXAMPLE " -o corpus 2>&1"),
                "it is a folder");
    char *said = shell(2, "$CP fuzz --case score:17 -o /nowhere/x 2>&1");
    assert_string_equal(said, "counterpoint: /nowhere/x cannot be written: No "
                              "such file or directory\n");
    expect_part(shell(2, "$CP fuzz --case score:17 --quiet -o /dev/full 2>&1"),
                "/dev/full cannot be written: No space");
    expect_part(shell(2, "$CP fuzz --case score:17 -o corpus 2>&1"),
                "corpus cannot be written: it is a folder\n");
}

/* What took long and cannot be written is printed. */
static void result_is_not_lost(void **state)
{
    (void)state;
    char *said =
        shell(2, "$CP reduce " EXAMPLE " --rule hazard.raw -o /dev/full "
                 "2>&1 --quiet");
    expect_part(said, "No space left");
    expect_part(said, "{\"kind\":\"task_graph\"");
    expect_part(shell(0, "$CP reduce " EXAMPLE " --rule hazard.raw -o - "
                         "--quiet"),
                "{\"kind\":\"task_graph\"");
    assert_int_not_equal(access("-", F_OK), 0);
}

/* --- Databases --- */

static void change(const char *path, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* All that reads or writes it: status 2, and one sentence with its name. */
static void expect_unusable(const char *path, const char *reason, bool read)
{
    static const char *const verbs[] = {
        "fuzz --cases 2 --db %s --quiet", "fuzz --cases 2 --db %s --resume",
        "run " PROGRAM " --db %s --quiet", "report %s", "reduce 1 --db %s"};
    for (size_t i = 0; i < (read ? 5 : 3); i++) {
        char verb[256], words[320];
        snprintf(verb, sizeof verb, verbs[i], path);
        snprintf(words, sizeof words, "$CP %s 2>&1", verb);
        char *said = shell(2, words);
        expect_part(said, path);
        expect_part(said, reason);
        assert_int_equal(count_lines(said), 1);
    }
}

static void make_database(const char *path)
{
    unlink(path);
    tool_expect(1, NULL, "fuzz", "--cases", "8", "--planner", "exit 3", "--db",
                path, "--quiet", NULL);
}

static void unusable_databases(void **state)
{
    (void)state;
    char *folder = tool_folder();
    char path[128];
    snprintf(path, sizeof path, "%s/x.db", folder);
    expect_unusable("/dev/full", "it is no file", true);
    assert_int_equal(mkfifo(path, 0666), 0);
    expect_unusable(path, "it is no file", true);
    make_database(path);
    assert_int_equal(truncate(path, 9000), 0);
    expect_unusable(path, "damaged", true);
    make_database(path);
    change(path, "DROP TABLE blocks");
    expect_unusable(path, "no such table: blocks", false);
    change(path, "DROP TABLE runs; DROP TABLE verdicts");
    expect_unusable(path, "no such table", true);
    make_database(path);
    change(path, "PRAGMA user_version = 1");
    expect_unusable(path, "already exists", false);
    make_database(path);
    change(path, "PRAGMA user_version = 99");
    expect_unusable(path, "schema version 99", true);
    tool_write(folder, "x.db",
               "no database, and long enough to see that of it"
               " ................................. ...........");
    expect_unusable(path, "no SQLite database", true);
    expect_unusable("/nowhere/x.db", "No such file", true);
    tool_remove(folder);
}

static void locked_database(void **state)
{
    (void)state;
    char *folder = tool_folder();
    char path[128], words[200];
    sqlite3 *db;
    snprintf(path, sizeof path, "%s/x.db", folder);
    make_database(path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL),
                     SQLITE_OK);
    snprintf(words, sizeof words, "$CP fuzz --cases 2 --db %s 2>&1", path);
    expect_part(shell(2, words), "another program has locked it: try again");
    sqlite3_close(db);
    tool_remove(folder);
}

/* Where the disk of the target is full, it is not the source alone that is
   named. */
static void merged_on_a_full_disk(void **state)
{
    (void)state;
    char words[256], told[256];
    char *folder = tool_folder();
    tool_expect(0, NULL, "fuzz", "--cases", "1", "--quiet", "--db",
                tool_path(folder, "a.db"), NULL);
    tool_expect(1, NULL, "run", "corpus/programs", "--quiet", "--db",
                tool_path(folder, "b.db"), NULL);
    snprintf(words, sizeof words,
             "ulimit -f 400; $CP report merge %s/a.db %s/b.db 2>&1", folder,
             folder);
    snprintf(told, sizeof told,
             "counterpoint: %s/b.db into %s/a.db: the databases cannot be "
             "merged: File too large\n",
             folder, folder);
    assert_string_equal(shell(2, words), told);
    tool_expect(0, NULL, "report", "verify", tool_path(folder, "a.db"), NULL);
    tool_remove(folder);
}

/* Two that go on with one run: the second stops recording and says why. */
static void recorded_twice(void **state)
{
    (void)state;
    char *folder = tool_folder();
    char path[128], words[256];
    snprintf(path, sizeof path, "%s/x.db", folder);
    snprintf(words, sizeof words,
             "$CP fuzz --kinds score --tasks 8 --cases 2048 --seed 3 --db %s "
             "--quiet",
             path);
    shell(0, words);
    change(path, "UPDATE runs SET digest = NULL;"
                 "DELETE FROM blocks WHERE block = 0;"
                 "DELETE FROM blocks WHERE block = 2");
    snprintf(words, sizeof words,
             "$CP fuzz --kinds score --tasks 8 --cases 2048 --seed 3 --db %s "
             "--quiet --resume 2>&1",
             path);
    char *said = shell(2, words);
    expect_part(said, "another process records the same run");
    assert_int_equal(count_lines(said), 1);
    tool_remove(folder);
}

/* One sentence, which names what there was too little of. */
static void no_descriptors(void **state)
{
    (void)state;
    for (int limit = 4; limit <= 8; limit++) {
        char words[160];
        snprintf(words, sizeof words,
                 "exec 2>&1; ulimit -n %d; $CP fuzz --cases 2000 --quiet",
                 limit);
        assert_string_equal(shell(3, words), "counterpoint: a process cannot "
                                             "be started: Too many open "
                                             "files\n");
    }
}

/* A limit of the system is told; a signal would not. */
static void files_may_not_grow(void **state)
{
    (void)state;
    char *folder = tool_folder();
    char words[256];
    snprintf(words, sizeof words,
             "ulimit -f 400; $CP fuzz --kinds score --tasks 8 --cases 600 "
             "--planner 'exit 3' --db %s/x.db --quiet 2>&1",
             folder);
    expect_part(shell(2, words), "x.db: the database cannot be written: ");
    snprintf(words, sizeof words,
             "ulimit -f 0; $CP plan " PROGRAM " --out %s/out 2>&1 | cat; true",
             folder);
    expect_part(shell(0, words), "cannot be written: File too large");
    tool_remove(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(task_graph_of_the_page),
    cmocka_unit_test(standard_input_closed),
    cmocka_unit_test(output_closed),
    cmocka_unit_test(places_of_results),
    cmocka_unit_test(result_is_not_lost),
    cmocka_unit_test(unusable_databases),
    cmocka_unit_test(locked_database),
    cmocka_unit_test(merged_on_a_full_disk),
    cmocka_unit_test(recorded_twice),
    cmocka_unit_test(no_descriptors),
    cmocka_unit_test(files_may_not_grow),
};

TEST_MAIN(tests)
