/*
 * A text that is no document, as far as its brackets and commas go: of a
 * document that is cut or has one wrong byte the parts are there still. A
 * bracket that nothing closes goes to the end, one that closes nothing is a
 * word.
 */
#include <string.h>

#include "tree.h"

typedef struct parser {
    reduce_tree *tree;
    const char *from, *at, *end; /* a word with the blanks before it */
    uint32_t group;              /* the open bracket, or the root */
    uint32_t item;               /* of it, or REDUCE_NONE: the next is new */
} parser;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool add_leaf(parser *p, uint32_t parent)
{
    uint32_t leaf = reduce_tree_add(p->tree, parent, REDUCE_LEAF);
    if (leaf == REDUCE_NONE)
        return false;
    const char *word = p->from;
    while (word < p->at && is_blank(*word))
        word++;
    p->tree->nodes[leaf].head = (fuzz_piece){p->from, (size_t)(word - p->from)};
    p->tree->nodes[leaf].text = (fuzz_piece){word, (size_t)(p->at - word)};
    p->from = p->at;
    return true;
}

static bool in_item(parser *p)
{
    if (p->item == REDUCE_NONE)
        p->item = reduce_tree_add(p->tree, p->group, REDUCE_BLOCK);
    return p->item != REDUCE_NONE;
}

/* Its text, while it has no more than the bracket, is what it opens with. */
static char opening_of(const parser *p)
{
    uint32_t first = p->tree->nodes[p->group].first;
    if (p->group == 0 || first == REDUCE_NONE)
        return '\0';
    fuzz_piece text = p->tree->nodes[first].text;
    return text.data[text.length - 1];
}

static bool open_group(parser *p)
{
    uint32_t group = REDUCE_NONE;
    if (in_item(p))
        group = reduce_tree_add(p->tree, p->item, REDUCE_BLOCK);
    if (group == REDUCE_NONE)
        return false;
    p->group = group;
    p->item = REDUCE_NONE;
    return add_leaf(p, group);
}

static bool close_group(parser *p, char bracket)
{
    char opening = bracket == ']' ? '[' : bracket == '}' ? '{' : '(';
    if (opening_of(p) != opening)
        return in_item(p) && add_leaf(p, p->item);
    uint32_t group = p->group;
    p->item = p->tree->nodes[group].parent;
    p->group = p->tree->nodes[p->item].parent;
    return add_leaf(p, group);
}

/* To the quote that ends it on this line, or the quote alone. */
static const char *end_of_string(const parser *p)
{
    for (const char *at = p->at + 1; at < p->end && *at != '\n'; at++) {
        if (*at == '"')
            return at + 1;
        at += *at == '\\';
    }
    return p->at + 1;
}

static bool is_apart(char c)
{
    return c == '\0' || strchr(" \t\r\n,[]{}()\"", c) != NULL;
}

static bool read_word(parser *p)
{
    char c = *p->at;
    const char *end = c == '"' ? end_of_string(p) : p->at + 1;
    while (!is_apart(c) && end < p->end && !is_apart(*end))
        end++;
    p->at = end;
    if (c == '[' || c == '{' || c == '(')
        return open_group(p);
    if (c == ']' || c == '}' || c == ')')
        return close_group(p, c);
    if (!in_item(p) || !add_leaf(p, p->item))
        return false;
    if (c == ',')
        p->item = REDUCE_NONE;
    return true;
}

bool reduce_parse_pieces(reduce_tree *tree, const char *text, size_t length)
{
    parser p = {.tree = tree,
                .from = text,
                .at = text,
                .end = text + length,
                .item = REDUCE_NONE};
    tree->text = text;
    tree->length = length;
    tree->newline = "";
    p.group = reduce_tree_add(tree, REDUCE_NONE, REDUCE_BLOCK);
    bool ok = p.group != REDUCE_NONE;
    while (ok && p.at < p.end) {
        if (is_blank(*p.at))
            p.at++;
        else
            ok = read_word(&p);
    }
    return ok && (p.from == p.at || (in_item(&p) && add_leaf(&p, p.item)));
}
