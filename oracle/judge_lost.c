/*
 * adapter.lost-fact: what the task graph of a bundle says and its Score does
 * not (spec 05, the end). Tasks are one where id and callee are.
 */
#include "score_view.h"

#include "canonical.h"

#include <inttypes.h>
#include <string.h>

typedef enum loss { CONSTANT, UNTIED, REWRITTEN, ORDER, DROPPED, LOSSES } loss;

static const char *const causes[LOSSES] = {"constant", "untied", "rewritten",
                                           "order", "dropped"};

typedef struct tally {
    uint32_t count, task, arg;
    uint32_t other; /* of the Score: the argument, or the task */
} tally;

typedef struct lost {
    oracle_judging *judging;
    const oracle_score_view *view;
    const oracle_document *graph, *score;
    uint32_t *by_key; /* by buffer of the Score: storage of the graph, + 1 */
    tally found[LOSSES];
    bool no_memory;
} lost;

static void note(lost *l, loss kind, uint32_t task, uint32_t arg,
                 uint32_t other)
{
    if (l->found[kind].count++ == 0) {
        l->found[kind].task = task;
        l->found[kind].arg = arg;
        l->found[kind].other = other;
    }
}

/* --- Scalars --- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* A value or an expression, not the name of a variable. */
static bool is_value(const oracle_text *text)
{
    static const char *const words[] = {"True", "False", "None"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (text->length == strlen(words[i]) &&
            memcmp(text->data, words[i], text->length) == 0) {
            return true;
        }
    }
    for (uint32_t i = 0; i < text->length; i++) {
        char c = text->data[i];
        if (!is_letter(c) && (i == 0 || c < '0' || c > '9')) {
            return true;
        }
    }
    return false;
}

/* A value of the Score, written as JSON in the canonical way. */
static bool is_written(lost *l, uint32_t node, const oracle_text *text)
{
    oracle_canon c = {0};
    oracle_canon_value(&c, l->view->json, node);
    bool same = !c.out.failed && c.out.length == text->length &&
                memcmp(c.out.data, text->data, text->length) == 0;
    l->no_memory = l->no_memory || c.out.failed;
    oracle_out_free(&c.out);
    return same;
}

/* Whether the argument of the Score is the value, as a text or as itself. */
static bool says(lost *l, uint32_t node, const oracle_text *text)
{
    const oracle_json *json = l->view->json;
    if (node == ORACLE_NONE) {
        return false;
    }
    const oracle_json_node *n = &json->nodes[node];
    if (n->type == ORACLE_JSON_STRING) {
        return oracle_json_is(json, node, text->data, text->length);
    }
    return (n->extent == text->length &&
            memcmp(json->text + n->offset, text->data, text->length) == 0) ||
           is_written(l, node, text);
}

/* --- Storages --- */

static bool map_keys(lost *l)
{
    const oracle_document *d = l->graph, *s = l->score;
    oracle_table keys = {0};
    bool ok = true;
    l->by_key = oracle_arena_array(
        l->judging->arena, (size_t)s->buffer_count + 1, sizeof(uint32_t));
    ok = l->by_key != NULL;
    for (uint32_t i = 0; ok && i < d->buffer_count; i++) {
        const oracle_text *key = &d->buffers[i].key;
        oracle_slot *slot = oracle_table_slot(&keys, key->data, key->length);
        ok = slot != NULL;
        if (ok) {
            *slot =
                (oracle_slot){key->data, key->length, d->buffers[i].storage};
        }
    }
    for (uint32_t i = 0; ok && i < s->buffer_count; i++) {
        const oracle_text *key = &s->buffers[i].key;
        uint32_t at = oracle_table_find(&keys, key->data, key->length);
        l->by_key[i] = at == ORACLE_NONE ? 0 : at + 1;
    }
    oracle_table_free(&keys);
    return ok;
}

/* Where neither knows more than the name of a variable. */
static bool same_name(const lost *l, const oracle_arg *mine,
                      const oracle_arg *theirs)
{
    if (theirs->kind != ORACLE_ARG_BUFFER ||
        l->graph->buffers[mine->buffer].storage != mine->buffer) {
        return false;
    }
    const oracle_text *a = &l->graph->buffers[mine->buffer].key;
    const oracle_text *b = &l->score->buffers[theirs->buffer].key;
    return a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

/* A key that the graph does not know is what it stands for first. */
static void look_at_key(lost *l, uint32_t t, uint32_t i, uint32_t arg,
                        uint32_t other)
{
    const oracle_json *json = l->view->json;
    const oracle_arg *mine = &l->graph->args[arg];
    const oracle_arg *theirs = &l->score->args[other];
    uint32_t key = l->view->key_node[other];
    uint32_t storage = l->graph->buffers[mine->buffer].storage + 1;
    if (same_name(l, mine, theirs)) {
        return;
    }
    if (key == ORACLE_NONE || json->nodes[key].type == ORACLE_JSON_NULL ||
        theirs->kind != ORACLE_ARG_BUFFER) {
        note(l, UNTIED, t, i, other);
        return;
    }
    uint32_t *known = &l->by_key[theirs->buffer];
    if (*known == 0) {
        *known = storage;
    } else if (*known != storage) {
        note(l, REWRITTEN, t, i, other);
    }
}

static void look_at_args(lost *l, uint32_t t, uint32_t u)
{
    const oracle_task *mine = &l->graph->tasks[t];
    const oracle_task *theirs = &l->score->tasks[u];
    if (mine->args != theirs->args) {
        return;
    }
    for (uint32_t i = 0; i < mine->args; i++) {
        uint32_t arg = mine->first_arg + i, other = theirs->first_arg + i;
        const oracle_arg *a = &l->graph->args[arg];
        if (a->kind == ORACLE_ARG_BUFFER && a->buffer != ORACLE_NONE) {
            look_at_key(l, t, i, arg, other);
        } else if (a->kind == ORACLE_ARG_SCALAR && is_value(&a->scalar) &&
                   !says(l, l->view->arg_node[other], &a->scalar)) {
            note(l, CONSTANT, t, i, other);
        }
    }
}

static void look(lost *l)
{
    const oracle_document *d = l->graph;
    uint32_t last = ORACLE_NONE;
    for (uint32_t t = 0; t < d->task_count; t++) {
        uint32_t u = oracle_id_table_find(&l->view->by_id, d->tasks[t].id);
        if (u == ORACLE_NONE) {
            if (!d->tasks[t].dummy) {
                note(l, DROPPED, t, ORACLE_NONE, ORACLE_NONE);
            }
            continue;
        }
        const oracle_text *a = &d->tasks[t].name;
        const oracle_text *b = &l->score->tasks[u].name;
        if (a->length != b->length ||
            memcmp(a->data, b->data, a->length) != 0) {
            continue;
        }
        if (last != ORACLE_NONE && u < last) {
            note(l, ORDER, t, ORACLE_NONE, last);
        }
        last = u;
        look_at_args(l, t, u);
    }
}

/* --- Telling --- */

static const char *scalar_of(const lost *l, const tally *f)
{
    char shown[80];
    const oracle_text *text =
        &l->graph->args[l->graph->tasks[f->task].first_arg + f->arg].scalar;
    oracle_json_printable(text->data, text->length, shown, sizeof shown);
    return oracle_arena_text(l->judging->arena, shown, strlen(shown));
}

static const char *buffer_of(const lost *l, const tally *f)
{
    char shown[96];
    const oracle_document *d = l->graph;
    const oracle_arg *arg = &d->args[d->tasks[f->task].first_arg + f->arg];
    const oracle_text *key = &d->buffers[d->buffers[arg->buffer].storage].key;
    oracle_json_printable(key->data, key->length, shown, sizeof shown);
    return oracle_arena_text(l->judging->arena, shown, strlen(shown));
}

static const char *value_of(const lost *l, uint32_t node)
{
    return node == ORACLE_NONE
               ? "nothing"
               : oracle_tell_value(l->judging->arena, l->view->json, node);
}

static const char *message_of(const lost *l, loss kind)
{
    const tally *f = &l->found[kind];
    oracle_arena *arena = l->judging->arena;
    const char *task = oracle_tell_task(arena, l->graph, f->task);
    const char *fact = kind == CONSTANT                      ? scalar_of(l, f)
                       : kind == UNTIED || kind == REWRITTEN ? buffer_of(l, f)
                                                             : "";
    const char *said =
        kind == CONSTANT ? value_of(l, l->view->arg_node[f->other])
        : kind == UNTIED || kind == REWRITTEN
            ? value_of(l, l->view->key_node[f->other])
        : kind == ORDER ? oracle_tell_task(arena, l->score, f->other)
                        : "";
    if (task == NULL || fact == NULL || said == NULL) {
        return NULL;
    }
    switch (kind) {
    case CONSTANT:
        return oracle_arena_format(
            arena,
            "%s gets %s as its argument %" PRIu32 ", and the Score says %s: "
            "Scores with other values have the same fingerprint, keep them "
            "apart by more than it.",
            task, fact, f->arg, said);
    case UNTIED:
        return oracle_arena_format(
            arena,
            "argument %" PRIu32 " of %s is bytes of %s, and its storage key "
            "in the Score is %s: a policy makes no edge for it and a memory "
            "plan does not know that it is used; give the argument the key.",
            f->arg, task, fact, said);
    case REWRITTEN:
        return oracle_arena_format(
            arena,
            "argument %" PRIu32 " of %s is bytes of %s, and its storage key "
            "in the Score is %s, another storage: the Score took a result for "
            "that of another argument, or a later assignment went back to the "
            "variable; give each result a name of its own, in the order of the "
            "written arguments.",
            f->arg, task, fact, said);
    case ORDER:
        return oracle_arena_format(
            arena,
            "%s runs after %s, and in the Score it stands before it: the order "
            "of the calls got lost; call it in a statement of its own.",
            task, said);
    case DROPPED:
    case LOSSES:
        break;
    }
    return oracle_arena_format(arena,
                               "%s is not in the Score: its call stands in a "
                               "function or a statement that the Score leaves "
                               "out, and so do its edges and its accesses; do "
                               "not plan or cache by this Score alone.",
                               task);
}

static bool report(lost *l, loss kind)
{
    const tally *f = &l->found[kind];
    oracle_record record =
        oracle_record_of("adapter.lost-fact", ORACLE_WARNING);
    if (f->count == 0) {
        return true;
    }
    record.cause = causes[kind];
    record.count = f->count;
    record.consumer = (oracle_end){f->task, f->arg, false};
    record.message = message_of(l, kind);
    return record.message != NULL && oracle_judging_add(l->judging, record);
}

bool oracle_judge_lost(oracle_judging *judging, const oracle_score_view *view)
{
    lost l = {.judging = judging,
              .view = view,
              .graph = judging->document,
              .score = view->document};
    if (l.graph == l.score || l.score->ambiguous ||
        judging->members->node[ORACLE_ROLE_GRAPH] == ORACLE_NONE) {
        return true;
    }
    if (!map_keys(&l)) {
        return false;
    }
    look(&l);
    if (l.no_memory) {
        return false;
    }
    for (loss kind = CONSTANT; kind < LOSSES; kind++) {
        if (!report(&l, kind)) {
            return false;
        }
    }
    return true;
}
