/* The bytes of a run while it goes on. */
#include "memory_work.h"

#include <stdlib.h>

static uint32_t most_accesses(const replay_program *p)
{
    uint32_t most = 0;
    for (uint32_t t = 0; t < p->task_count; t++) {
        most = p->tasks[t].accesses > most ? p->tasks[t].accesses : most;
    }
    return most;
}

static bool make_arrays(replay_memory *m)
{
    const replay_program *p = m->p;
    size_t places = m->planned ? p->place_count : p->cell_count;
    size_t readers = (size_t)p->task_count + p->host_count;
    m->cells = malloc((places + 1) * sizeof *m->cells);
    m->result.inputs =
        malloc((2 * (readers + p->buffer_count) + 1) * sizeof(uint64_t));
    if (m->cells == NULL || m->result.inputs == NULL) {
        return false;
    }
    m->result.sources = m->result.inputs + readers;
    m->result.finals = m->result.sources + readers;
    m->result.final_sources = m->result.finals + p->buffer_count;
    if (m->masked && p->fresh != NULL) {
        m->adder = malloc((places + 1) * sizeof *m->adder);
    }
    if (m->v.inside_back || m->v.inside_forth) {
        m->order = malloc((most_accesses(p) + 1) * sizeof *m->order);
    }
    if (m->log != NULL) {
        m->log->top = calloc(places + 1, sizeof *m->log->top);
    }
    return (m->adder != NULL || !m->masked || p->fresh == NULL) &&
           (m->order != NULL || (!m->v.inside_back && !m->v.inside_forth)) &&
           (m->log == NULL || m->log->top != NULL);
}

replay_status replay_memory_create(replay_memory **memory,
                                   const replay_program *program,
                                   const replay_variant *variant, bool masked,
                                   replay_log *log, replay_error *error)
{
    replay_memory *m = calloc(1, sizeof *m);
    *memory = m;
    if (m == NULL) {
        return replay_fail_memory(error);
    }
    m->p = program;
    m->v = variant == NULL ? (replay_variant){0} : *variant;
    m->planned = replay_by_address(program, &m->v);
    m->masked = masked;
    m->log = log;
    if (!make_arrays(m)) {
        replay_memory_free(m);
        *memory = NULL;
        return replay_fail_memory(error);
    }
    replay_memory_reset(m);
    return REPLAY_OK;
}

void replay_memory_reset(replay_memory *m)
{
    size_t readers = (size_t)m->p->task_count + m->p->host_count;
    size_t results = 2 * (readers + m->p->buffer_count);
    for (size_t i = 0; i < results; i++) {
        m->result.inputs[i] = 0;
    }
    replay_cells_start(m);
    for (uint32_t h = 0; m->v.host_first && h < m->p->host_count; h++) {
        replay_memory_host(m, h);
    }
}

replay_status replay_memory_start(replay_memory **memory,
                                  const replay_program *program,
                                  const replay_variant *variant,
                                  replay_error *error)
{
    static const replay_variant none = {0};
    const replay_variant *v = variant == NULL ? &none : variant;
    return replay_memory_create(memory, program, v,
                                replay_by_address(program, v), NULL, error);
}

void replay_memory_free(replay_memory *m)
{
    if (m != NULL) {
        free(m->cells);
        free(m->adder);
        free(m->order);
        free(m->result.inputs);
        free(m);
    }
}

/* --- Tasks --- */

static bool is_inside(const replay_memory *m)
{
    return m->v.inside_back || m->v.inside_forth;
}

void replay_memory_read(replay_memory *m, uint32_t task)
{
    const replay_task *t = &m->p->tasks[task];
    for (uint32_t i = t->first_access; i < t->first_access + t->reads; i++) {
        bool later = is_inside(m) && m->p->accesses[i].part != REPLAY_NONE;
        replay_cells_read(m, task, i,
                          later ? REPLAY_WHAT : REPLAY_WHAT | REPLAY_WHO);
    }
}

void replay_memory_expect(const replay_memory *m, uint32_t task)
{
    enum { SOME = 4 };
    const replay_task *t = &m->p->tasks[task];
    uint32_t count = t->accesses < SOME ? t->accesses : SOME;
    for (uint32_t i = t->first_access; i < t->first_access + count; i++) {
        const replay_access *x = &m->p->accesses[i];
        int64_t shift = m->planned ? m->p->buffers[x->buffer].shift : 0;
        if (x->count > 0) {
            __builtin_prefetch(&m->cells[m->p->runs[x->first].first + shift]);
        }
    }
    __builtin_prefetch(&m->result.inputs[task]);
    __builtin_prefetch(&m->result.sources[task]);
}

static int by_key(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The accesses of a task's parts, by part: reads, then writes. */
static uint32_t sort_parts(replay_memory *m, const replay_task *t)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->accesses; i++) {
        uint32_t part = m->p->accesses[t->first_access + i].part;
        if (part != REPLAY_NONE) {
            m->order[count++] = (uint64_t)part << 32 | i;
        }
    }
    qsort(m->order, count, sizeof *m->order, by_key);
    return count;
}

/* One part, [from, to) of the order: it reads whose bytes are there by now. */
static void run_part(replay_memory *m, uint32_t task, uint32_t from,
                     uint32_t to, uint64_t value)
{
    const replay_task *t = &m->p->tasks[task];
    uint32_t count = to - from;
    for (uint32_t k = from; k < to; k++) {
        uint32_t i = (uint32_t)m->order[k];
        if (i < t->reads) {
            replay_cells_read(m, task, t->first_access + i, REPLAY_WHO);
        }
    }
    for (uint32_t n = 0; n < count; n++) {
        uint32_t k = m->v.inside_back ? to - 1 - n : from + n;
        uint32_t i = (uint32_t)m->order[k];
        if (i >= t->reads) {
            replay_cells_write(m, t->first_access + i, value);
        }
    }
}

static void run_parts(replay_memory *m, uint32_t task, uint64_t value)
{
    uint32_t count = sort_parts(m, &m->p->tasks[task]), from, to;
    if (m->v.inside_back) {
        for (to = count; to > 0; to = from) {
            from = to - 1;
            while (from > 0 &&
                   m->order[from - 1] >> 32 == m->order[to - 1] >> 32) {
                from--;
            }
            run_part(m, task, from, to, value);
        }
        return;
    }
    for (from = 0; from < count; from = to) {
        to = from + 1;
        while (to < count && m->order[to] >> 32 == m->order[from] >> 32) {
            to++;
        }
        run_part(m, task, from, to, value);
    }
}

/* The writes of all parts, one way round or the other. */
static void write_wholes(replay_memory *m, const replay_task *t, uint64_t value)
{
    uint32_t writes = t->accesses - t->reads;
    for (uint32_t n = 0; n < writes; n++) {
        uint32_t i = t->first_access +
                     (m->v.inside_back ? t->accesses - 1 - n : t->reads + n);
        if (!is_inside(m) || m->p->accesses[i].part == REPLAY_NONE) {
            replay_cells_write(m, i, value);
        }
    }
}

void replay_memory_write(replay_memory *m, uint32_t task)
{
    const replay_task *t = &m->p->tasks[task];
    uint64_t value = replay_mix2(t->token, m->result.inputs[task]);
    if (m->v.inside_back) {
        run_parts(m, task, value);
    }
    write_wholes(m, t, value);
    if (m->v.inside_forth && !m->v.inside_back) {
        run_parts(m, task, value);
    }
}

void replay_memory_host(replay_memory *m, uint32_t host)
{
    const replay_host *h = &m->p->host[host];
    uint32_t reader = m->p->task_count + host;
    for (uint32_t i = h->first_access; i < h->first_access + h->accesses; i++) {
        if (m->p->accesses[i].mode == REPLAY_READ) {
            replay_cells_read(m, reader, i, REPLAY_WHAT | REPLAY_WHO);
        } else {
            replay_cells_write(m, i, replay_mix2(i, m->result.inputs[reader]));
        }
    }
}

/* --- The end --- */

void replay_memory_end(replay_memory *m)
{
    for (uint32_t b = 0; b < m->p->buffer_count; b++) {
        if (m->p->buffers[b].external) {
            replay_cells_end(m, b);
        }
    }
}

replay_status replay_memory_finish(replay_result *result, replay_memory *memory,
                                   replay_error *error)
{
    (void)error;
    replay_memory_end(memory);
    *result = memory->result;
    memory->result = (replay_result){0};
    return REPLAY_OK;
}

void replay_result_free(replay_result *result)
{
    free(result->inputs);
    *result = (replay_result){0};
}

void replay_memory_run(replay_memory *m, const uint32_t *order)
{
    const replay_program *p = m->p;
    uint32_t host = m->v.host_first ? p->host_count : 0;
    for (uint32_t i = 0; i < p->task_count && !replay_stopped(p); i++) {
        for (; host < p->host_count && p->host[host].before <= i; host++) {
            replay_memory_host(m, host);
        }
        replay_memory_read(m, order[i]);
        replay_memory_write(m, order[i]);
    }
    for (; host < p->host_count; host++) {
        replay_memory_host(m, host);
    }
    replay_memory_end(m);
}
