/* Growing arrays. */
#ifndef SONATA_ARRAY_H
#define SONATA_ARRAY_H

#include <stddef.h>

/*
 * Room for one more element behind `count`: the array, moved when it had to
 * grow; NULL when out of memory, and the old array is as it was.
 */
void *sonata_grow(void *items, size_t *capacity, size_t count, size_t size);

#endif
