#include "machine_queue.h"

#include <string.h>

/* ---- Events ---- */

static bool is_before(replay_event a, replay_event b)
{
    return a.at != b.at ? a.at < b.at : a.id < b.id;
}

void replay_heap_push(replay_heap *heap, uint64_t at, uint32_t id)
{
    replay_event event = {at, id};
    uint32_t i = heap->count++;
    while (i > 0 && is_before(event, heap->events[(i - 1) / 2])) {
        heap->events[i] = heap->events[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap->events[i] = event;
}

replay_event replay_heap_pop(replay_heap *heap)
{
    replay_event first = heap->events[0], last = heap->events[--heap->count];
    uint32_t i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= heap->count) {
            break;
        }
        if (child + 1 < heap->count &&
            is_before(heap->events[child + 1], heap->events[child])) {
            child++;
        }
        if (!is_before(heap->events[child], last)) {
            break;
        }
        heap->events[i] = heap->events[child];
        i = child;
    }
    heap->events[i] = last;
    return first;
}

/* ---- What became ready ---- */

static bool is_sorted(const uint32_t *list, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        if (list[i - 1] > list[i]) {
            return false;
        }
    }
    return true;
}

static void sort_few(uint32_t *list, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t value = list[i], k = i;
        for (; k > 0 && list[k - 1] > value; k--) {
            list[k] = list[k - 1];
        }
        list[k] = value;
    }
}

/* By one byte; false: it is the same in all, so nothing is to be done. */
static bool sort_byte(uint32_t *to, const uint32_t *from, uint32_t count,
                      int shift)
{
    uint32_t at[256] = {0}, sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        at[from[i] >> shift & 255]++;
    }
    if (at[from[0] >> shift & 255] == count) {
        return false;
    }
    for (int byte = 0; byte < 256; byte++) {
        uint32_t here = at[byte];
        at[byte] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < count; i++) {
        to[at[from[i] >> shift & 255]++] = from[i];
    }
    return true;
}

static void sort_batch(replay_ready *ready)
{
    if (is_sorted(ready->batch, ready->count)) {
        return;
    }
    if (ready->count <= 64) {
        sort_few(ready->batch, ready->count);
        return;
    }
    for (int shift = 0; shift < 32; shift += 8) {
        if (!sort_byte(ready->room, ready->batch, ready->count, shift)) {
            continue;
        }
        uint32_t *sorted = ready->room;
        ready->room = ready->batch;
        ready->batch = sorted;
    }
}

void replay_ready_flush(replay_ready *ready)
{
    sort_batch(ready);
    for (uint32_t i = 0; i < ready->count; i++) {
        uint32_t rank = ready->batch[i];
        uint32_t task = ready->by_rank == NULL ? rank : ready->by_rank[rank];
        replay_queue *queue = &ready->queues[ready->shape[task]];
        queue->tasks[queue->tail++] = task;
    }
    ready->count = 0;
}
