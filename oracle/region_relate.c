/* Whether two regions meet, and whether one covers the other (spec 09). */
#include "region.h"

#include <string.h>

#define MAX_LEVELS (2 * ORACLE_MAX_DIMS)
#define MAX_FORMS (4 * MAX_LEVELS)

/*
 * The distance of two bytes, one of each box, as a sum of step * stride: per
 * stride the least and greatest step as forms. They meet where all steps can
 * be 0.
 */
typedef struct level {
    int64_t stride;
    oracle_form low, high;
} level;

typedef struct distance {
    uint32_t count;
    level level[MAX_LEVELS];
} distance;

static uint32_t find_dim(const oracle_box *box, int64_t stride)
{
    for (uint32_t i = 0; i < box->count; i++) {
        if (box->dim[i].stride == stride) {
            return i;
        }
    }
    return ORACLE_NONE;
}

static bool divides(const oracle_form *form, int64_t by)
{
    bool all = form->c % by == 0;
    for (uint32_t i = 0; i < ORACLE_MAX_VARIABLES && all; i++) {
        all = form->coef[i] % by == 0;
    }
    return all;
}

static void divide(oracle_form *form, int64_t by)
{
    form->c /= by;
    for (uint32_t i = 0; i < ORACLE_MAX_VARIABLES; i++) {
        form->coef[i] /= by;
    }
}

/*
 * A run that is whole steps of a stride of the other box becomes rows of that
 * stride, so that both have the same dimensions.
 */
static void split_runs(const oracle_frame *frame, oracle_box *box,
                       const oracle_box *other)
{
    for (uint32_t i = 0; i + 1 < other->count; i++) {
        int64_t stride = other->dim[i].stride;
        oracle_box_dim *run = &box->dim[box->count - 1];
        oracle_bound least = oracle_form_least(frame, &run->count);
        if (box->count == ORACLE_MAX_DIMS || !least.known ||
            least.value <= stride || !divides(&run->count, stride) ||
            find_dim(box, stride) != ORACLE_NONE ||
            (box->count > 1 && box->dim[box->count - 2].stride < stride)) {
            continue;
        }
        run[1] = (oracle_box_dim){1, oracle_form_constant(stride)};
        run->stride = stride;
        divide(&run->count, stride);
        box->count++;
    }
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q - (a % b < 0);
}

/* To which step a constant goes that lies between two. */
typedef enum rounding { DOWN, NEAREST, UP, ROUNDINGS } rounding;

/* Takes what a stride divides out of the rest, into the step. */
static void take(oracle_form *rest, int64_t stride, rounding way,
                 oracle_form *step)
{
    *step = oracle_form_constant(0);
    int64_t lift = way == DOWN ? 0 : way == UP ? stride - 1 : stride / 2;
    int64_t c;
    if (!__builtin_add_overflow(rest->c, lift, &c)) {
        step->c = floor_divide(c, stride);
        rest->c -= step->c * stride;
    }
    for (uint32_t i = 0; i < ORACLE_MAX_VARIABLES; i++) {
        step->coef[i] = rest->coef[i] / stride;
        rest->coef[i] %= stride;
    }
}

static bool widen(level *l, const oracle_box *box, int sign)
{
    uint32_t dim = find_dim(box, l->stride);
    if (dim == ORACLE_NONE) {
        return true;
    }
    oracle_form *end = sign > 0 ? &l->high : &l->low;
    return oracle_form_add(end, &box->dim[dim].count, sign) &&
           oracle_form_add_constant(end, -sign);
}

/* From a to b. All roundings are right; which one tells more depends. */
static bool make_distance(const oracle_box *a, const oracle_box *b,
                          rounding way, distance *d)
{
    uint32_t i = 0;
    uint32_t j = 0;
    oracle_form rest = b->base;
    if (!oracle_form_add(&rest, &a->base, -1)) {
        return false;
    }
    d->count = 0;
    while (i < a->count || j < b->count) {
        int64_t x = i < a->count ? a->dim[i].stride : 0;
        int64_t y = j < b->count ? b->dim[j].stride : 0;
        level *l = &d->level[d->count++];
        l->stride = x > y ? x : y;
        take(&rest, l->stride, way, &l->low);
        l->high = l->low;
        if (!widen(l, b, 1) || !widen(l, a, -1)) {
            return false;
        }
        i += x == l->stride;
        j += y == l->stride;
    }
    return true;
}

typedef struct range {
    bool has_low, has_high;
    __int128 low, high;
} range;

static range range_of(const oracle_frame *frame, const level *l)
{
    oracle_bound low = oracle_form_least(frame, &l->low);
    oracle_bound high = oracle_form_greatest(frame, &l->high);
    return (range){low.known, high.known, low.value, high.value};
}

static __int128 floor128(__int128 a, __int128 b)
{
    __int128 q = a / b;
    return q - (a % b < 0);
}

/* a += range * stride; an end that grows too large is no bound. */
static void add_scaled(range *a, const range *b, int64_t stride)
{
    const __int128 far = (__int128)1 << 60;
    a->has_low = a->has_low && b->has_low && b->low > -far && b->low < far;
    a->has_high = a->has_high && b->has_high && b->high > -far && b->high < far;
    if (a->has_low) {
        a->low += b->low * stride;
    }
    if (a->has_high) {
        a->high += b->high * stride;
    }
}

/*
 * From the widest stride inwards: what the inner ones can make up for leaves
 * a range of steps. None left: they never meet. One left: it is taken, and
 * the next stride is looked at.
 */
static bool steps_apart(const oracle_frame *frame, const distance *d)
{
    range step[MAX_LEVELS];
    range inner[MAX_LEVELS + 1];
    inner[d->count] = (range){true, true, 0, 0};
    for (uint32_t i = d->count; i-- > 0;) {
        step[i] = range_of(frame, &d->level[i]);
        inner[i] = inner[i + 1];
        add_scaled(&inner[i], &step[i], d->level[i].stride);
    }
    __int128 taken = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        const range *reach = &inner[i + 1];
        int64_t stride = d->level[i].stride;
        range left = step[i];
        if (reach->has_high) {
            __int128 low = -floor128(reach->high + taken, stride);
            left.low = !left.has_low || low > left.low ? low : left.low;
            left.has_low = true;
        }
        if (reach->has_low) {
            __int128 high = floor128(-(reach->low + taken), stride);
            left.high = !left.has_high || high < left.high ? high : left.high;
            left.has_high = true;
        }
        if (!left.has_low || !left.has_high) {
            return false;
        }
        if (left.low > left.high) {
            return true;
        }
        if (left.low < left.high) {
            return false;
        }
        taken += left.low * stride;
    }
    return taken != 0;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static uint64_t size_of(int64_t v)
{
    return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

/* All distances are a constant, within the runs, and multiples of one number:
 * none of them is 0. */
static bool multiples_apart(const oracle_box *a, const oracle_box *b)
{
    const oracle_form *runs[2] = {&a->dim[a->count - 1].count,
                                  &b->dim[b->count - 1].count};
    oracle_form rest = b->base;
    if (!oracle_form_is_constant(runs[0]) ||
        !oracle_form_is_constant(runs[1]) ||
        !oracle_form_add(&rest, &a->base, -1)) {
        return false;
    }
    uint64_t g = 0;
    for (uint32_t i = 0; i < ORACLE_MAX_VARIABLES; i++) {
        g = gcd(g, size_of(rest.coef[i]));
    }
    for (uint32_t i = 0; i + 1 < a->count; i++) {
        g = gcd(g, (uint64_t)a->dim[i].stride);
    }
    for (uint32_t i = 0; i + 1 < b->count; i++) {
        g = gcd(g, (uint64_t)b->dim[i].stride);
    }
    /* distances: rest.c + [1 - run of a, run of b - 1] + multiples of g */
    __int128 low = (__int128)rest.c + 1 - runs[0]->c;
    __int128 high = (__int128)rest.c + runs[1]->c - 1;
    if (g == 0) {
        return low > 0 || high < 0;
    }
    return floor128(high, (__int128)g) * (__int128)g < low;
}

/* The variables that may be picked: blocks and, unless `all`, free ones. */
static uint32_t choosable(const oracle_frame *frame, bool all)
{
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < frame->count; i++) {
        const oracle_variable *v = &frame->variable[i];
        if (v->block || (v->free && !all)) {
            chosen |= UINT32_C(1) << i;
        }
    }
    return chosen;
}

static bool meets_for(const oracle_frame *frame, const oracle_box *a,
                      const oracle_box *b, const distance *d, bool all)
{
    oracle_form forms[MAX_FORMS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        forms[count] = oracle_form_constant(0);
        if (!oracle_form_add(&forms[count++], &d->level[i].low, -1)) {
            return false;
        }
        forms[count++] = d->level[i].high;
    }
    for (uint32_t i = 0; i < a->conditions; i++) {
        forms[count++] = a->condition[i];
    }
    for (uint32_t i = 0; i < b->conditions; i++) {
        forms[count++] = b->condition[i];
    }
    return oracle_forms_solvable(frame, forms, count, choosable(frame, all));
}

static bool always_empty(const oracle_frame *frame, const oracle_box *box)
{
    for (uint32_t i = 0; i < box->conditions; i++) {
        oracle_bound most = oracle_form_greatest(frame, &box->condition[i]);
        if (most.known && most.value < 0) {
            return true;
        }
    }
    return box->empty;
}

oracle_relation oracle_boxes_relate(oracle_frame *frame, oracle_box *a,
                                    oracle_box *b)
{
    distance d;
    oracle_relation best = ORACLE_RELATION_PERHAPS;
    if (always_empty(frame, a) || always_empty(frame, b)) {
        return ORACLE_RELATION_NEVER;
    }
    bool meet;
    bool constant = oracle_box_constant(a) && oracle_box_constant(b);
    if (multiples_apart(a, b)) {
        return ORACLE_RELATION_NEVER;
    }
    split_runs(frame, a, b);
    split_runs(frame, b, a);
    for (rounding way = DOWN; way < ROUNDINGS; way++) {
        if (!make_distance(a, b, way, &d)) {
            continue;
        }
        if (steps_apart(frame, &d)) {
            return ORACLE_RELATION_NEVER;
        }
        if (meets_for(frame, a, b, &d, true)) {
            return ORACLE_RELATION_ALWAYS;
        }
        if (!constant && meets_for(frame, a, b, &d, false)) {
            best = ORACLE_RELATION_SURELY;
        }
    }
    if (constant && oracle_rows_meet(a, b, &meet, NULL)) {
        return meet ? ORACLE_RELATION_ALWAYS : ORACLE_RELATION_NEVER;
    }
    return best;
}

static bool never_negative(const oracle_frame *frame, const oracle_form *form)
{
    oracle_bound least = oracle_form_least(frame, form);
    return least.known && least.value >= 0;
}

/* Per stride, the steps of b lie within those of a. */
static bool steps_covered(const oracle_frame *frame, const oracle_box *a,
                          const oracle_box *b, const distance *d)
{
    for (uint32_t i = 0; i < d->count; i++) {
        int64_t stride = d->level[i].stride;
        uint32_t in_a = find_dim(a, stride);
        uint32_t in_b = find_dim(b, stride);
        oracle_form one = oracle_form_constant(1);
        const oracle_form *most =
            in_a == ORACLE_NONE ? &one : &a->dim[in_a].count;
        const oracle_form *own =
            in_b == ORACLE_NONE ? &one : &b->dim[in_b].count;
        /* first = low + (most - 1); the last is first + own - 1 */
        oracle_form first = d->level[i].low;
        oracle_form left = oracle_form_constant(0);
        if (!oracle_form_add(&first, most, 1) ||
            !oracle_form_add_constant(&first, -1) ||
            !oracle_form_add(&left, most, 1) ||
            !oracle_form_add(&left, &first, -1) ||
            !oracle_form_add(&left, own, -1) ||
            !never_negative(frame, &first) || !never_negative(frame, &left)) {
            return false;
        }
    }
    return true;
}

bool oracle_boxes_cover(oracle_frame *frame, oracle_box *a, oracle_box *b)
{
    distance d;
    bool covers;
    if (always_empty(frame, b)) {
        return true;
    }
    if (!oracle_box_filled(frame, a)) {
        return false;
    }
    split_runs(frame, a, b);
    split_runs(frame, b, a);
    for (rounding way = DOWN; way < ROUNDINGS; way++) {
        if (make_distance(a, b, way, &d) && steps_covered(frame, a, b, &d)) {
            return true;
        }
    }
    return oracle_box_constant(a) && oracle_box_constant(b) &&
           oracle_rows_cover(a, b, &covers) && covers;
}
