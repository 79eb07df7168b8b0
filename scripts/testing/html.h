/*
 * Whether a text is HTML as we write it: every element is closed, in the right
 * order; values are in double quotes; no "<" or "&" stands for itself; no id
 * is there twice. What is in script and style is passed over, to their end.
 */
#ifndef TESTING_HTML_H
#define TESTING_HTML_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HTML_DEEP 64
#define HTML_NAME 24

typedef struct html_reader {
    const char *text, *at;
    char open[HTML_DEEP][HTML_NAME]; /* the elements that are open */
    size_t depth;
    char *problem;
    size_t size;
} html_reader;

__attribute__((format(printf, 2, 3))) static inline bool
html_fail(html_reader *r, const char *format, ...)
{
    int length = snprintf(r->problem, r->size,
                          "at byte %td, \"%.20s\": ", r->at - r->text, r->at);
    va_list arguments;
    va_start(arguments, format);
    if (length > 0 && (size_t)length < r->size)
        vsnprintf(r->problem + length, r->size - (size_t)length, format,
                  arguments);
    va_end(arguments);
    return false;
}

static inline bool html_is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '-';
}

static inline bool html_is_one_of(const char *word, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

static inline bool html_read_name(html_reader *r, char *name)
{
    size_t length = 0;
    for (; html_is_name(*r->at) && length + 1 < HTML_NAME; r->at++)
        name[length++] = *r->at;
    name[length] = '\0';
    return length > 0 && !html_is_name(*r->at) ? true : html_fail(r, "no name");
}

/* "&name;" or "&#39;" */
static inline bool html_read_reference(html_reader *r)
{
    size_t length = strspn(r->at + 1, "abcdefghijklmnopqrstuvwxyz#0123456789");
    if (length == 0 || r->at[length + 1] != ';')
        return html_fail(r, "an & for itself");
    r->at += length + 2;
    return true;
}

/* To a character that ends it. */
static inline bool html_read_text(html_reader *r, char end)
{
    while (*r->at != '\0' && *r->at != end) {
        unsigned char c = (unsigned char)*r->at;
        if (c == '<' || (c < 0x20 && c != '\n') || c == 0x7f)
            return html_fail(r, "a character that has to be escaped");
        if (c == '&' && !html_read_reference(r))
            return false;
        if (c != '&')
            r->at++;
    }
    return true;
}

static inline bool html_read_attributes(html_reader *r)
{
    char name[HTML_NAME];
    while (*r->at == ' ') {
        r->at++;
        if (*r->at == '/')
            break;
        if (!html_read_name(r, name))
            return false;
        if (strncmp(name, "on", 2) == 0 || strcmp(name, "style") == 0)
            return html_fail(r, "an attribute with code");
        if (*r->at != '=')
            continue;
        if (*++r->at != '"')
            return html_fail(r, "a value without quotes");
        r->at++;
        if (!html_read_text(r, '"'))
            return false;
        if (*r->at++ != '"')
            return html_fail(r, "a value without an end");
    }
    return true;
}

static inline bool html_read_end(html_reader *r)
{
    char name[HTML_NAME];
    r->at += 2;
    if (!html_read_name(r, name))
        return false;
    if (r->depth == 0 || strcmp(r->open[r->depth - 1], name) != 0)
        return html_fail(r, "</%s> closes <%s>", name,
                         r->depth == 0 ? "" : r->open[r->depth - 1]);
    r->depth--;
    return *r->at++ == '>' ? true : html_fail(r, "an end without >");
}

static inline bool html_read_begin(html_reader *r)
{
    static const char *const empty[] = {"meta", "input", NULL};
    static const char *const raw[] = {"script", "style", NULL};
    char name[HTML_NAME], end[HTML_NAME + 3];
    r->at++;
    if (!html_read_name(r, name) || !html_read_attributes(r))
        return false;
    bool closed = *r->at == '/';
    r->at += closed;
    if (*r->at++ != '>')
        return html_fail(r, "<%s without >", name);
    if (closed || html_is_one_of(name, empty))
        return true;
    if (r->depth == HTML_DEEP)
        return html_fail(r, "too deep");
    strcpy(r->open[r->depth++], name);
    if (!html_is_one_of(name, raw))
        return true;
    snprintf(end, sizeof end, "</%s>", name);
    const char *found = strstr(r->at, end);
    if (found == NULL)
        return html_fail(r, "<%s> without an end", name);
    r->at = found;
    return true;
}

static inline int html_compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static inline bool html_check_ids(html_reader *r)
{
    static const char mark[] = " id=\"";
    size_t count = 0, room = strlen(r->text) / sizeof mark + 1;
    char **ids = calloc(room, sizeof *ids);
    bool once = ids != NULL;
    for (const char *at = r->text; once && (at = strstr(at, mark)) != NULL;) {
        at += sizeof mark - 1;
        ids[count++] = strndup(at, strcspn(at, "\""));
        once = ids[count - 1] != NULL;
    }
    if (once)
        qsort(ids, count, sizeof *ids, html_compare);
    for (size_t i = 1; once && i < count; i++)
        if (strcmp(ids[i - 1], ids[i]) == 0)
            once = html_fail(r, "the id %s is there twice", ids[i]);
    for (size_t i = 0; i < count; i++)
        free(ids[i]);
    free(ids);
    return once;
}

/* False with a sentence in `problem`. O(length log length). */
static inline bool html_check(const char *text, char *problem, size_t size)
{
    static const char doctype[] = "<!DOCTYPE html>";
    html_reader r = {
        .text = text, .at = text, .problem = problem, .size = size};
    if (strncmp(text, doctype, sizeof doctype - 1) != 0)
        return html_fail(&r, "no %s", doctype);
    r.at += sizeof doctype - 1;
    while (*r.at != '\0') {
        bool ok = *r.at != '<'     ? html_read_text(&r, '<')
                  : r.at[1] == '/' ? html_read_end(&r)
                                   : html_read_begin(&r);
        if (!ok)
            return false;
    }
    if (r.depth > 0)
        return html_fail(&r, "<%s> is never closed", r.open[r.depth - 1]);
    return html_check_ids(&r);
}

#endif
