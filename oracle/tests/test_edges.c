/* edge.kind, edge.false of policies, edge.redundant; witnesses that lie. */
#include "judged.h"

#include "../../scripts/testing/harness.h"

#include <string.h>

/* --- edge.kind --- */

#define PAIR(a, b, kind)                                                       \
    GRAPH("", T(0, "", a) "," T(1, "", b), E(0, 1, "policy", kind))

static void kinds(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {
        {PAIR(W("param:x"), R("param:x"), "data"), NULL},
        {PAIR(W("param:x"), R("param:x"), "storage"), "label it data"},
        {PAIR(W("param:x"), R("param:x"), "war"), "label it data"},
        {PAIR(W("param:x"), R("param:x"), "ordering"), NULL},
        {PAIR(W("param:x"), R("param:x"), "weird"), NULL},
        {PAIR(W("param:x"), W("param:x"), "storage"), NULL},
        {PAIR(W("param:x"), W("param:x"), "data"), "label it storage"},
        {PAIR(R("param:x"), W("param:x"), "war"), NULL},
        {PAIR(R("param:x"), W("param:x"), "data"), "label it war"},
        {PAIR(R("param:x"), R("param:x"), "data"), "label it ordering"},
        {PAIR(W("param:x"), R("param:y"), "data"), "label it ordering"},
        {PAIR(UNKNOWN("param:x"), R("param:x"), "war"), NULL},
        {PAIR(W("param:x"), UNKNOWN("param:x"), "data"), NULL},
        {PAIR(UNKNOWN("param:x"), R("param:y"), "data"), "label it ordering"},
        {PAIR(W("param:x"), "", "data"), "label it ordering"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        judged_expect(cases[i].text, "edge.kind", cases[i].part);
    }
}

/* A dummy has edges, by its directions too, and no kernel (spec 06). */
static void dummies_touch_nothing(void **state)
{
    (void)state;
#define BESIDE(more, arg)                                                      \
    GRAPH("", T(0, more, arg) "," T(1, "", R("param:x")), "")
    judged_expect(BESIDE("", W("param:x")), "hazard.raw", "error");
    judged_expect(BESIDE(DUMMY, W("param:x")), "hazard.raw", NULL);
    judged_expect(BESIDE("", UNKNOWN("param:x")), "hazard.unknown-access",
                  "warning");
    judged_expect(BESIDE(DUMMY, UNKNOWN("param:x")), "hazard.unknown-access",
                  NULL);
    judged_expect(GRAPH("", T(0, "", W("param:x") "," W("param:x")), ""),
                  "task.self-overlap", "error");
    judged_expect(GRAPH("", T(0, DUMMY, W("param:x") "," W("param:x")), ""),
                  "task.self-overlap", NULL);
}

static void kinds_of_others(void **state)
{
    (void)state;
#define OTHER(source)                                                          \
    GRAPH("", T(0, "", W("param:x")) "," T(1, "", R("param:y")),               \
          E(0, 1, source, "data"))
    judged_expect(OTHER("explicit"), "edge.kind", "\"severity\":\"warning\"");
    judged_expect(OTHER("automatic"), "edge.kind", NULL);
    judged_expect(OTHER("recorded"), "edge.kind", NULL);
    /* A dummy task stands for others, and an edge without label for none. */
    judged_expect(GRAPH("", T(0, DUMMY, "") "," T(1, "", R("param:y")),
                        E(0, 1, "policy", "data")),
                  "edge.kind", NULL);
    judged_expect(GRAPH("", T(0, "", W("param:x")) "," T(1, "", R("param:y")),
                        "{\"from\":0,\"to\":1,\"source\":\"policy\"}"),
                  "edge.kind", NULL);
    /* One finding for the document, of the first such edge. */
    judged_expect(
        GRAPH("",
              T(0, "", W("param:x")) "," T(1, "", R("param:x")) "," T(
                  2, "", W("param:y")) "," T(3, "", W("param:z")),
              E(0, 1, "policy", "data") "," E(1, 2, "policy", "data") "," E(
                  2, 3, "policy", "war")),
        "edge.kind", "\"count\":2,");
    judged_expect(
        GRAPH("",
              T(0, "", W("param:x")) "," T(1, "", R("param:x")) "," T(
                  2, "", W("param:y")) "," T(3, "", W("param:z")),
              E(0, 1, "policy", "data") "," E(1, 2, "policy", "data") "," E(
                  2, 3, "policy", "war")),
        "edge.kind", "\"witness\":{\"edge\":[1,2],\"kind\":\"data\"}");
    /* Buffers that may be one share who knows what. */
    judged_expect(
        "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"none\","
        "\"buffers\":[{\"key\":\"a\",\"bytes\":4,\"external\":true,"
        "\"may_alias\":[\"b\"]},{\"key\":\"b\",\"bytes\":4,\"external\":"
        "true}],\"tasks\":[" T(0, "", W("a")) "," T(
            1, "", R("b")) "],"
                           "\"edges\":[" E(0, 1, "policy", "data") "]}",
        "edge.kind", NULL);
}

#define SCORE(kind, metadata)                                                  \
    "{\"name\":\"s\",\"tasks\":[{\"task_id\":0,\"func_id\":0,\"core_type\":"   \
    "\"aiv\",\"args\":"                                                        \
    "[\"a\"],\"arg_directions\":[\"Output\"]},{\"task_id\":1,\"func_id\":1,"   \
    "\"core_type\":\"aiv\",\"args\":[\"b\"],\"arg_directions\":[\"Input\"]}]," \
    "\"dependencies\":[{\"producer\":0,\"consumer\":1" kind                    \
    "}],\"metadata\":{" metadata "}}"

static void kind_of_a_score(const char *text, bool kind, bool loose)
{
    oracle_judgement judgement;
    judged j = {.document = {0}};
    assert_int_equal(oracle_judge_text(&judgement, text, strlen(text), NULL),
                     ORACLE_OK);
    j.judgement = judgement;
    assert_int_equal(judged_only(&j, "edge.kind") != NULL, kind);
    assert_int_equal(judged_only(&j, "edge.false") != NULL, loose);
    oracle_judgement_free(&judgement);
}

/* sequential_v0 has no other label, and who writes none claims nothing. */
static void kinds_of_scores(void **state)
{
    (void)state;
#define LABEL ",\"kind\":\"data\""
    kind_of_a_score(SCORE(LABEL, ""), true, true);
    kind_of_a_score(SCORE("", ""), false, true);
    kind_of_a_score(SCORE(",\"kind\":\"ordering\"", ""), false, false);
    kind_of_a_score(SCORE(LABEL, "\"dependency_policy\":\"sequential_v0\""),
                    false, true);
    kind_of_a_score(SCORE(LABEL, "\"dependency_policy\":\"dataflow_v0\""), true,
                    true);
}

/* --- edge.false of a policy --- */

static void policies(void **state)
{
    (void)state;
#define CHAIN(kind)                                                            \
    GRAPH("",                                                                  \
          T(0, "", W("param:x")) "," T(1, "", W("param:y")) "," T(             \
              2, "", R("param:x")),                                            \
          E(0, 1, "policy", kind) "," E(1, 2, "policy", kind))
    /* The order of 0 and 2 stays: bytes ask for it. */
    judged_expect(CHAIN("data"), "edge.false", "is then 2 tasks, not 3");
    judged_expect(CHAIN("data"), "edge.false", "\"count\":2,");
    judged_expect(
        CHAIN("data"), "edge.false",
        "\"witness\":{\"edge\":[0,1],\"sources\":[{\"source\":\"policy\"}]}");
    judged_expect(CHAIN("ordering"), "edge.false", NULL);
    /* A dep says that it is wanted. */
    judged_expect(
        GRAPH("", T(0, "", W("param:x")) "," T(1, DEPS(DEP(0)), W("param:y")),
              E(0, 1, "policy", "data")),
        "edge.false", NULL);
    judged_expect(GRAPH("", T(0, "", W("param:x")) "," T(1, "", W("param:y")),
                        E(0, 1, "explicit", "data")),
                  "edge.false", NULL);
    judged_expect(GRAPH("", T(0, "", W("param:x")) "," T(1, "", ""),
                        E(0, 1, "policy", "data")),
                  "edge.false", NULL);
    judged_expect(GRAPH("",
                        T(0, "", W("param:x")) "," T(1, "", UNKNOWN("param:x")),
                        E(0, 1, "policy", "data")),
                  "edge.false", NULL);
    /* The document says that the runtime gave it, and a policy gave it too. */
    judged_expect(
        GRAPH("", T(0, "", W("param:x")) "," T(1, "", W("param:y")),
              E(0, 1, "automatic", "data") "," E(0, 1, "policy", "data")),
        "edge.false",
        "\"sources\":[{\"source\":\"automatic\"},{\"source\":\"policy\"}]");
}

#define HALF(mode, dispatch, base)                                             \
    "{\"buffer\":\"param:x\",\"dispatch\":\"" dispatch                         \
    "\",\"access\":[{\"mode\":\"" mode                                         \
    "\",\"must\":true,\"exact\":true,\"region\":{\"elem\":4,\"base\":" #base   \
    ",\"dims\":[[8,4,0]]}}]}"

/* Each pair of arguments that gives the edge is named, and the policy. */
static void reasons(void **state)
{
    (void)state;
    static const char text[] =
        "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"tensormap\","
        "\"buffers\":[{\"key\":\"param:x\",\"bytes\":64,\"external\":true}],"
        "\"tasks\":[" T(0, "", HALF("write", "inout", 0)) "," T(
            1, "",
            HALF("read", "input", 32) "," HALF(
                "read", "input", 32)) "],"
                                      "\"edges\":[" E(0, 1, "policy",
                                                      "ordering") "]}";
    judged_expect(
        text, "edge.false",
        "\"sources\":[{\"from_arg\":0,\"source\":\"automatic\",\"to_arg\":0},"
        "{\"from_arg\":0,\"source\":\"automatic\",\"to_arg\":1},"
        "{\"source\":\"policy\"}]");
    judged_expect(text, "edge.false",
                  "this one by argument 0 of the one and 0 of the other and by "
                  "argument 0 of the one and 1 of the other and by the policy");
}

/* --- edge.redundant --- */

#define THREE(deps)                                                            \
    T(0, "", W("param:x"))                                                     \
    "," T(1, DEPS(DEP(0)), R("param:x")) "," T(2, DEPS(deps), W("param:x"))

static void paths(void **state)
{
    (void)state;
    judged_expect(GRAPH("", THREE(DEP(0) "," DEP(1)), ""), "edge.redundant",
                  "\"witness\":{\"path\":[0,1,2]}");
    judged_expect(GRAPH("", THREE(DEP(1)), ""), "edge.redundant", NULL);
    judged_expect(GRAPH("", THREE(DEP(0)), ""), "edge.redundant", NULL);
    /* A policy's edges are one note; a dep beside one has to go as well. */
    judged_expect(GRAPH("", THREE(DEP(1)), E(0, 2, "policy", "storage")),
                  "edge.redundant", "1 edge of the policy");
    judged_expect(
        GRAPH("", THREE(DEP(0) "," DEP(1)), E(0, 2, "policy", "storage")),
        "edge.redundant", "the dep on it can go");
    /* What the runtime joins stays joined. */
    judged_expect(
        GRAPH("", THREE(DEP(0) "," DEP(1)), E(0, 2, "automatic", "storage")),
        "edge.redundant", NULL);
    judged_expect(
        GRAPH("", THREE(DEP(0) "," DEP(1)),
              "{\"from\":0,\"to\":2,\"source\":\"automatic\",\"certain\":"
              "false}"),
        "edge.redundant", NULL);
    judged_expect(GRAPH("", THREE(DEP(1)), E(0, 2, "automatic", "storage")),
                  "edge.redundant", NULL);
    /* Twice the same is graph.duplicate-edge. */
    judged_expect(GRAPH("", THREE(DEP(1) "," DEP(1)), ""), "edge.redundant",
                  NULL);
    /* Its path may be the runtime's. */
    judged_expect(
        GRAPH("",
              T(0, "", W("param:x")) "," T(1, "", R("param:x")) "," T(
                  2, DEPS(DEP(0)), W("param:x")),
              E(0, 1, "automatic", "data") "," E(1, 2, "automatic", "war")),
        "edge.redundant", "\"path\":[0,1,2]");
}

#define CHOICE                                                                 \
    "\"choices\":[{\"id\":4,\"kind\":\"if\",\"text\":\"n\",\"line\":3}],"
#define DEP_IF(task, is)                                                       \
    "{\"task\":" #task ",\"when\":[{\"choice\":4,\"is\":" is "}]}"
#define BRANCH(first, middle, last, deps)                                      \
    GRAPH(CHOICE,                                                              \
          T(0, first, W("param:x")) "," T(                                     \
              1, middle DEPS(DEP(0)), R("param:x")) "," T(2, last DEPS(deps),  \
                                                          W("param:x")),       \
          "")

static void conditions(void **state)
{
    (void)state;
    const char *both = "\"path\":[0,1,2]";
    /* The task between may not be submitted. */
    judged_expect(BRANCH("", WHEN("true"), "", DEP(0) "," DEP(1)),
                  "edge.redundant", NULL);
    judged_expect(BRANCH("", WHEN("true"), WHEN("true"), DEP(0) "," DEP(1)),
                  "edge.redundant", both);
    judged_expect(BRANCH(WHEN("true"), WHEN("true"), "", DEP(0) "," DEP(1)),
                  "edge.redundant", both);
    judged_expect(BRANCH(WHEN("false"), WHEN("true"), "", DEP(0) "," DEP(1)),
                  "edge.redundant", NULL);
    judged_expect(
        GRAPH(CHOICE,
              T(0, WHEN("true"), W("param:x")) "," T(
                  1, WHEN("true") DEPS(DEP(0)),
                  R("param:x")) "," T(2, DEPS(DEP(0) "," DEP(1)),
                                      W("param:x")) "," T(3, WHEN("false"),
                                                          R("param:y")),
              ""),
        "edge.redundant", both);
    /* A step under conditions is none; a dep under conditions can go. */
    judged_expect(BRANCH("", "", "", DEP(0) "," DEP_IF(1, "true")),
                  "edge.redundant", NULL);
    judged_expect(BRANCH("", "", "", DEP_IF(0, "true") "," DEP(1)),
                  "edge.redundant", both);
    /* A step that may be missing is none. */
    judged_expect(
        GRAPH("",
              T(0, "", W("param:x")) "," T(1, "", R("param:x")) "," T(
                  2, DEPS(DEP(0) "," DEP(1)), W("param:x")),
              "{\"from\":0,\"to\":1,\"source\":\"automatic\",\"certain\":"
              "false}"),
        "edge.redundant", NULL);
}

static void odd_edges(void **state)
{
    (void)state;
    /* Cycles, edges of a task to itself, edges back. */
    judged_expect(GRAPH("", THREE(DEP(0) "," DEP(1)), E(2, 0, "explicit", "")),
                  "edge.redundant", NULL);
    judged_expect(GRAPH("", THREE(DEP(0) "," DEP(1) "," DEP(2)), ""),
                  "edge.redundant", "\"path\":[0,1,2]");
    judged_expect(
        GRAPH("",
              T(0, DEPS(DEP(2)), W("param:x")) "," T(
                  1, DEPS(DEP(2) "," DEP(0)), R("param:y")) "," T(2, "", ""),
              ""),
        "edge.redundant", "\"path\":[2,0,1]");
    judged_expect(GRAPH("", THREE(DEP(0) "," DEP(1) "," DEP(7)), ""),
                  "edge.redundant", "\"path\":[0,1,2]");
    judged_expect(GRAPH("", "", ""), "edge.redundant", NULL);
}

/* --- Witnesses that lie --- */

#define FINDING(rule, witness)                                                 \
    "{\"rule\":\"" rule "\",\"witness\":{" witness "}}"

static void forged(void **state)
{
    (void)state;
    static const char graph[] =
        GRAPH("", THREE(DEP(0) "," DEP(1)), E(1, 2, "policy", "war"));
    judged_accept(graph, FINDING("edge.redundant", "\"path\":[0,1,2]"), true);
    judged_accept(graph, FINDING("edge.redundant", "\"path\":[0,2]"), false);
    judged_accept(graph, FINDING("edge.redundant", "\"path\":[0,1]"), false);
    judged_accept(graph, FINDING("edge.redundant", "\"path\":[1,0,2]"), false);
    judged_accept(graph, FINDING("edge.redundant", "\"path\":[0,1,1,2]"),
                  false);
    judged_accept(graph, FINDING("edge.redundant", "\"path\":[0,9,2]"), false);
    judged_accept(graph, FINDING("edge.redundant", "\"path\":7"), false);
    judged_accept(
        graph, FINDING("edge.kind", "\"edge\":[1,2],\"kind\":\"war\""), false);
    judged_accept(
        graph, FINDING("edge.kind", "\"edge\":[1,2],\"kind\":\"data\""), false);
    judged_accept(
        graph, FINDING("edge.kind", "\"edge\":[0,1],\"kind\":\"war\""), false);
    judged_accept(graph,
                  FINDING("edge.false",
                          "\"edge\":[1,2],\"sources\":[{\"source\":"
                          "\"policy\"}]"),
                  false);
    judged_accept(
        graph, FINDING("edge.fan-in", "\"task\":2,\"predecessors\":2"), false);
    static const char apart[] =
        GRAPH("", T(0, "", W("param:x")) "," T(1, "", W("param:y")),
              E(0, 1, "policy", "data") "," E(0, 1, "automatic", "data"));
#define SOURCES(list) "\"edge\":[0,1],\"sources\":[" list "]"
#define FROM(source) "{\"source\":\"" source "\"}"
    judged_accept(
        apart,
        FINDING("edge.false", SOURCES(FROM("automatic") "," FROM("policy"))),
        true);
    judged_accept(apart, FINDING("edge.false", SOURCES(FROM("policy"))), false);
    judged_accept(apart, FINDING("edge.false", SOURCES("")), false);
    judged_accept(
        apart, FINDING("edge.kind", "\"edge\":[0,1],\"kind\":\"data\""), true);
    judged_accept(
        apart, FINDING("edge.kind", "\"edge\":[1,0],\"kind\":\"data\""), false);
    judged_accept(apart, FINDING("edge.kind", ""), false);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(dummies_touch_nothing),
    cmocka_unit_test(kinds),
    cmocka_unit_test(kinds_of_others),
    cmocka_unit_test(kinds_of_scores),
    cmocka_unit_test(policies),
    cmocka_unit_test(reasons),
    cmocka_unit_test(paths),
    cmocka_unit_test(conditions),
    cmocka_unit_test(odd_edges),
    cmocka_unit_test(forged),
};

TEST_MAIN(tests)
