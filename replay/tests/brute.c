#include "brute.h"

#include "../../scripts/testing/harness.h"

#include <string.h>

#define OPS 48
#define BYTES 32     /* of a storage */
#define ADDRESSES 64 /* of the plan */
#define CELLS 192    /* all storages, or the plan and the rest */
#define VALUES 64    /* that one byte may have */

typedef struct op {
    oracle_mode mode;     /* read, write, accumulate */
    uint32_t arg, access; /* argument + 1; index in the document */
    uint32_t storage;
    uint32_t bytes; /* bit set */
    int32_t coin;   /* -1: happens */
    int32_t task;   /* of the task's predicate */
    bool bound;
    uint32_t added; /* bit of an accumulation */
} op;

/* A write (op + 2; 1: the start, 0: nothing) << 32, and accumulations. */
typedef uint64_t value;

typedef struct values {
    value of[VALUES];
    uint32_t count;
} values;

typedef struct model {
    const sim_graph *g;
    uint32_t n, first[SIM_TASKS + 1], before[SIM_TASKS], coins, adds;
    op ops[OPS];
    /* Of each cell of a storage, its own place, and that by the plan. */
    uint32_t place[2][SIM_TASKS][BYTES];
    uint32_t cells[2];
    values expected[OPS][BYTES], expected_end[SIM_TASKS][BYTES];
    uint32_t happens;
    bool bounds_happen; /* a bound is a coin like any other */
    const bool *without;
} model;

static model m; /* too large for a stack */

/* --- The model --- */

static uint32_t bytes_of(const sim_graph *g, uint32_t buffer, uint32_t region)
{
    const oracle_buffer *b = &g->buffers[buffer];
    uint32_t set = 0;
    if (region == ORACLE_NONE) {
        for (int64_t i = 0; i < b->bytes; i++) {
            set |= 1u << (b->storage_at + i);
        }
        return set;
    }
    const oracle_region *r = &g->regions[region];
    const oracle_dim *d = &g->dims[r->first];
    for (int64_t x = 0; x < d->count.c; x++) {
        for (int64_t e = 0; e < r->elem; e++) {
            int64_t at = b->storage_at + r->base.c + x * d->stride + e;
            assert_in_range(at, 0, BYTES - 1);
            set |= 1u << at;
        }
    }
    return set;
}

static op *add_op(uint32_t task, uint32_t buffer, uint32_t region,
                  oracle_mode mode)
{
    assert_true(m.first[task + 1] < OPS);
    op *o = &m.ops[m.first[task + 1]++];
    *o = (op){.mode = mode,
              .access = ORACLE_NONE,
              .storage = m.g->buffers[buffer].storage,
              .bytes = bytes_of(m.g, buffer, region),
              .coin = -1,
              .task = -1};
    return o;
}

static void add_task(uint32_t t, int32_t *coin_of)
{
    const oracle_task *task = &m.g->tasks[t];
    int32_t own = -1;
    m.first[t + 1] = m.first[t];
    if (task->has_predicate) {
        own = (int32_t)m.coins++;
        add_op(t, task->predicate_buffer, task->predicate_region, ORACLE_READ);
    }
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t a = 0; a < task->args; a++) {
            const oracle_arg *arg = &m.g->args[task->first_arg + a];
            const oracle_access *x = &m.g->accesses[arg->first_access];
            bool reads = x->mode == ORACLE_READ || x->mode == ORACLE_READ_WRITE;
            if (pass == 0 ? !reads : x->mode == ORACLE_READ) {
                continue;
            }
            op *o = add_op(t, arg->buffer, x->region,
                           pass == 0                      ? ORACLE_READ
                           : x->mode == ORACLE_ACCUMULATE ? ORACLE_ACCUMULATE
                                                          : ORACLE_WRITE);
            o->arg = a + 1;
            if (o->mode == ORACLE_ACCUMULATE) {
                assert_true(m.adds < 32);
                o->added = 1u << m.adds++;
            }
            o->access = arg->first_access;
            o->bound = !x->exact;
            o->coin = o->task = own;
            if (!x->exact) {
                o->coin = -1;
            } else if (own < 0 && !x->must) {
                if (coin_of[o->access] < 0) {
                    coin_of[o->access] = (int32_t)m.coins++;
                }
                o->coin = coin_of[o->access];
            }
        }
    }
}

/* Bounds as coins behind the others. */
static uint32_t add_bound_coins(int32_t *coin_of)
{
    uint32_t coins = m.coins;
    for (uint32_t i = 0; i < m.first[m.n]; i++) {
        op *o = &m.ops[i];
        if (o->bound) {
            if (coin_of[o->access] < 0) {
                coin_of[o->access] = (int32_t)coins++;
            }
            o->coin = coin_of[o->access];
        }
    }
    return coins;
}

static void place_cells(void)
{
    const sim_graph *g = m.g;
    bool placed[SIM_TASKS] = {false};
    int64_t base[SIM_TASKS];
    for (uint32_t i = 0; i < g->document.allocation_count; i++) {
        const oracle_buffer *b = &g->buffers[g->allocations[i].buffer];
        placed[b->storage] = true;
        base[b->storage] = g->allocations[i].offset - b->storage_at;
    }
    m.cells[0] = 0;
    m.cells[1] = ADDRESSES;
    for (uint32_t s = 0; s < g->document.buffer_count; s++) {
        for (uint32_t i = 0; i < BYTES && g->buffers[s].storage == s; i++) {
            m.place[0][s][i] = m.cells[0]++;
            if (placed[s]) {
                m.place[1][s][i] = (uint32_t)(base[s] + i) % ADDRESSES;
            } else {
                m.place[1][s][i] = m.cells[1]++;
            }
        }
    }
    assert_true(m.cells[0] <= CELLS && m.cells[1] <= CELLS);
}

static void make(const sim_graph *g, int32_t *coin_of)
{
    memset(&m, 0, sizeof m);
    m.g = g;
    m.n = g->document.task_count;
    for (uint32_t i = 0; i < SIM_ITEMS; i++) {
        coin_of[i] = -1;
    }
    for (uint32_t t = 0; t < m.n; t++) {
        add_task(t, coin_of);
    }
    for (uint32_t i = 0; i < g->document.edge_count; i++) {
        m.before[g->edges[i].to] |= 1u << g->edges[i].from;
    }
    place_cells();
}

/* --- Values --- */

static void add_value(values *v, value x)
{
    for (uint32_t i = 0; i < v->count; i++) {
        if (v->of[i] == x) {
            return;
        }
    }
    assert_true(v->count < VALUES);
    v->of[v->count++] = x;
}

static bool happens(uint32_t i)
{
    const op *o = &m.ops[i];
    if (m.without != NULL && o->access != ORACLE_NONE && m.without[i]) {
        return false;
    }
    if (o->task >= 0 && (m.happens >> o->task & 1) == 0) {
        return false;
    }
    if (o->bound && !m.bounds_happen) {
        return true;
    }
    return o->coin < 0 || (m.happens >> o->coin & 1) != 0;
}

/* Accumulations of a storage, as bits of a value. */
static uint32_t adds_of(uint32_t storage)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < m.first[m.n]; i++) {
        if (m.ops[i].storage == storage) {
            set |= m.ops[i].added;
        }
    }
    return set;
}

/*
 * One value after a write. By the plan, what is first added to nothing starts
 * a value, whatever another storage left there.
 */
static value touch(uint32_t i, value held, bool from_nothing)
{
    const op *o = &m.ops[i];
    if (o->mode == ORACLE_WRITE) {
        return (value)(i + 2) << 32;
    }
    if (from_nothing && ((uint32_t)held & adds_of(o->storage)) == 0) {
        held = 0;
    }
    return held | o->added;
}

static void touch_all(values *v, uint32_t i, bool from_nothing)
{
    values old = *v;
    if (!m.ops[i].bound || m.bounds_happen) {
        v->count = 0;
    }
    for (uint32_t k = 0; k < old.count; k++) {
        add_value(v, touch(i, old.of[k], from_nothing));
    }
}

static bool is_wrong(const values *expected, const values *seen, bool planned)
{
    for (uint32_t i = 0; i < expected->count; i++) {
        if (planned && expected->of[i] == 0) {
            return false;
        }
        for (uint32_t k = 0; k < seen->count; k++) {
            if (expected->of[i] == seen->of[k]) {
                return false;
            }
        }
    }
    return true;
}

/* --- Runs --- */

static void start(values *now, bool planned)
{
    for (uint32_t c = 0; c < m.cells[planned]; c++) {
        now[c] = (values){.count = 1};
    }
    for (uint32_t b = 0; b < m.g->document.buffer_count; b++) {
        const oracle_buffer *buffer = &m.g->buffers[b];
        uint32_t bytes = bytes_of(m.g, b, ORACLE_NONE);
        for (uint32_t i = 0; i < BYTES; i++) {
            if ((bytes >> i & 1) != 0 && (buffer->external || buffer->init)) {
                now[m.place[planned][buffer->storage][i]].of[0] = UINT64_C(1)
                                                                  << 32;
            }
        }
    }
}

static bool starts_from_nothing(uint32_t i, uint32_t byte)
{
    const values *e = &m.expected[i][byte];
    return m.ops[i].mode == ORACLE_ACCUMULATE && e->count == 1 &&
           e->of[0] >> 32 == 0;
}

/* Runs a task; `answer` NULL: notes what is expected instead. */
static void run_task(uint32_t t, values *now, bool planned,
                     brute_answer *answer)
{
    for (uint32_t i = m.first[t]; i < m.first[t + 1]; i++) {
        const op *o = &m.ops[i];
        for (uint32_t b = 0; b < BYTES && happens(i); b++) {
            values *v = &now[m.place[planned][o->storage][b]];
            if ((o->bytes >> b & 1) == 0) {
                continue;
            }
            if (answer == NULL) {
                m.expected[i][b] = *v;
            } else if (o->mode == ORACLE_READ &&
                       (!o->bound || m.bounds_happen) &&
                       is_wrong(&m.expected[i][b], v, planned)) {
                answer->task[t][o->arg] = true;
            }
            if (o->mode != ORACLE_READ) {
                touch_all(v, i, planned && starts_from_nothing(i, b));
            }
        }
    }
}

static void run_end(values *now, bool planned, brute_answer *answer)
{
    for (uint32_t s = 0; s < m.g->document.buffer_count; s++) {
        const oracle_buffer *buffer = &m.g->buffers[s];
        uint32_t bytes = bytes_of(m.g, s, ORACLE_NONE);
        for (uint32_t b = 0; b < BYTES && buffer->external; b++) {
            const values *v = &now[m.place[planned][buffer->storage][b]];
            if ((bytes >> b & 1) == 0) {
                continue;
            }
            if (answer == NULL) {
                m.expected_end[s][b] = *v;
            } else if (is_wrong(&m.expected_end[s][b], v, planned)) {
                answer->caller[s] = true;
            }
        }
    }
}

static void expect(void)
{
    values now[CELLS];
    start(now, false);
    for (uint32_t t = 0; t < m.n; t++) {
        run_task(t, now, false, NULL);
    }
    run_end(now, false, NULL);
}

static void run_order(const uint32_t *order, bool planned, brute_answer *answer)
{
    values now[CELLS];
    start(now, planned);
    for (uint32_t i = 0; i < m.n; i++) {
        run_task(order[i], now, planned, answer);
    }
    run_end(now, planned, answer);
}

/* All legal orders that begin so. */
static void run_orders(uint32_t *order, uint32_t count, uint32_t done,
                       bool planned, brute_answer *answer)
{
    if (count == m.n) {
        run_order(order, planned, answer);
        return;
    }
    for (uint32_t t = 0; t < m.n; t++) {
        if ((done >> t & 1) == 0 && (m.before[t] & ~done) == 0) {
            order[count] = t;
            run_orders(order, count + 1, done | 1u << t, planned, answer);
        }
    }
}

static void run_all(brute_answer *answer, uint32_t coins)
{
    uint32_t order[SIM_TASKS];
    for (m.happens = 0; m.happens < 1u << coins; m.happens++) {
        expect();
        run_orders(order, 0, 0, false, answer);
        if (m.g->document.has_plan) {
            run_orders(order, 0, 0, true, answer);
        }
    }
}

bool brute_find(brute_answers *answers, const sim_graph *graph)
{
    int32_t coin_of[SIM_ITEMS];
    memset(answers, 0, sizeof *answers);
    make(graph, coin_of);
    uint32_t coins = m.coins, all = add_bound_coins(coin_of);
    answers->coins = all;
    if (all > BRUTE_COINS) {
        return false;
    }
    run_all(&answers->sure, coins);
    answers->some = answers->sure;
    if (all > coins) {
        m.bounds_happen = true;
        run_all(&answers->some, all);
    }
    return true;
}

void brute_run(brute_answer *answer, const sim_graph *graph,
               const uint32_t *order, bool planned, const bool *without)
{
    int32_t coin_of[SIM_ITEMS];
    memset(answer, 0, sizeof *answer);
    make(graph, coin_of);
    m.happens = UINT32_MAX;
    m.without = without;
    expect();
    run_order(order, planned, answer);
}
