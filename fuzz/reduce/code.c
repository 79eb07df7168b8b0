/*
 * A dump as a tree: statements by indentation, in them words, in brackets
 * items. Lines that a bracket joins become one; comments in it are left out.
 */
#include "tree.h"

#include <stdlib.h>
#include <string.h>

/* A statement that the next line may belong to. */
typedef struct level {
    size_t indent;
    uint32_t node;
} level;

typedef struct parser {
    reduce_tree *tree;
    const char *at, *end;
    uint32_t words; /* what a word is added to */
    uint32_t group; /* the open bracket, or REDUCE_NONE */
    bool blank;     /* before the next word */
    level *levels;
    uint32_t depth, capacity;
} parser;

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0;
}

static bool add_word(parser *p, size_t length)
{
    uint32_t leaf = reduce_tree_add(p->tree, p->words, REDUCE_LEAF);
    if (leaf == REDUCE_NONE)
        return false;
    p->tree->nodes[leaf].head = (fuzz_piece){" ", p->blank ? 1 : 0};
    p->tree->nodes[leaf].text = (fuzz_piece){p->at, length};
    p->blank = false;
    p->at += length;
    return true;
}

static bool add_item(parser *p)
{
    p->words = reduce_tree_add(p->tree, p->group, REDUCE_WORDS);
    p->blank = false;
    return p->words != REDUCE_NONE;
}

static bool open_group(parser *p)
{
    uint32_t group = reduce_tree_add(p->tree, p->words, REDUCE_GROUP);
    if (group == REDUCE_NONE)
        return false;
    p->tree->nodes[group].head = (fuzz_piece){" ", p->blank ? 1 : 0};
    p->tree->nodes[group].text = (fuzz_piece){p->at++, 1};
    p->group = group;
    return add_item(p);
}

static bool close_group(parser *p)
{
    static const char pairs[] = "()[]{}";
    if (p->group == REDUCE_NONE)
        return false;
    const reduce_node *group = &p->tree->nodes[p->group];
    if (strchr(pairs, group->text.data[0])[1] != *p->at)
        return false;
    p->at++;
    p->words = group->parent;
    uint32_t above = p->tree->nodes[p->words].parent;
    p->group =
        p->tree->nodes[above].shape == REDUCE_GROUP ? above : REDUCE_NONE;
    p->blank = false;
    return true;
}

/* A string's length with its quotes; 0: it does not end. */
static size_t string_length(const char *at, const char *end)
{
    char quote = *at;
    bool triple = end - at >= 3 && at[1] == quote && at[2] == quote;
    const char *p = at + (triple ? 3 : 1);
    for (; p < end; p++) {
        if (*p == '\\') {
            p++;
        } else if (*p == '\n' && !triple) {
            return 0;
        } else if (*p == quote && !triple) {
            return (size_t)(p - at) + 1;
        } else if (*p == quote && end - p >= 3 && p[1] == quote &&
                   p[2] == quote) {
            return (size_t)(p - at) + 3;
        }
    }
    return 0;
}

/* Of the word that begins here; 0: it is none. */
static size_t word_length(const parser *p)
{
    static const char *const pairs[] = {
        "->", "//", "**", "==", "<=", ">=", "!=", "<<", ">>", ":="};
    size_t rest = (size_t)(p->end - p->at), length = 0;
    if (*p->at == '"' || *p->at == '\'')
        return string_length(p->at, p->end);
    while (length < rest && is_name(p->at[length]))
        length++;
    if (length > 0)
        return length;
    for (size_t i = 0; rest >= 2 && i < sizeof pairs / sizeof *pairs; i++)
        if (memcmp(p->at, pairs[i], 2) == 0)
            return 2;
    return 1;
}

static size_t comment_length(const parser *p)
{
    const char *newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
    return (size_t)((newline == NULL ? p->end : newline) - p->at);
}

/* Its words one by one: what stands in a comment may be a name that counts. */
static bool add_comment(parser *p)
{
    const char *end = p->at + comment_length(p);
    bool ok = true;
    while (ok && p->at < end) {
        size_t length = 1;
        bool blank = *p->at == ' ' || *p->at == '\t' || *p->at == '\r';
        while (!blank && is_name(*p->at) && p->at + length < end &&
               is_name(p->at[length]))
            length++;
        p->blank = p->blank || blank;
        if (blank)
            p->at++;
        else
            ok = add_word(p, length);
    }
    return ok;
}

/* One word, bracket, comma or blank of a line. */
static bool read_part(parser *p)
{
    char c = *p->at;
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        p->at++;
        p->blank = true;
        return true;
    }
    if (c == '\\')
        return false;
    if (c == '#' && p->group != REDUCE_NONE) {
        p->at += comment_length(p);
        return true;
    }
    if (c == '#')
        return add_comment(p);
    if (strchr("([{", c) != NULL && c != '\0')
        return open_group(p);
    if (strchr(")]}", c) != NULL && c != '\0')
        return close_group(p);
    if (c == ',' && p->group != REDUCE_NONE) {
        p->at++;
        return add_item(p);
    }
    size_t length = word_length(p);
    return length > 0 && add_word(p, length);
}

/* Up to the line break that no bracket holds. */
static bool read_words(parser *p)
{
    p->group = REDUCE_NONE;
    p->blank = false;
    while (p->at < p->end && (*p->at != '\n' || p->group != REDUCE_NONE))
        if (!read_part(p))
            return false;
    return p->group == REDUCE_NONE;
}

/* Where a line of this indentation belongs; false: nowhere. */
static bool find_level(parser *p, size_t indent)
{
    while (p->depth > 1 && p->levels[p->depth - 1].indent > indent)
        p->depth--;
    level *top = &p->levels[p->depth - 1];
    if (p->depth > 1 && top->indent == indent) {
        p->depth--;
        return true;
    }
    if (p->depth == 1)
        return indent == 0;
    /* Deeper: the first in a statement, not one between two depths. */
    const reduce_node *node = &p->tree->nodes[top->node];
    return node->last == node->first;
}

static bool read_statement(parser *p, size_t indent)
{
    void *levels = p->levels;
    if (!find_level(p, indent))
        return false;
    uint32_t parent = p->levels[p->depth - 1].node;
    uint32_t node = reduce_tree_add(p->tree, parent, REDUCE_STATEMENT);
    if (node == REDUCE_NONE)
        return false;
    if (!reduce_grow(&levels, &p->capacity, p->depth, sizeof *p->levels)) {
        p->tree->failed = true;
        return false;
    }
    p->levels = levels;
    p->levels[p->depth++] = (level){indent, node};
    p->words = reduce_tree_add(p->tree, node, REDUCE_WORDS);
    return p->words != REDUCE_NONE && read_words(p);
}

static bool read_line(parser *p)
{
    size_t indent = 0;
    while (p->at < p->end && *p->at == ' ') {
        p->at++;
        indent++;
    }
    if (p->at < p->end && *p->at != '\n' && *p->at != '\r')
        return read_statement(p, indent);
    while (p->at < p->end && *p->at == '\r')
        p->at++;
    if (p->at < p->end && *p->at++ != '\n')
        return false;
    return true;
}

bool reduce_parse_code(reduce_tree *tree, const char *text, size_t length)
{
    parser p = {.tree = tree, .at = text, .end = text + length};
    void *levels = NULL;
    tree->text = text;
    tree->length = length;
    tree->newline = "\n";
    uint32_t root = reduce_tree_add(tree, REDUCE_NONE, REDUCE_BLOCK);
    bool ok = root != REDUCE_NONE &&
              reduce_grow(&levels, &p.capacity, 0, sizeof *p.levels);
    p.levels = levels;
    if (ok)
        p.levels[p.depth++] = (level){0, root};
    while (ok && p.at < p.end)
        ok = read_line(&p);
    free(p.levels);
    return ok && memchr(text, '\0', length) == NULL;
}
