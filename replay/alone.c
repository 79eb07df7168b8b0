/*
 * How long a task takes alone on the machine: from when it is ready until it is
 * retired. As in machine_events.c each scheduler begins to dispatch the next
 * block as soon as it is free and has an idle core.
 */
#include "machine_work.h"

/* The cores of one scheduler: of the clusters c with c mod schedulers = k. */
static uint64_t cores_of(const replay_machine *machine, uint8_t shape,
                         uint32_t k)
{
    uint64_t clusters = machine->clusters / machine->schedulers +
                        (k < machine->clusters % machine->schedulers);
    return shape == REPLAY_AIV ? 2 * clusters : clusters;
}

/*
 * When a scheduler of so many cores begins to dispatch its n-th block, from 0.
 * All blocks take equally long, so they end in the order in which they began.
 * Either the scheduler never waits for a core, or all of its cores begin again
 * as they end, one dispatch after the other.
 */
static uint64_t dispatches(uint64_t n, uint64_t cores, uint64_t dispatch,
                           uint64_t ticks)
{
    if ((cores - 1) * dispatch >= ticks) {
        return n * dispatch;
    }
    return n % cores * dispatch + n / cores * (ticks + dispatch);
}

/* When the last block begins to be dispatched: each goes to the scheduler that
   is the first to take it. */
static uint64_t last_dispatch(const replay_machine *machine, uint8_t shape,
                              uint64_t blocks, uint64_t ticks)
{
    uint64_t next[REPLAY_MOST_SCHEDULERS] = {0}, cores[REPLAY_MOST_SCHEDULERS];
    uint64_t taken[REPLAY_MOST_SCHEDULERS] = {0}, at = 0;
    for (uint32_t k = 0; k < machine->schedulers; k++) {
        cores[k] = cores_of(machine, shape, k);
        next[k] = cores[k] == 0 ? UINT64_MAX : 0;
    }
    for (; blocks > 0; blocks--) {
        uint32_t first = 0;
        for (uint32_t k = 1; k < machine->schedulers; k++) {
            first = next[k] < next[first] ? k : first;
        }
        at = next[first];
        next[first] =
            dispatches(++taken[first], cores[first], machine->dispatch, ticks);
    }
    return at;
}

uint64_t replay_alone(const replay_work *work, uint32_t task)
{
    const replay_machine *machine = work->machine;
    const replay_task *of = &work->program->tasks[task];
    uint64_t blocks = (uint64_t)of->blocks, ticks = work->ticks[task];
    uint8_t shape = work->shapes[task];
    if (shape == REPLAY_INLINE) {
        return machine->retire;
    }
    if (of->sync_start) {
        return blocks * machine->dispatch + ticks + machine->retire;
    }
    uint64_t last =
        blocks == 1 ? 0 : last_dispatch(machine, shape, blocks, ticks);
    return last + machine->dispatch + ticks + machine->retire;
}
