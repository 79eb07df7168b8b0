/*
 * The mutator for AFL++ 4.04c, as a shared object (AFL_CUSTOM_MUTATOR_LIBRARY).
 * There is no post_process: what it gives is what the target gets, and what
 * lies in the queue.
 */
#include <stdlib.h>

#include "engines.h"
#include "fuzz/mutate.h"

#define COUNT 512 /* texts made of one in the queue, each time it is taken */
#define TRIMS 256 /* questions asked to make one smaller */

typedef struct engine {
    fuzz_mutator *mutator;
    uint64_t seed;
    uint64_t calls;
    int trims;
} engine;

void *afl_custom_init(void *afl, unsigned int seed)
{
    (void)afl;
    engine *e = calloc(1, sizeof *e);
    if (e == NULL)
        return NULL;
    e->seed = (uint64_t)seed << 32;
    e->mutator = fuzz_mutator_new();
    if (e->mutator == NULL) {
        free(e);
        return NULL;
    }
    return e;
}

void afl_custom_deinit(void *data)
{
    engine *e = data;
    fuzz_mutator_free(e->mutator);
    free(e);
}

unsigned int afl_custom_fuzz_count(void *data, const unsigned char *buf,
                                   size_t buf_size)
{
    (void)data, (void)buf, (void)buf_size;
    return COUNT;
}

/* AFL++ only reads what it gets, though its type says otherwise. */
static unsigned char *lend(const uint8_t *data)
{
    return (unsigned char *)(uintptr_t)data;
}

size_t afl_custom_fuzz(void *data, unsigned char *buf, size_t buf_size,
                       unsigned char **out_buf, unsigned char *add_buf,
                       size_t add_buf_size, size_t max_size)
{
    engine *e = data;
    fuzz_bytes text = {buf, buf_size};
    fuzz_bytes other = {add_buf, add_buf == NULL ? 0 : add_buf_size};
    uint64_t seed = e->seed + e->calls++;
    fuzz_bytes made =
        seed % 4 == 0 && other.size > 0
            ? fuzz_cross(e->mutator, text, other, max_size, seed)
            : fuzz_mutate(e->mutator, text, other, max_size, seed);
    *out_buf = lend(made.data);
    return made.size;
}

int afl_custom_init_trim(void *data, unsigned char *buf, size_t buf_size)
{
    engine *e = data;
    e->trims = 0;
    return fuzz_trim_begin(e->mutator, (fuzz_bytes){buf, buf_size}) ? TRIMS : 0;
}

/* Nothing left to try is told as no bytes, which AFL++ takes as a failure. */
size_t afl_custom_trim(void *data, unsigned char **out_buf)
{
    engine *e = data;
    fuzz_bytes made = fuzz_trim_step(e->mutator);
    if (made.size == 0)
        e->trims = TRIMS;
    *out_buf = lend(made.data);
    return made.size;
}

int afl_custom_post_trim(void *data, unsigned char success)
{
    engine *e = data;
    if (e->trims >= TRIMS)
        return TRIMS;
    fuzz_trim_keep(e->mutator, success != 0);
    return ++e->trims;
}
