/*
 * Memory plans (spec 06, Memory plans): which address each storage has, and
 * the rules that need no order. What shares addresses is judged in reuse.h.
 */
#ifndef ORACLE_MEMORY_H
#define ORACLE_MEMORY_H

#include "arena.h"
#include "oracle/document.h"

#include <stdbool.h>

/* By the root buffer of each storage. */
typedef struct oracle_memory {
    bool *named; /* some place is for it, right or not */
    bool *placed;
    int64_t *base;        /* address of its byte 0 */
    int64_t *end;         /* behind its last byte; base: size not known */
    uint32_t *allocation; /* the first that places it, or a view of it */
    bool *used;           /* some task may touch it */
    int64_t peak;         /* the end of the last place; -1: past 64 bits */
} oracle_memory;

/* The addresses by the first allocation of each storage. False: no memory. */
bool oracle_memory_place(oracle_memory *memory, const oracle_document *document,
                         oracle_arena *arena);

/*
 * Whether some task writes a storage that lies on the addresses of another one
 * that it reads. O(arguments), times 64 at most of one task; a task with more
 * is taken to.
 */
bool oracle_memory_overwrites(const oracle_memory *memory,
                              const oracle_document *document);

#endif
