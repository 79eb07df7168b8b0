#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../scripts/testing/harness.h"
#include "../search.h"
#include "tool.h"

static const char dump[] = "# pypto.program: p\n"
                           "import pypto.language as pl\n\n"
                           "@pl.program\nclass p:\n    pass\n";
static const char source[] = "import pypto.language as pl\n\n\n"
                             "@pl.jit\ndef f(x):\n    return x\n";

static cli_search find(const char *folder)
{
    cli_search search = {0};
    cli_search_add(&search, folder);
    assert_false(search.failed);
    return search;
}

static void expect_names(const cli_search *search, const char *const *names,
                         size_t count)
{
    for (size_t i = 0; i < search->count && i < count; i++)
        assert_string_equal(search->items[i].name, names[i]);
    assert_int_equal(search->count, count);
}

/* The number decides, not the order of the letters. */
static void last_simplify(void **state)
{
    (void)state;
    static const char *const names[] = {"a/passes_dump/100_after_Simplify.py",
                                        "b/passes_dump/45_after_Simplify.py"};
    char *folder = tool_folder();
    tool_write(folder, "a/passes_dump/9_after_Simplify.py", dump);
    tool_write(folder, "a/passes_dump/100_after_Simplify.py", dump);
    tool_write(folder, "a/passes_dump/43_after_Simplify.py", dump);
    tool_write(folder, "a/passes_dump/101_after_Materialize.py", dump);
    tool_write(folder, "b/passes_dump/45_after_Simplify.py", dump);
    tool_write(folder, "c/passes_dump/49_after_Other.py", dump);
    cli_search search = find(folder);
    expect_names(&search, names, 2);
    cli_search_free(&search);
    tool_remove(folder);
}

static void named_passes_dump(void **state)
{
    (void)state;
    static const char *const names[] = {"45_after_Simplify.py"};
    char *folder = tool_folder();
    tool_write(folder, "passes_dump/44_after_Simplify.py", dump);
    tool_write(folder, "passes_dump/45_after_Simplify.py", dump);
    cli_search search = find(tool_path(folder, "passes_dump/"));
    expect_names(&search, names, 1);
    cli_search_free(&search);
    tool_remove(folder);
}

/* A second layout beside passes_dump is none, a dump that stands alone is. */
static void other_scripts(void **state)
{
    (void)state;
    static const char *const names[] = {"alone.py",
                                        "p/passes_dump/45_after_Simplify.py"};
    char *folder = tool_folder();
    tool_write(folder, "alone.py", dump);
    tool_write(folder, "source.py", source);
    tool_write(folder, "other.txt", dump);
    tool_write(folder, "p/passes_dump/45_after_Simplify.py", dump);
    tool_write(folder, "p/certified_ruff.py", dump);
    cli_search search = find(folder);
    expect_names(&search, names, 2);
    cli_search_free(&search);
    search = find(tool_path(folder, "p/certified_ruff.py"));
    static const char *const named[] = {"certified_ruff.py"};
    expect_names(&search, named, 1);
    cli_search_free(&search);
    tool_remove(folder);
}

static void documents(void **state)
{
    (void)state;
    static const char *const names[] = {"bundle.json", "deps.json",
                                        "graph.json", "swim.json"};
    char *folder = tool_folder();
    tool_write(folder, "graph.json",
               "{\"kind\":\"task_graph\",\"version\":1,\"tasks\":[]}");
    tool_write(folder, "bundle.json",
               "{\"kind\":\"bundle\",\"version\":1,\"members\":[]}");
    tool_write(folder, "deps.json",
               "{\"tasks\":[{\"task_id\":\"0\",\"kernel_ids\":[-1]}]}");
    tool_write(folder, "swim.json", "{\"chip_swimlane_level\": 4}");
    tool_write(folder, "exporter.json", "{\"schema\":\"pypto-orch-ir/0\"}");
    tool_write(folder, "index.json", "[{\"program\":\"x\"}]");
    tool_write(folder, "other.json", "{\"numbers\":5}");
    tool_write(folder, "broken.json", "{\"a\"");
    tool_write(folder, "empty.json", "");
    tool_write(folder, "graph.txt", "{\"kind\":\"task_graph\"}");
    cli_search search = find(folder);
    expect_names(&search, names, 4);
    cli_search_free(&search);
    tool_remove(folder);
}

/* The kind may stand behind much else. */
static void late_kind(void **state)
{
    (void)state;
    enum { BUFFERS = 20000 };
    char *folder = tool_folder();
    char *text = malloc(16 * BUFFERS + 64);
    assert_non_null(text);
    char *at = text + sprintf(text, "{\"buffers\":[{}");
    for (int i = 0; i < BUFFERS; i++)
        at += sprintf(at, ",{\"key\":1}");
    strcpy(at, "],\"kind\":\"task_graph\"}");
    tool_write(folder, "x.json", text);
    strcpy(at, "],\"kin\":\"task_graph\"}");
    tool_write(folder, "y.json", text);
    free(text);
    cli_search search = find(folder);
    static const char *const names[] = {"x.json"};
    expect_names(&search, names, 1);
    cli_search_free(&search);
    tool_remove(folder);
}

/* Paths are in order of their bytes, in whatever order they were made. */
static void order(void **state)
{
    (void)state;
    static const char *const names[] = {"A.py",   "a-b.py", "a.py",
                                        "a/z.py", "a0.py",  "b.py"};
    char *folder = tool_folder();
    tool_write(folder, "b.py", dump);
    tool_write(folder, "a/z.py", dump);
    tool_write(folder, "a0.py", dump);
    tool_write(folder, "a.py", dump);
    tool_write(folder, "a-b.py", dump);
    tool_write(folder, "A.py", dump);
    cli_search search = find(folder);
    expect_names(&search, names, 6);
    cli_search_free(&search);
    tool_remove(folder);
}

static void odd_entries(void **state)
{
    (void)state;
    char *folder = tool_folder();
    assert_int_equal(mkfifo(tool_path(folder, "fifo.json"), 0666), 0);
    assert_int_equal(symlink("loop.py", tool_path(folder, "loop.py")), 0);
    assert_int_equal(symlink(".", tool_path(folder, "self")), 0);
    assert_int_equal(symlink("nowhere", tool_path(folder, "dangling")), 0);
    tool_write(folder, "real.py", dump);
    cli_search search = find(folder);
    static const char *const names[] = {"fifo.json", "loop.py", "real.py"};
    expect_names(&search, names, 3);
    assert_non_null(strstr(search.items[0].problem, "FIFO"));
    assert_non_null(strstr(search.items[1].problem, "symbolic links"));
    assert_null(search.items[2].problem);
    assert_int_equal(search.note_count, 1);
    assert_non_null(strstr(search.notes[0], "/self: a symbolic link"));
    cli_search_free(&search);
    tool_remove(folder);
}

static void deep_folders(void **state)
{
    (void)state;
    char *folder = tool_folder();
    char name[1024] = "";
    for (int i = 0; i < 200; i++)
        strcat(name, "d/");
    strcat(name, "x.py");
    tool_write(folder, name, dump);
    cli_search search = find(folder);
    assert_int_equal(search.count, 1);
    assert_string_equal(search.items[0].name, name);
    cli_search_free(&search);
    tool_remove(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(last_simplify), cmocka_unit_test(named_passes_dump),
    cmocka_unit_test(other_scripts), cmocka_unit_test(documents),
    cmocka_unit_test(late_kind),     cmocka_unit_test(order),
    cmocka_unit_test(odd_entries),   cmocka_unit_test(deep_folders),
};

TEST_MAIN(tests)
