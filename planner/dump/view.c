#include "view.h"

#include <string.h>

static const struct {
    const char *name;
    view_type type;
} TYPES[] = {
    {"BF16", {"bf16", 2, false}},
    {"BOOL", {"bool", 1, false}},
    {"FP16", {"fp16", 2, false}},
    {"FP32", {"fp32", 4, false}},
    {"FP4", {"fp4", 1, true}},
    {"FP64", {"fp64", 8, false}},
    {"FP8E4M3FN", {"fp8e4m3fn", 1, false}},
    {"FP8E5M2", {"fp8e5m2", 1, false}},
    {"FP8E8M0", {"fp8e8m0", 1, false}},
    {"HF4", {"hf4", 1, true}},
    {"HF8", {"hf8", 1, false}},
    {"INDEX", {"index", 8, false}},
    {"INT16", {"int16", 2, false}},
    {"INT32", {"int32", 4, false}},
    {"INT4", {"int4", 1, true}},
    {"INT64", {"int64", 8, false}},
    {"INT8", {"int8", 1, false}},
    {"UINT16", {"uint16", 2, false}},
    {"UINT32", {"uint32", 4, false}},
    {"UINT4", {"uint4", 1, true}},
    {"UINT64", {"uint64", 8, false}},
    {"UINT8", {"uint8", 1, false}},
};

const view_type *view_type_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        if (strlen(TYPES[i].name) == length &&
            memcmp(TYPES[i].name, name, length) == 0)
            return &TYPES[i].type;
    return NULL;
}

affine view_units(affine_pool *pool, const view *v, uint32_t i, affine n)
{
    if (!v->type->halved || i + 1 != v->rank)
        return n;
    return affine_floordiv(pool, affine_add(pool, n, affine_const(1)),
                           affine_const(2));
}

/* Row-major strides for the counts; false when one is no constant. */
static bool set_row_major(view *v)
{
    int64_t stride = v->type->elem;
    bool fits = true;
    for (uint32_t i = v->rank; i-- > 0;) {
        if (!fits)
            return false;
        v->dim[i].stride = stride;
        fits = affine_is_const(v->dim[i].count) &&
               !__builtin_mul_overflow(stride, v->dim[i].count.c, &stride);
    }
    return true;
}

static void set_shape(affine_pool *pool, view *v, const affine *shape,
                      uint32_t rank)
{
    v->rank = rank;
    for (uint32_t i = 0; i < rank; i++)
        v->dim[i] =
            (view_dim){view_units(pool, v, i, shape[i]), affine_const(0), 0};
}

view view_of_buffer(affine_pool *pool, uint32_t buffer, const view_type *type,
                    const affine *shape, uint32_t rank)
{
    view v = {.buffer = buffer,
              .arg = VIEW_NO_ARG,
              .type = type,
              .base = affine_const(0),
              .whole = true};
    set_shape(pool, &v, shape, rank);
    v.known = set_row_major(&v);
    return v;
}

void view_set_strides(view *v, const affine *strides, uint32_t rank)
{
    if (rank != v->rank)
        return;
    for (uint32_t i = 0; i < rank; i++) {
        int64_t bytes;
        if (!affine_is_const(strides[i]) ||
            __builtin_mul_overflow(strides[i].c, v->type->elem, &bytes)) {
            v->known = false;
            return;
        }
        v->dim[i].stride = bytes;
    }
    v->known = true;
}

bool view_bytes(const view *v, int64_t *bytes)
{
    int64_t n = v->type->elem;
    for (uint32_t i = 0; i < v->rank; i++)
        if (!affine_is_const(v->dim[i].count) || v->dim[i].count.c < 0 ||
            __builtin_mul_overflow(n, v->dim[i].count.c, &n))
            return false;
    *bytes = n;
    return true;
}

view view_slice(affine_pool *pool, const view *v, const affine *sizes,
                const affine *offsets, uint32_t rank)
{
    view out = *v;
    if (rank != v->rank) {
        out = view_unknown(v);
        set_shape(pool, &out, sizes, rank);
        return out;
    }
    for (uint32_t i = 0; i < rank; i++) {
        affine size = view_units(pool, v, i, sizes[i]);
        affine at = offsets[i];
        if (v->type->halved && i + 1 == rank)
            at = affine_floordiv(pool, at, affine_const(2));
        affine left = affine_sub(pool, v->dim[i].count, at);
        affine count = affine_min(pool, size, left);
        out.dim[i].count = affine_max(pool, count, affine_const(0));
        out.dim[i].offset = affine_add(pool, v->dim[i].offset, at);
        out.whole = out.whole && affine_is_const(at) && at.c == 0 &&
                    affine_equal(pool, out.dim[i].count, v->dim[i].count);
    }
    return out;
}

/* Elements lie one behind the other, in order. */
static bool is_contiguous(const view *v)
{
    int64_t stride = v->type->elem;
    if (!v->known)
        return false;
    for (uint32_t i = v->rank; i-- > 0;) {
        affine count = v->dim[i].count;
        if (affine_is_const(count) && count.c == 1)
            continue;
        if (v->dim[i].stride != stride)
            return false;
        if (affine_is_const(count)) {
            if (__builtin_mul_overflow(stride, count.c, &stride))
                return false;
            continue;
        }
        while (i-- > 0)
            if (!affine_is_const(v->dim[i].count) || v->dim[i].count.c != 1)
                return false;
        return true;
    }
    return true;
}

view view_reshape(affine_pool *pool, const view *v, const affine *shape,
                  uint32_t rank)
{
    view out = *v;
    bool contiguous = is_contiguous(v);
    if (contiguous)
        for (uint32_t i = 0; i < v->rank; i++)
            out.base = affine_add(pool, out.base,
                                  affine_mul(pool, v->dim[i].offset,
                                             affine_const(v->dim[i].stride)));
    set_shape(pool, &out, shape, rank);
    out.known =
        set_row_major(&out) && (contiguous || (v->whole && !v->permuted));
    if (v->whole)
        out.base = affine_const(0);
    int64_t before, after;
    if (view_bytes(v, &before) && view_bytes(&out, &after) && before != after)
        out.known = out.whole = false;
    return out;
}

view view_transpose(const view *v, int64_t i, int64_t j)
{
    view out = *v;
    i = i < 0 ? i + v->rank : i;
    j = j < 0 ? j + v->rank : j;
    if (i < 0 || j < 0 || i >= v->rank || j >= v->rank)
        return view_unknown(v);
    out.dim[i] = v->dim[j];
    out.dim[j] = v->dim[i];
    out.permuted = v->permuted || i != j;
    return out;
}

view view_element(affine_pool *pool, const view *v, const affine *at)
{
    view out = *v;
    out.whole = false;
    for (uint32_t i = 0; i < v->rank; i++) {
        affine n = at[i];
        if (v->type->halved && i + 1 == v->rank)
            n = affine_floordiv(pool, n, affine_const(2));
        out.dim[i].offset = affine_add(pool, v->dim[i].offset, n);
        out.dim[i].count = affine_const(1);
    }
    return out;
}

void view_drop(affine_pool *pool, view *v, uint32_t i)
{
    affine shift =
        affine_mul(pool, v->dim[i].offset, affine_const(v->dim[i].stride));
    v->base = affine_add(pool, v->base, shift);
    for (uint32_t k = i; k + 1 < v->rank; k++)
        v->dim[k] = v->dim[k + 1];
    v->rank--;
}

view view_unknown(const view *v)
{
    view out = {.buffer = v->buffer,
                .arg = v->arg,
                .type = v->type,
                .base = affine_const(0)};
    return out;
}

bool view_same(const affine_pool *pool, const view *a, const view *b)
{
    if (a->buffer != b->buffer || a->arg != b->arg || a->rank != b->rank ||
        a->type != b->type || a->whole != b->whole || a->known != b->known ||
        !affine_equal(pool, a->base, b->base))
        return false;
    for (uint32_t i = 0; i < a->rank; i++)
        if (a->dim[i].stride != b->dim[i].stride ||
            !affine_equal(pool, a->dim[i].count, b->dim[i].count) ||
            !affine_equal(pool, a->dim[i].offset, b->dim[i].offset))
            return false;
    return true;
}
