/* PlanHandle, runtime adapter, host_build_graph plan, adapter registry. */
#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sonata/runtime.h"

#include "../json/digest.h"

#define VECTORS "../shared/vectors/sonata/scores.jsonl"
#define LARGE "../shared/vectors/sonata/large.jsonl"
#define TEXT(node) sonata_node_text(doc, node)

static const char sample[] =
    "{\"name\":\"s\",\"tasks\":["
    "{\"task_id\":0,\"func_id\":7,\"core_type\":\"aiv\",\"name\":\"load\","
    "\"args\":[\"x\",\"t\",4],\"arg_directions\":[\"Input\",\"Output\","
    "\"Scalar\"],\"arg_storage_keys\":[\"param:x\",\"alloc:t\",null]},"
    "{\"task_id\":1,\"func_id\":8,\"core_type\":\"aic\",\"name\":\"add\","
    "\"args\":[\"t\",\"y\"],\"arg_directions\":[\"Input\",\"Output\"]},"
    "{\"task_id\":2,\"func_id\":9,\"core_type\":\"aiv\",\"name\":\"load\","
    "\"args\":[\"z\"]},"
    "{\"task_id\":3,\"func_id\":9,\"core_type\":\"mixed\"}],"
    "\"dependencies\":[{\"producer\":0,\"consumer\":1},"
    "{\"producer\":1,\"consumer\":3,\"kind\":\"ordering\"}]}";

static sonata_score read_score(const char *text)
{
    sonata_score score;
    sonata_error error = {0};
    if (sonata_score_read(&score, text, strlen(text), NULL, &error) !=
        SONATA_OK)
        fail_msg("%s", error.message);
    return score;
}

static void handle_binds_by_position(void **state)
{
    (void)state;
    sonata_score score = read_score(sample);
    sonata_handle handle;
    assert_int_equal(sonata_handle_from_score(&handle, &score, NULL, NULL),
                     SONATA_OK);
    assert_int_equal(handle.entry_count, 2);
    assert_string_equal(handle.entries[0].name.text, "add");
    assert_int_equal(handle.entries[0].func_id, 8);
    assert_string_equal(handle.entries[1].name.text, "load");
    assert_int_equal(handle.entries[1].func_id, 7);
    assert_false(handle.entries[1].is_bound);
    assert_int_equal(handle.binding_count, 6);
    const sonata_binding *third = &handle.bindings[2];
    assert_int_equal(third->task_id, 0);
    assert_int_equal(third->arg_index, 2);
    assert_int_equal(third->storage_key.kind, SONATA_NULL);
    assert_string_equal(third->direction.text, "Scalar");
    assert_string_equal(third->runtime_handle.text.text, "2");
    const sonata_binding *last = &handle.bindings[5];
    assert_int_equal(last->task_id, 2);
    assert_string_equal(last->direction.text, "Input");
    assert_int_equal(last->storage_key.kind, SONATA_NULL);
    assert_string_equal(handle.source_adapter.text, "post_simplify");
    sonata_handle_free(&handle);
    sonata_score_free(&score);
}

static void other_binding_rules(void **state)
{
    (void)state;
    sonata_score score = read_score(sample);
    sonata_handle handle;
    sonata_reasons reasons = {0};
    sonata_handle_options options = {.bindings = SONATA_BIND_NONE,
                                     .source_adapter =
                                         SONATA_TEXT("pre_runtime")};
    assert_int_equal(sonata_handle_from_score(&handle, &score, &options, NULL),
                     SONATA_OK);
    assert_int_equal(handle.binding_count, 0);
    assert_string_equal(handle.source_adapter.text, "pre_runtime");
    assert_int_equal(sonata_adapter_check(&reasons, &score, &handle, NULL),
                     SONATA_OK);
    assert_int_equal(reasons.count, 4);
    assert_string_equal(reasons.items[0].code,
                        "runtime_adapter_binding_incomplete");
    assert_string_equal(
        reasons.items[0].message.text,
        "task 0 arg 0 (x, storage=param:x) has no RuntimeArgBinding");
    assert_string_equal(
        reasons.items[2].message.text,
        "task 1 arg 0 (t, storage=None) has no RuntimeArgBinding");
    sonata_reasons_free(&reasons);
    sonata_handle_free(&handle);
    options.bindings = SONATA_BIND_MEMORY;
    assert_int_equal(sonata_handle_from_score(&handle, &score, &options, NULL),
                     SONATA_OK);
    assert_int_equal(handle.binding_count, 4);
    sonata_handle_free(&handle);
    sonata_score_free(&score);
}

static void expect_plan(const sonata_score *score, const sonata_handle *handle,
                        const char *expected)
{
    sonata_hbg_plan plan;
    sonata_reasons reasons = {0};
    char *json = NULL;
    assert_int_equal(sonata_hbg_plan_make(&plan, &reasons, score, handle, NULL),
                     SONATA_OK);
    assert_int_equal(reasons.count, 0);
    assert_int_equal(sonata_hbg_plan_json(&json, NULL, &plan, false, NULL),
                     SONATA_OK);
    char *tasks = strstr(json, "\"tasks\":");
    assert_non_null(tasks);
    assert_string_equal(tasks, expected);
    free(json);
    sonata_hbg_plan_free(&plan);
    sonata_reasons_free(&reasons);
}

static void runtime_ids_from_a_map(void **state)
{
    (void)state;
    static const char map[] = "{\"load\":3,\"other\":1,\"load\":41}";
    sonata_score score = read_score(sample);
    sonata_handle handle;
    sonata_error error = {0};
    size_t bound = 0;
    assert_int_equal(sonata_handle_from_score(&handle, &score, NULL, NULL),
                     SONATA_OK);
    assert_int_equal(
        sonata_handle_bind_json(&handle, &bound, map, strlen(map), NULL),
        SONATA_OK);
    assert_int_equal(bound, 1);
    expect_plan(
        &score, &handle,
        "\"tasks\":[{\"core_type\":\"aiv\",\"func_id\":41,\"name\":\"load\","
        "\"runtime_args\":[0,1,2],\"task_id\":0},"
        "{\"core_type\":\"aic\",\"func_id\":8,\"name\":\"add\","
        "\"runtime_args\":[0,1],\"task_id\":1},"
        "{\"core_type\":\"aiv\",\"func_id\":41,\"name\":\"load\","
        "\"runtime_args\":[0],\"task_id\":2},"
        "{\"core_type\":\"mixed\",\"func_id\":9,\"name\":null,"
        "\"runtime_args\":[],\"task_id\":3}]}");
    assert_int_equal(
        sonata_handle_bind_json(&handle, NULL, "{\"add\":true}", 12, &error),
        SONATA_SCHEMA);
    assert_string_equal(error.message, "add must be an int, got bool");
    assert_int_equal(sonata_handle_bind_json(&handle, NULL, "[1]", 3, &error),
                     SONATA_SCHEMA);
    sonata_handle_free(&handle);
    sonata_score_free(&score);
}

static void last_binding_wins_in_any_order(void **state)
{
    (void)state;
    sonata_score score = read_score(sample);
    sonata_handle handle;
    assert_int_equal(sonata_handle_from_score(&handle, &score, NULL, NULL),
                     SONATA_OK);
    sonata_binding mixed[8];
    for (size_t i = 0; i < 6; i++)
        mixed[i] = handle.bindings[5 - i];
    mixed[6] = handle.bindings[1];
    mixed[6].runtime_handle =
        (sonata_value){SONATA_STRING, SONATA_TEXT_INIT("second")};
    mixed[7] = mixed[6];
    mixed[7].arg_index = -1;
    handle.bindings = mixed;
    handle.binding_count = 8;
    expect_plan(
        &score, &handle,
        "\"tasks\":[{\"core_type\":\"aiv\",\"func_id\":7,\"name\":\"load\","
        "\"runtime_args\":[0,\"second\",2],\"task_id\":0},"
        "{\"core_type\":\"aic\",\"func_id\":8,\"name\":\"add\","
        "\"runtime_args\":[0,1],\"task_id\":1},"
        "{\"core_type\":\"aiv\",\"func_id\":9,\"name\":\"load\","
        "\"runtime_args\":[0],\"task_id\":2},"
        "{\"core_type\":\"mixed\",\"func_id\":9,\"name\":null,"
        "\"runtime_args\":[],\"task_id\":3}]}");
    sonata_handle_free(&handle);
    sonata_score_free(&score);
}

static void every_code_in_order(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "runtime_adapter_fingerprint_mismatch",
        "runtime_adapter_contract_version_mismatch",
        "runtime_adapter_func_not_registered",
        "runtime_adapter_func_not_registered",
        "runtime_adapter_func_unreferenced",
        "runtime_adapter_binding_incomplete",
        "runtime_adapter_invalid_edge",
        "runtime_adapter_invalid_edge"};
    sonata_score score = read_score(sample);
    sonata_handle handle;
    sonata_hbg_plan plan;
    sonata_reasons reasons = {0};
    assert_int_equal(sonata_handle_from_score(&handle, &score, NULL, NULL),
                     SONATA_OK);
    handle.contract_version = 2;
    handle.entries[1].name = SONATA_TEXT("ghost");
    handle.bindings[0].task_id = 77;
    score.dependencies[1].producer = -5;
    score.dependencies[1].consumer = 9;
    assert_int_equal(
        sonata_hbg_plan_make(&plan, &reasons, &score, &handle, NULL),
        SONATA_OK);
    assert_int_equal(plan.task_count, 0);
    assert_int_equal(reasons.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < reasons.count; i++)
        assert_string_equal(reasons.items[i].code, expected[i]);
    assert_string_equal(reasons.items[2].message.text,
                        "task 0 callee 'load' not found in FuncRegistry");
    assert_string_equal(reasons.items[6].message.text,
                        "dependency producer -5 not in task table");
    sonata_reasons_free(&reasons);
    sonata_handle_free(&handle);
    sonata_score_free(&score);
}

static void three_adapters(void **state)
{
    (void)state;
    sonata_adapters adapters;
    sonata_error error = {0};
    assert_int_equal(sonata_adapters_default(&adapters, NULL), SONATA_OK);
    assert_int_equal(adapters.count, 3);
    const sonata_adapter *found = sonata_adapters_select(
        &adapters, NULL, SONATA_STORAGE_KEYS | SONATA_RUNTIME_SCOPES);
    assert_string_equal(found->name.text, "post_simplify_with_scope");
    assert_null(sonata_adapters_select(&adapters, found, SONATA_STORAGE_KEYS));
    assert_null(
        sonata_adapters_select(&adapters, NULL, SONATA_CONTROL_FLOW_REGIONS));
    assert_int_equal(
        sonata_adapters_register(&adapters, &adapters.items[0], &error),
        SONATA_REJECTED);
    assert_string_equal(error.code, "adapter.duplicate");
    sonata_handle handle = {.source_adapter = SONATA_TEXT("pre_runtime")};
    assert_true(sonata_adapters_accept(&adapters, &handle));
    handle.source_adapter = SONATA_TEXT("mine");
    assert_false(sonata_adapters_accept(&adapters, &handle));
    sonata_adapter mine = adapters.items[0];
    mine.name = SONATA_TEXT("mine");
    assert_int_equal(sonata_adapters_register(&adapters, &mine, NULL),
                     SONATA_OK);
    assert_true(sonata_adapters_accept(&adapters, &handle));
    sonata_adapters_free(&adapters);
}

/* What did not come out as the reference has it. */
typedef struct tally {
    int cases, refused, handles, plans;
} tally;

static bool same_handle(const sonata_doc *doc, const sonata_node *answer)
{
    sonata_handle handle, again;
    sonata_error error = {0};
    char *json = NULL, *second = NULL;
    size_t length = 0;
    char digest[SONATA_DIGEST_SIZE];
    if (sonata_handle_from_node(&handle, doc,
                                sonata_node_get(doc, answer, "plan_handle"),
                                NULL, &error) != SONATA_OK)
        return false;
    sonata_handle_json(&json, &length, &handle, true, NULL);
    sonata_digest(digest, json, length);
    assert_int_equal(sonata_handle_read(&again, json, length, NULL, NULL),
                     SONATA_OK);
    sonata_handle_json(&second, NULL, &again, true, NULL);
    bool same =
        strcmp(json, second) == 0 &&
        strcmp(digest,
               TEXT(sonata_node_get(doc, answer, "plan_handle_json_sha256"))
                   .text) == 0;
    free(json);
    free(second);
    sonata_handle_free(&handle);
    sonata_handle_free(&again);
    return same;
}

static bool same_reasons(const sonata_doc *doc, const sonata_reasons *reasons,
                         const sonata_node *list)
{
    const sonata_node *m = list == NULL ? NULL : sonata_node_first(list);
    size_t i = 0;
    for (; m != NULL && i < reasons->count; m = sonata_node_next(m), i++) {
        const sonata_node *code = sonata_node_first(m);
        const sonata_node *message = sonata_node_next(code);
        if (strcmp(TEXT(code).text, reasons->items[i].code) != 0 ||
            strcmp(TEXT(message).text, reasons->items[i].message.text) != 0)
            return false;
    }
    return m == NULL && i == reasons->count;
}

/* The plan as the vectors write it: an edge is [producer, consumer]. */
static char *answer_of(const sonata_hbg_plan *plan)
{
    char *json = NULL, *text = NULL;
    size_t size = 0;
    assert_int_equal(sonata_hbg_plan_json(&json, NULL, plan, false, NULL),
                     SONATA_OK);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fputs("{\"edges\":[", out);
    for (size_t i = 0; i < plan->edge_count; i++)
        fprintf(out, "%s[%lld,%lld]", i == 0 ? "" : ",",
                (long long)plan->edges[i].producer,
                (long long)plan->edges[i].consumer);
    fprintf(out, "],%s", strstr(json, "\"metadata\":"));
    fclose(out);
    free(json);
    return text;
}

static bool same_plan(const sonata_doc *doc, const sonata_node *answer)
{
    sonata_score score;
    sonata_handle handle;
    sonata_hbg_plan plan;
    sonata_reasons reasons = {0};
    const sonata_node *wanted = sonata_node_get(doc, answer, "hbg_plan");
    assert_int_equal(
        sonata_score_from_node(
            &score, doc, sonata_node_get(doc, answer, "score"), NULL, NULL),
        SONATA_OK);
    assert_int_equal(
        sonata_handle_from_node(&handle, doc,
                                sonata_node_get(doc, answer, "plan_handle"),
                                NULL, NULL),
        SONATA_OK);
    assert_int_equal(
        sonata_hbg_plan_make(&plan, &reasons, &score, &handle, NULL),
        SONATA_OK);
    bool success = sonata_node_is_true(sonata_node_get(doc, wanted, "success"));
    bool same = success == (reasons.count == 0);
    if (!success) {
        same = same && same_reasons(doc, &reasons,
                                    sonata_node_get(doc, wanted, "reasons"));
    } else if (same) {
        char *json = NULL;
        char *mine = answer_of(&plan);
        sonata_node_json(&json, NULL, doc, wanted, false, NULL);
        /* theirs has "success" between metadata and tasks */
        char *cut = strstr(json, "\"success\":true,");
        assert_non_null(cut);
        memmove(cut, cut + 15, strlen(cut + 15) + 1);
        same = strcmp(json, mine) == 0;
        free(json);
        free(mine);
    }
    sonata_reasons_free(&reasons);
    sonata_hbg_plan_free(&plan);
    sonata_handle_free(&handle);
    sonata_score_free(&score);
    return same;
}

static void compare_line(tally *t, const char *line, size_t length)
{
    sonata_doc *doc = NULL;
    if (sonata_doc_read(&doc, line, length, NULL) != SONATA_OK) {
        t->refused++;
        return;
    }
    const sonata_node *answer = sonata_doc_root(doc);
    bool handle = same_handle(doc, answer);
    bool plan = same_plan(doc, answer);
    t->cases++;
    t->handles += handle;
    t->plans += plan;
    if (!handle || !plan)
        print_message("differs: %s\n",
                      TEXT(sonata_node_get(doc, answer, "id")).text);
    sonata_doc_free(doc);
}

static void reference_handles_and_plans(void **state)
{
    (void)state;
    test_needs(VECTORS);
    FILE *file = fopen(VECTORS, "r");
    assert_non_null(file);
    char *line = NULL;
    size_t room = 0;
    tally t = {0};
    ssize_t length = 0;
    while ((length = getline(&line, &room, file)) > 0)
        compare_line(&t, line, (size_t)length);
    free(line);
    fclose(file);
    print_message("of %d: handles %d, plans %d; %d refused\n", t.cases,
                  t.handles, t.plans, t.refused);
    assert_true(t.cases > 0);
    assert_int_equal(t.handles, t.cases);
    assert_int_equal(t.plans, t.cases);
}

static void expect_digest(const sonata_doc *doc, const sonata_node *answer,
                          const char *name, const char *json)
{
    char digest[SONATA_DIGEST_SIZE];
    sonata_digest(digest, json, strlen(json));
    assert_string_equal(digest, TEXT(sonata_node_get(doc, answer, name)).text);
}

static void compare_large(const sonata_doc *doc, const sonata_node *answer)
{
    sonata_score score;
    sonata_handle handle;
    sonata_hbg_plan plan;
    sonata_reasons reasons = {0};
    sonata_handle_options options = {.bindings = SONATA_BIND_MEMORY};
    char *json = NULL;
    assert_int_equal(
        sonata_score_from_node(
            &score, doc, sonata_node_get(doc, answer, "score"), NULL, NULL),
        SONATA_OK);
    assert_int_equal(sonata_handle_from_score(&handle, &score, &options, NULL),
                     SONATA_OK);
    sonata_handle_json(&json, NULL, &handle, true, NULL);
    expect_digest(doc, answer, "plan_handle_json_sha256", json);
    free(json);
    sonata_handle_json(&json, NULL, &handle, false, NULL);
    expect_digest(doc, answer, "plan_handle_sha256", json);
    free(json);
    assert_int_equal(
        sonata_hbg_plan_make(&plan, &reasons, &score, &handle, NULL),
        SONATA_OK);
    assert_int_equal(reasons.count, 0);
    json = answer_of(&plan);
    char *tasks = strstr(json, ",\"tasks\":");
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fprintf(out, "%.*s,\"success\":true%s", (int)(tasks - json), json, tasks);
    fclose(out);
    expect_digest(doc, answer, "hbg_plan_sha256", text);
    free(text);
    free(json);
    sonata_hbg_plan_free(&plan);
    sonata_handle_free(&handle);
    sonata_score_free(&score);
    sonata_reasons_free(&reasons);
}

static void reference_large(void **state)
{
    (void)state;
    test_needs(LARGE);
    FILE *file = fopen(LARGE, "r");
    assert_non_null(file);
    char *line = NULL;
    size_t room = 0;
    ssize_t length = 0;
    int cases = 0;
    for (; (length = getline(&line, &room, file)) > 0; cases++) {
        sonata_doc *doc = NULL;
        assert_int_equal(sonata_doc_read(&doc, line, (size_t)length, NULL),
                         SONATA_OK);
        compare_large(doc, sonata_doc_root(doc));
        sonata_doc_free(doc);
    }
    free(line);
    fclose(file);
    assert_true(cases > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(handle_binds_by_position),
    cmocka_unit_test(other_binding_rules),
    cmocka_unit_test(runtime_ids_from_a_map),
    cmocka_unit_test(last_binding_wins_in_any_order),
    cmocka_unit_test(every_code_in_order),
    cmocka_unit_test(three_adapters),
    cmocka_unit_test(reference_handles_and_plans),
    cmocka_unit_test(reference_large),
};

TEST_MAIN(tests)
