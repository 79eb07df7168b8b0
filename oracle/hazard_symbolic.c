/*
 * Storages whose regions have symbols, or too many rows for atoms. Pairs that
 * may meet and are not ordered are doubtful; for each, values of the symbols
 * are tried that make it meet, and the storage is judged with those, exactly.
 * What no value decides stays open, and is said to be.
 */
#include "hazard.h"

#include <stdlib.h>
#include <string.h>

#define MEETINGS (UINT64_C(1) << 26)
#define TRIALS 16 /* values of one symbol */
#define SYMBOLS 4 /* of one pair */
#define ASSIGNMENTS 64

typedef struct suspect {
    uint32_t first, second; /* items */
    oracle_meet meet;
} suspect;

typedef struct work {
    oracle_hazards *hazards;
    oracle_execution *execution;
    bool between;
    suspect *suspects;
    uint32_t suspect_count;
    oracle_pair *pairs; /* of the same numbers */
    int64_t *tried[ASSIGNMENTS];
    uint32_t tried_count;
} work;

static bool compared(const work *w, const oracle_item *a, const oracle_item *b)
{
    return a->task != b->task &&
           (oracle_item_writes(a) || oracle_item_writes(b)) &&
           !(a->kind == ORACLE_ITEM_ACCUMULATE &&
             b->kind == ORACLE_ITEM_ACCUMULATE) &&
           !(w->between && a->storage == b->storage);
}

static bool add_suspect(work *w, uint32_t first, uint32_t second,
                        oracle_meet meet)
{
    const oracle_item *items = w->execution->items.items;
    oracle_arena *arena = w->execution->arena;
    suspect *s = oracle_arena_push(arena, w->suspects, w->suspect_count,
                                   sizeof *w->suspects);
    oracle_pair *p =
        oracle_arena_push(arena, w->pairs, w->suspect_count, sizeof *w->pairs);
    if (s == NULL || p == NULL) {
        return false;
    }
    w->suspects = s;
    w->pairs = p;
    s[w->suspect_count] = (suspect){first, second, meet};
    p[w->suspect_count].from = items[first].task;
    p[w->suspect_count].to = items[second].task;
    w->suspect_count++;
    return true;
}

/*
 * Every access against those before it that may meet it. One that a later
 * write covers is dropped: the pair of the two is asked for, and what meets
 * the earlier meets the later.
 */
static bool find_suspects(work *w, const uint32_t *list, uint32_t count)
{
    const oracle_document *d = w->execution->document;
    const oracle_item *items = w->execution->items.items;
    uint32_t *live =
        oracle_arena_array(w->execution->arena, count, sizeof *live);
    uint32_t live_count = 0;
    uint64_t meetings = 0;
    if (live == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const oracle_item *b = &items[list[i]];
        uint32_t kept = 0;
        if (b->task == ORACLE_NONE) {
            continue;
        }
        meetings += live_count;
        if (meetings > MEETINGS) {
            w->hazards->large[b->storage] = true;
            return true;
        }
        for (uint32_t k = 0; k < live_count; k++) {
            const oracle_item *a = &items[live[k]];
            bool asked = compared(w, a, b);
            oracle_meet meet = asked ? oracle_places_meet(d, a->place, b->place)
                                     : ORACLE_MEET_NEVER;
            if (meet != ORACLE_MEET_NEVER &&
                !add_suspect(w, live[k], list[i], meet)) {
                return false;
            }
            if (!(asked && oracle_item_writes(b) &&
                  oracle_place_covers(d, b->place, a->place))) {
                live[kept++] = live[k];
            }
        }
        live_count = kept;
        live[live_count++] = list[i];
    }
    return true;
}

/* --- Values of the symbols --- */

static void add_symbols(const oracle_document *d, oracle_affine number,
                        uint32_t *symbols, uint32_t *count)
{
    for (uint32_t i = 0; i < number.count; i++) {
        uint32_t symbol = d->terms[number.first + i].symbol;
        bool known = d->symbols[symbol].block;
        for (uint32_t k = 0; k < *count && k < SYMBOLS; k++) {
            known = known || symbols[k] == symbol;
        }
        if (!known) {
            if (*count < SYMBOLS) {
                symbols[*count] = symbol;
            }
            (*count)++;
        }
    }
}

static void place_symbols(const oracle_document *d, oracle_place place,
                          uint32_t *symbols, uint32_t *count)
{
    if (place.region == ORACLE_NONE) {
        return;
    }
    const oracle_region *region = &d->regions[place.region];
    add_symbols(d, region->base, symbols, count);
    for (uint32_t i = 0; i < region->count; i++) {
        add_symbols(d, d->dims[region->first + i].count, symbols, count);
        add_symbols(d, d->dims[region->first + i].offset, symbols, count);
    }
}

/* The n-th value to try: upwards from the least, the last one the greatest. */
static bool trial(const oracle_symbol *symbol, uint32_t n, int64_t *value)
{
    int64_t steps = n;
    int64_t start = symbol->has_min                      ? symbol->min
                    : symbol->has_max && symbol->max < 0 ? symbol->max
                                                         : 0;
    int64_t step = symbol->has_min ? symbol->step : 1;
    if (n == TRIALS - 1 && symbol->has_min && symbol->has_max) {
        int64_t range;
        if (symbol->max < symbol->min ||
            __builtin_sub_overflow(symbol->max, symbol->min, &range)) {
            return false;
        }
        steps = range / step;
    }
    return !__builtin_mul_overflow(steps, step, &steps) &&
           !__builtin_add_overflow(start, steps, value) &&
           (!symbol->has_max || *value <= symbol->max);
}

static bool common(const oracle_interval *a, uint32_t a_count,
                   const oracle_interval *b, uint32_t b_count)
{
    for (uint32_t i = 0, k = 0; i < a_count && k < b_count;) {
        if (a[i].end <= b[k].begin) {
            i++;
        } else if (b[k].end <= a[i].begin) {
            k++;
        } else {
            return true;
        }
    }
    return false;
}

/* Whether two places, with these values, surely have a byte in common. */
static bool meet_with(const oracle_document *d, oracle_place a, oracle_place b,
                      const int64_t *values)
{
    oracle_arena *arena = oracle_arena_create();
    oracle_interval *x = NULL, *y = NULL;
    uint32_t x_count = 0, y_count = 0;
    bool x_sure = false, y_sure = false;
    bool met = arena != NULL &&
               oracle_place_intervals(d, a, values, &x, &x_count, &x_sure,
                                      arena) == ORACLE_ATOMS_DONE &&
               oracle_place_intervals(d, b, values, &y, &y_count, &y_sure,
                                      arena) == ORACLE_ATOMS_DONE &&
               x_sure && y_sure && common(x, x_count, y, y_count);
    oracle_arena_free(arena);
    return met;
}

/* Values that make the pair meet, into `values`; false when none is found. */
static bool assign(const work *w, const suspect *s, int64_t *values)
{
    const oracle_document *d = w->execution->document;
    const oracle_item *items = w->execution->items.items;
    oracle_place a = items[s->first].place, b = items[s->second].place;
    uint32_t symbols[SYMBOLS], count = 0;
    for (uint32_t i = 0; i < d->symbol_count; i++) {
        if (!trial(&d->symbols[i], 0, &values[i])) {
            return false;
        }
    }
    place_symbols(d, a, symbols, &count);
    place_symbols(d, b, symbols, &count);
    uint64_t combinations = 1;
    for (uint32_t i = 0; i < count && i < SYMBOLS; i++) {
        combinations *= count > 2 ? TRIALS / 2 : TRIALS;
    }
    for (uint64_t c = 0; count <= SYMBOLS && c < combinations; c++) {
        uint64_t left = c, base = count > 2 ? TRIALS / 2 : TRIALS;
        bool valid = true;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t n = (uint32_t)(left % base);
            n = n == base - 1 ? TRIALS - 1 : n;
            valid =
                valid && trial(&d->symbols[symbols[i]], n, &values[symbols[i]]);
            left /= base;
        }
        if (valid && meet_with(d, a, b, values)) {
            return true;
        }
    }
    return false;
}

static oracle_hazard_kind kind_of(const oracle_item *a, const oracle_item *b)
{
    if (!oracle_item_writes(b)) {
        return ORACLE_HAZARD_RAW;
    }
    return oracle_item_writes(a) ? ORACLE_HAZARD_WAW : ORACLE_HAZARD_WAR;
}

static bool keep_open(work *w, const suspect *s)
{
    if (s->first == s->second) {
        return true;
    }
    const oracle_document *d = w->execution->document;
    const oracle_item *a = &w->execution->items.items[s->first];
    const oracle_item *b = &w->execution->items.items[s->second];
    oracle_span span = oracle_place_span(d, b->place);
    oracle_interval bytes = {0, INT64_MAX};
    if (span.bounded) {
        bytes = (oracle_interval){span.begin, span.end};
    }
    oracle_hazard hazard = {
        .kind = kind_of(a, b),
        .producer = *a,
        .consumer = *b,
        .shown = bytes,
        .hull = bytes,
        .execution = w->execution->number,
    };
    return oracle_hazard_keep(w->hazards, d, &hazard);
}

static bool tried_before(const work *w, const int64_t *values)
{
    size_t size = w->execution->document->symbol_count * sizeof *values;
    for (uint32_t i = 0; i < w->tried_count; i++) {
        if (memcmp(w->tried[i], values, size) == 0) {
            return true;
        }
    }
    return false;
}

/* Judges the storage with values that make this pair meet, or keeps it open. */
static bool judge_suspect(work *w, const suspect *s, const uint32_t *list,
                          uint32_t count)
{
    uint32_t symbols = w->execution->document->symbol_count;
    int64_t *values =
        oracle_arena_array(w->hazards->arena, symbols, sizeof *values);
    if (values == NULL) {
        return false;
    }
    if (w->between || w->tried_count == ASSIGNMENTS || !assign(w, s, values)) {
        return keep_open(w, s);
    }
    if (!tried_before(w, values)) {
        w->tried[w->tried_count++] = values;
        if (!oracle_hazards_judge_storage(w->hazards, w->execution, list, count,
                                          values)) {
            return false;
        }
    }
    uint32_t storage = w->execution->items.items[s->first].storage;
    return !w->hazards->large[storage] || keep_open(w, s);
}

/* Whether some write before the i-th of the list may meet it. */
static bool written_before(work *w, const uint32_t *list, uint32_t i,
                           uint64_t *meetings)
{
    const oracle_document *d = w->execution->document;
    const oracle_item *items = w->execution->items.items;
    for (uint32_t k = i; k-- > 0;) {
        const oracle_item *earlier = &items[list[k]];
        if (++*meetings > MEETINGS) {
            w->hazards->large[earlier->storage] = true;
            return true;
        }
        if (oracle_item_writes(earlier) &&
            oracle_places_meet(d, earlier->place, items[list[i]].place) !=
                ORACLE_MEET_NEVER) {
            return true;
        }
    }
    return false;
}

/* Reads that no write comes before: the values that give them bytes tell. */
static bool judge_fresh(work *w, const uint32_t *list, uint32_t count)
{
    const oracle_item *items = w->execution->items.items;
    uint64_t meetings = 0;
    for (uint32_t i = 0; i < count; i++) {
        const oracle_item *item = &items[list[i]];
        const oracle_buffer *b =
            &w->execution->document->buffers[item->storage];
        suspect alone = {list[i], list[i], ORACLE_MEET_SURELY};
        if (!b->external && !b->init && !oracle_item_writes(item) &&
            !written_before(w, list, i, &meetings) &&
            !judge_suspect(w, &alone, list, count)) {
            return false;
        }
    }
    return true;
}

bool oracle_hazards_judge_symbolic(oracle_hazards *hazards,
                                   oracle_execution *execution,
                                   const uint32_t *list, uint32_t count,
                                   bool between)
{
    work w = {.hazards = hazards, .execution = execution, .between = between};
    if (!find_suspects(&w, list, count) ||
        !oracle_order_query(&execution->certain, w.pairs, w.suspect_count)) {
        return false;
    }
    for (uint32_t i = 0; i < w.suspect_count; i++) {
        const suspect *s = &w.suspects[i];
        const oracle_item *a = &execution->items.items[s->first];
        const oracle_item *b = &execution->items.items[s->second];
        if (!w.pairs[i].ordered && !oracle_own_edge(execution, a, b) &&
            !judge_suspect(&w, s, list, count)) {
            return false;
        }
    }
    return between || judge_fresh(&w, list, count);
}
