/* The verb reduce: real findings, their inputs small, the finding still there.
 */
#include "../../scripts/testing/harness.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../reduce_keep.h"
#include "fuzz/reduce.h"
#include "tool.h"

#define EXAMPLES "corpus/rules/"

static char *serve_command(void)
{
    static char command[512];
    snprintf(command, sizeof command, "%s serve", tool_program());
    return command;
}

/* --- 1-minimal, asked again --- */

static void check_rule(const char *path, const char *rule)
{
    char words[80];
    tool_result r;
    tool_run(&r, NULL, "check", path, "--json", NULL);
    snprintf(words, sizeof words, "\"rule\":\"%s\"", rule);
    if (strstr(r.out, words) == NULL)
        fail_msg("%s has lost %s:\n%s", path, rule, r.out);
    tool_free(&r);
}

/* A result is reduced again: nothing is left to be taken away. */
static void check_minimal(const char *path, const char *signature)
{
    tool_result r;
    tool_run(&r, NULL, "reduce", path, "--signature", signature, "--json",
             "--quiet", NULL);
    if (r.status != 0)
        fail_msg("%s: %s", path, r.error);
    assert_non_null(strstr(r.out, "\"minimal\":true"));
    if (tool_number(r.out, "steps") != 0)
        fail_msg("%s was not minimal: %s", path, r.out);
    tool_free(&r);
}

/* Reduces to a file, which has the rule still; what --json says. */
static char *reduce(const char *path, const char *rule, const char *result)
{
    char signature[32];
    tool_result r;
    tool_run(&r, NULL, "reduce", path, "--rule", rule, "-o", result, "--json",
             "--quiet", NULL);
    if (r.status != 0)
        fail_msg("%s: status %d: %s", path, r.status, r.error);
    assert_non_null(strstr(r.out, "\"minimal\":true"));
    tool_string(signature, sizeof signature, r.out, "signature");
    check_rule(result, rule);
    check_minimal(result, signature);
    char *json = strdup(r.out);
    tool_free(&r);
    return json;
}

static void findings_of_documents(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *file;
        long long tasks, bytes; /* at most */
    } cases[] = {
        {"hazard.raw", "found.json", 2, 400},
        {"hazard.war", "found.json", 2, 400},
        {"hazard.waw", "found.json", 2, 400},
        {"graph.cycle", "found.json", 2, 200},
        {"memory.overlap", "found.json", 3, 700},
        {"memory.overlap", "found_table.csv", 0, 60},
        {"handle.binding-key", "found.json", 1, 400},
        {"hbg.edges", "found.json", 2, 250},
        {"doc.syntax", "found.json", 0, 8},
        {"runtime.lost-edge", "found.json", 1, 200},
        {"doc.unsupported", "found.py", 0, 500},
    };
    char *folder = tool_folder();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[128];
        snprintf(path, sizeof path, EXAMPLES "%s/%s", cases[i].rule,
                 cases[i].file);
        char *json = reduce(path, cases[i].rule, tool_path(folder, "small"));
        const char *tasks = strstr(json, "\"tasks\":");
        const char *bytes = strstr(json, "\"bytes\":");
        if (tool_number(tasks, "after") > cases[i].tasks ||
            tool_number(bytes, "after") > cases[i].bytes)
            fail_msg("%s: %s", path, json);
        free(json);
    }
    tool_remove(folder);
}

/* These need thousands of tasks, and as many questions. */
static bool is_large(const char *rule)
{
    return strcmp(rule, "limit.functions") == 0 ||
           strcmp(rule, "limit.ready") == 0 || strcmp(rule, "limit.tasks") == 0;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Of each rule that one document can raise, every example. */
static void all_examples(void **state)
{
    (void)state;
    glob_t paths;
    size_t count = 0;
    char *folder = tool_folder();
    assert_int_equal(glob(EXAMPLES "*/found*", 0, NULL, &paths), 0);
    for (size_t i = 0; i < paths.gl_pathc; i++) {
        char rule[64];
        const char *path = paths.gl_pathv[i];
        const char *name = path + strlen(EXAMPLES);
        snprintf(rule, sizeof rule, "%.*s", (int)strcspn(name, "/"), name);
        if (is_folder(path) || is_large(rule))
            continue;
        free(reduce(path, rule, tool_path(folder, "small")));
        count++;
    }
    globfree(&paths);
    tool_remove(folder);
    assert_true(count > 70);
}

/* --- Which case, which finding --- */

static void standard_streams(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, "{\"a\": [1, 2, 3], \"kind\": \"task_graph\", \"version\": 1",
             "reduce", "-", "--rule", "doc.syntax", NULL);
    assert_int_equal(r.status, 0);
    assert_true(strlen(r.out) < 12);
    assert_non_null(strstr(r.error, "1-minimal after"));
    tool_free(&r);
    tool_expect(4, "{}", "reduce", "-", "--rule", "hazard.raw", NULL);
    tool_expect(4, NULL, "reduce", EXAMPLES "hazard.raw/absent.json", "--rule",
                "hazard.raw", NULL);
    tool_expect(4, NULL, "reduce", EXAMPLES "hazard.raw/found.json",
                "--signature", "0123456789abcdef", NULL);
    tool_expect(2, NULL, "reduce", "nowhere.json", NULL);
    tool_expect(2, NULL, "reduce", "corpus", NULL);
    tool_expect(2, "x", "reduce", "-", "--rule", "hazard.row", NULL);
    tool_expect(2, NULL, "reduce", "graph:", NULL);
    tool_expect(2, "x", "reduce", "-", "--signature", "zz", NULL);
    tool_expect(2, "x", "reduce", "-", "--run", "2", NULL);
    tool_expect(2, NULL, "reduce", NULL);
    tool_expect(2, NULL, "reduce", EXAMPLES "hazard.raw/found.json", "-o",
                "/nowhere/x", NULL);
}

/* The gravest is kept when nothing is said, and the first of equal ones. */
static void gravest_finding(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "reduce", EXAMPLES "hazard.dead-write/found.json",
             "--json", NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "\"rule\":\"hazard.dead-write\""));
    tool_free(&r);
    tool_run(&r, NULL, "reduce", EXAMPLES "hazard.war/found.json", "--json",
             NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "\"rule\":\"hazard.war\""));
    assert_non_null(strstr(r.out, "\"severity\":\"error\""));
    assert_non_null(strstr(r.out, "\"text\":\"{"));
    tool_free(&r);
}

/* A dump keeps its names, and --signature takes what check has shown. */
static void dumps(void **state)
{
    (void)state;
    char signature[32];
    tool_result shown, r;
    tool_run(&shown, NULL, "check", "corpus/programs/war_scratch.py", "--json",
             NULL);
    tool_string(signature, sizeof signature, strstr(shown.out, "hazard.war"),
                "signature");
    tool_run(&r, NULL, "reduce", "corpus/programs/war_scratch.py",
             "--signature", signature, NULL);
    assert_int_equal(r.status, 0);
    assert_true(strlen(r.out) < 1200);
    assert_int_equal(strncmp(r.out, "# pypto.program:", 16), 0);
    tool_free(&shown);
    tool_run(&shown, r.out, "check", "-", "--json", NULL);
    assert_non_null(strstr(shown.out, signature));
    tool_free(&shown);
    tool_free(&r);
}

/* The same bytes, in as many questions, whatever the number of processes. */
static void jobs(void **state)
{
    (void)state;
    static const char *const counts[] = {"1", "2", "5"};
    tool_result first, r;
    tool_run(&first, NULL, "reduce", EXAMPLES "hazard.waw/found.json", "--json",
             "--jobs", "3", NULL);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        tool_run(&r, NULL, "reduce", EXAMPLES "hazard.waw/found.json", "--json",
                 "--jobs", counts[i], NULL);
        assert_int_equal(r.status, 0);
        assert_string_equal(r.out, first.out);
        tool_free(&r);
    }
    tool_free(&first);
}

static void generated_cases(void **state)
{
    (void)state;
    tool_result r;
    int reduced = 0;
    for (int i = 0; i < 12; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s:%d", i % 2 == 0 ? "graph" : "score", i);
        tool_run(&r, NULL, "reduce", name, "--seed", "1", "--json", "--quiet",
                 NULL);
        if (r.status != 4) {
            assert_int_equal(r.status, 0);
            assert_non_null(strstr(r.out, "\"minimal\":true"));
            const char *tasks = strstr(r.out, "\"tasks\":");
            assert_true(tool_number(tasks, "after") <= 8);
            reduced++;
        }
        tool_free(&r);
    }
    assert_true(reduced > 4);
}

/* What a run has written in two files is one text, which has parts. */
static void records_with_traces(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "reduce", EXAMPLES "trace.order/found/deps.json",
             "--rule", "trace.order", "--json", "--quiet", NULL);
    assert_int_equal(r.status, 0);
    assert_true(tool_number(strstr(r.out, "\"tasks\":"), "after") <= 2);
    assert_true(tool_number(strstr(r.out, "\"bytes\":"), "after") < 400);
    tool_free(&r);
}

/* What the help shows can be done as it stands there. */
static void example_of_the_help(void **state)
{
    (void)state;
    char command[512], words[600];
    char *folder = tool_folder();
    tool_result r;
    tool_run(&r, NULL, "reduce", "--help", NULL);
    const char *at = strstr(r.out, "Example:\n  counterpoint ");
    assert_non_null(at);
    at += strlen("Example:\n  counterpoint ");
    snprintf(command, sizeof command, "%.*s", (int)strcspn(at, "\n"), at);
    char *file = strstr(command, " -o ");
    assert_non_null(file);
    *file = '\0';
    snprintf(words, sizeof words, "%s %s -o %s/small.json 2>/dev/null",
             tool_program(), command, folder);
    assert_int_equal(system(words), 0);
    tool_free(&r);
    tool_remove(folder);
}

static void seconds_end_it(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "reduce", EXAMPLES "limit.tasks/found.py", "--rule",
             "limit.tasks", "--seconds", "1", "--json", NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "\"minimal\":false"));
    assert_non_null(strstr(r.error, "not yet minimal"));
    tool_free(&r);
}

/* --- Planners that fail --- */

/* Answers with an error, but dies of an input with "fatal" in it. */
static const char crashing[] =
    "while read -r line; do case $line in *fatal*) kill -SEGV $$;; esac;"
    " id=${line#*\\\"id\\\":}; id=${id%%,*};"
    " echo \"{\\\"error\\\":{\\\"code\\\":\\\"doc.schema\\\",\\\"message\\\":"
    "\\\"no\\\"},\\\"id\\\":$id}\"; done";

/* The same, but sleeps. */
static const char hanging[] =
    "while read -r line; do case $line in *fatal*) sleep 100;; esac;"
    " id=${line#*\\\"id\\\":}; id=${id%%,*};"
    " echo \"{\\\"error\\\":{\\\"code\\\":\\\"doc.schema\\\",\\\"message\\\":"
    "\\\"no\\\"},\\\"id\\\":$id}\"; done";

static const char program[] =
    "{\"kind\":\"Function\",\"name\":\"weave\",\"params\":[{\"kind\":\"Var\","
    "\"id\":\"x\"}],\"body\":[{\"kind\":\"Eval\",\"op\":\"fatal\"}]}";

static void crashes(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, program, "reduce", "-", "--kind", "ir", "--planner", crashing,
             "--json", NULL);
    if (r.status != 0)
        fail_msg("%s", r.error);
    assert_non_null(strstr(r.out, "\"rule\":\"planner.crash\""));
    assert_non_null(strstr(r.out, "\"minimal\":true"));
    assert_non_null(strstr(r.out, "fatal"));
    assert_true(tool_number(strstr(r.out, "\"bytes\":"), "after") < 20);
    tool_free(&r);
}

static void time_outs(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, "{\"kind\":\"Function\",\"a\":\"fatal\"}", "reduce", "-",
             "--kind", "ir", "--planner", hanging, "--timeout", "1", "--json",
             NULL);
    if (r.status != 0)
        fail_msg("%s", r.error);
    assert_non_null(strstr(r.out, "\"rule\":\"planner.timeout\""));
    assert_non_null(strstr(r.out, "fatal"));
    tool_free(&r);
}

/* Answers with an error, and of an input with "twice" in it again, later. */
static const char talking[] =
    "while read -r line; do"
    " id=${line#*\\\"id\\\":}; id=${id%%,*};"
    " a=\"{\\\"error\\\":{\\\"code\\\":\\\"doc.unsupported\\\",\\\"message\\\":"
    "\\\"no\\\"},\\\"id\\\":$id}\"; echo \"$a\";"
    " case $line in *twice*) sleep 0.02; echo \"$a\";; esac; done";

/* A line behind the answer is heard, and is of the text that it is behind. */
static void second_answers(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, "{\"kind\":\"Function\",\"a\":[\"twice\",1],\"b\":2}",
             "reduce", "-", "--kind", "ir", "--planner", talking, "--json",
             NULL);
    if (r.status != 0)
        fail_msg("%s", r.error);
    assert_non_null(strstr(r.out, "\"rule\":\"planner.protocol\""));
    assert_non_null(strstr(r.out, "\"minimal\":true"));
    assert_non_null(strstr(r.out, "twice"));
    assert_true(tool_number(strstr(r.out, "\"bytes\":"), "after") < 10);
    tool_free(&r);
}

/* What no text has alone is told so, and a planner that is not there. */
static void what_cannot_be_reduced(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *words;
    } rules[] = {
        {"diff.expected", "reduce the rule that its message names"},
        {"diff.frontend", "the files of another program beside it"},
        {"diff.metamorphic", "two related inputs"},
        {"diff.plan", "is about two documents"},
        {"planner.protocol", "the message names the case"},
    };
    tool_result r;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        tool_run(&r, NULL, "reduce", "score:3", "--seed", "1", "--rule",
                 rules[i].rule, NULL);
        assert_int_equal(r.status, 4);
        if (strstr(r.error, rules[i].words) == NULL)
            fail_msg("%s: %s", rules[i].rule, r.error);
        tool_free(&r);
    }
    tool_run(&r, NULL, "reduce", "score:3", "--planner", "/no/such", NULL);
    assert_int_equal(r.status, 2);
    assert_non_null(strstr(r.error, "the planner '/no/such' cannot be "
                                    "started"));
    tool_free(&r);
}

/* --- Databases --- */

static void cases_of_a_database(void **state)
{
    (void)state;
    char signature[32];
    tool_result r;
    char *folder = tool_folder();
    const char *db = tool_path(folder, "x.db");
    tool_expect(1, NULL, "run", EXAMPLES "hazard.raw/found.json",
                EXAMPLES "hazard.war/found.json", "--db", db, "--quiet", NULL);
    tool_run(&r, NULL, "reduce", "2", "--db", db, "--json", NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "\"rule\":\"hazard.war\""));
    tool_free(&r);
    tool_run(&r, NULL, "report", db, "--json", NULL);
    const char *bucket = strstr(r.out, "\"hazard.raw\",\"severity\"");
    assert_non_null(bucket);
    tool_string(signature, sizeof signature, bucket, "signature");
    tool_free(&r);
    tool_run(&r, NULL, "reduce", signature, "--db", db, "--json", NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "\"rule\":\"hazard.raw\""));
    assert_non_null(strstr(r.out, signature));
    tool_free(&r);
    tool_expect(2, NULL, "reduce", "3", "--db", db, NULL);
    tool_expect(2, NULL, "reduce", "x", "--db", db, NULL);
    tool_expect(2, NULL, "reduce", "1", "--db", db, "--run", "2", NULL);
    tool_expect(2, NULL, "reduce", "1", "--db", "/nowhere/x.db", NULL);
    tool_remove(folder);
}

/* Answers each request with an error that no document has. */
static const char refusing[] =
    "while read -r line; do id=${line#*\\\"id\\\":}; id=${id%%,*};"
    " echo \"{\\\"error\\\":{\\\"code\\\":\\\"doc.schema\\\",\\\"message\\\":"
    "\\\"no\\\"},\\\"id\\\":$id}\"; done";

/*
 * What was found of another planner's answers is looked for in its answers,
 * and is what was recorded, whatever else the case has.
 */
static void planner_of_a_run(void **state)
{
    (void)state;
    tool_result r;
    char *folder = tool_folder();
    const char *db = tool_path(folder, "x.db");
    tool_expect(1, NULL, "fuzz", "--kinds", "score", "--tasks", "8", "--cases",
                "40", "--db", db, "--planner", refusing, "--quiet", NULL);
    tool_run(&r, NULL, "reduce", "1", "--db", db, NULL);
    assert_int_equal(r.status, 2);
    assert_non_null(strstr(r.error, "answered by another planner"));
    assert_non_null(strstr(r.error, "--planner 'while read"));
    tool_free(&r);
    for (int i = 1; i <= 12; i++) {
        char number[8];
        snprintf(number, sizeof number, "%d", i);
        tool_run(&r, NULL, "reduce", number, "--db", db, "--planner", refusing,
                 "--json", NULL);
        if (r.status != 2) /* it has no such case */
            assert_non_null(strstr(r.out, "\"rule\":\"diff.accept\""));
        tool_free(&r);
    }
    tool_remove(folder);
}

/* --- Regression cases --- */

static void kept_cases(void **state)
{
    (void)state;
    char path[512], expect[600];
    tool_result r;
    cli_text problem = {0};
    char *folder = tool_folder();
    tool_run(&r, NULL, "reduce", EXAMPLES "hazard.war/found.json", "--into",
             folder, "--json", NULL);
    assert_int_equal(r.status, 0);
    tool_string(path, sizeof path, r.out, "file");
    assert_non_null(strstr(path, "/hazard.war-"));
    assert_non_null(strstr(r.error, "look at the second"));
    tool_free(&r);
    snprintf(expect, sizeof expect, "%s.expect", path);
    if (!cli_reduce_kept_holds(expect, serve_command(), &problem))
        fail_msg("%s", problem.data);
    FILE *file = fopen(expect, "a");
    assert_non_null(file);
    fputs("error hazard.raw\n", file);
    assert_int_equal(fclose(file), 0);
    assert_false(cli_reduce_kept_holds(expect, serve_command(), &problem));
    assert_non_null(strstr(problem.data, "- error hazard.raw"));
    tool_run(&r, NULL, "reduce", EXAMPLES "hazard.war/found.json", "--into",
             folder, NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.error, "stays as it is"));
    tool_free(&r);
    cli_text_clear(&problem);
    assert_false(cli_reduce_kept_holds(expect, serve_command(), &problem));
    assert_non_null(strstr(problem.data, "- error hazard.raw"));
    cli_text_clear(&problem);
    assert_int_equal(unlink(path), 0);
    assert_false(cli_reduce_kept_holds(expect, serve_command(), &problem));
    cli_text_free(&problem);
    tool_expect(2, NULL, "reduce", EXAMPLES "hazard.war/found.json", "--into",
                "/nowhere", NULL);
    tool_expect(2, NULL, "reduce", EXAMPLES "hazard.war/found.json", "-o",
                "/nowhere/small.json", NULL);
    tool_expect(2, NULL, "reduce", EXAMPLES "hazard.war/found.json",
                "--signature", "war", NULL);
    tool_remove(folder);
}

/* What was kept of faults once found: the right answer, said by a person. */
static void regressions(void **state)
{
    (void)state;
    glob_t paths;
    size_t count = 0;
    int status = glob("corpus/regressions/*.expect", 0, NULL, &paths);
    assert_true(status == 0 || status == GLOB_NOMATCH);
    for (; status == 0 && count < paths.gl_pathc; count++) {
        cli_text problem = {0};
        if (!cli_reduce_kept_holds(paths.gl_pathv[count], serve_command(),
                                   &problem))
            fail_msg("%s:\n%s", paths.gl_pathv[count], problem.data);
        cli_text_free(&problem);
    }
    if (status == 0)
        globfree(&paths);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(findings_of_documents),
    cmocka_unit_test(all_examples),
    cmocka_unit_test(standard_streams),
    cmocka_unit_test(gravest_finding),
    cmocka_unit_test(dumps),
    cmocka_unit_test(jobs),
    cmocka_unit_test(generated_cases),
    cmocka_unit_test(records_with_traces),
    cmocka_unit_test(example_of_the_help),
    cmocka_unit_test(seconds_end_it),
    cmocka_unit_test(crashes),
    cmocka_unit_test(time_outs),
    cmocka_unit_test(second_answers),
    cmocka_unit_test(what_cannot_be_reduced),
    cmocka_unit_test(cases_of_a_database),
    cmocka_unit_test(planner_of_a_run),
    cmocka_unit_test(kept_cases),
    cmocka_unit_test(regressions),
};

TEST_MAIN(tests)
