/*
 * The machine while it runs. There are never more events ahead than cores and
 * schedulers: a block ends, or a scheduler is done with what it does. Those of
 * one tick happen in this order, which is one of spec 07 and the same always:
 * blocks end (tasks write), by core; schedulers finish (tasks begin and read,
 * are retired), by number; then what became ready is queued, and the schedulers
 * that are free take turns in beginning something, until none does.
 */
#ifndef REPLAY_MACHINE_WORK_H
#define REPLAY_MACHINE_WORK_H

#include "machine_queue.h"
#include "memory.h"
#include "replay/machine.h"

#define REPLAY_LANES 3 /* cores of a cluster: AIC, AIV, AIV */

/* What waits for what: AIC, AIV, MIX as in replay_core, then what needs no
   core. */
enum { REPLAY_INLINE = REPLAY_DUMMY };

/* The clusters of one scheduler, as bits: c is bit c / schedulers. */
typedef struct replay_idle {
    uint64_t *shape[REPLAY_INLINE]; /* has such a core idle; is idle whole */
} replay_idle;

typedef enum replay_act {
    REPLAY_ACT_NONE,
    REPLAY_ACT_DISPATCH, /* one block, or all of a sync_start task */
    REPLAY_ACT_INLINE,   /* a task that takes no core */
    REPLAY_ACT_RETIRE
} replay_act;

typedef struct replay_scheduler {
    replay_act act;
    uint32_t task;
    uint32_t first_block, blocks; /* of a dispatch: on cores[] */
    uint32_t *cores;
    uint32_t done_head, done_tail; /* tasks to be retired, a list in next[] */
    replay_idle idle;
} replay_scheduler;

typedef struct replay_block {
    uint32_t task, block;
} replay_block;

typedef struct replay_work {
    const replay_program *program;
    const replay_machine *machine;
    replay_memory *memory; /* NULL: without bytes */
    replay_timeline *line; /* its arrays are filled; those that are NULL not */

    uint64_t now;
    replay_heap heap; /* ids: a core, or cores + a scheduler */
    replay_ready ready;
    replay_scheduler schedulers[REPLAY_MOST_SCHEDULERS];
    uint32_t cores;
    replay_block *on;                   /* by core: what it runs */
    uint8_t *idle;                      /* by cluster: bit 0 AIC, 1 and 2 AIV */
    uint32_t idle_cores[REPLAY_INLINE]; /* by shape; MIX: whole clusters */
    uint32_t next_block[REPLAY_INLINE]; /* of the first in the queue */

    uint64_t *ticks;   /* by task: of a block */
    uint8_t *shapes;   /* by task: its queue */
    uint32_t *waiting; /* by task: predecessors that are not retired */
    uint32_t *left;    /* by task: blocks that have not ended */
    uint32_t *next;    /* by task: behind it in a list */
    uint32_t *queued;  /* what the queues share */
    uint32_t *rank, *by_rank;
    uint64_t *skipped; /* bits by after[]; NULL: none */
    void *base;        /* the block that has all of these but skipped */
    uint32_t ended, retired;
} replay_work;

/* Runs until nothing happens any more; work->retired tells whether that was
   all. Nothing is allocated. */
void replay_work_run(replay_work *work);

/* --- model.c --- */

/* By task: what a block takes, at least 1 tick. */
void replay_model_ticks(uint64_t *ticks, const replay_program *program,
                        const replay_machine *machine);

/* By task: its queue. Of a predicate that is false it is REPLAY_INLINE. */
void replay_model_shapes(uint8_t *shapes, const replay_program *program,
                         const replay_variant *variant);

/* A permutation by seed, both ways. */
void replay_model_ranks(uint32_t *rank, uint32_t *by_rank, uint32_t count,
                        uint64_t seed);

/* Bits of the entries of after[] that are skipped; NULL: none. The caller
   frees *bits. False: no memory. O((skipped + edges) log skipped). */
bool replay_model_skip(uint64_t **bits, const replay_program *program,
                       const replay_machine *machine);

/* --- alone.c --- */

/* What a task takes on the idle machine, from ready to retired. O(blocks). */
uint64_t replay_alone(const replay_work *work, uint32_t task);

/* --- metrics.c --- */

/* Cores of a shape: at most so many of its blocks run together. */
uint32_t replay_capacity(const replay_machine *machine, uint8_t shape);

/* Fills busy, sequential, critical and its path, digest. False: no memory. */
bool replay_measure(const replay_work *work);

static inline bool replay_bit(const uint64_t *bits, uint32_t i)
{
    return bits != NULL && (bits[i / 64] >> (i % 64) & 1) != 0;
}

#endif
