/* The questions to the twin, and the down-sets by which it answers them. */
#include "twin_work.h"

#include <stdlib.h>
#include <string.h>

/* Contents that a byte can have after one set of tasks: a list. */
typedef struct cell {
    twin_value value;
    uint32_t next;
} cell;

typedef struct reach {
    const twin_model *m;
    const twin_class *c;
    twin_expected expected;
    uint32_t happens;
    uint16_t touching; /* tasks with an op of the class */
    uint32_t head[1 << TWIN_TASKS];
    cell *cells;
    uint32_t count, room;
} reach;

static void put(reach *r, uint32_t set, twin_value value)
{
    for (uint32_t i = r->head[set]; i != 0; i = r->cells[i].next) {
        if (r->cells[i].value == value) {
            return;
        }
    }
    if (r->count == r->room) {
        r->room *= 2;
        cell *grown = realloc(r->cells, r->room * sizeof *grown);
        if (grown == NULL) {
            abort();
        }
        r->cells = grown;
    }
    r->cells[r->count] = (cell){value, r->head[set]};
    r->head[set] = r->count++;
}

/* Runs a task; false: a read sees a wrong value. */
static bool run_task(const reach *r, uint32_t task, twin_value *value)
{
    for (uint32_t i = r->m->first[task]; i < r->m->first[task + 1]; i++) {
        if (!twin_has(r->c, i) || !twin_happens(r->m, r->c, i, r->happens)) {
            continue;
        }
        if (r->m->ops[i].mode == ORACLE_READ &&
            twin_differs(r->c, r->expected.op[i], *value)) {
            return false;
        }
        *value = twin_touch_at(r->m, r->c, &r->expected, i, *value);
    }
    return true;
}

/* The caller reads external buffers after the last task. */
static bool right_at_end(const reach *r, twin_value value)
{
    for (uint32_t s = 0; s < TWIN_BUFFERS; s++) {
        if ((r->c->ends >> s & 1) &&
            twin_differs(r->c, r->expected.end[s], value)) {
            return false;
        }
    }
    return true;
}

static bool run_set(reach *r, uint32_t index)
{
    const twin_model *m = r->m;
    uint32_t set = m->sets[index];
    for (uint32_t i = r->head[set]; i != 0; i = r->cells[i].next) {
        if (set == m->all && !right_at_end(r, r->cells[i].value)) {
            return false;
        }
        for (uint32_t t = 0; t < m->n; t++) {
            twin_value value = r->cells[i].value;
            if (!(m->ready[index] >> t & 1)) {
                continue;
            }
            if ((r->touching >> t & 1) && !run_task(r, t, &value)) {
                return false;
            }
            put(r, set | 1u << t, value);
        }
    }
    return true;
}

static void put_start(reach *r)
{
    twin_value starts[TWIN_BUFFERS];
    uint32_t count = twin_starts(starts, &r->expected, r->m, r->c, r->happens);
    for (uint32_t i = 0; i < count; i++) {
        put(r, 0, starts[i]);
    }
}

static bool right_with(reach *r)
{
    for (uint32_t i = 0; i < r->m->set_count; i++) {
        r->head[r->m->sets[i]] = 0;
    }
    r->count = 1; /* 0 ends a list */
    twin_expect(&r->expected, r->m, r->c, r->happens);
    put_start(r);
    for (uint32_t i = 0; i < r->m->set_count; i++) {
        if (!run_set(r, i)) {
            return false;
        }
    }
    return true;
}

static bool class_wrong(const twin_model *m, const twin_class *c)
{
    reach r;
    r.m = m;
    r.c = c;
    r.room = 512;
    r.cells = malloc(r.room * sizeof *r.cells);
    r.touching = 0;
    if (r.cells == NULL) {
        abort();
    }
    for (uint32_t i = 0; i < m->first[m->n]; i++) {
        if (twin_has(c, i)) {
            r.touching |= (uint16_t)(1u << m->ops[i].task);
        }
    }
    bool right = true;
    for (r.happens = 0; right && r.happens < 1u << c->coins; r.happens++) {
        right = right_with(&r);
    }
    free(r.cells);
    return !right;
}

/* --- One order --- */

static bool order_wrong_with(const twin_model *m, const twin_class *c,
                             const uint32_t *order, uint32_t happens)
{
    reach r;
    twin_value starts[TWIN_BUFFERS];
    r.m = m;
    r.c = c;
    r.happens = happens;
    twin_expect(&r.expected, m, c, happens);
    if (twin_starts(starts, &r.expected, m, c, happens) > 1) {
        return true; /* whichever is there, the other is read */
    }
    twin_value value = starts[0];
    for (uint32_t i = 0; i < (uint32_t)__builtin_popcount(m->all); i++) {
        if (!run_task(&r, order[i], &value)) {
            return true;
        }
    }
    return !right_at_end(&r, value);
}

bool twin_class_in_order(const twin_model *m, const twin_class *c)
{
    uint32_t order[TWIN_TASKS], count = 0;
    bool wrong = false;
    for (uint32_t t = 0; t < m->n; t++) {
        if (m->present[t]) {
            order[count++] = t;
        }
    }
    for (uint32_t h = 0; !wrong && h < 1u << c->coins; h++) {
        wrong = order_wrong_with(m, c, order, h);
    }
    return wrong;
}

static bool order_wrong(const twin_model *m, bool planned,
                        const uint32_t *order)
{
    uint32_t count = planned ? 1 : TWIN_BUFFERS;
    uint32_t bytes = planned ? (uint32_t)m->addresses : TWIN_BYTES;
    for (uint32_t s = 0; s < count; s++) {
        for (uint32_t b = 0; b < bytes; b++) {
            twin_class c;
            twin_class_at(&c, m, planned, s, b);
            for (uint32_t h = 0; h < 1u << c.coins; h++) {
                if (order_wrong_with(m, &c, order, h)) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* --- The questions --- */

static bool ask(const oracle_document *document, const twin_options *options,
                bool planned)
{
    twin_model m;
    if (!twin_model_make(&m, document, options)) {
        return false;
    }
    return options != NULL && options->order != NULL
               ? order_wrong(&m, planned, options->order)
               : !twin_classes(&m, planned, class_wrong);
}

bool twin_nothing(const oracle_document *document, const twin_options *options)
{
    twin_model m;
    return twin_model_make(&m, document, options) && twin_nothing_of(&m);
}

bool twin_hazard(const oracle_document *document, const twin_options *options)
{
    return ((options == NULL || !options->trust_content) &&
            twin_nothing(document, options)) ||
           ask(document, options, false);
}

bool twin_memory(const oracle_document *document, const twin_options *options)
{
    return document->has_plan && ask(document, options, true);
}

bool twin_wrong(const oracle_document *document, const twin_options *options)
{
    return twin_hazard(document, options) || twin_memory(document, options);
}

bool twin_before(const oracle_document *document, const twin_options *options,
                 uint32_t from, uint32_t to)
{
    twin_model m;
    uint32_t reached = 1u << from;
    twin_model_make(&m, document, options);
    for (uint32_t round = 0; round < m.n; round++) {
        for (uint32_t t = 0; t < m.n; t++) {
            if ((m.before[t] & reached) != 0 && m.present[t]) {
                reached |= 1u << t;
            }
        }
    }
    return from != to && (reached >> to & 1);
}

bool twin_cyclic(const oracle_document *document, const twin_options *options)
{
    twin_model m;
    return !twin_model_make(&m, document, options);
}

bool twin_external(const oracle_document *document)
{
    twin_model m;
    uint64_t used = 0;
    twin_model_make(&m, document, NULL);
    for (uint32_t b = 0; b < document->buffer_count; b++) {
        used |= m.ends[b] != 0 ? UINT64_C(1) << b : 0;
    }
    for (uint32_t i = 0; i < m.first[m.n]; i++) {
        used |= UINT64_C(1) << m.ops[i].storage;
    }
    for (int64_t at = 0; at < m.addresses; at++) {
        twin_class c;
        twin_class_at(&c, &m, true, 0, at);
        uint64_t here = c.storages & used;
        if (c.ends != 0 && (here & (here - 1)) != 0) {
            return true;
        }
    }
    return false;
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
