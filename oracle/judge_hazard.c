/* Hazards as records: rule, severity, cause, and the sentence for a person. */
#include "judge_work.h"

#include "advice.h"
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

/*
 * An open pair says nothing new where the same arguments have an error, nor
 * does a write that nobody reads where they have anything else.
 */
static bool overshadowed(const oracle_judging *j, const oracle_hazard *h)
{
    if (h->decided || h->kind == ORACLE_HAZARD_UNINITIALISED) {
        return false;
    }
    int64_t key = oracle_pair_key(j->document, &h->producer, &h->consumer);
    uint32_t i = oracle_id_table_find(&j->hazards.by_pair, key);
    for (; i != ORACLE_NONE; i = j->hazards.list[i].next) {
        const oracle_hazard *other = &j->hazards.list[i];
        if (other->decided || (h->kind == ORACLE_HAZARD_DEAD_WRITE &&
                               other->kind != ORACLE_HAZARD_DEAD_WRITE)) {
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
    bool recorded;
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
    f.recorded = j->recorded;
    f.rules = f.tensormap || d->derived == ORACLE_RULES_CONSERVATIVE;
    return f;
}

static bool in_manual(const pair_facts *f, const oracle_task *task)
{
    return task->scope != ORACLE_NONE && f->d->scopes[task->scope].in_manual;
}

/* The buffer that is created with manual_dep: it, or what it is a part of. */
static uint32_t manual_tensor(const oracle_document *d, const oracle_arg *arg)
{
    const oracle_buffer *b = &d->buffers[arg->buffer];
    return b->manual_dep                       ? arg->buffer
           : d->buffers[b->storage].manual_dep ? b->storage
                                               : ORACLE_NONE;
}

static bool manual_dep(const pair_facts *f, const oracle_arg *arg)
{
    return arg != NULL &&
           (arg->manual_dep || manual_tensor(f->d, arg) != ORACLE_NONE);
}

/* A record of the runtime has no word for no_dep. */
static bool no_dep(const pair_facts *f, const oracle_arg *arg)
{
    return arg != NULL &&
           (arg->dispatch == ORACLE_NO_DEP ||
            (f->recorded && arg->dispatch == ORACLE_UNKNOWN_DISPATCH));
}

static bool undispatched(const pair_facts *f)
{
    return f->rules && f->from != NULL && f->to != NULL &&
           (f->from->dispatch == ORACLE_UNKNOWN_DISPATCH ||
            f->to->dispatch == ORACLE_UNKNOWN_DISPATCH);
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
    oracle_text a = oracle_arg_identity(f->from).base_address;
    oracle_text b = oracle_arg_identity(f->to).base_address;
    if (a.present && b.present) {
        return a.length != b.length || memcmp(a.data, b.data, a.length);
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
    if (no_dep(f, f->from) || no_dep(f, f->to)) {
        return "no-dep";
    }
    if (!f->tensormap) {
        return NULL;
    }
    return f->h->kind == ORACLE_HAZARD_WAR ? "war"
           : undispatched(f)               ? NULL
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

const char *oracle_judge_cause(const oracle_judging *judging,
                               const oracle_entry *entry)
{
    const oracle_hazard *h = &judging->hazards.list[entry->hazard];
    if (h->kind == ORACLE_HAZARD_UNINITIALISED) {
        return NULL;
    }
    pair_facts f = facts_of(judging, h);
    return cause_of(&f, false);
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

/* Why no edge orders the pair. */
static const struct {
    const char *cause, *why;
} reasons[] = {
    {"predicate", "a predicate's operand gets no automatic edge"},
    {"manual-scope", "both are in manual scopes, where no edge is made"},
    {"manual-to-auto", "the first is in a manual scope and registers nothing"},
    {"auto-to-manual", "the second is in a manual scope and looks nothing up"},
    {"manual-dep",
     "arguments of a manual_dep tensor look nothing up and register nothing"},
    {"no-dep", "a no_dep argument looks nothing up and registers nothing"},
    {"war", "nobody makes an edge for a write after a read"},
    {"output-existing", "an output_existing argument looks nothing up"},
    {"element-size", "views of different element size are not seen to overlap"},
    {"base-address", "two base addresses are not seen to be one allocation"},
    {"dead-dep", "the second names a dep that is invalid at every submission"},
    {"reused-id", "the second waits on a TaskId that a later task replaced"},
    {"reversed", "edges order them the other way round"},
    {"missing-edge", "no path of edges leads from the first to the second"},
};

static const char *reason_of(const char *cause)
{
    size_t i = 0;
    while (strcmp(reasons[i].cause, cause) != 0) {
        i++;
    }
    return reasons[i].why;
}

/* The manual scope that the pair leaves or enters. */
static bool crosses(const char *cause, bool *out)
{
    *out = strcmp(cause, "manual-to-auto") == 0;
    return *out || strcmp(cause, "auto-to-manual") == 0;
}

static const char *why(oracle_judging *j, const pair_facts *f,
                       const char *cause)
{
    bool out, opted_out = strcmp(cause, "manual-dep") == 0 ||
                          strcmp(cause, "no-dep") == 0;
    if (crosses(cause, &out)) {
        return oracle_tell_scope(j, f->h, out);
    }
    if (strcmp(cause, "dead-dep") == 0 || strcmp(cause, "reused-id") == 0) {
        return oracle_tell_lost_dep(j, f->h->consumer.task);
    }
    if (opted_out && f->tensormap && f->h->kind == ORACLE_HAZARD_WAR) {
        return oracle_arena_format(
            j->arena,
            "%s, and nobody makes an edge for a write after "
            "a read",
            reason_of(cause));
    }
    if (undispatched(f) && strcmp(cause, "missing-edge") == 0) {
        return "an argument without dispatch looks nothing up and registers "
               "nothing";
    }
    return reason_of(cause);
}

/* The reason, and a TaskId that was lost besides. */
static const char *all_reasons(oracle_judging *j, const pair_facts *f,
                               const char *cause)
{
    const char *reason = why(j, f, cause);
    const char *lost = oracle_tell_lost_dep(j, f->h->consumer.task);
    if (reason == NULL || lost == NULL || lost[0] == '\0' ||
        strcmp(cause, "dead-dep") == 0 || strcmp(cause, "reused-id") == 0) {
        return lost == NULL ? NULL : reason;
    }
    return oracle_arena_format(j->arena, "%s, and %s", reason, lost);
}

static const char *direction(oracle_dispatch dispatch)
{
    return dispatch == ORACLE_INPUT   ? "input"
           : dispatch == ORACLE_INOUT ? "inout"
                                      : "output_existing";
}

static const char *told_dispatch(oracle_arena *arena, const oracle_arg *arg,
                                 const oracle_item *item, const char *task,
                                 oracle_dispatch dispatch)
{
    const char *format = arg->dispatch == ORACLE_NO_DEP
                             ? "take no_dep off argument %u of %s and dispatch "
                               "it as %s"
                             : "dispatch argument %u of %s as %s";
    return oracle_arena_format(arena, format, (unsigned)item->arg, task,
                               direction(dispatch));
}

static const char *told_create(oracle_arena *arena, const pair_facts *f)
{
    char key[2][96] = {"", ""};
    const oracle_arg *args[2] = {f->from, f->to};
    uint32_t named[2], count = 0;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t b = manual_tensor(f->d, args[i]);
        if (b == ORACLE_NONE && args[i]->manual_dep) {
            b = args[i]->buffer;
        }
        if (b != ORACLE_NONE && (count == 0 || named[0] != b)) {
            const oracle_text *text = &f->d->buffers[b].key;
            oracle_json_printable(text->data, text->length, key[count],
                                  sizeof key[count]);
            named[count++] = b;
        }
    }
    if (count == 0) {
        /* The rules give the edge, and the record has no word for it. */
        return oracle_arena_format(
            arena, "create the tensor without manual_dep, which a record does "
                   "not show");
    }
    return oracle_arena_format(arena, "create %s%s%s without manual_dep",
                               key[0], count > 1 ? " and " : "",
                               count > 1 ? key[1] : "");
}

/* The changes of an advice joined by "and"; empty: there is none. */
static const char *changes_of(oracle_arena *arena, const pair_facts *f,
                              const oracle_advice *advice, const char *first,
                              const char *second)
{
    const char *parts[3];
    uint32_t count = 0;
    if (advice->create) {
        parts[count++] = told_create(arena, f);
    }
    if (advice->set_from) {
        parts[count++] =
            told_dispatch(arena, f->from, &f->h->producer, first, advice->from);
    }
    if (advice->set_to) {
        parts[count++] =
            told_dispatch(arena, f->to, &f->h->consumer, second, advice->to);
    }
    const char *all = "";
    for (uint32_t i = 0; i < count && all != NULL; i++) {
        all = parts[i] == NULL
                  ? NULL
                  : oracle_arena_format(arena, "%s%s%s", all,
                                        i > 0 ? " and " : "", parts[i]);
    }
    return all;
}

static const char *fix_of(oracle_judging *j, const pair_facts *f,
                          const oracle_advice *advice, const char *cause,
                          const char *first, const char *second)
{
    oracle_arena *arena = j->arena;
    bool out;
    if (advice->back) {
        return oracle_arena_format(
            arena,
            "take the edges away that lead from %s back to %s, and add %s to "
            "the deps of %s",
            second, first, first, second);
    }
    const char *changes = changes_of(arena, f, advice, first, second);
    const char *bridge =
        crosses(cause, &out) ? oracle_tell_bridge(j, f->h, out) : "";
    const char *array =
        strcmp(cause, "dead-dep") == 0 || strcmp(cause, "reused-id") == 0
            ? ": collect the TaskIds in an array and name that"
            : "";
    return changes == NULL || bridge == NULL
               ? NULL
               : oracle_arena_format(arena, "%s%sadd %s to the deps of %s%s%s",
                                     changes, changes[0] == '\0' ? "" : ", or ",
                                     first, second, array, bridge);
}

static const char *reader_of(oracle_arena *arena, const oracle_document *d,
                             const oracle_hazard *h)
{
    return h->reader.task == ORACLE_NONE
               ? "the caller"
               : oracle_tell_task(arena, d, h->reader.task);
}

static const char *fact(oracle_arena *arena, const oracle_judging *j,
                        const oracle_hazard *h, const char *cause,
                        const char *open, const char *first, const char *second,
                        const char *bytes)
{
    const char *what =
        is_operand(&h->consumer) ? "evaluates its predicate on" : "reads";
    if (!h->decided && h->kind != ORACLE_HAZARD_DEAD_WRITE) {
        return oracle_arena_format(
            arena,
            "%s and %s may touch the same bytes in %s without an order, which "
            "cannot be decided, since %s",
            first, second, bytes, open);
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
                                   "%s and %s write %s %s, and nobody reads "
                                   "what they write",
                                   first, second, bytes,
                                   strcmp(cause, "reversed") == 0
                                       ? "against program order"
                                       : "in no fixed order");
    }
}

static const char *message_of(oracle_judging *j, const oracle_hazard *h,
                              const pair_facts *f, const char *cause,
                              const oracle_advice *advice,
                              const oracle_order *order)
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
    bool is_open = !h->decided && h->kind != ORACLE_HAZARD_DEAD_WRITE;
    const char *open = is_open ? oracle_tell_open(j, h, order) : "";
    const char *reason = all_reasons(j, f, cause);
    const char *told =
        open == NULL ? NULL
                     : fact(arena, j, h, cause, open, first, second, bytes);
    const char *fix = fix_of(j, f, advice, cause, first, second);
    if (told == NULL || reason == NULL || fix == NULL) {
        return NULL;
    }
    return oracle_arena_format(arena, "%s: %s; %s.", told, reason, fix);
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

/* What is proved: a wrong value, an order either way, nothing written. */
static const char *witness_of(oracle_judging *j, const oracle_record *record,
                              const oracle_hazard *h, const oracle_execution *e)
{
    if (record->severity == ORACLE_ERROR) {
        return oracle_witness_order(h, j->document, &e->all, e->choices,
                                    j->arena);
    }
    return h->kind == ORACLE_HAZARD_UNINITIALISED
               ? oracle_witness_unwritten(h, j->document, e->choices, j->arena)
               : oracle_witness_pair(h, j->document, &e->certain, e->choices,
                                     j->arena);
}

bool oracle_judge_tell(oracle_judging *judging, oracle_entry *entry,
                       const oracle_execution *execution)
{
    const oracle_order *order = &execution->all;
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
        oracle_advice_pair pair = {
            .document = judging->document,
            .rules = f.tensormap ? ORACLE_RULES_TENSORMAP
                                 : judging->document->derived,
            .first = h->producer,
            .second = h->consumer,
            .forward = order->forward,
            .back = reversed,
        };
        oracle_advice advice = oracle_advise(&pair);
        record->cause = cause_of(&f, reversed);
        record->message =
            message_of(judging, h, &f, record->cause, &advice, order);
    }
    if (record->message == NULL) {
        return false;
    }
    record->witness = witness_of(judging, record, h, execution);
    return record->witness != NULL;
}
