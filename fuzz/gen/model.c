#include "model.h"

#include "make.h"

#include <stdlib.h>

fuzz_model *fuzz_model_start(fuzz_case *c, const fuzz_limits *limits)
{
    if (c->model == NULL)
        c->model = calloc(1, sizeof *c->model);
    fuzz_model *m = c->model;
    if (m == NULL)
        return NULL;
    m->task_count = m->arg_count = m->buffer_count = 0;
    m->edge_count = m->link_count = 0;
    m->shared = 0;
    m->failed = m->untold = false;
    m->shape = fuzz_random_of(&c->name, FUZZ_FOR_SHAPE);
    m->uses = fuzz_random_of(&c->name, FUZZ_FOR_USES);
    m->want = fuzz_task_count(&m->shape, limits, UINT32_MAX);
    m->funcs = (uint32_t)fuzz_log_size(&m->uses, 1, 16);
    return m;
}

void fuzz_model_free(fuzz_model *m)
{
    if (m == NULL)
        return;
    free(m->tasks);
    free(m->args);
    free(m->buffers);
    free(m->edges);
    free(m->links);
    free(m->marks);
    free(m);
}

/* Room for one more; the old list, where there is no memory for it. */
static void *grow(fuzz_model *m, void *items, uint32_t count, uint32_t *room,
                  size_t size)
{
    if (count < *room || m->failed)
        return items;
    uint32_t more = *room == 0 ? 64 : 2 * *room;
    void *moved = more < *room ? NULL : reallocarray(items, more, size);
    m->failed = moved == NULL;
    if (moved == NULL)
        return items;
    *room = more;
    return moved;
}

#define GROW(m, list, name)                                                    \
    ((m)->list = grow(m, (m)->list, (m)->name##_count, &(m)->name##_room,      \
                      sizeof *(m)->list))

uint32_t fuzz_add_buffer(fuzz_model *m, bool internal)
{
    GROW(m, buffers, buffer);
    if (m->failed)
        return FUZZ_NONE;
    m->buffers[m->buffer_count] = (fuzz_buffer){
        .internal = internal,
        .number = m->buffer_count,
        .last_task = FUZZ_NONE,
        .writer = FUZZ_NONE,
        .readers = FUZZ_NONE,
        .size = -1,
    };
    return m->buffer_count++;
}

void fuzz_add_task(fuzz_model *m)
{
    GROW(m, tasks, task);
    if (m->failed)
        return;
    m->tasks[m->task_count] = (fuzz_task){
        .id = m->task_count,
        .func = (uint32_t)fuzz_below(&m->uses, m->funcs),
        .first_arg = m->arg_count,
    };
    m->task_count++;
}

static void add_arg(fuzz_model *m, uint32_t buffer, fuzz_mode mode)
{
    GROW(m, args, arg);
    if (m->failed)
        return;
    if (buffer != FUZZ_NONE && mode != FUZZ_SCALAR)
        m->buffers[buffer].met = true;
    uint64_t draw = fuzz_draw(&m->uses);
    m->args[m->arg_count++] = (fuzz_arg){
        .buffer = buffer,
        .mode = (uint8_t)mode,
        .token = (uint8_t)(draw >> 8 & 15),
        .value = buffer == FUZZ_NONE ? (uint8_t)draw : 0,
    };
    m->tasks[m->task_count - 1].args++;
}

static bool only_read(const fuzz_model *m, uint32_t buffer)
{
    const fuzz_task *t = &m->tasks[m->task_count - 1];
    for (uint32_t i = t->first_arg; i < m->arg_count; i++)
        if (m->args[i].buffer == buffer && m->args[i].mode != FUZZ_READS)
            return false;
    return true;
}

void fuzz_use(fuzz_model *m, uint32_t buffer, fuzz_mode mode)
{
    if (m->failed)
        return;
    fuzz_buffer *b = &m->buffers[buffer];
    if (b->internal && !b->written)
        mode = FUZZ_WRITES;
    bool again = b->last_task == m->task_count - 1;
    if (again && (mode != FUZZ_READS || !only_read(m, buffer)))
        return;
    b->last_task = m->task_count - 1;
    b->written = b->written || mode != FUZZ_READS;
    add_arg(m, buffer, mode);
}

void fuzz_add_plain(fuzz_model *m, uint32_t buffer, fuzz_mode mode)
{
    m->untold = m->untold || (buffer != FUZZ_NONE && mode != FUZZ_SCALAR);
    if (!m->failed)
        add_arg(m, buffer, mode);
}

void fuzz_add_edge(fuzz_model *m, uint32_t from, uint32_t to, fuzz_dep kind)
{
    GROW(m, edges, edge);
    if (!m->failed)
        m->edges[m->edge_count++] = (fuzz_edge){from, to, (uint8_t)kind, false};
}

/* --- The edges that accesses ask for --- */

/* An edge to the task that is walked; of those of a pair the strongest. */
static void join(fuzz_model *m, uint32_t from, uint32_t to, fuzz_dep kind)
{
    if (from == to)
        return;
    uint32_t mark = m->marks[from];
    if (mark > 0 && m->edges[mark - 1].to == to) {
        fuzz_edge *e = &m->edges[mark - 1];
        e->kind = kind > e->kind ? (uint8_t)kind : e->kind;
        return;
    }
    fuzz_add_edge(m, from, to, kind);
    m->marks[from] = m->edge_count;
}

static void read_buffer(fuzz_model *m, uint32_t task, fuzz_buffer *b)
{
    if (b->writer != FUZZ_NONE)
        join(m, b->writer, task, FUZZ_DATA);
    GROW(m, links, link);
    if (m->failed)
        return;
    m->links[m->link_count] = (fuzz_link){task, b->readers};
    b->readers = m->link_count++;
}

static void write_buffer(fuzz_model *m, uint32_t task, fuzz_buffer *b)
{
    if (b->writer != FUZZ_NONE)
        join(m, b->writer, task, FUZZ_STORAGE);
    for (uint32_t r = b->readers; r != FUZZ_NONE; r = m->links[r].next)
        join(m, m->links[r].task, task, FUZZ_WAR);
    b->writer = task;
    b->readers = FUZZ_NONE;
}

static void draw_task(fuzz_model *m, uint32_t task)
{
    const fuzz_task *t = &m->tasks[task];
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < t->args && !m->failed; i++) {
            const fuzz_arg *a = &m->args[t->first_arg + i];
            bool reads = a->mode == FUZZ_READS || a->mode == FUZZ_UPDATES;
            bool writes = a->mode == FUZZ_WRITES || a->mode == FUZZ_UPDATES;
            if (pass == 0 && reads)
                read_buffer(m, task, &m->buffers[a->buffer]);
            if (pass == 1 && writes)
                write_buffer(m, task, &m->buffers[a->buffer]);
        }
    }
}

void fuzz_draw_edges(fuzz_model *m)
{
    if (m->mark_room < m->task_room) {
        uint32_t *marks = reallocarray(m->marks, m->task_room, sizeof *marks);
        m->failed = m->failed || marks == NULL;
        if (marks == NULL)
            return;
        m->marks = marks;
        m->mark_room = m->task_room;
    }
    for (uint32_t i = 0; i < m->task_count; i++)
        m->marks[i] = 0;
    for (uint32_t i = 0; i < m->task_count && !m->failed; i++)
        draw_task(m, i);
}

bool fuzz_has_directions(const fuzz_model *m)
{
    for (uint32_t i = 0; i < m->task_count; i++)
        if (m->tasks[i].args == 0 || m->tasks[i].no_directions)
            return false;
    return true;
}

/* Ids rise with the tasks, and no pair is there twice. */
static int compare_edge(const void *a, const void *b)
{
    const fuzz_edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

void fuzz_sort_edges(fuzz_model *m)
{
    if (m->edge_count > 1)
        qsort(m->edges, m->edge_count, sizeof *m->edges, compare_edge);
}
