#include "writer.h"

#include "utf8.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define INDENT 2
#define FIRST ((size_t)4096)

static char *grow(sonata_json *w, size_t more)
{
    size_t needed = 0;
    if (w->failed)
        return NULL;
    if (__builtin_add_overflow(w->length, more, &needed) ||
        needed >= SIZE_MAX / 2) {
        w->failed = true;
        return NULL;
    }
    size_t capacity = w->capacity < FIRST ? FIRST : w->capacity;
    while (capacity <= needed)
        capacity *= 2;
    char *text = realloc(w->text, capacity);
    if (text == NULL) {
        w->failed = true;
        return NULL;
    }
    w->text = text;
    w->capacity = capacity;
    return w->text + w->length;
}

/* Room for `more` bytes and a NUL; NULL once memory ran out. */
static inline char *reserve(sonata_json *w, size_t more)
{
    if (!w->failed && w->capacity - w->length > more)
        return w->text + w->length;
    return grow(w, more);
}

static inline void put(sonata_json *w, const char *bytes, size_t count)
{
    char *place = reserve(w, count);
    if (place == NULL || count == 0)
        return;
    memcpy(place, bytes, count);
    w->length += count;
}

static inline void put_byte(sonata_json *w, char byte)
{
    char *place = reserve(w, 1);
    if (place == NULL)
        return;
    *place = byte;
    w->length++;
}

static void put_line(sonata_json *w, size_t depth)
{
    if (!w->pretty)
        return;
    char *place = reserve(w, 1 + depth * INDENT);
    if (place == NULL)
        return;
    *place = '\n';
    memset(place + 1, ' ', depth * INDENT);
    w->length += 1 + depth * INDENT;
}

static sonata_json_level *top(sonata_json *w)
{
    return w->depth == 0 ? NULL : &w->levels[w->depth - 1];
}

/* What stands before an item or a key: comma, line. */
static inline void begin_item(sonata_json *w)
{
    sonata_json_level *level = top(w);
    if (level == NULL)
        return;
    if (level->has_items)
        put_byte(w, ',');
    level->has_items = true;
    if (w->pretty)
        put_line(w, w->depth);
}

static inline void begin_value(sonata_json *w)
{
    if (w->after_key) {
        w->after_key = false;
        return;
    }
    assert(w->failed || (w->depth == 0 ? w->length == 0 : top(w)->is_array));
    begin_item(w);
}

static bool push(sonata_json *w, bool is_array)
{
    if (w->failed)
        return false;
    if (w->depth == w->level_capacity) {
        size_t capacity = w->level_capacity < 16 ? 16 : w->level_capacity * 2;
        sonata_json_level *levels =
            realloc(w->levels, capacity * sizeof *levels);
        if (levels == NULL) {
            w->failed = true;
            return false;
        }
        w->levels = levels;
        w->level_capacity = capacity;
    }
    w->levels[w->depth++] = (sonata_json_level){.is_array = is_array};
    return true;
}

static void open_container(sonata_json *w, bool is_array)
{
    begin_value(w);
    if (push(w, is_array))
        put_byte(w, is_array ? '[' : '{');
}

static void close_container(sonata_json *w, bool is_array)
{
    if (w->failed)
        return;
    assert(w->depth > 0 && top(w)->is_array == is_array && !w->after_key);
    bool has_items = top(w)->has_items;
    w->depth--;
    if (has_items)
        put_line(w, w->depth);
    put_byte(w, is_array ? ']' : '}');
}

void sonata_json_init(sonata_json *w, bool pretty)
{
    *w = (sonata_json){.pretty = pretty};
}

void sonata_json_object(sonata_json *w)
{
    open_container(w, false);
}

void sonata_json_end_object(sonata_json *w)
{
    close_container(w, false);
}

void sonata_json_array(sonata_json *w)
{
    open_container(w, true);
}

void sonata_json_end_array(sonata_json *w)
{
    close_container(w, true);
}

static bool is_plain(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

static void put_unit(sonata_json *w, uint32_t unit)
{
    static const char digits[] = "0123456789abcdef";
    char text[6] = {'\\', 'u'};
    for (int i = 0; i < 4; i++)
        text[2 + i] = digits[(unit >> (12 - 4 * i)) & 15];
    put(w, text, sizeof text);
}

static void put_escape(sonata_json *w, uint32_t point)
{
    static const char short_from[] = "\"\\\b\f\n\r\t";
    static const char short_to[] = "\"\\bfnrt";
    const char *at =
        point == 0 || point > 127 ? NULL : strchr(short_from, (int)point);
    if (at != NULL) {
        put_byte(w, '\\');
        put_byte(w, short_to[at - short_from]);
    } else if (point < 0x10000) {
        put_unit(w, point);
    } else {
        put_unit(w, 0xd800 + ((point - 0x10000) >> 10));
        put_unit(w, 0xdc00 + ((point - 0x10000) & 0x3ff));
    }
}

#define ONES UINT64_C(0x0101010101010101)
#define HIGH (ONES << 7)

static uint64_t has_zero(uint64_t word)
{
    return (word - ONES) & ~word & HIGH;
}

/* Whether one of eight bytes is not plain; one beyond ASCII is none. */
static bool is_odd(uint64_t word)
{
    return (has_zero(word ^ ONES * '"') | has_zero(word ^ ONES * '\\') |
            has_zero(word ^ ONES * 0x7f) | ((word - ONES * 0x20) & HIGH) |
            (word & HIGH)) != 0;
}

static uint64_t word_at(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    return word;
}

static size_t plain_length(const char *text, size_t length)
{
    size_t i = 0;
    while (length - i >= 8 && !is_odd(word_at(text + i)))
        i += 8;
    while (i < length && is_plain((unsigned char)text[i]))
        i++;
    return i;
}

static void put_escaped(sonata_json *w, const char *text, size_t length)
{
    size_t i = 0;
    put_byte(w, '"');
    while (i < length && !w->failed) {
        size_t plain = plain_length(text + i, length - i);
        put(w, text + i, plain);
        i += plain;
        if (i == length)
            break;
        uint32_t point = 0;
        size_t taken = sonata_utf8_decode(&point, text + i, length - i);
        put_escape(w, taken == 0 ? 0xfffd : point);
        i += taken == 0 ? 1 : taken;
    }
    put_byte(w, '"');
}

/* Returns true when nothing had to be escaped. */
static bool put_quoted(sonata_json *w, const char *text, size_t length)
{
    if (plain_length(text, length) < length) {
        put_escaped(w, text, length);
        return false;
    }
    char *place = length > SIZE_MAX - 2 ? NULL : reserve(w, length + 2);
    if (place == NULL)
        return true;
    place[0] = '"';
    if (length > 0)
        memcpy(place + 1, text, length);
    place[length + 1] = '"';
    w->length += length + 2;
    return true;
}

/* Plain keys compare as their bytes; for the others the caller is trusted. */
static bool is_in_order(const sonata_json *w, const char *key, size_t length)
{
    const sonata_json_level *level = &w->levels[w->depth - 1];
    if (!level->key_is_plain)
        return true;
    if (length > 0 && level->key_length > 0 && w->text[level->key_at] != *key)
        return (unsigned char)w->text[level->key_at] < (unsigned char)*key;
    size_t shorter = length < level->key_length ? length : level->key_length;
    int order = memcmp(w->text + level->key_at, key, shorter);
    return order != 0 ? order < 0 : level->key_length < length;
}

static void begin_key(sonata_json *w, const char *key, size_t length)
{
    assert(w->depth > 0 && !top(w)->is_array && !w->after_key);
    assert(is_in_order(w, key, length));
    begin_item(w);
}

static void end_key(sonata_json *w, size_t at, size_t length, bool is_plain)
{
    sonata_json_level *level = top(w);
    level->key_at = at;
    level->key_length = length;
    level->key_is_plain = is_plain;
    w->after_key = true;
}

void sonata_json_key_n(sonata_json *w, const char *key, size_t length)
{
    if (w->failed)
        return;
    begin_key(w, key, length);
    size_t at = w->length + 1;
    bool plain = put_quoted(w, key, length);
    put(w, ": ", w->pretty ? 2 : 1);
    end_key(w, at, length, plain);
}

void sonata_json_known_key(sonata_json *w, const char *key, size_t length)
{
    if (w->failed)
        return;
    begin_key(w, key, length);
    char *place = reserve(w, length + sizeof "\"\": " - 1);
    if (place == NULL)
        return;
    place[0] = '"';
    memcpy(place + 1, key, length);
    memcpy(place + 1 + length, "\": ", 3);
    size_t at = w->length + 1;
    w->length += length + (w->pretty ? 4 : 3);
    end_key(w, at, length, true);
}

void sonata_json_string_n(sonata_json *w, const char *text, size_t length)
{
    begin_value(w);
    put_quoted(w, text, length);
}

void sonata_json_string(sonata_json *w, const char *text)
{
    sonata_json_string_n(w, text, strlen(text));
}

void sonata_json_int(sonata_json *w, int64_t v)
{
    char digits[20];
    size_t at = sizeof digits;
    uint64_t rest = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (v < 0)
        digits[--at] = '-';
    begin_value(w);
    put(w, digits + at, sizeof digits - at);
}

void sonata_json_bool(sonata_json *w, bool v)
{
    begin_value(w);
    put(w, v ? "true" : "false", v ? 4 : 5);
}

void sonata_json_null(sonata_json *w)
{
    begin_value(w);
    put(w, "null", 4);
}

/* The end of the string that starts at text[i], behind its quote. */
static size_t skip_string(const char *text, size_t length, size_t i)
{
    for (i++; i < length && text[i] != '"'; i++)
        if (text[i] == '\\')
            i++;
    return i < length ? i + 1 : length;
}

static bool closes(char c)
{
    return c == '}' || c == ']';
}

/* Compact JSON laid out with indents: only what stands outside strings. */
static void put_pretty(sonata_json *w, const char *text, size_t length)
{
    size_t depth = w->depth;
    for (size_t i = 0; i < length && !w->failed;) {
        char c = text[i];
        if (c == '"') {
            size_t end = skip_string(text, length, i);
            put(w, text + i, end - i);
            i = end;
            continue;
        }
        bool opens = c == '{' || c == '[';
        if (opens && i + 1 < length && closes(text[i + 1])) {
            put(w, text + i, 2);
            i += 2;
            continue;
        }
        if (closes(c) && depth > 0)
            put_line(w, --depth);
        put_byte(w, c);
        if (opens)
            put_line(w, ++depth);
        else if (c == ',')
            put_line(w, depth);
        else if (c == ':')
            put_byte(w, ' ');
        i++;
    }
}

void sonata_json_raw(sonata_json *w, const char *text, size_t length)
{
    begin_value(w);
    if (w->pretty)
        put_pretty(w, text, length);
    else
        put(w, text, length);
}

bool sonata_json_ok(const sonata_json *w)
{
    return !w->failed;
}

char *sonata_json_take(sonata_json *w, size_t *length)
{
    assert(w->failed || (w->depth == 0 && !w->after_key));
    char *text = reserve(w, 1) == NULL ? NULL : w->text;
    if (text != NULL) {
        text[w->length] = '\0';
        if (length != NULL)
            *length = w->length;
        w->text = NULL;
    }
    bool pretty = w->pretty;
    sonata_json_free(w);
    w->pretty = pretty;
    return text;
}

void sonata_json_free(sonata_json *w)
{
    free(w->text);
    free(w->levels);
    *w = (sonata_json){0};
}
