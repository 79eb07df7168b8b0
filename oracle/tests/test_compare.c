/* Two documents of one plan: what is the same, and what is not. */
#include "../../scripts/testing/harness.h"

#include "maker.h"
#include "oracle/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TASKS 6

static oracle_judgement compare(const char *a, const char *b, bool same)
{
    oracle_judgement judgement;
    oracle_judge_options options = {.case_digest = ""};
    assert_int_equal(
        oracle_compare_text(&judgement, (oracle_bytes){a, strlen(a)},
                            (oracle_bytes){b, strlen(b)}, same, &options),
        ORACLE_OK);
    return judgement;
}

static bool has_cause(const oracle_judgement *judgement, const char *cause)
{
    for (uint32_t i = 0; i < judgement->count; i++) {
        if (strcmp(judgement->findings[i].cause, cause) == 0) {
            return true;
        }
    }
    return false;
}

/* The second differs from the first in this alone; NULL: in nothing. */
static void expect(const char *a, const char *b, const char *cause)
{
    for (int turn = 0; turn < 2; turn++) {
        oracle_judgement judgement = compare(a, b, false);
        if (judgement.undecided_count > 0 ||
            (cause == NULL
                 ? judgement.total != 0
                 : judgement.total == 0 || !has_cause(&judgement, cause))) {
            fail_msg("%s: %s\n%s\n%s", cause == NULL ? "nothing" : cause,
                     judgement.total == 0 ? "none" : judgement.findings[0].json,
                     a, b);
        }
        oracle_judgement_free(&judgement);
        const char *other = a;
        a = b;
        b = other;
    }
}

#define TASK(id, name, keys, dirs)                                             \
    "{\"task_id\":" #id                                                        \
    ",\"func_id\":0,\"core_type\":\"aiv\",\"name\":\"" name                    \
    "\",\"args\":[" keys "],\"arg_directions\":[" dirs                         \
    "],\"arg_storage_keys\":[" keys "]}"
#define EDGE(a, b) "{\"producer\":" #a ",\"consumer\":" #b "}"
#define SCORE(name, tasks, edges)                                              \
    "{\"name\":\"" name "\",\"tasks\":[" tasks "],\"dependencies\":[" edges "]}"
#define IN "\"Input\""
#define OUT "\"Output\""
#define A "\"alloc:a\""
#define B "\"alloc:b\""
#define THREE                                                                  \
    TASK(0, "f", A, OUT)                                                       \
    "," TASK(1, "g", A "," B, IN "," OUT) "," TASK(2, "h", B, IN)

static void scores(void **state)
{
    (void)state;
    const char *base = SCORE("s", THREE, EDGE(0, 1) "," EDGE(1, 2));
    expect(base, SCORE("s", THREE, EDGE(1, 2) "," EDGE(0, 1)), NULL);
    expect(base, SCORE("s", THREE, EDGE(0, 2) "," EDGE(0, 1) "," EDGE(1, 2)),
           NULL);
    expect(base, SCORE("s", THREE, EDGE(0, 1)), "order-of-conflict");
    expect(base, SCORE("s", THREE, EDGE(0, 1) "," EDGE(0, 2)),
           "order-of-conflict");
    expect(base,
           SCORE("s",
                 TASK(0, "f", A, OUT) "," TASK(1, "g", A "," B, IN "," OUT),
                 EDGE(0, 1)),
           "tasks");
    expect(base,
           SCORE("s",
                 TASK(2, "h", B, IN) "," TASK(0, "f", A, OUT) "," TASK(
                     1, "g", A "," B, IN "," OUT),
                 EDGE(0, 1) "," EDGE(1, 2)),
           NULL);
    expect(base,
           SCORE("s",
                 TASK(0, "f", A, OUT) "," TASK(
                     1, "g", A "," B, IN "," OUT) "," TASK(2, "f", B, IN),
                 EDGE(0, 1) "," EDGE(1, 2)),
           "callee");
    expect(base,
           SCORE("s",
                 TASK(0, "f", A, OUT) "," TASK(
                     1, "g", A "," B, IN "," IN) "," TASK(2, "h", B, IN),
                 EDGE(0, 1) "," EDGE(1, 2)),
           "bytes");
    expect(base,
           SCORE("s",
                 TASK(0, "f", "\"alloc:x\"", OUT) "," TASK(
                     1, "g", "\"alloc:x\",\"alloc:y\"",
                     IN "," OUT) "," TASK(2, "h", "\"alloc:y\"", IN),
                 EDGE(0, 1) "," EDGE(1, 2)),
           NULL);
    expect(base,
           SCORE("s",
                 TASK(0, "f", "\"alloc:x\"", OUT) "," TASK(
                     1, "g", "\"alloc:x\",\"param:y\"",
                     IN "," OUT) "," TASK(2, "h", "\"param:y\"", IN),
                 EDGE(0, 1) "," EDGE(1, 2)),
           "owner");
    expect(base,
           SCORE("s",
                 TASK(0, "f", A, OUT) "," TASK(
                     1, "g", B "," A, OUT "," IN) "," TASK(2, "h", B, IN),
                 EDGE(0, 1) "," EDGE(1, 2)),
           "argument");
    expect(base,
           SCORE("s",
                 TASK(10, "f", A, OUT) "," TASK(
                     11, "g", A "," B, IN "," OUT) "," TASK(12, "h", B, IN),
                 EDGE(10, 11) "," EDGE(11, 12)),
           NULL);
}

/* Without edges the tasks are in no order, here or there. */
static void no_edges(void **state)
{
    (void)state;
    expect(SCORE("s", THREE, ""), SCORE("s", THREE, ""), NULL);
    expect(SCORE("s", THREE, EDGE(2, 0)), SCORE("s", THREE, ""), "order");
}

static void claims(void **state)
{
    (void)state;
    const char *a = SCORE("s", THREE, EDGE(0, 1));
    const char *b = SCORE("t", THREE, "");
    oracle_judgement judgement = compare(a, b, false);
    assert_int_equal(judgement.total, 0);
    assert_int_equal(judgement.undecided_count, 1);
    assert_non_null(strstr(judgement.undecided[0], "their names differ"));
    oracle_judgement_free(&judgement);
    judgement = compare(a, b, true);
    assert_int_equal(judgement.total, 1);
    oracle_judgement_free(&judgement);
    judgement = compare(a, "{\"name\":1}", true);
    assert_int_equal(judgement.verdict, ORACLE_UNDECIDED);
    oracle_judgement_free(&judgement);
}

static void tables(void **state)
{
    (void)state;
#define ROW(id, name)                                                          \
    "{\"task_id\":" #id ",\"func_id\":0,\"core_type\":\"aiv\","                \
    "\"runtime_args\":[],\"name\":\"" name "\"}"
#define TABLE(edges)                                                           \
    "{\"tasks\":[" ROW(0, "f") "," ROW(1, "g") "," ROW(                        \
        2, "h") "],\"edges\":[" edges "],\"metadata\":{}}"
    const char *score = SCORE("s", THREE, EDGE(0, 1) "," EDGE(1, 2));
    expect(score, TABLE(EDGE(0, 1) "," EDGE(1, 2) "," EDGE(0, 2)), NULL);
    expect(score, TABLE(EDGE(0, 1)), "order-of-conflict");
}

static void places(void **state)
{
    (void)state;
#define PLAN(a)                                                                \
    "{\"kind\":\"memory_plan\",\"version\":1,\"allocations\":[{\"storage_"     \
    "key\":\"alloc:a\",\"offset\":" #a                                         \
    ",\"size\":8},{\"storage_key\":\"alloc:b\",\"offset\":8,\"size\":8}],"     \
    "\"peak_memory\":16}"
#define BUNDLE(a)                                                              \
    "{\"kind\":\"bundle\",\"version\":1,\"members\":[{\"role\":\"score\","     \
    "\"document\":" SCORE(                                                     \
        "s", THREE,                                                            \
        EDGE(0, 1) "," EDGE(1, 2)) "},{"                                       \
                                   "\"role\":\"memory\",\"document\":" PLAN(   \
                                       a) "}]}"
    expect(BUNDLE(0), BUNDLE(0), NULL);
    expect(BUNDLE(0), BUNDLE(16), "place");
    const char *views =
        "{\"kind\":\"bundle\",\"version\":1,\"members\":[{\"role\":"
        "\"graph\",\"document\":{\"kind\":\"task_graph\","
        "\"version\":1,\"name\":\"g\",\"rules\":\"none\","
        "\"buffers\":[{\"key\":\"alloc:a\",\"bytes\":8},{\"key\":"
        "\"v\",\"bytes\":4,\"alias_of\":{\"key\":\"alloc:a\","
        "\"offset\":4}}],\"tasks\":[]}},{\"role\":\"memory\","
        "\"document\":{\"kind\":\"memory_plan\",\"version\":1,"
        "\"allocations\":[{\"storage_key\":\"alloc:a\",\"offset\":"
        "0,\"size\":8},{\"storage_key\":\"v\",\"offset\":4,"
        "\"size\":4}],\"peak_memory\":8}}]}";
    expect(views, views, NULL);
    expect(BUNDLE(0), SCORE("s", THREE, EDGE(0, 1) "," EDGE(1, 2)), NULL);
}

/* --- Task graphs, part by part --- */

#define BUFFERS                                                                \
    "{\"key\":\"alloc:b\",\"bytes\":4,\"external\":false},"                    \
    "{\"key\":\"param:x\",\"bytes\":4,\"external\":true},"                     \
    "{\"key\":\"param:n\",\"bytes\":8,\"external\":true}"
#define ARG(key, mode, more)                                                   \
    "{\"buffer\":\"" key "\",\"dispatch\":\"no_dep\",\"access\":[{\"mode\":"   \
    "\"" mode "\"," more "}]}"
#define SURE "\"must\":true,\"exact\":true"
#define READ_B ARG("alloc:b", "read", SURE)
#define READ_N ARG("param:n", "read", SURE)
#define WRITE_X ARG("param:x", "write", SURE)
#define GRAPH(choices, buffers, args, more)                                    \
    "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"rules\":"         \
    "\"none\","                                                                \
    "\"choices\":[" choices "],\"buffers\":[" buffers                          \
    "],\"tasks\":[{\"id\":0,\"name\":\"k\","                                   \
    "\"args\":[" ARG("alloc:b", "write",                                       \
                     SURE) "]},{\"id\":1,\"name\":\"l\",\"args\":[" args       \
                           "]" more "}],\"edges\":[{\"from\":0,\"to\":1,"      \
                           "\"source\":\"explicit\",\"kind\":"                 \
                           "\"data\",\"certain\":true}]}"
#define ARGS READ_B "," READ_N "," WRITE_X
#define PREDICATE(op, value)                                                   \
    ",\"predicate\":{\"buffer\":\"param:n\",\"region\":{\"elem\":4,"           \
    "\"base\":0,\"dims\":[]},\"op\":\"" op "\",\"value\":" value "}"

static void graphs(void **state)
{
    (void)state;
    const char *base = GRAPH("", BUFFERS, ARGS, "");
    const char *tested = GRAPH("", BUFFERS, ARGS, PREDICATE(">", "0"));
    expect(base, base, NULL);
    expect(tested, tested, NULL);
    expect(base, tested, "predicate");
    expect(tested, GRAPH("", BUFFERS, ARGS, PREDICATE("<=", "0")), "predicate");
    expect(tested, GRAPH("", BUFFERS, ARGS, PREDICATE(">", "1")), "predicate");
    expect(base, GRAPH("", BUFFERS, ARGS, ",\"dummy\":true"), "dummy");
    expect(base, GRAPH("", BUFFERS, ARGS, ",\"sync_start\":true"),
           "sync-start");
    expect(base, GRAPH("", BUFFERS, READ_N "," READ_B "," WRITE_X, ""),
           "argument");
    expect(base, GRAPH("", BUFFERS, WRITE_X "," READ_N "," READ_B, ""),
           "argument");
    expect(base,
           GRAPH("", BUFFERS,
                 READ_B "," READ_N "," ARG("param:x", "write",
                                           "\"must\":false,\"exact\":true"),
                 ""),
           "certainty");
    expect(base,
           GRAPH("", BUFFERS,
                 READ_B "," READ_N "," ARG("param:x", "write",
                                           "\"must\":true,\"exact\":false"),
                 ""),
           "certainty");
}

static void storages(void **state)
{
    (void)state;
#define TWO(key, more)                                                         \
    "{\"key\":\"alloc:b\",\"bytes\":4" more "},{\"key\":\"" key                \
    "\",\"bytes\":4,\"external\":"
#define OTHER(key) READ_B "," ARG(key, "write", SURE)
    const char *base = GRAPH("", TWO("param:x", ",\"external\":false") "true}",
                             OTHER("param:x"), "");
    expect(base,
           GRAPH("", TWO("param:x", ",\"external\":false") "false}",
                 OTHER("param:x"), ""),
           "owner");
    expect(base,
           GRAPH("", TWO("alloc:x", ",\"external\":false") "false}",
                 OTHER("alloc:x"), ""),
           "owner");
    expect(base,
           GRAPH("",
                 TWO("param:x", ",\"external\":false,\"init\":true") "true}",
                 OTHER("param:x"), ""),
           "init");
    /* Another parameter, or a name: neither the same nor an error. */
    oracle_judgement judgement =
        compare(base,
                GRAPH("", TWO("param:y", ",\"external\":false") "true}",
                      OTHER("param:y"), ""),
                false);
    assert_int_equal(judgement.verdict, ORACLE_UNDECIDED);
    assert_non_null(strstr(judgement.undecided[0], "param:x of the first "
                                                   "stands where param:y of"));
    oracle_judgement_free(&judgement);
}

/* A task that became conditional; and the words, each side with its keys. */
static void words(void **state)
{
    (void)state;
    const char *base = GRAPH("", BUFFERS, ARGS, "");
    oracle_judgement judgement =
        compare(base,
                GRAPH("{\"id\":0,\"kind\":\"if\"}", BUFFERS, ARGS,
                      ",\"when\":[{\"choice\":0,\"is\":true}]"),
                false);
    assert_true(has_cause(&judgement, "condition"));
    assert_non_null(strstr(judgement.findings[0].json,
                           "1 task is submitted under other conditions"));
    assert_int_equal(judgement.undecided_count, 1);
    assert_non_null(strstr(judgement.undecided[0],
                           "in which a condition is false: the first submits "
                           "tasks under 0 conditions, the second under 1"));
    oracle_judgement_free(&judgement);
#define SMALL(key, bytes)                                                      \
    GRAPH("",                                                                  \
          "{\"key\":\"alloc:b\",\"bytes\":4,\"external\":false},{\"key\":"     \
          "\"" key "\",\"bytes\":" bytes ",\"external\":false}",               \
          READ_B "," ARG(key, "read", SURE), "")
    judgement = compare(SMALL("alloc:p", "8"), SMALL("alloc:q", "9"), false);
    assert_true(has_cause(&judgement, "bytes"));
    assert_non_null(strstr(judgement.findings[0].json,
                           "reads bytes 0 to 7 of alloc:p in the first, and "
                           "reads bytes 0 to 8 of alloc:q in the second"));
    oracle_judgement_free(&judgement);
}

/* --- Random graphs: reachability decides --- */

typedef struct graph {
    bool edge[TASKS][TASKS];
    int touches[TASKS][3]; /* begin, length, mode */
    int order[TASKS];      /* in which the tasks stand in the text */
} graph;

static int below(uint64_t seed, uint64_t *at, int limit)
{
    return (int)(maker_random(seed, (*at)++) % (uint64_t)limit);
}

static void make(graph *g, uint64_t seed, uint64_t *at)
{
    for (int i = 0; i < TASKS; i++) {
        g->order[i] = i;
        g->touches[i][0] = below(seed, at, 8);
        g->touches[i][1] = 1 + below(seed, at, 4);
        g->touches[i][2] = below(seed, at, 2);
        for (int k = 0; k < i; k++) {
            g->edge[k][i] = below(seed, at, 3) == 0;
        }
    }
}

static void close(const graph *g, bool path[TASKS][TASKS])
{
    memcpy(path, g->edge, sizeof g->edge);
    for (int k = 0; k < TASKS; k++) {
        for (int i = 0; i < TASKS; i++) {
            for (int j = 0; j < TASKS; j++) {
                path[i][j] |= path[i][k] && path[k][j];
            }
        }
    }
}

static void write(char *text, const graph *g, const char *key, bool split)
{
    char *end = text;
    end += sprintf(end,
                   "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\","
                   "\"rules\":\"none\",\"buffers\":[{\"key\":\"%s\",\"bytes\":"
                   "64,\"external\":true}],\"tasks\":[",
                   key);
    for (int i = 0; i < TASKS; i++) {
        int t = g->order[i];
        const int *is = g->touches[t];
        end += sprintf(end, "%s{\"id\":%d,\"name\":\"k\",\"args\":[",
                       i == 0 ? "" : ",", t);
        for (int part = 0; part < (split ? 2 : 1); part++) {
            int first = part * (is[1] / 2), length = is[1] - is[1] / 2;
            end += sprintf(
                end,
                "%s{\"buffer\":\"%s\",\"dispatch\":\"input\",\"access\":[{"
                "\"mode\":\"%s\",\"must\":true,\"exact\":true,\"region\":{"
                "\"elem\":1,\"base\":%d,\"dims\":[[%d,1,0]]}}]}",
                part == 0 ? "" : ",", key, is[2] ? "write" : "read",
                is[0] + (split ? first : 0), split ? length : is[1]);
        }
        end += sprintf(end, "]}");
    }
    end += sprintf(end, "],\"edges\":[");
    const char *mark = "";
    for (int i = 0; i < TASKS; i++) {
        for (int k = 0; k < TASKS; k++) {
            if (g->edge[i][k]) {
                end += sprintf(end,
                               "%s{\"from\":%d,\"to\":%d,\"source\":"
                               "\"explicit\",\"kind\":\"data\","
                               "\"certain\":true}",
                               mark, i, k);
                mark = ",";
            }
        }
    }
    sprintf(end, "]}");
}

/* Other text, the same meaning: tasks elsewhere, implied edges, other names. */
static void rewrite(graph *g, uint64_t seed, uint64_t *at)
{
    bool path[TASKS][TASKS];
    close(g, path);
    for (int i = TASKS - 1; i > 0; i--) {
        int k = below(seed, at, i + 1), task = g->order[i];
        g->order[i] = g->order[k];
        g->order[k] = task;
    }
    for (int i = 0; i < TASKS; i++) {
        for (int k = 0; k < TASKS; k++) {
            g->edge[i][k] |= path[i][k] && below(seed, at, 2) == 0;
        }
    }
}

static void random_graphs(void **state)
{
    (void)state;
    static char first[20000], second[20000];
    uint32_t seen[3] = {0};
    for (uint64_t seed = 0; seed < 4000; seed++) {
        graph g = {0}, h;
        uint64_t at = 0;
        bool p[TASKS][TASKS], q[TASKS][TASKS];
        make(&g, seed, &at);
        h = g;
        write(first, &g, "alloc:x", false);
        rewrite(&h, seed, &at);
        write(second, &h, "alloc:y", true);
        expect(first, second, NULL);
        int change = below(seed, &at, 3), i = 1 + below(seed, &at, TASKS - 1);
        int k = below(seed, &at, i);
        if (change == 0) {
            h.edge[k][i] = !h.edge[k][i];
        } else if (change == 1) {
            h.touches[i][2] ^= 1;
        } else {
            h.touches[i][0]++;
        }
        write(second, &h, "alloc:y", true);
        close(&g, p);
        close(&h, q);
        if (change == 0 && memcmp(p, q, sizeof p) == 0) {
            expect(first, second, NULL);
            continue;
        }
        oracle_judgement judgement = compare(first, second, false);
        bool ordered = has_cause(&judgement, "order") ||
                       has_cause(&judgement, "order-of-conflict");
        if (ordered != (change == 0) ||
            has_cause(&judgement, "bytes") != (change != 0)) {
            fail_msg("seed %d\n%s\n%s", (int)seed, first, second);
        }
        seen[change]++;
        oracle_judgement_free(&judgement);
    }
    assert_true(seen[0] > 300 && seen[1] > 1000 && seen[2] > 1000);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(scores),        cmocka_unit_test(no_edges),
    cmocka_unit_test(claims),        cmocka_unit_test(tables),
    cmocka_unit_test(places),        cmocka_unit_test(graphs),
    cmocka_unit_test(storages),      cmocka_unit_test(words),
    cmocka_unit_test(random_graphs),
};

TEST_MAIN(tests)
