/* Reading and writing cells: where a run spends its time. */
#include "arena.h"
#include "memory_work.h"

#include <stdlib.h>

#define ODD UINT64_C(0x9e3779b97f4a7c15)

enum { NOTHING_SALT = 1, START_SALT = 2, ACCESS_SALT = 3 };

static inline uint64_t salt_of(uint32_t access)
{
    return replay_mix2(ACCESS_SALT, access);
}

static inline uint64_t of_cell(uint64_t what, uint32_t cell)
{
    return replay_fold(what, cell * ODD);
}

/* How far the places of an access lie from its cells. */
static inline int64_t shift_of(const replay_memory *m, uint32_t buffer)
{
    return m->planned ? m->p->buffers[buffer].shift : 0;
}

static inline bool is_fresh(const replay_memory *m, uint32_t run)
{
    return m->masked && m->p->fresh != NULL &&
           (m->p->fresh[run] & REPLAY_FRESH) != 0;
}

/* --- The log --- */

static uint32_t add_node(replay_log *log, replay_node node)
{
    replay_node *nodes = replay_grow(log->nodes, &log->node_room,
                                     log->node_count, 1, sizeof *nodes);
    if (nodes == NULL) {
        log->failed = true;
        return 0;
    }
    log->nodes = nodes;
    log->nodes[log->node_count] = node;
    return log->node_count++;
}

static void log_read(replay_log *log, replay_seen seen)
{
    replay_seen *list = replay_grow(log->seen, &log->seen_room, log->seen_count,
                                    1, sizeof *list);
    if (list == NULL) {
        log->failed = true;
        return;
    }
    log->seen = list;
    log->seen[log->seen_count++] = seen;
}

static void log_reads(const replay_memory *m, uint32_t reader, uint32_t access,
                      replay_cells run, int64_t shift)
{
    for (uint32_t c = run.first;
         m->log->asked[reader] && c < run.first + run.count; c++) {
        log_read(m->log,
                 (replay_seen){reader, access, c, m->log->top[c + shift]});
    }
}

void replay_log_free(replay_log *log)
{
    free(log->nodes);
    free(log->top);
    free(log->seen);
    *log = (replay_log){0};
}

/* --- Reading --- */

void replay_cells_read(replay_memory *m, uint32_t reader, uint32_t access,
                       int parts)
{
    const replay_access *x = &m->p->accesses[access];
    if (m->v.without != NULL && m->v.without[access]) {
        return;
    }
    int64_t shift = shift_of(m, x->buffer);
    uint64_t salt = salt_of(access), who = 0, what = 0;
    for (uint32_t k = x->first; k < x->first + x->count; k++) {
        replay_cells run = m->p->runs[k];
        if (is_fresh(m, k)) {
            continue;
        }
        for (uint32_t c = run.first; c < run.first + run.count; c++) {
            uint64_t at = salt + c * ODD;
            who += replay_fold(m->cells[c + shift].who, at);
            what += replay_fold(m->cells[c + shift].what, at);
        }
        if (m->log != NULL && (parts & REPLAY_WHO) != 0) {
            log_reads(m, reader, access, run, shift);
        }
    }
    m->result.sources[reader] += (parts & REPLAY_WHO) != 0 ? who : 0;
    m->result.inputs[reader] += (parts & REPLAY_WHAT) != 0 ? what : 0;
}

void replay_cells_end(replay_memory *m, uint32_t buffer)
{
    const replay_buffer *b = &m->p->buffers[buffer];
    int64_t shift = shift_of(m, buffer);
    uint64_t who = 0, what = 0;
    for (uint32_t c = b->first; c < b->first + b->count; c++) {
        who += replay_fold(m->cells[c + shift].who, c * ODD);
        what += replay_fold(m->cells[c + shift].what, c * ODD);
    }
    m->result.final_sources[buffer] = who;
    m->result.finals[buffer] = what;
    if (m->log != NULL) {
        log_reads(m, m->p->task_count + m->p->host_count + buffer,
                  REPLAY_NOTHING, (replay_cells){b->first, b->count}, shift);
    }
}

/* --- Writing --- */

/* Whether what lies at the place is an accumulation of the same storage. */
static bool adds_on(const replay_memory *m, int64_t place, uint32_t cell)
{
    return m->adder == NULL || m->adder[place] == m->p->cell_storage[cell];
}

/* Writes a cell of an access that may happen, or adds, or is logged. */
static void put(replay_memory *m, uint32_t access, uint32_t cell, int64_t place,
                bool fresh, replay_value value)
{
    const replay_access *x = &m->p->accesses[access];
    replay_value *held = &m->cells[place];
    bool adds = x->mode == REPLAY_ACCUMULATE;
    bool stands = adds || x->force != REPLAY_MUST; /* on what is there */
    bool alone = fresh && (!adds || !adds_on(m, place, cell));
    if (alone) {
        *held = m->nothing;
    }
    if (adds) {
        value.who += held->who;
        value.what += held->what;
    } else if (stands) {
        value.who = replay_fold(held->who, value.who + 1);
        value.what = replay_fold(held->what, value.what + 1);
    }
    *held = value;
    if (m->adder != NULL) {
        m->adder[place] = adds ? m->p->cell_storage[cell] : REPLAY_NONE;
    }
    if (m->log != NULL) {
        bool first = alone && adds;
        uint32_t below = stands ? m->log->top[place] : 0;
        m->log->top[place] =
            add_node(m->log, (replay_node){value.who, access, cell, below,
                                           fresh && adds, first});
    }
}

void replay_cells_write(replay_memory *m, uint32_t access, uint64_t value)
{
    const replay_access *x = &m->p->accesses[access];
    if (m->v.without != NULL && m->v.without[access]) {
        return;
    }
    int64_t shift = shift_of(m, x->buffer);
    uint64_t salt = salt_of(access), what = replay_mix2(value, salt);
    bool plain = x->mode == REPLAY_WRITE && x->force == REPLAY_MUST &&
                 m->adder == NULL && m->log == NULL;
    for (uint32_t k = x->first; k < x->first + x->count; k++) {
        replay_cells run = m->p->runs[k];
        bool fresh = is_fresh(m, k);
        for (uint32_t c = run.first; c < run.first + run.count; c++) {
            replay_value v = {of_cell(salt, c), of_cell(what, c)};
            if (plain) {
                m->cells[c + shift] = v;
            } else {
                put(m, access, c, c + shift, fresh, v);
            }
        }
    }
}

/* --- The start --- */

static void start_buffer(replay_memory *m, uint32_t b, uint8_t skipped)
{
    const replay_buffer *buffer = &m->p->buffers[b];
    int64_t shift = shift_of(m, b);
    for (uint32_t c = buffer->first; c < buffer->first + buffer->count; c++) {
        if (m->p->cell_start[c] == skipped) {
            continue;
        }
        uint64_t value = replay_mix2(START_SALT, c);
        m->cells[c + shift] = (replay_value){value, value};
        if (m->log != NULL) {
            m->log->top[c + shift] = add_node(
                m->log, (replay_node){value, REPLAY_START, c, 0, false, false});
        }
    }
}

/* Where two starts have one address, the one that is read counts. */
void replay_cells_start(replay_memory *m)
{
    uint32_t places = m->planned ? m->p->place_count : m->p->cell_count;
    uint64_t nothing = replay_mix2(NOTHING_SALT, m->v.fill);
    m->nothing = (replay_value){nothing, nothing};
    for (uint32_t i = 0; i < places; i++) {
        m->cells[i] = m->nothing;
    }
    for (uint32_t i = 0; m->adder != NULL && i < places; i++) {
        m->adder[i] = REPLAY_NONE;
    }
    if (m->log != NULL) {
        m->log->node_count = m->log->seen_count = 0;
        add_node(m->log,
                 (replay_node){nothing, REPLAY_NOTHING, 0, 0, false, false});
        for (uint32_t i = 0; i < places; i++) {
            m->log->top[i] = 0;
        }
    }
    for (uint32_t pass = 0; pass < (m->planned ? 2 : 1); pass++) {
        for (uint32_t b = 0; b < m->p->buffer_count; b++) {
            const replay_buffer *buffer = &m->p->buffers[b];
            if (buffer->init || buffer->external) {
                start_buffer(m, b, pass == 0 ? 0 : REPLAY_STARTS);
            }
        }
    }
}
