/* Shapes whose buffers live in telling ways. */
#include "shapes.h"

static uint32_t pick(fuzz_model *m, uint32_t n)
{
    return (uint32_t)fuzz_below(&m->shape, n);
}

/* Chains side by side, each over buffers of its own, one after another. */
void fuzz_draw_branches(fuzz_model *m, uint32_t tasks)
{
    uint32_t most = tasks < 4 ? 2 : tasks / 2;
    uint32_t steps = (uint32_t)fuzz_log_size(&m->shape, 2, most);
    uint32_t input = fuzz_add_buffer(m, false);
    while (m->task_count + 2 <= tasks && !m->failed) {
        uint32_t last = input, left = tasks - m->task_count;
        for (uint32_t s = 0; s < (steps < left ? steps : left); s++) {
            fuzz_add_task(m);
            fuzz_use(m, last, FUZZ_READS);
            last = fuzz_add_buffer(m, s + 1 < steps && s + 1 < left);
            fuzz_use(m, last, FUZZ_WRITES);
        }
    }
}

/* Each buffer is read by the task after the next. */
void fuzz_draw_ladder(fuzz_model *m, uint32_t tasks)
{
    uint32_t input = fuzz_add_buffer(m, false), first = m->buffer_count;
    for (uint32_t i = 0; i < tasks && !m->failed; i++) {
        fuzz_add_task(m);
        fuzz_use(m, i < 2 ? input : first + i - 2, FUZZ_READS);
        fuzz_use(m, fuzz_add_buffer(m, true), FUZZ_WRITES);
    }
}

/* First written, last read. */
static void nested(fuzz_model *m, uint32_t tasks)
{
    uint32_t half = (tasks + 1) / 2, first = m->buffer_count;
    for (uint32_t i = 0; i < tasks && !m->failed; i++) {
        fuzz_add_task(m);
        if (i < half) {
            fuzz_use(m, fuzz_add_buffer(m, true), FUZZ_WRITES);
            continue;
        }
        fuzz_use(m, first + tasks - 1 - i, FUZZ_READS);
        fuzz_use(m, fuzz_add_buffer(m, i + 1 == tasks ? false : true),
                 FUZZ_WRITES);
    }
}

/* All alive at once. */
static void crowd(fuzz_model *m, uint32_t tasks)
{
    uint32_t half = (tasks + 1) / 2;
    for (uint32_t i = 0; i < half && !m->failed; i++) {
        fuzz_add_task(m);
        for (uint32_t n = 1 + pick(m, 3); n > 0; n--)
            fuzz_use(m, fuzz_add_buffer(m, true), FUZZ_WRITES);
    }
    for (uint32_t i = half; i < tasks && !m->failed; i++) {
        fuzz_add_task(m);
        for (uint32_t n = 1 + pick(m, 3); n > 0; n--)
            fuzz_use(m, pick(m, m->buffer_count), FUZZ_READS);
    }
}

/* Most die at once, one in eight lives to the end. */
static void long_and_short(fuzz_model *m, uint32_t tasks)
{
    uint32_t last = fuzz_add_buffer(m, false), kept = last;
    for (uint32_t i = 0; i + 1 < tasks && !m->failed; i++) {
        fuzz_add_task(m);
        fuzz_use(m, last, FUZZ_READS);
        last = fuzz_add_buffer(m, true);
        fuzz_use(m, last, FUZZ_WRITES);
        if (pick(m, 8) == 0) {
            fuzz_use(m, kept, FUZZ_READS);
            kept = fuzz_add_buffer(m, true);
            fuzz_use(m, kept, FUZZ_WRITES);
        }
    }
    fuzz_add_task(m);
    fuzz_use(m, last, FUZZ_READS);
    fuzz_use(m, kept, FUZZ_READS);
}

/* Parameters that are read, written and updated between buffers. */
static void params(fuzz_model *m, uint32_t tasks)
{
    static const fuzz_mode modes[] = {FUZZ_READS, FUZZ_WRITES, FUZZ_UPDATES};
    uint32_t count = 2 + pick(m, 6);
    for (uint32_t i = 0; i < count; i++)
        fuzz_add_buffer(m, i % 2 == 1);
    for (uint32_t i = 0; i < tasks && !m->failed; i++) {
        fuzz_add_task(m);
        for (uint32_t n = 1 + pick(m, 3); n > 0; n--) {
            uint32_t buffer = pick(m, count);
            fuzz_use(m, buffer, modes[pick(m, 3)]);
        }
    }
}

static const fuzz_shape shapes[] = {
    {"branches", fuzz_draw_branches, 4, false},
    {"ladder", fuzz_draw_ladder, 3, false},
    {"nested", nested, 4, false},
    {"crowd", crowd, 4, false},
    {"long-and-short", long_and_short, 4, false},
    {"params", params, 3, false},
};

const fuzz_shape *fuzz_memory_shape_draw(fuzz_random *random)
{
    uint64_t at = fuzz_below(random, 30);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (at < shapes[i].weight)
            return &shapes[i];
        at -= shapes[i].weight;
    }
    const fuzz_shape *other = fuzz_shape_draw(random);
    while (other->nasty)
        other = fuzz_shape_draw(random);
    return other;
}
