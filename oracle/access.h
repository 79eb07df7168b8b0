/*
 * The accesses of one execution (spec 06, Accesses) in program order, and the
 * atoms of each storage: sets of bytes that the same accesses touch, so that
 * inside an atom two accesses always meet.
 */
#ifndef ORACLE_ACCESS_H
#define ORACLE_ACCESS_H

#include "arena.h"
#include "oracle/document.h"

typedef enum oracle_item_kind {
    ORACLE_ITEM_READ,
    ORACLE_ITEM_WRITE,
    ORACLE_ITEM_ACCUMULATE
} oracle_item_kind;

/* Inside a task: the predicate's operand, the reads, then the writes. */
typedef struct oracle_item {
    uint32_t task; /* ORACLE_NONE: the caller, who reads after the last task */
    uint32_t arg;  /* within the task; ORACLE_NONE: the predicate's operand */
    oracle_item_kind kind;
    bool must;   /* happens in every execution: never a predicated task's */
    bool always; /* happens whenever the task runs */
    bool exact;
    bool known;       /* false: of an argument without access */
    uint32_t storage; /* buffer index of the root */
    oracle_place place;
} oracle_item;

/* Bytes [begin, end) of a storage; end INT64_MAX: unknown. */
typedef struct oracle_interval {
    int64_t begin, end;
} oracle_interval;

typedef struct oracle_atom {
    uint32_t first, count;    /* touching[]: items in program order */
    oracle_interval interval; /* the first of its intervals */
    int64_t end;              /* of the last */
} oracle_atom;

typedef struct oracle_items {
    oracle_item *items;
    uint32_t count;
    uint32_t *storage_first; /* buffers + 1: by_storage[] of each root */
    uint32_t *by_storage;    /* item indexes in program order */
    uint32_t *task_first;    /* tasks + 1: the items of each */
} oracle_items;

typedef struct oracle_atoms {
    oracle_atom *atoms;
    uint32_t count;
    uint32_t *touching;
} oracle_atoms;

/* The bytes of one access, sorted and joined. */
typedef struct oracle_touch {
    oracle_interval *intervals;
    uint32_t count;
} oracle_touch;

/* A value of each symbol; what those that are not free move, stands still. */
typedef struct oracle_values {
    int64_t *of;
    oracle_place anchor;
} oracle_values;

typedef enum oracle_atoms_result {
    ORACLE_ATOMS_DONE,
    ORACLE_ATOMS_SYMBOLIC, /* a region has symbols and no values are given */
    ORACLE_ATOMS_LARGE,    /* too many rows */
    ORACLE_ATOMS_NO_MEMORY
} oracle_atoms_result;

static inline bool oracle_item_writes(const oracle_item *item)
{
    return item->kind != ORACLE_ITEM_READ;
}

/*
 * All accesses of the present tasks (NULL: of all), and the caller's reads at
 * the end.
 */
bool oracle_items_collect(oracle_items *items, const oracle_document *document,
                          const bool *present, oracle_arena *arena);

/*
 * The bytes of a place within its storage, sorted, joined and not empty.
 * `values`: of the symbols, or NULL. `*sure` is false when a symbol that is
 * not free takes part: the bytes are then the storage. A block symbol takes
 * all its values. The intervals are from the arena. O(rows log rows), at most
 * 65,536 rows.
 */
oracle_atoms_result
oracle_place_intervals(const oracle_document *document, oracle_place place,
                       const int64_t *values, oracle_interval **intervals,
                       uint32_t *count, bool *sure, oracle_arena *arena);

/*
 * The same where the symbols that are not free may have any values, but move
 * the place by as many bytes as they move the anchor (region ORACLE_NONE: by
 * none), or it is all of its storage: such places are sure, since they lie
 * towards each other as with these values.
 */
oracle_atoms_result
oracle_place_anchored(const oracle_document *document, oracle_place place,
                      oracle_place anchor, const int64_t *values,
                      oracle_interval **intervals, uint32_t *count, bool *sure,
                      oracle_arena *arena);

/*
 * Whether the region leaves the view with these values, where both have the
 * same base and strides and the region has symbols: what lies outside the
 * dispatched view is no access (spec 06), so nothing is shown by such values.
 */
bool oracle_place_sticks_out(const oracle_document *document,
                             oracle_place place, uint32_t view,
                             const int64_t *values);

/*
 * Whether the region leaves a dimension that has symbols: no execution has
 * these values. Dimensions of a tensor do not run over into the next outer
 * one.
 */
bool oracle_place_leaves(const oracle_document *document, oracle_place place,
                         const int64_t *values);

/*
 * Whether a region has a byte of its storage with these values, whichever
 * symbols are free. For regions that oracle_place_intervals is not sure of.
 */
bool oracle_place_has_byte(const oracle_document *document, oracle_place place,
                           const int64_t *values, int64_t byte);

/*
 * The atoms of `count` items of one storage. `bound` (by item) is set for
 * those whose bytes are only known to lie somewhere in the storage. O(rows log
 * rows + the sum over items of the elementary intervals that they touch),
 * bounded.
 */
oracle_atoms_result oracle_atoms_build(oracle_atoms *atoms,
                                       const oracle_document *document,
                                       const oracle_items *items,
                                       const uint32_t *list, uint32_t count,
                                       const oracle_values *values, bool *bound,
                                       oracle_arena *arena);

/*
 * The same of what each place touches at most, whatever the symbols are: two
 * accesses that may meet have an atom in common.
 */
oracle_atoms_result oracle_atoms_hull(oracle_atoms *atoms,
                                      const oracle_document *document,
                                      const oracle_items *items,
                                      const uint32_t *list, uint32_t count,
                                      oracle_arena *arena);

/* The same of bytes that are known: touches[i] are those of list[i]. */
oracle_atoms_result oracle_atoms_group(oracle_atoms *atoms,
                                       const oracle_touch *touches,
                                       const uint32_t *list, uint32_t count,
                                       oracle_arena *arena);

#endif
