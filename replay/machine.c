#include "replay/machine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "machine_work.h"

const replay_machine replay_machine_default = {
    .clusters = 8,
    .schedulers = 2,
    .model = REPLAY_BYTES,
    .ticks = 50,
    .rate = 1024,
    .dispatch = 10,
    .retire = 5,
};

/* ---- What is refused ---- */

static replay_status check_range(const char *name, uint64_t value,
                                 uint64_t least, uint64_t most,
                                 replay_error *error)
{
    if (value >= least && value <= most) {
        return REPLAY_OK;
    }
    return replay_fail(error, REPLAY_RANGE, -1,
                       "a machine with %" PRIu64 " %s cannot be simulated: "
                       "give %" PRIu64 " to %" PRIu64,
                       value, name, least, most);
}

static replay_status check_machine(const replay_machine *m, replay_error *error)
{
    const struct {
        const char *name;
        uint64_t value, least, most;
    } ranges[] = {
        {"clusters", m->clusters, 1, REPLAY_MOST_CLUSTERS},
        {"schedulers", m->schedulers, 1, REPLAY_MOST_SCHEDULERS},
        {"ticks of a block", m->ticks, 1, REPLAY_MOST_TICKS},
        {"bytes of a tick", m->rate, 1, UINT64_MAX},
        {"ticks of a dispatch", m->dispatch, 0, REPLAY_MOST_OVERHEAD},
        {"ticks of a retirement", m->retire, 0, REPLAY_MOST_OVERHEAD},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (check_range(ranges[i].name, ranges[i].value, ranges[i].least,
                        ranges[i].most, error) != REPLAY_OK) {
            return error->status;
        }
    }
    return REPLAY_OK;
}

static const char *const shape_names[] = {"AIC core", "AIV core", "cluster"};

/* Blocks that have to begin together and cannot; too many blocks. */
static replay_status check_blocks(uint32_t *slots,
                                  const replay_program *program,
                                  const replay_machine *machine,
                                  const uint8_t *shapes, replay_error *error)
{
    uint64_t sum = 0;
    for (uint32_t t = 0; t < program->task_count; t++) {
        const replay_task *task = &program->tasks[t];
        if (shapes[t] == REPLAY_INLINE) {
            continue;
        }
        uint32_t cores = replay_capacity(machine, shapes[t]);
        if (task->sync_start && task->blocks > cores) {
            return replay_fail(
                error, REPLAY_STUCK, task->id,
                "task %" PRId64 " never starts: its %" PRId64 " blocks start "
                "together (sync_start), and the machine has %" PRIu32 " %s%s",
                task->id, task->blocks, cores, shape_names[shapes[t]],
                cores == 1 ? "" : "s");
        }
        sum += (uint64_t)task->blocks;
        if (task->blocks > REPLAY_MOST_BLOCKS || sum > REPLAY_MOST_BLOCKS) {
            return replay_fail(error, REPLAY_RANGE, task->id,
                               "the tasks up to %" PRId64 " have more than %u "
                               "blocks, which is what is simulated at most",
                               task->id, (unsigned)REPLAY_MOST_BLOCKS);
        }
    }
    *slots = (uint32_t)sum;
    return REPLAY_OK;
}

static replay_status tell_stuck(const replay_work *work, replay_error *error)
{
    uint32_t t = 0;
    while (work->waiting[t] == 0) {
        t++;
    }
    int64_t id = work->program->tasks[t].id;
    return replay_fail(error, REPLAY_STUCK, id,
                       "task %" PRId64 " never starts: it is on a cycle of "
                       "edges or behind one",
                       id);
}

/* ---- Memory: laid out once to know the size, once to give it out ---- */

static void *place(char *base, size_t *at, size_t count, size_t size)
{
    size_t here = *at;
    *at += (count * size + 15) / 16 * 16;
    return base == NULL ? NULL : base + here;
}

static size_t lay_schedulers(replay_work *work, char *base, size_t at)
{
    const replay_machine *machine = work->machine;
    size_t words = machine->clusters / 64 + 1;
    for (uint32_t k = 0; k < machine->schedulers; k++) {
        replay_scheduler *s = &work->schedulers[k];
        s->cores = place(base, &at, work->cores, sizeof *s->cores);
        for (uint8_t shape = 0; shape < REPLAY_INLINE; shape++) {
            s->idle.shape[shape] = place(base, &at, words, sizeof(uint64_t));
        }
    }
    return at;
}

static size_t lay_work(replay_work *work, char *base)
{
    size_t n = work->program->task_count, at = 0;
    replay_ready *ready = &work->ready;
    size_t ranks = work->machine->seed == 0 ? 0 : n;
    work->ticks = place(base, &at, n, sizeof *work->ticks);
    work->waiting = place(base, &at, n, sizeof *work->waiting);
    work->left = place(base, &at, n, sizeof *work->left);
    work->next = place(base, &at, n, sizeof *work->next);
    work->queued = place(base, &at, n, sizeof *work->queued);
    work->shapes = place(base, &at, n, sizeof *work->shapes);
    ready->batch = place(base, &at, n, sizeof *ready->batch);
    ready->room = place(base, &at, n, sizeof *ready->room);
    work->rank = place(base, &at, ranks, sizeof *work->rank);
    work->by_rank = place(base, &at, ranks, sizeof *work->by_rank);
    work->on = place(base, &at, work->cores, sizeof *work->on);
    work->idle = place(base, &at, work->machine->clusters, sizeof *work->idle);
    work->heap.events = place(base, &at, work->cores + REPLAY_MOST_SCHEDULERS,
                              sizeof *work->heap.events);
    return lay_schedulers(work, base, at);
}

static size_t lay_line(replay_timeline *line, const replay_work *work,
                       uint32_t slots, char *base)
{
    size_t n = work->program->task_count, at = 0;
    line->slots = place(base, &at, slots, sizeof *line->slots);
    line->ready = place(base, &at, n, sizeof *line->ready);
    line->begin = place(base, &at, n, sizeof *line->begin);
    line->end = place(base, &at, n, sizeof *line->end);
    line->busy = place(base, &at, work->cores, sizeof *line->busy);
    line->order = place(base, &at, n, sizeof *line->order);
    line->critical_path = place(base, &at, n, sizeof *line->critical_path);
    return at;
}

/* The slots are the first of one block. */
static bool make_line(replay_timeline *line, const replay_work *work,
                      uint32_t slots)
{
    char *base = calloc(1, lay_line(line, work, slots, NULL));
    if (base == NULL) {
        return false;
    }
    line->program = work->program;
    line->clusters = work->machine->clusters;
    lay_line(line, work, slots, base);
    return true;
}

/* ---- A run ---- */

static void free_work(replay_work *work)
{
    free(work->skipped);
    free(work->base);
    replay_memory_free(work->memory);
}

static replay_status make_work(replay_work *work, const replay_program *program,
                               const replay_machine *machine,
                               const replay_variant *variant,
                               replay_error *error)
{
    *work = (replay_work){.program = program, .machine = machine};
    if (check_machine(machine, error) != REPLAY_OK) {
        return error->status;
    }
    work->cores = machine->clusters * REPLAY_LANES;
    work->base = calloc(1, lay_work(work, NULL));
    if (work->base == NULL ||
        !replay_model_skip(&work->skipped, program, machine)) {
        free_work(work);
        return replay_fail_memory(error);
    }
    lay_work(work, work->base);
    replay_model_ticks(work->ticks, program, machine);
    replay_model_shapes(work->shapes, program, variant);
    work->ready.shape = work->shapes;
    if (machine->seed != 0) {
        replay_model_ranks(work->rank, work->by_rank, program->task_count,
                           machine->seed);
        work->ready.rank = work->rank;
        work->ready.by_rank = work->by_rank;
    }
    return REPLAY_OK;
}

/* Each task comes into one queue once, so they share one array. */
static void reset_queues(replay_work *work)
{
    uint32_t count[REPLAY_QUEUES] = {0}, at = 0;
    for (uint32_t t = 0; t < work->program->task_count; t++) {
        count[work->shapes[t]]++;
    }
    for (int shape = 0; shape < REPLAY_QUEUES; shape++) {
        work->ready.queues[shape] = (replay_queue){work->queued + at, 0, 0};
        at += count[shape];
    }
}

/* To how it is before anything has happened. */
static void reset(replay_work *work, replay_timeline *line)
{
    const replay_program *program = work->program;
    reset_queues(work);
    for (uint32_t t = 0; t < program->task_count; t++) {
        work->waiting[t] = program->tasks[t].befores;
        work->left[t] = (uint32_t)program->tasks[t].blocks;
    }
    for (uint32_t i = 0; work->skipped != NULL && i < program->edge_count;
         i++) {
        work->waiting[program->after[i]] -= replay_bit(work->skipped, i);
    }
    for (uint32_t k = 0; k < work->machine->schedulers; k++) {
        work->schedulers[k].done_head = REPLAY_NONE;
    }
    work->line = line;
    work->now = 0;
    work->ended = work->retired = 0;
}

static replay_status run(replay_work *work, replay_timeline *line,
                         replay_error *error)
{
    reset(work, line);
    replay_work_run(work);
    if (replay_stopped(work->program)) {
        return replay_fail_stopped(error);
    }
    if (work->retired < work->program->task_count) {
        return tell_stuck(work, error);
    }
    line->makespan = work->now;
    return REPLAY_OK;
}

static replay_status fill(replay_timeline *line, replay_work *work,
                          const replay_variant *variant, replay_error *error)
{
    uint32_t slots;
    if (check_blocks(&slots, work->program, work->machine, work->shapes,
                     error) != REPLAY_OK) {
        return error->status;
    }
    if (!make_line(line, work, slots)) {
        return replay_fail_memory(error);
    }
    if (replay_memory_start(&work->memory, work->program, variant, error) !=
            REPLAY_OK ||
        run(work, line, error) != REPLAY_OK ||
        replay_memory_finish(&line->result, work->memory, error) != REPLAY_OK) {
        return error->status;
    }
    return replay_measure(work) ? REPLAY_OK : replay_fail_memory(error);
}

replay_status replay_machine_run(replay_timeline *timeline,
                                 const replay_program *program,
                                 const replay_machine *machine,
                                 const replay_variant *variant,
                                 replay_error *error)
{
    replay_work work;
    replay_variant own = {0};
    if (variant != NULL) {
        own = *variant;
    }
    own.host_first = true;
    *timeline = (replay_timeline){0};
    if (make_work(&work, program, machine, &own, error) != REPLAY_OK) {
        return error->status;
    }
    replay_status status = fill(timeline, &work, &own, error);
    free_work(&work);
    if (status != REPLAY_OK) {
        replay_timeline_free(timeline);
    }
    return status;
}

void replay_timeline_free(replay_timeline *timeline)
{
    free(timeline->slots);
    replay_result_free(&timeline->result);
    *timeline = (replay_timeline){0};
}

/* ---- What an edge costs ---- */

/* `pairs` is what the machine skips, and room for one more at the end. */
static replay_status cost_edges(int64_t *ticks, replay_work *work,
                                replay_machine *machine, uint32_t (*pairs)[2],
                                const uint32_t (*edges)[2], uint32_t count,
                                replay_error *error)
{
    replay_timeline line = {0};
    uint32_t last = machine->skipped_count, slots;
    if (check_blocks(&slots, work->program, machine, work->shapes, error) !=
            REPLAY_OK ||
        run(work, &line, error) != REPLAY_OK) {
        return error->status;
    }
    uint64_t makespan = line.makespan;
    machine->skipped = (const uint32_t(*)[2])pairs;
    machine->skipped_count = last + 1;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(pairs[last], edges[i], sizeof *pairs);
        free(work->skipped);
        if (!replay_model_skip(&work->skipped, work->program, machine)) {
            return replay_fail_memory(error);
        }
        if (run(work, &line, error) != REPLAY_OK) {
            return error->status;
        }
        ticks[i] = (int64_t)(makespan - line.makespan);
    }
    return REPLAY_OK;
}

replay_status replay_edge_costs(int64_t *ticks, const replay_program *program,
                                const replay_machine *machine,
                                const replay_variant *variant,
                                const uint32_t (*edges)[2], uint32_t count,
                                replay_error *error)
{
    replay_work work;
    replay_machine own = *machine;
    uint32_t(*pairs)[2] = calloc((size_t)own.skipped_count + 1, sizeof *pairs);
    if (pairs == NULL) {
        return replay_fail_memory(error);
    }
    if (own.skipped_count > 0) {
        memcpy(pairs, own.skipped, own.skipped_count * sizeof *pairs);
    }
    replay_status status = make_work(&work, program, &own, variant, error);
    if (status == REPLAY_OK) {
        status = cost_edges(ticks, &work, &own, pairs, edges, count, error);
        free_work(&work);
    }
    free(pairs);
    return status;
}
