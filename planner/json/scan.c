#include "scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "number.h"
#include "utf8.h"

typedef struct scanner {
    sonata_scan *scan;
    const char *text;
    size_t length;
    size_t at;
    size_t depth;
    char open[SONATA_DEPTH_OPEN];         /* '[' or '{', outermost first */
    size_t key;                           /* where the last one begins */
    size_t keys[SONATA_AROUND_DEPTH + 1]; /* ... before the outermost ones */
    const char *fault;                    /* NULL: none, or out of memory */
    size_t fault_at;
    sonata_status status;
} scanner;

static bool fail_as(scanner *s, sonata_status status, size_t at,
                    const char *fault)
{
    s->status = status;
    s->fault = fault;
    s->fault_at = at;
    return false;
}

static bool fail(scanner *s, size_t at, const char *fault)
{
    return fail_as(s, SONATA_SYNTAX, at, fault);
}

static bool fail_memory(scanner *s)
{
    return fail_as(s, SONATA_NO_MEMORY, s->at, NULL);
}

/* The character at the place, '\0' behind the end. */
static char peek(const scanner *s)
{
    return s->at < s->length ? s->text[s->at] : '\0';
}

static void skip_space(scanner *s)
{
    while (s->at < s->length &&
           (s->text[s->at] == ' ' || s->text[s->at] == '\n' ||
            s->text[s->at] == '\r' || s->text[s->at] == '\t'))
        s->at++;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool scan_digits(scanner *s)
{
    if (!is_digit(peek(s)))
        return fail(s, s->at, "a digit is missing in a number");
    while (is_digit(peek(s)))
        s->at++;
    return true;
}

/* Puts `with`, filled up with spaces, in the place of what cJSON would lose. */
static void hide(scanner *s, size_t from, const char *with)
{
    char *place = s->scan->text + from;
    size_t shown = strlen(with);
    memcpy(place, with, shown);
    memset(place + shown, ' ', s->at - from - shown);
}

static bool keep_number(scanner *s, size_t start)
{
    sonata_scan *scan = s->scan;
    sonata_text text = {s->text + start, s->at - start};
    double value = 0;
    sonata_text *numbers = sonata_grow(scan->numbers, &scan->number_room,
                                       scan->number_count, sizeof *numbers);
    if (numbers == NULL)
        return fail_memory(s);
    scan->numbers = numbers;
    numbers[scan->number_count++] = text;
    if (!sonata_number_is_float(text)) {
        hide(s, start, "0");
        return true;
    }
    if (!sonata_number_double(&value, text))
        return fail_memory(s);
    if (!isfinite(value))
        return fail_as(s, SONATA_RANGE, start,
                       "a number is beyond the largest double");
    hide(s, start, "0");
    return true;
}

static bool scan_number(scanner *s)
{
    size_t start = s->at;
    if (peek(s) == '-')
        s->at++;
    if (peek(s) == '0') {
        s->at++;
        if (is_digit(peek(s)))
            return fail(s, start, "a number starts with 0");
    } else if (!scan_digits(s)) {
        return false;
    }
    if (peek(s) == '.') {
        s->at++;
        if (!scan_digits(s))
            return false;
    }
    if (peek(s) == 'e' || peek(s) == 'E') {
        s->at++;
        if (peek(s) == '+' || peek(s) == '-')
            s->at++;
        if (!scan_digits(s))
            return false;
    }
    return keep_number(s, start);
}

static int hex_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The four digits behind \u; false when they are not there. */
static bool read_unit(uint32_t *unit, const char *text, size_t length)
{
    *unit = 0;
    for (size_t i = 0; i < 4; i++) {
        int digit = i < length ? hex_value(text[i]) : -1;
        if (digit < 0)
            return false;
        *unit = *unit * 16 + (uint32_t)digit;
    }
    return true;
}

/* The character of the \u escape at the place, whose end becomes the place. */
static bool scan_unicode(scanner *s, uint32_t *point)
{
    size_t start = s->at;
    uint32_t low = 0;
    if (!read_unit(point, s->text + start + 2, s->length - start - 2))
        return fail(s, start, "four hexadecimal digits are missing after \\u");
    s->at = start + 6;
    if (*point < 0xd800 || *point > 0xdfff)
        return true;
    bool paired = *point < 0xdc00 && s->length - s->at >= 6 &&
                  s->text[s->at] == '\\' && s->text[s->at + 1] == 'u' &&
                  read_unit(&low, s->text + s->at + 2, 4) && low >= 0xdc00 &&
                  low <= 0xdfff;
    if (!paired)
        return fail(s, start, "a surrogate stands alone");
    *point = 0x10000 + ((*point - 0xd800) << 10) + (low - 0xdc00);
    s->at += 6;
    return true;
}

/* The character that a backslash stands before; '\0': none of the short. */
static char short_escape(char c)
{
    static const char from[] = "\"\\/bfnrt";
    static const char to[] = "\"\\/\b\f\n\r\t";
    const char *place = c == '\0' ? NULL : strchr(from, c);
    return place == NULL ? '\0' : to[place - from];
}

static bool scan_escape(scanner *s, uint32_t *point)
{
    if (s->length - s->at < 2)
        return fail(s, s->at, "the text ends inside a string");
    char c = s->text[s->at + 1];
    if (c == 'u')
        return scan_unicode(s, point);
    *point = (uint32_t)short_escape(c);
    if (*point == 0)
        return fail(s, s->at, "an unknown escape");
    s->at += 2;
    return true;
}

/* The character at the place, plain or escaped, which is passed. */
static bool scan_character(scanner *s, uint32_t *point)
{
    if (s->text[s->at] == '\\')
        return scan_escape(s, point);
    if ((unsigned char)s->text[s->at] < 0x20)
        return fail(s, s->at, "a raw control character in a string");
    size_t size = sonata_utf8_decode(point, s->text + s->at, s->length - s->at);
    if (size == 0)
        return fail(s, s->at, "invalid UTF-8");
    s->at += size;
    return true;
}

static size_t put_character(char *out, uint32_t point)
{
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    size_t size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = size - 1; i > 0; i--, point >>= 6)
        out[i] = (char)(0x80 | (point & 0x3f));
    out[0] = (char)(lead[size] | point);
    return size;
}

/* Keeps the characters of the string from `start` to the place. */
static bool keep_string(scanner *s, size_t start)
{
    sonata_scan *scan = s->scan;
    sonata_text *strings = sonata_grow(scan->strings, &scan->string_room,
                                       scan->string_count, sizeof *strings);
    if (strings == NULL)
        return fail_memory(s);
    scan->strings = strings;
    size_t end = s->at;
    char *out = sonata_arena_alloc(&scan->arena, end - start);
    if (out == NULL)
        return fail_memory(s);
    size_t size = 0;
    uint32_t point = 0;
    for (s->at = start + 1; s->at < end - 1 && scan_character(s, &point);)
        size += put_character(out + size, point);
    strings[scan->string_count++] = (sonata_text){out, size};
    s->at = end;
    hide(s, start, (const char[]){'"', SONATA_MARK, '"', '\0'});
    return true;
}

static bool is_plain(char c)
{
    return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' &&
           c != '\\';
}

static bool scan_string(scanner *s)
{
    size_t start = s->at;
    bool has_nul = false;
    s->at++;
    for (;;) {
        while (s->at < s->length && is_plain(s->text[s->at]))
            s->at++;
        if (s->at == s->length)
            return fail(s, start, "this string is not closed");
        if (s->text[s->at] == '"')
            break;
        uint32_t point = 0;
        if (!scan_character(s, &point))
            return false;
        has_nul = has_nul || point == 0;
    }
    s->at++;
    return !has_nul || keep_string(s, start);
}

static bool scan_word(scanner *s)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t size = strlen(words[i]);
        if (s->length - s->at < size ||
            memcmp(s->text + s->at, words[i], size) != 0)
            continue;
        s->at += size;
        return true;
    }
    if (s->at == s->length)
        return fail(s, s->at, "the text ends where a value is expected");
    return fail(s, s->at, "a value is expected");
}

static bool scan_scalar(scanner *s)
{
    char c = peek(s);
    if (c == '"')
        return scan_string(s);
    if (c == '-' || is_digit(c))
        return scan_number(s);
    return scan_word(s);
}

static bool scan_key(scanner *s)
{
    skip_space(s);
    if (peek(s) != '"')
        return fail(s, s->at, "a key in quotes is expected");
    s->key = s->at;
    if (!scan_string(s))
        return false;
    skip_space(s);
    if (peek(s) != ':')
        return fail(s, s->at, "':' is expected");
    s->at++;
    return true;
}

static char closer(const scanner *s)
{
    return s->open[s->depth - 1] == '[' ? ']' : '}';
}

static bool has_key(const scanner *s, size_t depth, const char *key)
{
    return strncmp(s->text + s->keys[depth], key, strlen(key)) == 0;
}

/* The documents of a bundle's members are as deep as those alone, and so is the
 * Score of an eligibility result. */
static size_t depth_limit(const scanner *s)
{
    bool member = s->open[0] == '{' && s->open[1] == '[' && s->open[2] == '{' &&
                  has_key(s, 1, "\"members\"") && has_key(s, 3, "\"document\"");
    size_t around = member ? SONATA_MEMBER_DEPTH : 0;
    if (s->open[around] == '{' && has_key(s, around + 1, "\"score\""))
        around++;
    return SONATA_DEPTH_LIMIT + around;
}

/* Opens a container; *is_empty when it is closed at once. */
static bool scan_open(scanner *s, bool *is_empty)
{
    if (s->depth >= SONATA_DEPTH_LIMIT && s->depth == depth_limit(s))
        return fail_as(s, SONATA_RANGE, s->at,
                       "more than 512 arrays and objects are open");
    if (s->depth <= SONATA_AROUND_DEPTH)
        s->keys[s->depth] = s->key;
    s->open[s->depth++] = s->text[s->at++];
    skip_space(s);
    *is_empty = s->at < s->length && s->text[s->at] == closer(s);
    if (*is_empty) {
        s->at++;
        s->depth--;
        return true;
    }
    return s->open[s->depth - 1] == '[' || scan_key(s);
}

/* What follows a value: closers, then a comma, or the end (*is_end). */
static bool scan_after(scanner *s, bool *is_end)
{
    for (;;) {
        skip_space(s);
        *is_end = s->depth == 0;
        if (*is_end)
            return s->at == s->length ||
                   fail(s, s->at, "data after the document");
        if (s->at == s->length)
            return fail(s, s->at, "the text ends inside an array or object");
        char c = s->text[s->at];
        if (c == ',') {
            s->at++;
            return s->open[s->depth - 1] == '[' || scan_key(s);
        }
        if (c != closer(s))
            return fail(s, s->at,
                        closer(s) == ']' ? "',' or ']' is expected"
                                         : "',' or '}' is expected");
        s->at++;
        s->depth--;
    }
}

static bool scan_document(scanner *s)
{
    if (s->length >= 3 && memcmp(s->text, "\xef\xbb\xbf", 3) == 0)
        return fail(s, 0, "a byte order mark");
    bool is_end = false;
    while (!is_end) {
        bool is_whole = true;
        skip_space(s);
        if (peek(s) == '[' || peek(s) == '{') {
            if (!scan_open(s, &is_whole))
                return false;
        } else if (!scan_scalar(s)) {
            return false;
        }
        if (is_whole && !scan_after(s, &is_end))
            return false;
    }
    return true;
}

static sonata_status report(const scanner *s, sonata_error *error)
{
    if (s->status == SONATA_NO_MEMORY)
        return sonata_fail_memory(error);
    uint64_t line = 1;
    size_t line_start = 0;
    for (size_t i = 0; i < s->fault_at; i++) {
        if (s->text[i] != '\n')
            continue;
        line++;
        line_start = i + 1;
    }
    uint64_t column = (uint64_t)(s->fault_at - line_start) + 1;
    /* The rule is the same for what JSON allows and is not read here. */
    sonata_fail(error, s->status, "doc.syntax",
                "%s (line %llu, column %llu, offset %zu)", s->fault,
                (unsigned long long)line, (unsigned long long)column,
                s->fault_at);
    if (error != NULL) {
        error->line = line;
        error->column = column;
        error->offset = s->fault_at;
    }
    return s->status;
}

sonata_status sonata_scan_text(sonata_scan *scan, const char *text,
                               size_t length, sonata_error *error)
{
    *scan = (sonata_scan){0};
    if (length == SIZE_MAX)
        return sonata_fail_memory(error);
    scan->text = malloc(length + 1);
    if (scan->text == NULL)
        return sonata_fail_memory(error);
    if (length > 0)
        memcpy(scan->text, text, length);
    scan->text[length] = '\0';
    scanner s = {.scan = scan, .text = text, .length = length};
    return scan_document(&s) ? SONATA_OK : report(&s, error);
}

void sonata_scan_free(sonata_scan *scan)
{
    free(scan->text);
    free(scan->numbers);
    free(scan->strings);
    sonata_arena_free(&scan->arena);
    *scan = (sonata_scan){0};
}
