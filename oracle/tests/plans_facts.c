/* What documents say of each other, by the words of the formats (spec 01-06).
 */
#include "plans.h"

#include "twin.h"

#include <string.h>

const char *const plan_fact_rules[PLAN_FACTS] = {
    "graph.cycle",        "graph.self-edge",          "graph.edge-end",
    "score.valid",        "task.self-overlap",        "memory.bounds",
    "memory.peak",        "memory.alignment",         "memory.alias-split",
    "score.fingerprint",  "handle.func-missing",      "handle.binding-missing",
    "handle.binding-key", "handle.binding-direction", "hbg.args",
    "hbg.task",           "hbg.scalar-lost",
};

static uint32_t fact(bool holds, plan_fact which)
{
    return holds ? 1u << which : 0;
}

/* --- Edges --- */

static bool is_task(const plan *p, int64_t id)
{
    bool is = false;
    for (uint32_t t = 0; t < p->task_count; t++) {
        is = is || p->tasks[t].id == id;
    }
    return is;
}

static uint32_t edge_facts(const plan *p)
{
    bool self = false, end = false;
    maker m;
    plan_document(p, &m);
    bool cycle = twin_cyclic(&m.document, NULL);
    for (uint32_t i = 0; i < p->edge_count; i++) {
        const plan_edge *e = &p->edges[i];
        self = self || e->from == e->to;
        end = end || !is_task(p, e->from) || !is_task(p, e->to);
    }
    return fact(cycle, PLAN_CYCLE) | fact(self, PLAN_SELF_EDGE) |
           fact(end, PLAN_EDGE_END) |
           fact(!p->graph && (cycle || self || end), PLAN_SCORE_VALID);
}

/* --- One task --- */

static bool has_byte(const plan *p, const plan_arg *a, int64_t byte)
{
    const plan_key *k = &p->keys[a->key];
    bool has = false;
    int64_t count = a->count == 0 ? k->bytes : a->count;
    for (int64_t i = 0; i < count; i++) {
        int64_t at = a->count == 0 ? i : a->begin + i * a->stride;
        has = has || k->alias_at + at == byte;
    }
    return has;
}

/* Two arguments write a byte; but what both add is one sum. */
static bool overlap(const plan *p, const plan_arg *a, const plan_arg *b)
{
    uint32_t x = p->keys[a->key].alias_of, y = p->keys[b->key].alias_of;
    bool meet = false;
    if (a->way == PLAN_SCALAR || b->way == PLAN_SCALAR || a->way == PLAN_READ ||
        b->way == PLAN_READ || (a->way == PLAN_ADD && b->way == PLAN_ADD) ||
        (x == ORACLE_NONE ? a->key : x) != (y == ORACLE_NONE ? b->key : y)) {
        return false;
    }
    for (int64_t byte = 0; byte < 64; byte++) {
        meet = meet || (has_byte(p, a, byte) && has_byte(p, b, byte));
    }
    return meet;
}

static uint32_t task_facts(const plan *p)
{
    bool meet = false;
    for (uint32_t t = 0; t < p->task_count; t++) {
        const plan_task *task = &p->tasks[t];
        for (uint32_t i = 0; i < task->arg_count; i++) {
            for (uint32_t k = 0; k < i; k++) {
                meet = meet || overlap(p, &task->args[k], &task->args[i]);
            }
        }
    }
    return fact(meet, PLAN_SELF_OVERLAP);
}

/* --- Places --- */

/* Where a storage starts by this place. */
static int64_t base_of(const plan *p, const plan_place *x)
{
    return x->offset - p->keys[x->key].alias_at;
}

static uint32_t storage_of(const plan *p, const plan_place *x)
{
    uint32_t of = p->keys[x->key].alias_of;
    return of == ORACLE_NONE ? x->key : of;
}

static uint32_t place_facts(const plan *p)
{
    bool bounds = false, align = false, split = false;
    int64_t peak = 0;
    for (uint32_t i = 0; i < p->place_count; i++) {
        const plan_place *x = &p->places[i];
        const plan_key *k = &p->keys[x->key];
        peak = x->offset + x->size > peak ? x->offset + x->size : peak;
        bounds = bounds || x->offset < 0 || base_of(p, x) < 0 ||
                 (p->graph && k->bytes > x->size);
        align = align || x->offset % k->align != 0;
        for (uint32_t o = 0; o < i; o++) {
            const plan_place *y = &p->places[o];
            /* A place before 0 is no address, so nothing is apart from it. */
            split = split || (storage_of(p, x) == storage_of(p, y) &&
                              base_of(p, x) != base_of(p, y) &&
                              x->offset >= 0 && y->offset >= 0);
        }
    }
    return fact(bounds, PLAN_BOUNDS) | fact(align, PLAN_ALIGNMENT) |
           fact(split, PLAN_SPLIT) | fact(peak != p->peak, PLAN_PEAK);
}

/* --- The handle --- */

/* The last binding of an argument; NULL: none. */
static const plan_binding *bound(const plan *p, int64_t task, uint32_t arg)
{
    const plan_binding *last = NULL;
    for (uint32_t b = 0; b < p->binding_count; b++) {
        if (p->bindings[b].task == task && p->bindings[b].arg == arg) {
            last = &p->bindings[b];
        }
    }
    return last;
}

static uint32_t binding_facts(const plan *p)
{
    uint32_t facts = 0;
    for (uint32_t b = 0; b < p->binding_count; b++) {
        const plan_binding *x = &p->bindings[b];
        const plan_task *t = p->tasks;
        while (t->id != x->task) {
            t++;
        }
        const plan_arg *a = &t->args[x->arg];
        bool keyless = a->way == PLAN_SCALAR || p->keys[a->key].keyless;
        const char *key = keyless ? "" : p->keys[a->key].name;
        facts |= fact(strcmp(x->key, key) != 0, PLAN_BINDING_KEY) |
                 fact(x->way != a->way, PLAN_BINDING_WAY);
    }
    return facts;
}

static const plan_func *func_of(const plan *p, uint32_t func)
{
    const plan_func *found = NULL;
    for (uint32_t i = 0; i < p->func_count; i++) {
        if (p->funcs[i].name[1] == (char)('0' + func)) {
            found = &p->funcs[i];
        }
    }
    return found;
}

/* The id of a task's function in the table: the runtime's, else the Score's. */
static int64_t table_id(const plan *p, uint32_t func)
{
    const plan_func *f = func_of(p, func);
    return f == NULL || f->runtime < 0 ? (int64_t)func : f->runtime;
}

static uint32_t argument_facts(const plan *p, const plan *hbg, uint32_t t,
                               uint32_t i)
{
    const plan_task *task = &p->tasks[t];
    bool scalar = task->args[i].way == PLAN_SCALAR;
    const plan_binding *own = bound(p, task->id, i);
    uint32_t facts = fact(!scalar && own == NULL, PLAN_NO_BINDING);
    if (p->with_hbg) {
        const plan_binding *table = bound(hbg, task->id, i);
        facts |= fact((own == NULL) != (table == NULL), PLAN_HBG_ARGS) |
                 fact(scalar && own == NULL && table == NULL, PLAN_SCALAR_LOST);
    }
    return facts;
}

static uint32_t handle_facts(const plan *p, const plan *hbg)
{
    char digest[65];
    plan_fingerprint(digest, p);
    uint32_t facts = binding_facts(p);
    for (uint32_t t = 0; t < p->task_count; t++) {
        uint32_t func = p->tasks[t].func;
        facts |= fact(func_of(p, func) == NULL, PLAN_FUNC_MISSING);
        facts |= fact(p->with_hbg && table_id(p, func) != table_id(hbg, func),
                      PLAN_HBG_TASK);
        for (uint32_t i = 0; i < p->tasks[t].arg_count; i++) {
            facts |= argument_facts(p, hbg, t, i);
        }
    }
    facts |= fact(strcmp(digest, p->handle_digest) != 0, PLAN_DIGEST);
    return facts | fact(p->with_hbg && strcmp(digest, hbg->hbg_digest) != 0,
                        PLAN_DIGEST);
}

uint32_t plan_facts(const plan *p, const plan *hbg)
{
    return edge_facts(p) | task_facts(p) | place_facts(p) |
           (p->graph ? 0 : handle_facts(p, hbg));
}
