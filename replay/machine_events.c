/* What happens at each tick; machine_work.h says in which order. */
#include <stdlib.h>

#include "fault.h"
#include "machine_work.h"

#define EXPECTED 4 /* accesses of a task that are looked at before */

/* ---- Cores ---- */

static void put_bit(uint64_t *bits, uint32_t i, bool value)
{
    uint64_t bit = UINT64_C(1) << (i % 64);
    bits[i / 64] = value ? bits[i / 64] | bit : bits[i / 64] & ~bit;
}

static uint32_t vectors_of(uint8_t idle)
{
    return (uint32_t)((idle >> 1 & 1) + (idle >> 2 & 1));
}

static void set_idle(replay_work *work, uint32_t cluster, uint8_t idle)
{
    uint32_t schedulers = work->machine->schedulers;
    replay_idle *of = &work->schedulers[cluster % schedulers].idle;
    uint32_t bit = cluster / schedulers, *count = work->idle_cores;
    uint8_t before = work->idle[cluster];
    count[REPLAY_AIC] += (idle & 1u) - (before & 1u);
    count[REPLAY_AIV] += vectors_of(idle) - vectors_of(before);
    count[REPLAY_MIX] += (uint32_t)(idle == 7) - (uint32_t)(before == 7);
    put_bit(of->shape[REPLAY_AIC], bit, (idle & 1) != 0);
    put_bit(of->shape[REPLAY_AIV], bit, (idle & 6) != 0);
    put_bit(of->shape[REPLAY_MIX], bit, idle == 7);
    work->idle[cluster] = idle;
}

/* The cores that a block of the shape takes in a cluster, and the first of
   them: of two idle vector cores the lower. */
static uint8_t cores_of(uint8_t shape, uint8_t idle, uint32_t *lane)
{
    static const uint8_t taken[] = {1, 0, 7};
    *lane = 0;
    if (shape != REPLAY_AIV) {
        return taken[shape];
    }
    *lane = (idle & 2) != 0 ? 1 : 2;
    return (uint8_t)(1u << *lane);
}

/* Takes what one block needs in a cluster that has it. */
static uint32_t take_core(replay_work *work, uint32_t cluster, uint8_t shape)
{
    uint32_t lane;
    uint8_t idle = work->idle[cluster];
    uint8_t taken = cores_of(shape, idle, &lane);
    set_idle(work, cluster, (uint8_t)(idle & ~taken));
    return cluster * REPLAY_LANES + lane;
}

static void free_core(replay_work *work, uint32_t core, uint8_t shape)
{
    uint32_t cluster = core / REPLAY_LANES;
    uint32_t freed = shape == REPLAY_MIX ? 7 : 1u << (core % REPLAY_LANES);
    set_idle(work, cluster, (uint8_t)(work->idle[cluster] | freed));
}

/* The least cluster of scheduler `k` that takes a block; false: none. */
static bool find_cluster(const replay_work *work, uint32_t k, uint8_t shape,
                         uint32_t *cluster)
{
    uint32_t clusters = work->machine->clusters;
    uint32_t schedulers = work->machine->schedulers;
    const uint64_t *bits = work->schedulers[k].idle.shape[shape];
    for (uint32_t at = 0; at * 64 * schedulers < clusters; at++) {
        if (bits[at] != 0) {
            uint32_t bit = at * 64 + (uint32_t)__builtin_ctzll(bits[at]);
            *cluster = bit * schedulers + k;
            return true;
        }
    }
    return false;
}

/* ---- What ends ---- */

/* The last of a task: it is an end in the order of the run. */
static void end_task(replay_work *work, uint32_t task)
{
    if (work->memory != NULL) {
        replay_memory_write(work->memory, task);
    }
    if (work->line->end != NULL) {
        work->line->end[task] = work->now;
        work->line->order[work->ended] = task;
    }
    work->ended++;
}

static void end_block(replay_work *work, uint32_t core)
{
    uint32_t task = work->on[core].task;
    uint32_t cluster = core / REPLAY_LANES;
    free_core(work, core, work->ready.shape[task]);
    if (--work->left[task] > 0) {
        return;
    }
    end_task(work, task);
    replay_scheduler *to =
        &work->schedulers[cluster % work->machine->schedulers];
    if (to->done_head == REPLAY_NONE) {
        to->done_head = task;
    } else {
        work->next[to->done_tail] = task;
    }
    to->done_tail = task;
    work->next[task] = REPLAY_NONE;
}

static void make_ready(replay_work *work, uint32_t task)
{
    replay_ready_add(&work->ready, task);
    if (work->line->ready != NULL) {
        work->line->ready[task] = work->now;
    }
}

static void retire(replay_work *work, uint32_t task)
{
    const replay_program *program = work->program;
    uint32_t first = program->tasks[task].first_after;
    uint32_t count = program->tasks[task].afters;
    for (uint32_t i = first; i < first + count; i++) {
        uint32_t after = program->after[i];
        if (!replay_bit(work->skipped, i) && --work->waiting[after] == 0) {
            make_ready(work, after);
        }
    }
    work->retired++;
}

/* ---- What begins ---- */

static void begin_task(replay_work *work, uint32_t task)
{
    if (work->memory != NULL) {
        replay_memory_read(work->memory, task);
    }
    if (work->line->begin != NULL) {
        work->line->begin[task] = work->now;
    }
}

static void begin_block(replay_work *work, uint32_t task, uint32_t block,
                        uint32_t core)
{
    replay_timeline *line = work->line;
    uint64_t end = work->now + work->ticks[task];
    if (block == 0) {
        begin_task(work, task);
    }
    if (line->slots != NULL) {
        line->slots[line->slot_count++] =
            (replay_slot){task, block, core, work->now, end};
    }
    work->on[core] = (replay_block){task, block};
    replay_heap_push(&work->heap, end, core);
}

/* What the scheduler was at is done. */
static void finish(replay_work *work, uint32_t k)
{
    replay_scheduler *s = &work->schedulers[k];
    replay_act act = s->act;
    s->act = REPLAY_ACT_NONE;
    if (act == REPLAY_ACT_DISPATCH) {
        for (uint32_t i = 0; i < s->blocks; i++) {
            begin_block(work, s->task, s->first_block + i, s->cores[i]);
        }
        return;
    }
    if (act == REPLAY_ACT_INLINE) {
        end_task(work, s->task);
    }
    retire(work, s->task);
}

static void start(replay_work *work, uint32_t k, replay_act act, uint64_t takes)
{
    work->schedulers[k].act = act;
    if (takes > 0) {
        uint32_t id = work->cores + k;
        replay_heap_push(&work->heap, work->now + takes, id);
    } else {
        finish(work, k);
    }
}

/* All blocks of a sync_start task, when that many cores are idle. */
static bool take_all(replay_work *work, replay_scheduler *s, uint8_t shape)
{
    const replay_task *task = &work->program->tasks[s->task];
    if (work->idle_cores[shape] < task->blocks) {
        return false;
    }
    s->blocks = s->first_block = 0;
    for (uint32_t c = 0; s->blocks < task->blocks; c++) {
        uint32_t lane;
        while (s->blocks < task->blocks &&
               (cores_of(shape, work->idle[c], &lane) & ~work->idle[c]) == 0) {
            s->cores[s->blocks++] = take_core(work, c, shape);
        }
    }
    return true;
}

/* What a task accesses, and then where. */
static void expect_accesses(const replay_program *p, uint32_t task)
{
    const replay_task *t = &p->tasks[task];
    __builtin_prefetch(&p->accesses[t->first_access]);
    if (t->accesses > 2) {
        __builtin_prefetch(&p->accesses[t->first_access + 2]);
    }
}

static void expect_runs(const replay_program *p, uint32_t task)
{
    const replay_task *t = &p->tasks[task];
    uint32_t count = t->accesses < EXPECTED ? t->accesses : EXPECTED;
    for (uint32_t i = t->first_access; i < t->first_access + count; i++) {
        __builtin_prefetch(&p->runs[p->accesses[i].first]);
    }
}

/*
 * Tasks come from the queue in any order, so what is known of them is asked for
 * some tasks before: where a million are ready at once, waiting for it is half
 * of the time.
 */
static void look_ahead(const replay_work *work, const replay_queue *queue)
{
    enum { TASKS = 16, ACCESSES = 12, RUNS = 8, CELLS = 4 };
    const replay_program *p = work->program;
    const uint32_t *next = &queue->tasks[queue->head];
    if (work->memory == NULL || queue->tail - queue->head <= TASKS) {
        return;
    }
    __builtin_prefetch(&p->tasks[next[TASKS]]);
    __builtin_prefetch(&work->ticks[next[TASKS]]);
    __builtin_prefetch(&work->left[next[TASKS]]);
    expect_accesses(p, next[ACCESSES]);
    __builtin_prefetch(&work->line->begin[next[ACCESSES]]);
    __builtin_prefetch(&work->line->end[next[ACCESSES]]);
    expect_runs(p, next[RUNS]);
    replay_memory_expect(work->memory, next[CELLS]);
}

/* One block of the first task of the queue, or all of it. */
static bool dispatch(replay_work *work, uint32_t k, uint8_t shape)
{
    replay_queue *queue = &work->ready.queues[shape];
    replay_scheduler *s = &work->schedulers[k];
    uint32_t cluster;
    if (replay_queue_is_empty(queue)) {
        return false;
    }
    s->task = queue->tasks[queue->head];
    const replay_task *task = &work->program->tasks[s->task];
    if (task->sync_start) {
        if (!take_all(work, s, shape)) {
            return false;
        }
    } else {
        if (!find_cluster(work, k, shape, &cluster)) {
            return false;
        }
        s->first_block = work->next_block[shape];
        s->cores[0] = take_core(work, cluster, shape);
        s->blocks = 1;
    }
    work->next_block[shape] = s->first_block + s->blocks;
    if (work->next_block[shape] == task->blocks) {
        work->next_block[shape] = 0;
        queue->head++;
        look_ahead(work, queue);
    }
    start(work, k, REPLAY_ACT_DISPATCH, s->blocks * work->machine->dispatch);
    return true;
}

/* A free scheduler begins what is first: to retire what has ended on its
   clusters, what takes no core, then blocks, those that need most first. */
static bool act(replay_work *work, uint32_t k)
{
    static const uint8_t shapes[] = {REPLAY_MIX, REPLAY_AIC, REPLAY_AIV};
    replay_scheduler *s = &work->schedulers[k];
    replay_queue *none = &work->ready.queues[REPLAY_INLINE];
    if (s->done_head != REPLAY_NONE) {
        s->task = s->done_head;
        s->done_head = work->next[s->task];
        start(work, k, REPLAY_ACT_RETIRE, work->machine->retire);
        return true;
    }
    if (!replay_queue_is_empty(none)) {
        s->task = none->tasks[none->head++];
        begin_task(work, s->task);
        start(work, k, REPLAY_ACT_INLINE, work->machine->retire);
        return true;
    }
    for (size_t i = 0; i < sizeof shapes; i++) {
        if (dispatch(work, k, shapes[i])) {
            return true;
        }
    }
    return false;
}

static void take_turns(replay_work *work)
{
    bool some = true;
    while (some) {
        some = false;
        replay_ready_flush(&work->ready);
        for (uint32_t k = 0; k < work->machine->schedulers; k++) {
            if (work->schedulers[k].act == REPLAY_ACT_NONE && act(work, k)) {
                some = true;
            }
        }
    }
}

/* ---- The run ---- */

static int by_core(const void *a, const void *b)
{
    uint32_t x = ((const replay_slot *)a)->core;
    uint32_t y = ((const replay_slot *)b)->core;
    return (x > y) - (x < y);
}

/* Those that began in this tick; a core begins one block in a tick at most. */
static void sort_slots(replay_slot *slots, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        if (slots[i - 1].core > slots[i].core) {
            qsort(slots, count, sizeof *slots, by_core);
            return;
        }
    }
}

static void run_tick(replay_work *work)
{
    replay_timeline *line = work->line;
    uint32_t first = line->slot_count;
    while (work->heap.count > 0 && work->heap.events[0].at == work->now) {
        uint32_t id = replay_heap_pop(&work->heap).id;
        if (id < work->cores) {
            end_block(work, id);
        } else {
            finish(work, id - work->cores);
        }
    }
    take_turns(work);
    if (line->slots != NULL) {
        sort_slots(line->slots + first, line->slot_count - first);
    }
}

void replay_work_run(replay_work *work)
{
    for (uint32_t c = 0; c < work->machine->clusters; c++) {
        set_idle(work, c, 7);
    }
    for (uint32_t t = 0; t < work->program->task_count; t++) {
        if (work->waiting[t] == 0) {
            make_ready(work, t);
        }
    }
    run_tick(work);
    while (work->heap.count > 0 && !replay_stopped(work->program)) {
        work->now = work->heap.events[0].at;
        run_tick(work);
    }
}
