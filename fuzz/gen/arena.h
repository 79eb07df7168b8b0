/*
 * Memory of a case while it is made: taken piece by piece, given back all at
 * once, and kept for the next case, so that a batch asks the system for none.
 */
#ifndef FUZZ_ARENA_H
#define FUZZ_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fuzz_arena fuzz_arena;

/* NULL: out of memory. */
fuzz_arena *fuzz_arena_new(void);
void fuzz_arena_free(fuzz_arena *arena);

/* Takes all pieces back. */
void fuzz_arena_clear(fuzz_arena *arena);

/* `count` items of `size`, zeroed, aligned for anything; NULL: no memory. */
void *fuzz_arena_get(fuzz_arena *arena, size_t count, size_t size);

/*
 * Room for one more item behind `count`: the list itself, or a larger copy of
 * it where `*capacity` is used up; NULL: no memory, and the list is as it was.
 */
void *fuzz_arena_grow(fuzz_arena *arena, void *items, size_t count,
                      uint32_t *capacity, size_t size);

/* Some piece was refused since the arena was cleared. */
bool fuzz_arena_failed(const fuzz_arena *arena);

#endif
