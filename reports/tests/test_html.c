/* The HTML report: its markup, its data, what hostile texts can do. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../../scripts/testing/html.h"
#include "made.h"

static const char data_mark[] =
    "<script type=\"application/json\" id=\"data\">";

static bool find_rule(void *context, report_rule *rule, const char *name)
{
    (void)context;
    *rule = (report_rule){.help = "# a page\n\nwith </script> & <!-- in it\n"};
    return strcmp(name, "hazard.war") == 0;
}

static char *write_page(report_store *store, int64_t run)
{
    size_t length;
    char problem[200];
    report_view view = {.run = run, .find = find_rule};
    char *text = made_write(&length, report_write_html, store, &view);
    assert_int_equal(strlen(text), length);
    if (!html_check(text, problem, sizeof problem))
        fail_msg("%s", problem);
    return text;
}

static cJSON *read_data(const char *page)
{
    const char *begin = strstr(page, data_mark);
    assert_non_null(begin);
    begin += sizeof data_mark - 1;
    const char *end = strstr(begin, "</script>");
    assert_non_null(end);
    cJSON *data = cJSON_ParseWithLength(begin, (size_t)(end - begin));
    assert_non_null(data);
    return data;
}

/* A member of the details of a bucket. */
static const cJSON *detail(const cJSON *data, const char *bucket,
                           const char *name)
{
    const cJSON *buckets = cJSON_GetObjectItem(data, "buckets");
    return cJSON_GetObjectItem(cJSON_GetObjectItem(buckets, bucket), name);
}

static void expect_text(const cJSON *data, const char *bucket, const char *name,
                        const char *expected)
{
    const cJSON *member = detail(data, bucket, name);
    assert_true(cJSON_IsString(member));
    assert_string_equal(member->valuestring, expected);
}

static void expect_number(const cJSON *data, const char *bucket,
                          const char *name, double expected)
{
    const cJSON *member = detail(data, bucket, name);
    assert_true(cJSON_IsNumber(member));
    assert_true(member->valuedouble == expected);
}

/* --- What is there --- */

static void has_all(void **state)
{
    (void)state;
    report_store *store = made_open();
    made_small(store);
    char *page = write_page(store, 0);
    static const char *const parts[] = {
        "<title>Run 1: 3 errors, 3 warnings - Counterpoint</title>",
        "<h1>Run 1</h1>",
        "<dt>Inputs</dt><dd>11</dd>",
        "<dt>Errors</dt><dd>3</dd>",
        "</svg><b>1</b> timed out</li>",
        "<code>rules conservative</code>",
        "<code>" MADE_DIGEST "</code>",
        "task 2 &quot;soften&quot; writes what task 1 &quot;harvest&quot;",
        "<code class=\"rule\">hazard.war</code>",
        "<span class=\"mono\">/home/me/a/found.py:25</span>",
        "<p>counterpoint 1.2.3</p>",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(page, parts[i]) == NULL)
            fail_msg("the page lacks %s", parts[i]);
    assert_null(strstr(page, "Trend over runs"));
    assert_int_equal(made_count(page, "<tr id=\"bucket-"), 6);
    assert_int_equal(made_count(page, "<td><span class=\"pill new\""), 6);
    free(page);
    made_close(store);
}

/* What is as usual is no news. */
static void options_that_are_set(void **state)
{
    static const struct {
        const char *options, *told;
    } runs[] = {
        {MADE_RUN, "<dd><code>paths a</code>, <code>rules conservative</code>"
                   "</dd>"},
        {MADE_FUZZ, "<dd><code>cases 10000</code>, <code>mode full</code>, "
                    "<code>seed 9007199254740993</code>, <code>tasks 64</code>"
                    ", <code>verb fuzz</code></dd>"},
        {"{\"limit\":7,\"x\":[1,\"b\"],\"max_tasks\":0}",
         "<dd><code>limit 7</code>, <code>x 1 b</code></dd>"},
        {"nothing <", "<dd>nothing &lt;</dd>"},
    };
    (void)state;
    report_store *store = made_open();
    for (int64_t i = 0; i < 4; i++) {
        made_end(store, made_begin(store, runs[i].options));
        char *page = write_page(store, i + 1);
        if (strstr(page, runs[i].told) == NULL)
            fail_msg("%s", runs[i].told);
        free(page);
    }
    made_close(store);
}

static void worst_come_first(void **state)
{
    (void)state;
    report_store *store = made_open();
    made_small(store);
    char *page = write_page(store, 0);
    const char *error = strstr(page, "<span class=\"pill error\">");
    const char *warning = strstr(page, "<span class=\"pill warning\">");
    const char *note = strstr(page, "<span class=\"pill note\">");
    assert_true(error != NULL && error < warning && warning < note);
    free(page);
    made_close(store);
}

static void has_details(void **state)
{
    (void)state;
    report_store *store = made_open();
    made_small(store);
    char *page = write_page(store, 0);
    cJSON *data = read_data(page);
    expect_text(data, "2", "path", "/home/me/a/found.py");
    expect_text(data, "2", "text", "two");
    expect_text(data, "2", "cause", "war");
    expect_text(data, "2", "signature", "00000000000000a2");
    expect_number(data, "2", "line", 25);
    expect_number(data, "2", "bytes", 3);
    expect_number(data, "2", "kept", 3);
    cJSON *record = cJSON_Parse(detail(data, "2", "record")->valuestring);
    assert_non_null(cJSON_GetObjectItem(record, "witness"));
    cJSON_Delete(record);
    assert_non_null(strstr(detail(data, "2", "command")->valuestring,
                           " /home/me/a/found.py"));
    assert_int_equal(cJSON_GetArraySize(detail(data, "2", "history")), 1);
    const cJSON *rules = cJSON_GetObjectItem(data, "rules");
    assert_string_equal(cJSON_GetObjectItem(rules, "hazard.war")->valuestring,
                        "# a page\n\nwith </script> & <!-- in it\n");
    assert_null(cJSON_GetObjectItem(rules, "edge.redundant"));
    cJSON_Delete(data);
    free(page);
    made_close(store);
}

#define HIDDEN "\xe2\x80\xae"

/* What the page says of a finding on a line, of two tasks: the other stands on
   line 4. */
static cJSON *lines_of(report_store *store, int64_t run, int64_t number,
                       int64_t line)
{
    static const char record[] = "{\"producer\":{\"line\":4}}";
    char text[1000] = "one\n  two\n\nfour </script> " HIDDEN "\n";
    char signature[17], bucket[16];
    memset(text + strlen(text), 'x', 600);
    snprintf(signature, sizeof signature, "%016llx", (long long)number);
    snprintf(bucket, sizeof bucket, "%lld", (long long)number);
    report_finding finding = {.rule = "hazard.raw",
                              .severity = "error",
                              .signature = signature,
                              .message = "m",
                              .line = line,
                              .json = record,
                              .json_length = sizeof record - 1};
    report_case c = {.number = number,
                     .path = "a.py",
                     .kind = "dump",
                     .verdict = "findings",
                     .text = text,
                     .findings = &finding,
                     .count = 1};
    made_case(store, run, c);
    char *page = write_page(store, 0);
    cJSON *data = read_data(page);
    cJSON *lines = cJSON_Duplicate(detail(data, bucket, "lines"), true);
    cJSON_Delete(data);
    free(page);
    return lines;
}

static void has_lines(void **state)
{
    (void)state;
    static const char four[] = "[4,\"four </script> " HIDDEN "\"]";
    report_store *store = made_open();
    int64_t run = made_begin(store, MADE_RUN), number = 0;
    static const int64_t where[] = {2, 4, 9, 0};
    for (size_t i = 0; i < sizeof where / sizeof *where; i++) {
        char expected[80];
        snprintf(expected, sizeof expected, "[%s%s]",
                 where[i] == 2 ? "[2,\"  two\"]," : "", four);
        cJSON *lines = lines_of(store, run, ++number, where[i]);
        char *text = cJSON_PrintUnformatted(lines);
        assert_string_equal(text, expected);
        cJSON_free(text);
        cJSON_Delete(lines);
    }
    cJSON *lines = lines_of(store, run, ++number, 5);
    const cJSON *last = cJSON_GetArrayItem(lines, 1);
    assert_int_equal(strlen(cJSON_GetArrayItem(last, 1)->valuestring), 400);
    assert_true(cJSON_IsTrue(cJSON_GetArrayItem(last, 2)));
    cJSON_Delete(lines);
    made_close(store);
}

static void without_anything(void **state)
{
    (void)state;
    report_error error;
    report_store *store = made_open();
    report_view view = {.run = 0};
    assert_int_equal(report_write_html(stdout, store, &view, &error),
                     REPORT_MISSING);
    made_begin(store, "no JSON");
    char *page = write_page(store, 0);
    assert_non_null(strstr(page, "Nothing was found."));
    assert_non_null(strstr(page, "none: the run was interrupted"));
    assert_non_null(strstr(page, "no JSON"));
    assert_null(strstr(page, "<table id"));
    cJSON_Delete(read_data(page));
    free(page);
    made_close(store);
}

/* --- What hostile texts do --- */

static void hostile_texts_do_nothing(void **state)
{
    (void)state;
    report_store *store = made_open();
    made_hostile(store);
    char *page = write_page(store, 0);
    /* The page's own elements of these names, and no others. */
    assert_int_equal(made_count(page, "<script"), 2);
    assert_int_equal(made_count(page, "</script"), 2);
    assert_int_equal(made_count(page, "<style"), 1);
    assert_int_equal(made_count(page, "</style"), 1);
    assert_int_equal(made_count(page, "<!--"), 0);
    assert_int_equal(made_count(page, "\xe2\x80\xa8"), 0);
    assert_int_equal(made_count(page, "\xe2\x80\xae"), 0);
    assert_int_equal(made_count(page, "\xff"), 0);
    assert_true(made_count(page, "&lt;script&gt;alert(1)") > 0);
    cJSON_Delete(read_data(page));
    free(page);
    made_close(store);
}

static void add_text(report_store *store, int64_t run, int64_t number,
                     const char *text, const char *message)
{
    char signature[17];
    snprintf(signature, sizeof signature, "%016llx", (long long)number);
    report_finding finding = {.rule = "hazard.raw",
                              .severity = "error",
                              .signature = signature,
                              .message = message,
                              .json = "{}",
                              .json_length = 2};
    report_case c = {.number = number,
                     .path = "a.py",
                     .kind = "dump",
                     .verdict = "findings",
                     .text = text,
                     .findings = &finding,
                     .count = 1};
    made_case(store, run, c);
}

/* A text comes back as it was, whatever it is; what is no UTF-8 is told. */
static void texts_come_back(void **state)
{
    (void)state;
    char bucket[16];
    report_store *store = made_open();
    int64_t run = made_begin(store, MADE_RUN);
    int64_t count = 0;
    for (; made_texts[count] != NULL; count++)
        add_text(store, run, count + 1, made_texts[count], "m");
    char *page = write_page(store, 0);
    cJSON *data = read_data(page);
    for (int64_t i = 0; i < count; i++) {
        snprintf(bucket, sizeof bucket, "%d", (int)i + 1);
        const cJSON *text = detail(data, bucket, "text");
        assert_true(cJSON_IsString(text));
        bool exact = strcmp(text->valuestring, made_texts[i]) == 0;
        assert_int_equal(exact, detail(data, bucket, "exact") == NULL);
        assert_int_equal(exact,
                         strstr(text->valuestring, "\xef\xbf\xbd") == NULL);
    }
    cJSON_Delete(data);
    free(page);
    made_close(store);
}

/* --- Bounds --- */

static void long_texts_are_cut(void **state)
{
    (void)state;
    char *text = malloc(30001);
    assert_non_null(text);
    for (size_t i = 0; i < 30000; i += 3)
        memcpy(text + i, "\xe6\xbc\xa2", 3);
    text[30000] = '\0';
    report_store *store = made_open();
    add_text(store, made_begin(store, MADE_RUN), 1, text, text);
    char *page = write_page(store, 0);
    cJSON *data = read_data(page);
    expect_number(data, "1", "bytes", 30000);
    expect_number(data, "1", "kept", 8190);
    assert_null(detail(data, "1", "exact"));
    assert_int_equal(strlen(detail(data, "1", "text")->valuestring), 8190);
    assert_true(made_count(page, "\xe6\xbc\xa2") < 4000);
    assert_int_equal(made_count(page, "\xe6\xbc\xa2\xe2\x80\xa6</a>"), 1);
    cJSON_Delete(data);
    free(page);
    free(text);
    made_close(store);
}

static void many_causes_are_bounded(void **state)
{
    (void)state;
    report_store *store = made_open();
    int64_t run = made_begin(store, MADE_RUN);
    for (int64_t number = 1; number <= 10003; number++)
        add_text(store, run, number, NULL, "m");
    char *page = write_page(store, 0);
    cJSON *data = read_data(page);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(data, "buckets")),
                     1000);
    assert_int_equal(made_count(page, "<tr id=\"bucket-"), 10000);
    assert_non_null(strstr(page, ">3 more causes, of less weight"));
    assert_non_null(strstr(page, ">The first 1000 of them have a page with "
                                 "all details here, the other 9000"));
    cJSON_Delete(data);
    free(page);
    made_close(store);
}

/* --- Runs --- */

static void trend_and_states(void **state)
{
    (void)state;
    report_store *store = made_open();
    int64_t first = made_begin(store, MADE_RUN);
    add_text(store, first, 1, "1", "one");
    add_text(store, first, 2, "2", "two");
    made_end(store, first);
    int64_t second = made_begin(store, MADE_RUN);
    add_text(store, second, 2, "2", "two");
    add_text(store, second, 3, "3", "three");
    made_end(store, second);
    int64_t third = made_begin(store, MADE_RUN);
    add_text(store, third, 1, "1", "one");
    add_text(store, third, 2, "2", "two");
    made_end(store, third);
    char *page = write_page(store, 0);
    assert_non_null(strstr(page, "Trend over runs"));
    assert_non_null(strstr(page, "<title>Run 2: 2 errors, 0 warnings, 0 notes "
                                 "in 2 inputs</title>"));
    assert_int_equal(made_count(page, "<td><span class=\"pill reappeared\""),
                     1);
    assert_int_equal(made_count(page, "<td><span class=\"pill open\""), 1);
    assert_int_equal(made_count(page, "<td><span class=\"pill fixed\""), 1);
    assert_int_equal(made_count(page, "<td><span class=\"pill new\""), 0);
    cJSON *data = read_data(page);
    assert_int_equal(cJSON_GetArraySize(detail(data, "2", "history")), 3);
    expect_number(data, "3", "gone", 3);
    cJSON_Delete(data);
    free(page);
    page = write_page(store, 1);
    assert_int_equal(made_count(page, "<tr id=\"bucket-"), 2);
    assert_null(strstr(page, "Trend over runs"));
    free(page);
    made_close(store);
}

/* Known, but for what is fixed: that is no news. What has expired is new. */
static void known_is_a_state(void **state)
{
    (void)state;
    report_store *store = made_open();
    int64_t run = made_begin(store, MADE_RUN);
    add_text(store, run, 1, "1", "one");
    made_end(store, run);
    run = made_begin(store, MADE_RUN);
    add_text(store, run, 2, "2", "two");
    add_text(store, run, 3, "3", "three");
    made_end(store, run);
    made_known(store,
               "0000000000000001 2027-01-01 @k gone\n"
               "0000000000000002 2027-01-01 @k <b> & \xe2\x80\xae\n"
               "0000000000000003 2026-01-01 @k late\n",
               "2026-11-30");
    char *page = write_page(store, 0);
    assert_non_null(strstr(
        page, "<p class=\"states\">"
              "<span><b>1</b> <span class=\"pill new\">new</span></span>\n"
              "<span><b>1</b> <span class=\"pill known\">known</span></span>\n"
              "<span><b>1</b> <span class=\"pill fixed\">fixed</span></span>\n"
              "<span><b>1</b> <span class=\"pill expired\">expired</span>"
              "</span>\n</p>"));
    const char *new = strstr(page, "<tr id=\"bucket-3\">");
    const char *known = strstr(page, "<tr id=\"bucket-2\">");
    const char *fixed = strstr(page, "<tr id=\"bucket-1\">");
    assert_true(new != NULL &&new < known &&known < fixed);
    cJSON *data = read_data(page);
    expect_text(data, "2", "until", "2027-01-01");
    expect_text(data, "2", "owner", "@k");
    expect_text(data, "2", "why", "<b> & \xe2\x80\xae");
    expect_text(data, "3", "why", "late");
    cJSON_Delete(data);
    free(page);
    made_close(store);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(has_all),
    cmocka_unit_test(options_that_are_set),
    cmocka_unit_test(worst_come_first),
    cmocka_unit_test(has_details),
    cmocka_unit_test(has_lines),
    cmocka_unit_test(without_anything),
    cmocka_unit_test(hostile_texts_do_nothing),
    cmocka_unit_test(texts_come_back),
    cmocka_unit_test(long_texts_are_cut),
    cmocka_unit_test(many_causes_are_bounded),
    cmocka_unit_test(trend_and_states),
    cmocka_unit_test(known_is_a_state),
};

TEST_MAIN(tests)
