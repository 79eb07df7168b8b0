/* Steps on dumps: statements, arguments, and what hangs on them. */
#include "pass.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYPASSES 8
#define MOST_LIFTS 4

static uint32_t next_of(const reduce_tree *tree, uint32_t node)
{
    return tree->nodes[node].next;
}

static bool word_is(const reduce_tree *tree, uint32_t node, const char *word)
{
    return node != REDUCE_NONE && reduce_is_leaf(tree, node) &&
           reduce_piece_is(tree->nodes[node].text, word);
}

/* The first word of a statement, or REDUCE_NONE. */
static uint32_t first_word(const reduce_tree *tree, uint32_t statement)
{
    uint32_t words = tree->nodes[statement].first;
    return words == REDUCE_NONE ? REDUCE_NONE : tree->nodes[words].first;
}

static bool is_name(const reduce_tree *tree, uint32_t node)
{
    if (node == REDUCE_NONE || !reduce_is_leaf(tree, node))
        return false;
    char c = tree->nodes[node].text.length > 0 ? tree->nodes[node].text.data[0]
                                               : ' ';
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Behind the last node that belongs to this one. */
static uint32_t end_of(const reduce_tree *tree, uint32_t node)
{
    while (tree->nodes[node].last != REDUCE_NONE)
        node = tree->nodes[node].last;
    return node + 1;
}

/* --- Statements --- */

static bool holds_statements(const reduce_tree *tree, uint32_t node)
{
    return tree->nodes[node].shape == REDUCE_BLOCK ||
           tree->nodes[node].shape == REDUCE_STATEMENT;
}

static uint32_t first_statement(const reduce_tree *tree, uint32_t node)
{
    uint32_t first = tree->nodes[node].first;
    return tree->nodes[node].shape == REDUCE_STATEMENT ? next_of(tree, first)
                                                       : first;
}

/* A statement with the decorators in front of it is one. */
void reduce_make_statements(reduce_plan *plan, const reduce_tree *tree)
{
    uint32_t *levels = reduce_levels(tree);
    if (levels == NULL) {
        plan->failed = true;
        return;
    }
    for (uint32_t i = 0; i < tree->count && !plan->failed; i++) {
        if (!holds_statements(tree, levels[i]))
            continue;
        bool marked = false;
        for (uint32_t s = first_statement(tree, levels[i]); s != REDUCE_NONE;
             s = next_of(tree, s)) {
            if (!marked)
                reduce_plan_step(plan, levels[i]);
            reduce_plan_delete(plan, s);
            marked = word_is(tree, first_word(tree, s), "@");
        }
    }
    free(levels);
}

/* Decorators alone. */
void reduce_make_marks(reduce_plan *plan, const reduce_tree *tree)
{
    for (uint32_t i = 0; i < tree->count && !plan->failed; i++) {
        if (tree->nodes[i].shape != REDUCE_STATEMENT ||
            !word_is(tree, first_word(tree, i), "@"))
            continue;
        reduce_plan_step(plan, plan->step_count);
        reduce_plan_delete(plan, i);
    }
}

/* What is in a loop or a branch, without it. */
void reduce_make_bodies(reduce_plan *plan, const reduce_tree *tree)
{
    for (uint32_t i = 0; i < tree->count && !plan->failed; i++) {
        const reduce_node *node = &tree->nodes[i];
        if (node->shape != REDUCE_STATEMENT || node->first == node->last)
            continue;
        reduce_plan_step(plan, plan->step_count);
        reduce_plan_lift(plan, i, REDUCE_NONE);
    }
}

/* --- A result by what it was made of --- */

/* A name by itself: no attribute, no callee, no keyword. */
static bool is_variable(const reduce_tree *tree, uint32_t node)
{
    const reduce_node *parent = &tree->nodes[tree->nodes[node].parent];
    uint32_t next = next_of(tree, node);
    if (!is_name(tree, node) || word_is(tree, next, ".") ||
        word_is(tree, next, "=") ||
        (next != REDUCE_NONE && tree->nodes[next].shape == REDUCE_GROUP))
        return false;
    for (uint32_t c = parent->first; c != node; c = next_of(tree, c))
        if (next_of(tree, c) == node && word_is(tree, c, "."))
            return false;
    return true;
}

static void rename_all(reduce_plan *plan, const reduce_tree *tree,
                       fuzz_piece from, fuzz_piece to)
{
    for (uint32_t i = 0; i < tree->count; i++)
        if (reduce_is_leaf(tree, i) && reduce_same(tree->nodes[i].text, from))
            reduce_plan_set(plan, i, to);
}

/* NAME: TYPE = VALUE goes, and each name in VALUE is tried for NAME. */
static void bypass(reduce_plan *plan, const reduce_tree *tree,
                   uint32_t statement)
{
    uint32_t words = tree->nodes[statement].first;
    uint32_t name = tree->nodes[words].first, equals = name;
    uint32_t end = end_of(tree, words), tried = 0;
    while (equals != REDUCE_NONE && !word_is(tree, equals, "="))
        equals = next_of(tree, equals);
    if (!is_name(tree, name) || equals == REDUCE_NONE)
        return;
    for (uint32_t i = equals + 1; i < end && tried < MOST_BYPASSES; i++) {
        fuzz_piece from = tree->nodes[name].text, to = tree->nodes[i].text;
        if (!is_variable(tree, i) || reduce_same(from, to))
            continue;
        reduce_plan_step(plan, plan->step_count);
        reduce_plan_delete(plan, statement);
        rename_all(plan, tree, from, to);
        tried++;
    }
}

void reduce_make_bypasses(reduce_plan *plan, const reduce_tree *tree)
{
    for (uint32_t i = 0; i < tree->count && !plan->failed; i++)
        if (tree->nodes[i].shape == REDUCE_STATEMENT &&
            tree->nodes[i].first == tree->nodes[i].last)
            bypass(plan, tree, i);
}

/* --- Parameters --- */

static uint32_t item_at(const reduce_tree *tree, uint32_t group, uint32_t index)
{
    uint32_t item = tree->nodes[group].first;
    for (; item != REDUCE_NONE && index > 0; index--)
        item = next_of(tree, item);
    return item;
}

/* The bracket behind `"arg_directions":` in a call, or REDUCE_NONE. */
static uint32_t find_directions(const reduce_tree *tree, uint32_t group)
{
    uint32_t end = end_of(tree, group);
    for (uint32_t i = group; i < end; i++) {
        uint32_t colon = next_of(tree, i);
        if (!reduce_is_leaf(tree, i) || !word_is(tree, colon, ":") ||
            !reduce_piece_is(reduce_value(tree, i), "arg_directions"))
            continue;
        uint32_t list = next_of(tree, colon);
        return list != REDUCE_NONE && tree->nodes[list].shape == REDUCE_GROUP
                   ? list
                   : REDUCE_NONE;
    }
    return REDUCE_NONE;
}

/* self.NAME(a, b), or (self.NAME, a, b): where the arguments begin. */
static bool find_call(uint32_t *group, uint32_t *first, const reduce_tree *tree,
                      uint32_t name)
{
    uint32_t item = tree->nodes[name].parent, next = next_of(tree, name);
    *first = 0;
    *group = next;
    if (next != REDUCE_NONE)
        return tree->nodes[next].shape == REDUCE_GROUP;
    *group = tree->nodes[item].parent;
    if (*group == REDUCE_NONE || tree->nodes[*group].shape != REDUCE_GROUP)
        return false;
    for (uint32_t i = tree->nodes[*group].first; i != item;
         i = next_of(tree, i))
        ++*first;
    ++*first;
    return true;
}

/* Whether "self." stands before a word. */
static bool is_own(const reduce_tree *tree, uint32_t name)
{
    uint32_t w = tree->nodes[tree->nodes[name].parent].first;
    for (; w != name; w = next_of(tree, w)) {
        uint32_t dot = next_of(tree, w);
        if (word_is(tree, w, "self") && word_is(tree, dot, ".") &&
            next_of(tree, dot) == name)
            return true;
    }
    return false;
}

static void delete_argument(reduce_plan *plan, const reduce_tree *tree,
                            fuzz_piece name, uint32_t index)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        uint32_t group, first;
        if (!reduce_is_leaf(tree, i) ||
            !reduce_same(tree->nodes[i].text, name) || !is_own(tree, i) ||
            !find_call(&group, &first, tree, i))
            continue;
        uint32_t argument = item_at(tree, group, first + index);
        uint32_t list = find_directions(tree, group);
        if (argument != REDUCE_NONE)
            reduce_plan_delete(plan, argument);
        if (list != REDUCE_NONE &&
            (argument = item_at(tree, list, index)) != REDUCE_NONE)
            reduce_plan_delete(plan, argument);
    }
}

/* def NAME(...): each parameter, with the argument in every call. */
static void make_of_function(reduce_plan *plan, const reduce_tree *tree,
                             uint32_t def)
{
    uint32_t name = next_of(tree, def);
    uint32_t group = name == REDUCE_NONE ? name : next_of(tree, name);
    uint32_t index = 0;
    if (group == REDUCE_NONE || tree->nodes[group].shape != REDUCE_GROUP)
        return;
    for (uint32_t p = tree->nodes[group].first; p != REDUCE_NONE;
         p = next_of(tree, p)) {
        if (word_is(tree, tree->nodes[p].first, "self"))
            continue;
        reduce_plan_step(plan, plan->step_count);
        reduce_plan_delete(plan, p);
        delete_argument(plan, tree, tree->nodes[name].text, index++);
    }
}

void reduce_make_parameters(reduce_plan *plan, const reduce_tree *tree)
{
    for (uint32_t i = 0; i < tree->count && !plan->failed; i++)
        if (tree->nodes[i].shape == REDUCE_STATEMENT &&
            word_is(tree, first_word(tree, i), "def"))
            make_of_function(plan, tree, first_word(tree, i));
}

/* --- Types --- */

/* Words [from, to) of a line or an item, as one step. */
static void delete_words(reduce_plan *plan, const reduce_tree *tree,
                         uint32_t from, uint32_t to)
{
    reduce_plan_step(plan, plan->step_count);
    for (uint32_t w = from; w != to; w = next_of(tree, w))
        reduce_plan_delete(plan, w);
}

static uint32_t find_word(const reduce_tree *tree, uint32_t from,
                          const char *word)
{
    while (from != REDUCE_NONE && !word_is(tree, from, word))
        from = next_of(tree, from);
    return from;
}

/* "x: T = v" and "x: T" without the type, "f() -> T:" without the result's. */
void reduce_make_types(reduce_plan *plan, const reduce_tree *tree)
{
    for (uint32_t i = 0; i < tree->count && !plan->failed; i++) {
        if (tree->nodes[i].shape != REDUCE_WORDS)
            continue;
        uint32_t first = tree->nodes[i].first;
        uint32_t arrow = find_word(tree, first, "->");
        uint32_t colon = find_word(tree, first, ":");
        if (arrow != REDUCE_NONE)
            delete_words(plan, tree, arrow, tree->nodes[i].last);
        else if (colon != REDUCE_NONE && colon != tree->nodes[i].last)
            delete_words(plan, tree, colon, find_word(tree, colon, "="));
    }
}

/* --- Items and words --- */

static bool is_group(const reduce_tree *tree, uint32_t node)
{
    return tree->nodes[node].shape == REDUCE_GROUP;
}

void reduce_make_groups(reduce_plan *plan, const reduce_tree *tree)
{
    reduce_make_children(plan, tree, is_group);
}

/* Of a call f.g(x) its first word; the bracket itself where it is no call. */
static uint32_t callee_of(const reduce_tree *tree, uint32_t group)
{
    uint32_t first = group;
    bool dot = false;
    for (uint32_t w = tree->nodes[tree->nodes[group].parent].first; w != group;
         w = next_of(tree, w)) {
        bool name = is_name(tree, w);
        if (name && !dot)
            first = w;
        dot = first != group && word_is(tree, w, ".");
        if (!name && !dot)
            first = group;
    }
    return tree->nodes[group].head.length > 0 ? group : first;
}

/* An item instead of its bracket, and of the call whose argument it is. */
void reduce_make_lifts(reduce_plan *plan, const reduce_tree *tree)
{
    for (uint32_t g = 0; g < tree->count && !plan->failed; g++) {
        uint32_t tried = 0;
        if (!is_group(tree, g))
            continue;
        for (uint32_t i = tree->nodes[g].first;
             i != REDUCE_NONE && tried < MOST_LIFTS; i = next_of(tree, i)) {
            if (tree->nodes[i].first == REDUCE_NONE)
                continue;
            reduce_plan_step(plan, plan->step_count);
            reduce_plan_lift(plan, g, i);
            for (uint32_t w = callee_of(tree, g); w != g; w = next_of(tree, w))
                reduce_plan_delete(plan, w);
            tried++;
        }
    }
}

/* What has statements in it keeps its first word: else they are in nothing. */
void reduce_make_words(reduce_plan *plan, const reduce_tree *tree)
{
    for (uint32_t i = 0; i < tree->count && !plan->failed; i++) {
        if (tree->nodes[i].shape != REDUCE_WORDS)
            continue;
        uint32_t word = tree->nodes[i].first;
        if (word != REDUCE_NONE && tree->nodes[i].next != REDUCE_NONE &&
            tree->nodes[tree->nodes[i].next].shape == REDUCE_STATEMENT)
            word = next_of(tree, word);
        for (; word != REDUCE_NONE; word = next_of(tree, word)) {
            reduce_plan_step(plan, i);
            reduce_plan_delete(plan, word);
        }
    }
}
