/* The choice of a fault: by weight, and the next one where it has no place. */
#include "graph_fault.h"

#include "make.h"

static const graph_fault fields[] = {
    {"schema", "doc.schema", 24, fuzz_graph_schema},
    {"range", "doc.range", 16, fuzz_graph_range},
    {"unknown-field", "doc.unknown-field", 8, fuzz_graph_unknown_field},
    {"syntax", "doc.syntax", 12, fuzz_graph_syntax},
};
#define TRIES 64 /* damage always has a place */
#define FIELDS ((uint32_t)(sizeof fields / sizeof *fields))

uint32_t fuzz_graph_pick(graph_breaker *b, uint32_t n)
{
    return (uint32_t)fuzz_below(&b->r, n);
}

/* Of all three lists, one behind the other. */
static const graph_fault *fault_at(uint32_t index)
{
    if (index < fuzz_graph_edge_faults)
        return &fuzz_graph_edges[index];
    index -= fuzz_graph_edge_faults;
    if (index < fuzz_graph_extra_count)
        return &fuzz_graph_extras[index];
    return &fields[index - fuzz_graph_extra_count];
}

static uint32_t draw(graph_breaker *b, uint32_t weights)
{
    uint32_t at = 0, drawn = fuzz_graph_pick(b, weights);
    while (drawn >= fault_at(at)->weight)
        drawn -= fault_at(at++)->weight;
    return at;
}

void fuzz_graph_break(graph *g)
{
    graph_breaker b = {.g = g,
                       .r = fuzz_random_of(&g->c->name, GRAPH_FOR_FAULT)};
    uint32_t count = fuzz_graph_edge_faults + fuzz_graph_extra_count + FIELDS;
    uint32_t weights = 0;
    for (uint32_t i = 0; i < count; i++)
        weights += fault_at(i)->weight;
    for (uint32_t i = 0; i < TRIES; i++) {
        const graph_fault *fault = fault_at(draw(&b, weights));
        if (fault->make(&b)) {
            g->c->fault = fault->name;
            fuzz_case_expect(g->c, fault->rule);
            return;
        }
    }
}
