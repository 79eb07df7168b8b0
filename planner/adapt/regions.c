/* Regions: runs of static statements, and dynamic statements (spec 05). */
#include <stdlib.h>

#include "../json/array.h"
#include "../json/number.h"
#include "../score/document.h"
#include "../score/reason.h"
#include "program.h"

uint32_t sonata_statement_list(const sonata_source *source)
{
    static const sonata_ir_field fields[] = {
        SONATA_IR_BODY, SONATA_IR_STMTS, SONATA_IR_STATEMENTS, SONATA_IR_SEQ};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        uint32_t list = sonata_source_get(source, 0, fields[i]);
        if (list != SONATA_SOURCE_NONE &&
            sonata_source_form(source, list) == SONATA_IR_LIST &&
            source->values[list].count > 0)
            return list;
    }
    return SONATA_SOURCE_NONE;
}

/* Why a kind of statement is a region of its own; NULL for a static one. */
static const char *dynamic_code(sonata_text kind)
{
    if (sonata_text_is(kind, "ForStmt") || sonata_text_is(kind, "IfStmt") ||
        sonata_text_is(kind, "WhileStmt"))
        return "control_flow_not_supported";
    return sonata_text_is(kind, "RuntimeScopeStmt")
               ? "unsupported_runtime_scope"
               : NULL;
}

typedef struct splitter {
    sonata_regions *regions;
    size_t capacity;
} splitter;

static bool add(splitter *s, sonata_region region)
{
    sonata_regions *r = s->regions;
    sonata_region *items =
        sonata_grow(r->items, &s->capacity, r->count, sizeof *items);
    if (items == NULL)
        return false;
    r->items = items;
    items[r->count++] = region;
    r->static_count += region.is_dynamic ? 0 : 1;
    return true;
}

static bool add_dynamic(splitter *s, sonata_text kind, const char *code,
                        sonata_text tail, bool is_warning)
{
    sonata_region region = {
        .is_dynamic = true,
        .control_flow_kind = kind,
        .node_count = 1,
        .fallback = {code, SONATA_JOIN(s->regions->memory, kind, tail),
                     is_warning}};
    return region.fallback.message.text != NULL && add(s, region);
}

static bool add_static(splitter *s)
{
    sonata_regions *r = s->regions;
    if (r->count > 0 && !r->items[r->count - 1].is_dynamic) {
        r->items[r->count - 1].node_count++;
        return true;
    }
    return add(s, (sonata_region){.node_count = 1});
}

static bool split(splitter *s, const sonata_source *source, uint32_t list)
{
    const sonata_ir_value *v = &source->values[list];
    bool ok = true;
    for (uint32_t i = 0; i < v->count && ok; i++) {
        sonata_text kind = sonata_source_node_kind(
            source, sonata_source_at(source, v->first + i));
        const char *code = dynamic_code(kind);
        ok = code == NULL
                 ? add_static(s)
                 : add_dynamic(
                       s, kind, code,
                       SONATA_TEXT(" region falls back to dynamic execution"),
                       true);
    }
    return ok;
}

/* Without a list the root node is one region. */
static bool add_root(splitter *s, const sonata_source *source)
{
    sonata_text kind = sonata_source_node_kind(source, 0);
    const char *code = dynamic_code(kind);
    return code == NULL
               ? add_static(s)
               : add_dynamic(s, kind, code, SONATA_TEXT(" is a dynamic region"),
                             false);
}

sonata_status sonata_ir_regions(sonata_regions *regions,
                                const sonata_program *program,
                                sonata_error *error)
{
    const sonata_source *source = &program->source;
    uint32_t list = sonata_statement_list(source);
    *regions = (sonata_regions){.memory = calloc(1, sizeof(sonata_arena))};
    splitter s = {.regions = regions};
    bool ok = regions->memory != NULL &&
              (list == SONATA_SOURCE_NONE ? add_root(&s, source)
                                          : split(&s, source, list));
    if (ok)
        return SONATA_OK;
    sonata_regions_free(regions);
    return sonata_fail_memory(error);
}

void sonata_regions_free(sonata_regions *regions)
{
    if (regions->memory != NULL) {
        sonata_arena_free(regions->memory);
        free(regions->memory);
    }
    free(regions->items);
    *regions = (sonata_regions){0};
}

void sonata_write_region(sonata_json *w, const sonata_region *region,
                         size_t number, const sonata_eligibility *result,
                         bool has_unknown_access)
{
    sonata_json_key(w, "control_flow_kind");
    sonata_write_text(w, region->control_flow_kind);
    if (result != NULL) {
        sonata_json_key(w, "eligibility");
        if (region->is_dynamic)
            sonata_json_null(w);
        else
            sonata_write_eligibility(w, result);
    }
    sonata_json_key(w, "fallback");
    if (region->is_dynamic)
        sonata_write_reason(w, &region->fallback);
    else
        sonata_json_null(w);
    if (result != NULL) {
        sonata_json_key(w, "has_unknown_access");
        sonata_json_bool(w, has_unknown_access);
    }
    sonata_json_key(w, "kind");
    sonata_json_string(w, region->is_dynamic ? "dynamic" : "static");
    sonata_json_key(w, "node_count");
    sonata_json_int(w, (int64_t)region->node_count);
    sonata_json_key(w, "region_id");
    sonata_json_int(w, (int64_t)number);
}

void sonata_write_static_ratio(sonata_json *w, size_t static_count,
                               size_t count)
{
    char text[SONATA_DOUBLE_SIZE];
    size_t length =
        sonata_double_spell(text, (double)static_count / (double)count);
    sonata_json_key(w, "static_ratio");
    sonata_json_raw(w, text, length);
}

sonata_status sonata_regions_json(char **json, size_t *length,
                                  const sonata_regions *regions, bool pretty,
                                  sonata_error *error)
{
    sonata_json w;
    sonata_json_init(&w, pretty);
    sonata_json_object(&w);
    sonata_json_key(&w, "regions");
    sonata_json_array(&w);
    for (size_t i = 0; i < regions->count; i++) {
        sonata_json_object(&w);
        sonata_write_region(&w, &regions->items[i], i, NULL, false);
        sonata_json_end_object(&w);
    }
    sonata_json_end_array(&w);
    sonata_json_key(&w, "schema_version");
    sonata_json_int(&w, 1);
    sonata_write_static_ratio(&w, regions->static_count, regions->count);
    sonata_json_end_object(&w);
    *json = sonata_json_take(&w, length);
    return *json == NULL ? sonata_fail_memory(error) : SONATA_OK;
}

/* All regions are dynamic: their reasons, as errors. */
static sonata_status reject(sonata_eligibility *result,
                            const sonata_regions *regions, sonata_error *error)
{
    sonata_arena *arena = sonata_reasons_memory(&result->reasons);
    bool ok = arena != NULL;
    for (size_t i = 0; i < regions->count && ok; i++) {
        const sonata_reason *reason = &regions->items[i].fallback;
        ok = sonata_reasons_add(&result->reasons, reason->code,
                                SONATA_JOIN(arena, reason->message), false);
    }
    if (ok)
        return SONATA_OK;
    sonata_eligibility_free(result);
    return sonata_fail_memory(error);
}

sonata_status sonata_ir_region_eligibility(sonata_eligibility *result,
                                           const sonata_program *program,
                                           const sonata_ir_options *options,
                                           sonata_error *error)
{
    sonata_regions regions;
    *result = (sonata_eligibility){0};
    sonata_status status = sonata_ir_regions(&regions, program, error);
    if (status != SONATA_OK)
        return status;
    status = regions.static_count == 0
                 ? reject(result, &regions, error)
                 : sonata_ir_plan(result, program, options, error);
    sonata_regions_free(&regions);
    return status;
}
