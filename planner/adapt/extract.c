#include "extract.h"

#include <stdlib.h>
#include <string.h>

#include "../json/table.h"
#include "../score/document.h"
#include "../score/reason.h"
#include "metadata.h"
#include "storage.h"

/* The Score in the making. */
typedef struct maker {
    sonata_score *score;
    sonata_arena *arena;
    const sonata_roots *roots;
    const sonata_ir *ir;
    const sonata_text *keys; /* storage key per variable, or null */
    sonata_table callees;
} maker;

static bool is_task_step(const sonata_ir *ir, const sonata_ir_step *step)
{
    return step->kind == SONATA_IR_VISIT_CALL &&
           sonata_ir_is_task(&ir->calls[step->call]);
}

static sonata_text core_type_of(const sonata_ir_call *call)
{
    if (call->callee_kind == SONATA_CALLEE_AIC)
        return SONATA_TEXT("aic");
    return call->callee_kind == SONATA_CALLEE_AIV ? SONATA_TEXT("aiv")
                                                  : SONATA_TEXT("mixed");
}

static bool fill_args(maker *m, sonata_task *task, const sonata_ir_call *call)
{
    task->args = sonata_arena_array(m->arena, call->args, sizeof *task->args);
    task->keys = sonata_arena_array(m->arena, call->args, sizeof *task->keys);
    if (task->args == NULL || task->keys == NULL)
        return false;
    task->arg_count = task->key_count = call->args;
    for (uint32_t i = 0; i < call->args; i++) {
        const sonata_ir_arg *arg = &m->ir->args[call->first_arg + i];
        task->args[i] = (sonata_value){SONATA_STRING, arg->name};
        if (arg->variable == SONATA_IR_NONE)
            continue;
        sonata_text key = m->keys[arg->variable];
        if (key.text != NULL)
            task->keys[i] = (sonata_value){SONATA_STRING, key};
    }
    return true;
}

static bool add_task(maker *m, const sonata_ir_call *call)
{
    sonata_task *task = &m->score->tasks[m->score->task_count];
    uint32_t func = 0;
    if (!sonata_table_put(&m->callees, &func, NULL, 0, call->callee) ||
        !fill_args(m, task, call))
        return false;
    task->id = (int64_t)m->score->task_count++;
    task->func_id = func;
    task->core_type = core_type_of(call);
    task->name = call->callee;
    task->direction_count = call->directions;
    if (call->directions > 0)
        task->directions = m->ir->directions + call->first_direction;
    return true;
}

static size_t count_tasks(const maker *m, const sonata_ir_root *root)
{
    size_t count = 0;
    for (uint32_t k = 0; k < root->steps; k++)
        count +=
            is_task_step(m->ir, &m->ir->steps[root->first_step + k]) ? 1 : 0;
    return count;
}

static bool add_tasks(maker *m)
{
    size_t count = 0;
    for (size_t i = 0; i < m->roots->count; i++)
        count += count_tasks(m, m->roots->items[i]);
    m->score->tasks =
        sonata_arena_array(m->arena, count, sizeof *m->score->tasks);
    bool ok = m->score->tasks != NULL;
    for (size_t i = 0; i < m->roots->count && ok; i++) {
        const sonata_ir_root *root = m->roots->items[i];
        for (uint32_t k = 0; k < root->steps && ok; k++) {
            const sonata_ir_step *step = &m->ir->steps[root->first_step + k];
            if (is_task_step(m->ir, step))
                ok = add_task(m, &m->ir->calls[step->call]);
        }
    }
    return ok;
}

static bool add_shape(maker *m, const sonata_ir_root *root,
                      const sonata_ir_param *param)
{
    sonata_text name = m->ir->variables[param->variable].name;
    if (name.text == NULL || !param->has_shape)
        return true;
    if (m->roots->count > 1 && root->name.text != NULL)
        name = SONATA_JOIN(m->arena, root->name, SONATA_TEXT("."), name);
    sonata_value *dims =
        param->dims == 0 ? NULL : m->ir->dims + param->first_dim;
    m->score->shapes[m->score->shape_count++] =
        (sonata_shape){name, dims, param->dims};
    return name.text != NULL;
}

static bool add_shapes(maker *m)
{
    m->score->shapes = sonata_arena_array(m->arena, m->ir->param_count,
                                          sizeof *m->score->shapes);
    bool ok = m->score->shapes != NULL;
    for (size_t i = 0; i < m->roots->count && ok; i++) {
        const sonata_ir_root *root = m->roots->items[i];
        for (uint32_t k = 0; k < root->params && ok; k++)
            ok = add_shape(m, root, &m->ir->params[root->first_param + k]);
    }
    return ok;
}

/* The comment lines of the default runtime target. */
static const sonata_text default_comments[] = {
    SONATA_TEXT_INIT("# Runtime configuration for tensormap_and_ringbuffer."),
    SONATA_TEXT_INIT("# This runtime requires 4 AICPU threads (3 schedulers + "
                     "1 orchestrator on thread 3)."),
};

static bool set_name(maker *m)
{
    sonata_score *score = m->score;
    score->name =
        m->ir->name.text == NULL ? SONATA_TEXT("sonata_score") : m->ir->name;
    score->target = (sonata_target){
        .runtime = SONATA_TEXT("host_build_graph"),
        .function_name = SONATA_JOIN(m->arena, SONATA_TEXT("build_"),
                                     score->name, SONATA_TEXT("_graph")),
        .thread_num = {SONATA_INT, SONATA_TEXT("4")},
        .comments = default_comments,
        .comment_count = 2,
    };
    return score->target.function_name.text != NULL;
}

/* Plans the dependencies and says in the metadata how. */
static sonata_status plan(maker *m, const char *policy, sonata_error *error)
{
    const char *used = policy;
    const char *fallback = NULL;
    if (strcmp(policy, "dataflow_v0") == 0)
        fallback = sonata_dataflow_fallback(m->score);
    if (fallback != NULL)
        used = "sequential_v0";
    sonata_dependency *edges = NULL;
    size_t count = 0;
    sonata_status status =
        sonata_plan_dependencies(&edges, &count, m->score, used, error);
    if (status != SONATA_OK)
        return status;
    sonata_dependency *kept = sonata_arena_array(m->arena, count, sizeof *kept);
    if (kept != NULL && count > 0)
        memcpy(kept, edges, count * sizeof *kept);
    free(edges);
    if (kept == NULL)
        return sonata_fail_memory(error);
    m->score->dependencies = kept;
    m->score->dependency_count = count;
    return sonata_set_metadata(m->score, m->roots, used, policy, fallback,
                               error);
}

/* The keys given, or those of the program. */
static sonata_status take_keys(maker *m, const sonata_text *given,
                               sonata_error *error)
{
    sonata_text *keys = NULL;
    m->keys = given;
    if (given != NULL)
        return SONATA_OK;
    sonata_status status =
        sonata_storage_keys(&keys, m->arena, m->roots, error);
    m->keys = keys;
    return status;
}

static sonata_status make_score(sonata_score *score, const sonata_roots *roots,
                                const sonata_extract_options *options,
                                sonata_error *error)
{
    const char *policy =
        options->policy == NULL ? "sequential_v0" : options->policy;
    score->memory = calloc(1, sizeof *score->memory);
    if (score->memory == NULL)
        return sonata_fail_memory(error);
    maker m = {score, score->memory, roots, roots->ir, NULL, {0}};
    sonata_status status = take_keys(&m, options->keys, error);
    if (status == SONATA_OK &&
        (!set_name(&m) || !add_tasks(&m) || !add_shapes(&m)))
        status = sonata_fail_memory(error);
    if (status == SONATA_OK)
        status = plan(&m, policy, error);
    sonata_table_free(&m.callees);
    return status;
}

/* Below half of the memory arguments known: planned, with a warning. */
static sonata_status check_coverage(sonata_eligibility *result,
                                    sonata_error *error)
{
    sonata_coverage coverage = sonata_count_coverage(&result->score, true);
    if (2 * coverage.known >= coverage.total)
        return SONATA_OK;
    sonata_arena *arena = sonata_reasons_memory(&result->reasons);
    if (arena == NULL)
        return sonata_fail_memory(error);
    sonata_text message = SONATA_JOIN(
        arena, SONATA_TEXT("memory storage key coverage below threshold: "),
        sonata_text_int(arena, coverage.known), SONATA_TEXT("/"),
        sonata_text_int(arena, coverage.total), SONATA_TEXT(" < 0.5"));
    if (!sonata_reasons_add(&result->reasons,
                            "storage_coverage_below_threshold", message, true))
        return sonata_fail_memory(error);
    return SONATA_OK;
}

static sonata_status decide(sonata_eligibility *result,
                            const sonata_roots *roots,
                            const sonata_extract_options *options,
                            sonata_error *error)
{
    sonata_status status =
        sonata_check_eligibility(&result->reasons, roots, options, error);
    if (status != SONATA_OK || sonata_reasons_reject(&result->reasons))
        return status;
    status = make_score(&result->score, roots, options, error);
    if (status == SONATA_OK)
        status = sonata_score_validate(&result->reasons, &result->score, error);
    if (status == SONATA_OK && !sonata_reasons_reject(&result->reasons))
        status = check_coverage(result, error);
    result->eligible =
        status == SONATA_OK && !sonata_reasons_reject(&result->reasons);
    return status;
}

sonata_status sonata_extract(sonata_eligibility *result, const sonata_ir *ir,
                             const sonata_extract_options *options,
                             sonata_error *error)
{
    *result = (sonata_eligibility){0};
    if (ir->failed)
        return sonata_fail_memory(error);
    sonata_roots roots;
    sonata_status status =
        sonata_roots_select(&roots, ir, options->entry, error);
    if (status == SONATA_OK)
        status = decide(result, &roots, options, error);
    sonata_roots_free(&roots);
    if (!result->eligible)
        sonata_score_free(&result->score);
    if (status != SONATA_OK)
        sonata_eligibility_free(result);
    return status;
}

void sonata_eligibility_free(sonata_eligibility *result)
{
    sonata_score_free(&result->score);
    sonata_reasons_free(&result->reasons);
    *result = (sonata_eligibility){0};
}

void sonata_write_reason(sonata_json *w, const sonata_reason *reason)
{
    sonata_json_object(w);
    sonata_json_key(w, "code");
    sonata_json_string(w, reason->code);
    sonata_json_key(w, "message");
    sonata_write_text(w, reason->message);
    sonata_json_key(w, "severity");
    sonata_json_string(w, reason->is_warning ? "warning" : "error");
    sonata_json_end_object(w);
}

static void write_details(sonata_json *w, const sonata_reasons *reasons)
{
    sonata_json_key(w, "reason_details");
    sonata_json_array(w);
    for (size_t i = 0; i < reasons->count; i++)
        sonata_write_reason(w, &reasons->items[i]);
    sonata_json_end_array(w);
}

void sonata_write_eligibility(sonata_json *w, const sonata_eligibility *result)
{
    const sonata_reasons *reasons = &result->reasons;
    sonata_json_object(w);
    sonata_json_key(w, "eligible");
    sonata_json_bool(w, result->eligible);
    write_details(w, reasons);
    sonata_json_key(w, "reasons");
    sonata_json_array(w);
    for (size_t i = 0; i < reasons->count; i++)
        if (!reasons->items[i].is_warning)
            sonata_write_text(w, reasons->items[i].message);
    sonata_json_end_array(w);
    sonata_json_key(w, "schema_version");
    sonata_json_int(w, 1);
    sonata_json_key(w, "score");
    if (result->eligible)
        sonata_write_score(w, &result->score);
    else
        sonata_json_null(w);
    sonata_json_end_object(w);
}

sonata_status sonata_eligibility_json(char **json, size_t *length,
                                      const sonata_eligibility *result,
                                      bool pretty, sonata_error *error)
{
    sonata_json w;
    sonata_json_init(&w, pretty);
    sonata_write_eligibility(&w, result);
    *json = sonata_json_take(&w, length);
    return *json == NULL ? sonata_fail_memory(error) : SONATA_OK;
}
