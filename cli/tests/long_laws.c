/* The laws of memory plans on ten thousand generated graphs. */
#include "../../scripts/testing/harness.h"
#include "laws.h"

static void memory_of_generated_graphs(void **state)
{
    (void)state;
    laws_check_memory(100000, 10000);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(memory_of_generated_graphs),
};

TEST_MAIN(tests)
