/* Rules on memory plans, one small document each. */
#include "../../scripts/testing/harness.h"

#include "maker.h"
#include "oracle/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define A(b, mode)                                                             \
    "{\"buffer\":\"" b                                                         \
    "\",\"dispatch\":\"input\",\"access\":[{\"mode\":\"" mode                  \
    "\",\"must\":true,\"exact\":true}]}"
#define T(id, args) "{\"id\":" #id ",\"name\":\"k\",\"args\":[" args "]}"
#define E(from, to)                                                            \
    "{\"from\":" #from ",\"to\":" #to                                          \
    ",\"source\":\"policy\",\"kind\":\"ordering\",\"certain\":true}"
#define B(key, bytes, more) "{\"key\":\"" key "\",\"bytes\":" #bytes more "}"
#define GRAPH(buffers, tasks, edges)                                           \
    "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"rules\":"         \
    "\"none\",\"buffers\":[" buffers "],\"tasks\":[" tasks                     \
    "],\"edges\":[" edges "]}"
#define P(key, offset, size)                                                   \
    "{\"storage_key\":\"" key "\",\"offset\":" #offset ",\"size\":" #size "}"
#define PLAN(places, peak)                                                     \
    "{\"kind\":\"memory_plan\",\"version\":1,\"policy\":\"p\","                \
    "\"allocations\":[" places "],\"peak_memory\":" #peak "}"
#define BUNDLE(graph, plan)                                                    \
    "{\"kind\":\"bundle\",\"version\":1,\"members\":[{\"role\":\"graph\","     \
    "\"document\":" graph "},{\"role\":\"memory\",\"document\":" plan "}]}"

/* a is written and read, then b is; c likewise beside them. */
#define THREE                                                                  \
    B("alloc:a", 8, "")                                                        \
    "," B("alloc:b", 8, "") "," B("param:p", 8, ",\"external\":true")
#define CHAIN                                                                  \
    T(0, A("alloc:a", "write"))                                                \
    "," T(1, A("alloc:a", "read")) "," T(2, A("alloc:b", "write")) "," T(      \
        3, A("alloc:b", "read"))
#define IN_ORDER E(0, 1) "," E(1, 2) "," E(2, 3)
#define APART E(0, 1) "," E(2, 3)

typedef struct fixture {
    oracle_judgement judgement;
    oracle_document document;
} fixture;

static void judge(fixture *f, const char *text,
                  const oracle_judge_options *options)
{
    oracle_error error;
    if (oracle_document_read(&f->document, text, strlen(text), NULL, &error) !=
        ORACLE_OK) {
        fail_msg("%s", error.message);
    }
    f->document.capacity = options == NULL ? 0 : options->capacity;
    assert_int_equal(
        oracle_judge_text(&f->judgement, text, strlen(text), options),
        ORACLE_OK);
    for (uint32_t i = 0; i < f->judgement.count; i++) {
        char reason[160];
        const oracle_finding *one = &f->judgement.findings[i];
        if (one->severity == ORACLE_ERROR &&
            !oracle_witness_check(&f->document, one->json, reason,
                                  sizeof reason)) {
            fail_msg("%s: %s", reason, one->json);
        }
    }
}

static void done(fixture *f)
{
    oracle_judgement_free(&f->judgement);
    oracle_document_free(&f->document);
}

static const oracle_finding *find(const fixture *f, const char *rule)
{
    for (uint32_t i = 0; i < f->judgement.count; i++) {
        if (strcmp(f->judgement.findings[i].rule, rule) == 0) {
            return &f->judgement.findings[i];
        }
    }
    return NULL;
}

static void one(const char *text, const char *rule, oracle_severity severity,
                oracle_verdict verdict, const char *message)
{
    fixture f;
    judge(&f, text, NULL);
    for (uint32_t i = 1; i < f.judgement.count; i++) {
        if (strcmp(f.judgement.findings[i].rule, "memory.waste") != 0) {
            fail_msg("%s", f.judgement.findings[i].json);
        }
    }
    assert_int_not_equal(f.judgement.total, 0);
    assert_string_equal(f.judgement.findings[0].rule, rule);
    assert_int_equal(f.judgement.findings[0].severity, severity);
    assert_int_equal(f.judgement.verdict, verdict);
    if (strstr(f.judgement.findings[0].message, message) == NULL) {
        fail_msg("%s", f.judgement.findings[0].message);
    }
    done(&f);
}

static void error_of(const char *text, const char *rule, const char *message)
{
    one(text, rule, ORACLE_ERROR, ORACLE_FINDINGS, message);
}

/* A placement side by side costs memory, and nothing else. */
static void clean(const char *text)
{
    fixture f;
    judge(&f, text, NULL);
    for (uint32_t i = 0; i < f.judgement.count; i++) {
        if (strcmp(f.judgement.findings[i].rule, "memory.waste") != 0) {
            fail_msg("%s", f.judgement.findings[i].json);
        }
    }
    assert_int_equal(f.judgement.verdict, ORACLE_CLEAN);
    done(&f);
}

static void reuse(void **state)
{
    (void)state;
    /* One after the other on the same bytes. */
    clean(BUNDLE(GRAPH(THREE, CHAIN, IN_ORDER),
                 PLAN(P("alloc:a", 0, 8) "," P("alloc:b", 0, 8), 8)));
    /* Side by side, in no order. */
    clean(BUNDLE(GRAPH(THREE, CHAIN, APART),
                 PLAN(P("alloc:a", 0, 8) "," P("alloc:b", 8, 8), 16)));
    error_of(BUNDLE(GRAPH(THREE, CHAIN, APART),
                    PLAN(P("alloc:a", 0, 8) "," P("alloc:b", 4, 8), 12)),
             "memory.parallel-reuse", "addresses 4 to 7");
}

static void overlap(void **state)
{
    (void)state;
#define CROSSED                                                                \
    T(0, A("alloc:a", "write"))                                                \
    "," T(1, A("alloc:b", "write")) "," T(2, A("alloc:a", "read")) "," T(      \
        3, A("alloc:b", "read"))
    error_of(BUNDLE(GRAPH(THREE, CROSSED, IN_ORDER),
                    PLAN(P("alloc:a", 0, 8) "," P("alloc:b", 7, 8), 15)),
             "memory.overlap", "already in program order");
}

static void whole_record(void **state)
{
    fixture f;
    (void)state;
    judge(&f,
          BUNDLE(GRAPH(THREE, CHAIN, APART),
                 PLAN(P("alloc:a", 0, 8) "," P("alloc:b", 4, 8), 12)),
          NULL);
    assert_non_null(
        strstr(f.judgement.findings[0].json,
               "\"storage\":{\"begin\":4,\"end\":8,\"key\":\"alloc:a\"},"
               "\"witness\":{\"address\":4,\"begin\":4,\"buffer\":\"alloc:a\","
               "\"end\":8,\"expected_writer\":0,\"intruder\":{\"buffer\":"
               "\"alloc:b\",\"task\":2},\"order\":[0,2,1,3],\"ranges\":"
               "[[0,8],[4,12]],\"reader\":1}"));
    done(&f);
}

static void in_place(void **state)
{
    (void)state;
    /* A task reads one buffer and writes the other over it. */
    clean(BUNDLE(
        GRAPH(THREE,
              T(0, A("alloc:a", "write")) "," T(
                  1, A("alloc:b", "write") "," A(
                         "alloc:a", "read")) "," T(2, A("alloc:b", "read")),
              E(0, 1) "," E(1, 2)),
        PLAN(P("alloc:a", 0, 8) "," P("alloc:b", 0, 8), 8)));
    /* Two outputs of one task are alive together. */
    error_of(BUNDLE(GRAPH(THREE,
                          T(0, A("alloc:a", "write") "," A(
                                   "alloc:b", "write")) "," T(1, A("alloc:a",
                                                                   "read")),
                          E(0, 1)),
                    PLAN(P("alloc:a", 0, 8) "," P("alloc:b", 0, 8), 8)),
             "memory.overlap", "task 0");
}

static bool assumes(const char *text, const char *what)
{
    fixture f;
    bool does = false;
    judge(&f, text, NULL);
    for (uint32_t i = 0; i < f.judgement.assumption_count; i++) {
        does |= strstr(f.judgement.assumptions[i], what) != NULL;
    }
    done(&f);
    return does;
}

/* The same task, over what it reads, beside it, and without a plan for it. */
static void written_over(void **state)
{
#define COPIES                                                                 \
    GRAPH(THREE,                                                               \
          T(0, A("alloc:a", "write")) "," T(                                   \
              1, A("alloc:b", "write") "," A("alloc:a", "read")),              \
          E(0, 1))
    (void)state;
    const char *what = "write over what it reads";
    assert_true(assumes(
        BUNDLE(COPIES, PLAN(P("alloc:a", 0, 8) "," P("alloc:b", 7, 8), 15)),
        what));
    assert_false(assumes(
        BUNDLE(COPIES, PLAN(P("alloc:a", 0, 8) "," P("alloc:b", 8, 8), 16)),
        what));
    assert_false(assumes(BUNDLE(COPIES, PLAN(P("alloc:a", 0, 8), 8)), what));
}

static void interleaved(void **state)
{
    (void)state;
    one(BUNDLE(
            GRAPH(THREE,
                  T(0, A("alloc:a", "write")) "," T(1, A("alloc:b", "write")),
                  ""),
            PLAN(P("alloc:a", 0, 8) "," P("alloc:b", 0, 8), 8)),
        "memory.interleaved", ORACLE_NOTE, ORACLE_CLEAN, "no read can see");
}

static void parameters(void **state)
{
    (void)state;
#define USES                                                                   \
    T(0, A("param:p", "read") "," A("alloc:a", "write"))                       \
    "," T(1, A("alloc:a", "read"))
    clean(BUNDLE(GRAPH(THREE, USES, E(0, 1)),
                 PLAN(P("alloc:a", 0, 8) "," P("param:p", 8, 8), 16)));
    clean(BUNDLE(GRAPH(THREE, USES, E(0, 1)), PLAN(P("alloc:a", 0, 8), 8)));
    error_of(BUNDLE(GRAPH(THREE, USES, E(0, 1)),
                    PLAN(P("alloc:a", 0, 8) "," P("param:p", 4, 8), 12)),
             "memory.external", "the caller has read param:p");
    /* Nobody sees it, and still it is the caller's. */
    error_of(BUNDLE(GRAPH(THREE,
                          T(0, A("param:p", "write")) "," T(
                              1, A("alloc:a", "write")),
                          E(1, 0)),
                    PLAN(P("alloc:a", 0, 8) "," P("param:p", 4, 8), 12)),
             "memory.external", "shares its bytes with nothing");
}

#define ALIASED                                                                \
    B("alloc:a", 8, "")                                                        \
    "," B("alloc:v", 4,                                                        \
          ",\"alias_of\":{\"key\":\"alloc:a\","                                \
          "\"offset\":4}")

static void aliases(void **state)
{
    (void)state;
#define VIEWED T(0, A("alloc:a", "write")) "," T(1, A("alloc:v", "read"))
    clean(BUNDLE(GRAPH(ALIASED, VIEWED, E(0, 1)),
                 PLAN(P("alloc:a", 8, 8) "," P("alloc:v", 12, 4), 16)));
    clean(BUNDLE(GRAPH(ALIASED, VIEWED, E(0, 1)), PLAN(P("alloc:v", 4, 4), 8)));
    error_of(BUNDLE(GRAPH(ALIASED, VIEWED, E(0, 1)),
                    PLAN(P("alloc:a", 8, 8) "," P("alloc:v", 8, 4), 16)),
             "memory.alias-split", "the same storage");
}

/* One key has one place, whether the two agree or not. */
static void placed_again(void **state)
{
    (void)state;
    static const char *const texts[] = {
        BUNDLE(GRAPH(ALIASED, VIEWED, E(0, 1)),
               PLAN(P("alloc:a", 0, 8) "," P("alloc:a", 0, 8), 8)),
        BUNDLE(GRAPH(ALIASED, VIEWED, E(0, 1)),
               PLAN(P("alloc:a", 0, 8) "," P("alloc:a", 8, 8), 16)),
        BUNDLE(GRAPH(ALIASED, VIEWED, E(0, 1)),
               PLAN(P("alloc:z", 0, 8) "," P("alloc:z", 8, 8), 16))};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        oracle_judgement j;
        assert_int_equal(
            oracle_judge_text(&j, texts[i], strlen(texts[i]), NULL), ORACLE_OK);
        assert_int_equal(j.verdict, ORACLE_REFUSED);
        assert_string_equal(j.findings[0].rule, "doc.schema");
        assert_non_null(
            strstr(j.findings[0].message,
                   i < 2 ? "allocations[1] places \"alloc:a\" again"
                         : "allocations[1] places \"alloc:z\" again"));
        oracle_judgement_free(&j);
    }
}

#define ONE T(0, A("alloc:a", "write")) "," T(1, A("alloc:a", "read"))

static void bounds(void **state)
{
    fixture f;
    (void)state;
    error_of(BUNDLE(GRAPH(THREE, ONE, E(0, 1)), PLAN(P("alloc:a", -8, 8), 0)),
             "memory.bounds", "negative");
    error_of(BUNDLE(GRAPH(THREE, ONE, E(0, 1)), PLAN(P("alloc:a", 0, 4), 4)),
             "memory.bounds", "larger than its place");
    error_of(BUNDLE(GRAPH(THREE, ONE, E(0, 1)),
                    PLAN(P("alloc:a", 9223372036854775800, 8), 8)),
             "memory.bounds", "64 bits");
    oracle_judge_options options = {.capacity = 15};
    static const char text[] =
        BUNDLE(GRAPH(THREE, ONE, E(0, 1)), PLAN(P("alloc:a", 8, 8), 16));
    judge(&f, text, &options);
    assert_non_null(find(&f, "memory.bounds"));
    done(&f);
    options.capacity = 16;
    judge(&f, text, &options);
    assert_null(find(&f, "memory.bounds"));
    done(&f);
}

static void other_rules(void **state)
{
    (void)state;
    error_of(BUNDLE(GRAPH(THREE, ONE, E(0, 1)), PLAN(P("alloc:b", 0, 8), 8)),
             "memory.missing", "alloc:a");
    error_of(BUNDLE(GRAPH(THREE, ONE, E(0, 1)), PLAN(P("alloc:a", 0, 8), 9)),
             "memory.peak", "end at 8");
    error_of(BUNDLE(GRAPH(B("alloc:a", 8, ",\"align\":16"), ONE, E(0, 1)),
                    PLAN(P("alloc:z", 0, 8) "," P("alloc:a", 8, 8), 16)),
             "memory.alignment", "16");
    one(BUNDLE(GRAPH(B("alloc:a", null, ""), ONE, E(0, 1)),
               PLAN(P("alloc:a", 0, 8), 8)),
        "memory.unknown-size", ORACLE_WARNING, ORACLE_UNDECIDED, "alloc:a");
    one(BUNDLE(GRAPH(THREE, CHAIN, IN_ORDER),
               PLAN(P("alloc:a", 0, 8) "," P("alloc:b", 8, 8), 16)),
        "memory.waste", ORACLE_NOTE, ORACLE_CLEAN, "up to 8");
}

static void alone(void **state)
{
    fixture f;
    (void)state;
    judge(&f, PLAN(P("a", 0, 8), 8), NULL);
    assert_int_equal(f.judgement.verdict, ORACLE_UNDECIDED);
    assert_int_equal(f.judgement.total, 0);
    done(&f);
    error_of(PLAN(P("a", 0, 8), 7), "memory.peak", "8");
    error_of(PLAN(P("a", -1, 8), 7), "memory.bounds", "negative");
}

/* What is only a bound may overlap: said, and no error. */
static void doubts(void **state)
{
    fixture f;
    (void)state;
    judge(&f,
          BUNDLE(GRAPH(THREE,
                       T(0, A("alloc:a", "write")) "," T(
                           1, "{\"buffer\":\"alloc:b\",\"dispatch\":\"no_"
                              "dep\"}") "," T(2, A("alloc:a", "read")),
                       E(0, 1) "," E(1, 2)),
                 PLAN(P("alloc:a", 0, 8) "," P("alloc:b", 0, 8), 8)),
          NULL);
    assert_int_equal(f.judgement.verdict, ORACLE_UNDECIDED);
    assert_non_null(strstr(f.judgement.undecided[0], "alloc:a and alloc:b"));
    done(&f);
}

static bool raises(const char *text, const char *rule)
{
    fixture f;
    judge(&f, text, NULL);
    bool raised = find(&f, rule) != NULL;
    done(&f);
    return raised;
}

#define SAME_PLACE PLAN(P("alloc:a", 0, 8) "," P("alloc:b", 0, 8), 8)
#define SUM(tasks, edges) BUNDLE(GRAPH(THREE, tasks, edges), SAME_PLACE)

/* What is added to nothing is lost when another writes before it is read. */
static void sums_of_nothing(void **state)
{
    (void)state;
    const char *lost =
        SUM(T(0, A("alloc:a", "accumulate")) "," T(
                1, A("alloc:b", "write")) "," T(2, A("alloc:a", "read")),
            E(0, 1) "," E(1, 2));
    assert_true(raises(lost, "memory.overlap"));
    assert_false(raises(lost, "memory.interleaved"));
    assert_true(raises(
        SUM(T(0, A("alloc:a", "accumulate")) "," T(
                1, A("alloc:b",
                     "write")) "," T(2, A("alloc:a",
                                          "accumulate")) "," T(3, A("alloc:a",
                                                                    "read")),
            E(0, 1) "," E(1, 2) "," E(2, 3)),
        "memory.overlap"));
    assert_true(raises(
        SUM(T(0, A("alloc:a", "accumulate") "," A("alloc:b", "write")) "," T(
                1, A("alloc:a", "read")),
            E(0, 1)),
        "memory.overlap"));
    assert_true(
        raises(SUM(T(0, A("alloc:a", "accumulate")) "," T(
                       1, A("alloc:a", "read")) "," T(2, A("alloc:b", "write")),
                   E(0, 1)),
               "memory.parallel-reuse"));
    /* What was there before the first of them is nobody's value. */
    const char *before =
        SUM(T(0, A("alloc:b", "write")) "," T(
                1, A("alloc:a", "accumulate")) "," T(2, A("alloc:a", "read")),
            E(0, 1) "," E(1, 2));
    assert_false(raises(before, "memory.overlap"));
    assert_false(raises(before, "memory.interleaved"));
}

/* A chain of many buffers on the same bytes, each of its own size. */
static void many(void **state)
{
    enum { COUNT = 20000, ROOM = COUNT * 300 };
    char *text = malloc(ROOM);
    size_t used = 0;
    fixture f;
    (void)state;
    assert_non_null(text);
#define ADD(...) used += (size_t)snprintf(text + used, ROOM - used, __VA_ARGS__)
    ADD("{\"kind\":\"bundle\",\"version\":1,\"members\":[{\"role\":\"score\","
        "\"document\":{\"name\":\"s\",\"tasks\":[");
    for (int t = 0; t < COUNT; t++) {
        ADD("%s{\"task_id\":%d,\"func_id\":0,\"core_type\":\"aiv\",\"args\":"
            "[0,1],\"arg_directions\":[\"Input\",\"Output\"],"
            "\"arg_storage_keys\":[\"alloc:%d\",\"alloc:%d\"]}",
            t == 0 ? "" : ",", t, t, t + 1);
    }
    ADD("],\"dependencies\":[");
    for (int t = 1; t < COUNT; t++) {
        ADD("%s{\"producer\":%d,\"consumer\":%d}", t == 1 ? "" : ",", t - 1, t);
    }
    ADD("]}},{\"role\":\"memory\",\"document\":{\"version\":1,"
        "\"allocations\":[");
    for (int b = 0; b <= COUNT; b++) {
        ADD("%s{\"storage_key\":\"alloc:%d\",\"offset\":%d,\"size\":%d}",
            b == 0 ? "" : ",", b, b % 2 * (COUNT + 8), b / 2 + 1);
    }
    ADD("],\"peak_memory\":%d}}]}", COUNT + 8 + COUNT / 2);
    judge(&f, text, NULL);
    assert_null(find(&f, "memory.overlap"));
    assert_null(find(&f, "memory.parallel-reuse"));
    assert_null(find(&f, "memory.interleaved"));
    assert_null(find(&f, "memory.peak"));
    done(&f);
    free(text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reuse),        cmocka_unit_test(overlap),
    cmocka_unit_test(whole_record), cmocka_unit_test(in_place),
    cmocka_unit_test(interleaved),  cmocka_unit_test(parameters),
    cmocka_unit_test(aliases),      cmocka_unit_test(placed_again),
    cmocka_unit_test(bounds),       cmocka_unit_test(other_rules),
    cmocka_unit_test(alone),        cmocka_unit_test(doubts),
    cmocka_unit_test(many),         cmocka_unit_test(sums_of_nothing),
    cmocka_unit_test(written_over),
};

TEST_MAIN(tests)
