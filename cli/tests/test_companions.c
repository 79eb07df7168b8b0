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

/* --- Single changes in the companions of a program with loops --- */

#define LOOPS "corpus/programs/with_loop_companions/"
#define NIGHT "orchestration/night.cpp"

static const struct change {
    const char *file, *from, *to;
} changes[] = {
    {NIGHT, "lamp > -1", "lamp > 0"},
    {NIGHT, "lamp += -1", "lamp += -2"},
    {NIGHT, "turn < 2", "turn < 3"},
    {NIGHT, "lamp = 2; lamp > -1; lamp += -1", "lamp = 0; lamp < 3; lamp += 1"},
    {NIGHT, "(lamp == 2)", "(lamp == 1)"},
    {NIGHT, "(lamp == 2)", "(lamp != 2)"},
    {NIGHT, "((lamp * 2) + turn)", "((lamp * 2) - turn)"},
    {NIGHT, "row = (at * 8)", "row = (at * 16)"},
    {NIGHT, "watch[at] = tid;", "watch[lamp] = tid;"},
    {NIGHT, "dusk__phi_v3 = fence;", "dusk__phi_v3 = dusk;"},
    {NIGHT, "dusk__phi_v3 = dusk;", "dusk__phi_v3 = watch[5];"},
    {NIGHT, "                dusk = dusk__phi_v3;\n", ""},
    {NIGHT, "params_t0.add_input(ext_sea)", "params_t0.add_input(ext_book)"},
    {NIGHT, "params_t0.add_inout(beam)", "params_t0.add_output(beam)"},
    {NIGHT, "params_t1.add_input(beam)", "params_t1.add_input(ext_sea)"},
    {"exporter.json", "\"op\":\"Mul\",\"l\":{\"k\":\"var\",\"id\":7010",
     "\"op\":\"Add\",\"l\":{\"k\":\"var\",\"id\":7010"},
};

/* The file with its only `from` replaced. */
static char *change_file(const char *path, const char *from, const char *to)
{
    static char text[65536];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    assert_true(length < sizeof text - 1);
    fclose(file);
    text[length] = '\0';
    const char *at = strstr(text, from);
    if (at == NULL || strstr(at + 1, from) != NULL)
        fail_msg("'%s' is not once in %s", from, path);
    size_t size = strlen(text) + strlen(to) + 1;
    char *changed = malloc(size);
    assert_non_null(changed);
    snprintf(changed, size, "%.*s%s%s", (int)(at - text), text, to,
             at + strlen(from));
    return changed;
}

static void each_change_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const struct change *c = &changes[i];
        char source[200];
        snprintf(source, sizeof source, LOOPS "%s", c->file);
        char *changed = change_file(source, c->from, c->to);
        char *folder = tool_folder();
        tool_copy(folder, "passes_dump/43_after_Simplify.py",
                  LOOPS "passes_dump/43_after_Simplify.py");
        tool_write(folder, c->file, changed);
        tool_result result;
        tool_run(&result, NULL, "run", folder, NULL);
        if (result.status != 1 ||
            strstr(result.out, "error diff.frontend: ") == NULL)
            fail_msg("'%s' for '%s': %d, %s", c->to, c->from, result.status,
                     result.out);
        tool_free(&result);
        tool_remove(folder);
        free(changed);
    }
}

/* Where a distributed program has its code. */
static void next_levels(void **state)
{
    (void)state;
    char *changed =
        change_file(LOOPS NIGHT, "watch[at] = tid;", "watch[lamp] = tid;");
    char *folder = tool_folder();
    tool_copy(folder, "passes_dump/43_after_Simplify.py",
              LOOPS "passes_dump/43_after_Simplify.py");
    tool_write(folder, "exporter.json", "{}");
    tool_write(folder, "next_levels/night/" NIGHT, changed);
    tool_result result;
    tool_run(&result, NULL, "run", "--json", folder, NULL);
    assert_int_equal(result.status, 1);
    assert_int_equal(tool_number(result.out, "compared"), 1);
    assert_int_equal(tool_number(result.out, "left_out"), 1);
    tool_free(&result);
    tool_remove(folder);
    free(changed);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(not_utf8),
    cmocka_unit_test(no_file),
    cmocka_unit_test(fifo),
    cmocka_unit_test(empty),
    cmocka_unit_test(each_change_is_found),
    cmocka_unit_test(next_levels),
};

TEST_MAIN(tests)
