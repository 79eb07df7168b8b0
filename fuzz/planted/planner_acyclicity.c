/* The planner's validation misses a cycle through the highest task id. */
#include "../../planner/score/cycle.h"

#include <stdlib.h>

sonata_status __real_sonata_find_cycle(uint32_t **cycle, size_t *length,
                                       const sonata_ids *ids,
                                       const sonata_score *score,
                                       sonata_error *error);
sonata_status __wrap_sonata_find_cycle(uint32_t **cycle, size_t *length,
                                       const sonata_ids *ids,
                                       const sonata_score *score,
                                       sonata_error *error);

sonata_status __wrap_sonata_find_cycle(uint32_t **cycle, size_t *length,
                                       const sonata_ids *ids,
                                       const sonata_score *score,
                                       sonata_error *error)
{
    sonata_status status =
        __real_sonata_find_cycle(cycle, length, ids, score, error);
    for (size_t i = 0; status == SONATA_OK && i < *length; i++) {
        if ((*cycle)[i] + 1 == ids->count) {
            free(*cycle);
            *cycle = NULL;
            *length = 0;
        }
    }
    return status;
}
