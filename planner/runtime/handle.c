/* The PlanHandle of a Score, and binding it. */
#include "handle.h"

#include <stdlib.h>
#include <string.h>

#include "../deps/direction.h"

#define DEFAULT_ADAPTER "post_simplify"

void sonata_handle_free(sonata_handle *handle)
{
    if (handle->memory != NULL) {
        sonata_arena_free(handle->memory);
        free(handle->memory);
    }
    *handle = (sonata_handle){0};
}

static int by_name(const void *a, const void *b)
{
    const sonata_func_entry *left = a;
    const sonata_func_entry *right = b;
    size_t shorter = left->name.length < right->name.length
                         ? left->name.length
                         : right->name.length;
    int order = memcmp(left->name.text, right->name.text, shorter);
    if (order != 0)
        return order;
    return (left->name.length > right->name.length) -
           (left->name.length < right->name.length);
}

/* Numbers the names; the func id of each is that of its first task. */
static sonata_status collect_entries(sonata_handle *handle, sonata_table *names,
                                     const sonata_score *score,
                                     sonata_error *error)
{
    for (size_t i = 0; i < score->task_count; i++) {
        uint32_t number = 0;
        if (score->tasks[i].name.text == NULL)
            continue;
        if (names->count >= SONATA_TABLE_LIMIT)
            return sonata_fail(error, SONATA_RANGE, "doc.range",
                               "too many task names");
        if (!sonata_table_put(names, &number, NULL, 0, score->tasks[i].name))
            return sonata_fail_memory(error);
    }
    if (names->count == 0)
        return SONATA_OK;
    handle->entries = sonata_arena_array(handle->memory, names->count,
                                         sizeof *handle->entries);
    if (handle->entries == NULL)
        return sonata_fail_memory(error);
    for (size_t i = 0; i < score->task_count; i++) {
        const sonata_task *task = &score->tasks[i];
        uint32_t number = 0;
        if (task->name.text == NULL)
            continue;
        if (!sonata_table_put(names, &number, NULL, 0, task->name))
            return sonata_fail_memory(error);
        if (number == handle->entry_count)
            handle->entries[handle->entry_count++] = (sonata_func_entry){
                .name = task->name, .func_id = task->func_id};
    }
    qsort(handle->entries, handle->entry_count, sizeof *handle->entries,
          by_name);
    return SONATA_OK;
}

static bool is_wanted(const sonata_task *task, size_t arg,
                      sonata_binding_rule rule)
{
    if (rule == SONATA_BIND_ALL)
        return true;
    return rule == SONATA_BIND_MEMORY && arg < task->direction_count &&
           sonata_is_memory(sonata_direction_of(task->directions[arg]));
}

/* The indices of arguments as texts, each once. NULL: out of memory. */
static sonata_text *spell_indices(sonata_arena *arena, size_t count)
{
    sonata_text *texts = sonata_arena_array(arena, count, sizeof *texts);
    for (size_t i = 0; texts != NULL && i < count; i++) {
        texts[i] = sonata_text_int(arena, (int64_t)i);
        if (texts[i].text == NULL)
            return NULL;
    }
    return texts;
}

static void bind_task(sonata_handle *handle, const sonata_task *task,
                      const sonata_text *indices, sonata_binding_rule rule)
{
    for (size_t i = 0; i < task->arg_count; i++) {
        if (!is_wanted(task, i, rule))
            continue;
        sonata_binding *binding = &handle->bindings[handle->binding_count++];
        *binding = (sonata_binding){.task_id = task->id,
                                    .arg_index = (int64_t)i,
                                    .direction = i < task->direction_count
                                                     ? task->directions[i]
                                                     : SONATA_TEXT("Input"),
                                    .runtime_handle = {SONATA_INT, indices[i]}};
        if (i < task->key_count)
            binding->storage_key = task->keys[i];
    }
}

static sonata_status add_bindings(sonata_handle *handle,
                                  const sonata_score *score,
                                  sonata_binding_rule rule, sonata_error *error)
{
    size_t count = 0;
    size_t most = 0;
    for (size_t i = 0; i < score->task_count; i++) {
        const sonata_task *task = &score->tasks[i];
        for (size_t k = 0; k < task->arg_count; k++)
            count += is_wanted(task, k, rule);
        most = task->arg_count > most ? task->arg_count : most;
    }
    if (count == 0)
        return SONATA_OK;
    sonata_text *indices = spell_indices(handle->memory, most);
    handle->bindings =
        sonata_arena_array(handle->memory, count, sizeof *handle->bindings);
    if (indices == NULL || handle->bindings == NULL)
        return sonata_fail_memory(error);
    for (size_t i = 0; i < score->task_count; i++)
        bind_task(handle, &score->tasks[i], indices, rule);
    return SONATA_OK;
}

static sonata_status add_fingerprint(sonata_handle *handle,
                                     const sonata_score *score,
                                     sonata_error *error)
{
    char text[SONATA_FINGERPRINT_SIZE];
    sonata_status status = sonata_score_fingerprint(text, score, false, error);
    if (status != SONATA_OK)
        return status;
    size_t length = SONATA_FINGERPRINT_SIZE - 1;
    handle->fingerprint.text = sonata_arena_copy(handle->memory, text, length);
    handle->fingerprint.length = length;
    return handle->fingerprint.text == NULL ? sonata_fail_memory(error)
                                            : SONATA_OK;
}

sonata_status sonata_handle_from_score(sonata_handle *handle,
                                       const sonata_score *score,
                                       const sonata_handle_options *options,
                                       sonata_error *error)
{
    static const sonata_handle_options defaults = {0};
    if (options == NULL)
        options = &defaults;
    *handle = (sonata_handle){
        .target = options->target == NULL ? score->target : *options->target,
        .source_adapter = options->source_adapter.text == NULL
                              ? SONATA_TEXT(DEFAULT_ADAPTER)
                              : options->source_adapter,
        .contract_version = 1,
        .memory = calloc(1, sizeof *handle->memory)};
    if (handle->memory == NULL)
        return sonata_fail_memory(error);
    sonata_table names = {0};
    sonata_status status = add_fingerprint(handle, score, error);
    if (status == SONATA_OK)
        status = collect_entries(handle, &names, score, error);
    if (status == SONATA_OK)
        status = add_bindings(handle, score, options->bindings, error);
    sonata_table_free(&names);
    if (status != SONATA_OK)
        sonata_handle_free(handle);
    return status;
}

/* Binds what the numbered names of the map hold. False: out of memory. */
static bool bind_entries(sonata_handle *handle, size_t *bound,
                         sonata_table *names, const int64_t *ids)
{
    size_t known = names->count;
    for (size_t i = 0; i < handle->entry_count; i++) {
        sonata_func_entry *entry = &handle->entries[i];
        uint32_t number = 0;
        if (!sonata_table_put(names, &number, NULL, 0, entry->name))
            return false;
        if (number >= known)
            continue;
        entry->is_bound = true;
        entry->runtime_id = ids[number];
        ++*bound;
    }
    return true;
}

sonata_status sonata_handle_bind(sonata_handle *handle, size_t *bound,
                                 const sonata_runtime_func *map, size_t count,
                                 sonata_error *error)
{
    size_t found = 0;
    sonata_table names = {0};
    int64_t *ids = calloc(count + 1, sizeof *ids);
    bool done = ids != NULL;
    for (size_t i = 0; done && i < count; i++) {
        uint32_t number = 0;
        done = sonata_table_put(&names, &number, NULL, 0, map[i].name);
        if (done)
            ids[number] = map[i].runtime_id;
    }
    done = done && bind_entries(handle, &found, &names, ids);
    sonata_table_free(&names);
    free(ids);
    if (bound != NULL)
        *bound = found;
    return done ? SONATA_OK : sonata_fail_memory(error);
}

static bool read_map(sonata_runtime_func *map, sonata_reading *r,
                     const sonata_node *root)
{
    const sonata_node *m = sonata_node_first(root);
    for (; m != NULL; m = sonata_node_next(m), map++) {
        map->name = sonata_node_key(r->doc, m);
        sonata_place place = {.name = map->name.text};
        if (!sonata_read_int(&map->runtime_id, r, &place, m))
            return false;
    }
    return true;
}

sonata_status sonata_handle_bind_json(sonata_handle *handle, size_t *bound,
                                      const char *text, size_t length,
                                      sonata_error *error)
{
    sonata_doc *doc = NULL;
    sonata_status status = sonata_doc_read(&doc, text, length, error);
    if (status != SONATA_OK)
        return status;
    const sonata_node *root = sonata_doc_root(doc);
    sonata_arena arena = {0};
    sonata_reading r = {.doc = doc, .arena = &arena, .error = error};
    size_t count = sonata_node_count(root);
    sonata_runtime_func *map = sonata_arena_array(&arena, count, sizeof *map);
    if (map == NULL)
        sonata_refuse_memory(&r);
    else if (sonata_node_kind_of(doc, root) != SONATA_NODE_OBJECT)
        sonata_refuse_type(&r, NULL, "an object", root);
    else if (read_map(map, &r, root))
        r.status = sonata_handle_bind(handle, bound, map, count, error);
    sonata_reading_free(&r);
    sonata_arena_free(&arena);
    sonata_doc_free(doc);
    return r.status;
}
