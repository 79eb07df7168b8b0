#include "sonata/memory.h"

#include <stdlib.h>
#include <string.h>

#include "../deps/access.h"
#include "../deps/direction.h"
#include "../json/array.h"
#include "../json/text.h"
#include "order.h"
#include "storage_keys.h"

typedef struct span {
    int64_t birth, death;
} span;

typedef struct walk {
    sonata_storage_keys keys;
    span *spans; /* per key */
    size_t span_capacity;
} walk;

/* A key's first access starts its life, whatever it is. */
static void touch(walk *w, uint32_t key, bool is_new, int64_t id, bool writes)
{
    span *s = &w->spans[key];
    if (is_new)
        *s = (span){id, id};
    else if (writes || id > s->death)
        s->death = id;
}

static sonata_status walk_task(walk *w, const sonata_task *task,
                               sonata_error *error)
{
    size_t count = task->arg_count;
    count = task->direction_count < count ? task->direction_count : count;
    count = task->key_count < count ? task->key_count : count;
    for (size_t i = 0; i < count; i++) {
        if (task->keys[i].kind == SONATA_NULL)
            continue;
        sonata_direction direction = sonata_direction_of(task->directions[i]);
        if (!sonata_is_memory(direction))
            continue;
        uint32_t key = 0;
        bool is_new = false;
        sonata_status status = sonata_storage_keys_add(&key, &is_new, &w->keys,
                                                       &task->keys[i], error);
        if (status != SONATA_OK)
            return status;
        span *spans =
            sonata_grow(w->spans, &w->span_capacity, key, sizeof *spans);
        if (spans == NULL)
            return sonata_fail_memory(error);
        w->spans = spans;
        touch(w, key, is_new, task->id, sonata_writes(direction));
    }
    return SONATA_OK;
}

static sonata_status emit(sonata_liveness *liveness, const walk *w,
                          sonata_error *error)
{
    size_t count = w->keys.count;
    liveness->memory = calloc(1, sizeof *liveness->memory);
    uint32_t *order = reallocarray(NULL, count + 1, sizeof *order);
    sonata_status status = SONATA_NO_MEMORY;
    if (liveness->memory != NULL && order != NULL)
        status = sonata_sort_keys(order, w->keys.values, count, error);
    if (status == SONATA_OK) {
        liveness->items = sonata_arena_array(liveness->memory, count,
                                             sizeof *liveness->items);
        status = liveness->items == NULL ? SONATA_NO_MEMORY : SONATA_OK;
    }
    for (size_t i = 0; i < count && status == SONATA_OK; i++)
        liveness->items[liveness->count++] = (sonata_lifetime){
            w->keys.values[order[i]], w->spans[order[i]].birth,
            w->spans[order[i]].death};
    free(order);
    return status == SONATA_NO_MEMORY ? sonata_fail_memory(error) : status;
}

sonata_status sonata_find_lifetimes(sonata_liveness *liveness,
                                    const sonata_score *score,
                                    sonata_error *error)
{
    *liveness = (sonata_liveness){0};
    walk w = {0};
    sonata_status status = SONATA_OK;
    for (size_t i = 0; i < score->task_count && status == SONATA_OK; i++)
        status = walk_task(&w, &score->tasks[i], error);
    if (status == SONATA_OK)
        status = emit(liveness, &w, error);
    if (status != SONATA_OK)
        sonata_liveness_free(liveness);
    sonata_storage_keys_free(&w.keys);
    free(w.spans);
    return status;
}

void sonata_liveness_free(sonata_liveness *liveness)
{
    if (liveness->memory != NULL) {
        sonata_arena_free(liveness->memory);
        free(liveness->memory);
    }
    *liveness = (sonata_liveness){0};
}

bool sonata_lifetimes_overlap(const sonata_lifetime *a,
                              const sonata_lifetime *b,
                              sonata_overlap_rule rule)
{
    if (rule == SONATA_OVERLAP_STRICT)
        return a->birth < b->death && b->birth < a->death;
    return a->birth <= b->death && b->birth <= a->death;
}

/* Conflict pairs in the making. */
typedef struct pairs {
    sonata_conflict *items;
    size_t count, capacity;
} pairs;

/* The conflicts of the lifetime at place `at` of the order by birth. */
static sonata_status scan(pairs *p, const sonata_liveness *liveness,
                          const sonata_sort_item *order, size_t at,
                          sonata_overlap_rule rule, sonata_error *error)
{
    const sonata_lifetime *outer = &liveness->items[order[at].index];
    for (size_t i = at + 1; i < liveness->count; i++) {
        const sonata_lifetime *inner = &liveness->items[order[i].index];
        if (inner->birth > outer->death)
            break;
        if (!sonata_lifetimes_overlap(outer, inner, rule))
            continue;
        if (p->count == SONATA_PAIR_LIMIT)
            return sonata_fail(error, SONATA_RANGE, "memory.pairs",
                               "more than %zu conflicts", SONATA_PAIR_LIMIT);
        sonata_conflict *items =
            sonata_grow(p->items, &p->capacity, p->count, sizeof *items);
        if (items == NULL)
            return sonata_fail_memory(error);
        p->items = items;
        p->items[p->count++] =
            (sonata_conflict){order[at].index, order[i].index};
    }
    return SONATA_OK;
}

sonata_status sonata_find_conflicts(sonata_conflict **conflicts, size_t *count,
                                    const sonata_liveness *liveness,
                                    sonata_overlap_rule rule,
                                    sonata_error *error)
{
    *conflicts = NULL;
    *count = 0;
    size_t lives = liveness->count;
    sonata_sort_item *order = reallocarray(NULL, lives + 1, sizeof *order);
    sonata_sort_item *other = reallocarray(NULL, lives + 1, sizeof *other);
    sonata_status status = SONATA_OK;
    if (order == NULL || other == NULL)
        status = sonata_fail_memory(error);
    pairs p = {0};
    if (status == SONATA_OK) {
        for (size_t i = 0; i < lives; i++)
            order[i] = (sonata_sort_item){
                sonata_order_of(liveness->items[i].birth), (uint32_t)i};
        sonata_radix_sort(order, other, lives);
    }
    for (size_t i = 0; i < lives && status == SONATA_OK; i++)
        status = scan(&p, liveness, order, i, rule, error);
    free(order);
    free(other);
    if (status != SONATA_OK) {
        free(p.items);
        return status;
    }
    *conflicts = p.items;
    *count = p.count;
    return SONATA_OK;
}
