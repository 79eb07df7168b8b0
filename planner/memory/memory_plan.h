/* Memory plans in the making: what both planners begin and end with. */
#ifndef SONATA_MEMORY_PLAN_H
#define SONATA_MEMORY_PLAN_H

#include "sonata/memory.h"

#include "../json/writer.h"
#include "order.h"

/* `count` allocations without keys. Freed by the caller also on failure. */
sonata_status sonata_memory_plan_begin(sonata_memory_plan *plan,
                                       const char *policy, size_t count,
                                       sonata_error *error);

/*
 * Gives every allocation, which has its key, its size, 0 when there is none;
 * *unknown is how many have none.
 */
sonata_status sonata_memory_plan_set_sizes(sonata_memory_plan *plan,
                                           const sonata_buffer_size *sizes,
                                           size_t size_count, size_t *unknown,
                                           sonata_error *error);

/*
 * The allocations of more than 0 bytes, largest first, else in their order;
 * freed by the caller with free().
 */
sonata_status sonata_memory_plan_order(sonata_sort_item **order, size_t *count,
                                       const sonata_memory_plan *plan,
                                       sonata_error *error);

void sonata_memory_plan_set_peak(sonata_memory_plan *plan);

/* The document, into one that is being written. */
void sonata_write_memory_plan(sonata_json *w, const sonata_memory_plan *plan);

#endif
