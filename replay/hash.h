/* Numbers that stand for values: fixed functions, the same everywhere. */
#ifndef REPLAY_HASH_H
#define REPLAY_HASH_H

#include <stdint.h>

static inline uint64_t replay_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 29;
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 32;
}

/* Of two numbers, in this order. */
static inline uint64_t replay_mix2(uint64_t a, uint64_t b)
{
    return replay_mix(a * UINT64_C(0xbf58476d1ce4e5b9) ^ b);
}

/* One multiplication, folded: for what there is one of per cell. */
static inline uint64_t replay_fold(uint64_t a, uint64_t b)
{
    unsigned __int128 product =
        (unsigned __int128)(a ^ UINT64_C(0xa0761d6478bd642f)) *
        (b ^ UINT64_C(0xe7037ed1a0b428db));
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

/* The `index`-th random number of a stream. */
static inline uint64_t replay_random(uint64_t seed, uint64_t index)
{
    return replay_mix2(replay_mix(seed + 1), index);
}

#endif
