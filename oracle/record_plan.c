/* A record beside the plan of its program: a dump's graph, or a Score. */
#include "order.h"
#include "record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint32_t count_buffers(const oracle_document *d, uint32_t task)
{
    uint32_t count = 0;
    for (uint32_t a = 0; a < d->tasks[task].args; a++) {
        count +=
            d->args[d->tasks[task].first_arg + a].kind == ORACLE_ARG_BUFFER;
    }
    return count;
}

static bool tells_directions(const oracle_document *d, uint32_t task)
{
    for (uint32_t a = 0; a < d->tasks[task].args; a++) {
        const oracle_arg *arg = &d->args[d->tasks[task].first_arg + a];
        if (arg->kind == ORACLE_ARG_BUFFER &&
            arg->dispatch != ORACLE_UNKNOWN_DISPATCH) {
            return true;
        }
    }
    return d->tasks[task].args == 0;
}

/* Whether a task of this core can have these kernels. */
static bool fits_core(const oracle_text *core, const oracle_kernels *kernels)
{
    bool cube = kernels->id[0] >= 0;
    bool vector = kernels->id[1] >= 0 || kernels->id[2] >= 0;
    if (!kernels->known || !core->present) {
        return true;
    }
    return strcmp(core->data, "aic") == 0   ? cube && !vector
           : strcmp(core->data, "aiv") == 0 ? vector && !cube
                                            : true;
}

static const char *differs(const oracle_document *record,
                           const oracle_document *plan, uint32_t i)
{
    const oracle_task *a = &record->tasks[i], *b = &plan->tasks[i];
    if (!fits_core(&b->core, &record->run->kernels[i])) {
        return "runs on another kind of core";
    }
    if (b->blocks > 0 && a->blocks != b->blocks &&
        plan->kind == ORACLE_KIND_TASK_GRAPH) {
        return "has another number of blocks";
    }
    if (tells_directions(plan, i) &&
        count_buffers(record, i) != count_buffers(plan, i)) {
        return "has another number of tensors";
    }
    return NULL;
}

/* Tasks of one name have the same kernels, whatever their ids are. */
static bool check_names(const oracle_document *record,
                        const oracle_document *plan, uint32_t *odd)
{
    oracle_table names = {0};
    bool ok = true;
    *odd = ORACLE_NONE;
    for (uint32_t i = 0; ok && i < plan->task_count; i++) {
        const oracle_text *name = &plan->tasks[i].name;
        if (name->length == 0) {
            continue;
        }
        oracle_slot *slot = oracle_table_slot(&names, name->data, name->length);
        ok = slot != NULL;
        if (ok && slot->data == NULL) {
            *slot = (oracle_slot){name->data, name->length, i};
        } else if (ok && *odd == ORACLE_NONE &&
                   memcmp(record->run->kernels[i].id,
                          record->run->kernels[slot->value].id,
                          sizeof record->run->kernels[i].id) != 0) {
            *odd = i;
        }
    }
    oracle_table_free(&names);
    return ok;
}

bool oracle_run_matches(const oracle_document *record,
                        const oracle_document *plan, oracle_arena *arena,
                        const char **why)
{
    const char *what = NULL;
    uint32_t i = 0, odd = ORACLE_NONE;
    if (plan->choice_count > 0 || plan->ambiguous) {
        *why = plan->ambiguous ? "two of its tasks have one id"
                               : "only some executions have all its tasks";
        return false;
    }
    if (plan->task_count != record->task_count) {
        *why = oracle_arena_format(
            arena, "it has %u tasks and the run submitted %u",
            (unsigned)plan->task_count, (unsigned)record->task_count);
        return false;
    }
    for (; what == NULL && i < plan->task_count; i++) {
        what = differs(record, plan, i);
    }
    if (what == NULL && !check_names(record, plan, &odd)) {
        *why = NULL;
        return false;
    }
    if (what == NULL && odd != ORACLE_NONE) {
        i = odd + 1;
        what = "has other kernels than an earlier task of its name";
    }
    if (what != NULL) {
        *why = oracle_arena_format(
            arena, "submission %u, task %" PRId64 " of the run, %s",
            (unsigned)(i - 1), record->tasks[i - 1].id, what);
    }
    return what == NULL;
}

/* --- Explicit edges --- */

static uint32_t collect(const oracle_document *plan, oracle_pair *pairs)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < plan->task_count; t++) {
        const oracle_task *task = &plan->tasks[t];
        for (uint32_t i = 0; i < task->deps; i++) {
            uint32_t from = plan->deps[task->first_dep + i].task;
            if (from != ORACLE_NONE && from != t) {
                pairs[count++] = (oracle_pair){.from = from, .to = t};
            }
        }
    }
    for (uint32_t e = 0; e < plan->edge_count; e++) {
        const oracle_edge *edge = &plan->edges[e];
        if (edge->certain && edge->from != edge->to &&
            (edge->source == ORACLE_EXPLICIT ||
             edge->source == ORACLE_POLICY)) {
            pairs[count++] = (oracle_pair){.from = edge->from, .to = edge->to};
        }
    }
    return count;
}

/* A pair as one number. */
static int64_t key_of(uint32_t from, uint32_t to)
{
    return (int64_t)((uint64_t)to << 32 | from);
}

/* The pairs that the record itself lists as lost are known. */
static bool note_listed(oracle_id_table *known, const oracle_run *run)
{
    for (uint32_t i = 0; i < run->lost_count; i++) {
        const oracle_lost_edge *lost = &run->lost[i];
        oracle_id_slot *slot =
            oracle_id_table_slot(known, key_of(lost->from, lost->to));
        if (slot == NULL) {
            return false;
        }
        slot->value = i;
    }
    return true;
}

static bool keep_lost(oracle_document *record, const oracle_document *plan,
                      const oracle_pair *pairs, uint32_t count,
                      oracle_id_table *known)
{
    oracle_run *run = record->run;
    for (uint32_t i = 0; i < count; i++) {
        oracle_id_slot *slot =
            pairs[i].ordered ? NULL
                             : oracle_id_table_slot(
                                   known, key_of(pairs[i].from, pairs[i].to));
        if (slot == NULL && !pairs[i].ordered) {
            return false;
        }
        if (slot == NULL || slot->value != ORACLE_NONE) {
            continue;
        }
        slot->value = i;
        oracle_lost_edge *grown = oracle_arena_push(
            record->arena, run->lost, run->lost_count, sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        run->lost = grown;
        grown[run->lost_count++] =
            (oracle_lost_edge){.from_id = plan->tasks[pairs[i].from].id,
                               .from = pairs[i].from,
                               .to = pairs[i].to,
                               .is_planned = true};
    }
    return true;
}

bool oracle_run_compare(oracle_document *record, const oracle_document *plan)
{
    oracle_arena *arena = oracle_arena_create();
    oracle_order order;
    size_t most = (size_t)plan->dep_count + plan->edge_count;
    if (arena == NULL) {
        return false;
    }
    record->run->has_plan = true;
    bool *present = oracle_arena_alloc(arena, record->task_count);
    oracle_pair *pairs = oracle_arena_array(arena, most, sizeof *pairs);
    bool ok = present != NULL && pairs != NULL;
    if (ok) {
        memset(present, true, record->task_count);
        ok = oracle_order_build(&order, record, NULL, present, false, arena);
    }
    /* With a cycle nothing is known of the order. */
    if (ok && order.cycle_count == 0 && !record->run->is_cut) {
        oracle_id_table known = {0};
        uint32_t count = collect(plan, pairs);
        ok = oracle_order_query(&order, pairs, count) &&
             note_listed(&known, record->run) &&
             keep_lost(record, plan, pairs, count, &known);
        oracle_id_table_free(&known);
    }
    oracle_arena_free(arena);
    return ok;
}

/* The deps of a plan order what the run has made of them, and no more. */
static bool drop_deps(oracle_document *plan)
{
    oracle_dep *deps =
        oracle_arena_array(plan->arena, plan->dep_count, sizeof *deps);
    if (deps == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < plan->dep_count; i++) {
        deps[i] = plan->deps[i];
        if (deps[i].cause == ORACLE_DEP_TASK) {
            deps[i].cause = ORACLE_DEP_NONE;
            deps[i].task = ORACLE_NONE;
        }
    }
    plan->deps = deps;
    return true;
}

/* What reading the record has said is said of both. */
static bool join_remarks(oracle_document *plan, const oracle_document *record)
{
    uint32_t count = plan->remark_count + record->remark_count;
    oracle_remark *all = oracle_arena_array(plan->arena, count, sizeof *all);
    if (all == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        all[i] = i < record->remark_count
                     ? record->remarks[i]
                     : plan->remarks[i - record->remark_count];
    }
    plan->remarks = all;
    plan->remark_count = count;
    return true;
}

bool oracle_run_join(oracle_document *plan, const oracle_document *record)
{
    oracle_edge *edges =
        oracle_arena_array(plan->arena, record->edge_count, sizeof *edges);
    if (edges == NULL || !drop_deps(plan) || !join_remarks(plan, record)) {
        return false;
    }
    for (uint32_t i = 0; i < record->edge_count; i++) {
        edges[i] = record->edges[i];
    }
    for (uint32_t t = 0; t < plan->task_count; t++) {
        plan->tasks[t].line = 0; /* of another file than is judged */
    }
    plan->edges = edges;
    plan->edge_count = record->edge_count;
    plan->loose_edge_count = 0;
    plan->derived = plan->rules;
    plan->rules = ORACLE_RULES_NONE;
    plan->run = record->run;
    return true;
}
