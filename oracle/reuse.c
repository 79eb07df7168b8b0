/* Who shares addresses with whom, and which of them are in order. */
#include "reuse.h"

#include <stdlib.h>
#include <string.h>

#define PAIRS (UINT32_C(1) << 18)     /* of storages, beyond neighbours */
#define QUESTIONS (UINT32_C(1) << 22) /* pairs of tasks asked at once */
#define LARGEST (UINT64_C(1) << 25)   /* pairs of tasks of two storages */

static uint32_t item_at(const oracle_items *items, uint32_t storage, uint32_t i)
{
    return items->by_storage[items->storage_first[storage] + i];
}

static uint32_t item_count(const oracle_items *items, uint32_t storage)
{
    return items->storage_first[storage + 1] - items->storage_first[storage];
}

bool oracle_reuse_keep(oracle_reuses *reuses, const oracle_reuse *reuse)
{
    uint64_t key = (uint64_t)reuse->first << 32 | reuse->second;
    oracle_id_slot *slot = oracle_id_table_slot(&reuses->by_pair, (int64_t)key);
    if (slot == NULL) {
        return false;
    }
    if (slot->value != ORACLE_NONE) {
        if (reuse->kind > reuses->list[slot->value].kind) {
            reuses->list[slot->value] = *reuse;
        }
        return true;
    }
    oracle_reuse *grown = oracle_arena_push(reuses->arena, reuses->list,
                                            reuses->count, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    reuses->list = grown;
    slot->value = reuses->count;
    grown[reuses->count++] = *reuse;
    return true;
}

/* --- The storages of an execution --- */

typedef struct start {
    uint32_t first, storage; /* first: item, 0 for what is there before */
} start;

static int compare_start(const void *a, const void *b)
{
    const start *x = a, *y = b;
    if (x->first != y->first) {
        return x->first < y->first ? -1 : 1;
    }
    return (x->storage > y->storage) - (x->storage < y->storage);
}

static bool has_place(const oracle_reuse_work *w, uint32_t b)
{
    const oracle_buffer *buffer = &w->execution->document->buffers[b];
    return buffer->storage == b && w->memory->placed[b] && buffer->has_bytes &&
           buffer->bytes > 0 && item_count(&w->execution->items, b) > 0;
}

static bool rank_storages(oracle_reuse_work *w)
{
    const oracle_document *d = w->execution->document;
    const oracle_items *items = &w->execution->items;
    start *starts =
        oracle_arena_array(w->arena, d->buffer_count, sizeof *starts);
    w->storages =
        oracle_arena_array(w->arena, d->buffer_count, sizeof *w->storages);
    w->rank = oracle_arena_array(w->arena, d->buffer_count, sizeof *w->rank);
    if (starts == NULL || w->storages == NULL || w->rank == NULL) {
        return false;
    }
    for (uint32_t b = 0; b < d->buffer_count; b++) {
        const oracle_buffer *buffer = &d->buffers[b];
        if (has_place(w, b)) {
            bool before = buffer->external || buffer->init;
            starts[w->count++] =
                (start){before ? 0 : item_at(items, b, 0) + 1, b};
        }
    }
    if (w->count > 0) {
        qsort(starts, w->count, sizeof *starts, compare_start);
    }
    for (uint32_t r = 0; r < w->count; r++) {
        w->storages[r] = starts[r].storage;
        w->rank[starts[r].storage] = r;
    }
    return true;
}

/* The caller, who reads at the end, is no task. */
static bool list_tasks(oracle_reuse_work *w)
{
    const oracle_items *items = &w->execution->items;
    uint32_t used = 0;
    w->first_task = oracle_arena_array(w->arena, w->count + (size_t)1,
                                       sizeof *w->first_task);
    w->tasks = oracle_arena_array(w->arena, items->count, sizeof *w->tasks);
    w->local = oracle_arena_array(w->arena, items->count, sizeof *w->local);
    if (w->first_task == NULL || w->tasks == NULL || w->local == NULL) {
        return false;
    }
    for (uint32_t r = 0; r < w->count; r++) {
        uint32_t n = item_count(items, w->storages[r]);
        w->first_task[r] = used;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t item = item_at(items, w->storages[r], i);
            uint32_t task = items->items[item].task;
            if (task == ORACLE_NONE) {
                continue;
            }
            if (used == w->first_task[r] || w->tasks[used - 1] != task) {
                w->tasks[used++] = task;
            }
            w->local[item] = used - 1 - w->first_task[r];
        }
    }
    w->first_task[w->count] = used;
    return true;
}

/* --- The sweep over addresses --- */

/* A set of ranks that knows its neighbours: bits, and bits of those words. */
typedef struct rank_set {
    uint64_t *level[6];
    uint32_t levels;
} rank_set;

static bool set_make(rank_set *s, uint32_t count, oracle_arena *arena)
{
    uint32_t words = count;
    s->levels = 0;
    do {
        words = (words + 63) / 64;
        uint64_t *level = oracle_arena_array(arena, words + (size_t)1, 8);
        if (level == NULL) {
            return false;
        }
        s->level[s->levels++] = level;
    } while (words > 1);
    return true;
}

static void set_change(rank_set *s, uint32_t rank, bool in)
{
    for (uint32_t l = 0; l < s->levels; l++, rank /= 64) {
        uint64_t bit = UINT64_C(1) << (rank % 64);
        uint64_t *word = &s->level[l][rank / 64];
        *word = in ? *word | bit : *word & ~bit;
        in = *word != 0;
    }
}

static uint32_t set_below(const rank_set *s, uint32_t rank)
{
    uint32_t l = 0;
    for (; l < s->levels; l++, rank /= 64) {
        uint64_t word =
            s->level[l][rank / 64] & ((UINT64_C(1) << (rank % 64)) - 1);
        if (word != 0) {
            rank = rank / 64 * 64 + 63 - (uint32_t)__builtin_clzll(word);
            while (l-- > 0) {
                word = s->level[l][rank];
                rank = rank * 64 + 63 - (uint32_t)__builtin_clzll(word);
            }
            return rank;
        }
    }
    return ORACLE_NONE;
}

static uint32_t set_above(const rank_set *s, uint32_t rank)
{
    uint32_t l = 0;
    for (; l < s->levels; l++, rank /= 64) {
        uint64_t word = s->level[l][rank / 64];
        word = rank % 64 == 63 ? 0 : word >> (rank % 64 + 1);
        if (word != 0) {
            rank += 1 + (uint32_t)__builtin_ctzll(word);
            while (l-- > 0) {
                word = s->level[l][rank];
                rank = rank * 64 + (uint32_t)__builtin_ctzll(word);
            }
            return rank;
        }
    }
    return ORACLE_NONE;
}

typedef struct border {
    int64_t at;
    uint32_t rank;
    bool begins;
} border;

/* What ends comes before what begins at the same address. */
static int compare_border(const void *a, const void *b)
{
    const border *x = a, *y = b;
    if (x->at != y->at) {
        return x->at < y->at ? -1 : 1;
    }
    if (x->begins != y->begins) {
        return x->begins ? 1 : -1;
    }
    return (x->rank > y->rank) - (x->rank < y->rank);
}

typedef struct neighbour {
    uint32_t a, b; /* ranks, a < b */
} neighbour;

typedef struct neighbours {
    neighbour *list;
    uint32_t count, limit;
    bool full;
} neighbours;

static bool note(oracle_reuse_work *w, neighbours *n, uint32_t a, uint32_t b)
{
    if (a == ORACLE_NONE || b == ORACLE_NONE) {
        return true;
    }
    if (n->count >= n->limit) {
        n->full = true;
        return true;
    }
    neighbour *grown =
        oracle_arena_push(w->arena, n->list, n->count, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    n->list = grown;
    grown[n->count++] = a < b ? (neighbour){a, b} : (neighbour){b, a};
    return true;
}

static bool external(const oracle_reuse_work *w, uint32_t rank)
{
    return w->execution->document->buffers[w->storages[rank]].external;
}

/*
 * `all`: every pair that shares an address; else neighbours in rank on some
 * address, and all pairs with a parameter.
 */
static bool on_begin(oracle_reuse_work *w, neighbours *n, rank_set *s,
                     uint32_t rank, bool all)
{
    bool own = external(w, rank);
    if (!all && !own) {
        return note(w, n, set_below(s, rank), rank) &&
               note(w, n, rank, set_above(s, rank));
    }
    for (uint32_t r = set_below(s, rank); r != ORACLE_NONE && !n->full;
         r = set_below(s, r)) {
        if (!note(w, n, r, rank)) {
            return false;
        }
    }
    for (uint32_t r = set_above(s, rank); r != ORACLE_NONE && !n->full;
         r = set_above(s, r)) {
        if (!note(w, n, rank, r)) {
            return false;
        }
    }
    return true;
}

static border *list_borders(oracle_reuse_work *w)
{
    border *borders =
        oracle_arena_array(w->arena, (size_t)w->count * 2, sizeof *borders);
    for (uint32_t r = 0; borders != NULL && r < w->count; r++) {
        uint32_t b = w->storages[r];
        borders[2 * r] = (border){w->memory->base[b], r, true};
        borders[2 * r + 1] = (border){w->memory->end[b], r, false};
    }
    if (borders != NULL && w->count > 0) {
        qsort(borders, 2 * (size_t)w->count, sizeof *borders, compare_border);
    }
    return borders;
}

/* A parameter that is there: its pairs with what begins after it. */
static bool with_parameters(oracle_reuse_work *w, neighbours *n,
                            const rank_set *parameters, uint32_t rank)
{
    uint32_t r = external(w, rank) ? ORACLE_NONE : w->count;
    while (r != ORACLE_NONE && !n->full) {
        r = set_below(parameters, r);
        if (!note(w, n, r, rank)) {
            return false;
        }
    }
    return true;
}

static bool sweep(oracle_reuse_work *w, neighbours *n, bool all)
{
    rank_set active, parameters;
    border *borders = list_borders(w);
    if (borders == NULL || !set_make(&active, w->count + 1, w->arena) ||
        !set_make(&parameters, w->count + 1, w->arena)) {
        return false;
    }
    for (uint32_t i = 0; i < 2 * w->count && !n->full; i++) {
        uint32_t rank = borders[i].rank;
        bool begins = borders[i].begins;
        bool own = external(w, rank);
        if (begins && !on_begin(w, n, &active, rank, all)) {
            return false;
        }
        if (begins && !all && !with_parameters(w, n, &parameters, rank)) {
            return false;
        }
        if (own) {
            set_change(&parameters, rank, begins);
        }
        set_change(&active, rank, begins);
        if (!begins && !all &&
            !note(w, n, set_below(&active, rank), set_above(&active, rank))) {
            return false;
        }
    }
    return true;
}

static int compare_neighbour(const void *a, const void *b)
{
    const neighbour *x = a, *y = b;
    if (x->a != y->a) {
        return x->a < y->a ? -1 : 1;
    }
    return (x->b > y->b) - (x->b < y->b);
}

static void drop_repeats(neighbours *n)
{
    uint32_t kept = 0;
    if (n->count > 0) {
        qsort(n->list, n->count, sizeof *n->list, compare_neighbour);
    }
    for (uint32_t i = 0; i < n->count; i++) {
        if (i == 0 || compare_neighbour(&n->list[i], &n->list[i - 1]) != 0) {
            n->list[kept++] = n->list[i];
        }
    }
    n->count = kept;
}

/* --- Whether all of one comes before all of the other --- */

/* Tasks of a storage without a direct edge to (from) another of them. */
typedef struct ends {
    uint32_t *first, *tasks; /* by rank, one more */
} ends;

static bool list_ends(oracle_reuse_work *w, ends *e, bool last)
{
    const oracle_order *order = &w->execution->certain;
    uint32_t tasks = w->execution->document->task_count, used = 0;
    uint32_t *stamp = oracle_arena_array(w->arena, tasks, sizeof *stamp);
    uint32_t *seen = oracle_arena_array(w->arena, tasks, sizeof *seen);
    e->first =
        oracle_arena_array(w->arena, w->count + (size_t)1, sizeof *e->first);
    e->tasks =
        oracle_arena_array(w->arena, w->first_task[w->count], sizeof *e->tasks);
    if (stamp == NULL || seen == NULL || e->first == NULL || e->tasks == NULL) {
        return false;
    }
    for (uint32_t r = 0; r < w->count; r++) {
        uint32_t begin = w->first_task[r], end = w->first_task[r + 1];
        e->first[r] = used;
        for (uint32_t i = begin; i < end; i++) {
            stamp[w->tasks[i]] = r + 1;
        }
        for (uint32_t i = begin; i < end; i++) {
            uint32_t t = w->tasks[i];
            for (uint32_t k = order->first[t]; k < order->first[t + 1]; k++) {
                uint32_t before = order->before[k];
                if (stamp[before] == r + 1) {
                    seen[last ? before : t] = r + 1;
                }
            }
        }
        for (uint32_t i = begin; i < end; i++) {
            if (seen[w->tasks[i]] != r + 1) {
                e->tasks[used++] = w->tasks[i];
            }
        }
    }
    e->first[w->count] = used;
    return true;
}

/* Inside a task both touch: whether a's accesses all come before b's. */
static bool inside(const oracle_reuse_work *w, uint32_t task, uint32_t a,
                   uint32_t b)
{
    const oracle_items *items = &w->execution->items;
    uint32_t last = 0, first = ORACLE_NONE;
    uint32_t n = item_count(items, w->storages[a]);
    for (uint32_t i = n; i-- > 0;) {
        uint32_t item = item_at(items, w->storages[a], i);
        if (items->items[item].task == task && item > last) {
            last = item;
        }
    }
    n = item_count(items, w->storages[b]);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t item = item_at(items, w->storages[b], i);
        if (items->items[item].task == task && item < first) {
            first = item;
        }
    }
    return last < first;
}

typedef struct questions {
    oracle_pair *pairs;
    uint32_t count;
} questions;

/* Asks for a pair of storages; false when it would be too much at once. */
static bool ask(const oracle_reuse_work *w, questions *q, const ends *last,
                const ends *first, neighbour n, bool *inner)
{
    uint64_t size = (uint64_t)(last->first[n.a + 1] - last->first[n.a]) *
                    (first->first[n.b + 1] - first->first[n.b]);
    if (q->count + size > QUESTIONS) {
        return false;
    }
    *inner = true;
    for (uint32_t i = last->first[n.a]; i < last->first[n.a + 1]; i++) {
        for (uint32_t k = first->first[n.b]; k < first->first[n.b + 1]; k++) {
            uint32_t from = last->tasks[i], to = first->tasks[k];
            if (from == to) {
                *inner = *inner && inside(w, from, n.a, n.b);
            } else {
                q->pairs[q->count++] = (oracle_pair){from, to, false};
            }
        }
    }
    return true;
}

/*
 * A parameter's bytes are nobody else's, and a value that is there before the
 * first task comes before every access.
 */
static bool never_in_order(const oracle_reuse_work *w, neighbour n)
{
    const oracle_buffer *b = &w->execution->document->buffers[w->storages[n.b]];
    return external(w, n.a) || external(w, n.b) || b->init;
}

static size_t room_for(const neighbours *n, const ends *last, const ends *first)
{
    uint64_t room = 0;
    for (uint32_t i = 0; i < n->count && room < QUESTIONS; i++) {
        uint32_t a = n->list[i].a, b = n->list[i].b;
        room += (uint64_t)(last->first[a + 1] - last->first[a]) *
                (first->first[b + 1] - first->first[b]);
    }
    return room < QUESTIONS ? room + 1 : QUESTIONS;
}

/* Keeps of `n` those that are not in order. */
static bool keep_open(oracle_reuse_work *w, neighbours *n, const ends *last,
                      const ends *first)
{
    questions q = {malloc(room_for(n, last, first) * sizeof *q.pairs), 0};
    uint32_t *begin = malloc((n->count + (size_t)1) * sizeof *begin);
    bool *open = calloc(n->count + (size_t)1, 1);
    uint32_t kept = 0, from = 0;
    bool ok = q.pairs != NULL && begin != NULL && open != NULL;
    while (ok && from < n->count) {
        uint32_t to = from;
        bool inner = true;
        q.count = 0;
        for (; to < n->count; to++) {
            begin[to] = q.count;
            if (!ask(w, &q, last, first, n->list[to], &inner)) {
                break;
            }
            open[to] = !inner || never_in_order(w, n->list[to]);
        }
        begin[to] = q.count;
        ok = oracle_order_query(&w->execution->certain, q.pairs, q.count);
        for (uint32_t i = from; ok && i < to; i++) {
            for (uint32_t k = begin[i]; k < begin[i + 1]; k++) {
                open[i] = open[i] || !q.pairs[k].ordered;
            }
        }
        if (to == from) {
            open[to++] = true; /* too many to ask: left to the definition */
        }
        from = to;
    }
    for (uint32_t i = 0; ok && i < n->count; i++) {
        if (open[i]) {
            n->list[kept++] = n->list[i];
        }
    }
    n->count = ok ? kept : n->count;
    free(q.pairs);
    free(begin);
    free(open);
    return ok;
}

/* --- The definition, for what is left --- */

static bool list_touches(oracle_reuse_work *w)
{
    const oracle_items *items = &w->execution->items;
    w->touches = oracle_arena_array(w->arena, items->count, sizeof *w->touches);
    w->bound = oracle_arena_alloc(w->arena, items->count);
    w->unknown = oracle_arena_alloc(w->arena, w->count);
    return w->touches != NULL && w->bound != NULL && w->unknown != NULL;
}

/* The bytes of a storage's accesses, once. */
static bool touch(oracle_reuse_work *w, uint32_t rank)
{
    const oracle_items *items = &w->execution->items;
    uint32_t storage = w->storages[rank], n = item_count(items, storage);
    if (w->unknown[rank] ||
        w->touches[item_at(items, storage, 0)].intervals != NULL) {
        return true;
    }
    for (uint32_t i = 0; i < n && !w->unknown[rank]; i++) {
        uint32_t item = item_at(items, storage, i);
        oracle_touch *t = &w->touches[item];
        bool sure = true;
        oracle_atoms_result result = oracle_place_intervals(
            w->execution->document, items->items[item].place, NULL,
            &t->intervals, &t->count, &sure, w->arena);
        if (result == ORACLE_ATOMS_NO_MEMORY) {
            return false;
        }
        w->bound[item] = !sure;
        w->unknown[rank] = result != ORACLE_ATOMS_DONE;
        if (t->intervals == NULL) {
            t->intervals = oracle_arena_alloc(w->arena, 1);
            t->count = 0;
        }
    }
    return true;
}

static uint64_t task_pairs(const oracle_reuse_work *w, neighbour n)
{
    return (uint64_t)(w->first_task[n.a + 1] - w->first_task[n.a]) *
           (w->first_task[n.b + 1] - w->first_task[n.b]) * 2;
}

static void ask_all(const oracle_reuse_work *w, neighbour n, oracle_pair *to)
{
    for (int way = 0; way < 2; way++) {
        for (uint32_t x = w->first_task[n.a]; x < w->first_task[n.a + 1]; x++) {
            for (uint32_t y = w->first_task[n.b]; y < w->first_task[n.b + 1];
                 y++) {
                uint32_t a = w->tasks[x], b = w->tasks[y];
                *to++ = way == 0 ? (oracle_pair){a, b, false}
                                 : (oracle_pair){b, a, false};
            }
        }
    }
}

/* Decides list[begin .. end), whose task pairs are `size` together. */
static bool decide_some(oracle_reuse_work *w, const neighbour *list,
                        uint32_t begin, uint32_t end, uint64_t size)
{
    bool two = w->execution->own_count > 0;
    oracle_pair *certain = malloc((size + 1) * sizeof *certain);
    oracle_pair *all = two ? malloc((size + 1) * sizeof *all) : certain;
    uint64_t at = 0;
    bool ok = certain != NULL && all != NULL;
    for (uint32_t i = begin; ok && i < end; i++) {
        ask_all(w, list[i], certain + at);
        at += task_pairs(w, list[i]);
    }
    if (ok && two) {
        memcpy(all, certain, size * sizeof *all);
        ok = oracle_order_query(&w->execution->all, all, (uint32_t)size);
    }
    ok = ok &&
         oracle_order_query(&w->execution->certain, certain, (uint32_t)size);
    at = 0;
    for (uint32_t i = begin; ok && i < end; i++) {
        oracle_reuse_pair pair = {list[i].a, list[i].b, certain + at, all + at};
        ok = touch(w, pair.a) && touch(w, pair.b) &&
             oracle_reuse_decide(w, &pair);
        at += task_pairs(w, list[i]);
    }
    if (two) {
        free(all);
    }
    free(certain);
    return ok;
}

static bool decide_all(oracle_reuse_work *w, const neighbours *n)
{
    uint32_t begin = 0;
    if (n->count == 0) {
        return true;
    }
    if (!list_touches(w)) {
        return false;
    }
    while (begin < n->count) {
        uint64_t size = 0;
        uint32_t end = begin;
        for (; end < n->count; end++) {
            uint64_t more = task_pairs(w, n->list[end]);
            if (end > begin && size + more > QUESTIONS) {
                break;
            }
            size += more;
        }
        if (size > LARGEST) {
            w->reuses->exhausted = true;
        } else if (!decide_some(w, n->list, begin, end, size)) {
            return false;
        }
        begin = end;
    }
    return true;
}

static bool find(oracle_reuse_work *w)
{
    neighbours n = {0};
    ends last, first;
    if (!rank_storages(w) || !list_tasks(w)) {
        return false;
    }
    n.limit = 4 * w->count + PAIRS;
    if (!sweep(w, &n, false)) {
        return false;
    }
    w->reuses->exhausted = w->reuses->exhausted || n.full;
    if (!oracle_reuse_lower(w)) {
        return false;
    }
    if (n.count == 0) {
        return true;
    }
    drop_repeats(&n);
    if (!list_ends(w, &last, true) || !list_ends(w, &first, false) ||
        !keep_open(w, &n, &last, &first)) {
        return false;
    }
    if (n.count > 0) {
        /* A chain is broken: every pair is looked at, not only neighbours. */
        neighbours all = {.limit = PAIRS};
        if (!sweep(w, &all, true)) {
            return false;
        }
        w->reuses->exhausted = w->reuses->exhausted || all.full;
        all.limit += n.count;
        for (uint32_t i = 0; i < n.count; i++) {
            if (!note(w, &all, n.list[i].a, n.list[i].b)) {
                return false;
            }
        }
        drop_repeats(&all);
        if (!keep_open(w, &all, &last, &first) || !decide_all(w, &all)) {
            return false;
        }
    }
    return true;
}

bool oracle_reuses_find(oracle_reuses *reuses, const oracle_memory *memory,
                        oracle_execution *execution, oracle_arena *arena)
{
    oracle_reuse_work work = {.reuses = reuses,
                              .memory = memory,
                              .execution = execution,
                              .arena = execution->arena};
    reuses->arena = arena;
    return find(&work);
}
