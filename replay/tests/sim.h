/* Small documents made in memory, for the tests of programs and runs. */
#ifndef REPLAY_TESTS_SIM_H
#define REPLAY_TESTS_SIM_H

#include "oracle/document.h"
#include "replay/run.h"

#define SIM_TASKS 12
#define SIM_ITEMS 128
#define SIM_WHOLE (-1)

typedef struct sim_graph {
    oracle_document document;
    oracle_task tasks[SIM_TASKS];
    oracle_buffer buffers[SIM_TASKS];
    oracle_arg args[SIM_ITEMS];
    oracle_access accesses[SIM_ITEMS];
    oracle_region regions[SIM_ITEMS];
    oracle_dim dims[SIM_ITEMS];
    oracle_edge edges[SIM_ITEMS];
    oracle_allocation allocations[SIM_TASKS];
    oracle_host_access hosts[SIM_TASKS];
} sim_graph;

void sim_start(sim_graph *g);
uint32_t sim_buffer(sim_graph *g, int64_t bytes, bool external);
/* A view of `bytes` bytes at `offset` of another buffer. */
uint32_t sim_view(sim_graph *g, uint32_t of, int64_t offset, int64_t bytes);
/* A task of id 10, 11, ...; arguments that follow are its own. */
uint32_t sim_task(sim_graph *g);
/* Of the last task, an argument with one access of the bytes [begin, end) of
 * the buffer (SIM_WHOLE, 0: all of it), must and exact. */
oracle_access *sim_access(sim_graph *g, uint32_t buffer, oracle_mode mode,
                          int64_t begin, int64_t end);
/* The region of an access: `count` elements of `elem` bytes. */
void sim_stride(sim_graph *g, oracle_access *access, int64_t elem, int64_t base,
                int64_t count, int64_t stride);
/* The last task has the byte of the buffer as its predicate's operand. */
void sim_predicate(sim_graph *g, uint32_t buffer, int64_t byte);
oracle_edge *sim_edge(sim_graph *g, uint32_t from, uint32_t to);
void sim_place(sim_graph *g, uint32_t buffer, int64_t offset);
/* The host acts on the whole buffer behind the last task that there is. */
void sim_host(sim_graph *g, uint32_t buffer, oracle_mode mode);

/* A program that can be made; the test fails where not. */
replay_program sim_program(const oracle_document *document,
                           const replay_choice *choice);

/* A document from a text, derived. */
oracle_document sim_read(const char *text);

#endif
