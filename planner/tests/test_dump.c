/* What small dumps mean: tasks, storage, orders, scopes, predicates. */
#include "dump_support.h"

static void assert_deps(const planned *p, int task, const char *json)
{
    assert_json(cJSON_GetObjectItem(task_of(p, task), "deps"), json);
}

static void assert_access(const planned *p, int task, int arg, const char *json)
{
    assert_json(cJSON_GetObjectItem(arg_of(p, task, arg), "access"), json);
}

static planned plan_ok(const char *text)
{
    planned p = plan_text(text);
    if (p.status != SONATA_OK)
        print_error("%s (line %llu)\n", p.error.message,
                    (unsigned long long)p.error.line);
    assert_int_equal(p.status, SONATA_OK);
    return p;
}

static void assert_refused(const char *text, sonata_status status,
                           uint64_t line, const char *words)
{
    planned p = plan_text(text);
    assert_int_equal(p.status, status);
    assert_int_equal(p.error.line, line);
    if (strstr(p.error.message, words) == NULL)
        fail_msg("message '%s' lacks '%s'", p.error.message, words);
    assert_true(p.error.column > 0);
}

/* A call's result is the storage of the parameter that the callee returns. */
static void results_alias_arguments(void **state)
{
    (void)state;
    planned p = plan_ok(
        HEAD COPY ORCH
        "    def main(self, a: " T64 ", b: pl.Out[" T64 "]) -> " T64 ":\n"
        "        s: " T64 " = pl.tensor.create([64, 64], dtype=pl.FP32)\n"
        "        s1: " T64 " = self.copy(a, s, " DIRS(
            IN ", " OUT) ")\n"
                         "        s2: " T64 " = s1\n"
                         "        b1: " T64 " = self.copy(s2, b, " DIRS(
                             IN ", " OUT) ")\n"
                                          "        return b1\n");
    assert_key(&p, 0, 0, "param:a");
    assert_key(&p, 0, 1, "alloc:s");
    assert_key(&p, 1, 0, "alloc:s");
    assert_key(&p, 1, 1, "param:b");
    assert_access(&p, 0, 0,
                  "[{\"exact\":true,\"mode\":\"read\","
                  "\"must\":true}]");
    assert_access(&p, 0, 1,
                  "[{\"exact\":true,\"mode\":\"write\","
                  "\"must\":true}]");
    assert_json(cJSON_GetObjectItem(arg_of(&p, 0, 1), "view"),
                "{\"base\":0,\"dims\":[[64,256,0],[64,4,0]],"
                "\"dtype\":\"fp32\",\"elem\":4}");
    assert_json(cJSON_GetObjectItem(p.graph, "buffers"),
                "[{\"bytes\":16384,\"external\":true,\"init\":false,"
                "\"key\":\"param:a\",\"manual_dep\":false},"
                "{\"bytes\":16384,\"external\":true,\"init\":false,"
                "\"key\":\"param:b\",\"manual_dep\":false},"
                "{\"bytes\":16384,\"external\":false,\"init\":false,"
                "\"key\":\"alloc:s\",\"manual_dep\":false}]");
    assert_json(cJSON_GetObjectItem(task_of(&p, 1), "line"), "16");
    plan_free(&p);
}

static void slices_and_reshapes_share_storage(void **state)
{
    (void)state;
    planned p = plan_ok(
        HEAD AIV "    def half(o: pl.Out[pl.Tensor[[32, 64], pl.FP32]]):\n"
                 "        t: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = "
                 "pl.tile.full([32, 64], 0.0)\n"
                 "        r: pl.Tensor[[32, 64], pl.FP32] = "
                 "pl.tile.store(t, [0, 0], o)\n" AIV
                 "    def flat(o: pl.Out[pl.Tensor[[2048], pl.FP32]]):\n"
                 "        t: pl.Tile[[2048], pl.FP32, pl.Mem.Vec] = "
                 "pl.tile.full([2048], 0.0)\n"
                 "        r: pl.Tensor[[2048], pl.FP32] = "
                 "pl.tile.store(t, [0], o)\n" ORCH
                 "    def main(self, b: pl.Out[" T64 "]):\n"
                 "        h: pl.Tensor[[32, 64], pl.FP32] = "
                 "pl.tensor.slice(b, [32, 64], [48, 0])\n"
                 "        self.half(h, " DIRS(
                     OUT) ")\n"
                          "        g: pl.Tensor[[32, 64], pl.FP32] = "
                          "pl.tensor.slice(b, [32, 64], [16, 0])\n"
                          "        f: pl.Tensor[[2048], pl.FP32] = "
                          "pl.tensor.reshape(g, [2048])\n"
                          "        self.flat(f, " DIRS(
                              OUT) ")\n"
                                   "        t: " T64
                                   " = pl.tensor.transpose(b, 0, 1)\n"
                                   "        u: pl.Tensor[[64, 32], pl.FP32] = "
                                   "pl.tensor.slice(t, [64, 32], [0, 8])\n"
                                   "        v: pl.Tensor[[32, 64], pl.FP32] = "
                                   "pl.tensor.transpose(u, 0, -1)\n"
                                   "        self.half(v, " DIRS(OUT) ")\n");
    /* The slice is clipped to the 16 rows that are left. */
    assert_json(cJSON_GetObjectItem(arg_of(&p, 0, 0), "view"),
                "{\"base\":0,\"dims\":[[16,256,48],[64,4,0]],"
                "\"dtype\":\"fp32\",\"elem\":4}");
    assert_json(cJSON_GetObjectItem(arg_of(&p, 1, 0), "view"),
                "{\"base\":4096,\"dims\":[[2048,4,0]],"
                "\"dtype\":\"fp32\",\"elem\":4}");
    assert_json(cJSON_GetObjectItem(arg_of(&p, 2, 0), "view"),
                "{\"base\":0,\"dims\":[[32,256,8],[64,4,0]],"
                "\"dtype\":\"fp32\",\"elem\":4}");
    plan_free(&p);
}

#define SUBMIT_X "pl.submit(self.copy, a, b, "
#define PAIR "pl.Tuple[" T64 ", pl.Scalar[pl.TASK_ID]]"
#define TID "pl.Scalar[pl.TASK_ID]"

static void task_ids_flow_through_arrays_and_dummies(void **state)
{
    (void)state;
    planned p = plan_ok(
        HEAD COPY ORCH
        "    def main(self, a: " T64 ", b: pl.Out[" T64 "]):\n"
        "        n: pl.Array[2, pl.TASK_ID] = "
        "pl.array.create(2, dtype=pl.TASK_ID)\n"
        "        p0: " PAIR " = " SUBMIT_X DIRS(
            IN ", " OUT) ")\n"
                         "        t0: " TID " = p0[1]\n"
                         "        n1: pl.Array[2, pl.TASK_ID] = "
                         "pl.array.update_element(n, 0, t0)\n"
                         "        g: " TID " = pl.array.get_element(n1, 0)\n"
                         "        p1: " PAIR " = " SUBMIT_X
                         "deps=[g, None], " DIRS(
                             IN
                             ", " OUT) ")\n"
                                       "        t1: " TID " = p1[1]\n"
                                       "        n2: pl.Array[2, pl.TASK_ID] = "
                                       "pl.array.update_element(n1, 1, t1)\n"
                                       "        d: " TID
                                       " = pl.system.task_dummy(deps=[n2])\n"
                                       "        e: " TID
                                       " = pl.system.task_dummy(deps=[n])\n"
                                       "        p2: " PAIR " = " SUBMIT_X
                                       "deps=[d, e], " DIRS(
                                           IN ", " OUT) ")\n"
                                                        "        z: " TID " = "
                                                        "pl.system.task_dummy("
                                                        "deps=[])\n");
    assert_deps(&p, 0, "[]");
    assert_deps(&p, 1,
                "[{\"task\":0},{\"cause\":\"none\",\"name\":\"None\","
                "\"task\":null}]");
    assert_deps(&p, 2, "[{\"task\":0},{\"task\":1}]");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(task_of(&p, 2), "dummy")));
    /* A dummy without a valid dep is not submitted; its id is dead. */
    assert_deps(&p, 3,
                "[{\"task\":2},{\"cause\":\"dead\",\"name\":\"e\","
                "\"task\":null}]");
    assert_deps(&p, 4, "[]");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(p.graph, "tasks")),
                     5);
    plan_free(&p);
}

static void a_slot_overwritten_is_told(void **state)
{
    (void)state;
    planned p = plan_ok(
        HEAD COPY ORCH
        "    def main(self, a: " T64 ", b: pl.Out[" T64 "]):\n"
        "        n: pl.Array[1, pl.TASK_ID] = "
        "pl.array.create(1, dtype=pl.TASK_ID)\n"
        "        p0: " PAIR " = " SUBMIT_X DIRS(
            IN ", " OUT) ")\n"
                         "        n1: pl.Array[1, pl.TASK_ID] = "
                         "pl.array.update_element(n, 0, p0[1])\n"
                         "        p1: " PAIR " = " SUBMIT_X DIRS(
                             IN
                             ", " OUT) ")\n"
                                       "        n2: pl.Array[1, pl.TASK_ID] = "
                                       "pl.array.update_element(n1, 0, p1[1])\n"
                                       "        p2: " PAIR " = " SUBMIT_X
                                       "deps=[n2], " DIRS(IN ", " OUT) ")\n");
    assert_deps(&p, 2,
                "[{\"cause\":\"reused\",\"name\":\"n2\",\"task\":null},"
                "{\"task\":1}]");
    plan_free(&p);
}

static void compiler_edges_name_an_earlier_result(void **state)
{
    (void)state;
    planned p = plan_ok(
        HEAD COPY ORCH
        "    def main(self, a: " T64 ", b: pl.Out[" T64 "]):\n"
        "        s: " T64 " = self.copy(a, b, " DIRS(
            IN ", " OUT) ")\n"
                         "        r: " T64
                         " = self.copy(s, b, attrs={\"arg_directions\": ["
                         "pl.adir.no_dep, " OUT
                         "], \"compiler_manual_dep_edges\": [s]})\n");
    assert_deps(&p, 1, "[{\"task\":0}]");
    assert_json(cJSON_GetObjectItem(arg_of(&p, 1, 0), "dispatch"),
                "\"no_dep\"");
    plan_free(&p);
}

static void scopes_nest(void **state)
{
    (void)state;
    planned p = plan_ok(
        HEAD COPY ORCH
        "    def main(self, a: " T64 ", b: pl.Out[" T64 "]):\n"
        "        with pl.scope(mode=pl.ScopeMode.MANUAL):\n"
        "            self.copy(a, b, " DIRS(
            IN ", " OUT) ")\n"
                         "        self.copy(a, b, " DIRS(IN ", " OUT) ")\n");
    assert_json(cJSON_GetObjectItem(p.graph, "scopes"),
                "[{\"id\":0,\"manual\":false,\"parent\":null},"
                "{\"id\":1,\"manual\":true,\"parent\":0}]");
    assert_json(cJSON_GetObjectItem(task_of(&p, 0), "scope"), "1");
    assert_json(cJSON_GetObjectItem(task_of(&p, 1), "scope"), "0");
    plan_free(&p);
}

static void a_function_may_be_one_manual_scope(void **state)
{
    (void)state;
    const char *body =
        "    def main(self, a: " T64 ", b: pl.Out[" T64 "]):\n"
        "        pl.func_attr({\"__compiler_auto_manual_layer_candidate\": "
        "True})\n"
        "        self.copy(a, b, " DIRS(IN ", " OUT) ")\n";
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s%s", HEAD, COPY, ORCH, body);
    planned p = plan_ok(text);
    assert_json(cJSON_GetObjectItem(p.graph, "scopes"),
                "[{\"id\":0,\"manual\":true,\"parent\":null}]");
    plan_free(&p);
}

static void predicates_either_way_round(void **state)
{
    (void)state;
    planned p = plan_ok(
        HEAD COPY ORCH
        "    def main(self, a: " T64 ", b: pl.Out[" T64 "], "
        "n: pl.Tensor[[4, 8], pl.INT32]):\n"
        "        p0: " PAIR " = " SUBMIT_X
        "predicate=(pl.tensor.read(n, [1, 2]) >= 3), " DIRS(
            IN ", " OUT) ")\n"
                         "        p1: " PAIR " = " SUBMIT_X
                         "predicate=(0 < pl.cast(pl.tensor.read(n, [0, 0]), "
                         "pl.INDEX)), " DIRS(
                             IN
                             ", " OUT) ")\n"
                                       "        p2: " PAIR " = " SUBMIT_X
                                       "predicate=(pl.tensor.read(n, [0, 0]) + "
                                       "1 > 3), " DIRS(IN ", " OUT) ")\n");
    assert_json(cJSON_GetObjectItem(task_of(&p, 0), "predicate"),
                "{\"buffer\":\"param:n\",\"op\":\">=\",\"region\":{\"base\":0,"
                "\"dims\":[[1,32,1],[1,4,2]],\"elem\":4},\"value\":3}");
    assert_json(cJSON_GetObjectItem(task_of(&p, 1), "predicate"),
                "{\"buffer\":\"param:n\",\"op\":\">\",\"region\":{\"base\":0,"
                "\"dims\":[[1,32,0],[1,4,0]],\"elem\":4},\"value\":0}");
    assert_json(cJSON_GetObjectItem(task_of(&p, 2), "predicate"), "{}");
    /* A predicated task may not run: nothing that it does must happen. */
    assert_access(&p, 0, 1,
                  "[{\"exact\":true,\"mode\":\"write\","
                  "\"must\":false}]");
    /* The operand is read at dispatch, not by the host. */
    assert_json(cJSON_GetObjectItem(p.graph, "host_accesses"), "[]");
    plan_free(&p);
}

static void the_host_reads_while_the_graph_is_built(void **state)
{
    (void)state;
    planned p =
        plan_ok(HEAD COPY ORCH
                "    def main(self, a: " T64 ", b: pl.Out[" T64 "], "
                "n: pl.Tensor[[4], pl.INT32]):\n"
                "        k: pl.Scalar[pl.INT32] = pl.tensor.read(n, [3])\n"
                "        self.copy(a, b, " DIRS(
                    IN ", " OUT) ")\n"
                                 "        m: pl.Scalar[pl.INT32] = "
                                 "pl.tensor.read(n, [k])\n");
    assert_json(cJSON_GetObjectItem(p.graph, "host_accesses"),
                "[{\"after\":null,\"buffer\":\"param:n\",\"line\":13,"
                "\"mode\":\"read\",\"region\":{\"base\":0,"
                "\"dims\":[[1,4,3]],\"elem\":4}},"
                "{\"after\":0,\"buffer\":\"param:n\",\"line\":15,"
                "\"mode\":\"read\",\"region\":{\"base\":0,\"dims\":[[1,4,"
                "{\"c\":0,\"t\":[[1,\"%0\"]]}]],\"elem\":4}}]");
    plan_free(&p);
}

static void dynamic_shapes_are_symbols(void **state)
{
    (void)state;
    planned p = plan_ok(
        "# pypto.program: P\nimport pypto.language as pl\n\n"
        "ROWS = pl.dynamic(\"ROWS\")\n\n@pl.program\nclass P:\n" AIV
        "    def k(x: pl.Tensor[[ROWS, 8], pl.BF16]):\n"
        "        t: pl.Tile[[4, 8], pl.BF16, pl.Mem.Vec] = "
        "pl.tile.load(x, [0, 0], [ROWS, 8], [ROWS, 8])\n" ORCH
        "    def main(self, x: pl.Tensor[[ROWS, 8], pl.BF16]):\n"
        "        n: pl.Scalar[pl.INDEX] = pl.tensor.dim(x, 0)\n"
        "        s: pl.Tensor[[ROWS, 8], pl.BF16] = "
        "pl.tensor.slice(x, [n - 1, 8], [1, 0])\n"
        "        self.k(s, " DIRS(IN) ")\n"
                                      "        self.k(x, " DIRS(IN) ")\n");
    assert_json(cJSON_GetObjectItem(p.graph, "symbols"),
                "[{\"free\":true,\"max\":null,\"min\":1,\"name\":\"ROWS\","
                "\"step\":1}]");
    assert_json(cJSON_GetObjectItem(arg_of(&p, 0, 0), "view"),
                "{\"base\":0,\"dims\":[[{\"c\":-1,\"t\":[[1,\"ROWS\"]]},16,1],"
                "[8,2,0]],\"dtype\":\"bf16\",\"elem\":2}");
    const cJSON *buffers = cJSON_GetObjectItem(p.graph, "buffers");
    assert_json(cJSON_GetArrayItem(buffers, 0),
                "{\"bytes\":null,\"external\":true,\"init\":false,"
                "\"key\":\"param:x\",\"manual_dep\":false,"
                "\"symbol\":\"ROWS*8\"}");
    plan_free(&p);
}

/* An SPMD launch through a wrapper; a Group of both kinds of kernels. */
static void wrappers_pass_views_and_take_cores(void **state)
{
    (void)state;
    planned p = plan_ok(
        HEAD AIV
        "    def v(o: pl.Out[" T64 "]):\n"
        "        b: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()\n"
        "        t: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = "
        "pl.tile.full([16, 64], 0.0)\n"
        "        r: " T64 " = pl.tile.store(t, [b * 16, 0], o)\n"
        "        return r\n"
        "    @pl.function(type=pl.FunctionType.AIC)\n"
        "    def c(o: pl.Out[" T64 "]):\n"
        "        pl.tile.push(0)\n"
        "    @pl.function(type=pl.FunctionType.Group)\n"
        "    def g(o: pl.Out[" T64 "]) -> " T64 ":\n"
        "        self.c(o, " DIRS(
            OUT) ")\n"
                 "        r: " T64 " = self.v(o, " DIRS(
                     OUT) ")\n"
                          "        return r\n"
                          "    @pl.function(type=pl.FunctionType.Spmd)\n"
                          "    def s(self, o: pl.Out[" T64 "]) -> " T64 ":\n"
                          "        r: " T64 " = self.g(o, " DIRS(
                              OUT) ")\n"
                                   "        return r\n" ORCH
                                   "    def main(self, a: pl.Out[" T64
                                   "], b: pl.Out[" T64 "]):\n"
                                   "        r: " T64
                                   " = self.s(a, attrs={\"arg_directions\": "
                                   "[" OUT "], \"core_num\": 4, "
                                   "\"sync_start\": True})\n"
                                   "        q: pl.Tuple[" T64
                                   ", pl.Scalar[pl.TASK_ID]] = "
                                   "pl.spmd_submit(self.s, r, core_num=2, "
                                   "allow_early_resolve=True, " DIRS(
                                       OUT) ")\n");
    assert_json(cJSON_GetObjectItem(task_of(&p, 0), "core"), "\"mixed\"");
    assert_json(cJSON_GetObjectItem(task_of(&p, 0), "blocks"), "4");
    assert_true(
        cJSON_IsTrue(cJSON_GetObjectItem(task_of(&p, 0), "sync_start")));
    assert_access(&p, 0, 0,
                  "[{\"exact\":true,\"mode\":\"write\","
                  "\"must\":true}]");
    assert_json(cJSON_GetObjectItem(task_of(&p, 1), "blocks"), "2");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(task_of(&p, 1), "early")));
    assert_key(&p, 1, 0, "param:a");
    /* Two blocks of 16 rows. */
    assert_access(&p, 1, 0,
                  "[{\"exact\":true,\"mode\":\"write\",\"must\":true,"
                  "\"region\":{\"base\":0,\"dims\":[[32,256,0],[64,4,0]],"
                  "\"elem\":4}}]");
    plan_free(&p);
}

static void a_kernel_without_a_body_goes_by_its_signature(void **state)
{
    (void)state;
    planned p = plan_ok(
        HEAD
        "    @pl.function(type=pl.FunctionType.AIV, "
        "external_source=\"k.cpp\")\n"
        "    def k(x: " T64 ", o: pl.Out[" T64 "], q: pl.InOut[" T64
        "]) -> " T64 ":\n        pass\n" ORCH "    def main(self, a: " T64
        ", b: pl.Out[" T64 "], c: pl.InOut[" T64 "]):\n"
        "        r: " T64 " = self.k(a, b, c, " DIRS(
            IN ", " OUT
               ", pl.adir.inout") ")\n"
                                  "        u: " T64 " = self.k(r, b, c, " DIRS(
                                      IN ", " OUT ", pl.adir.inout") ")\n");
    assert_access(&p, 0, 0,
                  "[{\"exact\":false,\"mode\":\"read\","
                  "\"must\":false}]");
    assert_access(&p, 0, 1,
                  "[{\"exact\":false,\"mode\":\"write\","
                  "\"must\":false}]");
    assert_access(&p, 0, 2,
                  "[{\"exact\":false,\"mode\":\"read\",\"must\":false},"
                  "{\"exact\":false,\"mode\":\"write\",\"must\":false}]");
    assert_key(&p, 1, 0, "param:b"); /* one Out, one result */
    plan_free(&p);
}

static void an_unclear_result_is_refused_when_used(void **state)
{
    (void)state;
    assert_refused(
        HEAD "    @pl.function(type=pl.FunctionType.AIV, "
             "external_source=\"k.cpp\")\n"
             "    def k(o: pl.Out[" T64 "], p: pl.Out[" T64 "]) -> " T64
             ":\n        pass\n" COPY ORCH "    def main(self, a: pl.Out[" T64
             "], b: pl.Out[" T64 "]):\n"
             "        r: " T64 " = self.k(a, b, " DIRS(
                 OUT ", " OUT) ")\n"
                               "        s: " T64
                               " = self.copy(r, b, " DIRS(IN ", " OUT) ")\n",
        SONATA_UNSUPPORTED, 17, "a result of self.k (line 16), which does not");
}

static void control_flow_is_refused_with_its_line(void **state)
{
    (void)state;
    assert_refused(HEAD COPY ORCH
                   "    def main(self, a: " T64 ", b: pl.Out[" T64 "], n: "
                   "pl.Scalar[pl.INDEX]):\n"
                   "        while n > 4:\n"
                   "            self.copy(a, b, " DIRS(IN ", " OUT) ")\n",
                   SONATA_UNSUPPORTED, 13, "a while loop in the orchestration");
    assert_refused(
        HEAD COPY ORCH
        "    def main(self, a: " T64 ", b: pl.Out[" T64 "]):\n"
        "        for i in pl.range(4):\n"
        "            self.copy(a, b, " DIRS(IN ", " OUT) ")\n"
                                                         "            break\n",
        SONATA_UNSUPPORTED, 15, "a break or continue in the");
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    assert_refused(HEAD COPY ORCH "    def main(self, a: " T64
                                  ", b: pl.Out[" T64 "]):\n"
                                  "        self.copy(a, " DIRS(IN) ")\n",
                   SONATA_UNSUPPORTED, 13, "1 arguments for 2 parameters");
    assert_refused(HEAD COPY ORCH "    def main(self, a: " T64
                                  ", b: pl.Out[" T64 "]):\n"
                                  "        self.copy(a, b, " DIRS(IN) ")\n",
                   SONATA_UNSUPPORTED, 13, "1 entries for 2 arguments");
    assert_refused(HEAD COPY ORCH
                   "    def main(self, a: " T64 ", b: pl.Out[" T64 "]):\n"
                   "        self.paste(a, b, " DIRS(IN ", " OUT) ")\n",
                   SONATA_UNSUPPORTED, 13, "self.paste is no function");
    assert_refused(HEAD COPY ORCH "    def main(self, a: " T64
                                  ", b: pl.Out[" T64 "]):\n"
                                  "        x: " T64 " = pl.tensor.fold(a)\n",
                   SONATA_UNSUPPORTED, 13, "pl.tensor.fold has no meaning");
    assert_refused(HEAD COPY, SONATA_UNSUPPORTED, 1,
                   "no Orchestration function");
    /* A kernel that calls itself ends as an error, not as a loop. */
    assert_refused(HEAD "    @pl.function(type=pl.FunctionType.Group)\n"
                        "    def g(o: " T64 "):\n"
                        "        self.g(o, " DIRS(
                            IN) ")\n" ORCH "    def main(self, a: " T64 "):\n"
                                "        self.g(a, " DIRS(IN) ")\n",
                   SONATA_UNSUPPORTED, 8, "nested deeper than");
}

static void a_text_cut_short_is_no_program(void **state)
{
    (void)state;
    static const char text[] = HEAD COPY ORCH
        "    def main(self, a: " T64 ", b: pl.Out[" T64 "]) -> " T64 ":\n"
        "        s: " T64
        " = self.copy(a, b, " DIRS(IN ", " OUT) ")\n"
                                                "        deep: " T64 " = s\n"
                                                "        return deep\n";
    planned p = plan_ok(text);
    plan_free(&p);
    for (size_t n = 0; n + 2 < sizeof text; n++) {
        char *cut = NULL;
        size_t length;
        sonata_error error = {0};
        sonata_status status =
            sonata_dump_plan(&cut, &length, text, n, NULL, &error);
        if (status == SONATA_OK)
            fail_msg("the first %zu bytes are taken for a program", n);
        assert_true(error.message[0] != '\0' && error.code[0] != '\0');
    }
}

static void names_and_sizes_must_be(void **state)
{
    (void)state;
#define MAIN "    def main(self, a: " T64 ", b: pl.Out[" T64 "]):\n"
    assert_refused(HEAD COPY ORCH MAIN "        q: " T64 " = zzz\n",
                   SONATA_SYNTAX, 13, "zzz is not defined");
    assert_refused(HEAD COPY ORCH MAIN "        self.copy\n", SONATA_SYNTAX, 13,
                   "neither calls nor computes");
    assert_refused(HEAD COPY ORCH MAIN "        p: " PAIR " = " SUBMIT_X
                                       "deps=[a], " DIRS(IN ", " OUT) ")\n",
                   SONATA_UNSUPPORTED, 13, "deps holds a, which is no TaskId");
    assert_refused(HEAD COPY ORCH MAIN "        self.copy(a, b)\n",
                   SONATA_UNSUPPORTED, 13, "copy has no arg_directions");
    assert_refused(HEAD COPY ORCH MAIN "        p: " PAIR " = " SUBMIT_X
                                       "zork=3, " DIRS(IN ", " OUT) ")\n",
                   SONATA_UNSUPPORTED, 13, "the keyword zork");
    assert_refused(HEAD COPY COPY ORCH MAIN "        pass\n", SONATA_SYNTAX, 12,
                   "a second function of the name copy");
    assert_refused(HEAD COPY ORCH MAIN
                   "        s: " T64 " = pl.tensor.slice(a, [8, 8], [-4, 0])\n",
                   SONATA_RANGE, 13, "negative offset");
    assert_refused(HEAD COPY ORCH MAIN "        s: " T64
                                       " = pl.tensor.reshape(a, [64, 65])\n",
                   SONATA_RANGE, 13, "another number of elements");
    assert_refused(
        HEAD COPY ORCH MAIN
        "        s: pl.Scalar[pl.INDEX] = pl.tensor.read(a, [64, 0])\n",
        SONATA_RANGE, 13, "index 64 of a dimension of 64");
    assert_refused(HEAD COPY ORCH MAIN
                   "        s: " T64
                   " = pl.tensor.create([-1], dtype=pl.FP32)\n",
                   SONATA_RANGE, 13, "a dimension of -1");
    assert_refused(HEAD COPY ORCH MAIN
                   "        n: pl.Array[2, pl.TASK_ID] = pl.array.create(2)\n"
                   "        t: " TID " = pl.array.get_element(n, 5)\n",
                   SONATA_RANGE, 14, "index 5 of an array of 2");
}

static void the_same_answer_twice(void **state)
{
    (void)state;
    const char *text =
        HEAD COPY ORCH "    def main(self, a: " T64 ", b: pl.Out[" T64 "]):\n"
                       "        self.copy(a, b, " DIRS(IN ", " OUT) ")\n";
    planned p = plan_ok(text), q = plan_ok(text);
    assert_string_equal(p.text, q.text);
    plan_free(&p);
    plan_free(&q);
}

static const char *role_of(const planned *p, int member)
{
    const cJSON *m =
        cJSON_GetArrayItem(cJSON_GetObjectItem(p->bundle, "members"), member);
    return cJSON_GetObjectItem(m, "role")->valuestring;
}

static void a_score_where_the_program_is_eligible(void **state)
{
    (void)state;
    planned p = plan_ok(
        HEAD COPY ORCH
        "    def main(self, a: " T64 ", b: pl.Out[" T64 "]):\n"
        "        s: " T64 " = self.copy(a, b, " DIRS(
            IN ", " OUT) ")\n"
                         "        self.copy(s, b, " DIRS(IN ", " OUT) ")\n");
    assert_string_equal(role_of(&p, 0), "graph");
    assert_string_equal(role_of(&p, 1), "score");
    const cJSON *score = cJSON_GetObjectItem(
        cJSON_GetArrayItem(cJSON_GetObjectItem(p.bundle, "members"), 1),
        "document");
    assert_json(cJSON_GetObjectItem(score, "dependencies"),
                "[{\"consumer\":1,\"kind\":\"data\",\"producer\":0}]");
    plan_free(&p);
    p = plan_ok(HEAD COPY ORCH
                "    def main(self, a: " T64 ", b: pl.Out[" T64 "]):\n"
                "        s: " PAIR " = " SUBMIT_X DIRS(IN ", " OUT) ")\n");
    assert_string_equal(role_of(&p, 1), "eligibility");
    plan_free(&p);
}

/* What has no name is a kind of the IR in a Score (spec 05). */
static void arguments_without_names(void **state)
{
    (void)state;
    static const struct {
        const char *printed, *name;
    } values[] = {
        {"4", "ConstInt"},       {"pl.const(4, pl.INT64)", "ConstInt"},
        {"2.5", "ConstFloat"},   {"True", "ConstBool"},
        {"False", "ConstBool"},  {"n + 1", "Add"},
        {"-n", "Neg"},           {"pl.min(n, 4)", "Min"},
        {"pl.max(n, 4)", "Max"}, {"n", "n"},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[4096];
        snprintf(text, sizeof text,
                 HEAD AIV "    def part(x: " T64
                          ", n: pl.Scalar[pl.INDEX], o: pl.Out[" T64
                          "]) -> " T64 ":\n"
                          "        t: " TILE
                          " = pl.tile.load(x, [0, 0], [64, 64], [64, 64])\n"
                          "        r: " T64 " = pl.tile.store(t, [0, 0], o)\n"
                          "        return o\n" ORCH "    def main(self, a: " T64
                          ", n: pl.Scalar[pl.INDEX], b: "
                          "pl.Out[" T64 "]):\n"
                          "        s: " T64 " = self.part(a, %s, b, " DIRS(
                              IN ", pl.adir.scalar, " OUT) ")\n",
                 values[i].printed);
        planned p = plan_ok(text);
        assert_string_equal(role_of(&p, 1), "score");
        const cJSON *score = cJSON_GetObjectItem(
            cJSON_GetArrayItem(cJSON_GetObjectItem(p.bundle, "members"), 1),
            "document");
        const cJSON *task =
            cJSON_GetArrayItem(cJSON_GetObjectItem(score, "tasks"), 0);
        const cJSON *arg =
            cJSON_GetArrayItem(cJSON_GetObjectItem(task, "args"), 1);
        assert_string_equal(arg->valuestring, values[i].name);
        plan_free(&p);
    }
}

static void two_roots_keep_their_names_apart(void **state)
{
    (void)state;
    planned p = plan_ok(
        HEAD COPY ORCH
        "    def one(self, a: " T64 ", b: pl.Out[" T64 "]):\n"
        "        self.copy(a, b, " DIRS(
            IN ", " OUT) ")\n" ORCH "    def two(self, a: " T64
                         ", b: pl.Out[" T64 "]):\n"
                         "        self.copy(a, b, " DIRS(IN ", " OUT) ")\n");
    assert_key(&p, 0, 0, "param:one.a");
    assert_key(&p, 1, 0, "param:two.a");
    plan_free(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(results_alias_arguments),
    cmocka_unit_test(slices_and_reshapes_share_storage),
    cmocka_unit_test(task_ids_flow_through_arrays_and_dummies),
    cmocka_unit_test(a_slot_overwritten_is_told),
    cmocka_unit_test(compiler_edges_name_an_earlier_result),
    cmocka_unit_test(scopes_nest),
    cmocka_unit_test(a_function_may_be_one_manual_scope),
    cmocka_unit_test(predicates_either_way_round),
    cmocka_unit_test(the_host_reads_while_the_graph_is_built),
    cmocka_unit_test(dynamic_shapes_are_symbols),
    cmocka_unit_test(wrappers_pass_views_and_take_cores),
    cmocka_unit_test(a_kernel_without_a_body_goes_by_its_signature),
    cmocka_unit_test(an_unclear_result_is_refused_when_used),
    cmocka_unit_test(control_flow_is_refused_with_its_line),
    cmocka_unit_test(wrong_calls_are_refused),
    cmocka_unit_test(a_text_cut_short_is_no_program),
    cmocka_unit_test(names_and_sizes_must_be),
    cmocka_unit_test(the_same_answer_twice),
    cmocka_unit_test(a_score_where_the_program_is_eligible),
    cmocka_unit_test(arguments_without_names),
    cmocka_unit_test(two_roots_keep_their_names_apart),
};

TEST_MAIN(tests)
