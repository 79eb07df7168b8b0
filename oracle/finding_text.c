/* Text that grows, and JSON strings in it. */
#include "finding.h"

#include "json.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(oracle_out *out, size_t more)
{
    if (out->failed || more > SIZE_MAX / 4 - out->length) {
        out->failed = true;
        return false;
    }
    if (out->length + more + 1 <= out->room) {
        return true;
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

void oracle_out_raw(oracle_out *out, const char *text, size_t length)
{
    if (reserve(out, length)) {
        memcpy(out->data + out->length, text, length);
        out->length += length;
        out->data[out->length] = '\0';
    }
}

void oracle_out_text(oracle_out *out, const char *text)
{
    oracle_out_raw(out, text, strlen(text));
}

void oracle_out_int(oracle_out *out, int64_t value)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRId64, value);
    oracle_out_raw(out, digits, (size_t)length);
}

void oracle_out_format(oracle_out *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0 || !reserve(out, (size_t)length)) {
        out->failed = true;
        return;
    }
    va_start(args, format);
    vsnprintf(out->data + out->length, (size_t)length + 1, format, args);
    va_end(args);
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

void oracle_out_string(oracle_out *out, const char *text, size_t length)
{
    oracle_out_raw(out, "\"", 1);
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)text[i];
        size_t bytes = oracle_utf8_length(text + i, length - i);
        if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f) {
            escaped(out, c);
            i++;
        } else if (bytes == 0) {
            oracle_out_text(out, "\xef\xbf\xbd");
            i++;
        } else {
            oracle_out_raw(out, text + i, bytes);
            i += bytes;
        }
    }
    oracle_out_raw(out, "\"", 1);
}

void oracle_out_free(oracle_out *out)
{
    free(out->data);
    *out = (oracle_out){0};
}
