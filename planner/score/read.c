/* Reading a Score (spec 01). */
#include "read.h"

#include <stdlib.h>

bool sonata_read_target(sonata_target *target, sonata_reading *r,
                        const sonata_fields *of, size_t i)
{
    enum { THREADS, COMMENT, FUNCTION, RUNTIME, COUNT };
    static const char *const names[] = {"aicpu_thread_num", "config_comment",
                                        "function_name", "runtime"};
    const sonata_node *node = of->nodes[i];
    sonata_place place = {of->place, of->names[i], 0};
    sonata_place threads = {&place, names[THREADS], 0};
    sonata_text *comments = NULL;
    sonata_fields f = {.place = &place, .names = names};
    if (node != NULL &&
        sonata_node_kind_of(r->doc, node) == SONATA_NODE_OBJECT &&
        !sonata_fields_open(&f, r, &place, node, names, COUNT))
        return false;
    if (!sonata_field_text(&target->runtime, r, &f, RUNTIME,
                           SONATA_TEXT("tensormap_and_ringbuffer")) ||
        !sonata_field_text(&target->function_name, r, &f, FUNCTION,
                           SONATA_TEXT("aicpu_orchestration_entry")) ||
        !sonata_field_value(&target->thread_num, r, &f, THREADS) ||
        !sonata_field_texts(&comments, &target->comment_count, r, &f, COMMENT))
        return false;
    target->comments = comments;
    return target->thread_num.kind == SONATA_INT ||
           target->thread_num.kind == SONATA_NULL ||
           sonata_refuse_type(r, &threads, "an int or null", f.nodes[THREADS]);
}

static bool read_task(void *item, sonata_reading *r, const sonata_place *place,
                      const sonata_node *node)
{
    enum { DIRECTIONS, KEYS, ARGS, CORE, FUNC, NAME, ID, COUNT };
    static const char *const names[] = {
        "arg_directions", "arg_storage_keys", "args", "core_type", "func_id",
        "name",           "task_id"};
    static const sonata_text required = {0};
    sonata_task *task = item;
    sonata_fields f;
    return sonata_fields_open(&f, r, place, node, names, COUNT) &&
           sonata_field_int(&task->id, r, &f, ID) &&
           sonata_field_int(&task->func_id, r, &f, FUNC) &&
           sonata_field_text(&task->core_type, r, &f, CORE, required) &&
           sonata_field_text_or_null(&task->name, r, &f, NAME) &&
           sonata_field_values(&task->args, &task->arg_count, r, &f, ARGS,
                               false) &&
           sonata_field_texts(&task->directions, &task->direction_count, r, &f,
                              DIRECTIONS) &&
           sonata_field_values(&task->keys, &task->key_count, r, &f, KEYS,
                               false);
}

static bool read_dependency(void *item, sonata_reading *r,
                            const sonata_place *place, const sonata_node *node)
{
    enum { CONSUMER, KIND, PRODUCER, COUNT };
    static const char *const names[] = {"consumer", "kind", "producer"};
    sonata_dependency *edge = item;
    sonata_fields f;
    return sonata_fields_open(&f, r, place, node, names, COUNT) &&
           sonata_field_int(&edge->producer, r, &f, PRODUCER) &&
           sonata_field_int(&edge->consumer, r, &f, CONSUMER) &&
           sonata_field_text(&edge->kind, r, &f, KIND, SONATA_TEXT("data"));
}

static bool read_shape(void *item, sonata_reading *r, const sonata_place *place,
                       const sonata_node *node)
{
    enum { DIMS, SYMBOL, COUNT };
    static const char *const names[] = {"dims", "symbol"};
    static const sonata_text required = {0};
    sonata_shape *shape = item;
    sonata_fields f;
    return sonata_fields_open(&f, r, place, node, names, COUNT) &&
           sonata_field_text(&shape->symbol, r, &f, SYMBOL, required) &&
           sonata_field_values(&shape->dims, &shape->dim_count, r, &f, DIMS,
                               true);
}

bool sonata_read_score(sonata_score *score, sonata_reading *r,
                       const sonata_place *place, const sonata_node *node)
{
    enum { EDGES, METADATA, NAME, TARGET, VERSION, SHAPES, TASKS, COUNT };
    static const char *const names[] = {
        "dependencies",   "metadata",          "name", "runtime_target",
        "schema_version", "shape_assumptions", "tasks"};
    static const sonata_text required = {0};
    sonata_fields f;
    if (!sonata_fields_open(&f, r, place, node, names, COUNT) ||
        !sonata_field_version(r, &f, VERSION) ||
        !sonata_field_text(&score->name, r, &f, NAME, required) ||
        !sonata_read_target(&score->target, r, &f, TARGET) ||
        !sonata_field_object(&score->metadata, r, &f, METADATA))
        return false;
    score->tasks = sonata_field_items(&score->task_count, r, &f, TASKS,
                                      sizeof *score->tasks, read_task);
    if (r->status == SONATA_OK)
        score->dependencies =
            sonata_field_items(&score->dependency_count, r, &f, EDGES,
                               sizeof *score->dependencies, read_dependency);
    if (r->status == SONATA_OK)
        score->shapes = sonata_field_items(&score->shape_count, r, &f, SHAPES,
                                           sizeof *score->shapes, read_shape);
    return r->status == SONATA_OK;
}

sonata_status sonata_score_from_node(sonata_score *score, const sonata_doc *doc,
                                     const sonata_node *node,
                                     sonata_reasons *warnings,
                                     sonata_error *error)
{
    *score = (sonata_score){0};
    sonata_arena *memory = calloc(1, sizeof *memory);
    if (memory == NULL)
        return sonata_fail_memory(error);
    sonata_reading r = {
        .doc = doc, .arena = memory, .warnings = warnings, .error = error};
    bool done = sonata_read_score(score, &r, NULL, node);
    score->memory = memory;
    if (!done)
        sonata_score_free(score);
    sonata_reading_free(&r);
    return r.status;
}

sonata_status sonata_score_read(sonata_score *score, const char *text,
                                size_t length, sonata_reasons *warnings,
                                sonata_error *error)
{
    *score = (sonata_score){0};
    sonata_doc *doc = NULL;
    sonata_status status = sonata_doc_read(&doc, text, length, error);
    if (status == SONATA_OK)
        status = sonata_score_from_node(score, doc, sonata_doc_root(doc),
                                        warnings, error);
    sonata_doc_free(doc);
    return status;
}
