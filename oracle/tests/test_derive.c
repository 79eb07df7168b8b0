/* The automatic edges of both rule sets, rule by rule and against a plain
 * reading of the rules on random graphs. */
#include "../../scripts/testing/harness.h"
#include "../json.h"
#include "../tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
    char *data;
    size_t length, size;
} text;

static void add(text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(text *t, const char *format, ...)
{
    if (t->size - t->length < 512) {
        t->size = t->size * 2 + 4096;
        t->data = realloc(t->data, t->size);
        assert_non_null(t->data);
    }
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->data + t->length, t->size - t->length, format, args);
    va_end(args);
    assert_true(n >= 0 && (size_t)n < t->size - t->length);
    t->length += (size_t)n;
}

static void read_text(oracle_document *d, const char *data, size_t length)
{
    oracle_error error;
    oracle_status status = oracle_document_read(d, data, length, NULL, &error);
    if (status != ORACLE_OK) {
        print_message("%s\n", error.message);
    }
    assert_int_equal(status, ORACLE_OK);
}

/* --- Rules --- */

#define HEAD                                                                   \
    "{\"kind\":\"task_graph\",\"version\":1,\"symbols\":[{\"name\":\"i\","     \
    "\"min\":0,\"max\":7,\"free\":true},{\"name\":\"d\",\"min\":1,"            \
    "\"free\":true},{\"name\":\"r\"}],\"choices\":[{\"id\":0}],"               \
    "\"scopes\":[{\"id\":0,\"manual\":true},{\"id\":1,\"parent\":0}],"         \
    "\"buffers\":[{\"key\":\"x\",\"bytes\":8192},{\"key\":\"m\",\"bytes\":64," \
    "\"manual_dep\":true},{\"key\":\"c\",\"bytes\":64,\"creator\":0},"         \
    "{\"key\":\"w\",\"bytes\":8192},{\"key\":\"y\",\"bytes\":64,"              \
    "\"may_alias\":[\"w\"]},{\"key\":\"a\",\"bytes\":64,\"alias_of\":"         \
    "{\"key\":\"w\",\"offset\":64}},{\"key\":\"u\"}],"
#define ARG(key, way) "{\"buffer\":\"" key "\",\"dispatch\":\"" way "\"}"
#define VIEW(key, way, view)                                                   \
    "{\"buffer\":\"" key "\",\"dispatch\":\"" way "\",\"view\":{" view "}}"
#define TASK(id, args) "{\"id\":" id ",\"args\":[" args "]}"
#define ROWS(n, at) "\"elem\":4,\"dims\":[[" n ",512," at "],[128,4,0]]"
#define COLS(n, at) "\"elem\":4,\"dims\":[[8,512,0],[" n ",4," at "]]"

typedef struct rule_case {
    const char *tasks;
    const char *conservative, *tensormap; /* "0-1 0?2": ? is not certain */
} rule_case;

static void edges_as_text(const oracle_document *d, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < d->edge_count; i++) {
        const oracle_edge *e = &d->edges[i];
        used +=
            (size_t)snprintf(out + used, size - used, "%s%d%c%d",
                             i > 0 ? " " : "", (int)d->tasks[e->from].id,
                             e->certain ? '-' : '?', (int)d->tasks[e->to].id);
    }
}

static void check_rules(const char *tasks, const char *rules, const char *want)
{
    text t = {0};
    add(&t, "%s", HEAD);
    add(&t, "\"rules\":\"%s\",\"tasks\":[", rules);
    t.data = realloc(t.data, t.size += strlen(tasks));
    assert_non_null(t.data);
    memcpy(t.data + t.length, tasks, strlen(tasks));
    t.length += strlen(tasks);
    add(&t, "]}");
    oracle_document d;
    oracle_error error;
    char got[256];
    read_text(&d, t.data, t.length);
    assert_int_equal(oracle_document_derive(&d, &error), ORACLE_OK);
    assert_int_equal(d.rules, ORACLE_RULES_NONE);
    assert_int_not_equal(d.derived, ORACLE_RULES_NONE);
    edges_as_text(&d, got, sizeof got);
    print_message("%s %s\n", rules, tasks);
    assert_string_equal(got, want);
    oracle_document_free(&d);
    free(t.data);
}

static void check_cases(const rule_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        check_rules(cases[i].tasks, "conservative", cases[i].conservative);
        check_rules(cases[i].tasks, "tensormap", cases[i].tensormap);
    }
}

/* clang-format off */
#define T0(args) TASK("0", args)
#define T1(args) "," TASK("1", args)
#define T2(args) "," TASK("2", args)
#define T3(args) "," TASK("3", args)
#define MANUAL(id, args) ",{\"id\":" id ",\"scope\":1,\"args\":[" args "]}"
#define WHEN(id, is, args)                                                     \
    "{\"id\":" id ",\"when\":[{\"choice\":0,\"is\":" is "}],\"args\":["        \
    args "]}"

static const rule_case whole_buffers[] = {
    /* read after write */
    {T0(ARG("x", "output_existing")) T1(ARG("x", "input")), "0-1", "0-1"},
    /* write after write only towards an inout */
    {T0(ARG("x", "output_existing")) T1(ARG("x", "output_existing"))
     T2(ARG("x", "inout")),
     "0-1 1-2", "0-2 1-2"},
    /* write after read: nobody's under tensormap */
    {T0(ARG("x", "input")) T1(ARG("x", "inout")), "0-1", ""},
    /* an inout takes the entries that it covers away */
    {T0(ARG("x", "output_existing")) T1(ARG("x", "inout"))
     T2(ARG("x", "input")),
     "0-1 1-2", "0-1 1-2"},
    /* a task does not meet itself */
    {T0(ARG("x", "inout") "," ARG("x", "input")), "", ""},
    /* an output registers nothing */
    {T0(ARG("x", "output")) T1(ARG("x", "input")), "0-1", ""},
    /* unknown size */
    {T0(ARG("u", "inout")) T1(ARG("u", "inout")) T2(ARG("u", "input")),
     "0-1 1-2", "0-1 1-2"},
};

static const rule_case opt_outs[] = {
    {T0(ARG("x", "inout")) MANUAL("1", ARG("x", "inout"))
     T2(ARG("x", "input")),
     "0-2", "0-2"},
    {T0(ARG("m", "inout")) T1(ARG("m", "inout")), "", ""},
    {T0(ARG("x", "inout"))
     T1("{\"buffer\":\"x\",\"dispatch\":\"inout\",\"manual_dep\":true}")
     T2(ARG("x", "no_dep")),
     "", ""},
    /* creator: also for no_dep, not for an output or a manual task */
    {T0("") T1(ARG("c", "no_dep")) T2(ARG("c", "output"))
     MANUAL("4", ARG("c", "inout")) T3(ARG("c", "output_existing")),
     "2-3", "0-1 0-3"},
    {T0("") "," TASK("7", "")
     T1("{\"buffer\":\"x\",\"dispatch\":\"input\",\"owner\":\"7\"}"),
     "", "7-1"},
};

static const rule_case views[] = {
    /* rows apart, rows shared */
    {T0(VIEW("x", "inout", ROWS("4", "0")))
     T1(VIEW("x", "inout", ROWS("4", "4")))
     T2(VIEW("x", "input", ROWS("2", "3"))),
     "0-2 1-2", "0-2 1-2"},
    /* columns apart: the exact test */
    {T0(VIEW("x", "inout", COLS("8", "0")))
     T1(VIEW("x", "input", COLS("8", "8")))
     T2(VIEW("x", "input", COLS("8", "4"))),
     "0-2", "0-2"},
    /* even and odd elements: the runtime cannot tell */
    {T0(VIEW("x", "inout", "\"elem\":4,\"dims\":[[8,8,0]]"))
     T1(VIEW("x", "input", "\"elem\":4,\"base\":4,\"dims\":[[8,8,0]]")),
     "", "0-1"},
    /* same bytes, other element size: the runtime misses it */
    {T0(VIEW("x", "inout", "\"elem\":4,\"base\":512,\"dims\":[[8,4,0]]"))
     T1(VIEW("x", "input", "\"elem\":2,\"base\":512,\"dims\":[[8,2,0]]")),
     "0-1", ""},
    /* a partial inout leaves the entry, a full one takes it */
    {T0(VIEW("x", "inout", ROWS("4", "0")))
     T1(VIEW("x", "inout", ROWS("2", "0")))
     T2(VIEW("x", "inout", ROWS("4", "0")))
     T3(VIEW("x", "input", ROWS("4", "0"))),
     "0-1 0-2 1-2 2-3", "0-1 0-2 1-2 2-3"},
    /* empty */
    {T0(VIEW("x", "inout", ROWS("4", "0")))
     T1(VIEW("x", "input", ROWS("0", "0"))),
     "", ""},
    /* an alias is one storage; what may alias is not certain */
    {T0(ARG("a", "inout"))
     T1(VIEW("w", "input", "\"elem\":4,\"base\":124,\"dims\":[[1,4,0]]"))
     T2(ARG("y", "input")),
     "0-1 0?2", "0-1"},
};

#define SYM(s) "{\"t\":[[1,\"" s "\"]]}"
#define SUM "{\"t\":[[1,\"i\"],[1,\"d\"]]}"

static const rule_case symbols[] = {
    /* one row, and one that is at least one later */
    {T0(VIEW("x", "inout", ROWS("1", SYM("i"))))
     T1(VIEW("x", "inout", ROWS("1", SUM))),
     "", ""},
    /* the same row always */
    {T0(VIEW("x", "inout", ROWS("1", SYM("i"))))
     T1(VIEW("x", "input", ROWS("1", SYM("i")))),
     "0-1", "0-1"},
    /* the same row for some i, or for some unknown r */
    {T0(VIEW("x", "inout", ROWS("1", SYM("i"))))
     T1(VIEW("x", "input", ROWS("1", "3")))
     T2(VIEW("x", "input", ROWS("1", SYM("r")))),
     "0?1 0?2", "0?1 0?2"},
    /* rows 0 to 7 always hold row i */
    {T0(VIEW("x", "inout", ROWS("1", SYM("i"))))
     T1(VIEW("x", "input", ROWS("8", "0"))),
     "0-1", "0-1"},
};

static const rule_case conditions[] = {
    /* what may not be submitted takes no entry away */
    {T0(ARG("x", "inout")) "," WHEN("1", "true", ARG("x", "inout"))
     T2(ARG("x", "input")),
     "0-1 0-2 1-2", "0-1 0-2 1-2"},
    /* two branches never meet */
    {WHEN("0", "false", ARG("x", "inout")) ","
     WHEN("1", "true", ARG("x", "inout")),
     "", ""},
};
/* clang-format on */

#define CHECK(cases) check_cases(cases, sizeof cases / sizeof *cases)

static void test_whole_buffers(void **state)
{
    (void)state;
    CHECK(whole_buffers);
}

static void test_opt_outs(void **state)
{
    (void)state;
    CHECK(opt_outs);
}

static void test_views(void **state)
{
    (void)state;
    CHECK(views);
}

static void test_symbols(void **state)
{
    (void)state;
    CHECK(symbols);
}

static void test_conditions(void **state)
{
    (void)state;
    CHECK(conditions);
}

static void test_recorded_edges_stay(void **state)
{
    (void)state;
    static const char graph[] =
        "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"tensormap\","
        "\"buffers\":[{\"key\":\"x\",\"bytes\":64}],\"tasks\":[" TASK(
            "0",
            ARG("x",
                "inout")) "," TASK("1",
                                   ARG("x",
                                       "inout")) "],"
                                                 "\"edges\":[{\"from\":1,"
                                                 "\"to\":0,\"source\":"
                                                 "\"recorded\"},{\"from\":"
                                                 "0,\"to\":1,\"source\":"
                                                 "\"recorded\"},{\"from\":0,"
                                                 "\"to\":1,"
                                                 "\"source\":\"automatic\","
                                                 "\"certain\":false}]}";
    oracle_document d;
    oracle_error error;
    char got[64];
    read_text(&d, graph, sizeof graph - 1);
    assert_int_equal(oracle_document_derive(&d, &error), ORACLE_OK);
    edges_as_text(&d, got, sizeof got);
    assert_string_equal(got, "0-1 0-1 1-0");
    assert_int_equal(d.edges[0].source, ORACLE_AUTOMATIC);
    assert_int_equal(d.edges[1].source, ORACLE_RECORDED);
    oracle_document_free(&d);
}

/* --- Random graphs --- */

#define TASKS 40

static uint64_t next(uint64_t *random)
{
    *random += 0x9e3779b97f4a7c15u;
    uint64_t z = *random;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int pick(uint64_t *random, int count)
{
    return (int)(next(random) % (uint64_t)count);
}

static void random_arg(text *t, uint64_t *random)
{
    static const char *const ways[] = {"input", "output_existing", "inout",
                                       "inout", "input",           "output"};
    int rows = 1 + pick(random, 4);
    int cols = 1 + pick(random, 8);
    add(t, "{\"buffer\":\"%s\",\"dispatch\":\"%s\"",
        pick(random, 2) == 0 ? "x" : "y", ways[pick(random, 6)]);
    if (pick(random, 8) > 0) {
        add(t, ",\"view\":{\"elem\":4,\"dims\":[[%d,32,%d],[%d,4,%d]]}", rows,
            pick(random, 9 - rows), cols, pick(random, 9 - cols));
    }
    add(t, "}");
}

static void random_graph(text *t, uint64_t *random)
{
    t->length = 0;
    add(t, "{\"kind\":\"task_graph\",\"version\":1,\"buffers\":[{\"key\":"
           "\"x\",\"bytes\":256},{\"key\":\"y\",\"bytes\":256}],\"tasks\":[");
    for (int i = 0; i < TASKS; i++) {
        add(t, "%s{\"id\":%d,\"args\":[", i > 0 ? "," : "", i);
        for (int k = 0, n = 1 + pick(random, 3); k < n; k++) {
            add(t, "%s", k > 0 ? "," : "");
            random_arg(t, random);
        }
        add(t, "]}");
    }
    add(t, "]}");
}

static void derive(oracle_document *d, oracle_rules rules)
{
    oracle_error error;
    d->rules = rules;
    d->edge_count = 0;
    assert_int_equal(oracle_document_derive(d, &error), ORACLE_OK);
    for (uint32_t i = 1; i < d->edge_count; i++) {
        const oracle_edge *e = &d->edges[i];
        assert_true(e[-1].from < e->from ||
                    (e[-1].from == e->from && e[-1].to < e->to));
    }
}

static bool reads(const oracle_arg *a)
{
    return a->dispatch == ORACLE_INPUT || a->dispatch == ORACLE_INOUT;
}

static bool writes(const oracle_arg *a)
{
    return a->dispatch != ORACLE_INPUT;
}

static bool in_conflict(const oracle_document *d, uint32_t i, uint32_t j)
{
    for (uint32_t p = 0; p < d->tasks[i].args; p++) {
        const oracle_arg *a = &d->args[d->tasks[i].first_arg + p];
        for (uint32_t q = 0; q < d->tasks[j].args; q++) {
            const oracle_arg *b = &d->args[d->tasks[j].first_arg + q];
            if ((writes(a) || writes(b)) &&
                oracle_places_meet(d, oracle_access_place(a, NULL),
                                   oracle_access_place(b, NULL)) !=
                    ORACLE_MEET_NEVER) {
                return true;
            }
        }
    }
    return false;
}

static void test_conservative_orders_every_conflict(void **state)
{
    (void)state;
    text t = {0};
    uint64_t random = 11;
    for (int round = 0; round < 300; round++) {
        static bool path[TASKS][TASKS];
        oracle_document d;
        random_graph(&t, &random);
        read_text(&d, t.data, t.length);
        derive(&d, ORACLE_RULES_CONSERVATIVE);
        memset(path, 0, sizeof path);
        for (uint32_t i = d.edge_count; i-- > 0;) {
            const oracle_edge *e = &d.edges[i];
            assert_true(e->certain && in_conflict(&d, e->from, e->to));
            path[e->from][e->to] = true;
            for (uint32_t k = 0; k < TASKS; k++) {
                path[e->from][k] |= path[e->to][k];
            }
        }
        for (uint32_t i = 0; i < TASKS; i++) {
            for (uint32_t j = i + 1; j < TASKS; j++) {
                assert_true(path[i][j] || !in_conflict(&d, i, j));
            }
        }
        oracle_document_free(&d);
    }
    free(t.data);
}

/* Rules 4 to 6 with a plain list of entries. */
static void plain_tensormap(const oracle_document *d, bool edge[TASKS][TASKS])
{
    static bool live[4 * TASKS];
    static uint32_t owner[4 * TASKS];
    memset(live, 0, sizeof live);
    memset(edge, 0, sizeof(bool[TASKS][TASKS]));
    for (uint32_t i = 0; i < d->task_count; i++) {
        const oracle_task *task = &d->tasks[i];
        uint32_t end = task->first_arg + task->args;
        for (uint32_t a = task->first_arg; a < end; a++) {
            for (uint32_t e = 0; e < task->first_arg; e++) {
                const oracle_arg *x = &d->args[a];
                const oracle_arg *y = &d->args[e];
                if (!live[e] || !reads(x) || x->buffer != y->buffer) {
                    continue;
                }
                oracle_overlap overlap = oracle_tensor_overlap(d, x, y);
                edge[owner[e]][i] |= overlap.relation != ORACLE_RELATION_NEVER;
                live[e] = !(overlap.covers && x->dispatch == ORACLE_INOUT);
            }
        }
        for (uint32_t a = task->first_arg; a < end; a++) {
            owner[a] = i;
            live[a] = d->args[a].dispatch == ORACLE_INOUT ||
                      d->args[a].dispatch == ORACLE_OUTPUT_EXISTING;
        }
    }
}

static void test_tensormap_is_the_plain_list(void **state)
{
    (void)state;
    text t = {0};
    uint64_t random = 12;
    for (int round = 0; round < 300; round++) {
        static bool edge[TASKS][TASKS];
        oracle_document d;
        uint32_t count = 0;
        random_graph(&t, &random);
        read_text(&d, t.data, t.length);
        derive(&d, ORACLE_RULES_TENSORMAP);
        plain_tensormap(&d, edge);
        for (uint32_t i = 0; i < d.edge_count; i++) {
            assert_true(edge[d.edges[i].from][d.edges[i].to]);
        }
        for (uint32_t i = 0; i < TASKS * TASKS; i++) {
            count += edge[i / TASKS][i % TASKS];
        }
        assert_int_equal(count, d.edge_count);
        oracle_document_free(&d);
    }
    free(t.data);
}

/* Many entries of one buffer: the levels of the interval index. */
static void test_many_rows(void **state)
{
    (void)state;
    enum { ROWS_OF_IT = 3000 };
    text t = {0};
    add(&t,
        "{\"kind\":\"task_graph\",\"version\":1,\"buffers\":[{\"key\":"
        "\"x\",\"bytes\":%d}],\"tasks\":[",
        ROWS_OF_IT * 16);
    for (int i = 0; i < 3 * ROWS_OF_IT; i++) {
        /* all rows written, in an order of leaps, twice, then read */
        int row = (int)((int64_t)i * 1009 % ROWS_OF_IT);
        add(&t,
            "%s{\"id\":%d,\"args\":[{\"buffer\":\"x\",\"dispatch\":\"%s\","
            "\"view\":{\"elem\":4,\"dims\":[[1,16,%d],[4,4,0]]}}]}",
            i > 0 ? "," : "", i, i < 2 * ROWS_OF_IT ? "inout" : "input", row);
    }
    add(&t, "]}");
    for (int rules = 1; rules < 3; rules++) {
        oracle_document d;
        read_text(&d, t.data, t.length);
        derive(&d, (oracle_rules)rules);
        assert_int_equal(d.edge_count, 2 * ROWS_OF_IT);
        for (uint32_t i = 0; i < d.edge_count; i++) {
            assert_int_equal(d.edges[i].to, d.edges[i].from + ROWS_OF_IT);
        }
        oracle_document_free(&d);
    }
    free(t.data);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_whole_buffers),
    cmocka_unit_test(test_opt_outs),
    cmocka_unit_test(test_views),
    cmocka_unit_test(test_symbols),
    cmocka_unit_test(test_conditions),
    cmocka_unit_test(test_recorded_edges_stay),
    cmocka_unit_test(test_conservative_orders_every_conflict),
    cmocka_unit_test(test_tensormap_is_the_plain_list),
    cmocka_unit_test(test_many_rows),
};

TEST_MAIN(tests)
