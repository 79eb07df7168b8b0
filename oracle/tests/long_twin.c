/*
 * All 4,227,600 forward graphs of up to 4 tasks over 2 external buffers; and
 * what the twin says by down-sets is what it says order by order.
 */
#include "../../scripts/testing/harness.h"

#include "forward.h"
#include "twin.h"

#include <stdio.h>

static void every_forward_graph(void **state)
{
    uint64_t graphs = 0, wrong = 0;
    (void)state;
    for (uint32_t n = 1; n <= 4; n++) {
        uint64_t count = forward_count(n);
        for (uint64_t number = 0; number < count; number++) {
            maker m;
            uint32_t errors;
            forward_make(&m, n, number, true);
            assert_true(forward_agree(&m, &errors));
            assert_int_equal(twin_orders(&m.document, NULL), errors > 0);
            wrong += errors > 0;
            graphs++;
        }
    }
    printf("%llu graphs, %llu wrong\n", (unsigned long long)graphs,
           (unsigned long long)wrong);
    assert_true(graphs == 4227600);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_forward_graph),
};

TEST_MAIN(tests)
