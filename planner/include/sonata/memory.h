/*
 * Memory: aliases, liveness and memory plans of a Score (spec 03).
 *
 * Sizes and offsets are bytes, 0 to 2^63 - 1; a sum beyond that is an error.
 * Storage keys are compared as Python does: 1, 1.0 and true are one key, of
 * which the first spelling met is kept; strings are equal by code points. Keys
 * are sorted by code points when all are strings, by value when all are
 * numbers. Both kinds together have no order and are refused with
 * "memory.mixed-keys", a list or an object with "memory.key".
 *
 * Results borrow the texts of what they were made from, which has to outlive
 * them. Every result is zeroed after a failure. Nothing here recurses, and all
 * functions are safe to call from several threads on different results.
 */
#ifndef SONATA_MEMORY_H
#define SONATA_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sonata/error.h"
#include "sonata/score.h"

/* ---- Aliases ---- */

/* The relation of two storage keys; of several, the first that holds. */
typedef enum sonata_relation {
    SONATA_INPLACE, /* a declared in-place pair */
    SONATA_ALIAS,   /* the same canonical key */
    SONATA_VIEW,    /* one is the source of the other, or they share one */
    SONATA_DISJOINT
} sonata_relation;

/* "inplace", "alias", "view" or "disjoint"; static. */
const char *sonata_relation_name(sonata_relation relation);

/*
 * A declared fact: an in-place pair (in either order), a key and its canonical
 * key, or a view and its source. Of several canonical keys or sources of one
 * key the last counts. A key is its own canonical key until told otherwise.
 */
typedef struct sonata_key_pair {
    sonata_value key;
    sonata_value other;
} sonata_key_pair;

typedef struct sonata_alias_facts {
    const sonata_key_pair *inplace;
    size_t inplace_count;
    const sonata_key_pair *canonical;
    size_t canonical_count;
    const sonata_key_pair *views;
    size_t view_count;
} sonata_alias_facts;

typedef struct sonata_alias {
    uint32_t first, second; /* places in `keys`; first < second */
    sonata_relation relation;
} sonata_alias;

typedef struct sonata_aliases {
    sonata_value *keys; /* the distinct keys, sorted */
    size_t key_count;
    sonata_alias *items; /* every unordered pair, in order */
    size_t count;
    struct sonata_arena *memory; /* owned */
} sonata_aliases;

/* How many aliases or conflicts are made at most, as a guard of memory. */
#define SONATA_PAIR_LIMIT ((size_t)1 << 28)

/*
 * The relation of every unordered pair of distinct keys among `keys` (null
 * keys are passed over; facts may speak of further keys).
 *
 * One step, as v0.9: only facts about the two keys themselves count. With
 * `transitive` facts are followed to the end: the relation is the first of
 * in-place, alias and view whose facts, together with those of the relations
 * before it, join the two over any number of steps; what shares storage in
 * one step still does.
 *
 * Errors: SONATA_REJECTED (keys, see above), SONATA_RANGE (more than
 * SONATA_PAIR_LIMIT pairs), SONATA_NO_MEMORY. O(keys^2 + facts).
 */
sonata_status sonata_analyse_aliases(sonata_aliases *aliases,
                                     const sonata_value *keys, size_t count,
                                     const sonata_alias_facts *facts,
                                     bool transitive, sonata_error *error);

void sonata_aliases_free(sonata_aliases *aliases);

/* ---- Liveness ---- */

/* When two lifetimes overlap. Both readings exist in the field. */
typedef enum sonata_overlap_rule {
    SONATA_OVERLAP_INCLUSIVE, /* v0.9: the ends count; touching ones overlap */
    SONATA_OVERLAP_STRICT     /* later releases: the ends do not */
} sonata_overlap_rule;

/*
 * Birth and death are task ids. With ids out of order the death can lie before
 * the birth; v0.9 keeps that, and so does this.
 */
typedef struct sonata_lifetime {
    sonata_value key;
    int64_t birth;
    int64_t death;
} sonata_lifetime;

typedef struct sonata_liveness {
    sonata_lifetime *items; /* sorted by key */
    size_t count;
    struct sonata_arena *memory; /* owned */
} sonata_liveness;

/*
 * The lifetime of every storage key that a task reads or writes, over the
 * tasks in list order: born with the first access, dead with a write's task
 * id, or the larger of the present death and a read's. Errors:
 * SONATA_REJECTED (keys, see above), SONATA_RANGE (more than 2^32 - 2 keys),
 * SONATA_NO_MEMORY. O(arguments + bytes of keys) for strings, O(keys x log
 * keys) more for numbers.
 */
sonata_status sonata_find_lifetimes(sonata_liveness *liveness,
                                    const sonata_score *score,
                                    sonata_error *error);

void sonata_liveness_free(sonata_liveness *liveness);

bool sonata_lifetimes_overlap(const sonata_lifetime *a,
                              const sonata_lifetime *b,
                              sonata_overlap_rule rule);

/* Places in the list of lifetimes. */
typedef struct sonata_conflict {
    uint32_t earlier;
    uint32_t later;
} sonata_conflict;

/*
 * The conflict pairs as v0.9 lists them: lifetimes in a stable order of birth,
 * each with the later ones it overlaps, up to the first that is born past its
 * death. *conflicts is freed by the caller with free(). Errors: SONATA_RANGE
 * (more than SONATA_PAIR_LIMIT pairs), SONATA_NO_MEMORY. O(lifetimes +
 * conflicts), and every pair that an inverted lifetime makes fail.
 */
sonata_status sonata_find_conflicts(sonata_conflict **conflicts, size_t *count,
                                    const sonata_liveness *liveness,
                                    sonata_overlap_rule rule,
                                    sonata_error *error);

/* ---- Memory plans ---- */

/* The size of a buffer. Of several for one key the last counts. */
typedef struct sonata_buffer_size {
    sonata_value key;
    int64_t bytes;
} sonata_buffer_size;

typedef struct sonata_allocation {
    sonata_value key;
    int64_t offset;
    int64_t size;
} sonata_allocation;

/*
 * A memory plan: {"kind": "memory_plan", "version": 1, "policy",
 * "allocations": [{"storage_key", "offset", "size"}], "peak_memory"} (spec 09).
 * `peak` is what the document says, or the largest end of an allocation.
 */
typedef struct sonata_memory_plan {
    sonata_text policy; /* "greedy_v0", "greedy_dag", or any other */
    sonata_allocation *items;
    size_t count;
    int64_t peak;
    struct sonata_arena *memory; /* owned; NULL when the caller owns it all */
} sonata_memory_plan;

void sonata_memory_plan_free(sonata_memory_plan *plan);

/*
 * The plan as canonical JSON: *json has *length bytes and a NUL behind; the
 * caller frees it. length may be NULL. Errors: SONATA_NO_MEMORY. O(size).
 */
sonata_status sonata_memory_plan_json(char **json, size_t *length,
                                      const sonata_memory_plan *plan,
                                      bool pretty, sonata_error *error);

/*
 * Reads a memory plan, strictly; see sonata_score_read (sonata/score.h). All
 * its fields are required, of "version" only 1 is read, and storage_key may be
 * any JSON value. The plan owns everything. Whether it is a good plan is not
 * looked at. Errors besides: SONATA_RANGE for a negative offset or size.
 */
sonata_status sonata_memory_plan_read(sonata_memory_plan *plan,
                                      const char *text, size_t length,
                                      sonata_reasons *warnings,
                                      sonata_error *error);

/*
 * greedy_v0, bit for bit as v0.9: largest first, ties in the order of the
 * lifetimes, each to the first gap among the buffers it overlaps. No
 * alignment. A buffer of size 0 or of no known size gets offset 0. Sizes of
 * other keys are passed over. One allocation per lifetime, in their order.
 *
 * It is right for tasks that run one after the other in the order of their
 * ids, and only then: see sonata_plan_greedy_dag.
 *
 * Errors: SONATA_REJECTED ("memory.negative-size", "memory.key"),
 * SONATA_RANGE (an end beyond 2^63 - 1), SONATA_NO_MEMORY. Near-linear in
 * lifetimes where lives are short or buffers lie tightly packed; at worst (long
 * lives of random lengths and sizes) a plain pass over all placed buffers for
 * each. About 200 bytes of memory for a lifetime.
 */
sonata_status sonata_plan_greedy_v0(sonata_memory_plan *plan,
                                    const sonata_liveness *liveness,
                                    const sonata_buffer_size *sizes,
                                    size_t size_count, sonata_overlap_rule rule,
                                    sonata_error *error);

/* Which buffers may share bytes at all. The others share them with nothing. */
typedef enum sonata_sharing {
    SONATA_SHARE_ALLOC,     /* keys "alloc:...": spec 09 has all others external
                             */
    SONATA_SHARE_NOT_PARAM, /* every key but "param:..." */
} sonata_sharing;

/* What the safety of greedy_dag costs. */
typedef struct sonata_dag_report {
    int64_t peak;
    int64_t greedy_peak;  /* of greedy_v0 on the same sizes, inclusive rule */
    int64_t sum_of_sizes; /* never below peak */
    size_t buffers;
    size_t unknown_sizes; /* buffers without a size: 0 bytes */
    size_t chains;        /* that the tasks were split into */
    /* False: so many chains that some orders were not looked at (those that
     * lead over the shortest chains only), so that reuse was left unused. */
    bool exact;
} sonata_dag_report;

/*
 * greedy_dag: first-fit, largest first, as greedy_v0, with conflicts taken
 * from the dependencies of the Score. Two buffers share a byte only when every
 * access of the one happens before every access of the other, which holds in
 * every order that the runtime may choose. Buffers that do not share (see
 * sonata_sharing) have their bytes to themselves. The peak is never above the
 * sum of the sizes.
 *
 * Every argument that is not a scalar is an access, also one of direction
 * NoDep or of an unknown one, and so is an argument without a storage key that
 * names one; every storage key among these has an allocation.
 *
 * `report` may be NULL (greedy_v0 is then not run). Errors: as greedy_v0;
 * SONATA_REJECTED "score_validation_failed" when task ids repeat or the
 * dependencies have a cycle (self-edges and unknown ends order nothing).
 * Cost: near-linear when the graph splits into few long chains; about (tasks +
 * dependencies + accesses) x chains when it is wide, but no more than 2^23
 * numbers, or 32 per task, are kept (see `exact`); with most pairs of buffers
 * in conflict the placement itself is quadratic.
 */
sonata_status sonata_plan_greedy_dag(sonata_memory_plan *plan,
                                     sonata_dag_report *report,
                                     const sonata_score *score,
                                     const sonata_buffer_size *sizes,
                                     size_t size_count, sonata_sharing sharing,
                                     sonata_error *error);

#endif
