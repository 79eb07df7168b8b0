/* Results of a run in the formats of others, and texts in each of them. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../../scripts/testing/xml.h"
#include "../text.h"
#include "made.h"
#include "reports/command.h"
#include "reports/upkeep.h"

static const report_view plain = {.folder = "/home/me"};

/* --- Texts --- */

static char *put(report_form form, const char *text)
{
    char *result = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&result, &length);
    assert_non_null(out);
    report_put(out, form, text);
    assert_int_equal(fclose(out), 0);
    return result;
}

static void expect_put(report_form form, const char *text, const char *expected)
{
    char *result = put(form, text);
    assert_string_equal(result, expected);
    free(result);
}

static void shows_what_is_hidden(void **state)
{
    (void)state;
    expect_put(REPORT_PLAIN, "a\nb\x1b", "a\\x0Ab\\x1B");
    expect_put(REPORT_PLAIN, "\xff\xc3(", "\\xFF\\xC3(");
    expect_put(REPORT_PLAIN, "\xc0\xaf\xed\xa0\x80",
               "\\xC0\\xAF\\xED\\xA0\\x80");
    expect_put(REPORT_PLAIN, "\xe2\x80\xae\xc2\x85", "\\u202E\\u0085");
    expect_put(REPORT_PLAIN, "\xef\xbf\xbf\xf3\xa0\x81\x81",
               "\\uFFFF\\U0E0041");
    expect_put(REPORT_PLAIN, "\xe6\xbc\xa2 \xf0\x9f\x98\x80",
               "\xe6\xbc\xa2 \xf0\x9f\x98\x80");
    expect_put(REPORT_PLAIN, "\xf4\x90\x80\x80", "\\xF4\\x90\\x80\\x80");
    expect_put(REPORT_PLAIN, NULL, "");
}

static void escapes_by_form(void **state)
{
    (void)state;
    expect_put(REPORT_XML, "]]><&\"\n", "]]&gt;&lt;&amp;&quot;\\x0A");
    expect_put(REPORT_JSON, "\"\\\n", "\\\"\\\\\\\\x0A");
    expect_put(REPORT_SARIF, "[a](b) (c", "[a] (b) (c");
    expect_put(REPORT_TAP, "a # SKIP \\", "a \\# SKIP \\\\");
    expect_put(REPORT_DATA, "5%\r:,", "5%25\\x0D:,");
    expect_put(REPORT_PROPERTY, "5%:,", "5%25%3A%2C");
    expect_put(REPORT_MARKDOWN, "a|b`@www.x",
               "a&#124;b&#96;&#64;www<!-- -->.x");
}

static void expect_word(const char *text, const char *expected)
{
    char *word = report_shell_word(text);
    assert_non_null(word);
    assert_string_equal(word, expected);
    free(word);
}

static void quotes_for_a_shell(void **state)
{
    (void)state;
    expect_word("a/b-c_1.py", "a/b-c_1.py");
    expect_word("score:17", "score:17");
    expect_word("", "''");
    expect_word("a b", "'a b'");
    expect_word("~me", "'~me'");
    expect_word("it's $(x)", "'it'\\''s $(x)'");
    expect_word("a\nb \xff'", "\"$(printf 'a\\012b \\377\\047')\"");
    expect_word("-%\x1b\n\n", "\"$(printf '\\055%%\\033')\"$'\\n'$'\\n'");
}

/* A shell, the plainest too, gives back what was put in, for all the texts
   there are. */
static void shells_read_words(void **state)
{
    static const char *const shells[] = {"sh", "bash"};
    (void)state;
    for (size_t i = 0; made_texts[i] != NULL; i++) {
        for (size_t s = 0; s < 2; s++) {
            char back[512], *command = NULL, *line = NULL;
            char *word = report_shell_word(made_texts[i]);
            assert_non_null(word);
            assert_null(strchr(word, '\n'));
            assert_true(asprintf(&command, "printf %%s %s", word) > 0);
            char *outer = report_shell_word(command);
            assert_non_null(outer);
            assert_true(asprintf(&line, "%s -c %s", shells[s], outer) > 0);
            FILE *in = popen(line, "r");
            assert_non_null(in);
            size_t n = fread(back, 1, sizeof back - 1, in);
            back[n] = '\0';
            assert_int_equal(pclose(in), 0);
            assert_string_equal(back, made_texts[i]);
            free(line);
            free(outer);
            free(command);
            free(word);
        }
    }
}

static void expect_place(const char *path, const char *folder,
                         const char *expected)
{
    char *place = report_place(path, folder);
    assert_non_null(place);
    assert_string_equal(place, expected);
    free(place);
}

static void places_are_relative(void **state)
{
    (void)state;
    expect_place("a/b.py", "/home/me", "a/b.py");
    expect_place("./a//b.py", "/home/me/", "a/b.py");
    expect_place("/home/me/a.py", "/home/me", "a.py");
    expect_place("/home/meal/a.py", "/home/me", "/home/meal/a.py");
    expect_place("../x/a.py", "/home/me", "/home/x/a.py");
    expect_place("../me/a.py", "/home/me", "a.py");
    expect_place("../../../../a", "/home/me", "/a");
    expect_place("/home/me", "/home/me", "/home/me");
    expect_place("/a", "/", "a");
    expect_place("/", "/", "/");
    expect_place("a/../b", NULL, "a/../b");
    expect_place("", "/home/me", "");
}

/* --- JUnit --- */

/* The number behind name=" in a text. */
static long number_of(const char *text, const char *name)
{
    char part[32];
    snprintf(part, sizeof part, " %s=\"", name);
    const char *at = strstr(text, part);
    assert_non_null(at);
    return strtol(at + strlen(part), NULL, 10);
}

/* What a suite says of itself is what stands in it. */
static void check_suite(const char *suite, long id)
{
    const char *end = strstr(suite, "</testsuite>");
    assert_non_null(end);
    char *text = strndup(suite, (size_t)(end - suite));
    assert_non_null(text);
    assert_int_equal(number_of(text, "id"), id);
    assert_int_equal(made_count(text, "<testcase "), number_of(text, "tests"));
    assert_int_equal(made_count(text, "<failure "),
                     number_of(text, "failures"));
    assert_int_equal(made_count(text, "<error "), number_of(text, "errors"));
    assert_int_equal(made_count(text, "<skipped "), number_of(text, "skipped"));
    assert_int_equal(made_count(text, "<properties>"), 1);
    const char *out = strstr(text, "<system-out>");
    const char *last = NULL;
    for (const char *c = text; (c = strstr(c, "<testcase ")) != NULL; c++)
        last = c;
    assert_non_null(out);
    assert_true(last == NULL || last < out);
    assert_true(strstr(text, "<system-err>") > out);
    free(text);
}

static void check_junit(const char *text, size_t length)
{
    long id = 0;
    assert_true(xml_is_well_formed(text, length));
    for (const char *at = text; (at = strstr(at, "<testsuite ")) != NULL; at++)
        check_suite(at, id++);
    assert_int_equal(made_count(text, "<testsuite "), id);
    /* One child at most: a test case that has one ends behind it. */
    assert_int_equal(made_count(text, "<testcase "),
                     made_count(text, "</testcase>") +
                         made_count(text, "time=\"0\"/>"));
    assert_int_equal(made_count(text, "</testcase>"),
                     made_count(text, "</failure></testcase>") +
                         made_count(text, "</error></testcase>") +
                         made_count(text, "</skipped></testcase>"));
}

static void junit_small(void **state)
{
    (void)state;
    size_t length;
    report_store *store = made_open();
    made_small(store);
    char *text = made_write(&length, report_write_junit, store, &plain);
    check_junit(text, length);
    made_expect("small.xml", text);
    free(text);
    report_view view = {.folder = "/home/me", .fail_on = "note"};
    text = made_write(&length, report_write_junit, store, &view);
    check_junit(text, length);
    assert_int_equal(made_count(text, "<failure "), 3);
    assert_int_equal(made_count(text, "<error "), 5);
    free(text);
    made_close(store);
}

static void junit_hostile(void **state)
{
    (void)state;
    size_t length;
    report_store *store = made_open();
    made_hostile(store);
    char *text = made_write(&length, report_write_junit, store, &plain);
    check_junit(text, length);
    free(text);
    made_close(store);
}

static void junit_of_fuzz(void **state)
{
    (void)state;
    size_t length;
    report_store *store = made_open();
    made_fuzz(store);
    char *text = made_write(&length, report_write_junit, store, &plain);
    check_junit(text, length);
    made_expect("fuzz.xml", text);
    free(text);
    made_close(store);
}

/* Red, and said why: an interrupted run, and one that looked at nothing. */
static void unfinished(void **state)
{
    (void)state;
    size_t length;
    report_store *store = made_open();
    int64_t run = made_begin(store, "no JSON");
    char *text = made_write(&length, report_write_junit, store, &plain);
    check_junit(text, length);
    assert_non_null(strstr(text, "<error message=\"interrupted: what is"));
    free(text);
    text = made_write(&length, report_write_tap, store, &plain);
    assert_non_null(strstr(text, "1..1\n"));
    assert_non_null(strstr(text, "\nnot ok 1 - nothing was judged\nBail out!"));
    free(text);
    made_end(store, run);
    text = made_write(&length, report_write_junit, store, &plain);
    assert_non_null(strstr(text, "<error message=\"nothing was judged\""));
    free(text);
    text = made_write(&length, report_write_github, store, &plain);
    assert_string_equal(text,
                        "::error title=counterpoint::run 1 judged nothing\n");
    free(text);
    text = made_write(&length, report_write_sarif, store, &plain);
    assert_non_null(
        strstr(text, "\"executionSuccessful\":false,\"exitCode\":4"));
    free(text);
    made_close(store);
}

/* --- TAP --- */

/* Each line is one that the specification knows; tests count from 1. */
static void check_tap(const char *text, size_t length)
{
    (void)length;
    long plan = -1, tests = 0;
    bool in_block = false;
    assert_int_equal(strncmp(text, "TAP version 14\n1..", 18), 0);
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1) {
        char *end;
        if (strncmp(at, "1..", 3) == 0) {
            plan = strtol(at + 3, &end, 10);
            assert_true(*end == '\n');
        } else if (strncmp(at, "  ", 2) == 0) {
            assert_true(in_block || strncmp(at, "  ---\n", 6) == 0);
            in_block = strncmp(at, "  ...\n", 6) != 0;
        } else if (strncmp(at, "ok ", 3) == 0 ||
                   strncmp(at, "not ok ", 7) == 0) {
            assert_false(in_block);
            assert_int_equal(strtol(at + (*at == 'o' ? 3 : 7), &end, 10),
                             ++tests);
            assert_int_equal(strncmp(end, " - ", 3), 0);
        } else {
            assert_true(*at == '#' || strncmp(at, "TAP ", 4) == 0 ||
                        strncmp(at, "Bail out!", 9) == 0);
        }
    }
    assert_false(in_block);
    assert_int_equal(plan, tests);
}

static void tap_small(void **state)
{
    (void)state;
    size_t length;
    report_store *store = made_open();
    made_small(store);
    char *text = made_write(&length, report_write_tap, store, &plain);
    check_tap(text, length);
    made_expect("small.tap", text);
    free(text);
    made_close(store);
}

static void tap_hostile(void **state)
{
    (void)state;
    size_t length;
    report_store *store = made_open();
    made_hostile(store);
    char *text = made_write(&length, report_write_tap, store, &plain);
    check_tap(text, length);
    /* What is skipped is only what we skip. */
    for (const char *at = text; (at = strstr(at, " # SKIP")) != NULL; at++)
        assert_true(at[-1] != '\\');
    free(text);
    text = made_write(&length, report_write_tap, store,
                      &(report_view){.fail_on = "warning"});
    check_tap(text, length);
    free(text);
    made_close(store);
}

static void tap_of_fuzz(void **state)
{
    (void)state;
    size_t length;
    report_store *store = made_open();
    made_fuzz(store);
    char *text = made_write(&length, report_write_tap, store, &plain);
    check_tap(text, length);
    assert_non_null(strstr(text, "--seed 9007199254740993 --case score:999 "
                                 "--tasks 64 --mode full\""));
    assert_non_null(strstr(text, "\nok 3 - 9998 more cases have no finding\n"));
    free(text);
    made_close(store);
}

/* The checks above see what is wrong. */
static void checks_see_faults(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } junit[] =
        {
            {" failures=\"1\"", " failures=\"2\""},
            {" errors=\"4\"", " errors=\"5\""},
            {" skipped=\"3\"", " skipped=\"2\""},
            {" tests=\"7\"", " tests=\"8\""},
            {" id=\"1\"", " id=\"3\""},
            {"</failure>", "</failure><error ></error>"},
            {"&quot;", "<"},
            {"</testsuite>", ""},
            {"<system-out></system-out>", ""},
        },
      tap[] = {
          {"1..11", "1..12"},
          {"\nok 3 ", "\nok 4 "},
          {"\n  ...\n", "\n"},
          {"\nok 1 - ", "\nok 1 "},
          {"\nok 1 - ", "\nline\nok 1 - "},
      };
    size_t length;
    report_store *store = made_open();
    made_small(store);
    char *text = made_write(&length, report_write_junit, store, &plain);
    for (size_t i = 0; i < sizeof junit / sizeof *junit; i++)
        made_sees(check_junit, text, junit[i].from, junit[i].to);
    free(text);
    text = made_write(&length, report_write_tap, store, &plain);
    for (size_t i = 0; i < sizeof tap / sizeof *tap; i++)
        made_sees(check_tap, text, tap[i].from, tap[i].to);
    free(text);
    made_close(store);
}

/* --- Known issues --- */

/*
 * What would fail by what is known alone is skipped, or a thing to do; what has
 * another error, or findings that are not listed, stays red.
 */
static void known_issues(void **state)
{
    (void)state;
    size_t length;
    report_store *store = made_open();
    made_small(store);
    made_known(store,
               "00000000000000a2 2026-11-30 @kernels waits ]]> # for 318\n"
               "00000000000000a5 2026-11-29 @runtime \"a crash\"\n"
               "00000000000000a6 2026-12-31 @tools   not ours\n",
               "2026-11-30");
    char *text = made_write(&length, report_write_junit, store, &plain);
    check_junit(text, length);
    made_expect("known.xml", text);
    assert_int_equal(made_count(text, "<failure "), 0);
    assert_int_equal(made_count(text, "<error "), 3);
    free(text);
    text = made_write(&length, report_write_tap, store, &plain);
    check_tap(text, length);
    made_expect("known.tap", text);
    assert_int_equal(made_count(text, " # TODO known until "), 2);
    free(text);
    /* Its warning is not known. */
    report_view loud = {.folder = "/home/me", .fail_on = "warning"};
    text = made_write(&length, report_write_junit, store, &loud);
    check_junit(text, length);
    assert_non_null(strstr(text, "<failure message=\"the dep of task 3 is "
                                 "invalid (and 2 more)\" type=\"graph.dead-"
                                 "dep\">"));
    free(text);
    made_close(store);
}

/* A bucket that is shown as another is known as that one is. */
static void known_by_what_it_is_joined_to(void **state)
{
    (void)state;
    size_t length;
    int64_t crash, war, head;
    report_error error;
    report_store *store = made_open();
    made_small(store);
    assert_int_equal(
        report_find_bucket(&crash, &head, store, "00000000000000a5", &error),
        REPORT_OK);
    assert_int_equal(
        report_find_bucket(&war, &head, store, "00000000000000a2", &error),
        REPORT_OK);
    assert_int_equal(report_join(store, crash, war, &error), REPORT_OK);
    made_known(store, "00000000000000a2 2026-11-30 @k x\n", "2026-11-30");
    char *text = made_write(&length, report_write_tap, store, &plain);
    assert_int_equal(made_count(text, " # TODO known until 2026-11-30"), 2);
    assert_non_null(strstr(text, " - b/deadly.json # TODO known"));
    free(text);
    /* Nothing of it stays when the file is another. */
    made_known(store, "", "2026-11-30");
    text = made_write(&length, report_write_tap, store, &plain);
    assert_int_equal(made_count(text, "known"), 0);
    free(text);
    made_close(store);
}

/* Of 1,001 findings one is listed, and known: the others are not. */
static void known_and_not_listed(void **state)
{
    (void)state;
    size_t length;
    report_store *store = made_open();
    made_small(store);
    made_known(store, "00000000000000a1 2026-11-30 @k x\n", "2026-11-30");
    report_view all = {.folder = "/home/me", .fail_on = "note"};
    char *text = made_write(&length, report_write_tap, store, &all);
    const char *cut = strstr(text, " - a/cut.py");
    assert_non_null(cut);
    assert_true(cut[11] == '\n');
    assert_null(strstr(text, "# TODO"));
    free(text);
    made_close(store);
}

/* --- All of them --- */

static report_writer *const writers[] = {
    report_write_junit,    report_write_tap,    report_write_sarif,
    report_write_markdown, report_write_github, report_write_html,
    report_write_text,     report_write_json,
};
#define WRITERS (sizeof writers / sizeof *writers)
#define ROW_WRITERS 3 /* the first ones */

static void no_such_run(void **state)
{
    (void)state;
    report_error error;
    report_store *store = made_open();
    FILE *out = fopen("/dev/null", "w");
    assert_non_null(out);
    for (size_t i = 0; i < WRITERS; i++) {
        report_view view = {.run = 7};
        assert_int_equal(writers[i](out, store, &view, &error), REPORT_MISSING);
        assert_string_equal(error.message, "the database has no run 7");
        view.run = 0;
        assert_int_equal(writers[i](out, store, &view, &error), REPORT_MISSING);
    }
    fclose(out);
    made_close(store);
}

/* A run without its rows would look green. */
static void pruned_run(void **state)
{
    (void)state;
    report_error error;
    report_pruned pruned;
    report_store *store = made_open();
    made_small(store);
    int64_t last = made_small(store);
    assert_int_equal(report_gc(&pruned, store, 1, &error), REPORT_OK);
    FILE *out = fopen("/dev/null", "w");
    assert_non_null(out);
    for (size_t i = 0; i < ROW_WRITERS; i++) {
        report_view view = {.run = 1};
        assert_int_equal(writers[i](out, store, &view, &error), REPORT_MISSING);
        assert_non_null(strstr(error.message, "report gc"));
        view.run = last;
        assert_int_equal(writers[i](out, store, &view, &error), REPORT_OK);
    }
    fclose(out);
    made_close(store);
}

/* A full disk ends the writing, and the stream says so. */
static void full_disk(void **state)
{
    (void)state;
    report_store *store = made_open();
    made_small(store);
    for (size_t i = 0; i < WRITERS; i++) {
        report_error error;
        FILE *out = fopen("/dev/full", "w");
        if (out == NULL)
            continue;
        setvbuf(out, NULL, _IONBF, 0);
        assert_int_equal(writers[i](out, store, &plain, &error), REPORT_OK);
        assert_true(ferror(out));
        fclose(out);
    }
    made_close(store);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(shows_what_is_hidden),
    cmocka_unit_test(escapes_by_form),
    cmocka_unit_test(quotes_for_a_shell),
    cmocka_unit_test(shells_read_words),
    cmocka_unit_test(places_are_relative),
    cmocka_unit_test(junit_small),
    cmocka_unit_test(checks_see_faults),
    cmocka_unit_test(junit_hostile),
    cmocka_unit_test(junit_of_fuzz),
    cmocka_unit_test(unfinished),
    cmocka_unit_test(tap_small),
    cmocka_unit_test(tap_hostile),
    cmocka_unit_test(tap_of_fuzz),
    cmocka_unit_test(known_issues),
    cmocka_unit_test(known_by_what_it_is_joined_to),
    cmocka_unit_test(known_and_not_listed),
    cmocka_unit_test(no_such_run),
    cmocka_unit_test(pruned_run),
    cmocka_unit_test(full_disk),
};

TEST_MAIN(tests)
