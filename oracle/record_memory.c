/*
 * The memory of a record: tensors that share bytes are one buffer, whatever
 * their ids, versions and base addresses.
 */
#include "record_work.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CANDIDATES 65536

int64_t record_element(const oracle_json *json, uint32_t node)
{
    static const struct {
        const char *type;
        int64_t bytes;
    } elements[] = {
        {"FLOAT32", 4},     {"FLOAT16", 2},     {"BFLOAT16", 2},
        {"FLOAT64", 8},     {"INT8", 1},        {"INT16", 2},
        {"INT32", 4},       {"INT64", 8},       {"UINT8", 1},
        {"UINT16", 2},      {"UINT32", 4},      {"UINT64", 8},
        {"BOOL", 1},        {"FLOAT8_E4M3", 1}, {"FLOAT8_E5M2", 1},
        {"FLOAT8_E8M0", 1}, {"HIFLOAT8", 1},
    };
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        const char *type = elements[i].type;
        if (oracle_json_is(json, node, type, strlen(type))) {
            return elements[i].bytes;
        }
    }
    return 0;
}

static bool too_far(record_work *w, uint32_t node)
{
    oracle_fault_node(w->reader->error, ORACLE_RANGE, w->reader->json, node,
                      "reaches beyond 64-bit addresses");
    return false;
}

/* --- Tensors --- */

static bool read_tensor(record_work *w, uint32_t node)
{
    enum { ID, ADDRESS, VERSION, DTYPE, COUNT };
    static const oracle_fields fields = {
        "tensors[]",
        5,
        {ORACLE_FIELD("tensor_id"), ORACLE_FIELD("buffer_addr"),
         ORACLE_FIELD("version"), ORACLE_FIELD("dtype"),
         ORACLE_FIELD("buffer_numel")}};
    oracle_reader *reader = w->reader;
    uint32_t value[5];
    uint64_t id = 0, count = 0;
    record_tensor tensor = {.buffer = ORACLE_NONE, .version = {"", 0, false}};
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_need(reader, node, value[ID], "tensor_id") ||
        !oracle_reader_need(reader, node, value[ADDRESS], "buffer_addr") ||
        !oracle_reader_need(reader, node, value[DTYPE], "dtype") ||
        !oracle_reader_need(reader, node, value[COUNT], "buffer_numel") ||
        !oracle_read_unsigned(reader, value[ID], &id) ||
        !oracle_read_unsigned(reader, value[ADDRESS], &tensor.address) ||
        !oracle_read_unsigned(reader, value[COUNT], &count) ||
        !oracle_reader_opt_id(reader, value[VERSION], &tensor.version)) {
        return false;
    }
    tensor.elem = record_element(reader->json, value[DTYPE]);
    if (count > INT64_MAX ||
        __builtin_mul_overflow((int64_t)count, tensor.elem, &tensor.high)) {
        return too_far(w, value[COUNT]);
    }
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, tensor.address);
    const oracle_slot *base =
        oracle_reader_keep(reader, digits, strlen(digits));
    oracle_id_slot *slot = oracle_id_table_slot(&w->by_id, (int64_t)id);
    w->tensors =
        oracle_reader_push(reader, w->tensors, w->tensor_count, sizeof tensor);
    if (base == NULL || slot == NULL || reader->error->status != ORACLE_OK) {
        return oracle_reader_memory(reader);
    }
    if (slot->value != ORACLE_NONE) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                          "has the id of another tensor, too: %" PRIu64, id);
        return false;
    }
    slot->value = w->tensor_count;
    tensor.base = (oracle_text){base->data, base->length, true};
    w->tensors[w->tensor_count++] = tensor;
    return true;
}

bool record_read_tensors(record_work *work, uint32_t list)
{
    uint32_t at, end;
    if (!oracle_reader_list(work->reader, list, &at, &end)) {
        return false;
    }
    for (; at < end; at = oracle_json_next(work->reader->json, at)) {
        if (!read_tensor(work, at)) {
            return false;
        }
    }
    return true;
}

bool record_use(record_work *work, uint32_t node, record_tensor *tensor,
                const oracle_region *view)
{
    const oracle_document *d = work->reader->document;
    int64_t low = view->base.c, high = view->base.c;
    for (uint32_t i = 0; i < view->count; i++) {
        const oracle_dim *dim = &d->dims[view->first + i];
        int64_t reach;
        if (dim->count.c == 0) {
            return true; /* it has no bytes */
        }
        if (__builtin_mul_overflow(dim->count.c - 1, dim->stride, &reach) ||
            __builtin_add_overflow(reach < 0 ? low : high, reach,
                                   reach < 0 ? &low : &high)) {
            return too_far(work, node);
        }
    }
    if (__builtin_add_overflow(high, view->elem, &high)) {
        return too_far(work, node);
    }
    tensor->low = low < tensor->low ? low : tensor->low;
    tensor->high = high > tensor->high ? high : tensor->high;
    return true;
}

/* --- Buffers --- */

typedef struct span {
    uint64_t begin, end;
    uint32_t tensor;
} span;

static int by_begin(const void *a, const void *b)
{
    const span *x = a, *y = b;
    return x->begin != y->begin    ? (x->begin < y->begin ? -1 : 1)
           : x->tensor < y->tensor ? -1
                                   : x->tensor > y->tensor;
}

static bool span_of(record_work *w, uint32_t i, span *s)
{
    const record_tensor *t = &w->tensors[i];
    uint64_t below = 0 - (uint64_t)t->low;
    *s = (span){.tensor = i};
    return !__builtin_sub_overflow(t->address, below, &s->begin) &&
           !__builtin_add_overflow(t->address, (uint64_t)t->high, &s->end);
}

/* Who has had each tensor made; a creator edge for each argument says so. */
static void find_creators(record_work *w)
{
    for (uint32_t i = 0; i < w->edge_count; i++) {
        const record_edge *edge = &w->edges[i];
        if (edge->source == RECORD_CREATOR && edge->tensor != ORACLE_NONE) {
            w->tensors[edge->tensor].is_created = true;
            w->tensors[edge->tensor].creator = edge->pred;
        }
    }
}

/* One buffer for the tensors of these spans. */
static bool push_buffer(record_work *w, const span *spans, uint32_t count,
                        uint64_t end)
{
    oracle_reader *reader = w->reader;
    bool is_created = false;
    bool has_bytes = true;
    for (uint32_t i = 0; i < count; i++) {
        is_created |= w->tensors[spans[i].tensor].is_created;
        has_bytes &= w->tensors[spans[i].tensor].elem > 0;
    }
    char key[40];
    snprintf(key, sizeof key, "%s:%" PRIu64, is_created ? "alloc" : "param",
             spans[0].begin);
    const oracle_slot *slot = oracle_reader_keep(reader, key, strlen(key));
    oracle_buffer *buffer = ORACLE_PUSH(reader, buffers, buffer_count);
    if (slot == NULL || buffer == NULL) {
        return false;
    }
    uint32_t index = reader->document->buffer_count - 1;
    *buffer = (oracle_buffer){
        .key = {slot->data, slot->length, true},
        .has_bytes = has_bytes,
        .bytes = has_bytes ? (int64_t)(end - spans[0].begin) : 0,
        .symbol = {"", 0, false},
        .external = !is_created,
        .init = is_created, /* made false where its first writer is known */
        .creator = -1,
        .alias_of = ORACLE_NONE,
        .storage = index,
    };
    for (uint32_t i = 0; i < count; i++) {
        record_tensor *t = &w->tensors[spans[i].tensor];
        t->buffer = index;
        t->at = (int64_t)(t->address - spans[0].begin);
    }
    return true;
}

static bool group(record_work *w, const span *spans, uint32_t root)
{
    for (uint32_t i = 0, next = 0; i < w->tensor_count; i = next) {
        uint64_t end = spans[i].end;
        for (next = i + 1;
             next < w->tensor_count &&
             (spans[next].begin < end || spans[next].begin == spans[i].begin);
             next++) {
            end = spans[next].end > end ? spans[next].end : end;
        }
        if (end - spans[i].begin > INT64_MAX) {
            return too_far(w, root);
        }
        if (!push_buffer(w, spans + i, next - i, end)) {
            return false;
        }
    }
    return true;
}

static bool make_groups(record_work *w)
{
    span *spans =
        oracle_arena_array(w->reader->arena, w->tensor_count, sizeof *spans);
    if (spans == NULL) {
        return oracle_reader_memory(w->reader);
    }
    for (uint32_t i = 0; i < w->tensor_count; i++) {
        if (!span_of(w, i, &spans[i])) {
            return too_far(w, 0);
        }
    }
    if (w->tensor_count > 1) {
        qsort(spans, w->tensor_count, sizeof *spans, by_begin);
    }
    find_creators(w);
    return group(w, spans, 0);
}

/* --- Arguments --- */

/* From the tensor of an argument to its buffer. */
static void place(record_work *w, oracle_arg *arg)
{
    const record_tensor *tensor = &w->tensors[arg->buffer];
    arg->buffer = tensor->buffer;
    if (arg->view != ORACLE_NONE) {
        /* Within the span of the buffer, which was checked. */
        w->reader->document->regions[arg->view].base.c += tensor->at;
    }
}

static bool keep_owner(record_work *w, int64_t id, oracle_arg *arg)
{
    char digits[24];
    oracle_identity identity = oracle_arg_identity(arg);
    snprintf(digits, sizeof digits, "%" PRId64, id);
    const oracle_slot *slot =
        oracle_reader_keep(w->reader, digits, strlen(digits));
    if (slot == NULL) {
        return false;
    }
    identity.owner = (oracle_text){slot->data, slot->length, true};
    return oracle_reader_identity(w->reader, arg, identity);
}

/*
 * Who may be the tensor of an OUTPUT that no creator edge names: what is read
 * before anybody writes it, by a task behind this one, and was made by nobody.
 */
static bool list_candidates(record_work *w, uint32_t task,
                            oracle_buffer *buffer)
{
    oracle_reader *reader = w->reader;
    buffer->first_may_alias = reader->document->may_alias_count;
    for (uint32_t i = w->reader_count; i > 0; i--) {
        const record_reader *first = &w->readers[i - 1];
        if (first->task <= task) {
            break;
        }
        if (reader->document->may_alias_count == MOST_CANDIDATES) {
            w->run->is_cut = true;
            return oracle_record_missing(
                reader, 0, "tasks[].args[].tensor_id",
                "too many OUTPUT arguments have no creator edge that names "
                "their tensor: what they write is not known");
        }
        uint32_t *kept = ORACLE_PUSH(reader, may_aliases, may_alias_count);
        if (kept == NULL) {
            return false;
        }
        *kept = first->buffer;
        buffer->may_alias++;
    }
    return true;
}

/* Of each buffer that nobody made the task that uses it first, if it reads. */
static bool find_first_readers(record_work *w)
{
    const oracle_document *d = w->reader->document;
    w->readers = oracle_arena_array(w->reader->arena, d->buffer_count,
                                    sizeof *w->readers);
    bool *is_used = oracle_arena_alloc(w->reader->arena, d->buffer_count);
    if (w->readers == NULL || is_used == NULL) {
        return oracle_reader_memory(w->reader);
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        for (uint32_t a = 0; a < d->tasks[t].args; a++) {
            const oracle_arg *arg = &d->args[d->tasks[t].first_arg + a];
            if (arg->kind != ORACLE_ARG_BUFFER || arg->buffer == ORACLE_NONE ||
                is_used[arg->buffer]) {
                continue;
            }
            is_used[arg->buffer] = true;
            if (d->buffers[arg->buffer].external &&
                arg->dispatch != ORACLE_OUTPUT_EXISTING) {
                w->readers[w->reader_count++] =
                    (record_reader){.task = t, .buffer = arg->buffer};
            }
        }
    }
    return true;
}

/* A new tensor that no creator edge names. */
static bool place_unnamed(record_work *w, const oracle_task *task,
                          oracle_arg *arg)
{
    oracle_reader *reader = w->reader;
    char key[64];
    snprintf(key, sizeof key, "alloc:%" PRId64 ".%u", task->id,
             (unsigned)(arg - &reader->document->args[task->first_arg]));
    const oracle_slot *slot = oracle_reader_keep(reader, key, strlen(key));
    oracle_buffer *buffer = ORACLE_PUSH(reader, buffers, buffer_count);
    if (slot == NULL || buffer == NULL) {
        return false;
    }
    arg->buffer = reader->document->buffer_count - 1;
    *buffer = (oracle_buffer){.key = {slot->data, slot->length, true},
                              .symbol = {"", 0, false},
                              .creator = -1,
                              .alias_of = ORACLE_NONE,
                              .storage = arg->buffer};
    return list_candidates(w, (uint32_t)(task - reader->document->tasks),
                           buffer);
}

static bool add_write(record_work *w, oracle_arg *arg)
{
    oracle_access *access = ORACLE_PUSH(w->reader, accesses, access_count);
    if (access == NULL) {
        return false;
    }
    *access = (oracle_access){.mode = ORACLE_WRITE,
                              .must = true,
                              .exact = true,
                              .region = ORACLE_NONE};
    arg->has_access = true;
    arg->first_access = w->reader->document->access_count - 1;
    arg->accesses = 1;
    return true;
}

/* Of the buffers that arguments of the task name. */
static void set_named(const record_work *w, const oracle_task *task,
                      bool *named, bool value)
{
    for (uint32_t a = 0; a < task->args; a++) {
        const oracle_arg *arg = &w->reader->document->args[task->first_arg + a];
        if (arg->kind == ORACLE_ARG_BUFFER && arg->buffer != ORACLE_NONE) {
            named[arg->buffer] = value;
        }
    }
}

/*
 * How many of the buffers that a task has made nothing of it names. Who made a
 * tensor that is passed to it is its creator by declaration: so it is in a
 * scene for the real simulator.
 */
static uint32_t missing(const record_work *w, const oracle_task *task,
                        const uint32_t *made, uint32_t count, bool *named)
{
    uint32_t found = 0;
    set_named(w, task, named, true);
    for (uint32_t i = 0; i < count; i++) {
        found += named[made[i]];
    }
    set_named(w, task, named, false);
    return count - found;
}

/*
 * The OUTPUT arguments of a task get the buffers that it has made, in the
 * order of their addresses; which is which the record does not say, and all
 * of them are written as a whole.
 */
static bool place_outputs(record_work *w, const oracle_task *task,
                          const uint32_t *made, uint32_t count, bool *named)
{
    oracle_document *d = w->reader->document;
    uint32_t used = 0;
    for (uint32_t a = 0; a < task->args; a++) {
        oracle_arg *arg = &d->args[task->first_arg + a];
        if (arg->kind != ORACLE_ARG_BUFFER || arg->buffer != ORACLE_NONE) {
            continue;
        }
        if (arg->dispatch != ORACLE_OUTPUT) {
            arg->kind = ORACLE_ARG_SCALAR; /* its tensor is missing */
            continue;
        }
        if (!add_write(w, arg) || !keep_owner(w, task->id, arg)) {
            return false;
        }
        if (used < count) {
            arg->buffer = made[used++];
            d->buffers[arg->buffer].init = false;
        } else if (!place_unnamed(w, task, arg)) {
            return false;
        }
    }
    if (used < count &&
        missing(w, task, made + used, count - used, named) > 0) {
        w->run->is_cut = true;
        return oracle_record_missing(
            w->reader, 0, "tasks[].args",
            "the record is cut short: task %" PRId64
            " has made more tensors than it has OUTPUT arguments; record the "
            "run again",
            task->id);
    }
    return true;
}

static int by_index(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The buffers that the edges [first, end) of one producer say it has made. */
static uint32_t made_by(const record_work *w, uint32_t first, uint32_t end,
                        uint32_t *made)
{
    uint32_t count = 0, kept = 0;
    for (uint32_t i = first; i < end; i++) {
        const record_edge *edge = &w->edges[i];
        if (edge->source == RECORD_CREATOR && edge->tensor != ORACLE_NONE) {
            made[count++] = w->tensors[edge->tensor].buffer;
        }
    }
    if (count > 1) {
        qsort(made, count, sizeof *made, by_index);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || made[kept - 1] != made[i]) {
            made[kept++] = made[i];
        }
    }
    return kept;
}

static bool place_all_outputs(record_work *w)
{
    oracle_document *d = w->reader->document;
    uint32_t *first =
        oracle_arena_array(w->reader->arena, d->task_count, sizeof *first);
    uint32_t *made =
        oracle_arena_array(w->reader->arena, w->edge_count, sizeof *made);
    bool *named = oracle_arena_alloc(w->reader->arena, d->buffer_count);
    if (first == NULL || made == NULL || named == NULL) {
        return oracle_reader_memory(w->reader);
    }
    for (uint32_t i = w->edge_count; i > 0; i--) {
        if (w->edges[i - 1].from != ORACLE_NONE) {
            first[w->edges[i - 1].from] = i;
        }
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        uint32_t from = first[t] == 0 ? 0 : first[t] - 1, end = from;
        while (first[t] != 0 && end < w->edge_count &&
               w->edges[end].from == t) {
            end++;
        }
        uint32_t count = made_by(w, from, end, made);
        if (!place_outputs(w, &d->tasks[t], made, count, named)) {
            return false;
        }
    }
    return true;
}

/* --- What cannot be said of shared or unwritten memory --- */

/*
 * Memory that two tasks had made is used again within the run; what keeps the
 * two uses apart is not recorded, so their accesses may meet or not.
 */
static bool loosen(record_work *w)
{
    oracle_document *d = w->reader->document;
    bool *is_shared = oracle_arena_alloc(w->reader->arena, d->buffer_count);
    uint32_t *owner =
        oracle_arena_array(w->reader->arena, d->buffer_count, sizeof *owner);
    if (is_shared == NULL || owner == NULL) {
        return oracle_reader_memory(w->reader);
    }
    for (uint32_t i = 0; i < w->tensor_count; i++) {
        const record_tensor *t = &w->tensors[i];
        if (!t->is_created) {
            continue;
        }
        uint32_t other = owner[t->buffer];
        is_shared[t->buffer] |=
            other != 0 && w->tensors[other - 1].creator != t->creator;
        owner[t->buffer] = i + 1;
        d->buffers[t->buffer].init |= is_shared[t->buffer];
    }
    for (uint32_t a = 0; a < d->arg_count; a++) {
        oracle_arg *arg = &d->args[a];
        bool is_open = arg->kind == ORACLE_ARG_BUFFER && arg->has_access &&
                       is_shared[arg->buffer];
        for (uint32_t i = 0; is_open && i < arg->accesses; i++) {
            d->accesses[arg->first_access + i].exact = false;
            d->accesses[arg->first_access + i].must = false;
        }
    }
    return true;
}

/*
 * A tensor that some task without a row has made, and that is read before any
 * row writes it: either that row is missing, or the read finds nothing.
 */
static bool look_for_writers(record_work *w)
{
    oracle_document *d = w->reader->document;
    bool *is_written = oracle_arena_alloc(w->reader->arena, d->buffer_count);
    if (is_written == NULL) {
        return oracle_reader_memory(w->reader);
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        if (d->tasks[t].args == 0) {
            continue;
        }
        const oracle_arg *args = &d->args[d->tasks[t].first_arg];
        for (uint32_t a = 0; a < d->tasks[t].args; a++) {
            uint32_t b = args[a].buffer;
            if (args[a].kind != ORACLE_ARG_BUFFER ||
                args[a].dispatch != ORACLE_INPUT || is_written[b] ||
                !d->buffers[b].init) {
                continue;
            }
            is_written[b] = true;
            if (!oracle_record_missing(
                    w->reader, 0, "tasks",
                    "task %" PRId64 " reads a tensor that no row writes and "
                    "that a task without a row has made: either that row is "
                    "missing and the record is cut short, or nothing was "
                    "written there",
                    d->tasks[t].id)) {
                return false;
            }
        }
        for (uint32_t a = 0; a < d->tasks[t].args; a++) {
            if (args[a].kind == ORACLE_ARG_BUFFER &&
                args[a].dispatch != ORACLE_INPUT) {
                is_written[args[a].buffer] = true;
            }
        }
    }
    return true;
}

bool record_make_buffers(record_work *work)
{
    oracle_document *d = work->reader->document;
    if (!make_groups(work)) {
        return false;
    }
    for (uint32_t a = 0; a < d->arg_count; a++) {
        if (d->args[a].kind == ORACLE_ARG_BUFFER &&
            d->args[a].buffer != ORACLE_NONE) {
            place(work, &d->args[a]);
        }
    }
    return find_first_readers(work) && place_all_outputs(work) &&
           loosen(work) && look_for_writers(work);
}
