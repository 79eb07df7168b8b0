/* Text that grows, and JSON strings in it. */
#include "finding.h"

#include "json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool grow(oracle_out *out, size_t more)
{
    if (out->failed || more > SIZE_MAX / 4 - out->length) {
        out->failed = true;
        return false;
    }
    size_t room = (out->length + more + 1) * 2;
    room = room < 256 ? 256 : room;
    char *grown = realloc(out->data, room);
    if (grown == NULL) {
        out->failed = true;
        return false;
    }
    out->data = grown;
    out->room = room;
    return true;
}

bool oracle_out_reserve(oracle_out *out, size_t more)
{
    return (!out->failed && out->room - out->length > more) || grow(out, more);
}

void oracle_out_int(oracle_out *out, int64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) {
        digits[--at] = '-';
    }
    oracle_out_raw(out, digits + at, sizeof digits - at);
}

/* Mostly there is room for the text already. */
void oracle_out_format(oracle_out *out, const char *format, ...)
{
    va_list args;
    size_t room = out->failed ? 0 : out->room - out->length;
    va_start(args, format);
    int length = vsnprintf(room == 0 ? NULL : out->data + out->length, room,
                           format, args);
    va_end(args);
    if (length < 0 || !oracle_out_reserve(out, (size_t)length)) {
        out->failed = true;
        return;
    }
    if ((size_t)length >= room) {
        va_start(args, format);
        vsnprintf(out->data + out->length, (size_t)length + 1, format, args);
        va_end(args);
    }
    out->length += (size_t)length;
}

static void escaped(oracle_out *out, unsigned char c)
{
    char text[8] = {'\\', (char)c};
    size_t length = 2;
    switch (c) {
    case '"':
    case '\\':
        break;
    case '\n':
        text[1] = 'n';
        break;
    case '\t':
        text[1] = 't';
        break;
    case '\r':
        text[1] = 'r';
        break;
    case '\b':
        text[1] = 'b';
        break;
    case '\f':
        text[1] = 'f';
        break;
    default:
        length = (size_t)snprintf(text, sizeof text, "\\u%04x", c);
    }
    oracle_out_raw(out, text, length);
}

static bool is_plain(char c)
{
    return (signed char)c >= 0x20 && c != '"' && c != '\\' && c != 0x7f;
}

void oracle_out_string(oracle_out *out, const char *text, size_t length)
{
    oracle_out_raw(out, "\"", 1);
    for (size_t i = 0, end = 0; i < length; i = end) {
        while (end < length && is_plain(text[end])) {
            end++;
        }
        size_t plain = end - i;
        size_t bytes = oracle_utf8_length(text + end, length - end);
        if (plain > 0) {
            oracle_out_raw(out, text + i, plain);
        } else if (bytes == 1) {
            escaped(out, (unsigned char)text[end++]);
        } else if (bytes == 0) {
            oracle_out_text(out, "\xef\xbf\xbd");
            end++;
        } else {
            oracle_out_raw(out, text + end, bytes);
            end += bytes;
        }
    }
    oracle_out_raw(out, "\"", 1);
}

void oracle_out_free(oracle_out *out)
{
    free(out->data);
    *out = (oracle_out){0};
}
