/*
 * For each of a row of pieces of memory a set of up to 512 numbers, where many
 * pieces next to each other have the same. Only what differs is stored, so that
 * an update or a question costs the logarithm of the pieces where sets differ
 * at its ends, and one step where they do not.
 */
#ifndef ORACLE_BIT_TREE_H
#define ORACLE_BIT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORACLE_BLOCK 512u
#define ORACLE_BLOCK_WORDS (ORACLE_BLOCK / 64)

typedef struct oracle_bits {
    uint64_t w[ORACLE_BLOCK_WORDS];
} oracle_bits;

typedef struct oracle_bit_node {
    oracle_bits any;       /* of all pieces below */
    oracle_bits keep, add; /* not yet done below: set = set & keep | add */
    uint32_t children;     /* two, in a row; 0: all pieces have `any` */
    bool waits;            /* `keep` and `add` say something */
} oracle_bit_node;

typedef struct oracle_bit_tree {
    oracle_bit_node *nodes;
    uint32_t count, room;
    uint32_t spare; /* two nodes that are free, whose `children` is the next */
    uint32_t size;  /* pieces, a power of two */
    /*
     * By node of the whole tree (1 is all, n has 2n and 2n + 1 below it): the
     * last time at which some piece below is asked. Updates after that are
     * left out, so a question must not come later than this says.
     */
    const uint32_t *asked;
    uint64_t steps;
    bool failed; /* no memory */
} oracle_bit_tree;

/* Pieces [begin, end), at most the size of the tree. */
typedef struct oracle_range {
    uint32_t begin, end;
} oracle_range;

/* set = set & keep | add, at a time. */
typedef struct oracle_bit_update {
    oracle_bits keep, add;
    uint32_t time;
} oracle_bit_update;

/* All sets empty; keeps the memory. */
void oracle_bit_tree_clear(oracle_bit_tree *tree);
void oracle_bit_tree_free(oracle_bit_tree *tree);

void oracle_bit_tree_update(oracle_bit_tree *tree, oracle_range range,
                            const oracle_bit_update *update);

/* Adds to `out` what is in any set of the range. */
void oracle_bit_tree_ask(oracle_bit_tree *tree, oracle_range range,
                         oracle_bits *out);

/* Of each number in `wanted`: widens its span to where it is in the range. */
void oracle_bit_tree_spans(oracle_bit_tree *tree, oracle_range range,
                           const oracle_bits *wanted, oracle_range *spans);

static inline bool oracle_bits_none(const oracle_bits *bits)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < ORACLE_BLOCK_WORDS; i++) {
        any |= bits->w[i];
    }
    return any == 0;
}

static inline void oracle_bits_add(oracle_bits *to, const oracle_bits *bits)
{
    for (uint32_t i = 0; i < ORACLE_BLOCK_WORDS; i++) {
        to->w[i] |= bits->w[i];
    }
}

static inline void oracle_bits_take(oracle_bits *from, const oracle_bits *bits)
{
    for (uint32_t i = 0; i < ORACLE_BLOCK_WORDS; i++) {
        from->w[i] &= ~bits->w[i];
    }
}

static inline void oracle_bits_set(oracle_bits *bits, uint32_t number)
{
    bits->w[number / 64] |= UINT64_C(1) << (number % 64);
}

#endif
