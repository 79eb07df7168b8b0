/* The inside of a memory, for what runs programs and compares them. */
#ifndef REPLAY_MEMORY_WORK_H
#define REPLAY_MEMORY_WORK_H

#include "fault.h"
#include "hash.h"
#include "memory.h"

/* What a cell holds: whose it is, and what. */
typedef struct replay_value {
    uint64_t who, what;
} replay_value;

/* Instead of an access. */
#define REPLAY_NOTHING UINT32_MAX
#define REPLAY_START (UINT32_MAX - 1)

/* A write of a cell, and what can be seen if it does not happen or only adds:
   a list that ends with a write that surely happens, a start, or nothing. */
typedef struct replay_node {
    uint64_t who;
    uint32_t access, cell;
    uint32_t below; /* node; 0: nothing */
    /* An accumulation on nothing; and the one that starts the value, below
       which lies what is seen if none of them happens. */
    bool fresh, first;
} replay_node;

/* A cell that was read. */
typedef struct replay_seen {
    uint32_t reader, access; /* REPLAY_NOTHING: the caller's */
    uint32_t cell, node;
} replay_seen;

/*
 * What a run kept besides the hashes: the lists of all cells, and what some
 * readers saw. Node 0 is nothing.
 */
typedef struct replay_log {
    const bool *asked; /* by reader */
    replay_node *nodes;
    uint32_t *top; /* by place */
    uint32_t node_count, node_room;
    replay_seen *seen;
    uint32_t seen_count, seen_room;
    bool failed; /* no memory */
} replay_log;

/* Readers: the tasks, the host accesses, the buffers as the caller reads them.
 */
static inline uint32_t replay_readers(const replay_program *p)
{
    return p->task_count + p->host_count + p->buffer_count;
}

struct replay_memory {
    const replay_program *p;
    replay_variant v;
    bool planned; /* cells lie at their places */
    /* It is compared by address: what is fresh stands on nothing. */
    bool masked;
    replay_value *cells;
    replay_value nothing;
    /* By place, the storage whose accumulation was last to act, else
       REPLAY_NONE; NULL where none starts on nothing. */
    uint32_t *adder;
    uint64_t *order; /* of the accesses of a task, when blocks go one by one */
    replay_result result;
    replay_log *log; /* NULL: without */
};

/* As replay_memory_start; `masked`: it is compared with a run by address. A
 * log is borrowed. */
replay_status replay_memory_create(replay_memory **memory,
                                   const replay_program *program,
                                   const replay_variant *variant, bool masked,
                                   replay_log *log, replay_error *error);

/* As it was at its start, for another run. O(cells). */
void replay_memory_reset(replay_memory *memory);

/* A host access acts: where it stands in program order. */
void replay_memory_host(replay_memory *memory, uint32_t host);

/* The caller reads; the result stays with the memory. */
void replay_memory_end(replay_memory *memory);

/* Runs all tasks in the order, from the start to the end. */
void replay_memory_run(replay_memory *memory, const uint32_t *order);

/* Whether a run of the variant is compared by address. */
static inline bool replay_by_address(const replay_program *p,
                                     const replay_variant *v)
{
    return p->planned && !v->own_places;
}

/* --- memory_cells.c --- */

/* An access of a reader reads: bytes, whose, or both. */
enum { REPLAY_WHAT = 1, REPLAY_WHO = 2 };
void replay_cells_read(replay_memory *m, uint32_t reader, uint32_t access,
                       int parts);
/* An access writes what follows from `value`. */
void replay_cells_write(replay_memory *m, uint32_t access, uint64_t value);
/* The caller reads a buffer. */
void replay_cells_end(replay_memory *m, uint32_t buffer);
/* What is there at the start. */
void replay_cells_start(replay_memory *m);

void replay_log_free(replay_log *log);

#endif
