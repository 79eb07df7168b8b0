/* Records of a run (spec 07): what they say, and what they cannot say. */
#include "../../scripts/testing/harness.h"

#include "oracle/document.h"

#include "record_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES "../shared/samples/a2a3sim"

/* a: 16 floats, b: 16 floats; 0 writes a, 1 reads a, 2 writes a again. */
static const record_case three = {
    .tasks = ROW("0", "auto", OUT("0", "1", "0")) "," ROW(
        "1", "auto",
        IN("0", "1", "0") "," OUT("1", "2", "0")) "," ROW("2", "auto",
                                                          INOUT("0", "1", "0")),
    .tensors = TENSOR("1", "4096", "64") "," TENSOR("2", "8192", "16"),
    .edges = EDGE("0", "1", "tensormap") "," EDGE(
        "0", "2", "tensormap") "," EDGE("1", "2", "explicit"),
};

static void test_clean(void **state)
{
    (void)state;
    found f;
    judge_record(&f, &three);
    expect_only(&f, ORACLE_CLEAN, NULL);
    finish(&f);
}

/* Each edge taken away is the hazard that it prevents. */
static void test_missing_edges(void **state)
{
    (void)state;
    static const struct {
        const char *edges, *rule;
    } cases[] = {
        {EDGE("0", "1", "tensormap") "," EDGE("0", "2", "tensormap"),
         "hazard.war"},
        {EDGE("0", "2", "tensormap") "," EDGE("1", "2", "explicit"),
         "hazard.raw"},
        {EDGE("0", "1", "tensormap") "," EDGE("1", "2", "explicit"), NULL},
        {EDGE("0", "1", "tensormap") "," EDGE("0", "1", "tensormap") "," EDGE(
             "0", "1", "creator") "," EDGE("1", "2", "explicit"),
         NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        found f;
        record_case c = three;
        c.edges = cases[i].edges;
        judge_record(&f, &c);
        expect_only(&f, cases[i].rule == NULL ? ORACLE_CLEAN : ORACLE_FINDINGS,
                    cases[i].rule);
        finish(&f);
    }
}

/* A row that is gone is never an order that is lost. */
static void test_missing_rows(void **state)
{
    (void)state;
    static const char *const rows[] = {
        ROW("0", "auto", OUT("0", "1", "0")),
        ROW("1", "auto", IN("0", "1", "0") "," OUT("1", "2", "0")),
        ROW("2", "auto", INOUT("0", "1", "0"))};
    for (int gone = 0; gone < 3; gone++) {
        char tasks[2048];
        snprintf(tasks, sizeof tasks, "%s,%s", rows[gone == 0],
                 rows[gone == 2 ? 1 : 2]);
        found f;
        record_case c = three;
        c.tasks = tasks;
        judge_record(&f, &c);
        expect_only(&f, ORACLE_UNDECIDED, "doc.incomplete");
        assert_true(f.judgement.undecided_count > 0);
        finish(&f);
    }
}

static void test_missing_parts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"tasks\":[" ROW(
            "0", "auto",
            OUT("0", "1", "0")) "],\"tensors\":[" TENSOR("1", "4096",
                                                         "64") "]}",
        "{\"tasks\":[" ROW("0", "auto", OUT("0", "1", "0")) "],\"edges\":[]}",
        "{\"tasks\":[" ROW("0", "auto", OUT("0", "1", "0")) "],\"edges\":[],"
                                                            "\"tensors\":[]}",
        "{\"tensors\":[" TENSOR("1", "4096", "64") "],\"edges\":[]}",
        /* A gap in the ids, and one at their start. */
        "{\"tasks\":[" ROW("0", "auto", "") "," ROW(
            "2", "auto", "") "],\"edges\":[],\"tensors\":[]}",
        "{\"tasks\":[" ROW("1", "auto", "") "],\"edges\":[],\"tensors\":[]}",
        /* The tensor and the view of an argument. */
        "{\"tasks\":[" ROW(
            "0", "auto",
            "{\"idx\":0,\"type\":\"INPUT\"}") "],\"edges\":[],\"tensors\":[]}",
        /* More tensors made than arguments that make one. */
        "{\"tasks\":[" ROW("0", "auto", "") "," ROW(
            "1", "auto",
            IN("0", "1", "0")) "],\"edges\":[" MADE("0", "1",
                                                    "1") "],\"tensors\":"
                                                         "[" TENSOR("1", "4096",
                                                                    "64") "]}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        found f;
        judge_text(&f, texts[i]);
        assert_int_equal(f.judgement.verdict, ORACLE_UNDECIDED);
        assert_true(f.judgement.count > 0);
        for (uint32_t k = 0; k < f.judgement.count; k++) {
            assert_string_equal(f.judgement.findings[k].rule, "doc.incomplete");
        }
        finish(&f);
    }
}

/* In manual scopes a gap may be a task that only allocates. */
static void test_gap_in_manual_scopes(void **state)
{
    (void)state;
    found f;
    judge_text(&f, "{\"tasks\":[" ROW("1", "manual", "") "],\"edges\":[],"
                                                         "\"tensors\":[]}");
    expect_only(&f, ORACLE_CLEAN, NULL);
    assert_true(assumes(&f, "only allocate"));
    finish(&f);
}

static void test_cut_at_every_byte(void **state)
{
    (void)state;
    char text[8192];
    write_record(text, sizeof text, &three);
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        found f;
        judge_bytes(&f, text, i);
        assert_int_equal(f.judgement.verdict, ORACLE_REFUSED);
        assert_string_equal(f.judgement.findings[0].rule, "doc.syntax");
        finish(&f);
    }
}

static void test_unknown_access(void **state)
{
    (void)state;
    found f;
    record_case c = three;
    c.tasks = ROW("0", "auto", OUT("0", "1", "0")) "," ROW(
        "1", "auto", NO_DEP("0", "1", "0"));
    c.edges = "";
    judge_record(&f, &c);
    expect_only(&f, ORACLE_UNDECIDED, "hazard.unknown-access");
    finish(&f);
    c.edges = EDGE("0", "1", "explicit");
    judge_record(&f, &c);
    expect_only(&f, ORACLE_CLEAN, NULL);
    finish(&f);
}

/*
 * Task 0 only allocates: its edges keep memory alive and order nobody, and
 * nobody's order goes through it.
 */
static void test_allocating_task(void **state)
{
    (void)state;
    found f;
    record_case c = three;
    c.tasks = ROW("1", "auto", OUT("0", "1", "0")) "," ROW(
        "2", "auto", OUT("0", "1", "0")) "," ROW("3", "auto",
                                                 IN("0", "1", "0"));
#define ALLOCATED                                                              \
    MADE("0", "1", "1") "," MADE("0", "2", "1") "," MADE("0", "3", "1")
    c.edges = ALLOCATED
        "," EDGE("1", "3", "tensormap") "," EDGE("2", "3", "tensormap");
    judge_record(&f, &c);
    expect_only(&f, ORACLE_FINDINGS, "hazard.waw");
    finish(&f);
    c.edges = ALLOCATED
        "," EDGE("1", "2", "explicit") "," EDGE("2", "3", "tensormap");
    judge_record(&f, &c);
    expect_only(&f, ORACLE_CLEAN, NULL);
    finish(&f);
    /* Nobody writes what 3 reads: a row is missing, or nothing is there. */
    c.tasks = ROW("1", "auto", "") "," ROW("2", "auto", "") "," ROW(
        "3", "auto", IN("0", "1", "0"));
    c.edges = MADE("0", "3", "1");
    judge_record(&f, &c);
    expect_only(&f, ORACLE_UNDECIDED, "doc.incomplete");
    finish(&f);
}

/* An OUTPUT has no tensor in its row: its creator edges have it. */
static void test_outputs(void **state)
{
    (void)state;
    found f;
    record_case c = three;
    c.tasks = ROW("0", "auto", OUTPUT("0") "," OUTPUT("1")) "," ROW(
        "1", "auto",
        INOUT("0", "1", "0")) "," ROW("2", "auto",
                                      IN("0", "1", "0") "," IN("1", "2", "0"));
#define MADE_BY_0                                                              \
    MADE("0", "1", "1") "," MADE("0", "2", "1") "," MADE("0", "2", "2")
    c.edges = MADE_BY_0 "," EDGE("1", "2", "tensormap");
    judge_record(&f, &c);
    expect_only(&f, ORACLE_CLEAN, NULL);
    finish(&f);
    c.edges = MADE_BY_0;
    judge_record(&f, &c);
    expect_only(&f, ORACLE_FINDINGS, "hazard.raw");
    finish(&f);
}

/* A scene passes memory of its own, and says who owns it: such a task names
 * what it has made, and has no OUTPUT for it. */
static void test_declared_creator(void **state)
{
    (void)state;
    found f;
    record_case c = three;
    c.tasks = ROW("0", "auto", OUT("0", "1", "0")) "," ROW("1", "auto",
                                                           IN("0", "1", "0"));
    c.edges = MADE("0", "1", "1");
    judge_record(&f, &c);
    expect_only(&f, ORACLE_CLEAN, NULL);
    finish(&f);
    /* Another tensor that it has made is missing. */
    c.tasks = ROW("0", "auto", OUT("0", "1", "0")) "," ROW(
        "1", "auto", IN("0", "1", "0") "," IN("1", "2", "0"));
    c.edges = MADE("0", "1", "1") "," MADE("0", "1", "2");
    judge_record(&f, &c);
    expect_only(&f, ORACLE_UNDECIDED, "doc.incomplete+doc.incomplete");
    finish(&f);
}

/* No access is of two arguments, and none is of no argument. */
static void test_one_access_each(void **state)
{
    (void)state;
    char text[8192];
    oracle_document d;
    oracle_error error;
    uint32_t accesses = 0;
    record_case c = three;
    c.tasks = ROW("0", "auto", OUTPUT("0") "," IN("1", "2", "0")) "," ROW(
        "1", "auto", INOUT("0", "1", "0") "," OUTPUT("1") "," OUTPUT("2"));
    c.edges = MADE("0", "1", "1");
    write_record(text, sizeof text, &c);
    assert_int_equal(oracle_document_read(&d, text, strlen(text), NULL, &error),
                     ORACLE_OK);
    for (uint32_t i = 0; i < d.arg_count; i++) {
        const oracle_arg *a = &d.args[i];
        assert_true(a->has_access);
        assert_int_equal(a->accesses, 1);
        assert_true(a->first_access < d.access_count);
        for (uint32_t k = 0; k < i; k++) {
            assert_int_not_equal(a->first_access, d.args[k].first_access);
        }
        accesses += a->accesses;
    }
    assert_int_equal(accesses, 5);
    assert_int_equal(d.access_count, accesses);
    oracle_document_free(&d);
}

/*
 * An OUTPUT that no creator edge names may be what a later task reads: that is
 * open where nothing orders the two, and no finding where something does.
 */
static void test_unnamed_output(void **state)
{
    (void)state;
    found f;
    record_case c = three;
    c.tasks = ROW("0", "auto", IN("0", "2", "0") "," OUTPUT("1")) "," ROW(
        "1", "auto", IN("0", "1", "0"));
    c.edges = MADE("0", "1", "1");
    judge_record(&f, &c);
    expect_only(&f, ORACLE_CLEAN, NULL);
    finish(&f);
    c.edges = "";
    judge_record(&f, &c);
    expect_only(&f, ORACLE_UNDECIDED, "hazard.unknown-access");
    finish(&f);
    c.edges = EDGE("0", "1", "explicit");
    judge_record(&f, &c);
    expect_only(&f, ORACLE_CLEAN, NULL);
    finish(&f);
    /* What was there before the OUTPUT is not its tensor. */
    c.tasks = ROW("0", "auto", IN("0", "1", "0")) "," ROW(
        "1", "auto", OUTPUT("0")) "," ROW("2", "auto", IN("0", "1", "0"));
    c.edges = "";
    judge_record(&f, &c);
    expect_only(&f, ORACLE_CLEAN, NULL);
    finish(&f);
}

/* Bytes are bytes, whatever tensor, version or base names them. */
static void test_shared_bytes(void **state)
{
    (void)state;
    static const char *const tensors[] = {
        TENSOR("1", "4096", "64") "," TENSOR("2", "4096", "64"),
        TENSOR("1", "4096", "64") "," TENSOR("2", "4128", "16"),
        TENSOR("1", "4096", "16") "," TENSOR("2", "4160", "16"),
    };
    for (size_t i = 0; i < 3; i++) {
        found f;
        record_case c = three;
        c.tasks = ROW("0", "auto", OUT("0", "1", "0")) "," ROW(
            "1", "auto", IN("0", "2", "0"));
        c.tensors = tensors[i];
        c.edges = "";
        judge_record(&f, &c);
        expect_only(&f, i < 2 ? ORACLE_FINDINGS : ORACLE_CLEAN,
                    i < 2 ? "hazard.raw" : NULL);
        finish(&f);
    }
}

/* Memory that two tasks had made is used again: what orders them is not said */
static void test_reused_memory(void **state)
{
    (void)state;
    found f;
    record_case c = three;
    c.tasks = ROW("0", "auto", OUTPUT("0")) "," ROW(
        "1", "auto",
        IN("0", "1", "0")) "," ROW("2", "auto",
                                   OUTPUT("0")) "," ROW("3", "auto",
                                                        IN("0", "2", "0"));
    c.tensors = TENSOR("1", "4096", "16") "," TENSOR("2", "4096", "16");
    c.edges = MADE("0", "1", "1") "," MADE("2", "3", "2");
    judge_record(&f, &c);
    assert_int_equal(f.judgement.verdict, ORACLE_UNDECIDED);
    finish(&f);
}

/* The rows may stand in any order: ids count the submissions. */
static void test_order_of_rows(void **state)
{
    (void)state;
    found f;
    record_case c = three;
    c.tasks = ROW("2", "auto", INOUT("0", "1", "0")) "," ROW(
        "0", "auto",
        OUT("0", "1", "0")) "," ROW("1", "auto",
                                    IN("0", "1", "0") "," OUT("1", "2", "0"));
    judge_record(&f, &c);
    expect_only(&f, ORACLE_CLEAN, NULL);
    finish(&f);
    c.edges = EDGE("0", "1", "tensormap") "," EDGE("0", "2", "tensormap");
    judge_record(&f, &c);
    expect_only(&f, ORACLE_FINDINGS, "hazard.war");
    finish(&f);
}

static void test_lost_edges(void **state)
{
    (void)state;
    static const char *const edges[] = {
        EDGE("900", "2", "explicit"), /* nobody's id */
        EDGE("2", "1", "explicit"),   /* not submitted yet */
    };
    for (size_t i = 0; i < 2; i++) {
        found f;
        char all[1024];
        record_case c = three;
        snprintf(all, sizeof all, "%s,%s", three.edges, edges[i]);
        c.edges = all;
        judge_record(&f, &c);
        expect_only(&f, ORACLE_FINDINGS, "runtime.lost-edge");
        finish(&f);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *tasks, *tensors, *edges, *rule, *message;
    } cases[] = {
        {ROW("0", "auto", "") "," ROW("0", "auto", ""), "", "", "doc.schema",
         "id of another task"},
        {ROW("-1", "auto", ""), "", "", "doc.schema", "without sign"},
        {ROW("99999999999999999999999", "auto", ""), "", "", "doc.range",
         "outside the 64-bit"},
        {ROW("18446744073709551615", "auto", ""), "", "", "doc.range",
         "beyond the task ids"},
        {"7", "", "", "doc.schema", "must be an object"},
        {ROW("0", "auto", "{\"idx\":0}"), "", "", "doc.schema", "no field"},
        {ROW("0", "auto", IN("0", "1", "0")),
         TENSOR("1", "18446744073709551615", "2"), "", "doc.range",
         "64-bit addresses"},
        {ROW("0", "auto", IN("0", "1", "9223372036854775807")),
         TENSOR("1", "4096", "16"), "", "doc.range", "64-bit addresses"},
        {ROW("0", "auto", ""), TENSOR("1", "1", "1") "," TENSOR("1", "2", "1"),
         "", "doc.schema", "id of another tensor"},
        {ROW("0", "auto", ""), "", "{\"pred\":\"0\"}", "doc.schema",
         "no field \"succ\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        found f;
        record_case c = {cases[i].tasks, cases[i].tensors, cases[i].edges};
        judge_record(&f, &c);
        assert_int_equal(f.judgement.verdict, ORACLE_REFUSED);
        assert_string_equal(f.judgement.findings[0].rule, cases[i].rule);
        if (strstr(f.judgement.findings[0].message, cases[i].message) == NULL) {
            fail_msg("%s", f.judgement.findings[0].message);
        }
        finish(&f);
    }
}

/* What a later version of the recorder may write is told, not guessed. */
static void test_unknown_words(void **state)
{
    (void)state;
    static const record_case cases[] = {
        {ROW("0", "auto",
             "{\"idx\":0,\"type\":\"SINK\",\"tensor_id\":\"1\","
             "\"dtype\":\"FLOAT32\",\"shape\":[4],"
             "\"start_offset\":\"0\",\"strides\":[1]}"),
         TENSOR("1", "4096", "16"), ""},
        {ROW("0", "auto",
             "{\"idx\":0,\"type\":\"INPUT\",\"tensor_id\":\"1\","
             "\"dtype\":\"INT4\",\"shape\":[4],"
             "\"start_offset\":\"0\",\"strides\":[1]}"),
         TENSOR("1", "4096", "16"), ""},
        {ROW("0", "odd", ""), "", ""},
        {ROW("0", "auto", "") "," ROW("1", "auto", ""), "",
         EDGE("0", "1", "barrier")},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        found f;
        judge_record(&f, &cases[i]);
        expect_only(&f, ORACLE_UNDECIDED, "doc.unsupported");
        finish(&f);
    }
}

/* --- The plan beside it --- */

#define PLAN_TASK(id, name, deps, args)                                        \
    "{\"id\":" id ",\"name\":\"" name "\",\"core\":\"aiv\",\"line\":9,"        \
    "\"deps\":[" deps "],\"args\":[" args "]}"
#define PLAN_ARG(buffer, mode)                                                 \
    "{\"buffer\":\"param:" buffer "\",\"dispatch\":\"inout\",\"access\":[{"    \
    "\"mode\":\"" mode "\",\"must\":true,\"exact\":true}]}"
#define PLAN(deps1, deps2, more)                                               \
    "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"tensormap\","          \
    "\"buffers\":[{\"key\":\"param:a\",\"bytes\":64},{\"key\":\"param:b\","    \
    "\"bytes\":64}],\"tasks\":[" PLAN_TASK(                                    \
        "10", "w", "",                                                         \
        PLAN_ARG(                                                              \
            "a",                                                               \
            "write")) "," PLAN_TASK("11", "r", deps1,                          \
                                    PLAN_ARG("a", "read") "," PLAN_ARG(        \
                                        "b",                                   \
                                        "write")) "," PLAN_TASK("12", "x",     \
                                                                deps2,         \
                                                                PLAN_ARG(      \
                                                                    "a",       \
                                                                    "write"))  \
        more "]}"

static void test_plan(void **state)
{
    (void)state;
    static const struct {
        const char *plan, *edges;
        oracle_verdict verdict;
        const char *rule;
        uint32_t open;
    } cases[] = {
        {PLAN("", "{\"task\":11}", ""),
         EDGE("0", "1", "tensormap") "," EDGE("1", "2", "explicit"),
         ORACLE_CLEAN, NULL, 0},
        /* 0 before 2 by way of 1. */
        {PLAN("", "{\"task\":10},{\"task\":11}", ""),
         EDGE("0", "1", "tensormap") "," EDGE("1", "2", "explicit"),
         ORACLE_CLEAN, NULL, 0},
        /* The plan's own deps order nothing that the run has not kept. */
        {PLAN("", "{\"task\":11}", ""),
         EDGE("0", "1", "tensormap") "," EDGE("0", "2", "tensormap"),
         ORACLE_FINDINGS, "hazard.war+runtime.lost-edge", 0},
        /* Another program. */
        {PLAN("", "", "," PLAN_TASK("13", "x", "", "")),
         EDGE("0", "1", "tensormap") "," EDGE("1", "2", "explicit"),
         ORACLE_UNDECIDED, NULL, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        found f;
        record_case c = three;
        c.edges = cases[i].edges;
        judge_run(&f, &c, NULL, "graph", cases[i].plan);
        expect_only(&f, cases[i].verdict, cases[i].rule);
        assert_int_equal(f.judgement.undecided_count, cases[i].open);
        finish(&f);
    }
}

/* What the plan knows of the accesses decides what the record leaves open. */
static void test_plan_knows_more(void **state)
{
    (void)state;
    found f;
    record_case c = three;
    c.tasks = ROW("0", "auto", OUT("0", "1", "0")) "," ROW(
        "1", "auto",
        NO_DEP("0", "1", "0") "," OUT(
            "1", "2", "0")) "," ROW("2", "auto", NO_DEP("0", "1", "0"));
    c.edges = EDGE("0", "1", "tensormap") "," EDGE("0", "2", "tensormap");
    judge_run(&f, &c, NULL, "graph", PLAN("", "", ""));
    expect_only(&f, ORACLE_FINDINGS, "hazard.war");
    finish(&f);
}

/* The plan of `three`: 5 writes, 6 reads that, 7 does both. */
static const char score[] =
    "{\"schema_version\":1,\"name\":\"s\",\"tasks\":["
    "{\"task_id\":5,\"func_id\":0,\"core_type\":\"aiv\",\"name\":\"k\","
    "\"args\":[\"a\"],\"arg_directions\":[\"Output\"]},"
    "{\"task_id\":6,\"func_id\":0,\"core_type\":\"aiv\",\"name\":\"k\","
    "\"args\":[\"a\",\"b\"],\"arg_directions\":[\"Input\",\"Output\"]},"
    "{\"task_id\":7,\"func_id\":0,\"core_type\":\"aiv\",\"name\":\"k\","
    "\"args\":[\"a\"],\"arg_directions\":[\"InOut\"]}],"
    "\"dependencies\":[{\"producer\":5,\"consumer\":6},"
    "{\"producer\":6,\"consumer\":7}]}";

static void test_score(void **state)
{
    (void)state;
    found f;
    judge_run(&f, &three, NULL, "score", score);
    expect_only(&f, ORACLE_CLEAN, NULL);
    finish(&f);
    record_case c = three;
    c.edges = EDGE("0", "1", "tensormap") "," EDGE("0", "2", "tensormap");
    judge_run(&f, &c, NULL, "score", score);
    expect_only(&f, ORACLE_FINDINGS, "hazard.war+runtime.lost-edge");
    finish(&f);
    /* A plan that cannot be read leaves the record as it is. */
    judge_run(&f, &three, NULL, "score", "{\"schema_version\":1}");
    assert_int_equal(f.judgement.verdict, ORACLE_UNDECIDED);
    assert_int_equal(f.judgement.total, 0);
    finish(&f);
}

static void test_samples(void **state)
{
    (void)state;
    static const struct {
        const char *name, *rule;
    } cases[] = {{"score6_auto", "hazard.war"},
                 {"score6_manual", NULL},
                 {"vector_example", NULL},
                 {"matmul", NULL}};
    test_needs(SAMPLES);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[160];
        found f;
        snprintf(path, sizeof path, SAMPLES "/%s/deps.json", cases[i].name);
        char *text = read_text(path);
        assert_non_null(text);
        judge_text(&f, text);
        expect_only(&f, cases[i].rule == NULL ? ORACLE_CLEAN : ORACLE_FINDINGS,
                    cases[i].rule);
        finish(&f);
        free(text);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_clean),
    cmocka_unit_test(test_missing_edges),
    cmocka_unit_test(test_missing_rows),
    cmocka_unit_test(test_missing_parts),
    cmocka_unit_test(test_gap_in_manual_scopes),
    cmocka_unit_test(test_cut_at_every_byte),
    cmocka_unit_test(test_unknown_access),
    cmocka_unit_test(test_allocating_task),
    cmocka_unit_test(test_outputs),
    cmocka_unit_test(test_declared_creator),
    cmocka_unit_test(test_one_access_each),
    cmocka_unit_test(test_unnamed_output),
    cmocka_unit_test(test_shared_bytes),
    cmocka_unit_test(test_reused_memory),
    cmocka_unit_test(test_order_of_rows),
    cmocka_unit_test(test_lost_edges),
    cmocka_unit_test(test_refusals),
    cmocka_unit_test(test_unknown_words),
    cmocka_unit_test(test_plan),
    cmocka_unit_test(test_plan_knows_more),
    cmocka_unit_test(test_score),
    cmocka_unit_test(test_samples),
};

TEST_MAIN(tests)
