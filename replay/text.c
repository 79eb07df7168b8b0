#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"

#define FIRST_ROOM 4096

static bool make_room(replay_text *text, size_t more)
{
    if (text->failed || more >= SIZE_MAX / 4 - text->length) {
        text->failed = true;
        return false;
    }
    if (text->length + more <= text->room) {
        return true;
    }
    size_t room = text->room == 0 ? FIRST_ROOM : text->room;
    while (room < text->length + more) {
        room *= 2;
    }
    char *data = realloc(text->data, room);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->room = room;
    return true;
}

void replay_text_bytes(replay_text *text, const char *data, size_t length)
{
    if (length > 0 && make_room(text, length)) {
        memcpy(text->data + text->length, data, length);
        text->length += length;
    }
}

void replay_text_add(replay_text *text, const char *plain)
{
    replay_text_bytes(text, plain, strlen(plain));
}

void replay_text_number(replay_text *text, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    replay_text_bytes(text, digits + at, sizeof digits - at);
}

void replay_text_format(replay_text *text, const char *format, ...)
{
    char line[256];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (length < 0) {
        text->failed = true;
        return;
    }
    size_t most = sizeof line - 1;
    replay_text_bytes(text, line,
                      (size_t)length < most ? (size_t)length : most);
}

void replay_text_json(replay_text *text, const char *data, size_t length)
{
    size_t done = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)data[i];
        if (byte >= 0x20 && byte != '"' && byte != '\\') {
            continue;
        }
        replay_text_bytes(text, data + done, i - done);
        done = i + 1;
        if (byte < 0x20) {
            replay_text_format(text, "\\u%04x", (unsigned)byte);
        } else {
            replay_text_bytes(text, "\\", 1);
            replay_text_bytes(text, data + i, 1);
        }
    }
    replay_text_bytes(text, data + done, length - done);
}

/* --- Visible text --- */

/* Neither shown nor harmless: controls, marks of direction, no characters. */
static bool is_hidden(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0xad || c == 0x61c ||
           (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
           (c >= 0xfdd0 && c <= 0xfdef) || (c & 0xfffe) == 0xfffe ||
           (c >= 0xfff9 && c <= 0xfffb);
}

/* The character at the begin of valid UTF-8, and its bytes. */
static uint32_t decode(const char *data, size_t length, size_t *width)
{
    const unsigned char *byte = (const unsigned char *)data;
    size_t size = byte[0] < 0x80   ? 1
                  : byte[0] < 0xe0 ? 2
                  : byte[0] < 0xf0 ? 3
                                   : 4;
    *width = size <= length ? size : length;
    uint32_t c = size == 1 ? byte[0] : byte[0] & (0x7fu >> size);
    for (size_t i = 1; i < *width; i++) {
        c = c << 6 | (byte[i] & 0x3fu);
    }
    return c;
}

size_t replay_text_places(const char *data, size_t length, size_t *width)
{
    uint32_t c = decode(data, length, width);
    return is_hidden(c) ? (c > 0xffff ? 8 : 6) : c >= 0x800 ? 2 : 1;
}

static const char *escape_of(uint32_t c)
{
    return c == '<'   ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '&' ? "&amp;"
           : c == '"' ? "&quot;"
                      : NULL;
}

void replay_text_xml(replay_text *text, const char *data, size_t length)
{
    size_t done = 0, width;
    for (size_t i = 0; i < length; i += width) {
        uint32_t c = decode(data + i, length - i, &width);
        const char *other = escape_of(c);
        if (other == NULL && !is_hidden(c)) {
            continue;
        }
        replay_text_bytes(text, data + done, i - done);
        done = i + width;
        if (other != NULL) {
            replay_text_add(text, other);
        } else {
            replay_text_format(text, c > 0xffff ? "\\U%06x" : "\\u%04x",
                               (unsigned)c);
        }
    }
    replay_text_bytes(text, data + done, length - done);
}

replay_status replay_text_give(char **data, size_t *length, replay_text *text,
                               replay_error *error)
{
    replay_text_bytes(text, "", 1);
    if (text->failed) {
        free(text->data);
        *text = (replay_text){0};
        return replay_fail_memory(error);
    }
    *data = text->data;
    *length = text->length - 1;
    *text = (replay_text){0};
    return REPLAY_OK;
}
