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

/* What stands for the character at data[i], which *width bytes are of; NULL: it
   stands for itself. U+FFFE and U+FFFF are no characters. */
static const char *xml_for(const char *data, size_t i, size_t length,
                           size_t *width)
{
    unsigned char byte = (unsigned char)data[i];
    *width = 1;
    if (byte == 0xef && length - i >= 3 && (unsigned char)data[i + 1] == 0xbf &&
        (unsigned char)data[i + 2] >= 0xbe) {
        *width = 3;
        return "?";
    }
    switch (byte) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    default:
        return byte < 0x20 ? "?" : NULL;
    }
}

void replay_text_xml(replay_text *text, const char *data, size_t length)
{
    size_t done = 0, width;
    for (size_t i = 0; i < length; i += width) {
        const char *other = xml_for(data, i, length, &width);
        if (other != NULL) {
            replay_text_bytes(text, data + done, i - done);
            replay_text_add(text, other);
            done = i + width;
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
