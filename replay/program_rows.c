/* The bytes of a region: a box of rows, from the outermost dimension inwards.
 */
#include "program_work.h"

#include <stdlib.h>

#define MOST_DIMS 64

typedef struct side {
    int64_t stride, count; /* at least 1, at least 2 */
} side;

/* Without dimensions that do nothing; strides fall, all different. */
typedef struct box {
    int64_t base, run;
    side dims[MOST_DIMS];
    uint32_t count;
    bool empty;
} box;

/* False: too many dimensions. */
static bool put_dim(box *b, int64_t stride, int64_t count)
{
    uint32_t at = b->count;
    while (at > 0 && b->dims[at - 1].stride < stride) {
        at--;
    }
    if (at > 0 && b->dims[at - 1].stride == stride) {
        return !__builtin_add_overflow(b->dims[at - 1].count, count - 1,
                                       &b->dims[at - 1].count);
    }
    if (b->count == MOST_DIMS) {
        return false;
    }
    for (uint32_t i = b->count++; i > at; i--) {
        b->dims[i] = b->dims[i - 1];
    }
    b->dims[at] = (side){stride, count};
    return true;
}

/* Dimensions that leave no gap are one run of bytes. False: beyond 64 bits. */
static bool join_dims(box *b)
{
    while (b->count > 0 && b->dims[b->count - 1].stride <= b->run) {
        const side *last = &b->dims[--b->count];
        int64_t width;
        if (__builtin_mul_overflow(last->count - 1, last->stride, &width) ||
            __builtin_add_overflow(b->run, width, &b->run)) {
            return false;
        }
    }
    int64_t end = b->run;
    for (uint32_t i = 0; i < b->count; i++) {
        int64_t width;
        if (__builtin_mul_overflow(b->dims[i].count - 1, b->dims[i].stride,
                                   &width) ||
            __builtin_add_overflow(end, width, &end)) {
            return false;
        }
    }
    return !__builtin_add_overflow(b->base, end, &end);
}

static bool make_dim(box *b, const replay_maker *maker, const oracle_dim *dim)
{
    int64_t count, offset, by, stride = dim->stride;
    if (!replay_value_of(&count, maker->d, dim->count, maker->values) ||
        !replay_value_of(&offset, maker->d, dim->offset, maker->values) ||
        __builtin_mul_overflow(offset, stride, &by) ||
        __builtin_add_overflow(b->base, by, &b->base)) {
        return false;
    }
    b->empty = b->empty || count <= 0;
    if (count <= 1 || stride == 0) {
        return true;
    }
    if (stride < 0) {
        if (stride == INT64_MIN ||
            __builtin_mul_overflow(count - 1, stride, &by) ||
            __builtin_add_overflow(b->base, by, &b->base)) {
            return false;
        }
        stride = -stride;
    }
    return put_dim(b, stride, count);
}

static bool make_box(box *b, const replay_maker *maker, uint32_t buffer,
                     const oracle_region *region)
{
    b->count = 0;
    b->empty = false;
    b->run = region->elem;
    if (!replay_value_of(&b->base, maker->d, region->base, maker->values) ||
        __builtin_add_overflow(b->base, maker->d->buffers[buffer].storage_at,
                               &b->base)) {
        return false;
    }
    for (uint32_t i = 0; i < region->count; i++) {
        if (!make_dim(b, maker, &maker->d->dims[region->first + i])) {
            return false;
        }
    }
    return b->empty || join_dims(b);
}

static int by_begin(const void *a, const void *b)
{
    const replay_row *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Sorts the rows from `first` on, and joins those that touch. */
static void join_rows(replay_rows *rows, uint32_t first)
{
    uint32_t kept = first;
    qsort(rows->rows + first, rows->count - first, sizeof *rows->rows,
          by_begin);
    for (uint32_t i = first; i < rows->count; i++) {
        replay_row row = rows->rows[i];
        if (kept > first && row.begin <= rows->rows[kept - 1].end) {
            if (row.end > rows->rows[kept - 1].end) {
                rows->rows[kept - 1].end = row.end;
            }
        } else {
            rows->rows[kept++] = row;
        }
    }
    rows->count = kept;
}

/* Goes through all rows of the box, the innermost dimension first. */
static void put_rows(replay_rows *rows, const box *b, uint64_t total)
{
    int64_t at[MOST_DIMS] = {0}, begin = b->base;
    uint32_t first = rows->count;
    bool rising = true;
    for (uint64_t n = 0; n < total; n++) {
        if (rows->count > first) {
            rising = rising && begin > rows->rows[rows->count - 1].end;
        }
        rows->rows[rows->count++] = (replay_row){begin, begin + b->run};
        for (uint32_t i = b->count; i-- > 0;) {
            if (++at[i] < b->dims[i].count) {
                begin += b->dims[i].stride;
                break;
            }
            begin -= (at[i] - 1) * b->dims[i].stride;
            at[i] = 0;
        }
    }
    if (!rising) {
        join_rows(rows, first);
    }
}

replay_status replay_rows_add(replay_maker *maker, uint32_t buffer,
                              uint32_t region)
{
    box b;
    uint64_t total = 1;
    if (!make_box(&b, maker, buffer, &maker->d->regions[region])) {
        return replay_fail(maker->error, REPLAY_RANGE, -1,
                           "a region of %.200s lies beyond 64 bits",
                           maker->d->buffers[buffer].key.data);
    }
    for (uint32_t i = 0; i < b.count && total <= REPLAY_MOST_ROWS; i++) {
        uint64_t count = (uint64_t)b.dims[i].count;
        total = count > REPLAY_MOST_ROWS ? count : total * count;
    }
    total = b.empty ? 0 : total;
    if (total + maker->rows.count > REPLAY_MOST_ROWS) {
        return replay_fail(maker->error, REPLAY_RANGE, -1,
                           "the regions up to one of %.200s have more than "
                           "16,777,216 rows of bytes",
                           maker->d->buffers[buffer].key.data);
    }
    replay_row *rows = replay_grow(maker->rows.rows, &maker->rows.room,
                                   maker->rows.count, total, sizeof *rows);
    if (rows == NULL) {
        return replay_fail_memory(maker->error);
    }
    maker->rows.rows = rows;
    put_rows(&maker->rows, &b, total);
    return REPLAY_OK;
}

/* --- Views --- */

/* The rows of an argument's view, added; *whole: all of a buffer without a
 * size. */
static replay_status add_view(replay_maker *maker, const oracle_arg *arg,
                              bool *whole)
{
    const oracle_buffer *buffer = &maker->d->buffers[arg->buffer];
    *whole = arg->view == ORACLE_NONE && !buffer->has_bytes;
    if (arg->view != ORACLE_NONE) {
        return replay_rows_add(maker, arg->buffer, arg->view);
    }
    replay_row *rows = replay_grow(maker->rows.rows, &maker->rows.room,
                                   maker->rows.count, 1, sizeof *rows);
    if (rows == NULL) {
        return replay_fail_memory(maker->error);
    }
    maker->rows.rows = rows;
    if (buffer->bytes > 0) {
        rows[maker->rows.count++] = (replay_row){
            buffer->storage_at, buffer->storage_at + buffer->bytes};
    }
    return REPLAY_OK;
}

/* Two lists, one behind the other: [first, middle) and [middle, last). */
static bool rows_meet(const replay_row *rows, uint32_t first, uint32_t middle,
                      uint32_t last)
{
    uint32_t a = first, b = middle;
    while (a < middle && b < last) {
        if (rows[a].end <= rows[b].begin) {
            a++;
        } else if (rows[b].end <= rows[a].begin) {
            b++;
        } else {
            return true;
        }
    }
    return false;
}

/* The buffer that an end of the edge passes; NULL: it is not known which. */
static const oracle_arg *arg_of(const oracle_document *d, uint32_t task,
                                uint32_t arg)
{
    if (arg >= d->tasks[task].args) {
        return NULL;
    }
    const oracle_arg *found = &d->args[d->tasks[task].first_arg + arg];
    bool is_buffer =
        found->kind == ORACLE_ARG_BUFFER && found->buffer != ORACLE_NONE;
    return is_buffer ? found : NULL;
}

static replay_status pair_meets(bool *meet, replay_maker *maker,
                                const oracle_arg *a, const oracle_arg *b)
{
    const oracle_document *d = maker->d;
    if (a == NULL || b == NULL ||
        d->buffers[a->buffer].storage != d->buffers[b->buffer].storage) {
        return REPLAY_OK;
    }
    uint32_t first = maker->rows.count;
    bool whole_a, whole_b;
    replay_status status = add_view(maker, a, &whole_a);
    uint32_t middle = maker->rows.count;
    status = status == REPLAY_OK ? add_view(maker, b, &whole_b) : status;
    if (status == REPLAY_OK) {
        *meet = whole_a || whole_b ||
                rows_meet(maker->rows.rows, first, middle, maker->rows.count);
    }
    maker->rows.count = first;
    return status;
}

/* The arguments that an end may be about: [*first, *last). */
static void ends_of(const oracle_document *d, uint32_t task, uint32_t arg,
                    uint32_t *first, uint32_t *last)
{
    bool named = arg < d->tasks[task].args;
    *first = named ? arg : 0;
    *last = named ? arg + 1 : d->tasks[task].args;
}

replay_status replay_views_meet(bool *meet, replay_maker *maker,
                                const oracle_edge *edge)
{
    const oracle_document *d = maker->d;
    uint32_t a, end_a, first, end_b;
    replay_status status = REPLAY_OK;
    *meet = false;
    ends_of(d, edge->from, edge->from_arg, &a, &end_a);
    ends_of(d, edge->to, edge->to_arg, &first, &end_b);
    for (; status == REPLAY_OK && !*meet && a < end_a; a++) {
        for (uint32_t b = first; status == REPLAY_OK && !*meet && b < end_b;
             b++) {
            status = pair_meets(meet, maker, arg_of(d, edge->from, a),
                                arg_of(d, edge->to, b));
        }
    }
    return status;
}
