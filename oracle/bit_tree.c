#include "bit_tree.h"

#include <stdlib.h>
#include <string.h>

static const oracle_bits none, all = {{
                                   UINT64_MAX,
                                   UINT64_MAX,
                                   UINT64_MAX,
                                   UINT64_MAX,
                                   UINT64_MAX,
                                   UINT64_MAX,
                                   UINT64_MAX,
                                   UINT64_MAX,
                               }};

_Static_assert(ORACLE_BLOCK_WORDS == 8, "as many words as `all` has");

/* A node, and what of the row it stands for. */
typedef struct spot {
    uint32_t node, number; /* in nodes; in the whole tree */
    uint32_t begin, size;
} spot;

static bool make_room(oracle_bit_tree *t)
{
    if (t->count + 2 <= t->room) {
        return true;
    }
    uint32_t room = t->room == 0 ? 64 : t->room * 2;
    oracle_bit_node *grown =
        room < t->room ? NULL
                       : realloc(t->nodes, (size_t)room * sizeof *t->nodes);
    if (grown == NULL) {
        t->failed = true;
        return false;
    }
    t->nodes = grown;
    t->room = room;
    return true;
}

void oracle_bit_tree_clear(oracle_bit_tree *tree)
{
    tree->count = 0;
    if (make_room(tree)) {
        tree->nodes[0] = (oracle_bit_node){.children = 0};
        tree->count = 1;
    }
}

void oracle_bit_tree_free(oracle_bit_tree *tree)
{
    free(tree->nodes);
    tree->nodes = NULL;
    tree->count = tree->room = 0;
}

static void apply(oracle_bits *to, const oracle_bits *keep,
                  const oracle_bits *add)
{
    for (uint32_t i = 0; i < ORACLE_BLOCK_WORDS; i++) {
        to->w[i] = (to->w[i] & keep->w[i]) | add->w[i];
    }
}

static void apply_node(oracle_bit_node *n, const oracle_bits *keep,
                       const oracle_bits *add)
{
    apply(&n->any, keep, add);
    if (n->children == 0) {
        return;
    }
    if (oracle_bits_none(keep) || oracle_bits_none(&n->any)) {
        n->children = 0;
        return;
    }
    for (uint32_t i = 0; i < ORACLE_BLOCK_WORDS; i++) {
        n->keep.w[i] &= keep->w[i];
    }
    apply(&n->add, keep, add);
}

/* Makes the two below, as they are. */
static bool open_node(oracle_bit_tree *t, uint32_t node)
{
    oracle_bit_node *n = &t->nodes[node];
    if (n->children == 0) {
        if (!make_room(t)) {
            return false;
        }
        n = &t->nodes[node];
        n->children = t->count;
        t->count += 2;
        t->nodes[n->children] = (oracle_bit_node){.any = n->any};
        t->nodes[n->children + 1] = (oracle_bit_node){.any = n->any};
    } else {
        apply_node(&t->nodes[n->children], &n->keep, &n->add);
        apply_node(&t->nodes[n->children + 1], &n->keep, &n->add);
    }
    n->keep = all;
    n->add = none;
    return true;
}

static spot below(const oracle_bit_tree *t, const spot *s, uint32_t which)
{
    uint32_t half = s->size / 2;
    return (spot){t->nodes[s->node].children + which, s->number * 2 + which,
                  s->begin + which * half, half};
}

static bool apart(const spot *s, oracle_range r)
{
    return r.end <= s->begin || s->begin + s->size <= r.begin;
}

static bool inside(const spot *s, oracle_range r)
{
    return r.begin <= s->begin && s->begin + s->size <= r.end;
}

/* Nothing changes below. */
static bool idle(const oracle_bit_node *n, const oracle_bit_update *u)
{
    uint64_t changes = 0;
    for (uint32_t i = 0; i < ORACLE_BLOCK_WORDS; i++) {
        changes |= (n->any.w[i] & ~u->keep.w[i]) | u->add.w[i];
    }
    return changes == 0;
}

/* As deep as the tree, at most 32. */
static void update(oracle_bit_tree *t, spot s, oracle_range r,
                   const oracle_bit_update *u)
{
    if (apart(&s, r) || t->asked[s.number] <= u->time ||
        idle(&t->nodes[s.node], u)) {
        return;
    }
    t->steps++;
    if (inside(&s, r)) {
        apply_node(&t->nodes[s.node], &u->keep, &u->add);
        return;
    }
    if (!open_node(t, s.node)) {
        return;
    }
    update(t, below(t, &s, 0), r, u);
    update(t, below(t, &s, 1), r, u);
    oracle_bit_node *n = &t->nodes[s.node];
    n->any = t->nodes[n->children].any;
    oracle_bits_add(&n->any, &t->nodes[n->children + 1].any);
}

void oracle_bit_tree_update(oracle_bit_tree *tree, oracle_range range,
                            const oracle_bit_update *with)
{
    if (!tree->failed) {
        update(tree, (spot){0, 1, 0, tree->size}, range, with);
    }
}

static bool adds(const oracle_bits *any, const oracle_bits *out)
{
    uint64_t more = 0;
    for (uint32_t i = 0; i < ORACLE_BLOCK_WORDS; i++) {
        more |= any->w[i] & ~out->w[i];
    }
    return more != 0;
}

static void ask(oracle_bit_tree *t, spot s, oracle_range r, oracle_bits *out)
{
    const oracle_bit_node *n = &t->nodes[s.node];
    if (apart(&s, r) || !adds(&n->any, out)) {
        return;
    }
    t->steps++;
    if (n->children == 0 || inside(&s, r)) {
        oracle_bits_add(out, &n->any);
    } else if (open_node(t, s.node)) {
        ask(t, below(t, &s, 0), r, out);
        ask(t, below(t, &s, 1), r, out);
    }
}

void oracle_bit_tree_ask(oracle_bit_tree *tree, oracle_range range,
                         oracle_bits *out)
{
    if (!tree->failed) {
        ask(tree, (spot){0, 1, 0, tree->size}, range, out);
    }
}

static void widen(const oracle_bits *bits, const oracle_bits *wanted,
                  oracle_range r, oracle_range *spans)
{
    for (uint32_t i = 0; i < ORACLE_BLOCK_WORDS; i++) {
        uint64_t left = bits->w[i] & wanted->w[i];
        for (; left != 0; left &= left - 1) {
            oracle_range *span =
                &spans[i * 64 + (uint32_t)__builtin_ctzll(left)];
            bool first = span->begin == span->end;
            span->begin =
                first || r.begin < span->begin ? r.begin : span->begin;
            span->end = first || r.end > span->end ? r.end : span->end;
        }
    }
}

static void find_spans(oracle_bit_tree *t, spot s, oracle_range r,
                       const oracle_bits *wanted, oracle_range *spans)
{
    const oracle_bit_node *n = &t->nodes[s.node];
    oracle_bits common = n->any;
    for (uint32_t i = 0; i < ORACLE_BLOCK_WORDS; i++) {
        common.w[i] &= wanted->w[i];
    }
    if (apart(&s, r) || oracle_bits_none(&common)) {
        return;
    }
    t->steps++;
    if (n->children == 0) {
        oracle_range part = {s.begin < r.begin ? r.begin : s.begin,
                             s.begin + s.size > r.end ? r.end
                                                      : s.begin + s.size};
        widen(&common, wanted, part, spans);
    } else if (open_node(t, s.node)) {
        find_spans(t, below(t, &s, 0), r, wanted, spans);
        find_spans(t, below(t, &s, 1), r, wanted, spans);
    }
}

void oracle_bit_tree_spans(oracle_bit_tree *tree, oracle_range range,
                           const oracle_bits *wanted, oracle_range *spans)
{
    if (!tree->failed) {
        find_spans(tree, (spot){0, 1, 0, tree->size}, range, wanted, spans);
    }
}
