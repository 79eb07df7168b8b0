#include "arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For the sanitizers: every piece is a block, and room is none till used. */
#ifndef ORACLE_ARENA_ALONE
#define ORACLE_ARENA_ALONE 0
#endif
#if ORACLE_ARENA_ALONE
#include <sanitizer/asan_interface.h>
#define HIDE ASAN_POISON_MEMORY_REGION
#define SHOW ASAN_UNPOISON_MEMORY_REGION
#else
#define HIDE(at, size) ((void)(at), (void)(size))
#define SHOW(at, size) ((void)(at), (void)(size))
#endif

/* Small documents have many arenas, each with little in it. */
#define FIRST_CHUNK ((size_t)2 * 1024)
#define CHUNK_SIZE ((size_t)64 * 1024)
#define LARGE_SIZE (CHUNK_SIZE / 4)
#define FIRST_ITEMS 8

/* Head of every block from malloc; large and grown blocks stand alone. */
typedef struct block {
    alignas(max_align_t) struct block *next;
    struct block *previous;
} block;

struct oracle_arena {
    block list;  /* circular, so that a grown block can be replaced */
    char *chunk; /* where small things are taken from, or NULL */
    char *cursor;
    size_t left;
    size_t size; /* of the chunk */
    bool failed;
};

oracle_arena *oracle_arena_create(void)
{
    oracle_arena *arena = calloc(1, sizeof *arena);
    if (arena == NULL) {
        return NULL;
    }
    arena->list.next = &arena->list;
    arena->list.previous = &arena->list;
    return arena;
}

void oracle_arena_free(oracle_arena *arena)
{
    if (arena == NULL) {
        return;
    }
    block *b = arena->list.next;
    while (b != &arena->list) {
        block *next = b->next;
        free(b);
        b = next;
    }
    free(arena);
}

bool oracle_arena_failed(const oracle_arena *arena)
{
    return arena == NULL || arena->failed;
}

static void link_block(oracle_arena *arena, block *b)
{
    b->next = arena->list.next;
    b->previous = &arena->list;
    b->next->previous = b;
    arena->list.next = b;
}

static void *alone(oracle_arena *arena, size_t size)
{
    if (size > SIZE_MAX - sizeof(block)) {
        return NULL;
    }
    block *b = calloc(1, sizeof *b + size);
    if (b == NULL) {
        arena->failed = true;
        return NULL;
    }
    link_block(arena, b);
    return b + 1;
}

/* Each chunk is four times the last, up to the largest. */
static bool add_chunk(oracle_arena *arena, size_t need)
{
    size_t size = arena->size == 0 ? FIRST_CHUNK : arena->size * 4;
    if (size > CHUNK_SIZE || size < need) {
        size = CHUNK_SIZE;
    }
    char *chunk = alone(arena, size);
    if (chunk == NULL) {
        return false;
    }
    arena->chunk = arena->cursor = chunk;
    arena->left = arena->size = size;
    return true;
}

void *oracle_arena_alloc(oracle_arena *arena, size_t size)
{
    if (ORACLE_ARENA_ALONE || size >= LARGE_SIZE) {
        return alone(arena, size);
    }
    size_t align = alignof(max_align_t);
    size_t need = size == 0 ? align : (size + align - 1) / align * align;
    if (arena->left < need && !add_chunk(arena, need)) {
        return NULL;
    }
    void *result = arena->cursor;
    arena->cursor += need;
    arena->left -= need;
    return result;
}

void *oracle_arena_array(oracle_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        return NULL;
    }
    return oracle_arena_alloc(arena, bytes);
}

/* Texts need no alignment: packed from the end of the chunk. */
static char *alloc_text(oracle_arena *arena, size_t size)
{
    if (arena->left < size) {
        return oracle_arena_alloc(arena, size);
    }
    arena->left -= size;
    char *result = arena->cursor + arena->left;
    return result;
}

char *oracle_arena_text(oracle_arena *arena, const char *data, size_t length)
{
    if (length == SIZE_MAX) {
        return NULL;
    }
    char *copy = alloc_text(arena, length + 1);
    if (copy == NULL) {
        return NULL;
    }
    if (length > 0) {
        memcpy(copy, data, length);
    }
    copy[length] = '\0';
    return copy;
}

char *oracle_arena_format(oracle_arena *arena, const char *format, ...)
{
    char shown[256]; /* what is longer is written twice */
    va_list args;
    va_start(args, format);
    int length = vsnprintf(shown, sizeof shown, format, args);
    va_end(args);
    if (length < 0) {
        return NULL;
    }
    if ((size_t)length < sizeof shown) {
        return oracle_arena_text(arena, shown, (size_t)length);
    }
    char *text = alloc_text(arena, (size_t)length + 1);
    if (text == NULL) {
        return NULL;
    }
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}

void oracle_arena_clear(oracle_arena *arena)
{
    block *chunk = arena->chunk == NULL ? NULL : (block *)arena->chunk - 1;
    for (block *b = arena->list.next, *next; b != &arena->list; b = next) {
        next = b->next;
        if (b != chunk) {
            free(b);
        }
    }
    arena->list.next = arena->list.previous = &arena->list;
    if (chunk == NULL) {
        return;
    }
    link_block(arena, chunk);
    char *texts = arena->cursor + arena->left;
    memset(arena->chunk, 0, (size_t)(arena->cursor - arena->chunk));
    memset(texts, 0, (size_t)(arena->chunk + arena->size - texts));
    arena->cursor = arena->chunk;
    arena->left = arena->size;
}

static void *resize(oracle_arena *arena, void *items, size_t bytes)
{
    block *old = (block *)items - 1;
    block *previous = old->previous;
    block *next = old->next;
    block *b = realloc(old, sizeof *b + bytes);
    if (b == NULL) {
        arena->failed = true;
        return NULL;
    }
    previous->next = b;
    next->previous = b;
    return b + 1;
}

void *oracle_arena_push(oracle_arena *arena, void *items, uint32_t count,
                        size_t size)
{
    if (count >= UINT32_MAX - 1) {
        return NULL;
    }
    if (count == 0 && items == NULL) {
        items = alone(arena, FIRST_ITEMS * size);
        if (items != NULL) {
            HIDE(items, FIRST_ITEMS * size);
        }
    } else if (count >= FIRST_ITEMS && (count & (count - 1)) == 0) {
        size_t bytes;
        if (__builtin_mul_overflow(size, (size_t)count * 2, &bytes) ||
            bytes > SIZE_MAX - sizeof(block)) {
            return NULL;
        }
        items = resize(arena, items, bytes);
        if (items != NULL) {
            HIDE((char *)items + bytes / 2, bytes / 2);
        }
    }
    if (items != NULL) {
        SHOW((char *)items + size * count, size);
        memset((char *)items + size * count, 0, size);
    }
    return items;
}

void *oracle_arena_trim(oracle_arena *arena, void *items, uint32_t count,
                        size_t size)
{
    if (items == NULL) {
        return NULL;
    }
    void *trimmed = resize(arena, items, count == 0 ? 1 : count * size);
    return trimmed == NULL ? items : trimmed;
}
