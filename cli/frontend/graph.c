#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "readers.h"

/* Explicit edges, chained by the task that they lead to. */
typedef struct edge_chains {
    uint32_t *heads; /* by task: edges[], or FRONTEND_NONE */
    uint32_t *next;  /* by edge */
} edge_chains;

static frontend_text borrow(oracle_text text)
{
    return (frontend_text){text.data, text.length};
}

/* "param:x" is x; other keys stay whole. */
static frontend_text key_name(oracle_text key)
{
    static const char prefix[] = "param:";
    size_t length = sizeof prefix - 1;
    frontend_text name = borrow(key);
    if (name.length > length && memcmp(name.data, prefix, length) == 0) {
        name.data += length;
        name.length -= length;
    }
    return name;
}

static frontend_direction direction_of(oracle_dispatch dispatch)
{
    switch (dispatch) {
    case ORACLE_INPUT:
        return FRONTEND_INPUT;
    case ORACLE_OUTPUT:
        return FRONTEND_OUTPUT;
    case ORACLE_OUTPUT_EXISTING:
        return FRONTEND_OUTPUT_EXISTING;
    case ORACLE_INOUT:
        return FRONTEND_INOUT;
    case ORACLE_NO_DEP:
        return FRONTEND_NO_DEP;
    case ORACLE_UNKNOWN_DISPATCH:
        break;
    }
    return FRONTEND_UNKNOWN;
}

/* A whole decimal number; the text has a NUL behind it. */
static bool read_number(oracle_text text, int64_t *number)
{
    char *end;
    if (text.length == 0 || text.data[0] == ' ')
        return false;
    errno = 0;
    long long value = strtoll(text.data, &end, 10);
    *number = value;
    return errno == 0 && end == text.data + text.length;
}

static frontend_status add_arg(frontend_outline *outline,
                               const oracle_document *document,
                               const oracle_arg *arg)
{
    frontend_arg added = {.direction = FRONTEND_SCALAR, .root = FRONTEND_NONE};
    if (arg->kind == ORACLE_ARG_SCALAR) {
        added.constant = read_number(arg->scalar, &added.value);
        return frontend_add_arg(outline, added);
    }
    added.direction = direction_of(arg->dispatch);
    added.root = document->buffers[arg->buffer].storage;
    return frontend_add_arg(outline, added);
}

static frontend_status add_deps(frontend_outline *outline,
                                const oracle_document *document,
                                const edge_chains *chains, uint32_t position)
{
    const oracle_task *task = &document->tasks[position];
    frontend_status status = FRONTEND_OK;
    for (uint32_t i = 0; status == FRONTEND_OK && i < task->deps; i++) {
        const oracle_dep *dep = &document->deps[task->first_dep + i];
        if (dep->cause == ORACLE_DEP_TASK && dep->task != ORACLE_NONE)
            status = frontend_add_dep(outline, dep->task);
    }
    for (uint32_t e = chains->heads[position];
         status == FRONTEND_OK && e != FRONTEND_NONE; e = chains->next[e])
        status = frontend_add_dep(outline, document->edges[e].from);
    if (status == FRONTEND_OK)
        frontend_end_deps(outline);
    return status;
}

static frontend_status add_task(frontend_outline *outline,
                                const oracle_document *document,
                                const edge_chains *chains, uint32_t position)
{
    const oracle_task *task = &document->tasks[position];
    frontend_status status = frontend_add_task(outline, borrow(task->name));
    if (status != FRONTEND_OK)
        return status;
    frontend_task *added = &outline->tasks[position];
    added->dummy = task->dummy;
    added->predicate = task->has_predicate;
    if (task->has_predicate && task->predicate_formed)
        added->predicate_root =
            document->buffers[task->predicate_buffer].storage;
    added->blocks = task->blocks;
    added->id = task->id;
    added->line = task->line;
    for (uint32_t i = 0; status == FRONTEND_OK && i < task->args; i++)
        status =
            add_arg(outline, document, &document->args[task->first_arg + i]);
    if (status == FRONTEND_OK)
        status = add_deps(outline, document, chains, position);
    return status;
}

static frontend_status chain_edges(edge_chains *chains,
                                   const oracle_document *document)
{
    size_t size = sizeof *chains->heads;
    chains->heads = malloc((document->task_count + (size_t)1) * size);
    chains->next = malloc((document->edge_count + (size_t)1) * size);
    if (chains->heads == NULL || chains->next == NULL)
        return FRONTEND_NO_MEMORY;
    for (uint32_t i = 0; i < document->task_count; i++)
        chains->heads[i] = FRONTEND_NONE;
    for (uint32_t i = 0; i < document->edge_count; i++) {
        const oracle_edge *edge = &document->edges[i];
        chains->next[i] = FRONTEND_NONE;
        if (edge->source != ORACLE_EXPLICIT)
            continue;
        chains->next[i] = chains->heads[edge->to];
        chains->heads[edge->to] = i;
    }
    return FRONTEND_OK;
}

frontend_status frontend_read_graph(frontend_outline *outline,
                                    const oracle_document *document)
{
    edge_chains chains = {0};
    if (document->kind == ORACLE_KIND_SCORE)
        return frontend_stop(outline, FRONTEND_SKIPPED,
                             "there is no task graph, only a Score");
    if (document->choice_count > 0 || document->dynamic_count > 0)
        return frontend_stop(outline, FRONTEND_SKIPPED,
                             "the task graph has dynamic parts");
    outline->function = borrow(document->name);
    frontend_status status = chain_edges(&chains, document);
    for (uint32_t i = 0; status == FRONTEND_OK && i < document->buffer_count;
         i++) {
        const oracle_buffer *buffer = &document->buffers[i];
        uint32_t root;
        status = frontend_add_root(outline, key_name(buffer->key),
                                   buffer->external, &root);
    }
    for (uint32_t i = 0; status == FRONTEND_OK && i < document->task_count; i++)
        status = add_task(outline, document, &chains, i);
    free(chains.heads);
    free(chains.next);
    return status;
}
