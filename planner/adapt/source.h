/*
 * The JSON form of the IR (spec 05) as flat arrays: nodes, lists, mappings,
 * with every ref resolved. Nothing recurses, every look-up below takes
 * constant time unless it says otherwise.
 */
#ifndef SONATA_SOURCE_H
#define SONATA_SOURCE_H

#include "sonata/json.h"

#define SONATA_SOURCE_NONE UINT32_MAX

/* The fields that have a meaning. */
typedef enum sonata_ir_field {
    SONATA_IR_KIND,
    SONATA_IR_ID,
    SONATA_IR_REF,
    SONATA_IR_MAP,
    SONATA_IR_NAME,
    SONATA_IR_NAME_HINT,
    SONATA_IR_FUNC_TYPE,
    SONATA_IR_PARAMS,
    SONATA_IR_FUNCTIONS,
    SONATA_IR_BODY,
    SONATA_IR_THEN_BODY,
    SONATA_IR_ELSE_BODY,
    SONATA_IR_BRANCHES,
    SONATA_IR_STMTS,
    SONATA_IR_STATEMENTS,
    SONATA_IR_SEQ,
    SONATA_IR_ARGS,
    SONATA_IR_VALUE,
    SONATA_IR_EXPR,
    SONATA_IR_CONDITION,
    SONATA_IR_TYPE,
    SONATA_IR_TYPE_,
    SONATA_IR_TENSOR_TYPE,
    SONATA_IR_SHAPE,
    SONATA_IR_SHAPE_,
    SONATA_IR_DIMS,
    SONATA_IR_DIMS_,
    SONATA_IR_OP,
    SONATA_IR_OP_NAME,
    SONATA_IR_ARG_DIRECTIONS,
    SONATA_IR_ATTRS,
    SONATA_IR_VAR,
    SONATA_IR_TUPLE,
    SONATA_IR_INDEX,
    SONATA_IR_FIELDS /* any other */
} sonata_ir_field;

typedef enum sonata_ir_form {
    SONATA_IR_PLAIN, /* null, bool, number, string */
    SONATA_IR_LIST,
    SONATA_IR_MAPPING,
    SONATA_IR_NODE,
    SONATA_IR_LINK /* {"ref": id}: see sonata_source_at */
} sonata_ir_form;

/*
 * The children of a value are contiguous: the items of a list, the values of a
 * mapping in order, the fields of a node with those that have a meaning first.
 * Of keys that repeat the last value counts, at the place of the first.
 */
typedef struct sonata_ir_value {
    const sonata_node *json;
    uint64_t fields; /* of a node: those with a meaning that it has */
    uint32_t up;     /* the value that holds this one */
    uint32_t first, count;
    uint8_t form;
    uint8_t field; /* as what its node or mapping holds it */
} sonata_ir_value;

typedef struct sonata_source {
    const sonata_doc *doc;
    sonata_ir_value *values; /* the root first */
    size_t count, capacity;
} sonata_source;

/*
 * Reads a node of a document, which must outlive the source. Errors:
 * SONATA_SCHEMA with the path (a kind, id, ref or map of a wrong form; a ref to
 * no node before it; a root that is no node), SONATA_RANGE (more than 2^32 - 2
 * values), SONATA_NO_MEMORY. Linear.
 */
sonata_status sonata_source_read(sonata_source *source, const sonata_doc *doc,
                                 const sonata_node *root, sonata_error *error);
void sonata_source_free(sonata_source *source);

/* The value at a place, or the node that it refers to. */
uint32_t sonata_source_at(const sonata_source *source, uint32_t value);

/*
 * A field of a node, or a value of a mapping, where a ref was followed; NONE
 * when it is missing or null. O(values) for a mapping.
 */
uint32_t sonata_source_get(const sonata_source *source, uint32_t value,
                           sonata_ir_field field);

/* True when a node has the field, be it null. */
bool sonata_source_has(const sonata_source *source, uint32_t value,
                       sonata_ir_field field);

sonata_ir_form sonata_source_form(const sonata_source *source, uint32_t value);
sonata_node_kind sonata_source_kind(const sonata_source *source,
                                    uint32_t value);

/* The characters of a string; the null text for others and for NONE. */
sonata_text sonata_source_text(const sonata_source *source, uint32_t value);

/* The kind of a node; the null text for others. */
sonata_text sonata_source_node_kind(const sonata_source *source,
                                    uint32_t value);

/*
 * Fills the error record with the path of a value: "body[2].args must be a
 * list, got str".
 */
sonata_status sonata_source_refuse(const sonata_source *source, uint32_t value,
                                   sonata_status status, sonata_error *error,
                                   const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
