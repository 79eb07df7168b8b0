#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../scripts/testing/harness.h"
#include "../json.h"

static cli_span span(const char *text)
{
    return (cli_span){text, strlen(text)};
}

static void escapes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
        const char *json;
    } cases[] = {
        {"", 0, "\"\""},
        {"plain", 5, "\"plain\""},
        {"a\"b\\c", 5, "\"a\\\"b\\\\c\""},
        {"\b\f\n\r\t", 5, "\"\\b\\f\\n\\r\\t\""},
        {"\0\x1f\x7f", 3, "\"\\u0000\\u001f\\u007f\""},
        {"\xc3\xa9", 2, "\"\\u00e9\""},
        {"\xf0\x9f\x98\x80", 4, "\"\\ud83d\\ude00\""},
        {"\xff"
         "a",
         2, "\"\\ufffda\""},
        {"\xed\xa0\x80", 3, "\"\\ufffd\\ufffd\\ufffd\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cli_text out = {0};
        cli_text_json(&out, cases[i].text, cases[i].length);
        assert_string_equal(out.data, cases[i].json);
        cli_text_free(&out);
    }
}

/* Whatever was escaped is read back as it was. */
static void round_trip(void **state)
{
    (void)state;
    cli_text all = {0}, json = {0}, back = {0};
    for (int c = 0; c < 0x80; c++)
        cli_text_add(&all, &(char){(char)c}, 1);
    cli_text_put(&all, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf");
    cli_text_json(&json, all.data, all.length);
    assert_true(cli_span_text(&back, (cli_span){json.data, json.length}));
    assert_int_equal(back.length, all.length);
    assert_memory_equal(back.data, all.data, all.length);
    cli_text_free(&all);
    cli_text_free(&json);
    cli_text_free(&back);
}

static void wrong_strings(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "\"",
        "plain",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\\ud800\"",
        "\"\\ud800\\u0041\"",
        "\"\\udc00\"",
        "\"\xff\"",
        "\"a\nb\"",
        "\"\\\"",
        "\"a\"b\"",
        "17",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cli_text out = {0};
        assert_false(cli_span_text(&out, span(cases[i])));
        cli_text_free(&out);
    }
}

static void members(void **state)
{
    (void)state;
    cli_span value,
        object = span(" { \"a\" : [1, {\"b\": \"]}\"}] ,\"b\":2 } ");
    assert_true(cli_span_member(&value, object, "a"));
    assert_true(cli_span_is(value, "[1, {\"b\": \"]}\"}]"));
    assert_true(cli_span_member(&value, object, "b"));
    assert_true(cli_span_is(value, "2"));
    assert_false(cli_span_member(&value, object, "c"));
    assert_false(cli_span_member(&value, span("[1]"), "a"));
}

static size_t walk_all(cli_span text, bool object, bool *failed)
{
    cli_walk walk;
    cli_span key, value;
    size_t n = 0;
    bool open =
        object ? cli_walk_object(&walk, text) : cli_walk_array(&walk, text);
    while (open && cli_walk_next(&walk, &key, &value))
        n++;
    *failed = walk.failed;
    return n;
}

static void walks(void **state)
{
    (void)state;
    bool failed;
    assert_int_equal(walk_all(span("[]"), false, &failed), 0);
    assert_false(failed);
    assert_int_equal(walk_all(span("[1,\"two\",[3],null]"), false, &failed), 4);
    assert_false(failed);
    static const char *const wrong[] = {
        "[1 2]",    "[1,]",      "[,1]",  "[1",      "[\"a",
        "[1]x",     "[\"\\",     "{1:2}", "{\"a\"}", "{\"a\":",
        "{\"a\":}", "{\"a\":1]", "",      "x",       "[{]",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        walk_all(span(wrong[i]), wrong[i][0] == '{', &failed);
        assert_true(failed);
    }
}

static void integers(void **state)
{
    (void)state;
    int64_t n;
    assert_true(cli_span_int(&n, span("0")) && n == 0);
    assert_true(cli_span_int(&n, span("-17")) && n == -17);
    assert_true(cli_span_int(&n, span("9223372036854775807")));
    assert_true(n == INT64_MAX);
    assert_true(cli_span_int(&n, span("-9223372036854775808")));
    assert_true(n == INT64_MIN);
    static const char *const wrong[] = {
        "",
        "-",
        "1.0",
        "1e3",
        "9223372036854775808",
        "\"1\"",
        "+1",
        " 1",
        "-9223372036854775809",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(cli_span_int(&n, span(wrong[i])));
}

/* Nesting costs no stack, and a cut at any byte is an error, not a crash. */
static void deep_and_cut(void **state)
{
    (void)state;
    enum { DEPTH = 1000000 };
    char *deep = malloc(2 * DEPTH + 3);
    assert_non_null(deep);
    memset(deep, '[', DEPTH + 1);
    memset(deep + DEPTH + 1, ']', DEPTH + 1);
    bool failed;
    assert_int_equal(walk_all((cli_span){deep, 2 * DEPTH + 2}, false, &failed),
                     1);
    assert_false(failed);
    free(deep);
    const char *text = "{\"a\":[1,{\"b\\\\\":\"x\\u00e9\"}],\"c\":-1.5e3}";
    for (size_t n = 0; n < strlen(text); n++) {
        char *copy = malloc(n + 1);
        memcpy(copy, text, n);
        walk_all((cli_span){copy, n}, true, &failed);
        assert_true(failed);
        free(copy);
    }
}

/* In a process that this one has started: what it finds of a shared text. */
static int look_at_shared(int file, int64_t length)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        cli_mapping found = cli_mapping_open(file, length);
        bool same =
            found.length == 10 && memcmp(found.data, "0123456789", 10) == 0;
        int answer = found.data == NULL ? 2 : !same;
        cli_mapping_close(&found);
        _exit(answer);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

static void shared_texts(void **state)
{
    (void)state;
    cli_text text = {0};
    assert_true(cli_text_share(&text, 10));
    assert_false(cli_text_share(&text, 10)); /* it is not empty */
    cli_text_put(&text, "0123456789");
    assert_true(text.shared > 0);
    assert_int_equal(look_at_shared(text.shared, 10), 0);
    assert_int_equal(look_at_shared(text.shared, 11), 2); /* behind its end */
    assert_int_equal(look_at_shared(text.shared, 0), 2);
    assert_int_equal(look_at_shared(text.shared, -1), 2);
    assert_int_equal(look_at_shared(999, 10), 2);
    cli_text_put(&text, "!"); /* more than there is room for */
    assert_int_equal(text.shared, 0);
    assert_string_equal(text.data, "0123456789!");
    cli_text_free(&text);
    assert_null(text.data);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(escapes),       cmocka_unit_test(round_trip),
    cmocka_unit_test(wrong_strings), cmocka_unit_test(members),
    cmocka_unit_test(walks),         cmocka_unit_test(integers),
    cmocka_unit_test(deep_and_cut),  cmocka_unit_test(shared_texts),
};

TEST_MAIN(tests)
