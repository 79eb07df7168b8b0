/* counterpoint conform and fingerprint, end to end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "tool.h"

#define OWN "corpus/vectors/"
#define SHARED "../shared/vectors/sonata/"

/* A part that has to be in a text, or must not. */
static void expect_part(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("no \"%s\" in:\n%s", part, text);
}

static void expect_no_part(const char *text, const char *part)
{
    if (strstr(text, part) != NULL)
        fail_msg("\"%s\" is in:\n%s", part, text);
}

static char *read_text(const char *path)
{
    FILE *in = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    assert_non_null(in);
    assert_true(getdelim(&text, &room, '\0', in) > 0);
    fclose(in);
    return text;
}

/* A copy of a text in which one part is another of the same length. */
static void write_changed(const char *folder, const char *name,
                          const char *text, const char *from, const char *to)
{
    char *copy = strdup(text);
    char *place = copy == NULL ? NULL : strstr(copy, from);
    if (place == NULL)
        fail_msg("no \"%s\" to change", from);
    assert_int_equal(strlen(from), strlen(to));
    memcpy(place, to, strlen(to));
    tool_write(folder, name, copy);
    free(copy);
}

static void own_vectors(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "conform", OWN "scores.jsonl", OWN "large.jsonl",
             OWN "ir.jsonl", NULL);
    assert_int_equal(r.status, 0);
    assert_string_equal(r.error, "");
    expect_part(r.out, "11 cases: 10 compared, 1 refused by rule\n");
    expect_part(r.out, "\n130 passed, 0 failed\n");
    expect_part(r.out, "\nhbg_plan ");
    expect_no_part(r.out, "unknown");
    tool_free(&r);
}

/* The answers of the reference. */
static void reference_vectors(void **state)
{
    (void)state;
    static const char *const names[] = {
        SHARED "scores.jsonl", SHARED "large.jsonl", SHARED "ir.jsonl"};
    test_needs(SHARED);
    for (size_t i = 0; i < 3; i++) {
        tool_result r;
        tool_run(&r, NULL, "conform", "--json", names[i], NULL);
        if (r.status != 0)
            print_message("%s\n%s\n", r.out, r.error);
        assert_int_equal(r.status, 0);
        assert_true(tool_number(r.out, "cases") > 0);
        expect_part(r.out, "\"differences\":[],\"failed\":0,");
        expect_part(r.out, "\"unknown\":0}\n");
        tool_free(&r);
    }
}

/* Each field can fail: a changed answer is found, and shown. */
static void changed_answers_fail(void **state)
{
    (void)state;
    static const struct {
        const char *file, *from, *to, *told;
    } cases[] = {
        {"scores", "\"sequential_deps\": [[0,", "\"sequential_deps\": [[7,",
         "sequential_deps[0][0]: expected 7, got 0"},
        {"scores", "\"dataflow_deps\": [[0, 1, \"data",
         "\"dataflow_deps\": [[0, 1, \"date",
         "dataflow_deps[0][2]: expected \"date\", got \"data\""},
        {"scores", "\"lifetimes\": [[\"alloc:sliver\", 0, 2]",
         "\"lifetimes\": [[\"alloc:sliver\", 0, 3]",
         "own-loom lifetimes[0][2]: expected 3, got 2"},
        {"scores", "\"peak\": 1", "\"peak\": 2", "memory_plan.peak: expected"},
        {"scores", "\"conflicts\": [[\"alloc:s", "\"conflicts\": [[\"alloc:S",
         "conflicts[0][0]: expected"},
        {"scores", "\"eligible\": true, \"reasons\": []",
         "\"eligible\":false, \"reasons\": []", "validate.eligible: expected"},
        {"scores", "dataflow_directions_unavailable",
         "dataflow_directions_unavailabel", "dataflow_fallback_code: expected"},
        {"scores", "\"runtime_args\": [0,", "\"runtime_args\": [8,",
         "hbg_plan.tasks[0].runtime_args[0]: expected 8, got 0"},
        {"scores", "\"name\": \"loom\"", "\"name\": \"moon\"",
         "own-loom fingerprint: expected"},
        {"scores", "ratio", "ratia", "fingerprint_with_metadata: expected"},
        {"large", "\"conflicts\": ", "\"conflicts\":1",
         "counts.conflicts: expected 1"},
        {"large", "\"lifetimes_sha256\": \"", "\"lifetimes_sha256\":\"0",
         "lifetimes_sha256: expected"},
        {"ir", "\"node_count\": 3", "\"node_count\": 4",
         "own-weave regions[0].node_count: expected 4, got 3"},
        {"ir", "\"kind\": \"data\"", "\"kind\": \"date\"",
         "static.sequential_v0.score.dependencies[0].kind: expected \"date\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[64];
        tool_result r;
        char *folder = tool_folder();
        snprintf(path, sizeof path, OWN "%s.jsonl", cases[i].file);
        char *text = read_text(path);
        write_changed(folder, "v.jsonl", text, cases[i].from, cases[i].to);
        tool_run(&r, NULL, "conform", tool_path(folder, "v.jsonl"), NULL);
        assert_int_equal(r.status, 1);
        expect_part(r.out, cases[i].told);
        expect_no_part(r.out, " 0 failed\n");
        tool_free(&r);
        free(text);
        tool_remove(folder);
    }
}

/* Where the reference raises an error passes, and nothing else. */
static void errors(void **state)
{
    (void)state;
    tool_result r;
    static const char lines[] =
        "{\"id\":\"a\",\"score\":{\"name\":\"n\",\"tasks\":[{\"task_id\":0,"
        "\"func_id\":0,\"core_type\":\"aic\",\"args\":[[1]],"
        "\"arg_directions\":[\"Input\"]}]},"
        "\"dataflow_deps\":{\"error\":\"TypeError: unhashable\"},"
        "\"mixed_deps_side_effects\":{\"side_effect_tasks\":[],\"deps\":"
        "{\"error\":\"TypeError: unhashable\"}},"
        "\"sequential_deps\":{\"error\":\"TypeError: no\"}}\n"
        "{\"id\":\"b\",\"score\":{\"tasks\":[]},"
        "\"fingerprint\":{\"error\":\"KeyError: name\"},"
        "\"validate\":{\"eligible\":true,\"reasons\":[]}}\n"
        "{\"id\":\"c\",\"score\":{\"name\":\"n\"},\"validate\":"
        "{\"error\":\"RecursionError: too deep for it\"}}\n";
    tool_run(&r, lines, "conform", "-", NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.out, "-:1: a sequential_deps: expected an error "
                       "(TypeError: no), got none\n");
    expect_part(r.out, "-:2: b validate: refused: name is missing\n");
    expect_part(r.out, "\n4 passed, 2 failed\n");
    tool_free(&r);
}

static void refused_cases(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r,
             "{\"id\":\"s\",\"score\":{\"name\":\"\\ud800\"},"
             "\"fingerprint\":\"\",\"static\":{\"mixed\":1}}\n"
             "{\"id\":\"n\",\"score\":{\"name\":\"n\",\"metadata\":"
             "{\"x\":1e400}},\"fingerprint\":\"\"}\n"
             "{\"id\":\"i\",\"score\":{\"name\":\"n\",\"tasks\":[{\"task_id\":"
             "99999999999999999999,\"func_id\":0,\"core_type\":\"aic\"}]},"
             "\"fingerprint\":\"\"}\n"
             "{\"id\":\"f\",\"score\":{\"name\":\"NaN\",\"metadata\":"
             "[NaN,-Infinity]},\"fingerprint\":\"\"}\n",
             "conform", "--json", "-", NULL);
    assert_int_equal(r.status, 4); /* nothing was compared */
    assert_int_equal(tool_number(r.out, "cases_refused"), 3);
    expect_part(r.out, "\"fingerprint\":{\"passed\":0,\"failed\":0,"
                       "\"refused\":4,\"unknown\":0}");
    expect_part(r.out, "\"static.mixed\":{\"passed\":0,\"failed\":0,"
                       "\"refused\":1,");
    tool_free(&r);
}

static void malformed_lines(void **state)
{
    (void)state;
    static const struct {
        const char *lines, *told;
    } cases[] = {
        {"\n  \n{\"id\":1\n", "-:3: (line): column 8: "},
        {"[]\n", "-:1: (line): column 1: no case"},
        {"{\"id\":\"x\"}\n", "neither a score nor an ir"},
        {"{\"id\":\"\\ud800\"\n", "-:1: (line): column"},
        {"{\"score\":{\"name\":\"\xff\"}}\n",
         "-:1: (line): byte 19 is not UTF-8"},
        {"{\"score\":{}} x\n", "(line): column 14"},
        {"{\"score\":NaNa}\n", "(line): column 10"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tool_result r;
        tool_run(&r, cases[i].lines, "conform", "-", NULL);
        assert_int_equal(r.status, 1);
        expect_part(r.out, cases[i].told);
        expect_part(r.out, "\n0 passed, 1 failed\n");
        tool_free(&r);
    }
}

static void unknown_fields_are_told(void **state)
{
    (void)state;
    tool_result r;
    static const char line[] =
        "{\"id\":\"a\",\"score\":{\"name\":\"n\"},\"sequential_deps\":[],"
        "\"novelty\":1,\"counts\":{\"sequential_deps\":0,\"moons\":2}}\n";
    tool_run(&r, line, "conform", "-", NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "novelty");
    expect_part(r.out, "counts.moons");
    expect_part(r.out, "unknown, not checked: 1\n");
    expect_part(r.out, "2 values of unknown fields not checked\n"
                       "2 passed, 0 failed\n");
    tool_free(&r);
    tool_run(&r, "{\"id\":\"a\",\"score\":{\"name\":\"n\"},\"novelty\":1}\n",
             "conform", "-", NULL);
    assert_int_equal(r.status, 4);
    expect_part(r.out, "\n0 passed, 0 failed\n");
    tool_free(&r);
}

static void files_and_limits(void **state)
{
    (void)state;
    tool_result r;
    tool_expect(2, NULL, "conform", NULL);
    tool_expect(2, NULL, "conform", "no/such/file", NULL);
    tool_expect(4, "\n\n", "conform", "-", NULL);
    tool_expect(1, NULL, "conform", OWN "ir.jsonl", "no/such/file", NULL);
    tool_run(&r, "{]\n{]\n{]\n", "conform", "--limit", "2", "-", NULL);
    expect_part(r.out, "-:2: (line)");
    expect_no_part(r.out, "-:3: (line)");
    expect_part(r.out, "... and 1 more differences (--limit N)\n");
    tool_free(&r);
}

/* The same bytes, however many processes are at work. */
static void jobs_change_nothing(void **state)
{
    (void)state;
    tool_result one, many;
    tool_run(&one, NULL, "conform", "--jobs", "1", OWN "scores.jsonl",
             OWN "ir.jsonl", NULL);
    tool_run(&many, NULL, "conform", "--jobs", "7", OWN "scores.jsonl",
             OWN "ir.jsonl", NULL);
    assert_string_equal(one.out, many.out);
    tool_free(&one);
    tool_free(&many);
}

/* --- fingerprint --- */

#define SCORE                                                                  \
    "{\"schema_version\":1,\"name\":\"n\",\"tasks\":[],\"dependencies\":[],"   \
    "\"shape_assumptions\":[],\"metadata\":{}"
/* SHA-256 of {"fingerprint_version":1,"identity":{"dependencies":[],
 * "name":"n","shape_assumptions":[],"tasks":[]}}, and with "metadata":{}. */
#define PLAIN "13c4aaccd1ff68544de20f1c3f2b434053fe99b7a7b24d649831d8c2323a4246"
#define FULL "38ad56b5d54d3c2c30fa4b7b187d9dc8981d97dc1900a4fbe4f32d3ad27ce044"

static void fingerprints(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, SCORE "}", "fingerprint", "-", NULL);
    assert_int_equal(r.status, 0);
    assert_string_equal(r.out, PLAIN "  -\n" FULL "  - (with metadata)\n");
    tool_free(&r);
    tool_run(&r, SCORE ",\"novelty\":1}", "fingerprint", "--json", "-", NULL);
    assert_int_equal(r.status, 0);
    assert_string_equal(r.out,
                        "{\"file\":\"-\",\"fingerprint\":\"" PLAIN
                        "\",\"fingerprint_with_metadata\":\"" FULL "\"}\n");
    expect_part(r.error, "novelty");
    tool_free(&r);
}

static void fingerprint_of_other_things(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r,
             "{\"kind\":\"bundle\",\"version\":1,\"members\":[{\"role\":"
             "\"score\",\"document\":" SCORE "}}]}",
             "fingerprint", "-", NULL);
    assert_int_equal(r.status, 0);
    assert_string_equal(r.out, PLAIN "  -\n" FULL "  - (with metadata)\n");
    tool_free(&r);
    tool_run(&r, "{\"kind\":\"Function\",\"name\":\"f\"}", "fingerprint", "-",
             NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.error, "this is of kind ir");
    tool_free(&r);
    tool_run(&r, "{\"name\":\n7}", "fingerprint", "-", NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.error, "name must be a string, got int");
    tool_free(&r);
    tool_run(&r, "{\"name\":\n}", "fingerprint", "-", NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.error, "-:2:1: doc.syntax: ");
    tool_free(&r);
    tool_expect(2, NULL, "fingerprint", "no/such/file", NULL);
    tool_expect(1, SCORE "}", "fingerprint", "-", "no/such/file", NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(own_vectors),
    cmocka_unit_test(reference_vectors),
    cmocka_unit_test(changed_answers_fail),
    cmocka_unit_test(errors),
    cmocka_unit_test(refused_cases),
    cmocka_unit_test(malformed_lines),
    cmocka_unit_test(unknown_fields_are_told),
    cmocka_unit_test(files_and_limits),
    cmocka_unit_test(jobs_change_nothing),
    cmocka_unit_test(fingerprints),
    cmocka_unit_test(fingerprint_of_other_things),
};

TEST_MAIN(tests)
