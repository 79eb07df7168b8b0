/* Storage keys met, each with the spelling it was first met in. */
#ifndef SONATA_STORAGE_KEYS_H
#define SONATA_STORAGE_KEYS_H

#include "../deps/access.h"

/* Zero-initialise. */
typedef struct sonata_storage_keys {
    sonata_access_keys numbers;
    sonata_value *values; /* by number */
    size_t count, capacity;
} sonata_storage_keys;

/*
 * The number of a key, added when it is new; is_new may be NULL. Errors:
 * SONATA_REJECTED ("memory.key") for a list or an object, SONATA_RANGE for
 * more keys than there are numbers, SONATA_NO_MEMORY.
 */
sonata_status sonata_storage_keys_add(uint32_t *number, bool *is_new,
                                      sonata_storage_keys *keys,
                                      const sonata_value *key,
                                      sonata_error *error);

void sonata_storage_keys_free(sonata_storage_keys *keys);

#endif
