/* A document as the twin sees it: bytes, ops in order, edges as written. */
#include "twin_work.h"

#include <stdlib.h>
#include <string.h>

static const oracle_task *task_of(const twin_model *m, uint32_t t)
{
    return &m->d->tasks[t];
}

static int64_t number_of(const twin_model *m, oracle_affine number)
{
    int64_t sum = number.c;
    for (uint32_t i = 0; i < number.count; i++) {
        const oracle_term *term = &m->d->terms[number.first + i];
        sum += term->coef * m->values[term->symbol];
    }
    return sum;
}

static oracle_place place_of(const oracle_arg *arg, const oracle_access *access)
{
    return (oracle_place){arg->buffer, access->region != ORACLE_NONE
                                           ? access->region
                                           : arg->view};
}

static uint64_t bit_of(int64_t byte)
{
    if (byte < 0 || byte >= TWIN_BYTES) {
        abort();
    }
    return UINT64_C(1) << byte;
}

static uint64_t bytes_of(const twin_model *m, oracle_place p)
{
    const oracle_document *d = m->d;
    const oracle_buffer *b = &d->buffers[p.buffer];
    uint64_t set = 0;
    for (int64_t i = 0; p.region == ORACLE_NONE && i < b->bytes; i++) {
        set |= bit_of(b->storage_at + i);
    }
    if (p.region == ORACLE_NONE) {
        return set;
    }
    const oracle_region *r = &d->regions[p.region];
    int64_t total = 1;
    for (uint32_t i = 0; i < r->count; i++) {
        total *= number_of(m, d->dims[r->first + i].count);
    }
    for (int64_t x = 0; x < total; x++) {
        int64_t at = b->storage_at + number_of(m, r->base), left = x;
        for (uint32_t i = r->count; i-- > 0;) {
            const oracle_dim *dim = &d->dims[r->first + i];
            int64_t count = number_of(m, dim->count);
            at += (left % count + number_of(m, dim->offset)) * dim->stride;
            left /= count;
        }
        for (int64_t e = 0; e < r->elem; e++) {
            set |= bit_of(at + e);
        }
    }
    return set;
}

/* --- Ops --- */

static twin_op *add_op(twin_model *m, uint32_t task, oracle_place p,
                       oracle_mode mode)
{
    if (m->first[task + 1] == TWIN_OPS) {
        abort();
    }
    twin_op *o = &m->ops[m->first[task + 1]++];
    *o = (twin_op){
        .mode = mode,
        .task = task,
        .arg = ORACLE_NONE,
        .storage = m->d->buffers[p.buffer].storage,
        .bytes = bytes_of(m, p),
    };
    return o;
}

/* The reads of an argument, or its writes; `inexact` counts those before. */
static void add_arg(twin_model *m, uint32_t t, uint32_t a, bool writes,
                    uint64_t happen, uint32_t *inexact)
{
    const oracle_arg *arg = &m->d->args[task_of(m, t)->first_arg + a];
    for (uint32_t i = 0; i < arg->accesses; i++) {
        const oracle_access *x = &m->d->accesses[arg->first_access + i];
        bool reads = x->mode == ORACLE_READ || x->mode == ORACLE_READ_WRITE;
        bool happens = x->exact || (happen >> *inexact & 1);
        *inexact += !x->exact;
        if (!happens || (writes ? x->mode == ORACLE_READ : !reads)) {
            continue;
        }
        oracle_mode mode = !writes                        ? ORACLE_READ
                           : x->mode == ORACLE_ACCUMULATE ? ORACLE_ACCUMULATE
                                                          : ORACLE_WRITE;
        twin_op *o = add_op(m, t, place_of(arg, x), mode);
        o->arg = a;
        o->may = !x->must;
        o->counts = !writes && x->must && x->exact && m->present[t] &&
                    !task_of(m, t)->has_predicate;
    }
}

static void add_task(twin_model *m, uint32_t t, uint64_t happen,
                     uint32_t *inexact)
{
    const oracle_task *task = task_of(m, t);
    uint32_t after = *inexact;
    m->first[t + 1] = m->first[t];
    if (task->has_predicate) {
        oracle_place p = {task->predicate_buffer, task->predicate_region};
        twin_op *o = add_op(m, t, p, ORACLE_READ);
        o->operand = true;
        o->counts = m->present[t];
    }
    for (uint32_t pass = 0; pass < 2; pass++) {
        after = *inexact;
        for (uint32_t a = 0; a < task->args; a++) {
            add_arg(m, t, a, pass == 1, happen, &after);
        }
    }
    *inexact = after;
}

/* --- Edges --- */

static bool hold(const twin_model *m, uint32_t first, uint32_t count)
{
    bool all = true;
    for (uint32_t i = 0; m->choices != NULL && i < count; i++) {
        const oracle_when *when = &m->d->whens[first + i];
        all = all && m->choices[when->choice] == when->is;
    }
    return all;
}

/* Whether some byte is in what both tasks are given, by the arguments that the
 * edge names, if it names any. */
static bool views_meet(const twin_model *m, const oracle_edge *e)
{
    const oracle_task *x = task_of(m, e->from), *y = task_of(m, e->to);
    for (uint32_t i = 0; i < x->args; i++) {
        const oracle_arg *p = &m->d->args[x->first_arg + i];
        for (uint32_t k = 0; k < y->args; k++) {
            const oracle_arg *q = &m->d->args[y->first_arg + k];
            bool other = (e->from_arg < x->args && i != e->from_arg) ||
                         (e->to_arg < y->args && k != e->to_arg);
            if (!other && p->kind == ORACLE_ARG_BUFFER &&
                q->kind == ORACLE_ARG_BUFFER &&
                m->d->buffers[p->buffer].storage ==
                    m->d->buffers[q->buffer].storage &&
                (bytes_of(m, (oracle_place){p->buffer, p->view}) &
                 bytes_of(m, (oracle_place){q->buffer, q->view})) != 0) {
                return true;
            }
        }
    }
    return false;
}

static bool is_there(const twin_model *m, const oracle_edge *e,
                     const twin_options *options)
{
    if (e->certain || options == NULL) {
        return true;
    }
    return options->meeting_uncertain ? views_meet(m, e)
                                      : !options->without_uncertain;
}

/* An edge of a task to itself is no order. */
static void add_edge(twin_model *m, uint32_t from, uint32_t to)
{
    if (from != to && m->present[from] && m->present[to]) {
        m->before[to] |= 1u << from;
    }
}

static void add_edges(twin_model *m, const twin_options *options)
{
    const oracle_document *d = m->d;
    for (uint32_t t = 0; t < m->n; t++) {
        for (uint32_t i = 0; i < d->tasks[t].deps; i++) {
            const oracle_dep *dep = &d->deps[d->tasks[t].first_dep + i];
            if (dep->task != ORACLE_NONE &&
                hold(m, dep->first_when, dep->whens)) {
                add_edge(m, dep->task, t);
            }
        }
    }
    for (uint32_t e = 0; e < d->edge_count; e++) {
        if (is_there(m, &d->edges[e], options)) {
            add_edge(m, d->edges[e].from, d->edges[e].to);
        }
    }
}

/* A larger set has a larger number, so each comes after its subsets. */
static void find_sets(twin_model *m)
{
    bool seen[1 << TWIN_TASKS];
    memset(seen, 0, sizeof *seen << m->n);
    seen[0] = true;
    for (uint32_t set = 0; set < 1u << m->n; set++) {
        uint32_t ready = 0;
        for (uint32_t t = 0; seen[set] && t < m->n; t++) {
            if (m->present[t] && !(set >> t & 1) &&
                (m->before[t] & ~set) == 0) {
                ready |= 1u << t;
                seen[set | 1u << t] = true;
            }
        }
        if (seen[set]) {
            m->ready[m->set_count] = (uint16_t)ready;
            m->sets[m->set_count++] = (uint16_t)set;
        }
    }
}

/* --- Storages and addresses --- */

/* The first place of a storage, or of a view of it, from address 0 on. */
static void read_plan(twin_model *m)
{
    for (uint32_t i = 0; i < m->d->allocation_count; i++) {
        const oracle_allocation *a = &m->d->allocations[i];
        if (a->buffer == ORACLE_NONE) {
            continue;
        }
        const oracle_buffer *b = &m->d->buffers[a->buffer];
        if (!m->placed[b->storage] && a->offset >= b->storage_at) {
            m->placed[b->storage] = true;
            m->base[b->storage] = a->offset - b->storage_at;
        }
    }
    for (uint32_t b = 0; b < m->d->buffer_count; b++) {
        const oracle_buffer *buffer = &m->d->buffers[b];
        int64_t end =
            m->base[buffer->storage] + buffer->storage_at + buffer->bytes;
        if (m->placed[buffer->storage] && end > m->addresses) {
            m->addresses = end < TWIN_ADDRESSES ? end : TWIN_ADDRESSES;
        }
    }
}

static void read_buffers(twin_model *m)
{
    if (m->d->buffer_count > TWIN_BUFFERS) {
        abort();
    }
    for (uint32_t b = 0; b < m->d->buffer_count; b++) {
        const oracle_buffer *buffer = &m->d->buffers[b];
        uint64_t bytes = bytes_of(m, (oracle_place){b, ORACLE_NONE});
        if (buffer->external || buffer->init) {
            m->starts[buffer->storage] |= bytes;
        }
        if (buffer->external) {
            m->ends[buffer->storage] |= bytes;
        }
    }
}

bool twin_model_make(twin_model *m, const oracle_document *document,
                     const twin_options *options)
{
    uint32_t inexact = 0;
    memset(m, 0, offsetof(twin_model, ops));
    memset(m->first, 0, sizeof m->first);
    memset(m->before, 0, sizeof m->before);
    memset(&m->set_count, 0, sizeof *m - offsetof(twin_model, set_count));
    m->d = document;
    m->values = options == NULL ? NULL : options->values;
    m->choices = options == NULL ? NULL : options->choices;
    m->n = document->task_count;
    if (m->n > TWIN_TASKS) {
        abort();
    }
    for (uint32_t t = 0; t < m->n; t++) {
        const oracle_task *task = task_of(m, t);
        m->present[t] = hold(m, task->first_when, task->whens);
        m->all |= (uint32_t)m->present[t] << t;
    }
    for (uint32_t t = 0; t < m->n; t++) {
        add_task(m, t, options == NULL ? 0 : options->inexact, &inexact);
    }
    read_buffers(m);
    read_plan(m);
    add_edges(m, options);
    find_sets(m);
    return m->sets[m->set_count - 1] == m->all;
}

/* --- A read of nothing --- */

static bool is_symbolic(const oracle_document *d, oracle_place p)
{
    const oracle_region *r =
        p.region == ORACLE_NONE ? NULL : &d->regions[p.region];
    bool symbolic = r != NULL && r->base.count > 0;
    for (uint32_t i = 0; r != NULL && i < r->count; i++) {
        const oracle_dim *dim = &d->dims[r->first + i];
        symbolic = symbolic || dim->count.count > 0 || dim->offset.count > 0;
    }
    return symbolic;
}

/*
 * The bytes of a storage that tasks before `task` may write; all of them when
 * one writes anywhere at a place with symbols, which stands for others.
 */
static uint64_t filled_before(const twin_model *m, uint32_t storage,
                              uint32_t task)
{
    const oracle_document *d = m->d;
    uint64_t bytes = 0;
    for (uint32_t t = 0; t < m->n; t++) {
        for (uint32_t a = 0; a < d->tasks[t].args; a++) {
            const oracle_arg *arg = &d->args[d->tasks[t].first_arg + a];
            for (uint32_t i = 0; i < arg->accesses; i++) {
                const oracle_access *x = &d->accesses[arg->first_access + i];
                oracle_place p = place_of(arg, x);
                if (x->mode == ORACLE_READ ||
                    d->buffers[p.buffer].storage != storage) {
                    continue;
                }
                if (is_symbolic(d, p) && !d->tasks[t].has_predicate &&
                    x->mode != ORACLE_ACCUMULATE) {
                    return UINT64_MAX;
                }
                bytes |= t < task ? bytes_of(m, p) : 0;
            }
        }
    }
    return bytes;
}

bool twin_nothing_of(const twin_model *m)
{
    for (uint32_t i = 0; i < m->first[m->n]; i++) {
        const twin_op *o = &m->ops[i];
        if (o->counts && o->bytes != 0 &&
            (o->bytes & (m->starts[o->storage] |
                         filled_before(m, o->storage, o->task))) == 0) {
            return true;
        }
    }
    return false;
}
