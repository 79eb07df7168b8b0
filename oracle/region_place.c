/* Places: regions of buffers, whose aliases are one storage. */
#include "region.h"

/* Whether a name of the storage lists one of the other. */
static bool lists(const oracle_document *document, uint32_t storage,
                  uint32_t other)
{
    for (uint32_t next = storage + 1; next != 0;) {
        const oracle_buffer *b = &document->buffers[next - 1];
        for (uint32_t i = 0; i < b->may_alias; i++) {
            uint32_t is = document->may_aliases[b->first_may_alias + i];
            if (document->buffers[is].storage == other) {
                return true;
            }
        }
        next = b->next_may_alias;
    }
    return false;
}

static bool may_alias(const oracle_document *document, uint32_t a, uint32_t b)
{
    uint32_t x = document->buffers[a].storage;
    uint32_t y = document->buffers[b].storage;
    return document->may_alias_count > 0 &&
           (lists(document, x, y) || lists(document, y, x));
}

/* Neither has a size: the same buffer is the same bytes, all of them. */
static oracle_relation relate_whole(const oracle_document *document,
                                    oracle_place whole, oracle_place other)
{
    oracle_frame frame = {.document = document};
    oracle_box box;
    bool same = whole.buffer == other.buffer;
    switch (oracle_box_make(&frame, 0, other, &box)) {
    case ORACLE_MADE_WHOLE:
        return same ? ORACLE_RELATION_ALWAYS : ORACLE_RELATION_PERHAPS;
    case ORACLE_MADE_NOT:
        return ORACLE_RELATION_PERHAPS;
    case ORACLE_MADE:
        break;
    }
    if (box.empty) {
        return ORACLE_RELATION_NEVER;
    }
    return same && oracle_box_filled(&frame, &box) ? ORACLE_RELATION_ALWAYS
                                                   : ORACLE_RELATION_PERHAPS;
}

static oracle_relation relate_one_storage(const oracle_document *document,
                                          oracle_place a, oracle_place b)
{
    oracle_frame frame = {.document = document};
    oracle_box x;
    oracle_box y;
    oracle_made made = oracle_box_make(&frame, 0, a, &x);
    oracle_made other = oracle_box_make(&frame, 1, b, &y);
    if (made == ORACLE_MADE_WHOLE) {
        return relate_whole(document, a, b);
    }
    if (other == ORACLE_MADE_WHOLE) {
        return relate_whole(document, b, a);
    }
    if (made == ORACLE_MADE && other == ORACLE_MADE) {
        return oracle_boxes_relate(&frame, &x, &y);
    }
    return ORACLE_RELATION_PERHAPS;
}

static bool same_affine(const oracle_document *d, const oracle_affine *a,
                        const oracle_affine *b)
{
    bool same = a->c == b->c && a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++) {
        const oracle_term *x = &d->terms[a->first + i];
        const oracle_term *y = &d->terms[b->first + i];
        same = x->symbol == y->symbol && x->coef == y->coef;
    }
    return same;
}

/* Whether all elements of `b` lie behind those of `a` in this dimension. */
static bool lies_behind(oracle_frame *frame, const oracle_dim *a,
                        uint32_t side_a, const oracle_dim *b, uint32_t side_b)
{
    oracle_form gap, from, count;
    if (!oracle_form_make(frame, side_b, &b->offset, &gap) ||
        !oracle_form_make(frame, side_a, &a->offset, &from) ||
        !oracle_form_make(frame, side_a, &a->count, &count) ||
        !oracle_form_add(&gap, &from, -1) ||
        !oracle_form_add(&gap, &count, -1)) {
        return false;
    }
    oracle_bound least = oracle_form_least(frame, &gap);
    return least.known && least.value >= 0;
}

static bool is_symbolic(const oracle_dim *dim)
{
    return dim->offset.count > 0 || dim->count.count > 0;
}

/*
 * Spec 09: where both have the same strides they are apart when they are in
 * one dimension. With constant numbers the bytes decide; a symbolic offset is
 * taken to stay within its dimension.
 */
static bool apart_in_a_dimension(const oracle_document *d, oracle_place a,
                                 oracle_place b)
{
    if (a.region == ORACLE_NONE || b.region == ORACLE_NONE ||
        a.buffer != b.buffer) {
        return false;
    }
    const oracle_region *x = &d->regions[a.region], *y = &d->regions[b.region];
    bool same = x->count == y->count && x->elem == y->elem &&
                same_affine(d, &x->base, &y->base);
    for (uint32_t i = 0; same && i < x->count; i++) {
        same = d->dims[x->first + i].stride == d->dims[y->first + i].stride &&
               d->dims[x->first + i].stride != 0;
    }
    for (uint32_t i = 0; same && i < x->count; i++) {
        oracle_frame frame = {.document = d};
        const oracle_dim *p = &d->dims[x->first + i];
        const oracle_dim *q = &d->dims[y->first + i];
        if ((is_symbolic(p) || is_symbolic(q)) &&
            (lies_behind(&frame, p, 0, q, 1) ||
             lies_behind(&frame, q, 1, p, 0))) {
            return true;
        }
    }
    return false;
}

/* Whether the place is surely all bytes of its storage. */
static bool is_all(const oracle_document *d, oracle_place place)
{
    const oracle_buffer *root = &d->buffers[d->buffers[place.buffer].storage];
    oracle_frame frame = {.document = d};
    oracle_box box;
    if (!root->has_bytes ||
        oracle_box_make(&frame, 0, place, &box) != ORACLE_MADE) {
        return false;
    }
    return frame.count == 0 && !box.empty && box.count == 1 &&
           box.base.c == 0 && box.dim[0].count.c >= root->bytes;
}

/* What lies in the storage meets all of it, wherever it lies. */
static bool meets_all(const oracle_document *d, oracle_place all,
                      oracle_place other)
{
    oracle_frame frame = {.document = d};
    oracle_box box;
    return oracle_place_extent(d, other) == ORACLE_EXTENT_SYMBOLIC &&
           is_all(d, all) &&
           oracle_box_make(&frame, 0, other, &box) == ORACLE_MADE &&
           oracle_box_filled(&frame, &box);
}

oracle_relation oracle_places_relate(const oracle_document *document,
                                     oracle_place a, oracle_place b)
{
    if (document->buffers[a.buffer].storage !=
        document->buffers[b.buffer].storage) {
        return may_alias(document, a.buffer, b.buffer) ? ORACLE_RELATION_PERHAPS
                                                       : ORACLE_RELATION_NEVER;
    }
    oracle_span x = oracle_place_span(document, a);
    oracle_span y = oracle_place_span(document, b);
    if (x.bounded && y.bounded && (x.end <= y.begin || y.end <= x.begin)) {
        return ORACLE_RELATION_NEVER;
    }
    if (apart_in_a_dimension(document, a, b)) {
        return ORACLE_RELATION_NEVER;
    }
    if (meets_all(document, a, b) || meets_all(document, b, a)) {
        return ORACLE_RELATION_ALWAYS;
    }
    return relate_one_storage(document, a, b);
}

oracle_meet oracle_places_meet(const oracle_document *document, oracle_place a,
                               oracle_place b)
{
    switch (oracle_places_relate(document, a, b)) {
    case ORACLE_RELATION_NEVER:
        return ORACLE_MEET_NEVER;
    case ORACLE_RELATION_SURELY:
    case ORACLE_RELATION_ALWAYS:
        return ORACLE_MEET_SURELY;
    case ORACLE_RELATION_PERHAPS:
        break;
    }
    return ORACLE_MEET_PERHAPS;
}

bool oracle_place_covers(const oracle_document *document, oracle_place a,
                         oracle_place b)
{
    oracle_frame frame = {.document = document};
    oracle_box x;
    oracle_box y;
    if (document->buffers[a.buffer].storage !=
        document->buffers[b.buffer].storage) {
        return false;
    }
    /* What lies in a buffer is covered by all of it. */
    if (a.buffer == b.buffer && a.region == ORACLE_NONE) {
        return true;
    }
    return oracle_box_make(&frame, 0, a, &x) == ORACLE_MADE &&
           oracle_box_make(&frame, 1, b, &y) == ORACLE_MADE &&
           oracle_boxes_cover(&frame, &x, &y);
}

bool oracle_places_common(const oracle_document *document, oracle_place a,
                          oracle_place b, oracle_span *common)
{
    oracle_frame frame = {.document = document};
    oracle_box x;
    oracle_box y;
    bool meet;
    *common = (oracle_span){0};
    return document->buffers[a.buffer].storage ==
               document->buffers[b.buffer].storage &&
           oracle_box_make(&frame, 0, a, &x) == ORACLE_MADE &&
           oracle_box_make(&frame, 1, b, &y) == ORACLE_MADE &&
           oracle_box_constant(&x) && oracle_box_constant(&y) &&
           oracle_rows_meet(&x, &y, &meet, common) && meet;
}
