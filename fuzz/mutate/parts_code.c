/*
 * The parts of a text in lines: statements by indentation, in each what stands
 * between commas and in brackets, and in that names, numbers and strings. All
 * texts have these parts, tables with commas too.
 */
#include "parts.h"

#include <string.h>

typedef struct parser {
    mutate_parts *parts;
    const uint8_t *data;
    uint32_t at, end;
    uint32_t statement; /* that the line is in, or MUTATE_NONE */
    uint32_t argument;  /* open, or MUTATE_NONE */
    uint32_t top;       /* the last statement without indentation */
} parser;

static bool is_name(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (c >= '0' && c <= '9') || c >= 0x80;
}

static bool begin_argument(parser *p, uint32_t parent)
{
    while (p->at < p->end && p->data[p->at] == ' ')
        p->at++;
    p->argument =
        mutate_parts_add(p->parts, parent, p->at, MUTATE_ARGUMENT, true);
    return p->argument != MUTATE_NONE;
}

/* Without the blanks at its end; nothing between two commas is no part. */
static void end_argument(parser *p)
{
    mutate_part *part = &p->parts->items[p->argument];
    part->end = p->at;
    while (part->end > part->begin && p->data[part->end - 1] <= ' ')
        part->end--;
    if (part->end == part->begin)
        part->kind = MUTATE_OPEN;
    part->last = MUTATE_NONE;
}

static bool is_in_bracket(const parser *p)
{
    uint32_t parent = p->parts->items[p->argument].parent;
    return p->parts->items[parent].kind == MUTATE_ARGUMENT;
}

/* A bracket that nothing opened is a letter like any other. */
static bool read_bracket(parser *p)
{
    uint8_t c = p->data[p->at];
    if (c == '(' || c == '[' || c == '{') {
        p->at++;
        p->parts->items[p->argument].last = MUTATE_NONE;
        return begin_argument(p, p->argument);
    }
    if (is_in_bracket(p)) {
        end_argument(p);
        p->argument = p->parts->items[p->argument].parent;
    }
    p->at++;
    return true;
}

static bool read_comma(parser *p)
{
    uint32_t parent = p->parts->items[p->argument].parent;
    end_argument(p);
    p->at++;
    return begin_argument(p, parent);
}

static bool read_word(parser *p, mutate_kind kind, uint32_t end)
{
    uint32_t id = mutate_parts_add(p->parts, p->argument, p->at, kind, false);
    if (id == MUTATE_NONE)
        return false;
    p->parts->items[id].end = end;
    p->at = end;
    return true;
}

/* Up to the same quote in the same line, or the end of the line. */
static uint32_t string_end(const parser *p)
{
    uint32_t at = p->at + 1;
    while (at < p->end && p->data[at] != p->data[p->at] && p->data[at] != '\n')
        at += p->data[at] == '\\' && at + 1 < p->end ? 2 : 1;
    if (at >= p->end)
        return p->end;
    return p->data[at] == '\n' ? at : at + 1;
}

static uint32_t name_end(const parser *p)
{
    uint32_t at = p->at;
    while (at < p->end && is_name(p->data[at]))
        at++;
    return at;
}

/* A comment is part of its line, and of no argument. */
static bool read_comment(parser *p)
{
    uint32_t parent = p->parts->items[p->argument].parent;
    const uint8_t *newline = memchr(p->data + p->at, '\n', p->end - p->at);
    end_argument(p);
    p->at = newline == NULL ? p->end : (uint32_t)(newline - p->data);
    return begin_argument(p, parent);
}

static bool read_part(parser *p)
{
    uint8_t c = p->data[p->at];
    if (c == '"' || c == '\'')
        return read_word(p, MUTATE_STRING, string_end(p));
    if (is_name(c))
        return read_word(p, c >= '0' && c <= '9' ? MUTATE_NUMBER : MUTATE_WORD,
                         name_end(p));
    if (c != '\0' && strchr("()[]{}", c) != NULL)
        return read_bracket(p);
    if (c == ',')
        return read_comma(p);
    if (c == '#')
        return read_comment(p);
    p->at++;
    return true;
}

static void end_statement(parser *p, uint32_t at)
{
    p->parts->items[p->statement].end = at;
    p->statement = p->parts->items[p->statement].parent;
}

/* One line, or several that a bracket holds together. */
static bool read_line(parser *p)
{
    while (p->at < p->end && (p->data[p->at] != '\n' || is_in_bracket(p)))
        if (!read_part(p))
            return false;
    while (is_in_bracket(p)) { /* nothing closes these */
        p->parts->items[p->argument].kind = MUTATE_OPEN;
        p->argument = p->parts->items[p->argument].parent;
    }
    end_argument(p);
    mutate_part *whole = &p->parts->items[p->argument];
    if (whole->before == MUTATE_NONE)
        whole->item = false; /* the line would be empty without it */
    p->at += p->at < p->end;
    p->parts->items[p->statement].last = MUTATE_NONE;
    return true;
}

static uint32_t indent_of(const parser *p, uint32_t statement)
{
    const mutate_part *part = &p->parts->items[statement];
    return part->value - part->begin;
}

/* Closes what is not less indented than the line that begins at `begin`. */
static bool begin_statement(parser *p, uint32_t begin)
{
    while (p->statement != MUTATE_NONE &&
           indent_of(p, p->statement) >= p->at - begin)
        end_statement(p, begin);
    uint32_t parent = p->statement;
    p->statement =
        mutate_parts_add(p->parts, parent, begin, MUTATE_STATEMENT, true);
    if (p->statement == MUTATE_NONE)
        return false;
    mutate_part *part = &p->parts->items[p->statement];
    part->value = p->at;
    part->key_end = begin;
    if (parent != MUTATE_NONE)
        return true;
    part->before = p->top;
    if (p->top != MUTATE_NONE)
        p->parts->items[p->top].next = p->statement;
    p->top = p->statement;
    return true;
}

void mutate_parts_code(mutate_parts *parts, const uint8_t *data, uint32_t from,
                       uint32_t to)
{
    parser p = {parts, data, from, to, MUTATE_NONE, MUTATE_NONE, MUTATE_NONE};
    while (p.at < p.end) {
        uint32_t begin = p.at;
        while (p.at < p.end && p.data[p.at] == ' ')
            p.at++;
        if (p.at < p.end && p.data[p.at] == '\n') {
            p.at++; /* an empty line belongs to what stands before it */
            continue;
        }
        if (!begin_statement(&p, begin) || !begin_argument(&p, p.statement) ||
            !read_line(&p))
            return;
    }
    while (p.statement != MUTATE_NONE)
        end_statement(&p, p.end);
}
