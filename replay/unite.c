/* Buffers that may be one memory, and documents in which they are. */
#include "fault.h"

#include <stdlib.h>
#include <string.h>

/* --- Pairs --- */

typedef struct listing {
    const oracle_document *d;
    replay_pair *pairs;
    uint32_t count;
    bool *placed; /* by storage: the memory plan says where it lies */
} listing;

static uint32_t storage_of(const oracle_document *d, uint32_t buffer)
{
    return d->buffers[buffer].storage;
}

static bool is_pair(const oracle_document *d, const replay_pair *pair,
                    uint32_t x, uint32_t y)
{
    uint32_t a = storage_of(d, pair->a), b = storage_of(d, pair->b);
    return (a == x && b == y) || (a == y && b == x);
}

static bool list_has(const listing *l, uint32_t x, uint32_t y)
{
    for (uint32_t i = 0; i < l->count; i++) {
        if (is_pair(l->d, &l->pairs[i], x, y)) {
            return true;
        }
    }
    return false;
}

static void find_placed(listing *l)
{
    const oracle_document *d = l->d;
    for (uint32_t i = 0; d->has_plan && i < d->allocation_count; i++) {
        if (d->allocations[i].buffer != ORACLE_NONE) {
            l->placed[storage_of(d, d->allocations[i].buffer)] = true;
        }
    }
}

/* Where the plan places both it says what they share. */
static void add_pair(listing *l, uint32_t a, uint32_t b, uint64_t *more)
{
    uint32_t x = storage_of(l->d, a), y = storage_of(l->d, b);
    if (x == y || (l->placed[x] && l->placed[y]) || list_has(l, x, y)) {
        return;
    }
    if (l->count == REPLAY_MOST_PAIRS) {
        *more += 1;
        return;
    }
    l->pairs[l->count++] = (replay_pair){a, b};
}

replay_status replay_pairs_find(replay_pairs *pairs, const oracle_document *d,
                                replay_error *error)
{
    listing l = {.d = d, .pairs = pairs->list};
    pairs->count = 0;
    pairs->more = 0;
    if (d->may_alias_count == 0) {
        return REPLAY_OK;
    }
    l.placed = calloc((size_t)d->buffer_count + 1, sizeof *l.placed);
    if (l.placed == NULL) {
        return replay_fail_memory(error);
    }
    find_placed(&l);
    for (uint32_t b = 0; b < d->buffer_count; b++) {
        const oracle_buffer *from = &d->buffers[b];
        for (uint32_t i = 0; i < from->may_alias; i++) {
            add_pair(&l, b, d->may_aliases[from->first_may_alias + i],
                     &pairs->more);
        }
    }
    pairs->count = l.count;
    free(l.placed);
    return REPLAY_OK;
}

/* --- What goes together --- */

/* Storages by class: whose number they have. */
typedef struct classes {
    uint32_t storage[2 * REPLAY_MOST_PAIRS], class[2 * REPLAY_MOST_PAIRS];
    uint32_t count;
} classes;

static uint32_t class_of(classes *c, uint32_t storage)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->storage[i] == storage) {
            return c->class[i];
        }
    }
    c->storage[c->count] = storage;
    c->class[c->count] = c->count;
    return c->count++;
}

/* Whether each of one class may be one memory with each of the other. */
static bool may_join(const classes *c, const replay_pairs *pairs,
                     const oracle_document *d, uint32_t x, uint32_t y)
{
    listing all = {.d = d, .count = pairs->count};
    all.pairs = (replay_pair *)pairs->list; /* is read alone */
    for (uint32_t i = 0; i < c->count; i++) {
        for (uint32_t k = 0; k < c->count; k++) {
            if (c->class[i] == x && c->class[k] == y &&
                !list_has(&all, c->storage[i], c->storage[k])) {
                return false;
            }
        }
    }
    return true;
}

/* Joins what a pair has, if it may be; *new: it was not so before. */
static bool take(classes *c, const replay_pairs *pairs,
                 const oracle_document *d, replay_pair pair, bool *new)
{
    uint32_t x = class_of(c, storage_of(d, pair.a));
    uint32_t y = class_of(c, storage_of(d, pair.b));
    *new = x != y;
    if (x != y && !may_join(c, pairs, d, x, y)) {
        return false;
    }
    for (uint32_t k = 0; k < c->count; k++) {
        c->class[k] = c->class[k] == y ? x : c->class[k];
    }
    return true;
}

void replay_pairs_extend(replay_pairs *together, const replay_pairs *pairs,
                         const oracle_document *d, uint32_t first)
{
    classes c = {.count = 0};
    bool new;
    together->count = 0;
    together->more = 0;
    for (uint32_t i = 0; i < pairs->count; i++) {
        replay_pair pair = pairs->list[i == 0 ? first : i <= first ? i - 1 : i];
        if (take(&c, pairs, d, pair, &new) && new) {
            together->list[together->count++] = pair;
        }
    }
}

bool replay_pairs_hold(const replay_pairs *together, const replay_pairs *pairs,
                       const oracle_document *d)
{
    classes c = {.count = 0};
    bool new, all = true;
    for (uint32_t i = 0; all && i < together->count; i++) {
        all = take(&c, pairs, d, together->list[i], &new);
    }
    return all;
}

/* --- The document --- */

/* All names of one storage become names of the other, so many bytes on. */
static bool move_names(oracle_buffer *buffers, uint32_t count, uint32_t from,
                       uint32_t to, int64_t by)
{
    for (uint32_t b = 0; b < count; b++) {
        if (buffers[b].storage != from) {
            continue;
        }
        if (__builtin_add_overflow(buffers[b].storage_at, by,
                                   &buffers[b].storage_at)) {
            return false;
        }
        buffers[b].storage = to;
    }
    return true;
}

static bool join(oracle_buffer *buffers, uint32_t count, replay_pair pair)
{
    const oracle_buffer *a = &buffers[pair.a], *b = &buffers[pair.b];
    int64_t by;
    if (a->storage == b->storage) {
        return true;
    }
    if (__builtin_sub_overflow(a->storage_at, b->storage_at, &by)) {
        return false;
    }
    return by >= 0 ? move_names(buffers, count, b->storage, a->storage, by)
                   : move_names(buffers, count, a->storage, b->storage, -by);
}

replay_status replay_unite(oracle_document *united, const oracle_document *d,
                           const replay_pairs *pairs, replay_error *error)
{
    size_t bytes = (size_t)d->buffer_count * sizeof *d->buffers;
    oracle_buffer *buffers = malloc(bytes + 1);
    if (buffers == NULL) {
        return replay_fail_memory(error);
    }
    if (d->buffer_count > 0) {
        memcpy(buffers, d->buffers, bytes);
    }
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (!join(buffers, d->buffer_count, pairs->list[i])) {
            free(buffers);
            return replay_fail(error, REPLAY_RANGE, -1,
                               "buffers that may be one memory lie beyond 64 "
                               "bits when they are");
        }
    }
    *united = *d;
    united->buffers = buffers;
    return REPLAY_OK;
}

void replay_united_free(oracle_document *united)
{
    free(united->buffers);
    *united = (oracle_document){0};
}
