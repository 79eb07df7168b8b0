#include "affine.h"

#define ROUNDS 64
#define FAR ((__int128)1 << 120)

static bool add_variable(oracle_frame *frame, uint32_t side, uint32_t symbol,
                         uint32_t *index)
{
    const oracle_symbol *s = &frame->document->symbols[symbol];
    if (!s->block) {
        side = 0;
    }
    for (uint32_t i = 0; i < frame->count; i++) {
        if (frame->variable[i].symbol == symbol &&
            frame->variable[i].side == side) {
            *index = i;
            return true;
        }
    }
    if (frame->count == ORACLE_MAX_VARIABLES) {
        return false;
    }
    oracle_variable v = {.symbol = symbol,
                         .side = side,
                         .block = s->block,
                         .free = s->free,
                         .has_lo = s->has_min,
                         .has_hi = s->has_max,
                         .hi = s->max,
                         .step = 1};
    if (s->has_min) {
        v.origin = s->min;
        v.step = s->step;
        if (s->has_max && (s->max < s->min ||
                           __builtin_sub_overflow(s->max, s->min, &v.hi))) {
            return false;
        }
        v.hi /= v.step;
    }
    *index = frame->count;
    frame->variable[frame->count++] = v;
    return true;
}

oracle_form oracle_form_constant(int64_t c)
{
    return (oracle_form){.c = c};
}

bool oracle_form_make(oracle_frame *frame, uint32_t side,
                      const oracle_affine *affine, oracle_form *form)
{
    *form = oracle_form_constant(affine->c);
    for (uint32_t i = 0; i < affine->count; i++) {
        const oracle_term *term = &frame->document->terms[affine->first + i];
        uint32_t index;
        int64_t part;
        if (!add_variable(frame, side, term->symbol, &index)) {
            return false;
        }
        const oracle_variable *v = &frame->variable[index];
        int64_t *coef = &form->coef[index];
        if (__builtin_mul_overflow(term->coef, v->origin, &part) ||
            __builtin_add_overflow(form->c, part, &form->c) ||
            __builtin_mul_overflow(term->coef, v->step, &part) ||
            __builtin_add_overflow(*coef, part, coef)) {
            return false;
        }
    }
    return true;
}

bool oracle_form_add_constant(oracle_form *to, int64_t c)
{
    return !__builtin_add_overflow(to->c, c, &to->c);
}

bool oracle_form_add(oracle_form *to, const oracle_form *from, int64_t factor)
{
    int64_t part;
    if (__builtin_mul_overflow(from->c, factor, &part) ||
        __builtin_add_overflow(to->c, part, &to->c)) {
        return false;
    }
    for (uint32_t i = 0; i < ORACLE_MAX_VARIABLES; i++) {
        if (__builtin_mul_overflow(from->coef[i], factor, &part) ||
            __builtin_add_overflow(to->coef[i], part, &to->coef[i])) {
            return false;
        }
    }
    return true;
}

bool oracle_form_is_constant(const oracle_form *form)
{
    for (uint32_t i = 0; i < ORACLE_MAX_VARIABLES; i++) {
        if (form->coef[i] != 0) {
            return false;
        }
    }
    return true;
}

/* sign 1: the greatest; -1: the least. */
static oracle_bound extreme(const oracle_frame *frame, const oracle_form *form,
                            int sign, uint32_t skip)
{
    oracle_bound bound = {true, form->c};
    for (uint32_t i = 0; i < frame->count; i++) {
        const oracle_variable *v = &frame->variable[i];
        int64_t coef = form->coef[i];
        if (coef == 0 || (skip >> i & 1) != 0) {
            continue;
        }
        bool high = (coef > 0) == (sign > 0);
        if (!(high ? v->has_hi : v->has_lo)) {
            return (oracle_bound){0};
        }
        __int128 part = (__int128)coef * (high ? v->hi : v->lo);
        if (part > FAR || part < -FAR) {
            return (oracle_bound){0};
        }
        bound.value += part;
    }
    return bound;
}

oracle_bound oracle_form_least(const oracle_frame *frame,
                               const oracle_form *form)
{
    return extreme(frame, form, -1, 0);
}

oracle_bound oracle_form_greatest(const oracle_frame *frame,
                                  const oracle_form *form)
{
    return extreme(frame, form, 1, 0);
}

/* The worst value over the variables not chosen, at the point of the rest. */
static bool worst_at(const oracle_frame *frame, const oracle_form *form,
                     uint32_t chosen, const int64_t *point, __int128 *value)
{
    oracle_bound bound = extreme(frame, form, -1, chosen);
    *value = bound.value;
    for (uint32_t i = 0; bound.known && i < frame->count; i++) {
        if ((chosen >> i & 1) != 0) {
            __int128 part = (__int128)form->coef[i] * point[i];
            if (part > FAR || part < -FAR) {
                return false;
            }
            *value += part;
        }
    }
    return bound.known;
}

/* Moves one chosen variable so far that the form comes up to 0, or as far as
 * it goes. False when none can move. `turn` varies who is tried first. */
static bool repair(const oracle_frame *frame, const oracle_form *form,
                   uint32_t chosen, uint32_t turn, __int128 missing,
                   int64_t *point)
{
    for (uint32_t n = 0; n < frame->count; n++) {
        uint32_t i = (n + turn) % frame->count;
        const oracle_variable *v = &frame->variable[i];
        int64_t coef = form->coef[i];
        if (coef == 0 || (chosen >> i & 1) == 0) {
            continue;
        }
        __int128 size = coef > 0 ? coef : -(__int128)coef;
        __int128 move = (missing + size - 1) / size;
        __int128 to = coef > 0 ? point[i] + move : point[i] - move;
        if (coef > 0 && v->has_hi && to > v->hi) {
            to = v->hi;
        }
        if (coef < 0 && v->has_lo && to < v->lo) {
            to = v->lo;
        }
        if (to != point[i] && to <= INT64_MAX && to >= INT64_MIN) {
            point[i] = (int64_t)to;
            return true;
        }
    }
    return false;
}

static bool search(const oracle_frame *frame, const oracle_form *forms,
                   uint32_t count, uint32_t chosen, int64_t *point)
{
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t broken = count;
        __int128 value = 0;
        for (uint32_t i = 0; i < count && broken == count; i++) {
            if (!worst_at(frame, &forms[i], chosen, point, &value)) {
                return false;
            }
            broken = value < 0 ? i : count;
        }
        if (broken == count) {
            return true;
        }
        if (!repair(frame, &forms[broken], chosen, round / 8, -value, point)) {
            return false;
        }
    }
    return false;
}

bool oracle_forms_solvable(const oracle_frame *frame, const oracle_form *forms,
                           uint32_t count, uint32_t chosen)
{
    for (int from_top = 0; from_top < 2; from_top++) {
        int64_t point[ORACLE_MAX_VARIABLES] = {0};
        for (uint32_t i = 0; i < frame->count; i++) {
            const oracle_variable *v = &frame->variable[i];
            if (v->has_lo && (from_top == 0 || !v->has_hi)) {
                point[i] = v->lo;
            } else if (v->has_hi) {
                point[i] = v->hi;
            }
        }
        if (search(frame, forms, count, chosen, point)) {
            return true;
        }
    }
    return false;
}
