/*
 * Scalars of a dump as affine numbers over symbols (spec 08, "Scalars are
 * affine in symbols"; spec 09, symbolic numbers).
 *
 * Numbers and symbols live in a pool that only grows and is cut back to a
 * mark: what a kernel's body makes is dropped when the call ends. Arithmetic
 * never wraps: a result that does not fit, or that is not affine, is a symbol
 * of its own, one per distinct expression.
 */
#ifndef SONATA_DUMP_AFFINE_H
#define SONATA_DUMP_AFFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct affine {
    int64_t c;
    uint32_t first, count; /* terms of the pool, by ascending symbol */
} affine;

typedef struct affine_term {
    int64_t coef; /* never 0 */
    uint32_t symbol;
} affine_term;

typedef enum affine_kind {
    AFFINE_DIMENSION, /* pl.dynamic, or a shape name: at least 1, free */
    AFFINE_PARAMETER, /* a scalar parameter: free */
    AFFINE_INDEX,     /* a loop index: free within its bounds */
    AFFINE_BLOCK,     /* get_block_idx(): free within its bounds */
    AFFINE_LANE,      /* get_subblock_idx() */
    AFFINE_READ,      /* a tensor.read: decided elsewhere */
    AFFINE_OPAQUE     /* anything else: decided elsewhere */
} affine_kind;

typedef struct affine_symbol {
    affine_kind kind;
    uint8_t op;            /* of an interned operation, else 0 */
    bool has_min, has_max; /* bounds, when known */
    int64_t min, max;
    int64_t step;     /* at least 1 */
    const char *name; /* where the text names it, else NULL */
    uint32_t name_length;
    affine left, right; /* operands of an interned operation */
    uint32_t next;      /* in the hash chain */
    uint32_t chain;     /* which chain holds it */
    uint32_t choice;    /* of a condition: graph choice + 1, or 0 */
    bool flipped;       /* that choice is true when the condition is not */
    bool has_limit;
    affine limit;     /* of a loop's index: at most 0 while the loop runs */
    uint32_t partner; /* the other of an index and a distance + 1, or 0 */
    bool is_distance; /* index + distance is within the distance's bounds */
} affine_symbol;

#define AFFINE_CHAINS 1024

typedef struct affine_pool {
    affine_term *terms;
    uint32_t term_count, term_capacity;
    affine_symbol *symbols;
    uint32_t symbol_count, symbol_capacity;
    uint32_t chains[AFFINE_CHAINS];
    bool failed; /* out of memory: results are constants 0 from then on */
} affine_pool;

typedef struct affine_mark {
    uint32_t terms, symbols;
} affine_mark;

typedef struct affine_range {
    bool has_min, has_max;
    int64_t min, max;
} affine_range;

void affine_init(affine_pool *pool);
void affine_free(affine_pool *pool);
affine_mark affine_here(const affine_pool *pool);
void affine_cut(affine_pool *pool, affine_mark mark);

affine affine_const(int64_t c);
bool affine_is_const(affine a);
bool affine_equal(const affine_pool *pool, affine a, affine b);

/* A new symbol that is equal to nothing else; bounds may be set on it. */
affine affine_symbol_new(affine_pool *pool, affine_kind kind, const char *name,
                         size_t name_length);
/* A symbol as a number. */
affine affine_of(affine_pool *pool, uint32_t symbol);
affine_symbol *affine_symbol_of(affine_pool *pool, affine a);

/* The same symbol for the same (kind, op, left, right). */
affine affine_intern(affine_pool *pool, affine_kind kind, uint8_t op,
                     affine left, affine right);

affine affine_add(affine_pool *pool, affine a, affine b);
affine affine_sub(affine_pool *pool, affine a, affine b);
affine affine_mul(affine_pool *pool, affine a, affine b);
affine affine_floordiv(affine_pool *pool, affine a, affine b);
affine affine_mod(affine_pool *pool, affine a, affine b);
affine affine_min(affine_pool *pool, affine a, affine b);
affine affine_max(affine_pool *pool, affine a, affine b);

/*
 * Numbers that outlive a cut: affine_save copies the terms of *a into `saved`
 * before it, affine_restore puts them back into the pool after it.
 */
typedef struct affine_saved {
    affine_term *terms;
    uint32_t count, capacity;
} affine_saved;

bool affine_save(const affine_pool *pool, affine_saved *saved, affine *a);
void affine_restore(affine_pool *pool, const affine_saved *saved, affine *a);

/* a / g rounded up, for the largest g that divides all coefficients. */
affine affine_tighten(affine_pool *pool, affine a);

/*
 * Divides *a by the largest number that divides all coefficients; false when
 * it does not divide the constant: then *a is never 0.
 */
bool affine_divide(affine_pool *pool, affine *a);

/*
 * What is known of a symbol besides its bounds, as numbers that are at most 0:
 * of a quotient or a remainder by a constant, of a least and of a greatest, of
 * a loop's index while the loop runs. Gives how many (at most 2).
 */
uint32_t affine_facts(affine_pool *pool, uint32_t symbol, affine out[2]);

/*
 * True when a <= 0 for every value of the symbols, by their bounds and by what
 * is known of two of them besides (affine_facts).
 */
bool affine_never_above(affine_pool *pool, affine a);

/*
 * How a symbol follows from other numbers: "*", "//", "%", "min" or "max" of
 * *left and *right; NULL when it does not.
 */
const char *affine_definition(const affine_pool *pool, uint32_t symbol,
                              affine *left, affine *right);

/*
 * The number of which a symbol is the least with a constant of at least 1;
 * false when it is no such symbol.
 */
bool affine_least_of(const affine_pool *pool, uint32_t symbol, affine *number);

/* a + k * b; false when it does not fit. */
bool affine_combine(affine_pool *pool, affine *out, affine a, affine b,
                    int64_t k);

/*
 * An equal condition a <= 0 without a least or greatest of a number and a
 * constant: where the constant decided it, the bounds would have.
 */
affine affine_unfold(affine_pool *pool, affine a);

/*
 * Makes two symbols an index and the distance from it to a later pass: their
 * sum is at most the distance's upper bound.
 */
void affine_pair(affine_pool *pool, affine index, affine distance);

/* True when a has a symbol with this index or a higher one. */
bool affine_has_from(const affine_pool *pool, affine a, uint32_t symbol);

/* The values that a can take, from the bounds of its symbols. */
affine_range affine_bounds(const affine_pool *pool, affine a);

/* True when a >= c for every value of the symbols. */
bool affine_at_least(const affine_pool *pool, affine a, int64_t c);

#endif
