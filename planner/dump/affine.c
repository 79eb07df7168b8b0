#include "affine.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

enum { OP_CODE_MUL = 1, OP_CODE_DIV, OP_CODE_MOD, OP_CODE_MIN, OP_CODE_MAX };
enum { MAX_TERMS = 32 };

#define NO_SYMBOL UINT32_MAX

void affine_init(affine_pool *pool)
{
    memset(pool, 0, sizeof *pool);
    for (size_t i = 0; i < AFFINE_CHAINS; i++)
        pool->chains[i] = NO_SYMBOL;
}

void affine_free(affine_pool *pool)
{
    free(pool->terms);
    free(pool->symbols);
    memset(pool, 0, sizeof *pool);
}

affine_mark affine_here(const affine_pool *pool)
{
    return (affine_mark){pool->term_count, pool->symbol_count};
}

void affine_cut(affine_pool *pool, affine_mark mark)
{
    while (pool->symbol_count > mark.symbols) {
        affine_symbol *s = &pool->symbols[--pool->symbol_count];
        if (s->chain != NO_SYMBOL)
            pool->chains[s->chain] = s->next;
    }
    if (pool->term_count > mark.terms)
        pool->term_count = mark.terms;
}

affine affine_const(int64_t c)
{
    return (affine){c, 0, 0};
}

bool affine_is_const(affine a)
{
    return a.count == 0;
}

bool affine_equal(const affine_pool *pool, affine a, affine b)
{
    if (a.c != b.c || a.count != b.count)
        return false;
    for (uint32_t i = 0; i < a.count; i++) {
        const affine_term *x = &pool->terms[a.first + i];
        const affine_term *y = &pool->terms[b.first + i];
        if (x->coef != y->coef || x->symbol != y->symbol)
            return false;
    }
    return true;
}

static affine store(affine_pool *pool, int64_t c, const affine_term *terms,
                    uint32_t count)
{
    affine a = {c, pool->term_count, count};
    for (uint32_t i = 0; i < count; i++) {
        if (!array_grow(&pool->terms, pool->term_count, &pool->term_capacity,
                        sizeof *pool->terms)) {
            pool->failed = true;
            return affine_const(0);
        }
        pool->terms[pool->term_count++] = terms[i];
    }
    return a;
}

static affine new_symbol(affine_pool *pool, const affine_symbol *symbol)
{
    if (!array_grow(&pool->symbols, pool->symbol_count, &pool->symbol_capacity,
                    sizeof *pool->symbols)) {
        pool->failed = true;
        return affine_const(0);
    }
    affine_term term = {1, pool->symbol_count};
    pool->symbols[pool->symbol_count++] = *symbol;
    return store(pool, 0, &term, 1);
}

affine affine_symbol_new(affine_pool *pool, affine_kind kind, const char *name,
                         size_t name_length)
{
    affine_symbol symbol = {.kind = kind,
                            .step = 1,
                            .name = name,
                            .name_length = (uint32_t)name_length,
                            .chain = NO_SYMBOL,
                            .next = NO_SYMBOL};
    if (kind == AFFINE_DIMENSION) {
        symbol.has_min = true;
        symbol.min = 1;
    }
    return new_symbol(pool, &symbol);
}

affine affine_of(affine_pool *pool, uint32_t symbol)
{
    affine_term one = {1, symbol};
    return store(pool, 0, &one, 1);
}

affine_symbol *affine_symbol_of(affine_pool *pool, affine a)
{
    return a.count == 1 ? &pool->symbols[pool->terms[a.first].symbol] : NULL;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
    h ^= v + 0x9e3779b97f4a7c15U + (h << 6) + (h >> 2);
    return h * 0xff51afd7ed558ccdU;
}

static uint64_t hash_affine(const affine_pool *pool, uint64_t h, affine a)
{
    h = mix(h, (uint64_t)a.c);
    for (uint32_t i = 0; i < a.count; i++) {
        h = mix(h, (uint64_t)pool->terms[a.first + i].coef);
        h = mix(h, pool->terms[a.first + i].symbol);
    }
    return h;
}

affine affine_intern(affine_pool *pool, affine_kind kind, uint8_t op,
                     affine left, affine right)
{
    uint64_t h = mix((uint64_t)kind, op);
    h = hash_affine(pool, h, left);
    h = hash_affine(pool, h, right);
    uint32_t chain = (uint32_t)((h ^ (h >> 32)) % AFFINE_CHAINS);
    for (uint32_t i = pool->chains[chain]; i != NO_SYMBOL;
         i = pool->symbols[i].next) {
        const affine_symbol *s = &pool->symbols[i];
        if (s->kind == kind && s->op == op &&
            affine_equal(pool, s->left, left) &&
            affine_equal(pool, s->right, right)) {
            affine_term term = {1, i};
            return store(pool, 0, &term, 1);
        }
    }
    affine_symbol symbol = {.kind = kind,
                            .op = op,
                            .step = 1,
                            .left = left,
                            .right = right,
                            .next = pool->chains[chain],
                            .chain = chain};
    affine a = new_symbol(pool, &symbol);
    if (!pool->failed)
        pool->chains[chain] = pool->symbol_count - 1;
    return a;
}

/* a + k * b, or false when it does not fit. */
static bool combine(affine_pool *pool, affine *out, affine a, affine b,
                    int64_t k)
{
    affine_term terms[2 * MAX_TERMS];
    uint32_t n = 0, i = 0, j = 0;
    int64_t c;
    if (a.count > MAX_TERMS || b.count > MAX_TERMS ||
        __builtin_mul_overflow(k, b.c, &c) ||
        __builtin_add_overflow(a.c, c, &c))
        return false;
    while (i < a.count || j < b.count) {
        const affine_term *x = &pool->terms[a.first + i];
        const affine_term *y = &pool->terms[b.first + j];
        affine_term t;
        if (j == b.count || (i < a.count && x->symbol < y->symbol)) {
            t = *x;
            i++;
        } else {
            bool both = i < a.count && x->symbol == y->symbol;
            t.symbol = y->symbol;
            if (__builtin_mul_overflow(k, y->coef, &t.coef) ||
                (both && __builtin_add_overflow(x->coef, t.coef, &t.coef)))
                return false;
            j++;
            i += both;
        }
        if (t.coef != 0)
            terms[n++] = t;
    }
    if (n > MAX_TERMS)
        return false;
    *out = store(pool, c, terms, n);
    return true;
}

/* x // c * c * k + x % c * k is x * k. */
static bool is_recombined(affine_pool *pool, affine sum, affine *out)
{
    for (uint32_t i = 0; i < sum.count; i++) {
        affine_term t = pool->terms[sum.first + i];
        affine_symbol s = pool->symbols[t.symbol];
        if (s.kind != AFFINE_OPAQUE || s.op != OP_CODE_MOD ||
            !affine_is_const(s.right) || t.coef == INT64_MIN)
            continue;
        for (uint32_t k = 0; k < sum.count; k++) {
            affine_term u = pool->terms[sum.first + k];
            affine_symbol q = pool->symbols[u.symbol];
            if (q.kind != AFFINE_OPAQUE || q.op != OP_CODE_DIV ||
                !affine_equal(pool, q.left, s.left) ||
                !affine_equal(pool, q.right, s.right) ||
                u.coef % s.right.c != 0 || u.coef / s.right.c != t.coef)
                continue;
            affine_term pair[2] = {{t.coef, t.symbol}, {u.coef, u.symbol}};
            affine parts = store(pool, 0, pair + (i > k), 1);
            affine rest = store(pool, 0, pair + (i < k), 1);
            return combine(pool, out, sum, parts, -1) &&
                   combine(pool, out, *out, rest, -1) &&
                   combine(pool, out, *out, s.left, t.coef);
        }
    }
    return false;
}

affine affine_add(affine_pool *pool, affine a, affine b)
{
    affine sum, whole;
    if (!combine(pool, &sum, a, b, 1))
        return affine_symbol_new(pool, AFFINE_OPAQUE, NULL, 0);
    return is_recombined(pool, sum, &whole) ? whole : sum;
}

/*
 * x - x // c * c is x % c: when a subtraction leaves -c * (x // c) behind and
 * the rest is x itself, it is that.
 */
static bool is_remainder(affine_pool *pool, affine difference, affine *out)
{
    for (uint32_t i = 0; i < difference.count; i++) {
        affine_term t = pool->terms[difference.first + i];
        affine_symbol s = pool->symbols[t.symbol];
        affine quotient, rest;
        if (s.op != OP_CODE_DIV || !affine_is_const(s.right) ||
            s.right.c <= 0 || t.coef != -s.right.c)
            continue;
        affine_term one = {1, t.symbol};
        quotient = store(pool, 0, &one, 1);
        if (!combine(pool, &rest, difference, quotient, s.right.c) ||
            !affine_equal(pool, rest, s.left))
            continue;
        *out = affine_mod(pool, s.left, s.right);
        return true;
    }
    return false;
}

affine affine_sub(affine_pool *pool, affine a, affine b)
{
    affine difference, remainder;
    if (!combine(pool, &difference, a, b, -1))
        return affine_symbol_new(pool, AFFINE_OPAQUE, NULL, 0);
    if (is_remainder(pool, difference, &remainder))
        return remainder;
    return difference;
}

affine affine_mul(affine_pool *pool, affine a, affine b)
{
    affine product;
    if (affine_is_const(a)) {
        affine swap = a;
        a = b;
        b = swap;
    }
    if (affine_is_const(b)) {
        if (combine(pool, &product, affine_const(0), a, b.c))
            return product;
        return affine_symbol_new(pool, AFFINE_OPAQUE, NULL, 0);
    }
    product = affine_intern(pool, AFFINE_OPAQUE, OP_CODE_MUL, a, b);
    affine_symbol *s = affine_symbol_of(pool, product);
    if (s != NULL && affine_at_least(pool, a, 0) &&
        affine_at_least(pool, b, 0) && !s->has_min) {
        s->has_min = true;
        s->min = affine_at_least(pool, a, 1) && affine_at_least(pool, b, 1);
    }
    return product;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

/*
 * Splits a into a part that `by` divides (already divided) and the rest, whose
 * constant lies in [0, by). by >= 1.
 */
static void split(affine_pool *pool, affine a, int64_t by, affine *whole,
                  affine *rest)
{
    affine_term divided[MAX_TERMS], left[MAX_TERMS];
    uint32_t n = 0, m = 0;
    for (uint32_t i = 0; i < a.count; i++) {
        affine_term t = pool->terms[a.first + i];
        if (t.coef % by == 0)
            divided[n++] = (affine_term){t.coef / by, t.symbol};
        else
            left[m++] = t;
    }
    int64_t q = floor_div(a.c, by);
    *whole = store(pool, q, divided, n);
    *rest = store(pool, a.c - q * by, left, m);
}

affine affine_floordiv(affine_pool *pool, affine a, affine b)
{
    affine whole, rest;
    if (!affine_is_const(b) || b.c <= 0 || a.count > MAX_TERMS)
        return affine_intern(pool, AFFINE_OPAQUE, OP_CODE_DIV, a, b);
    split(pool, a, b.c, &whole, &rest);
    affine_range r = affine_bounds(pool, rest);
    if (r.has_min && r.has_max &&
        floor_div(r.min, b.c) == floor_div(r.max, b.c))
        return affine_add(pool, whole, affine_const(floor_div(r.min, b.c)));
    affine quotient = affine_intern(pool, AFFINE_OPAQUE, OP_CODE_DIV, rest, b);
    affine_symbol *s = affine_symbol_of(pool, quotient);
    if (s != NULL) {
        s->has_min = r.has_min;
        s->min = r.has_min ? floor_div(r.min, b.c) : 0;
        s->has_max = r.has_max;
        s->max = r.has_max ? floor_div(r.max, b.c) : 0;
    }
    return affine_add(pool, whole, quotient);
}

affine affine_mod(affine_pool *pool, affine a, affine b)
{
    affine whole, rest;
    if (!affine_is_const(b) || b.c <= 0 || a.count > MAX_TERMS)
        return affine_intern(pool, AFFINE_OPAQUE, OP_CODE_MOD, a, b);
    split(pool, a, b.c, &whole, &rest);
    affine_range r = affine_bounds(pool, rest);
    if (r.has_min && r.has_max && r.min >= 0 && r.max < b.c)
        return rest;
    affine remainder = affine_intern(pool, AFFINE_OPAQUE, OP_CODE_MOD, rest, b);
    affine_symbol *s = affine_symbol_of(pool, remainder);
    if (s != NULL) {
        s->has_min = s->has_max = true;
        s->min = 0;
        s->max = b.c - 1;
    }
    return remainder;
}

static affine choose(affine_pool *pool, affine a, affine b, bool want_min)
{
    affine difference;
    if (combine(pool, &difference, a, b, -1)) {
        affine_range d = affine_bounds(pool, difference);
        if (d.has_max && d.max <= 0)
            return want_min ? a : b;
        if (d.has_min && d.min >= 0)
            return want_min ? b : a;
        if (affine_never_above(pool, difference))
            return want_min ? a : b;
        if (combine(pool, &difference, b, a, -1) &&
            affine_never_above(pool, difference))
            return want_min ? b : a;
    }
    affine chosen = affine_intern(pool, AFFINE_OPAQUE,
                                  want_min ? OP_CODE_MIN : OP_CODE_MAX, a, b);
    affine_range x = affine_bounds(pool, a), y = affine_bounds(pool, b);
    affine_symbol *s = affine_symbol_of(pool, chosen);
    if (s == NULL)
        return chosen;
    if (want_min) {
        s->has_max = x.has_max || y.has_max;
        s->max = !y.has_max || (x.has_max && x.max < y.max) ? x.max : y.max;
        s->has_min = x.has_min && y.has_min;
        s->min = x.min < y.min ? x.min : y.min;
    } else {
        s->has_min = x.has_min || y.has_min;
        s->min = !y.has_min || (x.has_min && x.min > y.min) ? x.min : y.min;
        s->has_max = x.has_max && y.has_max;
        s->max = x.max > y.max ? x.max : y.max;
    }
    return chosen;
}

affine affine_min(affine_pool *pool, affine a, affine b)
{
    return choose(pool, a, b, true);
}

affine affine_max(affine_pool *pool, affine a, affine b)
{
    return choose(pool, a, b, false);
}

/* Adds coef * bound to *sum; clears *has when there is none. */
static void add_bound(bool *has, int64_t *sum, int64_t coef, bool has_bound,
                      int64_t bound)
{
    int64_t product;
    if (!*has)
        return;
    *has = has_bound && !__builtin_mul_overflow(coef, bound, &product) &&
           !__builtin_add_overflow(*sum, product, sum);
}

void affine_pair(affine_pool *pool, affine index, affine distance)
{
    affine_symbol *k = affine_symbol_of(pool, index);
    affine_symbol *d = affine_symbol_of(pool, distance);
    if (k == NULL || d == NULL)
        return;
    k->partner = pool->terms[distance.first].symbol + 1;
    d->partner = pool->terms[index.first].symbol + 1;
    d->is_distance = true;
}

/* How often a term of a stands there together with its partner. */
static int64_t shared_coef(const affine_pool *pool, affine a, affine_term t)
{
    uint32_t partner = pool->symbols[t.symbol].partner;
    for (uint32_t i = 0; partner != 0 && i < a.count; i++) {
        affine_term o = pool->terms[a.first + i];
        if (o.symbol + 1 != partner || (o.coef < 0) != (t.coef < 0))
            continue;
        bool less = t.coef < 0 ? o.coef > t.coef : o.coef < t.coef;
        return less ? o.coef : t.coef;
    }
    return 0;
}

/* Adds what coef times a symbol can be. */
static void add_range(affine_range *r, int64_t coef, const affine_symbol *s)
{
    bool up = coef > 0;
    if (coef == 0)
        return;
    add_bound(&r->has_min, &r->min, coef, up ? s->has_min : s->has_max,
              up ? s->min : s->max);
    add_bound(&r->has_max, &r->max, coef, up ? s->has_max : s->has_min,
              up ? s->max : s->min);
}

affine_range affine_bounds(const affine_pool *pool, affine a)
{
    affine_range r = {true, true, a.c, a.c};
    for (uint32_t i = 0; i < a.count; i++) {
        affine_term t = pool->terms[a.first + i];
        const affine_symbol *s = &pool->symbols[t.symbol];
        int64_t shared = shared_coef(pool, a, t);
        add_range(&r, t.coef - shared, s);
        /* An index is at least 0: their sum is where the distance is. */
        if (s->is_distance)
            add_range(&r, shared, s);
    }
    if (!r.has_min)
        r.min = 0;
    if (!r.has_max)
        r.max = 0;
    return r;
}

bool affine_at_least(const affine_pool *pool, affine a, int64_t c)
{
    affine_range r = affine_bounds(pool, a);
    return r.has_min && r.min >= c;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/*
 * The largest number that divides all coefficients, and the terms divided by
 * it; 1 and no terms when there is none or it cannot be divided.
 */
static int64_t divide_terms(const affine_pool *pool, affine a,
                            affine_term terms[MAX_TERMS])
{
    int64_t g = 0;
    if (a.count == 0 || a.count > MAX_TERMS || a.c == INT64_MIN)
        return 1;
    for (uint32_t i = 0; i < a.count; i++) {
        terms[i] = pool->terms[a.first + i];
        if (terms[i].coef == INT64_MIN)
            return 1;
        g = common_divisor(g, terms[i].coef);
    }
    for (uint32_t i = 0; i < a.count; i++)
        terms[i].coef /= g;
    return g;
}

affine affine_tighten(affine_pool *pool, affine a)
{
    affine_term terms[MAX_TERMS];
    int64_t g = divide_terms(pool, a, terms);
    return g < 2 ? a : store(pool, -floor_div(-a.c, g), terms, a.count);
}

bool affine_divide(affine_pool *pool, affine *a)
{
    affine_term terms[MAX_TERMS];
    int64_t g = divide_terms(pool, *a, terms);
    if (a->c % g != 0)
        return false;
    if (g > 1)
        *a = store(pool, a->c / g, terms, a->count);
    return true;
}

affine affine_unfold(affine_pool *pool, affine a)
{
    for (;;) {
        const affine_symbol *s = affine_symbol_of(pool, a);
        int64_t coef = s == NULL ? 0 : pool->terms[a.first].coef;
        bool chosen = s != NULL && s->kind == AFFINE_OPAQUE &&
                      (s->op == OP_CODE_MIN || s->op == OP_CODE_MAX) &&
                      affine_is_const(s->left) != affine_is_const(s->right);
        affine out;
        if (!chosen || (coef != 1 && coef != -1) ||
            !combine(pool, &out, affine_const(a.c),
                     affine_is_const(s->left) ? s->right : s->left, coef))
            return a;
        a = affine_tighten(pool, out);
    }
}

uint32_t affine_facts(affine_pool *pool, uint32_t symbol, affine out[2])
{
    affine_symbol s = pool->symbols[symbol];
    affine_term one = {1, symbol};
    affine n = store(pool, 0, &one, 1);
    affine scaled;
    if (s.kind == AFFINE_INDEX && s.op == 0 && s.has_limit) {
        out[0] = s.limit;
        return 1;
    }
    if (s.kind != AFFINE_OPAQUE)
        return 0;
    switch (s.op) {
    case OP_CODE_DIV: /* c * n <= left <= c * n + c - 1 */
        if (!affine_is_const(s.right) || s.right.c <= 0 ||
            !combine(pool, &scaled, affine_const(0), n, s.right.c) ||
            !combine(pool, &out[0], scaled, s.left, -1) ||
            !combine(pool, &out[1], affine_const(1 - s.right.c), out[0], -1))
            return 0;
        return 2;
    case OP_CODE_MOD: /* n == left - c * (left // c) */
        if (!affine_is_const(s.right) || s.right.c <= 0)
            return 0;
        scaled = affine_floordiv(pool, s.left, s.right);
        if (!combine(pool, &out[0], n, s.left, -1) ||
            !combine(pool, &out[0], out[0], scaled, s.right.c) ||
            !combine(pool, &out[1], affine_const(0), out[0], -1))
            return 0;
        return 2;
    case OP_CODE_MIN: /* n <= left, n <= right */
        return combine(pool, &out[0], n, s.left, -1) &&
                       combine(pool, &out[1], n, s.right, -1)
                   ? 2
                   : 0;
    case OP_CODE_MAX:
        return combine(pool, &out[0], s.left, n, -1) &&
                       combine(pool, &out[1], s.right, n, -1)
                   ? 2
                   : 0;
    default:
        return 0;
    }
}

/* a with k times a symbol exchanged for k * (by + c), divided by `divisor`. */
static bool exchange(affine_pool *pool, affine *out, affine a, affine_term t,
                     affine by, int64_t c, int64_t divisor)
{
    affine_term one = {1, t.symbol};
    affine n = store(pool, 0, &one, 1), sum;
    return t.coef != INT64_MIN && combine(pool, &sum, a, n, -t.coef) &&
           combine(pool, &sum, sum, by, t.coef / divisor) &&
           combine(pool, out, sum, affine_const(c), t.coef / divisor);
}

/* Numbers that are at least a where one term is replaced; gives how many. */
static uint32_t raise(affine_pool *pool, affine a, affine_term t, affine out[2])
{
    affine_symbol s = pool->symbols[t.symbol];
    bool up = t.coef > 0;
    uint32_t n = 0;
    if (s.kind == AFFINE_INDEX && s.has_limit && up)
        return combine(pool, &out[0], a, s.limit, -t.coef);
    if (s.kind != AFFINE_OPAQUE)
        return 0;
    if ((s.op == OP_CODE_MIN && up) || (s.op == OP_CODE_MAX && !up)) {
        n += exchange(pool, &out[n], a, t, s.left, 0, 1);
        n += exchange(pool, &out[n], a, t, s.right, 0, 1);
    } else if (s.op == OP_CODE_DIV && affine_is_const(s.right) &&
               s.right.c > 0 && t.coef % s.right.c == 0) {
        n += exchange(pool, &out[0], a, t, s.left, up ? 0 : 1 - s.right.c,
                      s.right.c);
    }
    return n;
}

enum { MAX_RAISED = 16 };

bool affine_never_above(affine_pool *pool, affine a)
{
    affine open[MAX_RAISED] = {a};
    uint32_t count = 1;
    for (uint32_t i = 0; i < count; i++) {
        affine_range r = affine_bounds(pool, open[i]);
        if (r.has_max && r.max <= 0)
            return true;
        for (uint32_t k = 0; k < open[i].count && count + 2 <= MAX_RAISED; k++)
            count += raise(pool, open[i], pool->terms[open[i].first + k],
                           open + count);
    }
    return false;
}

const char *affine_definition(const affine_pool *pool, uint32_t symbol,
                              affine *left, affine *right)
{
    static const char *const names[] = {[OP_CODE_MUL] = "*",
                                        [OP_CODE_DIV] = "//",
                                        [OP_CODE_MOD] = "%",
                                        [OP_CODE_MIN] = "min",
                                        [OP_CODE_MAX] = "max"};
    const affine_symbol *s = &pool->symbols[symbol];
    if (s->kind != AFFINE_OPAQUE || s->op < OP_CODE_MUL || s->op > OP_CODE_MAX)
        return NULL;
    *left = s->left;
    *right = s->right;
    return names[s->op];
}

bool affine_least_of(const affine_pool *pool, uint32_t symbol, affine *number)
{
    const affine_symbol *s = &pool->symbols[symbol];
    bool left = affine_is_const(s->left) && s->left.c >= 1;
    bool right = affine_is_const(s->right) && s->right.c >= 1;
    if (s->kind != AFFINE_OPAQUE || s->op != OP_CODE_MIN || left == right)
        return false;
    *number = left ? s->right : s->left;
    return true;
}

bool affine_combine(affine_pool *pool, affine *out, affine a, affine b,
                    int64_t k)
{
    return combine(pool, out, a, b, k);
}

bool affine_save(const affine_pool *pool, affine_saved *saved, affine *a)
{
    uint32_t first = saved->count;
    for (uint32_t i = 0; i < a->count; i++) {
        if (!array_grow(&saved->terms, saved->count, &saved->capacity,
                        sizeof *saved->terms))
            return false;
        saved->terms[saved->count++] = pool->terms[a->first + i];
    }
    a->first = first;
    return true;
}

void affine_restore(affine_pool *pool, const affine_saved *saved, affine *a)
{
    if (a->count > 0)
        *a = store(pool, a->c, saved->terms + a->first, a->count);
}

bool affine_has_from(const affine_pool *pool, affine a, uint32_t symbol)
{
    return a.count > 0 && pool->terms[a.first + a.count - 1].symbol >= symbol;
}
