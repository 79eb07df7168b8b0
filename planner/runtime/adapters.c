/* The registry of adapters (spec 04). */
#include <stdlib.h>

#include "sonata/runtime.h"

#include "../json/array.h"
#include "../json/fields.h"
#include "../json/writer.h"
#include "../score/document.h"

/* Most adapters in a document: registering compares with all before. */
enum { CAPABILITIES = 6, ADAPTERS_LIMIT = 1000 };

/* In the order of their bits; sorted, as JSON has its keys, they are by
 * `written`. */
static const char *const capability_names[CAPABILITIES] = {
    "static_shapes",    "storage_keys",         "arg_directions",
    "dependency_kinds", "control_flow_regions", "runtime_scopes"};
static const unsigned written[CAPABILITIES] = {2, 4, 3, 5, 0, 1};

sonata_status sonata_adapters_default(sonata_adapters *adapters,
                                      sonata_error *error)
{
    enum {
        COMMON =
            SONATA_STATIC_SHAPES | SONATA_STORAGE_KEYS | SONATA_ARG_DIRECTIONS
    };
    static const sonata_adapter defaults[] = {
        {SONATA_TEXT_INIT("post_simplify"), 1,
         SONATA_TEXT_INIT("after_collect_comm_groups_simplify"), COMMON},
        {SONATA_TEXT_INIT("pre_runtime"), 1,
         SONATA_TEXT_INIT("pre_runtime_scope"),
         COMMON | SONATA_DEPENDENCY_KINDS},
        {SONATA_TEXT_INIT("post_simplify_with_scope"), 1,
         SONATA_TEXT_INIT("after_collect_comm_groups_simplify_with_scope"),
         COMMON | SONATA_RUNTIME_SCOPES},
    };
    sonata_status status = SONATA_OK;
    *adapters = (sonata_adapters){0};
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        if (status == SONATA_OK)
            status = sonata_adapters_register(adapters, &defaults[i], error);
    if (status != SONATA_OK)
        sonata_adapters_free(adapters);
    return status;
}

void sonata_adapters_free(sonata_adapters *adapters)
{
    if (adapters->memory != NULL) {
        sonata_arena_free(adapters->memory);
        free(adapters->memory);
    }
    free(adapters->items);
    *adapters = (sonata_adapters){0};
}

sonata_status sonata_adapters_register(sonata_adapters *adapters,
                                       const sonata_adapter *adapter,
                                       sonata_error *error)
{
    if (adapter->name.text == NULL)
        return sonata_fail(error, SONATA_REJECTED, "adapter.duplicate",
                           "an adapter needs a name");
    if (sonata_adapters_find(adapters, adapter->name) != NULL)
        return sonata_fail(error, SONATA_REJECTED, "adapter.duplicate",
                           "adapter '%s' is already registered",
                           adapter->name.text);
    sonata_adapter *items = sonata_grow(adapters->items, &adapters->capacity,
                                        adapters->count, sizeof *items);
    if (items == NULL)
        return sonata_fail_memory(error);
    adapters->items = items;
    items[adapters->count++] = *adapter;
    return SONATA_OK;
}

const sonata_adapter *sonata_adapters_find(const sonata_adapters *adapters,
                                           sonata_text name)
{
    for (size_t i = 0; i < adapters->count; i++)
        if (sonata_text_equal(adapters->items[i].name, name))
            return &adapters->items[i];
    return NULL;
}

const sonata_adapter *sonata_adapters_select(const sonata_adapters *adapters,
                                             const sonata_adapter *after,
                                             unsigned capabilities)
{
    size_t i = after == NULL ? 0 : (size_t)(after - adapters->items) + 1;
    for (; i < adapters->count; i++)
        if ((adapters->items[i].capabilities & capabilities) == capabilities)
            return &adapters->items[i];
    return NULL;
}

bool sonata_adapters_accept(const sonata_adapters *adapters,
                            const sonata_handle *handle)
{
    return sonata_adapters_find(adapters, handle->source_adapter) != NULL;
}

static void write_adapter(sonata_json *w, const sonata_adapter *adapter)
{
    sonata_json_object(w);
    sonata_json_key(w, "capabilities");
    sonata_json_object(w);
    for (size_t i = 0; i < CAPABILITIES; i++) {
        unsigned bit = 1u << written[i];
        sonata_json_key(w, capability_names[written[i]]);
        sonata_json_bool(w, (adapter->capabilities & bit) != 0);
    }
    sonata_json_end_object(w);
    sonata_json_key(w, "certified_dump");
    sonata_write_text(w, adapter->certified_dump);
    sonata_json_key(w, "name");
    sonata_write_text(w, adapter->name);
    sonata_json_key(w, "version");
    sonata_json_int(w, adapter->version);
    sonata_json_end_object(w);
}

sonata_status sonata_adapters_json(char **json, size_t *length,
                                   const sonata_adapters *adapters, bool pretty,
                                   sonata_error *error)
{
    sonata_json w;
    sonata_json_init(&w, pretty);
    sonata_json_object(&w);
    sonata_json_key(&w, "adapters");
    sonata_json_array(&w);
    for (size_t i = 0; i < adapters->count; i++)
        write_adapter(&w, &adapters->items[i]);
    sonata_json_end_array(&w);
    sonata_json_key(&w, "schema_version");
    sonata_json_int(&w, 1);
    sonata_json_end_object(&w);
    *json = sonata_json_take(&w, length);
    return *json == NULL ? sonata_fail_memory(error) : SONATA_OK;
}

static bool read_capabilities(unsigned *capabilities, sonata_reading *r,
                              const sonata_fields *of, size_t field)
{
    sonata_place place = {of->place, of->names[field], 0};
    sonata_fields f;
    if (of->nodes[field] == NULL)
        return sonata_refuse(r, SONATA_SCHEMA, &place, "is missing");
    if (!sonata_fields_open(&f, r, &place, of->nodes[field], capability_names,
                            CAPABILITIES))
        return false;
    for (size_t i = 0; i < CAPABILITIES; i++) {
        bool has = false;
        if (f.nodes[i] != NULL && !sonata_field_bool(&has, r, &f, i))
            return false;
        *capabilities |= has ? 1u << i : 0;
    }
    return true;
}

static bool read_adapter(void *item, sonata_reading *r,
                         const sonata_place *place, const sonata_node *node)
{
    enum { CAPABLE, DUMP, NAME, VERSION, COUNT };
    static const char *const names[] = {"capabilities", "certified_dump",
                                        "name", "version"};
    static const sonata_text required = {0};
    sonata_adapter *adapter = item;
    sonata_fields f;
    return sonata_fields_open(&f, r, place, node, names, COUNT) &&
           sonata_field_text(&adapter->name, r, &f, NAME, required) &&
           sonata_field_int(&adapter->version, r, &f, VERSION) &&
           sonata_field_text(&adapter->certified_dump, r, &f, DUMP, required) &&
           read_capabilities(&adapter->capabilities, r, &f, CAPABLE);
}

static bool read_registry(void *model, sonata_reading *r,
                          const sonata_node *node)
{
    sonata_adapters *adapters = model;
    enum { ADAPTERS, SCHEMA, COUNT };
    static const char *const names[] = {"adapters", "schema_version"};
    size_t count = 0;
    sonata_fields f;
    if (!sonata_fields_open(&f, r, NULL, node, names, COUNT) ||
        !sonata_field_version(r, &f, SCHEMA))
        return false;
    sonata_place place = {NULL, names[ADAPTERS], 0};
    if (f.nodes[ADAPTERS] == NULL)
        return sonata_refuse(r, SONATA_SCHEMA, &place, "is missing");
    const sonata_adapter *items = sonata_field_items(
        &count, r, &f, ADAPTERS, sizeof *items, read_adapter);
    if (r->status == SONATA_OK && count > ADAPTERS_LIMIT)
        return sonata_refuse(r, SONATA_RANGE, &place, "has over %d items",
                             ADAPTERS_LIMIT);
    for (size_t i = 0; i < count && r->status == SONATA_OK; i++)
        r->status = sonata_adapters_register(adapters, &items[i], r->error);
    return r->status == SONATA_OK;
}

sonata_status sonata_adapters_read(sonata_adapters *adapters, const char *text,
                                   size_t length, sonata_reasons *warnings,
                                   sonata_error *error)
{
    *adapters = (sonata_adapters){0};
    sonata_status status =
        sonata_read_model(adapters, &adapters->memory, read_registry, text,
                          length, warnings, error);
    if (status != SONATA_OK)
        sonata_adapters_free(adapters);
    return status;
}
