/* 2,000 changes of right plans; long_kill.c makes 120,000. */
#include "../../scripts/testing/harness.h"

#include "plans.h"

static void broken_plans_are_told(void **state)
{
    (void)state;
    assert_true(plan_kill(81, 2000));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(broken_plans_are_told),
};

TEST_MAIN(tests)
