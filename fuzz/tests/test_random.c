#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "fuzz/random.h"
#include "fuzz/text.h"

static const fuzz_name name = {.seed = 7, .stream = 2, .index = 1000};

static void same_name_same_numbers(void **state)
{
    (void)state;
    fuzz_random a = fuzz_random_of(&name, 1);
    fuzz_random b = fuzz_random_of(&name, 1);
    for (int i = 0; i < 100; i++)
        assert_true(fuzz_draw(&a) == fuzz_draw(&b));
}

/* These numbers are part of every name that anybody has written down. */
static void numbers_of_a_name(void **state)
{
    (void)state;
    static const uint64_t draws[] = {
        UINT64_C(0xb28ded65cedbc88c), UINT64_C(0x3e49dec9f9bc2820),
        UINT64_C(0x03c0cccceb1ea5cb), UINT64_C(0xed53289197cb78d1)};
    fuzz_random r = fuzz_random_of(&name, 1);
    for (size_t i = 0; i < sizeof draws / sizeof *draws; i++)
        assert_true(fuzz_draw(&r) == draws[i]);
}

static void each_part_of_a_name_counts(void **state)
{
    (void)state;
    fuzz_name others[] = {name, name, name, name};
    others[1].seed++;
    others[2].stream++;
    others[3].index++;
    uint64_t first[5];
    for (size_t i = 0; i < 5; i++) {
        fuzz_random r = fuzz_random_of(&others[i % 4], i < 4 ? 1 : 2);
        first[i] = fuzz_draw(&r);
        for (size_t j = 0; j < i; j++)
            assert_true(first[i] != first[j]);
    }
}

static int ascending(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static void sizes(void **state)
{
    (void)state;
    enum { COUNT = 10001 };
    static uint64_t drawn[COUNT];
    fuzz_random r = fuzz_random_of(&name, 3);
    for (size_t i = 0; i < COUNT; i++)
        drawn[i] = fuzz_log_size(&r, 1, 256);
    qsort(drawn, COUNT, sizeof *drawn, ascending);
    assert_true(drawn[0] == 1 && drawn[COUNT - 1] == 256);
    assert_in_range(drawn[COUNT / 2], 15, 17);
    for (size_t i = 0; i < 1000; i++) {
        assert_in_range(fuzz_log_size(&r, 5, 9), 5, 9);
        assert_true(fuzz_log_size(&r, 6, 6) == 6);
        int64_t x = fuzz_between(&r, -3, 2);
        assert_true(x >= -3 && x <= 2);
        fuzz_between(&r, INT64_MIN, INT64_MAX);
    }
}

static void all_alike(void **state)
{
    (void)state;
    size_t count[6] = {0};
    fuzz_random r = fuzz_random_of(&name, 4);
    for (size_t i = 0; i < 60000; i++)
        count[fuzz_below(&r, 6)]++;
    for (size_t i = 0; i < 6; i++)
        assert_in_range(count[i], 9600, 10400);
}

static void put_sample(fuzz_text *text)
{
    fuzz_open(text, '{');
    fuzz_key(text, "a");
    fuzz_open(text, '[');
    fuzz_int(text, INT64_MIN);
    fuzz_string(text, "q\"\\\n");
    fuzz_close(text);
    fuzz_key_bool(text, "b", true);
    fuzz_key(text, "c");
    fuzz_open(text, '{');
    fuzz_close(text);
    fuzz_close(text);
}

static void layouts(void **state)
{
    (void)state;
    static const char *const expected[] = {
        [FUZZ_COMPACT] = "{\"a\":[-9223372036854775808,\"q\\\"\\\\\\u000a\"],"
                         "\"b\":true,\"c\":{}}",
        [FUZZ_SPACED] = "{\"a\": [-9223372036854775808, \"q\\\"\\\\\\u000a\"], "
                        "\"b\": true, \"c\": {}}",
        [FUZZ_PRETTY] = "{\n  \"a\": [\n    -9223372036854775808,\n    "
                        "\"q\\\"\\\\\\u000a\"\n  ],\n  \"b\": true,\n  "
                        "\"c\": {}\n}",
    };
    fuzz_text text = {0};
    for (int i = FUZZ_COMPACT; i <= FUZZ_PRETTY; i++) {
        fuzz_text_clear(&text);
        text.layout = (fuzz_layout)i;
        put_sample(&text);
        assert_false(text.failed);
        assert_string_equal(text.data, expected[i]);
    }
    fuzz_text_free(&text);
}

static void too_deep(void **state)
{
    (void)state;
    fuzz_text text = {0};
    for (int i = 0; i <= FUZZ_DEPTH; i++)
        fuzz_open(&text, '[');
    assert_true(text.failed);
    fuzz_text_clear(&text);
    fuzz_close(&text);
    assert_true(text.failed);
    fuzz_text_free(&text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(same_name_same_numbers),
    cmocka_unit_test(numbers_of_a_name),
    cmocka_unit_test(each_part_of_a_name_counts),
    cmocka_unit_test(sizes),
    cmocka_unit_test(all_alike),
    cmocka_unit_test(layouts),
    cmocka_unit_test(too_deep),
};
TEST_MAIN(tests)
