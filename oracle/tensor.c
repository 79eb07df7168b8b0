#include "tensor.h"

#include <string.h>

/* A view in elements. */
typedef struct tensor {
    uint32_t rank;
    oracle_form start;
    oracle_form end;
    oracle_form shape[ORACLE_MAX_DIMS];
    int64_t stride[ORACLE_MAX_DIMS];
    int64_t elem;
    oracle_form origin[ORACLE_MAX_DIMS]; /* start, by stride */
    bool empty;
} tensor;

int oracle_version_compare(oracle_text a, oracle_text b)
{
    if (!a.present || !b.present) {
        return 0;
    }
    if (a.length != b.length) {
        return a.length < b.length ? -1 : 1;
    }
    int order = memcmp(a.data, b.data, a.length);
    return (order > 0) - (order < 0);
}

static bool divide(oracle_form *form, int64_t by)
{
    bool whole = form->c % by == 0;
    form->c /= by;
    for (uint32_t i = 0; i < ORACLE_MAX_VARIABLES; i++) {
        whole = whole && form->coef[i] % by == 0;
        form->coef[i] /= by;
    }
    return whole;
}

static bool make_dim(oracle_frame *frame, uint32_t side, const oracle_dim *dim,
                     uint32_t i, tensor *t)
{
    oracle_form offset;
    if (!oracle_form_make(frame, side, &dim->count, &t->shape[i]) ||
        !oracle_form_make(frame, side, &dim->offset, &offset) ||
        !oracle_form_add(&t->start, &offset, dim->stride) || dim->stride < 0 ||
        dim->stride % t->elem != 0) {
        return false;
    }
    t->stride[i] = dim->stride / t->elem;
    t->empty |= oracle_form_is_constant(&t->shape[i]) && t->shape[i].c <= 0;
    return true;
}

/* False: not what the runtime could be given, or beyond our means. */
static bool make_tensor(oracle_frame *frame, uint32_t side,
                        const oracle_arg *arg, tensor *t)
{
    const oracle_document *document = frame->document;
    const oracle_region *region = &document->regions[arg->view];
    t->empty = false;
    t->rank = region->count;
    t->elem = region->elem;
    if (t->rank > ORACLE_MAX_DIMS ||
        !oracle_form_make(frame, side, &region->base, &t->start) ||
        !oracle_form_add_constant(&t->start,
                                  document->buffers[arg->buffer].storage_at)) {
        return false;
    }
    for (uint32_t i = 0; i < t->rank; i++) {
        if (!make_dim(frame, side, &document->dims[region->first + i], i, t)) {
            return false;
        }
    }
    if (!divide(&t->start, t->elem)) {
        return false;
    }
    t->end = t->start;
    for (uint32_t i = 0; i < t->rank; i++) {
        if (!oracle_form_add(&t->end, &t->shape[i], t->stride[i]) ||
            !oracle_form_add_constant(&t->end, -t->stride[i])) {
            return false;
        }
    }
    return oracle_form_add_constant(&t->end, 1);
}

/* What is known of several forms being at least 0 together. */
typedef struct tally {
    const oracle_frame *frame;
    bool never, unsure;
} tally;

static void require(tally *all, const oracle_form *form)
{
    oracle_bound least = oracle_form_least(all->frame, form);
    oracle_bound most = oracle_form_greatest(all->frame, form);
    all->never |= most.known && most.value < 0;
    all->unsure |= !least.known || least.value < 0;
}

/* a - b + c >= 0 */
static void require_difference(tally *all, const oracle_form *a,
                               const oracle_form *b, int64_t c)
{
    oracle_form form = *a;
    if (oracle_form_add(&form, b, -1) && oracle_form_add_constant(&form, c)) {
        require(all, &form);
    } else {
        all->unsure = true;
    }
}

static oracle_relation relation_of(const tally *all)
{
    if (all->never) {
        return ORACLE_RELATION_NEVER;
    }
    return all->unsure ? ORACLE_RELATION_PERHAPS : ORACLE_RELATION_ALWAYS;
}

static void require_filled(tally *all, const tensor *t)
{
    for (uint32_t i = 0; i < t->rank; i++) {
        oracle_form form = t->shape[i];
        if (oracle_form_add_constant(&form, -1)) {
            require(all, &form);
        }
    }
}

static oracle_relation ranges_relate(const oracle_frame *frame, const tensor *a,
                                     const tensor *b)
{
    tally all = {.frame = frame};
    require_filled(&all, a);
    require_filled(&all, b);
    require_difference(&all, &a->end, &b->start, -1);
    require_difference(&all, &b->end, &a->start, -1);
    return relation_of(&all);
}

/* The start in steps of the strides; the innermost is 1, so nothing is left. */
static void decompose(tensor *t)
{
    oracle_form rest = t->start;
    for (uint32_t i = 0; i < t->rank; i++) {
        int64_t stride = t->stride[i];
        int64_t step = rest.c / stride - (rest.c % stride < 0);
        t->origin[i] = oracle_form_constant(step);
        rest.c -= step * stride;
        for (uint32_t v = 0; v < ORACLE_MAX_VARIABLES; v++) {
            t->origin[i].coef[v] = rest.coef[v] / stride;
            rest.coef[v] %= stride;
        }
    }
}

/* Equal strides that nest, the innermost 1. */
static bool nested(const tensor *a, const tensor *b)
{
    if (a->rank == 0 || a->rank != b->rank || a->elem != b->elem ||
        a->stride[a->rank - 1] != 1) {
        return false;
    }
    for (uint32_t i = 0; i < a->rank; i++) {
        if (a->stride[i] != b->stride[i] || a->stride[i] <= 0 ||
            (i > 0 && a->stride[i - 1] % a->stride[i] != 0)) {
            return false;
        }
    }
    return true;
}

/* Within the row-major shape of the strides; numel below 0: not known. */
static void require_inside(tally *all, const tensor *t, int64_t numel)
{
    for (uint32_t i = 0; i < t->rank; i++) {
        oracle_form end = t->origin[i];
        oracle_form zero = oracle_form_constant(0);
        require_difference(all, &t->origin[i], &zero, 0);
        if (i == 0 && numel < 0) {
            continue;
        }
        int64_t extent = (i == 0 ? numel : t->stride[i - 1]) / t->stride[i];
        oracle_form most = oracle_form_constant(extent);
        if (!oracle_form_add(&end, &t->shape[i], 1)) {
            all->unsure = true;
            continue;
        }
        require_difference(all, &most, &end, 0);
    }
}

static oracle_relation boxes_relate(const oracle_frame *frame, const tensor *a,
                                    const tensor *b)
{
    tally all = {.frame = frame};
    for (uint32_t i = 0; i < a->rank; i++) {
        oracle_form a_end = a->origin[i];
        oracle_form b_end = b->origin[i];
        if (!oracle_form_add(&a_end, &a->shape[i], 1) ||
            !oracle_form_add(&b_end, &b->shape[i], 1)) {
            return ORACLE_RELATION_PERHAPS;
        }
        require_difference(&all, &a_end, &b->origin[i], -1);
        require_difference(&all, &b_end, &a->origin[i], -1);
    }
    require_filled(&all, a);
    require_filled(&all, b);
    return relation_of(&all);
}

static bool box_covers(const oracle_frame *frame, const tensor *a,
                       const tensor *b)
{
    tally all = {.frame = frame};
    for (uint32_t i = 0; i < a->rank; i++) {
        oracle_form a_end = a->origin[i];
        oracle_form b_end = b->origin[i];
        if (!oracle_form_add(&a_end, &a->shape[i], 1) ||
            !oracle_form_add(&b_end, &b->shape[i], 1)) {
            return false;
        }
        require_difference(&all, &b->origin[i], &a->origin[i], 0);
        require_difference(&all, &a_end, &b_end, 0);
    }
    return !all.never && !all.unsure;
}

/* Elements of the storage; -1: not known, -2: no whole number of them. */
static int64_t element_count(const oracle_document *document,
                             const oracle_arg *arg, int64_t elem)
{
    uint32_t storage = document->buffers[arg->buffer].storage;
    const oracle_buffer *buffer = &document->buffers[storage];
    if (!buffer->has_bytes) {
        return -1;
    }
    return buffer->bytes % elem == 0 ? buffer->bytes / elem : -2;
}

static bool same_dtype(const oracle_arg *a, const oracle_arg *b)
{
    return a->dtype.length == b->dtype.length &&
           memcmp(a->dtype.data, b->dtype.data, a->dtype.length) == 0;
}

/* `ranges`: the conservative answer, where the test does not apply. */
static oracle_overlap exact_overlap(const oracle_frame *frame,
                                    const oracle_arg *consumer, tensor *a,
                                    tensor *b, oracle_overlap ranges)
{
    int64_t numel = element_count(frame->document, consumer, a->elem);
    if (numel == -2 || (numel >= 0 && numel % a->stride[0] != 0)) {
        return ranges;
    }
    decompose(a);
    decompose(b);
    tally inside = {.frame = frame};
    require_inside(&inside, a, numel);
    require_inside(&inside, b, numel);
    if (inside.never) {
        return ranges;
    }
    oracle_relation exact = boxes_relate(frame, a, b);
    bool sure = !inside.unsure && numel >= 0;
    if (sure) {
        bool covers =
            exact == ORACLE_RELATION_ALWAYS && box_covers(frame, a, b);
        return (oracle_overlap){exact, covers};
    }
    /* Either answer of the runtime is an edge only when both are. */
    ranges.relation = exact == ORACLE_RELATION_ALWAYS && !inside.unsure
                          ? ORACLE_RELATION_ALWAYS
                          : ORACLE_RELATION_PERHAPS;
    return ranges;
}

static oracle_overlap views_overlap(const oracle_document *document,
                                    const oracle_arg *consumer,
                                    const oracle_arg *producer)
{
    oracle_frame frame = {.document = document};
    tensor a;
    tensor b;
    oracle_overlap overlap = {ORACLE_RELATION_PERHAPS, false};
    if (!make_tensor(&frame, 0, consumer, &a) ||
        !make_tensor(&frame, 1, producer, &b)) {
        return overlap;
    }
    overlap.relation = ranges_relate(&frame, &a, &b);
    if (overlap.relation == ORACLE_RELATION_NEVER ||
        !same_dtype(consumer, producer) || !nested(&a, &b)) {
        return overlap;
    }
    return exact_overlap(&frame, consumer, &a, &b, overlap);
}

/*
 * A whole buffer has no shape here: it overlaps all in it, and covers surely
 * only itself (not to cover leaves one edge more, which a path implies).
 */
static oracle_overlap whole_overlap(const oracle_document *document,
                                    const oracle_arg *consumer,
                                    const oracle_arg *producer)
{
    oracle_place a = {consumer->buffer, consumer->view};
    oracle_place b = {producer->buffer, producer->view};
    oracle_overlap overlap = {oracle_places_relate(document, a, b), false};
    if (overlap.relation == ORACLE_RELATION_SURELY) {
        overlap.relation = ORACLE_RELATION_PERHAPS;
    }
    overlap.covers = overlap.relation == ORACLE_RELATION_ALWAYS &&
                     a.buffer == b.buffer && a.region == b.region &&
                     same_dtype(consumer, producer);
    return overlap;
}

oracle_overlap oracle_tensor_overlap(const oracle_document *document,
                                     const oracle_arg *consumer,
                                     const oracle_arg *producer)
{
    if (oracle_version_compare(oracle_arg_identity(consumer).version,
                               oracle_arg_identity(producer).version) > 0) {
        return (oracle_overlap){ORACLE_RELATION_ALWAYS, false};
    }
    if (consumer->view == ORACLE_NONE || producer->view == ORACLE_NONE) {
        return whole_overlap(document, consumer, producer);
    }
    return views_overlap(document, consumer, producer);
}

static bool same_number(const oracle_affine *a, const oracle_affine *b)
{
    return a->c == b->c && a->count == 0 && b->count == 0;
}

static bool same_region(const oracle_document *document, uint32_t a, uint32_t b)
{
    const oracle_region *x = &document->regions[a], *y = &document->regions[b];
    bool same = x->elem == y->elem && same_number(&x->base, &y->base) &&
                x->count == y->count;
    for (uint32_t i = 0; same && i < x->count; i++) {
        const oracle_dim *p = &document->dims[x->first + i];
        const oracle_dim *q = &document->dims[y->first + i];
        same = p->stride == q->stride && same_number(&p->count, &q->count) &&
               same_number(&p->offset, &q->offset);
    }
    return same;
}

bool oracle_tensors_alike(const oracle_document *document, const oracle_arg *a,
                          const oracle_arg *b)
{
    if (a->buffer != b->buffer || !same_dtype(a, b) ||
        oracle_arg_identity(a).version.present ||
        oracle_arg_identity(b).version.present ||
        (a->view == ORACLE_NONE) != (b->view == ORACLE_NONE)) {
        return false;
    }
    return a->view == b->view || same_region(document, a->view, b->view);
}

oracle_span oracle_tensor_span(const oracle_document *document,
                               const oracle_arg *arg)
{
    static const oracle_span unbounded = {0};
    oracle_frame frame = {.document = document};
    tensor t;
    if (arg->view == ORACLE_NONE || !make_tensor(&frame, 0, arg, &t)) {
        return unbounded;
    }
    oracle_bound begin = oracle_form_least(&frame, &t.start);
    oracle_bound end = oracle_form_greatest(&frame, &t.end);
    if (!begin.known || !end.known || begin.value < INT64_MIN ||
        end.value > INT64_MAX || end.value <= begin.value) {
        return unbounded;
    }
    return (oracle_span){true, (int64_t)begin.value, (int64_t)end.value};
}
