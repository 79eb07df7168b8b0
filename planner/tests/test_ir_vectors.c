/*
 * What the reference answers on programs in the JSON form: eligibility, Score
 * and fingerprint by both policies, certified or not, regions, region
 * eligibility.
 */
#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sonata/ir.h"

#define VECTORS "../shared/vectors/sonata/ir.jsonl"

/* Two lines in the same form, which hold without the file. */
static const char *const own[] = {
    "{\"id\": \"own-one\", \"entry_name\": \"m\", \"ir\": {\"kind\": "
    "\"Function\", \"name\": \"m\", \"body\": [{\"kind\": \"ForStmt\", "
    "\"body\": []}, {\"kind\": \"Submit\"}]}, \"static\": "
    "{\"sequential_v0\": {\"eligible\": false, \"reasons\": "
    "[[\"control_flow_not_supported\", \"ForStmt is not supported by initial "
    "Sonata eligibility\", \"error\"], [\"unsupported_pypto_adapter_scope\", "
    "\"Submit is out of scope for Sonata v0.1 PyPTO adapter\", "
    "\"error\"]]}}, \"regions\": [{\"region_id\": 0, \"kind\": \"dynamic\", "
    "\"control_flow_kind\": \"ForStmt\", \"node_count\": 1, \"fallback\": "
    "[\"control_flow_not_supported\", \"ForStmt region falls back to dynamic "
    "execution\", \"warning\"]}, {\"region_id\": 1, \"kind\": \"static\", "
    "\"control_flow_kind\": null, \"node_count\": 1, \"fallback\": null}]}",
    "{\"id\": \"own-two\", \"entry_name\": null, \"ir\": {\"kind\": "
    "\"ForStmt\"}, \"region_eligibility\": {\"eligible\": false, "
    "\"reasons\": [[\"control_flow_not_supported\", \"ForStmt is a dynamic "
    "region\", \"error\"]]}}",
};

typedef struct tally {
    int cases, apart, answers, agree;
} tally;

typedef struct line {
    const sonata_doc *doc;
    const sonata_node *root;
    const sonata_program *program; /* NULL: refused */
    const char *where;
} line;

static const sonata_node *get(const line *l, const sonata_node *node,
                              const char *name)
{
    return node == NULL ? NULL : sonata_node_get(l->doc, node, name);
}

static bool is_null(const line *l, const sonata_node *node)
{
    return node == NULL ||
           sonata_node_kind_of(l->doc, node) == SONATA_NODE_NULL;
}

static bool same_text(const line *l, sonata_text text, const sonata_node *node)
{
    sonata_text wanted = sonata_node_text(l->doc, node);
    if (text.text == NULL || wanted.text == NULL)
        return text.text == NULL && is_null(l, node);
    return text.length == wanted.length &&
           memcmp(text.text, wanted.text, text.length) == 0;
}

static bool same_word(const line *l, const char *word, const sonata_node *node)
{
    return same_text(l, (sonata_text){word, strlen(word)}, node);
}

static bool same_reason(const line *l, const sonata_reason *reason,
                        const sonata_node *triple)
{
    const sonata_node *code = sonata_node_first(triple);
    const sonata_node *message = sonata_node_next(code);
    return same_word(l, reason->code, code) &&
           same_text(l, reason->message, message) &&
           same_word(l, reason->is_warning ? "warning" : "error",
                     sonata_node_next(message));
}

static bool same_reasons(const line *l, const sonata_reasons *reasons,
                         const sonata_node *list)
{
    size_t at = 0;
    const sonata_node *m = list == NULL ? NULL : sonata_node_first(list);
    for (; m != NULL && at < reasons->count; m = sonata_node_next(m), at++)
        if (!same_reason(l, &reasons->items[at], m))
            return false;
    return m == NULL && at == reasons->count;
}

static bool same_score(const line *l, const sonata_score *score,
                       const sonata_node *answer)
{
    char fingerprint[SONATA_FINGERPRINT_SIZE];
    char *json = NULL;
    char *wanted = NULL;
    assert_int_equal(sonata_score_json(&json, NULL, score, true, NULL),
                     SONATA_OK);
    assert_int_equal(sonata_node_json(&wanted, NULL, l->doc,
                                      get(l, answer, "score"), true, NULL),
                     SONATA_OK);
    assert_int_equal(sonata_score_fingerprint(fingerprint, score, false, NULL),
                     SONATA_OK);
    bool same = strcmp(json, wanted) == 0 &&
                same_word(l, fingerprint, get(l, answer, "fingerprint"));
    free(json);
    free(wanted);
    return same;
}

static bool same_result(const line *l, sonata_status status,
                        sonata_eligibility *result, const sonata_node *answer)
{
    bool raises = get(l, answer, "error") != NULL;
    if (status != SONATA_OK || raises)
        return status != SONATA_OK && raises;
    bool eligible = sonata_node_is_true(get(l, answer, "eligible"));
    bool same = eligible == result->eligible &&
                same_reasons(l, &result->reasons, get(l, answer, "reasons")) &&
                (!eligible || same_score(l, &result->score, answer));
    sonata_eligibility_free(result);
    return same;
}

static void count(tally *t, const line *l, const char *what, bool same)
{
    t->answers++;
    t->agree += same ? 1 : 0;
    if (!same)
        print_message("differs: %s %s\n", l->where, what);
}

static sonata_text entry_of(const line *l)
{
    const sonata_node *entry = get(l, l->root, "entry_name");
    return entry == NULL ? (sonata_text){0} : sonata_node_text(l->doc, entry);
}

static void check_static(tally *t, const line *l, const char *group,
                         bool certified)
{
    static const char *const policies[] = {"sequential_v0", "dataflow_v0"};
    for (size_t i = 0; i < 2; i++) {
        const sonata_node *answer = get(l, get(l, l->root, group), policies[i]);
        sonata_ir_options options = {policies[i], entry_of(l), certified};
        sonata_eligibility result = {0};
        sonata_status status = SONATA_SCHEMA;
        if (answer == NULL)
            continue;
        if (l->program != NULL)
            status = sonata_ir_plan(&result, l->program, &options, NULL);
        count(t, l, group, same_result(l, status, &result, answer));
    }
}

static bool same_region(const line *l, const sonata_region *region,
                        size_t number, const sonata_node *answer)
{
    int64_t id = -1;
    int64_t nodes = -1;
    const sonata_node *fallback = get(l, answer, "fallback");
    sonata_node_int(&id, l->doc, get(l, answer, "region_id"));
    sonata_node_int(&nodes, l->doc, get(l, answer, "node_count"));
    return id == (int64_t)number && nodes == (int64_t)region->node_count &&
           same_word(l, region->is_dynamic ? "dynamic" : "static",
                     get(l, answer, "kind")) &&
           same_text(l, region->control_flow_kind,
                     get(l, answer, "control_flow_kind")) &&
           is_null(l, fallback) == !region->is_dynamic &&
           (!region->is_dynamic || same_reason(l, &region->fallback, fallback));
}

static void check_regions(tally *t, const line *l)
{
    const sonata_node *answer = get(l, l->root, "regions");
    sonata_regions regions;
    size_t at = 0;
    bool same = true;
    if (answer == NULL)
        return;
    if (l->program == NULL) {
        count(t, l, "regions", get(l, answer, "error") != NULL);
        return;
    }
    assert_int_equal(sonata_ir_regions(&regions, l->program, NULL), SONATA_OK);
    const sonata_node *m = sonata_node_first(answer);
    for (; m != NULL && same; m = sonata_node_next(m), at++)
        same = at < regions.count && same_region(l, &regions.items[at], at, m);
    count(t, l, "regions", same && at == regions.count);
    sonata_regions_free(&regions);
}

static void check_region_eligibility(tally *t, const line *l)
{
    const sonata_node *answer = get(l, l->root, "region_eligibility");
    sonata_ir_options options = {.entry = entry_of(l)};
    sonata_eligibility result = {0};
    sonata_status status = SONATA_SCHEMA;
    if (answer == NULL)
        return;
    if (l->program != NULL)
        status =
            sonata_ir_region_eligibility(&result, l->program, &options, NULL);
    count(t, l, "region_eligibility", same_result(l, status, &result, answer));
}

static void check_line(tally *t, const char *text, size_t length)
{
    sonata_doc *doc = NULL;
    sonata_program *program = NULL;
    sonata_error error = {0};
    if (sonata_doc_read(&doc, text, length, &error) != SONATA_OK) {
        assert_non_null(strstr(error.message, "surrogate"));
        t->apart++;
        return;
    }
    line l = {.doc = doc, .root = sonata_doc_root(doc)};
    l.where = sonata_node_text(doc, get(&l, l.root, "id")).text;
    if (sonata_ir_from_node(&program, doc, get(&l, l.root, "ir"), &error) !=
        SONATA_OK)
        print_message("refused: %s: %s\n", l.where, error.message);
    l.program = program;
    t->cases++;
    check_static(t, &l, "static", false);
    check_static(t, &l, "static_certified", true);
    check_regions(t, &l);
    check_region_eligibility(t, &l);
    sonata_program_free(program);
    sonata_doc_free(doc);
}

static void own_lines(void **state)
{
    (void)state;
    tally t = {0};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        check_line(&t, own[i], strlen(own[i]));
    assert_int_equal(t.answers, 3);
    assert_int_equal(t.agree, 3);
}

static void reference_programs(void **state)
{
    (void)state;
    test_needs(VECTORS);
    FILE *file = fopen(VECTORS, "r");
    char *text = NULL;
    size_t room = 0;
    tally t = {0};
    assert_non_null(file);
    for (ssize_t length; (length = getline(&text, &room, file)) > 0;)
        check_line(&t, text, (size_t)length);
    free(text);
    fclose(file);
    print_message("%d programs, %d of %d answers agree; %d apart\n", t.cases,
                  t.agree, t.answers, t.apart);
    assert_true(t.cases > 0);
    assert_int_equal(t.answers, 6 * t.cases);
    assert_int_equal(t.agree, t.answers);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(own_lines),
    cmocka_unit_test(reference_programs),
};

TEST_MAIN(tests)
