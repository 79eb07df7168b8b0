/*
 * The real simulator through the command: a script stands for its Python and
 * leaves behind what a run would, for the known six tasks too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../scripts/testing/harness.h"
#include "tool.h"

#define ACCESS(mode)                                                           \
    "\"view\":{\"base\":0,\"elem\":4,\"dims\":[[4,4,0]],\"dtype\":\"fp32\"},"  \
    "\"access\":[{\"mode\":\"" mode "\",\"must\":true,\"exact\":true,"         \
    "\"region\":{\"base\":0,\"elem\":4,\"dims\":[[4,4,0]]}}]"
#define ARG(key, dispatch, mode)                                               \
    "{\"buffer\":\"" key "\",\"dispatch\":\"" dispatch "\"," ACCESS(mode) "}"
#define TASK(id, name, deps, args)                                             \
    "{\"id\":" id ",\"name\":\"" name "\",\"core\":\"aiv\",\"deps\":[" deps    \
    "],\"args\":[" args "]}"
/* 5 writes x, 6 reads it into y, 7 writes x again: by the rules of the runtime
   5 comes before 6, and 7 after 6 by its dep alone. */
#define GRAPH(last)                                                            \
    "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"tensormap\","          \
    "\"buffers\":[{\"key\":\"param:x\",\"bytes\":16,\"external\":true},"       \
    "{\"key\":\"param:y\",\"bytes\":16,\"external\":true}],\"tasks\":[" TASK(  \
        "5", "fill", "",                                                       \
        ARG("param:x", "output_existing",                                      \
            "write")) "," TASK("6", "take", "",                                \
                               ARG("param:x", "input", "read") "," ARG(        \
                                   "param:y", "output_existing",               \
                                   "write")) "," TASK("7", "empty", last,      \
                                                      ARG("param:x",           \
                                                          "output_existing",   \
                                                          "write")) "]}"
/* The same under its own edges: the runtime would find one of the two. */
#define OWN_EDGES                                                              \
    "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"none\","               \
    "\"buffers\":[{\"key\":\"param:x\",\"bytes\":16,\"external\":true},"       \
    "{\"key\":\"param:y\",\"bytes\":16,\"external\":true}],\"edges\":["        \
    "{\"from\":5,\"to\":6,\"source\":\"policy\"},"                             \
    "{\"from\":6,\"to\":7,\"source\":\"policy\"}],\"tasks\":[" TASK(           \
        "5", "fill", "",                                                       \
        ARG("param:x", "output_existing",                                      \
            "write")) "," TASK("6", "take", "",                                \
                               ARG("param:x", "input", "read") "," ARG(        \
                                   "param:y", "output_existing",               \
                                   "write")) "," TASK("7", "empty", "",        \
                                                      ARG("param:x",           \
                                                          "output_existing",   \
                                                          "write")) "]}"
#define CLEAN GRAPH("{\"task\":6}")
#define RACE GRAPH("")

#define ROW(id, args)                                                          \
    "{\"task_id\":\"" id "\",\"scope\":\"auto\",\"early_dispatch\":false,"     \
    "\"kernel_ids\":[-1,1,-1],\"block_num\":1,\"args\":[" args "]}"
#define SEEN(index, type, tensor)                                              \
    "{\"idx\":" index ",\"type\":\"" type "\",\"tensor_id\":\"" tensor         \
    "\",\"dtype\":\"FLOAT32\",\"shape\":[4],\"start_offset\":\"0\","           \
    "\"strides\":[1]}"
#define TENSOR(id, address)                                                    \
    "{\"tensor_id\":\"" id "\",\"buffer_addr\":\"" address                     \
    "\",\"version\":0,\"dtype\":\"FLOAT32\",\"buffer_numel\":\"4\"}"
#define EDGE(pred, succ)                                                       \
    "{\"pred\":\"" pred "\",\"succ\":\"" succ                                  \
    "\",\"arg\":-1,\"source\":\"explicit\"}"
#define ROWS                                                                   \
    ROW("0", SEEN("0", "OUTPUT_EXISTING", "1"))                                \
    "," ROW("1", SEEN("0", "INPUT", "1") "," SEEN(                             \
                     "1", "OUTPUT_EXISTING",                                   \
                     "2")) "," ROW("2", SEEN("0", "OUTPUT_EXISTING", "1"))
#define TENSORS TENSOR("1", "4096") "," TENSOR("2", "8192")
#define RECORD(edges)                                                          \
    "{\"tasks\":[" ROWS "],\"tensors\":[" TENSORS "],\"edges\":[" edges "]}"
#define FIRST EDGE("0", "1")
#define BOTH FIRST "," EDGE("1", "2")
/* Cycles: 10 to 20, then as told, then 40 to 50. */
#define TRACE(start, end)                                                      \
    "{\"chip_swimlane_level\":4,\"metadata\":{\"clock_freq_hz\":50000000,"     \
    "\"core_types\":[\"aiv\",\"aiv\"]},\"aicore_tasks\":[[0,0,1,10,20,1],"     \
    "[0,1,2," start "," end ",1],[1,2,3,40,50,1]],\"aicpu_tasks\":["           \
    "[0,1,9,21],[0,2,9,41],[1,3,9,51]]}"

/* The run of a scene that is not the probe; $c is the case. */
#define SAME "cp expected.bin out/$c.bin"
#define OTHER                                                                  \
    SAME "; printf xyz | dd of=out/$c.bin bs=1 seek=24 conv=notrunc "          \
         "2>/dev/null"

typedef struct given {
    const char *graph, *run, *manual, *automatic, *trace;
} given;

static const given plain = {CLEAN, SAME, RECORD(BOTH), RECORD(BOTH),
                            TRACE("20", "40")};

/* A folder with the graph, what a run leaves behind, and bin/python3. */
static char *make_place(const given *g)
{
    char script[4096];
    char *folder = tool_folder();
    tool_write(folder, "graph.json", g->graph);
    tool_write(folder, "manual.deps.json", g->manual);
    tool_write(folder, "automatic.deps.json", g->automatic);
    tool_write(folder, "trace.json", g->trace);
    snprintf(script, sizeof script,
             "#!/bin/sh\nbase='%s'\nmkdir -p out\n"
             "while [ $# -gt 0 ]; do\nif [ \"$1\" = --case ]; then\n"
             "c=$2; shift\nif grep -q '\"left\"\\|left' score.txt; then\n" SAME
             "\nelse\n%s\n"
             "case $c in manual|automatic)\n"
             "cp \"$base/$c.deps.json\" out/$c.deps.json\n"
             "cp \"$base/trace.json\" out/$c.chip_swimlane_records.json;;\n"
             "esac\nfi\nfi\nshift\ndone\n",
             folder, g->run);
    tool_write(folder, "bin/python3", script);
    assert_int_equal(chmod(tool_path(folder, "bin/python3"), 0700), 0);
    return folder;
}

/* Runs it with --json, and more options up to NULL. */
static void run_place(tool_result *r, const char *folder, const char *option,
                      const char *value)
{
    char path[4096], *old = strdup(getenv("PATH"));
    snprintf(path, sizeof path, "%s:%s", tool_path(folder, "bin"), old);
    assert_int_equal(setenv("PATH", path, 1), 0);
    assert_int_equal(setenv("TMPDIR", folder, 1), 0);
    if (option == NULL)
        tool_run(r, NULL, "replay", "--backend", "a2a3sim", "--simpler", folder,
                 "--json", tool_path(folder, "graph.json"), NULL);
    else
        tool_run(r, NULL, "replay", "--backend", "a2a3sim", "--simpler", folder,
                 option, value, tool_path(folder, "graph.json"), NULL);
    assert_int_equal(setenv("PATH", old, 1), 0);
    assert_int_equal(unsetenv("TMPDIR"), 0);
    free(old);
}

static void expect_parts(const tool_result *r, int status,
                         const char *const *parts)
{
    for (; r->status == status && *parts != NULL; parts++)
        if ((**parts == '!') ==
            (strstr(r->out, *parts + (**parts == '!')) != NULL))
            break;
    if (r->status != status || *parts != NULL)
        fail_msg("status %d, not as it should be: %s\n%s%s", r->status,
                 *parts == NULL ? "" : *parts, r->out, r->error);
}

typedef struct expected {
    given g;
    int status;
    const char *parts[5]; /* with '!' before what is not to be there */
} expected;

static void expect(const expected *e)
{
    tool_result r;
    given g = e->g;
    g.graph = g.graph == NULL ? plain.graph : g.graph;
    g.run = g.run == NULL ? plain.run : g.run;
    g.manual = g.manual == NULL ? plain.manual : g.manual;
    g.automatic = g.automatic == NULL ? plain.automatic : g.automatic;
    g.trace = g.trace == NULL ? plain.trace : g.trace;
    char *folder = make_place(&g);
    run_place(&r, folder, NULL, NULL);
    expect_parts(&r, e->status, e->parts);
    tool_free(&r);
    tool_remove(folder);
}

static void bytes_are_judged(void **state)
{
    (void)state;
    static const expected cases[] = {
        {{0},
         0,
         {"\"backend\":\"a2a3sim\"", "\"name\":\"manual_lazy_2\"", "\"ran\":8}",
          "!\"verdict\":\"differs\"", "\"errors\":0"}},
        /* Nobody said so: one of the two is wrong. */
        {{.run = OTHER},
         1,
         {"\"rule\":\"replay.disagrees\"", "reads other bytes",
          "and no finding says so", "(8 cases left other bytes)",
          "\"differing\":8"}},
        {{.run = "[ $c != manual_lazy_1 ] || { " OTHER "; }; "
                 "[ $c = manual_lazy_1 ] || " SAME},
         1,
         {"\"rule\":\"replay.disagrees\"", "case manual_lazy_1,",
          "\"differing\":1"}},
        /* A race was found: the run shows it, or it does not. */
        {{.graph = RACE,
          .manual = RECORD(FIRST),
          .automatic = RECORD(FIRST),
          .run = OTHER},
         1,
         {"\"rule\":\"replay.differs\"", "when it is run on a2a3sim",
          "!replay.disagrees"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(&cases[i]);
}

static void records_are_judged(void **state)
{
    (void)state;
    static const expected cases[] = {
        {{.manual = RECORD(FIRST)},
         1,
         {"replay.disagrees", "case manual, the runtime kept no order",
          "task 6 \\\"take\\\" to task 7", "\"lacking\":1,\"more\":0"}},
        {{.automatic = RECORD(EDGE("1", "2"))},
         1,
         {"replay.disagrees", "case automatic, the runtime kept no order",
          "task 5 \\\"fill\\\" to task 6", "\"lacking\":1,\"more\":0"}},
        {{.graph = RACE, .manual = RECORD(FIRST), .automatic = RECORD(BOTH)},
         1,
         {"case automatic, the runtime made an order",
          "task 6 \\\"take\\\" to task 7", "\"lacking\":0,\"more\":1"}},
        {{.manual = "{}"}, 0, {"\"read\":false", "\"open\":\""}},
        {{.manual = "no JSON"}, 0, {"its record cannot be read"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(&cases[i]);
}

static void times_are_judged(void **state)
{
    (void)state;
    static const expected cases[] = {
        {{.trace = TRACE("19", "30")},
         1,
         {"trace.order", "started 1 cycles", "\"errors\":1,\"lacking\":0"}},
        /* 6 and 7 at once: no edge says that they may not. */
        {{.graph = RACE,
          .manual = RECORD(FIRST),
          .automatic = RECORD(FIRST),
          .trace = TRACE("30", "45")},
         1,
         {"trace.race", "ran at the same time", "\"errors\":1"}},
        {{.trace = "{\"chip_swimlane_level\":4,\"metadata\":{}}"},
         0,
         {"\"errors\":0"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(&cases[i]);
}

/* What the runtime derives is no claim about edges that are none of its. */
static void other_rules_claim_nothing(void **state)
{
    (void)state;
    static const expected cases[] = {
        {{.graph = OWN_EDGES,
          .automatic = RECORD(FIRST),
          .run = "[ $c != automatic ] || { " OTHER "; }; "
                 "[ $c = automatic ] || " SAME},
         0,
         {"\"errors\":1,\"lacking\":1,\"more\":0", "\"differing\":1",
          "!\"severity\":\"error\"", "\"total\":0"}},
        {{.graph = OWN_EDGES, .manual = RECORD(FIRST)},
         1,
         {"case manual, the runtime kept no order", "runtime.lost-edge"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(&cases[i]);
}

/* Of the cases that hold tasks back only the first are told, of all how many.
 */
static void some_differences_are_told(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "a2a3sim, manual: task 6 \"take\" reads other bytes",
        "a2a3sim, automatic: task 6 \"take\" reads other bytes",
        "a2a3sim, manual_eager_1: task 6 \"take\" reads other bytes",
        "!a2a3sim, manual_lazy_2: task",
        "a2a3sim: 1 more cases left other bytes: --json lists them\n",
        NULL};
    tool_result r;
    given g = plain;
    g.run = OTHER;
    char *folder = make_place(&g);
    run_place(&r, folder, "--seed", "0");
    expect_parts(&r, 1, parts);
    tool_free(&r);
    tool_remove(folder);
}

static void a_second_try_is_told(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "a2a3sim, manual: ran at the second try; the first process was ended "
        "by signal SIGKILL",
        "a2a3sim, automatic: did not run; its process ended with status 3",
        "a2a3sim, manual: the order of the program, 0 errors in its times",
        "7 of 8 cases ran, 0 left other bytes", NULL};
    given g = plain;
    tool_result r;
    g.run = "if [ $c = manual ] && [ ! -e $base/tried ]; then\n"
            "touch $base/tried; kill -9 $$; fi\n"
            "[ $c != automatic ] || exit 3\n" SAME;
    char *folder = make_place(&g);
    run_place(&r, folder, "--seed", "0");
    expect_parts(&r, 0, parts);
    tool_free(&r);
    tool_remove(folder);
}

/* What the real simulator cannot do the embedded one does, and says so. */
static void what_is_refused_falls_back(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "a2a3sim was not used, the embedded simulator answered: task 5: it "
        "starts more blocks together than the simulator has cores",
        NULL};
    tool_result r;
    given g = plain;
    g.graph = "{\"kind\":\"task_graph\",\"version\":1,\"buffers\":[],"
              "\"tasks\":[{\"id\":5,\"name\":\"all\",\"core\":\"aic\","
              "\"blocks\":9,\"sync_start\":true,\"args\":[]}]}";
    char *folder = make_place(&g);
    run_place(&r, folder, "--clusters", "24");
    expect_parts(&r, 0, parts);
    tool_free(&r);
    tool_remove(folder);
}

static void it_is_recorded(void **state)
{
    (void)state;
    static const char *const parts[] = {"replay.disagrees (a2a3sim)",
                                        "1  findings", NULL};
    tool_result r;
    given g = plain;
    g.run = OTHER;
    char *folder = make_place(&g);
    run_place(&r, folder, "--db", tool_path(folder, "runs.db"));
    assert_int_equal(r.status, 1);
    tool_free(&r);
    tool_run(&r, NULL, "report", tool_path(folder, "runs.db"), NULL);
    expect_parts(&r, 0, parts);
    tool_free(&r);
    run_place(&r, folder, "--db", folder);
    assert_int_equal(r.status, 2);
    tool_free(&r);
    tool_remove(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bytes_are_judged),
    cmocka_unit_test(records_are_judged),
    cmocka_unit_test(times_are_judged),
    cmocka_unit_test(other_rules_claim_nothing),
    cmocka_unit_test(some_differences_are_told),
    cmocka_unit_test(a_second_try_is_told),
    cmocka_unit_test(what_is_refused_falls_back),
    cmocka_unit_test(it_is_recorded),
};

TEST_MAIN(tests)
