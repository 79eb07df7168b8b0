/* 120,000 changes of right plans: what is broken is told, nothing else. */
#include "../../scripts/testing/harness.h"

#include "plans.h"

#define EACH 30000

static void one(void **state)
{
    (void)state;
    assert_true(plan_kill(91, EACH));
}

static void two(void **state)
{
    (void)state;
    assert_true(plan_kill(101, EACH));
}

static void three(void **state)
{
    (void)state;
    assert_true(plan_kill(111, EACH));
}

static void four(void **state)
{
    (void)state;
    assert_true(plan_kill(121, EACH));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(one),
    cmocka_unit_test(two),
    cmocka_unit_test(three),
    cmocka_unit_test(four),
};

TEST_MAIN(tests)
