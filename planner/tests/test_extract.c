#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../adapt/extract.h"

#define T(literal) SONATA_TEXT(literal)

/* One call with one variable argument, visited. */
static uint32_t add_call(sonata_ir *ir, sonata_text callee, uint32_t variable,
                         const char *direction)
{
    uint32_t call = sonata_ir_begin_call(ir, callee, SONATA_CALLEE_OTHER);
    sonata_ir_add_arg(ir, variable, ir->variables[variable].name);
    if (direction != NULL)
        sonata_ir_add_direction(ir,
                                (sonata_text){direction, strlen(direction)});
    return call;
}

static uint32_t create(sonata_ir *ir, sonata_text name)
{
    uint32_t variable = sonata_ir_new_variable(ir, name);
    uint32_t call =
        sonata_ir_begin_call(ir, T("tensor.create"), SONATA_CALLEE_OTHER);
    sonata_ir_assign_call(ir, variable, call);
    sonata_ir_visit_call(ir, call);
    return variable;
}

static sonata_eligibility extract(const sonata_ir *ir, const char *policy)
{
    sonata_extract_options options = {.policy = policy};
    sonata_eligibility result;
    sonata_error error = {0};
    assert_int_equal(sonata_extract(&result, ir, &options, &error), SONATA_OK);
    return result;
}

/* def main(x: [4, 8]): t = create; r = k(x, t); use(r) */
static void build_small(sonata_ir *ir)
{
    sonata_ir_init(ir);
    ir->name = T("prog");
    sonata_ir_begin_root(ir, T("main"));
    uint32_t x = sonata_ir_new_variable(ir, T("x"));
    sonata_ir_add_param(ir, x);
    sonata_ir_set_shape(ir);
    sonata_ir_add_dim(ir, 4);
    sonata_ir_add_dim(ir, 8);
    uint32_t t = create(ir, T("t"));
    uint32_t k = sonata_ir_begin_call(ir, T("k"), SONATA_CALLEE_AIV);
    sonata_ir_add_arg(ir, x, T("x"));
    sonata_ir_add_arg(ir, t, T("t"));
    sonata_ir_add_direction(ir, T("Input"));
    sonata_ir_add_direction(ir, T("OutputExisting"));
    uint32_t r = sonata_ir_new_variable(ir, T("r"));
    sonata_ir_assign_call(ir, r, k);
    sonata_ir_visit_call(ir, k);
    sonata_ir_visit_call(ir, add_call(ir, T("use"), r, "Input"));
}

static void small_program_as_a_document(void **state)
{
    (void)state;
    sonata_ir ir;
    build_small(&ir);
    sonata_eligibility result = extract(&ir, "dataflow_v0");
    char *json = NULL;
    assert_int_equal(sonata_eligibility_json(&json, NULL, &result, false, NULL),
                     SONATA_OK);
    assert_string_equal(
        json,
        "{\"eligible\":true,\"reason_details\":[],\"reasons\":[],"
        "\"schema_version\":1,\"score\":{\"dependencies\":[{\"consumer\":1,"
        "\"kind\":\"data\",\"producer\":0}],\"metadata\":{"
        "\"dependency_policy\":\"dataflow_v0\",\"entry_name\":\"main\","
        "\"extractor\":\"structural_v0\",\"memory_storage_key_coverage\":{"
        "\"known\":3,\"total\":3,\"unknown\":0},\"storage_key_coverage\":{"
        "\"known\":3,\"total\":3,\"unknown\":0}},\"name\":\"prog\","
        "\"runtime_target\":{\"aicpu_thread_num\":4,\"config_comment\":["
        "\"# Runtime configuration for tensormap_and_ringbuffer.\","
        "\"# This runtime requires 4 AICPU threads (3 schedulers + 1 "
        "orchestrator on thread 3).\"],\"function_name\":"
        "\"build_prog_graph\",\"runtime\":\"host_build_graph\"},"
        "\"schema_version\":1,\"shape_assumptions\":[{\"dims\":[4,8],"
        "\"symbol\":\"x\"}],\"tasks\":[{\"arg_directions\":[\"Input\","
        "\"OutputExisting\"],\"arg_storage_keys\":[\"param:x\","
        "\"alloc:t\"],\"args\":[\"x\",\"t\"],\"core_type\":\"aiv\","
        "\"func_id\":0,\"name\":\"k\",\"task_id\":0},{\"arg_directions\":"
        "[\"Input\"],\"arg_storage_keys\":[\"alloc:t\"],\"args\":[\"r\"],"
        "\"core_type\":\"mixed\",\"func_id\":1,\"name\":\"use\","
        "\"task_id\":1}]}}");
    free(json);
    sonata_eligibility_free(&result);
    sonata_ir_free(&ir);
}

static void expect_key(const sonata_eligibility *result, size_t task,
                       const char *key)
{
    const sonata_value *found = &result->score.tasks[task].keys[0];
    assert_true(result->eligible);
    if (key == NULL) {
        assert_int_equal(found->kind, SONATA_NULL);
    } else {
        assert_int_equal(found->kind, SONATA_STRING);
        assert_string_equal(found->text.text, key);
    }
}

static void storage_keys_of_repeated_names(void **state)
{
    (void)state;
    sonata_ir ir;
    sonata_ir_init(&ir);
    ir.root_kind = T("Function");
    sonata_ir_begin_root(&ir, T("f"));
    for (int i = 0; i < 2; i++)
        sonata_ir_add_param(&ir, sonata_ir_new_variable(&ir, T("x")));
    create(&ir, T("x"));
    create(&ir, T("x"));
    create(&ir, T("x"));
    for (uint32_t v = 0; v < 5; v++)
        sonata_ir_visit_call(&ir, add_call(&ir, T("k"), v, "InOut"));
    sonata_eligibility result = extract(&ir, NULL);
    expect_key(&result, 0, "param:x");
    expect_key(&result, 1, "param:x@2");
    expect_key(&result, 2, "alloc:x");
    expect_key(&result, 3, "alloc:x@2");
    expect_key(&result, 4, "alloc:x@3");
    assert_string_equal(result.score.name.text, "sonata_score");
    sonata_eligibility_free(&result);
    sonata_ir_free(&ir);
}

/* Two functions: their names stand in front, a nameless one has none. */
static void storage_keys_of_several_roots(void **state)
{
    (void)state;
    sonata_ir ir;
    sonata_ir_init(&ir);
    sonata_ir_begin_root(&ir, T("f"));
    uint32_t x = sonata_ir_new_variable(&ir, T("x"));
    sonata_ir_add_param(&ir, x);
    sonata_ir_visit_call(&ir, add_call(&ir, T("k"), x, NULL));
    sonata_ir_begin_root(&ir, (sonata_text){0});
    uint32_t y = create(&ir, T("y"));
    sonata_ir_visit_call(&ir, add_call(&ir, T("k"), y, NULL));
    sonata_eligibility result = extract(&ir, "dataflow_v0");
    expect_key(&result, 0, "param:f.x");
    expect_key(&result, 1, "alloc:y");
    assert_non_null(strstr(result.score.metadata.text,
                           "\"dependency_policy_fallback_reason\":"
                           "\"dataflow_directions_unavailable\""));
    assert_non_null(strstr(result.score.metadata.text,
                           "\"entry_names\":[\"f\",null],"
                           "\"entry_policy\":\"all_orchestration\""));
    sonata_eligibility_free(&result);
    sonata_extract_options options = {.entry = T("f")};
    assert_int_equal(sonata_extract(&result, &ir, &options, NULL), SONATA_OK);
    expect_key(&result, 0, "param:x");
    assert_int_equal(result.score.task_count, 1);
    sonata_eligibility_free(&result);
    sonata_ir_free(&ir);
}

/* tt = k(a: Output, c: Output, b: Input); elements 0, 1, 2 and -1 */
static void storage_keys_of_tuple_elements(void **state)
{
    (void)state;
    sonata_ir ir;
    sonata_ir_init(&ir);
    sonata_ir_begin_root(&ir, T("f"));
    uint32_t a = sonata_ir_new_variable(&ir, T("a"));
    uint32_t b = create(&ir, T("b"));
    uint32_t k = sonata_ir_begin_call(&ir, T("k"), SONATA_CALLEE_OTHER);
    sonata_ir_add_arg(&ir, a, T("a"));
    sonata_ir_add_arg(&ir, b, T("b"));
    sonata_ir_add_direction(&ir, T("Output"));
    sonata_ir_add_direction(&ir, T("InOut"));
    uint32_t tuple = sonata_ir_new_variable(&ir, T("tt"));
    sonata_ir_assign_call(&ir, tuple, k);
    sonata_ir_visit_call(&ir, k);
    for (int64_t i = -1; i < 3; i++) {
        uint32_t element = sonata_ir_new_variable(&ir, T("e"));
        sonata_ir_assign_element(&ir, element, tuple, i);
        sonata_ir_visit_call(&ir, add_call(&ir, T("use"), element, "Input"));
    }
    sonata_ir_visit_call(&ir, add_call(&ir, T("use"), tuple, "Input"));
    sonata_eligibility result = extract(&ir, NULL);
    expect_key(&result, 1, NULL);
    expect_key(&result, 2, NULL); /* element 0 is a, which has no key */
    expect_key(&result, 3, "alloc:b");
    expect_key(&result, 4, NULL);
    expect_key(&result, 5, "alloc:b"); /* the first known one */
    assert_int_equal(result.reasons.count, 1);
    assert_true(result.reasons.items[0].is_warning);
    assert_string_equal(result.reasons.items[0].message.text,
                        "memory storage key coverage below threshold: "
                        "3/7 < 0.5");
    sonata_eligibility_free(&result);
    sonata_ir_free(&ir);
}

static void expect_reasons(const sonata_ir *ir, sonata_text entry,
                           bool certified, const char *expected)
{
    sonata_extract_options options = {.entry = entry,
                                      .require_certified = certified};
    sonata_eligibility result;
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(sonata_extract(&result, ir, &options, NULL), SONATA_OK);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (size_t i = 0; i < result.reasons.count; i++)
        fprintf(out, "[%s] %s\n", result.reasons.items[i].code,
                result.reasons.items[i].message.text);
    fclose(out);
    assert_string_equal(text, expected);
    assert_int_equal(result.eligible, size == 0);
    free(text);
    sonata_eligibility_free(&result);
}

static void reasons_in_order_and_once(void **state)
{
    (void)state;
    sonata_ir ir;
    sonata_ir_init(&ir);
    sonata_ir_begin_root(&ir, T("f"));
    sonata_ir_visit_node(&ir, T("Submit"));
    sonata_ir_visit_node(&ir, T("ForStmt"));
    sonata_ir_visit_node(&ir, T("EvalStmt"));
    sonata_ir_visit_node(&ir, T("ForStmt"));
    sonata_ir_visit_node(&ir, T("RuntimeScopeStmt"));
    sonata_ir_visit_call(
        &ir, sonata_ir_begin_call(&ir, T("tensor.read"), SONATA_CALLEE_OTHER));
    sonata_ir_visit_call(
        &ir, sonata_ir_begin_call(&ir, T("g"), SONATA_CALLEE_GROUP));
    expect_reasons(
        &ir, (sonata_text){0}, false,
        "[unsupported_pypto_adapter_scope] Submit is out of scope for Sonata "
        "v0.1 PyPTO adapter\n"
        "[control_flow_not_supported] ForStmt is not supported by initial "
        "Sonata eligibility\n"
        "[unsupported_runtime_scope] RuntimeScopeStmt is not supported by "
        "initial Sonata eligibility\n"
        "[tensor_read_not_supported] tensor.read calls are not supported by "
        "initial Sonata eligibility\n"
        "[unsupported_pypto_adapter_scope] Group/Spmd callee is out of scope "
        "for Sonata v0.1: g\n");
    expect_reasons(&ir, T("other"), false,
                   "[entry_function_not_orchestration] entry function is not "
                   "an orchestration function: other\n");
    sonata_ir_free(&ir);
}

static void reasons_against_the_root(void **state)
{
    (void)state;
    sonata_ir ir;
    sonata_ir_init(&ir);
    expect_reasons(&ir, (sonata_text){0}, false,
                   "[entry_function_not_orchestration] program has no "
                   "Orchestration functions for Sonata eligibility\n");
    ir.root_kind = T("Function");
    ir.function_type = T("Spmd");
    expect_reasons(&ir, (sonata_text){0}, false,
                   "[unsupported_pypto_adapter_scope] Spmd function root is "
                   "out of scope for Sonata v0.1 PyPTO adapter: "
                   "<anonymous>\n");
    ir.function_type = T("AIC");
    ir.name = T("k");
    expect_reasons(&ir, (sonata_text){0}, false,
                   "[unsupported_pypto_adapter_scope] AIC function root is "
                   "not an Orchestration function: k\n");
    ir.root_kind = T("Var");
    ir.function_type = (sonata_text){0};
    sonata_ir_begin_root(&ir, T("k"));
    expect_reasons(&ir, (sonata_text){0}, false,
                   "[unsupported_root_kind] unsupported root for Sonata "
                   "eligibility: Var\n");
    sonata_ir_free(&ir);
}

static void certified_mode_joins_its_complaints(void **state)
{
    (void)state;
    sonata_ir ir;
    sonata_ir_init(&ir);
    sonata_ir_begin_root(&ir, T("f"));
    uint32_t x = sonata_ir_new_variable(&ir, T("x"));
    sonata_ir_add_param(&ir, x);
    for (int i = 0; i < 2; i++)
        sonata_ir_visit_call(&ir, add_call(&ir, T("a"), x, NULL));
    uint32_t call = add_call(&ir, T("b"), x, "Input");
    sonata_ir_add_direction(&ir, T("Input"));
    sonata_ir_visit_call(&ir, call);
    expect_reasons(&ir, (sonata_text){0}, true,
                   "[unsupported_pypto_adapter_scope] Call a has no "
                   "arg_directions in certified dump; Call b arg_directions "
                   "size 2 does not match args size 1\n");
    expect_reasons(&ir, (sonata_text){0}, false,
                   "[score_validation_failed] task 2 arg_directions size 2 "
                   "does not match args size 1\n");
    sonata_ir_free(&ir);
}

static void unknown_policy_is_an_error(void **state)
{
    (void)state;
    sonata_ir ir;
    build_small(&ir);
    sonata_extract_options options = {.policy = "fastest"};
    sonata_eligibility result;
    sonata_error error = {0};
    assert_int_equal(sonata_extract(&result, &ir, &options, &error),
                     SONATA_UNSUPPORTED);
    assert_string_equal(error.code, "policy.unknown");
    assert_null(result.score.memory);
    sonata_ir_free(&ir);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(small_program_as_a_document),
    cmocka_unit_test(storage_keys_of_repeated_names),
    cmocka_unit_test(storage_keys_of_several_roots),
    cmocka_unit_test(storage_keys_of_tuple_elements),
    cmocka_unit_test(reasons_in_order_and_once),
    cmocka_unit_test(reasons_against_the_root),
    cmocka_unit_test(certified_mode_joins_its_complaints),
    cmocka_unit_test(unknown_policy_is_an_error),
};

TEST_MAIN(tests)
