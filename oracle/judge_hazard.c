/* Hazards as records: rule, severity, cause, and the sentence for a person. */
#include "judge_work.h"

#include "json.h"
#include "witness.h"

#include <inttypes.h>
#include <string.h>

static oracle_end end_of(const oracle_item *item)
{
    return (oracle_end){
        .task = item->task,
        .arg = item->arg,
        .operand = item->task != ORACLE_NONE && item->arg == ORACLE_NONE,
    };
}

static bool is_operand(const oracle_item *item)
{
    return item->task != ORACLE_NONE && item->arg == ORACLE_NONE;
}

static const char *rule_of(const oracle_hazard *h)
{
    switch (h->kind) {
    case ORACLE_HAZARD_UNINITIALISED:
        return "hazard.uninitialised";
    case ORACLE_HAZARD_DEAD_WRITE:
        return "hazard.dead-write";
    case ORACLE_HAZARD_RAW:
        if (h->decided) {
            return is_operand(&h->consumer) ? "predicate.stale" : "hazard.raw";
        }
        break;
    case ORACLE_HAZARD_WAW:
        if (h->decided) {
            return "hazard.waw";
        }
        break;
    case ORACLE_HAZARD_WAR:
        if (h->decided) {
            return "hazard.war";
        }
        break;
    }
    return "hazard.unknown-access";
}

static oracle_severity severity_of(const oracle_hazard *h)
{
    if (h->kind == ORACLE_HAZARD_DEAD_WRITE) {
        return ORACLE_NOTE;
    }
    return h->decided ? ORACLE_ERROR : ORACLE_WARNING;
}

/* An open pair says nothing new where the same arguments have an error. */
static bool overshadowed(const oracle_judging *j, const oracle_hazard *h)
{
    if (h->decided || h->kind == ORACLE_HAZARD_UNINITIALISED) {
        return false;
    }
    int64_t key = oracle_pair_key(j->document, &h->producer, &h->consumer);
    uint32_t i = oracle_id_table_find(&j->hazards.by_pair, key);
    for (; i != ORACLE_NONE; i = j->hazards.list[i].next) {
        if (j->hazards.list[i].decided) {
            return true;
        }
    }
    return false;
}

bool oracle_judge_list_hazards(oracle_judging *judging)
{
    for (uint32_t i = 0; i < judging->hazards.count; i++) {
        const oracle_hazard *h = &judging->hazards.list[i];
        if (overshadowed(judging, h)) {
            continue;
        }
        oracle_record record = oracle_record_of(rule_of(h), severity_of(h));
        record.producer = end_of(&h->producer);
        record.consumer = end_of(&h->consumer);
        record.has_storage = true;
        record.storage = h->consumer.storage;
        record.begin = h->hull.begin;
        record.end = h->hull.end;
        if (!oracle_judging_add(judging, record)) {
            return false;
        }
        judging->entries[judging->count - 1].hazard = i;
    }
    return true;
}

/* --- Causes --- */

typedef struct pair_facts {
    const oracle_document *d;
    const oracle_hazard *h;
    const oracle_task *producer, *consumer;
    const oracle_arg *from, *to; /* NULL: the operand */
    bool rules, tensormap;       /* what derives or derived the edges */
} pair_facts;

static const oracle_arg *arg_of(const oracle_document *d,
                                const oracle_item *item)
{
    return item->arg == ORACLE_NONE
               ? NULL
               : &d->args[d->tasks[item->task].first_arg + item->arg];
}

static pair_facts facts_of(const oracle_judging *j, const oracle_hazard *h)
{
    const oracle_document *d = j->document;
    pair_facts f = {.d = d, .h = h};
    f.producer = &d->tasks[h->producer.task];
    f.consumer = &d->tasks[h->consumer.task];
    f.from = arg_of(d, &h->producer);
    f.to = arg_of(d, &h->consumer);
    f.tensormap = d->derived == ORACLE_RULES_TENSORMAP || j->recorded;
    f.rules = f.tensormap || d->derived == ORACLE_RULES_CONSERVATIVE;
    return f;
}

static bool in_manual(const pair_facts *f, const oracle_task *task)
{
    return task->scope != ORACLE_NONE && f->d->scopes[task->scope].in_manual;
}

static bool manual_dep(const pair_facts *f, const oracle_arg *arg)
{
    return arg != NULL &&
           (arg->manual_dep || f->d->buffers[arg->buffer].manual_dep);
}

static bool no_dep(const oracle_arg *arg)
{
    return arg != NULL && (arg->dispatch == ORACLE_NO_DEP ||
                           arg->dispatch == ORACLE_UNKNOWN_DISPATCH);
}

static bool only_outputs(const oracle_arg *arg)
{
    return arg != NULL && (arg->dispatch == ORACLE_OUTPUT_EXISTING ||
                           arg->dispatch == ORACLE_OUTPUT);
}

static bool other_elements(const pair_facts *f)
{
    return f->from != NULL && f->to != NULL && f->from->view != ORACLE_NONE &&
           f->to->view != ORACLE_NONE &&
           f->d->regions[f->from->view].elem != f->d->regions[f->to->view].elem;
}

static bool other_base(const pair_facts *f)
{
    if (f->from == NULL || f->to == NULL) {
        return false;
    }
    const oracle_text *a = &f->from->base_address, *b = &f->to->base_address;
    if (a->present && b->present) {
        return a->length != b->length || memcmp(a->data, b->data, a->length);
    }
    return f->from->buffer != f->to->buffer;
}

static bool has_dep(const pair_facts *f, oracle_dep_cause cause)
{
    for (uint32_t i = 0; i < f->consumer->deps; i++) {
        if (f->d->deps[f->consumer->first_dep + i].cause == cause) {
            return true;
        }
    }
    return false;
}

/* Causes that lie in how automatic edges are made. */
static const char *automatic_cause(const pair_facts *f)
{
    bool from = in_manual(f, f->producer), to = in_manual(f, f->consumer);
    if (from || to) {
        return from && to ? "manual-scope"
               : from     ? "manual-to-auto"
                          : "auto-to-manual";
    }
    if (manual_dep(f, f->from) || manual_dep(f, f->to)) {
        return "manual-dep";
    }
    if (no_dep(f->from) || no_dep(f->to)) {
        return "no-dep";
    }
    if (!f->tensormap) {
        return NULL;
    }
    return f->h->kind == ORACLE_HAZARD_WAR ? "war"
           : only_outputs(f->to)           ? "output-existing"
           : other_elements(f)             ? "element-size"
           : other_base(f)                 ? "base-address"
                                           : NULL;
}

static const char *cause_of(const pair_facts *f, bool reversed)
{
    if (is_operand(&f->h->producer) || is_operand(&f->h->consumer)) {
        return "predicate";
    }
    const char *cause = f->rules ? automatic_cause(f) : NULL;
    if (cause != NULL) {
        return cause;
    }
    return has_dep(f, ORACLE_DEP_DEAD)     ? "dead-dep"
           : has_dep(f, ORACLE_DEP_REUSED) ? "reused-id"
           : reversed                      ? "reversed"
                                           : "missing-edge";
}

/* --- Sentences --- */

const char *oracle_tell_task(oracle_arena *arena, const oracle_document *d,
                             uint32_t task)
{
    char name[96];
    const oracle_task *t = &d->tasks[task];
    oracle_json_printable(t->name.data, t->name.length, name, sizeof name);
    return oracle_arena_format(arena, "task %" PRId64 " \"%s\"", t->id, name);
}

const char *oracle_tell_bytes(oracle_arena *arena, const oracle_document *d,
                              uint32_t buffer, int64_t begin, int64_t end)
{
    char key[96];
    const oracle_text *text = &d->buffers[buffer].key;
    oracle_json_printable(text->data, text->length, key, sizeof key);
    if (end == INT64_MAX) {
        return begin == 0 ? oracle_arena_format(arena, "%s", key)
                          : oracle_arena_format(arena, "%s from byte %" PRId64,
                                                key, begin);
    }
    return oracle_arena_format(arena, "bytes %" PRId64 " to %" PRId64 " of %s",
                               begin, end - 1, key);
}

/* Why no edge orders the pair, and the narrowest thing that would. */
typedef struct advice {
    const char *cause, *why, *fix;
} advice;

static const advice advices[] = {
    {"predicate", "a predicate's operand gets no automatic edge", NULL},
    {"manual-scope", "both are in manual scopes, where no edge is made", NULL},
    {"manual-to-auto", "the first is in a manual scope and registers nothing",
     NULL},
    {"auto-to-manual", "the second is in a manual scope and looks nothing up",
     NULL},
    {"manual-dep", "manual_dep takes the automatic edge away",
     "take manual_dep off"},
    {"no-dep", "no_dep takes the automatic edge away", "take no_dep off"},
    {"war", "nobody makes an edge for a write after a read", NULL},
    {"output-existing", "an output_existing argument looks nothing up",
     "dispatch it as inout"},
    {"element-size", "views of different element size are not seen to overlap",
     NULL},
    {"base-address", "two base addresses are not seen to be one allocation",
     NULL},
    {"dead-dep", "the second names a dep that is invalid at every submission",
     "carry that TaskId into the loop"},
    {"reused-id", "the second waits on a TaskId that a later task replaced",
     "collect the TaskIds in an array"},
    {"reversed", "edges order them the other way round",
     "take the edge against program order away"},
    {"missing-edge", "no path of edges leads from the first to the second",
     NULL},
};

static const advice *advice_of(const char *cause)
{
    size_t i = 0;
    while (strcmp(advices[i].cause, cause) != 0) {
        i++;
    }
    return &advices[i];
}

/* "take no_dep off argument 2 of task 4 "x"", or adding a dep. */
static const char *fix_of(oracle_arena *arena, const pair_facts *f,
                          const advice *a, const char *first,
                          const char *second)
{
    bool at_first =
        (strcmp(a->cause, "no-dep") == 0 && !no_dep(f->to)) ||
        (strcmp(a->cause, "manual-dep") == 0 && !manual_dep(f, f->to));
    const oracle_item *item = at_first ? &f->h->producer : &f->h->consumer;
    if (strcmp(a->cause, "reversed") == 0) {
        return oracle_arena_format(arena,
                                   "%s, or let %s come first in the "
                                   "program",
                                   a->fix, second);
    }
    if (a->fix == NULL || item->arg == ORACLE_NONE) {
        return oracle_arena_format(arena, "add %s to the deps of %s", first,
                                   second);
    }
    if (strcmp(a->cause, "dead-dep") == 0 ||
        strcmp(a->cause, "reused-id") == 0) {
        return oracle_arena_format(arena, "%s, or add %s to the deps of %s",
                                   a->fix, first, second);
    }
    return oracle_arena_format(
        arena, "%s (argument %u of %s), or add %s to the deps of %s", a->fix,
        (unsigned)item->arg, at_first ? first : second, first, second);
}

static const char *reader_of(oracle_arena *arena, const oracle_document *d,
                             const oracle_hazard *h)
{
    return h->reader.task == ORACLE_NONE
               ? "the caller"
               : oracle_tell_task(arena, d, h->reader.task);
}

static const char *fact(oracle_arena *arena, const oracle_judging *j,
                        const oracle_hazard *h, const char *first,
                        const char *second, const char *bytes)
{
    const char *what =
        is_operand(&h->consumer) ? "evaluates its predicate on" : "reads";
    if (!h->decided && h->kind != ORACLE_HAZARD_DEAD_WRITE) {
        return oracle_arena_format(
            arena,
            "%s and %s may touch the same bytes in %s without an order, which "
            "cannot be decided from what the document tells",
            first, second, bytes);
    }
    switch (h->kind) {
    case ORACLE_HAZARD_RAW:
        return oracle_arena_format(arena,
                                   "%s %s %s and does not wait for %s, which "
                                   "writes them",
                                   second, what, bytes, first);
    case ORACLE_HAZARD_WAR:
        return oracle_arena_format(arena,
                                   "%s writes %s and does not wait for %s, "
                                   "which still has to read them",
                                   second, bytes, first);
    case ORACLE_HAZARD_WAW:
        return oracle_arena_format(
            arena,
            "%s writes %s and does not wait for %s, which writes them too, so "
            "that %s can read the wrong value",
            second, bytes, first, reader_of(arena, j->document, h));
    default:
        return oracle_arena_format(arena,
                                   "%s and %s write %s in no fixed order, and "
                                   "nobody reads them",
                                   first, second, bytes);
    }
}

static const char *message_of(oracle_judging *j, const oracle_hazard *h,
                              const pair_facts *f, const char *cause)
{
    oracle_arena *arena = j->arena;
    const oracle_document *d = j->document;
    const char *bytes = oracle_tell_bytes(arena, d, h->consumer.storage,
                                          h->hull.begin, h->hull.end);
    const char *first = oracle_tell_task(arena, d, h->producer.task);
    const char *second = oracle_tell_task(arena, d, h->consumer.task);
    if (bytes == NULL || first == NULL || second == NULL) {
        return NULL;
    }
    const advice *a = advice_of(cause);
    const char *told = fact(arena, j, h, first, second, bytes);
    const char *fix = fix_of(arena, f, a, first, second);
    if (told == NULL || fix == NULL) {
        return NULL;
    }
    return oracle_arena_format(arena, "%s: %s; %s.", told, a->why, fix);
}

static const char *uninitialised(oracle_judging *j, const oracle_hazard *h)
{
    const char *bytes = oracle_tell_bytes(
        j->arena, j->document, h->consumer.storage, h->hull.begin, h->hull.end);
    const char *reader =
        oracle_tell_task(j->arena, j->document, h->consumer.task);
    if (bytes == NULL || reader == NULL) {
        return NULL;
    }
    return oracle_arena_format(
        j->arena,
        h->decided ? "%s reads %s, which no earlier task writes: write or "
                     "initialise them first, or read only what is written."
                   : "%s may read %s, which no earlier task surely writes: "
                     "initialise them, or read only what is written.",
        reader, bytes);
}

bool oracle_judge_tell(oracle_judging *judging, oracle_entry *entry,
                       const oracle_order *order, const bool *choices)
{
    const oracle_hazard *h = &judging->hazards.list[entry->hazard];
    oracle_record *record = &entry->record;
    if (h->kind == ORACLE_HAZARD_UNINITIALISED) {
        record->message = uninitialised(judging, h);
    } else {
        bool reversed = false;
        pair_facts f = facts_of(judging, h);
        if (!order->forward &&
            !oracle_witness_reaches(order, h->consumer.task, h->producer.task,
                                    &reversed)) {
            return false;
        }
        record->cause = cause_of(&f, reversed);
        record->message = message_of(judging, h, &f, record->cause);
    }
    if (record->message == NULL) {
        return false;
    }
    if (record->severity == ORACLE_ERROR) {
        record->witness = oracle_witness_order(h, judging->document, order,
                                               choices, judging->arena);
        return record->witness != NULL;
    }
    return true;
}
