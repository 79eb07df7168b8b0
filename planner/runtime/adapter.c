/* Does a PlanHandle fit its Score? (spec 04) */
#include <stdlib.h>
#include <string.h>

#include "sonata/runtime.h"

#include "../deps/direction.h"
#include "../score/ids.h"
#include "../score/reason.h"
#include "adapter.h"
#include "lookup.h"

#define CONTRACT_VERSION 1

typedef struct checker {
    const sonata_score *score;
    const sonata_handle *handle;
    sonata_lookup *lookup;
    sonata_reasons *reasons;
    sonata_arena *arena;
    bool failed;
} checker;

#define ADD(c, code, ...)                                                      \
    add((c), "runtime_adapter_" code, SONATA_JOIN((c)->arena, __VA_ARGS__))

static void add(checker *c, const char *code, sonata_text message)
{
    if (!sonata_reasons_add(c->reasons, code, message, false))
        c->failed = true;
}

static sonata_text number(checker *c, int64_t value)
{
    return sonata_text_int(c->arena, value);
}

static void check_versions(checker *c, sonata_text fingerprint)
{
    const sonata_handle *handle = c->handle;
    if (!sonata_text_equal(handle->fingerprint, fingerprint))
        ADD(c, "fingerprint_mismatch", SONATA_TEXT("PlanHandle fingerprint '"),
            handle->fingerprint,
            SONATA_TEXT("' does not match Score fingerprint '"), fingerprint,
            SONATA_TEXT("'"));
    if (handle->contract_version != CONTRACT_VERSION)
        ADD(c, "contract_version_mismatch",
            SONATA_TEXT("PlanHandle runtime contract version "),
            number(c, handle->contract_version),
            SONATA_TEXT(" does not match adapter version "),
            number(c, CONTRACT_VERSION));
}

/* Marks the registered names that tasks have. */
static bool check_tasks(checker *c, bool *is_used)
{
    for (size_t i = 0; i < c->score->task_count && !c->failed; i++) {
        const sonata_task *task = &c->score->tasks[i];
        uint32_t name = 0;
        if (task->name.text == NULL)
            continue;
        if (!sonata_lookup_name(&name, c->lookup, task->name))
            return false;
        if (name < c->lookup->known)
            is_used[name] = true;
        else
            ADD(c, "func_not_registered", SONATA_TEXT("task "),
                number(c, task->id), SONATA_TEXT(" callee '"), task->name,
                SONATA_TEXT("' not found in FuncRegistry"));
    }
    return true;
}

static bool check_entries(checker *c, const bool *is_used)
{
    for (size_t i = 0; i < c->handle->entry_count && !c->failed; i++) {
        sonata_text text = c->handle->entries[i].name;
        uint32_t name = 0;
        if (!sonata_lookup_name(&name, c->lookup, text))
            return false;
        if (!is_used[name])
            ADD(c, "func_unreferenced", SONATA_TEXT("FuncRegistry entry '"),
                text, SONATA_TEXT("' not referenced by any Score task"));
    }
    return true;
}

static void check_names(checker *c)
{
    bool *is_used = calloc((size_t)c->lookup->known + 1, sizeof *is_used);
    if (is_used == NULL || !check_tasks(c, is_used) ||
        !check_entries(c, is_used))
        c->failed = true;
    free(is_used);
}

static sonata_text show(sonata_value value)
{
    return value.kind == SONATA_NULL ? SONATA_TEXT("None") : value.text;
}

static void check_task_bindings(checker *c, const sonata_task *task)
{
    for (size_t i = 0; i < task->arg_count && i < task->direction_count; i++) {
        if (!sonata_is_memory(sonata_direction_of(task->directions[i])) ||
            sonata_lookup_binding(c->lookup, task->id, i) != NULL)
            continue;
        sonata_value key = {0};
        if (i < task->key_count)
            key = task->keys[i];
        ADD(c, "binding_incomplete", SONATA_TEXT("task "), number(c, task->id),
            SONATA_TEXT(" arg "), number(c, (int64_t)i), SONATA_TEXT(" ("),
            show(task->args[i]), SONATA_TEXT(", storage="), show(key),
            SONATA_TEXT(") has no RuntimeArgBinding"));
    }
}

static void check_end(checker *c, const sonata_ids *ids, const char *which,
                      int64_t id)
{
    sonata_text end = {which, strlen(which)};
    if (sonata_ids_rank(ids, id) == SONATA_NO_RANK)
        ADD(c, "invalid_edge", SONATA_TEXT("dependency "), end,
            SONATA_TEXT(" "), number(c, id), SONATA_TEXT(" not in task table"));
}

static sonata_status check_edges(checker *c, sonata_error *error)
{
    sonata_ids ids;
    sonata_status status = sonata_ids_build(&ids, c->score, error);
    if (status != SONATA_OK)
        return status;
    for (size_t i = 0; i < c->score->dependency_count && !c->failed; i++) {
        check_end(c, &ids, "producer", c->score->dependencies[i].producer);
        check_end(c, &ids, "consumer", c->score->dependencies[i].consumer);
    }
    sonata_ids_free(&ids);
    return SONATA_OK;
}

static sonata_status check_rest(checker *c, sonata_text fingerprint,
                                sonata_error *error)
{
    check_versions(c, fingerprint);
    check_names(c);
    for (size_t i = 0; i < c->score->task_count && !c->failed; i++)
        check_task_bindings(c, &c->score->tasks[i]);
    sonata_status status = check_edges(c, error);
    if (status != SONATA_OK)
        return status;
    return c->failed ? sonata_fail_memory(error) : SONATA_OK;
}

static sonata_status check_pair(sonata_reasons *reasons,
                                const sonata_score *score,
                                const sonata_handle *handle,
                                sonata_text fingerprint, sonata_error *error)
{
    sonata_lookup lookup;
    checker c = {.score = score,
                 .handle = handle,
                 .lookup = &lookup,
                 .reasons = reasons,
                 .arena = sonata_reasons_memory(reasons)};
    if (c.arena == NULL)
        return sonata_fail_memory(error);
    sonata_status status = sonata_lookup_build(&lookup, handle, error);
    if (status != SONATA_OK)
        return status;
    status = check_rest(&c, fingerprint, error);
    sonata_lookup_free(&lookup);
    return status;
}

sonata_status sonata_adapter_check(sonata_reasons *reasons,
                                   const sonata_score *score,
                                   const sonata_handle *handle,
                                   sonata_error *error)
{
    char text[SONATA_FINGERPRINT_SIZE];
    sonata_status status = sonata_score_fingerprint(text, score, false, error);
    if (status != SONATA_OK)
        return status;
    return check_pair(reasons, score, handle,
                      (sonata_text){text, SONATA_FINGERPRINT_SIZE - 1}, error);
}

sonata_status sonata_adapter_check_own(sonata_reasons *reasons,
                                       const sonata_score *score,
                                       const sonata_handle *handle,
                                       sonata_error *error)
{
    return check_pair(reasons, score, handle, handle->fingerprint, error);
}
