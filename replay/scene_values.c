/* Symbols with values, and regions of which nothing is open. */
#include "scene_work.h"

#include <string.h>

#include "fault.h"

int64_t scene_task_id(const scene_work *work, uint32_t task)
{
    return task == REPLAY_NONE ? -1 : work->document->tasks[task].id;
}

static replay_status too_large(scene_work *work)
{
    return replay_fail(work->error, REPLAY_RANGE, -1,
                       "a region or a symbol has numbers beyond 64 bits");
}

replay_status scene_value(int64_t *value, scene_work *work,
                          const oracle_affine *affine)
{
    *value = affine->c;
    for (uint32_t i = 0; i < affine->count; i++) {
        const oracle_term *t = &work->document->terms[affine->first + i];
        int64_t product;
        if (__builtin_mul_overflow(t->coef, work->values[t->symbol],
                                   &product) ||
            __builtin_add_overflow(*value, product, value)) {
            return too_large(work);
        }
    }
    return REPLAY_OK;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
}

static replay_status follow(scene_work *work, uint32_t symbol)
{
    const oracle_symbol *s = &work->document->symbols[symbol];
    int64_t a, b, *value = &work->values[symbol];
    replay_status status = scene_value(&a, work, &s->left);
    if (status == REPLAY_OK) {
        status = scene_value(&b, work, &s->right);
    }
    if (status != REPLAY_OK) {
        return status;
    }
    switch (s->is) {
    case ORACLE_OP_NONE:
        break;
    case ORACLE_OP_MUL:
        if (__builtin_mul_overflow(a, b, value)) {
            return too_large(work);
        }
        break;
    case ORACLE_OP_DIV:
    case ORACLE_OP_MOD:
        if (b == 0 || (a == INT64_MIN && b == -1)) {
            return replay_fail(work->error, REPLAY_UNSUPPORTED, -1,
                               "the symbol %.100s divides by 0", s->name.data);
        }
        *value =
            s->is == ORACLE_OP_DIV ? floor_div(a, b) : a - floor_div(a, b) * b;
        break;
    case ORACLE_OP_MIN:
        *value = a < b ? a : b;
        break;
    case ORACLE_OP_MAX:
        *value = a > b ? a : b;
        break;
    }
    return REPLAY_OK;
}

replay_status scene_symbols_follow(scene_work *work)
{
    replay_status status = REPLAY_OK;
    for (uint32_t i = 0; i < work->document->symbol_count; i++) {
        if (status == REPLAY_OK &&
            work->document->symbols[i].is != ORACLE_OP_NONE) {
            status = follow(work, i);
        }
    }
    return status;
}

static bool mentions_block(const scene_work *work, const oracle_affine *affine)
{
    for (uint32_t i = 0; i < affine->count; i++) {
        const oracle_term *t = &work->document->terms[affine->first + i];
        if (work->by_block[t->symbol]) {
            return true;
        }
    }
    return false;
}

bool scene_by_block(const scene_work *work, uint32_t region)
{
    const oracle_region *r = &work->document->regions[region];
    bool found = mentions_block(work, &r->base);
    for (uint32_t d = 0; d < r->count && !found; d++) {
        const oracle_dim *dim = &work->document->dims[r->first + d];
        found = mentions_block(work, &dim->count) ||
                mentions_block(work, &dim->offset);
    }
    return found;
}

/* What must hold, whatever the choices. */
static replay_status check_facts(scene_work *work)
{
    const oracle_document *d = work->document;
    for (uint32_t i = 0; i < d->fact_count; i++) {
        const oracle_fact *fact = &d->facts[i];
        int64_t value;
        if (fact->choice != ORACLE_NONE || mentions_block(work, &fact->of)) {
            continue;
        }
        replay_status status = scene_value(&value, work, &fact->of);
        if (status != REPLAY_OK) {
            return status;
        }
        if (fact->relation == ORACLE_AT_MOST ? value > 0
            : fact->relation == ORACLE_EQUAL ? value != 0
                                             : value == 0) {
            return replay_fail(work->error, REPLAY_UNSUPPORTED, -1,
                               "the values of the symbols belong to no "
                               "execution of the program");
        }
    }
    return REPLAY_OK;
}

replay_status scene_symbols(scene_work *work)
{
    const oracle_document *d = work->document;
    for (uint32_t i = 0; i < d->symbol_count; i++) {
        const oracle_symbol *s = &d->symbols[i];
        work->by_block[i] = s->block || mentions_block(work, &s->left) ||
                            mentions_block(work, &s->right);
        work->values[i] = s->block ? 0
                          : work->options->symbols != NULL
                              ? work->options->symbols[i]
                          : s->has_min               ? s->min
                          : s->has_max && s->max < 0 ? s->max
                                                     : 0;
    }
    replay_status status = scene_symbols_follow(work);
    return status == REPLAY_OK ? check_facts(work) : status;
}

/* Puts a dimension around what the box has; one that follows without a gap
 * makes its pieces longer. */
static replay_status add_dim(scene_box *box, scene_work *work, int64_t count,
                             int64_t stride)
{
    int64_t way;
    if (count <= 1) {
        return REPLAY_OK;
    }
    if (__builtin_mul_overflow(count - 1, stride, &way)) {
        return too_large(work);
    }
    if (stride < 0) { /* the same bytes, from the other end */
        if (stride == INT64_MIN ||
            __builtin_add_overflow(box->base, way, &box->base)) {
            return too_large(work);
        }
        way = -way;
        stride = -stride;
    }
    if (stride == 0) {
        return REPLAY_OK;
    }
    if (__builtin_add_overflow(box->end, way, &box->end)) {
        return too_large(work);
    }
    if (box->dims == 0 && stride == box->run) {
        return __builtin_mul_overflow(box->run, count, &box->run)
                   ? too_large(work)
                   : REPLAY_OK;
    }
    if (box->dims == SCENE_ACCESS_DIMS) {
        return replay_fail(work->error, REPLAY_UNSUPPORTED, -1,
                           "a region has more than %d dimensions",
                           SCENE_ACCESS_DIMS);
    }
    box->count[box->dims] = count;
    box->stride[box->dims++] = stride;
    return REPLAY_OK;
}

static replay_status whole(scene_box *box, scene_work *work, uint32_t buffer)
{
    int64_t bytes = work->extents[buffer];
    *box = (scene_box){.run = bytes, .end = bytes, .empty = bytes == 0};
    return REPLAY_OK;
}

/* The dimensions, and in *end what they reach beyond the base. */
static replay_status add_dims(scene_box *box, scene_work *work,
                              const oracle_region *r)
{
    for (uint32_t d = r->count; d-- > 0;) {
        const oracle_dim *dim = &work->document->dims[r->first + d];
        int64_t count, offset, way;
        replay_status status = scene_value(&count, work, &dim->count);
        if (status == REPLAY_OK) {
            status = scene_value(&offset, work, &dim->offset);
        }
        if (status != REPLAY_OK) {
            return status;
        }
        if (__builtin_mul_overflow(offset, dim->stride, &way) ||
            __builtin_add_overflow(box->base, way, &box->base)) {
            return too_large(work);
        }
        box->empty = box->empty || count <= 0;
        status = add_dim(box, work, count, dim->stride);
        if (status != REPLAY_OK) {
            return status;
        }
    }
    return REPLAY_OK;
}

replay_status scene_box_make(scene_box *box, scene_work *work, uint32_t buffer,
                             uint32_t region)
{
    if (region == ORACLE_NONE) {
        return whole(box, work, buffer);
    }
    const oracle_region *r = &work->document->regions[region];
    *box = (scene_box){.run = r->elem, .end = r->elem};
    int64_t base;
    replay_status status = scene_value(&base, work, &r->base);
    if (status == REPLAY_OK) {
        box->base = base;
        status = add_dims(box, work, r);
    }
    if (status != REPLAY_OK) {
        return status;
    }
    if (box->empty) {
        *box = (scene_box){.empty = true};
    } else if (__builtin_add_overflow(box->base, box->end, &box->end)) {
        return too_large(work);
    }
    return REPLAY_OK;
}
