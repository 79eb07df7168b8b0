#include "witness.h"

#include <stdlib.h>
#include <string.h>

#define PARTS 64 /* of an order, before it is told by what tasks need */

/* An order being made: tasks in it, and their place in it. */
typedef struct plan {
    const oracle_order *order;
    uint32_t *tasks, count;
    uint32_t *place; /* by task; ORACLE_NONE: not yet */
    uint32_t *stack;
    uint32_t *goals, goal_count; /* tasks that were put behind what they need */
} plan;

static bool plan_start(plan *p, const oracle_order *order)
{
    *p = (plan){.order = order};
    size_t n = order->count + (size_t)1;
    p->tasks = malloc(n * sizeof *p->tasks);
    p->place = malloc(n * sizeof *p->place);
    p->stack = malloc(n * sizeof *p->stack);
    p->goals = malloc(n * sizeof *p->goals);
    if (p->tasks == NULL || p->place == NULL || p->stack == NULL ||
        p->goals == NULL) {
        return false;
    }
    memset(p->place, 0xff, n * sizeof *p->place);
    return true;
}

static void plan_end(plan *p)
{
    free(p->tasks);
    free(p->place);
    free(p->stack);
    free(p->goals);
}

static int compare_rank(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Adds a task behind all that must come before it. */
static void plan_task(plan *p, uint32_t task)
{
    const oracle_order *order = p->order;
    uint32_t first = p->count, depth = 0;
    if (task == ORACLE_NONE || p->place[task] != ORACLE_NONE) {
        return;
    }
    p->goals[p->goal_count++] = task;
    p->stack[depth++] = task;
    p->place[task] = 0;
    while (depth > 0) {
        uint32_t t = p->stack[--depth];
        p->tasks[p->count++] = order->rank[t];
        for (uint32_t e = order->first[t]; e < order->first[t + 1]; e++) {
            uint32_t before = order->before[e];
            if (p->place[before] == ORACLE_NONE) {
                p->place[before] = 0;
                p->stack[depth++] = before;
            }
        }
    }
    qsort(p->tasks + first, p->count - first, sizeof *p->tasks, compare_rank);
    for (uint32_t i = first; i < p->count; i++) {
        p->tasks[i] = order->sequence[p->tasks[i]];
        p->place[p->tasks[i]] = i;
    }
}

static void plan_rest(plan *p)
{
    for (uint32_t i = 0; i < p->order->present; i++) {
        uint32_t task = p->order->sequence[i];
        if (p->place[task] == ORACLE_NONE) {
            p->place[task] = p->count;
            p->tasks[p->count++] = task;
        }
    }
}

/* Where the tasks end that follow the i-th in program order. */
static uint32_t run_end(const plan *p, const uint32_t *number, uint32_t i)
{
    uint32_t end = i + 1;
    while (end < p->count &&
           number[p->tasks[end]] == number[p->tasks[end - 1]] + 1) {
        end++;
    }
    return end - i < 3 ? i + 1 : end;
}

/* The order as what each goal needs. */
static void write_goals(oracle_out *out, const plan *p,
                        const oracle_document *d)
{
    for (uint32_t i = 0; i < p->goal_count; i++) {
        oracle_out_text(out, "{\"until\":");
        oracle_out_int(out, d->tasks[p->goals[i]].id);
        oracle_out_text(out, "},");
    }
    oracle_out_text(out, "\"rest\"");
}

/*
 * Ids, and [first, last] where three or more follow in program order; where
 * that is long and edges follow program order, what each goal needs.
 */
static void write_order(oracle_out *out, const plan *p,
                        const oracle_document *d)
{
    uint32_t *number = p->stack, present = 0, parts = 0; /* program order */
    for (uint32_t t = 0; t < d->task_count; t++) {
        number[t] = present;
        present += p->place[t] != ORACLE_NONE;
    }
    for (uint32_t i = 0; i < p->count; i = run_end(p, number, i)) {
        parts++;
    }
    if (parts > PARTS && p->order->forward) {
        write_goals(out, p, d);
        return;
    }
    for (uint32_t i = 0, end = 0; i < p->count; i = end) {
        end = run_end(p, number, i);
        oracle_out_text(out, i == 0 ? "" : ",");
        if (end > i + 1) {
            oracle_out_text(out, "[");
            oracle_out_int(out, d->tasks[p->tasks[i]].id);
            oracle_out_text(out, ",");
            oracle_out_int(out, d->tasks[p->tasks[end - 1]].id);
            oracle_out_text(out, "]");
        } else {
            oracle_out_int(out, d->tasks[p->tasks[i]].id);
        }
    }
}

/* After the writer, before the reader, and need not happen. */
static bool skips_between(const oracle_hazard *h, const oracle_item *item)
{
    return h->skip_between && !item->must &&
           (h->initial || item->task > h->writer.task) &&
           item->task < h->reader.task;
}

static bool touches(const oracle_hazard *h, uint32_t write)
{
    if (h->touches == NULL) {
        return true;
    }
    const oracle_touch *t = &h->touches[write];
    uint32_t low = 0, high = t->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (t->intervals[middle].end <= h->shown.begin) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < t->count && t->intervals[low].begin <= h->shown.begin;
}

static bool skips(const oracle_hazard *h, const oracle_item *item)
{
    if (skips_between(h, item)) {
        return true;
    }
    for (uint32_t i = 0; i < h->skip_count; i++) {
        const oracle_item *s = &h->skipped[i];
        if (s->task == item->task && s->arg == item->arg &&
            (!item->must || !item->exact)) {
            return true;
        }
    }
    return false;
}

/* The last writer before the read, in program order or in the plan's. */
static uint32_t last_writer(const oracle_hazard *h, const plan *p)
{
    uint32_t reader = h->reader.task, last = ORACLE_NONE, last_place = 0;
    for (uint32_t i = 0; i < h->write_count; i++) {
        uint32_t task = h->writes[i].task;
        uint32_t place = p == NULL ? task : p->place[task];
        uint32_t limit = reader == ORACLE_NONE ? ORACLE_NONE
                         : p == NULL           ? reader
                                               : p->place[reader];
        if (place < limit && (last == ORACLE_NONE || place >= last_place) &&
            touches(h, i) && !skips(h, &h->writes[i])) {
            last = task;
            last_place = place;
        }
    }
    return last;
}

static void write_task(oracle_out *out, const oracle_document *d, uint32_t task)
{
    if (task == ORACLE_NONE) {
        oracle_out_text(out, "null");
    } else {
        oracle_out_int(out, d->tasks[task].id);
    }
}

void oracle_witness_choices(oracle_out *out, const oracle_document *document,
                            const bool *choices)
{
    oracle_out_text(out, "\"choices\":[");
    for (uint32_t c = 0; c < document->choice_count; c++) {
        oracle_out_text(out, c == 0 ? "{\"choice\":" : ",{\"choice\":");
        oracle_out_int(out, document->choices[c].id);
        oracle_out_text(out, choices[c] ? ",\"is\":true}" : ",\"is\":false}");
    }
    oracle_out_text(out, "]");
}

static void write_choices(oracle_out *out, const oracle_document *d,
                          const bool *choices)
{
    if (d->choice_count > 0) {
        oracle_out_text(out, ",");
        oracle_witness_choices(out, d, choices);
    }
}

static int compare_symbol(const void *a, const void *b)
{
    const oracle_symbol *x = *(const oracle_symbol *const *)a;
    const oracle_symbol *y = *(const oracle_symbol *const *)b;
    return strcmp(x->name.data, y->name.data);
}

/* A block symbol has no value of its own and is left out. */
static void write_symbols(oracle_out *out, const oracle_document *d,
                          const int64_t *values)
{
    uint32_t n = 0;
    const oracle_symbol **sorted =
        malloc((d->symbol_count + (size_t)1) * sizeof *sorted);
    if (sorted == NULL) {
        out->failed = true;
        return;
    }
    for (uint32_t s = 0; s < d->symbol_count; s++) {
        if (!d->symbols[s].block) {
            sorted[n++] = &d->symbols[s];
        }
    }
    qsort(sorted, n, sizeof *sorted, compare_symbol);
    oracle_out_text(out, ",\"symbols\":{");
    for (uint32_t i = 0; i < n; i++) {
        oracle_out_text(out, i == 0 ? "" : ",");
        oracle_out_string(out, sorted[i]->name.data, sorted[i]->name.length);
        oracle_out_text(out, ":");
        oracle_out_int(out, values[sorted[i] - d->symbols]);
    }
    oracle_out_text(out, "}");
    free(sorted);
}

static void write_skipped(oracle_out *out, const oracle_document *d,
                          const oracle_item *skipped, uint32_t count)
{
    if (count == 0) {
        return;
    }
    oracle_out_text(out, ",\"skipped\":[");
    for (uint32_t i = 0; i < count; i++) {
        oracle_out_text(out, i == 0 ? "[" : ",[");
        oracle_out_int(out, d->tasks[skipped[i].task].id);
        oracle_out_text(out, ",");
        oracle_out_int(out, skipped[i].arg);
        oracle_out_text(out, "]");
    }
    oracle_out_text(out, "]");
}

static void write_between(oracle_out *out, const oracle_hazard *h,
                          const oracle_document *d)
{
    oracle_out_text(out, ",\"skipped\":[{\"after\":");
    write_task(out, d, h->initial ? ORACLE_NONE : h->writer.task);
    oracle_out_text(out, ",\"before\":");
    write_task(out, d, h->reader.task);
    oracle_out_text(out, "}]");
}

static void write_witness(oracle_out *out, const oracle_hazard *h,
                          const oracle_document *d, const plan *p,
                          const bool *choices)
{
    const oracle_text *key = &d->buffers[h->reader.storage].key;
    oracle_out_text(out, "{\"begin\":");
    oracle_out_int(out, h->shown.begin);
    oracle_out_text(out, ",\"buffer\":");
    oracle_out_string(out, key->data, key->length);
    write_choices(out, d, choices);
    if (h->shown.end != INT64_MAX) {
        oracle_out_text(out, ",\"end\":");
        oracle_out_int(out, h->shown.end);
    }
    oracle_out_text(out, ",\"expected_writer\":");
    write_task(out, d, last_writer(h, NULL));
    oracle_out_text(out, ",\"order\":[");
    write_order(out, p, d);
    oracle_out_text(out, "],\"reader\":");
    write_task(out, d, h->reader.task);
    oracle_out_text(out, ",\"seen_writer\":");
    write_task(out, d, last_writer(h, p));
    if (h->skip_between) {
        write_between(out, h, d);
    } else {
        write_skipped(out, d, h->skipped, h->skip_count);
    }
    if (h->values != NULL) {
        write_symbols(out, d, h->values);
    }
    oracle_out_text(out, "}");
}

static void plan_clear(plan *p)
{
    memset(p->place, 0xff, (p->order->count + (size_t)1) * sizeof *p->place);
    p->count = 0;
    p->goal_count = 0;
}

/*
 * The writer, the one that disturbs it, the read. Bounds that stand between
 * the writer and the read come before the intruder where they can, so that the
 * order shows a wrong value whether they are touched or not. Where edges
 * against program order let the read always come before its writer, the one
 * that disturbs it comes before both.
 */
static void plan_hazard(plan *p, const oracle_hazard *h)
{
    uint32_t reader = h->reader.task;
    uint32_t writer = h->initial ? ORACLE_NONE : h->writer.task;
    plan_task(p, writer);
    for (uint32_t i = 0; i < h->skip_count; i++) {
        if (!h->skipped[i].exact) {
            plan_task(p, h->skipped[i].task);
        }
    }
    if (reader != ORACLE_NONE && p->place[reader] != ORACLE_NONE) {
        plan_clear(p);
        plan_task(p, writer);
    }
    if (reader != ORACLE_NONE && p->place[reader] != ORACLE_NONE) {
        plan_clear(p);
    }
    plan_task(p, h->intruder.task);
    plan_task(p, reader);
}

const char *oracle_witness_order(const oracle_hazard *hazard,
                                 const oracle_document *document,
                                 const oracle_order *order, const bool *choices,
                                 oracle_arena *arena)
{
    plan p;
    oracle_out out = {0};
    const char *text = NULL;
    if (plan_start(&p, order)) {
        bool raw = hazard->kind == ORACLE_HAZARD_RAW ||
                   hazard->kind == ORACLE_HAZARD_UNINITIALISED;
        if (raw) {
            plan_task(&p, hazard->reader.task);
        } else {
            plan_hazard(&p, hazard);
        }
        plan_rest(&p);
        write_witness(&out, hazard, document, &p, choices);
        if (!out.failed) {
            text = oracle_arena_text(arena, out.data, out.length);
        }
    }
    oracle_out_free(&out);
    plan_end(&p);
    return text;
}

static void write_access(oracle_out *out, const oracle_document *d,
                         const oracle_item *item)
{
    oracle_out_text(out, "[");
    oracle_out_int(out, d->tasks[item->task].id);
    oracle_out_text(out, ",");
    if (item->arg == ORACLE_NONE) {
        oracle_out_text(out, "null]");
    } else {
        oracle_out_int(out, item->arg);
        oracle_out_text(out, "]");
    }
}

/* "begin", "buffer" and "choices", as the first members. */
static void write_byte(oracle_out *out, const oracle_hazard *h,
                       const oracle_document *d, const bool *choices)
{
    const oracle_text *key = &d->buffers[h->consumer.storage].key;
    oracle_out_text(out, "{\"begin\":");
    oracle_out_int(out, h->shown.begin);
    oracle_out_text(out, ",\"buffer\":");
    oracle_out_string(out, key->data, key->length);
    write_choices(out, d, choices);
}

const char *oracle_witness_pair(const oracle_hazard *hazard,
                                const oracle_document *document,
                                const oracle_order *order, const bool *choices,
                                oracle_arena *arena)
{
    plan p;
    oracle_out out = {0};
    const char *text = NULL;
    if (plan_start(&p, order)) {
        plan_task(&p, hazard->consumer.task);
        plan_rest(&p);
        bool byte = hazard->kind == ORACLE_HAZARD_DEAD_WRITE &&
                    document->symbol_count == 0;
        if (byte) {
            write_byte(&out, hazard, document, choices);
            oracle_out_text(&out, ",\"certain\":true");
        } else {
            oracle_out_text(&out, "{\"certain\":true");
            write_choices(&out, document, choices);
        }
        oracle_out_text(&out, ",\"order\":[");
        write_order(&out, &p, document);
        oracle_out_text(&out, "],\"pair\":[");
        write_access(&out, document, &hazard->producer);
        oracle_out_text(&out, ",");
        write_access(&out, document, &hazard->consumer);
        oracle_out_text(&out, "]}");
        if (!out.failed) {
            text = oracle_arena_text(arena, out.data, out.length);
        }
    }
    oracle_out_free(&out);
    plan_end(&p);
    return text;
}

const char *oracle_witness_unwritten(const oracle_hazard *hazard,
                                     const oracle_document *document,
                                     const bool *choices, oracle_arena *arena)
{
    oracle_out out = {0};
    write_byte(&out, hazard, document, choices);
    if (hazard->values != NULL) {
        write_symbols(&out, document, hazard->values);
    }
    oracle_out_text(&out, ",\"unwritten\":");
    write_task(&out, document, hazard->reader.task);
    oracle_out_text(&out, "}");
    const char *text =
        out.failed ? NULL : oracle_arena_text(arena, out.data, out.length);
    oracle_out_free(&out);
    return text;
}

static void write_range(oracle_out *out, const oracle_memory *m, uint32_t b)
{
    oracle_out_text(out, "[");
    oracle_out_int(out, m->base[b]);
    oracle_out_text(out, ",");
    oracle_out_int(out, m->end[b]);
    oracle_out_text(out, "]");
}

static void write_reuse(oracle_out *out, const oracle_reuse *r,
                        const oracle_memory *m, const oracle_document *d,
                        const plan *p, const bool *choices)
{
    uint32_t mine = r->reader.storage, other = r->intruder.storage;
    const oracle_text *key = &d->buffers[mine].key;
    const oracle_text *over = &d->buffers[other].key;
    oracle_out_text(out, "{\"address\":");
    oracle_out_int(out, r->where.begin);
    oracle_out_text(out, ",\"begin\":");
    oracle_out_int(out, r->where.begin - m->base[mine]);
    oracle_out_text(out, ",\"buffer\":");
    oracle_out_string(out, key->data, key->length);
    write_choices(out, d, choices);
    oracle_out_text(out, ",\"end\":");
    oracle_out_int(out, r->where.end - m->base[mine]);
    oracle_out_text(out, ",\"expected_writer\":");
    write_task(out, d, r->expected);
    oracle_out_text(out, ",\"intruder\":{\"buffer\":");
    oracle_out_string(out, over->data, over->length);
    oracle_out_text(out, ",\"task\":");
    write_task(out, d, r->intruder.task);
    oracle_out_text(out, "},\"order\":[");
    write_order(out, p, d);
    oracle_out_text(out, "],\"ranges\":[");
    write_range(out, m, mine);
    oracle_out_text(out, ",");
    write_range(out, m, other);
    oracle_out_text(out, "],\"reader\":");
    write_task(out, d, r->reader.task);
    write_skipped(out, d, r->skipped, r->skip_count);
    oracle_out_text(out, "}");
}

static bool reads_before(const plan *p, const oracle_reuse *r)
{
    uint32_t reader = r->reader.task, intruder = r->intruder.task;
    return reader != ORACLE_NONE && reader != intruder &&
           p->place[reader] != ORACLE_NONE &&
           (p->place[intruder] == ORACLE_NONE ||
            p->place[reader] < p->place[intruder]);
}

/*
 * The writer, the intruder, the reader. Where edges against program order let
 * the reader always come before its writer, the intruder comes before both.
 */
static void plan_between(plan *p, const oracle_reuse *r)
{
    plan_task(p, r->initial ? ORACLE_NONE : r->writer.task);
    plan_task(p, r->intruder.task);
    if (reads_before(p, r)) {
        plan_clear(p);
        plan_task(p, r->intruder.task);
    }
    plan_task(p, r->reader.task);
}

const char *oracle_witness_reuse(const oracle_reuse *reuse,
                                 const oracle_memory *memory,
                                 const oracle_document *document,
                                 const oracle_order *order, const bool *choices,
                                 oracle_arena *arena)
{
    plan p;
    oracle_out out = {0};
    const char *text = NULL;
    if (plan_start(&p, order)) {
        plan_between(&p, reuse);
        plan_rest(&p);
        write_reuse(&out, reuse, memory, document, &p, choices);
        if (!out.failed) {
            text = oracle_arena_text(arena, out.data, out.length);
        }
    }
    oracle_out_free(&out);
    plan_end(&p);
    return text;
}

const char *oracle_witness_cycle(const oracle_document *document,
                                 const uint32_t *tasks, uint32_t count,
                                 oracle_arena *arena)
{
    oracle_out out = {0};
    oracle_out_text(&out, "{\"cycle\":[");
    for (uint32_t i = 0; i < count; i++) {
        oracle_out_text(&out, i == 0 ? "" : ",");
        oracle_out_int(&out, document->tasks[tasks[i]].id);
    }
    oracle_out_text(&out, "]}");
    const char *text =
        out.failed ? NULL : oracle_arena_text(arena, out.data, out.length);
    oracle_out_free(&out);
    return text;
}

bool oracle_witness_reaches(const oracle_order *order, uint32_t from,
                            uint32_t to, bool *reaches)
{
    plan p;
    bool ok = plan_start(&p, order);
    if (ok) {
        plan_task(&p, to);
        *reaches = from != to && p.place[from] != ORACLE_NONE;
    }
    plan_end(&p);
    return ok;
}
