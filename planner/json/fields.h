/*
 * Strict reading of documents, field by field: every error names the path of
 * the offending value ("tasks[3].func_id must be an int, got str"), and fields
 * that nobody asked for are told once, as a warning. What is read is copied
 * into the reading's arena, so that the document can be freed.
 *
 * Every function returns false after a failure, with the error record filled
 * and the status kept in the reading.
 */
#ifndef SONATA_FIELDS_H
#define SONATA_FIELDS_H

#include "sonata/json.h"

#include "table.h"

/* Where a value stands: a field, or an item of a list when name is NULL. */
typedef struct sonata_place {
    const struct sonata_place *up; /* NULL: the document itself */
    const char *name;
    size_t index;
} sonata_place;

typedef struct sonata_reading {
    const sonata_doc *doc;
    sonata_arena *arena;      /* of the model that is made */
    sonata_reasons *warnings; /* or NULL */
    sonata_error *error;      /* or NULL */
    sonata_status status;
    sonata_arena scratch;
    sonata_table unknown; /* fields told already */
    sonata_table words;   /* texts kept once: see sonata_keep_word */
    sonata_text *kept;    /* by their number */
    size_t kept_room;
} sonata_reading;

void sonata_reading_free(sonata_reading *r);

/* Fills one model out of the root of its document; false when r failed. */
typedef bool sonata_model_reader(void *model, sonata_reading *r,
                                 const sonata_node *root);

/*
 * Reads a text as the document of one model, in an arena of its own that
 * *memory then points to. After a failure the caller frees the model, whose
 * arena may be there already.
 */
sonata_status sonata_read_model(void *model, sonata_arena **memory,
                                sonata_model_reader *read, const char *text,
                                size_t length, sonata_reasons *warnings,
                                sonata_error *error);

/* Goes on with another model, in an arena of its own, as if nothing had
 * failed; what was told already is not told again. */
void sonata_reading_restart(sonata_reading *r, sonata_arena *arena);

/* Failures: of a value, of memory. */
bool sonata_refuse(sonata_reading *r, sonata_status status,
                   const sonata_place *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool sonata_refuse_type(sonata_reading *r, const sonata_place *place,
                        const char *wanted, const sonata_node *node);
bool sonata_refuse_memory(sonata_reading *r);

#define SONATA_FIELDS_LIMIT 8

/* An object being read: its fields, found. */
typedef struct sonata_fields {
    const sonata_place *place; /* of the object; NULL: the document */
    const char *const *names;
    const sonata_node *nodes[SONATA_FIELDS_LIMIT]; /* NULL: missing */
} sonata_fields;

/* Looks the fields up; the object's other fields become warnings. O(members).
 */
bool sonata_fields_open(sonata_fields *f, sonata_reading *r,
                        const sonata_place *place, const sonata_node *node,
                        const char *const *names, size_t count);

/* Field number i of an object. A fallback with a null text: required. */
bool sonata_field_int(int64_t *value, sonata_reading *r, const sonata_fields *f,
                      size_t i);
bool sonata_field_int_or(int64_t *value, sonata_reading *r,
                         const sonata_fields *f, size_t i, int64_t fallback);
bool sonata_field_bool(bool *value, sonata_reading *r, const sonata_fields *f,
                       size_t i);
bool sonata_field_text(sonata_text *text, sonata_reading *r,
                       const sonata_fields *f, size_t i, sonata_text fallback);
bool sonata_field_text_or_null(sonata_text *text, sonata_reading *r,
                               const sonata_fields *f, size_t i);
/* Any value; missing is null. */
bool sonata_field_value(sonata_value *value, sonata_reading *r,
                        const sonata_fields *f, size_t i);
/* An object in canonical compact JSON; missing is {}. */
bool sonata_field_object(sonata_text *json, sonata_reading *r,
                         const sonata_fields *f, size_t i);
/* A list; missing is NULL. */
bool sonata_field_list(const sonata_node **list, sonata_reading *r,
                       const sonata_fields *f, size_t i);
bool sonata_field_texts(sonata_text **texts, size_t *count, sonata_reading *r,
                        const sonata_fields *f, size_t i);
bool sonata_field_values(sonata_value **values, size_t *count,
                         sonata_reading *r, const sonata_fields *f, size_t i,
                         bool required);
/* Refuses a missing field. */
bool sonata_field_require(sonata_reading *r, const sonata_fields *f, size_t i);
/* A required text that has to be `kind`. */
bool sonata_field_kind(sonata_reading *r, const sonata_fields *f, size_t i,
                       const char *kind);
/* Missing, null or 1; another number is a mismatch, told with both. */
bool sonata_field_version(sonata_reading *r, const sonata_fields *f, size_t i);

/* Reads one item of a list into zeroed memory. */
typedef bool (*sonata_item_reader)(void *item, sonata_reading *r,
                                   const sonata_place *place,
                                   const sonata_node *node);

/*
 * The items of a list, each of `size` bytes, and their number; a missing list
 * is empty. NULL for an empty one and after a failure: look at r->status.
 */
void *sonata_field_items(size_t *count, sonata_reading *r,
                         const sonata_fields *f, size_t i, size_t size,
                         sonata_item_reader read_item);

/* Values that are no fields. */
bool sonata_read_int(int64_t *value, sonata_reading *r,
                     const sonata_place *place, const sonata_node *node);
bool sonata_read_value(sonata_value *value, sonata_reading *r,
                       const sonata_node *node);
/* Any value, a string too, in canonical compact JSON. */
bool sonata_read_json(sonata_text *json, sonata_reading *r,
                      const sonata_node *node);

/* A copy in the arena, the same one for equal texts: for names and directions,
 * of which a large document has few. */
bool sonata_keep_word(sonata_text *text, sonata_reading *r, sonata_text word);

#endif
