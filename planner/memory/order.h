/* Orders: numbers by radix sort, storage keys as spec 03 sorts them. */
#ifndef SONATA_ORDER_H
#define SONATA_ORDER_H

#include "sonata/score.h"

typedef struct sonata_sort_item {
    uint64_t key;
    uint32_t index;
} sonata_sort_item;

/* A signed number as a key that sorts as it does. */
static inline uint64_t sonata_order_of(int64_t value)
{
    return (uint64_t)value ^ (uint64_t)1 << 63;
}

/*
 * Sorts by key, stable; `other` has room for as many items. O(count x bytes in
 * which the keys differ).
 */
void sonata_radix_sort(sonata_sort_item *items, sonata_sort_item *other,
                       size_t count);

/*
 * The order of distinct plain keys: order[0] is the place of the smallest.
 * Strings by code points, numbers by value. Errors: SONATA_REJECTED
 * ("memory.mixed-keys") for both together, SONATA_NO_MEMORY. Linear in the
 * bytes of strings, O(count x log count) for numbers.
 */
sonata_status sonata_sort_keys(uint32_t *order, const sonata_value *keys,
                               size_t count, sonata_error *error);

#endif
