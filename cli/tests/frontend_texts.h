/*
 * The small program that test_frontend.c tells three times, and one with two
 * functions.
 */
#ifndef FRONTEND_TEXTS_H
#define FRONTEND_TEXTS_H

/* clang-format off */

static const char GRAPH[] =
    "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"Mill\","
    "\"rules\":\"tensormap\",\"buffers\":["
    "{\"key\":\"param:grain\",\"bytes\":4096,\"external\":true},"
    "{\"key\":\"param:flour\",\"bytes\":4096,\"external\":true},"
    "{\"key\":\"alloc:dust\",\"bytes\":4096,\"external\":false},"
    "{\"key\":\"alloc:meal\",\"bytes\":4096,\"external\":false}],"
    "\"scopes\":[{\"id\":0,\"manual\":false,\"parent\":null}],\"tasks\":["
    "{\"id\":0,\"name\":\"grind\",\"core\":\"aiv\",\"blocks\":1,\"scope\":0,"
    "\"line\":11,\"args\":["
    "{\"buffer\":\"param:grain\",\"dispatch\":\"input\","
    "\"declared\":\"in\"},"
    "{\"buffer\":\"alloc:dust\",\"dispatch\":\"output_existing\"}]},"
    "{\"id\":1,\"name\":\"sift\",\"core\":\"aiv\",\"blocks\":8,\"scope\":0,"
    "\"line\":12,\"deps\":[{\"task\":0}],\"args\":["
    "{\"buffer\":\"alloc:dust\",\"dispatch\":\"input\"},{\"scalar\":4},"
    "{\"buffer\":\"alloc:meal\",\"dispatch\":\"output_existing\"}]},"
    "{\"id\":2,\"name\":\"\",\"core\":\"aiv\",\"blocks\":1,\"scope\":0,"
    "\"dummy\":true,\"line\":13,\"deps\":[{\"task\":1},{\"task\":0}]},"
    "{\"id\":3,\"name\":\"bake\",\"core\":\"aiv\",\"blocks\":1,\"scope\":0,"
    "\"line\":14,\"deps\":[{\"task\":2}],"
    "\"predicate\":{\"buffer\":\"param:grain\",\"region\":{\"elem\":4,"
    "\"base\":0,\"dims\":[]},\"op\":\">\",\"value\":0},\"args\":["
    "{\"buffer\":\"alloc:meal\",\"dispatch\":\"inout\"},"
    "{\"buffer\":\"alloc:dust\",\"dispatch\":\"no_dep\"},"
    "{\"buffer\":\"param:flour\",\"dispatch\":\"output_existing\"}]}]}";

#define VAR(id) "{\"k\":\"var\",\"id\":" #id ",\"n\":\"v\"}"
#define LET(id, name, x)                                                       \
    "{\"s\":\"assign\",\"v\":{\"id\":" #id ",\"n\":\"" name                    \
    "\",\"ty\":{\"t\":\"tensor\"}},\"x\":" x "}"
#define GET(of, i) "{\"k\":\"get\",\"of\":" VAR(of) ",\"i\":" #i "}"
#define CREATE                                                                 \
    "{\"k\":\"call\",\"op\":\"tensor.create\",\"user\":false,\"args\":[]}"
#define KERNEL(name, map)                                                      \
    "{\"name\":\"" name                                                        \
    "\",\"type\":\"AIV\",\"params\":[{\"id\":90,\"n\":\"a\",\"dir\":\"In\"},"  \
    "{\"id\":91,\"n\":\"b\",\"dir\":\"Out\"},"                                 \
    "{\"id\":92,\"n\":\"c\",\"dir\":\"Out\"}],\"return_params\":" map "}"
#define INT(n) "{\"k\":\"int\",\"v\":" #n "}"
#define CALL(op, args)                                                         \
    "{\"k\":\"call\",\"op\":\"" op "\",\"user\":false,\"args\":[" args "]}"
#define DUMMY(deps)                                                            \
    "{\"k\":\"call\",\"op\":\"system.task_dummy\",\"user\":false,\"args\":[]," \
    "\"attrs\":{\"dummy_task\":true,\"manual_dep_edges\":[" deps "]}}"
/* `more` follows the directions inside the attributes. */
#define SUBMIT(op, args, deps, directions, more)                               \
    "{\"k\":\"submit\",\"op\":\"" op "\",\"args\":[" args "],\"deps\":[" deps  \
    "],\"attrs\":{\"arg_directions\":[" directions "]" more "}"
#define SEQUENCE(list) "{\"s\":\"seq\",\"b\":[" list "]}"
#define RETURN(x) "{\"s\":\"return\",\"x\":[" x "]}"

static const char EXPORTER[] =
    "{\"schema\":\"pypto-orch-ir/0\",\"program\":\"Mill\",\"functions\":["
    KERNEL("grind", "[1]") ","
    KERNEL("bake", "[2]") ","
    KERNEL("inner", "[2]") ","
    /* A wrapper whose map only its body tells: what `inner` returns. */
    "{\"name\":\"sift\",\"type\":\"Spmd\",\"params\":["
    "{\"id\":80,\"n\":\"a\",\"dir\":\"In\"},{\"id\":81,\"n\":\"n\"},"
    "{\"id\":82,\"n\":\"b\",\"dir\":\"Out\"}],\"return_params\":[null],"
    "\"body\":" SEQUENCE(
        LET(83, "r", "{\"k\":\"call\",\"op\":\"inner\",\"user\":true,"
                     "\"args\":[" VAR(80) "," VAR(81) "," VAR(82) "]}") ","
        RETURN(VAR(83))) "},"
    "{\"name\":\"main\",\"type\":\"Orchestration\",\"level\":\"CHIP\","
    "\"role\":\"Orchestrator\",\"params\":["
    "{\"id\":1,\"n\":\"grain__ssa_v0\",\"dir\":\"In\"},"
    "{\"id\":2,\"n\":\"flour__ssa_v0\",\"dir\":\"Out\"}],"
    "\"return_params\":[null],\"body\":" SEQUENCE(
        LET(3, "dust__ssa_v0", CREATE) ","
        LET(4, "meal__ssa_v0", CREATE) ","
        LET(5, "ids", CALL("array.create", INT(3))) ","
        "{\"s\":\"scope\",\"manual\":true,\"b\":" SEQUENCE(
            LET(6, "t0", SUBMIT("grind", VAR(1) "," VAR(3), "",
                                "\"Input\",\"OutputExisting\"", "}")) ","
            LET(7, "dust__ssa_v1", GET(6, 0)) ","
            LET(8, "tid", GET(6, 1)) ","
            LET(9, "ids1", CALL("array.update_element",
                                VAR(5) "," INT(2) "," VAR(8))) ","
            LET(10, "t1", SUBMIT("sift", VAR(7) "," INT(4) "," VAR(4), VAR(8),
                                 "\"Input\",\"Scalar\",\"OutputExisting\"",
                                 "},\"core_num\":" INT(8)))) "},"
        LET(11, "meal__ssa_v1", GET(10, 0)) ","
        LET(12, "tid1", GET(10, 1)) ","
        LET(13, "ids2", CALL("array.update_element",
                             VAR(9) "," INT(0) "," VAR(12))) ","
        LET(14, "fence", DUMMY(VAR(13))) ","
        LET(15, "row", CALL("tensor.slice", VAR(7))) ","
        LET(16, "out",
            SUBMIT("bake", VAR(11) "," VAR(15) "," VAR(2), "",
                   "\"InOut\",\"NoDep\",\"OutputExisting\"",
                   ",\"compiler_manual_dep_edges\":[" VAR(14) "]},"
                   "\"predicate\":{\"k\":\"bin\",\"op\":\"Lt\",\"l\":" INT(0)
                   ",\"r\":{\"k\":\"cast\",\"x\":"
                   CALL("tensor.read", VAR(1)) "}}")) ","
        RETURN(VAR(2))) "}]}";

static const char CPP[] =
    "// Orchestration Function: main\n"
    "#include <stdint.h>\n"
    "void aicpu_orchestration_entry(const ChipTaskArgs& orch_args) {\n"
    "    /* } */ const ChipTensor& ext_grain = orch_args.tensor(0).ref();\n"
    "    const ChipTensor& ext_flour = orch_args.tensor(1).ref();\n"
    "    PTO2_SCOPE() {\n"
    "        uint32_t dust_ci_shapes[1] = {1024};\n"
    "        TensorCreateInfo dust_ci(dust_ci_shapes, 1, DataType::FLOAT32);\n"
    "        TensorCreateInfo meal_ci(dust_ci_shapes, 1, DataType::FLOAT32);\n"
    "        TaskOutputTensors alloc_0 = alloc_tensors(dust_ci, meal_ci);\n"
    "        const ChipTensor& dust = alloc_0.get_ref(0);\n"
    "        const ChipTensor& meal = alloc_0.get_ref(1);\n"
    "        PTO2TaskId ids[3]; for (int64_t i = 0; i < 3; ++i) ids[i] = "
    "PTO2TaskId::invalid();\n"
    "        CoreTaskArgs params_t0;\n"
    "        params_t0.add_input(ext_grain);\n"
    "        params_t0.add_output(dust);\n"
    "        TaskOutputTensors outs_0 = rt_submit_aiv_task(0, params_t0);\n"
    "        PTO2TaskId tid = outs_0.task_id();\n"
    "        ids[2] = tid;\n"
    "        CoreTaskArgs params_t1;\n"
    "        params_t1.add_input(dust);\n"
    "        params_t1.add_output(meal);\n"
    "        params_t1.add_scalar((uint64_t)4);\n"
    "        params_t1.launch_spec.set_block_num(8);\n"
    "        PTO2TaskId params_t1_deps[1];\n"
    "        uint32_t params_t1_deps_count = 0;\n"
    "        params_t1_deps[params_t1_deps_count++] = tid;\n"
    "        params_t1.set_dependencies(params_t1_deps, "
    "params_t1_deps_count);\n"
    "        TaskOutputTensors outs_1 = rt_submit_aiv_task(1, params_t1);\n"
    "        ids[0] = outs_1.task_id();\n"
    "        CoreTaskArgs params_f;\n"
    "        PTO2TaskId params_f_deps[3];\n"
    "        uint32_t params_f_deps_count = 0;\n"
    "        if (ids[0].is_valid()) params_f_deps[params_f_deps_count++] = "
    "ids[0];\n"
    "        if (ids[1].is_valid()) params_f_deps[params_f_deps_count++] = "
    "ids[1];\n"
    "        if (ids[2].is_valid()) params_f_deps[params_f_deps_count++] = "
    "ids[2];\n"
    "        params_f.set_dependencies(params_f_deps, params_f_deps_count);\n"
    "        PTO2TaskId fence = PTO2TaskId::invalid();\n"
    "        if (params_f_deps_count > 0) {\n"
    "            TaskOutputTensors outs_f = rt_submit_dummy_task(params_f);\n"
    "            fence = outs_f.task_id();\n"
    "        }\n"
    "        ChipTensor row = dust.view(dust_ci_shapes, dust_ci_shapes);\n"
    "        CoreTaskArgs params_t2;\n"
    "        params_t2.add_inout(meal);\n"
    "        params_t2.add_no_dep(row);\n"
    "        params_t2.add_output(ext_flour);\n"
    "        params_t2.add_scalar((uint64_t)1024);\n"
    "        CoreTaskPredicate pred;\n"
    "        pred.operand.tensor = &ext_grain;\n"
    "        params_t2.set_predicate(pred);\n"
    "        PTO2TaskId params_t2_deps[1];\n"
    "        uint32_t params_t2_deps_count = 0;\n"
    "        if (fence.is_valid()) params_t2_deps[params_t2_deps_count++] = "
    "fence;\n"
    "        params_t2.set_dependencies(params_t2_deps, "
    "params_t2_deps_count);\n"
    "        rt_submit_aiv_task(2, params_t2);\n"
    "    }\n"
    "}\n";


static const char TWO_GRAPH[] =
    "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"Two\","
    "\"rules\":\"none\",\"buffers\":["
    "{\"key\":\"param:north.x__ssa_v0\",\"bytes\":64,\"external\":true},"
    "{\"key\":\"param:south.x__ssa_v0\",\"bytes\":64,\"external\":true}],"
    "\"scopes\":[{\"id\":0,\"manual\":false,\"parent\":null},"
    "{\"id\":1,\"manual\":true,\"parent\":0},"
    "{\"id\":2,\"manual\":false,\"parent\":null}],\"tasks\":["
    "{\"id\":0,\"name\":\"k\",\"core\":\"aiv\",\"scope\":1,\"args\":["
    "{\"buffer\":\"param:north.x__ssa_v0\",\"dispatch\":\"inout\"}]},"
    "{\"id\":1,\"name\":\"\",\"core\":\"aiv\",\"scope\":2,"
    "\"dummy\":true,\"args\":[]},"
    "{\"id\":2,\"name\":\"k\",\"core\":\"aiv\",\"scope\":2,"
    "\"deps\":[{\"task\":1}],\"args\":["
    "{\"buffer\":\"param:south.x__ssa_v0\",\"dispatch\":\"inout\"}]}]}";

#define FUNCTION(name, body)                                                   \
    "{\"name\":\"" name                                                        \
    "\",\"type\":\"Orchestration\",\"level\":\"CHIP\",\"params\":["            \
    "{\"id\":1,\"n\":\"x__ssa_v0\"}],\"return_params\":[],\"body\":"           \
    "{\"s\":\"seq\",\"b\":[" body "]}}"
#define INOUT(op, deps)                                                        \
    LET(3, "y", SUBMIT(op, VAR(1), deps, "\"InOut\"", "}"))

/* The exporter sorts by name, the text does not. */
static const char TWO_EXPORTER[] =
    "{\"schema\":\"pypto-orch-ir/0\",\"functions\":["
    FUNCTION("south",
             LET(2, "f", CALL("system.task_dummy", "")) ","
             INOUT("k", VAR(2))) ","
    FUNCTION("north", INOUT("k", "")) "]}";

static const char SOUTH_CPP[] =
    "// Orchestration Function: south\n"
    "void aicpu_orchestration_entry(const ChipTaskArgs& orch_args) {\n"
    "    const ChipTensor& ext_x = orch_args.tensor(0).ref();\n"
    "    CoreTaskArgs f;\n"
    "    TaskOutputTensors outs = rt_submit_dummy_task(f);\n"
    "    PTO2TaskId tid = outs.task_id();\n"
    "    CoreTaskArgs p;\n"
    "    p.add_inout(ext_x);\n"
    "    PTO2TaskId deps[1];\n"
    "    uint32_t count = 0;\n"
    "    deps[count++] = tid;\n"
    "    p.set_dependencies(deps, count);\n"
    "    rt_submit_aiv_task(0, p);\n"
    "}\n";

/* clang-format on */

#endif
