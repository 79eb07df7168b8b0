#include "fuzz/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fuzz_text_free(fuzz_text *text)
{
    free(text->data);
    *text = (fuzz_text){0};
}

void fuzz_text_clear(fuzz_text *text)
{
    text->length = 0;
    text->failed = false;
    text->depth = 0;
    text->after_key = false;
    if (text->data != NULL)
        text->data[0] = '\0';
}

static bool grow(fuzz_text *text, size_t more)
{
    if (text->failed)
        return false;
    size_t capacity = text->capacity < 256 ? 256 : text->capacity;
    while (capacity - text->length <= more) {
        if (capacity > SIZE_MAX / 2) {
            text->failed = true;
            return false;
        }
        capacity *= 2;
    }
    char *data = realloc(text->data, capacity);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

static inline bool reserve(fuzz_text *text, size_t more)
{
    return (!text->failed && text->capacity - text->length > more) ||
           grow(text, more);
}

void fuzz_put_bytes(fuzz_text *text, const char *data, size_t length)
{
    if (!reserve(text, length))
        return;
    if (length > 0)
        memcpy(text->data + text->length, data, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void fuzz_put(fuzz_text *text, const char *string)
{
    fuzz_put_bytes(text, string, strlen(string));
}

static void put_byte(fuzz_text *text, char byte)
{
    if (!reserve(text, 1))
        return;
    text->data[text->length++] = byte;
    text->data[text->length] = '\0';
}

static void new_line(fuzz_text *text)
{
    fuzz_put_bytes(text, "\n", 1);
    for (uint32_t i = 0; i < text->depth; i++)
        fuzz_put_bytes(text, "  ", 2);
}

/* What stands before an item of a list, a key, or a value behind its key. */
static void begin_item(fuzz_text *text)
{
    if (text->after_key) {
        text->after_key = false;
        return;
    }
    if (text->depth == 0)
        return;
    if (text->filled[text->depth - 1])
        put_byte(text, ',');
    if (text->filled[text->depth - 1] && text->layout == FUZZ_SPACED)
        put_byte(text, ' ');
    text->filled[text->depth - 1] = true;
    if (text->layout == FUZZ_PRETTY)
        new_line(text);
}

/* The bracket that was opened is remembered by the one that closes it. */
void fuzz_open(fuzz_text *text, char bracket)
{
    begin_item(text);
    put_byte(text, bracket);
    if (text->depth == FUZZ_DEPTH) {
        text->failed = true;
        return;
    }
    text->object[text->depth] = bracket == '{';
    text->filled[text->depth++] = false;
}

void fuzz_close(fuzz_text *text)
{
    if (text->depth == 0) {
        text->failed = true;
        return;
    }
    text->depth--;
    if (text->layout == FUZZ_PRETTY && text->filled[text->depth])
        new_line(text);
    put_byte(text, text->object[text->depth] ? '}' : ']');
}

static const bool escaped[256] = {
    [0 ... 0x1f] = true, ['"'] = true, ['\\'] = true};

/* The room for the longest escapes is taken first, then bytes are put. */
static void put_escaped(fuzz_text *text, const char *data, size_t length)
{
    if (length > SIZE_MAX / 8 || !reserve(text, 6 * length + 2))
        return;
    char *out = text->data + text->length;
    *out++ = '"';
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)data[i];
        if (!escaped[c]) {
            *out++ = (char)c;
        } else if (c < 0x20) {
            out += snprintf(out, 7, "\\u%04x", c);
        } else {
            *out++ = '\\';
            *out++ = (char)c;
        }
    }
    *out++ = '"';
    *out = '\0';
    text->length = (size_t)(out - text->data);
}

void fuzz_key(fuzz_text *text, const char *name)
{
    begin_item(text);
    put_escaped(text, name, strlen(name));
    put_byte(text, ':');
    if (text->layout != FUZZ_COMPACT)
        put_byte(text, ' ');
    text->after_key = true;
}

void fuzz_string_n(fuzz_text *text, const char *data, size_t length)
{
    begin_item(text);
    put_escaped(text, data, length);
}

void fuzz_string(fuzz_text *text, const char *string)
{
    fuzz_string_n(text, string, strlen(string));
}

void fuzz_int(fuzz_text *text, int64_t value)
{
    char digits[24];
    char *at = digits + sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    begin_item(text);
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        *--at = '-';
    fuzz_put_bytes(text, at, (size_t)(digits + sizeof digits - at));
}

void fuzz_raw_n(fuzz_text *text, const char *json, size_t length)
{
    begin_item(text);
    fuzz_put_bytes(text, json, length);
}

void fuzz_raw(fuzz_text *text, const char *json)
{
    fuzz_raw_n(text, json, strlen(json));
}

void fuzz_bool(fuzz_text *text, bool value)
{
    fuzz_raw(text, value ? "true" : "false");
}

void fuzz_null(fuzz_text *text)
{
    fuzz_raw(text, "null");
}

void fuzz_key_string(fuzz_text *text, const char *name, const char *string)
{
    fuzz_key(text, name);
    fuzz_string(text, string);
}

void fuzz_key_int(fuzz_text *text, const char *name, int64_t value)
{
    fuzz_key(text, name);
    fuzz_int(text, value);
}

void fuzz_key_bool(fuzz_text *text, const char *name, bool value)
{
    fuzz_key(text, name);
    fuzz_bool(text, value);
}
