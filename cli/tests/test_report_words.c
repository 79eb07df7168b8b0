/* counterpoint report merge, gc and verify. */
#include <stdio.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "tool.h"

#define PROGRAMS "corpus/programs"

/* One run on each of two machines; joined twice, they are two runs. */
static void runs_are_merged(void **state)
{
    (void)state;
    tool_result r;
    char *folder = tool_folder();
    const char *all = tool_path(folder, "all.db");
    const char *a = tool_path(folder, "a.db");
    const char *b = tool_path(folder, "b.db");
    tool_expect(1, NULL, "run", PROGRAMS, "--db", a, "--quiet", NULL);
    tool_expect(0, NULL, "fuzz", "--cases", "64", "--db", b, "--quiet", NULL);
    tool_run(&r, NULL, "report", "merge", all, a, b, "--json", NULL);
    assert_int_equal(r.status, 0);
    assert_string_equal(r.error, "");
    assert_int_equal(tool_number(r.out, "runs"), 1);
    tool_free(&r);
    tool_run(&r, NULL, "report", "merge", all, b, a, NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "a.db: 0 runs with 0 findings\n"));
    tool_free(&r);
    tool_run(&r, NULL, "report", "verify", all, NULL);
    assert_int_equal(r.status, 0);
    assert_string_equal(r.out, "all that is counted is there\n");
    tool_free(&r);
    tool_run(&r, NULL, "report", all, "--json", NULL);
    assert_int_equal(tool_number(r.out, "run"), 2);
    tool_free(&r);
    tool_remove(folder);
}

/* What a run has told is told as before when its rows are gone. */
static void old_runs_are_pruned(void **state)
{
    (void)state;
    tool_result before, after, r;
    char *folder = tool_folder();
    const char *db = tool_path(folder, "a.db");
    for (int i = 0; i < 2; i++)
        tool_expect(1, NULL, "run", PROGRAMS, "--db", db, "--quiet", NULL);
    tool_run(&before, NULL, "report", db, "--run", "1", NULL);
    tool_run(&r, NULL, "report", "gc", db, "--keep", "1", "--json", NULL);
    assert_int_equal(r.status, 0);
    assert_int_equal(tool_number(r.out, "runs"), 1);
    tool_free(&r);
    tool_run(&after, NULL, "report", db, "--run", "1", NULL);
    assert_string_equal(before.out, after.out);
    tool_expect(0, NULL, "report", "verify", db, NULL);
    tool_free(&before);
    tool_free(&after);
    tool_remove(folder);
}

static void a_changed_file_is_told(void **state)
{
    (void)state;
    tool_result r;
    char *folder = tool_folder();
    const char *db = tool_path(folder, "a.db");
    tool_expect(1, NULL, "run", PROGRAMS, "--db", db, "--quiet", NULL);
    FILE *file = fopen(db, "r+b");
    assert_non_null(file);
    /* A page in the middle. */
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long middle = ftell(file) / 8192 * 4096;
    assert_int_equal(fseek(file, middle, SEEK_SET), 0);
    for (int i = 0; i < 4096; i++)
        fputc(0x5a, file);
    fclose(file);
    tool_run(&r, NULL, "report", "verify", db, NULL);
    assert_true(r.status == 1 || r.status == 2);
    assert_true(r.out[0] != '\0' || r.error[0] != '\0');
    tool_free(&r);
    tool_remove(folder);
}

static void wrong_usage(void **state)
{
    (void)state;
    char *folder = tool_folder();
    const char *db = tool_path(folder, "a.db");
    tool_expect(0, NULL, "fuzz", "--cases", "1", "--db", db, "--quiet", NULL);
    tool_expect(2, NULL, "report", "merge", db, NULL);
    tool_expect(2, NULL, "report", "merge", db, db, NULL);
    tool_expect(2, NULL, "report", "merge", db, "/nowhere/x.db", NULL);
    tool_expect(2, NULL, "report", "gc", db, NULL);
    tool_expect(2, NULL, "report", "gc", db, "--keep", "0", NULL);
    tool_expect(2, NULL, "report", "verify", db, db, NULL);
    tool_expect(2, NULL, "report", "verify", db, "--keep", "3", NULL);
    tool_expect(2, NULL, "report", db, "--keep", "3", NULL);
    tool_expect(2, NULL, "report", db, db, NULL);
    tool_expect(2, NULL, "report", "verify", "/nowhere/x.db", NULL);
    tool_remove(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(runs_are_merged),
    cmocka_unit_test(old_runs_are_pruned),
    cmocka_unit_test(a_changed_file_is_told),
    cmocka_unit_test(wrong_usage),
};

TEST_MAIN(tests)
