/* Shapes of programs: which tasks there are, and what they touch. */
#ifndef FUZZ_SHAPES_H
#define FUZZ_SHAPES_H

#include "model.h"

typedef struct fuzz_shape {
    const char *name;
    void (*draw)(fuzz_model *m, uint32_t tasks);
    uint32_t weight;
    bool nasty; /* it has tasks that a policy by directions refuses */
} fuzz_shape;

/* One by its weight; of those whose buffers tell more, or a plain one. */
const fuzz_shape *fuzz_shape_draw(fuzz_random *random);
const fuzz_shape *fuzz_memory_shape_draw(fuzz_random *random);

/* Two that faults are made of; at least 4 tasks. */
void fuzz_draw_branches(fuzz_model *m, uint32_t tasks);
void fuzz_draw_ladder(fuzz_model *m, uint32_t tasks);

#endif
