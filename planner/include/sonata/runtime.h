/*
 * The host_build_graph runtime (spec 04): the adapter that checks a PlanHandle
 * against its Score and makes the task and edge tables, and the registry of
 * the adapters that can make a Score.
 *
 * Nothing here recurses, and all functions are safe to call from several
 * threads on different objects.
 */
#ifndef SONATA_RUNTIME_H
#define SONATA_RUNTIME_H

#include "sonata/handle.h"

/*
 * All reasons why a handle does not fit its Score, in the order of spec 04,
 * appended to *reasons (zero-initialise it; freed by the caller, also after a
 * failure): runtime_adapter_fingerprint_mismatch, _contract_version_mismatch,
 * _func_not_registered, _func_unreferenced, _binding_incomplete,
 * _invalid_edge. A pair that does not fit is SONATA_OK with reasons. Cycles
 * and repeated ids are not looked at: see sonata_score_validate. Errors:
 * SONATA_NO_MEMORY, SONATA_RANGE (more than 2^32 - 2 tasks or names).
 * O(size); O(size x log bindings) when the bindings are not in order.
 */
sonata_status sonata_adapter_check(sonata_reasons *reasons,
                                   const sonata_score *score,
                                   const sonata_handle *handle,
                                   sonata_error *error);

typedef struct sonata_hbg_task {
    int64_t id;
    int64_t func_id; /* the runtime's where it is bound, else the Score's */
    sonata_text core_type;
    sonata_text name;   /* or null */
    sonata_value *args; /* runtime handles, null without a binding */
    size_t arg_count;
} sonata_hbg_task;

typedef struct sonata_hbg_edge {
    int64_t producer;
    int64_t consumer;
} sonata_hbg_edge;

typedef struct sonata_hbg_plan {
    sonata_hbg_task *tasks;
    size_t task_count;
    sonata_hbg_edge *edges;
    size_t edge_count;
    sonata_text fingerprint; /* of the Score */
    sonata_text source_adapter;
    int64_t contract_version;
    sonata_text runtime;         /* the name of the runtime target */
    struct sonata_arena *memory; /* owned; NULL when the caller owns it all */
} sonata_hbg_plan;

/*
 * The tables of a Score and its handle, from which the plan borrows its texts:
 * both must outlive it. When the pair does not fit, *plan stays zeroed and
 * *reasons says why (see sonata_adapter_check): SONATA_OK all the same. Errors
 * and cost: as there.
 */
sonata_status sonata_hbg_plan_make(sonata_hbg_plan *plan,
                                   sonata_reasons *reasons,
                                   const sonata_score *score,
                                   const sonata_handle *handle,
                                   sonata_error *error);

/*
 * The same of a handle that sonata_handle_from_score has made of this very
 * Score, with nothing changed since: its fingerprint is not computed again.
 */
sonata_status sonata_hbg_plan_make_own(sonata_hbg_plan *plan,
                                       sonata_reasons *reasons,
                                       const sonata_score *score,
                                       const sonata_handle *handle,
                                       sonata_error *error);

/* Frees what the plan owns (not the struct itself) and zeroes it. */
void sonata_hbg_plan_free(sonata_hbg_plan *plan);

/*
 * Reads a host_build_graph plan, strictly; see sonata_score_read. Required are
 * task_id, func_id and core_type of a task, both ends of an edge, and
 * score_fingerprint in the metadata.
 */
sonata_status sonata_hbg_plan_read(sonata_hbg_plan *plan, const char *text,
                                   size_t length, sonata_reasons *warnings,
                                   sonata_error *error);

/* Canonical JSON; see sonata_score_json. */
sonata_status sonata_hbg_plan_json(char **json, size_t *length,
                                   const sonata_hbg_plan *plan, bool pretty,
                                   sonata_error *error);

/* ---- Adapters ---- */

/* What an adapter can do; a set is a sum of them. */
typedef enum sonata_capability {
    SONATA_STATIC_SHAPES = 1,
    SONATA_STORAGE_KEYS = 2,
    SONATA_ARG_DIRECTIONS = 4,
    SONATA_DEPENDENCY_KINDS = 8,
    SONATA_CONTROL_FLOW_REGIONS = 16,
    SONATA_RUNTIME_SCOPES = 32
} sonata_capability;

typedef struct sonata_adapter {
    sonata_text name;
    int64_t version;
    sonata_text certified_dump; /* name of the dump that it reads */
    unsigned capabilities;      /* sum of sonata_capability */
} sonata_adapter;

/* In the order of registration. Zero-initialise for an empty one. */
typedef struct sonata_adapters {
    sonata_adapter *items;
    size_t count;
    size_t capacity;
    struct sonata_arena *memory; /* owned; NULL unless it was read */
} sonata_adapters;

/* Registers post_simplify, pre_runtime and post_simplify_with_scope (spec 04)
 * in an empty registry, zeroed after a failure. Errors: SONATA_NO_MEMORY. */
sonata_status sonata_adapters_default(sonata_adapters *adapters,
                                      sonata_error *error);

void sonata_adapters_free(sonata_adapters *adapters);

/*
 * Adds an adapter, whose texts must outlive the registry. Errors:
 * SONATA_REJECTED (adapter.duplicate: the name is registered, or null),
 * SONATA_NO_MEMORY. O(adapters).
 */
sonata_status sonata_adapters_register(sonata_adapters *adapters,
                                       const sonata_adapter *adapter,
                                       sonata_error *error);

/* The adapter of that name, or NULL. */
const sonata_adapter *sonata_adapters_find(const sonata_adapters *adapters,
                                           sonata_text name);

/* The next adapter behind `after` (NULL: the first) that has all the
 * capabilities, or NULL. */
const sonata_adapter *sonata_adapters_select(const sonata_adapters *adapters,
                                             const sonata_adapter *after,
                                             unsigned capabilities);

/* True when the handle's source adapter is registered. */
bool sonata_adapters_accept(const sonata_adapters *adapters,
                            const sonata_handle *handle);

/*
 * The registry as a document, {"adapters": [{"name", "version",
 * "certified_dump", "capabilities": {"static_shapes": true, ...}}],
 * "schema_version": 1}, and back; all fields but schema_version are required,
 * of the capabilities a missing one is false.
 */
sonata_status sonata_adapters_json(char **json, size_t *length,
                                   const sonata_adapters *adapters, bool pretty,
                                   sonata_error *error);
sonata_status sonata_adapters_read(sonata_adapters *adapters, const char *text,
                                   size_t length, sonata_reasons *warnings,
                                   sonata_error *error);

#endif
