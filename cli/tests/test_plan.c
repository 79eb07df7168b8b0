/* counterpoint plan: programs and Scores, members, profiles, options. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "tool.h"

/* Two tasks over a scratch and a parameter, then a third on a scratch of its
 * own: the first scratch can be used again. */
#define CALL(op, args, directions)                                             \
    "{\"kind\":\"EvalStmt\",\"expr\":{\"kind\":\"Call\",\"op\":\"" op          \
    "\",\"args\":[" args "],\"arg_directions\":[" directions "]}}"
#define NEW(name)                                                              \
    "{\"kind\":\"AssignStmt\",\"var\":{\"kind\":\"Var\",\"id\":\"" name        \
    "\",\"name_hint\":\"" name "\"},\"value\":{\"kind\":\"Call\",\"op\":"      \
    "\"tensor.create\",\"args\":[]}}"
#define REF(name) "{\"ref\":\"" name "\"}"
#define HEAD                                                                   \
    "{\"kind\":\"Function\",\"name\":\"oven\",\"params\":[{\"kind\":\"Var\","  \
    "\"id\":\"dough\",\"name_hint\":\"dough\",\"type\":{\"kind\":"             \
    "\"TensorType\",\"shape\":[4,8]}}],\"body\":["
#define KNEAD                                                                  \
    NEW("loaf")                                                                \
    "," CALL("knead", REF("dough") "," REF("loaf"), "\"Input\",\"Output\"")
#define BAKE CALL("bake", REF("loaf") "," REF("dough"), "\"Input\",\"InOut\"")
#define PROGRAM HEAD KNEAD "," BAKE "]}"
#define LOOP HEAD KNEAD ",{\"kind\":\"ForStmt\",\"body\":[]}," BAKE "]}"

static void expect_part(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("no \"%s\" in:\n%s", part, text);
}

static void expect_no_part(const char *text, const char *part)
{
    if (strstr(text, part) != NULL)
        fail_msg("\"%s\" is in:\n%s", part, text);
}

/* The roles of a bundle, in order, with blanks between them. */
static void expect_roles(const char *bundle, const char *expected)
{
    char roles[256] = "";
    static const char mark[] = ",\"role\":\"";
    for (const char *at = bundle; (at = strstr(at, mark)) != NULL;) {
        at += sizeof mark - 1;
        size_t length = strcspn(at, "\"");
        size_t used = strlen(roles);
        snprintf(roles + used, sizeof roles - used, "%s%.*s",
                 used > 0 ? " " : "", (int)length, at);
    }
    assert_string_equal(roles, expected);
}

/* A file with a Score of the program. */
static char *score_folder(void)
{
    tool_result r;
    char *folder = tool_folder();
    tool_run(&r, PROGRAM, "plan", "--emit", "score", "-", NULL);
    assert_int_equal(r.status, 0);
    tool_write(folder, "score.json", r.out);
    tool_write(folder, "sizes.json",
               "{\"alloc:loaf\": 128,\n \"param:dough\": 64}\n");
    tool_free(&r);
    return folder;
}

static void program(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, PROGRAM, "plan", "-", NULL);
    assert_int_equal(r.status, 0);
    expect_roles(r.out, "graph score");
    expect_part(r.out, "\"dependency_policy\":\"dataflow_v0\"");
    tool_free(&r);
    tool_run(&r, PROGRAM, "plan", "--policy", "mixed", "--emit", "score", "-",
             NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "\"dependency_policy\":\"mixed\"");
    tool_free(&r);
    tool_run(&r, PROGRAM, "plan", "--emit", "graph", "-", NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "{\"buffers\":[{\"bytes\":null,\"external\":true,"
                       "\"key\":\"param:dough\"},{\"bytes\":null,\"external\":"
                       "false,\"key\":\"alloc:loaf\"}],\"edges\":[{\"certain\":"
                       "true,\"from\":0,\"kind\":\"data\",\"source\":"
                       "\"policy\",\"to\":1}]");
    tool_free(&r);
    tool_expect(0, PROGRAM, "check", "-", NULL);
}

static void program_not_eligible(void **state)
{
    (void)state;
    tool_result r;
    static const char told[] =
        "[control_flow_not_supported] ForStmt is not supported by initial "
        "Sonata eligibility";
    tool_run(&r, LOOP, "plan", "-", NULL);
    assert_int_equal(r.status, 0);
    expect_roles(r.out, "eligibility");
    expect_part(r.out, "\"eligible\":false");
    tool_free(&r);
    tool_run(&r, LOOP, "plan", "--emit", "memory", "-", NULL);
    assert_int_equal(r.status, 1);
    assert_string_equal(r.out, "");
    expect_part(r.error, told);
    tool_free(&r);
    tool_run(&r, LOOP, "check", "-", NULL);
    assert_int_equal(r.status, 4); /* as for a dump: nothing was judged */
    expect_part(r.out, "doc.unsupported: the program is not eligible: ");
    expect_part(r.out, told);
    tool_free(&r);
}

static void entry_and_certified(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, PROGRAM, "plan", "--entry", "oven", "--emit", "score", "-",
             NULL);
    assert_int_equal(r.status, 0);
    tool_free(&r);
    tool_run(&r, PROGRAM, "plan", "--entry", "cellar", "--emit", "score", "-",
             NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.error, "[entry_function_not_orchestration] entry function is "
                         "not an orchestration function: cellar");
    tool_free(&r);
    static const char bare[] = HEAD CALL("knead", REF("dough"), "") "]}";
    tool_expect(0, bare, "plan", "--emit", "score", "-", NULL);
    tool_run(&r, bare, "plan", "--certified", "--emit", "score", "-", NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.error, "Call knead has no arg_directions in certified dump");
    tool_free(&r);
}

static void regions(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, LOOP, "plan", "--emit", "regions", "-", NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "\"control_flow_kind\":\"ForStmt\"");
    expect_no_part(r.out, "borders");
    tool_free(&r);
    tool_run(&r, LOOP, "plan", "--regions", "per_region", "--emit", "regions",
             "-", NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "\"name\":\"oven.r0\"");
    expect_part(r.out, "\"name\":\"oven.r2\"");
    expect_part(r.out, "{\"consumer\":2,\"kind\":\"data\",\"producer\":0,"
                       "\"storage_key\":\"alloc:loaf\"}");
    tool_free(&r);
    tool_run(&r, LOOP, "plan", "--regions", "whole_v0", "-", NULL);
    assert_int_equal(r.status, 0);
    expect_roles(r.out, "eligibility regions");
    tool_free(&r);
}

static void score_members(void **state)
{
    (void)state;
    tool_result r;
    char *folder = score_folder();
    const char *score = tool_path(folder, "score.json");
    const char *sizes = tool_path(folder, "sizes.json");
    tool_run(&r, NULL, "plan", score, "--sizes", sizes, NULL);
    assert_int_equal(r.status, 0);
    expect_roles(r.out, "score handle hbg memory");
    assert_string_equal(r.error, "");
    tool_write(folder, "bundle.json", r.out);
    tool_free(&r);
    tool_expect(0, NULL, "check", tool_path(folder, "bundle.json"), NULL);
    tool_run(&r, NULL, "plan", score, "--emit",
             "conflicts,liveness,alias,memory,hbg,handle,eligibility,score,"
             "graph",
             "--sizes", sizes, NULL);
    assert_int_equal(r.status, 0);
    expect_roles(r.out, "graph score eligibility handle hbg memory alias "
                        "liveness conflicts");
    expect_part(r.out, "{\"kind\":\"alias\",\"pairs\":[{\"first\":"
                       "\"alloc:loaf\",\"relation\":\"disjoint\",\"second\":"
                       "\"param:dough\"}],\"version\":1}");
    expect_part(r.out, "\"lifetimes\":[{\"birth\":0,\"death\":1,"
                       "\"storage_key\":\"alloc:loaf\"},");
    expect_part(r.out, "\"pairs\":[{\"earlier\":\"alloc:loaf\",\"later\":"
                       "\"param:dough\"}]");
    tool_write(folder, "all.json", r.out);
    tool_free(&r);
    tool_expect(0, NULL, "check", tool_path(folder, "all.json"), NULL);
    tool_remove(folder);
}

static void memory_plans(void **state)
{
    (void)state;
    tool_result r;
    char *folder = score_folder();
    const char *score = tool_path(folder, "score.json");
    const char *sizes = tool_path(folder, "sizes.json");
    tool_run(&r, NULL, "plan", score, "--emit", "memory", "--memory",
             "greedy_v0", "--sizes", sizes, NULL);
    assert_int_equal(r.status, 0);
    assert_string_equal(
        r.out, "{\"allocations\":[{\"offset\":0,\"size\":128,\"storage_key\":"
               "\"alloc:loaf\"},{\"offset\":128,\"size\":64,\"storage_key\":"
               "\"param:dough\"}],\"kind\":\"memory_plan\",\"peak_memory\":192,"
               "\"policy\":\"greedy_v0\",\"version\":1}\n");
    tool_free(&r);
    /* with a number it is the limit of a process, as everywhere */
    tool_run(&r, NULL, "plan", score, "--emit", "memory", "--memory", "4000",
             NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "\"policy\":\"greedy_dag\"");
    expect_part(r.error, "2 of 2 buffers have no size");
    tool_free(&r);
    tool_expect(2, NULL, "plan", score, "--memory", "greedy", NULL);
    tool_expect(2, NULL, "check", score, "--memory", "greedy_v0", NULL);
    tool_expect(2, NULL, "plan", score, "--sizes", "no/such/file", NULL);
    tool_write(folder, "list.json", "[1]");
    tool_expect(2, NULL, "plan", score, "--sizes",
                tool_path(folder, "list.json"), NULL);
    tool_write(folder, "wrong.json", "{\"alloc:loaf\": -1}");
    tool_run(&r, NULL, "plan", score, "--sizes",
             tool_path(folder, "wrong.json"), NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.error, "the size of 'alloc:loaf' must be an integer");
    tool_free(&r);
    tool_remove(folder);
}

/* Sizes of a dump come from the dump itself. */
static void memory_of_a_dump(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "plan", "corpus/programs/chain.py", "--emit", "memory",
             NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "{\"offset\":0,\"size\":4096,\"storage_key\":"
                       "\"alloc:f1__ssa_v0\"}");
    tool_free(&r);
    tool_run(&r, NULL, "plan", "corpus/programs/chain.py", "--profile", "safe",
             NULL);
    assert_int_equal(r.status, 0);
    expect_roles(r.out, "graph score handle hbg memory");
    tool_free(&r);
    tool_expect(1, NULL, "plan", "corpus/programs/chain.py", "--entry", "climb",
                NULL);
}

static void profiles(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, PROGRAM, "plan", "--profile", "sonata-0.9", "-", NULL);
    assert_int_equal(r.status, 0);
    expect_roles(r.out, "graph score handle memory regions");
    expect_part(r.out, "\"arg_bindings\":[]");
    expect_part(r.out, "\"policy\":\"greedy_v0\"");
    expect_part(r.out, "\"dependency_policy\":\"sequential_v0\"");
    expect_no_part(r.out, "borders");
    tool_free(&r);
    tool_run(&r, PROGRAM, "plan", "--profile", "safe", "-", NULL);
    assert_int_equal(r.status, 0);
    expect_roles(r.out, "graph score handle hbg memory regions");
    expect_part(r.out, "\"policy\":\"greedy_dag\"");
    expect_part(r.out, "\"dependency_policy\":\"sequential_v0\"");
    expect_part(r.out, "\"borders\":[]");
    tool_free(&r);
    tool_run(&r, PROGRAM, "plan", "--profile", "sonata-0.9", "--emit", "hbg",
             "-", NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.error, "no hbg: [runtime_adapter_binding_incomplete] task 0 "
                         "arg 0 (dough, storage=param:dough) has no "
                         "RuntimeArgBinding");
    tool_free(&r);
}

static void scores_that_are_not_planned(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r,
             "{\"name\":\"\",\"tasks\":[{\"task_id\":0,\"func_id\":0,"
             "\"core_type\":\"gpu\"}]}",
             "plan", "-", NULL);
    assert_int_equal(r.status, 1);
    expect_roles(r.out, "score eligibility");
    expect_part(r.error, "score name must not be empty");
    expect_part(r.error, "task 0 has unsupported core_type: gpu");
    tool_free(&r);
    tool_run(&r,
             "{\"name\":\"s\",\"tasks\":[{\"task_id\":0,\"func_id\":0,"
             "\"core_type\":\"aic\",\"args\":[\"x\"]}],\"later\":1}",
             "plan", "--policy", "dataflow_v0", "-", NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.error, "dataflow_directions_unavailable");
    tool_free(&r);
    tool_run(&r, "{\"name\":\"s\",\"tasks\":[],\"later\":1}", "plan", "-",
             NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.error, "warning: score: [doc.unknown-field]");
    tool_free(&r);
    tool_expect(1, "{\"name\":\"s\",\"tasks\":[]}", "plan", "--entry", "m", "-",
                NULL);
}

/* A policy that is asked for replaces the edges, and says so. */
static void score_planned_anew(void **state)
{
    (void)state;
    tool_result r;
    char *folder = score_folder();
    tool_run(&r, NULL, "plan", tool_path(folder, "score.json"), "--policy",
             "sequential_v0", "--emit", "score", NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "\"metadata\":{\"dependency_policy\":\"sequential_v0\","
                       "\"entry_name\":\"oven\"");
    tool_free(&r);
    tool_remove(folder);
}

/* A Score of that depth: an argument is in four lists and objects. */
static char *deep_score(size_t depth)
{
    static const char head[] =
        "{\"dependencies\":[],\"metadata\":{},\"name\":\"deep\","
        "\"runtime_target\":{\"aicpu_thread_num\":4,\"config_comment\":[],"
        "\"function_name\":\"deep\",\"runtime\":\"host_build_graph\"},"
        "\"schema_version\":1,\"shape_assumptions\":[],\"tasks\":[{"
        "\"arg_directions\":[\"Scalar\"],\"arg_storage_keys\":[null],"
        "\"args\":[";
    static const char tail[] = "],\"core_type\":\"aiv\",\"func_id\":0,"
                               "\"name\":\"dig\",\"task_id\":0}]}";
    size_t lists = depth - 4, at = sizeof head - 1;
    char *text = calloc(1, at + 2 * lists + sizeof tail);
    assert_non_null(text);
    memcpy(text, head, at);
    memset(text + at, '[', lists);
    memset(text + at + lists, ']', lists);
    strcpy(text + at + 2 * lists, tail);
    return text;
}

/* What is planned can be judged: the bundle around a Score counts nothing. */
static void deepest_score(void **state)
{
    (void)state;
    tool_result r;
    char *text = deep_score(512);
    tool_run(&r, text, "plan", "-", NULL);
    assert_int_equal(r.status, 0);
    tool_expect(0, r.out, "check", "-", NULL);
    tool_free(&r);
    tool_run(&r, text, "plan", "--emit", "score,eligibility,bundle", "-", NULL);
    assert_int_equal(r.status, 0);
    tool_expect(0, r.out, "check", "-", NULL);
    tool_free(&r);
    tool_expect(0, text, "check", "-", NULL);
    free(text);
    text = deep_score(513);
    tool_expect(1, text, "plan", "--kind", "score", "-", NULL);
    tool_expect(1, text, "check", "--kind", "score", "-", NULL);
    free(text);
}

static void other_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *text, *told;
    } cases[] = {
        {"{\"cache_schema_version\":1,\"entries\":{}}", "a Score cache"},
        {"{\"score_fingerprint\":\"0\",\"func_registry\":[]}",
         "this is of kind handle"},
        {"{\"eligible\":true}", "this is of kind eligibility"},
        {"{\"kind\":\"memory_plan\",\"version\":1}",
         "this is of kind memory_plan"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tool_result r;
        tool_run(&r, cases[i].text, "plan", "-", NULL);
        assert_int_not_equal(r.status, 0);
        expect_part(r.error, cases[i].told);
        tool_free(&r);
    }
    /* A class that nobody knows is a program when it is called one. */
    tool_expect(1, "{\"kind\":\"Shelf\"}", "plan", "-", NULL);
    tool_expect(0, "{\"kind\":\"Shelf\"}", "plan", "--kind", "ir", "-", NULL);
}

static void emit_lists(void **state)
{
    (void)state;
    tool_result r;
    tool_expect(2, PROGRAM, "plan", "--emit", "score,nonsense", "-", NULL);
    tool_expect(2, PROGRAM, "plan", "--emit", "", "-", NULL);
    tool_run(&r, PROGRAM, "plan", "--emit", "bundle,liveness", "-", NULL);
    assert_int_equal(r.status, 0);
    expect_roles(r.out, "graph score liveness");
    tool_free(&r);
}

/* That is wrong usage, and no crash of what was never there. */
static void no_such_planner(void **state)
{
    (void)state;
    static const char *const verbs[] = {"plan", "run", "gate", "replay"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        tool_result r;
        tool_run(&r, PROGRAM, verbs[i], "--planner", "/no/such", "-", NULL);
        assert_int_equal(r.status, 2);
        expect_part(r.error, "the planner '/no/such' cannot be started");
        assert_int_equal(r.out[0], 0);
        tool_free(&r);
    }
}

/* What another planner is given. */
static void options_travel(void **state)
{
    (void)state;
    tool_result r;
    char command[256];
    char *folder = score_folder();
    tool_write(folder, "planner",
               "read -r line; printf '%s' \"$line\" >\"$0.seen\"; echo "
               "'{\"error\":{\"code\":\"c\",\"message\":\"m\"},\"id\":1}'; "
               "read -r line\n");
    snprintf(command, sizeof command, "sh '%s'", tool_path(folder, "planner"));
    tool_run(&r, PROGRAM, "plan", "--planner", command, "--policy", "mixed",
             "--memory", "greedy_v0", "--profile", "safe", "--entry", "o\"v",
             "--regions", "per_region", "--certified", "--emit", "score,hbg",
             "--sizes", tool_path(folder, "sizes.json"), "-", NULL);
    assert_int_equal(r.status, 1);
    tool_free(&r);
    char seen[4096] = "";
    FILE *in = fopen(tool_path(folder, "planner.seen"), "r");
    assert_non_null(in);
    assert_true(fread(seen, 1, sizeof seen - 1, in) > 0);
    fclose(in);
    expect_part(seen, "\"kind\":\"ir\"");
    expect_part(
        seen,
        "\"options\":{\"certified\":1,\"emit\":\"score,hbg\",\"entry\":"
        "\"o\\\"v\",\"memory\":\"greedy_v0\",\"policy\":\"mixed\",\"profile\":"
        "\"safe\",\"regions\":\"per_region\",\"sizes\":{\"alloc:loaf\": 128,  "
        "\"param:dough\": 64} }}");
    tool_remove(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(program),
    cmocka_unit_test(program_not_eligible),
    cmocka_unit_test(entry_and_certified),
    cmocka_unit_test(regions),
    cmocka_unit_test(score_members),
    cmocka_unit_test(memory_plans),
    cmocka_unit_test(memory_of_a_dump),
    cmocka_unit_test(profiles),
    cmocka_unit_test(scores_that_are_not_planned),
    cmocka_unit_test(score_planned_anew),
    cmocka_unit_test(deepest_score),
    cmocka_unit_test(other_kinds),
    cmocka_unit_test(emit_lists),
    cmocka_unit_test(no_such_planner),
    cmocka_unit_test(options_travel),
};

TEST_MAIN(tests)
