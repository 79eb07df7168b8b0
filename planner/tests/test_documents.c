/* Reading and writing every kind of document. */
#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document_kinds.h"

/* A document again, which has to be a good one; freed by the caller. */
static char *redo(const document_kind *kind, const char *text, bool pretty)
{
    char *json = NULL;
    sonata_error error = {0};
    sonata_reasons warnings = {0};
    if (kind->there_and_back(&json, text, strlen(text), pretty, &warnings,
                             &error) != SONATA_OK)
        fail_msg("%s: %s", kind->name, error.message);
    if (warnings.count > 0)
        fail_msg("%s: %s", kind->name, warnings.items[0].message.text);
    sonata_reasons_free(&warnings);
    return json;
}

static void write_read_write(void **state)
{
    (void)state;
    for (size_t i = 0; i < KIND_COUNT; i++) {
        char *compact = redo(&kinds[i], kinds[i].sample, false);
        assert_string_equal(compact, kinds[i].sample);
        char *pretty = redo(&kinds[i], compact, true);
        char *again = redo(&kinds[i], pretty, true);
        char *back = redo(&kinds[i], again, false);
        assert_string_equal(pretty, again);
        assert_string_equal(back, kinds[i].sample);
        free(compact);
        free(pretty);
        free(again);
        free(back);
    }
}

static void cut_at_every_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < KIND_COUNT; i++) {
        size_t length = strlen(kinds[i].sample);
        for (size_t cut = 0; cut < length; cut++) {
            char *copy = malloc(cut + 1); /* no byte of the rest behind */
            assert_non_null(copy);
            memcpy(copy, kinds[i].sample, cut);
            sonata_error error = {0};
            char *json = NULL;
            assert_int_equal(
                kinds[i].there_and_back(&json, copy, cut, false, NULL, &error),
                SONATA_SYNTAX);
            assert_int_equal(error.line, 1);
            assert_true(error.offset <= cut && error.column > 0);
            assert_null(json);
            free(copy);
        }
    }
}

/* The sample with the first `from` put as `to`. Freed by the caller. */
static char *changed(const document_kind *kind, const char *from,
                     const char *to)
{
    const char *at = strstr(kind->sample, from);
    if (at == NULL)
        fail_msg("%s has no %s", kind->name, from);
    size_t size = strlen(kind->sample) + strlen(to) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "%.*s%s%s", (int)(at - kind->sample), kind->sample, to,
             at + strlen(from));
    return text;
}

typedef struct fault {
    const char *kind, *from, *to, *path, *message;
} fault;

static void expect_faults(const fault *faults, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const document_kind *kind = kind_of(faults[i].kind);
        char *text = changed(kind, faults[i].from, faults[i].to);
        sonata_error error = {0};
        char *json = NULL;
        sonata_status status = kind->there_and_back(&json, text, strlen(text),
                                                    false, NULL, &error);
        if (status != SONATA_SCHEMA && status != SONATA_RANGE)
            fail_msg("%s: %s is taken: %s", kind->name, faults[i].to,
                     error.message);
        assert_string_equal(error.path, faults[i].path);
        assert_string_equal(error.message, faults[i].message);
        assert_string_equal(error.code, status == SONATA_RANGE ? "doc.range"
                                                               : "doc.schema");
        assert_null(json);
        free(text);
    }
}

static void missing_in_scores(void **state)
{
    (void)state;
    static const fault faults[] = {
        {"score", "\"name\":\"s\",", "", "name", "name is missing"},
        {"score", ",\"task_id\":0", "", "tasks[0].task_id",
         "tasks[0].task_id is missing"},
        {"score", ",\"task_id\":1", "", "tasks[1].task_id",
         "tasks[1].task_id is missing"},
        {"score", "\"func_id\":0,", "", "tasks[0].func_id",
         "tasks[0].func_id is missing"},
        {"score", "\"core_type\":\"aiv\",", "", "tasks[0].core_type",
         "tasks[0].core_type is missing"},
        {"score", "\"consumer\":1,", "", "dependencies[0].consumer",
         "dependencies[0].consumer is missing"},
        {"score", ",\"producer\":0", "", "dependencies[0].producer",
         "dependencies[0].producer is missing"},
        {"score", "\"dims\":[4,8],", "", "shape_assumptions[0].dims",
         "shape_assumptions[0].dims is missing"},
        {"score", ",\"symbol\":\"n\"", "", "shape_assumptions[0].symbol",
         "shape_assumptions[0].symbol is missing"},
    };
    expect_faults(faults, sizeof faults / sizeof *faults);
}

static void missing_in_plans(void **state)
{
    (void)state;
    static const fault faults[] = {
        {"handle", "\"score_fingerprint\":", "\"score\":", "score_fingerprint",
         "score_fingerprint is missing"},
        {"handle", "\"arg_index\":0,", "", "arg_bindings[0].arg_index",
         "arg_bindings[0].arg_index is missing"},
        {"handle", ",\"task_id\":0", "", "arg_bindings[0].task_id",
         "arg_bindings[0].task_id is missing"},
        {"handle", "\"name\":\"l\",", "", "func_registry[1].name",
         "func_registry[1].name is missing"},
        {"handle", ",\"sonata_func_id\":0", "",
         "func_registry[0].sonata_func_id",
         "func_registry[0].sonata_func_id is missing"},
        {"hbg", "\"consumer\":1,", "", "edges[0].consumer",
         "edges[0].consumer is missing"},
        {"hbg", ",\"producer\":0", "", "edges[0].producer",
         "edges[0].producer is missing"},
        {"hbg", ",\"task_id\":0", "", "tasks[0].task_id",
         "tasks[0].task_id is missing"},
        {"hbg", "\"func_id\":5,", "", "tasks[0].func_id",
         "tasks[0].func_id is missing"},
        {"hbg", "\"core_type\":\"aiv\",", "", "tasks[0].core_type",
         "tasks[0].core_type is missing"},
        {"hbg", "\"score_fingerprint\":\"f\",", "",
         "metadata.score_fingerprint", "metadata.score_fingerprint is missing"},
        {"hbg", "\"metadata\":", "\"m\":", "metadata", "metadata is missing"},
    };
    expect_faults(faults, sizeof faults / sizeof *faults);
}

static void missing_in_eligibility(void **state)
{
    (void)state;
    static const fault faults[] = {
        {"eligibility", "\"eligible\":true,", "", "eligible",
         "eligible is missing"},
        {"eligibility", "\"reason_details\":", "\"x\":", "reason_details",
         "reason_details is missing"},
        {"eligibility", "\"code\":\"some_code\",", "", "reason_details[0].code",
         "reason_details[0].code is missing"},
        {"eligibility", "\"message\":\"m\",", "", "reason_details[0].message",
         "reason_details[0].message is missing"},
        {"eligibility", ",\"severity\":\"warning\"", "",
         "reason_details[0].severity", "reason_details[0].severity is missing"},
        {"eligibility", ",\"score\":", ",\"x\":", "score",
         "score is missing, and eligible is true"},
    };
    expect_faults(faults, sizeof faults / sizeof *faults);
}

static void missing_in_other_kinds(void **state)
{
    (void)state;
    static const fault faults[] = {
        {"memory", "\"kind\":\"memory_plan\",", "", "kind", "kind is missing"},
        {"memory", ",\"version\":1", "", "version", "version is missing"},
        {"memory", "\"allocations\":", "\"x\":", "allocations",
         "allocations is missing"},
        {"memory", "\"policy\":\"greedy_v0\",", "", "policy",
         "policy is missing"},
        {"memory", "\"peak_memory\":9223372036854775807,", "", "peak_memory",
         "peak_memory is missing"},
        {"memory", "\"offset\":0,", "", "allocations[0].offset",
         "allocations[0].offset is missing"},
        {"memory", "\"size\":64,", "", "allocations[0].size",
         "allocations[0].size is missing"},
        {"memory", ",\"storage_key\":\"a\"", "", "allocations[0].storage_key",
         "allocations[0].storage_key is missing"},
        {"adapters", "\"adapters\":", "\"x\":", "adapters",
         "adapters is missing"},
        {"adapters", "\"name\":\"a\",", "", "adapters[0].name",
         "adapters[0].name is missing"},
        {"adapters", ",\"version\":2", "", "adapters[0].version",
         "adapters[0].version is missing"},
        {"adapters", "\"certified_dump\":\"d\",", "",
         "adapters[0].certified_dump", "adapters[0].certified_dump is missing"},
        {"adapters", "\"capabilities\":", "\"x\":", "adapters[0].capabilities",
         "adapters[0].capabilities is missing"},
        {"bundle", "\"kind\":\"bundle\",", "", "kind", "kind is missing"},
        {"bundle", ",\"version\":1", "", "version", "version is missing"},
        {"bundle", "\"members\":", "\"x\":", "members", "members is missing"},
        {"bundle", "\"role\":\"source\",", "", "members[1].role",
         "members[1].role is missing"},
        {"bundle", "\"document\":\"just text\",", "", "members[0]",
         "members[0] must have one of 'document' and 'text'"},
    };
    expect_faults(faults, sizeof faults / sizeof *faults);
}

static void wrong_in_scores(void **state)
{
    (void)state;
    static const fault faults[] = {
        {"score", "\"name\":\"s\"", "\"name\":null", "name",
         "name must be a string, got NoneType"},
        {"score", "\"tasks\":[", "\"tasks\":null,\"t\":[", "tasks",
         "tasks must be a list, got NoneType"},
        {"score", "\"dependencies\":[", "\"dependencies\":\"d\",\"t\":[",
         "dependencies", "dependencies must be a list, got str"},
        {"score", "\"shape_assumptions\":[", "\"shape_assumptions\":{},\"t\":[",
         "shape_assumptions", "shape_assumptions must be a list, got dict"},
        {"score", "\"metadata\":{", "\"metadata\":[],\"m\":{", "metadata",
         "metadata must be an object, got list"},
        {"score", "\"schema_version\":1", "\"schema_version\":2",
         "schema_version",
         "schema_version mismatch: the document has 2, version 1 is read"},
        {"score", "\"schema_version\":1",
         "\"schema_version\":18446744073709551617", "schema_version",
         "schema_version mismatch: the document has 18446744073709551617, "
         "version 1 is read"},
        {"score", "\"aicpu_thread_num\":4", "\"aicpu_thread_num\":4.0",
         "runtime_target.aicpu_thread_num",
         "runtime_target.aicpu_thread_num must be an int or null, got float"},
        {"score", "\"config_comment\":[\"c\"]", "\"config_comment\":[1]",
         "runtime_target.config_comment[0]",
         "runtime_target.config_comment[0] must be a string, got int"},
    };
    expect_faults(faults, sizeof faults / sizeof *faults);
}

static void wrong_in_lists_of_scores(void **state)
{
    (void)state;
    static const fault faults[] = {
        {"score", "\"dependencies\":[", "\"dependencies\":[7,",
         "dependencies[0]", "dependencies[0] must be an object, got int"},
        {"score", "\"task_id\":1", "\"task_id\":true", "tasks[1].task_id",
         "tasks[1].task_id must be an int, got bool"},
        {"score", "\"task_id\":1", "\"task_id\":1.0", "tasks[1].task_id",
         "tasks[1].task_id must be an int, got float"},
        {"score", "\"func_id\":1", "\"func_id\":\"1\"", "tasks[1].func_id",
         "tasks[1].func_id must be an int, got str"},
        {"score", "\"func_id\":1", "\"func_id\":9223372036854775808",
         "tasks[1].func_id",
         "tasks[1].func_id is outside a signed 64-bit integer"},
        {"score", "\"core_type\":\"aiv\"", "\"core_type\":[]",
         "tasks[0].core_type", "tasks[0].core_type must be a string, got list"},
        {"score", "\"name\":null", "\"name\":3", "tasks[1].name",
         "tasks[1].name must be a string or null, got int"},
        {"score", "\"args\":[]", "\"args\":null", "tasks[1].args",
         "tasks[1].args must be a list, got NoneType"},
        {"score", "\"Output\"", "null", "tasks[0].arg_directions[1]",
         "tasks[0].arg_directions[1] must be a string, got NoneType"},
        {"score", "\"arg_storage_keys\":[]", "\"arg_storage_keys\":{}",
         "tasks[1].arg_storage_keys",
         "tasks[1].arg_storage_keys must be a list, got dict"},
        {"score", "\"kind\":\"war\"", "\"kind\":null", "dependencies[0].kind",
         "dependencies[0].kind must be a string, got NoneType"},
        {"score", "\"symbol\":\"n\"", "\"symbol\":1",
         "shape_assumptions[0].symbol",
         "shape_assumptions[0].symbol must be a string, got int"},
        {"score", "\"dims\":[4,8]", "\"dims\":4", "shape_assumptions[0].dims",
         "shape_assumptions[0].dims must be a list, got int"},
    };
    expect_faults(faults, sizeof faults / sizeof *faults);
}

static void wrong_in_plans(void **state)
{
    (void)state;
    static const fault faults[] = {
        {"handle", "\"runtime_func_id\":3", "\"runtime_func_id\":\"3\"",
         "func_registry[0].runtime_func_id",
         "func_registry[0].runtime_func_id must be an int or null, got str"},
        {"handle", "\"runtime_contract_version\":1",
         "\"runtime_contract_version\":null", "runtime_contract_version",
         "runtime_contract_version must be an int, got NoneType"},
        {"handle", "\"direction\":\"Input\"", "\"direction\":0",
         "arg_bindings[0].direction",
         "arg_bindings[0].direction must be a string, got int"},
        {"hbg", "\"runtime_args\":[", "\"runtime_args\":7,\"x\":[",
         "tasks[0].runtime_args",
         "tasks[0].runtime_args must be a list, got int"},
    };
    expect_faults(faults, sizeof faults / sizeof *faults);
}

static void wrong_in_eligibility(void **state)
{
    (void)state;
    static const fault faults[] = {
        {"eligibility", "\"eligible\":true", "\"eligible\":1", "eligible",
         "eligible must be a bool, got int"},
        {"eligibility", "\"severity\":\"warning\"", "\"severity\":\"fatal\"",
         "reason_details[0].severity",
         "reason_details[0].severity must be 'error' or 'warning', got "
         "'fatal'"},
        {"eligibility", "\"task_id\":0", "\"task_id\":null",
         "score.tasks[0].task_id",
         "score.tasks[0].task_id must be an int, got NoneType"},
        {"eligibility", "\"reasons\":[]", "\"reasons\":[\"m\"]", "reasons",
         "reasons are not the messages of the errors"},
        {"eligibility", "\"eligible\":true", "\"eligible\":false", "eligible",
         "eligible is false without an error"},
        {"rejection", "\"eligible\":false", "\"eligible\":true", "eligible",
         "eligible is true in spite of an error"},
        {"rejection", "\"score\":null", "\"score\":{\"name\":\"s\"}", "score",
         "score is given, and eligible is false"},
    };
    expect_faults(faults, sizeof faults / sizeof *faults);
}

static void wrong_in_other_kinds(void **state)
{
    (void)state;
    static const fault faults[] = {
        {"memory", "\"offset\":0", "\"offset\":-1", "allocations[0].offset",
         "allocations[0].offset is negative"},
        {"memory", "\"kind\":\"memory_plan\"", "\"kind\":\"plan\"", "kind",
         "kind must be 'memory_plan', got 'plan'"},
        {"adapters", "\"runtime_scopes\":false", "\"runtime_scopes\":0",
         "adapters[0].capabilities.runtime_scopes",
         "adapters[0].capabilities.runtime_scopes must be a bool, got int"},
        {"bundle", "\"role\":\"trace\"", "\"role\":\"any\"", "members[0].role",
         "members[0].role is no role in a bundle: 'any'"},
        {"bundle", "a\\u0000b", "a", "members[1].sha256",
         "members[1].sha256 is not that of the content, "
         "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"},
        {"cache", "\"entries\":{", "\"entries\":[],\"x\":{", "entries",
         "entries must be an object, got list"},
        {"cache", "\"cache_schema_version\":1", "\"cache_schema_version\":9",
         "cache_schema_version",
         "cache_schema_version mismatch: the document has 9, version 1 is "
         "read"},
    };
    expect_faults(faults, sizeof faults / sizeof *faults);
}

static void no_kind_is_a_list(void **state)
{
    (void)state;
    for (size_t i = 0; i < KIND_COUNT; i++) {
        sonata_error error = {0};
        char *json = NULL;
        assert_int_equal(
            kinds[i].there_and_back(&json, "[1]", 3, false, NULL, &error),
            SONATA_SCHEMA);
        assert_string_equal(error.message,
                            "the document must be an object, got list");
        assert_string_equal(error.path, "");
    }
}

static void unknown_fields_are_told_once(void **state)
{
    (void)state;
    static const char text[] =
        "{\"name\":\"s\",\"tasks\":["
        "{\"task_id\":0,\"func_id\":0,\"core_type\":\"aic\",\"outputs\":[]},"
        "{\"task_id\":1,\"func_id\":0,\"core_type\":\"aic\",\"outputs\":[],"
        "\"more\":1}],\"shape_assumptions\":[{\"symbol\":\"n\",\"dims\":[],"
        "\"severity\":\"x\"}],\"tasks2\":1,\"runtime_target\":{\"r\\u0000\":1}"
        "}";
    static const char *const expected[] = {
        "field tasks2 is not known and left out",
        "field runtime_target.r\0 is not known and left out",
        "field tasks[].outputs is not known and left out",
        "field tasks[].more is not known and left out",
        "field shape_assumptions[].severity is not known and left out"};
    sonata_score score;
    sonata_reasons warnings = {0};
    assert_int_equal(
        sonata_score_read(&score, text, strlen(text), &warnings, NULL),
        SONATA_OK);
    assert_int_equal(warnings.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < warnings.count; i++) {
        assert_string_equal(warnings.items[i].code, "doc.unknown-field");
        assert_true(warnings.items[i].is_warning);
        assert_string_equal(warnings.items[i].message.text, expected[i]);
    }
    sonata_reasons_free(&warnings);
    sonata_score_free(&score);
}

static void defaults_of_a_score(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"name\":\"s\"}",
        "{\"name\":\"x\",\"schema_version\":null,\"name\":\"s\"}",
        "{\"name\":\"s\",\"runtime_target\":7}",
        "{\"name\":\"s\",\"runtime_target\":{}}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *json = redo(kind_of("score"), texts[i], false);
        assert_string_equal(
            json,
            "{\"dependencies\":[],\"metadata\":{},\"name\":\"s\","
            "\"runtime_target\":{\"aicpu_thread_num\":null,\"config_comment\":"
            "[],\"function_name\":\"aicpu_orchestration_entry\",\"runtime\":"
            "\"tensormap_and_ringbuffer\"},\"schema_version\":1,"
            "\"shape_assumptions\":[],\"tasks\":[]}");
        free(json);
    }
    char *json = redo(kind_of("score"),
                      "{\"name\":\"s\",\"tasks\":[{\"task_id\":-0,\"func_id\":"
                      "2,\"core_type\":\"\"}],\"dependencies\":[{\"producer\":"
                      "-9223372036854775808,\"consumer\":0}]}",
                      false);
    assert_non_null(
        strstr(json, "{\"arg_directions\":[],\"arg_storage_keys\":[],\"args\":"
                     "[],\"core_type\":\"\",\"func_id\":2,\"name\":null,"
                     "\"task_id\":0}"));
    assert_non_null(strstr(json, "{\"consumer\":0,\"kind\":\"data\","
                                 "\"producer\":-9223372036854775808}"));
    free(json);
}

static void bundle_is_built(void **state)
{
    (void)state;
    sonata_bundle bundle = {0};
    sonata_error error = {0};
    char *json = NULL;
    assert_int_equal(sonata_bundle_add_document(
                         &bundle, "score", "{ \"b\": 1, \"a\": 2 }", 18, NULL),
                     SONATA_OK);
    assert_int_equal(
        sonata_bundle_add_document(&bundle, "other", "1", 1, &error),
        SONATA_REJECTED);
    assert_int_equal(
        sonata_bundle_add_document(&bundle, "score", "{", 1, &error),
        SONATA_SYNTAX);
    assert_int_equal(sonata_bundle_add_text(&bundle, "source", "\xff", 1, NULL),
                     SONATA_SYNTAX);
    assert_int_equal(sonata_bundle_add_text(&bundle, "source", "", 0, NULL),
                     SONATA_OK);
    assert_int_equal(
        sonata_bundle_add_written(&bundle, "memory", "[1]", 3, NULL),
        SONATA_OK);
    assert_int_equal(
        sonata_bundle_add_written(&bundle, "other", "1", 1, &error),
        SONATA_REJECTED);
    assert_int_equal(bundle.count, 3);
    assert_string_equal(sonata_bundle_find(&bundle, "score")->content.text,
                        "{\"a\":2,\"b\":1}");
    assert_true(sonata_bundle_find(&bundle, "source")->is_text);
    assert_null(sonata_bundle_find(&bundle, "hbg"));
    assert_int_equal(sonata_bundle_json(&json, NULL, &bundle, false, NULL),
                     SONATA_OK);
    char *again = redo(kind_of("bundle"), json, false);
    assert_string_equal(json, again);
    free(json);
    free(again);
    sonata_bundle_free(&bundle);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(write_read_write),
    cmocka_unit_test(cut_at_every_byte),
    cmocka_unit_test(missing_in_scores),
    cmocka_unit_test(missing_in_plans),
    cmocka_unit_test(missing_in_eligibility),
    cmocka_unit_test(missing_in_other_kinds),
    cmocka_unit_test(wrong_in_scores),
    cmocka_unit_test(wrong_in_lists_of_scores),
    cmocka_unit_test(wrong_in_plans),
    cmocka_unit_test(wrong_in_eligibility),
    cmocka_unit_test(wrong_in_other_kinds),
    cmocka_unit_test(no_kind_is_a_list),
    cmocka_unit_test(unknown_fields_are_told_once),
    cmocka_unit_test(defaults_of_a_score),
    cmocka_unit_test(bundle_is_built),
};

TEST_MAIN(tests)
