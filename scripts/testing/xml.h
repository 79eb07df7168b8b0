/*
 * Whether a text is well-formed XML 1.0 of the kind that we write: elements,
 * attributes in double quotes, text, the five entities and numbers; no
 * comments, no sections, no document type.
 */
#ifndef TESTING_XML_H
#define TESTING_XML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define XML_DEPTH 16

typedef struct xml_text {
    const char *at, *end;
    const char *open[XML_DEPTH]; /* names of elements that are open */
    size_t depth, roots;
} xml_text;

static inline bool xml_is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '-' || c == '_';
}

static inline size_t xml_name(const char *at)
{
    size_t length = 0;
    while (xml_is_name(at[length]))
        length++;
    return length;
}

/* One character that XML 1.0 has, in UTF-8; 0: it is none. */
static inline size_t xml_character(const char *at, const char *end)
{
    const unsigned char *s = (const unsigned char *)at;
    if (s[0] < 0x80)
        return s[0] >= 0x20 || s[0] == '\t' || s[0] == '\n' || s[0] == '\r';
    size_t n = s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    if (n == 0 || s[0] > 0xf4 || (size_t)(end - at) < n)
        return 0;
    uint32_t point = s[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        point = point << 6 | (s[i] & 0x3fu);
    }
    bool wrong = (n == 3 && point < 0x800) || (n == 4 && point < 0x10000) ||
                 point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ||
                 point == 0xfffe || point == 0xffff;
    return wrong ? 0 : n;
}

static inline size_t xml_entity(const char *at)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;",
                                        "&apos;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(at, known[i], strlen(known[i])) == 0)
            return strlen(known[i]);
    size_t digits =
        strncmp(at, "&#", 2) == 0 ? strspn(at + 2, "0123456789") : 0;
    return digits > 0 && at[2 + digits] == ';' ? digits + 3 : 0;
}

/* Text up to one of the stops; "]]>" may not stand in it. */
static inline bool xml_data(xml_text *x, const char *stops)
{
    while (x->at < x->end && strchr(stops, *x->at) == NULL) {
        size_t n =
            *x->at == '&' ? xml_entity(x->at) : xml_character(x->at, x->end);
        if (n == 0 || *x->at == '<' || strncmp(x->at, "]]>", 3) == 0)
            return false;
        x->at += n;
    }
    return true;
}

static inline bool xml_attributes(xml_text *x)
{
    while (*x->at == ' ') {
        size_t length = xml_name(++x->at);
        if (length == 0 || strncmp(x->at + length, "=\"", 2) != 0)
            return false;
        x->at += length + 2;
        if (!xml_data(x, "\"") || *x->at++ != '"')
            return false;
    }
    return true;
}

static inline bool xml_close(xml_text *x)
{
    size_t length = xml_name(x->at);
    if (x->depth == 0 || length == 0 || x->at[length] != '>' ||
        strncmp(x->open[x->depth - 1], x->at, length) != 0 ||
        xml_is_name(x->open[x->depth - 1][length]))
        return false;
    x->depth--;
    x->at += length + 1;
    return true;
}

static inline bool xml_tag(xml_text *x)
{
    if (*++x->at == '/') {
        x->at++;
        return xml_close(x);
    }
    const char *name = x->at;
    size_t length = xml_name(name);
    x->at += length;
    x->roots += x->depth == 0;
    if (length == 0 || !xml_attributes(x))
        return false;
    if (strncmp(x->at, "/>", 2) == 0) {
        x->at += 2;
        return true;
    }
    if (*x->at++ != '>' || x->depth == XML_DEPTH)
        return false;
    x->open[x->depth++] = name;
    return true;
}

/* `text` ends with a NUL at `length`, and has none before. */
static inline bool xml_is_well_formed(const char *text, size_t length)
{
    static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
    xml_text x = {.at = text, .end = text + length};
    if (strlen(text) != length || strncmp(text, head, sizeof head - 1) != 0)
        return false;
    x.at += sizeof head - 1;
    while (x.at < x.end) {
        const char *before = x.at;
        if (*x.at == '<' ? !xml_tag(&x) : !xml_data(&x, "<"))
            return false;
        if (x.depth == 0 && *before != '<' &&
            strspn(before, "\n") != (size_t)(x.at - before))
            return false;
    }
    return x.depth == 0 && x.roots == 1;
}

#endif
