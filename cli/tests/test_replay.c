/* counterpoint replay, on programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "tool.h"

#define PROGRAM(name) "corpus/programs/" name ".py"

static void expect_part(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("no \"%s\" in:\n%s", part, text);
}

/* --- The verb --- */

static void lost_order_differs(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "replay", PROGRAM("war_scratch"), NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.out, "error replay.differs: task 1 ");
    expect_part(r.out, "instead of the write of task 0 ");
    expect_part(r.out, "witnesses of errors: 1 of 1 show other bytes");
    expect_part(r.out, "critical path ");
    tool_free(&r);
}

static void right_order_does_not(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "replay", "--adversarial", "--seeds", "50", "--json",
             PROGRAM("chain"), NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "{\"verdict\":\"clean\"");
    expect_part(r.out, "\"findings\":{\"error\":0,\"note\":0,\"warning\":0}");
    tool_free(&r);
}

static void same_twice(void **state)
{
    (void)state;
    tool_result runs[2];
    for (int i = 0; i < 2; i++)
        tool_run(&runs[i], NULL, "replay", "--json", "--model", "seeded",
                 "--seed", "7", PROGRAM("fan_out_fan_in"), NULL);
    assert_int_equal(runs[0].status, 0);
    assert_string_equal(runs[0].out, runs[1].out);
    expect_part(runs[0].out, "\"digest\":\"");
    tool_free(&runs[0]);
    tool_free(&runs[1]);
}

/* Runs on a program what `check --json` has found in another one. */
static void replay_found(tool_result *r, char *folder, const char *checked,
                         const char *program)
{
    tool_run(r, NULL, "check", "--json", checked, NULL);
    tool_write(folder, "w.json", r->out);
    tool_free(r);
    tool_run(r, NULL, "replay", "--witness", tool_path(folder, "w.json"),
             program, NULL);
}

/* Each of several findings has its order. */
static void all_witnesses_of_a_file(void **state)
{
    (void)state;
    tool_result r;
    char *folder = tool_folder();
    replay_found(&r, folder, PROGRAM("manual_forgotten"),
                 PROGRAM("manual_forgotten"));
    assert_int_equal(r.status, 1);
    expect_part(r.out, "when it is run in the order of witness 1");
    expect_part(r.out, "when it is run in the order of witness 2");
    expect_part(r.out, " differences in 2 runs");
    tool_free(&r);
    tool_remove(folder);
}

/* A line of `check --json` is run exactly as it stands. */
static void witness_of_a_finding(void **state)
{
    (void)state;
    tool_result r;
    char *folder = tool_folder();
    replay_found(&r, folder, PROGRAM("war_scratch"), PROGRAM("war_scratch"));
    assert_int_equal(r.status, 1);
    expect_part(r.out, "1 difference in 1 run");
    tool_free(&r);
    /* The same order breaks an edge of the mended program. */
    replay_found(&r, folder, PROGRAM("war_scratch"),
                 PROGRAM("war_scratch_mended"));
    assert_int_equal(r.status, 2);
    assert_string_equal(r.out, "");
    expect_part(r.error, "w.json: ");
    tool_free(&r);
    tool_remove(folder);
}

/* What the verb itself tells can be given back to it, choices and all. */
static void own_witness(void **state)
{
    (void)state;
    static const char *const programs[] = {PROGRAM("if_path"),
                                           PROGRAM("war_loop")};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        tool_result r;
        char *folder = tool_folder();
        tool_run(&r, NULL, "replay", "--json", programs[i], NULL);
        assert_int_equal(r.status, 1);
        expect_part(r.out, "\"rule\":\"replay.differs\"");
        tool_write(folder, "w.json", r.out);
        tool_free(&r);
        tool_run(&r, NULL, "replay", "--witness", tool_path(folder, "w.json"),
                 programs[i], NULL);
        assert_string_equal(r.error, "");
        assert_int_equal(r.status, 1);
        expect_part(r.out, "error replay.differs");
        tool_free(&r);
        tool_remove(folder);
    }
}

/* What no order that is tried shows and the witness of an error does. */
static void witness_counts(void **state)
{
    (void)state;
    tool_result r;
    const char *program = PROGRAM("if_allows_place");
    char *folder = tool_folder();
    tool_run(&r, NULL, "replay", program, NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.out, "when it is run as the witness of the hazard.waw says");
    expect_part(r.out, ": 1 difference in ");
    tool_free(&r);
    tool_run(&r, NULL, "replay", "--json", program, NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.out, "\"cause\":\"witness\"");
    expect_part(r.out, "{\"verdict\":\"findings\"");
    assert_int_equal(tool_number(r.out, "total"), 1);
    tool_write(folder, "w.json", r.out);
    tool_free(&r);
    tool_run(&r, NULL, "replay", "--witness", tool_path(folder, "w.json"),
             program, NULL);
    assert_int_equal(r.status, 1);
    tool_free(&r);
    tool_remove(folder);
}

/* A run that no execution is proves nothing. */
static void witness_of_no_execution(void **state)
{
    (void)state;
    static const char graph[] =
        "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"rules\":"
        "\"none\",\"symbols\":[{\"name\":\"i\",\"min\":0,\"max\":4,\"step\":2,"
        "\"free\":true}],\"choices\":[{\"id\":0,\"kind\":\"if\",\"text\":\"a\"}"
        ","
        "{\"id\":1,\"kind\":\"if\",\"text\":\"b\"}],\"impossible\":[[{"
        "\"choice\":"
        "0,\"is\":true},{\"choice\":1,\"is\":true}]],\"buffers\":[{\"key\":"
        "\"param:x\",\"bytes\":64}],\"tasks\":[{\"id\":0,\"name\":\"k\"},"
        "{\"id\":2,\"name\":\"k\"}]}";
    static const struct {
        int status;
        const char *choices, *more;
    } runs[] = {
        {0, "true,false", "\"symbols\":{\"i\":2}"},
        {2, "true,true", "\"symbols\":{\"i\":2}"},
        {2, "true,false", "\"symbols\":{\"i\":3}"},
        {2, "true,false", "\"symbols\":{\"i\":6}"},
        {2, "true,false", "\"symbols\":{\"i\":-2}"},
        {0, "true,false", "\"inside\":\"back\""},
        {2, "true,false", "\"inside\":\"up\""},
        {2, "true,false", "\"places\":\"mine\""},
        {2, "true,false", "\"fill\":2"},
    };
    char *folder = tool_folder();
    tool_write(folder, "g.json", graph);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char text[512];
        tool_result r;
        const char *second = strchr(runs[i].choices, ',') + 1;
        snprintf(text, sizeof text,
                 "{\"order\":[2,0],\"choices\":[{\"choice\":0,\"is\":%.*s},"
                 "{\"choice\":1,\"is\":%s}],%s}",
                 (int)(second - 1 - runs[i].choices), runs[i].choices, second,
                 runs[i].more);
        tool_write(folder, "w.json", text);
        tool_run(&r, NULL, "replay", tool_path(folder, "g.json"), "--witness",
                 tool_path(folder, "w.json"), NULL);
        if (r.status != runs[i].status)
            fail_msg("%s: status %d: %s%s", text, r.status, r.out, r.error);
        tool_free(&r);
    }
    tool_remove(folder);
}

/* Twice the same is told once, whoever showed it. */
static void told_once(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "replay", "--adversarial", "--seeds", "50",
             PROGRAM("war_scratch"), NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.out, ": 1 difference in ");
    tool_free(&r);
}

static void wrong_options(void **state)
{
    (void)state;
    const char *chain = PROGRAM("chain");
    tool_expect(2, NULL, "replay", "--model", "record", chain, NULL);
    tool_expect(2, NULL, "replay", "--witness", "x", "--seeds", "3", chain,
                NULL);
    tool_expect(2, NULL, "replay", "-o", "timeline.txt", chain, NULL);
    tool_expect(2, NULL, "replay", "--witness", "/nonexistent", chain, NULL);
    tool_expect(2, NULL, "replay", "--clusters", "0", chain, NULL);
    tool_expect(2, NULL, "replay", NULL);
}

static void timelines(void **state)
{
    (void)state;
    static const char *const files[] = {"t.json", "t.svg"};
    static const char *const starts[] = {"{", "<svg"};
    char *folder = tool_folder();
    for (int i = 0; i < 2; i++) {
        char text[16] = "";
        tool_expect(0, NULL, "replay", "-o", tool_path(folder, files[i]),
                    PROGRAM("chain"), NULL);
        FILE *in = fopen(tool_path(folder, files[i]), "r");
        assert_non_null(in);
        assert_true(fread(text, 1, sizeof text - 1, in) > 0);
        fclose(in);
        assert_int_equal(strncmp(text, starts[i], strlen(starts[i])), 0);
    }
    tool_remove(folder);
}

/* Task 5 where n is at least 5, 6 where it is at most 1. */
#define APART                                                                  \
    "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"none\","               \
    "\"buffers\":[],\"symbols\":[{\"name\":\"n\",\"free\":true,"               \
    "\"min\":0,\"max\":9}],\"choices\":[{\"id\":3,\"kind\":\"if\"},"           \
    "{\"id\":8,\"kind\":\"if\"}],\"facts\":[{\"choice\":3,\"is\":true,"        \
    "\"op\":\"<=\",\"of\":{\"c\":5,\"t\":[[-1,\"n\"]]}},{\"choice\":8,"        \
    "\"is\":true,\"op\":\"<=\",\"of\":{\"c\":-1,\"t\":[[1,\"n\"]]}}],"         \
    "\"tasks\":[{\"id\":5,\"core\":\"aiv\",\"args\":[],\"when\":[{"            \
    "\"choice\":3,\"is\":true}]},{\"id\":6,\"core\":\"aiv\",\"args\":[],"      \
    "\"when\":[{\"choice\":8,\"is\":true}]}]}"

static void scene_and_fall_back(void **state)
{
    (void)state;
    tool_result r;
    char *folder = tool_folder();
    tool_run(&r, NULL, "replay", "--export", tool_path(folder, "scene"),
             PROGRAM("chain"), NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "the scene is in ");
    FILE *in = fopen(tool_path(folder, "scene/test_scene.py"), "r");
    assert_non_null(in);
    fclose(in);
    tool_free(&r);
    /* It is not written over. */
    tool_expect(2, NULL, "replay", "--export", tool_path(folder, "scene"),
                PROGRAM("chain"), NULL);
    tool_run(&r, NULL, "replay", "--backend", "a2a3sim", "--simpler", folder,
             PROGRAM("chain"), NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "a2a3sim was not used, the embedded simulator answered");
    tool_free(&r);
    tool_expect(2, NULL, "replay", "--backend", "a2a3sim", PROGRAM("chain"),
                NULL);
    /* Of two ifs that are never taken together one is. */
    tool_run(&r, APART, "replay", "--export", tool_path(folder, "apart"), "-",
             NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "the execution in which these choices are false: 8\n");
    tool_free(&r);
    tool_remove(folder);
}

/* All of our own programs: every error shows, nothing else does. */
static void corpus_agrees(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "run", "--json", "corpus/programs", NULL);
    long long shown = tool_number(r.out, "shown");
    assert_true(shown > 20);
    assert_int_equal(shown, tool_number(r.out, "witnesses"));
    assert_null(strstr(r.out, "replay.disagrees"));
    tool_free(&r);
}

/* They are apart in a replay, which says so. */
static void may_be_one_memory(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "replay", "corpus/regressions/may_be_one_memory.json",
             NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "warning replay.differs: task 1 \"get\"");
    expect_part(r.out, "where param:x and param:y are one memory.");
    expect_part(r.out, "1 difference in 10 runs of 2 executions");
    tool_free(&r);
}

/* What a run tells does not depend on how many processes share the work. */
static void same_with_two_jobs(void **state)
{
    (void)state;
    static const char *const jobs[] = {"1", "2"};
    tool_result runs[4];
    for (int i = 0; i < 2; i++) {
        tool_run(&runs[i], NULL, "fuzz", "--mode", "full", "--replay", "2",
                 "--kinds", "graph,bundle", "--cases", "2100", "--seed", "9",
                 "--tasks", "24", "--jobs", jobs[i], "--json", NULL);
        tool_run(&runs[2 + i], NULL, "run", "--replay", "3", "--jobs", jobs[i],
                 "--json", "corpus/programs", NULL);
    }
    for (int i = 0; i < 4; i += 2) {
        assert_non_null(strstr(runs[i].out, "\"digest\":\""));
        assert_string_equal(runs[i].out, runs[i + 1].out);
    }
    assert_true(tool_number(runs[2].out, "runs") > 1000);
    assert_true(tool_number(runs[2].out, "shown") > 20);
    for (int i = 0; i < 4; i++)
        tool_free(&runs[i]);
}

/* The digest of a seeded run is a number of this file: the same of every
 * compiler and configuration. */
static void same_on_every_compiler(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "replay", "--json", "--model", "seeded", "--seed", "7",
             PROGRAM("fan_out_fan_in"), NULL);
    assert_int_equal(r.status, 0);
    expect_part(
        r.out,
        "\"digest\":"
        "\"856828bd871603920635f2616040b3b165f51b3218fd78d6372be68883952fd9\"");
    tool_free(&r);
}

/* A host_build_graph plan alone has an order, with its PlanHandle bytes. */
static void tables_of_the_runtime(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "replay", "corpus/regressions/table_alone.json", NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "undecided: what the tasks touch: ");
    expect_part(r.out, "no difference in 5 runs");
    expect_part(r.out, "critical path 2.60 us: tasks 0 1");
    tool_free(&r);
    tool_run(&r, NULL, "replay", "corpus/regressions/table_without_edge.json",
             NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.out, "instead of the write of task 0 ");
    expect_part(r.out, "witnesses of errors: 2 of 2 show other bytes");
    tool_free(&r);
    tool_run(&r, NULL, "graph", "corpus/regressions/table_alone.json", NULL);
    assert_int_equal(r.status, 0);
    tool_free(&r);
}

/* What was once judged wrongly is not contradicted either. */
static void regressions_agree(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "run", "--json", "corpus/regressions", NULL);
    long long shown = tool_number(r.out, "shown");
    assert_true(shown > 5);
    assert_int_equal(shown, tool_number(r.out, "witnesses"));
    assert_null(strstr(r.out, "replay.disagrees"));
    tool_free(&r);
    /* What the judge leaves open a run does not contradict. */
    tool_run(&r, NULL, "replay",
             "corpus/regressions/doubt_of_place_in_loop.json", NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "warning replay.differs: task 1 ");
    tool_free(&r);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lost_order_differs),
    cmocka_unit_test(right_order_does_not),
    cmocka_unit_test(same_twice),
    cmocka_unit_test(all_witnesses_of_a_file),
    cmocka_unit_test(witness_of_a_finding),
    cmocka_unit_test(own_witness),
    cmocka_unit_test(witness_counts),
    cmocka_unit_test(witness_of_no_execution),
    cmocka_unit_test(told_once),
    cmocka_unit_test(wrong_options),
    cmocka_unit_test(timelines),
    cmocka_unit_test(scene_and_fall_back),
    cmocka_unit_test(corpus_agrees),
    cmocka_unit_test(tables_of_the_runtime),
    cmocka_unit_test(may_be_one_memory),
    cmocka_unit_test(same_with_two_jobs),
    cmocka_unit_test(same_on_every_compiler),
    cmocka_unit_test(regressions_agree),
};

TEST_MAIN(tests)
