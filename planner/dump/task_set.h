/*
 * Sets of tasks, shared and never changed: a task, two sets together, or one
 * of two sets by a choice (what an "if" yields as TaskId). A number below
 * TASK_SET_FIRST is that task alone; GRAPH_NONE is the empty set.
 */
#ifndef SONATA_DUMP_TASK_SET_H
#define SONATA_DUMP_TASK_SET_H

#include <stdbool.h>
#include <stdint.h>

enum { TASK_SET_FIRST = 1 << 30 };

typedef struct task_node {
    uint32_t choice; /* GRAPH_NONE: both a and b */
    uint32_t a, b;   /* by choice: a when it is true, else b */
} task_node;

typedef struct task_sets {
    task_node *nodes;
    uint32_t count, capacity;
    bool failed; /* out of memory */
} task_sets;

void task_sets_free(task_sets *s);
uint32_t task_set_union(task_sets *s, uint32_t a, uint32_t b);
uint32_t task_set_choose(task_sets *s, uint32_t choice, uint32_t a, uint32_t b);

/* The node of a set; NULL when it is a task or empty. */
const task_node *task_set_node(const task_sets *s, uint32_t set);

#endif
