/* What a target demands of a text that it was given. */
#ifndef FUZZ_TARGETS_CHECK_H
#define FUZZ_TARGETS_CHECK_H

#include <stdbool.h>
#include <stdlib.h>

static inline void check(bool holds)
{
    if (!holds)
        abort();
}

#endif
