#include "lookup.h"

#include <stdlib.h>

static int compare(const sonata_binding *binding, int64_t task, int64_t arg)
{
    if (binding->task_id != task)
        return binding->task_id < task ? -1 : 1;
    return (binding->arg_index > arg) - (binding->arg_index < arg);
}

static int by_argument(const void *a, const void *b)
{
    const sonata_binding *left = *(const sonata_binding *const *)a;
    const sonata_binding *right = *(const sonata_binding *const *)b;
    int order = compare(left, right->task_id, right->arg_index);
    if (order != 0)
        return order;
    return (left > right) - (left < right); /* their order in the handle */
}

static bool is_sorted(const sonata_handle *handle)
{
    const sonata_binding *all = handle->bindings;
    for (size_t i = 1; i < handle->binding_count; i++)
        if (compare(&all[i - 1], all[i].task_id, all[i].arg_index) > 0)
            return false;
    return true;
}

static bool sort_bindings(sonata_lookup *lookup)
{
    const sonata_handle *handle = lookup->handle;
    if (is_sorted(handle))
        return true;
    lookup->sorted =
        reallocarray(NULL, handle->binding_count, sizeof *lookup->sorted);
    if (lookup->sorted == NULL)
        return false;
    for (size_t i = 0; i < handle->binding_count; i++)
        lookup->sorted[i] = &handle->bindings[i];
    qsort(lookup->sorted, handle->binding_count, sizeof *lookup->sorted,
          by_argument);
    return true;
}

static bool number_entries(sonata_lookup *lookup)
{
    const sonata_handle *handle = lookup->handle;
    lookup->bound = calloc(handle->entry_count + 1, sizeof *lookup->bound);
    if (lookup->bound == NULL)
        return false;
    for (size_t i = 0; i < handle->entry_count; i++) {
        const sonata_func_entry *entry = &handle->entries[i];
        uint32_t number = 0;
        if (!sonata_lookup_name(&number, lookup, entry->name))
            return false;
        if (entry->is_bound)
            lookup->bound[number] = entry;
    }
    lookup->known = (uint32_t)lookup->names.count;
    return true;
}

sonata_status sonata_lookup_build(sonata_lookup *lookup,
                                  const sonata_handle *handle,
                                  sonata_error *error)
{
    *lookup = (sonata_lookup){.handle = handle};
    if (handle->entry_count >= SONATA_TABLE_LIMIT)
        return sonata_fail(error, SONATA_RANGE, "doc.range",
                           "too many functions: %zu", handle->entry_count);
    if (!number_entries(lookup) || !sort_bindings(lookup)) {
        sonata_lookup_free(lookup);
        return sonata_fail_memory(error);
    }
    return SONATA_OK;
}

void sonata_lookup_free(sonata_lookup *lookup)
{
    free(lookup->sorted);
    free(lookup->bound);
    sonata_table_free(&lookup->names);
    *lookup = (sonata_lookup){0};
}

static const sonata_binding *at(const sonata_lookup *lookup, size_t i)
{
    return lookup->sorted == NULL ? &lookup->handle->bindings[i]
                                  : lookup->sorted[i];
}

/* How many bindings stand at or before the argument. */
static size_t count_up_to(const sonata_lookup *lookup, int64_t task,
                          int64_t arg)
{
    size_t low = 0;
    size_t high = lookup->handle->binding_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(at(lookup, middle), task, arg) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const sonata_binding *sonata_lookup_binding(sonata_lookup *lookup,
                                            int64_t task_id, size_t arg)
{
    size_t count = lookup->handle->binding_count;
    size_t next = lookup->cursor;
    int64_t index = (int64_t)arg;
    bool is_next =
        next < count && compare(at(lookup, next), task_id, index) == 0;
    bool is_last =
        next + 1 >= count ||
        (is_next && compare(at(lookup, next + 1), task_id, index) > 0);
    size_t end =
        is_next && is_last ? next + 1 : count_up_to(lookup, task_id, index);
    if (end == 0 || compare(at(lookup, end - 1), task_id, index) != 0)
        return NULL;
    lookup->cursor = end;
    return at(lookup, end - 1);
}

bool sonata_lookup_name(uint32_t *number, sonata_lookup *lookup,
                        sonata_text name)
{
    return sonata_table_put(&lookup->names, number, NULL, 0, name);
}
