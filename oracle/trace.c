/*
 * chip_swimlane_records.json (spec 07): when each task of a run was on its
 * cores. Of the many fields only those are read that say so.
 */
#include "record.h"

#include <inttypes.h>
#include <stdlib.h>

/* A row of aicore_tasks or of aicpu_tasks. */
typedef struct row {
    int64_t core, reg; /* what joins the two lists */
    int64_t task;
    int64_t begin, end;
} row;

typedef struct rows {
    row *list;
    uint32_t count;
    uint32_t node;
} rows;

typedef struct trace {
    oracle_reader *reader;
    oracle_run *run;
    rows aicore, aicpu;
    int64_t *is_cube; /* by core: 1 cube, 0 vector, -1 not known */
    uint32_t cores;
    uint32_t other_core; /* a task that ran where it has no kernel */
} trace;

/* A list of at least `count` integers. */
static bool read_numbers(trace *t, uint32_t node, int64_t *value,
                         uint32_t count)
{
    const oracle_json *json = t->reader->json;
    if (oracle_reader_type(t->reader, node) != ORACLE_JSON_ARRAY) {
        return oracle_reader_wrong(t->reader, node, "a list of integers");
    }
    uint32_t end = oracle_json_next(json, node), n = 0;
    for (uint32_t at = node + 1; at < end && n < count;
         at = oracle_json_next(json, at)) {
        if (!oracle_read_task_id(t->reader, at, &value[n])) {
            return false;
        }
        n++;
    }
    if (n < count) {
        oracle_fault_node(t->reader->error, ORACLE_SCHEMA, json, node,
                          "must have at least %u numbers, got %u",
                          (unsigned)count, (unsigned)n);
        return false;
    }
    return true;
}

static bool check_row(trace *t, uint32_t node, const row *r)
{
    if (t->cores > 0 && r->core >= t->cores) {
        oracle_fault_node(t->reader->error, ORACLE_RANGE, t->reader->json, node,
                          "names core %" PRId64 " of %u", r->core,
                          (unsigned)t->cores);
        return false;
    }
    if (r->end < r->begin) {
        oracle_fault_node(t->reader->error, ORACLE_RANGE, t->reader->json, node,
                          "ends at %" PRId64 ", before its start at %" PRId64,
                          r->end, r->begin);
        return false;
    }
    return true;
}

static bool read_row(trace *t, rows *to, uint32_t node, bool is_aicore)
{
    int64_t value[5];
    if (!read_numbers(t, node, value, is_aicore ? 5 : 4)) {
        return false;
    }
    row r = is_aicore ? (row){value[0], value[2], value[1], value[3], value[4]}
                      : (row){value[0], value[1], -1, value[2], value[3]};
    to->list = oracle_reader_push(t->reader, to->list, to->count, sizeof r);
    if (t->reader->error->status != ORACLE_OK) {
        return false;
    }
    to->list[to->count++] = r;
    return check_row(t, node, &r);
}

static int by_key(const void *a, const void *b)
{
    const row *x = a, *y = b;
    return x->core != y->core ? (x->core < y->core ? -1 : 1)
                              : (x->reg > y->reg) - (x->reg < y->reg);
}

static bool read_rows(trace *t, rows *to, uint32_t list, bool is_aicore)
{
    uint32_t at, end;
    to->node = list;
    if (!oracle_reader_list(t->reader, list, &at, &end)) {
        return false;
    }
    for (; at < end; at = oracle_json_next(t->reader->json, at)) {
        if (!read_row(t, to, at, is_aicore)) {
            return false;
        }
    }
    if (to->count > 1) {
        qsort(to->list, to->count, sizeof *to->list, by_key);
    }
    return true;
}

/* --- What the recorder says of itself --- */

static bool read_capture(trace *t, uint32_t node)
{
    static const oracle_fields fields = {
        "metadata.host_capture",
        4,
        {ORACLE_FIELD("status"), ORACLE_FIELD("expected_records"),
         ORACLE_FIELD("recorded_records"), ORACLE_FIELD("dropped_records")}};
    uint32_t value[4];
    int64_t expected = 0, recorded = 0, dropped = 0;
    if (oracle_reader_absent(t->reader, node)) {
        return true;
    }
    if (!oracle_reader_fields(t->reader, node, &fields, value) ||
        !oracle_reader_opt_int(t->reader, value[1], &expected) ||
        !oracle_reader_opt_int(t->reader, value[2], &recorded) ||
        !oracle_reader_opt_int(t->reader, value[3], &dropped)) {
        return false;
    }
    bool is_complete = oracle_reader_absent(t->reader, value[0]) ||
                       oracle_json_is(t->reader->json, value[0], "complete", 8);
    if (is_complete && dropped == 0 && recorded >= expected) {
        return true;
    }
    return oracle_record_missing(
        t->reader, node, "metadata.host_capture",
        "the trace is cut short by its own account: %" PRId64 " of %" PRId64
        " records, %" PRId64 " dropped; record the run again with more room",
        recorded, expected, dropped);
}

static bool read_cores(trace *t, uint32_t list)
{
    uint32_t at, end;
    if (!oracle_reader_list(t->reader, list, &at, &end)) {
        return false;
    }
    for (; at < end; at = oracle_json_next(t->reader->json, at)) {
        const oracle_json *json = t->reader->json;
        t->is_cube = oracle_reader_push(t->reader, t->is_cube, t->cores,
                                        sizeof *t->is_cube);
        if (t->reader->error->status != ORACLE_OK) {
            return false;
        }
        t->is_cube[t->cores++] = oracle_json_is(json, at, "aic", 3)   ? 1
                                 : oracle_json_is(json, at, "aiv", 3) ? 0
                                                                      : -1;
    }
    return true;
}

static bool read_metadata(trace *t, uint32_t node)
{
    enum { CLOCK, TYPES, CAPTURE };
    static const oracle_fields fields = {"metadata",
                                         3,
                                         {ORACLE_FIELD("clock_freq_hz"),
                                          ORACLE_FIELD("core_types"),
                                          ORACLE_FIELD("host_capture")}};
    uint32_t value[3];
    if (oracle_reader_absent(t->reader, node)) {
        return true;
    }
    return oracle_reader_fields(t->reader, node, &fields, value) &&
           oracle_reader_opt_int(t->reader, value[CLOCK], &t->run->clock) &&
           (oracle_reader_absent(t->reader, value[CLOCK]) ||
            oracle_reader_least(t->reader, value[CLOCK], t->run->clock, 1)) &&
           read_cores(t, value[TYPES]) && read_capture(t, value[CAPTURE]);
}

/* --- The times of the tasks --- */

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* What the trace knows, and the record neither has as a row nor explains. */
static bool without_row(trace *t, uint32_t node, int64_t id, bool on_core)
{
    const oracle_run *run = t->run;
    if (!on_core && (run->may_allocate ||
                     (run->allocator_count > 0 &&
                      bsearch(&id, run->allocators, run->allocator_count,
                              sizeof id, by_number) != NULL))) {
        return true;
    }
    t->run->is_cut = true;
    return oracle_record_missing(
        t->reader, node, "tasks",
        "the trace has task %" PRId64 ", and the record has no row of it: the "
        "record is cut short, or the two files are of different runs",
        id);
}

static bool add_time(trace *t, const row *r)
{
    uint32_t index = oracle_id_table_find(&t->reader->tasks, r->task);
    if (index == ORACLE_NONE) {
        return without_row(t, t->aicore.node, r->task, true);
    }
    oracle_task_time *time = &t->run->times[index];
    if (time->rows == 0 || r->begin < time->begin) {
        time->begin = r->begin;
    }
    if (time->rows == 0 || r->end > time->end) {
        time->end = r->end;
    }
    time->rows++;
    uint64_t took = (uint64_t)r->end - (uint64_t)r->begin;
    time->spent +=
        took > UINT64_MAX - time->spent ? UINT64_MAX - time->spent : took;
    const oracle_kernels *kernels = &t->run->kernels[index];
    int64_t is_cube = r->core < t->cores ? t->is_cube[r->core] : -1;
    bool fits = is_cube == 1   ? kernels->id[0] >= 0
                : is_cube == 0 ? kernels->id[1] >= 0 || kernels->id[2] >= 0
                               : true;
    if (kernels->known && !fits && t->other_core == ORACLE_NONE) {
        t->other_core = index;
    }
    return true;
}

static uint32_t unmatched(const rows *a, const rows *b)
{
    uint32_t count = 0, j = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        while (j < b->count && by_key(&b->list[j], &a->list[i]) < 0) {
            j++;
        }
        count += j == b->count || by_key(&b->list[j], &a->list[i]) != 0;
    }
    return count;
}

static bool join(trace *t, uint32_t root)
{
    uint32_t cores = unmatched(&t->aicore, &t->aicpu);
    uint32_t cpus = unmatched(&t->aicpu, &t->aicore);
    if (cores == 0 && cpus == 0) {
        return true;
    }
    return oracle_record_missing(
        t->reader, root, "aicpu_tasks",
        "the trace is cut short: %u rows of aicore_tasks have no row of the "
        "same core and reg_task_id in aicpu_tasks, and %u the other way round; "
        "record the run again",
        (unsigned)cores, (unsigned)cpus);
}

/* As many rows as blocks and lanes make a task complete. */
static bool count_rows(trace *t, uint32_t root)
{
    const oracle_document *d = t->reader->document;
    uint32_t short_of = 0, first = 0;
    for (uint32_t i = 0; i < d->task_count; i++) {
        const oracle_kernels *kernels = &t->run->kernels[i];
        oracle_task_time *time = &t->run->times[i];
        int64_t lanes = (kernels->id[0] >= 0) + (kernels->id[1] >= 0) +
                        (kernels->id[2] >= 0);
        time->complete = kernels->known && lanes > 0 &&
                         time->rows % lanes == 0 &&
                         time->rows / lanes == d->tasks[i].blocks;
        bool is_done =
            time->complete || (kernels->known && lanes == 0 && time->rows == 0);
        if (!is_done && short_of++ == 0) {
            first = i;
        }
    }
    if (short_of == 0) {
        return true;
    }
    return oracle_record_missing(
        t->reader, root, "aicore_tasks",
        "the trace has not as many rows as blocks and lanes for %u of %u "
        "tasks, the first of them task %" PRId64 " (%u rows): it is cut "
        "short, or a predicate was false",
        (unsigned)short_of, (unsigned)d->task_count, d->tasks[first].id,
        (unsigned)t->run->times[first].rows);
}

static bool give_times(trace *t, uint32_t root)
{
    const oracle_document *d = t->reader->document;
    t->run->times = oracle_arena_array(t->reader->arena, d->task_count,
                                       sizeof *t->run->times);
    if (t->run->times == NULL) {
        return oracle_reader_memory(t->reader);
    }
    bool was_cut = t->run->is_cut;
    uint32_t remarks = d->remark_count;
    for (uint32_t i = 0; i < t->aicore.count; i++) {
        if (!add_time(t, &t->aicore.list[i])) {
            return false;
        }
    }
    if (t->other_core != ORACLE_NONE) {
        /* Nothing in it says anything of this record. */
        t->run->times = NULL;
        t->run->is_cut = was_cut;
        t->reader->document->remark_count = remarks;
        return oracle_record_missing(
            t->reader, root, "metadata.core_types",
            "task %" PRId64 " ran on a kind of core that it has no kernel "
            "for: the trace is of another run than the record, and was not "
            "used",
            d->tasks[t->other_core].id);
    }
    return join(t, root) && count_rows(t, root);
}

/* Lines of the trace are none of the record that is judged. */
static void drop_lines(oracle_document *d, uint32_t first)
{
    for (uint32_t i = first; i < d->remark_count; i++) {
        d->remarks[i].line = 0;
    }
}

/* --- The submissions --- */

static bool read_submission(trace *t, uint32_t node)
{
    static const oracle_fields fields = {
        "host_orchestrator_phases[][]", 1, {ORACLE_FIELD("task_id")}};
    uint32_t value;
    int64_t id;
    if (!oracle_reader_fields(t->reader, node, &fields, &value)) {
        return false;
    }
    if (oracle_reader_absent(t->reader, value)) {
        return true;
    }
    return oracle_read_task_id(t->reader, value, &id) &&
           (oracle_id_table_find(&t->reader->tasks, id) != ORACLE_NONE ||
            without_row(t, node, id, false));
}

static bool read_submissions(trace *t, uint32_t list)
{
    const oracle_json *json = t->reader->json;
    uint32_t at, end, inner, last;
    if (!oracle_reader_list(t->reader, list, &at, &end)) {
        return false;
    }
    for (; at < end; at = oracle_json_next(json, at)) {
        if (!oracle_reader_list(t->reader, at, &inner, &last)) {
            return false;
        }
        for (; inner < last; inner = oracle_json_next(json, inner)) {
            if (!read_submission(t, inner)) {
                return false;
            }
        }
    }
    return true;
}

static bool read_parts(trace *t, uint32_t root, bool is_alone)
{
    enum { LEVEL, METADATA, AICORE, AICPU, HOST };
    static const oracle_fields fields = {
        "",
        5,
        {ORACLE_FIELD("chip_swimlane_level"), ORACLE_FIELD("metadata"),
         ORACLE_FIELD("aicore_tasks"), ORACLE_FIELD("aicpu_tasks"),
         ORACLE_FIELD("host_orchestrator_phases")}};
    uint32_t value[5];
    int64_t level = 4;
    if (!oracle_reader_fields(t->reader, root, &fields, value) ||
        !oracle_reader_opt_int(t->reader, value[LEVEL], &level) ||
        !read_metadata(t, value[METADATA]) ||
        !read_rows(t, &t->aicore, value[AICORE], true) ||
        !read_rows(t, &t->aicpu, value[AICPU], false)) {
        return false;
    }
    for (uint32_t i = AICORE; i <= AICPU; i++) {
        if (oracle_reader_absent(t->reader, value[i])) {
            return oracle_record_missing(
                t->reader, root, fields.field[i].name,
                "the trace has no list \"%s\" (its level is %" PRId64
                "): record the run at level 4",
                fields.field[i].name, level);
        }
    }
    return is_alone ? join(t, root)
                    : give_times(t, root) && (t->run->times == NULL ||
                                              read_submissions(t, value[HOST]));
}

bool oracle_read_trace(oracle_reader *reader, uint32_t root)
{
    trace t = {.reader = reader,
               .run = reader->document->run,
               .other_core = ORACLE_NONE};
    bool is_alone = t.run == NULL;
    bool lenient = reader->lenient;
    if (is_alone) {
        t.run = oracle_arena_alloc(reader->arena, sizeof *t.run);
        reader->document->run = t.run;
        reader->document->rules = ORACLE_RULES_NONE;
    }
    if (t.run == NULL) {
        return oracle_reader_memory(reader);
    }
    /* Most of it is about other things than order. */
    reader->lenient = true;
    uint32_t remarks = reader->document->remark_count;
    bool ok = read_parts(&t, root, is_alone);
    if (!is_alone) {
        drop_lines(reader->document, remarks);
    }
    reader->lenient = lenient;
    return ok;
}

/* Cycles as nanoseconds, rounded up. */
static uint64_t nanoseconds_of(uint64_t cycles, uint64_t clock)
{
    uint64_t whole = cycles / clock, rest = cycles % clock, second = 1000000000;
    if (whole >= UINT64_MAX / second - 1 || rest > UINT64_MAX / second) {
        return UINT64_MAX;
    }
    return whole * second + (rest * second + clock - 1) / clock;
}

bool oracle_document_task_time(const oracle_document *document, uint32_t task,
                               uint64_t *nanoseconds)
{
    const oracle_run *run = document->run;
    if (run == NULL || run->times == NULL || run->times[task].rows == 0) {
        return false;
    }
    const oracle_task_time *time = &run->times[task];
    uint64_t cycles = time->spent / time->rows + (time->spent % time->rows > 0);
    uint64_t clock = run->clock == 0 ? 50000000 : (uint64_t)run->clock;
    *nanoseconds = nanoseconds_of(cycles, clock);
    return true;
}
