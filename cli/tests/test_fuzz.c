/* counterpoint fuzz: the same answers however the work is shared out. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../scripts/testing/harness.h"
#include "built.h"
#include "tool.h"

static void expect_part(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("not found: %s\nin: %s", part, text);
}

/* The object at the end of a run; its status is 0 or 1. */
static void run_json(tool_result *r, const char *jobs, const char *kinds,
                     const char *mode)
{
    tool_run(r, NULL, "fuzz", "--seed", "11", "--cases", "1500", "--jobs", jobs,
             "--kinds", kinds, "--mode", mode, "--tasks", "32", "--json", NULL);
    assert_true(r->status == 0 || r->status == 1);
}

static void same_for_any_jobs(void **state)
{
    (void)state;
    static const char *const modes[] = {"lean", "full"};
    for (size_t i = 0; i < 2; i++) {
        tool_result one, three;
        run_json(&one, "1", "score,graph", modes[i]);
        run_json(&three, "3", "score,graph", modes[i]);
        assert_string_equal(one.out, three.out);
        assert_int_equal(tool_number(one.out, "inputs"), 1500);
        assert_true(tool_number(one.out, "valid") * 10 > 1500 * 5);
        assert_true(tool_number(one.out, "refused") > 0);
        assert_true(tool_number(one.out, "median") > 1);
        tool_free(&one);
        tool_free(&three);
    }
}

static void other_seed_other_cases(void **state)
{
    (void)state;
    tool_result a, b;
    tool_run(&a, NULL, "fuzz", "--cases", "64", "--kinds", "score", "--json",
             NULL);
    tool_run(&b, NULL, "fuzz", "--cases", "64", "--kinds", "score", "--json",
             "--seed", "1", NULL);
    assert_string_not_equal(a.out, b.out);
    tool_free(&a);
    tool_free(&b);
}

/* A case alone is the one that stands in a batch. */
static void one_case(void **state)
{
    (void)state;
    tool_result alone, text, again, checked;
    tool_run(&text, NULL, "fuzz", "--seed", "3", "--case", "graph:17", "-o",
             "-", "--quiet", NULL);
    tool_run(&again, NULL, "fuzz", "--seed", "3", "--case", "graph:17", "-o",
             "-", "--quiet", NULL);
    assert_string_equal(text.out, again.out);
    assert_true(text.out_length > 2);
    tool_run(&alone, NULL, "fuzz", "--seed", "3", "--case", "graph:17",
             "--json", NULL);
    expect_part(alone.out, "\"file\":\"graph:17\"");
    tool_run(&checked, text.out, "check", "--json", "-", NULL);
    assert_int_equal(tool_number(alone.out, "total"),
                     tool_number(checked.out, "total"));
    tool_free(&alone);
    tool_free(&text);
    tool_free(&again);
    tool_free(&checked);
}

/* How often two of a pair are told apart. */
static long long identities(const char *kinds, const char *jobs)
{
    tool_result r;
    tool_run(&r, NULL, "fuzz", "--cases", "3000", "--jobs", jobs, "--kinds",
             kinds, "--tasks", "16", "--json", NULL);
    const char *at = strstr(r.out, "\"score.identity\"");
    assert_non_null(at);
    long long n = tool_number(at, "raised");
    assert_int_equal(tool_number(r.out, "disagreements"), 0);
    tool_free(&r);
    return n;
}

/* A pair is told wherever its second stands, also alone. */
static void pairs(void **state)
{
    (void)state;
    char label[40], both[96];
    bool found = false;
    long long n = identities("bundle", "1");
    assert_true(n > 10);
    assert_int_equal(identities("bundle", "3"), n);
    /* Three kinds: blocks begin between the two of a pair. */
    assert_true(identities("bundle,graph,record", "2") > 2);
    for (int i = 1; i < 600 && !found; i += 2) {
        tool_result r;
        snprintf(label, sizeof label, "bundle:%d", i);
        snprintf(both, sizeof both, "2 meanings: bundle:%d, bundle:%d; ", i - 1,
                 i);
        tool_run(&r, NULL, "fuzz", "--case", label, NULL);
        found = strstr(r.out, "score.identity:") != NULL;
        if (found) {
            expect_part(r.out, both);
            expect_part(r.out, " first differ in task ");
        }
        tool_free(&r);
    }
    assert_true(found);
}

static void refuses_wrong_usage(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "fuzz", "--case", "score:18446744073709551615", NULL);
    assert_int_equal(r.status, 2);
    expect_part(r.error, "a number up to 9223372036854775807");
    tool_free(&r);
    tool_expect(2, NULL, "fuzz", "--case", "graph", NULL);
    tool_expect(2, NULL, "fuzz", "--case", "graph:-1", NULL);
    tool_expect(2, NULL, "fuzz", "--kinds", "score,score", NULL);
    tool_expect(2, NULL, "fuzz", "--kinds", "nothing", NULL);
    tool_expect(2, NULL, "fuzz", "--cases", "4", "--planner", "/no/such", NULL);
    tool_expect(2, NULL, "fuzz", "--case", "score:3", "--planner", "/no/such",
                NULL);
    tool_expect(2, NULL, "fuzz", "--resume", NULL);
    tool_expect(2, NULL, "fuzz", "-o", "file", NULL);
    tool_expect(2, NULL, "fuzz", "--tasks", "1", NULL);
    tool_expect(2, NULL, "fuzz", "score.json", NULL);
    tool_expect(2, NULL, "fuzz", "--case", "score:3", "--db", "x.db", NULL);
    tool_expect(2, NULL, "fuzz", "--case", "score:3", "--cases", "9", NULL);
    tool_expect(2, NULL, "fuzz", "--case", "score:3", "--seconds", "9", NULL);
    tool_expect(2, NULL, "fuzz", "--case", "score:3", "--kinds", "ir", NULL);
    tool_expect(2, NULL, "fuzz", "--case", "score:3", "--resume", NULL);
    tool_expect(2, "no request\n", "serve", "--fuzz", NULL);
}

/* --- Planners that are bad --- */

static void run_bad(tool_result *r, const char *planner, const char *kind,
                    bool late, const char *jobs, const char *cases)
{
    setenv("BAD_PLANNER", kind, 1);
    unsetenv("FLUSH_LATE");
    if (late)
        setenv("FLUSH_LATE", "1", 1);
    tool_run(r, NULL, "fuzz", "--seed", "5", "--cases", cases, "--kinds",
             "score", "--tasks", "8", "--jobs", jobs, "--timeout", "2",
             "--memory", "64", "--planner", planner, "--json", NULL);
    assert_int_equal(r->status, 1);
}

/*
 * Each request that the planner is bad with is a finding, and nothing else:
 * also when right answers went down with it.
 */
static void bad_planner(const char *kind, const char *rule, const char *cases)
{
    char *folder = tool_folder();
    char name[64];
    const char *planner = built(folder, "bad_planner", false);
    tool_result now, late;
    run_bad(&now, planner, kind, false, "1", cases);
    run_bad(&late, planner, kind, true, "2", cases);
    assert_string_equal(now.out, late.out);
    snprintf(name, sizeof name, "\"rule\":\"%s\"", rule);
    expect_part(now.out, name);
    long long bad =
        tool_number(now.out, "crashed") + tool_number(now.out, "timed_out");
    assert_in_range(bad, 1, tool_number(now.out, "inputs") / 3);
    tool_free(&now);
    tool_free(&late);
    tool_remove(folder);
}

static void planner_crashes(void **state)
{
    (void)state;
    bad_planner("crash", "planner.crash", "160");
}

static void planner_gives_garbage(void **state)
{
    (void)state;
    bad_planner("garbage", "planner.protocol", "160");
}

static void planner_answers_another(void **state)
{
    (void)state;
    bad_planner("other", "planner.protocol", "160");
}

/*
 * When such a line comes is chance, so that it belongs to no case: the block
 * has one finding of it, always the same, and all answers count as they are.
 */
static void lines_nobody_asked_for(const char *kind)
{
    char *folder = tool_folder();
    const char *planner = built(folder, "bad_planner", false);
    tool_result good, now, late;
    run_bad(&good, planner, "good", false, "1", "160");
    run_bad(&now, planner, kind, false, "1", "160");
    run_bad(&late, planner, kind, true, "2", "160");
    assert_string_equal(now.out, late.out);
    assert_int_equal(tool_number(now.out, "crashed"), 0);
    assert_null(strstr(good.out, "planner.protocol"));
    expect_part(now.out, "\"case\":\"score:159\",\"cause\":\"gave a line that "
                         "answers nothing\",\"count\":1,");
    assert_int_equal(tool_number(strstr(now.out, "\"findings\":"), "error"),
                     tool_number(strstr(good.out, "\"findings\":"), "error") +
                         1);
    tool_free(&good);
    tool_free(&now);
    tool_free(&late);
    tool_remove(folder);
}

static void planner_answers_twice(void **state)
{
    (void)state;
    lines_nobody_asked_for("twice");
}

static void planner_says_more(void **state)
{
    (void)state;
    lines_nobody_asked_for("more");
}

/* Why a planner cannot work is told, and is in no answer. */
static void planner_complains(void **state)
{
    (void)state;
    tool_result r, quiet;
    tool_run(&r, NULL, "fuzz", "--cases", "5", "--kinds", "score", "--planner",
             "echo first >&2; echo \"no such package $$\" >&2; exit 3", NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.error, "score:0: the planner said: no such package ");
    assert_ptr_equal(strchr(r.error, '\n') + 1, r.error + strlen(r.error));
    tool_run(&quiet, NULL, "fuzz", "--cases", "5", "--kinds", "score",
             "--planner",
             "echo first >&2; echo \"no such package $$\" >&2; exit 3",
             "--quiet", "--json", NULL);
    assert_string_equal(quiet.error, "");
    expect_part(quiet.out, "ended with status 3");
    tool_free(&r);
    tool_free(&quiet);
}

static void planner_grows(void **state)
{
    (void)state;
    bad_planner("grow", "planner.memory", "24");
}

static void planner_hangs(void **state)
{
    (void)state;
    bad_planner("hang", "planner.timeout", "16");
}

/* No fault of an input excuses a bundle that is none. */
static void planner_gives_no_bundle(void **state)
{
    (void)state;
    char planner[600];
    tool_result good, bad;
    snprintf(planner, sizeof planner,
             "%s serve | sed -u 's/\"kind\":\"bundle\"/\"kind\":\"b\"/'",
             tool_program());
    tool_run(&good, NULL, "fuzz", "--cases", "64", "--kinds", "score", "--json",
             NULL);
    tool_run(&bad, NULL, "fuzz", "--cases", "64", "--kinds", "score", "--json",
             "--planner", planner, NULL);
    long long taken = 64 - tool_number(good.out, "refused");
    assert_in_range(taken, 40, 63);
    assert_int_equal(tool_number(good.out, "disagreements"), 0);
    assert_int_equal(tool_number(bad.out, "disagreements"), taken);
    tool_free(&good);
    tool_free(&bad);
}

/* A planner that is not there is a finding of each case, and no loop. */
static void planner_is_missing(void **state)
{
    (void)state;
    tool_result r;
    tool_run(&r, NULL, "fuzz", "--cases", "5", "--kinds", "score", "--planner",
             "exit 3", "--json", NULL);
    assert_int_equal(r.status, 1);
    assert_int_equal(tool_number(r.out, "crashed"), 5);
    tool_free(&r);
}

/*
 * Output without an end, on either stream, is the planner's fault and not our
 * worker's, and keeps nobody waiting.
 */
static void planner_floods(void **state)
{
    (void)state;
    static const struct {
        const char *planner, *memory, *rule;
    } floods[] = {
        {"tr -d '\\n' </dev/zero", "500", "planner.protocol"},
        {"tr -d '\\n' </dev/zero", "64", "planner.protocol"},
        {"yes nothing >&2", "64", "planner.timeout"},
        {"yes '{\"error\":{\"code\":\"doc.schema\",\"message\":\"no\"},"
         "\"id\":0}'",
         "64", "planner.timeout"},
    };
    for (size_t i = 0; i < sizeof floods / sizeof *floods; i++) {
        tool_result r;
        char rule[64];
        tool_run(&r, NULL, "fuzz", "--cases", "3", "--kinds", "score",
                 "--timeout", "1", "--memory", floods[i].memory, "--planner",
                 floods[i].planner, "--json", NULL);
        snprintf(rule, sizeof rule, "\"rule\":\"%s\"", floods[i].rule);
        expect_part(r.out, rule);
        if (r.status != 1 || tool_number(r.out, "disagreements") != 3)
            fail_msg("status %d: %s%s", r.status, r.out, r.error);
        tool_free(&r);
    }
}

/* --- The database --- */

static void records_a_run(void **state)
{
    (void)state;
    char *folder = tool_folder();
    tool_result plain, stored, told;
    const char *db = tool_path(folder, "f.db");
    tool_run(&plain, NULL, "fuzz", "--cases", "3000", "--kinds", "graph",
             "--tasks", "16", "--planner", "exit 3", "--json", NULL);
    tool_run(&stored, NULL, "fuzz", "--cases", "3000", "--kinds", "graph",
             "--tasks", "16", "--planner", "exit 3", "--json", "--db", db,
             NULL);
    assert_string_equal(plain.out, stored.out);
    tool_run(&told, NULL, "report", db, "--json", NULL);
    assert_int_equal(tool_number(told.out, "graph"), 3000);
    char a[80], b[80];
    tool_string(a, sizeof a, stored.out, "digest");
    tool_string(b, sizeof b, told.out, "digest");
    assert_string_equal(a, b);
    tool_free(&plain);
    tool_free(&stored);
    tool_free(&told);
    tool_remove(folder);
}

/* What a disagreement was about is kept: its text, and how to make it again. */
/* Lean it replays where that is asked for, and by default when full. */
static void replays_are_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *option, *value;
        int replay;
    } cases[] = {
        {"--seed", "1", 0},
        {"--replay", "3", 3},
        {"--mode", "lean", 0},
        {"--mode", "full", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tool_result r;
        char *folder = tool_folder();
        const char *db = tool_path(folder, "runs.db");
        tool_expect(0, NULL, "fuzz", "--cases", "64", "--tasks", "8", "--db",
                    db, cases[i].option, cases[i].value, NULL);
        tool_run(&r, NULL, "report", db, "--format", "json", NULL);
        assert_int_equal(tool_number(r.out, "replay"), cases[i].replay);
        tool_free(&r);
        tool_remove(folder);
    }
}

static void keeps_what_differs(void **state)
{
    (void)state;
    char *folder = tool_folder();
    tool_result r;
    const char *db = tool_path(folder, "f.db");
    tool_run(&r, NULL, "fuzz", "--cases", "6", "--kinds", "score", "--db", db,
             "--planner", "exit 3", NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.out, "--case score:0 --planner 'exit 3'");
    expect_part(r.out, "disagreements: 6 in 6 cases, 1 signatures");
    tool_free(&r);
    tool_run(&r, NULL, "report", db, NULL);
    expect_part(r.out, "6  error planner.crash (ended with status 3)");
    expect_part(r.out, "6  crashed");
    tool_free(&r);
    tool_remove(folder);
}

/*
 * Two planners that spoil the same word, for different reasons: the mark at the
 * end of the signature tells what each hangs on, for any jobs, and reduce takes
 * the signature that it belongs to.
 */
static void what_it_hangs_on(void **state)
{
    (void)state;
    static const struct {
        const char *needs, *mark;
    } lies[] = {
        {"\"symbol\"", "0"},
        {"\"InOut\"", "3"},
        {"\"name\"", "a"},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        char planner[512], signature[32], digest[80], other[80];
        char *folder = tool_folder();
        const char *db = tool_path(folder, "f.db");
        tool_result r;
        snprintf(planner, sizeof planner,
                 "%s serve | sed -u '/%s/"
                 "s/\"schema_version\":1/\"schema_version\":2/g'",
                 getenv("COUNTERPOINT"), lies[i].needs);
        tool_run(&r, NULL, "fuzz", "--cases", "64", "--kinds", "score",
                 "--tasks", "16", "--planner", planner, "--json", "--db", db,
                 NULL);
        assert_int_equal(r.status, 1);
        tool_string(digest, sizeof digest, r.out, "digest");
        tool_string(signature, sizeof signature, strstr(r.out, "\"buckets\""),
                    "signature");
        assert_string_equal(signature + 15, lies[i].mark);
        tool_free(&r);
        tool_run(&r, NULL, "fuzz", "--cases", "64", "--kinds", "score",
                 "--tasks", "16", "--planner", planner, "--json", "--jobs", "2",
                 NULL);
        tool_string(other, sizeof other, r.out, "digest");
        assert_string_equal(digest, other);
        tool_free(&r);
        tool_run(&r, NULL, "reduce", signature, "--db", db, "--planner",
                 planner, "--seconds", "2", "--json", NULL);
        assert_int_equal(r.status, 0);
        expect_part(r.out, signature);
        tool_free(&r);
        tool_remove(folder);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(same_for_any_jobs),
    cmocka_unit_test(other_seed_other_cases),
    cmocka_unit_test(one_case),
    cmocka_unit_test(pairs),
    cmocka_unit_test(refuses_wrong_usage),
    cmocka_unit_test(planner_crashes),
    cmocka_unit_test(planner_gives_garbage),
    cmocka_unit_test(planner_answers_another),
    cmocka_unit_test(planner_answers_twice),
    cmocka_unit_test(planner_says_more),
    cmocka_unit_test(planner_complains),
    cmocka_unit_test(planner_grows),
    cmocka_unit_test(planner_hangs),
    cmocka_unit_test(planner_gives_no_bundle),
    cmocka_unit_test(planner_is_missing),
    cmocka_unit_test(planner_floods),
    cmocka_unit_test(records_a_run),
    cmocka_unit_test(replays_are_asked_for),
    cmocka_unit_test(keeps_what_differs),
    cmocka_unit_test(what_it_hangs_on),
};

TEST_MAIN(tests)
