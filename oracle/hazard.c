/* The list of hazards; what of an execution is judged. */
#include "hazard.h"

#include <stdlib.h>

#define HAZARDS (UINT32_C(1) << 20)
/* A storage whose pairs are asked together with those of others. */
#ifndef ORACLE_FAR_TASKS
#define ORACLE_FAR_TASKS 4096u
#endif
#define FAR_ACCESSES 1024u

static int64_t pack(uint32_t a, uint32_t b)
{
    return (int64_t)((uint64_t)a << 32 | b);
}

static uint32_t argument_number(const oracle_document *d,
                                const oracle_item *item)
{
    if (item->task == ORACLE_NONE) {
        return ORACLE_NONE;
    }
    return item->arg == ORACLE_NONE
               ? d->arg_count + item->task
               : d->tasks[item->task].first_arg + item->arg;
}

int64_t oracle_pair_key(const oracle_document *document, const oracle_item *a,
                        const oracle_item *b)
{
    return pack(argument_number(document, a), argument_number(document, b));
}

static void merge(oracle_hazard *into, const oracle_hazard *hazard)
{
    if (hazard->hull.begin < into->hull.begin) {
        into->hull.begin = hazard->hull.begin;
    }
    if (hazard->hull.end > into->hull.end) {
        into->hull.end = hazard->hull.end;
    }
    if (hazard->kind == ORACLE_HAZARD_UNINITIALISED && hazard->decided &&
        !into->decided) {
        oracle_interval hull = into->hull;
        uint32_t next = into->next;
        *into = *hazard;
        into->hull = hull;
        into->next = next;
    }
}

static bool is_open(const oracle_hazard *hazard)
{
    return !hazard->decided && hazard->kind != ORACLE_HAZARD_UNINITIALISED &&
           hazard->kind != ORACLE_HAZARD_DEAD_WRITE;
}

/* One open pair of arguments is one finding, whatever kind it would be. */
static bool same(const oracle_hazard *a, const oracle_hazard *b)
{
    bool open = is_open(a);
    return open == is_open(b) && (open || a->kind == b->kind);
}

bool oracle_hazard_keep(oracle_hazards *hazards,
                        const oracle_document *document,
                        const oracle_hazard *hazard)
{
    int64_t key =
        oracle_pair_key(document, &hazard->producer, &hazard->consumer);
    oracle_id_slot *slot = oracle_id_table_slot(&hazards->by_pair, key);
    if (slot == NULL) {
        return false;
    }
    hazards->decided +=
        hazard->decided && hazard->kind != ORACLE_HAZARD_UNINITIALISED;
    for (uint32_t i = slot->value; i != ORACLE_NONE;
         i = hazards->list[i].next) {
        if (same(&hazards->list[i], hazard)) {
            merge(&hazards->list[i], hazard);
            return true;
        }
    }
    if (hazards->count == HAZARDS) {
        hazards->exhausted = true;
        return true;
    }
    oracle_hazard *grown = oracle_arena_push(
        hazards->arena, hazards->list, hazards->count, sizeof *hazards->list);
    if (grown == NULL) {
        return false;
    }
    hazards->list = grown;
    grown[hazards->count] = *hazard;
    grown[hazards->count].next = slot->value;
    slot->value = hazards->count++;
    return true;
}

static int compare_own(const void *a, const void *b)
{
    const oracle_edge *x = a, *y = b;
    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    return (x->to > y->to) - (x->to < y->to);
}

bool oracle_own_edge(const oracle_execution *execution, const oracle_item *a,
                     const oracle_item *b)
{
    oracle_edge key = {.from = a->task, .to = b->task};
    uint32_t low = 0, high = execution->own_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_own(&execution->own[middle], &key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < execution->own_count; low++) {
        const oracle_edge *edge = &execution->own[low];
        if (compare_own(edge, &key) != 0) {
            return false;
        }
        /* An operand is no view: no such edge comes from it. */
        if (a->arg != ORACLE_NONE && b->arg != ORACLE_NONE &&
            (edge->from_arg == ORACLE_NONE || edge->from_arg == a->arg) &&
            (edge->to_arg == ORACLE_NONE || edge->to_arg == b->arg)) {
            return true;
        }
    }
    return false;
}

/* Storages that a `may_alias` joins, judged pair by pair. */
static bool judge_between(oracle_hazards *hazards, oracle_execution *execution)
{
    const oracle_document *d = execution->document;
    if (d->may_alias_count == 0) {
        return true;
    }
    uint32_t *list = oracle_arena_array(execution->arena,
                                        execution->items.count, sizeof *list);
    bool *joined = oracle_arena_alloc(execution->arena, d->buffer_count);
    if (list == NULL || joined == NULL) {
        return false;
    }
    for (uint32_t b = 0; b < d->buffer_count; b++) {
        const oracle_buffer *buffer = &d->buffers[b];
        for (uint32_t i = 0; i < buffer->may_alias; i++) {
            uint32_t other = d->may_aliases[buffer->first_may_alias + i];
            joined[buffer->storage] = true;
            joined[d->buffers[other].storage] = true;
        }
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < execution->items.count; i++) {
        const oracle_item *item = &execution->items.items[i];
        if (item->task != ORACLE_NONE && execution->present[item->task] &&
            joined[item->storage]) {
            list[count++] = i;
        }
    }
    oracle_suspects suspects = {list, count, list, count};
    return oracle_hazards_judge_symbolic(hazards, execution, &suspects, true);
}

/* --- An execution --- */

bool oracle_execution_start(oracle_execution *execution)
{
    oracle_arena *arena = execution->shared;
    const oracle_document *d = execution->document;
    size_t tasks = d->task_count, buffers = d->buffer_count;
    if (!oracle_items_collect(&execution->items, d, NULL, arena)) {
        return false;
    }
    size_t items = execution->items.count;
    execution->bound = oracle_arena_alloc(arena, items);
    execution->position = oracle_arena_array(arena, items, sizeof(uint32_t));
    execution->row_certain = oracle_arena_array(arena, tasks, sizeof(uint32_t));
    execution->row_all = oracle_arena_array(arena, tasks, sizeof(uint32_t));
    execution->views =
        oracle_arena_array(arena, buffers, sizeof *execution->views);
    if (execution->own_count > 0) {
        qsort(execution->own, execution->own_count, sizeof *execution->own,
              compare_own);
    }
    return execution->bound != NULL && execution->position != NULL &&
           execution->row_certain != NULL && execution->row_all != NULL &&
           execution->views != NULL;
}

/* What a storage takes is given back behind it: there may be a million. */
static void give_back(oracle_execution *execution, uint32_t storage)
{
    oracle_arena_clear(execution->arena);
    if (execution->once) {
        execution->views[storage] = (oracle_view){0};
    }
}

/* Few accesses, from the first to the last over many tasks. */
static bool is_far(const oracle_execution *e, uint32_t storage)
{
    uint32_t first = e->items.storage_first[storage];
    uint32_t count = e->items.storage_first[storage + 1] - first;
    const oracle_item *items = e->items.items;
    const uint32_t *list = e->items.by_storage + first;
    if (count > 1 && items[list[count - 1]].task == ORACLE_NONE) {
        count--; /* the caller */
    }
    return count > 1 && count < FAR_ACCESSES &&
           items[list[count - 1]].task - items[list[0]].task > ORACLE_FAR_TASKS;
}

/*
 * Pairs that lie far apart cost a walk over all tasks between them, which is
 * the same for many: those of all such storages are asked together.
 */
static bool ask_far_pairs(oracle_answers *answers, oracle_hazards *hazards,
                          oracle_execution *execution, oracle_arena *arena)
{
    const oracle_document *d = execution->document;
    for (uint32_t b = 0; b < d->buffer_count; b++) {
        if (!is_far(execution, b)) {
            continue;
        }
        if (!oracle_hazards_list_pairs(answers, hazards, execution, b, arena)) {
            return false;
        }
        give_back(execution, b);
    }
    if (answers->count > 1) {
        qsort(answers->pairs, answers->count, sizeof *answers->pairs,
              oracle_compare_pair);
    }
    return oracle_order_query(&execution->certain, answers->pairs,
                              answers->count);
}

static bool judge_each(oracle_hazards *hazards, oracle_execution *execution)
{
    const uint32_t *first = execution->items.storage_first;
    bool ok = true;
    for (uint32_t b = 0; ok && b < execution->document->buffer_count; b++) {
        if (first[b + 1] > first[b]) {
            ok = oracle_hazards_judge_view(hazards, execution, b, NULL, 0);
            give_back(execution, b);
        }
    }
    return ok;
}

bool oracle_hazards_find(oracle_hazards *hazards, oracle_execution *execution)
{
    oracle_answers answers = {0};
    oracle_arena *arena = execution->arena, *kept = oracle_arena_create();
    execution->arena = oracle_arena_create();
    execution->answers = &answers;
    bool ok = execution->arena != NULL && kept != NULL &&
              ask_far_pairs(&answers, hazards, execution, kept) &&
              judge_each(hazards, execution);
    oracle_arena_free(execution->arena);
    oracle_arena_free(kept);
    execution->arena = arena;
    execution->answers = NULL;
    return ok && judge_between(hazards, execution);
}

/* --- What another choice changes --- */

/* An atom to be judged again; ORACLE_NONE: all of its storage. */
typedef struct touched {
    uint32_t storage, atom;
} touched;

typedef struct change {
    oracle_execution *execution;
    const oracle_change *what;
    touched *list;
    uint32_t touched_count;
} change;

static bool touch(change *c, uint32_t storage, uint32_t atom)
{
    touched *grown = oracle_arena_push(c->execution->arena, c->list,
                                       c->touched_count, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    c->list = grown;
    grown[c->touched_count++] = (touched){storage, atom};
    return true;
}

/* Whether a path between the two may have lost or won a part. */
static bool between(const change *c, uint32_t from, uint32_t to)
{
    const oracle_change *what = c->what;
    uint32_t low = 0, high = what->task_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (what->tasks[middle] <= from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool is = low < what->task_count && what->tasks[low] < to;
    for (uint32_t i = 0; !is && i < what->edge_count; i++) {
        is = from <= what->edges[i].from && what->edges[i].to <= to;
    }
    return is;
}

/* The atoms of each item of a view, once it is asked. */
static bool index_view(oracle_execution *e, oracle_view *v)
{
    uint32_t total = 0;
    if (v->first != NULL) {
        return true;
    }
    v->first =
        oracle_arena_array(e->shared, (size_t)v->count + 2, sizeof(uint32_t));
    for (uint32_t a = 0; a < v->atoms.count; a++) {
        total += v->atoms.atoms[a].count;
    }
    v->of = oracle_arena_array(e->shared, total, sizeof(uint32_t));
    if (v->first == NULL || v->of == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < v->count; i++) {
        e->position[v->list[i]] = i;
    }
    for (uint32_t i = 0; i < total; i++) {
        v->first[e->position[v->atoms.touching[i]] + 2]++;
    }
    for (uint32_t i = 1; i <= v->count; i++) {
        v->first[i + 1] += v->first[i];
    }
    for (uint32_t a = 0; a < v->atoms.count; a++) {
        const oracle_atom *atom = &v->atoms.atoms[a];
        for (uint32_t i = 0; i < atom->count; i++) {
            uint32_t at = e->position[v->atoms.touching[atom->first + i]];
            v->of[v->first[at + 1]++] = a;
        }
    }
    return true;
}

/* Where an item stands in its view's list. */
static uint32_t place_in(const oracle_view *v, uint32_t item)
{
    uint32_t low = 0, high = v->count;
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (v->list[middle] <= item) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool touch_item(change *c, uint32_t item)
{
    uint32_t storage = c->execution->items.items[item].storage;
    oracle_view *v = &c->execution->views[storage];
    if (v->whole || v->open) {
        return touch(c, storage, ORACLE_NONE);
    }
    if (!index_view(c->execution, v)) {
        return false;
    }
    uint32_t at = place_in(v, item);
    for (uint32_t i = v->first[at]; i < v->first[at + 1]; i++) {
        if (!touch(c, storage, v->of[i])) {
            return false;
        }
    }
    return true;
}

static bool touch_tasks(change *c)
{
    const oracle_items *items = &c->execution->items;
    for (uint32_t i = 0; i < c->what->task_count; i++) {
        uint32_t t = c->what->tasks[i];
        for (uint32_t k = items->task_first[t]; k < items->task_first[t + 1];
             k++) {
            if (!touch_item(c, k)) {
                return false;
            }
        }
    }
    return true;
}

static bool touch_broken(change *c)
{
    const oracle_watch *watch = c->execution->watched;
    const oracle_item *items = c->execution->items.items;
    for (uint32_t i = 0; i < watch->broken_count; i++) {
        const oracle_broken *b = &watch->broken[i];
        const oracle_view *v = &c->execution->views[b->storage];
        const oracle_atom *atom = &v->atoms.atoms[b->atom];
        const uint32_t *touching = v->atoms.touching + atom->first;
        /* The caller, who is no task, stands behind all. */
        if (between(c, items[touching[0]].task,
                    items[touching[atom->count - 1]].task) &&
            !touch(c, b->storage,
                   v->whole || v->open ? ORACLE_NONE : b->atom)) {
            return false;
        }
    }
    return true;
}

/* Pairs that were in order by a path through other tasks. */
static bool touch_watched(change *c, uint64_t *steps)
{
    oracle_execution *e = c->execution;
    const oracle_watch *watch = e->watched;
    oracle_pair *pairs = NULL;
    uint32_t *storages = NULL, count = 0;
    for (uint32_t i = 0; i < watch->count; i++) {
        const oracle_watched *p = &watch->pairs[i];
        if (!e->present[p->from] || !e->present[p->to] ||
            !between(c, p->from, p->to)) {
            continue;
        }
        oracle_pair *grown =
            oracle_arena_push(e->arena, pairs, count, sizeof *pairs);
        uint32_t *more =
            oracle_arena_push(e->arena, storages, count, sizeof *storages);
        if (grown == NULL || more == NULL) {
            return false;
        }
        pairs = grown;
        storages = more;
        pairs[count] = (oracle_pair){p->from, p->to, false};
        storages[count++] = p->storage;
        *steps += p->to - p->from;
    }
    if (count > 0 && !oracle_order_query(&e->certain, pairs, count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!pairs[i].ordered && !touch(c, storages[i], ORACLE_NONE)) {
            return false;
        }
    }
    return true;
}

static int compare_touched(const void *a, const void *b)
{
    const touched *x = a, *y = b;
    if (x->storage != y->storage) {
        return x->storage < y->storage ? -1 : 1;
    }
    return (x->atom > y->atom) - (x->atom < y->atom);
}

static bool judge_touched(oracle_hazards *hazards, change *c)
{
    oracle_execution *e = c->execution;
    uint32_t *atoms =
        oracle_arena_array(e->arena, c->touched_count, sizeof *atoms);
    if (atoms == NULL) {
        return false;
    }
    qsort(c->list, c->touched_count, sizeof *c->list, compare_touched);
    for (uint32_t i = 0, end = 0; i < c->touched_count; i = end) {
        uint32_t storage = c->list[i].storage, count = 0;
        for (end = i; end < c->touched_count && c->list[end].storage == storage;
             end++) {
            uint32_t atom = c->list[end].atom;
            if (count == 0 || atoms[count - 1] != atom) {
                atoms[count++] = atom;
            }
        }
        bool all = atoms[count - 1] == ORACLE_NONE;
        if (!oracle_hazards_judge_view(hazards, e, storage, all ? NULL : atoms,
                                       count)) {
            return false;
        }
    }
    return true;
}

bool oracle_hazards_change(oracle_hazards *hazards, oracle_execution *execution,
                           const oracle_change *what)
{
    change c = {.execution = execution, .what = what};
    const oracle_watch *watch = execution->watched;
    hazards->steps_seen += ((uint64_t)watch->count + watch->broken_count) *
                           (what->edge_count + UINT64_C(1));
    if (!touch_tasks(&c) || !touch_broken(&c) ||
        !touch_watched(&c, &hazards->steps_seen)) {
        return false;
    }
    return (c.touched_count == 0 || judge_touched(hazards, &c)) &&
           judge_between(hazards, execution);
}
