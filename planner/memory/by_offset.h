/* Placed buffers in the order of their offsets, in blocks of bounded size. */
#ifndef SONATA_BY_OFFSET_H
#define SONATA_BY_OFFSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SONATA_OFFSET_BLOCK 256

typedef struct sonata_placed {
    uint64_t offset, end;
    uint32_t first, last; /* of its span */
    uint32_t line;
    uint32_t buffer;
} sonata_placed;

typedef struct sonata_offset_block {
    uint64_t end; /* the largest end in it */
    size_t count;
    sonata_placed items[SONATA_OFFSET_BLOCK];
} sonata_offset_block;

/* Zero-initialise. */
typedef struct sonata_by_offset {
    sonata_offset_block **blocks;
    size_t count, capacity;
} sonata_by_offset;

/* False when out of memory. O(log buffers + size of a block), and a pointer
 * for each block behind it once in a block's size. */
bool sonata_by_offset_add(sonata_by_offset *list, const sonata_placed *item);

void sonata_by_offset_free(sonata_by_offset *list);

#endif
