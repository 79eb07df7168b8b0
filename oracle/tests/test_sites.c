/*
 * What an author reads of a program with loops: one finding for a site, with
 * how often, and what a verdict says of the parts that run as they like.
 */
#include "../../scripts/testing/harness.h"

#include "judged.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One kernel of a loop's iteration. */
typedef struct kernel {
    int64_t line;
    const char *name, *buffer, *mode; /* "read", "write" */
    const char *dep;                  /* a dead dep, or NULL */
} kernel;

static void add_kernel(growing *t, const kernel *k, uint32_t id, uint32_t row)
{
    bool reads = strcmp(k->mode, "read") == 0;
    bool own = strchr(k->buffer, ':')[1] == 'o';
    growing_put(t, "{\"id\":%u,\"name\":\"%s\",\"line\":%" PRId64 ",", id,
                k->name, k->line);
    if (k->dep != NULL) {
        growing_put(
            t, "\"deps\":[{\"task\":null,\"name\":\"%s\",\"cause\":\"dead\"}],",
            k->dep);
    }
    growing_put(t, "\"args\":[{\"buffer\":\"%s", k->buffer);
    if (own) {
        growing_put(t, "@%u", row);
    }
    growing_put(
        t,
        "\",\"dispatch\":\"%s\",\"access\":[{\"mode\":\"%s\",\"must\":true,"
        "\"exact\":true,\"region\":{\"elem\":4,\"base\":%u,\"dims\":[[4,4,0]]}"
        "}]}]}",
        reads ? "input" : "output_existing", k->mode, own ? 0 : row * 16);
}

/* `rows` iterations of the kernels; "alloc:o" is created anew in each. */
static void make(growing *t, const kernel *kernels, uint32_t count,
                 uint32_t rows, const char *more)
{
    *t = (growing){0};
    growing_put(
        t,
        "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\","
        "\"rules\":\"none\",%s\"buffers\":[{\"key\":\"param:x\",\"bytes\":"
        "null,\"external\":true}",
        more);
    for (uint32_t i = 0; i < rows; i++) {
        growing_put(t,
                    ",{\"key\":\"alloc:o@%u\",\"bytes\":16,\"external\":false,"
                    "\"init\":true}",
                    i);
    }
    growing_put(t, "],\"tasks\":[");
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t k = 0; k < count; k++) {
            growing_put(t, i + k > 0 ? "," : "");
            add_kernel(t, &kernels[k], i * count + k, i);
        }
    }
    growing_put(t, "]}");
}

static void judge(oracle_judgement *judgement, growing *t)
{
    oracle_document d;
    oracle_error error;
    oracle_judge_options options = {.limit = 10};
    assert_int_equal(oracle_judge_text(judgement, t->data, t->length, &options),
                     ORACLE_OK);
    assert_int_equal(oracle_document_read(&d, t->data, t->length, NULL, &error),
                     ORACLE_OK);
    assert_int_equal(oracle_document_derive(&d, &error), ORACLE_OK);
    for (uint32_t i = 0; i < judgement->count; i++) {
        const oracle_finding *one = &judgement->findings[i];
        char reason[160];
        if ((one->severity == ORACLE_ERROR ||
             strcmp(one->rule, "graph.dead-dep") == 0) &&
            !oracle_witness_check(&d, one->json, reason, sizeof reason)) {
            fail_msg("%s: %s", reason, one->json);
        }
    }
    oracle_document_free(&d);
    free(t->data);
}

static void expect(const oracle_finding *finding, const char *rule,
                   uint32_t count)
{
    char field[32];
    snprintf(field, sizeof field, "\"count\":%u,", count);
    assert_string_equal(finding->rule, rule);
    assert_true((strstr(finding->json, field) != NULL) == (count > 1));
    assert_true((strstr(finding->json, "\"count\":") != NULL) == (count > 1));
}

static void one_finding_of_a_loop(void **state)
{
    const kernel kernels[] = {{10, "w", "param:x", "write", NULL},
                              {11, "r", "param:x", "read", NULL}};
    oracle_judgement j;
    growing t;
    (void)state;
    make(&t, kernels, 2, 1000, "");
    judge(&j, &t);
    assert_int_equal(j.total, 1);
    expect(&j.findings[0], "hazard.raw", 1000);
    assert_non_null(strstr(j.findings[0].json,
                           "\"consumer\":{\"arg\":0,\"direction\":\"input\","
                           "\"line\":11,\"name\":\"r\",\"task\":1}"));
    assert_non_null(strstr(j.findings[0].message, "one of 1000 such pairs"));
    oracle_judgement_free(&j);
}

static void tensors_of_an_iteration(void **state)
{
    const kernel kernels[] = {{10, "w", "alloc:o", "write", NULL},
                              {11, "r", "alloc:o", "read", NULL}};
    oracle_judgement j;
    growing t;
    (void)state;
    make(&t, kernels, 2, 7, "");
    judge(&j, &t);
    assert_int_equal(j.total, 1);
    expect(&j.findings[0], "hazard.raw", 7);
    oracle_judgement_free(&j);
}

/* Another line, callee or cause is another site; no line is none. */
static void other_sites(void **state)
{
    kernel kernels[] = {{10, "w", "param:x", "write", NULL},
                        {11, "r", "param:x", "read", NULL},
                        {12, "r", "param:x", "read", NULL},
                        {12, "s", "param:x", "read", NULL},
                        {12, "s", "param:x", "read", "p"}};
    oracle_judgement j;
    growing t;
    (void)state;
    make(&t, kernels, 5, 6, "");
    judge(&j, &t);
    assert_int_equal(j.total, 5); /* four pairs and a dead dep */
    for (uint32_t i = 0; i < 4; i++) {
        expect(&j.findings[i], "hazard.raw", 6);
    }
    expect(&j.findings[4], "graph.dead-dep", 6);
    oracle_judgement_free(&j);
    kernels[0].line = 0;
    make(&t, kernels, 2, 6, "");
    judge(&j, &t);
    assert_int_equal(j.total, 6);
    expect(&j.findings[5], "hazard.raw", 1);
    oracle_judgement_free(&j);
}

static void dead_deps(void **state)
{
    kernel kernels[] = {{10, "w", "param:x", "write", "prev"},
                        {11, "w", "alloc:o", "write", "prev"},
                        {11, "w", "alloc:o", "write", "last"}};
    oracle_judgement j;
    growing t;
    (void)state;
    make(&t, kernels, 3, 5, "");
    judge(&j, &t);
    assert_int_equal(j.verdict, ORACLE_FINDINGS);
    uint32_t dead = 0;
    for (uint32_t i = 0; i < j.count; i++) {
        if (strcmp(j.findings[i].rule, "graph.dead-dep") == 0) {
            expect(&j.findings[i], "graph.dead-dep", 5);
            assert_non_null(strstr(j.findings[i].message, "array"));
            dead++;
        }
    }
    assert_int_equal(dead, 3);
    assert_non_null(strstr(j.findings[0].json,
                           "\"witness\":{\"dep\":\"prev\",\"submissions\":5}"));
    oracle_judgement_free(&j);
    kernels[0].line = 0;
    make(&t, kernels, 1, 5, "");
    judge(&j, &t);
    assert_int_equal(j.total, 5);
    expect(&j.findings[4], "graph.dead-dep", 1);
    oracle_judgement_free(&j);
}

/* A number of submissions that is not true is not accepted. */
static void dead_deps_are_checked(void **state)
{
    const kernel kernels[] = {{10, "w", "param:x", "write", "prev"}};
    oracle_document d;
    oracle_error error;
    growing t;
    char reason[160];
    (void)state;
    make(&t, kernels, 1, 3, "");
    assert_int_equal(oracle_document_read(&d, t.data, t.length, NULL, &error),
                     ORACLE_OK);
#define DEAD(name, times)                                                      \
    "{\"consumer\":{\"task\":0},\"rule\":\"graph.dead-dep\",\"witness\":{"     \
    "\"dep\":\"" name "\",\"submissions\":" times "}}"
    assert_true(
        oracle_witness_check(&d, DEAD("prev", "3"), reason, sizeof reason));
    assert_false(
        oracle_witness_check(&d, DEAD("prev", "2"), reason, sizeof reason));
    assert_false(
        oracle_witness_check(&d, DEAD("last", "3"), reason, sizeof reason));
    d.deps[1].cause = ORACLE_DEP_TASK;
    assert_false(
        oracle_witness_check(&d, DEAD("prev", "2"), reason, sizeof reason));
    oracle_document_free(&d);
    free(t.data);
}

static void dynamic_parts(void **state)
{
    const kernel kernels[] = {{10, "w", "param:x", "write", NULL}};
    oracle_judgement j;
    growing t;
    (void)state;
    make(&t, kernels, 1, 3,
         "\"dynamic\":[{\"line\":9,\"reason\":\"two iterations\",\"tasks\":[0,"
         "1]},{\"line\":9,\"reason\":\"two iterations\",\"tasks\":[2]}],");
    judge(&j, &t);
    assert_int_equal(j.verdict, ORACLE_CLEAN);
    assert_int_equal(j.assumption_count, 5); /* once for a place and reason */
    assert_non_null(strstr(j.assumptions[4], "line 9: two iterations"));
    oracle_judgement_free(&j);
    make(&t, kernels, 1, 3,
         "\"dynamic\":[{\"line\":9,\"reason\":\"while\",\"tasks\":[]},"
         "{\"line\":7,\"reason\":\"f runs elsewhere and is not judged\","
         "\"tasks\":[]},"
         "{\"line\":5,\"reason\":\"loop\",\"tasks\":[1]}],");
    judge(&j, &t);
    assert_int_equal(j.verdict, ORACLE_UNDECIDED);
    assert_int_equal(j.undecided_count, 2);
    assert_string_equal(j.undecided[0], "line 9: while: not judged");
    assert_string_equal(j.undecided[1],
                        "line 7: f runs elsewhere and is not judged");
    oracle_judgement_free(&j);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(one_finding_of_a_loop),
    cmocka_unit_test(tensors_of_an_iteration),
    cmocka_unit_test(other_sites),
    cmocka_unit_test(dead_deps),
    cmocka_unit_test(dead_deps_are_checked),
    cmocka_unit_test(dynamic_parts),
};

TEST_MAIN(tests)
