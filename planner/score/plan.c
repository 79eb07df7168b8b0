/* A Score with the dependencies of a policy. */
#include <stdlib.h>
#include <string.h>

#include "sonata/score.h"

#include "../json/text.h"

sonata_status sonata_score_plan(sonata_score *score, const char *policy,
                                sonata_error *error)
{
    sonata_dependency *edges = NULL;
    size_t count = 0;
    if (score->memory == NULL)
        score->memory = calloc(1, sizeof *score->memory);
    if (score->memory == NULL)
        return sonata_fail_memory(error);
    sonata_status status =
        sonata_plan_dependencies(&edges, &count, score, policy, error);
    sonata_dependency *kept = NULL;
    if (status == SONATA_OK && count > 0) {
        kept = sonata_arena_array(score->memory, count, sizeof *kept);
        if (kept == NULL)
            status = sonata_fail_memory(error);
        else
            memcpy(kept, edges, count * sizeof *kept);
    }
    free(edges);
    if (status != SONATA_OK)
        return status;
    score->dependencies = kept;
    score->dependency_count = count;
    return SONATA_OK;
}
