/* Witnesses about edges: orders, rings, paths, what nothing leads to. */
#include "checker.h"
#include "record.h"

#include <string.h>

static bool in_order(const oracle_check *c, uint32_t from, uint32_t to)
{
    /* An edge of a task to itself is graph.self-edge, and no order. */
    return from == ORACLE_NONE || from == to || !c->present[from] ||
           !c->present[to] || c->place[from] < c->place[to];
}

bool oracle_check_edges_hold(oracle_check *c)
{
    bool hold = true;
    for (uint32_t e = 0; e < c->d.edge_count; e++) {
        const oracle_edge *edge = &c->d.edges[e];
        hold &=
            (c->certain && !edge->certain) || in_order(c, edge->from, edge->to);
    }
    for (uint32_t t = 0; t < c->d.task_count; t++) {
        for (uint32_t i = 0; i < c->d.tasks[t].deps; i++) {
            const oracle_dep *dep = &c->d.deps[c->d.tasks[t].first_dep + i];
            hold &= in_order(c, dep->task, t);
        }
    }
    return hold || oracle_check_fail(c, "the order breaks an edge");
}

static bool has_dep(const oracle_check *c, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < c->d.tasks[to].deps; i++) {
        if (c->d.deps[c->d.tasks[to].first_dep + i].task == from) {
            return true;
        }
    }
    return false;
}

/* Each task of a ring waits for the one before; edges are looked up once. */
bool oracle_check_cycle(oracle_check *c, uint32_t list)
{
    uint32_t first = ORACLE_NONE, last = ORACLE_NONE, task;
    uint32_t *after = c->place, *joined = c->order;
    memset(after, 0xff, c->d.task_count * sizeof *after);
    for (uint32_t i = list + 1; i < oracle_json_next(&c->json, list); i++) {
        if (!oracle_check_task(c, i, &task) || after[task] != ORACLE_NONE) {
            return oracle_check_fail(c, "a task is twice in the ring");
        }
        if (last != ORACLE_NONE) {
            after[last] = task;
        }
        after[task] = task;
        first = first == ORACLE_NONE ? task : first;
        last = task;
    }
    if (first == ORACLE_NONE) {
        return oracle_check_fail(c, "the ring is empty");
    }
    after[last] = first;
    memset(joined, 0, c->d.task_count * sizeof *joined);
    for (uint32_t e = 0; e < c->d.edge_count; e++) {
        const oracle_edge *edge = &c->d.edges[e];
        joined[edge->from] |= edge->certain && after[edge->from] == edge->to;
    }
    for (uint32_t t = 0; t < c->d.task_count; t++) {
        if (after[t] != ORACLE_NONE && !joined[t] && !has_dep(c, t, after[t])) {
            return oracle_check_fail(c, "the ring has a missing edge");
        }
    }
    return true;
}

bool oracle_check_edge_end(oracle_check *c, uint32_t list)
{
    uint32_t first, second;
    int64_t from, to;
    if (!oracle_check_two(c, list, &first, &second) ||
        !oracle_check_number(c, first, &from) ||
        !oracle_check_number(c, second, &to)) {
        return oracle_check_fail(c, "the witness names no edge");
    }
    bool there = false;
    for (uint32_t i = 0; i < c->d.loose_edge_count; i++) {
        const oracle_loose_edge *edge = &c->d.loose_edges[i];
        there |= edge->from == from && edge->to == to;
    }
    uint32_t task = oracle_id_table_find(&c->ids, to);
    for (uint32_t i = 0; task != ORACLE_NONE && i < c->d.tasks[task].deps;
         i++) {
        const oracle_dep *dep = &c->d.deps[c->d.tasks[task].first_dep + i];
        there |= dep->cause == ORACLE_DEP_TASK && dep->task == ORACLE_NONE &&
                 dep->id == from;
    }
    return there || oracle_check_fail(c, "both ends are tasks, or no edge's");
}

/* Two ends and how often they are joined by one source, or by deps. */
bool oracle_check_repeated(oracle_check *c, uint32_t list)
{
    uint32_t first, second, from, to, deps = 0;
    uint32_t times[ORACLE_POLICY + 1] = {0};
    int64_t said = 0;
    if (!oracle_check_two(c, list, &first, &second) ||
        !oracle_check_task(c, first, &from) ||
        !oracle_check_task(c, second, &to) ||
        !oracle_check_number(c, oracle_check_member(c, c->witness, "times"),
                             &said)) {
        return oracle_check_fail(c, "there is no edge, or not how often");
    }
    for (uint32_t e = 0; e < c->d.edge_count; e++) {
        const oracle_edge *edge = &c->d.edges[e];
        times[edge->source] += edge->from == from && edge->to == to;
    }
    for (uint32_t i = 0; i < c->d.tasks[to].deps; i++) {
        deps += c->d.deps[c->d.tasks[to].first_dep + i].task == from;
    }
    bool holds = deps >= said;
    for (uint32_t s = 0; s <= ORACLE_POLICY; s++) {
        holds |= times[s] >= said;
    }
    return (said > 1 && holds) ||
           oracle_check_fail(c, "the edge is not there so often");
}

/*
 * A set of tasks with the second and without the first, into which no edge
 * leads from outside: nobody in it waits for the first.
 */
bool oracle_check_lost(oracle_check *c, uint32_t list)
{
    uint32_t set = oracle_check_member(c, c->witness, "before");
    uint32_t first, second, from, to, task;
    int64_t id;
    if (!oracle_check_two(c, list, &first, &second) ||
        !oracle_check_task(c, second, &to) ||
        !oracle_check_number(c, first, &id) ||
        !oracle_check_is(c, set, ORACLE_JSON_ARRAY)) {
        return oracle_check_fail(c, "the witness names no edge");
    }
    from = oracle_id_table_find(&c->ids, id);
    for (uint32_t i = set + 1; i < oracle_json_next(&c->json, set); i++) {
        if (!oracle_check_task(c, i, &task)) {
            return false;
        }
        c->present[task] = true;
    }
    bool holds = c->present[to] && (from == ORACLE_NONE || !c->present[from]);
    for (uint32_t e = 0; e < c->d.edge_count; e++) {
        const oracle_edge *edge = &c->d.edges[e];
        holds &= c->present[edge->from] || !c->present[edge->to];
    }
    for (uint32_t t = 0; t < c->d.task_count; t++) {
        for (uint32_t i = 0; i < c->d.tasks[t].deps; i++) {
            uint32_t dep = c->d.deps[c->d.tasks[t].first_dep + i].task;
            holds &= dep == ORACLE_NONE || c->present[dep] || !c->present[t];
        }
    }
    return holds || oracle_check_fail(c, "an edge leads from the first to it");
}

/* [task, begin, end] as the trace has it. */
static bool read_interval(oracle_check *c, uint32_t node, uint32_t *task,
                          oracle_task_time *time)
{
    uint32_t end = oracle_check_is(c, node, ORACLE_JSON_ARRAY)
                       ? oracle_json_next(&c->json, node)
                       : 0;
    if (end != node + 4 || !oracle_check_task(c, node + 1, task) ||
        !oracle_check_number(c, node + 2, &time->begin) ||
        !oracle_check_number(c, node + 3, &time->end)) {
        return oracle_check_fail(c, "there are no two intervals");
    }
    const oracle_task_time *own = &c->d.run->times[*task];
    return (own->rows > 0 && own->begin == time->begin &&
            own->end == time->end) ||
           oracle_check_fail(c, "the trace has other times");
}

static bool has_edge(const oracle_check *c, uint32_t from, uint32_t to)
{
    for (uint32_t e = 0; e < c->d.edge_count; e++) {
        if (c->d.edges[e].from == from && c->d.edges[e].to == to) {
            return true;
        }
    }
    return false;
}

/* Edges from task to task. */
static bool check_path(oracle_check *c, uint32_t list, uint32_t from,
                       uint32_t to)
{
    uint32_t last = ORACLE_NONE, task;
    if (!oracle_check_is(c, list, ORACLE_JSON_ARRAY)) {
        return oracle_check_fail(c, "there is no path");
    }
    for (uint32_t i = list + 1; i < oracle_json_next(&c->json, list); i++) {
        if (!oracle_check_task(c, i, &task)) {
            return false;
        }
        if (last == ORACLE_NONE ? task != from : !has_edge(c, last, task)) {
            return oracle_check_fail(c, "the path is none");
        }
        last = task;
    }
    return last == to || oracle_check_fail(c, "the path ends elsewhere");
}

bool oracle_check_intervals(oracle_check *c, uint32_t list)
{
    uint32_t path = oracle_check_member(c, c->witness, "path");
    uint32_t first, second, from, to;
    oracle_task_time a, b;
    bool writes = false;
    if (c->d.run == NULL || c->d.run->times == NULL ||
        !oracle_check_two(c, list, &first, &second) ||
        !read_interval(c, first, &from, &a) ||
        !read_interval(c, second, &to, &b)) {
        return oracle_check_fail(c, "there are no two intervals of a trace");
    }
    if (b.begin >= a.end) {
        return oracle_check_fail(c, "the second started after the first");
    }
    if (path != ORACLE_NONE) {
        return check_path(c, path, from, to);
    }
    bool overlap = a.begin < b.end;
    if (overlap != (strcmp(c->rule, "trace.race") == 0) || from >= to) {
        return oracle_check_fail(c, "the times do not fit the rule");
    }
    return oracle_check_byte(c) &&
           ((oracle_check_touches(c, from, &writes) &&
             oracle_check_touches(c, to, &writes) && writes) ||
            oracle_check_fail(c, "they do not touch one byte"));
}
