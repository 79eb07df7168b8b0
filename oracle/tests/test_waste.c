/* memory.waste: what is alive together, and when. */
#include "judged.h"

#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- memory.waste --- */

#define PLACED(tasks, plan, peak)                                              \
    "{\"kind\":\"bundle\",\"version\":1,\"members\":[{\"role\":\"graph\","     \
    "\"document\":{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"none\","  \
    "\"buffers\":[{\"key\":\"a\",\"bytes\":8,\"external\":false},{\"key\":"    \
    "\"b\",\"bytes\":16,\"external\":false},"                                  \
    "{\"key\":\"v\",\"bytes\":4,\"external\":false,\"alias_of\":{\"key\":"     \
    "\"a\",\"offset\":4}},"                                                    \
    "{\"key\":\"u\",\"bytes\":null,\"external\":false}],\"tasks\":[" tasks     \
    "]}},{\"role\":"                                                           \
    "\"memory\",\"document\":{\"kind\":\"memory_plan\",\"version\":1,"         \
    "\"policy\":\"p\",\"allocations\":[" plan "],\"peak_memory\":" #peak       \
    "}}]}"
#define P(key, offset, size)                                                   \
    "{\"storage_key\":\"" key "\",\"offset\":" #offset ",\"size\":" #size "}"

static void waste(void **state)
{
    (void)state;
#define APART P("a", 0, 8) "," P("b", 8, 16)
#define ONE_BY_ONE                                                             \
    T(0, "", W("a"))                                                           \
    "," T(1, DEPS(DEP(0)), R("a")) "," T(2, DEPS(DEP(1)), W("b")) "," T(       \
        3, DEPS(DEP(2)), R("b"))
#define HANDED_ON                                                              \
    T(0, "", W("a"))                                                           \
    "," T(1, DEPS(DEP(0)), R("a") "," W("b")) "," T(2, DEPS(DEP(1)), R("b"))
#define BOTH                                                                   \
    T(0, "", W("a"))                                                           \
    "," T(1, DEPS(DEP(0)), W("b")) "," T(2, DEPS(DEP(1)), R("b") "," R("v"))
    judged_expect(
        PLACED(ONE_BY_ONE, APART, 24), "memory.waste",
        "takes 24 bytes, and at most 16 are alive together in program "
        "order, when task 2 \\\"k\\\" writes (1 buffer): up to 8");
    judged_expect(
        PLACED(ONE_BY_ONE, APART, 24), "memory.waste",
        "\"witness\":{\"alive\":[\"b\"],\"at\":2,\"bound\":16,\"peak\":24,"
        "\"writing\":true}");
    /* Inside a task reads come before writes. */
    judged_expect(PLACED(HANDED_ON, APART, 24), "memory.waste", "at most 16 ");
    /* The caller's is alive all the time, also where no task is. */
    judged_expect("{\"kind\":\"bundle\",\"version\":1,\"members\":[{\"role\":"
                  "\"graph\",\"document\":{\"kind\":\"task_graph\","
                  "\"version\":1,\"tasks\":[],\"buffers\":[{\"key\":\"a\","
                  "\"bytes\":1}]}},{\"role\":\"memory\",\"document\":{"
                  "\"version\":1,\"allocations\":[" P(
                      "a", 2, 0) "],\"peak_memory\":0}}]}",
                  "memory.waste", NULL);
    /* A view is its storage, once: nothing is wasted. */
    judged_expect(PLACED(BOTH, APART, 24), "memory.waste", NULL);
    judged_expect(PLACED(BOTH, APART "," P("v", 4, 4), 24), "memory.waste",
                  NULL);
    judged_expect(
        PLACED(ONE_BY_ONE "," T(4, "", W("u")), APART "," P("u", 24, 8), 32),
        "memory.waste", "(1 buffer, without 1 of unknown size)");
    /* Edges back: no legal order is program order. */
    judged_expect(
        PLACED(T(0, DEPS(DEP(1)), W("a")) "," T(1, "", W("b")), APART, 24),
        "memory.waste", NULL);
}

#define BUFFERS 5
#define STEPS 16

/* By step and buffer: 1 reads, 2 writes. Buffer 0 is the caller's, who has it
 */
typedef struct usage {
    uint32_t steps;
    int64_t bytes[BUFFERS];
    uint8_t touch[STEPS][BUFFERS];
} usage;

/* The sum of what is alive, at each half of each step. */
static int64_t naive_bound(const usage *u)
{
    int64_t most = 0;
    for (uint32_t at = 0; at < 2 * u->steps; at++) {
        int64_t sum = 0;
        for (uint32_t b = 0; b < BUFFERS; b++) {
            bool before = false, behind = false;
            for (uint32_t half = 0; half < 2 * u->steps; half++) {
                bool touched = (u->touch[half / 2][b] >> (half % 2) & 1) != 0;
                before |= touched && half <= at;
                behind |= touched && half >= at;
            }
            bool alive = b == 0 || (before && behind);
            sum += alive ? u->bytes[b] : 0;
        }
        most = sum > most ? sum : most;
    }
    return most;
}

static void write_usage(growing *t, const usage *u)
{
    int64_t offset = 0;
    growing_put(t,
                "{\"kind\":\"bundle\",\"version\":1,\"members\":[{\"role\":"
                "\"graph\",\"document\":{\"kind\":\"task_graph\",\"version\":1,"
                "\"rules\":\"none\",\"buffers\":[");
    for (uint32_t b = 0; b < BUFFERS; b++) {
        growing_put(t, "%s{\"key\":\"b%u\",\"bytes\":%d,\"external\":%s}",
                    b == 0 ? "" : ",", (unsigned)b, (int)u->bytes[b],
                    b == 0 ? "true" : "false");
    }
    growing_put(t, "],\"tasks\":[");
    for (uint32_t s = 0; s < u->steps; s++) {
        bool first = true;
        growing_put(t, "%s{\"id\":%u,\"deps\":[", s == 0 ? "" : ",",
                    (unsigned)s);
        if (s > 0) {
            growing_put(t, "{\"task\":%u}", (unsigned)s - 1);
        }
        growing_put(t, "],\"args\":[");
        for (uint32_t b = 0; b < BUFFERS; b++) {
            if (u->touch[s][b] != 0) {
                growing_put(
                    t,
                    "%s{\"buffer\":\"b%u\",\"dispatch\":\"inout\","
                    "\"access\":[{\"mode\":\"%s\",\"must\":true,\"exact\":"
                    "true}]}",
                    first ? "" : ",", (unsigned)b,
                    u->touch[s][b] == 1   ? "read"
                    : u->touch[s][b] == 2 ? "write"
                                          : "inout");
                first = false;
            }
        }
        growing_put(t, "]}");
    }
    growing_put(
        t, "]}},{\"role\":\"memory\",\"document\":{\"kind\":\"memory_plan\","
           "\"version\":1,\"policy\":\"p\",\"allocations\":[");
    for (uint32_t b = 0; b < BUFFERS; b++) {
        growing_put(t, "%s{\"storage_key\":\"b%u\",\"offset\":%d,\"size\":%d}",
                    b == 0 ? "" : ",", (unsigned)b, (int)offset,
                    (int)u->bytes[b]);
        offset += u->bytes[b];
    }
    growing_put(t, "],\"peak_memory\":%d}}]}", (int)offset);
}

static void bounds(void **state)
{
    numbers r = {UINT64_C(5)};
    uint32_t found = 0;
    (void)state;
    for (uint32_t i = 0; i < 500; i++) {
        usage u = {.steps = 1 + numbers_below(&r, STEPS)};
        int64_t all = 0;
        growing t = {0};
        judged j;
        char said[64];
        for (uint32_t b = 0; b < BUFFERS; b++) {
            u.bytes[b] = 1 + numbers_below(&r, 40);
            all += u.bytes[b];
            for (uint32_t s = 0; s < u.steps; s++) {
                u.touch[s][b] =
                    (uint8_t)(numbers_below(&r, 4) == 0 ? numbers_below(&r, 4)
                                                        : 0);
            }
        }
        int64_t bound = naive_bound(&u);
        write_usage(&t, &u);
        judged_text(&j, t.data, t.length);
        const oracle_finding *f = judged_only(&j, "memory.waste");
        snprintf(said, sizeof said, "\"bound\":%d,\"peak\":%d,", (int)bound,
                 (int)all);
        if ((f != NULL) != (bound > 0 && bound < all) ||
            (f != NULL && strstr(f->json, said) == NULL)) {
            fail_msg("%s is not said: %s", said, t.data);
        }
        found += f != NULL;
        judged_free(&j);
        free(t.data);
    }
    assert_true(found > 250);
}

#define FINDING(rule, witness)                                                 \
    "{\"rule\":\"" rule "\",\"witness\":{" witness "}}"

static void forged_bounds(void **state)
{
    (void)state;
    static const char plan[] = PLACED(ONE_BY_ONE, APART, 24);
#define ALIVE(list, at, bound, peak, writing)                                  \
    FINDING("memory.waste",                                                    \
            "\"alive\":[" list "],\"at\":" #at ",\"bound\":" #bound            \
            ",\"peak\":" #peak ",\"writing\":" writing)
    judged_accept(plan, ALIVE("\"b\"", 2, 16, 24, "true"), true);
    judged_accept(plan, ALIVE("\"b\"", 3, 16, 24, "false"), true);
    judged_accept(plan, ALIVE("\"b\"", 2, 16, 24, "false"), false);
    judged_accept(plan, ALIVE("\"a\",\"b\"", 2, 24, 24, "true"), false);
    judged_accept(plan, ALIVE("\"b\",\"b\"", 2, 32, 64, "true"), false);
    judged_accept(plan, ALIVE("\"b\"", 2, 16, 32, "true"), false);
    judged_accept(plan, ALIVE("\"b\"", 2, 8, 24, "true"), false);
    judged_accept(plan, ALIVE("\"c\"", 2, 16, 24, "true"), false);
    judged_accept(plan, ALIVE("\"b\"", 9, 16, 24, "true"), false);
    /* Program order is no legal order when a dep leads back, be it any. */
#define BACK(deps)                                                             \
    PLACED(T(0, "", W("a")) "," T(1, DEPS(deps), R("a")) "," T(                \
               2, DEPS(DEP(1)), W("b")) "," T(3, DEPS(DEP(2)), R("b")),        \
           APART, 24)
    judged_accept(BACK(DEP(0)), ALIVE("\"b\"", 2, 16, 24, "true"), true);
    judged_accept(BACK(DEP(3)), ALIVE("\"b\"", 2, 16, 24, "true"), false);
    judged_accept(BACK(DEP(0) "," DEP(3)), ALIVE("\"b\"", 2, 16, 24, "true"),
                  false);
    judged_accept(BACK(DEP(3) "," DEP(0)), ALIVE("\"b\"", 2, 16, 24, "true"),
                  false);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(waste),
    cmocka_unit_test(bounds),
    cmocka_unit_test(forged_bounds),
};

TEST_MAIN(tests)
