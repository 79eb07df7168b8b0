/* A host_build_graph plan as a document: its tasks, and its edges. */
#include "compare.h"

#include "canonical.h"
#include "reader.h"
#include "score_view.h"

static bool take_text(oracle_document *d, const oracle_json *json,
                      uint32_t node, oracle_text *text)
{
    size_t length = 0;
    *text = (oracle_text){"", 0, false};
    if (node == ORACLE_NONE || json->nodes[node].type != ORACLE_JSON_STRING) {
        return true;
    }
    text->data = oracle_node_text(json, node, &length, d->arena);
    text->length = (uint32_t)length;
    text->present = true;
    return text->data != NULL;
}

static bool take_task(oracle_document *d, const oracle_json *json,
                      uint32_t node, oracle_id_table *ids)
{
    oracle_task *grown =
        oracle_arena_push(d->arena, d->tasks, d->task_count, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    d->tasks = grown;
    oracle_task *task = &grown[d->task_count];
    oracle_json_int64(json, oracle_json_member(json, node, "task_id"),
                      &task->id);
    task->blocks = 1;
    task->scope = ORACLE_NONE;
    oracle_id_slot *slot = oracle_id_table_slot(ids, task->id);
    if (slot == NULL ||
        !take_text(d, json, oracle_json_member(json, node, "name"),
                   &task->name) ||
        !take_text(d, json, oracle_json_member(json, node, "core_type"),
                   &task->core)) {
        return false;
    }
    d->ambiguous = d->ambiguous || slot->value != ORACLE_NONE;
    slot->value = d->task_count++;
    return true;
}

/* An end that is no task is hbg.edges, and orders nothing. */
static bool take_edge(oracle_document *d, const oracle_json *json,
                      uint32_t node, const oracle_id_table *ids)
{
    int64_t from = 0, to = 0;
    oracle_json_int64(json, oracle_json_member(json, node, "producer"), &from);
    oracle_json_int64(json, oracle_json_member(json, node, "consumer"), &to);
    uint32_t a = oracle_id_table_find(ids, from);
    uint32_t b = oracle_id_table_find(ids, to);
    if (a == ORACLE_NONE || b == ORACLE_NONE || a == b) {
        return true;
    }
    oracle_edge *grown =
        oracle_arena_push(d->arena, d->edges, d->edge_count, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    d->edges = grown;
    grown[d->edge_count++] = (oracle_edge){.from = a,
                                           .to = b,
                                           .source = ORACLE_POLICY,
                                           .certain = true,
                                           .from_arg = ORACLE_NONE,
                                           .to_arg = ORACLE_NONE};
    return true;
}

oracle_status oracle_compare_table(oracle_document *document,
                                   const oracle_json *json, uint32_t root)
{
    oracle_id_table ids = {0};
    uint32_t tasks = oracle_json_member(json, root, "tasks");
    uint32_t edges = oracle_json_member(json, root, "edges");
    *document = (oracle_document){.kind = ORACLE_KIND_HBG,
                                  .name = {"", 0, false},
                                  .arena = oracle_arena_create()};
    bool ok = document->arena != NULL;
    for (uint32_t at = tasks + 1; ok && at < oracle_json_next(json, tasks);
         at = oracle_json_next(json, at)) {
        ok = take_task(document, json, at, &ids);
    }
    for (uint32_t at = edges + 1; ok && at < oracle_json_next(json, edges);
         at = oracle_json_next(json, at)) {
        ok = take_edge(document, json, at, &ids);
    }
    oracle_id_table_free(&ids);
    if (!ok) {
        oracle_document_free(document);
        return ORACLE_NO_MEMORY;
    }
    return ORACLE_OK;
}
