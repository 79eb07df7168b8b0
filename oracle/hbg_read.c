/*
 * A host_build_graph plan (spec 04) as a task graph, where there is no Score:
 * its tables say which tasks run and in which order, and the bindings of the
 * PlanHandle beside it what their arguments are.
 */
#include "bindings.h"
#include "canonical.h"
#include "reader.h"

typedef struct table {
    oracle_reader *reader;
    uint32_t handle;
    uint32_t *keys, *directions; /* nodes, by binding */
    uint32_t count;
    oracle_id_table by_arg; /* the last binding of an argument */
} table;

static int64_t pack(uint32_t task, uint32_t arg)
{
    return (int64_t)((uint64_t)task << 32 | arg);
}

static uint32_t member(const oracle_reader *reader, uint32_t object,
                       const char *name)
{
    return oracle_json_member(reader->json, object, name);
}

/* --- Arguments --- */

static bool take_binding(table *t, uint32_t node)
{
    oracle_reader *reader = t->reader;
    int64_t id = 0, arg = 0;
    oracle_json_int64(reader->json, member(reader, node, "task_id"), &id);
    oracle_json_int64(reader->json, member(reader, node, "arg_index"), &arg);
    uint32_t task = oracle_reader_task(reader, id);
    if (task == ORACLE_NONE || arg < 0 || arg >= UINT32_MAX) {
        return true;
    }
    oracle_id_slot *slot =
        oracle_id_table_slot(&t->by_arg, pack(task, (uint32_t)arg));
    if (slot == NULL) {
        return oracle_reader_memory(reader);
    }
    t->keys[t->count] = member(reader, node, "storage_key");
    t->directions[t->count] = member(reader, node, "direction");
    slot->value = t->count++;
    return true;
}

static bool take_bindings(table *t)
{
    oracle_reader *reader = t->reader;
    uint32_t list = member(reader, t->handle, "arg_bindings");
    uint32_t at, end, count = 0;
    if (!oracle_reader_strict_list(reader, list, &at, &end)) {
        return false;
    }
    for (uint32_t i = at; i < end; i = oracle_json_next(reader->json, i)) {
        count++;
    }
    t->keys = oracle_arena_array(reader->arena, count, sizeof *t->keys);
    t->directions =
        oracle_arena_array(reader->arena, count, sizeof *t->directions);
    if (t->keys == NULL || t->directions == NULL) {
        return oracle_reader_memory(reader);
    }
    for (; at < end; at = oracle_json_next(reader->json, at)) {
        if (!take_binding(t, at)) {
            return false;
        }
    }
    return true;
}

/* Memory without a key may be any: what it touches is not judged. */
static bool take_keyless(table *t, uint32_t node, uint32_t direction)
{
    char token[ORACLE_TOKEN] = "";
    oracle_reader *reader = t->reader;
    bool scalar = direction == ORACLE_NONE ||
                  (oracle_direction_token(reader->json, direction, token) &&
                   strcmp(token, "scalar") == 0);
    if (!scalar &&
        !oracle_reader_remark(
            reader, "doc.incomplete",
            "a binding without a storage key does not say which memory it is: "
            "what its argument touches is not judged",
            "arg_bindings[].storage_key", direction)) {
        return false;
    }
    return oracle_score_scalar(reader, node);
}

static bool take_arg(table *t, uint32_t task, uint32_t arg, uint32_t node)
{
    uint32_t at = oracle_id_table_find(&t->by_arg, pack(task, arg));
    uint32_t key = at == ORACLE_NONE ? ORACLE_NONE : t->keys[at];
    uint32_t direction = at == ORACLE_NONE ? ORACLE_NONE : t->directions[at];
    if (oracle_reader_absent(t->reader, direction)) {
        direction = ORACLE_NONE;
    }
    return oracle_reader_absent(t->reader, key)
               ? take_keyless(t, node, direction)
               : oracle_score_arg(t->reader, node, direction, key);
}

static bool take_args(table *t, uint32_t task, uint32_t node)
{
    oracle_document *d = t->reader->document;
    uint32_t at, end;
    d->tasks[task].first_arg = d->arg_count;
    if (!oracle_reader_strict_list(
            t->reader, member(t->reader, node, "runtime_args"), &at, &end)) {
        return false;
    }
    for (uint32_t arg = 0; at < end;
         at = oracle_json_next(t->reader->json, at), arg++) {
        if (!take_arg(t, task, arg, at)) {
            return false;
        }
    }
    d->tasks[task].args = d->arg_count - d->tasks[task].first_arg;
    return true;
}

static bool read_args(table *t, uint32_t tasks)
{
    uint32_t at, end, task = 0;
    if (t->handle == ORACLE_NONE) {
        return true;
    }
    if (!take_bindings(t) ||
        !oracle_reader_strict_list(t->reader, tasks, &at, &end)) {
        return false;
    }
    for (; at < end; at = oracle_json_next(t->reader->json, at)) {
        if (!take_args(t, task++, at)) {
            return false;
        }
    }
    return true;
}

/* --- Tasks and edges --- */

static bool take_task(oracle_reader *reader, uint32_t node)
{
    uint32_t id_node = member(reader, node, "task_id");
    int64_t id = 0, func = 0;
    oracle_json_int64(reader->json, member(reader, node, "func_id"), &func);
    if (!oracle_reader_int(reader, id_node, &id) ||
        !oracle_score_function(reader, func) ||
        !oracle_score_task(reader, id_node, id)) {
        return false;
    }
    oracle_document *d = reader->document;
    oracle_task *task = &d->tasks[d->task_count - 1];
    return oracle_reader_string(reader, member(reader, node, "core_type"),
                                &task->core) &&
           oracle_reader_opt_text(reader, member(reader, node, "name"),
                                  &task->name);
}

static bool take_edge(oracle_reader *reader, uint32_t node)
{
    int64_t from = 0, to = 0;
    oracle_edge e = {.source = ORACLE_EXPLICIT,
                     .kind = {"", 0, false},
                     .certain = true,
                     .from_arg = ORACLE_NONE,
                     .to_arg = ORACLE_NONE};
    return oracle_reader_int(reader, member(reader, node, "producer"), &from) &&
           oracle_reader_int(reader, member(reader, node, "consumer"), &to) &&
           oracle_keep_edge(reader, from, to, &e);
}

static bool each(oracle_reader *reader, uint32_t list,
                 bool (*take)(oracle_reader *reader, uint32_t node))
{
    uint32_t at, end;
    if (!oracle_reader_strict_list(reader, list, &at, &end)) {
        return false;
    }
    for (; at < end; at = oracle_json_next(reader->json, at)) {
        if (!take(reader, at)) {
            return false;
        }
    }
    return true;
}

bool oracle_read_hbg_tasks(oracle_reader *reader, uint32_t root,
                           uint32_t handle)
{
    table t = {.reader = reader, .handle = handle};
    uint32_t tasks = member(reader, root, "tasks");
    reader->document->rules = ORACLE_RULES_NONE;
    bool ok = each(reader, tasks, take_task) && read_args(&t, tasks) &&
              each(reader, member(reader, root, "edges"), take_edge);
    oracle_id_table_free(&t.by_arg);
    return ok;
}
