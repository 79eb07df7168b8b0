/*
 * A bundle: a task graph over whole buffers, and the documents that a planner
 * makes of it, each written from the same tasks and edges.
 */
#ifndef FUZZ_BUNDLE_H
#define FUZZ_BUNDLE_H

#include "graph.h"

/* Members, in the order in which they are written. */
enum {
    BUNDLE_GRAPH = 1,
    BUNDLE_SCORE = 2,
    BUNDLE_ELIGIBILITY = 4,
    BUNDLE_HANDLE = 8,
    BUNDLE_HBG = 16,
    BUNDLE_MEMORY = 32,
    BUNDLE_TRACE = 64, /* of no run: a fault */
    BUNDLE_TWICE = 128 /* the Score again: a fault */
};

typedef enum bundle_policy {
    BUNDLE_NO_POLICY, /* nothing is named */
    BUNDLE_DATAFLOW,
    BUNDLE_SEQUENTIAL
} bundle_policy;

/* An edge of the Score. */
typedef struct bundle_edge {
    uint32_t from, to;
    const char *kind;
} bundle_edge;

typedef struct bundle_place {
    uint32_t buffer; /* GRAPH_NONE: not placed */
    int64_t offset, size;
} bundle_place;

/* First and last use of a buffer in program order. */
typedef struct bundle_use {
    uint32_t first, last; /* tasks */
    bool any, written_first;
} bundle_use;

/* What is not as it should be in the text; the index is of a task. */
typedef enum bundle_flaw {
    BUNDLE_FLAWLESS,
    BUNDLE_FINGERPRINT_HANDLE,
    BUNDLE_FINGERPRINT_HBG,
    BUNDLE_FINGERPRINT_ELIGIBILITY,
    BUNDLE_VERSION,
    BUNDLE_FUNC_ID,
    BUNDLE_FUNC_TWICE,
    BUNDLE_FUNC_MISSING,
    BUNDLE_FUNC_SPARE,
    BUNDLE_BINDING_ARGUMENT,
    BUNDLE_BINDING_TASK,
    BUNDLE_BINDING_KEY,
    BUNDLE_BINDING_DIRECTION,
    BUNDLE_BINDING_MISSING,
    BUNDLE_HBG_METADATA,
    BUNDLE_HBG_NO_METADATA,
    BUNDLE_HBG_FUNC,
    BUNDLE_HBG_CORE,
    BUNDLE_HBG_ROW,
    BUNDLE_HBG_ARG,
    BUNDLE_HBG_MORE_ARGS,
    BUNDLE_HBG_SCALAR,
    BUNDLE_HBG_EDGE_LESS,
    BUNDLE_HBG_EDGE_MORE,
    BUNDLE_POLICY_KIND,
    BUNDLE_POLICY_LESS,
    BUNDLE_FALLBACK,
    BUNDLE_LOST_CONSTANT,
    BUNDLE_LOST_TASK,
    BUNDLE_LOST_KEY,
    BUNDLE_SHA,
    BUNDLE_ROLE,
    BUNDLE_BOTH,
    BUNDLE_NEITHER,
    BUNDLE_NO_MEMBERS,
    BUNDLE_NOTHING,
    BUNDLE_UNKNOWN_FIELD,
    BUNDLE_PEAK,
    BUNDLE_PEAK_RANGE,
    BUNDLE_PLACE_TWICE,
    BUNDLE_REASONS,
    BUNDLE_ELIGIBLE,
    BUNDLE_SYNTAX
} bundle_flaw;

typedef struct bundle {
    graph g;
    fuzz_random r;
    uint32_t members; /* BUNDLE_GRAPH, ... */
    bundle_policy policy;
    bundle_edge *edges;
    uint32_t edge_count;
    bundle_place *places;
    bundle_use *uses; /* by buffer, of those that places were found for */
    uint32_t place_count;
    int64_t peak;
    uint32_t func_base;  /* of the ids of functions */
    bool bound;          /* functions have ids of the runtime */
    bool digests;        /* members have their SHA-256 */
    bool other_spelling; /* of directions */
    fuzz_layout layout;
    bundle_flaw flaw;
    uint32_t at; /* task, argument, or place */
    uint32_t arg;
    char fingerprint[65];
} bundle;

/* bundle_score.c */
bool fuzz_bundle_edges(bundle *b);
void fuzz_bundle_score(bundle *b, fuzz_text *text);
/* Works out the fingerprint, for which `scratch` is used. */
void fuzz_bundle_fingerprint(bundle *b, fuzz_text *scratch);
const char *fuzz_bundle_direction(const bundle *b, const graph_arg *arg,
                                  bool handle);
const char *fuzz_bundle_core(const graph_task *task);

/* bundle_memory.c: places that no order can make wrong. */
bool fuzz_bundle_place(bundle *b);
bundle_place *fuzz_bundle_place_of(bundle *b, uint32_t buffer);
/* The first task from `from` on that touches the buffer; GRAPH_NONE: none. */
uint32_t fuzz_bundle_user(const bundle *b, uint32_t buffer, uint32_t from);

/* bundle_text.c */
void fuzz_bundle_write(bundle *b, fuzz_text *text);

/* bundle_fault.c */
void fuzz_bundle_break(bundle *b);
/* Tasks of their own: a write and a read of one buffer, and a write of another
   one at its place, between the two (`within`) or beside the read. */
bool fuzz_bundle_add_pair(bundle *b, bool within);
/* Works out the peak of the places. */
void fuzz_bundle_set_peak(bundle *b);

#endif
