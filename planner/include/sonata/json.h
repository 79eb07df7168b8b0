/*
 * Strict reading of JSON (spec 01): nothing is read that Python's json.dumps
 * could not have written, and no value is changed by reading it. Integers of
 * any size and U+0000 in strings are kept; of keys that repeat in an object
 * the last wins.
 *
 * A document borrows the text it was read from, which must outlive it. Nodes
 * and texts belong to the document and live until sonata_doc_free. Nothing
 * here changes a document: several threads may look at one.
 */
#ifndef SONATA_JSON_H
#define SONATA_JSON_H

#include "sonata/score.h"

typedef struct sonata_doc sonata_doc;
typedef struct cJSON sonata_node;

typedef enum sonata_node_kind {
    SONATA_NODE_NULL,
    SONATA_NODE_BOOL,
    SONATA_NODE_INT,   /* of any size */
    SONATA_NODE_FLOAT, /* spelled with a point or an exponent */
    SONATA_NODE_STRING,
    SONATA_NODE_LIST,
    SONATA_NODE_OBJECT
} sonata_node_kind;

/*
 * Reads a text of `length` bytes (no NUL needed). *doc is freed by the caller,
 * NULL after a failure. Refused are, besides what is no JSON: NaN, Infinity,
 * literals beyond the largest double, lone surrogates, invalid UTF-8, a byte
 * order mark, raw characters below U+0020 in strings, more than 512 arrays and
 * objects open at once (of a bundle in the document of a member), trailing
 * data. Errors: SONATA_SYNTAX, and SONATA_RANGE for what is JSON beyond those
 * limits, both as doc.syntax with line, column and offset; SONATA_NO_MEMORY.
 * Linear; about eleven times the text in memory.
 */
sonata_status sonata_doc_read(sonata_doc **doc, const char *text, size_t length,
                              sonata_error *error);
void sonata_doc_free(sonata_doc *doc); /* NULL does nothing */

const sonata_node *sonata_doc_root(const sonata_doc *doc);

sonata_node_kind sonata_node_kind_of(const sonata_doc *doc,
                                     const sonata_node *node);

/* As Python calls it: "NoneType", "bool", "int", "float", "str", "list",
 * "dict" (static). */
const char *sonata_node_type(const sonata_doc *doc, const sonata_node *node);

/*
 * The items of a list or the members of an object in the order of the text,
 * repeated keys included; NULL at the end, and for any other node.
 */
const sonata_node *sonata_node_first(const sonata_node *node);
const sonata_node *sonata_node_next(const sonata_node *node);

/* Number of items or members. O(that number). */
size_t sonata_node_count(const sonata_node *node);

/* The key of a member of an object; the null text for any other node. */
sonata_text sonata_node_key(const sonata_doc *doc, const sonata_node *member);

/* The member of that key, the last of several; NULL for none, and for anything
 * but an object (NULL included). O(members). */
const sonata_node *sonata_node_get(const sonata_doc *doc,
                                   const sonata_node *object, const char *key);

/* The characters of a string (a NUL behind); the null text for others. */
sonata_text sonata_node_text(const sonata_doc *doc, const sonata_node *node);

/* A number as it is spelled in the text; the null text for others. */
sonata_text sonata_node_number(const sonata_doc *doc, const sonata_node *node);

/* True for true; false for false and for any other node. */
bool sonata_node_is_true(const sonata_node *node);

/* An integer within 64 bits; false, *value untouched, for any other node. */
bool sonata_node_int(int64_t *value, const sonata_doc *doc,
                     const sonata_node *node);

/*
 * The canonical JSON of a node (spec 01), compact or pretty: *json has *length
 * bytes and a NUL behind; the caller frees it. length may be NULL. Errors:
 * SONATA_NO_MEMORY. O(size x log members of an object).
 */
sonata_status sonata_node_json(char **json, size_t *length,
                               const sonata_doc *doc, const sonata_node *node,
                               bool pretty, sonata_error *error);

/*
 * The Score that a node holds (spec 01), a copy that does not need the
 * document; freed by the caller with sonata_score_free, zeroed after a
 * failure. Fields that v0.9 does not know are left out and told once each in
 * *warnings (zero-initialise it, freed by the caller; may be NULL), as
 * "doc.unknown-field". Whether the Score is valid is not looked at. Errors:
 * SONATA_SCHEMA and SONATA_RANGE with the path of the value, SONATA_NO_MEMORY.
 * Linear.
 */
sonata_status sonata_score_from_node(sonata_score *score, const sonata_doc *doc,
                                     const sonata_node *node,
                                     sonata_reasons *warnings,
                                     sonata_error *error);

#endif
