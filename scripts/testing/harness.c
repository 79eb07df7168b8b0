#include "harness.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool skipped;

static void skip_for(const char *what)
{
    printf("needs: %s\n", what);
    skipped = true;
    skip();
}

void test_needs(const char *path)
{
    if (access(path, R_OK) != 0)
        skip_for(path);
}

void test_needs_tool(const char *command)
{
    char line[256];
    snprintf(line, sizeof line, "%s >/dev/null 2>&1", command);
    if (system(line) != 0)
        skip_for(command);
}

static int run_group(const struct CMUnitTest *tests, size_t count)
{
    return _cmocka_run_group_tests("cases", tests, count, NULL, NULL) != 0;
}

static int run_one(const struct CMUnitTest *test)
{
    int status = run_group(test, 1);
    return status == 0 && skipped ? 77 : status;
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
            return run_one(&tests[i]);
    fprintf(stderr, "%s: no case named %s\n", argv[0], argv[1]);
    return 2;
}
