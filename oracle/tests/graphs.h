/* Random task graphs of up to 12 tasks, and the oracle against the twin. */
#ifndef ORACLE_TESTS_GRAPHS_H
#define ORACLE_TESTS_GRAPHS_H

#include "maker.h"
#include "oracle/judge.h"

typedef struct graph_shape {
    const char *name;
    uint64_t seed;
    bool regions;    /* partial and strided ones, arguments of two */
    bool accumulate; /* atomic additions */
    bool may;        /* predicates, and accesses that need not happen */
    bool reversed;   /* edges against program order */
    bool aliases;
    bool plan;      /* storages on common addresses */
    bool bounds;    /* accesses that are not exact */
    bool uncertain; /* edges that may be missing */
    bool symbols;   /* regions that move with them */
    bool choices;   /* tasks and deps under conditions */
} graph_shape;

#define GRAPH_SHAPES 12

extern const graph_shape graph_shapes[GRAPH_SHAPES];

typedef struct graph_tally {
    uint64_t wrong, right; /* so judged */
    uint64_t open;         /* neither */
    uint64_t cyclic;
    uint64_t witnesses; /* of errors, run by the twin */
    uint64_t edges, tasks;
} graph_tally;

/* The graph of that number, of 2 to 12 tasks. */
void graph_make(maker *m, const graph_shape *shape, uint64_t number);

/*
 * Judges the graph and asks the twin: an error is wrong whatever is open
 * (bounds, edges that may be missing, symbols that are not free); a verdict
 * without error and doubt is right, whatever is open; without anything open
 * there is an error exactly where it is wrong; the checker and the twin accept
 * the order of each error. Else says on stderr what is not so.
 */
bool graph_agree(maker *m, const graph_shape *shape, graph_tally *tally);

/*
 * Graphs 0 to count - 1 of a shape, one after the other: prints the tally.
 * False when one does not agree, or too few are wrong, or right.
 */
bool graph_sample(const graph_shape *shape, uint64_t count);

#endif
