/*
 * The maker of small plans. Tasks, regions and traits are drawn as for task
 * graphs, then made small; places are given by the edges: two buffers share
 * bytes only where every task of the one comes before every task of the other.
 */
#include "fuzz/plan.h"

#include "bundle.h"
#include "graph_fault.h"
#include "make.h"

#define DRAWN 9  /* tasks; a fault adds some */
#define COINS 8  /* what may happen or not */
#define TRIES 32 /* of a fault, of a place */

static uint32_t pick(bundle *b, uint32_t n)
{
    return (uint32_t)fuzz_below(&b->r, n);
}

static bool chance(bundle *b, uint32_t part, uint32_t of)
{
    return fuzz_chance(&b->r, part, of);
}

/* --- Small --- */

static void shrink_buffers(graph *g)
{
    for (uint32_t i = 0; i < g->buffer_count; i++) {
        fuzz_graph_fit(g, &g->buffers[i]); /* its rows move, perhaps */
        g->buffers[i].sized = true;
    }
    for (uint32_t i = 0; i < g->buffer_count; i++) {
        graph_buffer *b = &g->buffers[i];
        b->width = g->buffers[b->root].width;
        b->elem = g->buffers[b->root].elem;
    }
}

/* Each predicate, and each access that may happen, is another execution. */
static void limit_coins(graph *g)
{
    uint32_t coins = 0, bounds = 0;
    for (uint32_t t = 0; t < g->task_count; t++) {
        graph_task *task = &g->tasks[t];
        if (coins + 1 + task->args > COINS)
            task->predicate = GRAPH_NONE;
        coins += task->predicate != GRAPH_NONE ? 1 + task->args : 0;
        for (uint32_t i = task->first_arg; i < task->first_arg + task->args;
             i++) {
            graph_arg *arg = &g->args[i];
            arg->may = arg->may && coins + 2 <= COINS;
            coins += arg->may ? 2 : 0;
            arg->bound = arg->bound && bounds < FUZZ_PLAN_BOUNDS;
            bounds += arg->bound;
        }
    }
}

/* What is told of one run of one task alone, and what no size is known of. */
static void simplify(graph *g)
{
    shrink_buffers(g);
    g->host_count = 0;
    for (uint32_t t = 0; t < g->task_count; t++) {
        g->tasks[t].blocks = 1;
        g->tasks[t].sync_start = false;
    }
    for (uint32_t i = 0; i < g->arg_count; i++) {
        g->args[i].blocks = 0;
        g->args[i].unknown = false;
    }
    limit_coins(g);
}

/* --- Optional deps --- */

static uint32_t when_of(uint32_t choice, bool is)
{
    return 1 + 2 * choice + is;
}

/* A dep of a task that is not always there may say so. */
static void ease_deps(bundle *b)
{
    graph *g = &b->g;
    for (uint32_t i = 0; i < g->edge_count; i++) {
        graph_edge *e = &g->edges[i];
        const graph_task *to = &g->tasks[e->to], *from = &g->tasks[e->from];
        const graph_task *of = to->choice != GRAPH_NONE ? to : from;
        if (e->form == GRAPH_DEP && of->choice != GRAPH_NONE && chance(b, 1, 2))
            e->when = when_of(of->choice, of->is);
    }
}

/* One that nobody needs. */
static void add_dep(bundle *b)
{
    graph *g = &b->g;
    uint32_t to = 1 + pick(b, g->task_count - 1);
    graph_edge *e = fuzz_graph_edge(g, pick(b, to), to, 0);
    if (e == NULL)
        return;
    g->choices = g->choices == 0 ? 1 : g->choices;
    e->form = GRAPH_DEP;
    e->when = when_of(pick(b, g->choices), chance(b, 1, 2));
}

/* --- Faults of the graph --- */

/* A ring has a place nearly everywhere, and says little. */
static bool is_wanted(bundle *b, const graph_fault *fault)
{
    static const char *const rules[] = {
        "hazard.raw",           "hazard.waw",      "hazard.war",
        "hazard.uninitialised", "predicate.stale", "graph.cycle",
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (strcmp(fault->rule, rules[i]) == 0)
            return i + 1 < sizeof rules / sizeof *rules || chance(b, 1, 6);
    }
    return false;
}

static bool try_fault(bundle *b, const graph_fault *fault)
{
    graph_breaker breaker = {.g = &b->g, .r = b->r};
    if (fault->rule == NULL || !is_wanted(b, fault) || !fault->make(&breaker))
        return false;
    b->g.c->fault = fault->name;
    fuzz_case_expect(b->g.c, fault->rule);
    return true;
}

/* The edge that was taken away is there in some executions. */
static void lose_sometimes(bundle *b)
{
    graph *g = &b->g;
    for (uint32_t i = 0; i < g->edge_count; i++) {
        graph_edge *e = &g->edges[i];
        if (e->form != GRAPH_GONE)
            continue;
        g->choices = g->choices == 0 ? 1 : g->choices;
        e->form = GRAPH_DEP;
        e->when = when_of(pick(b, g->choices), chance(b, 1, 2));
        g->c->fault = "optional";
    }
}

/* Then nobody knows whether it touches what it did harm with. */
static void blur(bundle *b)
{
    graph *g = &b->g;
    graph_arg *arg = &g->args[pick(b, g->arg_count)];
    if (arg->buffer == GRAPH_NONE)
        return;
    arg->bound = true;
    g->c->expect_count = 0;
    g->c->open = true;
}

/* Two writes, and a read that waits for the second alone. */
static bool two_writes_read(bundle *b)
{
    graph *g = &b->g;
    graph_breaker breaker = {.g = g, .r = b->r};
    uint32_t t = g->task_count;
    if (g->rules == GRAPH_RULES_CONSERVATIVE)
        return false;
    uint32_t buffer = fuzz_graph_fresh(&breaker, false, 1);
    if (!fuzz_graph_add_task(&breaker, buffer, GRAPH_WRITE) ||
        !fuzz_graph_add_task(&breaker, buffer, GRAPH_WRITE) ||
        !fuzz_graph_add_task(&breaker, buffer, GRAPH_READ))
        return false;
    graph_edge *e = fuzz_graph_edge(g, t + 1, t + 2, GRAPH_DATA);
    if (e == NULL)
        return false;
    e->form = GRAPH_DEP;
    g->c->fault = "two-writes-read";
    fuzz_case_expect(g->c, "hazard.waw");
    return true;
}

static void break_graph(bundle *b)
{
    bool done = chance(b, 1, 24) && two_writes_read(b);
    for (uint32_t i = 0; !done && i < TRIES; i++) {
        bool edge = chance(b, 3, 4);
        uint32_t of = edge ? fuzz_graph_edge_faults : fuzz_graph_extra_count;
        uint32_t at = pick(b, of);
        b->r.counter++;
        if (try_fault(b, edge ? &fuzz_graph_edges[at] : &fuzz_graph_extras[at]))
            done = true;
    }
    if (chance(b, 1, 4))
        lose_sometimes(b);
    if (b->g.arg_count > 0 && chance(b, 1, 16))
        blur(b);
}

/* --- Changes of which nobody knows what they do --- */

/* Mostly one between two writes: only what is read behind them shows it. */
static bool drop(bundle *b)
{
    graph *g = &b->g;
    bool any = chance(b, 1, 3);
    for (uint32_t i = 0; i < TRIES && g->edge_count > 0; i++) {
        graph_edge *e = &g->edges[pick(b, g->edge_count)];
        if (e->form == GRAPH_GIVEN || (!any && e->kinds != GRAPH_STORAGE))
            continue;
        e->form = GRAPH_GONE;
        return true;
    }
    return false;
}

static graph_arg *some_arg(bundle *b)
{
    graph *g = &b->g;
    graph_arg *arg = g->arg_count == 0 ? NULL : &g->args[pick(b, g->arg_count)];
    return arg == NULL || arg->buffer == GRAPH_NONE ? NULL : arg;
}

static bool turn(bundle *b)
{
    graph_arg *arg = some_arg(b);
    if (arg != NULL)
        arg->mode =
            (uint8_t)((arg->mode + 1 + pick(b, GRAPH_MODES - 1)) % GRAPH_MODES);
    return arg != NULL;
}

static bool move_region(bundle *b)
{
    graph_arg *arg = some_arg(b);
    if (arg == NULL || b->g.buffers[arg->buffer].moving)
        return false;
    const graph_buffer *buffer = &b->g.buffers[arg->buffer];
    uint32_t from = pick(b, buffer->rows);
    arg->box.rows = (graph_range){from, 1 + pick(b, buffer->rows - from), 1};
    arg->view = fuzz_graph_whole(&b->g, arg->buffer);
    return true;
}

static void change(bundle *b)
{
    static const struct {
        const char *name;
        bool (*make)(bundle *b);
    } changes[] = {{"dropped", drop}, {"turned", turn}, {"moved", move_region}};
    uint32_t which = pick(b, 5) % 3;
    if (changes[which].make(b)) {
        b->g.c->fault = changes[which].name;
        b->g.c->open = true;
    }
}

/* --- Places --- */

typedef struct placing {
    bundle *b;
    uint32_t after[FUZZ_PLAN_TASKS]; /* bit sets: what surely comes later */
    uint32_t *users;                 /* by buffer, of all its storage */
    bool cyclic;
} placing;

/* Along edges that are there in every execution in which their ends are. */
static void close_order(placing *p)
{
    const graph *g = &p->b->g;
    for (uint32_t i = 0; i < g->edge_count; i++) {
        const graph_edge *e = &g->edges[i];
        if (e->form != GRAPH_GONE && !e->doubtful && e->when == 0 &&
            e->from < g->task_count && e->to < g->task_count)
            p->after[e->from] |= 1u << e->to;
    }
    for (uint32_t k = 0; k < g->task_count; k++) {
        for (uint32_t t = 0; t < g->task_count; t++) {
            if (g->tasks[k].choice == GRAPH_NONE && (p->after[t] >> k & 1))
                p->after[t] |= p->after[k];
        }
    }
    for (uint32_t t = 0; t < g->task_count; t++)
        p->cyclic = p->cyclic || (p->after[t] >> t & 1);
}

static void note_user(placing *p, uint32_t task, uint32_t arg)
{
    const graph *g = &p->b->g;
    if (arg != GRAPH_NONE && g->args[arg].buffer != GRAPH_NONE)
        p->users[g->buffers[g->args[arg].buffer].root] |= 1u << task;
}

static bool begin(placing *p, bundle *b)
{
    const graph *g = &b->g;
    *p = (placing){.b = b};
    p->users = fuzz_arena_get(g->arena, g->buffer_count + 1, sizeof *p->users);
    b->places =
        fuzz_arena_get(g->arena, g->buffer_count + 1, sizeof *b->places);
    b->uses = fuzz_arena_get(g->arena, g->buffer_count + 1, sizeof *b->uses);
    if (p->users == NULL || b->places == NULL || b->uses == NULL)
        return false;
    for (uint32_t t = 0; t < g->task_count; t++) {
        const graph_task *task = &g->tasks[t];
        note_user(p, t, task->predicate);
        for (uint32_t i = 0; i < task->args; i++)
            note_user(p, t, task->first_arg + i);
    }
    close_order(p);
    return true;
}

static bool all_before(const placing *p, uint32_t first, uint32_t second)
{
    for (uint32_t t = 0; t < p->b->g.task_count; t++) {
        if ((p->users[first] >> t & 1) &&
            (p->users[second] & ~p->after[t]) != 0)
            return false;
    }
    return !p->cyclic;
}

/* What comes later has no value before its first write. */
static bool may_share(const placing *p, uint32_t x, uint32_t y)
{
    const graph_buffer *a = &p->b->g.buffers[x], *b = &p->b->g.buffers[y];
    return !a->external && !b->external &&
           ((all_before(p, x, y) && !b->init) ||
            (all_before(p, y, x) && !a->init));
}

static bool fits(const placing *p, const bundle_place *place)
{
    for (uint32_t i = 0; i < p->b->place_count; i++) {
        const bundle_place *other = &p->b->places[i];
        if (place->offset < other->offset + other->size &&
            other->offset < place->offset + place->size &&
            !may_share(p, place->buffer, other->buffer))
            return false;
    }
    return place->offset >= 0;
}

/* On another one, mostly as that lies, or with some bytes in common. */
static bool share(placing *p, bundle_place *place)
{
    bundle *b = p->b;
    for (uint32_t i = 0; i < TRIES / 4 && b->place_count > 0; i++) {
        const bundle_place *other = &b->places[pick(b, b->place_count)];
        place->offset = other->offset;
        if (chance(b, 1, 3))
            place->offset +=
                fuzz_between(&b->r, 1 - place->size, other->size - 1);
        if (fits(p, place))
            return true;
    }
    return false;
}

static bool put_places(bundle *b)
{
    placing p;
    bool externals = chance(b, 1, 3);
    if (!begin(&p, b))
        return false;
    for (uint32_t i = 0; i < b->g.buffer_count; i++) {
        const graph_buffer *buffer = &b->g.buffers[i];
        bundle_place place = {i, b->peak, fuzz_graph_bytes(buffer)};
        if (buffer->root != i || (buffer->external && !externals))
            continue;
        if (!share(&p, &place))
            place.offset = b->peak;
        b->places[b->place_count++] = place;
        b->peak = place.offset + place.size > b->peak
                      ? place.offset + place.size
                      : b->peak;
    }
    return true;
}

/* --- Faults of the places --- */

static bool pair(bundle *b)
{
    bool within = chance(b, 1, 2);
    if (!fuzz_bundle_add_pair(b, within))
        return false;
    b->g.c->fault = within ? "overlap" : "parallel";
    fuzz_case_expect(b->g.c,
                     within ? "memory.overlap" : "memory.parallel-reuse");
    return true;
}

/* Somewhere else, on whatever lies there. */
static bool move_place(bundle *b)
{
    bundle_place *place =
        b->place_count == 0 ? NULL : &b->places[pick(b, b->place_count)];
    if (place == NULL || place->size >= b->peak)
        return false;
    place->offset = fuzz_between(&b->r, 0, b->peak - place->size);
    fuzz_bundle_set_peak(b);
    b->g.c->fault = "place-moved";
    b->g.c->open = true;
    return true;
}

/* --- The whole --- */

static fuzz_status draw(bundle *b)
{
    graph *g = &b->g;
    g->most = FUZZ_PLAN_BYTES;
    g->style %= 4; /* names that need no escapes */
    g->broken = fuzz_chance(&g->shape_random, 3, 5);
    fuzz_graph_shape(g, (uint32_t)fuzz_log_size(&g->shape_random, 3, DRAWN));
    if (fuzz_arena_failed(g->arena))
        return FUZZ_NO_MEMORY;
    fuzz_graph_traits(g);
    if (g->task_count > 0 && chance(b, 1, 3))
        fuzz_graph_predicates(g, &b->r);
    simplify(g);
    fuzz_graph_initialise(g);
    fuzz_graph_number(g);
    fuzz_graph_order(g);
    if (fuzz_arena_failed(g->arena))
        return FUZZ_NO_MEMORY;
    fuzz_graph_forms(g);
    ease_deps(b);
    if (!g->broken && g->task_count > 1 && chance(b, 1, 4))
        add_dep(b);
    return FUZZ_OK;
}

static fuzz_status make(bundle *b)
{
    fuzz_status status = draw(b);
    if (status != FUZZ_OK)
        return status;
    bool places = b->g.broken && chance(b, 1, 3);
    bool known = chance(b, 6, 7);
    if (b->g.broken && !places)
        (known ? break_graph : change)(b);
    if (!put_places(b))
        return FUZZ_NO_MEMORY;
    if (places)
        (void)(known ? pair(b) : move_place(b));
    return FUZZ_OK;
}

fuzz_status fuzz_plan_make(fuzz_case *c, const fuzz_name *name)
{
    bundle b = {.flaw = BUNDLE_FLAWLESS,
                .members = BUNDLE_GRAPH | BUNDLE_MEMORY};
    if (!fuzz_case_clear(c))
        return FUZZ_NO_MEMORY;
    c->name = *name;
    b.r = fuzz_random_of(name, GRAPH_FOR_FAULT);
    fuzz_graph_start(&b.g, c);
    fuzz_status status = make(&b);
    if (status == FUZZ_OK) {
        c->shape = b.g.shape;
        c->tasks = b.g.task_count;
        fuzz_bundle_write(&b, &c->input);
    }
    return c->input.failed || fuzz_arena_failed(c->work) ? FUZZ_NO_MEMORY
                                                         : status;
}
