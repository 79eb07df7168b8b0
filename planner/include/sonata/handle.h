/*
 * The PlanHandle: what a runtime needs beside the Score (spec 04), namely the
 * ids of its functions and a handle for every argument.
 *
 * A handle made from a Score borrows the Score's texts, which must outlive it;
 * one that was read owns everything. Freed by sonata_handle_free. Nothing here
 * recurses, and all functions are safe to call from several threads on
 * different objects.
 */
#ifndef SONATA_HANDLE_H
#define SONATA_HANDLE_H

#include "sonata/json.h"

typedef struct sonata_func_entry {
    sonata_text name;
    int64_t func_id; /* the Score's */
    bool is_bound;   /* to a function of the runtime: */
    int64_t runtime_id;
} sonata_func_entry;

typedef struct sonata_binding {
    int64_t task_id;
    int64_t arg_index; /* from 0 */
    sonata_value storage_key;
    sonata_text direction;
    sonata_value runtime_handle;
} sonata_binding;

typedef struct sonata_handle {
    sonata_text fingerprint; /* of the Score */
    sonata_target target;
    sonata_text source_adapter;
    int64_t contract_version;
    sonata_func_entry *entries; /* the function registry */
    size_t entry_count;
    sonata_binding *bindings;
    size_t binding_count;
    sonata_text metadata; /* an object in canonical compact JSON; null: {} */
    struct sonata_arena *memory; /* owned; NULL when the caller owns it all */
} sonata_handle;

typedef enum sonata_binding_rule {
    SONATA_BIND_ALL,    /* every argument, by position */
    SONATA_BIND_MEMORY, /* those that are read or written */
    SONATA_BIND_NONE    /* as v0.9 */
} sonata_binding_rule;

/* Zeroed: the defaults. */
typedef struct sonata_handle_options {
    sonata_binding_rule bindings;
    sonata_text source_adapter;  /* null: "post_simplify" */
    const sonata_target *target; /* NULL: the Score's */
} sonata_handle_options;

/*
 * The handle of a Score: an entry per distinct task name, sorted by code
 * points, with the func id of the first task of that name and not bound; and
 * the bindings that the options (NULL: the defaults) ask for, in the order of
 * tasks and arguments, runtime_handle being the argument's index, direction
 * "Input" and storage_key null where the task has none. Errors:
 * SONATA_NO_MEMORY, SONATA_RANGE (more than 2^32 - 2 names). Linear, and
 * names x log names.
 */
sonata_status sonata_handle_from_score(sonata_handle *handle,
                                       const sonata_score *score,
                                       const sonata_handle_options *options,
                                       sonata_error *error);

/* Frees what the handle owns (not the struct itself) and zeroes it. */
void sonata_handle_free(sonata_handle *handle);

typedef struct sonata_runtime_func {
    sonata_text name;
    int64_t runtime_id;
} sonata_runtime_func;

/*
 * Binds entries by name; of several ids of one name the last counts. Names
 * without an entry are passed over, entries without a name in the map stay as
 * they are. *bound (may be NULL): how many entries the map bound. Errors:
 * SONATA_NO_MEMORY. O(entries + count).
 */
sonata_status sonata_handle_bind(sonata_handle *handle, size_t *bound,
                                 const sonata_runtime_func *map, size_t count,
                                 sonata_error *error);

/*
 * The same with a JSON text as the map: an object of integers. Errors besides:
 * those of sonata_doc_read; SONATA_SCHEMA, SONATA_RANGE with the path.
 */
sonata_status sonata_handle_bind_json(sonata_handle *handle, size_t *bound,
                                      const char *text, size_t length,
                                      sonata_error *error);

/*
 * Reads a PlanHandle document, strictly; see sonata_score_read. Required are
 * score_fingerprint, and name and sonata_func_id of an entry, task_id and
 * arg_index of a binding.
 */
sonata_status sonata_handle_read(sonata_handle *handle, const char *text,
                                 size_t length, sonata_reasons *warnings,
                                 sonata_error *error);
sonata_status sonata_handle_from_node(sonata_handle *handle,
                                      const sonata_doc *doc,
                                      const sonata_node *node,
                                      sonata_reasons *warnings,
                                      sonata_error *error);

/* Canonical JSON; see sonata_score_json. */
sonata_status sonata_handle_json(char **json, size_t *length,
                                 const sonata_handle *handle, bool pretty,
                                 sonata_error *error);

#endif
