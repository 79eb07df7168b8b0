/* SARIF: one of each, hostile, cut, and what witnesses become. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "made.h"
#include "sarif_check.h"

static bool find(void *context, report_rule *rule, const char *name)
{
    (void)context;
    if (strcmp(name, "hazard.war") != 0)
        return false;
    *rule = (report_rule){
        .summary = "a write that does not wait for a read",
        .help = "# hazard.war (error)\n\n`a` \"b\" <c>\n",
        .severity = "error",
    };
    return true;
}

static const report_view view = {.folder = "/home/me", .find = find};

static const cJSON *get(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const cJSON *write_and_check(cJSON **document, report_store *store)
{
    size_t length;
    char *text = made_write(&length, report_write_sarif, store, &view);
    const cJSON *run = sarif_check(document, text);
    free(text);
    return run;
}

static void small(void **state)
{
    (void)state;
    size_t length;
    cJSON *document;
    report_store *store = made_open();
    made_small(store);
    char *text = made_write(&length, report_write_sarif, store, &view);
    made_expect("small.sarif", text);
    const cJSON *run = sarif_check(&document, text);
    free(text);
    assert_int_equal(cJSON_GetArraySize(get(run, "results")), 8);
    assert_int_equal(get(get(run, "invocations")->child, "exitCode")->valueint,
                     1);
    /* Errors first. */
    int last = 0;
    const cJSON *at;
    cJSON_ArrayForEach(at, get(run, "results"))
    {
        const char *level = get(at, "level")->valuestring;
        int rank = *level == 'e' ? 0 : *level == 'w' ? 1 : 2;
        assert_true(rank >= last);
        last = rank;
    }
    cJSON_Delete(document);
    made_close(store);
}

static void check(const char *text, size_t length)
{
    cJSON *document;
    (void)length;
    sarif_check(&document, text);
    cJSON_Delete(document);
}

/* What viewers refuse, or do not find again, is seen. */
static void checks_see_faults(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } faults[] = {
        {"\"uriBaseId\":\"SRCROOT\"", "\"uriBaseId\":\"X\""},
        {",\"uriBaseId\":\"SRCROOT\"", ""},
        {"\"uri\":\"a/", "\"uri\":\"/a/"},
        {"\"uri\":\"a/", "\"uri\":\"a b/"},
        {"\"startLine\":25", "\"startLine\":0"},
        {"\"physicalLocation\"", "\"logicalLocation\""},
        {"\"counterpointSignature/v1\":", "\"other/v1\":"},
        {"{\"counterpointSignature/v1\":\"00000000000000a6\"}", "{}"},
        {"\"partialFingerprints\"", "\"fingerprints\""},
        {"\"level\":\"error\"", "\"level\":\"fatal\""},
        {"\"ruleIndex\":0", "\"ruleIndex\":99"},
        {"\"text\":\"", "\"txt\":\""},
        {"\"version\":\"2.1.0\"", "\"version\":\"2.0.0\""},
        {"]", ""},
    };
    size_t length;
    report_store *store = made_open();
    made_small(store);
    char *text = made_write(&length, report_write_sarif, store, &view);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        made_sees(check, text, faults[i].from, faults[i].to);
    free(text);
    made_close(store);
}

static void hostile(void **state)
{
    (void)state;
    cJSON *document;
    report_store *store = made_open();
    made_hostile(store);
    const cJSON *run = write_and_check(&document, store);
    assert_true(cJSON_GetArraySize(get(run, "results")) > 20);
    cJSON_Delete(document);
    made_close(store);
}

static void of_fuzz(void **state)
{
    (void)state;
    cJSON *document;
    report_store *store = made_open();
    made_fuzz(store);
    const cJSON *run = write_and_check(&document, store);
    const cJSON *first = get(run, "results")->child;
    const char *message = get(get(first, "message"), "text")->valuestring;
    assert_non_null(strstr(message, "\nSee it again: counterpoint fuzz --seed "
                                    "9007199254740993 --case score:999"));
    const cJSON *place =
        get(get(get(first, "locations")->child, "physicalLocation"),
            "artifactLocation");
    assert_string_equal(get(place, "uri")->valuestring, "score%3A999");
    assert_int_equal(get(get(run, "invocations")->child, "exitCode")->valueint,
                     1);
    cJSON_Delete(document);
    made_close(store);
}

/* Either all results say whether they are suppressed, or none does. */
static void known_issues(void **state)
{
    (void)state;
    cJSON *document;
    size_t suppressed = 0, all = 0;
    report_store *store = made_open();
    made_small(store);
    made_known(store,
               "00000000000000a2 2026-11-30 @kernels waits \"for\" 318\n"
               "00000000000000a5 2026-11-29 @runtime a crash\n",
               "2026-11-30");
    const cJSON *at, *run = write_and_check(&document, store);
    cJSON_ArrayForEach(at, get(run, "results"))
    {
        const cJSON *list = get(at, "suppressions");
        const char *rule = get(at, "ruleId")->valuestring;
        const cJSON *known = get(get(at, "properties"), "known");
        all++;
        assert_non_null(list);
        if (strcmp(rule, "planner.crash") == 0)
            assert_string_equal(known->valuestring,
                                "EXPIRED: was known until 2026-11-29, "
                                "@runtime: a crash");
        if (cJSON_GetArraySize(list) == 0)
            continue;
        suppressed++;
        assert_string_equal(rule, "hazard.war");
        assert_string_equal(get(list->child, "justification")->valuestring,
                            "known until 2026-11-30, @kernels: waits "
                            "\"for\" 318");
    }
    assert_true(suppressed == 1 && all == 8);
    /* `run` knows of no issues. */
    assert_int_equal(get(get(run, "invocations")->child, "exitCode")->valueint,
                     1);
    cJSON_Delete(document);
    made_close(store);
}

/* --- How a run ended --- */

static void expect_end(report_store *store, bool successful, int exit_code)
{
    cJSON *document;
    const cJSON *run = write_and_check(&document, store);
    const cJSON *invocation = get(run, "invocations")->child;
    assert_int_equal(cJSON_IsTrue(get(invocation, "executionSuccessful")),
                     successful);
    const cJSON *code = get(invocation, "exitCode");
    assert_int_equal(code == NULL ? -1 : code->valueint, exit_code);
    cJSON_Delete(document);
}

static void ends(void **state)
{
    (void)state;
    report_store *store = made_open();
    int64_t run = made_begin(store, MADE_RUN);
    expect_end(store, false, -1);
    made_end(store, run);
    expect_end(store, false, 4); /* it has shown nothing */
    report_case c = {.number = 1,
                     .path = "a",
                     .kind = "dump",
                     .verdict = "clean",
                     .text = "x"};
    run = made_begin(store, MADE_RUN);
    made_case(store, run, c);
    made_end(store, run);
    expect_end(store, true, 0);
    c.verdict = "crashed";
    run = made_begin(store, MADE_RUN);
    made_case(store, run, c);
    made_end(store, run);
    expect_end(store, false, 3);
    made_close(store);
}

/* --- Witnesses --- */

/* A witness of `tasks` steps, the reader at the end. */
static void add_order(report_store *store, int64_t run, int tasks)
{
    char *json = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&json, &length);
    assert_non_null(out);
    fprintf(out,
            "{\"consumer\":{\"line\":9,\"name\":\"%s\",\"task\":%d},"
            "\"producer\":{\"line\":4,\"name\":\"x\",\"task\":0},\"witness\":"
            "{\"expected_writer\":0,\"order\":[",
            "[y](http://z)", tasks - 1);
    for (int i = 0; i < tasks; i++)
        fprintf(out, "%s%d", i > 0 ? "," : "", i);
    fprintf(out, "],\"reader\":%d,\"seen_writer\":null}}", tasks - 1);
    assert_int_equal(fclose(out), 0);
    report_finding found = {
        .rule = "hazard.raw",
        .severity = "error",
        .signature = "00000000000000c1",
        .message = "m",
        .line = 9,
        .json = json,
        .json_length = length,
    };
    report_case c = {.number = 1,
                     .path = "a.py",
                     .kind = "dump",
                     .verdict = "findings",
                     .findings = &found,
                     .count = 1,
                     .text = "x"};
    made_case(store, run, c);
    made_end(store, run);
    free(json);
}

static const char *step_text(const cJSON *steps, int at)
{
    const cJSON *location = get(cJSON_GetArrayItem(steps, at), "location");
    return get(get(location, "message"), "text")->valuestring;
}

static void long_orders_are_cut(void **state)
{
    (void)state;
    cJSON *document;
    report_store *store = made_open();
    add_order(store, made_begin(store, MADE_RUN), 1000);
    const cJSON *run = write_and_check(&document, store);
    const cJSON *result = get(run, "results")->child;
    assert_int_equal(cJSON_GetArraySize(get(result, "relatedLocations")), 2);
    const cJSON *steps =
        get(get(get(result, "codeFlows")->child, "threadFlows")->child,
            "locations");
    assert_int_equal(cJSON_GetArraySize(steps), 52);
    assert_string_equal(step_text(steps, 0),
                        "task 0 \"x\": writes what should be read");
    assert_string_equal(step_text(steps, 1), "task 1");
    assert_string_equal(step_text(steps, 50), "949 more steps");
    assert_string_equal(step_text(steps, 51),
                        "task 999 \"[y] (http://z)\": reads here");
    cJSON_Delete(document);
    made_close(store);
}

/* --- Too many --- */

static void many_are_cut(void **state)
{
    (void)state;
    enum { CASES = 6, EACH = 5000 };
    cJSON *document;
    report_store *store = made_open();
    int64_t run = made_begin(store, MADE_RUN);
    report_finding *found = calloc(EACH, sizeof *found);
    assert_non_null(found);
    for (int i = 0; i < CASES; i++) {
        for (int n = 0; n < EACH; n++)
            found[n] = (report_finding){
                .rule = i == CASES - 1 ? "hazard.war" : "hazard.raw",
                .severity = i == CASES - 1 ? "error" : "warning",
                .signature = "00000000000000d1",
                .message = "m",
                .json = "{}",
                .json_length = 2,
            };
        report_case c = {.number = i + 1,
                         .path = "a.py",
                         .kind = "dump",
                         .verdict = "findings",
                         .findings = found,
                         .count = EACH,
                         .text = "x"};
        made_case(store, run, c);
    }
    made_end(store, run);
    const cJSON *told = write_and_check(&document, store);
    assert_int_equal(cJSON_GetArraySize(get(told, "results")), 25000);
    assert_string_equal(get(get(told, "results")->child, "ruleId")->valuestring,
                        "hazard.war");
    assert_int_equal(get(get(told, "properties"), "resultsLeftOut")->valueint,
                     5000);
    const cJSON *notes =
        get(get(told, "invocations")->child, "toolExecutionNotifications");
    assert_non_null(
        strstr(get(get(notes->child, "message"), "text")->valuestring,
               "25000 of 30000 findings are listed"));
    free(found);
    cJSON_Delete(document);
    made_close(store);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(small),
    cmocka_unit_test(checks_see_faults),
    cmocka_unit_test(hostile),
    cmocka_unit_test(of_fuzz),
    cmocka_unit_test(known_issues),
    cmocka_unit_test(ends),
    cmocka_unit_test(long_orders_are_cut),
    cmocka_unit_test(many_are_cut),
};

TEST_MAIN(tests)
