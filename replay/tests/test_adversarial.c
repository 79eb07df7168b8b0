/* The adversarial set against trying everything (docs/replay.md, "Why 2n"). */
#include "agree.h"

#include "../../scripts/testing/harness.h"

static void agrees(void **state)
{
    (void)state;
    agree_counts counts = {0};
    agree_try(&counts, 0, 6000, 5);
    print_message(
        "%llu graphs, %llu wrong, %llu planned, %llu with bounds "
        "(%llu surely wrong reads, %llu of them told as open)\n",
        (unsigned long long)counts.graphs, (unsigned long long)counts.wrong,
        (unsigned long long)counts.planned, (unsigned long long)counts.bounds,
        (unsigned long long)counts.sure, (unsigned long long)counts.open);
    /* The graphs are what they are to be. */
    assert_true(counts.graphs > 5000);
    assert_in_range(counts.wrong, counts.graphs / 10, counts.graphs * 9 / 10);
    assert_true(counts.planned > 1000);
    assert_true(counts.bounds > 500);
    assert_true(counts.coins > 1000);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(agrees),
};

TEST_MAIN(tests)
