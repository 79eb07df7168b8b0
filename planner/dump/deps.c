/* What a task waits for by what is written: deps= and compiler edges. */
#include "machine.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

/* Depends on a task, or says why not. */
static void add_dep(machine *m, graph_dep dep)
{
    if (graph_add_dep(&m->graph, &dep) != GRAPH_NONE)
        m->graph.tasks[m->task].deps++;
}

/* An entry without task, once for each cause and name. */
static void add_none(machine *m, graph_cause cause, ast_node node)
{
    const graph_task *t = &m->graph.tasks[m->task];
    for (uint32_t i = t->deps; i-- > 0;) {
        const graph_dep *d = &m->graph.deps[t->first_dep + i];
        if (d->site == node && d->cause == cause)
            return;
    }
    add_dep(m, (graph_dep){cause, GRAPH_NONE, machine_source(m, node),
                           GRAPH_NONE, node});
}

/* Whether the running task depends on this one already, in any case. */
static bool is_new(machine *m, uint32_t task)
{
    while (m->dep_stamp_capacity <= task) {
        uint32_t old = m->dep_stamp_capacity;
        uint32_t wanted = old == 0 ? 1024 : old * 2;
        uint32_t *grown = realloc(m->dep_stamp, (size_t)wanted * sizeof *grown);
        if (grown == NULL)
            return machine_no_memory(m);
        memset(grown + old, 0, (size_t)(wanted - old) * sizeof *grown);
        m->dep_stamp = grown;
        m->dep_stamp_capacity = wanted;
    }
    if (m->dep_stamp[task] == m->task + 1)
        return false;
    m->dep_stamp[task] = m->task + 1;
    return true;
}

/*
 * The decisions of `when` that neither the task depended on nor the running
 * one rest on; false when they contradict the first.
 */
static bool needed(machine *m, uint32_t task, uint32_t when, uint32_t *out)
{
    uint32_t own = m->graph.tasks[task].when;
    *out = GRAPH_NONE;
    for (; when != GRAPH_NONE; when = m->graph.whens[when].parent) {
        graph_when w = m->graph.whens[when];
        int taken = flow_taken(m, own, w.choice);
        if (taken >= 0 && taken != w.is)
            return false;
        if (taken < 0)
            *out = graph_add_when(&m->graph, w.choice, w.is, *out);
        machine_spend(m, 1);
    }
    return true;
}

/* A part of a set that is still to be walked, and when it counts. */
struct walk_item {
    uint32_t set, when;
};

static bool push_walk(machine *m, uint32_t *depth, uint32_t set, uint32_t when)
{
    if (set == GRAPH_NONE)
        return true;
    if (!array_grow(&m->walk, *depth, &m->walk_capacity, sizeof *m->walk))
        return machine_no_memory(m);
    m->walk[(*depth)++] = (struct walk_item){set, when};
    return true;
}

static void add_task(machine *m, uint32_t task, uint32_t when, ast_node node)
{
    uint32_t rest;
    m->dep_site[node] = 1;
    if (!needed(m, task, when, &rest) ||
        (rest == GRAPH_NONE && !is_new(m, task)))
        return;
    add_dep(m, (graph_dep){GRAPH_DEP_TASK, task, machine_source(m, node), rest,
                           node});
}

static bool add_set(machine *m, uint32_t set, ast_node node)
{
    uint32_t depth = 0;
    uint32_t own = m->graph.tasks[m->task].when;
    push_walk(m, &depth, set, GRAPH_NONE);
    while (depth > 0 && m->status == SONATA_OK) {
        struct walk_item item = m->walk[--depth];
        machine_spend(m, 1);
        const task_node *n = task_set_node(&m->sets, item.set);
        if (n == NULL) {
            add_task(m, item.set, item.when, node);
            continue;
        }
        if (n->choice == GRAPH_NONE) {
            push_walk(m, &depth, n->b, item.when);
            push_walk(m, &depth, n->a, item.when);
            continue;
        }
        int taken = flow_taken(m, own, n->choice);
        if (taken < 0)
            taken = flow_taken(m, item.when, n->choice);
        for (int side = 0; side < 2; side++) {
            bool is = side == 1;
            uint32_t when = taken >= 0 ? item.when
                                       : graph_add_when(&m->graph, n->choice,
                                                        is, item.when);
            if (taken < 0 || taken == is)
                push_walk(m, &depth, is ? n->a : n->b, when);
        }
    }
    return m->status == SONATA_OK;
}

static void add_slots(machine *m, value array, ast_node node)
{
    uint32_t valid = 0;
    task_slot *slots = task_array_slots(&m->arrays, array.index);
    machine_spend(m, array.count);
    machine_spend_slots(m);
    for (uint32_t i = 0; slots != NULL && i < array.count; i++) {
        if (slots[i].set == GRAPH_NONE)
            continue;
        valid++;
        if (slots[i].overwritten)
            add_none(m, GRAPH_DEP_REUSED, node);
        if (!add_set(m, slots[i].set, node))
            return;
    }
    if (valid == 0)
        add_none(m, GRAPH_DEP_DEAD, node);
}

static bool add_dep_value(machine *m, value v, ast_node node)
{
    graph_text name = machine_source(m, node);
    if (v.kind == VALUE_ARRAY) {
        add_slots(m, v, node);
        return m->status == SONATA_OK;
    }
    if (v.kind != VALUE_TASK)
        return machine_fail(m, SONATA_UNSUPPORTED, m->ast->exprs[node].at,
                            "deps holds %.*s, which is no TaskId",
                            (int)(name.length < 100 ? name.length : 100),
                            name.data);
    if (v.overwritten && !flow_in_pass(m, v.pass))
        add_none(m, GRAPH_DEP_REUSED, node);
    if (v.index == GRAPH_NONE)
        add_none(m, (graph_cause)v.cause, node);
    return add_set(m, v.index, node);
}

/*
 * compiler_manual_dep_edges: the task behind a call's result or its TaskId; of
 * a loop's carry or result, those of all passes so far.
 */
static bool add_edge_name(machine *m, ast_node node)
{
    value v = machine_value(m, node);
    uint32_t set = v.carried              ? v.gathered
                   : v.kind == VALUE_TASK ? v.index
                                          : v.producer;
    if (v.kind == VALUE_ARRAY)
        return add_dep_value(m, v, node);
    if (set == GRAPH_NONE && !v.carried && v.kind != VALUE_TASK)
        return machine_fail(m, SONATA_UNSUPPORTED, m->ast->exprs[node].at,
                            "compiler_manual_dep_edges names what no earlier "
                            "call gave");
    if (set == GRAPH_NONE)
        add_none(m, GRAPH_DEP_NULL, node);
    return add_set(m, set, node);
}

void machine_settle_deps(machine *m)
{
    for (uint32_t i = 0; i < m->graph.dep_count; i++) {
        graph_dep *d = &m->graph.deps[i];
        if (d->cause == GRAPH_DEP_DEAD && m->dep_site[d->site])
            d->cause = GRAPH_DEP_NULL;
    }
}

static bool is_sequence(const machine *m, ast_node node)
{
    return m->ast->exprs[node].kind == AST_LIST ||
           m->ast->exprs[node].kind == AST_TUPLE;
}

bool machine_add_deps(machine *m, ast_node call)
{
    ast_node list = call_keyword(m, call, "deps");
    ast_node edges = call_attribute(m, call, "compiler_manual_dep_edges");
    m->graph.tasks[m->task].first_dep = m->graph.dep_count;
    if (list != AST_NONE && !is_sequence(m, list))
        return add_dep_value(m, machine_value(m, list), list);
    if (list != AST_NONE)
        for (ast_node n = m->ast->exprs[list].child; n != AST_NONE;
             n = m->ast->exprs[n].next)
            if (!add_dep_value(m, machine_value(m, n), n))
                return false;
    if (edges != AST_NONE && is_sequence(m, edges))
        for (ast_node n = m->ast->exprs[edges].child; n != AST_NONE;
             n = m->ast->exprs[n].next)
            if (!add_edge_name(m, n))
                return false;
    return true;
}
