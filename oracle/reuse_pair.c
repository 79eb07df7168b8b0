/*
 * Two storages on common addresses, by the definition. In an atom of addresses
 * all accesses meet: for each read of the one and each writer whose value it
 * may get, every write of the other has to come before that writer or after
 * the read.
 */
#include "reuse.h"

#include <string.h>

#define STEPS (UINT64_C(1) << 28)
#define INITIAL ORACLE_NONE

typedef struct decision {
    oracle_reuse_work *work;
    const oracle_reuse_pair *pair;
    const oracle_item *items;
    oracle_reuse best;
    oracle_arena *arena;
    const uint32_t *list; /* accesses of the atom, in program order */
    uint32_t count;
    oracle_interval where;
    bool met, failed; /* met: some atom has accesses of both */
} decision;

static uint32_t rank_of(const decision *d, uint32_t item)
{
    return d->work->rank[d->items[item].storage];
}

static bool is_first(const decision *d, uint32_t item)
{
    return rank_of(d, item) == d->pair->a;
}

/* One from each storage, neither the caller. */
static bool asked(const decision *d, const oracle_pair *pairs, uint32_t x,
                  uint32_t y)
{
    const oracle_reuse_work *w = d->work;
    uint32_t a = d->pair->a, b = d->pair->b;
    uint64_t rows = w->first_task[a + 1] - w->first_task[a];
    uint64_t columns = w->first_task[b + 1] - w->first_task[b];
    return is_first(d, x)
               ? pairs[w->local[x] * columns + w->local[y]].ordered
               : pairs[(rows + w->local[y]) * columns + w->local[x]].ordered;
}

/* x before y; by their places alone inside a task and at both ends. */
static bool before(const decision *d, const oracle_pair *pairs, uint32_t x,
                   uint32_t y)
{
    if (x == INITIAL || y == INITIAL) {
        return x == INITIAL;
    }
    uint32_t s = d->items[x].task, t = d->items[y].task;
    if (s == t || s == ORACLE_NONE || t == ORACLE_NONE) {
        return s == t ? x < y : t == ORACLE_NONE;
    }
    return asked(d, pairs, x, y);
}

static bool exact(const decision *d, uint32_t item)
{
    return item == INITIAL || (d->items[item].exact && !d->work->bound[item]);
}

/* In program order the other write lies between the two. */
static bool between(uint32_t w, uint32_t x, uint32_t r)
{
    return (w == INITIAL || w < x) && x < r;
}

/* A write to the reader's storage that lies between w and the reader. */
static bool is_nearer(const decision *d, uint32_t item, uint32_t r, uint32_t w)
{
    return is_first(d, item) == is_first(d, r) && between(w, item, r) &&
           oracle_item_writes(&d->items[item]);
}

/*
 * Whether a nearer write does not happen when the read gets w's value: a plain
 * one never does, an accumulation where its task does not run because of one.
 */
static bool is_skipped(const decision *d, uint32_t at, uint32_t r, uint32_t w)
{
    const oracle_item *item = &d->items[d->list[at]];
    bool skipped = item->kind == ORACLE_ITEM_WRITE;
    while (at > 0 && d->items[d->list[at - 1]].task == item->task) {
        at--;
    }
    for (; !skipped && at < d->count; at++) {
        const oracle_item *other = &d->items[d->list[at]];
        if (other->task != item->task) {
            return false;
        }
        skipped = is_nearer(d, d->list[at], r, w) && other->always &&
                  other->kind == ORACLE_ITEM_WRITE;
    }
    return skipped;
}

/*
 * Accesses nearer to the read than w that do not happen then; the others add
 * to w's value, and the last of them is the writer to be expected.
 */
static void keep_skipped(decision *d, uint32_t r, uint32_t w)
{
    oracle_reuse *best = &d->best;
    best->skipped = oracle_arena_array(d->work->reuses->arena, d->count,
                                       sizeof *best->skipped);
    best->skip_count = 0;
    if (best->skipped == NULL) {
        d->failed = true;
        return;
    }
    for (uint32_t i = 0; i < d->count; i++) {
        uint32_t item = d->list[i];
        if (!is_nearer(d, item, r, w)) {
            continue;
        }
        if (is_skipped(d, i, r, w)) {
            best->skipped[best->skip_count++] = d->items[item];
        } else {
            best->expected = d->items[item].task;
        }
    }
}

static uint32_t task_of(const decision *d, uint32_t item)
{
    return item == INITIAL ? ORACLE_NONE : d->items[item].task;
}

static void keep(decision *d, oracle_reuse_kind kind, uint32_t r, uint32_t x,
                 uint32_t w)
{
    oracle_reuse *best = &d->best;
    best->kind = kind;
    if (kind < ORACLE_REUSE_PARALLEL) {
        return;
    }
    best->reader = d->items[r];
    best->intruder = d->items[x];
    best->initial = w == INITIAL;
    best->writer = best->initial ? d->items[r] : d->items[w];
    best->where = d->where;
    best->expected = task_of(d, w);
    keep_skipped(d, r, w);
}

typedef enum missing {
    MISSING_NEVER,
    MISSING_OPEN, /* it is not known, or no witness can say it */
    MISSING_SURELY
} missing;

/*
 * Whether an execution without this nearer writer has the other three: its
 * task may have to run, and its argument may be the writer's.
 */
static missing can_miss(const decision *d, uint32_t nearer, uint32_t r,
                        uint32_t x, uint32_t w)
{
    const oracle_item *item = &d->items[nearer];
    if (!exact(d, nearer)) {
        return MISSING_OPEN;
    }
    if (item->kind == ORACLE_ITEM_ACCUMULATE) {
        return MISSING_SURELY; /* it adds to the writer's value, and stays */
    }
    if (item->must) {
        return MISSING_NEVER;
    }
    if (item->always) {
        bool runs = item->task == d->items[r].task ||
                    item->task == d->items[x].task ||
                    item->task == task_of(d, w);
        return runs ? MISSING_NEVER : MISSING_SURELY;
    }
    return item->task != task_of(d, w) || item->arg != d->items[w].arg
               ? MISSING_SURELY
               : MISSING_OPEN;
}

/* The same of all nearer writers. */
static missing left_out(const decision *d, const uint32_t *writers, uint32_t at,
                        uint32_t r, uint32_t x)
{
    missing all = MISSING_SURELY;
    for (uint32_t i = 0; i < at; i++) {
        missing one = can_miss(d, writers[i], r, x, writers[at]);
        all = one < all ? one : all;
    }
    return all;
}

static void look(decision *d, uint32_t r, uint32_t x, const uint32_t *writers,
                 uint32_t at)
{
    const oracle_pair *certain = d->pair->certain, *all = d->pair->all;
    uint32_t w = writers[at];
    if (before(d, certain, x, w) || before(d, certain, r, x)) {
        return;
    }
    missing nearer = left_out(d, writers, at, r, x);
    if (nearer == MISSING_NEVER) {
        return;
    }
    bool decided = exact(d, r) && exact(d, w) && exact(d, x) &&
                   !before(d, all, x, w) && !before(d, all, r, x) &&
                   nearer == MISSING_SURELY;
    oracle_reuse_kind kind = !decided           ? ORACLE_REUSE_DOUBTFUL
                             : between(w, x, r) ? ORACLE_REUSE_OVERLAP
                                                : ORACLE_REUSE_PARALLEL;
    if (kind > d->best.kind) {
        keep(d, kind, r, x, w);
    }
}

static bool writes(const decision *d, uint32_t item)
{
    return oracle_item_writes(&d->items[item]);
}

/* Whether a later write of one task hides this one from every read. */
static bool hidden(const decision *d, uint32_t item, uint32_t later)
{
    const oracle_item *x = &d->items[later];
    return x->kind == ORACLE_ITEM_WRITE && x->always && exact(d, later) &&
           x->task == d->items[item].task;
}

/*
 * The writers whose value the read may get, nearest first; their number. What
 * is added to nothing is a value too: with whatever was there when the first
 * of them added.
 */
static uint32_t find_writers(const decision *d, uint32_t at, uint32_t *writers)
{
    uint32_t n = 0;
    const oracle_buffer *b =
        &d->work->execution->document->buffers[d->items[d->list[at]].storage];
    for (uint32_t i = at; i-- > 0;) {
        uint32_t item = d->list[i];
        const oracle_item *x = &d->items[item];
        if (is_first(d, item) != is_first(d, d->list[at]) || !writes(d, item) ||
            (n > 0 && hidden(d, item, writers[n - 1]))) {
            continue;
        }
        writers[n++] = item;
        if (x->kind == ORACLE_ITEM_WRITE && x->must && exact(d, item)) {
            return n;
        }
    }
    if (b->external || b->init) {
        writers[n++] = INITIAL;
    }
    return n;
}

static void judge_read(decision *d, uint32_t at, uint32_t *writers)
{
    uint32_t r = d->list[at], n = find_writers(d, at, writers);
    uint64_t *steps = &d->work->reuses->steps;
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < d->count; i++) {
            uint32_t x = d->list[i];
            if (d->best.kind == ORACLE_REUSE_OVERLAP || ++*steps > STEPS) {
                return;
            }
            if (writes(d, x) && is_first(d, x) != is_first(d, r)) {
                look(d, r, x, writers, k);
            }
        }
    }
}

/*
 * Whether the read gets what was there at the start, in an execution in which
 * the other read happens; *known: no bound takes part.
 */
static bool reads_start(const decision *d, uint32_t at, uint32_t other,
                        uint32_t *writers, bool *known)
{
    uint32_t r = d->list[at], n = find_writers(d, at, writers);
    if (n == 0 || writers[n - 1] != INITIAL) {
        return false;
    }
    missing nearer = left_out(d, writers, n - 1, r, other);
    *known = *known && exact(d, r) && nearer == MISSING_SURELY;
    return nearer != MISSING_NEVER;
}

/* Two values cannot be at one address before the first task. */
static void judge_start(decision *d, uint32_t *writers)
{
    const oracle_buffer *buffers = d->work->execution->document->buffers;
    uint64_t *steps = &d->work->reuses->steps;
    if (!buffers[d->best.first].init || !buffers[d->best.second].init) {
        return;
    }
    for (uint32_t i = 0; i < d->count; i++) {
        uint32_t a = d->list[i];
        if (writes(d, a) || !is_first(d, a)) {
            continue;
        }
        for (uint32_t k = 0; k < d->count && ++*steps <= STEPS; k++) {
            uint32_t b = d->list[k];
            bool known = true;
            if (writes(d, b) || is_first(d, b) ||
                !reads_start(d, i, b, writers, &known) ||
                !reads_start(d, k, a, writers, &known)) {
                continue;
            }
            oracle_reuse_kind kind =
                known ? ORACLE_REUSE_START : ORACLE_REUSE_DOUBTFUL;
            d->best.kind = kind > d->best.kind ? kind : d->best.kind;
        }
    }
}

/*
 * Not in order: some access of each before, or not before, one of the other.
 * The caller's are no reuse.
 */
static bool interleaves(const decision *d)
{
    bool forward = true, back = true;
    uint64_t *steps = &d->work->reuses->steps;
    for (uint32_t i = 0; i < d->count && (forward || back); i++) {
        for (uint32_t k = 0; k < d->count && *steps <= STEPS; k++) {
            uint32_t x = d->list[i], y = d->list[k];
            if (is_first(d, x) && !is_first(d, y)) {
                forward = forward && before(d, d->pair->certain, x, y);
                back = back && before(d, d->pair->certain, y, x);
                ++*steps;
            }
        }
    }
    return !forward && !back;
}

static void judge_atom(decision *d)
{
    bool first = false, second = false;
    for (uint32_t i = 0; i < d->count; i++) {
        first = first || is_first(d, d->list[i]);
        second = second || !is_first(d, d->list[i]);
    }
    if (!first || !second) {
        return;
    }
    d->met = true;
    uint32_t *writers =
        oracle_arena_array(d->arena, d->count + (size_t)1, sizeof *writers);
    if (writers == NULL) {
        d->failed = true;
        return;
    }
    for (uint32_t i = 0; i < d->count && !d->failed; i++) {
        if (!writes(d, d->list[i])) {
            judge_read(d, i, writers);
        }
    }
    judge_start(d, writers);
    if (d->best.kind == ORACLE_REUSE_FINE && interleaves(d)) {
        d->best.kind = ORACLE_REUSE_INTERLEAVED;
    }
}

/* --- The bytes of both as addresses --- */

static bool shift(const oracle_touch *from, oracle_touch *to, int64_t base,
                  oracle_arena *arena)
{
    to->count = from->count;
    to->intervals =
        oracle_arena_array(arena, from->count, sizeof *to->intervals);
    for (uint32_t i = 0; to->intervals != NULL && i < from->count; i++) {
        /* Within the storage, whose end has an address. */
        to->intervals[i] = (oracle_interval){from->intervals[i].begin + base,
                                             from->intervals[i].end + base};
    }
    return to->intervals != NULL;
}

/* The accesses of both storages, merged into program order. */
static bool merge(decision *d, uint32_t *list, oracle_touch *touches,
                  uint32_t *count)
{
    const oracle_reuse_work *w = d->work;
    const oracle_items *items = &w->execution->items;
    uint32_t a = w->storages[d->pair->a], b = w->storages[d->pair->b];
    uint32_t i = items->storage_first[a], k = items->storage_first[b];
    uint32_t a_end = items->storage_first[a + 1];
    uint32_t b_end = items->storage_first[b + 1], n = 0;
    while (i < a_end || k < b_end) {
        bool from_a = k == b_end || (i < a_end && items->by_storage[i] <
                                                      items->by_storage[k]);
        uint32_t item = items->by_storage[from_a ? i++ : k++];
        list[n] = item;
        if (!shift(&w->touches[item], &touches[n],
                   w->memory->base[from_a ? a : b], d->arena)) {
            return false;
        }
        n++;
    }
    *count = n;
    return true;
}

static bool judge_atoms(decision *d)
{
    const oracle_reuse_work *w = d->work;
    const oracle_items *items = &w->execution->items;
    uint32_t a = w->storages[d->pair->a], b = w->storages[d->pair->b], count;
    size_t room =
        (size_t)(items->storage_first[a + 1] - items->storage_first[a]) +
        (items->storage_first[b + 1] - items->storage_first[b]);
    uint32_t *list = oracle_arena_array(d->arena, room, sizeof *list);
    oracle_touch *touches = oracle_arena_array(d->arena, room, sizeof *touches);
    oracle_atoms atoms;
    if (list == NULL || touches == NULL || !merge(d, list, touches, &count)) {
        return false;
    }
    oracle_atoms_result result =
        oracle_atoms_group(&atoms, touches, list, count, d->arena);
    if (result != ORACLE_ATOMS_DONE) {
        d->best.kind = ORACLE_REUSE_DOUBTFUL;
        return result != ORACLE_ATOMS_NO_MEMORY;
    }
    for (uint32_t i = 0; i < atoms.count && !d->failed; i++) {
        d->list = atoms.touching + atoms.atoms[i].first;
        d->count = atoms.atoms[i].count;
        d->where = atoms.atoms[i].interval;
        judge_atom(d);
    }
    return !d->failed;
}

bool oracle_reuse_decide(oracle_reuse_work *work, const oracle_reuse_pair *pair)
{
    const oracle_buffer *buffers = work->execution->document->buffers;
    uint32_t a = work->storages[pair->a], b = work->storages[pair->b];
    decision d = {.work = work,
                  .pair = pair,
                  .items = work->execution->items.items,
                  .arena = oracle_arena_create()};
    d.best.first = a;
    d.best.second = b;
    d.best.external = buffers[a].external || buffers[b].external;
    d.best.execution = work->execution->number;
    bool ok = d.arena != NULL;
    if (ok && (work->unknown[pair->a] || work->unknown[pair->b])) {
        d.best.kind = ORACLE_REUSE_DOUBTFUL;
    } else if (ok) {
        ok = judge_atoms(&d);
    }
    if (work->reuses->steps > STEPS) {
        work->reuses->exhausted = true;
    }
    if (d.best.external && d.best.kind < ORACLE_REUSE_EXTERNAL) {
        d.best.kind = ORACLE_REUSE_EXTERNAL;
    }
    oracle_arena_free(d.arena);
    return ok && (d.best.kind == ORACLE_REUSE_FINE ||
                  oracle_reuse_keep(work->reuses, &d.best));
}
