/* Numbers and names become smaller, in all places at once or in one. */
#include "pass.h"

#include <stdlib.h>
#include <string.h>

#define DIGITS ((size_t)64) /* longer numbers are only made 0 or 1 */
#define NAMES 1024
#define LONGEST 3 /* letters of a short name */

/* --- Decimal numbers without a sign, of any length --- */

typedef struct decimal {
    char digits[DIGITS + 1];
    size_t length;
} decimal;

static void strip(decimal *d)
{
    size_t zeros = 0;
    while (zeros + 1 < d->length && d->digits[zeros] == '0')
        zeros++;
    d->length -= zeros;
    memmove(d->digits, d->digits + zeros, d->length);
}

static bool is_zero(const decimal *d)
{
    return d->length == 1 && d->digits[0] == '0';
}

static decimal half(const decimal *d)
{
    decimal result = {.length = d->length};
    int rest = 0;
    for (size_t i = 0; i < d->length; i++) {
        int digit = rest * 10 + (d->digits[i] - '0');
        result.digits[i] = (char)('0' + digit / 2);
        rest = digit % 2;
    }
    strip(&result);
    return result;
}

/* a - b; b is not larger. */
static decimal minus(const decimal *a, const decimal *b)
{
    decimal result = *a;
    int borrow = 0;
    for (size_t i = 0; i < a->length; i++) {
        char *digit = &result.digits[a->length - 1 - i];
        int value = *digit - '0' - borrow;
        if (i < b->length)
            value -= b->digits[b->length - 1 - i] - '0';
        borrow = value < 0;
        *digit = (char)('0' + (borrow ? value + 10 : value));
    }
    strip(&result);
    return result;
}

/* --- Numbers --- */

/* The leaves that a number is tried on: one, or all that have its text. */
typedef struct spot {
    reduce_plan *plan;
    const reduce_tree *tree;
    uint32_t target;
    bool all;
    fuzz_piece text;
} spot;

static bool is_open(const reduce_tree *tree, uint32_t leaf)
{
    const reduce_node *node = &tree->nodes[leaf];
    return node->shape == REDUCE_LEAF && !node->made && !node->gone;
}

static void put_all(const spot *s, fuzz_piece text)
{
    reduce_plan_step(s->plan, s->target);
    if (!s->all) {
        reduce_plan_set(s->plan, s->target, text);
        return;
    }
    for (uint32_t i = 0; i < s->tree->count; i++)
        if (is_open(s->tree, i) && reduce_same(s->tree->nodes[i].text, s->text))
            reduce_plan_set(s->plan, i, text);
}

/* With the quotes and the sign that the number has. */
static void try_number(const spot *s, const char *sign, const char *digits,
                       size_t length)
{
    char text[DIGITS + 4];
    size_t used = 0;
    char quote = s->text.data[0];
    bool quoted = quote == '"' || quote == '\'';
    if (quoted)
        text[used++] = quote;
    if (*sign != '\0')
        text[used++] = *sign;
    memcpy(text + used, digits, length);
    used += length;
    if (quoted)
        text[used++] = quote;
    put_all(s, reduce_plan_copy(s->plan, text, used));
}

/*
 * By one; when that was right the last time, in large steps first, so that the
 * way down is short.
 */
static void try_slowly(const spot *s, const char *sign, const decimal *d)
{
    decimal part = half(d), one = {.digits = "1", .length = 1};
    part = half(&part);
    for (; s->plan->slow && !is_zero(&part); part = half(&part)) {
        decimal less = minus(d, &part);
        try_number(s, sign, less.digits, less.length);
        s->plan->steps[s->plan->step_count - 1].slow = true;
    }
    decimal less = minus(d, &one);
    try_number(s, sign, less.digits, less.length);
    s->plan->steps[s->plan->step_count - 1].slow = true;
}

static bool looks_like_number(fuzz_piece value)
{
    size_t at = value.length > 0 && value.data[0] == '-';
    return at < value.length && value.data[at] >= '0' && value.data[at] <= '9';
}

static void value_number(const spot *s)
{
    fuzz_piece value = reduce_value(s->tree, s->target);
    decimal d = {0};
    if (!looks_like_number(value) || reduce_piece_is(value, "0"))
        return;
    try_number(s, "", "0", 1);
    if (reduce_piece_is(value, "1"))
        return;
    try_number(s, "", "1", 1);
    if (!reduce_is_number(value) || value.length > DIGITS)
        return;
    bool negative = value.data[0] == '-';
    d.length = value.length - negative;
    memcpy(d.digits, value.data + negative, d.length);
    strip(&d);
    if (negative)
        try_number(s, "", d.digits, d.length);
    decimal less = half(&d);
    if (!is_zero(&less))
        try_number(s, negative ? "-" : "", less.digits, less.length);
    if (!is_zero(&d))
        try_slowly(s, negative ? "-" : "", &d);
}

static bool is_numeric(const reduce_tree *tree, uint32_t node)
{
    return is_open(tree, node) && (looks_like_number(tree->nodes[node].text) ||
                                   reduce_is_number(reduce_value(tree, node)));
}

void reduce_find_numbers(reduce_targets *targets, const reduce_tree *tree)
{
    for (uint32_t i = 0; i < tree->count; i++)
        if (is_numeric(tree, i))
            reduce_targets_add(targets, i);
}

void reduce_value_number(reduce_plan *plan, const reduce_tree *tree,
                         uint32_t target)
{
    value_number(&(spot){.plan = plan,
                         .tree = tree,
                         .target = target,
                         .text = tree->nodes[target].text});
}

void reduce_value_numbers(reduce_plan *plan, const reduce_tree *tree,
                          uint32_t target)
{
    value_number(&(spot){.plan = plan,
                         .tree = tree,
                         .target = target,
                         .all = true,
                         .text = tree->nodes[target].text});
}

/* --- Words that are no whole number: 1.5e3, 007, and what is none at all ---
 */

static bool is_whole(fuzz_piece text)
{
    size_t first = text.data[0] == '-';
    return reduce_is_number(text) &&
           (text.data[first] != '0' || text.length == first + 1);
}

static bool is_odd(const reduce_tree *tree, uint32_t node)
{
    fuzz_piece text = tree->nodes[node].text;
    return is_open(tree, node) && text.length > 1 && text.data[0] != '"' &&
           (text.data[0] < 'a' || text.data[0] > 'z') && !is_whole(text);
}

void reduce_find_odd(reduce_targets *targets, const reduce_tree *tree)
{
    for (uint32_t i = 0; i < tree->count; i++)
        if (is_odd(tree, i))
            reduce_targets_add(targets, i);
}

/* Without each of its letters. */
void reduce_value_odd(reduce_plan *plan, const reduce_tree *tree,
                      uint32_t target)
{
    fuzz_piece text = tree->nodes[target].text;
    for (size_t i = 0; is_odd(tree, target) && i < text.length; i++) {
        fuzz_piece less = reduce_plan_copy(plan, text.data, text.length - 1);
        if (plan->failed)
            return;
        memcpy((char *)less.data + i, text.data + i + 1, text.length - 1 - i);
        reduce_plan_step(plan, target);
        reduce_plan_set(plan, target, less);
    }
}

/* --- Equal texts --- */

typedef struct part {
    fuzz_piece text;
    uint32_t node;
    uint32_t first; /* node with this text */
    uint32_t room;  /* letters of its name, at most LONGEST */
} part;

static int by_text(const void *left, const void *right)
{
    const part *a = left, *b = right;
    if (a->text.length != b->text.length)
        return a->text.length < b->text.length ? -1 : 1;
    int order = memcmp(a->text.data, b->text.data, a->text.length);
    return order != 0 ? order : a->node < b->node ? -1 : a->node > b->node;
}

static int by_node(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

/* The first of each text that at least `least` nodes have, in their order. */
static void find_equal(reduce_targets *targets, const reduce_tree *tree,
                       bool (*fits)(const reduce_tree *, uint32_t), bool heads,
                       uint32_t least)
{
    part *parts = malloc((tree->count + (size_t)1) * sizeof *parts);
    uint32_t count = 0;
    if (parts == NULL) {
        targets->failed = true;
        return;
    }
    for (uint32_t i = 0; i < tree->count; i++)
        if (fits(tree, i))
            parts[count++] = (part){.text = heads ? tree->nodes[i].head
                                                  : tree->nodes[i].text,
                                    .node = i};
    qsort(parts, count, sizeof *parts, by_text);
    for (uint32_t i = 0; i < count;) {
        uint32_t first = i;
        while (i < count && reduce_same(parts[i].text, parts[first].text))
            i++;
        if (i - first >= least)
            reduce_targets_add(targets, parts[first].node);
    }
    free(parts);
    if (targets->count > 0)
        qsort(targets->items, targets->count, sizeof(uint32_t), by_node);
}

void reduce_find_equal_numbers(reduce_targets *targets, const reduce_tree *tree)
{
    find_equal(targets, tree, is_numeric, false, 2);
}

/* --- Names --- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* A string, or a name of a program. */
static bool is_named(const reduce_tree *tree, uint32_t node)
{
    fuzz_piece text = tree->nodes[node].text;
    return is_open(tree, node) && text.length > 0 &&
           (text.data[0] == '"' || text.data[0] == '\'' ||
            (tree->newline[0] != '\0' && is_letter(text.data[0]))) &&
           !reduce_is_number(reduce_value(tree, node));
}

static bool has_key(const reduce_tree *tree, uint32_t node)
{
    return !tree->nodes[node].gone && reduce_key(tree, node).length > 0;
}

void reduce_find_names(reduce_targets *targets, const reduce_tree *tree)
{
    find_equal(targets, tree, is_named, false, 1);
}

void reduce_find_keys(reduce_targets *targets, const reduce_tree *tree)
{
    find_equal(targets, tree, has_key, true, 1);
}

/* a to z, then a0 to z0, a1, ... */
static size_t short_name(char name[8], uint32_t number)
{
    size_t length = 1;
    uint32_t rest = number / 26;
    name[0] = (char)('a' + number % 26);
    if (rest == 0)
        return length;
    rest--;
    if (rest >= 10)
        name[length++] = (char)('0' + rest / 10 % 10);
    name[length++] = (char)('0' + rest % 10);
    return length;
}

/* The number of a short name, or NAMES. */
static uint32_t name_number(fuzz_piece name)
{
    char text[8];
    if (name.length == 0 || name.length > 3 || name.data[0] < 'a' ||
        name.data[0] > 'z')
        return NAMES;
    uint32_t rest = 0;
    for (size_t i = 1; i < name.length; i++) {
        if (name.data[i] < '0' || name.data[i] > '9')
            return NAMES;
        rest = rest * 10 + (uint32_t)(name.data[i] - '0');
    }
    uint32_t number = (uint32_t)(name.data[0] - 'a') +
                      (name.length > 1 ? 26 * (rest + 1) : 0);
    return number < NAMES && short_name(text, number) == name.length ? number
                                                                     : NAMES;
}

/* What comes before the part of a name that is free, and behind it. */
typedef struct frame {
    fuzz_piece before, after;
} frame;

static bool fits_frame(fuzz_piece text, const frame *f)
{
    size_t around = f->before.length + f->after.length;
    return text.length > around &&
           memcmp(text.data, f->before.data, f->before.length) == 0 &&
           memcmp(text.data + text.length - f->after.length, f->after.data,
                  f->after.length) == 0;
}

/* The first short name that no text in this frame has. */
static uint32_t free_name(const reduce_tree *tree, const frame *f, bool heads)
{
    bool used[NAMES + 1] = {false};
    uint32_t number = 0;
    for (uint32_t i = 0; i < tree->count; i++) {
        const reduce_node *node = &tree->nodes[i];
        fuzz_piece text = heads ? node->head : node->text;
        if ((!heads && node->shape != REDUCE_LEAF) || !fits_frame(text, f))
            continue;
        text.data += f->before.length;
        text.length -= f->before.length + f->after.length;
        used[name_number(text)] = true;
    }
    while (number < NAMES && used[number])
        number++;
    return number;
}

/* The same short name in all places that have this one. */
static void try_name(reduce_plan *plan, const reduce_tree *tree,
                     uint32_t target, const frame *f, bool heads)
{
    char name[8];
    fuzz_piece old =
        heads ? tree->nodes[target].head : tree->nodes[target].text;
    uint32_t number = free_name(tree, f, heads);
    size_t middle = short_name(name, number);
    size_t length = f->before.length + middle + f->after.length;
    if (number == NAMES || length > old.length)
        return;
    fuzz_piece text = reduce_plan_copy(plan, old.data, length);
    if (plan->failed)
        return;
    char *at = (char *)text.data + f->before.length;
    memcpy(at, name, middle);
    memcpy(at + middle, f->after.data, f->after.length);
    reduce_plan_step(plan, target);
    for (uint32_t i = 0; i < tree->count; i++) {
        if (heads && has_key(tree, i) && reduce_same(tree->nodes[i].head, old))
            reduce_plan_name(plan, i, text);
        else if (!heads && is_open(tree, i) &&
                 reduce_same(tree->nodes[i].text, old))
            reduce_plan_set(plan, i, text);
    }
}

/* A string's quotes are kept, and what stands before a colon. */
void reduce_value_names(reduce_plan *plan, const reduce_tree *tree,
                        uint32_t target)
{
    fuzz_piece text = tree->nodes[target].text;
    if (!is_named(tree, target))
        return;
    bool quoted = !is_letter(text.data[0]);
    frame f = {{text.data, quoted}, {text.data + text.length - quoted, quoted}};
    if (text.length > 2 || !quoted)
        try_name(plan, tree, target, &f, false);
    const char *colon = memchr(text.data, ':', text.length);
    if (quoted && colon != NULL && colon + 2 < text.data + text.length) {
        f.before.length = (size_t)(colon - text.data) + 1;
        try_name(plan, tree, target, &f, false);
    }
    /* A version of a variable, as "x__ssa_v0". */
    for (size_t i = 1; !quoted && i + 2 < text.length; i++) {
        if (memcmp(text.data + i, "__", 2) != 0)
            continue;
        f.after = (fuzz_piece){text.data + i, text.length - i};
        try_name(plan, tree, target, &f, false);
        return;
    }
}

void reduce_value_keys(reduce_plan *plan, const reduce_tree *tree,
                       uint32_t target)
{
    fuzz_piece head = tree->nodes[target].head;
    frame f = {{head.data, 1}, {head.data + head.length - 1, 1}};
    if (has_key(tree, target))
        try_name(plan, tree, target, &f, true);
}

/* --- All values of one name --- */

/* The member that a leaf is, or in whose list it stands. */
static fuzz_piece column_of(const reduce_tree *tree, uint32_t leaf)
{
    fuzz_piece key = reduce_key(tree, leaf);
    uint32_t parent = tree->nodes[leaf].parent;
    return key.length > 0 || parent == REDUCE_NONE ? key
                                                   : reduce_key(tree, parent);
}

static void set_column(reduce_plan *plan, const reduce_tree *tree,
                       fuzz_piece column,
                       bool (*fits)(const reduce_tree *, uint32_t),
                       const char *plain, const char *quoted)
{
    reduce_plan_step(plan, plan->step_count);
    for (uint32_t i = 0; i < tree->count; i++)
        if (fits(tree, i) && reduce_same(column_of(tree, i), column))
            reduce_plan_set(
                plan, i,
                reduce_plan_string(
                    plan, tree->nodes[i].text.data[0] == '"' ? quoted : plain));
}

/* What stands in front of the part of a quoted text that is free. */
static size_t fixed_length(fuzz_piece text, bool whole)
{
    const char *colon = memchr(text.data, ':', text.length);
    return whole || colon == NULL ? 1 : (size_t)(colon - text.data) + 1;
}

/* The short name of a number, in the quotes of `old`, or behind its colon. */
static fuzz_piece renamed(reduce_plan *plan, fuzz_piece old, uint32_t number,
                          bool whole)
{
    char name[8];
    size_t before = fixed_length(old, whole);
    size_t length = short_name(name, number);
    if (number >= NAMES || before + length + 1 > old.length)
        return (fuzz_piece){"", 0};
    fuzz_piece text = reduce_plan_copy(plan, old.data, before + length + 1);
    if (plan->failed)
        return (fuzz_piece){"", 0};
    memcpy((char *)text.data + before, name, length);
    ((char *)text.data)[before + length] = '"';
    return text;
}

static int by_room(const void *left, const void *right)
{
    const part *a = left, *b = right;
    if (a->room != b->room)
        return a->room < b->room ? -1 : 1;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

/*
 * Equal texts together; in the order in which they get short names: those
 * first for which the first of these alone are short enough, and of others
 * what stands first, so that none is renamed again.
 */
static void order_for_names(part *parts, uint32_t count)
{
    if (count == 0)
        return;
    qsort(parts, count, sizeof *parts, by_text);
    for (uint32_t i = 0; i < count; i++) {
        part *p = &parts[i];
        size_t around = fixed_length(p->text, true) + 1;
        bool same = i > 0 && reduce_same(p[-1].text, p->text);
        size_t room = p->text.length > around ? p->text.length - around : 0;
        p->first = same ? p[-1].first : p->node;
        p->room = room < LONGEST ? (uint32_t)room : LONGEST;
    }
    qsort(parts, count, sizeof *parts, by_room);
}

/* Each text that the column has gets a short name, in all places. */
static void name_column(reduce_plan *plan, const reduce_tree *tree,
                        fuzz_piece column, const part *parts, uint32_t count,
                        bool whole)
{
    uint32_t number = 0;
    reduce_plan_step(plan, plan->step_count);
    for (uint32_t first = 0, end; first < count; first = end) {
        bool inside = false;
        for (end = first; end < count && parts[end].first == parts[first].first;
             end++)
            inside =
                inside || reduce_same(column_of(tree, parts[end].node), column);
        fuzz_piece name =
            inside ? renamed(plan, parts[first].text, number++, whole)
                   : (fuzz_piece){"", 0};
        for (uint32_t i = first; i < end && name.length > 0; i++)
            reduce_plan_set(plan, parts[i].node, name);
    }
}

/* Of the values of one member all numbers 0, all strings empty, or short. */
void reduce_make_values(reduce_plan *plan, const reduce_tree *tree)
{
    reduce_targets columns = {0};
    part *parts = malloc((tree->count + (size_t)1) * sizeof *parts);
    uint32_t count = 0;
    reduce_find_keys(&columns, tree);
    plan->failed = plan->failed || parts == NULL || columns.failed;
    for (uint32_t i = 0; i < tree->count && !plan->failed; i++)
        if (is_named(tree, i))
            parts[count++] = (part){.text = tree->nodes[i].text, .node = i};
    order_for_names(parts, count);
    for (uint32_t c = 0; c < columns.count && !plan->failed; c++) {
        fuzz_piece column = reduce_key(tree, columns.items[c]);
        set_column(plan, tree, column, is_numeric, "0", "\"0\"");
        set_column(plan, tree, column, is_named, "", "\"\"");
        name_column(plan, tree, column, parts, count, true);
        name_column(plan, tree, column, parts, count, false);
    }
    free(parts);
    free(columns.items);
}

/* --- Strings --- */

static bool is_string(const reduce_tree *tree, uint32_t node)
{
    fuzz_piece text = tree->nodes[node].text;
    return is_open(tree, node) && text.length > 2 &&
           reduce_value(tree, node).length == text.length - 2;
}

void reduce_find_strings(reduce_targets *targets, const reduce_tree *tree)
{
    for (uint32_t i = 0; i < tree->count; i++)
        if (is_string(tree, i))
            reduce_targets_add(targets, i);
}

/* Nothing, or its first half, where that cuts no character in two. */
void reduce_value_string(reduce_plan *plan, const reduce_tree *tree,
                         uint32_t target)
{
    fuzz_piece text = tree->nodes[target].text;
    if (!is_string(tree, target))
        return;
    char quotes[2] = {text.data[0], text.data[0]};
    reduce_plan_step(plan, target);
    reduce_plan_set(plan, target, reduce_plan_copy(plan, quotes, 2));
    size_t cut = 1 + (text.length - 2) / 2;
    while (cut > 1 && ((unsigned char)text.data[cut] & 0xc0) == 0x80)
        cut--;
    if (cut == 1 || memchr(text.data, '\\', text.length) != NULL)
        return;
    fuzz_piece shorter = reduce_plan_copy(plan, text.data, cut + 1);
    if (plan->failed)
        return;
    ((char *)shorter.data)[cut] = quotes[0];
    reduce_plan_step(plan, target);
    reduce_plan_set(plan, target, shorter);
}
