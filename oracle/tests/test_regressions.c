/* Documents that were once judged wrongly, as small as they can be. */
#include "../../scripts/testing/harness.h"

#include "oracle/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS "{\"elem\":2,\"dims\":[[70000,4,0]]}"
#define AT_I                                                                   \
    "{\"elem\":1,\"base\":{\"c\":0,\"t\":[[16,\"i\"]]},\"dims\":[[16,1,0]]}"
#define SYMBOL                                                                 \
    "\"symbols\":[{\"name\":\"i\",\"min\":0,\"max\":1,\"free\":true}],"
#define BUFFERS                                                                \
    "\"buffers\":[{\"key\":\"param:x\",\"bytes\":280000},"                     \
    "{\"key\":\"alloc:b\",\"bytes\":280000,\"init\":true},"                    \
    "{\"key\":\"alloc:n\",\"bytes\":280000}],"
#define ARG(key, mode, region)                                                 \
    "{\"buffer\":\"" key                                                       \
    "\",\"dispatch\":\"no_dep\",\"access\":[{\"mode\":\"" mode                 \
    "\",\"must\":true,\"exact\":true,\"region\":" region "}]}"
#define TASK(id, args) "{\"id\":" #id ",\"args\":[" args "]}"
#define EDGE(from, to) "{\"from\":" #from ",\"to\":" #to "}"
#define GRAPH(more, tasks, edges)                                              \
    "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\","                   \
    "\"rules\":\"none\"," BUFFERS more "\"tasks\":[" tasks                     \
    "],\"edges\":[" edges "]}"

/* One finding of that rule beside notes (NULL: none), and what it says. */
static void expect(const char *text, const char *rule, oracle_severity severity,
                   const char *ends)
{
    oracle_judgement judgement;
    uint32_t found = 0;
    assert_int_equal(oracle_judge_text(&judgement, text, strlen(text), NULL),
                     ORACLE_OK);
    for (uint32_t i = 0; i < judgement.count; i++) {
        const oracle_finding *f = &judgement.findings[i];
        if (f->severity == ORACLE_NOTE) {
            continue;
        }
        found++;
        if (rule == NULL || strcmp(f->rule, rule) != 0 ||
            f->severity != severity || strstr(f->message, ends) == NULL) {
            fail_msg("%s", f->json);
        }
    }
    assert_int_equal(found, rule == NULL ? 0 : 1);
    oracle_judgement_free(&judgement);
}

/*
 * An accumulation after an access that another accumulation covers is not
 * ordered by the order of the other two.
 */
static void accumulations_of_symbols(void **state)
{
    (void)state;
    expect(
        GRAPH(SYMBOL,
              TASK(1, ARG("param:x", "write", AT_I)) "," TASK(
                  2, ARG("param:x", "accumulate",
                         AT_I)) "," TASK(3, ARG("param:x", "accumulate", AT_I)),
              EDGE(1, 2)),
        "hazard.waw", ORACLE_ERROR, "task 3 \"\" writes");
    expect(
        GRAPH(SYMBOL,
              TASK(1, ARG("param:x", "read", AT_I)) "," TASK(
                  2, ARG("param:x", "accumulate",
                         AT_I)) "," TASK(3, ARG("param:x", "accumulate", AT_I)),
              EDGE(1, 2)),
        "hazard.war", ORACLE_ERROR, "task 3 \"\" writes");
    expect(
        GRAPH(SYMBOL,
              TASK(1, ARG("alloc:b", "write", AT_I)) "," TASK(
                  2, ARG("alloc:b", "accumulate",
                         AT_I)) "," TASK(3,
                                         ARG("alloc:b", "accumulate",
                                             AT_I)) "," TASK(4,
                                                             ARG("alloc:b",
                                                                 "read", AT_I)),
              EDGE(1, 2) "," EDGE(2, 4) "," EDGE(3, 4)),
        "hazard.waw", ORACLE_ERROR, "task 3 \"\" writes");
}

static void accumulations_of_many_rows(void **state)
{
    (void)state;
    expect(
        GRAPH("",
              TASK(1, ARG("param:x", "write", ROWS)) "," TASK(
                  2, ARG("param:x", "accumulate",
                         ROWS)) "," TASK(3, ARG("param:x", "accumulate", ROWS)),
              EDGE(1, 2)),
        "hazard.unknown-access", ORACLE_WARNING, "task 1 \"\" and task 3 \"\"");
}

static void many_rows_that_nothing_wrote(void **state)
{
    (void)state;
    expect(GRAPH("", TASK(1, ARG("alloc:n", "read", ROWS)), ""),
           "hazard.uninitialised", ORACLE_ERROR, "task 1 \"\" reads");
}

/* Who reads two unordered writes is a matter of the symbol. */
static void reader_of_some_values(void **state)
{
    (void)state;
#define UPPER "{\"elem\":1,\"base\":16,\"dims\":[[16,1,0]]}"
    expect(GRAPH(SYMBOL,
                 TASK(1, ARG("alloc:b", "write", UPPER)) "," TASK(
                     2, ARG("alloc:b", "write",
                            UPPER)) "," TASK(3, ARG("alloc:b", "read", AT_I)),
                 EDGE(1, 3) "," EDGE(2, 3)),
           "hazard.waw", ORACLE_ERROR, "task 2 \"\" writes");
}

/* Outside for all values of the symbol; past the end of its storage. */
static void outside(void **state)
{
    (void)state;
#define AT(base) "{\"elem\":1,\"base\":" base ",\"dims\":[[16,1,0]]}"
#define FROM(c) "{\"c\":" #c ",\"t\":[[16,\"i\"]]}"
    expect(
        GRAPH(SYMBOL, TASK(1, ARG("param:x", "write", AT(FROM(279985)))), ""),
        "doc.range", ORACLE_ERROR, "lies outside");
    expect(GRAPH(SYMBOL, TASK(1, ARG("param:x", "write", AT(FROM(-17)))), ""),
           "doc.range", ORACLE_ERROR, "lies outside");
    expect(
        GRAPH(SYMBOL, TASK(1, ARG("param:x", "write", AT(FROM(279984)))), ""),
        NULL, ORACLE_ERROR, "");
    expect("{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"buffers\":"
           "[{\"key\":\"alloc:b\",\"bytes\":64},{\"key\":\"alloc:v\","
           "\"bytes\":64,\"alias_of\":{\"key\":\"alloc:b\",\"offset\":32}}],"
           "\"tasks\":[]}",
           "doc.range", ORACLE_ERROR, "past the end");
}

#define VIEW "\"view\":{\"elem\":4,\"dims\":[[16,4,0]]}"
#define ONLY(mode)                                                             \
    "\"access\":[{\"mode\":\"" mode "\",\"must\":true,\"exact\":true}]"

/* That many tasks of one argument each: these two in turns. */
static void judge_many(oracle_judgement *judgement, const char *rules,
                       uint32_t tasks, const char *even, const char *odd)
{
    static const char head[] =
        "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\"," BUFFERS;
    const oracle_judge_options options = {.limit = 10, .rules = rules};
    size_t size = sizeof head + (size_t)tasks * 240, length;
    char *text = malloc(size);
    assert_non_null(text);
    length = (size_t)snprintf(text, size, "%s\"tasks\":[", head);
    for (uint32_t i = 0; i < tasks; i++) {
        length += (size_t)snprintf(
            text + length, size - length,
            "%s{\"id\":%u,\"args\":[{\"buffer\":\"param:x\",%s}]}",
            i > 0 ? "," : "", (unsigned)i, i % 2 == 0 ? even : odd);
    }
    length += (size_t)snprintf(text + length, size - length, "]}");
    assert_int_equal(oracle_judge_text(judgement, text, length, &options),
                     ORACLE_OK);
    free(text);
}

static void judge_writers(oracle_judgement *judgement, uint32_t writers)
{
    static const char argument[] = "\"dispatch\":\"no_dep\"," ONLY("write");
    judge_many(judgement, "none", writers, argument, argument);
    for (uint32_t i = 0; i < judgement->count; i++) {
        assert_string_equal(judgement->findings[i].rule, "hazard.waw");
    }
}

/* Every reader meets every writer before it: refused before the work. */
static void too_many_edges(void **state)
{
    static const char writer[] =
        "\"dispatch\":\"output_existing\"," VIEW "," ONLY("write");
    static const char reader[] =
        "\"dispatch\":\"input\"," VIEW "," ONLY("read");
    oracle_judgement judgement;
    (void)state;
    judge_many(&judgement, "tensormap", 50000, writer, reader);
    assert_int_equal(judgement.verdict, ORACLE_REFUSED);
    assert_string_equal(judgement.findings[0].rule, "doc.range");
    oracle_judgement_free(&judgement);
    judge_many(&judgement, "tensormap", 2000, writer, reader);
    assert_int_equal(judgement.verdict, ORACLE_FINDINGS);
    oracle_judgement_free(&judgement);
}

/* The caller reads the last of them: n - 1 errors, no note, and limit.tasks. */
static void many_writers(void **state)
{
    oracle_judgement judgement;
    (void)state;
    judge_writers(&judgement, 20000);
    assert_int_equal(judgement.total, 19999 + 1);
    assert_int_equal(judgement.verdict, ORACLE_FINDINGS);
    assert_int_equal(judgement.undecided_count, 0);
    oracle_judgement_free(&judgement);
}

/* More than can be compared one by one are counted all the same. */
static void too_many_writers(void **state)
{
    oracle_judgement judgement;
    (void)state;
    judge_writers(&judgement, 33000);
    assert_int_equal(judgement.total, 32999 + 1);
    assert_int_equal(judgement.verdict, ORACLE_FINDINGS);
    assert_int_equal(judgement.undecided_count, 0);
    oracle_judgement_free(&judgement);
}

#define FIRST_ROW "{\"elem\":1,\"dims\":[[32,1,0]]}"
#define WRITES(must, exact, region)                                            \
    "{\"mode\":\"write\",\"must\":" must ",\"exact\":" exact                   \
    ",\"region\":" region "}"
#define WRITER(id, accesses)                                                   \
    "{\"id\":" #id ",\"args\":[{\"buffer\":\"param:x\",\"dispatch\":"          \
    "\"no_dep\",\"access\":[" accesses "]}]}"
#define ROW WRITES("true", "true", FIRST_ROW)
#define BOUND WRITES("false", "false", "{\"elem\":1,\"dims\":[[192,1,0]]}")

/* What is exact of an argument is wrong, whatever its bound touches. */
static void exact_beside_a_bound(void **state)
{
    (void)state;
    expect(GRAPH("", WRITER(1, ROW "," BOUND) "," WRITER(2, ROW "," BOUND), ""),
           "hazard.waw", ORACLE_ERROR, "task 2 \"\" writes bytes 0 to 31");
    expect(GRAPH("", WRITER(1, BOUND "," ROW) "," WRITER(2, ROW "," BOUND), ""),
           "hazard.waw", ORACLE_ERROR, "task 2 \"\" writes bytes 0 to 31");
}

/*
 * Behind two writes a bound may overwrite both, so that no read sees either;
 * a write that need not happen is legally left out.
 */
static void bound_behind_two_writes(void **state)
{
    static const char *const after[] = {"", EDGE(1, 3), EDGE(2, 3),
                                        EDGE(1, 3) "," EDGE(2, 3)};
    char text[2048];
    (void)state;
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
        oracle_judgement j;
        for (uint32_t exact = 0; exact < 2; exact++) {
            (void)snprintf(text, sizeof text,
                           GRAPH("",
                                 WRITER(1, ROW) "," WRITER(2, ROW) "," WRITER(
                                     3, WRITES("false", "%s", FIRST_ROW)),
                                 "%s"),
                           exact ? "true" : "false", after[i]);
            assert_int_equal(oracle_judge_text(&j, text, strlen(text), NULL),
                             ORACLE_OK);
            assert_int_equal(j.verdict,
                             exact ? ORACLE_FINDINGS : ORACLE_UNDECIDED);
            assert_string_equal(j.findings[0].rule,
                                exact ? "hazard.waw" : "hazard.unknown-access");
            oracle_judgement_free(&j);
        }
    }
    expect(GRAPH("", WRITER(1, ROW) "," WRITER(2, BOUND) "," WRITER(3, ROW),
                 EDGE(1, 2) "," EDGE(2, 3)),
           NULL, ORACLE_ERROR, "");
}

/* What an author says twice stays twice, also where rules give edges. */
static void explicit_twice_under_rules(void **state)
{
    static const char *const sets[] = {"none", "conservative", "tensormap"};
    static const char text[] =
        GRAPH("", TASK(1, "") "," TASK(2, ""),
              "{\"from\":1,\"to\":2,\"source\":\"explicit\"},"
              "{\"from\":1,\"to\":2,\"source\":\"explicit\"}");
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        oracle_judgement j;
        oracle_judge_options options = {.rules = sets[i]};
        assert_int_equal(oracle_judge_text(&j, text, sizeof text - 1, &options),
                         ORACLE_OK);
        assert_int_equal(j.count, 1);
        assert_string_equal(j.findings[0].rule, "graph.duplicate-edge");
        oracle_judgement_free(&j);
    }
}

/* What was not understood of a record is said beside a plan, too. */
static void remark_of_record_beside_plan(void **state)
{
    static const char text[] =
        "{\"kind\":\"bundle\",\"version\":1,\"members\":["
        "{\"role\":\"record\",\"document\":{\"tasks\":["
        "{\"task_id\":\"0\",\"scope\":\"half\",\"kernel_ids\":[-1,0,-1],"
        "\"block_num\":1,\"args\":[]}],\"tensors\":[],\"edges\":[]}},"
        "{\"role\":\"graph\",\"document\":{\"kind\":\"task_graph\","
        "\"version\":1,\"tasks\":[{\"id\":0,\"core\":\"aiv\"}]}}]}";
    oracle_judgement j;
    (void)state;
    assert_int_equal(oracle_judge_text(&j, text, sizeof text - 1, NULL),
                     ORACLE_OK);
    assert_int_equal(j.verdict, ORACLE_UNDECIDED);
    assert_int_equal(j.count, 1);
    assert_string_equal(j.findings[0].rule, "doc.unsupported");
    oracle_judgement_free(&j);
}

/* A view that moves does not hide that the access is beyond its buffer. */
static void access_beyond_moving_view(void **state)
{
    static const char text[] =
        "{\"kind\":\"task_graph\",\"version\":1," SYMBOL
        "\"buffers\":[{\"key\":\"param:x\",\"bytes\":64}],\"tasks\":["
        "{\"id\":0,\"args\":[{\"buffer\":\"param:x\",\"dispatch\":\"input\","
        "\"view\":" AT_I ",\"access\":[{\"mode\":\"read\",\"region\":"
        "{\"elem\":1,\"base\":64}}]}]}]}";
    oracle_judgement j;
    (void)state;
    assert_int_equal(oracle_judge_text(&j, text, sizeof text - 1, NULL),
                     ORACLE_OK);
    assert_int_equal(j.verdict, ORACLE_REFUSED);
    assert_string_equal(j.findings[0].rule, "doc.range");
    oracle_judgement_free(&j);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(access_beyond_moving_view),
    cmocka_unit_test(remark_of_record_beside_plan),
    cmocka_unit_test(explicit_twice_under_rules),
    cmocka_unit_test(exact_beside_a_bound),
    cmocka_unit_test(bound_behind_two_writes),
    cmocka_unit_test(accumulations_of_symbols),
    cmocka_unit_test(accumulations_of_many_rows),
    cmocka_unit_test(many_rows_that_nothing_wrote),
    cmocka_unit_test(reader_of_some_values),
    cmocka_unit_test(outside),
    cmocka_unit_test(many_writers),
    cmocka_unit_test(too_many_writers),
    cmocka_unit_test(too_many_edges),
};

TEST_MAIN(tests)
