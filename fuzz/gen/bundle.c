/*
 * The maker of bundles. Cases 2k and 2k + 1 are now and then a pair with one
 * fingerprint: their graphs differ in one value that their Scores do not have
 * (two meanings, score.identity), or the second is the first with other members
 * and in another layout (one meaning).
 */
#include "bundle.h"

#include "damage.h"
#include "make.h"
#include "related.h"

#define MOST_TASKS 160 /* each may bring a buffer that comes from outside */
#define PAIRS 24       /* every so many pairs have one fingerprint */
#define ALIKE 4        /* ... and every so many of those one meaning */

/* A Score knows no value before the first write but that of the caller. */
static void start_outside(graph *g)
{
    for (uint32_t i = 0; i < g->buffer_count; i++) {
        g->buffers[i].external |= g->buffers[i].init;
        g->buffers[i].init = false;
    }
}

static void draw_members(bundle *b)
{
    static const uint32_t sets[] = {
        BUNDLE_GRAPH | BUNDLE_SCORE,
        BUNDLE_SCORE | BUNDLE_HANDLE | BUNDLE_HBG,
        BUNDLE_SCORE | BUNDLE_MEMORY,
        BUNDLE_GRAPH | BUNDLE_MEMORY,
        BUNDLE_GRAPH | BUNDLE_MEMORY,
        BUNDLE_SCORE | BUNDLE_ELIGIBILITY,
        BUNDLE_SCORE | BUNDLE_HANDLE | BUNDLE_MEMORY,
        BUNDLE_GRAPH | BUNDLE_SCORE | BUNDLE_ELIGIBILITY | BUNDLE_HANDLE |
            BUNDLE_HBG | BUNDLE_MEMORY,
    };
    b->members = sets[fuzz_below(&b->r, sizeof sets / sizeof *sets)];
    b->func_base = fuzz_chance(&b->r, 1, 4) ? 100 : 0;
    b->bound = fuzz_chance(&b->r, 1, 3);
    b->digests = fuzz_chance(&b->r, 1, 3);
    b->other_spelling = fuzz_chance(&b->r, 1, 4);
}

/*
 * What the other members are made of, changed. Where ids or tasks are others a
 * fault would be another one; and what it adds is renamed when it is there.
 */
static fuzz_status relate(graph *g, fuzz_map *map, fuzz_relation relation)
{
    if (relation == FUZZ_RELATIONS || relation == FUZZ_RENAME)
        return FUZZ_OK;
    /* A Score has no dummies, and no edge twice. */
    if (relation == FUZZ_DUMMY_JOIN || relation == FUZZ_DECLARE ||
        (g->broken && relation != FUZZ_EARLY))
        return FUZZ_NO_SUCH;
    return fuzz_graph_relate(g, map, relation);
}

static fuzz_status draw(bundle *b, const fuzz_limits *limits, fuzz_map *map,
                        fuzz_relation relation)
{
    graph *g = &b->g;
    g->broken = fuzz_chance(&g->shape_random, 1, 3);
    fuzz_graph_whole_shape(
        g, fuzz_task_count(&g->shape_random, limits, MOST_TASKS));
    fuzz_graph_few_traits(g);
    fuzz_graph_initialise(g);
    start_outside(g);
    fuzz_graph_number(g);
    fuzz_graph_order(g);
    if (fuzz_arena_failed(g->arena))
        return FUZZ_NO_MEMORY;
    fuzz_graph_forms(g);
    fuzz_status status = relate(g, map, relation);
    if (status != FUZZ_OK)
        return status;
    draw_members(b);
    return fuzz_bundle_edges(b) && fuzz_bundle_place(b) ? FUZZ_OK
                                                        : FUZZ_NO_MEMORY;
}

/* The Scores of both say the kind of the node where the graphs have 0 to 6. */
static bool make_twin(bundle *b, uint64_t which)
{
    graph *g = &b->g;
    for (uint32_t t = 0; t < g->task_count; t++) {
        const graph_task *task = &g->tasks[t];
        for (uint32_t i = 0; i < task->args; i++) {
            graph_arg *arg = &g->args[task->first_arg + i];
            if (arg->buffer != GRAPH_NONE)
                continue;
            arg->scalar = (uint32_t)which;
            b->at = t;
            b->arg = i;
            b->members = BUNDLE_GRAPH | BUNDLE_SCORE;
            b->flaw = BUNDLE_LOST_CONSTANT;
            return true;
        }
    }
    return false;
}

/* The same graph and Score, told otherwise in the second. */
static void make_alike(bundle *b, const fuzz_name *own)
{
    if (own->index & 1) {
        uint32_t base = b->func_base; /* which the fingerprint covers, too */
        bool spelling = b->other_spelling;
        b->r = fuzz_random_of(own, GRAPH_FOR_FAULT);
        draw_members(b);
        b->func_base = base;
        b->other_spelling = spelling;
    }
    b->members |= BUNDLE_GRAPH | BUNDLE_SCORE;
}

static void make_pair(bundle *b, const fuzz_name *own, bool alike)
{
    fuzz_case *c = b->g.c;
    bool second = own->index & 1;
    if (alike) {
        make_alike(b, own);
    } else if (make_twin(b, own->index & 1)) {
        c->fault = "one-fingerprint";
        fuzz_case_expect(c, "adapter.lost-fact");
        if (second)
            fuzz_case_expect(c, "score.identity");
    } else {
        return;
    }
    c->second = second;
}

fuzz_status fuzz_make_bundle_related(fuzz_case *c, const fuzz_limits *limits,
                                     fuzz_map *map, fuzz_relation relation)
{
    bundle b = {.flaw = BUNDLE_FLAWLESS};
    fuzz_name own = c->name, pair = c->name;
    fuzz_random layout = fuzz_random_of(&own, GRAPH_FOR_LAYOUT);
    b.layout = fuzz_graph_layout(&layout);
    pair.index &= ~UINT64_C(1);
    b.r = fuzz_random_of(&pair, GRAPH_FOR_FAULT);
    bool paired = fuzz_chance(&b.r, 1, PAIRS);
    bool alike = paired && fuzz_chance(&b.r, 1, ALIKE);
    if (paired && relation != FUZZ_RELATIONS)
        return FUZZ_NO_SUCH;
    if (paired)
        c->name = pair;
    fuzz_graph_start(&b.g, c);
    if (!paired)
        b.r = fuzz_random_of(&own, GRAPH_FOR_FAULT);
    fuzz_status status = draw(&b, limits, map, relation);
    if (status != FUZZ_OK)
        return status;
    if (paired)
        make_pair(&b, &own, alike);
    else if (b.g.broken)
        fuzz_bundle_break(&b);
    if (relation != FUZZ_RELATIONS && b.flaw == BUNDLE_SYNTAX)
        return FUZZ_NO_SUCH;
    if (relation == FUZZ_RENAME)
        status = fuzz_graph_relate(&b.g, map, relation);
    if (status != FUZZ_OK)
        return status;
    fuzz_bundle_fingerprint(&b, &c->input);
    c->shape = b.g.shape;
    c->tasks = b.g.task_count;
    fuzz_bundle_write(&b, &c->input);
    if (b.flaw == BUNDLE_SYNTAX)
        fuzz_damage(&c->input, &b.r);
    c->name = own;
    return FUZZ_OK;
}

fuzz_status fuzz_make_bundle(fuzz_case *c, const fuzz_limits *limits)
{
    return fuzz_make_bundle_related(c, limits, NULL, FUZZ_RELATIONS);
}
