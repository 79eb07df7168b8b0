#include "lint_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pair {
    uint32_t from, to;
} pair;

static int by_ends(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to == y->to ? 0 : x->to < y->to ? -1 : 1;
}

/* Deps and edges; the count, which is at most edges + deps. */
static size_t list_pairs(pair *pairs, const oracle_document *d, bool certain)
{
    size_t count = 0;
    for (uint32_t i = 0; i < d->edge_count; i++)
        if (d->edges[i].certain || !certain)
            pairs[count++] = (pair){d->edges[i].from, d->edges[i].to};
    for (uint32_t t = 0; t < d->task_count; t++) {
        const oracle_task *task = &d->tasks[t];
        for (uint32_t i = 0; i < task->deps; i++) {
            const oracle_dep *dep = &d->deps[task->first_dep + i];
            if (dep->cause == ORACLE_DEP_TASK && dep->task != ORACLE_NONE)
                pairs[count++] = (pair){dep->task, t};
        }
    }
    return count;
}

/* From pairs sorted by their first task. */
static bool link_pairs(lint_links *links, const pair *pairs, size_t count,
                       uint32_t tasks)
{
    links->first = calloc((size_t)tasks + 2, sizeof *links->first);
    links->ends = calloc(count + 1, sizeof *links->ends);
    if (links->first == NULL || links->ends == NULL)
        return false;
    size_t at = 0;
    for (uint32_t t = 0; t < tasks; t++) {
        links->first[t] = (uint32_t)at;
        for (; at < count && pairs[at].from == t; at++)
            links->ends[at] = pairs[at].to;
    }
    links->first[tasks] = (uint32_t)at;
    return true;
}

static bool link_all(lint_order *o)
{
    const oracle_document *d = &o->document;
    size_t most = (size_t)d->edge_count + d->dep_count;
    pair *pairs = calloc(most + 1, sizeof *pairs);
    if (pairs == NULL || most >= UINT32_MAX) {
        free(pairs);
        return false;
    }
    size_t count = list_pairs(pairs, d, false);
    qsort(pairs, count, sizeof *pairs, by_ends);
    bool ok = link_pairs(&o->any, pairs, count, d->task_count);
    count = list_pairs(pairs, d, true);
    qsort(pairs, count, sizeof *pairs, by_ends);
    ok = ok && link_pairs(&o->to, pairs, count, d->task_count);
    for (size_t i = 0; i < count; i++)
        pairs[i] = (pair){pairs[i].to, pairs[i].from};
    qsort(pairs, count, sizeof *pairs, by_ends);
    ok = ok && link_pairs(&o->from, pairs, count, d->task_count);
    free(pairs);
    return ok;
}

typedef struct named {
    int64_t id;
    uint32_t task;
} named;

static int by_id(const void *a, const void *b)
{
    const named *x = a, *y = b;
    return x->id == y->id ? 0 : x->id < y->id ? -1 : 1;
}

static bool list_ids(lint_order *o)
{
    uint32_t tasks = o->document.task_count;
    named *list = calloc((size_t)tasks + 1, sizeof *list);
    o->by_id = calloc((size_t)tasks + 1, sizeof *o->by_id);
    bool ok = list != NULL && o->by_id != NULL;
    for (uint32_t t = 0; ok && t < tasks; t++)
        list[t] = (named){o->document.tasks[t].id, t};
    if (ok)
        qsort(list, tasks, sizeof *list, by_id);
    for (uint32_t t = 0; ok && t < tasks; t++)
        o->by_id[t] = list[t].task;
    free(list);
    return ok;
}

static bool prepare(lint_order *o)
{
    size_t tasks = o->document.task_count;
    o->seen = calloc(tasks + 1, sizeof *o->seen);
    o->queue = calloc(tasks + 1, sizeof *o->queue);
    return o->seen != NULL && o->queue != NULL && list_ids(o) && link_all(o);
}

bool lint_order_read(lint_order *order, cli_span text, const char *rules,
                     char *problem, size_t size)
{
    oracle_error error = {0};
    oracle_read_options options = {.lenient = true, .rules = rules};
    *order = (lint_order){0};
    oracle_status status = oracle_document_read(&order->document, text.data,
                                                text.length, &options, &error);
    order->is_read = status == ORACLE_OK;
    if (status == ORACLE_OK)
        status = oracle_document_derive(&order->document, &error);
    if (status == ORACLE_OK && !prepare(order))
        status = ORACLE_NO_MEMORY;
    if (status == ORACLE_NO_MEMORY)
        snprintf(problem, size, "out of memory");
    else if (status != ORACLE_OK)
        snprintf(problem, size, "%s", error.message);
    return status == ORACLE_OK;
}

void lint_order_close(lint_order *order)
{
    if (order->is_read)
        oracle_document_free(&order->document);
    free(order->to.first);
    free(order->to.ends);
    free(order->from.first);
    free(order->from.ends);
    free(order->any.first);
    free(order->any.ends);
    free(order->by_id);
    free(order->seen);
    free(order->queue);
    *order = (lint_order){0};
}

uint32_t lint_order_find(const lint_order *order, int64_t id)
{
    size_t low = 0, high = order->document.task_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint32_t task = order->by_id[middle];
        int64_t found = order->document.tasks[task].id;
        if (found == id)
            return task;
        if (found < id)
            low = middle + 1;
        else
            high = middle;
    }
    return LINT_NONE;
}

bool lint_order_edge(const lint_order *order, uint32_t from, uint32_t to)
{
    size_t low = order->any.first[from], high = order->any.first[from + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (order->any.ends[middle] == to)
            return true;
        if (order->any.ends[middle] < to)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool has_condition(const oracle_document *d, const oracle_task *task,
                          const oracle_when *when)
{
    const oracle_when *own = &d->whens[task->first_when];
    for (uint32_t i = 0; i < task->whens; i++)
        if (own[i].choice == when->choice && own[i].is == when->is)
            return true;
    return false;
}

/* Whether `task` is submitted in every execution that submits `start`. */
static bool always_with(const oracle_document *d, uint32_t start, uint32_t task)
{
    const oracle_task *t = &d->tasks[task];
    for (uint32_t i = 0; i < t->whens; i++)
        if (!has_condition(d, &d->tasks[start], &d->whens[t->first_when + i]))
            return false;
    return true;
}

void lint_order_reach(lint_order *order, uint32_t start, bool backward)
{
    const lint_links *links = backward ? &order->from : &order->to;
    uint32_t done = 0, count = 0;
    order->round++;
    order->seen[start] = order->round;
    order->queue[count++] = start;
    while (done < count) {
        uint32_t task = order->queue[done++];
        if (!always_with(&order->document, start, task))
            continue;
        for (uint32_t i = links->first[task]; i < links->first[task + 1]; i++) {
            uint32_t end = links->ends[i];
            if (order->seen[end] == order->round)
                continue;
            order->seen[end] = order->round;
            order->queue[count++] = end;
        }
    }
}

bool lint_order_reached(const lint_order *order, uint32_t task)
{
    return order->seen[task] == order->round;
}
