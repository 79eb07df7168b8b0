/* The queues of the machine: of events, and of tasks that are ready. */
#ifndef REPLAY_MACHINE_QUEUE_H
#define REPLAY_MACHINE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- Events, the earliest first, of one tick the least id --- */

typedef struct replay_event {
    uint64_t at;
    uint32_t id;
} replay_event;

typedef struct replay_heap {
    replay_event *events; /* room for all that is ever ahead */
    uint32_t count;
} replay_heap;

void replay_heap_push(replay_heap *heap, uint64_t at, uint32_t id);
replay_event replay_heap_pop(replay_heap *heap); /* count > 0 */

/* --- Tasks that are ready, by when they became so --- */

#define REPLAY_QUEUES 4

typedef struct replay_queue {
    uint32_t *tasks; /* each task comes once, so nothing is ever overwritten */
    uint32_t head, tail;
} replay_queue;

typedef struct replay_ready {
    replay_queue queues[REPLAY_QUEUES];
    const uint8_t *shape;    /* by task: its queue */
    const uint32_t *rank;    /* by task, its place among equals, and the task */
    const uint32_t *by_rank; /* of a place; both NULL: by index */
    uint32_t *batch, *room;  /* ranks of what became ready in this tick */
    uint32_t count;
} replay_ready;

static inline bool replay_queue_is_empty(const replay_queue *queue)
{
    return queue->head == queue->tail;
}

static inline void replay_ready_add(replay_ready *ready, uint32_t task)
{
    ready->batch[ready->count++] =
        ready->rank == NULL ? task : ready->rank[task];
}

/* Puts the batch into the queues, in the order of its ranks. O(batch). */
void replay_ready_flush(replay_ready *ready);

#endif
