#include "tree.h"

#include <stdlib.h>
#include <string.h>

bool reduce_grow(void **items, uint32_t *capacity, uint32_t count, size_t size)
{
    if (count < *capacity)
        return true;
    uint64_t wanted = *capacity == 0 ? 64 : 2 * (uint64_t)*capacity;
    if (wanted >= REDUCE_NONE)
        return false;
    void *grown = reallocarray(*items, (size_t)wanted, size);
    if (grown == NULL)
        return false;
    *items = grown;
    *capacity = (uint32_t)wanted;
    return true;
}

/* --- Nodes --- */

uint32_t reduce_tree_add(reduce_tree *tree, uint32_t parent, reduce_shape shape)
{
    void *nodes = tree->nodes;
    if (!reduce_grow(&nodes, &tree->capacity, tree->count,
                     sizeof *tree->nodes)) {
        tree->failed = true;
        return REDUCE_NONE;
    }
    tree->nodes = nodes;
    uint32_t id = tree->count++;
    tree->nodes[id] = (reduce_node){
        .parent = parent,
        .next = REDUCE_NONE,
        .first = REDUCE_NONE,
        .last = REDUCE_NONE,
        .instead = REDUCE_NONE,
        .shape = (uint8_t)shape,
    };
    if (parent == REDUCE_NONE)
        return id;
    reduce_node *p = &tree->nodes[parent];
    if (p->last == REDUCE_NONE)
        p->first = id;
    else
        tree->nodes[p->last].next = id;
    p->last = id;
    return id;
}

void reduce_tree_free(reduce_tree *tree)
{
    free(tree->nodes);
    free(tree->digests);
    free(tree->stack);
    *tree = (reduce_tree){0};
}

bool reduce_piece_is(fuzz_piece piece, const char *string)
{
    return piece.length == strlen(string) &&
           memcmp(piece.data, string, piece.length) == 0;
}

fuzz_piece reduce_key(const reduce_tree *tree, uint32_t node)
{
    fuzz_piece head = tree->nodes[node].head;
    if (head.length < 2 || head.data[0] != '"')
        return (fuzz_piece){"", 0};
    return (fuzz_piece){head.data + 1, head.length - 2};
}

bool reduce_key_is(const reduce_tree *tree, uint32_t node, const char *key)
{
    return reduce_piece_is(reduce_key(tree, node), key);
}

uint32_t reduce_member(const reduce_tree *tree, uint32_t object,
                       const char *key)
{
    if (tree->nodes[object].shape != REDUCE_OBJECT)
        return REDUCE_NONE;
    uint32_t at = tree->nodes[object].first;
    while (at != REDUCE_NONE && !reduce_key_is(tree, at, key))
        at = tree->nodes[at].next;
    return at;
}

fuzz_piece reduce_value(const reduce_tree *tree, uint32_t leaf)
{
    fuzz_piece text = tree->nodes[leaf].text;
    if (text.length < 2 || (text.data[0] != '"' && text.data[0] != '\'') ||
        text.data[text.length - 1] != text.data[0])
        return text;
    return (fuzz_piece){text.data + 1, text.length - 2};
}

bool reduce_is_number(fuzz_piece piece)
{
    size_t at = piece.length > 0 && piece.data[0] == '-';
    if (at == piece.length)
        return false;
    for (; at < piece.length; at++)
        if (piece.data[at] < '0' || piece.data[at] > '9')
            return false;
    return true;
}

bool reduce_is_alive(const reduce_tree *tree, uint32_t node)
{
    for (uint32_t at = node; at != REDUCE_NONE; at = tree->nodes[at].parent) {
        const reduce_node *n = &tree->nodes[at];
        if (n->gone || (at != node && n->shape == REDUCE_LEAF))
            return false;
    }
    return true;
}

uint32_t *reduce_levels(const reduce_tree *tree)
{
    uint32_t *order = malloc((tree->count + (size_t)1) * sizeof *order);
    uint32_t end = 0;
    if (order == NULL)
        return NULL;
    if (tree->count > 0)
        order[end++] = 0;
    for (uint32_t i = 0; i < end; i++)
        for (uint32_t c = tree->nodes[order[i]].first; c != REDUCE_NONE;
             c = tree->nodes[c].next)
            order[end++] = c;
    return order;
}

/* --- Edits --- */

void reduce_apply(reduce_tree *tree, const reduce_edit *edit, reduce_undo *undo)
{
    reduce_node *node = &tree->nodes[edit->node];
    undo->node = edit->node;
    undo->before = *node;
    switch ((reduce_operation)edit->operation) {
    case REDUCE_DELETE:
        node->gone = true;
        break;
    case REDUCE_SET:
        node->shape = REDUCE_LEAF;
        node->text = edit->text;
        node->instead = REDUCE_NONE;
        break;
    case REDUCE_NAME:
        node->head = edit->text;
        break;
    case REDUCE_LIFT:
        node->lifted = node->shape == REDUCE_STATEMENT;
        node->instead = node->lifted ? REDUCE_NONE : edit->other;
        break;
    case REDUCE_APPEND:
        node->next = edit->other;
        break;
    }
}

/* --- Writing --- */

static void put_piece(fuzz_text *out, fuzz_piece piece)
{
    if (piece.length > 0)
        fuzz_put_bytes(out, piece.data, piece.length);
}

static bool push(reduce_tree *tree, uint32_t *depth, uint32_t id, uint32_t node,
                 uint32_t indent)
{
    void *stack = tree->stack;
    if (!reduce_grow(&stack, &tree->stack_capacity, *depth,
                     sizeof *tree->stack)) {
        tree->failed = true;
        return false;
    }
    tree->stack = stack;
    tree->stack[(*depth)++] = (reduce_frame){
        .id = id,
        .node = node,
        .child = tree->nodes[node].first,
        .depth = indent,
    };
    return true;
}

static const char *opening(const reduce_node *node)
{
    return node->shape == REDUCE_OBJECT ? "{"
           : node->shape == REDUCE_LIST ? "["
                                        : "";
}

static const char *closing(const reduce_node *node)
{
    if (node->shape == REDUCE_GROUP)
        return node->text.data[0] == '('   ? ")"
               : node->text.data[0] == '[' ? "]"
                                           : "}";
    return node->shape == REDUCE_OBJECT ? "}"
           : node->shape == REDUCE_LIST ? "]"
                                        : "";
}

static void put_indent(fuzz_text *out, uint32_t depth)
{
    for (uint32_t i = 0; i < depth; i++)
        fuzz_put(out, "    ");
}

/* What stands in front of a child that is written. */
static void put_before(fuzz_text *out, const reduce_tree *tree,
                       const reduce_frame *f, uint32_t child)
{
    const reduce_node *node = &tree->nodes[f->node];
    bool listed = node->shape == REDUCE_OBJECT || node->shape == REDUCE_LIST ||
                  node->shape == REDUCE_GROUP;
    if (f->begun && listed)
        fuzz_put(out, ",");
    if (node->shape == REDUCE_STATEMENT && child == node->first)
        put_indent(out, f->depth);
    /* The first word of a line or an item has nothing to keep apart from. */
    if (node->shape != REDUCE_WORDS || f->begun)
        put_piece(out, tree->nodes[child].head);
    if (node->shape == REDUCE_OBJECT)
        fuzz_put(out, ":");
}

static void put_after(fuzz_text *out, const reduce_tree *tree,
                      const reduce_frame *f, uint32_t child)
{
    const reduce_node *node = &tree->nodes[f->node];
    if (node->shape == REDUCE_STATEMENT && child == node->first)
        fuzz_put(out, tree->newline);
}

static bool is_written(const reduce_tree *tree, uint32_t parent, uint32_t child)
{
    const reduce_node *p = &tree->nodes[parent];
    return !tree->nodes[child].gone && !(p->lifted && child == p->first);
}

/* How deep the statements in this one stand. */
static uint32_t inner_depth(const reduce_tree *tree, const reduce_frame *f,
                            uint32_t child)
{
    const reduce_node *node = &tree->nodes[f->node];
    bool inside = node->shape == REDUCE_STATEMENT && child != node->first;
    return inside && !node->lifted ? f->depth + 1 : f->depth;
}

static uint32_t resolve(const reduce_tree *tree, uint32_t node)
{
    while (tree->nodes[node].instead != REDUCE_NONE)
        node = tree->nodes[node].instead;
    return node;
}

/* Opens a node; a leaf is written whole. */
static bool enter(fuzz_text *out, reduce_tree *tree, uint32_t *depth,
                  uint32_t id, uint32_t indent)
{
    uint32_t node = resolve(tree, id);
    const reduce_node *n = &tree->nodes[node];
    if (n->shape == REDUCE_LEAF || n->shape == REDUCE_GROUP)
        put_piece(out, n->text);
    else
        fuzz_put(out, opening(n));
    return n->shape != REDUCE_LEAF && push(tree, depth, id, node, indent);
}

static void mark_begin(reduce_tree *tree, uint32_t node, size_t at)
{
    for (uint32_t i = 0; i < tree->digest_count; i++) {
        if (tree->digests[i].of == node)
            tree->digests[i].begin = at;
        if (tree->digests[i].leaf == node && reduce_is_leaf(tree, node))
            tree->digests[i].at = at + 1;
    }
}

static void mark_end(reduce_tree *tree, uint32_t node, size_t at)
{
    for (uint32_t i = 0; i < tree->digest_count; i++)
        if (tree->digests[i].of == node)
            tree->digests[i].end = at;
}

static void forget_marks(reduce_tree *tree)
{
    for (uint32_t i = 0; i < tree->digest_count; i++)
        tree->digests[i].at = tree->digests[i].begin = tree->digests[i].end =
            SIZE_MAX;
}

/* One child further; true when the frame is through. */
static bool step(fuzz_text *out, reduce_tree *tree, uint32_t *depth)
{
    reduce_frame *f = &tree->stack[*depth - 1];
    uint32_t child = f->child;
    while (child != REDUCE_NONE && !is_written(tree, f->node, child))
        child = tree->nodes[child].next;
    if (child == REDUCE_NONE)
        return true;
    put_before(out, tree, f, child);
    f->begun = true;
    f->child = tree->nodes[child].next;
    mark_begin(tree, child, out->length);
    if (!enter(out, tree, depth, child, inner_depth(tree, f, child)) &&
        !tree->failed) {
        mark_end(tree, child, out->length);
        put_after(out, tree, &tree->stack[*depth - 1], child);
    }
    return false;
}

/* A frame is through: what stands behind its node. */
static void leave(fuzz_text *out, reduce_tree *tree, uint32_t *depth)
{
    reduce_frame f = tree->stack[--*depth];
    fuzz_put(out, closing(&tree->nodes[f.node]));
    mark_end(tree, f.id, out->length);
    if (*depth > 0)
        put_after(out, tree, &tree->stack[*depth - 1], f.id);
}

void reduce_write(fuzz_text *out, reduce_tree *tree)
{
    uint32_t depth = 0;
    fuzz_text_clear(out);
    forget_marks(tree);
    if (tree->count == 0 || tree->nodes[0].gone)
        return;
    (void)enter(out, tree, &depth, 0, 0);
    while (depth > 0 && !tree->failed)
        if (step(out, tree, &depth))
            leave(out, tree, &depth);
}
