/* edge.kind, edge.redundant, edge.fan-in, edge.false of policies; witnesses. */
#include "../../scripts/testing/harness.h"

#include "oracle/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Documents --- */

typedef struct growing {
    char *data;
    size_t length, room;
} growing;

__attribute__((format(printf, 2, 3))) static void put(growing *t,
                                                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert_true(length >= 0);
    if (t->length + (size_t)length + 1 > t->room) {
        t->room = 2 * (t->length + (size_t)length + 64);
        t->data = realloc(t->data, t->room);
        assert_non_null(t->data);
    }
    va_start(args, format);
    vsnprintf(t->data + t->length, (size_t)length + 1, format, args);
    va_end(args);
    t->length += (size_t)length;
}

#define ACCESS(mode)                                                           \
    "\"access\":[{\"mode\":\"" mode "\",\"must\":true,\"exact\":true}]"
#define R(key)                                                                 \
    "{\"buffer\":\"" key "\",\"dispatch\":\"input\"," ACCESS("read") "}"
#define W(key)                                                                 \
    "{\"buffer\":\"" key                                                       \
    "\",\"dispatch\":\"output_existing\"," ACCESS("write") "}"
#define UNKNOWN(key) "{\"buffer\":\"" key "\",\"dispatch\":\"no_dep\"}"
#define DUMMY "\"dummy\":true,"
#define DEP(task) "{\"task\":" #task "}"
#define DEPS(list) "\"deps\":[" list "],"
#define T(id, more, args)                                                      \
    "{\"id\":" #id ",\"name\":\"k\"," more "\"args\":[" args "]}"
#define E(from, to, source, kind)                                              \
    "{\"from\":" #from ",\"to\":" #to ",\"source\":\"" source                  \
    "\",\"kind\":\"" kind "\"}"
#define GRAPH(more, tasks, edges)                                              \
    "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"rules\":"         \
    "\"none\"," more "\"buffers\":[{\"key\":\"param:x\",\"bytes\":64,"         \
    "\"external\":true},{\"key\":\"param:y\",\"bytes\":64,\"external\":true}," \
    "{\"key\":\"param:z\",\"bytes\":64,\"external\":true}],"                   \
    "\"tasks\":[" tasks "],\"edges\":[" edges "]}"

/* --- Judging --- */

typedef struct judged {
    oracle_document document;
    oracle_judgement judgement;
} judged;

/* Every finding of these rules has a witness that the checker accepts. */
static void judge(judged *j, const char *text, size_t length)
{
    oracle_error error;
    oracle_read_options options = {.lenient = true};
    if (oracle_document_read(&j->document, text, length, &options, &error) !=
        ORACLE_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(oracle_judge_document(&j->judgement, &j->document, NULL),
                     ORACLE_OK);
    for (uint32_t i = 0; i < j->judgement.count; i++) {
        const oracle_finding *f = &j->judgement.findings[i];
        char reason[160];
        if ((strncmp(f->rule, "edge.", 5) == 0 ||
             strcmp(f->rule, "memory.waste") == 0) &&
            !oracle_witness_check(&j->document, f->json, reason,
                                  sizeof reason)) {
            fail_msg("%s: %s", reason, f->json);
        }
    }
}

static void done(judged *j)
{
    oracle_judgement_free(&j->judgement);
    oracle_document_free(&j->document);
}

static const oracle_finding *only(const judged *j, const char *rule)
{
    const oracle_finding *found = NULL;
    for (uint32_t i = 0; i < j->judgement.count; i++) {
        if (strcmp(j->judgement.findings[i].rule, rule) == 0) {
            assert_null(found);
            found = &j->judgement.findings[i];
        }
    }
    return found;
}

/* `part` of the finding of the rule; NULL: there is none. */
static void expect(const char *text, const char *rule, const char *part)
{
    judged j;
    judge(&j, text, strlen(text));
    const oracle_finding *f = only(&j, rule);
    if (part == NULL && f != NULL) {
        fail_msg("%s", f->json);
    }
    if (part != NULL && f == NULL) {
        fail_msg("no %s with %s: %s", rule, part, text);
    }
    if (part != NULL && strstr(f->json, part) == NULL) {
        fail_msg("not %s: %s", part, f->json);
    }
    done(&j);
}

static void accept(const char *text, const char *finding, bool accepted)
{
    oracle_document d;
    oracle_error error;
    oracle_read_options options = {.lenient = true};
    char reason[160];
    assert_int_equal(
        oracle_document_read(&d, text, strlen(text), &options, &error),
        ORACLE_OK);
    if (oracle_witness_check(&d, finding, reason, sizeof reason) != accepted) {
        fail_msg("%s: %s", accepted ? reason : "accepted", finding);
    }
    oracle_document_free(&d);
}

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
        expect(cases[i].text, "edge.kind", cases[i].part);
    }
}

static void kinds_of_others(void **state)
{
    (void)state;
#define OTHER(source)                                                          \
    GRAPH("", T(0, "", W("param:x")) "," T(1, "", R("param:y")),               \
          E(0, 1, source, "data"))
    expect(OTHER("explicit"), "edge.kind", "\"severity\":\"warning\"");
    expect(OTHER("automatic"), "edge.kind", NULL);
    expect(OTHER("recorded"), "edge.kind", NULL);
    /* A dummy task stands for others, and an edge without label for none. */
    expect(GRAPH("", T(0, DUMMY, "") "," T(1, "", R("param:y")),
                 E(0, 1, "policy", "data")),
           "edge.kind", NULL);
    expect(GRAPH("", T(0, "", W("param:x")) "," T(1, "", R("param:y")),
                 "{\"from\":0,\"to\":1,\"source\":\"policy\"}"),
           "edge.kind", NULL);
    /* One finding for the document, of the first such edge. */
    expect(GRAPH("",
                 T(0, "", W("param:x")) "," T(1, "", R("param:x")) "," T(
                     2, "", W("param:y")) "," T(3, "", W("param:z")),
                 E(0, 1, "policy", "data") "," E(1, 2, "policy", "data") "," E(
                     2, 3, "policy", "war")),
           "edge.kind", "\"count\":2,");
    expect(GRAPH("",
                 T(0, "", W("param:x")) "," T(1, "", R("param:x")) "," T(
                     2, "", W("param:y")) "," T(3, "", W("param:z")),
                 E(0, 1, "policy", "data") "," E(1, 2, "policy", "data") "," E(
                     2, 3, "policy", "war")),
           "edge.kind", "\"witness\":{\"edge\":[1,2],\"kind\":\"data\"}");
    /* Buffers that may be one share who knows what. */
    expect("{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"none\","
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
    assert_int_equal(only(&j, "edge.kind") != NULL, kind);
    assert_int_equal(only(&j, "edge.false") != NULL, loose);
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
    expect(CHAIN("data"), "edge.false", "is then 2 tasks, not 3");
    expect(CHAIN("data"), "edge.false", "\"count\":2,");
    expect(
        CHAIN("data"), "edge.false",
        "\"witness\":{\"edge\":[0,1],\"sources\":[{\"source\":\"policy\"}]}");
    expect(CHAIN("ordering"), "edge.false", NULL);
    /* A dep says that it is wanted. */
    expect(GRAPH("",
                 T(0, "", W("param:x")) "," T(1, DEPS(DEP(0)), W("param:y")),
                 E(0, 1, "policy", "data")),
           "edge.false", NULL);
    expect(GRAPH("", T(0, "", W("param:x")) "," T(1, "", W("param:y")),
                 E(0, 1, "explicit", "data")),
           "edge.false", NULL);
    expect(GRAPH("", T(0, "", W("param:x")) "," T(1, "", ""),
                 E(0, 1, "policy", "data")),
           "edge.false", NULL);
    expect(GRAPH("", T(0, "", W("param:x")) "," T(1, "", UNKNOWN("param:x")),
                 E(0, 1, "policy", "data")),
           "edge.false", NULL);
    /* The document says that the runtime gave it, and a policy gave it too. */
    expect(GRAPH("", T(0, "", W("param:x")) "," T(1, "", W("param:y")),
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
    expect(
        text, "edge.false",
        "\"sources\":[{\"from_arg\":0,\"source\":\"automatic\",\"to_arg\":0},"
        "{\"from_arg\":0,\"source\":\"automatic\",\"to_arg\":1},"
        "{\"source\":\"policy\"}]");
    expect(text, "edge.false",
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
    expect(GRAPH("", THREE(DEP(0) "," DEP(1)), ""), "edge.redundant",
           "\"witness\":{\"path\":[0,1,2]}");
    expect(GRAPH("", THREE(DEP(1)), ""), "edge.redundant", NULL);
    expect(GRAPH("", THREE(DEP(0)), ""), "edge.redundant", NULL);
    /* A policy's edges are one note; a dep beside one has to go as well. */
    expect(GRAPH("", THREE(DEP(1)), E(0, 2, "policy", "storage")),
           "edge.redundant", "1 edge of the policy");
    expect(GRAPH("", THREE(DEP(0) "," DEP(1)), E(0, 2, "policy", "storage")),
           "edge.redundant", "the dep on it can go");
    /* What the runtime joins stays joined. */
    expect(GRAPH("", THREE(DEP(0) "," DEP(1)), E(0, 2, "automatic", "storage")),
           "edge.redundant", NULL);
    expect(GRAPH("", THREE(DEP(0) "," DEP(1)),
                 "{\"from\":0,\"to\":2,\"source\":\"automatic\",\"certain\":"
                 "false}"),
           "edge.redundant", NULL);
    expect(GRAPH("", THREE(DEP(1)), E(0, 2, "automatic", "storage")),
           "edge.redundant", NULL);
    /* Twice the same is graph.duplicate-edge. */
    expect(GRAPH("", THREE(DEP(1) "," DEP(1)), ""), "edge.redundant", NULL);
    /* Its path may be the runtime's. */
    expect(GRAPH("",
                 T(0, "", W("param:x")) "," T(1, "", R("param:x")) "," T(
                     2, DEPS(DEP(0)), W("param:x")),
                 E(0, 1, "automatic", "data") "," E(1, 2, "automatic", "war")),
           "edge.redundant", "\"path\":[0,1,2]");
}

#define CHOICE                                                                 \
    "\"choices\":[{\"id\":4,\"kind\":\"if\",\"text\":\"n\",\"line\":3}],"
#define WHEN(is) "\"when\":[{\"choice\":4,\"is\":" is "}],"
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
    expect(BRANCH("", WHEN("true"), "", DEP(0) "," DEP(1)), "edge.redundant",
           NULL);
    expect(BRANCH("", WHEN("true"), WHEN("true"), DEP(0) "," DEP(1)),
           "edge.redundant", both);
    expect(BRANCH(WHEN("true"), WHEN("true"), "", DEP(0) "," DEP(1)),
           "edge.redundant", both);
    expect(BRANCH(WHEN("false"), WHEN("true"), "", DEP(0) "," DEP(1)),
           "edge.redundant", NULL);
    /* A step under conditions is none; a dep under conditions can go. */
    expect(BRANCH("", "", "", DEP(0) "," DEP_IF(1, "true")), "edge.redundant",
           NULL);
    expect(BRANCH("", "", "", DEP_IF(0, "true") "," DEP(1)), "edge.redundant",
           both);
    /* A step that may be missing is none. */
    expect(GRAPH("",
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
    expect(GRAPH("", THREE(DEP(0) "," DEP(1)), E(2, 0, "explicit", "")),
           "edge.redundant", NULL);
    expect(GRAPH("", THREE(DEP(0) "," DEP(1) "," DEP(2)), ""), "edge.redundant",
           "\"path\":[0,1,2]");
    expect(GRAPH("",
                 T(0, DEPS(DEP(2)), W("param:x")) "," T(
                     1, DEPS(DEP(2) "," DEP(0)), R("param:y")) "," T(2, "", ""),
                 ""),
           "edge.redundant", "\"path\":[2,0,1]");
    expect(GRAPH("", THREE(DEP(0) "," DEP(1) "," DEP(7)), ""), "edge.redundant",
           "\"path\":[0,1,2]");
    expect(GRAPH("", "", ""), "edge.redundant", NULL);
}

/* Callees of 17 lines and more: the rest of the sites is one note. */
static void many_sites(void **state)
{
    growing t = {0};
    judged j;
    uint32_t notes = 0;
    bool rest = false;
    (void)state;
    put(&t, "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"none\","
            "\"buffers\":[],\"tasks\":[");
    for (int i = 0; i < 60; i += 3) {
        put(&t,
            "%s{\"id\":%d,\"line\":%d,\"args\":[]},{\"id\":%d,\"line\":%d,"
            "\"deps\":[{\"task\":%d}],\"args\":[]},{\"id\":%d,\"line\":%d,"
            "\"deps\":[{\"task\":%d},{\"task\":%d}],\"args\":[]}",
            i == 0 ? "" : ",", i, i + 1, i + 1, i + 2, i, i + 2, i + 3, i,
            i + 1);
    }
    put(&t, "]}");
    judge(&j, t.data, t.length);
    for (uint32_t i = 0; i < j.judgement.count; i++) {
        const oracle_finding *f = &j.judgement.findings[i];
        notes += strcmp(f->rule, "edge.redundant") == 0;
        rest |= strstr(f->message, "4 more deps between 4 pairs") != NULL &&
                strstr(f->json, "\"count\":4,") != NULL;
    }
    assert_int_equal(notes, 17);
    assert_true(rest);
    done(&j);
    free(t.data);
}

/* --- Against the definition --- */

typedef struct numbers {
    uint64_t state;
} numbers;

static uint32_t below(numbers *r, uint32_t limit)
{
    r->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = r->state;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((x ^ (x >> 31)) % limit);
}

#define MOST 700

/* A graph as a matrix: 1 written, 2 planned, 4 automatic, 8 perhaps. */
typedef struct naive {
    uint32_t tasks;
    uint8_t edge[MOST][MOST];
    int8_t when[MOST]; /* -1: always */
} naive;

static bool joins(const naive *n, uint32_t a, uint32_t b)
{
    return (n->edge[a][b] & 7) != 0;
}

static bool between(const naive *n, uint32_t t, uint32_t a, uint32_t b)
{
    return n->when[t] < 0 || n->when[t] == n->when[a] ||
           n->when[t] == n->when[b];
}

/* Whether another path leads from a to b, by walking all of it. */
static bool implied(const naive *n, uint32_t a, uint32_t b)
{
    static bool seen[MOST];
    static uint32_t stack[MOST];
    uint32_t count = 0;
    memset(seen, 0, sizeof seen);
    for (uint32_t t = a + 1; t < b; t++) {
        if (joins(n, a, t) && between(n, t, a, b)) {
            seen[t] = true;
            stack[count++] = t;
        }
    }
    while (count > 0) {
        uint32_t t = stack[--count];
        if (joins(n, t, b)) {
            return true;
        }
        for (uint32_t u = t + 1; u < b; u++) {
            if (!seen[u] && joins(n, t, u) && between(n, u, a, b)) {
                seen[u] = true;
                stack[count++] = u;
            }
        }
    }
    return false;
}

static void make(naive *n, numbers *r, uint32_t tasks, uint32_t reach,
                 bool conditions)
{
    static const uint8_t sources[] = {1, 1, 1, 2, 2, 3, 4, 5, 8, 9};
    n->tasks = tasks;
    memset(n->edge, 0, sizeof n->edge);
    for (uint32_t t = 0; t < tasks; t++) {
        n->when[t] =
            (int8_t)(conditions && below(r, 4) == 0 ? (int)below(r, 2) : -1);
        for (uint32_t k = below(r, 4); t > 0 && k > 0; k--) {
            uint32_t length = 1 + below(r, reach < t ? reach : t);
            n->edge[t - length][t] |= sources[below(r, sizeof sources)];
        }
    }
}

static void write_edge(growing *t, uint32_t a, uint32_t b, const char *source,
                       const char *more, bool *first)
{
    /* Ids leave gaps. */
    put(t, "%s{\"from\":%u,\"to\":%u,\"source\":\"%s\"%s}", *first ? "" : ",",
        (unsigned)(3 * a), (unsigned)(3 * b), source, more);
    *first = false;
}

static void write_graph(growing *t, const naive *n)
{
    bool first = true;
    put(t, "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"none\","
           "\"choices\":[{\"id\":4,\"kind\":\"if\",\"text\":\"n\",\"line\":3}],"
           "\"buffers\":[],\"tasks\":[");
    for (uint32_t b = 0; b < n->tasks; b++) {
        put(t, "%s{\"id\":%u,\"args\":[]", b == 0 ? "" : ",",
            (unsigned)(3 * b));
        if (n->when[b] >= 0) {
            put(t, ",\"when\":[{\"choice\":4,\"is\":%s}]",
                n->when[b] == 1 ? "true" : "false");
        }
        put(t, ",\"deps\":[");
        bool none = true;
        for (uint32_t a = 0; a < b; a++) {
            if ((n->edge[a][b] & 1) != 0) {
                put(t, "%s{\"task\":%u}", none ? "" : ",", (unsigned)(3 * a));
                none = false;
            }
        }
        put(t, "]}");
    }
    put(t, "],\"edges\":[");
    for (uint32_t a = 0; a < n->tasks; a++) {
        for (uint32_t b = a + 1; b < n->tasks; b++) {
            uint8_t by = n->edge[a][b];
            if ((by & 2) != 0) {
                write_edge(t, a, b, "policy", "", &first);
            }
            if ((by & 4) != 0) {
                write_edge(t, a, b, "automatic", "", &first);
            }
            if ((by & 8) != 0) {
                write_edge(t, a, b, "automatic", ",\"certain\":false", &first);
            }
        }
    }
    put(t, "]}");
}

static uint32_t count_of(const oracle_finding *f)
{
    const char *at = strstr(f->json, "\"count\":");
    return at == NULL ? 1 : (uint32_t)strtoul(at + 8, NULL, 10);
}

static void compare(const naive *n)
{
    uint32_t written = 0, planned = 0;
    growing t = {0};
    judged j;
    for (uint32_t a = 0; a < n->tasks; a++) {
        for (uint32_t b = a + 1; b < n->tasks; b++) {
            uint8_t by = n->edge[a][b];
            if ((by & 3) != 0 && (by & 12) == 0 && implied(n, a, b)) {
                written += by & 1;
                planned += (by & 1) == 0;
            }
        }
    }
    write_graph(&t, n);
    judge(&j, t.data, t.length);
    for (uint32_t i = 0; i < j.judgement.count; i++) {
        const oracle_finding *f = &j.judgement.findings[i];
        if (strcmp(f->rule, "edge.redundant") == 0) {
            bool policy = strstr(f->message, "of the policy") != NULL;
            assert_true(count_of(f) <= (policy ? planned : written));
            *(policy ? &planned : &written) -= count_of(f);
        }
    }
    if (written != 0 || planned != 0) {
        fail_msg("%u written and %u planned missed: %s", (unsigned)written,
                 (unsigned)planned, t.data);
    }
    done(&j);
    free(t.data);
}

/* Counted as the definition counts: small graphs, and blocks and lengths. */
static void definition(void **state)
{
    static naive n;
    numbers r = {UINT64_C(20)};
    (void)state;
    for (uint32_t i = 0; i < 400; i++) {
        make(&n, &r, 2 + below(&r, 20), 8, i % 2 == 1);
        compare(&n);
    }
    for (uint32_t i = 0; i < 6; i++) {
        make(&n, &r, MOST - below(&r, 60), i < 3 ? 30 : MOST, i % 2 == 1);
        compare(&n);
    }
}

/* --- edge.fan-in --- */

/* `always` writers, `branch` more under a choice, and a reader of all. */
static void wide(growing *t, int always, int branch, const char *is)
{
    put(t, "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"none\","
           "\"choices\":[{\"id\":4,\"kind\":\"if\",\"text\":\"n\",\"line\":3}],"
           "\"buffers\":[],\"tasks\":[");
    for (int i = 0; i < always + branch; i++) {
        put(t, "{\"id\":%d,%s\"args\":[]},", i,
            i < always                ? ""
            : strcmp(is, "true") == 0 ? WHEN("true")
                                      : WHEN("false"));
    }
    put(t, "{\"id\":1000,\"name\":\"sum\",\"args\":[],\"deps\":[");
    for (int i = 0; i < always + branch; i++) {
        put(t, "%s{\"task\":%d}", i == 0 ? "" : ",", i);
    }
    put(t, "]}],\"edges\":[{\"from\":0,\"to\":1000,\"source\":\"policy\"}]}");
}

static void fan_in(void **state)
{
    static const struct {
        int always, branch;
        const char *is, *part;
    } cases[] = {
        {128, 0, "true", NULL},
        {129, 0, "true", "let 1 dummy task join"},
        {255, 0, "true", "let 1 dummy task join"},
        {256, 0, "true", "let 2 dummy tasks join"},
        {100, 29, "true", "waits for 129 tasks"},
        {100, 29, "false", "waits for 129 tasks"},
        {129, 29, "false", "waits for 158 tasks"},
        {100, 28, "false", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        growing t = {0};
        wide(&t, cases[i].always, cases[i].branch, cases[i].is);
        expect(t.data, "edge.fan-in", cases[i].part);
        free(t.data);
    }
}

/* --- memory.waste --- */

#define PLACED(tasks, plan, peak)                                              \
    "{\"kind\":\"bundle\",\"version\":1,\"members\":[{\"role\":\"graph\","     \
    "\"document\":{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"none\","  \
    "\"buffers\":[{\"key\":\"a\",\"bytes\":8,\"external\":false},{\"key\":"    \
    "\"b\",\"bytes\":16,\"external\":false},"                                  \
    "{\"key\":\"v\",\"bytes\":4,\"external\":false,\"alias_of\":{\"key\":"     \
    "\"a\",\"offset\":4}},"                                                    \
    "{\"key\":\"u\",\"bytes\":null,\"external\":false}],\"tasks\":[" tasks     \
    "]}},{\"role\":"                                                           \
    "\"memory\",\"document\":{\"kind\":\"memory_plan\",\"version\":1,"         \
    "\"policy\":\"p\",\"allocations\":[" plan "],\"peak_memory\":" #peak       \
    "}}]}"
#define P(key, offset, size)                                                   \
    "{\"storage_key\":\"" key "\",\"offset\":" #offset ",\"size\":" #size "}"

static void waste(void **state)
{
    (void)state;
#define APART P("a", 0, 8) "," P("b", 8, 16)
#define ONE_BY_ONE                                                             \
    T(0, "", W("a"))                                                           \
    "," T(1, DEPS(DEP(0)), R("a")) "," T(2, DEPS(DEP(1)), W("b")) "," T(       \
        3, DEPS(DEP(2)), R("b"))
#define HANDED_ON                                                              \
    T(0, "", W("a"))                                                           \
    "," T(1, DEPS(DEP(0)), R("a") "," W("b")) "," T(2, DEPS(DEP(1)), R("b"))
#define BOTH                                                                   \
    T(0, "", W("a"))                                                           \
    "," T(1, DEPS(DEP(0)), W("b")) "," T(2, DEPS(DEP(1)), R("b") "," R("v"))
    expect(PLACED(ONE_BY_ONE, APART, 24), "memory.waste",
           "takes 24 bytes, and at most 16 are alive together in program "
           "order, when task 2 \\\"k\\\" writes (1 buffer): up to 8");
    expect(PLACED(ONE_BY_ONE, APART, 24), "memory.waste",
           "\"witness\":{\"alive\":[\"b\"],\"at\":2,\"bound\":16,\"peak\":24,"
           "\"writing\":true}");
    /* Inside a task reads come before writes. */
    expect(PLACED(HANDED_ON, APART, 24), "memory.waste", "at most 16 ");
    /* A view is its storage, once: nothing is wasted. */
    expect(PLACED(BOTH, APART, 24), "memory.waste", NULL);
    expect(PLACED(BOTH, APART "," P("v", 4, 4), 24), "memory.waste", NULL);
    expect(PLACED(ONE_BY_ONE "," T(4, "", W("u")), APART "," P("u", 24, 8), 32),
           "memory.waste", "(1 buffer, without 1 of unknown size)");
    /* Edges back: no legal order is program order. */
    expect(PLACED(T(0, DEPS(DEP(1)), W("a")) "," T(1, "", W("b")), APART, 24),
           "memory.waste", NULL);
}

/* --- Witnesses that lie --- */

#define FINDING(rule, witness)                                                 \
    "{\"rule\":\"" rule "\",\"witness\":{" witness "}}"

static void forged(void **state)
{
    (void)state;
    static const char graph[] =
        GRAPH("", THREE(DEP(0) "," DEP(1)), E(1, 2, "policy", "war"));
    accept(graph, FINDING("edge.redundant", "\"path\":[0,1,2]"), true);
    accept(graph, FINDING("edge.redundant", "\"path\":[0,2]"), false);
    accept(graph, FINDING("edge.redundant", "\"path\":[0,1]"), false);
    accept(graph, FINDING("edge.redundant", "\"path\":[1,0,2]"), false);
    accept(graph, FINDING("edge.redundant", "\"path\":[0,1,1,2]"), false);
    accept(graph, FINDING("edge.redundant", "\"path\":[0,9,2]"), false);
    accept(graph, FINDING("edge.redundant", "\"path\":7"), false);
    accept(graph, FINDING("edge.kind", "\"edge\":[1,2],\"kind\":\"war\""),
           false);
    accept(graph, FINDING("edge.kind", "\"edge\":[1,2],\"kind\":\"data\""),
           false);
    accept(graph, FINDING("edge.kind", "\"edge\":[0,1],\"kind\":\"war\""),
           false);
    accept(graph,
           FINDING("edge.false", "\"edge\":[1,2],\"sources\":[{\"source\":"
                                 "\"policy\"}]"),
           false);
    accept(graph, FINDING("edge.fan-in", "\"task\":2,\"predecessors\":2"),
           false);
    static const char apart[] =
        GRAPH("", T(0, "", W("param:x")) "," T(1, "", W("param:y")),
              E(0, 1, "policy", "data") "," E(0, 1, "automatic", "data"));
#define SOURCES(list) "\"edge\":[0,1],\"sources\":[" list "]"
#define FROM(source) "{\"source\":\"" source "\"}"
    accept(apart,
           FINDING("edge.false", SOURCES(FROM("automatic") "," FROM("policy"))),
           true);
    accept(apart, FINDING("edge.false", SOURCES(FROM("policy"))), false);
    accept(apart, FINDING("edge.false", SOURCES("")), false);
    accept(apart, FINDING("edge.kind", "\"edge\":[0,1],\"kind\":\"data\""),
           true);
    accept(apart, FINDING("edge.kind", "\"edge\":[1,0],\"kind\":\"data\""),
           false);
    accept(apart, FINDING("edge.kind", ""), false);
}

static void forged_bounds(void **state)
{
    (void)state;
    static const char plan[] = PLACED(ONE_BY_ONE, APART, 24);
#define ALIVE(list, at, bound, peak, writing)                                  \
    FINDING("memory.waste",                                                    \
            "\"alive\":[" list "],\"at\":" #at ",\"bound\":" #bound            \
            ",\"peak\":" #peak ",\"writing\":" writing)
    accept(plan, ALIVE("\"b\"", 2, 16, 24, "true"), true);
    accept(plan, ALIVE("\"b\"", 3, 16, 24, "false"), true);
    accept(plan, ALIVE("\"b\"", 2, 16, 24, "false"), false);
    accept(plan, ALIVE("\"a\",\"b\"", 2, 24, 24, "true"), false);
    accept(plan, ALIVE("\"b\",\"b\"", 2, 32, 64, "true"), false);
    accept(plan, ALIVE("\"b\"", 2, 16, 32, "true"), false);
    accept(plan, ALIVE("\"b\"", 2, 8, 24, "true"), false);
    accept(plan, ALIVE("\"c\"", 2, 16, 24, "true"), false);
    accept(plan, ALIVE("\"b\"", 9, 16, 24, "true"), false);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(kinds),           cmocka_unit_test(kinds_of_others),
    cmocka_unit_test(kinds_of_scores), cmocka_unit_test(policies),
    cmocka_unit_test(reasons),         cmocka_unit_test(paths),
    cmocka_unit_test(conditions),      cmocka_unit_test(odd_edges),
    cmocka_unit_test(many_sites),      cmocka_unit_test(definition),
    cmocka_unit_test(fan_in),          cmocka_unit_test(waste),
    cmocka_unit_test(forged),          cmocka_unit_test(forged_bounds),
};

TEST_MAIN(tests)
