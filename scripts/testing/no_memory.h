/*
 * Memory that runs out where a test wants it to. The linker gives the
 * allocations of our code to the functions here (WRAPPED in the Makefile);
 * included by one file of a test program.
 */
#ifndef TESTING_NO_MEMORY_H
#define TESTING_NO_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

static long allocations_left = -1; /* below 0: as many as wanted */
static long allocations_made;      /* of those that were counted */
static bool fails_once;            /* the next one alone */
static bool has_failed;

static bool may_allocate(void)
{
    if (allocations_left != 0) {
        allocations_made += allocations_left > 0;
        allocations_left -= allocations_left > 0;
        return true;
    }
    has_failed = true;
    allocations_left = fails_once ? -1 : 0;
    return false;
}

/* From now on the allocations beyond so many fail, till there is enough. */
static inline void allow_allocations(long most)
{
    allocations_left = most;
    allocations_made = 0;
    fails_once = has_failed = false;
}

/* After so many one fails, which another one may hide. */
static inline void fail_allocation(long after)
{
    allow_allocations(after);
    fails_once = true;
}

static inline void allow_all_allocations(void)
{
    allocations_left = -1;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_reallocarray(void *old, size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_reallocarray(void *old, size_t count, size_t size);

void *__wrap_malloc(size_t size)
{
    return may_allocate() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return may_allocate() ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *old, size_t size)
{
    return may_allocate() ? __real_realloc(old, size) : NULL;
}

void *__wrap_reallocarray(void *old, size_t count, size_t size)
{
    return may_allocate() ? __real_reallocarray(old, count, size) : NULL;
}

#endif
