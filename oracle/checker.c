/*
 * Checks a witness against the document and nothing else: what a byte holds
 * is computed by running the accesses in program order and in the order of
 * the witness. Whether an access touches the byte is asked of the regions, in
 * a copy of the document where each symbol is its value and the byte is a
 * region. It shares no code with what finds hazards.
 */
#include "checker.h"

#include <string.h>

/*
 * What a byte holds: the last plain write (an argument), what was added. Where
 * the read expects what is added to nothing, the first that adds to its storage
 * (`sum`, else ORACLE_NONE) starts a value, whatever others left there.
 */
typedef struct state {
    uint32_t plain, last;
    uint64_t added;
    uint32_t sum;
    bool own; /* something was added to `sum` since */
} state;

static const state nothing = {ORACLE_NONE, ORACLE_NONE, 0, ORACLE_NONE, false};

/* --- The byte, and who touches it --- */

static bool has_byte(oracle_check *c, oracle_place place, bool *has)
{
    uint32_t storage = c->d.buffers[place.buffer].storage;
    *has = false;
    if (c->by_address ? !oracle_check_move(c, storage)
                      : storage != c->d.buffers[c->byte.buffer].storage) {
        return true;
    }
    const oracle_buffer *b = &c->d.buffers[place.buffer];
    if (place.region == ORACLE_NONE && !b->has_bytes) {
        /* Without a size it is taken to reach to the end. */
        *has = c->d.regions[c->byte.region].base.c >= b->storage_at;
        return true;
    }
    oracle_meet meet = oracle_places_meet(&c->d, place, c->byte);
    *has = meet == ORACLE_MEET_SURELY;
    return meet != ORACLE_MEET_PERHAPS ||
           oracle_check_fail(c, "a region is not decided");
}

static bool skipped(oracle_check *c, uint32_t task, uint32_t arg,
                    const oracle_access *access)
{
    bool sure =
        access->must && access->exact && !c->d.tasks[task].has_predicate;
    return !sure && oracle_check_skips(c, task, arg);
}

/* Adds the mark; 0: it is a plain write of this value. */
static void touch(state *s, uint32_t storage, uint64_t mark, uint32_t value)
{
    bool own = mark != 0 && storage == s->sum;
    if (mark == 0 || (own && !s->own)) {
        s->plain = mark == 0 ? value : ORACLE_NONE;
        s->added = 0;
    }
    s->added += mark;
    s->own = mark != 0 && (own || s->own);
}

/* Runs the writes of an argument; with `reads`, asks whether it reads. */
static bool run_arg(oracle_check *c, uint32_t t, uint32_t a, state *s,
                    bool *reads)
{
    const oracle_arg *arg = &c->d.args[c->d.tasks[t].first_arg + a];
    bool has = false;
    for (uint32_t i = 0; i < arg->accesses; i++) {
        const oracle_access *access = &c->d.accesses[arg->first_access + i];
        bool adds = access->mode == ORACLE_ACCUMULATE;
        if (reads != NULL ? adds || access->mode == ORACLE_WRITE
                          : access->mode == ORACLE_READ) {
            continue;
        }
        if (!has_byte(c, oracle_access_place(arg, access), &has)) {
            return false;
        }
        if (has && reads != NULL) {
            *reads = true;
        } else if (has && !skipped(c, t, a, access)) {
            uint32_t value = c->d.tasks[t].first_arg + a;
            uint64_t mark = (value + UINT64_C(1)) * 0x9e3779b97f4a7c15u;
            mark ^= mark >> 31;
            touch(s, c->d.buffers[arg->buffer].storage, adds ? mark : 0, value);
            s->last = t;
        }
    }
    return true;
}

static bool run(oracle_check *c, uint32_t t, state *s, bool *reads)
{
    const oracle_task *task = &c->d.tasks[t];
    oracle_place operand = {task->predicate_buffer, task->predicate_region};
    if (reads != NULL && task->has_predicate && operand.buffer != ORACLE_NONE &&
        !has_byte(c, operand, reads)) {
        return false;
    }
    for (uint32_t a = 0; a < task->args; a++) {
        if (!run_arg(c, t, a, s, reads)) {
            return false;
        }
    }
    return true;
}

/* The byte as the reader (ORACLE_NONE: the caller) finds it. */
static bool run_all(oracle_check *c, const uint32_t *tasks, uint32_t count,
                    uint32_t reader, state *s)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t t = tasks == NULL ? i : tasks[i];
        if (t == reader) {
            return true;
        }
        if (c->present[t] && !run(c, t, s, NULL)) {
            return false;
        }
    }
    return true;
}

static bool names_writer(oracle_check *c, const char *name, uint32_t writer)
{
    uint32_t node = oracle_check_member(c, c->witness, name), task;
    if (writer == ORACLE_NONE) {
        return oracle_check_is(c, node, ORACLE_JSON_NULL) ||
               oracle_check_fail(c, "%s is not null", name);
    }
    return (oracle_check_task(c, node, &task) && task == writer) ||
           oracle_check_fail(c, "%s is another task", name);
}

static bool reads_byte(oracle_check *c, uint32_t reader)
{
    bool reads = false;
    for (uint32_t b = 0; reader == ORACLE_NONE && b < c->d.buffer_count; b++) {
        bool has = c->d.buffers[b].external;
        if (has && !has_byte(c, (oracle_place){b, ORACLE_NONE}, &has)) {
            return false;
        }
        reads |= has;
    }
    if (reader != ORACLE_NONE &&
        (!c->present[reader] || !run(c, reader, NULL, &reads))) {
        return false;
    }
    return reads || oracle_check_fail(c, "the reader does not read the byte");
}

/* Who writes the address before it is read. */
static bool names_intruder(oracle_check *c, uint32_t reader)
{
    uint32_t node = oracle_check_member(c, c->witness, "intruder"), task;
    state s = nothing;
    if (!oracle_check_task(c, oracle_check_member(c, node, "task"), &task) ||
        !c->present[task] || !run(c, task, &s, NULL)) {
        return false;
    }
    return (s.last == task &&
            (reader == ORACLE_NONE || c->place[task] <= c->place[reader])) ||
           oracle_check_fail(c, "the intruder does not write before it");
}

/* A legal order of all tasks in which a read gets another value. */
bool oracle_check_values_seen(oracle_check *c, uint32_t order)
{
    uint32_t node = oracle_check_member(c, c->witness, "reader"), reader;
    bool uninitialised = strcmp(c->rule, "hazard.uninitialised") == 0;
    state expected = nothing, seen = nothing;
    (void)order;
    if (!oracle_check_read(c) || !oracle_check_edges_hold(c)) {
        return false;
    }
    reader = ORACLE_NONE;
    if (!oracle_check_is(c, node, ORACLE_JSON_NULL) &&
        !oracle_check_task(c, node, &reader)) {
        return false;
    }
    bool planned = strncmp(c->rule, "memory.", 7) == 0;
    const oracle_buffer *b = &c->d.buffers[c->byte.buffer];
    if (!reads_byte(c, reader) ||
        !run_all(c, NULL, c->d.task_count, reader, &expected) ||
        (planned && !oracle_check_address(c))) {
        return false;
    }
    if (planned && expected.plain == ORACLE_NONE && !b->external && !b->init) {
        if (expected.last == ORACLE_NONE) {
            return oracle_check_fail(c, "the byte has no value");
        }
        seen.sum = b->storage;
    }
    if (!run_all(c, c->order, c->count, reader, &seen)) {
        return false;
    }
    if (uninitialised) {
        return (expected.last == ORACLE_NONE && !b->external && !b->init) ||
               oracle_check_fail(c, "the byte has a value");
    }
    if (expected.plain == seen.plain && expected.added == seen.added) {
        return oracle_check_fail(c, "the read gets the right value");
    }
    return names_writer(c, "expected_writer", expected.last) &&
           (planned ? names_intruder(c, reader)
                    : names_writer(c, "seen_writer", seen.last));
}

/* Some access of the argument surely writes the byte, whatever others do. */
static bool writes_byte(oracle_check *c, uint32_t t, uint32_t a)
{
    const oracle_arg *arg = &c->d.args[c->d.tasks[t].first_arg + a];
    bool any = false;
    for (uint32_t i = 0; i < arg->accesses; i++) {
        const oracle_access *access = &c->d.accesses[arg->first_access + i];
        bool has = false;
        any =
            any || (access->mode != ORACLE_READ &&
                    has_byte(c, oracle_access_place(arg, access), &has) && has);
    }
    return any || oracle_check_fail(c, "an argument does not write the byte");
}

/* Two arguments of one task write the byte; without a byte, they may meet. */
bool oracle_check_overlap(oracle_check *c, uint32_t list)
{
    uint32_t node = oracle_check_member(c, c->witness, "task"), task, arg[2];
    int64_t number[2];
    if (!oracle_check_task(c, node, &task) ||
        !oracle_check_two(c, list, &arg[0], &arg[1])) {
        return oracle_check_fail(c, "two arguments are not named");
    }
    for (uint32_t n = 0; n < 2; n++) {
        if (!oracle_check_number(c, arg[n], &number[n]) || number[n] < 0 ||
            number[n] >= c->d.tasks[task].args ||
            (n > 0 && number[1] == number[0])) {
            return oracle_check_fail(c, "two arguments are not named");
        }
        arg[n] = (uint32_t)number[n];
    }
    if (oracle_check_member(c, c->witness, "begin") == ORACLE_NONE) {
        return oracle_check_may_meet(c, task, arg[0], task, arg[1]);
    }
    return oracle_check_byte(c) && writes_byte(c, task, arg[0]) &&
           writes_byte(c, task, arg[1]);
}
