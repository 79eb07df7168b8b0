#include "task_array.h"

#include "array.h"
#include "graph.h"

#include <stdlib.h>
#include <string.h>

void task_arrays_free(task_arrays *a)
{
    free(a->slots);
    free(a->versions);
    free(a->path);
    memset(a, 0, sizeof *a);
}

static uint32_t add_version(task_arrays *a, task_version v)
{
    if (!array_grow(&a->versions, a->count, &a->capacity,
                    sizeof *a->versions)) {
        a->failed = true;
        return GRAPH_NONE;
    }
    a->versions[a->count] = v;
    return a->count++;
}

uint32_t task_array_new(task_arrays *a, uint32_t count, task_slot fill)
{
    uint32_t first = a->slot_count;
    a->work += count;
    for (uint32_t i = 0; i < count; i++) {
        if (!array_grow(&a->slots, a->slot_count, &a->slot_capacity,
                        sizeof *a->slots)) {
            a->failed = true;
            return GRAPH_NONE;
        }
        a->slots[a->slot_count++] = fill;
    }
    return add_version(a, (task_version){GRAPH_NONE, first, {0}});
}

/* Exchanges a version with the holder behind it. */
static void exchange(task_arrays *a, uint32_t version)
{
    task_version *v = &a->versions[version];
    task_version *holder = &a->versions[v->next];
    uint32_t first = holder->index;
    task_slot *slot = &a->slots[first + v->index];
    task_slot theirs = *slot;
    *slot = v->slot;
    *holder = (task_version){version, v->index, theirs};
    *v = (task_version){GRAPH_NONE, first, {0}};
}

task_slot *task_array_slots(task_arrays *a, uint32_t version)
{
    uint32_t depth = 0;
    for (uint32_t v = version; a->versions[v].next != GRAPH_NONE;
         v = a->versions[v].next) {
        if (!array_grow(&a->path, depth, &a->path_capacity, sizeof *a->path)) {
            a->failed = true;
            return NULL;
        }
        a->path[depth++] = v;
    }
    a->work += depth;
    while (depth > 0)
        exchange(a, a->path[--depth]);
    return a->slots == NULL ? NULL : a->slots + a->versions[version].index;
}

uint32_t task_array_update(task_arrays *a, uint32_t version, uint32_t index,
                           task_slot slot)
{
    task_slot *slots = task_array_slots(a, version);
    uint32_t first = slots == NULL ? 0 : a->versions[version].index;
    uint32_t made =
        slots == NULL ? GRAPH_NONE
                      : add_version(a, (task_version){GRAPH_NONE, first, {0}});
    if (made == GRAPH_NONE)
        return GRAPH_NONE;
    a->versions[version] = (task_version){made, index, slots[index]};
    slots[index] = slot;
    return made;
}
