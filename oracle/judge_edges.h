/* The rules on edges while they are judged (judge_edges.c calls them). */
#ifndef ORACLE_JUDGE_EDGES_H
#define ORACLE_JUDGE_EDGES_H

#include "joins.h"
#include "judge_work.h"
#include "shares.h"

typedef struct oracle_edges {
    oracle_judging *judging;
    const oracle_document *d;
    oracle_joins joins;
    oracle_shares shares;
    oracle_arena *arena; /* freed with them */
} oracle_edges;

/* edge.fan-in. False: no memory, as everywhere here. */
bool oracle_judge_fans(oracle_edges *edges);
/* edge.false of the rules' edges, and of a policy's edges beside them. */
bool oracle_judge_false(oracle_edges *edges);
/* edge.kind, and edge.false of a policy. */
bool oracle_judge_labels(oracle_edges *edges);
/* edge.redundant. */
bool oracle_judge_redundant(oracle_edges *edges);

/* Says beside the verdict what was not asked: it costs time alone. */
bool oracle_edges_left(oracle_edges *edges, const char *text);

/*
 * Witnesses, from the judgement's arena, NULL: no memory.
 * {"choices", "predecessors", "task"}; {"path"}: from the one end to the
 * other; {"edge", "kind"}; {"edge", "sources"}: where the edge stands.
 */
const char *oracle_witness_fan(const oracle_document *document, uint32_t task,
                               uint32_t predecessors, const bool *choices,
                               oracle_arena *arena);
const char *oracle_witness_path(const oracle_document *document,
                                const uint32_t *path, uint32_t count,
                                oracle_arena *arena);
const char *oracle_witness_label(const oracle_document *document,
                                 const oracle_edge *edge, oracle_arena *arena);

/* A pair of arguments that gives an edge, or an edge of a policy. */
typedef struct oracle_edge_reason {
    oracle_source source;
    uint32_t from_arg, to_arg; /* ORACLE_NONE: not known, or none */
} oracle_edge_reason;

const char *oracle_witness_false(const oracle_document *document, uint32_t from,
                                 uint32_t to, const oracle_edge_reason *reasons,
                                 uint32_t count, oracle_arena *arena);

#endif
