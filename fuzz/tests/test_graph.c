#include <string.h>

#include "../../scripts/testing/harness.h"
#include "judged.h"

static void same_name_same_bytes(void **state)
{
    (void)state;
    check_same_bytes(
        FUZZ_GRAPH, 200,
        "c40f0d58d3155b67c1dc67c40a1a29c884d928d128090631cc745b2bd8993211");
}

/* Right ones have no error, broken ones what they were broken for. */
static void kept_promises(void **state)
{
    (void)state;
    judged all;
    judge_cases(&all, FUZZ_GRAPH, 1, 1500);
    assert_int_equal(all.wrong, 0);
    assert_true(10 * all.valid >= 6 * all.cases);
    assert_true(all.median >= 16);
}

/* What task graphs have to raise. */
static const char *const rules[] = {
    "doc.syntax",         "doc.schema",
    "doc.range",          "doc.unknown-field",
    "graph.cycle",        "graph.edge-end",
    "graph.self-edge",    "graph.duplicate-edge",
    "graph.dead-dep",     "hazard.raw",
    "hazard.waw",         "hazard.war",
    "hazard.dead-write",  "hazard.uninitialised",
    "task.self-overlap",  "hazard.unknown-access",
    "task.block-race",    "predicate.stale",
    "predicate.form",     "host.stale-read",
    "direction.mismatch", "edge.fan-in",
    "edge.false",         "edge.kind",
    "edge.redundant",     "limit.tensors",
    "limit.scalars",      "limit.functions",
    "limit.externals",    "limit.scopes",
    "limit.dimensions",   "limit.blocks",
    "limit.sync-start",   "limit.ready",
    "limit.tasks",
};

static void every_rule(void **state)
{
    (void)state;
    judged all;
    judge_cases(&all, FUZZ_GRAPH, 2, 2500);
    assert_int_equal(all.wrong, 0);
    check_rules(&all, rules, sizeof rules / sizeof *rules);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(same_name_same_bytes),
    cmocka_unit_test(kept_promises),
    cmocka_unit_test(every_rule),
};
TEST_MAIN(tests)
