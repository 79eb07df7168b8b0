#include "derive.h"

#include <stdlib.h>
#include <string.h>

/* Rules can ask for tasks^2 / 4 edges: beyond this they are refused. */
#define MAX_EDGES (UINT32_C(1) << 25)

const oracle_text oracle_kind_data = {"data", 4, true};
const oracle_text oracle_kind_storage = {"storage", 7, true};
const oracle_text oracle_kind_war = {"war", 3, true};
const oracle_text oracle_kind_creator = {"creator", 7, true};

bool oracle_derive_edge(oracle_deriver *deriver, const oracle_edge *edge)
{
    if (deriver->found_count == deriver->found_capacity) {
        size_t capacity = deriver->found_capacity * 2 + 64;
        oracle_edge *grown =
            realloc(deriver->found, capacity * sizeof *deriver->found);
        if (grown == NULL) {
            return false;
        }
        deriver->found = grown;
        deriver->found_capacity = capacity;
    }
    deriver->found[deriver->found_count++] = *edge;
    return true;
}

bool oracle_tasks_together(const oracle_document *document, uint32_t a,
                           uint32_t b)
{
    const oracle_task *x = &document->tasks[a];
    const oracle_task *y = &document->tasks[b];
    for (uint32_t i = 0; i < x->whens; i++) {
        const oracle_when *p = &document->whens[x->first_when + i];
        for (uint32_t j = 0; j < y->whens; j++) {
            const oracle_when *q = &document->whens[y->first_when + j];
            if (p->choice == q->choice && p->is != q->is) {
                return false;
            }
        }
    }
    return true;
}

bool oracle_task_implied(const oracle_document *document, uint32_t earlier,
                         uint32_t later)
{
    const oracle_task *x = &document->tasks[earlier];
    const oracle_task *y = &document->tasks[later];
    bool implied = true;
    for (uint32_t i = 0; implied && i < y->whens; i++) {
        const oracle_when *p = &document->whens[y->first_when + i];
        implied = false;
        for (uint32_t j = 0; j < x->whens && !implied; j++) {
            const oracle_when *q = &document->whens[x->first_when + j];
            implied = p->choice == q->choice && p->is == q->is;
        }
    }
    return implied;
}

bool oracle_arg_opted_out(const oracle_document *document,
                          const oracle_arg *arg)
{
    return arg->kind != ORACLE_ARG_BUFFER || arg->manual_dep ||
           arg->dispatch == ORACLE_NO_DEP ||
           arg->dispatch == ORACLE_UNKNOWN_DISPATCH ||
           document->buffers[arg->buffer].manual_dep ||
           document->buffers[document->buffers[arg->buffer].storage].manual_dep;
}

static int order_u32(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* The stronger says more: data, storage, war, creator. */
static int strength(const oracle_edge *edge)
{
    switch (edge->kind.data[0]) {
    case 'd':
        return 0;
    case 's':
        return 1;
    case 'w':
        return 2;
    default:
        return 3;
    }
}

/* By ends and source; among equals the one to keep comes first. */
static int by_ends(const void *a, const void *b)
{
    const oracle_edge *x = a;
    const oracle_edge *y = b;
    int order = order_u32(x->from, y->from);
    order = order != 0 ? order : order_u32(x->to, y->to);
    order = order != 0 ? order : (int)x->source - (int)y->source;
    order = order != 0 ? order : (int)y->certain - (int)x->certain;
    order = order != 0 ? order : strength(x) - strength(y);
    order = order != 0 ? order : order_u32(x->from_arg, y->from_arg);
    return order != 0 ? order : order_u32(x->to_arg, y->to_arg);
}

static bool same_ends(const oracle_edge *a, const oracle_edge *b)
{
    return a->from == b->from && a->to == b->to && a->source == b->source;
}

static bool too_many(oracle_deriver *deriver)
{
    oracle_fault(deriver->error, ORACLE_RANGE,
                 "the rules give more than %u automatic edges", MAX_EDGES);
    return false;
}

static bool keep_edge(oracle_deriver *deriver, const oracle_edge *edge)
{
    if (deriver->edge_count == MAX_EDGES) {
        return too_many(deriver);
    }
    oracle_edge *edges =
        oracle_arena_push(deriver->document->arena, deriver->edges,
                          deriver->edge_count, sizeof *edges);
    if (edges == NULL) {
        return false;
    }
    deriver->edges = edges;
    edges[deriver->edge_count++] = *edge;
    return true;
}

static bool keep_found(oracle_deriver *deriver)
{
    if (deriver->found_count > 1) {
        qsort(deriver->found, deriver->found_count, sizeof *deriver->found,
              by_ends);
    }
    for (size_t i = 0; i < deriver->found_count; i++) {
        const oracle_edge *edge = &deriver->found[i];
        if (i > 0 && same_ends(edge - 1, edge)) {
            continue;
        }
        if (!keep_edge(deriver, edge)) {
            return false;
        }
    }
    deriver->found_count = 0;
    return true;
}

static bool derive_tasks(oracle_deriver *deriver)
{
    const oracle_document *document = deriver->document;
    bool tensormap = document->rules == ORACLE_RULES_TENSORMAP;
    if (!(tensormap ? oracle_tensormap_start(deriver)
                    : oracle_conservative_start(deriver))) {
        return false;
    }
    uint64_t least = 0;
    if (tensormap && !oracle_tensormap_least(deriver, &least)) {
        return false;
    }
    if (least > MAX_EDGES) {
        return too_many(deriver);
    }
    for (uint32_t i = 0; i < document->task_count; i++) {
        uint32_t scope = document->tasks[i].scope;
        if (scope != ORACLE_NONE && document->scopes[scope].in_manual) {
            continue;
        }
        if (!(tensormap ? oracle_tensormap_task(deriver, i)
                        : oracle_conservative_task(deriver, i)) ||
            !keep_found(deriver)) {
            return false;
        }
    }
    return true;
}

/* The derived edges lie by `to`: counting puts them by (from, to). */
static bool sort_derived(oracle_deriver *deriver)
{
    oracle_document *document = deriver->document;
    uint32_t count = deriver->edge_count;
    size_t tasks = (size_t)document->task_count + 1;
    uint32_t *start = calloc(tasks, sizeof *start);
    oracle_edge *sorted = oracle_arena_array(
        document->arena, (size_t)count + document->edge_count + 1,
        sizeof *sorted);
    if (start == NULL || sorted == NULL) {
        free(start);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        start[deriver->edges[i].from + 1]++;
    }
    for (size_t i = 1; i < tasks; i++) {
        start[i] += start[i - 1];
    }
    for (uint32_t i = 0; i < count; i++) {
        sorted[start[deriver->edges[i].from]++] = deriver->edges[i];
    }
    free(start);
    deriver->edges =
        oracle_arena_trim(document->arena, deriver->edges, 0, sizeof *sorted);
    deriver->edges = sorted;
    return true;
}

/*
 * The rules have given it already, or a run has recorded it for another slice.
 * What an author or a policy says twice stays: it is judged as it is written.
 */
static bool is_known(const oracle_edge *kept, const oracle_edge *next)
{
    return same_ends(kept, next) && (next->source == ORACLE_AUTOMATIC ||
                                     next->source == ORACLE_RECORDED);
}

/* Adds the edges that were there, all in one order. */
static void join_edges(oracle_deriver *deriver)
{
    oracle_document *document = deriver->document;
    uint32_t count = deriver->edge_count;
    if (document->edge_count > 0) {
        memcpy(deriver->edges + count, document->edges,
               document->edge_count * sizeof *document->edges);
        count += document->edge_count;
        qsort(deriver->edges, count, sizeof *deriver->edges, by_ends);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 ||
            !is_known(&deriver->edges[kept - 1], &deriver->edges[i])) {
            deriver->edges[kept++] = deriver->edges[i];
        }
    }
    document->edges = deriver->edges;
    document->edge_count = kept;
}

static void free_deriver(oracle_deriver *deriver)
{
    for (uint32_t i = 0; i < deriver->group_count; i++) {
        oracle_intervals_free(&deriver->groups[i].writers);
        oracle_intervals_free(&deriver->groups[i].readers);
    }
    free(deriver->groups);
    free(deriver->group_of);
    free(deriver->hits.entry);
    free(deriver->found);
    free(deriver->covered);
    oracle_table_free(&deriver->addresses);
    oracle_id_table_free(&deriver->ids);
}

oracle_status oracle_document_derive(oracle_document *document,
                                     oracle_error *error)
{
    oracle_deriver deriver = {.document = document, .error = error};
    memset(error, 0, sizeof *error);
    if (document->rules == ORACLE_RULES_NONE) {
        return ORACLE_OK;
    }
    bool derived = derive_tasks(&deriver) && sort_derived(&deriver);
    if (derived) {
        join_edges(&deriver);
        document->derived = document->rules;
        document->rules = ORACLE_RULES_NONE;
    }
    free_deriver(&deriver);
    if (derived || error->status != ORACLE_OK) {
        return error->status;
    }
    return oracle_fault_memory(error);
}
