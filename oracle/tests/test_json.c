/* The strict reader: what it takes, and where it says that it does not. */
#include "../../scripts/testing/harness.h"
#include "../json.h"
#include "../number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static oracle_status parse(const char *text, size_t length, oracle_error *error)
{
    oracle_json json;
    /* An exact copy, so that a read behind the end is seen. */
    char *copy = malloc(length + (length == 0));
    memcpy(copy, text, length);
    oracle_status status = oracle_json_parse(&json, copy, length, error);
    if (status == ORACLE_OK) {
        oracle_json_free(&json);
    }
    free(copy);
    return status;
}

static void test_takes_json(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0",
        " -0.0e-5\t",
        "null",
        "\"\"",
        "[]",
        "{}",
        "[[],{},\"\\u0000\\ud83d\\ude00\\\"\\\\\\/\\b\\f\\n\\r\\t\"]",
        "{\"a\":1,\"a\":[true,false,null]}",
        "123456789012345678901234567890123456789012345678901234567890",
        "1.7976931348623157e308",
        "-1797693134862315700e290",
        "0e99999999999999999999",
        "1e-99999999999999999999",
        "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\x7f\"",
    };
    oracle_error error;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(parse(texts[i], strlen(texts[i]), &error), ORACLE_OK);
    }
}

static void test_refuses_with_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t line, column, offset;
    } cases[] = {
        {"", 1, 1, 0},
        {"  ", 1, 3, 2},
        {"[1,]", 1, 4, 3},
        {"[1 2]", 1, 4, 3},
        {"{\"a\":1,}", 1, 8, 7},
        {"{\"a\" 1}", 1, 6, 5},
        {"{a:1}", 1, 2, 1},
        {"{\"a\":}", 1, 6, 5},
        {"[1,\n 02]", 2, 2, 5},
        {"[\n\n  nul]", 3, 3, 5},
        {"1.", 1, 3, 2},
        {"-", 1, 2, 1},
        {"1e+", 1, 4, 3},
        {"+1", 1, 1, 0},
        {".5", 1, 1, 0},
        {"NaN", 1, 1, 0},
        {"-Infinity", 1, 2, 1},
        {"1e400", 1, 1, 0},
        {"1.7976931348623159e308", 1, 1, 0},
        {"[1] 2", 1, 5, 4},
        {"[1]]", 1, 4, 3},
        {"[", 1, 2, 1},
        {"{\"a\":[", 1, 7, 6},
        {"\"abc", 1, 1, 0},
        {"\"a\\", 1, 3, 2},
        {"\"a\\x\"", 1, 3, 2},
        {"\"\\u12g4\"", 1, 2, 1},
        {"\"\\u12", 1, 2, 1},
        {"\"\\ud800\"", 1, 2, 1},
        {"\"\\ud800\\u0041\"", 1, 2, 1},
        {"\"\\udc00\"", 1, 2, 1},
        {"\"a\tb\"", 1, 3, 2},
        {"\"\xff\"", 1, 2, 1},
        {"\"\xc0\x80\"", 1, 2, 1},
        {"\"\xed\xa0\x80\"", 1, 2, 1},
        {"\"\xf4\x90\x80\x80\"", 1, 2, 1},
        {"\"\xe2\x82", 1, 2, 1},
        {"\xef\xbb\xbf[]", 1, 1, 0},
        {"// x\n1", 1, 1, 0},
        {"[1}", 1, 3, 2},
    };
    oracle_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(parse(cases[i].text, strlen(cases[i].text), &error),
                         ORACLE_SYNTAX);
        assert_string_equal(error.rule, "doc.syntax");
        assert_int_equal(error.line, cases[i].line);
        assert_int_equal(error.column, cases[i].column);
        assert_int_equal(error.offset, cases[i].offset);
        assert_true(strlen(error.message) > 0);
    }
    assert_int_equal(parse("[\0]", 3, &error), ORACLE_SYNTAX);
    assert_int_equal(parse("\"\\\0\"", 4, &error), ORACLE_SYNTAX);
}

static oracle_status parse_nested(size_t depth, oracle_error *error)
{
    char text[2048];
    memset(text, '[', depth);
    memset(text + depth, ']', depth);
    return parse(text, 2 * depth, error);
}

static void test_depth_ends_at_512(void **state)
{
    (void)state;
    oracle_error error;
    assert_int_equal(parse_nested(512, &error), ORACLE_OK);
    assert_int_equal(parse_nested(513, &error), ORACLE_SYNTAX);
    assert_int_equal(error.offset, 512);
}

/* `depth` lists between two texts: what is said of them. */
static oracle_status parse_between(const char *head, size_t depth,
                                   const char *tail, oracle_error *error)
{
    char text[2048];
    size_t at = strlen(head), length = at + 2 * depth + strlen(tail);
    memcpy(text, head, at);
    memset(text + at, '[', depth);
    memset(text + at + depth, ']', depth);
    memcpy(text + at + 2 * depth, tail, strlen(tail));
    return parse(text, length, error);
}

/* What is around the document of a member does not count, nor what is around
 * the Score of an eligibility result; all else does. */
static void test_member_is_as_deep_as_alone(void **state)
{
    (void)state;
    static const char head[] = "{\"members\":[{\"document\":";
    static const char *const others[][2] = {
        {"{\"Members\":[{\"document\":", "}]}"},
        {"{\"members\":[{\"documents\":", "}]}"},
        {"{\"members\":[{\"role\":", "}]}"},
        {"[[{\"document\":", "}]]"},
        {"{\"members\":{\"document\":[", "]}}"},
        {"{\"members\":[[", "]]}"},
        {"{\"Score\":[[", "]]}"},
        {"[{\"score\":[", "]}]"},
    };
    static const char *const scores[][2] = {
        {"{\"eligible\":true,\"score\":", "}"},
        {"{\"members\":[{\"document\":{\"score\":", "}}]}"},
    };
    oracle_error error;
    assert_int_equal(parse_between(head, 512, "}]}", &error), ORACLE_OK);
    assert_int_equal(parse_between(head, 513, "}]}", &error), ORACLE_SYNTAX);
    assert_int_equal(error.offset, strlen(head) + 512);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(parse_between(others[i][0], 509, others[i][1], &error),
                         ORACLE_OK);
        assert_int_equal(parse_between(others[i][0], 510, others[i][1], &error),
                         ORACLE_SYNTAX);
        assert_int_equal(error.offset, strlen(others[i][0]) + 509);
    }
    for (size_t i = 0; i < sizeof scores / sizeof *scores; i++) {
        assert_int_equal(parse_between(scores[i][0], 512, scores[i][1], &error),
                         ORACLE_OK);
        assert_int_equal(parse_between(scores[i][0], 513, scores[i][1], &error),
                         ORACLE_SYNTAX);
        assert_int_equal(error.offset, strlen(scores[i][0]) + 512);
    }
}

static void test_every_cut_is_refused(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a\":[1,-2.5e3,\"\\u00e9\xc3\xa9\"],\"b\":{\"c\":null,\"d\":true}}";
    oracle_error error;
    for (size_t i = 0; i + 1 < sizeof text; i++) {
        assert_int_equal(parse(text, i, &error), ORACLE_SYNTAX);
    }
    assert_int_equal(parse(text, sizeof text - 1, &error), ORACLE_OK);
}

static void test_paths(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a\":[0,{\"b c\":[1]}],\"d\":{\"e\":2},\"f\":3}";
    static const struct {
        uint32_t node;
        const char *path;
    } cases[] = {{0, ""},
                 {2, "a"},
                 {3, "a[0]"},
                 {4, "a[1]"},
                 {6, "a[1][\"b c\"]"},
                 {7, "a[1][\"b c\"][0]"},
                 {11, "d.e"},
                 {13, "f"}};
    oracle_json json;
    oracle_error error;
    char path[128];
    assert_int_equal(oracle_json_parse(&json, text, sizeof text - 1, &error),
                     ORACLE_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        oracle_json_path(&json, cases[i].node, path, sizeof path);
        assert_string_equal(path, cases[i].path);
    }
    oracle_json_path(&json, 7, path, 10);
    assert_true(strlen(path) < 10);
    oracle_json_free(&json);
}

#define LONG 5000

/* {"a":[{"n":0},[1],...],"b":[],"c":{"a":[0,1,...]}}, with LONG items. */
static char *long_text(void)
{
    char *text = malloc(LONG * 64);
    size_t at = (size_t)sprintf(text, "{\"a\": [");
    for (int i = 0; i < LONG; i++) {
        at += (size_t)sprintf(text + at, "%s{\"n\":%d} ,\n[\"]\"]",
                              i == 0 ? "" : ",", i);
    }
    at += (size_t)sprintf(text + at, "],\"b\":[ ],\"c\":{\"a\":[0");
    for (int i = 1; i < LONG; i++) {
        at += (size_t)sprintf(text + at, ",%d", i);
    }
    sprintf(text + at, "]}}");
    return text;
}

static void test_folded_lists_have_all_items(void **state)
{
    (void)state;
    char *text = long_text(), path[64], expected[64];
    oracle_json json;
    oracle_error error;
    assert_int_equal(
        oracle_json_parse_folded(&json, text, strlen(text), &error), ORACLE_OK);
    assert_true(json.folded);
    assert_int_equal(oracle_json_next(&json, 2), 3); /* no item stays */
    for (int again = 0; again < 2; again++) {
        oracle_json_items items = oracle_json_items_of(&json, 2);
        uint32_t count = 0;
        for (; oracle_json_item(&json, &items); count++) {
            int64_t n = count / 2;
            assert_int_equal(items.index, count);
            assert_true(count % 2 == 1 ||
                        oracle_json_int64(&json, items.node + 2, &n));
            assert_int_equal(n, count / 2);
            snprintf(expected, sizeof expected,
                     count % 2 == 0 ? "a[%u].n" : "a[%u][0]", (unsigned)count);
            oracle_json_path(&json, items.node + (count % 2 == 0 ? 2 : 1), path,
                             sizeof path);
            assert_string_equal(path, expected);
        }
        assert_false(items.failed);
        assert_int_equal(count, 2 * LONG);
    }
    oracle_json_items none = oracle_json_items_of(&json, 4);
    assert_false(oracle_json_item(&json, &none));
    none = oracle_json_items_of(&json, ORACLE_NONE);
    assert_false(oracle_json_item(&json, &none));
    oracle_json_path(&json, 8, path, sizeof path); /* not in the root */
    assert_string_equal(path, "c.a");
    assert_int_equal(oracle_json_next(&json, 8), 9 + LONG);
    oracle_json_free(&json);
    free(text);
}

static void test_folded_lists_are_checked(void **state)
{
    (void)state;
    char *text = long_text();
    size_t length = strlen(text);
    static const size_t from_end[] = {1, 2, 3, 20000, 60000, 100000};
    for (size_t i = 0; i < sizeof from_end / sizeof *from_end; i++) {
        oracle_json json;
        oracle_error error, other;
        text[length - from_end[i]] = '\1';
        assert_int_equal(oracle_json_parse_folded(&json, text, length, &error),
                         ORACLE_SYNTAX);
        assert_int_equal(oracle_json_parse(&json, text, length, &other),
                         ORACLE_SYNTAX);
        assert_string_equal(error.message, other.message);
        assert_int_equal(error.offset, other.offset);
        assert_int_equal(error.line, other.line);
    }
    free(text);
}

static void test_integers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool fits;
        int64_t value;
    } cases[] = {{"0", true, 0},
                 {"-0", true, 0},
                 {"9223372036854775807", true, INT64_MAX},
                 {"9223372036854775808", false, 0},
                 {"-9223372036854775808", true, INT64_MIN},
                 {"-9223372036854775809", false, 0},
                 {"92233720368547758070", false, 0}};
    oracle_json json;
    oracle_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = 0;
        oracle_json_parse(&json, cases[i].text, strlen(cases[i].text), &error);
        assert_int_equal(oracle_json_int64(&json, 0, &value), cases[i].fits);
        assert_true(value == cases[i].value);
        oracle_json_free(&json);
    }
}

static void test_equal_numbers_have_one_key(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool equal;
    } cases[] = {
        {"1", "1.0", true},
        {"1", "10e-1", true},
        {"0", "-0.0", true},
        {"0", "-0", true},
        {"0.5", "5e-1", true},
        {"0.1", "0.1000000000000000055511151231257827", true},
        {"0.1", "0.2", false},
        {"-1.5", "1.5", false},
        {"9007199254740993", "9007199254740992.0", false},
        {"9007199254740992", "9007199254740993.0", true},
        {"100000000000000000000", "1e20", true},
        {"1e-400", "0", true},
        {"123456789012345678901", "123456789012345678902", false},
    };
    oracle_arena *arena = oracle_arena_create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *a =
            oracle_number_key(arena, cases[i].a, strlen(cases[i].a));
        const char *b =
            oracle_number_key(arena, cases[i].b, strlen(cases[i].b));
        assert_int_equal(strcmp(a, b) == 0, cases[i].equal);
    }
    oracle_arena_free(arena);
}

static void test_printable(void **state)
{
    (void)state;
    char out[16];
    oracle_json_printable("a\n\xff\xc3\xa9", 5, out, sizeof out);
    assert_string_equal(out, "a\\x0A\\xFF\xc3\xa9");
    oracle_json_printable("0123456789abcdef", 16, out, sizeof out);
    assert_string_equal(out, "0123456789ab...");
    oracle_json_printable("01234567890\xc3\xa9xx", 15, out, sizeof out);
    assert_string_equal(out, "01234567890...");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_takes_json),
    cmocka_unit_test(test_refuses_with_place),
    cmocka_unit_test(test_depth_ends_at_512),
    cmocka_unit_test(test_member_is_as_deep_as_alone),
    cmocka_unit_test(test_every_cut_is_refused),
    cmocka_unit_test(test_paths),
    cmocka_unit_test(test_folded_lists_have_all_items),
    cmocka_unit_test(test_folded_lists_are_checked),
    cmocka_unit_test(test_integers),
    cmocka_unit_test(test_equal_numbers_have_one_key),
    cmocka_unit_test(test_printable),
};

TEST_MAIN(tests)
