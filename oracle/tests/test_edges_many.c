/* edge.redundant against its definition, and of many sites; edge.fan-in. */
#include "judged.h"

#include "../../scripts/testing/harness.h"

#include <stdlib.h>
#include <string.h>

/* Callees of 17 lines and more: the rest of the sites is one note. */
static void many_sites(void **state)
{
    growing t = {0};
    judged j;
    uint32_t notes = 0;
    bool rest = false;
    (void)state;
    growing_put(&t, "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"none\","
                    "\"buffers\":[],\"tasks\":[");
    for (int i = 0; i < 60; i += 3) {
        growing_put(
            &t,
            "%s{\"id\":%d,\"line\":%d,\"args\":[]},{\"id\":%d,\"line\":%d,"
            "\"deps\":[{\"task\":%d}],\"args\":[]},{\"id\":%d,\"line\":%d,"
            "\"deps\":[{\"task\":%d},{\"task\":%d}],\"args\":[]}",
            i == 0 ? "" : ",", i, i + 1, i + 1, i + 2, i, i + 2, i + 3, i,
            i + 1);
    }
    growing_put(&t, "]}");
    judged_text(&j, t.data, t.length);
    for (uint32_t i = 0; i < j.judgement.count; i++) {
        const oracle_finding *f = &j.judgement.findings[i];
        notes += strcmp(f->rule, "edge.redundant") == 0;
        rest |= strstr(f->message, "4 more deps between 4 pairs") != NULL &&
                strstr(f->json, "\"count\":4,") != NULL;
    }
    assert_int_equal(notes, 17);
    assert_true(rest);
    judged_free(&j);
    free(t.data);
}

/* --- Against the definition --- */

#define MOST 700

/* A graph as a matrix: 1 written, 2 planned, 4 automatic, 8 perhaps. */
typedef struct naive {
    uint32_t tasks;
    uint8_t edge[MOST][MOST];
    int8_t when[MOST]; /* -1: always */
} naive;

static bool joins(const naive *n, uint32_t a, uint32_t b)
{
    return (n->edge[a][b] & 7) != 0;
}

static bool between(const naive *n, uint32_t t, uint32_t a, uint32_t b)
{
    return n->when[t] < 0 || n->when[t] == n->when[a] ||
           n->when[t] == n->when[b];
}

/* Whether another path leads from a to b, by walking all of it. */
static bool implied(const naive *n, uint32_t a, uint32_t b)
{
    static bool seen[MOST];
    static uint32_t stack[MOST];
    uint32_t count = 0;
    memset(seen, 0, sizeof seen);
    for (uint32_t t = a + 1; t < b; t++) {
        if (joins(n, a, t) && between(n, t, a, b)) {
            seen[t] = true;
            stack[count++] = t;
        }
    }
    while (count > 0) {
        uint32_t t = stack[--count];
        if (joins(n, t, b)) {
            return true;
        }
        for (uint32_t u = t + 1; u < b; u++) {
            if (!seen[u] && joins(n, t, u) && between(n, u, a, b)) {
                seen[u] = true;
                stack[count++] = u;
            }
        }
    }
    return false;
}

static void make(naive *n, numbers *r, uint32_t tasks, uint32_t reach,
                 bool conditions)
{
    static const uint8_t sources[] = {1, 1, 1, 2, 2, 3, 4, 5, 8, 9};
    n->tasks = tasks;
    memset(n->edge, 0, sizeof n->edge);
    for (uint32_t t = 0; t < tasks; t++) {
        n->when[t] = (int8_t)(conditions && numbers_below(r, 4) == 0
                                  ? (int)numbers_below(r, 2)
                                  : -1);
        for (uint32_t k = numbers_below(r, 4); t > 0 && k > 0; k--) {
            uint32_t length = 1 + numbers_below(r, reach < t ? reach : t);
            n->edge[t - length][t] |= sources[numbers_below(r, sizeof sources)];
        }
    }
}

static void write_edge(growing *t, uint32_t a, uint32_t b, const char *source,
                       const char *more, bool *first)
{
    /* Ids leave gaps. */
    growing_put(t, "%s{\"from\":%u,\"to\":%u,\"source\":\"%s\"%s}",
                *first ? "" : ",", (unsigned)(3 * a), (unsigned)(3 * b), source,
                more);
    *first = false;
}

static void write_graph(growing *t, const naive *n)
{
    bool first = true;
    growing_put(
        t, "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"none\","
           "\"choices\":[{\"id\":4,\"kind\":\"if\",\"text\":\"n\",\"line\":3}],"
           "\"buffers\":[],\"tasks\":[");
    for (uint32_t b = 0; b < n->tasks; b++) {
        growing_put(t, "%s{\"id\":%u,\"args\":[]", b == 0 ? "" : ",",
                    (unsigned)(3 * b));
        if (n->when[b] >= 0) {
            growing_put(t, ",\"when\":[{\"choice\":4,\"is\":%s}]",
                        n->when[b] == 1 ? "true" : "false");
        }
        growing_put(t, ",\"deps\":[");
        bool none = true;
        for (uint32_t a = 0; a < b; a++) {
            if ((n->edge[a][b] & 1) != 0) {
                growing_put(t, "%s{\"task\":%u}", none ? "" : ",",
                            (unsigned)(3 * a));
                none = false;
            }
        }
        growing_put(t, "]}");
    }
    growing_put(t, "],\"edges\":[");
    for (uint32_t a = 0; a < n->tasks; a++) {
        for (uint32_t b = a + 1; b < n->tasks; b++) {
            uint8_t by = n->edge[a][b];
            if ((by & 2) != 0) {
                write_edge(t, a, b, "policy", "", &first);
            }
            if ((by & 4) != 0) {
                write_edge(t, a, b, "automatic", "", &first);
            }
            if ((by & 8) != 0) {
                write_edge(t, a, b, "automatic", ",\"certain\":false", &first);
            }
        }
    }
    growing_put(t, "]}");
}

static uint32_t count_of(const oracle_finding *f)
{
    const char *at = strstr(f->json, "\"count\":");
    return at == NULL ? 1 : (uint32_t)strtoul(at + 8, NULL, 10);
}

static void compare(const naive *n)
{
    uint32_t written = 0, planned = 0;
    growing t = {0};
    judged j;
    for (uint32_t a = 0; a < n->tasks; a++) {
        for (uint32_t b = a + 1; b < n->tasks; b++) {
            uint8_t by = n->edge[a][b];
            if ((by & 3) != 0 && (by & 12) == 0 && implied(n, a, b)) {
                written += by & 1;
                planned += (by & 1) == 0;
            }
        }
    }
    write_graph(&t, n);
    judged_text(&j, t.data, t.length);
    for (uint32_t i = 0; i < j.judgement.count; i++) {
        const oracle_finding *f = &j.judgement.findings[i];
        if (strcmp(f->rule, "edge.redundant") == 0) {
            bool policy = strstr(f->message, "of the policy") != NULL;
            assert_true(count_of(f) <= (policy ? planned : written));
            *(policy ? &planned : &written) -= count_of(f);
        }
    }
    if (written != 0 || planned != 0) {
        fail_msg("%u written and %u planned missed: %s", (unsigned)written,
                 (unsigned)planned, t.data);
    }
    judged_free(&j);
    free(t.data);
}

/* Counted as the definition counts: small graphs, and blocks and lengths. */
static void definition(void **state)
{
    static naive n;
    numbers r = {UINT64_C(20)};
    (void)state;
    for (uint32_t i = 0; i < 400; i++) {
        make(&n, &r, 2 + numbers_below(&r, 20), 8, i % 2 == 1);
        compare(&n);
    }
    for (uint32_t i = 0; i < 6; i++) {
        make(&n, &r, MOST - numbers_below(&r, 60), i < 3 ? 30 : MOST,
             i % 2 == 1);
        compare(&n);
    }
}

/* --- edge.fan-in --- */

/* `always` writers, `branch` more under a choice, and a reader of all. */
static void wide(growing *t, int always, int branch, const char *is)
{
    growing_put(
        t, "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"none\","
           "\"choices\":[{\"id\":4,\"kind\":\"if\",\"text\":\"n\",\"line\":3}],"
           "\"buffers\":[],\"tasks\":[");
    for (int i = 0; i < always + branch; i++) {
        growing_put(t, "{\"id\":%d,%s\"args\":[]},", i,
                    i < always                ? ""
                    : strcmp(is, "true") == 0 ? WHEN("true")
                                              : WHEN("false"));
    }
    growing_put(t, "{\"id\":1000,\"name\":\"sum\",\"args\":[],\"deps\":[");
    for (int i = 0; i < always + branch; i++) {
        growing_put(t, "%s{\"task\":%d}", i == 0 ? "" : ",", i);
    }
    growing_put(
        t, "]}],\"edges\":[{\"from\":0,\"to\":1000,\"source\":\"policy\"}]}");
}

static void fan_in(void **state)
{
    static const struct {
        int always, branch;
        const char *is, *part;
    } cases[] = {
        {128, 0, "true", NULL},
        {129, 0, "true", "let 1 dummy task join"},
        {255, 0, "true", "let 1 dummy task join"},
        {256, 0, "true", "let 2 dummy tasks join"},
        {100, 29, "true", "waits for 129 tasks"},
        {100, 29, "false", "waits for 129 tasks"},
        {129, 29, "false", "waits for 158 tasks"},
        {100, 28, "false", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        growing t = {0};
        wide(&t, cases[i].always, cases[i].branch, cases[i].is);
        judged_expect(t.data, "edge.fan-in", cases[i].part);
        free(t.data);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(many_sites),
    cmocka_unit_test(definition),
    cmocka_unit_test(fan_in),
};

TEST_MAIN(tests)
