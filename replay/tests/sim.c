#include "sim.h"

#include "../../scripts/testing/harness.h"

#include <string.h>

static oracle_text text(const char *data)
{
    return (oracle_text){data, (uint32_t)strlen(data), true};
}

void sim_start(sim_graph *g)
{
    oracle_document *d = &g->document;
    *d = (oracle_document){.kind = ORACLE_KIND_TASK_GRAPH,
                           .tasks = g->tasks,
                           .buffers = g->buffers,
                           .args = g->args,
                           .accesses = g->accesses,
                           .regions = g->regions,
                           .dims = g->dims,
                           .edges = g->edges,
                           .allocations = g->allocations,
                           .host_accesses = g->hosts};
}

uint32_t sim_buffer(sim_graph *g, int64_t bytes, bool external)
{
    static const char *const keys[] = {"b0", "b1", "b2", "b3", "b4",  "b5",
                                       "b6", "b7", "b8", "b9", "b10", "b11"};
    uint32_t b = g->document.buffer_count++;
    assert_true(b < SIM_TASKS);
    g->buffers[b] = (oracle_buffer){.key = text(keys[b]),
                                    .symbol = {"", 0, false},
                                    .has_bytes = bytes >= 0,
                                    .bytes = bytes < 0 ? 0 : bytes,
                                    .external = external,
                                    .creator = -1,
                                    .alias_of = ORACLE_NONE,
                                    .storage = b};
    return b;
}

uint32_t sim_view(sim_graph *g, uint32_t of, int64_t offset, int64_t bytes)
{
    uint32_t b = sim_buffer(g, bytes, false);
    g->buffers[b].alias_of = of;
    g->buffers[b].alias_bytes = offset;
    g->buffers[b].storage = g->buffers[of].storage;
    g->buffers[b].storage_at = g->buffers[of].storage_at + offset;
    return b;
}

uint32_t sim_task(sim_graph *g)
{
    uint32_t t = g->document.task_count++;
    assert_true(t < SIM_TASKS);
    g->tasks[t] = (oracle_task){.id = 10 + (int64_t)t,
                                .name = text("t"),
                                .core = text("aiv"),
                                .blocks = 1,
                                .scope = ORACLE_NONE,
                                .first_arg = g->document.arg_count,
                                .predicate_buffer = ORACLE_NONE,
                                .predicate_region = ORACLE_NONE};
    return t;
}

static uint32_t add_region(sim_graph *g, int64_t elem, int64_t base,
                           int64_t count, int64_t stride)
{
    uint32_t r = g->document.region_count++, d = g->document.dim_count++;
    assert_true(r < SIM_ITEMS && d < SIM_ITEMS);
    g->dims[d] = (oracle_dim){.count = {count, 0, 0}, .stride = stride};
    g->regions[r] = (oracle_region){elem, {base, 0, 0}, d, 1};
    return r;
}

oracle_access *sim_access(sim_graph *g, uint32_t buffer, oracle_mode mode,
                          int64_t begin, int64_t end)
{
    uint32_t a = g->document.arg_count++, i = g->document.access_count++;
    assert_true(a < SIM_ITEMS && i < SIM_ITEMS);
    g->args[a] = (oracle_arg){.kind = ORACLE_ARG_BUFFER,
                              .scalar = {"", 0, false},
                              .buffer = buffer,
                              .view = ORACLE_NONE,
                              .dtype = {"", 0, false},
                              .has_access = true,
                              .first_access = i,
                              .accesses = 1};
    g->accesses[i] = (oracle_access){mode, true, true, ORACLE_NONE};
    if (begin != SIM_WHOLE) {
        g->accesses[i].region = add_region(g, 1, begin, end - begin, 1);
    }
    g->tasks[g->document.task_count - 1].args++;
    return &g->accesses[i];
}

void sim_stride(sim_graph *g, oracle_access *access, int64_t elem, int64_t base,
                int64_t count, int64_t stride)
{
    access->region = add_region(g, elem, base, count, stride);
}

void sim_predicate(sim_graph *g, uint32_t buffer, int64_t byte)
{
    static const oracle_test test = {{"", 0, false}, 0};
    oracle_task *task = &g->tasks[g->document.task_count - 1];
    task->has_predicate = true;
    task->predicate_test = &test;
    task->predicate_formed = true;
    task->predicate_buffer = buffer;
    task->predicate_region = add_region(g, 1, byte, 1, 1);
}

oracle_edge *sim_edge(sim_graph *g, uint32_t from, uint32_t to)
{
    uint32_t e = g->document.edge_count++;
    assert_true(e < SIM_ITEMS);
    g->edges[e] = (oracle_edge){.from = from,
                                .to = to,
                                .source = ORACLE_POLICY,
                                .kind = {"", 0, false},
                                .certain = true,
                                .from_arg = ORACLE_NONE,
                                .to_arg = ORACLE_NONE};
    return &g->edges[e];
}

void sim_place(sim_graph *g, uint32_t buffer, int64_t offset)
{
    const oracle_buffer *b = &g->buffers[buffer];
    uint32_t i = g->document.allocation_count++;
    assert_true(i < SIM_TASKS);
    g->allocations[i] = (oracle_allocation){b->key, buffer, offset, b->bytes};
    g->document.has_plan = true;
}

void sim_host(sim_graph *g, uint32_t buffer, oracle_mode mode)
{
    uint32_t i = g->document.host_access_count++, n = g->document.task_count;
    assert_true(i < SIM_TASKS);
    g->hosts[i] =
        (oracle_host_access){.after = n == 0 ? -1 : g->tasks[n - 1].id,
                             .mode = mode,
                             .buffer = buffer,
                             .region = ORACLE_NONE};
}

replay_program sim_program(const oracle_document *document,
                           const replay_choice *choice)
{
    replay_program program;
    replay_error error;
    if (replay_program_make(&program, document, choice, &error) != REPLAY_OK) {
        fail_msg("%s", error.message);
    }
    return program;
}

oracle_document sim_read(const char *json)
{
    oracle_document document;
    oracle_error error;
    if (oracle_document_read(&document, json, strlen(json), NULL, &error) !=
            ORACLE_OK ||
        oracle_document_derive(&document, &error) != ORACLE_OK) {
        fail_msg("%s: %s", error.path, error.message);
    }
    return document;
}
