/* Faults of a bundle: one member does not say what another one says. */
#include "bundle.h"

#include <stdio.h>

#include "graph_fault.h"
#include "make.h"

#define PAIRS 512 /* of buffers that are looked at */
#define TRIES 64  /* of the choice; flaws of the bundle always have a place */

static uint32_t pick(bundle *b, uint32_t n)
{
    return (uint32_t)fuzz_below(&b->r, n);
}

static bool has(const bundle *b, uint32_t members)
{
    return (b->members & members) == members;
}

/* --- Where a flaw is put --- */

/* An argument that is memory, or one that is a scalar with a value. */
static bool find_arg(bundle *b, bool memory)
{
    const graph *g = &b->g;
    uint32_t first = pick(b, g->task_count);
    for (uint32_t i = 0; i < g->task_count; i++) {
        uint32_t t = (first + i) % g->task_count;
        const graph_task *task = &g->tasks[t];
        for (uint32_t k = 0; k < task->args; k++) {
            const graph_arg *arg = &g->args[task->first_arg + k];
            bool value =
                strcmp(fuzz_graph_scalar(arg->scalar)->score, "null") != 0;
            if ((arg->buffer != GRAPH_NONE) == memory && (memory || value)) {
                b->at = t;
                b->arg = k;
                return true;
            }
        }
    }
    return false;
}

/* Any task; the name of any task; any edge. */
static bool find_task(bundle *b)
{
    b->at = pick(b, b->g.task_count);
    return true;
}

static bool find_name(bundle *b)
{
    b->at = b->g.tasks[pick(b, b->g.task_count)].name;
    return true;
}

static bool find_edge(bundle *b)
{
    if (b->edge_count == 0)
        return false;
    b->at = pick(b, b->edge_count);
    return true;
}

static bool find_memory(bundle *b)
{
    return find_arg(b, true);
}

static bool find_scalar(bundle *b)
{
    return find_arg(b, false);
}

/* A value that the graph says is one, and no name of a variable. */
static bool find_constant(bundle *b)
{
    if (!find_arg(b, false))
        return false;
    const graph_task *task = &b->g.tasks[b->at];
    b->g.args[task->first_arg + b->arg].scalar = pick(b, 7);
    return true;
}

static bool find_policy_edge(bundle *b)
{
    return b->policy != BUNDLE_NO_POLICY && find_edge(b);
}

static bool find_policy(bundle *b)
{
    if (b->policy == BUNDLE_NO_POLICY)
        b->policy = BUNDLE_SEQUENTIAL;
    b->at = pick(b, 2);
    for (uint32_t t = 0; t < b->g.task_count; t++) {
        if (b->g.tasks[t].args == 0)
            return false;
    }
    return true;
}

static bool find_placed(bundle *b)
{
    if (b->place_count == 0)
        return false;
    b->at = pick(b, b->place_count);
    return true;
}

/* --- Places --- */

void fuzz_bundle_set_peak(bundle *b)
{
    b->peak = 0;
    for (uint32_t i = 0; i < b->place_count; i++) {
        int64_t end;
        if (b->places[i].buffer != GRAPH_NONE &&
            !__builtin_add_overflow(b->places[i].offset, b->places[i].size,
                                    &end) &&
            end > b->peak)
            b->peak = end;
    }
}

/* What a task does with all of a buffer; GRAPH_MODES: nothing. */
static graph_mode mode_of(const graph *g, uint32_t t, uint32_t buffer)
{
    const graph_task *task = &g->tasks[t];
    for (uint32_t i = 0; i < task->args; i++) {
        const graph_arg *arg = &g->args[task->first_arg + i];
        if (arg->buffer == buffer)
            return (graph_mode)arg->mode;
    }
    return GRAPH_MODES;
}

static bool put_on(bundle *b, uint32_t buffer, uint32_t other)
{
    bundle_place *place = fuzz_bundle_place_of(b, buffer);
    const bundle_place *under = fuzz_bundle_place_of(b, other);
    if (place == NULL || under == NULL)
        return false;
    place->offset = under->offset;
    fuzz_bundle_set_peak(b);
    return true;
}

static bool starts_with_write(const bundle *b, uint32_t buffer)
{
    return b->uses[buffer].any && b->uses[buffer].written_first &&
           !b->g.buffers[buffer].external;
}

/* The last task that touches the buffer reads its value. */
static bool ends_with_read(const bundle *b, uint32_t buffer)
{
    const bundle_use *use = &b->uses[buffer];
    return use->last > use->first &&
           mode_of(&b->g, use->last, buffer) == GRAPH_READ;
}

typedef bool (*is_pair)(const bundle *b, const bundle_use *x,
                        const bundle_use *y);

/* Two buffers, each written first, the first one read last. */
static bool put_pair(bundle *b, is_pair fits)
{
    uint32_t count = b->place_count;
    uint32_t first = count == 0 ? 0 : pick(b, count * count);
    for (uint32_t i = 0; i < PAIRS && i < count * count; i++) {
        uint32_t at = (first + i * 7) % (count * count);
        uint32_t x = b->places[at / count].buffer;
        uint32_t y = b->places[at % count].buffer;
        if (x != y && starts_with_write(b, x) && starts_with_write(b, y) &&
            ends_with_read(b, x) && fits(b, &b->uses[x], &b->uses[y]))
            return put_on(b, y, x);
    }
    return false;
}

/* Between write and last read nobody else writes the first one. */
static bool is_kept(const bundle *b, uint32_t buffer)
{
    const bundle_use *use = &b->uses[buffer];
    for (uint32_t t = use->first + 1; t <= use->last; t++) {
        graph_mode mode = mode_of(&b->g, t, buffer);
        if (mode == GRAPH_WRITE || mode == GRAPH_INOUT)
            return false;
    }
    return true;
}

/* The second is written between the write and the read of the first. */
static bool is_within(const bundle *b, const bundle_use *x, const bundle_use *y)
{
    return x->first < y->first && y->first < x->last &&
           is_kept(b, (uint32_t)(x - b->uses));
}

/* ... behind the read, and does not wait for it. */
static bool is_beside(const bundle *b, const bundle_use *x, const bundle_use *y)
{
    bool waits = b->policy == BUNDLE_SEQUENTIAL && !has(b, BUNDLE_GRAPH);
    return x->last < y->first && !waits &&
           !fuzz_graph_path(&b->g, x->last, y->first, GRAPH_NONE);
}

static bool overlap(bundle *b)
{
    return put_pair(b, is_within);
}

static bool parallel(bundle *b)
{
    return put_pair(b, is_beside);
}

/* --- Tasks of their own --- */

static bool add_places(bundle *b, const uint32_t *buffers, uint32_t count)
{
    graph *g = &b->g;
    bundle_place *grown =
        fuzz_arena_get(g->arena, b->place_count + count, sizeof *grown);
    if (grown == NULL)
        return false;
    memcpy(grown, b->places, b->place_count * sizeof *grown);
    for (uint32_t i = 0; i < count; i++)
        grown[b->place_count++] = (bundle_place){
            buffers[i], b->peak, fuzz_graph_bytes(&g->buffers[buffers[i]])};
    b->places = grown;
    fuzz_bundle_set_peak(b);
    return true;
}

static bool join(bundle *b, uint32_t from, uint32_t to)
{
    graph_edge *e = fuzz_graph_edge(&b->g, from, to, 0);
    if (e != NULL)
        e->form = GRAPH_DEP;
    return e != NULL;
}

/* A write and a read of one buffer, a write of the other before or behind. */
bool fuzz_bundle_add_pair(bundle *b, bool within)
{
    graph *g = &b->g;
    graph_breaker breaker = {.g = g, .r = b->r};
    uint32_t t = g->task_count;
    if (!has(b, BUNDLE_GRAPH) || has(b, BUNDLE_SCORE))
        return false;
    uint32_t x = fuzz_graph_fresh(&breaker, false, 1);
    uint32_t y = fuzz_graph_fresh(&breaker, false, 1);
    uint32_t buffers[2] = {x, y};
    if (!fuzz_graph_add_task(&breaker, x, GRAPH_WRITE) ||
        (within && !fuzz_graph_add_task(&breaker, y, GRAPH_WRITE)) ||
        !fuzz_graph_add_task(&breaker, x, GRAPH_READ) ||
        (!within && !fuzz_graph_add_task(&breaker, y, GRAPH_WRITE)) ||
        !add_places(b, buffers, 2))
        return false;
    return join(b, t, t + 1) && (!within || join(b, t + 1, t + 2));
}

static bool add_overlap(bundle *b)
{
    return fuzz_bundle_add_pair(b, true);
}

static bool add_parallel(bundle *b)
{
    return fuzz_bundle_add_pair(b, false);
}

static bool on_external(bundle *b)
{
    const graph *g = &b->g;
    for (uint32_t i = 0; i < TRIES && g->buffer_count > 1; i++) {
        uint32_t x = pick(b, g->buffer_count), y = pick(b, g->buffer_count);
        if (g->buffers[x].external && x != y && put_on(b, y, x))
            return true;
    }
    return false;
}

static bool bounds(bundle *b)
{
    if (!find_placed(b))
        return false;
    bundle_place *place = &b->places[b->at];
    char options[64];
    switch (pick(b, has(b, BUNDLE_GRAPH) ? 5 : 4)) {
    case 0:
        place->offset = -8;
        break;
    case 1:
        place->size = -1;
        break;
    case 2:
        place->offset = INT64_MAX;
        place->size = 1;
        break;
    case 3:
        snprintf(options, sizeof options, "{\"capacity\":%lld}",
                 (long long)(b->peak > 1 ? b->peak - 1 : 1));
        fuzz_put(&b->g.c->options, options);
        return b->peak > 1;
    default:
        if (place->size < 2)
            return false;
        place->size /= 2;
        break;
    }
    fuzz_bundle_set_peak(b);
    return true;
}

static bool missing(bundle *b)
{
    if (!find_placed(b) || b->g.buffers[b->places[b->at].buffer].external)
        return false;
    b->places[b->at].buffer = GRAPH_NONE;
    fuzz_bundle_set_peak(b);
    return true;
}

static bool alignment(bundle *b)
{
    if (!has(b, BUNDLE_GRAPH) || !find_placed(b))
        return false;
    bundle_place *place = &b->places[b->at];
    int64_t align = (int64_t)16 << pick(b, 6);
    b->g.buffers[place->buffer].align = align;
    place->offset = b->peak + align - b->peak % align + 1 + pick(b, 15);
    fuzz_bundle_set_peak(b);
    return true;
}

/* A view of a buffer, eight bytes from where it belongs. */
static bool split(bundle *b)
{
    graph *g = &b->g;
    if (!has(b, BUNDLE_GRAPH) || b->place_count == 0)
        return false;
    uint32_t root = b->places[pick(b, b->place_count)].buffer;
    const bundle_place *under = fuzz_bundle_place_of(b, root);
    uint32_t alias = fuzz_graph_buffer(g, false, 1, 1);
    if (alias >= g->buffer_count || under == NULL)
        return false;
    uint32_t number = g->buffers[alias].number;
    g->buffers[alias] = g->buffers[root];
    g->buffers[alias].number = number;
    g->buffers[alias].under = root;
    bundle_place *grown =
        fuzz_arena_get(g->arena, b->place_count + 1, sizeof *grown);
    if (grown == NULL)
        return false;
    bundle_place place = {alias, under->offset + 8, under->size};
    memcpy(grown, b->places, b->place_count * sizeof *grown);
    grown[b->place_count++] = place;
    b->places = grown;
    fuzz_bundle_set_peak(b);
    return true;
}

static bool unsized(bundle *b)
{
    if (!find_placed(b))
        return false;
    bundle_place *place = &b->places[b->at];
    place->size = 0;
    b->g.buffers[place->buffer].sized = false;
    fuzz_bundle_set_peak(b);
    return true;
}

/* Two writes of two buffers on one place, which nobody reads. */
static bool interleaved(bundle *b)
{
    graph *g = &b->g;
    graph_breaker breaker = {.g = g, .r = b->r};
    if (!has(b, BUNDLE_GRAPH) || has(b, BUNDLE_SCORE) ||
        g->rules == GRAPH_RULES_CONSERVATIVE)
        return false;
    uint32_t buffers[2];
    for (uint32_t i = 0; i < 2; i++) {
        buffers[i] = fuzz_graph_fresh(&breaker, false, 1);
        if (!fuzz_graph_add_task(&breaker, buffers[i], GRAPH_WRITE))
            return false;
    }
    return add_places(b, buffers, 2);
}

/* --- The choice --- */

typedef struct fault {
    const char *name, *rule;
    uint32_t weight, members; /* those that it needs */
    bundle_flaw flaw;         /* where there is no `make` */
    bool (*find)(bundle *b);
} fault;

#define HANDLE (BUNDLE_SCORE | BUNDLE_HANDLE)
#define HBG (HANDLE | BUNDLE_HBG)
#define BOTH (BUNDLE_GRAPH | BUNDLE_SCORE)

static const fault faults[] = {
    {"handle-fingerprint", "score.fingerprint", 2, HANDLE,
     BUNDLE_FINGERPRINT_HANDLE, find_task},
    {"hbg-fingerprint", "score.fingerprint", 2, HBG, BUNDLE_FINGERPRINT_HBG,
     find_task},
    {"other-score", "score.fingerprint", 2, BUNDLE_SCORE | BUNDLE_ELIGIBILITY,
     BUNDLE_FINGERPRINT_ELIGIBILITY, find_task},
    {"contract", "handle.contract-version", 6, HANDLE, BUNDLE_VERSION,
     find_task},
    {"func-id", "handle.func-id", 4, HANDLE, BUNDLE_FUNC_ID, find_name},
    {"func-twice", "handle.func-id", 3, HANDLE, BUNDLE_FUNC_TWICE, find_name},
    {"func-missing", "handle.func-missing", 6, HANDLE, BUNDLE_FUNC_MISSING,
     find_name},
    {"func-spare", "handle.func-unreferenced", 6, HANDLE, BUNDLE_FUNC_SPARE,
     find_task},
    {"binding-argument", "handle.binding-argument", 4, HANDLE,
     BUNDLE_BINDING_ARGUMENT, find_task},
    {"binding-task", "handle.binding-argument", 3, HANDLE, BUNDLE_BINDING_TASK,
     find_task},
    {"binding-key", "handle.binding-key", 6, HANDLE, BUNDLE_BINDING_KEY,
     find_memory},
    {"binding-direction", "handle.binding-direction", 6, HANDLE,
     BUNDLE_BINDING_DIRECTION, find_memory},
    {"binding-missing", "handle.binding-missing", 8, HANDLE,
     BUNDLE_BINDING_MISSING, find_memory},
    {"hbg-metadata", "hbg.metadata", 4, HBG, BUNDLE_HBG_METADATA, find_task},
    {"hbg-no-metadata", "hbg.metadata", 4, HBG, BUNDLE_HBG_NO_METADATA,
     find_task},
    {"hbg-func", "hbg.task", 3, HBG, BUNDLE_HBG_FUNC, find_task},
    {"hbg-core", "hbg.task", 3, HBG, BUNDLE_HBG_CORE, find_task},
    {"hbg-row", "hbg.task", 2, HBG, BUNDLE_HBG_ROW, find_task},
    {"hbg-arg", "hbg.args", 4, HBG, BUNDLE_HBG_ARG, find_memory},
    {"hbg-more-args", "hbg.args", 4, HBG, BUNDLE_HBG_MORE_ARGS, find_task},
    {"hbg-scalar", "hbg.scalar-lost", 13, HBG, BUNDLE_HBG_SCALAR, find_scalar},
    {"hbg-edge-less", "hbg.edges", 5, HBG, BUNDLE_HBG_EDGE_LESS, find_edge},
    {"hbg-edge-more", "hbg.edges", 4, HBG, BUNDLE_HBG_EDGE_MORE, find_task},
    {"policy-kind", "policy.edges", 2, BUNDLE_SCORE, BUNDLE_POLICY_KIND,
     find_policy_edge},
    {"policy-less", "policy.edges", 2, BUNDLE_SCORE, BUNDLE_POLICY_LESS,
     find_policy_edge},
    {"fallback", "policy.fallback", 2, BUNDLE_SCORE, BUNDLE_FALLBACK,
     find_policy},
    {"lost-constant", "adapter.lost-fact", 2, BOTH, BUNDLE_LOST_CONSTANT,
     find_constant},
    {"lost-task", "adapter.lost-fact", 1, BOTH, BUNDLE_LOST_TASK, find_task},
    {"lost-key", "adapter.lost-fact", 1, BOTH, BUNDLE_LOST_KEY, find_memory},
    {"digest", "doc.schema", 1, 0, BUNDLE_SHA, find_task},
    {"role", "doc.schema", 1, 0, BUNDLE_ROLE, find_task},
    {"both", "doc.schema", 1, 0, BUNDLE_BOTH, find_task},
    {"neither", "doc.schema", 1, 0, BUNDLE_NEITHER, find_task},
    {"no-members", "doc.schema", 1, 0, BUNDLE_NO_MEMBERS, find_task},
    {"nothing", "doc.schema", 1, 0, BUNDLE_NOTHING, find_task},
    {"unknown-field", "doc.unknown-field", 1, 0, BUNDLE_UNKNOWN_FIELD,
     find_task},
    {"syntax", "doc.syntax", 2, 0, BUNDLE_SYNTAX, find_task},
    {"reasons", "doc.schema", 1, BUNDLE_ELIGIBILITY, BUNDLE_REASONS, find_task},
    {"eligible", "doc.schema", 1, BUNDLE_ELIGIBILITY, BUNDLE_ELIGIBLE,
     find_task},
    {"peak", "memory.peak", 2, BUNDLE_MEMORY, BUNDLE_PEAK, find_task},
    {"peak-range", "doc.range", 1, BUNDLE_MEMORY, BUNDLE_PEAK_RANGE, find_task},
    {"place-twice", "doc.schema", 1, BUNDLE_MEMORY, BUNDLE_PLACE_TWICE,
     find_placed},
    {"overlap", "memory.overlap", 4, BUNDLE_MEMORY, BUNDLE_FLAWLESS, overlap},
    {"parallel", "memory.parallel-reuse", 8, BUNDLE_MEMORY, BUNDLE_FLAWLESS,
     parallel},
    {"external", "memory.external", 3, BUNDLE_MEMORY, BUNDLE_FLAWLESS,
     on_external},
    {"bounds", "memory.bounds", 3, BUNDLE_MEMORY, BUNDLE_FLAWLESS, bounds},
    {"missing", "memory.missing", 6, BUNDLE_MEMORY, BUNDLE_FLAWLESS, missing},
    {"alignment", "memory.alignment", 6, BUNDLE_MEMORY, BUNDLE_FLAWLESS,
     alignment},
    {"alias-split", "memory.alias-split", 5, BUNDLE_MEMORY, BUNDLE_FLAWLESS,
     split},
    {"unsized", "memory.unknown-size", 2, BUNDLE_MEMORY, BUNDLE_FLAWLESS,
     unsized},
    {"extra-overlap", "memory.overlap", 4, BUNDLE_MEMORY, BUNDLE_FLAWLESS,
     add_overlap},
    {"extra-parallel", "memory.parallel-reuse", 8, BUNDLE_MEMORY,
     BUNDLE_FLAWLESS, add_parallel},
    {"interleaved", "memory.interleaved", 7, BUNDLE_MEMORY, BUNDLE_FLAWLESS,
     interleaved},
};
#define FAULTS ((uint32_t)(sizeof faults / sizeof *faults))

static const fault *draw(bundle *b, uint32_t weights)
{
    uint32_t drawn = pick(b, weights), at = 0;
    while (drawn >= faults[at].weight)
        drawn -= faults[at++].weight;
    return &faults[at];
}

void fuzz_bundle_break(bundle *b)
{
    uint32_t weights = 0;
    for (uint32_t i = 0; i < FAULTS; i++)
        weights += faults[i].weight;
    for (uint32_t i = 0; i < TRIES; i++) {
        const fault *f = draw(b, weights);
        if (!has(b, f->members) || !f->find(b))
            continue;
        b->flaw = f->flaw;
        b->g.c->fault = f->name;
        fuzz_case_expect(b->g.c, f->rule);
        return;
    }
}
