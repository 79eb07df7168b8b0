/*
 * The Score: Sonata's scheduling document (spec 01), its validation, canonical
 * JSON, fingerprint, and the dependency policies (spec 02).
 *
 * A Score borrows every text and array it points to; those made by this
 * library live in the Score's own memory until sonata_score_free. Nothing here
 * recurses, and all functions are safe to call from several threads on
 * different objects.
 */
#ifndef SONATA_SCORE_H
#define SONATA_SCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sonata/error.h"

/* UTF-8, may hold U+0000. `text` NULL is JSON's null, where null is allowed. */
typedef struct sonata_text {
    const char *text;
    size_t length;
} sonata_text;

#define SONATA_TEXT_INIT(literal)                                              \
    {                                                                          \
        literal, sizeof(literal) - 1                                           \
    }
#define SONATA_TEXT(literal) ((sonata_text)SONATA_TEXT_INIT(literal))

typedef enum sonata_value_kind {
    SONATA_NULL,
    SONATA_BOOL,
    SONATA_INT,   /* of any size */
    SONATA_FLOAT, /* a double */
    SONATA_STRING,
    SONATA_NESTED /* a list or an object */
} sonata_value_kind;

/*
 * Any JSON value. A string holds its characters; every other kind its
 * canonical compact JSON ("null", "true", "-12", "1e-07", "[1,2]"), so that no
 * number loses its value. A zeroed value is null.
 */
typedef struct sonata_value {
    sonata_value_kind kind;
    sonata_text text;
} sonata_value;

typedef struct sonata_task {
    int64_t id;
    int64_t func_id;
    sonata_text core_type;
    sonata_text name; /* or null */
    sonata_value *args;
    size_t arg_count;
    sonata_text *directions; /* as written; none, or one per argument */
    size_t direction_count;
    sonata_value *keys; /* storage keys: none, or one per argument */
    size_t key_count;
} sonata_task;

typedef struct sonata_dependency {
    int64_t producer;
    int64_t consumer;
    sonata_text kind; /* "data", "storage", "war", "ordering", or any other */
} sonata_dependency;

typedef struct sonata_shape {
    sonata_text symbol;
    sonata_value *dims;
    size_t dim_count;
} sonata_shape;

typedef struct sonata_target {
    sonata_text runtime;
    sonata_text function_name;
    sonata_value thread_num; /* SONATA_INT or SONATA_NULL */
    const sonata_text *comments;
    size_t comment_count;
} sonata_target;

typedef struct sonata_score {
    sonata_text name;
    sonata_target target;
    sonata_task *tasks;
    size_t task_count;
    sonata_dependency *dependencies;
    size_t dependency_count;
    sonata_shape *shapes;
    size_t shape_count;
    sonata_text metadata; /* an object in canonical compact JSON; null: {} */
    struct sonata_arena *memory; /* owned; NULL when the caller owns it all */
} sonata_score;

/* Frees what the Score owns (not the struct itself) and zeroes it. */
void sonata_score_free(sonata_score *score);

/*
 * Canonical JSON (spec 01) in the compact or the pretty layout: *json has
 * *length bytes and a NUL behind; the caller frees it. length may be NULL.
 * Errors: SONATA_NO_MEMORY. O(size).
 */
sonata_status sonata_score_json(char **json, size_t *length,
                                const sonata_score *score, bool pretty,
                                sonata_error *error);

#define SONATA_FINGERPRINT_SIZE 65

/*
 * The fingerprint (spec 01): 64 lower-case hex digits and a NUL. Metadata is
 * part of it only when include_metadata is set, the runtime target never.
 * Errors: SONATA_NO_MEMORY. O(size).
 */
sonata_status
sonata_score_fingerprint(char fingerprint[SONATA_FINGERPRINT_SIZE],
                         const sonata_score *score, bool include_metadata,
                         sonata_error *error);

typedef struct sonata_reason {
    const char *code; /* "score_validation_failed", ...; static unless read */
    sonata_text message;
    bool is_warning; /* severity "warning", otherwise "error" */
} sonata_reason;

typedef struct sonata_reasons {
    sonata_reason *items;
    size_t count;
    size_t capacity;
    struct sonata_arena *memory; /* owned */
} sonata_reasons;

/* True when there is a reason of severity error. */
bool sonata_reasons_reject(const sonata_reasons *reasons);

void sonata_reasons_free(sonata_reasons *reasons);

/*
 * Reads a Score document, strictly (spec 01): see sonata_score_from_node and
 * sonata_doc_read (sonata/json.h) for what is refused and how. The text is not
 * needed afterwards. Linear; about twelve times the text in memory while it
 * reads.
 */
sonata_status sonata_score_read(sonata_score *score, const char *text,
                                size_t length, sonata_reasons *warnings,
                                sonata_error *error);

/*
 * All reasons against a Score, in the order of spec 01, appended to *reasons
 * (zero-initialise it; freed by the caller also after a failure). An invalid
 * Score is SONATA_OK with reasons. Errors: SONATA_NO_MEMORY, SONATA_RANGE
 * (more than 2^32 - 2 tasks or dependencies). O(size x log tasks).
 */
sonata_status sonata_score_validate(sonata_reasons *reasons,
                                    const sonata_score *score,
                                    sonata_error *error);

/*
 * Why dataflow_v0 cannot plan these tasks (spec 02): NULL when it can, else
 * "dataflow_directions_unavailable" or "dataflow_directions_incomplete"
 * (static). O(tasks).
 */
const char *sonata_dataflow_fallback(const sonata_score *score);

/*
 * The dependencies of the tasks of a Score by a policy, "sequential_v0",
 * "dataflow_v0" or "mixed" (spec 02; mixed with all tasks as side-effect
 * tasks). The dependencies the Score has play no part. *edges is freed by the
 * caller with free(); the texts are static. Errors: SONATA_UNSUPPORTED
 * (another policy), SONATA_REJECTED (dataflow_v0 and mixed: direction lists
 * not complete, a storage-key list of another length, or a list or object as
 * access key), SONATA_RANGE (more than 2^32 - 2 tasks or accesses),
 * SONATA_NO_MEMORY. Linear in accesses and edges (tasks x log tasks when the
 * ids do not ascend), and for mixed tasks x log edges.
 */
sonata_status sonata_plan_dependencies(sonata_dependency **edges, size_t *count,
                                       const sonata_score *score,
                                       const char *policy, sonata_error *error);

/*
 * The policy "mixed" with a set of side-effect tasks: those whose id is among
 * `side_effects` (in any order, repeated or unknown ids do not matter). NULL is
 * no set: all tasks; a set of no ids is not NULL and gives dataflow_v0 alone.
 * Edges of dataflow_v0 come first, then the "ordering" edges that chain the
 * side-effect tasks in list order where no such edge joins the pair already.
 * Errors and ownership as above. O(side_effects x log side_effects) more.
 */
sonata_status sonata_plan_mixed(sonata_dependency **edges, size_t *count,
                                const sonata_score *score,
                                const int64_t *side_effects,
                                size_t side_effect_count, sonata_error *error);

/*
 * Plans a Score: its dependencies become those of a policy, see
 * sonata_plan_dependencies, and belong to the Score.
 */
sonata_status sonata_score_plan(sonata_score *score, const char *policy,
                                sonata_error *error);

#endif
