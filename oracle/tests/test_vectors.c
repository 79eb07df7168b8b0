/*
 * Scores of another implementation: what `conservative` derives over whole
 * buffers is what its policy dataflow_v0 answers (spec 02).
 */
#include "../../scripts/testing/harness.h"
#include "../json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VECTORS "../shared/vectors/sonata/scores.jsonl"
#define MAX_LINE ((size_t)8 << 20)

static uint32_t field(const oracle_json *json, uint32_t object,
                      const char *name)
{
    uint32_t end = oracle_json_next(json, object);
    for (uint32_t at = object + 1; at < end;
         at = oracle_json_next(json, at + 1)) {
        if (oracle_json_is(json, at, name, strlen(name))) {
            return at + 1;
        }
    }
    return ORACLE_NONE;
}

/* From a value to the end of the line, cut where its brackets close. */
static size_t value_length(const char *text)
{
    size_t open = 0;
    bool quoted = false;
    for (size_t i = 0;; i++) {
        if (quoted && text[i] == '\\') {
            i++;
        } else if (quoted) {
            quoted = text[i] != '"';
        } else if (text[i] == '"') {
            quoted = true;
        } else {
            open += text[i] == '[' || text[i] == '{';
            open -= text[i] == ']' || text[i] == '}';
            if (open == 0) {
                return i + 1;
            }
        }
    }
}

static bool has_edge(const oracle_document *d, int64_t from, int64_t to,
                     const oracle_json *json, uint32_t kind)
{
    for (uint32_t i = 0; i < d->edge_count; i++) {
        const oracle_edge *e = &d->edges[i];
        if (d->tasks[e->from].id == from && d->tasks[e->to].id == to) {
            return e->certain &&
                   oracle_json_is(json, kind, e->kind.data, e->kind.length);
        }
    }
    return false;
}

/* Whether the line has an answer that was compared. */
static bool check_line(const char *line, size_t length)
{
    oracle_json json;
    oracle_document d;
    oracle_error error;
    uint32_t count = 0;
    if (oracle_json_parse(&json, line, length, &error) != ORACLE_OK) {
        return false; /* lone surrogates are refused */
    }
    uint32_t score = field(&json, 0, "score");
    uint32_t deps = field(&json, 0, "dataflow_deps");
    if (deps == ORACLE_NONE || json.nodes[deps].type != ORACLE_JSON_ARRAY) {
        oracle_json_free(&json);
        return false;
    }
    const char *text = line + json.nodes[score].offset;
    oracle_status status =
        oracle_document_read(&d, text, value_length(text), NULL, &error);
    if (status != ORACLE_OK) {
        assert_non_null(strstr(error.message, "is the id of another task"));
        oracle_json_free(&json);
        return false;
    }
    d.edge_count = 0;
    d.rules = ORACLE_RULES_CONSERVATIVE;
    assert_int_equal(oracle_document_derive(&d, &error), ORACLE_OK);
    for (uint32_t at = deps + 1; at < oracle_json_next(&json, deps); at += 4) {
        int64_t from = -1;
        int64_t to = -1;
        oracle_json_int64(&json, at + 1, &from);
        oracle_json_int64(&json, at + 2, &to);
        assert_true(has_edge(&d, from, to, &json, at + 3));
        count++;
    }
    assert_int_equal(count, d.edge_count);
    oracle_document_free(&d);
    oracle_json_free(&json);
    return true;
}

#define TASK(id, args, ways)                                                   \
    "{\"task_id\":" id ",\"func_id\":0,\"core_type\":\"aiv\",\"args\":[" args  \
    "],\"arg_directions\":[" ways "]}"

static void test_score_of_our_own(void **state)
{
    (void)state;
    /* clang-format off */
    static const char line[] =
        "{\"score\":{\"schema_version\":1,\"name\":\"s\",\"tasks\":["
        TASK("0", "\"a\"", "\"output\"") ","
        TASK("1", "\"a\",\"b\"", "\"input\",\"output\"") ","
        TASK("2", "\"b\",\"a\"", "\"input\",\"output\"") ","
        TASK("3", "\"a\",\"a\"", "\"output\",\"input\"")
        "],\"dependencies\":[]},\"dataflow_deps\":[[0,1,\"data\"],"
        "[0,2,\"storage\"],[1,2,\"data\"],[2,3,\"data\"]]}";
    /* clang-format on */
    assert_true(check_line(line, sizeof line - 1));
}

static void test_scores_of_the_vectors(void **state)
{
    (void)state;
    test_needs(VECTORS);
    FILE *file = fopen(VECTORS, "rb");
    char *line = malloc(MAX_LINE);
    uint32_t compared = 0;
    assert_non_null(file);
    assert_non_null(line);
    while (fgets(line, (int)MAX_LINE, file) != NULL) {
        compared += check_line(line, strlen(line));
    }
    print_message("%u compared\n", compared);
    fclose(file);
    free(line);
    assert_true(compared > 100);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_score_of_our_own),
    cmocka_unit_test(test_scores_of_the_vectors),
};

TEST_MAIN(tests)
