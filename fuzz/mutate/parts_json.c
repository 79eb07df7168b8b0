/* The parts of a JSON text, up to the first byte that is none. */
#include "parts.h"

#include <string.h>

typedef struct parser {
    mutate_parts *parts;
    const uint8_t *data;
    uint32_t at, end;
    uint32_t parent; /* the open bracket, or MUTATE_NONE */
} parser;

static void skip_blanks(parser *p)
{
    while (p->at < p->end && memchr(" \n\t\r", p->data[p->at], 4) != NULL)
        p->at++;
}

static bool skip_string(parser *p)
{
    for (p->at++; p->at < p->end; p->at++) {
        if (p->data[p->at] == '"') {
            p->at++;
            return true;
        }
        p->at += p->data[p->at] == '\\';
    }
    p->at = p->end;
    return false;
}

static mutate_kind kind_of(uint8_t c)
{
    return c == '{'                             ? MUTATE_OBJECT
           : c == '['                           ? MUTATE_LIST
           : c == '"'                           ? MUTATE_STRING
           : c == '-' || (c >= '0' && c <= '9') ? MUTATE_NUMBER
                                                : MUTATE_WORD;
}

/* A number or a word, whatever is in it. */
static bool skip_word(parser *p)
{
    uint32_t begin = p->at;
    while (p->at < p->end &&
           memchr("{}[],:\" \n\t\r", p->data[p->at], 11) == NULL)
        p->at++;
    return p->at > begin;
}

/* The key of a member and its colon; the part begins with it. */
static bool read_key(parser *p, mutate_part *part)
{
    if (p->data[p->at] != '"' || !skip_string(p))
        return false;
    part->key_end = p->at;
    skip_blanks(p);
    if (p->at == p->end || p->data[p->at] != ':')
        return false;
    p->at++;
    skip_blanks(p);
    return p->at < p->end;
}

static bool in_object(const parser *p)
{
    return p->parent != MUTATE_NONE &&
           p->data[p->parts->items[p->parent].value] == '{';
}

/* A value with its key; a bracket stays open. */
static bool read_value(parser *p)
{
    uint32_t id = mutate_parts_add(p->parts, p->parent, p->at, MUTATE_OPEN,
                                   p->parent != MUTATE_NONE);
    if (id == MUTATE_NONE)
        return false;
    mutate_part *part = &p->parts->items[id];
    if (in_object(p) && !read_key(p, part))
        return false;
    part->value = p->at;
    mutate_kind kind = kind_of(p->data[p->at]);
    if (kind == MUTATE_OBJECT || kind == MUTATE_LIST) {
        p->parent = id;
        p->at++;
        return true;
    }
    if (kind == MUTATE_STRING ? !skip_string(p) : !skip_word(p))
        return false;
    part->end = p->at;
    part->kind = (uint8_t)kind;
    return true;
}

static bool close_bracket(parser *p)
{
    mutate_part *part = &p->parts->items[p->parent];
    uint8_t opened = p->data[part->value];
    if (p->data[p->at] != (opened == '{' ? '}' : ']'))
        return false;
    part->kind = (uint8_t)kind_of(opened);
    part->end = ++p->at;
    p->parent = part->parent;
    return true;
}

/* Behind an opening bracket or a value. */
static bool read_on(parser *p)
{
    uint8_t c = p->data[p->at];
    bool empty = p->parts->items[p->parent].last == MUTATE_NONE;
    if (c == '}' || c == ']')
        return close_bracket(p);
    if (empty)
        return read_value(p);
    if (c != ',')
        return false;
    p->at++;
    skip_blanks(p);
    return p->at < p->end && read_value(p);
}

void mutate_parts_json(mutate_parts *parts, const uint8_t *data, uint32_t from,
                       uint32_t to)
{
    parser p = {parts, data, from, to, MUTATE_NONE};
    bool ok = p.at < p.end && read_value(&p);
    while (ok && p.parent != MUTATE_NONE) {
        skip_blanks(&p);
        ok = p.at < p.end && read_on(&p);
    }
}
