/* Constant regions as sorted runs of bytes. */
#include "region.h"

#include <stdlib.h>

#define MAX_ROWS 65536

#define FEW 64

/* What most regions have needs no memory that there may not be. */
typedef struct rows {
    oracle_span *span;
    size_t count;
    oracle_span few[FEW];
} rows;

static void free_rows(rows *r)
{
    if (r->span != r->few) {
        free(r->span);
    }
}

static bool count_rows(const oracle_box *box, size_t *count)
{
    *count = 1;
    for (uint32_t i = 0; i + 1 < box->count; i++) {
        int64_t n = box->dim[i].count.c;
        if (n <= 0) {
            *count = 0;
            return true;
        }
        if (n > MAX_ROWS || *count * (size_t)n > MAX_ROWS) {
            return false;
        }
        *count *= (size_t)n;
    }
    return true;
}

static int by_begin(const void *a, const void *b)
{
    int64_t x = ((const oracle_span *)a)->begin;
    int64_t y = ((const oracle_span *)b)->begin;
    return (x > y) - (x < y);
}

/* Sorts when needed and joins what touches. */
static void join(rows *r)
{
    bool sorted = true;
    for (size_t i = 1; i < r->count && sorted; i++) {
        sorted = r->span[i - 1].begin <= r->span[i].begin;
    }
    if (!sorted) {
        qsort(r->span, r->count, sizeof *r->span, by_begin);
    }
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++) {
        oracle_span *last = kept == 0 ? NULL : &r->span[kept - 1];
        if (last != NULL && r->span[i].begin <= last->end) {
            if (r->span[i].end > last->end) {
                last->end = r->span[i].end;
            }
        } else {
            r->span[kept++] = r->span[i];
        }
    }
    r->count = kept;
}

static bool make_rows(const oracle_box *box, rows *r)
{
    int64_t run = box->dim[box->count - 1].count.c;
    uint32_t outer = box->count - 1;
    int64_t x[ORACLE_MAX_DIMS] = {0};
    r->span = NULL;
    if (!count_rows(box, &r->count)) {
        return false;
    }
    if (run <= 0 || box->empty) {
        r->count = 0;
    }
    r->span = r->count <= FEW ? r->few : malloc(r->count * sizeof *r->span);
    if (r->span == NULL) {
        return false;
    }
    for (size_t i = 0; i < r->count; i++) {
        __int128 at = box->base.c;
        for (uint32_t d = 0; d < outer; d++) {
            at += (__int128)x[d] * box->dim[d].stride;
        }
        if (at < INT64_MIN || at > INT64_MAX - run) {
            return false;
        }
        r->span[i] = (oracle_span){true, (int64_t)at, (int64_t)at + run};
        for (uint32_t d = outer; d-- > 0;) {
            if (++x[d] < box->dim[d].count.c) {
                break;
            }
            x[d] = 0;
        }
    }
    join(r);
    return true;
}

static bool make_both(const oracle_box *a, const oracle_box *b, rows *x,
                      rows *y)
{
    y->span = NULL;
    if (make_rows(a, x) && make_rows(b, y)) {
        return true;
    }
    free_rows(x);
    free_rows(y);
    return false;
}

/* The next pair of runs that meet, from (*i, *j) on. */
static bool next_common(const rows *x, const rows *y, size_t *i, size_t *j)
{
    while (*i < x->count && *j < y->count) {
        if (x->span[*i].end <= y->span[*j].begin) {
            ++*i;
        } else if (y->span[*j].end <= x->span[*i].begin) {
            ++*j;
        } else {
            return true;
        }
    }
    return false;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* From the first common byte to the end of the last. */
static bool common_of(const rows *x, const rows *y, oracle_span *common)
{
    size_t i = 0;
    size_t j = 0;
    *common = (oracle_span){0};
    while (next_common(x, y, &i, &j)) {
        int64_t begin = larger(x->span[i].begin, y->span[j].begin);
        int64_t end = smaller(x->span[i].end, y->span[j].end);
        if (!common->bounded) {
            *common = (oracle_span){true, begin, end};
        }
        common->end = end;
        if (x->span[i].end < y->span[j].end) {
            i++;
        } else {
            j++;
        }
    }
    return common->bounded;
}

bool oracle_rows_meet(const oracle_box *a, const oracle_box *b, bool *meet,
                      oracle_span *common)
{
    rows x;
    rows y;
    if (!make_both(a, b, &x, &y)) {
        return false;
    }
    size_t i = 0;
    size_t j = 0;
    *meet = common == NULL ? next_common(&x, &y, &i, &j)
                           : common_of(&x, &y, common);
    free_rows(&x);
    free_rows(&y);
    return true;
}

bool oracle_rows_cover(const oracle_box *a, const oracle_box *b, bool *covers)
{
    rows x;
    rows y;
    if (!make_both(a, b, &x, &y)) {
        return false;
    }
    size_t i = 0;
    *covers = true;
    for (size_t j = 0; j < y.count && *covers; j++) {
        while (i < x.count && x.span[i].end < y.span[j].end) {
            i++;
        }
        *covers = i < x.count && x.span[i].begin <= y.span[j].begin;
    }
    free_rows(&x);
    free_rows(&y);
    return true;
}

/* Adds the rows of a place. */
static bool add_rows(rows *all, const oracle_document *document,
                     oracle_place place)
{
    oracle_frame frame = {.document = document};
    oracle_box box;
    rows r = {.span = NULL};
    bool ok = oracle_place_extent(document, place) == ORACLE_EXTENT_CONSTANT &&
              oracle_box_make(&frame, 0, place, &box) == ORACLE_MADE &&
              make_rows(&box, &r) && all->count + r.count <= MAX_ROWS;
    oracle_span *grown =
        ok ? realloc(all->span, (all->count + r.count + 1) * sizeof *grown)
           : NULL;
    if (grown != NULL) {
        all->span = grown;
        for (size_t i = 0; i < r.count; i++) {
            all->span[all->count++] = r.span[i];
        }
    }
    free_rows(&r);
    return grown != NULL;
}

bool oracle_places_fill(const oracle_document *document,
                        const oracle_place *parts, uint32_t count,
                        oracle_place whole)
{
    rows x = {.span = NULL}, y = {.span = NULL};
    bool fills = add_rows(&y, document, whole);
    for (uint32_t i = 0; fills && i < count; i++) {
        fills = add_rows(&x, document, parts[i]);
    }
    if (fills) {
        join(&x);
    }
    size_t i = 0;
    for (size_t j = 0; fills && j < y.count; j++) {
        while (i < x.count && x.span[i].end < y.span[j].end) {
            i++;
        }
        fills = i < x.count && x.span[i].begin <= y.span[j].begin;
    }
    free_rows(&x);
    free_rows(&y);
    return fills;
}
