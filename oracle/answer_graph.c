/*
 * The task graph of an answer: what it must be, of a Score by the end of spec
 * 09, of a program by what it runs (answer_program.h), with the edges of its
 * Score.
 */
#include "answer_graph.h"

#include "answer_program.h"
#include "number.h"

#include <string.h>

/* What names a storage, or is a scalar. */
typedef struct value {
    bool string;
    answer_text text; /* of a string */
    const oracle_json *json;
    uint32_t node; /* else */
} value;

typedef struct maker {
    answering *a;
    oracle_canon buffers, tasks;
    answer_sizes sizes;
    uint32_t *by_key; /* Score: by its keys, the node that was first, + 1 */
    oracle_table texts, numbers;
    bool has_null; /* the value null is one, too */
    const char *refused;
    bool beyond; /* it is not known */
} maker;

/* --- Keys --- */

static bool is_prefix(const char *prefix, const answer_text *text)
{
    size_t length = strlen(prefix);
    return text->length >= length && memcmp(text->data, prefix, length) == 0;
}

/* A string that looks like one of the others has its quote. */
static bool put_joined(oracle_canon *c, const answer_text *text,
                       oracle_arena *arena)
{
    static const char prefix[] = "json:\"";
    size_t start = sizeof prefix - 1;
    char *joined = oracle_arena_alloc(arena, start + text->length);
    if (joined == NULL) {
        return false;
    }
    memcpy(joined, prefix, start);
    memcpy(joined + start, text->data, text->length);
    oracle_canon_string(c, joined, start + text->length);
    return true;
}

static bool put_key(oracle_canon *c, const value *v, oracle_arena *arena)
{
    if (v->string) {
        if (is_prefix("json:", &v->text)) {
            return put_joined(c, &v->text, arena);
        }
        oracle_canon_string(c, v->text.data, v->text.length);
        return true;
    }
    oracle_out_text(&c->out, "\"json:"); /* no escapes in what follows */
    oracle_canon_value(c, v->json, v->node);
    oracle_out_text(&c->out, "\"");
    return true;
}

/* The first time that a storage is met. */
static bool put_buffer(maker *m, const value *v)
{
    oracle_out *out = &m->buffers.out;
    bool internal = v->string && is_prefix("alloc:", &v->text);
    uint32_t size = v->string ? oracle_table_find(&m->sizes.by_key,
                                                  v->text.data, v->text.length)
                              : ORACLE_NONE;
    oracle_out_text(out, out->length > 0 ? ",{\"bytes\":" : "{\"bytes\":");
    if (size == ORACLE_NONE) {
        oracle_out_text(out, "null");
    } else {
        oracle_out_int(out, m->sizes.bytes[size]);
    }
    oracle_out_text(out, internal ? ",\"external\":false,\"key\":"
                                  : ",\"external\":true,\"key\":");
    bool ok = put_key(&m->buffers, v, m->a->arena);
    oracle_out_text(out, "}");
    return ok;
}

/* --- Arguments --- */

static void put_access(oracle_out *out, answer_told told, bool exact)
{
    oracle_out_text(out, exact ? "\"access\":[{\"exact\":true,\"mode\":\""
                               : "\"access\":[{\"exact\":false,\"mode\":\"");
    oracle_out_text(out, told == ANSWER_INPUT   ? "read"
                         : told == ANSWER_INOUT ? "inout"
                                                : "write");
    oracle_out_text(out, "\",\"must\":true}],");
}

static bool is_memory(answer_told told)
{
    return told >= ANSWER_INPUT && told <= ANSWER_INOUT;
}

static bool put_buffer_arg(maker *m, const value *v, answer_told told,
                           bool exact)
{
    static const char *const words[] = {
        "", "input", "output", "output_existing", "inout", "no_dep"};
    oracle_out *out = &m->tasks.out;
    oracle_out_text(out, "{");
    if (is_memory(told)) {
        put_access(out, told, exact);
    }
    oracle_out_text(out, "\"buffer\":");
    bool ok = put_key(&m->tasks, v, m->a->arena);
    if (told != ANSWER_UNTOLD) {
        oracle_out_text(out, ",\"dispatch\":\"");
        oracle_out_text(out, words[told]);
        oracle_out_text(out, "\"");
    }
    oracle_out_text(out, "}");
    return ok;
}

/* `python`: true, false and null as Python spells them. */
static void put_scalar(maker *m, const value *v, bool python)
{
    oracle_out *out = &m->tasks.out;
    oracle_canon c = {0};
    oracle_out_text(out, "{\"scalar\":{\"text\":");
    if (v->string) {
        oracle_canon_string(&m->tasks, v->text.data, v->text.length);
    } else {
        uint32_t type = v->json->nodes[v->node].type;
        if (python && type <= ORACLE_JSON_TRUE) {
            oracle_out_text(&c.out, type == ORACLE_JSON_TRUE    ? "True"
                                    : type == ORACLE_JSON_FALSE ? "False"
                                                                : "None");
        } else {
            oracle_canon_value(&c, v->json, v->node);
        }
        out->failed = out->failed || c.out.failed;
        if (!c.out.failed) {
            oracle_canon_string(&m->tasks, c.out.data, c.out.length);
        }
        oracle_out_free(&c.out);
    }
    oracle_out_text(out, "}}");
}

/*
 * Without a direction an argument is memory when it names some: by a storage
 * key, or as a text.
 */
static bool names_memory(answer_told told, bool keyed, bool string)
{
    return told != ANSWER_SCALAR && (is_memory(told) || keyed || string);
}

static void begin_task(maker *m)
{
    oracle_out *out = &m->tasks.out;
    oracle_out_text(out, out->length > 0 ? ",{\"args\":[" : "{\"args\":[");
}

/* --- Of a Score --- */

/* The arrays that are worked from, which take up keys of arguments. */
static answer_score *score_of(answering *a)
{
    return a->score == &a->read ? &a->read : &a->other;
}

static bool value_of(const answer_score *s, uint32_t node, value *v)
{
    const oracle_json_node *n = &s->json->nodes[node];
    size_t length = 0;
    *v = (value){.json = s->json, .node = node};
    if (n->type != ORACLE_JSON_STRING) {
        return true;
    }
    v->string = true;
    v->text = (answer_text){s->json->text + n->offset + 1, n->extent - 2};
    if (!oracle_json_plain(s->json, node)) {
        v->text.data = oracle_node_text(s->json, node, &length, s->arena);
        v->text.length = (uint32_t)length;
    }
    return v->text.data != NULL;
}

static bool put_score_arg(maker *m, answer_score *s, const answer_task *task,
                          uint32_t arg)
{
    bool all = task->directions.count == task->args.count;
    uint32_t node = s->arg_node[task->args.first + arg], key = ORACLE_NONE;
    answer_told told =
        all ? answer_told_of(s->json,
                             s->direction_node[task->directions.first + arg])
            : ANSWER_UNTOLD;
    if (task->keys.count == task->args.count) {
        key = s->key[task->keys.first + arg];
    }
    value v;
    bool string = s->json->nodes[node].type == ORACLE_JSON_STRING;
    bool memory = names_memory(told, key != ORACLE_NONE, string);
    if (memory && key != ORACLE_NONE) {
        node = s->key_node[task->keys.first + arg];
    }
    if (!value_of(s, node, &v)) {
        return false;
    }
    if (!memory) {
        put_scalar(m, &v, false);
        return true;
    }
    if (key == ORACLE_NONE && !answer_key_of(s, node, &key)) {
        return false;
    }
    if (key == ANSWER_CONTAINER) {
        m->refused = "a list or an object is no storage key";
        return true;
    }
    if (m->by_key[key] > 0) { /* it is spelled as the first time */
        return value_of(s, m->by_key[key] - 1, &v) &&
               put_buffer_arg(m, &v, told, true);
    }
    m->by_key[key] = node + 1;
    return put_buffer(m, &v) && put_buffer_arg(m, &v, told, true);
}

static bool put_score_task(maker *m, answer_score *s, const answer_task *task)
{
    oracle_canon *c = &m->tasks;
    begin_task(m);
    for (uint32_t i = 0; i < task->args.count && m->refused == NULL; i++) {
        oracle_out_text(&c->out, i > 0 ? "," : "");
        if (!put_score_arg(m, s, task, i)) {
            return false;
        }
    }
    oracle_out_text(&c->out, "],\"core\":");
    oracle_canon_text(c, s->json, task->core);
    oracle_out_text(&c->out, ",\"id\":");
    oracle_out_int(&c->out, task->id);
    if (task->name != ORACLE_NONE) {
        oracle_out_text(&c->out, ",\"name\":");
        oracle_canon_text(c, s->json, task->name);
    }
    oracle_out_text(&c->out, "}");
    return true;
}

static bool put_score_tasks(maker *m, answer_score *s)
{
    m->by_key = oracle_arena_array(s->arena, (size_t)s->arg_count + s->distinct,
                                   sizeof *m->by_key);
    for (uint32_t t = 0;
         m->by_key != NULL && t < s->task_count && m->refused == NULL; t++) {
        if (!put_score_task(m, s, &s->tasks[t])) {
            return false;
        }
    }
    return m->by_key != NULL;
}

/* --- Of a program --- */

/* *first: nobody has met it before; else it is spelled as it was then. Equality
 * is Python's. */
static bool meet(maker *m, value *v, bool *first)
{
    const oracle_json_node *n = v->string ? NULL : &v->json->nodes[v->node];
    answer_text text = v->text;
    if (n != NULL && n->type == ORACLE_JSON_NULL) {
        *first = !m->has_null;
        m->has_null = true;
        return true;
    }
    if (n != NULL && n->type == ORACLE_JSON_NUMBER) {
        text.data = oracle_number_key(m->a->arena, v->json->text + n->offset,
                                      n->extent);
        text.length = text.data == NULL ? 0 : (uint32_t)strlen(text.data);
    } else if (n != NULL) {
        text = (answer_text){n->type == ORACLE_JSON_TRUE ? "1" : "0", 1};
    }
    oracle_slot *slot =
        text.data == NULL
            ? NULL
            : oracle_table_slot(v->string ? &m->texts : &m->numbers, text.data,
                                text.length);
    if (slot == NULL) {
        return false;
    }
    *first = slot->data == NULL;
    if (*first) {
        *slot = (oracle_slot){text.data, text.length, v->node};
    }
    v->node = slot->value;
    return true;
}

static bool put_run_arg(maker *m, const answer_run_arg *arg)
{
    bool keyed = arg->key.data != NULL, first;
    bool constant = !keyed && arg->constant != ORACLE_NONE;
    value v = {.string = !constant,
               .text = keyed ? arg->key : arg->name,
               .json = &m->a->input,
               .node = arg->constant};
    if (!names_memory(arg->told, keyed, !constant)) {
        v.text = arg->name;
        put_scalar(m, &v, true);
        return true;
    }
    return meet(m, &v, &first) && (!first || put_buffer(m, &v)) &&
           put_buffer_arg(m, &v, arg->told, !arg->part);
}

static bool put_run_task(maker *m, const answer_run *run,
                         const answer_run_task *task)
{
    oracle_canon *c = &m->tasks;
    begin_task(m);
    for (uint32_t i = 0; i < task->args.count; i++) {
        oracle_out_text(&c->out, i > 0 ? "," : "");
        if (!put_run_arg(m, &run->args[task->args.first + i])) {
            return false;
        }
    }
    oracle_out_format(&c->out, "],\"core\":\"%s\",\"id\":", task->core);
    oracle_out_int(&c->out, task->id);
    oracle_out_text(&c->out, ",\"name\":");
    oracle_canon_string(c, task->name.data, task->name.length);
    oracle_out_text(&c->out, "}");
    return true;
}

bool answer_parse_input(answering *a, bool *parsed)
{
    const oracle_question *q = a->question;
    oracle_error error;
    *parsed = true;
    if (a->input.nodes != NULL) {
        return true;
    }
    oracle_status status =
        oracle_json_parse(&a->input, q->input.data, q->input.length, &error);
    *parsed = status == ORACLE_OK;
    return status != ORACLE_NO_MEMORY;
}

static bool put_run_tasks(maker *m)
{
    answering *a = m->a;
    answer_run run;
    answer_text entry = {0};
    uint32_t node = a->options.json.nodes == NULL
                        ? ORACLE_NONE
                        : oracle_json_member(&a->options.json, 0, "entry");
    size_t length;
    bool parsed;
    if (!answer_parse_input(a, &parsed)) {
        return false;
    }
    if (node != ORACLE_NONE &&
        a->options.json.nodes[node].type == ORACLE_JSON_STRING) {
        entry.data =
            oracle_node_text(&a->options.json, node, &length, a->arena);
        if (entry.data == NULL) {
            return false;
        }
        entry.length = (uint32_t)length;
    }
    if (parsed && !answer_run_program(&run, &a->input, &entry, a->arena)) {
        return false;
    }
    m->beyond = parsed && run.beyond;
    if (m->beyond) {
        return answer_undecided(a,
                                "the task graph of a program whose functions "
                                "share too much");
    }
    if (!parsed || !run.straight) {
        return put_score_tasks(m, score_of(a));
    }
    for (uint32_t t = 0; t < run.count; t++) {
        if (!put_run_task(m, &run, &run.tasks[t])) {
            return false;
        }
    }
    return true;
}

/* --- The document --- */

static void put_edge(oracle_canon *c, const answering *a, uint32_t node)
{
    static const char *const names[] = {"consumer", "kind", "producer"};
    uint32_t v[3];
    int64_t id = 0;
    oracle_json_members(a->base, node, names, 3, v);
    oracle_json_int64(a->base, v[2], &id);
    oracle_out_text(&c->out, "{\"certain\":true,\"from\":");
    oracle_out_int(&c->out, id);
    oracle_out_text(&c->out, ",\"kind\":");
    if (v[1] == ORACLE_NONE) {
        oracle_out_text(&c->out, "\"data\"");
    } else {
        oracle_canon_text(c, a->base, v[1]);
    }
    id = 0;
    oracle_json_int64(a->base, v[0], &id);
    oracle_out_text(&c->out, ",\"source\":\"policy\",\"to\":");
    oracle_out_int(&c->out, id);
    oracle_out_text(&c->out, "}");
}

static void put_edges(oracle_canon *c, const answering *a)
{
    uint32_t list = oracle_json_member(a->base, a->base_node, "dependencies");
    oracle_out_text(&c->out, "],\"edges\":[");
    for (uint32_t at = list + 1;
         list != ORACLE_NONE && at < oracle_json_next(a->base, list);
         at = oracle_json_next(a->base, at)) {
        oracle_out_text(&c->out, at > list + 1 ? "," : "");
        put_edge(c, a, at);
    }
}

static void put_part(oracle_out *out, const oracle_out *part)
{
    if (part->length > 0) {
        oracle_out_raw(out, part->data, part->length);
    }
}

static bool put_graph(maker *m, oracle_out *text)
{
    answering *a = m->a;
    if (!(a->is_score ? put_score_tasks(m, score_of(a)) : put_run_tasks(m))) {
        return false;
    }
    if (m->refused != NULL || m->beyond) {
        return true;
    }
    oracle_canon c = {0};
    oracle_out_text(&c.out, "{\"buffers\":[");
    put_part(&c.out, &m->buffers.out);
    put_edges(&c, a);
    oracle_out_text(&c.out, "],\"kind\":\"task_graph\",\"name\":");
    oracle_canon_text(&c, a->score->json, a->score->name);
    oracle_out_text(&c.out, ",\"rules\":\"none\",\"tasks\":[");
    put_part(&c.out, &m->tasks.out);
    oracle_out_text(&c.out, "],\"version\":1}");
    c.out.failed = c.out.failed || m->buffers.out.failed || m->tasks.out.failed;
    *text = c.out;
    return !text->failed;
}

/* --- Keys that repeat --- */

/* Among the members of an object, or the pairs of a list. */
static bool find_repeats(const oracle_json *json, uint32_t node, bool pairs,
                         oracle_arena *arena, bool *repeats)
{
    oracle_table keys = {0};
    bool ok = true;
    for (uint32_t at = node + 1;
         ok && !*repeats && at < oracle_json_next(json, node);) {
        uint32_t key = pairs ? at + 1 : at;
        size_t length = json->nodes[key].extent;
        const char *text = json->text + json->nodes[key].offset;
        if (json->nodes[key].type == ORACLE_JSON_STRING &&
            !oracle_json_plain(json, key)) {
            text = oracle_node_text(json, key, &length, arena);
        }
        oracle_slot *slot =
            text == NULL ? NULL : oracle_table_slot(&keys, text, length);
        ok = slot != NULL;
        if (ok) {
            *repeats = slot->data != NULL;
            *slot = (oracle_slot){text, (uint32_t)length, 0};
        }
        at = oracle_json_next(json, pairs ? at : at + 1);
    }
    oracle_table_free(&keys);
    return ok;
}

static bool is_pairs(const oracle_json *json, uint32_t list)
{
    bool pairs = json->nodes[list].type == ORACLE_JSON_ARRAY;
    for (uint32_t at = list + 1; pairs && at < oracle_json_next(json, list);
         at = oracle_json_next(json, at)) {
        pairs = json->nodes[at].type == ORACLE_JSON_ARRAY &&
                at + 1 < oracle_json_next(json, at) &&
                json->nodes[at + 1].type < ORACLE_JSON_ARRAY;
    }
    return pairs;
}

/*
 * Whether some object or mapping of a program has a key twice: the order of
 * its parts, and what they name, is not fixed then.
 */
static bool has_repeats(const answering *a, bool *repeats)
{
    const oracle_json *json = &a->input;
    bool ok = true;
    *repeats = false;
    for (uint32_t i = 0; ok && !*repeats && i < json->count; i++) {
        if (json->nodes[i].type != ORACLE_JSON_OBJECT) {
            continue;
        }
        uint32_t map = oracle_json_member(json, i, "map");
        ok = find_repeats(json, i, false, a->arena, repeats) &&
             (map == ORACLE_NONE || !is_pairs(json, map) ||
              find_repeats(json, map, true, a->arena, repeats));
    }
    return ok;
}

/* Compares the member; differences that rest on such keys are none. */
static bool compare(answering *a, const oracle_out *text)
{
    uint32_t before = a->count;
    bool repeats = false;
    if (!answer_compare_graph(a, text)) {
        return false;
    }
    if (a->count == before || a->is_score) {
        return true;
    }
    if (!has_repeats(a, &repeats)) {
        return false;
    }
    a->count = repeats ? before : a->count;
    return !repeats ||
           answer_undecided(a, "the task graph of a program in which a key is "
                               "there twice");
}

/* --- Of a dump --- */

/* What a dump means nobody else works out here (docs/oracle.md): only what the
 * request says of the document. */
static bool check_dump(answering *a)
{
    static const char *const names[] = {"kind", "rules"};
    const char *wanted[] = {"task_graph", "tensormap"};
    uint32_t graph = a->member[ANSWER_GRAPH];
    uint32_t rules = a->options.json.nodes == NULL
                         ? ORACLE_NONE
                         : oracle_json_member(&a->options.json, 0, "rules");
    size_t length;
    if (rules != ORACLE_NONE &&
        a->options.json.nodes[rules].type == ORACLE_JSON_STRING) {
        wanted[1] =
            oracle_node_text(&a->options.json, rules, &length, a->arena);
        if (wanted[1] == NULL) {
            return false;
        }
    }
    for (int i = 0; graph != ORACLE_NONE && i < 2; i++) {
        uint32_t node = oracle_json_member(&a->bundle, graph, names[i]);
        if (node != ORACLE_NONE &&
            a->bundle.nodes[node].type == ORACLE_JSON_STRING &&
            oracle_json_is(&a->bundle, node, wanted[i], strlen(wanted[i]))) {
            continue;
        }
        const char *found = oracle_tell_value(a->arena, &a->bundle, node);
        if (found == NULL ||
            !answer_report(a, "diff.graph", "document",
                           "%s in the planner's member graph is %s, by the "
                           "request it is \"%.32s\"",
                           names[i], found, wanted[i])) {
            return false;
        }
    }
    return true;
}

bool answer_check_graph(answering *a)
{
    maker m = {.a = a};
    oracle_out text = {0};
    bool ok = true, here = a->member[ANSWER_GRAPH] != ORACLE_NONE;
    if (a->is_dump) {
        return check_dump(a);
    }
    if (!a->valid) {
        return true;
    }
    if (here || (a->options.asked & 1u << ANSWER_GRAPH) != 0 ||
        answer_note(a, ANSWER_GRAPH, ORACLE_NONE) != ORACLE_NONE) {
        ok = answer_sizes_read(&m.sizes, &a->options.json, a->options.sizes,
                               a->arena) &&
             put_graph(&m, &text) &&
             (m.refused != NULL || m.beyond || compare(a, &text)) &&
             answer_missing(a, ANSWER_GRAPH, "diff.graph", m.refused);
    }
    oracle_out_free(&text);
    oracle_out_free(&m.buffers.out);
    oracle_out_free(&m.tasks.out);
    oracle_table_free(&m.sizes.by_key);
    oracle_table_free(&m.texts);
    oracle_table_free(&m.numbers);
    return ok;
}
