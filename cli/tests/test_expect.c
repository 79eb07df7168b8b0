#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../expect.h"

static void plain_paths(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"a/b", "a/b"},
        {"./a//b/", "a/b"},
        {"a/../b", "b"},
        {"../a", "../a"},
        {"../../a", "../../a"},
        {"a/../../b", "../b"},
        {"/a/../../b", "/b"},
        {"/", "/"},
        {"", "."},
        {".", "."},
        {"a/..", "."},
        {"..", ".."},
        {"../..", "../.."},
        {"..a/b", "..a/b"},
        {"a/..b", "a/..b"},
        {"/..", "/"},
        {"a/b/../..", "."},
        {"x..", "x.."},
        {"x../..", "."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *plain = cli_path_plain(cases[i][0]);
        assert_string_equal(plain, cases[i][1]);
        free(plain);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(plain_paths),
};

TEST_MAIN(tests)
