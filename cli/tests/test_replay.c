/* counterpoint replay, and the bridge between verdicts and runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../replay/judged.h"
#include "tool.h"

#define PROGRAM(name) "corpus/programs/" name ".py"

static void expect_part(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("no \"%s\" in:\n%s", part, text);
}

/* --- The verb --- */

static void lost_order_differs(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "replay", PROGRAM("war_scratch"), NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.out, "error replay.differs: task 1 ");
    expect_part(r.out, "instead of the write of task 0 ");
    expect_part(r.out, "witnesses of errors: 1 of 1 show other bytes");
    expect_part(r.out, "critical path ");
    tool_free(&r);
}

static void right_order_does_not(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "replay", "--adversarial", "--seeds", "50", "--json",
             PROGRAM("chain"), NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "{\"verdict\":\"clean\"");
    expect_part(r.out, "\"findings\":{\"error\":0,\"note\":0,\"warning\":0}");
    tool_free(&r);
}

static void same_twice(void **state)
{
    (void)state;
    tool_result runs[2];
    for (int i = 0; i < 2; i++)
        tool_run(&runs[i], NULL, "replay", "--json", "--model", "seeded",
                 "--seed", "7", PROGRAM("fan_out_fan_in"), NULL);
    assert_int_equal(runs[0].status, 0);
    assert_string_equal(runs[0].out, runs[1].out);
    expect_part(runs[0].out, "\"digest\":\"");
    tool_free(&runs[0]);
    tool_free(&runs[1]);
}

/* A line of `check --json` is run exactly as it stands. */
static void witness_of_a_finding(void **state)
{
    (void)state;
    tool_result r;
    char *folder = tool_folder();
    tool_run(&r, NULL, "check", "--json", PROGRAM("war_scratch"), NULL);
    tool_write(folder, "w.json", r.out);
    tool_free(&r);
    tool_run(&r, NULL, "replay", "--witness", tool_path(folder, "w.json"),
             PROGRAM("war_scratch"), NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.out, "1 difference in 1 run");
    tool_free(&r);
    /* The same order breaks an edge of the mended program. */
    tool_run(&r, NULL, "replay", "--witness", tool_path(folder, "w.json"),
             PROGRAM("war_scratch_mended"), NULL);
    assert_int_equal(r.status, 2);
    assert_string_equal(r.out, "");
    expect_part(r.error, "w.json: ");
    tool_free(&r);
    tool_remove(folder);
}

/* What the verb itself tells can be given back to it, choices and all. */
static void own_witness(void **state)
{
    (void)state;
    static const char *const programs[] = {PROGRAM("if_path"),
                                           PROGRAM("war_loop")};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        tool_result r;
        char *folder = tool_folder();
        tool_run(&r, NULL, "replay", "--json", programs[i], NULL);
        assert_int_equal(r.status, 1);
        expect_part(r.out, "\"rule\":\"replay.differs\"");
        tool_write(folder, "w.json", r.out);
        tool_free(&r);
        tool_run(&r, NULL, "replay", "--witness", tool_path(folder, "w.json"),
                 programs[i], NULL);
        assert_string_equal(r.error, "");
        assert_int_equal(r.status, 1);
        expect_part(r.out, "error replay.differs");
        tool_free(&r);
        tool_remove(folder);
    }
}

/* What no order that is tried shows and the witness of an error does. */
static void witness_counts(void **state)
{
    (void)state;
    tool_result r;
    const char *program = PROGRAM("if_allows_place");
    char *folder = tool_folder();
    tool_run(&r, NULL, "replay", program, NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.out, "when it is run as the witness of the hazard.waw says");
    expect_part(r.out, ": 1 difference in ");
    tool_free(&r);
    tool_run(&r, NULL, "replay", "--json", program, NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.out, "\"cause\":\"witness\"");
    expect_part(r.out, "{\"verdict\":\"findings\"");
    assert_int_equal(tool_number(r.out, "total"), 1);
    tool_write(folder, "w.json", r.out);
    tool_free(&r);
    tool_run(&r, NULL, "replay", "--witness", tool_path(folder, "w.json"),
             program, NULL);
    assert_int_equal(r.status, 1);
    tool_free(&r);
    tool_remove(folder);
}

/* --- Documents of our own --- */

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

/* Whatever besides an order a difference needs stands in its witness. */
static void own_variants(void **state)
{
    (void)state;
    static const struct {
        const char *text, *cause;
    } cases[] = {
        {DOCUMENT(INTERNAL("x") "," EXTERNAL("y"), "",
                  TASK(0, "", READ("alloc:x") "," WRITE("param:y"))),
         "fill"},
        {DOCUMENT(EXTERNAL("x"), "",
                  TASK(0, "", WRITE("param:x") "," WRITE("param:x"))),
         "inside"},
        {"{\"kind\":\"bundle\",\"members\":[{\"document\":" DOCUMENT(
             INTERNAL("x") "," INTERNAL("z") "," EXTERNAL("y"),
             PATH(0, 1) "," PATH(1, 2),
             TASK(0, "", WRITE("alloc:x")) "," TASK(
                 1, "",
                 WRITE("alloc:z")) "," TASK(2, "",
                                            READ("alloc:x") "," READ(
                                                "alloc:z") "," WRITE("param:"
                                                                     "y"))) ","
                                                                            "\""
                                                                            "ro"
                                                                            "le"
                                                                            "\""
                                                                            ":"
                                                                            "\""
                                                                            "gr"
                                                                            "ap"
                                                                            "h"
                                                                            "\""
                                                                            "},"
                                                                            "{"
                                                                            "\""
                                                                            "do"
                                                                            "cu"
                                                                            "me"
                                                                            "nt"
                                                                            "\""
                                                                            ":{"
                                                                            "\""
                                                                            "al"
                                                                            "lo"
                                                                            "ca"
                                                                            "ti"
                                                                            "on"
                                                                            "s"
                                                                            "\""
                                                                            ":["
                                                                            "{"
                                                                            "\""
                                                                            "of"
                                                                            "fs"
                                                                            "et"
                                                                            "\""
                                                                            ":0"
                                                                            ","
                                                                            "\""
                                                                            "si"
                                                                            "ze"
                                                                            "\""
                                                                            ":"
                                                                            "64"
                                                                            ","
                                                                            "\""
                                                                            "st"
                                                                            "or"
                                                                            "ag"
                                                                            "e_"
                                                                            "ke"
                                                                            "y"
                                                                            "\""
                                                                            ":"
                                                                            "\""
                                                                            "al"
                                                                            "lo"
                                                                            "c:"
                                                                            "x"
                                                                            "\""
                                                                            "},"
                                                                            "{"
                                                                            "\""
                                                                            "of"
                                                                            "fs"
                                                                            "et"
                                                                            "\""
                                                                            ":3"
                                                                            "2,"
                                                                            "\""
                                                                            "si"
                                                                            "ze"
                                                                            "\""
                                                                            ":6"
                                                                            "4,"
                                                                            "\""
                                                                            "st"
                                                                            "or"
                                                                            "ag"
                                                                            "e_"
                                                                            "ke"
                                                                            "y"
                                                                            "\""
                                                                            ":"
                                                                            "\""
                                                                            "al"
                                                                            "lo"
                                                                            "c:"
                                                                            "z"
                                                                            "\""
                                                                            "}]"
                                                                            ","
                                                                            "\""
                                                                            "ki"
                                                                            "nd"
                                                                            "\""
                                                                            ":"
                                                                            "\""
                                                                            "me"
                                                                            "mo"
                                                                            "ry"
                                                                            "_p"
                                                                            "la"
                                                                            "n"
                                                                            "\""
                                                                            ","
                                                                            "\""
                                                                            "pe"
                                                                            "ak"
                                                                            "_m"
                                                                            "em"
                                                                            "or"
                                                                            "y"
                                                                            "\""
                                                                            ":9"
                                                                            "6,"
                                                                            "\""
                                                                            "po"
                                                                            "li"
                                                                            "cy"
                                                                            "\""
                                                                            ":"
                                                                            "\""
                                                                            "gr"
                                                                            "ee"
                                                                            "dy"
                                                                            "_v"
                                                                            "0"
                                                                            "\""
                                                                            ","
                                                                            "\""
                                                                            "ve"
                                                                            "rs"
                                                                            "io"
                                                                            "n"
                                                                            "\""
                                                                            ":1"
                                                                            "},"
                                                                            "\""
                                                                            "ro"
                                                                            "le"
                                                                            "\""
                                                                            ":"
                                                                            "\""
                                                                            "me"
                                                                            "mo"
                                                                            "ry"
                                                                            "\""
                                                                            "}]"
                                                                            ","
                                                                            "\""
                                                                            "ve"
                                                                            "rs"
                                                                            "io"
                                                                            "n"
                                                                            "\""
                                                                            ":1"
                                                                            "}",
         "legal"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tool_result r;
        char cause[32];
        char *folder = tool_folder();
        tool_write(folder, "g.json", cases[i].text);
        tool_run(&r, NULL, "replay", "--json", tool_path(folder, "g.json"),
                 NULL);
        snprintf(cause, sizeof cause, "\"cause\":\"%s\"", cases[i].cause);
        expect_part(r.out, cause);
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
    const char *probes = "../shared/samples/a2a3sim/rule_probes/deps.json";
    FILE *in = fopen(probes, "r");
    if (in == NULL)
        return;
    fclose(in);
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
static void unknown_sizes(void **state)
{
    (void)state;
    tool_result r;
    replay_text(
        &r,
        "{\"kind\":\"bundle\",\"members\":[{\"document\":" DOCUMENT(
            "{\"bytes\":null,\"external\":true,\"key\":\"param:x\"},{"
            "\"bytes\":null,\"external\":true,\"key\":\"param:y\"}",
            "",
            TASK(0, "", WRITE("param:x")) "," TASK(
                1, "",
                WRITE("param:y"))) ",\"role\":\"graph\"},{\"document\":{"
                                   "\"allocations\":[{\"offset\":0,\"size\":"
                                   "0,\"storage_key\":\"param:x\"},{"
                                   "\"offset\":0,\"size\":0,\"storage_key\":"
                                   "\"param:y\"}],\"kind\":\"memory_plan\","
                                   "\"peak_memory\":0,\"policy\":\"greedy_v0\""
                                   ",\"version\":1},\"role\":\"memory\"}],"
                                   "\"version\":1}",
        NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "undecided: what shares the bytes of 2 buffers");
    expect_part(r.out, "no difference");
    tool_free(&r);
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

/* Twice the same is told once, whoever showed it. */
static void told_once(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "replay", "--adversarial", "--seeds", "50",
             PROGRAM("war_scratch"), NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.out, ": 1 difference in ");
    tool_free(&r);
}

static void wrong_options(void **state)
{
    (void)state;
    const char *chain = PROGRAM("chain");
    tool_expect(2, NULL, "replay", "--model", "record", chain, NULL);
    tool_expect(2, NULL, "replay", "--witness", "x", "--seeds", "3", chain,
                NULL);
    tool_expect(2, NULL, "replay", "-o", "timeline.txt", chain, NULL);
    tool_expect(2, NULL, "replay", "--witness", "/nonexistent", chain, NULL);
    tool_expect(2, NULL, "replay", "--clusters", "0", chain, NULL);
    tool_expect(2, NULL, "replay", NULL);
}

static void timelines(void **state)
{
    (void)state;
    static const char *const files[] = {"t.json", "t.svg"};
    static const char *const starts[] = {"{", "<svg"};
    char *folder = tool_folder();
    for (int i = 0; i < 2; i++) {
        char text[16] = "";
        tool_expect(0, NULL, "replay", "-o", tool_path(folder, files[i]),
                    PROGRAM("chain"), NULL);
        FILE *in = fopen(tool_path(folder, files[i]), "r");
        assert_non_null(in);
        assert_true(fread(text, 1, sizeof text - 1, in) > 0);
        fclose(in);
        assert_int_equal(strncmp(text, starts[i], strlen(starts[i])), 0);
    }
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
    recorded(folder, "deps.json", 0, "times.json", "\"sequential\":100,");
    recorded(folder, "plan.json", 0, "times.json", "\"sequential\":100,");
    recorded(folder, "one.json", 2, "times.json", "the record has 2 tasks");
    recorded(folder, "deps.json", 2, "other.json", "not as many rows");
    recorded(folder, "deps.json", 2, "broken.json", "cannot be read");
    recorded(folder, "deps.json", 2, "absent.json", "cannot be opened");
    recorded(folder, "deps.json", 2, "deps.json", "no list");
    tool_write(folder, "chip_swimlane_records.json", SWIMLANE);
    recorded(folder, "deps.json", 0, "chip_swimlane_records.json",
             "\"sequential\":100,");
    recorded(folder, "chip_swimlane_records.json", 0,
             "chip_swimlane_records.json", "\"sequential\":100,");
    tool_remove(folder);
}

static void real_records(void **state)
{
    (void)state;
    static const char *const samples[] = {"score6_auto", "score6_manual",
                                          "vector_example"};
    static const long long sequential[] = {3715, 5542, 334399};
    for (size_t i = 0; i < 3; i++) {
        char record[128], trace[128];
        tool_result r;
        snprintf(record, sizeof record,
                 "../shared/samples/a2a3sim/%s/deps.json", samples[i]);
        snprintf(trace, sizeof trace,
                 "../shared/samples/a2a3sim/%s/chip_swimlane_records.json",
                 samples[i]);
        FILE *there = fopen(trace, "r");
        if (there == NULL)
            continue;
        fclose(there);
        tool_run(&r, NULL, "replay", "--json", "--model", "record", "--trace",
                 trace, record, NULL);
        assert_int_equal(tool_number(r.out, "sequential"), sequential[i]);
        tool_free(&r);
    }
}

/* Task 5 where n is at least 5, 6 where it is at most 1. */
#define APART                                                                  \
    "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"none\","               \
    "\"buffers\":[],\"symbols\":[{\"name\":\"n\",\"free\":true,"               \
    "\"min\":0,\"max\":9}],\"choices\":[{\"id\":3,\"kind\":\"if\"},"           \
    "{\"id\":8,\"kind\":\"if\"}],\"facts\":[{\"choice\":3,\"is\":true,"        \
    "\"op\":\"<=\",\"of\":{\"c\":5,\"t\":[[-1,\"n\"]]}},{\"choice\":8,"        \
    "\"is\":true,\"op\":\"<=\",\"of\":{\"c\":-1,\"t\":[[1,\"n\"]]}}],"         \
    "\"tasks\":[{\"id\":5,\"core\":\"aiv\",\"args\":[],\"when\":[{"            \
    "\"choice\":3,\"is\":true}]},{\"id\":6,\"core\":\"aiv\",\"args\":[],"      \
    "\"when\":[{\"choice\":8,\"is\":true}]}]}"

static void scene_and_fall_back(void **state)
{
    (void)state;
    tool_result r;
    char *folder = tool_folder();
    tool_run(&r, NULL, "replay", "--export", tool_path(folder, "scene"),
             PROGRAM("chain"), NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "the scene is in ");
    FILE *in = fopen(tool_path(folder, "scene/test_scene.py"), "r");
    assert_non_null(in);
    fclose(in);
    tool_free(&r);
    /* It is not written over. */
    tool_expect(2, NULL, "replay", "--export", tool_path(folder, "scene"),
                PROGRAM("chain"), NULL);
    tool_run(&r, NULL, "replay", "--backend", "a2a3sim", "--simpler", folder,
             PROGRAM("chain"), NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "a2a3sim was not used, the embedded simulator answered");
    tool_free(&r);
    tool_expect(2, NULL, "replay", "--backend", "a2a3sim", PROGRAM("chain"),
                NULL);
    /* Of two ifs that are never taken together one is. */
    tool_run(&r, APART, "replay", "--export", tool_path(folder, "apart"), "-",
             NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "the execution in which these choices are false: 8\n");
    tool_free(&r);
    tool_remove(folder);
}

/* --- The bridge --- */

#define ACCESS(mode) "[{\"exact\":true,\"mode\":\"" mode "\",\"must\":true}]"
#define ARG(key, told, mode)                                                   \
    "{\"access\":" ACCESS(mode) ",\"buffer\":\"" key "\",\"dispatch\":\"" told \
                                "\"}"
/* 0 writes x, 1 reads it into y; with an edge between them, or without. */
#define GRAPH(edges)                                                           \
    "{\"buffers\":[{\"bytes\":64,\"external\":false,\"key\":\"alloc:x\"},"     \
    "{\"bytes\":64,\"external\":true,\"key\":\"param:y\"}],\"edges\":[" edges  \
    "],\"kind\":\"task_graph\",\"name\":\"g\",\"rules\":\"none\",\"tasks\":["  \
    "{\"args\":[" ARG(                                                         \
        "alloc:x", "output",                                                   \
        "write") "],\"id\":0,\"name\":"                                        \
                 "\"w\"},{\"args\":[" ARG("alloc:x", "input", "read") "," ARG( \
                     "param:y", "output_existing",                             \
                     "write") "],\"id\":1,\"name\":\"r\"}],"                   \
                              "\"version\":1}"
#define EDGE "{\"from\":0,\"source\":\"automatic\",\"to\":1}"

static void bridge_as(cli_replayed *out, const char *graph, const char *record,
                      cli_replaying how)
{
    oracle_document d = {0};
    oracle_error error;
    cli_span records = {record, record == NULL ? 0 : strlen(record)};
    *out = (cli_replayed){0};
    assert_int_equal(
        oracle_document_read(&d, graph, strlen(graph), NULL, &error),
        ORACLE_OK);
    assert_int_equal(oracle_document_derive(&d, &error), ORACLE_OK);
    cli_replay_document(out, &d, &records, record != NULL, &how);
    oracle_document_free(&d);
    assert_false(out->failed);
}

static void bridge(cli_replayed *out, const char *graph, const char *record)
{
    bridge_as(out, graph, record, cli_replay_quick(2, "", false));
}

#define RECORD                                                                 \
    "{\"rule\":\"hazard.raw\",\"severity\":\"error\",\"witness\":{\"begin\":"  \
    "0,"                                                                       \
    "\"buffer\":\"alloc:x\",\"choices\":[],\"order\":[1,0],\"reader\":1}}"

static void a_miss_is_told(void **state)
{
    (void)state;
    cli_replayed x;
    bridge(&x, GRAPH(""), NULL);
    assert_int_equal(x.count, 1);
    expect_part(x.records.data, "\"rule\":\"replay.disagrees\"");
    cli_replayed_free(&x);
    bridge(&x, GRAPH(""), RECORD);
    assert_int_equal(x.count, 0);
    assert_int_equal(x.shown, 1);
    cli_replayed_free(&x);
    bridge(&x, GRAPH(EDGE), NULL);
    assert_int_equal(x.count, 0);
    assert_true(x.runs > 0);
    cli_replayed_free(&x);
}

/* A graph too large for more than a witness. */
static void a_witness_is_a_difference(void **state)
{
    (void)state;
    cli_replayed x;
    cli_replaying how = {.digest = "", .differs = true};
    bridge_as(&x, GRAPH(""), RECORD, how);
    assert_int_equal(x.errors, 1);
    assert_int_equal(x.count, 1);
    expect_part(x.records.data, "\"rule\":\"replay.differs\"");
    expect_part(x.records.data, "\"cause\":\"witness\"");
    cli_replayed_free(&x);
    /* Where the error is the finding, it is not told twice. */
    how.differs = false;
    bridge_as(&x, GRAPH(""), RECORD, how);
    assert_int_equal(x.count, 0);
    assert_int_equal(x.shown, 1);
    cli_replayed_free(&x);
}

static bool is_over(void *context)
{
    (void)context;
    return true;
}

/* What comes too late is left out, and contradicts nothing. */
static void too_late(void **state)
{
    (void)state;
    cli_replayed x;
    replay_stop stop = {is_over, NULL};
    cli_replaying how = cli_replay_quick(2, "", false);
    how.stop = &stop;
    bridge_as(&x, GRAPH(""), RECORD, how);
    assert_int_equal(x.count + x.runs + x.witnesses, 0);
    assert_int_equal(x.left_out, 1);
    assert_non_null(x.late);
    expect_part(x.undecided.data, "the time is over");
    cli_replayed_free(&x);
}

static void a_false_alarm_is_told(void **state)
{
    (void)state;
    cli_replayed x;
    bridge(&x, GRAPH(EDGE), RECORD);
    assert_int_equal(x.count, 1);
    assert_int_equal(x.witnesses, 1);
    assert_int_equal(x.shown, 0);
    expect_part(x.records.data, "\"cause\":\"witness\"");
    cli_replayed_free(&x);
    /* A legal order in which nothing goes wrong. */
    bridge(&x, GRAPH(EDGE),
           "{\"rule\":\"hazard.raw\",\"severity\":\"error\",\"witness\":{"
           "\"choices\":[],\"order\":[[0,1]],\"reader\":1}}");
    assert_int_equal(x.count, 1);
    expect_part(x.records.data, "everybody reads");
    cli_replayed_free(&x);
}

/* A witness is about its own byte; an error about nobody's bytes may rest. */
static void which_byte(void **state)
{
    (void)state;
    cli_replayed x;
    bridge(&x, GRAPH(""),
           "{\"rule\":\"hazard.raw\",\"severity\":\"error\",\"witness\":{"
           "\"begin\":0,\"buffer\":\"param:y\",\"choices\":[],\"order\":"
           "[1,0],\"reader\":1}}");
    assert_int_equal(x.shown, 0);
    assert_int_equal(x.count, 1);
    cli_replayed_free(&x);
    bridge(&x, GRAPH(EDGE),
           "{\"rule\":\"task.self-overlap\",\"severity\":\"error\",\"witness\""
           ":{\"args\":[0,1],\"task\":0}}");
    assert_int_equal(x.count, 0);
    assert_int_equal(x.witnesses, 0);
    assert_int_equal(x.left_out, 1);
    cli_replayed_free(&x);
    /* A wrong peak excuses no wrong bytes. */
    bridge(&x, GRAPH(""), "{\"rule\":\"memory.peak\",\"severity\":\"error\"}");
    assert_int_equal(x.count, 1);
    cli_replayed_free(&x);
}

static void what_cannot_run_is_told(void **state)
{
    (void)state;
    cli_replayed x;
    const char *graph =
        GRAPH(EDGE ",{\"from\":1,\"source\":\"automatic\",\"to\":0}");
    bridge(&x, graph, NULL);
    assert_int_equal(x.count, 1);
    expect_part(x.records.data, "\"cause\":\"stuck\"");
    cli_replayed_free(&x);
    bridge(&x, graph, "{\"rule\":\"graph.cycle\",\"severity\":\"error\"}");
    assert_int_equal(x.count, 0);
    assert_int_equal(x.left_out, 1);
    cli_replayed_free(&x);
}

/* All of our own programs: every error shows, nothing else does. */
static void corpus_agrees(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "run", "--json", "corpus/programs", NULL);
    long long shown = tool_number(r.out, "shown");
    assert_true(shown > 20);
    assert_int_equal(shown, tool_number(r.out, "witnesses"));
    assert_null(strstr(r.out, "replay.disagrees"));
    tool_free(&r);
}

/* They are apart in a replay, which says so. */
static void may_be_one_memory(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "replay", "corpus/regressions/may_be_one_memory.json",
             NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "undecided: not replayed: executions in which buffers "
                       "that may be one memory are");
    expect_part(r.out, "no difference in ");
    tool_free(&r);
}

/* What a run tells does not depend on how many processes share the work. */
static void same_with_two_jobs(void **state)
{
    (void)state;
    static const char *const jobs[] = {"1", "2"};
    tool_result runs[4];
    for (int i = 0; i < 2; i++) {
        tool_run(&runs[i], NULL, "fuzz", "--mode", "full", "--replay", "2",
                 "--kinds", "graph,bundle", "--cases", "2100", "--seed", "9",
                 "--tasks", "24", "--jobs", jobs[i], "--json", NULL);
        tool_run(&runs[2 + i], NULL, "run", "--replay", "3", "--jobs", jobs[i],
                 "--json", "corpus/programs", NULL);
    }
    for (int i = 0; i < 4; i += 2) {
        assert_non_null(strstr(runs[i].out, "\"digest\":\""));
        assert_string_equal(runs[i].out, runs[i + 1].out);
    }
    assert_true(tool_number(runs[2].out, "runs") > 1000);
    assert_true(tool_number(runs[2].out, "shown") > 20);
    for (int i = 0; i < 4; i++)
        tool_free(&runs[i]);
}

/* The digest of a seeded run is a number of this file: the same of every
 * compiler and configuration. */
static void same_on_every_compiler(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "replay", "--json", "--model", "seeded", "--seed", "7",
             PROGRAM("fan_out_fan_in"), NULL);
    assert_int_equal(r.status, 0);
    expect_part(
        r.out,
        "\"digest\":"
        "\"856828bd871603920635f2616040b3b165f51b3218fd78d6372be68883952fd9\"");
    tool_free(&r);
}

/* A host_build_graph plan alone has an order, with its PlanHandle bytes. */
static void tables_of_the_runtime(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "replay", "corpus/regressions/table_alone.json", NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "undecided: what the tasks touch: ");
    expect_part(r.out, "no difference in 5 runs");
    expect_part(r.out, "critical path 2.00 us: tasks 0 1");
    tool_free(&r);
    tool_run(&r, NULL, "replay", "corpus/regressions/table_without_edge.json",
             NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.out, "instead of the write of task 0 ");
    expect_part(r.out, "witnesses of errors: 2 of 2 show other bytes");
    tool_free(&r);
    tool_run(&r, NULL, "graph", "corpus/regressions/table_alone.json", NULL);
    assert_int_equal(r.status, 0);
    tool_free(&r);
}

/* What was once judged wrongly is not contradicted either. */
static void regressions_agree(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "run", "--json", "corpus/regressions", NULL);
    long long shown = tool_number(r.out, "shown");
    assert_true(shown > 5);
    assert_int_equal(shown, tool_number(r.out, "witnesses"));
    assert_null(strstr(r.out, "replay.disagrees"));
    tool_free(&r);
    /* What the judge leaves open a run does not contradict. */
    tool_run(&r, NULL, "replay",
             "corpus/regressions/doubt_of_place_in_loop.json", NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "warning replay.differs: task 1 ");
    tool_free(&r);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lost_order_differs),
    cmocka_unit_test(right_order_does_not),
    cmocka_unit_test(same_twice),
    cmocka_unit_test(witness_of_a_finding),
    cmocka_unit_test(own_witness),
    cmocka_unit_test(witness_counts),
    cmocka_unit_test(own_variants),
    cmocka_unit_test(what_is_open_is_no_contradiction),
    cmocka_unit_test(dummies_agree),
    cmocka_unit_test(nothing_is_no_answer),
    cmocka_unit_test(words),
    cmocka_unit_test(unknown_sizes),
    cmocka_unit_test(plan_of_a_score),
    cmocka_unit_test(bare_witnesses),
    cmocka_unit_test(inputs_stay),
    cmocka_unit_test(told_once),
    cmocka_unit_test(wrong_options),
    cmocka_unit_test(timelines),
    cmocka_unit_test(times_of_a_record),
    cmocka_unit_test(real_records),
    cmocka_unit_test(scene_and_fall_back),
    cmocka_unit_test(a_miss_is_told),
    cmocka_unit_test(a_witness_is_a_difference),
    cmocka_unit_test(too_late),
    cmocka_unit_test(a_false_alarm_is_told),
    cmocka_unit_test(which_byte),
    cmocka_unit_test(what_cannot_run_is_told),
    cmocka_unit_test(corpus_agrees),
    cmocka_unit_test(tables_of_the_runtime),
    cmocka_unit_test(may_be_one_memory),
    cmocka_unit_test(same_with_two_jobs),
    cmocka_unit_test(same_on_every_compiler),
    cmocka_unit_test(regressions_agree),
};

TEST_MAIN(tests)
