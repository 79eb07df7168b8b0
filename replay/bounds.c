/*
 * What the facts leave of each symbol: intervals, made narrower by one fact or
 * one definition after the other until nothing changes. Where nothing is left
 * of one, no values obey the facts.
 */
#include "bounds.h"

#include "hash.h"

#include <stdlib.h>

typedef __int128 wide;

#define FAR (INT64_MAX / 4) /* this far is no bound */
#define ROUNDS 64
#define HUGE ((wide)1 << 120)

typedef struct narrowing {
    const oracle_document *d;
    replay_bounds *bounds;  /* by symbol */
    const uint8_t *decided; /* by choice, or NULL */
    bool changed, empty;
} narrowing;

typedef struct range {
    wide lo, hi; /* beyond FAR: none */
} range;

bool replay_bounds_known(int64_t bound)
{
    return bound > -FAR && bound < FAR;
}

static wide clip(wide x)
{
    return x > FAR ? FAR : x < -FAR ? -FAR : x;
}

/* Not beyond what was known before. */
static void keep(narrowing *n, uint32_t symbol, wide lo, wide hi)
{
    replay_bounds *b = &n->bounds[symbol];
    lo = clip(lo);
    hi = clip(hi);
    if (lo > b->lo) {
        b->lo = (int64_t)lo;
        n->changed = true;
    }
    if (hi < b->hi) {
        b->hi = (int64_t)hi;
        n->changed = true;
    }
    n->empty = n->empty || b->lo > b->hi;
}

/* The least of coef * symbol, or with `high` the greatest; false: none. */
static bool end_of(const narrowing *n, wide coef, uint32_t symbol, bool high,
                   wide *sum)
{
    replay_bounds b = n->bounds[symbol];
    int64_t end = (coef > 0) == high ? b.hi : b.lo;
    *sum += coef * end;
    return replay_bounds_known(end) && *sum<HUGE && * sum> - HUGE;
}

static range range_of(const narrowing *n, oracle_affine number)
{
    wide lo = number.c, hi = number.c;
    bool low = true, high = true;
    for (uint32_t i = 0; i < number.count; i++) {
        const oracle_term *term = &n->d->terms[number.first + i];
        low = low && end_of(n, term->coef, term->symbol, false, &lo);
        high = high && end_of(n, term->coef, term->symbol, true, &hi);
    }
    return (range){low ? clip(lo) : -FAR, high ? clip(hi) : FAR};
}

static wide divide_down(wide a, wide b)
{
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

/* --- Facts --- */

/* sign * number <= 0: what the others leave to each of its symbols. */
static void narrow_at_most(narrowing *n, oracle_affine number, int sign)
{
    for (uint32_t i = 0; i < number.count; i++) {
        const oracle_term *terms = &n->d->terms[number.first];
        wide coef = (wide)sign * terms[i].coef;
        wide rest = (wide)sign * number.c;
        bool known = true;
        for (uint32_t k = 0; k < number.count && known; k++) {
            known = k == i || end_of(n, (wide)sign * terms[k].coef,
                                     terms[k].symbol, false, &rest);
        }
        if (known && coef > 0) {
            keep(n, terms[i].symbol, -FAR, divide_down(-rest, coef));
        } else if (known) {
            keep(n, terms[i].symbol, -divide_down(-rest, -coef), FAR);
        }
    }
}

/* number != 0: where all but one are known, it is not the one value. */
static void narrow_unequal(narrowing *n, oracle_affine number)
{
    wide rest = number.c;
    const oracle_term *open = NULL;
    for (uint32_t i = 0; i < number.count; i++) {
        const oracle_term *term = &n->d->terms[number.first + i];
        replay_bounds b = n->bounds[term->symbol];
        if (b.lo == b.hi && replay_bounds_known(b.lo)) {
            rest += (wide)term->coef * b.lo;
        } else if (open == NULL) {
            open = term;
        } else {
            return;
        }
    }
    if (open == NULL) {
        n->empty = n->empty || rest == 0;
    } else if (rest % open->coef == 0) {
        wide not = -rest / open->coef;
        replay_bounds b = n->bounds[open->symbol];
        keep(n, open->symbol, b.lo == not ? not +1 : b.lo,
             b.hi == not ? not -1 : b.hi);
    }
}

static void narrow_fact(narrowing *n, const oracle_fact *fact)
{
    if (fact->choice != ORACLE_NONE &&
        (n->decided == NULL || n->decided[fact->choice] != fact->is)) {
        return; /* of other executions */
    }
    range all = range_of(n, fact->of);
    if (fact->relation == ORACLE_UNEQUAL) {
        narrow_unequal(n, fact->of);
        return;
    }
    n->empty = n->empty || all.lo > 0 ||
               (fact->relation == ORACLE_EQUAL && all.hi < 0);
    narrow_at_most(n, fact->of, 1);
    if (fact->relation == ORACLE_EQUAL) {
        narrow_at_most(n, fact->of, -1);
    }
}

/* --- Definitions --- */

static bool is_far(wide x)
{
    return x >= FAR || x <= -FAR;
}

static range product(range a, range b)
{
    wide all[4] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
    range r = {all[0], all[0]};
    for (int i = 1; i < 4; i++) {
        r.lo = all[i] < r.lo ? all[i] : r.lo;
        r.hi = all[i] > r.hi ? all[i] : r.hi;
    }
    if (is_far(a.lo) || is_far(a.hi) || is_far(b.lo) || is_far(b.hi)) {
        bool positive = a.lo >= 0 && b.lo >= 0;
        r = (range){positive ? a.lo * b.lo : -FAR, FAR};
    }
    return r;
}

/* By something that is at least 1; else anything. */
static range quotient(range a, range b)
{
    if (b.lo < 1) {
        return (range){-FAR, FAR};
    }
    range r = {divide_down(a.lo, a.lo < 0 ? b.lo : b.hi),
               divide_down(a.hi, a.hi < 0 ? b.hi : b.lo)};
    if (a.lo >= 0 && is_far(b.hi)) {
        r.lo = 0;
    }
    if (a.hi < 0 && is_far(b.hi)) {
        r.hi = -1;
    }
    return (range){is_far(a.lo) ? -FAR : r.lo, is_far(a.hi) ? FAR : r.hi};
}

static range remainder_of(range a, range b)
{
    if (b.lo < 1) {
        return (range){-FAR, FAR};
    }
    range r = {0, is_far(b.hi) ? FAR : b.hi - 1};
    if (a.lo >= 0 && a.hi < r.hi) {
        r.hi = a.hi;
    }
    return r;
}

static wide least(wide a, wide b)
{
    return a < b ? a : b;
}

static wide most(wide a, wide b)
{
    return a > b ? a : b;
}

static void narrow_symbol(narrowing *n, uint32_t index)
{
    const oracle_symbol *s = &n->d->symbols[index];
    range a, b, r = {-FAR, FAR};
    if (s->is == ORACLE_OP_NONE) {
        return;
    }
    a = range_of(n, s->left);
    b = range_of(n, s->right);
    switch (s->is) {
    case ORACLE_OP_MUL:
        r = product(a, b);
        break;
    case ORACLE_OP_DIV:
        r = quotient(a, b);
        break;
    case ORACLE_OP_MOD:
        r = remainder_of(a, b);
        break;
    case ORACLE_OP_MIN:
        r = (range){least(a.lo, b.lo), least(a.hi, b.hi)};
        break;
    default:
        r = (range){most(a.lo, b.lo), most(a.hi, b.hi)};
        break;
    }
    keep(n, index, r.lo, r.hi);
}

/* sign * (number - than) <= 0 */
static void narrow_to(narrowing *n, oracle_affine number, wide than, int sign)
{
    wide c = number.c - than;
    if (!is_far(than) && !is_far(c)) {
        number.c = (int64_t)c;
        narrow_at_most(n, number, sign);
    }
}

/* A quotient by something positive says what its left side can be. */
static void narrow_dividend(narrowing *n, const oracle_symbol *s,
                            replay_bounds q)
{
    range b = range_of(n, s->right);
    wide by = q.hi >= 0 ? b.hi : b.lo;
    if (b.lo < 1) {
        return;
    }
    if (!is_far(q.hi) && !is_far(by)) {
        narrow_to(n, s->left, ((wide)q.hi + 1) * by - 1, 1);
    }
    if (!is_far(q.lo) && q.lo > 0) {
        narrow_to(n, s->left, (wide)q.lo * b.lo, -1);
    }
}

/* Both sides of a minimum are at least it, and one that must be it is. */
static void narrow_sides(narrowing *n, const oracle_symbol *s, replay_bounds q)
{
    int sign = s->is == ORACLE_OP_MIN ? 1 : -1;
    range a = range_of(n, s->left), b = range_of(n, s->right);
    wide inner = sign > 0 ? q.lo : q.hi, outer = sign > 0 ? q.hi : q.lo;
    narrow_to(n, s->left, inner, -sign);
    narrow_to(n, s->right, inner, -sign);
    if (sign > 0 ? b.lo > outer : b.hi < outer) {
        narrow_to(n, s->left, outer, sign);
    }
    if (sign > 0 ? a.lo > outer : a.hi < outer) {
        narrow_to(n, s->right, outer, sign);
    }
}

static void narrow_parts(narrowing *n, uint32_t index)
{
    const oracle_symbol *s = &n->d->symbols[index];
    if (s->is == ORACLE_OP_DIV) {
        narrow_dividend(n, s, n->bounds[index]);
    } else if (s->is == ORACLE_OP_MIN || s->is == ORACLE_OP_MAX) {
        narrow_sides(n, s, n->bounds[index]);
    }
}

/* Sizes at which something changes in most programs: around powers of two. */
static int64_t draw(uint64_t sample, uint32_t symbol)
{
    static const int64_t sizes[] = {1,   2,   3,   4,   7,    8,    16,   31,
                                    64,  127, 128, 129, 256,  300,  511,  512,
                                    513, 600, 768, 900, 1024, 1100, 2048, 5000};
    return sizes[replay_random(sample, symbol) %
                 (sizeof sizes / sizeof *sizes)];
}

/* Whether some fact bounds it above by other symbols: a loop's index. */
static void note_bounded(const oracle_document *d, const oracle_fact *fact,
                         bool *bounded)
{
    for (uint32_t i = 0; fact->of.count > 1 && i < fact->of.count; i++) {
        const oracle_term *term = &d->terms[fact->of.first + i];
        if (term->coef > 0 || fact->relation != ORACLE_AT_MOST) {
            bounded[term->symbol] = true;
        }
    }
}

static void take_sample(replay_bounds *bounds, const oracle_document *d,
                        uint64_t sample)
{
    bool *bounded = calloc((size_t)d->symbol_count + 1, 1);
    for (uint32_t f = 0; bounded != NULL && f < d->fact_count; f++) {
        note_bounded(d, &d->facts[f], bounded);
    }
    for (uint32_t i = 0; bounded != NULL && i < d->symbol_count; i++) {
        const oracle_symbol *s = &d->symbols[i];
        int64_t value = draw(sample, i);
        if (s->is == ORACLE_OP_NONE && !s->block && !s->has_max &&
            !bounded[i] && s->step <= 1 && value >= bounds[i].lo) {
            bounds[i] = (replay_bounds){value, value};
        }
    }
    free(bounded);
}

void replay_bounds_start(replay_bounds *bounds, const oracle_document *d,
                         uint64_t sample)
{
    for (uint32_t i = 0; i < d->symbol_count; i++) {
        const oracle_symbol *s = &d->symbols[i];
        bounds[i] = (replay_bounds){s->has_min ? (int64_t)clip(s->min) : -FAR,
                                    s->has_max ? (int64_t)clip(s->max) : FAR};
        if (s->block) {
            bounds[i] = (replay_bounds){-FAR, FAR}; /* a task has them all */
        }
    }
    if (sample != 0) {
        take_sample(bounds, d, sample);
    }
}

bool replay_bounds_narrow(replay_bounds *bounds, const oracle_document *d,
                          const uint8_t *decided, int64_t *work)
{
    narrowing n = {.d = d, .bounds = bounds, .decided = decided};
    for (uint32_t i = 0; i < d->symbol_count; i++) {
        n.empty = n.empty || bounds[i].lo > bounds[i].hi;
    }
    for (uint32_t round = 0; round < ROUNDS && !n.empty; round++) {
        *work -= (int64_t)d->symbol_count + d->fact_count;
        n.changed = false;
        for (uint32_t i = 0; i < d->symbol_count && !n.empty; i++) {
            narrow_symbol(&n, i);
            narrow_parts(&n, i);
        }
        for (uint32_t f = 0; f < d->fact_count && !n.empty; f++) {
            narrow_fact(&n, &d->facts[f]);
        }
        if (!n.changed) {
            break;
        }
    }
    return !n.empty;
}
