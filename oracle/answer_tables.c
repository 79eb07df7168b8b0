/* The PlanHandle and the host_build_graph plan of a Score (spec 04). */
#include "answer_work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Names --- */

typedef struct name {
    const char *data;
    uint32_t length, task;
} name;

static int compare_name(const void *a, const void *b)
{
    const name *x = a, *y = b;
    uint32_t common = x->length < y->length ? x->length : y->length;
    int order = memcmp(x->data, y->data, common);
    if (order == 0 && x->length != y->length) {
        order = x->length < y->length ? -1 : 1;
    }
    return order != 0 ? order : (x->task > y->task) - (x->task < y->task);
}

/* Each name once, sorted, with the first task that has it. */
static bool list_names(const answer_score *s, name **names, uint32_t *count)
{
    name *list = oracle_arena_array(s->arena, s->task_count, sizeof *list);
    uint32_t n = 0, kept = 0;
    if (list == NULL) {
        return false;
    }
    for (uint32_t t = 0; t < s->task_count; t++) {
        uint32_t node = s->tasks[t].name;
        size_t length;
        if (node == ORACLE_NONE) {
            continue;
        }
        list[n].data = s->json->text + s->json->nodes[node].offset + 1;
        length = s->json->nodes[node].extent - 2;
        if (!oracle_json_plain(s->json, node)) {
            list[n].data = oracle_node_text(s->json, node, &length, s->arena);
        }
        if (list[n].data == NULL) {
            return false;
        }
        list[n].length = (uint32_t)length;
        list[n++].task = t;
    }
    if (n > 1) {
        qsort(list, n, sizeof *list, compare_name);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (kept == 0 || list[kept - 1].length != list[i].length ||
            memcmp(list[kept - 1].data, list[i].data, list[i].length) != 0) {
            list[kept++] = list[i];
        }
    }
    *names = list;
    *count = kept;
    return true;
}

/* --- The handle --- */

static void put_binding(oracle_out *out, const answer_score *s,
                        const answer_task *task, uint32_t arg)
{
    oracle_canon c = {.out = *out};
    oracle_out_text(&c.out, "{\"arg_index\":");
    oracle_out_int(&c.out, arg);
    oracle_out_text(&c.out, ",\"direction\":");
    if (arg < task->directions.count) {
        oracle_canon_text(&c, s->json,
                          s->direction_node[task->directions.first + arg]);
    } else {
        oracle_out_text(&c.out, "\"Input\"");
    }
    oracle_out_text(&c.out, ",\"runtime_handle\":");
    oracle_out_int(&c.out, arg);
    oracle_out_text(&c.out, ",\"storage_key\":");
    if (arg < task->keys.count) {
        oracle_canon_value(&c, s->json, s->key_node[task->keys.first + arg]);
    } else {
        oracle_out_text(&c.out, "null");
    }
    oracle_out_text(&c.out, ",\"task_id\":");
    oracle_out_int(&c.out, task->id);
    oracle_out_text(&c.out, "}");
    *out = c.out;
}

static void put_bindings(oracle_out *out, const answering *a)
{
    const answer_score *s = a->score;
    bool first = true;
    for (uint32_t t = 0; t < s->task_count && !a->options.is_v09; t++) {
        for (uint32_t i = 0; i < s->tasks[t].args.count; i++) {
            oracle_out_text(out, first ? "" : ",");
            put_binding(out, s, &s->tasks[t], i);
            first = false;
        }
    }
}

static bool put_registry(oracle_out *out, const answer_score *s)
{
    name *names;
    uint32_t count;
    if (!list_names(s, &names, &count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        oracle_canon c = {.out = *out};
        const answer_task *task = &s->tasks[names[i].task];
        oracle_out_text(&c.out, i > 0 ? ",{\"name\":" : "{\"name\":");
        oracle_canon_text(&c, s->json, task->name);
        oracle_out_text(&c.out, ",\"runtime_func_id\":null,"
                                "\"sonata_func_id\":");
        oracle_out_int(&c.out, task->func);
        oracle_out_text(&c.out, "}");
        *out = c.out;
    }
    return true;
}

static bool put_handle(oracle_out *out, const answering *a)
{
    const answer_score *s = a->score;
    oracle_canon c = {0};
    oracle_out_text(&c.out, "{\"arg_bindings\":[");
    put_bindings(&c.out, a);
    oracle_out_text(&c.out, "],\"func_registry\":[");
    if (!put_registry(&c.out, s)) {
        oracle_out_free(&c.out);
        return false;
    }
    oracle_out_text(&c.out, "],\"metadata\":{},\"runtime_contract_version\":1,"
                            "\"runtime_target\":");
    oracle_canon_target(&c, s->json, s->target);
    oracle_out_format(&c.out,
                      ",\"schema_version\":1,\"score_fingerprint\":\"%s\","
                      "\"source_adapter\":\"post_simplify\"}",
                      a->fingerprint);
    *out = c.out;
    return !out->failed;
}

static bool check_handle(answering *a)
{
    static const answer_field fields[] = {
        {"score_fingerprint", "diff.fingerprint", "handle"},
        {"arg_bindings", "diff.tables", "arg-bindings"},
        {"func_registry", "diff.tables", "func-registry"},
        {"runtime_target", "diff.tables", "runtime-target"},
        {"source_adapter", "diff.tables", "source-adapter"},
        {NULL, "diff.tables", "handle"}};
    oracle_out text = {0};
    bool same;
    bool ok = a->member[ANSWER_HANDLE] == ORACLE_NONE ||
              (put_handle(&text, a) &&
               answer_compare(a, ANSWER_HANDLE, &text, fields, &same));
    oracle_out_free(&text);
    return ok && answer_missing(a, ANSWER_HANDLE, "diff.tables", NULL);
}

/* --- host_build_graph --- */

static void put_edges(oracle_canon *c, const answering *a)
{
    const oracle_json *json = a->base;
    uint32_t list = oracle_json_member(json, a->base_node, "dependencies");
    for (uint32_t at = list + 1;
         list != ORACLE_NONE && at < oracle_json_next(json, list);
         at = oracle_json_next(json, at)) {
        int64_t from = 0, to = 0;
        oracle_json_int64(json, oracle_json_member(json, at, "producer"),
                          &from);
        oracle_json_int64(json, oracle_json_member(json, at, "consumer"), &to);
        oracle_out_text(&c->out,
                        at > list + 1 ? ",{\"consumer\":" : "{\"consumer\":");
        oracle_out_int(&c->out, to);
        oracle_out_text(&c->out, ",\"producer\":");
        oracle_out_int(&c->out, from);
        oracle_out_text(&c->out, "}");
    }
}

static void put_row(oracle_canon *c, const answering *a,
                    const answer_task *task)
{
    const answer_score *s = a->score;
    oracle_out_text(&c->out, "{\"core_type\":");
    oracle_canon_text(c, s->json, task->core);
    oracle_out_text(&c->out, ",\"func_id\":");
    oracle_out_int(&c->out, task->func);
    oracle_out_text(&c->out, ",\"name\":");
    if (task->name == ORACLE_NONE) {
        oracle_out_text(&c->out, "null");
    } else {
        oracle_canon_text(c, s->json, task->name);
    }
    oracle_out_text(&c->out, ",\"runtime_args\":[");
    for (uint32_t i = 0; i < task->args.count; i++) {
        oracle_out_text(&c->out, i > 0 ? "," : "");
        if (a->options.is_v09) {
            oracle_out_text(&c->out, "null");
        } else {
            oracle_out_int(&c->out, i);
        }
    }
    oracle_out_text(&c->out, "],\"task_id\":");
    oracle_out_int(&c->out, task->id);
    oracle_out_text(&c->out, "}");
}

static void put_runtime(oracle_canon *c, const answer_score *s)
{
    uint32_t runtime = oracle_json_member(s->json, s->target, "runtime");
    if (runtime == ORACLE_NONE) {
        oracle_out_text(&c->out, "\"tensormap_and_ringbuffer\"");
    } else {
        oracle_canon_text(c, s->json, runtime);
    }
}

static void put_hbg(oracle_out *out, const answering *a)
{
    const answer_score *s = a->score;
    oracle_canon c = {0};
    oracle_out_text(&c.out, "{\"edges\":[");
    put_edges(&c, a);
    oracle_out_text(&c.out, "],\"metadata\":{\"runtime_contract_version\":1,"
                            "\"runtime_target\":");
    put_runtime(&c, s);
    oracle_out_format(&c.out,
                      ",\"schema_version\":1,\"score_fingerprint\":\"%s\","
                      "\"source_adapter\":\"post_simplify\"},\"tasks\":[",
                      a->fingerprint);
    for (uint32_t t = 0; t < s->task_count; t++) {
        oracle_out_text(&c.out, t > 0 ? "," : "");
        put_row(&c, a, &s->tasks[t]);
    }
    oracle_out_text(&c.out, "]}");
    *out = c.out;
}

/* Whether memory arguments are left without a binding: the form of v0.9. */
static bool is_incomplete(const answering *a)
{
    const answer_score *s = a->score;
    for (uint32_t d = 0; a->options.is_v09 && d < s->direction_count; d++) {
        if (s->way[d] != 0) {
            return true;
        }
    }
    return false;
}

/* Quotes and control characters are spelled as one likes (spec 04). */
static bool is_free(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 0x20 || c == 0x7f || c == '"' || c == '\'' || c == '\\') {
            return true;
        }
    }
    return false;
}

/* The reason of one argument; NULL in *message: its wording is free. */
static bool tell_incomplete(const answer_score *s, const answer_task *task,
                            uint32_t arg, const char **message)
{
    uint32_t value = s->arg_node[task->args.first + arg];
    uint32_t key = arg < task->keys.count ? s->key_node[task->keys.first + arg]
                                          : ORACLE_NONE;
    size_t value_length, key_length;
    *message = NULL;
    if (key == ORACLE_NONE ||
        s->json->nodes[value].type != ORACLE_JSON_STRING ||
        s->json->nodes[key].type != ORACLE_JSON_STRING) {
        return true;
    }
    const char *v = oracle_node_text(s->json, value, &value_length, s->arena);
    const char *k = oracle_node_text(s->json, key, &key_length, s->arena);
    if (v == NULL || k == NULL) {
        return false;
    }
    if (is_free(v, value_length) || is_free(k, key_length)) {
        return true;
    }
    *message = oracle_arena_format(
        s->arena,
        "task %" PRId64 " arg %u (%.*s, storage=%.*s) has no RuntimeArgBinding",
        task->id, (unsigned)arg, (int)value_length, v, (int)key_length, k);
    return *message != NULL;
}

static oracle_bytes bytes_of(const char *text)
{
    return (oracle_bytes){text, text == NULL ? 0 : strlen(text)};
}

static bool check_reasons(answering *a)
{
    static const char code[] = "runtime_adapter_binding_incomplete";
    const answer_score *s = a->score;
    uint32_t note = answer_note(a, ANSWER_HBG, ORACLE_NONE);
    bool some = note != ORACLE_NONE, more = true;
    const char *message;
    for (uint32_t t = 0; some && more && t < s->task_count; t++) {
        const answer_task *task = &s->tasks[t];
        for (uint32_t i = 0;
             more && i < task->directions.count && i < task->args.count; i++) {
            if (s->way[task->directions.first + i] == 0) {
                continue;
            }
            if (!tell_incomplete(s, task, i, &message) ||
                !answer_same_note(a, ANSWER_HBG, note, code, bytes_of(message),
                                  "diff.tables", "hbg-reasons", &more)) {
                return false;
            }
            note = more ? answer_note(a, ANSWER_HBG, note) : note;
        }
    }
    return !some || !more || note == ORACLE_NONE ||
           answer_same_note(a, ANSWER_HBG, note, NULL, bytes_of(NULL),
                            "diff.tables", "hbg-reasons", &more);
}

static bool check_hbg(answering *a)
{
    static const answer_field fields[] = {
        {"metadata", "diff.tables", "hbg-metadata"},
        {"tasks", "diff.tables", "hbg-tasks"},
        {"edges", "diff.tables", "hbg-edges"},
        {NULL, "diff.tables", "hbg"}};
    oracle_out text = {0};
    bool same, ok = true;
    if (is_incomplete(a)) {
        return answer_missing(
                   a, ANSWER_HBG, "diff.tables",
                   "memory arguments have no binding in the form of v0.9") &&
               check_reasons(a);
    }
    if (a->member[ANSWER_HBG] != ORACLE_NONE) {
        put_hbg(&text, a);
        ok = answer_compare(a, ANSWER_HBG, &text, fields, &same);
    }
    oracle_out_free(&text);
    return ok && answer_missing(a, ANSWER_HBG, "diff.tables", NULL);
}

bool answer_check_tables(answering *a)
{
    return check_handle(a) && check_hbg(a);
}
