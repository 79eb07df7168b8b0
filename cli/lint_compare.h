/* Two stages of one program against each other. */
#ifndef CLI_LINT_COMPARE_H
#define CLI_LINT_COMPARE_H

#include "lint_order.h"

/* In the order in which they are told: causes before what follows of them. */
typedef enum lint_aspect {
    LINT_TASKS,     /* a task is gone, or new */
    LINT_SCOPE,     /* manual or not: of a run of tasks */
    LINT_DIRECTION, /* of an argument, and whether its tensor is manual_dep */
    LINT_DEP,       /* on a task, or on none */
    LINT_EDGES,     /* the order that is left */
    LINT_ASPECTS
} lint_aspect;

/* Positions are of tasks in the two documents, LINT_NONE: none. */
typedef struct lint_change {
    lint_aspect aspect;
    uint32_t before, after;             /* the task */
    uint32_t other_before, other_after; /* the one that it waits for; of a */
                                        /* run the last task */
    uint32_t arg_before, arg_after;     /* argument indexes */
    bool lost;     /* a dep, an order: it was there, and is not */
    bool followed; /* a dep: it was looked whether... */
    bool ordered;  /* ... the two are ordered without it */
    size_t times;  /* so often at these lines */
} lint_change;

typedef struct lint_changes {
    lint_change *items; /* by aspect, then as the program runs */
    size_t count, room;
    bool partial; /* too many edges differ to follow all */
} lint_changes;

/*
 * Lists what differs: tasks are matched by their order and names, from both
 * ends of the program. Changes that differ in nothing but the iteration of a
 * loop are one. False when out of memory. Cost: near-linear, and a walk
 * through the graph for each of at most 2,000 tasks whose edges differ.
 */
bool lint_compare(lint_changes *changes, lint_order *before, lint_order *after);
void lint_changes_free(lint_changes *changes);

#endif
