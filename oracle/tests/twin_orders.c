/* Every order, one by one: what the twin's down-sets must agree with. */
#include "twin_work.h"

#include <stdlib.h>

#define CLASSES 64

/* All bytes at once; `happens` by class. */
typedef struct orders {
    const twin_model *m;
    twin_class classes[CLASSES];
    twin_expected expected[CLASSES];
    uint32_t happens[CLASSES], count;
} orders;

typedef struct contents {
    twin_value of[CLASSES];
} contents;

static bool run_task(const orders *o, uint32_t task, contents *now)
{
    for (uint32_t i = o->m->first[task]; i < o->m->first[task + 1]; i++) {
        for (uint32_t k = 0; k < o->count; k++) {
            const twin_class *c = &o->classes[k];
            if (!twin_has(c, i) || !twin_happens(o->m, c, i, o->happens[k])) {
                continue;
            }
            if (o->m->ops[i].mode == ORACLE_READ &&
                twin_differs(c, o->expected[k].op[i], now->of[k])) {
                return false;
            }
            now->of[k] = twin_touch_at(o->m, c, &o->expected[k], i, now->of[k]);
        }
    }
    return true;
}

static bool right_at_end(const orders *o, const contents *now)
{
    for (uint32_t k = 0; k < o->count; k++) {
        for (uint32_t s = 0; s < TWIN_BUFFERS; s++) {
            if ((o->classes[k].ends >> s & 1) &&
                twin_differs(&o->classes[k], o->expected[k].end[s],
                             now->of[k])) {
                return false;
            }
        }
    }
    return true;
}

/* False when this way on, or another, a read is wrong. */
static bool go_on(const orders *o, const contents *now, uint32_t done)
{
    if (done == o->m->all) {
        return right_at_end(o, now);
    }
    for (uint32_t t = 0; t < o->m->n; t++) {
        if ((o->m->all >> t & 1) && !(done >> t & 1) &&
            (o->m->before[t] & ~done) == 0) {
            contents next = *now;
            if (!run_task(o, t, &next) || !go_on(o, &next, done | 1u << t)) {
                return false;
            }
        }
    }
    return true;
}

static bool right_orders(orders *o)
{
    contents start;
    for (uint32_t k = 0; k < o->count; k++) {
        const twin_class *c = &o->classes[k];
        twin_value starts[TWIN_BUFFERS];
        twin_expect(&o->expected[k], o->m, c, o->happens[k]);
        if (twin_starts(starts, &o->expected[k], o->m, c, o->happens[k]) > 1) {
            return false; /* whichever is there, the other is read */
        }
        start.of[k] = starts[0];
    }
    return go_on(o, &start, 0);
}

/* The coins of the document: those of a class are among them. */
static bool right_executions(orders *o)
{
    uint32_t tasks[TWIN_TASKS], ops[TWIN_OPS], coins = 0;
    for (uint32_t t = 0; t < o->m->n; t++) {
        tasks[t] = o->m->d->tasks[t].has_predicate ? coins++ : 0;
    }
    for (uint32_t i = 0; i < o->m->first[o->m->n]; i++) {
        ops[i] = o->m->ops[i].may ? coins++ : 0;
    }
    for (uint32_t happens = 0; happens < 1u << coins; happens++) {
        for (uint32_t k = 0; k < o->count; k++) {
            const twin_class *c = &o->classes[k];
            o->happens[k] = 0;
            for (uint32_t t = 0; t < o->m->n; t++) {
                if (c->task_coin[t] != ORACLE_NONE) {
                    o->happens[k] |= (happens >> tasks[t] & 1)
                                     << c->task_coin[t];
                }
            }
            for (uint32_t i = 0; i < o->m->first[o->m->n]; i++) {
                if (c->op_coin[i] != ORACLE_NONE) {
                    o->happens[k] |= (happens >> ops[i] & 1) << c->op_coin[i];
                }
            }
        }
        if (!right_orders(o)) {
            return false;
        }
    }
    return true;
}

static bool wrong(const twin_model *m, bool planned)
{
    orders *o = malloc(sizeof *o);
    if (o == NULL) {
        abort();
    }
    o->m = m;
    o->count = 0;
    for (uint32_t s = 0; s < (planned ? 1 : m->d->buffer_count); s++) {
        for (int64_t b = 0; b < (planned ? m->addresses : TWIN_BYTES); b++) {
            if (o->count == CLASSES) {
                abort();
            }
            twin_class_at(&o->classes[o->count], m, planned, s, b);
            o->count += o->classes[o->count].storages != 0;
        }
    }
    bool right = right_executions(o);
    free(o);
    return !right;
}

bool twin_orders(const oracle_document *document, const twin_options *options)
{
    twin_model m;
    return twin_model_make(&m, document, options) &&
           (twin_nothing_of(&m) || wrong(&m, false) ||
            (document->has_plan && wrong(&m, true)));
}
