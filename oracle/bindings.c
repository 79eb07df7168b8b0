#include "bindings.h"

#include "canonical.h"

static int64_t pack(uint32_t task, uint32_t arg)
{
    return (int64_t)((uint64_t)task << 32 | arg);
}

static void join(oracle_binding *b, const oracle_score_view *view)
{
    enum { ARG, DIRECTION, HANDLE, KEY, TASK, COUNT };
    static const char *const names[] = {
        "arg_index", "direction", "runtime_handle", "storage_key", "task_id"};
    const oracle_json *json = view->json;
    uint32_t value[COUNT];
    int64_t id = 0, arg = -1;
    oracle_json_members(json, b->node, names, COUNT, value);
    b->key = value[KEY];
    b->direction = value[DIRECTION];
    b->runtime_handle = value[HANDLE];
    oracle_json_int64(json, value[TASK], &id);
    oracle_json_int64(json, value[ARG], &arg);
    b->task = oracle_id_table_find(&view->by_id, id);
    if (b->task != ORACLE_NONE && arg >= 0 &&
        arg < view->document->tasks[b->task].args) {
        b->arg = (uint32_t)arg;
        uint32_t number = view->document->tasks[b->task].first_arg + b->arg;
        b->own_key = view->key_node[number];
        b->own_direction = view->direction_node[number];
    }
}

bool oracle_bindings_make(oracle_bindings *bindings,
                          const oracle_score_view *view, uint32_t handle,
                          oracle_arena *arena)
{
    uint32_t list = oracle_json_member(view->json, handle, "arg_bindings");
    uint32_t *nodes;
    *bindings = (oracle_bindings){0};
    if (!oracle_list_nodes(view->json, list, &nodes, &bindings->count, arena)) {
        return false;
    }
    bindings->list =
        oracle_arena_array(arena, bindings->count, sizeof *bindings->list);
    if (bindings->list == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < bindings->count; i++) {
        oracle_binding *b = &bindings->list[i];
        *b = (oracle_binding){.node = nodes[i],
                              .task = ORACLE_NONE,
                              .arg = ORACLE_NONE,
                              .own_key = ORACLE_NONE,
                              .own_direction = ORACLE_NONE};
        join(b, view);
        if (b->arg == ORACLE_NONE) {
            continue;
        }
        oracle_id_slot *slot =
            oracle_id_table_slot(&bindings->by_arg, pack(b->task, b->arg));
        if (slot == NULL) {
            return false;
        }
        slot->value = i;
    }
    return true;
}

void oracle_bindings_free(oracle_bindings *bindings)
{
    oracle_id_table_free(&bindings->by_arg);
}

uint32_t oracle_bindings_find(const oracle_bindings *bindings, uint32_t task,
                              uint32_t arg)
{
    return oracle_id_table_find(&bindings->by_arg, pack(task, arg));
}
