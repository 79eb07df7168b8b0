/* direction.mismatch: what a callee does against what it is told. */
#include "../../scripts/testing/harness.h"

#include "oracle/judge.h"

#include <stdio.h>
#include <string.h>

#define MUST "\"must\":true,\"exact\":true"
#define BOUND "\"must\":false,\"exact\":false"

typedef struct program {
    char text[16384];
    size_t length;
    uint32_t tasks;
} program;

static void put(program *p, const char *text)
{
    size_t length = strlen(text);
    assert_true(p->length + length < sizeof p->text);
    memcpy(p->text + p->length, text, length + 1);
    p->length += length;
}

static void start(program *p, const char *rules)
{
    p->length = 0;
    p->tasks = 0;
    put(p,
        "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"d\",\"rules\":\"");
    put(p, rules);
    put(p, "\",\"buffers\":["
           "{\"key\":\"param:x\",\"bytes\":64,\"external\":true}],\"tasks\":[");
}

/* A call: each task waits for the one before, so that nothing else is said. */
static void call(program *p, const char *name, const char *declared,
                 const char *dispatch, const char *access)
{
    char task[1024];
    char deps[64] = "";
    if (p->tasks > 0) {
        snprintf(deps, sizeof deps, "\"deps\":[{\"task\":%u}],", p->tasks - 1);
    }
    snprintf(task, sizeof task,
             "%s{\"id\":%u,\"name\":\"%s\",%s\"args\":[{\"scalar\":1},{"
             "\"buffer\":\"param:x\",\"dispatch\":\"%s\"%s%s%s%s}]}",
             p->tasks > 0 ? "," : "", p->tasks, name, deps, dispatch,
             declared[0] != '\0' ? ",\"declared\":\"" : "", declared,
             declared[0] != '\0' ? "\"" : "", access);
    p->tasks++;
    put(p, task);
}

#define ACCESS(mode, sure) ",\"access\":[{\"mode\":\"" mode "\"," sure "}]"
#define TWO(mode, sure, other, surely)                                         \
    ",\"access\":[{\"mode\":\"" mode "\"," sure "},{\"mode\":\"" other         \
    "\"," surely "}]"

/* The findings of the rule: how many, of which severity, saying what. */
static void expect(program *p, uint32_t wanted, oracle_severity severity,
                   const char *says)
{
    oracle_judgement j;
    oracle_document d;
    oracle_error error;
    char reason[160];
    uint32_t count = 0;
    put(p, "]}");
    assert_int_equal(oracle_judge_text(&j, p->text, p->length, NULL),
                     ORACLE_OK);
    assert_int_not_equal(j.verdict, ORACLE_REFUSED);
    assert_int_equal(oracle_document_read(&d, p->text, p->length, NULL, &error),
                     ORACLE_OK);
    for (uint32_t i = 0; i < j.count; i++) {
        const oracle_finding *f = &j.findings[i];
        if (strcmp(f->rule, "direction.mismatch") == 0) {
            count++;
            assert_int_equal(f->severity, severity);
            if (strstr(f->message, says) == NULL) {
                fail_msg("%s", f->message);
            }
            if (!oracle_witness_check(&d, f->json, reason, sizeof reason)) {
                fail_msg("%s", reason);
            }
        }
    }
    assert_int_equal(count, wanted);
    oracle_document_free(&d);
    oracle_judgement_free(&j);
}

static void one(const char *declared, const char *dispatch, const char *access,
                uint32_t wanted, oracle_severity severity, const char *says)
{
    program p;
    start(&p, "tensormap");
    call(&p, "k", declared, dispatch, access);
    expect(&p, wanted, severity, says);
}

static void an_in_that_is_written(void **state)
{
    static const char *const dispatches[] = {"input", "no_dep", "inout"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        one("in", dispatches[i], ACCESS("write", MUST), 1, ORACLE_WARNING,
            "argument 1 of task 0 \"k\" is declared In and the callee writes");
        one("in", dispatches[i], ACCESS("accumulate", MUST), 1, ORACLE_WARNING,
            "declare it InOut");
        one("in", dispatches[i], ACCESS("inout", MUST), 1, ORACLE_WARNING, "");
        one("in", dispatches[i], ACCESS("read", MUST), 0, ORACLE_NOTE, "");
    }
    one("in", "input", ACCESS("write", MUST), 1, ORACLE_WARNING,
        "declare it InOut, or who reads it next does not wait");
    one("in", "inout", ACCESS("write", MUST), 1, ORACLE_WARNING,
        "declare it InOut.");
    one("in", "input", ACCESS("write", "\"must\":true,\"exact\":false"), 1,
        ORACLE_WARNING, "");
    one("in", "input", ACCESS("write", "\"must\":false,\"exact\":true"), 1,
        ORACLE_WARNING, "");
}

/* A bound may be touched by nobody, an unknown callee may do anything. */
static void what_is_not_sure(void **state)
{
    (void)state;
    one("in", "input", ACCESS("write", BOUND), 0, ORACLE_NOTE, "");
    one("out", "output_existing", ACCESS("read", BOUND), 0, ORACLE_NOTE, "");
    one("in", "input", "", 0, ORACLE_NOTE, "");
    one("out", "output_existing", "", 0, ORACLE_NOTE, "");
    one("inout", "inout", "", 0, ORACLE_NOTE, "");
    one("inout", "inout", TWO("write", MUST, "read", BOUND), 0, ORACLE_NOTE,
        "");
    one("", "no_dep", ACCESS("write", MUST), 0, ORACLE_NOTE, "");
}

static void an_out_that_is_read(void **state)
{
    (void)state;
    one("out", "output_existing", ACCESS("write", MUST), 0, ORACLE_NOTE, "");
    one("out", "inout", ACCESS("write", MUST), 0, ORACLE_NOTE, "");
    one("out", "output_existing", ",\"access\":[]", 0, ORACLE_NOTE, "");
    one("out", "output_existing", TWO("read", MUST, "write", MUST), 1,
        ORACLE_NOTE,
        "also reads, or adds to, what is there before: declare "
        "it InOut");
    one("out", "output_existing", ACCESS("accumulate", MUST), 1, ORACLE_NOTE,
        "declared Out");
    one("out", "output_existing", ACCESS("read", MUST), 1, ORACLE_NOTE,
        "no call here writes it: declare it In,");
    one("out", "inout", ACCESS("accumulate", MUST), 1, ORACLE_NOTE,
        "declare it InOut.");
}

static void an_inout_that_is_never_read(void **state)
{
    (void)state;
    one("inout", "inout", ACCESS("inout", MUST), 0, ORACLE_NOTE, "");
    one("inout", "inout", ACCESS("read", MUST), 0, ORACLE_NOTE, "");
    one("inout", "inout", ACCESS("accumulate", MUST), 0, ORACLE_NOTE, "");
    one("inout", "inout", ACCESS("write", MUST), 1, ORACLE_NOTE,
        "no call here reads what is there before: declare it Out");
}

/* The dispatch makes edges: too much of it is no mismatch. */
static void dispatches(void **state)
{
    (void)state;
    one("", "input", ACCESS("write", MUST), 1, ORACLE_WARNING,
        "dispatched as input and the callee writes it: dispatch it as inout");
    one("out", "input", ACCESS("write", MUST), 1, ORACLE_WARNING,
        "dispatched as input");
    one("", "output_existing", ACCESS("inout", MUST), 1, ORACLE_NOTE,
        "dispatched as output");
    one("inout", "output", ACCESS("inout", MUST), 1, ORACLE_NOTE,
        "dispatched as output");
    one("", "inout", ACCESS("write", MUST), 0, ORACLE_NOTE, "");
    one("", "inout", ACCESS("read", MUST), 0, ORACLE_NOTE, "");
}

/* Without a rule set no edge comes from a dispatch. */
static void without_rules(void **state)
{
    program p;
    (void)state;
    start(&p, "none");
    call(&p, "k", "", "input", ACCESS("write", MUST));
    expect(&p, 0, ORACLE_NOTE, "");
    start(&p, "none");
    call(&p, "k", "in", "input", ACCESS("write", MUST));
    expect(&p, 1, ORACLE_WARNING, "declared In");
}

/* One finding for a callee, and another call may do what this one does not. */
static void calls(void **state)
{
    program p;
    (void)state;
    start(&p, "tensormap");
    for (int i = 0; i < 5; i++) {
        call(&p, "k", "in", "input",
             i == 0 ? ACCESS("read", MUST) : ACCESS("inout", MUST));
    }
    expect(&p, 1, ORACLE_WARNING, "of task 1 \"k\"");
    start(&p, "tensormap");
    for (int i = 0; i < 5; i++) {
        call(&p, i % 2 ? "odd" : "even", "in", "input", ACCESS("inout", MUST));
    }
    expect(&p, 2, ORACLE_WARNING, "such calls");
    start(&p, "tensormap");
    call(&p, "k", "inout", "inout", ACCESS("write", MUST));
    call(&p, "k", "inout", "output_existing", ACCESS("write", MUST));
    expect(&p, 1, ORACLE_NOTE, "(one of 2 such calls)");
    start(&p, "tensormap");
    call(&p, "k", "inout", "inout", ACCESS("write", MUST));
    call(&p, "k", "inout", "inout", ACCESS("inout", BOUND));
    expect(&p, 0, ORACLE_NOTE, "");
    start(&p, "tensormap");
    call(&p, "k", "out", "output_existing", ACCESS("read", MUST));
    call(&p, "k", "out", "output_existing", ACCESS("write", MUST));
    expect(&p, 1, ORACLE_NOTE, "also reads");
}

/* What the checker refuses. */
static void witnesses(void **state)
{
    static const char *const broken[] = {
        "{\"arg\":0,\"task\":0}", "{\"arg\":2,\"task\":0}",
        "{\"arg\":-1,\"task\":0}", "{\"arg\":1,\"task\":1}", "{\"arg\":1}"};
    program p;
    oracle_document d;
    oracle_error error;
    char reason[160], finding[256];
    (void)state;
    start(&p, "tensormap");
    call(&p, "k", "in", "input", ACCESS("write", MUST));
    call(&p, "k", "out", "output", ACCESS("write", MUST));
    put(&p, "]}");
    assert_int_equal(oracle_document_read(&d, p.text, p.length, NULL, &error),
                     ORACLE_OK);
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        snprintf(finding, sizeof finding,
                 "{\"rule\":\"direction.mismatch\",\"witness\":%s}", broken[i]);
        assert_false(oracle_witness_check(&d, finding, reason, sizeof reason));
    }
    assert_true(oracle_witness_check(&d,
                                     "{\"rule\":\"direction.mismatch\","
                                     "\"witness\":{\"arg\":1,\"task\":0}}",
                                     reason, sizeof reason));
    oracle_document_free(&d);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_in_that_is_written),
    cmocka_unit_test(what_is_not_sure),
    cmocka_unit_test(an_out_that_is_read),
    cmocka_unit_test(an_inout_that_is_never_read),
    cmocka_unit_test(dispatches),
    cmocka_unit_test(without_rules),
    cmocka_unit_test(calls),
    cmocka_unit_test(witnesses),
};

TEST_MAIN(tests)
