/*
 * Random numbers by counter: draw n of a generator is a function of its key
 * and n alone, so whatever was drawn for one case never moves another one.
 */
#ifndef FUZZ_RANDOM_H
#define FUZZ_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* What a case is made from, and all that is kept of one that is fine. */
typedef struct fuzz_name {
    uint64_t seed;
    uint32_t stream; /* a fuzz_kind */
    uint64_t index;
} fuzz_name;

typedef struct fuzz_random {
    uint64_t key[2];
    uint64_t counter;
} fuzz_random;

/*
 * The generator of a name. `purpose` keeps apart the draws of parts that must
 * not disturb each other: with the same name and purpose the same numbers.
 */
fuzz_random fuzz_random_of(const fuzz_name *name, uint32_t purpose);

/* 64 bits. O(1), as all here. */
uint64_t fuzz_draw(fuzz_random *random);

/* 0 to n - 1, all alike likely; n at least 1. */
uint64_t fuzz_below(fuzz_random *random, uint64_t n);

/* low to high, both included; low <= high. */
int64_t fuzz_between(fuzz_random *random, int64_t low, int64_t high);

/* True in `part` of `of` cases. */
bool fuzz_chance(fuzz_random *random, uint32_t part, uint32_t of);

/*
 * low to high with equal weight for each doubling, without any floating point;
 * 1 <= low <= high. With 1 and 256 the median is 16.
 */
uint64_t fuzz_log_size(fuzz_random *random, uint64_t low, uint64_t high);

#endif
