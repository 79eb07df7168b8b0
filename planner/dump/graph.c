#include "graph.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

void graph_free(graph *g)
{
    free(g->buffers);
    free(g->regions);
    free(g->dims);
    free(g->accesses);
    free(g->args);
    free(g->deps);
    free(g->tasks);
    free(g->scopes);
    free(g->host_accesses);
    free(g->choices);
    free(g->whens);
    free(g->impossibles);
    free(g->facts);
    free(g->sites);
    free(g->dynamics);
    sonata_arena_free(&g->arena);
    memset(g, 0, sizeof *g);
}

#define APPEND(g, items, count, capacity, item)                                \
    (array_grow(&(g)->items, (g)->count, &(g)->capacity, sizeof *(g)->items)   \
         ? ((g)->items[(g)->count] = (item), (g)->count++)                     \
         : ((g)->failed = true, GRAPH_NONE))

uint32_t graph_add_buffer(graph *g, const graph_buffer *item)
{
    return APPEND(g, buffers, buffer_count, buffer_capacity, *item);
}

uint32_t graph_add_access(graph *g, const graph_access *item)
{
    return APPEND(g, accesses, access_count, access_capacity, *item);
}

uint32_t graph_add_arg(graph *g, const graph_arg *item)
{
    return APPEND(g, args, arg_count, arg_capacity, *item);
}

uint32_t graph_add_dep(graph *g, const graph_dep *item)
{
    return APPEND(g, deps, dep_count, dep_capacity, *item);
}

uint32_t graph_add_task(graph *g, const graph_task *item)
{
    return APPEND(g, tasks, task_count, task_capacity, *item);
}

uint32_t graph_add_scope(graph *g, bool manual, uint32_t parent)
{
    graph_scope item = {manual, parent};
    return APPEND(g, scopes, scope_count, scope_capacity, item);
}

uint32_t graph_add_host_access(graph *g, const graph_host_access *item)
{
    return APPEND(g, host_accesses, host_access_count, host_access_capacity,
                  *item);
}

uint32_t graph_add_choice(graph *g, const graph_choice *item)
{
    return APPEND(g, choices, choice_count, choice_capacity, *item);
}

uint32_t graph_add_when(graph *g, uint32_t choice, bool is, uint32_t parent)
{
    graph_when item = {choice, is, parent};
    return APPEND(g, whens, when_count, when_capacity, item);
}

void graph_add_impossible(graph *g, const graph_impossible *item)
{
    (void)APPEND(g, impossibles, impossible_count, impossible_capacity, *item);
}

void graph_add_fact(graph *g, const graph_fact *item)
{
    (void)APPEND(g, facts, fact_count, fact_capacity, *item);
}

uint32_t graph_add_site(graph *g, const graph_region_site *item)
{
    return APPEND(g, sites, site_count, site_capacity, *item);
}

uint32_t graph_add_dynamic(graph *g, uint32_t site, uint32_t parent)
{
    graph_dynamic item = {site, parent};
    return APPEND(g, dynamics, dynamic_count, dynamic_capacity, item);
}

uint32_t graph_add_region(graph *g, const view *v)
{
    graph_region region = {v->type->elem, v->base, g->dim_count, v->rank};
    for (uint32_t i = 0; i < v->rank; i++)
        if (APPEND(g, dims, dim_count, dim_capacity, v->dim[i]) == GRAPH_NONE)
            return GRAPH_NONE;
    return APPEND(g, regions, region_count, region_capacity, region);
}
