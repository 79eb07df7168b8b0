/* Texts, and messages put together from pieces. */
#ifndef SONATA_JSON_TEXT_H
#define SONATA_JSON_TEXT_H

#include <string.h>

#include "sonata/score.h"

#include "arena.h"

bool sonata_text_equal(sonata_text a, sonata_text b);

/* Inline: the length of a word that the code knows costs nothing. */
static inline bool sonata_text_is(sonata_text a, const char *word)
{
    return a.text != NULL && a.length == strlen(word) &&
           memcmp(a.text, word, a.length) == 0;
}

static inline bool sonata_text_starts(sonata_text a, const char *prefix)
{
    size_t length = strlen(prefix);
    return a.length >= length && memcmp(a.text, prefix, length) == 0;
}

/* The decimal digits of a number; a null text when out of memory. */
sonata_text sonata_text_int(sonata_arena *arena, int64_t value);

/* The pieces one after another; a null piece or no memory gives a null text. */
sonata_text sonata_text_join(sonata_arena *arena, const sonata_text *pieces,
                             size_t count);

#define SONATA_JOIN(arena, ...)                                                \
    sonata_text_join((arena), (const sonata_text[]){__VA_ARGS__},              \
                     sizeof((const sonata_text[]){__VA_ARGS__}) /              \
                         sizeof(sonata_text))

/*
 * Fills the error record (when it is not NULL) and returns its status, so that
 * a failing function can end with `return sonata_fail(...)`.
 */
sonata_status sonata_fail(sonata_error *error, sonata_status status,
                          const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

sonata_status sonata_fail_memory(sonata_error *error);

#endif
