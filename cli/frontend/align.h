/*
 * Which task of one outline is which of another. Both are in program order;
 * where only some executions have a task, either may lack it.
 */
#ifndef CLI_FRONTEND_ALIGN_H
#define CLI_FRONTEND_ALIGN_H

#include "outline.h"

typedef struct frontend_alignment {
    uint32_t *of_other; /* by task of the other: of the text, or NONE */
    uint32_t *of_text;  /* by task of the text from `first` on: of the other */
    /* Tasks that only one has, and that only some executions have. */
    uint32_t extra_text, extra_other;
    /* Tasks that only one has in all executions, and pairs that are none. */
    uint32_t wrong;
    /* Nothing but their order says which task is which. */
    bool guessed;
    /* One has more tasks in every execution than the other altogether. */
    bool impossible;
    bool optional; /* one of both has tasks of only some executions */
} frontend_alignment;

/* Whether both are of one callee, as far as it is told. */
bool frontend_same_callee(const frontend_task *a, const frontend_task *b);

/*
 * The text's tasks are `count` from `first` on. O(n log n) in the tasks.
 * FRONTEND_NO_MEMORY is the only failure; free in any case.
 */
frontend_status frontend_align(frontend_alignment *alignment,
                               const frontend_outline *text, uint32_t first,
                               uint32_t count, const frontend_outline *other);
void frontend_alignment_free(frontend_alignment *alignment);

#endif
