/*
 * Where two lists of the writes of a cell part, and what must happen so that it
 * shows (docs/replay.md, "May" and "Bounds").
 */
#include "compare_work.h"

#include "arena.h"

#include <stdlib.h>

#define MOST_ADDS 256 /* of one level; with more nothing is sure */

/* One list, looked at from its top: accumulations, then a write. */
typedef struct side {
    const replay_log *log;
    uint32_t node; /* the write that they lie on */
    uint32_t adds[MOST_ADDS], count;
    bool solid; /* one that is no bound is among the accumulations */
    bool vague; /* it depends on a bound what they are */
    bool open;  /* a bound is among the accumulations, or there are too many */
} side;

static const replay_access *access_of(const replay_program *p,
                                      const replay_node *node)
{
    return node->access >= REPLAY_START ? NULL : &p->accesses[node->access];
}

static uint8_t force_of(const replay_program *p, const replay_node *node)
{
    const replay_access *x = access_of(p, node);
    return x == NULL ? REPLAY_MUST : x->force;
}

uint32_t replay_writer(const replay_program *p, uint32_t access)
{
    uint32_t from = 0, to = p->task_count;
    if (access >= REPLAY_START) {
        return REPLAY_NONE;
    }
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        const replay_task *t = &p->tasks[middle];
        if (t->first_access + t->accesses <= access) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from == p->task_count ? REPLAY_HOST : from;
}

static bool goes_away(const replay_comparer *c, uint32_t access)
{
    uint32_t task = c->any_away ? replay_writer(c->p, access) : REPLAY_NONE;
    return task < c->p->task_count && c->away[task];
}

/* The write must not happen: with a predicate, nothing of its task may. */
static void leave_out(replay_comparer *c, uint32_t access,
                      replay_telling *telling)
{
    uint32_t task = replay_writer(c->p, access);
    uint32_t *pool = replay_grow(telling->pool, &telling->pool_room,
                                 telling->pool_count, 1, sizeof *pool);
    if (pool == NULL) {
        telling->failed = true;
        return;
    }
    telling->pool = pool;
    pool[telling->pool_count++] = access;
    if (c->p->tasks[task].predicated) {
        c->away[task] = c->any_away = true;
    }
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void take(side *s, const replay_program *p, uint32_t access)
{
    uint8_t force = p->accesses[access].force;
    s->solid = s->solid || force != REPLAY_BOUND;
    s->open = s->open || force == REPLAY_BOUND || s->count == MOST_ADDS;
    if (s->count < MOST_ADDS) {
        s->adds[s->count++] = access;
    }
}

/* Whether a bound lies right below: one that touches nothing does not part the
 * accumulations above it from those below. */
static bool hides_bound(const side *s, const replay_comparer *c)
{
    const replay_node *node = &s->log->nodes[s->node];
    while (node->access < REPLAY_START && goes_away(c, node->access)) {
        node = &s->log->nodes[node->below];
    }
    return force_of(c->p, node) == REPLAY_BOUND;
}

/*
 * Takes the accumulations from the top. What goes away with a write that must
 * not happen is not there. The first of those on nothing starts the value when
 * one of them surely happens.
 */
static void take_adds(side *s, const replay_comparer *c)
{
    bool starts = false;
    s->count = 0;
    s->solid = s->open = s->vague = false;
    for (;;) {
        const replay_node *node = &s->log->nodes[s->node];
        const replay_access *x = access_of(c->p, node);
        bool away = x != NULL && goes_away(c, node->access);
        if (!away && (x == NULL || x->mode != REPLAY_ACCUMULATE)) {
            break;
        }
        bool bound = x->force == REPLAY_BOUND;
        if (!away && node->first && bound && !starts) {
            break; /* a write like any other that may happen */
        }
        if (!away) {
            take(s, c->p, node->access);
            starts = starts || (node->fresh && !bound);
        }
        s->node = node->below;
        if (node->first && starts) {
            s->vague = s->vague || hides_bound(s, c);
            s->node = 0;
            break;
        }
    }
    qsort(s->adds, s->count, sizeof *s->adds, by_number);
}

/* The first accumulation of `a` that `b` has not, a sure one if there is one;
 * NOTHING: none. */
static uint32_t missing(const side *a, const side *b, const replay_program *p)
{
    uint32_t found = REPLAY_NOTHING;
    for (uint32_t i = 0, k = 0; i < a->count; i++) {
        while (k < b->count && b->adds[k] < a->adds[i]) {
            k++;
        }
        if (k < b->count && b->adds[k] == a->adds[i]) {
            continue;
        }
        if (p->accesses[a->adds[i]].force != REPLAY_BOUND) {
            return a->adds[i];
        }
        found = found == REPLAY_NOTHING ? a->adds[i] : found;
    }
    return found;
}

/* Whether it is an accumulation, and no bound. */
static bool is_solid(uint32_t access, const replay_program *p)
{
    return access != REPLAY_NOTHING &&
           p->accesses[access].force != REPLAY_BOUND;
}

static const replay_node *top(const side *s)
{
    return &s->log->nodes[s->node];
}

/*
 * What is seen if no bound touches anything: the first write that is none, and
 * is there. *sure is false where an accumulation may be the start of a value.
 */
static uint32_t skip_bounds(const side *s, const replay_comparer *c, bool *sure)
{
    for (uint32_t i = s->node;; i = s->log->nodes[i].below) {
        const replay_node *node = &s->log->nodes[i];
        const replay_access *x = access_of(c->p, node);
        *sure = *sure && !node->first;
        if (x == NULL ||
            (x->mode != REPLAY_ACCUMULATE && x->force != REPLAY_BOUND &&
             !goes_away(c, node->access))) {
            return i;
        }
    }
}

/* Whether an accumulation may be seen beneath bounds. */
static bool may_show(const side *s, const replay_comparer *c, uint32_t access)
{
    bool sure = true;
    uint32_t end = skip_bounds(s, c, &sure);
    for (uint32_t i = s->node; sure && i != end; i = s->log->nodes[i].below) {
        sure = s->log->nodes[i].access != access;
    }
    return !sure;
}

/* The sets of accumulations differ. It is sure when one is there for certain
 * and cannot be in the other list, whatever bounds touch. */
static void tell_adds(replay_contrast *to, const replay_comparer *c,
                      const side *a, const side *b)
{
    const replay_program *p = c->p;
    bool expects =
        !c->masked || a->solid ||
        a->log->nodes[skip_bounds(a, c, &to->sure)].access != REPLAY_NOTHING;
    uint32_t lost = missing(a, b, p), more = missing(b, a, p);
    bool is_lost =
        lost != REPLAY_NOTHING &&
        (more == REPLAY_NOTHING || p->accesses[lost].force != REPLAY_BOUND ||
         p->accesses[more].force == REPLAY_BOUND);
    const side *without = is_lost ? b : a;
    uint32_t has = is_lost ? lost : more;
    to->last[0] = lost == REPLAY_NOTHING;
    to->last[1] = more == REPLAY_NOTHING;
    to->expected = lost;
    to->seen = more;
    to->sure = to->sure && expects && p->accesses[has].force != REPLAY_BOUND &&
               !may_show(without, c, has) && a->count < MOST_ADDS &&
               b->count < MOST_ADDS;
}

static bool same_write(const replay_node *a, const replay_node *b)
{
    return a->access == b->access && a->cell == b->cell;
}

static bool share_bounds(const side *a, const side *b, uint32_t end_a,
                         uint32_t end_b)
{
    for (uint32_t i = a->node; i != end_a; i = a->log->nodes[i].below) {
        for (uint32_t k = b->node; k != end_b; k = b->log->nodes[k].below) {
            if (same_write(&a->log->nodes[i], &b->log->nodes[k])) {
                return true;
            }
        }
    }
    return false;
}

/* The writes differ. */
static void tell_writes(replay_contrast *to, const replay_comparer *c,
                        const side *a, const side *b)
{
    uint32_t end_a = skip_bounds(a, c, &to->sure);
    uint32_t end_b = skip_bounds(b, c, &to->sure);
    const replay_node *x = &a->log->nodes[end_a], *y = &b->log->nodes[end_b];
    bool expects = x->access != REPLAY_NOTHING || !c->masked;
    to->sure = to->sure && expects && !same_write(x, y) &&
               !share_bounds(a, b, end_a, end_b);
    to->expected = to->sure ? x->access : top(a)->access;
    to->seen = to->sure ? y->access : top(b)->access;
}

/* Goes down both lists to where they part; false: nowhere. */
static bool part(replay_contrast *to, replay_comparer *c, side *a, side *b,
                 replay_telling *telling)
{
    for (;;) {
        take_adds(a, c);
        take_adds(b, c);
        bool expects =
            !c->masked || a->count > 0 || top(a)->access != REPLAY_NOTHING;
        to->sure = to->sure && !a->vague && !b->vague;
        bool same = same_write(top(a), top(b));
        bool adds = missing(a, b, c->p) != REPLAY_NOTHING ||
                    missing(b, a, c->p) != REPLAY_NOTHING;
        if (adds && (same || is_solid(missing(a, b, c->p), c->p) ||
                     is_solid(missing(b, a, c->p), c->p))) {
            tell_adds(to, c, a, b);
            return expects;
        }
        if (adds || !same) {
            tell_writes(to, c, a, b);
            return expects;
        }
        uint8_t force = force_of(c->p, top(a));
        to->sure = to->sure && !a->open && force != REPLAY_BOUND;
        if (force == REPLAY_MUST) {
            /* Nobody's bytes are the same but for the fill. */
            to->sure = false;
            to->expected = to->seen = REPLAY_NOTHING;
            return top(a)->access == REPLAY_NOTHING && c->variant.fill != 0;
        }
        if (force == REPLAY_MAY) {
            leave_out(c, top(a)->access, telling);
        }
        if (telling->failed) {
            return false;
        }
        a->node = top(a)->below;
        b->node = top(b)->below;
    }
}

bool replay_contrast_make(replay_contrast *contrast, replay_comparer *c,
                          uint32_t expected, uint32_t seen,
                          replay_telling *telling)
{
    side a = {.log = &c->logs[0], .node = expected};
    side b = {.log = &c->logs[1], .node = seen};
    uint32_t first = telling->pool_count;
    *contrast = (replay_contrast){.sure = true};
    if (a.log->nodes[expected].who == b.log->nodes[seen].who) {
        return false;
    }
    contrast->nothing = expected == 0 && seen == 0;
    bool differs = part(contrast, c, &a, &b, telling);
    for (uint32_t i = first; c->any_away && i < telling->pool_count; i++) {
        c->away[replay_writer(c->p, telling->pool[i])] = false;
    }
    c->any_away = false;
    return differs;
}

/* All accesses of a task whose predicate is false; else all parts of one. */
static bool add_companions(const replay_program *p, replay_telling *telling,
                           uint32_t access)
{
    const replay_access *x = &p->accesses[access];
    const replay_task *t = &p->tasks[replay_writer(p, access)];
    uint32_t *pool =
        replay_grow(telling->pool, &telling->pool_room, telling->pool_count,
                    t->accesses, sizeof *pool);
    if (pool == NULL) {
        telling->failed = true;
        return false;
    }
    telling->pool = pool;
    for (uint32_t i = 0; i < t->accesses; i++) {
        const replay_access *y = &p->accesses[t->first_access + i];
        bool goes = t->predicated ? y->arg != REPLAY_NONE
                                  : y->arg == x->arg && y->source == x->source;
        if (goes) {
            pool[telling->pool_count++] = t->first_access + i;
        }
    }
    return true;
}

/* Accesses in the pool become all that go with them, rising, each once. */
static void complete(const replay_program *p, replay_telling *telling,
                     uint32_t first)
{
    uint32_t listed = telling->pool_count, kept = first;
    for (uint32_t i = first; i < listed; i++) {
        if (!add_companions(p, telling, telling->pool[i])) {
            return;
        }
    }
    if (listed == first) {
        return;
    }
    uint32_t *pool = telling->pool;
    qsort(pool + listed, telling->pool_count - listed, sizeof *pool, by_number);
    for (uint32_t i = listed; i < telling->pool_count; i++) {
        if (kept == first || pool[kept - 1] != pool[i]) {
            pool[kept++] = pool[i];
        }
    }
    telling->pool_count = kept;
}

/* The last that acted, of those that happen. */
static uint32_t last_of(const replay_log *log, uint32_t node,
                        const uint32_t *without, uint32_t count)
{
    while (log->nodes[node].access < REPLAY_START && count > 0 &&
           bsearch(&log->nodes[node].access, without, count, sizeof *without,
                   by_number) != NULL) {
        node = log->nodes[node].below;
    }
    return log->nodes[node].access;
}

void replay_contrast_complete(replay_contrast *contrast,
                              const replay_comparer *c, uint32_t expected,
                              uint32_t seen, replay_telling *telling,
                              uint32_t first)
{
    complete(c->p, telling, first);
    uint32_t count = telling->pool_count - first;
    const uint32_t *without = count == 0 ? NULL : telling->pool + first;
    if (contrast->last[0]) {
        contrast->expected = last_of(&c->logs[0], expected, without, count);
    }
    if (contrast->last[1]) {
        contrast->seen = last_of(&c->logs[1], seen, without, count);
    }
}
