/* Growing arrays with 32-bit indexes. */
#ifndef SONATA_DUMP_ARRAY_H
#define SONATA_DUMP_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Makes room for one more item behind `count`; false when out of memory or
 * past 2^31 items (the array is as it was then). `items` is the address of a
 * pointer to items of `size` bytes.
 */
bool array_grow(void *items, uint32_t count, uint32_t *capacity, size_t size);

#endif
