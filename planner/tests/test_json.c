#include "../../scripts/testing/harness.h"

#include "../json/arena.h"
#include "../json/writer.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void expect_text(sonata_json *w, const char *expected)
{
    size_t length = 0;
    assert_true(sonata_json_ok(w));
    char *text = sonata_json_take(w, &length);
    assert_non_null(text);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
    free(text);
}

static void write_sample(sonata_json *w)
{
    sonata_json_object(w);
    sonata_json_key(w, "a");
    sonata_json_array(w);
    sonata_json_int(w, INT64_MIN);
    sonata_json_int(w, 0);
    sonata_json_bool(w, true);
    sonata_json_null(w);
    sonata_json_end_array(w);
    sonata_json_key(w, "b");
    sonata_json_object(w);
    sonata_json_end_object(w);
    sonata_json_key(w, "c");
    sonata_json_array(w);
    sonata_json_end_array(w);
    sonata_json_key(w, "d");
    const char raw[] = "{\"k\":[1,{}],\"l\":\"a:[,\\\"{\"}";
    sonata_json_raw(w, raw, strlen(raw));
    sonata_json_end_object(w);
}

static void compact_layout(void **state)
{
    (void)state;
    sonata_json w;
    sonata_json_init(&w, false);
    write_sample(&w);
    expect_text(&w, "{\"a\":[-9223372036854775808,0,true,null],\"b\":{},"
                    "\"c\":[],\"d\":{\"k\":[1,{}],\"l\":\"a:[,\\\"{\"}}");
}

static void pretty_layout(void **state)
{
    (void)state;
    sonata_json w;
    sonata_json_init(&w, true);
    write_sample(&w);
    expect_text(&w, "{\n"
                    "  \"a\": [\n"
                    "    -9223372036854775808,\n"
                    "    0,\n"
                    "    true,\n"
                    "    null\n"
                    "  ],\n"
                    "  \"b\": {},\n"
                    "  \"c\": [],\n"
                    "  \"d\": {\n"
                    "    \"k\": [\n"
                    "      1,\n"
                    "      {}\n"
                    "    ],\n"
                    "    \"l\": \"a:[,\\\"{\"\n"
                    "  }\n"
                    "}");
}

static void string_escapes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
        const char *expected;
    } cases[] = {
        {"", 0, "\"\""},
        {"a/b", 3, "\"a/b\""},
        {"\"\\\b\f\n\r\t", 7, "\"\\\"\\\\\\b\\f\\n\\r\\t\""},
        {"a\0b", 3, "\"a\\u0000b\""},
        {"\x01\x1f\x7f", 3, "\"\\u0001\\u001f\\u007f\""},
        {"\xc3\xaf", 2, "\"\\u00ef\""},
        {"\xef\xbf\xbf", 3, "\"\\uffff\""},
        {"\xf0\x9f\x98\x80", 4, "\"\\ud83d\\ude00\""},
        {"\xf4\x8f\xbf\xbf", 4, "\"\\udbff\\udfff\""},
        {"\xed\xa0\x80", 3, "\"\\ufffd\\ufffd\\ufffd\""},
        {"x\xc3", 2, "\"x\\ufffd\""},
        {"\xc0\x80", 2, "\"\\ufffd\\ufffd\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sonata_json w;
        sonata_json_init(&w, false);
        sonata_json_string_n(&w, cases[i].text, cases[i].length);
        expect_text(&w, cases[i].expected);
    }
}

static void keys_with_nul_and_prefix(void **state)
{
    (void)state;
    sonata_json w;
    sonata_json_init(&w, false);
    sonata_json_object(&w);
    sonata_json_key_n(&w, "a", 1);
    sonata_json_int(&w, 1);
    sonata_json_key_n(&w, "a\0", 2);
    sonata_json_int(&w, 2);
    sonata_json_key_n(&w, "ab", 2);
    sonata_json_int(&w, 3);
    sonata_json_end_object(&w);
    expect_text(&w, "{\"a\":1,\"a\\u0000\":2,\"ab\":3}");
}

static void deep_nesting_grows(void **state)
{
    (void)state;
    enum { DEPTH = 1000 };
    sonata_json w;
    sonata_json_init(&w, false);
    for (int i = 0; i < DEPTH; i++)
        sonata_json_array(&w);
    for (int i = 0; i < DEPTH; i++)
        sonata_json_end_array(&w);
    size_t length = 0;
    char *text = sonata_json_take(&w, &length);
    assert_non_null(text);
    assert_int_equal(length, 2 * DEPTH);
    free(text);
}

/* Runs in a process of its own; true when it ended by abort(). */
static bool aborts_on(const char *first, const char *second)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        fclose(stderr);
        sonata_json w;
        sonata_json_init(&w, false);
        sonata_json_object(&w);
        sonata_json_key(&w, first);
        sonata_json_null(&w);
        sonata_json_key(&w, second);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void wrong_key_order_is_asserted(void **state)
{
    (void)state;
    assert_false(aborts_on("a", "b"));
    assert_false(aborts_on("args", "argsx"));
    assert_true(aborts_on("b", "a"));
    assert_true(aborts_on("a", "a"));
    assert_true(aborts_on("argsx", "args"));
}

static void free_in_the_middle(void **state)
{
    (void)state;
    sonata_json w;
    sonata_json_init(&w, true);
    sonata_json_object(&w);
    sonata_json_key(&w, "open");
    sonata_json_free(&w);
    sonata_json_free(&w);
    assert_null(w.text);
}

static void arena_gives_zeroed_aligned_pieces(void **state)
{
    (void)state;
    sonata_arena arena = {0};
    for (size_t i = 0; i < 3000; i++) {
        size_t size = i % 97 == 0 ? 20000 : i % 41;
        unsigned char *piece = sonata_arena_alloc(&arena, size);
        assert_non_null(piece);
        assert_int_equal((uintptr_t)piece % _Alignof(max_align_t), 0);
        for (size_t k = 0; k < size; k++)
            assert_int_equal(piece[k], 0);
        if (size > 0)
            memset(piece, 0xa5, size);
    }
    assert_null(sonata_arena_alloc(&arena, SIZE_MAX));
    assert_null(sonata_arena_array(&arena, SIZE_MAX / 2, 4));
    assert_string_equal(sonata_arena_copy(&arena, "abcd", 2), "ab");
    sonata_arena_free(&arena);
    assert_null(arena.blocks);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(compact_layout),
    cmocka_unit_test(pretty_layout),
    cmocka_unit_test(string_escapes),
    cmocka_unit_test(keys_with_nul_and_prefix),
    cmocka_unit_test(deep_nesting_grows),
    cmocka_unit_test(wrong_key_order_is_asserted),
    cmocka_unit_test(free_in_the_middle),
    cmocka_unit_test(arena_gives_zeroed_aligned_pieces),
};

TEST_MAIN(tests)
