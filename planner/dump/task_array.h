/*
 * Arrays of TaskIds as values: an update gives a new version and leaves the
 * old one as it was. The newest version that was touched holds the slots, the
 * others say in which one slot they differ from their neighbour (Baker's
 * shallow binding), so a chain of updates costs O(1) each.
 */
#ifndef SONATA_DUMP_TASK_ARRAY_H
#define SONATA_DUMP_TASK_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct task_slot {
    uint32_t set;  /* task_set, or GRAPH_NONE */
    uint8_t cause; /* without task: graph_cause */
    bool overwritten;
} task_slot;

typedef struct task_version {
    uint32_t next;  /* towards the version that holds the slots, or NONE */
    uint32_t index; /* the slot that differs from `next`; or the first slot */
    task_slot slot;
} task_version;

typedef struct task_arrays {
    task_slot *slots;
    uint32_t slot_count, slot_capacity;
    task_version *versions;
    uint32_t count, capacity;
    uint32_t *path; /* scratch */
    uint32_t path_capacity;
    uint64_t work; /* slots made and versions passed, for who counts */
    bool failed;   /* out of memory */
} task_arrays;

void task_arrays_free(task_arrays *a);

/* A new array; GRAPH_NONE when out of memory. O(count) */
uint32_t task_array_new(task_arrays *a, uint32_t count, task_slot fill);

/*
 * The slots of a version, until the next call; NULL when no array has any, or
 * out of memory. O(1) for the newest.
 */
task_slot *task_array_slots(task_arrays *a, uint32_t version);

/* The version in which slot `index` is `slot`. */
uint32_t task_array_update(task_arrays *a, uint32_t version, uint32_t index,
                           task_slot slot);

#endif
