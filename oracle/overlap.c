#include "overlap.h"

#include "region.h"

#include <string.h>

typedef enum shape {
    SHAPE_NONE,
    SHAPE_WHOLE, /* of a buffer without a size */
    SHAPE_SYMBOLIC,
    SHAPE_STRIDED,
    SHAPE_RUN /* bytes [begin, end) of the storage */
} shape;

typedef struct extent {
    shape shape;
    uint32_t buffer;
    int64_t begin, end;
} extent;

/* --- What an end touches --- */

static bool reads(const oracle_access *access)
{
    return access->mode == ORACLE_READ || access->mode == ORACLE_READ_WRITE;
}

/* The first access of the wanted kind, else the first of all. */
static oracle_place place_of_arg(const oracle_document *d,
                                 const oracle_arg *arg, bool reader)
{
    uint32_t chosen = 0;
    if (!arg->has_access || arg->accesses == 0) {
        return (oracle_place){arg->buffer, arg->view};
    }
    for (uint32_t i = arg->accesses; i > 0; i--) {
        const oracle_access *access = &d->accesses[arg->first_access + i - 1];
        bool fits = reader ? reads(access) : access->mode != ORACLE_READ;
        chosen = fits ? i - 1 : chosen;
    }
    return oracle_access_place(arg, &d->accesses[arg->first_access + chosen]);
}

static bool place_of_end(oracle_place *place, const oracle_document *d,
                         const oracle_end *end, bool reader)
{
    if (end->task == ORACLE_NONE) {
        return false;
    }
    const oracle_task *task = &d->tasks[end->task];
    if (end->operand && task->has_predicate) {
        *place = (oracle_place){task->predicate_buffer, task->predicate_region};
        return true;
    }
    if (end->arg == ORACLE_NONE) {
        return false;
    }
    const oracle_arg *arg = &d->args[task->first_arg + end->arg];
    if (arg->kind != ORACLE_ARG_BUFFER) {
        return false;
    }
    *place = place_of_arg(d, arg, reader);
    return true;
}

/* --- Where that lies --- */

/* A constant box without gaps is one run of bytes. */
static bool run_of_box(extent *e, const oracle_box *box)
{
    __int128 length = 1;
    for (uint32_t i = box->count; i > 0; i--) {
        const oracle_box_dim *dim = &box->dim[i - 1];
        if (dim->count.c == 1) {
            continue;
        }
        if (dim->stride != length) {
            return false;
        }
        length *= dim->count.c;
    }
    e->begin = box->base.c;
    return length <= INT64_MAX &&
           !__builtin_add_overflow(e->begin, (int64_t)length, &e->end);
}

static extent extent_of(const oracle_document *d, oracle_place place)
{
    oracle_frame frame = {.document = d};
    oracle_box box;
    extent e = {.shape = SHAPE_SYMBOLIC, .buffer = place.buffer};
    oracle_made made = oracle_box_make(&frame, 0, place, &box);
    if (made == ORACLE_MADE_WHOLE) {
        e.shape = SHAPE_WHOLE;
    } else if (made == ORACLE_MADE && !box.empty && oracle_box_constant(&box)) {
        e.shape = run_of_box(&e, &box) ? SHAPE_RUN : SHAPE_STRIDED;
    }
    return e;
}

static const oracle_allocation *find_allocation(const oracle_document *d,
                                                uint32_t buffer)
{
    for (uint32_t i = 0; i < d->allocation_count; i++) {
        if (d->allocations[i].buffer == buffer) {
            return &d->allocations[i];
        }
    }
    return NULL;
}

/* From bytes of the storage to addresses; false: it has none. */
static bool to_addresses(extent *e, const oracle_document *d)
{
    uint32_t root = d->buffers[e->buffer].storage;
    const oracle_allocation *a = find_allocation(d, e->buffer);
    int64_t at = d->buffers[e->buffer].storage_at;
    if (a == NULL) {
        a = find_allocation(d, root);
        at = 0;
    }
    return a != NULL && !__builtin_sub_overflow(e->begin, at, &e->begin) &&
           !__builtin_sub_overflow(e->end, at, &e->end) &&
           !__builtin_add_overflow(e->begin, a->offset, &e->begin) &&
           !__builtin_add_overflow(e->end, a->offset, &e->end);
}

/* --- Towards each other --- */

static const char *class_of_runs(const extent *a, const extent *b)
{
    return a->begin == b->begin && a->end == b->end   ? "same"
           : a->end <= b->begin || b->end <= a->begin ? "apart"
           : a->begin <= b->begin && b->end <= a->end ? "inside"
           : b->begin <= a->begin && a->end <= b->end ? "around"
                                                      : "partial";
}

static const char *class_of(extent *a, extent *b, const oracle_document *d)
{
    bool one = d->buffers[a->buffer].storage == d->buffers[b->buffer].storage;
    if (one && a->buffer == b->buffer && a->shape == SHAPE_WHOLE &&
        b->shape == SHAPE_WHOLE) {
        return "same";
    }
    if (a->shape == SHAPE_SYMBOLIC || b->shape == SHAPE_SYMBOLIC) {
        return "symbolic";
    }
    if (one && a->buffer == b->buffer &&
        (a->shape == SHAPE_WHOLE || b->shape == SHAPE_WHOLE)) {
        return a->shape == SHAPE_WHOLE ? "inside" : "around";
    }
    if (a->shape == SHAPE_WHOLE || b->shape == SHAPE_WHOLE) {
        return "unknown";
    }
    if (a->shape == SHAPE_STRIDED || b->shape == SHAPE_STRIDED) {
        return "strided";
    }
    if (!one && (!to_addresses(a, d) || !to_addresses(b, d))) {
        return "none";
    }
    return class_of_runs(a, b);
}

const char *oracle_overlap_class(const oracle_record *record,
                                 const oracle_document *document)
{
    oracle_place first, second;
    bool read_first = strcmp(record->rule, "hazard.war") == 0;
    bool read_second = strcmp(record->rule, "hazard.raw") == 0 ||
                       strcmp(record->rule, "predicate.stale") == 0;
    if (document == NULL ||
        !place_of_end(&first, document, &record->producer, read_first) ||
        !place_of_end(&second, document, &record->consumer, read_second)) {
        return "none";
    }
    extent a = extent_of(document, first), b = extent_of(document, second);
    return class_of(&a, &b, document);
}
