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

/* One by its weight. */
const fuzz_shape *fuzz_shape_draw(fuzz_random *random);

#endif
