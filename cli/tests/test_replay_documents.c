/* counterpoint replay of small documents: what it says, and what it takes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "tool.h"

#define SAMPLES "../shared/samples/a2a3sim"

static void expect_part(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("no \"%s\" in:\n%s", part, text);
}

#define TASK(id, more, args)                                                   \
    "{\"args\":[" args "],\"id\":" #id ",\"name\":\"t" #id "\"" more "}"
#define USE(key, told, mode, exact, region)                                    \
    "{\"access\":[{\"exact\":" exact ",\"mode\":\"" mode                       \
    "\",\"must\":true" region "}],\"buffer\":\"" key "\",\"dispatch\":\"" told \
    "\"}"
#define WRITE(key) USE(key, "output_existing", "write", "true", "")
#define READ(key) USE(key, "input", "read", "true", "")
#define ADD(key) USE(key, "inout", "accumulate", "true", "")
#define BYTES(base, count)                                                     \
    ",\"region\":{\"base\":" #base ",\"dims\":[[" #count ",1,0]],\"elem\":1}"
#define EXTERNAL(key)                                                          \
    "{\"bytes\":64,\"external\":true,\"key\":\"param:" key "\"}"
#define INTERNAL(key)                                                          \
    "{\"bytes\":64,\"external\":false,\"key\":\"alloc:" key "\"}"
#define DOCUMENT(buffers, edges, tasks)                                        \
    "{\"buffers\":[" buffers "],\"edges\":[" edges                             \
    "],\"kind\":\"task_graph\",\"name\":\"g\",\"rules\":\"none\",\"tasks\":"   \
    "[" tasks "],\"version\":1}"
#define PATH(from, to)                                                         \
    "{\"from\":" #from ",\"source\":\"explicit\",\"to\":" #to "}"

static void replay_text(tool_result *r, const char *text, const char *option)
{
    char *folder = tool_folder();
    tool_write(folder, "g.json", text);
    if (option == NULL)
        tool_run(r, NULL, "replay", tool_path(folder, "g.json"), NULL);
    else
        tool_run(r, NULL, "replay", option, tool_path(folder, "g.json"), NULL);
    tool_remove(folder);
}

#define AND(a, b) a "," b
#define PLACE(key, at, bytes)                                                  \
    "{\"offset\":" #at ",\"size\":" #bytes ",\"storage_key\":\"" key "\"}"
#define PLANNED(graph, places, peak)                                           \
    "{\"kind\":\"bundle\",\"members\":[{\"document\":" graph                   \
    ",\"role\":\"graph\"},{\"document\":{\"allocations\":[" places             \
    "],\"kind\":\"memory_plan\",\"peak_memory\":" #peak                        \
    ",\"policy\":\"greedy_v0\",\"version\":1},\"role\":\"memory\"}],"          \
    "\"version\":1}"

/* Two buffers that are alive together. */
#define X_AND_Z AND(INTERNAL("x"), INTERNAL("z"))
#define TOGETHER                                                               \
    DOCUMENT(                                                                  \
        AND(X_AND_Z, EXTERNAL("y")), AND(PATH(0, 1), PATH(1, 2)),              \
        AND(AND(TASK(0, "", WRITE("alloc:x")), TASK(1, "", WRITE("alloc:z"))), \
            TASK(2, "",                                                        \
                 AND(AND(READ("alloc:x"), READ("alloc:z")),                    \
                     WRITE("param:y")))))
#define OVERLAID AND(PLACE("alloc:x", 0, 64), PLACE("alloc:z", 32, 64))
#define READS_NOTHING                                                          \
    DOCUMENT(AND(INTERNAL("x"), EXTERNAL("y")), "",                            \
             TASK(0, "", AND(READ("alloc:x"), WRITE("param:y"))))
#define WRITES_TWICE                                                           \
    DOCUMENT(EXTERNAL("x"), "",                                                \
             TASK(0, "", AND(WRITE("param:x"), WRITE("param:x"))))
#define NO_ORDER                                                               \
    DOCUMENT(EXTERNAL("x"), "",                                                \
             AND(TASK(0, "", WRITE("param:x")), TASK(1, "", READ("param:x"))))

/* Whatever besides an order a difference needs stands in its witness. */
static void own_variants(void **state)
{
    (void)state;
    static const struct {
        const char *text, *cause;
    } cases[] = {
        {READS_NOTHING, "\"cause\":\"fill\""},
        {WRITES_TWICE, "\"cause\":\"inside\""},
        {PLANNED(TOGETHER, OVERLAID, 96), "\"cause\":\"legal\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tool_result r;
        char *folder = tool_folder();
        tool_write(folder, "g.json", cases[i].text);
        tool_run(&r, NULL, "replay", "--json", tool_path(folder, "g.json"),
                 NULL);
        expect_part(r.out, cases[i].cause);
        assert_int_equal(r.status, 1);
        tool_write(folder, "w.json", r.out);
        tool_free(&r);
        tool_run(&r, NULL, "replay", "--witness", tool_path(folder, "w.json"),
                 tool_path(folder, "g.json"), NULL);
        assert_string_equal(r.error, "");
        assert_int_equal(r.status, 1);
        tool_free(&r);
        tool_remove(folder);
    }
}

/* 0 writes some bytes of x, nobody knows which; 1 adds to all of it, 2 writes
 * all of it. */
static void what_is_open_is_no_contradiction(void **state)
{
    (void)state;
    tool_result r;
    replay_text(
        &r,
        DOCUMENT(
            EXTERNAL("x"), "",
            TASK(
                0, "",
                USE("param:x", "output_existing", "write", "false",
                    BYTES(
                        0,
                        6))) "," TASK(1, "",
                                      ADD("param:x")) "," TASK(2, "",
                                                               WRITE(
                                                                   "param:x"))),
        "--json");
    assert_null(strstr(r.out, "replay.disagrees"));
    expect_part(r.out, "was run and proves nothing");
    expect_part(r.out, "\"rule\":\"replay.differs\"");
    assert_int_equal(r.status, 1);
    tool_free(&r);
}

/* A dummy touches nothing, for the judge and for the simulator. */
static void dummies_agree(void **state)
{
    (void)state;
    tool_result r;
    replay_text(&r,
                DOCUMENT(EXTERNAL("x"), "",
                         TASK(0, "", WRITE("param:x")) "," TASK(
                             1, ",\"dummy\":true",
                             WRITE("param:x")) "," TASK(2, ",\"dummy\":true",
                                                        READ("param:x"))),
                "--json");
    assert_int_equal(r.status, 0);
    expect_part(r.out, "{\"verdict\":\"clean\"");
    tool_free(&r);
}

static void real_probes(void **state)
{
    (void)state;
    static const char probes[] = SAMPLES "/rule_probes/deps.json";
    tool_result r;
    test_needs(probes);
    tool_run(&r, NULL, "replay", "--json", probes, NULL);
    assert_null(strstr(r.out, "replay.disagrees"));
    tool_free(&r);
}

static void nothing_is_no_answer(void **state)
{
    (void)state;
    static const char *const texts[] = {
        DOCUMENT(
            EXTERNAL("x"), PATH(0, 1) "," PATH(1, 0),
            TASK(0, "", WRITE("param:x")) "," TASK(1, "", READ("param:x"))),
        DOCUMENT(EXTERNAL("x"), "",
                 TASK(0, ",\"blocks\":9,\"core\":\"aic\",\"sync_start\":true",
                      READ("param:x")))};
    static const char *const says[] = {
        "undecided: not replayed: nothing can run",
        "undecided: not run on the machine: task 0 never starts"};
    for (size_t i = 0; i < 2; i++) {
        tool_result r;
        replay_text(&r, texts[i], NULL);
        assert_int_equal(r.status, 4);
        expect_part(r.out, says[i]);
        assert_null(strstr(r.out, " in 0 runs"));
        tool_free(&r);
        replay_text(&r, texts[i], "--json");
        assert_int_equal(r.status, 4);
        expect_part(r.out, "{\"verdict\":\"undecided\"");
        expect_part(r.out, says[i] + strlen("undecided: "));
        tool_free(&r);
    }
}

static void words(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {DOCUMENT(EXTERNAL("x"), "",
                  TASK(0, "", WRITE("param:x") "," WRITE("param:x"))),
         "gets the write of argument 0 instead of the write of argument 1, "
         "both of task 0"},
        {DOCUMENT(INTERNAL("x"), "", TASK(0, "", READ("alloc:x"))),
         "which nobody has written by then, and gets what happens to be "
         "there"},
        /* A write that may not happen. */
        {DOCUMENT(INTERNAL("x") "," EXTERNAL("n"), PATH(0, 1),
                  TASK(0,
                       ",\"predicate\":{\"buffer\":\"param:n\",\"op\":\">\","
                       "\"region\":{\"base\":0,\"dims\":[],\"elem\":4},"
                       "\"value\":0}",
                       WRITE("alloc:x")) "," TASK(1, "", READ("alloc:x"))),
         "warning replay.differs: task 1 \"t1\" reads bytes 0 to 63 of "
         "alloc:x, which perhaps nobody has written"},
        {DOCUMENT(
             "{\"bytes\":null,\"external\":true,\"key\":\"param:x\"}", "",
             TASK(0, "", WRITE("param:x")) "," TASK(1, "", READ("param:x"))),
         "task 1 \"t1\" reads param:x and gets"},
        {DOCUMENT(
             EXTERNAL("x"), PATH(1, 0),
             TASK(0, "", WRITE("param:x")) "," TASK(1, "", READ("param:x"))),
         "in the order of its edges, against the order of the program"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tool_result r;
        replay_text(&r, cases[i].text, NULL);
        expect_part(r.out, cases[i].says);
        tool_free(&r);
    }
}

/* Buffers of unknown size that a plan puts at one place differ in nothing. */
#define UNSIZED(key)                                                           \
    "{\"bytes\":null,\"external\":true,\"key\":\"param:" key "\"}"
#define UNSIZED_PAIR                                                           \
    DOCUMENT(                                                                  \
        AND(UNSIZED("x"), UNSIZED("y")), "",                                   \
        AND(TASK(0, "", WRITE("param:x")), TASK(1, "", WRITE("param:y"))))
static void unknown_sizes(void **state)
{
    (void)state;
    tool_result r;
    replay_text(&r,
                PLANNED(UNSIZED_PAIR,
                        AND(PLACE("param:x", 0, 0), PLACE("param:y", 0, 0)), 0),
                NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "undecided: what shares the bytes of 2 buffers");
    expect_part(r.out, "no difference");
    tool_free(&r);
}

/* Accesses of blocks are counted before they are made. */
static void blocks_without_end(void **state)
{
    (void)state;
    static const char *const counts[] = {"0", "4"};
    for (size_t i = 0; i < 2; i++) {
        char text[1024];
        tool_result r;
        snprintf(text, sizeof text,
                 "{\"kind\":\"task_graph\",\"version\":1,\"buffers\":[{"
                 "\"key\":\"param:x\"}],\"tasks\":[{\"id\":0,\"blocks\":"
                 "9223372036854775807,\"args\":[{\"buffer\":\"param:x\","
                 "\"dispatch\":\"input\",\"access\":[{\"mode\":\"read\","
                 "\"must\":true,\"exact\":true,\"region\":{\"elem\":4,"
                 "\"base\":0,\"dims\":[[%s,64,{\"t\":[[4,\"block\"]]}]]}}]}]"
                 "}]}",
                 counts[i]);
        replay_text(&r, text, NULL);
        expect_part(r.out, "undecided: not replayed: the blocks of tasks up to "
                           "one with param:x make more than 16,777,216 "
                           "accesses");
        tool_free(&r);
    }
}

#define STEP(id, out)                                                          \
    "{\"arg_directions\":[\"" out "\"],\"arg_storage_keys\":[\"param:x\"],"    \
    "\"args\":[\"x\"],\"core_type\":\"aiv\",\"func_id\":" #id                  \
    ",\"name\":\"t" #id "\",\"task_id\":" #id "}"
#define SCORE                                                                  \
    "{\"dependencies\":[{\"consumer\":1,\"kind\":\"data\",\"producer\":0}],"   \
    "\"metadata\":{},\"name\":\"s\",\"runtime_target\":{"                      \
    "\"aicpu_thread_num\":null,\"config_comment\":[],\"function_name\":"       \
    "\"build\",\"runtime\":\"host_build_graph\"},\"schema_version\":1,"        \
    "\"shape_assumptions\":[],\"tasks\":[" STEP(0, "OutputExisting") "," STEP( \
        1, "Input") "]}"

/* A plan that lacks an edge of its Score is what the runtime follows. */
static void plan_of_a_score(void **state)
{
    (void)state;
    static const char edge[] = "{\"consumer\":1,\"producer\":0}";
    tool_result r;
    char *folder = tool_folder();
    tool_write(folder, "s.json", SCORE);
    tool_run(&r, NULL, "plan", tool_path(folder, "s.json"), NULL);
    tool_write(folder, "b.json", r.out);
    char *at = strstr(r.out, edge);
    assert_non_null(at);
    tool_expect(0, NULL, "replay", tool_path(folder, "b.json"), NULL);
    memset(at, ' ', strlen(edge));
    at = strstr(strstr(at, "\"role\":\"hbg\""), ",\"sha256\":\"");
    memset(at, ' ', strcspn(at + 11, "\"") + 12);
    tool_write(folder, "b.json", r.out);
    tool_free(&r);
    tool_run(&r, NULL, "replay", tool_path(folder, "b.json"), NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.out, "error replay.differs: task 1 \"t1\" reads");
    expect_part(r.out, "what is run is the plan");
    assert_null(strstr(r.out, "replay.disagrees"));
    tool_free(&r);
    tool_remove(folder);
}

/* The documented forms of a witness, and what is none. */
static void bare_witnesses(void **state)
{
    (void)state;
    static const struct {
        const char *witness;
        int status;
    } cases[] = {
        {"{\"order\":[1,0]}", 1},
        {"{\"order\":[1,\"rest\"],\"choices\":[],\"symbols\":{},"
         "\"skipped\":[]}",
         1},
        {"{\n\"order\":\n[[0,1]]}", 0},
        {"{\"order\":[1,\"rest\",\"rest\"]}", 2},
        {"{\"order\":[1,0],\"symbols\":{\"zz\":5}}", 2},
        {"{\"order\":[1]}", 2},
        {"{\"orders\":[1]}", 2},
    };
    char *folder = tool_folder();
    tool_write(folder, "g.json",
               DOCUMENT(EXTERNAL("x"), "",
                        TASK(0, "", WRITE("param:x")) "," TASK(
                            1, "", READ("param:x"))));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tool_write(folder, "w.json", cases[i].witness);
        tool_expect(cases[i].status, NULL, "replay", "--witness",
                    tool_path(folder, "w.json"), tool_path(folder, "g.json"),
                    NULL);
    }
    tool_remove(folder);
}

/* What always happens cannot be skipped, nor what is not there. */
static void skipped_is_what_may_happen(void **state)
{
    (void)state;
    static const struct {
        const char *skipped, *says;
    } cases[] = {
        {"[1,0]", NULL},
        {"{\"after\":null,\"before\":2}", NULL},
        {"[2,0]", "argument 0 of task 2, and what that touches it always "
                  "touches"},
        {"[1,0],[0,0]", "argument 0 of task 0, and what that touches"},
        {"[1,1]", "'skipped' of the witness is a list of"},
        {"[1,4294967296]", "'skipped' of the witness is a list of"},
        {"[7,0]", "'skipped' of the witness is a list of"},
    };
    char *folder = tool_folder();
    tool_write(folder, "g.json",
               DOCUMENT(EXTERNAL("x"), "",
                        AND(TASK(0, "", WRITE("param:x")),
                            AND(TASK(1, "",
                                     "{\"access\":[{\"exact\":true,\"mode\":"
                                     "\"write\",\"must\":false}],\"buffer\":"
                                     "\"param:x\",\"dispatch\":"
                                     "\"output_existing\"}"),
                                TASK(2, "", READ("param:x"))))));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tool_result r;
        char witness[128];
        snprintf(witness, sizeof witness,
                 "{\"order\":[2,0,1],\"skipped\":[%s]}", cases[i].skipped);
        tool_write(folder, "w.json", witness);
        tool_run(&r, NULL, "replay", "--witness", tool_path(folder, "w.json"),
                 tool_path(folder, "g.json"), NULL);
        assert_int_equal(r.status, cases[i].says == NULL ? 1 : 2);
        if (cases[i].says != NULL)
            expect_part(r.error, cases[i].says);
        tool_free(&r);
    }
    tool_remove(folder);
}

/* Names turn nothing round on a terminal. */
static void names_are_shown(void **state)
{
    (void)state;
    tool_result r;
    char *folder = tool_folder();
    tool_write(folder, "g.json",
               DOCUMENT(EXTERNAL("\\u202ex\\u2066"), "",
                        TASK(0, "", WRITE("param:\\u202ex\\u2066")) "," TASK(
                            1, "", READ("param:\\u202ex\\u2066"))));
    tool_run(&r, NULL, "replay", tool_path(folder, "g.json"), NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.out, " of param:\\u202Ex\\u2066 and gets ");
    assert_null(strstr(r.out, "\xe2\x80\xae"));
    tool_free(&r);
    tool_write(folder, "w.json",
               "{\"order\":[1,0],\"symbols\":{\"\xe2\x80\xae\":5}}");
    tool_run(&r, NULL, "replay", "--witness", tool_path(folder, "w.json"),
             tool_path(folder, "g.json"), NULL);
    assert_int_equal(r.status, 2);
    expect_part(r.error, "a value for \\u202E, which is no symbol");
    tool_free(&r);
    tool_run(&r, NULL, "replay", "no\x1b[31m\xff.json", NULL);
    expect_part(r.error, "no\\x1B[31m\\xFF.json");
    tool_free(&r);
    tool_remove(folder);
}

/* No verb writes over what it reads. */
static void inputs_stay(void **state)
{
    (void)state;
    static const char *const verbs[] = {"replay", "graph", "reduce"};
    char *folder = tool_folder();
    tool_write(folder, "g.json",
               DOCUMENT(EXTERNAL("x"), "", TASK(0, "", WRITE("param:x"))));
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        tool_result r;
        tool_run(&r, NULL, verbs[i], "-o", tool_path(folder, "g.json"),
                 tool_path(folder, "g.json"), NULL);
        assert_int_equal(r.status, 2);
        expect_part(r.error, "is an input");
        tool_free(&r);
    }
    tool_expect(2, NULL, "replay", "--witness", "-", "-", NULL);
    tool_remove(folder);
}

/* --- Times of a recorded run --- */

#define ROW(id)                                                                \
    "{\"task_id\":\"" #id "\",\"scope\":\"auto\",\"early_dispatch\":false,"    \
    "\"kernel_ids\":[-1,0,-1],\"block_num\":1,\"args\":[]}"
#define DEPS                                                                   \
    "{\"tasks\":[" ROW(0) "," ROW(                                             \
        1) "],\"tensors\":[],\"edges\":[{\"pred\":"                            \
           "\"0\",\"succ\":\"1\",\"arg\":-1,\"source\":\"explicit\"}]}"
/* Task 0 takes 30 ticks, task 1 70. */
#define SWIMLANE                                                               \
    "{\"chip_swimlane_level\":4,\"metadata\":{\"core_types\":[\"aiv\"]},"      \
    "\"aicore_tasks\":[[0,0,1,10,40,1],[0,1,2,50,120,1]],"                     \
    "\"aicpu_tasks\":[[0,1,9,41],[0,2,49,121]]}"

static void recorded(const char *folder, const char *input, int status,
                     const char *trace, const char *says)
{
    tool_result r;
    const char *file = tool_path(folder, input);
    tool_run(&r, NULL, "replay", "--json", "--model", "record", "--trace",
             tool_path(folder, trace), file, NULL);
    assert_int_equal(r.status, status);
    expect_part(status == 0 ? r.out : r.error, says);
    if (status != 0)
        assert_string_equal(r.out, "");
    tool_free(&r);
}

static void times_of_a_record(void **state)
{
    (void)state;
    char *folder = tool_folder();
    tool_write(folder, "deps.json", DEPS);
    tool_write(folder, "times.json", SWIMLANE);
    tool_write(folder, "other.json",
               "{\"chip_swimlane_level\":4,\"metadata\":{\"core_types\":"
               "[\"aiv\"]},\"aicore_tasks\":[],\"aicpu_tasks\":[]}");
    tool_write(folder, "broken.json", "{\"chip_swimlane_level\":4,");
    tool_write(folder, "plan.json",
               DOCUMENT(EXTERNAL("x"), PATH(0, 1),
                        TASK(0, "", WRITE("param:x")) "," TASK(
                            1, "", READ("param:x"))));
    tool_write(folder, "one.json",
               DOCUMENT(EXTERNAL("x"), "", TASK(0, "", WRITE("param:x"))));
    recorded(folder, "deps.json", 0, "times.json", "\"sequential\":130,");
    recorded(folder, "plan.json", 0, "times.json", "\"sequential\":130,");
    recorded(folder, "one.json", 2, "times.json", "the record has 2 tasks");
    recorded(folder, "deps.json", 2, "other.json", "not as many rows");
    recorded(folder, "deps.json", 2, "broken.json", "cannot be read");
    recorded(folder, "deps.json", 2, "absent.json", "cannot be opened");
    recorded(folder, "deps.json", 2, "deps.json", "no list");
    tool_write(folder, "chip_swimlane_records.json", SWIMLANE);
    recorded(folder, "deps.json", 0, "chip_swimlane_records.json",
             "\"sequential\":130,");
    recorded(folder, "chip_swimlane_records.json", 0,
             "chip_swimlane_records.json", "\"sequential\":130,");
    tool_remove(folder);
}

static void real_records(void **state)
{
    (void)state;
    static const char *const samples[] = {"score6_auto", "score6_manual",
                                          "vector_example"};
    static const long long sequential[] = {3715 + 6 * 15, 5542 + 6 * 15,
                                           334399 + 4 * 15};
    test_needs(SAMPLES);
    for (size_t i = 0; i < 3; i++) {
        char record[128], trace[128];
        tool_result r;
        snprintf(record, sizeof record, SAMPLES "/%s/deps.json", samples[i]);
        snprintf(trace, sizeof trace, SAMPLES "/%s/chip_swimlane_records.json",
                 samples[i]);
        tool_run(&r, NULL, "replay", "--json", "--model", "record", "--trace",
                 trace, record, NULL);
        assert_int_equal(tool_number(r.out, "sequential"), sequential[i]);
        tool_free(&r);
    }
}

/* 0 writes x, 1 a part of it that nobody knows, and 2 waits for 1 alone:
 * whatever 1 touches some order is wrong, and no order is wrong for all of it.
 * Both are shown, and neither is sure (docs/replay.md, "Three voices"). */
static void wrong_for_every_bound(void **state)
{
    (void)state;
    tool_result r;
    replay_text(
        &r,
        DOCUMENT(AND(INTERNAL("x"), EXTERNAL("y")), PATH(1, 2),
                 AND(AND(TASK(0, "", WRITE("alloc:x")),
                         TASK(1, "",
                              USE("alloc:x", "output_existing", "write",
                                  "false", ""))),
                     TASK(2, "", AND(READ("alloc:x"), WRITE("param:y"))))),
        NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "gets what was there before instead of the write of "
                       "task 0 \"t0\", when it is run with task 0 as late");
    expect_part(r.out, "gets the write of task 0 \"t0\" instead of the write "
                       "of task 1 \"t1\", when it is run with task 1 as early");
    expect_part(r.out, ": 2 differences in ");
    tool_free(&r);
}

#define MAY_BE(key, other)                                                     \
    "{\"bytes\":64,\"external\":true,\"key\":\"param:" key                     \
    "\",\"may_alias\":[\"" other "\"]}"
#define VIEW_OF_X(more)                                                        \
    "{\"alias_of\":{\"key\":\"param:x\",\"offset\":32},\"bytes\":32,"          \
    "\"key\":\"view\"" more "}"
#define WRITES_READS(buffers)                                                  \
    DOCUMENT(buffers, "",                                                      \
             AND(TASK(0, "", WRITE("param:x")),                                \
                 TASK(1, "", AND(READ("param:z"), WRITE("param:y")))))

/* What may be one memory is tried as that, and is a warning: it may not be. */
static void one_memory(void **state)
{
    static const char *const texts[] = {
        WRITES_READS(
            AND(AND(EXTERNAL("x"), EXTERNAL("y")), MAY_BE("z", "param:x"))),
        WRITES_READS(
            AND(AND(EXTERNAL("x"), VIEW_OF_X(",\"may_alias\":[\"param:z\"]")),
                AND(EXTERNAL("y"), EXTERNAL("z")))),
        WRITES_READS(AND(AND(EXTERNAL("x"), VIEW_OF_X("")),
                         AND(EXTERNAL("y"), MAY_BE("z", "view")))),
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        tool_result r;
        char *folder = tool_folder();
        tool_write(folder, "g.json", texts[i]);
        tool_run(&r, NULL, "check", tool_path(folder, "g.json"), NULL);
        expect_part(r.out, "hazard.unknown-access");
        tool_free(&r);
        tool_run(&r, NULL, "replay", "--json", tool_path(folder, "g.json"),
                 NULL);
        assert_int_equal(r.status, 0);
        expect_part(r.out, "are one memory");
        expect_part(r.out, "\"together\":[[");
        expect_part(r.out, "\"warning\":1");
        tool_write(folder, "w.json", r.out);
        tool_free(&r);
        tool_run(&r, NULL, "replay", "--witness", tool_path(folder, "w.json"),
                 tool_path(folder, "g.json"), NULL);
        assert_string_equal(r.error, "");
        expect_part(r.out, "warning replay.differs");
        expect_part(r.out, "when it is run in this order, where ");
        expect_part(r.out, " are one memory.");
        tool_free(&r);
        tool_remove(folder);
    }
}

/* Two writes of one task to what may be one memory. */
static void one_memory_in_a_task(void **state)
{
    static const char text[] =
        DOCUMENT(AND(EXTERNAL("x"), MAY_BE("z", "param:x")), "",
                 TASK(0, "", AND(WRITE("param:x"), WRITE("param:z"))));
    tool_result r;
    (void)state;
    char *folder = tool_folder();
    tool_write(folder, "g.json", text);
    tool_run(&r, NULL, "check", tool_path(folder, "g.json"), NULL);
    expect_part(r.out, "warning task.self-overlap");
    expect_part(r.out, "which may be the same memory");
    tool_free(&r);
    tool_run(&r, NULL, "replay", tool_path(folder, "g.json"), NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "warning replay.differs");
    tool_free(&r);
    tool_write(folder, "w.json",
               "{\"choices\":[],\"order\":[0],\"together\":"
               "[[\"param:x\",\"alloc:y\"]]}");
    tool_run(&r, NULL, "replay", "--witness", tool_path(folder, "w.json"),
             tool_path(folder, "g.json"), NULL);
    assert_int_equal(r.status, 2);
    expect_part(r.error, "'together' of the witness is a list of");
    tool_free(&r);
    tool_remove(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(wrong_for_every_bound),
    cmocka_unit_test(one_memory),
    cmocka_unit_test(one_memory_in_a_task),
    cmocka_unit_test(own_variants),
    cmocka_unit_test(what_is_open_is_no_contradiction),
    cmocka_unit_test(dummies_agree),
    cmocka_unit_test(real_probes),
    cmocka_unit_test(nothing_is_no_answer),
    cmocka_unit_test(words),
    cmocka_unit_test(unknown_sizes),
    cmocka_unit_test(blocks_without_end),
    cmocka_unit_test(plan_of_a_score),
    cmocka_unit_test(bare_witnesses),
    cmocka_unit_test(skipped_is_what_may_happen),
    cmocka_unit_test(names_are_shown),
    cmocka_unit_test(inputs_stay),
    cmocka_unit_test(times_of_a_record),
    cmocka_unit_test(real_records),
};

TEST_MAIN(tests)
