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
    uint32_t top;  /* where this level begins */
    uint32_t node; /* the write that they lie on */
    uint32_t adds[MOST_ADDS], count;
    bool open; /* a bound is among the accumulations, or there are too many */
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

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Takes the accumulations from the top. */
static void take_adds(side *s, const replay_program *p)
{
    s->top = s->node;
    s->count = 0;
    s->open = false;
    for (;;) {
        const replay_node *node = &s->log->nodes[s->node];
        const replay_access *x = access_of(p, node);
        if (x == NULL || x->mode != REPLAY_ACCUMULATE) {
            break;
        }
        s->open = s->open || x->force == REPLAY_BOUND || s->count == MOST_ADDS;
        if (s->count < MOST_ADDS) {
            s->adds[s->count++] = node->access;
        }
        s->node = node->below;
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

static const replay_node *top(const side *s)
{
    return &s->log->nodes[s->node];
}

/* The sets of accumulations differ. It is sure when one is there for certain
 * that the other list has not, or only under a write that is there. */
static void tell_adds(replay_contrast *to, const replay_program *p,
                      const side *a, const side *b)
{
    uint32_t lost = missing(a, b, p), more = missing(b, a, p);
    bool is_lost =
        lost != REPLAY_NOTHING &&
        (more == REPLAY_NOTHING || p->accesses[lost].force != REPLAY_BOUND ||
         p->accesses[more].force == REPLAY_BOUND);
    const side *without = is_lost ? b : a;
    uint32_t has = is_lost ? lost : more;
    to->expected = lost != REPLAY_NOTHING ? lost : a->log->nodes[a->top].access;
    to->seen = more != REPLAY_NOTHING ? more : b->log->nodes[b->top].access;
    to->sure = to->sure && p->accesses[has].force != REPLAY_BOUND &&
               force_of(p, top(without)) != REPLAY_BOUND &&
               a->count < MOST_ADDS && b->count < MOST_ADDS;
}

static bool same_write(const replay_node *a, const replay_node *b)
{
    return a->access == b->access && a->cell == b->cell;
}

/* The first of the list that is no bound; whether one of those passed is in
 * the other's is told by looking through both. */
static uint32_t skip_bounds(const side *s, const replay_program *p)
{
    uint32_t node = s->node;
    while (force_of(p, &s->log->nodes[node]) == REPLAY_BOUND) {
        node = s->log->nodes[node].below;
    }
    return node;
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
    uint32_t end_a = skip_bounds(a, c->p), end_b = skip_bounds(b, c->p);
    const replay_node *x = &a->log->nodes[end_a], *y = &b->log->nodes[end_b];
    bool expects = x->access != REPLAY_NOTHING || !c->masked;
    to->sure = to->sure && expects && !same_write(x, y) &&
               !share_bounds(a, b, end_a, end_b);
    to->expected = to->sure ? x->access : top(a)->access;
    to->seen = to->sure ? y->access : top(b)->access;
}

bool replay_contrast_make(replay_contrast *contrast, const replay_comparer *c,
                          uint32_t expected, uint32_t seen,
                          replay_telling *telling)
{
    side a = {.log = &c->logs[0], .node = expected};
    side b = {.log = &c->logs[1], .node = seen};
    *contrast = (replay_contrast){.sure = true};
    if (a.log->nodes[expected].who == b.log->nodes[seen].who) {
        return false;
    }
    contrast->nothing = expected == 0 && seen == 0;
    for (;;) {
        take_adds(&a, c->p);
        take_adds(&b, c->p);
        if (missing(&a, &b, c->p) != REPLAY_NOTHING ||
            missing(&b, &a, c->p) != REPLAY_NOTHING) {
            tell_adds(contrast, c->p, &a, &b);
            return true;
        }
        if (!same_write(top(&a), top(&b))) {
            tell_writes(contrast, c, &a, &b);
            return true;
        }
        uint8_t force = force_of(c->p, top(&a));
        contrast->sure = contrast->sure && !a.open && force != REPLAY_BOUND;
        if (force == REPLAY_MUST) {
            /* Nobody's bytes, once with another fill. */
            contrast->sure = false;
            contrast->expected = contrast->seen = REPLAY_NOTHING;
            return top(&a)->access == REPLAY_NOTHING;
        }
        if (force == REPLAY_MAY) {
            uint32_t *pool = replay_grow(telling->pool, &telling->pool_room,
                                         telling->pool_count, 1, sizeof *pool);
            if (pool == NULL) {
                telling->failed = true;
                return false;
            }
            telling->pool = pool;
            pool[telling->pool_count++] = top(&a)->access;
        }
        a.node = top(&a)->below;
        b.node = top(&b)->below;
    }
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

void replay_without_complete(const replay_program *p, replay_telling *telling,
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
