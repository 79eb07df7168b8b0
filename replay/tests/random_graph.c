#include "random_graph.h"

#define BYTES 4

typedef struct dice {
    uint64_t seed, thrown;
} dice;

static uint32_t below(dice *d, uint32_t count)
{
    uint64_t x = d->seed * UINT64_C(0x9e3779b97f4a7c15) + ++d->thrown;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((x ^ x >> 31) >> 32) % count;
}

static bool chance(dice *d, uint32_t percent)
{
    return below(d, 100) < percent;
}

static void add_buffers(sim_graph *g, dice *d)
{
    uint32_t count = 1 + below(d, 3);
    for (uint32_t b = 0; b < count; b++) {
        bool external = chance(d, 40);
        sim_buffer(g, BYTES, external);
        g->buffers[b].init = b == 0 && !external && chance(d, 20);
    }
    if (chance(d, 25)) {
        sim_view(g, below(d, count), 1, 2);
    }
}

/* One argument of the last task. */
static void add_access(sim_graph *g, dice *d, bool bounds)
{
    static const oracle_mode modes[] = {
        ORACLE_READ,  ORACLE_READ,       ORACLE_READ,      ORACLE_WRITE,
        ORACLE_WRITE, ORACLE_READ_WRITE, ORACLE_ACCUMULATE};
    uint32_t b = below(d, g->document.buffer_count);
    int64_t bytes = g->buffers[b].bytes, begin = below(d, (uint32_t)bytes);
    int64_t end = begin + 1 + below(d, (uint32_t)(bytes - begin));
    bool whole = chance(d, 50);
    oracle_access *x =
        sim_access(g, b, modes[below(d, 7)], whole ? SIM_WHOLE : begin, end);
    if (chance(d, 10)) {
        sim_stride(g, x, 1, bytes - 1, 1 + below(d, 2), -(bytes - 1));
    }
    x->must = !chance(d, 12);
    x->exact = !bounds || chance(d, 65);
}

/* Edges follow an order that is program order but for some neighbours. */
static void add_edges(sim_graph *g, dice *d)
{
    uint32_t n = g->document.task_count, at[SIM_TASKS];
    for (uint32_t t = 0; t < n; t++) {
        at[t] = t;
    }
    for (uint32_t t = 0; t + 1 < n; t++) {
        if (chance(d, 6)) {
            uint32_t other = at[t];
            at[t] = at[t + 1];
            at[t + 1] = other;
        }
    }
    /* All of them, all but one, or some. */
    uint32_t density = chance(d, 40) ? 100 : 20 + below(d, 70);
    uint32_t left_out = chance(d, 70) ? below(d, n * n) : n * n;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = i + 1; k < n; k++) {
            if (i * n + k != left_out && chance(d, density)) {
                sim_edge(g, at[i], at[k]);
            }
        }
    }
}

static void add_plan(sim_graph *g, dice *d)
{
    for (uint32_t b = 0; b < g->document.buffer_count; b++) {
        if (!g->buffers[b].external && g->buffers[b].storage == b &&
            chance(d, 90)) {
            sim_place(g, b, below(d, 7));
        }
    }
}

void random_graph(sim_graph *g, uint64_t seed, uint32_t most)
{
    dice d = {seed, 0};
    sim_start(g);
    add_buffers(g, &d);
    uint32_t n = 2 + below(&d, most - 1);
    bool bounds = chance(&d, 25);
    for (uint32_t t = 0; t < n; t++) {
        sim_task(g);
        if (chance(&d, 15)) {
            sim_predicate(g, 0, below(&d, BYTES));
        }
        uint32_t args = 1 + below(&d, 3);
        for (uint32_t a = 0; a < args; a++) {
            add_access(g, &d, bounds);
        }
    }
    add_edges(g, &d);
    if (chance(&d, 40)) {
        add_plan(g, &d);
    }
}
