/*
 * Values of the symbols: one after the other, and back to one that may be the
 * reason where nothing is left.
 */
#include "bounds.h"
#include "program_work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CANDIDATES 56
#define FROM_BELOW 40     /* of them, ever farther; the rest from above */
#define MOST_SYMBOLS 8192 /* so many are searched for */
#define MOST_TRIES 100000 /* all in all */
#define DRAWN 4           /* candidates that are drawn, with a seed */
#define DRAW_WIDTH 64

/* What is left for one symbol. */
typedef struct interval {
    bool has_lo, has_hi, empty;
    int64_t lo, hi;
} interval;

typedef struct search {
    const oracle_document *d;
    int64_t *values;
    replay_bounds *bounds;
    uint32_t *first_fact, *next_fact; /* by the last of their symbols */
    uint8_t *tried;                   /* by symbol: candidates */
    /* By symbol, bits: those before it that may be why it has no value. */
    uint64_t *why;
    size_t words; /* of one */
    uint64_t seed;
} search;

bool replay_value_of(int64_t *value, const oracle_document *document,
                     oracle_affine number, const int64_t *values)
{
    *value = number.c;
    for (uint32_t i = 0; i < number.count; i++) {
        const oracle_term *term = &document->terms[number.first + i];
        int64_t product;
        if (__builtin_mul_overflow(term->coef, values[term->symbol],
                                   &product) ||
            __builtin_add_overflow(*value, product, value)) {
            return false;
        }
    }
    return true;
}

static int64_t divide_down(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

/* What follows from others; false: nothing does. */
static bool operate(const search *s, const oracle_symbol *symbol, int64_t *out)
{
    int64_t a, b;
    if (!replay_value_of(&a, s->d, symbol->left, s->values) ||
        !replay_value_of(&b, s->d, symbol->right, s->values)) {
        return false;
    }
    switch (symbol->is) {
    case ORACLE_OP_MUL:
        return !__builtin_mul_overflow(a, b, out);
    case ORACLE_OP_DIV:
    case ORACLE_OP_MOD:
        if (b == 0 || b == -1) { /* INT64_MIN / -1 has no value */
            *out = symbol->is == ORACLE_OP_MOD ? 0 : -a;
            return b != 0 && a != INT64_MIN;
        }
        *out = symbol->is == ORACLE_OP_DIV ? divide_down(a, b)
                                           : a - divide_down(a, b) * b;
        return true;
    case ORACLE_OP_MIN:
        *out = a < b ? a : b;
        return true;
    default:
        *out = a > b ? a : b;
        return true;
    }
}

static void keep_at_most(interval *left, int64_t hi)
{
    left->hi = left->has_hi && left->hi < hi ? left->hi : hi;
    left->has_hi = true;
}

static void keep_at_least(interval *left, int64_t lo)
{
    left->lo = left->has_lo && left->lo > lo ? left->lo : lo;
    left->has_lo = true;
}

/* coef * x + rest <= 0, or == 0. */
static void narrow(interval *left, int64_t coef, int64_t rest, bool equal)
{
    if (rest == INT64_MIN || coef == INT64_MIN) {
        return;
    }
    if (equal && rest % coef != 0) {
        left->empty = true;
    }
    int64_t down = divide_down(-rest, coef);
    if (coef > 0 || equal) {
        keep_at_most(left, down);
    }
    if (coef < 0 || equal) {
        keep_at_least(left, down + (rest % coef != 0));
    }
}

static void narrow_by(const search *s, uint32_t symbol, interval *left)
{
    for (uint32_t f = s->first_fact[symbol]; f != REPLAY_NONE;
         f = s->next_fact[f]) {
        const oracle_fact *fact = &s->d->facts[f];
        const oracle_term *last =
            &s->d->terms[fact->of.first + fact->of.count - 1];
        oracle_affine others = fact->of;
        int64_t rest;
        others.count--;
        if (fact->relation != ORACLE_UNEQUAL &&
            replay_value_of(&rest, s->d, others, s->values)) {
            narrow(left, last->coef, rest, fact->relation == ORACLE_EQUAL);
        }
    }
}

static bool facts_hold(const search *s, uint32_t symbol)
{
    for (uint32_t f = s->first_fact[symbol]; f != REPLAY_NONE;
         f = s->next_fact[f]) {
        const oracle_fact *fact = &s->d->facts[f];
        int64_t v;
        if (!replay_value_of(&v, s->d, fact->of, s->values) ||
            (fact->relation == ORACLE_AT_MOST ? v > 0
             : fact->relation == ORACLE_EQUAL ? v != 0
                                              : v == 0)) {
            return false;
        }
    }
    return true;
}

static bool in_bounds(const oracle_symbol *symbol, int64_t value)
{
    return (!symbol->has_min || value >= symbol->min) &&
           (!symbol->has_max || value <= symbol->max);
}

/* Moves the ends to values that the steps lead to. */
static void align(const oracle_symbol *symbol, interval *left)
{
    if (!symbol->has_min || symbol->step <= 1) {
        return;
    }
    int64_t gap;
    if (__builtin_sub_overflow(left->lo, symbol->min, &gap)) {
        left->empty = true;
        return;
    }
    int64_t off = gap % symbol->step;
    if (off != 0 &&
        __builtin_add_overflow(left->lo, symbol->step - off, &left->lo)) {
        left->empty = true;
    }
    if (left->has_hi && !__builtin_sub_overflow(left->hi, symbol->min, &gap) &&
        gap >= 0) {
        left->hi -= gap % symbol->step;
    }
}

/* A value that is drawn; false: without a seed, or there are no bounds. */
static bool draw(const search *s, uint32_t symbol, uint32_t k,
                 const interval *left, int64_t step, int64_t *value)
{
    uint64_t random = replay_random(s->seed, (uint64_t)symbol * DRAWN + k);
    uint64_t width = DRAW_WIDTH;
    if (s->seed == 0 || !left->has_lo) {
        return false;
    }
    if (left->has_hi) {
        uint64_t span = (uint64_t)left->hi - (uint64_t)left->lo;
        uint64_t values = span / (uint64_t)step + 1;
        width = values != 0 && values < width ? values : width;
    }
    int64_t by = (int64_t)(random % width);
    return !__builtin_mul_overflow(by, step, &by) &&
           !__builtin_add_overflow(left->lo, by, value);
}

/* 0, 1, 1, 2, 3, 4, 7, 8, 15, 16, ...: what stands in the way is often a
 * quotient or a remainder. */
static int64_t distance(uint32_t k)
{
    return k == 0       ? 0
           : k % 2 == 1 ? INT64_C(1) << k / 2
                        : (INT64_C(1) << k / 2) - 1;
}

/* Candidate k of what is left; false: there is none. */
static bool candidate(const search *s, uint32_t symbol, uint32_t k,
                      const interval *left, int64_t *value)
{
    int64_t step = s->d->symbols[symbol].step, by;
    step = step < 1 ? 1 : step;
    if (k < DRAWN && draw(s, symbol, k, left, step, value)) {
        return true;
    }
    bool below = k < FROM_BELOW && (left->has_lo || !left->has_hi);
    by = distance(k < FROM_BELOW ? k : k - FROM_BELOW);
    int64_t from = below ? (left->has_lo ? left->lo : 0) : left->hi;
    if (!below && !left->has_hi) { /* no bounds at all */
        from = 0;
        by++;
    }
    return !__builtin_mul_overflow(by, below ? step : -step, &by) &&
           !__builtin_add_overflow(from, by, value);
}

/* The next value of a symbol with which all its facts hold. */
static bool next_value(search *s, uint32_t i, uint64_t *tries)
{
    const oracle_symbol *symbol = &s->d->symbols[i];
    if (symbol->is != ORACLE_OP_NONE) {
        return s->tried[i]++ == 0 && operate(s, symbol, &s->values[i]) &&
               in_bounds(symbol, s->values[i]) && facts_hold(s, i);
    }
    replay_bounds b = s->bounds[i];
    interval left = {symbol->has_min, symbol->has_max, false, symbol->min,
                     symbol->max};
    if (replay_bounds_known(b.lo)) {
        keep_at_least(&left, b.lo);
    }
    if (replay_bounds_known(b.hi)) {
        keep_at_most(&left, b.hi);
    }
    narrow_by(s, i, &left);
    align(symbol, &left);
    if (left.empty || (left.has_lo && left.has_hi && left.lo > left.hi)) {
        return false;
    }
    while (s->tried[i] < CANDIDATES && ++*tries < MOST_TRIES) {
        int64_t value;
        if (!candidate(s, i, s->tried[i]++, &left, &value) ||
            (left.has_lo && value < left.lo) ||
            (left.has_hi && value > left.hi)) {
            continue;
        }
        s->values[i] = value;
        if (facts_hold(s, i)) {
            return true;
        }
    }
    return false;
}

/* Notes all symbols of a number but `symbol` itself. */
static void note(const search *s, uint32_t symbol, oracle_affine number)
{
    for (uint32_t i = 0; i < number.count; i++) {
        uint32_t other = s->d->terms[number.first + i].symbol;
        if (other < symbol && !s->d->symbols[other].block) {
            s->why[symbol * s->words + other / 64] |= UINT64_C(1) << other % 64;
        }
    }
}

/*
 * Back to the last symbol that may be why this one has no value, which takes
 * over the other reasons; -1: there is none.
 */
static int64_t go_back(search *s, uint32_t symbol)
{
    const oracle_symbol *of = &s->d->symbols[symbol];
    uint64_t *why = s->why + symbol * s->words;
    if (of->is != ORACLE_OP_NONE) {
        note(s, symbol, of->left);
        note(s, symbol, of->right);
    }
    for (uint32_t f = s->first_fact[symbol]; f != REPLAY_NONE;
         f = s->next_fact[f]) {
        note(s, symbol, s->d->facts[f].of);
    }
    for (size_t w = s->words; w-- > 0;) {
        if (why[w] == 0) {
            continue;
        }
        uint32_t bit = 63 - (uint32_t)__builtin_clzll(why[w]);
        uint32_t back = (uint32_t)w * 64 + bit;
        for (size_t i = 0; i <= w; i++) {
            s->why[back * s->words + i] |= why[i];
        }
        s->why[back * s->words + w] &= ~(UINT64_C(1) << bit);
        return back;
    }
    return -1;
}

/* The symbol where it was given up; symbol_count: all have values. */
static uint32_t find(search *s)
{
    uint32_t farthest = 0, n = s->d->symbol_count;
    uint64_t tries = 0;
    int64_t at = 0;
    while (at >= 0 && at < (int64_t)n && ++tries < MOST_TRIES) {
        uint32_t symbol = (uint32_t)at;
        farthest = symbol > farthest ? symbol : farthest;
        if (!s->d->symbols[symbol].block && !next_value(s, symbol, &tries)) {
            at = go_back(s, symbol);
        } else if (++at < (int64_t)n) {
            s->tried[at] = 0;
            memset(s->why + (size_t)at * s->words, 0,
                   s->words * sizeof *s->why);
        }
    }
    return at == (int64_t)n ? n : farthest;
}

/* --- The same with what follows from each value looked at at once --- */

typedef struct narrowed {
    search *s;
    uint32_t *free; /* symbols that follow from no others */
    uint32_t count;
    replay_bounds *now, *next;
    int64_t *work, least; /* it ends where no more than the least is left */
} narrowed;

static bool narrow_all(narrowed *w, replay_bounds *bounds)
{
    return replay_bounds_narrow(bounds, w->s->d, NULL, w->work);
}

/* The values of all but the free ones; whether every fact holds. */
static bool holds_all(narrowed *w)
{
    search *s = w->s;
    for (uint32_t i = 0; i < s->d->symbol_count; i++) {
        const oracle_symbol *symbol = &s->d->symbols[i];
        if (!symbol->block &&
            ((symbol->is != ORACLE_OP_NONE &&
              !operate(s, symbol, &s->values[i])) ||
             !in_bounds(symbol, s->values[i]) || !facts_hold(s, i))) {
            return false;
        }
    }
    return true;
}

/* The next value of a free symbol that leaves the others some; false: none. */
static bool next_narrowed(narrowed *w, uint32_t depth)
{
    search *s = w->s;
    uint32_t i = w->free[depth];
    replay_bounds b = w->now[i];
    interval left = {replay_bounds_known(b.lo), replay_bounds_known(b.hi),
                     false, b.lo, b.hi};
    size_t size = s->d->symbol_count * sizeof *w->now;
    align(&s->d->symbols[i], &left);
    while (!left.empty && s->tried[i]<CANDIDATES && * w->work> 0) {
        int64_t value;
        if (!candidate(s, i, s->tried[i]++, &left, &value) ||
            (left.has_lo && value < left.lo) ||
            (left.has_hi && value > left.hi)) {
            continue;
        }
        s->values[i] = value;
        memcpy(w->next, w->now, size);
        w->next[i] = (replay_bounds){value, value};
        if (narrow_all(w, w->next) && (depth + 1 < w->count || holds_all(w))) {
            memcpy(w->now, w->next, size);
            return true;
        }
    }
    return false;
}

static bool find_narrowed(narrowed *w)
{
    search *s = w->s;
    uint32_t depth = 0;
    size_t size = s->d->symbol_count * sizeof *w->now;
    memcpy(w->now, s->bounds, size);
    s->tried[w->free[0]] = 0;
    while (depth < w->count) {
        if (next_narrowed(w, depth)) {
            if (++depth < w->count) {
                s->tried[w->free[depth]] = 0;
            }
            continue;
        }
        if (depth == 0 || *w->work <= w->least) {
            return false;
        }
        depth--;
        memcpy(w->now, s->bounds, size);
        for (uint32_t i = 0; i < depth; i++) {
            int64_t value = s->values[w->free[i]];
            w->now[w->free[i]] = (replay_bounds){value, value};
        }
        (void)narrow_all(w, w->now);
    }
    return true;
}

/* Whether values were found; also false without memory. */
static bool search_narrowed(search *s, int64_t *work)
{
    uint32_t n = s->d->symbol_count;
    narrowed w = {.s = s,
                  .work = work,
                  .free = malloc((size_t)n * sizeof *w.free),
                  .now = malloc((size_t)n * sizeof *w.now),
                  .next = malloc((size_t)n * sizeof *w.next)};
    /* Eight times what it takes where nothing stands in the way. */
    int64_t own = 8 * (int64_t)n * ((int64_t)n + s->d->fact_count);
    w.least = *work > own ? *work - own : 0;
    bool found = false;
    if (w.free != NULL && w.now != NULL && w.next != NULL) {
        memset(s->values, 0, (size_t)n * sizeof *s->values);
        for (uint32_t i = 0; i < n; i++) {
            const oracle_symbol *symbol = &s->d->symbols[i];
            if (!symbol->block && symbol->is == ORACLE_OP_NONE) {
                w.free[w.count++] = i;
            }
        }
        found = w.count > 0 && find_narrowed(&w);
    }
    free(w.free);
    free(w.now);
    free(w.next);
    return found;
}

static void list_facts(search *s)
{
    for (uint32_t i = 0; i < s->d->symbol_count; i++) {
        s->first_fact[i] = REPLAY_NONE;
    }
    for (uint32_t f = 0; f < s->d->fact_count; f++) {
        oracle_affine of = s->d->facts[f].of;
        if (of.count > 0) {
            uint32_t last = s->d->terms[of.first + of.count - 1].symbol;
            s->next_fact[f] = s->first_fact[last];
            s->first_fact[last] = f;
        }
    }
}

static replay_status search_values(replay_maker *maker, search *s)
{
    int64_t own = REPLAY_MOST_WORK;
    int64_t *work = maker->choice->work == NULL ? &own : maker->choice->work;
    replay_bounds_start(s->bounds, s->d, maker->choice->sample);
    if (!replay_bounds_narrow(s->bounds, s->d, NULL, work)) {
        return replay_fail(maker->error, REPLAY_NO_EXECUTION, -1,
                           "no values of the symbols obey the facts");
    }
    list_facts(s);
    bool sampled = maker->choice->sample != 0;
    uint32_t failed = sampled ? 0 : find(s);
    if (sampled ? search_narrowed(s, work) : failed == s->d->symbol_count) {
        return REPLAY_OK;
    }
    return replay_fail(maker->error, REPLAY_UNSUPPORTED, -1,
                       "no value of the symbol %.200s was found that the facts "
                       "allow: give the values of the symbols",
                       s->d->symbols[failed].name.data);
}

static bool on_a_step(const oracle_symbol *symbol, int64_t value)
{
    int64_t gap;
    return !symbol->has_min || symbol->step <= 1 ||
           (!__builtin_sub_overflow(value, symbol->min, &gap) &&
            gap % symbol->step == 0);
}

static bool fact_holds(const search *s, const oracle_fact *fact)
{
    int64_t v;
    return !replay_value_of(&v, s->d, fact->of, s->values) ||
           (fact->relation == ORACLE_AT_MOST ? v <= 0
            : fact->relation == ORACLE_EQUAL ? v == 0
                                             : v != 0);
}

/* Values that somebody gives are those of some execution. */
static replay_status check_given(replay_maker *maker)
{
    const oracle_document *d = maker->d;
    search s = {.d = d, .values = maker->values};
    for (uint32_t i = 0; i < d->symbol_count; i++) {
        const oracle_symbol *symbol = &d->symbols[i];
        int64_t value = maker->values[i], follows = value;
        if (!symbol->block &&
            (!in_bounds(symbol, value) || !on_a_step(symbol, value) ||
             (symbol->is != ORACLE_OP_NONE &&
              (!operate(&s, symbol, &follows) || follows != value)))) {
            return replay_fail(maker->error, REPLAY_NO_EXECUTION, -1,
                               "symbol %.200s is never %" PRId64,
                               symbol->name.data, value);
        }
    }
    for (uint32_t f = 0; f < d->fact_count; f++) {
        if (!fact_holds(&s, &d->facts[f])) {
            return replay_fail(maker->error, REPLAY_NO_EXECUTION, -1,
                               "no execution has these values of the symbols: "
                               "fact %u does not hold",
                               f);
        }
    }
    return REPLAY_OK;
}

replay_status replay_values_find(replay_maker *maker)
{
    const oracle_document *d = maker->d;
    uint32_t n = d->symbol_count;
    maker->values =
        replay_arena_array(maker->program->arena, n, sizeof(int64_t));
    if (maker->values == NULL) {
        return replay_fail_memory(maker->error);
    }
    maker->program->symbols = maker->values;
    if (n == 0) {
        return REPLAY_OK;
    }
    for (uint32_t i = 0; maker->choice->symbols != NULL && i < n; i++) {
        maker->values[i] = d->symbols[i].block ? 0 : maker->choice->symbols[i];
    }
    if (maker->choice->symbols != NULL) {
        return check_given(maker);
    }
    if (n > MOST_SYMBOLS) {
        return replay_fail(maker->error, REPLAY_UNSUPPORTED, -1,
                           "there are %u symbols: give their values", n);
    }
    search s = {.d = d,
                .values = maker->values,
                .first_fact = calloc(n, sizeof(uint32_t)),
                .next_fact =
                    calloc((size_t)d->fact_count + 1, sizeof(uint32_t)),
                .tried = calloc(n, 1),
                .bounds = calloc(n, sizeof(replay_bounds)),
                .words = (n + 63) / 64,
                .seed = maker->choice->seed};
    s.why = calloc(n * s.words, sizeof *s.why);
    replay_status status = s.first_fact == NULL || s.next_fact == NULL ||
                                   s.tried == NULL || s.why == NULL ||
                                   s.bounds == NULL
                               ? replay_fail_memory(maker->error)
                               : search_values(maker, &s);
    free(s.first_fact);
    free(s.next_fact);
    free(s.tried);
    free(s.why);
    free(s.bounds);
    return status;
}
