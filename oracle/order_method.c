/* Two questions of order, and which of the two methods answers them. */
#include "order_chains.h"

/* Room for chains, and whether they were made. */
typedef struct lazy {
    oracle_chains chains; /* first: an order points to it */
    bool tried, made;
} lazy;

bool oracle_order_use(oracle_order *order, oracle_asking *asking,
                      oracle_arena *arena)
{
    order->asking = NULL;
    if (asking == NULL || asking->method == ORACLE_METHOD_BLOCKS) {
        return true;
    }
    lazy *room = oracle_arena_alloc(arena, sizeof *room);
    if (room == NULL) {
        return false;
    }
    order->asking = asking;
    order->chains = &room->chains;
    order->arena = arena;
    return true;
}

/* The chains of an order; NULL: blocks answer. False: no memory. */
static bool find_chains(const oracle_order *order, const oracle_chains **chains)
{
    *chains = NULL;
    if (order->asking == NULL) {
        return true;
    }
    lazy *room = (lazy *)(void *)order->chains;
    oracle_chains_result result = ORACLE_CHAINS_MADE;
    if (!room->tried) {
        result = oracle_chains_build(&room->chains, order, order->arena);
        room->tried = true;
        room->made = result == ORACLE_CHAINS_MADE;
    }
    order->asking->wide = order->asking->wide || !room->made;
    *chains = room->made ? &room->chains : NULL;
    return result != ORACLE_CHAINS_NO_MEMORY;
}

static void compare(oracle_asking *asking, uint32_t from, uint32_t to,
                    bool by_blocks, bool by_chains)
{
    if (by_blocks != by_chains && !asking->disagree) {
        asking->disagree = true;
        asking->from = from;
        asking->to = to;
        asking->by_blocks = by_blocks;
        asking->by_chains = by_chains;
    }
}

bool oracle_order_query(const oracle_order *order, oracle_pair *pairs,
                        uint32_t count)
{
    const oracle_chains *chains;
    if (!find_chains(order, &chains)) {
        return false;
    }
    bool blocks = chains == NULL || order->asking->method == ORACLE_METHOD_BOTH;
    if (blocks && !oracle_blocks_query(order, pairs, count)) {
        return false;
    }
    for (uint32_t i = 0; chains != NULL && i < count; i++) {
        oracle_pair *pair = &pairs[i];
        bool ordered = oracle_chains_before(chains, pair->from, pair->to);
        if (blocks) {
            compare(order->asking, pair->from, pair->to, pair->ordered,
                    ordered);
        }
        pair->ordered = ordered;
    }
    return true;
}

bool oracle_closure_build(oracle_closure *closure, const oracle_order *order,
                          const uint32_t *tasks, uint32_t count,
                          oracle_arena *arena)
{
    closure->asking = order->asking;
    closure->rows = count;
    closure->words = 0;
    closure->bits = NULL;
    return find_chains(order, &closure->chains) &&
           ((closure->chains != NULL &&
             order->asking->method == ORACLE_METHOD_CHAINS) ||
            oracle_blocks_closure(closure, order, tasks, count, arena));
}

bool oracle_closure_ask(const oracle_closure *closure, uint32_t a, uint32_t b)
{
    bool before = oracle_chains_before(closure->chains, a, b);
    if (closure->bits != NULL) {
        compare(closure->asking, a, b, oracle_closure_bit(closure, a, b),
                before);
    }
    return before;
}
