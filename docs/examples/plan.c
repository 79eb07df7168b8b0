/*
 * From tasks to the tables of a runtime: `plan FILE` reads a Score, finds its
 * dependencies, makes a PlanHandle, binds the functions of the runtime to it
 * and prints the task and edge tables of host_build_graph.
 */
#include <inttypes.h>
#include <sonata/runtime.h>

#include "file.h"

/* The dependencies by dataflow_v0, or one task after the other where the
 * directions do not allow it. */
static sonata_status add_dependencies(sonata_score *score, sonata_error *error)
{
    const char *reason = sonata_dataflow_fallback(score);
    const char *policy = reason == NULL ? "dataflow_v0" : "sequential_v0";
    printf("policy %s%s%s\n", policy, reason == NULL ? "" : ", because of ",
           reason == NULL ? "" : reason);
    return sonata_score_plan(score, policy, error);
}

static sonata_status make_handle(sonata_handle *handle,
                                 const sonata_score *score, sonata_error *error)
{
    /* What the runtime calls its functions. */
    static const sonata_runtime_func functions[] = {
        {SONATA_TEXT_INIT("normalize"), 40}, {SONATA_TEXT_INIT("project"), 41}};
    sonata_adapters adapters;
    sonata_status status = sonata_handle_from_score(handle, score, NULL, error);
    if (status == SONATA_OK)
        status = sonata_handle_bind(handle, NULL, functions, 2, error);
    if (status == SONATA_OK)
        status = sonata_adapters_default(&adapters, error);
    if (status != SONATA_OK)
        return status;
    printf("adapter %s is %sregistered\n", handle->source_adapter.text,
           sonata_adapters_accept(&adapters, handle) ? "" : "not ");
    sonata_adapters_free(&adapters);
    return SONATA_OK;
}

static void print_tables(const sonata_hbg_plan *plan)
{
    for (size_t i = 0; i < plan->task_count; i++) {
        const sonata_hbg_task *task = &plan->tasks[i];
        printf("task %" PRId64 ": %s, function %" PRId64 ", %zu arguments\n",
               task->id, task->core_type.text, task->func_id, task->arg_count);
    }
    for (size_t i = 0; i < plan->edge_count; i++)
        printf("edge %" PRId64 " -> %" PRId64 "\n", plan->edges[i].producer,
               plan->edges[i].consumer);
}

static sonata_status run_adapter(const sonata_score *score,
                                 const sonata_handle *handle,
                                 sonata_error *error)
{
    sonata_hbg_plan plan;
    sonata_reasons reasons = {0};
    sonata_status status =
        sonata_hbg_plan_make(&plan, &reasons, score, handle, error);
    for (size_t i = 0; i < reasons.count; i++)
        printf("[%s] %s\n", reasons.items[i].code,
               reasons.items[i].message.text);
    print_tables(&plan);
    sonata_hbg_plan_free(&plan);
    sonata_reasons_free(&reasons);
    return status;
}

static sonata_status run(const char *text, size_t length, sonata_error *error)
{
    sonata_score score;
    sonata_handle handle = {0};
    sonata_status status = sonata_score_read(&score, text, length, NULL, error);
    if (status == SONATA_OK)
        status = add_dependencies(&score, error);
    if (status == SONATA_OK)
        status = make_handle(&handle, &score, error);
    if (status == SONATA_OK)
        status = run_adapter(&score, &handle, error);
    sonata_handle_free(&handle); /* before the Score, whose texts it borrows */
    sonata_score_free(&score);
    return status;
}

int main(int argc, char **argv)
{
    sonata_error error;
    size_t length = 0;
    char *text = argc == 2 ? read_whole_file(argv[1], &length) : NULL;
    if (text == NULL)
        return 2;
    sonata_status status = run(text, length, &error);
    if (status != SONATA_OK)
        fprintf(stderr, "[%s] %s\n", error.code, error.message);
    free(text);
    return status == SONATA_OK ? 0 : 1;
}
