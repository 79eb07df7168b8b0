/* The bridge between verdicts and runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../replay/judged.h"

static void expect_part(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("no \"%s\" in:\n%s", part, text);
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_miss_is_told),
    cmocka_unit_test(a_witness_is_a_difference),
    cmocka_unit_test(too_late),
    cmocka_unit_test(a_false_alarm_is_told),
    cmocka_unit_test(which_byte),
    cmocka_unit_test(what_cannot_run_is_told),
};

TEST_MAIN(tests)
