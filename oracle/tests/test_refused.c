/*
 * What the checkers must not accept, on the examples of the rules: a witness
 * held against the nearest right twin of its document, which has no such
 * finding; and a witness in which a number or a name says something else.
 */
#include "../../scripts/testing/harness.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/judge.h"

#define LARGEST ((size_t)65536)
#define REASON ((size_t)160)

typedef struct example {
    char text[LARGEST];
    size_t length;
    oracle_document document; /* derived, unless is_csv */
    oracle_judgement judgement;
    bool is_csv;
} example;

/* False: it is no document of one room alone. */
static bool read_example(example *e, const char *rule, const char *name)
{
    char path[1024];
    oracle_error error;
    snprintf(path, sizeof path, "corpus/rules/%s/%s", rule, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    e->length = fread(e->text, 1, sizeof e->text, file);
    fclose(file);
    e->is_csv = strstr(name, ".csv") != NULL;
    if (!e->is_csv && strstr(name, ".json") == NULL) {
        return false;
    }
    if (!e->is_csv) {
        if (oracle_document_read(&e->document, e->text, e->length, NULL,
                                 &error) != ORACLE_OK) {
            return false;
        }
        assert_int_equal(oracle_document_derive(&e->document, &error),
                         ORACLE_OK);
    }
    oracle_judge_options how = {.csv = e->is_csv};
    assert_int_equal(oracle_judge_text(&e->judgement, e->text, e->length, &how),
                     ORACLE_OK);
    return true;
}

static void free_example(example *e)
{
    oracle_judgement_free(&e->judgement);
    if (!e->is_csv) {
        oracle_document_free(&e->document);
    }
}

static bool accepts(const example *e, const char *finding, char *reason)
{
    reason[0] = '\0';
    return e->is_csv
               ? oracle_csv_witness_check(e->text, e->length, 0, finding,
                                          reason, REASON)
               : oracle_witness_check(&e->document, finding, reason, REASON);
}

static bool has_rule(const example *e, const char *rule)
{
    for (uint32_t i = 0; i < e->judgement.count; i++) {
        if (strcmp(e->judgement.findings[i].rule, rule) == 0) {
            return true;
        }
    }
    return false;
}

/* Visits the findings of the rule's examples that are proved. */
typedef void (*visit)(const example *e, const oracle_finding *finding);

static void visit_example(const char *rule, const char *name, visit seen)
{
    static example e;
    char reason[REASON];
    if (!read_example(&e, rule, name)) {
        return;
    }
    for (uint32_t i = 0; i < e.judgement.count; i++) {
        const oracle_finding *f = &e.judgement.findings[i];
        if (strcmp(f->rule, rule) == 0 && accepts(&e, f->json, reason)) {
            seen(&e, f);
        }
    }
    free_example(&e);
}

static void visit_folder(const char *rule, const char *prefix, visit seen)
{
    char path[512];
    snprintf(path, sizeof path, "corpus/rules/%s", rule);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *f; (f = readdir(folder)) != NULL;) {
        if (strncmp(f->d_name, prefix, strlen(prefix)) == 0) {
            visit_example(rule, f->d_name, seen);
        }
    }
    closedir(folder);
}

static void visit_all(visit seen)
{
    DIR *rules = opendir("corpus/rules");
    assert_non_null(rules);
    for (struct dirent *r; (r = readdir(rules)) != NULL;) {
        if (r->d_name[0] != '.') {
            visit_folder(r->d_name, "found", seen);
        }
    }
    closedir(rules);
}

/* --- Against the twin --- */

static uint32_t refused;

/*
 * An error is proved whole; what a warning or a note says may be more. An edge
 * that a run lost may be one of the plan, which the record does not have: only
 * that nothing orders the two is proved.
 */
static void refuse_twin(const example *found, const oracle_finding *finding)
{
    static example twin;
    const char *rule = finding->rule, *json = finding->json;
    char path[512], reason[REASON];
    if (finding->severity != ORACLE_ERROR ||
        strcmp(rule, "runtime.lost-edge") == 0) {
        return;
    }
    snprintf(path, sizeof path, "corpus/rules/%s", rule);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *f; (f = readdir(folder)) != NULL;) {
        if (strncmp(f->d_name, "absent", 6) != 0 ||
            !read_example(&twin, rule, f->d_name)) {
            continue;
        }
        if (twin.is_csv == found->is_csv && !has_rule(&twin, rule)) {
            if (accepts(&twin, json, reason)) {
                fail_msg("%s is accepted for %s: %s", rule, f->d_name, json);
            }
            assert_string_not_equal(reason, "");
            refused++;
        }
        free_example(&twin);
    }
    closedir(folder);
}

static void twins(void **state)
{
    (void)state;
    visit_all(refuse_twin);
    print_message("%u\n", (unsigned)refused);
    assert_true(refused > 30);
}

/* --- Changed --- */

/* The end of a number or text that begins at `at`; `at`: there is none. */
static const char *scalar_end(const char *at)
{
    const char *end = at;
    if (*at == '"') {
        for (end++; *end != '"'; end++) {
            end += *end == '\\';
        }
        return end[1] == ':' ? at : end + 1;
    }
    while ((*end >= '0' && *end <= '9') || *end == '-') {
        end++;
    }
    return end;
}

/*
 * Whether a value only tells more of what the rest proves: the end of the bytes
 * of which the first one is proved, what lies where, what a row of a table has.
 */
static bool only_tells(const example *e, const char *json, const char *at)
{
    static const char *const before[] = {
        "\"end\":",      "\"intruder\":{\"buffer\":",
        "\"from_arg\":", "\"to_arg\":",
        "\"lost\":[",    "\"begin\":",
        "\"from\":",     "\"to\":",
        "\"offset\":",   "\"size\":",
        "\"alignment\":"};
    size_t count = sizeof before / sizeof *before;
    for (size_t i = 0; i < (e->is_csv ? count : count - 6); i++) {
        size_t length = strlen(before[i]);
        if ((size_t)(at - json) > length &&
            memcmp(at - length, before[i], length) == 0) {
            return true;
        }
    }
    const char *ranges = strstr(json, "\"ranges\":[[");
    return ranges != NULL && at > ranges && at < strstr(ranges, "]]");
}

static uint32_t changed;

static void refuse_changes(const example *found, const oracle_finding *finding)
{
    static char text[LARGEST];
    char reason[REASON];
    const char *json = finding->json;
    const char *at = strstr(json, "\"witness\":");
    for (at = at == NULL ? "" : at + 10; *at != '\0';) {
        const char *end = scalar_end(at);
        if (end == at) {
            /* A key, or punctuation; a text is passed as a whole. */
            at = *at == '"' ? strchr(at + 1, '"') + 1 : at + 1;
            continue;
        }
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - json), json,
                 *at == '"' ? "\"nowhere\"" : "987654321", end);
        if (!only_tells(found, json, at)) {
            if (accepts(found, text, reason)) {
                fail_msg("accepted: %s", text);
            }
            assert_string_not_equal(reason, "");
            changed++;
        }
        at = end;
    }
}

static void changes(void **state)
{
    (void)state;
    visit_all(refuse_changes);
    print_message("%u\n", (unsigned)changed);
    assert_true(changed > 150);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(twins),
    cmocka_unit_test(changes),
};

TEST_MAIN(tests)
