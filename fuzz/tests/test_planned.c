/* Cases of the planned kinds, as names and numbers: what comes of them when
 * they are planned and judged is in cli/tests/test_fuzz_planned.c. */
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "fuzz/case.h"
#include "judged.h"

#define COUNT 10000

static const fuzz_limits limits = {.tasks = 256};
static const fuzz_kind kinds[] = {FUZZ_SCORE, FUZZ_IR, FUZZ_MEMORY};
#define KINDS (sizeof kinds / sizeof *kinds)

static void make(fuzz_case *c, fuzz_kind kind, uint64_t index)
{
    fuzz_name name = {.seed = 3, .stream = (uint32_t)kind, .index = index};
    assert_int_equal(fuzz_case_make(c, &name, &limits), FUZZ_OK);
}

static void same_name_same_bytes(void **state)
{
    (void)state;
    check_same_bytes(
        FUZZ_SCORE, 300,
        "9790e3f979961787badf66eb2d018d42ead9772bb5c99932c00b7122b2d3e526");
    check_same_bytes(
        FUZZ_IR, 300,
        "9393fe92beefdf29d2125b4c5844fb8ebd198fc22f6cb4575d17459fe22acab3");
    check_same_bytes(
        FUZZ_MEMORY, 300,
        "b69e78301e9545109ce88278d0c888a33515f2dc5f8afc08e3dfbbba4fd5e04d");
}

static int ascending(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void shares_and_sizes(void **state)
{
    (void)state;
    static uint32_t tasks[COUNT];
    fuzz_case c = {0};
    for (size_t k = 0; k < KINDS; k++) {
        uint32_t whole = 0;
        for (uint32_t i = 0; i < COUNT; i++) {
            make(&c, kinds[k], i);
            assert_non_null(c.shape);
            assert_non_null(c.ask);
            bool told = c.expect_count > 0 || c.expected.length > 0 || c.open;
            assert_true(c.fault == NULL ? c.expect_count == 0 : told);
            whole += c.fault == NULL && !c.open;
            tasks[i] = c.tasks;
        }
        qsort(tasks, COUNT, sizeof *tasks, ascending);
        assert_in_range(whole, COUNT * 6 / 10, COUNT * 8 / 10);
        assert_in_range(tasks[COUNT / 2], 16, 64);
    }
    fuzz_case_free(&c);
}

static void a_limit_is_kept(void **state)
{
    (void)state;
    fuzz_case c = {0};
    for (size_t k = 0; k < KINDS; k++) {
        for (uint32_t i = 0; i < 300; i++) {
            fuzz_name name = {.stream = (uint32_t)kinds[k], .index = i};
            fuzz_limits small = {.tasks = 2};
            assert_int_equal(fuzz_case_make(&c, &name, &small), FUZZ_OK);
            assert_in_range(c.tasks, 0, 2);
        }
    }
    fuzz_case_free(&c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(same_name_same_bytes),
    cmocka_unit_test(shares_and_sizes),
    cmocka_unit_test(a_limit_is_kept),
};
TEST_MAIN(tests)
