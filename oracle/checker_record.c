/* Witnesses about the record of a run, against the record and nothing else. */
#include "checker.h"
#include "record.h"

#include <string.h>

/* Two items of a list. */
static bool two(const oracle_check *c, uint32_t list, uint32_t *first,
                uint32_t *second)
{
    if (!oracle_check_is(c, list, ORACLE_JSON_ARRAY)) {
        return false;
    }
    uint32_t end = oracle_json_next(&c->json, list);
    *first = list + 1;
    *second = *first < end ? oracle_json_next(&c->json, *first) : end;
    return *second < end && oracle_json_next(&c->json, *second) == end;
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
    if (!two(c, list, &first, &second) || !oracle_check_task(c, second, &to) ||
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

/* Whether a task touches the byte, and writes it. */
static bool touches(oracle_check *c, uint32_t t, bool *writes)
{
    bool any = false;
    for (uint32_t a = 0; a < c->d.tasks[t].args; a++) {
        const oracle_arg *arg = &c->d.args[c->d.tasks[t].first_arg + a];
        for (uint32_t i = 0; i < arg->accesses; i++) {
            const oracle_access *access = &c->d.accesses[arg->first_access + i];
            oracle_place place = oracle_access_place(arg, access);
            if (oracle_places_meet(&c->d, place, c->byte) ==
                ORACLE_MEET_SURELY) {
                any = true;
                *writes |= access->mode != ORACLE_READ;
            }
        }
    }
    return any;
}

bool oracle_check_intervals(oracle_check *c, uint32_t list)
{
    uint32_t path = oracle_check_member(c, c->witness, "path");
    uint32_t first, second, from, to;
    oracle_task_time a, b;
    bool writes = false;
    if (c->d.run == NULL || c->d.run->times == NULL ||
        !two(c, list, &first, &second) || !read_interval(c, first, &from, &a) ||
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
           ((touches(c, from, &writes) && touches(c, to, &writes) && writes) ||
            oracle_check_fail(c, "they do not touch one byte"));
}
