/* A drawn graph, changed as a relation says before it is written. */
#ifndef FUZZ_GEN_RELATED_H
#define FUZZ_GEN_RELATED_H

#include "graph_fault.h"

fuzz_status fuzz_graph_relate(graph *g, fuzz_map *map, fuzz_relation relation);

/* graph.c: the case of its name, changed. */
fuzz_status fuzz_make_graph_related(fuzz_case *c, const fuzz_limits *limits,
                                    fuzz_map *map, fuzz_relation relation);

#endif
