/*
 * The twin, the judge and the simulator agree on small plans; long_voices.c
 * asks about 100,000.
 */
#include "../../scripts/testing/harness.h"
#include "voices/voices.h"

static void three_voices_agree(void **state)
{
    voices all = {0};
    (void)state;
    voices_ask(&all, 1, 0, 6000);
    voices_print(&all);
    assert_int_equal(all.contradictions, 0);
    assert_true(all.twin_wrong > all.plans / 4);
    assert_true(all.right > all.plans / 3);
    assert_true(all.broken > all.plans / 3 && all.open > 0);
    assert_true(all.reuse > all.plans / 10 && all.overlaps > 0);
    assert_true(all.predicates > all.plans / 20 && all.mix > all.plans / 4);
    assert_true(all.partial > all.plans / 4 && all.strided > 0);
    assert_true(all.optional > all.plans / 20 && all.choices > 0);
    assert_true(all.aliases > 0 && all.symbols > 0 && all.bounds > 0);
    assert_true(all.united > all.plans / 12 && all.united_wrong > 0);
    assert_true(all.accumulations > 0 && all.derived > 0 && all.cyclic > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(three_voices_agree),
};

TEST_MAIN(tests)
