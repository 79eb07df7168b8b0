/*
 * Reads of what nobody wrote, of a storage that is judged by sets: what is
 * known of each piece is kept in a tree, so that no read walks over them.
 */
#include "hazard_sets.h"

#include <stdlib.h>

/* Of a piece; of a node all of them below. */
enum { NEVER = 1, PERHAPS = 2, WRITTEN = 4 };

typedef struct tree {
    unsigned char *is;   /* by node: what pieces below are */
    unsigned char *then; /* not yet done below: written, or perhaps */
    uint32_t size;
} tree;

typedef struct spot {
    uint32_t node, begin, size;
} spot;

static unsigned char after(unsigned char is, unsigned char then)
{
    return then == WRITTEN ? WRITTEN
           : then == PERHAPS && (is & NEVER)
               ? (unsigned char)((is & ~NEVER) | PERHAPS)
               : is;
}

static void apply(tree *t, uint32_t node, unsigned char then)
{
    t->is[node] = after(t->is[node], then);
    if (then == WRITTEN || t->then[node] != WRITTEN) {
        t->then[node] = then == 0 ? t->then[node] : then;
    }
}

static void push(tree *t, uint32_t node)
{
    apply(t, node * 2, t->then[node]);
    apply(t, node * 2 + 1, t->then[node]);
    t->then[node] = 0;
}

static bool out_of(const spot *s, oracle_range r)
{
    return r.end <= s->begin || s->begin + s->size <= r.begin;
}

static bool within(const spot *s, oracle_range r)
{
    return r.begin <= s->begin && s->begin + s->size <= r.end;
}

static spot below(const spot *s, uint32_t which)
{
    uint32_t half = s->size / 2;
    return (spot){s->node * 2 + which, s->begin + which * half, half};
}

/* As deep as the tree, at most 32, as what follows. */
static void write_range(tree *t, spot s, oracle_range r, unsigned char then)
{
    if (out_of(&s, r) || after(t->is[s.node], then) == t->is[s.node]) {
        return;
    }
    if (within(&s, r)) {
        apply(t, s.node, then);
        return;
    }
    push(t, s.node);
    write_range(t, below(&s, 0), r, then);
    write_range(t, below(&s, 1), r, then);
    t->is[s.node] = t->is[s.node * 2] | t->is[s.node * 2 + 1];
}

static unsigned char look(tree *t, spot s, oracle_range r)
{
    if (out_of(&s, r)) {
        return 0;
    }
    if (within(&s, r) || (t->is[s.node] & (t->is[s.node] - 1)) == 0) {
        return t->is[s.node];
    }
    push(t, s.node);
    return look(t, below(&s, 0), r) | look(t, below(&s, 1), r);
}

/* The first (or last) piece of the range that is one of these. */
static bool find(tree *t, spot s, oracle_range r, unsigned char which,
                 bool last, uint32_t *piece)
{
    if (out_of(&s, r) || (t->is[s.node] & which) == 0) {
        return false;
    }
    if (s.size == 1) {
        *piece = s.begin;
        return true;
    }
    push(t, s.node);
    return find(t, below(&s, last), r, which, last, piece) ||
           find(t, below(&s, !last), r, which, last, piece);
}

static uint32_t piece_at(const oracle_sets *s, int64_t byte)
{
    uint32_t low = 0, high = s->pieces;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->borders[middle] < byte) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool report(oracle_sets *s, tree *t, const oracle_item *item,
                   const oracle_interval *intervals, uint32_t count)
{
    spot all = {1, 0, t->size};
    unsigned char is = 0;
    uint32_t shown = ORACLE_NONE, first = ORACLE_NONE, end = 0;
    for (uint32_t i = 0; i < count; i++) {
        oracle_range r = {piece_at(s, intervals[i].begin),
                          piece_at(s, intervals[i].end)};
        uint32_t at;
        is |= look(t, all, r);
        if (shown == ORACLE_NONE && find(t, all, r, NEVER, false, &at)) {
            shown = at;
        }
        if (first == ORACLE_NONE &&
            find(t, all, r, NEVER | PERHAPS, false, &at)) {
            first = at;
        }
        if (find(t, all, r, NEVER | PERHAPS, true, &at)) {
            end = at + 1;
        }
    }
    if (first == ORACLE_NONE) {
        return true;
    }
    shown = shown == ORACLE_NONE ? first : shown;
    oracle_hazard hazard = {
        .kind = ORACLE_HAZARD_UNINITIALISED,
        .decided = is == NEVER && item->must,
        .producer = {.task = ORACLE_NONE},
        .consumer = *item,
        .reader = *item,
        .initial = true,
        .shown = {s->borders[shown], s->borders[shown + 1]},
        .hull = {s->borders[first], s->borders[end]},
        .execution = s->execution->number,
    };
    return oracle_hazard_keep(s->hazards, s->execution->document, &hazard);
}

static bool walk(oracle_sets *s, tree *t)
{
    const oracle_execution *e = s->execution;
    for (uint32_t i = 0; i < s->list_count; i++) {
        const oracle_item *item = &e->items.items[s->list[i]];
        const oracle_touch *touch = &s->touches[i];
        unsigned char then =
            oracle_item_fills(e->document, item) ? WRITTEN : PERHAPS;
        if (item->task == ORACLE_NONE) {
            continue;
        }
        for (uint32_t k = 0; oracle_item_writes(item) && k < touch->count;
             k++) {
            oracle_range r = {piece_at(s, touch->intervals[k].begin),
                              piece_at(s, touch->intervals[k].end)};
            write_range(t, (spot){1, 0, t->size}, r, then);
        }
        if (!oracle_item_writes(item) &&
            !report(s, t, item, touch->intervals, touch->count)) {
            return false;
        }
    }
    return true;
}

bool oracle_sets_judge_fresh(oracle_sets *sets)
{
    size_t n = (size_t)sets->size * 2;
    tree t = {malloc(n), calloc(n, 1), sets->size};
    bool ok = t.is != NULL && t.then != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        t.is[i] = NEVER;
    }
    ok = ok && walk(sets, &t);
    free(t.is);
    free(t.then);
    return ok;
}
