/* What follows from a plan, changes of it, and what they can lead to. */
#include "plans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- What follows --- */

void plan_seal_memory(plan *p)
{
    p->peak = 0;
    for (uint32_t i = 0; i < p->place_count; i++) {
        int64_t end = p->places[i].offset + p->places[i].size;
        p->peak = end > p->peak ? end : p->peak;
    }
}

static void bind(plan *p, uint32_t t, uint32_t i)
{
    const plan_arg *a = &p->tasks[t].args[i];
    plan_binding *b = &p->bindings[p->binding_count++];
    *b = (plan_binding){
        .task = p->tasks[t].id, .arg = i, .way = a->way, .handle = i};
    if (a->way != PLAN_SCALAR && !p->keys[a->key].keyless) {
        memcpy(b->key, p->keys[a->key].name, sizeof b->key);
    }
}

void plan_seal_handle(plan *p)
{
    p->binding_count = p->func_count = 0;
    for (uint32_t f = 0; f < PLAN_FUNCS; f++) {
        bool used = false;
        for (uint32_t t = 0; t < p->task_count; t++) {
            used = used || p->tasks[t].func == f;
        }
        if (used) {
            plan_func *func = &p->funcs[p->func_count++];
            *func = (plan_func){.id = f,
                                .runtime = f % 2 == 0 ? 40 + (int64_t)f : -1};
            snprintf(func->name, sizeof func->name, "f%u", (unsigned)f);
        }
    }
    for (uint32_t t = 0; t < p->task_count; t++) {
        for (uint32_t i = 0; i < p->tasks[t].arg_count; i++) {
            bind(p, t, i);
            if ((t + i) % 4 == 3) {
                bind(p, t, i); /* the last of several counts */
            }
        }
    }
    plan_fingerprint(p->handle_digest, p);
    memcpy(p->hbg_digest, p->handle_digest, sizeof p->hbg_digest);
}

/* --- Changes --- */

const char *const plan_change_names[PLAN_CHANGES] = {
    "an edge dropped",    "a back edge",        "an offset shifted",
    "a place shortened",  "two keys swapped",   "an edge retargeted",
    "a direction",        "a fingerprint byte", "a binding dropped",
    "a function unbound",
};

typedef struct changing {
    plan *p, *hbg;
    uint64_t seed, index;
} changing;

static uint64_t draw(changing *c, uint64_t below)
{
    return maker_random(c->seed, c->index++) % below;
}

static bool drop_edge(changing *c)
{
    plan *p = c->p;
    if (p->edge_count == 0) {
        return false;
    }
    uint32_t edge = (uint32_t)draw(c, p->edge_count);
    p->edges[edge] = p->edges[--p->edge_count];
    return true;
}

static bool back_edge(changing *c)
{
    plan *p = c->p;
    uint32_t to = (uint32_t)draw(c, p->task_count - 1);
    uint32_t from = to + 1 + (uint32_t)draw(c, p->task_count - 1 - to);
    if (p->edge_count == PLAN_EDGES) {
        return false;
    }
    p->edges[p->edge_count++] = (plan_edge){p->tasks[from].id, p->tasks[to].id};
    return true;
}

static bool shift_offset(changing *c)
{
    plan *p = c->p;
    if (p->place_count == 0) {
        return false;
    }
    plan_place *x = &p->places[draw(c, p->place_count)];
    int64_t old = x->offset;
    if (draw(c, 2) == 0) {
        x->offset = p->places[draw(c, p->place_count)].offset;
    } else {
        x->offset += (int64_t)draw(c, 33) - 12;
    }
    if (draw(c, 8) != 0) {
        plan_seal_memory(p);
    }
    return x->offset != old;
}

static bool shorten(changing *c)
{
    plan *p = c->p;
    if (p->place_count == 0) {
        return false;
    }
    plan_place *x = &p->places[draw(c, p->place_count)];
    if (x->size < 2) {
        return false;
    }
    x->size -= 1 + (int64_t)draw(c, (uint64_t)x->size - 1);
    if (draw(c, 3) != 0) {
        plan_seal_memory(p);
    }
    return true;
}

/* A region that its new buffer does not have becomes all of it. */
static void fit(const plan *p, plan_arg *a)
{
    if (a->count > 0 &&
        a->begin + (a->count - 1) * a->stride >= p->keys[a->key].bytes) {
        a->count = 0;
    }
}

static plan_arg *draw_arg(changing *c)
{
    plan_task *t = &c->p->tasks[draw(c, c->p->task_count)];
    plan_arg *a = t->arg_count == 0 ? NULL : &t->args[draw(c, t->arg_count)];
    return a == NULL || a->way == PLAN_SCALAR ? NULL : a;
}

static bool swap_args(changing *c)
{
    plan_arg *a = draw_arg(c), *b = draw_arg(c);
    if (a == NULL || b == NULL || a->key == b->key) {
        return false;
    }
    uint32_t key = a->key;
    a->key = b->key;
    b->key = key;
    fit(c->p, a);
    fit(c->p, b);
    plan_seal_handle(c->p);
    return true;
}

static bool swap_places(changing *c)
{
    plan *p = c->p;
    if (p->place_count < 2) {
        return false;
    }
    uint32_t a = (uint32_t)draw(c, p->place_count);
    uint32_t b = (uint32_t)draw(c, p->place_count);
    uint32_t key = p->places[a].key;
    p->places[a].key = p->places[b].key;
    p->places[b].key = key;
    return a != b;
}

static bool swap_bindings(changing *c)
{
    plan *p = c->p;
    if (p->graph || p->binding_count < 2) {
        return false;
    }
    plan_binding *a = &p->bindings[draw(c, p->binding_count)];
    plan_binding *b = &p->bindings[draw(c, p->binding_count)];
    char key[16];
    memcpy(key, a->key, sizeof key);
    memcpy(a->key, b->key, sizeof key);
    memcpy(b->key, key, sizeof key);
    return a != b;
}

static bool swap_keys(changing *c)
{
    uint64_t way = draw(c, 4);
    return way == 0   ? swap_places(c)
           : way == 1 ? swap_bindings(c)
                      : swap_args(c);
}

static bool retarget(changing *c)
{
    plan *p = c->p;
    if (p->edge_count == 0) {
        return false;
    }
    plan_edge *e = &p->edges[draw(c, p->edge_count)], old = *e;
    int64_t id = p->tasks[draw(c, p->task_count)].id;
    if (draw(c, 24) == 0) {
        id = 4; /* no task has it */
    }
    if (draw(c, 2) == 0) {
        e->to = id;
    } else {
        e->from = id;
    }
    return e->to != old.to || e->from != old.from;
}

static bool turn(changing *c)
{
    plan *p = c->p;
    if (!p->graph && p->binding_count > 0 && draw(c, 4) == 0) {
        plan_binding *b = &p->bindings[draw(c, p->binding_count)];
        b->way = (plan_way)(((uint64_t)b->way + 1 + draw(c, 2)) % 3);
        return true;
    }
    plan_arg *a = draw_arg(c);
    if (a == NULL) {
        return false;
    }
    uint32_t ways = p->graph ? 4 : 3;
    a->way = (plan_way)((a->way + 1 + draw(c, ways - 1)) % ways);
    plan_seal_handle(p);
    return true;
}

static void change_digit(changing *c, char *digest)
{
    static const char digits[] = "0123456789abcdef";
    char *digit = &digest[draw(c, 64)];
    uint64_t value = (uint64_t)(strchr(digits, *digit) - digits);
    *digit = digits[(value + 1 + draw(c, 15)) % 16];
}

/* Of a fingerprint, of what it covers, or of what it does not. */
static bool fingerprint_byte(changing *c)
{
    plan *p = c->p;
    uint64_t way = draw(c, 4);
    if (p->graph) {
        return false;
    }
    if (way == 0 && p->with_hbg) {
        change_digit(c, p->hbg_digest);
        memcpy(c->hbg->hbg_digest, p->hbg_digest, sizeof p->hbg_digest);
    } else if (way < 2) {
        change_digit(c, p->handle_digest);
    } else {
        char *text = way == 2 ? p->title : p->note;
        text[draw(c, 4)] = (char)('A' + draw(c, 26));
    }
    return true;
}

/* The host_build_graph plan is the old one, or made again. */
static void make_again(changing *c)
{
    if (draw(c, 2) == 0) {
        *c->hbg = *c->p;
    }
}

static bool drop_binding(changing *c)
{
    plan *p = c->p;
    if (p->graph || p->binding_count == 0) {
        return false;
    }
    uint32_t at = (uint32_t)draw(c, p->binding_count);
    memmove(&p->bindings[at], &p->bindings[at + 1],
            (p->binding_count - at - 1) * sizeof *p->bindings);
    p->binding_count--;
    make_again(c);
    return true;
}

static bool unbind(changing *c)
{
    plan *p = c->p;
    if (p->graph) {
        return false;
    }
    uint32_t at = (uint32_t)draw(c, p->func_count);
    if (draw(c, 2) == 0) {
        p->funcs[at] = p->funcs[--p->func_count];
    } else if (p->funcs[at].runtime >= 0) {
        p->funcs[at].runtime = -1;
    } else {
        return false;
    }
    make_again(c);
    return true;
}

bool plan_apply(plan *p, plan *hbg, plan_change change, uint64_t seed,
                uint64_t number)
{
    static bool (*const apply[PLAN_CHANGES])(changing *) = {
        drop_edge, back_edge, shift_offset,     shorten,      swap_keys,
        retarget,  turn,      fingerprint_byte, drop_binding, unbind};
    changing c = {.p = p, .hbg = hbg, .seed = seed, .index = number << 6};
    *hbg = *p;
    if (!apply[change](&c)) {
        return false;
    }
    /* A Score with other edges is another Score, planned as one. */
    if (change == PLAN_DROP_EDGE || change == PLAN_BACK_EDGE ||
        change == PLAN_RETARGET) {
        plan_seal_handle(p);
    }
    if (change < PLAN_FINGERPRINT) {
        *hbg = *p;
    }
    return true;
}

/* --- What a change can lead to --- */

#define BIT(fact) (1u << (fact))

uint32_t plan_admits(plan_change change)
{
    uint32_t cycle = BIT(PLAN_CYCLE) | BIT(PLAN_SCORE_VALID);
    static const uint32_t places = BIT(PLAN_BOUNDS) | BIT(PLAN_PEAK) |
                                   BIT(PLAN_ALIGNMENT) | BIT(PLAN_SPLIT);
    switch (change) {
    case PLAN_DROP_EDGE:
        return 0;
    case PLAN_BACK_EDGE:
        return cycle;
    case PLAN_SHIFT_OFFSET:
        return places;
    case PLAN_SHORTEN:
        return BIT(PLAN_BOUNDS) | BIT(PLAN_PEAK);
    case PLAN_SWAP_KEYS:
        return BIT(PLAN_SELF_OVERLAP) | BIT(PLAN_BINDING_KEY) |
               (places & ~BIT(PLAN_PEAK));
    case PLAN_RETARGET:
        return cycle | BIT(PLAN_SELF_EDGE) | BIT(PLAN_EDGE_END);
    case PLAN_DIRECTION:
        return BIT(PLAN_BINDING_WAY);
    case PLAN_FINGERPRINT:
        return BIT(PLAN_DIGEST);
    case PLAN_DROP_BINDING:
        return BIT(PLAN_NO_BINDING) | BIT(PLAN_HBG_ARGS) |
               BIT(PLAN_SCALAR_LOST);
    default:
        return BIT(PLAN_FUNC_MISSING) | BIT(PLAN_HBG_TASK);
    }
}

/* An edge less opens pairs; only a place, or a key, makes an overlap. */
bool plan_admits_rule(plan_change change, const char *rule)
{
    bool pair =
        strcmp(rule, "hazard.raw") == 0 || strcmp(rule, "hazard.waw") == 0 ||
        strcmp(rule, "hazard.war") == 0 || strcmp(rule, "predicate.stale") == 0;
    bool nothing = strcmp(rule, "hazard.uninitialised") == 0;
    bool parallel = strcmp(rule, "memory.parallel-reuse") == 0;
    bool overlap = strcmp(rule, "memory.overlap") == 0;
    switch (change) {
    case PLAN_DROP_EDGE:
    case PLAN_RETARGET:
    case PLAN_BACK_EDGE:
        return pair || parallel;
    case PLAN_SHIFT_OFFSET:
        return parallel || overlap || strcmp(rule, "memory.external") == 0;
    case PLAN_SWAP_KEYS:
        return pair || nothing || parallel || overlap ||
               strcmp(rule, "memory.external") == 0;
    case PLAN_DIRECTION:
        return pair || nothing || parallel || overlap;
    default:
        return false;
    }
}
