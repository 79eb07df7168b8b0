/* The members of a bundle that are made of its Score. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "planning_work.h"
#include "sonata/graph.h"
#include "sonata/runtime.h"

static void put_value(cli_text *out, const sonata_value *value)
{
    if (value->kind == SONATA_STRING)
        cli_text_json(out, value->text.text, value->text.length);
    else if (value->kind == SONATA_NULL)
        cli_text_put(out, "null");
    else
        cli_text_add(out, value->text.text, value->text.length);
}

/* Takes over a document that was written here, canonical as those of the
 * library: keys in their order, no space. */
static sonata_status add_text(plan_work *w, plan_member member, cli_text *text)
{
    if (text->failed) {
        cli_text_free(text);
        return SONATA_NO_MEMORY;
    }
    char *json = text->data;
    size_t length = text->length;
    *text = (cli_text){0};
    return plan_add(w, member, json, length);
}

/*
 * An analysis that the rules refuse is a member that is not there; only memory
 * and limits end the plan.
 */
static sonata_status note_error(plan_work *w, plan_member member,
                                sonata_status status)
{
    if (status == SONATA_OK || status == SONATA_NO_MEMORY)
        return status;
    const char *code =
        *w->error->code == '\0' ? "doc.unsupported" : w->error->code;
    plan_note(w, member, code,
              (sonata_text){w->error->message, strlen(w->error->message)},
              false);
    *w->error = (sonata_error){0};
    return SONATA_OK;
}

/* --- Sizes --- */

static sonata_status add_size(plan_work *w, sonata_text key, int64_t bytes)
{
    if (w->size_count == w->size_room) {
        size_t room = w->size_room == 0 ? 64 : 2 * w->size_room;
        sonata_buffer_size *sizes = reallocarray(w->sizes, room, sizeof *sizes);
        if (sizes == NULL)
            return SONATA_NO_MEMORY;
        w->sizes = sizes;
        w->size_room = room;
    }
    w->sizes[w->size_count++] =
        (sonata_buffer_size){{SONATA_STRING, key}, bytes};
    return SONATA_OK;
}

static sonata_status add_view(plan_work *w, sonata_text key, sonata_text source)
{
    if (w->view_count == w->view_room) {
        size_t room = w->view_room == 0 ? 64 : 2 * w->view_room;
        sonata_key_pair *views = reallocarray(w->views, room, sizeof *views);
        if (views == NULL)
            return SONATA_NO_MEMORY;
        w->views = views;
        w->view_room = room;
    }
    w->views[w->view_count++] =
        (sonata_key_pair){{SONATA_STRING, key}, {SONATA_STRING, source}};
    return SONATA_OK;
}

/* Sizes that the dump knows, and which buffer lies within which. */
sonata_status plan_read_graph(plan_work *w, const char *json, size_t length)
{
    sonata_status status =
        sonata_doc_read(&w->graph_doc, json, length, w->error);
    if (status != SONATA_OK)
        return status;
    const sonata_doc *doc = w->graph_doc;
    const sonata_node *list =
        sonata_node_get(doc, sonata_doc_root(doc), "buffers");
    const sonata_node *m = list == NULL ? NULL : sonata_node_first(list);
    for (; m != NULL && status == SONATA_OK; m = sonata_node_next(m)) {
        const sonata_node *key = sonata_node_get(doc, m, "key");
        const sonata_node *alias = sonata_node_get(doc, m, "alias_of");
        const sonata_node *source = sonata_node_get(doc, alias, "key");
        const sonata_node *bytes = sonata_node_get(doc, m, "bytes");
        int64_t size = 0;
        if (key == NULL)
            continue;
        sonata_text text = sonata_node_text(doc, key);
        if (bytes != NULL && sonata_node_int(&size, doc, bytes) && size >= 0)
            status = add_size(w, text, size);
        if (status == SONATA_OK && source != NULL)
            status = add_view(w, text, sonata_node_text(doc, source));
    }
    return status;
}

static sonata_status wrong_sizes(plan_work *w, const char *key)
{
    w->error->status = SONATA_SCHEMA;
    snprintf(w->error->code, sizeof w->error->code, "doc.schema");
    snprintf(w->error->path, sizeof w->error->path, "sizes");
    snprintf(w->error->message, sizeof w->error->message,
             key == NULL ? "the sizes must be an object {key: bytes}"
                         : "the size of '%.200s' must be an integer from 0 "
                           "below 2^63",
             key);
    return SONATA_SCHEMA;
}

/* Those that are given come behind those that are known, and win. */
sonata_status plan_read_sizes(plan_work *w)
{
    cli_span given = w->request->sizes;
    if (given.data == NULL)
        return SONATA_OK;
    sonata_status status =
        sonata_doc_read(&w->sizes_doc, given.data, given.length, w->error);
    if (status != SONATA_OK)
        return status;
    const sonata_doc *doc = w->sizes_doc;
    const sonata_node *root = sonata_doc_root(doc);
    if (sonata_node_kind_of(doc, root) != SONATA_NODE_OBJECT)
        return wrong_sizes(w, NULL);
    for (const sonata_node *m = sonata_node_first(root);
         m != NULL && status == SONATA_OK; m = sonata_node_next(m)) {
        int64_t size = 0;
        sonata_text key = sonata_node_key(doc, m);
        if (!sonata_node_int(&size, doc, m) || size < 0)
            return wrong_sizes(w, key.text);
        status = add_size(w, key, size);
    }
    return status;
}

/* --- Handle and runtime --- */

static sonata_status add_hbg(plan_work *w, const sonata_handle *handle)
{
    sonata_hbg_plan plan = {0};
    sonata_reasons reasons = {0};
    char *json = NULL;
    size_t length = 0;
    sonata_status status =
        sonata_hbg_plan_make_own(&plan, &reasons, w->score, handle, w->error);
    for (size_t i = 0; i < reasons.count; i++)
        plan_note(w, PLAN_HBG, reasons.items[i].code, reasons.items[i].message,
                  false);
    if (status == SONATA_OK && reasons.count == 0) {
        status = sonata_hbg_plan_json(&json, &length, &plan, false, w->error);
        if (status == SONATA_OK)
            status = plan_add(w, PLAN_HBG, json, length);
    }
    sonata_hbg_plan_free(&plan);
    sonata_reasons_free(&reasons);
    return status;
}

static sonata_status add_handle(plan_work *w)
{
    sonata_handle_options options = {.bindings = w->is_v09 ? SONATA_BIND_NONE
                                                           : SONATA_BIND_ALL};
    sonata_handle handle = {0};
    char *json = NULL;
    size_t length = 0;
    sonata_status status =
        sonata_handle_from_score(&handle, w->score, &options, w->error);
    if (status == SONATA_OK)
        status = sonata_handle_json(&json, &length, &handle, false, w->error);
    if (status == SONATA_OK)
        status = plan_add(w, PLAN_HANDLE, json, length);
    if (status == SONATA_OK && plan_wants(w, PLAN_HBG))
        status = add_hbg(w, &handle);
    sonata_handle_free(&handle);
    return status;
}

/* --- Memory --- */

static sonata_status make_memory(plan_work *w, sonata_memory_plan *plan)
{
    sonata_liveness liveness = {0};
    if (strcmp(w->memory, "greedy_dag") == 0)
        return sonata_plan_greedy_dag(plan, NULL, w->score, w->sizes,
                                      w->size_count, SONATA_SHARE_ALLOC,
                                      w->error);
    sonata_status status = sonata_find_lifetimes(&liveness, w->score, w->error);
    if (status == SONATA_OK)
        status = sonata_plan_greedy_v0(plan, &liveness, w->sizes, w->size_count,
                                       SONATA_OVERLAP_INCLUSIVE, w->error);
    sonata_liveness_free(&liveness);
    return status;
}

static sonata_status add_memory(plan_work *w)
{
    sonata_memory_plan plan = {0};
    char *json = NULL;
    size_t length = 0;
    sonata_status status = note_error(w, PLAN_MEMORY, make_memory(w, &plan));
    if (status != SONATA_OK || plan.policy.text == NULL)
        return status;
    status = sonata_memory_plan_json(&json, &length, &plan, false, w->error);
    if (status == SONATA_OK)
        status = plan_add(w, PLAN_MEMORY, json, length);
    size_t empty = 0;
    char text[128];
    for (size_t i = 0; i < plan.count; i++)
        empty += plan.items[i].size == 0;
    if (empty > 0) {
        int n = snprintf(text, sizeof text,
                         "%zu of %zu buffers have no size, or none that is "
                         "known (--sizes), and take 0 bytes",
                         empty, plan.count);
        plan_note(w, PLAN_MEMORY, "memory.unknown-size",
                  (sonata_text){text, (size_t)n}, true);
    }
    sonata_memory_plan_free(&plan);
    return status;
}

static void put_lifetimes(cli_text *out, const sonata_liveness *liveness)
{
    cli_text_put(out, "{\"kind\":\"liveness\",\"lifetimes\":[");
    for (size_t i = 0; i < liveness->count; i++) {
        const sonata_lifetime *l = &liveness->items[i];
        cli_text_printf(out, "%s{\"birth\":%lld,\"death\":%lld,",
                        i > 0 ? "," : "", (long long)l->birth,
                        (long long)l->death);
        cli_text_put(out, "\"storage_key\":");
        put_value(out, &l->key);
        cli_text_put(out, "}");
    }
    cli_text_put(out, "],\"version\":1}");
}

static sonata_status add_conflicts(plan_work *w,
                                   const sonata_liveness *liveness)
{
    sonata_conflict *pairs = NULL;
    size_t count = 0;
    cli_text out = {0};
    sonata_status status = sonata_find_conflicts(
        &pairs, &count, liveness, SONATA_OVERLAP_INCLUSIVE, w->error);
    if (status != SONATA_OK)
        return note_error(w, PLAN_CONFLICTS, status);
    cli_text_put(&out, "{\"kind\":\"conflicts\",\"overlap\":\"inclusive\","
                       "\"pairs\":[");
    for (size_t i = 0; i < count && !out.failed; i++) {
        cli_text_put(&out, i > 0 ? ",{\"earlier\":" : "{\"earlier\":");
        put_value(&out, &liveness->items[pairs[i].earlier].key);
        cli_text_put(&out, ",\"later\":");
        put_value(&out, &liveness->items[pairs[i].later].key);
        cli_text_put(&out, "}");
    }
    cli_text_put(&out, "],\"version\":1}");
    free(pairs);
    return add_text(w, PLAN_CONFLICTS, &out);
}

/* Without lifetimes there are no conflicts. */
static sonata_status note_both(plan_work *w, sonata_status status)
{
    const sonata_error why = *w->error;
    sonata_status noted = status;
    if (plan_wants(w, PLAN_LIVENESS))
        noted = note_error(w, PLAN_LIVENESS, status);
    if (plan_wants(w, PLAN_CONFLICTS)) {
        *w->error = why;
        noted = note_error(w, PLAN_CONFLICTS, status);
    }
    return noted;
}

static sonata_status add_liveness(plan_work *w)
{
    sonata_liveness liveness = {0};
    cli_text out = {0};
    sonata_status status = sonata_find_lifetimes(&liveness, w->score, w->error);
    if (status != SONATA_OK)
        return note_both(w, status);
    if (plan_wants(w, PLAN_LIVENESS)) {
        put_lifetimes(&out, &liveness);
        status = add_text(w, PLAN_LIVENESS, &out);
    }
    if (status == SONATA_OK && plan_wants(w, PLAN_CONFLICTS))
        status = add_conflicts(w, &liveness);
    sonata_liveness_free(&liveness);
    return status;
}

/* --- Aliases --- */

/* All storage keys of the Score, freed by the caller. */
static sonata_value *all_keys(const sonata_score *score, size_t *count)
{
    size_t total = 0;
    for (size_t t = 0; t < score->task_count; t++)
        total += score->tasks[t].key_count;
    sonata_value *keys = calloc(total + 1, sizeof *keys);
    *count = 0;
    if (keys == NULL)
        return NULL;
    for (size_t t = 0; t < score->task_count; t++)
        for (size_t i = 0; i < score->tasks[t].key_count; i++)
            keys[(*count)++] = score->tasks[t].keys[i];
    return keys;
}

static void put_aliases(cli_text *out, const sonata_aliases *aliases)
{
    cli_text_put(out, "{\"kind\":\"alias\",\"pairs\":[");
    for (size_t i = 0; i < aliases->count && !out->failed; i++) {
        const sonata_alias *a = &aliases->items[i];
        cli_text_put(out, i > 0 ? ",{\"first\":" : "{\"first\":");
        put_value(out, &aliases->keys[a->first]);
        cli_text_printf(out, ",\"relation\":\"%s\",\"second\":",
                        sonata_relation_name(a->relation));
        put_value(out, &aliases->keys[a->second]);
        cli_text_put(out, "}");
    }
    cli_text_put(out, "],\"version\":1}");
}

static sonata_status add_aliases(plan_work *w)
{
    sonata_aliases aliases = {0};
    sonata_alias_facts facts = {.views = w->views, .view_count = w->view_count};
    size_t count = 0;
    cli_text out = {0};
    sonata_value *keys = all_keys(w->score, &count);
    if (keys == NULL)
        return SONATA_NO_MEMORY;
    sonata_status status = sonata_analyse_aliases(&aliases, keys, count, &facts,
                                                  !w->is_v09, w->error);
    if (status != SONATA_OK) {
        status = note_error(w, PLAN_ALIAS, status);
    } else {
        put_aliases(&out, &aliases);
        status = add_text(w, PLAN_ALIAS, &out);
    }
    sonata_aliases_free(&aliases);
    free(keys);
    return status;
}

/* A dump has its graph by itself; that of a program is made of its IR, that of
 * a Score of the Score. */
static sonata_status add_graph(plan_work *w)
{
    char *json = NULL;
    size_t length = 0;
    if (sonata_bundle_find(&w->made, plan_member_names[PLAN_GRAPH]) != NULL)
        return SONATA_OK;
    sonata_ir_options options = {
        .entry = {w->request->entry.data, w->request->entry.length}};
    sonata_status status =
        w->program != NULL
            ? sonata_ir_graph_json(&json, &length, w->program, &options,
                                   w->score, w->sizes, w->size_count, false,
                                   w->error)
            : sonata_score_graph_json(&json, &length, w->score, w->sizes,
                                      w->size_count, false, w->error);
    return status == SONATA_OK ? plan_add(w, PLAN_GRAPH, json, length)
                               : note_error(w, PLAN_GRAPH, status);
}

sonata_status plan_make_members(plan_work *w)
{
    sonata_status status = SONATA_OK;
    if (plan_wants(w, PLAN_GRAPH))
        status = add_graph(w);
    if (status == SONATA_OK &&
        (plan_wants(w, PLAN_HANDLE) || plan_wants(w, PLAN_HBG)))
        status = add_handle(w);
    if (status == SONATA_OK && plan_wants(w, PLAN_MEMORY))
        status = add_memory(w);
    if (status == SONATA_OK && plan_wants(w, PLAN_ALIAS))
        status = add_aliases(w);
    if (status == SONATA_OK &&
        (plan_wants(w, PLAN_LIVENESS) || plan_wants(w, PLAN_CONFLICTS)))
        status = add_liveness(w);
    return status;
}
