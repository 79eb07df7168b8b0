/* --verbose: times on standard error, and nothing else that differs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../phases.h"
#include "tool.h"

#define PROGRAMS "corpus/programs/"
/* A planner in shell that refuses, with `more` members in its answer. */
#define REFUSING(more)                                                         \
    "while IFS= read -r line; do id=${line#*\\\"id\\\":}; id=${id%%,*}; "      \
    "printf '{\"id\":%s,\"error\":{\"code\":\"doc.unsupported\","              \
    "\"message\":\"not today\",\"line\":7,\"column\":1}" more "}\\n' $id; "    \
    "done"

static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

/* Runs with and without: the same but for standard error, given back. */
static char *times_of(const char *const words[4])
{
    tool_result plain, told;
    tool_run(&plain, NULL, words[0], words[1], words[2], words[3], NULL);
    tool_run(&told, NULL, words[0], "--verbose", words[1], words[2], words[3],
             NULL);
    assert_string_equal(plain.out, told.out);
    assert_int_equal(plain.status, told.status);
    assert_string_equal(plain.error, "");
    char *times = strdup(told.error);
    assert_non_null(times);
    tool_free(&plain);
    tool_free(&told);
    return times;
}

static void expect_words(const char *line, const char *const *words)
{
    for (; *words != NULL; words++) {
        const char *at = strstr(line, *words);
        if (at == NULL)
            fail_msg("no '%s' in: %s", *words, line);
        line = at + strlen(*words);
    }
}

static void check(void **state)
{
    (void)state;
    static const char *const first[] = {"counterpoint: " PROGRAMS
                                        "chain.py: plan ",
                                        " ms (read ",
                                        ", expand ",
                                        ", write ",
                                        ", score ",
                                        "), judge ",
                                        " ms (read ",
                                        ", derive ",
                                        ", judge ",
                                        ", tell ",
                                        "); 5 tasks, 4 edges\n",
                                        NULL};
    static const char *const second[] = {"\ncounterpoint: " PROGRAMS
                                         "while_loop.py: plan ",
                                         " (read ", "\n", NULL};
    static const char *const outputs[] = {"--json", "--quiet", "--limit=9"};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        char *times =
            times_of((const char *[]){"check", outputs[i], PROGRAMS "chain.py",
                                      PROGRAMS "while_loop.py"});
        assert_int_equal(count_lines(times), 2);
        expect_words(times, first);
        expect_words(times, second);
        free(times);
    }
}

/* Nothing to plan, and nothing to do at all. */
static void other_inputs(void **state)
{
    (void)state;
    char *folder = tool_folder();
    tool_result bundle;
    tool_run(&bundle, NULL, "plan", PROGRAMS "chain.py", NULL);
    tool_write(folder, "a.json", bundle.out);
    tool_write(folder, "b.json", "");
    tool_free(&bundle);
    char *times = times_of((const char *[]){"check", "--json",
                                            tool_path(folder, "a.json"),
                                            tool_path(folder, "b.json")});
    assert_int_equal(count_lines(times), 2);
    assert_non_null(strstr(times, "a.json: judge "));
    assert_non_null(strstr(times, "; 5 tasks, 4 edges\n"));
    assert_non_null(strstr(times, "b.json: nothing was planned or judged\n"));
    free(times);
    tool_remove(folder);
}

static void run(void **state)
{
    (void)state;
    static const char *const totals[] = {"counterpoint: 2 inputs in ",
                                         " ms: plan ",
                                         "(read ",
                                         "judge ",
                                         "(read ",
                                         "; 10 tasks, 8 edges\n",
                                         NULL};
    char *folder = tool_folder();
    tool_copy(folder, "a.py", PROGRAMS "chain.py");
    tool_copy(folder, "b.py", PROGRAMS "chain.py");
    for (int json = 0; json < 2; json++) {
        char *times = times_of((const char *[]){
            "run", json ? "--json" : "--lenient", "--jobs=2", folder});
        assert_int_equal(count_lines(times), 3);
        const char *second = strchr(times, '\n') + 1;
        const char *last = strchr(second, '\n') + 1;
        assert_non_null(strstr(times, "/a.py: plan "));
        assert_non_null(strstr(second, "/b.py: plan "));
        expect_words(last, totals);
        free(times);
    }
    tool_remove(folder);
}

static void other_verbs(void **state)
{
    (void)state;
    const char *const words[][4] = {
        {"plan", "--rules=tensormap", "--jobs=1", PROGRAMS "chain.py"},
        {"plan", "--emit=memory", "--jobs=1", PROGRAMS "chain.py"},
        {"lint", "--notes", "--jobs=1", PROGRAMS "war_scratch.py"},
        {"graph", "--rules=tensormap", "--limit=5", PROGRAMS "chain.py"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *times = times_of(words[i]);
        assert_int_equal(count_lines(times), 1);
        assert_non_null(strstr(times, ".py: plan "));
        assert_int_equal(strstr(times, "judge") == NULL, i < 2);
        assert_int_equal(strstr(times, "members") != NULL, i == 1 || i == 2);
        free(times);
    }
    tool_expect(2, NULL, "report", "--verbose", "x.db", NULL);
}

/* Another planner need not measure; what is odd about its times is no fault. */
static void other_planner(void **state)
{
    (void)state;
    static const struct {
        const char *planner, *shown;
    } cases[] = {
        {REFUSING(""), " ms\n"},
        {REFUSING(",\"phases\":{\"parse\":1500,\"plan\":99}"),
         " ms (parse 1.5, plan 0.0)\n"},
        {REFUSING(",\"phases\":{\"parse\":-1,\"Up\":2,\"\":3,\"a\":\"x\","
                  "\"abcdefghijklmnop\":1,\"b\":1e9,\"ok\":2000}"),
         " ms (ok 2.0)\n"},
        {REFUSING(",\"phases\":[7],\"size\":{\"tasks\":1,\"edges\":2}"),
         " ms\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *times = times_of((const char *[]){
            "check", "--planner", cases[i].planner, PROGRAMS "chain.py"});
        assert_int_equal(count_lines(times), 1);
        expect_words(times,
                     (const char *[]){"chain.py: plan ", cases[i].shown, NULL});
        free(times);
    }
}

/* Phases stand in an answer that is asked for them, behind the bundle. */
static void served(void **state)
{
    (void)state;
    static const char request[] =
        "{\"id\":4,\"kind\":\"score\",\"input\":\"{}\"}\n";
    tool_result plain, told;
    tool_run(&plain, request, "serve", NULL);
    tool_run(&told, request, "serve", "--phases", NULL);
    size_t same = plain.out_length - strlen("}\n");
    assert_null(strstr(plain.out, "phases"));
    assert_memory_equal(plain.out, told.out, same);
    assert_int_equal(strncmp(told.out + same, ",\"phases\":{\"read\":", 18), 0);
    assert_int_equal(count_lines(told.out), 1);
    tool_free(&plain);
    tool_free(&told);
}

static void take(cli_times *times, cli_part part, const char *answer)
{
    cli_times_take(times, part, (cli_span){answer, strlen(answer)});
}

static void sums(void **state)
{
    (void)state;
    cli_times a = {0}, sum = {0};
    take(&a, CLI_PART_JUDGE,
         "{\"phases\":{\"read\":9223372036854775807,\"tell\":2},"
         "\"size\":{\"edges\":3,\"tasks\":2}}");
    cli_times_add(&a, CLI_PART_JUDGE, 5);
    cli_times_sum(&sum, &a);
    cli_times_sum(&sum, &a);
    assert_true(sum.phases[CLI_PART_JUDGE].list[0].us == INT64_MAX);
    assert_true(sum.phases[CLI_PART_JUDGE].list[1].us == 4);
    assert_true(sum.us[CLI_PART_JUDGE] == 10);
    assert_true(sum.has_size && sum.tasks == 4 && sum.edges == 6);
    /* More names than are kept. */
    take(&sum, CLI_PART_PLAN,
         "{\"phases\":{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,"
         "\"g\":1,\"h\":1,\"i\":1,\"h\":1}}");
    assert_int_equal(sum.phases[CLI_PART_PLAN].count, CLI_PHASES);
    assert_true(sum.phases[CLI_PART_PLAN].list[CLI_PHASES - 1].us == 2);
}

/* A phase that begins again goes on in its place. */
static void watch(void **state)
{
    (void)state;
    cli_watch w = {0};
    cli_text line = {0};
    cli_watch_begin(NULL, "read");
    cli_watch_begin(&w, "read");
    cli_watch_begin(&w, "write");
    cli_watch_begin(&w, "read");
    cli_watch_size(&w, 2, 3);
    cli_text_put(&line, "{\"id\":1}\n");
    cli_watch_put(&line, &w);
    assert_int_equal(w.phases.count, 2);
    assert_string_equal(w.phases.list[0].name, "read");
    expect_words(
        line.data,
        (const char *[]){"{\"id\":1,\"phases\":{\"read\":", ",\"write\":",
                         "},\"size\":{\"edges\":3,\"tasks\":2}}\n", NULL});
    cli_text_free(&line);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(check),         cmocka_unit_test(other_inputs),
    cmocka_unit_test(run),           cmocka_unit_test(other_verbs),
    cmocka_unit_test(other_planner), cmocka_unit_test(served),
    cmocka_unit_test(sums),          cmocka_unit_test(watch),
};

TEST_MAIN(tests)
