/*
 * The task graph of a program by what its IR means, beside the Score that
 * v0.9's extraction makes of it (spec 05, the end): every call that runs, in
 * the order in which it runs, constants by their value, and each argument with
 * the storage that it has when its call runs.
 */
#include "program.h"

#include <stdlib.h>

#include "../json/text.h"
#include "../score/graph_parts.h"
#include "extract.h"
#include "load.h"
#include "storage.h"

typedef struct meaning {
    const sonata_program *program;
    const sonata_score *planned; /* by the extraction: name, edges, ids */
    sonata_ir ir;                /* as it runs */
    sonata_roots roots, planned_roots;
    sonata_arena arena;
    sonata_storage_fact *facts;
    int64_t *ids; /* of the Score's tasks, by node of the source; -1: none */
    int64_t first_id, next_id; /* of the present root */
    sonata_score score;
    bool *parts;
    size_t arg_count;
} meaning;

static bool start_ids(meaning *m)
{
    m->ids = malloc((m->program->source.count + 1) * sizeof *m->ids);
    for (size_t i = 0; m->ids != NULL && i < m->program->source.count; i++)
        m->ids[i] = -1;
    return m->ids != NULL;
}

/* The Score's tasks of a root; a node may be in several of them. */
static void number_tasks(meaning *m, const sonata_ir_root *root)
{
    const sonata_ir *ir = &m->program->ir;
    m->first_id = m->next_id;
    for (uint32_t k = 0; k < root->steps; k++) {
        const sonata_ir_step *step = &ir->steps[root->first_step + k];
        if (step->kind == SONATA_IR_VISIT_CALL &&
            sonata_ir_is_task(&ir->calls[step->call]))
            m->ids[ir->calls[step->call].node] = m->next_id++;
    }
}

/* By its spelling, Python's: as what it touches 1, 1.0 and True are equal. */
static sonata_value constant_of(sonata_text text)
{
    bool number = text.length > 0;
    for (size_t i = 0; i < text.length; i++)
        number = number && ((text.text[i] >= '0' && text.text[i] <= '9') ||
                            (i == 0 && text.text[i] == '-' && text.length > 1));
    sonata_value_kind kind = number ? SONATA_INT : SONATA_FLOAT;
    if (sonata_text_is(text, "True") || sonata_text_is(text, "False"))
        kind = SONATA_BOOL;
    else if (sonata_text_is(text, "None"))
        kind = SONATA_NULL;
    return (sonata_value){kind, text};
}

static bool fill_args(meaning *m, sonata_task *task, const sonata_ir_call *call)
{
    task->args = sonata_arena_array(&m->arena, call->args, sizeof *task->args);
    task->keys = sonata_arena_array(&m->arena, call->args, sizeof *task->keys);
    if (task->args == NULL || task->keys == NULL)
        return false;
    task->arg_count = task->key_count = call->args;
    for (uint32_t i = 0; i < call->args; i++) {
        const sonata_ir_arg *arg = &m->ir.args[call->first_arg + i];
        const sonata_storage_fact *fact = &m->facts[call->first_arg + i];
        bool is_known = fact->key.text != NULL;
        task->args[i] = arg->constant.text != NULL && !is_known
                            ? constant_of(arg->constant)
                            : (sonata_value){SONATA_STRING, arg->name};
        if (is_known)
            task->keys[i] = (sonata_value){SONATA_STRING, fact->key};
        m->parts[m->arg_count++] = is_known && fact->is_part;
    }
    return true;
}

static bool add_task(meaning *m, const sonata_ir_call *call, int64_t *further)
{
    sonata_task *task = &m->score.tasks[m->score.task_count++];
    int64_t id = m->ids[call->node];
    task->id = id >= m->first_id ? id : (*further)++;
    task->core_type =
        call->callee_kind == SONATA_CALLEE_AIC   ? SONATA_TEXT("aic")
        : call->callee_kind == SONATA_CALLEE_AIV ? SONATA_TEXT("aiv")
                                                 : SONATA_TEXT("mixed");
    task->name = call->callee;
    task->direction_count = call->directions;
    if (call->directions > 0)
        task->directions = m->ir.directions + call->first_direction;
    return fill_args(m, task, call);
}

/* False: out of memory. */
static bool add_tasks(meaning *m)
{
    int64_t further = (int64_t)m->planned->task_count;
    m->score.tasks = sonata_arena_array(&m->arena, m->ir.step_count + 1,
                                        sizeof *m->score.tasks);
    m->parts = calloc(m->ir.arg_count + 1, sizeof *m->parts);
    bool ok = m->score.tasks != NULL && m->parts != NULL;
    for (size_t i = 0; ok && i < m->roots.count; i++) {
        const sonata_ir_root *root = m->roots.items[i];
        number_tasks(m, m->planned_roots.items[i]);
        for (uint32_t k = 0; ok && k < root->steps; k++) {
            const sonata_ir_step *step = &m->ir.steps[root->first_step + k];
            if (step->kind == SONATA_IR_VISIT_CALL &&
                sonata_ir_is_task(&m->ir.calls[step->call]))
                ok = add_task(m, &m->ir.calls[step->call], &further);
        }
    }
    m->score.name = m->planned->name;
    m->score.dependencies = m->planned->dependencies;
    m->score.dependency_count = m->planned->dependency_count;
    return ok;
}

/* A loop or a branch where the extraction does not look has no such list. */
static bool is_straight(const meaning *m)
{
    for (size_t i = 0; i < m->roots.count; i++) {
        const sonata_ir_root *root = m->roots.items[i];
        for (uint32_t k = 0; k < root->steps; k++)
            if (m->ir.steps[root->first_step + k].kind == SONATA_IR_VISIT_NODE)
                return false;
    }
    return true;
}

/* *made: there is a list of what runs. */
static sonata_status make(meaning *m, bool *made,
                          const sonata_ir_options *options, sonata_error *error)
{
    sonata_text entry = options == NULL ? (sonata_text){0} : options->entry;
    sonata_status status = sonata_roots_select(&m->roots, &m->ir, entry, error);
    *made = status == SONATA_OK && is_straight(m);
    if (!*made)
        return status;
    if (status == SONATA_OK)
        status = sonata_roots_select(&m->planned_roots, &m->program->ir, entry,
                                     error);
    if (status == SONATA_OK)
        status = sonata_storage_facts(&m->facts, &m->arena, &m->roots, error);
    if (status == SONATA_OK && (!start_ids(m) || !add_tasks(m)))
        status = sonata_fail_memory(error);
    return status;
}

sonata_status
sonata_ir_graph_json(char **json, size_t *length, const sonata_program *program,
                     const sonata_ir_options *options,
                     const sonata_score *score, const sonata_buffer_size *sizes,
                     size_t size_count, bool pretty, sonata_error *error)
{
    meaning m = {.program = program, .planned = score};
    const sonata_score *source = score;
    *json = NULL;
    sonata_status status = sonata_ir_load_whole(
        &m.ir, &program->source,
        options == NULL ? (sonata_text){0} : options->entry, error);
    bool loaded = status == SONATA_OK, made = false;
    if (loaded)
        status = make(&m, &made, options, error);
    source = made ? &m.score : source;
    /* What only this way through finds to be wrong is no fault of the Score. */
    if (!loaded && status != SONATA_NO_MEMORY)
        status = SONATA_OK;
    if (status == SONATA_OK)
        status = sonata_graph_parts_json(json, length, source, m.parts, sizes,
                                         size_count, pretty, error);
    sonata_roots_free(&m.roots);
    sonata_roots_free(&m.planned_roots);
    if (loaded)
        sonata_ir_free(&m.ir);
    sonata_arena_free(&m.arena);
    free(m.ids);
    free(m.parts);
    return status;
}
