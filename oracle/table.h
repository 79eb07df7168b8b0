/*
 * Hash tables from a text or a number to an index, during reading. Keyed with
 * random bits, so that no input makes them slow; nothing depends on order.
 */
#ifndef ORACLE_TABLE_H
#define ORACLE_TABLE_H

#include "oracle/document.h"

typedef struct oracle_slot {
    const char *data; /* NULL: free; texts stay where they are */
    uint32_t length;
    uint32_t value;
} oracle_slot;

typedef struct oracle_table {
    oracle_slot *slots;
    size_t size; /* a power of two, or 0 */
    size_t used;
    uint64_t seed;
} oracle_table;

typedef struct oracle_id_slot {
    int64_t id;
    uint32_t value; /* ORACLE_NONE: free */
} oracle_id_slot;

typedef struct oracle_id_table {
    oracle_id_slot *slots;
    size_t size;
    size_t used;
    uint64_t seed;
} oracle_id_table;

void oracle_table_free(oracle_table *table);

/*
 * The slot of a text, a new one (data NULL, to be filled at once with data,
 * length and value) when it is not there. NULL when there is no memory. Valid
 * until the next call.
 */
oracle_slot *oracle_table_slot(oracle_table *table, const char *data,
                               size_t length);

/* The value of a text, or ORACLE_NONE. */
uint32_t oracle_table_find(const oracle_table *table, const char *data,
                           size_t length);

void oracle_id_table_free(oracle_id_table *table);

/* As above; a new slot has value ORACLE_NONE and its id. */
oracle_id_slot *oracle_id_table_slot(oracle_id_table *table, int64_t id);
uint32_t oracle_id_table_find(const oracle_id_table *table, int64_t id);

#endif
