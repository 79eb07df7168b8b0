#include "array.h"

#include <stdint.h>
#include <stdlib.h>

void *sonata_grow(void *items, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity)
        return items;
    if (*capacity > SIZE_MAX / 2)
        return NULL;
    size_t larger = *capacity < 16 ? 16 : *capacity * 2;
    void *grown = reallocarray(items, larger, size);
    if (grown != NULL)
        *capacity = larger;
    return grown;
}
