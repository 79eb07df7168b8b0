/*
 * Sets of bytes that are taken, kept as the gaps between them: everything below
 * `head` and from `tail` on is free, and so are the gaps of a tree between.
 * Bytes that lie next to each other leave no gap, so a set of tightly packed
 * buffers is two numbers, whatever their count.
 *
 * Gaps that are smaller than the smallest request to come can serve nobody and
 * are given up (pool.smallest).
 */
#ifndef SONATA_GAPS_H
#define SONATA_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SONATA_NO_GAP UINT32_MAX

typedef struct sonata_gap {
    uint64_t start, end;
    uint64_t largest; /* size of a gap in this part of the tree */
    uint32_t left, right, parent;
} sonata_gap;

/* The gaps of many sets. Zero-initialise, then set `smallest`. */
typedef struct sonata_gap_pool {
    sonata_gap *items;
    size_t count, capacity;
    uint32_t free_list; /* number + 1 of the first unused, linked by `left` */
    uint64_t smallest;  /* gaps below this size are not kept */
} sonata_gap_pool;

typedef struct sonata_gap_set {
    uint64_t head;
    uint64_t tail; /* 0: nothing is taken */
    uint32_t root; /* SONATA_NO_GAP: no gap between head and tail */
} sonata_gap_set;

#define SONATA_EMPTY_GAP_SET ((sonata_gap_set){0, 0, SONATA_NO_GAP})

void sonata_gap_pool_free(sonata_gap_pool *pool);

/*
 * The lowest place from `from` on where `size` bytes (at least 1) are free.
 * Expected O(log gaps).
 */
uint64_t sonata_gaps_find(const sonata_gap_pool *pool,
                          const sonata_gap_set *set, uint64_t from,
                          uint64_t size);

/* A walk over the runs of taken bytes between the gaps. */
typedef struct sonata_gap_walk {
    const sonata_gap_pool *pool;
    uint64_t at;   /* where the next run starts */
    uint64_t tail; /* of the set */
    uint32_t next; /* the gap behind it, or SONATA_NO_GAP */
} sonata_gap_walk;

/* The runs that reach beyond `from`, cut off below it, in order. */
sonata_gap_walk sonata_gaps_walk(const sonata_gap_pool *pool,
                                 const sonata_gap_set *set, uint64_t from);

/* The next run; false when there is none. Expected O(1) over a whole walk. */
bool sonata_gaps_run(uint64_t *start, uint64_t *end, sonata_gap_walk *walk);

/*
 * Takes the bytes from start up to end, whether they were free or not. False
 * when out of memory; the set is then not to be used. Expected O(log gaps) for
 * each gap that it meets, and it leaves one more at most.
 */
bool sonata_gaps_take(sonata_gap_pool *pool, sonata_gap_set *set,
                      uint64_t start, uint64_t end);

#endif
