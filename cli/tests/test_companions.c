/*
 * Files beside a dump that are there and cannot be read: each is a warning of
 * diff.frontend, never silence, and none is waited for.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../scripts/testing/harness.h"
#include "tool.h"

#define CODE "orchestration/main.cpp"

static char *make_program(void)
{
    char *folder = tool_folder();
    tool_copy(folder, "chain.py", "corpus/programs/chain.py");
    return folder;
}

/* One warning, with these words; the folder is deleted. */
static void expect_warning(char *folder, const char *words)
{
    tool_result result;
    tool_run(&result, NULL, "run", folder, NULL);
    if (result.status != 0 || strstr(result.out, words) == NULL)
        fail_msg("status %d, not found: %s\n%s%s", result.status, words,
                 result.out, result.error);
    tool_free(&result);
    tool_run(&result, NULL, "run", "--json", folder, NULL);
    assert_int_equal(result.status, 0);
    assert_int_equal(tool_number(result.out, "warning"), 1);
    assert_int_equal(tool_number(result.out, "compared"), 0);
    assert_int_equal(tool_number(result.out, "left_out"), 1);
    tool_free(&result);
    tool_remove(folder);
}

static void not_utf8(void **state)
{
    (void)state;
    char *folder = make_program();
    tool_write(folder, CODE, "// caf\xe9\nvoid f();\n");
    expect_warning(folder, "main.cpp cannot be compared: it has a byte 0xe9, "
                           "not UTF-8 text, in line 1");
    folder = make_program();
    tool_write(folder, "exporter.json", "{\"schema\":\n\"\xff\"}");
    expect_warning(folder, "exporter.json cannot be compared: it has a byte "
                           "0xff, not UTF-8 text, in line 2");
}

static void no_file(void **state)
{
    (void)state;
    char *folder = make_program();
    assert_int_equal(mkdir(tool_path(folder, "exporter.json"), 0777), 0);
    expect_warning(folder, "exporter.json cannot be compared: it is a folder");
    folder = make_program();
    tool_write(folder, "orchestration", "no folder");
    expect_warning(folder, "orchestration cannot be compared: it cannot be "
                           "opened: Not a directory");
    folder = make_program();
    assert_int_equal(mkdir(tool_path(folder, "orchestration"), 0777), 0);
    assert_int_equal(symlink("nowhere", tool_path(folder, CODE)), 0);
    expect_warning(folder, "main.cpp cannot be compared: it cannot be opened: "
                           "No such file");
}

static void fifo(void **state)
{
    (void)state;
    char *folder = make_program();
    assert_int_equal(mkdir(tool_path(folder, "orchestration"), 0777), 0);
    assert_int_equal(mkfifo(tool_path(folder, CODE), 0666), 0);
    expect_warning(folder, "main.cpp cannot be compared: it is a FIFO");
}

/* Nothing beside it is no warning. */
static void empty(void **state)
{
    (void)state;
    char *folder = make_program();
    tool_write(folder, CODE, "");
    expect_warning(folder, "main.cpp cannot be compared: it has no");
    folder = make_program();
    tool_expect(0, NULL, "run", "--fail-on", "warning", folder, NULL);
    tool_remove(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(not_utf8),
    cmocka_unit_test(no_file),
    cmocka_unit_test(fifo),
    cmocka_unit_test(empty),
};

TEST_MAIN(tests)
