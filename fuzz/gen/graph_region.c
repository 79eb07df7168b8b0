/*
 * A box as a region: the same bytes in one of the many ways to say them, by
 * dimension or in one piece, with offsets or a base, backwards, in other
 * elements, with dimensions that add nothing.
 */
#include "graph.h"

#define MOVING_ROWS 64 /* of a buffer whose rows a loop walks over */

typedef struct dim {
    int64_t count, stride; /* elements, bytes */
    int64_t from;          /* bytes */
    uint8_t moving;        /* 0, or 1: at i, 2: at i + d; in rows */
    int64_t per_block;     /* elements further with each block */
} dim;

typedef struct form {
    dim dims[5];
    uint32_t count;
    int64_t elem;
    int64_t base;
} form;

int64_t fuzz_graph_row_bytes(const graph_buffer *buffer)
{
    return (int64_t)buffer->cols * buffer->width * buffer->elem;
}

int64_t fuzz_graph_bytes(const graph_buffer *buffer)
{
    return (buffer->moving ? MOVING_ROWS : buffer->rows) *
           fuzz_graph_row_bytes(buffer);
}

static bool is_all(graph_range range, uint32_t all)
{
    return range.from == 0 && range.count == all && range.step == 1;
}

/* Rows, columns and elements, joined where that is one piece. */
static void fill(form *f, const graph_buffer *b, const graph_arg *arg,
                 graph_box box, bool view, bool join)
{
    int64_t row = fuzz_graph_row_bytes(b), cell = (int64_t)b->width * b->elem;
    dim *rows = &f->dims[0];
    graph_range r = box.rows, c = box.cols;
    bool whole_rows = is_all(c, b->cols);
    *rows = (dim){r.count, row * r.step, row * r.from, 0, 0};
    if (b->moving) {
        rows->from = 0;
        rows->moving = r.count == 3 ? 0 : (uint8_t)(1 + r.from);
        rows->count = r.count == 3 ? MOVING_ROWS : 1;
    } else if (!view && arg->blocks > 0) {
        rows->per_block = r.count / arg->blocks;
        rows->count = rows->per_block + arg->overlapping;
    }
    f->elem = b->elem;
    f->count = 1;
    if (whole_rows && r.step == 1 && rows->moving == 0 &&
        rows->per_block == 0 && join) {
        *rows = (dim){rows->count * (row / b->elem), b->elem, rows->from, 0, 0};
        return;
    }
    if (c.step == 1 && (join || b->width == 1)) {
        f->dims[f->count++] =
            (dim){(int64_t)c.count * b->width, b->elem, cell * c.from, 0, 0};
        return;
    }
    f->dims[f->count++] = (dim){c.count, cell * c.step, cell * c.from, 0, 0};
    if (b->width > 1)
        f->dims[f->count++] = (dim){b->width, b->elem, 0, 0, 0};
}

static bool is_plain(const dim *d)
{
    return d->moving == 0 && d->per_block == 0;
}

/* Elements of half the size: the last dimension must be of whole elements. */
static void halve(form *f)
{
    dim *last = &f->dims[f->count - 1];
    if (f->elem % 2 != 0 || last->stride != f->elem || !is_plain(last))
        return;
    f->elem /= 2;
    last->stride /= 2;
    last->count *= 2;
}

static void backwards(form *f, fuzz_random *random)
{
    dim *d = &f->dims[fuzz_below(random, f->count)];
    if (!is_plain(d) || d->count == 0)
        return;
    f->base += d->from + (d->count - 1) * d->stride;
    d->from = 0;
    d->stride = -d->stride;
}

/* A dimension that adds nothing: one element, or the same one again. */
static void idle(form *f, fuzz_random *random)
{
    bool again = fuzz_chance(random, 1, 2);
    f->dims[f->count++] =
        again ? (dim){fuzz_between(random, 1, 3), 0, 0, 0, 0}
              : (dim){1, fuzz_between(random, -64, 64), 0, 0, 0};
}

static void drop_single(form *f)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        const dim *d = &f->dims[i];
        if (d->count == 1 && is_plain(d))
            f->base += d->from;
        else
            f->dims[kept++] = *d;
    }
    f->count = kept;
}

static void vary(form *f, graph_regions *r)
{
    uint64_t how = fuzz_below(&r->random, 12);
    if (how == 0)
        backwards(f, &r->random);
    else if (how == 1 && !r->same_elem)
        halve(f);
    else if (how == 2)
        idle(f, &r->random);
    else if (how < 6)
        drop_single(f);
    for (uint32_t i = 0; i < f->count; i++) {
        dim *d = &f->dims[i];
        bool even = d->stride != 0 && d->from % d->stride == 0;
        if (is_plain(d) && (!even || how >= 9)) {
            f->base += d->from;
            d->from = 0;
        }
    }
}

static void put_offset(fuzz_text *t, const dim *d)
{
    static const char *const terms[] = {NULL, "[[1,\"i\"]]",
                                        "[[1,\"i\"],[1,\"d\"]]"};
    int64_t from = d->stride == 0 ? 0 : d->from / d->stride;
    if (is_plain(d)) {
        fuzz_int(t, from);
        return;
    }
    fuzz_open(t, '{');
    if (from != 0)
        fuzz_key_int(t, "c", from);
    fuzz_key(t, "t");
    if (d->moving != 0) {
        fuzz_raw(t, terms[d->moving]);
    } else {
        fuzz_open(t, '[');
        fuzz_open(t, '[');
        fuzz_int(t, d->per_block);
        fuzz_string(t, "block");
        fuzz_close(t);
        fuzz_close(t);
    }
    fuzz_close(t);
}

static void put_dtype(fuzz_text *t, uint32_t elem)
{
    static const char *const names[] = {"int8", "fp16", "fp32", "int64"};
    uint32_t log = elem == 1 ? 0 : elem == 2 ? 1 : elem == 4 ? 2 : 3;
    fuzz_key_string(t, "dtype", names[log]);
}

static void put_form(fuzz_text *t, const form *f, bool short_form)
{
    fuzz_key_int(t, "elem", f->elem);
    if (f->base != 0 || !short_form)
        fuzz_key_int(t, "base", f->base);
    if (f->count == 0 && short_form)
        return;
    fuzz_key(t, "dims");
    fuzz_open(t, '[');
    for (uint32_t i = 0; i < f->count; i++) {
        fuzz_open(t, '[');
        fuzz_int(t, f->dims[i].count);
        fuzz_int(t, f->dims[i].stride);
        put_offset(t, &f->dims[i]);
        fuzz_close(t);
    }
    fuzz_close(t);
}

void fuzz_graph_region(graph_regions *r, const graph_arg *arg, graph_box box,
                       bool view)
{
    const graph_buffer *b = &r->g->buffers[arg->buffer];
    form f = {.base = 0};
    uint64_t choice = fuzz_below(&r->random, 4);
    fill(&f, b, arg, box, view, choice != 0);
    vary(&f, r);
    fuzz_open(r->text, '{');
    if (view && choice == 1)
        put_dtype(r->text, b->elem);
    put_form(r->text, &f, choice >= 2);
    fuzz_close(r->text);
}
