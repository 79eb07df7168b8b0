/*
 * JSON as a tree: as strict as it takes to write it again. What is in strings
 * and how numbers are made up is nobody's business here.
 */
#include "tree.h"

#include <string.h>

typedef struct parser {
    reduce_tree *tree;
    const char *at, *end;
    uint32_t parent;  /* the open bracket, or REDUCE_NONE */
    fuzz_piece head;  /* the key that waits for its value */
    bool wants_value; /* behind a comma, a colon or nothing */
    bool done;
} parser;

static void skip_blanks(parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' ||
                              *p->at == '\t' || *p->at == '\r'))
        p->at++;
}

/* Over a string, from quote to quote. */
static bool skip_string(parser *p)
{
    for (p->at++; p->at < p->end; p->at++) {
        if (*p->at == '"') {
            p->at++;
            return true;
        }
        if (*p->at == '\n')
            return false;
        p->at += *p->at == '\\';
    }
    return false;
}

static void skip_word(parser *p)
{
    while (p->at < p->end && *p->at != '\0' &&
           strchr("{}[],:\" \n\t\r", *p->at) == NULL)
        p->at++;
}

/* A number, however it is made up, or one of the three words. */
static bool is_word(const char *begin, const char *end)
{
    fuzz_piece word = {begin, (size_t)(end - begin)};
    if (reduce_piece_is(word, "true") || reduce_piece_is(word, "false") ||
        reduce_piece_is(word, "null"))
        return true;
    for (const char *at = begin; at < end; at++)
        if (*at == '\0' || strchr("+-.0123456789Ee", *at) == NULL)
            return false;
    return end > begin;
}

static bool in_object(const parser *p)
{
    return p->parent != REDUCE_NONE &&
           p->tree->nodes[p->parent].shape == REDUCE_OBJECT;
}

/* A key and its colon. */
static bool read_key(parser *p)
{
    const char *begin = p->at;
    if (*p->at != '"' || !skip_string(p))
        return false;
    p->head = (fuzz_piece){begin, (size_t)(p->at - begin)};
    skip_blanks(p);
    if (p->at == p->end || *p->at != ':')
        return false;
    p->at++;
    return true;
}

static bool open_value(parser *p, reduce_shape shape)
{
    uint32_t node = reduce_tree_add(p->tree, p->parent, shape);
    if (node == REDUCE_NONE)
        return false;
    p->tree->nodes[node].head = p->head;
    p->tree->nodes[node].text = (fuzz_piece){p->at, 0};
    p->head = (fuzz_piece){"", 0};
    if (shape == REDUCE_LEAF)
        return true;
    p->at++;
    p->parent = node;
    p->wants_value = false;
    return true;
}

static bool read_leaf(parser *p)
{
    const char *begin = p->at;
    bool quoted = *p->at == '"';
    if (quoted && !skip_string(p))
        return false;
    if (!quoted)
        skip_word(p);
    const char *end = p->at;
    if (!quoted && !is_word(begin, end))
        return false;
    p->at = begin;
    if (!open_value(p, REDUCE_LEAF))
        return false;
    p->at = end;
    p->tree->nodes[p->tree->count - 1].text =
        (fuzz_piece){begin, (size_t)(end - begin)};
    p->wants_value = false;
    p->done = p->parent == REDUCE_NONE;
    return true;
}

static bool read_value(parser *p)
{
    if (in_object(p) && p->head.length == 0)
        return read_key(p);
    if (*p->at == '{')
        return open_value(p, REDUCE_OBJECT);
    if (*p->at == '[')
        return open_value(p, REDUCE_LIST);
    return read_leaf(p);
}

static bool close_value(parser *p)
{
    reduce_node *node = &p->tree->nodes[p->parent];
    if (*p->at != (node->shape == REDUCE_OBJECT ? '}' : ']'))
        return false;
    p->at++;
    node->text.length = (size_t)(p->at - node->text.data);
    p->parent = node->parent;
    p->done = p->parent == REDUCE_NONE;
    return true;
}

/* Behind an opening bracket or a value. */
static bool read_between(parser *p)
{
    bool empty = p->tree->nodes[p->parent].first == REDUCE_NONE;
    if (*p->at == '}' || *p->at == ']')
        return close_value(p);
    if (empty) {
        p->wants_value = true;
        return true;
    }
    if (*p->at != ',')
        return false;
    p->at++;
    p->wants_value = true;
    return true;
}

bool reduce_parse_json(reduce_tree *tree, const char *text, size_t length)
{
    parser p = {.tree = tree,
                .at = text,
                .end = text + length,
                .parent = REDUCE_NONE,
                .head = {"", 0},
                .wants_value = true};
    tree->text = text;
    tree->length = length;
    tree->newline = "";
    skip_blanks(&p);
    while (!p.done && p.at < p.end) {
        if (p.wants_value ? !read_value(&p) : !read_between(&p))
            return false;
        skip_blanks(&p);
    }
    return p.done && p.at == p.end;
}
