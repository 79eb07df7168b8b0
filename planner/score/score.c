#include "document.h"

#include <stdlib.h>

#include "../json/text.h"

void sonata_score_free(sonata_score *score)
{
    if (score->memory != NULL) {
        sonata_arena_free(score->memory);
        free(score->memory);
    }
    *score = (sonata_score){0};
}

void sonata_write_text(sonata_json *w, sonata_text text)
{
    if (text.text == NULL)
        sonata_json_null(w);
    else
        sonata_json_string_n(w, text.text, text.length);
}

void sonata_write_value(sonata_json *w, sonata_value value)
{
    if (value.kind == SONATA_NULL)
        sonata_json_null(w);
    else if (value.kind == SONATA_STRING)
        sonata_json_string_n(w, value.text.text, value.text.length);
    else
        sonata_json_raw(w, value.text.text, value.text.length);
}

static void write_values(sonata_json *w, const char *key,
                         const sonata_value *values, size_t count)
{
    sonata_json_key(w, key);
    sonata_json_array(w);
    for (size_t i = 0; i < count; i++)
        sonata_write_value(w, values[i]);
    sonata_json_end_array(w);
}

static void write_texts(sonata_json *w, const char *key,
                        const sonata_text *texts, size_t count)
{
    sonata_json_key(w, key);
    sonata_json_array(w);
    for (size_t i = 0; i < count; i++)
        sonata_write_text(w, texts[i]);
    sonata_json_end_array(w);
}

static void write_task(sonata_json *w, const sonata_task *task)
{
    sonata_json_object(w);
    write_texts(w, "arg_directions", task->directions, task->direction_count);
    write_values(w, "arg_storage_keys", task->keys, task->key_count);
    write_values(w, "args", task->args, task->arg_count);
    sonata_json_key(w, "core_type");
    sonata_write_text(w, task->core_type);
    sonata_json_key(w, "func_id");
    sonata_json_int(w, task->func_id);
    sonata_json_key(w, "name");
    sonata_write_text(w, task->name);
    sonata_json_key(w, "task_id");
    sonata_json_int(w, task->id);
    sonata_json_end_object(w);
}

static void write_tasks(sonata_json *w, const sonata_score *score)
{
    sonata_json_key(w, "tasks");
    sonata_json_array(w);
    for (size_t i = 0; i < score->task_count; i++)
        write_task(w, &score->tasks[i]);
    sonata_json_end_array(w);
}

static void write_dependencies(sonata_json *w, const sonata_score *score)
{
    sonata_json_key(w, "dependencies");
    sonata_json_array(w);
    for (size_t i = 0; i < score->dependency_count; i++) {
        const sonata_dependency *edge = &score->dependencies[i];
        sonata_json_object(w);
        sonata_json_key(w, "consumer");
        sonata_json_int(w, edge->consumer);
        sonata_json_key(w, "kind");
        sonata_write_text(w, edge->kind);
        sonata_json_key(w, "producer");
        sonata_json_int(w, edge->producer);
        sonata_json_end_object(w);
    }
    sonata_json_end_array(w);
}

static void write_shapes(sonata_json *w, const sonata_score *score)
{
    sonata_json_key(w, "shape_assumptions");
    sonata_json_array(w);
    for (size_t i = 0; i < score->shape_count; i++) {
        const sonata_shape *shape = &score->shapes[i];
        sonata_json_object(w);
        write_values(w, "dims", shape->dims, shape->dim_count);
        sonata_json_key(w, "symbol");
        sonata_write_text(w, shape->symbol);
        sonata_json_end_object(w);
    }
    sonata_json_end_array(w);
}

static void write_metadata(sonata_json *w, const sonata_score *score)
{
    sonata_text text = score->metadata;
    if (text.text == NULL)
        text = SONATA_TEXT("{}");
    sonata_json_key(w, "metadata");
    sonata_json_raw(w, text.text, text.length);
}

static void write_name(sonata_json *w, const sonata_score *score)
{
    sonata_json_key(w, "name");
    sonata_write_text(w, score->name);
}

void sonata_write_target(sonata_json *w, const sonata_target *target)
{
    sonata_json_object(w);
    sonata_json_key(w, "aicpu_thread_num");
    sonata_write_value(w, target->thread_num);
    write_texts(w, "config_comment", target->comments, target->comment_count);
    sonata_json_key(w, "function_name");
    sonata_write_text(w, target->function_name);
    sonata_json_key(w, "runtime");
    sonata_write_text(w, target->runtime);
    sonata_json_end_object(w);
}

void sonata_write_score(sonata_json *w, const sonata_score *score)
{
    sonata_json_object(w);
    write_dependencies(w, score);
    write_metadata(w, score);
    write_name(w, score);
    sonata_json_key(w, "runtime_target");
    sonata_write_target(w, &score->target);
    sonata_json_key(w, "schema_version");
    sonata_json_int(w, 1);
    write_shapes(w, score);
    write_tasks(w, score);
    sonata_json_end_object(w);
}

void sonata_write_identity(sonata_json *w, const sonata_score *score,
                           bool include_metadata)
{
    sonata_json_object(w);
    sonata_json_key(w, "fingerprint_version");
    sonata_json_int(w, 1);
    sonata_json_key(w, "identity");
    sonata_json_object(w);
    write_dependencies(w, score);
    if (include_metadata)
        write_metadata(w, score);
    write_name(w, score);
    write_shapes(w, score);
    write_tasks(w, score);
    sonata_json_end_object(w);
    sonata_json_end_object(w);
}

sonata_status sonata_score_json(char **json, size_t *length,
                                const sonata_score *score, bool pretty,
                                sonata_error *error)
{
    sonata_json w;
    sonata_json_init(&w, pretty);
    sonata_write_score(&w, score);
    *json = sonata_json_take(&w, length);
    return *json == NULL ? sonata_fail_memory(error) : SONATA_OK;
}
