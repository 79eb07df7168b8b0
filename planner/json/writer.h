/*
 * The canonical JSON writer (spec 01): Python's json.dumps(sort_keys=True)
 * byte for byte, compact (separators "," and ":") or pretty (indent 2).
 *
 * It streams into one growing buffer. The caller gives the keys of an object
 * in order of their code points; a wrong order is a fault of the caller and
 * asserted. After a failed allocation every call does nothing, and
 * sonata_json_take returns NULL: check once, at the end.
 */
#ifndef SONATA_WRITER_H
#define SONATA_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct sonata_json_level {
    bool is_array;
    bool has_items;
    bool key_is_plain; /* the last key was written without an escape */
    size_t key_at;     /* of the last key in the text */
    size_t key_length;
} sonata_json_level;

typedef struct sonata_json {
    char *text;
    size_t length;
    size_t capacity;
    sonata_json_level *levels; /* containers now open, outermost first */
    size_t depth;
    size_t level_capacity;
    bool pretty;
    bool after_key; /* a key waits for its value */
    bool failed;
} sonata_json;

/* An empty document. Allocates nothing yet. */
void sonata_json_init(sonata_json *w, bool pretty);

void sonata_json_object(sonata_json *w);
void sonata_json_end_object(sonata_json *w);
void sonata_json_array(sonata_json *w);
void sonata_json_end_array(sonata_json *w);

/*
 * The key of the next value: a name that the code knows, of printable ASCII
 * without quotes and backslashes, which is not looked at; or `length` bytes of
 * UTF-8.
 */
void sonata_json_known_key(sonata_json *w, const char *key, size_t length);
static inline void sonata_json_key(sonata_json *w, const char *key)
{
    sonata_json_known_key(w, key, strlen(key));
}
void sonata_json_key_n(sonata_json *w, const char *key, size_t length);

/*
 * A string in UTF-8, U+0000 allowed in the form with a length. A byte that is
 * not part of valid UTF-8 is written as U+FFFD: readers refuse such input
 * before it comes here.
 */
void sonata_json_string(sonata_json *w, const char *text);
void sonata_json_string_n(sonata_json *w, const char *text, size_t length);

void sonata_json_int(sonata_json *w, int64_t v);
void sonata_json_bool(sonata_json *w, bool v);
void sonata_json_null(sonata_json *w);

/*
 * A complete value already serialised: canonical compact JSON. In the pretty
 * layout it is laid out anew, at the present depth.
 */
void sonata_json_raw(sonata_json *w, const char *text, size_t length);

/* False once memory ran out. */
bool sonata_json_ok(const sonata_json *w);

/*
 * The finished text, NUL-terminated (*length without the NUL; length may be
 * NULL); the caller frees it with free(). NULL after a failure. Every
 * container must be closed. The writer is empty afterwards and holds no
 * memory.
 */
char *sonata_json_take(sonata_json *w, size_t *length);

/* Drops everything; allowed at any point, and after sonata_json_take. */
void sonata_json_free(sonata_json *w);

#endif
