/* The adapters of the mutator, called as the engines call them. */
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../engine/engines.h"
#include "fuzz/mutate.h"

static const char first[] =
    "{\"tasks\": [{\"id\": 1}, {\"id\": 2}, {\"id\": 3}]}";
static const char second[] = "{\"tasks\": [{\"id\": 77}]}";

/* libFuzzer's own mutations. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    assert_true(size <= max_size && size > 0);
    data[0] = '#';
    return size;
}

static void libfuzzer(void **state)
{
    (void)state;
    enum { ROOM = 80 };
    size_t own = 0, crossed = 0;
    for (unsigned seed = 0; seed < 2000; seed++) {
        uint8_t *data = malloc(ROOM), *out = malloc(ROOM);
        size_t size = strlen(first);
        memcpy(data, first, size);
        size_t made = LLVMFuzzerCustomMutator(data, size, ROOM, seed);
        assert_true(made > 0 && made <= ROOM);
        own += data[0] == '#';
        made = LLVMFuzzerCustomCrossOver((const uint8_t *)first, size,
                                         (const uint8_t *)second,
                                         strlen(second), out, ROOM, seed);
        assert_true(made > 0 && made <= ROOM);
        crossed += memmem(out, made, "77", 2) != NULL;
        free(data);
        free(out);
    }
    assert_in_range(own, 200, 400);
    assert_true(crossed > 1000);
}

static void afl_fuzz(void **state)
{
    (void)state;
    void *engine = afl_custom_init(NULL, 7), *again = afl_custom_init(NULL, 7);
    unsigned char text[sizeof first], other[sizeof second], *out, *same;
    memcpy(text, first, sizeof first);
    memcpy(other, second, sizeof second);
    size_t size = strlen(first), crossed = 0;
    unsigned count = afl_custom_fuzz_count(engine, text, size);
    assert_true(count > 0);
    for (unsigned i = 0; i < count; i++) {
        size_t other_size = i % 2 == 0 ? strlen(second) : 0;
        unsigned char *add = i % 2 == 0 ? other : NULL;
        size_t made = afl_custom_fuzz(engine, text, size, &out, add, other_size,
                                      1 + i % 100);
        assert_true(made > 0 && made <= 1 + i % 100);
        crossed += memmem(out, made, "77", 2) != NULL;
        assert_true(afl_custom_fuzz(again, text, size, &same, add, other_size,
                                    1 + i % 100) == made);
        assert_memory_equal(out, same, made);
        assert_memory_equal(text, first, sizeof first);
    }
    assert_true(crossed > 20);
    afl_custom_deinit(engine);
    afl_custom_deinit(again);
}

/* As AFL++ does it: until the step is the last one that was told. */
static void afl_trim(void **state)
{
    (void)state;
    void *engine = afl_custom_init(NULL, 7);
    unsigned char text[sizeof first], *out;
    memcpy(text, first, sizeof first);
    size_t size = strlen(first);
    int most = afl_custom_init_trim(engine, text, size), steps = 0;
    for (int at = 0; at < most; steps++) {
        size_t made = afl_custom_trim(engine, &out);
        assert_non_null(out);
        assert_true(made < size && steps < most + 1);
        bool keep = made > 0 && memmem(out, made, "\"id\": 2", 7) != NULL;
        if (keep) {
            size = made;
            memcpy(text, out, made);
        }
        at = afl_custom_post_trim(engine, keep);
        assert_true(at >= 0 && at <= most);
    }
    assert_true(size == strlen("{\"tasks\": [{\"id\": 2}]}"));
    assert_int_equal(afl_custom_init_trim(engine, text, 0) >= 0, 1);
    assert_int_equal(afl_custom_trim(engine, &out), 0);
    afl_custom_deinit(engine);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(libfuzzer),
    cmocka_unit_test(afl_fuzz),
    cmocka_unit_test(afl_trim),
};
TEST_MAIN(tests)
