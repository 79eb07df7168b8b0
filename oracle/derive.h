/* What the rule sets share while edges are derived. */
#ifndef ORACLE_DERIVE_H
#define ORACLE_DERIVE_H

#include "fault.h"
#include "interval.h"
#include "region.h"
#include "table.h"

typedef struct oracle_group {
    oracle_intervals writers;
    oracle_intervals readers; /* conservative only */
    bool symbolic;            /* conservative: some view of it has symbols */
    oracle_text least_version;
} oracle_group;

/* An entry to be removed once all arguments of the task have looked up. */
typedef struct oracle_covered {
    oracle_intervals *intervals;
    oracle_entry *entry;
} oracle_covered;

typedef struct oracle_deriver {
    oracle_document *document;
    oracle_error *error;
    oracle_group *groups;
    uint32_t group_count;
    uint32_t *group_of; /* per buffer */
    oracle_table addresses;
    oracle_id_table ids;
    oracle_hits hits;
    oracle_covered *covered; /* conservative only */
    size_t covered_count, covered_capacity;
    oracle_edge *found; /* of one task, with repeats */
    size_t found_count, found_capacity;
    oracle_edge *edges; /* in the document's arena */
    uint32_t edge_count;
} oracle_deriver;

/* Remembers an edge into the task; false: no memory. */
bool oracle_derive_edge(oracle_deriver *deriver, const oracle_edge *edge);

/* Whether both tasks can be submitted in one execution. */
bool oracle_tasks_together(const oracle_document *document, uint32_t a,
                           uint32_t b);

/* Whether `later` is submitted in every execution in which `earlier` is. */
bool oracle_task_implied(const oracle_document *document, uint32_t earlier,
                         uint32_t later);

/* Sets up the groups of a rule set. */
bool oracle_tensormap_start(oracle_deriver *deriver);
bool oracle_conservative_start(oracle_deriver *deriver);

/* A number of edges that `tensormap` surely passes or reaches; linear. */
bool oracle_tensormap_least(oracle_deriver *deriver, uint64_t *edges);

/* The edges into one task, then its entries. */
bool oracle_tensormap_task(oracle_deriver *deriver, uint32_t task);
bool oracle_conservative_task(oracle_deriver *deriver, uint32_t task);

/* Whether the argument looks nothing up and registers nothing. */
bool oracle_arg_opted_out(const oracle_document *document,
                          const oracle_arg *arg);

extern const oracle_text oracle_kind_data, oracle_kind_storage, oracle_kind_war,
    oracle_kind_creator;

#endif
