/*
 * triage where it cannot write or read: a full disk at each write, folders and
 * files that may only be read, databases that are locked, damaged or none, and
 * several who write at once. What it says no to has changed nothing.
 */
#include <limits.h>
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

/* Runs shell words, in which $CP is the program; what both streams said. */
static char *shell(int *status, const char *words)
{
    static char text[1 << 16], program[PATH_MAX];
    assert_non_null(realpath(tool_program(), program));
    setenv("CP", program, 1);
    FILE *out = popen(words, "re");
    assert_non_null(out);
    size_t length = fread(text, 1, sizeof text - 1, out);
    text[length] = '\0';
    int ended = pclose(out);
    *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    return text;
}

static size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

/* Exit status 2 and one sentence that has the words. */
static void expect_refused(const char *command, const char *words)
{
    int status = 0;
    char *said = shell(&status, command);
    if (status != 2 || strstr(said, words) == NULL || count_lines(said) != 1)
        fail_msg("%s\nended with %d, not one sentence with '%s':\n%s", command,
                 status, words, said);
}

/* --- Databases --- */

static int64_t ask(const char *path, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *row = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    sqlite3_close(db);
    return value;
}

static void change(const char *path, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* Two buckets in a folder of its own. */
static void make_database(char path[128], const char *folder)
{
    snprintf(path, 128, "%s", tool_path(folder, "x.db"));
    unlink(path);
    tool_expect(1, NULL, "fuzz", "--cases", "8", "--kinds", "score,ir",
                "--planner", "exit 3", "--db", path, "--quiet", NULL);
    tool_expect(1, NULL, "fuzz", "--cases", "8", "--kinds", "score,ir",
                "--planner", "echo", "--db", path, "--quiet", NULL);
    assert_true(ask(path, "SELECT count(*) FROM buckets") > 1);
}

/* What writes, with the database at %s; a rerun asks once. */
static const char *const writing[] = {
    "set %s 1 --note words --label a",
    "join %s 2 1",
    "split %s 1 'score:[0-2]'",
    "rerun %s 1 --times 1 --planner 'exit 3'",
    "speed %s speeds.txt",
};
#define WRITING (sizeof writing / sizeof *writing)
static const char *const reading[] = {"list %s",    "show %s 1",
                                      "why %s 1",   "compare %s 1 2",
                                      "since %s 1", "speed %s"};
#define READING (sizeof reading / sizeof *reading)

/* A command of triage; `before` stands before the program. */
static const char *command_of(const char *before, const char *verb,
                              const char *path)
{
    static char words[640];
    char rest[256];
    snprintf(rest, sizeof rest, verb, path);
    snprintf(words, sizeof words, "%s $CP triage %s 2>&1", before, rest);
    return words;
}

/* --- A full disk --- */

#define CONTENTS 65536

static int add_row(void *context, int count, char **values, char **names)
{
    (void)names;
    char *text = context;
    size_t length = strlen(text);
    for (int i = 0; i < count; i++)
        length += (size_t)snprintf(text + length, CONTENTS - length, "%s|",
                                   values[i] == NULL ? "-" : values[i]);
    assert_true(length < CONTENTS);
    return 0;
}

/* All that a user has said or asked, and all that was counted, as one text. */
static char *contents(const char *path)
{
    static const char sql[] =
        "SELECT * FROM buckets; SELECT * FROM labels; SELECT * FROM splits;"
        "SELECT * FROM reruns; SELECT * FROM speeds; SELECT * FROM runs;"
        "SELECT run, number, n, bucket FROM findings;"
        "SELECT * FROM run_buckets; PRAGMA integrity_check";
    sqlite3 *db;
    char *text = calloc(1, CONTENTS);
    assert_non_null(text);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, add_row, text, NULL), SQLITE_OK);
    sqlite3_close(db);
    return text;
}

/* One write after the other is the first that fails, until none does. */
static void fills(const char *folder, const char *shim, const char *verb)
{
    enum { MOST = 400 };
    char path[128], before[320];
    int status = 2, at = 0;
    make_database(path, folder);
    char *old = contents(path);
    while (status != 0 && ++at < MOST) {
        snprintf(before, sizeof before,
                 "cd %s; ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 "
                 "FULL_AT=%d LD_PRELOAD=%s",
                 folder, at, shim);
        char *said = strdup(shell(&status, command_of(before, verb, path)));
        char *now = contents(path);
        /* A rerun that shows it has status 1. */
        status = strncmp(verb, "rerun", 5) == 0 && status == 1 ? 0 : status;
        if (status != 0 && (strstr(said, "x.db: ") == NULL ||
                            strstr(said, "full") == strstr(said, "No space") ||
                            strcmp(now, old) != 0))
            fail_msg("%s, full at %d: status %d, %s\nwas: %s\nis: %s", verb, at,
                     status, said, old, now);
        if (status == 0 && strcmp(now, old) == 0)
            fail_msg("%s, full at %d: nothing has changed", verb, at);
        free(said);
        free(now);
    }
    free(old);
    tool_expect(0, NULL, "report", "verify", path, NULL);
    assert_true(at > 2 && at < MOST);
}

static void full_disk_changes_nothing(void **state)
{
    (void)state;
    char shim[160];
    char *folder = tool_folder();
    snprintf(shim, sizeof shim, "%s", built(folder, "full_at", true));
    tool_write(folder, "speeds.txt", "plan.parse 2.5\n");
    for (size_t i = 0; i < WRITING; i++)
        fills(folder, shim, writing[i]);
    tool_remove(folder);
}

/* Files that triage writes: the old one stays when there is no room. */
static void full_disk_keeps_files(void **state)
{
    (void)state;
    char path[128], before[200];
    int status = 0;
    char *folder = tool_folder();
    make_database(path, folder);
    tool_write(folder, "out", "old");
    tool_write(folder, "out.input", "old input");
    snprintf(before, sizeof before, "cd %s; ulimit -f 0;", folder);
    expect_refused(command_of(before, "show %s 1 --input -o out", path),
                   "out cannot be written: ");
    expect_refused(command_of(before, "why %s 1 --bisect out", path),
                   "out.input cannot be written: ");
    snprintf(before, sizeof before, "cat %s/out %s/out.input; ls -A %s", folder,
             folder, folder);
    assert_string_equal(shell(&status, before), "oldold inputout\nout.input\n"
                                                "x.db\n");
    expect_refused(command_of("", "why %s 1 --bisect /nowhere/x", path),
                   "/nowhere/x.input cannot be written: No such file");
    tool_remove(folder);
}

/* --- What may only be read --- */

/* Somebody who may not do what the owner may. */
static const char *nobody(void)
{
    return geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups"
                          : "";
}

static void read_only(void **state)
{
    (void)state;
    char path[128], before[200];
    int status = 0;
    char *folder = tool_folder();
    make_database(path, folder);
    tool_write(folder, "speeds.txt", "plan.parse 2.5\n");
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(chmod(folder, 0555), 0);
    char *old = contents(path);
    snprintf(before, sizeof before, "cd %s; %s", folder, nobody());
    for (size_t i = 0; i < WRITING; i++)
        expect_refused(command_of(before, writing[i], path),
                       "x.db: the database cannot be written: ");
    for (size_t i = 0; i + 1 < READING; i++) {
        char *said = shell(&status, command_of(before, reading[i], path));
        if (status != 0)
            fail_msg("%s: %s", reading[i], said);
    }
    shell(&status, command_of(before, "speed %s", path));
    assert_int_equal(status, 4); /* none was recorded */
    /* The file may be written, but nothing beside it. */
    assert_int_equal(chmod(path, 0666), 0);
    for (size_t i = 0; i < WRITING; i++)
        expect_refused(command_of(before, writing[i], path), "x.db: ");
    char *now = contents(path);
    assert_string_equal(now, old);
    free(old);
    free(now);
    assert_int_equal(chmod(folder, 0700), 0);
    tool_remove(folder);
}

/* A log beside the file is of no use where only the file is kept: what ends,
 * also by saying no, leaves a file that stands alone (bytes 18 and 19 of it).
 */
static void a_file_stands_alone(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "set %s 1 --note \"$(printf 'x\\033y')\"", "set %s 999 --note x",
        "join %s 1 999", "split %s 999 'x*'", "speed %s none.txt"};
    char path[128];
    char *folder = tool_folder();
    make_database(path, folder);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        unsigned char head[20];
        expect_refused(command_of("", refused[i], path), "");
        FILE *in = fopen(path, "rb");
        assert_non_null(in);
        assert_int_equal(fread(head, 1, sizeof head, in), sizeof head);
        fclose(in);
        if (head[18] != 1 || head[19] != 1)
            fail_msg("%s leaves a log", refused[i]);
    }
    tool_remove(folder);
}

/* --- Databases that are none --- */

static void expect_unusable(const char *folder, const char *path,
                            const char *reason)
{
    char before[160];
    snprintf(before, sizeof before, "cd %s;", folder);
    for (size_t i = 0; i < READING; i++)
        expect_refused(command_of(before, reading[i], path), reason);
    for (size_t i = 0; i < WRITING; i++)
        expect_refused(command_of(before, writing[i], path), reason);
}

static void unusable(void **state)
{
    (void)state;
    char path[128];
    char *folder = tool_folder();
    tool_write(folder, "speeds.txt", "plan.parse 2.5\n");
    make_database(path, folder);
    change(path, "PRAGMA user_version = 99");
    expect_unusable(folder, path, "schema version 99");
    make_database(path, folder);
    assert_int_equal(truncate(path, 9000), 0);
    expect_unusable(folder, path, "damaged");
    tool_write(folder, "x.db",
               "no database, and long enough to see that of it"
               " .............................. ...........");
    expect_unusable(folder, path, "no SQLite database");
    expect_unusable(folder, "/dev/full", "it is no file");
    expect_unusable(folder, "/nowhere/x.db", "No such file");
    tool_remove(folder);
}

/* --- Several who write --- */

static void locked(void **state)
{
    (void)state;
    char path[128];
    sqlite3 *db;
    char *folder = tool_folder();
    make_database(path, folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL),
                     SQLITE_OK);
    expect_refused(command_of("", "list %s", path),
                   "another program has locked it");
    expect_refused(command_of("", "set %s 1 --note x", path),
                   "another program has locked it");
    sqlite3_close(db);
    tool_expect(0, NULL, "triage", "set", path, "1", "--note", "x", NULL);
    tool_remove(folder);
}

static void several_write(void **state)
{
    (void)state;
    char path[128], words[512];
    int status = 0;
    char *folder = tool_folder();
    make_database(path, folder);
    snprintf(words, sizeof words,
             "for i in 1 2 3 4 5 6 7 8; do $CP triage set %s 1 --label l$i & "
             "pids=\"$pids $!\"; done; $CP fuzz --cases 2048 --kinds score "
             "--seed 9 --db %s --quiet & pids=\"$pids $!\"; "
             "for p in $pids; do wait $p || exit 1; done 2>&1",
             path, path);
    char *said = shell(&status, words);
    if (status != 0)
        fail_msg("%s", said);
    assert_int_equal(ask(path, "SELECT count(*) FROM labels"), 8);
    assert_int_equal(
        ask(path, "SELECT count(*) FROM runs WHERE digest IS NOT NULL"), 3);
    tool_expect(0, NULL, "report", "verify", path, NULL);
    tool_remove(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(full_disk_changes_nothing),
    cmocka_unit_test(full_disk_keeps_files),
    cmocka_unit_test(read_only),
    cmocka_unit_test(a_file_stands_alone),
    cmocka_unit_test(unusable),
    cmocka_unit_test(locked),
    cmocka_unit_test(several_write),
};

TEST_MAIN(tests)
