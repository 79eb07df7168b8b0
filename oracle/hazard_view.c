/*
 * A storage over all executions of a document: its atoms are made once, of all
 * tasks, and judged with those that are submitted.
 */
#include "hazard_sets.h"

#include <string.h>

#define MANY 1024    /* accesses from which sets may be better than atoms */
#define NARROW 65536 /* pieces that atoms are made of in no time */

static bool all_exact(const oracle_execution *e, const uint32_t *list,
                      uint32_t count)
{
    bool exact = true;
    for (uint32_t i = 0; exact && i < count; i++) {
        exact = e->items.items[list[i]].exact && !e->bound[list[i]];
    }
    return exact;
}

static bool any_writes(const oracle_execution *e, const uint32_t *list,
                       uint32_t count)
{
    bool writes = false;
    for (uint32_t i = 0; !writes && i < count; i++) {
        writes = oracle_item_writes(&e->items.items[list[i]]);
    }
    return writes;
}

/*
 * The atoms over all tasks of the document, which every execution shares; none
 * where nothing can be wrong, since all only read what was there.
 */
static oracle_view *view_of(oracle_execution *e, uint32_t storage)
{
    oracle_view *v = &e->views[storage];
    if (v->made) {
        return v;
    }
    uint32_t first = e->items.storage_first[storage];
    v->list = e->items.by_storage + first;
    v->count = e->items.storage_first[storage + 1] - first;
    v->initial = oracle_storage_initial(e, v->list, v->count);
    v->made = true;
    oracle_arena *arena = e->once ? e->arena : e->shared;
    if (v->initial && !any_writes(e, v->list, v->count)) {
        return v;
    }
    oracle_atoms_result result =
        oracle_atoms_build(&v->atoms, e->document, &e->items, v->list, v->count,
                           NULL, e->bound, arena);
    v->symbolic = result != ORACLE_ATOMS_DONE;
    if (result == ORACLE_ATOMS_SYMBOLIC || result == ORACLE_ATOMS_LARGE) {
        result = oracle_atoms_hull(&v->atoms, e->document, &e->items, v->list,
                                   v->count, arena);
        v->shapeless = result == ORACLE_ATOMS_LARGE;
    }
    v->whole =
        v->shapeless ||
        (!v->initial && (v->symbolic || !all_exact(e, v->list, v->count)));
    return result == ORACLE_ATOMS_NO_MEMORY ? NULL : v;
}

static bool is_there(const oracle_execution *e, uint32_t item)
{
    uint32_t task = e->items.items[item].task;
    return task == ORACLE_NONE || e->present[task];
}

/* The items that are there, in program order. */
static uint32_t *present_items(const oracle_execution *e, const oracle_view *v,
                               uint32_t *count)
{
    uint32_t *list = oracle_arena_array(e->arena, v->count, sizeof *list);
    *count = 0;
    for (uint32_t i = 0; list != NULL && i < v->count; i++) {
        if (is_there(e, v->list[i])) {
            list[(*count)++] = v->list[i];
        }
    }
    return list;
}

/*
 * The chosen atoms (NULL: all) with the items that are there; `from` is which
 * atom of the view each was.
 */
static bool take_atoms(oracle_storage_work *w, const oracle_view *v,
                       const uint32_t *chosen, uint32_t chosen_count)
{
    const oracle_execution *e = w->scan.execution;
    uint32_t n = chosen == NULL ? v->atoms.count : chosen_count;
    uint32_t total = 0, used = 0;
    for (uint32_t i = 0; i < n; i++) {
        total += v->atoms.atoms[chosen == NULL ? i : chosen[i]].count;
    }
    w->atoms.atoms = oracle_arena_array(e->arena, n, sizeof *w->atoms.atoms);
    w->atoms.touching = oracle_arena_array(e->arena, total, sizeof(uint32_t));
    w->from = oracle_arena_array(e->arena, n, sizeof *w->from);
    if (w->atoms.atoms == NULL || w->atoms.touching == NULL ||
        w->from == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t number = chosen == NULL ? i : chosen[i];
        oracle_atom atom = v->atoms.atoms[number];
        const uint32_t *touching = v->atoms.touching + atom.first;
        uint32_t count = atom.count;
        atom.first = used;
        for (uint32_t k = 0; k < count; k++) {
            if (is_there(e, touching[k])) {
                w->atoms.touching[used++] = touching[k];
            }
        }
        atom.count = used - atom.first;
        if (atom.count > 0) {
            w->from[w->atoms.count] = number;
            w->atoms.atoms[w->atoms.count++] = atom;
        }
    }
    w->scan.hazards->steps_seen += total;
    return true;
}

/* The items of some atoms, each once, in program order. */
static bool list_items(oracle_storage_work *w, const bool *wanted,
                       uint32_t **list, uint32_t *count)
{
    const oracle_execution *e = w->scan.execution;
    uint32_t total = 0;
    for (uint32_t a = 0; a < w->atoms.count; a++) {
        total += wanted == NULL || wanted[a] ? w->atoms.atoms[a].count : 0;
    }
    *list = oracle_arena_array(e->arena, total, sizeof **list);
    *count = 0;
    if (*list == NULL) {
        return false;
    }
    for (uint32_t a = 0; a < w->atoms.count; a++) {
        const oracle_atom *atom = &w->atoms.atoms[a];
        if (wanted == NULL || wanted[a]) {
            memcpy(*list + *count, w->atoms.touching + atom->first,
                   atom->count * sizeof **list);
            *count += atom->count;
        }
    }
    *count = oracle_unique_numbers(*list, *count);
    return true;
}

/* What of the first execution others have to ask again. */
static bool note_watch(const oracle_storage_work *w, uint32_t storage)
{
    const oracle_scan *s = &w->scan;
    oracle_watch *watch = s->execution->watch;
    oracle_arena *arena = s->execution->shared;
    for (uint32_t i = 0; i < s->pair_count; i++) {
        const oracle_pair *p = &s->pairs[i];
        if (!p->ordered ||
            oracle_order_direct(s->execution->fixed, p->from, p->to)) {
            continue;
        }
        oracle_watched *grown =
            oracle_arena_push(arena, watch->pairs, watch->count, sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        watch->pairs = grown;
        grown[watch->count++] = (oracle_watched){p->from, p->to, storage};
    }
    for (uint32_t a = 0; a < w->atoms.count; a++) {
        if (!w->broken[a]) {
            continue;
        }
        oracle_broken *grown = oracle_arena_push(
            arena, watch->broken, watch->broken_count, sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        watch->broken = grown;
        grown[watch->broken_count++] =
            (oracle_broken){storage, w->from == NULL ? a : w->from[a]};
    }
    return true;
}

/* Those of them without symbols are judged as they are. */
static bool judge_known(oracle_hazards *hazards, oracle_execution *e,
                        const uint32_t *list, uint32_t count, bool *known)
{
    oracle_storage_work w = oracle_storage_work_of(hazards, e);
    oracle_atoms_result result = oracle_atoms_build(
        &w.atoms, e->document, &e->items, list, count, NULL, w.bound, e->arena);
    *known = result == ORACLE_ATOMS_DONE;
    if (!*known) {
        return result != ORACLE_ATOMS_NO_MEMORY;
    }
    w.list = list;
    w.count = count;
    for (uint32_t i = 0; i < count; i++) {
        w.position[list[i]] = i;
    }
    bool ok = oracle_storage_judge(hazards, &w);
    oracle_id_table_free(&w.scan.index);
    return ok;
}

/* Symbols: what the chain of hulls leaves open is compared pair by pair. */
static bool judge_symbols(oracle_storage_work *w, const oracle_view *v)
{
    oracle_execution *e = w->scan.execution;
    oracle_hazards *hazards = w->scan.hazards;
    uint32_t *some = NULL, some_count = 0, count = 0;
    uint32_t *list = present_items(e, v, &count);
    bool all = v->shapeless || w->scan.large;
    if (list == NULL ||
        (!all && !list_items(w, w->broken, &some, &some_count))) {
        return false;
    }
    if (v->initial && some_count == 0 && !all) {
        return true;
    }
    if (count == 0) {
        return true;
    }
    bool known = false;
    if (some_count > 0 && v->initial &&
        !judge_known(hazards, e, some, some_count, &known)) {
        return false;
    }
    if (known) {
        return true;
    }
    oracle_suspects suspects = {
        .some = all ? list : some,
        .some_count = all ? count : some_count,
        .list = v->initial && !all ? some : list,
        .count = v->initial && !all ? some_count : count,
    };
    return oracle_hazards_judge_symbolic(hazards, e, &suspects, false);
}

/* The atoms and items to be judged. */
static bool start_work(oracle_storage_work *w, const oracle_view *v,
                       const uint32_t *chosen, uint32_t count)
{
    const oracle_execution *e = w->scan.execution;
    uint32_t *list = NULL;
    if (chosen == NULL && e->complete) {
        w->atoms = v->atoms;
        w->list = v->list;
        w->count = v->count;
    } else {
        if (!take_atoms(w, v, chosen, count)) {
            return false;
        }
        if (chosen == NULL) {
            list = present_items(e, v, &w->count);
        } else if (!list_items(w, NULL, &list, &w->count)) {
            return false;
        }
        w->list = list;
    }
    for (uint32_t i = 0; i < w->count; i++) {
        w->position[w->list[i]] = i;
    }
    return w->list != NULL;
}

/* Pieces touched from which the chain over atoms costs more than sets do. */
static uint64_t wide_from(const oracle_hazards *hazards, uint32_t count)
{
    uint64_t from = oracle_storage_sets_from(hazards);
    uint64_t sets = (uint64_t)count * count / 64;
    sets = sets < NARROW ? NARROW : sets;
    return sets < from ? sets : from;
}

/*
 * Storages whose accesses are on so many pieces that atoms would be too many:
 * by sets, without atoms.
 */
static bool judge_wide(oracle_hazards *hazards, oracle_execution *e,
                       uint32_t storage, bool *done)
{
    uint32_t first = e->items.storage_first[storage];
    const uint32_t *list = e->items.by_storage + first;
    uint32_t count = e->items.storage_first[storage + 1] - first;
    oracle_sets sets;
    *done = false;
    if (hazards->sets_from == UINT64_MAX || !oracle_storage_fits_sets(e) ||
        (count < MANY && hazards->sets_from == 0) ||
        !any_writes(e, list, count)) {
        return true;
    }
    oracle_sets_result result =
        oracle_sets_start(&sets, hazards, e, list, count);
    bool ok = result != ORACLE_SETS_NO_MEMORY;
    *done = result == ORACLE_SETS_DONE &&
            oracle_sets_touched(&sets) >= wide_from(hazards, count);
    if (*done && hazards->only_count) {
        hazards->uncounted = true;
    } else if (*done) {
        ok = (oracle_storage_initial(e, list, count) ||
              oracle_sets_judge_fresh(&sets)) &&
             oracle_sets_judge(&sets);
    }
    oracle_sets_end(&sets);
    return ok;
}

bool oracle_hazards_list_pairs(oracle_answers *answers, oracle_hazards *hazards,
                               oracle_execution *execution, uint32_t storage,
                               oracle_arena *arena)
{
    oracle_storage_work w = oracle_storage_work_of(hazards, execution);
    oracle_view *v = view_of(execution, storage);
    bool ok = v != NULL && start_work(&w, v, NULL, 0) &&
              (w.count == 0 || oracle_storage_list_pairs(&w));
    for (uint32_t i = 0; ok && i < w.scan.pair_count; i++) {
        oracle_pair *grown = oracle_arena_push(arena, answers->pairs,
                                               answers->count, sizeof *grown);
        ok = grown != NULL;
        if (ok) {
            answers->pairs = grown;
            grown[answers->count++] = w.scan.pairs[i];
        }
    }
    oracle_id_table_free(&w.scan.index);
    return ok;
}

bool oracle_hazards_judge_view(oracle_hazards *hazards,
                               oracle_execution *execution, uint32_t storage,
                               const uint32_t *chosen, uint32_t count)
{
    bool done = false;
    bool ok = judge_wide(hazards, execution, storage, &done);
    if (!ok || done) {
        return ok;
    }
    oracle_storage_work w = oracle_storage_work_of(hazards, execution);
    oracle_view *v = view_of(execution, storage);
    if (v == NULL || !start_work(&w, v, v->whole ? NULL : chosen, count)) {
        return false;
    }
    w.whole = w.list == v->list && oracle_storage_fits_sets(execution);
    if (w.count > 0 && hazards->only_count) {
        ok = oracle_storage_find_broken(&w);
        for (uint32_t i = 0; ok && i < w.scan.pair_count; i++) {
            hazards->loose += !w.scan.pairs[i].ordered;
        }
    } else if (w.count > 0) {
        ok = v->symbolic
                 ? oracle_storage_find_broken(&w) && judge_symbols(&w, v)
                 : oracle_storage_judge(hazards, &w);
        ok = ok && (execution->watch == NULL || w.scan.large ||
                    note_watch(&w, storage));
        v->open = v->open || (v->symbolic && w.broken_count > 0);
    }
    oracle_id_table_free(&w.scan.index);
    return ok;
}
