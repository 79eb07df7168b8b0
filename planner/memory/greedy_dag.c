/*
 * The safe planner. Each buffer that may share bytes has a row: for every chain
 * of tasks, how much of it happens before all of the buffer's accesses, and
 * from where on it happens after all of them. Against a task of a chain that
 * decides every order exactly. Chains beyond what memory allows (the shortest)
 * have no column: what only they could order counts as unordered, and a buffer
 * that only they touch has its bytes to itself.
 */
#include "greedy_dag.h"

#include <stdlib.h>

#include "../json/text.h"
#include "chains.h"
#include "memory_plan.h"
#include "placement.h"
#include "touches.h"

#define DETOURS 8 /* chains over which other orders are looked for */
#define NONE UINT32_MAX

/* The tasks of one chain that touch a buffer. */
typedef struct reach {
    uint32_t chain;
    uint32_t first, last; /* places + 1 */
} reach;

typedef struct dag {
    sonata_chains chains;
    sonata_touches touches;
    uint32_t kept;     /* chains that have a column */
    uint32_t *row_of;  /* per buffer; NONE: it shares nothing, or is empty */
    uint32_t *buffers; /* per row */
    uint32_t rows;
    sonata_query *cells; /* rows x kept */
    reach *reaches;      /* of row r: reaches[first_reach[r]] .. */
    uint32_t *first_reach;
    bool *is_known; /* per row: all its chains have a column */
    sonata_span *spans;
} dag;

static void free_dag(dag *d)
{
    sonata_chains_free(&d->chains);
    sonata_touches_free(&d->touches);
    free(d->row_of);
    free(d->buffers);
    free(d->cells);
    free(d->reaches);
    free(d->first_reach);
    free(d->is_known);
    free(d->spans);
}

static bool may_share(const sonata_value *key, sonata_sharing sharing)
{
    if (sharing == SONATA_SHARE_ALLOC)
        return key->kind == SONATA_STRING &&
               sonata_text_starts(key->text, "alloc:");
    return key->kind != SONATA_STRING ||
           !sonata_text_starts(key->text, "param:");
}

/* Rows for the buffers that may share bytes and have some. */
static sonata_status choose_rows(dag *d, const sonata_memory_plan *plan,
                                 sonata_sharing sharing, size_t cells,
                                 sonata_error *error)
{
    size_t room = (size_t)d->touches.count + 1;
    d->row_of = calloc(room, sizeof *d->row_of);
    d->buffers = calloc(room, sizeof *d->buffers);
    if (d->row_of == NULL || d->buffers == NULL)
        return sonata_fail_memory(error);
    for (uint32_t i = 0; i < d->touches.count; i++) {
        d->row_of[i] = NONE;
        if (plan->items[i].size == 0 ||
            !may_share(&plan->items[i].key, sharing))
            continue;
        d->row_of[i] = d->rows;
        d->buffers[d->rows++] = i;
    }
    size_t kept = d->rows == 0 ? 0 : cells / d->rows;
    kept = kept == 0 && d->rows > 0 ? 1 : kept;
    d->kept = kept < d->chains.count ? (uint32_t)kept : d->chains.count;
    room = (size_t)d->rows + 1;
    d->cells = calloc(room * (d->kept == 0 ? 1 : d->kept), sizeof *d->cells);
    d->first_reach = calloc(room, sizeof *d->first_reach);
    d->reaches = calloc((size_t)d->touches.first[d->touches.count] + 1,
                        sizeof *d->reaches);
    d->is_known = calloc(room, sizeof *d->is_known);
    d->spans = calloc(room, sizeof *d->spans);
    if (d->cells == NULL || d->first_reach == NULL || d->reaches == NULL ||
        d->is_known == NULL || d->spans == NULL)
        return sonata_fail_memory(error);
    return SONATA_OK;
}

static int compare_reaches(const void *a, const void *b)
{
    const reach *left = a;
    const reach *right = b;
    if (left->chain != right->chain)
        return left->chain < right->chain ? -1 : 1;
    return (left->first > right->first) - (left->first < right->first);
}

/* One entry per chain, in the order of the chains. */
static uint32_t join_reaches(reach *reaches, uint32_t count)
{
    uint32_t kept = 0;
    qsort(reaches, count, sizeof *reaches, compare_reaches);
    for (uint32_t i = 0; i < count; i++) {
        if (kept > 0 && reaches[kept - 1].chain == reaches[i].chain)
            reaches[kept - 1].last = reaches[i].last;
        else
            reaches[kept++] = reaches[i];
    }
    return kept;
}

/* The reaches of every row, and its home: its longest chain. */
static void find_reaches(dag *d)
{
    uint32_t at = 0;
    for (uint32_t r = 0; r < d->rows; r++) {
        uint32_t buffer = d->buffers[r];
        uint32_t count = 0;
        for (uint32_t k = d->touches.first[buffer];
             k < d->touches.first[buffer + 1]; k++) {
            uint32_t t = d->touches.tasks[k];
            uint32_t place = d->chains.place[t] + 1;
            d->reaches[at + count++] =
                (reach){d->chains.chain_of[t], place, place};
        }
        count = join_reaches(&d->reaches[at], count);
        const reach *home = &d->reaches[at];
        d->is_known[r] = d->reaches[at + count - 1].chain < d->kept;
        d->spans[r] =
            (sonata_span){home->chain, home->first, home->last, UINT32_MAX, 0};
        if (home->chain >= d->kept)
            d->row_of[buffer] = NONE;
        d->first_reach[r] = at;
        at += count;
    }
    d->first_reach[d->rows] = at;
}

/*
 * The column of a chain, and on it the spans of the rows at home there: start
 * and end are the places + 1 that all accesses come behind, or lead to, when a
 * task of the chain itself counts as reached.
 */
static void fill_column(dag *d, uint32_t chain, const uint32_t *up,
                        const uint32_t *down)
{
    for (uint32_t r = 0; r < d->rows; r++) {
        sonata_query cell = {UINT32_MAX, 0};
        sonata_span *span = &d->spans[r];
        bool is_home = span->line == chain;
        uint32_t buffer = d->buffers[r];
        for (uint32_t k = d->touches.first[buffer];
             k < d->touches.first[buffer + 1]; k++) {
            uint32_t t = d->touches.tasks[k];
            uint32_t start = up[t];
            uint32_t end = down[t] + 1;
            cell.from = start + 1 < cell.from ? start + 1 : cell.from;
            cell.below = end > cell.below ? end : cell.below;
            if (d->chains.chain_of[t] == chain)
                start = end = d->chains.place[t] + 1;
            if (is_home && start < span->start)
                span->start = start;
            if (is_home && end > span->end)
                span->end = end;
        }
        d->cells[(size_t)r * d->kept + chain] = cell;
    }
}

static sonata_status fill_cells(dag *d, sonata_error *error)
{
    size_t room = (size_t)d->chains.tasks + 1;
    uint32_t *up = calloc(room, sizeof *up);
    uint32_t *down = calloc(room, sizeof *down);
    bool ok = up != NULL && down != NULL;
    for (uint32_t c = 0; c < d->kept && ok; c++) {
        sonata_chains_reach(up, down, &d->chains, c);
        fill_column(d, c, up, down);
    }
    free(up);
    free(down);
    return ok ? SONATA_OK : sonata_fail_memory(error);
}

static const sonata_query *row(const dag *d, uint32_t r)
{
    return &d->cells[(size_t)r * d->kept];
}

static sonata_query query(const void *context, uint32_t r, uint32_t line)
{
    const dag *d = context;
    return row(d, r)[line];
}

/* Whether all accesses of `a` are before (or after) all of `b`, from the tasks
 * of `a` and the row of `b`. */
static bool all_before(const dag *d, uint32_t a, uint32_t b)
{
    const sonata_query *cells = row(d, b);
    for (uint32_t k = d->first_reach[a]; k < d->first_reach[a + 1]; k++)
        if (d->reaches[k].last >= cells[d->reaches[k].chain].from)
            return false;
    return true;
}

static bool all_after(const dag *d, uint32_t a, uint32_t b)
{
    const sonata_query *cells = row(d, b);
    for (uint32_t k = d->first_reach[a]; k < d->first_reach[a + 1]; k++)
        if (d->reaches[k].first < cells[d->reaches[k].chain].below)
            return false;
    return true;
}

/* True when `a` leads to a task of a long chain that leads to `b`. */
static bool leads_to(const dag *d, uint32_t a, uint32_t b)
{
    const sonata_query *left = row(d, a);
    const sonata_query *right = row(d, b);
    for (uint32_t c = 0; c < d->kept && c < DETOURS; c++)
        if (left[c].below < right[c].from)
            return true;
    return false;
}

static bool conflict(const void *context, uint32_t a, uint32_t b)
{
    const dag *d = context;
    if (d->is_known[b])
        return !all_before(d, b, a) && !all_after(d, b, a);
    if (d->is_known[a])
        return !all_before(d, a, b) && !all_after(d, a, b);
    return !leads_to(d, a, b) && !leads_to(d, b, a);
}

static sonata_status place_all(sonata_memory_plan *plan, const dag *d,
                               sonata_error *error)
{
    sonata_sort_item *order = NULL;
    size_t count = 0;
    sonata_placement *placement = NULL;
    sonata_status status =
        sonata_memory_plan_order(&order, &count, plan, error);
    if (status == SONATA_OK && count > 0) {
        sonata_conflict_source source = {query, conflict, d};
        placement = sonata_placement_new(
            d->spans, d->rows,
            (uint64_t)plan->items[order[count - 1].index].size, source);
        if (placement == NULL)
            status = sonata_fail_memory(error);
    }
    for (size_t i = 0; i < count && status == SONATA_OK; i++) {
        sonata_allocation *item = &plan->items[order[i].index];
        uint32_t r = d->row_of[order[i].index];
        uint64_t offset = 0;
        uint64_t size = (uint64_t)item->size;
        status =
            r == NONE
                ? sonata_placement_add_apart(&offset, placement, size, error)
                : sonata_placement_add(&offset, placement, r, size, error);
        item->offset = (int64_t)offset;
    }
    sonata_placement_free(placement);
    free(order);
    return status;
}

static sonata_status plan_dag(sonata_memory_plan *plan,
                              sonata_dag_report *report,
                              const sonata_score *score,
                              const sonata_buffer_size *sizes,
                              size_t size_count, sonata_sharing sharing,
                              size_t cells, sonata_error *error)
{
    dag d = {0};
    sonata_status status = sonata_touches_find(&d.touches, score, error);
    if (status == SONATA_OK)
        status = sonata_chains_build(&d.chains, score, error);
    if (status == SONATA_OK)
        status = sonata_memory_plan_begin(plan, "greedy_dag", d.touches.count,
                                          error);
    for (size_t i = 0; i < plan->count; i++)
        plan->items[i].key = d.touches.keys[i];
    if (status == SONATA_OK)
        status = sonata_memory_plan_set_sizes(plan, sizes, size_count,
                                              &report->unknown_sizes, error);
    if (status == SONATA_OK)
        status = choose_rows(&d, plan, sharing, cells, error);
    if (status == SONATA_OK) {
        find_reaches(&d);
        status = fill_cells(&d, error);
    }
    if (status == SONATA_OK)
        status = place_all(plan, &d, error);
    report->chains = d.chains.count;
    report->exact = d.rows == 0 || d.kept == d.chains.count;
    free_dag(&d);
    return status;
}

/* What greedy_v0 needs, and what no plan needs more than. */
static sonata_status compare(sonata_dag_report *report,
                             const sonata_memory_plan *plan,
                             const sonata_score *score,
                             const sonata_buffer_size *sizes, size_t size_count,
                             sonata_error *error)
{
    report->peak = plan->peak;
    report->buffers = plan->count;
    for (size_t i = 0; i < plan->count; i++)
        if (__builtin_add_overflow(report->sum_of_sizes, plan->items[i].size,
                                   &report->sum_of_sizes))
            report->sum_of_sizes = INT64_MAX;
    sonata_liveness liveness;
    sonata_memory_plan greedy = {0};
    sonata_status status = sonata_find_lifetimes(&liveness, score, error);
    if (status == SONATA_OK)
        status = sonata_plan_greedy_v0(&greedy, &liveness, sizes, size_count,
                                       SONATA_OVERLAP_INCLUSIVE, error);
    report->greedy_peak = greedy.peak;
    sonata_memory_plan_free(&greedy);
    sonata_liveness_free(&liveness);
    return status;
}

sonata_status sonata_plan_greedy_dag_within(sonata_memory_plan *plan,
                                            sonata_dag_report *report,
                                            const sonata_score *score,
                                            const sonata_buffer_size *sizes,
                                            size_t size_count,
                                            sonata_sharing sharing,
                                            size_t cells, sonata_error *error)
{
    *plan = (sonata_memory_plan){0};
    sonata_dag_report made = {0};
    sonata_status status =
        plan_dag(plan, &made, score, sizes, size_count, sharing, cells, error);
    if (status == SONATA_OK) {
        sonata_memory_plan_set_peak(plan);
        if (report != NULL)
            status = compare(&made, plan, score, sizes, size_count, error);
    }
    if (status != SONATA_OK) {
        sonata_memory_plan_free(plan);
        made = (sonata_dag_report){0};
    }
    if (report != NULL)
        *report = made;
    return status;
}

sonata_status sonata_plan_greedy_dag(sonata_memory_plan *plan,
                                     sonata_dag_report *report,
                                     const sonata_score *score,
                                     const sonata_buffer_size *sizes,
                                     size_t size_count, sonata_sharing sharing,
                                     sonata_error *error)
{
    size_t cells = SONATA_DAG_CELLS;
    if (score->task_count > cells / SONATA_DAG_COLUMNS)
        cells = score->task_count * SONATA_DAG_COLUMNS;
    return sonata_plan_greedy_dag_within(plan, report, score, sizes, size_count,
                                         sharing, cells, error);
}
