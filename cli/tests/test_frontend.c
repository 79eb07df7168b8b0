/*
 * diff.frontend on one small program of our own, told three times: as a task
 * graph, as exporter.json, as orchestration C++. Each case changes one of the
 * three in one place and says what must be found.
 */
#include "../../scripts/testing/harness.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../frontend/compare.h"
#include "../frontend/frontend.h"
#include "../frontend/readers.h"
#include "../input.h"
#include "frontend_texts.h"

/* The text with its only `from` replaced; the caller frees. */
static char *change(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    assert_null(strstr(at + 1, from));
    size_t before = (size_t)(at - text);
    size_t size = strlen(text) - strlen(from) + strlen(to) + 1;
    char *made = malloc(size);
    assert_non_null(made);
    snprintf(made, size, "%.*s%s%s", (int)before, text, to, at + strlen(from));
    return made;
}

static void compare(cli_frontend_result *result, const char *graph,
                    const char *exporter, const char *cpp)
{
    size_t length = cpp == NULL ? 0 : strlen(cpp);
    cli_frontend_input input = {.graph = graph,
                                .graph_length = strlen(graph),
                                .exporter = exporter,
                                .exporter_length =
                                    exporter == NULL ? 0 : strlen(exporter),
                                .cpp = &cpp,
                                .cpp_length = &length,
                                .cpp_count = cpp == NULL ? 0 : 1,
                                .case_digest = "c0ffee"};
    assert_int_equal(cli_frontend_compare(result, &input), CLI_FRONTEND_OK);
}

static void expect_in(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("'%s' is not in: %s", part, text);
}

/* One error from each companion that was changed, with these words in it. */
static void expect_one(const char *graph, const char *exporter, const char *cpp,
                       const char *words)
{
    cli_frontend_result result;
    compare(&result, graph, exporter, cpp);
    for (uint32_t i = 0; result.total != 1 && i < result.count; i++)
        print_message("%s\n", result.findings[i].message);
    assert_int_equal(result.total, 1);
    assert_int_equal(result.count, 1);
    assert_string_equal(result.findings[0].rule, "diff.frontend");
    assert_int_equal(result.findings[0].severity, CLI_FRONTEND_ERROR);
    assert_int_equal(strlen(result.findings[0].signature), 16);
    expect_in(result.findings[0].message, words);
    cli_frontend_free(&result);
}

static void expect_exporter(const char *from, const char *to, const char *words)
{
    char *exporter = change(EXPORTER, from, to);
    expect_one(GRAPH, exporter, NULL, words);
    free(exporter);
}

static void expect_cpp(const char *from, const char *to, const char *words)
{
    char *cpp = change(CPP, from, to);
    expect_one(GRAPH, NULL, cpp, words);
    free(cpp);
}

/* A companion that gives no finding and was not compared. */
static void expect_left_out(const char *exporter, const char *cpp,
                            const char *words)
{
    cli_frontend_result result;
    compare(&result, GRAPH, exporter, cpp);
    assert_int_equal(result.total, 0);
    assert_int_equal(result.compared_count, 1);
    assert_false(result.compared[0].compared);
    expect_in(result.compared[0].reason, words);
    cli_frontend_free(&result);
}

static void expect_warning(const char *exporter, const char *cpp,
                           const char *words)
{
    cli_frontend_result result;
    compare(&result, GRAPH, exporter, cpp);
    assert_int_equal(result.total, 1);
    assert_int_equal(result.findings[0].severity, CLI_FRONTEND_WARNING);
    expect_in(result.findings[0].message, "cannot be compared: ");
    expect_in(result.findings[0].message, words);
    assert_false(result.compared[0].compared);
    cli_frontend_free(&result);
}

static void agreement(void **state)
{
    (void)state;
    cli_frontend_result result;
    compare(&result, GRAPH, EXPORTER, CPP);
    for (uint32_t i = 0; i < result.count; i++)
        print_message("%s\n", result.findings[i].message);
    assert_int_equal(result.total, 0);
    assert_int_equal(result.compared_count, 2);
    for (int i = 0; i < 2; i++) {
        assert_true(result.compared[i].compared);
        assert_null(result.compared[i].reason);
        assert_int_equal(result.compared[i].tasks, 4);
        assert_int_equal(result.compared[i].edges, 4);
        assert_int_equal(result.compared[i].unknown_args, 0);
        assert_int_equal(result.compared[i].unknown_deps, 0);
    }
    assert_int_equal(result.compared[0].args, 8);
    assert_int_equal(result.compared[1].args, 8);
    cli_frontend_free(&result);
}

/* `run` hands over the planner's bundle as it is. */
static void in_bundle(void **state)
{
    (void)state;
    char hex[65];
    cli_text bundle = {0};
    cli_frontend_result result;
    assert_true(cli_sha256(hex, GRAPH, sizeof GRAPH - 1));
    cli_text_put(&bundle, "{\"kind\":\"bundle\",\"members\":[{\"document\":");
    cli_text_put(&bundle, GRAPH);
    cli_text_printf(&bundle,
                    ",\"role\":\"graph\",\"sha256\":\"%s\"}],"
                    "\"version\":1}",
                    hex);
    assert_false(bundle.failed);
    compare(&result, bundle.data, EXPORTER, CPP);
    assert_int_equal(result.total, 0);
    assert_true(result.compared[0].compared && result.compared[1].compared);
    cli_frontend_free(&result);
    cli_text_free(&bundle);
}

static void no_companions(void **state)
{
    (void)state;
    cli_frontend_result result;
    compare(&result, GRAPH, NULL, NULL);
    assert_int_equal(result.total, 0);
    assert_int_equal(result.compared_count, 0);
    cli_frontend_free(&result);
}

static void record(void **state)
{
    (void)state;
    cli_frontend_result result;
    char *graph = change(GRAPH, "\"deps\":[{\"task\":0}],", "");
    compare(&result, graph, EXPORTER, NULL);
    assert_int_equal(result.total, 1);
    assert_int_equal(result.findings[0].line, 12);
    const char *json = result.findings[0].json;
    char start[] = "{\"case\":\"c0ffee\",\"consumer\":{\"line\":12,"
                   "\"name\":\"sift\",\"task\":1},\"message\":\"";
    assert_memory_equal(json, start, sizeof start - 1);
    expect_in(json, "\",\"producer\":{\"line\":11,\"name\":\"grind\","
                    "\"task\":0},\"rule\":\"diff.frontend\","
                    "\"severity\":\"error\",\"signature\":\"");
    expect_in(json, result.findings[0].signature);
    cli_frontend_free(&result);
    free(graph);
}

static void same_signature(void **state)
{
    (void)state;
    cli_frontend_result first, second;
    char *graph =
        change(GRAPH, "\"line\":12,\"deps\":[{\"task\":0}],", "\"line\":77,");
    char *other = change(GRAPH, "\"deps\":[{\"task\":2}],", "");
    compare(&first, graph, EXPORTER, NULL);
    compare(&second, graph, NULL, CPP);
    assert_string_equal(first.findings[0].signature,
                        second.findings[0].signature);
    cli_frontend_free(&second);
    compare(&second, other, NULL, CPP);
    assert_string_not_equal(first.findings[0].signature,
                            second.findings[0].signature);
    cli_frontend_free(&first);
    cli_frontend_free(&second);
    free(graph);
    free(other);
}

static void task_count(void **state)
{
    (void)state;
    char *graph = change(
        GRAPH,
        "{\"id\":2,\"name\":\"\",\"core\":\"aiv\",\"blocks\":1,\"scope\":0,"
        "\"dummy\":true,\"line\":13,\"deps\":[{\"task\":1},{\"task\":0}]},",
        "");
    char *rest = change(graph, "\"deps\":[{\"task\":2}],", "");
    cli_frontend_result result;
    compare(&result, rest, EXPORTER, CPP);
    assert_int_equal(result.total, 3);
    expect_in(result.findings[0].message, "the text has 3 tasks");
    expect_in(result.findings[1].message, "says that it is a dummy");
    expect_in(result.findings[2].message, "the text has 3 tasks");
    cli_frontend_free(&result);
    free(graph);
    free(rest);
}

static void callee(void **state)
{
    (void)state;
    expect_exporter("\"op\":\"bake\"", "\"op\":\"fry\"", "a call of fry");
    expect_cpp("rt_submit_aiv_task(2, params_t2)",
               "rt_submit_dummy_task(params_t2)", "a dummy");
}

static void argument_count(void **state)
{
    (void)state;
    expect_exporter(VAR(15) "," VAR(2) "],\"deps\":[]", VAR(15) "],\"deps\":[]",
                    "the text has 3 tensors and 0 scalars");
    expect_cpp("params_t1.add_scalar((uint64_t)4);", "",
               "the text has 2 tensors and 1 scalars");
}

static void argument_storage(void **state)
{
    (void)state;
    expect_exporter("\"args\":[" VAR(7) "]}", "\"args\":[" VAR(11) "]}",
                    "argument 1: the text says storage 'alloc:dust' (until now "
                    "'dust__ssa_v0' there), exporter.json says 'meal__ssa_v0' "
                    "(until now 'alloc:meal' in the text)");
    expect_cpp("row = dust.view(", "row = ext_grain.view(",
               "'alloc:dust' (until now 'dust' there), the generated C++ says "
               "parameter 'grain' (until now parameter 'grain' in the text)");
}

static void argument_order(void **state)
{
    (void)state;
    cli_frontend_result result;
    char *cpp = change(CPP,
                       "        params_t2.add_no_dep(row);\n"
                       "        params_t2.add_output(ext_flour);\n",
                       "        params_t2.add_output(ext_flour);\n"
                       "        params_t2.add_no_dep(row);\n");
    compare(&result, GRAPH, NULL, cpp);
    assert_int_equal(result.total, 4);
    cli_frontend_free(&result);
    free(cpp);
}

static void result_map(void **state)
{
    (void)state;
    /* A wrong map of `inner` shows where `sift`'s result is used. */
    char *exporter =
        change(EXPORTER, KERNEL("inner", "[2]"), KERNEL("inner", "[0]"));
    expect_one(GRAPH, exporter, NULL, "task 3 (bake), argument 0");
    free(exporter);
    /* A map that is not told is no difference. */
    cli_frontend_result result;
    exporter =
        change(EXPORTER, KERNEL("grind", "[1]"), KERNEL("grind", "[null]"));
    compare(&result, GRAPH, exporter, NULL);
    assert_int_equal(result.total, 0);
    assert_int_equal(result.compared[0].unknown_args, 2);
    cli_frontend_free(&result);
    free(exporter);
}

static void parameter_name(void **state)
{
    (void)state;
    expect_exporter("flour__ssa_v0", "bread__ssa_v0",
                    "parameter 'flour', exporter.json says parameter "
                    "'bread__ssa_v0'");
}

static void direction(void **state)
{
    (void)state;
    expect_exporter("\"NoDep\"", "\"Input\"",
                    "the text says no_dep, exporter.json says input");
    expect_exporter("[\"InOut\",", "[\"OutputExisting\",",
                    "inout, exporter.json says output_existing");
    expect_cpp("params_t2.add_inout(meal)", "params_t2.add_output(meal)",
               "the text says inout, the generated C++ says output");
}

static void declared(void **state)
{
    (void)state;
    expect_exporter("{\"name\":\"grind\",\"type\":\"AIV\",\"params\":["
                    "{\"id\":90,\"n\":\"a\",\"dir\":\"In\"}",
                    "{\"name\":\"grind\",\"type\":\"AIV\",\"params\":["
                    "{\"id\":90,\"n\":\"a\",\"dir\":\"InOut\"}",
                    "argument 0: the text says that the parameter is declared "
                    "in, exporter.json says inout");
}

static void core(void **state)
{
    (void)state;
    expect_cpp("rt_submit_aiv_task(1, params_t1)",
               "rt_submit_aic_task(1, params_t1)",
               "task 1 (sift): the text says core aiv, the generated C++ says "
               "aic");
    expect_cpp("rt_submit_aiv_task(1, params_t1)",
               "rt_submit_task(mixed_1, params_t1)", "says mixed");
}

static void scalar(void **state)
{
    (void)state;
    expect_exporter("{\"k\":\"int\",\"v\":4}", "{\"k\":\"int\",\"v\":5}",
                    "argument 1: the text says 4, exporter.json says 5");
}

static void dependencies(void **state)
{
    (void)state;
    expect_exporter("\"deps\":[" VAR(8) "]", "\"deps\":[]",
                    "the text has a dependency on task 0 (grind), "
                    "exporter.json has not");
    expect_exporter("\"compiler_manual_dep_edges\":[" VAR(14) "]",
                    "\"compiler_manual_dep_edges\":[" VAR(14) "," VAR(12) "]",
                    "exporter.json has a dependency on task 1");
    /* The call behind a name, here of a result. */
    expect_exporter("\"compiler_manual_dep_edges\":[" VAR(14) "]",
                    "\"compiler_manual_dep_edges\":[" VAR(14) "," VAR(7) "]",
                    "exporter.json has a dependency on task 0");
    expect_cpp("ids[2] = tid;", "",
               "dependency on task 0 (grind), the generated C++ has");
}

static void blocks(void **state)
{
    (void)state;
    expect_exporter("\"core_num\":{\"k\":\"int\",\"v\":8}",
                    "\"core_num\":{\"k\":\"int\",\"v\":24}",
                    "the text says 8 blocks, exporter.json says 24");
    expect_cpp("set_block_num(8)", "set_block_num(16)", "says 16");
}

static void predicate(void **state)
{
    (void)state;
    expect_exporter("\"op\":\"tensor.read\",\"user\":false,\"args\":[" VAR(1),
                    "\"op\":\"tensor.read\",\"user\":false,\"args\":[" VAR(2),
                    "its predicate reads parameter 'grain'");
    expect_cpp("params_t2.set_predicate(pred);", "",
               "the text has a predicate, the generated C++ has not");
}

static void dead_dummy(void **state)
{
    (void)state;
    /* Nobody valid among its dependencies: neither answer submits it. */
    char *graph = change(
        GRAPH,
        "{\"id\":2,\"name\":\"\",\"core\":\"aiv\",\"blocks\":1,\"scope\":0,"
        "\"dummy\":true,\"line\":13,\"deps\":[{\"task\":1},{\"task\":0}]},",
        "");
    char *rest = change(graph, "\"deps\":[{\"task\":2}],",
                        "\"deps\":[{\"task\":null,\"name\":\"fence\","
                        "\"cause\":\"dead\"}],");
    char *exporter = change(EXPORTER, "\"manual_dep_edges\":[" VAR(13) "]",
                            "\"manual_dep_edges\":[" VAR(5) "]");
    char *first = change(CPP, "ids[2] = tid;", "");
    char *cpp = change(first, "ids[0] = outs_1.task_id();", "");
    cli_frontend_result result;
    compare(&result, rest, exporter, cpp);
    for (uint32_t i = 0; i < result.count; i++)
        print_message("%s\n", result.findings[i].message);
    assert_int_equal(result.total, 0);
    assert_true(result.compared[0].compared && result.compared[1].compared);
    assert_int_equal(result.compared[0].tasks, 3);
    cli_frontend_free(&result);
    free(graph);
    free(rest);
    free(exporter);
    free(first);
    free(cpp);
}

static void control_flow(void **state)
{
    (void)state;
    char *exporter = change(EXPORTER, "{\"s\":\"scope\",\"manual\":true,",
                            "{\"s\":\"while\",");
    expect_left_out(exporter, NULL, "it has control flow (while)");
    free(exporter);
    char *cpp = change(CPP, "PTO2_SCOPE() {", "do {");
    expect_left_out(NULL, cpp, "it has control flow (do in line 6)");
    free(cpp);
    cpp = change(CPP, "PTO2_SCOPE() {", "if (full) return; {");
    expect_left_out(NULL, cpp, "it has control flow (return in line 6)");
    free(cpp);
    cpp = change(CPP, "PTO2_SCOPE() {", "for {");
    expect_left_out(NULL, cpp, "it has control flow (for in line 6)");
    free(cpp);
}

static void damaged(void **state)
{
    (void)state;
    expect_warning("", NULL, "it is not JSON");
    expect_warning("{\"schema\":\"other\"}", NULL, "its schema");
    expect_warning("{\"schema\":\"pypto-orch-ir/0\"}", NULL,
                   "it has no list of functions");
    expect_warning("{\"schema\":\"pypto-orch-ir/0\",\"functions\":[]}", NULL,
                   "it has no orchestration function");
    expect_warning(NULL, "", "no orchestration entry function");
    expect_warning(NULL, "void aicpu_orchestration_entry() { f(); ",
                   "does not end");
    char *cpp = change(CPP, "params_t2.add_no_dep(", "params_t2.add_maybe(");
    expect_warning(NULL, cpp, "an argument of an unknown kind in line");
    free(cpp);
    cpp = change(CPP, "rt_submit_aiv_task(2, params_t2)",
                 "rt_submit_all(params_t2, 1 + 1)");
    expect_warning(NULL, cpp, "a submit of an unknown form in line");
    free(cpp);
}

/* A prefix is never compared, and never claims a difference. */
static void expect_refused(const char *exporter, const char *cpp)
{
    cli_frontend_result result;
    compare(&result, GRAPH, exporter, cpp);
    assert_false(result.compared[0].compared);
    assert_non_null(result.compared[0].reason);
    for (uint32_t i = 0; i < result.count; i++)
        assert_int_equal(result.findings[i].severity, CLI_FRONTEND_WARNING);
    cli_frontend_free(&result);
}

static void cut_anywhere(void **state)
{
    (void)state;
    for (size_t cut = 0; cut < sizeof EXPORTER - 1; cut++) {
        char *exporter = strndup(EXPORTER, cut);
        expect_refused(exporter, NULL);
        free(exporter);
    }
    for (size_t cut = 0; cut < sizeof CPP - 2; cut++) {
        char *cpp = strndup(CPP, cut);
        expect_refused(NULL, cpp);
        free(cpp);
    }
}

static void bad_graph(void **state)
{
    (void)state;
    cli_frontend_result result;
    compare(&result, "{", EXPORTER, CPP);
    assert_int_equal(result.total, 0);
    assert_int_equal(result.compared_count, 2);
    assert_false(result.compared[0].compared || result.compared[1].compared);
    expect_in(result.compared[0].reason, "the task graph cannot be read");
    cli_frontend_free(&result);
}

static void several_functions(void **state)
{
    (void)state;
    /* A HOST function that calls main: the graph is of main all the same. */
    char *exporter = change(
        EXPORTER, "{\"name\":\"main\",",
        "{\"name\":\"host\",\"type\":\"Opaque\",\"level\":\"HOST\",\"role\":"
        "\"Orchestrator\",\"params\":[],\"return_params\":[],\"body\":{\"s\":"
        "\"seq\",\"b\":[{\"s\":\"eval\",\"x\":{\"k\":\"call\",\"op\":\"main\","
        "\"user\":true,\"args\":[]}}]}},{\"name\":\"main\",");
    cli_frontend_result result;
    compare(&result, GRAPH, exporter, CPP);
    assert_int_equal(result.total, 0);
    assert_true(result.compared[0].compared && result.compared[1].compared);
    cli_frontend_free(&result);
    free(exporter);
    /* C++ of another function is not compared. */
    char *cpp = change(CPP, "Function: main", "Function: other");
    compare(&result, GRAPH, EXPORTER, cpp);
    assert_int_equal(result.total, 0);
    assert_false(result.compared[1].compared);
    expect_in(result.compared[1].reason, "another function");
    cli_frontend_free(&result);
    free(cpp);
}

static void sections(void **state)
{
    (void)state;
    cli_frontend_result result;
    compare(&result, TWO_GRAPH, TWO_EXPORTER, SOUTH_CPP);
    for (uint32_t i = 0; i < result.count; i++)
        print_message("%s\n", result.findings[i].message);
    assert_int_equal(result.total, 0);
    assert_true(result.compared[0].compared && result.compared[1].compared);
    assert_int_equal(result.compared[0].tasks, 3);
    assert_int_equal(result.compared[0].edges, 1);
    assert_int_equal(result.compared[1].tasks, 2);
    assert_int_equal(result.compared[1].edges, 1);
    cli_frontend_free(&result);

    char *changed = change(TWO_EXPORTER, FUNCTION("north", INOUT("k", "")),
                           FUNCTION("north", INOUT("other", "")));
    expect_one(TWO_GRAPH, changed, NULL, "task 0 (k): exporter.json says that");
    free(changed);
    changed = change(TWO_EXPORTER, FUNCTION("north", INOUT("k", "")),
                     FUNCTION("north", INOUT("k", "") "," INOUT("k", "")));
    expect_one(TWO_GRAPH, changed, NULL,
               "function north: the text has 1 tasks, exporter.json has 2");
    free(changed);
    /* An argument of another function's parameter of the same name. */
    changed =
        change(TWO_GRAPH, "{\"buffer\":\"param:south.x__ssa_v0\",\"dispatch\":",
               "{\"buffer\":\"param:north.x__ssa_v0\",\"dispatch\":");
    expect_one(changed, TWO_EXPORTER, NULL,
               "function south: the text has 0 tasks, exporter.json has 2");
    compare(&result, changed, NULL, SOUTH_CPP);
    assert_int_equal(result.total, 0);
    expect_in(result.compared[0].reason, "that the task graph has not");
    cli_frontend_free(&result);
    free(changed);
}

/* One function of several has a loop: the others are compared. */
static void section_with_loop(void **state)
{
    (void)state;
    cli_frontend_result result;
    char *exporter = change(TWO_EXPORTER, INOUT("k", ""), "{\"s\":\"while\"}");
    compare(&result, TWO_GRAPH, exporter, NULL);
    assert_int_equal(result.total, 0);
    assert_true(result.compared[0].compared);
    assert_int_equal(result.compared[0].tasks, 2);
    expect_in(result.compared[0].reason, "control flow (while)");
    cli_frontend_free(&result);
    free(exporter);
}

static void many_findings(void **state)
{
    (void)state;
    /* 1,000 tasks that all depend on what the graph does not say. */
    size_t size = 300000;
    char *graph = malloc(size);
    char *cpp = malloc(size);
    assert_true(graph != NULL && cpp != NULL);
    int g = snprintf(graph, size,
                     "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"n\","
                     "\"rules\":\"none\",\"buffers\":[],\"tasks\":[");
    int c = snprintf(cpp, size,
                     "void aicpu_orchestration_entry() { CoreTaskArgs a;"
                     "TaskOutputTensors o = rt_submit_aiv_task(0, a);"
                     "PTO2TaskId d[1]; uint32_t n = 0; d[n++] = o.task_id();"
                     "a.set_dependencies(d, n);");
    for (int i = 0; i < 1001; i++) {
        g += snprintf(graph + g, size - (size_t)g,
                      "%s{\"id\":%d,\"name\":\"k\",\"core\":\"aiv\","
                      "\"args\":[]}",
                      i == 0 ? "" : ",", i);
        if (i > 0)
            c += snprintf(cpp + c, size - (size_t)c,
                          "rt_submit_aiv_task(0, a);");
    }
    snprintf(graph + g, size - (size_t)g, "]}");
    snprintf(cpp + c, size - (size_t)c, "}");
    cli_frontend_result result;
    compare(&result, graph, NULL, cpp);
    assert_int_equal(result.total, 1000);
    assert_int_equal(result.count, 200);
    cli_frontend_free(&result);
    free(graph);
    free(cpp);
}

typedef struct counted {
    const frontend_outline *text;
    unsigned differences;
} counted;

/* What the exporter does not tell is no difference. */
static frontend_status count_difference(void *context,
                                        const frontend_difference *difference)
{
    counted *c = context;
    if (difference->arg != FRONTEND_NONE) {
        const frontend_task *task = &c->text->tasks[difference->task];
        uint32_t arg = task->first_arg + difference->arg;
        if (c->text->args[arg].root == FRONTEND_NONE)
            return FRONTEND_OK;
    }
    print_message("%s\n", difference->message);
    c->differences++;
    return FRONTEND_OK;
}

/* exporter.json in the role of the text against the C++ of one program. */
static bool outlines_agree(const cli_text *json, const cli_text *cpp)
{
    char reason[200];
    frontend_outline text, other;
    exporter_file *file = NULL;
    frontend_outline_init(&text);
    frontend_outline_init(&other);
    assert_int_equal(exporter_open(&file, json->data, json->length, reason),
                     FRONTEND_OK);
    frontend_status status = frontend_read_cpp(&other, cpp->data, cpp->length);
    assert_true(status == FRONTEND_OK || status == FRONTEND_SKIPPED);
    bool both = status == FRONTEND_OK && exporter_candidates(file) == 1 &&
                exporter_outline(&text, file, 0) == FRONTEND_OK;
    counted count = {&text, 0};
    frontend_comparison c = {.text = &text,
                             .other = &other,
                             .other_name = "C++",
                             .generated = true,
                             .report = count_difference,
                             .context = &count};
    frontend_compare_whole(&c);
    if (both)
        assert_int_equal(frontend_compare_outlines(&c), FRONTEND_OK);
    assert_int_equal(count.differences, 0);
    frontend_outline_free(&text);
    frontend_outline_free(&other);
    exporter_close(file);
    return both;
}

static bool companions_agree(const char *folder, const char *cpp_path)
{
    char path[4096], problem[200];
    cli_text json = {0}, cpp = {0};
    snprintf(path, sizeof path, "%s/exporter.json", folder);
    bool read = cli_input_read(&json, path, CLI_INPUT_LIMIT, false, problem,
                               sizeof problem) &&
                cli_input_read(&cpp, cpp_path, CLI_INPUT_LIMIT, false, problem,
                               sizeof problem);
    bool both = read && outlines_agree(&json, &cpp);
    cli_text_free(&json);
    cli_text_free(&cpp);
    return both;
}

static bool program_agrees(const char *folder)
{
    char path[2048];
    bool compared = false;
    snprintf(path, sizeof path, "%s/orchestration", folder);
    DIR *found = opendir(path);
    if (found == NULL)
        return false;
    for (struct dirent *e = readdir(found); e != NULL; e = readdir(found)) {
        char cpp[4096];
        if (strstr(e->d_name, ".cpp") == NULL)
            continue;
        snprintf(cpp, sizeof cpp, "%s/%s", path, e->d_name);
        compared = companions_agree(folder, cpp);
    }
    closedir(found);
    return compared;
}

static void real_companions(void **state)
{
    (void)state;
    static const char root[] = "../shared/corpus/pypto";
    unsigned compared = 0;
    test_needs(root);
    DIR *found = opendir(root);
    assert_non_null(found);
    for (struct dirent *e = readdir(found); e != NULL; e = readdir(found)) {
        char folder[1024];
        if (e->d_name[0] == '.')
            continue;
        snprintf(folder, sizeof folder, "%s/%s", root, e->d_name);
        if (program_agrees(folder))
            compared++;
    }
    closedir(found);
    assert_in_range(compared, 100, 132);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(agreement),
    cmocka_unit_test(in_bundle),
    cmocka_unit_test(no_companions),
    cmocka_unit_test(record),
    cmocka_unit_test(same_signature),
    cmocka_unit_test(task_count),
    cmocka_unit_test(callee),
    cmocka_unit_test(argument_count),
    cmocka_unit_test(argument_storage),
    cmocka_unit_test(argument_order),
    cmocka_unit_test(result_map),
    cmocka_unit_test(parameter_name),
    cmocka_unit_test(direction),
    cmocka_unit_test(declared),
    cmocka_unit_test(core),
    cmocka_unit_test(scalar),
    cmocka_unit_test(dependencies),
    cmocka_unit_test(blocks),
    cmocka_unit_test(predicate),
    cmocka_unit_test(dead_dummy),
    cmocka_unit_test(control_flow),
    cmocka_unit_test(damaged),
    cmocka_unit_test(cut_anywhere),
    cmocka_unit_test(bad_graph),
    cmocka_unit_test(several_functions),
    cmocka_unit_test(sections),
    cmocka_unit_test(section_with_loop),
    cmocka_unit_test(many_findings),
    cmocka_unit_test(real_companions),
};

TEST_MAIN(tests)
