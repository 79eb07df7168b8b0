/*
 * The model of a case without one thing that a disagreement may hang on: what
 * stands in the way of seeing the cause is left, and what meets still meets.
 */
#include "ir.h"
#include "related.h"

#include <stdlib.h>
#include <string.h>

/* Odd numbers, which change the remainder of any place. */
#define TASKS_BEFORE 37
#define ARGS_BEFORE 7
#define SIZE 64

static const char *const names[FUZZ_ABLATIONS] = {
    [FUZZ_ABLATE_EXTRAS] = "extras",         [FUZZ_ABLATE_NUMBERS] = "numbers",
    [FUZZ_ABLATE_TEXTS] = "texts",           [FUZZ_ABLATE_UPDATES] = "updates",
    [FUZZ_ABLATE_INDEXES] = "indexes",       [FUZZ_ABLATE_IDS] = "ids",
    [FUZZ_ABLATE_REMAINDERS] = "remainders", [FUZZ_ABLATE_SIZES] = "sizes",
    [FUZZ_ABLATE_RANKS] = "ranks",           [FUZZ_ABLATE_LAST] = "last",
};

const char *fuzz_ablation_name(fuzz_ablation ablation)
{
    return names[ablation];
}

/* --- Tasks --- */

/* Their ids are less than all others, as their places are. */
static fuzz_status put_tasks_before(fuzz_model *m)
{
    uint32_t count = m->task_count;
    for (uint32_t i = 0; i < count; i++)
        if (m->tasks[i].id < 0 || m->tasks[i].id > INT64_MAX - TASKS_BEFORE)
            return FUZZ_NO_SUCH;
    for (uint32_t i = 0; i < count; i++)
        m->tasks[i].id += TASKS_BEFORE;
    fuzz_task added[TASKS_BEFORE];
    for (uint32_t i = 0; i < TASKS_BEFORE; i++) {
        fuzz_add_task(m);
        fuzz_add_plain(m, FUZZ_NONE, FUZZ_SCALAR);
        if (m->failed)
            return FUZZ_NO_MEMORY;
        m->args[m->arg_count - 1].value = 0;
        added[i] = m->tasks[m->task_count - 1];
        added[i].id = i;
    }
    memmove(m->tasks + TASKS_BEFORE, m->tasks, count * sizeof *m->tasks);
    memcpy(m->tasks, added, sizeof added);
    for (uint32_t i = 0; i < m->edge_count; i++) {
        m->edges[i].from += TASKS_BEFORE;
        m->edges[i].to += TASKS_BEFORE;
    }
    return FUZZ_OK;
}

/* The last task and the last buffer are then others than they were. The buffer
 * is external: it has no place that others could come to lie in. */
static fuzz_status put_task_behind(fuzz_model *m)
{
    int64_t last = -1, size = -1;
    for (uint32_t i = 0; i < m->task_count; i++)
        last = m->tasks[i].id > last ? m->tasks[i].id : last;
    for (uint32_t i = 0; i < m->buffer_count; i++)
        size = m->buffers[i].size > 0 ? SIZE : size;
    if (last == INT64_MAX)
        return FUZZ_NO_SUCH;
    fuzz_add_task(m);
    uint32_t buffer = fuzz_add_buffer(m, false);
    if (m->failed)
        return FUZZ_NO_MEMORY;
    m->tasks[m->task_count - 1].id = last + 1;
    m->buffers[buffer].size = size;
    fuzz_use(m, buffer, FUZZ_WRITES);
    return m->failed ? FUZZ_NO_MEMORY : FUZZ_OK;
}

static fuzz_status count_ids(fuzz_model *m)
{
    for (uint32_t i = 0; i < m->task_count; i++)
        m->tasks[i].id = i;
    return FUZZ_OK;
}

/* --- Arguments --- */

/* Of each task `before` scalars, then its own, of which an update is two. */
static fuzz_status rewrite_args(fuzz_model *m, uint32_t before, bool updates)
{
    size_t most = (size_t)m->arg_count * (updates ? 2 : 1) +
                  (size_t)m->task_count * before;
    fuzz_arg *args = calloc(most + 1, sizeof *args);
    uint32_t at = 0;
    if (args == NULL || most >= UINT32_MAX) {
        free(args);
        return FUZZ_NO_MEMORY;
    }
    for (uint32_t t = 0; t < m->task_count; t++) {
        fuzz_task *task = &m->tasks[t];
        uint32_t first = task->first_arg, count = task->args;
        task->first_arg = at;
        for (uint32_t i = 0; count > 0 && i < before; i++)
            args[at++] = (fuzz_arg){.buffer = FUZZ_NONE, .mode = FUZZ_SCALAR};
        for (uint32_t i = first; i < first + count; i++) {
            args[at++] = m->args[i];
            if (!updates || m->args[i].mode != FUZZ_UPDATES)
                continue;
            args[at - 1].mode = FUZZ_READS;
            args[at] = args[at - 1];
            args[at++].mode = FUZZ_WRITES;
        }
        task->args = at - task->first_arg;
    }
    free(m->args);
    m->args = args;
    m->arg_count = at;
    m->arg_room = (uint32_t)most + 1;
    return FUZZ_OK;
}

static bool has_updates(const fuzz_model *m)
{
    for (uint32_t i = 0; i < m->arg_count; i++)
        if (m->args[i].mode == FUZZ_UPDATES)
            return true;
    return false;
}

static fuzz_status split_updates(fuzz_model *m)
{
    return has_updates(m) ? rewrite_args(m, 0, true) : FUZZ_NO_SUCH;
}

/* --- The rest --- */

static fuzz_status make_sizes_equal(fuzz_model *m)
{
    for (uint32_t i = 0; i < m->buffer_count; i++)
        if (m->buffers[i].size > 0)
            m->buffers[i].size = SIZE;
    return FUZZ_OK;
}

static fuzz_status round_sizes(fuzz_model *m)
{
    for (uint32_t i = 0; i < m->buffer_count; i++)
        if (m->buffers[i].size > 0 && m->buffers[i].size < INT64_MAX - SIZE)
            m->buffers[i].size = (m->buffers[i].size + SIZE - 1) / SIZE * SIZE;
    return FUZZ_OK;
}

static void drop_values(fuzz_model *m, bool texts)
{
    for (uint32_t i = 0; i < m->arg_count; i++)
        if (m->args[i].buffer == FUZZ_NONE &&
            fuzz_is_text(&m->args[i]) == texts)
            m->args[i].value = 0;
}

static fuzz_status spell_plainly(fuzz_model *m, fuzz_style *style)
{
    fuzz_style plain = {.title = "\"main\"",
                        .threads = "4",
                        .target = style->target,
                        .step = {1, 1, 1},
                        .keys = style->keys,
                        .shapes = style->shapes,
                        .deep = style->deep,
                        .metadata = style->metadata};
    *style = plain;
    for (uint32_t i = 0; i < m->buffer_count; i++)
        m->buffers[i].spelling = FUZZ_KEY_PLAIN;
    for (uint32_t i = 0; i < m->arg_count; i++)
        m->args[i].token = 0;
    drop_values(m, true);
    return FUZZ_OK;
}

static fuzz_status drop_extras(fuzz_style *style)
{
    style->shapes = style->deep = 0;
    style->target = "{}";
    return FUZZ_OK;
}

fuzz_status fuzz_score_ablate(fuzz_breaking *b, fuzz_ablation ablation)
{
    bool patched = b->patch.place != FUZZ_AT_NONE;
    if (b->c->open && !b->keep_edges)
        return FUZZ_NO_SUCH;
    switch (ablation) {
    case FUZZ_ABLATE_RANKS:
        return patched ? FUZZ_NO_SUCH : put_tasks_before(b->m);
    case FUZZ_ABLATE_LAST:
        return patched ? FUZZ_NO_SUCH : put_task_behind(b->m);
    case FUZZ_ABLATE_INDEXES:
        return rewrite_args(b->m, ARGS_BEFORE, false);
    case FUZZ_ABLATE_UPDATES:
        return split_updates(b->m);
    case FUZZ_ABLATE_SIZES:
        return make_sizes_equal(b->m);
    case FUZZ_ABLATE_REMAINDERS:
        return round_sizes(b->m);
    case FUZZ_ABLATE_IDS:
        return count_ids(b->m);
    case FUZZ_ABLATE_TEXTS:
        return spell_plainly(b->m, b->style);
    case FUZZ_ABLATE_NUMBERS:
        drop_values(b->m, false);
        return FUZZ_OK;
    case FUZZ_ABLATE_EXTRAS:
        return drop_extras(b->style);
    case FUZZ_ABLATIONS:
        break;
    }
    return FUZZ_NO_SUCH;
}

/* Programs have names for keys, and no ids. */
fuzz_status fuzz_ir_ablate(fuzz_ir *p, fuzz_ablation ablation)
{
    fuzz_model *m = p->m;
    switch (ablation) {
    case FUZZ_ABLATE_RANKS:
        p->before = TASKS_BEFORE;
        return put_tasks_before(m);
    case FUZZ_ABLATE_LAST:
        p->behind = 1;
        return put_task_behind(m);
    case FUZZ_ABLATE_INDEXES:
        return rewrite_args(m, ARGS_BEFORE, false);
    case FUZZ_ABLATE_UPDATES:
        return split_updates(m);
    case FUZZ_ABLATE_TEXTS:
        p->plain = true;
        for (uint32_t i = 0; i < m->task_count; i++)
            m->tasks[i].func %= FUZZ_IR_PLAIN_CALLEES;
        return FUZZ_OK;
    case FUZZ_ABLATE_NUMBERS:
        for (uint32_t i = 0; i < m->arg_count; i++)
            m->args[i].value = 0;
        return FUZZ_OK;
    case FUZZ_ABLATE_EXTRAS:
        p->bare = true;
        return FUZZ_OK;
    default:
        return FUZZ_NO_SUCH;
    }
}
