#include "arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CHUNK ((size_t)4 * 1024)
#define LAST_CHUNK ((size_t)256 * 1024)
#define LARGE ((size_t)16 * 1024)
#define FIRST_ITEMS 16

typedef struct block {
    alignas(max_align_t) struct block *next;
} block;

struct replay_arena {
    block *blocks;
    char *cursor;
    size_t left, chunk;
};

replay_arena *replay_arena_create(void)
{
    replay_arena *arena = calloc(1, sizeof *arena);
    if (arena != NULL) {
        arena->chunk = FIRST_CHUNK;
    }
    return arena;
}

void replay_arena_free(replay_arena *arena)
{
    for (block *b = arena == NULL ? NULL : arena->blocks; b != NULL;) {
        block *next = b->next;
        free(b);
        b = next;
    }
    free(arena);
}

static void *alone(replay_arena *arena, size_t size)
{
    block *b = size > SIZE_MAX - sizeof *b ? NULL : calloc(1, sizeof *b + size);
    if (b == NULL) {
        return NULL;
    }
    b->next = arena->blocks;
    arena->blocks = b;
    return b + 1;
}

void *replay_arena_array(replay_arena *arena, size_t count, size_t size)
{
    size_t bytes, align = alignof(max_align_t);
    if (__builtin_mul_overflow(count, size, &bytes)) {
        return NULL;
    }
    if (bytes >= LARGE) {
        return alone(arena, bytes);
    }
    bytes = bytes == 0 ? align : (bytes + align - 1) / align * align;
    if (arena->left < bytes) {
        size_t chunk = arena->chunk < bytes ? LARGE : arena->chunk;
        arena->cursor = alone(arena, chunk);
        arena->left = arena->cursor == NULL ? 0 : chunk;
        arena->chunk = chunk * 4 > LAST_CHUNK ? LAST_CHUNK : chunk * 4;
    }
    if (arena->left < bytes) {
        return NULL;
    }
    void *result = arena->cursor;
    arena->cursor += bytes;
    arena->left -= bytes;
    return result;
}

void *replay_grow(void *items, uint32_t *room, uint32_t count, uint64_t more,
                  size_t size)
{
    uint64_t need = count + more;
    if (items != NULL && need <= *room) {
        return items;
    }
    uint64_t next = *room < FIRST_ITEMS ? FIRST_ITEMS : (uint64_t)*room * 2;
    next = next < need ? need : next;
    next = next > UINT32_MAX - 1 ? UINT32_MAX - 1 : next;
    void *grown = next < need ? NULL : realloc(items, (size_t)next * size);
    if (grown != NULL) {
        *room = (uint32_t)next;
    }
    return grown;
}
