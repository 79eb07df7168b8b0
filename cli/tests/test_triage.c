/*
 * triage, end to end: a planner that is right, gets a fault, is mended and gets
 * it again, in a repository of its own.
 */
#include "../../scripts/testing/harness.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

typedef struct scene {
    char *folder;
    char db[128], planner[128], program[128], command[160];
} scene;

static void keep_path(char out[128], const scene *s, const char *name)
{
    snprintf(out, 128, "%s", tool_path(s->folder, name));
}

static scene begin(void)
{
    scene s = {.folder = tool_folder()};
    tool_copy(s.folder, "chain.py", "corpus/programs/chain.py");
    keep_path(s.db, &s, "x.db");
    keep_path(s.planner, &s, "planner.sh");
    keep_path(s.program, &s, "chain.py");
    snprintf(s.command, sizeof s.command, "sh %s", s.planner);
    return s;
}

static void end(scene *s)
{
    tool_remove(s->folder);
}

/* From the root on, since git runs it elsewhere. */
static const char *program(void)
{
    static char path[PATH_MAX];
    assert_non_null(realpath(tool_program(), path));
    return path;
}

/* The fault: the planner takes every scope for a manual one. */
static void set_planner(const scene *s, bool right)
{
    char text[PATH_MAX + 64];
    snprintf(text, sizeof text, "%s%s serve%s\n", right ? "exec " : "",
             program(),
             right ? "" : " | sed -u 's/manual\":false/manual\":true/'");
    tool_write(s->folder, "planner.sh", text);
}

static void run(const scene *s, bool right, const char *revision)
{
    set_planner(s, right);
    tool_expect(right ? 0 : 1, NULL, "run", s->program, "--planner", s->command,
                "--db", s->db, "--quiet", "--revision", revision, NULL);
}

/* What a word of triage prints has to have these words. */
static void expect_words(int status, const char *words, const char *const *args)
{
    tool_result r;
    tool_run(&r, NULL, "triage", args[0], args[1],
             args[2] == NULL ? "--json" : args[2],
             args[2] == NULL || args[3] == NULL ? "--json" : args[3],
             args[2] == NULL || args[3] == NULL || args[4] == NULL ? "--json"
                                                                   : args[4],
             "--json", NULL);
    if (r.status != status || strstr(r.out, words) == NULL)
        fail_msg("triage %s: status %d, not %d with %s:\n%s%s", args[0],
                 r.status, status, words, r.out, r.error);
    tool_free(&r);
}
#define EXPECT(status, words, ...)                                             \
    expect_words(status, words, (const char *const[]){__VA_ARGS__, NULL, NULL})

static void a_fault_comes_and_goes(void **state)
{
    (void)state;
    scene s = begin();
    run(&s, true, "aaaa");
    EXPECT(0, "", "list", s.db);
    run(&s, false, "bbbb");
    EXPECT(0, "\"state\":\"new\"", "list", s.db);
    EXPECT(1, "\"state\":\"new\"", "compare", s.db, "1", "2", "--fail-on=new");
    EXPECT(0, "\"bad_revision\":\"bbbb\"", "why", s.db, "1");
    EXPECT(0, "\"good_revision\":\"aaaa\"", "why", s.db, "1");
    EXPECT(0, "counterpoint run ", "show", s.db, "1");
    run(&s, true, "cccc");
    EXPECT(0, "\"state\":\"fixed\"", "list", s.db, "--all");
    EXPECT(0, "\"state\":\"gone\"", "compare", s.db, "2", "3", "--fail-on=new");
    run(&s, false, "dddd");
    EXPECT(0, "\"state\":\"reappeared\"", "list", s.db);
    EXPECT(0, "\"state\":\"reappeared\"", "since", s.db, "3");
    EXPECT(1, "\"state\":\"reappeared\"", "compare", s.db, "3", "4",
           "--fail-on=new");
    EXPECT(0, "\"good_revision\":\"cccc\"", "why", s.db, "1");
    EXPECT(0, "\"state\":\"new\"", "list", s.db, "--run=2");
    tool_expect(0, NULL, "report", "verify", s.db, NULL);
    end(&s);
}

static void signature_of(char signature[32], const scene *s)
{
    tool_result r;
    tool_run(&r, NULL, "triage", "list", s->db, "--json", NULL);
    tool_string(signature, 32, r.out, "signature");
    assert_int_equal(strlen(signature), 16);
    tool_free(&r);
}

static void known_issues_do_not_fail(void **state)
{
    (void)state;
    char signature[32], line[128];
    scene s = begin();
    run(&s, true, "a");
    run(&s, false, "b");
    signature_of(signature, &s);
    snprintf(line, sizeof line, "%s 2026-06-15 @us issue 7\n", signature);
    tool_write(s.folder, "known", line);
    const char *known = tool_path(s.folder, "known");
    tool_expect(0, NULL, "triage", "compare", s.db, "1", "2", "--fail-on",
                "new", "--known", known, "--today", "2026-06-15", NULL);
    tool_expect(1, NULL, "triage", "compare", s.db, "1", "2", "--fail-on",
                "new", "--known", known, "--today", "2026-06-16", NULL);
    tool_result r;
    tool_run(&r, NULL, "triage", "list", s.db, "--known", known, "--today",
             "2026-06-16", NULL);
    assert_non_null(strstr(r.out, "EXPIRED: was known until 2026-06-15, @us"));
    tool_free(&r);
    tool_write(s.folder, "known", "nothing\n");
    tool_run(&r, NULL, "triage", "list", s.db, "--known", known, NULL);
    assert_int_equal(r.status, 2);
    assert_non_null(strstr(r.error, "known: line 1 begins with no signature"));
    tool_free(&r);
    end(&s);
}

/* The input that show writes has the finding, by the command that it shows. */
static void an_input_by_itself(void **state)
{
    (void)state;
    scene s = begin();
    run(&s, false, "b");
    const char *input = tool_path(s.folder, "input.py");
    tool_expect(0, NULL, "triage", "show", s.db, "1", "--input", "-o", input,
                NULL);
    tool_expect(1, NULL, "run", input, "--planner", s.command, "--quiet", NULL);
    tool_expect(2, NULL, "triage", "show", s.db, "1", "--input", "-o", s.db,
                NULL);
    tool_expect(2, NULL, "triage", "show", s.db, "1", "-o", input, NULL);
    end(&s);
}

/* A note of any length is one line of a list; what shows a bucket has all. */
static void long_notes_are_cut(void **state)
{
    (void)state;
    tool_result r;
    char note[301];
    scene s = begin();
    memset(note, 'n', 300);
    note[300] = '\0';
    run(&s, false, "b");
    tool_expect(0, NULL, "triage", "set", s.db, "1", "--note", note, NULL);
    tool_run(&r, NULL, "triage", "list", s.db, NULL);
    assert_non_null(strstr(r.out, "nnn...\n"));
    assert_null(strstr(r.out, note));
    tool_free(&r);
    tool_run(&r, NULL, "triage", "show", s.db, "1", NULL);
    assert_non_null(strstr(r.out, note));
    tool_free(&r);
    end(&s);
}

/* A rule that is nowhere is a mistake, and no list without anything in it. */
static void no_such_rule(void **state)
{
    (void)state;
    tool_result r;
    scene s = begin();
    run(&s, false, "b");
    EXPECT(0, "", "list", s.db, "--rule", "hazard.waw");
    static const char *const words[][2] = {{"list", NULL}, {"since", "1"}};
    for (size_t i = 0; i < 2; i++) {
        tool_run(&r, NULL, "triage", words[i][0], s.db, "--rule", "hazard.wax",
                 words[i][1], NULL);
        assert_int_equal(r.status, 2);
        assert_string_equal(r.error, "counterpoint: unknown rule 'hazard.wax', "
                                     "did you mean 'hazard.waw'?\n");
        tool_free(&r);
    }
    end(&s);
}

static void asked_again(void **state)
{
    (void)state;
    scene s = begin();
    run(&s, false, "b");
    tool_expect(2, NULL, "triage", "rerun", s.db, "1", NULL);
    tool_expect(1, NULL, "triage", "rerun", s.db, "1", "--times", "2",
                "--planner", s.command, NULL);
    EXPECT(0, "\"state\":\"new\"", "list", s.db);
    set_planner(&s, true);
    tool_expect(0, NULL, "triage", "rerun", s.db, "1", "--times", "2",
                "--planner", s.command, NULL);
    EXPECT(0, "\"state\":\"fixed\"", "list", s.db, "--all");
    tool_expect(0, NULL, "report", "verify", s.db, NULL);
    end(&s);
}

/* A case of fuzz is made again, as its run made it. */
static void a_made_case_again(void **state)
{
    (void)state;
    tool_result r;
    scene s = begin();
    tool_write(s.folder, "planner.sh", "exit 1\n");
    tool_expect(1, NULL, "fuzz", "--seed", "5", "--cases", "4", "--kinds",
                "score", "--planner", s.command, "--db", s.db, "--quiet", NULL);
    tool_run(&r, NULL, "triage", "show", s.db, "1", NULL);
    assert_non_null(strstr(r.out, "counterpoint fuzz --seed 5 --case score:2 "
                                  "--planner 'sh "));
    tool_free(&r);
    tool_expect(1, NULL, "triage", "rerun", s.db, "1", "--times", "2",
                "--planner", s.command, NULL);
    set_planner(&s, true);
    tool_expect(0, NULL, "triage", "rerun", s.db, "1", "--times", "2",
                "--planner", s.command, NULL);
    EXPECT(0, "\"state\":\"fixed\"", "list", s.db, "--all");
    end(&s);
}

static void git(const scene *s, const char *command)
{
    char line[1024];
    snprintf(line, sizeof line,
             "cd %s && GIT_CONFIG_GLOBAL=/dev/null git -c user.name=x -c "
             "user.email=x@y %s >/dev/null 2>&1",
             s->folder, command);
    assert_int_equal(system(line), 0);
}

static void commit(const scene *s, bool right, const char *message)
{
    char command[96];
    set_planner(s, right);
    git(s, "add planner.sh");
    snprintf(command, sizeof command, "commit --allow-empty -m %s", message);
    git(s, command);
    snprintf(command, sizeof command, "tag t-%s", message);
    git(s, command);
}

/* git bisect run finds the commit with the script that why writes. */
static void bisected(void **state)
{
    (void)state;
    char command[PATH_MAX + 256];
    tool_result r;
    test_needs_tool("git --version");
    scene s = begin();
    git(&s, "init");
    commit(&s, true, "one");
    run(&s, true, "t-one");
    commit(&s, true, "two");
    commit(&s, false, "three");
    commit(&s, false, "four");
    run(&s, false, "t-four");
    const char *script = tool_path(s.folder, "bi's\x1b\xff ect.sh");
    tool_run(&r, NULL, "triage", "why", s.db, "1", "--repo", s.folder,
             "--bisect", script, NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, " three\n"));
    assert_null(strstr(r.out, " one\n"));
    /* The line as it is printed, from where the command was given. */
    const char *line = strstr(r.out, "git -C ");
    assert_non_null(line);
    assert_non_null(strstr(line, " bisect start t-four t-one && git -C "));
    snprintf(command, sizeof command,
             "export BUILD=true COUNTERPOINT='%s'; (%.*s) 2>&1 | "
             "grep -q 'is the first bad commit'",
             program(), (int)strcspn(line, "\n"), line);
    tool_free(&r);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command,
             "cd %s && test \"$(git rev-parse refs/bisect/bad)\" = \"$(git "
             "rev-parse t-three)\"",
             s.folder);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "BUILD=false sh \"%s\"", script);
    assert_int_equal(system(command) >> 8, 125);
    end(&s);
}

/* The text of the bad run is bad at each commit: it would blame any. */
static void no_bisecting_of_a_changed_input(void **state)
{
    (void)state;
    tool_result r;
    scene s = begin();
    run(&s, true, "a");
    FILE *out = fopen(s.program, "a");
    assert_non_null(out);
    fputs("# a word more\n", out);
    fclose(out);
    run(&s, false, "b");
    const char *script = tool_path(s.folder, "bisect.sh");
    tool_run(&r, NULL, "triage", "why", s.db, "1", "--bisect", script, NULL);
    assert_int_equal(r.status, 4);
    assert_non_null(strstr(r.error, "has changed between runs 1 and 2"));
    assert_int_equal(access(script, F_OK), -1);
    tool_free(&r);
    tool_expect(0, NULL, "triage", "why", s.db, "1", NULL);
    end(&s);
}

/* One of two files shows nothing by itself at any commit. */
static void no_bisecting_of_several_files(void **state)
{
    (void)state;
    tool_result r;
    scene s = begin();
    const char *script = tool_path(s.folder, "bisect.sh");
    tool_expect(1, NULL, "run", "corpus/rules/score.identity/found", "--db",
                s.db, "--quiet", NULL);
    tool_run(&r, NULL, "triage", "list", s.db, "--rule", "score.identity",
             "--json", NULL);
    char bucket[24];
    snprintf(bucket, sizeof bucket, "%lld",
             (long long)tool_number(r.out, "bucket"));
    tool_free(&r);
    tool_run(&r, NULL, "triage", "why", s.db, bucket, "--bisect", script, NULL);
    assert_int_equal(r.status, 4);
    assert_non_null(strstr(r.error, "is about several files"));
    assert_int_equal(access(script, F_OK), -1);
    tool_free(&r);
    end(&s);
}

/* What the command that shows a case again ends with. */
static void expect_again(int status, const char *again)
{
    static const char first[] = "counterpoint ";
    char command[PATH_MAX + 512];
    assert_int_equal(strncmp(again, first, sizeof first - 1), 0);
    snprintf(command, sizeof command, "%s %s >/dev/null", program(),
             again + sizeof first - 1);
    assert_int_equal(system(command) >> 8, status);
}

/* The planner under test at a commit of its own, asked by fuzz. `status` is
 * that of fuzz. */
static void night(const scene *s, bool right, const char *message)
{
    char text[PATH_MAX + 64], command[96];
    snprintf(text, sizeof text, "%s%s serve%s\n", right ? "exec " : "",
             program(), right ? "" : " | sed -u 's/\"war\"/\"data\"/g'");
    tool_write(s->folder, "planner.sh", text);
    git(s, "add planner.sh");
    snprintf(command, sizeof command, "commit --allow-empty -m %s", message);
    git(s, command);
    snprintf(command, sizeof command, "tag %s", message);
    git(s, command);
    tool_expect(right ? 0 : 1, NULL, "fuzz", "--seed", "5", "--cases", "48",
                "--kinds", "score", "--planner", s->command, "--db", s->db,
                "--quiet", "--revision", message, NULL);
}

/* What triage says of two runs, in a test's own copy. */
static char *compared(const scene *s, int status, const char *first,
                      const char *second)
{
    tool_result r;
    tool_run(&r, NULL, "triage", "compare", s->db, first, second, "--fail-on",
             "new", NULL);
    if (r.status != status)
        fail_msg("status %d, not %d: %s%s", r.status, status, r.out, r.error);
    char *out = strdup(r.out);
    assert_non_null(out);
    tool_free(&r);
    return out;
}

static void expect_in(const char *text, const char *words)
{
    if (strstr(text, words) == NULL)
        fail_msg("not found: %s\nin: %s", words, text);
}

static void a_fault_between_two_commits(void **state)
{
    (void)state;
    char again[512];
    tool_result r;
    test_needs_tool("git --version");
    scene s = begin();
    git(&s, "init");
    night(&s, true, "one");
    night(&s, false, "two");
    char *out = compared(&s, 1, "1", "2");
    expect_in(out, "run 1 (one) against run 2 (two)\n");
    expect_in(out, "\n     1  new ");
    expect_in(out, "\n        since run 2 (two), last good run 1 (one)\n");
    expect_in(out, " bytes: counterpoint fuzz --seed 5 --case score:");
    expect_in(out, " new, 0 gone, 0 in both\n");
    free(out);
    tool_run(&r, NULL, "triage", "compare", s.db, "1", "2", "--json", NULL);
    assert_int_equal(tool_number(r.out, "good"), 1);
    assert_int_equal(tool_number(r.out, "bad"), 2);
    tool_string(again, sizeof again, r.out, "again");
    tool_free(&r);
    expect_again(1, again);
    tool_run(&r, NULL, "triage", "why", s.db, "1", "--repo", s.folder, NULL);
    expect_in(r.out, " two\n");
    tool_free(&r);

    night(&s, true, "three");
    expect_again(0, again);
    out = compared(&s, 0, "2", "3");
    expect_in(out, "\n     1  gone ");
    expect_in(out, "\n0 new, ");
    free(out);
    EXPECT(0, "\"state\":\"fixed\"", "list", s.db, "--all");

    night(&s, false, "four");
    out = compared(&s, 1, "3", "4");
    expect_in(out, "\n     1  reappeared ");
    expect_in(out, "\n        since run 4 (four), last good run 3 (three)\n");
    free(out);
    EXPECT(0, "\"state\":\"reappeared\"", "list", s.db);
    tool_expect(0, NULL, "report", "verify", s.db, NULL);
    end(&s);
}

/* A crash is not told as gone. */
static void what_crashed_is_not_gone(void **state)
{
    (void)state;
    scene s = begin();
    run(&s, false, "a");
    tool_write(s.folder, "planner.sh", "exit 3\n");
    tool_expect(1, NULL, "run", s.program, "--planner", s.command, "--db", s.db,
                "--quiet", NULL);
    char *out = compared(&s, 1, "1", "2");
    expect_in(out, "\n     1  not judged ");
    expect_in(out, "1 new, 0 gone, 1 not judged, 0 in both\n");
    free(out);
    EXPECT(0, "\"state\":\"open\"", "list", s.db);
    end(&s);
}

static void revisions_need_a_database(void **state)
{
    (void)state;
    static const char *const verbs[][2] = {
        {"run", "corpus/programs/chain.py"},
        {"fuzz", "--cases=1"},
        {"replay", "corpus/rules/hazard.raw/found.json"}};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        tool_result r;
        tool_run(&r, NULL, verbs[i][0], verbs[i][1], "--revision", "a", NULL);
        assert_int_equal(r.status, 2);
        expect_in(r.error, "--revision goes with --db");
        tool_free(&r);
    }
}

static void told_apart_and_joined(void **state)
{
    (void)state;
    scene s = begin();
    tool_copy(s.folder, "in/a/found.json",
              "corpus/rules/hazard.raw/found.json");
    tool_copy(s.folder, "in/b/found.json",
              "corpus/rules/hazard.raw/found.json");
    tool_copy(s.folder, "in/c/found.json",
              "corpus/rules/hazard.waw/found.json");
    tool_expect(1, NULL, "run", tool_path(s.folder, "in"), "--db", s.db,
                "--quiet", NULL);
    tool_expect(0, NULL, "triage", "split", s.db, "1", "*/a/*", NULL);
    EXPECT(0, "\"part\":\"*/a/*\"", "list", s.db);
    tool_expect(2, NULL, "triage", "split", s.db, "1", "*/z/*", NULL);
    tool_expect(0, NULL, "triage", "join", s.db, "3", "1", NULL);
    EXPECT(0, "\"joined\":[3]", "show", s.db, "1");
    tool_expect(0, NULL, "triage", "set", s.db, "3", "--note", "one cause",
                "--label", "kernels", NULL);
    EXPECT(0, "\"note\":\"one cause\"", "show", s.db, "1");
    tool_expect(0, NULL, "triage", "split", "--undo", s.db, "3", NULL);
    EXPECT(0, "\"joined\":[]", "show", s.db, "1");
    tool_expect(2, NULL, "triage", "split", "--undo", s.db, "1", NULL);
    tool_expect(0, NULL, "report", "verify", s.db, NULL);
    end(&s);
}

static void usage_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *args[6];
        const char *words;
    } cases[] = {
        {{"lits", "x"}, "did you mean 'list'?"},
        {{"compare", "x", "1"}, "needs DB RUN1 RUN2"},
        {{"list", "x", "y"}, "does not know what to do with 'y'"},
        {{"list", "x", "--note", "y"}, "--note does not go with triage list"},
        {{"list", "nowhere.db"}, "No such file"},
        {{"set", "nowhere.db", "1", "--note", "x"}, "No such file"},
        {{"speed", "nowhere.db"}, "No such file"},
        {{"speed", "x", "--revision", "a"}, "goes with a FILE to record"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const *a = cases[i].args;
        tool_result r;
        tool_run(&r, NULL, "triage", a[0], a[1], a[2], a[3], a[4], a[5], NULL);
        assert_int_equal(r.status, 2);
        if (strstr(r.error, cases[i].words) == NULL)
            fail_msg("%s", r.error);
        tool_free(&r);
    }
}

/* A step of a quarter: an alarm in the third slow run, and not before. */
static void speeds_are_kept(void **state)
{
    (void)state;
    char line[64];
    scene s = begin();
    for (int i = 0; i < 13; i++) {
        snprintf(line, sizeof line, "plan.parse %s\n",
                 i < 10 ? i % 2 ? "2.00" : "2.02" : "2.51");
        tool_expect(i == 12, line, "triage", "speed", s.db, "-", "--revision",
                    "abc", NULL);
    }
    tool_expect(1, NULL, "triage", "speed", s.db, NULL);
    tool_expect(0, NULL, "triage", "speed", s.db, "--run", "11", NULL);
    tool_expect(2, "plan.parse x\n", "triage", "speed", s.db, "-", NULL);
    tool_expect(4, "# none\n", "triage", "speed", s.db, "-", NULL);
    tool_expect(0, NULL, "report", "verify", s.db, NULL);
    end(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_fault_comes_and_goes),
    cmocka_unit_test(known_issues_do_not_fail),
    cmocka_unit_test(an_input_by_itself),
    cmocka_unit_test(long_notes_are_cut),
    cmocka_unit_test(no_such_rule),
    cmocka_unit_test(asked_again),
    cmocka_unit_test(a_made_case_again),
    cmocka_unit_test(bisected),
    cmocka_unit_test(no_bisecting_of_a_changed_input),
    cmocka_unit_test(no_bisecting_of_several_files),
    cmocka_unit_test(a_fault_between_two_commits),
    cmocka_unit_test(what_crashed_is_not_gone),
    cmocka_unit_test(revisions_need_a_database),
    cmocka_unit_test(told_apart_and_joined),
    cmocka_unit_test(usage_is_told),
    cmocka_unit_test(speeds_are_kept),
};

TEST_MAIN(tests)
