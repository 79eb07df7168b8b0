/* What two documents have in common: reading both, and their tasks. */
#include "compare.h"

#include "members.h"
#include "reader.h"

#include <inttypes.h>
#include <string.h>

#define FINDINGS 1000

/* --- Telling --- */

void oracle_compare_open(oracle_comparison *c, const char *text)
{
    oracle_judgement *out = c->out;
    const char **grown = oracle_arena_push(c->arena, out->undecided,
                                           out->undecided_count, sizeof *grown);
    if (grown == NULL || text == NULL) {
        c->failed = true;
        return;
    }
    out->undecided = grown;
    grown[out->undecided_count++] = text;
}

void oracle_compare_found(oracle_comparison *c, const char *cause,
                          uint64_t count, uint32_t producer, uint32_t consumer,
                          const char *message, const char *witness)
{
    oracle_judgement *out = c->out;
    oracle_record record = {
        .rule = "diff.plan",
        .severity = ORACLE_ERROR,
        .cause = cause,
        .message = message,
        .witness = witness,
        .producer = {producer, ORACLE_NONE, false},
        .consumer = {consumer, ORACLE_NONE, false},
        .count = count > UINT32_MAX ? UINT32_MAX : (uint32_t)count,
    };
    oracle_finding *grown =
        oracle_arena_push(c->arena, out->findings, out->count, sizeof *grown);
    out->total++;
    if (grown == NULL || message == NULL || witness == NULL) {
        c->failed = true;
        return;
    }
    out->findings = grown;
    if (!oracle_finding_fill(&grown[out->count++], &record, c->a.d,
                             c->options->case_digest, c->options->generated,
                             c->arena)) {
        c->failed = true;
    }
}

static const char *tell_text(oracle_comparison *c, const oracle_text *text)
{
    char shown[96];
    oracle_json_printable(text->data, text->length, shown, sizeof shown);
    return oracle_arena_text(c->arena, shown, strlen(shown));
}

const char *oracle_compare_task(oracle_comparison *c, const oracle_side *side,
                                uint32_t task)
{
    const oracle_task *t = &side->d->tasks[task];
    const char *name = tell_text(c, &t->name);
    return name == NULL ? NULL
           : *name == '\0'
               ? oracle_arena_format(c->arena, "task %" PRId64, t->id)
               : oracle_arena_format(c->arena, "task %" PRId64 " \"%s\"", t->id,
                                     name);
}

const char *oracle_compare_key(oracle_comparison *c, const oracle_side *side,
                               uint32_t label)
{
    for (uint32_t i = 0; i < side->d->buffer_count; i++) {
        const oracle_buffer *buffer = &side->d->buffers[i];
        if (buffer->storage == i && side->label[i] == label) {
            return tell_text(c, &buffer->key);
        }
    }
    return "no storage";
}

bool oracle_compare_same_text(const oracle_text *a, const oracle_text *b)
{
    return a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

/* --- Which task is which --- */

static bool fits(const oracle_task *a, const oracle_task *b)
{
    return a->name.length == 0 || b->name.length == 0 ||
           oracle_compare_same_text(&a->name, &b->name);
}

static bool by_ids(oracle_comparison *c, uint32_t *other, uint32_t *good)
{
    const oracle_document *d = c->a.d, *e = c->b.d;
    oracle_id_table ids = {0};
    bool ok = true;
    *good = 0;
    for (uint32_t t = 0; ok && t < e->task_count; t++) {
        oracle_id_slot *slot = oracle_id_table_slot(&ids, e->tasks[t].id);
        ok = slot != NULL;
        if (ok && slot->value == ORACLE_NONE) {
            slot->value = t;
        }
    }
    for (uint32_t t = 0; ok && t < d->task_count; t++) {
        other[t] = oracle_id_table_find(&ids, d->tasks[t].id);
        *good +=
            other[t] != ORACLE_NONE && fits(&d->tasks[t], &e->tasks[other[t]]);
    }
    oracle_id_table_free(&ids);
    return ok;
}

/* The n-th task of a callee is the n-th of it there. */
static bool by_callees(oracle_comparison *c, uint32_t *other, uint32_t *good)
{
    const oracle_document *d = c->a.d, *e = c->b.d;
    oracle_table names = {0};
    uint32_t *next =
        oracle_arena_array(c->arena, (size_t)e->task_count + 1, sizeof *next);
    bool ok = next != NULL;
    *good = 0;
    for (uint32_t t = e->task_count; ok && t-- > 0;) {
        const oracle_text *name = &e->tasks[t].name;
        oracle_slot *slot = oracle_table_slot(&names, name->data, name->length);
        ok = slot != NULL;
        if (ok) {
            next[t] = slot->data == NULL ? ORACLE_NONE : slot->value;
            *slot = (oracle_slot){name->data, name->length, t};
        }
    }
    for (uint32_t t = 0; ok && t < d->task_count; t++) {
        const oracle_text *name = &d->tasks[t].name;
        oracle_slot *slot = oracle_table_slot(&names, name->data, name->length);
        ok = slot != NULL;
        other[t] = !ok || slot->data == NULL ? ORACLE_NONE : slot->value;
        if (ok && slot->data == NULL) {
            *slot = (oracle_slot){name->data, name->length, ORACLE_NONE};
        } else if (other[t] != ORACLE_NONE) {
            slot->value = next[other[t]];
            ++*good;
        }
    }
    oracle_table_free(&names);
    return ok;
}

static bool match_tasks(oracle_comparison *c)
{
    const oracle_document *d = c->a.d, *e = c->b.d;
    uint32_t *mine = oracle_arena_array(c->arena, (size_t)d->task_count + 1,
                                        sizeof(uint32_t));
    uint32_t *named = oracle_arena_array(c->arena, (size_t)d->task_count + 1,
                                         sizeof(uint32_t));
    uint32_t *theirs = oracle_arena_array(c->arena, (size_t)e->task_count + 1,
                                          sizeof(uint32_t));
    uint32_t good, better;
    if (mine == NULL || named == NULL || theirs == NULL ||
        !by_ids(c, mine, &good) || !by_callees(c, named, &better)) {
        return false;
    }
    c->a.other = good >= better ? mine : named;
    c->b.other = theirs;
    memset(theirs, 0xff, (size_t)e->task_count * sizeof *theirs);
    for (uint32_t t = 0; t < d->task_count; t++) {
        if (c->a.other[t] != ORACLE_NONE) {
            theirs[c->a.other[t]] = t;
        }
    }
    return true;
}

/* A join has no bytes: what it orders shows in the order of the others. */
static bool counts(const oracle_task *task)
{
    return !task->dummy;
}

static void report_missing(oracle_comparison *c, const oracle_side *side,
                           const char *here, const char *there)
{
    uint64_t count = 0;
    uint32_t first = ORACLE_NONE;
    for (uint32_t t = 0; t < side->d->task_count; t++) {
        if (side->other[t] == ORACLE_NONE && counts(&side->d->tasks[t]) &&
            count++ == 0) {
            first = t;
        }
    }
    if (count == 0) {
        return;
    }
    const char *task = oracle_compare_task(c, side, first);
    oracle_compare_found(
        c, "tasks", count, ORACLE_NONE, side == &c->a ? first : ORACLE_NONE,
        task == NULL ? NULL
                     : oracle_arena_format(
                           c->arena,
                           "%s%" PRIu64 " task%s of the %s %s not in the %s: "
                           "%s.",
                           c->what, count, count == 1 ? "" : "s", here,
                           count == 1 ? "is" : "are", there, task),
        oracle_arena_format(c->arena,
                            "{\"missing_in\":\"%s\",\"tasks\":[%" PRId64 "]}",
                            there, side->d->tasks[first].id));
}

/* --- Storages --- */

/* Storages of one key are one; others by the arguments where they stand. */
static bool label_keys(oracle_comparison *c, uint32_t *of_a, uint32_t *of_b)
{
    const oracle_document *d = c->a.d, *e = c->b.d;
    oracle_table keys = {0};
    bool ok = true;
    for (uint32_t i = 0; i < d->buffer_count; i++) {
        of_a[i] = ORACLE_NONE;
    }
    for (uint32_t i = 0; i < e->buffer_count; i++) {
        of_b[i] = ORACLE_NONE;
    }
    for (uint32_t i = 0; ok && i < d->buffer_count; i++) {
        const oracle_text *key = &d->buffers[i].key;
        oracle_slot *slot = oracle_table_slot(&keys, key->data, key->length);
        ok = slot != NULL;
        if (ok) {
            *slot =
                (oracle_slot){key->data, key->length, d->buffers[i].storage};
        }
    }
    for (uint32_t i = 0; ok && i < e->buffer_count; i++) {
        const oracle_buffer *b = &e->buffers[i];
        uint32_t found = oracle_table_find(&keys, b->key.data, b->key.length);
        if (found != ORACLE_NONE && of_b[b->storage] == ORACLE_NONE &&
            of_a[found] == ORACLE_NONE) {
            of_a[found] = of_b[b->storage] = 2 * found;
        }
    }
    oracle_table_free(&keys);
    return ok;
}

static void add_unlabelled(const oracle_document *d, uint32_t t,
                           uint32_t buffer, const uint32_t *label,
                           uint32_t *seen, uint32_t *list, uint32_t *count)
{
    uint32_t storage =
        buffer == ORACLE_NONE ? ORACLE_NONE : d->buffers[buffer].storage;
    if (storage != ORACLE_NONE && label[storage] == ORACLE_NONE &&
        seen[storage] != t + 1) {
        seen[storage] = t + 1;
        list[(*count)++] = storage;
    }
}

/* The storages of a task that have no label yet, each once, in order. */
static uint32_t unlabelled(const oracle_document *d, uint32_t t,
                           const uint32_t *label, uint32_t *seen,
                           uint32_t *list)
{
    const oracle_task *task = &d->tasks[t];
    uint32_t count = 0;
    for (uint32_t i = 0; i < task->args; i++) {
        const oracle_arg *arg = &d->args[task->first_arg + i];
        if (arg->kind == ORACLE_ARG_BUFFER) {
            add_unlabelled(d, t, arg->buffer, label, seen, list, &count);
        }
    }
    if (task->has_predicate) {
        add_unlabelled(d, t, task->predicate_buffer, label, seen, list, &count);
    }
    return count;
}

/* As many new storages in a task there as here: they are the same, in order. */
static bool label_args(oracle_comparison *c, uint32_t *of_a, uint32_t *of_b)
{
    const oracle_document *d = c->a.d, *e = c->b.d;
    size_t n = (size_t)d->buffer_count + 1, m = (size_t)e->buffer_count + 1;
    uint32_t *seen = oracle_arena_array(c->arena, n, sizeof *seen);
    uint32_t *other = oracle_arena_array(c->arena, m, sizeof *other);
    uint32_t *x = oracle_arena_array(c->arena, n, sizeof *x);
    uint32_t *y = oracle_arena_array(c->arena, m, sizeof *y);
    if (seen == NULL || other == NULL || x == NULL || y == NULL) {
        return false;
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        uint32_t u = c->a.other[t];
        if (u == ORACLE_NONE) {
            continue;
        }
        uint32_t count = unlabelled(d, t, of_a, seen, x);
        if (count != unlabelled(e, u, of_b, other, y)) {
            continue;
        }
        for (uint32_t i = 0; i < count; i++) {
            of_a[x[i]] = of_b[y[i]] = 2 * x[i];
        }
    }
    return true;
}

static void finish_labels(const oracle_document *d, uint32_t *label,
                          uint32_t odd)
{
    for (uint32_t i = 0; i < d->buffer_count; i++) {
        if (d->buffers[i].storage == i && label[i] == ORACLE_NONE) {
            label[i] = 2 * i + odd;
        }
    }
    for (uint32_t i = 0; i < d->buffer_count; i++) {
        label[i] = label[d->buffers[i].storage];
    }
}

static bool match_storages(oracle_comparison *c)
{
    c->a.label = oracle_arena_array(c->arena, (size_t)c->a.d->buffer_count + 1,
                                    sizeof(uint32_t));
    c->b.label = oracle_arena_array(c->arena, (size_t)c->b.d->buffer_count + 1,
                                    sizeof(uint32_t));
    if (c->a.label == NULL || c->b.label == NULL ||
        !label_keys(c, c->a.label, c->b.label)) {
        return false;
    }
    if (!label_args(c, c->a.label, c->b.label)) {
        return false;
    }
    finish_labels(c->a.d, c->a.label, 0);
    finish_labels(c->b.d, c->b.label, 1);
    return true;
}

/* --- Places --- */

static void compare_places(oracle_comparison *c)
{
    const oracle_document *d = c->a.d, *e = c->b.d;
    uint64_t count = 0;
    uint32_t first = 0;
    const oracle_allocation *other = NULL;
    uint32_t *at = oracle_arena_array(
        c->arena, 2 * ((size_t)d->buffer_count + e->buffer_count) + 2,
        sizeof *at);
    if (at == NULL) {
        c->failed = true;
        return;
    }
    for (uint32_t i = e->allocation_count; i-- > 0;) {
        uint32_t b = e->allocations[i].buffer;
        if (b != ORACLE_NONE && e->buffers[b].storage == b) {
            at[c->b.label[b]] = i + 1;
        }
    }
    for (uint32_t i = 0; i < d->allocation_count; i++) {
        const oracle_allocation *a = &d->allocations[i];
        if (a->buffer == ORACLE_NONE ||
            d->buffers[a->buffer].storage != a->buffer) {
            continue;
        }
        uint32_t k = at[c->a.label[a->buffer]];
        const oracle_allocation *b = k == 0 ? NULL : &e->allocations[k - 1];
        if (b != NULL && (b->offset != a->offset || b->size != a->size) &&
            count++ == 0) {
            first = i;
            other = b;
        }
    }
    if (count == 0) {
        return;
    }
    const oracle_allocation *a = &d->allocations[first];
    const char *key = tell_text(c, &a->key);
    oracle_compare_found(
        c, "place", count, ORACLE_NONE, ORACLE_NONE,
        key == NULL ? NULL
                    : oracle_arena_format(
                          c->arena,
                          "%s%" PRIu64 " buffer%s ha%s other places: %s lies "
                          "at %" PRId64 " with %" PRId64 " bytes in the first, "
                          "at %" PRId64 " with %" PRId64 " in the second.",
                          c->what, count, count == 1 ? "" : "s",
                          count == 1 ? "s" : "ve", key, a->offset, a->size,
                          other->offset, other->size),
        oracle_arena_format(c->arena, "{\"offsets\":[%" PRId64 ",%" PRId64 "]}",
                            a->offset, other->offset));
}

/* --- Two documents --- */

static void compare_documents(oracle_comparison *c)
{
    if (!match_tasks(c) || !match_storages(c)) {
        c->failed = true;
        return;
    }
    report_missing(c, &c->a, "first", "second");
    report_missing(c, &c->b, "second", "first");
    oracle_compare_parts(c);
    if (!c->failed && !c->a.bare && !c->b.bare && c->a.coarse == c->b.coarse) {
        oracle_compare_storages(c);
    }
    if (!c->failed && !c->a.bare && !c->b.bare) {
        oracle_compare_bytes(c);
    }
    if (!c->failed) {
        oracle_compare_order(c);
    }
    if (!c->failed && c->a.d->has_plan && c->b.d->has_plan) {
        compare_places(c);
    }
}

/* --- Reading --- */

typedef struct input {
    oracle_json json;
    bool parsed;
    oracle_members members;
    oracle_document main;  /* its graph, else its Score, else what it is */
    oracle_document score; /* beside a graph */
    oracle_document table; /* a host_build_graph plan, as tasks and edges */
    bool has_graph, has_score, has_table;
} input;

static void free_input(input *in)
{
    oracle_document_free(&in->main);
    oracle_document_free(&in->score);
    oracle_document_free(&in->table);
    if (in->parsed) {
        oracle_json_free(&in->json);
    }
}

static oracle_status derive(oracle_document *d, oracle_error *error)
{
    return d->rules == ORACLE_RULES_NONE || d->ambiguous
               ? ORACLE_OK
               : oracle_document_derive(d, error);
}

static oracle_status read_input(input *in, const char *text, size_t length,
                                const oracle_judge_options *options,
                                oracle_error *error)
{
    oracle_read_options reading = {.lenient = true, .rules = options->rules};
    oracle_status status = oracle_document_json(&in->json, text, length, error);
    if (status != ORACLE_OK) {
        return status;
    }
    in->parsed = true;
    status = oracle_members_read(&in->members, &in->main, &in->json, &reading,
                                 error);
    const uint32_t *node = in->members.node;
    if (status != ORACLE_OK) {
        return status;
    }
    in->has_graph = node[ORACLE_ROLE_GRAPH] != ORACLE_NONE;
    in->has_score = node[ORACLE_ROLE_SCORE] != ORACLE_NONE;
    in->has_table = node[ORACLE_ROLE_HBG] != ORACLE_NONE;
    if (in->has_graph && in->has_score) {
        status =
            oracle_members_read_score(&in->score, &in->members, true, error);
    }
    if (status == ORACLE_OK && in->has_table) {
        status =
            oracle_compare_table(&in->table, &in->json, node[ORACLE_ROLE_HBG]);
    }
    return status == ORACLE_OK ? derive(&in->main, error) : status;
}

static const oracle_document *score_of(const input *in)
{
    return !in->has_score ? NULL : in->has_graph ? &in->score : &in->main;
}

static const oracle_document *graph_of(const input *in)
{
    return in->has_graph ? &in->main : NULL;
}

static const oracle_document *table_of(const input *in)
{
    return in->has_table ? &in->table : NULL;
}

static void run_one(oracle_comparison *c, const oracle_document *d,
                    const oracle_document *e, bool coarse_d, bool coarse_e,
                    bool bare_d, bool bare_e)
{
    if (d->ambiguous || e->ambiguous) {
        oracle_compare_open(c, "a Score in which two tasks have one id");
        return;
    }
    c->a = (oracle_side){.d = d, .coarse = coarse_d, .bare = bare_d};
    c->b = (oracle_side){.d = e, .coarse = coarse_e, .bare = bare_e};
    compare_documents(c);
}

/* What of both is of one kind; else the nearest that they have. */
static void compare_inputs(oracle_comparison *c, const input *x, const input *y)
{
    const oracle_document *g = graph_of(x), *h = graph_of(y);
    const oracle_document *s = score_of(x), *t = score_of(y);
    const oracle_document *u = table_of(x), *v = table_of(y);
    bool some = false;
    if (g != NULL && h != NULL) {
        run_one(c, g, h, false, false, false, false);
        some = true;
    }
    if (s != NULL && t != NULL && !c->failed) {
        c->what = some ? "the Scores: " : "";
        run_one(c, s, t, true, true, false, false);
        some = true;
    }
    if (u != NULL && v != NULL && !c->failed) {
        c->what = some ? "the host_build_graph plans: " : "";
        run_one(c, u, v, true, true, true, true);
        some = true;
    }
    if (some || c->failed) {
        return;
    }
    const oracle_document *d = s != NULL ? s : g != NULL ? g : u;
    const oracle_document *e = t != NULL ? t : h != NULL ? h : v;
    if (d == NULL || e == NULL) {
        oracle_compare_open(c, "the two: one of them has no tasks");
        return;
    }
    run_one(c, d, e, d != g, e != h, d == u, e == v);
}

static const oracle_text *name_of(const input *in)
{
    return &in->main.name;
}

static bool claims(oracle_comparison *c, const input *x, const input *y)
{
    const oracle_text *a = name_of(x), *b = name_of(y);
    if (a->length == 0 || b->length == 0 || oracle_compare_same_text(a, b)) {
        return true;
    }
    const char *first = tell_text(c, a), *second = tell_text(c, b);
    oracle_compare_open(
        c, first == NULL || second == NULL
               ? NULL
               : oracle_arena_format(c->arena,
                                     "the two: their names "
                                     "differ, %s and %s, so that they do not "
                                     "claim to be one plan (--same compares "
                                     "them)",
                                     first, second));
    return false;
}

oracle_status oracle_compare_text(oracle_judgement *judgement, oracle_bytes a,
                                  oracle_bytes b, bool same,
                                  const oracle_judge_options *options)
{
    oracle_error error = {0};
    input *in;
    *judgement = (oracle_judgement){.arena = oracle_arena_create()};
    oracle_comparison c = {.out = judgement,
                           .what = "",
                           .arena = judgement->arena,
                           .options = options};
    in = judgement->arena == NULL
             ? NULL
             : oracle_arena_array(judgement->arena, 2, sizeof *in);
    if (in == NULL) {
        oracle_judgement_free(judgement);
        return ORACLE_NO_MEMORY;
    }
    oracle_status status =
        read_input(&in[0], a.data, a.length, options, &error);
    if (status == ORACLE_OK) {
        status = read_input(&in[1], b.data, b.length, options, &error);
    }
    if (status == ORACLE_OK && (same || claims(&c, &in[0], &in[1]))) {
        compare_inputs(&c, &in[0], &in[1]);
    } else if (status != ORACLE_OK && status != ORACLE_NO_MEMORY) {
        oracle_compare_open(
            &c, oracle_arena_format(c.arena,
                                    "the two: one of them cannot be read: %s",
                                    error.message));
    }
    free_input(&in[0]);
    free_input(&in[1]);
    if (status == ORACLE_NO_MEMORY || c.failed) {
        oracle_judgement_free(judgement);
        return ORACLE_NO_MEMORY;
    }
    judgement->verdict = judgement->total > 0             ? ORACLE_FINDINGS
                         : judgement->undecided_count > 0 ? ORACLE_UNDECIDED
                                                          : ORACLE_CLEAN;
    return ORACLE_OK;
}
