/* The bytes of places, and the atoms of a storage. */
#include "access.h"

#include <stdlib.h>
#include <string.h>

#define ROWS 65536
#define FIXED 8 /* symbols that are not free, of one region */
#define VISITS (UINT64_C(1) << 27)

typedef struct axis {
    int64_t count, stride;
} axis;

/* A region with its numbers known: `elem` bytes from `start`, along the axes */
typedef struct shape {
    int64_t start, elem;
    axis *axes; /* strides above 0, ascending; counts of at least 2 */
    uint32_t count;
    const oracle_symbol *blocks[2]; /* those that are axes: block, lane */
    bool empty, symbolic, sure, overflow;
    /* What symbols that are not free add: bytes for each unit. */
    struct {
        uint32_t symbol;
        int64_t bytes;
    } fixed[FIXED];
    uint32_t fixed_count;
} shape;

/* `coef` * `scale` bytes for each unit of a symbol that is not free. */
static void add_fixed(shape *s, uint32_t symbol, int64_t coef, int64_t scale)
{
    uint32_t i = 0;
    int64_t bytes;
    while (i < s->fixed_count && s->fixed[i].symbol != symbol) {
        i++;
    }
    if (i == FIXED || scale == 0 ||
        __builtin_mul_overflow(coef, scale, &bytes)) {
        s->sure = false;
        return;
    }
    if (i == s->fixed_count) {
        s->fixed[s->fixed_count].symbol = symbol;
        s->fixed[s->fixed_count++].bytes = 0;
    }
    s->sure = s->sure && !__builtin_add_overflow(s->fixed[i].bytes, bytes,
                                                 &s->fixed[i].bytes);
}

/* Whether two shapes move by the same bytes with all such symbols. */
static bool same_fixed(const shape *a, const shape *b)
{
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < a->fixed_count; i++) {
            uint32_t k = 0;
            while (k < b->fixed_count &&
                   b->fixed[k].symbol != a->fixed[i].symbol) {
                k++;
            }
            int64_t other = k < b->fixed_count ? b->fixed[k].bytes : 0;
            if (other != a->fixed[i].bytes) {
                return false;
            }
        }
        const shape *swapped = a;
        a = b;
        b = swapped;
    }
    return true;
}

static void add_axis(shape *s, int64_t count, int64_t stride);

/* Every value of a block symbol happens: it is one more axis. */
static int64_t add_blocks(shape *s, const oracle_symbol *symbol, int64_t coef,
                          int64_t scale)
{
    int64_t stride, last, low;
    const oracle_symbol **axis_of = &s->blocks[s->blocks[0] != NULL];
    if (scale == 0 || *axis_of != NULL || s->blocks[0] == symbol ||
        !symbol->has_min || !symbol->has_max ||
        __builtin_mul_overflow(coef, scale, &stride) ||
        __builtin_mul_overflow(stride, symbol->step, &stride) ||
        __builtin_sub_overflow(symbol->max, symbol->min, &last) ||
        __builtin_mul_overflow(coef, symbol->min, &low)) {
        s->sure = false;
        return 0;
    }
    *axis_of = symbol;
    add_axis(s, last / symbol->step + 1, stride);
    return low;
}

/*
 * The value of a number that counts `scale` bytes each (0: not a position).
 */
static int64_t number(shape *s, const oracle_document *d, oracle_affine affine,
                      int64_t scale, const int64_t *values)
{
    int64_t sum = affine.c, product = 0;
    for (uint32_t i = 0; i < affine.count; i++) {
        const oracle_term *term = &d->terms[affine.first + i];
        const oracle_symbol *symbol = &d->symbols[term->symbol];
        if (symbol->block) {
            product = add_blocks(s, symbol, term->coef, scale);
        } else if (values == NULL) {
            s->symbolic = true;
            return 0;
        } else {
            if (!symbol->free) {
                add_fixed(s, term->symbol, term->coef, scale);
            }
            s->overflow =
                s->overflow || __builtin_mul_overflow(
                                   term->coef, values[term->symbol], &product);
        }
        if (s->overflow || __builtin_add_overflow(sum, product, &sum)) {
            s->overflow = true;
            return 0;
        }
    }
    return sum;
}

static void move(shape *s, int64_t steps, int64_t stride)
{
    int64_t bytes;
    if (__builtin_mul_overflow(steps, stride, &bytes) ||
        __builtin_add_overflow(s->start, bytes, &s->start)) {
        s->overflow = true;
    }
}

static int compare_axis(const void *a, const void *b)
{
    const axis *x = a, *y = b;
    return (x->stride > y->stride) - (x->stride < y->stride);
}

static void add_axis(shape *s, int64_t count, int64_t stride)
{
    if (count <= 0) {
        s->empty = true;
    } else if (stride == INT64_MIN) {
        s->overflow = true;
    } else if (count > 1 && stride != 0) {
        if (stride < 0) {
            move(s, count - 1, stride);
        }
        s->axes[s->count++] = (axis){count, stride < 0 ? -stride : stride};
    }
}

/* The innermost axes that leave no hole become one long element. */
static void join_axes(shape *s)
{
    uint32_t joined = 0;
    qsort(s->axes, s->count, sizeof *s->axes, compare_axis);
    while (joined < s->count && s->axes[joined].stride <= s->elem) {
        int64_t bytes;
        if (__builtin_mul_overflow(s->axes[joined].count - 1,
                                   s->axes[joined].stride, &bytes) ||
            __builtin_add_overflow(s->elem, bytes, &s->elem)) {
            s->overflow = true;
            return;
        }
        joined++;
    }
    s->axes += joined;
    s->count -= joined;
}

static bool read_shape(shape *s, const oracle_document *d, oracle_place place,
                       const int64_t *values, oracle_arena *arena)
{
    const oracle_region *region = &d->regions[place.region];
    *s = (shape){.elem = region->elem, .sure = true};
    /* Each dimension, and a block and a lane, which may each come once. */
    s->axes = oracle_arena_array(arena, region->count + 2u, sizeof *s->axes);
    if (s->axes == NULL) {
        return false;
    }
    s->start = number(s, d, region->base, 1, values);
    move(s, 1, d->buffers[place.buffer].storage_at);
    for (uint32_t i = 0; i < region->count; i++) {
        const oracle_dim *dim = &d->dims[region->first + i];
        move(s, number(s, d, dim->offset, dim->stride, values), dim->stride);
        add_axis(s, number(s, d, dim->count, 0, values), dim->stride);
    }
    if (!s->overflow) {
        join_axes(s);
    }
    return true;
}

static uint64_t rows_of(const shape *s)
{
    uint64_t rows = 1;
    for (uint32_t i = 0; i < s->count; i++) {
        if ((uint64_t)s->axes[i].count > ROWS / rows) {
            return ROWS + 1;
        }
        rows *= (uint64_t)s->axes[i].count;
    }
    return rows;
}

static int compare_interval(const void *a, const void *b)
{
    const oracle_interval *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static uint32_t join_intervals(oracle_interval *intervals, uint32_t count)
{
    uint32_t kept = 0;
    qsort(intervals, count, sizeof *intervals, compare_interval);
    for (uint32_t i = 1; i < count; i++) {
        if (intervals[i].begin > intervals[kept].end) {
            intervals[++kept] = intervals[i];
        } else if (intervals[i].end > intervals[kept].end) {
            intervals[kept].end = intervals[i].end;
        }
    }
    return count == 0 ? 0 : kept + 1;
}

/* Every row of the shape; false when a byte lies beyond 64 bits. */
static bool fill_rows(const shape *s, oracle_interval *intervals, uint64_t rows)
{
    for (uint64_t row = 0; row < rows; row++) {
        uint64_t left = row;
        int64_t begin = s->start, end, step;
        for (uint32_t i = 0; i < s->count; i++) {
            uint64_t count = (uint64_t)s->axes[i].count;
            if (__builtin_mul_overflow((int64_t)(left % count),
                                       s->axes[i].stride, &step) ||
                __builtin_add_overflow(begin, step, &begin)) {
                return false;
            }
            left /= count;
        }
        if (__builtin_add_overflow(begin, s->elem, &end)) {
            return false;
        }
        intervals[row] = (oracle_interval){begin, end};
    }
    return true;
}

/* What lies outside of the storage is touched by nobody. */
static uint32_t clip(const oracle_document *d, uint32_t buffer,
                     oracle_interval *intervals, uint32_t count)
{
    const oracle_buffer *root = &d->buffers[d->buffers[buffer].storage];
    int64_t end = root->has_bytes ? root->bytes : INT64_MAX;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        oracle_interval one = intervals[i];
        one.begin = one.begin < 0 ? 0 : one.begin;
        one.end = one.end > end ? end : one.end;
        if (one.begin < one.end) {
            intervals[kept++] = one;
        }
    }
    return kept;
}

static oracle_atoms_result list_rows(const shape *s, const oracle_document *d,
                                     uint32_t buffer,
                                     oracle_interval **intervals,
                                     uint32_t *count, oracle_arena *arena)
{
    uint64_t rows = rows_of(s);
    if (rows > ROWS) {
        return ORACLE_ATOMS_LARGE;
    }
    *intervals = oracle_arena_array(arena, rows, sizeof **intervals);
    if (*intervals == NULL) {
        return ORACLE_ATOMS_NO_MEMORY;
    }
    if (!fill_rows(s, *intervals, rows)) {
        return ORACLE_ATOMS_LARGE;
    }
    *count = join_intervals(*intervals, (uint32_t)rows);
    *count = clip(d, buffer, *intervals, *count);
    return ORACLE_ATOMS_DONE;
}

static oracle_atoms_result whole(const oracle_document *d, uint32_t buffer,
                                 oracle_interval **intervals, uint32_t *count,
                                 oracle_arena *arena)
{
    const oracle_buffer *b = &d->buffers[buffer];
    oracle_interval *one = oracle_arena_alloc(arena, sizeof *one);
    if (one == NULL) {
        return ORACLE_ATOMS_NO_MEMORY;
    }
    one->begin = b->storage_at;
    if (!b->has_bytes ||
        __builtin_add_overflow(one->begin, b->bytes, &one->end)) {
        one->end = INT64_MAX;
    }
    *intervals = one;
    *count = clip(d, buffer, one, 1);
    return ORACLE_ATOMS_DONE;
}

/* Whether the shape stands still when the anchor does; `failed`: no memory. */
static bool is_anchored(const shape *s, const oracle_document *d,
                        oracle_place anchor, const int64_t *values,
                        oracle_arena *arena, bool *failed)
{
    shape other = {.sure = true};
    *failed = anchor.region != ORACLE_NONE &&
              !read_shape(&other, d, anchor, values, arena);
    return !*failed && other.sure && same_fixed(s, &other);
}

/* Whether these are all bytes of the storage. */
static bool is_all(const oracle_document *d, uint32_t buffer,
                   const oracle_interval *intervals, uint32_t count)
{
    const oracle_buffer *root = &d->buffers[d->buffers[buffer].storage];
    return count == 1 && intervals->begin == 0 &&
           (root->has_bytes ? intervals->end == root->bytes
                            : intervals->end == INT64_MAX);
}

static oracle_atoms_result bound_of(const oracle_document *d, uint32_t buffer,
                                    oracle_interval **intervals,
                                    uint32_t *count, bool *sure,
                                    oracle_arena *arena)
{
    *sure = false;
    return whole(d, d->buffers[buffer].storage, intervals, count, arena);
}

static const oracle_place no_anchor = {ORACLE_NONE, ORACLE_NONE};

oracle_atoms_result
oracle_place_intervals(const oracle_document *document, oracle_place place,
                       const int64_t *values, oracle_interval **intervals,
                       uint32_t *count, bool *sure, oracle_arena *arena)
{
    return oracle_place_anchored(document, place, no_anchor, values, intervals,
                                 count, sure, arena);
}

oracle_atoms_result
oracle_place_anchored(const oracle_document *document, oracle_place place,
                      oracle_place anchor, const int64_t *values,
                      oracle_interval **intervals, uint32_t *count, bool *sure,
                      oracle_arena *arena)
{
    shape s;
    bool failed = false;
    *sure = true;
    if (place.region == ORACLE_NONE) {
        /* An alias without a size ends somewhere in its storage. */
        const oracle_buffer *b = &document->buffers[place.buffer];
        bool known = b->has_bytes || b->storage == place.buffer;
        oracle_atoms_result result =
            whole(document, known ? place.buffer : b->storage, intervals, count,
                  arena);
        shape still = {.sure = true};
        *sure = known &&
                (result != ORACLE_ATOMS_DONE ||
                 is_all(document, place.buffer, *intervals, *count) ||
                 is_anchored(&still, document, anchor, values, arena, &failed));
        if (failed) {
            return ORACLE_ATOMS_NO_MEMORY;
        }
        return *sure || result != ORACLE_ATOMS_DONE
                   ? result
                   : bound_of(document, place.buffer, intervals, count, sure,
                              arena);
    }
    if (!read_shape(&s, document, place, values, arena)) {
        return ORACLE_ATOMS_NO_MEMORY;
    }
    if (s.symbolic) {
        return ORACLE_ATOMS_SYMBOLIC;
    }
    *count = 0;
    if (s.empty && s.sure) {
        return ORACLE_ATOMS_DONE;
    }
    bool known = s.sure && !s.overflow;
    if (known && !is_anchored(&s, document, anchor, values, arena, &failed)) {
        oracle_atoms_result rows = ORACLE_ATOMS_LARGE;
        if (!failed && s.fixed_count == 0 && rows_of(&s) <= ROWS) {
            rows =
                list_rows(&s, document, place.buffer, intervals, count, arena);
        }
        if (failed || rows == ORACLE_ATOMS_NO_MEMORY) {
            return ORACLE_ATOMS_NO_MEMORY;
        }
        known = rows == ORACLE_ATOMS_DONE &&
                is_all(document, place.buffer, *intervals, *count);
    }
    return known
               ? list_rows(&s, document, place.buffer, intervals, count, arena)
               : bound_of(document, place.buffer, intervals, count, sure,
                          arena);
}

bool oracle_place_has_byte(const oracle_document *document, oracle_place place,
                           const int64_t *values, int64_t byte)
{
    oracle_arena *arena = oracle_arena_create();
    oracle_interval *intervals = NULL;
    uint32_t count = 0;
    bool has = false;
    shape s;
    if (place.region == ORACLE_NONE) {
        has = byte >= document->buffers[place.buffer].storage_at;
    } else if (arena != NULL &&
               read_shape(&s, document, place, values, arena) && !s.empty &&
               !s.overflow &&
               list_rows(&s, document, place.buffer, &intervals, &count,
                         arena) == ORACLE_ATOMS_DONE) {
        for (uint32_t i = 0; i < count; i++) {
            has =
                has || (intervals[i].begin <= byte && byte < intervals[i].end);
        }
    }
    oracle_arena_free(arena);
    return has;
}

typedef struct builder {
    const oracle_touch *touches;
    int64_t *borders; /* ascending, without repeats */
    uint32_t border_count;
    uint32_t *atom_of; /* by elementary interval, ORACLE_NONE: untouched */
    uint32_t *last;    /* by atom: the item seen last, plus 1 */
    oracle_arena *arena;
} builder;

static int compare_border(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static uint32_t border_index(const builder *b, int64_t at)
{
    uint32_t low = 0, high = b->border_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (b->borders[middle] < at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static oracle_atoms_result collect_borders(builder *b, uint32_t count)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        total += (uint64_t)b->touches[i].count * 2;
    }
    if (total >= UINT32_MAX) {
        return ORACLE_ATOMS_LARGE;
    }
    b->borders = oracle_arena_array(b->arena, total, sizeof *b->borders);
    if (b->borders == NULL) {
        return ORACLE_ATOMS_NO_MEMORY;
    }
    uint32_t n = 0, kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < b->touches[i].count; k++) {
            b->borders[n++] = b->touches[i].intervals[k].begin;
            b->borders[n++] = b->touches[i].intervals[k].end;
        }
    }
    qsort(b->borders, n, sizeof *b->borders, compare_border);
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || b->borders[i] != b->borders[i - 1]) {
            b->borders[kept++] = b->borders[i];
        }
    }
    b->border_count = kept;
    return ORACLE_ATOMS_DONE;
}

static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/*
 * The set of accesses on each elementary interval as one number: the sum of
 * what is mixed from each. Equal sums are taken as equal sets: two sets of one
 * document that happen to agree are not to be expected with 64 bits.
 */
static uint64_t *hash_sets(builder *b, uint32_t count)
{
    uint64_t *sums =
        oracle_arena_array(b->arena, b->border_count, sizeof *sums);
    for (uint32_t i = 0; sums != NULL && i < count; i++) {
        for (uint32_t k = 0; k < b->touches[i].count; k++) {
            sums[border_index(b, b->touches[i].intervals[k].begin)] += mix(i);
            sums[border_index(b, b->touches[i].intervals[k].end)] -= mix(i);
        }
    }
    for (uint32_t s = 1; sums != NULL && s < b->border_count; s++) {
        sums[s] += sums[s - 1];
    }
    return sums;
}

typedef struct segment {
    uint64_t sum;
    uint32_t index;
} segment;

static int compare_segment(const void *a, const void *b)
{
    const segment *x = a, *y = b;
    if (x->sum != y->sum) {
        return x->sum < y->sum ? -1 : 1;
    }
    return (x->index > y->index) - (x->index < y->index);
}

/* Numbers the distinct sets by their first interval. */
static bool number_atoms(builder *b, oracle_atoms *atoms, const uint64_t *sums)
{
    uint32_t n = b->border_count, used = 0;
    segment *segments = oracle_arena_array(b->arena, n, sizeof *segments);
    uint32_t *first = oracle_arena_array(b->arena, n, sizeof *first);
    b->atom_of = oracle_arena_array(b->arena, n, sizeof *b->atom_of);
    if (segments == NULL || first == NULL || b->atom_of == NULL) {
        return false;
    }
    for (uint32_t s = 0; s < n; s++) {
        segments[s] = (segment){sums[s], s};
        b->atom_of[s] = ORACLE_NONE;
    }
    qsort(segments, n, sizeof *segments, compare_segment);
    for (uint32_t i = 0; i < n; i++) {
        bool same = i > 0 && segments[i].sum == segments[i - 1].sum;
        first[segments[i].index] =
            same ? first[segments[i - 1].index] : segments[i].index;
    }
    atoms->atoms = oracle_arena_array(b->arena, n, sizeof *atoms->atoms);
    if (atoms->atoms == NULL) {
        return false;
    }
    for (uint32_t s = 0; s + 1 < n; s++) {
        if (sums[s] == 0) {
            continue;
        }
        if (first[s] == s) {
            atoms->atoms[used].interval =
                (oracle_interval){b->borders[s], b->borders[s + 1]};
            b->atom_of[s] = used++;
        } else {
            b->atom_of[s] = b->atom_of[first[s]];
        }
        atoms->atoms[b->atom_of[s]].end = b->borders[s + 1];
    }
    atoms->count = used;
    return true;
}

/*
 * Two passes over what each item touches: count, then fill. False when it is
 * too much.
 */
static bool visit(builder *b, oracle_atoms *atoms, const uint32_t *list,
                  uint32_t count, bool fill)
{
    uint64_t visits = 0;
    memset(b->last, 0, (size_t)atoms->count * sizeof *b->last);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < b->touches[i].count; k++) {
            uint32_t s = border_index(b, b->touches[i].intervals[k].begin);
            int64_t end = b->touches[i].intervals[k].end;
            for (; b->borders[s] < end; s++) {
                uint32_t atom = b->atom_of[s];
                if (++visits > VISITS) {
                    return false;
                }
                if (b->last[atom] == i + 1) {
                    continue;
                }
                b->last[atom] = i + 1;
                oracle_atom *a = &atoms->atoms[atom];
                if (fill) {
                    atoms->touching[a->first + a->count] = list[i];
                }
                a->count++;
            }
        }
    }
    return true;
}

static oracle_atoms_result fill_atoms(builder *b, oracle_atoms *atoms,
                                      const uint32_t *list, uint32_t count)
{
    uint32_t total = 0;
    b->last = oracle_arena_array(b->arena, atoms->count, sizeof *b->last);
    if (b->last == NULL) {
        return ORACLE_ATOMS_NO_MEMORY;
    }
    if (!visit(b, atoms, list, count, false)) {
        return ORACLE_ATOMS_LARGE;
    }
    for (uint32_t a = 0; a < atoms->count; a++) {
        atoms->atoms[a].first = total;
        total += atoms->atoms[a].count; /* at most VISITS */
        atoms->atoms[a].count = 0;
    }
    atoms->touching = oracle_arena_array(b->arena, total, sizeof(uint32_t));
    if (atoms->touching == NULL) {
        return ORACLE_ATOMS_NO_MEMORY;
    }
    visit(b, atoms, list, count, true);
    return ORACLE_ATOMS_DONE;
}

oracle_atoms_result oracle_atoms_group(oracle_atoms *atoms,
                                       const oracle_touch *touches,
                                       const uint32_t *list, uint32_t count,
                                       oracle_arena *arena)
{
    builder b = {.touches = touches, .arena = arena};
    *atoms = (oracle_atoms){0};
    oracle_atoms_result result = collect_borders(&b, count);
    if (result != ORACLE_ATOMS_DONE) {
        return result;
    }
    uint64_t *sums = hash_sets(&b, count);
    if (sums == NULL || !number_atoms(&b, atoms, sums)) {
        return ORACLE_ATOMS_NO_MEMORY;
    }
    return fill_atoms(&b, atoms, list, count);
}

/* Whether all accesses are at one place. */
static bool one_place(const oracle_items *items, const uint32_t *list,
                      uint32_t count)
{
    const oracle_place *first = count == 0 ? NULL : &items->items[*list].place;
    bool one = count > 0;
    for (uint32_t i = 1; one && i < count; i++) {
        const oracle_place *place = &items->items[list[i]].place;
        one = place->buffer == first->buffer && place->region == first->region;
    }
    return one;
}

/* The one atom of such accesses, or none where the place is empty. */
static oracle_atoms_result only_atom(oracle_atoms *atoms,
                                     const oracle_touch *touch,
                                     const uint32_t *list, uint32_t count,
                                     oracle_arena *arena)
{
    if (touch->count == 0) {
        return ORACLE_ATOMS_DONE;
    }
    if ((uint64_t)touch->count * count > VISITS) {
        return ORACLE_ATOMS_LARGE;
    }
    atoms->atoms = oracle_arena_array(arena, 1, sizeof *atoms->atoms);
    atoms->touching = oracle_arena_array(arena, count, sizeof *list);
    if (atoms->atoms == NULL || atoms->touching == NULL) {
        return ORACLE_ATOMS_NO_MEMORY;
    }
    memcpy(atoms->touching, list, count * sizeof *list);
    atoms->atoms[0] =
        (oracle_atom){.count = count,
                      .interval = touch->intervals[0],
                      .end = touch->intervals[touch->count - 1].end};
    atoms->count = 1;
    return ORACLE_ATOMS_DONE;
}

oracle_atoms_result oracle_atoms_build(oracle_atoms *atoms,
                                       const oracle_document *document,
                                       const oracle_items *items,
                                       const uint32_t *list, uint32_t count,
                                       const oracle_values *values, bool *bound,
                                       oracle_arena *arena)
{
    const oracle_place anchor = values == NULL ? no_anchor : values->anchor;
    const int64_t *numbers = values == NULL ? NULL : values->of;
    bool one = one_place(items, list, count);
    uint32_t places = one ? 1 : count;
    oracle_touch *touches = oracle_arena_array(arena, places, sizeof *touches);
    *atoms = (oracle_atoms){0};
    if (touches == NULL) {
        return ORACLE_ATOMS_NO_MEMORY;
    }
    for (uint32_t i = 0; i < places; i++) {
        bool sure;
        oracle_atoms_result result = oracle_place_anchored(
            document, items->items[list[i]].place, anchor, numbers,
            &touches[i].intervals, &touches[i].count, &sure, arena);
        if (result != ORACLE_ATOMS_DONE) {
            return result;
        }
        bound[list[i]] = !sure;
    }
    if (!one) {
        return oracle_atoms_group(atoms, touches, list, count, arena);
    }
    for (uint32_t i = 1; i < count; i++) {
        bound[list[i]] = bound[list[0]];
    }
    return only_atom(atoms, touches, list, count, arena);
}

/* The bytes that a place may touch: its rows, else from the first to the last.
 */
static oracle_atoms_result hull_of(const oracle_document *d, oracle_place place,
                                   oracle_touch *touch, oracle_arena *arena)
{
    bool sure;
    oracle_atoms_result result = oracle_place_intervals(
        d, place, NULL, &touch->intervals, &touch->count, &sure, arena);
    if (result != ORACLE_ATOMS_SYMBOLIC && result != ORACLE_ATOMS_LARGE) {
        return result;
    }
    oracle_span span = oracle_place_span(d, place);
    oracle_interval *one = oracle_arena_alloc(arena, sizeof *one);
    if (one == NULL) {
        return ORACLE_ATOMS_NO_MEMORY;
    }
    *one = span.bounded ? (oracle_interval){span.begin, span.end}
                        : (oracle_interval){0, INT64_MAX};
    touch->intervals = one;
    touch->count = clip(d, place.buffer, one, 1);
    return ORACLE_ATOMS_DONE;
}

oracle_atoms_result oracle_atoms_hull(oracle_atoms *atoms,
                                      const oracle_document *document,
                                      const oracle_items *items,
                                      const uint32_t *list, uint32_t count,
                                      oracle_arena *arena)
{
    oracle_touch *touches = oracle_arena_array(arena, count, sizeof *touches);
    *atoms = (oracle_atoms){0};
    if (touches == NULL) {
        return ORACLE_ATOMS_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        oracle_atoms_result result =
            hull_of(document, items->items[list[i]].place, &touches[i], arena);
        if (result != ORACLE_ATOMS_DONE) {
            return result;
        }
    }
    return oracle_atoms_group(atoms, touches, list, count, arena);
}
