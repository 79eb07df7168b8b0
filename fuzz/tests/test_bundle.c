#include <string.h>

#include "../../scripts/testing/harness.h"
#include "judged.h"

static void same_name_same_bytes(void **state)
{
    (void)state;
    check_same_bytes(
        FUZZ_BUNDLE, 200,
        "56406c8205f4db8f7b78835f9e7092a9b5f0d541e8a6004d1a18018a219a0edd");
}

/* What bundles have to raise. */
static const char *const rules[] = {
    "doc.syntax",
    "doc.schema",
    "doc.range",
    "doc.unknown-field",
    "score.fingerprint",
    "policy.edges",
    "policy.fallback",
    "adapter.lost-fact",
    "handle.contract-version",
    "handle.func-id",
    "handle.func-missing",
    "handle.func-unreferenced",
    "handle.binding-argument",
    "handle.binding-key",
    "handle.binding-direction",
    "handle.binding-missing",
    "hbg.metadata",
    "hbg.task",
    "hbg.args",
    "hbg.scalar-lost",
    "hbg.edges",
    "memory.overlap",
    "memory.parallel-reuse",
    "memory.external",
    "memory.alias-split",
    "memory.bounds",
    "memory.missing",
    "memory.peak",
    "memory.alignment",
    "memory.unknown-size",
    "memory.interleaved",
    "memory.waste",
};

/* Right ones have no error, broken ones what they were broken for. */
static void kept_promises(void **state)
{
    (void)state;
    judged all;
    judge_cases(&all, FUZZ_BUNDLE, 1, 3000);
    assert_int_equal(all.wrong, 0);
    assert_true(10 * all.valid >= 6 * all.cases);
    assert_true(all.median >= 16);
    check_rules(&all, rules, sizeof rules / sizeof *rules);
}

static bool expects(const fuzz_case *c, const char *rule)
{
    for (uint32_t i = 0; i < c->expect_count; i++)
        if (strcmp(c->expects[i], rule) == 0)
            return true;
    return false;
}

/* Two neighbours with one fingerprint, and two meanings or one. */
static void one_fingerprint(void **state)
{
    static const fuzz_limits limits = {.tasks = 256};
    fuzz_case c = {0};
    uint32_t found[2] = {0};
    (void)state;
    for (uint64_t i = 0; i < 1000; i += 2) {
        oracle_judgement judgement[2];
        fuzz_name name = {.seed = 1, .stream = FUZZ_BUNDLE, .index = i};
        for (uint32_t k = 0; k < 2; k++, name.index++) {
            assert_int_equal(fuzz_case_make(&c, &name, &limits), FUZZ_OK);
            judge_case(&judgement[k], &c);
            assert_true(k == 1 || !c.second);
        }
        if (c.second) {
            bool two = strcmp(judgement[0].meaning, judgement[1].meaning) != 0;
            found[two]++;
            assert_int_not_equal(judgement[0].meaning[0], 0);
            assert_string_equal(judgement[0].fingerprint,
                                judgement[1].fingerprint);
            assert_int_equal(two, expects(&c, "score.identity"));
        }
        oracle_judgement_free(&judgement[0]);
        oracle_judgement_free(&judgement[1]);
    }
    assert_true(found[0] > 2 && found[1] > 2);
    fuzz_case_free(&c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(same_name_same_bytes),
    cmocka_unit_test(kept_promises),
    cmocka_unit_test(one_fingerprint),
};
TEST_MAIN(tests)
