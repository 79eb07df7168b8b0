/* One execution of a document with choices. */
#include "arena.h"
#include "fault.h"
#include "table.h"

#include <string.h>

typedef struct restriction {
    const oracle_document *in;
    oracle_document *out;
    uint32_t *index; /* of each task in `out`, or ORACLE_NONE */
    bool failed;     /* no memory */
} restriction;

static void *make(restriction *r, uint32_t count, size_t size)
{
    void *items = oracle_arena_array(r->out->arena, (size_t)count + 1, size);
    r->failed |= items == NULL;
    return items;
}

static bool holds(const oracle_document *in, uint32_t first, uint32_t whens,
                  const bool *values)
{
    for (uint32_t i = 0; i < whens; i++) {
        const oracle_when *when = &in->whens[first + i];
        if (values[when->choice] != when->is) {
            return false;
        }
    }
    return true;
}

static void keep_tasks(restriction *r, const bool *values)
{
    oracle_document *out = r->out;
    out->tasks = make(r, r->in->task_count, sizeof *out->tasks);
    r->index = make(r, r->in->task_count, sizeof *r->index);
    out->task_count = 0;
    for (uint32_t i = 0; !r->failed && i < r->in->task_count; i++) {
        const oracle_task *task = &r->in->tasks[i];
        r->index[i] = ORACLE_NONE;
        if (holds(r->in, task->first_when, task->whens, values)) {
            r->index[i] = out->task_count;
            out->tasks[out->task_count] = *task;
            out->tasks[out->task_count++].whens = 0;
        }
    }
}

static void keep_deps(restriction *r, const bool *values)
{
    oracle_document *out = r->out;
    out->deps = make(r, r->in->dep_count, sizeof *out->deps);
    for (uint32_t i = 0; !r->failed && i < r->in->dep_count; i++) {
        oracle_dep dep = r->in->deps[i];
        if (dep.task != ORACLE_NONE) {
            dep.task = r->index[dep.task];
            dep.cause = dep.task == ORACLE_NONE ? ORACLE_DEP_NONE : dep.cause;
        }
        if (!holds(r->in, dep.first_when, dep.whens, values)) {
            dep.task = ORACLE_NONE;
            dep.cause = ORACLE_DEP_NONE;
        }
        dep.whens = 0;
        out->deps[i] = dep;
    }
}

/* Those of this execution, which hold always now. */
static void keep_facts(restriction *r, const bool *values)
{
    oracle_document *out = r->out;
    out->facts = make(r, r->in->fact_count, sizeof *out->facts);
    out->fact_count = 0;
    for (uint32_t i = 0; !r->failed && i < r->in->fact_count; i++) {
        oracle_fact fact = r->in->facts[i];
        if (fact.choice == ORACLE_NONE || values[fact.choice] == fact.is) {
            fact.choice = ORACLE_NONE;
            out->facts[out->fact_count++] = fact;
        }
    }
}

static void keep_edges(restriction *r)
{
    oracle_document *out = r->out;
    out->edges = make(r, r->in->edge_count, sizeof *out->edges);
    out->edge_count = 0;
    for (uint32_t i = 0; !r->failed && i < r->in->edge_count; i++) {
        oracle_edge edge = r->in->edges[i];
        edge.from = r->index[edge.from];
        edge.to = r->index[edge.to];
        if (edge.from != ORACLE_NONE && edge.to != ORACLE_NONE) {
            out->edges[out->edge_count++] = edge;
        }
    }
}

static void keep_dynamics(restriction *r)
{
    oracle_document *out = r->out;
    out->dynamics = make(r, r->in->dynamic_count, sizeof *out->dynamics);
    out->dynamic_tasks =
        make(r, r->in->dynamic_task_count, sizeof *out->dynamic_tasks);
    out->dynamic_task_count = 0;
    for (uint32_t i = 0; !r->failed && i < r->in->dynamic_count; i++) {
        const oracle_dynamic *from = &r->in->dynamics[i];
        oracle_dynamic *to = &out->dynamics[i];
        *to = *from;
        to->first_task = out->dynamic_task_count;
        for (uint32_t k = 0; k < from->tasks; k++) {
            uint32_t task =
                r->index[r->in->dynamic_tasks[from->first_task + k]];
            if (task != ORACLE_NONE) {
                out->dynamic_tasks[out->dynamic_task_count++] = task;
            }
        }
        to->tasks = out->dynamic_task_count - to->first_task;
    }
}

/* Per task, the id of the last one up to it that is there; -1: none. */
static int64_t *last_ids(restriction *r)
{
    int64_t *last = make(r, r->in->task_count, sizeof *last);
    int64_t id = -1;
    for (uint32_t i = 0; last != NULL && i < r->in->task_count; i++) {
        id = r->index[i] == ORACLE_NONE ? id : r->in->tasks[i].id;
        last[i] = id;
    }
    return last;
}

static void keep_host_accesses(restriction *r, const bool *values)
{
    oracle_document *out = r->out;
    oracle_id_table ids = {0};
    out->host_accesses =
        make(r, r->in->host_access_count, sizeof *out->host_accesses);
    const int64_t *last = last_ids(r);
    out->host_access_count = 0;
    for (uint32_t i = 0; !r->failed && i < r->in->task_count; i++) {
        oracle_id_slot *slot = oracle_id_table_slot(&ids, r->in->tasks[i].id);
        r->failed = slot == NULL;
        if (slot != NULL) {
            slot->value = i;
        }
    }
    for (uint32_t i = 0; !r->failed && i < r->in->host_access_count; i++) {
        oracle_host_access host = r->in->host_accesses[i];
        uint32_t task = oracle_id_table_find(&ids, host.after);
        host.after = task == ORACLE_NONE ? -1 : last[task];
        if (holds(r->in, host.first_when, host.whens, values)) {
            host.whens = 0;
            out->host_accesses[out->host_access_count++] = host;
        }
    }
    oracle_id_table_free(&ids);
}

/* Runtime allocations of a task that is not there have no creator edge. */
static void keep_buffers(restriction *r)
{
    oracle_document *out = r->out;
    oracle_id_table ids = {0};
    out->buffers = make(r, r->in->buffer_count, sizeof *out->buffers);
    for (uint32_t i = 0; !r->failed && i < out->task_count; i++) {
        oracle_id_slot *slot = oracle_id_table_slot(&ids, out->tasks[i].id);
        r->failed = slot == NULL;
        if (slot != NULL) {
            slot->value = i;
        }
    }
    for (uint32_t i = 0; !r->failed && i < r->in->buffer_count; i++) {
        oracle_buffer buffer = r->in->buffers[i];
        if (oracle_id_table_find(&ids, buffer.creator) == ORACLE_NONE) {
            buffer.creator = -1;
        }
        out->buffers[i] = buffer;
    }
    oracle_id_table_free(&ids);
}

oracle_status oracle_document_restrict(oracle_document *out,
                                       const oracle_document *in,
                                       const bool *choice_values,
                                       oracle_error *error)
{
    restriction r = {.in = in, .out = out};
    memset(error, 0, sizeof *error);
    *out = *in;
    out->arena = oracle_arena_create();
    if (out->arena == NULL) {
        return oracle_fault_memory(error);
    }
    keep_tasks(&r, choice_values);
    if (!r.failed) {
        keep_deps(&r, choice_values);
        keep_facts(&r, choice_values);
        keep_edges(&r);
        keep_dynamics(&r);
        keep_host_accesses(&r, choice_values);
        keep_buffers(&r);
    }
    if (r.failed) {
        oracle_document_free(out);
        return oracle_fault_memory(error);
    }
    return ORACLE_OK;
}
