/* 100,000 plans, about which the twin, the judge and the simulator agree. */
#include "../../scripts/testing/harness.h"
#include "voices/voices.h"

static void three_voices_agree(void **state)
{
    voices all = {0};
    (void)state;
    voices_ask(&all, 7, 0, 100000);
    voices_print(&all);
    assert_int_equal(all.plans, 100000);
    assert_int_equal(all.contradictions, 0);
    assert_true(all.right > 40000 && all.broken > 40000);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(three_voices_agree),
};

TEST_MAIN(tests)
