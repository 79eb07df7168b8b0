#include "arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT (_Alignof(max_align_t))
#define FIRST_BLOCK ((size_t)4096)
#define LARGEST_STEP ((size_t)1 << 20)
/* For the sanitizers: every piece is a block. */
#ifndef SONATA_ARENA_ALONE
#define SONATA_ARENA_ALONE 0
#endif

struct sonata_arena_block {
    sonata_arena_block *next;
    size_t size;
    _Alignas(max_align_t) unsigned char bytes[];
};

static sonata_arena_block *new_block(size_t size)
{
    if (size > SIZE_MAX - sizeof(sonata_arena_block))
        return NULL;
    sonata_arena_block *block = calloc(1, sizeof *block + size);
    if (block != NULL)
        block->size = size;
    return block;
}

/* A large piece gets a block of its own, behind the one being filled. */
static void *alloc_alone(sonata_arena *arena, size_t size)
{
    sonata_arena_block *block = new_block(size);
    if (block == NULL)
        return NULL;
    sonata_arena_block **link =
        arena->blocks == NULL ? &arena->blocks : &arena->blocks->next;
    if (arena->blocks == NULL)
        arena->used = size;
    block->next = *link;
    *link = block;
    return block->bytes;
}

static void *alloc_in_new_block(sonata_arena *arena, size_t size)
{
    size_t step =
        arena->next_size < FIRST_BLOCK ? FIRST_BLOCK : arena->next_size;
    sonata_arena_block *block = new_block(size > step ? size : step);
    if (block == NULL)
        return NULL;
    block->next = arena->blocks;
    arena->blocks = block;
    arena->used = size;
    arena->next_size = step < LARGEST_STEP ? step * 2 : step;
    return block->bytes;
}

void *sonata_arena_alloc(sonata_arena *arena, size_t size)
{
    if (size > SIZE_MAX - ALIGNMENT)
        return NULL;
    if (SONATA_ARENA_ALONE)
        return alloc_alone(arena, size);
    size =
        size == 0 ? ALIGNMENT : (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (arena->blocks != NULL && size <= arena->blocks->size - arena->used) {
        void *place = arena->blocks->bytes + arena->used;
        arena->used += size;
        return place;
    }
    if (arena->blocks != NULL && size > arena->next_size / 2)
        return alloc_alone(arena, size);
    return alloc_in_new_block(arena, size);
}

void *sonata_arena_array(sonata_arena *arena, size_t count, size_t size)
{
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    return sonata_arena_alloc(arena, bytes);
}

char *sonata_arena_copy(sonata_arena *arena, const char *text, size_t length)
{
    if (length == SIZE_MAX)
        return NULL;
    char *copy = sonata_arena_alloc(arena, length + 1);
    if (copy != NULL && length > 0)
        memcpy(copy, text, length);
    return copy;
}

void sonata_arena_free(sonata_arena *arena)
{
    sonata_arena_block *block = arena->blocks;
    while (block != NULL) {
        sonata_arena_block *next = block->next;
        free(block);
        block = next;
    }
    *arena = (sonata_arena){0};
}
