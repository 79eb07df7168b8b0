/*
 * lint --stages: each kind of change planted alone between two stages, and
 * what is no change.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../scripts/testing/harness.h"
#include "lint_texts.h"
#include "tool.h"

#define SIMPLIFY "p/passes_dump/45_after_Simplify.py"
#define LATER "p/passes_dump/49_after_Later.py"
#define PAIRS "../shared/corpus/pypto"

#define DEEP "            "

/*
 * Tasks 0 to 2 in a manual scope, ordered by deps; 3 to 5 in an automatic one:
 * 4 waits for 3, and 5 for 4 by an edge of the compiler's. "#" is the indent.
 */
static const char program[] =
    HEAD "#b: " T " = pl.tensor.create([8, 16], dtype=pl.FP32, "
         "layout=pl.TensorLayout.ND)\n"
         "#c: " T " = pl.tensor.create([8, 16], dtype=pl.FP32, "
         "layout=pl.TensorLayout.ND)\n"
         "#d: " T " = pl.tensor.create([8, 16], dtype=pl.FP32, "
         "layout=pl.TensorLayout.ND)\n"
         "#with pl.scope(mode=pl.ScopeMode.MANUAL):\n" //
    SUBMIT_IN("#    ", "b1", "i", "x", "b", "output_existing", "") SUBMIT_IN(
        "#    ", "c1", "j", "b1", "c", "output_existing", ", deps=[i]")
        SUBMIT_IN("#    ", "b2", "k", "c1", "b1", "inout", ", deps=[i, j]")
            SUBMIT_IN("#", "d1", "l", "x", "d", "output_existing", "")
                SUBMIT_IN("#", "r1", "m", "d1", "r", "output_existing",
                          "") "#d2: " T
                              " = self.fill(y, d1, attrs={\"arg_directions\": "
                              "[pl.adir.input, pl.adir.inout], "
                              "\"compiler_manual_dep_edges\": "
                              "[r1_t]})\n"
                              "#return d2\n";

/* A copy with each `from` as `to`, and its "#" as an indent. */
static char *make(const char *from, const char *to, const char *indent)
{
    char *text = malloc(4 * sizeof program), *end = text;
    assert_non_null(text);
    assert_true(from == NULL || strstr(program, from) != NULL);
    for (const char *p = program; *p != '\0';) {
        if (from != NULL && strncmp(p, from, strlen(from)) == 0) {
            end = stpcpy(end, to);
            p += strlen(from);
        } else if (*p == '#' && p > program) {
            end = stpcpy(end, indent);
            p++;
        } else {
            *end++ = *p++;
        }
    }
    *end = '\0';
    return text;
}

/* As a later pass leaves it: the automatic scope is written down. */
static char *make_later(const char *from, const char *to)
{
    char *text = make(from, to, "            ");
    char *line = strstr(text, "            b: ");
    size_t rest = strlen(line) + 1;
    static const char scope[] = "        with pl.scope():\n";
    memmove(line + sizeof scope - 1, line, rest);
    memcpy(line, scope, sizeof scope - 1);
    char *role = strstr(strstr(text, "Orchestrator"), ")");
    static const char off[] = ", auto_scope=False";
    memmove(role + sizeof off - 1, role, strlen(role) + 1);
    memcpy(role, off, sizeof off - 1);
    return text;
}

static char *write_pair(char *later)
{
    char *folder = tool_folder();
    char *first = make(NULL, NULL, "        ");
    tool_write(folder, SIMPLIFY, first);
    tool_write(folder, LATER, later);
    free(first);
    free(later);
    return folder;
}

static void expect_part(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("not found: %s\nin:\n%s", part, text);
}

/* Removes the folder. Every part is there; all of it is of diff.stage. */
static void expect_changes(char *folder, const char *const *parts)
{
    tool_result text, json;
    tool_run(&text, NULL, "lint", "--stages", folder, NULL);
    tool_run(&json, NULL, "lint", "--stages", "--json", folder, NULL);
    if (text.status != 1)
        fail_msg("status %d:\n%s%s", text.status, text.out, text.error);
    assert_int_equal(json.status, 1);
    assert_string_equal(text.error, "");
    assert_null(strstr(text.out, "error hazard."));
    long long records = 0, expected = 0;
    for (const char *at = json.out;
         (at = strstr(at, "\"rule\":\"diff.stage\"")) != NULL; at++)
        records++;
    while (parts[expected] != NULL)
        expect_part(text.out, parts[expected++]);
    if (records != expected)
        fail_msg("%lld changes, expected %lld:\n%s", records, expected,
                 text.out);
    expect_part(text.out,
                "error diff.stage: between 45 Simplify and 49 Later ");
    expect_part(json.out, "{\"verdict\":\"findings\",");
    assert_int_equal(tool_number(json.out, "error"), expected);
    tool_free(&text);
    tool_free(&json);
    tool_remove(folder);
}

#define EXPECT(later, ...)                                                     \
    expect_changes(write_pair(later), (const char *const[]){__VA_ARGS__, NULL})

static void expect_silence(char *folder)
{
    tool_result r;
    tool_run(&r, NULL, "lint", "--stages", folder, NULL);
    if (r.status != 0)
        fail_msg("status %d:\n%s%s", r.status, r.out, r.error);
    assert_string_equal(r.out, "");
    assert_string_equal(r.error, "");
    tool_free(&r);
    tool_remove(folder);
}

/* Written scopes, other lines, other names, a dep twice: no change. */
static void no_change(void **state)
{
    (void)state;
    expect_silence(write_pair(make_later(NULL, NULL)));
    expect_silence(write_pair(make_later("b2_t", "z")));
    expect_silence(write_pair(make_later("deps=[i, j]", "deps=[j, i, j]")));
    expect_silence(write_pair(make_later("#return", "\n" DEEP "return")));
}

static void deps(void **state)
{
    (void)state;
    EXPECT(make_later("deps=[i]", "deps=[None]"),
           "task 1 \"fill\" lost its dep on task 0 \"fill\", and nothing "
           "orders the two now\n  in 45_after_Simplify.py, mill:\n     17 | ");
    EXPECT(make_later("deps=[i, j]", "deps=[j]"),
           "task 2 \"fill\" lost its dep on task 0 \"fill\", which other edges "
           "still order\n");
    EXPECT(make_later("fill, d1, r,", "fill, d1, r, deps=[i],"),
           "task 4 \"fill\" got a dep on task 0 \"fill\", and nothing ordered "
           "the two\n");
    EXPECT(make_later("#    c1_t: " TASK
                      " = pl.submit(self.fill, b1, c, deps=[",
                      DEEP "    z: pl.Scalar[pl.TASK_ID] = "
                           "pl.system.task_invalid()\n" //
                      DEEP "    c1_t: " TASK
                           " = pl.submit(self.fill, b1, c, deps=[z, "),
           "task 1 \"fill\" got an invalid dep\n");
    EXPECT(make_later(", \"compiler_manual_dep_edges\": [r1_t]", ""),
           "task 5 \"fill\" lost its dep on task 4 \"fill\", and nothing "
           "orders the two now\n");
}

static void directions(void **state)
{
    (void)state;
    EXPECT(make_later("inout], \"comp", "output_existing], \"comp"),
           "argument 1 of task 5 \"fill\" was dispatched as inout and is as "
           "output_existing\n");
    EXPECT(make_later("d1, r, attrs={\"arg_directions\": [pl.adir.input",
                      "d1, r, attrs={\"arg_directions\": [pl.adir.no_dep"),
           "argument 0 of task 4 \"fill\" was dispatched as input and is as "
           "no_dep\n",
           "task 4 \"fill\" waits no longer for task 3 \"fill\"\n");
    EXPECT(make_later("layout=pl.TensorLayout.ND)\n#with",
                      "layout=pl.TensorLayout.ND, manual_dep=True)\n" DEEP
                      "with"),
           "argument 1 of task 3 \"fill\" is now of a manual_dep tensor\n",
           "argument 0 of task 4 \"fill\" is now of a manual_dep tensor\n",
           "argument 1 of task 5 \"fill\" is now of a manual_dep tensor\n",
           "task 4 \"fill\" waits no longer for task 3 \"fill\"\n",
           "task 5 \"fill\" waits no longer for task 3 \"fill\"\n");
}

static void scopes(void **state)
{
    (void)state;
    EXPECT(make_later("mode=pl.ScopeMode.MANUAL", ""),
           "3 tasks, from task 0 \"fill\" to task 2 \"fill\", were in a manual "
           "scope and are in an automatic one\n");
    char *later = make_later(NULL, NULL);
    char *scope = strstr(later, "pl.scope()");
    static const char mode[] = "mode=pl.ScopeMode.MANUAL";
    memmove(scope + 9 + strlen(mode), scope + 9, strlen(scope + 9) + 1);
    memcpy(scope + 9, mode, strlen(mode));
    EXPECT(later,
           "3 tasks, from task 3 \"fill\" to task 5 \"fill\", were in an "
           "automatic scope and are in a manual one\n",
           "task 4 \"fill\" waits no longer for task 3 \"fill\"\n",
           "task 5 \"fill\" waits no longer for task 3 \"fill\"\n");
}

#define LAST                                                                   \
    "#d2: " T " = self.fill(y, d1, attrs={\"arg_directions\": "                \
    "[pl.adir.input, pl.adir.inout], \"compiler_manual_dep_edges\": "          \
    "[r1_t]})\n#return d2"

static void tasks(void **state)
{
    (void)state;
    EXPECT(make_later(LAST, DEEP "return d1"), "task 5 \"fill\" is gone\n");
    EXPECT(make_later("#return d2", DEEP "d3: " T " = self.fill(y, d2, attrs={"
                                         "\"arg_directions\": [pl.adir.input, "
                                         "pl.adir.inout]})\n" DEEP "return d3"),
           "task 6 \"fill\" is new\n");
}

/* Before the last Simplify passes are at work: a warning. */
static void before_simplify(void **state)
{
    (void)state;
    char *folder = write_pair(make_later(NULL, NULL));
    char *early = make("deps=[i]", "deps=[None]", "        ");
    tool_write(folder, "p/passes_dump/9_after_Early.py", early);
    free(early);
    tool_result r;
    tool_run(&r, NULL, "lint", "--stages", folder, NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "45_after_Simplify.py:20: warning diff.stage: between 9 "
                       "Early and 45 Simplify task 1 \"fill\" got a dep on "
                       "task 0 \"fill\", and nothing ordered the two\n");
    expect_part(r.out, "findings: 0 errors, 1 warnings, 1 notes");
    tool_free(&r);
    tool_expect(1, NULL, "lint", "--stages", "--fail-on", "warning", folder,
                NULL);
    tool_expect(0, NULL, "lint", "--fail-on", "warning", folder, NULL);
    tool_remove(folder);
}

/* Stages without directions are told of, and are no fault. */
static void unplanned(void **state)
{
    (void)state;
    char *folder = write_pair(make_later("deps=[i]", "deps=[None]"));
    char *early = make("\"arg_directions\"", "\"nothing\"", "        ");
    tool_write(folder, "p/passes_dump/09_after_Early.py", early);
    tool_write(folder, "p/passes_dump/47_after_Broken.py", "x");
    tool_write(folder, "p/passes_dump/frontend.py", "x");
    free(early);
    tool_result r;
    tool_run(&r, NULL, "lint", "--stages", tool_path(folder, SIMPLIFY), NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.out, "between 45 Simplify and 49 Later task 1 ");
    expect_part(r.error,
                "2 of 4 stages cannot be planned and are not compared, "
                "the first is 09_after_Early.py:17: the call of fill "
                "has no arg_directions");
    tool_free(&r);
    tool_run(&r, NULL, "lint", "--stages", "--quiet", folder, NULL);
    assert_int_equal(r.status, 1);
    assert_string_equal(r.error, "");
    assert_string_equal(r.out, "");
    tool_free(&r);
    tool_run(&r, NULL, "lint", "--stages", "corpus/programs/chain.py", NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.error, "chain.py: no stage (NN_after_PASS.py), nothing to "
                         "compare\n");
    tool_free(&r);
    tool_remove(folder);
}

/* By number, each with the one before: the pass is the one that did it. */
static void which_pass(void **state)
{
    (void)state;
    char *folder = write_pair(make_later(NULL, NULL));
    char *changed = make_later("deps=[i]", "deps=[None]");
    tool_write(folder, "p/passes_dump/100_after_Culprit.py", changed);
    tool_write(folder, "p/passes_dump/101_after_Innocent.py", changed);
    free(changed);
    tool_result r, twice;
    tool_run(&r, NULL, "lint", "--stages", folder, NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.out, "between 49 Later and 100 Culprit task 1 ");
    expect_part(r.out, "findings: 1 errors, ");
    tool_run(&twice, NULL, "lint", "--stages", "--jobs", "1", folder, NULL);
    assert_string_equal(r.out, twice.out);
    tool_free(&r);
    tool_free(&twice);
    tool_remove(folder);
}

/* Iterations of a loop are one change. */
static void loops(void **state)
{
    (void)state;
    static const char first[] =
        HEAD CREATE("b") "        for i in pl.range(4):\n" //
        SUBMIT_IN("            ", "b1", "i1", "x", "b", "output_existing", "")
            SUBMIT_IN("            ", "r1", "j", "b1", "r", "inout",
                      ", deps=[i1]") RETURN("x");
    char *folder = tool_folder();
    char later[sizeof first];
    memcpy(later, first, sizeof first);
    memcpy(strstr(later, "deps=[i1]"), "deps=[  ]", 9);
    tool_write(folder, SIMPLIFY, first);
    tool_write(folder, LATER, later);
    tool_result r;
    tool_run(&r, NULL, "lint", "--stages", folder, NULL);
    const char *change = strstr(r.out, "error diff.stage: ");
    assert_non_null(change);
    expect_part(change,
                " task 1 \"fill\" lost its dep on task 0 \"fill\", which "
                "other edges still order\n");
    expect_part(change, "\n  4 times in all\n");
    assert_null(strstr(change + 1, "error diff.stage"));
    tool_free(&r);
    tool_remove(folder);
}

/* Findings about the program stand before the changes, in one answer. */
static void with_findings(void **state)
{
    (void)state;
    char *first = make("deps=[i, j]", "deps=[i]", "        ");
    char *folder = write_pair(make_later("deps=[i, j]", "deps=[None]"));
    tool_write(folder, SIMPLIFY, first);
    free(first);
    tool_result r;
    tool_run(&r, NULL, "lint", "--stages", "--json", folder, NULL);
    assert_int_equal(r.status, 1);
    const char *hazard = strstr(r.out, "\"rule\":\"hazard.");
    const char *stage = strstr(r.out, "\"rule\":\"diff.stage\"");
    assert_true(hazard != NULL && stage != NULL && hazard < stage);
    expect_part(stage, "\"stages\":{\"after\":\"49_after_Later.py\","
                       "\"before\":\"45_after_Simplify.py\",\"line\":23}}");
    const char *verdict = strstr(r.out, "{\"verdict\"");
    assert_true(verdict > stage);
    assert_null(strstr(verdict + 1, "{\"verdict\""));
    tool_free(&r);
    tool_remove(folder);
}

/* The real pairs: what can be planned has not changed. */
static void real_programs(void **state)
{
    (void)state;
    test_needs(PAIRS);
    tool_result r;
    tool_run(&r, NULL, "lint", "--stages", "--json", PAIRS, NULL);
    size_t programs = 0;
    for (const char *at = r.out; (at = strstr(at, "\n{\"verdict\"")) != NULL;
         at++)
        programs++;
    assert_true(programs > 100);
    const char *change = strstr(r.out, "\"rule\":\"diff.stage\"");
    if (change != NULL)
        fail_msg("%.600s", change < r.out + 400 ? r.out : change - 400);
    tool_free(&r);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_change),     cmocka_unit_test(deps),
    cmocka_unit_test(directions),    cmocka_unit_test(scopes),
    cmocka_unit_test(tasks),         cmocka_unit_test(before_simplify),
    cmocka_unit_test(unplanned),     cmocka_unit_test(which_pass),
    cmocka_unit_test(loops),         cmocka_unit_test(with_findings),
    cmocka_unit_test(real_programs),
};

TEST_MAIN(tests)
