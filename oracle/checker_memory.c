/* Witnesses about a memory plan: its places, and what an address is. */
#include "checker.h"

#include <string.h>

/* Where each storage starts, by the first place that says so. */
static bool read_places(oracle_check *c)
{
    uint32_t n = c->d.buffer_count;
    c->placed = oracle_arena_alloc(c->arena, n);
    c->base = oracle_arena_array(c->arena, n, sizeof *c->base);
    if (c->placed == NULL || c->base == NULL) {
        return oracle_check_fail(c, "no memory");
    }
    for (uint32_t i = 0; i < c->d.allocation_count; i++) {
        const oracle_allocation *a = &c->d.allocations[i];
        int64_t base;
        if (a->buffer == ORACLE_NONE) {
            continue;
        }
        const oracle_buffer *b = &c->d.buffers[a->buffer];
        if (!c->placed[b->storage] &&
            !__builtin_sub_overflow(a->offset, b->storage_at, &base) &&
            base >= 0) {
            c->placed[b->storage] = true;
            c->base[b->storage] = base;
        }
    }
    return true;
}

bool oracle_check_address(oracle_check *c)
{
    uint32_t node = oracle_check_member(c, c->witness, "address");
    uint32_t storage = c->d.buffers[c->byte.buffer].storage;
    int64_t begin = c->d.regions[c->byte.region].base.c, at;
    if (!oracle_check_number(c, node, &c->address) || !read_places(c)) {
        return oracle_check_fail(c, "there is no address");
    }
    if (storage != c->byte.buffer || !c->placed[storage] ||
        __builtin_add_overflow(c->base[storage], begin, &at) ||
        at != c->address) {
        return oracle_check_fail(c, "the byte has another address");
    }
    c->by_address = true;
    return true;
}

bool oracle_check_move(oracle_check *c, uint32_t storage)
{
    const oracle_buffer *b = &c->d.buffers[storage];
    int64_t at;
    if (!c->placed[storage] ||
        __builtin_sub_overflow(c->address, c->base[storage], &at) || at < 0 ||
        (b->has_bytes && at >= b->bytes)) {
        return false;
    }
    c->byte.buffer = storage;
    c->d.regions[c->byte.region].base.c = at;
    return true;
}

static const oracle_allocation *allocation(oracle_check *c, uint32_t node)
{
    int64_t index = -1;
    if (!oracle_check_number(c, node, &index) || index < 0 ||
        index >= c->d.allocation_count) {
        oracle_check_fail(c, "there is no such place");
        return NULL;
    }
    return &c->d.allocations[index];
}

bool oracle_check_allocation(oracle_check *c, uint32_t index)
{
    const oracle_allocation *a = allocation(c, index);
    int64_t end;
    if (a == NULL) {
        return false;
    }
    const oracle_buffer *b =
        a->buffer == ORACLE_NONE ? NULL : &c->d.buffers[a->buffer];
    if (strcmp(c->rule, "memory.alignment") == 0) {
        return (b != NULL && b->align > 1 && a->offset % b->align != 0) ||
               oracle_check_fail(c, "the place is aligned");
    }
    return a->offset < 0 || a->size < 0 ||
           __builtin_add_overflow(a->offset, a->size, &end) ||
           (b != NULL && b->has_bytes && b->bytes > a->size) ||
           (b != NULL && b->storage_at > a->offset) ||
           (c->d.capacity > 0 && end > c->d.capacity) ||
           oracle_check_fail(c, "the place is within bounds");
}

static bool share_address(const oracle_document *d, const oracle_allocation *a,
                          const oracle_allocation *b)
{
    const oracle_allocation *both[2] = {a, b};
    int64_t begin[2], end[2];
    for (int i = 0; i < 2; i++) {
        const oracle_buffer *view = &d->buffers[both[i]->buffer];
        const oracle_buffer *root = &d->buffers[view->storage];
        if (__builtin_sub_overflow(both[i]->offset, view->storage_at,
                                   &begin[i]) ||
            __builtin_add_overflow(begin[i], root->has_bytes ? root->bytes : 0,
                                   &end[i])) {
            return false;
        }
    }
    return begin[0] < end[1] && begin[1] < end[0];
}

bool oracle_check_allocations(oracle_check *c, uint32_t list)
{
    bool two = oracle_json_next(&c->json, list) == list + 3;
    const oracle_allocation *a = two ? allocation(c, list + 1) : NULL;
    const oracle_allocation *b = two ? allocation(c, list + 2) : NULL;
    if (a == NULL || b == NULL || a->buffer == ORACLE_NONE ||
        b->buffer == ORACLE_NONE) {
        return oracle_check_fail(c, "two places are not named");
    }
    const oracle_buffer *x = &c->d.buffers[a->buffer];
    const oracle_buffer *y = &c->d.buffers[b->buffer];
    int64_t at, other;
    if (strcmp(c->rule, "memory.external") == 0) {
        return (x->storage != y->storage && share_address(&c->d, a, b) &&
                (c->d.buffers[x->storage].external ||
                 c->d.buffers[y->storage].external)) ||
               oracle_check_fail(c, "no parameter shares its bytes");
    }
    if (strcmp(c->rule, "memory.overlap") == 0) {
        return (x->storage != y->storage && share_address(&c->d, a, b) &&
                c->d.buffers[x->storage].init &&
                c->d.buffers[y->storage].init) ||
               oracle_check_fail(c, "no two values at the start share a byte");
    }
    return (x->storage == y->storage &&
            (__builtin_sub_overflow(a->offset, x->storage_at, &at) ||
             __builtin_sub_overflow(b->offset, y->storage_at, &other) ||
             at != other)) ||
           oracle_check_fail(c, "the two places agree");
}

bool oracle_check_missing(oracle_check *c, uint32_t buffer)
{
    int64_t index = -1;
    bool used = false;
    if (!oracle_check_number(c, buffer, &index) || index < 0 ||
        index >= c->d.buffer_count || !read_places(c)) {
        return oracle_check_fail(c, "there is no such buffer");
    }
    for (uint32_t t = 0; t < c->d.task_count; t++) {
        const oracle_task *task = &c->d.tasks[t];
        for (uint32_t a = 0; a < task->args; a++) {
            const oracle_arg *arg = &c->d.args[task->first_arg + a];
            used |= arg->kind == ORACLE_ARG_BUFFER &&
                    arg->buffer != ORACLE_NONE &&
                    c->d.buffers[arg->buffer].storage == index;
        }
        used |= task->has_predicate && task->predicate_buffer != ORACLE_NONE &&
                c->d.buffers[task->predicate_buffer].storage == index;
    }
    return (used && !c->placed[index]) ||
           oracle_check_fail(c, "it has a place, or is not used");
}

bool oracle_check_peak(oracle_check *c, uint32_t peak)
{
    int64_t most = 0, claimed = -1;
    for (uint32_t i = 0; i < c->d.allocation_count; i++) {
        int64_t end = 0;
        const oracle_allocation *a = &c->d.allocations[i];
        if (!__builtin_add_overflow(a->offset, a->size, &end)) {
            most = end > most ? end : most;
        }
    }
    return (oracle_check_number(c, peak, &claimed) && claimed == most &&
            most != c->d.peak) ||
           oracle_check_fail(c, "the peak is right");
}
