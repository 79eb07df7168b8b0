/* The cycle that validation reports. */
#ifndef SONATA_CYCLE_H
#define SONATA_CYCLE_H

#include "ids.h"

/*
 * The first cycle found by depth-first search from the ids in ascending order,
 * successors in ascending order; self-edges and unknown ends left out. *cycle
 * holds the ranks on it, *length of them, the first not repeated at the end
 * (length 0, cycle NULL: there is none); the caller frees it. Linear.
 */
sonata_status sonata_find_cycle(uint32_t **cycle, size_t *length,
                                const sonata_ids *ids,
                                const sonata_score *score, sonata_error *error);

#endif
