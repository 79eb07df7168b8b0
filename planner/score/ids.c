#include "ids.h"

#include <stdlib.h>

#include "../json/text.h"

static int compare_ids(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a;
    int64_t right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

sonata_status sonata_ids_build(sonata_ids *ids, const sonata_score *score,
                               sonata_error *error)
{
    size_t count = score->task_count;
    *ids = (sonata_ids){0};
    if (count >= SONATA_NO_RANK)
        return sonata_fail(error, SONATA_RANGE, "doc.range",
                           "too many tasks: %zu", count);
    if (count == 0)
        return SONATA_OK;
    int64_t *values = reallocarray(NULL, count, sizeof *values);
    if (values == NULL)
        return sonata_fail_memory(error);
    bool ascending = true;
    for (size_t i = 0; i < count; i++) {
        values[i] = score->tasks[i].id;
        ascending = ascending && (i == 0 || values[i - 1] < values[i]);
    }
    size_t kept = 1;
    if (ascending)
        kept = count;
    else
        qsort(values, count, sizeof *values, compare_ids);
    for (size_t i = 1; i < count && !ascending; i++)
        if (values[i] != values[kept - 1])
            values[kept++] = values[i];
    *ids = (sonata_ids){values, (uint32_t)kept};
    return SONATA_OK;
}

void sonata_ids_free(sonata_ids *ids)
{
    free(ids->values);
    *ids = (sonata_ids){0};
}

uint32_t sonata_ids_rank(const sonata_ids *ids, int64_t id)
{
    /* Ids usually count up from their first: try that place before searching */
    if (ids->count > 0 && id >= ids->values[0]) {
        uint64_t offset = (uint64_t)id - (uint64_t)ids->values[0];
        if (offset < ids->count && ids->values[offset] == id)
            return (uint32_t)offset;
    }
    uint32_t low = 0;
    uint32_t high = ids->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ids->values[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < ids->count && ids->values[low] == id ? low : SONATA_NO_RANK;
}
