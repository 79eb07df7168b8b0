/* The adversarial set against trying everything, of many graphs. */
#include "agree.h"

#include "../../scripts/testing/harness.h"

static void try_many(uint64_t from, uint64_t to, uint32_t most)
{
    agree_counts counts = {0};
    agree_try(&counts, from, to, most);
    print_message(
        "%llu graphs, %llu wrong, %llu planned, %llu with bounds "
        "(%llu surely wrong reads, %llu of them told as open)\n",
        (unsigned long long)counts.graphs, (unsigned long long)counts.wrong,
        (unsigned long long)counts.planned, (unsigned long long)counts.bounds,
        (unsigned long long)counts.sure, (unsigned long long)counts.open);
    assert_true(counts.graphs > (to - from) / 2);
}

static void small(void **state)
{
    (void)state;
    try_many(1000000, 1600000, 4);
}

static void larger(void **state)
{
    (void)state;
    try_many(2000000, 2200000, 6);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(small),
    cmocka_unit_test(larger),
};

TEST_MAIN(tests)
