/* deps.json (spec 07, Records of a real run) as a task graph. */
#include "record_work.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FILLERS 64 /* arguments that are not listed in a row */

/* --- Numbers and remarks --- */

bool oracle_read_unsigned(oracle_reader *reader, uint32_t node, uint64_t *value)
{
    oracle_json_type type = oracle_reader_type(reader, node);
    const oracle_json_node *n = &reader->json->nodes[node];
    const char *at = reader->json->text + n->offset;
    const char *end = at + n->extent;
    if (type != ORACLE_JSON_STRING && type != ORACLE_JSON_NUMBER) {
        return oracle_reader_wrong(reader, node, "a number or its digits");
    }
    if (type == ORACLE_JSON_STRING) {
        at++;
        end--;
    }
    bool fits = true;
    bool digits = at < end;
    *value = 0;
    for (; digits && at < end; at++) {
        digits = *at >= '0' && *at <= '9';
        uint64_t digit = (uint64_t)(*at - '0');
        fits = fits && !__builtin_mul_overflow(*value, 10, value) &&
               !__builtin_add_overflow(*value, digit, value);
    }
    if (digits && fits) {
        return true;
    }
    oracle_fault_node(reader->error, digits ? ORACLE_RANGE : ORACLE_SCHEMA,
                      reader->json, node,
                      digits ? "is outside the 64-bit numbers"
                             : "must be a number of 64 bits without sign");
    return false;
}

bool oracle_read_task_id(oracle_reader *reader, uint32_t node, int64_t *id)
{
    uint64_t value = 0;
    if (!oracle_read_unsigned(reader, node, &value)) {
        return false;
    }
    if (value > INT64_MAX) {
        oracle_fault_node(reader->error, ORACLE_RANGE, reader->json, node,
                          "is beyond the task ids, which end at 2^63 - 1");
        return false;
    }
    *id = (int64_t)value;
    return true;
}

bool oracle_run_open(oracle_run *run, oracle_arena *arena, const char *line)
{
    const char **grown =
        oracle_arena_push(arena, run->open, run->open_count, sizeof *grown);
    if (grown == NULL || line == NULL) {
        return false;
    }
    run->open = grown;
    grown[run->open_count++] = line;
    return true;
}

bool oracle_record_missing(oracle_reader *reader, uint32_t node,
                           const char *path, const char *format, ...)
{
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return oracle_reader_remark(reader, "doc.incomplete", message, path, node);
}

bool record_cut(record_work *w, uint32_t node, const char *path,
                const char *what)
{
    w->run->is_cut = true;
    return oracle_record_missing(
        w->reader, node, path,
        "the record is cut short: %s; record the run again", what);
}

/* --- Arguments --- */

static const char *const types[] = {
    "INPUT", "OUTPUT", "OUTPUT_EXISTING", "INOUT", "UNKNOWN", "NO_DEP", NULL};
static const oracle_dispatch dispatches[] = {
    ORACLE_INPUT, ORACLE_OUTPUT,           ORACLE_OUTPUT_EXISTING,
    ORACLE_INOUT, ORACLE_UNKNOWN_DISPATCH, ORACLE_NO_DEP};

static bool read_type(record_work *w, uint32_t node, oracle_arg *arg)
{
    const oracle_json *json = w->reader->json;
    if (oracle_reader_type(w->reader, node) != ORACLE_JSON_STRING) {
        return oracle_reader_wrong(w->reader, node, "a string");
    }
    for (uint32_t i = 0; types[i] != NULL; i++) {
        if (oracle_json_is(json, node, types[i], strlen(types[i]))) {
            arg->dispatch = dispatches[i];
            return true;
        }
    }
    return oracle_reader_remark(
        w->reader, "doc.unsupported",
        "an argument has a type that is not known: what its task does with it "
        "is left open",
        "tasks[].args[].type", node);
}

static bool keep_access(record_work *w, oracle_arg *arg)
{
    static const oracle_mode modes[] = {
        [ORACLE_INPUT] = ORACLE_READ,
        [ORACLE_OUTPUT] = ORACLE_WRITE,
        [ORACLE_OUTPUT_EXISTING] = ORACLE_WRITE,
        [ORACLE_INOUT] = ORACLE_READ_WRITE,
    };
    if (arg->dispatch >= ORACLE_NO_DEP) {
        return true;
    }
    oracle_access *access = ORACLE_PUSH(w->reader, accesses, access_count);
    if (access == NULL) {
        return false;
    }
    *access = (oracle_access){.mode = modes[arg->dispatch],
                              .must = true,
                              .exact = true,
                              .region = ORACLE_NONE};
    arg->has_access = true;
    arg->first_access = w->reader->document->access_count - 1;
    arg->accesses = 1;
    return true;
}

static bool read_dim(record_work *w, uint32_t shape, uint32_t stride,
                     int64_t elem)
{
    oracle_reader *reader = w->reader;
    oracle_dim dim = {0};
    if (!oracle_reader_int(reader, shape, &dim.count.c) ||
        !oracle_reader_least(reader, shape, dim.count.c, 0) ||
        !oracle_reader_int(reader, stride, &dim.stride)) {
        return false;
    }
    if (__builtin_mul_overflow(dim.stride, elem, &dim.stride)) {
        oracle_fault_node(reader->error, ORACLE_RANGE, reader->json, stride,
                          "reaches beyond 64-bit addresses");
        return false;
    }
    oracle_dim *kept = ORACLE_PUSH(reader, dims, dim_count);
    if (kept == NULL) {
        return false;
    }
    *kept = dim;
    return true;
}

enum { A_IDX, A_TYPE, A_TENSOR, A_DTYPE, A_SHAPE, A_START, A_STRIDES };

/* Shape, start and strides count elements. */
static bool read_view(record_work *w, const uint32_t *value, oracle_arg *arg)
{
    oracle_reader *reader = w->reader;
    uint64_t start;
    uint32_t at[2], end[2];
    oracle_region r = {.elem = record_element(reader->json, value[A_DTYPE]),
                       .first = reader->document->dim_count};
    if (!oracle_read_unsigned(reader, value[A_START], &start) ||
        !oracle_reader_list(reader, value[A_SHAPE], &at[0], &end[0]) ||
        !oracle_reader_list(reader, value[A_STRIDES], &at[1], &end[1])) {
        return false;
    }
    if (start > INT64_MAX ||
        __builtin_mul_overflow((int64_t)start, r.elem, &r.base.c)) {
        oracle_fault_node(reader->error, ORACLE_RANGE, reader->json,
                          value[A_START], "reaches beyond 64-bit addresses");
        return false;
    }
    for (; at[0] < end[0] && at[1] < end[1]; r.count++) {
        if (!read_dim(w, at[0], at[1], r.elem)) {
            return false;
        }
        at[0] = oracle_json_next(reader->json, at[0]);
        at[1] = oracle_json_next(reader->json, at[1]);
    }
    if (at[0] < end[0] || at[1] < end[1]) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json,
                          value[A_STRIDES], "is not as long as the shape");
        return false;
    }
    oracle_region *kept = ORACLE_PUSH(reader, regions, region_count);
    if (kept == NULL) {
        return false;
    }
    *kept = r;
    arg->view = reader->document->region_count - 1;
    return record_use(w, value[A_SHAPE], &w->tensors[arg->buffer], kept);
}

/* The tensor of an argument and what of it is dispatched. */
static bool read_tensor(record_work *w, uint32_t node, const uint32_t *value,
                        oracle_arg *arg)
{
    oracle_reader *reader = w->reader;
    uint64_t id;
    for (int i = A_TENSOR; i <= A_STRIDES; i++) {
        if (oracle_reader_absent(reader, value[i])) {
            return record_cut(w, node, "tasks[].args[]",
                              "an argument has no tensor or no view");
        }
    }
    if (!oracle_read_unsigned(reader, value[A_TENSOR], &id) ||
        !oracle_reader_string(reader, value[A_DTYPE], &arg->dtype)) {
        return false;
    }
    uint32_t tensor = oracle_id_table_find(&w->by_id, (int64_t)id);
    if (tensor == ORACLE_NONE) {
        return record_cut(
            w, value[A_TENSOR], "tasks[].args[].tensor_id",
            "an argument names a tensor that is not in \"tensors\"");
    }
    arg->buffer = tensor;
    oracle_identity identity = {.version = w->tensors[tensor].version,
                                .base_address = w->tensors[tensor].base,
                                .owner = {"", 0, false}};
    if (!oracle_reader_identity(reader, arg, identity)) {
        return false;
    }
    if (record_element(reader->json, value[A_DTYPE]) == 0) {
        return oracle_reader_remark(
            reader, "doc.unsupported",
            "an argument has an element type of unknown size: what it touches "
            "is left open",
            "tasks[].args[].dtype", value[A_DTYPE]);
    }
    return read_view(w, value, arg) && keep_access(w, arg);
}

/* A place in the list of arguments that no row is for is a scalar. */
static bool fill(record_work *w, const oracle_task *task, uint32_t node)
{
    static const oracle_text none = {"", 0, false};
    oracle_reader *reader = w->reader;
    int64_t idx = 0;
    int64_t have = reader->document->arg_count - task->first_arg;
    if (!oracle_reader_opt_int(reader, node, &idx)) {
        return false;
    }
    for (; idx > have && idx - have <= MOST_FILLERS; have++) {
        oracle_arg *arg = ORACLE_PUSH(reader, args, arg_count);
        if (arg == NULL) {
            return false;
        }
        *arg = (oracle_arg){.kind = ORACLE_ARG_SCALAR,
                            .scalar = none,
                            .buffer = ORACLE_NONE,
                            .dispatch = ORACLE_UNKNOWN_DISPATCH,
                            .view = ORACLE_NONE,
                            .dtype = none};
    }
    return true;
}

static bool read_arg(record_work *w, uint32_t node, const oracle_task *task)
{
    static const oracle_fields fields = {
        "tasks[].args[]",
        7,
        {ORACLE_FIELD("idx"), ORACLE_FIELD("type"), ORACLE_FIELD("tensor_id"),
         ORACLE_FIELD("dtype"), ORACLE_FIELD("shape"),
         ORACLE_FIELD("start_offset"), ORACLE_FIELD("strides")}};
    static const oracle_text none = {"", 0, false};
    uint32_t value[7];
    oracle_arg arg = {.buffer = ORACLE_NONE,
                      .scalar = none,
                      .dispatch = ORACLE_UNKNOWN_DISPATCH,
                      .view = ORACLE_NONE,
                      .dtype = none};
    if (!oracle_reader_fields(w->reader, node, &fields, value) ||
        !oracle_reader_need(w->reader, node, value[A_TYPE], "type") ||
        !read_type(w, value[A_TYPE], &arg) || !fill(w, task, value[A_IDX])) {
        return false;
    }
    if (arg.dispatch != ORACLE_OUTPUT && !read_tensor(w, node, value, &arg)) {
        return false;
    }
    oracle_arg *kept = ORACLE_PUSH(w->reader, args, arg_count);
    if (kept == NULL) {
        return false;
    }
    *kept = arg;
    return true;
}

/* --- Tasks --- */

enum { T_ID, T_SCOPE, T_EARLY, T_KERNELS, T_BLOCKS, T_ARGS };

static const oracle_fields task_fields = {
    "tasks[]",
    6,
    {ORACLE_FIELD("task_id"), ORACLE_FIELD("scope"),
     ORACLE_FIELD("early_dispatch"), ORACLE_FIELD("kernel_ids"),
     ORACLE_FIELD("block_num"), ORACLE_FIELD("args")}};

/* "kernel 3", "kernels 0, 2, 2", "dummy": a record has no names. */
static bool name_task(record_work *w, oracle_task *task,
                      const oracle_kernels *kernels)
{
    char name[96] = "dummy";
    size_t used = 0;
    int count = 0;
    for (int i = 0; i < 3; i++) {
        if (kernels->id[i] < 0) {
            continue;
        }
        count++;
        used += (size_t)snprintf(name + used, sizeof name - used, "%s%" PRId64,
                                 used > 0 ? ", " : "kernel ", kernels->id[i]);
    }
    const oracle_slot *slot =
        oracle_reader_keep(w->reader, kernels->known ? name : "",
                           kernels->known ? strlen(name) : 0);
    if (slot == NULL) {
        return false;
    }
    /* The next one may move the slots, not the texts. */
    task->name = (oracle_text){slot->data, slot->length, true};
    task->dummy = kernels->known && count == 0;
    const char *core = kernels->id[0] < 0 ? "aiv" : count > 1 ? "mixed" : "aic";
    const oracle_slot *kept = oracle_reader_keep(w->reader, core, strlen(core));
    if (kept == NULL) {
        return false;
    }
    if (count > 0) {
        task->core = (oracle_text){kept->data, kept->length, true};
    }
    return true;
}

static bool read_kernels(record_work *w, uint32_t node, oracle_kernels *kernels)
{
    uint32_t at, end;
    uint32_t count = 0;
    *kernels = (oracle_kernels){.id = {-1, -1, -1}};
    if (!oracle_reader_list(w->reader, node, &at, &end)) {
        return false;
    }
    for (; at < end; at = oracle_json_next(w->reader->json, at)) {
        int64_t id;
        if (!oracle_reader_int(w->reader, at, &id)) {
            return false;
        }
        if (count < 3) {
            kernels->id[count] = id;
        }
        count++;
    }
    kernels->known = count == 3;
    return true;
}

/* An automatic scope is the default; only a manual one is kept. */
static bool read_scope(record_work *w, uint32_t node, oracle_task *task)
{
    const oracle_json *json = w->reader->json;
    if (oracle_reader_absent(w->reader, node) ||
        oracle_json_is(json, node, "auto", 4)) {
        return true;
    }
    if (oracle_json_is(json, node, "manual", 6)) {
        task->scope = 0;
        w->has_manual = true;
        return true;
    }
    return oracle_reader_remark(
        w->reader, "doc.unsupported",
        "a task has a scope that is neither auto nor manual", "tasks[].scope",
        node);
}

static bool read_task(record_work *w, uint32_t node, uint32_t index)
{
    oracle_reader *reader = w->reader;
    uint32_t value[6];
    uint32_t at, end;
    oracle_task task = reader->document->tasks[index];
    task.first_arg = reader->document->arg_count;
    if (!oracle_reader_fields(reader, node, &task_fields, value) ||
        !read_scope(w, value[T_SCOPE], &task) ||
        !oracle_reader_opt_bool(reader, value[T_EARLY], &task.early) ||
        !read_kernels(w, value[T_KERNELS], &w->run->kernels[index]) ||
        !name_task(w, &task, &w->run->kernels[index]) ||
        !oracle_reader_opt_int(reader, value[T_BLOCKS], &task.blocks) ||
        (value[T_BLOCKS] != ORACLE_NONE &&
         !oracle_reader_least(reader, value[T_BLOCKS], task.blocks, 1)) ||
        !oracle_reader_list(reader, value[T_ARGS], &at, &end)) {
        return false;
    }
    if (oracle_reader_absent(reader, value[T_ARGS]) &&
        !record_cut(w, node, "tasks[].args",
                    "a task has no arguments listed")) {
        return false;
    }
    for (; at < end; at = oracle_json_next(reader->json, at)) {
        if (!read_arg(w, at, &task)) {
            return false;
        }
    }
    task.args = reader->document->arg_count - task.first_arg;
    reader->document->tasks[index] = task;
    return true;
}

typedef struct row {
    int64_t id;
    uint32_t node;
} row;

static int by_id(const void *a, const void *b)
{
    int64_t x = ((const row *)a)->id, y = ((const row *)b)->id;
    return (x > y) - (x < y);
}

static bool read_row(record_work *w, uint32_t node, row *to)
{
    static const oracle_fields fields = {"", 1, {ORACLE_FIELD("task_id")}};
    uint32_t value;
    bool lenient = w->reader->lenient;
    w->reader->lenient = true; /* the other fields are looked at later */
    bool read = oracle_reader_fields(w->reader, node, &fields, &value);
    w->reader->lenient = lenient;
    to->node = node;
    return read && oracle_reader_need(w->reader, node, value, "task_id") &&
           oracle_read_task_id(w->reader, value, &to->id);
}

/* One task for each row, with nothing but its id. */
static bool push_tasks(record_work *w, const row *rows, uint32_t count)
{
    static const oracle_text none = {"", 0, false};
    oracle_reader *reader = w->reader;
    for (uint32_t i = 0; i < count; i++) {
        oracle_id_slot *slot = oracle_id_table_slot(&reader->tasks, rows[i].id);
        oracle_task *task = ORACLE_PUSH(reader, tasks, task_count);
        if (slot == NULL || task == NULL) {
            return oracle_reader_memory(reader);
        }
        if (slot->value != ORACLE_NONE) {
            oracle_fault_node(
                reader->error, ORACLE_SCHEMA, reader->json, rows[i].node,
                "has the id of another task, too: %" PRId64, rows[i].id);
            return false;
        }
        slot->value = i;
        *task = (oracle_task){.id = rows[i].id,
                              .blocks = 1,
                              .scope = ORACLE_NONE,
                              .name = none,
                              .core = none,
                              .predicate_buffer = ORACLE_NONE,
                              .predicate_region = ORACLE_NONE};
    }
    return true;
}

/*
 * The rows in the order of submission: by id, where the ids count submissions
 * of one ring (the upper half of an id names it), else as they are listed.
 */
static bool read_tasks(record_work *w, uint32_t list)
{
    oracle_reader *reader = w->reader;
    uint32_t at, end;
    uint32_t count = 0;
    row *rows = NULL;
    bool is_one_ring = true;
    if (!oracle_reader_list(reader, list, &at, &end)) {
        return false;
    }
    for (; at < end; at = oracle_json_next(reader->json, at)) {
        rows = oracle_reader_push(reader, rows, count, sizeof *rows);
        if (reader->error->status != ORACLE_OK ||
            !read_row(w, at, &rows[count])) {
            return false;
        }
        is_one_ring &= rows[count].id >> 32 == rows[0].id >> 32;
        count++;
    }
    if (is_one_ring && count > 1) {
        qsort(rows, count, sizeof *rows, by_id);
    }
    w->run->kernels =
        oracle_arena_array(reader->arena, count, sizeof *w->run->kernels);
    if (w->run->kernels == NULL) {
        return oracle_reader_memory(reader);
    }
    bool ok = push_tasks(w, rows, count);
    for (uint32_t i = 0; ok && i < count; i++) {
        ok = read_task(w, rows[i].node, i);
    }
    return ok;
}

static bool keep_scope(record_work *w)
{
    if (!w->has_manual) {
        return true;
    }
    oracle_scope *scope = ORACLE_PUSH(w->reader, scopes, scope_count);
    if (scope == NULL) {
        return false;
    }
    *scope = (oracle_scope){
        .manual = true, .in_manual = true, .parent = ORACLE_NONE};
    return true;
}

/* --- The whole --- */

static bool read_parts(record_work *w, uint32_t root)
{
    enum { TASKS, TENSORS, EDGES };
    static const oracle_fields fields = {"",
                                         3,
                                         {ORACLE_FIELD("tasks"),
                                          ORACLE_FIELD("tensors"),
                                          ORACLE_FIELD("edges")}};
    uint32_t value[3];
    if (!oracle_reader_fields(w->reader, root, &fields, value)) {
        return false;
    }
    for (uint32_t i = 0; i < 3; i++) {
        char what[40];
        snprintf(what, sizeof what, "it has no list \"%s\"",
                 fields.field[i].name);
        if (oracle_reader_absent(w->reader, value[i]) &&
            !record_cut(w, root, fields.field[i].name, what)) {
            return false;
        }
    }
    return record_read_tensors(w, value[TENSORS]) &&
           read_tasks(w, value[TASKS]) && keep_scope(w) &&
           record_read_edges(w, value[EDGES]) &&
           record_judge_ends(w, value[EDGES] == ORACLE_NONE ? root
                                                            : value[EDGES]) &&
           record_judge_gaps(w, value[TASKS] == ORACLE_NONE ? root
                                                            : value[TASKS]) &&
           record_make_buffers(w) && record_keep_edges(w);
}

bool oracle_read_record(oracle_reader *reader, uint32_t root)
{
    record_work w = {.reader = reader};
    w.run = oracle_arena_alloc(reader->arena, sizeof *w.run);
    reader->document->run = w.run;
    reader->document->rules = ORACLE_RULES_NONE;
    bool ok =
        w.run == NULL ? oracle_reader_memory(reader) : read_parts(&w, root);
    oracle_id_table_free(&w.by_id);
    return ok;
}
