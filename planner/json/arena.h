/*
 * An arena: memory of one document, freed at once. Not thread-safe.
 */
#ifndef SONATA_ARENA_H
#define SONATA_ARENA_H

#include <stddef.h>

typedef struct sonata_arena_block sonata_arena_block;

/* Zero-initialise: `sonata_arena arena = {0};`. */
typedef struct sonata_arena {
    sonata_arena_block *blocks; /* newest first */
    size_t used;                /* bytes used in the newest */
    size_t next_size;           /* of the next block */
} sonata_arena;

/*
 * `size` zeroed bytes, aligned for every type; NULL when out of memory. The
 * memory lives until sonata_arena_free. A size of 0 gives a unique pointer.
 */
void *sonata_arena_alloc(sonata_arena *arena, size_t size);

/* count x size zeroed bytes; NULL when out of memory or on overflow. */
void *sonata_arena_array(sonata_arena *arena, size_t count, size_t size);

/* A copy of `length` bytes with a NUL behind; NULL when out of memory. */
char *sonata_arena_copy(sonata_arena *arena, const char *text, size_t length);

/* Frees everything; the arena is empty and usable again. */
void sonata_arena_free(sonata_arena *arena);

#endif
