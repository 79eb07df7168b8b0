/* Witnesses that are about edges and tasks, not about what bytes hold. */
#include "checker.h"

#include <string.h>

static bool has_edge(const oracle_check *c, uint32_t from, uint32_t to)
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
        if (after[t] != ORACLE_NONE && !joined[t] &&
            !has_edge(c, t, after[t])) {
            return oracle_check_fail(c, "the ring has a missing edge");
        }
    }
    return true;
}

bool oracle_check_edge_end(oracle_check *c, uint32_t list)
{
    uint32_t task;
    bool known = oracle_json_next(&c->json, list) == list + 3 &&
                 oracle_check_task(c, list + 1, &task) &&
                 oracle_check_task(c, list + 2, &task);
    return !known || oracle_check_fail(c, "both ends are tasks");
}

bool oracle_check_form(oracle_check *c, uint32_t node)
{
    uint32_t task;
    return oracle_check_task(c, node, &task) &&
           ((c->d.tasks[task].has_predicate &&
             !c->d.tasks[task].predicate_formed) ||
            oracle_check_fail(c, "the task has no such predicate"));
}

static bool same_text(const oracle_text *a, const oracle_text *b)
{
    return a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

bool oracle_check_dead(oracle_check *c, uint32_t name)
{
    uint32_t consumer = oracle_check_member(c, 0, "consumer"), task;
    int64_t said = 0, dead = 0, other = 0;
    if (!oracle_check_task(c, oracle_check_member(c, consumer, "task"),
                           &task) ||
        !oracle_check_number(
            c, oracle_check_member(c, c->witness, "submissions"), &said) ||
        !oracle_check_is(c, name, ORACLE_JSON_STRING)) {
        return oracle_check_fail(c, "no task, name or number of submissions");
    }
    const oracle_task *site = &c->d.tasks[task];
    for (uint32_t t = 0; t < c->d.task_count; t++) {
        const oracle_task *one = &c->d.tasks[t];
        if (t != task && (site->line == 0 || one->line != site->line ||
                          !same_text(&one->name, &site->name))) {
            continue;
        }
        for (uint32_t i = 0; i < one->deps; i++) {
            const oracle_dep *dep = &c->d.deps[one->first_dep + i];
            bool named = oracle_json_is(&c->json, name, dep->name.data,
                                        dep->name.length);
            dead += named && dep->cause == ORACLE_DEP_DEAD;
            other += named && dep->cause == ORACLE_DEP_TASK;
        }
    }
    return (dead == said && dead > 0 && other == 0) ||
           oracle_check_fail(c, "the dep is not dead so often");
}

static bool surely_writes(const oracle_document *d, uint32_t t,
                          oracle_place place)
{
    bool writes = false;
    for (uint32_t a = 0; a < d->tasks[t].args; a++) {
        const oracle_arg *arg = &d->args[d->tasks[t].first_arg + a];
        for (uint32_t i = 0; i < arg->accesses; i++) {
            const oracle_access *x = &d->accesses[arg->first_access + i];
            writes |= x->mode != ORACLE_READ &&
                      oracle_places_meet(d, oracle_access_place(arg, x),
                                         place) == ORACLE_MEET_SURELY;
        }
    }
    return writes;
}

bool oracle_check_host(oracle_check *c, uint32_t node)
{
    uint32_t writer = oracle_check_member(c, c->witness, "writer"), task;
    int64_t index = -1;
    if (!oracle_check_number(c, node, &index) || index < 0 ||
        index >= c->d.host_access_count) {
        return oracle_check_fail(c, "there is no such access");
    }
    const oracle_host_access *access = &c->d.host_accesses[index];
    uint32_t storage = c->d.buffers[access->buffer].storage;
    bool writes = !c->d.buffers[storage].external;
    if (oracle_check_is(c, writer, ORACLE_JSON_NULL)) {
        return writes || oracle_check_fail(c, "the caller owns the bytes");
    }
    uint32_t after = oracle_id_table_find(&c->ids, access->after);
    oracle_place place = {access->buffer, access->region};
    return oracle_check_task(c, writer, &task) &&
           ((surely_writes(&c->d, task, place) && after != ORACLE_NONE &&
             task <= after) ||
            oracle_check_fail(c, "the task does not write before it"));
}
