/*
 * Two documents that claim to be one plan (diff.plan): their tasks side by
 * side, what those touch, their order, and their places.
 */
#ifndef ORACLE_COMPARE_H
#define ORACLE_COMPARE_H

#include "finding.h"
#include "json.h"
#include "order.h"

typedef struct oracle_side {
    const oracle_document *d;
    bool coarse;     /* it knows whole storages only, as a Score does */
    bool bare;       /* it tells tasks and edges alone */
    uint32_t *other; /* by task: the same one there, or ORACLE_NONE */
    uint32_t *label; /* by buffer: that of its storage, common to both */
} oracle_side;

typedef struct oracle_comparison {
    oracle_side a, b;
    const char *what; /* in front of each sentence: "", "the Scores: " */
    oracle_judgement *out;
    oracle_arena *arena;
    const oracle_judge_options *options;
    bool failed; /* no memory */
} oracle_comparison;

/*
 * Keeps a finding: a class of differences, how many, and one of them. The
 * ends are tasks of side a. `message` and `witness` from the arena.
 */
void oracle_compare_found(oracle_comparison *c, const char *cause,
                          uint64_t count, uint32_t producer, uint32_t consumer,
                          const char *message, const char *witness);
void oracle_compare_open(oracle_comparison *c, const char *text);

/* "task 3 "name"" of a side. */
const char *oracle_compare_task(oracle_comparison *c, const oracle_side *side,
                                uint32_t task);

/* A host_build_graph plan as tasks and edges. Free the document. */
oracle_status oracle_compare_table(oracle_document *document,
                                   const oracle_json *json, uint32_t root);

/* The key of the storage of that label, as the side writes it. */
const char *oracle_compare_key(oracle_comparison *c, const oracle_side *side,
                               uint32_t label);
/* What of a task is compared beside its bytes and its order. */
void oracle_compare_parts(oracle_comparison *c);
/* Whose the storages are, and whether they have a value from the start. */
void oracle_compare_storages(oracle_comparison *c);
/* Whether two regions, or ORACLE_NONE, are written alike. */
bool oracle_compare_region(const oracle_document *d, uint32_t x,
                           const oracle_document *e, uint32_t y);
bool oracle_compare_same_text(const oracle_text *a, const oracle_text *b);
/* What matched tasks touch, as bytes, and by which argument. */
void oracle_compare_bytes(oracle_comparison *c);
/* Whether two tasks of a side touch a byte that one of them writes. */
bool oracle_compare_conflict(const oracle_side *side, uint32_t x, uint32_t y);
/* What is ordered in the one and not in the other, in all executions. */
void oracle_compare_order(oracle_comparison *c);

#endif
