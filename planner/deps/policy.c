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

static sonata_status dataflow(sonata_dependency **edges, size_t *count,
                              const sonata_score *score, sonata_error *error)
{
    sonata_status status = check_complete(score, error);
    return status == SONATA_OK ? sonata_dataflow(edges, count, score, error)
                               : status;
}

sonata_status sonata_plan_dependencies(sonata_dependency **edges, size_t *count,
                                       const sonata_score *score,
                                       const char *policy, sonata_error *error)
{
    *edges = NULL;
    *count = 0;
    if (strcmp(policy, "sequential_v0") == 0)
        return sequential(edges, count, score, error);
    if (strcmp(policy, "dataflow_v0") == 0)
        return dataflow(edges, count, score, error);
    if (strcmp(policy, "mixed") == 0)
        return sonata_plan_mixed(edges, count, score, NULL, 0, error);
    return sonata_fail(error, SONATA_UNSUPPORTED, "policy.unknown",
                       "unknown dependency policy: %s", policy);
}

static int compare_ids(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a;
    int64_t right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static int compare_ends(const void *a, const void *b)
{
    const sonata_dependency *left = a;
    const sonata_dependency *right = b;
    if (left->producer != right->producer)
        return left->producer < right->producer ? -1 : 1;
    return (left->consumer > right->consumer) -
           (left->consumer < right->consumer);
}

/* Chains the tasks whose id is in `ids` (sorted; NULL: all) behind the edges,
 * which have room for one more per task. */
static size_t add_chain(sonata_dependency *edges, size_t flow,
                        const sonata_score *score, const int64_t *ids,
                        size_t id_count)
{
    size_t count = flow;
    const sonata_task *last = NULL;
    for (size_t i = 0; i < score->task_count; i++) {
        const sonata_task *task = &score->tasks[i];
        if (ids != NULL &&
            bsearch(&task->id, ids, id_count, sizeof *ids, compare_ids) == NULL)
            continue;
        if (last != NULL) {
            sonata_dependency edge = {last->id, task->id,
                                      SONATA_TEXT("ordering")};
            if (bsearch(&edge, edges, flow, sizeof edge, compare_ends) == NULL)
                edges[count++] = edge;
        }
        last = task;
    }
    return count;
}

sonata_status sonata_plan_mixed(sonata_dependency **edges, size_t *count,
                                const sonata_score *score,
                                const int64_t *side_effects,
                                size_t side_effect_count, sonata_error *error)
{
    *edges = NULL;
    *count = 0;
    sonata_dependency *flow = NULL;
    size_t flow_count = 0;
    sonata_status status = dataflow(&flow, &flow_count, score, error);
    if (status != SONATA_OK)
        return status;
    int64_t *ids = NULL;
    if (side_effects != NULL)
        ids = reallocarray(NULL, side_effect_count + 1, sizeof *ids);
    sonata_dependency *all =
        reallocarray(flow, flow_count + score->task_count + 1, sizeof *all);
    if (all == NULL || (side_effects != NULL && ids == NULL)) {
        free(all == NULL ? flow : all);
        free(ids);
        return sonata_fail_memory(error);
    }
    if (ids != NULL && side_effect_count > 0) {
        memcpy(ids, side_effects, side_effect_count * sizeof *ids);
        qsort(ids, side_effect_count, sizeof *ids, compare_ids);
    }
    *edges = all;
    *count = add_chain(all, flow_count, score, ids, side_effect_count);
    free(ids);
    return SONATA_OK;
}
