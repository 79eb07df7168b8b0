#include "memory_plan.h"

#include <stdlib.h>
#include <string.h>

#include "../json/text.h"
#include "../score/document.h"
#include "storage_keys.h"

sonata_status sonata_memory_plan_begin(sonata_memory_plan *plan,
                                       const char *policy, size_t count,
                                       sonata_error *error)
{
    *plan = (sonata_memory_plan){.policy = {policy, strlen(policy)}};
    plan->memory = calloc(1, sizeof *plan->memory);
    if (plan->memory != NULL)
        plan->items =
            sonata_arena_array(plan->memory, count, sizeof *plan->items);
    if (plan->items == NULL)
        return sonata_fail_memory(error);
    plan->count = count;
    return SONATA_OK;
}

void sonata_memory_plan_free(sonata_memory_plan *plan)
{
    if (plan->memory != NULL) {
        sonata_arena_free(plan->memory);
        free(plan->memory);
    }
    *plan = (sonata_memory_plan){0};
}

#define UNKNOWN INT64_MIN

static sonata_status look_up_sizes(sonata_memory_plan *plan,
                                   sonata_storage_keys *keys,
                                   const sonata_buffer_size *sizes,
                                   size_t size_count, sonata_error *error)
{
    sonata_status status = SONATA_OK;
    uint32_t number = 0;
    for (size_t i = 0; i < plan->count && status == SONATA_OK; i++) {
        plan->items[i].size = UNKNOWN;
        status = sonata_storage_keys_add(&number, NULL, keys,
                                         &plan->items[i].key, error);
    }
    for (size_t i = 0; i < size_count && status == SONATA_OK; i++) {
        if (sizes[i].bytes < 0)
            return sonata_fail(error, SONATA_REJECTED, "memory.negative-size",
                               "the size of a buffer is negative: %lld",
                               (long long)sizes[i].bytes);
        status =
            sonata_storage_keys_add(&number, NULL, keys, &sizes[i].key, error);
        if (status == SONATA_OK && number < plan->count)
            plan->items[number].size = sizes[i].bytes;
    }
    return status;
}

sonata_status sonata_memory_plan_set_sizes(sonata_memory_plan *plan,
                                           const sonata_buffer_size *sizes,
                                           size_t size_count, size_t *unknown,
                                           sonata_error *error)
{
    sonata_storage_keys keys = {0};
    sonata_status status = look_up_sizes(plan, &keys, sizes, size_count, error);
    sonata_storage_keys_free(&keys);
    *unknown = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->items[i].size != UNKNOWN)
            continue;
        plan->items[i].size = 0;
        ++*unknown;
    }
    return status;
}

sonata_status sonata_memory_plan_order(sonata_sort_item **order, size_t *count,
                                       const sonata_memory_plan *plan,
                                       sonata_error *error)
{
    *count = 0;
    *order = reallocarray(NULL, plan->count + 1, sizeof **order);
    sonata_sort_item *other =
        reallocarray(NULL, plan->count + 1, sizeof *other);
    if (*order == NULL || other == NULL) {
        free(*order);
        free(other);
        *order = NULL;
        return sonata_fail_memory(error);
    }
    for (size_t i = 0; i < plan->count; i++)
        if (plan->items[i].size > 0)
            (*order)[(*count)++] =
                (sonata_sort_item){~(uint64_t)plan->items[i].size, (uint32_t)i};
    sonata_radix_sort(*order, other, *count);
    free(other);
    return SONATA_OK;
}

void sonata_memory_plan_set_peak(sonata_memory_plan *plan)
{
    plan->peak = 0;
    for (size_t i = 0; i < plan->count; i++) {
        int64_t end = plan->items[i].offset + plan->items[i].size;
        plan->peak = end > plan->peak ? end : plan->peak;
    }
}

sonata_status sonata_memory_plan_json(char **json, size_t *length,
                                      const sonata_memory_plan *plan,
                                      bool pretty, sonata_error *error)
{
    sonata_json w;
    sonata_json_init(&w, pretty);
    sonata_write_memory_plan(&w, plan);
    *json = sonata_json_take(&w, length);
    return *json == NULL ? sonata_fail_memory(error) : SONATA_OK;
}

void sonata_write_memory_plan(sonata_json *w, const sonata_memory_plan *plan)
{
    sonata_json_object(w);
    sonata_json_key(w, "allocations");
    sonata_json_array(w);
    for (size_t i = 0; i < plan->count; i++) {
        const sonata_allocation *item = &plan->items[i];
        sonata_json_object(w);
        sonata_json_key(w, "offset");
        sonata_json_int(w, item->offset);
        sonata_json_key(w, "size");
        sonata_json_int(w, item->size);
        sonata_json_key(w, "storage_key");
        sonata_write_value(w, item->key);
        sonata_json_end_object(w);
    }
    sonata_json_end_array(w);
    sonata_json_key(w, "kind");
    sonata_json_string(w, "memory_plan");
    sonata_json_key(w, "peak_memory");
    sonata_json_int(w, plan->peak);
    sonata_json_key(w, "policy");
    sonata_write_text(w, plan->policy);
    sonata_json_key(w, "version");
    sonata_json_int(w, 1);
    sonata_json_end_object(w);
}
