/* What the machine is told of a program: times, skipped edges, what runs. */
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "machine_work.h"

static uint64_t at_most(uint64_t ticks)
{
    return ticks < REPLAY_MOST_TICKS ? ticks : REPLAY_MOST_TICKS;
}

/* Rounded up, without overflow. */
static uint64_t share(uint64_t amount, uint64_t parts)
{
    return amount / parts + (amount % parts != 0);
}

/* What is drawn, so that one seed serves all. */
enum { STREAM_TICKS, STREAM_RANKS };

/* A number that follows from its three arguments alone. */
static uint64_t draw(uint64_t seed, uint64_t stream, uint64_t index)
{
    uint64_t x = seed + UINT64_C(0x9e3779b97f4a7c15) * (stream + 1);
    for (int turn = 0; turn < 2; turn++) {
        x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
        x ^= x >> 31;
        x += turn == 0 ? UINT64_C(0x9e3779b97f4a7c15) * (index + 1) : 0;
    }
    return x;
}

static uint64_t ticks_of(const replay_program *program,
                         const replay_machine *machine, uint32_t task)
{
    const replay_task *t = &program->tasks[task];
    uint64_t bytes = share(t->bytes, (uint64_t)t->blocks);
    uint64_t recorded;
    switch (machine->model) {
    case REPLAY_BYTES:
        return at_most(machine->ticks + at_most(share(bytes, machine->rate)));
    case REPLAY_SEEDED:
        return at_most(share(machine->ticks, 2) +
                       draw(machine->seed, STREAM_TICKS, task) %
                           (machine->ticks + 1));
    case REPLAY_RECORD:
        recorded = machine->recorded == NULL ? 0 : machine->recorded[task];
        return at_most(recorded == 0 ? machine->ticks : recorded);
    default:
        return machine->ticks;
    }
}

void replay_model_ticks(uint64_t *ticks, const replay_program *program,
                        const replay_machine *machine)
{
    for (uint32_t t = 0; t < program->task_count; t++) {
        ticks[t] = ticks_of(program, machine, t);
    }
}

replay_status replay_recorded(uint64_t *ticks, const replay_program *program,
                              const oracle_document *record,
                              replay_error *error)
{
    uint32_t found = 0;
    if (record->task_count != program->document->task_count) {
        return replay_fail(error, REPLAY_UNSUPPORTED, -1,
                           "the record has %u tasks and the program %u: give "
                           "the record of a run of this program",
                           (unsigned)record->task_count,
                           (unsigned)program->document->task_count);
    }
    for (uint32_t t = 0; t < program->task_count; t++) {
        uint64_t ns = 0;
        found +=
            oracle_document_task_time(record, program->tasks[t].source, &ns);
        ticks[t] = share(ns, 20);
    }
    if (found == 0 && program->task_count > 0) {
        return replay_fail(error, REPLAY_UNSUPPORTED, -1,
                           "it has a time of no task of the record: give the "
                           "trace of the same run");
    }
    return REPLAY_OK;
}

/* Whether none of a task's accesses happens; its operand is read anyway. */
static bool is_false(const replay_program *program, const replay_task *task,
                     const bool *without)
{
    uint32_t skipped = 0;
    for (uint32_t i = 0; i < task->accesses; i++) {
        uint32_t access = task->first_access + i;
        bool is_operand = program->accesses[access].arg == REPLAY_NONE;
        if (!is_operand && !without[access]) {
            return false;
        }
        skipped += without[access];
    }
    return skipped > 0;
}

void replay_model_shapes(uint8_t *shapes, const replay_program *program,
                         const replay_variant *variant)
{
    const bool *without = variant == NULL ? NULL : variant->without;
    for (uint32_t t = 0; t < program->task_count; t++) {
        const replay_task *task = &program->tasks[t];
        bool is_skipped = without != NULL && task->predicated &&
                          is_false(program, task, without);
        shapes[t] = is_skipped ? REPLAY_INLINE : task->core;
    }
}

/* ---- The order of equals ---- */

void replay_model_ranks(uint32_t *rank, uint32_t *by_rank, uint32_t count,
                        uint64_t seed)
{
    for (uint32_t i = 0; i < count; i++) {
        by_rank[i] = i;
    }
    for (uint32_t i = count; i > 1; i--) {
        uint64_t drawn = draw(seed, STREAM_RANKS, i) % i;
        uint32_t task = by_rank[drawn];
        by_rank[drawn] = by_rank[i - 1];
        by_rank[i - 1] = task;
    }
    for (uint32_t i = 0; i < count; i++) {
        rank[by_rank[i]] = i;
    }
}

/* ---- Skipped edges ---- */

static int by_ends(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    if (x[0] != y[0]) {
        return x[0] < y[0] ? -1 : 1;
    }
    return (x[1] > y[1]) - (x[1] < y[1]);
}

/* The `count` pairs all come from one task. */
static void skip_from(uint64_t *bits, const replay_program *program,
                      const uint32_t (*pairs)[2], uint32_t count)
{
    const replay_task *from = &program->tasks[pairs[0][0]];
    for (uint32_t i = 0; i < from->afters; i++) {
        uint32_t at = from->first_after + i;
        uint32_t pair[2] = {pairs[0][0], program->after[at]};
        if (bsearch(pair, pairs, count, sizeof pair, by_ends) != NULL) {
            bits[at / 64] |= UINT64_C(1) << (at % 64);
        }
    }
}

bool replay_model_skip(uint64_t **bits, const replay_program *program,
                       const replay_machine *machine)
{
    uint32_t count = machine->skipped_count, first = 0;
    *bits = NULL;
    if (count == 0) {
        return true;
    }
    uint32_t(*pairs)[2] = calloc(count, sizeof *pairs);
    *bits = calloc(program->edge_count / 64 + 1, sizeof **bits);
    if (pairs == NULL || *bits == NULL) {
        free(pairs);
        free(*bits);
        return false;
    }
    memcpy(pairs, machine->skipped, count * sizeof *pairs);
    qsort(pairs, count, sizeof *pairs, by_ends);
    while (first < count && pairs[first][0] < program->task_count) {
        uint32_t end = first + 1;
        while (end < count && pairs[end][0] == pairs[first][0]) {
            end++;
        }
        skip_from(*bits, program, (const uint32_t(*)[2])(pairs + first),
                  end - first);
        first = end;
    }
    free(pairs);
    return true;
}
