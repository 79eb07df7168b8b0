/* What test_run_tests runs the runner on: one case of each way to end. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"

static void passes(void **state)
{
    (void)state;
}

static void fails(void **state)
{
    (void)state;
    assert_int_equal(1, 2);
}

static void writes_null(void **state)
{
    (void)state;
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}

static void overruns(void **state)
{
    (void)state;
    volatile char *bytes = malloc(8);
    volatile size_t end = 8;
    bytes[end] = 1;
    free((void *)bytes);
    abort(); /* without a sanitizer the overrun is not seen */
}

static void hangs(void **state)
{
    (void)state;
    for (;;)
        pause();
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(passes),      cmocka_unit_test(fails),
    cmocka_unit_test(writes_null), cmocka_unit_test(overruns),
    cmocka_unit_test(hangs),
};

TEST_MAIN(tests)
