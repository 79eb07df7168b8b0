/*
 * The live entries of one storage, found by the span that they touch: some
 * unsorted ones, and sorted arrays of doubling size above them. Adding costs
 * O(log n) amortised, a look-up O(log^2 n) and its hits.
 */
#ifndef ORACLE_INTERVAL_H
#define ORACLE_INTERVAL_H

#include "oracle/document.h"

typedef struct oracle_entry {
    int64_t begin, end;
    uint32_t task;
    uint32_t arg; /* args[] */
    bool dead;
} oracle_entry;

typedef struct oracle_interval_level oracle_interval_level;

typedef struct oracle_intervals {
    oracle_entry *recent;
    oracle_interval_level *levels;
    uint32_t recent_count;
    uint32_t level_count;
} oracle_intervals;

typedef struct oracle_hits {
    oracle_entry **entry; /* valid until the next oracle_intervals_add */
    size_t count, capacity;
} oracle_hits;

/* False: no memory, in both. */
bool oracle_intervals_add(oracle_intervals *intervals,
                          const oracle_entry *entry);

/* Takes a found entry away. */
void oracle_intervals_remove(oracle_intervals *intervals, oracle_entry *entry);

/* Appends the live entries that touch [begin, end). */
bool oracle_intervals_find(oracle_intervals *intervals, int64_t begin,
                           int64_t end, oracle_hits *hits);

void oracle_intervals_free(oracle_intervals *intervals);

#endif
