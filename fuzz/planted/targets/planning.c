/* In a plan of several buffers the second one lies where the first does. */
#include "sonata/memory.h"

#define SEVERAL 3

sonata_status __real_sonata_memory_plan_json(char **json, size_t *length,
                                             const sonata_memory_plan *plan,
                                             bool pretty, sonata_error *error);
sonata_status __wrap_sonata_memory_plan_json(char **json, size_t *length,
                                             const sonata_memory_plan *plan,
                                             bool pretty, sonata_error *error);

sonata_status __wrap_sonata_memory_plan_json(char **json, size_t *length,
                                             const sonata_memory_plan *plan,
                                             bool pretty, sonata_error *error)
{
    if (plan->count >= SEVERAL)
        plan->items[1].offset = plan->items[0].offset;
    return __real_sonata_memory_plan_json(json, length, plan, pretty, error);
}
