#include "sonata/graph.h"

#include <stdlib.h>
#include <string.h>

#include "../deps/direction.h"
#include "../memory/storage_keys.h"
#include "document.h"
#include "graph_parts.h"

#define NO_BUFFER UINT32_MAX

/* The memory arguments of all tasks: their buffers, one after another. */
typedef struct graph {
    const sonata_score *score;
    sonata_storage_keys keys;
    uint32_t *buffers; /* per argument, NO_BUFFER for a scalar */
    int64_t *bytes;    /* per buffer, -1: not known */
    const bool *parts; /* per argument: some bytes of its buffer; or NULL */
} graph;

static sonata_direction direction_of(const sonata_task *task, size_t arg)
{
    return task->direction_count == task->arg_count
               ? sonata_direction_of(task->directions[arg])
               : SONATA_DIRECTION_UNKNOWN;
}

static const sonata_value *key_of(const sonata_task *task, size_t arg)
{
    bool has_key = task->key_count == task->arg_count &&
                   task->keys[arg].kind != SONATA_NULL;
    return has_key ? &task->keys[arg] : &task->args[arg];
}

/* Without a direction an argument is memory when it names some: by a storage
 * key, or as a text. */
static bool names_memory(const sonata_task *task, size_t arg)
{
    sonata_direction direction = direction_of(task, arg);
    const sonata_value *key = key_of(task, arg);
    if (direction == SONATA_SCALAR)
        return false;
    return sonata_is_memory(direction) || key != &task->args[arg] ||
           key->kind == SONATA_STRING;
}

static size_t count_args(const sonata_score *score)
{
    size_t count = 0;
    for (size_t t = 0; t < score->task_count; t++)
        count += score->tasks[t].arg_count;
    return count;
}

static sonata_status find_buffers(graph *g, sonata_error *error)
{
    size_t at = 0;
    g->buffers = calloc(count_args(g->score) + 1, sizeof *g->buffers);
    if (g->buffers == NULL)
        return sonata_fail_memory(error);
    for (size_t t = 0; t < g->score->task_count; t++) {
        const sonata_task *task = &g->score->tasks[t];
        for (size_t i = 0; i < task->arg_count; i++, at++) {
            g->buffers[at] = NO_BUFFER;
            if (!names_memory(task, i))
                continue;
            sonata_status status = sonata_storage_keys_add(
                &g->buffers[at], NULL, &g->keys, key_of(task, i), error);
            if (status != SONATA_OK)
                return status;
        }
    }
    return SONATA_OK;
}

/* Sizes of other keys are numbered behind those of the buffers. */
static sonata_status find_sizes(graph *g, const sonata_buffer_size *sizes,
                                size_t count, sonata_error *error)
{
    size_t buffers = g->keys.count;
    g->bytes = calloc(buffers + 1, sizeof *g->bytes);
    if (g->bytes == NULL)
        return sonata_fail_memory(error);
    for (size_t i = 0; i < buffers; i++)
        g->bytes[i] = -1;
    sonata_status status = SONATA_OK;
    for (size_t i = 0; i < count && status == SONATA_OK; i++) {
        uint32_t number = 0;
        status = sonata_storage_keys_add(&number, NULL, &g->keys, &sizes[i].key,
                                         error);
        if (status == SONATA_OK && number < buffers)
            g->bytes[number] = sizes[i].bytes;
    }
    g->keys.count = buffers;
    return status;
}

/* --- Writing --- */

static void write_joined(sonata_json *w, const char *prefix, sonata_text text)
{
    size_t start = strlen(prefix);
    char *joined = malloc(start + text.length + 1);
    if (joined == NULL) {
        w->failed = true;
        return;
    }
    memcpy(joined, prefix, start);
    memcpy(joined + start, text.text, text.length);
    sonata_json_string_n(w, joined, start + text.length);
    free(joined);
}

static void write_key(sonata_json *w, const sonata_value *key)
{
    if (key->kind == SONATA_NULL)
        sonata_json_string(w, "json:null");
    else if (key->kind == SONATA_BOOL) /* of a program it is Python's */
        sonata_json_string(
            w, key->text.length == strlen("true") ? "json:true" : "json:false");
    else if (key->kind != SONATA_STRING)
        write_joined(w, "json:", key->text);
    else if (sonata_text_starts(key->text, "json:"))
        write_joined(w, "json:\"", key->text);
    else
        sonata_write_text(w, key->text);
}

static void write_buffer(sonata_json *w, const graph *g, size_t i)
{
    const sonata_value *key = &g->keys.values[i];
    bool internal =
        key->kind == SONATA_STRING && sonata_text_starts(key->text, "alloc:");
    sonata_json_object(w);
    sonata_json_key(w, "bytes");
    if (g->bytes[i] < 0)
        sonata_json_null(w);
    else
        sonata_json_int(w, g->bytes[i]);
    sonata_json_key(w, "external");
    sonata_json_bool(w, !internal);
    sonata_json_key(w, "key");
    write_key(w, key);
    sonata_json_end_object(w);
}

/* "output" and "OutputExisting" are told apart by their length. */
static const char *dispatch_of(const sonata_task *task, size_t arg)
{
    size_t letters = 0;
    switch (direction_of(task, arg)) {
    case SONATA_INPUT:
        return "input";
    case SONATA_INOUT:
        return "inout";
    case SONATA_NODEP:
        return "no_dep";
    case SONATA_OUTPUT:
        for (size_t i = 0; i < task->directions[arg].length; i++) {
            unsigned char c =
                (unsigned char)(task->directions[arg].text[i] | 32);
            letters += c >= 'a' && c <= 'z';
        }
        return letters > strlen("output") ? "output_existing" : "output";
    case SONATA_SCALAR:
    case SONATA_DIRECTION_UNKNOWN:
        break;
    }
    return NULL;
}

static void write_access(sonata_json *w, sonata_direction direction, bool exact)
{
    const char *mode = direction == SONATA_INPUT    ? "read"
                       : direction == SONATA_OUTPUT ? "write"
                                                    : "inout";
    sonata_json_key(w, "access");
    sonata_json_array(w);
    sonata_json_object(w);
    sonata_json_key(w, "exact");
    sonata_json_bool(w, exact);
    sonata_json_key(w, "mode");
    sonata_json_string(w, mode);
    sonata_json_key(w, "must");
    sonata_json_bool(w, true);
    sonata_json_end_object(w);
    sonata_json_end_array(w);
}

static void write_scalar(sonata_json *w, const sonata_value *value)
{
    sonata_json_key(w, "scalar");
    sonata_json_object(w);
    sonata_json_key(w, "text");
    if (value->kind == SONATA_NULL && value->text.text == NULL)
        sonata_json_string(w, "null");
    else
        sonata_write_text(w, value->text);
    sonata_json_end_object(w);
}

static void write_arg(sonata_json *w, const graph *g, const sonata_task *task,
                      size_t arg, size_t at)
{
    uint32_t buffer = g->buffers[at];
    const char *dispatch = dispatch_of(task, arg);
    sonata_json_object(w);
    if (buffer == NO_BUFFER) {
        write_scalar(w, &task->args[arg]);
    } else {
        if (sonata_is_memory(direction_of(task, arg)))
            write_access(w, direction_of(task, arg),
                         g->parts == NULL || !g->parts[at]);
        sonata_json_key(w, "buffer");
        write_key(w, &g->keys.values[buffer]);
        if (dispatch != NULL) {
            sonata_json_key(w, "dispatch");
            sonata_json_string(w, dispatch);
        }
    }
    sonata_json_end_object(w);
}

static void write_tasks(sonata_json *w, const graph *g)
{
    size_t at = 0;
    sonata_json_key(w, "tasks");
    sonata_json_array(w);
    for (size_t t = 0; t < g->score->task_count; t++) {
        const sonata_task *task = &g->score->tasks[t];
        sonata_json_object(w);
        sonata_json_key(w, "args");
        sonata_json_array(w);
        for (size_t i = 0; i < task->arg_count; i++)
            write_arg(w, g, task, i, at++);
        sonata_json_end_array(w);
        sonata_json_key(w, "core");
        sonata_write_text(w, task->core_type);
        sonata_json_key(w, "id");
        sonata_json_int(w, task->id);
        if (task->name.text != NULL) {
            sonata_json_key(w, "name");
            sonata_write_text(w, task->name);
        }
        sonata_json_end_object(w);
    }
    sonata_json_end_array(w);
}

static void write_edges(sonata_json *w, const sonata_score *score)
{
    sonata_json_key(w, "edges");
    sonata_json_array(w);
    for (size_t i = 0; i < score->dependency_count; i++) {
        const sonata_dependency *d = &score->dependencies[i];
        sonata_json_object(w);
        sonata_json_key(w, "certain");
        sonata_json_bool(w, true);
        sonata_json_key(w, "from");
        sonata_json_int(w, d->producer);
        sonata_json_key(w, "kind");
        sonata_write_text(w, d->kind);
        sonata_json_key(w, "source");
        sonata_json_string(w, "policy");
        sonata_json_key(w, "to");
        sonata_json_int(w, d->consumer);
        sonata_json_end_object(w);
    }
    sonata_json_end_array(w);
}

static void write_graph(sonata_json *w, const graph *g)
{
    sonata_json_object(w);
    sonata_json_key(w, "buffers");
    sonata_json_array(w);
    for (size_t i = 0; i < g->keys.count; i++)
        write_buffer(w, g, i);
    sonata_json_end_array(w);
    write_edges(w, g->score);
    sonata_json_key(w, "kind");
    sonata_json_string(w, "task_graph");
    sonata_json_key(w, "name");
    sonata_write_text(w, g->score->name);
    sonata_json_key(w, "rules");
    sonata_json_string(w, "none");
    write_tasks(w, g);
    sonata_json_key(w, "version");
    sonata_json_int(w, 1);
    sonata_json_end_object(w);
}

sonata_status sonata_score_graph_json(char **json, size_t *length,
                                      const sonata_score *score,
                                      const sonata_buffer_size *sizes,
                                      size_t size_count, bool pretty,
                                      sonata_error *error)
{
    return sonata_graph_parts_json(json, length, score, NULL, sizes, size_count,
                                   pretty, error);
}

sonata_status
sonata_graph_parts_json(char **json, size_t *length, const sonata_score *score,
                        const bool *parts, const sonata_buffer_size *sizes,
                        size_t size_count, bool pretty, sonata_error *error)
{
    graph g = {.score = score, .parts = parts};
    *json = NULL;
    sonata_status status = find_buffers(&g, error);
    if (status == SONATA_OK)
        status = find_sizes(&g, sizes, size_count, error);
    if (status == SONATA_OK) {
        sonata_json w;
        sonata_json_init(&w, pretty);
        write_graph(&w, &g);
        *json = sonata_json_take(&w, length);
        if (*json == NULL)
            status = sonata_fail_memory(error);
    }
    sonata_storage_keys_free(&g.keys);
    free(g.buffers);
    free(g.bytes);
    return status;
}
