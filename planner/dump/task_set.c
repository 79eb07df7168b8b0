#include "task_set.h"

#include "array.h"
#include "graph.h"

#include <stdlib.h>
#include <string.h>

void task_sets_free(task_sets *s)
{
    free(s->nodes);
    memset(s, 0, sizeof *s);
}

static uint32_t add(task_sets *s, uint32_t choice, uint32_t a, uint32_t b)
{
    if (s->count >= TASK_SET_FIRST ||
        !array_grow(&s->nodes, s->count, &s->capacity, sizeof *s->nodes)) {
        s->failed = true;
        return GRAPH_NONE;
    }
    s->nodes[s->count] = (task_node){choice, a, b};
    return TASK_SET_FIRST + s->count++;
}

uint32_t task_set_union(task_sets *s, uint32_t a, uint32_t b)
{
    if (a == GRAPH_NONE || a == b)
        return b;
    if (b == GRAPH_NONE)
        return a;
    return add(s, GRAPH_NONE, a, b);
}

uint32_t task_set_choose(task_sets *s, uint32_t choice, uint32_t a, uint32_t b)
{
    return a == b ? a : add(s, choice, a, b);
}

const task_node *task_set_node(const task_sets *s, uint32_t set)
{
    return set == GRAPH_NONE || set < TASK_SET_FIRST
               ? NULL
               : &s->nodes[set - TASK_SET_FIRST];
}
