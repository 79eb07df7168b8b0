/* Operations on arrays of TaskIds. */
#include "machine.h"

#include <string.h>

value value_no_task(graph_cause cause)
{
    return (value){.kind = VALUE_TASK,
                   .cause = (uint8_t)cause,
                   .index = GRAPH_NONE,
                   .producer = GRAPH_NONE};
}

value machine_array_create(machine *m, ast_node call)
{
    ast_node a = call_argument(m, call, 0);
    value n = a == AST_NONE ? value_none() : machine_value(m, a);
    if (n.kind != VALUE_SCALAR || !affine_is_const(n.number) ||
        n.number.c < 0 || n.number.c > 65536) {
        machine_fail(m, SONATA_UNSUPPORTED, m->ast->exprs[call].at,
                     "pl.array.create needs a constant size up to 65536");
        return value_none();
    }
    task_slot empty = {GRAPH_NONE, GRAPH_DEP_DEAD, false};
    uint32_t count = (uint32_t)n.number.c;
    machine_spend_slots(m);
    return (value){.kind = VALUE_ARRAY,
                   .index = task_array_new(&m->arrays, count, empty),
                   .count = count,
                   .producer = GRAPH_NONE};
}

/* The verdict says where a slot is any of them. */
static bool note_any_slot(machine *m)
{
    static const char reason[] =
        "an array of TaskIds at an index that is not known: every slot is "
        "taken for it, and what rests on that is not judged";
    graph_region_site site = {machine_line(m, m->ast->stmts[m->stmt].at),
                              reason, AST_NONE};
    for (uint32_t i = 0; i < m->graph.site_count; i++)
        if (m->graph.sites[i].line == site.line &&
            strcmp(m->graph.sites[i].reason, reason) == 0)
            return true;
    return graph_add_site(&m->graph, &site) != GRAPH_NONE ||
           machine_no_memory(m);
}

/* A task at any slot: each may hold it, and may hold what it held. */
static value update_any(machine *m, value array, value item)
{
    task_slot empty = {GRAPH_NONE, GRAPH_DEP_DEAD, false};
    uint32_t made = task_array_new(&m->arrays, array.count, empty);
    for (uint32_t i = 0; i < array.count && !m->arrays.failed; i++) {
        task_slot *old = task_array_slots(&m->arrays, array.index);
        task_slot both = old == NULL ? empty : old[i];
        both.set = task_set_union(&m->sets, both.set, item.index);
        old = task_array_slots(&m->arrays, made);
        if (old != NULL)
            old[i] = both;
    }
    array.index = made;
    return array;
}

/* What any slot holds. */
static value get_any(machine *m, value array)
{
    value v = value_no_task(GRAPH_DEP_NULL);
    const task_slot *slots = task_array_slots(&m->arrays, array.index);
    for (uint32_t i = 0; slots != NULL && i < array.count; i++)
        v.index = task_set_union(&m->sets, v.index, slots[i].set);
    return v;
}

/*
 * The array and the index that a call names; GRAPH_NONE where the index is not
 * known. False and fails where there is none.
 */
static bool array_slot(machine *m, ast_node call, value *array, uint32_t *at)
{
    ast_node a = call_argument(m, call, 0), i = call_argument(m, call, 1);
    if (a == AST_NONE || i == AST_NONE)
        return machine_fail(m, SONATA_SYNTAX, m->ast->exprs[call].at,
                            "an array operation needs an array and an index");
    *array = machine_value(m, a);
    value index = machine_value(m, i);
    if (array->kind != VALUE_ARRAY)
        return machine_fail(m, SONATA_UNSUPPORTED, m->ast->exprs[a].at,
                            "this is no array of TaskIds");
    *at = GRAPH_NONE;
    if (index.kind != VALUE_SCALAR || !affine_is_const(index.number))
        return note_any_slot(m) && machine_spend(m, array->count) &&
               machine_spend_slots(m);
    if (index.number.c < 0 || index.number.c >= array->count)
        return machine_fail(m, SONATA_RANGE, m->ast->exprs[i].at,
                            "index %lld of an array of %u",
                            (long long)index.number.c, array->count);
    *at = (uint32_t)index.number.c;
    return machine_spend_slots(m);
}

value machine_array_update(machine *m, ast_node call)
{
    value array;
    uint32_t at;
    ast_node a = call_argument(m, call, 2);
    if (a == AST_NONE || !array_slot(m, call, &array, &at))
        return value_none();
    value item = machine_value(m, a);
    if (item.kind != VALUE_TASK)
        item = value_no_task(GRAPH_DEP_NULL);
    if (at == GRAPH_NONE)
        return update_any(m, array, item);
    task_slot *slots = task_array_slots(&m->arrays, array.index);
    if (slots == NULL)
        return value_none();
    task_slot filled = {item.index, item.cause, false};
    filled.overwritten = slots[at].overwritten || slots[at].set != GRAPH_NONE;
    array.index = task_array_update(&m->arrays, array.index, at, filled);
    return array;
}

value machine_array_get(machine *m, ast_node call)
{
    value array;
    uint32_t at;
    if (!array_slot(m, call, &array, &at))
        return value_none();
    if (at == GRAPH_NONE)
        return get_any(m, array);
    task_slot *slots = task_array_slots(&m->arrays, array.index);
    if (slots == NULL)
        return value_none();
    value v = value_no_task((graph_cause)slots[at].cause);
    v.index = slots[at].set;
    v.overwritten = slots[at].overwritten;
    return v;
}
