/* The record of a run with what lies beside it, through the command. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "../../scripts/testing/harness.h"
#include "tool.h"

#define VIEW                                                                   \
    "\"tensor_id\":\"1\",\"dtype\":\"FLOAT32\",\"shape\":[4],"                 \
    "\"start_offset\":\"0\",\"strides\":[1]"
#define ROW(id, type)                                                          \
    "{\"task_id\":\"" id "\",\"scope\":\"auto\",\"early_dispatch\":false,"     \
    "\"kernel_ids\":[-1," id ",-1],\"block_num\":1,\"args\":[{\"idx\":0,"      \
    "\"type\":\"" type "\"," VIEW "}]}"
#define EDGE(pred, succ)                                                       \
    "{\"pred\":\"" pred "\",\"succ\":\"" succ                                  \
    "\",\"arg\":-1,\"source\":\"explicit\"}"
#define RECORD(edges)                                                          \
    "{\"tasks\":[" ROW("0", "OUTPUT_EXISTING") "," ROW("1", "INPUT") "," ROW(  \
        "2", "INOUT") "],\"tensors\":[{\"tensor_id\":\"1\","                   \
                      "\"buffer_addr\":\"4096\",\"version\":0,\"dtype\":"      \
                      "\"FLOAT32\","                                           \
                      "\"buffer_numel\":\"4\"}],\"edges\":[" edges "]}"
#define CHAIN EDGE("0", "1") "," EDGE("1", "2")
#define TRACE(start)                                                           \
    "{\"chip_swimlane_level\":4,\"metadata\":{\"core_types\":[\"aiv\"]},"      \
    "\"aicore_tasks\":[[0,0,1,10,20,1],[0,1,2," start ",30,1],"                \
    "[0,2,3,31,40,1]],\"aicpu_tasks\":[[0,1,9,21],[0,2,9,31],[0,3,9,41]]}"
#define SWIMLANE "chip_swimlane_records.json"

static char *make_run(const char *record, const char *trace)
{
    char *folder = tool_folder();
    tool_write(folder, "deps.json", record);
    if (trace != NULL)
        tool_write(folder, SWIMLANE, trace);
    return folder;
}

typedef struct expected {
    int status;
    const char *verdict;
    const char *words; /* in the output */
} expected;

static void expect(const expected *e, const char *file, const char *option,
                   const char *value)
{
    tool_result result;
    if (option == NULL)
        tool_run(&result, NULL, "check", "--json", file, NULL);
    else
        tool_run(&result, NULL, "check", "--json", option, value, file, NULL);
    char verdict[32];
    const char *last = strstr(result.out, "{\"verdict\"");
    tool_string(verdict, sizeof verdict, last == NULL ? "" : last, "verdict");
    if (result.status != e->status || strcmp(verdict, e->verdict) != 0 ||
        strstr(result.out, e->words) == NULL)
        fail_msg("status %d, verdict %s, not found: %s\n%s%s", result.status,
                 verdict, e->words, result.out, result.error);
    tool_free(&result);
}

static void trace_beside(void **state)
{
    (void)state;
    static const struct {
        const char *record, *trace;
        expected e;
    } cases[] = {
        {RECORD(CHAIN), NULL, {0, "clean", "has recorded"}},
        {RECORD(CHAIN), TRACE("20"), {0, "clean", "of the trace beside"}},
        {RECORD(CHAIN), TRACE("19"), {1, "findings", "trace.order"}},
        {RECORD(CHAIN),
         "{\"chip_swimlane_level\":4,",
         {1, "findings", "doc.syntax"}},
        {RECORD(CHAIN), "", {1, "findings", "doc.syntax"}},
        {RECORD(CHAIN), "{\"x\":\"\xff\"}", {0, "undecided", "not UTF-8"}},
        {RECORD(EDGE("0", "1")), TRACE("20"), {1, "findings", "hazard.war"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *folder = make_run(cases[i].record, cases[i].trace);
        expect(&cases[i].e, tool_path(folder, "deps.json"), NULL, NULL);
        if (i == 1)
            expect(&cases[i].e, tool_path(folder, SWIMLANE), NULL, NULL);
        tool_remove(folder);
    }
}

static void trace_without_record(void **state)
{
    (void)state;
    static const expected alone = {0, "undecided", "is not here"};
    static const expected folder_beside = {0, "undecided", "is a folder"};
    char *folder = tool_folder();
    tool_write(folder, "run.json", TRACE("20"));
    expect(&alone, tool_path(folder, "run.json"), NULL, NULL);
    tool_remove(folder);
    folder = make_run(RECORD(CHAIN), NULL);
    assert_int_equal(mkdir(tool_path(folder, SWIMLANE), 0777), 0);
    expect(&folder_beside, tool_path(folder, "deps.json"), NULL, NULL);
    tool_remove(folder);
}

static void named_trace(void **state)
{
    (void)state;
    static const expected early = {1, "findings", "trace.order"};
    static const expected missing = {0, "undecided", "No such file"};
    char *folder = make_run(RECORD(CHAIN), TRACE("20"));
    tool_write(folder, "other.json", TRACE("15"));
    const char *record = tool_path(folder, "deps.json");
    expect(&early, record, "--trace", tool_path(folder, "other.json"));
    expect(&missing, record, "--trace", tool_path(folder, "none.json"));
    tool_expect(2, NULL, "check", "--trace", "x.json", record, record, NULL);
    tool_remove(folder);
}

/* --- The plan --- */

#define TASK(id, deps, mode)                                                   \
    "{\"id\":" id ",\"name\":\"k" id "\",\"deps\":[" deps "],\"args\":[{"      \
    "\"buffer\":\"param:a\",\"access\":[{\"mode\":\"" mode                     \
    "\",\"must\":true,\"exact\":true}]}]}"
#define GRAPH(deps)                                                            \
    "{\"kind\":\"task_graph\",\"version\":1,\"buffers\":[{\"key\":"            \
    "\"param:a\",\"bytes\":16}],\"tasks\":[" TASK("5", "", "write") "," TASK(  \
        "6", "", "read") "," TASK("7", deps, "read") "]}"

static void named_plan(void **state)
{
    (void)state;
    static const struct {
        const char *record, *plan;
        expected e;
    } cases[] = {
        {RECORD(CHAIN), GRAPH("{\"task\":6}"), {0, "clean", "of the plan"}},
        /* It goes to the judge in one line, however many it has. */
        {RECORD(CHAIN),
         "\n" GRAPH("\r\n{\"task\":6}\n") "\n",
         {0, "clean", "of the plan"}},
        /* By the plan task 2 only reads. */
        {RECORD(EDGE("0", "1") "," EDGE("0", "2")),
         GRAPH(""),
         {0, "clean", "of the plan"}},
        {RECORD(EDGE("0", "1") "," EDGE("0", "2")),
         GRAPH("{\"task\":6}"),
         {1, "findings", "runtime.lost-edge"}},
        {RECORD(CHAIN),
         "{\"kind\":\"task_graph\",\"version\":1,\"tasks\":[]}",
         {0, "undecided", "it has 0 tasks and the run submitted 3"}},
        {RECORD(CHAIN), "no plan", {0, "undecided", "it is no dump"}},
        {RECORD(CHAIN),
         "{\"kind\":\"bundle\",\"version\":1,\"members\":[]}",
         {0, "undecided", "neither a task graph nor a Score"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *folder = make_run(cases[i].record, TRACE("20"));
        tool_write(folder, "plan", cases[i].plan);
        expect(&cases[i].e, tool_path(folder, "deps.json"), "--plan",
               tool_path(folder, "plan"));
        tool_remove(folder);
    }
}

/* A dump is planned first, and held against the record then. */
static void planned_dump(void **state)
{
    (void)state;
    static const expected other = {0, "undecided",
                                   "which is not the plan of this run"};
    static const expected broken = {0, "undecided", "the plan beside"};
    char *folder = make_run(RECORD(CHAIN), NULL);
    const char *record = tool_path(folder, "deps.json");
    tool_copy(folder, "chain.py", "corpus/programs/chain.py");
    expect(&other, record, "--plan", tool_path(folder, "chain.py"));
    tool_write(folder, "odd.py",
               "# pypto.program: p\nimport pypto.language "
               "as pl\n@pl.program\nclass p:\n  odd(\n");
    expect(&broken, record, "--plan", tool_path(folder, "odd.py"));
    tool_remove(folder);
}

static void folder_of_runs(void **state)
{
    (void)state;
    tool_result result;
    char *folder = make_run(RECORD(CHAIN), TRACE("20"));
    tool_write(folder, "b/deps.json", RECORD(EDGE("0", "1")));
    tool_write(folder, "c/" SWIMLANE, TRACE("20"));
    char digest[2][80];
    for (int i = 0; i < 2; i++) {
        tool_run(&result, NULL, "run", "--json", "--jobs", i == 0 ? "1" : "3",
                 folder, NULL);
        assert_int_equal(result.status, 1);
        assert_int_equal(tool_number(result.out, "inputs"), 3);
        assert_int_equal(tool_number(result.out, "refused"), 0);
        assert_int_equal(tool_number(result.out, "partial"), 1);
        tool_string(digest[i], sizeof digest[i], result.out, "digest");
        tool_free(&result);
    }
    assert_string_equal(digest[0], digest[1]);
    tool_remove(folder);
}

/* Edges of a rule set are not added to those that a run has made. */
static void rules_add_nothing(void **state)
{
    (void)state;
    static const expected e = {1, "findings", "hazard.war"};
    char *folder = make_run(RECORD(EDGE("0", "1")), NULL);
    expect(&e, tool_path(folder, "deps.json"), "--rules", "conservative");
    tool_remove(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(trace_beside),      cmocka_unit_test(trace_without_record),
    cmocka_unit_test(named_trace),       cmocka_unit_test(named_plan),
    cmocka_unit_test(planned_dump),      cmocka_unit_test(folder_of_runs),
    cmocka_unit_test(rules_add_nothing),
};

TEST_MAIN(tests)
