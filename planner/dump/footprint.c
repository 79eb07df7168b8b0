#include "footprint.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

/* Boxes kept for one argument and mode; more become its whole view. */
enum { MAX_BOXES = 64 };

void footprint_free(footprint *f)
{
    free(f->boxes);
    free(f->stores);
    free(f->loads);
    free(f->own);
    memset(f, 0, sizeof *f);
}

void footprint_clear(footprint *f)
{
    f->count = 0;
    f->store_count = 0;
    f->load_count = 0;
    f->own_count = 0;
}

void footprint_add_own(footprint *f, const view *own)
{
    if (!array_grow(&f->own, f->own_count, &f->own_capacity, sizeof *f->own)) {
        f->failed = true;
        return;
    }
    f->own[f->own_count++] = *own;
}

/* a lies inside b, dimension by dimension, in the same frame. */
static bool is_inside(affine_pool *pool, const view *a, const view *b)
{
    if (a->arg != b->arg || a->rank != b->rank ||
        !affine_equal(pool, a->base, b->base))
        return false;
    for (uint32_t i = 0; i < a->rank; i++) {
        const view_dim *x = &a->dim[i], *y = &b->dim[i];
        affine before = affine_sub(pool, x->offset, y->offset);
        affine end_x = affine_add(pool, x->offset, x->count);
        affine end_y = affine_add(pool, y->offset, y->count);
        if (x->stride != y->stride || !affine_at_least(pool, before, 0) ||
            !affine_at_least(pool, affine_sub(pool, end_y, end_x), 0))
            return false;
    }
    return true;
}

/*
 * Makes b the union of a and b when that is a box: they differ in one
 * dimension with constant borders, where they touch or overlap.
 */
static bool join(const affine_pool *pool, const view *a, view *b)
{
    uint32_t differs = UINT32_MAX;
    if (a->rank != b->rank || !affine_equal(pool, a->base, b->base))
        return false;
    for (uint32_t i = 0; i < a->rank; i++) {
        const view_dim *x = &a->dim[i], *y = &b->dim[i];
        if (x->stride != y->stride)
            return false;
        if (affine_equal(pool, x->offset, y->offset) &&
            affine_equal(pool, x->count, y->count))
            continue;
        if (differs != UINT32_MAX || !affine_is_const(x->offset) ||
            !affine_is_const(y->offset) || !affine_is_const(x->count) ||
            !affine_is_const(y->count))
            return false;
        differs = i;
    }
    if (differs == UINT32_MAX)
        return true;
    const view_dim *x = &a->dim[differs];
    view_dim *y = &b->dim[differs];
    int64_t end_x = x->offset.c + x->count.c, end_y = y->offset.c + y->count.c;
    if (x->offset.c > end_y || y->offset.c > end_x)
        return false;
    int64_t begin = x->offset.c < y->offset.c ? x->offset.c : y->offset.c;
    y->offset.c = begin;
    y->count.c = (end_x > end_y ? end_x : end_y) - begin;
    return true;
}

/* old makes a new box of the same argument and mode superfluous. */
static bool holds(affine_pool *pool, const foot_box *old, const foot_box *box)
{
    bool as_sure = (old->must || !box->must) && (old->exact || !box->exact);
    return as_sure && (old->all || (!box->all &&
                                    is_inside(pool, &box->place, &old->place)));
}

static void add_box(footprint *f, affine_pool *pool, foot_box box)
{
    uint32_t alike = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        foot_box *old = &f->boxes[i];
        if (old->arg != box.arg || old->mode != box.mode)
            continue;
        if (holds(pool, old, &box))
            return;
        alike++;
        bool joined =
            holds(pool, &box, old) ||
            (!old->all && !box.all && old->must == box.must &&
             old->exact == box.exact && join(pool, &old->place, &box.place));
        if (!joined)
            continue;
        memmove(old, old + 1, (f->count - i - 1) * sizeof *old);
        f->count--;
        i = UINT32_MAX; /* the larger box may join others: once more */
        alike = 0;
    }
    if (alike >= MAX_BOXES)
        box.all = true, box.must = box.exact = false;
    if (!array_grow(&f->boxes, f->count, &f->capacity, sizeof *f->boxes)) {
        f->failed = true;
        return;
    }
    f->boxes[f->count++] = box;
}

void footprint_touch_all(footprint *f, uint32_t arg, graph_mode mode, bool must,
                         bool exact)
{
    for (uint32_t i = 0; i < f->count; i++) {
        foot_box *old = &f->boxes[i];
        if (old->arg == arg && old->mode == mode && old->all &&
            (old->must || !must) && (old->exact || !exact))
            return;
    }
    foot_box box = {arg, mode, must, exact, true, {0}};
    if (!array_grow(&f->boxes, f->count, &f->capacity, sizeof *f->boxes)) {
        f->failed = true;
        return;
    }
    f->boxes[f->count++] = box;
}

/* The view's own dimensions narrowed to the box, symbols left in. */
static view narrow(affine_pool *pool, const foot_touch *t)
{
    view place = *t->view;
    for (uint32_t i = 0; i < place.rank; i++) {
        affine at = t->at[i];
        if (place.type->halved && i + 1 == place.rank)
            at = affine_floordiv(pool, at, affine_const(2));
        place.dim[i].offset = affine_add(pool, place.dim[i].offset, at);
        place.dim[i].count = view_units(pool, t->view, i, t->size[i]);
    }
    return place;
}

/* What a load names behind the end of its view is not loaded. */
static view cut_end(view place, const view *from)
{
    for (uint32_t i = 0; i < place.rank; i++) {
        view_dim *x = &place.dim[i];
        const view_dim *y = &from->dim[i];
        int64_t end, limit;
        if (affine_is_const(x->offset) && affine_is_const(x->count) &&
            affine_is_const(y->offset) && affine_is_const(y->count) &&
            !__builtin_add_overflow(x->offset.c, x->count.c, &end) &&
            !__builtin_add_overflow(y->offset.c, y->count.c, &limit) &&
            end > limit && limit >= x->offset.c)
            x->count.c = limit - x->offset.c;
    }
    return place;
}

static bool is_stored(footprint *f, affine_pool *pool, const view *place)
{
    for (uint32_t i = 0; i < f->store_count; i++) {
        const foot_store *s = &f->stores[i];
        if (!s->rests && s->place.arg == place->arg &&
            (s->all || is_inside(pool, place, &s->place)))
            return true;
    }
    return false;
}

/* A part of a dimension that surely lies inside it, symbols left in. */
static bool lies_inside(affine_pool *pool, const view_dim *part,
                        const view_dim *dim)
{
    affine before = affine_sub(pool, part->offset, dim->offset);
    affine over =
        affine_sub(pool, affine_add(pool, before, part->count), dim->count);
    return affine_at_least(pool, before, 0) && affine_never_above(pool, over);
}

static void keep_store(footprint *f, foot_store s)
{
    if (!array_grow(&f->stores, f->store_count, &f->store_capacity,
                    sizeof *f->stores)) {
        f->failed = true;
        return;
    }
    f->stores[f->store_count++] = s;
}

/* Stores that make a box together; each is kept behind its parts. */
enum { MAX_UNIONS = 8, MAX_STORES = 64 };

static void keep_unions(footprint *f, affine_pool *pool, uint32_t last)
{
    uint32_t first = last > MAX_STORES ? last - MAX_STORES : 0;
    for (uint32_t n = 0; n < MAX_UNIONS && !f->failed; n++) {
        foot_store s = f->stores[n == 0 ? last : f->store_count - 1];
        bool grown = false;
        for (uint32_t i = last; !grown && i-- > first;) {
            const foot_store *old = &f->stores[i];
            view both = s.place;
            grown = !old->rests && !old->all && old->place.arg == s.place.arg &&
                    view_same(pool, &old->from, &s.from) &&
                    join(pool, &old->place, &both) &&
                    !is_inside(pool, &both, &s.place);
            if (grown)
                s.place = both;
        }
        if (!grown)
            return;
        keep_store(f, s);
    }
}

/*
 * Remembers a store when it is known what it leaves behind: all of its box,
 * inside of what it named.
 */
static void note_store(footprint *f, const view *from, const view *place,
                       bool all, affine_pool *pool)
{
    for (uint32_t i = 0; !all && i < place->rank; i++)
        if (!lies_inside(pool, &place->dim[i], &from->dim[i]))
            return;
    keep_store(f, (foot_store){*from, *place, all, false});
    if (!all)
        keep_unions(f, pool, f->store_count - 1);
}

/* All of the argument's view, element for element. */
static bool is_everything(const footprint *f, affine_pool *pool,
                          const foot_touch *t)
{
    if (!view_same(pool, t->view, &f->own[t->view->arg]))
        return false;
    for (uint32_t i = 0; i < t->view->rank; i++) {
        affine size = view_units(pool, t->view, i, t->size[i]);
        affine more = affine_sub(pool, size, t->view->dim[i].count);
        if (!affine_is_const(t->at[i]) || t->at[i].c != 0 ||
            !affine_at_least(pool, more, 0))
            return false;
    }
    return true;
}

/* One local symbol of an offset: how far it moves the box, in one dimension. */
typedef struct mover {
    int64_t step, span; /* distance of neighbours; of the first and last */
} mover;

typedef struct hull {
    affine lo, count;
    bool whole; /* nothing is known: the whole dimension */
    bool holes;
} hull;

static bool takes_all(const affine_symbol *s, bool lanes)
{
    return s->has_min && s->has_max &&
           (s->kind == AFFINE_INDEX || s->kind == AFFINE_BLOCK ||
            (s->kind == AFFINE_LANE && lanes));
}

/* Inserts in ascending order of step; n movers are there. */
static void insert(mover *movers, uint32_t n, mover m)
{
    for (; n > 0 && movers[n - 1].step > m.step; n--)
        movers[n] = movers[n - 1];
    movers[n] = m;
}

/* The hull of [offset, offset + size) over the local symbols. */
static hull hull_of(affine_pool *pool, affine offset, affine size,
                    const foot_touch *t)
{
    mover movers[32];
    uint32_t n = 0;
    hull h = {offset, size, true, true};
    affine lo = affine_const(offset.c);
    int64_t span = 0, width = 0;
    bool holes = false;
    affine_range r = affine_bounds(pool, size);
    if (affine_has_from(pool, size, t->local)) {
        if (!r.has_max)
            return h;
        size = affine_const(r.max);
        holes = true;
    } else if (r.has_min) {
        width = r.min;
    }
    for (uint32_t i = 0; i < offset.count; i++) {
        affine_term term = pool->terms[offset.first + i];
        affine_symbol s = pool->symbols[term.symbol];
        affine one = {0, offset.first + i, 1};
        if (term.symbol < t->local) {
            lo = affine_add(pool, lo, one);
            continue;
        }
        affine_range b = affine_bounds(pool, one);
        int64_t step;
        if (!b.has_min || !b.has_max || n == 32 ||
            __builtin_mul_overflow(term.coef < 0 ? -term.coef : term.coef,
                                   s.step, &step) ||
            __builtin_add_overflow(span, b.max - b.min, &span))
            return h;
        lo = affine_add(pool, lo, affine_const(b.min));
        insert(movers, n++, (mover){step, b.max - b.min});
        holes = holes || !takes_all(&s, t->lanes);
    }
    for (uint32_t i = 0; i < n; i++) {
        holes = holes || movers[i].step > width;
        if (__builtin_add_overflow(width, movers[i].span, &width))
            return h;
    }
    h.lo = lo;
    h.count = affine_add(pool, size, affine_const(span));
    h.holes = holes;
    h.whole = false;
    return h;
}

/* A local symbol that moves two dimensions leaves holes (a diagonal). */
static bool moves_two(const affine_pool *pool, const view *place,
                      uint32_t local)
{
    for (uint32_t i = 0; i < place->rank; i++) {
        affine a = place->dim[i].offset;
        for (uint32_t k = 0; k < a.count; k++) {
            uint32_t symbol = pool->terms[a.first + k].symbol;
            for (uint32_t j = i + 1; symbol >= local && j < place->rank; j++) {
                affine b = place->dim[j].offset;
                for (uint32_t l = 0; l < b.count; l++)
                    if (pool->terms[b.first + l].symbol == symbol)
                        return true;
            }
        }
    }
    return false;
}

/* Every value of a is one of a legal execution (spec 09, "free"). */
static bool is_free(const affine_pool *pool, affine a)
{
    bool is = true;
    for (uint32_t i = 0; i < a.count; i++) {
        affine_kind kind = pool->symbols[pool->terms[a.first + i].symbol].kind;
        is = is && (kind == AFFINE_DIMENSION || kind == AFFINE_PARAMETER ||
                    kind == AFFINE_INDEX);
    }
    return is;
}

/*
 * A hull that is not known to lie inside the dimension: what sticks out is no
 * access, and the box says where it is. It only bounds what is touched when
 * the dimension is not that of the dispatched view, to which everybody cuts,
 * or when something else decides where it ends. None is wider than that.
 */
static void bound(affine_pool *pool, hull *h, const view_dim *dim, affine lo,
                  bool dispatched)
{
    affine_range first = affine_bounds(pool, lo);
    bool behind = first.has_min && first.min >= 0;
    affine room =
        affine_sub(pool, dim->count, affine_const(behind ? first.min : 0));
    affine more = affine_sub(pool, h->count, room);
    if (affine_is_const(lo) && behind && affine_at_least(pool, more, 0)) {
        h->count = room;
        return;
    }
    h->holes = h->holes || !dispatched || !is_free(pool, dim->count);
    if (!affine_at_least(pool, more, 1))
        return;
    if (!behind)
        h->lo = dim->offset;
    h->count = room;
    h->holes = true;
}

/* Cuts a hull to the view's dimension. */
static void clip(affine_pool *pool, hull *h, const view_dim *dim,
                 bool dispatched)
{
    affine lo = affine_sub(pool, h->lo, dim->offset);
    affine over = affine_sub(pool, affine_add(pool, lo, h->count), dim->count);
    if (affine_at_least(pool, lo, 0) && affine_never_above(pool, over))
        return;
    if (!affine_is_const(lo) || !affine_is_const(over) ||
        !affine_is_const(h->count)) {
        bound(pool, h, dim, lo, dispatched);
        return;
    }
    if (lo.c < 0) {
        h->lo = dim->offset;
        h->count.c += lo.c;
    }
    if (over.c > 0)
        h->count.c -= over.c;
    if (h->count.c < 0)
        h->count.c = 0;
}

static bool has_local(const affine_pool *pool, const view *v, uint32_t local)
{
    bool found = affine_has_from(pool, v->base, local);
    for (uint32_t i = 0; i < v->rank; i++)
        found = found || affine_has_from(pool, v->dim[i].offset, local) ||
                affine_has_from(pool, v->dim[i].count, local);
    return found;
}

/* Surely behind the dimension that it is a part of. */
static bool is_behind(affine_pool *pool, const view *part, const view *of)
{
    for (uint32_t i = 0; i < part->rank; i++) {
        affine end = affine_add(pool, of->dim[i].offset, of->dim[i].count);
        affine gap = affine_sub(pool, part->dim[i].offset, end);
        if (affine_at_least(pool, gap, 0))
            return true;
    }
    return false;
}

static bool is_empty(const view *v)
{
    for (uint32_t i = 0; i < v->rank; i++)
        if (affine_is_const(v->dim[i].count) && v->dim[i].count.c <= 0)
            return true;
    return false;
}

/* Dimension i is that of the view with which the task was submitted. */
static bool same_dim(const affine_pool *pool, const view *own, const view *v,
                     uint32_t i)
{
    return own->rank == v->rank && affine_equal(pool, own->base, v->base) &&
           own->dim[i].stride == v->dim[i].stride &&
           affine_equal(pool, own->dim[i].offset, v->dim[i].offset) &&
           affine_equal(pool, own->dim[i].count, v->dim[i].count);
}

/*
 * The hull of a place over the local symbols, within the view's dimensions.
 * False when it has holes or is only a bound.
 */
static bool take_hull(affine_pool *pool, const foot_touch *t, const view *own,
                      view *place)
{
    bool exact = !moves_two(pool, place, t->local);
    for (uint32_t i = 0; i < place->rank; i++) {
        const view_dim *dim = &t->view->dim[i];
        hull h = hull_of(pool, place->dim[i].offset, place->dim[i].count, t);
        if (h.whole) {
            h = hull_of(pool, dim->offset, dim->count, t);
            h.holes = true;
        } else if (!lies_inside(pool, &place->dim[i], dim)) {
            clip(pool, &h, dim, own != NULL && same_dim(pool, own, t->view, i));
        }
        exact = exact && !h.holes;
        place->dim[i].offset = h.lo;
        place->dim[i].count = h.count;
    }
    return exact;
}

static bool same_frame(const affine_pool *pool, const view *a, const view *b)
{
    if (!a->known || !b->known || a->rank != b->rank ||
        !affine_equal(pool, a->base, b->base))
        return false;
    for (uint32_t i = 0; i < a->rank; i++)
        if (a->dim[i].stride != b->dim[i].stride)
            return false;
    return true;
}

/* Cuts a bound to the argument's view; false when only that itself is one. */
static bool cut_to_own(affine_pool *pool, const view *own, view *place)
{
    if (!same_frame(pool, own, place))
        return false;
    for (uint32_t i = 0; i < place->rank; i++) {
        hull h = {place->dim[i].offset, place->dim[i].count, false, true};
        clip(pool, &h, &own->dim[i], true);
        place->dim[i].offset = h.lo;
        place->dim[i].count = h.count;
    }
    return true;
}

/* The box of a place; false when it is empty. */
static bool make_box(const footprint *f, affine_pool *pool, const foot_touch *t,
                     view place, foot_box *box)
{
    const view *own = &f->own[place.arg];
    bool exact = take_hull(pool, t, own, &place);
    bool inside = exact || cut_to_own(pool, own, &place);
    exact = exact && t->certain;
    if (inside && (is_empty(&place) || is_behind(pool, &place, t->view)))
        return false;
    *box = (foot_box){place.arg, t->mode, exact, exact, false, place};
    box->all = !inside || (own->known && is_inside(pool, own, &place));
    if (has_local(pool, &place, t->local))
        box->all = true, box->must = box->exact = false;
    return true;
}

static void touch_box(footprint *f, affine_pool *pool, const foot_touch *t,
                      view place)
{
    foot_box box;
    if (make_box(f, pool, t, place, &box))
        add_box(f, pool, box);
}

void footprint_touch(footprint *f, affine_pool *pool, const foot_touch *t)
{
    bool all = is_everything(f, pool, t);
    if (!all && !t->view->known) {
        footprint_touch_all(f, t->view->arg, t->mode, false, false);
        return;
    }
    view place = narrow(pool, t), cut = cut_end(place, t->view);
    if (t->mode == GRAPH_READ && is_stored(f, pool, &cut))
        return;
    if (all)
        footprint_touch_all(f, t->view->arg, t->mode, t->certain, t->certain);
    else
        touch_box(f, pool, t, place);
    if (t->mode == GRAPH_WRITE)
        note_store(f, t->view, &place, all, pool);
}

uint32_t footprint_load(footprint *f, affine_pool *pool, const foot_touch *t,
                        uint32_t name, uint32_t stmt)
{
    bool all = is_everything(f, pool, t);
    foot_box box = {.arg = t->view->arg, .mode = t->mode, .all = true};
    if (all) {
        box.must = box.exact = t->certain;
        if (is_stored(f, pool, t->view))
            return 0;
    } else if (t->view->known) {
        view place = narrow(pool, t), cut = cut_end(place, t->view);
        if (is_stored(f, pool, &cut) || !make_box(f, pool, t, place, &box))
            return 0;
    }
    if (!array_grow(&f->loads, f->load_count, &f->load_capacity,
                    sizeof *f->loads)) {
        f->failed = true;
        return 0;
    }
    f->loads[f->load_count++] = (foot_load){box, false, false, name, stmt};
    return f->load_count;
}

void footprint_use(footprint *f, affine_pool *pool, const foot_load *load)
{
    foot_box box = load->box;
    if (load->used && !load->sure)
        box.must = box.exact = false;
    if (box.all)
        footprint_touch_all(f, box.arg, box.mode, box.must, box.exact);
    else
        add_box(f, pool, box);
}

void footprint_end_loop(footprint *f, affine_pool *pool, uint32_t first,
                        const foot_touch *touch)
{
    uint32_t kept = first;
    for (uint32_t i = first; i < f->store_count; i++) {
        foot_store s = f->stores[i];
        foot_touch t = *touch;
        t.view = &s.from;
        if (!s.all && (!take_hull(pool, &t, NULL, &s.place) ||
                       has_local(pool, &s.place, t.local)))
            continue;
        f->stores[kept++] = s;
    }
    f->store_count = kept;
    for (uint32_t i = first; i < kept && kept - first < MAX_STORES; i++)
        if (!f->stores[i].all)
            keep_unions(f, pool, i);
}

void footprint_end_first(footprint *f, uint32_t first)
{
    for (uint32_t i = first; i < f->store_count; i++)
        f->stores[i].rests = true;
}

/* One of the stores [first, second) holds all of s. */
static bool is_stored_too(const footprint *f, affine_pool *pool, uint32_t first,
                          uint32_t second, const foot_store *s)
{
    for (uint32_t i = first; i < second; i++) {
        const foot_store *other = &f->stores[i];
        if (other->place.arg == s->place.arg &&
            (other->all ||
             (!s->all && is_inside(pool, &s->place, &other->place))))
            return true;
    }
    return false;
}

void footprint_end_second(footprint *f, affine_pool *pool, uint32_t first,
                          uint32_t second, const foot_touch *touch)
{
    uint32_t kept = first;
    for (uint32_t i = second; i < f->store_count; i++)
        f->stores[i].rests =
            !is_stored_too(f, pool, first, second, &f->stores[i]);
    for (uint32_t i = second; i < f->store_count; i++) {
        foot_store s = f->stores[i];
        foot_touch t = *touch;
        if (s.rests)
            continue;
        f->stores[kept++] = s;
        t.view = &s.from;
        if (s.all)
            footprint_touch_all(f, s.place.arg, t.mode, t.certain, t.certain);
        else
            touch_box(f, pool, &t, s.place);
    }
    f->store_count = kept;
}
