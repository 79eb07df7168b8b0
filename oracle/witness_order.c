/*
 * The order of a witness: ids, [first, last], and what is short where many
 * tasks are between others: {"until": id}, all that must come before a task,
 * and "rest".
 */
#include "witness_read.h"

#include <stdlib.h>
#include <string.h>

/* The tasks that each one waits for. */
typedef struct waits {
    uint32_t *first, *on;
} waits;

static bool counts(const oracle_check *c, uint32_t from, uint32_t to)
{
    return from != ORACLE_NONE && from != to && c->present[from] &&
           c->present[to];
}

static void add(waits *w, uint32_t from, uint32_t to)
{
    if (w->on == NULL) {
        w->first[to + 2]++;
    } else {
        w->on[w->first[to + 1]++] = from;
    }
}

static void each_edge(const oracle_check *c, waits *w)
{
    for (uint32_t e = 0; e < c->d.edge_count; e++) {
        if (counts(c, c->d.edges[e].from, c->d.edges[e].to) &&
            (c->d.edges[e].certain || !c->certain)) {
            add(w, c->d.edges[e].from, c->d.edges[e].to);
        }
    }
    for (uint32_t t = 0; t < c->d.task_count; t++) {
        for (uint32_t i = 0; i < c->d.tasks[t].deps; i++) {
            uint32_t from = c->d.deps[c->d.tasks[t].first_dep + i].task;
            if (counts(c, from, t)) {
                add(w, from, t);
            }
        }
    }
}

static bool list_waits(oracle_check *c, waits *w)
{
    uint32_t n = c->d.task_count;
    *w = (waits){0};
    w->first = oracle_arena_array(c->arena, n + (size_t)2, sizeof(uint32_t));
    if (w->first == NULL) {
        return oracle_check_fail(c, ORACLE_UNCHECKED);
    }
    each_edge(c, w);
    for (uint32_t t = 1; t <= n; t++) {
        w->first[t + 1] += w->first[t];
    }
    w->on = oracle_arena_array(c->arena, w->first[n + 1], sizeof(uint32_t));
    if (w->on == NULL) {
        return oracle_check_fail(c, ORACLE_UNCHECKED);
    }
    each_edge(c, w);
    return true;
}

static bool put(oracle_check *c, uint32_t task)
{
    if (!c->present[task] || c->place[task] != ORACLE_NONE) {
        return oracle_check_fail(
            c, "a task is twice in the order or not submitted");
    }
    c->place[task] = c->count;
    c->order[c->count++] = task;
    return true;
}

static int compare_task(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/*
 * All that must come before the task and is not in the order yet, and the
 * task, in program order. The order is the queue of what is to be looked at.
 */
static bool put_until(oracle_check *c, waits *w, uint32_t task)
{
    uint32_t begin = c->count;
    if ((w->first == NULL && !list_waits(c, w)) || !put(c, task)) {
        return false;
    }
    for (uint32_t i = begin; i < c->count; i++) {
        uint32_t t = c->order[i];
        for (uint32_t e = w->first[t]; e < w->first[t + 1]; e++) {
            if (c->place[w->on[e]] == ORACLE_NONE) {
                put(c, w->on[e]);
            }
        }
    }
    qsort(c->order + begin, c->count - begin, sizeof *c->order, compare_task);
    for (uint32_t i = begin; i < c->count; i++) {
        c->place[c->order[i]] = i;
    }
    return true;
}

static void put_rest(oracle_check *c)
{
    for (uint32_t t = 0; t < c->d.task_count; t++) {
        if (c->present[t] && c->place[t] == ORACLE_NONE) {
            put(c, t);
        }
    }
}

static bool put_part(oracle_check *c, waits *w, uint32_t node)
{
    uint32_t until = oracle_check_member(c, node, "until"), from, to;
    bool run_of = oracle_check_is(c, node, ORACLE_JSON_ARRAY) &&
                  oracle_json_next(&c->json, node) == node + 3;
    if (until != ORACLE_NONE) {
        return oracle_check_task(c, until, &to) && put_until(c, w, to);
    }
    if (oracle_check_is(c, node, ORACLE_JSON_STRING) &&
        oracle_json_is(&c->json, node, "rest", 4)) {
        put_rest(c);
        return true;
    }
    if (!oracle_check_task(c, run_of ? node + 1 : node, &from) ||
        !oracle_check_task(c, run_of ? node + 2 : node, &to)) {
        return false;
    }
    for (uint32_t t = from; t <= to; t++) {
        if ((c->present[t] || !run_of) && !put(c, t)) {
            return false;
        }
    }
    return true;
}

bool oracle_check_order(oracle_check *c, uint32_t list)
{
    uint32_t wanted = 0, i = list;
    waits w = {0};
    c->count = 0;
    if (!oracle_check_is(c, list, ORACLE_JSON_ARRAY)) {
        return oracle_check_fail(c, "there is no order");
    }
    memset(c->place, 0xff, c->d.task_count * sizeof *c->place);
    while (oracle_check_next(c, list, &i)) {
        if (!put_part(c, &w, i)) {
            return false;
        }
    }
    for (uint32_t t = 0; t < c->d.task_count; t++) {
        wanted += c->present[t];
    }
    return wanted == c->count ||
           oracle_check_fail(c, "a task is not in the order");
}
