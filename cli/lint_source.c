#include "lint_source.h"

#include <stdlib.h>
#include <string.h>

/* A statement is not followed any farther than this. */
#define LONGEST ((size_t)1 << 16)
/* Columns of a quotation; what is shorter is quoted as it stands. */
#define WIDTH ((size_t)100)
/* What is kept in front of a mark that lies behind the first WIDTH columns. */
#define LEAD ((size_t)24)

/* --- Lines --- */

bool lint_source_open(lint_source *source, cli_span text)
{
    size_t count = 1;
    for (size_t i = 0; i < text.length; i++)
        count += text.data[i] == '\n';
    *source = (lint_source){.text = text, .count = count};
    source->starts = calloc(count, sizeof *source->starts);
    if (source->starts == NULL)
        return false;
    for (size_t i = 0, n = 1; i < text.length; i++)
        if (text.data[i] == '\n')
            source->starts[n++] = i + 1;
    return true;
}

void lint_source_close(lint_source *source)
{
    free(source->starts);
    *source = (lint_source){0};
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || (unsigned char)c >= 0x80;
}

/* From a line on to the end of the text; false: there is no such line. */
static bool from_line(cli_span *rest, const lint_source *s, int64_t line)
{
    if (line < 1 || (uint64_t)line > s->count)
        return false;
    size_t at = s->starts[line - 1];
    *rest = (cli_span){s->text.data + at, s->text.length - at};
    return true;
}

static size_t blanks(cli_span text)
{
    size_t n = 0;
    while (n < text.length && (text.data[n] == ' ' || text.data[n] == '\t'))
        n++;
    return n;
}

static bool starts(cli_span text, size_t at, const char *word)
{
    size_t n = strlen(word);
    return at <= text.length && text.length - at >= n &&
           memcmp(text.data + at, word, n) == 0;
}

bool lint_source_function(cli_span *name, const lint_source *source,
                          int64_t line)
{
    cli_span rest;
    if (!from_line(&rest, source, line))
        return false;
    size_t indent = blanks(rest);
    for (; from_line(&rest, source, line); line--) {
        size_t at = blanks(rest);
        if (at >= indent || !starts(rest, at, "def "))
            continue;
        at += 4;
        size_t end = at;
        while (end < rest.length && is_name(rest.data[end]))
            end++;
        *name = (cli_span){rest.data + at, end - at};
        return end > at;
    }
    return false;
}

/* --- Statements --- */

/* Behind the string that starts at `at`; at most the end of its line. */
static size_t skip_string(cli_span text, size_t at)
{
    char quote = text.data[at++];
    while (at < text.length && text.data[at] != '\n') {
        if (text.data[at] == quote)
            return at + 1;
        if (text.data[at] == '\\' && quote == '"' && at + 1 < text.length)
            at++;
        at++;
    }
    return at;
}

static bool opens(char c)
{
    return c == '(' || c == '[' || c == '{';
}

static bool closes(char c)
{
    return c == ')' || c == ']' || c == '}';
}

/* A line break within brackets: one blank, or none beside a bracket. */
static size_t join_lines(cli_text *out, cli_span text, size_t at)
{
    while (at < text.length && strchr(" \t\r\n", text.data[at]) != NULL &&
           text.data[at] != '\0')
        at++;
    char last = out->length > 0 ? out->data[out->length - 1] : ' ';
    if (at < text.length && closes(text.data[at])) {
        if (last == ',')
            out->data[--out->length] = '\0';
    } else if (!opens(last) && last != ' ') {
        cli_text_put(out, " ");
    }
    return at;
}

/* Up to the end of the line in which no bracket is open any more. */
static void read_statement(cli_text *out, cli_span text)
{
    size_t depth = 0, at = blanks(text);
    if (text.length > LONGEST)
        text.length = LONGEST;
    while (at < text.length && !out->failed) {
        char c = text.data[at];
        if (c == '\n' && depth == 0)
            break;
        if (c == '\n') {
            at = join_lines(out, text, at);
            continue;
        }
        size_t next = c == '"' || c == '\'' ? skip_string(text, at) : at + 1;
        depth += opens(c);
        depth -= closes(c) && depth > 0;
        cli_text_add(out, text.data + at, next - at);
        at = next;
    }
}

/* Without its indent; gives back how wide that is. */
static size_t read_line(cli_text *out, cli_span text)
{
    const char *end = memchr(text.data, '\n', text.length);
    if (end != NULL)
        text.length = (size_t)(end - text.data);
    size_t indent = blanks(text);
    size_t length = text.length - indent;
    cli_text_add(out, text.data + indent, length < LONGEST ? length : LONGEST);
    return indent;
}

/* --- Parts of a statement --- */

typedef struct range {
    size_t begin, end; /* nothing: begin == end */
} range;

/* The end of the bracket that opens at `at`, behind it. */
static size_t behind_bracket(cli_span s, size_t at)
{
    size_t depth = 0;
    while (at < s.length) {
        char c = s.data[at];
        if (c == '"' || c == '\'') {
            at = skip_string(s, at);
            continue;
        }
        depth += opens(c);
        at++;
        if (closes(c) && --depth == 0)
            return at;
    }
    return s.length;
}

/* Where a word stands that is no part of a name or a string; length: none. */
static size_t find_word(cli_span s, const char *word)
{
    for (size_t at = 0; at < s.length;) {
        char c = s.data[at];
        if (c == '"' || c == '\'')
            at = skip_string(s, at);
        else if (starts(s, at, word) && (at == 0 || !is_name(s.data[at - 1])))
            return at;
        else
            at++;
    }
    return s.length;
}

static range find_callee(cli_span s)
{
    size_t begin = find_word(s, "self.");
    size_t end = begin + 5;
    if (begin == s.length) {
        begin = find_word(s, "pl.system.");
        end = begin + 10;
    }
    if (begin == s.length)
        return (range){0, 0};
    while (end < s.length && is_name(s.data[end]))
        end++;
    return (range){begin, end};
}

/* Behind an argument: at its comma, or at the bracket that ends them. */
static size_t behind_argument(cli_span s, size_t at)
{
    while (at < s.length && s.data[at] != ',' && !closes(s.data[at])) {
        if (opens(s.data[at]))
            at = behind_bracket(s, at);
        else if (s.data[at] == '"' || s.data[at] == '\'')
            at = skip_string(s, at);
        else
            at++;
    }
    return at;
}

/* self.f(ARGUMENTS) and pl.submit(self.f, ARGUMENTS) have the same ones. */
static range find_argument(cli_span s, int64_t index)
{
    size_t at = find_callee(s).end;
    for (; at < s.length && (s.data[at] == '(' || s.data[at] == ','); index--) {
        size_t begin = at + 1;
        while (begin < s.length && s.data[begin] == ' ')
            begin++;
        at = behind_argument(s, begin);
        if (index == 0)
            return (range){begin, at};
    }
    return (range){0, 0};
}

/* "name=value" as an argument. */
static range find_keyword(cli_span s, const char *name)
{
    size_t begin = find_word(s, name);
    return begin == s.length ? (range){0, 0}
                             : (range){begin, behind_argument(s, begin)};
}

/* The name, or the letter, at an offset; the end of the line is one, too. */
static range find_name(cli_span s, int64_t at)
{
    if (at < 0 || (uint64_t)at > s.length)
        return (range){0, 0};
    size_t begin = (size_t)at, end = begin;
    while (end < s.length && is_name(s.data[end]))
        end++;
    return (range){begin, end > begin ? end : begin + 1};
}

static range find_mark(cli_span s, const lint_mark *mark, size_t indent)
{
    range r = {0, 0};
    switch (mark->part) {
    case LINT_ARGUMENT:
        r = find_argument(s, mark->index);
        break;
    case LINT_DEPS:
        r = find_keyword(s, "deps=");
        break;
    case LINT_PREDICATE:
        r = find_keyword(s, "predicate=");
        break;
    case LINT_COLUMN:
        return find_name(s, mark->index - 1 - (int64_t)indent);
    case LINT_CALLEE:
        break;
    }
    return r.begin < r.end ? r : find_callee(s);
}

/* --- What is left out --- */

/* "name: TYPE = ...": the type. */
static range find_type(cli_span s)
{
    size_t at = 0, begin;
    while (at < s.length && is_name(s.data[at]))
        at++;
    if (!starts(s, at, ": "))
        return (range){0, 0};
    begin = at += 2;
    while (at < s.length && !starts(s, at, " = "))
        at = opens(s.data[at]) ? behind_bracket(s, at) : at + 1;
    return at < s.length ? (range){begin, at} : (range){0, 0};
}

static range find_attributes(cli_span s)
{
    size_t at = find_word(s, "attrs={");
    if (at == s.length)
        return (range){0, 0};
    size_t end = behind_bracket(s, at + 6);
    return (range){at, end};
}

typedef struct quotation {
    cli_text text;
    range marks[2];
} quotation;

/* Puts "..." in the place of a range; marks within it are lost. */
static void leave_out(quotation *q, range r)
{
    if (r.end - r.begin <= 3 || q->text.failed)
        return;
    char *data = q->text.data;
    memcpy(data + r.begin, "...", 3);
    memmove(data + r.begin + 3, data + r.end, q->text.length - r.end + 1);
    size_t less = r.end - r.begin - 3;
    q->text.length -= less;
    for (size_t i = 0; i < 2; i++) {
        range *m = &q->marks[i];
        if (m->begin >= r.end) {
            m->begin -= less;
            m->end -= less;
        } else if (m->end > r.begin) {
            *m = (range){0, 0};
        }
    }
}

static cli_span span_of(const cli_text *text)
{
    return (cli_span){text->data, text->length};
}

static size_t letter_start(const cli_text *text, size_t at)
{
    while (at > 0 && at < text->length &&
           ((unsigned char)text->data[at] & 0xc0) == 0x80)
        at--;
    return at;
}

/* What stands between the callee and an argument: "self.f(..., x". */
static range find_before(cli_span s, range mark)
{
    range callee = find_callee(s);
    size_t begin = callee.end + 1;
    while (begin < mark.begin && s.data[begin] == ' ')
        begin++;
    return callee.end > 0 && begin + 2 < mark.begin
               ? (range){begin, mark.begin - 2}
               : (range){0, 0};
}

/* What is still too long: a window with the first mark, and dots. */
static void shorten(quotation *q)
{
    if (q->text.length > WIDTH)
        leave_out(q, find_attributes(span_of(&q->text)));
    if (q->text.length > WIDTH)
        leave_out(q, find_type(span_of(&q->text)));
    if (q->marks[0].end > WIDTH)
        leave_out(q, find_before(span_of(&q->text), q->marks[0]));
    size_t begin = q->marks[0].begin, end = q->marks[0].end;
    if (end > WIDTH && begin > LEAD)
        leave_out(q, (range){0, letter_start(&q->text, begin - LEAD)});
    end = q->marks[0].end > WIDTH ? q->marks[0].end : WIDTH;
    if (q->text.length > end)
        leave_out(q, (range){letter_start(&q->text, end), q->text.length});
}

/* --- Quoting --- */

static size_t letters(const char *data, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++)
        n += ((unsigned char)data[i] & 0xc0) != 0x80;
    return n;
}

static void put_many(cli_text *out, char c, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cli_text_add(out, &c, 1);
}

static void put_mark(cli_text *out, const cli_text *line, range r,
                     const char *label)
{
    if (r.begin >= r.end || r.end > line->length + 1)
        return;
    cli_text_put(out, "        | ");
    put_many(out, ' ', letters(line->data, r.begin));
    put_many(out, '^', letters(line->data + r.begin, r.end - r.begin));
    if (*label != '\0')
        cli_text_put(out, " ");
    cli_text_put(out, label);
    cli_text_put(out, "\n");
}

/* Bytes that move a terminal, and tabs, as one column each. */
static void put_line(cli_text *out, const cli_text *line)
{
    for (size_t i = 0; i < line->length; i++) {
        unsigned char c = (unsigned char)line->data[i];
        cli_text_add(out, c < 0x20 || c == 0x7f ? " " : &line->data[i], 1);
    }
}

void lint_source_quote(cli_text *out, const lint_source *source, int64_t line,
                       const lint_mark *marks, size_t count)
{
    cli_span rest;
    quotation q = {0};
    size_t indent = 0;
    if (!from_line(&rest, source, line))
        return;
    if (count > 0 && marks[0].part == LINT_COLUMN)
        indent = read_line(&q.text, rest);
    else
        read_statement(&q.text, rest);
    if (q.text.length > 0) {
        for (size_t i = 0; i < count && i < 2; i++)
            q.marks[i] = find_mark(span_of(&q.text), &marks[i], indent);
        shorten(&q);
        cli_text_printf(out, "  %5lld | ", (long long)line);
        put_line(out, &q.text);
        cli_text_put(out, "\n");
        for (size_t i = 0; i < count && i < 2; i++)
            put_mark(out, &q.text, q.marks[i], marks[i].label);
    }
    out->failed |= q.text.failed;
    cli_text_free(&q.text);
}
