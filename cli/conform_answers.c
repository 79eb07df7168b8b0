/* Our own answers to the fields of a case, as the vectors write them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conform_case.h"
#include "sonata/runtime.h"

static void put_text(cli_text *out, sonata_text text)
{
    if (text.text == NULL)
        cli_text_put(out, "null");
    else
        cli_text_json(out, text.text, text.length);
}

static void put_value(cli_text *out, const sonata_value *value)
{
    if (value->kind == SONATA_STRING)
        put_text(out, value->text);
    else if (value->kind == SONATA_NULL)
        cli_text_put(out, "null");
    else
        cli_text_add(out, value->text.text, value->text.length);
}

/* Takes over a text that a writer of the planner made. */
static void take_json(conform_answer *a, sonata_status status, char *json,
                      size_t length)
{
    a->status = status;
    if (status == SONATA_OK)
        cli_text_add(&a->text, json, length);
    free(json);
}

static void put_separator(cli_text *out, size_t i)
{
    if (i > 0)
        cli_text_put(out, ",");
}

/* --- The document --- */

static void answer_fingerprint_of(conform_case *c, conform_answer *a,
                                  bool metadata)
{
    char digest[SONATA_FINGERPRINT_SIZE];
    a->status =
        sonata_score_fingerprint(digest, &c->score, metadata, &a->error);
    if (a->status == SONATA_OK)
        cli_text_quote(&a->text, digest);
}

static void answer_fingerprint(conform_case *c, conform_answer *a,
                               const sonata_node *expected)
{
    (void)expected;
    answer_fingerprint_of(c, a, false);
}

static void answer_full_fingerprint(conform_case *c, conform_answer *a,
                                    const sonata_node *expected)
{
    (void)expected;
    answer_fingerprint_of(c, a, true);
}

static void answer_score_json(conform_case *c, conform_answer *a,
                              const sonata_node *expected)
{
    char *json = NULL;
    size_t length = 0;
    (void)expected;
    sonata_status status =
        sonata_score_json(&json, &length, &c->score, true, &a->error);
    take_json(a, status, json, length);
}

static void answer_validate(conform_case *c, conform_answer *a,
                            const sonata_node *expected)
{
    sonata_reasons reasons = {0};
    (void)expected;
    a->status = sonata_score_validate(&reasons, &c->score, &a->error);
    cli_text_put(&a->text, sonata_reasons_reject(&reasons)
                               ? "{\"eligible\":false,\"reasons\":["
                               : "{\"eligible\":true,\"reasons\":[");
    for (size_t i = 0; i < reasons.count; i++) {
        put_separator(&a->text, i);
        put_text(&a->text, reasons.items[i].message);
    }
    cli_text_put(&a->text, "]}");
    sonata_reasons_free(&reasons);
}

/* --- Policies --- */

static void put_edges(conform_answer *a, sonata_dependency *edges, size_t count)
{
    cli_text_put(&a->text, "[");
    for (size_t i = 0; i < count; i++) {
        put_separator(&a->text, i);
        cli_text_printf(&a->text, "[%lld,%lld,", (long long)edges[i].producer,
                        (long long)edges[i].consumer);
        put_text(&a->text, edges[i].kind);
        cli_text_put(&a->text, "]");
    }
    cli_text_put(&a->text, "]");
    free(edges);
}

static void answer_policy(conform_case *c, conform_answer *a,
                          const char *policy)
{
    sonata_dependency *edges = NULL;
    size_t count = 0;
    a->status =
        sonata_plan_dependencies(&edges, &count, &c->score, policy, &a->error);
    if (a->status == SONATA_OK)
        put_edges(a, edges, count);
}

static void answer_sequential(conform_case *c, conform_answer *a,
                              const sonata_node *expected)
{
    (void)expected;
    answer_policy(c, a, "sequential_v0");
}

static void answer_dataflow(conform_case *c, conform_answer *a,
                            const sonata_node *expected)
{
    (void)expected;
    answer_policy(c, a, "dataflow_v0");
}

static void answer_mixed(conform_case *c, conform_answer *a,
                         const sonata_node *expected)
{
    (void)expected;
    answer_policy(c, a, "mixed");
}

static void fail(conform_answer *a, sonata_status status, const char *message)
{
    a->status = status;
    a->error.status = status;
    snprintf(a->error.message, sizeof a->error.message, "%s", message);
}

/* The ids of a list, freed by the caller; NULL with the answer failed. */
static int64_t *read_ids(conform_case *c, conform_answer *a,
                         const sonata_node *list, size_t *count)
{
    int64_t *ids =
        calloc(list == NULL ? 1 : sonata_node_count(list) + 1, sizeof *ids);
    *count = 0;
    if (ids == NULL) {
        fail(a, SONATA_NO_MEMORY, "out of memory");
        return NULL;
    }
    const sonata_node *m = list == NULL ? NULL : sonata_node_first(list);
    for (; m != NULL; m = sonata_node_next(m)) {
        if (!sonata_node_int(&ids[(*count)++], c->doc, m)) {
            fail(a, SONATA_RANGE, "a task id is no integer of 64 bits");
            a->is_refusal = true;
            free(ids);
            return NULL;
        }
    }
    return ids;
}

/* The set comes with the answer, which it is a part of. */
static void answer_side_effects(conform_case *c, conform_answer *a,
                                const sonata_node *expected)
{
    sonata_dependency *edges = NULL;
    size_t count = 0, id_count = 0;
    const sonata_node *list =
        sonata_node_get(c->doc, expected, "side_effect_tasks");
    int64_t *ids = read_ids(c, a, list, &id_count);
    if (ids == NULL)
        return;
    a->status =
        sonata_plan_mixed(&edges, &count, &c->score, ids, id_count, &a->error);
    if (a->status == SONATA_OK) {
        cli_text_put(&a->text, "{\"deps\":");
        put_edges(a, edges, count);
        cli_text_put(&a->text, ",\"side_effect_tasks\":[");
        for (size_t i = 0; i < id_count; i++) {
            put_separator(&a->text, i);
            cli_text_printf(&a->text, "%lld", (long long)ids[i]);
        }
        cli_text_put(&a->text, "]}");
    }
    free(ids);
}

static void answer_fallback(conform_case *c, conform_answer *a,
                            const sonata_node *expected)
{
    const char *code = sonata_dataflow_fallback(&c->score);
    (void)expected;
    if (code == NULL)
        cli_text_put(&a->text, "null");
    else
        cli_text_quote(&a->text, code);
}

/* --- Memory --- */

/* Every answer about memory rests on the lifetimes. */
static bool has_lifetimes(conform_case *c, conform_answer *a)
{
    a->status = c->liveness_status;
    a->error = c->liveness_error;
    return a->status == SONATA_OK;
}

static void answer_lifetimes(conform_case *c, conform_answer *a,
                             const sonata_node *expected)
{
    (void)expected;
    if (!has_lifetimes(c, a))
        return;
    cli_text_put(&a->text, "[");
    for (size_t i = 0; i < c->liveness.count; i++) {
        const sonata_lifetime *l = &c->liveness.items[i];
        cli_text_put(&a->text, i > 0 ? ",[" : "[");
        put_value(&a->text, &l->key);
        cli_text_printf(&a->text, ",%lld,%lld]", (long long)l->birth,
                        (long long)l->death);
    }
    cli_text_put(&a->text, "]");
}

static void answer_conflicts(conform_case *c, conform_answer *a,
                             const sonata_node *expected)
{
    sonata_conflict *pairs = NULL;
    size_t count = 0;
    (void)expected;
    if (!has_lifetimes(c, a))
        return;
    a->status = sonata_find_conflicts(&pairs, &count, &c->liveness,
                                      SONATA_OVERLAP_INCLUSIVE, &a->error);
    cli_text_put(&a->text, "[");
    for (size_t i = 0; a->status == SONATA_OK && i < count; i++) {
        cli_text_put(&a->text, i > 0 ? ",[" : "[");
        put_value(&a->text, &c->liveness.items[pairs[i].earlier].key);
        cli_text_put(&a->text, ",");
        put_value(&a->text, &c->liveness.items[pairs[i].later].key);
        cli_text_put(&a->text, "]");
    }
    cli_text_put(&a->text, "]");
    free(pairs);
}

/* A pair [key, bytes]; the key's text belongs to `keys`. */
static bool read_size(sonata_buffer_size *size, cli_text *keys,
                      const conform_case *c, const sonata_node *pair)
{
    static const sonata_value_kind kinds[] = {
        [SONATA_NODE_NULL] = SONATA_NULL,
        [SONATA_NODE_BOOL] = SONATA_BOOL,
        [SONATA_NODE_INT] = SONATA_INT,
        [SONATA_NODE_FLOAT] = SONATA_FLOAT,
        [SONATA_NODE_STRING] = SONATA_STRING,
        [SONATA_NODE_LIST] = SONATA_NESTED,
        [SONATA_NODE_OBJECT] = SONATA_NESTED,
    };
    const sonata_node *key = sonata_node_first(pair);
    if (key == NULL || sonata_node_next(key) == NULL)
        return false;
    sonata_text text = sonata_node_text(c->doc, key);
    char *json = NULL;
    size->key.kind = kinds[sonata_node_kind_of(c->doc, key)];
    if (text.text == NULL) {
        if (sonata_node_json(&json, &text.length, c->doc, key, false, NULL) !=
            SONATA_OK)
            return false;
        text.text = json;
    }
    cli_text_add(keys, text.text, text.length);
    free(json);
    size->key.text = (sonata_text){keys->data, text.length};
    return !keys->failed &&
           sonata_node_int(&size->bytes, c->doc, sonata_node_next(key));
}

static void plan_memory(conform_case *c, conform_answer *a,
                        sonata_memory_plan *plan)
{
    const sonata_node *list = conform_get(c, "buffer_sizes");
    size_t room = list == NULL ? 0 : sonata_node_count(list);
    size_t count = 0;
    sonata_buffer_size *sizes = calloc(room + 1, sizeof *sizes);
    cli_text *keys = calloc(room + 1, sizeof *keys);
    const sonata_node *m = room == 0 ? NULL : sonata_node_first(list);
    if (sizes == NULL || keys == NULL)
        fail(a, SONATA_NO_MEMORY, "out of memory");
    for (; m != NULL && a->status == SONATA_OK; m = sonata_node_next(m)) {
        if (!read_size(&sizes[count], &keys[count], c, m)) {
            fail(a, SONATA_RANGE,
                 "buffer_sizes has an item that is no key and number of "
                 "bytes below 2^63");
            a->is_refusal = true;
        }
        count++;
    }
    if (a->status == SONATA_OK)
        a->status = sonata_plan_greedy_v0(plan, &c->liveness, sizes, count,
                                          SONATA_OVERLAP_INCLUSIVE, &a->error);
    if (strcmp(a->error.code, "memory.negative-size") == 0)
        a->is_refusal = true;
    for (size_t i = 0; keys != NULL && i < count; i++)
        cli_text_free(&keys[i]);
    free(keys);
    free(sizes);
}

static void answer_memory_plan(conform_case *c, conform_answer *a,
                               const sonata_node *expected)
{
    sonata_memory_plan plan = {0};
    (void)expected;
    if (!has_lifetimes(c, a))
        return;
    plan_memory(c, a, &plan);
    cli_text_put(&a->text, "{\"allocations\":[");
    for (size_t i = 0; i < plan.count; i++) {
        cli_text_put(&a->text, i > 0 ? ",[" : "[");
        put_value(&a->text, &plan.items[i].key);
        cli_text_printf(&a->text, ",%lld,%lld]",
                        (long long)plan.items[i].offset,
                        (long long)plan.items[i].size);
    }
    cli_text_printf(&a->text, "],\"peak\":%lld}", (long long)plan.peak);
    sonata_memory_plan_free(&plan);
}

static void answer_peak(conform_case *c, conform_answer *a,
                        const sonata_node *expected)
{
    sonata_memory_plan plan = {0};
    (void)expected;
    if (!has_lifetimes(c, a))
        return;
    plan_memory(c, a, &plan);
    cli_text_printf(&a->text, "%lld", (long long)plan.peak);
    sonata_memory_plan_free(&plan);
}

/* --- Handle and runtime --- */

/* The one rule that vectors name in words. */
static const char memory_rule[] =
    "PlanHandle.from_score(score) + one RuntimeArgBinding per "
    "memory-direction arg, in (task, arg) order, runtime_handle = arg index";

/* The handle that the case gives, or that its rule makes. */
static bool make_handle(conform_case *c, conform_answer *a,
                        sonata_handle *handle)
{
    const sonata_node *given = conform_get(c, "plan_handle");
    const sonata_node *rule = conform_get(c, "plan_handle_rule");
    if (given != NULL) {
        a->status =
            sonata_handle_from_node(handle, c->doc, given, NULL, &a->error);
        a->is_refusal = a->status == SONATA_RANGE;
        return a->status == SONATA_OK;
    }
    sonata_text words = {0};
    if (rule != NULL)
        words = sonata_node_text(c->doc, rule);
    if (words.text == NULL || strcmp(words.text, memory_rule) != 0) {
        fail(a, SONATA_UNSUPPORTED,
             rule == NULL ? "the case has no plan_handle"
                          : "the plan_handle_rule is not known");
        return false;
    }
    sonata_handle_options options = {.bindings = SONATA_BIND_MEMORY};
    a->status =
        sonata_handle_from_score(handle, &c->score, &options, &a->error);
    return a->status == SONATA_OK;
}

static void answer_handle_as(conform_case *c, conform_answer *a, bool pretty)
{
    sonata_handle handle = {0};
    char *json = NULL;
    size_t length = 0;
    if (!make_handle(c, a, &handle))
        return;
    sonata_status status =
        sonata_handle_json(&json, &length, &handle, pretty, &a->error);
    take_json(a, status, json, length);
    sonata_handle_free(&handle);
}

static void answer_handle_json(conform_case *c, conform_answer *a,
                               const sonata_node *expected)
{
    (void)expected;
    answer_handle_as(c, a, true);
}

static void answer_handle(conform_case *c, conform_answer *a,
                          const sonata_node *expected)
{
    (void)expected;
    answer_handle_as(c, a, false);
}

static void put_reasons(cli_text *out, const sonata_reasons *reasons)
{
    cli_text_put(out, "[");
    for (size_t i = 0; i < reasons->count; i++) {
        const sonata_reason *r = &reasons->items[i];
        cli_text_put(out, i > 0 ? ",[" : "[");
        cli_text_quote(out, r->code);
        cli_text_put(out, ",");
        put_text(out, r->message);
        cli_text_printf(out, ",\"%s\"]", r->is_warning ? "warning" : "error");
    }
    cli_text_put(out, "]");
}

static void put_hbg_task(cli_text *out, const sonata_hbg_task *task)
{
    cli_text_put(out, "{\"core_type\":");
    put_text(out, task->core_type);
    cli_text_printf(out,
                    ",\"func_id\":%lld,\"name\":", (long long)task->func_id);
    put_text(out, task->name);
    cli_text_put(out, ",\"runtime_args\":[");
    for (size_t i = 0; i < task->arg_count; i++) {
        put_separator(out, i);
        put_value(out, &task->args[i]);
    }
    cli_text_printf(out, "],\"task_id\":%lld}", (long long)task->id);
}

static void put_hbg(cli_text *out, const sonata_hbg_plan *plan)
{
    cli_text_put(out, "{\"edges\":[");
    for (size_t i = 0; i < plan->edge_count; i++)
        cli_text_printf(out, "%s[%lld,%lld]", i > 0 ? "," : "",
                        (long long)plan->edges[i].producer,
                        (long long)plan->edges[i].consumer);
    cli_text_printf(out, "],\"metadata\":{\"runtime_contract_version\":%lld,",
                    (long long)plan->contract_version);
    cli_text_put(out, "\"runtime_target\":");
    put_text(out, plan->runtime);
    cli_text_put(out, ",\"schema_version\":1,\"score_fingerprint\":");
    put_text(out, plan->fingerprint);
    cli_text_put(out, ",\"source_adapter\":");
    put_text(out, plan->source_adapter);
    cli_text_put(out, "},\"success\":true,\"tasks\":[");
    for (size_t i = 0; i < plan->task_count; i++) {
        put_separator(out, i);
        put_hbg_task(out, &plan->tasks[i]);
    }
    cli_text_put(out, "]}");
}

static void answer_hbg(conform_case *c, conform_answer *a,
                       const sonata_node *expected)
{
    sonata_handle handle = {0};
    sonata_hbg_plan plan = {0};
    sonata_reasons reasons = {0};
    (void)expected;
    if (!make_handle(c, a, &handle))
        return;
    a->status =
        sonata_hbg_plan_make(&plan, &reasons, &c->score, &handle, &a->error);
    if (a->status == SONATA_OK && reasons.count == 0) {
        put_hbg(&a->text, &plan);
    } else if (a->status == SONATA_OK) {
        cli_text_put(&a->text, "{\"reasons\":");
        put_reasons(&a->text, &reasons);
        cli_text_put(&a->text, ",\"success\":false}");
    }
    sonata_reasons_free(&reasons);
    sonata_hbg_plan_free(&plan);
    sonata_handle_free(&handle);
}

conform_maker conform_find_maker(sonata_text field)
{
    static const struct {
        const char *name;
        conform_maker make;
    } makers[] = {
        {"fingerprint", answer_fingerprint},
        {"fingerprint_with_metadata", answer_full_fingerprint},
        {"score_json", answer_score_json},
        {"sequential_deps", answer_sequential},
        {"dataflow_deps", answer_dataflow},
        {"mixed_deps", answer_mixed},
        {"mixed_deps_side_effects", answer_side_effects},
        {"dataflow_fallback_code", answer_fallback},
        {"lifetimes", answer_lifetimes},
        {"conflicts", answer_conflicts},
        {"memory_plan", answer_memory_plan},
        {"peak", answer_peak},
        {"validate", answer_validate},
        {"plan_handle", answer_handle},
        {"plan_handle_json", answer_handle_json},
        {"hbg_plan", answer_hbg},
    };
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (strlen(makers[i].name) == field.length &&
            memcmp(makers[i].name, field.text, field.length) == 0)
            return makers[i].make;
    return NULL;
}

/* --- Programs --- */

static void put_eligibility(conform_answer *a, const sonata_eligibility *result)
{
    char digest[SONATA_FINGERPRINT_SIZE];
    char *json = NULL;
    size_t length = 0;
    cli_text_printf(&a->text, "{\"eligible\":%s,\"reasons\":",
                    result->eligible ? "true" : "false");
    put_reasons(&a->text, &result->reasons);
    if (result->eligible) {
        a->status =
            sonata_score_fingerprint(digest, &result->score, false, &a->error);
        if (a->status == SONATA_OK)
            a->status = sonata_score_json(&json, &length, &result->score, false,
                                          &a->error);
        cli_text_put(&a->text, ",\"score\":");
        cli_text_add(&a->text, json, length);
        cli_text_printf(&a->text, ",\"fingerprint\":\"%s\"", digest);
        free(json);
    }
    cli_text_put(&a->text, "}");
}

static bool has_program(conform_case *c, conform_answer *a)
{
    a->status = c->program_status;
    a->error = c->program_error;
    return a->status == SONATA_OK;
}

void conform_answer_program(conform_case *c, conform_answer *a,
                            const char *policy, bool certified)
{
    sonata_eligibility result = {0};
    const sonata_node *entry = conform_get(c, "entry_name");
    sonata_ir_options options = {.policy = policy, .certified = certified};
    if (!has_program(c, a))
        return;
    if (entry != NULL)
        options.entry = sonata_node_text(c->doc, entry);
    a->status = policy != NULL
                    ? sonata_ir_plan(&result, c->program, &options, &a->error)
                    : sonata_ir_region_eligibility(&result, c->program,
                                                   &options, &a->error);
    if (a->status == SONATA_OK)
        put_eligibility(a, &result);
    sonata_eligibility_free(&result);
}

static void put_region(cli_text *out, const sonata_region *region, size_t id)
{
    cli_text_printf(out, "{\"region_id\":%zu,\"kind\":\"%s\",", id,
                    region->is_dynamic ? "dynamic" : "static");
    cli_text_put(out, "\"control_flow_kind\":");
    put_text(out, region->control_flow_kind);
    cli_text_printf(out,
                    ",\"node_count\":%zu,\"fallback\":", region->node_count);
    if (!region->is_dynamic) {
        cli_text_put(out, "null}");
        return;
    }
    cli_text_put(out, "[");
    cli_text_quote(out, region->fallback.code);
    cli_text_put(out, ",");
    put_text(out, region->fallback.message);
    cli_text_printf(out, ",\"%s\"]}",
                    region->fallback.is_warning ? "warning" : "error");
}

void conform_answer_regions(conform_case *c, conform_answer *a)
{
    sonata_regions regions = {0};
    if (!has_program(c, a))
        return;
    a->status = sonata_ir_regions(&regions, c->program, &a->error);
    cli_text_put(&a->text, "[");
    for (size_t i = 0; i < regions.count; i++) {
        put_separator(&a->text, i);
        put_region(&a->text, &regions.items[i], i);
    }
    cli_text_put(&a->text, "]");
    sonata_regions_free(&regions);
}
