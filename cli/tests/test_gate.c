/* The golden gate, as a user meets it: every state and every exit status. */
#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../golden.h"
#include "tool.h"

#define PROGRAMS "corpus/programs/"

/* A folder with inputs in in/, and what follows from its name. */
typedef struct place {
    char *folder;
    char in[64], golden[64];
} place;

static void make_place(place *p)
{
    unsetenv("CI");
    unsetenv("SOURCE_DATE_EPOCH");
    p->folder = tool_folder();
    snprintf(p->in, sizeof p->in, "%s/in", p->folder);
    snprintf(p->golden, sizeof p->golden, "%s/golden", p->folder);
    assert_int_equal(mkdir(p->in, 0777), 0);
    tool_copy(p->in, "chain.py", PROGRAMS "chain.py");
    tool_copy(p->in, "loop.py", PROGRAMS "loop.py");
    tool_copy(p->in, "war.py", PROGRAMS "war_scratch.py");
}

static void make_blessed(place *p)
{
    make_place(p);
    tool_expect(0, NULL, "gate", "--golden", p->golden, "--bless", p->in, NULL);
}

/* The golden file of in/NAME. */
static const char *golden_of(const place *p, const char *name)
{
    char *plain = cli_golden_case(tool_path(p->in, name), "/");
    char *file = cli_golden_file(plain);
    const char *path = tool_path(p->golden, file);
    free(plain);
    free(file);
    return path;
}

static void read_file(char *text, size_t size, const char *path)
{
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    size_t length = fread(text, 1, size - 1, in);
    assert_true(length > 0 && length < size - 1);
    text[length] = '\0';
    fclose(in);
}

/* Puts `now` in the place of `was` in a golden file. */
static void edit(const place *p, const char *name, const char *was,
                 const char *now)
{
    char text[8192];
    const char *path = golden_of(p, name);
    read_file(text, sizeof text, path);
    char *at = strstr(text, was);
    assert_non_null(at);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(out, "%.*s%s%s", (int)(at - text), text, now, at + strlen(was));
    assert_int_equal(fclose(out), 0);
}

static void expect_text(const char *text, const char *words)
{
    if (strstr(text, words) == NULL)
        fail_msg("'%s' is not in\n%s", words, text);
}

/* Runs the gate over in/; the words must be in what it prints. */
static void expect_gate(const place *p, int status, const char *words)
{
    tool_result r;
    tool_run(&r, NULL, "gate", "--golden", p->golden, p->in, NULL);
    if (r.status != status)
        fail_msg("status %d, not %d\n%s%s", r.status, status, r.out, r.error);
    if (words != NULL)
        expect_text(r.out, words);
    tool_free(&r);
}

/* The project's own corpus is what its golden files say. */
static void own_corpus(void **state)
{
    (void)state;
    tool_result r;
    unsetenv("SOURCE_DATE_EPOCH");
    tool_run(&r, NULL, "gate", NULL);
    if (r.status != 0)
        fail_msg("status %d (CONTRIBUTING.md, Golden files)\n%s%s", r.status,
                 r.out, r.error);
    tool_free(&r);
}

static void same(void **state)
{
    (void)state;
    place p;
    make_blessed(&p);
    expect_gate(&p, 0, "3 cases: 3 the same");
    tool_remove(p.folder);
}

static void new_case(void **state)
{
    (void)state;
    place p;
    make_place(&p);
    expect_gate(&p, 1, "3 new");
    tool_expect(0, NULL, "gate", "--golden", p.golden, "--bless", p.in, NULL);
    tool_copy(p.in, "added.py", PROGRAMS "in_place.py");
    expect_gate(&p, 1, "added.py: gate.new: ");
    expect_gate(&p, 1, "3 the same (0 failing as expected), 0 changed, 1 new");
    tool_expect(0, NULL, "gate", "--golden", p.golden, "--bless",
                tool_path(p.in, "added.py"), NULL);
    expect_gate(&p, 0, "4 cases: 4 the same");
    tool_remove(p.folder);
}

static void changed(void **state)
{
    (void)state;
    place p;
    make_blessed(&p);
    edit(&p, "war.py", "verdict findings", "verdict clean");
    edit(&p, "war.py", "edges automatic data 3", "edges automatic data 4");
    expect_gate(&p, 1,
                "@@ edges @@ the edges that the judge derives\n"
                "-edges automatic data 4\n+edges automatic data 3\n"
                "@@ judgement @@ verdict and findings\n"
                "-verdict clean\n+verdict findings\n");
    tool_expect(0, NULL, "gate", "--golden", p.golden, "--bless", p.in, NULL);
    expect_gate(&p, 0, NULL);
    tool_remove(p.folder);
}

/* Another input under the old name: all that follows is told. */
static void changed_input(void **state)
{
    (void)state;
    place p;
    make_blessed(&p);
    tool_copy(p.in, "war.py", PROGRAMS "war_scratch_mended.py");
    expect_gate(&p, 1, "-finding hazard.war error war ");
    tool_result r;
    tool_run(&r, NULL, "gate", "--golden", p.golden, "--why",
             tool_path(p.in, "war.py"), NULL);
    assert_int_equal(r.status, 1);
    expect_text(r.out, "the first stage that changed is input: ");
    expect_text(r.out, "what comes after it changed too: reading, ");
    assert_null(strstr(r.out, "-finding"));
    tool_free(&r);
    tool_remove(p.folder);
}

static void orphan(void **state)
{
    (void)state;
    place p;
    make_blessed(&p);
    const char *input = tool_path(p.in, "chain.py");
    edit(&p, "war.py", "tasks 4", "tasks 5");
    assert_int_equal(unlink(input), 0);
    expect_gate(&p, 5, "gate.orphan");
    expect_gate(&p, 5, "1 changed, 0 new, 1 orphaned, 0 missing");
    tool_expect(5, NULL, "gate", "--golden", p.golden, input, NULL);
    /* Orphans elsewhere do not concern who asks about one case. */
    tool_expect(0, NULL, "gate", "--golden", p.golden,
                tool_path(p.in, "loop.py"), NULL);
    tool_expect(0, NULL, "gate", "--golden", p.golden, "--bless", input, NULL);
    assert_int_not_equal(access(golden_of(&p, "chain.py"), F_OK), 0);
    expect_gate(&p, 1, "2 cases: 1 the same (0 failing as expected), 1 ch");
    tool_remove(p.folder);
}

static void missing(void **state)
{
    (void)state;
    place p;
    make_blessed(&p);
    assert_int_equal(unlink(golden_of(&p, "chain.py")), 0);
    expect_gate(&p, 5, "in/chain.py: gate.missing");
    expect_gate(&p, 5, "0 changed, 0 new, 0 orphaned, 1 missing");
    tool_expect(0, NULL, "gate", "--golden", p.golden, "--bless", p.in, NULL);
    expect_gate(&p, 0, NULL);
    tool_remove(p.folder);
}

static void nothing_checked(void **state)
{
    (void)state;
    place p;
    make_place(&p);
    char *empty = tool_folder();
    tool_expect(4, NULL, "gate", "--golden", p.golden, empty, NULL);
    tool_expect(4, NULL, "gate", "--golden", p.golden, "--bless", empty, NULL);
    tool_remove(empty);
    tool_remove(p.folder);
}

/* Without a path, what is not found any more is never given up at once. */
static void nothing_given_up(void **state)
{
    (void)state;
    place p;
    char index[256];
    make_blessed(&p);
    snprintf(index, sizeof index, "path %s/*\n", p.in);
    tool_write(p.golden, "index", index);
    tool_expect(0, NULL, "gate", "--golden", p.golden, NULL);
    char moved[80];
    snprintf(moved, sizeof moved, "%s.away", p.in);
    assert_int_equal(rename(p.in, moved), 0);
    tool_expect(5, NULL, "gate", "--golden", p.golden, NULL);
    tool_result r;
    tool_run(&r, NULL, "gate", "--golden", p.golden, "--bless", NULL);
    assert_int_not_equal(r.status, 0);
    tool_free(&r);
    assert_int_equal(rename(moved, p.in), 0);
    tool_expect(0, NULL, "gate", "--golden", p.golden, NULL);
    tool_remove(p.folder);
}

static void usage(void **state)
{
    (void)state;
    place p;
    make_place(&p);
    tool_expect(2, NULL, "gate", "--golden", p.golden, NULL);
    tool_expect(2, NULL, "gate", "--golden", p.golden, "/nowhere/at/all", NULL);
    tool_expect(2, NULL, "gate", "--golden", p.golden, "-", NULL);
    tool_expect(2, NULL, "gate", "--golden", p.golden, "--bless", "--why", "x",
                NULL);
    tool_expect(2, NULL, "gate", "--golden", p.golden, "--why", "x", "y", NULL);
    tool_expect(2, NULL, "gate", "--today", "2026-02-30", p.in, NULL);
    setenv("SOURCE_DATE_EPOCH", "yesterday", 1);
    tool_expect(2, NULL, "gate", p.in, NULL);
    unsetenv("SOURCE_DATE_EPOCH");
    tool_write(p.folder, "golden/index", "<<<<<<< ours\n");
    tool_expect(2, NULL, "gate", "--golden", p.golden, p.in, NULL);
    tool_remove(p.folder);
}

static void one_of_two_unopened(void **state)
{
    (void)state;
    place p;
    make_blessed(&p);
    tool_expect(1, NULL, "gate", "--golden", p.golden, p.in, "/nowhere/x.py",
                NULL);
    tool_remove(p.folder);
}

static void no_blessing_in_ci(void **state)
{
    (void)state;
    place p;
    tool_result r;
    make_place(&p);
    setenv("CI", "true", 1);
    tool_run(&r, NULL, "gate", "--golden", p.golden, "--bless", p.in, NULL);
    assert_int_equal(r.status, 2);
    expect_text(r.error, "CI=true");
    assert_int_not_equal(access(p.golden, F_OK), 0);
    tool_free(&r);
    expect_gate(&p, 1, "3 new");
    setenv("CI", "false", 1);
    tool_expect(0, NULL, "gate", "--golden", p.golden, "--bless", p.in, NULL);
    setenv("CI", "true", 1);
    expect_gate(&p, 0, NULL);
    unsetenv("CI");
    tool_remove(p.folder);
}

/* Only what is named is blessed. */
static void blesses_what_is_named(void **state)
{
    (void)state;
    place p;
    make_blessed(&p);
    edit(&p, "war.py", "tasks 4", "tasks 5");
    edit(&p, "chain.py", "tasks 5", "tasks 4");
    tool_expect(0, NULL, "gate", "--golden", p.golden, "--bless",
                tool_path(p.in, "chain.py"), NULL);
    expect_gate(&p, 1, "-tasks 5\n+tasks 4\n");
    expect_gate(&p, 1, "2 the same (0 failing as expected), 1 changed");
    tool_remove(p.folder);
}

#define DYING_PLANNER "while read -r line; do kill -9 $$; done"

static void a_death_is_not_blessed(void **state)
{
    (void)state;
    place p;
    tool_result r;
    make_place(&p);
    tool_run(&r, NULL, "gate", "--golden", p.golden, "--bless", "--planner",
             DYING_PLANNER, p.in, NULL);
    assert_int_equal(r.status, 1);
    expect_text(r.error, "chain.py is not blessed: the planner");
    tool_free(&r);
    expect_gate(&p, 1, "3 new");
    tool_remove(p.folder);
}

static void why(void **state)
{
    (void)state;
    place p;
    tool_result r;
    make_blessed(&p);
    tool_run(&r, NULL, "gate", "--golden", p.golden, "--why",
             tool_path(p.in, "war.py"), NULL);
    assert_int_equal(r.status, 0);
    expect_text(r.out, "nothing changed");
    tool_free(&r);
    edit(&p, "war.py", "verdict findings", "verdict clean");
    edit(&p, "war.py", "digest score ", "digest score 0");
    tool_run(&r, NULL, "gate", "--golden", p.golden, "--why",
             tool_path(p.in, "war.py"), NULL);
    assert_int_equal(r.status, 1);
    expect_text(r.out, "the first stage that changed is score: the Score");
    expect_text(r.out, "what comes after it changed too: judgement\n");
    tool_free(&r);
    tool_run(&r, NULL, "gate", "--golden", p.golden, "--json", p.in, NULL);
    assert_int_equal(r.status, 1);
    expect_text(r.out, "\"stage\":\"score\"}");
    tool_free(&r);
    tool_remove(p.folder);
}

/* Lines for war.py, which is said to be clean, and the status on a day. */
static void expect_on(const place *p, const char *day, int status,
                      const char *words)
{
    tool_result r;
    tool_run(&r, NULL, "gate", "--golden", p->golden, "--today", day, p->in,
             NULL);
    if (r.status != status)
        fail_msg("%s: status %d, not %d\n%s%s", day, r.status, status, r.out,
                 r.error);
    expect_text(r.out, words);
    tool_free(&r);
}

#define TWO_EXPECTED                                                           \
    "# a person wrote this\n"                                                  \
    "expect-failure verdict until 2026-08-31: the harvest is late\n"           \
    "expect-failure finding hazard.war until 2026-08-31: until then\n"         \
    "verdict clean\n"

static void expected_failures(void **state)
{
    (void)state;
    place p;
    char text[8192];
    make_blessed(&p);
    edit(&p, "war.py", "verdict findings\n", TWO_EXPECTED);
    edit(&p, "war.py", "finding hazard.war error war", "# finding");
    expect_on(&p, "2026-08-30", 0, "3 the same (1 failing as expected)");
    expect_on(&p, "2026-08-31", 0, "fails as expected: expect-failure verd");
    expect_on(&p, "2026-09-01", 1, "the expected failure has expired: ");
    expect_on(&p, "2026-09-01", 1, "-verdict clean\n+verdict findings\n");
    setenv("SOURCE_DATE_EPOCH", "1788220799", 1); /* 2026-08-31T23:59:59Z */
    expect_gate(&p, 0, "1 failing as expected");
    setenv("SOURCE_DATE_EPOCH", "1788220800", 1);
    expect_gate(&p, 1, "expired");
    /* Blessing keeps what is wanted, and who wrote about it. */
    tool_expect(0, NULL, "gate", "--golden", p.golden, "--bless", p.in, NULL);
    unsetenv("SOURCE_DATE_EPOCH");
    read_file(text, sizeof text, golden_of(&p, "war.py"));
    expect_text(text, "# a person wrote this\n");
    expect_text(text, "expect-failure finding hazard.war until 2026-08-31: u");
    expect_text(text, "\nverdict clean\n");
    assert_null(strstr(text, "\nfinding"));
    expect_on(&p, "2026-08-31", 0, "3 the same (1 failing as expected)");
    tool_remove(p.folder);
}

/* A difference of another fact fails all the same. */
static void expected_and_not(void **state)
{
    (void)state;
    place p;
    make_blessed(&p);
    edit(&p, "war.py", "verdict findings\n",
         "expect-failure verdict until 2026-08-31: because\nverdict clean\n");
    edit(&p, "war.py", "tasks 4", "tasks 5");
    expect_on(&p, "2026-08-31", 1, "-tasks 5\n+tasks 4\n");
    tool_remove(p.folder);
}

static void no_longer_fails(void **state)
{
    (void)state;
    place p;
    char text[8192];
    make_blessed(&p);
    edit(&p, "war.py", "verdict findings\n",
         "expect-failure verdict until 2026-08-31: x\nverdict findings\n");
    expect_on(&p, "2026-08-31", 0, "no longer fails, take the line out: ");
    expect_on(&p, "2026-09-01", 0, "no longer fails, take the line out: ");
    tool_expect(0, NULL, "gate", "--golden", p.golden, "--bless", p.in, NULL);
    read_file(text, sizeof text, golden_of(&p, "war.py"));
    assert_null(strstr(text, "expect-failure"));
    tool_remove(p.folder);
}

static void broken_expectation(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "expect-failure verdict until 2026-08-31:\n",
        "expect-failure verdict until 2026-13-01: x\n",
        "expect-failure verdict until someday: x\n",
        "expect-failure verdict\n",
        "expect-failure\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char now[128];
        place p;
        make_blessed(&p);
        snprintf(now, sizeof now, "%sverdict clean\n", lines[i]);
        edit(&p, "war.py", "verdict findings\n", now);
        expect_gate(&p, 1, "this is not: expect-failure FACT until");
        tool_expect(1, NULL, "gate", "--golden", p.golden, "--bless", p.in,
                    NULL);
        expect_gate(&p, 1, "-verdict clean\n+verdict findings\n");
        tool_remove(p.folder);
    }
}

/* A merge gone wrong is seen. */
static void unknown_lines(void **state)
{
    (void)state;
    place p;
    make_blessed(&p);
    edit(&p, "war.py", "tasks 4\n", "tasks 4\ntasks 4\n<<<<<<< ours\n");
    expect_gate(&p, 1, "-tasks 4\n");
    expect_gate(&p, 1, "-<<<<<<< ours\n");
    tool_remove(p.folder);
}

static void digest_of(char digest[65], const place *p, const char *jobs)
{
    tool_result r;
    tool_run(&r, NULL, "gate", "--golden", p->golden, "--json", "--jobs", jobs,
             p->in, NULL);
    assert_int_equal(r.status, 5);
    tool_string(digest, 65, r.out, "digest");
    assert_int_equal(tool_number(r.out, "cases"), 3);
    assert_int_equal(tool_number(r.out, "changed"), 1);
    assert_int_equal(tool_number(r.out, "missing"), 1);
    assert_int_equal(tool_number(r.out, "new"), 0);
    assert_int_equal(tool_number(r.out, "orphan"), 1);
    tool_free(&r);
}

static void records(void **state)
{
    (void)state;
    place p;
    tool_result one, two;
    char a[65], b[65];
    make_blessed(&p);
    edit(&p, "war.py", "tasks 4", "tasks 5");
    assert_int_equal(unlink(golden_of(&p, "loop.py")), 0);
    tool_copy(p.in, "gone.py", PROGRAMS "dead_dep.py");
    tool_expect(0, NULL, "gate", "--golden", p.golden, "--bless",
                tool_path(p.in, "gone.py"), NULL);
    assert_int_equal(unlink(tool_path(p.in, "gone.py")), 0);
    digest_of(a, &p, "1");
    digest_of(b, &p, "2");
    assert_string_equal(a, b);
    tool_run(&one, NULL, "gate", "--golden", p.golden, "--json", "--jobs", "1",
             p.in, NULL);
    tool_run(&two, NULL, "gate", "--golden", p.golden, "--json", "--jobs", "2",
             tool_path(p.in, "war.py"), p.in, p.in, NULL);
    assert_string_equal(one.out, two.out);
    expect_text(one.out, "\"rule\":\"gate.changed\",\"severity\":\"error\"");
    expect_text(one.out, "\"rule\":\"gate.missing\",\"severity\":\"error\"");
    expect_text(one.out, "\"rule\":\"gate.orphan\",\"severity\":\"error\"");
    expect_text(one.out, "\"added\":[\"tasks 4\"],\"removed\":[\"tasks 5\"],"
                         "\"stage\":\"reading\"");
    tool_free(&one);
    tool_free(&two);
    tool_run(&one, NULL, "gate", "--golden", p.golden, "--quiet", p.in, NULL);
    assert_int_equal(one.status, 5);
    assert_string_equal(one.out, "");
    tool_free(&one);
    tool_remove(p.folder);
}

/* Names of files that are not nice: each has its own golden file. */
static void odd_names(void **state)
{
    (void)state;
    static const char *const names[] = {
        "a b.py",         "a%20b.py",      ".hidden.py",  "line\nbreak.py",
        "\xff\xfe.py",    "x.golden/y.py", "x.golden.py", "-dash.py",
        "caf\xc3\xa9.py", "..../z.py",
    };
    size_t count = sizeof names / sizeof *names;
    place p;
    char longest[256], words[64];
    make_place(&p);
    for (size_t i = 0; i < count; i++)
        tool_copy(p.in, names[i], PROGRAMS "chain.py");
    memset(longest, ' ', 240);
    strcpy(longest + 240, "a.py");
    tool_copy(p.in, longest, PROGRAMS "chain.py");
    longest[240] = 'b';
    tool_copy(p.in, longest, PROGRAMS "chain.py");
    tool_expect(0, NULL, "gate", "--golden", p.golden, "--bless", p.in, NULL);
    snprintf(words, sizeof words, "%zu cases: %zu the same (0", count + 5,
             count + 5);
    expect_gate(&p, 0, words);
    edit(&p, longest, "tasks 5", "tasks 6");
    edit(&p, names[4], "tasks 5", "tasks 6");
    expect_gate(&p, 1, "2 changed, 0 new, 0 orphaned, 0 missing");
    tool_remove(p.folder);
}

/* All that can be made of an input is in its golden file. */
static void all_members(void **state)
{
    (void)state;
    static const char *const inputs[] = {
        "corpus/gate/loom.json", "corpus/gate/weave.json", PROGRAMS "chain.py"};
    static const char *const facts[] = {"digest graph",
                                        "digest score",
                                        "fingerprint",
                                        "digest eligibility",
                                        "digest memory greedy_v0",
                                        "digest memory greedy_dag",
                                        "peak greedy_v0",
                                        "peak greedy_dag",
                                        "digest handle",
                                        "digest hbg",
                                        "digest liveness",
                                        "digest alias",
                                        "digest conflicts"};
    place p;
    make_place(&p);
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        char text[8192], words[64];
        tool_copy(p.in, "input", inputs[i]);
        tool_expect(0, NULL, "gate", "--golden", p.golden, "--bless",
                    tool_path(p.in, "input"), NULL);
        read_file(text, sizeof text, golden_of(&p, "input"));
        for (size_t k = 0; k < sizeof facts / sizeof *facts; k++) {
            snprintf(words, sizeof words, "\n%s ", facts[k]);
            expect_text(text, words);
        }
    }
    tool_remove(p.folder);
}

/* The extra members are not judged: an error in them is none of the case. */
static void members_are_not_judged(void **state)
{
    (void)state;
    place p;
    char text[8192];
    make_place(&p);
    tool_copy(p.in, "loom.json", "corpus/gate/loom.json");
    tool_expect(0, NULL, "gate", "--golden", p.golden, "--bless", "--planner",
                "while read -r line; do id=${line#*:}; printf '{\"error\":"
                "{\"code\":\"doc.unsupported\",\"message\":\"no\"},\"id\":"
                "%s}\\n' ${id%%,*}; done",
                tool_path(p.in, "loom.json"), NULL);
    read_file(text, sizeof text, golden_of(&p, "loom.json"));
    expect_text(text, "\nverdict clean\n");
    assert_null(strstr(text, "\ndigest "));
    tool_remove(p.folder);
}

/* What a planner says of memory is a fact where it says it. */
static void foreign_members(void **state)
{
    (void)state;
    place p;
    char text[8192];
    make_place(&p);
    tool_expect(0, NULL, "gate", "--golden", p.golden, "--bless", "--planner",
                "while read -r line; do id=${line#*:}; printf '{\"bundle\":"
                "{\"kind\":\"bundle\",\"members\":[{\"role\":\"memory\","
                "\"document\":{\"peak_memory\":4096}},{\"role\":\"a b\","
                "\"text\":\"x\"}],\"version\":1},\"id\":%s}\\n' ${id%%,*}; "
                "done",
                tool_path(p.in, "chain.py"), NULL);
    read_file(text, sizeof text, golden_of(&p, "chain.py"));
    expect_text(text, "\npeak - 4096\n");
    expect_text(text, "\ndigest memory - ");
    expect_text(text, "\ndigest a%20b ");
    tool_remove(p.folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(own_corpus),
    cmocka_unit_test(same),
    cmocka_unit_test(new_case),
    cmocka_unit_test(changed),
    cmocka_unit_test(changed_input),
    cmocka_unit_test(orphan),
    cmocka_unit_test(missing),
    cmocka_unit_test(nothing_checked),
    cmocka_unit_test(nothing_given_up),
    cmocka_unit_test(usage),
    cmocka_unit_test(one_of_two_unopened),
    cmocka_unit_test(no_blessing_in_ci),
    cmocka_unit_test(blesses_what_is_named),
    cmocka_unit_test(a_death_is_not_blessed),
    cmocka_unit_test(why),
    cmocka_unit_test(expected_failures),
    cmocka_unit_test(expected_and_not),
    cmocka_unit_test(no_longer_fails),
    cmocka_unit_test(broken_expectation),
    cmocka_unit_test(unknown_lines),
    cmocka_unit_test(records),
    cmocka_unit_test(odd_names),
    cmocka_unit_test(all_members),
    cmocka_unit_test(members_are_not_judged),
    cmocka_unit_test(foreign_members),
};

TEST_MAIN(tests)
