#include <string.h>

#include "../../scripts/testing/harness.h"
#include "judged.h"

static void same_name_same_bytes(void **state)
{
    (void)state;
    check_same_bytes(
        FUZZ_RECORD, 200,
        "c5b178be1fc8e0b36e65b738970ffc6dc0deb30bdf96fd456e0c931b9a21bcf9");
}

/* What records and plans as CSV have to raise. */
static const char *const rules[] = {
    "doc.syntax",        "doc.schema",      "doc.range",
    "doc.unknown-field", "doc.unsupported", "doc.incomplete",
    "runtime.lost-edge", "trace.order",     "trace.race",
    "hazard.raw",        "hazard.war",      "memory.overlap",
    "memory.bounds",     "memory.missing",  "memory.alignment",
    "memory.waste",
};

/* Right ones have no error, broken ones what they were broken for. */
static void kept_promises(void **state)
{
    (void)state;
    judged all;
    judge_cases(&all, FUZZ_RECORD, 1, 3000);
    assert_int_equal(all.wrong, 0);
    assert_true(10 * all.valid >= 6 * all.cases);
    assert_true(all.median >= 16);
    check_rules(&all, rules, sizeof rules / sizeof *rules);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(same_name_same_bytes),
    cmocka_unit_test(kept_promises),
};
TEST_MAIN(tests)
