/*
 * One storage in one execution: its atoms, the chain of pairs that clears most
 * of them, reads of bytes that nothing wrote, and the others by the definition.
 */
#include "hazard_sets.h"

#include "region.h"

#include <stdlib.h>
#include <string.h>

#define CLOSURE_TASKS 32768u
#define WINDOW 8192u
#define PAIRS (UINT32_C(1) << 26)
#define SETS_FROM (UINT64_C(1) << 24)
#define FEW 8u
#define SETS_ACCESSES 64u

static int64_t pack(uint32_t a, uint32_t b)
{
    return (int64_t)((uint64_t)a << 32 | b);
}

/* --- The chain of pairs of one atom --- */

/* Most storages have few pairs: they are looked through, without a table. */
static uint32_t find_pair(const oracle_scan *s, uint32_t from, uint32_t to)
{
    if (s->pair_count > FEW) {
        return oracle_id_table_find(&s->index, pack(from, to));
    }
    uint32_t i = 0;
    while (i < s->pair_count &&
           (s->pairs[i].from != from || s->pairs[i].to != to)) {
        i++;
    }
    return i < s->pair_count ? i : ORACLE_NONE;
}

static bool index_pair(oracle_scan *s, uint32_t i)
{
    oracle_id_slot *slot =
        oracle_id_table_slot(&s->index, pack(s->pairs[i].from, s->pairs[i].to));
    if (slot != NULL) {
        slot->value = i;
    }
    return slot != NULL;
}

static void note_pair(oracle_scan *s, uint32_t from, uint32_t to)
{
    oracle_pair *grown = oracle_arena_push(s->execution->arena, s->pairs,
                                           s->pair_count, sizeof *s->pairs);
    if (grown == NULL) {
        s->failed = true;
        return;
    }
    s->pairs = grown;
    s->pairs[s->pair_count++] = (oracle_pair){from, to, false};
    uint32_t first = s->pair_count > FEW + 1 ? s->pair_count - 1 : 0;
    for (uint32_t i = first; i < s->pair_count && s->pair_count > FEW; i++) {
        s->failed = s->failed || !index_pair(s, i);
    }
}

static void emit(oracle_scan *s, uint32_t first, uint32_t second)
{
    const oracle_item *a = &s->execution->items.items[first];
    const oracle_item *b = &s->execution->items.items[second];
    if (a->task == b->task || s->failed || s->large) {
        return;
    }
    if (s->looking) {
        uint32_t i = find_pair(s, a->task, b->task);
        s->broken = s->broken || (!s->pairs[i].ordered &&
                                  !oracle_own_edge(s->execution, a, b));
        return;
    }
    if (find_pair(s, a->task, b->task) == ORACLE_NONE) {
        s->large = s->pair_count >= PAIRS;
        note_pair(s, a->task, b->task);
    }
}

static void emit_all(oracle_scan *s, const uint32_t *from, uint32_t count,
                     uint32_t to)
{
    for (uint32_t i = 0; i < count; i++) {
        emit(s, from[i], to);
    }
}

static void swap_lists(uint32_t **a, uint32_t **b)
{
    uint32_t *other = *a;
    *a = *b;
    *b = other;
}

static void chain_write(oracle_scan *s, uint32_t item, bool accumulates)
{
    const oracle_item *items = s->execution->items.items;
    bool group_accumulates =
        s->group_count > 0 && items[s->group[0]].kind == ORACLE_ITEM_ACCUMULATE;
    if (s->reader_count > 0) {
        emit_all(s, s->readers, s->reader_count, item);
        swap_lists(&s->base, &s->readers);
        s->base_count = s->reader_count;
        s->group_count = 0;
        s->reader_count = 0;
    } else if (accumulates && group_accumulates) {
        emit_all(s, s->base, s->base_count, item);
    } else {
        emit_all(s, s->group, s->group_count, item);
        swap_lists(&s->base, &s->group);
        s->base_count = s->group_count;
        s->group_count = 0;
    }
    s->group[s->group_count++] = item;
}

static void chain(oracle_scan *s, const uint32_t *list, uint32_t count)
{
    s->base_count = s->group_count = s->reader_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const oracle_item *item = &s->execution->items.items[list[i]];
        if (item->task == ORACLE_NONE) {
            continue;
        }
        if (oracle_item_writes(item)) {
            chain_write(s, list[i], item->kind == ORACLE_ITEM_ACCUMULATE);
        } else {
            emit_all(s, s->group, s->group_count, list[i]);
            s->readers[s->reader_count++] = list[i];
        }
    }
}

/* --- Reads of bytes that nothing wrote --- */

enum { NEVER_WRITTEN = 1, PERHAPS_WRITTEN = 2, SEEN_WRITTEN = 4 };

typedef struct fresh {
    unsigned char *state; /* by position in the storage's list */
    oracle_interval *where, *hull;
    const oracle_document *document;
} fresh;

bool oracle_item_fills(const oracle_document *d, const oracle_item *item)
{
    return item->kind == ORACLE_ITEM_WRITE && item->task != ORACLE_NONE &&
           !d->tasks[item->task].has_predicate;
}

bool oracle_storage_varies(const oracle_execution *e, const uint32_t *list,
                           uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const oracle_item *item = &e->items.items[list[i]];
        oracle_extent extent = oracle_place_extent(e->document, item->place);
        if (oracle_item_fills(e->document, item) &&
            extent != ORACLE_EXTENT_CONSTANT &&
            extent != ORACLE_EXTENT_UNKNOWN) {
            return true;
        }
    }
    return false;
}

/* The decisions without which a task is not there are all of loops. */
static bool only_loops(const oracle_execution *e, const oracle_task *task)
{
    bool loops = true;
    for (uint32_t i = 0; i < task->whens; i++) {
        const oracle_when *when = &e->document->whens[task->first_when + i];
        loops = loops && (e->choices[when->choice] == when->is ||
                          strcmp(e->document->choices[when->choice].kind.data,
                                 "loop") == 0);
    }
    return loops;
}

oracle_elsewhere oracle_written_elsewhere(const oracle_execution *e,
                                          const oracle_item *read)
{
    const oracle_items *all = &e->items;
    uint32_t first = all->storage_first[read->storage];
    uint32_t end = all->storage_first[read->storage + 1];
    oracle_elsewhere found = ORACLE_ELSEWHERE_NEVER;
    if (e->complete) {
        return found;
    }
    for (uint32_t i = first; i < end && e->choices != NULL; i++) {
        const oracle_item *item = &all->items[all->by_storage[i]];
        if (item->task == ORACLE_NONE || item->task >= read->task ||
            e->present[item->task] || !oracle_item_fills(e->document, item) ||
            oracle_places_meet(e->document, item->place, read->place) ==
                ORACLE_MEET_NEVER) {
            continue;
        }
        if (only_loops(e, &e->document->tasks[item->task])) {
            return ORACLE_ELSEWHERE_LOOP;
        }
        found = ORACLE_ELSEWHERE_IF;
    }
    return found;
}

static void note_fresh(fresh *f, uint32_t at, unsigned char state,
                       const oracle_atom *atom)
{
    oracle_interval hull = {atom->interval.begin, atom->end};
    if (f->state[at] == 0 || f->state[at] == SEEN_WRITTEN) {
        f->where[at] = atom->interval;
        f->hull[at] = hull;
    } else {
        if (state == NEVER_WRITTEN && !(f->state[at] & NEVER_WRITTEN)) {
            f->where[at] = atom->interval;
        }
        f->hull[at].begin =
            hull.begin < f->hull[at].begin ? hull.begin : f->hull[at].begin;
        f->hull[at].end =
            hull.end > f->hull[at].end ? hull.end : f->hull[at].end;
    }
    f->state[at] |= state;
}

/* `position`: of each item in the storage's list. */
static void scan_fresh(fresh *f, const oracle_items *items,
                       const uint32_t *position, const oracle_atom *atom,
                       const uint32_t *touching)
{
    bool written = false, maybe = false;
    for (uint32_t i = 0; i < atom->count; i++) {
        uint32_t item = touching[i], at = position[item];
        const oracle_item *access = &items->items[item];
        if (oracle_item_writes(access)) {
            maybe = true;
            written = written || oracle_item_fills(f->document, access);
        } else if (written) {
            f->state[at] |= SEEN_WRITTEN;
        } else {
            note_fresh(f, at, maybe ? PERHAPS_WRITTEN : NEVER_WRITTEN, atom);
        }
    }
}

bool oracle_argument_writes(const oracle_document *d, const oracle_item *item)
{
    if (item->arg == ORACLE_NONE) {
        return false;
    }
    const oracle_arg *arg =
        &d->args[d->tasks[item->task].first_arg + item->arg];
    bool writes = !arg->has_access;
    for (uint32_t i = 0; i < arg->accesses; i++) {
        writes =
            writes || d->accesses[arg->first_access + i].mode != ORACLE_READ;
    }
    return writes;
}

/*
 * An error when nothing of what is read was written: kernels load whole tiles
 * with padding that they do not use, so a part that was not is a warning. A
 * read that is only a bound says little: it counts when nothing of it was
 * written, and not where the same argument writes.
 */
static bool report_fresh(oracle_hazards *hazards,
                         const oracle_execution *execution, const fresh *f,
                         const uint32_t *list, uint32_t count,
                         const bool *bound, int64_t *values)
{
    if (values != NULL && oracle_storage_varies(execution, list, count)) {
        return true;
    }
    for (uint32_t i = 0; i < count; i++) {
        const oracle_item *item = &execution->items.items[list[i]];
        bool never = f->state[i] == NEVER_WRITTEN;
        bool exact = item->exact && !bound[list[i]];
        if (item->task == ORACLE_NONE ||
            !(f->state[i] & (NEVER_WRITTEN | PERHAPS_WRITTEN))) {
            continue;
        }
        if (!exact && (f->state[i] != NEVER_WRITTEN ||
                       oracle_argument_writes(execution->document, item))) {
            continue;
        }
        oracle_elsewhere elsewhere = oracle_written_elsewhere(execution, item);
        if (elsewhere == ORACLE_ELSEWHERE_LOOP) {
            continue;
        }
        oracle_hazard hazard = {
            .kind = ORACLE_HAZARD_UNINITIALISED,
            .decided = never && exact && item->must &&
                       elsewhere == ORACLE_ELSEWHERE_NEVER,
            .producer = {.task = ORACLE_NONE},
            .consumer = *item,
            .reader = *item,
            .initial = true,
            .shown = f->where[i],
            .hull = f->hull[i],
            .values = values,
            .execution = execution->number,
        };
        if (!oracle_hazard_keep(hazards, execution->document, &hazard)) {
            return false;
        }
    }
    return true;
}

/* --- One storage --- */

bool oracle_storage_initial(const oracle_execution *execution,
                            const uint32_t *list, uint32_t count)
{
    const oracle_item *items = execution->items.items;
    const oracle_buffer *b =
        &execution->document->buffers[items[list[0]].storage];
    bool initial = b->external || b->init;
    for (uint32_t i = 0; i < count; i++) {
        initial = initial || items[list[i]].task == ORACLE_NONE;
    }
    return initial;
}

static bool judge_fresh(oracle_hazards *hazards, oracle_execution *execution,
                        oracle_storage_work *w)
{
    fresh f = {
        oracle_arena_alloc(execution->arena, w->count),
        oracle_arena_array(execution->arena, w->count, sizeof *f.where),
        oracle_arena_array(execution->arena, w->count, sizeof *f.hull),
        execution->document,
    };
    if (f.state == NULL || f.where == NULL || f.hull == NULL) {
        return false;
    }
    for (uint32_t a = 0; a < w->atoms.count; a++) {
        const oracle_atom *atom = &w->atoms.atoms[a];
        scan_fresh(&f, &execution->items, w->position, atom,
                   w->atoms.touching + atom->first);
    }
    return report_fresh(hazards, execution, &f, w->list, w->count, w->bound,
                        w->values);
}

static bool start_scan(oracle_scan *s, uint32_t count)
{
    oracle_arena *arena = s->execution->arena;
    s->base = oracle_arena_array(arena, count, sizeof *s->base);
    s->group = oracle_arena_array(arena, count, sizeof *s->group);
    s->readers = oracle_arena_array(arena, count, sizeof *s->readers);
    return s->base != NULL && s->group != NULL && s->readers != NULL;
}

static void scan_atoms(oracle_storage_work *w)
{
    oracle_scan *s = &w->scan;
    for (uint32_t a = 0; a < w->atoms.count; a++) {
        const oracle_atom *atom = &w->atoms.atoms[a];
        s->broken = false;
        chain(s, w->atoms.touching + atom->first, atom->count);
        w->broken[a] = s->broken;
        w->broken_count += s->broken;
    }
}

bool oracle_storage_list_pairs(oracle_storage_work *w)
{
    w->broken = oracle_arena_alloc(w->scan.execution->arena, w->atoms.count);
    if (w->broken == NULL || !start_scan(&w->scan, w->count)) {
        return false;
    }
    scan_atoms(w);
    return !w->scan.failed || w->scan.large;
}

/* Takes the answers that are known; false: some are not. */
static bool take_answers(oracle_scan *s)
{
    const oracle_answers *answers = s->execution->answers;
    bool known = answers != NULL && answers->count > 0;
    for (uint32_t i = 0; known && i < s->pair_count; i++) {
        const oracle_pair *found =
            bsearch(&s->pairs[i], answers->pairs, answers->count, sizeof *found,
                    oracle_compare_pair);
        known = found != NULL;
        s->pairs[i].ordered = known && found->ordered;
    }
    return known;
}

/* Which atoms have a pair in their chain that is not ordered. */
bool oracle_storage_find_broken(oracle_storage_work *w)
{
    oracle_scan *s = &w->scan;
    if (!oracle_storage_list_pairs(w)) {
        return false;
    }
    if (s->large) {
        return true;
    }
    if (!take_answers(s) &&
        !oracle_order_query(&s->execution->certain, s->pairs, s->pair_count)) {
        return false;
    }
    s->looking = true;
    scan_atoms(w);
    return !s->failed;
}

static int compare_task(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

uint32_t oracle_unique_numbers(uint32_t *tasks, uint32_t count)
{
    uint32_t kept = 0;
    qsort(tasks, count, sizeof *tasks, compare_task);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || tasks[i] != tasks[i - 1]) {
            tasks[kept++] = tasks[i];
        }
    }
    return kept;
}

/* The tasks that touch the broken atoms from `begin`, as many as fit. */
static uint32_t gather_tasks(const oracle_storage_work *w, uint32_t *tasks,
                             uint32_t *end)
{
    const oracle_item *items = w->scan.execution->items.items;
    uint32_t n = 0, a = *end;
    for (; a < w->atoms.count; a++) {
        const oracle_atom *atom = &w->atoms.atoms[a];
        if (!w->broken[a]) {
            continue;
        }
        if (n > 0 && n + atom->count > CLOSURE_TASKS) {
            break;
        }
        for (uint32_t i = 0; i < atom->count; i++) {
            uint32_t task = items[w->atoms.touching[atom->first + i]].task;
            if (task != ORACLE_NONE) {
                tasks[n++] = task;
            }
        }
    }
    *end = a;
    return oracle_unique_numbers(tasks, n);
}

static bool judge_atoms(oracle_hazards *hazards, oracle_storage_work *w,
                        uint32_t begin, uint32_t end,
                        const oracle_closure *certain,
                        const oracle_closure *all)
{
    for (uint32_t a = begin; a < end; a++) {
        const oracle_atom *atom = &w->atoms.atoms[a];
        oracle_doubt doubt = {
            .execution = w->scan.execution,
            .certain = certain,
            .all = all,
            .list = w->atoms.touching + atom->first,
            .count = atom->count,
            .whole = w->atoms.touching + atom->first,
            .whole_count = atom->count,
            .atom = *atom,
            .bound = w->bound,
            .values = w->values,
        };
        if (w->broken[a] && !oracle_hazards_judge_atom(hazards, &doubt)) {
            return false;
        }
    }
    return true;
}

/* The order of these tasks, without the edges that may be missing and with. */
static bool build_closures(oracle_execution *execution, const uint32_t *tasks,
                           uint32_t count, oracle_closure *certain,
                           oracle_closure *all, oracle_arena *arena)
{
    *certain = (oracle_closure){.row = execution->row_certain};
    *all = (oracle_closure){.row = execution->row_all};
    if (arena == NULL || !oracle_closure_build(certain, &execution->certain,
                                               tasks, count, arena)) {
        return false;
    }
    if (execution->own_count == 0) {
        *all = *certain;
        return true;
    }
    return oracle_closure_build(all, &execution->all, tasks, count, arena);
}

/*
 * An atom of too many tasks: all that is wrong among accesses that lie near
 * each other is found, each window half over the one before.
 */
static bool judge_windows(oracle_hazards *hazards, oracle_storage_work *w,
                          uint32_t a, uint32_t *tasks)
{
    const oracle_item *items = w->scan.execution->items.items;
    const oracle_atom *atom = &w->atoms.atoms[a];
    const uint32_t *touching = w->atoms.touching + atom->first;
    bool ok = true;
    hazards->exhausted = true;
    for (uint32_t first = 0; ok && first < atom->count; first += WINDOW / 2) {
        oracle_closure certain, all;
        oracle_arena *arena = oracle_arena_create();
        uint32_t left = atom->count - first, n = 0;
        oracle_doubt doubt = {
            .execution = w->scan.execution,
            .certain = &certain,
            .all = &all,
            .list = touching + first,
            .count = left < WINDOW ? left : WINDOW,
            .cut = first > 0,
            .whole = touching,
            .whole_count = atom->count,
            .atom = *atom,
            .bound = w->bound,
            .values = w->values,
        };
        for (uint32_t i = 0; i < doubt.count; i++) {
            if (items[doubt.list[i]].task != ORACLE_NONE) {
                tasks[n++] = items[doubt.list[i]].task;
            }
        }
        ok = build_closures(w->scan.execution, tasks,
                            oracle_unique_numbers(tasks, n), &certain, &all,
                            arena) &&
             oracle_hazards_judge_atom(hazards, &doubt);
        oracle_arena_free(arena);
    }
    return ok;
}

static bool judge_broken(oracle_hazards *hazards, oracle_storage_work *w)
{
    oracle_execution *execution = w->scan.execution;
    size_t room = 0, most = 0;
    for (uint32_t a = 0; a < w->atoms.count; a++) {
        size_t count = w->broken[a] ? w->atoms.atoms[a].count : 0;
        room += count;
        most = count > most ? count : most;
    }
    room = room < CLOSURE_TASKS ? room : CLOSURE_TASKS;
    room = most > room ? most : room;
    uint32_t *tasks = malloc(room * sizeof *tasks);
    bool ok = tasks != NULL;
    for (uint32_t begin = 0, end = 0; ok && begin < w->atoms.count;
         begin = end) {
        uint32_t count = gather_tasks(w, tasks, &end);
        oracle_closure certain, all;
        oracle_arena *arena = oracle_arena_create();
        if (count > CLOSURE_TASKS) {
            while (!w->broken[begin]) {
                begin++;
            }
            ok = judge_windows(hazards, w, begin, tasks);
        } else if (count > 0) {
            ok = build_closures(execution, tasks, count, &certain, &all,
                                arena) &&
                 judge_atoms(hazards, w, begin, end, &certain, &all);
        }
        oracle_arena_free(arena);
    }
    free(tasks);
    return ok;
}

bool oracle_storage_fits_sets(const oracle_execution *execution)
{
    return execution->complete && execution->document->choice_count == 0 &&
           execution->certain.forward && execution->own_count == 0;
}

uint64_t oracle_storage_sets_from(const oracle_hazards *hazards)
{
    return hazards->sets_from > 0 ? hazards->sets_from : SETS_FROM;
}

/* Whether pairs one by one are too many. */
static bool is_crowded(const oracle_hazards *hazards,
                       const oracle_storage_work *w)
{
    uint64_t pairs = 0;
    for (uint32_t a = 0; a < w->atoms.count; a++) {
        uint64_t n = w->broken[a] ? w->atoms.atoms[a].count : 0;
        pairs += n * n;
    }
    return pairs >= oracle_storage_sets_from(hazards);
}

static bool judge_by_sets(oracle_hazards *hazards, oracle_storage_work *w,
                          bool *done)
{
    oracle_sets sets;
    oracle_sets_result result =
        oracle_sets_start(&sets, hazards, w->scan.execution, w->list, w->count);
    bool ok = result != ORACLE_SETS_NO_MEMORY;
    *done = result == ORACLE_SETS_DONE &&
            (oracle_sets_joins(&sets) || is_crowded(hazards, w));
    if (*done) {
        ok = oracle_sets_judge(&sets);
    }
    oracle_sets_end(&sets);
    return ok;
}

/* A few accesses are judged faster one by one. */
static bool fits_sets(const oracle_hazards *hazards,
                      const oracle_storage_work *w)
{
    return w->whole && hazards->sets_from != UINT64_MAX &&
           (w->count >= SETS_ACCESSES || hazards->sets_from > 0);
}

/* The chain and the definition over the atoms of `w`. */
bool oracle_storage_judge(oracle_hazards *hazards, oracle_storage_work *w)
{
    oracle_execution *execution = w->scan.execution;
    bool ok = oracle_storage_find_broken(w);
    if (ok && !oracle_storage_initial(execution, w->list, w->count)) {
        ok = judge_fresh(hazards, execution, w);
    }
    if (w->scan.large) {
        hazards->large[execution->items.items[w->list[0]].storage] = true;
    } else if (ok && w->broken_count > 0) {
        bool done = false;
        ok = !fits_sets(hazards, w) || judge_by_sets(hazards, w, &done);
        ok = ok && (done || judge_broken(hazards, w));
    }
    return ok;
}

oracle_storage_work oracle_storage_work_of(oracle_hazards *hazards,
                                           oracle_execution *execution)
{
    return (oracle_storage_work){
        .scan = {.hazards = hazards, .execution = execution},
        .bound = execution->bound,
        .position = execution->position,
    };
}

bool oracle_hazards_judge_storage(oracle_hazards *hazards,
                                  oracle_execution *execution,
                                  const uint32_t *list, uint32_t count,
                                  const oracle_values *values)
{
    oracle_storage_work w = oracle_storage_work_of(hazards, execution);
    w.list = list;
    w.count = count;
    w.values = values->of;
    for (uint32_t i = 0; i < count; i++) {
        w.position[list[i]] = i;
    }
    oracle_atoms_result result =
        oracle_atoms_build(&w.atoms, execution->document, &execution->items,
                           list, count, values, w.bound, execution->arena);
    if (result == ORACLE_ATOMS_LARGE) {
        hazards->large[execution->items.items[list[0]].storage] = true;
        return true;
    }
    bool ok = result == ORACLE_ATOMS_DONE && oracle_storage_judge(hazards, &w);
    oracle_id_table_free(&w.scan.index);
    return ok;
}
