/* The strict reader and canonical JSON of any value. */
#include "../../scripts/testing/harness.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sonata/json.h"

#include "../json/number.h"

/* Reads from a copy without a byte behind it, so that an overrun is seen. */
static sonata_status read_bytes(sonata_doc **doc, char **copy, const char *text,
                                size_t length, sonata_error *error)
{
    *copy = malloc(length == 0 ? 1 : length);
    assert_non_null(*copy);
    if (length > 0)
        memcpy(*copy, text, length);
    return sonata_doc_read(doc, *copy, length, error);
}

static void expect_canonical(const char *text, size_t length,
                             const char *expected)
{
    sonata_doc *doc = NULL;
    sonata_error error = {0};
    char *copy = NULL;
    if (read_bytes(&doc, &copy, text, length, &error) != SONATA_OK)
        fail_msg("%s: %s", text, error.message);
    char *json = NULL;
    size_t written = 0;
    assert_int_equal(sonata_node_json(&json, &written, doc,
                                      sonata_doc_root(doc), false, NULL),
                     SONATA_OK);
    assert_string_equal(json, expected);
    assert_int_equal(written, strlen(expected));
    free(json);
    sonata_doc_free(doc);
    free(copy);
}

static void canonical_values(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {" [ ] ", "[]"},
        {"{}", "{}"},
        {"\t\r\n null", "null"},
        {"[true,false]", "[true,false]"},
        {"-0", "0"},
        {"-0.0", "-0.0"},
        {"0E5", "0.0"},
        {"1E+2", "100.0"},
        {"1e15", "1000000000000000.0"},
        {"1e16", "1e+16"},
        {"0.0001", "0.0001"},
        {"0.00001", "1e-05"},
        {"123456789012345678", "123456789012345678"},
        {"0.1e-400", "0.0"},
        {"{\"b\":1,\"a\":2,\"b\":3}", "{\"a\":2,\"b\":3}"},
        {"{\"A\":1,\"a\":2}", "{\"A\":1,\"a\":2}"},
        {"{\"a\\u0000b\":1,\"a\":2,\"a\\u0000\":3}",
         "{\"a\":2,\"a\\u0000\":3,\"a\\u0000b\":1}"},
        {"[\"\\u0000\",\"x\\u0000y\\u00e9\",\"z\"]",
         "[\"\\u0000\",\"x\\u0000y\\u00e9\",\"z\"]"},
        {"{\"\\u0000\":\"\\u0000v\",\"k\":[1,\"\\u0000w\",2]}",
         "{\"\\u0000\":\"\\u0000v\",\"k\":[1,\"\\u0000w\",2]}"},
        {"\"\\ud83d\\uDE00\xf0\x9f\x98\x80\\/\"",
         "\"\\ud83d\\ude00\\ud83d\\ude00/\""},
        /* by code points, not by UTF-16 units */
        {"{\"\\ud800\\udc00\":1,\"\\uffff\":2}",
         "{\"\\uffff\":2,\"\\ud800\\udc00\":1}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_canonical(cases[i][0], strlen(cases[i][0]), cases[i][1]);
}

static void integers_of_any_size(void **state)
{
    (void)state;
    enum { DIGITS = 5000 };
    char text[DIGITS + 2] = "-";
    for (size_t i = 1; i <= DIGITS; i++)
        text[i] = (char)('1' + i % 9);
    expect_canonical(text, strlen(text), text);
    expect_canonical(text + 1, DIGITS, text + 1);
}

static void shortest_floats(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"5.684341886080802e-14", "5.684341886080802e-14"}, /* 2**-44 */
        {"9007199254740993.0", "9007199254740992.0"},
        {"5e-324", "5e-324"},
        {"2.2250738585072014e-308", "2.2250738585072014e-308"},
        {"2.225073858507201e-308", "2.225073858507201e-308"},
        {"1.7976931348623157e308", "1.7976931348623157e+308"},
        {"0.1", "0.1"},
        {"0.30000000000000004", "0.30000000000000004"},
        {"1e22", "1e+22"},
        {"1e23", "1e+23"},
        {"9.999999999999999e22", "1e+23"},
        {"123456.789", "123456.789"},
        {"-1e-7", "-1e-07"},
        {"1.5e300", "1.5e+300"},
        {"9999999999999998.0", "9999999999999998.0"},
        {"99999999999999999.0", "1e+17"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_canonical(cases[i][0], strlen(cases[i][0]), cases[i][1]);
}

/* Every power of two: reads back, and no shorter text does. */
static void powers_of_two(void **state)
{
    (void)state;
    double value = 1;
    for (int i = 0; i < 1074; i++)
        value /= 2;
    for (; value < 1e308; value *= 2) {
        char text[SONATA_DOUBLE_SIZE];
        size_t length = sonata_double_spell(text, value);
        assert_int_equal(length, strlen(text));
        assert_true(strtod(text, NULL) == value);
        for (int digits = 1; digits < 17; digits++) {
            char shorter[64];
            snprintf(shorter, sizeof shorter, "%.*e", digits - 1, value);
            if (strtod(shorter, NULL) != value)
                continue;
            size_t used = 0;
            for (const char *p = text; *p != '\0' && *p != 'e'; p++)
                used += *p >= '0' && *p <= '9' && (used > 0 || *p != '0');
            if (strchr(text, 'e') != NULL)
                assert_true(used <= (size_t)digits);
            break;
        }
    }
}

static void other_locale_same_numbers(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8",
                                        "de_DE.utf8", "C.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        setlocale(LC_ALL, names[i]);
        expect_canonical("[1.5,2e-7]", 10, "[1.5,2e-07]");
    }
    setlocale(LC_ALL, "C");
}

static void pretty_values(void **state)
{
    (void)state;
    static const char text[] = "{\"b\":[1,[],{\"y\":{},\"x\":0.5}],\"a\":{}}";
    sonata_doc *doc = NULL;
    char *json = NULL;
    assert_int_equal(sonata_doc_read(&doc, text, strlen(text), NULL),
                     SONATA_OK);
    assert_int_equal(
        sonata_node_json(&json, NULL, doc, sonata_doc_root(doc), true, NULL),
        SONATA_OK);
    assert_string_equal(json, "{\n"
                              "  \"a\": {},\n"
                              "  \"b\": [\n"
                              "    1,\n"
                              "    [],\n"
                              "    {\n"
                              "      \"x\": 0.5,\n"
                              "      \"y\": {}\n"
                              "    }\n"
                              "  ]\n"
                              "}");
    free(json);
    sonata_doc_free(doc);
}

static void expect_fault(const char *text, size_t length, sonata_status status,
                         uint64_t line, uint64_t column, uint64_t offset)
{
    sonata_doc *doc = NULL;
    sonata_error error = {0};
    char *copy = NULL;
    sonata_status got = read_bytes(&doc, &copy, text, length, &error);
    if (got != status || error.status != status || error.line != line ||
        error.column != column || error.offset != offset)
        fail_msg("%s: %d at %d:%d (%d): %s", text, (int)got, (int)error.line,
                 (int)error.column, (int)error.offset, error.message);
    assert_null(doc);
    assert_true(error.message[0] != '\0');
    free(copy);
}

typedef struct refusal {
    const char *text;
    uint64_t line, column, offset;
} refusal;

static void expect_faults(const refusal *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_fault(cases[i].text, strlen(cases[i].text), SONATA_SYNTAX,
                     cases[i].line, cases[i].column, cases[i].offset);
}

static void refused_layout(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"", 1, 1, 0},
        {"  ", 1, 3, 2},
        {"\xef\xbb\xbf{}", 1, 1, 0},
        {"{} {}", 1, 4, 3},
        {"[1,\n 01]", 2, 2, 5},
        {"[1,]", 1, 4, 3},
        {"[,1]", 1, 2, 1},
        {"{\"a\":1,}", 1, 8, 7},
        {"{a:1}", 1, 2, 1},
        {"{\"a\" 1}", 1, 6, 5},
        {"[1 2]", 1, 4, 3},
        {"[1}", 1, 3, 2},
        {"{\"a\":1]", 1, 7, 6},
        {"]", 1, 1, 0},
        {"{\"a\":[1,2", 1, 10, 9},
        {"// c\n1", 1, 1, 0},
        {"[1]\n\n x", 3, 2, 6},
    };
    expect_faults(cases, sizeof cases / sizeof *cases);
}

static void refused_numbers_and_words(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"-", 1, 2, 1},          {"1.", 1, 3, 2},        {".5", 1, 1, 0},
        {"+1", 1, 1, 0},         {"1e", 1, 3, 2},        {"1e+", 1, 4, 3},
        {"-01", 1, 1, 0},        {"0x10", 1, 2, 1},      {"NaN", 1, 1, 0},
        {"[Infinity]", 1, 2, 1}, {"-Infinity", 1, 2, 1}, {"True", 1, 1, 0},
        {"nul", 1, 1, 0},        {"nullx", 1, 5, 4},
    };
    expect_faults(cases, sizeof cases / sizeof *cases);
    expect_fault("1\0", 2, SONATA_SYNTAX, 1, 2, 1);
}

static void refused_strings(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"'a'", 1, 1, 0},
        {"\"a", 1, 1, 0},
        {"\"a\\", 1, 3, 2},
        {"\"a\\x\"", 1, 3, 2},
        {"\"\\u12g4\"", 1, 2, 1},
        {"\"\\u12", 1, 2, 1},
        {"\"\\ud800\"", 1, 2, 1},
        {"\"\\udc00\\ud800\"", 1, 2, 1},
        {"\"\\ud800\\u0041\"", 1, 2, 1},
        {"\"\\ud800x\"", 1, 2, 1},
        {"\"\xc3\"", 1, 2, 1},
        {"\"\xc0\x80\"", 1, 2, 1},
        {"\"\xed\xa0\x80\"", 1, 2, 1},
        {"\"\xf4\x90\x80\x80\"", 1, 2, 1},
        {"\"\xff\"", 1, 2, 1},
        {"\"tab\there\"", 1, 5, 4},
        {"\"line\n\"", 1, 6, 5},
    };
    expect_faults(cases, sizeof cases / sizeof *cases);
    expect_fault("\"\0\"", 3, SONATA_SYNTAX, 1, 2, 1);
}

static void beyond_the_largest_double(void **state)
{
    (void)state;
    expect_fault("[1,\n-1e400]", 11, SONATA_RANGE, 2, 1, 4);
    expect_fault("1e309", 5, SONATA_RANGE, 1, 1, 0);
    expect_fault("1.7976931348623159e308", 22, SONATA_RANGE, 1, 1, 0);
    expect_fault("1e999999999999999999999", 23, SONATA_RANGE, 1, 1, 0);
    expect_canonical("[1e-999999999999999999999,0e999999999999999]", 44,
                     "[0.0,0.0]");
}

static void depth_has_a_limit(void **state)
{
    (void)state;
    enum { LIMIT = 512 };
    char text[2 * LIMIT + 3];
    memset(text, '[', LIMIT);
    memset(text + LIMIT, ']', LIMIT);
    text[2 * LIMIT] = '\0';
    expect_canonical(text, 2 * LIMIT, text);
    memset(text, '[', LIMIT + 1);
    memset(text + LIMIT + 1, ']', LIMIT + 1);
    expect_fault(text, 2 * LIMIT + 2, SONATA_RANGE, 1, LIMIT + 1, LIMIT);
}

/* `depth` lists behind `head`, closed by as many and `tail`. */
static size_t put_nested(char *text, const char *head, size_t depth,
                         const char *tail)
{
    size_t at = strlen(head);
    memcpy(text, head, at);
    memset(text + at, '[', depth);
    memset(text + at + depth, ']', depth);
    strcpy(text + at + 2 * depth, tail);
    return at + 2 * depth + strlen(tail);
}

/* What is around the document of a member does not count, nor what is around
 * the Score of an eligibility result; all else does. */
static void a_member_is_as_deep_as_alone(void **state)
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
    char text[2 * 520 + 64];
    size_t length = put_nested(text, head, 512, "}]}");
    expect_canonical(text, length, text);
    length = put_nested(text, head, 513, "}]}");
    expect_fault(text, length, SONATA_RANGE, 1, strlen(head) + 513,
                 strlen(head) + 512);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        size_t from = strlen(others[i][0]);
        length = put_nested(text, others[i][0], 509, others[i][1]);
        expect_canonical(text, length, text);
        length = put_nested(text, others[i][0], 510, others[i][1]);
        expect_fault(text, length, SONATA_RANGE, 1, from + 510, from + 509);
    }
    for (size_t i = 0; i < sizeof scores / sizeof *scores; i++) {
        size_t from = strlen(scores[i][0]);
        length = put_nested(text, scores[i][0], 512, scores[i][1]);
        expect_canonical(text, length, text);
        length = put_nested(text, scores[i][0], 513, scores[i][1]);
        expect_fault(text, length, SONATA_RANGE, 1, from + 513, from + 512);
    }
}

static void cut_at_every_byte(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a\\u0000\":[1,-2.5e3,\"\\ud83d\\ude00\xc3\xa9\",null,true],"
        "\"b\":{\"c\":false}}";
    for (size_t i = 0; i < sizeof text - 1; i++) {
        sonata_doc *doc = NULL;
        sonata_error error = {0};
        char *copy = NULL;
        assert_int_equal(read_bytes(&doc, &copy, text, i, &error),
                         SONATA_SYNTAX);
        assert_true(error.offset <= i && error.line == 1);
        free(copy);
    }
}

static void members_and_items(void **state)
{
    (void)state;
    static const char text[] = "{\"n\":1,\"N\":2,\"n\":[-9223372036854775808,"
                               "9223372036854775808,1.0,\"s\"],\"\\u0000\":0}";
    sonata_doc *doc = NULL;
    assert_int_equal(sonata_doc_read(&doc, text, strlen(text), NULL),
                     SONATA_OK);
    const sonata_node *root = sonata_doc_root(doc);
    assert_int_equal(sonata_node_count(root), 4);
    assert_null(sonata_node_get(doc, root, "x"));
    assert_null(sonata_node_get(doc, NULL, "x"));
    const sonata_node *list = sonata_node_get(doc, root, "n");
    assert_string_equal(sonata_node_type(doc, list), "list");
    assert_null(sonata_node_get(doc, list, "x"));
    const sonata_node *item = sonata_node_first(list);
    int64_t value = 0;
    assert_true(sonata_node_int(&value, doc, item) && value == INT64_MIN);
    item = sonata_node_next(item);
    assert_false(sonata_node_int(&value, doc, item));
    assert_string_equal(sonata_node_type(doc, item), "int");
    assert_int_equal(sonata_node_number(doc, item).length, 19);
    item = sonata_node_next(item);
    assert_false(sonata_node_int(&value, doc, item));
    assert_string_equal(sonata_node_type(doc, item), "float");
    item = sonata_node_next(item);
    assert_string_equal(sonata_node_text(doc, item).text, "s");
    assert_null(sonata_node_next(item));
    sonata_doc_free(doc);
    sonata_doc_free(NULL);
}

/* Behind an item stands what goes on or ends the innermost of what is open. */
static void what_is_expected_behind_an_item(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"[1 2]", "',' or ']' is expected"},
        {"{\"a\":[{}}", "',' or ']' is expected"},
        {"{\"a\":1 \"b\"}", "',' or '}' is expected"},
        {"[[],{\"a\":[]]", "',' or '}' is expected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sonata_doc *doc = NULL;
        sonata_error error = {0};
        assert_int_equal(
            sonata_doc_read(&doc, cases[i][0], strlen(cases[i][0]), &error),
            SONATA_SYNTAX);
        assert_non_null(strstr(error.message, cases[i][1]));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_expected_behind_an_item),
    cmocka_unit_test(canonical_values),
    cmocka_unit_test(integers_of_any_size),
    cmocka_unit_test(shortest_floats),
    cmocka_unit_test(powers_of_two),
    cmocka_unit_test(other_locale_same_numbers),
    cmocka_unit_test(pretty_values),
    cmocka_unit_test(refused_layout),
    cmocka_unit_test(refused_numbers_and_words),
    cmocka_unit_test(refused_strings),
    cmocka_unit_test(beyond_the_largest_double),
    cmocka_unit_test(depth_has_a_limit),
    cmocka_unit_test(a_member_is_as_deep_as_alone),
    cmocka_unit_test(cut_at_every_byte),
    cmocka_unit_test(members_and_items),
};

TEST_MAIN(tests)
