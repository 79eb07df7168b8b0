/* The verb reduce: real findings, their inputs small, the finding still there.
 */
#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

/* Reduces to a file, which has the rule still; what --json says is kept. */
static char *reduce(const char *path, const char *rule, const char *result)
{
    char words[80];
    tool_result r;
    tool_run(&r, NULL, "reduce", path, "--rule", rule, "-o", result, "--json",
             "--quiet", NULL);
    if (r.status != 0)
        fail_msg("%s: status %d: %s", path, r.status, r.error);
    assert_non_null(strstr(r.out, "\"minimal\":true"));
    char *json = strdup(r.out);
    tool_free(&r);
    tool_run(&r, NULL, "check", result, "--json", NULL);
    snprintf(words, sizeof words, "\"rule\":\"%s\"", rule);
    if (strstr(r.out, words) == NULL)
        fail_msg("%s has lost %s:\n%s", path, rule, r.out);
    tool_free(&r);
    return json;
}

static void findings_of_documents(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *file;
        long long tasks, bytes; /* at most */
    } cases[] = {
        {"hazard.raw", "found.json", 2, 400},
        {"hazard.war", "found.json", 2, 400},
        {"hazard.waw", "found.json", 3, 500},
        {"graph.cycle", "found.json", 2, 300},
        {"memory.overlap", "found.json", 3, 700},
        {"memory.overlap", "found_table.csv", 0, 60},
        {"handle.binding-key", "found.json", 1, 400},
        {"hbg.edges", "found.json", 2, 250},
        {"doc.syntax", "found.json", 0, 8},
        {"runtime.lost-edge", "found.json", 3, 200},
    };
    char *folder = tool_folder();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[128];
        snprintf(path, sizeof path, "corpus/rules/%s/%s", cases[i].rule,
                 cases[i].file);
        char *json = reduce(path, cases[i].rule, tool_path(folder, "small"));
        const char *tasks = strstr(json, "\"tasks\":");
        assert_true(tool_number(tasks, "after") <= cases[i].tasks);
        const char *bytes = strstr(json, "\"bytes\":");
        assert_true(tool_number(bytes, "after") <= cases[i].bytes);
        free(json);
    }
    tool_remove(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(findings_of_documents),
};

TEST_MAIN(tests)
