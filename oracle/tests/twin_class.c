/* Bytes that the same ops touch, and what they hold in program order. */
#include "twin_work.h"

#include <stdlib.h>
#include <string.h>

bool twin_has(const twin_class *c, uint32_t op)
{
    return c->ops[op / 64] >> (op % 64) & 1;
}

/* What of the class need not happen, each with a number of its own. */
static void toss(twin_class *c, const twin_model *m)
{
    memset(c->task_coin, 0xff, sizeof c->task_coin);
    memset(c->op_coin, 0xff, sizeof c->op_coin);
    for (uint32_t i = 0; i < m->first[m->n]; i++) {
        const twin_op *o = &m->ops[i];
        if (!twin_has(c, i) || o->operand) {
            continue;
        }
        if (m->d->tasks[o->task].has_predicate &&
            c->task_coin[o->task] == ORACLE_NONE) {
            c->task_coin[o->task] = c->coins++;
        }
        if (o->may) {
            c->op_coin[i] = c->coins++;
        }
    }
    if (c->coins > TWIN_COINS) {
        abort();
    }
}

static void number_added(twin_class *c, const twin_model *m)
{
    uint32_t numbers = 0;
    for (uint32_t i = 0; i < m->first[m->n]; i++) {
        if (twin_has(c, i) && m->ops[i].mode == ORACLE_ACCUMULATE) {
            c->added[i] = (uint8_t)numbers++;
        }
    }
    if (numbers > 32) {
        abort();
    }
}

void twin_class_at(twin_class *c, const twin_model *m, bool planned,
                   uint32_t storage, int64_t byte)
{
    memset(c, 0, offsetof(twin_class, task_coin));
    c->planned = planned;
    for (uint32_t s = 0; s < m->d->buffer_count; s++) {
        int64_t at = planned ? byte - m->base[s] : byte;
        const oracle_buffer *b = &m->d->buffers[s];
        bool is_here = b->storage == s && at >= 0 && at < b->bytes &&
                       (planned ? m->placed[s] : s == storage);
        if (!is_here) {
            continue;
        }
        c->storages |= 1u << s;
        c->starts |= (uint32_t)(m->starts[s] >> at & 1) << s;
        c->ends |= (uint32_t)(m->ends[s] >> at & 1) << s;
        for (uint32_t i = 0; i < m->first[m->n]; i++) {
            if (m->ops[i].storage == s && (m->ops[i].bytes >> at & 1)) {
                c->ops[i / 64] |= UINT64_C(1) << (i % 64);
            }
        }
    }
    toss(c, m);
    number_added(c, m);
}

#define KNOWN 64

static bool same_class(const twin_class *a, const twin_class *b)
{
    return memcmp(a->ops, b->ops, sizeof a->ops) == 0 &&
           a->storages == b->storages && a->starts == b->starts &&
           a->ends == b->ends;
}

bool twin_classes(const twin_model *m, bool planned,
                  bool (*ask)(const twin_model *m, const twin_class *c))
{
    twin_class known[KNOWN];
    uint32_t count = 0, storages = planned ? 1 : m->d->buffer_count;
    bool none = true;
    for (uint32_t s = 0; s < storages; s++) {
        for (int64_t b = 0; none && b < (planned ? m->addresses : TWIN_BYTES);
             b++) {
            twin_class *c = &known[count];
            uint32_t i = 0;
            twin_class_at(c, m, planned, s, b);
            while (c->storages != 0 && i < count && !same_class(&known[i], c)) {
                i++;
            }
            if (c->storages != 0 && i == count) {
                none = !ask(m, c);
                count += count + 1 < KNOWN; /* else it is asked again */
            }
        }
    }
    return none;
}

bool twin_happens(const twin_model *m, const twin_class *c, uint32_t op,
                  uint32_t happens)
{
    const twin_op *o = &m->ops[op];
    uint32_t task = c->task_coin[o->task], own = c->op_coin[op];
    return m->present[o->task] &&
           (o->operand || task == ORACLE_NONE || (happens >> task & 1)) &&
           (own == ORACLE_NONE || (happens >> own & 1));
}

/* The accumulations to a storage, as bits. */
static twin_value all_added(const twin_model *m, const twin_class *c,
                            uint32_t storage)
{
    twin_value all = 0;
    for (uint32_t i = 0; i < m->first[m->n]; i++) {
        if (twin_has(c, i) && m->ops[i].storage == storage &&
            m->ops[i].mode == ORACLE_ACCUMULATE) {
            all |= UINT64_C(1) << c->added[i];
        }
    }
    return all;
}

twin_value twin_touch_at(const twin_model *m, const twin_class *c,
                         const twin_expected *e, uint32_t op, twin_value value)
{
    bool first = c->planned && m->ops[op].mode == ORACLE_ACCUMULATE &&
                 e->op[op] >> 32 == TWIN_NOTHING &&
                 (value & all_added(m, c, m->ops[op].storage)) == 0;
    return twin_touch(m, c, op, first ? TWIN_NOTHING : value);
}

twin_value twin_touch(const twin_model *m, const twin_class *c, uint32_t op,
                      twin_value value)
{
    switch (m->ops[op].mode) {
    case ORACLE_READ:
        return value;
    case ORACLE_ACCUMULATE:
        return value | UINT64_C(1) << c->added[op];
    default:
        return (twin_value)(TWIN_WRITTEN + op) << 32;
    }
}

bool twin_differs(const twin_class *c, twin_value expected, twin_value seen)
{
    /* What nobody wrote is not another's value on a common address. */
    bool counts = !c->planned || expected != TWIN_NOTHING;
    return counts && expected != seen;
}

void twin_expect(twin_expected *e, const twin_model *m, const twin_class *c,
                 uint32_t happens)
{
    for (uint32_t s = 0; s < m->d->buffer_count; s++) {
        if (!(c->storages >> s & 1)) {
            continue;
        }
        twin_value value = c->starts >> s & 1
                               ? (twin_value)(TWIN_START + s) << 32
                               : TWIN_NOTHING;
        for (uint32_t i = 0; i < m->first[m->n]; i++) {
            if (m->ops[i].storage == s && twin_has(c, i) &&
                twin_happens(m, c, i, happens)) {
                e->op[i] = value;
                value = twin_touch(m, c, i, value);
            }
        }
        e->end[s] = value;
    }
}

/* Whether a read, or the caller, is to see what was there at the start. */
static bool start_counts(const twin_expected *e, const twin_model *m,
                         const twin_class *c, uint32_t happens,
                         uint32_t storage)
{
    twin_value start = (twin_value)(TWIN_START + storage);
    bool counts = false;
    if (c->ends >> storage & 1) {
        counts = e->end[storage] >> 32 == start;
    }
    for (uint32_t i = 0; i < m->first[m->n]; i++) {
        counts = counts ||
                 (m->ops[i].storage == storage && twin_has(c, i) &&
                  m->ops[i].mode == ORACLE_READ &&
                  twin_happens(m, c, i, happens) && e->op[i] >> 32 == start);
    }
    return counts;
}

uint32_t twin_starts(twin_value starts[TWIN_BUFFERS], const twin_expected *e,
                     const twin_model *m, const twin_class *c, uint32_t happens)
{
    twin_value any = TWIN_NOTHING;
    uint32_t count = 0;
    for (uint32_t s = 0; s < m->d->buffer_count; s++) {
        if (!(c->starts >> s & 1)) {
            continue;
        }
        any = (twin_value)(TWIN_START + s) << 32;
        if (start_counts(e, m, c, happens, s)) {
            starts[count++] = any;
        }
    }
    if (count == 0) {
        starts[count++] = any;
    }
    return count;
}
