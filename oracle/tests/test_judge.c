/* Rules, causes and records of the judgement, one small document each. */
#include "../../scripts/testing/harness.h"

#include "oracle/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARG(b, dispatch, mode, more)                                           \
    "{\"buffer\":\"" b "\",\"dispatch\":\"" dispatch "\"" more                 \
    ",\"access\":[{\"mode\":\"" mode "\",\"must\":true,\"exact\":true}]}"
#define R(b) ARG(b, "input", "read", "")
#define W(b) ARG(b, "output_existing", "write", "")
#define IO(b) ARG(b, "inout", "inout", "")
#define VIEW(elem, base, count)                                                \
    ",\"view\":{\"elem\":" #elem ",\"base\":" #base ",\"dims\":[[" #count      \
    "," #elem ",0]]}"
#define TASK(id, more, args)                                                   \
    "{\"id\":" #id ",\"name\":\"k" #id "\",\"core\":\"aiv\",\"line\":1" #id    \
    "," more "\"args\":[" args "]}"
#define BUFFERS                                                                \
    "\"buffers\":[{\"key\":\"param:x\",\"bytes\":64,\"external\":true},"       \
    "{\"key\":\"alloc:t\",\"bytes\":64,\"external\":false},"                   \
    "{\"key\":\"alloc:n\",\"bytes\":64,\"external\":false,\"init\":true}],"
#define GRAPH(rules, more, tasks)                                              \
    "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"rules\":\"" rules \
    "\"," BUFFERS more "\"tasks\":[" tasks "]}"
#define EDGE(from, to)                                                         \
    "{\"from\":" #from ",\"to\":" #to                                          \
    ",\"source\":\"policy\",\"kind\":\"ordering\",\"certain\":true}"
#define MAYBE(from, to)                                                        \
    "{\"from\":" #from ",\"to\":" #to                                          \
    ",\"source\":\"automatic\",\"kind\":\"data\",\"certain\":false}"

typedef struct fixture {
    oracle_judgement judgement;
    oracle_document document; /* derived, for the checker */
} fixture;

static void judge(fixture *f, const char *text)
{
    oracle_error error;
    oracle_status status =
        oracle_document_read(&f->document, text, strlen(text), NULL, &error);
    if (status != ORACLE_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(oracle_document_derive(&f->document, &error), ORACLE_OK);
    assert_int_equal(oracle_judge_text(&f->judgement, text, strlen(text), NULL),
                     ORACLE_OK);
    for (uint32_t i = 0; i < f->judgement.count; i++) {
        char reason[160];
        const oracle_finding *one = &f->judgement.findings[i];
        if (one->severity == ORACLE_ERROR &&
            !oracle_witness_check(&f->document, one->json, reason,
                                  sizeof reason)) {
            fail_msg("%s: %s", reason, one->json);
        }
    }
}

static void done(fixture *f)
{
    oracle_judgement_free(&f->judgement);
    oracle_document_free(&f->document);
}

static const oracle_finding *find(const fixture *f, const char *rule)
{
    for (uint32_t i = 0; i < f->judgement.count; i++) {
        if (strcmp(f->judgement.findings[i].rule, rule) == 0) {
            return &f->judgement.findings[i];
        }
    }
    return NULL;
}

/* Exactly one finding: that rule, that cause (NULL: none), that verdict. */
static void expect_one(const char *text, const char *rule, const char *cause,
                       oracle_severity severity, oracle_verdict verdict)
{
    fixture f;
    judge(&f, text);
    for (uint32_t i = 1; i < f.judgement.count; i++) {
        print_message("also %s\n", f.judgement.findings[i].json);
    }
    assert_int_equal(f.judgement.total, 1);
    const oracle_finding *one = &f.judgement.findings[0];
    assert_string_equal(one->rule, rule);
    if (cause == NULL) {
        assert_null(one->cause);
    } else {
        assert_non_null(one->cause);
        assert_string_equal(one->cause, cause);
    }
    assert_int_equal(one->severity, severity);
    assert_int_equal(f.judgement.verdict, verdict);
    done(&f);
}

static void expect_clean(const char *text)
{
    fixture f;
    judge(&f, text);
    if (f.judgement.total > 0) {
        fail_msg("%s", f.judgement.findings[0].json);
    }
    assert_int_equal(f.judgement.verdict, ORACLE_CLEAN);
    done(&f);
}

static void error_of(const char *text, const char *rule, const char *cause)
{
    expect_one(text, rule, cause, ORACLE_ERROR, ORACLE_FINDINGS);
}

/* --- The shapes that lose an order --- */

#define WAR_TASKS                                                              \
    TASK(0, "", R("param:x") "," W("alloc:t"))                                 \
    "," TASK(1, "", R("alloc:t") "," W("param:x")) "," TASK(2, "", W("alloc:t"))

static void write_after_read(void **state)
{
    (void)state;
    error_of(GRAPH("tensormap", "", WAR_TASKS), "hazard.war", "war");
    expect_clean(GRAPH("conservative", "", WAR_TASKS));
}

static void whole_record(void **state)
{
    fixture f;
    (void)state;
    judge(&f, GRAPH("tensormap", "", WAR_TASKS));
    const char *json = strstr(f.judgement.findings[0].json, "\"cause\"");
    assert_string_equal(
        json,
        "\"cause\":\"war\",\"consumer\":{\"arg\":0,\"core\":\"aiv\","
        "\"direction\":\"output_existing\",\"line\":12,\"name\":\"k2\","
        "\"task\":2},\"message\":\"task 2 \\\"k2\\\" writes bytes 0 "
        "to 63 of alloc:t and does not wait for task 1 \\\"k1\\\", "
        "which still has to read them: nobody makes an edge for a write after "
        "a read; add task 1 \\\"k1\\\" to the deps of task 2 "
        "\\\"k2\\\".\",\"producer\":{\"arg\":0,\"core\":\"aiv\","
        "\"direction\":\"input\",\"line\":11,\"name\":\"k1\",\"task\":1},"
        "\"rule\":\"hazard.war\",\"severity\":\"error\",\"signature\":"
        "\"d6eaa8e07f2aaa09\",\"storage\":{\"begin\":0,\"end\":64,\"key\":"
        "\"alloc:t\"},\"witness\":{\"begin\":0,\"buffer\":\"alloc:t\","
        "\"end\":64,\"expected_writer\":0,\"order\":[0,2,1],\"reader\":1,"
        "\"seen_writer\":2}}");
    assert_int_equal(f.judgement.findings[0].line, 12);
    assert_int_equal(f.judgement.assumption_count, 4);
    assert_string_equal(f.judgement.assumptions[0], "rule set: tensormap");
    done(&f);
}

#define SLICE(base, count)                                                     \
    ARG("param:x", "output_existing", "write", VIEW(4, base, count))

static void overlapping_slices(void **state)
{
    fixture f;
    (void)state;
    error_of(GRAPH("tensormap", "",
                   TASK(0, "", SLICE(0, 8)) "," TASK(1, "", SLICE(16, 8))),
             "hazard.waw", "output-existing");
    expect_clean(GRAPH("tensormap", "",
                       TASK(0, "", SLICE(0, 4)) "," TASK(1, "", SLICE(16, 8))));
    judge(&f, GRAPH("tensormap", "",
                    TASK(0, "", SLICE(0, 8)) "," TASK(1, "", SLICE(16, 8))));
    assert_non_null(strstr(f.judgement.findings[0].json,
                           "\"storage\":{\"begin\":16,\"end\":32,"));
    assert_non_null(strstr(f.judgement.findings[0].json, "\"reader\":null"));
    done(&f);
}

static void element_sizes(void **state)
{
    (void)state;
    error_of(
        GRAPH("tensormap", "",
              TASK(0, "",
                   ARG("alloc:t", "output_existing", "write",
                       VIEW(4, 0, 16))) "," TASK(1, "",
                                                 ARG("alloc:t", "input", "read",
                                                     VIEW(1, 32, 8)))),
        "hazard.raw", "element-size");
}

#define SCOPES                                                                 \
    "\"scopes\":[{\"id\":0,\"manual\":false,\"parent\":null},"                 \
    "{\"id\":1,\"manual\":true,\"parent\":0}],"

static void manual_scopes(void **state)
{
    (void)state;
    error_of(GRAPH("tensormap", SCOPES,
                   TASK(0, "\"scope\":1,", W("alloc:t")) "," TASK(
                       1, "\"scope\":0,", R("alloc:t"))),
             "hazard.raw", "manual-to-auto");
    error_of(GRAPH("conservative", SCOPES,
                   TASK(0, "\"scope\":0,", W("alloc:t")) "," TASK(
                       1, "\"scope\":1,", R("alloc:t"))),
             "hazard.raw", "auto-to-manual");
    error_of(GRAPH("tensormap", SCOPES,
                   TASK(0, "\"scope\":1,", W("alloc:t")) "," TASK(
                       1, "\"scope\":1,", R("alloc:t"))),
             "hazard.raw", "manual-scope");
    expect_clean(
        GRAPH("tensormap", SCOPES,
              TASK(0, "\"scope\":1,", W("alloc:t")) "," TASK(
                  1, "\"scope\":1,\"deps\":[{\"task\":0}],", R("alloc:t"))));
}

static void opt_outs(void **state)
{
    fixture f;
    (void)state;
    error_of(GRAPH("conservative", "",
                   TASK(0, "", W("alloc:t")) "," TASK(
                       1, "", ARG("alloc:t", "no_dep", "read", ""))),
             "hazard.raw", "no-dep");
    error_of(
        GRAPH("conservative", "",
              TASK(0, "",
                   ARG("alloc:t", "output_existing", "write",
                       ",\"manual_dep\":true")) "," TASK(1, "", R("alloc:t"))),
        "hazard.raw", "manual-dep");
    judge(&f, GRAPH("conservative", "",
                    TASK(0, "", W("alloc:t")) "," TASK(
                        1, "", ARG("alloc:t", "no_dep", "read", ""))));
    assert_non_null(strstr(f.judgement.findings[0].message,
                           "take no_dep off argument 0 of task 1"));
    done(&f);
}

#define MANUAL ",\"manual_dep\":true"

/* A tensor that is to be created in another way is named once. */
static void tensors_without_manual_dep(void **state)
{
    fixture f;
    (void)state;
    judge(&f, GRAPH("conservative", "",
                    TASK(0, "",
                         ARG("alloc:t", "output_existing", "write",
                             MANUAL)) "," TASK(1, "",
                                               ARG("alloc:t", "input", "read",
                                                   MANUAL))));
    assert_non_null(strstr(f.judgement.findings[0].message,
                           "; create alloc:t without manual_dep, or add"));
    done(&f);
}

#define PREDICATE                                                              \
    "\"predicate\":{\"buffer\":\"alloc:n\",\"region\":{\"elem\":4,\"base\":8," \
    "\"dims\":[]},\"op\":\">\",\"value\":0},"

static void stale_predicate(void **state)
{
    (void)state;
    error_of(
        GRAPH("tensormap", "",
              TASK(0, "", W("alloc:n")) "," TASK(1, PREDICATE, W("param:x"))),
        "predicate.stale", "predicate");
    expect_clean(
        GRAPH("tensormap", "",
              TASK(0, "", W("alloc:n")) "," TASK(
                  1, PREDICATE "\"deps\":[{\"task\":0}],", W("param:x"))));
}

/* A predicated write never ends the value before it. */
static void predicated_write(void **state)
{
    fixture f;
    (void)state;
    judge(&f,
          GRAPH("none", "\"edges\":[" EDGE(1, 2) "],",
                TASK(0, "", W("alloc:t")) "," TASK(
                    1, PREDICATE, W("alloc:t")) "," TASK(2, "", R("alloc:t"))));
    const oracle_finding *raw = find(&f, "hazard.raw");
    assert_non_null(raw);
    assert_non_null(strstr(raw->json, "\"skipped\":[[1,0]]"));
    assert_non_null(find(&f, "hazard.waw"));
    done(&f);
}

static void deps_that_are_none(void **state)
{
    fixture f;
    (void)state;
    judge(&f, GRAPH("none", "",
                    TASK(0, "", W("alloc:t")) "," TASK(
                        1,
                        "\"deps\":[{\"task\":null,\"name\":\"prev\","
                        "\"cause\":\"dead\"}],",
                        R("alloc:t"))));
    assert_int_equal(f.judgement.count, 2);
    assert_string_equal(find(&f, "hazard.raw")->cause, "dead-dep");
    assert_int_equal(find(&f, "graph.dead-dep")->severity, ORACLE_WARNING);
    done(&f);
    error_of(GRAPH("none", "",
                   TASK(0, "", W("alloc:t")) "," TASK(
                       1,
                       "\"deps\":[{\"task\":null,\"name\":\"t\",\"cause\":"
                       "\"reused\"}],",
                       R("alloc:t"))),
             "hazard.raw", "reused-id");
    expect_one(GRAPH("none", "",
                     TASK(0,
                          "\"deps\":[{\"task\":null,\"name\":\"prev\","
                          "\"cause\":\"dead\"}],",
                          W("param:x"))),
               "graph.dead-dep", "dead-dep", ORACLE_WARNING, ORACLE_FINDINGS);
}

static void edges_alone(void **state)
{
    (void)state;
    error_of(GRAPH("none", "",
                   TASK(0, "", W("alloc:t")) "," TASK(1, "", R("alloc:t"))),
             "hazard.raw", "missing-edge");
    error_of(GRAPH("none", "\"edges\":[" EDGE(1, 0) "],",
                   TASK(0, "", W("alloc:t")) "," TASK(1, "", R("alloc:t"))),
             "hazard.raw", "reversed");
}

/* --- Severity by the definition --- */

static void dead_writes(void **state)
{
    (void)state;
    expect_one(GRAPH("none", "",
                     TASK(0, "", W("alloc:t")) "," TASK(1, "", W("alloc:t"))),
               "hazard.dead-write", "missing-edge", ORACLE_NOTE, ORACLE_CLEAN);
    error_of(GRAPH("none", "",
                   TASK(0, "", W("param:x")) "," TASK(1, "", W("param:x"))),
             "hazard.waw", "missing-edge");
    /* Of what one task writes twice the last write is meant. */
#define TWICE                                                                  \
    "{\"buffer\":\"alloc:t\",\"dispatch\":\"output_existing\",\"access\":["    \
    "{\"mode\":\"write\",\"must\":true,\"exact\":true},{\"mode\":\"write\","   \
    "\"must\":true,\"exact\":true}]}"
    expect_one(
        GRAPH("none", "", TASK(0, "", W("alloc:t")) "," TASK(1, "", TWICE)),
        "hazard.dead-write", "missing-edge", ORACLE_NOTE, ORACLE_CLEAN);
    expect_one(
        GRAPH("none", "", TASK(0, "", TWICE) "," TASK(1, "", W("alloc:t"))),
        "hazard.dead-write", "missing-edge", ORACLE_NOTE, ORACLE_CLEAN);
    error_of(GRAPH("none", "\"edges\":[" EDGE(1, 2) "],",
                   TASK(0, "", W("alloc:t")) "," TASK(1, "", TWICE) "," TASK(
                       2, "", R("alloc:t"))),
             "hazard.waw", "missing-edge");
    fixture f;
    judge(&f, GRAPH("none", "",
                    TASK(0, "", W("alloc:t")) "," TASK(
                        1, "", W("alloc:t") "," W("alloc:t"))));
    const oracle_finding *dead = find(&f, "hazard.dead-write");
    assert_non_null(dead);
    assert_non_null(strstr(dead->json, "\"consumer\":{\"arg\":1,"));
    done(&f);
}

static void uninitialised(void **state)
{
    (void)state;
    error_of(GRAPH("none", "", TASK(0, "", R("alloc:t"))),
             "hazard.uninitialised", NULL);
    expect_one(
        GRAPH("tensormap", "",
              TASK(0, PREDICATE, W("alloc:t")) "," TASK(1, "", R("alloc:t"))),
        "hazard.uninitialised", NULL, ORACLE_WARNING, ORACLE_FINDINGS);
    expect_clean(GRAPH("none", "", TASK(0, "", R("alloc:n"))));
}

static void unknown_access(void **state)
{
    (void)state;
    expect_one(
        GRAPH("tensormap", "",
              TASK(0, "", W("alloc:n")) "," TASK(
                  1, "", "{\"buffer\":\"alloc:n\",\"dispatch\":\"no_dep\"}")),
        "hazard.unknown-access", "no-dep", ORACLE_WARNING, ORACLE_UNDECIDED);
}

static void accumulations(void **state)
{
    fixture f;
    (void)state;
#define ACC ARG("param:x", "inout", "accumulate", "")
    expect_clean(GRAPH("none", "", TASK(0, "", ACC) "," TASK(1, "", ACC)));
    judge(&f, GRAPH("none", "",
                    TASK(0, "", ACC) "," TASK(1, "", ACC) "," TASK(
                        2, "", R("param:x"))));
    assert_int_equal(f.judgement.total, 2);
    done(&f);
}

/* A Score knows no sizes: whole buffers meet all the same. */
static void sizes_unknown(void **state)
{
    fixture f;
    (void)state;
    judge(&f, "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\","
              "\"rules\":\"none\",\"buffers\":[{\"key\":\"param:x\",\"bytes\":"
              "null,\"external\":true}],\"tasks\":[" TASK(
                  0, "", W("param:x")) "," TASK(1, "", R("param:x")) "]}");
    assert_int_equal(f.judgement.total, 1);
    assert_non_null(strstr(f.judgement.findings[0].json,
                           "\"storage\":{\"begin\":0,\"key\":\"param:x\"}"));
    assert_non_null(
        strstr(f.judgement.findings[0].message, "reads param:x and does"));
    done(&f);
}

/* An alias without a size is a bound; the root's own hazard stays an error. */
static void alias_without_size(void **state)
{
    fixture f;
    (void)state;
    judge(&f, "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\","
              "\"rules\":\"none\",\"buffers\":[{\"key\":\"alloc:a\",\"bytes\":"
              "64,\"external\":false},{\"key\":\"alloc:v\",\"bytes\":null,"
              "\"external\":false,\"alias_of\":{\"key\":\"alloc:a\",\"offset\":"
              "8}}],\"tasks\":[" TASK(0, "", W("alloc:v")) "," TASK(
                  1, "", W("alloc:a")) "," TASK(2, "", R("alloc:a")) "]}");
    const oracle_finding *raw = find(&f, "hazard.raw");
    assert_non_null(raw);
    assert_non_null(strstr(raw->json, "\"expected_writer\":1"));
    assert_non_null(find(&f, "hazard.unknown-access"));
    assert_int_equal(f.judgement.total, 2);
    done(&f);
}

/* Two rows of one pair are one finding. */
static void merged(void **state)
{
    fixture f;
    (void)state;
#define ROWS ",\"view\":{\"elem\":4,\"base\":4,\"dims\":[[3,16,0],[2,4,0]]}"
    judge(&f,
          GRAPH("none", "",
                TASK(0, "", ARG("alloc:t", "inout", "write", ROWS)) "," TASK(
                    1, "", ARG("alloc:t", "input", "read", ROWS))));
    assert_int_equal(f.judgement.total, 1);
    assert_non_null(strstr(f.judgement.findings[0].json,
                           "\"storage\":{\"begin\":4,\"end\":44,"));
    assert_non_null(
        strstr(f.judgement.findings[0].json, "\"witness\":{\"begin\":4,"));
    done(&f);
}

/* --- Edges --- */

static void broken_edges(void **state)
{
    fixture f;
    (void)state;
    judge(&f, GRAPH("none",
                    "\"edges\":[" EDGE(0, 1) "," EDGE(1, 2) "," EDGE(2, 0) "],",
                    TASK(0, "", W("alloc:t")) "," TASK(
                        1, "", R("alloc:t")) "," TASK(2, "", R("alloc:t"))));
    assert_int_equal(f.judgement.total, 1);
    assert_string_equal(f.judgement.findings[0].rule, "graph.cycle");
    assert_non_null(
        strstr(f.judgement.findings[0].json, "{\"cycle\":[0,1,2]}"));
    assert_int_equal(f.judgement.undecided_count, 1);
    done(&f);
    error_of(GRAPH("none", "", TASK(0, "\"deps\":[{\"task\":0}],", "")),
             "graph.self-edge", NULL);
    error_of(GRAPH("none", "\"edges\":[" EDGE(0, 7) "],", TASK(0, "", "")),
             "graph.edge-end", NULL);
    expect_one(GRAPH("none", "\"edges\":[" EDGE(0, 1) "," EDGE(0, 1) "],",
                     TASK(0, "", "") "," TASK(1, "", "")),
               "graph.duplicate-edge", NULL, ORACLE_NOTE, ORACLE_CLEAN);
}

/* An edge that may be missing orders its own pair and no path. */
static void uncertain_edges(void **state)
{
    (void)state;
    expect_clean(
        GRAPH("none", "\"edges\":[" MAYBE(0, 1) "],",
              TASK(0, "", W("alloc:t")) "," TASK(1, "", R("alloc:t"))));
    expect_one(GRAPH("none", "\"edges\":[" MAYBE(0, 1) "," EDGE(1, 2) "],",
                     TASK(0, "", W("alloc:t")) "," TASK(1, "", "") "," TASK(
                         2, "", R("alloc:t"))),
               "hazard.unknown-access", "missing-edge", ORACLE_WARNING,
               ORACLE_UNDECIDED);
}

/* --- One task, and the host --- */

static void self_overlap(void **state)
{
    (void)state;
    error_of(GRAPH("none", "", TASK(0, "", W("param:x") "," SLICE(16, 2))),
             "task.self-overlap", NULL);
    expect_one(GRAPH("none", "", TASK(0, "", R("param:x") "," SLICE(16, 2))),
               "task.self-overlap", NULL, ORACLE_WARNING, ORACLE_FINDINGS);
    expect_clean(GRAPH("none", "", TASK(0, "", SLICE(0, 4) "," SLICE(16, 2))));
}

static void host_reads(void **state)
{
    (void)state;
#define HOST(after)                                                            \
    "\"host_accesses\":[{\"after\":" #after ",\"mode\":\"read\",\"buffer\":"   \
    "\"param:x\",\"line\":40}],"
    error_of(GRAPH("none", HOST(0), TASK(0, "", W("param:x"))),
             "host.stale-read", NULL);
    expect_clean(GRAPH("none", HOST(-1), TASK(0, "", W("param:x"))));
}

/* --- Executions --- */

#define CHOICES                                                                \
    "\"choices\":[{\"id\":5,\"kind\":\"if\",\"line\":3,\"text\":\"n\"}],"

/* The order that goes through a branch counts only when it is taken. */
static void choices(void **state)
{
    fixture f;
    (void)state;
    judge(&f,
          GRAPH("none", CHOICES "\"edges\":[" EDGE(0, 1) "," EDGE(1, 2) "],",
                TASK(0, "", W("alloc:t")) "," TASK(
                    1, "\"when\":[{\"choice\":5,\"is\":true}],",
                    "") "," TASK(2, "", R("alloc:t"))));
    assert_int_equal(f.judgement.total, 1);
    assert_non_null(strstr(f.judgement.findings[0].json,
                           "\"choices\":[{\"choice\":5,\"is\":false}]"));
    assert_non_null(strstr(f.judgement.findings[0].json, "\"order\":[2,0]"));
    done(&f);
}

#define SYMBOLS                                                                \
    "\"symbols\":[{\"name\":\"i\",\"min\":0,\"max\":7,\"step\":1,\"free\":"    \
    "true},{\"name\":\"d\",\"min\":1,\"max\":null,\"step\":1,\"free\":true}],"
#define ROW(terms)                                                             \
    ARG("param:x", "output_existing", "write",                                 \
        ",\"view\":{\"elem\":4,\"base\":{\"c\":0,\"t\":[" terms                \
        "]},\"dims\":[[1,4,0]]}")

static void symbols(void **state)
{
    fixture f;
    (void)state;
    expect_clean(GRAPH("none", SYMBOLS,
                       TASK(0, "", ROW("[4,\"i\"]")) "," TASK(
                           1, "", ROW("[4,\"i\"],[4,\"d\"]"))));
    judge(&f, GRAPH("none", SYMBOLS,
                    TASK(0, "", ROW("[4,\"i\"]")) "," TASK(1, "",
                                                           ROW("[4,\"d\"]"))));
    assert_int_equal(f.judgement.total, 1);
    assert_string_equal(f.judgement.findings[0].rule, "hazard.waw");
    assert_non_null(
        strstr(f.judgement.findings[0].json, "\"symbols\":{\"d\":1,\"i\":1}"));
    done(&f);
}

static void symbolic_uninitialised(void **state)
{
    fixture f;
    (void)state;
    judge(&f,
          GRAPH("none", SYMBOLS,
                TASK(0, "",
                     ARG("alloc:t", "input", "read",
                         ",\"view\":{\"elem\":4,\"base\":{\"c\":0,\"t\":[[4,"
                         "\"i\"]]},\"dims\":[]}"))));
    assert_int_equal(f.judgement.total, 1);
    assert_string_equal(f.judgement.findings[0].rule, "hazard.uninitialised");
    assert_int_equal(f.judgement.findings[0].severity, ORACLE_ERROR);
    done(&f);
}

/* Too many rows for atoms: pairs are compared as they are. */
static void many_rows(void **state)
{
#define COLUMNS(base)                                                          \
    ARG("param:big", "output_existing", "write",                               \
        ",\"view\":{\"elem\":4,\"base\":" #base                                \
        ",\"dims\":[[70000,64,0],[4,4,0]]}")
#define BIG(tasks)                                                             \
    "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"rules\":"         \
    "\"none\","                                                                \
    "\"buffers\":[{\"key\":\"param:big\",\"bytes\":4480000,\"external\":true}" \
    "],\"tasks\":[" tasks "]}"
    (void)state;
    expect_clean(BIG(TASK(0, "", COLUMNS(0)) "," TASK(1, "", COLUMNS(16))));
    expect_one(BIG(TASK(0, "", COLUMNS(0)) "," TASK(1, "", COLUMNS(12))),
               "hazard.unknown-access", "missing-edge", ORACLE_WARNING,
               ORACLE_UNDECIDED);
}

/* n tasks without any order: n - 1 findings, not n * n. */
static void crowd(void **state)
{
    enum { TASKS = 3000 };
    oracle_judgement judgement;
    size_t size = 256 + (size_t)TASKS * 256, length;
    char *text = malloc(size);
    (void)state;
    assert_non_null(text);
    length = (size_t)snprintf(
        text, size,
        "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"rules\":"
        "\"none\",\"buffers\":[{\"key\":\"param:x\",\"bytes\":64,"
        "\"external\":true}],\"tasks\":[");
    for (int t = 0; t < TASKS; t++) {
        length += (size_t)snprintf(
            text + length, size - length,
            "%s{\"id\":%d,\"name\":\"k\",\"core\":\"aiv\",\"args\":[" IO(
                "param:x") "]}",
            t == 0 ? "" : ",", t);
    }
    length += (size_t)snprintf(text + length, size - length, "]}");
    assert_int_equal(oracle_judge_text(&judgement, text, length, NULL),
                     ORACLE_OK);
    assert_int_equal(judgement.total, TASKS - 1);
    assert_int_equal(judgement.count, 1000);
    oracle_judgement_free(&judgement);
    free(text);
}

/* --- Lists --- */

static void refused(void **state)
{
    oracle_judgement judgement;
    const char text[] = "{\"kind\":\"task_graph\",\n \"version\":1,,}";
    (void)state;
    assert_int_equal(oracle_judge_text(&judgement, text, sizeof text - 1, NULL),
                     ORACLE_OK);
    assert_int_equal(judgement.verdict, ORACLE_REFUSED);
    assert_int_equal(judgement.count, 1);
    const char *rule = judgement.findings[0].rule;
    assert_int_equal(judgement.findings[0].line, 2);
    assert_non_null(strstr(judgement.findings[0].json, "\"column\":"));
    oracle_judgement_free(&judgement);
    assert_string_equal(rule, "doc.syntax"); /* it is static */
}

static void sorted_and_cut(void **state)
{
    oracle_judgement judgement;
    oracle_judge_options options = {.limit = 2};
    const char text[] = GRAPH(
        "none", "\"edges\":[" EDGE(3, 4) "," EDGE(3, 4) "],",
        TASK(0, "", W("alloc:t")) "," TASK(1, "", R("alloc:t")) "," TASK(
            2, "",
            R("alloc:t")) "," TASK(3, "",
                                   W("param:x")) "," TASK(4, "",
                                                          R("param:x") "," R(
                                                              "alloc:t")));
    (void)state;
    assert_int_equal(
        oracle_judge_text(&judgement, text, sizeof text - 1, &options),
        ORACLE_OK);
    assert_int_equal(judgement.total, 4);
    assert_int_equal(judgement.count, 2);
    assert_non_null(strstr(judgement.findings[0].json, "\"task\":1}"));
    assert_non_null(strstr(judgement.findings[1].json, "\"task\":2}"));
    oracle_judgement_free(&judgement);
}

/* What one pair of tasks has is told by the arguments, then by the rule. */
static void sorted_by_argument(void **state)
{
#define PART(dispatch, mode, base)                                             \
    "{\"buffer\":\"param:x\",\"dispatch\":\"" dispatch                         \
    "\",\"access\":[{\"mode\":\"" mode                                         \
    "\",\"must\":true,\"exact\":true,\"region\":{\"elem\":1,\"base\":" #base   \
    ",\"dims\":[[8,1,0]]}}]}"
    static const struct {
        const char *rule, *consumer, *producer;
    } expected[] = {
        {"hazard.war", "\"consumer\":{\"arg\":0,", "\"producer\":{\"arg\":0,"},
        {"hazard.raw", "\"consumer\":{\"arg\":0,", "\"producer\":{\"arg\":1,"},
        {"hazard.raw", "\"consumer\":{\"arg\":1,", "\"producer\":{\"arg\":2,"},
        {"hazard.war", "\"consumer\":{\"arg\":0,", "\"producer\":{\"arg\":1,"},
    };
    fixture f;
    (void)state;
    judge(
        &f,
        GRAPH(
            "none", "",
            TASK(
                0, "",
                PART("input", "read", 0) "," PART(
                    "output_existing", "write",
                    8) "," W("alloc:n")) "," TASK(1, "",
                                                  IO("param:x") "," R(
                                                      "alloc:n")) "," TASK(2,
                                                                           "",
                                                                           W("a"
                                                                             "l"
                                                                             "l"
                                                                             "o"
                                                                             "c"
                                                                             ":"
                                                                             "n"))));
    assert_int_equal(f.judgement.count, 4);
    for (uint32_t i = 0; i < f.judgement.count; i++) {
        const oracle_finding *one = &f.judgement.findings[i];
        assert_string_equal(one->rule, expected[i].rule);
        assert_non_null(strstr(one->json, expected[i].consumer));
        assert_non_null(strstr(one->json, expected[i].producer));
    }
    done(&f);
}

static void signatures(void **state)
{
    fixture a, b;
    (void)state;
    judge(&a, GRAPH("none", "",
                    TASK(0, "", W("alloc:t")) "," TASK(1, "", R("alloc:t"))));
    judge(&b, GRAPH("none", "",
                    TASK(7, "",
                         W("alloc:t")) ","
                                       "{\"id\":8,\"name\":\"k1\",\"core\":"
                                       "\"aiv\",\"args\":[" R("alloc:t") "]}"));
    assert_string_not_equal(a.judgement.findings[0].signature,
                            b.judgement.findings[0].signature);
    done(&b);
    judge(&b, GRAPH("none", "",
                    "{\"id\":5,\"name\":\"k0\",\"core\":\"aic\",\"args\":[" W(
                        "alloc:n") "]},"
                                   "{\"id\":8,\"name\":\"k1\",\"core\":\"aiv\","
                                   "\"args\":[" R("alloc:n") "]}"));
    assert_string_equal(a.judgement.findings[0].signature,
                        b.judgement.findings[0].signature);
    done(&a);
    done(&b);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(write_after_read),
    cmocka_unit_test(whole_record),
    cmocka_unit_test(overlapping_slices),
    cmocka_unit_test(element_sizes),
    cmocka_unit_test(manual_scopes),
    cmocka_unit_test(opt_outs),
    cmocka_unit_test(tensors_without_manual_dep),
    cmocka_unit_test(stale_predicate),
    cmocka_unit_test(predicated_write),
    cmocka_unit_test(deps_that_are_none),
    cmocka_unit_test(edges_alone),
    cmocka_unit_test(dead_writes),
    cmocka_unit_test(uninitialised),
    cmocka_unit_test(unknown_access),
    cmocka_unit_test(accumulations),
    cmocka_unit_test(sizes_unknown),
    cmocka_unit_test(alias_without_size),
    cmocka_unit_test(merged),
    cmocka_unit_test(broken_edges),
    cmocka_unit_test(uncertain_edges),
    cmocka_unit_test(self_overlap),
    cmocka_unit_test(host_reads),
    cmocka_unit_test(choices),
    cmocka_unit_test(symbols),
    cmocka_unit_test(symbolic_uninitialised),
    cmocka_unit_test(many_rows),
    cmocka_unit_test(crowd),
    cmocka_unit_test(refused),
    cmocka_unit_test(sorted_and_cut),
    cmocka_unit_test(sorted_by_argument),
    cmocka_unit_test(signatures),
};

TEST_MAIN(tests)
