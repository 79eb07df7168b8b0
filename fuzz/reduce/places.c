/*
 * Places: what stands at the same place of similar parts goes together, as the
 * names of all results, or the first arguments of all calls.
 */
#include "pass.h"

#include <stdlib.h>

#define FEW_ITEMS 8 /* of a list whose items have places of their own */

typedef struct place {
    uint64_t class;
    uint32_t count;       /* of the class */
    uint32_t first, node; /* of it, and itself */
} place;

static uint64_t mix(uint64_t hash, const char *data, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)data[i]) * UINT64_C(0x100000001b3);
    return (hash ^ 0xff) * UINT64_C(0x100000001b3);
}

static bool is_short(const reduce_tree *tree, uint32_t list)
{
    uint32_t items = 0;
    for (uint32_t i = tree->nodes[list].first; i != REDUCE_NONE;
         i = tree->nodes[i].next)
        if (++items > FEW_ITEMS)
            return false;
    return true;
}

/* The items of a short list have its index in their class, others have not. */
static void index_items(uint64_t *classes, const reduce_tree *tree,
                        uint32_t list)
{
    char index = 0;
    if (!is_short(tree, list))
        return;
    for (uint32_t i = tree->nodes[list].first; i != REDUCE_NONE;
         i = tree->nodes[i].next) {
        index++;
        classes[i] = mix(0, &index, 1);
    }
}

/*
 * The way from the root: names of members, and what "kind" says of an object.
 * A parent comes before its parts.
 */
static void find_classes(uint64_t *classes, const reduce_tree *tree)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        const reduce_node *node = &tree->nodes[i];
        uint64_t around =
            node->parent == REDUCE_NONE ? 1 : classes[node->parent];
        uint64_t class =
            mix(around ^ classes[i], node->head.data, node->head.length);
        uint32_t kind = node->shape == REDUCE_OBJECT
                            ? reduce_member(tree, i, "kind")
                            : REDUCE_NONE;
        if (kind != REDUCE_NONE)
            class = mix(class, tree->nodes[kind].text.data,
                        tree->nodes[kind].text.length);
        classes[i] = class;
        if (node->shape == REDUCE_LIST)
            index_items(classes, tree, i);
    }
}

static int by_class(const void *left, const void *right)
{
    const place *a = left, *b = right;
    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

static int by_size(const void *left, const void *right)
{
    const place *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

/* Nodes of one class together, the largest first. */
static void order(place *places, uint64_t *classes, const reduce_tree *tree)
{
    find_classes(classes, tree);
    for (uint32_t i = 0; i < tree->count; i++)
        places[i] = (place){.class = classes[i], .node = i};
    qsort(places, tree->count, sizeof *places, by_class);
    for (uint32_t begin = 0, end; begin < tree->count; begin = end) {
        for (end = begin;
             end < tree->count && places[end].class == places[begin].class;)
            places[end++].first = places[begin].node;
        for (uint32_t i = begin; i < end; i++)
            places[i].count = end - begin;
    }
    qsort(places, tree->count, sizeof *places, by_size);
}

static void make_at_places(reduce_plan *plan, const reduce_tree *tree,
                           void (*make)(reduce_plan *, const reduce_tree *,
                                        const place *))
{
    uint64_t *classes = calloc(tree->count + (size_t)1, sizeof *classes);
    place *places = malloc((tree->count + (size_t)1) * sizeof *places);
    if (classes == NULL || places == NULL) {
        plan->failed = true;
    } else if (tree->count > 0) {
        order(places, classes, tree);
        for (uint32_t i = 0; i < tree->count && !plan->failed; i++)
            make(plan, tree, &places[i]);
    }
    free(places);
    free(classes);
}

static void remove_place(reduce_plan *plan, const reduce_tree *tree,
                         const place *p)
{
    (void)tree;
    reduce_plan_step(plan, p->first);
    reduce_plan_delete(plan, p->node);
}

void reduce_make_places(reduce_plan *plan, const reduce_tree *tree)
{
    make_at_places(plan, tree, remove_place);
}

/* A part of the shape of what is around it, or the only one in it. */
static void lift_place(reduce_plan *plan, const reduce_tree *tree,
                       const place *p)
{
    uint32_t parent = tree->nodes[p->node].parent;
    if (parent == REDUCE_NONE)
        return;
    const reduce_node *around = &tree->nodes[parent];
    if (tree->nodes[p->node].shape != around->shape &&
        around->first != around->last)
        return;
    reduce_plan_step(plan, p->first);
    reduce_plan_lift(plan, parent, p->node);
}

void reduce_make_place_lifts(reduce_plan *plan, const reduce_tree *tree)
{
    make_at_places(plan, tree, lift_place);
}

/* Null, where more stands. */
static void empty_place(reduce_plan *plan, const reduce_tree *tree,
                        const place *p)
{
    if (tree->nodes[p->node].first == REDUCE_NONE)
        return;
    reduce_plan_step(plan, p->first);
    reduce_plan_set(plan, p->node, reduce_plan_string(plan, "null"));
}

void reduce_make_place_nulls(reduce_plan *plan, const reduce_tree *tree)
{
    make_at_places(plan, tree, empty_place);
}
