/* Canonical JSON, fingerprints and reasons (spec 01). */
#include "../../scripts/testing/harness.h"

#include "../number.h"
#include "oracle/document.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void becomes(const char *text, const char *wanted, bool pretty)
{
    char *out;
    size_t length;
    oracle_error error;
    if (oracle_canonical_text(&out, &length, text, strlen(text),
                              ORACLE_CANONICAL_JSON, pretty,
                              &error) != ORACLE_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(length, strlen(wanted));
    assert_string_equal(out, wanted);
    free(out);
}

static void compact(void **state)
{
    (void)state;
    becomes(" [ ] ", "[]", false);
    becomes("{\"b\":1,\"a\":{\"d\":[1,2],\"c\":null}}",
            "{\"a\":{\"c\":null,\"d\":[1,2]},\"b\":1}", false);
    becomes("{\"a\":1,\"b\":2,\"a\":[3]}", "{\"a\":[3],\"b\":2}", false);
    becomes("{\"\\ud83d\\ude00\":1,\"\xef\xbf\xbd\":2,\"\\u0000\":3,\"\":4}",
            "{\"\":4,\"\\u0000\":3,\"\\ufffd\":2,\"\\ud83d\\ude00\":1}", false);
    becomes("\"\\/\\u007f\xc3\xa9\\n\\u0001\\\"\\\\\\b\\f\\r\\t\"",
            "\"/\\u007f\\u00e9\\n\\u0001\\\"\\\\\\b\\f\\r\\t\"", false);
    becomes("[-0,-0.0,1E2,100000000000000000000000,1e16,0.0001,0.00001]",
            "[0,-0.0,100.0,100000000000000000000000,1e+16,0.0001,1e-05]",
            false);
}

static void pretty(void **state)
{
    (void)state;
    becomes("{\"b\":[],\"a\":[1,{}],\"c\":{\"x\":true}}",
            "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": [],\n  \"c\": "
            "{\n    \"x\": true\n  }\n}",
            true);
}

static void deep(void **state)
{
    char text[1100] = {0};
    (void)state;
    memset(text, '[', 512);
    memset(text + 512, ']', 512);
    becomes(text, text, false);
}

static void floats(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0x1p-44, "5.684341886080802e-14"},
        {5e-324, "5e-324"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {2.2250738585072014e-308, "2.2250738585072014e-308"},
        {1e-7, "1e-07"},
        {1e22, "1e+22"},
        {123456789012345680.0, "1.2345678901234568e+17"},
        {9007199254740993.0, "9007199254740992.0"},
        {9999999999999998.0, "9999999999999998.0"},
        {0.1, "0.1"},
        {100000.0, "100000.0"},
        {-1.5, "-1.5"},
        {1.0 / 3, "0.3333333333333333"},
        {0x1p-1074, "5e-324"},
        {9.5e-323, "9.4e-323"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[ORACLE_REPR_SIZE];
        oracle_number_repr(text, cases[i].value);
        assert_string_equal(text, cases[i].text);
    }
}

/* Every text reads back, and no shorter one would. */
static void floats_read_back(void **state)
{
    uint64_t bits = 1;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        char text[ORACLE_REPR_SIZE], shorter[40];
        double value;
        bits = bits * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint64_t x = i % 3 == 0 ? bits & UINT64_C(0xfff) << 52 : bits;
        memcpy(&value, &x, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        oracle_number_repr(text, value);
        assert_true(strtod(text, NULL) == value);
        int digits = 0;
        for (const char *at = text; *at != '\0' && *at != 'e'; at++) {
            digits += *at >= '0' && *at <= '9' && (digits > 0 || *at != '0');
        }
        if (digits > 15 && digits <= 17) {
            snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
            assert_true(strtod(shorter, NULL) != value ||
                        strstr(text, ".0") != NULL ||
                        text[strlen(text) - 1] == '0');
        }
    }
}

#define SCORE(name, more)                                                      \
    "{\"schema_version\":1,\"name\":\"" name                                   \
    "\",\"tasks\":[{\"task_id\":0,\"func_id\":0,\"core_type\":\"aiv\"}]" more  \
    "}"

static void print_of(char digest[65], const char *text, bool metadata)
{
    oracle_error error;
    assert_int_equal(
        oracle_fingerprint_text(digest, text, strlen(text), metadata, &error),
        ORACLE_OK);
}

static void fingerprints(void **state)
{
    char a[65], b[65];
    (void)state;
    print_of(a, SCORE("s", ""), false);
    assert_string_equal(a, "4d20c8102d9326a195a7c480ac888406"
                           "d95cc160148c805ae39ba55b29d65c09");
    print_of(b,
             SCORE("s", ",\"metadata\":{\"x\":1},\"runtime_target\":{"
                        "\"runtime\":\"r\"},\"dependencies\":[],\"later\":3"),
             false);
    assert_string_equal(a, b);
    print_of(b, SCORE("s", ",\"metadata\":{\"x\":1}"), true);
    assert_string_not_equal(a, b);
    print_of(b, SCORE("t", ""), false);
    assert_string_not_equal(a, b);
    oracle_error error;
    assert_int_equal(oracle_fingerprint_text(b,
                                             "{\"eligible\":true,"
                                             "\"reasons\":[],"
                                             "\"reason_details\":[]}",
                                             50, false, &error),
                     ORACLE_SCHEMA);
    assert_non_null(strstr(error.message, "no Score"));
}

static void defaults(void **state)
{
    char *out;
    size_t length;
    oracle_error error;
    static const char text[] = SCORE("s", "");
    (void)state;
    assert_int_equal(oracle_canonical_text(&out, &length, text, sizeof text - 1,
                                           ORACLE_CANONICAL_SCORE, false,
                                           &error),
                     ORACLE_OK);
    assert_string_equal(
        out,
        "{\"dependencies\":[],\"metadata\":{},\"name\":\"s\","
        "\"runtime_target\":{\"aicpu_thread_num\":null,\"config_comment\":[],"
        "\"function_name\":\"aicpu_orchestration_entry\",\"runtime\":"
        "\"tensormap_and_ringbuffer\"},\"schema_version\":1,"
        "\"shape_assumptions\":[],\"tasks\":[{\"arg_directions\":[],"
        "\"arg_storage_keys\":[],\"args\":[],\"core_type\":\"aiv\","
        "\"func_id\":0,\"name\":null,\"task_id\":0}]}");
    free(out);
}

static void reasons_are(const char *text, const char *const *wanted, uint32_t n)
{
    char **reasons;
    uint32_t count;
    oracle_error error;
    if (oracle_validate_text(&reasons, &count, text, strlen(text), &error) !=
        ORACLE_OK) {
        fail_msg("%s", error.message);
    }
    for (uint32_t i = 0; i < count && i < n; i++) {
        assert_string_equal(reasons[i], wanted[i]);
    }
    assert_int_equal(count, n);
    free(reasons);
}

#define REASONS(text, ...)                                                     \
    do {                                                                       \
        static const char *const wanted[] = {__VA_ARGS__};                     \
        reasons_are(text, wanted, sizeof wanted / sizeof *wanted);             \
    } while (0)

static void reasons(void **state)
{
    (void)state;
    reasons_are(SCORE("s", ""), NULL, 0);
    REASONS(
        "{\"name\":\"\",\"tasks\":["
        "{\"task_id\":-1,\"func_id\":-2,\"core_type\":\"AIC\\u0000\xc3\xa9\"},"
        "{\"task_id\":3,\"func_id\":0,\"core_type\":\"aic\",\"args\":[1],"
        "\"arg_directions\":[\"a\",\"b\"],\"arg_storage_keys\":[null,1]},"
        "{\"task_id\":3,\"func_id\":0,\"core_type\":\"mixed\"}],"
        "\"dependencies\":[{\"producer\":9,\"consumer\":8},"
        "{\"producer\":3,\"consumer\":3},{\"producer\":3,\"consumer\":-1},"
        "{\"producer\":-1,\"consumer\":3}],\"shape_assumptions\":["
        "{\"symbol\":\"\",\"dims\":[0]},{\"symbol\":\"\",\"dims\":[0]},"
        "{\"symbol\":\"n\",\"dims\":[1,-0,true,1.0,-2,-3,0]},"
        "{\"symbol\":\"n\",\"dims\":[0]}]}",
        "score name must not be empty", "task ids must be unique",
        "task id must be non-negative: -1",
        "task -1 func_id must be non-negative",
        "task -1 has unsupported core_type: AIC",
        "task 3 arg_directions size 2 does not match args size 1",
        "task 3 arg_storage_keys size 2 does not match args size 1",
        "dependency producer is unknown: 9",
        "dependency consumer is unknown: 8",
        "dependency cannot be a self-edge: 3",
        "dependency graph must be acyclic, found cycle: -1 -> 3 -> -1",
        "shape assumption symbol must not be empty",
        "shape assumption symbol must be unique: <empty>",
        "shape assumption n has zero dimension",
        "shape assumption n has non-integer dimension",
        "shape assumption n has negative dimension",
        "shape assumption symbol must be unique: n");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(compact),
    cmocka_unit_test(pretty),
    cmocka_unit_test(deep),
    cmocka_unit_test(floats),
    cmocka_unit_test(floats_read_back),
    cmocka_unit_test(fingerprints),
    cmocka_unit_test(defaults),
    cmocka_unit_test(reasons),
};

TEST_MAIN(tests)
