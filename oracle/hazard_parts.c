/*
 * The parts of a storage that is judged by sets: what each argument reads or
 * writes, as pieces between borders, and where anybody sees what is written.
 */
#include "hazard_sets.h"

#include <stdlib.h>
#include <string.h>

#define RANGES (UINT32_C(1) << 26)
#define SIDES 64 /* of one task */

enum { PIECE_UNASKED, PIECE_READ, PIECE_OVERWRITTEN, PIECE_MIXED };

/* --- Ranges --- */

static void add_range(oracle_sets *s, uint32_t begin, uint32_t end)
{
    if (s->range_count == s->range_room) {
        uint32_t room = s->range_room == 0 ? 1024 : s->range_room * 2;
        oracle_range *grown =
            room > RANGES ? NULL
                          : realloc(s->ranges, (size_t)room * sizeof *grown);
        s->too_much = s->too_much || room > RANGES;
        if (grown == NULL) {
            s->failed = true;
            return;
        }
        s->ranges = grown;
        s->range_room = room;
    }
    s->ranges[s->range_count++] = (oracle_range){begin, end};
}

static oracle_parts parts_from(const oracle_sets *s, uint32_t first)
{
    return (oracle_parts){first, s->range_count - first};
}

/* What of `a` is not in `b`. */
static oracle_parts without(oracle_sets *s, oracle_parts a, oracle_parts b)
{
    uint32_t first = s->range_count, k = 0;
    if (a.count == 0 || b.count == 0) {
        return a;
    }
    for (uint32_t i = 0; i < a.count && !s->failed; i++) {
        oracle_range left = s->ranges[a.first + i];
        for (; k < b.count && s->ranges[b.first + k].end <= left.begin; k++) {
        }
        for (uint32_t n = k; n < b.count; n++) {
            oracle_range taken = s->ranges[b.first + n];
            if (taken.begin >= left.end) {
                break;
            }
            if (taken.begin > left.begin) {
                add_range(s, left.begin, taken.begin);
            }
            left.begin = taken.end < left.end ? taken.end : left.end;
        }
        if (left.begin < left.end) {
            add_range(s, left.begin, left.end);
        }
    }
    return parts_from(s, first);
}

static int compare_range(const void *a, const void *b)
{
    const oracle_range *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Sorts and joins the ranges from `first` on. */
static oracle_parts join(oracle_sets *s, uint32_t first)
{
    uint32_t n = s->range_count - first, kept = 0;
    if (n < 2) {
        return parts_from(s, first);
    }
    oracle_range *r = s->ranges + first;
    qsort(r, n, sizeof *r, compare_range);
    for (uint32_t i = 1; i < n; i++) {
        if (r[i].begin > r[kept].end) {
            r[++kept] = r[i];
        } else if (r[i].end > r[kept].end) {
            r[kept].end = r[i].end;
        }
    }
    s->range_count = first + kept + 1;
    return parts_from(s, first);
}

static bool same_parts(const oracle_sets *s, oracle_parts a, oracle_parts b)
{
    return a.count == b.count &&
           (a.count == 0 || memcmp(s->ranges + a.first, s->ranges + b.first,
                                   a.count * sizeof *s->ranges) == 0);
}

/* --- Borders --- */

static int compare_border(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static bool set_borders(oracle_sets *s)
{
    const oracle_touch *touches = s->touches;
    uint64_t total = 0;
    uint32_t n = 0, kept = 0;
    for (uint32_t i = 0; i < s->list_count; i++) {
        total += (uint64_t)touches[i].count * 2;
    }
    if (total >= RANGES) {
        s->too_much = true;
        return false;
    }
    s->borders = malloc(((size_t)total + 1) * sizeof *s->borders);
    if (s->borders == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < s->list_count; i++) {
        for (uint32_t k = 0; k < touches[i].count; k++) {
            s->borders[n++] = touches[i].intervals[k].begin;
            s->borders[n++] = touches[i].intervals[k].end;
        }
    }
    qsort(s->borders, n, sizeof *s->borders, compare_border);
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || s->borders[i] != s->borders[kept - 1]) {
            s->borders[kept++] = s->borders[i];
        }
    }
    s->pieces = kept == 0 ? 0 : kept - 1;
    for (s->size = 1; s->size < s->pieces; s->size *= 2) {
    }
    return true;
}

static uint32_t piece_at(const oracle_sets *s, int64_t byte)
{
    uint32_t low = 0, high = s->pieces;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->borders[middle] < byte) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void add_touch(oracle_sets *s, const oracle_touch *touch)
{
    for (uint32_t k = 0; k < touch->count; k++) {
        add_range(s, piece_at(s, touch->intervals[k].begin),
                  piece_at(s, touch->intervals[k].end));
    }
}

/* --- Sides --- */

static bool set_touches(oracle_sets *s, bool *fits)
{
    const oracle_execution *e = s->execution;
    oracle_touch *touches =
        oracle_arena_array(e->arena, s->list_count, sizeof *touches);
    s->touches = touches;
    *fits = true;
    for (uint32_t i = 0; touches != NULL && *fits && i < s->list_count; i++) {
        const oracle_item *item = &e->items.items[s->list[i]];
        bool sure = false;
        *fits =
            item->exact && item->known && item->kind != ORACLE_ITEM_ACCUMULATE;
        if (!*fits) {
            break;
        }
        oracle_atoms_result result = oracle_place_intervals(
            e->document, item->place, NULL, &touches[i].intervals,
            &touches[i].count, &sure, e->arena);
        if (result == ORACLE_ATOMS_NO_MEMORY) {
            return false;
        }
        *fits = result == ORACLE_ATOMS_DONE && sure;
    }
    return touches != NULL;
}

static bool same_side(const oracle_item *a, const oracle_item *b)
{
    return a->task == b->task && a->arg == b->arg &&
           oracle_item_writes(a) == oracle_item_writes(b) && a->must == b->must;
}

/* The accesses of an argument that do the same are one side. */
static void make_sides(oracle_sets *s)
{
    const oracle_touch *touches = s->touches;
    const oracle_item *items = s->execution->items.items;
    uint32_t caller = s->range_count;
    for (uint32_t i = 0; i < s->list_count; i++) {
        if (items[s->list[i]].task == ORACLE_NONE) {
            add_touch(s, &touches[i]);
        }
    }
    s->caller = join(s, caller);
    for (uint32_t i = 0, end = 0; i < s->list_count && !s->failed; i = end) {
        const oracle_item *item = &items[s->list[i]];
        uint32_t first = s->range_count;
        for (end = i; end < s->list_count &&
                      same_side(item, &items[s->list[end]]) && !s->failed;
             end++) {
            if (item->task != ORACLE_NONE) {
                add_touch(s, &touches[end]);
            }
        }
        if (item->task == ORACLE_NONE || s->failed) {
            continue;
        }
        oracle_side *side = &s->sides[s->count];
        *side = (oracle_side){.item = s->list[i],
                              .task = item->task,
                              .writes = oracle_item_writes(item),
                              .must = item->must,
                              .write = ORACLE_NONE,
                              .all = join(s, first)};
        if (side->writes) {
            side->write = s->write_count;
            s->writes[s->write_count++] = s->count;
        }
        s->count++;
    }
    s->first_task = s->count == 0 ? 0 : s->sides[0].task;
}

static uint32_t argument_of(const oracle_sets *s, uint32_t side)
{
    return s->execution->items.items[s->sides[side].item].arg;
}

/*
 * Sides of one task, from `begin` to `end`: what an argument reads and writes
 * is the same, and what several of them read counts for the first.
 */
static bool settle_task(oracle_sets *s, uint32_t begin, uint32_t end)
{
    if (end - begin > SIDES) {
        return false;
    }
    for (uint32_t i = begin; i < end; i++) {
        for (uint32_t k = begin; k < i; k++) {
            oracle_side *a = &s->sides[k], *b = &s->sides[i];
            bool own = argument_of(s, k) == argument_of(s, i);
            if (own &&
                (a->writes == b->writes || !same_parts(s, a->all, b->all))) {
                return false;
            }
            a->both = a->both || own;
            b->both = b->both || own;
        }
    }
    for (uint32_t i = end; i-- > begin;) {
        oracle_parts all = s->sides[i].all;
        for (uint32_t k = begin; k < i && !s->sides[i].writes; k++) {
            s->sides[i].all = without(s, s->sides[i].all, s->sides[k].all);
        }
        /* Else what nobody reads of it would be a pair of its own. */
        if (s->sides[i].both && !same_parts(s, s->sides[i].all, all)) {
            return s->failed;
        }
    }
    return true;
}

static uint32_t task_end(const oracle_sets *s, uint32_t begin)
{
    uint32_t end = begin + 1;
    while (end < s->count && s->sides[end].task == s->sides[begin].task) {
        end++;
    }
    return end;
}

static bool settle_tasks(oracle_sets *s)
{
    bool fits = true;
    for (uint32_t i = 0; fits && i < s->count;) {
        uint32_t end = task_end(s, i);
        fits = settle_task(s, i, end);
        i = end;
    }
    return fits;
}

/* --- Where somebody sees what is written --- */

/* What comes next after a write, piece by piece, while walking back. */
typedef struct pieces {
    oracle_sets *sets;
    unsigned char *next; /* by node; MIXED: look below */
} pieces;

typedef struct part {
    uint32_t node, begin, size;
} part;

static bool out_of(const part *p, oracle_range r)
{
    return r.end <= p->begin || p->begin + p->size <= r.begin;
}

/* As deep as the tree, at most 32, as what follows. */
static void set_next(pieces *m, part p, oracle_range r, unsigned char state)
{
    if (out_of(&p, r) || m->next[p.node] == state) {
        return;
    }
    if (r.begin <= p.begin && p.begin + p.size <= r.end) {
        m->next[p.node] = state;
        return;
    }
    unsigned char *low = &m->next[p.node * 2];
    if (m->next[p.node] != PIECE_MIXED) {
        low[0] = low[1] = m->next[p.node];
    }
    uint32_t half = p.size / 2;
    set_next(m, (part){p.node * 2, p.begin, half}, r, state);
    set_next(m, (part){p.node * 2 + 1, p.begin + half, half}, r, state);
    m->next[p.node] = low[0] == low[1] ? low[0] : PIECE_MIXED;
}

/* Adds what of the range is read, joined to what was added from `first` on. */
static void add_read(pieces *m, part p, oracle_range r, uint32_t first)
{
    oracle_sets *s = m->sets;
    unsigned char state = m->next[p.node];
    if (out_of(&p, r) || s->failed ||
        (state != PIECE_MIXED && state != PIECE_READ)) {
        return;
    }
    if (state == PIECE_MIXED) {
        uint32_t half = p.size / 2;
        add_read(m, (part){p.node * 2, p.begin, half}, r, first);
        add_read(m, (part){p.node * 2 + 1, p.begin + half, half}, r, first);
        return;
    }
    uint32_t begin = p.begin > r.begin ? p.begin : r.begin;
    uint32_t end = p.begin + p.size < r.end ? p.begin + p.size : r.end;
    oracle_range *last =
        s->range_count > first ? &s->ranges[s->range_count - 1] : NULL;
    if (last != NULL && last->end == begin) {
        last->end = end;
    } else {
        add_range(s, begin, end);
    }
}

static void set_parts(pieces *m, oracle_parts parts, unsigned char state)
{
    part all = {1, 0, m->sets->size};
    for (uint32_t i = 0; i < parts.count; i++) {
        set_next(m, all, m->sets->ranges[parts.first + i], state);
    }
}

static void find_read(pieces *m, oracle_side *w)
{
    oracle_sets *s = m->sets;
    uint32_t first = s->range_count;
    for (uint32_t i = 0; i < w->all.count && !s->failed; i++) {
        add_read(m, (part){1, 0, s->size}, s->ranges[w->all.first + i], first);
    }
    w->read = parts_from(s, first);
    if (same_parts(s, w->read, w->all)) {
        s->range_count = first;
        w->read = w->all;
    }
}

static void divide_write(oracle_sets *s, uint32_t begin, uint32_t at)
{
    oracle_side *w = &s->sides[at];
    oracle_parts unread = without(s, w->all, w->read);
    if (w->read.first == w->all.first && w->read.count == w->all.count) {
        unread.count = 0;
    }
    w->apart = w->read;
    w->loose = unread;
    for (uint32_t i = begin; i < at; i++) {
        if (!s->sides[i].writes) {
            w->apart = without(s, w->apart, s->sides[i].all);
            w->loose = without(s, w->loose, s->sides[i].all);
        }
    }
    w->settled = w->loose.count == 0 ? w->all : without(s, w->all, w->loose);
    if (!w->both) {
        w->dead = without(s, unread, s->caller);
    }
}

static bool divide_writes(oracle_sets *s)
{
    pieces m = {s, calloc((size_t)s->size * 2, 1)};
    if (m.next == NULL) {
        return false;
    }
    set_parts(&m, s->caller, PIECE_READ);
    for (uint32_t i = s->count; i-- > 0 && !s->failed;) {
        oracle_side *side = &s->sides[i];
        if (!side->writes) {
            set_parts(&m, side->all, PIECE_READ);
            continue;
        }
        find_read(&m, side);
        if (side->must) {
            set_parts(&m, side->all, PIECE_OVERWRITTEN);
        }
    }
    free(m.next);
    for (uint32_t i = 0; i < s->count && !s->failed;) {
        uint32_t end = task_end(s, i);
        for (uint32_t k = i; k < end; k++) {
            if (s->sides[k].writes) {
                divide_write(s, i, k);
            }
        }
        i = end;
    }
    return !s->failed;
}

/* --- When pieces are asked --- */

static void note_time(uint32_t *most, uint32_t size, oracle_range r,
                      uint32_t time)
{
    uint32_t begin = r.begin + size, end = r.end + size;
    for (; begin < end; begin /= 2, end /= 2) {
        if (begin & 1) {
            most[begin] = most[begin] > time ? most[begin] : time;
            begin++;
        }
        if (end & 1) {
            end--;
            most[end] = most[end] > time ? most[end] : time;
        }
    }
}

static void settle_most(uint32_t *most, uint32_t size)
{
    for (uint32_t i = 2; i < size * 2; i++) {
        most[i] = most[i] > most[i / 2] ? most[i] : most[i / 2];
    }
    for (uint32_t i = size; i-- > 1;) {
        most[i] = most[i * 2] > most[i * 2 + 1] ? most[i * 2] : most[i * 2 + 1];
    }
}

static bool set_times(oracle_sets *s)
{
    size_t n = (size_t)s->size * 2;
    s->last_read = calloc(n, sizeof(uint32_t));
    s->last_write = calloc(n, sizeof(uint32_t));
    s->first_read = calloc(n, sizeof(uint32_t));
    if (s->last_read == NULL || s->last_write == NULL ||
        s->first_read == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        const oracle_side *side = &s->sides[i];
        for (uint32_t k = 0; k < side->all.count; k++) {
            oracle_range r = s->ranges[side->all.first + k];
            note_time(side->writes ? s->last_write : s->last_read, s->size, r,
                      i + 1);
            if (!side->writes) {
                note_time(s->first_read, s->size, r, s->count - i);
            }
        }
    }
    settle_most(s->last_read, s->size);
    settle_most(s->last_write, s->size);
    settle_most(s->first_read, s->size);
    return true;
}

uint64_t oracle_sets_touched(const oracle_sets *sets)
{
    uint64_t touched = 0;
    for (uint32_t i = 0; i < sets->count; i++) {
        oracle_parts all = sets->sides[i].all;
        for (uint32_t k = 0; k < all.count; k++) {
            oracle_range r = sets->ranges[all.first + k];
            touched += r.end - r.begin;
        }
    }
    return touched;
}

/* --- All of it --- */

oracle_sets_result oracle_sets_start(oracle_sets *sets, oracle_hazards *hazards,
                                     oracle_execution *execution,
                                     const uint32_t *list, uint32_t count)
{
    bool fits = true;
    *sets = (oracle_sets){.hazards = hazards,
                          .execution = execution,
                          .list = list,
                          .list_count = count};
    sets->sides = malloc((count + (size_t)1) * sizeof *sets->sides);
    sets->writes = malloc((count + (size_t)1) * sizeof *sets->writes);
    if (sets->sides == NULL || sets->writes == NULL ||
        !set_touches(sets, &fits)) {
        return ORACLE_SETS_NO_MEMORY;
    }
    if (!fits) {
        return ORACLE_SETS_OTHER;
    }
    if (set_borders(sets)) {
        make_sides(sets);
        fits = sets->failed || settle_tasks(sets);
        if (fits && !sets->failed && divide_writes(sets) && set_times(sets) &&
            oracle_sets_classify(sets)) {
            return ORACLE_SETS_DONE;
        }
    }
    return sets->too_much || !fits ? ORACLE_SETS_OTHER : ORACLE_SETS_NO_MEMORY;
}

void oracle_sets_end(oracle_sets *sets)
{
    free(sets->sides);
    free(sets->writes);
    free(sets->borders);
    free(sets->ranges);
    free(sets->last_read);
    free(sets->last_write);
    free(sets->first_read);
    free(sets->rows);
    oracle_bit_tree_free(&sets->seen);
    oracle_bit_tree_free(&sets->open);
    oracle_bit_tree_free(&sets->dead);
}
