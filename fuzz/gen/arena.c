#include "arena.h"

#include <stdlib.h>
#include <string.h>

#define FIRST ((size_t)1 << 16)
#define ALIGN _Alignof(max_align_t)

typedef struct block {
    struct block *next;
    size_t used, capacity;
    max_align_t data[];
} block;

struct fuzz_arena {
    block *blocks; /* the one that is filled, then the full ones */
    bool failed;
};

fuzz_arena *fuzz_arena_new(void)
{
    return calloc(1, sizeof(fuzz_arena));
}

static void free_blocks(fuzz_arena *arena)
{
    while (arena->blocks != NULL) {
        block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}

void fuzz_arena_free(fuzz_arena *arena)
{
    if (arena != NULL)
        free_blocks(arena);
    free(arena);
}

static bool add_block(fuzz_arena *arena, size_t capacity)
{
    block *added = malloc(sizeof *added + capacity);
    if (added == NULL)
        return false;
    *added = (block){.next = arena->blocks, .capacity = capacity};
    arena->blocks = added;
    return true;
}

/* The newest block is at least as large as all before it. */
void fuzz_arena_clear(fuzz_arena *arena)
{
    block *newest = arena->blocks;
    arena->failed = false;
    if (newest == NULL)
        return;
    arena->blocks = newest->next;
    free_blocks(arena);
    newest->next = NULL;
    newest->used = 0;
    arena->blocks = newest;
}

void *fuzz_arena_get(fuzz_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 8) {
        arena->failed = true;
        return NULL;
    }
    bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    block *b = arena->blocks;
    if (b == NULL || b->capacity - b->used < bytes) {
        size_t capacity = b == NULL ? FIRST : 2 * b->capacity;
        while (capacity < bytes)
            capacity *= 2;
        if (!add_block(arena, capacity)) {
            arena->failed = true;
            return NULL;
        }
        b = arena->blocks;
    }
    char *piece = (char *)b->data + b->used;
    b->used += bytes;
    return memset(piece, 0, bytes);
}

void *fuzz_arena_grow(fuzz_arena *arena, void *items, size_t count,
                      uint32_t *capacity, size_t size)
{
    if (count < *capacity)
        return items;
    if (*capacity > UINT32_MAX / 2) {
        arena->failed = true;
        return NULL;
    }
    uint32_t larger = *capacity == 0 ? 8 : 2 * *capacity;
    void *moved = fuzz_arena_get(arena, larger, size);
    if (moved == NULL)
        return NULL;
    if (count > 0)
        memcpy(moved, items, count * size);
    *capacity = larger;
    return moved;
}

bool fuzz_arena_failed(const fuzz_arena *arena)
{
    return arena->failed;
}
