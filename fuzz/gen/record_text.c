/* deps.json, chip_swimlane_records.json, and the bundle of both. */
#include "record.h"

#include <inttypes.h>
#include <stdio.h>

#define CUBES 24
#define VECTORS 48

typedef struct writer {
    record *w;
    fuzz_text *t;
    const char *object; /* what is open */
    bool damaged;       /* it is the one with the flaw */
} writer;

static int64_t task_id(const record *w, uint32_t t)
{
    return w->g.tasks[t].id;
}

uint32_t fuzz_record_lanes(const graph_task *task)
{
    return task->core == 2 ? 3 : 1;
}

/* --- Objects, of which one may have a field that is wrong --- */

static void open_object(writer *o, const char *object, uint32_t index)
{
    const record *w = o->w;
    fuzz_open(o->t, '{');
    o->object = object;
    o->damaged = w->flaw == RECORD_FIELD && strcmp(w->object, object) == 0 &&
                 (w->at == index || strcmp(object, "root") == 0);
}

static bool key(writer *o, const char *name)
{
    if (o->damaged && strcmp(o->w->field, name) == 0) {
        if (o->w->value != NULL) {
            fuzz_key(o->t, name);
            fuzz_raw(o->t, o->w->value);
        }
        o->damaged = false;
        return false;
    }
    fuzz_key(o->t, name);
    return true;
}

/* What is damaged may be a field that the format does not have. */
static void close_object(writer *o)
{
    if (o->damaged && o->w->value != NULL) {
        fuzz_key(o->t, o->w->field);
        fuzz_raw(o->t, o->w->value);
    }
    o->damaged = false;
    fuzz_close(o->t);
}

/* 64-bit numbers are strings. */
static void put_id(writer *o, const char *name, int64_t id)
{
    char digits[24];
    if (!key(o, name))
        return;
    snprintf(digits, sizeof digits, "%" PRId64, id);
    fuzz_string(o->t, digits);
}

static void put_int(writer *o, const char *name, int64_t value)
{
    if (key(o, name))
        fuzz_int(o->t, value);
}

static void put_string(writer *o, const char *name, const char *value)
{
    if (key(o, name))
        fuzz_string(o->t, value);
}

static void put_raw(writer *o, const char *name, const char *json)
{
    if (key(o, name))
        fuzz_raw(o->t, json);
}

/* --- deps.json --- */

static const char *dtype_of(const graph_buffer *b)
{
    return b->elem == 1   ? "INT8"
           : b->elem == 2 ? "FLOAT16"
           : b->elem == 4 ? "FLOAT32"
                          : "INT64";
}

static void put_numbers(writer *o, const char *name, const int64_t *n,
                        uint32_t count)
{
    if (!key(o, name))
        return;
    fuzz_open(o->t, '[');
    for (uint32_t i = 0; i < count; i++)
        fuzz_int(o->t, n[i]);
    fuzz_close(o->t);
}

/* The box in elements: rows, columns, and the elements of a cell. */
static void put_view(writer *o, const graph_buffer *b, const graph_arg *arg)
{
    int64_t row = (int64_t)b->cols * b->width;
    int64_t shape[3] = {arg->box.rows.count, arg->box.cols.count, b->width};
    int64_t strides[3] = {row * arg->box.rows.step,
                          (int64_t)b->width * arg->box.cols.step, 1};
    int64_t start =
        row * arg->box.rows.from + (int64_t)b->width * arg->box.cols.from;
    uint32_t first = arg->box.rows.count == 1 ? 1 : 0;
    put_numbers(o, "shape", shape + first, 3 - first);
    put_id(o, "start_offset", start);
    put_numbers(o, "strides", strides + first, 3 - first);
}

static void put_arg(writer *o, const graph_arg *arg, uint32_t idx, bool here)
{
    static const char *const types[] = {"INPUT", "OUTPUT_EXISTING", "INOUT",
                                        "INOUT"};
    const record *w = o->w;
    const graph_buffer *b = &w->g.buffers[arg->buffer];
    open_object(o, "arg", here ? w->at : UINT32_MAX);
    put_int(o, "idx", idx);
    put_string(o, "type",
               here && w->flaw == RECORD_TYPE ? "STREAM" : types[arg->mode]);
    put_id(o, "tensor_id", w->tensors + 1 + (int64_t)arg->buffer);
    put_string(o, "dtype",
               here && w->flaw == RECORD_DTYPE ? "FLOAT3" : dtype_of(b));
    put_view(o, b, arg);
    close_object(o);
}

static void put_kernels(writer *o, const graph_task *task)
{
    char list[48];
    int64_t id = 3 * (int64_t)task->name;
    if (task->core == 0)
        snprintf(list, sizeof list, "[-1,%" PRId64 ",-1]", id);
    else if (task->core == 1)
        snprintf(list, sizeof list, "[%" PRId64 ",-1,-1]", id);
    else
        snprintf(list, sizeof list, "[%" PRId64 ",%" PRId64 ",%" PRId64 "]", id,
                 id + 1, id + 2);
    put_raw(o, "kernel_ids", list);
}

static void put_task(writer *o, uint32_t t)
{
    const record *w = o->w;
    const graph_task *task = &w->g.tasks[t];
    bool here = w->at == t, first = true;
    open_object(o, "task", t);
    put_id(o, "task_id", task_id(w, t));
    put_string(o, "scope", here && w->flaw == RECORD_SCOPE ? "half" : "auto");
    put_raw(o, "early_dispatch", task->early ? "true" : "false");
    put_kernels(o, task);
    put_int(o, "block_num", task->blocks);
    bool damaged = o->damaged;
    if (key(o, "args")) {
        fuzz_open(o->t, '[');
        for (uint32_t i = 0; i < task->args; i++) {
            const graph_arg *arg = &w->g.args[task->first_arg + i];
            if (arg->buffer == GRAPH_NONE)
                continue;
            put_arg(o, arg, i, here && first);
            first = false;
        }
        fuzz_close(o->t);
        o->damaged = damaged;
    }
    close_object(o);
}

int64_t fuzz_record_address(const record *w, uint32_t buffer)
{
    return w->addresses + INT64_C(0x100000) * (1 + (int64_t)buffer);
}

static void put_tensors(writer *o)
{
    const graph *g = &o->w->g;
    fuzz_open(o->t, '[');
    for (uint32_t i = 0; i < g->buffer_count; i++) {
        const graph_buffer *b = &g->buffers[i];
        open_object(o, "tensor", i);
        put_id(o, "tensor_id", o->w->tensors + 1 + (int64_t)i);
        put_id(o, "buffer_addr", fuzz_record_address(o->w, i));
        put_int(o, "version", 0);
        put_string(o, "dtype", dtype_of(b));
        put_id(o, "buffer_numel", fuzz_graph_bytes(b) / b->elem);
        close_object(o);
    }
    fuzz_close(o->t);
}

static void put_edge(writer *o, int64_t from, int64_t to, bool is_explicit,
                     uint32_t index)
{
    const record *w = o->w;
    open_object(o, "edge", index);
    put_id(o, "pred", from);
    put_id(o, "succ", to);
    put_int(o, "arg", is_explicit ? -1 : 0);
    put_string(o, "source",
               w->flaw == RECORD_SOURCE && w->at == index ? "magic"
               : is_explicit                              ? "explicit"
                                                          : "tensormap");
    close_object(o);
}

static void put_edges(writer *o)
{
    const record *w = o->w;
    const graph *g = &w->g;
    fuzz_open(o->t, '[');
    for (uint32_t i = 0; i < g->edge_count; i++) {
        const graph_edge *e = &g->edges[i];
        if (e->form == GRAPH_GONE)
            continue;
        put_edge(o, task_id(w, e->from), task_id(w, e->to),
                 e->form == GRAPH_DEP || e->form == GRAPH_EXPLICIT, i);
    }
    uint32_t last = g->task_count - 1;
    if (w->flaw == RECORD_NEVER_SUBMITTED)
        put_edge(o, g->no_task + 1000000, task_id(w, w->at), true, UINT32_MAX);
    if (w->flaw == RECORD_NOT_YET)
        put_edge(o, task_id(w, last), task_id(w, 0), true, UINT32_MAX);
    fuzz_close(o->t);
}

static bool has_list(writer *o, uint32_t which, const char *name)
{
    const record *w = o->w;
    bool gone = w->flaw == RECORD_NO_LIST && w->at % 3 == which;
    return !gone && key(o, name);
}

static void put_record(writer *o)
{
    const record *w = o->w;
    open_object(o, "root", 0);
    bool damaged = o->damaged;
    if (has_list(o, 0, "tasks")) {
        fuzz_open(o->t, '[');
        for (uint32_t t = 0; t < w->g.task_count; t++) {
            if (w->flaw != RECORD_NO_ROW || w->at != t)
                put_task(o, t);
        }
        fuzz_close(o->t);
        o->damaged = damaged;
    }
    if (has_list(o, 1, "tensors")) {
        put_tensors(o);
        o->damaged = damaged;
    }
    if (has_list(o, 2, "edges")) {
        put_edges(o);
        o->damaged = damaged;
    }
    close_object(o);
}

/* --- The trace --- */

typedef void (*put_row)(writer *o, uint32_t t, uint32_t core, uint32_t row);

static void put_aicore(writer *o, uint32_t t, uint32_t core, uint32_t row)
{
    const record_time *time = &o->w->times[t];
    int64_t n[] = {core, task_id(o->w, t), row, time->begin, time->end, 1};
    fuzz_open(o->t, '[');
    for (uint32_t i = 0; i < 6; i++)
        fuzz_int(o->t, n[i]);
    fuzz_close(o->t);
}

static void put_aicpu(writer *o, uint32_t t, uint32_t core, uint32_t row)
{
    const record_time *time = &o->w->times[t];
    int64_t n[] = {core, row, time->begin > 0 ? time->begin - 1 : 0,
                   time->end + 1};
    fuzz_open(o->t, '[');
    for (uint32_t i = 0; i < 4; i++)
        fuzz_int(o->t, n[i]);
    fuzz_close(o->t);
}

/* A row for each block and lane of each task. */
static void put_rows(writer *o, put_row put, bool half)
{
    const record *w = o->w;
    uint32_t row = 0;
    fuzz_open(o->t, '[');
    for (uint32_t t = 0; t < w->g.task_count; t++) {
        const graph_task *task = &w->g.tasks[t];
        for (uint32_t i = 0; i < task->blocks * fuzz_record_lanes(task); i++) {
            bool cube = task->core == 1 || (task->core == 2 && i % 3 == 0);
            uint32_t core = cube ? row % CUBES : CUBES + row % VECTORS;
            if (!half || t != w->at || i > 0)
                put(o, t, core, row);
            row++;
        }
    }
    fuzz_close(o->t);
}

static void put_core_types(fuzz_text *t)
{
    fuzz_key(t, "core_types");
    fuzz_open(t, '[');
    for (uint32_t i = 0; i < CUBES + VECTORS; i++)
        fuzz_string(t, i < CUBES ? "aic" : "aiv");
    fuzz_close(t);
}

static void put_trace(writer *o)
{
    const record *w = o->w;
    fuzz_open(o->t, '{');
    fuzz_key_int(o->t, "chip_swimlane_level", 4);
    fuzz_key(o->t, "metadata");
    fuzz_open(o->t, '{');
    fuzz_key_int(o->t, "clock_freq_hz", 50000000);
    put_core_types(o->t);
    fuzz_key(o->t, "host_capture");
    fuzz_raw(o->t, w->flaw == RECORD_DROPPED
                       ? "{\"status\":\"complete\",\"expected_records\":9,"
                         "\"recorded_records\":7,\"dropped_records\":2}"
                       : "{\"status\":\"complete\",\"expected_records\":9,"
                         "\"recorded_records\":9,\"dropped_records\":0}");
    fuzz_close(o->t);
    fuzz_key(o->t, "aicore_tasks");
    put_rows(o, put_aicore, false);
    fuzz_key(o->t, "aicpu_tasks");
    put_rows(o, put_aicpu, w->flaw == RECORD_HALF_ROW);
    if (w->flaw == RECORD_TRACE_SYNTAX)
        fuzz_raw(o->t, "\"x\"");
    fuzz_close(o->t);
}

/* --- The bundle --- */

static void put_member(writer *o, const char *role, void (*put)(writer *o))
{
    fuzz_text *file = &o->w->g.c->expected;
    writer inner = {.w = o->w, .t = file};
    fuzz_text_clear(file);
    file->layout = FUZZ_COMPACT;
    put(&inner);
    fuzz_open(o->t, '{');
    fuzz_key_string(o->t, "role", role);
    fuzz_key(o->t, "text");
    if (file->failed)
        o->t->failed = true;
    else
        fuzz_string_n(o->t, file->data, file->length);
    fuzz_close(o->t);
    fuzz_text_clear(file);
}

static void put_document(writer *o, const char *role)
{
    fuzz_open(o->t, '{');
    fuzz_key_string(o->t, "role", role);
    fuzz_key(o->t, "document");
}

static void put_bundle(writer *o)
{
    const record *w = o->w;
    fuzz_open(o->t, '{');
    fuzz_key_string(o->t, "kind", "bundle");
    fuzz_key(o->t, "members");
    fuzz_open(o->t, '[');
    put_member(o, "record", put_record);
    if (w->times != NULL)
        put_member(o, "trace", put_trace);
    if (w->plan) {
        put_document(o, "graph");
        fuzz_graph_write(&o->w->g, o->t);
        fuzz_close(o->t);
    }
    if (w->flaw == RECORD_MEMORY) {
        put_document(o, "memory");
        fuzz_raw(o->t, "{\"kind\":\"memory_plan\",\"version\":1,"
                       "\"allocations\":[],\"peak_memory\":0}");
        fuzz_close(o->t);
    }
    fuzz_close(o->t);
    fuzz_key_int(o->t, "version", 1);
    fuzz_close(o->t);
}

void fuzz_record_write(record *w, fuzz_text *text)
{
    writer o = {.w = w, .t = text};
    fuzz_random layout = fuzz_random_of(&w->g.c->name, GRAPH_FOR_LAYOUT);
    text->layout = fuzz_graph_layout(&layout);
    if (w->times != NULL || w->plan || w->flaw == RECORD_MEMORY)
        put_bundle(&o);
    else
        put_record(&o);
}
