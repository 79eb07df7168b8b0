/*
 * What greedy_dag promises (spec 03), whatever is wrong with the rest of a
 * Score: two storages have bytes in common only where all accesses of one come
 * before all of the other, and those of the caller with nobody.
 */
#include "answer_work.h"

#include <stdlib.h>
#include <string.h>

#define TASKS 2048u             /* beyond, the judge alone looks */
#define WORDS ((size_t)1 << 20) /* of all sets */

typedef struct safety {
    answering *a;
    const answer_score *score;
    const answer_place_of *places; /* sorted by offset */
    uint32_t count, tasks;
    size_t words;      /* of a set of tasks */
    uint64_t *before;  /* a set per task: what happens before it */
    uint64_t *touches; /* a set per place */
    uint64_t *writes;
    uint32_t *from, *to; /* edges as places of tasks */
    uint32_t edges;
    oracle_id_table ids;
} safety;

static int compare_offset(const void *a, const void *b)
{
    const answer_place_of *x = a, *y = b;
    int order = (x->offset > y->offset) - (x->offset < y->offset);
    return order != 0 ? order : (x->key > y->key) - (x->key < y->key);
}

/* Those that have bytes, in order; false: no two have bytes in common. */
static bool sort_places(answer_place_of *places, uint32_t *count)
{
    uint32_t kept = 0;
    int64_t end = 0;
    bool common = false;
    for (uint32_t i = 0; i < *count; i++) {
        if (places[i].size > 0 && places[i].key != ORACLE_NONE) {
            places[kept++] = places[i];
        }
    }
    if (kept > 1) {
        qsort(places, kept, sizeof *places, compare_offset);
    }
    for (uint32_t i = 0; i < kept; i++) {
        int64_t last = places[i].offset > INT64_MAX - places[i].size
                           ? INT64_MAX
                           : places[i].offset + places[i].size;
        common = common || places[i].offset < end;
        end = last > end ? last : end;
    }
    *count = kept;
    return common;
}

static void include(uint64_t *set, uint32_t n)
{
    set[n / 64] |= UINT64_C(1) << n % 64;
}

static uint64_t *set_of(const safety *s, uint64_t *sets, uint32_t n)
{
    return sets + (size_t)n * s->words;
}

/* Edges between tasks that there are. */
static bool take_edges(safety *s)
{
    const oracle_json *json = s->a->base;
    uint32_t list = oracle_json_member(json, s->a->base_node, "dependencies");
    uint32_t count = list == ORACLE_NONE ? 0 : oracle_list_length(json, list);
    s->from = oracle_arena_array(s->a->arena, count, sizeof *s->from);
    s->to = oracle_arena_array(s->a->arena, count, sizeof *s->to);
    if (s->from == NULL || s->to == NULL) {
        return false;
    }
    for (uint32_t t = 0; t < s->tasks; t++) {
        oracle_id_slot *slot =
            oracle_id_table_slot(&s->ids, s->score->tasks[t].id);
        if (slot == NULL) {
            return false;
        }
        slot->value = t;
    }
    for (uint32_t at = list + 1; count > 0 && at < oracle_json_next(json, list);
         at = oracle_json_next(json, at)) {
        int64_t from = 0, to = 0;
        oracle_json_int64(json, oracle_json_member(json, at, "producer"),
                          &from);
        oracle_json_int64(json, oracle_json_member(json, at, "consumer"), &to);
        s->from[s->edges] = oracle_id_table_find(&s->ids, from);
        s->to[s->edges] = oracle_id_table_find(&s->ids, to);
        s->edges +=
            s->from[s->edges] != ORACLE_NONE && s->to[s->edges] != ORACLE_NONE;
    }
    return true;
}

static void include_all(const safety *s, uint32_t from, uint32_t to)
{
    const uint64_t *before = set_of(s, s->before, from);
    uint64_t *after = set_of(s, s->before, to);
    include(after, from);
    for (size_t w = 0; w < s->words; w++) {
        after[w] |= before[w];
    }
}

/* All that happens before each task, of which a valid Score has an order. */
static bool close_order(safety *s)
{
    oracle_arena *arena = s->a->arena;
    uint32_t *first = oracle_arena_array(arena, s->tasks + 2, sizeof *first);
    uint32_t *next = oracle_arena_array(arena, s->edges, sizeof *next);
    uint32_t *open = oracle_arena_array(arena, s->tasks, sizeof *open);
    uint32_t *ready = oracle_arena_array(arena, s->tasks, sizeof *ready);
    uint32_t count = 0;
    if (first == NULL || next == NULL || open == NULL || ready == NULL) {
        return false;
    }
    for (uint32_t e = 0; e < s->edges; e++) {
        first[s->from[e] + 2]++;
        open[s->to[e]]++;
    }
    for (uint32_t t = 0; t < s->tasks; t++) {
        first[t + 1] += first[t];
        if (open[t] == 0) {
            ready[count++] = t;
        }
    }
    for (uint32_t e = 0; e < s->edges; e++) {
        next[first[s->from[e] + 1]++] = s->to[e];
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = first[ready[i]]; k < first[ready[i] + 1]; k++) {
            include_all(s, ready[i], next[k]);
            if (--open[next[k]] == 0) {
                ready[count++] = next[k];
            }
        }
    }
    return true;
}

/* The accesses whose direction is known. */
static bool take_accesses(safety *s)
{
    const answer_score *score = s->score;
    uint32_t *place =
        oracle_arena_array(s->a->arena, score->distinct, sizeof *place);
    if (place == NULL) {
        return false;
    }
    memset(place, 0xff, score->distinct * sizeof *place);
    for (uint32_t i = 0; i < s->count; i++) {
        place[s->places[i].key] = i;
    }
    for (uint32_t t = 0; t < s->tasks; t++) {
        const answer_task *task = &score->tasks[t];
        uint32_t n = task->args.count;
        n = task->directions.count < n ? task->directions.count : n;
        n = task->keys.count < n ? task->keys.count : n;
        for (uint32_t i = 0; i < n; i++) {
            unsigned char way = score->way[task->directions.first + i];
            uint32_t key = score->key[task->keys.first + i];
            if (way == 0 || key >= score->distinct ||
                place[key] == ORACLE_NONE) {
                continue;
            }
            include(set_of(s, s->touches, place[key]), t);
            if ((way & ANSWER_WRITES) != 0) {
                include(set_of(s, s->writes, place[key]), t);
            }
        }
    }
    return true;
}

/* A task may read the one and write the other. */
static bool all_before(const safety *s, uint32_t a, uint32_t b)
{
    const uint64_t *first = set_of(s, s->touches, a);
    const uint64_t *second = set_of(s, s->touches, b);
    for (uint32_t t = 0; t < s->tasks; t++) {
        if ((second[t / 64] >> t % 64 & 1) == 0) {
            continue;
        }
        const uint64_t *before = set_of(s, s->before, t);
        for (size_t w = 0; w < s->words; w++) {
            uint64_t own = w == t / 64 ? UINT64_C(1) << t % 64 : 0;
            if ((first[w] & ~before[w] & ~own) != 0) {
                return false;
            }
        }
    }
    return true;
}

static bool both_written(const safety *s, uint32_t a, uint32_t b)
{
    uint64_t both = 0;
    for (size_t w = 0; w < s->words; w++) {
        both |= set_of(s, s->writes, a)[w] & set_of(s, s->writes, b)[w];
    }
    return both != 0;
}

static bool is_external(const safety *s, uint32_t place)
{
    const answer_key *key = &s->score->keys[s->places[place].key];
    return !key->number && (key->length < 6 || memcmp(key->data, "alloc:", 6));
}

static bool report(const safety *s, uint32_t a, uint32_t b, bool external)
{
    const answer_score *score = s->score;
    const char *x = oracle_tell_value(s->a->arena, score->json,
                                      score->keys[s->places[a].key].node);
    const char *y = oracle_tell_value(s->a->arena, score->json,
                                      score->keys[s->places[b].key].node);
    return x != NULL && y != NULL &&
           answer_report(s->a, "diff.memory", external ? "external" : "shared",
                         "the planner's member memory puts %s and %s on common "
                         "bytes, and %s",
                         x, y,
                         external ? "one of them is the caller's"
                                  : "the edges do not bring all accesses of "
                                    "one before all of the other");
}

/* The first two that may not have bytes in common. */
static bool check_pairs(const safety *s)
{
    uint32_t steps = ANSWER_PAIRS;
    for (uint32_t i = 0; i < s->count; i++) {
        int64_t left = INT64_MAX - s->places[i].offset;
        int64_t end = s->places[i].offset +
                      (s->places[i].size < left ? s->places[i].size : left);
        for (uint32_t j = i + 1;
             j < s->count && steps > 0 && s->places[j].offset < end;
             j++, steps--) {
            bool external = is_external(s, i) || is_external(s, j);
            if (external || both_written(s, i, j) ||
                (!all_before(s, i, j) && !all_before(s, j, i))) {
                return report(s, i, j, external);
            }
        }
    }
    return true;
}

bool answer_check_safe(answering *a, answer_place_of *places, uint32_t count)
{
    safety s = {.a = a, .score = a->score, .tasks = a->score->task_count};
    if (!sort_places(places, &count) || s.tasks > TASKS) {
        return true;
    }
    s.places = places;
    s.count = count;
    s.words = (s.tasks + 63) / 64;
    if (((size_t)s.tasks + 2 * (size_t)count) * s.words > WORDS) {
        return true;
    }
    s.before =
        oracle_arena_array(a->arena, s.tasks * s.words, sizeof(uint64_t));
    s.touches = oracle_arena_array(a->arena, count * s.words, sizeof(uint64_t));
    s.writes = oracle_arena_array(a->arena, count * s.words, sizeof(uint64_t));
    bool ok = s.before != NULL && s.touches != NULL && s.writes != NULL;
    ok = ok && take_edges(&s) && take_accesses(&s) && close_order(&s) &&
         check_pairs(&s);
    oracle_id_table_free(&s.ids);
    return ok;
}
