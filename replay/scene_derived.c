/*
 * How many predecessors the runtime derives for each task of the automatic
 * cases: what the rules `tensormap` make of the document, whatever rules it was
 * judged by. They stand in no dummy, so that its limit is theirs.
 */
#include "scene_work.h"

#include <stdlib.h>

#include "fault.h"

static replay_status failed(scene_work *work, oracle_status status,
                            const oracle_error *problem)
{
    return status == ORACLE_NO_MEMORY
               ? replay_fail_memory(work->error)
               : replay_fail(work->error, REPLAY_UNSUPPORTED, -1,
                             "what the runtime derives is not known: %s",
                             problem->message);
}

/* Edges are sorted by their ends; a pair counts once. Of the program's own
 * document those that are not there with these values are none. */
static void count(scene_work *work, const oracle_document *d,
                  const uint32_t *index)
{
    const oracle_edge *last = NULL;
    for (uint32_t i = 0; i < d->edge_count; i++) {
        const oracle_edge *e = &d->edges[i];
        bool same = last != NULL && last->from == e->from && last->to == e->to;
        if (e->source != ORACLE_AUTOMATIC || same) {
            continue;
        }
        last = e;
        uint32_t from = index[e->from], to = index[e->to];
        if (from != REPLAY_NONE && to != REPLAY_NONE) {
            uint32_t edge = scene_edge(work, from, to);
            if (edge == REPLAY_NONE && d == work->d) {
                continue;
            }
            work->tasks[to].derived++;
            work->tasks[to].derived_named +=
                edge != REPLAY_NONE && work->named[edge];
        }
    }
}

/* Who owns tensor i of the task, or -1. */
static int64_t owner(const scene_work *work, const scene_task *t, uint32_t i)
{
    size_t first = t->first_tensor + (size_t)i * SCENE_TENSOR;
    return work->tensors.data[first + SCENE_TENSOR_OWNER];
}

/* Owners of what was an `output`: rules make no edges of them. One of which
 * they make one counts twice, which only takes room. */
static void count_owners(scene_work *work, uint32_t index)
{
    scene_task *t = &work->tasks[index];
    for (uint32_t i = 0; i < t->tensors; i++) {
        int64_t from = owner(work, t, i);
        uint32_t first = 0;
        while (first < i && owner(work, t, first) != from) {
            first++;
        }
        if (first == i && from >= 0) {
            uint32_t edge = scene_edge(work, (uint32_t)from, index);
            t->derived++;
            t->derived_named += edge != REPLAY_NONE && work->named[edge];
        }
    }
}

/* Reads the document again, under the rules of the runtime. */
static replay_status derive(scene_work *work, const uint32_t *index)
{
    static const oracle_read_options runtime = {.lenient = true,
                                                .rules = "tensormap"};
    oracle_document d;
    oracle_error problem = {0};
    char *text = NULL;
    size_t length;
    oracle_status status =
        oracle_document_write(&text, &length, work->d, &problem);
    if (status == ORACLE_OK) {
        status = oracle_document_read(&d, text, length, &runtime, &problem);
    }
    free(text);
    if (status != ORACLE_OK) {
        return failed(work, status, &problem);
    }
    status = oracle_document_derive(&d, &problem);
    if (status == ORACLE_OK) {
        count(work, &d, index);
    }
    oracle_document_free(&d);
    return status == ORACLE_OK ? REPLAY_OK : failed(work, status, &problem);
}

replay_status scene_derived(scene_work *work)
{
    const replay_program *p = work->program;
    const oracle_document *d = work->d;
    if (p->task_count <= SCENE_FAN_IN) {
        return REPLAY_OK; /* no task can have too many */
    }
    uint32_t *index = malloc(((size_t)d->task_count + 1) * sizeof *index);
    if (index == NULL) {
        return replay_fail_memory(work->error);
    }
    for (uint32_t i = 0; i < d->task_count; i++) {
        index[i] = REPLAY_NONE;
    }
    for (uint32_t i = 0; i < p->task_count; i++) {
        index[p->tasks[i].source] = i;
    }
    replay_status status = REPLAY_OK;
    if (d->derived == ORACLE_RULES_TENSORMAP) {
        count(work, d, index);
    } else {
        status = derive(work, index);
        for (uint32_t i = 0; i < p->task_count; i++) {
            count_owners(work, i);
        }
    }
    free(index);
    return status;
}
