#include "memory_plan.h"

#include <stdlib.h>

#include "../json/text.h"
#include "placement.h"

/* Times as ranks, so that they fit a tree of small numbers. */
typedef struct timeline {
    sonata_span *spans; /* per lifetime, all on one line */
    sonata_overlap_rule rule;
} timeline;

static sonata_query query(const void *context, uint32_t buffer, uint32_t line)
{
    (void)line;
    const timeline *t = context;
    const sonata_span *s = &t->spans[buffer];
    if (t->rule == SONATA_OVERLAP_STRICT)
        return (sonata_query){s->first + 1, s->last};
    return (sonata_query){s->first, s->last + 1};
}

static sonata_status rank_times(timeline *t, const sonata_liveness *liveness,
                                sonata_error *error)
{
    size_t count = liveness->count;
    if (count > INT32_MAX)
        return sonata_fail(error, SONATA_RANGE, "memory.range",
                           "too many lifetimes: %zu", count);
    t->spans = calloc(count + 1, sizeof *t->spans);
    sonata_sort_item *times = reallocarray(NULL, 2 * count + 1, sizeof *times);
    sonata_sort_item *other = reallocarray(NULL, 2 * count + 1, sizeof *other);
    sonata_status status = SONATA_OK;
    if (t->spans == NULL || times == NULL || other == NULL) {
        status = sonata_fail_memory(error);
        count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        const sonata_lifetime *life = &liveness->items[i];
        times[2 * i] =
            (sonata_sort_item){sonata_order_of(life->birth), (uint32_t)(2 * i)};
        times[2 * i + 1] = (sonata_sort_item){sonata_order_of(life->death),
                                              (uint32_t)(2 * i + 1)};
    }
    if (count > 0)
        sonata_radix_sort(times, other, 2 * count);
    uint32_t rank = 0;
    for (size_t i = 0; i < 2 * count; i++) {
        rank += i > 0 && times[i].key != times[i - 1].key ? 1 : 0;
        sonata_span *s = &t->spans[times[i].index / 2];
        if (times[i].index % 2 == 0)
            s->first = s->start = rank;
        else
            s->last = s->end = rank;
    }
    free(times);
    free(other);
    return status;
}

static sonata_status place_all(sonata_memory_plan *plan,
                               const sonata_liveness *liveness,
                               sonata_overlap_rule rule, sonata_error *error)
{
    timeline t = {.rule = rule};
    sonata_placement *placement = NULL;
    sonata_sort_item *order = NULL;
    size_t count = 0;
    sonata_status status = rank_times(&t, liveness, error);
    if (status == SONATA_OK)
        status = sonata_memory_plan_order(&order, &count, plan, error);
    if (status == SONATA_OK && count > 0) {
        sonata_conflict_source source = {query, NULL, &t};
        placement = sonata_placement_new(
            t.spans, plan->count,
            (uint64_t)plan->items[order[count - 1].index].size, source);
        if (placement == NULL)
            status = sonata_fail_memory(error);
    }
    for (size_t i = 0; i < count && status == SONATA_OK; i++) {
        sonata_allocation *item = &plan->items[order[i].index];
        uint64_t offset = 0;
        status = sonata_placement_add(&offset, placement, order[i].index,
                                      (uint64_t)item->size, error);
        item->offset = (int64_t)offset;
    }
    sonata_placement_free(placement);
    free(order);
    free(t.spans);
    return status;
}

sonata_status sonata_plan_greedy_v0(sonata_memory_plan *plan,
                                    const sonata_liveness *liveness,
                                    const sonata_buffer_size *sizes,
                                    size_t size_count, sonata_overlap_rule rule,
                                    sonata_error *error)
{
    size_t unknown = 0;
    sonata_status status =
        sonata_memory_plan_begin(plan, "greedy_v0", liveness->count, error);
    if (status == SONATA_OK) {
        for (size_t i = 0; i < liveness->count; i++)
            plan->items[i].key = liveness->items[i].key;
        status = sonata_memory_plan_set_sizes(plan, sizes, size_count, &unknown,
                                              error);
    }
    if (status == SONATA_OK)
        status = place_all(plan, liveness, rule, error);
    if (status == SONATA_OK)
        sonata_memory_plan_set_peak(plan);
    else
        sonata_memory_plan_free(plan);
    return status;
}
