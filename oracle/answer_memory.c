/* Liveness and greedy_v0 (spec 03), by their plain wording. */
#include "answer_work.h"

#include <stdlib.h>
#include <string.h>

/* --- Lifetimes --- */

/* The accesses of a task that count, to their keys. */
static bool touch_task(const answer_score *s, const answer_task *task,
                       answer_life *life, uint32_t *order, uint32_t *count)
{
    uint32_t n = task->args.count;
    n = task->directions.count < n ? task->directions.count : n;
    n = task->keys.count < n ? task->keys.count : n;
    for (uint32_t i = 0; i < n; i++) {
        unsigned char way = s->way[task->directions.first + i];
        uint32_t key = s->key[task->keys.first + i];
        if (way == 0 || key == ORACLE_NONE) {
            continue;
        }
        if (key == ANSWER_CONTAINER) {
            return false;
        }
        if (life[key].key == ORACLE_NONE) {
            life[key] = (answer_life){
                key, s->key_node[task->keys.first + i], task->id, task->id, 0,
                0};
            order[(*count)++] = key;
        }
        if ((way & ANSWER_WRITES) != 0 || task->id > life[key].death) {
            life[key].death = task->id;
        }
    }
    return true;
}

bool answer_lifetimes(answer_lives *lives, const answer_score *s)
{
    *lives = (answer_lives){0};
    answer_life *life = oracle_arena_array(s->arena, s->distinct, sizeof *life);
    uint32_t *order = oracle_arena_array(s->arena, s->distinct, sizeof *order);
    if (life == NULL || order == NULL) {
        return false;
    }
    for (uint32_t k = 0; k < s->distinct; k++) {
        life[k].key = ORACLE_NONE;
    }
    for (uint32_t t = 0; t < s->task_count; t++) {
        if (!touch_task(s, &s->tasks[t], life, order, &lives->count)) {
            *lives = (answer_lives){
                .refused = "a list or an object is no storage key"};
            return true;
        }
    }
    if (!answer_sort_keys(s, order, lives->count, &lives->refused)) {
        return false;
    }
    lives->count = lives->refused == NULL ? lives->count : 0;
    lives->list =
        oracle_arena_array(s->arena, lives->count, sizeof *lives->list);
    for (uint32_t i = 0; lives->list != NULL && i < lives->count; i++) {
        lives->list[i] = life[order[i]];
    }
    return lives->list != NULL;
}

bool answer_overlap(const answer_life *a, const answer_life *b)
{
    return a->birth <= b->death && b->birth <= a->death;
}

/* --- Sizes --- */

/* The size of a key that is a string node; the last one counts. */
static bool add_size(answer_sizes *sizes, const oracle_json *json, uint32_t key,
                     int64_t bytes, oracle_arena *arena)
{
    const oracle_json_node *n = &json->nodes[key];
    const char *name = json->text + n->offset + 1;
    size_t length = n->extent - 2;
    if (!oracle_json_plain(json, key)) {
        name = oracle_node_text(json, key, &length, arena);
    }
    int64_t *grown =
        oracle_arena_push(arena, sizes->bytes, sizes->count, sizeof *grown);
    oracle_slot *slot = name == NULL || grown == NULL
                            ? NULL
                            : oracle_table_slot(&sizes->by_key, name, length);
    if (slot == NULL) {
        return false;
    }
    sizes->bytes = grown;
    grown[sizes->count] = bytes;
    *slot = (oracle_slot){name, (uint32_t)length, sizes->count++};
    sizes->large =
        sizes->large || __builtin_add_overflow(sizes->sum, bytes, &sizes->sum);
    return true;
}

bool answer_sizes_read(answer_sizes *sizes, const oracle_json *options,
                       uint32_t node, oracle_arena *arena)
{
    for (uint32_t at = node + 1;
         node != ORACLE_NONE && at < oracle_json_next(options, node);
         at = oracle_json_next(options, at + 1)) {
        int64_t bytes = 0;
        oracle_json_int64(options, at + 1, &bytes);
        if (!add_size(sizes, options, at, bytes, arena)) {
            return false;
        }
    }
    return true;
}

bool answer_sizes_graph(answer_sizes *sizes, const oracle_json *json,
                        uint32_t graph, oracle_arena *arena)
{
    uint32_t list = oracle_json_member(json, graph, "buffers");
    bool is_list =
        list != ORACLE_NONE && json->nodes[list].type == ORACLE_JSON_ARRAY;
    for (uint32_t at = list + 1; is_list && at < oracle_json_next(json, list);
         at = oracle_json_next(json, at)) {
        uint32_t key = oracle_json_member(json, at, "key");
        uint32_t size = oracle_json_member(json, at, "bytes");
        int64_t bytes = -1;
        if (key == ORACLE_NONE || size == ORACLE_NONE ||
            json->nodes[key].type != ORACLE_JSON_STRING ||
            json->nodes[size].type != ORACLE_JSON_NUMBER ||
            !oracle_json_integral(json, size) ||
            !oracle_json_int64(json, size, &bytes) || bytes < 0) {
            continue;
        }
        if (!add_size(sizes, json, key, bytes, arena)) {
            return false;
        }
    }
    return true;
}

int64_t answer_size_of(const answer_sizes *sizes, const answer_key *key)
{
    uint32_t at =
        key->number || sizes->count == 0
            ? ORACLE_NONE
            : oracle_table_find(&sizes->by_key, key->data, key->length);
    return at == ORACLE_NONE ? 0 : sizes->bytes[at];
}

/* --- greedy_v0 --- */

/* Larger ones first, of equals the earlier. */
static int compare_size(const void *a, const void *b)
{
    const answer_life *x = *(answer_life *const *)a;
    const answer_life *y = *(answer_life *const *)b;
    if (x->size != y->size) {
        return x->size > y->size ? -1 : 1;
    }
    return (x > y) - (x < y);
}

/* The first gap among those that are placed, which are sorted by offset. */
static uint64_t first_gap(answer_life *const *placed, uint32_t count,
                          const answer_life *life)
{
    uint64_t start = 0, size = (uint64_t)life->size;
    for (uint32_t i = 0; i < count; i++) {
        const answer_life *other = placed[i];
        uint64_t begin = (uint64_t)other->offset;
        uint64_t end = begin + (uint64_t)other->size;
        if (!answer_overlap(other, life)) {
            continue;
        }
        if (begin >= start + size) {
            break;
        }
        start = end > start ? end : start;
    }
    return start;
}

/* Keeps the order of offsets. */
static void keep_place(answer_life **placed, uint32_t count, answer_life *life)
{
    uint32_t at = count;
    while (at > 0 && placed[at - 1]->offset > life->offset) {
        placed[at] = placed[at - 1];
        at--;
    }
    placed[at] = life;
}

bool answer_place(answer_lives *lives, oracle_arena *arena, int64_t *peak,
                  bool *undecided)
{
    answer_life **order =
        oracle_arena_array(arena, lives->count, sizeof *order);
    answer_life **placed =
        oracle_arena_array(arena, lives->count, sizeof *placed);
    uint32_t count = 0;
    if (order == NULL || placed == NULL) {
        return false;
    }
    *peak = 0;
    for (uint32_t i = 0; i < lives->count; i++) {
        if (lives->list[i].size > 0) {
            order[count++] = &lives->list[i];
        }
    }
    *undecided = count > ANSWER_BUFFERS;
    if (*undecided || count == 0) {
        return true;
    }
    qsort(order, count, sizeof *order, compare_size);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t start = first_gap(placed, i, order[i]);
        uint64_t end = start + (uint64_t)order[i]->size;
        if (end > INT64_MAX) {
            *peak = -1;
            return true;
        }
        order[i]->offset = (int64_t)start;
        *peak = (int64_t)end > *peak ? (int64_t)end : *peak;
        keep_place(placed, i, order[i]);
    }
    return true;
}
