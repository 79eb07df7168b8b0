/* A run of fuzz that is killed is not lost. */
#include "../../scripts/testing/harness.h"
#include "kills.h"

static void coordinator(void **state)
{
    (void)state;
    kill_coordinator(5);
}

static void workers(void **state)
{
    (void)state;
    kill_workers(2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(coordinator),
    cmocka_unit_test(workers),
};

TEST_MAIN(tests)
