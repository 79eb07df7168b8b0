/* edge.false: orders for nothing, the opt-out that frees them, what it wins. */
#include "../../scripts/testing/harness.h"

#include "oracle/judge.h"

#include <stdio.h>
#include <string.h>

#define VIEW                                                                   \
    "\"view\":{\"dtype\":\"fp32\",\"elem\":4,\"base\":0,\"dims\":[[64,512,0]," \
    "[128,4,0]]}"

typedef struct program {
    char text[32768];
    size_t length;
    uint32_t tasks;
} program;

static void start(program *p)
{
    p->tasks = 0;
    p->length = (size_t)snprintf(
        p->text, sizeof p->text,
        "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"f\",\"rules\":"
        "\"tensormap\",\"buffers\":[{\"key\":\"param:o\",\"bytes\":32768,"
        "\"external\":true},{\"key\":\"param:p\",\"bytes\":32768,\"external\":"
        "true}],\"tasks\":[");
}

static void put(program *p, const char *text)
{
    size_t length = strlen(text);
    assert_true(p->length + length < sizeof p->text);
    memcpy(p->text + p->length, text, length + 1);
    p->length += length;
}

/* A task of line 10, 20, ... whose argument is told all, and touches rows. */
static void add(program *p, int line, const char *more, const char *buffer,
                const char *dispatch, const char *mode, int row, int rows)
{
    char task[1024];
    snprintf(task, sizeof task,
             "%s{\"id\":%u,\"name\":\"k%d\",\"line\":%d,%s\"args\":[{"
             "\"buffer\":\"%s\",\"dispatch\":\"%s\"," VIEW
             ",\"access\":[{\"mode\":\"%s\",\"must\":true,\"exact\":true,"
             "\"region\":{\"elem\":4,\"base\":0,\"dims\":[[%d,512,%d],[128,4,0]"
             "]}}]}]}",
             p->tasks > 0 ? "," : "", p->tasks, line, line, more, buffer,
             dispatch, mode, rows, row);
    p->tasks++;
    put(p, task);
}

static void judge(program *p, oracle_judgement *j)
{
    put(p, "]}");
    assert_int_equal(oracle_judge_text(j, p->text, p->length, NULL), ORACLE_OK);
}

static const oracle_finding *only(const oracle_judgement *j, const char *rule)
{
    const oracle_finding *found = NULL;
    for (uint32_t i = 0; i < j->count; i++) {
        if (strcmp(j->findings[i].rule, rule) == 0) {
            assert_null(found);
            found = &j->findings[i];
        }
    }
    return found;
}

/* Rows of their own, all told to be in and out: one after the other. */
static void a_loop(void **state)
{
    program p;
    oracle_judgement j;
    (void)state;
    start(&p);
    for (int i = 0; i < 8; i++) {
        add(&p, 10, "", "param:o", "inout", "write", 8 * i, 8);
    }
    judge(&p, &j);
    assert_int_equal(j.verdict, ORACLE_CLEAN);
    assert_int_equal(j.total, 1);
    const oracle_finding *f = only(&j, "edge.false");
    assert_non_null(f);
    assert_int_equal(f->severity, ORACLE_NOTE);
    assert_non_null(strstr(f->json, "\"count\":7,"));
    assert_non_null(
        strstr(f->message, "argument 0 of task 1 \"k10\" as no_dep"));
    assert_non_null(strstr(f->message, "is then 1 tasks, not 8"));
    oracle_judgement_free(&j);
}

/* A reader behind needs what no_dep would take away. */
static void a_loop_that_is_read(void **state)
{
    program p;
    oracle_judgement j;
    (void)state;
    start(&p);
    for (int i = 0; i < 8; i++) {
        add(&p, 10, "", "param:o", "inout", "write", 8 * i, 8);
    }
    add(&p, 20, "", "param:o", "input", "read", 0, 64);
    judge(&p, &j);
    assert_int_equal(j.total, 1);
    const oracle_finding *f = only(&j, "edge.false");
    assert_non_null(f);
    assert_null(strstr(f->message, "no_dep"));
    assert_non_null(strstr(f->message, "manual scope"));
    assert_non_null(strstr(f->message, "is then 2 tasks, not 9"));
    oracle_judgement_free(&j);
}

/* The reader alone can go, the writers' order is needed. */
static void one_argument(void **state)
{
    program p;
    oracle_judgement j;
    (void)state;
    start(&p);
    add(&p, 10, "", "param:o", "inout", "write", 0, 32);
    add(&p, 20, "", "param:o", "inout", "write", 0, 32);
    add(&p, 30, "", "param:o", "input", "read", 32, 32);
    judge(&p, &j);
    const oracle_finding *f = only(&j, "edge.false");
    assert_non_null(f);
    assert_non_null(
        strstr(f->message, "argument 0 of task 2 \"k30\" as no_dep"));
    assert_non_null(strstr(f->message, "is then 2 tasks, not 3"));
    oracle_judgement_free(&j);
}

/* Common bytes, a dep, or a footprint that is only a bound: no note. */
static void reasons(void **state)
{
    static const struct {
        const char *more, *buffer, *mode;
        int row, rows;
        bool found;
    } cases[] = {
        {"", "param:o", "read", 32, 32, true},
        {"", "param:o", "read", 31, 32, false},
        {"", "param:p", "read", 0, 32, false},
        {"\"deps\":[{\"task\":0}],", "param:o", "read", 32, 32, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        program p;
        oracle_judgement j;
        start(&p);
        add(&p, 10, "", "param:o", "inout", "write", 0, 32);
        add(&p, 20, cases[i].more, cases[i].buffer, "input", cases[i].mode,
            cases[i].row, cases[i].rows);
        judge(&p, &j);
        assert_int_equal(only(&j, "edge.false") != NULL, cases[i].found);
        oracle_judgement_free(&j);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_loop),
    cmocka_unit_test(a_loop_that_is_read),
    cmocka_unit_test(one_argument),
    cmocka_unit_test(reasons),
};

TEST_MAIN(tests)
