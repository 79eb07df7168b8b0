#include <stdlib.h>
#include <string.h>

#include "../json/table.h"
#include "cycle.h"
#include "reason.h"

#define CODE "score_validation_failed"

/* One validation: where reasons go, and whether memory lasted. */
typedef struct checker {
    sonata_reasons *reasons;
    sonata_arena *arena;
    bool failed;
} checker;

static void add(checker *c, sonata_text message)
{
    if (!sonata_reasons_add(c->reasons, CODE, message, false))
        c->failed = true;
}

static sonata_text number(checker *c, int64_t value)
{
    return sonata_text_int(c->arena, value);
}

static void check_length(checker *c, const sonata_task *task, const char *what,
                         size_t count)
{
    if (count == 0 || count == task->arg_count)
        return;
    sonata_text field = {what, strlen(what)};
    add(c, SONATA_JOIN(c->arena, SONATA_TEXT("task "), number(c, task->id),
                       SONATA_TEXT(" "), field, SONATA_TEXT(" size "),
                       number(c, (int64_t)count),
                       SONATA_TEXT(" does not match args size "),
                       number(c, (int64_t)task->arg_count)));
}

static void check_task(checker *c, const sonata_task *task)
{
    if (task->id < 0)
        add(c,
            SONATA_JOIN(c->arena, SONATA_TEXT("task id must be non-negative: "),
                        number(c, task->id)));
    if (task->func_id < 0)
        add(c, SONATA_JOIN(c->arena, SONATA_TEXT("task "), number(c, task->id),
                           SONATA_TEXT(" func_id must be non-negative")));
    if (!sonata_text_is(task->core_type, "aic") &&
        !sonata_text_is(task->core_type, "aiv") &&
        !sonata_text_is(task->core_type, "mixed"))
        add(c, SONATA_JOIN(c->arena, SONATA_TEXT("task "), number(c, task->id),
                           SONATA_TEXT(" has unsupported core_type: "),
                           task->core_type));
    check_length(c, task, "arg_directions", task->direction_count);
    check_length(c, task, "arg_storage_keys", task->key_count);
}

static void check_dependency(checker *c, const sonata_ids *ids,
                             const sonata_dependency *edge)
{
    if (sonata_ids_rank(ids, edge->producer) == SONATA_NO_RANK)
        add(c, SONATA_JOIN(c->arena,
                           SONATA_TEXT("dependency producer is unknown: "),
                           number(c, edge->producer)));
    if (sonata_ids_rank(ids, edge->consumer) == SONATA_NO_RANK)
        add(c, SONATA_JOIN(c->arena,
                           SONATA_TEXT("dependency consumer is unknown: "),
                           number(c, edge->consumer)));
    if (edge->producer == edge->consumer)
        add(c, SONATA_JOIN(c->arena,
                           SONATA_TEXT("dependency cannot be a self-edge: "),
                           number(c, edge->producer)));
}

static void add_cycle(checker *c, const sonata_ids *ids, const uint32_t *cycle,
                      size_t length)
{
    size_t count = 2 * (length + 1);
    sonata_text *pieces = sonata_arena_array(c->arena, count, sizeof *pieces);
    if (pieces == NULL) {
        c->failed = true;
        return;
    }
    for (size_t i = 0; i <= length; i++) {
        pieces[2 * i] = SONATA_TEXT(" -> ");
        pieces[2 * i + 1] = number(c, ids->values[cycle[i % length]]);
    }
    pieces[0] = SONATA_TEXT("dependency graph must be acyclic, found cycle: ");
    add(c, sonata_text_join(c->arena, pieces, count));
}

static sonata_status check_cycle(checker *c, const sonata_ids *ids,
                                 const sonata_score *score, sonata_error *error)
{
    uint32_t *cycle = NULL;
    size_t length = 0;
    sonata_status status =
        sonata_find_cycle(&cycle, &length, ids, score, error);
    if (status == SONATA_OK && length > 0)
        add_cycle(c, ids, cycle, length);
    free(cycle);
    return status;
}

static const char *dim_fault(const sonata_value *dim)
{
    if (dim->kind != SONATA_INT)
        return " has non-integer dimension";
    if (dim->text.text[0] == '-')
        return " has negative dimension";
    return sonata_text_is(dim->text, "0") ? " has zero dimension" : NULL;
}

static void check_dims(checker *c, const sonata_shape *shape)
{
    const char *seen[3] = {0};
    size_t count = 0;
    for (size_t i = 0; i < shape->dim_count; i++) {
        const char *fault = dim_fault(&shape->dims[i]);
        bool repeated = fault == NULL;
        for (size_t k = 0; k < count; k++)
            repeated = repeated || strcmp(seen[k], fault) == 0;
        if (repeated)
            continue;
        seen[count++] = fault;
        sonata_text tail = {fault, strlen(fault)};
        add(c, SONATA_JOIN(c->arena, SONATA_TEXT("shape assumption "),
                           shape->symbol, tail));
    }
}

static void check_shape(checker *c, sonata_table *symbols,
                        const sonata_shape *shape)
{
    uint32_t index = 0;
    bool is_new = false;
    bool is_empty = shape->symbol.length == 0;
    if (!sonata_table_put(symbols, &index, &is_new, 0, shape->symbol)) {
        c->failed = true;
        return;
    }
    if (!is_new)
        add(c,
            SONATA_JOIN(c->arena,
                        SONATA_TEXT("shape assumption symbol must be unique: "),
                        is_empty ? SONATA_TEXT("<empty>") : shape->symbol));
    else if (is_empty)
        add(c, SONATA_TEXT("shape assumption symbol must not be empty"));
    else
        check_dims(c, shape);
}

static void check_shapes(checker *c, const sonata_score *score)
{
    sonata_table symbols = {0};
    for (size_t i = 0; i < score->shape_count && !c->failed; i++)
        check_shape(c, &symbols, &score->shapes[i]);
    sonata_table_free(&symbols);
}

static sonata_status check_graph(checker *c, const sonata_score *score,
                                 sonata_error *error)
{
    sonata_ids ids;
    sonata_status status = sonata_ids_build(&ids, score, error);
    if (status != SONATA_OK)
        return status;
    if (ids.count < score->task_count)
        add(c, SONATA_TEXT("task ids must be unique"));
    for (size_t i = 0; i < score->task_count && !c->failed; i++)
        check_task(c, &score->tasks[i]);
    for (size_t i = 0; i < score->dependency_count && !c->failed; i++)
        check_dependency(c, &ids, &score->dependencies[i]);
    if (!c->failed)
        status = check_cycle(c, &ids, score, error);
    sonata_ids_free(&ids);
    return status;
}

sonata_status sonata_score_validate(sonata_reasons *reasons,
                                    const sonata_score *score,
                                    sonata_error *error)
{
    checker c = {reasons, sonata_reasons_memory(reasons), false};
    if (c.arena == NULL)
        return sonata_fail_memory(error);
    if (score->name.length == 0)
        add(&c, SONATA_TEXT("score name must not be empty"));
    sonata_status status = check_graph(&c, score, error);
    if (status != SONATA_OK)
        return status;
    check_shapes(&c, score);
    return c.failed ? sonata_fail_memory(error) : SONATA_OK;
}
