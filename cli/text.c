#include "text.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEEP ((size_t)1 << 20)

static void release(cli_text *text)
{
    if (text->shared > 0) {
        munmap(text->data, text->capacity);
        close(text->shared);
        text->shared = 0;
    } else {
        free(text->data);
    }
}

bool cli_text_reserve(cli_text *text, size_t size)
{
    if (text->failed)
        return false;
    if (text->capacity - text->length > size)
        return true;
    if (size >= SIZE_MAX / 2 - text->length) {
        text->failed = true;
        return false;
    }
    size_t wanted = text->length + size + 1;
    size_t capacity = text->capacity < 64 ? 64 : text->capacity * 2;
    if (capacity < wanted)
        capacity = wanted;
    char *data = realloc(text->shared > 0 ? NULL : text->data, capacity);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    if (text->shared > 0) {
        memcpy(data, text->data, text->length + 1);
        release(text);
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

bool cli_text_share(cli_text *text, size_t size)
{
    if (text->data != NULL || text->failed || size >= SIZE_MAX / 2)
        return false;
    int file = memfd_create("counterpoint", MFD_CLOEXEC);
    void *data = MAP_FAILED;
    if (file > 0 && ftruncate(file, (off_t)size + 1) == 0)
        data =
            mmap(NULL, size + 1, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (data == MAP_FAILED) {
        if (file >= 0)
            close(file);
        return false;
    }
    text->data = data;
    text->capacity = size + 1;
    text->shared = file;
    return true;
}

cli_mapping cli_mapping_open(int64_t file, int64_t length)
{
    static const cli_mapping none = {NULL, 0};
    char path[64];
    struct stat info;
    snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)getppid(),
             (long long)file);
    int opened = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (opened < 0)
        return none;
    void *data = MAP_FAILED;
    if (length > 0 && fstat(opened, &info) == 0 && S_ISREG(info.st_mode) &&
        info.st_size > length)
        data = mmap(NULL, (size_t)length + 1, PROT_READ, MAP_SHARED, opened, 0);
    close(opened);
    return data == MAP_FAILED ? none : (cli_mapping){data, (size_t)length};
}

void cli_mapping_close(cli_mapping *mapping)
{
    if (mapping->data != NULL)
        munmap((void *)(uintptr_t)mapping->data, mapping->length + 1);
    *mapping = (cli_mapping){NULL, 0};
}

void cli_text_add(cli_text *text, const void *data, size_t length)
{
    if (!cli_text_reserve(text, length))
        return;
    if (length > 0)
        memcpy(text->data + text->length, data, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void cli_text_put(cli_text *text, const char *string)
{
    cli_text_add(text, string, strlen(string));
}

void cli_text_printf(cli_text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0) {
        text->failed = true;
        return;
    }
    if (!cli_text_reserve(text, (size_t)length))
        return;
    va_start(args, format);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, args);
    va_end(args);
    text->length += (size_t)length;
}

static size_t utf8_length(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first <= 0xdf)
        return 2;
    if (first >= 0xe0 && first <= 0xef)
        return 3;
    if (first >= 0xf0 && first <= 0xf4)
        return 4;
    return 0;
}

size_t cli_utf8_decode(uint32_t *point, const char *data, size_t length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    static const unsigned char mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    if (length == 0)
        return 0;
    size_t n = utf8_length((unsigned char)data[0]);
    if (n == 0 || n > length)
        return 0;
    uint32_t value = (unsigned char)data[0] & mask[n];
    for (size_t i = 1; i < n; i++) {
        unsigned char byte = (unsigned char)data[i];
        if ((byte & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (byte & 0x3f);
    }
    bool surrogate = value >= 0xd800 && value <= 0xdfff;
    if (value < least[n] || surrogate || value > 0x10ffff)
        return 0;
    *point = value;
    return n;
}

bool cli_is_hidden(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0xad || c == 0x61c ||
           c == 0x180e || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) ||
           c == 0xfeff || (c >= 0xfdd0 && c <= 0xfdef) ||
           (c & 0xfffe) == 0xfffe || (c >= 0xfff9 && c <= 0xfffb) ||
           (c >= 0xe0000 && c <= 0xe007f);
}

void cli_text_visible(cli_text *text, const char *data, size_t length)
{
    size_t done = 0, used;
    for (size_t at = 0; at < length; at += used) {
        uint32_t point = 0;
        size_t size = cli_utf8_decode(&point, data + at, length - at);
        used = size > 0 ? size : 1;
        if (size > 0 && !cli_is_hidden(point))
            continue;
        cli_text_add(text, data + done, at - done);
        done = at + used;
        if (size == 0)
            point = (unsigned char)data[at];
        cli_text_printf(text,
                        size <= 1         ? "\\x%02X"
                        : point <= 0xffff ? "\\u%04X"
                                          : "\\U%06X",
                        (unsigned)point);
    }
    cli_text_add(text, data + done, length - done);
}

/* What a byte is written as: PLAIN, itself; a letter behind a backslash; 0,
   the escape of its code point. */
#define PLAIN 1
static const char written[256] = {
    [0x20 ... 0x21] = PLAIN,
    [0x23 ... 0x5b] = PLAIN,
    [0x5d ... 0x7e] = PLAIN,
    ['"'] = '"',
    ['\\'] = '\\',
    ['\b'] = 'b',
    ['\f'] = 'f',
    ['\n'] = 'n',
    ['\r'] = 'r',
    ['\t'] = 't',
};

static char *put_code(char *to, uint32_t code)
{
    static const char digits[] = "0123456789abcdef";
    *to++ = '\\';
    *to++ = 'u';
    for (int shift = 12; shift >= 0; shift -= 4)
        *to++ = digits[code >> shift & 15];
    return to;
}

/* Behind what is written; *data is moved behind the character. */
static char *put_point(char *to, const char **data, const char *end)
{
    uint32_t point = 0xfffd;
    size_t n = cli_utf8_decode(&point, *data, (size_t)(end - *data));
    *data += n == 0 ? 1 : n;
    if (point < 0x10000)
        return put_code(to, point);
    to = put_code(to, 0xd800 + ((point - 0x10000) >> 10));
    return put_code(to, 0xdc00 + ((point - 0x10000) & 0x3ff));
}

/* Room is taken piece by piece: no byte is written as more than six, and the
   last character of a piece may reach beyond it. */
void cli_text_json(cli_text *text, const char *data, size_t length)
{
    enum { PIECE = 4096 };
    const char *end = length > 0 ? data + length : data; /* or NULL */
    cli_text_add(text, "\"", 1);
    while (data < end) {
        const char *stop = end - data > PIECE ? data + PIECE : end;
        if (!cli_text_reserve(text, 6 * (size_t)(stop - data) + 12))
            return;
        char *to = text->data + text->length;
        while (data < stop) {
            char as = written[(unsigned char)*data];
            if (as == 0) {
                to = put_point(to, &data, end);
                continue;
            }
            if (as != PLAIN)
                *to++ = '\\';
            *to++ = as == PLAIN ? *data : as;
            data++;
        }
        text->length = (size_t)(to - text->data);
    }
    cli_text_add(text, "\"", 1);
}

void cli_text_quote(cli_text *text, const char *string)
{
    cli_text_json(text, string, strlen(string));
}

void cli_text_clear(cli_text *text)
{
    if (text->capacity > KEEP) {
        cli_text_free(text);
        return;
    }
    text->length = 0;
    text->failed = false;
    if (text->data != NULL)
        text->data[0] = '\0';
}

void cli_text_free(cli_text *text)
{
    release(text);
    *text = (cli_text){0};
}
