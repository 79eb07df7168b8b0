#include "touches.h"

#include <stdlib.h>

#include "../deps/direction.h"
#include "../json/array.h"
#include "../json/text.h"
#include "order.h"

typedef struct touch {
    uint32_t buffer, task;
} touch;

typedef struct walk {
    const sonata_score *score;
    sonata_storage_keys keys;
    uint32_t buffers; /* the first so many keys are storage keys */
    touch *touches;
    size_t count, capacity;
} walk;

static sonata_direction direction_at(const sonata_task *task, size_t arg)
{
    return arg < task->direction_count
               ? sonata_direction_of(task->directions[arg])
               : SONATA_DIRECTION_UNKNOWN;
}

/* What an argument touches, or NULL. A list or an object has no identity; it
 * is refused where liveness refuses it. */
static const sonata_value *touched(const sonata_task *task, size_t arg,
                                   bool *is_storage_key)
{
    sonata_direction direction = direction_at(task, arg);
    if (direction == SONATA_SCALAR)
        return NULL;
    *is_storage_key =
        arg < task->key_count && task->keys[arg].kind != SONATA_NULL;
    const sonata_value *value =
        *is_storage_key ? &task->keys[arg] : &task->args[arg];
    bool refuse = *is_storage_key && sonata_is_memory(direction);
    return value->kind == SONATA_NESTED && !refuse ? NULL : value;
}

static sonata_status name_buffers(walk *w, sonata_error *error)
{
    sonata_status status = SONATA_OK;
    for (size_t i = 0; i < w->score->task_count; i++) {
        const sonata_task *task = &w->score->tasks[i];
        for (size_t k = 0; k < task->arg_count && status == SONATA_OK; k++) {
            bool is_key = false;
            uint32_t number = 0;
            const sonata_value *value = touched(task, k, &is_key);
            if (value != NULL && is_key)
                status = sonata_storage_keys_add(&number, NULL, &w->keys, value,
                                                 error);
        }
    }
    w->buffers = (uint32_t)w->keys.count;
    return status;
}

static sonata_status add_touch(walk *w, uint32_t buffer, size_t task,
                               sonata_error *error)
{
    touch *touches =
        sonata_grow(w->touches, &w->capacity, w->count, sizeof *touches);
    if (touches == NULL || w->count >= UINT32_MAX - 1)
        return sonata_fail_memory(error);
    w->touches = touches;
    w->touches[w->count++] = (touch){buffer, (uint32_t)task};
    return SONATA_OK;
}

static sonata_status walk_tasks(walk *w, sonata_error *error)
{
    sonata_status status = SONATA_OK;
    for (size_t i = 0; i < w->score->task_count; i++) {
        const sonata_task *task = &w->score->tasks[i];
        for (size_t k = 0; k < task->arg_count && status == SONATA_OK; k++) {
            bool is_key = false;
            uint32_t number = 0;
            const sonata_value *value = touched(task, k, &is_key);
            if (value == NULL)
                continue;
            status =
                sonata_storage_keys_add(&number, NULL, &w->keys, value, error);
            if (status == SONATA_OK && number < w->buffers)
                status = add_touch(w, number, i, error);
        }
    }
    return status;
}

static sonata_status emit(sonata_touches *t, const walk *w, uint32_t *order,
                          uint32_t *rank, sonata_error *error)
{
    sonata_status status =
        sonata_sort_keys(order, w->keys.values, w->buffers, error);
    if (status != SONATA_OK)
        return status;
    t->count = w->buffers;
    for (uint32_t i = 0; i < t->count; i++) {
        t->keys[i] = w->keys.values[order[i]];
        rank[order[i]] = i;
    }
    for (size_t i = 0; i < w->count; i++)
        t->first[rank[w->touches[i].buffer]]++;
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= t->count; i++) {
        sum += t->first[i];
        t->first[i] = sum;
    }
    for (size_t i = w->count; i-- > 0;)
        t->tasks[--t->first[rank[w->touches[i].buffer]]] = w->touches[i].task;
    return SONATA_OK;
}

sonata_status sonata_touches_find(sonata_touches *touches,
                                  const sonata_score *score,
                                  sonata_error *error)
{
    *touches = (sonata_touches){0};
    if (score->task_count >= UINT32_MAX)
        return sonata_fail(error, SONATA_RANGE, "doc.range",
                           "too many tasks: %zu", score->task_count);
    walk w = {.score = score};
    sonata_status status = name_buffers(&w, error);
    if (status == SONATA_OK)
        status = walk_tasks(&w, error);
    size_t room = (size_t)w.buffers + 1;
    uint32_t *order = NULL;
    uint32_t *rank = NULL;
    if (status == SONATA_OK) {
        order = calloc(room, sizeof *order);
        rank = calloc(room, sizeof *rank);
        touches->keys = calloc(room, sizeof *touches->keys);
        touches->first = calloc(room, sizeof *touches->first);
        touches->tasks = calloc(w.count + 1, sizeof *touches->tasks);
        if (order == NULL || rank == NULL || touches->keys == NULL ||
            touches->first == NULL || touches->tasks == NULL)
            status = sonata_fail_memory(error);
    }
    if (status == SONATA_OK)
        status = emit(touches, &w, order, rank, error);
    sonata_storage_keys_free(&w.keys);
    free(w.touches);
    free(order);
    free(rank);
    return status;
}

void sonata_touches_free(sonata_touches *touches)
{
    free(touches->keys);
    free(touches->first);
    free(touches->tasks);
    *touches = (sonata_touches){0};
}
