#include "bit_tree.h"

#include <stdlib.h>
#include <string.h>

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
    tree->spare = 0;
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

/* Gives back all nodes below; as deep as the tree, at most 32. */
static void close_node(oracle_bit_tree *t, uint32_t node)
{
    uint32_t children = t->nodes[node].children;
    if (children == 0) {
        return;
    }
    close_node(t, children);
    close_node(t, children + 1);
    t->nodes[children].children = t->spare;
    t->spare = children;
    t->nodes[node].children = 0;
    t->nodes[node].waits = false;
}

static void apply_node(oracle_bit_tree *t, uint32_t node,
                       const oracle_bits *keep, const oracle_bits *add)
{
    oracle_bit_node *n = &t->nodes[node];
    apply(&n->any, keep, add);
    if (n->children == 0) {
        return;
    }
    if (oracle_bits_none(keep) || oracle_bits_none(&n->any)) {
        close_node(t, node);
        return;
    }
    if (!n->waits) {
        n->keep = *keep;
        n->add = *add;
        n->waits = true;
        return;
    }
    for (uint32_t i = 0; i < ORACLE_BLOCK_WORDS; i++) {
        n->keep.w[i] &= keep->w[i];
    }
    apply(&n->add, keep, add);
}

/* Two nodes in a row; 0: no memory. */
static uint32_t new_nodes(oracle_bit_tree *t)
{
    uint32_t nodes = t->spare;
    if (nodes != 0) {
        t->spare = t->nodes[nodes].children;
        return nodes;
    }
    if (!make_room(t)) {
        return 0;
    }
    nodes = t->count;
    t->count += 2;
    return nodes;
}

/* Makes the two below, as they are. */
static bool open_node(oracle_bit_tree *t, uint32_t node)
{
    uint32_t children = t->nodes[node].children;
    if (children == 0) {
        children = new_nodes(t);
        if (children == 0) {
            return false;
        }
        for (uint32_t i = 0; i < 2; i++) {
            t->nodes[children + i].any = t->nodes[node].any;
            t->nodes[children + i].children = 0;
            t->nodes[children + i].waits = false;
        }
        t->nodes[node].children = children;
        t->nodes[node].waits = false;
    } else if (t->nodes[node].waits) {
        oracle_bits keep = t->nodes[node].keep, add = t->nodes[node].add;
        apply_node(t, children, &keep, &add);
        apply_node(t, children + 1, &keep, &add);
        t->nodes[node].waits = false;
    }
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

/*
 * What a node is after those below it were updated. Where only one of them is
 * asked later, or both are the same, it needs none.
 */
static void settle(oracle_bit_tree *t, const spot *s, uint32_t time)
{
    oracle_bit_node *n = &t->nodes[s->node];
    const oracle_bit_node *low = &t->nodes[n->children], *high = low + 1;
    bool past_low = t->asked[s->number * 2] <= time;
    bool past_high = t->asked[s->number * 2 + 1] <= time;
    if (low->children == 0 && high->children == 0 &&
        (past_low || past_high ||
         memcmp(&low->any, &high->any, sizeof low->any) == 0)) {
        n->any = past_low ? high->any : low->any;
        close_node(t, s->node);
        return;
    }
    n->any = past_low ? high->any : low->any;
    if (!past_low && !past_high) {
        oracle_bits_add(&n->any, &high->any);
    }
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
        apply_node(t, s.node, &u->keep, &u->add);
        return;
    }
    if (!open_node(t, s.node)) {
        return;
    }
    update(t, below(t, &s, 0), r, u);
    update(t, below(t, &s, 1), r, u);
    settle(t, &s, u->time);
}

/* Whether some piece of the range is asked later. */
static bool is_asked(const oracle_bit_tree *t, oracle_range r, uint32_t time)
{
    uint32_t begin = r.begin + t->size, end = r.end + t->size, most = 0;
    for (; begin < end && most <= time; begin /= 2, end /= 2) {
        if (begin & 1) {
            most = most > t->asked[begin] ? most : t->asked[begin];
            begin++;
        }
        if (end & 1) {
            end--;
            most = most > t->asked[end] ? most : t->asked[end];
        }
    }
    return most > time;
}

void oracle_bit_tree_update(oracle_bit_tree *tree, oracle_range range,
                            const oracle_bit_update *with)
{
    if (!tree->failed && is_asked(tree, range, with->time)) {
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
