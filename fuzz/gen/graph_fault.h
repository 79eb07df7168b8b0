/* Faults of a task graph, by what they touch. */
#ifndef FUZZ_GRAPH_FAULT_H
#define FUZZ_GRAPH_FAULT_H

#include "graph.h"

typedef struct graph_breaker {
    graph *g;
    fuzz_random r;
    const char *rule; /* of the damage that was drawn */
} graph_breaker;

typedef struct graph_fault {
    const char *name;
    const char *rule; /* NULL: the one that was drawn */
    uint32_t weight;
    bool (*make)(graph_breaker *b); /* false: no place for it */
} graph_fault;

/* graph_extra.c: tasks, buffers and arguments that are there for the fault. */
extern const graph_fault fuzz_graph_extras[];
extern const uint32_t fuzz_graph_extra_count;
/* graph_lost.c: edges that are not, or not as they should be. */
extern const graph_fault fuzz_graph_edges[];
extern const uint32_t fuzz_graph_edge_faults;

/* graph_damage.c: a field of an object, whose rule it sets. */
bool fuzz_graph_schema(graph_breaker *b);
bool fuzz_graph_range(graph_breaker *b);
bool fuzz_graph_unknown_field(graph_breaker *b);
/* The bytes of the text, when it is written. */
bool fuzz_graph_syntax(graph_breaker *b);

uint32_t fuzz_graph_pick(graph_breaker *b, uint32_t n);
/* A task with an access of all of the buffer, behind all others. */
bool fuzz_graph_add_task(graph_breaker *b, uint32_t buffer, graph_mode mode);
/* A buffer of its own. */
uint32_t fuzz_graph_fresh(graph_breaker *b, bool external, uint32_t rows);

#endif
