/* The host_build_graph plan: task and edge tables (spec 04). */
#include <stdlib.h>

#include "sonata/runtime.h"

#include "../json/fields.h"
#include "../json/writer.h"
#include "../score/document.h"
#include "adapter.h"
#include "lookup.h"

void sonata_hbg_plan_free(sonata_hbg_plan *plan)
{
    if (plan->memory != NULL) {
        sonata_arena_free(plan->memory);
        free(plan->memory);
    }
    *plan = (sonata_hbg_plan){0};
}

/* Room for all tables. False: out of memory. */
static bool make_room(sonata_hbg_plan *plan, sonata_value **args,
                      const sonata_score *score)
{
    size_t count = 0;
    for (size_t i = 0; i < score->task_count; i++)
        count += score->tasks[i].arg_count;
    plan->memory = calloc(1, sizeof *plan->memory);
    if (plan->memory == NULL)
        return false;
    *args = sonata_arena_array(plan->memory, count, sizeof **args);
    plan->tasks = sonata_arena_array(plan->memory, score->task_count,
                                     sizeof *plan->tasks);
    plan->edges = sonata_arena_array(plan->memory, score->dependency_count,
                                     sizeof *plan->edges);
    return *args != NULL && plan->tasks != NULL && plan->edges != NULL;
}

static bool add_task(sonata_hbg_plan *plan, sonata_value *args,
                     sonata_lookup *lookup, const sonata_task *task)
{
    sonata_hbg_task *row = &plan->tasks[plan->task_count++];
    *row = (sonata_hbg_task){.id = task->id,
                             .func_id = task->func_id,
                             .core_type = task->core_type,
                             .name = task->name,
                             .args = args,
                             .arg_count = task->arg_count};
    uint32_t name = 0;
    if (task->name.text != NULL) {
        if (!sonata_lookup_name(&name, lookup, task->name))
            return false;
        if (name < lookup->known && lookup->bound[name] != NULL)
            row->func_id = lookup->bound[name]->runtime_id;
    }
    for (size_t i = 0; i < task->arg_count; i++) {
        const sonata_binding *binding =
            sonata_lookup_binding(lookup, task->id, i);
        if (binding != NULL)
            args[i] = binding->runtime_handle;
    }
    return true;
}

static sonata_status fill(sonata_hbg_plan *plan, const sonata_score *score,
                          const sonata_handle *handle, sonata_error *error)
{
    sonata_lookup lookup;
    sonata_value *args = NULL;
    sonata_status status = sonata_lookup_build(&lookup, handle, error);
    if (status != SONATA_OK)
        return status;
    bool done = make_room(plan, &args, score);
    for (size_t i = 0; done && i < score->task_count; i++) {
        done = add_task(plan, args, &lookup, &score->tasks[i]);
        args += score->tasks[i].arg_count;
    }
    for (size_t i = 0; done && i < score->dependency_count; i++)
        plan->edges[plan->edge_count++] = (sonata_hbg_edge){
            score->dependencies[i].producer, score->dependencies[i].consumer};
    plan->fingerprint = handle->fingerprint;
    plan->source_adapter = handle->source_adapter;
    plan->contract_version = handle->contract_version;
    plan->runtime = handle->target.runtime;
    sonata_lookup_free(&lookup);
    return done ? SONATA_OK : sonata_fail_memory(error);
}

static sonata_status make(sonata_hbg_plan *plan, sonata_reasons *reasons,
                          const sonata_score *score,
                          const sonata_handle *handle, bool is_own,
                          sonata_error *error)
{
    *plan = (sonata_hbg_plan){0};
    size_t before = reasons->count;
    sonata_status status =
        is_own ? sonata_adapter_check_own(reasons, score, handle, error)
               : sonata_adapter_check(reasons, score, handle, error);
    if (status != SONATA_OK || reasons->count > before)
        return status;
    status = fill(plan, score, handle, error);
    if (status != SONATA_OK)
        sonata_hbg_plan_free(plan);
    return status;
}

sonata_status sonata_hbg_plan_make(sonata_hbg_plan *plan,
                                   sonata_reasons *reasons,
                                   const sonata_score *score,
                                   const sonata_handle *handle,
                                   sonata_error *error)
{
    return make(plan, reasons, score, handle, false, error);
}

sonata_status sonata_hbg_plan_make_own(sonata_hbg_plan *plan,
                                       sonata_reasons *reasons,
                                       const sonata_score *score,
                                       const sonata_handle *handle,
                                       sonata_error *error)
{
    return make(plan, reasons, score, handle, true, error);
}

static bool read_task(void *item, sonata_reading *r, const sonata_place *place,
                      const sonata_node *node)
{
    enum { CORE, FUNC, NAME, ARGS, ID, COUNT };
    static const char *const names[] = {"core_type", "func_id", "name",
                                        "runtime_args", "task_id"};
    static const sonata_text required = {0};
    sonata_hbg_task *task = item;
    sonata_fields f;
    return sonata_fields_open(&f, r, place, node, names, COUNT) &&
           sonata_field_int(&task->id, r, &f, ID) &&
           sonata_field_int(&task->func_id, r, &f, FUNC) &&
           sonata_field_text(&task->core_type, r, &f, CORE, required) &&
           sonata_field_text_or_null(&task->name, r, &f, NAME) &&
           sonata_field_values(&task->args, &task->arg_count, r, &f, ARGS,
                               false);
}

static bool read_edge(void *item, sonata_reading *r, const sonata_place *place,
                      const sonata_node *node)
{
    enum { CONSUMER, PRODUCER, COUNT };
    static const char *const names[] = {"consumer", "producer"};
    sonata_hbg_edge *edge = item;
    sonata_fields f;
    return sonata_fields_open(&f, r, place, node, names, COUNT) &&
           sonata_field_int(&edge->producer, r, &f, PRODUCER) &&
           sonata_field_int(&edge->consumer, r, &f, CONSUMER);
}

static bool read_metadata(sonata_hbg_plan *plan, sonata_reading *r,
                          const sonata_fields *of, size_t i)
{
    enum { CONTRACT, TARGET, SCHEMA, FINGERPRINT, ADAPTER, COUNT };
    static const char *const names[] = {"runtime_contract_version",
                                        "runtime_target", "schema_version",
                                        "score_fingerprint", "source_adapter"};
    static const sonata_text required = {0};
    sonata_place place = {of->place, of->names[i], 0};
    sonata_fields f;
    if (of->nodes[i] == NULL)
        return sonata_refuse(r, SONATA_SCHEMA, &place, "is missing");
    return sonata_fields_open(&f, r, &place, of->nodes[i], names, COUNT) &&
           sonata_field_version(r, &f, SCHEMA) &&
           sonata_field_int_or(&plan->contract_version, r, &f, CONTRACT, 1) &&
           sonata_field_text(&plan->runtime, r, &f, TARGET,
                             SONATA_TEXT("host_build_graph")) &&
           sonata_field_text(&plan->fingerprint, r, &f, FINGERPRINT,
                             required) &&
           sonata_field_text(&plan->source_adapter, r, &f, ADAPTER,
                             SONATA_TEXT("post_simplify"));
}

static bool read_plan(void *model, sonata_reading *r, const sonata_node *node)
{
    sonata_hbg_plan *plan = model;
    enum { EDGES, METADATA, TASKS, COUNT };
    static const char *const names[] = {"edges", "metadata", "tasks"};
    sonata_fields f;
    if (!sonata_fields_open(&f, r, NULL, node, names, COUNT) ||
        !read_metadata(plan, r, &f, METADATA))
        return false;
    plan->tasks = sonata_field_items(&plan->task_count, r, &f, TASKS,
                                     sizeof *plan->tasks, read_task);
    if (r->status == SONATA_OK)
        plan->edges = sonata_field_items(&plan->edge_count, r, &f, EDGES,
                                         sizeof *plan->edges, read_edge);
    return r->status == SONATA_OK;
}

sonata_status sonata_hbg_plan_read(sonata_hbg_plan *plan, const char *text,
                                   size_t length, sonata_reasons *warnings,
                                   sonata_error *error)
{
    *plan = (sonata_hbg_plan){0};
    sonata_status status = sonata_read_model(plan, &plan->memory, read_plan,
                                             text, length, warnings, error);
    if (status != SONATA_OK)
        sonata_hbg_plan_free(plan);
    return status;
}

static void write_task(sonata_json *w, const sonata_hbg_task *task)
{
    sonata_json_object(w);
    sonata_json_key(w, "core_type");
    sonata_write_text(w, task->core_type);
    sonata_json_key(w, "func_id");
    sonata_json_int(w, task->func_id);
    sonata_json_key(w, "name");
    sonata_write_text(w, task->name);
    sonata_json_key(w, "runtime_args");
    sonata_json_array(w);
    for (size_t i = 0; i < task->arg_count; i++)
        sonata_write_value(w, task->args[i]);
    sonata_json_end_array(w);
    sonata_json_key(w, "task_id");
    sonata_json_int(w, task->id);
    sonata_json_end_object(w);
}

static void write_edges(sonata_json *w, const sonata_hbg_plan *plan)
{
    sonata_json_key(w, "edges");
    sonata_json_array(w);
    for (size_t i = 0; i < plan->edge_count; i++) {
        sonata_json_object(w);
        sonata_json_key(w, "consumer");
        sonata_json_int(w, plan->edges[i].consumer);
        sonata_json_key(w, "producer");
        sonata_json_int(w, plan->edges[i].producer);
        sonata_json_end_object(w);
    }
    sonata_json_end_array(w);
}

static void write_metadata(sonata_json *w, const sonata_hbg_plan *plan)
{
    sonata_json_key(w, "metadata");
    sonata_json_object(w);
    sonata_json_key(w, "runtime_contract_version");
    sonata_json_int(w, plan->contract_version);
    sonata_json_key(w, "runtime_target");
    sonata_write_text(w, plan->runtime);
    sonata_json_key(w, "schema_version");
    sonata_json_int(w, 1);
    sonata_json_key(w, "score_fingerprint");
    sonata_write_text(w, plan->fingerprint);
    sonata_json_key(w, "source_adapter");
    sonata_write_text(w, plan->source_adapter);
    sonata_json_end_object(w);
}

sonata_status sonata_hbg_plan_json(char **json, size_t *length,
                                   const sonata_hbg_plan *plan, bool pretty,
                                   sonata_error *error)
{
    sonata_json w;
    sonata_json_init(&w, pretty);
    sonata_json_object(&w);
    write_edges(&w, plan);
    write_metadata(&w, plan);
    sonata_json_key(&w, "tasks");
    sonata_json_array(&w);
    for (size_t i = 0; i < plan->task_count; i++)
        write_task(&w, &plan->tasks[i]);
    sonata_json_end_array(&w);
    sonata_json_end_object(&w);
    *json = sonata_json_take(&w, length);
    return *json == NULL ? sonata_fail_memory(error) : SONATA_OK;
}
