#include "metadata.h"

#include <stdlib.h>

#include "../deps/direction.h"
#include "../json/text.h"
#include "../score/document.h"

static sonata_direction direction_at(const sonata_task *task, size_t arg)
{
    return arg < task->direction_count
               ? sonata_direction_of(task->directions[arg])
               : SONATA_DIRECTION_UNKNOWN;
}

sonata_coverage sonata_count_coverage(const sonata_score *score,
                                      bool memory_only)
{
    sonata_coverage coverage = {0, 0};
    for (size_t i = 0; i < score->task_count; i++) {
        const sonata_task *task = &score->tasks[i];
        for (size_t k = 0; k < task->arg_count; k++) {
            if (memory_only && !sonata_is_memory(direction_at(task, k)))
                continue;
            coverage.total++;
            coverage.known += task->keys[k].kind == SONATA_NULL ? 0 : 1;
        }
    }
    return coverage;
}

static void write_coverage(sonata_json *w, const char *key,
                           const sonata_score *score, bool memory_only)
{
    sonata_coverage coverage = sonata_count_coverage(score, memory_only);
    sonata_json_key(w, key);
    sonata_json_object(w);
    sonata_json_key(w, "known");
    sonata_json_int(w, coverage.known);
    sonata_json_key(w, "total");
    sonata_json_int(w, coverage.total);
    sonata_json_key(w, "unknown");
    sonata_json_int(w, coverage.total - coverage.known);
    sonata_json_end_object(w);
}

static bool is_nodep(const sonata_task *task, size_t arg)
{
    return direction_at(task, arg) == SONATA_NODEP;
}

static bool is_unknown_memory(const sonata_task *task, size_t arg)
{
    return task->keys[arg].kind == SONATA_NULL &&
           sonata_is_memory(direction_at(task, arg));
}

static void write_arg(sonata_json *w, const sonata_task *task, size_t arg)
{
    sonata_json_object(w);
    sonata_json_key(w, "arg");
    sonata_write_value(w, task->args[arg]);
    sonata_json_key(w, "arg_index");
    sonata_json_int(w, (int64_t)arg);
    sonata_json_key(w, "storage_key");
    sonata_write_value(w, task->keys[arg]);
    sonata_json_key(w, "task_id");
    sonata_json_int(w, task->id);
    sonata_json_key(w, "task_name");
    sonata_write_text(w, task->name);
    sonata_json_end_object(w);
}

/* The arguments of which `holds` is true; nothing at all when none is. */
static void write_args(sonata_json *w, const char *key,
                       const sonata_score *score,
                       bool (*holds)(const sonata_task *task, size_t arg))
{
    bool begun = false;
    for (size_t i = 0; i < score->task_count; i++) {
        const sonata_task *task = &score->tasks[i];
        for (size_t k = 0; k < task->arg_count; k++) {
            if (!holds(task, k))
                continue;
            if (!begun) {
                sonata_json_key(w, key);
                sonata_json_array(w);
                begun = true;
            }
            write_arg(w, task, k);
        }
    }
    if (begun)
        sonata_json_end_array(w);
}

static void write_entry(sonata_json *w, const sonata_roots *roots)
{
    if (roots->count == 1 && roots->items[0]->name.text != NULL) {
        sonata_json_key(w, "entry_name");
        sonata_write_text(w, roots->items[0]->name);
    }
    if (roots->count < 2)
        return;
    sonata_json_key(w, "entry_names");
    sonata_json_array(w);
    for (size_t i = 0; i < roots->count; i++)
        sonata_write_text(w, roots->items[i]->name);
    sonata_json_end_array(w);
    sonata_json_key(w, "entry_policy");
    sonata_json_string(w, "all_orchestration");
}

static void write_pair(sonata_json *w, const char *key, const char *text)
{
    sonata_json_key(w, key);
    sonata_json_string(w, text);
}

sonata_status sonata_set_metadata(sonata_score *score,
                                  const sonata_roots *roots, const char *policy,
                                  const char *requested, const char *fallback,
                                  sonata_error *error)
{
    sonata_json w;
    sonata_json_init(&w, false);
    sonata_json_object(&w);
    write_pair(&w, "dependency_policy", policy);
    if (fallback != NULL)
        write_pair(&w, "dependency_policy_fallback_reason", fallback);
    write_entry(&w, roots);
    write_pair(&w, "extractor", "structural_v0");
    write_coverage(&w, "memory_storage_key_coverage", score, true);
    write_args(&w, "nodep_args", score, is_nodep);
    if (fallback != NULL)
        write_pair(&w, "requested_dependency_policy", requested);
    write_coverage(&w, "storage_key_coverage", score, false);
    write_args(&w, "unknown_memory_storage_args", score, is_unknown_memory);
    sonata_json_end_object(&w);
    size_t length = 0;
    char *json = sonata_json_take(&w, &length);
    char *copy =
        json == NULL ? NULL : sonata_arena_copy(score->memory, json, length);
    free(json);
    score->metadata = (sonata_text){copy, copy == NULL ? 0 : length};
    return copy == NULL ? sonata_fail_memory(error) : SONATA_OK;
}
