#include "twin.h"

#include <stdlib.h>
#include <string.h>

#define TASKS 8
#define BYTES 16
#define OPS 64
#define ADDRESSES 32

typedef struct op {
    oracle_mode mode; /* read, write or accumulate */
    uint32_t storage;
    uint32_t bytes; /* bit set */
    bool may;       /* need not happen when the task runs */
    uint32_t bit;   /* which one of those */
    bool operand;
    bool counts; /* as a read that must have a value */
} op;

/* What a byte holds: a plain write, and accumulations since. */
typedef struct value {
    uint16_t plain;
    uint32_t added;
} value;

/* By storage and byte; with a memory plan by address, where there is one. */
typedef struct memory {
    value byte[TASKS][BYTES];
    value address[ADDRESSES];
} memory;

typedef struct twin {
    const oracle_document *d;
    const int64_t *values;
    uint32_t n;
    op ops[OPS];
    uint32_t first[TASKS + 1];
    uint32_t before[TASKS];
    bool predicated[TASKS];
    uint32_t predicate_bit[TASKS];
    uint32_t bits;
    uint32_t happens; /* of this execution */
    memory start;
    value expected[OPS][BYTES];
    memory end;
    bool recording, wrong;
    const uint32_t *order;
    bool placed[TASKS];
    int64_t base[TASKS];
} twin;

static void read_plan(twin *w)
{
    for (uint32_t i = 0; i < w->d->allocation_count; i++) {
        const oracle_allocation *a = &w->d->allocations[i];
        const oracle_buffer *b = &w->d->buffers[a->buffer];
        w->placed[b->storage] = true;
        w->base[b->storage] = a->offset - b->storage_at;
    }
}

/* In program order for itself each storage is alone. */
static value *value_at(const twin *w, memory *m, uint32_t storage, int64_t byte)
{
    return w->recording || !w->placed[storage]
               ? &m->byte[storage][byte]
               : &m->address[w->base[storage] + byte];
}

static bool has_value(const twin *w, uint32_t storage, const value *v)
{
    const oracle_buffer *b = &w->d->buffers[storage];
    return !w->placed[storage] || v->plain != 0 || b->external || b->init;
}

static int64_t number_of(const twin *w, oracle_affine number)
{
    int64_t sum = number.c;
    for (uint32_t i = 0; i < number.count; i++) {
        const oracle_term *term = &w->d->terms[number.first + i];
        sum += term->coef * w->values[term->symbol];
    }
    return sum;
}

static uint32_t bytes_of(const twin *w, oracle_place p)
{
    const oracle_document *d = w->d;
    const oracle_buffer *b = &d->buffers[p.buffer];
    uint32_t set = 0;
    if (p.region == ORACLE_NONE) {
        for (int64_t i = 0; i < b->bytes; i++) {
            set |= 1u << (b->storage_at + i);
        }
        return set;
    }
    const oracle_region *r = &d->regions[p.region];
    int64_t total = 1;
    for (uint32_t i = 0; i < r->count; i++) {
        total *= number_of(w, d->dims[r->first + i].count);
    }
    for (int64_t x = 0; x < total; x++) {
        int64_t at = b->storage_at + number_of(w, r->base), left = x;
        for (uint32_t i = r->count; i-- > 0;) {
            const oracle_dim *dim = &d->dims[r->first + i];
            int64_t count = number_of(w, dim->count);
            at += (left % count + number_of(w, dim->offset)) * dim->stride;
            left /= count;
        }
        for (int64_t e = 0; e < r->elem; e++) {
            set |= 1u << (at + e);
        }
    }
    return set;
}

static void add_op(twin *w, oracle_place p, oracle_mode mode, bool must)
{
    op *o = &w->ops[w->first[w->n + 1]++];
    *o = (op){
        .mode = mode,
        .storage = w->d->buffers[p.buffer].storage,
        .bytes = bytes_of(w, p),
        .may = !must,
    };
    if (!must) {
        o->bit = w->bits++;
    }
}

/* The accesses of one task: reads first, then writes. */
static void add_accesses(twin *w, const oracle_task *task, bool writes,
                         uint64_t inexact, uint32_t inexact_first)
{
    for (uint32_t a = 0; a < task->args; a++) {
        const oracle_arg *arg = &w->d->args[task->first_arg + a];
        for (uint32_t i = 0; i < arg->accesses; i++) {
            const oracle_access *x = &w->d->accesses[arg->first_access + i];
            oracle_place p = oracle_access_place(arg, x);
            uint32_t number = inexact_first;
            bool reads = x->mode == ORACLE_READ || x->mode == ORACLE_READ_WRITE;
            inexact_first += !x->exact;
            if (!x->exact && !(inexact >> number & 1)) {
                continue;
            }
            if (!writes && reads) {
                add_op(w, p, ORACLE_READ, x->must);
                w->ops[w->first[w->n + 1] - 1].counts =
                    x->must && x->exact && !task->has_predicate;
            }
            if (writes && x->mode != ORACLE_READ) {
                add_op(w, p,
                       x->mode == ORACLE_ACCUMULATE ? ORACLE_ACCUMULATE
                                                    : ORACLE_WRITE,
                       x->must);
            }
        }
    }
}

static void add_task(twin *w, uint64_t inexact, uint32_t *inexact_first)
{
    const oracle_task *task = &w->d->tasks[w->n];
    w->first[w->n + 1] = w->first[w->n];
    if (task->has_predicate) {
        oracle_place p = {task->predicate_buffer, task->predicate_region};
        add_op(w, p, ORACLE_READ, true);
        w->ops[w->first[w->n]].operand = true;
        w->ops[w->first[w->n]].counts = true;
        w->predicated[w->n] = true;
        w->predicate_bit[w->n] = w->bits++;
    }
    add_accesses(w, task, false, inexact, *inexact_first);
    add_accesses(w, task, true, inexact, *inexact_first);
    for (uint32_t a = 0; a < task->args; a++) {
        const oracle_arg *arg = &w->d->args[task->first_arg + a];
        for (uint32_t i = 0; i < arg->accesses; i++) {
            *inexact_first += !w->d->accesses[arg->first_access + i].exact;
        }
    }
    w->n++;
}

static void add_edges(twin *w, bool uncertain)
{
    for (uint32_t t = 0; t < w->n; t++) {
        for (uint32_t i = 0; i < w->d->tasks[t].deps; i++) {
            uint32_t from = w->d->deps[w->d->tasks[t].first_dep + i].task;
            if (from != ORACLE_NONE) {
                w->before[t] |= 1u << from;
            }
        }
    }
    for (uint32_t e = 0; e < w->d->edge_count; e++) {
        if (w->d->edges[e].certain || uncertain) {
            w->before[w->d->edges[e].to] |= 1u << w->d->edges[e].from;
        }
    }
}

static bool happens(const twin *w, uint32_t task, const op *o)
{
    if (w->predicated[task] && !o->operand &&
        !(w->happens >> w->predicate_bit[task] & 1)) {
        return false;
    }
    return !o->may || (w->happens >> o->bit & 1);
}

static void touch(twin *w, memory *m, uint32_t index, uint32_t task)
{
    const op *o = &w->ops[index];
    for (uint32_t b = 0; b < BYTES; b++) {
        if (!(o->bytes >> b & 1)) {
            continue;
        }
        value *v = value_at(w, m, o->storage, b);
        if (o->mode == ORACLE_WRITE) {
            *v = (value){(uint16_t)(2 + index), 0};
        } else if (o->mode == ORACLE_ACCUMULATE) {
            v->added |= 1u << (task + TASKS * (o->storage % 4));
        } else if (w->recording) {
            w->expected[index][b] = *v;
        } else if (has_value(w, o->storage, &w->expected[index][b]) &&
                   (v->plain != w->expected[index][b].plain ||
                    v->added != w->expected[index][b].added)) {
            w->wrong = true;
        }
    }
}

static void run(twin *w, memory *m, uint32_t task)
{
    for (uint32_t i = w->first[task]; i < w->first[task + 1]; i++) {
        if (happens(w, task, &w->ops[i])) {
            touch(w, m, i, task);
        }
    }
}

/* The caller reads external buffers after the last task. */
static void compare_end(twin *w, memory *m)
{
    for (uint32_t b = 0; b < w->d->buffer_count; b++) {
        const oracle_buffer *buffer = &w->d->buffers[b];
        for (int64_t i = 0; buffer->external && i < buffer->bytes; i++) {
            const value *x =
                value_at(w, m, buffer->storage, buffer->storage_at + i);
            const value *y =
                &w->end.byte[buffer->storage][buffer->storage_at + i];
            w->wrong = w->wrong || x->plain != y->plain || x->added != y->added;
        }
    }
}

static void try_orders(twin *w, memory *m, uint32_t done)
{
    if (done == (1u << w->n) - 1) {
        compare_end(w, m);
    }
    for (uint32_t t = 0; t < w->n && !w->wrong; t++) {
        if (!(done >> t & 1) && (w->before[t] & ~done) == 0) {
            memory next = *m;
            run(w, &next, t);
            try_orders(w, &next, done | 1u << t);
        }
    }
}

static void try_order(twin *w, memory *m)
{
    for (uint32_t i = 0; i < w->n; i++) {
        run(w, m, w->order[i]);
    }
    compare_end(w, m);
}

static void fill_start(twin *w)
{
    for (uint32_t b = 0; b < w->d->buffer_count; b++) {
        const oracle_buffer *buffer = &w->d->buffers[b];
        bool has = buffer->external || buffer->init;
        for (int64_t i = 0; has && i < buffer->bytes; i++) {
            int64_t byte = buffer->storage_at + i;
            w->start.byte[buffer->storage][byte].plain = 1;
            value_at(w, &w->start, buffer->storage, byte)->plain = 1;
        }
    }
}

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
static uint32_t filled_before(const twin *w, uint32_t storage, uint32_t task)
{
    const oracle_document *d = w->d;
    uint32_t bytes = 0;
    for (uint32_t t = 0; t < w->n; t++) {
        for (uint32_t a = 0; a < d->tasks[t].args; a++) {
            const oracle_arg *arg = &d->args[d->tasks[t].first_arg + a];
            for (uint32_t i = 0; i < arg->accesses; i++) {
                const oracle_access *x = &d->accesses[arg->first_access + i];
                oracle_place p = oracle_access_place(arg, x);
                if (x->mode == ORACLE_READ ||
                    d->buffers[p.buffer].storage != storage) {
                    continue;
                }
                if (is_symbolic(d, p) && !d->tasks[t].has_predicate &&
                    x->mode != ORACLE_ACCUMULATE) {
                    return UINT32_MAX;
                }
                bytes |= t < task ? bytes_of(w, p) : 0;
            }
        }
    }
    return bytes;
}

/* A read that must happen, and nothing of it may be written before. */
static bool reads_nothing(const twin *w)
{
    for (uint32_t t = 0; t < w->n; t++) {
        for (uint32_t i = w->first[t]; i < w->first[t + 1]; i++) {
            const op *o = &w->ops[i];
            uint32_t has = filled_before(w, o->storage, t);
            for (uint32_t b = 0; b < BYTES; b++) {
                has |= w->start.byte[o->storage][b].plain != 0 ? 1u << b : 0;
            }
            if (o->counts && o->bytes != 0 && (o->bytes & has) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool wrong(const oracle_document *document, const twin_options *options,
                  bool planned)
{
    twin w;
    uint32_t inexact_first = 0;
    memset(&w, 0, sizeof w);
    w.d = document;
    w.values = options == NULL ? NULL : options->values;
    w.order = options == NULL ? NULL : options->order;
    for (uint32_t t = 0; t < document->task_count; t++) {
        add_task(&w, options == NULL ? 0 : options->inexact, &inexact_first);
    }
    if (planned) {
        read_plan(&w);
    }
    add_edges(&w, options == NULL || !options->without_uncertain);
    fill_start(&w);
    bool trusted = options != NULL && options->trust_content;
    if (!trusted && reads_nothing(&w)) {
        return true;
    }
    for (w.happens = 0; w.happens < 1u << w.bits && !w.wrong; w.happens++) {
        w.recording = true;
        w.end = w.start;
        for (uint32_t t = 0; t < w.n; t++) {
            run(&w, &w.end, t);
        }
        w.recording = false;
        memory m = w.start;
        if (w.order != NULL) {
            try_order(&w, &m);
        } else {
            try_orders(&w, &m, 0);
        }
    }
    return w.wrong;
}

bool twin_wrong(const oracle_document *document, const twin_options *options)
{
    return wrong(document, options, false) ||
           (document->has_plan && wrong(document, options, true));
}

static bool is_decided(const oracle_finding *finding)
{
    static const char *const rules[] = {
        "hazard.raw",           "hazard.waw",      "hazard.war",
        "hazard.uninitialised", "predicate.stale", "memory.overlap",
        "memory.parallel-reuse"};
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        if (strcmp(finding->rule, rules[r]) == 0) {
            return true;
        }
    }
    return strcmp(finding->rule, "memory.external") == 0 &&
           strstr(finding->json, "\"order\"") != NULL;
}

uint32_t twin_errors(const oracle_judgement *judgement)
{
    uint32_t errors = 0;
    for (uint32_t i = 0; i < judgement->count; i++) {
        errors += judgement->findings[i].severity == ORACLE_ERROR &&
                  is_decided(&judgement->findings[i]);
    }
    return errors;
}
