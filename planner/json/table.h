/*
 * A hash table that numbers texts in the order of their first appearance:
 * 0, 1, 2, ... A tag tells apart texts of different kinds. The order of
 * anything outside never depends on the hash.
 */
#ifndef SONATA_TABLE_H
#define SONATA_TABLE_H

#include <stdint.h>

#include "text.h"

#define SONATA_TABLE_LIMIT (UINT32_MAX - 1)

typedef struct sonata_table_entry {
    uint64_t hash;
    sonata_text text; /* borrowed */
    uint8_t tag;
} sonata_table_entry;

/* Zero-initialise. */
typedef struct sonata_table {
    sonata_table_entry *entries;
    size_t count;
    size_t capacity;
    uint32_t *slots; /* number of an entry + 1, or 0 */
    size_t slot_count;
} sonata_table;

/*
 * The number of a text, which is added when it is new (then *is_new, which may
 * be NULL, is true). False when out of memory or beyond SONATA_TABLE_LIMIT.
 */
bool sonata_table_put(sonata_table *table, uint32_t *number, bool *is_new,
                      uint8_t tag, sonata_text text);

/* The number of a text that is there; false when it is not. */
bool sonata_table_find(const sonata_table *table, uint32_t *number, uint8_t tag,
                       sonata_text text);

void sonata_table_free(sonata_table *table);

#endif
