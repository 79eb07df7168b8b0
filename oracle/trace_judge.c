/*
 * What a run did, from its times: an edge that it broke, and accesses that
 * met in time. For the second the hazards are looked for once more, in the
 * order of the clock in place of the edges: where a read can then get a wrong
 * value, two tasks ran at the same time or the wrong way round.
 */
#include "judge_work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BROKEN 100000

/* --- Edges that the run broke --- */

typedef struct broken {
    oracle_judging *judging;
    const oracle_document *d;
    const oracle_task_time *times;
    oracle_order order;
    int64_t *done;   /* by task: when all that it waits for, and it, ended */
    uint32_t *after; /* by task without rows: whose end that is */
    oracle_id_table pairs;
    uint32_t count;
} broken;

/* "0.6 us": from cycles; "" without a clock. */
static const char *tell_time(oracle_arena *arena, int64_t cycles, int64_t clock)
{
    if (clock <= 0) {
        return oracle_arena_format(arena, "%" PRId64 " cycles", cycles);
    }
    int64_t whole = cycles / clock, part = cycles % clock;
    /* In nanoseconds, where that fits. */
    if (whole > INT64_MAX / 1000000000 - 1) {
        return oracle_arena_format(arena, "%" PRId64 " s", whole);
    }
    int64_t nano =
        whole * 1000000000 + (int64_t)((double)part * 1e9 / (double)clock);
    return oracle_arena_format(arena,
                               "%" PRId64 " cycles (%" PRId64 ".%02d us)",
                               cycles, nano / 1000, (int)(nano % 1000 / 10));
}

static const char *tell_intervals(oracle_arena *arena, const oracle_document *d,
                                  uint32_t from, uint32_t to)
{
    const oracle_task_time *a = &d->run->times[from], *b = &d->run->times[to];
    return oracle_arena_format(
        arena,
        "\"intervals\":[[%" PRId64 ",%" PRId64 ",%" PRId64 "],[%" PRId64
        ",%" PRId64 ",%" PRId64 "]]",
        d->tasks[from].id, a->begin, a->end, d->tasks[to].id, b->begin, b->end);
}

/* From a task with rows over those without to another, as [id, ...]. */
static const char *tell_path(broken *b, uint32_t last, uint32_t to)
{
    oracle_arena *arena = b->judging->arena;
    const char *path =
        oracle_arena_format(arena, "%" PRId64 "]", b->d->tasks[to].id);
    uint32_t at = last;
    for (; path != NULL && b->times[at].rows == 0; at = b->after[at]) {
        path = oracle_arena_format(arena, "%" PRId64 ",%s", b->d->tasks[at].id,
                                   path);
    }
    return path == NULL ? NULL
                        : oracle_arena_format(arena, "[%" PRId64 ",%s",
                                              b->d->tasks[at].id, path);
}

static bool report_broken(broken *b, uint32_t from, uint32_t last, uint32_t to)
{
    oracle_arena *arena = b->judging->arena;
    const oracle_document *d = b->d;
    oracle_record record = oracle_record_of("trace.order", ORACLE_ERROR);
    int64_t early = b->times[from].end - b->times[to].begin;
    const char *first = oracle_tell_task(arena, d, from);
    const char *second = oracle_tell_task(arena, d, to);
    const char *time = tell_time(arena, early, d->run->clock);
    const char *intervals = tell_intervals(arena, d, from, to);
    const char *path = tell_path(b, last, to);
    if (first == NULL || second == NULL || time == NULL || intervals == NULL ||
        path == NULL) {
        return false;
    }
    record.producer.task = from;
    record.consumer.task = to;
    record.message = oracle_arena_format(
        arena,
        "%s started %s before %s ended, which it has to wait for by the "
        "recorded edges: the runtime did not keep them, report it with the two "
        "files.",
        second, time, first);
    record.witness =
        oracle_arena_format(arena, "{%s,\"path\":%s}", intervals, path);
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(b->judging, record);
}

static int64_t key_of(uint32_t from, uint32_t to)
{
    return (int64_t)((uint64_t)to << 32 | from);
}

/* The edges into a task, and when it could start at the earliest. */
static bool check_task(broken *b, uint32_t t)
{
    const oracle_task_time *time = &b->times[t];
    b->done[t] = INT64_MIN;
    b->after[t] = ORACLE_NONE;
    for (uint32_t i = b->order.first[t]; i < b->order.first[t + 1]; i++) {
        uint32_t p = b->order.before[i];
        uint32_t from = b->times[p].rows > 0 ? p : ORACLE_NONE;
        for (uint32_t at = p; from == ORACLE_NONE && at != ORACLE_NONE;
             at = b->after[at]) {
            from = b->times[at].rows > 0 ? at : ORACLE_NONE;
        }
        if (from == ORACLE_NONE) {
            continue;
        }
        if (b->done[p] > b->done[t]) {
            b->done[t] = b->done[p];
            b->after[t] = p;
        }
        if (time->rows == 0 || time->begin >= b->done[p]) {
            continue;
        }
        oracle_id_slot *slot = oracle_id_table_slot(&b->pairs, key_of(from, t));
        if (slot == NULL) {
            return false;
        }
        if (slot->value == ORACLE_NONE && b->count < MOST_BROKEN) {
            slot->value = b->count++;
            if (!report_broken(b, from, p, t)) {
                return false;
            }
        }
    }
    if (time->rows > 0) {
        b->done[t] = time->end;
    }
    return true;
}

static bool check_edges(broken *b, oracle_arena *arena)
{
    const oracle_document *d = b->d;
    bool *present = oracle_arena_alloc(arena, d->task_count);
    b->done = oracle_arena_array(arena, d->task_count, sizeof *b->done);
    b->after = oracle_arena_array(arena, d->task_count, sizeof *b->after);
    if (present == NULL || b->done == NULL || b->after == NULL) {
        return false;
    }
    memset(present, true, d->task_count);
    if (!oracle_order_build(&b->order, d, NULL, present, false, arena) ||
        !oracle_order_use(&b->order, &b->judging->asking, arena)) {
        return false;
    }
    for (uint32_t i = 0; b->order.cycle_count == 0 && i < b->order.present;
         i++) {
        if (!check_task(b, b->order.sequence[i])) {
            return false;
        }
    }
    return b->count < MOST_BROKEN ||
           oracle_judging_undecided(
               b->judging, "further edges that the run broke: too many");
}

/* --- Accesses that met in time --- */

typedef enum event_kind { ENDS, IS_SHORT, BEGINS } event_kind;

typedef struct event {
    int64_t time;
    uint32_t task;
    event_kind kind; /* IS_SHORT: it begins and ends at once */
} event;

/* At one moment: what ends, then what has no length, then what begins. */
static int by_time(const void *a, const void *b)
{
    const event *x = a, *y = b;
    return x->time != y->time   ? (x->time < y->time ? -1 : 1)
           : x->kind != y->kind ? (x->kind < y->kind ? -1 : 1)
                                : (x->task > y->task) - (x->task < y->task);
}

typedef struct clock_order {
    oracle_document d; /* with a task for each moment, behind the others */
    oracle_edge *edges;
    uint32_t moment; /* the task of the last one, or ORACLE_NONE */
} clock_order;

static void join(clock_order *c, uint32_t from, uint32_t to)
{
    c->edges[c->d.edge_count++] = (oracle_edge){.from = from,
                                                .to = to,
                                                .source = ORACLE_RECORDED,
                                                .kind = {"", 0, false},
                                                .certain = true,
                                                .from_arg = ORACLE_NONE,
                                                .to_arg = ORACLE_NONE};
}

/* A moment behind all of the moments before. */
static void new_moment(clock_order *c)
{
    uint32_t moment = c->d.task_count++;
    c->d.tasks[moment] = (oracle_task){.id = -1 - (int64_t)moment,
                                       .blocks = 1,
                                       .name = {"", 0, false},
                                       .core = {"", 0, false},
                                       .scope = ORACLE_NONE,
                                       .predicate_buffer = ORACLE_NONE,
                                       .predicate_region = ORACLE_NONE};
    if (c->moment != ORACLE_NONE) {
        join(c, c->moment, moment);
    }
    c->moment = moment;
}

/*
 * Who ends comes before a moment, who begins after it. A task without length
 * stands between two moments of its own: whoever shares the tick with it is
 * not said to run at the same time.
 */
static void put_events(clock_order *c, const event *events, uint32_t count)
{
    bool is_open = false; /* nothing has begun since the moment */
    for (uint32_t i = 0; i < count; i++) {
        if (events[i].kind != ENDS) {
            is_open = false;
            if (c->moment != ORACLE_NONE) {
                join(c, c->moment, events[i].task);
            }
        }
        if (events[i].kind != BEGINS) {
            if (!is_open) {
                new_moment(c);
            }
            is_open = true;
            join(c, events[i].task, c->moment);
        }
    }
}

static uint32_t collect_events(const oracle_document *d, event *events)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < d->task_count; t++) {
        const oracle_task_time *time = &d->run->times[t];
        if (!time->complete) {
            continue;
        }
        bool is_short = time->begin == time->end;
        events[count++] = (event){time->begin, t, is_short ? IS_SHORT : BEGINS};
        if (!is_short) {
            events[count++] = (event){time->end, t, ENDS};
        }
    }
    qsort(events, count, sizeof *events, by_time);
    return count;
}

/* The document in the order of the clock. */
static bool make_clock(clock_order *c, const oracle_document *d,
                       oracle_arena *arena)
{
    size_t events = (size_t)d->task_count * 2;
    event *list = oracle_arena_array(arena, events, sizeof *list);
    *c = (clock_order){.d = *d, .moment = ORACLE_NONE};
    c->d.tasks = oracle_arena_array(arena, d->task_count + 2 * events,
                                    sizeof *c->d.tasks);
    c->edges = oracle_arena_array(arena, 4 * events, sizeof *c->edges);
    if (list == NULL || c->d.tasks == NULL || c->edges == NULL) {
        return false;
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        c->d.tasks[t] = d->tasks[t];
        c->d.tasks[t].deps = 0;
    }
    c->d.edges = c->edges;
    c->d.edge_count = 0;
    put_events(c, list, collect_events(d, list));
    return true;
}

static bool is_timed(const oracle_document *d, const oracle_item *item)
{
    return item->task == ORACLE_NONE || d->run->times[item->task].complete;
}

static const char *tell_met(oracle_judging *j, const oracle_hazard *h,
                            bool overlap)
{
    oracle_arena *arena = j->arena;
    const oracle_document *d = j->document;
    uint32_t from = h->producer.task, to = h->consumer.task;
    const oracle_task_time *a = &d->run->times[from], *b = &d->run->times[to];
    int64_t begin = a->begin > b->begin ? a->begin : b->begin;
    int64_t end = a->end < b->end ? a->end : b->end;
    const char *first = oracle_tell_task(arena, d, from);
    const char *second = oracle_tell_task(arena, d, to);
    const char *bytes = oracle_tell_bytes(arena, d, h->consumer.storage,
                                          h->hull.begin, h->hull.end);
    const char *time = tell_time(
        arena, overlap ? end - begin : a->begin - b->end, d->run->clock);
    if (first == NULL || second == NULL || bytes == NULL || time == NULL) {
        return NULL;
    }
    return overlap ? oracle_arena_format(
                         arena,
                         "%s and %s ran at the same time for %s, and both "
                         "touch %s, which one of them writes: add %s to the "
                         "deps of %s.",
                         first, second, time, bytes, first, second)
                   : oracle_arena_format(
                         arena,
                         "%s had ended %s before %s started, which comes "
                         "before it in the program and touches %s too: add %s "
                         "to the deps of %s.",
                         second, time, first, bytes, first, second);
}

static bool report_met(oracle_judging *j, const oracle_hazard *h)
{
    oracle_arena *arena = j->arena;
    const oracle_document *d = j->document;
    uint32_t from = h->producer.task, to = h->consumer.task;
    bool overlap = d->run->times[from].begin < d->run->times[to].end;
    oracle_record record =
        oracle_record_of(overlap ? "trace.race" : "trace.order", ORACLE_ERROR);
    const oracle_text *key = &d->buffers[h->consumer.storage].key;
    const char *intervals = tell_intervals(arena, d, from, to);
    oracle_out out = {0};
    if (intervals == NULL) {
        return false;
    }
    oracle_out_format(&out,
                      "{\"begin\":%" PRId64 ",\"buffer\":", h->shown.begin);
    oracle_out_string(&out, key->data, key->length);
    oracle_out_format(&out, ",%s}", intervals);
    record.producer = (oracle_end){.task = from, .arg = h->producer.arg};
    record.consumer = (oracle_end){.task = to, .arg = h->consumer.arg};
    record.has_storage = true;
    record.storage = h->consumer.storage;
    record.begin = h->hull.begin;
    record.end = h->hull.end;
    record.message = tell_met(j, h, overlap);
    record.witness =
        out.failed ? NULL : oracle_arena_text(arena, out.data, out.length);
    oracle_out_free(&out);
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(j, record);
}

/* Whether the run shows it: a pair of tasks whose times are all known. */
static bool is_shown(const oracle_document *d, const oracle_hazard *h)
{
    return h->decided && h->kind <= ORACLE_HAZARD_WAR && h->values == NULL &&
           h->producer.arg != ORACLE_NONE && h->consumer.arg != ORACLE_NONE &&
           is_timed(d, &h->producer) && is_timed(d, &h->consumer) &&
           is_timed(d, &h->reader) && is_timed(d, &h->intruder) &&
           (h->initial || is_timed(d, &h->writer));
}

/*
 * One finding for two tasks; none where the recorded edges order them: then an
 * edge between them was broken, or the wrong order is that of the edges, and
 * either is said.
 */
static bool report_hazards(oracle_judging *j, const oracle_hazards *hazards,
                           const oracle_order *order, oracle_arena *arena)
{
    const oracle_document *d = j->document;
    oracle_id_table known = {0};
    oracle_pair *pairs =
        oracle_arena_array(arena, (size_t)hazards->count * 2, sizeof *pairs);
    uint32_t *shown = oracle_arena_array(arena, hazards->count, sizeof *shown);
    bool ok = pairs != NULL && shown != NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; ok && i < hazards->count; i++) {
        const oracle_hazard *h = &hazards->list[i];
        if (is_shown(d, h)) {
            uint32_t from = h->producer.task, to = h->consumer.task;
            pairs[2 * (size_t)count] = (oracle_pair){from, to, false};
            pairs[2 * (size_t)count + 1] = (oracle_pair){to, from, false};
            shown[count++] = i;
        }
    }
    ok = ok && oracle_order_query(order, pairs, 2 * count);
    for (uint32_t i = 0; ok && i < count; i++) {
        const oracle_pair *pair = &pairs[2 * (size_t)i];
        if (pair[0].ordered || pair[1].ordered) {
            continue;
        }
        oracle_id_slot *slot =
            oracle_id_table_slot(&known, key_of(pair->from, pair->to));
        ok = slot != NULL;
        if (ok && slot->value == ORACLE_NONE) {
            slot->value = i;
            ok = report_met(j, &hazards->list[shown[i]]);
        }
    }
    oracle_id_table_free(&known);
    return ok && (!hazards->exhausted ||
                  oracle_judging_undecided(
                      j, "further accesses that met in time: too many"));
}

static bool find_met(oracle_judging *j, const oracle_order *order,
                     oracle_arena *arena)
{
    clock_order c;
    if (!make_clock(&c, j->document, arena)) {
        return false;
    }
    oracle_hazards hazards = {.arena = arena};
    oracle_execution e = {
        .document = &c.d, .complete = true, .arena = arena, .shared = arena};
    bool *present = oracle_arena_alloc(arena, c.d.task_count);
    hazards.large = oracle_arena_alloc(arena, c.d.buffer_count);
    hazards.unsure = oracle_arena_alloc(arena, c.d.buffer_count);
    hazards.sets_from = UINT64_MAX; /* each pair is looked at by its times */
    if (present == NULL || hazards.large == NULL || hazards.unsure == NULL) {
        return false;
    }
    memset(present, true, c.d.task_count);
    e.present = present;
    bool ok =
        oracle_order_build(&e.certain, &c.d, NULL, present, false, arena) &&
        oracle_order_use(&e.certain, &j->asking, arena);
    e.all = e.certain;
    ok = ok && oracle_execution_start(&e) &&
         oracle_hazards_find(&hazards, &e) &&
         report_hazards(j, &hazards, order, arena);
    oracle_id_table_free(&hazards.by_pair);
    oracle_id_table_free(&hazards.known);
    return ok;
}

bool oracle_judge_trace(oracle_judging *judging)
{
    const oracle_document *d = judging->document;
    const oracle_run *run = d->run;
    if (run == NULL || run->times == NULL || run->is_cut) {
        return true;
    }
    oracle_arena *arena = oracle_arena_create();
    broken b = {.judging = judging, .d = d, .times = run->times};
    bool ok = arena != NULL && check_edges(&b, arena) &&
              (b.order.cycle_count > 0 || find_met(judging, &b.order, arena));
    oracle_id_table_free(&b.pairs);
    oracle_arena_free(arena);
    return ok;
}
