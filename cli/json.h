/*
 * A walk over JSON text without a tree: the lines of the protocol carry
 * documents of any size, which pass through here as bytes. Only as strict as
 * that needs: a document inside is read strictly by who judges it.
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "text.h"

typedef struct cli_span {
    const char *data;
    size_t length;
} cli_span;

/* Over the members of one object or the items of one array. */
typedef struct cli_walk {
    const char *at;
    const char *end;
    char close;
    bool started;
    bool failed;
} cli_walk;

/* False when the value is not an object ('{') or an array ('['). */
bool cli_walk_object(cli_walk *walk, cli_span value);
bool cli_walk_array(cli_walk *walk, cli_span value);

/*
 * The next member: key as written between its quotes (empty for an array) and
 * the bytes of its value, without blanks around. False at the end, and on
 * malformed text, which sets walk->failed. Text behind the closing bracket is
 * malformed too. A whole walk costs O(length).
 */
bool cli_walk_next(cli_walk *walk, cli_span *key, cli_span *value);

bool cli_span_is(cli_span span, const char *string);

/* The member `name` of an object, or false, and *value stays as it is. The
 * first one wins. */
bool cli_span_member(cli_span *value, cli_span object, const char *name);

/*
 * Adds the characters of a JSON string to `out`. False when it is no string,
 * or holds a lone surrogate, an unknown escape or invalid UTF-8.
 */
bool cli_span_text(cli_text *out, cli_span value);

/* A plain integer that fits; else false. */
bool cli_span_int(int64_t *out, cli_span value);

#endif
