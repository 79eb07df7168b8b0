#include "region.h"

oracle_place oracle_access_place(const oracle_arg *arg,
                                 const oracle_access *access)
{
    uint32_t region = access == NULL ? ORACLE_NONE : access->region;
    return (oracle_place){arg->buffer,
                          region == ORACLE_NONE ? arg->view : region};
}

/* Appends a dimension; the count of its last byte is at least 1 or empty. */
static bool add_dim(oracle_box *box, int64_t stride, const oracle_form *count)
{
    if (oracle_form_is_constant(count)) {
        box->empty |= count->c <= 0;
        if (count->c == 1 || stride == 0) {
            return true;
        }
    } else {
        if (box->conditions == ORACLE_MAX_DIMS) {
            return false;
        }
        oracle_form *condition = &box->condition[box->conditions++];
        *condition = *count;
        if (!oracle_form_add_constant(condition, -1)) {
            return false;
        }
    }
    if (stride == 0) {
        return true;
    }
    if (box->count == ORACLE_MAX_DIMS) {
        return false;
    }
    uint32_t at = box->count++;
    while (at > 0 && box->dim[at - 1].stride < stride) {
        box->dim[at] = box->dim[at - 1];
        at--;
    }
    box->dim[at] = (oracle_box_dim){stride, *count};
    return true;
}

static bool make_dim(oracle_frame *frame, uint32_t side, const oracle_dim *dim,
                     oracle_box *box)
{
    oracle_form count;
    oracle_form offset;
    int64_t stride = dim->stride;
    if (!oracle_form_make(frame, side, &dim->count, &count) ||
        !oracle_form_make(frame, side, &dim->offset, &offset) ||
        !oracle_form_add(&box->base, &offset, stride)) {
        return false;
    }
    if (stride < 0) {
        if (stride == INT64_MIN ||
            !oracle_form_add(&box->base, &count, stride) ||
            !oracle_form_add_constant(&box->base, -stride)) {
            return false;
        }
        stride = -stride;
    }
    return add_dim(box, stride, &count);
}

/*
 * Every block of a task happens: a block symbol that only moves the base is
 * one more dimension.
 */
static bool spread_blocks(oracle_frame *frame, uint32_t side, oracle_box *box)
{
    for (uint32_t i = 0; i < frame->count; i++) {
        const oracle_variable *v = &frame->variable[i];
        int64_t coef = box->base.coef[i];
        bool counted = false;
        for (uint32_t d = 0; d < box->count; d++) {
            counted |= box->dim[d].count.coef[i] != 0;
        }
        for (uint32_t d = 0; d < box->conditions; d++) {
            counted |= box->condition[d].coef[i] != 0;
        }
        if (!v->block || v->side != side || coef == 0 || counted ||
            !v->has_lo || !v->has_hi || v->hi == INT64_MAX ||
            coef == INT64_MIN) {
            continue;
        }
        oracle_form values = oracle_form_constant(v->hi + 1);
        int64_t back;
        if (coef < 0 && (__builtin_mul_overflow(coef, v->hi, &back) ||
                         !oracle_form_add_constant(&box->base, back))) {
            return false;
        }
        box->base.coef[i] = 0;
        if (!add_dim(box, coef < 0 ? -coef : coef, &values)) {
            return false;
        }
    }
    return true;
}

/* to = count of steps reached by both: a + b - 1 */
static bool join_counts(oracle_form *to, const oracle_form *other)
{
    return oracle_form_add(to, other, 1) && oracle_form_add_constant(to, -1);
}

/*
 * Joins equal strides, and what lies without gaps into runs of bytes. A run
 * never becomes shorter than it was unless a count is 0, which is a condition
 * of its own.
 */
static bool join_dims(const oracle_frame *frame, int64_t elem, oracle_box *box)
{
    oracle_form run = oracle_form_constant(elem);
    __int128 shortest = elem;
    while (box->count > 0 && box->dim[box->count - 1].stride <= shortest) {
        const oracle_box_dim *last = &box->dim[box->count - 1];
        /* run += (count - 1) * stride */
        if (!oracle_form_add(&run, &last->count, last->stride) ||
            !oracle_form_add_constant(&run, -last->stride)) {
            return false;
        }
        oracle_bound least = oracle_form_least(frame, &run);
        if (least.known && least.value > shortest) {
            shortest = least.value;
        }
        box->count--;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < box->count; i++) {
        if (kept > 0 && box->dim[kept - 1].stride == box->dim[i].stride) {
            if (!join_counts(&box->dim[kept - 1].count, &box->dim[i].count)) {
                return false;
            }
        } else {
            box->dim[kept++] = box->dim[i];
        }
    }
    if (kept == ORACLE_MAX_DIMS) {
        return false;
    }
    box->dim[kept] = (oracle_box_dim){1, run};
    box->count = kept + 1;
    return true;
}

oracle_made oracle_box_make(oracle_frame *frame, uint32_t side,
                            oracle_place place, oracle_box *box)
{
    const oracle_document *document = frame->document;
    const oracle_buffer *buffer = &document->buffers[place.buffer];
    box->count = 0;
    box->conditions = 0;
    box->empty = false;
    if (place.region == ORACLE_NONE) {
        if (!buffer->has_bytes) {
            return ORACLE_MADE_WHOLE;
        }
        box->base = oracle_form_constant(buffer->storage_at);
        box->empty = buffer->bytes == 0;
        box->dim[0] = (oracle_box_dim){1, oracle_form_constant(buffer->bytes)};
        box->count = 1;
        return ORACLE_MADE;
    }
    const oracle_region *region = &document->regions[place.region];
    if (!oracle_form_make(frame, side, &region->base, &box->base) ||
        !oracle_form_add_constant(&box->base, buffer->storage_at)) {
        return ORACLE_MADE_NOT;
    }
    for (uint32_t i = 0; i < region->count; i++) {
        if (!make_dim(frame, side, &document->dims[region->first + i], box)) {
            return ORACLE_MADE_NOT;
        }
    }
    bool made =
        spread_blocks(frame, side, box) && join_dims(frame, region->elem, box);
    return made ? ORACLE_MADE : ORACLE_MADE_NOT;
}

bool oracle_box_constant(const oracle_box *box)
{
    bool constant = oracle_form_is_constant(&box->base) && box->conditions == 0;
    for (uint32_t i = 0; constant && i < box->count; i++) {
        constant = oracle_form_is_constant(&box->dim[i].count);
    }
    return constant;
}

bool oracle_box_filled(const oracle_frame *frame, const oracle_box *box)
{
    for (uint32_t i = 0; i < box->conditions; i++) {
        oracle_bound least = oracle_form_least(frame, &box->condition[i]);
        if (!least.known || least.value < 0) {
            return false;
        }
    }
    return !box->empty;
}

/* --- How far a place reaches --- */

/* The bytes of a region without symbols; false: beyond 64 bits. */
static bool constant_span(const oracle_document *document,
                          const oracle_region *region, int64_t at,
                          oracle_span *span)
{
    __int128 begin = (__int128)region->base.c + at;
    __int128 last = begin;
    bool empty = false;
    for (uint32_t i = 0; i < region->count; i++) {
        const oracle_dim *dim = &document->dims[region->first + i];
        __int128 first = (__int128)dim->offset.c * dim->stride;
        __int128 width = ((__int128)dim->count.c - 1) * dim->stride;
        empty |= dim->count.c <= 0;
        begin += first + (width < 0 ? width : 0);
        last += first + (width > 0 ? width : 0);
        if (begin < INT64_MIN || last > INT64_MAX || begin > INT64_MAX ||
            last < INT64_MIN) {
            return false;
        }
    }
    last += region->elem;
    if (begin < INT64_MIN || last > INT64_MAX) {
        return false;
    }
    *span = (oracle_span){true, (int64_t)begin,
                          empty ? (int64_t)begin : (int64_t)last};
    return true;
}

static bool has_symbols(const oracle_document *document,
                        const oracle_region *region)
{
    bool symbolic = region->base.count > 0;
    for (uint32_t i = 0; i < region->count && !symbolic; i++) {
        const oracle_dim *dim = &document->dims[region->first + i];
        symbolic = dim->count.count > 0 || dim->offset.count > 0;
    }
    return symbolic;
}

oracle_extent oracle_place_extent(const oracle_document *document,
                                  oracle_place place)
{
    const oracle_buffer *buffer = &document->buffers[place.buffer];
    oracle_span span;
    if (place.region == ORACLE_NONE) {
        return buffer->has_bytes ? ORACLE_EXTENT_CONSTANT
                                 : ORACLE_EXTENT_UNKNOWN;
    }
    const oracle_region *region = &document->regions[place.region];
    if (has_symbols(document, region)) {
        return ORACLE_EXTENT_SYMBOLIC;
    }
    return constant_span(document, region, buffer->storage_at, &span)
               ? ORACLE_EXTENT_CONSTANT
               : ORACLE_EXTENT_OVERFLOW;
}

static oracle_span symbolic_span(const oracle_document *document,
                                 oracle_place place)
{
    static const oracle_span unbounded = {0};
    oracle_frame frame = {.document = document};
    oracle_box box;
    if (oracle_box_make(&frame, 0, place, &box) != ORACLE_MADE) {
        return unbounded;
    }
    oracle_form last = box.base;
    for (uint32_t i = 0; i < box.count; i++) {
        if (!oracle_form_add(&last, &box.dim[i].count, box.dim[i].stride) ||
            !oracle_form_add_constant(&last, -box.dim[i].stride)) {
            return unbounded;
        }
    }
    oracle_bound begin = oracle_form_least(&frame, &box.base);
    oracle_bound end = oracle_form_greatest(&frame, &last);
    if (!begin.known || !end.known || begin.value < INT64_MIN ||
        begin.value > INT64_MAX || end.value >= INT64_MAX) {
        return unbounded;
    }
    if (box.empty || end.value < begin.value) {
        return (oracle_span){true, (int64_t)begin.value, (int64_t)begin.value};
    }
    return (oracle_span){true, (int64_t)begin.value, (int64_t)end.value + 1};
}

bool oracle_place_outside(const oracle_document *document, oracle_place place,
                          oracle_span within)
{
    oracle_frame frame = {.document = document};
    oracle_box box;
    if (!within.bounded ||
        oracle_box_make(&frame, 0, place, &box) != ORACLE_MADE ||
        !oracle_box_filled(&frame, &box)) {
        return false;
    }
    oracle_form last = box.base;
    for (uint32_t i = 0; i < box.count; i++) {
        if (!oracle_form_add(&last, &box.dim[i].count, box.dim[i].stride) ||
            !oracle_form_add_constant(&last, -box.dim[i].stride)) {
            return false;
        }
    }
    oracle_bound begin = oracle_form_greatest(&frame, &box.base);
    oracle_bound end = oracle_form_least(&frame, &last);
    return (begin.known && begin.value < within.begin) ||
           (end.known && end.value >= within.end);
}

oracle_span oracle_place_span(const oracle_document *document, oracle_place a)
{
    const oracle_buffer *buffer = &document->buffers[a.buffer];
    oracle_span span = {0};
    if (a.region == ORACLE_NONE) {
        if (buffer->has_bytes) {
            span = (oracle_span){true, buffer->storage_at,
                                 buffer->storage_at + buffer->bytes};
        }
        return span;
    }
    const oracle_region *region = &document->regions[a.region];
    if (has_symbols(document, region)) {
        span = symbolic_span(document, a);
    } else if (!constant_span(document, region, buffer->storage_at, &span)) {
        span = (oracle_span){0};
    }
    if (!span.bounded && buffer->has_bytes) {
        span = (oracle_span){true, buffer->storage_at,
                             buffer->storage_at + buffer->bytes};
    }
    return span;
}
