#include "text.h"

#include "reports/command.h"

#include <stdlib.h>
#include <string.h>

/* --- Characters --- */

static bool continues(unsigned char c)
{
    return (c & 0xc0) == 0x80;
}

size_t report_decode(uint32_t *point, const char *text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *s = (const unsigned char *)text;
    size_t n = s[0] < 0x80   ? 1
               : s[0] < 0xc2 ? 0
               : s[0] < 0xe0 ? 2
               : s[0] < 0xf0 ? 3
               : s[0] < 0xf5 ? 4
                             : 0;
    if (n <= 1) {
        *point = s[0];
        return n;
    }
    uint32_t value = s[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if (!continues(s[i]))
            return 0;
        value = value << 6 | (s[i] & 0x3fu);
    }
    *point = value;
    bool surrogate = value >= 0xd800 && value <= 0xdfff;
    return value < least[n] || value > 0x10ffff || surrogate ? 0 : n;
}

/*
 * Controls, and what is not seen or changes how its neighbours are: marks of
 * direction, zero widths, line ends of Unicode, tags, no characters at all.
 */
static bool is_hidden(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},
        {0x61c, 0x61c},   {0x180e, 0x180e}, {0x200b, 0x200f},
        {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfdd0, 0xfdef},
        {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
    };
    if ((point & 0xfffe) == 0xfffe)
        return true;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (point >= ranges[i].first && point <= ranges[i].last)
            return true;
    return false;
}

/* --- Forms --- */

/* NULL: the character stands for itself. */
static const char *in_xml(char c)
{
    return c == '&'   ? "&amp;"
           : c == '<' ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '"' ? "&quot;"
                      : NULL;
}

static const char *in_json(char c)
{
    return c == '"' ? "\\\"" : c == '\\' ? "\\\\" : NULL;
}

static const char *in_tap(char c)
{
    return c == '#' ? "\\#" : c == '\\' ? "\\\\" : NULL;
}

static const char *in_data(char c)
{
    return c == '%' ? "%25" : NULL;
}

static const char *in_property(char c)
{
    return c == ':' ? "%3A" : c == ',' ? "%2C" : in_data(c);
}

/* Numbers: what stands for a character is no markup. */
static const char *in_markdown(char c)
{
    static const struct {
        char c;
        const char *text;
    } marks[] = {
        {'!', "&#33;"},  {'"', "&#34;"},  {'#', "&#35;"},  {'$', "&#36;"},
        {'&', "&#38;"},  {'\'', "&#39;"}, {'(', "&#40;"},  {')', "&#41;"},
        {'*', "&#42;"},  {'+', "&#43;"},  {':', "&#58;"},  {'<', "&#60;"},
        {'=', "&#61;"},  {'>', "&#62;"},  {'@', "&#64;"},  {'[', "&#91;"},
        {'\\', "&#92;"}, {']', "&#93;"},  {'^', "&#94;"},  {'_', "&#95;"},
        {'`', "&#96;"},  {'{', "&#123;"}, {'|', "&#124;"}, {'}', "&#125;"},
        {'~', "&#126;"},
    };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (marks[i].c == c)
            return marks[i].text;
    return NULL;
}

static const char *escape(report_form form, char c)
{
    switch (form) {
    case REPORT_XML:
        return in_xml(c);
    case REPORT_JSON:
    case REPORT_SARIF:
        return in_json(c);
    case REPORT_TAP:
        return in_tap(c);
    case REPORT_DATA:
        return in_data(c);
    case REPORT_PROPERTY:
        return in_property(c);
    case REPORT_MARKDOWN:
        return in_markdown(c);
    case REPORT_PLAIN:
        break;
    }
    return NULL;
}

static void put_char(FILE *out, report_form form, char c)
{
    const char *text = escape(form, c);
    if (text != NULL)
        fputs(text, out);
    else
        putc(c, out);
}

static void put_ascii(FILE *out, report_form form, const char *text)
{
    for (; *text != '\0'; text++)
        put_char(out, form, *text);
}

static void put_hidden(FILE *out, report_form form, uint32_t point, bool byte)
{
    char text[16];
    snprintf(text, sizeof text,
             byte              ? "\\x%02X"
             : point <= 0xffff ? "\\u%04X"
                               : "\\U%06X",
             (unsigned)point);
    put_ascii(out, form, text);
}

/* "www." becomes a link by itself, "](" between brackets does. */
static void put_before(FILE *out, report_form form, const char *text,
                       size_t before)
{
    if (form == REPORT_SARIF && before > 0 && text[0] == '(' && text[-1] == ']')
        putc(' ', out);
    if (form == REPORT_MARKDOWN && text[0] == '.' && before > 2 &&
        (text[-1] | 0x20) == 'w' && (text[-2] | 0x20) == 'w' &&
        (text[-3] | 0x20) == 'w')
        fputs("<!-- -->", out);
}

void report_put(FILE *out, report_form form, const char *text)
{
    size_t at = 0, length;
    uint32_t point;
    if (text == NULL)
        return;
    for (; text[at] != '\0'; at += length) {
        length = report_decode(&point, text + at);
        if (length == 0)
            put_hidden(out, form, (unsigned char)text[at], true);
        else if (is_hidden(point))
            put_hidden(out, form, point, point < 0x80);
        else if (length > 1)
            fwrite(text + at, 1, length, out);
        else {
            put_before(out, form, text + at, at);
            put_char(out, form, text[at]);
        }
        length += length == 0;
    }
}

void report_put_start(FILE *out, report_form form, const char *text,
                      size_t most)
{
    size_t length = strlen(text);
    char *start = length > most ? strndup(text, most) : NULL;
    if (start == NULL) {
        report_put(out, form, text);
        return;
    }
    while (most > 0 && continues((unsigned char)text[most]))
        most--;
    start[most] = '\0';
    report_put(out, form, start);
    fputs("\u2026", out);
    free(start);
}

void report_put_string(FILE *out, const char *text)
{
    putc('"', out);
    report_put(out, REPORT_JSON, text);
    putc('"', out);
}

static void put_point(FILE *out, uint32_t point)
{
    if (point >= 0x10000) {
        fprintf(out, "\\u%04x", (unsigned)(0xd7c0 + (point >> 10)));
        point = 0xdc00 + (point & 0x3ff);
    }
    fprintf(out, "\\u%04x", (unsigned)point);
}

bool report_put_exact(FILE *out, const char *text, size_t length,
                      const char *escaped)
{
    bool whole = true;
    size_t n;
    putc('"', out);
    for (size_t at = 0; at < length; at += n) {
        char next[5] = "";
        uint32_t point;
        memcpy(next, text + at, length - at < 4 ? length - at : 4);
        n = report_decode(&point, next);
        whole = whole && n > 0;
        if (n == 0)
            put_point(out, 0xfffd);
        else if (in_json(next[0]) != NULL)
            fputs(in_json(next[0]), out);
        else if (is_hidden(point) ||
                 (n == 1 && strchr(escaped, next[0]) != NULL))
            put_point(out, point);
        else
            fwrite(next, 1, n, out);
        n += n == 0;
    }
    putc('"', out);
    return whole;
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || (c != '\0' && strchr("-._~/", c) != NULL);
}

void report_put_uri(FILE *out, const char *path)
{
    for (; *path != '\0'; path++)
        if (is_plain(*path))
            putc(*path, out);
        else
            fprintf(out, "%%%02X", (unsigned char)*path);
}

void report_put_page(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text != '\0'; text++)
        if (*text == '\n')
            fputs("\\n", out);
        else
            put_char(out, REPORT_JSON, *text);
    putc('"', out);
}

/* --- Words for a shell --- */

typedef enum quoting { NONE, QUOTES, NUMBERS } quoting;

static quoting quoting_of(const char *text)
{
    quoting needed = *text == '\0' ? QUOTES : NONE;
    size_t length;
    uint32_t point;
    for (; *text != '\0'; text += length) {
        length = report_decode(&point, text);
        if (length == 0 || is_hidden(point))
            return NUMBERS;
        if (length > 1 || !(is_plain(*text) || strchr(":=,@%+", *text)))
            needed = QUOTES;
        needed = *text == '~' ? QUOTES : needed;
    }
    return needed;
}

static char *put_quoted(char *to, const char *text)
{
    *to++ = '\'';
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            memcpy(to, "'\\'", 3);
            to += 3;
        }
        *to++ = *text;
    }
    *to++ = '\'';
    return to;
}

/* printf takes octal numbers in every shell, $'...' is not of all; but what is
   put in loses the line ends behind it. */
static char *put_numbers(char *to, const char *text)
{
    size_t length = strlen(text), ends = 0;
    while (ends < length && text[length - ends - 1] == '\n')
        ends++;
    to = stpcpy(to, "\"$(printf '");
    for (size_t i = 0; i < length - ends; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == ' ' || (is_plain(text[i]) && (i > 0 || c != '-')))
            *to++ = text[i];
        else if (c == '%')
            to = stpcpy(to, "%%");
        else
            to += sprintf(to, "\\%03o", c);
    }
    to = stpcpy(to, "')\"");
    while (ends-- > 0)
        to = stpcpy(to, "$'\\n'");
    return to;
}

char *report_shell_word(const char *text)
{
    char *word = malloc(5 * strlen(text) + sizeof "\"$(printf '')\"");
    quoting how = quoting_of(text);
    if (word == NULL)
        return NULL;
    char *end = how == NUMBERS  ? put_numbers(word, text)
                : how == QUOTES ? put_quoted(word, text)
                                : stpcpy(word, text);
    *end = '\0';
    return word;
}

/* --- Places --- */

/* Takes "." and ".." out of an absolute path, in place. */
static void tidy(char *path)
{
    size_t end = 0;
    for (const char *at = path; *at != '\0';) {
        size_t length = strcspn(++at, "/");
        bool up = length == 2 && at[0] == '.' && at[1] == '.';
        if (up)
            while (end > 0 && path[--end] != '/')
                ;
        else if (length > 0 && !(length == 1 && at[0] == '.')) {
            path[end++] = '/';
            memmove(path + end, at, length);
            end += length;
        }
        at += length;
    }
    if (end == 0)
        path[end++] = '/';
    path[end] = '\0';
}

static char *join(const char *folder, const char *path)
{
    size_t a = path[0] == '/' ? 0 : strlen(folder), b = strlen(path);
    char *whole = malloc(a + b + 2);
    if (whole == NULL)
        return NULL;
    memcpy(whole, folder, a);
    if (a > 0)
        whole[a++] = '/';
    memcpy(whole + a, path, b + 1);
    return whole;
}

char *report_place(const char *path, const char *folder)
{
    if (folder == NULL || folder[0] != '/' || path[0] == '\0')
        return strdup(path);
    char *whole = join(folder, path), *above = join(folder, folder);
    if (whole != NULL && above != NULL) {
        tidy(whole);
        tidy(above);
        size_t n = strcmp(above, "/") == 0 ? 0 : strlen(above);
        size_t length = strlen(whole);
        if (length > n + 1 && strncmp(whole, above, n) == 0 && whole[n] == '/')
            memmove(whole, whole + n + 1, length - n);
    }
    if (above == NULL) {
        free(whole);
        whole = NULL;
    }
    free(above);
    return whole;
}
