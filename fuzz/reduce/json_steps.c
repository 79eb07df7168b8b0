/* Steps on documents: what belongs together goes together. */
#include "links.h"
#include "pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LIFTS 6

void reduce_targets_add(reduce_targets *targets, uint32_t node)
{
    void *items = targets->items;
    if (!reduce_grow(&items, &targets->capacity, targets->count,
                     sizeof *targets->items)) {
        targets->failed = true;
        return;
    }
    targets->items = items;
    targets->items[targets->count++] = node;
}

void reduce_make_children(reduce_plan *plan, const reduce_tree *tree,
                          bool (*fits)(const reduce_tree *, uint32_t))
{
    uint32_t *levels = reduce_levels(tree);
    if (levels == NULL) {
        plan->failed = true;
        return;
    }
    for (uint32_t i = 0; i < tree->count && !plan->failed; i++) {
        if (!fits(tree, levels[i]))
            continue;
        for (uint32_t c = tree->nodes[levels[i]].first; c != REDUCE_NONE;
             c = tree->nodes[c].next) {
            reduce_plan_step(plan, levels[i]);
            reduce_plan_delete(plan, c);
        }
    }
    free(levels);
}

static bool is_root(const reduce_tree *tree, uint32_t node)
{
    return tree->nodes[node].parent == REDUCE_NONE;
}

void reduce_make_parts(reduce_plan *plan, const reduce_tree *tree)
{
    reduce_make_children(plan, tree, is_root);
}

static bool is_block(const reduce_tree *tree, uint32_t node)
{
    return tree->nodes[node].shape == REDUCE_BLOCK;
}

void reduce_make_pieces(reduce_plan *plan, const reduce_tree *tree)
{
    reduce_make_children(plan, tree, is_block);
    /* A word without the blanks before it, which keep apart what is around. */
    for (uint32_t i = 0; i < tree->count && !plan->failed; i++) {
        if (!reduce_is_leaf(tree, i) || tree->nodes[i].head.length == 0)
            continue;
        reduce_plan_step(plan, REDUCE_NONE);
        reduce_plan_set(plan, i, (fuzz_piece){"", 0});
    }
}

static bool is_inner(const reduce_tree *tree, uint32_t node)
{
    return tree->nodes[node].shape == REDUCE_OBJECT ||
           tree->nodes[node].shape == REDUCE_LIST;
}

/* All of the text, then the parts of each part. */
void reduce_make_items(reduce_plan *plan, const reduce_tree *tree)
{
    reduce_plan_step(plan, REDUCE_NONE);
    reduce_plan_delete(plan, 0);
    reduce_make_children(plan, tree, is_inner);
}

/*
 * The last bracket: what is found before the end is found without it, and then
 * each bracket is a part.
 */
void reduce_make_cut(reduce_plan *plan, const reduce_tree *tree)
{
    if (tree->count == 0 || !is_inner(tree, 0))
        return;
    reduce_plan_step(plan, 0);
    reduce_plan_set(plan, 0, (fuzz_piece){tree->text, tree->length - 1});
}

/* The members of one name, in all objects at once. */
void reduce_make_columns(reduce_plan *plan, const reduce_tree *tree)
{
    reduce_targets names = {0};
    reduce_find_keys(&names, tree);
    plan->failed = plan->failed || names.failed;
    for (uint32_t n = 0; n < names.count && !plan->failed; n++) {
        fuzz_piece name = tree->nodes[names.items[n]].head;
        reduce_plan_step(plan, 0);
        for (uint32_t i = names.items[n]; i < tree->count; i++)
            if (reduce_same(tree->nodes[i].head, name))
                reduce_plan_delete(plan, i);
    }
    free(names.items);
}

/* The digests of members: without them each question is cheaper. */
void reduce_make_seals(reduce_plan *plan, const reduce_tree *tree)
{
    reduce_plan_step(plan, 0);
    for (uint32_t i = 0; i < tree->digest_count; i++)
        if (!tree->digests[i].is_score)
            reduce_plan_delete(plan, tree->digests[i].leaf);
}

/* --- Things with a name --- */

static bool is_defined(const reduce_links *links, uint32_t thing)
{
    for (uint32_t i = links->things[thing]; i < links->things[thing + 1]; i++)
        if (links->items[i].role == REDUCE_DEFINES)
            return true;
    return false;
}

/* An argument that names a buffer, and the task whose it is. */
typedef struct use {
    uint32_t task, index;
} use;

static int by_task(const void *left, const void *right)
{
    const use *a = left, *b = right;
    if (a->task != b->task)
        return a->task < b->task ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static uint32_t index_of(const reduce_tree *tree, uint32_t item)
{
    uint32_t index = 0;
    uint32_t at = tree->nodes[tree->nodes[item].parent].first;
    for (; at != item; at = tree->nodes[at].next)
        index++;
    return index;
}

/*
 * The place of an argument: its item is the link's row (an object in "args")
 * or the leaf, the list is that around it, the task around that.
 */
static use find_use(const reduce_links *links, const reduce_tree *tree,
                    const reduce_link *link)
{
    uint32_t item = link->row;
    uint32_t task = tree->nodes[tree->nodes[item].parent].parent;
    return (use){task == REDUCE_NONE ? REDUCE_NONE : links->task_of[task],
                 index_of(tree, item)};
}

/* The arguments of one task after the other, in all documents in step. */
static void delete_uses(reduce_plan *plan, const reduce_links *links,
                        const reduce_tree *tree, use *uses, uint32_t count)
{
    uint32_t *indexes = malloc((count + (size_t)1) * sizeof *indexes);
    if (indexes == NULL) {
        plan->failed = true;
        return;
    }
    if (count > 0)
        qsort(uses, count, sizeof *uses, by_task);
    for (uint32_t i = 0; i < count;) {
        uint32_t task = uses[i].task, n = 0;
        for (; i < count && uses[i].task == task; i++)
            if (n == 0 || indexes[n - 1] != uses[i].index)
                indexes[n++] = uses[i].index;
        if (task != REDUCE_NONE)
            reduce_links_arguments(plan, links, tree, task, indexes, n);
    }
    free(indexes);
}

void reduce_delete_thing(reduce_plan *plan, const reduce_links *links,
                         const reduce_tree *tree, uint32_t thing)
{
    uint32_t begin = links->things[thing], end = links->things[thing + 1];
    uint32_t count = 0;
    use *uses = malloc((end - begin + (size_t)1) * sizeof *uses);
    if (uses == NULL) {
        plan->failed = true;
        return;
    }
    for (uint32_t i = begin; i < end; i++) {
        const reduce_link *link = &links->items[i];
        if (link->role == REDUCE_MEMBER)
            reduce_plan_delete(plan, link->leaf);
        else if (link->role != REDUCE_ARGUMENT)
            reduce_plan_delete(plan, link->row);
        else
            uses[count++] = find_use(links, tree, link);
    }
    delete_uses(plan, links, tree, uses, count);
    free(uses);
}

static void make_things(reduce_plan *plan, const reduce_tree *tree,
                        reduce_class from, reduce_class to)
{
    reduce_links links;
    reduce_links_find(&links, tree);
    for (uint32_t t = 0; t < links.thing_count && !plan->failed; t++) {
        reduce_class class = links.items[links.things[t]].class;
        if (class < from || class > to ||
            (class != REDUCE_KEY && !is_defined(&links, t)))
            continue;
        reduce_plan_step(plan, (uint32_t) class);
        reduce_delete_thing(plan, &links, tree, t);
    }
    plan->failed = plan->failed || links.failed;
    reduce_links_free(&links);
}

void reduce_make_tasks(reduce_plan *plan, const reduce_tree *tree)
{
    make_things(plan, tree, REDUCE_TASK, REDUCE_TASK);
}

void reduce_make_keys(reduce_plan *plan, const reduce_tree *tree)
{
    make_things(plan, tree, REDUCE_KEY, REDUCE_KEY);
}

void reduce_make_names(reduce_plan *plan, const reduce_tree *tree)
{
    make_things(plan, tree, REDUCE_TENSOR, REDUCE_SCOPE);
}

/* --- Arguments --- */

static uint32_t longest(const reduce_tree *tree, const uint32_t *lists,
                        uint32_t count)
{
    uint32_t most = 0;
    for (uint32_t l = 0; l < count; l++) {
        uint32_t items = 0;
        for (uint32_t i = tree->nodes[lists[l]].first; i != REDUCE_NONE;
             i = tree->nodes[i].next)
            items++;
        most = items > most ? items : most;
    }
    return most;
}

static uint32_t item_at(const reduce_tree *tree, uint32_t list, uint32_t index)
{
    uint32_t item = tree->nodes[list].first;
    for (; item != REDUCE_NONE && index > 0; index--)
        item = tree->nodes[item].next;
    return item;
}

/*
 * Each argument of a task apart: with two at once the indexes behind them
 * would not fit.
 */
void reduce_make_arguments(reduce_plan *plan, const reduce_tree *tree)
{
    reduce_links links;
    uint32_t lists[4];
    reduce_links_find(&links, tree);
    for (uint32_t o = 0; o < tree->count && !links.failed; o++) {
        uint32_t count = reduce_argument_lists(lists, tree, o);
        uint32_t most = longest(tree, lists, count);
        uint32_t task = most == 0 ? REDUCE_NONE : links.task_of[o];
        for (uint32_t i = 0; i < most && !plan->failed; i++) {
            reduce_plan_step(plan, plan->step_count);
            if (task != REDUCE_NONE) {
                reduce_links_arguments(plan, &links, tree, task, &i, 1);
                continue;
            }
            for (uint32_t l = 0; l < count; l++) {
                uint32_t item = item_at(tree, lists[l], i);
                if (item != REDUCE_NONE)
                    reduce_plan_delete(plan, item);
            }
        }
    }
    plan->failed = plan->failed || links.failed;
    reduce_links_free(&links);
}

/* --- Small ids --- */

static void set_value(reduce_plan *plan, const reduce_tree *tree, uint32_t leaf,
                      const char *value)
{
    char text[24];
    bool quoted = tree->nodes[leaf].text.data[0] == '"';
    (void)snprintf(text, sizeof text, quoted ? "\"%s\"" : "%s", value);
    reduce_plan_set(plan, leaf, reduce_plan_string(plan, text));
}

/* The number that a value is, if it is below `limit`; else `limit`. */
static uint32_t small_number(fuzz_piece value, uint32_t limit)
{
    uint64_t number = 0;
    if (!reduce_is_number(value) || value.data[0] == '-' || value.length > 9)
        return limit;
    for (size_t i = 0; i < value.length; i++)
        number = number * 10 + (uint64_t)(value.data[i] - '0');
    return number < limit ? (uint32_t)number : limit;
}

static bool has_number(const reduce_links *links, uint32_t thing)
{
    const reduce_link *link = &links->items[links->things[thing]];
    return is_defined(links, thing) && reduce_is_number(link->value);
}

/* Those of one class get the smallest numbers that none of them has. */
static void make_ids(reduce_plan *plan, const reduce_links *links,
                     const reduce_tree *tree, reduce_class class)
{
    uint32_t limit = links->thing_count, next = 0;
    bool *used = calloc((size_t)limit + 1, sizeof *used);
    if (used == NULL) {
        plan->failed = true;
        return;
    }
    for (uint32_t t = 0; t < limit; t++) {
        const reduce_link *link = &links->items[links->things[t]];
        if (link->class == class)
            used[small_number(link->value, limit)] = true;
    }
    for (uint32_t t = 0; t < limit && !plan->failed; t++) {
        char number[16];
        if (links->items[links->things[t]].class != class ||
            !has_number(links, t))
            continue;
        while (next < limit && used[next])
            next++;
        (void)snprintf(number, sizeof number, "%u", (unsigned)next++);
        reduce_plan_step(plan, (uint32_t) class);
        for (uint32_t i = links->things[t]; i < links->things[t + 1]; i++)
            set_value(plan, tree, links->items[i].leaf, number);
    }
    free(used);
}

void reduce_make_ids(reduce_plan *plan, const reduce_tree *tree)
{
    reduce_links links;
    reduce_links_find(&links, tree);
    for (int class = 0; class < REDUCE_CLASSES && !links.failed; class ++)
        make_ids(plan, &links, tree, (reduce_class) class);
    plan->failed = plan->failed || links.failed;
    reduce_links_free(&links);
}

uint64_t fuzz_count_tasks(const char *text, size_t length)
{
    reduce_tree tree = {0};
    reduce_links links = {0};
    uint64_t count = 0;
    if (reduce_parse_json(&tree, text, length)) {
        reduce_links_find(&links, &tree);
        for (uint32_t t = 0; t < links.thing_count; t++)
            count += links.items[links.things[t]].class == REDUCE_TASK &&
                     is_defined(&links, t);
    }
    reduce_links_free(&links);
    reduce_tree_free(&tree);
    return count;
}

/* --- Parts by simpler ones --- */

void reduce_find_inner(reduce_targets *targets, const reduce_tree *tree)
{
    for (uint32_t i = 0; i < tree->count; i++)
        if (is_inner(tree, i))
            reduce_targets_add(targets, i);
}

static void lift(reduce_plan *plan, const reduce_tree *tree, uint32_t target,
                 uint32_t part)
{
    bool alone =
        tree->nodes[target].first == part && tree->nodes[target].last == part;
    if ((!alone && tree->nodes[part].shape != tree->nodes[target].shape) ||
        tree->nodes[part].gone)
        return;
    reduce_plan_step(plan, target);
    reduce_plan_lift(plan, target, part);
}

/*
 * Null, or a part of its own shape: those of it, and first parts of those; the
 * only part of any shape.
 */
void reduce_value_simpler(reduce_plan *plan, const reduce_tree *tree,
                          uint32_t target)
{
    uint32_t begin = plan->step_count;
    if (!is_inner(tree, target))
        return;
    reduce_plan_step(plan, target);
    reduce_plan_set(plan, target, reduce_plan_string(plan, "null"));
    for (uint32_t c = tree->nodes[target].first;
         c != REDUCE_NONE && plan->step_count < begin + MOST_LIFTS;
         c = tree->nodes[c].next) {
        lift(plan, tree, target, c);
        if (tree->nodes[c].first != REDUCE_NONE && !tree->nodes[c].gone)
            lift(plan, tree, target, tree->nodes[c].first);
    }
}
