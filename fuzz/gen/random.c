#include "fuzz/random.h"

/* The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection. */
static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

fuzz_random fuzz_random_of(const fuzz_name *name, uint32_t purpose)
{
    uint64_t where = (uint64_t)name->stream << 32 | purpose;
    uint64_t key = mix(name->seed + GOLDEN);
    key = mix(key ^ mix(where + 2 * GOLDEN));
    key = mix(key ^ mix(name->index + 3 * GOLDEN));
    return (fuzz_random){.key = {key, mix(key + 4 * GOLDEN)}};
}

uint64_t fuzz_draw(fuzz_random *random)
{
    uint64_t x = random->key[0] + random->counter++ * GOLDEN;
    return mix(mix(x) ^ random->key[1]);
}

uint64_t fuzz_below(fuzz_random *random, uint64_t n)
{
    /* What is left over of 2^64 divided by n would favour the small ones. */
    uint64_t left_over = (0 - n) % n;
    uint64_t x = fuzz_draw(random);
    while (x < left_over)
        x = fuzz_draw(random);
    return x % n;
}

int64_t fuzz_between(fuzz_random *random, int64_t low, int64_t high)
{
    uint64_t span = (uint64_t)high - (uint64_t)low + 1;
    uint64_t x = span == 0 ? fuzz_draw(random) : fuzz_below(random, span);
    return (int64_t)((uint64_t)low + x);
}

bool fuzz_chance(fuzz_random *random, uint32_t part, uint32_t of)
{
    return fuzz_below(random, of) < part;
}

static uint32_t log2_of(uint64_t x)
{
    uint32_t bits = 0;
    while (x >>= 1)
        bits++;
    return bits;
}

uint64_t fuzz_log_size(fuzz_random *random, uint64_t low, uint64_t high)
{
    uint32_t first = log2_of(low);
    /* A power of two at the end has no doubling of its own. */
    uint32_t last = log2_of(high > low ? high - 1 : high);
    uint32_t bits = (uint32_t)fuzz_between(random, first, last);
    uint64_t from = UINT64_C(1) << bits;
    uint64_t to = bits == last ? high : 2 * from - 1;
    if (from < low)
        from = low;
    return from + fuzz_below(random, to - from + 1);
}
