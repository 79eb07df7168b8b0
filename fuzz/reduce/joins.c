/*
 * Neighbours become one: what is in the lists of the second goes into those
 * of the first, and the second goes with all that names it. So many parts
 * that a finding needs are told in few of what holds them.
 */
#include "links.h"
#include "pass.h"

static bool is_full_list(const reduce_tree *tree, uint32_t node)
{
    return node != REDUCE_NONE && tree->nodes[node].shape == REDUCE_LIST &&
           tree->nodes[node].first != REDUCE_NONE;
}

/* The full list of `object` with the name that `list` has, or REDUCE_NONE. */
static uint32_t same_list(const reduce_tree *tree, uint32_t object,
                          uint32_t list)
{
    fuzz_piece head = tree->nodes[list].head;
    uint32_t at = tree->nodes[object].first;
    while (at != REDUCE_NONE &&
           !(reduce_same(tree->nodes[at].head, head) && is_full_list(tree, at)))
        at = tree->nodes[at].next;
    return at;
}

static void append(reduce_plan *plan, const reduce_tree *tree, uint32_t to,
                   uint32_t from)
{
    reduce_plan_append(plan, tree->nodes[to].last, tree->nodes[from].first);
}

/* True: something of the second is in the first now. */
static bool append_lists(reduce_plan *plan, const reduce_tree *tree,
                         uint32_t first, uint32_t second)
{
    bool any = false;
    if (tree->nodes[first].shape == REDUCE_LIST) {
        any = is_full_list(tree, first) && is_full_list(tree, second);
        if (any)
            append(plan, tree, first, second);
        return any;
    }
    for (uint32_t to = tree->nodes[first].first; to != REDUCE_NONE;
         to = tree->nodes[to].next) {
        uint32_t from =
            is_full_list(tree, to) ? same_list(tree, second, to) : REDUCE_NONE;
        if (from != REDUCE_NONE)
            append(plan, tree, to, from);
        any = any || from != REDUCE_NONE;
    }
    return any;
}

static void join(reduce_plan *plan, const reduce_tree *tree,
                 const reduce_links *links, uint32_t list, uint32_t first,
                 uint32_t second)
{
    reduce_shape shape = (reduce_shape)tree->nodes[first].shape;
    if (shape != (reduce_shape)tree->nodes[second].shape ||
        (shape != REDUCE_OBJECT && shape != REDUCE_LIST))
        return;
    reduce_plan_step(plan, list);
    if (!append_lists(plan, tree, first, second))
        return;
    if (links->task_of[second] != REDUCE_NONE)
        reduce_delete_thing(plan, links, tree, links->task_of[second]);
    else
        reduce_plan_delete(plan, second);
}

void reduce_make_joins(reduce_plan *plan, const reduce_tree *tree)
{
    reduce_links links;
    reduce_links_find(&links, tree);
    for (uint32_t i = 0; i < tree->count && !plan->failed && !links.failed;
         i++) {
        if (tree->nodes[i].shape != REDUCE_LIST)
            continue;
        for (uint32_t c = tree->nodes[i].first; c != REDUCE_NONE;
             c = tree->nodes[c].next)
            if (tree->nodes[c].next != REDUCE_NONE)
                join(plan, tree, &links, i, c, tree->nodes[c].next);
    }
    plan->failed = plan->failed || links.failed;
    reduce_links_free(&links);
}
