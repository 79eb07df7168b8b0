/* Two outlines against each other. */
#ifndef CLI_FRONTEND_COMPARE_H
#define CLI_FRONTEND_COMPARE_H

#include "outline.h"

/* What two answers differ in. The names are part of signatures: keep them. */
typedef enum frontend_difference_kind {
    FRONTEND_DIFF_TASKS,     /* number of tasks */
    FRONTEND_DIFF_CALLEE,    /* also: dummy or not */
    FRONTEND_DIFF_ARGUMENTS, /* number of arguments */
    FRONTEND_DIFF_DIRECTION,
    FRONTEND_DIFF_STORAGE,
    FRONTEND_DIFF_SCALAR,
    FRONTEND_DIFF_MISSING_DEPENDENCY, /* only the companion has it */
    FRONTEND_DIFF_EXTRA_DEPENDENCY,   /* only the text has it */
    FRONTEND_DIFF_BLOCKS,
    FRONTEND_DIFF_PREDICATE,
    FRONTEND_DIFF_DECLARED, /* direction of the callee's parameter */
    FRONTEND_DIFF_CORE
} frontend_difference_kind;

typedef struct frontend_difference {
    frontend_difference_kind kind;
    uint32_t task;     /* in `text`, or FRONTEND_NONE */
    uint32_t arg;      /* of that task, or FRONTEND_NONE */
    uint32_t producer; /* task that a dependency names, or FRONTEND_NONE */
    char message[600]; /* one sentence, printable ASCII */
} frontend_difference;

/* Called for every difference, in task order; anything but OK stops. */
typedef frontend_status frontend_report(void *context,
                                        const frontend_difference *difference);

typedef struct frontend_comparison {
    const frontend_outline *text; /* what the text reader made */
    const frontend_outline *other;
    /* The other's tasks are the text's from `first` on, `count` of them. */
    uint32_t first, count;
    const char *other_name;
    /*
     * The other is C++: scalars follow the tensors and there may be more of
     * them, output and output_existing are one, callees are not told.
     */
    bool generated;
    frontend_report *report;
    void *context;
    /* Out: what was compared, and what the other does not tell. */
    uint32_t tasks, args, edges;
    uint32_t unknown_args, unknown_deps;
    uint32_t missing; /* tasks of only some executions that one has not */
    bool impossible;  /* their numbers of tasks cannot belong together */
    bool guessed;     /* which task is which: no difference is certain */
} frontend_comparison;

const char *frontend_difference_name(frontend_difference_kind kind);

/* Makes `comparison` of all tasks of both. */
void frontend_compare_whole(frontend_comparison *comparison);

/* Whether `other`'s callees are `text`'s, from the first on: how many. */
uint32_t frontend_common_callees(const frontend_outline *text,
                                 const frontend_outline *other);

/* O(tasks + args + deps). FRONTEND_NO_MEMORY, or what `report` gave. */
frontend_status frontend_compare_outlines(frontend_comparison *comparison);

#endif
