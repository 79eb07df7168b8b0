/* Times of a run against its record (trace.order, trace.race). */
#include "../../scripts/testing/harness.h"

#include "record_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* core, task, reg_task_id, start, end; the row of the other list fits. */
#define AT(core, task, reg, start, end)                                        \
    "[" core "," task "," reg "," start "," end ",1]"
#define SENT(core, reg) "[" core "," reg ",0,9999]"
#define TRACE(rows, sent)                                                      \
    "{\"chip_swimlane_level\":4,\"metadata\":{\"clock_freq_hz\":50000000,"     \
    "\"core_types\":[\"aic\",\"aiv\",\"aiv\",\"aiv\"]},\"aicore_tasks\":"      \
    "[" rows "],\"aicpu_tasks\":[" sent "]}"
#define SENT_ALL SENT("1", "1") "," SENT("2", "1") "," SENT("3", "1")
/* Tasks 0, 1 and 2 on a core of their own. */
#define TIMES(b0, e0, b1, e1, b2, e2)                                          \
    TRACE(AT("1", "0", "1", b0, e0) "," AT("2", "1", "1", b1,                  \
                                           e1) "," AT("3", "2", "1", b2, e2),  \
          SENT_ALL)

/* 0 writes a, 1 reads a, 2 writes a: in this order, or without it. */
#define TASKS                                                                  \
    ROW("0", "auto", OUT("0", "1", "0"))                                       \
    "," ROW("1", "auto", IN("0", "1", "0")) "," ROW("2", "auto",               \
                                                    OUT("0", "1", "0"))
#define BUFFER TENSOR("1", "4096", "16")
#define CHAIN EDGE("0", "1", "tensormap") "," EDGE("1", "2", "explicit")

static const record_case ordered = {TASKS, BUFFER, CHAIN};
static const record_case unordered = {TASKS, BUFFER,
                                      EDGE("0", "1", "tensormap")};

static void test_times(void **state)
{
    (void)state;
    static const struct {
        const record_case *record;
        const char *trace;
        oracle_verdict verdict;
        const char *rules;
    } cases[] = {
        {&ordered, TIMES("10", "20", "20", "30", "31", "40"), ORACLE_CLEAN,
         NULL},
        /* The reader is early, by one tick. */
        {&ordered, TIMES("10", "20", "19", "30", "31", "40"), ORACLE_FINDINGS,
         "trace.order"},
        /* All the other way round. */
        {&ordered, TIMES("30", "40", "20", "30", "10", "20"), ORACLE_FINDINGS,
         "trace.order+trace.order"},
        /* Luck: the order that nobody has made. */
        {&unordered, TIMES("10", "20", "20", "30", "31", "40"), ORACLE_FINDINGS,
         "hazard.war+hazard.waw"},
        {&unordered, TIMES("10", "20", "20", "30", "25", "40"), ORACLE_FINDINGS,
         "hazard.war+hazard.waw+trace.race"},
        /* The writer had ended when the reader started: no overlap. */
        {&unordered, TIMES("10", "20", "50", "60", "25", "40"), ORACLE_FINDINGS,
         "hazard.war+hazard.waw+trace.order"},
        /* Tasks without length, on the tick at which others begin and end. */
        {&ordered, TIMES("10", "20", "20", "20", "20", "40"), ORACLE_CLEAN,
         NULL},
        {&ordered, TIMES("20", "20", "20", "20", "20", "20"), ORACLE_CLEAN,
         NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        found f;
        judge_run(&f, cases[i].record, cases[i].trace, NULL, NULL);
        expect_only(&f, cases[i].verdict, cases[i].rules);
        assert_true(assumes(&f, "trace"));
        finish(&f);
    }
}

/* An edge over a task that has no kernel is kept, too. */
static void test_dummy(void **state)
{
    (void)state;
    static const char dummy[] =
        "{\"task_id\":\"1\",\"scope\":\"auto\",\"kernel_ids\":[-1,-1,-1],"
        "\"block_num\":1,\"args\":[]}";
    char tasks[2048];
    found f;
    snprintf(tasks, sizeof tasks, "%s,%s,%s",
             ROW("0", "auto", OUT("0", "1", "0")), dummy,
             ROW("2", "auto", IN("0", "1", "0")));
    record_case c = {tasks, BUFFER,
                     EDGE("0", "1", "explicit") "," EDGE("1", "2", "explicit")};
    judge_run(
        &f, &c,
        TRACE(AT("1", "0", "1", "10", "20") "," AT("2", "2", "1", "20", "30"),
              SENT("1", "1") "," SENT("2", "1")),
        NULL, NULL);
    expect_only(&f, ORACLE_CLEAN, NULL);
    finish(&f);
    judge_run(
        &f, &c,
        TRACE(AT("1", "0", "1", "10", "20") "," AT("2", "2", "1", "15", "30"),
              SENT("1", "1") "," SENT("2", "1")),
        NULL, NULL);
    expect_only(&f, ORACLE_FINDINGS, "trace.order");
    assert_non_null(strstr(f.judgement.findings[0].json, "\"path\":[0,1,2]"));
    finish(&f);
}

/* Blocks and lanes: from the first start to the last end. */
static void test_blocks(void **state)
{
    (void)state;
    static const char two[] =
        "{\"task_id\":\"0\",\"scope\":\"auto\",\"kernel_ids\":[-1,1,-1],"
        "\"block_num\":2,\"args\":[" OUT("0", "1", "0") "]}";
    char tasks[2048];
    found f;
    snprintf(tasks, sizeof tasks, "%s,%s", two,
             ROW("1", "auto", IN("0", "1", "0")));
    record_case c = {tasks, BUFFER, EDGE("0", "1", "tensormap")};
    /* The reader is early for the block that ends last, wherever it is told. */
    static const char *const early[] = {
        TRACE(AT("1", "0", "1", "10", "20") "," AT(
                  "2", "0", "1", "10", "30") "," AT("3", "1", "1", "25", "40"),
              SENT_ALL),
        TRACE(AT("1", "0", "1", "10", "30") "," AT(
                  "2", "0", "1", "10", "20") "," AT("3", "1", "1", "25", "40"),
              SENT_ALL),
        TRACE(AT("1", "0", "1", "22", "30") "," AT(
                  "2", "0", "1", "10", "20") "," AT("3", "1", "1", "21", "40"),
              SENT_ALL),
    };
    for (size_t i = 0; i < sizeof early / sizeof *early; i++) {
        judge_run(&f, &c, early[i], NULL, NULL);
        expect_only(&f, ORACLE_FINDINGS, "trace.order");
        finish(&f);
    }
    /* One of its blocks is missing. */
    judge_run(
        &f, &c,
        TRACE(AT("1", "0", "1", "10", "20") "," AT("3", "1", "1", "25", "40"),
              SENT("1", "1") "," SENT("3", "1")),
        NULL, NULL);
    expect_only(&f, ORACLE_UNDECIDED, "doc.incomplete");
    finish(&f);
}

static void test_incomplete(void **state)
{
    (void)state;
    static const char *const traces[] = {
        /* No row of task 1. */
        TRACE(AT("1", "0", "1", "10", "20") "," AT("3", "2", "1", "31", "40"),
              SENT("1", "1") "," SENT("3", "1")),
        /* No row of the dispatcher, or one too many. */
        TRACE(AT("1", "0", "1", "10", "20") "," AT(
                  "2", "1", "1", "20", "30") "," AT("3", "2", "1", "31", "40"),
              SENT("1", "1") "," SENT("2", "1")),
        TRACE(AT("1", "0", "1", "10", "20") "," AT(
                  "2", "1", "1", "20", "30") "," AT("3", "2", "1", "31", "40"),
              SENT_ALL "," SENT("3", "2")),
        /* A task that the record does not have. */
        TRACE(AT("1", "0", "1", "10", "20") "," AT(
                  "2", "1", "1", "20", "30") "," AT("3", "2", "1", "31",
                                                    "40") "," AT("3", "7", "2",
                                                                 "41", "50"),
              SENT_ALL "," SENT("3", "2")),
        /* A vector task on a cube core: another run. */
        TRACE(AT("0", "0", "1", "10", "20"), SENT("0", "1")),
        "{\"chip_swimlane_level\":1,\"aicore_tasks\":[]}",
        "{\"chip_swimlane_level\":4,\"metadata\":{\"host_capture\":{"
        "\"status\":\"complete\",\"expected_records\":3,"
        "\"recorded_records\":2,\"dropped_records\":1}},\"aicore_tasks\":[" AT(
            "1", "0", "1", "10",
            "20") "," AT("2", "1", "1", "20",
                         "30") "," AT("3", "2", "1", "31",
                                      "40") "],\"aicpu_tasks\":[" SENT_ALL "]}",
        "{\"chip_swimlane_level\":4,\"aicore_tasks\":[" AT(
            "1", "0", "1", "10",
            "20") "," AT("2", "1", "1", "20",
                         "30") "," AT("3", "2", "1", "31",
                                      "40") "],\"aicpu_tasks\":[" SENT_ALL "],"
                                            "\"host_orchestrator_phases\":[[{"
                                            "\"submit_idx\":3,\"task_id\":3}]]"
                                            "}",
    };
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        found f;
        judge_run(&f, &ordered, traces[i], NULL, NULL);
        expect_only(&f, ORACLE_UNDECIDED, "doc.incomplete");
        finish(&f);
    }
}

/* A trace that cannot be read is an error, and the record is judged. */
static void test_broken(void **state)
{
    (void)state;
    static const struct {
        const char *trace, *rule;
    } cases[] = {
        {TIMES("20", "10", "20", "30", "31", "40"), "doc.range"},
        {TRACE(AT("9", "0", "1", "10", "20"), SENT("9", "1")), "doc.range"},
        {TRACE("[1,0,1,10]", ""), "doc.schema"},
        {TRACE("7", ""), "doc.schema"},
        {TRACE("", "[]"), "doc.schema"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        found f;
        char rules[64];
        judge_run(&f, &ordered, cases[i].trace, NULL, NULL);
        expect_only(&f, ORACLE_FINDINGS, cases[i].rule);
        finish(&f);
        judge_run(&f, &unordered, cases[i].trace, NULL, NULL);
        snprintf(rules, sizeof rules, "%s+hazard.war+hazard.waw",
                 cases[i].rule);
        expect_only(&f, ORACLE_FINDINGS, rules);
        finish(&f);
    }
}

static void test_cut_at_every_byte(void **state)
{
    (void)state;
    static const char trace[] = TIMES("10", "20", "20", "30", "31", "40");
    char cut[sizeof trace];
    for (size_t i = 0; i + 1 < sizeof trace; i++) {
        found f;
        memcpy(cut, trace, i);
        cut[i] = '\0';
        judge_run(&f, &ordered, cut, NULL, NULL);
        expect_only(&f, ORACLE_FINDINGS, "doc.syntax");
        finish(&f);
    }
}

static void test_alone(void **state)
{
    (void)state;
    found f;
    judge_text(&f, TIMES("10", "20", "20", "30", "31", "40"));
    expect_only(&f, ORACLE_UNDECIDED, NULL);
    assert_int_equal(f.judgement.undecided_count, 1);
    finish(&f);
}

/* The clock has no say in what the plan beside the record knows better. */
static void test_plan(void **state)
{
    (void)state;
    static const char plan[] =
        "{\"kind\":\"task_graph\",\"version\":1,\"buffers\":[{\"key\":"
        "\"param:a\",\"bytes\":64}],\"tasks\":[{\"id\":3,\"args\":[{"
        "\"buffer\":\"param:a\",\"access\":[{\"mode\":\"write\",\"must\":true,"
        "\"exact\":true}]}]},{\"id\":4,\"args\":[{\"buffer\":\"param:a\","
        "\"access\":[{\"mode\":\"read\",\"must\":true,\"exact\":true}]}]},{"
        "\"id\":5,\"args\":[{\"buffer\":\"param:a\",\"access\":[]}]}]}";
    found f;
    judge_run(&f, &unordered, TIMES("10", "20", "20", "30", "25", "40"),
              "graph", plan);
    expect_only(&f, ORACLE_CLEAN, NULL);
    finish(&f);
}

/* A read of what nobody has written is no pair that the clock could order. */
static void test_unwritten(void **state)
{
    (void)state;
    found f;
    record_case c = {
        ROW("0", "auto", IN("0", "1", "0")) "," ROW("1", "auto", OUTPUT("0")),
        BUFFER, MADE("1", "0", "1")};
    judge_run(
        &f, &c,
        TRACE(AT("1", "1", "1", "10", "20") "," AT("2", "0", "1", "20", "30"),
              SENT("1", "1") "," SENT("2", "1")),
        NULL, NULL);
    /* The edge leads the wrong way, and the run has kept it. */
    expect_only(&f, ORACLE_FINDINGS, "hazard.uninitialised+hazard.war");
    finish(&f);
}

static void test_samples(void **state)
{
    (void)state;
    static const char folder[] = "../shared/samples/a2a3sim";
    static const char *const names[] = {"score6_manual", "vector_example"};
    test_needs(folder);
    for (size_t i = 0; i < 2; i++) {
        char path[160];
        snprintf(path, sizeof path, "%s/%s/chip_swimlane_records.json", folder,
                 names[i]);
        char *text = read_text(path);
        assert_non_null(text);
        found f;
        judge_text(&f, text);
        expect_only(&f, ORACLE_UNDECIDED, NULL);
        finish(&f);
        free(text);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_times),     cmocka_unit_test(test_dummy),
    cmocka_unit_test(test_blocks),    cmocka_unit_test(test_incomplete),
    cmocka_unit_test(test_broken),    cmocka_unit_test(test_cut_at_every_byte),
    cmocka_unit_test(test_alone),     cmocka_unit_test(test_plan),
    cmocka_unit_test(test_unwritten), cmocka_unit_test(test_samples),
};

TEST_MAIN(tests)
