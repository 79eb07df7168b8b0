#include "shapes.h"

#define OF(m) (&(m)->shape)

static uint32_t pick(fuzz_model *m, uint32_t n)
{
    return (uint32_t)fuzz_below(OF(m), n);
}

static uint32_t size(fuzz_model *m, uint32_t high)
{
    return (uint32_t)fuzz_log_size(OF(m), 1, high);
}

/* An external buffer that others read, too. */
static uint32_t param(fuzz_model *m)
{
    uint32_t i = pick(m, 8);
    if (i < m->shared || m->failed)
        return m->shared_buffers[m->failed ? 0 : i];
    m->shared_buffers[m->shared] = fuzz_add_buffer(m, false);
    return m->shared_buffers[m->shared++];
}

/* What real tasks have besides: scalars and a weight or two. */
static void dress(fuzz_model *m)
{
    uint32_t more = pick(m, 8);
    if (more >= 4)
        fuzz_add_plain(m, FUZZ_NONE, FUZZ_SCALAR);
    if (more == 3 || more == 7)
        fuzz_use(m, param(m), FUZZ_READS);
}

static void chain(fuzz_model *m, uint32_t tasks)
{
    uint32_t last = fuzz_add_buffer(m, false);
    for (uint32_t i = 0; i < tasks && !m->failed; i++) {
        fuzz_add_task(m);
        fuzz_use(m, last, FUZZ_READS);
        last = fuzz_add_buffer(m, i + 1 < tasks);
        fuzz_use(m, last, FUZZ_WRITES);
        dress(m);
    }
}

static void fan_out(fuzz_model *m, uint32_t tasks)
{
    while (m->task_count < tasks && !m->failed) {
        uint32_t wide = size(m, tasks);
        uint32_t shared = fuzz_add_buffer(m, true);
        fuzz_add_task(m);
        fuzz_use(m, param(m), FUZZ_READS);
        fuzz_use(m, shared, FUZZ_WRITES);
        while (wide-- > 0 && m->task_count < tasks && !m->failed) {
            fuzz_add_task(m);
            fuzz_use(m, shared, FUZZ_READS);
            fuzz_use(m, fuzz_add_buffer(m, pick(m, 2) == 0), FUZZ_WRITES);
            dress(m);
        }
    }
}

/* Leaves, then pairs of what is left until one is. */
static void reduction_tree(fuzz_model *m, uint32_t tasks)
{
    uint32_t leaves = (tasks + 1) / 2, next = 0;
    for (uint32_t i = 0; i < leaves && !m->failed; i++) {
        fuzz_add_task(m);
        fuzz_use(m, param(m), FUZZ_READS);
        fuzz_use(m, fuzz_add_buffer(m, true), FUZZ_WRITES);
        dress(m);
    }
    while (m->task_count < tasks && !m->failed) {
        fuzz_add_task(m);
        for (uint32_t taken = 0; taken < 2 && next < m->buffer_count; next++) {
            if (m->buffers[next].internal && m->buffers[next].written) {
                fuzz_use(m, next, FUZZ_READS);
                taken++;
            }
        }
        fuzz_use(m, fuzz_add_buffer(m, m->task_count < tasks), FUZZ_WRITES);
    }
}

/* Two sets of buffers that take turns from layer to layer. */
static void layers(fuzz_model *m, uint32_t tasks)
{
    uint32_t wide = size(m, tasks < 16 ? tasks : 16);
    uint32_t input = fuzz_add_buffer(m, false), first = m->buffer_count;
    for (uint32_t i = 0; i < 2 * wide; i++)
        fuzz_add_buffer(m, true);
    for (uint32_t layer = 0; m->task_count < tasks && !m->failed; layer++) {
        uint32_t from = first + (layer % 2) * wide;
        uint32_t to = first + (1 - layer % 2) * wide;
        for (uint32_t i = 0; i < wide && m->task_count < tasks; i++) {
            fuzz_add_task(m);
            fuzz_use(m, layer == 0 ? input : from + i, FUZZ_READS);
            if (layer > 0 && pick(m, 2) == 0)
                fuzz_use(m, from + pick(m, wide), FUZZ_READS);
            fuzz_use(m, to + i, FUZZ_WRITES);
            dress(m);
        }
    }
}

static void in_place(fuzz_model *m, uint32_t tasks)
{
    uint32_t count = size(m, 8);
    for (uint32_t i = 0; i < count; i++)
        fuzz_add_buffer(m, pick(m, 2) == 0);
    for (uint32_t i = 0; i < tasks && !m->failed; i++) {
        fuzz_add_task(m);
        fuzz_use(m, pick(m, count), FUZZ_UPDATES);
        if (pick(m, 2) == 0)
            fuzz_use(m, pick(m, count), FUZZ_READS);
        dress(m);
    }
}

/* Iterations that share nothing but what they read. */
static void loops(fuzz_model *m, uint32_t tasks)
{
    uint32_t steps = 1 + pick(m, 4);
    uint32_t table = fuzz_add_buffer(m, false);
    while (m->task_count < tasks && !m->failed) {
        uint32_t last = table;
        for (uint32_t s = 0; s < steps && m->task_count < tasks; s++) {
            fuzz_add_task(m);
            fuzz_use(m, last, FUZZ_READS);
            last = fuzz_add_buffer(m, s + 1 < steps);
            fuzz_use(m, last, FUZZ_WRITES);
            dress(m);
        }
    }
}

/* Streams through stages; a stage has a buffer of its own that it keeps. */
static void pipeline(fuzz_model *m, uint32_t tasks)
{
    uint32_t stages = 1 + size(m, 6);
    for (uint32_t i = 0; i < stages; i++)
        fuzz_add_buffer(m, i > 0);
    while (m->task_count < tasks && !m->failed) {
        for (uint32_t s = 0; s + 1 < stages && m->task_count < tasks; s++) {
            fuzz_add_task(m);
            fuzz_use(m, s, FUZZ_READS);
            fuzz_use(m, s + 1, s == 0 ? FUZZ_WRITES : FUZZ_UPDATES);
            dress(m);
        }
        if (stages == 2 && pick(m, 4) == 0)
            stages = 1 + size(m, 1);
    }
}

/* Rows over the row before and its neighbours. */
static void stencil(fuzz_model *m, uint32_t tasks)
{
    uint32_t wide = 1 + size(m, 12), first = m->buffer_count;
    for (uint32_t i = 0; i < 2 * wide; i++)
        fuzz_add_buffer(m, i >= wide);
    for (uint32_t n = 0; n < tasks && !m->failed; n++) {
        uint32_t row = n / wide, at = n % wide;
        uint32_t from = first + (row % 2) * wide;
        fuzz_add_task(m);
        for (uint32_t k = at > 0 ? at - 1 : 0; k <= at + 1 && k < wide; k++)
            fuzz_use(m, from + k, FUZZ_READS);
        fuzz_use(m, first + (1 - row % 2) * wide + at, FUZZ_WRITES);
    }
}

static void soup_of(fuzz_model *m, uint32_t tasks, uint32_t count)
{
    static const fuzz_mode modes[] = {FUZZ_READS, FUZZ_READS, FUZZ_WRITES,
                                      FUZZ_UPDATES};
    for (uint32_t i = 0; i < count; i++)
        fuzz_add_buffer(m, pick(m, 2) == 0);
    for (uint32_t i = 0; i < tasks && !m->failed; i++) {
        uint32_t args = 1 + pick(m, 5);
        fuzz_add_task(m);
        while (args-- > 0) {
            uint32_t buffer = pick(m, count);
            fuzz_use(m, buffer, modes[pick(m, 4)]);
        }
    }
}

static void soup(fuzz_model *m, uint32_t tasks)
{
    soup_of(m, tasks, 1 + size(m, tasks));
}

static void one_key(fuzz_model *m, uint32_t tasks)
{
    soup_of(m, tasks, 1);
}

static void opt_outs(fuzz_model *m, uint32_t tasks)
{
    static const fuzz_mode modes[] = {FUZZ_NO_DEP, FUZZ_SCALAR, FUZZ_UNKNOWN};
    uint32_t count = 1 + size(m, tasks);
    for (uint32_t i = 0; i < count; i++)
        fuzz_add_buffer(m, false);
    for (uint32_t i = 0; i < tasks && !m->failed; i++) {
        fuzz_add_task(m);
        fuzz_use(m, pick(m, count), FUZZ_READS);
        if (pick(m, 2) == 0) {
            uint32_t buffer = pick(m, count);
            fuzz_add_plain(m, buffer, modes[pick(m, 3)]);
        }
        fuzz_use(m, pick(m, count), FUZZ_UPDATES);
    }
}

/* As many as a task may have arguments; rarely without end. */
static uint32_t few(fuzz_model *m, uint32_t tasks)
{
    uint32_t most = tasks < 24 || pick(m, 8) == 0 ? tasks : 24;
    return size(m, most);
}

/* Many results, and one task that takes them all; again with what is left. */
static void wide_join(fuzz_model *m, uint32_t tasks)
{
    while (m->task_count < tasks && !m->failed) {
        uint32_t wide = few(m, tasks), first = m->buffer_count;
        for (uint32_t i = 0; i < wide && m->task_count < tasks; i++) {
            fuzz_add_task(m);
            fuzz_use(m, fuzz_add_buffer(m, true), FUZZ_WRITES);
            dress(m);
        }
        uint32_t behind = m->buffer_count;
        if (m->task_count == tasks)
            return;
        fuzz_add_task(m);
        for (uint32_t b = first; b < behind && !m->failed; b++)
            fuzz_use(m, b, FUZZ_READS);
        fuzz_use(m, fuzz_add_buffer(m, false), FUZZ_WRITES);
    }
}

/* One task among small ones has most of the arguments. */
static void huge_task(fuzz_model *m, uint32_t tasks)
{
    uint32_t huge = pick(m, tasks);
    for (uint32_t i = 0; i < tasks && !m->failed; i++) {
        fuzz_add_task(m);
        for (uint32_t k = i == huge ? (few(m, tasks) + 1) / 2 : 1; k > 0; k--) {
            fuzz_use(m, param(m), FUZZ_READS);
            fuzz_use(m, fuzz_add_buffer(m, pick(m, 2) == 0), FUZZ_WRITES);
        }
    }
}

/* Readers without end of what the last task then writes. */
static void many_readers(fuzz_model *m, uint32_t tasks)
{
    uint32_t shared = fuzz_add_buffer(m, pick(m, 2) == 0);
    for (uint32_t i = 0; i < tasks && !m->failed; i++) {
        fuzz_add_task(m);
        fuzz_use(m, shared, i + 1 < tasks ? FUZZ_READS : FUZZ_UPDATES);
        dress(m);
    }
}

/* Some without arguments between others. */
static void empty_tasks(fuzz_model *m, uint32_t tasks)
{
    uint32_t last = fuzz_add_buffer(m, false);
    for (uint32_t i = 0; i < tasks && !m->failed; i++) {
        fuzz_add_task(m);
        if (pick(m, 3) == 0)
            continue;
        fuzz_use(m, last, FUZZ_UPDATES);
        dress(m);
    }
}

/* Tasks of which nobody has said what they do with their arguments. */
static void untold(fuzz_model *m, uint32_t tasks)
{
    uint32_t all = pick(m, 2);
    for (uint32_t i = 0; i < tasks && !m->failed; i++) {
        fuzz_add_task(m);
        bool told = all == 0 && pick(m, 2) == 0;
        if (told)
            fuzz_use(m, param(m), FUZZ_UPDATES);
        else
            fuzz_add_plain(m, FUZZ_NONE, FUZZ_SCALAR);
        if (!m->failed)
            m->tasks[i].no_directions = !told;
    }
}

static void no_tasks(fuzz_model *m, uint32_t tasks)
{
    (void)m;
    (void)tasks;
}

static const fuzz_shape shapes[] = {
    {"chain", chain, 8, false},
    {"fan-out", fan_out, 8, false},
    {"reduction-tree", reduction_tree, 8, false},
    {"layers", layers, 12, false},
    {"in-place", in_place, 10, false},
    {"loops", loops, 10, false},
    {"pipeline", pipeline, 6, false},
    {"stencil", stencil, 6, false},
    {"soup", soup, 12, false},
    {"one-key", one_key, 3, false},
    {"opt-outs", opt_outs, 6, false},
    {"wide-join", wide_join, 4, false},
    {"many-readers", many_readers, 4, false},
    {"huge-task", huge_task, 3, false},
    {"empty-tasks", empty_tasks, 3, true},
    {"untold", untold, 3, true},
    {"no-tasks", no_tasks, 1, false},
};
#define SHAPES (sizeof shapes / sizeof *shapes)

const fuzz_shape *fuzz_shape_draw(fuzz_random *random)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < SHAPES; i++)
        sum += shapes[i].weight;
    uint32_t at = (uint32_t)fuzz_below(random, sum);
    size_t i = 0;
    while (at >= shapes[i].weight)
        at -= shapes[i++].weight;
    return &shapes[i];
}
