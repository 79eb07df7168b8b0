/*
 * First it is asked for all values whether two different parts meet at all.
 * Where that is not ruled out, the other symbols get values and all parts are
 * put side by side, byte by byte. Symbols that move both regions alike may
 * have any value; of others some are tried.
 */
#include "blocks.h"

#include "access.h"
#include "facts.h"

#include <stdlib.h>
#include <string.h>

#define SYMBOLS 8
#define TRIALS 24
#define PARTS (UINT32_C(1) << 16) /* of one task */
#define ROWS (UINT32_C(1) << 18)  /* of two accesses */
#define WORK (UINT64_C(1) << 23)  /* parts and rows of a document */

/* What stands for an index of one side: a value, or symbol + more. */
typedef struct standin {
    bool fixed;
    int64_t value;
    uint32_t symbol, more; /* more ORACLE_NONE: nothing */
} standin;

typedef struct row {
    int64_t begin, end;
    uint32_t side;
    oracle_block_part part;
} row;

/* --- What a task touches --- */

static uint32_t index_of(const oracle_symbol *symbol)
{
    return strcmp(symbol->name.data, "lane") == 0 ? ORACLE_LANE : ORACLE_BLOCK;
}

static void note_indexes(const oracle_document *d, oracle_affine a,
                         oracle_block_touch *t)
{
    for (uint32_t i = 0; i < a.count; i++) {
        uint32_t symbol = d->terms[a.first + i].symbol;
        if (d->symbols[symbol].block) {
            t->symbol[index_of(&d->symbols[symbol])] = symbol;
        }
    }
}

/* The numbers of a region, one by one; false: there is no such. */
static bool number_at(const oracle_document *d, const oracle_region *region,
                      uint32_t n, oracle_affine *number)
{
    if (n > 2 * region->count) {
        return false;
    }
    if (n == 0) {
        *number = region->base;
        return true;
    }
    const oracle_dim *dim = &d->dims[region->first + (n - 1) / 2];
    *number = n % 2 == 1 ? dim->count : dim->offset;
    return true;
}

static bool make_touch(const oracle_document *d, uint32_t arg,
                       const oracle_arg *of, const oracle_access *access,
                       oracle_block_touch *t)
{
    oracle_affine number;
    *t = (oracle_block_touch){.arg = arg,
                              .mode = access->mode,
                              .place = oracle_access_place(of, access),
                              .symbol = {ORACLE_NONE, ORACLE_NONE}};
    if (!access->exact || t->place.region == ORACLE_NONE) {
        return false;
    }
    const oracle_region *region = &d->regions[t->place.region];
    for (uint32_t n = 0; number_at(d, region, n, &number); n++) {
        note_indexes(d, number, t);
    }
    return t->symbol[ORACLE_BLOCK] != ORACLE_NONE ||
           t->symbol[ORACLE_LANE] != ORACLE_NONE;
}

uint32_t oracle_blocks_collect(const oracle_blocks *r, uint32_t task,
                               oracle_block_touch *touches, uint32_t room)
{
    const oracle_document *d = r->d;
    uint32_t count = 0;
    for (uint32_t a = 0; a < d->tasks[task].args; a++) {
        const oracle_arg *arg = &d->args[d->tasks[task].first_arg + a];
        for (uint32_t i = 0; i < arg->accesses; i++) {
            const oracle_access *access = &d->accesses[arg->first_access + i];
            oracle_block_touch t;
            if (make_touch(d, a, arg, access, &t)) {
                if (count < room) {
                    touches[count] = t;
                }
                count++;
            }
        }
    }
    return count;
}

bool oracle_blocks_conflict(const oracle_blocks *r, const oracle_block_touch *a,
                            const oracle_block_touch *b)
{
    bool common = false;
    for (uint32_t i = 0; i < ORACLE_INDEXES; i++) {
        common = common ||
                 (a->symbol[i] != ORACLE_NONE && a->symbol[i] == b->symbol[i]);
    }
    return common && (a->mode != ORACLE_READ || b->mode != ORACLE_READ) &&
           (a->mode != ORACLE_ACCUMULATE || b->mode != ORACLE_ACCUMULATE) &&
           r->d->buffers[a->place.buffer].storage ==
               r->d->buffers[b->place.buffer].storage;
}

/* --- Two regions as a document of their own --- */

static void put_term(oracle_couple *c, oracle_affine *to, int64_t coef,
                     uint32_t symbol)
{
    if (c->d.term_count == ORACLE_BLOCK_TERMS) {
        c->full = true;
        return;
    }
    c->terms[c->d.term_count++] = (oracle_term){coef, symbol};
    to->count++;
}

static void put_value(oracle_couple *c, oracle_affine *to, int64_t coef,
                      int64_t value)
{
    int64_t product;
    if (__builtin_mul_overflow(coef, value, &product) ||
        __builtin_add_overflow(to->c, product, &to->c)) {
        c->full = true;
    }
}

/* With stand-ins for the indexes and, where given, values for the others. */
static oracle_affine put_number(oracle_blocks *r, oracle_affine from,
                                const standin *stand, const int64_t *values)
{
    const oracle_document *d = r->d;
    oracle_couple *c = &r->couple;
    oracle_affine to = {from.c, c->d.term_count, 0};
    for (uint32_t pass = 0; pass <= ORACLE_INDEXES; pass++) {
        for (uint32_t i = 0; i < from.count; i++) {
            const oracle_term *term = &d->terms[from.first + i];
            const oracle_symbol *symbol = &d->symbols[term->symbol];
            if (pass != (symbol->block ? 1 + index_of(symbol) : 0)) {
                continue;
            }
            const standin *s = pass == 0 ? NULL : &stand[pass - 1];
            if (s == NULL && values != NULL) {
                put_value(c, &to, term->coef, values[term->symbol]);
            } else if (s == NULL) {
                put_term(c, &to, term->coef, term->symbol);
            } else if (s->fixed) {
                put_value(c, &to, term->coef, s->value);
            } else {
                put_term(c, &to, term->coef, s->symbol);
                if (s->more != ORACLE_NONE) {
                    put_term(c, &to, term->coef, s->more);
                }
            }
        }
    }
    return to;
}

static void clear_couple(oracle_couple *c)
{
    c->d.term_count = 0;
    c->d.dim_count = 0;
    c->full = false;
}

static void put_region(oracle_blocks *r, uint32_t side,
                       const oracle_block_touch *t, const standin *stand,
                       const int64_t *values)
{
    const oracle_document *d = r->d;
    const oracle_region *from = &d->regions[t->place.region];
    oracle_couple *c = &r->couple;
    if (from->count > ORACLE_MAX_DIMS) {
        c->full = true;
        return;
    }
    c->buffers[side] =
        (oracle_buffer){.key = d->buffers[t->place.buffer].key,
                        .alias_of = ORACLE_NONE,
                        .storage_at = d->buffers[t->place.buffer].storage_at};
    c->regions[side] =
        (oracle_region){.elem = from->elem,
                        .base = put_number(r, from->base, stand, values),
                        .first = c->d.dim_count,
                        .count = from->count};
    for (uint32_t i = 0; i < from->count; i++) {
        const oracle_dim *dim = &d->dims[from->first + i];
        c->dims[c->d.dim_count++] =
            (oracle_dim){.count = put_number(r, dim->count, stand, values),
                         .stride = dim->stride,
                         .offset = put_number(r, dim->offset, stand, values)};
    }
}

static oracle_relation relate(oracle_blocks *r,
                              const oracle_block_touch *const t[2],
                              const standin (*stand)[ORACLE_INDEXES],
                              const int64_t *values)
{
    oracle_couple *c = &r->couple;
    clear_couple(c);
    put_region(r, 0, t[0], stand[0], values);
    put_region(r, 1, t[1], stand[1], values);
    return c->full ? ORACLE_RELATION_PERHAPS
                   : oracle_places_relate(&c->d, (oracle_place){0, 0},
                                          (oracle_place){1, 1});
}

/* --- All values at once --- */

/* The symbols that stand for an index: one, how far on the other, any. */
static uint32_t standing(const oracle_blocks *r, uint32_t index, uint32_t which)
{
    return r->d->symbol_count + 3 * index + which;
}

/* False: the index has one value. */
static bool set_standing(oracle_blocks *r, uint32_t index, uint32_t symbol)
{
    const oracle_symbol *own = &r->d->symbols[symbol];
    oracle_symbol any = *own;
    any.block = false;
    r->symbols[standing(r, index, 0)] = any;
    r->symbols[standing(r, index, 2)] = any;
    any.has_max =
        own->has_max && !__builtin_sub_overflow(own->max, own->min, &any.max);
    any.min = own->step;
    r->symbols[standing(r, index, 1)] = any;
    return !any.has_max || any.max >= any.min;
}

/*
 * Whether no two parts that differ in the index meet. Lanes are compared
 * within one block, blocks whichever the lanes are.
 */
static bool apart_by(oracle_blocks *r, const oracle_block_touch *const t[2],
                     uint32_t differs)
{
    standin stand[2][ORACLE_INDEXES];
    for (uint32_t i = 0; i < ORACLE_INDEXES; i++) {
        bool common = t[0]->symbol[i] != ORACLE_NONE &&
                      t[0]->symbol[i] == t[1]->symbol[i];
        uint32_t symbol =
            t[0]->symbol[i] != ORACLE_NONE ? t[0]->symbol[i] : t[1]->symbol[i];
        bool many = symbol != ORACLE_NONE && set_standing(r, i, symbol);
        if (i == differs && !many) {
            return true;
        }
        bool same = common && i < differs;
        uint32_t other = i == differs || same ? 0 : 2;
        uint32_t more =
            i == differs ? standing(r, i, 1) : (uint32_t)ORACLE_NONE;
        stand[0][i] =
            (standin){.symbol = standing(r, i, 0), .more = ORACLE_NONE};
        stand[1][i] = (standin){.symbol = standing(r, i, other), .more = more};
    }
    return relate(r, t, stand, NULL) == ORACLE_RELATION_NEVER;
}

bool oracle_blocks_apart(oracle_blocks *r, const oracle_block_touch *a,
                         const oracle_block_touch *b)
{
    const oracle_block_touch *const there[2] = {a, b}, *const back[2] = {b, a};
    for (uint32_t i = 0; i < ORACLE_INDEXES; i++) {
        bool common =
            a->symbol[i] != ORACLE_NONE && a->symbol[i] == b->symbol[i];
        if (common &&
            !(apart_by(r, there, i) && (a == b || apart_by(r, back, i)))) {
            return false;
        }
    }
    return true;
}

/* --- Part by part --- */

/* The parts of a touch; 0: one index has no last value, or there are too many.
 */
static uint32_t part_count(const oracle_blocks *r, const oracle_block_touch *t)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < ORACLE_INDEXES; i++) {
        if (t->symbol[i] == ORACLE_NONE) {
            continue;
        }
        const oracle_symbol *s = &r->d->symbols[t->symbol[i]];
        if (!s->has_max || s->max < s->min || s->max - s->min >= PARTS) {
            return 0;
        }
        count *= (uint64_t)((s->max - s->min) / s->step) + 1;
    }
    return count > PARTS ? 0 : (uint32_t)count;
}

static oracle_block_part part_at(const oracle_blocks *r,
                                 const oracle_block_touch *t, uint32_t n)
{
    oracle_block_part p = {{0}};
    for (uint32_t i = ORACLE_INDEXES; i-- > 0;) {
        if (t->symbol[i] != ORACLE_NONE) {
            const oracle_symbol *s = &r->d->symbols[t->symbol[i]];
            uint32_t values = (uint32_t)((s->max - s->min) / s->step) + 1;
            p.at[i] = s->min + (int64_t)(n % values) * s->step;
            n /= values;
        }
    }
    return p;
}

static void fix(standin stand[ORACLE_INDEXES], const oracle_block_part *p)
{
    for (uint32_t i = 0; i < ORACLE_INDEXES; i++) {
        stand[i] = (standin){.fixed = true, .value = p->at[i]};
    }
}

/* Whether two parts are surely not the same. */
static bool differ(const oracle_block_touch *const t[2],
                   const oracle_block_part *a, const oracle_block_part *b)
{
    bool differ = false;
    for (uint32_t i = 0; i < ORACLE_INDEXES; i++) {
        differ = differ ||
                 (t[0]->symbol[i] != ORACLE_NONE &&
                  t[0]->symbol[i] == t[1]->symbol[i] && a->at[i] != b->at[i]);
    }
    return differ;
}

static int compare_row(const void *a, const void *b)
{
    const row *x = a, *y = b;
    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    if (x->side != y->side) {
        return x->side < y->side ? -1 : 1;
    }
    for (uint32_t i = 0; i < ORACLE_INDEXES; i++) {
        if (x->part.at[i] != y->part.at[i]) {
            return x->part.at[i] < y->part.at[i] ? -1 : 1;
        }
    }
    return (x->end > y->end) - (x->end < y->end);
}

/* The bytes of all parts of one side. */
static oracle_block_answer add_rows(oracle_blocks *r,
                                    const oracle_block_touch *t, uint32_t side,
                                    row **rows, uint32_t *count,
                                    oracle_arena *arena)
{
    uint32_t parts = part_count(r, t);
    if (parts == 0) {
        return ORACLE_BLOCK_OPEN;
    }
    for (uint32_t n = 0; n < parts; n++) {
        oracle_block_part p = part_at(r, t, n);
        standin stand[ORACLE_INDEXES];
        oracle_interval *intervals;
        uint32_t pieces;
        bool sure;
        fix(stand, &p);
        clear_couple(&r->couple);
        put_region(r, side, t, stand, r->values);
        oracle_atoms_result result =
            r->couple.full
                ? ORACLE_ATOMS_LARGE
                : oracle_place_intervals(&r->couple.d,
                                         (oracle_place){side, side}, NULL,
                                         &intervals, &pieces, &sure, arena);
        if (result != ORACLE_ATOMS_DONE || !sure) {
            return result == ORACLE_ATOMS_NO_MEMORY ? ORACLE_BLOCK_NO_MEMORY
                                                    : ORACLE_BLOCK_OPEN;
        }
        r->work += 1 + (uint64_t)pieces;
        if (pieces > ROWS - *count || r->work > WORK) {
            return ORACLE_BLOCK_OPEN;
        }
        for (uint32_t i = 0; i < pieces; i++) {
            row *grown = oracle_arena_push(arena, *rows, *count, sizeof *grown);
            if (grown == NULL) {
                return ORACLE_BLOCK_NO_MEMORY;
            }
            *rows = grown;
            grown[(*count)++] =
                (row){intervals[i].begin, intervals[i].end, side, p};
        }
    }
    return ORACLE_BLOCK_NO;
}

/*
 * Of each side the two rows that reach farthest, of parts that differ: a row
 * that meets one of a part unlike its own meets one of these.
 */
static void keep_farthest(const oracle_block_touch *const t[2],
                          const row *best[2], const row *new)
{
    if (best[0] != NULL && !differ(t, &best[0]->part, &new->part)) {
        best[0] = new->end > best[0]->end ? new : best[0];
    } else if (best[0] == NULL || new->end > best[0]->end) {
        best[1] = best[0];
        best[0] = new;
    } else if (best[1] == NULL || new->end > best[1]->end) {
        best[1] = new;
    }
}

static bool sweep(const oracle_block_touch *const t[2], row *rows,
                  uint32_t count, oracle_block_part found[2])
{
    const row *best[2][2] = {{NULL}};
    bool alone = t[0] == t[1];
    qsort(rows, count, sizeof *rows, compare_row);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t side = rows[i].side, other = alone ? side : 1 - side;
        for (uint32_t k = 0; k < 2; k++) {
            const row *meets = best[other][k];
            if (meets != NULL && meets->end > rows[i].begin &&
                differ(t, &meets->part, &rows[i].part)) {
                found[alone ? 0 : other] = meets->part;
                found[alone ? 1 : side] = rows[i].part;
                return true;
            }
        }
        keep_farthest(t, best[side], &rows[i]);
    }
    return false;
}

static oracle_block_answer compare_parts(oracle_blocks *r,
                                         const oracle_block_touch *const t[2],
                                         oracle_block_part found[2])
{
    oracle_arena *arena = oracle_arena_create();
    row *rows = NULL;
    uint32_t count = 0;
    oracle_block_answer result =
        arena == NULL ? ORACLE_BLOCK_NO_MEMORY : ORACLE_BLOCK_NO;
    for (uint32_t side = 0; side < 2 && result == ORACLE_BLOCK_NO; side++) {
        if (side == 0 || t[0] != t[1]) {
            result = add_rows(r, t[side], side, &rows, &count, arena);
        }
    }
    if (result == ORACLE_BLOCK_NO && count > 0 &&
        sweep(t, rows, count, found)) {
        result = ORACLE_BLOCK_YES;
    }
    oracle_arena_free(arena);
    return result;
}

/* The common bytes of two parts. */
bool oracle_blocks_common(oracle_blocks *r,
                          const oracle_block_touch *const t[2],
                          const oracle_block_part found[2], oracle_span *span)
{
    standin stand[2][ORACLE_INDEXES];
    oracle_couple *c = &r->couple;
    clear_couple(c);
    for (uint32_t side = 0; side < 2; side++) {
        fix(stand[side], &found[side]);
        put_region(r, side, t[side], stand[side], r->values);
    }
    return !c->full && oracle_places_common(&c->d, (oracle_place){0, 0},
                                            (oracle_place){1, 1}, span);
}

/* Neighbours, which is where blocks meet as a rule. */
static oracle_block_answer compare_first(oracle_blocks *r,
                                         const oracle_block_touch *const t[2],
                                         oracle_block_part found[2])
{
    for (uint32_t way = 0; way < 2 * ORACLE_INDEXES; way++) {
        uint32_t i = way / 2;
        oracle_span span;
        if (t[0]->symbol[i] == ORACLE_NONE ||
            t[0]->symbol[i] != t[1]->symbol[i]) {
            continue;
        }
        for (uint32_t side = 0; side < 2; side++) {
            for (uint32_t k = 0; k < ORACLE_INDEXES; k++) {
                uint32_t symbol = t[side]->symbol[k];
                found[side].at[k] =
                    symbol == ORACLE_NONE ? 0 : r->d->symbols[symbol].min;
            }
        }
        const oracle_symbol *s = &r->d->symbols[t[0]->symbol[i]];
        found[1 - way % 2].at[i] += s->step;
        if (s->has_max && found[1 - way % 2].at[i] <= s->max &&
            oracle_blocks_common(r, t, found, &span)) {
            return ORACLE_BLOCK_YES;
        }
    }
    return ORACLE_BLOCK_NO;
}

/* --- The other symbols --- */

typedef struct others {
    uint32_t symbol[SYMBOLS];
    uint32_t count; /* more than SYMBOLS: too many */
    bool alike;     /* they move both regions by the same bytes */
    bool free;
} others;

static void add_other(others *o, uint32_t symbol)
{
    for (uint32_t i = 0; i < o->count && i < SYMBOLS; i++) {
        if (o->symbol[i] == symbol) {
            return;
        }
    }
    if (o->count < SYMBOLS) {
        o->symbol[o->count] = symbol;
    }
    o->count++;
}

/* How many bytes one step of the symbol moves the region. */
static bool moves(const oracle_document *d, const oracle_block_touch *t,
                  uint32_t symbol, int64_t *bytes)
{
    const oracle_region *region = &d->regions[t->place.region];
    oracle_affine number;
    bool known = true;
    *bytes = 0;
    for (uint32_t n = 0; number_at(d, region, n, &number); n++) {
        int64_t scale =
            n == 0 ? 1 : d->dims[region->first + (n - 1) / 2].stride;
        for (uint32_t i = 0; i < number.count; i++) {
            const oracle_term *term = &d->terms[number.first + i];
            int64_t moved;
            known = known && (term->symbol != symbol || n % 2 == 0) &&
                    (term->symbol != symbol ||
                     (!__builtin_mul_overflow(term->coef, scale, &moved) &&
                      !__builtin_add_overflow(*bytes, moved, bytes)));
        }
    }
    return known;
}

static others others_of(const oracle_document *d,
                        const oracle_block_touch *const t[2])
{
    others o = {.alike = true, .free = true};
    for (uint32_t side = 0; side < 2; side++) {
        const oracle_region *region = &d->regions[t[side]->place.region];
        oracle_affine number;
        for (uint32_t n = 0; number_at(d, region, n, &number); n++) {
            for (uint32_t i = 0; i < number.count; i++) {
                uint32_t symbol = d->terms[number.first + i].symbol;
                if (!d->symbols[symbol].block) {
                    add_other(&o, symbol);
                }
            }
        }
    }
    for (uint32_t i = 0; i < o.count && i < SYMBOLS; i++) {
        int64_t a, b;
        bool alike = moves(d, t[0], o.symbol[i], &a) &&
                     moves(d, t[1], o.symbol[i], &b) && a == b;
        o.alike = o.alike && alike;
        o.free = o.free && (alike || d->symbols[o.symbol[i]].free);
    }
    return o;
}

/* The n-th value to try: the first, and farther on each time. */
static int64_t trial(const oracle_symbol *s, uint32_t n)
{
    int64_t first = s->has_min ? s->min : s->has_max && s->max < 0 ? s->max : 0;
    int64_t step = s->has_min ? s->step : 1, value;
    if (__builtin_mul_overflow((INT64_C(1) << n) - 1, step, &value) ||
        __builtin_add_overflow(value, first, &value)) {
        return first;
    }
    if (s->has_max && value > s->max) {
        value = s->max - (s->has_min ? (s->max - s->min) % s->step : 0);
    }
    return value;
}

static void try_values(oracle_blocks *r, const others *o, uint32_t n)
{
    for (uint32_t i = 0; i < r->d->symbol_count; i++) {
        r->values[i] = trial(&r->d->symbols[i], 0);
    }
    for (uint32_t i = 0; i < o->count; i++) {
        r->values[o->symbol[i]] = trial(&r->d->symbols[o->symbol[i]], n);
    }
}

/* Facts that hold whenever the task is submitted. */
static bool facts_of(const oracle_blocks *r, uint32_t task, oracle_document *d,
                     oracle_facts *facts, oracle_arena *arena)
{
    const oracle_task *of = &r->d->tasks[task];
    *d = *r->d;
    d->facts = oracle_arena_array(arena, d->fact_count, sizeof *d->facts);
    d->fact_count = 0;
    for (uint32_t i = 0; d->facts != NULL && i < r->d->fact_count; i++) {
        oracle_fact fact = r->d->facts[i];
        for (uint32_t w = 0; w < of->whens; w++) {
            const oracle_when *when = &d->whens[of->first_when + w];
            if (when->choice == fact.choice && when->is == fact.is) {
                fact.choice = ORACLE_NONE;
            }
        }
        if (fact.choice == ORACLE_NONE) {
            d->facts[d->fact_count++] = fact;
        }
    }
    return d->facts != NULL && oracle_facts_index(facts, d, arena);
}

static bool lies_in_view(const oracle_blocks *r, uint32_t task,
                         const oracle_block_touch *t)
{
    const oracle_document *d = r->d;
    const oracle_arg *arg = &d->args[d->tasks[task].first_arg + t->arg];
    return !oracle_place_leaves(d, t->place, r->values) &&
           !oracle_place_sticks_out(d, t->place, arg->view, r->values);
}

/* Values of the symbols that make parts meet, where it depends on them. */
static oracle_block_answer search(oracle_blocks *r, uint32_t task,
                                  const oracle_block_touch *const t[2],
                                  const others *o, oracle_block_part found[2])
{
    oracle_document d;
    oracle_facts facts = {0};
    oracle_arena *arena = oracle_arena_create();
    oracle_block_answer result =
        arena == NULL || !facts_of(r, task, &d, &facts, arena)
            ? ORACLE_BLOCK_NO_MEMORY
            : ORACLE_BLOCK_OPEN;
    for (uint32_t n = 0; result == ORACLE_BLOCK_OPEN && n < TRIALS; n++) {
        try_values(r, o, n);
        if (lies_in_view(r, task, t[0]) && lies_in_view(r, task, t[1]) &&
            oracle_facts_allow(&facts, &d, NULL, r->values, o->symbol,
                               o->count) &&
            compare_first(r, t, found) == ORACLE_BLOCK_YES) {
            result = ORACLE_BLOCK_YES;
        }
    }
    oracle_arena_free(arena);
    return result;
}

/* --- The way through --- */

bool oracle_blocks_symbolic(const oracle_blocks *r,
                            const oracle_block_touch *const t[2])
{
    return others_of(r->d, t).count > 0;
}

oracle_block_answer oracle_blocks_compare(oracle_blocks *r, uint32_t task,
                                          const oracle_block_touch *const t[2],
                                          oracle_block_part found[2])
{
    others o = others_of(r->d, t);
    if (o.count > SYMBOLS || !o.free) {
        return ORACLE_BLOCK_OPEN;
    }
    if (!o.alike) {
        return search(r, task, t, &o, found);
    }
    try_values(r, &o, 0);
    oracle_block_answer first = compare_first(r, t, found);
    return first == ORACLE_BLOCK_YES ? first : compare_parts(r, t, found);
}

bool oracle_blocks_start(oracle_blocks *r, const oracle_document *document)
{
    oracle_couple *c = &r->couple;
    uint32_t symbols = document->symbol_count + 3 * ORACLE_INDEXES;
    *r = (oracle_blocks){.d = document, .arena = oracle_arena_create()};
    if (r->arena == NULL) {
        return false;
    }
    r->symbols = oracle_arena_array(r->arena, symbols, sizeof *r->symbols);
    r->values = oracle_arena_array(r->arena, symbols, sizeof *r->values);
    if (r->symbols == NULL || r->values == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < document->symbol_count; i++) {
        r->symbols[i] = document->symbols[i];
    }
    c->d = *document;
    c->d.symbols = r->symbols;
    c->d.symbol_count = symbols;
    c->d.buffers = c->buffers;
    c->d.buffer_count = 2;
    c->d.regions = c->regions;
    c->d.region_count = 2;
    c->d.dims = c->dims;
    c->d.terms = c->terms;
    return true;
}

void oracle_blocks_end(oracle_blocks *r)
{
    oracle_arena_free(r->arena);
    r->arena = NULL;
}
