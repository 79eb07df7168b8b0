#include "score_view.h"

#include "canonical.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATHS 256 /* finding a path walks through the document */

static bool is_list(const oracle_json *json, uint32_t node)
{
    return node != ORACLE_NONE && json->nodes[node].type == ORACLE_JSON_ARRAY;
}

uint32_t oracle_list_length(const oracle_json *json, uint32_t list)
{
    uint32_t count = 0;
    for (uint32_t at = list + 1;
         is_list(json, list) && at < oracle_json_next(json, list);
         at = oracle_json_next(json, at)) {
        count++;
    }
    return count;
}

bool oracle_list_nodes(const oracle_json *json, uint32_t list, uint32_t **nodes,
                       uint32_t *count, oracle_arena *arena)
{
    uint32_t at = list + 1;
    *count = oracle_list_length(json, list);
    *nodes = oracle_arena_array(arena, *count, sizeof **nodes);
    for (uint32_t i = 0; *nodes != NULL && i < *count; i++) {
        (*nodes)[i] = at;
        at = oracle_json_next(json, at);
    }
    return *nodes != NULL;
}

char *oracle_node_text(const oracle_json *json, uint32_t node, size_t *length,
                       oracle_arena *arena)
{
    char *text = oracle_arena_alloc(arena, json->nodes[node].extent);
    *length = text == NULL ? 0 : oracle_json_unescape(json, node, text);
    return text;
}

const char *oracle_tell_value(oracle_arena *arena, const oracle_json *json,
                              uint32_t node)
{
    oracle_canon c = {0};
    char shown[96];
    const char *told = NULL;
    if (node == ORACLE_NONE) {
        return oracle_arena_text(arena, "nothing", 7);
    }
    oracle_canon_value(&c, json, node);
    if (!c.out.failed) {
        oracle_json_printable(c.out.data, c.out.length, shown, sizeof shown);
        told = oracle_arena_text(arena, shown, strlen(shown));
    }
    oracle_out_free(&c.out);
    return told;
}

static bool index_tasks(oracle_score_view *v)
{
    const oracle_document *d = v->document;
    for (uint32_t t = 0; t < d->task_count; t++) {
        const oracle_text *name = &d->tasks[t].name;
        oracle_id_slot *id = oracle_id_table_slot(&v->by_id, d->tasks[t].id);
        if (id == NULL) {
            return false;
        }
        id->value = id->value == ORACLE_NONE ? t : id->value;
        if (!name->present) {
            continue;
        }
        oracle_slot *slot =
            oracle_table_slot(&v->by_name, name->data, name->length);
        if (slot == NULL) {
            return false;
        }
        if (slot->data == NULL) {
            *slot = (oracle_slot){name->data, name->length, t};
        }
    }
    return true;
}

/* The items of a list of a task, one for each argument. */
static void along_args(const oracle_score_view *v, uint32_t list, uint32_t task,
                       uint32_t *nodes)
{
    const oracle_task *t = &v->document->tasks[task];
    uint32_t at = list + 1;
    bool has = is_list(v->json, list);
    uint32_t end = has ? oracle_json_next(v->json, list) : 0;
    for (uint32_t a = 0; a < t->args; a++) {
        bool there = has && at < end;
        nodes[t->first_arg + a] = there ? at : ORACLE_NONE;
        at = there ? oracle_json_next(v->json, at) : at;
    }
}

static bool index_args(oracle_score_view *v, oracle_arena *arena)
{
    enum { DIRECTIONS, KEYS, ARGS, COUNT };
    static const char *const names[] = {"arg_directions", "arg_storage_keys",
                                        "args"};
    const oracle_document *d = v->document;
    uint32_t *nodes[COUNT], list[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        nodes[i] = oracle_arena_array(arena, d->arg_count, sizeof *nodes[i]);
        if (nodes[i] == NULL) {
            return false;
        }
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        oracle_json_members(v->json, v->task_node[t], names, COUNT, list);
        for (uint32_t i = 0; i < COUNT; i++) {
            along_args(v, list[i], t, nodes[i]);
        }
    }
    v->arg_node = nodes[ARGS];
    v->key_node = nodes[KEYS];
    v->direction_node = nodes[DIRECTIONS];
    return true;
}

static bool set_fingerprint(oracle_score_view *v, const oracle_members *members,
                            const char *fingerprint)
{
    if (fingerprint[0] == '\0') {
        return oracle_members_fingerprint(v->fingerprint, members);
    }
    memcpy(v->fingerprint, fingerprint, sizeof v->fingerprint);
    return true;
}

bool oracle_score_view_make(oracle_score_view *view,
                            const oracle_members *members,
                            const oracle_document *document,
                            const char *fingerprint, oracle_arena *arena)
{
    uint32_t count;
    *view = (oracle_score_view){.json = members->json,
                                .root = members->node[ORACLE_ROLE_SCORE],
                                .document = document};
    uint32_t list = oracle_json_member(view->json, view->root, "tasks");
    return oracle_list_nodes(view->json, list, &view->task_node, &count,
                             arena) &&
           set_fingerprint(view, members, fingerprint) && index_tasks(view) &&
           index_args(view, arena);
}

void oracle_score_view_free(oracle_score_view *view)
{
    oracle_id_table_free(&view->by_id);
    oracle_table_free(&view->by_name);
}

/* What the document has there; the message says what it should be. */
static const char *place_witness(oracle_judging *j, uint32_t node,
                                 const char *path)
{
    oracle_out out = {0};
    const char *found = oracle_tell_value(j->arena, j->members->json, node);
    const char *text = NULL;
    if (found != NULL) {
        oracle_out_text(&out, "{\"found\":");
        oracle_out_string(&out, found, strlen(found));
        oracle_out_text(&out, ",\"path\":");
        oracle_out_string(&out, path, strlen(path));
        oracle_out_text(&out, "}");
        text = out.failed ? NULL
                          : oracle_arena_text(j->arena, out.data, out.length);
    }
    oracle_out_free(&out);
    return text;
}

bool oracle_judging_report(oracle_judging *judging, const char *rule,
                           oracle_severity severity, uint32_t node,
                           uint32_t task, uint32_t arg, const char *format, ...)
{
    char path[128], text[1024];
    oracle_record record = oracle_record_of(rule, severity);
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    record.message = oracle_arena_text(judging->arena, text, strlen(text));
    if (judging->score == judging->document) {
        record.consumer.task = task;
        record.consumer.arg = task == ORACLE_NONE ? ORACLE_NONE : arg;
    }
    if (node != ORACLE_NONE && judging->paths < PATHS) {
        judging->paths++;
        oracle_json_path(judging->members->json, node, path, sizeof path);
        record.path = oracle_arena_text(judging->arena, path, strlen(path));
        bool plain = strchr(path, '"') == NULL && strstr(path, "...") == NULL;
        if (plain) { /* it can be followed */
            record.witness = place_witness(judging, node, path);
        }
        if (record.path == NULL || (plain && record.witness == NULL)) {
            return false;
        }
    }
    return record.message != NULL && oracle_judging_add(judging, record);
}
