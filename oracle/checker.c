/*
 * Checks a witness against the document and nothing else: what a byte holds
 * is computed by running the accesses in program order and in the order of
 * the witness. Whether an access touches the byte is asked of the regions, in
 * a copy of the document where each symbol is its value and the byte is a
 * region. It shares no code with what finds hazards.
 */
#include "checker.h"
#include "oracle/judge.h"

#include <string.h>

/* What a byte holds: the last plain write (an argument), what was added. */
typedef struct state {
    uint32_t plain, last;
    uint64_t added;
} state;

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
    uint32_t list = oracle_check_member(c, c->witness, "skipped");
    if (list == ORACLE_NONE ||
        (access->must && access->exact && !c->d.tasks[task].has_predicate)) {
        return false;
    }
    for (uint32_t i = list + 1; i < oracle_json_next(&c->json, list);
         i = oracle_json_next(&c->json, i)) {
        int64_t id = 0, index = -1;
        if (oracle_check_is(c, i, ORACLE_JSON_OBJECT) &&
            oracle_check_between(c, i, task)) {
            return true;
        }
        if (oracle_check_is(c, i, ORACLE_JSON_ARRAY) &&
            i + 2 < oracle_json_next(&c->json, i) &&
            oracle_check_number(c, i + 1, &id) &&
            oracle_check_number(c, i + 2, &index) &&
            id == c->d.tasks[task].id && index == arg) {
            return true;
        }
    }
    return false;
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
            *s = adds ? (state){s->plain, t, s->added + mark}
                      : (state){value, t, 0};
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
    *s = (state){ORACLE_NONE, ORACLE_NONE, 0};
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

static bool in_order(const oracle_check *c, uint32_t from, uint32_t to)
{
    /* An edge of a task to itself is graph.self-edge, and no order. */
    return from == ORACLE_NONE || from == to || !c->present[from] ||
           !c->present[to] || c->place[from] < c->place[to];
}

static bool edges_hold(oracle_check *c)
{
    bool hold = true;
    for (uint32_t e = 0; e < c->d.edge_count; e++) {
        hold &= in_order(c, c->d.edges[e].from, c->d.edges[e].to);
    }
    for (uint32_t t = 0; t < c->d.task_count; t++) {
        for (uint32_t i = 0; i < c->d.tasks[t].deps; i++) {
            const oracle_dep *dep = &c->d.deps[c->d.tasks[t].first_dep + i];
            hold &= in_order(c, dep->task, t);
        }
    }
    return hold || oracle_check_fail(c, "the order breaks an edge");
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
    state s = {ORACLE_NONE, ORACLE_NONE, 0};
    if (!oracle_check_task(c, oracle_check_member(c, node, "task"), &task) ||
        !c->present[task] || !run(c, task, &s, NULL)) {
        return false;
    }
    return (s.last == task &&
            (reader == ORACLE_NONE || c->place[task] <= c->place[reader])) ||
           oracle_check_fail(c, "the intruder does not write before it");
}

/* A legal order of all tasks in which a read gets another value. */
static bool check_order(oracle_check *c, bool uninitialised)
{
    uint32_t node = oracle_check_member(c, c->witness, "reader"), reader;
    state expected, seen;
    if (!oracle_check_read(c) || !edges_hold(c)) {
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
        (planned && !oracle_check_address(c)) ||
        !run_all(c, c->order, c->count, reader, &seen)) {
        return false;
    }
    if (planned && expected.plain == ORACLE_NONE && !b->external && !b->init) {
        return oracle_check_fail(c, "the byte has no value");
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

/* Two arguments of one task write the byte. */
static bool check_overlap(oracle_check *c, uint32_t list)
{
    uint32_t node = oracle_check_member(c, c->witness, "task"), task, i = list;
    if (!oracle_check_byte(c) || !oracle_check_task(c, node, &task)) {
        return false;
    }
    for (uint32_t n = 0, last = ORACLE_NONE; n < 2; n++) {
        int64_t arg = -1;
        state s = {ORACLE_NONE, ORACLE_NONE, 0};
        if (++i >= oracle_json_next(&c->json, list) ||
            !oracle_check_number(c, i, &arg) || arg < 0 ||
            arg >= c->d.tasks[task].args || arg == last) {
            return oracle_check_fail(c, "two arguments are not named");
        }
        last = (uint32_t)arg;
        if (!run_arg(c, task, last, &s, NULL)) {
            return false;
        }
        if (s.last == ORACLE_NONE) {
            return oracle_check_fail(c, "an argument does not write the byte");
        }
    }
    return true;
}

static bool check_kind(oracle_check *c)
{
    static const struct {
        const char *member;
        bool (*check)(oracle_check *c, uint32_t node);
    } kinds[] = {{"cycle", oracle_check_cycle},
                 {"limit", oracle_check_limit},
                 {"arg", oracle_check_direction},
                 {"args", check_overlap},
                 {"edge", oracle_check_edge_end},
                 {"host", oracle_check_host},
                 {"lost", oracle_check_lost},
                 {"intervals", oracle_check_intervals},
                 {"dep", oracle_check_dead},
                 {"task", oracle_check_form},
                 {"allocation", oracle_check_allocation},
                 {"allocations", oracle_check_allocations},
                 {"missing", oracle_check_missing},
                 {"peak", oracle_check_peak}};
    bool mine = false, ok = oracle_check_edges(c, &mine);
    if (mine) {
        return ok;
    }
    if (oracle_check_member(c, c->witness, "order") != ORACLE_NONE) {
        return check_order(c, strcmp(c->rule, "hazard.uninitialised") == 0);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        uint32_t node = oracle_check_member(c, c->witness, kinds[i].member);
        if (node != ORACLE_NONE) {
            return kinds[i].check(c, node);
        }
    }
    return oracle_check_fail(c, "there is no witness about the document");
}

bool oracle_witness_check(const oracle_document *derived,
                          const char *finding_json, char *reason,
                          size_t reason_size)
{
    oracle_check c = {.d = *derived, .reason = reason, .size = reason_size};
    char rule[64];
    reason[0] = '\0';
    c.rule = rule;
    bool ok = oracle_check_start(&c, finding_json, rule, sizeof rule) &&
              check_kind(&c);
    oracle_check_end(&c);
    return ok;
}
