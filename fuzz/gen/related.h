/* A drawn graph, changed as a relation says before it is written. */
#ifndef FUZZ_GEN_RELATED_H
#define FUZZ_GEN_RELATED_H

#include "graph_fault.h"
#include "request.h"
#include "score_fault.h"

fuzz_status fuzz_graph_relate(graph *g, fuzz_map *map, fuzz_relation relation);

/* related_score.c: the same of a drawn Score and its request. */
fuzz_status fuzz_score_relate(fuzz_breaking *b, const fuzz_request *request,
                              fuzz_map *map, fuzz_relation relation);

/* ablate.c: a relation behind FUZZ_RELATIONS is an ablation to the makers. */
#define FUZZ_ABLATED (FUZZ_RELATIONS + 1)

fuzz_status fuzz_score_ablate(fuzz_breaking *b, fuzz_ablation ablation);
/* ... of a program, before it is made of the model. */
struct fuzz_ir;
fuzz_status fuzz_ir_ablate(struct fuzz_ir *p, fuzz_ablation ablation);

/* One more task: its id there, and here or -1. False: no memory. */
bool fuzz_map_task(fuzz_map *map, int64_t to, int64_t from);

/* Room for so many keys, and one of them. False: no memory. */
bool fuzz_map_room(fuzz_map *map, uint32_t keys);
bool fuzz_map_key(fuzz_map *map, const char *to, const char *from);

/* graph.c: the case of its name, changed. */
fuzz_status fuzz_make_graph_related(fuzz_case *c, const fuzz_limits *limits,
                                    fuzz_map *map, fuzz_relation relation);
/* score.c, ir.c, memory.c, bundle.c, record.c */
fuzz_status fuzz_make_score_related(fuzz_case *c, const fuzz_limits *limits,
                                    fuzz_map *map, fuzz_relation relation);
fuzz_status fuzz_make_ir_related(fuzz_case *c, const fuzz_limits *limits,
                                 fuzz_map *map, fuzz_relation relation);
fuzz_status fuzz_make_memory_related(fuzz_case *c, const fuzz_limits *limits,
                                     fuzz_map *map, fuzz_relation relation);
fuzz_status fuzz_make_record_related(fuzz_case *c, const fuzz_limits *limits,
                                     fuzz_map *map, fuzz_relation relation);
fuzz_status fuzz_make_bundle_related(fuzz_case *c, const fuzz_limits *limits,
                                     fuzz_map *map, fuzz_relation relation);

#endif
