/*
 * The order of one execution (spec 06, Order): happens-before is reachability
 * over the union of deps and edges among the tasks that are submitted. Two
 * questions are asked of it: a list of pairs, and the closure over the tasks
 * of a doubtful place. Two methods answer them and share the graph alone:
 * blocks of bit vectors of 512 sources (order.c), and chains (order_chains.c);
 * order_method.c asks the one that is chosen, or both.
 */
#ifndef ORACLE_ORDER_H
#define ORACLE_ORDER_H

#include "arena.h"
#include "oracle/judge.h"

/* Which method answers, and what came of it, over all orders of a judgement. */
typedef struct oracle_asking {
    oracle_method method;
    bool wide;     /* some chains were too many: blocks answered alone there */
    bool disagree; /* of the first question that the two answer differently: */
    uint32_t from, to;
    bool by_blocks, by_chains;
} oracle_asking;

struct oracle_chains;

typedef struct oracle_order {
    uint32_t count;     /* tasks of the document */
    uint32_t present;   /* of them in this execution */
    uint32_t *first;    /* count + 1; predecessors of t: */
    uint32_t *before;   /* before[first[t] .. first[t + 1]), ascending */
    uint32_t *sequence; /* a legal order; program order where that is legal */
    uint32_t *rank;     /* position in sequence, ORACLE_NONE when absent */
    bool forward;       /* every edge follows program order */
    uint32_t *cycle;    /* tasks of a cycle in edge order, when there is one */
    uint32_t cycle_count;
    const bool *there;     /* NULL, or which tasks of the sequence count */
    oracle_asking *asking; /* NULL: blocks answer */
    struct oracle_chains *chains; /* room for them, made when first asked for */
    oracle_arena *arena;          /* of the chains */
} oracle_order;

typedef struct oracle_pair {
    uint32_t from, to;
    bool ordered;
} oracle_pair;

/* By (from, to), for qsort and bsearch. */
int oracle_compare_pair(const void *a, const void *b);

/* before(a, b) for tasks of a subset; a column is a source. */
typedef struct oracle_closure {
    uint32_t rows, words;
    uint32_t *row;                      /* by task */
    uint64_t *bits;                     /* NULL: chains answer alone */
    const struct oracle_chains *chains; /* NULL: blocks answer alone */
    oracle_asking *asking;
} oracle_closure;

/*
 * Builds the order of the present tasks, for one value of each choice (NULL:
 * deps with conditions count never); `uncertain`: with the edges that may
 * be missing (certain: false). Edges of a task to itself are left out. False
 * when there is no memory. O(tasks + edges), times the logarithm of the tasks
 * when edges go against program order.
 */
bool oracle_order_build(oracle_order *order, const oracle_document *document,
                        const bool *choices, const bool *present,
                        bool uncertain, oracle_arena *arena);

/*
 * The order of fewer tasks, for questions (query, closure): it shares all of
 * `whole`, which is forward and has them all; `present` stays where it is.
 * Constant.
 */
oracle_order oracle_order_of(const oracle_order *whole, const bool *present);

/*
 * Which method answers questions about this order from now on; what comes of
 * it is noted in `asking`, which outlives it as the arena does. For blocks
 * alone it need not be called. False: no memory.
 */
bool oracle_order_use(oracle_order *order, oracle_asking *asking,
                      oracle_arena *arena);

/* Whether an edge joins the two directly. O(log predecessors). */
bool oracle_order_direct(const oracle_order *order, uint32_t from, uint32_t to);

/*
 * Fills `ordered` of each pair: whether from happens before to. Without a
 * cycle only. O(pairs log pairs + blocks x edges swept).
 */
bool oracle_order_query(const oracle_order *order, oracle_pair *pairs,
                        uint32_t count);

/*
 * The closure over `count` tasks (no repeats); closure->row has room for all
 * tasks of the document. One bit a pair, O(edges swept) per 512 tasks.
 */
bool oracle_closure_build(oracle_closure *closure, const oracle_order *order,
                          const uint32_t *tasks, uint32_t count,
                          oracle_arena *arena);

/* The same two questions, answered by blocks of bit vectors. */
bool oracle_blocks_query(const oracle_order *order, oracle_pair *pairs,
                         uint32_t count);
bool oracle_blocks_closure(oracle_closure *closure, const oracle_order *order,
                           const uint32_t *tasks, uint32_t count,
                           oracle_arena *arena);

/* The answer of the chains; compared with that of the blocks, if both do. */
bool oracle_closure_ask(const oracle_closure *closure, uint32_t a, uint32_t b);

/* The answer of the blocks. */
static inline bool oracle_closure_bit(const oracle_closure *closure, uint32_t a,
                                      uint32_t b)
{
    uint32_t column = closure->row[a];
    size_t row = (size_t)closure->row[b] * closure->words;
    return a != b && (closure->bits[row + column / 64] >> (column % 64) & 1);
}

/* Whether a happens before b; false for a task and itself. O(1). */
static inline bool oracle_closure_before(const oracle_closure *closure,
                                         uint32_t a, uint32_t b)
{
    return closure->chains != NULL ? oracle_closure_ask(closure, a, b)
                                   : oracle_closure_bit(closure, a, b);
}

#endif
