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
} cli_text;

/* Room for `size` more bytes and a NUL; false when out of memory. */
bool cli_text_reserve(cli_text *text, size_t size);

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

#endif
