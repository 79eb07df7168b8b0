/* Rules between the members of a bundle, one small case each. */
#include "../../scripts/testing/harness.h"

#include "oracle/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two tasks: k0 writes t, k1 reads it and a scalar and writes the parameter. */
#define TASK0(directions)                                                      \
    "{\"task_id\":0,\"func_id\":0,\"core_type\":\"aiv\",\"name\":\"k0\","      \
    "\"args\":[\"t\"],\"arg_directions\":" directions                          \
    ",\"arg_storage_keys\":[\"alloc:t\"]}"
#define TASK1                                                                  \
    "{\"task_id\":1,\"func_id\":1,\"core_type\":\"aic\",\"name\":\"k1\","      \
    "\"args\":[\"t\",7,\"y\"],\"arg_directions\":[\"Input\",\"Scalar\","       \
    "\"Output\"],\"arg_storage_keys\":[\"alloc:t\",null,\"param:y\"]}"
#define EDGE(from, to, kind)                                                   \
    "{\"producer\":" #from ",\"consumer\":" #to ",\"kind\":\"" kind "\"}"
#define SCORE_OF(tasks, edges, metadata)                                       \
    "{\"schema_version\":1,\"name\":\"s\",\"runtime_target\":{\"runtime\":"    \
    "\"host_build_graph\"},\"tasks\":[" tasks "],\"dependencies\":[" edges     \
    "],\"metadata\":{" metadata "}}"
#define TASKS TASK0("[\"Output\"]") "," TASK1
#define SCORE SCORE_OF(TASKS, EDGE(0, 1, "data"), "")

#define FUNC(name, id)                                                         \
    "{\"name\":\"" name "\",\"sonata_func_id\":" #id                           \
    ",\"runtime_func_id\":null}"
#define BIND(task, arg, key, way, handle)                                      \
    "{\"task_id\":" #task ",\"arg_index\":" #arg ",\"storage_key\":" key       \
    ",\"direction\":\"" way "\",\"runtime_handle\":" handle "}"
#define FUNCS FUNC("k0", 0) "," FUNC("k1", 1)
#define BIND0 BIND(0, 0, "\"alloc:t\"", "Output", "10")
#define BIND1 BIND(1, 0, "\"alloc:t\"", "input", "\"h\"")
#define BIND2 BIND(1, 1, "null", "Scalar", "7")
#define BIND3 BIND(1, 2, "\"param:y\"", "Output", "12")
#define BINDS BIND0 "," BIND1 "," BIND2 "," BIND3
#define HANDLE_OF(print, version, funcs, binds)                                \
    "{\"schema_version\":1,\"score_fingerprint\":\"" print                     \
    "\",\"runtime_target\":{\"runtime\":\"host_build_graph\"},"                \
    "\"source_adapter\":\"post_simplify\",\"runtime_contract_"                 \
    "version\":" #version ",\"func_registry\":[" funcs                         \
    "],\"arg_bindings\":[" binds "],\"metadata\":{}}"
#define HANDLE HANDLE_OF("%s", 1, FUNCS, BINDS)

#define ROW(id, func, core, name, args)                                        \
    "{\"task_id\":" #id ",\"func_id\":" #func ",\"core_type\":\"" core         \
    "\",\"runtime_args\":[" args "],\"name\":\"" name "\"}"
#define ROW0 ROW(0, 0, "aiv", "k0", "10")
#define ROW1 ROW(1, 1, "aic", "k1", "\"h\",7,12")
#define HBG_OF(rows, edges, adapter)                                           \
    "{\"tasks\":[" rows "],\"edges\":[" edges "],\"metadata\":{"               \
    "\"score_fingerprint\":\"%s\",\"source_adapter\":\"" adapter               \
    "\",\"runtime_contract_version\":1,\"runtime_target\":"                    \
    "\"host_build_graph\",\"schema_version\":1}}"
#define HBG                                                                    \
    HBG_OF(ROW0 "," ROW1, "{\"producer\":0,\"consumer\":1}", "post_simplify")

#define MEMBER(role, document)                                                 \
    "{\"role\":\"" role "\",\"document\":" document "}"

typedef struct found {
    oracle_judgement judgement;
    char text[16384];
} found;

/* A bundle; each %s is the fingerprint of its Score. */
static void judge(found *f, const char *score, const char *others)
{
    char print[65], rest[8192];
    oracle_error error;
    if (oracle_fingerprint_text(print, score, strlen(score), false, &error) !=
        ORACLE_OK) {
        fail_msg("%s", error.message);
    }
    size_t used = 0;
    for (const char *at = others; *at != '\0'; at++) {
        if (at[0] == '%' && at[1] == 's') {
            memcpy(rest + used, print, 64);
            used += 64;
            at++;
        } else {
            rest[used++] = *at;
        }
    }
    rest[used] = '\0';
    snprintf(f->text, sizeof f->text,
             "{\"kind\":\"bundle\",\"version\":1,\"members\":[" MEMBER(
                 "score", "%s") "%s%s]}",
             score, used > 0 ? "," : "", rest);
    assert_int_equal(
        oracle_judge_text(&f->judgement, f->text, strlen(f->text), NULL),
        ORACLE_OK);
}

static void finds(const char *score, const char *others, const char *rule,
                  const char *in_message)
{
    found f;
    judge(&f, score, others);
    if (f.judgement.total != 1) {
        for (uint32_t i = 0; i < f.judgement.count; i++) {
            print_message("%s\n", f.judgement.findings[i].json);
        }
    }
    assert_int_equal(f.judgement.total, 1);
    assert_string_equal(f.judgement.findings[0].rule, rule);
    if (strstr(f.judgement.findings[0].message, in_message) == NULL) {
        fail_msg("%s", f.judgement.findings[0].message);
    }
    assert_int_equal(f.judgement.verdict, ORACLE_FINDINGS);
    oracle_judgement_free(&f.judgement);
}

static void clean(const char *score, const char *others)
{
    found f;
    judge(&f, score, others);
    if (f.judgement.total > 0) {
        fail_msg("%s", f.judgement.findings[0].json);
    }
    if (f.judgement.undecided_count > 0) {
        fail_msg("%s", f.judgement.undecided[0]);
    }
    assert_int_equal(f.judgement.verdict, ORACLE_CLEAN);
    oracle_judgement_free(&f.judgement);
}

static void all_right(void **state)
{
    (void)state;
    clean(SCORE, "");
    clean(SCORE, MEMBER("handle", HANDLE));
    clean(SCORE, MEMBER("handle", HANDLE) "," MEMBER("hbg", HBG));
}

static void validity(void **state)
{
    found f;
    (void)state;
    judge(&f, SCORE_OF(TASKS "," TASK1, EDGE(0, 1, "data"), ""),
          MEMBER("handle", HANDLE));
    assert_int_equal(f.judgement.verdict, ORACLE_FINDINGS);
    assert_int_equal(f.judgement.total, 1);
    assert_string_equal(f.judgement.findings[0].rule, "score.valid");
    assert_string_equal(f.judgement.findings[0].message,
                        "task ids must be unique: number the tasks anew.");
    assert_int_equal(f.judgement.undecided_count, 2);
    oracle_judgement_free(&f.judgement);
}

static void fingerprints(void **state)
{
    (void)state;
    finds(SCORE, MEMBER("handle", HANDLE_OF("00", 1, FUNCS, BINDS)),
          "score.fingerprint", "the handle is \"00\"");
}

static void policies(void **state)
{
    (void)state;
#define NAMED(edges, policy)                                                   \
    SCORE_OF(TASKS, edges, "\"dependency_policy\":\"" policy "\"")
    clean(NAMED(EDGE(0, 1, "data"), "dataflow_v0"), "");
    clean(NAMED(EDGE(0, 1, "data"), "sequential_v0"), "");
    clean(NAMED(EDGE(0, 1, "data"), "mixed"), "");
    clean(NAMED(EDGE(0, 1, "data"), "my_own"), "");
    finds(NAMED(EDGE(0, 1, "ordering"), "dataflow_v0"), "", "policy.edges",
          "0 -> 1 (data) is expected");
    finds(NAMED(EDGE(0, 1, "ordering"), "mixed"), "", "policy.edges",
          "0 -> 1 (\"ordering\") is there");
#define BARE TASK0("[]") "," TASK1
    found f;
    judge(&f,
          SCORE_OF(BARE, EDGE(0, 1, "data"),
                   "\"dependency_policy\":\"sequential_v0\","
                   "\"dependency_policy_fallback_reason\":"
                   "\"dataflow_directions_incomplete\""),
          "");
    bool fallback = false;
    for (uint32_t i = 0; i < f.judgement.count; i++) {
        const oracle_finding *one = &f.judgement.findings[i];
        fallback |=
            strcmp(one->rule, "policy.fallback") == 0 &&
            strstr(one->message, "task 0 \"k0\" has no direction") != NULL;
    }
    assert_true(fallback);
    oracle_judgement_free(&f.judgement);
    finds(SCORE_OF(TASKS, EDGE(0, 1, "data"),
                   "\"dependency_policy\":\"sequential_v0\","
                   "\"dependency_policy_fallback_reason\":"
                   "\"dataflow_directions_incomplete\""),
          "", "policy.fallback", "by its directions the Score has none");
}

#define HANDLES(funcs, binds) MEMBER("handle", HANDLE_OF("%s", 1, funcs, binds))

static void handles(void **state)
{
    (void)state;
    finds(SCORE, MEMBER("handle", HANDLE_OF("%s", 2, FUNCS, BINDS)),
          "handle.contract-version", "contract 2");
    finds(SCORE, HANDLES(FUNC("k0", 0), BINDS), "handle.func-missing",
          "task 1 \"k1\"");
    finds(SCORE, HANDLES(FUNCS "," FUNC("k9", 9), BINDS),
          "handle.func-unreferenced", "\"k9\"");
    finds(SCORE, HANDLES(FUNC("k0", 5) "," FUNC("k1", 1), BINDS),
          "handle.func-id", "is 5");
    finds(SCORE, HANDLES(FUNCS "," FUNC("k1", 1), BINDS), "handle.func-id",
          "twice");
    finds(SCORE, HANDLES(FUNCS, BIND0 "," BIND1 "," BIND2),
          "handle.binding-missing", "param:y");
    finds(SCORE, HANDLES(FUNCS, BINDS "," BIND(1, 3, "null", "Input", "1")),
          "handle.binding-argument",
          "is for an argument of task 1 \"k1\" that the Score does not have, "
          "number 3: take it away");
    finds(SCORE, HANDLES(FUNCS, BINDS "," BIND(7, 0, "null", "Input", "1")),
          "handle.binding-argument",
          "a binding of the handle is for the task 7, which the Score");
    finds(SCORE,
          HANDLES(FUNCS, BIND(0, 0, "\"alloc:u\"", "Output",
                              "10") "," BIND1 "," BIND2 "," BIND3),
          "handle.binding-key", "alloc:u");
    finds(SCORE,
          HANDLES(FUNCS, BIND(0, 0, "\"alloc:t\"", "Input",
                              "10") "," BIND1 "," BIND2 "," BIND3),
          "handle.binding-direction", "\"Input\"");
}

static void two_func_ids(void **state)
{
    (void)state;
#define TASK2                                                                  \
    "{\"task_id\":2,\"func_id\":4,\"core_type\":\"aiv\",\"name\":\"k0\"}"
    finds(SCORE_OF(TASKS "," TASK2, EDGE(0, 1, "data"), ""),
          MEMBER("handle", HANDLE), "handle.func-id", "another func id");
}

#define PLAN(hbg) MEMBER("handle", HANDLE) "," MEMBER("hbg", hbg)
#define EDGE01 "{\"producer\":0,\"consumer\":1}"

static void host_build_graph(void **state)
{
    (void)state;
    finds(SCORE, PLAN(HBG_OF(ROW0 "," ROW1, EDGE01, "pre_runtime")),
          "hbg.metadata", "source_adapter");
    finds(SCORE, PLAN(HBG_OF(ROW0, EDGE01, "post_simplify")), "hbg.task",
          "1 tasks");
    finds(SCORE,
          PLAN(HBG_OF(ROW(0, 9, "aiv", "k0", "10") "," ROW1, EDGE01,
                      "post_simplify")),
          "hbg.task", "func_id of task 0 \"k0\" is 9");
    finds(SCORE,
          PLAN(HBG_OF(ROW(0, 0, "aic", "k0", "10") "," ROW1, EDGE01,
                      "post_simplify")),
          "hbg.task", "core_type");
    finds(SCORE,
          PLAN(HBG_OF(ROW(0, 0, "aiv", "k0", "11") "," ROW1, EDGE01,
                      "post_simplify")),
          "hbg.args", "is 11");
    finds(SCORE,
          PLAN(HBG_OF(ROW(0, 0, "aiv", "k0", "") "," ROW1, EDGE01,
                      "post_simplify")),
          "hbg.args", "fewer");
    finds(SCORE, PLAN(HBG_OF(ROW0 "," ROW1, "", "post_simplify")), "hbg.edges",
          "0 edges");
    finds(SCORE,
          PLAN(HBG_OF(ROW0 "," ROW1, "{\"producer\":1,\"consumer\":0}",
                      "post_simplify")),
          "hbg.edges", "number 0");
}

/* All five fields are the handle's, or its defaults. */
static void metadata(void **state)
{
    (void)state;
#define META(fields)                                                           \
    "{\"tasks\":[" ROW0 "," ROW1 "],\"edges\":[" EDGE01                        \
    "],\"metadata\":{" fields "}}"
#define BARE_HANDLE                                                            \
    MEMBER("handle", "{\"score_fingerprint\":\"%s\",\"func_registry\":[" FUNCS \
                     "],\"arg_bindings\":[" BINDS "]}")
#define PRINT "\"score_fingerprint\":\"%s\""
#define ADAPTER ",\"source_adapter\":\"post_simplify\""
#define CONTRACT ",\"runtime_contract_version\":1"
#define TARGET ",\"runtime_target\":\"host_build_graph\""
#define VERSION ",\"schema_version\":1"
    static const struct {
        const char *others, *in_message;
    } cases[] = {
        {PLAN(META("\"x\":1" ADAPTER CONTRACT TARGET VERSION)),
         "no score_fingerprint"},
        {PLAN(META(PRINT CONTRACT TARGET VERSION)), "no source_adapter"},
        {PLAN(META(PRINT ADAPTER TARGET VERSION)),
         "no runtime_contract_version"},
        {PLAN(META(PRINT ADAPTER CONTRACT VERSION)), "no runtime_target"},
        {PLAN(META(PRINT ADAPTER CONTRACT TARGET)), "no schema_version"},
        {PLAN(META(PRINT ADAPTER CONTRACT TARGET ",\"schema_version\":9")),
         "schema_version is 9 in the host_build_graph plan, by the handle it "
         "is 1"},
        {PLAN(META(PRINT ADAPTER CONTRACT TARGET ",\"schema_version\":\"x\"")),
         "schema_version is \"x\""},
        {PLAN(META(PRINT ADAPTER CONTRACT TARGET ",\"schema_version\":null")),
         "schema_version is null"},
        {PLAN(META(PRINT ADAPTER CONTRACT VERSION
                   ",\"runtime_target\":{\"runtime\":"
                   "\"host_build_graph\"}")),
         "runtime_target is {"},
        {BARE_HANDLE "," MEMBER("hbg", HBG),
         "by the handle it is \"tensormap_and_ringbuffer\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        finds(SCORE, cases[i].others, "hbg.metadata", cases[i].in_message);
    }
    clean(SCORE,
          BARE_HANDLE "," MEMBER("hbg", META(PRINT ADAPTER CONTRACT VERSION
                                             ",\"runtime_target\":"
                                             "\"tensormap_and_ringbuffer\"")));
}

static void lost_scalar(void **state)
{
    (void)state;
    finds(SCORE,
          HANDLES(FUNCS, BIND0 "," BIND1 "," BIND3) "," MEMBER(
              "hbg", HBG_OF(ROW0 "," ROW(1, 1, "aic", "k1", "\"h\",null,12"),
                            EDGE01, "post_simplify")),
          "hbg.scalar-lost", "the scalar 7 of task 1 \"k1\"");
}

static void eligibility(void **state)
{
    (void)state;
#define RESULT(eligible, reasons, details, score)                              \
    MEMBER("eligibility",                                                      \
           "{\"schema_version\":1,\"eligible\":" eligible                      \
           ",\"reasons\":[" reasons "],\"reason_details\":[" details           \
           "],\"score\":" score "}")
#define WARNING "{\"code\":\"c\",\"message\":\"m\",\"severity\":\"warning\"}"
#define ERROR "{\"code\":\"c\",\"message\":\"m\",\"severity\":\"error\"}"
    clean(SCORE, RESULT("true", "", WARNING, SCORE));
    finds(SCORE, RESULT("true", "\"m\"", WARNING, SCORE), "doc.schema",
          "messages");
    finds(SCORE, RESULT("false", "\"m\"", ERROR, SCORE), "doc.schema",
          "has a Score");
    finds(SCORE, RESULT("true", "\"m\"", ERROR, SCORE), "doc.schema",
          "no error");
    finds(SCORE, RESULT("true", "", "", SCORE_OF(TASKS, EDGE(0, 1, "war"), "")),
          "score.fingerprint", "must be one");
}

/* The one rule that is told; NULL: no error, and no doubt about tables. */
static void judge_text(const char *text, const char *rule)
{
    oracle_judgement j;
    bool is_told = rule == NULL;
    assert_int_equal(oracle_judge_text(&j, text, strlen(text), NULL),
                     ORACLE_OK);
    for (uint32_t i = 0; i < j.count; i++) {
        const oracle_finding *f = &j.findings[i];
        is_told = is_told || strcmp(f->rule, rule) == 0;
        if (rule == NULL && f->severity == ORACLE_ERROR) {
            fail_msg("%s", f->json);
        }
    }
    assert_true(is_told);
    assert_int_not_equal(j.verdict, ORACLE_REFUSED);
    oracle_judgement_free(&j);
}

static void alone_is(const char *text, oracle_verdict verdict,
                     const char *undecided)
{
    oracle_judgement j;
    assert_int_equal(oracle_judge_text(&j, text, strlen(text), NULL),
                     ORACLE_OK);
    assert_int_equal(j.verdict, verdict);
    if (undecided != NULL) {
        assert_int_equal(j.undecided_count, 1);
        assert_non_null(strstr(j.undecided[0], undecided));
    }
    oracle_judgement_free(&j);
}

static void documents_alone(void **state)
{
    (void)state;
    alone_is(HANDLE, ORACLE_UNDECIDED, "PlanHandle against its Score");
    alone_is(HBG, ORACLE_UNDECIDED, "host_build_graph plan against");
    alone_is("{\"arg_bindings\":[]}", ORACLE_REFUSED, NULL);
    alone_is("{\"tasks\":[{}],\"edges\":[],\"metadata\":{}}", ORACLE_REFUSED,
             NULL);
    alone_is(
        "{\"eligible\":false,\"reasons\":[\"m\"],\"reason_details\":[" ERROR
        "]}",
        ORACLE_CLEAN, NULL);
}

static oracle_document read_text(const char *text)
{
    oracle_document d;
    oracle_error error;
    if (oracle_document_read(&d, text, strlen(text), NULL, &error) !=
        ORACLE_OK) {
        fail_msg("%s", error.message);
    }
    return d;
}

/* Its tables are a graph; what arguments are it does not say itself. */
static void table_alone(void **state)
{
    (void)state;
    oracle_document d = read_text(HBG);
    assert_int_equal(d.kind, ORACLE_KIND_HBG);
    assert_int_equal(d.task_count, 2);
    assert_string_equal(d.tasks[1].name.data, "k1");
    assert_string_equal(d.tasks[1].core.data, "aic");
    assert_int_equal(d.edge_count, 1);
    assert_int_equal(d.arg_count, 0);
    oracle_document_free(&d);
    /* An edge to nobody, and a circle. */
    judge_text(HBG_OF(ROW0 "," ROW1, "{\"producer\":0,\"consumer\":7}",
                      "post_simplify"),
               "graph.edge-end");
    judge_text(HBG_OF(ROW0 "," ROW1,
                      "{\"producer\":0,\"consumer\":1},{\"producer\":1,"
                      "\"consumer\":0}",
                      "post_simplify"),
               "graph.cycle");
}

#define TABLES(handle, edges, more)                                            \
    "{\"kind\":\"bundle\",\"version\":1,\"members\":[{\"role\":\"hbg\","       \
    "\"document\":" HBG_OF(ROW0 "," ROW1, edges,                               \
                           "post_simplify") "}" handle more "]}"
#define WITH(binds)                                                            \
    ",{\"role\":\"handle\",\"document\":" HANDLE_OF("x", 1, FUNCS, binds) "}"
#define PLACES                                                                 \
    ",{\"role\":\"memory\",\"document\":{\"kind\":\"memory_plan\","            \
    "\"version\":1,\"policy\":\"greedy_dag\",\"allocations\":["                \
    "{\"storage_key\":\"alloc:t\",\"offset\":0,\"size\":64}],"                 \
    "\"peak_memory\":64}}"

/* The bindings of the handle say it, the memory plan where it lies. */
static void table_with_handle(void **state)
{
    (void)state;
    oracle_document d = read_text(
        TABLES(WITH(BINDS), "{\"producer\":0,\"consumer\":1}", PLACES));
    assert_int_equal(d.buffer_count, 2);
    assert_int_equal(d.buffers[0].bytes, 64);
    assert_true(d.buffers[1].external && d.has_plan);
    assert_int_equal(d.tasks[1].args, 3);
    const oracle_arg *args = &d.args[d.tasks[1].first_arg];
    assert_int_equal(args[0].dispatch, ORACLE_INPUT);
    assert_int_equal(args[1].kind, ORACLE_ARG_SCALAR);
    assert_int_equal(args[2].buffer, 1);
    oracle_document_free(&d);
    judge_text(TABLES(WITH(BINDS), "", PLACES), "hazard.raw");
    judge_text(TABLES(WITH(BINDS), "{\"producer\":0,\"consumer\":1}", PLACES),
               NULL);
    /* The last binding of an argument counts; a key may be missing. */
    judge_text(
        TABLES(WITH(BINDS "," BIND(1, 0, "\"param:z\"", "Input", "1")), "", ""),
        NULL);
    judge_text(TABLES(WITH(BIND(1, 0, "null", "Input", "1")), "", ""),
               "doc.incomplete");
    judge_text(TABLES("", "", PLACES), NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_right),         cmocka_unit_test(validity),
    cmocka_unit_test(fingerprints),      cmocka_unit_test(policies),
    cmocka_unit_test(handles),           cmocka_unit_test(two_func_ids),
    cmocka_unit_test(host_build_graph),  cmocka_unit_test(metadata),
    cmocka_unit_test(lost_scalar),       cmocka_unit_test(eligibility),
    cmocka_unit_test(documents_alone),   cmocka_unit_test(table_alone),
    cmocka_unit_test(table_with_handle),
};

TEST_MAIN(tests)
