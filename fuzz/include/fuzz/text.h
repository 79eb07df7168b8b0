/*
 * The emitter of the generator: text that grows, and JSON into it. It is not
 * the planner's writer and not the oracle's: it says what it is told, in the
 * order and layout in which it is told, right or wrong.
 */
#ifndef FUZZ_TEXT_H
#define FUZZ_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUZZ_DEPTH 64

typedef enum fuzz_layout {
    FUZZ_COMPACT, /* no spaces */
    FUZZ_SPACED,  /* one behind ':' and ',' */
    FUZZ_PRETTY   /* indented by 2 */
} fuzz_layout;

/* Zero-initialise; free with fuzz_text_free, or use again after clearing. */
typedef struct fuzz_text {
    char *data; /* NUL behind it, NULL while empty */
    size_t length, capacity;
    bool failed; /* memory ran out: what was added since is not there */
    fuzz_layout layout;
    uint32_t depth;
    bool filled[FUZZ_DEPTH]; /* per open list or object: it has an item */
    bool object[FUZZ_DEPTH]; /* it is no list */
    bool after_key;
} fuzz_text;

void fuzz_text_free(fuzz_text *text);
/* Empties it and keeps its memory and layout. */
void fuzz_text_clear(fuzz_text *text);

/* Bytes as they are, at the end. */
void fuzz_put_bytes(fuzz_text *text, const char *data, size_t length);
void fuzz_put(fuzz_text *text, const char *string);

/* '{' or '[' as the next value, and its end; at most FUZZ_DEPTH at once. */
void fuzz_open(fuzz_text *text, char bracket);
void fuzz_close(fuzz_text *text);
/* The name of the next value, in an object. */
void fuzz_key(fuzz_text *text, const char *name);
/* Values: in a list, behind a key, or alone. A string is escaped. */
void fuzz_string(fuzz_text *text, const char *string);
void fuzz_string_n(fuzz_text *text, const char *data, size_t length);
void fuzz_int(fuzz_text *text, int64_t value);
void fuzz_bool(fuzz_text *text, bool value);
void fuzz_null(fuzz_text *text);
/* A value that is JSON already, or is meant to be none. */
void fuzz_raw(fuzz_text *text, const char *json);
void fuzz_raw_n(fuzz_text *text, const char *json, size_t length);

/* Key and value at once. */
void fuzz_key_string(fuzz_text *text, const char *name, const char *string);
void fuzz_key_int(fuzz_text *text, const char *name, int64_t value);
void fuzz_key_bool(fuzz_text *text, const char *name, bool value);

#endif
