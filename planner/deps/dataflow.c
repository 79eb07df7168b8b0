/*
 * Tasks are walked once. Edges are kept between ranks (places in the ascending
 * order of task ids), which makes the final order a counting sort.
 */
#include "dataflow.h"

#include <stdlib.h>
#include <string.h>

#include "../json/array.h"
#include "../score/ids.h"
#include "access.h"
#include "direction.h"

#define NONE UINT32_MAX
#define LIMIT ((size_t)UINT32_MAX - 1)

/* Weaker kinds have larger numbers. */
typedef enum edge_kind { KIND_DATA, KIND_STORAGE, KIND_WAR } edge_kind;

typedef struct edge {
    uint32_t producer, consumer; /* ranks */
    uint8_t kind;
} edge;

/* What happened to an access key so far; tasks by their index. */
typedef struct key_state {
    uint32_t writer;  /* rank of the last writer, or NONE */
    uint32_t readers; /* first in the list of readers since, or NONE */
    uint32_t read_by; /* last task that read it; once per task counts */
    uint32_t written_by;
} key_state;

typedef struct reader {
    uint32_t rank;
    uint32_t next;
} reader;

typedef struct flow {
    const sonata_score *score;
    sonata_ids ids;
    sonata_access_keys keys;
    key_state *states;
    size_t state_count, state_capacity;
    reader *readers;
    size_t reader_count, reader_capacity;
    edge *edges;
    size_t edge_count, edge_capacity;
    uint32_t *edge_of;   /* per producer rank: its newest edge */
    size_t task_edges;   /* the first edge of the present task */
    uint32_t *task_keys; /* access keys of the present task's arguments */
    sonata_direction *directions;
    size_t task_capacity;
} flow;

static void free_flow(flow *f)
{
    sonata_ids_free(&f->ids);
    sonata_access_keys_free(&f->keys);
    free(f->states);
    free(f->readers);
    free(f->edges);
    free(f->edge_of);
    free(f->task_keys);
    free(f->directions);
}

static bool add_edge(flow *f, uint32_t producer, uint32_t consumer,
                     edge_kind kind)
{
    if (producer == consumer)
        return true;
    uint32_t known = f->edge_of[producer];
    if (known < f->edge_count && known >= f->task_edges &&
        f->edges[known].producer == producer) {
        if (kind < f->edges[known].kind)
            f->edges[known].kind = (uint8_t)kind;
        return true;
    }
    edge *edges =
        sonata_grow(f->edges, &f->edge_capacity, f->edge_count, sizeof *edges);
    if (edges == NULL || f->edge_count >= LIMIT)
        return false;
    f->edges = edges;
    f->edge_of[producer] = (uint32_t)f->edge_count;
    f->edges[f->edge_count++] = (edge){producer, consumer, (uint8_t)kind};
    return true;
}

static bool read_key(flow *f, uint32_t key, uint32_t task, uint32_t rank)
{
    key_state *state = &f->states[key];
    if (state->read_by == task)
        return true;
    state->read_by = task;
    if (state->writer != NONE && !add_edge(f, state->writer, rank, KIND_DATA))
        return false;
    reader *readers = sonata_grow(f->readers, &f->reader_capacity,
                                  f->reader_count, sizeof *readers);
    if (readers == NULL || f->reader_count >= LIMIT)
        return false;
    f->readers = readers;
    f->readers[f->reader_count] = (reader){rank, state->readers};
    state->readers = (uint32_t)f->reader_count++;
    return true;
}

static bool write_key(flow *f, uint32_t key, uint32_t task, uint32_t rank)
{
    key_state *state = &f->states[key];
    if (state->written_by == task)
        return true;
    state->written_by = task;
    if (state->writer != NONE &&
        !add_edge(f, state->writer, rank, KIND_STORAGE))
        return false;
    for (uint32_t at = state->readers; at != NONE; at = f->readers[at].next)
        if (!add_edge(f, f->readers[at].rank, rank, KIND_WAR))
            return false;
    state->writer = rank;
    state->readers = NONE;
    return true;
}

static sonata_status reserve_task(flow *f, size_t args, sonata_error *error)
{
    if (args <= f->task_capacity)
        return SONATA_OK;
    uint32_t *keys = reallocarray(f->task_keys, args, sizeof *keys);
    if (keys != NULL)
        f->task_keys = keys;
    sonata_direction *directions =
        reallocarray(f->directions, args, sizeof *directions);
    if (directions != NULL)
        f->directions = directions;
    if (keys == NULL || directions == NULL)
        return sonata_fail_memory(error);
    f->task_capacity = args;
    return SONATA_OK;
}

static sonata_status look_up(flow *f, const sonata_task *task,
                             sonata_error *error)
{
    sonata_status status = reserve_task(f, task->arg_count, error);
    for (size_t i = 0; i < task->arg_count && status == SONATA_OK; i++) {
        f->directions[i] = sonata_direction_of(task->directions[i]);
        if (!sonata_is_memory(f->directions[i]))
            continue;
        status = sonata_access_key(&f->task_keys[i], &f->keys, task, i, error);
        if (status != SONATA_OK || f->task_keys[i] < f->state_count)
            continue;
        key_state *states = sonata_grow(f->states, &f->state_capacity,
                                        f->state_count, sizeof *states);
        if (states == NULL)
            return sonata_fail_memory(error);
        f->states = states;
        f->states[f->state_count++] = (key_state){NONE, NONE, NONE, NONE};
    }
    return status;
}

static sonata_status walk_task(flow *f, uint32_t index, sonata_error *error)
{
    const sonata_task *task = &f->score->tasks[index];
    sonata_status status = look_up(f, task, error);
    if (status != SONATA_OK)
        return status;
    uint32_t rank = sonata_ids_rank(&f->ids, task->id);
    f->task_edges = f->edge_count;
    bool ok = true;
    for (size_t i = 0; i < task->arg_count && ok; i++)
        if (sonata_reads(f->directions[i]))
            ok = read_key(f, f->task_keys[i], index, rank);
    for (size_t i = 0; i < task->arg_count && ok; i++)
        if (sonata_writes(f->directions[i]))
            ok = write_key(f, f->task_keys[i], index, rank);
    return ok ? SONATA_OK : sonata_fail_memory(error);
}

static sonata_status walk(flow *f, sonata_error *error)
{
    sonata_status status = sonata_ids_build(&f->ids, f->score, error);
    if (status != SONATA_OK)
        return status;
    f->edge_of = calloc((size_t)f->ids.count + 1, sizeof *f->edge_of);
    if (f->edge_of == NULL)
        return sonata_fail_memory(error);
    for (size_t i = 0; i < f->score->task_count && status == SONATA_OK; i++)
        status = walk_task(f, (uint32_t)i, error);
    return status;
}

/* One stable pass of a counting sort, by producer or by consumer. */
static void sort_pass(edge *to, const edge *from, size_t count, uint32_t *place,
                      uint32_t ranks, bool by_producer)
{
    memset(place, 0, ((size_t)ranks + 1) * sizeof *place);
    for (size_t i = 0; i < count; i++)
        place[(by_producer ? from[i].producer : from[i].consumer) + 1]++;
    for (uint32_t i = 0; i < ranks; i++)
        place[i + 1] += place[i];
    for (size_t i = 0; i < count; i++)
        to[place[by_producer ? from[i].producer : from[i].consumer]++] =
            from[i];
}

/* Equal pairs, which only repeated task ids make, become one. */
static size_t merge_pairs(edge *edges, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        edge *last = kept == 0 ? NULL : &edges[kept - 1];
        if (last != NULL && last->producer == edges[i].producer &&
            last->consumer == edges[i].consumer) {
            if (edges[i].kind < last->kind)
                last->kind = edges[i].kind;
        } else {
            edges[kept++] = edges[i];
        }
    }
    return kept;
}

static sonata_status sort_edges(flow *f, sonata_error *error)
{
    edge *other = reallocarray(NULL, f->edge_count + 1, sizeof *other);
    uint32_t *place =
        reallocarray(NULL, (size_t)f->ids.count + 1, sizeof *place);
    if (other == NULL || place == NULL) {
        free(other);
        free(place);
        return sonata_fail_memory(error);
    }
    if (f->edge_count > 0) {
        sort_pass(other, f->edges, f->edge_count, place, f->ids.count, false);
        sort_pass(f->edges, other, f->edge_count, place, f->ids.count, true);
        f->edge_count = merge_pairs(f->edges, f->edge_count);
    }
    free(other);
    free(place);
    return SONATA_OK;
}

static sonata_status emit(sonata_dependency **edges, size_t *count,
                          const flow *f, sonata_error *error)
{
    static const sonata_text kinds[] = {SONATA_TEXT_INIT("data"),
                                        SONATA_TEXT_INIT("storage"),
                                        SONATA_TEXT_INIT("war")};
    sonata_dependency *made =
        reallocarray(NULL, f->edge_count + 1, sizeof *made);
    if (made == NULL)
        return sonata_fail_memory(error);
    for (size_t i = 0; i < f->edge_count; i++)
        made[i] = (sonata_dependency){f->ids.values[f->edges[i].producer],
                                      f->ids.values[f->edges[i].consumer],
                                      kinds[f->edges[i].kind]};
    *edges = made;
    *count = f->edge_count;
    return SONATA_OK;
}

sonata_status sonata_dataflow(sonata_dependency **edges, size_t *count,
                              const sonata_score *score, sonata_error *error)
{
    flow f = {.score = score};
    sonata_status status = walk(&f, error);
    if (status == SONATA_OK)
        status = sort_edges(&f, error);
    if (status == SONATA_OK)
        status = emit(edges, count, &f, error);
    free_flow(&f);
    return status;
}
