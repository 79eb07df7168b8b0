/*
 * Memory of one program, or of what was tried with it: all that is taken from
 * an arena is freed with it, at once.
 */
#ifndef REPLAY_ARENA_H
#define REPLAY_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct replay_arena replay_arena;

/* NULL when there is no memory. */
replay_arena *replay_arena_create(void);
void replay_arena_free(replay_arena *arena); /* NULL does nothing */

/* Zeroed items (a block also of none), aligned for any type; NULL when there
 * is no memory or the product overflows. */
void *replay_arena_array(replay_arena *arena, size_t count, size_t size);

/*
 * A list from malloc (NULL when empty) with room for `more` items at its end;
 * *room is how many it has room for. NULL when there is no memory or they would
 * be more than UINT32_MAX - 1; the list stays as it is then. Amortised constant
 * per item.
 */
void *replay_grow(void *items, uint32_t *room, uint32_t count, uint64_t more,
                  size_t size);

#endif
