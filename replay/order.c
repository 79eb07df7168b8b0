#include "order_work.h"

#include "fault.h"
#include "hash.h"

#include <stdlib.h>
#include <string.h>

/* Marks what leads to the task, or what it leads to; itself too. */
static void mark(const replay_program *p, uint32_t task, bool back,
                 uint32_t *marked, uint32_t *stack)
{
    uint32_t count = 1;
    memset(marked, 0, (size_t)p->task_count * sizeof *marked);
    stack[0] = task;
    marked[task] = 1;
    while (count > 0) {
        const replay_task *t = &p->tasks[stack[--count]];
        const uint32_t *list =
            back ? p->before + t->first_before : p->after + t->first_after;
        uint32_t length = back ? t->befores : t->afters;
        for (uint32_t i = 0; i < length; i++) {
            if (marked[list[i]] == 0) {
                marked[list[i]] = 1;
                stack[count++] = list[i];
            }
        }
    }
}

void replay_order_make(uint32_t *order, const replay_program *p,
                       replay_schedule schedule, uint32_t task,
                       uint32_t *scratch)
{
    uint32_t *marked = scratch, count = 0;
    bool eager = schedule == REPLAY_EAGER;
    if (schedule == REPLAY_PROGRAM || schedule == REPLAY_LEGAL) {
        for (uint32_t i = 0; i < p->task_count; i++) {
            order[i] = schedule == REPLAY_PROGRAM ? i : p->legal[i];
        }
        return;
    }
    mark(p, task, eager, marked, scratch + p->task_count);
    for (uint32_t i = 0; i < p->task_count; i++) {
        uint32_t t = p->legal[i];
        if (t != task && (marked[t] == 1) == eager) {
            order[count++] = t;
        }
    }
    order[count++] = task;
    for (uint32_t i = 0; i < p->task_count; i++) {
        uint32_t t = p->legal[i];
        if (t != task && (marked[t] == 1) != eager) {
            order[count++] = t;
        }
    }
}

replay_status replay_order(uint32_t *order, const replay_program *program,
                           replay_schedule schedule, uint32_t task,
                           replay_error *error)
{
    bool directed = schedule == REPLAY_EAGER || schedule == REPLAY_LAZY;
    *error = (replay_error){.task = -1};
    if (directed && task >= program->task_count) {
        return replay_fail(error, REPLAY_RANGE, -1,
                           "there is no task of index %u", task);
    }
    uint32_t *scratch =
        malloc(((size_t)program->task_count * 2 + 1) * sizeof *scratch);
    if (scratch == NULL) {
        return replay_fail_memory(error);
    }
    replay_order_make(order, program, schedule, task, scratch);
    free(scratch);
    return REPLAY_OK;
}

replay_status replay_order_random(uint32_t *order,
                                  const replay_program *program, uint64_t seed,
                                  replay_error *error)
{
    const replay_program *p = program;
    size_t n = p->task_count;
    uint32_t *waiting = malloc((2 * n + 1) * sizeof *waiting);
    *error = (replay_error){.task = -1};
    if (waiting == NULL) {
        return replay_fail_memory(error);
    }
    uint32_t *ready = waiting + n, count = 0;
    for (uint32_t t = 0; t < n; t++) {
        waiting[t] = p->tasks[t].befores;
        if (waiting[t] == 0) {
            ready[count++] = t;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = (uint32_t)(replay_random(seed, i) % count);
        uint32_t t = ready[at];
        order[i] = t;
        ready[at] = ready[--count];
        for (uint32_t k = 0; k < p->tasks[t].afters; k++) {
            uint32_t next = p->after[p->tasks[t].first_after + k];
            if (--waiting[next] == 0) {
                ready[count++] = next;
            }
        }
    }
    free(waiting);
    return REPLAY_OK;
}

/* Whether each task comes once; at[task] is then where. */
static replay_status find_places(const replay_program *p, const uint32_t *order,
                                 uint32_t count, uint32_t *at,
                                 replay_error *error)
{
    if (count != p->task_count) {
        return replay_fail(error, REPLAY_ILLEGAL, -1,
                           "the order has %u tasks, the program %u", count,
                           p->task_count);
    }
    for (uint32_t t = 0; t < count; t++) {
        at[t] = REPLAY_NONE;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (order[i] >= count) {
            return replay_fail(error, REPLAY_ILLEGAL, -1,
                               "the order names a task of index %u", order[i]);
        }
        if (at[order[i]] != REPLAY_NONE) {
            int64_t id = p->tasks[order[i]].id;
            return replay_fail(error, REPLAY_ILLEGAL, id,
                               "the order has task %lld twice", (long long)id);
        }
        at[order[i]] = i;
    }
    return REPLAY_OK;
}

static replay_status check_edges(const replay_program *p, const uint32_t *at,
                                 replay_error *error)
{
    for (uint32_t t = 0; t < p->task_count; t++) {
        for (uint32_t i = 0; i < p->tasks[t].befores; i++) {
            uint32_t from = p->before[p->tasks[t].first_before + i];
            if (at[from] > at[t]) {
                return replay_fail(error, REPLAY_ILLEGAL, p->tasks[t].id,
                                   "the order runs task %lld before task "
                                   "%lld, which it waits for",
                                   (long long)p->tasks[t].id,
                                   (long long)p->tasks[from].id);
            }
        }
    }
    return REPLAY_OK;
}

replay_status replay_order_check(const replay_program *program,
                                 const uint32_t *order, uint32_t count,
                                 replay_error *error)
{
    uint32_t *at = malloc(((size_t)program->task_count + 1) * sizeof *at);
    *error = (replay_error){.task = -1};
    if (at == NULL) {
        return replay_fail_memory(error);
    }
    replay_status status = find_places(program, order, count, at, error);
    status = status == REPLAY_OK ? check_edges(program, at, error) : status;
    free(at);
    return status;
}
