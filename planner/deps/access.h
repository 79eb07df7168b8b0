/* What an argument touches: its access key (spec 02), as a number. */
#ifndef SONATA_ACCESS_H
#define SONATA_ACCESS_H

#include "../json/table.h"

/* Numbers access keys 0, 1, 2, ... Zero-initialise. */
typedef struct sonata_access_keys {
    sonata_table table;
    sonata_arena arena; /* spellings of numbers */
} sonata_access_keys;

/*
 * The access key of argument `arg` of a task: equal as Python has it (1, 1.0
 * and true are one). The task has no storage keys or one per argument. Errors:
 * SONATA_REJECTED for a list or an object, SONATA_NO_MEMORY.
 */
sonata_status sonata_access_key(uint32_t *number, sonata_access_keys *keys,
                                const sonata_task *task, size_t arg,
                                sonata_error *error);

/*
 * The number of any plain value. Errors: SONATA_REJECTED for a list or an
 * object (with no code of its own: the caller knows what it is), no record
 * is filled; SONATA_NO_MEMORY.
 */
sonata_status sonata_key_number(uint32_t *number, bool *is_new,
                                sonata_access_keys *keys,
                                const sonata_value *value);

/* The double of a float in canonical JSON; false when out of memory. */
bool sonata_float_value(double *value, sonata_text text);

void sonata_access_keys_free(sonata_access_keys *keys);

#endif
