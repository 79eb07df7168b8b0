/* Places at tried values of the symbols: whether an execution has them. */
#include "access.h"

/* The value of a number; false: beyond 64 bits, or a block symbol is in it. */
static bool value_of(const oracle_document *d, oracle_affine affine,
                     const int64_t *values, int64_t *value)
{
    *value = affine.c;
    for (uint32_t i = 0; i < affine.count; i++) {
        const oracle_term *term = &d->terms[affine.first + i];
        int64_t product;
        if (d->symbols[term->symbol].block ||
            __builtin_mul_overflow(term->coef, values[term->symbol],
                                   &product) ||
            __builtin_add_overflow(*value, product, value)) {
            return false;
        }
    }
    return true;
}

/* The next wider stride of the region, or 0. */
static int64_t outer_stride(const oracle_document *d,
                            const oracle_region *region, int64_t stride)
{
    int64_t outer = 0;
    for (uint32_t i = 0; i < region->count; i++) {
        int64_t other = d->dims[region->first + i].stride;
        if (other > stride && (outer == 0 || other < outer)) {
            outer = other;
        }
    }
    return outer;
}

bool oracle_place_leaves(const oracle_document *document, oracle_place place,
                         const int64_t *values)
{
    if (place.region == ORACLE_NONE) {
        return false;
    }
    const oracle_region *region = &document->regions[place.region];
    for (uint32_t i = 0; i < region->count; i++) {
        const oracle_dim *dim = &document->dims[region->first + i];
        int64_t outer = outer_stride(document, region, dim->stride);
        int64_t offset, count, last;
        if (dim->offset.count == 0 || outer == 0 || dim->stride <= 0 ||
            outer % dim->stride != 0 ||
            !value_of(document, dim->offset, values, &offset) ||
            !value_of(document, dim->count, values, &count) || count <= 0) {
            continue;
        }
        if (offset < 0 || __builtin_add_overflow(offset, count, &last) ||
            last > outer / dim->stride) {
            return true;
        }
    }
    return false;
}

static bool same_number(const oracle_document *d, oracle_affine a,
                        oracle_affine b)
{
    bool same = a.c == b.c && a.count == b.count;
    for (uint32_t i = 0; same && i < a.count; i++) {
        same = d->terms[a.first + i].coef == d->terms[b.first + i].coef &&
               d->terms[a.first + i].symbol == d->terms[b.first + i].symbol;
    }
    return same;
}

static bool has_symbol(const oracle_document *d, oracle_affine a,
                       uint32_t symbol)
{
    bool has = false;
    for (uint32_t i = 0; i < a.count; i++) {
        has = has || d->terms[a.first + i].symbol == symbol;
    }
    return has;
}

/*
 * The extent of the view depends on nothing but the symbols of its part; one
 * that has others can be as large as is needed.
 */
static bool shares_symbols(const oracle_document *d, const oracle_dim *part,
                           const oracle_dim *view)
{
    bool shared = true;
    for (uint32_t i = 0; i < view->count.count; i++) {
        uint32_t symbol = d->terms[view->count.first + i].symbol;
        shared = shared && (has_symbol(d, part->offset, symbol) ||
                            has_symbol(d, part->count, symbol));
    }
    return shared;
}

bool oracle_place_sticks_out(const oracle_document *document,
                             oracle_place place, uint32_t view,
                             const int64_t *values)
{
    if (place.region == ORACLE_NONE || view == ORACLE_NONE ||
        place.region == view) {
        return false;
    }
    const oracle_region *part = &document->regions[place.region];
    const oracle_region *whole = &document->regions[view];
    if (part->count != whole->count ||
        !same_number(document, part->base, whole->base)) {
        return false;
    }
    for (uint32_t i = 0; i < part->count; i++) {
        const oracle_dim *x = &document->dims[part->first + i];
        const oracle_dim *y = &document->dims[whole->first + i];
        int64_t at, count, from, size, end, limit;
        if (x->stride != y->stride || !shares_symbols(document, x, y) ||
            (x->offset.count == 0 && x->count.count == 0) ||
            !value_of(document, x->offset, values, &at) ||
            !value_of(document, x->count, values, &count) ||
            !value_of(document, y->offset, values, &from) ||
            !value_of(document, y->count, values, &size) || count <= 0 ||
            __builtin_add_overflow(at, count, &end) ||
            __builtin_add_overflow(from, size, &limit)) {
            continue;
        }
        if (at < from || end > limit) {
            return true;
        }
    }
    return false;
}
