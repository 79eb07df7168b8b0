/*
 * direction.mismatch: the callee does what its parameter, or the dispatch,
 * does not say. Only what is sure is said: a bound may be touched by nobody,
 * and a call with other scalars may do what this one does not. One finding
 * for a callee, an argument and a direction, however often it is called.
 *
 * A dispatched direction makes edges, and only where a rule set asks for it
 * does it mean anything. An inout there that says too much, for the order that
 * an output does not get, is no mismatch.
 */
#include "judge_work.h"

#include <inttypes.h>

typedef enum told { NOT_TOLD, IN, OUT, INOUT } told;

typedef enum mismatch { NONE, WRITTEN, READ, ONLY_READ, NEVER_READ } mismatch;

/* What calls of one callee have in common; a name as a number, no padding. */
typedef struct site_key {
    uint32_t name, arg, direction;
    uint32_t declared; /* the parameter says it, else the dispatch */
} site_key;

typedef struct call_list {
    uint32_t count, first; /* the task of the first */
} call_list;

typedef struct site {
    site_key key;
    call_list reads, writes;  /* that surely do */
    bool may_read, may_write; /* some call, as far as is known */
    bool unordered; /* some call's dispatch makes no edge for what it does */
} site;

typedef struct directions {
    oracle_judging *judging;
    oracle_table names, known;
    site **sites;
    uint32_t count;
} directions;

static told declared_of(const oracle_arg *arg)
{
    switch (arg->declared) {
    case ORACLE_DECLARED_IN:
        return IN;
    case ORACLE_DECLARED_OUT:
        return OUT;
    case ORACLE_DECLARED_INOUT:
        return INOUT;
    default:
        return NOT_TOLD;
    }
}

static told dispatched_of(const oracle_arg *arg)
{
    switch (arg->dispatch) {
    case ORACLE_INPUT:
        return IN;
    case ORACLE_OUTPUT:
    case ORACLE_OUTPUT_EXISTING:
        return OUT;
    default:
        return NOT_TOLD;
    }
}

/* --- What calls do --- */

static void note_call(call_list *calls, uint32_t t)
{
    calls->first = calls->count++ == 0 ? t : calls->first;
}

static void note_accesses(const oracle_document *d, uint32_t t,
                          const oracle_arg *arg, site *s)
{
    bool reads = false, writes = false;
    s->may_read |= !arg->has_access;
    s->may_write |= !arg->has_access;
    for (uint32_t i = 0; i < arg->accesses; i++) {
        const oracle_access *access = &d->accesses[arg->first_access + i];
        bool sure = access->must || access->exact;
        s->may_read |= access->mode != ORACLE_WRITE;
        s->may_write |= access->mode != ORACLE_READ;
        reads |= sure && access->mode != ORACLE_WRITE;
        writes |= sure && access->mode != ORACLE_READ;
    }
    if (reads) {
        note_call(&s->reads, t);
    }
    if (writes) {
        note_call(&s->writes, t);
    }
    told dispatched =
        d->derived == ORACLE_RULES_NONE ? NOT_TOLD : dispatched_of(arg);
    s->unordered |=
        (writes && dispatched == IN) || (reads && dispatched == OUT);
}

/* A task without a name has a callee of its own. */
static bool name_of(directions *s, uint32_t t, uint32_t *number)
{
    const oracle_text *name = &s->judging->document->tasks[t].name;
    *number = UINT32_MAX - t;
    if (!name->present) {
        return true;
    }
    oracle_slot *slot = oracle_table_slot(&s->names, name->data, name->length);
    if (slot == NULL) {
        return false;
    }
    if (slot->data == NULL) {
        *slot =
            (oracle_slot){name->data, name->length, (uint32_t)s->names.used};
    }
    *number = slot->value;
    return true;
}

/* The slot keeps the key where it lies, so that of a new site is its own. */
static site *site_of(directions *s, const site_key *key)
{
    uint32_t known =
        oracle_table_find(&s->known, (const char *)key, sizeof *key);
    if (known != ORACLE_NONE) {
        return s->sites[known];
    }
    oracle_arena *arena = s->judging->arena;
    site *own = oracle_arena_alloc(arena, sizeof *own);
    site **grown = oracle_arena_push(arena, s->sites, s->count, sizeof *grown);
    if (own == NULL || grown == NULL) {
        return NULL;
    }
    own->key = *key;
    s->sites = grown;
    oracle_slot *slot =
        oracle_table_slot(&s->known, (const char *)&own->key, sizeof own->key);
    if (slot == NULL) {
        return NULL;
    }
    *slot = (oracle_slot){(const char *)&own->key, sizeof own->key, s->count};
    grown[s->count++] = own;
    return own;
}

static bool note(directions *s, uint32_t t, uint32_t a, told direction,
                 bool declared)
{
    const oracle_document *d = s->judging->document;
    site_key key = {0, a, direction, declared};
    if (direction == NOT_TOLD) {
        return true;
    }
    site *own = name_of(s, t, &key.name) ? site_of(s, &key) : NULL;
    if (own != NULL) {
        note_accesses(d, t, &d->args[d->tasks[t].first_arg + a], own);
    }
    return own != NULL;
}

/* A dispatch that says what the parameter says adds nothing. */
static bool note_arg(directions *s, uint32_t t, uint32_t a)
{
    const oracle_document *d = s->judging->document;
    const oracle_arg *arg = &d->args[d->tasks[t].first_arg + a];
    told declared = declared_of(arg);
    told dispatched =
        d->derived == ORACLE_RULES_NONE ? NOT_TOLD : dispatched_of(arg);
    return arg->kind != ORACLE_ARG_BUFFER ||
           (note(s, t, a, declared, true) &&
            (dispatched == declared || note(s, t, a, dispatched, false)));
}

/* --- What is wrong with it --- */

static mismatch mismatch_of(const site *s)
{
    switch ((told)s->key.direction) {
    case IN:
        return s->writes.count > 0 ? WRITTEN : NONE;
    case OUT:
        return s->reads.count == 0 ? NONE : s->may_write ? READ : ONLY_READ;
    case INOUT:
        return s->writes.count > 0 && !s->may_read ? NEVER_READ : NONE;
    default:
        return NONE;
    }
}

static const char *message_of(oracle_judging *j, const site *s, mismatch found,
                              const call_list *calls)
{
    static const char *const words[2][4] = {{"", "input", "output", "inout"},
                                            {"", "In", "Out", "InOut"}};
    static const struct {
        const char *does, *why;
        told better;
    } sayings[] = {
        [WRITTEN] = {"the callee writes it",
                     ", or who reads it next does not wait for that write",
                     INOUT},
        [READ] = {"the callee also reads, or adds to, what is there before",
                  ", or it waits for nobody who wrote that", INOUT},
        [ONLY_READ] = {"the callee reads it, and no call here writes it",
                       ", or it waits for nobody who wrote that", IN},
        [NEVER_READ] = {"no call here reads what is there before",
                        " if none ever does, and judge the order again: an "
                        "output waits for nobody",
                        OUT}};
    bool declared = s->key.declared != 0;
    const char *task = oracle_tell_task(j->arena, j->document, calls->first);
    const char *more =
        calls->count == 1
            ? ""
            : oracle_arena_format(j->arena, " (one of %u such calls)",
                                  (unsigned)calls->count);
    if (task == NULL || more == NULL) {
        return NULL;
    }
    const char *why =
        found == NEVER_READ || s->unordered ? sayings[found].why : "";
    return oracle_arena_format(
        j->arena, "argument %u of %s is %s %s and %s: %s %s%s%s.",
        (unsigned)s->key.arg, task, declared ? "declared" : "dispatched as",
        words[declared][s->key.direction], sayings[found].does,
        declared ? "declare it" : "dispatch it as",
        words[declared][sayings[found].better], why, more);
}

static bool report(oracle_judging *j, const site *s)
{
    mismatch found = mismatch_of(s);
    if (found == NONE) {
        return true;
    }
    bool written = found == WRITTEN || found == NEVER_READ;
    const call_list *calls = written ? &s->writes : &s->reads;
    oracle_record record = oracle_record_of(
        "direction.mismatch", found == WRITTEN ? ORACLE_WARNING : ORACLE_NOTE);
    record.consumer = (oracle_end){calls->first, s->key.arg, false};
    record.count = calls->count;
    record.message = message_of(j, s, found, calls);
    record.witness = oracle_arena_format(
        j->arena, "{\"arg\":%u,\"task\":%" PRId64 "}", (unsigned)s->key.arg,
        j->document->tasks[calls->first].id);
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(j, record);
}

bool oracle_judge_directions(oracle_judging *judging)
{
    const oracle_document *d = judging->document;
    directions s = {.judging = judging};
    bool ok = true;
    for (uint32_t t = 0; ok && t < d->task_count; t++) {
        bool calls = !d->tasks[t].dummy;
        for (uint32_t a = 0; ok && calls && a < d->tasks[t].args; a++) {
            ok = note_arg(&s, t, a);
        }
    }
    for (uint32_t i = 0; ok && i < s.count; i++) {
        ok = report(judging, s.sites[i]);
    }
    oracle_table_free(&s.names);
    oracle_table_free(&s.known);
    return ok;
}
