/* The command over the project's own corpus as a whole. */
#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus_answers.h"
#include "tool.h"

#define PROGRAMS "corpus/programs"
#define EXPECT "corpus/expect.txt"
#define EXPECT_CONSERVATIVE "corpus/expect-conservative.txt"
#define PREFIX "programs/"

static void finds_what_is_expected(void **state)
{
    (void)state;
    tool_expect(0, NULL, "run", PROGRAMS, "--expect", EXPECT, NULL);
    tool_expect(0, NULL, "run", PROGRAMS, "--rules", "conservative", "--expect",
                EXPECT_CONSERVATIVE, NULL);
}

static void rule_sets_differ(void **state)
{
    (void)state;
    tool_expect(1, NULL, "run", PROGRAMS, "--expect", EXPECT_CONSERVATIVE,
                NULL);
    tool_expect(1, NULL, "run", PROGRAMS, "--rules", "conservative", "--expect",
                EXPECT, NULL);
}

static char *read_expect(void)
{
    static char text[1 << 14];
    FILE *file = fopen(EXPECT, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    assert_true(length > 0 && length < sizeof text - 1);
    (void)fclose(file);
    text[length] = '\0';
    return text;
}

/*
 * The expectations in `folder`, paths relative to the programs, without the
 * line `left_out` (NULL: with all), and with `more` behind them.
 */
static void write_expect(const char *folder, const char *left_out,
                         const char *more)
{
    char out[1 << 14] = "";
    char *rest = NULL;
    bool found = left_out == NULL;
    for (char *line = strtok_r(read_expect(), "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        assert_memory_equal(line, PREFIX, strlen(PREFIX));
        if (left_out != NULL && strcmp(line + strlen(PREFIX), left_out) == 0) {
            found = true;
            continue;
        }
        strcat(out, line + strlen(PREFIX));
        strcat(out, "\n");
    }
    assert_true(found);
    strcat(out, more);
    tool_write(folder, "expect.txt", out);
}

static void run_against(int status, const char *folder)
{
    tool_expect(status, NULL, "run", PROGRAMS, "--quiet", "--expect",
                tool_path(folder, "expect.txt"), NULL);
}

static void another_expectation_fails(void **state)
{
    (void)state;
    char *folder = tool_folder();
    write_expect(folder, NULL, "");
    run_against(0, folder);
    write_expect(folder, "dead_dep.py graph.dead-dep 1", "");
    run_against(1, folder);
    write_expect(folder, "war_scratch.py hazard.war 1",
                 "war_scratch.py hazard.war 2\n");
    run_against(1, folder);
    write_expect(folder, NULL, "chain.py hazard.raw 1\n");
    run_against(1, folder);
    write_expect(folder, NULL, "nowhere.py hazard.raw 1\n");
    run_against(1, folder);
    tool_remove(folder);
}

static void run_json(tool_result *result, const char *jobs, const char *rules)
{
    tool_run(result, NULL, "run", PROGRAMS, "--json", "--jobs", jobs, "--rules",
             rules, NULL);
    assert_int_equal(result->status, 1);
}

static void digests_repeat(void **state)
{
    (void)state;
    static const char *const jobs[] = {"1", "1", "2", "3"};
    char first[80] = "", other[80], digest[80];
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        tool_result result;
        run_json(&result, jobs[i], "tensormap");
        tool_string(digest, sizeof digest, result.out, "digest");
        assert_int_equal(strlen(digest), 64);
        if (i == 0)
            strcpy(first, digest);
        assert_string_equal(first, digest);
        tool_free(&result);
    }
    tool_result result;
    run_json(&result, "2", "conservative");
    tool_string(other, sizeof other, result.out, "digest");
    assert_string_not_equal(first, other);
    tool_free(&result);
}

static long long count_severity(const char *severity)
{
    long long count = 0;
    for (size_t i = 0; i < corpus_answer_count; i++)
        count += strcmp(corpus_answers[i].severity, severity) == 0;
    return count;
}

static bool only_undecided(const char *program)
{
    bool undecided = false;
    for (size_t i = 0; i < corpus_answer_count; i++) {
        const corpus_answer *answer = &corpus_answers[i];
        if (strcmp(answer->program, program) != 0 ||
            strcmp(answer->severity, "note") == 0)
            continue;
        if (strcmp(answer->rule, "hazard.unknown-access") != 0)
            return false;
        undecided = true;
    }
    return undecided;
}

static long long count_undecided(void)
{
    long long count = (long long)corpus_undecided_count;
    for (size_t i = 0; i < corpus_program_count; i++)
        count += only_undecided(corpus_programs[i]);
    return count;
}

/*
 * One program is refused with a warning; each stale companion is an error;
 * some programs have a part that cannot be decided and nothing worse.
 */
static void totals(void **state)
{
    (void)state;
    tool_result result;
    run_json(&result, "2", "tensormap");
    assert_int_equal(tool_number(result.out, "inputs"),
                     corpus_program_count + 1);
    assert_int_equal(tool_number(result.out, "judged"), corpus_program_count);
    assert_int_equal(tool_number(result.out, "refused"), 1);
    assert_int_equal(tool_number(result.out, "crashed"), 0);
    assert_int_equal(tool_number(result.out, "timed_out"), 0);
    assert_int_equal(tool_number(result.out, "partial"), count_undecided());
    assert_int_equal(tool_number(result.out, "error"),
                     count_severity("error") + 2);
    assert_int_equal(tool_number(result.out, "warning"),
                     count_severity("warning") + 1);
    /* Notes about what edges cost are no part of the answers. */
    assert_true(tool_number(result.out, "note") >= count_severity("note"));
    tool_free(&result);
}

static const struct regression {
    const char *name;
    const char *words; /* what must be said */
} regressions[] = {
    {"empty.py", "empty"},
    {"truncated.py", "doc.syntax"},
    {"unclosed_call.py", "unclosed_call.py:26"},
    {"ragged_indent.py", "ragged_indent.py:25"},
    {"unknown_callee.py", "unknown_callee.py:25"},
    {"short_directions.py", "short_directions.py:25"},
    {"tensor_as_scalar.py", "tensor_as_scalar.py:11"},
    {"source_not_dump.py", "passes_dump"},
    {"unclosed_string.json", "unclosed_string.json:2"},
    {"later_version.json", "schema_version"},
};

static void regressions_are_refused_with_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof regressions / sizeof *regressions; i++) {
        tool_result result;
        const char *path = tool_path("corpus/regressions", regressions[i].name);
        tool_run(&result, NULL, "check", "--fail-on", "warning", path, NULL);
        if (result.status != 1 ||
            strstr(result.out, regressions[i].words) == NULL)
            fail_msg("%s: status %d, without '%s': %s%s", path, result.status,
                     regressions[i].words, result.out, result.error);
        tool_free(&result);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(finds_what_is_expected),
    cmocka_unit_test(rule_sets_differ),
    cmocka_unit_test(another_expectation_fails),
    cmocka_unit_test(digests_repeat),
    cmocka_unit_test(totals),
    cmocka_unit_test(regressions_are_refused_with_place),
};

TEST_MAIN(tests)
