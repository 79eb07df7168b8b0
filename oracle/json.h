/*
 * Strict JSON (RFC 8259, UTF-8) as a flat array of nodes in the order of the
 * text, eight bytes each; texts and numbers stay in the text. The text must
 * outlive the tree.
 *
 * A folded tree has no nodes for the items of the long lists in its root
 * object. They are parsed again from the text, one after the other, behind the
 * nodes that stay; so a document of any length needs the room of one item.
 */
#ifndef ORACLE_JSON_H
#define ORACLE_JSON_H

#include "arena.h"
#include "oracle/document.h"

#define ORACLE_JSON_DEPTH 512
/* What a bundle has around the document of a member. */
#define ORACLE_JSON_MEMBER 3
/* A bundle around documents of that depth, an eligibility result around its
 * Score, and what is around the bundle. */
#define ORACLE_JSON_OPEN (ORACLE_JSON_DEPTH + 8)

typedef enum oracle_json_type {
    ORACLE_JSON_NULL,
    ORACLE_JSON_FALSE,
    ORACLE_JSON_TRUE,
    ORACLE_JSON_NUMBER,
    ORACLE_JSON_STRING,
    ORACLE_JSON_ARRAY,
    ORACLE_JSON_OBJECT
} oracle_json_type;

/*
 * extent: bytes of the token for a scalar (quotes included), the index behind
 * the last descendant for an array or object. The members of an object are
 * key, value, key, value behind it.
 */
typedef struct oracle_json_node {
    uint32_t offset;
    uint32_t type : 3;
    uint32_t extent : 29;
} oracle_json_node;

typedef struct oracle_json {
    const char *text;
    size_t length;
    oracle_json_node *nodes; /* node 0 is the root */
    uint32_t count;
    uint32_t capacity;
    bool escapes;         /* some string has one */
    bool folded;          /* some list is */
    uint32_t fixed;       /* nodes that stay; at it an item of such a list: */
    uint32_t list, index; /* ... which one */
} oracle_json;

/* A place in a list whose items are looked at one after the other. */
typedef struct oracle_json_items {
    uint32_t list, end;
    uint32_t index; /* of the item; ORACLE_NONE: before the first */
    uint32_t node;  /* the item */
    size_t at;      /* behind the item in the text, when the list is folded */
    bool folded;
    bool failed; /* out of memory: the list ended early */
} oracle_json_items;

/*
 * Parses the whole text; refuses what spec 01 names (NaN, lone surrogates, a
 * byte order mark, depth beyond 512, a number beyond double, trailing data).
 * Of a bundle the documents of its members may be as deep as those alone.
 * Linear, no recursion. Free with oracle_json_free.
 */
oracle_status oracle_json_parse(oracle_json *json, const char *text,
                                size_t length, oracle_error *error);

/*
 * The value at the beginning of a text, whatever follows (*used: behind it),
 * up to ORACLE_JSON_OPEN deep. Its text ends with it.
 */
oracle_status oracle_json_parse_value(oracle_json *json, const char *text,
                                      size_t length, size_t *used,
                                      oracle_error *error);

/*
 * The same as oracle_json_parse, folded: only where all lists in the root
 * object are walked by oracle_json_item. For every other reader such lists look
 * empty.
 */
oracle_status oracle_json_parse_folded(oracle_json *json, const char *text,
                                       size_t length, oracle_error *error);

/*
 * The items of a list (ORACLE_NONE: none), folded or not:
 *   oracle_json_items items = oracle_json_items_of(json, list);
 *   while (oracle_json_item(json, &items)) ... items.node ...
 * The nodes of an item of a folded list go with the next item of any such
 * list.
 */
oracle_json_items oracle_json_items_of(const oracle_json *json, uint32_t list);
bool oracle_json_item(oracle_json *json, oracle_json_items *items);

void oracle_json_free(oracle_json *json);

/* The node behind this one and all its descendants. */
static inline uint32_t oracle_json_next(const oracle_json *json, uint32_t node)
{
    const oracle_json_node *n = &json->nodes[node];
    return n->type >= ORACLE_JSON_ARRAY ? n->extent : node + 1;
}

/* "an object", "a string", "an int", "a float", ...: for messages. */
const char *oracle_json_kind(const oracle_json *json, uint32_t node);

/* Whether a string node has no escapes: its text stands in the document. */
bool oracle_json_plain(const oracle_json *json, uint32_t node);

/*
 * Writes the text of a string node without escapes to `out` (room for the
 * extent of the node) and returns its length.
 */
size_t oracle_json_unescape(const oracle_json *json, uint32_t node, char *out);

/* Whether the key (or string) node is this ASCII text. */
bool oracle_json_is(const oracle_json *json, uint32_t node, const char *text,
                    size_t length);

/* Whether a number is written without fraction and exponent. */
bool oracle_json_integral(const oracle_json *json, uint32_t node);

/* The value of an integral number; false when it does not fit. */
bool oracle_json_int64(const oracle_json *json, uint32_t node, int64_t *value);

/*
 * Whether two values are written with the same tokens in the same order, so
 * that they are surely the same value. Linear in the smaller.
 */
bool oracle_json_same(const oracle_json *a, uint32_t a_node,
                      const oracle_json *b, uint32_t b_node);

/* Path of a node ("tasks[3].args[1].view"), cut to `size`; O(nodes). */
void oracle_json_path(const oracle_json *json, uint32_t node, char *path,
                      size_t size);

/* Line and column of a byte, from 1. O(offset). */
void oracle_json_position(const char *text, size_t offset, uint64_t *line,
                          uint64_t *column);

/*
 * Copies text for a message: control characters and broken UTF-8 as \xNN,
 * cut with "..." at a character when it is too long. `size` at least 8.
 */
void oracle_json_printable(const char *data, size_t length, char *out,
                           size_t size);

/* Length of the UTF-8 sequence at data, 0 when there is no valid one. */
size_t oracle_utf8_length(const char *data, size_t left);

#endif
