/* Witnesses of memory.waste: buffers that are alive together. */
#include "checker.h"
#include "witness_accesses.h"

/* By root buffer: when it is touched first and last; twice the task, + 1. */
typedef struct life {
    uint64_t begin, end;
    bool touched, placed, taken, external;
} life;

static void touch_storage(life *l, uint64_t at)
{
    l->begin = l->touched && l->begin < at ? l->begin : at;
    l->end = l->end > at ? l->end : at;
    l->touched = true;
}

static bool find_lives(oracle_check *c, life *lives)
{
    const oracle_document *d = &c->d;
    oracle_access_of *list;
    uint32_t count;
    bool forward = true;
    if (!oracle_accesses_list(&list, &count, d, UINT32_MAX - 1, c->arena)) {
        return oracle_check_fail(c, ORACLE_UNCHECKED);
    }
    for (uint32_t e = 0; e < d->edge_count; e++) {
        const oracle_edge *edge = &d->edges[e];
        forward &= !edge->certain || edge->from <= edge->to ||
                   !c->present[edge->from] || !c->present[edge->to];
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        for (uint32_t i = 0; i < d->tasks[t].deps; i++) {
            uint32_t from = d->deps[d->tasks[t].first_dep + i].task;
            forward &= from == ORACLE_NONE || from <= t || !c->present[from] ||
                       !c->present[t];
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        uint64_t at = UINT64_C(2) * list[i].task;
        if (list[i].reads && c->present[list[i].task]) {
            touch_storage(&lives[list[i].storage], at);
        }
        if (list[i].writes && c->present[list[i].task]) {
            touch_storage(&lives[list[i].storage], at + 1);
        }
    }
    for (uint32_t b = 0; b < d->buffer_count; b++) {
        lives[d->buffers[b].storage].external |= d->buffers[b].external;
    }
    for (uint32_t i = 0; i < d->allocation_count; i++) {
        if (d->allocations[i].buffer != ORACLE_NONE) {
            lives[d->buffers[d->allocations[i].buffer].storage].placed = true;
        }
    }
    return forward || oracle_check_fail(c, "an edge leads back");
}

static bool add_alive(oracle_check *c, life *lives, uint32_t node, uint64_t at,
                      int64_t *sum)
{
    for (uint32_t b = 0; b < c->d.buffer_count; b++) {
        const oracle_buffer *buffer = &c->d.buffers[b];
        life *l = &lives[b];
        bool alive = l->external || (l->touched && at <= l->end &&
                                     (buffer->init || l->begin <= at));
        if (buffer->storage == b &&
            oracle_json_is(&c->json, node, buffer->key.data,
                           buffer->key.length)) {
            bool counts = alive && l->placed && !l->taken && buffer->has_bytes;
            l->taken = true;
            return (counts &&
                    !__builtin_add_overflow(*sum, buffer->bytes, sum)) ||
                   oracle_check_fail(c, "a buffer is not alive then");
        }
    }
    return oracle_check_fail(c, "there is no such buffer");
}

bool oracle_check_alive(oracle_check *c, uint32_t list)
{
    uint32_t task, writes = oracle_check_member(c, c->witness, "writing");
    int64_t peak = 0, bound = 0, sum = 0, most = 0;
    life *lives =
        oracle_arena_array(c->arena, c->d.buffer_count, sizeof *lives);
    if (lives == NULL || !oracle_check_choices(c) || !find_lives(c, lives) ||
        !oracle_check_is(c, list, ORACLE_JSON_ARRAY) ||
        !oracle_check_task(c, oracle_check_member(c, c->witness, "at"),
                           &task) ||
        !oracle_check_number(c, oracle_check_member(c, c->witness, "peak"),
                             &peak) ||
        !oracle_check_number(c, oracle_check_member(c, c->witness, "bound"),
                             &bound)) {
        return c->reason[0] == '\0'
                   ? oracle_check_fail(c, "a part of the witness is missing")
                   : false;
    }
    uint64_t at =
        2 * (uint64_t)task + oracle_check_is(c, writes, ORACLE_JSON_TRUE);
    for (uint32_t i = list; oracle_check_next(c, list, &i);) {
        if (!add_alive(c, lives, i, at, &sum)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < c->d.allocation_count; i++) {
        const oracle_allocation *a = &c->d.allocations[i];
        int64_t end = 0;
        if (!__builtin_add_overflow(a->offset, a->size, &end)) {
            most = end > most ? end : most;
        }
    }
    return (sum == bound && peak == most && bound < peak) ||
           oracle_check_fail(c, "peak and bound are other numbers");
}
