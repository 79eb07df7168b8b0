/* What is told of summary rows: Markdown, annotations of GitHub, text, JSON. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "made.h"
#include "reports/upkeep.h"

static const report_view view = {.folder = "/home/me"};

static char *markdown(report_store *store)
{
    size_t length;
    return made_write(&length, report_write_markdown, store, &view);
}

static char *github(report_store *store)
{
    size_t length;
    return made_write(&length, report_write_github, store, &view);
}

/* --- Markdown --- */

/* Tags of ours and nothing else that markup is made of. */
static void check_cell(const char *line, size_t length)
{
    static const char *const tags[] = {"<code>", "</code>", "<br>", "<!-- -->"};
    for (size_t i = 0; i < length; i++) {
        size_t known = 0;
        for (size_t t = 0; t < 4; t++)
            if (strncmp(line + i, tags[t], strlen(tags[t])) == 0)
                known = strlen(tags[t]);
        if (line[i] == '<')
            assert_true(known > 0);
        i += known > 0 ? known - 1 : 0;
        assert_null(known > 0 ? NULL : strchr("`[]@_~$\\", line[i]));
        assert_true((unsigned char)line[i] >= 0x20);
    }
}

/* `columns`: of the table. */
static void check_markdown(const char *text, size_t columns)
{
    bool in_table = false;
    assert_int_equal(strncmp(text, "### counterpoint: ", 18), 0);
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1) {
        size_t length = strcspn(at, "\n"), bars = 0;
        for (size_t i = 0; i < length; i++)
            bars += at[i] == '|';
        if (strncmp(at, "|---", 4) != 0)
            check_cell(at, length);
        in_table = *at == '|';
        assert_int_equal(bars, in_table ? columns + 1 : 0);
        assert_true(length < 60000);
    }
}

static void markdown_small(void **state)
{
    (void)state;
    report_store *store = made_open();
    made_small(store);
    char *text = markdown(store);
    check_markdown(text, 3);
    made_expect("small.md", text);
    free(text);
    made_close(store);
}

static void markdown_hostile(void **state)
{
    (void)state;
    report_store *store = made_open();
    made_hostile(store);
    char *text = markdown(store);
    check_markdown(text, 3);
    assert_non_null(
        strstr(text, " more signatures are in the database.\nAll "
                     "of them: <code>counterpoint triage list DB</code>"));
    free(text);
    made_close(store);
}

/* --- Annotations --- */

typedef struct lines {
    size_t error, warning, notice, other;
} lines;

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* Each line is one command, with properties that hold no end of one. */
static lines check_github(const char *text)
{
    lines n = {0};
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1) {
        assert_int_equal(n.other, 0);
        n.error += begins(at, "::error ");
        n.warning += begins(at, "::warning ");
        n.notice += begins(at, "::notice ");
        n.other += *at != ':';
        if (*at != ':')
            continue;
        const char *properties = strchr(at, ' ') + 1;
        const char *end = strstr(properties, "::");
        assert_non_null(end);
        assert_true(begins(properties, "file=") ||
                    begins(properties, "title="));
        for (const char *c = at; *c != '\n'; c++)
            assert_true((unsigned char)*c >= 0x20);
        size_t commas = 0, equals = 0;
        for (const char *c = properties; c < end; c++) {
            commas += *c == ',';
            equals +=
                begins(c, "file=") || begins(c, "line=") || begins(c, "title=");
        }
        assert_true(commas + 1 <= equals);
    }
    return n;
}

static void github_small(void **state)
{
    (void)state;
    report_store *store = made_open();
    made_small(store);
    char *text = github(store);
    lines n = check_github(text);
    made_expect("small.github", text);
    assert_int_equal(n.other, 0);
    free(text);
    made_close(store);
}

static void github_hostile(void **state)
{
    (void)state;
    report_store *store = made_open();
    made_hostile(store);
    char *text = github(store);
    check_github(text);
    free(text);
    made_close(store);
}

/* No file where there is none that an editor opens. */
static void github_of_fuzz(void **state)
{
    (void)state;
    report_store *store = made_open();
    made_fuzz(store);
    char *text = github(store);
    assert_true(begins(text, "::error title=diff.order (missing-edge)::"));
    assert_non_null(strstr(text, " (the first of 2 like it)%0ASee it again: "
                                 "counterpoint fuzz --seed 9007199254740993 "
                                 "--case score:999 --tasks 64 --mode full\n"));
    free(text);
    made_close(store);
}

static void github_has_limits(void **state)
{
    (void)state;
    report_store *store = made_open();
    int64_t run = made_begin(store, MADE_RUN);
    static const char *const severities[] = {"note", "warning", "error"};
    for (int i = 0; i < 60; i++) {
        char signature[24];
        snprintf(signature, sizeof signature, "%016d", i / 2);
        report_finding found = {
            .rule = i == 59 ? "z.worst" : "a.rule",
            .severity = severities[i % 3],
            .signature = signature,
            .message = "m",
            .json = "{}",
            .json_length = 2,
        };
        report_case c = {.number = i + 1,
                         .path = "a.py",
                         .kind = "dump",
                         .verdict = "findings",
                         .findings = &found,
                         .count = 1,
                         .text = "x"};
        made_case(store, run, c);
    }
    made_end(store, run);
    char *text = github(store);
    lines n = check_github(text);
    assert_true(n.error == 10 && n.warning <= 10 && n.notice <= 10);
    assert_int_equal(n.other, 1);
    assert_non_null(strstr(text, " are not shown as annotations: "));
    free(text);
    made_close(store);
}

/* Both tell of a pruned run what they told before. */
static void pruned(void **state)
{
    (void)state;
    report_error error;
    report_pruned gone;
    report_store *store = made_open();
    made_small(store);
    char *md = markdown(store), *gh = github(store);
    made_end(store, made_begin(store, MADE_RUN));
    assert_int_equal(report_gc(&gone, store, 1, &error), REPORT_OK);
    assert_true(gone.runs > 0);
    report_view first = view;
    first.run = 1;
    size_t length;
    char *md2 = made_write(&length, report_write_markdown, store, &first);
    char *gh2 = made_write(&length, report_write_github, store, &first);
    assert_string_equal(md2, md);
    assert_string_equal(gh2, gh);
    free(md);
    free(gh);
    free(md2);
    free(gh2);
    made_close(store);
}

static void interrupted(void **state)
{
    (void)state;
    report_store *store = made_open();
    made_begin(store, MADE_RUN);
    char *text = markdown(store);
    assert_non_null(strstr(text, "**Run 1 was interrupted:**"));
    assert_non_null(strstr(text, "Nothing was judged."));
    free(text);
    text = github(store);
    assert_true(begins(text, "::error title=counterpoint::run 1 was inter"));
    free(text);
    made_close(store);
}

/* --- Text and JSON --- */

static char *summary(report_store *store, report_writer *write)
{
    size_t length;
    report_view named = {.database = "my runs.db"};
    return made_write(&length, write, store, &named);
}

static void text_tells_what_is_next(void **state)
{
    (void)state;
    report_store *store = made_open();
    made_small(store);
    char *text = summary(store, report_write_text);
    assert_non_null(strstr(
        text, "\ncounterpoint triage list 'my runs.db': all causes with "
              "their states, the worst first\ncounterpoint triage show 'my "
              "runs.db' 6: "
              "the gravest of this run, and how to see it again\n"
              "counterpoint explain doc.syntax: what its rule means, and how "
              "to mend it\ncounterpoint report 'my runs.db' --format html -o "
              "report.html: all of it as a page\n"));
    assert_null(strstr(text, "are not listed here"));
    free(text);
    made_close(store);
}

static void text_hostile(void **state)
{
    (void)state;
    report_store *store = made_open();
    made_hostile(store);
    char *text = summary(store, report_write_text);
    free(text);
    made_close(store);
}

/* JSON gives every text back as it is, but for what is no UTF-8. */
static void json_hostile(void **state)
{
    (void)state;
    report_store *store = made_open();
    made_hostile(store);
    char *text = summary(store, report_write_json);
    assert_int_equal(made_count(text, "\n"), 1);
    cJSON *json = cJSON_ParseWithOpts(text, NULL, true);
    assert_non_null(json);
    const cJSON *bucket, *buckets = cJSON_GetObjectItem(json, "buckets");
    size_t exact = 0, longest = 0, count = 0;
    cJSON_ArrayForEach(bucket, buckets)
    {
        const char *rule = cJSON_GetObjectItem(bucket, "rule")->valuestring;
        for (count = 0; made_texts[count] != NULL; count++)
            exact += strcmp(rule, made_texts[count]) == 0;
        longest = strlen(rule) > longest ? strlen(rule) : longest;
    }
    assert_true(exact >= count - 2); /* two are no UTF-8 */
    assert_int_equal(longest, MADE_LONG);
    cJSON_Delete(json);
    free(text);
    made_close(store);
}

static void json_of_no_options(void **state)
{
    (void)state;
    report_store *store = made_open();
    made_begin(store, "no JSON \xff\xe2\x80\xae");
    char *text = summary(store, report_write_json);
    assert_non_null(
        strstr(text, ",\"options\":\"no JSON \\ufffd\\u202e\",\"run\":1"));
    free(text);
    made_close(store);
}

/* --- Known issues --- */

#define KNOWN                                                                  \
    "00000000000000a2 2026-11-30 @kernels | waits `for` issue <318>\n"         \
    "00000000000000a5 2026-11-29 @runtime a crash that we have seen\n"         \
    "00000000000000a3 2026-12-31 @kernels found by nobody\n"

static report_store *open_known(void)
{
    report_store *store = made_open();
    made_small(store);
    made_known(store, KNOWN, "2026-11-30");
    return store;
}

/* Behind what is not known; with its reason; the last day counts. */
static void markdown_known(void **state)
{
    (void)state;
    report_store *store = open_known();
    char *text = markdown(store);
    check_markdown(text, 4);
    made_expect("known.md", text);
    free(text);
    made_close(store);
}

static void github_known(void **state)
{
    (void)state;
    report_store *store = open_known();
    char *text = github(store);
    lines n = check_github(text);
    made_expect("known.github", text);
    assert_int_equal(n.other, 0);
    free(text);
    made_close(store);
}

static void text_and_json_known(void **state)
{
    (void)state;
    report_store *store = open_known();
    char *text = summary(store, report_write_text);
    const char *known = strstr(
        text, "\n            known until 2026-11-30, @kernels: | waits `for` "
              "issue <318>\n");
    const char *expired =
        strstr(text, "\n            EXPIRED: was known until 2026-11-29, "
                     "@runtime: a crash that we have seen\n");
    assert_true(expired != NULL && expired < known);
    assert_int_equal(made_count(text, "known until"), 3);
    free(text);
    text = summary(store, report_write_json);
    assert_non_null(
        strstr(text, ",\"known\":{\"expired\":true,\"owner\":\"@runtime\","
                     "\"reason\":\"a crash that we have seen\",\"until\":"
                     "\"2026-11-29\"}"));
    assert_int_equal(made_count(text, "\"known\":"), 3);
    cJSON *json = cJSON_ParseWithOpts(text, NULL, true);
    assert_non_null(json);
    cJSON_Delete(json);
    free(text);
    made_close(store);
}

/* A verdict on what was planted is no finding of a run of fuzz. */
static void verdicts_of_fuzz(void **state)
{
    (void)state;
    static const struct {
        report_writer *write;
        const char *words;
    } told[] = {
        {report_write_text, "\nVerdicts, those on planted faults, too\n"},
        {report_write_markdown, "\nVerdicts, those on planted faults, too: 9000"
                                " clean, 1000 with findings.\n"},
        {report_write_html, "many of which have a planted fault."},
    };
    size_t length;
    report_store *store = made_open();
    made_fuzz(store);
    made_small(store);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        for (int64_t run = 1; run <= 2; run++) {
            report_view of = {.run = run};
            char *text = made_write(&length, told[i].write, store, &of);
            assert_int_equal(strstr(text, told[i].words) != NULL, run == 1);
            free(text);
        }
    made_close(store);
}

/* --- The order --- */

/* A finding of each, told by their titles: n times the n-th. */
static void add_causes(report_store *store, const char *const *titles,
                       const char *const *severities, const int *times)
{
    int64_t run = made_begin(store, MADE_RUN), number = 0;
    for (int i = 0; i < 6; i++) {
        char signature[17];
        snprintf(signature, sizeof signature, "%016x", 0xf0 - i);
        report_finding found = {.rule = "hazard.war",
                                .severity = severities[i],
                                .signature = signature,
                                .message = titles[i],
                                .json = "{}",
                                .json_length = 2};
        for (int n = 0; n < times[i]; n++)
            made_case(store, run,
                      (report_case){.number = ++number,
                                    .path = "a.py",
                                    .kind = "dump",
                                    .verdict = "findings",
                                    .findings = &found,
                                    .count = 1,
                                    .text = "x"});
    }
    made_end(store, run);
}

static bool put_title(void *context, const report_issue *issue)
{
    fprintf(context, "%s\n", issue->title);
    return true;
}

static char *list(report_store *store, int64_t run)
{
    char *text = NULL;
    size_t length;
    report_error error;
    FILE *out = open_memstream(&text, &length);
    report_question question = {.run = run};
    assert_int_equal(
        report_each_issue(store, &question, put_title, out, &error), REPORT_OK);
    fclose(out);
    return text;
}

static void are_in_order(char *text, const char *const *titles, int count)
{
    const char *at = text;
    for (int i = 0; i < count; i++) {
        at = strstr(at, titles[i]);
        if (at == NULL)
            fail_msg("%s is not in its place: %s", titles[i], text);
    }
    free(text);
}

/* One order of "worst" wherever buckets are listed. */
static void the_worst_first(void **state)
{
    static const char *const titles[] = {"fresh error", "many olds",
                                         "one old",     "fresh warning",
                                         "old warning", "known error"};
    static const char *const severities[] = {"error",   "error",   "error",
                                             "warning", "warning", "error"};
    (void)state;
    size_t length;
    report_store *store = made_open();
    add_causes(store, titles, severities, (int[]){0, 1, 1, 0, 1, 1});
    add_causes(store, titles, severities, (int[]){1, 4, 3, 1, 9, 9});
    made_known(store, "00000000000000eb 2026-11-30 @me it waits", "2026-11-01");
    report_writer *const writers[] = {report_write_text, report_write_json,
                                      report_write_markdown, report_write_html};
    are_in_order(list(store, 0), titles, 6);
    are_in_order(list(store, 2), titles, 6);
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        are_in_order(made_write(&length, writers[i], store, &view), titles, 6);
    made_close(store);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(verdicts_of_fuzz),
    cmocka_unit_test(the_worst_first),
    cmocka_unit_test(markdown_small),
    cmocka_unit_test(markdown_hostile),
    cmocka_unit_test(github_small),
    cmocka_unit_test(github_hostile),
    cmocka_unit_test(github_of_fuzz),
    cmocka_unit_test(github_has_limits),
    cmocka_unit_test(text_tells_what_is_next),
    cmocka_unit_test(text_hostile),
    cmocka_unit_test(json_hostile),
    cmocka_unit_test(json_of_no_options),
    cmocka_unit_test(markdown_known),
    cmocka_unit_test(github_known),
    cmocka_unit_test(text_and_json_known),
    cmocka_unit_test(pruned),
    cmocka_unit_test(interrupted),
};

TEST_MAIN(tests)
