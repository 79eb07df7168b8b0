#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "readers.h"

#define WHENS 64    /* conditions of a task that are looked at */
#define TELLINGS 64 /* tasks that tell of one submission */

/* Explicit edges, chained by the task that they lead to. */
typedef struct edge_chains {
    uint32_t *heads; /* by task: edges[], or FRONTEND_NONE */
    uint32_t *next;  /* by edge */
} edge_chains;

static frontend_text borrow(oracle_text text)
{
    return (frontend_text){text.data, text.length};
}

/*
 * "param:x" is x. In a program with several functions it is "param:f.x", x of
 * the function f. Other keys ("alloc:x") keep what is before the colon.
 */
static void name_root(frontend_root *root)
{
    static const char prefix[] = "param:";
    size_t length = sizeof prefix - 1;
    frontend_text name = root->name;
    size_t colon = 0;
    while (colon < name.length && name.data[colon] != ':')
        colon++;
    const char *start = name.data + (colon < name.length ? colon + 1 : 0);
    size_t left = name.length - (size_t)(start - name.data);
    const char *dot = memchr(start, '.', left);
    if (dot != NULL)
        root->function = (frontend_text){start, (size_t)(dot - start)};
    if (name.length < length || memcmp(name.data, prefix, length) != 0)
        return;
    const char *rest = dot != NULL ? dot + 1 : start;
    root->name = (frontend_text){rest, left - (size_t)(rest - start)};
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

static frontend_declared declared_of(oracle_declared declared)
{
    switch (declared) {
    case ORACLE_DECLARED_IN:
        return FRONTEND_DECLARED_IN;
    case ORACLE_DECLARED_OUT:
        return FRONTEND_DECLARED_OUT;
    case ORACLE_DECLARED_INOUT:
        return FRONTEND_DECLARED_INOUT;
    case ORACLE_DECLARED_NONE:
        break;
    }
    return FRONTEND_DECLARED_NONE;
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
    added.declared = declared_of(arg->declared);
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

/* Whether no execution has both: one needs what the other excludes. */
static bool excludes(const oracle_document *document, const oracle_task *a,
                     const oracle_task *b)
{
    for (uint32_t i = 0; i < a->whens && i < WHENS; i++)
        for (uint32_t k = 0; k < b->whens && k < WHENS; k++) {
            const oracle_when *mine = &document->whens[a->first_when + i];
            const oracle_when *theirs = &document->whens[b->first_when + k];
            if (mine->choice == theirs->choice && mine->is != theirs->is)
                return true;
        }
    return false;
}

/*
 * A submission whose arguments depend on a choice is told as several tasks,
 * one behind the other, of which each execution has one.
 */
static bool is_alternative(const frontend_outline *outline,
                           const oracle_document *document, uint32_t position)
{
    const oracle_task *task = &document->tasks[position];
    if (task->line <= 0 || task->whens == 0)
        return false;
    for (uint32_t i = position; i > 0 && position - i < TELLINGS; i--) {
        const oracle_task *before = &document->tasks[i - 1];
        if (before->line != task->line || before->dummy != task->dummy ||
            !excludes(document, task, before))
            return false;
        if (!outline->tasks[i - 1].alternative)
            return true;
    }
    return false;
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
    added->core = borrow(task->core);
    added->dummy = task->dummy;
    added->predicate = task->has_predicate;
    if (task->has_predicate && task->predicate_formed)
        added->predicate_root =
            document->buffers[task->predicate_buffer].storage;
    added->blocks = task->blocks;
    added->id = task->id;
    added->line = task->line;
    added->site = task->line > 0 ? (uint64_t)task->line : 0;
    added->optional = task->whens > 0;
    added->alternative = is_alternative(outline, document, position);
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

/* The outermost scope around each scope; a parent is read before. */
static uint32_t *find_outermost(const oracle_document *document)
{
    uint32_t *outermost =
        malloc((document->scope_count + (size_t)1) * sizeof *outermost);
    for (uint32_t i = 0; outermost != NULL && i < document->scope_count; i++) {
        uint32_t parent = document->scopes[i].parent;
        outermost[i] =
            parent == ORACLE_NONE || parent >= i ? i : outermost[parent];
    }
    return outermost;
}

static frontend_text function_of(const frontend_outline *outline,
                                 const frontend_task *task)
{
    for (uint32_t i = 0; i < task->args; i++) {
        uint32_t root = outline->args[task->first_arg + i].root;
        if (root != FRONTEND_NONE && outline->roots[root].function.length > 0)
            return outline->roots[root].function;
    }
    return (frontend_text){"", 0};
}

/* A program with several functions has an outermost scope for each. */
static frontend_status find_sections(frontend_outline *outline,
                                     const oracle_document *document)
{
    bool several = false;
    for (uint32_t i = 0; i < outline->root_count && !several; i++)
        several = outline->roots[i].function.length > 0;
    if (!several)
        return FRONTEND_OK;
    uint32_t *outermost = find_outermost(document);
    frontend_status status =
        outermost == NULL ? FRONTEND_NO_MEMORY : FRONTEND_OK;
    uint32_t before = FRONTEND_NONE;
    for (uint32_t i = 0; status == FRONTEND_OK && i < outline->task_count;
         i++) {
        uint32_t scope = document->tasks[i].scope;
        uint32_t now = scope == ORACLE_NONE ? scope : outermost[scope];
        if (!frontend_grow(&outline->sections, &outline->section_room,
                           outline->section_count, sizeof *outline->sections)) {
            status = FRONTEND_NO_MEMORY;
            break;
        }
        if (outline->section_count == 0 || now != before)
            outline->sections[outline->section_count++] =
                (frontend_section){{"", 0}, i, 0};
        frontend_section *section =
            &outline->sections[outline->section_count - 1];
        section->count++;
        if (section->function.length == 0)
            section->function = function_of(outline, &outline->tasks[i]);
        before = now;
    }
    free(outermost);
    return status;
}

/* Whether loops of constant length were run as two passes (spec 08). */
static bool is_folded(const oracle_document *document)
{
    static const char mark[] = "loop run as two passes";
    for (uint32_t i = 0; i < document->dynamic_count; i++) {
        oracle_text reason = document->dynamics[i].reason;
        if (reason.length >= sizeof mark - 1 &&
            memcmp(reason.data, mark, sizeof mark - 1) == 0)
            return true;
    }
    return false;
}

frontend_status frontend_read_graph(frontend_outline *outline,
                                    const oracle_document *document)
{
    edge_chains chains = {0};
    if (document->kind == ORACLE_KIND_SCORE)
        return frontend_stop(outline, FRONTEND_SKIPPED,
                             "there is no task graph, only a Score");
    outline->function = borrow(document->name);
    outline->folds = is_folded(document);
    frontend_status status = chain_edges(&chains, document);
    for (uint32_t i = 0; status == FRONTEND_OK && i < document->buffer_count;
         i++) {
        const oracle_buffer *buffer = &document->buffers[i];
        uint32_t root;
        status = frontend_add_root(outline, borrow(buffer->key),
                                   buffer->external, &root);
        if (status == FRONTEND_OK)
            name_root(&outline->roots[root]);
    }
    for (uint32_t i = 0; status == FRONTEND_OK && i < document->task_count; i++)
        status = add_task(outline, document, &chains, i);
    if (status == FRONTEND_OK)
        status = find_sections(outline, document);
    free(chains.heads);
    free(chains.next);
    return status;
}
