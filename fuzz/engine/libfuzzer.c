/*
 * The mutator for libFuzzer. It knows no context, so the memory that is used
 * again from call to call stands here, for as long as the process.
 */
#include <string.h>

#include "engines.h"
#include "fuzz/mutate.h"

/* Of eight changes one is libFuzzer's own: dictionary and compared values. */
#define OWN 8

static fuzz_mutator *the_mutator(void)
{
    static fuzz_mutator *mutator;
    if (mutator == NULL)
        mutator = fuzz_mutator_new();
    return mutator;
}

static size_t give(uint8_t *out, fuzz_bytes text)
{
    if (text.size > 0)
        memmove(out, text.data, text.size);
    return text.size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned int seed)
{
    fuzz_mutator *mutator = the_mutator();
    fuzz_bytes text = {data, size}, none = {NULL, 0};
    if (mutator == NULL || seed % OWN == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    return give(data, fuzz_mutate(mutator, text, none, max_size, seed));
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1,
                                 const uint8_t *data2, size_t size2,
                                 uint8_t *out, size_t max_out_size,
                                 unsigned int seed)
{
    fuzz_mutator *mutator = the_mutator();
    fuzz_bytes text = {data1, size1}, other = {data2, size2};
    if (mutator == NULL)
        return 0;
    return give(out, fuzz_cross(mutator, text, other, max_out_size, seed));
}
