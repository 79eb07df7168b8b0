#include "facts.h"

#include <string.h>

/* How deep symbols follow from each other, and roots of one fact. */
enum { DEPTH = 6, ROOTS = 24 };

typedef struct range {
    bool has_min, has_max;
    int64_t min, max;
} range;

typedef struct trial {
    const oracle_document *document;
    const int64_t *values;
    const uint32_t *symbols; /* those that have their value */
    uint32_t count;
} trial;

static const range anything = {false, false, 0, 0};

static range point(int64_t value)
{
    return (range){true, true, value, value};
}

static bool is_point(range r)
{
    return r.has_min && r.has_max && r.min == r.max;
}

static void add_end(bool *has, int64_t *sum, int64_t coef, bool has_end,
                    int64_t end)
{
    int64_t product;
    *has = *has && has_end && !__builtin_mul_overflow(coef, end, &product) &&
           !__builtin_add_overflow(*sum, product, sum);
}

static range range_of(const trial *t, oracle_affine number, int depth);

static range operate(oracle_operation is, int64_t a, int64_t b)
{
    int64_t result;
    switch (is) {
    case ORACLE_OP_MUL:
        return __builtin_mul_overflow(a, b, &result) ? anything : point(result);
    case ORACLE_OP_DIV:
    case ORACLE_OP_MOD:
        if (b <= 0) {
            return anything;
        }
        result = a / b - (a % b < 0);
        return point(is == ORACLE_OP_DIV ? result : a - result * b);
    case ORACLE_OP_MIN:
        return point(a < b ? a : b);
    default:
        return point(a > b ? a : b);
    }
}

static range symbol_range(const trial *t, uint32_t index, int depth)
{
    const oracle_symbol *s = &t->document->symbols[index];
    range own = {s->has_min, s->has_max, s->min, s->max};
    for (uint32_t i = 0; i < t->count; i++) {
        if (t->symbols[i] == index) {
            return point(t->values[index]);
        }
    }
    if (s->is != ORACLE_OP_NONE && depth < DEPTH) {
        range a = range_of(t, s->left, depth + 1);
        range b = range_of(t, s->right, depth + 1);
        range known =
            is_point(a) && is_point(b) ? operate(s->is, a.min, b.min) : own;
        return is_point(known) ? known : own;
    }
    return own;
}

/* Recursion is bounded by DEPTH. */
static range range_of(const trial *t, oracle_affine number, int depth)
{
    range sum = point(number.c);
    for (uint32_t i = 0; i < number.count; i++) {
        const oracle_term *term = &t->document->terms[number.first + i];
        range r = symbol_range(t, term->symbol, depth);
        bool up = term->coef > 0;
        add_end(&sum.has_min, &sum.min, term->coef, up ? r.has_min : r.has_max,
                up ? r.min : r.max);
        add_end(&sum.has_max, &sum.max, term->coef, up ? r.has_max : r.has_min,
                up ? r.max : r.min);
    }
    return sum;
}

static bool fails(const trial *t, const oracle_fact *fact)
{
    range r = range_of(t, fact->of, 0);
    switch (fact->relation) {
    case ORACLE_AT_MOST:
        return r.has_min && r.min > 0;
    case ORACLE_EQUAL:
        return (r.has_min && r.min > 0) || (r.has_max && r.max < 0);
    default:
        return is_point(r) && r.min == 0;
    }
}

/* --- Which facts a symbol takes part in --- */

static void add_root(uint32_t *roots, uint32_t *count, uint32_t symbol)
{
    for (uint32_t i = 0; i < *count; i++) {
        if (roots[i] == symbol) {
            return;
        }
    }
    if (*count < ROOTS) {
        roots[(*count)++] = symbol;
    }
}

static void add_roots(const oracle_document *d, oracle_affine number,
                      uint32_t *roots, uint32_t *count)
{
    for (uint32_t i = 0; i < number.count; i++) {
        add_root(roots, count, d->terms[number.first + i].symbol);
    }
}

/* All symbols of a fact, those that others follow from too. */
static uint32_t roots_of(const oracle_document *d, const oracle_fact *fact,
                         uint32_t *roots)
{
    uint32_t count = 0;
    add_roots(d, fact->of, roots, &count);
    for (uint32_t i = 0; i < count; i++) {
        const oracle_symbol *s = &d->symbols[roots[i]];
        if (s->is != ORACLE_OP_NONE) {
            add_roots(d, s->left, roots, &count);
            add_roots(d, s->right, roots, &count);
        }
    }
    return count;
}

bool oracle_facts_index(oracle_facts *facts, const oracle_document *document,
                        oracle_arena *arena)
{
    uint32_t n = document->symbol_count, roots[ROOTS], total = 0;
    facts->first = oracle_arena_array(arena, (size_t)n + 2, sizeof(uint32_t));
    if (facts->first == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < document->fact_count; i++) {
        uint32_t count = roots_of(document, &document->facts[i], roots);
        for (uint32_t k = 0; k < count; k++) {
            facts->first[roots[k] + 2]++;
        }
        total += count;
    }
    facts->list = oracle_arena_array(arena, total, sizeof(uint32_t));
    if (facts->list == NULL) {
        return false;
    }
    for (uint32_t i = 1; i < n; i++) {
        facts->first[i + 1] += facts->first[i];
    }
    for (uint32_t i = 0; i < document->fact_count; i++) {
        uint32_t count = roots_of(document, &document->facts[i], roots);
        for (uint32_t k = 0; k < count; k++) {
            facts->list[facts->first[roots[k] + 1]++] = i;
        }
    }
    return true;
}

bool oracle_facts_allow(const oracle_facts *facts,
                        const oracle_document *document, const bool *choices,
                        const int64_t *values, const uint32_t *symbols,
                        uint32_t count)
{
    trial t = {document, values, symbols, count};
    for (uint32_t s = 0; s < count; s++) {
        for (uint32_t i = facts->first[symbols[s]];
             i < facts->first[symbols[s] + 1]; i++) {
            const oracle_fact *fact = &document->facts[facts->list[i]];
            bool holds = fact->choice == ORACLE_NONE ||
                         (choices != NULL && choices[fact->choice] == fact->is);
            if (holds && fails(&t, fact)) {
                return false;
            }
        }
    }
    return true;
}
