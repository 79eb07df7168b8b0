/*
 * Tasks of a record are counted from 0 (spec 07): one goes together with its
 * number, and those behind it move up.
 */
#include "links.h"
#include "pass.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_TASKS 1024 /* each is looked for anew */
#define MOST_DIGITS ((size_t)18)

typedef struct counted {
    uint64_t number;
    uint32_t thing, leaf;
} counted;

/* The leaf that defines a task by a number that is written as a string. */
static uint32_t counted_leaf(const reduce_links *links, const reduce_tree *tree,
                             uint32_t thing)
{
    for (uint32_t i = links->things[thing]; i < links->things[thing + 1]; i++) {
        const reduce_link *link = &links->items[i];
        if (link->class == REDUCE_TASK && link->role == REDUCE_DEFINES &&
            tree->nodes[link->leaf].text.data[0] == '"' &&
            reduce_is_number(link->value) && link->value.data[0] != '-' &&
            link->value.length <= MOST_DIGITS &&
            reduce_is_alive(tree, link->leaf))
            return link->leaf;
    }
    return REDUCE_NONE;
}

void reduce_find_counted(reduce_targets *targets, const reduce_tree *tree)
{
    reduce_links links;
    reduce_links_find(&links, tree);
    for (uint32_t t = 0; t < links.thing_count && !links.failed; t++) {
        uint32_t leaf = counted_leaf(&links, tree, t);
        if (leaf != REDUCE_NONE)
            reduce_targets_add(targets, leaf);
    }
    if (targets->count > MOST_TASKS)
        targets->count = 0;
    targets->failed = targets->failed || links.failed;
    reduce_links_free(&links);
}

static int by_number(const void *left, const void *right)
{
    const counted *a = left, *b = right;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->thing < b->thing ? -1 : a->thing > b->thing;
}

static uint32_t count_all(counted *all, const reduce_links *links,
                          const reduce_tree *tree)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < links->thing_count; t++) {
        uint32_t leaf = counted_leaf(links, tree, t);
        if (leaf == REDUCE_NONE)
            continue;
        fuzz_piece digits = reduce_value(tree, leaf);
        uint64_t number = 0;
        for (size_t i = 0; i < digits.length; i++)
            number = 10 * number + (uint64_t)(digits.data[i] - '0');
        all[count++] = (counted){number, t, leaf};
    }
    if (count > 0)
        qsort(all, count, sizeof *all, by_number);
    return count;
}

static void move_up(reduce_plan *plan, const reduce_links *links,
                    const reduce_tree *tree, const counted *task)
{
    char text[32];
    uint32_t thing = task->thing;
    for (uint32_t i = links->things[thing]; i < links->things[thing + 1]; i++) {
        uint32_t leaf = links->items[i].leaf;
        bool quoted = tree->nodes[leaf].text.data[0] == '"';
        (void)snprintf(text, sizeof text, quoted ? "\"%llu\"" : "%llu",
                       (unsigned long long)task->number - 1);
        reduce_plan_set(plan, leaf, reduce_plan_string(plan, text));
    }
}

/* Where none stands behind it, taking it away alone has been tried. */
static void take_away(reduce_plan *plan, const reduce_links *links,
                      const reduce_tree *tree, const counted *all,
                      uint32_t count, uint32_t at)
{
    uint32_t end = at + 1;
    while (end < count && all[end].number == all[end - 1].number + 1)
        end++;
    if (end == at + 1)
        return;
    reduce_plan_step(plan, all[at].leaf);
    for (uint32_t i = at + 1; i < end; i++)
        move_up(plan, links, tree, &all[i]);
    reduce_delete_thing(plan, links, tree, all[at].thing);
}

void reduce_value_counted(reduce_plan *plan, const reduce_tree *tree,
                          uint32_t target)
{
    reduce_links links;
    reduce_links_find(&links, tree);
    counted *all = malloc((links.thing_count + (size_t)1) * sizeof *all);
    plan->failed = plan->failed || links.failed || all == NULL;
    uint32_t count = plan->failed ? 0 : count_all(all, &links, tree);
    for (uint32_t i = 0; i < count; i++)
        if (all[i].leaf == target)
            take_away(plan, &links, tree, all, count, i);
    free(all);
    reduce_links_free(&links);
}
