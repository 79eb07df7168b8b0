/* The maker of task graphs: shape, traits, values, edges, fault, text. */
#include "graph.h"

#include "damage.h"
#include "make.h"
#include "related.h"

#define FAULTY_TASKS 20000 /* a fault adds fewer */
#define MOST_TASKS 8000    /* the runtime takes 8,192 that are ready at once */

/* Ids are unique; that is all that the format asks. */
void fuzz_graph_number(graph *g)
{
    fuzz_random r = fuzz_random_of(&g->c->name, GRAPH_FOR_NAMES);
    r.counter = UINT64_C(1) << 32; /* behind the names */
    uint64_t style = fuzz_below(&r, 8);
    int64_t n = g->task_count, most = n + FAULTY_TASKS;
    int64_t base = style == 6   ? INT64_MAX - 4 * most
                   : style == 5 ? fuzz_between(&r, 0, INT32_MAX)
                                : 0;
    int64_t step = style >= 5 ? fuzz_between(&r, 1, 4) : 1;
    bool down = style == 7;
    for (uint32_t t = 0; t < g->task_count; t++)
        g->tasks[t].id = base + step * (down ? n - 1 - t : t);
    g->no_task = base + step * n;
}

void fuzz_graph_start(graph *g, fuzz_case *c)
{
    *g = (graph){
        .c = c,
        .arena = c->work,
        .relation = FUZZ_RELATIONS,
        .shape_random = fuzz_random_of(&c->name, GRAPH_FOR_SHAPE),
        .uses = fuzz_random_of(&c->name, GRAPH_FOR_USES),
    };
    fuzz_graph_style(g);
}

fuzz_status fuzz_make_graph_related(fuzz_case *c, const fuzz_limits *limits,
                                    fuzz_map *map, fuzz_relation relation)
{
    graph g;
    fuzz_graph_start(&g, c);
    uint32_t tasks = fuzz_task_count(&g.shape_random, limits, MOST_TASKS);
    g.broken = fuzz_chance(&g.shape_random, 1, 3);
    fuzz_graph_shape(&g, tasks);
    fuzz_graph_traits(&g);
    fuzz_graph_initialise(&g);
    fuzz_graph_number(&g);
    fuzz_graph_order(&g);
    if (fuzz_arena_failed(g.arena))
        return FUZZ_NO_MEMORY;
    fuzz_graph_forms(&g);
    if (g.broken)
        fuzz_graph_break(&g);
    c->shape = g.shape;
    c->tasks = g.task_count;
    fuzz_status status = relation == FUZZ_RELATIONS
                             ? FUZZ_OK
                             : fuzz_graph_relate(&g, map, relation);
    if (status != FUZZ_OK)
        return status;
    fuzz_graph_write(&g, &c->input);
    if (g.spoiled) {
        fuzz_random r = fuzz_random_of(&c->name, GRAPH_FOR_DAMAGE);
        fuzz_damage(&c->input, &r);
    }
    return FUZZ_OK;
}

fuzz_status fuzz_make_graph(fuzz_case *c, const fuzz_limits *limits)
{
    return fuzz_make_graph_related(c, limits, NULL, FUZZ_RELATIONS);
}
