/* Verbs, options, exit statuses, kinds: the command end to end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../scripts/testing/harness.h"
#include "tool.h"

#define PROGRAMS "corpus/programs/"

static void usage(void **state)
{
    (void)state;
    tool_expect(2, NULL, NULL);
    tool_expect(2, NULL, "chek", "x", NULL);
    tool_expect(2, NULL, "check", NULL);
    tool_expect(2, NULL, "check", "--jsn", "x", NULL);
    tool_expect(2, NULL, "check", "--jobs", NULL);
    tool_expect(2, NULL, "check", "--jobs", "0", "x", NULL);
    tool_expect(2, NULL, "check", "--jobs", "2x", "x", NULL);
    tool_expect(2, NULL, "check", "--json=yes", "x", NULL);
    tool_expect(2, NULL, "check", "--rules", "mine", "x", NULL);
    tool_expect(2, NULL, "check", "--db", "x.db", "x", NULL);
    tool_expect(2, NULL, "report", "a", "b", NULL);
    tool_expect(2, NULL, "help", "nothing", NULL);
}

static void expect_error(const char *words, const char *first,
                         const char *second, const char *third)
{
    tool_result result;
    tool_run(&result, NULL, first, second, third, NULL);
    assert_int_equal(result.status, 2);
    assert_non_null(strstr(result.error, words));
    assert_int_equal(result.out_length, 0);
    tool_free(&result);
}

static void suggestions(void **state)
{
    (void)state;
    expect_error("did you mean 'check'?", "chekc", NULL, NULL);
    expect_error("did you mean '--json'?", "check", "--jsno", NULL);
    expect_error("unknown option '--wherever'", "run", "--wherever", NULL);
    expect_error("needs FILE...", "check", "--json", NULL);
    expect_error("--db takes a FILE, not an empty text", "run", "--db=", NULL);
}

static void standard_input_twice(void **state)
{
    (void)state;
    tool_expect(2, "x", "check", "-", "-", NULL);
    tool_expect(2, "x", "run", "--", "-", PROGRAMS, "-", NULL);
    expect_error("standard input (-) is named twice", "check", "-", "-");
}

/* Options that every verb takes may stand before it, others not. */
static void options_first(void **state)
{
    (void)state;
    tool_result before, behind;
    tool_run(&before, NULL, "--json", "version", NULL);
    tool_run(&behind, NULL, "version", "--json", NULL);
    assert_int_equal(before.status, 0);
    assert_string_equal(before.out, behind.out);
    tool_free(&before);
    tool_free(&behind);
    tool_expect(0, NULL, "--quiet", "--json", "help", NULL);
    tool_expect(0, NULL, "--json", "--version", NULL);
    tool_expect(0, NULL, "--help", "run", NULL);
    expect_error("options stand behind the verb", "--db", "x.db", "run");
    expect_error("needs a verb", "--json", NULL, NULL);
}

/* Every verb has a page with an example, the same by both ways. */
static void help_pages(void **state)
{
    (void)state;
    static const char *const verbs[] = {"plan",    "check",  "lint",
                                        "run",     "report", "serve",
                                        "version", "help",   "explain"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        tool_result page, same;
        tool_run(&page, NULL, verbs[i], "--help", NULL);
        tool_run(&same, NULL, "help", verbs[i], NULL);
        assert_int_equal(page.status, 0);
        assert_non_null(strstr(page.out, "Example:\n  counterpoint "));
        assert_non_null(strstr(page.out, "--json"));
        assert_non_null(strstr(page.out, "--quiet"));
        assert_string_equal(page.out, same.out);
        tool_free(&page);
        tool_free(&same);
    }
    tool_result result;
    tool_run(&result, NULL, "help", "run", "--json", NULL);
    assert_int_equal(result.status, 0);
    assert_int_equal(strncmp(result.out, "{\"help\":\"counterpoint run", 25),
                     0);
    tool_free(&result);
}

static void version(void **state)
{
    (void)state;
    tool_result result;
    tool_run(&result, NULL, "version", NULL);
    assert_string_equal(result.out, "counterpoint " COUNTERPOINT_VERSION "\n");
    tool_free(&result);
    tool_run(&result, NULL, "--version", "--json", NULL);
    assert_string_equal(result.out,
                        "{\"name\":\"counterpoint\",\"version\":\"" //
                        COUNTERPOINT_VERSION "\"}\n");
    tool_free(&result);
}

/* --- What cannot be opened --- */

static void unreadable(void **state)
{
    (void)state;
    char *folder = tool_folder();
    const char *fifo = tool_path(folder, "fifo");
    const char *loop = tool_path(folder, "loop");
    assert_int_equal(mkfifo(fifo, 0666), 0);
    assert_int_equal(symlink("loop", loop), 0);
    tool_expect(2, NULL, "check", tool_path(folder, "none.py"), NULL);
    tool_expect(2, NULL, "check", fifo, NULL);
    tool_expect(2, NULL, "check", loop, NULL);
    tool_expect(2, NULL, "check", "/dev/zero", NULL);
    tool_expect(2, NULL, "run", tool_path(folder, "none"), NULL);
    tool_expect(2, NULL, "plan", fifo, NULL);
    tool_expect(4, NULL, "run", folder, NULL);
    tool_expect(4, NULL, "check", folder, NULL);
    tool_expect(1, NULL, "check", PROGRAMS "chain.py", fifo, NULL);
    tool_result result;
    tool_run(&result, NULL, "run", "--json", fifo, PROGRAMS "chain.py", NULL);
    assert_int_equal(result.status, 1);
    assert_int_equal(tool_number(result.out, "inputs"), 2);
    assert_int_equal(tool_number(result.out, "refused"), 1);
    assert_int_equal(tool_number(result.out, "unreadable: is a FIFO"), 1);
    tool_free(&result);
    tool_remove(folder);
}

/* A folder that could be opened is no wrong usage, whatever is in it. */
static void unreadable_inside(void **state)
{
    (void)state;
    char *folder = tool_folder();
    assert_int_equal(mkfifo(tool_path(folder, "x.json"), 0666), 0);
    tool_expect(1, NULL, "run", folder, NULL);
    tool_expect(1, NULL, "check", folder, NULL);
    tool_remove(folder);
}

static void too_long(void **state)
{
    (void)state;
    char *folder = tool_folder();
    tool_write(folder, "x.json", "{\"kind\":\"task_graph\"}");
    assert_int_equal(truncate(tool_path(folder, "x.json"), 1000000001), 0);
    tool_result result;
    tool_run(&result, NULL, "check", tool_path(folder, "x.json"), NULL);
    assert_int_equal(result.status, 2);
    assert_non_null(strstr(result.error, "longer than 1000000000 bytes"));
    tool_free(&result);
    tool_remove(folder);
}

static void no_database(void **state)
{
    (void)state;
    tool_expect(2, NULL, "run", "--db", "/nowhere/x.db", PROGRAMS, NULL);
    tool_expect(2, NULL, "run", "--db", "corpus", PROGRAMS, NULL);
    tool_expect(2, NULL, "report", "/nowhere/x.db", NULL);
    tool_expect(2, NULL, "report", "corpus", NULL);
}

/* --- What cannot be read --- */

typedef struct bad_text {
    const char *text;
    int status;
    const char *words; /* in what is printed */
} bad_text;

static void expect_refusal(const bad_text *bad)
{
    tool_result result;
    tool_run(&result, bad->text, "check", "--json", "-", NULL);
    if (result.status != bad->status || strstr(result.out, bad->words) == NULL)
        fail_msg("status %d of %s:\n%s%s", result.status, bad->text, result.out,
                 result.error);
    assert_non_null(strstr(result.out, "{\"verdict\":\"refused\""));
    tool_free(&result);
}

static void refusals(void **state)
{
    (void)state;
    static const bad_text cases[] = {
        {"", 1, "the file is empty"},
        {"hello\n", 1, "neither a PyPTO dump"},
        {"{\"a\":1}", 1, "\"rule\":\"doc.schema\""},
        {"[1]", 1, "\"rule\":\"doc.schema\""},
        {"import pypto.language as pl\n\n@pl.jit\ndef f(x):\n    pass\n", 1,
         "last *_after_Simplify.py (the highest number) in the folder "
         "passes_dump"},
        {"\xef\xbb\xbf# pypto.program: p\nimport pypto.language as pl\n"
         "@pl.program\nclass p:\n    pass\n",
         1,
         "\"column\":1,\"line\":1,\"message\":\"the file begins with a byte "
         "order mark"},
        {"\xef\xbb\xbf{\"kind\":\"score\"}", 1, "byte order mark"},
        {"ok\nno\xff\n", 1, "\"column\":3,\"line\":2,"},
        {"{\"schema\":\"pypto-orch-ir/0\",\"program\":\"x\"}", 1,
         "lies beside a dump"},
        {"{\"chip_swimlane_level\":4", 1, "\"rule\":\"doc.syntax\""},
        {"{\"tasks\":[{\"task_id\":\"0\",\"kernel_ids\":[1]}]", 1,
         "\"rule\":\"doc.syntax\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_refusal(&cases[i]);
}

static void binary_file(void **state)
{
    (void)state;
    char *folder = tool_folder();
    unsigned char bytes[4096];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 256);
    tool_write_bytes(folder, "x.bin", bytes, sizeof bytes);
    tool_result result;
    tool_run(&result, NULL, "check", tool_path(folder, "x.bin"), NULL);
    assert_int_equal(result.status, 1);
    assert_non_null(strstr(result.out, "is not UTF-8"));
    tool_free(&result);
    tool_remove(folder);
}

/* A dump cut at any byte: an error or an answer, and never a crash. */
static void cut_dump(void **state)
{
    (void)state;
    char *folder = tool_folder();
    FILE *in = fopen(PROGRAMS "dead_write.py", "r");
    assert_non_null(in);
    char text[8192], name[32];
    size_t length = fread(text, 1, sizeof text, in);
    fclose(in);
    assert_true(length > 0 && length < sizeof text);
    for (size_t n = 0; n < length; n++) {
        snprintf(name, sizeof name, "%04zu.py", n);
        tool_write_bytes(folder, name, text, n);
    }
    tool_write(folder, "expect", "");
    tool_result result;
    tool_run(&result, NULL, "run", "--json", folder, NULL);
    assert_true(result.status == 0 || result.status == 1);
    assert_int_equal(tool_number(result.out, "crashed"), 0);
    assert_int_equal(tool_number(result.out, "timed_out"), 0);
    assert_true(tool_number(result.out, "inputs") > (long long)length / 2);
    tool_free(&result);
    tool_remove(folder);
}

static void make_line(const char *folder, const char *name, const char *before,
                      size_t length)
{
    char *text = malloc(length + 64);
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, "%s", before);
    memset(text + n, 'x', length);
    tool_write_bytes(folder, name, text, n + length);
    free(text);
}

/* A line of 100 MB, in a dump and in a document. */
static void huge_line(void **state)
{
    (void)state;
    enum { HUGE = 100000000 };
    char *folder = tool_folder();
    make_line(folder, "x.py", "@pl.program\n", HUGE);
    make_line(folder, "x.json", "{\"kind\":\"task_graph\",\"name\":\"", HUGE);
    tool_result result;
    tool_run(&result, NULL, "check", "--json", "--timeout", "600",
             tool_path(folder, "x.py"), tool_path(folder, "x.json"), NULL);
    assert_int_equal(result.status, 1);
    assert_non_null(strstr(result.out, "{\"verdict\":\"refused\""));
    assert_null(strstr(result.out, "planner."));
    tool_free(&result);
    /* A judge that may not grow is our own fault, and said so. */
    tool_run(&result, NULL, "check", "--memory", "50",
             tool_path(folder, "x.json"), NULL);
    assert_non_null(
        strstr(result.out, "crashed: the judge used too much memory"));
    assert_int_equal(result.status, 3);
    tool_free(&result);
    tool_remove(folder);
}

/* --- Plans --- */

static void plan_output(void **state)
{
    (void)state;
    tool_result result, same;
    tool_run(&result, NULL, "plan", PROGRAMS "chain.py", NULL);
    assert_int_equal(result.status, 0);
    assert_int_equal(strncmp(result.out, "{\"kind\":\"bundle\",", 17), 0);
    assert_ptr_equal(strchr(result.out, '\n'),
                     result.out + result.out_length - 1);
    tool_run(&same, NULL, "plan", "--emit=bundle", "--", PROGRAMS "chain.py",
             NULL);
    assert_string_equal(result.out, same.out);
    tool_free(&same);
    tool_run(&same, NULL, "plan", "--emit", "graph", PROGRAMS "chain.py", NULL);
    same.out[same.out_length - 1] = '\0';
    assert_non_null(strstr(result.out, same.out));
    assert_non_null(strstr(same.out, "\"kind\":\"task_graph\""));
    tool_free(&same);
    tool_free(&result);
    tool_expect(1, NULL, "plan", PROGRAMS "while_loop.py", NULL);
    tool_expect(1, "{\"kind\":\"task_graph\"}", "plan", "-", NULL);
}

static void plan_to_folder(void **state)
{
    (void)state;
    char *folder = tool_folder();
    const char *out = tool_path(folder, "out");
    tool_copy(folder, "p/passes_dump/45_after_Simplify.py",
              PROGRAMS "chain.py");
    tool_copy(folder, "q/passes_dump/45_after_Simplify.py",
              PROGRAMS "in_place.py");
    tool_expect(0, NULL, "plan", "--out", out, folder, NULL);
    assert_int_equal(access(tool_path(out, "p.bundle.json"), F_OK), 0);
    assert_int_equal(access(tool_path(out, "q.bundle.json"), F_OK), 0);
    tool_expect(0, NULL, "plan", "--out", out, "--emit", "graph",
                PROGRAMS "chain.py", NULL);
    assert_int_equal(access(tool_path(out, "chain.graph.json"), F_OK), 0);
    tool_expect(2, NULL, "plan", "--out", out, PROGRAMS "chain.py",
                PROGRAMS "../programs/chain.py", NULL);
    tool_expect(2, NULL, "plan", "--out", "/dev/null/x", PROGRAMS "chain.py",
                NULL);
    tool_remove(folder);
}

/* --- Judging --- */

static void check_clean(void **state)
{
    (void)state;
    tool_result result;
    tool_run(&result, NULL, "check", PROGRAMS "chain.py", NULL);
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.out, PROGRAMS "chain.py: clean\n"));
    tool_free(&result);
    tool_run(&result, NULL, "check", "--json", PROGRAMS "chain.py", NULL);
    assert_int_equal(result.status, 0);
    assert_int_equal(strncmp(result.out, "{\"verdict\":\"clean\",", 19), 0);
    tool_free(&result);
    tool_run(&result, NULL, "check", "--quiet", PROGRAMS "chain.py", NULL);
    assert_int_equal(result.status, 0);
    assert_int_equal(result.out_length, 0);
    tool_free(&result);
}

/* Findings first, what is the same for all files once, the counts last. */
static void check_several(void **state)
{
    (void)state;
    tool_result result;
    tool_run(&result, NULL, "check", PROGRAMS "chain.py",
             PROGRAMS "external_race.py", PROGRAMS "in_place.py", NULL);
    assert_int_equal(result.status, 0);
    const char *finding = strstr(result.out, PROGRAMS "external_race.py:");
    const char *first = strstr(result.out, PROGRAMS "chain.py: clean\n");
    const char *second = strstr(result.out, PROGRAMS "in_place.py: clean\n");
    const char *rests = strstr(result.out, "clean rests on: rule set: ");
    const char *counts = strstr(result.out, "3 inputs: 3 judged (2 clean, ");
    assert_true(finding == result.out && finding < first && first < second);
    assert_true(second < rests && rests < counts);
    assert_null(strstr(rests + strlen("clean rests on"), "on: rule set"));
    assert_non_null(strstr(counts, "1 warnings, 0 notes (none fails: "));
    tool_free(&result);
}

/* The same file twice: what stands before an object with a verdict is its. */
static void check_twice(void **state)
{
    (void)state;
    tool_result result;
    tool_run(&result, NULL, "check", "--json", PROGRAMS "war_scratch.py",
             PROGRAMS "chain.py", PROGRAMS "war_scratch.py", NULL);
    static const char *const starts[] = {
        "{\"case\":", "{\"verdict\":\"findings\"", "{\"verdict\":\"clean\"",
        "{\"case\":", "{\"verdict\":\"findings\""};
    const char *line = result.out;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        assert_memory_equal(line, starts[i], strlen(starts[i]));
        line = strchr(line, '\n') + 1;
    }
    assert_int_equal(*line, '\0');
    tool_free(&result);
}

/* A bundle that plan wrote is judged like its dump. */
static void check_bundle(void **state)
{
    (void)state;
    tool_result bundle;
    tool_run(&bundle, NULL, "plan", PROGRAMS "chain.py", NULL);
    tool_expect(0, bundle.out, "check", "-", NULL);
    tool_expect(0, bundle.out, "check", "--kind", "bundle", "-", NULL);
    tool_expect(0, "{\"name\":\"x\"}", "check", "--kind", "score", "-", NULL);
    tool_expect(1, "{\"name\":\"x\"}", "check", "-", NULL);
    tool_expect(1, "{\"name\":\"\"}", "check", "--kind", "score", "-", NULL);
    tool_expect(1, bundle.out, "check", "--kind", "score", "-", NULL);
    tool_free(&bundle);
}

/* A memory plan as a table: named, in a folder, by --kind, on a pipe. */
static void memory_tables(void **state)
{
    (void)state;
    tool_result result;
    char *folder = tool_folder();
    tool_write(folder, "plan.csv",
               "id,lower,upper,size,offset\nb1,0,3,4,0\nb2,2,9,4,3\n");
    tool_write(folder, "other.csv", "name,age\nx,3\n");
    tool_write(folder, "fine.csv",
               "id,lower,upper,size,offset\nb1,0,3,4,0\nb2,3,9,4,0\n");
    tool_run(&result, NULL, "check", tool_path(folder, "plan.csv"), NULL);
    assert_int_equal(result.status, 1);
    assert_non_null(strstr(result.out, "plan.csv:3: error memory.overlap: b1"));
    tool_free(&result);
    tool_run(&result, NULL, "run", "--json", folder, NULL);
    assert_int_equal(result.status, 1);
    assert_int_equal(tool_number(result.out, "inputs"), 2);
    assert_int_equal(tool_number(result.out, "error"), 1);
    tool_free(&result);
    const char *fine = tool_path(folder, "fine.csv");
    tool_expect(0, NULL, "check", fine, "--capacity", "4", NULL);
    tool_expect(1, NULL, "check", fine, "--capacity", "3", NULL);
    tool_expect(2, NULL, "check", fine, "--capacity", "0", NULL);
    tool_expect(0, "id,lower,upper,size\na,0,1,8\n", "check", "-", NULL);
    tool_run(&result, "id,lower\n", "check", "-", "--kind", "memory_csv",
             "--json", NULL);
    assert_int_equal(result.status, 1);
    assert_non_null(strstr(result.out, "there is no column upper"));
    tool_free(&result);
    tool_remove(folder);
}

/* Two files of one plan, in terms of order: reduced, changed, other names. */
static void two_plans(void **state)
{
    (void)state;
    tool_result result;
    const char *base = "corpus/rules/diff.plan/";
    char a[80], b[80], c[80];
    snprintf(a, sizeof a, "%sfound/a.json", base);
    snprintf(b, sizeof b, "%sfound/b.json", base);
    snprintf(c, sizeof c, "%sabsent/b.json", base);
    tool_run(&result, NULL, "check", a, b, NULL);
    assert_int_equal(result.status, 1);
    assert_non_null(strstr(result.out, "a.json: error diff.plan: the first "
                                       "orders 1 pair of tasks"));
    tool_free(&result);
    tool_run(&result, NULL, "check", a, c, NULL);
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.out, "b.json: the same plan as "));
    tool_free(&result);
    tool_run(&result, NULL, "check", PROGRAMS "chain.py", a, "--json", NULL);
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.out, "the two: their names differ"));
    assert_non_null(strstr(result.out, "\"compared\":["));
    tool_free(&result);
    tool_run(&result, NULL, "check", PROGRAMS "group_mixed.py",
             PROGRAMS "group_mixed_ruff.py", "--json", NULL);
    assert_null(strstr(result.out, "diff.plan"));
    assert_non_null(strstr(result.out, "\"compared\":["));
    tool_free(&result);
}

/* --same wants two documents that have a plan. */
static void two_documents(void **state)
{
    (void)state;
    tool_result result;
    const char *a = "corpus/rules/diff.plan/absent/a.json";
    const char *b = "corpus/rules/diff.plan/absent/b.json";
    char *folder = tool_folder();
    tool_write(folder, "fine.csv", "id,lower,upper,size\na,0,1,8\n");
    const char *csv = tool_path(folder, "fine.csv");
    tool_expect(0, NULL, "check", "--same", a, b, NULL);
    tool_expect(0, NULL, "check", a, b, b, NULL);
    tool_expect(0, NULL, "check", a, csv, NULL);
    tool_run(&result, NULL, "check", "--same", a, NULL);
    assert_int_equal(result.status, 2);
    assert_non_null(
        strstr(result.error, "--same compares two documents: 1 is"));
    tool_free(&result);
    tool_run(&result, NULL, "check", "--same", a, b, csv, NULL);
    assert_int_equal(result.status, 2);
    assert_non_null(
        strstr(result.error, "--same compares two documents: 3 are"));
    tool_free(&result);
    tool_run(&result, NULL, "check", "--same", a, csv, NULL);
    assert_int_equal(result.status, 2);
    assert_non_null(strstr(result.error, "CSV table is not compared"));
    tool_free(&result);
    tool_remove(folder);
}

/* The same with any number of processes; told once, recorded. */
static void one_fingerprint(void **state)
{
    (void)state;
    tool_result first, second;
    char *folder = tool_folder();
    const char *found = "corpus/rules/score.identity/found";
    tool_run(&first, NULL, "run", found, "--json", "--jobs", "1", NULL);
    tool_run(&second, NULL, "run", found, "--json", "--jobs", "3", "--db",
             tool_path(folder, "x.db"), NULL);
    assert_int_equal(first.status, 1);
    assert_string_equal(first.out, second.out);
    assert_int_equal(tool_number(first.out, "inputs"), 2);
    assert_int_equal(tool_number(first.out, "error"), 1);
    tool_free(&first);
    tool_free(&second);
    tool_run(&first, NULL, "report", tool_path(folder, "x.db"), NULL);
    assert_non_null(strstr(first.out, "score.identity"));
    assert_non_null(strstr(first.out, "first differ in task 0 argument 1: "
                                      "scalar 4 in the first; scalar 8 in "
                                      "the second"));
    tool_free(&first);
    /* One program twice has one meaning. */
    tool_copy(folder, "a.py", PROGRAMS "chain.py");
    tool_copy(folder, "b.py", PROGRAMS "chain.py");
    tool_run(&first, NULL, "check", folder, NULL);
    assert_int_equal(first.status, 0);
    assert_null(strstr(first.out, "score.identity"));
    tool_free(&first);
    tool_remove(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(usage),
    cmocka_unit_test(memory_tables),
    cmocka_unit_test(two_plans),
    cmocka_unit_test(two_documents),
    cmocka_unit_test(one_fingerprint),
    cmocka_unit_test(suggestions),
    cmocka_unit_test(standard_input_twice),
    cmocka_unit_test(options_first),
    cmocka_unit_test(help_pages),
    cmocka_unit_test(version),
    cmocka_unit_test(unreadable),
    cmocka_unit_test(refusals),
    cmocka_unit_test(unreadable_inside),
    cmocka_unit_test(too_long),
    cmocka_unit_test(no_database),
    cmocka_unit_test(binary_file),
    cmocka_unit_test(cut_dump),
    cmocka_unit_test(huge_line),
    cmocka_unit_test(plan_output),
    cmocka_unit_test(plan_to_folder),
    cmocka_unit_test(check_clean),
    cmocka_unit_test(check_several),
    cmocka_unit_test(check_twice),
    cmocka_unit_test(check_bundle),
};

TEST_MAIN(tests)
