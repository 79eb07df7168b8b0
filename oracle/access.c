/* The list of accesses; what bytes they touch is in access_atoms.c. */
#include "access.h"

typedef struct collector {
    const oracle_document *document;
    oracle_items *items;
    oracle_arena *arena;
} collector;

static bool add(collector *c, oracle_item item)
{
    oracle_items *items = c->items;
    oracle_item *grown = oracle_arena_push(c->arena, items->items, items->count,
                                           sizeof *items->items);
    if (grown == NULL) {
        return false;
    }
    item.storage = c->document->buffers[item.place.buffer].storage;
    items->items = grown;
    items->items[items->count++] = item;
    return true;
}

/* One pass over the arguments: the reads, or the writes. */
static bool add_arg(collector *c, uint32_t t, uint32_t a, bool writes)
{
    const oracle_document *d = c->document;
    const oracle_task *task = &d->tasks[t];
    const oracle_arg *arg = &d->args[task->first_arg + a];
    if (arg->kind != ORACLE_ARG_BUFFER || arg->buffer == ORACLE_NONE) {
        return true;
    }
    oracle_item item = {
        .task = t,
        .arg = a,
        .kind = writes ? ORACLE_ITEM_WRITE : ORACLE_ITEM_READ,
        .place = {arg->buffer, arg->view},
    };
    if (!arg->has_access) {
        return add(c, item);
    }
    for (uint32_t i = 0; i < arg->accesses; i++) {
        const oracle_access *access = &d->accesses[arg->first_access + i];
        bool reads =
            access->mode == ORACLE_READ || access->mode == ORACLE_READ_WRITE;
        if (writes ? access->mode == ORACLE_READ : !reads) {
            continue;
        }
        item.kind = !writes                             ? ORACLE_ITEM_READ
                    : access->mode == ORACLE_ACCUMULATE ? ORACLE_ITEM_ACCUMULATE
                                                        : ORACLE_ITEM_WRITE;
        item.known = true;
        item.always = access->must;
        item.must = access->must && !task->has_predicate;
        item.exact = access->exact;
        item.place = oracle_access_place(arg, access);
        if (!add(c, item)) {
            return false;
        }
    }
    return true;
}

static bool add_task(collector *c, uint32_t t)
{
    const oracle_task *task = &c->document->tasks[t];
    if (task->has_predicate && task->predicate_buffer != ORACLE_NONE) {
        oracle_item operand = {
            .task = t,
            .arg = ORACLE_NONE,
            .kind = ORACLE_ITEM_READ,
            .must = true,
            .always = true,
            .known = true,
            .exact = task->predicate_formed,
            .place = {task->predicate_buffer, task->predicate_region},
        };
        if (!add(c, operand)) {
            return false;
        }
    }
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t a = 0; a < task->args; a++) {
            if (!add_arg(c, t, a, pass == 1)) {
                return false;
            }
        }
    }
    return true;
}

/* The caller reads whatever may have been written of its buffers. */
static bool add_caller(collector *c, uint32_t buffer)
{
    return add(c, (oracle_item){.task = ORACLE_NONE,
                                .arg = ORACLE_NONE,
                                .kind = ORACLE_ITEM_READ,
                                .must = true,
                                .always = true,
                                .exact = true,
                                .known = true,
                                .place = {buffer, ORACLE_NONE}});
}

static bool index_storages(oracle_items *items, uint32_t buffers,
                           oracle_arena *arena)
{
    items->storage_first =
        oracle_arena_array(arena, (size_t)buffers + 2, sizeof(uint32_t));
    items->by_storage =
        oracle_arena_array(arena, items->count, sizeof(uint32_t));
    if (items->storage_first == NULL || items->by_storage == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < items->count; i++) {
        items->storage_first[items->items[i].storage + 2]++;
    }
    for (uint32_t b = 1; b <= buffers; b++) {
        items->storage_first[b + 1] += items->storage_first[b];
    }
    for (uint32_t i = 0; i < items->count; i++) {
        uint32_t storage = items->items[i].storage;
        items->by_storage[items->storage_first[storage + 1]++] = i;
    }
    return true;
}

bool oracle_items_collect(oracle_items *items, const oracle_document *document,
                          const bool *present, oracle_arena *arena)
{
    collector c = {document, items, arena};
    *items = (oracle_items){0};
    uint32_t *first = oracle_arena_array(
        arena, (size_t)document->task_count + 1, sizeof *first);
    if (first == NULL) {
        return false;
    }
    for (uint32_t t = 0; t < document->task_count; t++) {
        if ((present == NULL || present[t]) && !add_task(&c, t)) {
            return false;
        }
        first[t + 1] = items->count;
    }
    items->task_first = first;
    for (uint32_t b = 0; b < document->buffer_count; b++) {
        if (document->buffers[b].external && !add_caller(&c, b)) {
            return false;
        }
    }
    return index_storages(items, document->buffer_count, arena);
}
