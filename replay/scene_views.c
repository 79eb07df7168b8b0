/* What the tasks of a scene are dispatched with, and what they touch. */
#include "scene_work.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "fault.h"

/* --- Views --- */

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

static replay_status refuse(scene_work *work, uint32_t task, const char *what)
{
    int64_t id = scene_task_id(work, task);
    return replay_fail(work->error, REPLAY_UNSUPPORTED, id,
                       "task %lld: the runtime has no %s", (long long)id, what);
}

static replay_status read_view(view *v, scene_work *work, uint32_t task,
                               const oracle_region *r)
{
    int64_t way;
    if (r->count > SCENE_DIMS) {
        return refuse(work, task, "views of more than 5 dimensions");
    }
    *v = (view){.elem = r->elem, .dims = r->count};
    replay_status status = scene_value(&v->base, work, &r->base);
    for (uint32_t i = 0; i < r->count && status == REPLAY_OK; i++) {
        const oracle_dim *dim = &work->document->dims[r->first + i];
        int64_t offset;
        v->stride[i] = dim->stride;
        status = scene_value(&v->count[i], work, &dim->count);
        if (status == REPLAY_OK) {
            status = scene_value(&offset, work, &dim->offset);
        }
        if (status == REPLAY_OK &&
            (__builtin_mul_overflow(offset, dim->stride, &way) ||
             __builtin_add_overflow(v->base, way, &v->base))) {
            status = replay_fail(work->error, REPLAY_RANGE, -1,
                                 "a view has numbers beyond 64 bits");
        }
    }
    return status;
}

static void view_of_all(view *v, const scene_work *work, const oracle_arg *arg)
{
    int64_t bytes = work->extents[arg->buffer];
    int64_t size = 1;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcasecmp(arg->dtype.data, types[i].name) == 0 &&
            bytes % types[i].size == 0)
            size = types[i].size;
    }
    *v = (view){.elem = size, .dims = 1};
    v->count[0] = bytes / size;
    v->stride[0] = size;
}

/* Elements that the runtime has no type for, or whose places are no multiples
 * of their size, become rows of bytes. */
static replay_status make_typed(view *v, int *type, scene_work *work,
                                uint32_t task, const oracle_text *name)
{
    bool odd = v->base % v->elem != 0;
    *type = type_of(name, v->elem);
    for (uint32_t i = 0; i < v->dims; i++) {
        odd = odd || (v->count[i] > 1 && v->stride[i] % v->elem != 0);
    }
    if (*type >= 0 && !odd) {
        return REPLAY_OK;
    }
    if (v->dims == SCENE_DIMS) {
        return refuse(work, task, "views of 5 dimensions of such elements");
    }
    v->count[v->dims] = v->elem;
    v->stride[v->dims++] = 1;
    v->elem = 1;
    *type = UINT8_TYPE;
    return REPLAY_OK;
}

static replay_status check_view(scene_work *work, uint32_t task, const view *v,
                                int64_t shift)
{
    for (uint32_t i = 0; i < v->dims; i++) {
        if (v->count[i] > 1 && v->stride[i] <= 0) {
            return refuse(work, task, "views that go backwards or on the spot");
        }
        if (v->count[i] > UINT32_MAX || v->stride[i] / v->elem > UINT32_MAX) {
            return refuse(work, task, "dimensions of more than 32 bits");
        }
    }
    if (v->base + shift < 0) {
        return refuse(work, task, "views that begin before their buffer");
    }
    return REPLAY_OK;
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

/* The task that the runtime would have allocated the buffer in; -1: none that
 * was submitted before. */
static int64_t owner_of(const scene_work *work, uint32_t task, uint32_t buffer)
{
    uint32_t owner = work->owners[buffer];
    return owner < task ? (int64_t)owner : -1;
}

static replay_status emit_tensor(scene_work *work, uint32_t task,
                                 const oracle_arg *arg, const view *v, int type)
{
    int64_t shift = work->shifts[arg->buffer];
    scene_words *out = &work->tensors;
    uint32_t dims = v->dims == 0 ? 1 : v->dims;
    bool manual =
        arg->manual_dep || work->document->buffers[arg->buffer].manual_dep;
    scene_words_add(out, kind_of(arg));
    scene_words_add(out, work->storages[arg->buffer]);
    scene_words_add(out, type);
    scene_words_add(out, (v->base + shift) / v->elem);
    scene_words_add(out, dims);
    scene_words_add(out, owner_of(work, task, arg->buffer));
    scene_words_add(out, manual);
    for (uint32_t i = 0; i < SCENE_DIMS; i++) {
        scene_words_add(out, i < v->dims ? v->count[i] < 0 ? 0 : v->count[i]
                             : i < dims ? 1
                                         : 0);
    }
    for (uint32_t i = 0; i < SCENE_DIMS; i++) {
        int64_t stride = i < v->dims ? v->stride[i] / v->elem : 1;
        scene_words_add(out, i < dims ? stride < 1 ? 1 : stride : 0);
    }
    return out->failed ? replay_fail_memory(work->error) : REPLAY_OK;
}

static replay_status add_tensor(scene_work *work, uint32_t task,
                                const oracle_arg *arg)
{
    view v;
    int type;
    replay_status status = REPLAY_OK;
    int64_t shift = work->shifts[arg->buffer];
    if (arg->view == ORACLE_NONE) {
        view_of_all(&v, work, arg);
    } else {
        status = read_view(&v, work, task, &work->document->regions[arg->view]);
    }
    if (status == REPLAY_OK) {
        v.base += shift;
        status = make_typed(&v, &type, work, task, &arg->dtype);
        v.base -= shift;
    }
    if (status == REPLAY_OK) {
        status = check_view(work, task, &v, shift);
    }
    return status == REPLAY_OK ? emit_tensor(work, task, arg, &v, type)
                               : status;
}

replay_status scene_tensors(scene_work *work, uint32_t task)
{
    const oracle_task *t = &work->document->tasks[task];
    scene_task *out = &work->tasks[task];
    uint32_t scalars = 0;
    replay_status status = REPLAY_OK;
    out->tensors = work->tensors.count;
    for (uint32_t i = 0; i < t->args && status == REPLAY_OK; i++) {
        const oracle_arg *arg = &work->document->args[t->first_arg + i];
        if (arg->kind == ORACLE_ARG_SCALAR) {
            scalars++;
        } else if (++out->tensor_count <= SCENE_TENSORS) {
            status = add_tensor(work, task, arg);
        }
    }
    if (status == REPLAY_OK && out->tensor_count > SCENE_TENSORS) {
        status = refuse(work, task, "tasks of more than 32 tensors");
    }
    if (status == REPLAY_OK && scalars > SCENE_SCALARS) {
        status = refuse(work, task, "tasks of more than 16 scalars");
    }
    return status;
}

/* --- Accesses --- */

static scene_access *new_access(scene_work *work)
{
    if (work->access_count == work->access_room) {
        size_t room = work->access_room == 0 ? 64 : work->access_room * 2;
        scene_access *more =
            realloc(work->accesses, room * sizeof *work->accesses);
        if (more == NULL) {
            return NULL;
        }
        work->accesses = more;
        work->access_room = room;
    }
    return &work->accesses[work->access_count++];
}

static replay_status out_of_buffer(scene_work *work, uint32_t task,
                                   uint32_t buffer)
{
    int64_t id = scene_task_id(work, task);
    return replay_fail(work->error, REPLAY_UNSUPPORTED, id,
                       "task %lld touches bytes outside of the buffer %.100s",
                       (long long)id, work->document->buffers[buffer].key.data);
}

static replay_status add_box(scene_work *work, uint32_t task, uint32_t buffer,
                             int mode, const scene_box *box)
{
    int64_t shift = work->shifts[buffer];
    uint32_t storage = work->storages[buffer];
    if (box->empty) {
        return REPLAY_OK;
    }
    if (box->base + shift < 0 ||
        box->end > work->storage[storage].bytes - shift) {
        return out_of_buffer(work, task, buffer);
    }
    scene_access *a = new_access(work);
    if (a == NULL || work->dims.count > UINT32_MAX - 2 * SCENE_ACCESS_DIMS) {
        return replay_fail_memory(work->error);
    }
    *a = (scene_access){.mode = (uint8_t)mode,
                        .buffer = buffer,
                        .storage = storage,
                        .first_dim = (uint32_t)work->dims.count,
                        .dims = box->dims,
                        .base = box->base + shift,
                        .run = box->run};
    for (uint32_t i = 0; i < box->dims; i++) {
        scene_words_add(&work->dims, box->count[i]);
        scene_words_add(&work->dims, box->stride[i]);
    }
    return work->dims.failed ? replay_fail_memory(work->error) : REPLAY_OK;
}

static void use(scene_work *work, const oracle_affine *affine)
{
    for (uint32_t i = 0; i < affine->count; i++) {
        work->used[work->document->terms[affine->first + i].symbol] = true;
    }
}

/* Which symbols a region's bytes follow from, in work->used. */
static void use_region(scene_work *work, uint32_t region)
{
    const oracle_document *d = work->document;
    const oracle_region *r = &d->regions[region];
    memset(work->used, 0, d->symbol_count);
    use(work, &r->base);
    for (uint32_t i = 0; i < r->count; i++) {
        use(work, &d->dims[r->first + i].count);
        use(work, &d->dims[r->first + i].offset);
    }
    for (uint32_t i = d->symbol_count; i-- > 0;) {
        if (work->used[i]) { /* they follow from symbols before them */
            use(work, &d->symbols[i].left);
            use(work, &d->symbols[i].right);
        }
    }
}

/* The next values of the block symbols in use; false: those were all. */
static bool next_block(scene_work *work)
{
    const oracle_document *d = work->document;
    for (uint32_t i = 0; i < d->symbol_count; i++) {
        if (!d->symbols[i].block || !work->used[i]) {
            continue;
        }
        if (work->values[i] < d->symbols[i].max) {
            work->values[i]++;
            return true;
        }
        work->values[i] = 0;
    }
    return false;
}

static replay_status add_place(scene_work *work, uint32_t task, uint32_t buffer,
                               uint32_t region, int mode)
{
    scene_box box;
    bool more = region != ORACLE_NONE && scene_by_block(work, region);
    replay_status status;
    if (!more) {
        status = scene_box_make(&box, work, buffer, region);
        return status == REPLAY_OK ? add_box(work, task, buffer, mode, &box)
                                   : status;
    }
    use_region(work, region);
    do {
        status = scene_symbols_follow(work);
        if (status == REPLAY_OK) {
            status = scene_box_make(&box, work, buffer, region);
        }
        if (status == REPLAY_OK) {
            status = add_box(work, task, buffer, mode, &box);
        }
        more = next_block(work);
    } while (more && status == REPLAY_OK);
    return status == REPLAY_OK ? scene_symbols_follow(work) : status;
}

/* Reads first, then writes, each in the order of the arguments. */
static replay_status add_arg(scene_work *work, uint32_t task,
                             const oracle_arg *arg, bool reads)
{
    const oracle_document *d = work->document;
    replay_status status = REPLAY_OK;
    for (uint32_t i = 0; i < arg->accesses && status == REPLAY_OK; i++) {
        const oracle_access *a = &d->accesses[arg->first_access + i];
        bool wanted =
            a->mode == ORACLE_READ_WRITE || (a->mode == ORACLE_READ) == reads;
        int mode = reads                          ? SCENE_READ
                   : a->mode == ORACLE_ACCUMULATE ? SCENE_ACCUMULATE
                                                  : SCENE_WRITE;
        if (!a->exact) {
            work->scene->left_out += reads;
        } else if (wanted) {
            status = add_place(work, task, arg->buffer,
                               oracle_access_place(arg, a).region, mode);
        }
    }
    work->scene->left_out += reads && !arg->has_access;
    return status;
}

static replay_status add_predicate(scene_work *work, uint32_t task)
{
    static const char *const ops[] = {"", "==", "!=", ">", "<", ">=", "<="};
    const oracle_task *t = &work->document->tasks[task];
    scene_predicate *p = &work->tasks[task].predicate;
    scene_box box;
    if (!t->has_predicate || !t->predicate_formed ||
        t->predicate_test == NULL) {
        return REPLAY_OK;
    }
    replay_status status =
        scene_box_make(&box, work, t->predicate_buffer, t->predicate_region);
    bool one = box.dims == 0 && !box.empty &&
               (box.run == 1 || box.run == 2 || box.run == 4 || box.run == 8);
    for (int i = 1; status == REPLAY_OK && one && i < 7; i++) {
        if (strcmp(t->predicate_test->op.data, ops[i]) == 0) {
            p->op = i;
        }
    }
    if (status != REPLAY_OK || p->op == 0) {
        return status;
    }
    p->storage = work->storages[t->predicate_buffer];
    p->byte = box.base + work->shifts[t->predicate_buffer];
    p->size = box.run;
    p->value = t->predicate_test->value;
    return p->byte < 0 || p->byte > work->storage[p->storage].bytes - p->size
               ? out_of_buffer(work, task, t->predicate_buffer)
               : REPLAY_OK;
}

replay_status scene_accesses(scene_work *work, uint32_t task)
{
    const oracle_task *t = &work->document->tasks[task];
    scene_task *out = &work->tasks[task];
    replay_status status = add_predicate(work, task);
    out->first_access = (uint32_t)work->access_count;
    for (int pass = 0; pass < 2 && !t->dummy; pass++) {
        for (uint32_t i = 0; i < t->args && status == REPLAY_OK; i++) {
            const oracle_arg *arg = &work->document->args[t->first_arg + i];
            if (arg->kind == ORACLE_ARG_BUFFER) {
                status = add_arg(work, task, arg, pass == 0);
            }
        }
    }
    if (work->access_count >= UINT32_MAX) {
        return replay_fail_memory(work->error);
    }
    out->accesses = (uint32_t)work->access_count - out->first_access;
    return status;
}
