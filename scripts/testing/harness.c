#include "harness.h"

#include <stdio.h>
#include <string.h>

static int run_group(const struct CMUnitTest *tests, size_t count)
{
    return _cmocka_run_group_tests("cases", tests, count, NULL, NULL) != 0;
}

int test_main(int argc, char **argv, const struct CMUnitTest *tests,
              size_t count)
{
    if (argc < 2)
        return run_group(tests, count);
    if (strcmp(argv[1], "--list") == 0) {
        for (size_t i = 0; i < count; i++)
            puts(tests[i].name);
        return 0;
    }
    for (size_t i = 0; i < count; i++)
        if (strcmp(argv[1], tests[i].name) == 0)
            return run_group(&tests[i], 1);
    fprintf(stderr, "%s: no case named %s\n", argv[0], argv[1]);
    return 2;
}
