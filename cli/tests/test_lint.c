/* counterpoint lint end to end: what an author is shown, and in which order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../scripts/testing/harness.h"
#include "lint_texts.h"
#include "tool.h"

#define PROGRAMS "corpus/programs/"

/* b is read by the second task and written again by the third. */
#define REUSED                                                                 \
    HEAD CREATE("b") CALL("b1", "x", "b", "output_existing")                   \
        CALL("r1", "b1", "r", "output_existing")                               \
            CALL("b2", "y", "b1", "inout")                                     \
                CALL("s1", "b2", "s", "output_existing") RETURN("s1")

static void lint(tool_result *result, const char *text, const char *option)
{
    tool_run(result, text, "lint", "-", option, NULL);
}

static void expect_status(const tool_result *r, int status)
{
    if (r->status != status)
        fail_msg("status %d:\n%s%s", r->status, r->out, r->error);
}

/* Shows the text when it is not there; behind it otherwise. */
static const char *expect_part(const char *text, const char *part)
{
    const char *found = strstr(text, part);
    if (found == NULL)
        fail_msg("not found: %s\nin:\n%s", part, text);
    return found + strlen(part);
}

static void silent_when_clean(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "lint", PROGRAMS "chain.py", PROGRAMS "in_place.py",
             NULL);
    expect_status(&r, 0);
    assert_string_equal(r.out, "");
    assert_string_equal(r.error, "");
    tool_free(&r);
    tool_run(&r, NULL, "lint", "--json", PROGRAMS "chain.py", NULL);
    expect_status(&r, 0);
    assert_int_equal(strncmp(r.out, "{\"verdict\":\"clean\",", 19), 0);
    assert_ptr_equal(strchr(r.out, '\n'), r.out + r.out_length - 1);
    tool_free(&r);
}

static void block(void **state)
{
    (void)state;
    tool_result r;
    lint(&r, REUSED, NULL);
    expect_status(&r, 1);
    assert_string_equal(
        r.out,
        "-:16: error hazard.war: task 2 \"fill\" writes bytes 0 to 511 of "
        "alloc:b and does not wait for task 1 \"fill\", which still has to "
        "read them\n"
        "  in mill:\n"
        "     15 | r1: " T " = self.fill(b1, r, ...)\n"
        "        |                                             ^^ task 1, "
        "input\n"
        "     16 | b2: " T " = self.fill(y, b1, ...)\n"
        "        |                                                ^^ task 2, "
        "inout\n"
        "  why: nobody makes an edge for a write after a read\n"
        "  fix: add task 1 \"fill\" to the deps of task 2 \"fill\"\n"
        "\n"
        "findings: 1 errors, 0 warnings, 0 notes\n"
        "counterpoint explain hazard.war tells more\n");
    tool_free(&r);
}

/* The same program in the other layout: the same block but for the lines. */
static void ruff_layout(void **state)
{
    (void)state;
    tool_result raw, ruff;
    tool_run(&raw, NULL, "lint", PROGRAMS "waw_slices.py", NULL);
    tool_run(&ruff, NULL, "lint", PROGRAMS "waw_slices_ruff.py", NULL);
    expect_status(&raw, 1);
    expect_status(&ruff, 1);
    static const char *const quoted[] = {
        " | top__ssa_v1: ... = self.paint(red__ssa_v0, top__ssa_v0, ...)\n"
        "        |                                            ^^^^^^^^^^^ task "
        "0, output_existing\n",
        " | low__ssa_v1: ... = self.paint(blue__ssa_v0, low__ssa_v0, ...)\n"
        "        |                                             ^^^^^^^^^^^ "
        "task "
        "1, output_existing\n"};
    for (size_t i = 0; i < 2; i++) {
        expect_part(raw.out, quoted[i]);
        expect_part(ruff.out, quoted[i]);
    }
    tool_free(&raw);
    tool_free(&ruff);
}

/* Every message about order falls apart into what, why and fix. */
static void parts(void **state)
{
    (void)state;
    static const char *const names[] = {
        "external_race",  "manual_dep_partial", "manual_forgotten",
        "manual_to_auto", "no_dep_overlap",     "predicate_stale",
        "waw_reshapes",   "slot_overwritten",   "war_scratch"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[80];
        tool_result r;
        snprintf(path, sizeof path, PROGRAMS "%s.py", names[i]);
        tool_run(&r, NULL, "lint", path, NULL);
        const char *at = expect_part(r.out, "\n  in ");
        at = expect_part(at, "\n  why: ");
        at = expect_part(at, "\n  fix: ");
        expect_part(at, "\nfindings: ");
        tool_free(&r);
    }
}

/* --- What to mend first --- */

#define MANUAL "        with pl.scope(mode=pl.ScopeMode.MANUAL):\n"
#define IN "            "

static void most_mended_first(void **state)
{
    (void)state;
    /* 0 -> 1 ordered; 1 and 2, and 0 and 2 are not; the dep of 2 on 1 orders
     * both, the one on 0 only one. The one on 0 comes first in the program. */
    tool_result r;
    lint(&r,
         HEAD CREATE("b") CREATE("c")
             MANUAL SUBMIT_IN(IN, "b1", "i", "x", "b", "output_existing", "")
                 SUBMIT_IN(IN, "c1", "j", "b1", "c", "output_existing",
                           ", deps=[i]")
                     SUBMIT_IN(IN, "b2", "k", "c1", "b1", "inout", "")
                         SUBMIT_IN(IN, "s1", "l", "b2", "s", "output_existing",
                                   ", deps=[k]") RETURN("s1"),
         NULL);
    expect_status(&r, 1);
    const char *at = expect_part(r.out, "does not wait for task 1 \"fill\"");
    at = expect_part(at, "  this dep orders 2 of the other findings too\n");
    at = expect_part(at, "does not wait for task 0 \"fill\"");
    expect_part(at, "findings: 3 errors, ");
    assert_null(strstr(at, "this dep orders 2"));
    tool_free(&r);
}

/* A warning about a dep that the hazard comes of stands behind the hazard. */
static void dead_dep_with_hazard(void **state)
{
    (void)state;
    tool_result r;
    lint(&r,
         HEAD CREATE("b") CREATE("c") MANUAL
         "            none: pl.Scalar[pl.TASK_ID] = "
         "pl.system.task_invalid()\n" SUBMIT_IN(IN, "b1", "j", "x", "b",
                                                "output_existing", "")
             SUBMIT_IN(IN, "s1", "k", "b1", "s", "output_existing",
                       ", deps=[none]") CALL("c1", "x", "c", "output_existing")
                 CALL("r1", "c1", "r", "output_existing")
                     CALL("c2", "y", "c1", "inout")
                         CALL("s2", "c2", "s1", "inout") RETURN("s2"),
         NULL);
    expect_status(&r, 1);
    const char *at = expect_part(r.out, "error hazard.raw: ");
    at = expect_part(at, "\n\n-:20: warning graph.dead-dep: ");
    at = expect_part(at, ", deps=[none], ...)\n");
    at = expect_part(at, " ^^^^^^^^^^^ task 1\n");
    expect_part(at, "error hazard.war: ");
    tool_free(&r);
}

/* --- Inputs and statuses --- */

static void folders(void **state)
{
    (void)state;
    char *folder = tool_folder();
    tool_write(folder, "p/passes_dump/9_after_Simplify.py", "x");
    tool_write(folder, "p/passes_dump/44_after_Simplify.py", REUSED);
    tool_write(folder, "p/passes_dump/49_after_Last.py", "x");
    tool_write(folder, "p/deps.json", "{\"tasks\":[{\"kernel_ids\":[1]}]}");
    tool_copy(folder, "q/passes_dump/45_after_Simplify.py",
              PROGRAMS "chain.py");
    tool_result all, one, named;
    tool_run(&all, NULL, "lint", folder, NULL);
    expect_status(&all, 1);
    expect_part(all.out, "p/passes_dump/44_after_Simplify.py:16: error");
    expect_part(all.out, "findings: 1 errors, 0 warnings, 0 notes\n");
    tool_run(&one, NULL, "lint", tool_path(folder, "p/passes_dump"), NULL);
    tool_run(&named, NULL, "lint",
             tool_path(folder, "p/passes_dump/44_after_Simplify.py"), NULL);
    assert_string_equal(one.out, all.out);
    assert_string_equal(named.out, all.out);
    tool_free(&all);
    tool_free(&one);
    tool_free(&named);
    tool_remove(folder);
}

static void nothing_there(void **state)
{
    (void)state;
    char *folder = tool_folder();
    tool_result r;
    tool_run(&r, NULL, "lint", folder, NULL);
    expect_status(&r, 4);
    expect_part(r.error, "no input was found in it");
    tool_free(&r);
    tool_run(&r, NULL, "lint", "--quiet", folder, NULL);
    expect_status(&r, 4);
    assert_string_equal(r.error, "");
    tool_free(&r);
    tool_expect(2, NULL, "lint", tool_path(folder, "none.py"), NULL);
    tool_expect(2, NULL, "lint", NULL);
    tool_expect(2, NULL, "lint", "--rules", "mine", PROGRAMS "chain.py", NULL);
    tool_remove(folder);
}

static void refused(void **state)
{
    (void)state;
    tool_result r;
    lint(&r, "", NULL);
    expect_status(&r, 1);
    expect_part(r.out, "-: error doc.syntax: the file is empty\n");
    tool_free(&r);
    lint(&r, HEAD "        if x\n", NULL);
    expect_status(&r, 1);
    const char *at = expect_part(r.out, "-:13: error doc.syntax: ");
    at = expect_part(at, "  in mill:\n     13 | if x\n        |     ^");
    expect_part(at, "findings: 1 errors, ");
    tool_free(&r);
    lint(&r, "import pypto.language as pl\n", NULL);
    expect_status(&r, 1);
    expect_part(r.out, "compile it with dump_passes=True");
    tool_free(&r);
}

static void statuses(void **state)
{
    (void)state;
    tool_expect(0, NULL, "lint", PROGRAMS "external_race.py", NULL);
    tool_expect(1, NULL, "lint", "--fail-on", "warning",
                PROGRAMS "external_race.py", NULL);
    tool_expect(0, NULL, "lint", "--fail-on", "warning", PROGRAMS "chain.py",
                NULL);
    tool_expect(1, REUSED, "lint", "-", "--rules", "tensormap", NULL);
    tool_expect(0, REUSED, "lint", "-", "--rules", "conservative", NULL);
    tool_result r;
    lint(&r, REUSED, "--quiet");
    expect_status(&r, 1);
    assert_string_equal(r.out, "");
    tool_free(&r);
}

/* Notes alone are no reason to say anything. */
static void notes(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "lint", PROGRAMS "dead_write.py", NULL);
    expect_status(&r, 0);
    assert_string_equal(r.out, "");
    tool_free(&r);
    tool_run(&r, NULL, "lint", "--notes", PROGRAMS "dead_write.py", NULL);
    expect_status(&r, 0);
    expect_part(r.out, ":19: note hazard.dead-write: ");
    tool_free(&r);
    tool_run(&r, NULL, "lint", PROGRAMS "dead_write.py",
             PROGRAMS "external_race.py", NULL);
    expect_part(r.out, "1 notes are not shown (--notes)\n");
    tool_free(&r);
}

static void json(void **state)
{
    (void)state;
    tool_result lint_result, check;
    tool_run(&lint_result, NULL, "lint", "--json",
             PROGRAMS "manual_forgotten.py", NULL);
    tool_run(&check, NULL, "check", "--json", PROGRAMS "manual_forgotten.py",
             NULL);
    expect_status(&lint_result, 1);
    assert_string_equal(lint_result.out, check.out);
    const char *last = strstr(lint_result.out, "\n{\"verdict\":\"findings\",");
    assert_non_null(last);
    assert_string_equal(strchr(last + 1, '\n'), "\n");
    tool_free(&lint_result);
    tool_free(&check);
}

/* --- Findings that repeat --- */

#define ARG(buffer, how, mode)                                                 \
    "{\"buffer\":\"" buffer "\",\"dispatch\":\"" how                           \
    "\",\"access\":[{\"mode\":\"" mode "\",\"must\":true,\"exact\":true}]}"
#define STEP(id, line, how, mode, buffer)                                      \
    "{\"id\":" id ",\"name\":\"step\",\"line\":" line                          \
    ",\"args\":[" ARG(buffer, how, mode) "]}"
#define GRAPH(tasks)                                                           \
    "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"loop\","                \
    "\"rules\":\"tensormap\",\"buffers\":["                                    \
    "{\"key\":\"param:a\",\"bytes\":64,\"external\":true},"                    \
    "{\"key\":\"param:b\",\"bytes\":64,\"external\":true},"                    \
    "{\"key\":\"param:c\",\"bytes\":64,\"external\":true}],"                   \
    "\"tasks\":[" tasks "]}"

/* Three iterations that read and then write: one block that counts. */
static void repeated(void **state)
{
    (void)state;
    tool_result r;
    lint(&r,
         GRAPH(STEP("0", "5", "input", "read", "param:a") ","            //
               STEP("1", "7", "output_existing", "write", "param:a") "," //
               STEP("2", "5", "input", "read", "param:b") ","            //
               STEP("3", "7", "output_existing", "write", "param:b") "," //
               STEP("4", "5", "input", "read", "param:c") ","            //
               STEP("5", "7", "output_existing", "write", "param:c")),
         NULL);
    expect_status(&r, 1);
    const char *at = expect_part(r.out, "-:7: error hazard.war: task 1 ");
    at = expect_part(at, "  3 times in all: also tasks 2 and 3, 4 and 5\n");
    assert_null(strstr(at, "error hazard"));
    expect_part(at, "findings: 3 errors");
    tool_free(&r);
}

/* A real loop: what is read in one iteration is written in the next. */
static void loop(void **state)
{
    (void)state;
    tool_result r;
    lint(&r,
         HEAD CREATE("b") "        for i in pl.range(3):\n"
                          "    " CALL("b1", "x", "b", "output_existing") //
         "    " CALL("r1", "b1", "r", "inout") RETURN("r1"),
         NULL);
    expect_status(&r, 1);
    const char *at = expect_part(r.out, "-:15: error hazard.war: task 2 ");
    at = expect_part(at, "     15 | b1: ");
    at = expect_part(at, "     16 | r1: ");
    at =
        expect_part(at, "  this dep, in every iteration, should order 1 of the "
                        "other findings too\n"
                        "  2 times in all\n");
    at = expect_part(at, "\n-:15: error hazard.waw: task 2 ");
    at = expect_part(at, " ^ task 0 and task 2, output_existing\n");
    at = expect_part(at, "  2 times in all\n");
    assert_null(strstr(at, "15 | "));
    tool_free(&r);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(silent_when_clean),
    cmocka_unit_test(block),
    cmocka_unit_test(ruff_layout),
    cmocka_unit_test(parts),
    cmocka_unit_test(most_mended_first),
    cmocka_unit_test(dead_dep_with_hazard),
    cmocka_unit_test(folders),
    cmocka_unit_test(nothing_there),
    cmocka_unit_test(refused),
    cmocka_unit_test(statuses),
    cmocka_unit_test(notes),
    cmocka_unit_test(json),
    cmocka_unit_test(repeated),
    cmocka_unit_test(loop),
};

TEST_MAIN(tests)
