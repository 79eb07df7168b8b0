/* A growing buffer of bytes, NUL-terminated. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Zero-initialise. Once memory ran out every call does nothing and `failed`
 * stays set: check once, at the end. `data` is NULL while nothing was added.
 */
typedef struct cli_text {
    char *data;
    size_t length;
    size_t capacity;
    bool failed;
    int shared; /* the file whose pages they are; 0: they are from malloc */
} cli_text;

/* Room for `size` more bytes and a NUL; false when out of memory. */
bool cli_text_reserve(cli_text *text, size_t size);

/*
 * Room for `size` bytes and a NUL in an empty text, in memory that the process
 * can share with those that it has started; false: there is none, and nothing
 * has changed. A text that outgrows its room is not shared any more.
 */
bool cli_text_share(cli_text *text, size_t size);

/* The `length` bytes that the parent process shares as its file; else empty. */
typedef struct cli_mapping {
    const char *data;
    size_t length;
} cli_mapping;
cli_mapping cli_mapping_open(int64_t file, int64_t length);
void cli_mapping_close(cli_mapping *mapping);

void cli_text_add(cli_text *text, const void *data, size_t length);
void cli_text_put(cli_text *text, const char *string);
void cli_text_printf(cli_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A JSON string in ASCII, quotes included; invalid UTF-8 becomes U+FFFD. */
void cli_text_json(cli_text *text, const char *data, size_t length);
/* The same of a NUL-terminated string. */
void cli_text_quote(cli_text *text, const char *string);

/* Empty again; keeps the memory unless it grew beyond 1 MiB. */
void cli_text_clear(cli_text *text);
void cli_text_free(cli_text *text);

/*
 * The bytes of the first character, 0 when they are no valid UTF-8 (or length
 * is 0); *point is its code point.
 */
size_t cli_utf8_decode(uint32_t *point, const char *data, size_t length);

/* Neither shown nor harmless: controls, marks of direction, no characters. */
bool cli_is_hidden(uint32_t point);

/*
 * What people are shown of a text of others: characters that are hidden, and
 * bytes that are no UTF-8, stand there as their numbers: \x1B, \u202E.
 */
void cli_text_visible(cli_text *text, const char *data, size_t length);

#endif
