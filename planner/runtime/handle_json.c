/* The PlanHandle as a document. */
#include "handle.h"

#include <stdlib.h>

#include "../score/document.h"
#include "../score/read.h"

static bool read_entry(void *item, sonata_reading *r, const sonata_place *place,
                       const sonata_node *node)
{
    enum { NAME, RUNTIME, SONATA, COUNT };
    static const char *const names[] = {"name", "runtime_func_id",
                                        "sonata_func_id"};
    static const sonata_text required = {0};
    sonata_func_entry *entry = item;
    sonata_fields f;
    if (!sonata_fields_open(&f, r, place, node, names, COUNT) ||
        !sonata_field_text(&entry->name, r, &f, NAME, required) ||
        !sonata_field_int(&entry->func_id, r, &f, SONATA))
        return false;
    const sonata_node *bound = f.nodes[RUNTIME];
    sonata_place bound_place = {place, names[RUNTIME], 0};
    entry->is_bound =
        bound != NULL && sonata_node_kind_of(r->doc, bound) != SONATA_NODE_NULL;
    if (!entry->is_bound)
        return true;
    if (sonata_node_kind_of(r->doc, bound) != SONATA_NODE_INT)
        return sonata_refuse_type(r, &bound_place, "an int or null", bound);
    return sonata_read_int(&entry->runtime_id, r, &bound_place, bound);
}

static bool read_binding(void *item, sonata_reading *r,
                         const sonata_place *place, const sonata_node *node)
{
    enum { INDEX, DIRECTION, HANDLE, KEY, TASK, COUNT };
    static const char *const names[] = {
        "arg_index", "direction", "runtime_handle", "storage_key", "task_id"};
    sonata_binding *binding = item;
    sonata_fields f;
    return sonata_fields_open(&f, r, place, node, names, COUNT) &&
           sonata_field_int(&binding->task_id, r, &f, TASK) &&
           sonata_field_int(&binding->arg_index, r, &f, INDEX) &&
           sonata_field_value(&binding->storage_key, r, &f, KEY) &&
           sonata_field_text(&binding->direction, r, &f, DIRECTION,
                             SONATA_TEXT("Input")) &&
           sonata_field_value(&binding->runtime_handle, r, &f, HANDLE);
}

bool sonata_read_handle(sonata_handle *handle, sonata_reading *r,
                        const sonata_place *place, const sonata_node *node)
{
    enum {
        BINDINGS,
        REGISTRY,
        METADATA,
        CONTRACT,
        TARGET,
        SCHEMA,
        SCORE,
        ADAPTER,
        COUNT
    };
    static const char *const names[] = {
        "arg_bindings",      "func_registry",
        "metadata",          "runtime_contract_version",
        "runtime_target",    "schema_version",
        "score_fingerprint", "source_adapter"};
    static const sonata_text required = {0};
    sonata_fields f;
    if (!sonata_fields_open(&f, r, place, node, names, COUNT) ||
        !sonata_field_version(r, &f, SCHEMA) ||
        !sonata_field_text(&handle->fingerprint, r, &f, SCORE, required) ||
        !sonata_field_text(&handle->source_adapter, r, &f, ADAPTER,
                           SONATA_TEXT("post_simplify")) ||
        !sonata_field_int_or(&handle->contract_version, r, &f, CONTRACT, 1) ||
        !sonata_read_target(&handle->target, r, &f, TARGET) ||
        !sonata_field_object(&handle->metadata, r, &f, METADATA))
        return false;
    handle->entries = sonata_field_items(&handle->entry_count, r, &f, REGISTRY,
                                         sizeof *handle->entries, read_entry);
    if (r->status == SONATA_OK)
        handle->bindings =
            sonata_field_items(&handle->binding_count, r, &f, BINDINGS,
                               sizeof *handle->bindings, read_binding);
    return r->status == SONATA_OK;
}

sonata_status sonata_handle_from_node(sonata_handle *handle,
                                      const sonata_doc *doc,
                                      const sonata_node *node,
                                      sonata_reasons *warnings,
                                      sonata_error *error)
{
    *handle = (sonata_handle){0};
    sonata_arena *memory = calloc(1, sizeof *memory);
    if (memory == NULL)
        return sonata_fail_memory(error);
    sonata_reading r = {
        .doc = doc, .arena = memory, .warnings = warnings, .error = error};
    bool done = sonata_read_handle(handle, &r, NULL, node);
    handle->memory = memory;
    if (!done)
        sonata_handle_free(handle);
    sonata_reading_free(&r);
    return r.status;
}

sonata_status sonata_handle_read(sonata_handle *handle, const char *text,
                                 size_t length, sonata_reasons *warnings,
                                 sonata_error *error)
{
    *handle = (sonata_handle){0};
    sonata_doc *doc = NULL;
    sonata_status status = sonata_doc_read(&doc, text, length, error);
    if (status == SONATA_OK)
        status = sonata_handle_from_node(handle, doc, sonata_doc_root(doc),
                                         warnings, error);
    sonata_doc_free(doc);
    return status;
}

static void write_bindings(sonata_json *w, const sonata_handle *handle)
{
    sonata_json_key(w, "arg_bindings");
    sonata_json_array(w);
    for (size_t i = 0; i < handle->binding_count; i++) {
        const sonata_binding *binding = &handle->bindings[i];
        sonata_json_object(w);
        sonata_json_key(w, "arg_index");
        sonata_json_int(w, binding->arg_index);
        sonata_json_key(w, "direction");
        sonata_write_text(w, binding->direction);
        sonata_json_key(w, "runtime_handle");
        sonata_write_value(w, binding->runtime_handle);
        sonata_json_key(w, "storage_key");
        sonata_write_value(w, binding->storage_key);
        sonata_json_key(w, "task_id");
        sonata_json_int(w, binding->task_id);
        sonata_json_end_object(w);
    }
    sonata_json_end_array(w);
}

static void write_entries(sonata_json *w, const sonata_handle *handle)
{
    sonata_json_key(w, "func_registry");
    sonata_json_array(w);
    for (size_t i = 0; i < handle->entry_count; i++) {
        const sonata_func_entry *entry = &handle->entries[i];
        sonata_json_object(w);
        sonata_json_key(w, "name");
        sonata_write_text(w, entry->name);
        sonata_json_key(w, "runtime_func_id");
        if (entry->is_bound)
            sonata_json_int(w, entry->runtime_id);
        else
            sonata_json_null(w);
        sonata_json_key(w, "sonata_func_id");
        sonata_json_int(w, entry->func_id);
        sonata_json_end_object(w);
    }
    sonata_json_end_array(w);
}

void sonata_write_handle(sonata_json *w, const sonata_handle *handle)
{
    sonata_text metadata = handle->metadata;
    if (metadata.text == NULL)
        metadata = SONATA_TEXT("{}");
    sonata_json_object(w);
    write_bindings(w, handle);
    write_entries(w, handle);
    sonata_json_key(w, "metadata");
    sonata_json_raw(w, metadata.text, metadata.length);
    sonata_json_key(w, "runtime_contract_version");
    sonata_json_int(w, handle->contract_version);
    sonata_json_key(w, "runtime_target");
    sonata_write_target(w, &handle->target);
    sonata_json_key(w, "schema_version");
    sonata_json_int(w, 1);
    sonata_json_key(w, "score_fingerprint");
    sonata_write_text(w, handle->fingerprint);
    sonata_json_key(w, "source_adapter");
    sonata_write_text(w, handle->source_adapter);
    sonata_json_end_object(w);
}

sonata_status sonata_handle_json(char **json, size_t *length,
                                 const sonata_handle *handle, bool pretty,
                                 sonata_error *error)
{
    sonata_json w;
    sonata_json_init(&w, pretty);
    sonata_write_handle(&w, handle);
    *json = sonata_json_take(&w, length);
    return *json == NULL ? sonata_fail_memory(error) : SONATA_OK;
}
