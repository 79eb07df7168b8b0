#include "dataflow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../json/text.h"

static bool is_complete(const sonata_task *task)
{
    return task->direction_count > 0 &&
           task->direction_count == task->arg_count;
}

const char *sonata_dataflow_fallback(const sonata_score *score)
{
    size_t complete = 0;
    bool some = false;
    for (size_t i = 0; i < score->task_count; i++) {
        complete += is_complete(&score->tasks[i]) ? 1 : 0;
        some = some || score->tasks[i].direction_count > 0;
    }
    if (complete == score->task_count)
        return NULL;
    return some ? "dataflow_directions_incomplete"
                : "dataflow_directions_unavailable";
}

static sonata_status sequential(sonata_dependency **edges, size_t *count,
                                const sonata_score *score, sonata_error *error)
{
    size_t needed = score->task_count == 0 ? 0 : score->task_count - 1;
    sonata_dependency *made = reallocarray(NULL, needed + 1, sizeof *made);
    if (made == NULL)
        return sonata_fail_memory(error);
    for (size_t i = 0; i < needed; i++)
        made[i] = (sonata_dependency){
            score->tasks[i].id, score->tasks[i + 1].id, SONATA_TEXT("data")};
    *edges = made;
    *count = needed;
    return SONATA_OK;
}

/* Refuses what dataflow_v0 cannot plan: the first such task. */
static sonata_status check_complete(const sonata_score *score,
                                    sonata_error *error)
{
    const char *code = sonata_dataflow_fallback(score);
    for (size_t i = 0; i < score->task_count; i++) {
        const sonata_task *task = &score->tasks[i];
        if (code != NULL && !is_complete(task))
            return sonata_fail(
                error, SONATA_REJECTED, code,
                "dataflow_v0 needs a direction for every "
                "argument: task %" PRId64 " has %zu for %zu arguments",
                task->id, task->direction_count, task->arg_count);
        if (task->key_count != 0 && task->key_count != task->arg_count)
            return sonata_fail(error, SONATA_REJECTED, "policy.storage-keys",
                               "dataflow_v0 needs a storage key for every "
                               "argument or none: task %" PRId64
                               " has %zu for %zu arguments",
                               task->id, task->key_count, task->arg_count);
    }
    return SONATA_OK;
}

sonata_status sonata_plan_dependencies(sonata_dependency **edges, size_t *count,
                                       const sonata_score *score,
                                       const char *policy, sonata_error *error)
{
    *edges = NULL;
    *count = 0;
    if (strcmp(policy, "sequential_v0") == 0)
        return sequential(edges, count, score, error);
    if (strcmp(policy, "dataflow_v0") != 0)
        return sonata_fail(error, SONATA_UNSUPPORTED, "policy.unknown",
                           "unknown dependency policy: %s", policy);
    sonata_status status = check_complete(score, error);
    if (status != SONATA_OK)
        return status;
    return sonata_dataflow(edges, count, score, error);
}
