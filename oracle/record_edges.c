/* The edges of a deps.json, and what they tell of rows that are missing. */
#include "record_work.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOW_BITS INT64_C(0xffffffff)

/* --- Edges --- */

static bool read_source(record_work *w, uint32_t node, record_source *source)
{
    static const char *const sources[] = {"explicit", "creator", "tensormap"};
    *source = RECORD_OTHER;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        if (oracle_json_is(w->reader->json, node, sources[i],
                           strlen(sources[i]))) {
            *source = (record_source)i;
            return true;
        }
    }
    return oracle_reader_remark(
        w->reader, "doc.unsupported",
        "an edge has a source that is not known: it is taken for order",
        "edges[].source", node);
}

static bool read_edge(record_work *w, uint32_t node)
{
    enum { PRED, SUCC, SOURCE, TENSOR };
    static const oracle_fields fields = {
        "edges[]",
        14,
        {ORACLE_FIELD("pred"), ORACLE_FIELD("succ"), ORACLE_FIELD("source"),
         ORACLE_FIELD("tensor_id"), ORACLE_FIELD("arg"),
         ORACLE_FIELD("overlap"), ORACLE_FIELD("consumer_dtype"),
         ORACLE_FIELD("consumer_shape"), ORACLE_FIELD("consumer_start_offset"),
         ORACLE_FIELD("consumer_strides"), ORACLE_FIELD("producer_dtype"),
         ORACLE_FIELD("producer_shape"), ORACLE_FIELD("producer_start_offset"),
         ORACLE_FIELD("producer_strides")}};
    oracle_reader *reader = w->reader;
    uint32_t value[14];
    record_edge edge = {.tensor = ORACLE_NONE};
    uint64_t tensor;
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_need(reader, node, value[PRED], "pred") ||
        !oracle_reader_need(reader, node, value[SUCC], "succ") ||
        !oracle_reader_need(reader, node, value[SOURCE], "source") ||
        !oracle_read_task_id(reader, value[PRED], &edge.pred) ||
        !oracle_read_task_id(reader, value[SUCC], &edge.succ) ||
        !read_source(w, value[SOURCE], &edge.source)) {
        return false;
    }
    if (!oracle_reader_absent(reader, value[TENSOR])) {
        if (!oracle_read_unsigned(reader, value[TENSOR], &tensor)) {
            return false;
        }
        edge.tensor = oracle_id_table_find(&w->by_id, (int64_t)tensor);
    }
    edge.from = oracle_id_table_find(&reader->tasks, edge.pred);
    edge.to = oracle_id_table_find(&reader->tasks, edge.succ);
    w->edges = oracle_reader_push(reader, w->edges, w->edge_count, sizeof edge);
    if (reader->error->status != ORACLE_OK) {
        return false;
    }
    w->edges[w->edge_count++] = edge;
    return true;
}

static int by_ends(const void *a, const void *b)
{
    const record_edge *x = a, *y = b;
    return x->pred != y->pred   ? (x->pred < y->pred ? -1 : 1)
           : x->succ != y->succ ? (x->succ < y->succ ? -1 : 1)
           : x->source != y->source
               ? (x->source < y->source ? -1 : 1)
               : (x->tensor > y->tensor) - (x->tensor < y->tensor);
}

bool record_read_edges(record_work *w, uint32_t list)
{
    uint32_t at, end;
    if (!oracle_reader_list(w->reader, list, &at, &end)) {
        return false;
    }
    for (; at < end; at = oracle_json_next(w->reader->json, at)) {
        if (!read_edge(w, at)) {
            return false;
        }
    }
    if (w->edge_count > 1) {
        qsort(w->edges, w->edge_count, sizeof *w->edges, by_ends);
    }
    return true;
}

static bool lose(record_work *w, const record_edge *edge)
{
    oracle_run *run = w->run;
    run->lost = oracle_reader_push(w->reader, run->lost, run->lost_count,
                                   sizeof *run->lost);
    if (w->reader->error->status != ORACLE_OK) {
        return false;
    }
    run->lost[run->lost_count++] = (oracle_lost_edge){
        .from_id = edge->pred, .from = edge->from, .to = edge->to};
    return true;
}

/* Each pair and source once; an edge repeats for each slice. */
static bool keep_edge(record_work *w, uint32_t i)
{
    static const oracle_text kinds[] = {{"explicit", 8, true},
                                        {"creator", 7, true},
                                        {"tensormap", 9, true},
                                        {"other", 5, true}};
    const record_edge *edge = &w->edges[i];
    if (edge->from == ORACLE_NONE || edge->to == ORACLE_NONE ||
        (i > 0 && edge[-1].from == edge->from && edge[-1].to == edge->to &&
         edge[-1].source == edge->source)) {
        return true;
    }
    if (edge->source == RECORD_EXPLICIT && edge->from > edge->to) {
        return lose(w, edge); /* it was not submitted yet */
    }
    oracle_edge *kept = ORACLE_PUSH(w->reader, edges, edge_count);
    if (kept == NULL) {
        return false;
    }
    *kept = (oracle_edge){.from = edge->from,
                          .to = edge->to,
                          .source = ORACLE_RECORDED,
                          .kind = kinds[edge->source],
                          .certain = true,
                          .from_arg = ORACLE_NONE,
                          .to_arg = ORACLE_NONE};
    return true;
}

bool record_keep_edges(record_work *w)
{
    for (uint32_t i = 0; i < w->edge_count; i++) {
        if (!keep_edge(w, i)) {
            return false;
        }
    }
    return true;
}

/* --- What has no row --- */

static bool keep_allocator(record_work *w, int64_t id)
{
    oracle_run *run = w->run;
    run->allocators =
        oracle_reader_push(w->reader, run->allocators, run->allocator_count,
                           sizeof *run->allocators);
    if (w->reader->error->status != ORACLE_OK) {
        return false;
    }
    run->allocators[run->allocator_count++] = id;
    return true;
}

static bool no_row(record_work *w, uint32_t edges, int64_t id)
{
    char what[96];
    snprintf(what, sizeof what,
             "edges name task %" PRId64 ", which has no row in \"tasks\"", id);
    return record_cut(w, edges, "tasks", what);
}

/*
 * The edges from one id without a row. Who has given a tensor and registered
 * nothing only allocates. An id that none of its consumers could know, since
 * it comes behind them, was never submitted.
 */
static bool judge_absent(record_work *w, uint32_t list, uint32_t first,
                         uint32_t end)
{
    bool creates = false, is_task = false, is_ahead = true;
    for (uint32_t i = first; i < end; i++) {
        const record_edge *edge = &w->edges[i];
        creates |= edge->source == RECORD_CREATOR;
        is_task |= edge->source == RECORD_TENSORMAP;
        is_ahead &= edge->pred > edge->succ;
    }
    if (creates && !is_task) {
        return keep_allocator(w, w->edges[first].pred);
    }
    if (is_task || !is_ahead) {
        return no_row(w, list, w->edges[first].pred);
    }
    for (uint32_t i = first; i < end; i++) {
        const record_edge *edge = &w->edges[i];
        bool again = i > first && edge[-1].succ == edge->succ;
        if (!again && edge->to != ORACLE_NONE && !lose(w, edge)) {
            return false;
        }
    }
    return true;
}

bool record_judge_ends(record_work *w, uint32_t list)
{
    for (uint32_t i = 0, end = 0; i < w->edge_count; i = end) {
        for (end = i;
             end < w->edge_count && w->edges[end].pred == w->edges[i].pred;
             end++) {
            if (w->edges[end].to == ORACLE_NONE &&
                !no_row(w, list, w->edges[end].succ)) {
                return false;
            }
        }
        if (w->edges[i].from == ORACLE_NONE && !judge_absent(w, list, i, end)) {
            return false;
        }
    }
    return true;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/*
 * Ids count submissions. One that nothing names is of a task whose row is
 * missing, or of one that only allocates for manual scopes.
 */
bool record_judge_gaps(record_work *w, uint32_t list)
{
    const oracle_document *d = w->reader->document;
    const oracle_run *run = w->run;
    uint32_t count = 0;
    int64_t *ids = oracle_arena_array(
        w->reader->arena, (size_t)d->task_count + run->allocator_count,
        sizeof *ids);
    if (ids == NULL) {
        return oracle_reader_memory(w->reader);
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        ids[count++] = d->tasks[t].id;
    }
    for (uint32_t i = 0; i < run->allocator_count; i++) {
        ids[count++] = run->allocators[i];
    }
    if (count > 1) {
        qsort(ids, count, sizeof *ids, by_number);
    }
    for (uint32_t i = 0; i < count; i++) {
        bool begins = i == 0 || ids[i - 1] >> 32 != ids[i] >> 32;
        int64_t expected = begins ? ids[i] & ~LOW_BITS : ids[i - 1] + 1;
        char what[96];
        if (ids[i] == expected) {
            continue;
        }
        if (w->has_manual) {
            w->run->may_allocate = true;
            return true;
        }
        snprintf(what, sizeof what,
                 "there is neither a row nor an edge of task %" PRId64,
                 expected);
        return record_cut(w, list, "tasks", what);
    }
    return true;
}
