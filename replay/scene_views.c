/* What the tasks of a scene are dispatched with: views that the runtime knows.
 */
#include "scene_work.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "fault.h"
#include "program_work.h"

/* Types by their names, with the numbers that the orchestration knows. */
static const struct {
    const char *name;
    int8_t code, size;
} types[] = {
    {"fp32", 0, 4},   {"float32", 0, 4},  {"fp16", 1, 2},    {"float16", 1, 2},
    {"int32", 2, 4},  {"int16", 3, 2},    {"int8", 4, 1},    {"uint8", 5, 1},
    {"bf16", 6, 2},   {"bfloat16", 6, 2}, {"int64", 7, 8},   {"index", 7, 8},
    {"uint64", 8, 8}, {"uint16", 9, 2},   {"uint32", 10, 4}, {"bool", 11, 1},
};

enum { UINT8_TYPE = 5 };

/* The type of elements of that size; -1: none is that large. */
static int type_of(const oracle_text *name, int64_t size)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (size == types[i].size && strcasecmp(name->data, types[i].name) == 0)
            return types[i].code;
    }
    return size == 1   ? UINT8_TYPE
           : size == 2 ? 9
           : size == 4 ? 10
           : size == 8 ? 8
                       : -1;
}

typedef struct view {
    int64_t elem, base;
    uint32_t dims;
    int64_t count[SCENE_DIMS + 1], stride[SCENE_DIMS + 1]; /* bytes */
} view;

static bool add_way(int64_t *base, int64_t offset, int64_t stride)
{
    int64_t way;
    return !__builtin_mul_overflow(offset, stride, &way) &&
           !__builtin_add_overflow(*base, way, base);
}

/* False: beyond 64 bits. */
static bool read_view(view *v, const scene_work *work, const oracle_region *r)
{
    const int64_t *values = work->program->symbols;
    *v = (view){.elem = r->elem, .dims = r->count};
    bool fits = replay_value_of(&v->base, work->d, r->base, values);
    for (uint32_t i = 0; i < r->count && fits; i++) {
        const oracle_dim *dim = &work->d->dims[r->first + i];
        int64_t offset;
        v->stride[i] = dim->stride;
        fits = replay_value_of(&v->count[i], work->d, dim->count, values) &&
               replay_value_of(&offset, work->d, dim->offset, values) &&
               add_way(&v->base, offset, dim->stride);
    }
    return fits;
}

static void view_of_all(view *v, const scene_work *work, const oracle_arg *arg)
{
    const oracle_buffer *b = &work->d->buffers[arg->buffer];
    int64_t bytes =
        b->has_bytes ? b->bytes : work->extents[b->storage] - b->storage_at;
    int64_t size = 1;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcasecmp(arg->dtype.data, types[i].name) == 0 &&
            bytes % types[i].size == 0) {
            size = types[i].size;
        }
    }
    *v = (view){.elem = size, .dims = 1, .count = {bytes / size}};
    v->stride[0] = size;
}

/* Elements that the runtime has no type for, or whose places are no multiples
 * of their size, become rows of bytes. False: those are too many dimensions. */
static bool make_typed(view *v, int *type, const oracle_text *name)
{
    bool odd = v->base % v->elem != 0;
    *type = type_of(name, v->elem);
    for (uint32_t i = 0; i < v->dims; i++) {
        odd = odd || (v->count[i] > 1 && v->stride[i] % v->elem != 0);
    }
    if (*type >= 0 && !odd) {
        return true;
    }
    if (v->dims == SCENE_DIMS) {
        return false;
    }
    v->count[v->dims] = v->elem;
    v->stride[v->dims++] = 1;
    v->elem = 1;
    *type = UINT8_TYPE;
    return true;
}

/* Why the runtime has no such views; NULL: it has. */
static const char *fault_of(const view *v)
{
    for (uint32_t i = 0; i < v->dims; i++) {
        if (v->count[i] > 1 && v->stride[i] <= 0) {
            return "the runtime has no views that go backwards or on the spot";
        }
        if (v->count[i] > UINT32_MAX || v->stride[i] / v->elem > UINT32_MAX) {
            return "the runtime has no dimensions of more than 32 bits";
        }
    }
    return v->base < 0 ? "a view begins before its buffer" : NULL;
}

static int kind_of(const oracle_arg *arg)
{
    switch (arg->dispatch) {
    case ORACLE_INPUT:
        return SCENE_INPUT;
    case ORACLE_OUTPUT_EXISTING:
        return SCENE_OUTPUT_EXISTING;
    case ORACLE_INOUT:
        return SCENE_INOUT;
    case ORACLE_OUTPUT: /* its memory is ours: it is neither looked up nor
                           registered, and its readers wait for the owner */
    case ORACLE_NO_DEP:
    case ORACLE_UNKNOWN_DISPATCH:
        break;
    }
    return SCENE_NO_DEP;
}

/*
 * Where the document does not say who made a storage, it is whoever last wrote
 * it as `output`: there the runtime allocates. Rules `tensormap` know creators
 * alone, and a scene has to do as they say.
 */
static void own_outputs(scene_work *work, uint32_t task, const oracle_task *t)
{
    const oracle_document *d = work->d;
    for (uint32_t i = 0; i < t->args; i++) {
        const oracle_arg *arg = &d->args[t->first_arg + i];
        if (arg->kind != ORACLE_ARG_SCALAR && arg->dispatch == ORACLE_OUTPUT &&
            d->derived != ORACLE_RULES_TENSORMAP) {
            uint32_t storage = d->buffers[arg->buffer].storage;
            if (d->buffers[storage].creator < 0) {
                work->buffers[storage].owner = task;
            }
        }
    }
}

/* The task that the runtime would have allocated the buffer in; -1: none that
 * was submitted before, or the argument would be memory of its own. */
static int64_t owner_of(const scene_work *work, uint32_t task,
                        const oracle_arg *arg)
{
    uint32_t owner = work->buffers[arg->buffer].owner;
    if (owner == REPLAY_NONE) {
        owner = work->buffers[work->d->buffers[arg->buffer].storage].owner;
    }
    bool own = arg->dispatch == ORACLE_OUTPUT ||
               arg->dispatch == ORACLE_UNKNOWN_DISPATCH;
    return owner < task && !own ? (int64_t)owner : -1;
}

static void emit(scene_work *work, uint32_t task, const oracle_arg *arg,
                 const view *v, int type)
{
    scene_words *out = &work->tensors;
    uint32_t dims = v->dims == 0 ? 1 : v->dims;
    scene_words_add(out, kind_of(arg));
    scene_words_add(out, work->buffers[arg->buffer].storage);
    scene_words_add(out, type);
    scene_words_add(out, v->base / v->elem);
    scene_words_add(out, dims);
    scene_words_add(out, owner_of(work, task, arg));
    scene_words_add(out, arg->manual_dep ||
                             work->d->buffers[arg->buffer].manual_dep);
    for (uint32_t i = 0; i < SCENE_DIMS; i++) {
        int64_t count = i < v->dims ? v->count[i] : i < dims;
        scene_words_add(out, count < 0 ? 0 : count);
    }
    for (uint32_t i = 0; i < SCENE_DIMS; i++) {
        int64_t stride = i < v->dims ? v->stride[i] / v->elem : i < dims;
        scene_words_add(out, i < dims && stride < 1 ? 1 : stride);
    }
}

static replay_status add_tensor(scene_work *work, uint32_t task,
                                const oracle_arg *arg)
{
    const oracle_buffer *b = &work->d->buffers[arg->buffer];
    view v;
    int type;
    if (arg->view == ORACLE_NONE) {
        view_of_all(&v, work, arg);
    } else if (work->d->regions[arg->view].count > SCENE_DIMS) {
        return scene_refuse(work, task,
                            "the runtime has no views of more than 5 "
                            "dimensions");
    } else if (!read_view(&v, work, &work->d->regions[arg->view])) {
        return scene_refuse(work, task, "a view has numbers beyond 64 bits");
    }
    v.base += b->storage_at - work->buffers[arg->buffer].origin;
    if (!make_typed(&v, &type, &arg->dtype)) {
        return scene_refuse(work, task,
                            "the runtime has no views of 5 dimensions of such "
                            "elements");
    }
    const char *fault = fault_of(&v);
    if (fault != NULL) {
        return scene_refuse(work, task, fault);
    }
    emit(work, task, arg, &v, type);
    return work->tensors.failed ? replay_fail_memory(work->error) : REPLAY_OK;
}

static replay_status add_task(scene_work *work, uint32_t index)
{
    const oracle_task *t = &work->d->tasks[work->program->tasks[index].source];
    scene_task *out = &work->tasks[index];
    replay_status status = REPLAY_OK;
    out->first_tensor = work->tensors.count;
    for (uint32_t i = 0; i < t->args && status == REPLAY_OK; i++) {
        const oracle_arg *arg = &work->d->args[t->first_arg + i];
        if (arg->kind == ORACLE_ARG_SCALAR) {
            out->scalars++;
        } else if (++out->tensors <= SCENE_TENSORS) {
            status = add_tensor(work, index, arg);
        }
    }
    if (status == REPLAY_OK && out->tensors > SCENE_TENSORS) {
        status = scene_refuse(work, index,
                              "the runtime has no tasks of more than 32 "
                              "tensors");
    }
    if (status == REPLAY_OK && out->scalars > SCENE_SCALARS) {
        status = scene_refuse(work, index,
                              "the runtime has no tasks of more than 16 "
                              "scalars");
    }
    own_outputs(work, index, t);
    return status;
}

replay_status scene_tensors(scene_work *work)
{
    replay_status status = REPLAY_OK;
    for (uint32_t i = 0; i < work->program->task_count && status == REPLAY_OK;
         i++) {
        status = add_task(work, i);
    }
    return status;
}
