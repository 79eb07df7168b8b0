/* What options of a replay do, and what its JSON tells of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "tool.h"

static void expect_part(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("no \"%s\" in:\n%s", part, text);
}

static char *read_file(const char *path)
{
    FILE *in = fopen(path, "r");
    char *text = calloc(1, 1 << 20);
    assert_non_null(in);
    assert_non_null(text);
    size_t length = fread(text, 1, (1 << 20) - 1, in);
    assert_true(length < (1 << 20) - 1);
    fclose(in);
    return text;
}

#define USE(key, told, mode)                                                   \
    "{\"access\":[{\"exact\":true,\"mode\":\"" mode                            \
    "\",\"must\":true}],\"buffer\":\"" key "\",\"dispatch\":\"" told "\"}"

/* 0 writes x; 1 writes it again where n > 0, 2 reads it behind both. */
static const char predicated[] =
    "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"rules\":\"none\","
    "\"buffers\":[{\"key\":\"param:x\",\"bytes\":64},{\"key\":\"param:n\","
    "\"bytes\":4},{\"key\":\"param:y\",\"bytes\":64}],\"tasks\":["
    "{\"id\":0,\"name\":\"first\",\"args\":[" USE("param:x", "output_existing",
                                                  "write") //
    "]},{\"id\":1,\"name\":\"maybe\",\"predicate\":{\"buffer\":\"param:n\","
    "\"region\":{\"elem\":4,\"dims\":[]},\"op\":\">\",\"value\":0},\"args\":"
    "[" USE("param:x", "output_existing", "write") //
    "]},{\"id\":2,\"name\":\"last\",\"args\":[" USE(
        "param:x", "input", "read") "," USE("param:y", "output_existing",
                                            "write") //
    "]}],\"edges\":[{\"from\":0,\"to\":1,\"source\":\"explicit\"},"
    "{\"from\":1,\"to\":2,\"source\":\"explicit\"}]}";

/* With a false predicate the task takes no core, and its consumers go on: by
 * the timeline, too. */
static void predicates_both_ways(void **state)
{
    static const char *const values[] = {"true", "false"};
    static const char *const lines[] = {"\"cat\":\"task,critical\",\"pid\":1",
                                        "\"cat\":\"predicate,critical\""};
    /* 50 ticks and some bytes, 10 to dispatch, 5 to retire; or these alone. */
    static const long long makespans[] = {3 * 66, 2 * 66 + 5};
    char *folder = tool_folder();
    (void)state;
    tool_write(folder, "g.json", predicated);
    for (int i = 0; i < 2; i++) {
        tool_result r;
        tool_run(&r, NULL, "replay", "--json", "--predicates", values[i], "-o",
                 tool_path(folder, "line.json"), tool_path(folder, "g.json"),
                 NULL);
        assert_string_equal(r.error, "");
        assert_int_equal(r.status, 0);
        assert_int_equal(tool_number(r.out, "makespan"), makespans[i]);
        assert_int_equal(tool_number(r.out, "speed_up"), 1000);
        tool_free(&r);
        char *trace = read_file(tool_path(folder, "line.json"));
        const char *maybe = strstr(trace, "\"name\":\"maybe\"");
        assert_non_null(maybe);
        expect_part(maybe, lines[i]);
        expect_part(trace, "\"arrows\":2,");
        free(trace);
    }
    tool_remove(folder);
}

/* A document has its edges; those of a program are planned. */
static void policy_is_of_plans(void **state)
{
    tool_result r;
    char *folder = tool_folder();
    (void)state;
    tool_write(folder, "g.json", predicated);
    tool_run(&r, NULL, "replay", "--policy", "sequential_v0",
             tool_path(folder, "g.json"), NULL);
    assert_int_equal(r.status, 2);
    expect_part(r.error, "--policy is for what is planned");
    tool_free(&r);
    tool_expect(0, NULL, "replay", "--policy", "sequential_v0",
                "corpus/programs/chain.py", NULL);
    tool_remove(folder);
}

/* What --export wrote stands in the JSON, and what is not in it. */
static void scenes_are_told(void **state)
{
    tool_result r;
    char *folder = tool_folder(), expected[400];
    (void)state;
    tool_write(folder, "g.json", predicated);
    tool_run(&r, NULL, "replay", "--json", "--export",
             tool_path(folder, "scene"), tool_path(folder, "g.json"), NULL);
    assert_int_equal(r.status, 0);
    snprintf(expected, sizeof expected,
             "\"scene\":{\"automatic\":true,\"cases\":8,\"folder\":\"%s\","
             "\"left_out\":0,\"scaled\":false}",
             tool_path(folder, "scene"));
    expect_part(r.out, expected);
    tool_free(&r);
    tool_write(
        folder, "bound.json",
        "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"rules\":"
        "\"none\",\"buffers\":[{\"key\":\"param:x\",\"bytes\":64}],"
        "\"tasks\":[{\"id\":0,\"name\":\"t\",\"args\":[{\"buffer\":"
        "\"param:x\",\"dispatch\":\"output_existing\",\"access\":[{"
        "\"mode\":\"write\",\"must\":true,\"exact\":false}]}]}],"
        "\"edges\":[]}");
    tool_run(&r, NULL, "replay", "--export", tool_path(folder, "other"),
             tool_path(folder, "bound.json"), NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "1 access is not in the scene, or in part: nobody knows "
                       "which bytes it touches");
    tool_free(&r);
    tool_remove(folder);
}

/* Orders that would take minutes end, and that is told. */
static void time_ends_orders(void **state)
{
    tool_result r;
    (void)state;
    tool_run(&r, NULL, "replay", "--seeds", "1000000000", "--timeout", "1",
             "corpus/programs/chain.py", NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "undecided: the time is over (--timeout): 1 of ");
    expect_part(r.out, ": no difference in ");
    tool_free(&r);
}

/* Nothing wrong, nothing to see. */
static void nothing_to_replay(void **state)
{
    static const char empty[] = "{\"kind\":\"task_graph\",\"version\":1,"
                                "\"buffers\":[],\"tasks\":[]}";
    tool_result r;
    (void)state;
    tool_run(&r, empty, "replay", "-", NULL);
    assert_int_equal(r.status, 0);
    assert_string_equal(r.out, "-: nothing to replay: it has no tasks\n");
    tool_free(&r);
}

/* More blocks than cores: nothing wrong, and nothing that ends on it. */
static void machine_is_too_small(void **state)
{
    static const char text[] =
        "{\"kind\":\"task_graph\",\"version\":1,\"buffers\":[],\"tasks\":[{"
        "\"id\":0,\"core\":\"aic\",\"blocks\":9,\"sync_start\":true}]}";
    tool_result r;
    (void)state;
    tool_run(&r, text, "replay", "-", NULL);
    assert_int_equal(r.status, 4);
    expect_part(r.out, "no difference in 3 runs, and this machine can make "
                       "none of them: --clusters makes it larger\n");
    tool_free(&r);
    tool_run(&r, text, "replay", "--clusters", "9", "-", NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "no difference in 3 runs\n");
    tool_free(&r);
}

#define ROWS(base)                                                             \
    "\"exact\":true,\"region\":{\"elem\":4,\"base\":" #base                    \
    ",\"dims\":[[1500000,16,0]]}}]"

/* Two sets of bytes between each other: a few numbers for the judge, and some
 * hundred megabytes for whoever runs them. */
static const char many_rows[] =
    "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"rules\":\"none\","
    "\"buffers\":[{\"key\":\"param:x\",\"bytes\":24000000}],\"tasks\":["
    "{\"id\":0,\"name\":\"even\",\"args\":[{\"buffer\":\"param:x\","
    "\"dispatch\":\"output_existing\",\"access\":[{\"mode\":\"write\","
    "\"must\":true," ROWS(0) "}]},{\"id\":1,\"name\":\"odd\",\"args\":[{"
                             "\"buffer\":\"param:x\",\"dispatch\":\"output_"
                             "existing\",\"access\":[{"
                             "\"mode\":\"write\",\"must\":true," ROWS(
                                 8) "}]}],\"edges\":[]}";

/* No verdict hangs on a replay: where there is no memory for both the judge is
 * asked again without, and says what it says without. */
static void asked_again_without(void **state)
{
    tool_result with, without;
    char *folder = tool_folder();
    (void)state;
    tool_write(folder, "g.json", many_rows);
    tool_run(&with, NULL, "run", "--json", "--memory", "200",
             tool_path(folder, "g.json"), NULL);
    tool_run(&without, NULL, "run", "--json", "--memory", "200", "--replay",
             "0", tool_path(folder, "g.json"), NULL);
    assert_int_equal(with.status, without.status);
    expect_part(with.error,
                "g.json: not replayed in full: the judge that "
                "replays, too, used too much memory (limit: 200 MB)");
    assert_string_equal(without.error, "");
    assert_int_equal(tool_number(with.out, "judged"), 1);
    assert_int_equal(tool_number(with.out, "crashed"), 0);
    assert_int_equal(tool_number(with.out, "runs"), 0);
    expect_part(with.out, "\"replayed\":{\"left_out\":1,");
    char digests[2][80];
    tool_string(digests[0], sizeof digests[0], with.out, "digest");
    tool_string(digests[1], sizeof digests[1], without.out, "digest");
    assert_string_equal(digests[0], digests[1]);
    tool_free(&with);
    tool_free(&without);
    tool_remove(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(time_ends_orders),
    cmocka_unit_test(nothing_to_replay),
    cmocka_unit_test(machine_is_too_small),
    cmocka_unit_test(predicates_both_ways),
    cmocka_unit_test(policy_is_of_plans),
    cmocka_unit_test(scenes_are_told),
    cmocka_unit_test(asked_again_without),
};

TEST_MAIN(tests)
