#include "array.h"

#include <stdlib.h>
#include <string.h>

bool array_grow(void *items, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    uint32_t wanted = *capacity == 0 ? 64 : *capacity * 2;
    if (wanted > UINT32_C(1) << 31)
        return false;
    void *old;
    memcpy(&old, items, sizeof old);
    void *grown = realloc(old, (size_t)wanted * size);
    if (grown == NULL)
        return false;
    memcpy(items, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}
