/*
 * What a hazard's sentence tells an author: the scope that it crosses and the
 * bridge that carries it, applied and judged again; why it cannot be decided;
 * which TaskId got lost.
 */
#include "../../scripts/testing/harness.h"

#include "oracle/judge.h"

#include <stdio.h>
#include <string.h>

#define ARG(b, dispatch, mode, more)                                           \
    "{\"buffer\":\"" b "\",\"dispatch\":\"" dispatch "\"" more                 \
    ",\"access\":[{\"mode\":\"" mode "\",\"must\":true,\"exact\":true}]}"
#define R(b) ARG(b, "input", "read", "")
#define W(b) ARG(b, "output_existing", "write", "")
#define TASK(id, more, args)                                                   \
    "{\"id\":" #id ",\"name\":\"k" #id "\",\"line\":1" #id "," more            \
    "\"args\":[" args "]}"
#define MANUAL "\"scope\":1,"
#define DEP(id) "\"deps\":[{\"task\":" #id "}],"
#define GRAPH(more, tasks)                                                     \
    "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"rules\":"         \
    "\"tensormap\",\"scopes\":[{\"id\":0,\"manual\":false},{\"id\":1,"         \
    "\"manual\":true,\"parent\":0},{\"id\":2,\"manual\":true,\"parent\":1}],"  \
    "\"buffers\":[{\"key\":\"param:x\",\"bytes\":64,\"external\":true},"       \
    "{\"key\":\"param:y\",\"bytes\":64,\"external\":true}]," more              \
    "\"tasks\":[" tasks "]}"

static void judge(const char *text, oracle_judgement *j)
{
    assert_int_equal(oracle_judge_text(j, text, strlen(text), NULL), ORACLE_OK);
    if (j->verdict == ORACLE_REFUSED) {
        fail_msg("%s", j->findings[0].message);
    }
}

static void expect_clean(const char *text)
{
    oracle_judgement j;
    judge(text, &j);
    if (j.verdict != ORACLE_CLEAN) {
        fail_msg("%s", j.count > 0 ? j.findings[0].message : j.undecided[0]);
    }
    oracle_judgement_free(&j);
}

/* The first finding's cause, and parts of its message. */
static void expect(const char *text, const char *rule, const char *cause,
                   const char *const *parts)
{
    oracle_judgement j;
    judge(text, &j);
    assert_true(j.count > 0);
    assert_string_equal(j.findings[0].rule, rule);
    assert_string_equal(j.findings[0].cause, cause);
    for (; *parts != NULL; parts++) {
        if (strstr(j.findings[0].message, *parts) == NULL) {
            fail_msg("no \"%s\": %s", *parts, j.findings[0].message);
        }
    }
    oracle_judgement_free(&j);
}

#define WRITERS                                                                \
    TASK(0, MANUAL, W("param:x")) "," TASK(1, "\"scope\":2,", W("param:y"))

static void out_of_a_scope(void **state)
{
    static const char *const parts[] = {
        "before line 10",
        "do not see task 0 \"k0\", task 1 \"k1\"",
        "add task 0 \"k0\" to the deps of task 2 \"k2\"",
        "an automatic task with param:x as inout",
        NULL,
    };
    (void)state;
    expect(GRAPH("", WRITERS
                 "," TASK(2, "", R("param:x")) "," TASK(3, "", R("param:y"))),
           "hazard.raw", "manual-to-auto", parts);
    expect_clean(GRAPH("", WRITERS "," TASK(2, DEP(0), R("param:x")) "," TASK(
                               3, DEP(1), R("param:y"))));
    /* The bridge: later tasks wait for it, whatever they are. */
    expect_clean(GRAPH(
        "", WRITERS "," TASK(
                4, "\"deps\":[{\"task\":0},{\"task\":1}],",
                ARG("param:x", "inout", "read", "") "," ARG(
                    "param:y", "inout", "read",
                    "")) "," TASK(2, "", R("param:x")) "," TASK(3, "",
                                                                R("param:y"))));
}

static void into_a_scope(void **state)
{
    static const char *const parts[] = {
        "before line 11",
        "not seen by task 1 \"k1\", task 2 \"k2\"",
        "before it an automatic task with param:x as inout",
        NULL,
    };
    (void)state;
    expect(GRAPH("", TASK(0, "", W("param:x")) "," TASK(
                         1, MANUAL, R("param:x")) "," TASK(2, MANUAL,
                                                           R("param:x"))),
           "hazard.raw", "auto-to-manual", parts);
    expect_clean(
        GRAPH("", TASK(0, "", W("param:x")) "," TASK(
                      3, "",
                      ARG("param:x", "inout", "read",
                          "")) "," TASK(1, MANUAL DEP(3),
                                        R("param:x")) "," TASK(2, MANUAL DEP(3),
                                                               R("param:x"))));
}

static void lost_ids(void **state)
{
    static const char *const reused[] = {
        "the dep tid of the second is the TaskId of a later task",
        "collect the TaskIds in an array", NULL};
    static const char *const dead[] = {
        "the dep prev of the second holds no valid TaskId",
        "collect the TaskIds in an array", NULL};
    static const char *const besides[] = {
        "an output_existing argument looks nothing up, and the dep prev", NULL};
#define LOST(name, cause)                                                      \
    "\"deps\":[{\"task\":null,\"name\":\"" name "\",\"cause\":\"" cause "\"}]" \
    ","
    (void)state;
    expect(GRAPH("",
                 TASK(0, MANUAL, W("param:y")) "," TASK(
                     1, "",
                     ARG("param:x", "input", "write",
                         "")) "," TASK(2, LOST("tid", "reused"), R("param:x"))),
           "hazard.raw", "reused-id", reused);
    expect(GRAPH("", TASK(1, "", ARG("param:x", "input", "write", "")) "," TASK(
                         2, LOST("prev", "dead"), R("param:x"))),
           "hazard.raw", "dead-dep", dead);
    expect(GRAPH("", TASK(1, "", W("param:x")) "," TASK(2, LOST("prev", "dead"),
                                                        W("param:x"))),
           "hazard.waw", "output-existing", besides);
}

#define ROW(offset)                                                            \
    ",\"region\":{\"elem\":4,\"base\":0,\"dims\":[[4,4," offset "]]}"
#define TOUCH(dispatch, mode, exact, more)                                     \
    "{\"buffer\":\"param:x\",\"dispatch\":\"" dispatch                         \
    "\",\"access\":[{\"mode\":\"" mode                                         \
    "\",\"must\":true,\"exact\":" exact more "}]}"
#define SYMBOLS                                                                \
    "\"symbols\":[{\"name\":\"row\",\"min\":0,\"max\":9,\"free\":false}],"

static void open_pairs(void **state)
{
    static const char *const symbol[] = {
        "where task 1 \"k1\" touches depends on row (0 to 9), which is decided "
        "when the graph is built",
        NULL};
    static const char *const view[] = {
        "of argument 0 of task 1 \"k1\" only the whole view is known", NULL};
    static const char *const bound[] = {
        "of argument 0 of task 1 \"k1\" is a bound only", NULL};
    static const char *const untold[] = {
        "what task 1 \"k1\" does with argument 0 is not told",
        "a no_dep argument", NULL};
    static const char *const perhaps[] = {"only where views meet", NULL};
#define WAR_WITH(second) TASK(0, "", R("param:x")) "," TASK(1, "", second)
    (void)state;
    expect(GRAPH(SYMBOLS,
                 TASK(0, "", TOUCH("input", "read", "true", ROW("0"))) "," TASK(
                     1, "",
                     TOUCH("output_existing", "write", "true",
                           ROW("{\"c\":0,\"t\":[[1,\"row\"]]}")))),
           "hazard.unknown-access", "war", symbol);
    expect(GRAPH("", WAR_WITH(TOUCH("output_existing", "write", "false", ""))),
           "hazard.unknown-access", "war", view);
    expect(GRAPH("", WAR_WITH(
                         TOUCH("output_existing", "write", "false", ROW("0")))),
           "hazard.unknown-access", "war", bound);
    expect(GRAPH("", TASK(0, "", W("param:x")) "," TASK(
                         1, "",
                         "{\"buffer\":\"param:x\",\"dispatch\":\"no_dep\"}")),
           "hazard.unknown-access", "no-dep", untold);
    expect(GRAPH("\"edges\":[{\"from\":0,\"to\":1,\"source\":\"automatic\","
                 "\"kind\":\"data\",\"certain\":false,\"from_arg\":5}],",
                 TASK(0, "", R("param:x")) "," TASK(1, "", W("param:x"))),
           "hazard.unknown-access", "war", perhaps);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(out_of_a_scope),
    cmocka_unit_test(into_a_scope),
    cmocka_unit_test(lost_ids),
    cmocka_unit_test(open_pairs),
};

TEST_MAIN(tests)
