#include "json.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    return at;
}

/* Behind the closing quote of the string that starts at `at`; NULL: none. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end; at++) {
        if (*at == '"')
            return at + 1;
        if (*at == '\\' && ++at == end)
            return NULL;
    }
    return NULL;
}

static bool is_atom(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z') || c == '-' || c == '+' || c == '.';
}

static const char *skip_atom(const char *at, const char *end)
{
    const char *start = at;
    while (at < end && is_atom(*at))
        at++;
    return at == start ? NULL : at;
}

static const char *skip_container(const char *at, const char *end)
{
    size_t depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = skip_string(at, end);
            if (at == NULL)
                return NULL;
            continue;
        }
        if (*at == '{' || *at == '[')
            depth++;
        if (*at == '}' || *at == ']')
            depth--;
        at++;
        if (depth == 0)
            return at;
    }
    return NULL;
}

static const char *skip_value(const char *at, const char *end)
{
    if (at == end)
        return NULL;
    if (*at == '"')
        return skip_string(at, end);
    if (*at == '{' || *at == '[')
        return skip_container(at, end);
    return skip_atom(at, end);
}

static bool open_walk(cli_walk *walk, cli_span value, char open, char close)
{
    const char *end = value.data + value.length;
    const char *at = skip_blanks(value.data, end);
    *walk = (cli_walk){.at = at, .end = end, .close = close};
    if (at == end || *at != open) {
        walk->failed = true;
        return false;
    }
    walk->at = at + 1;
    return true;
}

bool cli_walk_object(cli_walk *walk, cli_span value)
{
    return open_walk(walk, value, '{', '}');
}

bool cli_walk_array(cli_walk *walk, cli_span value)
{
    return open_walk(walk, value, '[', ']');
}

static bool fail(cli_walk *walk)
{
    walk->failed = true;
    return false;
}

/* Steps over the comma or the end; false when no member follows. */
static bool step(cli_walk *walk)
{
    walk->at = skip_blanks(walk->at, walk->end);
    if (walk->at == walk->end)
        return fail(walk);
    if (*walk->at == walk->close) {
        walk->at = skip_blanks(walk->at + 1, walk->end);
        if (walk->at != walk->end)
            walk->failed = true;
        return false;
    }
    if (walk->started) {
        if (*walk->at != ',')
            return fail(walk);
        walk->at = skip_blanks(walk->at + 1, walk->end);
    }
    walk->started = true;
    return true;
}

static bool read_key(cli_walk *walk, cli_span *key)
{
    const char *start = walk->at;
    if (start == walk->end || *start != '"')
        return fail(walk);
    const char *behind = skip_string(start, walk->end);
    if (behind == NULL)
        return fail(walk);
    *key = (cli_span){start + 1, (size_t)(behind - start) - 2};
    walk->at = skip_blanks(behind, walk->end);
    if (walk->at == walk->end || *walk->at != ':')
        return fail(walk);
    walk->at = skip_blanks(walk->at + 1, walk->end);
    return true;
}

bool cli_walk_next(cli_walk *walk, cli_span *key, cli_span *value)
{
    if (walk->failed || !step(walk))
        return false;
    *key = (cli_span){"", 0};
    if (walk->close == '}' && !read_key(walk, key))
        return false;
    const char *behind = skip_value(walk->at, walk->end);
    if (behind == NULL)
        return fail(walk);
    *value = (cli_span){walk->at, (size_t)(behind - walk->at)};
    walk->at = behind;
    return true;
}

bool cli_span_is(cli_span span, const char *string)
{
    size_t length = strlen(string);
    return span.length == length && memcmp(span.data, string, length) == 0;
}

bool cli_span_member(cli_span *value, cli_span object, const char *name)
{
    cli_walk walk;
    cli_span key, at;
    if (!cli_walk_object(&walk, object))
        return false;
    while (cli_walk_next(&walk, &key, &at)) {
        if (cli_span_is(key, name)) {
            *value = at;
            return true;
        }
    }
    return false;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static bool read_hex(uint32_t *out, const char *at, const char *end)
{
    if (end - at < 4)
        return false;
    *out = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(at[i]);
        if (digit < 0)
            return false;
        *out = *out << 4 | (uint32_t)digit;
    }
    return true;
}

/* Writers of the bytes of one character, which return behind them. */
static char *put_point(char *to, uint32_t point)
{
    if (point < 0x80) {
        *to++ = (char)point;
        return to;
    }
    if (point < 0x800) {
        *to++ = (char)(0xc0 | point >> 6);
    } else if (point < 0x10000) {
        *to++ = (char)(0xe0 | point >> 12);
        *to++ = (char)(0x80 | (point >> 6 & 0x3f));
    } else {
        *to++ = (char)(0xf0 | point >> 18);
        *to++ = (char)(0x80 | (point >> 12 & 0x3f));
        *to++ = (char)(0x80 | (point >> 6 & 0x3f));
    }
    *to++ = (char)(0x80 | (point & 0x3f));
    return to;
}

/* `at` is behind "\u"; returns behind the escape or the pair, NULL: bad. */
static const char *put_unicode(char **to, const char *at, const char *end)
{
    uint32_t point, low;
    if (!read_hex(&point, at, end))
        return NULL;
    at += 4;
    if (point >= 0xdc00 && point <= 0xdfff)
        return NULL;
    if (point >= 0xd800 && point <= 0xdbff) {
        if (end - at < 6 || at[0] != '\\' || at[1] != 'u' ||
            !read_hex(&low, at + 2, end) || low < 0xdc00 || low > 0xdfff)
            return NULL;
        at += 6;
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
    }
    *to = put_point(*to, point);
    return at;
}

/* `at` is behind the backslash. */
static const char *put_unescaped(char **to, const char *at, const char *end)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    if (at == end)
        return NULL;
    if (*at == '"') {
        *(*to)++ = '"';
        return at + 1;
    }
    if (*at == 'u')
        return put_unicode(to, at + 1, end);
    const char *letter = *at == '\0' ? NULL : strchr(letters, *at);
    if (letter == NULL)
        return NULL;
    *(*to)++ = meanings[letter - letters];
    return at + 1;
}

/* Copies the character at `at`; NULL when it is none that may stand there. */
static const char *put_character(char **to, const char *at, const char *end)
{
    uint32_t point;
    if (*at == '\\')
        return put_unescaped(to, at + 1, end);
    if (*at == '"' || (unsigned char)*at < 0x20)
        return NULL;
    size_t n = cli_utf8_decode(&point, at, (size_t)(end - at));
    for (size_t i = 0; i < n; i++)
        *(*to)++ = at[i];
    return n == 0 ? NULL : at + n;
}

static bool is_plain(char c)
{
    return (signed char)c >= 0x20 && c != '"' && c != '\\';
}

bool cli_span_text(cli_text *out, cli_span value)
{
    if (value.length < 2 || value.data[0] != '"' ||
        value.data[value.length - 1] != '"')
        return false;
    const char *at = value.data + 1;
    const char *end = value.data + value.length - 1;
    if (!cli_text_reserve(out, value.length)) /* no escape is shorter */
        return false;
    char *to = out->data + out->length;
    while (at < end) {
        while (at < end && is_plain(*at))
            *to++ = *at++;
        if (at < end)
            at = put_character(&to, at, end);
        if (at == NULL)
            break;
    }
    *to = '\0';
    out->length = (size_t)(to - out->data);
    return at != NULL;
}

bool cli_span_int(int64_t *out, cli_span value)
{
    size_t at = 0;
    bool negative = value.length > 0 && value.data[0] == '-';
    if (negative)
        at++;
    if (at == value.length)
        return false;
    int64_t n = 0;
    for (; at < value.length; at++) {
        if (value.data[at] < '0' || value.data[at] > '9')
            return false;
        int digit = value.data[at] - '0';
        if (__builtin_mul_overflow(n, 10, &n) ||
            __builtin_sub_overflow(n, digit, &n))
            return false;
    }
    if (negative)
        *out = n;
    else if (__builtin_sub_overflow((int64_t)0, n, out))
        return false;
    return true;
}
