#include "order_chains.h"

#include <string.h>

typedef struct build {
    const oracle_order *order;
    oracle_chains *chains;
    uint32_t *length; /* by chain */
    uint32_t *row;    /* of the task at hand, all chains */
    uint64_t positions, steps;
    oracle_arena *arena;
} build;

static bool is_there(const oracle_order *order, uint32_t task)
{
    return order->there == NULL || order->there[task];
}

/* What happens before the task: itself is not in the row yet. */
static void gather(build *b, uint32_t task)
{
    const oracle_order *order = b->order;
    const oracle_chains *c = b->chains;
    memset(b->row, 0, c->width * sizeof *b->row);
    for (uint32_t e = order->first[task + 1]; e-- > order->first[task];) {
        uint32_t from = order->before[e];
        /* What comes after it has brought it along, as it mostly has. */
        if (!is_there(order, from) ||
            b->row[c->chain[from]] >= c->position[from]) {
            continue;
        }
        const uint32_t *other = c->reach[from];
        for (uint32_t i = 0; i < c->wide[from]; i++) {
            b->row[i] = other[i] > b->row[i] ? other[i] : b->row[i];
        }
        b->steps += c->wide[from];
    }
    b->steps += c->width + UINT64_C(1);
}

/* The first chain whose end happens before the task, else a new one. */
static void join(build *b, uint32_t task)
{
    oracle_chains *c = b->chains;
    uint32_t i = 0;
    while (i < c->width && b->row[i] != b->length[i]) {
        i++;
    }
    if (i == c->width) {
        c->width++;
        b->length[i] = 0;
    }
    c->chain[task] = i;
    c->position[task] = ++b->length[i];
    b->row[i] = c->position[task];
}

static bool keep_row(build *b, uint32_t task)
{
    oracle_chains *c = b->chains;
    uint32_t wide = c->width;
    while (b->row[wide - 1] == 0) {
        wide--;
    }
    uint32_t *row = oracle_arena_array(b->arena, wide, sizeof *row);
    if (row == NULL) {
        return false;
    }
    memcpy(row, b->row, wide * sizeof *row);
    c->reach[task] = row;
    c->wide[task] = wide;
    b->positions += wide;
    return true;
}

oracle_chains_result oracle_chains_build(oracle_chains *chains,
                                         const oracle_order *order,
                                         oracle_arena *arena)
{
    uint32_t n = order->count;
    build b = {.order = order, .chains = chains, .arena = arena};
    *chains = (oracle_chains){0};
    chains->chain = oracle_arena_array(arena, n, sizeof(uint32_t));
    chains->position = oracle_arena_array(arena, n, sizeof(uint32_t));
    chains->wide = oracle_arena_array(arena, n, sizeof(uint32_t));
    chains->reach = oracle_arena_array(arena, n, sizeof(uint32_t *));
    b.length = oracle_arena_array(arena, n, sizeof(uint32_t));
    b.row = oracle_arena_array(arena, n, sizeof(uint32_t));
    if (chains->chain == NULL || chains->position == NULL ||
        chains->wide == NULL || chains->reach == NULL || b.length == NULL ||
        b.row == NULL) {
        return ORACLE_CHAINS_NO_MEMORY;
    }
    for (uint32_t rank = 0; rank < order->present; rank++) {
        uint32_t task = order->sequence[rank];
        if (!is_there(order, task)) {
            continue;
        }
        gather(&b, task);
        join(&b, task);
        if (!keep_row(&b, task)) {
            return ORACLE_CHAINS_NO_MEMORY;
        }
        if (b.positions > ORACLE_CHAINS_POSITIONS ||
            b.steps > ORACLE_CHAINS_STEPS) {
            return ORACLE_CHAINS_WIDE;
        }
    }
    return ORACLE_CHAINS_MADE;
}

bool oracle_chains_before(const oracle_chains *chains, uint32_t a, uint32_t b)
{
    uint32_t chain = chains->chain[a], position = chains->position[a];
    return a != b && position > 0 && chain < chains->wide[b] &&
           chains->reach[b][chain] >= position;
}
