/* Buckets over runs: their states, the known issues, how they are found. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "nights.h"
#include "reports/triage.h"
#include "reports/upkeep.h"

#define A "00000000000000aa"
#define B "00000000000000bb"
#define C "00000000000000cc"
#define TODAY "2026-06-15"

/* --- What is listed, as words --- */

typedef struct list {
    char text[1024];
} list;

static bool add_issue(void *context, const report_issue *issue)
{
    list *l = context;
    size_t length = strlen(l->text);
    snprintf(l->text + length, sizeof l->text - length, "%s%s:%s",
             length == 0 ? "" : " ", issue->signature + 14,
             report_state_name(issue->state));
    return true;
}

static bool add_absent(void *context, const report_issue *issue)
{
    list *l = context;
    size_t length = strlen(l->text);
    snprintf(l->text + length, sizeof l->text - length, "%s%s%s",
             length == 0 ? "" : " ", issue->signature + 14,
             issue->missed ? "?" : "");
    return true;
}

static void expect(const nights *m, const report_question *q,
                   const report_known_list *known, const char *words)
{
    list l = {""};
    report_error error = {0};
    report_store *store = nights_open(m, REPORT_READ);
    if (report_triage(store, known, TODAY, &error) != REPORT_OK ||
        report_each_issue(store, q, add_issue, &l, &error) != REPORT_OK)
        fail_msg("%s", error.message);
    nights_close(store);
    assert_string_equal(l.text, words);
}

static void expect_now(const nights *m, const char *words)
{
    report_question q = {.all = true};
    expect(m, &q, NULL, words);
}

static void expect_then(const nights *m, int64_t run, const char *words)
{
    report_question q = {.run = run, .all = true};
    expect(m, &q, NULL, words);
}

/* --- States --- */

static void states_follow_runs(void **state)
{
    (void)state;
    nights m = nights_begin();
    nights_run(&m, "{}", A);
    expect_now(&m, "aa:new");
    nights_run(&m, "{}", A " " B);
    expect_now(&m, "bb:new aa:open");
    nights_run(&m, "{}", B);
    expect_now(&m, "bb:open aa:fixed");
    nights_run(&m, "{}", A " " B);
    expect_now(&m, "aa:reappeared bb:open");
    nights_run(&m, "{}", A " " B);
    expect_now(&m, "aa:open bb:open");
    expect_then(&m, 1, "aa:new");
    expect_then(&m, 2, "bb:new aa:open");
    expect_then(&m, 3, "bb:open");
    expect_then(&m, 4, "aa:reappeared bb:open");
    expect_then(&m, 5, "aa:open bb:open");
    nights_end(&m);
}

/* A run that looked elsewhere shows nothing to be gone. */
static void other_inputs_show_nothing(void **state)
{
    (void)state;
    nights m = nights_begin();
    nights_run(&m, "{\"seed\":1}", A);
    nights_run(&m, "{\"seed\":2}", B);
    expect_now(&m, "bb:new aa:open");
    nights_run(&m, "{\"rules\":null}", C);
    expect_now(&m, "bb:new cc:new aa:open");
    nights_run(&m, "{\"seed\":1}", "");
    expect_now(&m, "cc:new bb:open aa:fixed");
    nights_end(&m);
}

/* One that was interrupted may have had it at its end. */
static void interrupted_runs_show_nothing(void **state)
{
    (void)state;
    nights m = nights_begin();
    nights_run(&m, "{}", A);
    nights_interrupted(&m, "{}");
    expect_now(&m, "aa:open");
    nights_run(&m, "{}", A);
    expect_then(&m, 3, "aa:open");
    nights_end(&m);
}

static bool fake_sha256(char hex[65], const char *data, size_t length)
{
    snprintf(hex, 65, "%.*s", (int)(length < 64 ? length : 64), data);
    return true;
}

static void see_fault(void *context, const char *sentence)
{
    (void)context;
    print_message("%s\n", sentence);
}

/* All that is counted is what is there. */
static void verify(const nights *m)
{
    int64_t faults = 0;
    report_error error = {0};
    report_store *store = nights_open(m, REPORT_WRITE);
    if (report_verify(&faults, store, fake_sha256, see_fault, NULL, &error) !=
        REPORT_OK)
        fail_msg("%s", error.message);
    nights_close(store);
    assert_int_equal(faults, 0);
}

/* What run 1 has and run 2 has not, with "?" where run 2 could not show it. */
static void expect_absent(const nights *m, const char *words)
{
    list l = {""};
    report_error error = {0};
    report_question q = {.run = 1, .other = 2, .all = true};
    report_store *store = nights_open(m, REPORT_READ);
    if (report_triage(store, NULL, TODAY, &error) != REPORT_OK ||
        report_each_issue(store, &q, add_absent, &l, &error) != REPORT_OK)
        fail_msg("%s", error.message);
    nights_close(store);
    assert_string_equal(l.text, words);
}

static void gc(const nights *m)
{
    report_error error;
    report_pruned pruned;
    report_store *store = nights_open(m, REPORT_WRITE);
    assert_int_equal(report_gc(&pruned, store, 1, &error), REPORT_OK);
    nights_close(store);
    assert_true(pruned.runs > 0);
}

/* What is said of a bucket, and still is when the rows of old runs are gone. */
static void expect_kept(const nights *m, const char *words)
{
    expect_now(m, words);
    verify(m);
    nights_run(m, "{\"o\":1}", "");
    gc(m);
    expect_now(m, words);
    verify(m);
}

static void crashes_show_nothing(void **state)
{
    (void)state;
    static const char *const words[] = {"crashed", "timed_out"};
    for (size_t i = 0; i < 2; i++) {
        nights m = nights_begin();
        nights_run(&m, "{}", A);
        nights_run(&m, "{}", words[i]);
        expect_absent(&m, "aa?");
        expect_now(&m, "aa:open");
        nights_run(&m, "{}", A);
        expect_then(&m, 3, "aa:open");
        nights_end(&m);
    }
}

/* One of two inputs that had it was not judged, whichever that is. */
static void one_of_its_inputs_crashed(void **state)
{
    (void)state;
    static const nights_input both[] = {{"in/p.py", A}, {"in/q.py", A " " B}};
    static const nights_input second[] = {{"in/p.py", ""},
                                          {"in/q.py", "crashed"}};
    static const nights_input first[] = {{"in/p.py", "timed_out"},
                                         {"in/q.py", ""}};
    nights m = nights_begin();
    nights_run_all(&m, "{}", both, 2);
    nights_run_all(&m, "{}", second, 2);
    expect_absent(&m, "aa? bb?");
    expect_kept(&m, "aa:open bb:open");
    nights_end(&m);
    m = nights_begin();
    nights_run_all(&m, "{}", both, 2);
    nights_run_all(&m, "{}", first, 2);
    expect_absent(&m, "aa? bb");
    expect_kept(&m, "aa:open bb:fixed");
    nights_end(&m);
}

/* A run that did not look at the input; and one that did at another place. */
static void inputs_that_were_not_there(void **state)
{
    (void)state;
    static const nights_input moved[] = {{"in/new.py", ""}, {"in/p.py", ""}};
    nights m = nights_begin();
    nights_run(&m, "{}", A);
    nights_run_of(&m, "{}", "in/q.py", "");
    expect_absent(&m, "aa?");
    expect_kept(&m, "aa:open");
    nights_run(&m, "{}", A);
    expect_then(&m, nights_ask(&m, "SELECT max(run) FROM runs"), "aa:open");
    nights_end(&m);
    m = nights_begin();
    nights_run(&m, "{}", A);
    nights_run_all(&m, "{}", moved, 2);
    expect_absent(&m, "aa");
    expect_kept(&m, "aa:fixed");
    nights_run(&m, "{}", A);
    expect_then(&m, nights_ask(&m, "SELECT max(run) FROM runs"),
                "aa:reappeared");
    nights_end(&m);
}

/* Another version makes other cases of the same names. */
static void cases_of_another_version(void **state)
{
    (void)state;
    static const char fuzz[] = "{\"seed\":1,\"verb\":\"fuzz\"}";
    nights m = nights_begin();
    nights_run_of(&m, fuzz, "score:1", A);
    nights_sql(&m, "UPDATE runs SET tool = '0.0.0'");
    nights_run_all(&m, fuzz, NULL, 0);
    expect_absent(&m, "aa?");
    expect_now(&m, "aa:open");
    nights_sql(&m, "UPDATE runs SET tool = '0.0.1'");
    nights_run_all(&m, fuzz, NULL, 0);
    expect_absent(&m, "aa");
    expect_now(&m, "aa:fixed");
    nights_end(&m);
}

static void reruns_tell_what_is_flaky(void **state)
{
    (void)state;
    nights m = nights_begin();
    nights_run(&m, "{}", A);
    nights_run(&m, "{\"verb\":\"rerun\"}", "");
    nights_sql(&m, "INSERT INTO reruns VALUES(2, 1, 10, 3)");
    expect_now(&m, "aa:flaky");
    nights_run(&m, "{}", "");
    expect_now(&m, "aa:flaky"); /* that it is missing once shows nothing */
    nights_run(&m, "{\"verb\":\"rerun\"}", "");
    nights_sql(&m, "INSERT INTO reruns VALUES(4, 1, 10, 0)");
    expect_now(&m, "aa:fixed");
    nights_end(&m);
}

static void joined_buckets_are_one(void **state)
{
    (void)state;
    nights m = nights_begin();
    nights_run(&m, "{}", A);
    nights_run(&m, "{}", A " " B);
    nights_run(&m, "{}", B);
    expect_now(&m, "bb:open aa:fixed");
    nights_sql(&m, "UPDATE buckets SET head = 1");
    expect_now(&m, "aa:open");
    nights_run(&m, "{}", "");
    expect_now(&m, "aa:fixed");
    nights_run(&m, "{}", B);
    expect_now(&m, "aa:reappeared");
    expect_then(&m, 2, "aa:open");
    nights_end(&m);
}

static void worst_first(void **state)
{
    (void)state;
    nights m = nights_begin();
    nights_run(&m, "{}", A " " B " " B);
    nights_run(&m, "{}", A " " B " " B);
    expect_now(&m, "bb:open aa:open");
    nights_sql(&m, "UPDATE buckets SET severity = 'warning' WHERE bucket = 2");
    expect_now(&m, "aa:open bb:open");
    nights_run(&m, "{}", A " " B " " C);
    expect_now(&m, "cc:new bb:open aa:open"); /* B is an error again */
    nights_end(&m);
}

static void questions_choose(void **state)
{
    (void)state;
    nights m = nights_begin();
    nights_run(&m, "{}", A " " B);
    nights_run(&m, "{}", B " " C);
    expect(&m, &(report_question){0}, NULL, "cc:new bb:open");
    expect(&m, &(report_question){.state = "fixed"}, NULL, "aa:fixed");
    expect(&m, &(report_question){.rule = "no.rule"}, NULL, "");
    expect(&m, &(report_question){.since = 1}, NULL, "cc:new");
    expect(&m, &(report_question){.bucket = 1}, NULL, "aa:fixed");
    expect(&m, &(report_question){.run = 2, .other = 1}, NULL, "cc:new");
    expect(&m, &(report_question){.run = 1, .other = 2}, NULL, "aa:new");
    expect(&m, &(report_question){.run = 2, .other = 1, .both = true}, NULL,
           "bb:open");
    nights_end(&m);
}

/* --- Known issues --- */

static void known_until_a_day(void **state)
{
    (void)state;
    static const char file[] =
        "\xef\xbb\xbf# ours\n"
        "\n"
        "  " A "\t2026-06-15  @me   see # 7\r\n" B " 2026-06-14 @you late";
    report_known_list known;
    report_error error;
    nights m = nights_begin();
    nights_run(&m, "{}", A " " B " " C);
    assert_int_equal(report_known_read(&known, file, sizeof file - 1, &error),
                     REPORT_OK);
    assert_int_equal(known.count, 2);
    assert_string_equal(known.items[0].reason, "see # 7");
    assert_string_equal(known.items[1].owner, "@you");
    expect(&m, &(report_question){0}, &known, "bb:new cc:new aa:known");
    nights_run(&m, "{}", B " " C);
    expect(&m, &(report_question){.all = true}, &known,
           "bb:open cc:open aa:fixed");
    report_known_free(&known);
    nights_end(&m);
}

static void malformed_lines_have_a_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {A " 2026-06-15 @me", "line 1 lacks its reason"},
        {"#\n" A " 2026-06-15", "line 2 lacks its owner"},
        {A, "line 1 lacks its day"},
        {A " 2026-02-29 @me why", "line 1 expires on 2026-02-29, which is no"},
        {A " 2026-00-10 @me why", "line 1 expires on 2026-00-10, which is no"},
        {A " 2026-6-15 @me why", "line 1 lacks its day"},
        {"00AA 2026-06-15 @me why", "line 1 begins with no signature"},
        {A "0 2026-06-15 @me why", "line 1 begins with no signature"},
        {A " 2026-06-15 @me why\n#\n" A " 2027-06-15 @you why",
         "line 3 names " A ", which line 1 names"},
        {A " 2026-06-15 @me \x1b[2J", "line 1 has the byte 0x1b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        report_known_list known;
        report_error error = {0};
        assert_int_equal(report_known_read(&known, cases[i].text,
                                           strlen(cases[i].text), &error),
                         REPORT_FOREIGN);
        if (strstr(error.message, cases[i].words) == NULL)
            fail_msg("%s", error.message);
        assert_int_equal(known.count, 0);
        report_known_free(&known);
    }
}

/* --- Finding one --- */

static void buckets_have_names(void **state)
{
    (void)state;
    int64_t bucket, head;
    report_error error;
    nights m = nights_begin();
    nights_run(&m, "{}",
               A " " B " "
                 "1111000000000000");
    nights_sql(&m, "UPDATE buckets SET head = 1 WHERE bucket = 2");
    report_store *store = nights_open(&m, REPORT_READ);
    assert_int_equal(report_find_bucket(&bucket, &head, store, "2", &error),
                     REPORT_OK);
    assert_int_equal(bucket, 2);
    assert_int_equal(head, 1);
    assert_int_equal(report_find_bucket(&bucket, &head, store, "1111", &error),
                     REPORT_OK);
    assert_int_equal(bucket, 3);
    assert_int_equal(report_find_bucket(&bucket, &head, store, B, &error),
                     REPORT_OK);
    assert_int_equal(bucket, 2);
    assert_int_equal(report_find_bucket(&bucket, &head, store, "111", &error),
                     REPORT_MISSING);
    nights_close(store);
    nights_sql(&m, "UPDATE buckets SET head = bucket");
    store = nights_open(&m, REPORT_READ);
    assert_int_equal(report_find_bucket(&bucket, &head, store, "0000", &error),
                     REPORT_MISSING);
    assert_non_null(strstr(error.message, "1 (hazard.raw), 2 (hazard.raw)"));
    nights_close(store);
    nights_end(&m);
}

static void options_are_compared(void **state)
{
    (void)state;
    static const char *const words[] = {"", "b, seed", "interrupted"};
    report_error error;
    nights m = nights_begin();
    nights_run(&m, "{\"seed\":1,\"a\":[1]}", A);
    nights_run(&m, "{\"seed\":1,\"a\":[1]}", "");
    nights_run(&m, "{\"seed\":2,\"a\":[1],\"b\":1}", "");
    nights_interrupted(&m, "{\"seed\":1,\"a\":[1]}");
    report_store *store = nights_open(&m, REPORT_READ);
    for (int64_t i = 0; i < 3; i++) {
        char *differs = NULL;
        assert_int_equal(
            report_compare_options(&differs, store, 1, 2 + i, &error),
            REPORT_OK);
        assert_string_equal(differs, words[i]);
        free(differs);
    }
    nights_close(store);
    nights_end(&m);
}

static void smallest_case(void **state)
{
    (void)state;
    report_example example;
    report_error error;
    nights m = nights_begin();
    nights_run(&m, "{}", A);
    report_store *store = nights_open(&m, REPORT_READ);
    assert_int_equal(report_find_example(&example, store, 1, true, &error),
                     REPORT_OK);
    assert_int_equal(example.run, 1);
    assert_int_equal(example.bytes, strlen(A));
    assert_string_equal(example.stored.text, A);
    assert_string_equal(example.rule, "hazard.raw");
    assert_string_equal(example.json, "{}");
    report_example_free(&example);
    assert_int_equal(report_find_example(&example, store, 2, true, &error),
                     REPORT_MISSING);
    nights_close(store);
    nights_end(&m);
}

static void expect_range(const nights *m, int64_t good, int64_t bad,
                         bool changed)
{
    report_range range;
    report_error error = {0};
    report_store *store = nights_open(m, REPORT_READ);
    if (report_find_range(&range, store, 1, &error) != REPORT_OK)
        fail_msg("%s", error.message);
    nights_close(store);
    assert_int_equal(range.good, good);
    assert_int_equal(range.bad, bad);
    assert_int_equal(range.changed, changed);
}

/* Only a run that could have shown it is a good one. */
static void ranges(void **state)
{
    (void)state;
    nights m = nights_begin();
    nights_run(&m, "{}", "");
    nights_run(&m, "{}", "crashed");
    nights_run(&m, "{\"rules\":1}", "");
    nights_run_of(&m, "{}", "in/other.py", "");
    nights_interrupted(&m, "{}");
    nights_run(&m, "{}", A);
    expect_range(&m, 1, 6, true);
    nights_run(&m, "{}", A);
    expect_range(&m, 1, 6, true);
    nights_run(&m, "{}", "");
    nights_run(&m, "{}", A);
    expect_range(&m, 8, 9, true);
    nights_sql(&m, "DELETE FROM verdicts WHERE run = 8");
    expect_range(&m, 1, 9, true);
    nights_sql(&m, "UPDATE runs SET pruned = 1 WHERE run = 8");
    expect_range(&m, 8, 9, false);
    nights_end(&m);
}

/* --- What people say --- */

static report_status say(report_store *store, const char *note,
                         const char *label, const char *unlabel)
{
    report_error error;
    report_saying what = {note, label, unlabel};
    return report_say(store, 1, &what, &error);
}

static void notes_and_labels(void **state)
{
    (void)state;
    nights m = nights_begin();
    nights_run(&m, "{}", A);
    report_store *store = nights_open(&m, REPORT_WRITE);
    assert_int_equal(say(store, "it's \"so\"", NULL, NULL), REPORT_OK);
    assert_int_equal(say(store, NULL, "x", NULL), REPORT_OK);
    assert_int_equal(say(store, NULL, "x", NULL), REPORT_OK);
    assert_int_equal(say(store, NULL, "y", NULL), REPORT_OK);
    assert_int_equal(say(store, NULL, NULL, "y"), REPORT_OK);
    assert_int_equal(say(store, NULL, NULL, "z"), REPORT_OK);
    nights_close(store);
    nights_run(&m, "{}", A);
    assert_int_equal(nights_ask(&m, "SELECT count(*) FROM labels"), 1);
    assert_int_equal(nights_ask(&m, "SELECT note = 'it''s \"so\"'"
                                    " FROM buckets"),
                     1);
    verify(&m);
    nights_end(&m);
}

static void joined_and_taken_back(void **state)
{
    (void)state;
    report_error error;
    nights m = nights_begin();
    nights_run(&m, "{}", A " " B " " C);
    report_store *store = nights_open(&m, REPORT_WRITE);
    assert_int_equal(report_join(store, 2, 1, &error), REPORT_OK);
    assert_int_equal(report_join(store, 3, 2, &error), REPORT_OK);
    assert_int_equal(report_join(store, 1, 3, &error), REPORT_MISSING);
    nights_close(store);
    expect_now(&m, "aa:new");
    store = nights_open(&m, REPORT_WRITE);
    assert_int_equal(report_join(store, 3, 3, &error), REPORT_OK);
    nights_close(store);
    expect_now(&m, "aa:new cc:new");
    verify(&m);
    nights_end(&m);
}

static int64_t split(const nights *m, int64_t bucket, const char *pattern,
                     int64_t moved)
{
    report_error error = {0};
    int64_t part = 0, n = 0;
    report_store *store = nights_open(m, REPORT_WRITE);
    if (report_split(&part, &n, store, bucket, pattern, &error) != REPORT_OK)
        fail_msg("%s", error.message);
    nights_close(store);
    assert_int_equal(n, moved);
    verify(m);
    return part;
}

static void expect_no_split(const nights *m, const char *pattern,
                            const char *words)
{
    report_error error = {0};
    int64_t part, n;
    report_store *store = nights_open(m, REPORT_WRITE);
    assert_int_equal(report_split(&part, &n, store, 1, pattern, &error),
                     REPORT_MISSING);
    if (strstr(error.message, words) == NULL)
        fail_msg("%s", error.message);
    nights_close(store);
    verify(m);
}

static void unsplit(const nights *m, int64_t bucket)
{
    report_error error = {0};
    int64_t whole = 0;
    report_store *store = nights_open(m, REPORT_WRITE);
    if (report_unsplit(&whole, store, bucket, &error) != REPORT_OK)
        fail_msg("%s", error.message);
    assert_int_equal(whole, 1);
    nights_close(store);
    verify(m);
}

/* Findings that are there move, those to come follow, and all comes back. */
static void split_and_taken_back(void **state)
{
    (void)state;
    nights m = nights_begin();
    nights_run_of(&m, "{\"a\":1}", "in/x.py", A);
    nights_run_of(&m, "{\"a\":2}", "in/y.py", A " " A);
    nights_run_of(&m, "{\"a\":2}", "in/y.py", "");
    assert_int_equal(nights_ask(&m, "SELECT gone_run FROM buckets"), 3);
    expect_no_split(&m, "in/z*", "no finding");
    expect_no_split(&m, "in/*", "nothing is left");
    int64_t part = split(&m, 1, "in/x*", 1);
    assert_int_equal(part, 2);
    expect_now(&m, "aa:new aa:fixed");
    expect_no_split(&m, "in/x*", "already");
    nights_run_of(&m, "{\"a\":1}", "in/x2.py", A);
    nights_run_of(&m, "{\"a\":1}", "in/y2.py", A);
    assert_int_equal(nights_ask(&m, "SELECT n FROM buckets WHERE bucket = 2"),
                     2);
    assert_int_equal(nights_ask(&m, "SELECT n FROM buckets WHERE bucket = 1"),
                     3);
    assert_int_equal(split(&m, 2, "in/x2*", 1), 3);
    unsplit(&m, 3);
    assert_int_equal(nights_ask(&m, "SELECT count(*) FROM buckets"), 3 - 1);
    unsplit(&m, 2);
    assert_int_equal(nights_ask(&m, "SELECT count(*) FROM buckets"), 1);
    assert_int_equal(nights_ask(&m, "SELECT n FROM buckets"), 5);
    assert_int_equal(nights_ask(&m, "SELECT count(*) FROM splits"), 0);
    nights_end(&m);
}

/* What gc took away stays counted where it was. */
static void split_after_gc(void **state)
{
    (void)state;
    report_pruned pruned;
    report_error error;
    nights m = nights_begin();
    nights_run_of(&m, "{}", "in/x.py", A);
    nights_run_of(&m, "{}", "in/x.py", A " " A);
    nights_run_of(&m, "{}", "in/y.py", A " " A " " A);
    nights_run_of(&m, "{}", "in/x.py", A " " A " " A);
    report_store *store = nights_open(&m, REPORT_WRITE);
    assert_int_equal(report_gc(&pruned, store, 2, &error), REPORT_OK);
    nights_close(store);
    int64_t part = split(&m, 1, "in/x*", 3);
    assert_int_equal(nights_ask(&m, "SELECT n FROM buckets WHERE bucket = 1"),
                     6);
    store = nights_open(&m, REPORT_WRITE);
    assert_int_equal(report_gc(&pruned, store, 1, &error), REPORT_OK);
    nights_close(store);
    unsplit(&m, part);
    assert_int_equal(nights_ask(&m, "SELECT n FROM buckets WHERE bucket = 1"),
                     9);
    assert_int_equal(nights_ask(&m, "SELECT runs FROM buckets"), 4);
    nights_end(&m);
}

static void rerun(const nights *m, int64_t times, int64_t shown)
{
    report_error error = {0};
    report_run what = {"0.0.1", "{\"verb\":\"rerun\"}", NULL,
                       "2026-01-01T00:00:00Z"};
    report_rerun asked = {1, times, shown};
    int64_t run;
    report_store *store = nights_open(m, REPORT_WRITE);
    if (report_add_reruns(&run, store, &what, "01", &asked, 1, &error) !=
        REPORT_OK)
        fail_msg("%s", error.message);
    nights_close(store);
    verify(m);
}

/* How something that another seed has found becomes fixed, and comes back. */
static void asked_again(void **state)
{
    (void)state;
    nights m = nights_begin();
    nights_run(&m, "{\"seed\":1}", A);
    nights_run(&m, "{\"seed\":2}", B);
    rerun(&m, 3, 0);
    expect_now(&m, "bb:new aa:fixed");
    assert_int_equal(nights_ask(&m, "SELECT gone_run FROM buckets"
                                    " WHERE bucket = 1"),
                     3);
    rerun(&m, 3, 1);
    expect_now(&m, "bb:new aa:flaky");
    rerun(&m, 3, 3);
    expect_now(&m, "aa:reappeared bb:new");
    nights_run(&m, "{\"seed\":3}", A);
    expect_now(&m, "aa:open bb:open");
    verify(&m);
    nights_end(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(states_follow_runs),
    cmocka_unit_test(other_inputs_show_nothing),
    cmocka_unit_test(interrupted_runs_show_nothing),
    cmocka_unit_test(crashes_show_nothing),
    cmocka_unit_test(one_of_its_inputs_crashed),
    cmocka_unit_test(inputs_that_were_not_there),
    cmocka_unit_test(cases_of_another_version),
    cmocka_unit_test(reruns_tell_what_is_flaky),
    cmocka_unit_test(joined_buckets_are_one),
    cmocka_unit_test(worst_first),
    cmocka_unit_test(questions_choose),
    cmocka_unit_test(known_until_a_day),
    cmocka_unit_test(malformed_lines_have_a_place),
    cmocka_unit_test(buckets_have_names),
    cmocka_unit_test(options_are_compared),
    cmocka_unit_test(smallest_case),
    cmocka_unit_test(ranges),
    cmocka_unit_test(notes_and_labels),
    cmocka_unit_test(joined_and_taken_back),
    cmocka_unit_test(split_and_taken_back),
    cmocka_unit_test(split_after_gc),
    cmocka_unit_test(asked_again),
};

TEST_MAIN(tests)
