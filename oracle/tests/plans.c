/* Right plans, made so that they are, and then asked of the twin. */
#include "plans.h"

#include "twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct making {
    plan *p;
    uint64_t seed, index;
    uint64_t filled[PLAN_KEYS]; /* bytes with a value, by storage */
    bool before[PLAN_TASKS][PLAN_TASKS];
} making;

static uint64_t draw(making *w, uint64_t below)
{
    return maker_random(w->seed, w->index++) % below;
}

static uint32_t root_of(const plan *p, uint32_t key)
{
    return p->keys[key].alias_of == ORACLE_NONE ? key : p->keys[key].alias_of;
}

/* The bytes of an argument within its storage. */
static uint64_t bytes_of(const plan *p, const plan_arg *a)
{
    const plan_key *k = &p->keys[a->key];
    uint64_t set = 0;
    int64_t count = a->count == 0 ? k->bytes : a->count;
    for (int64_t i = 0; i < count; i++) {
        int64_t at =
            k->alias_at + (a->count == 0 ? i : a->begin + i * a->stride);
        set |= UINT64_C(1) << at;
    }
    return set;
}

/* --- Buffers and accesses --- */

static uint32_t add_key(making *w, const char *name, bool external)
{
    plan *p = w->p;
    plan_key *k = &p->keys[p->key_count];
    *k = (plan_key){.external = external, .alias_of = ORACLE_NONE, .align = 1};
    snprintf(k->name, sizeof k->name, "%s:%c%u", external ? "param" : "alloc",
             name[0], (unsigned)p->key_count);
    k->bytes = 4 * (1 + (int64_t)draw(w, 6));
    if (p->graph && draw(w, 4) == 0) {
        k->align = 4 << draw(w, 2);
    }
    return p->key_count++;
}

static void add_keys(making *w)
{
    plan *p = w->p;
    uint64_t params = 1 + draw(w, 2), allocs = 2 + draw(w, 4);
    for (uint64_t i = 0; i < params; i++) {
        uint32_t key = add_key(w, "x", true);
        w->filled[key] = UINT64_MAX;
    }
    for (uint64_t i = 0; i < allocs; i++) {
        add_key(w, "t", false);
    }
    if (p->graph && draw(w, 3) == 0) {
        uint32_t root = (uint32_t)params;
        uint32_t view = add_key(w, "v", false);
        p->keys[view].alias_of = root;
        p->keys[view].alias_at = 2 * (int64_t)draw(w, 2);
        p->keys[view].bytes = p->keys[root].bytes - p->keys[view].alias_at;
        p->keys[view].align = 1;
    }
    if (!p->graph && draw(w, 4) == 0) {
        uint32_t key = add_key(w, "x", true);
        snprintf(p->keys[key].name, sizeof p->keys[key].name, "arg%u",
                 (unsigned)key);
        p->keys[key].keyless = true;
        w->filled[key] = UINT64_MAX;
    }
}

static void draw_region(making *w, plan_arg *a)
{
    int64_t bytes = w->p->keys[a->key].bytes;
    a->count = 0;
    a->stride = 1;
    if (!w->p->graph || draw(w, 3) == 0) {
        return;
    }
    a->stride = 1 + (int64_t)draw(w, 2);
    a->begin = (int64_t)draw(w, (uint64_t)bytes);
    int64_t most = (bytes - 1 - a->begin) / a->stride + 1;
    a->count = 1 + (int64_t)draw(w, (uint64_t)most);
}

/*
 * What has no value yet is written. A read is of bytes that all have one, as
 * long as such are found.
 */
static plan_arg draw_arg(making *w, uint32_t key)
{
    static const plan_way ways[] = {PLAN_READ,  PLAN_READ,  PLAN_READ,
                                    PLAN_READ,  PLAN_WRITE, PLAN_WRITE,
                                    PLAN_INOUT, PLAN_ADD};
    uint32_t root = root_of(w->p, key);
    plan_arg a = {.key = key};
    a.way = ways[draw(w, w->p->graph ? 8 : 7)];
    draw_region(w, &a);
    for (uint32_t i = 0; i < 8 && (bytes_of(w->p, &a) & ~w->filled[root]) != 0;
         i++) {
        draw_region(w, &a);
    }
    if ((bytes_of(w->p, &a) & ~w->filled[root]) != 0) {
        a.way = PLAN_WRITE;
    }
    return a;
}

/* A byte with a value, of what the task does not write. */
static void add_predicate(making *w, plan_task *t)
{
    plan_arg a = {
        .key = (uint32_t)draw(w, w->p->key_count), .count = 1, .stride = 1};
    a.begin = (int64_t)draw(w, (uint64_t)w->p->keys[a.key].bytes);
    bool apart = true;
    for (uint32_t i = 0; i < t->arg_count; i++) {
        apart = apart && root_of(w->p, t->args[i].key) != root_of(w->p, a.key);
    }
    if (apart && (bytes_of(w->p, &a) & ~w->filled[root_of(w->p, a.key)]) == 0) {
        t->predicated = w->p->traits.predicates = true;
        t->operand = a;
    }
}

static void add_args(making *w, plan_task *t)
{
    plan *p = w->p;
    uint32_t used = 0, wanted = 1 + (uint32_t)draw(w, 3);
    for (uint32_t i = 0; i < 12 && t->arg_count < wanted; i++) {
        uint32_t key = (uint32_t)draw(w, p->key_count);
        uint32_t root = root_of(p, key);
        if (used >> root & 1) {
            continue;
        }
        used |= 1u << root;
        t->args[t->arg_count++] = draw_arg(w, key);
    }
    if (p->graph && draw(w, 6) == 0) {
        add_predicate(w, t);
    }
    for (uint32_t i = 0; i < t->arg_count; i++) {
        /* What need not run gives nothing a value. */
        if (t->args[i].way != PLAN_READ && !t->predicated) {
            w->filled[root_of(p, t->args[i].key)] |= bytes_of(p, &t->args[i]);
        }
        p->traits.in_place |= t->args[i].way == PLAN_INOUT;
    }
    if (draw(w, 4) == 0) {
        t->args[t->arg_count++] = (plan_arg){.way = PLAN_SCALAR};
    }
}

static void add_tasks(making *w)
{
    plan *p = w->p;
    p->task_count = 3 + (uint32_t)draw(w, PLAN_TASKS - 2);
    for (uint32_t t = 0; t < p->task_count; t++) {
        p->tasks[t].id = 5 + 3 * (int64_t)t;
        p->tasks[t].func = (uint32_t)draw(w, PLAN_FUNCS);
        add_args(w, &p->tasks[t]);
    }
}

/* --- Order --- */

static bool writes(const plan_arg *a)
{
    return a->way == PLAN_WRITE || a->way == PLAN_INOUT || a->way == PLAN_ADD;
}

/* The arguments of a task, and behind them the operand of its predicate. */
static uint32_t count_touches(const plan_task *t)
{
    return t->arg_count + t->predicated;
}

static const plan_arg *touch_at(const plan_task *t, uint32_t i)
{
    return i < t->arg_count ? &t->args[i] : &t->operand;
}

/* Whether some byte is written by the one and touched by the other. */
static bool meet(making *w, uint32_t a, uint32_t b)
{
    const plan *p = w->p;
    const plan_task *s = &p->tasks[a], *t = &p->tasks[b];
    bool meets = false;
    for (uint32_t i = 0; i < count_touches(s); i++) {
        for (uint32_t k = 0; k < count_touches(t); k++) {
            const plan_arg *x = touch_at(s, i), *y = touch_at(t, k);
            if (x->way == PLAN_SCALAR || y->way == PLAN_SCALAR ||
                root_of(p, x->key) != root_of(p, y->key) ||
                (!writes(x) && !writes(y)) ||
                (x->way == PLAN_ADD && y->way == PLAN_ADD)) {
                continue;
            }
            uint64_t one = bytes_of(p, x), two = bytes_of(p, y);
            meets = meets || (one & two) != 0;
            w->p->traits.partial |= (one & two) != 0 && one != two;
        }
    }
    return meets;
}

static void add_edge(plan *p, uint32_t from, uint32_t to)
{
    plan_edge e = {p->tasks[from].id, p->tasks[to].id};
    bool known = p->edge_count == PLAN_EDGES;
    for (uint32_t i = 0; i < p->edge_count; i++) {
        known = known || (p->edges[i].from == e.from && p->edges[i].to == e.to);
    }
    if (!known) {
        p->edges[p->edge_count++] = e;
    }
}

static uint32_t task_of(int64_t id)
{
    return (uint32_t)(id - 5) / 3;
}

/* Which tasks edges lead to, edge `without` left out. */
static void close(const plan *p, uint32_t without,
                  bool before[PLAN_TASKS][PLAN_TASKS])
{
    memset(before, 0, sizeof(bool) * PLAN_TASKS * PLAN_TASKS);
    for (uint32_t i = 0; i < p->edge_count; i++) {
        if (i != without) {
            before[task_of(p->edges[i].from)][task_of(p->edges[i].to)] = true;
        }
    }
    for (uint32_t k = 0; k < PLAN_TASKS; k++) {
        for (uint32_t a = 0; a < PLAN_TASKS; a++) {
            for (uint32_t b = 0; b < PLAN_TASKS; b++) {
                before[a][b] |= before[a][k] && before[k][b];
            }
        }
    }
}

static void remove_edge(plan *p, uint32_t edge)
{
    for (uint32_t i = edge; i + 1 < p->edge_count; i++) {
        p->edges[i] = p->edges[i + 1];
    }
    p->edge_count--;
}

/* Leaves out what the other edges give. */
static void reduce(plan *p)
{
    bool before[PLAN_TASKS][PLAN_TASKS];
    for (uint32_t i = p->edge_count; i-- > 0;) {
        close(p, i, before);
        if (before[task_of(p->edges[i].from)][task_of(p->edges[i].to)]) {
            remove_edge(p, i);
            p->traits.reduced = true;
        }
    }
}

/* Leaves out what the twin does not miss: then every edge is needed. */
static void starve(plan *p)
{
    for (uint32_t i = p->edge_count; i-- > 0;) {
        plan less = *p;
        maker m;
        remove_edge(&less, i);
        plan_document(&less, &m);
        if (!twin_hazard(&m.document, NULL)) {
            *p = less;
        }
    }
}

/* Some edges as a path over a task between. */
static void make_indirect(making *w)
{
    plan *p = w->p;
    for (uint32_t i = p->edge_count; i-- > 0;) {
        uint32_t from = task_of(p->edges[i].from), to = task_of(p->edges[i].to);
        if (to - from < 2 || draw(w, 3) != 0 ||
            p->edge_count + 2 > PLAN_EDGES) {
            continue;
        }
        uint32_t over = from + 1 + (uint32_t)draw(w, to - from - 1);
        remove_edge(p, i);
        add_edge(p, from, over);
        add_edge(p, over, to);
        p->traits.indirect = true;
    }
}

static void add_edges(making *w)
{
    plan *p = w->p;
    uint64_t extra = draw(w, 2) == 0 ? 2 + draw(w, 3) : 0;
    bool chain = draw(w, 3) == 0; /* one after the other: much can be reused */
    for (uint32_t to = 1; to < p->task_count; to++) {
        for (uint32_t from = 0; from < to; from++) {
            if (meet(w, from, to) || (chain && to == from + 1) ||
                (extra > 0 && draw(w, extra) == 0)) {
                add_edge(p, from, to);
            }
        }
    }
    if (draw(w, 2) == 0) {
        make_indirect(w);
    }
    if (draw(w, 2) == 0) {
        reduce(p);
    }
    if (draw(w, 4) == 0) {
        starve(p);
    }
    close(p, ORACLE_NONE, w->before);
}

/* --- Addresses --- */

static bool touches(const plan *p, uint32_t task, uint32_t root)
{
    const plan_task *t = &p->tasks[task];
    bool touched = false;
    for (uint32_t i = 0; i < count_touches(t); i++) {
        const plan_arg *a = touch_at(t, i);
        touched =
            touched || (a->way != PLAN_SCALAR && root_of(p, a->key) == root);
    }
    return touched;
}

/* All accesses of the one before all of the other, in either direction. */
static bool apart_in_time(making *w, uint32_t a, uint32_t b)
{
    bool forward = true, back = true;
    for (uint32_t s = 0; s < w->p->task_count; s++) {
        for (uint32_t t = 0; t < w->p->task_count; t++) {
            if (touches(w->p, s, a) && touches(w->p, t, b)) {
                forward = forward && w->before[s][t];
                back = back && w->before[t][s];
            }
        }
    }
    return (forward || back) && !w->p->keys[a].external &&
           !w->p->keys[b].external;
}

static bool fits(making *w, uint32_t key, int64_t offset, bool *shares)
{
    plan *p = w->p;
    *shares = false;
    for (uint32_t i = 0; i < p->place_count; i++) {
        const plan_place *x = &p->places[i];
        if (offset < x->offset + x->size &&
            x->offset < offset + p->keys[key].bytes) {
            *shares = true;
            if (!apart_in_time(w, key, root_of(p, x->key))) {
                return false;
            }
        }
    }
    return offset % p->keys[key].align == 0;
}

/* The first address at which nothing stands in its way. */
static void place(making *w, uint32_t key)
{
    plan *p = w->p;
    bool shares;
    int64_t offset = draw(w, 4) == 0 ? (int64_t)draw(w, 40) : 0;
    while (!fits(w, key, offset, &shares)) {
        offset++;
    }
    p->traits.reuse |= shares;
    p->places[p->place_count++] = (plan_place){key, offset, p->keys[key].bytes};
}

static bool is_used(const plan *p, uint32_t root)
{
    bool used = false;
    for (uint32_t t = 0; t < p->task_count; t++) {
        used = used || touches(p, t, root);
    }
    return used;
}

static void add_places(making *w)
{
    plan *p = w->p;
    uint32_t shift = (uint32_t)draw(w, p->key_count);
    for (uint32_t i = 0; i < p->key_count; i++) {
        uint32_t key = (i + shift) % p->key_count;
        if (p->keys[key].alias_of == ORACLE_NONE && !p->keys[key].keyless &&
            is_used(p, key) &&
            (!p->graph || !p->keys[key].external || draw(w, 4) != 0)) {
            place(w, key);
        }
    }
    uint32_t roots = p->place_count;
    for (uint32_t i = 0; i < roots; i++) {
        for (uint32_t k = 0; k < p->key_count; k++) {
            const plan_key *view = &p->keys[k];
            if (view->alias_of == p->places[i].key) {
                p->places[p->place_count++] = (plan_place){
                    k, p->places[i].offset + view->alias_at, view->bytes};
            }
        }
    }
}

void plan_make(plan *p, uint64_t seed, uint64_t number)
{
    making w = {.p = p, .seed = seed, .index = number << 12};
    memset(p, 0, sizeof *p);
    p->graph = draw(&w, 2) == 0;
    p->with_hbg = draw(&w, 2) == 0;
    p->with_graph = draw(&w, 3) == 0;
    snprintf(p->note, sizeof p->note, "note");
    snprintf(p->title, sizeof p->title, "plan");
    add_keys(&w);
    add_tasks(&w);
    add_edges(&w);
    add_places(&w);
    plan_seal_memory(p);
    plan_seal_handle(p);
}

/* --- As a document for the twin --- */

static uint32_t index_of(const plan *p, int64_t id)
{
    uint32_t t = 0;
    while (t < p->task_count && p->tasks[t].id != id) {
        t++;
    }
    return t;
}

static void document_buffers(const plan *p, maker *m)
{
    for (uint32_t k = 0; k < p->key_count; k++) {
        const plan_key *key = &p->keys[k];
        int64_t bytes = key->bytes;
        for (uint32_t i = 0; !p->graph && i < p->place_count; i++) {
            bytes = p->places[i].key == k ? p->places[i].size : bytes;
        }
        uint32_t b = maker_buffer(m, key->name, bytes, key->external);
        if (key->alias_of != ORACLE_NONE) {
            m->buffers[b].alias_of = m->buffers[b].storage = key->alias_of;
            m->buffers[b].alias_bytes = key->alias_at;
            m->buffers[b].storage_at = key->alias_at;
        }
    }
}

void plan_document(const plan *p, maker *m)
{
    static const oracle_mode modes[] = {ORACLE_READ, ORACLE_WRITE,
                                        ORACLE_READ_WRITE, ORACLE_ACCUMULATE};
    maker_start(m);
    document_buffers(p, m);
    for (uint32_t t = 0; t < p->task_count; t++) {
        m->tasks[maker_task(m)].id = p->tasks[t].id;
        if (p->tasks[t].predicated) {
            maker_predicate(m, t, p->tasks[t].operand.key,
                            p->tasks[t].operand.begin);
        }
        for (uint32_t i = 0; i < p->tasks[t].arg_count; i++) {
            const plan_arg *a = &p->tasks[t].args[i];
            if (a->way == PLAN_SCALAR) {
                continue;
            }
            oracle_access *x =
                maker_access(m, a->key, modes[a->way], WHOLE, WHOLE);
            if (a->count > 0) {
                x->region = maker_region(m, a->begin, a->count, a->stride);
            }
        }
    }
    for (uint32_t i = 0; i < p->edge_count; i++) {
        uint32_t from = index_of(p, p->edges[i].from);
        uint32_t to = index_of(p, p->edges[i].to);
        if (from < p->task_count && to < p->task_count) {
            maker_edge(m, from, to);
        }
    }
    for (uint32_t i = 0; i < p->place_count; i++) {
        maker_place(m, p->places[i].key, p->places[i].offset);
    }
}
