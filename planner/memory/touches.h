/*
 * Which tasks touch which buffer, as the safe planner counts it: by every
 * argument that is not a scalar.
 */
#ifndef SONATA_TOUCHES_H
#define SONATA_TOUCHES_H

#include "storage_keys.h"

typedef struct sonata_touches {
    sonata_value *keys; /* sorted */
    uint32_t count;
    uint32_t *first; /* of buffer b: tasks[first[b]] .. tasks[first[b + 1]] */
    uint32_t *tasks; /* places in the Score, ascending, perhaps repeated */
} sonata_touches;

/*
 * Errors: SONATA_REJECTED ("memory.key", "memory.mixed-keys"), SONATA_RANGE,
 * SONATA_NO_MEMORY. Freed by the caller also on failure.
 */
sonata_status sonata_touches_find(sonata_touches *touches,
                                  const sonata_score *score,
                                  sonata_error *error);

void sonata_touches_free(sonata_touches *touches);

#endif
