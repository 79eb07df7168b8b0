/*
 * Storages whose regions have symbols, or too many rows for atoms. Pairs that
 * may meet and are not ordered are doubtful; for each, values of the symbols
 * are tried that make it meet, and the storage is judged with those, exactly.
 * What no value decides stays open, and is said to be.
 *
 * Longer than other files: all steps work on one state, which nobody else
 * sees.
 */
#include "hazard.h"

#include "region.h"

#include <stdlib.h>
#include <string.h>

#define MEETINGS (UINT64_C(1) << 22)
#define KNOWN (UINT32_C(1) << 20) /* places compared that are remembered */
#define SUSPECTS (UINT32_C(1) << 20)
#define TRIALS 16 /* values of one symbol */
#define SYMBOLS 8 /* of one pair */
#define ASSIGNMENTS 64
/* Where other accesses are put beside a pair, and tries that leaves over. */
#define MOVES 5
#define MOVED 32
#define ALL_TRIALS (UINT64_C(1) << 19) /* of one document */

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
    oracle_values tried[ASSIGNMENTS];
    bool partial[ASSIGNMENTS]; /* some accesses were left out */
    int64_t *spare;            /* values that nothing refers to */
    uint32_t tried_count;
    bool failed; /* no memory to try values with */
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

/* --- Two places, which every execution asks again --- */

/* The meeting plus 1; whether b covers a; that no values make them meet. */
enum { MEET_BITS = 3, COVERS = 4, COVERS_NOT = 8, NO_VALUES = 16 };

static uint32_t *known_of(work *w, oracle_place a, oracle_place b)
{
    if (a.region == ORACLE_NONE || b.region == ORACLE_NONE ||
        a.buffer != b.buffer || w->hazards->known.used > KNOWN) {
        return NULL;
    }
    int64_t key = (int64_t)((uint64_t)a.region << 32 | b.region);
    oracle_id_slot *slot = oracle_id_table_slot(&w->hazards->known, key);
    if (slot == NULL) {
        return NULL;
    }
    slot->value = slot->value == ORACLE_NONE ? 0 : slot->value;
    return &slot->value;
}

static oracle_meet meeting(work *w, oracle_place a, oracle_place b)
{
    uint32_t *known = known_of(w, a, b);
    if (known != NULL && (*known & MEET_BITS) != 0) {
        return (oracle_meet)((*known & MEET_BITS) - 1);
    }
    oracle_meet meet = oracle_places_meet(w->execution->document, a, b);
    if (known != NULL) {
        *known |= (uint32_t)meet + 1;
    }
    return meet;
}

static bool covers(work *w, oracle_place b, oracle_place a)
{
    uint32_t *known = known_of(w, a, b);
    if (known != NULL && (*known & (COVERS | COVERS_NOT)) != 0) {
        return (*known & COVERS) != 0;
    }
    bool all = oracle_place_covers(w->execution->document, b, a);
    if (known != NULL) {
        *known |= all ? COVERS : COVERS_NOT;
    }
    return all;
}

/*
 * Whether b stands for a from here on: the pair of the two is asked for, and
 * whatever is compared with a, and meets it, is compared with b and meets it.
 * An accumulation is not compared with the next one, so it stands for none.
 */
static bool replaces(work *w, const oracle_item *a, const oracle_item *b)
{
    return b->kind == ORACLE_ITEM_WRITE && compared(w, a, b) &&
           covers(w, b->place, a->place);
}

/* Every access against those before it that may meet it. */
static bool find_suspects(work *w, const uint32_t *list, uint32_t count)
{
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
        if (meetings > MEETINGS || w->suspect_count > SUSPECTS) {
            w->hazards->large[b->storage] = true;
            return true;
        }
        for (uint32_t k = 0; k < live_count; k++) {
            const oracle_item *a = &items[live[k]];
            meetings += compared(w, a, b);
            oracle_meet meet = compared(w, a, b)
                                   ? meeting(w, a->place, b->place)
                                   : ORACLE_MEET_NEVER;
            if (meet != ORACLE_MEET_NEVER &&
                !add_suspect(w, live[k], list[i], meet)) {
                return false;
            }
            if (!replaces(w, a, b)) {
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
static bool meet_with(work *w, oracle_place a, oracle_place b,
                      const oracle_values *values, bool *sure)
{
    const oracle_document *d = w->execution->document;
    oracle_arena *arena = oracle_arena_create();
    oracle_interval *x = NULL, *y = NULL;
    uint32_t x_count = 0, y_count = 0;
    bool x_sure = false, y_sure = false;
    oracle_atoms_result made =
        arena == NULL ? ORACLE_ATOMS_NO_MEMORY
                      : oracle_place_anchored(d, a, values->anchor, values->of,
                                              &x, &x_count, &x_sure, arena);
    if (made == ORACLE_ATOMS_DONE) {
        made = oracle_place_anchored(d, b, values->anchor, values->of, &y,
                                     &y_count, &y_sure, arena);
    }
    *sure = x_sure && y_sure;
    w->failed = w->failed || made == ORACLE_ATOMS_NO_MEMORY;
    bool met =
        made == ORACLE_ATOMS_DONE && *sure && common(x, x_count, y, y_count);
    oracle_arena_free(arena);
    return met;
}

/* Whether all symbols are free, so that the region is no bound. */
static bool all_free(const oracle_document *d, oracle_place place)
{
    uint32_t symbols[SYMBOLS], count = 0;
    place_symbols(d, place, symbols, &count);
    bool all = count <= SYMBOLS;
    for (uint32_t i = 0; all && i < count; i++) {
        all = d->symbols[symbols[i]].free;
    }
    return all;
}

/* The free ones of both; what else decides keeps its first value. */
static bool free_symbols(const oracle_document *d, oracle_place a,
                         oracle_place b, uint32_t *symbols, uint32_t *count)
{
    uint32_t all = 0, kept = 0;
    place_symbols(d, a, symbols, &all);
    place_symbols(d, b, symbols, &all);
    for (uint32_t i = 0; i < all && i < SYMBOLS; i++) {
        if (d->symbols[symbols[i]].free) {
            symbols[kept++] = symbols[i];
        }
    }
    *count = kept;
    return all <= SYMBOLS;
}

/* No place of the list leaves a dimension, so that an execution has these. */
static bool lies_in_view(const oracle_document *d, const oracle_item *item,
                         const int64_t *values)
{
    if (item->task == ORACLE_NONE || item->arg == ORACLE_NONE) {
        return true;
    }
    const oracle_arg *arg =
        &d->args[d->tasks[item->task].first_arg + item->arg];
    return !oracle_place_sticks_out(d, item->place, arg->view, values);
}

static bool possible(const work *w, const uint32_t *list, uint32_t count,
                     const int64_t *values)
{
    const oracle_item *items = w->execution->items.items;
    bool fits = true;
    for (uint32_t i = 0; fits && i < count; i++) {
        fits = !oracle_place_leaves(w->execution->document,
                                    items[list[i]].place, values) &&
               lies_in_view(w->execution->document, &items[list[i]], values);
    }
    return fits;
}

/* The c-th combination of values; false: there is none. */
static bool combine(const oracle_document *d, const uint32_t *symbols,
                    uint32_t count, uint64_t c, uint64_t base, int64_t *values)
{
    bool valid = true;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = (uint32_t)(c % base);
        n = n == base - 1 ? TRIALS - 1 : n;
        valid = valid && trial(&d->symbols[symbols[i]], n, &values[symbols[i]]);
        c /= base;
    }
    return valid;
}

/* Some execution has these values of these symbols, as far as is told. */
static bool allowed(work *w, const int64_t *values, const uint32_t *symbols,
                    uint32_t count, bool *failed)
{
    const oracle_document *d = w->execution->document;
    oracle_hazards *h = w->hazards;
    *failed = h->facts.first == NULL && d->fact_count > 0 &&
              !oracle_facts_index(&h->facts, d, h->arena);
    return !*failed && (d->fact_count == 0 ||
                        oracle_facts_allow(&h->facts, d, w->execution->choices,
                                           values, symbols, count));
}

/* Values that make the pair meet, into `values`; false when none is found. */
static bool assign(work *w, const suspect *s, const uint32_t *list,
                   uint32_t listed, oracle_values *values)
{
    static const uint64_t bases[] = {1, 16, 16, 8, 8, 4, 4, 3, 3};
    const oracle_document *d = w->execution->document;
    const oracle_item *items = w->execution->items.items;
    oracle_place a = items[s->first].place, b = items[s->second].place;
    uint32_t symbols[SYMBOLS], count = 0;
    for (uint32_t i = 0; i < d->symbol_count; i++) {
        if (!trial(&d->symbols[i], 0, &values->of[i])) {
            return false;
        }
    }
    values->anchor = !all_free(d, a)   ? a
                     : !all_free(d, b) ? b
                                       : (oracle_place){a.buffer, ORACLE_NONE};
    uint32_t *known = known_of(w, a, b);
    if (!free_symbols(d, a, b, symbols, &count) ||
        (known != NULL && (*known & NO_VALUES) != 0)) {
        return false;
    }
    uint64_t base = bases[count], combinations = 1;
    for (uint32_t i = 0; i < count; i++) {
        combinations *= base;
    }
    bool sure = true, met = false;
    for (uint64_t c = 0; sure && c < combinations; c++) {
        if (w->hazards->trials++ >= ALL_TRIALS) {
            return false;
        }
        if (combine(d, symbols, count, c, base, values->of) &&
            !oracle_place_leaves(d, a, values->of) &&
            !oracle_place_leaves(d, b, values->of) &&
            meet_with(w, a, b, values, &sure)) {
            bool failed;
            met = true;
            if (allowed(w, values->of, symbols, count, &failed) &&
                possible(w, list, listed, values->of)) {
                return true;
            }
            w->failed = failed;
        }
        if (w->failed) {
            return false;
        }
    }
    if (known != NULL && !met) {
        *known |= NO_VALUES;
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

/* Whether two anchors move alike with the symbols that are not free. */
static bool alike(const oracle_document *d, const oracle_values *a,
                  const oracle_values *b)
{
    bool sure = false;
    oracle_arena *arena = oracle_arena_create();
    oracle_interval *intervals;
    uint32_t count;
    if (a->anchor.region == ORACLE_NONE || b->anchor.region == ORACLE_NONE) {
        sure = a->anchor.region == b->anchor.region;
    } else if (arena != NULL) {
        (void)oracle_place_anchored(d, a->anchor, b->anchor, a->of, &intervals,
                                    &count, &sure, arena);
    }
    oracle_arena_free(arena);
    return sure;
}

static bool tried_before(const work *w, const oracle_values *values)
{
    const oracle_document *d = w->execution->document;
    size_t size = d->symbol_count * sizeof *values->of;
    for (uint32_t i = 0; i < w->tried_count; i++) {
        if (!w->partial[i] && memcmp(w->tried[i].of, values->of, size) == 0 &&
            alike(d, &w->tried[i], values)) {
            return true;
        }
    }
    return false;
}

/*
 * The items that may be where these values put them. One that no execution has
 * there is somewhere else, where it is nothing to the pair.
 */
static uint32_t *placed(work *w, const suspect *s, const uint32_t *list,
                        uint32_t *count, const int64_t *values)
{
    const oracle_document *d = w->execution->document;
    const oracle_item *items = w->execution->items.items;
    uint32_t *kept =
        oracle_arena_array(w->hazards->arena, *count, sizeof *kept);
    uint32_t listed = *count;
    *count = 0;
    for (uint32_t i = 0; kept != NULL && i < listed; i++) {
        bool failed = false,
             is_own = list[i] == s->first || list[i] == s->second;
        uint32_t symbols[2 * SYMBOLS], n = 0;
        place_symbols(d, items[s->first].place, symbols, &n);
        place_symbols(d, items[s->second].place, symbols, &n);
        n = n < SYMBOLS ? n : SYMBOLS;
        uint32_t own = n;
        place_symbols(d, items[list[i]].place, symbols, &n);
        n = n < SYMBOLS ? n : SYMBOLS;
        if (is_own || n == own || allowed(w, values, symbols, n, &failed)) {
            kept[(*count)++] = list[i];
        }
        if (failed) {
            return NULL;
        }
    }
    return kept;
}

static int64_t *spare_values(work *w, size_t size)
{
    if (w->spare == NULL) {
        w->spare = oracle_arena_alloc(w->hazards->arena, size);
    }
    if (w->spare != NULL) {
        memset(w->spare, 0, size);
    }
    return w->spare;
}

/* The storage with these values, without what is nowhere there. */
static bool judge_at(work *w, const suspect *s, const uint32_t *list,
                     uint32_t count, const oracle_values *values)
{
    uint32_t listed = count;
    const uint32_t *some = list;
    if (tried_before(w, values)) {
        return true;
    }
    if (w->execution->document->fact_count > 0) {
        some = placed(w, s, list, &count, values->of);
    }
    if (some == NULL) {
        return false;
    }
    bool whole = count == listed;
    w->partial[w->tried_count] = !whole;
    w->tried[w->tried_count++] = *values;
    w->spare = NULL; /* hazards refer to it from now on */
    return oracle_hazards_judge_storage(w->hazards, w->execution, some, count,
                                        values);
}

static bool is_decided(const work *w, const suspect *s)
{
    const oracle_item *items = w->execution->items.items;
    int64_t key = oracle_pair_key(w->execution->document, &items[s->first],
                                  &items[s->second]);
    bool decided = false;
    for (uint32_t i = oracle_id_table_find(&w->hazards->by_pair, key);
         i != ORACLE_NONE && !decided; i = w->hazards->list[i].next) {
        decided = w->hazards->list[i].decided;
    }
    return decided;
}

/* Moves what is not of the pair to the n-th value; false: nothing moves. */
static bool move_others(const work *w, const suspect *s, uint32_t n,
                        int64_t *values)
{
    const oracle_document *d = w->execution->document;
    const oracle_item *items = w->execution->items.items;
    uint32_t own[SYMBOLS], count = 0;
    bool moved = false;
    if (!free_symbols(d, items[s->first].place, items[s->second].place, own,
                      &count)) {
        return false;
    }
    for (uint32_t i = 0; i < d->symbol_count; i++) {
        bool is_own = !d->symbols[i].free;
        for (uint32_t k = 0; k < count; k++) {
            is_own = is_own || own[k] == i;
        }
        int64_t value;
        if (!is_own && trial(&d->symbols[i], n, &value)) {
            values[i] = value;
            moved = true;
        }
    }
    return moved;
}

/*
 * Judges the storage with values that make this pair meet, or keeps it open.
 * Another access may hide the pair where the values put it: then it is asked
 * again with the other accesses elsewhere.
 */
static bool judge_suspect(work *w, const suspect *s, const uint32_t *list,
                          uint32_t count)
{
    size_t size = w->execution->document->symbol_count * sizeof(int64_t);
    oracle_values values = {.of = spare_values(w, size)};
    if (values.of == NULL) {
        return false;
    }
    if (w->between || w->tried_count + 1 >= ASSIGNMENTS ||
        !assign(w, s, list, count, &values)) {
        return !w->failed && keep_open(w, s);
    }
    if (!judge_at(w, s, list, count, &values)) {
        return false;
    }
    for (uint32_t n = MOVES; n > 0 && s->first != s->second &&
                             w->tried_count < MOVED && !is_decided(w, s);
         n--) {
        oracle_values moved = {spare_values(w, size), values.anchor};
        if (moved.of == NULL) {
            return false;
        }
        memcpy(moved.of, values.of, size);
        if (!move_others(w, s, n, moved.of)) {
            break;
        }
        if (possible(w, list, count, moved.of) &&
            !judge_at(w, s, list, count, &moved)) {
            return false;
        }
    }
    uint32_t storage = w->execution->items.items[s->first].storage;
    return !w->hazards->large[storage] || keep_open(w, s);
}

/* --- All values --- */

/* The free symbols of all regions; false: more, or too many values. */
static bool countable(const work *w, const uint32_t *list, uint32_t count,
                      uint32_t *symbols, uint32_t *symbol_count)
{
    const oracle_document *d = w->execution->document;
    uint64_t all = 1;
    *symbol_count = 0;
    for (uint32_t i = 0; i < count && *symbol_count <= SYMBOLS; i++) {
        place_symbols(d, w->execution->items.items[list[i]].place, symbols,
                      symbol_count);
    }
    for (uint32_t i = 0; i < *symbol_count && i < SYMBOLS; i++) {
        const oracle_symbol *s = &d->symbols[symbols[i]];
        int64_t range;
        if (!s->free || !s->has_min || !s->has_max || s->max < s->min ||
            __builtin_sub_overflow(s->max, s->min, &range) ||
            range / s->step >= ASSIGNMENTS) {
            return false;
        }
        all *= (uint64_t)(range / s->step) + 1;
    }
    return *symbol_count > 0 && *symbol_count <= SYMBOLS && all <= ASSIGNMENTS;
}

static bool next_values(const oracle_document *d, const uint32_t *symbols,
                        uint32_t count, int64_t *values)
{
    for (uint32_t i = 0; i < count; i++) {
        const oracle_symbol *s = &d->symbols[symbols[i]];
        if (values[symbols[i]] <= s->max - s->step) {
            values[symbols[i]] += s->step;
            return true;
        }
        values[symbols[i]] = s->min;
    }
    return false;
}

/* Judges the storage with all values of the symbols, where they are few. */
static bool judge_all(work *w, const uint32_t *list, uint32_t count, bool *done)
{
    const oracle_document *d = w->execution->document;
    uint32_t symbols[SYMBOLS], symbol_count;
    *done = countable(w, list, count, symbols, &symbol_count);
    if (!*done) {
        return true;
    }
    size_t size = d->symbol_count * sizeof(int64_t);
    int64_t *values = oracle_arena_alloc(w->hazards->arena, size);
    for (uint32_t i = 0; values != NULL && i < d->symbol_count; i++) {
        /* One that takes no part may have no value at all. */
        (void)trial(&d->symbols[i], 0, &values[i]);
    }
    while (values != NULL) {
        oracle_values all = {values, {0, ORACLE_NONE}};
        bool failed;
        if (allowed(w, values, symbols, symbol_count, &failed) &&
            possible(w, list, count, values) &&
            !oracle_hazards_judge_storage(w->hazards, w->execution, list, count,
                                          &all)) {
            return false;
        }
        int64_t *next = oracle_arena_alloc(w->hazards->arena, size);
        if (next == NULL) {
            return false;
        }
        memcpy(next, values, size);
        if (!next_values(d, symbols, symbol_count, next)) {
            *done =
                !w->hazards->large[w->execution->items.items[list[0]].storage];
            return true;
        }
        values = next;
    }
    return false;
}

/* --- Reads of bytes that nothing wrote --- */

typedef enum written {
    WRITTEN_NEVER, /* no write before it may meet it */
    WRITTEN_PARTLY,
    WRITTEN_ALL /* one write before it surely writes all of it */
} written;

/* What the writes before the i-th of the list leave of it. */
static written written_before(work *w, const uint32_t *list, uint32_t i,
                              uint64_t *meetings)
{
    const oracle_document *d = w->execution->document;
    const oracle_item *items = w->execution->items.items;
    const oracle_place place = items[list[i]].place;
    written most = WRITTEN_NEVER;
    for (uint32_t k = i; k-- > 0;) {
        const oracle_item *earlier = &items[list[k]];
        if (++*meetings > MEETINGS) {
            w->hazards->large[earlier->storage] = true;
            return WRITTEN_ALL;
        }
        if (!oracle_item_writes(earlier)) {
            continue;
        }
        if (oracle_item_fills(d, earlier) && covers(w, earlier->place, place)) {
            return WRITTEN_ALL;
        }
        if (meeting(w, earlier->place, place) != ORACLE_MEET_NEVER) {
            most = WRITTEN_PARTLY;
        }
    }
    return most;
}

static bool told(const work *w, const oracle_item *read)
{
    const oracle_item nobody = {.task = ORACLE_NONE};
    int64_t key = oracle_pair_key(w->execution->document, &nobody, read);
    return oracle_id_table_find(&w->hazards->by_pair, key) != ORACLE_NONE;
}

/* A read that no write before it may meet, and no values were found for. */
static bool keep_unwritten(work *w, const oracle_item *read, bool exact)
{
    const oracle_document *d = w->execution->document;
    oracle_span span = oracle_place_span(d, read->place);
    bool constant =
        oracle_place_extent(d, read->place) == ORACLE_EXTENT_CONSTANT;
    oracle_interval bytes = {0, INT64_MAX};
    if (span.bounded) {
        bytes = (oracle_interval){span.begin, span.end};
    }
    oracle_elsewhere elsewhere = oracle_written_elsewhere(w->execution, read);
    if (bytes.begin >= bytes.end || elsewhere == ORACLE_ELSEWHERE_LOOP ||
        (!exact && oracle_argument_writes(d, read))) {
        return true;
    }
    oracle_hazard hazard = {
        .kind = ORACLE_HAZARD_UNINITIALISED,
        .decided = constant && exact && read->must &&
                   elsewhere == ORACLE_ELSEWHERE_NEVER,
        .producer = {.task = ORACLE_NONE},
        .consumer = *read,
        .reader = *read,
        .initial = true,
        .shown = {bytes.begin, constant ? bytes.begin + 1 : bytes.end},
        .hull = bytes,
        .execution = w->execution->number,
    };
    return oracle_hazard_keep(w->hazards, d, &hazard);
}

static bool judge_read(work *w, const uint32_t *list, uint32_t count,
                       uint32_t i, uint64_t *meetings)
{
    const oracle_item *read = &w->execution->items.items[list[i]];
    bool exact = read->exact && all_free(w->execution->document, read->place);
    suspect alone = {list[i], list[i], ORACLE_MEET_SURELY};
    written before = written_before(w, list, i, meetings);
    if (before == WRITTEN_ALL || (before == WRITTEN_PARTLY && !exact)) {
        return true;
    }
    if (!judge_suspect(w, &alone, list, count)) {
        return false;
    }
    if (told(w, read)) {
        return true;
    }
    if (before == WRITTEN_NEVER) {
        return keep_unwritten(w, read, exact);
    }
    w->hazards->unsure[read->storage] = true;
    return true;
}

static bool judge_fresh(work *w, const uint32_t *list, uint32_t count)
{
    const oracle_item *items = w->execution->items.items;
    uint64_t meetings = 0;
    if (oracle_storage_initial(w->execution, list, count) ||
        oracle_storage_varies(w->execution, list, count)) {
        return true;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!oracle_item_writes(&items[list[i]]) &&
            !judge_read(w, list, count, i, &meetings)) {
            return false;
        }
    }
    return true;
}

/* --- All of it --- */

static bool is_open(const work *w, uint32_t i)
{
    const oracle_item *items = w->execution->items.items;
    return !w->pairs[i].ordered &&
           !oracle_own_edge(w->execution, &items[w->suspects[i].first],
                            &items[w->suspects[i].second]);
}

/* Whether the storage needs more than a look at its pairs. */
static bool is_doubtful(const work *w, const uint32_t *list, uint32_t count)
{
    bool doubtful = !oracle_storage_initial(w->execution, list, count);
    for (uint32_t i = 0; i < w->suspect_count && !doubtful; i++) {
        doubtful = is_open(w, i);
    }
    return doubtful;
}

/*
 * Two writes that nobody reads with the values that were tried; with others
 * somebody may.
 */
static bool judge_unread(work *w, const suspect *s, const uint32_t *list,
                         uint32_t count)
{
    const oracle_item *items = w->execution->items.items;
    const oracle_item *a = &items[s->first], *b = &items[s->second];
    if (!oracle_item_writes(a) || !oracle_item_writes(b)) {
        return true;
    }
    for (uint32_t i = 0; i < count; i++) {
        const oracle_item *read = &items[list[i]];
        if (!oracle_item_writes(read) &&
            meeting(w, a->place, read->place) != ORACLE_MEET_NEVER &&
            meeting(w, b->place, read->place) != ORACLE_MEET_NEVER) {
            return keep_open(w, s);
        }
    }
    return true;
}

static bool judge_pairs(work *w, const uint32_t *list, uint32_t count)
{
    uint64_t errors = w->hazards->decided;
    for (uint32_t i = 0; i < w->suspect_count; i++) {
        if (is_open(w, i) && !judge_suspect(w, &w->suspects[i], list, count)) {
            return false;
        }
    }
    bool silent = !w->between && w->hazards->decided == errors;
    for (uint32_t i = 0; silent && i < w->suspect_count; i++) {
        if (is_open(w, i) && !judge_unread(w, &w->suspects[i], list, count)) {
            return false;
        }
    }
    return true;
}

bool oracle_hazards_judge_symbolic(oracle_hazards *hazards,
                                   oracle_execution *execution,
                                   const oracle_suspects *suspects,
                                   bool between)
{
    work w = {.hazards = hazards, .execution = execution, .between = between};
    const uint32_t *list = suspects->list;
    uint32_t count = suspects->count;
    bool done = false;
    if (!find_suspects(&w, suspects->some, suspects->some_count) ||
        !oracle_order_query(&execution->certain, w.pairs, w.suspect_count)) {
        return false;
    }
    if (!between && is_doubtful(&w, list, count) &&
        !judge_all(&w, list, count, &done)) {
        return false;
    }
    return done || (judge_pairs(&w, list, count) &&
                    (between || judge_fresh(&w, list, count)));
}
