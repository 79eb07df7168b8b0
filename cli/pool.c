#include "pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

/* Under AddressSanitizer what is not in use stays out of bounds. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define OPEN(place, size) __asan_unpoison_memory_region((place), (size))
#define CLOSE(place, size) __asan_poison_memory_region((place), (size))
#define GAP ((size_t)16) /* between two pieces */
#else
#define OPEN(place, size) ((void)(place), (void)(size))
#define CLOSE(place, size) ((void)(place), (void)(size))
#define GAP ((size_t)0)
#endif

#define ALIGNMENT (_Alignof(max_align_t))
#define FIRST ((size_t)1 << 16)
#define LARGEST ((size_t)1 << 22) /* unless a piece is larger */

typedef struct block {
    struct block *next;
    size_t size;
    _Alignas(max_align_t) unsigned char bytes[];
} block;

/* cJSON's hooks have no argument of ours: what they work on is global. */
static struct {
    block *blocks; /* that which pieces are taken from first */
    size_t used;   /* of it */
    size_t pieces; /* not given back */
} pool;

static bool add_block(size_t least)
{
    size_t size = pool.blocks == NULL ? FIRST : 2 * pool.blocks->size;
    if (size > LARGEST)
        size = LARGEST;
    if (size < least)
        size = least;
    block *b = calloc(1, sizeof *b + size);
    if (b == NULL)
        return false;
    b->next = pool.blocks;
    b->size = size;
    CLOSE(b->bytes, size);
    pool.blocks = b;
    pool.used = 0;
    return true;
}

static void *take(size_t size)
{
    if (size > PTRDIFF_MAX / 4)
        return NULL;
    size_t room = (size + GAP + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if ((pool.blocks == NULL || pool.blocks->size - pool.used < room) &&
        !add_block(room))
        return NULL;
    void *piece = pool.blocks->bytes + pool.used;
    pool.used += room;
    pool.pieces++;
    OPEN(piece, size);
    return piece;
}

static void free_block(block *b)
{
    OPEN(b->bytes, b->size);
    free(b);
}

/* Keeps the latest block, mostly the largest. */
static void rewind_pool(void)
{
    while (pool.blocks->next != NULL) {
        block *b = pool.blocks->next;
        pool.blocks->next = b->next;
        free_block(b);
    }
    if (pool.blocks->size > LARGEST) {
        free_block(pool.blocks);
        pool.blocks = NULL;
    } else {
        CLOSE(pool.blocks->bytes, pool.used);
    }
    pool.used = 0;
}

static void give_back(void *piece)
{
    if (piece != NULL && --pool.pieces == 0)
        rewind_pool();
}

void cli_pool_use(void)
{
    cJSON_Hooks hooks = {.malloc_fn = take, .free_fn = give_back};
    cJSON_InitHooks(&hooks);
}
