/*
 * Memory of one document or judgement: everything taken from an arena is
 * freed with it, at once. Blocks are aligned for any type.
 */
#ifndef ORACLE_ARENA_H
#define ORACLE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct oracle_arena oracle_arena;

/* NULL when there is no memory. */
oracle_arena *oracle_arena_create(void);
void oracle_arena_free(oracle_arena *arena);

/* Whether it had no memory to give, once; true of NULL. */
bool oracle_arena_failed(const oracle_arena *arena);

/* Zeroed bytes; NULL when there is no memory. A size of 0 gives a block. */
void *oracle_arena_alloc(oracle_arena *arena, size_t size);

/* Zeroed items; NULL when there is no memory or the product overflows. */
void *oracle_arena_array(oracle_arena *arena, size_t count, size_t size);

/* A copy with a NUL behind it; NULL when there is no memory. */
char *oracle_arena_text(oracle_arena *arena, const char *data, size_t length);

/* Like printf, into the arena; NULL when there is no memory. */
char *oracle_arena_format(oracle_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Gives back all that was taken; the arena can be used on. */
void oracle_arena_clear(oracle_arena *arena);

/*
 * Makes room for one more item at the end of an array that only this function
 * has grown (NULL when empty), and returns the array, which may have moved;
 * the new item is zeroed. NULL when there is no memory (the old array stays
 * valid) or `count` is UINT32_MAX - 1. Amortised constant.
 */
void *oracle_arena_push(oracle_arena *arena, void *items, uint32_t count,
                        size_t size);

/* Gives back the room behind the last item; returns the array, maybe moved. */
void *oracle_arena_trim(oracle_arena *arena, void *items, uint32_t count,
                        size_t size);

#endif
