/* Witnesses about two accesses, or one: that they may meet, or do surely not */
#include "checker.h"
#include "witness_accesses.h"

#include <string.h>

static bool list_accesses(oracle_check *c, oracle_access_of **list,
                          uint32_t *count)
{
    return oracle_accesses_list(list, count, &c->d, UINT32_MAX - 1, c->arena) ||
           oracle_check_fail(c, ORACLE_UNCHECKED);
}

/*
 * With symbols a storage is one: an access that moves stands for other passes
 * of a loop too, so that what lies between two others is open.
 */
static bool may_meet(const oracle_document *d, oracle_place a, oracle_place b)
{
    return oracle_places_meet(d, a, b) != ORACLE_MEET_NEVER ||
           (d->symbol_count > 0 &&
            d->buffers[a.buffer].storage == d->buffers[b.buffer].storage);
}

bool oracle_check_may_meet(oracle_check *c, uint32_t t, uint32_t a, uint32_t u,
                           uint32_t b)
{
    oracle_access_of *list;
    uint32_t count, first = 0;
    if (!list_accesses(c, &list, &count)) {
        return false;
    }
    while (first < count && list[first].task != u) {
        first++;
    }
    for (uint32_t i = 0; i < count; i++) {
        const oracle_access_of *x = &list[i];
        for (uint32_t k = first;
             x->task == t && x->arg == a && k < count && list[k].task == u;
             k++) {
            const oracle_access_of *y = &list[k];
            if (y->arg == b && (x->writes || y->writes) &&
                may_meet(&c->d, x->place, y->place)) {
                return true;
            }
        }
    }
    return oracle_check_fail(c, "the two do not meet");
}

bool oracle_check_touches(oracle_check *c, uint32_t task, bool *writes)
{
    oracle_access_of *list;
    uint32_t count;
    bool any = false;
    if (!list_accesses(c, &list, &count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].task == task &&
            oracle_places_meet(&c->d, list[i].place, c->byte) ==
                ORACLE_MEET_SURELY) {
            any = true;
            *writes |= list[i].writes;
        }
    }
    return any || oracle_check_fail(c, "a task does not touch the byte");
}

/* [task, argument]; null: the operand of its predicate. */
static bool read_access(oracle_check *c, uint32_t node, uint32_t *task,
                        uint32_t *arg)
{
    uint32_t first, second;
    int64_t number = -1;
    *arg = ORACLE_NONE;
    if (!oracle_check_two(c, node, &first, &second) ||
        !oracle_check_task(c, first, task)) {
        return false;
    }
    if (oracle_check_number(c, second, &number) && number >= 0 &&
        number < c->d.tasks[*task].args) {
        *arg = (uint32_t)number;
    }
    return *arg != ORACLE_NONE || oracle_check_is(c, second, ORACLE_JSON_NULL);
}

/*
 * In program order no read, the caller's neither, finds what one of two
 * arguments has written, before it is surely written again, be it by another
 * argument of its task. Writes of one task come in the order of its arguments.
 */
static bool nobody_sees(oracle_check *c, const uint32_t *tasks,
                        const uint32_t *args)
{
    oracle_access_of *list;
    uint32_t count;
    bool seen = false, there = false;
    if (!list_accesses(c, &list, &count)) {
        return false;
    }
    for (uint32_t i = 0, end = 0; i < count; i = end) {
        uint32_t t = list[i].task;
        bool again = false, own = false;
        for (end = i; end < count && list[end].task == t; end++) {
            const oracle_access_of *x = &list[end];
            bool has =
                c->present[t] && oracle_places_meet(&c->d, x->place, c->byte) ==
                                     ORACLE_MEET_SURELY;
            seen |= has && x->reads && there;
            again |= has && x->sure;
            bool named = (t == tasks[0] && x->arg == args[0]) ||
                         (t == tasks[1] && x->arg == args[1]);
            own = named || (own && !(has && x->sure));
        }
        there = own || (there && !again);
    }
    for (uint32_t b = 0; b < c->d.buffer_count; b++) {
        const oracle_buffer *buffer = &c->d.buffers[b];
        seen |= there && buffer->external &&
                buffer->storage == c->d.buffers[c->byte.buffer].storage;
    }
    return !seen || oracle_check_fail(c, "somebody reads it");
}

/* A legal order in which two accesses that may meet come the other way. */
bool oracle_check_pair(oracle_check *c, uint32_t list)
{
    uint32_t first, second, from, to, a, b;
    uint32_t order = oracle_check_member(c, c->witness, "order");
    bool wrote = false, writes = false;
    if (!oracle_check_two(c, list, &first, &second) ||
        !read_access(c, first, &from, &a) || !read_access(c, second, &to, &b) ||
        !oracle_check_choices(c)) {
        return oracle_check_fail(c, "there are no two accesses");
    }
    if (!oracle_check_may_meet(c, from, a, to, b) ||
        !oracle_check_order(c, order) || !oracle_check_edges_hold(c)) {
        return false;
    }
    if (from >= to || !c->present[from] || !c->present[to] ||
        c->place[from] < c->place[to]) {
        return oracle_check_fail(c, "the two are in program order");
    }
    if (oracle_check_member(c, c->witness, "begin") == ORACLE_NONE) {
        return true;
    }
    return oracle_check_byte(c) && oracle_check_touches(c, from, &wrote) &&
           oracle_check_touches(c, to, &writes) &&
           ((wrote && writes) ||
            oracle_check_fail(c, "one of the two does not write")) &&
           nobody_sees(c, (uint32_t[]){from, to}, (uint32_t[]){a, b});
}

/* A byte that a task may read and that nobody before it surely writes. */
bool oracle_check_unwritten(oracle_check *c, uint32_t node)
{
    uint32_t reader, count;
    oracle_access_of *list;
    bool reads = false, written = false;
    if (!oracle_check_task(c, node, &reader) || !oracle_check_choices(c) ||
        !oracle_check_byte(c) || !list_accesses(c, &list, &count)) {
        return false;
    }
    for (uint32_t i = 0; i < count && list[i].task <= reader; i++) {
        const oracle_access_of *x = &list[i];
        reads |=
            x->task == reader && x->reads && c->present[reader] &&
            oracle_places_meet(&c->d, x->place, c->byte) != ORACLE_MEET_NEVER;
        written |= x->task < reader && x->fills && c->present[x->task] &&
                   oracle_place_covers(&c->d, x->place, c->byte);
    }
    return (reads && !written) ||
           oracle_check_fail(c, "it is written before, or not read");
}

/* --- What the host touches --- */

/* It writes the bytes or, where the host writes them, reads them. */
static bool surely_touches(const oracle_document *d, uint32_t t,
                           oracle_place place, bool reads)
{
    const oracle_task *task = &d->tasks[t];
    oracle_place operand = {task->predicate_buffer, task->predicate_region};
    bool touches = reads && task->has_predicate &&
                   oracle_places_meet(d, operand, place) == ORACLE_MEET_SURELY;
    for (uint32_t a = 0; a < d->tasks[t].args; a++) {
        const oracle_arg *arg = &d->args[d->tasks[t].first_arg + a];
        for (uint32_t i = 0; i < arg->accesses; i++) {
            const oracle_access *x = &d->accesses[arg->first_access + i];
            touches |= (x->mode != ORACLE_READ || (reads && x->must)) &&
                       oracle_places_meet(d, oracle_access_place(arg, x),
                                          place) == ORACLE_MEET_SURELY;
        }
    }
    return touches;
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
           ((surely_touches(&c->d, task, place, access->mode != ORACLE_READ) &&
             after != ORACLE_NONE && task <= after) ||
            oracle_check_fail(c, "no task before it touches the bytes"));
}
