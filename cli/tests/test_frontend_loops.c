/*
 * diff.frontend on a program with loops and branches, told three times: the
 * task graph by the loops of this file, exporter.json and the generated C++ as
 * texts. Each case changes one text in one place and says what must be found.
 */
#include "../../scripts/testing/harness.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../frontend/frontend.h"
#include "../frontend/readers.h"
#include "../text.h"
#include "frontend_texts.h"

/*
 * Three shelves from the last to the first, each with a board of its own and
 * two loaves on it that wait for the loaf before; all loaves of a shelf are
 * collected behind a fence, and the first shelf is glazed when all are there.
 */
#define FOR(id, name, start, stop, step, carry, ret, body)                     \
    "{\"s\":\"for\",\"kind\":\"Sequential\",\"v\":{\"id\":" #id                \
    ",\"n\":\"" name                                                           \
    "\"},\"start\":" INT(start) ",\"stop\":" INT(stop) ",\"step\":" INT(       \
        step) ",\"carry\":[" carry "],\"ret\":[" ret                           \
              "],\"attrs\":{},\"b\":" SEQUENCE(body) "}"
#define CARRY(id, init) "{\"id\":" #id ",\"n\":\"c\",\"init\":" VAR(init) "}"
#define RET(id) "{\"id\":" #id ",\"n\":\"r\"}"
#define YIELD(x) "{\"s\":\"yield\",\"x\":[" x "]}"
#define BIN(op, l, r)                                                          \
    "{\"k\":\"bin\",\"op\":\"" op "\",\"l\":" l ",\"r\":" r "}"
#define IF(cond, then, otherwise, ret)                                         \
    "{\"s\":\"if\",\"cond\":" cond ",\"then\":" SEQUENCE(                      \
        then) ",\"else\":" SEQUENCE(otherwise) ",\"ret\":[" ret "]}"

/* clang-format off */
static const char LOOPS_EXPORTER[] =
    "{\"schema\":\"pypto-orch-ir/0\",\"program\":\"Bakery\",\"functions\":["
    KERNEL("knead", "[1]") ","
    KERNEL("glaze", "[1]") ","
    KERNEL("serve", "[1]") ","
    "{\"name\":\"main\",\"type\":\"Orchestration\",\"level\":\"CHIP\","
    "\"role\":\"Orchestrator\",\"params\":["
    "{\"id\":1,\"n\":\"grain__ssa_v0\",\"dir\":\"In\"},"
    "{\"id\":2,\"n\":\"bread__ssa_v0\",\"dir\":\"Out\"}],"
    "\"return_params\":[null],\"body\":" SEQUENCE(
        LET(3, "none", CALL("system.task_invalid", "")) ","
        LET(4, "ids", CALL("array.create", INT(6))) ","
        FOR(5, "i", 2, -1, -1, CARRY(6, 3) "," CARRY(7, 4), RET(8) "," RET(9),
            LET(10, "board__ssa_v0", CREATE) ","
            FOR(11, "j", 0, 2, 1, CARRY(12, 6) "," CARRY(13, 7),
                RET(14) "," RET(15),
                LET(16, "at", BIN("Add", BIN("Mul", VAR(5), INT(2)), VAR(11)))
                ","
                LET(17, "t", SUBMIT("knead", VAR(1) "," VAR(10) "," VAR(16),
                                    VAR(12), "\"Input\",\"InOut\",\"Scalar\"",
                                    "}")) ","
                LET(18, "tid", GET(17, 1)) ","
                LET(19, "ids1", CALL("array.update_element",
                                     VAR(13) "," VAR(16) "," VAR(18))) ","
                YIELD(VAR(18) "," VAR(19))) ","
            IF(BIN("Eq", VAR(5), INT(0)),
               LET(20, "f", DUMMY(VAR(15))) ","
               LET(21, "g", SUBMIT("glaze", VAR(10) "," VAR(2), VAR(20),
                                   "\"Input\",\"OutputExisting\"", "}")) ","
               LET(22, "g_tid", GET(21, 1)) ","
               YIELD(VAR(22)),
               YIELD(VAR(14)), RET(23)) ","
            YIELD(VAR(23) "," VAR(15))) ","
        LET(24, "s", SUBMIT("serve", VAR(2) "," VAR(1), VAR(8) "," VAR(9),
                            "\"InOut\",\"NoDep\"",
                            ",\"compiler_manual_dep_edges\":[" VAR(8) "]}"))
        "," RETURN(VAR(2))) "}]}";

static const char LOOPS_CPP[] =
    "// Orchestration Function: main\n"
    "void aicpu_orchestration_entry(const ChipTaskArgs& orch_args) {\n"
    "    const ChipTensor& ext_grain = orch_args.tensor(0).ref();\n"
    "    const ChipTensor& ext_bread = orch_args.tensor(1).ref();\n"
    "    PTO2_SCOPE() {\n"
    "        PTO2TaskId last = PTO2TaskId::invalid();\n"
    "        PTO2TaskId past[3]; for (int64_t __init_i = 0; __init_i < 3; "
    "++__init_i) past[__init_i] = PTO2TaskId::invalid();\n"
    "        PTO2TaskId ids[6]; for (int64_t __init_i = 0; __init_i < 6; "
    "++__init_i) ids[__init_i] = PTO2TaskId::invalid();\n"
    "        for (int64_t i = 2; i > -1; i += -1) {\n"
    "            TaskOutputTensors alloc_0 = alloc_tensors(board_ci);\n"
    "            const ChipTensor& board = alloc_0.get_ref(0);\n"
    "            for (int64_t j = 0; j < 2; j += 1) {\n"
    "                int64_t at = ((i * 2) + j);\n"
    "                CoreTaskArgs params_t0;\n"
    "                params_t0.add_input(ext_grain);\n"
    "                params_t0.add_inout(board);\n"
    "                params_t0.add_scalar(at);\n"
    "                PTO2TaskId params_t0_deps[1];\n"
    "                uint32_t params_t0_deps_count = 0;\n"
    "                if (last.is_valid()) "
    "params_t0_deps[params_t0_deps_count++] = last;\n"
    "                params_t0.set_dependencies(params_t0_deps, "
    "params_t0_deps_count);\n"
    "                TaskOutputTensors task_0_outs = "
    "rt_submit_aiv_task(0, params_t0);\n"
    "                PTO2TaskId tid = task_0_outs.task_id();\n"
    "                ids[at] = tid;\n"
    "                last = tid;\n"
    "            }\n"
    "            PTO2TaskId ended = PTO2TaskId::invalid();\n"
    "            if ((i == 0)) {\n"
    "                CoreTaskArgs params_f;\n"
    "                PTO2TaskId params_f_deps[6];\n"
    "                uint32_t params_f_deps_count = 0;\n"
    "                if (ids[0].is_valid()) "
    "params_f_deps[params_f_deps_count++] = ids[0];\n"
    "                if (ids[1].is_valid()) "
    "params_f_deps[params_f_deps_count++] = ids[1];\n"
    "                for (int64_t k = 2; k <= 5; k++) "
    "if (ids[k].is_valid()) params_f_deps[params_f_deps_count++] = ids[k];\n"
    "                params_f.set_dependencies(params_f_deps, "
    "params_f_deps_count);\n"
    "                PTO2TaskId f_tid = PTO2TaskId::invalid();\n"
    "                if (params_f_deps_count > 0) {\n"
    "                    TaskOutputTensors f_outs = "
    "rt_submit_dummy_task(params_f);\n"
    "                    f_tid = f_outs.task_id();\n"
    "                }\n"
    "                CoreTaskArgs params_t1;\n"
    "                params_t1.add_input(board);\n"
    "                params_t1.add_output(ext_bread);\n"
    "                PTO2TaskId params_t1_deps[1];\n"
    "                uint32_t params_t1_deps_count = 0;\n"
    "                params_t1_deps[params_t1_deps_count++] = f_tid;\n"
    "                params_t1.set_dependencies(params_t1_deps, "
    "params_t1_deps_count);\n"
    "                TaskOutputTensors task_1_outs = "
    "rt_submit_aiv_task(1, params_t1);\n"
    "                ended = task_1_outs.task_id();\n"
    "            } else {\n"
    "                ended = last;\n"
    "            }\n"
    "            last = ended;\n"
    "            past[((i - 2) / -1)] = ended;\n"
    "        }\n"
    "        CoreTaskArgs params_t2;\n"
    "        params_t2.add_inout(ext_bread);\n"
    "        params_t2.add_no_dep(ext_grain);\n"
    "        PTO2TaskId params_t2_deps[9];\n"
    "        uint32_t params_t2_deps_count = 0;\n"
    "        int64_t all = 0;\n"
    "        while (all < std::min<int64_t>(6, (int64_t)9)) {\n"
    "            params_t2_deps[params_t2_deps_count++] = ids[all];\n"
    "            all++;\n"
    "        }\n"
    "        for (int64_t k = 0; k < 3; k += 1) "
    "params_t2_deps[params_t2_deps_count++] = past[k];\n"
    "        params_t2.set_dependencies(params_t2_deps, "
    "params_t2_deps_count);\n"
    "        rt_submit_aiv_task(2, params_t2);\n"
    "    }\n"
    "}\n";
/* clang-format on */

/* --- The graph --- */

static void put_task(cli_text *out, int id, const char *name, int line,
                     const char *deps, const char *args)
{
    cli_text_printf(out,
                    "%s{\"id\":%d,\"name\":\"%s\",\"core\":\"aiv\",\"line\":"
                    "%d,\"scope\":0,%s\"deps\":[%s],\"args\":[%s]}",
                    id == 0 ? "" : ",", id, name, line,
                    *name == '\0' ? "\"dummy\":true," : "", deps, args);
}

static void put_loaves(cli_text *out)
{
    int id = 0;
    for (int i = 2; i >= 0; i--)
        for (int j = 0; j < 2; j++) {
            char deps[40] = "", args[200];
            if (id > 0)
                snprintf(deps, sizeof deps, "{\"task\":%d}", id - 1);
            snprintf(args, sizeof args,
                     "{\"buffer\":\"param:grain\",\"dispatch\":\"input\"},"
                     "{\"buffer\":\"alloc:board@%d\",\"dispatch\":\"inout\"},"
                     "{\"scalar\":%d}",
                     2 - i, i * 2 + j);
            put_task(out, id++, "knead", 11, deps, args);
        }
    put_task(out, 6, "", 12,
             "{\"task\":0},{\"task\":1},{\"task\":2},{\"task\":3},"
             "{\"task\":4},{\"task\":5}",
             "");
    put_task(out, 7, "glaze", 13, "{\"task\":6}",
             "{\"buffer\":\"alloc:board@2\",\"dispatch\":\"input\"},"
             "{\"buffer\":\"param:bread\",\"dispatch\":\"output_existing\"}");
    put_task(out, 8, "serve", 14,
             "{\"task\":0},{\"task\":1},{\"task\":2},{\"task\":3},"
             "{\"task\":4},{\"task\":5},{\"task\":7}",
             "{\"buffer\":\"param:bread\",\"dispatch\":\"inout\"},"
             "{\"buffer\":\"param:grain\",\"dispatch\":\"no_dep\"}");
}

static char *make_graph(void)
{
    cli_text out = {0};
    cli_text_put(&out,
                 "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"Bakery\","
                 "\"rules\":\"none\",\"buffers\":["
                 "{\"key\":\"param:grain\",\"bytes\":64,\"external\":true},"
                 "{\"key\":\"param:bread\",\"bytes\":64,\"external\":true}");
    for (int i = 0; i < 3; i++)
        cli_text_printf(&out,
                        ",{\"key\":\"alloc:board@%d\",\"bytes\":64,"
                        "\"external\":false}",
                        i);
    cli_text_put(&out, "],\"scopes\":[{\"id\":0,\"manual\":false,"
                       "\"parent\":null}],\"tasks\":[");
    put_loaves(&out);
    cli_text_put(&out, "]}");
    assert_false(out.failed);
    return out.data;
}

/* --- Comparing --- */

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
                                .cpp_count = cpp == NULL ? 0 : 1};
    assert_int_equal(cli_frontend_compare(result, &input), CLI_FRONTEND_OK);
}

static void print_findings(const cli_frontend_result *result)
{
    for (uint32_t i = 0; i < result->count; i++)
        print_message("%s\n", result->findings[i].message);
    for (uint32_t i = 0; i < result->compared_count; i++)
        if (result->compared[i].reason != NULL)
            print_message("%s\n", result->compared[i].reason);
}

/* The text with its only `from` replaced; the caller frees. */
static char *change(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    assert_null(strstr(at + 1, from));
    size_t size = strlen(text) - strlen(from) + strlen(to) + 1;
    char *made = malloc(size);
    assert_non_null(made);
    snprintf(made, size, "%.*s%s%s", (int)(at - text), text, to,
             at + strlen(from));
    return made;
}

/* The change is found: `words` in the message of the first error. */
static void expect(const char *text, bool cpp, const char *from, const char *to,
                   const char *words)
{
    char *graph = make_graph();
    char *changed = change(text, from, to);
    cli_frontend_result result;
    compare(&result, graph, cpp ? NULL : changed, cpp ? changed : NULL);
    if (result.total == 0 ||
        strstr(result.findings[0].message, words) == NULL) {
        print_findings(&result);
        fail_msg("'%s' for '%s': not '%s'", to, from, words);
    }
    assert_int_equal(result.findings[0].severity, CLI_FRONTEND_ERROR);
    cli_frontend_free(&result);
    free(changed);
    free(graph);
}

static void expect_cpp(const char *from, const char *to, const char *words)
{
    expect(LOOPS_CPP, true, from, to, words);
}

static void expect_exporter(const char *from, const char *to, const char *words)
{
    expect(LOOPS_EXPORTER, false, from, to, words);
}

static void agreement(void **state)
{
    (void)state;
    char *graph = make_graph();
    cli_frontend_result result;
    compare(&result, graph, LOOPS_EXPORTER, LOOPS_CPP);
    print_findings(&result);
    assert_int_equal(result.total, 0);
    assert_int_equal(result.compared_count, 2);
    for (int i = 0; i < 2; i++) {
        assert_true(result.compared[i].compared);
        assert_null(result.compared[i].reason);
        assert_int_equal(result.compared[i].tasks, 9);
        assert_int_equal(result.compared[i].edges, 19);
        assert_int_equal(result.compared[i].args, 22);
        assert_int_equal(result.compared[i].unknown_args, 0);
        assert_int_equal(result.compared[i].unknown_deps, 0);
        assert_int_equal(result.compared[i].unknown_tasks, 0);
    }
    cli_frontend_free(&result);
    free(graph);
}

/* --- Single changes --- */

static void cpp_bounds(void **state)
{
    (void)state;
    expect_cpp("i > -1;", "i > 0;", "the text has 9 tasks");
    expect_cpp("i > -1;", "i >= -1;", "the text has 9 tasks");
    expect_cpp("i = 2; i > -1; i += -1", "i = 0; i < 3; i += 1",
               "argument 2: the text says 4, the generated C++ says 0");
    expect_cpp("i += -1", "i += -2", "the text has 9 tasks");
    expect_cpp("j = 0; j < 2; j += 1", "j = 1; j > -1; j -= 1",
               "the text says 4, the generated C++ says 5");
    expect_cpp("j < 2", "j < 2000000", "the generated C++ has more than");
    expect_cpp("(i == 0)", "(i == 1)", "task 4 (knead): the generated C++");
    expect_cpp("(i == 0)", "(i != 0)", "the text has 9 tasks");
}

static void cpp_edges(void **state)
{
    (void)state;
    expect_cpp("                last = tid;\n", "",
               "task 1 (knead): the text has a dependency on task 0");
    expect_cpp("ids[at] = tid;", "ids[j] = tid;", "task 6 (dummy)");
    expect_cpp("k = 2; k <= 5; k++", "k = 2; k < 5; k++",
               "task 6 (dummy): the text has a dependency on task 1");
    expect_cpp("= f_tid;\n", "= last;\n", "task 7 (glaze)");
    expect_cpp("= ids[all];", "= ids[(all / 2)];", "task 8 (serve)");
    expect_cpp("                ended = last;\n", "", "task 2 (knead)");
    expect_cpp("k < 3;", "k < 2;",
               "task 8 (serve): the text has a dependency on task 7");
    expect_cpp("(int64_t)9)", "(int64_t)4)", "task 8 (serve)");
}

static void cpp_arguments(void **state)
{
    (void)state;
    expect_cpp("params_t0.add_scalar(at);", "params_t0.add_scalar(i);",
               "argument 2: the text says 4, the generated C++ says 2");
    expect_cpp("params_t1.add_input(board);", "params_t1.add_input(ext_grain);",
               "task 7 (glaze), argument 0");
    expect_cpp("params_t0.add_input(ext_grain);\n                "
               "params_t0.add_inout(board);",
               "params_t0.add_inout(board);\n                "
               "params_t0.add_input(ext_grain);",
               "task 0 (knead), argument 0");
    /* One board for all shelves. */
    expect_cpp(
        "        for (int64_t i = 2; i > -1; i += -1) {\n"
        "            TaskOutputTensors alloc_0 = alloc_tensors(board_ci);\n"
        "            const ChipTensor& board = alloc_0.get_ref(0);\n",
        "        TaskOutputTensors alloc_0 = alloc_tensors(board_ci);\n"
        "        const ChipTensor& board = alloc_0.get_ref(0);\n"
        "        for (int64_t i = 2; i > -1; i += -1) {\n",
        "task 2 (knead), argument 1");
}

static void exporter_changes(void **state)
{
    (void)state;
    expect_exporter("\"stop\":" INT(-1), "\"stop\":" INT(0),
                    "the text has 9 tasks");
    expect_exporter("\"step\":" INT(-1), "\"step\":" INT(-2),
                    "the text has 9 tasks");
    expect_exporter("\"start\":" INT(2), "\"start\":" INT(5),
                    "the text has 9 tasks, exporter.json has 15, not the same");
    expect_exporter(BIN("Mul", VAR(5), INT(2)), BIN("Mul", VAR(5), INT(1)),
                    "argument 2: the text says 4, exporter.json says 2");
    expect_exporter(BIN("Add", BIN("Mul", VAR(5), INT(2)), VAR(11)),
                    BIN("Sub", BIN("Mul", VAR(5), INT(2)), VAR(11)),
                    "task 1 (knead), argument 2");
    expect_exporter(BIN("Eq", VAR(5), INT(0)), BIN("Lt", VAR(5), INT(0)),
                    "the text has 9 tasks");
}

static void exporter_edges(void **state)
{
    (void)state;
    expect_exporter(YIELD(VAR(18) "," VAR(19)), YIELD(VAR(12) "," VAR(19)),
                    "task 1 (knead): the text has a dependency on task 0");
    expect_exporter(YIELD(VAR(14)), YIELD(VAR(6)), "task 2 (knead)");
    expect_exporter(YIELD(VAR(23) "," VAR(15)), YIELD(VAR(23) "," VAR(7)),
                    "task 6 (dummy)");
    expect_exporter(DUMMY(VAR(15)), DUMMY(VAR(14)), "task 6 (dummy)");
    expect_exporter(VAR(8) "," VAR(9) "],\"attrs\"", VAR(8) "],\"attrs\"",
                    "task 8 (serve): the text has a dependency on task 0");
    expect_exporter("\"compiler_manual_dep_edges\":[" VAR(8) "]",
                    "\"compiler_manual_dep_edges\":[" VAR(20) "]",
                    "task 8 (serve): exporter.json has a dependency on task 6");
}

/* --- What only a run knows --- */

/*
 * n times a loaf that waits for the one before, then one of two finishes; at
 * last it is served.
 */
/* clang-format off */
static const char OPEN_EXPORTER[] =
    "{\"schema\":\"pypto-orch-ir/0\",\"program\":\"Stall\",\"functions\":["
    KERNEL("knead", "[0]") ","
    KERNEL("glaze", "[0]") ","
    KERNEL("dust", "[0]") ","
    KERNEL("serve", "[0]") ","
    "{\"name\":\"main\",\"type\":\"Orchestration\",\"level\":\"CHIP\","
    "\"role\":\"Orchestrator\",\"params\":["
    "{\"id\":1,\"n\":\"bread__ssa_v0\",\"dir\":\"InOut\"},"
    "{\"id\":2,\"n\":\"n__ssa_v0\"}],"
    "\"return_params\":[],\"body\":" SEQUENCE(
        LET(3, "none", CALL("system.task_invalid", "")) ","
        "{\"s\":\"for\",\"kind\":\"Sequential\",\"v\":{\"id\":4,\"n\":\"i\"},"
        "\"start\":" INT(0) ",\"stop\":" VAR(2) ",\"step\":" INT(1)
        ",\"carry\":[" CARRY(5, 3) "],\"ret\":[" RET(6) "],\"attrs\":{},"
        "\"b\":" SEQUENCE(
            LET(7, "board__ssa_v0", CREATE) ","
            LET(8, "t", SUBMIT("knead", VAR(1) "," VAR(7), VAR(5),
                               "\"InOut\",\"OutputExisting\"", "}")) ","
            LET(9, "tid", GET(8, 1)) ","
            IF(BIN("Lt", INT(3), VAR(2)),
               "{\"s\":\"eval\",\"x\":" SUBMIT("glaze", VAR(7), "",
                                              "\"InOut\"", "}") "}",
               "{\"s\":\"eval\",\"x\":" SUBMIT("dust", VAR(7), VAR(9),
                                              "\"InOut\"", "}") "}", "") ","
            YIELD(VAR(9))) "},"
        LET(10, "s", SUBMIT("serve", VAR(1), VAR(6), "\"InOut\"", "}"))) "}]}";

static const char OPEN_CPP[] =
    "// Orchestration Function: main\n"
    "void aicpu_orchestration_entry(const ChipTaskArgs& orch_args) {\n"
    "    const ChipTensor& ext_bread = orch_args.tensor(0).ref();\n"
    "    int64_t n = from_u64<int64_t>(orch_args.scalar(0));\n"
    "    PTO2TaskId last = PTO2TaskId::invalid();\n"
    "    int64_t seen = 0;\n"
    "    for (int64_t i = 0; i < n; i += 1) {\n"
    "        TaskOutputTensors alloc_0 = alloc_tensors(board_ci);\n"
    "        const ChipTensor& board = alloc_0.get_ref(0);\n"
    "        CoreTaskArgs a;\n"
    "        a.add_inout(ext_bread);\n"
    "        a.add_output(board);\n"
    "        PTO2TaskId a_deps[1];\n"
    "        uint32_t a_deps_count = 0;\n"
    "        if (last.is_valid()) a_deps[a_deps_count++] = last;\n"
    "        a.set_dependencies(a_deps, a_deps_count);\n"
    "        TaskOutputTensors a_outs = rt_submit_aiv_task(0, a);\n"
    "        PTO2TaskId tid = a_outs.task_id();\n"
    "        seen = seen + 1;\n"
    "        CoreTaskArgs b;\n"
    "        if ((3 < n)) {\n"
    "            CoreTaskArgs g;\n"
    "            g.add_inout(board);\n"
    "            rt_submit_aiv_task(1, g);\n"
    "        } else {\n"
    "            CoreTaskArgs d;\n"
    "            d.add_inout(board);\n"
    "            PTO2TaskId d_deps[1];\n"
    "            d_deps[0] = tid;\n"
    "            d.set_dependencies(d_deps, 1);\n"
    "            rt_submit_aiv_task(2, d);\n"
    "        }\n"
    "        last = tid;\n"
    "    }\n"
    "    CoreTaskArgs s;\n"
    "    s.add_inout(ext_bread);\n"
    "    PTO2TaskId s_deps[1];\n"
    "    uint32_t s_deps_count = 0;\n"
    "    if (last.is_valid()) s_deps[s_deps_count++] = last;\n"
    "    s.set_dependencies(s_deps, s_deps_count);\n"
    "    rt_submit_aiv_task(3, s);\n"
    "}\n";
/* clang-format on */

static void put_open(cli_text *out, int id, const char *name, int line,
                     const char *when, const char *deps, const char *args)
{
    cli_text_printf(out,
                    "%s{\"id\":%d,\"name\":\"%s\",\"core\":\"aiv\",\"line\":"
                    "%d,\"scope\":0,\"when\":[%s],\"deps\":[%s],"
                    "\"args\":[%s]}",
                    id == 0 ? "" : ",", id, name, line, when, deps, args);
}

#define BREAD "{\"buffer\":\"param:bread\",\"dispatch\":\"inout\"}"
#define RUN "{\"choice\":0,\"is\":true}"

/* As the planner tells it, in so many iterations; `telling`: serve twice. */
static char *make_open(int iterations, bool telling)
{
    cli_text out = {0};
    cli_text_put(&out,
                 "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"Stall\","
                 "\"rules\":\"none\",\"choices\":["
                 "{\"id\":0,\"kind\":\"loop\",\"line\":10,\"text\":\"n\"},"
                 "{\"id\":1,\"kind\":\"if\",\"line\":12,\"text\":\"3 < n\"}],"
                 "\"buffers\":["
                 "{\"key\":\"param:bread\",\"bytes\":64,\"external\":true},"
                 "{\"key\":\"alloc:board@0\",\"bytes\":64,\"external\":false},"
                 "{\"key\":\"alloc:board@1\",\"bytes\":64,\"external\":false}],"
                 "\"scopes\":[{\"id\":0,\"manual\":false,\"parent\":null}],"
                 "\"tasks\":[");
    for (int i = 0; i < iterations; i++) {
        char dep[40] = "", own[40], args[200], board[100];
        if (i > 0)
            snprintf(dep, sizeof dep, "{\"task\":%d}", 3 * i - 3);
        snprintf(own, sizeof own, "{\"task\":%d}", 3 * i);
        snprintf(args, sizeof args,
                 BREAD ",{\"buffer\":\"alloc:board@%d\","
                       "\"dispatch\":\"output_existing\"}",
                 i);
        snprintf(board, sizeof board,
                 "{\"buffer\":\"alloc:board@%d\",\"dispatch\":\"inout\"}", i);
        put_open(&out, 3 * i, "knead", 11, RUN, dep, args);
        put_open(&out, 3 * i + 1, "glaze", 13,
                 RUN ",{\"choice\":1,\"is\":true}", "", board);
        put_open(&out, 3 * i + 2, "dust", 15,
                 RUN ",{\"choice\":1,\"is\":false}", own, board);
    }
    int id = 3 * iterations;
    char last[40];
    snprintf(last, sizeof last, "{\"task\":%d}", id - 3);
    put_open(&out, id, "serve", 16, telling ? RUN : "", last, BREAD);
    if (telling)
        put_open(&out, id + 1, "serve", 16, "{\"choice\":0,\"is\":false}", "",
                 BREAD);
    cli_text_put(&out, "]}");
    assert_false(out.failed);
    return out.data;
}

static void open_agreement(void **state)
{
    (void)state;
    for (int telling = 0; telling < 2; telling++) {
        char *graph = make_open(2, telling == 1);
        cli_frontend_result result;
        compare(&result, graph, OPEN_EXPORTER, OPEN_CPP);
        print_findings(&result);
        assert_int_equal(result.total, 0);
        for (int i = 0; i < 2; i++) {
            const cli_frontend_compared *c = &result.compared[i];
            assert_true(c->compared);
            assert_int_equal(c->tasks, 7 + telling);
            assert_int_equal(c->args, 9 + telling);
            assert_int_equal(c->edges, 3);
            /* Which task `serve` waits for depends on n. */
            assert_int_equal(c->unknown_deps, 1 + telling);
            assert_int_equal(c->unknown_tasks, 0);
            assert_null(c->reason);
        }
        cli_frontend_free(&result);
        free(graph);
    }
}

static void expect_open(const char *text, bool cpp, const char *from,
                        const char *to, const char *words)
{
    char *graph = make_open(2, false);
    char *changed = change(text, from, to);
    cli_frontend_result result;
    compare(&result, graph, cpp ? NULL : changed, cpp ? changed : NULL);
    if (result.total == 0 ||
        strstr(result.findings[0].message, words) == NULL) {
        print_findings(&result);
        fail_msg("'%s' for '%s': not '%s'", to, from, words);
    }
    cli_frontend_free(&result);
    free(changed);
    free(graph);
}

static void open_changes(void **state)
{
    (void)state;
    expect_open(OPEN_CPP, true, "        last = tid;\n", "",
                "task 3 (knead): the text has a dependency on task 0");
    expect_open(OPEN_CPP, true, "d_deps[0] = tid;", "d_deps[0] = last;",
                "task 2 (dust): the text has a dependency on task 0");
    expect_open(OPEN_CPP, true, "g.add_inout(board);", "g.add_input(board);",
                "task 1 (glaze), argument 0");
    expect_open(OPEN_CPP, true, "d.add_inout(board);",
                "d.add_inout(ext_bread);", "task 2 (dust), argument 0");
    expect_open(OPEN_CPP, true, "s.add_inout(ext_bread);",
                "s.add_no_dep(ext_bread);", "task 6 (serve), argument 0");
    expect_open(OPEN_EXPORTER, false, YIELD(VAR(9)), YIELD(VAR(5)),
                "task 3 (knead): the text has a dependency on task 0");
    expect_open(OPEN_EXPORTER, false,
                "\"dust\","
                "\"args\":[" VAR(7) "]",
                "\"dust\","
                "\"args\":[" VAR(1) "]",
                "task 2 (dust), argument 0");
}

/* A text that knows more: what it lacks is told, and is no difference. */
static void open_text_knows_more(void **state)
{
    (void)state;
    char *graph = make_open(1, false);
    cli_frontend_result result;
    compare(&result, graph, OPEN_EXPORTER, OPEN_CPP);
    print_findings(&result);
    assert_int_equal(result.total, 0);
    for (int i = 0; i < 2; i++) {
        assert_true(result.compared[i].compared);
        assert_int_equal(result.compared[i].tasks, 4);
        assert_int_equal(result.compared[i].unknown_tasks, 3);
        assert_non_null(strstr(result.compared[i].reason, "(3)"));
    }
    cli_frontend_free(&result);
    /* A difference is no longer certain then. */
    char *changed =
        change(OPEN_CPP, "g.add_inout(board);", "g.add_input(board);");
    compare(&result, graph, NULL, changed);
    assert_int_equal(result.total, 0);
    assert_false(result.compared[0].compared);
    assert_non_null(strstr(result.compared[0].reason, "it differs, but"));
    cli_frontend_free(&result);
    free(changed);
    free(graph);
}

/* --- Loops without end, or nearly: left out, with the reason --- */

static void expect_left_out(const char *exporter, const char *cpp,
                            const char *words)
{
    char *graph = make_graph();
    cli_frontend_result result;
    compare(&result, graph, exporter, cpp);
    print_findings(&result);
    assert_int_equal(result.total, 0);
    assert_false(result.compared[0].compared);
    if (strstr(result.compared[0].reason, words) == NULL)
        fail_msg("'%s' is not '%s'", result.compared[0].reason, words);
    cli_frontend_free(&result);
    free(graph);
}

#define ENTRY(body) "void aicpu_orchestration_entry() {" body "}"

static void endless(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        ENTRY("while (1) { }"),
        ENTRY("while (true) ;"),
        ENTRY("for (int64_t i = 0; 1; i += 1) { int64_t k = i; }"),
        ENTRY("for (int64_t i = 0; i < 999999999999; i += 1) "
              "for (int64_t j = 0; j < 999999999999; j += 1) { }"),
        ENTRY("for (int64_t i = 0; i < 5; i += 0) { CoreTaskArgs a; "
              "a.add_scalar(i); }"),
        ENTRY("while (1) { PTO2TaskId a[1000000]; }"),
        ENTRY("PTO2TaskId a[9]; while (1) { if (x) a[0] = a[y]; else "
              "a[1] = a[2]; }"),
        ENTRY("for (int64_t i = 0; i < 9999999; i += 1) { TaskOutputTensors o "
              "= alloc_tensors(b_ci, b_ci, b_ci, b_ci); }"),
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        frontend_outline outline;
        frontend_outline_init(&outline);
        outline.steps = 1000000;
        assert_int_equal(
            frontend_read_cpp(&outline, bodies[i], strlen(bodies[i])),
            FRONTEND_SKIPPED);
        assert_string_equal(outline.reason, "it is too large");
        frontend_outline_free(&outline);
    }
    expect_left_out(NULL, bodies[0], "it is too large");
    char *changed =
        change(LOOPS_EXPORTER,
               LET(24, "s",
                   SUBMIT("serve", VAR(2) "," VAR(1), VAR(8) "," VAR(9),
                          "\"InOut\",\"NoDep\"",
                          ",\"compiler_manual_dep_edges\":[" VAR(8) "]}")),
               FOR(30, "i", 0, 999999999, 1, "", "",
                   LET(31, "a", CALL("array.create", INT(1000)))));
    expect_left_out(changed, NULL, "it is too large");
    free(changed);
}

/* Tasks without end are more than the text has: a difference. */
static void endless_tasks(void **state)
{
    (void)state;
    char *graph = make_graph();
    cli_frontend_result result;
    compare(&result, graph, NULL,
            ENTRY("CoreTaskArgs a; while (1) rt_submit_aiv_task(0, a);"));
    assert_int_equal(result.total, 1);
    assert_non_null(strstr(result.findings[0].message, "more than 1018"));
    cli_frontend_free(&result);
    free(graph);
}

/* Deeper than anything real; each level is met, none is recursion. */
static void nested(void **state)
{
    (void)state;
    static const char *const opens[] = {
        "if (x) {", "for (int64_t i = 0; i < 2; i += 1) {",
        "{",        "while (y) {",
        "if (1) {", "if (0) ; else {"};
    for (size_t i = 0; i < sizeof opens / sizeof *opens; i++) {
        cli_text cpp = {0};
        cli_text_put(&cpp, "void aicpu_orchestration_entry() {");
        for (int k = 0; k < 20000; k++)
            cli_text_put(&cpp, opens[i]);
        for (int k = 0; k < 20001; k++)
            cli_text_put(&cpp, "}");
        assert_false(cpp.failed);
        char *graph = make_graph();
        cli_frontend_result result;
        compare(&result, graph, NULL, cpp.data);
        assert_int_equal(result.compared_count, 1);
        cli_frontend_free(&result);
        cli_text_free(&cpp);
        free(graph);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(agreement),
    cmocka_unit_test(cpp_bounds),
    cmocka_unit_test(cpp_edges),
    cmocka_unit_test(cpp_arguments),
    cmocka_unit_test(exporter_changes),
    cmocka_unit_test(exporter_edges),
    cmocka_unit_test(open_agreement),
    cmocka_unit_test(open_changes),
    cmocka_unit_test(open_text_knows_more),
    cmocka_unit_test(endless),
    cmocka_unit_test(endless_tasks),
    cmocka_unit_test(nested),
};

TEST_MAIN(tests)
