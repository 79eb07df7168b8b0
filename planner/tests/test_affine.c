/* What is known of operations on numbers, against their values. */
#include "../../scripts/testing/harness.h"

#include "../dump/affine.h"

enum { X, Y, RESULT, SYMBOLS };

/* A number where x, y and the result have these values. */
static int64_t value_of(const affine_pool *pool, affine a,
                        const uint32_t symbols[SYMBOLS],
                        const int64_t values[SYMBOLS])
{
    int64_t sum = a.c;
    for (uint32_t i = 0; i < a.count; i++) {
        affine_term term = pool->terms[a.first + i];
        int k = X;
        while (k < SYMBOLS && symbols[k] != term.symbol)
            k++;
        assert_true(k < SYMBOLS);
        sum += term.coef * values[k];
    }
    return sum;
}

static int64_t floor_of(int64_t a, int64_t b)
{
    return (a - (a % b + b) % b) / b;
}

typedef enum operation { DIV, MOD, MIN, MAX, OPERATIONS } operation;

static affine apply(affine_pool *pool, operation op, affine x, affine y)
{
    affine seven = affine_const(7);
    return op == DIV   ? affine_floordiv(pool, x, seven)
           : op == MOD ? affine_mod(pool, x, seven)
           : op == MIN ? affine_min(pool, x, y)
                       : affine_max(pool, x, y);
}

static int64_t result_of(operation op, int64_t x, int64_t y)
{
    return op == DIV   ? floor_of(x, 7)
           : op == MOD ? x - 7 * floor_of(x, 7)
           : op == MIN ? (x < y ? x : y)
                       : (x > y ? x : y);
}

/* Both facts are at most 0 for the result; of a quotient for it alone, of a
 * least (greatest) number for no larger (smaller) one. */
static void facts_hold(void **state)
{
    (void)state;
    for (operation op = DIV; op < OPERATIONS; op++) {
        affine_pool pool;
        affine_init(&pool);
        affine x = affine_symbol_new(&pool, AFFINE_PARAMETER, "x", 1);
        affine y = affine_symbol_new(&pool, AFFINE_PARAMETER, "y", 1);
        affine n = apply(&pool, op, x, y), facts[2];
        uint32_t symbols[SYMBOLS] = {pool.terms[x.first].symbol,
                                     pool.terms[y.first].symbol,
                                     pool.terms[n.first].symbol};
        assert_int_equal(n.count, 1);
        if (op == MOD) /* of the quotient */
            symbols[Y] =
                pool.terms[affine_floordiv(&pool, x, affine_const(7)).first]
                    .symbol;
        assert_int_equal(affine_facts(&pool, symbols[RESULT], facts), 2);
        for (int64_t at = -30; at < 30; at++) {
            int64_t other = op == MOD ? floor_of(at, 7) : at % 11;
            for (int64_t off = -1; off <= 1; off++) {
                int64_t values[SYMBOLS] = {at, other,
                                           result_of(op, at, other) + off};
                int64_t a = value_of(&pool, facts[0], symbols, values);
                int64_t b = value_of(&pool, facts[1], symbols, values);
                bool may = off == 0 || (op == MIN && off < 0) ||
                           (op == MAX && off > 0);
                assert_int_equal(a <= 0 && b <= 0, may);
            }
        }
        assert_int_equal(affine_facts(&pool, symbols[X], facts), 0);
        affine_free(&pool);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(facts_hold),
};

TEST_MAIN(tests)
