#include "links.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Where names stand. A place is a member of an object (`index` -1), an item of
 * a row that is a list, or (`index` -2) an item of the list itself; `list` is
 * the name of the list, NULL: any.
 */
#define MEMBER (-1)
#define ITEM (-2)

typedef struct place {
    const char *list, *key;
    int index;
    reduce_class class;
    reduce_role role;
} place;

/* The first that fits counts. */
static const place places[] = {
    {"tasks", "id", MEMBER, REDUCE_TASK, REDUCE_DEFINES},
    {"tasks", "task_id", MEMBER, REDUCE_TASK, REDUCE_DEFINES},
    {NULL, "task_id", MEMBER, REDUCE_TASK, REDUCE_ROW},
    {NULL, "task", MEMBER, REDUCE_TASK, REDUCE_ROW},
    {NULL, "from", MEMBER, REDUCE_TASK, REDUCE_ROW},
    {NULL, "to", MEMBER, REDUCE_TASK, REDUCE_ROW},
    {NULL, "producer", MEMBER, REDUCE_TASK, REDUCE_ROW},
    {NULL, "consumer", MEMBER, REDUCE_TASK, REDUCE_ROW},
    {NULL, "pred", MEMBER, REDUCE_TASK, REDUCE_ROW},
    {NULL, "succ", MEMBER, REDUCE_TASK, REDUCE_ROW},
    {NULL, "after", MEMBER, REDUCE_TASK, REDUCE_ROW},
    {NULL, "birth", MEMBER, REDUCE_TASK, REDUCE_ROW},
    {NULL, "death", MEMBER, REDUCE_TASK, REDUCE_ROW},
    {NULL, "creator", MEMBER, REDUCE_TASK, REDUCE_MEMBER},
    {NULL, "owner", MEMBER, REDUCE_TASK, REDUCE_MEMBER},
    {"tasks", NULL, ITEM, REDUCE_TASK, REDUCE_MEMBER},
    {"side_effect_tasks", NULL, ITEM, REDUCE_TASK, REDUCE_MEMBER},
    {"edges", NULL, 0, REDUCE_TASK, REDUCE_ROW},
    {"edges", NULL, 1, REDUCE_TASK, REDUCE_ROW},
    {"deps", NULL, 0, REDUCE_TASK, REDUCE_ROW},
    {"deps", NULL, 1, REDUCE_TASK, REDUCE_ROW},
    {"sequential_deps", NULL, 0, REDUCE_TASK, REDUCE_ROW},
    {"sequential_deps", NULL, 1, REDUCE_TASK, REDUCE_ROW},
    {"dataflow_deps", NULL, 0, REDUCE_TASK, REDUCE_ROW},
    {"dataflow_deps", NULL, 1, REDUCE_TASK, REDUCE_ROW},
    {"mixed_deps", NULL, 0, REDUCE_TASK, REDUCE_ROW},
    {"mixed_deps", NULL, 1, REDUCE_TASK, REDUCE_ROW},
    {"lifetimes", NULL, 1, REDUCE_TASK, REDUCE_ROW},
    {"lifetimes", NULL, 2, REDUCE_TASK, REDUCE_ROW},
    {"aicore_tasks", NULL, 1, REDUCE_TASK, REDUCE_ROW},
    {"buffers", "key", MEMBER, REDUCE_KEY, REDUCE_DEFINES},
    {"args", "buffer", MEMBER, REDUCE_KEY, REDUCE_ARGUMENT},
    {"arg_storage_keys", NULL, ITEM, REDUCE_KEY, REDUCE_ARGUMENT},
    {"arg_bindings", "storage_key", MEMBER, REDUCE_KEY, REDUCE_MEMBER},
    {NULL, "storage_key", MEMBER, REDUCE_KEY, REDUCE_ROW},
    {NULL, "buffer", MEMBER, REDUCE_KEY, REDUCE_ROW},
    {NULL, "key", MEMBER, REDUCE_KEY, REDUCE_ROW},
    {NULL, "alias_of", MEMBER, REDUCE_KEY, REDUCE_MEMBER},
    {NULL, "first", MEMBER, REDUCE_KEY, REDUCE_ROW},
    {NULL, "second", MEMBER, REDUCE_KEY, REDUCE_ROW},
    {NULL, "earlier", MEMBER, REDUCE_KEY, REDUCE_ROW},
    {NULL, "later", MEMBER, REDUCE_KEY, REDUCE_ROW},
    {"may_alias", NULL, ITEM, REDUCE_KEY, REDUCE_MEMBER},
    {"lifetimes", NULL, 0, REDUCE_KEY, REDUCE_ROW},
    {"conflicts", NULL, 0, REDUCE_KEY, REDUCE_ROW},
    {"conflicts", NULL, 1, REDUCE_KEY, REDUCE_ROW},
    {"buffer_sizes", NULL, 0, REDUCE_KEY, REDUCE_ROW},
    {"allocations", NULL, 0, REDUCE_KEY, REDUCE_ROW},
    {"tensors", "tensor_id", MEMBER, REDUCE_TENSOR, REDUCE_DEFINES},
    {NULL, "tensor_id", MEMBER, REDUCE_TENSOR, REDUCE_ROW},
    {"symbols", "name", MEMBER, REDUCE_SYMBOL, REDUCE_DEFINES},
    {"t", NULL, 1, REDUCE_SYMBOL, REDUCE_ROW},
    {"choices", "id", MEMBER, REDUCE_CHOICE, REDUCE_DEFINES},
    {NULL, "choice", MEMBER, REDUCE_CHOICE, REDUCE_ROW},
    {"scopes", "id", MEMBER, REDUCE_SCOPE, REDUCE_DEFINES},
    {NULL, "scope", MEMBER, REDUCE_SCOPE, REDUCE_MEMBER},
    {NULL, "parent", MEMBER, REDUCE_SCOPE, REDUCE_MEMBER},
};

/* --- Finding --- */

/* Where a leaf stands, in the words of the table. */
typedef struct site {
    fuzz_piece list, key;
    int index;
    uint32_t row;
} site;

/* The place in a row, or 3: no table looks further. */
static int short_position(const reduce_tree *tree, uint32_t item)
{
    int position = 0;
    uint32_t at = tree->nodes[tree->nodes[item].parent].first;
    for (; at != item && position < 3; at = tree->nodes[at].next)
        position++;
    return position;
}

static bool find_site(site *s, const reduce_tree *tree, uint32_t leaf)
{
    uint32_t parent = tree->nodes[leaf].parent;
    if (parent == REDUCE_NONE)
        return false;
    uint32_t above = tree->nodes[parent].parent;
    bool listed =
        above != REDUCE_NONE && tree->nodes[above].shape == REDUCE_LIST;
    *s = (site){.key = reduce_key(tree, leaf), .row = parent};
    if (listed)
        s->list = reduce_key(tree, above);
    if (tree->nodes[parent].shape == REDUCE_OBJECT) {
        s->index = MEMBER;
    } else if (listed) {
        s->index = short_position(tree, leaf);
    } else {
        s->index = ITEM;
        s->list = reduce_key(tree, parent);
        s->row = leaf;
    }
    return true;
}

static const place *find_place(const site *s)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const place *p = &places[i];
        if (p->index == s->index &&
            (p->list == NULL || reduce_piece_is(s->list, p->list)) &&
            (p->key == NULL || reduce_piece_is(s->key, p->key)))
            return p;
    }
    return NULL;
}

/* Null, true and false name nothing. */
static bool is_name(const reduce_tree *tree, uint32_t leaf)
{
    fuzz_piece text = tree->nodes[leaf].text;
    return text.length > 0 && (text.data[0] == '"' || reduce_is_number(text));
}

static void add_leaf(reduce_links *links, const reduce_tree *tree,
                     uint32_t leaf)
{
    site s;
    void *items = links->items;
    if (!is_name(tree, leaf) || !find_site(&s, tree, leaf))
        return;
    const place *p = find_place(&s);
    if (p == NULL)
        return;
    if (!reduce_grow(&items, &links->capacity, links->count,
                     sizeof *links->items)) {
        links->failed = true;
        return;
    }
    links->items = items;
    links->items[links->count++] = (reduce_link){
        .class = (uint8_t)p->class,
        .role = (uint8_t)p->role,
        .leaf = leaf,
        .row = s.row,
        .value = reduce_value(tree, leaf),
    };
}

static int compare_values(fuzz_piece a, fuzz_piece b)
{
    size_t shorter = a.length < b.length ? a.length : b.length;
    int order = memcmp(a.data, b.data, shorter);
    return order != 0             ? order
           : a.length == b.length ? 0
           : a.length < b.length  ? -1
                                  : 1;
}

static int by_thing(const void *left, const void *right)
{
    const reduce_link *a = left, *b = right;
    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    int order = compare_values(a->value, b->value);
    return order != 0 ? order : a->leaf < b->leaf ? -1 : a->leaf > b->leaf;
}

static bool is_same_thing(const reduce_link *a, const reduce_link *b)
{
    return a->class == b->class && reduce_same(a->value, b->value);
}

/* Things stand where their first link does. */
typedef struct start {
    uint32_t first, leaf;
} start;

static int by_leaf(const void *left, const void *right)
{
    const start *a = left, *b = right;
    return a->leaf < b->leaf ? -1 : a->leaf > b->leaf;
}

static uint32_t thing_length(const reduce_links *links, uint32_t first)
{
    uint32_t end = first;
    while (end < links->count &&
           is_same_thing(&links->items[first], &links->items[end]))
        end++;
    return end - first;
}

/* Puts the things into the order of the text. */
static bool order_things(reduce_links *links)
{
    uint32_t count = 0, at = 0;
    start *list = malloc((links->count + (size_t)1) * sizeof *list);
    reduce_link *items = malloc((links->count + (size_t)1) * sizeof *items);
    links->things = malloc((links->count + (size_t)1) * sizeof *links->things);
    if (list != NULL && items != NULL && links->things != NULL) {
        for (uint32_t i = 0; i < links->count; i += thing_length(links, i))
            list[count++] = (start){i, links->items[i].leaf};
        qsort(list, count, sizeof *list, by_leaf);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t length = thing_length(links, list[i].first);
            links->things[i] = at;
            memcpy(&items[at], &links->items[list[i].first],
                   length * sizeof *items);
            at += length;
        }
        links->things[count] = at;
        links->thing_count = count;
        reduce_link *old = links->items;
        links->items = items;
        items = old;
    } else {
        links->failed = true;
    }
    free(list);
    free(items);
    return !links->failed;
}

static void find_rows(reduce_links *links, const reduce_tree *tree)
{
    links->task_of = malloc((tree->count + (size_t)1) * sizeof(uint32_t));
    if (links->task_of == NULL) {
        links->failed = true;
        return;
    }
    for (uint32_t i = 0; i < tree->count; i++)
        links->task_of[i] = REDUCE_NONE;
    for (uint32_t t = 0; t < links->thing_count; t++)
        for (uint32_t i = links->things[t]; i < links->things[t + 1]; i++)
            if (links->items[i].class == REDUCE_TASK &&
                links->items[i].role == REDUCE_DEFINES)
                links->task_of[links->items[i].row] = t;
}

void reduce_links_find(reduce_links *links, const reduce_tree *tree)
{
    *links = (reduce_links){0};
    for (uint32_t i = 0; i < tree->count && !links->failed; i++)
        if (reduce_is_leaf(tree, i))
            add_leaf(links, tree, i);
    if (links->count > 0)
        qsort(links->items, links->count, sizeof *links->items, by_thing);
    if (!links->failed && order_things(links))
        find_rows(links, tree);
}

void reduce_links_free(reduce_links *links)
{
    free(links->items);
    free(links->things);
    free(links->task_of);
    *links = (reduce_links){0};
}

/* --- Arguments --- */

uint32_t reduce_argument_lists(uint32_t lists[4], const reduce_tree *tree,
                               uint32_t object)
{
    static const char *const names[] = {"args", "arg_directions",
                                        "arg_storage_keys", "runtime_args"};
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t list = reduce_member(tree, object, names[i]);
        if (list != REDUCE_NONE && tree->nodes[list].shape == REDUCE_LIST)
            lists[count++] = list;
    }
    return count;
}

/* How many of `indexes` come before `index`; `found`: it is one of them. */
static uint32_t count_before(bool *found, uint32_t index,
                             const uint32_t *indexes, uint32_t count)
{
    uint32_t before = 0;
    while (before < count && indexes[before] < index)
        before++;
    *found = before < count && indexes[before] == index;
    return before;
}

static void delete_items(reduce_plan *plan, const reduce_tree *tree,
                         uint32_t list, const uint32_t *indexes, uint32_t count)
{
    uint32_t position = 0;
    bool found;
    for (uint32_t item = tree->nodes[list].first; item != REDUCE_NONE;
         item = tree->nodes[item].next) {
        (void)count_before(&found, position++, indexes, count);
        if (found)
            reduce_plan_delete(plan, item);
    }
}

/* A member that has the index of an argument: the row goes, or it moves up. */
static void shift_index(reduce_plan *plan, const reduce_tree *tree,
                        uint32_t row, const char *name, const uint32_t *indexes,
                        uint32_t count)
{
    char text[16];
    uint64_t index = 0;
    bool found;
    uint32_t leaf = reduce_member(tree, row, name);
    if (leaf == REDUCE_NONE || !reduce_is_leaf(tree, leaf))
        return;
    fuzz_piece value = tree->nodes[leaf].text;
    if (!reduce_is_number(value) || value.length > 9 || value.data[0] == '-')
        return;
    for (size_t i = 0; i < value.length; i++)
        index = index * 10 + (uint64_t)(value.data[i] - '0');
    uint32_t before = count_before(&found, (uint32_t)index, indexes, count);
    if (found) {
        reduce_plan_delete(plan, row);
    } else if (before > 0) {
        (void)snprintf(text, sizeof text, "%llu",
                       (unsigned long long)(index - before));
        reduce_plan_set(plan, leaf, reduce_plan_string(plan, text));
    }
}

void reduce_links_arguments(reduce_plan *plan, const reduce_links *links,
                            const reduce_tree *tree, uint32_t thing,
                            const uint32_t *indexes, uint32_t count)
{
    static const char *const pairs[][2] = {
        {"task_id", "arg_index"}, {"from", "from_arg"}, {"to", "to_arg"}};
    for (uint32_t i = links->things[thing]; i < links->things[thing + 1]; i++) {
        const reduce_link *link = &links->items[i];
        uint32_t lists[4];
        uint32_t found = link->role == REDUCE_DEFINES
                             ? reduce_argument_lists(lists, tree, link->row)
                             : 0;
        for (uint32_t l = 0; l < found; l++)
            delete_items(plan, tree, lists[l], indexes, count);
        for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
            if (link->role == REDUCE_ROW &&
                reduce_key_is(tree, link->leaf, pairs[p][0]))
                shift_index(plan, tree, link->row, pairs[p][1], indexes, count);
    }
}
