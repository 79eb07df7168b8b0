/* Names and days of the golden gate, and lines of golden files. */
#include "../../scripts/testing/harness.h"

#include <stdlib.h>
#include <string.h>

#include "../gate_files.h"
#include "../golden.h"

static void expect_name(const char *path, const char *name)
{
    char *is = cli_golden_case(path, "/home/x");
    assert_non_null(is);
    assert_string_equal(is, name);
    free(is);
}

static void case_names(void **state)
{
    (void)state;
    expect_name("corpus/a_b-1.py", "corpus/a_b-1.py");
    expect_name("./corpus//x/../a.py", "corpus/a.py");
    expect_name("/home/x/corpus/a.py", "corpus/a.py");
    expect_name("/home/xy/a.py", "/home/xy/a.py");
    expect_name("/home/x", "%2e");
    expect_name("../a.py", "%2e./a.py");
    expect_name("a b%\n\xff~.py", "a%20b%25%0a%ff%7e.py");
    expect_name("x.golden/a", "x.golde%6e/a");
    expect_name("a/x.golden", "a/x.golden");
}

/* The path that a name stands for is the one that it was made of. */
static void names_are_reversed(void **state)
{
    (void)state;
    static const char *const paths[] = {"a/b.py", "../a%41 .py", "/x/\x01\xff",
                                        "x.golden/.y", "100%"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char *name = cli_golden_case(paths[i], "/home/x");
        cli_golden_path(name);
        assert_string_equal(name, paths[i]);
        free(name);
    }
}

static void file_names(void **state)
{
    (void)state;
    char name[600] = "a/";
    char *file = cli_golden_file("/a/b.py");
    assert_string_equal(file, "%2fa/b.py.golden");
    free(file);
    memset(name + 2, 'x', 500);
    strcpy(name + 502, "/b");
    char *one = cli_golden_file(name);
    assert_int_equal(strcspn(one + 2, "/"), 160 + 1 + 16);
    name[501] = 'y';
    char *two = cli_golden_file(name);
    assert_string_not_equal(one, two);
    free(one);
    free(two);
}

static void days(void **state)
{
    (void)state;
    char day[CLI_DAY_LENGTH + 1], problem[128];
    assert_true(cli_day_is("2024-02-29: leap"));
    assert_true(cli_day_is("2000-02-29"));
    assert_false(cli_day_is("1900-02-29"));
    assert_false(cli_day_is("2026-00-10"));
    assert_false(cli_day_is("2026-04-31"));
    assert_false(cli_day_is("2026-4-30"));
    assert_false(cli_day_is("0000-01-01"));
    assert_false(cli_day_is("2026-04-3"));
    assert_false(cli_day_today(day, "2026-04-300", problem, sizeof problem));
    setenv("SOURCE_DATE_EPOCH", "951782400", 1);
    assert_true(cli_day_today(day, NULL, problem, sizeof problem));
    assert_string_equal(day, "2000-02-29");
    assert_true(cli_day_today(day, "2026-04-30", problem, sizeof problem));
    assert_string_equal(day, "2026-04-30");
    setenv("SOURCE_DATE_EPOCH", "-5", 1);
    assert_false(cli_day_today(day, NULL, problem, sizeof problem));
    unsetenv("SOURCE_DATE_EPOCH");
    assert_true(cli_day_today(day, NULL, problem, sizeof problem));
    assert_true(cli_day_is(day) && strcmp(day, "2025-01-01") > 0);
}

static void expect_fact(const char *line, cli_stage stage, const char *key)
{
    cli_fact fact = cli_fact_of(line, strlen(line));
    assert_int_equal(fact.stage, stage);
    assert_int_equal(fact.key, strlen(key));
    assert_memory_equal(fact.text, key, fact.key);
}

static void stages_and_keys(void **state)
{
    (void)state;
    expect_fact("tasks 4", CLI_STAGE_READING, "tasks");
    expect_fact("digest graph ab", CLI_STAGE_READING, "digest graph");
    expect_fact("digest score ab", CLI_STAGE_SCORE, "digest score");
    expect_fact("digest scores ab", CLI_STAGE_DOCUMENTS, "digest scores");
    expect_fact("digest memory greedy_v0 ab", CLI_STAGE_MEMORY,
                "digest memory greedy_v0");
    expect_fact("peak greedy_v0 4", CLI_STAGE_MEMORY, "peak greedy_v0");
    expect_fact("edges automatic war 2", CLI_STAGE_EDGES,
                "edges automatic war");
    expect_fact("finding a error b", CLI_STAGE_JUDGEMENT, "finding");
    expect_fact("findings 3", CLI_STAGE_JUDGEMENT, "findings");
    expect_fact("taskss 3", CLI_STAGE_UNKNOWN, "taskss 3");
    expect_fact("", CLI_STAGE_UNKNOWN, "");
}

static void compare(cli_golden *golden, const char *was, const cli_text *is)
{
    cli_text_put(&golden->text, was);
    assert_true(cli_golden_parse(golden));
    assert_true(cli_golden_compare(golden, is));
}

/* Order does not count, number does; line ends of either kind are read. */
static void lists_are_compared(void **state)
{
    (void)state;
    cli_golden golden = {0};
    cli_text is = {0};
    cli_text_put(&is, "tasks 4\nfinding a\nfinding b\nfinding b\n");
    compare(&golden, "# x\n\nfinding b\r\nfinding b\nfinding a\ntasks 4", &is);
    assert_int_equal(golden.difference_count, 0);
    cli_golden_free(&golden);
    compare(&golden, "finding b\nfinding a\nfinding c\ntasks 4\n", &is);
    assert_int_equal(golden.difference_count, 2);
    assert_false(golden.differences[0].added);
    assert_int_equal(golden.differences[0].fact.length, 9);
    assert_memory_equal(golden.differences[0].fact.text, "finding c", 9);
    assert_true(golden.differences[1].added);
    assert_memory_equal(golden.differences[1].fact.text, "finding b", 9);
    cli_golden_free(&golden);
    cli_text_free(&is);
}

/* Whole words are covered: "finding hazard" is no part of hazard.raw. */
static void expectations_cover_words(void **state)
{
    (void)state;
    cli_golden golden = {0};
    cli_text is = {0}, out = {0};
    cli_text_put(&is, "finding hazard.raw x\nfinding hazard.war y\n");
    compare(&golden,
            "expect-failure finding hazard until 2026-01-01: no\n"
            "expect-failure finding hazard.war until 2026-01-01: yes\n",
            &is);
    assert_int_equal(golden.difference_count, 2);
    assert_null(golden.differences[0].expected);
    assert_non_null(golden.differences[1].expected);
    assert_false(cli_difference_fails(&golden.differences[1], "2026-01-01"));
    assert_true(cli_difference_fails(&golden.differences[1], "2026-01-02"));
    assert_true(cli_difference_fails(&golden.differences[0], "2026-01-01"));
    cli_golden_bless(&out, &golden);
    assert_string_equal(out.data, "expect-failure finding hazard.war until "
                                  "2026-01-01: yes\nfinding hazard.raw x\n");
    cli_golden_free(&golden);
    cli_text_free(&is);
    cli_text_free(&out);
}

static void scopes(void **state)
{
    (void)state;
    assert_true(cli_scope_has("", "a/b"));
    assert_true(cli_scope_has("a", "a/b"));
    assert_true(cli_scope_has("a/b", "a/b"));
    assert_false(cli_scope_has("a", "ab/c"));
    assert_false(cli_scope_has("a/b", "a"));
}

static void names_once(void **state)
{
    (void)state;
    static const char *const words[] = {"b", "a", "b", "c", "a"};
    cli_names names = {0};
    assert_false(cli_names_have(&names, "a"));
    for (size_t i = 0; i < 5; i++)
        assert_true(cli_names_add(&names, strdup(words[i])));
    cli_names_sort(&names);
    assert_int_equal(names.count, 3);
    assert_string_equal(names.items[0], "a");
    assert_true(cli_names_have(&names, "c"));
    assert_false(cli_names_have(&names, "d"));
    assert_false(cli_names_add(&names, NULL));
    cli_names_free(&names);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(case_names),
    cmocka_unit_test(names_are_reversed),
    cmocka_unit_test(file_names),
    cmocka_unit_test(days),
    cmocka_unit_test(stages_and_keys),
    cmocka_unit_test(lists_are_compared),
    cmocka_unit_test(expectations_cover_words),
    cmocka_unit_test(scopes),
    cmocka_unit_test(names_once),
};

TEST_MAIN(tests)
