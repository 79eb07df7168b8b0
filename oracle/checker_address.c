/*
 * Checks a certificate by address: of storages that share some, every read
 * finds what was written for it. Part of checker_clean.c, and like it alone.
 */
#include "checker_clean.h"

#include <string.h>

static bool read_addresses(oracle_clean *k)
{
    const oracle_document *d = k->d;
    memset(k->base, 0xff, d->buffer_count * sizeof *k->base);
    for (uint32_t i = 0; i < d->allocation_count; i++) {
        const oracle_allocation *p = &d->allocations[i];
        const oracle_buffer *b =
            p->buffer == ORACLE_NONE ? NULL : &d->buffers[p->buffer];
        int64_t base = 0;
        if (b != NULL &&
            (__builtin_sub_overflow(p->offset, b->storage_at, &base) ||
             base < 0 || base > INT64_MAX / 4 ||
             (k->base[b->storage] >= 0 && k->base[b->storage] != base))) {
            return ORACLE_REFUSE(k, "%.60s has no one address", b->key.data);
        } else if (b != NULL) {
            k->base[b->storage] = base;
        }
    }
    for (uint32_t i = 0; i < k->count; i++) {
        uint32_t s = k->list[i].storage;
        if (k->base[s] < 0 && k->owned[s]) {
            continue; /* the caller has it elsewhere: nobody shares it */
        }
        if (k->base[s] < 0 || !d->buffers[s].has_bytes ||
            d->buffers[s].bytes > INT64_MAX / 4) {
            return ORACLE_REFUSE(k, "%.60s has no address or no size",
                                 d->buffers[s].key.data);
        }
    }
    return true;
}

/* Whether it is in the plan. */
static bool placed(const oracle_clean *k, const oracle_access_of *a)
{
    return k->base[a->storage] >= 0;
}

/* The addresses that an access touches at most, of what is in the plan. */
static oracle_span addresses(const oracle_clean *k, const oracle_access_of *a)
{
    oracle_span x = oracle_place_span(k->d, a->place);
    int64_t base = k->base[a->storage], size = k->d->buffers[a->storage].bytes;
    bool inside = x.bounded && x.begin >= 0 && x.end <= size;
    return (oracle_span){true, base + (inside ? x.begin : 0),
                         base + (inside ? x.end : size)};
}

static bool share(oracle_span x, oracle_span y)
{
    return x.begin < y.end && y.begin < x.end;
}

/* Whether the write x comes after the read, or before all that it may see. */
static bool clear(oracle_clean *k, const oracle_access_of *r,
                  const oracle_access_of *x)
{
    if (r->task == x->task || oracle_clean_before(k, r->task, x->task)) {
        return true;
    }
    uint32_t from = oracle_clean_cover(k, r, 0);
    bool seen = false, fine = from != ORACLE_NONE || !k->filled[r->storage];
    for (uint32_t i = from == ORACLE_NONE ? 0 : from; i < k->count; i++) {
        const oracle_access_of *w = &k->list[i];
        if (w->writes && w->task < r->task && w->storage == r->storage &&
            share(addresses(k, w), addresses(k, r))) {
            seen = true;
            fine &= oracle_clean_before(k, x->task, w->task);
        }
    }
    return fine && seen;
}

/* The caller reads what is his at the end: nobody else may write there. */
static bool check_owned(oracle_clean *k, const oracle_access_of *x)
{
    for (uint32_t s = 0; s < k->d->buffer_count; s++) {
        const oracle_buffer *b = &k->d->buffers[s];
        if (b->storage != s || !k->owned[s] || k->base[s] < 0 ||
            s == x->storage) {
            continue;
        }
        oracle_span own = {true, k->base[s], k->base[s]};
        if (!b->has_bytes ||
            __builtin_add_overflow(own.end, b->bytes, &own.end) ||
            share(own, addresses(k, x))) {
            return ORACLE_REFUSE(k, "%.60s is at the address of %.60s",
                                 k->d->buffers[x->storage].key.data,
                                 b->key.data);
        }
    }
    return true;
}

/* Two storages with a value from the start cannot both be at one address. */
static bool check_filled(oracle_clean *k)
{
    const oracle_document *d = k->d;
    for (uint32_t i = 0; i < d->buffer_count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            const oracle_buffer *x = &d->buffers[i], *y = &d->buffers[j];
            int64_t a = k->base[i], b = k->base[j];
            if (k->filled[i] && k->filled[j] && x->storage == i &&
                y->storage == j && a >= 0 && b >= 0 &&
                (!x->has_bytes || !y->has_bytes ||
                 (a - b < y->bytes && b - a < x->bytes))) {
                return ORACLE_REFUSE(k, "%.60s is at the address of %.60s",
                                     x->key.data, y->key.data);
            }
        }
        k->steps += i;
    }
    return true;
}

bool oracle_clean_addresses(oracle_clean *k)
{
    bool ok = !k->d->has_plan || (read_addresses(k) && check_filled(k));
    for (uint32_t j = 0; ok && k->d->has_plan && j < k->count; j++) {
        const oracle_access_of *x = &k->list[j];
        bool writes = x->writes && placed(k, x);
        ok = !writes || check_owned(k, x);
        for (uint32_t i = 0; ok && writes && i < k->count; i++) {
            const oracle_access_of *r = &k->list[i];
            if (r->reads && r->storage != x->storage && placed(k, r) &&
                share(addresses(k, r), addresses(k, x)) && !clear(k, r, x)) {
                ok = ORACLE_REFUSE(k, "%.60s and %.60s share addresses",
                                   k->d->buffers[r->storage].key.data,
                                   k->d->buffers[x->storage].key.data);
            }
        }
        k->steps += k->count + UINT64_C(1) * k->d->buffer_count;
        if (ok && k->steps > ORACLE_MOST_STEPS) {
            ok = ORACLE_REFUSE(k, "there are too many pairs to look at");
        }
    }
    return ok;
}
