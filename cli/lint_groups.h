/*
 * The findings of a program in the order in which to mend them, repeated ones
 * together. Errors come first, then warnings, then notes; among those of one
 * severity first the finding whose fix orders the most others, then the one
 * whose second task comes first in the program. A dep that is dead stands
 * behind the first hazard of its task, which it was to order.
 */
#ifndef CLI_LINT_GROUPS_H
#define CLI_LINT_GROUPS_H

#include "case.h"

/* One end of a finding, as its record names it. */
typedef struct lint_end {
    bool present;
    int64_t task;
    int64_t arg;              /* -1: the task as a whole */
    int64_t line;             /* 0: none */
    cli_span name, direction; /* JSON strings; data NULL: none */
} lint_end;

typedef struct lint_item {
    const cli_finding *finding;
    lint_end producer, consumer;
    int64_t column;
    int64_t times;     /* what the record itself stands for */
    uint32_t from, to; /* positions of the tasks, or LINT_NONE */
    size_t number;     /* as the judge lists it */
} lint_item;

/* Findings of one rule and cause between the same arguments in the dump. */
typedef struct lint_group {
    size_t first, count; /* items */
    int64_t times;       /* how often it happens */
    size_t mends;        /* other groups that the same dep orders as well */
    bool sampled;        /* ... by the pairs that the judge lists of a loop */
    size_t host;         /* behind which group it stands, or its own number */
    size_t number;
} lint_group;

typedef struct lint_groups {
    lint_item *items; /* group by group, first things first */
    size_t count;
    lint_group *groups;
    size_t group_count;
} lint_groups;

/*
 * Sorts the findings of a case that is done. False when out of memory. Cost:
 * n log n, and a walk through the program's graph for each of at most 1,000
 * unordered pairs.
 */
bool lint_groups_make(lint_groups *groups, const cli_case *c,
                      const char *rules);
void lint_groups_free(lint_groups *groups);

#endif
